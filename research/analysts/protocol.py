"""What the graphs ask of an analyst, whoever it is: a model or rules.

An analyst only decides and writes. It never searches, keeps or cites: the graphs do that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from research.brief import Brief
from research.evidence import Evidence, Page
from research.presets import Limits

# --- actions ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Think:
    """A reflection, recorded and shown (`think_tool`); never carried out together with other actions."""

    reflection: str


@dataclass(frozen=True)
class ConductResearch:
    """Hand one self-contained topic, a full paragraph, to a researcher."""

    topic: str


@dataclass(frozen=True)
class Search:
    """Search with several queries at once."""

    queries: tuple[str, ...]


@dataclass(frozen=True)
class ResearchComplete:
    """End the loop; `reason` is shown."""

    reason: str = ""


SupervisorAction = Think | ConductResearch | ResearchComplete
ResearcherAction = Think | Search | ResearchComplete


@dataclass(frozen=True)
class Step:
    """One action and what the program observed when it carried it out.

    Observations are written by the program (counts, ids, sites, dates) and by analysts (summaries, notes). They hold
    no page text, title or snippet, because they are shown to calls that can act.
    """

    action: SupervisorAction | ResearcherAction
    observation: str


# --- what the analyst is shown ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class TopicResult:
    """What one researcher brought back."""

    topic: str
    evidence: tuple[str, ...]
    """Ids of the evidence kept, in the order found."""
    notes: str
    """What the analyst says of it: covered, missing, doubtful."""
    failed: bool = False


@dataclass(frozen=True)
class SupervisorView:
    """Everything that the next decision of the supervisor may rest on."""

    brief: Brief
    brief_text: str
    today: date
    limits: Limits
    turn: int
    """Decisions taken so far."""
    topics_left: int
    steps: tuple[Step, ...]
    results: tuple[TopicResult, ...]


@dataclass(frozen=True)
class ResearcherView:
    """Everything that the next decision of a researcher may rest on: its topic alone, not its siblings'."""

    brief: Brief
    topic: str
    today: date
    limits: Limits
    turn: int
    searches_left: int
    steps: tuple[Step, ...]
    evidence: tuple[Evidence, ...]
    """Found for this topic so far. For rules; a prompt that can act must not show the quotes."""
    pages: dict[str, Page] = field(default_factory=dict)
    """The pages that `evidence` quotes, by id. For rules alone, likewise."""


# --- what the analyst returns ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class PageRequest:
    """A page to be summarised with a question in mind."""

    page: Page
    text: str
    """The part of the page to look at: all of it, or the passages nearest to the question."""
    question: str
    """The brief's question: the same for every researcher, so that a summary is shared by all."""
    topic: str
    """The researcher's topic. Rules may use it; whatever uses it cannot be cached."""
    limits: Limits


@dataclass(frozen=True)
class PageSummary:
    """What a page says about the question."""

    summary: str
    key_excerpts: tuple[str, ...]
    """Up to five verbatim quotes."""
    by_rule: bool = False
    """No model was involved (extractive, or the fallback of a call that failed)."""


@dataclass(frozen=True)
class Findings:
    """The evidence for one topic, to be compressed."""

    brief: Brief
    topic: str
    evidence: tuple[Evidence, ...]
    pages: dict[str, Page]


@dataclass(frozen=True)
class Compression:
    """Which evidence to keep, and notes on it for the supervisor."""

    keep: tuple[str, ...]
    notes: str


@dataclass(frozen=True)
class ReportRequest:
    """Everything that the report may rest on. What went wrong on the way is added to the report by the program."""

    brief: Brief
    brief_text: str
    today: date
    results: tuple[TopicResult, ...]
    evidence: dict[str, Evidence]
    """Evidence by id: what is not in here cannot be cited."""
    pages: dict[str, Page]


@dataclass(frozen=True)
class WeakSentence:
    """A sentence of the report that the pages it cites do not bear out, or that cites nothing."""

    text: str
    """Plain text, without marks."""
    cited: tuple[str, ...]
    reason: str
    """What the rules found."""
    candidates: tuple[str, ...]
    """Ids of the evidence that it cites and of the nearest to it: what else it could rest on."""
    is_row: bool = False
    """A row of a table: its citation can be changed, its words cannot."""


@dataclass(frozen=True)
class RepairRequest:
    """Sentences to be repaired, all at once."""

    brief: Brief
    today: date
    sentences: tuple[WeakSentence, ...]
    evidence: dict[str, Evidence]
    """The candidates of all sentences, by id: what is not in here cannot be cited."""
    pages: dict[str, Page]


@dataclass(frozen=True)
class Repair:
    """What to do with one sentence. Whether it is done is for the program to decide."""

    sentence: int
    """Its position in the request."""
    text: str
    """The sentence, as it is or reworded; empty to take it out."""
    evidence: tuple[str, ...]
    """Ids that it is to cite."""


class Analyst(Protocol):
    """Who decides, summarises and writes.

    Every method may raise `ModelError`; the graphs then fall back to rules and go on.
    """

    @property
    def name(self) -> str:
        """`chat` or `extractive`: shown wherever this analyst's output appears."""
        ...

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list ends the research."""
        ...

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list ends the topic."""
        ...

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it verbatim."""
        ...

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        """Return all that changes the summary besides the page (model, parameters, prompt), or None: not cacheable."""
        ...

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping; ids only, quotes are never rewritten."""
        ...

    def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report as Markdown in pieces, citing evidence as `[E12]`; no URL, no citation number."""
        ...

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Say how weak sentences can be repaired; those that are not named stay as they are."""
        ...
