"""A small dictionary between Japanese and English, so that a query finds documents in the other language.

Countries and regions come from CLDR, words of business, economy and society from `lexicon.txt`. There, every term of a
line leads to the first one on the other side, so that a query does not drown in synonyms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from babel import Locale

from research.text.words import singular

_KATAKANA = re.compile(r"[\u30a1-\u30fc]")
_ENGLISH_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
_AND = re.compile(r"\b([a-z]+) (?P<and>and) (?=(?P<next>[a-z]+))", re.IGNORECASE)
_COUNTRY = re.compile(r"[A-Z]{2}")
_NO_COUNTRY = ("QO", "XA", "XB", "ZZ")
"""Codes of CLDR for the rest of Oceania, for tests, and for unknown places."""


def expand(query: str) -> str:
    """Return `query` and, behind it, the words of the other language for the terms it holds."""
    said = query.casefold()
    added = [word for word in dict.fromkeys(_translations(query)) if word.casefold() not in said]
    return " ".join([query, *added])


def _translations(query: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", query)
    yield from _from_japanese(folded)
    yield from _from_english(folded)


class LexiconTerm(NamedTuple):
    """A Japanese term of the dictionary where it stands in a text, and its English."""

    start: int
    end: int
    english: tuple[str, ...]


def japanese_terms(text: str) -> Iterator[LexiconTerm]:
    """Yield each Japanese term of `text` (in NFKC), the longest first where terms overlap."""
    dictionary = _dictionary()[0]
    longest = _longest_from()
    at = 0
    while at < len(text):
        for end in range(min(len(text), at + longest.get(text[at], 0)), at, -1):
            if text[at:end] in dictionary and _stands_alone(text, at, end):
                yield LexiconTerm(at, end, tuple(dictionary[text[at:end]]))
                at = end
                break
        else:
            at += 1


def other_words(term: str) -> tuple[str, ...]:
    """Return the other English terms of the dictionary for the same thing: what one page calls net sales is revenue."""
    english = _dictionary()[0].get(unicodedata.normalize("NFKC", term), [])
    others = (other for one in (*english, term) for other in _in_other_words().get(_english(one), ()))
    return tuple(dict.fromkeys((*english, *others)))


@cache
def _in_other_words() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for _, english in _terms():
        for term in english:
            others = tuple(one for one in english if one != term)
            found[_english(term)] = tuple(dict.fromkeys((*found.get(_english(term), ()), *others)))
    return found


@cache
def _longest_from() -> dict[str, int]:
    """Return the length of the longest Japanese term that begins with each character that any begins with."""
    terms = sorted(_dictionary()[0], key=len)
    return {term[0]: len(term) for term in terms}


@cache
def english_terms() -> frozenset[tuple[str, ...]]:
    """Return the English terms of the dictionary, each as its words in lower case and without plural endings."""
    return frozenset(_dictionary()[1])


@cache
def _joined() -> frozenset[tuple[str, str]]:
    """Return the words that “and” joins to one English term of the dictionary."""
    ands = ((term, place) for term in english_terms() for place, word in enumerate(term) if word == "and")
    return frozenset((term[place - 1], term[place + 1]) for term, place in ands)


def split_beside_terms(separator: re.Pattern[str], text: str) -> Iterator[str]:
    """Split a text at what separates, but not inside of a term: research and development is one thing."""
    inside = {
        match.start("and")
        for match in _AND.finditer(text)
        if (singular(match[1].casefold()), singular(match["next"].casefold())) in _joined()
    }
    start = 0
    for match in separator.finditer(text):
        if match.start() not in inside:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _from_japanese(query: str) -> Iterator[str]:
    """Yield the English for each Japanese term."""
    for term in japanese_terms(query):
        yield from term.english


def _stands_alone(query: str, start: int, end: int) -> bool:
    """Whether a katakana term is a word and no part of a longer one (タイ in タイミング)."""
    left = _KATAKANA.match(query, start) and start > 0 and _KATAKANA.match(query, start - 1)
    right = _KATAKANA.match(query, end - 1) and _KATAKANA.match(query, end)
    return not left and not right


def _from_english(query: str) -> Iterator[str]:
    """Yield the Japanese for each English term, the longest first where terms overlap."""
    dictionary = _dictionary()[1]
    longest = max(map(len, dictionary))
    words = _english(query)
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + longest), at, -1):
            if words[at:end] in dictionary:
                yield from dictionary[words[at:end]]
                at = end
                break
        else:
            at += 1


def _english(text: str) -> tuple[str, ...]:
    """Return the English words of a text in lower case, without accents and plural endings."""
    plain = "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))
    words: list[str] = _ENGLISH_WORD.findall(plain.lower())
    return tuple(map(singular, words))


_Dictionary = tuple[dict[str, list[str]], dict[tuple[str, ...], list[str]]]


@cache
def _dictionary() -> _Dictionary:
    """Return Japanese to English, and English (as words) to Japanese."""
    to_english: dict[str, list[str]] = {}
    to_japanese: dict[tuple[str, ...], list[str]] = {}
    for japanese, english in [*_countries(), *_terms()]:
        for term in japanese:
            to_english.setdefault(term, []).append(english[0])
        for term in english:
            if words := _english(term):
                to_japanese.setdefault(words, []).append(japanese[0])
    return to_english, to_japanese


def _countries() -> Iterable[tuple[list[str], list[str]]]:
    japanese, english = Locale("ja").territories, Locale("en").territories
    codes = [
        code for code in sorted(english) if code in japanese and _COUNTRY.fullmatch(code) and code not in _NO_COUNTRY
    ]
    return [
        ([unicodedata.normalize("NFKC", japanese[code])], [english[code].replace("St. ", "Saint ")]) for code in codes
    ]


def _terms() -> Iterable[tuple[list[str], list[str]]]:
    """Read lines such as `輸出, 輸出額 = exports`; a line that begins with `#` is a heading."""
    text = resources.files("research.text").joinpath("lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            japanese, english = line.split(" = ")
            yield japanese.split(", "), english.split(", ")
