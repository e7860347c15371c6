"""The result of a run: what `run.json` holds, the report as Markdown, and pandas frames of everything."""

from __future__ import annotations

from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from research.brief import Brief
from research.contradictions.model import Contradiction, Side
from research.events import AnyEvent, ProblemOccurred, Stage, Status
from research.evidence import Evidence, Page
from research.followup.model import FollowUp, follow_ups_of
from research.language import Bilingual
from research.methods.names import MethodName
from research.notes import ResearchNote, notes_of
from research.outline import Outline
from research.presets import Role
from research.sentence import FigureCheck, Passage, Sentence, in_both
from research.trail import Trail

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "EvidenceEntry",
    "FigureCheck",
    "LeftOut",
    "Passage",
    "Problem",
    "Report",
    "RunRecord",
    "Sentence",
    "SourceEntry",
    "Usage",
]


class Usage(BaseModel):
    """What one role's model calls came to."""

    model_config = ConfigDict(frozen=True)

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached: int = 0
    """Calls that were not made, because their answer was kept from before."""
    cost_usd: float | None = 0.0
    """None if the price of a model that was called is not known."""


class SourceEntry(BaseModel):
    """A page of the run, as `run.json` names it."""

    model_config = ConfigDict(frozen=True)

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

    @classmethod
    def of(cls, page: Page, number: int | None) -> Self:
        """Return the entry of a page."""
        return cls(
            id=page.id,
            url=page.url,
            title=page.title,
            site=page.site,
            kind=page.kind.value,
            origin=page.origin.value,
            published=page.published,
            fetched_at=page.fetched_at.isoformat(),
            sha256=page.sha256,
            number=number,
        )


class EvidenceEntry(BaseModel):
    """A quote of the run: `page[start:end] == quote`."""

    model_config = ConfigDict(frozen=True)

    id: str
    source: str
    quote: str
    start: int
    end: int


class LeftOut(BaseModel):
    """A sentence that a fact-strict report does not hold, and why."""

    model_config = ConfigDict(frozen=True)

    text: str
    evidence: tuple[str, ...]
    reason: Annotated[Bilingual, BeforeValidator(in_both)]
    verdict: str | None = None


class Problem(BaseModel):
    """Something that went wrong on the way, for tracing what let a report down."""

    model_config = ConfigDict(frozen=True)

    stage: Stage
    code: str
    subject: str = ""
    detail: str = ""

    @classmethod
    def of(cls, event: ProblemOccurred) -> Self:
        """Return the problem that an event reports."""
        return cls(stage=event.stage, code=event.code, subject=event.subject, detail=event.detail)


class RunRecord(BaseModel):
    """What `run.json` holds."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    run: str
    status: Status
    analyst: str
    """Who decided: `chat` or `extractive`."""
    writer: str
    """Who wrote the report; `extractive` also where a model was meant to and could not."""
    brief: Brief
    started_at: str
    seconds: float
    usage: dict[Role, Usage]
    sources: tuple[SourceEntry, ...]
    evidence: tuple[EvidenceEntry, ...]
    sentences: tuple[Sentence, ...]
    problems: tuple[Problem, ...] = ()
    draft: str = ""
    """The report's text with evidence ids (`[E12]`) where the finished forms have numbers."""
    left_out: tuple[LeftOut, ...] = ()
    """What a fact-strict report does not hold because no primary source bears it out."""
    contradictions: tuple[Contradiction, ...] = ()
    """What its sources say differently, as far as it was found."""
    trail: Trail = Trail()
    """How it was researched; records of before there were several methods have none."""
    rewritten_from: str = ""
    """Id of the run whose evidence it was written from, if nothing was searched for it."""

    @property
    def method(self) -> MethodName:
        """How its research was organised."""
        return self.trail.method

    @property
    def outline(self) -> Outline | None:
        """The plan that it follows, if there was one."""
        return self.trail.outline

    @property
    def day(self) -> date:
        """The day of the research, from which it counts how recent a source is."""
        return datetime.fromisoformat(self.started_at).date()


class Report(BaseModel):
    """A finished run."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    record: RunRecord
    markdown: str
    """The report with numbered citations and its list of sources."""
    history: tuple[AnyEvent, ...] = Field(default=(), repr=False)
    """Every event of the run, in order."""
    pages: dict[str, Page] = Field(default_factory=dict, repr=False)
    """Every page that the run read, as it was read, by id."""

    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.record.status

    @property
    def follow_ups(self) -> tuple[FollowUp, ...]:
        """What was asked about it afterwards, in order, each with its answer."""
        return follow_ups_of(self.history)

    @cached_property
    def sources(self) -> pd.DataFrame:
        """One row a page: id, url, title, site, kind, published, number, …"""
        return _frame(self.record.sources, SourceEntry)

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """One row a quote: id, source, quote, start, end."""
        return _frame(self.record.evidence, EvidenceEntry)

    @cached_property
    def figures(self) -> pd.DataFrame:
        """One row a figure in the evidence: subject, label, value, unit, currency, period, quote, source, date, …"""
        from research.verification.figure_table import figure_frame, figure_rows

        quotes = [Evidence(**entry.model_dump()) for entry in self.record.evidence]
        return figure_frame(figure_rows(quotes, self.pages))

    @cached_property
    def contradictions(self) -> pd.DataFrame:
        """One row for each side of a contradiction: its number, kind, subject, label, value, quote, source, …"""
        import pandas as pd

        rows = [
            {"contradiction": number, "kind": found.kind.value, "subject": found.subject, "label": found.label}
            | side.model_dump()
            for number, found in enumerate(self.record.contradictions, 1)
            for side in found.sides
        ]
        columns = ["contradiction", "kind", "subject", "label", *Side.model_fields]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def notes(self) -> pd.DataFrame:
        """One row a research note: step, query, summary (Markdown, citing evidence as `[E12]`), sources."""
        return _frame(notes_of(self.history), ResearchNote)

    @cached_property
    def sentences(self) -> pd.DataFrame:
        """One row a sentence of the report: text, evidence, verdict, score, reason (in its language), …"""
        frame, language = _frame(self.record.sentences, Sentence), self.record.brief.language
        frame["reason"] = [one.reason.in_(language) if one.reason else "" for one in self.record.sentences]
        return frame

    @cached_property
    def events(self) -> pd.DataFrame:
        """One row an event: seq, at (UTC), type, and each field that any event has (missing ones empty)."""
        import pandas as pd

        return pd.DataFrame([event.model_dump() for event in self.history])

    @cached_property
    def usage(self) -> pd.DataFrame:
        """One row a role: calls, input_tokens, output_tokens, cached, cost_usd."""
        import pandas as pd

        rows = {role.value: entry.model_dump() for role, entry in self.record.usage.items()}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(Usage.model_fields)).rename_axis("role")


def _frame(rows: tuple[BaseModel, ...], model: type[BaseModel]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([row.model_dump() for row in rows], columns=list(model.model_fields))
