"""An event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Loop:
    """Runs what it is given until it is closed. Safe for use from any thread but its own."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[object, object, T]) -> Future[T]:
        """Do `work`; closing the loop cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, act: Callable[[], object]) -> None:
        """Call `act` soon."""
        self._loop.call_soon_threadsafe(act)

    def cancel(self) -> None:
        """Cancel all that is under way, and wait for the threads that it used."""
        self.submit(_cancel_all()).result()

    def close(self) -> None:
        """End the thread; nothing may be under way any more."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_default_executor()
