"""Stored runs of every state, for looking at pages without doing any research."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from research.brief import Brief
from research.citations import cite, cited_sentences
from research.events import (
    SUPERVISOR,
    Event,
    EvidenceFound,
    FindingsCompressed,
    ModelCalled,
    PageRead,
    PageSummarised,
    ProblemOccurred,
    Reflected,
    ReportExtended,
    ReportStarted,
    ReportWritten,
    RunFinished,
    RunStarted,
    SearchFailed,
    SearchReturned,
    SearchStarted,
    Stage,
    Status,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.evidence import Ledger, Page
from research.language import Language
from research.presets import Role
from research.report import EvidenceEntry, RunRecord, SourceEntry
from research.runs.store import RunStore
from research.vocabulary import Region, Scope, SourceKind, SourceName

_SAMPLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_MODELS = {Role.RESEARCH: "gpt-5.4", Role.SUMMARIZATION: "gpt-5.4-mini", Role.FINAL_REPORT: "gpt-5.4"}
_SECONDS = 148.2


class Story:
    """Writes the events of one run, as the engine would."""

    def __init__(self, store: RunStore, language: Language, analyst: str) -> None:
        self.sample: dict[str, Any] = _SAMPLES[language]
        self.words: dict[str, str] = self.sample["words"]
        self.draft = "\n".join(self.sample["report"])
        self.brief = Brief(question=self.words["question"], scope=Scope.MARKET, region=Region.JAPAN, language=language)
        self.store, self.analyst = store, analyst
        self.run = store.create(self.brief, analyst)
        self.ledger = Ledger()
        models = _MODELS if analyst == "chat" else {}
        sources = (SourceName.WEB, SourceName.LIBRARY)
        self.tell(
            RunStarted(run=self.run, brief=self.brief, brief_text="", analyst=analyst, sources=sources, models=models)
        )

    def tell(self, *events: Event) -> None:
        """Store events."""
        for event in events:
            self.store.append(self.run, event)

    def research(self) -> None:
        """Two researchers at work: one that found what it looked for, one with a search that failed."""
        words = self.words
        self.tell(Reflected(lane=SUPERVISOR, reflection=words["plan"]))
        for lane, topic in (("R1", words["topic1"]), ("R2", words["topic2"])):
            self.tell(TopicQueued(lane=lane, topic=topic), TopicStarted(lane=lane))
        self._search("R1", "Q1", words["query1"], pages=3)
        self._search("R2", "Q2", words["query2"], pages=2)
        for place, page in enumerate(self.sample["pages"]):
            self._read("R1" if place < 2 else "R2", page, cached=place == 1)
        self.tell(Reflected(lane="R1", reflection=words["thought1"]))
        self._search("R1", "Q3", words["query3"], pages=0)
        self.tell(
            SearchStarted(lane="R2", search="Q4", query=words["query4"], source=SourceName.WEB),
            SearchFailed(lane="R2", search="Q4", code="search_timeout"),
            ProblemOccurred(stage=Stage.SEARCH, code="search_timeout", subject=words["query4"], lane="R2"),
            Reflected(lane="R1", reflection=words["thought2"]),
        )

    def wait(self) -> None:
        """One search is under way, and one topic waits for its turn."""
        self.tell(
            TopicQueued(lane="R3", topic=self.words["topic3"]),
            SearchStarted(lane="R2", search="Q5", query=self.words["query4"], source=SourceName.WEB),
        )

    def conclude(self) -> None:
        """The researchers end."""
        kept = tuple(self.ledger.evidence)
        self.tell(
            FindingsCompressed(lane="R1", kept=kept[:4], dropped=()),
            TopicFinished(lane="R1", reason="complete", evidence=kept[:4]),
            TopicFinished(lane="R2", reason="limit", evidence=kept[4:]),
            Reflected(lane=SUPERVISOR, reflection=self.words["back"]),
        )

    def write(self, characters: int) -> None:
        """The report is written, so far."""
        self.tell(ReportStarted(analyst=self.analyst))
        pieces = (self.draft[at : min(at + 400, characters)] for at in range(0, characters, 400))
        self.tell(*(ReportExtended(text=piece) for piece in pieces))

    def end(self, status: Status) -> None:
        """The run ends."""
        cited = cite(self.draft, self.ledger.evidence)
        self.tell(
            ReportWritten(analyst=self.analyst, citations=cited.citations, unknown_ids=0, removed_links=0),
            RunFinished(status=status, seconds=_SECONDS),
        )
        record = RunRecord(
            run=self.run,
            status=status,
            analyst=self.analyst,
            writer=self.analyst,
            brief=self.brief,
            started_at=datetime.now(UTC).isoformat(),
            seconds=_SECONDS,
            usage={},
            sources=tuple(_entry(page, cited.numbers.get(page.id)) for page in self.ledger.pages.values()),
            evidence=tuple(EvidenceEntry(**entry.model_dump()) for entry in self.ledger.evidence.values()),
            sentences=tuple(cited_sentences(cited.draft)),
            draft=cited.draft,
        )
        self.store.finish(self.run, record, self.draft)

    def _search(self, lane: str, name: str, query: str, *, pages: int) -> None:
        self.tell(
            SearchStarted(lane=lane, search=name, query=query, source=SourceName.WEB),
            SearchReturned(lane=lane, search=name, pages=pages, new=pages, seconds=0.8),
        )

    def _read(self, lane: str, sample: dict[str, Any], *, cached: bool) -> None:
        facts = {name: sample[name] for name in ("url", "title", "site", "published")}
        facts["origin"] = SourceName.LIBRARY if sample["url"].startswith("file:") else SourceName.WEB
        facts["kind"] = {kind.value: kind for kind in SourceKind}[sample["kind"]]
        page = self.ledger.add_page(**facts, fetched_at=datetime.now(UTC), text=sample["text"])
        self.store.save_page(self.run, page)
        found = self.ledger.quote(page, sample["quotes"])
        by_rule = self.analyst != "chat"
        self.tell(
            PageRead(lane=lane, page=page.id, sha256=page.sha256, characters=len(page.text), **facts),
            *(EvidenceFound(lane=lane, **entry.model_dump()) for entry in found),
            PageSummarised(
                lane=lane,
                page=page.id,
                summary=sample["quotes"][0],
                evidence=tuple(entry.id for entry in found),
                cached=cached,
                by_rule=by_rule,
                seconds=1.2,
            ),
        )
        if not by_rule and not cached:
            call = {"input_tokens": 3_120, "output_tokens": 240, "cost_usd": 0.0013, "seconds": 1.2}
            self.tell(ModelCalled(role=Role.SUMMARIZATION, model="gpt-5.4-mini", **call))


def _entry(page: Page, number: int | None) -> SourceEntry:
    facts = page.model_dump(exclude={"text", "fetched_at"})
    return SourceEntry(**facts, fetched_at=page.fetched_at.isoformat(), number=number)


def ended(store: RunStore, language: Language, *, analyst: str = "chat", status: Status = Status.COMPLETE) -> str:
    """Store a run that has ended, and return its id."""
    story = Story(store, language, analyst)
    story.research()
    story.conclude()
    story.write(len(story.draft))
    story.end(status)
    return story.run


def researching(store: RunStore, language: Language) -> str:
    """Store a run that is researching; whoever shows it must keep its heart beating."""
    story = Story(store, language, "chat")
    story.research()
    story.wait()
    return story.run


def writing(store: RunStore, language: Language) -> str:
    """Store a run whose report is half written; whoever shows it must keep its heart beating."""
    story = Story(store, language, "chat")
    story.research()
    story.conclude()
    story.write(len(story.draft) // 2)
    return story.run


def broken_off(home: Path, language: Language) -> str:
    """Store a run whose process died an hour ago."""
    then = datetime.now(UTC) - timedelta(hours=1)
    story = Story(RunStore(home, now=lambda: then), language, "chat")
    story.research()
    story.store.close()
    return story.run
