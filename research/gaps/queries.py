"""What to search for: the first queries for a section, and those for what is missing.

Queries are a few key words, not sentences. They carry the year or "latest" where freshness matters, and the region of
the brief where the question names no place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise

from research.core import Brief, PeriodChoice, Region, Section
from research.gaps.coverage import Aspect
from research.language import Language, Phrase
from research.text import (
    Name,
    compared_in,
    content_words,
    english_terms,
    expand,
    folded,
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

    For the question itself first what it asks of somebody and no query held yet. Each missing part of the question for
    each of its names alone; one query for each missing item; then each item for each name in the question without its
    other words (unless the section is the question itself), items two by two, each item together with the title, and in
    the other language. If nothing is missing, and more is wanted all the same: what the section would have been
    searched with otherwise. A query was made already if one in `made`
    has the same words, letter case, width, plural and order aside.
    """
    if not missing:
        return _fresh(_opening(brief, section, at_most, today), made, at_most)
    return _fresh(_narrow(brief, section, missing, made, today), made, at_most)


def region_words(brief: Brief, language: Language) -> str:
    """Return the brief's region as a query names it; empty if none is set or the question names a place itself.

    Of several countries each is searched for by itself; a query that names none of them holds them all.
    """
    if places_in(brief.question) or regions_in(brief.question):
        return ""
    if brief.countries:
        return " ".join(name.ja if language is Language.JA else name.en for name in _countries(brief))
    if brief.region is None or brief.region is Region.WORLD:
        return ""
    return brief.region.label.in_(language)


def _countries(brief: Brief) -> tuple[Name, ...]:
    """Return the countries of a brief, in both languages where they are known."""
    return tuple(next(iter(places_in(said)), Name(said, said, (folded(said),))) for said in brief.countries)


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
    said = frozenset(tokens(brief.question))
    parts = [item for item in items if said.issuperset(tokens(item))]  # Beside all else asked, they say nothing new.
    yield from (compose.query(item, only=name) for item in parts for name in compose.names)
    yield from map(compose.query, items)
    if folded(section.title) != folded(brief.question):
        yield from (compose.query(item, only=name) for item in items for name in compose.names)
    yield from (compose.query(one, other) for one, other in pairwise(items))
    yield from (compose.query(item, under=section.title) for item in items)
    yield from map(compose.in_other_language, items)


class _Composer:
    """Puts queries together for one brief, in the language of its question."""

    def __init__(self, brief: Brief, today: date | None) -> None:
        self._countries = _countries(brief)
        self.names = compared_in(brief.question) or self._countries
        self._brief, self._today = brief, today
        self._language = language_of(brief.question)
        self._subject = (*some_words(brief.question, _WORDS), *_named_only(brief.question))

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
        words = tuple(words)
        is_of_one = any(self._named(country) in words for country in self._countries)
        region = "" if is_of_one else region_words(self._brief, language)
        limits = (region, self._time_words(asked, language))
        once: dict[frozenset[str], str] = {}
        for word in (*words, *limits):
            once.setdefault(_words_of(word), word)
        return " ".join(word for word in once.values() if word)

    def _time_words(self, asked: str, language: Language) -> str:
        """Return "latest" or the year or both; nothing where time does not matter or a year is asked for."""
        text, period, until = f"{self._brief.question} {asked}", self._brief.period, self._brief.until
        asks_for_news = _ASKS_FOR_NEWS.search(text) is not None
        if latest_year(text) or not (asks_for_news or period or self._brief.since or until):
            return ""
        last = until or self._today
        year = Phrase("{year}").in_(language).format(year=last.year) if last else ""
        latest = _LATEST.in_(language) if asks_for_news or period in _SHORT or not year else ""
        return f"{latest} {year}".strip()


def _named_only(question: str) -> tuple[str, ...]:
    """Return the names of what a question asks in other words: population, of how many people live there."""
    said = frozenset(tokens(question))
    named = (one for one in question_parts(question).attributes if said.isdisjoint(tokens(one)))
    return tuple(word for one in named for word in some_words(one))


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
    r"|\b(?:directly|itself|the sources(?= say))\b|質問そのもの|(?:質問に)?直接(?=に|関わ)|情報源(?=が)",
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
    named = {form for name in names_of(text) for form in name.forms}
    asked = [word for word in words if folded(word) not in named] or words  # Whom it is about is not what is asked.
    known = [word for word in asked if _from_dictionary(word, language)]
    told = " ".join(_from_dictionary(" ".join(words), language))
    return told if 2 * len(known) >= len(asked) else ""


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
