"""What a section wants, point by point, as concepts that are found in either language and in other words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from research.gaps.alike import alike
from research.gaps.wording import keywords, names_of, other_ways, parts_of, translated
from research.language import Language
from research.outline import Section
from research.text.concepts import Concept, query_of
from research.text.language_of import language_of
from research.text.lexicon import japanese_terms
from research.text.names import Name
from research.text.words import content_words, folded, is_stop_word, tokens

Wording = tuple[str, ...]
"""The tokens of one way to say a word."""

_QUANTITY_WORDS = """
size sizes volume volumes value values level levels figure figures rate rates share shares number numbers amount
amounts scale trend trends data statistics percentage total quantity quantities change changes
規模 数値 統計 金額 数量 推移 割合 比率 水準 動向 傾向 変化 データ 件数 総額
"""
_QUANTITIES = frozenset(_QUANTITY_WORDS.split())
"""Words that ask for a figure: a number says them."""
_PAIRS = re.compile(r"(?:[一-鿿々]{2}){2,3}")
_PLURALS = ("sses", "xes", "ches", "shes")
_MEASURED = re.compile(r"(?<=..)(?:規模|推移|割合|比率|動向|金額|数量|水準|件数|[率額量数高])$")
"""What at the end of a Japanese compound asks for a figure."""
_YEAR = re.compile(r"(?:19|20)\d\d年?度?")


@dataclass(frozen=True)
class Part:
    """One thing that a point asks for."""

    said: tuple[tuple[tuple[Wording, ...], ...], ...]
    """For each language that has words for at least half of it: for each of those words all the ways to say it."""
    asks_how_much: bool
    """Whether a text must hold a number to speak of it."""
    whole: tuple[Wording, ...] = ()
    """Ways to say all of it at once."""

    @property
    def ways(self) -> Iterator[Wording]:
        """Every way to say any of it."""
        yield from (way for words in self.said for ways in words for way in ways)
        yield from self.whole

    def match(self, found: Collection[str]) -> float:
        """Return 1 if a text with the tokens `found` speaks of this, else at most a half: how near it comes."""
        near = max((_share(words, found) for words in self.said), default=1.0)
        has_number = not self.asks_how_much or any(token[0].isdigit() for token in found)
        return 1.0 if has_number and (near == 1.0 or _any(self.whole, found)) else 0.5 * near


def _share(words: tuple[tuple[Wording, ...], ...], found: Collection[str]) -> float:
    """Return the share of the words that a text must say: one of one, two of two to four, half of more."""
    needed = max(min(2, len(words)), math.ceil(len(words) / 2))
    return min(1.0, sum(_any(ways, found) for ways in words) / needed)


def _any(ways: Iterable[Wording], found: Collection[str]) -> bool:
    return any(all(token in found for token in way) for way in ways)


@dataclass(frozen=True)
class Point(Concept):
    """A wanted point. It matches a text that speaks of any of its parts."""

    parts: tuple[Part, ...] = ()
    names: tuple[Name, ...] = ()
    """Of whom it asks: what speaks of it names one of them, or stands on a page or under a heading that does."""

    @cached_property
    def tokens(self) -> frozenset[str]:
        """Every token of every way to say it."""
        return frozenset(token for part in self.parts for way in part.ways for token in way)

    def match(self, found: Collection[str]) -> float:
        """Return how far a text with the tokens `found` speaks of it: 1, or at most a half if it does not."""
        return max((part.match(found) for part in self.parts), default=0.0)


def points_of(section: Section) -> tuple[Point, ...]:
    """Return what `section` wants; a point without a letter or digit asks for nothing and is left out."""
    points = (_point(wanted, f"{section.title} {section.focus}") for wanted in section.wanted)
    return tuple(point for point in points if point.parts)


@lru_cache(maxsize=512)
def _point(wanted: str, about: str) -> Point:
    """Return a point as a concept; one whose words tell nothing ("overview") asks for what the section is about."""
    if not tokens(wanted):
        return Point(wanted, ())
    names = names_of(wanted)
    parts = _parts(parts_of(wanted)) or _parts([about]) or (_literally(wanted),)
    phrases = dict.fromkeys(tuple(tokens(piece)) for piece in (wanted, *parts_of(wanted)))
    return Point(wanted, tuple(phrase for phrase in phrases if phrase), parts=parts, names=names)


def _parts(texts: Iterable[str]) -> tuple[Part, ...]:
    """Return what each text asks for, without names and years; those that ask for nothing are left out."""
    found = (_part(text) for text in texts)
    return tuple(part for part in found if part.said or part.asks_how_much)


def _part(text: str) -> Part:
    named = {word for name in names_of(text) for form in name.forms for word in (form, *content_words(form))}
    words = [word for word in map(folded, keywords(text)) if word not in named and not _YEAR.fullmatch(word)]
    bare = [piece for word in words for piece in _pieces(_MEASURED.sub("", word))]
    asks_how_much = query_of(text).asks_how_much or any(word in _QUANTITIES for word in (*words, *bare))
    asks_how_much = asks_how_much or any(_MEASURED.search(word) for word in words)
    telling = dict.fromkeys(word for word in bare if word not in _QUANTITIES and not is_stop_word(word))
    ways = [_ways(word, language_of(text)) for word in telling]
    by_language = (tuple(one[language] for one in ways if one[language]) for language in Language)
    said = tuple(words for words in by_language if words and 2 * len(words) >= len(telling))
    return Part(said, asks_how_much, _whole(text))


def _literally(text: str) -> Part:
    return Part((((tuple(tokens(text)),),),), asks_how_much=False)


def _pieces(word: str) -> tuple[str, ...]:
    """Return a compound of kanji that the dictionary does not know in pairs, as most are made: 導入, 事例."""
    known = any(term.end - term.start == len(word) for term in japanese_terms(word))
    if known or not _PAIRS.fullmatch(word):
        return (word,)
    return tuple(word[place : place + 2] for place in range(0, len(word), 2))


def _ways(word: str, own: Language) -> dict[Language, tuple[Wording, ...]]:
    """Return the ways to say one word in each language: itself, its translations (and those back), words alike.

    What a Japanese text writes in Latin letters (EV) is Japanese as well.
    """
    single = word[:-2] if word.endswith(_PLURALS) else word
    there = other_ways(single, _other(language_of(single)))
    back = (way for one in there for way in other_ways(one, language_of(single)))
    every = (word, single, *there, *back, *alike(single))
    by_language = {language: [one for one in every if language_of(one) is language] for language in Language}
    if word not in by_language[own]:
        by_language[own].append(word)
    return {
        language: tuple(dict.fromkeys(way for one in said if (way := tuple(tokens(one)))))
        for language, said in by_language.items()
    }


def _whole(text: str) -> tuple[Wording, ...]:
    """Return the translation of a term whose words only together have one ("labor cost", 人件費)."""
    language = language_of(text)
    if language is Language.JA and not all(other_ways(word, Language.EN) for word in keywords(text)):
        return ()
    other = tuple(tokens(translated(text, _other(language))))
    return (other,) if other else ()


def _other(language: Language) -> Language:
    return Language.EN if language is Language.JA else Language.JA
