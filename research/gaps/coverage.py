"""How far what was found covers a section: what is missing, whether to go on, a score, and what to ask next.

Queries are a few key words, not sentences. They carry the year or "latest" where freshness matters, and the region of
the brief where the question names no place.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from itertools import pairwise
from statistics import fmean

from research.core import (
    Aspect,
    Brief,
    Criteria,
    Evidence,
    GapReport,
    KindCoverage,
    Page,
    PeriodChoice,
    Region,
    Section,
    StopReason,
    canonical_url,
)
from research.gaps.relevance import Relevance, under_heading, word_shares
from research.gaps.subjects import Subjects, as_documents_know
from research.language import Bilingual, Language, Phrase
from research.text import (
    Name,
    asked_concepts,
    columns,
    compared_in,
    content_words,
    english_terms,
    expand,
    folded,
    heading_of,
    japanese_terms,
    language_of,
    latest_year,
    names_in,
    places_in,
    question_parts,
    regions_in,
    spelt,
    tokens,
)

_DETAILED = 80
_TELLING_QUOTES = 2
_SHARES = (0.4, 0.8)
"""Shares of what is asked from which there is one point, and two: two and four of the five aspects."""
_RELEVANT = 0.35
"""Share of the words asked for from which a quote speaks of them (see `research.gaps.relevance`)."""


_SIGNS = {
    Aspect.DEFINITION: r"\b(?:is an?|are an?|refers? to|defin\w+|known as|overview|consists? of)\b"
    r"|とは|定義|を指す|概要|と呼ば",
    Aspect.CASES: r"\b(?:for example|for instance|e\.g\.|such as|includ\w+|cases?|examples?|projects?|partners?)\b"
    r"|例えば|たとえば|事例|具体例|など|導入|プロジェクト",
    Aspect.MARKET: r"\b(?:markets?|gdp|sales|revenues?|exports?|imports?|prices?|demand|customers?|consum\w+|shares?)\b"
    r"|[$€£¥]\s?\d|市場|売上|輸出|輸入|価格|需要|顧客|消費|シェア|億円|万円|億ドル",
    Aspect.TECHNICAL: r"\b(?:technolog\w+|technical|systems?|process\w*|method\w*|capacity|efficiency|infrastructure"
    r"|standards?|equipment|[kmgt]wh?|[gm]bps)\b|技術|方式|仕組み|工程|装置|設備|仕様|容量|効率|インフラ",
    Aspect.OUTLOOK: r"\b(?:forecasts?|outlook|expect\w*|projected|projections?|plans?|planned|targets?|will|future)\b"
    r"|見通し|予測|見込|予定|計画|目標|将来|方針",
}
_PATTERNS = {aspect: re.compile(signs, re.IGNORECASE) for aspect, signs in _SIGNS.items()}


@dataclass(frozen=True)
class Cells:
    """What is asked, thing by thing, and the quotes that were found on each part of it ("market size and growth")."""

    told: Mapping[str, Sequence[Sequence[Evidence]]]
    about: Sequence[Evidence] = ()
    """All quotes that are about those whom the question names."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What is asked and has quotes on no more than half of its parts."""
        return tuple(label for label, parts in self.told.items() if 2 * sum(map(bool, parts)) <= len(parts))

    @property
    def covered(self) -> tuple[str, ...]:
        """The rest of what is asked."""
        missing = set(self.missing)
        return tuple(label for label in self.told if label not in missing)

    def of(self, label: str) -> tuple[Evidence, ...]:
        """Return all quotes on one thing, each once."""
        return tuple({entry.id: entry for part in self.told[label] for entry in part}.values())


def cells_of(
    brief: Brief, section: Section, evidence: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> Cells:
    """Return what a section wants, with the quotes (of `pages`, by id) that answer it or speak of it.

    A section that wants nothing in particular is measured by the five aspects, called as in the language of the brief.
    Only what is about those whom the question names answers.
    """
    about = _about(brief.question, evidence, pages)
    if not section.wanted:
        labels = {one.label.in_(brief.language): one for one in Aspect}
        return Cells(
            {label: [[entry for entry in about if _covers(entry, one, pages)]] for label, one in labels.items()}, about
        )
    wanted = [point for point in section.wanted if tokens(point)]
    return Cells(
        {point: [spoken_of(part, about, pages, relevance) for part in parts_of(point)] for point in wanted}, about
    )


def _about(question: str, evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> Sequence[Evidence]:
    """Return the quotes on those whom a question names; none where no page names any of them."""
    quoted = [pages[name] for name in dict.fromkeys(entry.source for entry in evidence)]
    subjects = Subjects(as_documents_know(question_parts(question), quoted), quoted)
    if subjects.is_missing:
        return ()
    return [one for one in evidence if subjects.are_meant(pages[one.source], under_heading(one, pages[one.source]))]


def sufficiency(question: str, evidence: Sequence[Evidence], pages: Mapping[str, Page], cells: Cells) -> Criteria:
    """Score `evidence` (with its pages, by id) from 0 to 10: computed, so that the same input scores the same.

    =============  ====================================  =================================  ==========================
    criterion      0                                     1                                  2
    =============  ====================================  =================================  ==========================
    results        no page                               1 or 2 pages                       3 pages or more
    relevance      under a third of the quotes speak     under two thirds                   two thirds or more
                   of what is asked
    diversity      at most one site                      2 sites                            3 sites or more
    detail         under two fifths of what is asked     under four fifths                  four fifths or more
                   has two detailed quotes
    coverage       under two fifths of what is asked     under four fifths                  four fifths or more
                   has a quote
    =============  ====================================  =================================  ==========================

    For results and diversity only pages count that say something of what is asked. A quote is detailed if it holds a
    digit or is at least 80 columns wide (wide characters count two); with one, half of the two are there.
    """
    relevant = relevant_of(question, cells.about, pages, tuple(cells.told))
    sources = {entry.source for entry in relevant}
    detailed = [sum(_is_detailed(entry.quote) for entry in cells.of(label)) for label in cells.told]
    asked = len(cells.told) or 1
    return Criteria(
        results=_points(len(sources), 1, 3),
        relevance=_points(len(relevant) / (len(evidence) or 1), 1 / 3, 2 / 3),
        diversity=_points(len({pages[source].site for source in sources}), 2, 3),
        detail=_points(sum(min(count, _TELLING_QUOTES) for count in detailed) / (asked * _TELLING_QUOTES), *_SHARES),
        coverage=_points(len(cells.covered) / asked, *_SHARES),
    )


def good_sites(
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], wanted: Sequence[str] = ()
) -> int:
    """Return how many sites say at least two detailed things on what is asked."""
    relevant = relevant_of(question, tuple(evidence), pages, wanted)
    telling = Counter(pages[entry.source].site for entry in relevant if _is_detailed(entry.quote))
    return sum(quotes >= _TELLING_QUOTES for quotes in telling.values())


def relevant_of(
    question: str, quotes: Sequence[Evidence], pages: Mapping[str, Page], wanted: Sequence[str]
) -> list[Evidence]:
    """Return the quotes that speak of one thing asked for and, if names are asked for, are about one of them.

    What is asked for are the points `wanted`, or where there are none, the things that the question names.
    """
    names, best = compared_in(question), [0.0] * len(quotes)
    titled = [f"{pages[entry.source].title}\n{entry.quote}" for entry in quotes]
    things = [one.label for one in asked_concepts(question) if not one.is_period] or [question]
    for asked in wanted or things:
        best = list(map(max, best, word_shares(asked, [entry.quote for entry in quotes])))
    return [
        entry
        for entry, share, said in zip(quotes, best, titled, strict=True)
        if entry.answers or (share >= _RELEVANT and (not names or any(name.stands_in(folded(said)) for name in names)))
    ]


def _points(value: float, one: float, two: float) -> int:
    return (value >= one) + (value >= two)


def _covers(entry: Evidence, aspect: Aspect, pages: Mapping[str, Page]) -> bool:
    if _PATTERNS[aspect].search(entry.quote):
        return True
    return aspect is Aspect.OUTLOOK and latest_year(entry.quote) > pages[entry.source].fetched_at.year


def _is_detailed(quote: str) -> bool:
    return any(character.isdigit() for character in quote) or columns(quote) >= _DETAILED


_FOUND, _MORE_QUOTES, _MORE_SITES = 0.5, 0.25, 0.25


_JOINS = re.compile(
    r"[,，、;；・／]|\s/\s|\b(?:and|or)\b|および|及び|ならびに|並びに|または|又は|(?<=[^ぁ-ん])[とや](?=[^ぁ-ん\s])"
    r"|(?<=[一-鿿][みしきりけえ])[とや](?=[一-鿿ァ-ヺ])"
)
_COMPARED = 12
"""Quotes that are compared by meaning for each point; the report itself looks at more."""


def identify_gaps(cells: Cells, pages: Mapping[str, Page], *, at: datetime) -> GapReport:
    """Return how far what was found covers what is asked (`pages` holds the pages that are quoted, by id).

    A part with a quote counts half, with a second a quarter more, with a second site another. `at` is the time to be
    noted.
    """
    coverage = tuple(
        KindCoverage(label, fmean(_share(part, pages) for part in parts), tuple(entry.id for entry in cells.of(label)))
        for label, parts in cells.told.items()
    )
    confidence = fmean(entry.share for entry in coverage) if coverage else 0.0
    return GapReport(coverage, cells.covered, cells.missing, not cells.missing, confidence, at)


def _share(told: Sequence[Evidence], pages: Mapping[str, Page]) -> float:
    """Return how far quotes cover one part."""
    sites = {pages[entry.source].site for entry in told}
    return _FOUND * (len(told) > 0) + _MORE_QUOTES * (len(told) > 1) + _MORE_SITES * (len(sites) > 1)


def parts_of(point: str) -> tuple[str, ...]:
    """Return the things that a point joins ("market size and growth"); the point itself if it is one thing."""
    if tuple(tokens(point)) in english_terms():
        return (point,)
    pieces = (part.strip() for part in _JOINS.split(point))
    return tuple(dict.fromkeys(part for part in pieces if tokens(part))) or (point,)


def spoken_of(
    point: str, evidence: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance, at_most: int = _COMPARED
) -> list[Evidence]:
    """Return the quotes that answer `point` or speak of it; one that asks of somebody is told by what names them."""
    names = names_in(point)
    about = [entry for entry in evidence if not names or _names_any(names, entry, pages[entry.source])]
    texts = [under_heading(entry, pages[entry.source]) for entry in about]
    return [
        entry
        for entry, share in zip(about, relevance.of(point, texts, at_most=at_most), strict=True)
        if share >= 1 or point in entry.answers
    ]


def _names_any(names: Iterable[Name], entry: Evidence, page: Page) -> bool:
    low = folded(f"{page.title}\n{heading_of(page.text, entry.start)}\n{entry.quote}")
    return any(name.stands_in(low) for name in names)


@dataclass(frozen=True)
class Result:
    """A page and what is quoted from it."""

    page: Page
    evidence: tuple[Evidence, ...]
    """The most relevant quote first."""
    relevance: float
    """That of its most relevant quote: 0 if none speaks of the section, without an upper end."""


@dataclass(frozen=True)
class Accumulated:
    """What there is for a section."""

    results: tuple[Result, ...] = ()
    """The most relevant first; of equal ones the earlier found."""
    repeated: int = 0
    """Quotes that the last join brought and that were there already."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every quote, page by page."""
        return tuple(entry for result in self.results for entry in result.evidence)


def accumulate(
    section: Section, new: Iterable[Evidence], pages: Mapping[str, Page], there: Accumulated = Accumulated()
) -> Accumulated:
    """Return `there` joined with `new` quotes (`pages` holds the pages they are from, by id).

    Two addresses with the same canonical form are one page, and the same words on one page are one quote; what was
    there first is kept. Nothing is left out for being of little relevance. Relevance is how much of the words of the
    section's title, focus and wanted points a quote says.
    """
    found: dict[str, Page] = {}
    quotes: dict[tuple[str, str], Evidence] = {}
    repeated = 0
    for entry, page in (*_pairs(there), *((entry, pages[entry.source]) for entry in new)):
        address = canonical_url(page.url) or page.url
        found.setdefault(address, page)
        key = (address, " ".join(entry.quote.split()))
        repeated += key in quotes
        quotes.setdefault(key, entry)
    by_page: dict[str, list[Evidence]] = {address: [] for address in found}
    for (address, _), entry in quotes.items():
        by_page[address].append(entry)
    return Accumulated(_ordered(section, [(found[address], every) for address, every in by_page.items()]), repeated)


def _pairs(there: Accumulated) -> Iterable[tuple[Evidence, Page]]:
    return [(entry, result.page) for result in there.results for entry in result.evidence]


def _ordered(section: Section, found: Sequence[tuple[Page, Sequence[Evidence]]]) -> tuple[Result, ...]:
    asked = " ".join((section.title, section.focus, *section.wanted))
    entries = [(entry, page) for page, evidence in found for entry in evidence]
    said = [under_heading(entry, page) for entry, page in entries]
    shares = {entry.id: share for (entry, _), share in zip(entries, word_shares(asked, said), strict=True)}
    results = []
    for page, evidence in found:
        ranked = sorted(evidence, key=lambda entry: -shares[entry.id])
        results.append(Result(page, tuple(ranked), shares[ranked[0].id]))
    return tuple(sorted(results, key=lambda result: -result.relevance))


CONFIDENT = 0.6
"""Confidence from which a section is done when nothing is missing: most of it was found more than once."""
_NAMED = 5
"""Missing items that are named in words; the others are counted."""
_COMMA = Bilingual(", ", "、")
_COUNT = Phrase("Iteration {iteration} of {limit}. ")
_MISSING = Phrase("Still missing: {items}. ")
_OTHERS = Phrase(" and {count} more", "after a list")
_COMPLETE = Phrase("Nothing is missing; confidence {confidence:.2f} of the {enough:.2f} needed. ")
_MORE = Phrase("The search goes on for it.")
_CONFIRM = Phrase("The search goes on to confirm what was found.")


@dataclass(frozen=True)
class Continuation:
    """Whether to go on, and what that rests on."""

    iteration: int
    """Iterations done."""
    limit: int
    missing: tuple[str, ...]
    confidence: float
    stops: StopReason | None
    """Why to stop; None to go on."""

    def in_words(self, language: Language) -> str:
        """Return the decision with its reason in `language`."""
        goes_on = _MORE if self.missing else _CONFIRM
        return (
            _COUNT.in_(language).format(iteration=self.iteration, limit=self.limit)
            + self._state(language)
            + (self.stops.label if self.stops is not None else goes_on).in_(language)
        )

    def _state(self, language: Language) -> str:
        if self.missing:
            return _MISSING.in_(language).format(items=self._named(language))
        return _COMPLETE.in_(language).format(confidence=self.confidence, enough=CONFIDENT)

    def _named(self, language: Language) -> str:
        others = len(self.missing) - _NAMED
        named = _COMMA.in_(language).join(self.missing[:_NAMED])
        return named + (_OTHERS.in_(language).format(count=others) if others > 0 else "")


def continuation(iteration: int, limit: int, missing: Sequence[str], confidence: float) -> Continuation:
    """Decide after `iteration` iterations of at most `limit`.

    It stops with `COVERED` if nothing is missing and `confidence` (0 to 1) is at least `CONFIDENT`, else with `LIMIT`
    if the iterations are over; otherwise it goes on.
    """
    stops = None
    if not missing and confidence >= CONFIDENT:
        stops = StopReason.COVERED
    elif iteration >= limit:
        stops = StopReason.LIMIT
    return Continuation(iteration, limit, tuple(missing), confidence, stops)


_WORDS = 6
"""Words that a query takes from the question, and as many from what is asked about it."""
_EVERY = 40
"""Words of a question that are looked at."""
_ASKS_FOR_NEWS = re.compile(
    r"\b(?:latest|newest|recent(?:ly)?|current(?:ly)?(?! account)|now|today|this (?:year|month|week))\b"
    r"|\bup[ -]to[ -]date\b|最新|最近|直近|現在|現状|今年|今月|足元|足下",
    re.IGNORECASE,
)
_LATEST = Phrase("latest")
_SHORT = (PeriodChoice.WEEK, PeriodChoice.MONTH, PeriodChoice.QUARTER)


def first_queries(brief: Brief, section: Section, *, at_most: int, today: date | None = None) -> tuple[str, ...]:
    """Return up to `at_most` queries for a section, the broad ones first.

    The question's telling words with those of the title (for each name that the question compares, if there is room
    for all), then with those of the focus, then with each point that is wanted, then the first again in the other
    language. A section that is the question itself begins with the question's telling words. `today` gives the year
    where freshness matters; without it such queries say "latest".
    """
    asked = _fresh(_opening(brief, section, at_most, today), (), at_most)
    return asked or (brief.question[:LONGEST],)[:at_most]


def follow_up_queries(
    brief: Brief,
    section: Section,
    missing: Sequence[str],
    *,
    made: Sequence[str],
    at_most: int,
    today: date | None = None,
) -> tuple[str, ...]:
    """Return up to `at_most` queries that were not made yet, for what is `missing`; empty when there are none left.

    For the question itself first what it asks of somebody and no query held yet. One query for each missing item; then
    each item for each name in the question without its other words (unless the section is the question itself), items
    two by two, each item together with the title, and in the other language. If nothing is missing, and more is wanted
    all the same: what the section would have been searched with otherwise. A query was made already if one in `made`
    has the same words, letter case, width, plural and order aside.
    """
    if not missing:
        return _fresh(_opening(brief, section, at_most, today), made, at_most)
    return _fresh(_narrow(brief, section, missing, made, today), made, at_most)


def region_words(brief: Brief, language: Language) -> str:
    """Return the brief's region as a query names it; empty if none is set or the question names a place itself."""
    if brief.region is None or brief.region is Region.WORLD:
        return ""
    return "" if places_in(brief.question) or regions_in(brief.question) else brief.region.label.in_(language)


@cache
def search_words() -> tuple[str, ...]:
    """Return the words that queries may hold whatever they are about: those of the dictionary, and how new."""
    phrases = [_LATEST, *(aspect.label for aspect in Aspect)]
    known = (expand(" ".join(term)) for term in english_terms())
    return (*known, *(phrase.in_(language) for phrase in phrases for language in Language))


def _opening(brief: Brief, section: Section, at_most: int, today: date | None) -> Iterator[str]:
    compose = _Composer(brief, today)
    if 1 < len(compose.names) <= at_most:
        yield from (compose.query(under=section.title, about=name) for name in compose.names)
    yield compose.query(under=section.title)
    yield compose.query(under=section.focus)
    yield from map(compose.query, section.wanted)
    yield compose.in_other_language(section.title)


def _narrow(
    brief: Brief, section: Section, missing: Sequence[str], made: Sequence[str], today: date | None
) -> Iterator[str]:
    compose = _Composer(brief, today)
    items = tuple(dict.fromkeys(missing))
    if folded(section.title) == folded(brief.question) and made:
        yield compose.left_out(made)
    yield from map(compose.query, items)
    if folded(section.title) != folded(brief.question):
        yield from (compose.query(item, only=name) for item in items for name in compose.names)
    yield from (compose.query(one, other) for one, other in pairwise(items))
    yield from (compose.query(item, under=section.title) for item in items)
    yield from map(compose.in_other_language, items)


class _Composer:
    """Puts queries together for one brief, in the language of its question."""

    def __init__(self, brief: Brief, today: date | None) -> None:
        self.names = compared_in(brief.question)
        self._brief, self._today = brief, today
        self._language = language_of(brief.question)
        self._subject = some_words(brief.question, _WORDS)

    def query(self, *items: str, under: str = "", about: Name | None = None, only: Name | None = None) -> str:
        """Return the query for `items`, and for what tells in the heading that they are `under`.

        It is about the subject of the question; about one of its names if `about` is given, and without the other words
        of the question if `only` is.
        """
        words = list(keywords(self._own(under), _WORDS))
        words += (word for item in items for word in some_words(self._own(item), _WORDS))
        if about:
            words = self._without_others(words)
        subject = [self._named(only)] if only else self._about(about)
        return self._with_limits([*subject, *words], " ".join((under, *items)), self._language)

    def left_out(self, made: Iterable[str]) -> str:
        """Return the query for what the question asks of those that it names, in words that no query held; or nothing.

        A question may ask for more than one query has room for.
        """
        named = tuple(map(self._named, names_of(self._brief.question)))
        said = frozenset().union(*map(_words_of, made), *map(_words_of, named))
        words = [word for word in keywords(self._brief.question, _EVERY) if not _words_of(word) <= said]
        return self._with_limits([*named, *words[:_WORDS]], "", self._language) if named and words else ""

    def _own(self, text: str) -> str:
        """Return `text` in the language of the question, as it is where that is not known."""
        return translated(text, self._language) or text

    def in_other_language(self, asked: str) -> str:
        """Return the query in the other language; empty if a word of it is not known.

        What is asked in English is looked for in Japanese only if the report is to be in Japanese.
        """
        other = Language.EN if self._language is Language.JA else Language.JA
        if other is Language.JA and self._brief.language is not Language.JA:
            return ""
        subject = translated(" ".join(self._subject), other)
        own = asked if language_of(asked) is other else translated(asked, other)
        return self._with_limits([*subject.split(), *some_words(own, _WORDS)], asked, other) if subject and own else ""

    def _about(self, name: Name | None) -> Sequence[str]:
        if name is None:
            return self._subject
        return [self._named(name), *self._without_others(self._subject)]

    def _without_others(self, words: Iterable[str]) -> list[str]:
        """Return words without the names that the question compares: each is searched for by itself."""
        others = {folded(form) for name in self.names for form in (name.en, name.ja)}
        return [word for word in words if folded(word) not in others]

    def _named(self, name: Name) -> str:
        return name.ja if self._language is Language.JA else name.en

    def _with_limits(self, words: Iterable[str], asked: str, language: Language) -> str:
        """Return the words, each once, with the region and the time."""
        limits = (region_words(self._brief, language), self._time_words(asked, language))
        once: dict[frozenset[str], str] = {}
        for word in (*words, *limits):
            once.setdefault(_words_of(word), word)
        return " ".join(word for word in once.values() if word)

    def _time_words(self, asked: str, language: Language) -> str:
        """Return "latest" or the year or both; nothing where time does not matter or a year is asked for."""
        text, period = f"{self._brief.question} {asked}", self._brief.period
        asks_for_news = _ASKS_FOR_NEWS.search(text) is not None
        if latest_year(text) or not (asks_for_news or period):
            return ""
        year = Phrase("{year}").in_(language).format(year=self._today.year) if self._today else ""
        latest = _LATEST.in_(language) if asks_for_news or period in _SHORT or not year else ""
        return f"{latest} {year}".strip()


def _fresh(candidates: Iterable[str], made: Iterable[str], at_most: int) -> tuple[str, ...]:
    """Return the first `at_most` candidates that have other words than any query in `made` and than one another."""
    known = {_words_of(""), *map(_words_of, made)}
    fresh: list[str] = []
    for query in candidates:
        if len(fresh) >= at_most:
            break
        if (words := _words_of(query)) not in known:
            known.add(words)
            fresh.append(query)
    return tuple(fresh)


def _words_of(query: str) -> frozenset[str]:
    """Return what queries are compared by: letter case, width, plural and order aside."""
    return frozenset(tokens(query)) or frozenset({query.strip()})


# --- the words of a text ---------------------------------------------------------------------------------------

LONGEST = 120
"""Characters of the words that are taken from one text."""
_KANA_INSIDE = re.compile(r"[一-鿿][ぁ-ん]")
_ASKING = re.compile(
    r"\bhow (?:much|many|large|big|fast|far|often|high|low|long)\b|(?<=\w )works?(?=\s*\?)|[一-鿿](?:わ[るりれ]|る)"
    r"|\b(?:directly|itself|the sources(?= say))\b|直接(?=に|関わ)|情報源(?=が)",
    re.IGNORECASE,
)
"""Words that ask, or speak of asking, and verbs whose kanji would join the word before them."""
_ANY_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=512)
def keywords(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return up to `at_most` words that tell what `text` is about, spelt as in it: names first, then the rest in order.

    None if it holds nothing but words that say little ("overview"). Together they are at most `LONGEST` characters.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    names = names_of(plain)
    taken = {word for name in names for form in name.forms for word in (form, *content_words(form))}
    language = language_of(plain)
    named = [name.ja if language is Language.JA else name.en for name in names]
    others = [word for word in _words(_ASKING.sub(" ", plain)) if folded(word) not in taken]
    return _cut(dict.fromkeys([*named, *others]), at_most)


def some_words(text: str, at_most: int = 8) -> tuple[str, ...]:
    """Return the `keywords` of `text`, or its words as they are if they all say little; none if it holds no word."""
    return keywords(text, at_most) or _cut(_ANY_WORD.findall(unicodedata.normalize("NFKC", text)), at_most)


def names_of(text: str) -> tuple[Name, ...]:
    """Return the names in `text`, parts of the world among them."""
    return (*names_in(text), *regions_in(text))


@lru_cache(maxsize=512)
def translated(text: str, language: Language) -> str:
    """Return the telling words of `text` in `language`; empty if they are in it already, or most are not known."""
    if language_of(text) is language:
        return ""
    for aspect in Aspect:
        if folded(text) in map(folded, aspect.label):
            return aspect.label.in_(language)
    words = keywords(text)
    known = [word for word in words if _from_dictionary(word, language)]
    told = " ".join(_from_dictionary(" ".join(words), language))
    return told if 2 * len(known) >= len(words) else ""


def _from_dictionary(words: str, language: Language) -> tuple[str, ...]:
    """Return the translation of each term in `words`, each once."""
    if language is Language.EN:
        return tuple(dict.fromkeys(term.english[0] for term in japanese_terms(words)))
    added = expand(words).removeprefix(words).split()
    return tuple(dict.fromkeys(word for word in added if language_of(word) is language))


def _words(text: str) -> list[str]:
    """Return the content words of `text` as they are spelt there, and the terms that kana are a part of (強み)."""
    terms = (text[term.start : term.end] for term in japanese_terms(text))
    with_kana = {term: text.find(term) for term in terms if _KANA_INSIDE.search(term)}
    words = dict.fromkeys(spelt(word, text) for word in content_words(text))
    alone = (word for word in words if not any(word in term for term in with_kana))
    places = with_kana | {word: folded(text).find(folded(word)) for word in alone}
    return sorted(places, key=places.__getitem__)


def _cut(words: Iterable[str], at_most: int) -> tuple[str, ...]:
    """Return the first words that have room; one that is too long by itself is cut."""
    kept: list[str] = []
    room = LONGEST
    for word in words:
        if len(kept) == at_most or (kept and len(word) > room):
            break
        kept.append(word[:room])
        room -= len(word) + 1
    return tuple(kept)
