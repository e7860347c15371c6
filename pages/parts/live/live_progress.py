"""How far a run is, as far as can be told before its end: research counts for four fifths, writing for the rest."""

from __future__ import annotations

from collections.abc import Collection

from pages.parts.live.lane_view import LaneView
from research.methods.names import MethodName
from research.outline import Depth
from research.presets import PRESETS, PresetName

_STARTED, _HANDED_OUT, _RESEARCHED, _WRITTEN = 0.03, 0.05, 0.75, 0.97
_WRITING = 0.8
_LONG_REPORT = 6_000
"""Characters after which the bar of the writing is nearly full; reports have no known length while they are written."""


def research_progress(lanes: Collection[LaneView], queries: int) -> float:
    """Estimate how far a run is whose research is under way, if one lane may make `queries` queries."""
    if not lanes:
        return _STARTED
    done = sum(1.0 if lane.is_over else min(0.9, lane.queries / queries) for lane in lanes)
    return _HANDED_OUT + (_RESEARCHED - _HANDED_OUT) * done / len(lanes)


def writing_progress(characters: int) -> float:
    """Estimate how far a run is whose report has so many characters by now."""
    return _WRITING + (_WRITTEN - _WRITING) * min(1.0, characters / _LONG_REPORT)


def queries_at_most(preset: PresetName, method: MethodName | None, depth: Depth | None) -> int:
    """Return how many queries one lane may make under a run's method, as far as that is known."""
    limits = PRESETS[preset].limits
    match method:
        case MethodName.OUTLINED if depth is not None:
            return depth.iterations * depth.queries_per_section
        case MethodName.CHAINED:
            return limits.methods.chain
        case MethodName.GAP_DRIVEN:
            return limits.methods.gap_iterations * limits.queries
        case MethodName.NOTED:
            return limits.methods.cycles * limits.methods.planned_queries
    return limits.searches * limits.queries
