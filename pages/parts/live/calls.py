"""The calls of a run over time, grouped so that thousands can be looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from research.core import Call, CallKind

MOST_BARS = 1_000
"""Bars in one chart; where there are more calls, neighbours share a bar."""
_FINEST = 500
"""Parts into which the length of a chart is divided at most."""


@dataclass(frozen=True)
class Bar:
    """One call, or several of one kind that followed each other closely."""

    row: str
    kind: CallKind
    start: float
    """Seconds since the run began."""
    end: float
    calls: int
    seconds: float
    """Of all its calls together; those at the same time count each."""


def bars(calls: Sequence[Call], began: datetime, at_most: int = MOST_BARS) -> list[Bar]:
    """Return the calls as bars since `began`; more than `at_most` are grouped, row by row and kind by kind."""
    single = [_single(call, began) for call in calls]
    if len(single) <= at_most:
        return single
    lines: dict[tuple[str, CallKind], list[Bar]] = defaultdict(list)
    for bar in sorted(single, key=lambda bar: bar.start):
        lines[bar.row, bar.kind].append(bar)
    span = max(bar.end for bar in single)
    gap = span / max(1, min(_FINEST, at_most // len(lines) - 1))
    return [bar for line in lines.values() for bar in _grouped(line, gap)]


def _single(call: Call, began: datetime) -> Bar:
    end = max(0.0, (call.ended_at - began).total_seconds())
    return Bar(call.row, call.kind, max(0.0, end - call.seconds), end, 1, call.seconds)


def _grouped(line: Iterable[Bar], gap: float) -> list[Bar]:
    """Join bars that begin less than `gap` seconds after the first of their group; at most one group begins a gap."""
    groups: list[list[Bar]] = []
    for bar in line:
        if groups and bar.start - groups[-1][0].start < gap:
            groups[-1].append(bar)
        else:
            groups.append([bar])
    return [_joined(group) for group in groups]


def _joined(group: Sequence[Bar]) -> Bar:
    first = group[0]
    seconds = sum(bar.seconds for bar in group)
    return Bar(first.row, first.kind, first.start, max(bar.end for bar in group), len(group), seconds)
