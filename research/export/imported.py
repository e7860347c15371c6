"""What a run from elsewhere says, proved again: it may have been made to deceive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

from research.core import (
    FRAMING,
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
    last_moment = monotonic() + _SECONDS
    basis = _LimitedBasis(pages, record.ledger, last_moment)
    report = _proved(record.draft, record.writer, record.sentences, basis, is_own=is_own)
    later = _LimitedBasis(pages, RunView.of(events).evidence, last_moment)
    told, is_as_claimed = list(events), report.is_as_claimed
    for place, event in enumerate(events):
        if isinstance(event, FollowUpAnswered) and event.draft:
            answer = _proved(event.draft, event.writer, event.sentences, later, is_own=is_own)
            is_as_claimed = is_as_claimed and answer.is_as_claimed
            told[place] = _answered_again(event, answer, is_own=is_own)
    problems = record.problems
    if not is_as_claimed:
        said = Problem(stage=Stage.WRITING, code=RECOMPUTED)
        problems = (*(one for one in problems if one.code != RECOMPUTED), said)
    if _verdicts(report.sentences) != _verdicts(record.sentences) or not is_as_claimed:
        verified = {"counts": counts(report.sentences)}
        told = [one.model_copy(update=verified) if isinstance(one, ReportVerified) else one for one in told]
    proved = {"draft": report.draft, "sentences": report.sentences, "problems": problems}
    record = record.model_copy(update=proved | {"is_claimed": record.is_claimed or not is_own})
    models: Mapping[Role, str] = {}
    for event in told:
        if isinstance(event, (RunStarted, RunResumed)):
            models = event.models
    return record, report_markdown(record, pages, models), told


class _Proved(NamedTuple):
    draft: str
    sentences: tuple[Sentence, ...]
    is_as_claimed: bool
    """Whether the file says the same of them."""


def _proved(draft: str, writer: str, claimed: Sequence[Sentence], basis: ProofBasis, *, is_own: bool) -> _Proved:
    """Read a text that `writer` is said to have written, and prove its sentences.

    Nobody knows that it was the program that wrote a text from elsewhere: what it would have said of its own work is
    held against the pages as well.
    """
    by_rule = writer == _WRITER_BY_RULE
    clean = cite(draft, basis.evidence, is_quoting=by_rule).draft if draft else ""
    sentences = prove_draft(clean, basis, by_rule=by_rule)
    shown = sentences
    if not is_own:
        shown = tuple(basis.prove(one) if one.reason_code == FRAMING else one for one in sentences)
    return _Proved(clean, shown, _verdicts(claimed) in (_verdicts(sentences), _verdicts(shown)))


def _answered_again(event: FollowUpAnswered, answer: _Proved, *, is_own: bool) -> FollowUpAnswered:
    holds = any(one.verdict in (Label.SUPPORTED, Label.PARTIAL) for one in answer.sentences)
    proved = {"draft": answer.draft, "sentences": answer.sentences, "is_answered": event.is_answered and holds}
    return event.model_copy(update=proved | {"is_claimed": event.is_claimed or not is_own})


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
