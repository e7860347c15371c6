"""Everything that a run tells the outside: typed facts in the past tense, numbered, timed and stored.

The live page, the notebook, the command line and the run store are all views of this one stream.

A *lane* is who it happened to: `supervisor`, or a researcher (`R1`, `R2`, …).
"""

from __future__ import annotations

from research.events.calls import ModelCalled
from research.events.fact import Emit, Event
from research.events.follow_ups import FollowUpAnswered, FollowUpSearched
from research.events.lanes import SUPERVISOR, TopicFinished, TopicQueued, TopicStarted
from research.events.pages import EvidenceFound, PageRead, PageSummarised
from research.events.plan import DepthChosen, PlanDrafted, PlanHeld, PlanSettled
from research.events.problems import ProblemOccurred, Stage
from research.events.run import ResearchFinished, RunFinished, RunResumed, RunStarted, Status
from research.events.searches import CollectionIndexed, SearchFailed, SearchReturned, SearchStarted
from research.events.steering import FinishRequested, QuestionAdded, SiteBlocked, StopRequested, TopicDropped
from research.events.thinking import Assessed, FindingsCompressed, NoteTaken, Reflected
from research.events.union import AnyEvent, parse_event
from research.events.writing import ReportExtended, ReportStarted, ReportVerified, ReportWritten, SentencesRepaired

__all__ = [
    "SUPERVISOR",
    "AnyEvent",
    "Assessed",
    "CollectionIndexed",
    "DepthChosen",
    "Emit",
    "Event",
    "EvidenceFound",
    "FindingsCompressed",
    "FinishRequested",
    "FollowUpAnswered",
    "FollowUpSearched",
    "ModelCalled",
    "NoteTaken",
    "PageRead",
    "PageSummarised",
    "PlanDrafted",
    "PlanHeld",
    "PlanSettled",
    "ProblemOccurred",
    "QuestionAdded",
    "Reflected",
    "ReportExtended",
    "ReportStarted",
    "ReportVerified",
    "ReportWritten",
    "ResearchFinished",
    "RunFinished",
    "RunResumed",
    "RunStarted",
    "SearchFailed",
    "SearchReturned",
    "SearchStarted",
    "SentencesRepaired",
    "SiteBlocked",
    "Stage",
    "Status",
    "StopRequested",
    "TopicDropped",
    "TopicFinished",
    "TopicQueued",
    "TopicStarted",
    "parse_event",
]
