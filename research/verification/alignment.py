"""A claim laid beside the sentence that speaks of it: what both say in the same order, and what stands in its place."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from research.verification.words import units

_TOKEN = re.compile(r"[一-鿿々]+|[ァ-ヺー]+|[ぁ-ゖ]|[^\W_ぁ-ヿ一-鿿]+(?:[.,]\d+)*")
_CONTENT = re.compile(r"[^\W_ぁ-ゖ]")
_WORD = 2
"""Characters of a Japanese word."""
_LONGEST = 120
"""Words of a sentence that are laid beside each other: alignment takes quadratic time, and longer ones are lists."""


class Alignment(NamedTuple):
    """What two sentences share in order, and which words stand in each other's place."""

    claim: float
    """Share of the claim's content that stands in the sentence in the same order."""
    sentence: float
    """Share of the sentence's content that stands in the claim in the same order."""
    replaced: tuple[tuple[str, str], ...]
    """Words of the claim with those of the sentence in their place, where these share nothing."""


@lru_cache(maxsize=8_192)
def _tokens(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((word, frozenset(units(word))) for word in _TOKEN.findall(text)[:_LONGEST])


def aligned(claim: str, sentence: str) -> Alignment:
    """Return how a claim and a sentence, both made plain, lie beside each other."""
    ours, theirs = _tokens(claim), _tokens(sentence)
    matcher = SequenceMatcher(None, [_key(one) for one in ours], [_key(one) for one in theirs], autojunk=False)
    same, replaced = 0.0, []
    for operation, first, last, start, end in matcher.get_opcodes():
        if operation == "equal":
            same += _weight(ours[first:last])
        elif operation == "replace" and _exclude(ours[first:last], theirs[start:end]):
            replaced.append((_text(ours[first:last]), _text(theirs[start:end])))
    whole = _weight(ours), _weight(theirs)
    return Alignment(same / whole[0] if whole[0] else 0.0, same / whole[1] if whole[1] else 0.0, tuple(replaced))


def _key(token: tuple[str, frozenset[str]]) -> object:
    return token[1] or token[0].lower()


def _weight(tokens: tuple[tuple[str, frozenset[str]], ...]) -> float:
    """Return how much words say: by letters in Japanese, where two of them are a word."""
    return sum((1.0 if word.isascii() else len(word) / 2) if found else 0.25 for word, found in tokens)


def _exclude(ours: tuple[tuple[str, frozenset[str]], ...], theirs: tuple[tuple[str, frozenset[str]], ...]) -> bool:
    """Whether content stands against other content: neither a word nor a Japanese character is shared.

    Of Japanese words only what differs between a common beginning and end counts, if it is a word: 札幌工場, 仙台工場.
    """
    if not any(found for _, found in ours) or not any(found for _, found in theirs):
        return False
    mine, other = _text(ours), _text(theirs)
    if mine.isascii() or other.isascii():
        return {unit for _, found in ours for unit in found}.isdisjoint(unit for _, found in theirs for unit in found)
    start = _shared(mine, other)
    end = _shared(mine[start:][::-1], other[start:][::-1])
    left = [_CONTENT.findall(side[start : len(side) - end]) for side in (mine, other)]
    if start + end and min(map(len, left)) < _WORD:
        return False
    return bool(left[0] and left[1]) and set(left[0]).isdisjoint(left[1])


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))


def _text(tokens: tuple[tuple[str, frozenset[str]], ...]) -> str:
    joined = [word if not word.isascii() else f" {word} " for word, _ in tokens]
    return " ".join("".join(joined).split())
