"""Events of runs, numbered and timed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from research.core import (
    Brief,
    Event,
    MethodName,
    RunStarted,
)

BEGAN = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def numbered(*events: Event) -> list:  # type: ignore[type-arg]
    return [
        event.model_copy(update={"seq": place, "at": BEGAN + timedelta(seconds=place)})
        for place, event in enumerate(events, 1)
    ]


def started(method: MethodName = MethodName.SUPERVISED) -> RunStarted:
    brief = Brief(question="Why?", method=method)
    return RunStarted(run="r", brief=brief, brief_text="", analyst="chat", sources=(), method=method)
