"""What the user asked of a run while it was on."""

from __future__ import annotations

from typing import Literal

from research.events.fact import Event


class FinishRequested(Event):
    """The user asked to write the report now from what there is."""

    type: Literal["finish_requested"] = "finish_requested"


class StopRequested(Event):
    """The user asked to stop at once."""

    type: Literal["stop_requested"] = "stop_requested"


class QuestionAdded(Event):
    """The user asked one more question; it is researched after the topics that there are."""

    type: Literal["question_added"] = "question_added"
    question: str


class TopicDropped(Event):
    """The user dropped a topic: its researcher ends, and the report leaves out what only it found."""

    type: Literal["topic_dropped"] = "topic_dropped"
    lane: str


class SiteBlocked(Event):
    """The user blocked a site or a collection: it is read no more, and the report leaves out what was found there."""

    type: Literal["site_blocked"] = "site_blocked"
    site: str
