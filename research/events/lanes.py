"""Topics, each in the lane of its researcher."""

from __future__ import annotations

from typing import Literal

from research.events.fact import Event

SUPERVISOR = "supervisor"
"""The lane of the supervisor; those of researchers are `R1`, `R2`, …"""


class TopicQueued(Event):
    """A topic was handed out, or a section of the plan; it waits for its turn."""

    type: Literal["topic_queued"] = "topic_queued"
    lane: str
    topic: str
    title: str = ""
    """The title of the section, if it is one."""


class TopicStarted(Event):
    """A researcher began with its topic."""

    type: Literal["topic_started"] = "topic_started"
    lane: str


class TopicFinished(Event):
    """A researcher ended, by its own decision or by a limit."""

    type: Literal["topic_finished"] = "topic_finished"
    lane: str
    reason: str
    """A code of `research.methods.stopping.StopReason`."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    notes: str = ""
    evidence: tuple[str, ...] = ()
