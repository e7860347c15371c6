"""How far what was found covers what is asked: thing by thing, as a score, what is missing, and whether to go on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean

from research.core import (
    Brief,
    Criteria,
    Evidence,
    GapReport,
    KindCoverage,
    Page,
    Section,
    StopReason,
    Vocabulary,
)
from research.gaps.relevance import Relevance, under_heading, word_shares
from research.gaps.subjects import Subjects, as_documents_know
from research.language import COMMA, Language, Phrase
from research.text import (
    Name,
    asked_concepts,
    columns,
    compared_in,
    english_terms,
    folded,
    heading_of,
    language_of,
    latest_year,
    names_in,
    question_parts,
    tokens,
)

_DETAILED = 80
_TELLING_QUOTES = 2
_SHARES = (0.4, 0.8)
"""Shares of what is asked from which there is one point, and two: two and four of the five aspects."""
_RELEVANT = 0.35
"""Share of the words asked for from which a quote speaks of them (see `research.gaps.relevance`)."""


class Aspect(Vocabulary):
    """What an answer covers where nothing in particular is asked."""

    DEFINITION = ("definition", Phrase("definition"))
    CASES = ("cases", Phrase("concrete cases"))
    MARKET = ("market", Phrase("market impact"))
    TECHNICAL = ("technical", Phrase("technical detail"))
    OUTLOOK = ("outlook", Phrase("outlook"))


def aspects(language: Language) -> tuple[str, ...]:
    """Return what the five aspects are called."""
    return tuple(aspect.label.in_(language) for aspect in Aspect)


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
    wanted: tuple[str, ...] = ()
    """What is asked; without anything in particular, only what the question names tells what is relevant."""

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
    brief: Brief,
    section: Section,
    evidence: Sequence[Evidence],
    pages: Mapping[str, Page],
    relevance: Relevance,
    *,
    among: Sequence[Evidence] = (),
) -> Cells:
    """Return what a section wants, with the quotes (of `pages`, by id) that answer it or speak of it.

    A section that wants nothing in particular is measured by the five aspects, called as in the language of the brief.
    Only what is about those whom the question names answers; of some quotes `among` many, all the pages say who is.
    """
    about = about_asked(brief.question, evidence, pages, among=among)
    wanted = [point for point in section.wanted if tokens(point)]
    if not wanted:
        labels = {one.label.in_(brief.language): one for one in Aspect}
        return Cells(
            {label: [[entry for entry in about if _covers(entry, one, pages)]] for label, one in labels.items()}, about
        )
    return Cells(
        {point: [spoken_of(part, about, pages, relevance) for part in parts_of(point)] for point in wanted},
        about,
        tuple(wanted),
    )


def about_asked(
    question: str, evidence: Sequence[Evidence], pages: Mapping[str, Page], *, among: Sequence[Evidence] = ()
) -> Sequence[Evidence]:
    """Return the quotes on those whom a question names; none where no page of these, or of those `among`, names any."""
    quoted = [pages[name] for name in dict.fromkeys(entry.source for entry in among or evidence)]
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
    relevant = relevant_of(question, cells.about, pages, cells.wanted)
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


def good_sites(question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], wanted: Sequence[str]) -> int:
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
_COMPARED = 6
"""Quotes that are compared by meaning for each point, as a researcher waits; the report itself looks at more. What is
counted of a point is full with two quotes of two sites: on 12 sample questions 12 of them gave the same reports."""
_COUNTS_ABROAD = 0.5
"""What is taken to speak of a point in the other language, where no word is shared: quotes that hold a fact asked for
reach it nine times as often as others, in others' questions on real documents, as they reach 1 in one language."""


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
    names, mother = names_in(point), language_of(point)
    about = [entry for entry in evidence if not names or _names_any(names, entry, pages[entry.source])]
    texts = [under_heading(entry, pages[entry.source]) for entry in about]
    return [
        entry
        for entry, share in zip(about, relevance.of(point, texts, at_most=at_most), strict=True)
        if share >= (1 if language_of(entry.quote) is mother else _COUNTS_ABROAD) or point in entry.answers
    ]


def _names_any(names: Iterable[Name], entry: Evidence, page: Page) -> bool:
    low = folded(f"{page.title}\n{heading_of(page.text, entry.start)}\n{entry.quote}")
    return any(name.stands_in(low) for name in names)


def accumulated(section: Section, evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> list[Evidence]:
    """Return all quotes of a section, page by page: pages and quotes that say most of what it is about come first.

    Nothing is left out for saying little; `pages` holds the pages that are quoted, by id.
    """
    quotes = list(dict.fromkeys(evidence))
    asked = " ".join((section.title, section.focus, *section.wanted))
    shares = word_shares(asked, [under_heading(entry, pages[entry.source]) for entry in quotes])
    of_page: dict[str, list[tuple[float, Evidence]]] = defaultdict(list)
    for share, entry in zip(shares, quotes, strict=True):
        of_page[entry.source].append((share, entry))
    ranked = [sorted(every, key=lambda one: -one[0]) for every in of_page.values()]
    return [entry for every in sorted(ranked, key=lambda every: -every[0][0]) for _, entry in every]


CONFIDENT = 0.6
"""Confidence from which a section is done when nothing is missing: most of it was found more than once."""
_NAMED = 5
"""Missing items that are named in words; the others are counted."""
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
        named = COMMA.in_(language).join(self.missing[:_NAMED])
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
