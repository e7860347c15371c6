"""What speaks against a sentence, and how much."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, IntEnum
from typing import NamedTuple

SUPPORTED_FROM = 0.6
"""Share of a sentence (by weight) that must be found: more than half, so that what is added is less than what is there,
with room for a paraphrase that replaces one content word in three."""
PARTIAL_FROM = SUPPORTED_FROM / 2
"""Below half of that, what is found is the topic and not the statement."""


class Severity(IntEnum):
    """How much a finding weighs, the heaviest first."""

    CONTRADICTED = 1
    """However well the rest is found, the sentence is not supported."""
    DOUBTED = 2
    """However well the rest is found, the sentence is supported in part at most; but a part of it stays one."""


FURTHER = 0.95
"""What each finding beside the worst leaves of the score: often they have one cause, so they only give an order."""


class Rule(Enum):
    """The rules that can be left out to see what each is worth."""

    FIGURES = "figures"
    PERIODS = "periods"
    NAMES = "names"
    NEGATION = "negation"
    ROLES = "roles"


ALL = frozenset(Rule)


class Finding(NamedTuple):
    """One thing that speaks against a sentence."""

    severity: Severity
    code: str
    """That of a reason."""
    detail: str


def lowered(coverage: float, findings: Sequence[Finding]) -> float:
    """Return the score of a sentence: what is found of it, kept below the limit that the worst finding sets.

    The order of the scores stays that of the coverages.
    """
    if not findings:
        return coverage
    score = coverage * FURTHER ** (len(findings) - 1)
    if min(finding.severity for finding in findings) is Severity.CONTRADICTED:
        return score * _BELOW * PARTIAL_FROM
    room = _BELOW * SUPPORTED_FROM - PARTIAL_FROM
    return min(score, PARTIAL_FROM + max(0.0, score - PARTIAL_FROM) * room / (1 - PARTIAL_FROM))


_BELOW = 0.95
"""How near the best of what a finding lowers comes to the limit that it must not reach."""
