"""Further questions about a finished report: answered from its evidence, or searched for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from research import core
from research.analysts import Analyst, Answer, AnswerRequest
from research.analysts.extractive import is_excluded
from research.engine.conduct import RunResult, conduct, opened
from research.engine.context import Control, Journal, RunContext, World, restore
from research.engine.writing import is_strict
from research.gaps import spoken_of, under_heading, word_shares
from research.language import COMMA, Bilingual, Language, Phrase
from research.results import ProofBasis, Report, keep_primary, lane_of, primary_evidence, prove_draft
from research.text import compared_in
from research.verification import Label

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
    if request.evidence and world.analyst is not world.rules:
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


def small_brief(question: str, brief: core.Brief, dropped: Sequence[str] = ()) -> core.Brief:
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
