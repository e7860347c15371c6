"""How long calls to a server usually take: when a second request is worth its price, and when nobody waits any more.

Most calls that do not answer in the usual time never do: a connection was lost on the way, a worker hangs. Whoever asks
a second time then waits a little longer than usual, not until the first has run out of its time.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

OUTRUN = "outrun"
"""How a request ended that was given up because a second one answered first."""
_REMEMBERED = 60
"""Calls of one kind that are looked back on: servers are slower at some hours than at others."""
_ENOUGH = 3
"""Calls of one kind from which they say what is usual."""
_SLOW = 0.9
"""The share of calls that take no longer than what is called usual."""
_FAR = 3.0
"""How many times longer than usual is far beyond it: of answers that do come, fewer than one in a hundred."""
_UNKNOWN = 10.0
"""Seconds after which a second request is sent while nothing is known of a server."""
_LEAST = 2.0
"""Seconds before which none is sent, however quick a server usually is: it may be busy for a moment."""
_LEAST_LIMIT = 15.0
"""Seconds that two requests to a quick server are given before both are given up."""
_SPARES, _SPARES_A_CALL = 3, 0.2
"""Second requests that a server is sent at most: so many, and a fifth of what it answered. One that is slow because it
has too much to do is not to be asked for more."""
_UNKNOWN_GAP, _LEAST_GAP, _MOST_GAP = 30.0, 8.0, 60.0
"""Seconds between two pieces of a stream after which it is taken to have stalled."""
_FAR_GAP = 10.0
_DRIP, _HEAD_START = 2.0, 60.0
"""Characters a second that a stream has to bring, and how many it may be behind: models that are of any use bring ten
times as many, on a slow computer too."""


class Awaited(Enum):
    """What is waited for."""

    WHOLE = auto()
    FIRST = auto()
    """The first piece of a stream."""
    GAP = auto()
    """The longest time between two of its pieces."""


@dataclass(frozen=True)
class Patience:
    """How long an answer is waited for, in seconds."""

    again: float
    """After so long a second request is sent beside the first."""
    limit: float
    """After so long both are given up."""


class Pace:
    """What is known of one server: how long its answers took, by kind of call. Used on one event loop at a time."""

    def __init__(self, scale: float = 1.0) -> None:
        """`scale` multiplies all that is assumed of servers in general: less than 1 makes for impatience."""
        self._scale = scale
        self._took: dict[tuple[str, Awaited], deque[tuple[float, float]]] = {}
        self._answers = self._spares = 0

    def note(self, kind: str, part: Awaited, size: float, seconds: float) -> None:
        """Take in that something of a `kind` (a role, say) and a size (tokens) took so long."""
        self._took.setdefault((kind, part), deque(maxlen=_REMEMBERED)).append((size, seconds))
        self._answers += part is not Awaited.GAP

    def patience(self, kind: str, part: Awaited, size: float, most: float) -> Patience:
        """Return how long to wait for a whole answer or its beginning: at most `most` seconds.

        A kind that is not known yet is taken to be like the server's others as to the second request, and is given all
        the time there is before it is given up.
        """
        known = self._usual([(kind, part)], size)
        if known is not None:
            again = max(_FAR * known, _LEAST * self._scale)
            return Patience(again, min(most, max(_FAR * again, _LEAST_LIMIT * self._scale)))
        others = self._usual([one for one in self._took if one[1] is Awaited.WHOLE], size)
        if others is None:
            return Patience(_UNKNOWN * self._scale, most)
        return Patience(max(_FAR * others, _LEAST * self._scale), most)

    def gap(self, kind: str, most: float) -> float:
        """Return how long to wait for the next piece of a stream."""
        known = self._usual([(kind, Awaited.GAP)], 0)
        if known is None:
            return min(most, _UNKNOWN_GAP * self._scale)
        return min(most, max(_LEAST_GAP, min(_MOST_GAP, _FAR_GAP * known)) * self._scale)

    def may_ask_again(self) -> bool:
        """Whether a second request is in place, and if so count it."""
        if self._spares >= _SPARES + self._answers * _SPARES_A_CALL:
            return False
        self._spares += 1
        return True

    def _usual(self, kinds: list[tuple[str, Awaited]], size: float) -> float | None:
        """Return the time that nine of ten such calls kept to, or None if too few are known.

        The more there is to read, the longer: a call that was asked for less is taken to have lasted longer.
        """
        took = [one for kind in kinds for one in self._took.get(kind, ())]
        seconds = sorted(lasted * max(1.0, size / max(asked, 1.0)) for asked, lasted in took)
        return seconds[math.ceil(_SLOW * len(seconds)) - 1] if len(seconds) >= _ENOUGH else None


@lru_cache(maxsize=64)
def pace_of(server: str) -> Pace:
    """Return what this process knows of a server (or of a model on it): the same for all runs that ask it."""
    return Pace()


class Drip:
    """Tells a stream that only seems alive: it brings a letter now and then, and would go on for hours."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._room = _HEAD_START
        self._at: float | None = None

    @property
    def is_unused(self) -> bool:
        """Whether nothing has come yet."""
        return self._at is None

    def is_dry(self, characters: int, now: float) -> bool:
        """Take in a piece of a stream at `now`; return whether it has been too slow for too long by then."""
        since = 0.0 if self._at is None else (now - self._at) / self._scale
        self._at = now
        self._room = min(_HEAD_START, self._room - since * _DRIP + max(1, characters))
        return self._room <= 0


async def hedged(begin: Callable[[bool], Awaitable[T]], patience: Patience, may_ask_again: Callable[[], bool],
                 discard: Callable[[T], Awaitable[None]] | None = None) -> T:  # fmt: skip
    """Return what `begin(False)` brings, or `begin(True)`, which is begun beside it when the first is late.

    One that fails leaves it to the other. The one that is not needed is cancelled with the message `OUTRUN`, or handed
    to `discard` if it has just come as well. Both end themselves after `patience.limit`.

    Raises:
        Exception: the first failed with it, and the second was not begun or failed as well.
    """
    tasks = [asyncio.ensure_future(begin(False))]
    chosen: asyncio.Future[T] | None = None
    try:
        done, _ = await asyncio.wait(tasks, timeout=patience.again)
        if not done and patience.again < patience.limit and may_ask_again():
            tasks.append(asyncio.ensure_future(begin(True)))
        pending = set(tasks)
        while pending and chosen is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            chosen = next((task for task in tasks if task in done and _has_answered(task)), None)
        return (chosen or tasks[0]).result()
    finally:
        for task in tasks:
            task.cancel(OUTRUN if chosen is not None else None)
        await asyncio.gather(*tasks, return_exceptions=True)
        if discard is not None:
            for task in tasks:
                if task is not chosen and _has_answered(task):
                    await discard(task.result())


def _has_answered(task: asyncio.Future[T]) -> bool:
    return not task.cancelled() and task.exception() is None


def is_outrun(error: asyncio.CancelledError) -> bool:
    """Whether a request was cancelled because another one answered first."""
    return OUTRUN in error.args
