"""Memory and CPU of ten, thirty and a hundred runs at once in one process, next to one run alone.

python -m bench.ten_runs
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import psutil

from bench.loopback import Loopback
from research.core import Brief, SourceName
from research.settings import Settings
from research.store import Runner, RunStore

_ASKED = (
    *("economy", "population", "industry", "territory", "labour force", "coastline", "military", "railway network"),
    *("electricity production", "foreign debt", "budget", "farmland", "forest", "merchant fleet", "road network"),
)
MANY = (10, 30, 100)


@dataclass
class Cost:
    """What a batch of runs cost this process."""

    wall: float
    cpu: float
    peak_megabytes: float
    pages: int
    """Read by all of them."""


class _Memory(threading.Thread):
    """Watches the memory of this process until it is told to stop."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.over = threading.Event()
        self.peak = 0

    def run(self) -> None:
        process = psutil.Process()
        while not self.over.wait(0.05):
            self.peak = max(self.peak, process.memory_info().rss)


def carry_out(runner: Runner, briefs: Sequence[Brief]) -> Cost:
    """Run briefs at once and return what they cost."""
    memory = _Memory()
    memory.start()
    wall, cpu = time.perf_counter(), time.process_time()
    reports = [runner.wait(run) for run in [runner.start(brief) for brief in briefs]]
    memory.over.set()
    memory.join()
    pages = sum(len(report.record.sources) for report in reports)
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, memory.peak / 2**20, pages)


def compare(title: str, settings: Settings, briefs: Sequence[Brief]) -> None:
    """Print what many runs cost next to one."""
    with Runner(RunStore(settings.home), settings) as runner:
        # Each question is new to the process, as the first has loaded what all need.
        fresh = iter(briefs)
        carry_out(runner, list(islice(fresh, 1)))
        one = carry_out(runner, list(islice(fresh, 1)))
        for count in MANY:
            many = carry_out(runner, list(islice(fresh, count)))
            print(f"{title}: {count} runs at once / one run alone")
            print(f"  wall {many.wall:.1f} s / {one.wall:.1f} s = {many.wall / one.wall:.2f}")
            print(f"  CPU  {many.cpu:.1f} s / {one.cpu:.1f} s = {many.cpu / one.cpu:.2f}")
            print(f"  CPU a page {many.cpu / many.pages:.3f} s / {one.cpu / one.pages:.3f} s")
            print(f"  peak memory {many.peak_megabytes:.0f} MB / {one.peak_megabytes:.0f} MB", flush=True)


def main() -> None:
    """Measure with models on loopback, and without any model over the sample library."""
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({"RESEARCH_HOME": home})
        briefs = [
            Brief(question=f"How large is the {what} of {country}, and how fast does it grow?", sources=(name,))
            for what in _ASKED
            for country in ("Vietnam", "Japan", "India", "Kenya", "Brazil", "Poland", "Chile", "Egypt", "Peru", "Iran")
            for name in [SourceName.FACTBOOK]
        ]
        compare("without a model", settings, briefs)
    with Loopback() as world, tempfile.TemporaryDirectory() as home:
        settings = Settings.from_environment({**os.environ, **world.environment, "RESEARCH_HOME": home})
        compare("with models", settings, [Brief(question=f"Pump market, question {n}?") for n in range(2 + sum(MANY))])


if __name__ == "__main__":
    main()
