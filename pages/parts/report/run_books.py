"""What is computed from the pages and quotes of a run that has ended: kept until something joins it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import streamlit as st

from pages.parts.engine import engine
from research.concentration import Remark, concentration
from research.contradictions import Contradiction
from research.followup.evidence import added_on
from research.quantities import Quantity, quantities
from research.runs.follow_ups import follow_ups
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
    added: dict[str, date]
    """The day on which a quote joined the run by a further question, by its id."""


def findings(run_id: str) -> Findings:
    """Return what was found in the sources of a run that has ended, and in what joined it since."""
    return _findings(run_id, _stand(run_id))


def figures(run_id: str) -> list[FigureRow]:
    """Return every figure in the evidence of a run, and in what joined it since."""
    return _figures(run_id, _stand(run_id))


def series(run_id: str) -> list[Quantity]:
    """Return what several figures of a run measure in common."""
    return _series(run_id, _stand(run_id))


def _stand(run_id: str) -> tuple[str, ...]:
    """Return what changes with what is known: when a run ended, as one that broke off may go on, and what joined it."""
    store = engine().store
    joined = (one.answer.run for one in follow_ups(store, run_id) if one.answer.run)
    return str(store.get(run_id).finished_at), *joined


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _findings(run_id: str, stand: tuple[str, ...]) -> Findings:
    report = load_report(engine().store, run_id)
    held = {quote.id: quote for quote in report.evidence_now}
    cited = [[name for name in sentence.evidence if name in held] for sentence in report.record.sentences]
    return Findings(
        report.record.day,
        report.contradictions_now,
        {name: decision_for(page) for name, page in report.pages.items()},
        concentration(cited, held, report.pages),
        added_on(report.history),
    )


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _figures(run_id: str, stand: tuple[str, ...]) -> list[FigureRow]:
    report = load_report(engine().store, run_id)
    return figure_rows(report.evidence_now, report.pages)


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _series(run_id: str, stand: tuple[str, ...]) -> list[Quantity]:
    return quantities(_figures(run_id, stand))
