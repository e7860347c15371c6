"""What the models' calls of a run came to, counted from its events."""

from __future__ import annotations

from collections.abc import Iterable

from research.events import Event, ModelCalled, PageSummarised
from research.presets import Role
from research.report import Usage


def usage_of(events: Iterable[Event]) -> dict[Role, Usage]:
    """Return the usage of each role."""
    usage = {role: Usage() for role in Role}
    for event in events:
        if isinstance(event, ModelCalled):
            usage[event.role] = _plus(usage[event.role], event)
        elif isinstance(event, PageSummarised) and event.cached:
            before = usage[Role.SUMMARIZATION]
            usage[Role.SUMMARIZATION] = before.model_copy(update={"cached": before.cached + 1})
    return usage


def _plus(usage: Usage, call: ModelCalled) -> Usage:
    is_unknown = usage.cost_usd is None or call.cost_usd is None
    return Usage(
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + call.input_tokens,
        output_tokens=usage.output_tokens + call.output_tokens,
        cached=usage.cached,
        cost_usd=None if is_unknown else (usage.cost_usd or 0.0) + (call.cost_usd or 0.0),
    )
