"""How fast the machine is that the tests run on, and waiting for what happens elsewhere on it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

_WORDS, _PACE = 400_000, 0.042
"""A fixed task, and the seconds of processor that it takes on an idle core."""


def slowness(clock: Callable[[], float] = time.perf_counter) -> float:
    """Return how many times as long a fixed task takes here and now as on the idle core that limits were set on.

    A core that two programs share is busy up to twice as long with each; by the wall, others are waited for too.
    """
    began = clock()
    assert len(re.findall(r"\w+", "ab " * _WORDS)) == _WORDS
    return max(1.0, (clock() - began) / _PACE)


def wait_until(condition: Callable[[], object], seconds: float = 120.0) -> None:
    """Return as soon as `condition` holds; a machine that is busy with other things may take its time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
