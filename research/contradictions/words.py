"""The words of a text in a form that Japanese and English share, names apart.

An English word stands as its group of meanings or its stem, a Japanese one as its English in the lexicon, else as its
group, else as it is written. Figures, periods, and words that every sentence may hold are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

from research.contradictions.light import LIGHT_JAPANESE, is_light
from research.text.lexicon import english_terms, japanese_terms
from research.text.names import places_in, regions_in
from research.text.words import folded
from research.verification.meanings import japanese_meanings, meanings, unit_of
from research.verification.names import leading_word, names_in
from research.verification.terms import visible, with_short_names

Offsets = tuple[int, int]

_CODE = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{1,8}-?\d{1,5}(?:-\d{1,5})?[A-Za-z]?(?![A-Za-z0-9])|(?<=[a-z] )[A-HJ-Z](?=[ ,.;:)]|$)"
)
_LATIN = re.compile(r"[^\W\d_ぁ-ヿ㐀-鿿ｦ-ﾟ々]+")
_COMPOUND = re.compile(rf"{_LATIN.pattern}(?:-{_LATIN.pattern})*")
_RUN = re.compile(r"[一-鿿々]+|[ァ-ヺー]+")
_WIDE = re.compile(r"[ぁ-ヿ㐀-鿿]")
_MONEY = re.compile(
    r"\b(?:(?:US|[A-Z][a-z]+|Hong Kong) +)?(?:dollars?|pounds?|yuan|pesos?|francs?)\b"
    r"|\b(?:yen|euros?|USD|JPY|EUR)\b|米?ドル"
)
_PER = re.compile(r"\b(?:per|each|every)\b|(?:1|一)?[人台件社回本]?(?:あたり|当たり|につき|ごと)")
_MARKS = (("=per", _PER), ("=among", re.compile(r"\bof (?:which|whom|them)\b|(?<![こそ])のうち|、うち")))
_USE = unit_of("use")
_KATAKANA_NAME = 3
"""Characters from which an unknown word in katakana may be a name."""


@dataclass(frozen=True)
class Words:
    """What a text speaks of: each word in its shared form, and as it is printed."""

    names: Mapping[str, str]
    content: Mapping[str, str]
    text: str
    """The text, folded: Japanese words are also looked for in it."""

    def has(self, word: str) -> bool:
        """Whether the text holds a word or name given in its shared form."""
        if word in self.content or word in self.names:
            return True
        return not word.isascii() and word in self.text

    def without(self, words: frozenset[str]) -> Words:
        """Return these words without some of the content."""
        return replace(self, content={word: printed for word, printed in self.content.items() if word not in words})

    @cached_property
    def is_japanese(self) -> bool:
        """Whether any of it is Japanese."""
        return _WIDE.search(self.text) is not None

    @cached_property
    def all(self) -> frozenset[str]:
        """Names and content words together."""
        return frozenset((*self.names, *self.content))


def joined(parts: Iterable[Words]) -> Words:
    """Return the words of several texts together."""
    names: dict[str, str] = {}
    content: dict[str, str] = {}
    texts = []
    for part in parts:
        names.update(part.names)
        content.update(part.content)
        texts.append(part.text)
    return Words(names, content, "\n".join(texts))


def weight(word: str) -> float:
    """Return how much a shared word tells: two Japanese characters tell as much as one English word."""
    return 1.0 if word.isascii() or word.startswith("=") else max(0.5, len(word) / 2)


def _unit_of(word: str) -> str:
    """Return what a word is compared by; to consume something is to use it."""
    unit = unit_of(word)
    return _USE if unit in ("consum", "consumpt") else unit


def translatable(words: Iterable[str]) -> frozenset[str]:
    """Return which of some words would be known again in the other language: groups, and what the lexicon has."""
    known = frozenset(words)
    groups = {word for word in known if word.startswith("=")}
    return frozenset(groups.union(*(term for word in known for term in _terms_with().get(word, ()) if term <= known)))


@cache
def _terms_with() -> Mapping[str, tuple[frozenset[str], ...]]:
    """Return the English terms of the lexicon, as units, by each of their units."""
    found: dict[str, list[frozenset[str]]] = defaultdict(list)
    for term in english_terms():
        parts = frozenset(filter(None, map(_unit_of, term)))
        for part in parts:
            found[part].append(parts)
    return {part: tuple(terms) for part, terms in found.items()}


def plain(text: str) -> str:
    """Return `text` as words are read from it; offsets of spans refer to this form."""
    return with_short_names(visible(text))


@lru_cache(maxsize=8_192)
def words_of(clean: str, taken: tuple[Offsets, ...] = (), *, opens: bool = False) -> Words:
    """Return the words of a text made plain, without the spans that are `taken` by figures and periods.

    Where the text `opens` a sentence, its first word may be a name; that of a heading or label is not taken for one.
    """
    names: dict[str, str] = {}
    content: dict[str, str] = {}
    content.update((word, "") for word, pattern in _MARKS if pattern.search(clean))
    codes = [match for match in _CODE.finditer(clean) if not any(start <= match.start() < end for start, end in taken)]
    names.update((match.group().replace("-", "").upper(), match.group()) for match in codes)
    masked = _masked(clean, [*taken, *(match.span() for match in codes)])
    content.update((match.group().lower().rstrip("s"), match.group()) for match in _MONEY.finditer(masked))
    masked = _MONEY.sub(_blank, masked)
    masked = _without_places(masked, names)
    named = (*names_in(clean), *filter(None, [leading_word(clean) if opens else None]))
    for word, printed, is_name in [*_latin(masked, named), *_japanese(masked, named)]:
        (names if is_name else content).setdefault(word, printed)
    return Words(names, content, folded(clean))


def _without_places(text: str, names: dict[str, str]) -> str:
    """Enter the places of `text` among `names`, under their English name, and return it without them."""
    for place in (*regions_in(text), *places_in(text)):
        pattern = re.compile("|".join(map(re.escape, sorted(place.forms, key=len, reverse=True))), re.IGNORECASE)
        match = pattern.search(text)
        if match is not None:
            names[place.en] = match.group()
            text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _masked(text: str, spans: Sequence[Offsets]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


_Found = tuple[str, str, bool]


def _latin(masked: str, named: Sequence[Offsets]) -> Iterator[_Found]:
    """Yield the words in Latin letters. A label begins with a capital; what has a known meaning is no name.

    The parts of a compound (part-load) mean something only together.
    """
    starts = {start for start, _ in named}
    for match in _COMPOUND.finditer(masked):
        parts = [(_unit_of(part), part) for part in match.group().split("-")]
        told = [unit for unit, part in parts if unit and (match.start() in starts or not is_light(unit, part))]
        if told:
            unit = "-".join(told)
            is_known = unit.startswith("=") or frozenset((unit,)) in _terms_with().get(unit, ())
            yield unit, match.group(), match.start() in starts and not is_known


def _japanese(masked: str, named: Sequence[Offsets]) -> Iterator[_Found]:
    if not _WIDE.search(masked):
        return
    spans: list[Offsets] = []
    for term in japanese_terms(masked):
        printed = masked[term.start : term.end]
        if _WIDE.search(printed):
            spans.append((term.start, term.end))
            yield from _translated(printed, term.english[0])
    rest = _masked(masked, spans)
    for start, end in named:
        if _RUN.fullmatch(rest[start:end]):
            yield rest[start:end], rest[start:end], True
            rest = _masked(rest, [(start, end)])
    for match in japanese_meanings().finditer(rest):
        unit = meanings().japanese[match.group()]
        if not is_light(unit, match.group()):
            yield unit, match.group(), False
    for match in _RUN.finditer(japanese_meanings().sub(_blank, rest)):
        if len(match.group()) > 1 and match.group() not in LIGHT_JAPANESE:
            yield match.group(), match.group(), False


def _translated(printed: str, english: str) -> Iterator[_Found]:
    """Yield the words of a term's English; a term that is a name has capitals (Hai Phong)."""
    for word in _LATIN.findall(english):
        unit = _unit_of(word)
        is_name = word[0].isupper()
        if unit and (is_name or not is_light(unit, word)):
            yield unit, printed, is_name


def may_be_name(word: str) -> bool:
    """Whether a Japanese word that nothing translates may be a name."""
    return len(word) >= _KATAKANA_NAME and all("ァ" <= character <= "ー" for character in word)
