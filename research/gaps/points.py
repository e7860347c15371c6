"""What a section wants, point by point, as concepts that are found in either language and in other words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
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

    words: tuple[tuple[Wording, ...], ...]
    """For each telling word all the ways to say it, in both languages."""
    asks_how_much: bool
    """Whether a text must hold a number to speak of it."""
    whole: tuple[Wording, ...] = ()
    """Ways to say all words at once."""

    @property
    def needed(self) -> int:
        """How many of the words a text must say: one of one, two of two to four, half of more."""
        return max(min(2, len(self.words)), math.ceil(len(self.words) / 2))

    def match(self, found: Collection[str]) -> float:
        """Return 1 if a text with the tokens `found` speaks of this, else at most a half: how near it comes."""
        said = self.needed if _any(self.whole, found) else sum(_any(ways, found) for ways in self.words)
        has_number = not self.asks_how_much or any(token[0].isdigit() for token in found)
        if said >= self.needed and has_number:
            return 1.0
        return 0.5 * min(said, self.needed) / max(self.needed, 1)


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
        return frozenset(
            token for part in self.parts for ways in (*part.words, part.whole) for way in ways for token in way
        )

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
    return tuple(part for part in found if part.words or part.asks_how_much)


def _part(text: str) -> Part:
    named = {word for name in names_of(text) for form in name.forms for word in (form, *content_words(form))}
    words = [word for word in map(folded, keywords(text)) if word not in named and not _YEAR.fullmatch(word)]
    bare = [piece for word in words for piece in _pieces(_MEASURED.sub("", word))]
    asks_how_much = query_of(text).asks_how_much or any(word in _QUANTITIES for word in (*words, *bare))
    asks_how_much = asks_how_much or any(_MEASURED.search(word) for word in words)
    telling = dict.fromkeys(word for word in bare if word not in _QUANTITIES and not is_stop_word(word))
    return Part(tuple(map(_ways, telling)), asks_how_much, _whole(text))


def _literally(text: str) -> Part:
    return Part(((tuple(tokens(text)),),), asks_how_much=False)


def _pieces(word: str) -> tuple[str, ...]:
    """Return a compound of kanji that the dictionary does not know in pairs, as most are made: 導入, 事例."""
    known = any(term.end - term.start == len(word) for term in japanese_terms(word))
    if known or not _PAIRS.fullmatch(word):
        return (word,)
    return tuple(word[place : place + 2] for place in range(0, len(word), 2))


def _ways(word: str) -> tuple[Wording, ...]:
    """Return the ways to say one word: itself, its translations, and words alike."""
    language = Language.EN if language_of(word) is Language.JA else Language.JA
    single = word[:-2] if word.endswith(_PLURALS) else word
    said = (word, single, *other_ways(single, language), *alike(single))
    return tuple(dict.fromkeys(way for one in said if (way := tuple(tokens(one)))))


def _whole(text: str) -> tuple[Wording, ...]:
    """Return the translation of a term whose words only together have one ("labor cost", 人件費)."""
    other = translated(text, Language.EN if language_of(text) is Language.JA else Language.JA)
    return (tuple(tokens(other)),) if tokens(other) else ()
