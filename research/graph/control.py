"""What the user asked of a run that is under way, where the run can wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from research.steering import (
    AddQuestion,
    BeginWithPlan,
    BlockSite,
    BookSteer,
    DropTopic,
    FinishNow,
    HoldPlan,
    PlanSteer,
    Steer,
    StopNow,
)

T = TypeVar("T")


class Control:
    """Takes in what is asked, and keeps it until the part of the run that it concerns comes to it.

    Used on the run's event loop alone.
    """

    def __init__(self, *, attended: bool = False) -> None:
        self.attended = attended
        """Somebody watches: a plan waits for them."""
        self.finish = asyncio.Event()
        """Stop researching and write the report from what there is. Final."""
        self.stop = asyncio.Event()
        """Stop at once; the report is composed by rule. Final."""
        self._of_plan: asyncio.Queue[PlanSteer] = asyncio.Queue()
        self._of_books: asyncio.Queue[BookSteer] = asyncio.Queue()

    def hear(self, steer: Steer) -> None:
        """Take in what was asked."""
        match steer:
            case FinishNow():
                self.finish.set()
            case StopNow():
                self.stop.set()
            case HoldPlan() | BeginWithPlan():
                self._of_plan.put_nowait(steer)
            case AddQuestion() | DropTopic() | BlockSite():
                self._of_books.put_nowait(steer)

    async def of_plan(self, seconds: float) -> PlanSteer | None:
        """Wait for what is asked next of the plan; return None if nothing is for so long."""
        try:
            async with asyncio.timeout(seconds):
                return await self._of_plan.get()
        except TimeoutError:
            return None

    async def of_books(self) -> BookSteer:
        """Wait for what is asked next of questions, topics and sites."""
        return await self._of_books.get()

    async def unless_finishing(self, work: Awaitable[T]) -> T | None:
        """Do `work`, but give it up and return None as soon as the user wants to finish."""
        return await unless(self.finish, work)

    async def unless_stopping(self, work: Awaitable[T]) -> T | None:
        """Do `work`, but give it up and return None as soon as the user wants to stop."""
        return await unless(self.stop, work)


async def unless(event: asyncio.Event, work: Awaitable[T]) -> T | None:
    """Do `work`, but give it up and return None as soon as `event` is set."""
    task = asyncio.ensure_future(work)
    waiting = asyncio.ensure_future(event.wait())
    try:
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for pending in (task, waiting):
            pending.cancel()
        await asyncio.gather(task, waiting, return_exceptions=True)
