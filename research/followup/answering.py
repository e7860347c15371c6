"""A question about a finished report is answered from the run's own evidence, and the answer is proved.

By the analyst of the run's kind; where its model cannot answer, by rule. Every sentence is held against its pages.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.analysts.protocol import Analyst, Answer, AnswerRequest
from research.brief import Brief
from research.brief_text import compose
from research.citations import cite, numbered
from research.errors import ModelError
from research.events import Event, FollowUpAnswered
from research.evidence import Evidence, Page
from research.followup.coverage import covers, nearest
from research.graph.context import RunContext, World
from research.graph.control import Control
from research.graph.restoring import restore
from research.graph.writing import is_strict
from research.presets import PRESETS, Role
from research.proof import Books, prove_draft
from research.report import Report, Sentence
from research.strict import keep_primary, primary_evidence
from research.verification.labels import Label

_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)\s*$", re.MULTILINE)

LONGEST = 1_000
"""Characters that a question may have."""


@dataclass(frozen=True)
class Answered:
    """An answer, and what happened on the way: calls of models, for the cost."""

    event: FollowUpAnswered
    calls: tuple[Event, ...]


class _Notepad:
    """A journal that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def emit(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def keep(self, page: Page) -> None:
        """Pages are stored already."""


async def answer(report: Report, question: str, world: World, *, number: int = 0) -> Answered:
    """Answer `question` from the evidence of `report` and what has joined it; searches nothing and always returns."""
    notepad = _Notepad()
    context = _context(report, world, notepad)
    world.line.connect(context)
    usable = {entry.id: entry for entry in context.wanted}
    if is_strict(context):
        usable = primary_evidence(usable, context.ledger.pages)
    pages = context.ledger.pages
    brief = context.brief
    near = await asyncio.to_thread(nearest, question, usable.values(), pages, brief)
    request = AnswerRequest(brief, question, world.now().date(), {entry.id: entry for entry in near}, pages)
    writer, given, problem = await _ask(request, world)
    draft, sentences = await asyncio.to_thread(_proved, given, request, context, writer)
    by_rule = writer is world.rules
    is_covered = await asyncio.to_thread(_covers, question, draft, request, context)
    event = FollowUpAnswered(
        number=number,
        question=question,
        writer=writer.name,
        model="" if by_rule else world.models.get(Role.FINAL_REPORT, ""),
        draft=draft,
        sentences=sentences,
        # Rules find what comes near; whether that is an answer, only the count tells.
        is_answered=given.is_answered and _is_borne_out(sentences) and (is_covered or not by_rule),
        is_covered=is_covered,
        missing=given.missing,
        problem=problem,
    )
    return Answered(event, tuple(notepad.events))


def _context(report: Report, world: World, notepad: _Notepad) -> RunContext:
    brief = report.record.brief
    context = RunContext(
        run=report.record.run,
        brief=brief,
        brief_text=compose(brief),
        world=world,
        journal=notepad,
        control=Control(),
        started_at=world.now(),
        limits=PRESETS[brief.preset].limits,
    )
    restore(context, report.history, report.pages)
    return context


async def _ask(request: AnswerRequest, world: World) -> tuple[Analyst, Answer, str]:
    """Return who answered, the answer, and why it was not who should have."""
    problem = ""
    if request.evidence and world.analyst is not world.rules:
        try:
            return world.analyst, await world.analyst.answer(request), ""
        except ModelError as error:
            problem = error.code
    return world.rules, await world.rules.answer(request), problem


def _proved(
    given: Answer, request: AnswerRequest, context: RunContext, writer: Analyst
) -> tuple[str, tuple[Sentence, ...]]:
    """Return the answer with citations that exist, and the verdict of each sentence; a strict one reduced."""
    by_rule = writer is context.world.rules
    # An answer is a part of the report and has no parts of its own.
    cited = cite(_HEADING.sub(r"**\1**", given.text), request.evidence)
    books = Books(context.ledger.pages, request.evidence)
    draft = cited.draft if cited.draft.strip() else ""
    sentences = prove_draft(draft, books, by_rule=by_rule)
    if is_strict(context) and draft:
        draft = numbered(keep_primary(draft, sentences, books)[0], request.evidence).draft
        sentences = prove_draft(draft, books, by_rule=by_rule, known=sentences)
    return draft, sentences


def _is_borne_out(sentences: Sequence[Sentence]) -> bool:
    """Whether anything that an answer says rests on a page."""
    return any(sentence.verdict in (Label.SUPPORTED, Label.PARTIAL) for sentence in sentences)


def _covers(question: str, draft: str, request: AnswerRequest, context: RunContext) -> bool:
    """Whether the quotes that an answer cites speak of what is asked."""
    cited: list[Evidence] = [request.evidence[name] for name in cite(draft, request.evidence).evidence]
    return covers(question, cited, context.ledger.pages, context.brief, at=context.world.now())


def brief_without_sources(brief: Brief) -> Brief:
    """Return the brief of a run that searches nothing, so that no source has to be available."""
    return brief.model_copy(update={"sources": ()})
