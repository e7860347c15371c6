"""Everything that a run tells the outside: typed facts in the past tense, numbered, timed and stored.

The live page, the notebook, the command line and the run store are all views of this one stream; what they share is
folded from it in `research.core.projection`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, TypeAdapter
from pydantic.alias_generators import to_snake

from research.core.brief import Brief, Depth, Outline, Reflection
from research.core.errors import Stage
from research.core.ledger import Page, Sentence
from research.core.origins import SourceName
from research.core.row_query import RowQuery
from research.core.vocabulary import Frozen, MethodName, Outside, Role, SourceKind, Status


class Event(Frozen):
    """A fact, whose type is the name of its class (`RunStarted`: `run_started`).

    `seq` counts from 1 within a run; both stamps are set by the recorder, not by who reports the fact.
    """

    seq: int = 0
    at: datetime | None = None
    type: str = ""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        cls.type = to_snake(cls.__name__)
        cls.__annotations__["type"] = Literal[cls.type]


class LaneEvent(Event):
    """A fact of one *lane*: of the supervisor, or of a researcher (`R1`, `R2`, …)."""

    lane: str


SUPERVISOR = "supervisor"
"""The lane of the supervisor."""
Emit = Callable[[Event], None]
"""Reports a fact. Never blocks for long and never raises into the research."""

# --- The run as a whole ----------------------------------------------------------------------------------------------


class RunStarted(Event):
    """The brief was composed and the research began."""

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

    models: dict[Role, str] = Field(default_factory=dict)
    """From now on; they may have been changed meanwhile."""


class ResearchFinished(Event):
    """Research ended, and the writing can begin."""

    reason: str
    """A code of `research.core.vocabulary.StopReason`."""
    why: str = ""


class RunFinished(Event):
    """The run ended."""

    status: Status
    seconds: float


# --- The plan of the report ------------------------------------------------------------------------------------------


class DepthChosen(Event):
    """It was decided how deep each section is searched, and why."""

    depth: Depth
    by: Literal["analyst", "user"]


class PlanDrafted(Event):
    """The report was planned; until `begins_at` somebody may edit the plan, if that is set."""

    outline: Outline
    begins_at: datetime | None = None


class PlanHeld(Event):
    """Somebody began to edit the plan; research waits for them, until `begins_at` at most."""

    begins_at: datetime


class PlanSettled(Event):
    """Research begins with this plan."""

    outline: Outline
    edited: bool
    step_budget: int | None = None
    """Steps (searches and reflections) that the plan may take; None where they are not counted."""


# --- Topics, each in the lane of its researcher ----------------------------------------------------------------------


class TopicQueued(LaneEvent):
    """A topic was handed out, or a section of the plan; it waits for its turn."""

    topic: str
    title: str = ""
    """The title of the section, if it is one."""


class TopicStarted(LaneEvent):
    """A researcher began with its topic."""


class TopicFinished(LaneEvent):
    """A researcher ended, by its own decision or by a limit."""

    reason: str
    """A code of `research.core.vocabulary.StopReason`."""
    why: str = ""
    """The same in the words of whoever decided, if they gave any."""
    notes: str = ""
    evidence: tuple[str, ...] = ()


# --- Queries to sources, and folders that are read to be searched ----------------------------------------------------


class CollectionIndexed(Event):
    """A folder of documents was read as far as `done` of `total` files; the last one has `done == total`."""

    source: SourceName
    done: int
    total: int
    skipped: tuple[tuple[str, str], ...] = ()
    """File name and reason code (see `research.core.errors`) of what could not be read."""


class SearchStarted(LaneEvent):
    """A query was sent to a source."""

    search: str
    """`Q1`, `Q2`, … within a run."""
    query: str
    source: SourceName


class SearchReturned(LaneEvent):
    """A source answered; `new` pages had not been read in this run before."""

    search: str
    pages: int
    new: int
    seconds: float
    cost_usd: float = 0.0
    """What the service charges for it, by its list price or the settings'."""


class SearchFailed(LaneEvent):
    """A source did not answer one query; the others go on."""

    search: str
    code: str
    detail: str = ""
    seconds: float = 0.0
    cost_usd: float = 0.0
    """What the service charges all the same: for what it was asked and nobody waited for any longer."""


# --- Pages that were read, and what was taken from them --------------------------------------------------------------


class PageRead(LaneEvent):
    """A page was kept; its text stands in the store under `sha256`."""

    search: str = ""
    """The search that found it."""
    page: str
    url: str
    title: str
    site: str
    origin: SourceName
    kind: SourceKind
    published: str | None
    sha256: str
    characters: int
    outside: tuple[Outside, ...] = ()
    """Limits of the brief that it is outside of."""

    @classmethod
    def of(cls, page: Page, lane: str, search: str = "") -> Self:
        """Return the event that a researcher has read `page`."""
        facts = page.model_dump(exclude={"id", "fetched_at", "text"})
        return cls(lane=lane, search=search, page=page.id, characters=len(page.text), **facts)


class PageSummarised(LaneEvent):
    """A page was summarised and quoted for one researcher."""

    page: str
    summary: str
    evidence: tuple[str, ...]
    cached: bool
    """The summary came from the cache, or from a call that another researcher was already making."""
    by_rule: bool
    """No model was involved."""
    seconds: float
    spared_tokens: int = 0
    """About how many tokens of the page no model was shown, because they do not bear on what is asked."""
    queries: tuple[RowQuery, ...] = ()
    """What a model asked the rows of a data file; the program worked out what they come to."""


class EvidenceFound(LaneEvent):
    """A quote that stands in its page entered the ledger."""

    id: str
    source: str
    quote: str
    start: int
    end: int
    answers: tuple[str, ...] = ()


# --- What was made of the findings, and calls of models ---------------------------------------------------------------


class Reflected(LaneEvent):
    """An analyst thought aloud (`think_tool`)."""

    reflection: str
    parts: Reflection | None = None


class Assessed(LaneEvent):
    """What was found on a topic was counted, after a search."""

    iteration: int
    """Searches of the topic so far."""
    criteria: dict[str, int]
    """Points for each criterion of `research.core.Criteria`, 0 to 2."""
    score: int
    """Their sum, 0 to 10."""
    missing: tuple[str, ...]
    """What is asked that is not covered, as the question says it; of an open one `research.gaps.aspects`."""
    coverage: dict[str, float] = Field(default_factory=dict)
    """How far each kind of information that the topic requires is there, 0 to 1."""
    confidence: float = 0.0
    """How sure that is, 0 to 1."""
    good_sources: int = 0


class NoteTaken(Event):
    """A research note was written: what one query brought."""

    step: int
    """Counts from 1 within a run."""
    query: str
    summary: str
    """Markdown, citing evidence as `[E12]`."""
    sources: tuple[str, ...]
    """Ids of the pages that it rests on."""


class FindingsCompressed(LaneEvent):
    """A researcher's evidence was reduced to what is relevant."""

    kept: tuple[str, ...]
    dropped: tuple[str, ...]


class ModelCalled(Event):
    """A model was called, whether or not the call brought something usable."""

    role: Role
    model: str
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Tokens of the prompt that the provider had kept from an earlier call and charges less for."""
    cost_usd: float | None = None
    """None if the price of the model is not known."""
    error: str = ""


# --- The report: written at once or in sections, held against its sources, repaired ----------------------------------


class ReportStarted(Event):
    """The writing began; sent again if it had to begin anew, which voids the text before."""

    analyst: str


class ReportExtended(Event):
    """A further piece of the report, as the analyst writes it, with ids (`[E12]`) not yet numbered."""

    text: str


class SectionExtended(Event):
    """A section, named by its researcher, grows; the whole report follows once all sections are written."""

    section: str
    title: str
    piece: int = 0
    """Its text stands behind that of lower pieces: a section may be written in several."""
    text: str
    anew: bool = False
    """What was written of this piece before is void."""


class SectionWritten(Event):
    """A section is written whole."""

    section: str
    title: str
    analyst: str
    evidence: tuple[str, ...]


class ReportWritten(Event):
    """The report is written; what follows can only mend or take out sentences."""

    analyst: str
    citations: int
    unknown_ids: int
    """Citations of evidence that does not exist; removed."""
    removed_links: int
    """Addresses that the analyst wrote itself; removed."""
    pages: float | None = None
    """How long it is, counted as `research.core.citations` counts; records of before that have none."""


class ReportVerified(Event):
    """Every sentence was held against the stored pages that it cites, by rules.

    Sent again after sentences were repaired or left out; the last one holds.
    """

    counts: dict[str, int]
    """Sentences for each verdict that occurs; those that claim nothing are not counted."""


class SentencesRepaired(Event):
    """Sentences that were not borne out went to the analyst once more."""

    changed: int
    """Better borne out now: other citations, or other words."""
    dropped: int
    kept: int
    """As they were, with their verdict: no repair was better, or none was proposed."""


# --- What went wrong, and what the user asked of a run while it was on ------------------------------------------------


class ProblemOccurred(Event):
    """Something went wrong and the run went on."""

    stage: Stage
    code: str
    """A key of `research.core.errors`, which says it in both languages."""
    subject: str = ""
    """What it happened to: a file, a query, a topic, a model."""
    lane: str = ""
    detail: str = ""
    """The technical reason, for the log."""


class FinishRequested(Event):
    """The user asked to write the report now from what there is."""


class StopRequested(Event):
    """The user asked to stop at once."""


class QuestionAdded(Event):
    """The user asked one more question; it is researched after the topics that there are."""

    question: str


class TopicDropped(LaneEvent):
    """The user dropped a topic: its researcher ends, and the report leaves out what only it found."""


class SiteBlocked(Event):
    """The user blocked a site or a collection: it is read no more, and the report leaves out what was found there."""

    site: str


# --- Questions about the report, after the run -----------------------------------------------------------------------


class FollowUpAnswered(Event):
    """After the run, a question about its report was answered from its evidence.

    Of several with one number the last holds: it was answered again after a search.
    """

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
    """Why no model wrote it although one was to: a key of `research.core.errors`."""
    run: str = ""
    """Id of the small run that searched for it, if one did."""
    added: tuple[str, ...] = ()
    """Ids of the pages that this run brought."""
    is_claimed: bool = False
    """Whether it came with a run from elsewhere: who wrote it is what its file says."""


class FollowUpSearched(Event):
    """After the run, a small run of its own was started to search for what a question asks."""

    number: int
    run: str


# --- All of them -----------------------------------------------------------------------------------------------------


AnyEvent = Annotated[
    RunStarted | RunResumed | ResearchFinished | RunFinished | DepthChosen | PlanDrafted | PlanHeld | PlanSettled
    | TopicQueued | TopicStarted | TopicFinished | CollectionIndexed | SearchStarted | SearchReturned
    | SearchFailed | PageRead | PageSummarised | EvidenceFound | Reflected | Assessed | NoteTaken
    | FindingsCompressed | ModelCalled | ReportStarted | ReportExtended | SectionExtended | SectionWritten
    | ReportWritten | ReportVerified | SentencesRepaired | ProblemOccurred | FinishRequested | StopRequested
    | QuestionAdded | TopicDropped | SiteBlocked | FollowUpAnswered | FollowUpSearched,
    Field(discriminator="type"),
]  # fmt: skip

_adapter: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def parse_event(line: str | bytes) -> AnyEvent:
    """Read one line of `events.jsonl`.

    Raises:
        pydantic.ValidationError: the line is no event of this version.
    """
    return _adapter.validate_json(line)
