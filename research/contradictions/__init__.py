"""Where the sources of a run contradict each other, found by rules or named in a reflection, which shows.

Nothing is averaged and no side is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from research.contradictions.differing import differing
from research.contradictions.events import misdated
from research.contradictions.grouping import gathered
from research.contradictions.mentions import mentions
from research.contradictions.model import Contradiction, ContradictionKind, Side
from research.contradictions.named import with_named
from research.contradictions.opposing import opposing
from research.contradictions.statements import statements
from research.core.events import Event, Reflected
from research.core.ledger import Evidence, Page
from research.verification.figures import figures
from research.verification.periods import periods

__all__ = ["Contradiction", "ContradictionKind", "Side", "contradictions", "contradictions_of", "with_named"]


def contradictions_of(
    events: Iterable[Event], evidence: Mapping[str, Evidence], pages: Mapping[str, Page]
) -> tuple[Contradiction, ...]:
    """Return what rules find in `evidence`, and behind it what reflections among the `events` of its run named."""
    doubts = (doubt for event in events if isinstance(event, Reflected) and event.parts for doubt in event.parts.doubts)
    return with_named(contradictions(evidence.values(), pages), doubts, evidence, pages)


def contradictions(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> tuple[Contradiction, ...]:
    """Return what different pages say differently in `evidence`: figures, then dates, then opposite statements.

    Figures and dates must be of the same thing, period and standing (a target is no result, but a plan can break a
    limit), and must differ by more than they are rounded. In doubt nothing is reported. Linear in the evidence but for
    quotes that share rare words, which are compared with each other.
    """
    said = list(statements(evidence, pages))
    pairs = [(one.as_stand(), other.as_stand()) for one, other in differing(mentions(said))]
    return (
        *gathered(ContradictionKind.FIGURES, pairs, _same_figure),
        *gathered(ContradictionKind.DATES, misdated(said), _same_date),
        *gathered(ContradictionKind.STATEMENTS, opposing(said), str.__eq__),
    )


def _same_figure(one: str, other: str) -> bool:
    first, second = figures(one), figures(other)
    return len(first) == len(second) == 1 and first[0].agrees(second[0])


def _same_date(one: str, other: str) -> bool:
    first, second = periods(one), periods(other)
    return [period.value for period in first] == [period.value for period in second]
