"""Negations: whether a text denies, and what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from research.verification.function_words import LIGHT
from research.verification.terms import units

_NEGATION_EN = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|barely|fail(?:s|ed|ing)? to"
    r"|den(?:y|ies|ied)|lack(?:s|ed|ing)?|unable to|refus(?:e|es|ed) to|rul(?:e|es|ed|ing) out"
    r"|false(?:ly)?|absence of|instead of"
    r"|rather than)\b|n't\b",
    re.IGNORECASE,
)
_NO_NEGATION_EN = re.compile(
    r"\bnot only\b|\bnot just\b|\bnot merely\b|\bno (?:fewer|less|more|later|earlier) than\b|\bno doubt\b"
    r"|\bwhether or not\b|\bnot (?:necessarily|least)\b|\bNo\.\s?\d|\bno longer than\b"
    r"|\bnot to mention\b"
    r"|\bnone other\b|\bnothing but\b",
    re.IGNORECASE,
)
_NEGATION_JA = re.compile(
    r"(?<![少危切幼拙])な(?:い|かった|く|ければ|し(?:に|で|の|、|。|$))|ません|(?:[らかさたなまわばがせれけめべてきえい])ず(?:[、。にと]|$)"
    r"|ておらず|ぬ(?:[、。]|$)|無(?:い|く|し)|ゼロだっ"
)
_NO_NEGATION_JA = re.compile(
    r"だけで(?:は)?なく|のみならず|ばかり(?:で|か)(?:は)?な?く?|かもしれない|に(?:違い|ちがい|間違い)ない|なければなら(?:ない|なかった)"
    r"|なくてはならない|ざるを得(?:ない|なかった)|に(?:過|す)ぎ(?:ない|なかった)|少なくない|少なくとも|にほかならない|に他ならない"
    r"|(?:ま|間)もなく|なく(?:な(?:る|った|り)|す|し(?:た|て)|せ)|必ず|まず|わずか|思わず|相変わらず|にもかかわらず|問わず|とどまらず|絶えず|おのずと|少なからず"
    r"|なく(?:はない|もない)|やむを得ない|でもなく|限らず|欠かせない|避けられない|(?:ない|なかった)(?=[一-鿿ァ-ヺ])(?!予定|見通し|見込み?|方針|計画|考え|意向|模様|可能性)"
)
"""What looks like a negation and is none. 参加しなかった人 denies nothing of its sentence, 参加しない予定 does."""
_BEHIND = re.compile(r"(?:\s+[\w'-]+){1,6}")
"""Where the word stands that an English negation denies: among the next few."""
_NOTHING_SHOWN = frozenset({"evidence", "sign", "signs", "indication", "proof", "found", "find", "shown", "seen"})
"""`No evidence that it helps` denies the help and not the evidence."""
_BEFORE = 10
"""Characters before a Japanese negation in which the verb that it denies stands."""
_VERB = re.compile(r"[一-鿿々ァ-ヺー]+[ぁ-ん]*\Z")


class Denial(NamedTuple):
    """A negation with the word that it denies."""

    text: str
    units: frozenset[str]
    """What the word can be found by."""
    reach: frozenset[str]
    """The same for all words that it may deny: `no dead fish` is `no fish deaths`."""
    is_wide: bool
    """Whether it is Japanese."""


def is_denied(text: str) -> bool:
    """Return whether a text made plain holds an odd number of negations."""
    rest = _only_real(text)
    return (len(_NEGATION_EN.findall(rest)) + len(_NEGATION_JA.findall(rest))) % 2 == 1


@lru_cache(maxsize=8_192)
def denials(clean: str) -> tuple[Denial, ...]:
    """Return the negations of a text made plain whose word can be told."""
    return tuple(_denials(clean))


def _denials(clean: str) -> Iterator[Denial]:
    text = _only_real(clean)
    for match in _NEGATION_EN.finditer(text):
        behind = _BEHIND.match(text, match.end())
        word, end = _content(behind.group()) if behind else ("", 0)
        if behind and word:
            reach = frozenset(units(behind.group()))
            yield Denial(text[match.start() : match.end() + end], frozenset(units(word)), reach, is_wide=False)
    for match in _NEGATION_JA.finditer(text):
        verb = _VERB.search(text[max(0, match.start() - _BEFORE) : match.start()])
        if verb is not None:
            denied = frozenset(units(verb.group()))
            yield Denial(verb.group() + match.group(), denied, denied, is_wide=True)


def _content(words: str) -> tuple[str, int]:
    """Return the first word of content, and where it ends."""
    for match in re.finditer(r"[\w'-]+", words):
        low = match.group().lower()
        if low not in LIGHT and low not in _NOTHING_SHOWN and units(low):
            return match.group(), match.end()
    return "", 0


def _only_real(text: str) -> str:
    """Return a text without what looks like a negation and is none; the rest stays where it is."""
    return _NO_NEGATION_JA.sub(_blank, _NO_NEGATION_EN.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
