"""A run conducted from its first event to its last, and small ones that answer further questions about its report."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, cast

from research import core, results
from research.analysts import Analyst, Answer, AnswerRequest
from research.engine.context import Control, Journal, RunContext, World, restore, take_up
from research.engine.proving import ProvenReport, compose_report
from research.engine.writing import is_strict, parts_answered
from research.gaps import is_excluded, search_words, spoken_of, under_heading, word_shares
from research.language import COMMA, Bilingual, Language, Phrase
from research.results import ProofBasis, Report, keep_primary, lane_of, primary_evidence, prove_draft
from research.text import Part, compared_in, question_parts
from research.verification import Contradiction, Label, contradictions_of

if TYPE_CHECKING:
    from research.engine.graph import RunGraph


@dataclass(frozen=True)
class RunResult:
    """What a run leaves behind."""

    record: results.RunRecord
    markdown: str
    pages: dict[str, core.Page]


async def conduct(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    limits: core.Limits | None = None,
    follow_up_to: str = "",
) -> RunResult:
    """Research `brief` and write the report; `limits` are those of the brief's preset unless given.

    Always returns a result: whatever fails, is finished early or is stopped, the report is written from what was
    found, and it says what is missing. Cancelling this coroutine is the only way to get none. `follow_up_to` names the
    run about whose report it searches for an answer.
    """
    context = await opened(run_id, brief, world, journal, control, limits=limits)
    context.emit(_started(context, follow_up_to=follow_up_to))
    return await _carried_out(context, _by_graph(context))


async def opened(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    limits: core.Limits | None = None,
) -> RunContext:
    """Return the empty books of a run, to which its world leads from now on."""
    await asyncio.to_thread(_load, world)  # The time for a run is not spent on loading what carries it out.
    brief = core.by_country(brief)
    context = RunContext(run_id, brief, world, journal, control, limits or core.PRESETS[brief.preset].limits)
    world.channel.connect(context)
    return context


def load_run() -> None:
    """Load what carries out any run: it takes seconds, which may pass while a brief is read."""
    question_parts("…")  # Whatever is asked, the names of all places are compiled first.
    _graph()
    search_words()


def _load(world: World) -> None:
    load_run()
    world.load()


def _started(context: RunContext, *, rewritten_from: str = "", follow_up_to: str = "") -> core.RunStarted:
    world = context.world
    return core.RunStarted(
        run=context.run,
        brief=context.brief,
        brief_text=core.compose(context.brief),
        analyst=world.analyst.name,
        sources=tuple(dict.fromkeys(source.name for source in world.sources)),
        models=world.models,
        method=context.method,
        rewritten_from=rewritten_from,
        follow_up_to=follow_up_to,
    )


async def _carried_out(
    context: RunContext,
    work: Awaitable[ProvenReport],
    *,
    seconds: float = 0.0,
    trail: results.Trail | None = None,
    rewritten_from: str = "",
) -> RunResult:
    """Return what a run leaves behind whose `work` brings the report.

    It had worked for so many `seconds` before it broke off; `trail` says how the evidence of the run that it is
    `rewritten_from` was researched.
    """
    began, world = time.monotonic() - seconds, context.world
    async with _wishes_heard(context):
        with core.tracing(world.is_traced):
            report = await _report(context, work)
        for task in (*context.desk.tasks.values(), *filter(None, [context.preparing])):
            task.cancel()
    found = await asyncio.to_thread(_contradictions, context, report)
    parts = await asyncio.to_thread(parts_answered, context, report.cited)
    if report.writer != world.rules.name:  # A report by rule names what it did not find.
        for part in parts:
            if not part.is_spoken_of and len(parts) > 1:
                context.problem(core.Stage.SEARCH, "part_unanswered", subject=str(Part(part.about, part.asked)))
    view, ledger, draft = core.RunView.of(context.journal.events), context.ledger, report.cited.draft
    problems = results.problems_of(view)
    record = results.RunRecord(
        run=context.run,
        status=_status(problems),
        analyst=world.analyst.name,
        writer=report.writer,
        brief=context.brief,
        started_at=context.started_at.isoformat(),
        seconds=time.monotonic() - began,
        usage=results.usage_of(view),
        sources=tuple(
            results.SourceEntry.of(page, report.cited.numbers.get(page.id)) for page in ledger.pages.values()
        ),
        evidence=tuple(ledger.evidence.values()),
        sentences=report.sentences,
        problems=problems,
        parts=parts,
        draft=draft,
        pages=core.pages_of(draft),
        left_out=report.left_out,
        contradictions=found,
        trail=trail or results.trail_of(view),
        rewritten_from=rewritten_from,
    )
    context.emit(core.RunFinished(status=record.status, seconds=record.seconds))
    return RunResult(record, world.write_out(record, ledger.pages, world.models), ledger.pages)


@asynccontextmanager
async def _wishes_heard(context: RunContext) -> AsyncIterator[None]:
    """Do meanwhile what the user asks for, and keep an eye on what is spent."""
    wishes = asyncio.gather(
        _tell(context.control.finish, context, core.FinishRequested()),
        _tell(context.control.stop, context, core.StopRequested()),
        _obey_steering(context),
        context.spending.watch(),
    )
    try:
        yield
    finally:
        wishes.cancel()
        await asyncio.gather(wishes, return_exceptions=True)


async def _tell(wish: asyncio.Event, context: RunContext, event: core.Event) -> None:
    await wish.wait()
    context.emit(event)


async def _obey_steering(context: RunContext) -> None:
    """Enter whatever is asked, as it is asked; ends by being cancelled."""
    while True:
        _enter(context, await context.control.of_books.get())


def _enter(context: RunContext, steer: core.BookSteer) -> None:
    match steer:
        case core.AddQuestion(text=text):
            if context.is_researched:
                context.problem(core.Stage.RESEARCH, "question_late", subject=text[:80])
            elif text not in context.questions:
                context.questions.append(text)
                context.emit(core.QuestionAdded(question=text))
        case core.DropTopic(lane=name):
            # Whatever names no researcher, or one that is dropped already, changes nothing.
            for lane in context.lanes:
                if lane.name == name and not lane.dropped.is_set():
                    lane.dropped.set()
                    context.emit(core.TopicDropped(lane=name))
        case core.BlockSite(site=site):
            if site not in context.blocked_sites:
                context.blocked_sites.append(site)
                context.emit(core.SiteBlocked(site=site))


@cache
def _graph() -> RunGraph:
    """Return the graph of a run; what it is made of takes a second to load, which a list of runs does not need."""
    from research.engine.graph import build_run

    return build_run()


async def _by_graph(context: RunContext) -> ProvenReport:
    """Research and write the report, or write it from what the books hold."""
    state = await _graph().ainvoke({}, context=context)
    report: ProvenReport = state["report"]
    return report


async def _report(context: RunContext, work: Awaitable[ProvenReport]) -> ProvenReport:
    try:
        report = await work
    except Exception as error:  # noqa: BLE001 - whatever breaks, what was found becomes a report
        context.problem(core.Stage.RESEARCH, "internal", detail=f"{type(error).__name__}: {error}")
        return await compose_report(context)
    if context.control.stop.is_set():
        context.problem(core.Stage.RESEARCH, "stopped")
    return report


def _contradictions(context: RunContext, report: ProvenReport) -> tuple[Contradiction, ...]:
    """Return what the sources say differently of what the report says, cited by it or not."""
    wanted = {entry.id: entry for entry in context.wanted}
    cited = (name for sentence in report.sentences for name in sentence.evidence)
    pages, question = context.ledger.pages, context.brief.question
    found, failed = contradictions_of(context.journal.events, wanted, pages, question, cited)
    if failed:
        context.problem(core.Stage.WRITING, "comparison_failed", detail=failed)
    return found


_NOTHING_LOST = {"repair_failed", "judging_failed", "plan_empty", "plan_shortened", "report_longer", "report_shorter"}
"""Problems that take nothing from the report."""
_TELLING = {
    "no_hits",
    "subject_missing",
    "answer_missing",
    "search_unauthorized",
    "search_denied",
    "search_quota",
    "model_unauthorized",
}
"""Problems that leave a report incomplete in whichever stage they occur."""


def _status(problems: Sequence[results.Problem]) -> core.Status:
    telling = [problem for problem in problems if problem.code not in _NOTHING_LOST]
    # A problem of searching costs a page or a query, not the report.
    lets_down = any(problem.stage is not core.Stage.SEARCH or problem.code in _TELLING for problem in telling)
    return core.Status.PARTIAL if lets_down else core.Status.COMPLETE


async def resume(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    events: Sequence[core.AnyEvent],
    pages: Mapping[str, core.Page],
) -> RunResult:
    """Go on with the run that reported `events` and kept `pages` before it broke off; see `engine.conduct`."""
    run = core.RunView.of(events)
    seconds = run.worked.total_seconds()
    context = await opened(run_id, brief, world, journal, control)
    context.spending.resume(events, seconds)
    for event in events:
        context.outgoing.hear(event)
    context.emit(core.RunResumed(models=world.models))

    async def work() -> ProvenReport:
        enter = restore if run.is_ending else take_up
        enter(context, run, pages)
        context.desk.kept = dict(run.sections)
        return await _by_graph(context)

    return await _carried_out(context, work(), seconds=seconds)


REWRITABLE = ("audience", "length", "form", "summary", "tone", "language")
"""The fields of a brief that another report from the same evidence may have otherwise."""

_BOOKS = (
    core.DepthChosen,
    core.PlanDrafted,
    core.PlanSettled,
    core.NoteTaken,
    core.TopicQueued,
    core.TopicStarted,
    core.TopicFinished,
    core.TopicDropped,
    core.SiteBlocked,
    core.PageRead,
    core.PageSummarised,
    core.EvidenceFound,
    core.FindingsCompressed,
)
"""What a run tells of its books; searches, calls and thoughts are the first run's own."""


def rewritten(brief: core.Brief, **changes: object) -> core.Brief:
    """Return a brief with other values for some of the fields that are `REWRITABLE`.

    Raises:
        ValueError: another field was given, or a value that the field cannot have.
    """
    if not changes.keys() <= set(REWRITABLE):
        raise ValueError(f"A report cannot be rewritten with another {sorted(changes.keys() - set(REWRITABLE))}.")
    return core.Brief.model_validate(brief.model_dump() | changes)


async def rewrite(
    run_id: str, brief: core.Brief, world: World, journal: Journal, control: Control, *, first: results.Report
) -> RunResult:
    """Write the report that `brief` asks for from what the run of the report `first` found; see `engine.conduct`."""
    context = await opened(run_id, brief, world, journal, control)
    context.emit(_started(context, rewritten_from=first.record.run))

    async def work() -> ProvenReport:
        for page in first.pages.values():
            journal.keep(page)
        for event in first.history:
            if isinstance(event, _BOOKS):
                context.emit(event.model_copy(update={"seq": 0, "at": None}))
        restore(context, first.view, first.pages)
        # What searches for follow-up questions brought that did not answer them is left out.
        vain = {results.lane_of(one.number) for one in first.follow_ups if not one.answer.is_answered}
        for lane in context.lanes:
            if lane.name in vain:
                lane.dropped.set()
        if world.is_by_rule and brief.language is not first.record.brief.language:
            # Rules take headings over from a plan as they stand; those of their own lens speak both languages.
            context.outline = None
            for lane in context.lanes:
                lane.section = None
        return await _by_graph(context)

    return await _carried_out(context, work(), trail=first.record.trail, rewritten_from=first.record.run)


_SHOWN = 80
"""Quotes that an analyst is shown, at most."""
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)\s*$", re.MULTILINE)

LONGEST = 1_000
"""Characters that a question may have."""


@dataclass(frozen=True)
class Answered:
    """An answer, and what happened on the way: calls of models, for the cost."""

    event: core.FollowUpAnswered
    calls: tuple[core.Event, ...]


class _Notepad:
    """A journal that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[core.Event] = []

    def emit(self, event: core.Event) -> core.Event:
        self.events.append(event)
        return event

    def keep(self, page: core.Page) -> None:
        """Pages are stored already."""

    def answer(self, search: str) -> str | None:
        """Nothing is searched."""
        return None

    async def keep_answer(self, search: str, answer: str) -> None:
        """Nothing is searched."""

    async def keep_run(self) -> None:
        """Nobody else answers."""


async def answer_question(report: Report, question: str, world: World, *, number: int = 0) -> Answered:
    """Answer `question` from the evidence of `report` and what has joined it; searches nothing and always returns."""
    brief, notepad = report.record.brief, _Notepad()
    context = await opened(report.record.run, brief, world, notepad, Control())
    restore(context, report.view, report.pages)
    pages, usable = context.ledger.pages, {entry.id: entry for entry in context.wanted}
    if is_strict(context):
        usable = primary_evidence(usable, pages)
    shown = await asyncio.to_thread(_nearest, question, usable, pages)
    request = AnswerRequest(brief, question, world.now().date(), shown, pages)
    with core.tracing(world.is_traced):
        writer, given, problem = await _ask(request, world)
    draft, sentences = await asyncio.to_thread(_proved, given, request, context, writer)
    by_rule = writer is world.rules
    cited = [shown[name] for name in core.numbered(draft, shown).evidence]
    is_covered = bool(await asyncio.to_thread(spoken_of, question, cited, pages, world.relevance))
    is_borne_out = any(sentence.verdict in (Label.SUPPORTED, Label.PARTIAL) for sentence in sentences)
    event = core.FollowUpAnswered(
        number=number,
        question=question,
        writer=writer.name,
        model="" if by_rule else world.models.get(core.Role.FINAL_REPORT, ""),
        draft=draft,
        sentences=sentences,
        # Rules find what comes near; whether that is an answer, only the count tells.
        is_answered=given.is_answered and is_borne_out and (is_covered or not by_rule),
        is_covered=is_covered,
        missing=given.missing,
        problem=problem,
    )
    return Answered(event, tuple(notepad.events))


def _nearest(
    question: str, usable: Mapping[str, core.Evidence], pages: Mapping[str, core.Page]
) -> dict[str, core.Evidence]:
    """Return the evidence that comes nearest to `question`, which was asked about a report.

    All of it where it is little: what shares no word with the question may still answer it.
    """
    said = [under_heading(entry, pages[entry.source]) for entry in usable.values()]
    shares = dict(zip(usable, word_shares(question, said), strict=True))
    return {name: usable[name] for name in sorted(usable, key=lambda name: -shares[name])[:_SHOWN]}


async def _ask(request: AnswerRequest, world: World) -> tuple[Analyst, Answer, str]:
    """Return who answered, the answer, and why it was not who should have."""
    problem = ""
    if request.evidence and not world.is_by_rule:
        try:
            return world.analyst, await world.analyst.answer(request), ""
        except core.ModelError as error:
            problem = error.code
    return world.rules, await world.rules.answer(request), problem


def _proved(
    given: Answer, request: AnswerRequest, context: RunContext, writer: Analyst
) -> tuple[str, tuple[core.Sentence, ...]]:
    """Return the answer with citations that exist, and the verdict of each sentence; a strict one reduced."""
    by_rule = writer is context.world.rules
    cited = core.cite(given.text, request.evidence, is_quoting=by_rule)
    books = ProofBasis(context.ledger.pages, request.evidence)
    # An answer is a part of the report and has no parts of its own.
    draft = _HEADING.sub(r"**\1**", cited.draft) if cited.draft.strip() else ""
    sentences = prove_draft(draft, books, by_rule=by_rule)
    if is_strict(context) and draft:
        draft = core.numbered(keep_primary(draft, sentences, books)[0], request.evidence).draft
        sentences = prove_draft(draft, books, by_rule=by_rule, known=sentences)
    return draft, sentences


def brief_without_sources(brief: core.Brief) -> core.Brief:
    """Return the brief of a run that searches nothing, so that no source has to be available."""
    return brief.model_copy(update={"sources": ()})


@dataclass(frozen=True)
class Joined:
    """What is new to the run."""

    pages: tuple[core.Page, ...] = ()
    """Under their ids in this run."""
    regained: tuple[str, ...] = ()
    """Ids of pages that the run had read for topics that were dropped, and of which the search found quotes again."""
    events: tuple[core.Event, ...] = ()
    """What is recorded of them, in order; nothing if nothing is new."""


def joined(run: core.RunView, found: Report, title: str, number: int) -> Joined:
    """Return what `found` adds to a `run`, as the work of a lane of its own.

    A page with the same site and content is the same page, wherever it has moved, and the same place in it the same
    quote. A quote that only a dropped topic had found counts again.
    """
    known = {(page.site, page.sha256): page.page for page in reversed(run.pages.values())}
    places = {(entry.source, entry.start, entry.end): entry.id for entry in run.evidence.values()}
    wanted = {entry.id for entry in run.wanted(run.evidence.values())}
    kept = {name for topic in found.view.topics for name in topic.evidence}
    quoted = [entry for entry in found.view.evidence.values() if entry.id in kept or not found.view.topics]
    next_page, next_quote = core.last_number(run.pages) + 1, core.last_number(run.evidence) + 1
    pages: dict[str, core.Page] = {}
    fresh: dict[str, core.Evidence] = {}
    regained: dict[str, str] = {}
    for page in (found.pages[name] for name in dict.fromkeys(entry.source for entry in quoted)):
        own = known.get((page.site, page.sha256))
        if own is None:
            own = f"S{next_page + len(pages)}"
            pages[page.id] = page.model_copy(update={"id": own})
        for entry in (one for one in quoted if one.source == page.id):
            new = f"E{next_quote + len(fresh)}"
            name = places.setdefault((own, entry.start, entry.end), new)
            if name == new:
                fresh[name] = entry.model_copy(update={"id": name, "source": own})
            elif name not in wanted and name not in fresh:
                regained[name] = own
    if not fresh and not regained:
        return Joined(tuple(pages.values()))
    events = _told(lane_of(number), title, pages, list(fresh.values()), regained=regained, found=found)
    return Joined(tuple(pages.values()), tuple(dict.fromkeys(regained.values())), tuple(events))


def _told(
    lane: str,
    title: str,
    pages: Mapping[str, core.Page],
    fresh: Sequence[core.Evidence],
    *,
    regained: Iterable[str],
    found: Report,
) -> Iterator[core.Event]:
    """Yield what is recorded of `pages`, by their ids in the run that `found` them, and of quotes."""
    yield core.TopicQueued(lane=lane, topic=title)
    for page in pages.values():
        yield core.PageRead.of(page, lane)
    for entry in fresh:
        yield core.EvidenceFound(lane=lane, **entry.model_dump())
    readings = [one for topic in found.view.topics for one in topic.readings.values()]
    summaries = {pages[one.page].id: one.summarised for one in readings if one.summarised and one.page in pages}
    for source in dict.fromkeys(entry.source for entry in fresh):
        summary = summaries.get(source)
        yield core.PageSummarised(
            lane=lane,
            page=source,
            summary=summary.summary if summary else "",
            evidence=tuple(entry.id for entry in fresh if entry.source == source),
            cached=bool(summary and summary.cached),
            by_rule=summary is None or summary.by_rule,
            seconds=summary.seconds if summary else 0.0,
            queries=summary.queries if summary else (),
        )
    ended = [end for topic in found.view.topics for end in topic.finished]
    reason = ended[0].reason if ended else core.StopReason.COMPLETE
    yield core.TopicFinished(lane=lane, reason=reason, evidence=(*(entry.id for entry in fresh), *regained))


_CONTEXT = Phrase("This follows up on the question: {question}")
_SUBJECT = Bilingual("{question} ({names})", "{question}（{names}）")
_LINE = 500
"""Characters of a line of a brief, at most."""
_QUERIES = 4
"""Queries of a small run, at most: one after the other, each for what the one before left open."""

OnFound = Callable[[Report], Awaitable[None]]
"""Takes what a small run found, before that run ends."""


def small_brief(question: str, brief: core.Brief, dropped: Sequence[str]) -> core.Brief:
    """Return the brief of a small run for a question about the report of `brief`: short, one query after the other.

    The topics that were `dropped` from that report are not researched either, unless the question asks for one.
    """
    before = _CONTEXT.in_(brief.language).format(question=" ".join(brief.question.split()))
    return brief.model_copy(
        update={
            "question": _with_subject(question, brief.question, brief.language),
            "method": core.MethodName.CHAINED,
            "length": core.Length.PAGE,
            "form": core.OutputForm.POINTS,
            "summary": core.Summary.NONE,
            "exclusions": (*brief.exclusions, *_excluded(question, dropped)),
            "note": f"{brief.note}\n{before}".strip()[:8_000],
        }
    )


def _excluded(question: str, dropped: Sequence[str]) -> Iterator[str]:
    """Yield the dropped topics that a question does not name, each as a line of a brief."""
    for topic in dict.fromkeys(" ".join(one.split())[:_LINE].strip() for one in dropped):
        if topic and not is_excluded(question, core.Brief(question=question, exclusions=(topic,))):
            yield topic


def _with_subject(question: str, before: str, language: Language) -> str:
    """Return a question that names what it is about: if it names nothing, what the question before it named."""
    if compared_in(question):
        return question
    names = [name.ja if language is Language.JA else name.en for name in compared_in(before)]
    return (
        _SUBJECT.in_(language).format(question=question, names=COMMA.in_(language).join(names)) if names else question
    )


async def search(
    run_id: str,
    brief: core.Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    first: str,
    blocked: Sequence[str],
    on_found: OnFound,
) -> RunResult:
    """Research `brief`, a question about the report of the run `first`, and hand on what was found.

    Sites and collections that were `blocked` in that run are in this one, from its beginning.
    """
    for site in blocked:
        control.hear(core.BlockSite(site=site))
    limits = core.PRESETS[brief.preset].limits
    limits = replace(limits, methods=replace(limits.methods, chain=min(limits.methods.chain, _QUERIES)))
    result = await conduct(run_id, brief, world, journal, control, limits=limits, follow_up_to=first)
    history = cast("tuple[core.AnyEvent, ...]", tuple(journal.events))
    report = Report(record=result.record, markdown=result.markdown, history=history, pages=dict(result.pages))
    await on_found(report)
    return result
