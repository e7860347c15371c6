"""Researchers at work: each on its own topic, as many at once as the preset allows; the rest wait their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from research.events import Stage, TopicFinished, TopicQueued, TopicStarted
from research.graph import researcher
from research.graph.context import RunContext
from research.graph.control import unless
from research.graph.lane import Lane
from research.methods.stopping import StopReason

_researcher = researcher.build()


async def run_lanes(context: RunContext, lanes: Sequence[Lane]) -> None:
    """Research every lane to its end; one that has ended already, before its run broke off, is left alone.

    Whatever happens to one costs the others nothing, and what it found is kept.
    """
    for lane in lanes:
        if lane.is_queued:
            continue
        title = lane.section.title if lane.section else ""
        context.emit(TopicQueued(lane=lane.name, topic=lane.topic, title=title))
    turn = asyncio.Semaphore(context.limits.concurrent_researchers)
    await asyncio.gather(*(_until_dropped(context, lane, turn) for lane in lanes if lane.ended is None))


async def _until_dropped(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    """Research a lane in its turn; if the user drops its topic it ends at once, also while it waits."""
    await unless(lane.dropped, _in_turn(context, lane, turn))
    if lane.ended is None:
        _finish(context, lane, StopReason.DROPPED)


async def _in_turn(context: RunContext, lane: Lane, turn: asyncio.Semaphore) -> None:
    async with turn:
        context.emit(TopicStarted(lane=lane.name))
        why = ""
        try:
            async with asyncio.timeout(lane.seconds):
                reason, why = await _research(context, lane)
        except asyncio.CancelledError:
            if not lane.dropped.is_set():
                is_capped = context.spending.reached.is_set()
                _finish(context, lane, StopReason.CAP if is_capped else StopReason.FINISH)
            raise
        except TimeoutError:
            reason = StopReason.TIMEOUT
            context.problem(Stage.RESEARCH, "topic_timeout", subject=lane.topic[:80], lane=lane.name)
        except Exception as error:  # noqa: BLE001 - a researcher may fail in any way; the run goes on
            lane.failed = True
            reason = StopReason.FAILED
            detail = f"{type(error).__name__}: {error}"
            context.problem(Stage.RESEARCH, "topic_failed", subject=lane.topic[:80], lane=lane.name, detail=detail)
        _finish(context, lane, reason, why)


async def _research(context: RunContext, lane: Lane) -> tuple[StopReason, str]:
    steps_at_most = lane.limits.researcher_turns * 2 + 5
    state = await _researcher.ainvoke(researcher.initial(lane), {"recursion_limit": steps_at_most}, context=context)
    return state["reason"], state["why"]


def _finish(context: RunContext, lane: Lane, reason: StopReason, why: str = "") -> None:
    lane.ended, found = reason, tuple(lane.evidence)
    context.emit(TopicFinished(lane=lane.name, reason=reason, why=why, notes=lane.notes, evidence=found))
