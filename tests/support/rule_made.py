"""Reports made by rule, for tests: pages to find, a run over them, and what the report shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from research import core, run_sync
from research.analysts import PlanRequest, ResearcherView, Search, Step
from research.analysts.extractive import ExtractiveAnalyst
from research.core import SourceName
from research.engine import Control, RunResult, World, conduct
from research.export.markdown import report_markdown
from research.results import Report
from research.settings import Settings
from research.sources import FoundPage, Source
from research.text import language_of
from tests.support.scripted import NOW, MemoryJournal, MemorySource, found_page

TODAY = date(2026, 11, 21)


async def run(brief: core.Brief, source: Source) -> tuple[RunResult, MemoryJournal]:
    analyst, journal = ExtractiveAnalyst(), MemoryJournal()
    world = World(analyst, analyst, (source,), lambda: NOW, report_markdown)
    return await conduct("test", brief, world, journal, Control()), journal


async def research(question: str, pages: tuple[FoundPage, ...], **fields: object) -> tuple[RunResult, MemoryJournal]:
    given = {"question": question, "preset": core.PresetName.COST, "method": core.MethodName.SUPERVISED, **fields}
    brief = core.Brief.model_validate(given)
    return await run(brief, MemorySource(pages))


def asked(
    question: str, home: Path, library: Path | None = None, *, of: SourceName = SourceName.FACTBOOK, **fields: Any
) -> Report:
    """Ask without models, in the question's language: of a folder of documents, else of a sample."""
    given = {"sources": (SourceName.LIBRARY if library else of,), "language": language_of(question), **fields}
    brief = core.Brief(question=question, **given)
    return run_sync(brief, library=library, analyst="extractive", settings=Settings(home=home))


def said_first(report: Report) -> str:
    """The first section of a report, whether it answers or says that nothing does."""
    return next(text for title, text in parts(report.markdown).items() if title)


def parts(markdown: str) -> dict[str, str]:
    """The sections of a report by heading."""
    pieces = re.split(r"^## (.+)$", markdown, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


PROGRAMS_OWN = ("Limits of this report", "Verification", "Sources", "How it was researched")


def cited(result: RunResult) -> list[core.Evidence]:
    wanted = {name for sentence in result.record.sentences for name in sentence.evidence}
    return [entry for entry in result.record.evidence if entry.id in wanted]


def almanac(country: str, chapter: str, *lines: str) -> FoundPage:
    """A page of an almanac: each line begins with the country."""
    text = "\n".join([f"# {country} — {chapter}", "", *(f"{country} – {line}" for line in lines)])
    name = f"{country}-{chapter}".lower().replace(" ", "-")
    return found_page(name, text, title=f"{country} — {chapter}", kind=core.SourceKind.GOVERNMENT)


def document(name: str, title: str, *lines: str) -> FoundPage:
    """One of the user's own documents."""
    text = "\n".join([f"# {title}", "", *lines])
    return found_page(name, text, title=title, origin=core.SourceName.HOUSE, kind=core.SourceKind.DOCUMENT)


def request(brief: core.Brief) -> PlanRequest:
    return PlanRequest(brief, TODAY, core.PRESETS[brief.preset].limits)


def ledger(*pages: tuple[str, str]) -> tuple[tuple[core.Evidence, ...], dict[str, core.Page]]:
    """Pages of a title and lines, each line quoted, each page on a site of its own."""
    books = core.Ledger()
    found: list[core.Evidence] = []
    for number, (title, text) in enumerate(pages):
        page = books.add_page(
            url=f"https://p{number}.example/",
            title=title,
            site=f"p{number}.example",
            origin=core.SourceName.WEB,
            kind=core.SourceKind.STATISTICS,
            published="2025",
            fetched_at=datetime(2026, 1, 5, tzinfo=UTC),
            text=text,
        )
        found.extend(books.quote(page, text.splitlines()))
    return tuple(found), books.pages


def view(
    brief: core.Brief, section: core.Section | None = None, made: Sequence[str] = (), *pages: tuple[str, str]
) -> ResearcherView:
    evidence, kept = ledger(*pages)
    limits = core.PRESETS[brief.preset].limits
    steps = (Step(Search(tuple(made)), ""),) if made else ()
    left = limits.searches - len(steps)
    topic = section.title if section else brief.question
    return ResearcherView(brief, topic, TODAY, limits, len(steps), left, steps, evidence, kept, section)
