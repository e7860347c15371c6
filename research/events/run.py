"""A run as a whole: it began, its research ended, it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from research.core.brief import Brief
from research.core.presets import MethodName, Role
from research.core.vocabulary import SourceName
from research.events.fact import Event
from research.language import Bilingual


class Status(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    FAILED = "failed"

    @property
    def label(self) -> Bilingual:
        """Its name for a person."""
        return _STATUS[self]


_STATUS = {
    Status.COMPLETE: Bilingual("Complete", "完了"),
    Status.PARTIAL: Bilingual("Partial", "一部のみ"),
    Status.FAILED: Bilingual("Failed", "失敗"),
}


class RunStarted(Event):
    """The brief was composed and the research began."""

    type: Literal["run_started"] = "run_started"
    run: str
    brief: Brief
    brief_text: str
    analyst: str
    sources: tuple[SourceName, ...]
    models: dict[Role, str] = Field(default_factory=dict)
    method: MethodName = MethodName.SUPERVISED
    rewritten_from: str = ""
    """Id of the run whose evidence is written anew; nothing is searched."""
    follow_up_to: str = ""
    """Id of the run about whose report a question was asked that this run searches for."""


class RunResumed(Event):
    """A run that had broken off goes on, in another process or after a restart."""

    type: Literal["run_resumed"] = "run_resumed"
    models: dict[Role, str] = Field(default_factory=dict)
    """From now on; they may have been changed meanwhile."""


class ResearchFinished(Event):
    """Research ended, and the writing can begin."""

    type: Literal["research_finished"] = "research_finished"
    reason: str
    """A code of `research.methods.stopping.StopReason`."""
    why: str = ""


class RunFinished(Event):
    """The run ended."""

    type: Literal["run_finished"] = "run_finished"
    status: Status
    seconds: float
