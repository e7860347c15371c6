"""Each sentence is held against its pages before the report is handed out, and repaired once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from research import core, results
from research.analysts import OpenSentence, Reading, Repair, RepairRequest, WeakSentence
from research.engine.context import RunContext, unless
from research.engine.writing import is_strict, kept_evidence, write_by_rule
from research.gaps import Room, word_shares
from research.text import Span
from research.verification import Label

_WEAK = frozenset({Label.UNSUPPORTED, Label.UNCITED})
_WORTH = {Label.SUPPORTED: 2, Label.PARTIAL: 1}
"""What a verdict is worth; none of the others is better than another."""
_ABROAD = frozenset({"other-language", "nothing-to-compare"})
"""Reasons of verdicts on pages in another language than the report's."""
_AT_ONCE = 40
"""Sentences that one request holds; a report with more needs another writer, not repairs."""
_NEAREST = 4
"""Quotes that each of them is shown, besides those that it cites."""


@dataclass(frozen=True)
class RepairOutcome:
    """A draft after repair, and what became of its weak sentences."""

    draft: str
    changed: int = 0
    dropped: int = 0


def weak_sentences(sentences: Iterable[core.Sentence]) -> list[core.Sentence]:
    """Return the sentences that are worth a repair, in order."""
    return [sentence for sentence in sentences if sentence.verdict in _WEAK][:_AT_ONCE]


def repair_request(
    weak: Sequence[core.Sentence],
    draft: str,
    books: results.ProofBasis,
    *,
    usable: Mapping[str, core.Evidence],
    brief: core.Brief,
    today: date,
) -> RepairRequest:
    """Return what an analyst is asked: each weak sentence with its own and the nearest of the `usable` evidence."""
    quotes = [entry.quote for entry in usable.values()]
    asked = []
    for sentence in weak:
        own = [name for name in sentence.evidence if name in usable]
        shares = dict(zip(usable, word_shares(sentence.text, quotes), strict=True))
        near = sorted((name for name in shares if shares[name] > 0), key=lambda name: -shares[name])
        asked.append(
            WeakSentence(
                text=sentence.text,
                cited=sentence.evidence,
                reason=sentence.reason.in_(brief.language) if sentence.reason else "",
                candidates=tuple(dict.fromkeys([*own, *near[:_NEAREST]])),
                is_row=_is_row(draft, sentence),
            )
        )
    evidence = {name: usable[name] for sentence in asked for name in sentence.candidates}
    pages = {entry.source: books.pages[entry.source] for entry in evidence.values()}
    return RepairRequest(brief, today, tuple(asked), evidence, pages)


def carry_out(
    repairs: Iterable[Repair], weak: Sequence[core.Sentence], draft: str, books: results.ProofBasis
) -> RepairOutcome:
    """Return the draft with those repairs that leave a sentence better borne out, or take it out.

    A report that would cite nothing any more stays as it is.
    """
    changes: dict[Span, str] = {}
    for repair in repairs:
        sentence = weak[repair.sentence] if 0 <= repair.sentence < len(weak) else None
        if sentence is not None and (text := _repaired(repair, sentence, draft, books)) is not None:
            changes[Span(sentence.start, sentence.end)] = text
    after = core.edited(draft, changes)
    if not core.numbered(after, books.evidence).citations:
        return RepairOutcome(draft)
    dropped = sum(not text for text in changes.values())
    return RepairOutcome(after, len(changes) - dropped, dropped)


def _repaired(repair: Repair, sentence: core.Sentence, draft: str, books: results.ProofBasis) -> str | None:
    """Return what is to stand in place of a sentence, empty for nothing, or None if the repair is refused."""
    if not repair.text:
        return ""
    if repair.text == sentence.text:
        words = core.without_marks(draft[sentence.start : sentence.end])
    else:
        words = " ".join(core.cite(repair.text, {}).draft.split())
        if _is_row(draft, sentence) or words.startswith("|"):
            return None
    ids = [name for name in repair.evidence if name in books.evidence]
    if not words or not ids:
        return None
    text = core.marked(words, ids)
    found = core.cited_sentences(text)
    if len(found) != 1 or (found[0].start, found[0].end) != (0, len(text)):
        return None  # A heading, a list, two sentences, or no words.
    return text if _worth(books.prove(found[0])) > _worth(sentence) else None


def _worth(sentence: core.Sentence) -> int:
    return _WORTH.get(Label(sentence.verdict), 0) if sentence.verdict else 0


def _is_row(draft: str, sentence: core.Sentence) -> bool:
    return draft.startswith("|", sentence.start)


@dataclass(frozen=True)
class ProvenReport:
    """A report, who wrote it, and what stands behind each of its sentences."""

    writer: str
    cited: core.Cited
    sentences: tuple[core.Sentence, ...] = ()
    left_out: tuple[results.LeftOut, ...] = ()


async def verify_report(context: RunContext, report: ProvenReport) -> ProvenReport:
    """Return the report with a verdict for each sentence; what was proved before is not looked at again."""
    # In a thread: the work is all CPU, and other runs share the event loop.
    sentences = await asyncio.to_thread(
        results.prove_draft,
        report.cited.draft,
        _books(context),
        by_rule=is_by_rule(context, report),
        known=report.sentences,
    )
    context.emit(core.ReportVerified(counts=results.counts(sentences)))
    return replace(report, sentences=sentences)


_READ_AT_ONCE = 30
"""Sentences of one request: with their passages some 15,000 tokens, so that the models of this role can hold them."""
_ROOM = Room(1_200, 1_200)
"""Characters of a page that are shown of each: what is nearest to the sentence, and the quote that it cites."""
_PAGES = 2


async def read_open(context: RunContext, report: ProvenReport) -> ProvenReport:
    """Return the report with what a model reads of the sentences on which rules do not decide, asked once for all.

    Nobody is asked about quotes, in a fact-strict run, or once the run was stopped or its cap is met; where the call
    fails, the verdicts of rules stay.
    """
    books, open_ones = _books(context), [one for one in report.sentences if results.is_open(one)][:_READ_AT_ONCE]
    over = context.control.stop.is_set() or context.spending.reached.is_set()
    if not open_ones or over or is_by_rule(context, report) or is_strict(context):
        return report
    try:
        asked = await asyncio.to_thread(lambda: [_with_passages(context, one) for one in open_ones])
        readings = await unless(context.control.stop, context.world.analyst.judge(asked)) or ()
        read = await asyncio.to_thread(_read, readings, open_ones, books)
    except Exception as error:  # noqa: BLE001 - the report is written; no reading is worth losing it
        context.problem(core.Stage.WRITING, "judging_failed", detail=_said_of(error))
        return report
    if not read:
        return report
    sentences = tuple(read.get(one.start, one) for one in report.sentences)
    context.emit(core.ReportVerified(counts=results.counts(sentences)))
    return replace(report, sentences=sentences)


def _said_of(error: Exception) -> str:
    return f"{error.code}: {error.detail}" if isinstance(error, core.ModelError) else f"{type(error).__name__}: {error}"


def _with_passages(context: RunContext, sentence: core.Sentence) -> OpenSentence:
    """Return a sentence with what is nearest to it in the pages of the first evidence that it cites."""
    found: dict[str, str] = {}
    for name in sentence.evidence[:_PAGES]:
        entry = context.ledger.evidence[name]
        text = context.ledger.pages[entry.source].text
        found[name] = context.world.relevance.excerpt(text, (sentence.text,), _ROOM, [(entry.start, entry.end)])
    return OpenSentence(sentence.text, found)


def _read(
    readings: Iterable[Reading], asked: Sequence[core.Sentence], books: results.ProofBasis
) -> dict[int, core.Sentence]:
    """Return the sentences of which a reading counts, by where they start in the draft."""
    found: dict[int, core.Sentence] = {}
    for one in readings:
        before = asked[one.sentence]
        after = books.read_by(one.model, before, one.evidence, one.quote, Label(one.verdict))
        if after is not before:
            found[before.start] = after
    return found


def is_by_rule(context: RunContext, report: ProvenReport) -> bool:
    """Whether the program composed the report of quotes."""
    return report.writer == context.world.rules.name


def may_repair(context: RunContext, report: ProvenReport) -> bool:
    """Whether there is something to repair and somebody who can."""
    is_over = is_by_rule(context, report) or context.control.stop.is_set()
    return not is_over and bool(weak_sentences(report.sentences))


async def proposed_repairs(context: RunContext, report: ProvenReport) -> tuple[Repair, ...]:
    """Ask the analyst once for repairs of all weak sentences; none if that fails or the user stops."""
    usable, books, brief = kept_evidence(context), _books(context), context.brief
    if is_strict(context):
        usable = results.primary_evidence(usable, context.ledger.pages)
    weak, draft = weak_sentences(report.sentences), report.cited.draft
    try:
        request = await asyncio.to_thread(
            repair_request, weak, draft, books, usable=usable, brief=brief, today=context.today
        )
        return await unless(context.control.stop, context.world.analyst.repair(request)) or ()
    except Exception as error:  # noqa: BLE001 - the report is written; no repair is worth losing it
        context.problem(core.Stage.WRITING, "repair_failed", detail=_said_of(error))
        return ()


async def repair_report(context: RunContext, report: ProvenReport, repairs: Iterable[Repair]) -> ProvenReport:
    """Return the report with the repairs that leave a sentence better borne out."""
    weak = weak_sentences(report.sentences)
    outcome = await asyncio.to_thread(carry_out, repairs, weak, report.cited.draft, _books(context))
    kept = len(weak) - outcome.changed - outcome.dropped
    context.emit(core.SentencesRepaired(changed=outcome.changed, dropped=outcome.dropped, kept=kept))
    return await _with_draft(context, report, outcome.draft)


async def borne_out(context: RunContext, report: ProvenReport) -> ProvenReport:
    """Return what pages bear out of a report; where that is nothing of what a model wrote, quotes composed by rule.

    Of a fact-strict one supported sentences on primary sources are left, and it says what was left out.
    """
    if is_strict(context):
        report = await _reduced(context, report)
        if is_by_rule(context, report) or report.cited.citations:
            return report
        if results.primary_evidence(kept_evidence(context), context.ledger.pages):
            context.problem(core.Stage.WRITING, "strict_by_rule")
    elif _is_worthless(context, report):
        context.problem(core.Stage.WRITING, "report_baseless")
    else:
        return report
    composed = await compose_report(context, keeps_all=True)
    return replace(composed, left_out=report.left_out + composed.left_out)


async def _reduced(context: RunContext, report: ProvenReport) -> ProvenReport:
    books = _books(context)
    draft, left_out = await asyncio.to_thread(results.keep_primary, report.cited.draft, report.sentences, books)
    if is_by_rule(context, report):
        left_out += results.quotes_left_out(kept_evidence(context), books)
    return replace(await _with_draft(context, report, draft), left_out=left_out)


_CHECKED, _BASELESS = 5, 1 / 3
"""Sentences of a model from which it tells something that none of them is borne out, and the share of those that cite
of which the pages have not even a part: of true ones in other words rules call three of ten borne out, and most of the
others in part."""


def _is_worthless(context: RunContext, report: ProvenReport) -> bool:
    """Whether pages bear out nothing of what a model wrote besides quotes, where that can be told.

    From page to report in another language hardly anything is. What cites nothing tells only where no quote stands
    beside it: openings and conclusions seldom cite, and a model may have written sections of nothing but quotes.
    """
    own = [one for one in report.sentences if one.verdict and one.shown != Label.VERBATIM]
    citing = [one for one in own if one.evidence]
    has_quotes = any(one.shown == Label.VERBATIM for one in report.sentences)
    is_over = is_by_rule(context, report) or context.control.stop.is_set()
    is_abroad = any(one.reason_code in _ABROAD for one in citing)
    told = citing if citing or has_quotes else own
    if is_over or is_abroad or len(told) < _CHECKED or results.borne_out(results.counts(own)):
        return False
    return sum(one.verdict in _WEAK for one in citing) >= _BASELESS * len(citing)


async def compose_report(context: RunContext, *, keeps_all: bool = False) -> ProvenReport:
    """Return a report composed by rule of what was found, with `keeps_all` of all of it, proved like any other."""
    report = await verify_report(context, ProvenReport(*await write_by_rule(context, keeps_all=keeps_all)))
    return await _reduced(context, report) if is_strict(context) else report


def _books(context: RunContext) -> results.ProofBasis:
    return results.ProofBasis(context.ledger.pages, context.ledger.evidence)


async def _with_draft(context: RunContext, report: ProvenReport, draft: str) -> ProvenReport:
    if draft == report.cited.draft:
        return report
    cited = core.numbered(draft, context.ledger.evidence)
    return await verify_report(context, replace(report, cited=cited))
