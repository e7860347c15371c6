"""What a run from elsewhere says, proved again: it may have been made to deceive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from research.core import (
    AnyEvent,
    FollowUpAnswered,
    Page,
    ReportVerified,
    Role,
    RunResumed,
    RunStarted,
    RunView,
    Sentence,
    Stage,
    cite,
)
from research.export.markdown import report_markdown
from research.results import Problem, ProofBasis, RunRecord, counts, prove_draft
from research.verification import Label

RECOMPUTED = "verdicts_recomputed"
"""The code of the problem that says that a run from elsewhere claimed other verdicts than it has."""
_WRITER_BY_RULE = "extractive"
_SECONDS = 60.0
"""That proving a report may take: ten times what the longest one took."""


def proved_again(
    record: RunRecord, events: Sequence[AnyEvent], pages: Mapping[str, Page], *, is_own: bool = False
) -> tuple[RunRecord, str, list[AnyEvent]]:
    """Return a record with the verdicts that its pages bear out, its report, and events that say the same.

    Its text, and what was answered about it, is read and written back as that of any writer: it leads nowhere. Unless
    it `is_own`, what it says of its writers is marked as what its file claims.

    Raises:
        Exception: of whatever kind, if no report can be made of the record.
        TimeoutError: that takes too long.
    """
    by_rule, last_moment = record.writer == _WRITER_BY_RULE, monotonic() + _SECONDS
    basis = _LimitedBasis(pages, record.ledger, last_moment)
    draft = cite(record.draft, record.ledger, is_quoting=by_rule).draft if record.draft else ""
    sentences = prove_draft(draft, basis, by_rule=by_rule)
    later = _LimitedBasis(pages, RunView.of(events).evidence, last_moment)
    told = [_answered_again(event, later, is_own=is_own) for event in events]
    problems = record.problems
    if _verdicts(sentences) != _verdicts(record.sentences) or _answers(told) != _answers(events):
        said = Problem(stage=Stage.WRITING, code=RECOMPUTED)
        problems = (*(one for one in problems if one.code != RECOMPUTED), said)
        verified = {"counts": counts(sentences)}
        told = [one.model_copy(update=verified) if isinstance(one, ReportVerified) else one for one in told]
    proved = {"draft": draft, "sentences": sentences, "problems": problems}
    record = record.model_copy(update=proved | {"is_claimed": record.is_claimed or not is_own})
    models: Mapping[Role, str] = {}
    for event in told:
        if isinstance(event, (RunStarted, RunResumed)):
            models = event.models
    return record, report_markdown(record, pages, models), told


def _answered_again(event: AnyEvent, basis: ProofBasis, *, is_own: bool) -> AnyEvent:
    """Return what was answered about the report with the verdicts that the pages bear out; any other event as it is."""
    if not isinstance(event, FollowUpAnswered) or not event.draft:
        return event
    by_rule = event.writer == _WRITER_BY_RULE
    draft = cite(event.draft, basis.evidence, is_quoting=by_rule).draft
    sentences = prove_draft(draft, basis, by_rule=by_rule)
    holds = any(one.verdict in (Label.SUPPORTED, Label.PARTIAL) for one in sentences)
    proved = {"draft": draft, "sentences": sentences, "is_answered": event.is_answered and holds}
    return event.model_copy(update=proved | {"is_claimed": event.is_claimed or not is_own})


def _answers(events: Iterable[AnyEvent]) -> list[list[tuple[str, str | None]]]:
    return [_verdicts(event.sentences) for event in events if isinstance(event, FollowUpAnswered)]


def _verdicts(sentences: Iterable[Sentence]) -> list[tuple[str, str | None]]:
    return [(sentence.text, sentence.verdict) for sentence in sentences]


@dataclass(frozen=True)
class _LimitedBasis(ProofBasis):
    """Proves sentences until a moment of the monotonic clock."""

    last_moment: float

    def prove(self, sentence: Sentence) -> Sentence:
        """Return the sentence with what the pages that it cites bear out of it."""
        if monotonic() > self.last_moment:
            raise TimeoutError("proving the report takes too long")
        return super().prove(sentence)
