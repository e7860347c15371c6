"""From how the lanes of a run ended to how its research ended."""

from __future__ import annotations

from collections.abc import Sequence

from research.graph.lane import Lane
from research.methods.method import Ending
from research.methods.stopping import StopReason

_GRAVEST = (
    StopReason.BUDGET,
    StopReason.TIMEOUT,
    StopReason.LIMIT,
    StopReason.REPEATED,
    StopReason.FAILED,
)
"""What is worth saying first if sections ended in different ways."""


def ending_of(lanes: Sequence[Lane]) -> Ending:
    """Return the reason that all lanes share, else the gravest of theirs; those that the user dropped do not count."""
    kept = [lane for lane in lanes if not lane.dropped.is_set()]
    if lanes and not kept:
        return Ending(StopReason.DROPPED)
    reasons = {lane.ended for lane in kept if lane.ended}
    if reasons == {StopReason.UNPLANNED}:
        return Ending(StopReason.UNPLANNED)
    if not any(lane.evidence for lane in kept):
        return Ending(StopReason.NO_HITS)
    if len(reasons) == 1:
        return Ending(reasons.pop())
    return Ending(next((reason for reason in _GRAVEST if reason in reasons), StopReason.COMPLETE))
