"""Stored runs of every state, for looking at pages without doing any research."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from research import core
from research.language import Bilingual, Language
from research.results import LeftOut, ProofBasis, RunRecord, SourceEntry, counts, prove_draft, usage_of
from research.settings import Settings
from research.store import Runner, RunStore
from research.verification import contradictions

_SAMPLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_MODELS = {core.Role.RESEARCH: "gpt-5.4", core.Role.SUMMARIZATION: "gpt-5.4-mini", core.Role.FINAL_REPORT: "gpt-5.4"}
_SECONDS = 148.2
PATIENCE = 300
"""Seconds that a run by rule may take on a machine that is busy with other things."""
_PACE = timedelta(seconds=2.9)
"""From one event to the next."""
_HOUSE_QUESTIONS = {
    Language.EN: "What is the overseas sales target and the fiscal 2025 result of the house?",
    Language.JA: "海外売上高の目標と2025年度の実績はどうなっているか。",
}
LEFT_OUT = (
    LeftOut(
        text="Traders name fuel imports, restarts and data centres as what moves it now.",
        evidence=("E5",),
        reason=Bilingual(
            "No primary source: news.example.com (News)", "一次情報ではありません：news.example.com（報道）"
        ),
        verdict="supported",
    ),
)


class Story:
    """Writes the events of one run, as the engine would."""

    def __init__(self, store: RunStore, language: Language, analyst: str, *, since: datetime | None = None) -> None:
        """Begin the run at `since`, by default as long ago as it takes."""
        self.sample: dict[str, Any] = _SAMPLES[language]
        self.words: dict[str, str] = self.sample["words"]
        self.draft = "\n".join(self.sample["report"])
        self.brief = core.Brief(
            question=self.words["question"], scope=core.Scope.MARKET, region=core.Region.JAPAN, language=language
        )
        self.store, self.analyst = store, analyst
        self.run = store.create(self.brief, analyst)
        self._told, self._at = 0, since or datetime.now(UTC) - timedelta(seconds=_SECONDS)
        self.ledger = core.Ledger()
        self.left_out: tuple[LeftOut, ...] = ()
        models = _MODELS if analyst == "chat" else {}
        sources = (core.SourceName.WEB, core.SourceName.LIBRARY)
        self.tell(
            core.RunStarted(
                run=self.run, brief=self.brief, brief_text="", analyst=analyst, sources=sources, models=models
            )
        )

    def tell(self, *events: core.Event) -> None:
        """Store events, each a while after the one before it."""
        self.store.extend(self.run, [self._stamped(event) for event in events], [])

    def _stamped(self, event: core.Event) -> core.Event:
        self._told, self._at = self._told + 1, min(self._at + _PACE, datetime.now(UTC))
        return event.model_copy(update={"seq": self._told, "at": self._at})

    def research(self) -> None:
        """Two researchers at work: one that found what it looked for, one with a search that failed."""
        words = self.words
        self.tell(core.Reflected(lane=core.SUPERVISOR, reflection=words["plan"]))
        for lane, topic in (("R1", words["topic1"]), ("R2", words["topic2"])):
            self.tell(core.TopicQueued(lane=lane, topic=topic), core.TopicStarted(lane=lane))
        self._search("R1", "Q1", words["query1"], pages=3)
        self._search("R2", "Q2", words["query2"], pages=2)
        for place, page in enumerate(self.sample["pages"]):
            self.read("R1" if place < 2 else "R2", page, cached=place == 1 and self.analyst == "chat")
        self.tell(core.Reflected(lane="R1", reflection=words["thought1"]))
        self._search("R1", "Q3", words["query3"], pages=0)
        self.tell(
            core.SearchStarted(lane="R2", search="Q4", query=words["query4"], source=core.SourceName.WEB),
            core.SearchFailed(lane="R2", search="Q4", code="search_timeout"),
            core.ProblemOccurred(stage=core.Stage.SEARCH, code="search_timeout", subject=words["query4"], lane="R2"),
            core.Reflected(lane="R1", reflection=words["thought2"]),
        )

    def wait(self) -> None:
        """One search is under way, and one topic waits for its turn."""
        self.tell(
            core.TopicQueued(lane="R3", topic=self.words["topic3"]),
            core.SearchStarted(lane="R2", search="Q5", query=self.words["query3"], source=core.SourceName.WEB),
        )

    def conclude(self) -> None:
        """The researchers end."""
        kept = tuple(self.ledger.evidence)
        self.tell(
            core.FindingsCompressed(lane="R1", kept=kept[:4], dropped=()),
            core.TopicFinished(lane="R1", reason="complete", evidence=kept[:4]),
            core.TopicFinished(lane="R2", reason="limit", evidence=kept[4:]),
            core.Reflected(lane=core.SUPERVISOR, reflection=self.words["back"]),
        )

    def write(self, characters: int) -> None:
        """The report is written, so far."""
        self.tell(core.ReportStarted(analyst=self.analyst))
        pieces = (self.draft[at : min(at + 400, characters)] for at in range(0, characters, 400))
        self.tell(*(core.ReportExtended(text=piece) for piece in pieces))

    def end(self, status: core.Status, *, checked: bool = True) -> None:
        """The run ends; `checked` says whether its sentences are held against their pages, as older runs' were not."""
        cited = core.cite(self.draft, self.ledger.evidence)
        sentences = tuple(core.cited_sentences(cited.draft))
        if checked:
            books = ProofBasis(self.ledger.pages, self.ledger.evidence)
            sentences = prove_draft(cited.draft, books, by_rule=self.analyst != "chat")
            self.tell(core.ReportVerified(counts=counts(sentences)))
        self.tell(
            core.ReportWritten(analyst=self.analyst, citations=cited.citations, unknown_ids=0, removed_links=0),
            core.RunFinished(status=status, seconds=_SECONDS),
        )
        record = RunRecord(
            run=self.run,
            status=status,
            analyst=self.analyst,
            writer=self.analyst,
            brief=self.brief,
            started_at=datetime.now(UTC).isoformat(),
            seconds=_SECONDS,
            usage=usage_of(core.RunView.of(self.store.events(self.run))),
            sources=tuple(_entry(page, cited.numbers.get(page.id)) for page in self.ledger.pages.values()),
            evidence=tuple(self.ledger.evidence.values()),
            sentences=sentences,
            draft=cited.draft,
            left_out=self.left_out,
            contradictions=contradictions(self.ledger.evidence.values(), self.ledger.pages),
        )
        self.store.finish(self.run, record, self.draft)

    def _search(self, lane: str, name: str, query: str, *, pages: int) -> None:
        self.tell(
            core.SearchStarted(lane=lane, search=name, query=query, source=core.SourceName.WEB),
            core.SearchReturned(lane=lane, search=name, pages=pages, new=pages, seconds=1.8),
        )

    def read(self, lane: str, sample: dict[str, Any], *, cached: bool) -> None:
        """A page is read and quoted."""
        facts = {name: sample[name] for name in ("url", "title", "site", "published")}
        facts["origin"] = core.SourceName.LIBRARY if sample["url"].startswith("file:") else core.SourceName.WEB
        facts["kind"] = {kind.value: kind for kind in core.SourceKind}[sample["kind"]]
        page = self.ledger.add_page(**facts, fetched_at=datetime.now(UTC), text=sample["text"])
        self.store.extend(self.run, (), [page])
        found = self.ledger.quote(page, sample["quotes"])
        by_rule = self.analyst != "chat"
        self.tell(
            core.PageRead(lane=lane, page=page.id, sha256=page.sha256, characters=len(page.text), **facts),
            *(core.EvidenceFound(lane=lane, **entry.model_dump()) for entry in found),
            core.PageSummarised(
                lane=lane,
                page=page.id,
                summary=sample["quotes"][0],
                evidence=tuple(entry.id for entry in found),
                cached=cached,
                by_rule=by_rule,
                seconds=0.0 if cached else 4.2,
            ),
        )
        if not by_rule and not cached:
            call = {"input_tokens": 3_120, "output_tokens": 240, "cost_usd": 0.0013, "seconds": 4.2}
            self.tell(core.ModelCalled(role=core.Role.SUMMARIZATION, model="gpt-5.4-mini", **call))


def _entry(page: core.Page, number: int | None) -> SourceEntry:
    facts = page.model_dump(exclude={"text", "fetched_at"})
    return SourceEntry(**facts, fetched_at=page.fetched_at.isoformat(), number=number)


def ended(
    store: RunStore,
    language: Language,
    *,
    analyst: str = "chat",
    status: core.Status = core.Status.COMPLETE,
    checked: bool = True,
    left_out: tuple[LeftOut, ...] = (),
) -> str:
    """Store a run that has ended, and return its id."""
    story = Story(store, language, analyst)
    story.left_out = left_out
    story.research()
    story.conclude()
    story.write(len(story.draft))
    story.end(status, checked=checked)
    return story.run


def sales(store: RunStore, language: Language) -> str:
    """Store a run whose two sources give the same quantity over years, and differ once; return its id."""
    story = Story(store, language, "chat")
    pages, story.draft = story.sample["sales"]["pages"], "\n".join(story.sample["sales"]["report"])
    story.tell(core.TopicQueued(lane="R1", topic=story.words["topic1"]), core.TopicStarted(lane="R1"))
    for page in pages:
        story.read("R1", page, cached=False)
    story.write(len(story.draft))
    story.end(core.Status.COMPLETE)
    return story.run


def house(home: Path, language: Language, *beside: core.SourceName) -> str:
    """Carry out a run without keys on the documents of the house, which contradict each other, and return its id.

    They are few, and all read: what a question about the report is to find anew stands in sources `beside` them.
    """
    settings = Settings.from_environment({"RESEARCH_HOME": str(home)})
    store = RunStore(home)
    with Runner(store, settings) as runner:
        asked = core.Brief(
            question=_HOUSE_QUESTIONS[language],
            scope=core.Scope.COMPANY,
            language=language,
            sources=(core.SourceName.HOUSE, *beside),
        )
        run = runner.start(asked)
        runner.wait(run, timeout=PATIENCE)
    store.close()
    return run


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
    story = Story(RunStore(home, now=lambda: then), language, "chat", since=then - timedelta(seconds=_SECONDS))
    story.research()
    story.store.close()
    return story.run
