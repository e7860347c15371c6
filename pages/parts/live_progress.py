"""How far a run is, as far as anybody can tell before it has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages.parts.lane_view import Phase
from research.methods.names import MethodName
from research.presets import PRESETS, Limits

if TYPE_CHECKING:
    from pages.parts.live_view import LiveState

_RESEARCHED, _WRITTEN = 0.8, 0.97
_LONG_REPORT = 6_000
"""Characters after which the bar of the writing is nearly full; reports have no known length while they are written."""


def progress(state: LiveState) -> float:
    """Estimate how far the run is: research counts for four fifths, writing for the rest."""
    if state.phase is Phase.ENDED:
        return 1.0
    if state.phase is Phase.WRITING:
        return _RESEARCHED + (_WRITTEN - _RESEARCHED) * min(1.0, len(state.draft) / _LONG_REPORT)
    if state.brief is None or not state.lanes:
        return 0.03 if state.brief else 0.0
    queries = _queries_at_most(state, PRESETS[state.brief.preset].limits)
    done = sum(1.0 if lane.is_over else min(0.9, lane.queries / queries) for lane in state.lanes.values())
    return 0.05 + (_RESEARCHED - 0.1) * done / len(state.lanes)


def _queries_at_most(state: LiveState, limits: Limits) -> int:
    """Return how many queries one lane may make under the run's method, as far as that is known."""
    depth = state.plan.depth.depth if state.plan.depth else None
    match state.method:
        case MethodName.OUTLINED if depth is not None:
            return depth.iterations * depth.queries_per_section
        case MethodName.CHAINED:
            return limits.methods.chain
        case MethodName.GAP_DRIVEN:
            return limits.methods.gap_iterations * limits.queries
        case MethodName.NOTED:
            return limits.methods.cycles * limits.methods.planned_queries
    return limits.searches * limits.queries
