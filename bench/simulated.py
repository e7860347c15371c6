"""A run as large as wanted, recorded as the engine records its own, and carried out by nobody: to look at its page."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from research import core
from research.language import Language
from research.store import Recorder, RunStore, StoredJournal

_QUOTE = (
    "Sales of pumps in the region rose by 4.2 per cent in the year, the strongest growth since the survey began. " * 2
)
_THOUGHT = "The size is known from two sources; growth and prices are not. The next query asks for prices by year. " * 3


@dataclass
class Simulated:
    """A run with that many researchers at work, recorded as the engine records its own."""

    store: RunStore
    researchers: int
    emit: Callable[[core.Event], object] = field(init=False)
    id: str = field(init=False)
    sources: int = 0
    """Read so far."""

    def begin(self, journal: StoredJournal, brief: core.Brief) -> None:
        """Hand out all topics."""
        self.emit = journal.emit
        journal.emit(
            core.RunStarted(run=self.id, brief=brief, brief_text="", analyst="chat", sources=(core.SourceName.WEB,))
        )
        for name in self.lanes:
            journal.emit(core.TopicQueued(lane=name, topic=f"Demand for pumps in region {name}. {_THOUGHT}"))
            journal.emit(core.TopicStarted(lane=name))

    @property
    def lanes(self) -> list[str]:
        """The names of its researchers."""
        return [f"R{number}" for number in range(1, self.researchers + 1)]

    def step(self, lane: str) -> None:
        """One search of one researcher, its source and what was taken from it."""
        self.sources += 1
        at, site = self.sources, f"site{self.sources % 40}.example.com"
        quotes = tuple(f"E{at}0{which}" for which in range(3))
        self.emit(
            core.SearchStarted(lane=lane, search=f"Q{at}", query=f"pump sales {lane} {at}", source=core.SourceName.WEB)
        )
        self.emit(core.SearchReturned(lane=lane, search=f"Q{at}", pages=1, new=1, seconds=random.uniform(0.3, 1.5)))
        self.emit(
            core.PageRead(
                lane=lane, search=f"Q{at}", page=f"S{at}", url=f"https://{site}/{at}", title=f"Pumps in figures {at}",
                site=site, origin=core.SourceName.WEB, kind=core.SourceKind.NEWS, published="2026-05", sha256="0",
                characters=9,
            )
        )  # fmt: skip
        for name in quotes:
            self.emit(core.EvidenceFound(lane=lane, id=name, source=f"S{at}", quote=_QUOTE, start=0, end=1))
        took = random.uniform(0.5, 3)
        call = core.ModelCalled(
            role=core.Role.SUMMARIZATION, model="m", seconds=took, input_tokens=3_000, output_tokens=200
        )
        self.emit(call.model_copy(update={"cost_usd": 0.001}))
        self.emit(
            core.PageSummarised(
                lane=lane, page=f"S{at}", summary=_QUOTE, evidence=quotes, cached=at % 5 == 0, by_rule=False,
                seconds=took,
            )
        )  # fmt: skip
        self.emit(core.Reflected(lane=lane, reflection=_THOUGHT))
        self.emit(
            core.Assessed(
                lane=lane, iteration=at, criteria={"results": 2}, score=at % 10, covered=("size",), missing=("prices",)
            )
        )  # fmt: skip

    def heed(self, steer: core.Steer) -> None:
        """Do what was asked, as the engine would."""
        match steer:
            case core.AddQuestion(text=text):
                self.emit(core.QuestionAdded(question=text))
            case core.DropTopic(lane=lane):
                self.emit(core.TopicDropped(lane=lane))
                self.emit(core.TopicFinished(lane=lane, reason="dropped"))
            case core.BlockSite(site=site):
                self.emit(core.SiteBlocked(site=site))


@contextmanager
def running(home: Path, researchers: int, *, sources: int = 1, pause: float | None = None) -> Iterator[Simulated]:
    """Carry out a run: `sources` for each researcher at once, then a step of some researcher every `pause` seconds.

    Without a pause each researcher makes a step every two seconds, or all together ten in a second.
    """
    store = RunStore(home)
    run, recorder, over = Simulated(store, researchers), Recorder(), threading.Event()
    brief = core.Brief(question="How large is the pump market?", language=Language.EN, max_cost_usd=5.0, max_minutes=90)
    run.id = store.create(brief, "chat")
    journal = StoredJournal(store, run.id)
    run.begin(journal, brief)
    recorder.watch(run.id, journal, run.heed)
    for name in run.lanes * sources:
        run.step(name)

    def work() -> None:
        while not over.wait(max(0.1, 2.0 / researchers) if pause is None else pause):
            run.step(random.choice(run.lanes))

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield run
    finally:
        over.set()
        worker.join()
        recorder.close()
        store.close()
