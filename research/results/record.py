"""What a run leaves behind: its record, its trail and notes, answers to further questions, and the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from research import core
from research.language import COMMA, Bilingual, Language, Phrase
from research.quantities import figure_frame, figure_rows
from research.text import Card
from research.verification import Contradiction, Label, Side, contradictions_of, subject_named

if TYPE_CHECKING:
    import pandas as pd


class ResearchNote(core.Frozen):
    """What one query brought."""

    step: int
    """Counts from 1 within a run."""
    query: str
    summary: str
    """Markdown, citing evidence as `[E12]`."""
    sources: tuple[str, ...]
    """Ids of the pages that it rests on."""


def notes_of(taken: Iterable[core.NoteTaken]) -> tuple[ResearchNote, ...]:
    """Return the notes that a run took, by step: those of one cycle are written at once."""
    return tuple(sorted((ResearchNote(**event.model_dump()) for event in taken), key=lambda note: note.step))


class QueryTrail(core.Frozen):
    """A query, and what all sources together brought for it."""

    query: str
    asked: int = 0
    """Sources that it was sent to."""
    answered: int = 0
    """Sources that answered; of the others, those that did not fail were not waited for."""
    hits: int = 0
    new: int = 0
    """Hits that the topic had not met before."""
    failed: tuple[str, ...] = ()
    """Codes (see `research.core.errors`) of the sources that failed."""


class TopicTrail(core.Frozen):
    """One topic, or section of the plan, from its first query to its end."""

    lane: str
    topic: str
    title: str = ""
    """The title of the section, if it is one."""
    queries: tuple[QueryTrail, ...] = ()
    """In the order of their first use, each once."""
    tables: tuple[core.RowQuery, ...] = ()
    """What a model asked the tables of data files that the topic read."""
    searches: int = 0
    """Rounds of one or more queries, each of which was counted when it was over."""
    score: int | None = None
    """0 to 10, after the last search; None if nothing was counted."""
    criteria: dict[str, int] = Field(default_factory=dict)
    """What the score is made of, 0 to 2 each (see `research.core.Criteria`)."""
    coverage: dict[str, float] = Field(default_factory=dict)
    """How far each kind of information that the section requires was found, 0 to 1."""
    confidence: float = 0.0
    good_sources: int = 0
    ended: str = ""
    """A code of `research.core.vocabulary.StopReason`; empty if the topic never came to its end."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    seconds: float | None = None
    """From the first decision to the end; None if it has no end, or no times are known."""


class Trail(core.Frozen):
    """How a run was researched. Everything in it is drawn from what the run told."""

    method: core.MethodName = core.MethodName.SUPERVISED
    depth: core.Depth | None = None
    depth_by: Literal["analyst", "user"] = "analyst"
    outline: core.Outline | None = None
    """The plan that was carried out, if there was one."""
    edited: bool = False
    """Whether somebody edited the plan."""
    step_budget: int | None = None
    ahead: tuple[QueryTrail, ...] = ()
    """What was searched for before there was a topic."""
    topics: tuple[TopicTrail, ...] = ()
    """In the order in which they were handed out."""
    ended: str = ""
    """Why research ended: a code of `StopReason`; empty if it was broken off."""
    why: str = ""


def trail_of(run: core.RunView) -> Trail:
    """Return the trail of a run, as far as it went."""
    plan, ending = run.plan, run.ending
    return Trail(
        method=run.method or core.MethodName.SUPERVISED,
        depth=plan.depth.depth if plan.depth else None,
        depth_by=plan.depth.by if plan.depth else "analyst",
        outline=plan.outline,
        edited=plan.edited,
        step_budget=plan.step_budget,
        ahead=queries_of(run.supervisor.asked.values()),
        topics=tuple(_topic(lane) for lane in run.topics),
        ended=ending.reason if ending else "",
        why=ending.why if ending else "",
    )


def _topic(lane: core.LaneView) -> TopicTrail:
    topic = TopicTrail(
        lane=lane.name,
        topic=lane.topic,
        title=lane.title,
        queries=queries_of(lane.asked.values()),
        tables=tuple(query for one in lane.readings.values() if one.summarised for query in one.summarised.queries),
        ended=lane.reason,
        why=lane.why,
        seconds=lane.seconds,
    )
    if not lane.assessed:
        return topic
    last = lane.assessed[-1]
    counted = last.model_dump(include={"score", "criteria", "coverage", "confidence", "good_sources"})
    return topic.model_copy(update={"searches": last.iteration, **counted})


def queries_of(searches: Iterable[core.SearchView]) -> tuple[QueryTrail, ...]:
    """Return each query once, in the order of their first use, with what came of it."""
    asked: dict[str, list[core.SearchView]] = {}
    for search in searches:
        asked.setdefault(search.query, []).append(search)
    return tuple(_query(query, sources) for query, sources in asked.items())


def _query(query: str, sources: Sequence[core.SearchView]) -> QueryTrail:
    return QueryTrail(
        query=query,
        asked=len(sources),
        answered=sum(one.pages is not None and not one.failed for one in sources),
        hits=sum(one.pages or 0 for one in sources),
        new=sum(one.new for one in sources),
        failed=tuple(dict.fromkeys(one.failed for one in sources if one.failed)),
    )


class Usage(core.Frozen):
    """What one role's model calls came to."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0
    """Calls that were not made, because their answer was kept from before."""
    cached_tokens: int = 0
    """Of the tokens in, those that the provider had kept from an earlier call and charges less for."""
    spared_tokens: int = 0
    """About how many tokens of pages were not sent, because they do not bear on what is asked."""
    searches_usd: float = 0.0
    """Of `cost_usd`, what services charge for searches."""
    cost_usd: float | None = 0.0
    """None if the price of a model that was called is not known."""

    @property
    def tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens


def usage_of(run: core.RunView) -> dict[core.Role, Usage]:
    """Return what the calls of a run's models came to, role by role; summaries are all that is ever kept.

    What services charge for searches is entered where they are decided on.
    """
    searches = {core.Role.RESEARCH: run.searches_usd}
    return {
        role: Usage(
            calls=spent.calls,
            input_tokens=spent.input_tokens,
            output_tokens=spent.output_tokens,
            cached=run.cached if role is core.Role.SUMMARIZATION else 0,
            cached_tokens=spent.cached_tokens,
            spared_tokens=run.spared_tokens if role is core.Role.SUMMARIZATION else 0,
            searches_usd=searches.get(role, 0.0),
            cost_usd=None if spent.unpriced else spent.cost_usd + searches.get(role, 0.0),
        )
        for role, spent in run.spent.items()
    }


class SourceEntry(core.Frozen):
    """A page of the run, as `run.json` names it."""

    id: str
    url: str
    title: str
    site: str
    kind: str
    origin: str
    published: str | None
    fetched_at: str
    sha256: str
    number: int | None
    """The number under which the report cites it, if it does."""
    outside: tuple[core.Outside, ...] = ()
    """Limits of the brief that it is outside of."""

    @classmethod
    def of(cls, page: core.Page, number: int | None) -> Self:
        """Return the entry of a page."""
        facts = page.model_dump(mode="json", exclude={"text", "fetched_at"})
        return cls(**facts, fetched_at=page.fetched_at.isoformat(), number=number)


class LeftOut(core.Frozen):
    """A sentence that a fact-strict report does not hold, and why."""

    text: str
    evidence: tuple[str, ...]
    reason: Annotated[Bilingual, BeforeValidator(core.in_both)]
    verdict: str | None = None


class Problem(core.Frozen):
    """Something that went wrong on the way, for tracing what let a report down."""

    stage: core.Stage
    code: str
    subject: str = ""
    detail: str = ""


def problems_of(run: core.RunView) -> tuple[Problem, ...]:
    """Return the problems that a run met, in order, and then the files of its folders that could not be read."""
    skipped = (
        Problem(stage=core.Stage.SEARCH, code=code, subject=name)
        for folder in run.indexing.values()
        for name, code in folder.skipped
    )
    return (*(Problem(**event.model_dump()) for event in run.problems), *skipped)


class AskedPart(core.Frozen):
    """A part of the question, and whether the report answers it."""

    about: str
    """Whom or what it is about; empty where that is what the whole question is about."""
    asked: str
    is_spoken_of: bool
    """Whether a quote that the report cites speaks of it, as far as words and meaning tell."""


class RunRecord(core.Frozen):
    """What `run.json` holds."""

    format: Literal[1] = 1
    run: str
    status: core.Status
    analyst: str
    """Who decided: `chat` or `extractive`."""
    writer: str
    """Who wrote the report; `extractive` also where a model was meant to and could not."""
    brief: core.Brief
    started_at: str
    seconds: float
    usage: dict[core.Role, Usage]
    sources: tuple[SourceEntry, ...]
    evidence: tuple[core.Evidence, ...]
    sentences: tuple[core.Sentence, ...]
    problems: tuple[Problem, ...] = ()
    parts: tuple[AskedPart, ...] = ()
    """What is asked, part by part; records of before it was kept have none."""
    draft: str = ""
    """The report's text with evidence ids (`[E12]`) where the finished forms have numbers."""
    left_out: tuple[LeftOut, ...] = ()
    """What a fact-strict report does not hold because no primary source bears it out."""
    contradictions: tuple[Contradiction, ...] = ()
    """What its sources say differently, as far as it was found."""
    trail: Trail = Trail()
    """How it was researched; records of before there were several methods have none."""
    pages: float | None = None
    """How long the report is, counted as `research.core.citations` counts; records of before that have none."""
    rewritten_from: str = ""
    """Id of the run whose evidence it was written from, if nothing was searched for it."""
    is_claimed: bool = False
    """Whether it came from elsewhere: who wrote it, and with what, is what its file says, and nobody checked that."""

    @property
    def spent(self) -> Usage:
        """What the calls of all its models came to."""
        parts, counted = list(self.usage.values()), Usage.model_fields.keys() - {"cost_usd"}
        prices = [part.cost_usd for part in parts]
        totals: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in counted}
        return Usage(**totals, cost_usd=None if None in prices else sum(price or 0.0 for price in prices))

    @property
    def ledger(self) -> dict[str, core.Evidence]:
        """Its evidence by id."""
        return {entry.id: entry for entry in self.evidence}

    @property
    def method(self) -> core.MethodName:
        """How its research was organised."""
        return self.trail.method

    @property
    def outline(self) -> core.Outline | None:
        """The plan that it follows, if there was one."""
        return self.trail.outline

    @property
    def day(self) -> date:
        """The day of the research, from which it counts how recent a source is."""
        return datetime.fromisoformat(self.started_at).date()


@dataclass(frozen=True)
class FollowUp:
    """A question about a report, and its answer."""

    answer: core.FollowUpAnswered
    """The last one."""
    search: str = ""
    """Id of the small run that was last started to search for it."""

    @property
    def number(self) -> int:
        """Its number within the run."""
        return self.answer.number

    @property
    def at(self) -> datetime | None:
        """When it was answered."""
        return self.answer.at

    @property
    def awaits(self) -> str:
        """Id of the small run whose result has not joined the report, if there is one."""
        return "" if self.search == self.answer.run else self.search


def follow_ups_of(run: core.RunView) -> tuple[FollowUp, ...]:
    """Return what was asked about a run's report, in the order of asking."""
    return tuple(FollowUp(run.answers[number], run.answer_searches.get(number, "")) for number in sorted(run.answers))


def lane_of(number: int) -> str:
    """Return the lane in which the search for a question is recorded."""
    return f"F{number}"


def of_research(events: Iterable[core.Event]) -> list[core.Event]:
    """Return the events of a run before the first question about its report was answered."""
    return list(takewhile(lambda event: not isinstance(event, core.FollowUpAnswered | core.FollowUpSearched), events))


def numbered_on(
    numbers: Mapping[str, int], follow_ups: Iterable[FollowUp], evidence: Mapping[str, core.Evidence]
) -> dict[str, int]:
    """Return the citation numbers of a report, with those of the pages that only its follow-ups cite added on.

    Args:
        numbers: Citation number of each page that the report cites.
        follow_ups: What was asked about it, in order.
        evidence: All evidence by id, with what joined the report.
    """
    found = dict(numbers)
    for name in (name for follow_up in follow_ups for name in core.cited_ids(follow_up.answer.draft)):
        if name in evidence:
            found.setdefault(evidence[name].source, max(found.values(), default=0) + 1)
    return found


def added_on(run: core.RunView, timezone: tzinfo = UTC) -> dict[str, date]:
    """Return on which day, there, each quote joined a run that a search for a further question brought, by its id."""
    searched = (run.lanes.get(lane_of(number)) for number in run.answer_searches)
    days: dict[str, date] = {}
    ends = (end for lane in searched if lane for end in lane.finished)
    for end in sorted(ends, key=lambda end: end.seq):
        if end.at:
            days |= {name: end.at.astimezone(timezone).date() for name in end.evidence if name not in days}
    return days


def is_added(contradiction: Contradiction, added: Mapping[str, date]) -> bool:
    """Whether a side of a contradiction has joined its run afterwards."""
    return any(side.evidence in added for side in contradiction.sides)


# --- whether it is whole ---------------------------------------------------------------------------------------------

_EARLY = ("timeout", "finish", "cap", "budget", "failed")
"""Codes of `StopReason` that end research before it has what it looks for."""
_STOPPED = Phrase("This report is incomplete: the run was stopped, as asked.")
_ENDED_EARLY = Phrase("This report is incomplete, as the research stopped early. {why}")
_CAPPED = Phrase("It ended to stay within the cap that was set: {cap}.")
_NOT_WRITTEN = Phrase("This report is incomplete. {why}")
_LACKING = Phrase("This report is incomplete: not all that is asked was found or written.")


def shortfall(record: RunRecord, language: Language) -> str:
    """Say that a report is incomplete, and why where that is known; an empty text if nothing is missing."""
    if record.status is not core.Status.PARTIAL:
        return ""
    if any(problem.code == "stopped" for problem in record.problems):
        return _STOPPED.in_(language)
    if record.trail.ended in _EARLY:
        cap = core.cap_in_words(record.brief, language) if record.trail.ended == core.StopReason.CAP else ""
        why = _CAPPED.in_(language).format(cap=cap) if cap else core.StopReason.words_of(record.trail.ended)
        return _ENDED_EARLY.filled(why=why).in_(language)
    failed = [problem for problem in record.problems if problem.stage is core.Stage.WRITING]
    if failed:
        return _NOT_WRITTEN.in_(language).format(why=core.explain(failed[-1].code, language, failed[-1].subject))
    return _LACKING.in_(language)


# --- the report: what whoever asked holds in hands -------------------------------------------------------------------


def counts(sentences: Iterable[core.Sentence]) -> dict[str, int]:
    """Return how many sentences have each verdict, in the order of `Label`, without those that claim nothing."""
    counted = Counter(sentence.shown for sentence in sentences)
    return {label.value: counted[label.value] for label in Label if counted[label.value]}


def borne_out(counted: Mapping[str, int]) -> int:
    """Return how many of the counted sentences their pages bear out: those supported, and quotes."""
    return counted.get(Label.SUPPORTED, 0) + counted.get(Label.VERBATIM, 0)


class Report(Card, BaseModel):
    """A finished run."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    record: RunRecord
    markdown: str
    """The report with numbered citations and its list of sources."""
    history: tuple[core.AnyEvent, ...] = Field(default=(), repr=False)
    """Every event of the run, in order."""
    pages: dict[str, core.Page] = Field(default_factory=dict, repr=False)
    """Every page that the run read, as it was read, by id."""
    maker: ClassVar[Callable[[Report, str, str, bool], bytes]]
    """What makes files of reports stands above them: whoever hands reports out says what it is."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy it; what is computed from its record, history and pages is computed anew if these are others."""
        copy = super().model_copy(update=update, deep=deep)
        if (update or {}).keys() - {"markdown"}:
            for name in copy.__dict__.keys() - type(copy).model_fields.keys():
                del copy.__dict__[name]
        return copy

    @property
    def status(self) -> core.Status:
        """How the run ended."""
        return self.record.status

    def export(self, format_name: str, *, paper: str = "a4", appendix: bool = True) -> bytes:
        """Return the report as a file: `pdf`, `docx`, `pptx`, `html`, `md`, `xlsx`, … on `a4` or `letter`.

        The `appendix` says how it was researched, with all queries.

        Raises:
            UsageError: there is no such format or paper, or what it needs is not installed.
        """
        return type(self).maker(self, format_name, paper, appendix)

    def _card(self) -> tuple[str, list[tuple[str, str]]]:
        record, language = self.record, self.record.brief.language
        counted = counts(record.sentences)
        labels = [f"{Label(name).words.in_(language)} {count}" for name, count in counted.items()]
        rows = [
            (Phrase("Run"), record.run),
            (Phrase("Status"), self.status.label.in_(language)),
            (Phrase("Sources"), str(len(record.sources))),
            (Phrase("Quotes"), str(len(record.evidence))),
            (Phrase("Sentences"), COMMA.in_(language).join(labels)),
            (Phrase("Seconds"), f"{record.seconds:.0f}"),
            (Phrase("Problems"), " ".join(core.explain(one.code, language) for one in record.problems)),
        ]
        return record.brief.question, [(name.in_(language), value) for name, value in rows if value]

    @cached_property
    def view(self) -> core.RunView:
        """What happened in the run, folded from its events."""
        return core.RunView.of(self.history)

    @property
    def follow_ups(self) -> tuple[FollowUp, ...]:
        """What was asked about it afterwards, in order, each with its answer."""
        return follow_ups_of(self.view)

    @cached_property
    def evidence_now(self) -> tuple[core.Evidence, ...]:
        """Its evidence and what joined it since, without what the user wants left out."""
        added = added_on(self.view)
        found = self.record.ledger | {name: entry for name, entry in self.view.evidence.items() if name in added}
        return tuple(entry for entry in self.view.wanted(found.values()) if entry.source in self.pages)

    @cached_property
    def contradictions_now(self) -> tuple[Contradiction, ...]:
        """What its sources say differently, with those that joined it since."""
        record, added = self.record, added_on(self.view)
        if not added:
            return record.contradictions
        cited = [*(name for sentence in record.sentences for name in sentence.evidence), *added]
        evidence = {entry.id: entry for entry in self.evidence_now}
        question = record.brief.question
        found, failed = contradictions_of(self.view.reflections, evidence, self.pages, question, cited)
        return record.contradictions if failed else found  # What research had found is shown.

    @cached_property
    def sources(self) -> pd.DataFrame:
        """One row a page: id, url, title, site, kind, published, number, …"""
        return _frame(self.record.sources, SourceEntry)

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """One row a quote: id, source, quote, start, end."""
        return _frame(self.record.evidence, core.Evidence)

    @cached_property
    def figures(self) -> pd.DataFrame:
        """One row a figure in the evidence, with what joined it since: subject, label, value, unit, period, quote, …"""
        rows = figure_rows(self.evidence_now, self.pages)
        return figure_frame(replace(row, subject=subject_named(row)) for row in rows)

    @cached_property
    def contradictions(self) -> pd.DataFrame:
        """One row for each side of a contradiction, also with what joined since: its number, kind, label, value, …"""
        import pandas as pd

        rows = [
            {"contradiction": number, "kind": found.kind.value, "subject": found.subject, "label": found.label}
            | side.model_dump()
            for number, found in enumerate(self.contradictions_now, 1)
            for side in found.sides
        ]
        columns = ["contradiction", "kind", "subject", "label", *Side.model_fields]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def notes(self) -> pd.DataFrame:
        """One row a research note: step, query, summary (Markdown, citing evidence as `[E12]`), sources."""
        return _frame(notes_of(self.view.notes), ResearchNote)

    @cached_property
    def sentences(self) -> pd.DataFrame:
        """One row a sentence of the report: text, evidence, verdict, score, reason (in its language), …"""
        frame, language = _frame(self.record.sentences, core.Sentence), self.record.brief.language
        frame["reason"] = [one.reason.in_(language) if one.reason else "" for one in self.record.sentences]
        return frame

    @cached_property
    def events(self) -> pd.DataFrame:
        """One row an event: seq, at (UTC), type, and each field that any event has (missing ones empty)."""
        import pandas as pd

        return pd.DataFrame([event.model_dump() for event in self.history])

    @cached_property
    def usage(self) -> pd.DataFrame:
        """One row a role: calls, input_tokens, output_tokens, cached, cached_tokens, spared_tokens, cost_usd."""
        import pandas as pd

        rows = {role.value: entry.model_dump() for role, entry in self.record.usage.items()}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(Usage.model_fields)).rename_axis("role")


def _frame(rows: Iterable[BaseModel], model: type[BaseModel]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([row.model_dump() for row in rows], columns=list(model.model_fields))
