"""The report is proved: every sentence held against its pages, weak ones repaired, fact-strict reports reduced.

Whatever fails here, the report stays as it was written, with the verdicts that its sentences have.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from research.analysts.protocol import Repair, RepairRequest
from research.citations import Cited, numbered
from research.errors import ModelError
from research.events import ReportVerified, SentencesRepaired, Stage
from research.graph.context import RunContext
from research.graph.writing import is_strict, kept_evidence, write_by_rule
from research.proof import Books, counts, prove_draft
from research.repair import carry_out, repair_request, weak_sentences
from research.report import LeftOut, Sentence
from research.strict import keep_primary, primary_evidence, quotes_left_out


@dataclass(frozen=True)
class ProvenReport:
    """A report, who wrote it, and what stands behind each of its sentences."""

    writer: str
    cited: Cited
    sentences: tuple[Sentence, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


async def verify(context: RunContext, report: ProvenReport) -> ProvenReport:
    """Return the report with a verdict for each sentence; what was proved before is not looked at again."""
    # In a thread: the work is all CPU, and other runs share the event loop.
    sentences = await asyncio.to_thread(
        prove_draft,
        report.cited.draft,
        _books(context),
        by_rule=is_by_rule(context, report),
        known=report.sentences,
    )
    context.emit(ReportVerified(counts=counts(sentences)))
    return replace(report, sentences=sentences)


def is_by_rule(context: RunContext, report: ProvenReport) -> bool:
    """Whether the program composed the report of quotes."""
    return report.writer == context.world.rules.name


def may_repair(context: RunContext, report: ProvenReport) -> bool:
    """Whether there is something to repair and somebody who can."""
    return not is_by_rule(context, report) and not context.control.stop.is_set() and bool(_weak(report))


async def propose(context: RunContext, report: ProvenReport) -> tuple[Repair, ...]:
    """Ask the analyst once for repairs of all weak sentences; none if that fails or the user stops."""
    request = await asyncio.to_thread(_request, context, report)
    try:
        return await context.control.unless_stopping(context.world.analyst.repair(request)) or ()
    except ModelError as error:
        detail = f"{error.code}: {error.detail}"
    except Exception as error:  # noqa: BLE001 - the report is written; no repair is worth losing it
        detail = f"{type(error).__name__}: {error}"
    context.problem(Stage.WRITING, "repair_failed", detail=detail)
    return ()


async def repair(context: RunContext, report: ProvenReport, repairs: Iterable[Repair]) -> ProvenReport:
    """Return the report with the repairs that leave a sentence better borne out."""
    weak = _weak(report)
    outcome = await asyncio.to_thread(carry_out, repairs, weak, report.cited.draft, _books(context))
    kept = len(weak) - outcome.changed - outcome.dropped
    context.emit(SentencesRepaired(changed=outcome.changed, dropped=outcome.dropped, kept=kept))
    return await _with_draft(context, report, outcome.draft)


async def reduce(context: RunContext, report: ProvenReport) -> ProvenReport:
    """Return a fact-strict report: supported sentences on primary sources, and what was left out.

    Where nothing is left of what a model wrote, the primary sources are quoted by rule.
    """
    books = _books(context)
    draft, left_out = await asyncio.to_thread(keep_primary, report.cited.draft, report.sentences, books)
    reduced = replace(await _with_draft(context, report, draft), left_out=left_out)
    if is_by_rule(context, report):
        return replace(reduced, left_out=reduced.left_out + quotes_left_out(kept_evidence(context), books))
    if reduced.cited.citations:
        return reduced
    if primary_evidence(kept_evidence(context), context.ledger.pages):
        context.problem(Stage.WRITING, "strict_by_rule")
    composed = await compose(context)
    return replace(composed, left_out=reduced.left_out + composed.left_out)


async def compose(context: RunContext) -> ProvenReport:
    """Return a report composed by rule of what was found, proved like any other."""
    report = await verify(context, ProvenReport(*await write_by_rule(context)))
    return await reduce(context, report) if is_strict(context) else report


def _weak(report: ProvenReport) -> Sequence[Sentence]:
    return weak_sentences(report.sentences)


def _books(context: RunContext) -> Books:
    return Books(context.ledger.pages, context.ledger.evidence)


def _request(context: RunContext, report: ProvenReport) -> RepairRequest:
    usable = kept_evidence(context)
    if is_strict(context):
        usable = primary_evidence(usable, context.ledger.pages)
    books, draft = _books(context), report.cited.draft
    return repair_request(_weak(report), draft, books, usable=usable, brief=context.brief, today=context.today)


async def _with_draft(context: RunContext, report: ProvenReport, draft: str) -> ProvenReport:
    if draft == report.cited.draft:
        return report
    cited = numbered(draft, context.ledger.evidence)
    return await verify(context, replace(report, cited=cited))
