"""Reports of finished runs, made without any research."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from research.language import Language
from research.results import Report
from research.store import RunStore, load_report
from tests.support import sample_runs


def sales_report(home: Path, language: Language = Language.EN) -> Report:
    """A report about figures of two sources."""
    store = RunStore(home)
    report = load_report(store, sample_runs.sales(store, language))
    store.close()
    return report


def electricity_report(home: Path, language: Language = Language.EN) -> Report:
    """A report that cites several sources, one of them a file of its reader's own."""
    store = RunStore(home)
    report = load_report(store, sample_runs.ended(store, language))
    store.close()
    return report


def with_page(report: Report, name: str, **fields: Any) -> Report:
    """The report with a page, and what its record says of it, changed."""
    page = report.pages[name].model_copy(update=fields)
    named = {key: value for key, value in fields.items() if key in ("url", "title", "site", "published")}
    sources = [entry.model_copy(update=named) if entry.id == name else entry for entry in report.record.sources]
    record = report.record.model_copy(update={"sources": tuple(sources)})
    return report.model_copy(update={"record": record, "pages": {**report.pages, name: page}})
