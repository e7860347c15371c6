"""The result of a run: its record, the report as Markdown, and pandas frames of everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field

from research.core import AnyEvent, Evidence, Page, RunView, Sentence, Status
from research.quantities import figure_frame, figure_rows
from research.results.record import (
    FollowUp,
    ResearchNote,
    RunRecord,
    SourceEntry,
    Usage,
    contradictions_now,
    evidence_now,
    follow_ups_of,
    notes_of,
)
from research.verification import Contradiction, Side

if TYPE_CHECKING:
    import pandas as pd


class Report(BaseModel):
    """A finished run."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    record: RunRecord
    markdown: str
    """The report with numbered citations and its list of sources."""
    history: tuple[AnyEvent, ...] = Field(default=(), repr=False)
    """Every event of the run, in order."""
    pages: dict[str, Page] = Field(default_factory=dict, repr=False)
    """Every page that the run read, as it was read, by id."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy it; what is computed from its record, history and pages is computed anew if these are others."""
        copy = super().model_copy(update=update, deep=deep)
        if (update or {}).keys() - {"markdown"}:
            for name in copy.__dict__.keys() - type(copy).model_fields.keys():
                del copy.__dict__[name]
        return copy

    @property
    def status(self) -> Status:
        """How the run ended."""
        return self.record.status

    @cached_property
    def view(self) -> RunView:
        """What happened in the run, folded from its events."""
        return RunView.of(self.history)

    @property
    def follow_ups(self) -> tuple[FollowUp, ...]:
        """What was asked about it afterwards, in order, each with its answer."""
        return follow_ups_of(self.view)

    @cached_property
    def evidence_now(self) -> tuple[Evidence, ...]:
        """Its evidence and what joined it since, without what the user wants left out."""
        return tuple(evidence_now(self.record, self.view, self.pages))

    @cached_property
    def contradictions_now(self) -> tuple[Contradiction, ...]:
        """What its sources say differently, with those that joined it since."""
        return contradictions_now(self.record, self.view, self.pages)

    @cached_property
    def sources(self) -> pd.DataFrame:
        """One row a page: id, url, title, site, kind, published, number, …"""
        return _frame(self.record.sources, SourceEntry)

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """One row a quote: id, source, quote, start, end."""
        return _frame(self.record.evidence, Evidence)

    @cached_property
    def figures(self) -> pd.DataFrame:
        """One row a figure in the evidence, with what joined it since: subject, label, value, unit, period, quote, …"""
        return figure_frame(figure_rows(self.evidence_now, self.pages))

    @cached_property
    def contradictions(self) -> pd.DataFrame:
        """One row for each side of a contradiction, also with what joined since: its number, kind, label, value, …"""
        import pandas as pd

        rows = [
            {"contradiction": number, "kind": found.kind.value, "subject": found.subject, "label": found.label}
            | side.model_dump()
            for number, found in enumerate(self.contradictions_now, 1)
            for side in found.sides
        ]
        columns = ["contradiction", "kind", "subject", "label", *Side.model_fields]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def notes(self) -> pd.DataFrame:
        """One row a research note: step, query, summary (Markdown, citing evidence as `[E12]`), sources."""
        return _frame(notes_of(self.view.notes), ResearchNote)

    @cached_property
    def sentences(self) -> pd.DataFrame:
        """One row a sentence of the report: text, evidence, verdict, score, reason (in its language), …"""
        frame, language = _frame(self.record.sentences, Sentence), self.record.brief.language
        frame["reason"] = [one.reason.in_(language) if one.reason else "" for one in self.record.sentences]
        return frame

    @cached_property
    def events(self) -> pd.DataFrame:
        """One row an event: seq, at (UTC), type, and each field that any event has (missing ones empty)."""
        import pandas as pd

        return pd.DataFrame([event.model_dump() for event in self.history])

    @cached_property
    def usage(self) -> pd.DataFrame:
        """One row a role: calls, input_tokens, output_tokens, cached, cached_tokens, spared_tokens, cost_usd."""
        import pandas as pd

        rows = {role.value: entry.model_dump() for role, entry in self.record.usage.items()}
        return pd.DataFrame.from_dict(rows, orient="index", columns=list(Usage.model_fields)).rename_axis("role")


def _frame(rows: Iterable[BaseModel], model: type[BaseModel]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([row.model_dump() for row in rows], columns=list(model.model_fields))
