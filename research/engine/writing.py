"""The report is written, to the length that the brief names."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from research.analysts import Analyst, ReportRequest, SectionPart
from research.core import (
    PAGES,
    CapReached,
    Cited,
    ContextOverflow,
    Evidence,
    Length,
    ModelError,
    PresetName,
    ReportExtended,
    ReportStarted,
    ReportWritten,
    Stage,
    UnusableAnswer,
    cite,
    is_far_off,
    is_nearer,
    is_too_long,
    is_too_short,
    length_in_words,
    length_of,
    pages_of,
)
from research.engine.context import RunContext, WrittenSection, unless
from research.engine.reading import quote_by_rule
from research.engine.sections import framed, in_pieces, is_written_in_parts, report_request, sections_of
from research.gaps import spoken_of
from research.results import AskedPart, primary_evidence
from research.text import Part, escape_markdown, head_of, parts_of, question_parts

_KEPT = 0.5
"""The share of its citations a page that a report must keep to stand for the one before."""


_MARK = re.compile(r"(?<!\\)\[E\d")
_WORTH_KEEPING = 1_500
"""Characters from which a report that broke off is kept as it is."""


async def write_report(context: RunContext) -> tuple[str, Cited]:
    """Write the report; return who wrote it, and the text with every citation checked to exist."""
    request = report_request(context, kept_evidence(context))
    analyst = context.world.analyst
    if request.evidence and not context.control.stop.is_set() and analyst is not context.world.rules:
        written = await unless(context.control.stop, _by_analyst(context, analyst, request))
        if written is not None:
            writer, cited = written
            if writer == analyst.name:
                cited = await _fitted(context, request, cited)
            return _written(context, writer, cited)
        if not context.control.stop.is_set():
            context.problem(Stage.WRITING, "report_by_rule")
    return await write_by_rule(context)


async def _by_analyst(context: RunContext, analyst: Analyst, request: ReportRequest) -> tuple[str, Cited] | None:
    """Return who wrote the report and the report: a short one at once, a long one or what fails so in parts.

    None if the run's cap leaves no room for it.
    """
    if not is_written_in_parts(context, request.evidence):
        try:
            cited = await asyncio.to_thread(cite, await _stream(context, analyst, request), request.evidence)
            if not cited.citations:
                raise UnusableAnswer("report_uncited")
        except CapReached as error:
            context.cap_reached(Stage.WRITING, detail=error.detail)
            return None
        except ModelError as error:
            if not isinstance(error, ContextOverflow):
                context.told.add(error.code)
                context.problem(Stage.WRITING, error.code, detail=error.detail)
        else:
            return analyst.name, cited
    sections = await sections_of(context)
    if all(one.is_by_rule for one in sections if one.evidence):
        context.problem(Stage.WRITING, "report_by_rule")
        return context.world.rules.name, await _all_by_rule(context, request, sections)
    for one in sections:
        if one.is_by_rule:
            context.problem(Stage.WRITING, "section_by_rule", subject=one.title)
    cited = await framed(context, sections, request.evidence)
    context.emit(ReportStarted(analyst=analyst.name))
    context.emit(ReportExtended(text=cited.draft))
    return analyst.name, cited


async def _fitted(context: RunContext, request: ReportRequest, cited: Cited) -> Cited:
    """Return the report, or one written anew once if it is far too long or short and that comes nearer.

    A model that fails, a cap without room and a user who does not want to wait leave it as it is.
    """
    if not _is_worth_rewriting(context, request, cited):
        return cited
    analyst, again = context.world.analyst, None
    rewriting = _stream(context, analyst, replace(request, earlier=cited.draft), keeps_pieces=False)
    with suppress(ModelError):
        text = await unless(context.control.stop, rewriting)
        again = None if text is None else await asyncio.to_thread(cite, text, request.evidence)
    if again is not None and _is_better(again, cited, length_of(request.brief)):
        return again
    # What was told of the second report is void.
    context.emit(ReportStarted(analyst=analyst.name))
    context.emit(ReportExtended(text=cited.draft))
    return cited


def _is_worth_rewriting(context: RunContext, request: ReportRequest, cited: Cited) -> bool:
    """Whether a report is far from the length that the brief names, and there is time, and evidence for a longer one.

    A length that only its preset names is not worth the price of a second report.
    """
    control, length, pages = context.control, length_of(request.brief), pages_of(cited.draft)
    is_waited_for = not control.finish.is_set() and not control.stop.is_set()
    if request.brief.length is None or not is_waited_for or not is_far_off(pages, length):
        return False
    there_is = pages_of("\n".join(entry.quote for entry in request.evidence.values()))
    return pages > PAGES[length].most or there_is >= PAGES[length].least


def _is_better(again: Cited, cited: Cited, length: Length) -> bool:
    """Whether a report is nearer to its length and cites about as much on each page as before."""
    pages, before = pages_of(again.draft), pages_of(cited.draft)
    keeps = again.citations / max(pages, 0.1) >= _KEPT * cited.citations / max(before, 0.1)
    return keeps and is_nearer(pages, before, length)


async def _all_by_rule(context: RunContext, request: ReportRequest, sections: Sequence[WrittenSection]) -> Cited:
    """Return the report by rule, and behind its answer every quote that it leaves out, topic by topic."""
    short = await _composed(context)
    request = replace(request, evidence=kept_evidence(context))
    if request.brief.length is not None or is_strict(context):
        return short
    told, parts = set(short.evidence), [short.draft]
    for one in sections:
        if left := [name for name in one.evidence if name not in told]:
            evidence = {name: request.evidence[name] for name in left}
            part = replace(request, evidence=evidence, part=SectionPart(one.title))
            quotes = "".join([piece async for piece in context.world.rules.write(part)])
            parts.append(f"## {escape_markdown(one.title)}\n\n{quotes}\n")
    whole = "\n".join(parts)
    context.emit(ReportExtended(text=whole[len(short.draft) :]))
    return await asyncio.to_thread(cite, whole, request.evidence, is_quoting=True)


async def write_by_rule(context: RunContext) -> tuple[str, Cited]:
    """Compose the report without a model; this cannot fail for want of anything outside.

    A fact-strict report is composed of what primary sources say, and has nothing but a title if there are none.
    """
    return _written(context, context.world.rules.name, await _composed(context))


async def _composed(context: RunContext) -> Cited:
    """Return the report by rule; where what a model quoted answers nothing, with what rules quote of the same pages."""
    cited = await _of_quotes(context)
    if context.world.analyst is not context.world.rules and not _answers(cited.draft):
        await quote_by_rule(context)
        cited = await _of_quotes(context)
    return cited


async def _of_quotes(context: RunContext) -> Cited:
    found = kept_evidence(context)
    usable = primary_evidence(found, context.ledger.pages) if is_strict(context) else found
    if found and not usable:
        context.problem(Stage.WRITING, "nothing_primary")
        title = escape_markdown(head_of(context.brief.question))
        return cite(f"# {title}", {})
    text = await _stream(context, context.world.rules, report_request(context, usable))
    return await asyncio.to_thread(cite, text, usable, is_quoting=True)


def kept_evidence(context: RunContext) -> dict[str, Evidence]:
    """Return the evidence that the researchers kept, by id: what a report may cite."""
    kept = {name for result in context.results for name in result.evidence}
    return {name: entry for name, entry in context.ledger.evidence.items() if name in kept}


def is_strict(context: RunContext) -> bool:
    """Whether the report may hold nothing but what primary sources bear out."""
    return context.brief.preset is PresetName.FACT_STRICT


async def _stream(context: RunContext, analyst: Analyst, request: ReportRequest, *, keeps_pieces: bool = True) -> str:
    """Return what the analyst writes; with `keeps_pieces`, also what there is of a report that the cap ended."""
    context.emit(ReportStarted(analyst=analyst.name))
    text = ""
    try:
        async for piece in in_pieces(analyst.write(request)):
            context.emit(ReportExtended(text=piece))
            text += piece
    except CapReached:
        if not keeps_pieces or len(text) < _WORTH_KEEPING:
            raise
        context.cap_reached(Stage.WRITING)
        context.problem(Stage.WRITING, "answer_cut")
    return text


def _written(context: RunContext, analyst: str, cited: Cited) -> tuple[str, Cited]:
    context.emit(
        ReportWritten(
            analyst=analyst,
            citations=cited.citations,
            unknown_ids=cited.unknown_ids,
            removed_links=cited.removed_links,
            pages=pages_of(cited.draft),
        )
    )
    return analyst, cited


def note_shortcomings(context: RunContext, cited: Cited) -> None:
    """Report that a finished report cites nothing, is longer than it may be, or shorter than its brief asks for."""
    if context.ledger.evidence and not cited.evidence:
        context.problem(Stage.WRITING, "subject_missing")
    elif cited.evidence and context.world.analyst.name == context.world.rules.name and not _answers(cited.draft):
        context.problem(Stage.WRITING, "answer_missing")
    length, pages = length_of(context.brief), pages_of(cited.draft)
    words = length_in_words(pages, length, context.brief.language)
    if is_too_long(pages, length):
        context.problem(Stage.WRITING, "report_longer", subject=words)
    elif cited.citations and context.brief.length is not None and is_too_short(pages, length):
        context.problem(Stage.WRITING, "report_shorter", subject=words)


def _answers(draft: str) -> bool:
    """Whether the first section of a report, its answer, cites anything."""
    first = draft.split("\n## ", 2)[1:2]
    return not first or _MARK.search(first[0]) is not None


def parts_answered(context: RunContext, cited: Cited) -> tuple[AskedPart, ...]:
    """Return the parts of the question, and of which of them the quotes speak that a report cites."""
    ledger, question = context.ledger, context.brief.question
    evidence = [ledger.evidence[name] for name in cited.evidence if name in ledger.evidence]
    is_listed = bool(question_parts(question).abouts)

    def is_spoken_of(part: Part) -> bool:
        # What a question names by itself is asked of all of it; what a line of a list names, of that alone.
        point = f"{part.about} {part.asked}".strip() if is_listed else part.asked
        return bool(evidence) and bool(spoken_of(point, evidence, ledger.pages, context.world.relevance))

    return tuple(
        AskedPart(about=part.about, asked=part.asked, is_spoken_of=is_spoken_of(part)) for part in parts_of(question)
    )
