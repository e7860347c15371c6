"""Questions about a report, after its run."""

from __future__ import annotations

from typing import Literal

from research.core.ledger import Sentence
from research.events.fact import Event


class FollowUpAnswered(Event):
    """After the run, a question about its report was answered from its evidence.

    Of several with one number the last holds: it was answered again after a search.
    """

    type: Literal["follow_up_answered"] = "follow_up_answered"
    number: int
    """Counts from 1 within a run."""
    question: str
    writer: str
    """Who wrote the answer; `extractive` if it is composed of quotes by rule."""
    model: str = ""
    """The model that wrote it, if one did."""
    draft: str
    """The answer, citing evidence as `[E12]`; empty if there is nothing to say."""
    sentences: tuple[Sentence, ...] = ()
    """Each with its verdict; offsets are those in the draft."""
    is_answered: bool
    """Whether its writer says that the evidence answers the question."""
    is_covered: bool
    """Whether, counted by rule, the evidence speaks of what is asked (see `research.gaps`)."""
    missing: str = ""
    """What the evidence does not answer, in the words of the model."""
    problem: str = ""
    """Why no model wrote it although one was to: a key of `research.problems`."""
    run: str = ""
    """Id of the small run that searched for it, if one did."""
    added: tuple[str, ...] = ()
    """Ids of the pages that this run brought."""


class FollowUpSearched(Event):
    """After the run, a small run of its own was started to search for what a question asks."""

    type: Literal["follow_up_searched"] = "follow_up_searched"
    number: int
    run: str
