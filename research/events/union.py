"""All events as one type, and how a stored one is read."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from research.events.calls import ModelCalled
from research.events.follow_ups import FollowUpAnswered, FollowUpSearched
from research.events.lanes import TopicFinished, TopicQueued, TopicStarted
from research.events.pages import EvidenceFound, PageRead, PageSummarised
from research.events.plan import DepthChosen, PlanDrafted, PlanHeld, PlanSettled
from research.events.problems import ProblemOccurred
from research.events.run import ResearchFinished, RunFinished, RunResumed, RunStarted
from research.events.searches import CollectionIndexed, SearchFailed, SearchReturned, SearchStarted
from research.events.steering import FinishRequested, QuestionAdded, SiteBlocked, StopRequested, TopicDropped
from research.events.thinking import Assessed, FindingsCompressed, NoteTaken, Reflected
from research.events.writing import ReportExtended, ReportStarted, ReportVerified, ReportWritten, SentencesRepaired

AnyEvent = Annotated[
    RunStarted
    | RunResumed
    | DepthChosen
    | PlanDrafted
    | PlanHeld
    | PlanSettled
    | CollectionIndexed
    | Reflected
    | Assessed
    | NoteTaken
    | TopicQueued
    | TopicStarted
    | TopicFinished
    | ResearchFinished
    | SearchStarted
    | SearchReturned
    | SearchFailed
    | PageRead
    | EvidenceFound
    | PageSummarised
    | FindingsCompressed
    | ModelCalled
    | ReportStarted
    | ReportExtended
    | ReportWritten
    | ReportVerified
    | SentencesRepaired
    | ProblemOccurred
    | FinishRequested
    | StopRequested
    | QuestionAdded
    | TopicDropped
    | SiteBlocked
    | RunFinished
    | FollowUpAnswered
    | FollowUpSearched,
    Field(discriminator="type"),
]

_adapter: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def parse_event(line: str | bytes) -> AnyEvent:
    """Read one line of `events.jsonl`.

    Raises:
        pydantic.ValidationError: the line is no event of this version.
    """
    return _adapter.validate_json(line)
