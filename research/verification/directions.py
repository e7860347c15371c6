"""Directions that do not fit the figures they are said of: "rose from 259 to 246"."""

from __future__ import annotations

import re

from research.verification.claim import Claim
from research.verification.clauses import clause_at
from research.verification.figures import Figure

_TO_FROM_EN = re.compile(r"\s*(?:\w+\s+){0,5}from\s+(?:\w+\s+){0,3}\Z")
_FROM_TO_EN = re.compile(r"\s*(?:\w+\s+){0,5}to\s+(?:\w+\s+){0,3}\Z")
_FROM = re.compile(r"\bfrom\s+(?:\w+\s+){0,3}\Z")
_FROM_TO_JA = re.compile(r"[^、。]{0,12}から[^、。]{0,16}\Z")
_TO_JA = re.compile(r"[^、。]{0,4}[にへまと]")
_UP, _DOWN = "=increase", "=decrease"


def misfit(claim: Claim) -> str | None:
    """Return the figures of a claim whose order contradicts the direction that it says, or None."""
    for first, second in zip(claim.figures, claim.figures[1:], strict=False):
        pair = _from_to(claim.text, first, second)
        if pair is None or not first.measures_as(second) or pair[0].value == pair[1].value:
            continue
        clause = clause_at(claim.text, first.start)
        said = {unit for unit in (_UP, _DOWN) if unit in clause.units}
        fits = _UP if pair[1].value > pair[0].value else _DOWN
        if not clause.denied and len(said) == 1 and fits not in said:
            return f"{pair[0].text} → {pair[1].text}"
    return None


def _from_to(text: str, first: Figure, second: Figure) -> tuple[Figure, Figure] | None:
    """Return two neighbouring figures in the order in which one became the other, if the text says so."""
    between = text[first.end : second.start]
    if _FROM_TO_JA.fullmatch(between) and _TO_JA.match(text, second.end):
        return first, second
    if _FROM.search(text, 0, first.start) and _FROM_TO_EN.fullmatch(between):
        return first, second
    return (second, first) if _TO_FROM_EN.fullmatch(between) else None
