"""What a run from elsewhere says, proved again: it may have been made to deceive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from time import monotonic

from research.core import AnyEvent, Page, ReportVerified, Role, RunResumed, RunStarted, Sentence, Stage
from research.export.markdown import report_markdown
from research.results import Problem, ProofBasis, RunRecord, counts, prove_draft

RECOMPUTED = "verdicts_recomputed"
"""The code of the problem that says that a run from elsewhere claimed other verdicts than it has."""
_WRITER_BY_RULE = "extractive"
_SECONDS = 60.0
"""That proving a report may take: ten times what the longest one took."""


def proved_again(
    record: RunRecord, events: list[AnyEvent], pages: Mapping[str, Page]
) -> tuple[RunRecord, str, list[AnyEvent]]:
    """Return a record with the verdicts that its pages bear out, its report, and events that say the same.

    Raises:
        Exception: of whatever kind, if no report can be made of the record.
        TimeoutError: that takes too long.
    """
    by_rule = record.writer == _WRITER_BY_RULE
    basis = _LimitedBasis(pages, record.ledger, monotonic() + _SECONDS)
    sentences = prove_draft(record.draft, basis, by_rule=by_rule)
    if _verdicts(sentences) != _verdicts(record.sentences):
        told = Problem(stage=Stage.WRITING, code=RECOMPUTED)
        problems = (*(one for one in record.problems if one.code != RECOMPUTED), told)
        record = record.model_copy(update={"problems": problems})
        verified = {"counts": counts(sentences)}
        events = [one.model_copy(update=verified) if isinstance(one, ReportVerified) else one for one in events]
    record = record.model_copy(update={"sentences": sentences})
    models: Mapping[Role, str] = {}
    for event in events:
        if isinstance(event, (RunStarted, RunResumed)):
            models = event.models
    return record, report_markdown(record, pages, models), events


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
