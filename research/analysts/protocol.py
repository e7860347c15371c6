"""What decides and writes: the protocol of an analyst, what passes to and fro, and one analyst behind another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Protocol, TypeVar

from research import core

if TYPE_CHECKING:
    from research.analysts.chat.models import RoleModels


@dataclass(frozen=True)
class Think:
    """A reflection, recorded and shown (`think_tool`); never carried out together with other actions."""

    reflection: str
    parts: core.Reflection | None = None
    """The reflection in parts, where it was asked for in parts."""


@dataclass(frozen=True)
class ConductResearch:
    """Hand one self-contained topic, a full paragraph, to a researcher."""

    topic: str
    is_hard: bool = True
    """A hard topic may be searched for longer than a simple one."""
    section: core.Section | None = None
    """What the topic wants, point by point, where whoever chose it knows."""


@dataclass(frozen=True)
class Search:
    """Search with several queries at once."""

    queries: tuple[str, ...]


@dataclass(frozen=True)
class UseTool:
    """Ask a tool of a server that the user set up. What it answers is read and quoted like a page that was found."""

    server: str
    tool: str
    arguments: str = "{}"
    """A JSON object."""


@dataclass(frozen=True)
class ResearchComplete:
    """End the loop; `reason` is shown."""

    reason: str = ""
    code: core.StopReason = core.StopReason.COMPLETE


SupervisorAction = Think | ConductResearch | ResearchComplete
ResearcherAction = Think | Search | UseTool | ResearchComplete


@dataclass(frozen=True)
class AnswerRequest:
    """A question about a finished report, to be answered from its evidence alone."""

    brief: core.Brief
    question: str
    today: date
    evidence: dict[str, core.Evidence]
    """Evidence by id, the nearest to the question first: what is not in here cannot be cited."""
    pages: dict[str, core.Page]


@dataclass(frozen=True)
class Answer:
    """What the evidence says on a question."""

    text: str
    """Markdown, citing evidence as `[E12]`; no URL, no citation number. Empty if the evidence says nothing on it."""
    is_answered: bool
    """Whether the evidence answers the question, as far as whoever wrote this can say."""
    missing: str = ""
    """What it does not answer, in a sentence; only of a model."""


@dataclass(frozen=True)
class PlanRequest:
    """A brief that is to be planned."""

    brief: core.Brief
    today: date
    limits: core.Limits


@dataclass(frozen=True)
class PageRequest:
    """A page to be summarised with a question in mind."""

    page: core.Page
    text: str
    """The part of the page to look at: all of it, or the passages nearest to the question."""
    question: str
    """The brief's question: the same for every researcher, so that a summary is shared by all."""
    topic: str
    """The researcher's topic. Rules may use it; whatever uses it cannot be cached."""
    limits: core.Limits
    topics: tuple[str, ...] = ()
    """Parts of the question that the page speaks of, whoever researches them: it is asked for all at once."""
    answering: tuple[tuple[int, int], ...] | None = None
    """Offsets of the values that the search found to be the highest, say, of all; None if it cannot tell."""


@dataclass(frozen=True)
class PageSummary:
    """What a page says about the question."""

    summary: str
    key_excerpts: tuple[str, ...]
    """Up to five verbatim quotes."""
    by_rule: bool = False
    """No model was involved (extractive, or the fallback of a call that failed)."""
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The excerpts that hold a value which answers something asked, with what: see `core.Evidence.answers`."""
    queries: tuple[core.RowQuery, ...] = ()
    """What the rows of the page were asked; the excerpts are the rows that stand for the answers."""


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

    brief: core.Brief
    today: date
    sentences: tuple[WeakSentence, ...]
    evidence: dict[str, core.Evidence]
    """The candidates of all sentences, by id: what is not in here cannot be cited."""
    pages: dict[str, core.Page]


@dataclass(frozen=True)
class Repair:
    """What to do with one sentence. Whether it is done is for the program to decide."""

    sentence: int
    """Its position in the request."""
    text: str
    """The sentence, as it is or reworded; empty to take it out."""
    evidence: tuple[str, ...]
    """Ids that it is to cite."""


@dataclass(frozen=True)
class OpenSentence:
    """A sentence on which rules could not decide, and what it cites."""

    text: str
    """Plain text, without marks."""
    passages: dict[str, str]
    """By the id of the evidence: what of its page is nearest to the sentence, an ellipsis for the rest."""


@dataclass(frozen=True)
class Reading:
    """What was read of one sentence. Whether it counts is for the program to decide."""

    sentence: int
    """Its position in what was asked."""
    evidence: str
    quote: str
    """The passage that it rests on, as the page has it."""
    verdict: str
    """`supported`, `partial`, or `unsupported` if the passage says otherwise."""
    model: str


@dataclass(frozen=True)
class QueryOutcome:
    """What one query brought."""

    query: str
    evidence: tuple[str, ...]
    """Ids of what it entered into the ledger, or met there again."""


@dataclass(frozen=True)
class Step:
    """One action and what the program observed when it carried it out.

    Observations are written by the program (counts, ids, sites, dates) and by analysts (summaries, notes). They hold
    no page text, title or snippet, because they are shown to calls that can act.
    """

    action: SupervisorAction | ResearcherAction
    observation: str
    found: tuple[QueryOutcome, ...] = ()
    """What each query of a search brought."""


@dataclass(frozen=True)
class ToolParameter:
    """A parameter of a tool."""

    name: str
    kind: str
    """Its type in JSON Schema: `string`, `integer`, `number`, `boolean`, `array` or `object`."""
    is_required: bool


@dataclass(frozen=True)
class OfferedTool:
    """A tool of a server that the user set up.

    Its names are letters, digits and `_.-` alone. What the server says of it is left out: it is a stranger's text, and
    this is shown to calls that can act.
    """

    server: str
    name: str
    parameters: tuple[ToolParameter, ...]
    instructions: str = ""
    """What the user says of the server."""


@dataclass(frozen=True)
class Findings:
    """The evidence for one topic, to be compressed."""

    brief: core.Brief
    topic: str
    evidence: tuple[core.Evidence, ...]
    pages: dict[str, core.Page]
    note_tokens: int = 150
    """Length that the notes are asked to keep to."""
    may_quote: bool = False
    """Whether rules may put words of a page into the notes: only where people read them, not what may act on them."""
    among: tuple[core.Evidence, ...] = ()
    """Everything found so far, where `evidence` is a part of it: it tells what is beside the point. On `pages` too."""
    queries: Mapping[str, tuple[core.RowQuery, ...]] = field(default_factory=dict)
    """What the rows of pages were asked, by the ids of these."""


@dataclass(frozen=True)
class Compression:
    """Which evidence to keep, and notes on it for the supervisor."""

    keep: tuple[str, ...]
    notes: str


@dataclass(frozen=True)
class TopicResult:
    """What one researcher brought back."""

    topic: str
    evidence: tuple[str, ...]
    """Ids of the evidence kept, in the order found."""
    notes: str
    """What the analyst says of it: covered, missing, doubtful."""
    failed: bool = False
    section: core.Section | None = None
    """The section of the plan that it was for, if there is a plan."""
    assessment: core.Assessment | None = None
    """What was counted of it at the end; None if nothing was searched."""


@dataclass(frozen=True)
class SupervisorView:
    """Everything that the next decision of the supervisor may rest on."""

    brief: core.Brief
    today: date
    limits: core.Limits
    turn: int
    """Decisions taken so far."""
    topics_left: int
    steps: tuple[Step, ...]
    results: tuple[TopicResult, ...]


@dataclass(frozen=True)
class ResearcherView:
    """Everything that the next decision of a researcher may rest on: its topic alone, not its siblings'."""

    brief: core.Brief
    topic: str
    today: date
    limits: core.Limits
    """Those of this researcher: a method, or a simple topic, may set them lower than the run's."""
    turn: int
    searches_left: int
    steps: tuple[Step, ...]
    evidence: tuple[core.Evidence, ...]
    """Found for this topic so far. For rules; a prompt that can act must not show the quotes."""
    pages: dict[str, core.Page] = field(default_factory=dict)
    """The pages that `evidence` quotes, by id. For rules alone, likewise."""
    section: core.Section | None = None
    """The section of the plan that the topic is, if there is a plan."""
    assessment: core.Assessment | None = None
    """What is counted of what was found; None before the first search."""
    tools: tuple[OfferedTool, ...] = ()
    """What may be asked besides searching."""

    @property
    def queries_made(self) -> tuple[str, ...]:
        """Every query of this topic so far, in order."""
        return tuple(query for step in self.steps if isinstance(step.action, Search) for query in step.action.queries)

    @property
    def has_reflected(self) -> bool:
        """Whether the last thing done was a reflection."""
        return bool(self.steps) and isinstance(self.steps[-1].action, Think)


@dataclass(frozen=True)
class SectionPart:
    """The section of a report that is to be written alone, beside others."""

    title: str
    others: tuple[str, ...] = ()
    """Titles of the other sections known so far: what they tell is left to them."""
    share: float = 1.0
    """The share of the report's length that it may take."""


@dataclass(frozen=True)
class ReportRequest:
    """Everything that the report may rest on. What went wrong on the way is added to the report by the program."""

    brief: core.Brief
    today: date
    results: tuple[TopicResult, ...]
    evidence: dict[str, core.Evidence]
    """Evidence by id: what is not in here cannot be cited."""
    pages: dict[str, core.Page]
    """The pages of the evidence, by id."""
    read: tuple[core.Page, ...] = ()
    """Every page that was read, quoted or not."""
    outline: core.Outline | None = None
    """The plan that the report follows, if there is one."""
    added: tuple[str, ...] = ()
    """Questions that were asked while research was under way."""
    queries: Mapping[str, tuple[core.RowQuery, ...]] = field(default_factory=dict)
    """What the rows of pages were asked, by the ids of these."""
    earlier: str = ""
    """The report as it was written before, if it is to be written again because of its length."""
    part: SectionPart | None = None
    """The only section to be written, without its heading; None for the whole report."""
    role: core.Role = core.Role.FINAL_REPORT
    """Whose model writes."""


@dataclass(frozen=True)
class FrameRequest:
    """The sections of a report, around which a summary, an introduction and a conclusion are to be written."""

    brief: core.Brief
    today: date
    sentences: tuple[str, ...]
    """What the sections state, with ids as in `[E12]`, in order."""
    outline: core.Outline | None = None
    role: core.Role = core.Role.FINAL_REPORT
    """Whose model writes."""
    is_whole: bool = True
    """Whether these are all sentences: of a part of them, none can be named as told twice."""


@dataclass(frozen=True)
class Frame:
    """What stands around the sections of a report. Its texts cite evidence as `[E12]`."""

    title: str
    opening: str
    """The answer, before the sections."""
    conclusion: str = ""
    disagreements: tuple[str, ...] = ()
    """Where sections or sources contradict each other, a sentence each."""
    repeated: tuple[int, ...] = ()
    """Positions of sentences that only say again what another says."""


class Analyst(Protocol):
    """Who decides, summarises and writes.

    Every method may raise `ModelError`; the graphs then fall back to rules and go on.
    """

    @property
    def name(self) -> str:
        """`chat` or `extractive`: shown wherever this analyst's output appears."""

    async def depth(self, request: PlanRequest) -> core.Depth:
        """Say how deep to search each section, and why."""

    async def outline(self, request: PlanRequest) -> core.Outline:
        """Plan the report: three to `limits.methods.sections` sections."""

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic, at most `limits.queries`; none if it needs no research."""

    async def reflect(self, view: ResearcherView) -> core.Reflection:
        """Think about what a search brought, in parts; no better queries if there is nothing worth searching."""

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions; an empty list ends the research."""

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions; an empty list ends the topic."""

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it verbatim."""

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        """Return all that changes the summary besides the page (model, parameters, prompt), or None: not cacheable."""

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping; ids only, quotes are never rewritten."""

    def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report as Markdown in pieces, citing evidence as `[E12]`; no URL, no citation number."""

    async def frame(self, request: FrameRequest) -> Frame:
        """Write what stands around the sections of a report, and name what they tell twice."""

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Say how weak sentences can be repaired; those that are not named stay as they are."""

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        """Say what passages bear out of sentences; those that are not named stay with the verdict of rules."""

    async def answer(self, request: AnswerRequest) -> Answer:
        """Answer a question about a finished report from its evidence alone."""


class ProblemHandler(Protocol):
    """Is told what went wrong where the work went on."""

    def __call__(self, stage: core.Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Take a stage, a key of `research.core.errors`, what it happened to, and the technical reason."""


T = TypeVar("T")

_PATIENCE = 3
"""Calls, each begun after the last one failed, that may find nobody, before the first analyst is not asked any more."""
_NOBODY = frozenset({"model_unreachable", "model_timeout"})
_DECIDING = frozenset({core.Role.PLANNING, core.Role.RESEARCH})
"""Roles in which another's model stands in: their calls are few, and what they decide is most of what a run finds.

Pages stay with the model that was chosen to read them, and for all else rules lose no quote.
"""


class FallbackAnalyst:
    """Asks `primary`, and where that fails `backup`.

    A role whose model refuses is not asked again in this run, unless another model stands in; if no model can be
    reached or none answers, none is asked. Each kind of failure is reported once a stage. `write`, `frame`, `answer`,
    `repair` and `judge` have no fallback here and raise a `ModelError`: a failed text has to begin anew, which is for
    the caller to decide, and its author has to be named; a failed repair leaves the report as it is.
    """

    def __init__(
        self,
        primary: Analyst,
        backup: Analyst,
        on_problem: ProblemHandler,
        stand_ins: RoleModels | None = None,
    ) -> None:
        self._primary = primary
        self._backup = backup
        self._on_problem = on_problem
        self._stand_ins = stand_ins
        self._off: dict[core.Role, core.ModelError] = {}
        self._reported: set[tuple[core.Stage, str]] = set()
        self._unreached = 0

    @property
    def name(self) -> str:
        """The primary's name."""
        return self._primary.name

    async def depth(self, request: PlanRequest) -> core.Depth:
        """Say how deep to search each section."""
        return await self._try(core.Role.PLANNING, core.Stage.SCOPE, lambda analyst: analyst.depth(request))

    async def outline(self, request: PlanRequest) -> core.Outline:
        """Plan the report."""
        return await self._try(core.Role.PLANNING, core.Stage.SCOPE, lambda analyst: analyst.outline(request))

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return the first queries for a topic."""
        return await self._try(core.Role.RESEARCH, core.Stage.RESEARCH, lambda analyst: analyst.queries(view))

    async def reflect(self, view: ResearcherView) -> core.Reflection:
        """Think about what a search brought."""
        return await self._try(core.Role.RESEARCH, core.Stage.RESEARCH, lambda analyst: analyst.reflect(view))

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Choose the supervisor's next actions."""
        return await self._try(core.Role.RESEARCH, core.Stage.SCOPE, lambda analyst: analyst.supervise(view))

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Choose a researcher's next actions."""
        return await self._try(core.Role.RESEARCH, core.Stage.RESEARCH, lambda analyst: analyst.investigate(view))

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Summarise a page and quote it; the backup's summary is marked as made by rule, so that it is not kept."""

        async def summarise(analyst: Analyst) -> PageSummary:
            summary = await analyst.summarise(request)
            return summary if analyst is self._primary else replace(summary, by_rule=True)

        return await self._try(core.Role.SUMMARIZATION, core.Stage.SEARCH, summarise)

    def summary_key(self, request: PageRequest) -> tuple[str, ...] | None:
        """Return what changes the summary of whoever would make it."""
        analyst = self._backup if core.Role.SUMMARIZATION in self._off else self._primary
        return analyst.summary_key(request)

    async def compress(self, findings: Findings) -> Compression:
        """Choose the evidence worth keeping."""
        return await self._try(core.Role.COMPRESSION, core.Stage.RESEARCH, lambda analyst: analyst.compress(findings))

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Let the primary write the report."""
        async for piece in self._alone(request.role).write(request):
            yield piece

    async def frame(self, request: FrameRequest) -> Frame:
        """Let the primary write what stands around the sections of a report."""
        return await self._alone(request.role).frame(request)

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Let the primary repair what it wrote."""
        return await self._alone(core.Role.FINAL_REPORT).repair(request)

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        """Let the primary read what rules leave open."""
        return await self._alone(core.Role.SUMMARIZATION).judge(sentences)

    async def answer(self, request: AnswerRequest) -> Answer:
        """Let the primary answer a question."""
        return await self._primary.answer(request)

    def _alone(self, role: core.Role) -> Analyst:
        """Return the primary for what has no fallback here; raises why it is known to be out of reach, if it is."""
        if role in self._off:
            raise self._off[role]
        return self._primary

    async def _try(self, role: core.Role, stage: core.Stage, ask: Callable[[Analyst], Awaitable[T]]) -> T:
        while role not in self._off:
            before, model = self._unreached, self._stand_ins.names[role] if self._stand_ins else ""
            try:
                answer = await ask(self._primary)
            except core.ModelError as error:
                self._count(error, before)
                self._tell(stage, error)
                if not isinstance(error, core.ModelRefused):
                    break
                if not self._is_replaced(role, model, stage):
                    self._off.setdefault(role, error)
            else:
                self._unreached = 0
                return answer
        return await ask(self._backup)

    def _is_replaced(self, role: core.Role, refused: str, stage: core.Stage) -> bool:
        """Whether another model plays a role now whose model refused."""
        if role not in _DECIDING or self._stand_ins is None:
            return False
        is_first = self._stand_ins.names[role] == refused
        if not self._stand_ins.replace(role, refused):
            return False
        if is_first:
            self._on_problem(stage, "model_replaced", subject=f"{refused} → {self._stand_ins.names[role]}")
        return True

    def _count(self, error: core.ModelError, before: int) -> None:
        """Count those in a row that found nobody; `before` is how many there were when the call began.

        Of calls that fail side by side one counts: a server that is away for a moment is asked again.
        """
        if error.code not in _NOBODY:
            self._unreached = 0
        elif self._unreached == before:
            self._unreached += 1
        if self._unreached >= _PATIENCE:
            self._off = dict.fromkeys(core.Role, error)

    def _tell(self, stage: core.Stage, error: core.ModelError) -> None:
        # That the cap ends the research, the run says itself, once.
        if (stage, error.code) not in self._reported and not isinstance(error, core.CapReached):
            self._reported.add((stage, error.code))
            self._on_problem(stage, error.code, detail=error.detail)
