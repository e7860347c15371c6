"""What is computed from the pages and quotes of a run that has ended: once a run, then kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import streamlit as st

from pages.parts.engine import engine
from research.concentration import Remark, concentration
from research.contradictions import Contradiction
from research.evidence import Evidence, Page
from research.quantities import Quantity, quantities
from research.report import RunRecord
from research.runs.reports import load_report
from research.sources.kinds import KindDecision, decision_for
from research.verification.figure_table import FigureRow, figure_rows

_KEPT = 8
"""Runs of which the results are kept."""


@dataclass(frozen=True)
class Findings:
    """What was found in the sources of a run."""

    day: date
    """That of the run."""
    contradictions: tuple[Contradiction, ...]
    kinds: dict[str, KindDecision]
    """Kind of each page, with its rule, by page id."""
    remarks: tuple[Remark, ...]


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def findings(run_id: str) -> Findings:
    """Return what was found in the sources of a run that has ended."""
    record = _record(run_id)
    quotes, pages = _kept(run_id)
    held = {quote.id: quote for quote in quotes}
    cited = [[name for name in sentence.evidence if name in held] for sentence in record.sentences]
    return Findings(
        record.day,
        record.contradictions,
        {name: decision_for(page) for name, page in pages.items()},
        concentration(cited, held, pages),
    )


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def figures(run_id: str) -> list[FigureRow]:
    """Return every figure in the evidence of a run."""
    return figure_rows(*_kept(run_id))


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def series(run_id: str) -> list[Quantity]:
    """Return what several figures of a run measure in common."""
    return quantities(figures(run_id))


def _record(run_id: str) -> RunRecord:
    """Return the record of a run; of one that broke off, what it had found until then."""
    return engine().store.record(run_id) or load_report(engine().store, run_id).record


def _kept(run_id: str) -> tuple[list[Evidence], dict[str, Page]]:
    """Return the quotes of a run, and its pages."""
    pages = engine().store.pages(run_id)
    entries = _record(run_id).evidence
    return [Evidence.model_validate(entry.model_dump()) for entry in entries if entry.source in pages], pages
