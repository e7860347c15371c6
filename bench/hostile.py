"""How long files made to harm hold up other runs of the same program, and how much memory they take.

python -m bench.hostile

One run has every file of `tests/support/hostile_files.py` in its library. Beside it, runs over a few notes go on one
after the other; the same was done alone before.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import psutil

from research.core import Brief, SourceName
from research.engine import Control, Journal, RunResult, World, conduct
from research.results import Report
from research.settings import Settings
from research.store import Runner, RunStore
from tests.support.hostile_files import HOSTILE

_BEAT = 0.02
"""Seconds between two beats of the heart that stands for all else that runs want to do."""
_PAUSE = 3.0
"""Seconds between two of the other runs, which would take half of the processors' time otherwise."""
QUESTION = "How many pumps were sold in 2025?"
NOTE = "Pump sales rose to 12,000 units in 2025."


@dataclass
class Held:
    """What was held up, and for how long, in seconds; and what was taken."""

    loop: float = 0.0
    """The longest time in which the event loop that carries all runs out did nothing else."""
    step: float = 0.0
    """The longest time between two events of another run."""
    other: float = 0.0
    """The longest that another run took in all."""
    alone: float = 0.0
    """The longest that such a run took while nothing else went on."""
    alone_loop: float = 0.0
    """The longest time in which the loop did nothing else then."""
    seconds: float = 0.0
    """How long the run with the hostile files took."""
    others: int = 0
    """Runs that were carried out beside it."""
    megabytes: float = 0.0
    """The most memory that the program and its reading processes held together."""
    before: float = 0.0
    """What they held before."""
    report: Report | None = field(default=None, repr=False)
    """That of the run with the hostile files."""


class _Heart:
    """Beats on the loop of the runs, and knows the longest time between two beats."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._beating: asyncio.Task[None] | None = None

    async def conduct(self, run: str, brief: Brief, world: World, journal: Journal, control: Control) -> RunResult:
        """Carry a run out as the engine does, with the heart beating."""
        if self._beating is None:
            self._beating = asyncio.create_task(self._beat())
        return await conduct(run, brief, world, journal, control)

    async def _beat(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(_BEAT)
            self.longest = max(self.longest, time.monotonic() - began - _BEAT)


def write_hostile(folder: Path) -> Path:
    """Write every file made to harm into a folder, and one that is not."""
    folder.mkdir(exist_ok=True)
    for name, make in HOSTILE.items():
        (folder / name).write_bytes(make())
    (folder / "good.txt").write_text(NOTE, encoding="utf-8")
    return folder


def measure(hostile: Path, home: Path) -> Held:
    """Carry out a run over a folder of hostile files, others beside it, and return what was held up."""
    held, heart, notes = Held(), _Heart(), home / "notes"
    notes.mkdir(parents=True)
    for number in range(5):
        (notes / f"{number}.md").write_text(f"# Note {number}\n\n{NOTE}\n", encoding="utf-8")
    brief = Brief(question=QUESTION, sources=(SourceName.LIBRARY,))
    settings = Settings.from_environment({"RESEARCH_HOME": str(home / "data")})
    with _memory(held), Runner(RunStore(settings.home), settings, conduct=heart.conduct) as runner:

        def another() -> tuple[float, float]:
            began = last = time.monotonic()
            longest = 0.0
            for _ in runner.follow(runner.start(brief, library=notes)):
                longest, last = max(longest, time.monotonic() - last), time.monotonic()
            return longest, time.monotonic() - began

        another()  # what is loaded on first use is not the files' fault
        heart.longest = 0.0
        held.alone, held.alone_loop = max(another()[1] for _ in range(3)), heart.longest
        heart.longest, began = 0.0, time.monotonic()
        run = runner.start(brief, library=hostile)
        over = _over(lambda: runner.wait(run))
        while not over.is_set():
            step, other = another()
            held.step, held.other, held.others = max(held.step, step), max(held.other, other), held.others + 1
            over.wait(_PAUSE)
        held.report = runner.wait(run)
        held.seconds, held.loop = time.monotonic() - began, heart.longest
    return held


def _over(wait: Callable[[], object]) -> Event:
    over = Event()

    def watch() -> None:
        wait()
        over.set()

    Thread(target=watch, daemon=True).start()
    return over


@contextmanager
def _memory(held: Held) -> Iterator[None]:
    """Watch the memory of this program and of the processes that it started."""
    done = Event()
    held.before = held.megabytes = _megabytes()

    def watch() -> None:
        while not done.wait(0.05):
            held.megabytes = max(held.megabytes, _megabytes())

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _megabytes() -> float:
    own, bytes_held = psutil.Process(), 0
    for process in (own, *own.children(recursive=True)):
        try:
            bytes_held += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return bytes_held / 2**20


def main() -> None:
    """Measure, and print it."""
    with tempfile.TemporaryDirectory() as folder:
        held = measure(write_hostile(Path(folder) / "hostile"), Path(folder) / "home")
    print(f"{len(HOSTILE)} hostile files, read or named in {held.seconds:.0f} s")
    print(f"  the loop of the runs held up for at most {held.loop:.2f} s (alone {held.alone_loop:.2f} s)")
    print(f"  {held.others} runs beside it: at most {held.step:.2f} s between two events,")
    print(f"  and {held.other:.2f} s for a run (alone {held.alone:.2f} s)")
    print(f"  memory {held.megabytes:.0f} MB, of which {held.before:.0f} MB before")


if __name__ == "__main__":
    main()
