"""What `run.json` holds of a run, whether it ended as it should or broke off."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict

from research.brief import Brief
from research.contradictions.model import Contradiction
from research.events import Event, ProblemOccurred, Stage, Status
from research.evidence import Evidence, Page
from research.language import Bilingual
from research.methods.names import MethodName
from research.outline import Outline
from research.presets import Role
from research.sentence import Sentence, in_both
from research.trail import Trail


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


def problems_in(events: Iterable[Event]) -> tuple[Problem, ...]:
    """Return the problems that events report, in order."""
    return tuple(Problem.of(event) for event in events if isinstance(event, ProblemOccurred))


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
    evidence: tuple[Evidence, ...]
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
    pages: float | None = None
    """How long the report is, counted as `research.length` counts; records of before that have none."""
    rewritten_from: str = ""
    """Id of the run whose evidence it was written from, if nothing was searched for it."""

    @property
    def ledger(self) -> dict[str, Evidence]:
        """Its evidence by id."""
        return {entry.id: entry for entry in self.evidence}

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
