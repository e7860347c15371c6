"""A report from nothing but the events of a run, for runs whose engine could not write one itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from research.books import evidence_in, still_wanted
from research.brief import Brief
from research.citations import cite
from research.contradictions import Contradiction, contradictions_of
from research.events import Event, PageRead, Stage, Status
from research.evidence import Evidence, Page
from research.export.byline import byline
from research.export.recorded import record_markdown
from research.proof import Books, prove_draft
from research.record import Problem, RunRecord, SourceEntry, problems_in
from research.text.markdown import escape_markdown
from research.trail import trail_of
from research.usage import usage_of

_RULE = "extractive"


def salvage(
    run_id: str,
    brief: Brief,
    analyst: str,
    events: Sequence[Event],
    kept: Mapping[str, Page],
    *,
    started_at: datetime,
    seconds: float,
    code: str,
    detail: str = "",
) -> tuple[RunRecord, str]:
    """Return the record and the report of a run that broke off: every quote that it found, by source.

    The report holds nothing of sites that were blocked and of topics that were dropped; the record names it still.
    Quotes of pages that are not among the `kept` ones cannot be verified. `code` (see `research.problems`) says why.
    """
    pages = {event.page: kept.get(event.page) or _page(event) for event in events if isinstance(event, PageRead)}
    evidence = {entry.id: entry for entry in evidence_in(events)}
    wanted = {entry.id: entry for entry in still_wanted(evidence.values(), events)}
    cited = cite(_draft(pages, wanted), wanted)
    found, failed = _contradictions(events, pages, wanted)
    record = RunRecord(
        run=run_id,
        status=Status.PARTIAL if wanted else Status.FAILED,
        analyst=analyst,
        writer=_RULE,
        brief=brief,
        started_at=started_at.isoformat(),
        seconds=seconds,
        usage=usage_of(events),
        sources=tuple(SourceEntry.of(page, cited.numbers.get(page.id)) for page in pages.values()),
        evidence=tuple(evidence.values()),
        sentences=prove_draft(cited.draft, Books(pages, evidence), by_rule=True),
        problems=(*problems_in(events), Problem(stage=Stage.RESEARCH, code=code, detail=detail), *failed),
        draft=cited.draft,
        contradictions=found,
        trail=trail_of(events),
    )
    return record, record_markdown(record, cited, pages, byline(brief.language, record.day, _RULE, {}))


def _contradictions(
    events: Sequence[Event], pages: Mapping[str, Page], evidence: Mapping[str, Evidence]
) -> tuple[tuple[Contradiction, ...], tuple[Problem, ...]]:
    """Return what the sources say differently, and what kept it from being found."""
    try:
        return contradictions_of(events, evidence, pages), ()
    except Exception as error:  # noqa: BLE001 - text of strangers must not cost what is left of a run
        detail = f"{type(error).__name__}: {error}"
        return (), (Problem(stage=Stage.WRITING, code="comparison_failed", detail=detail),)


def _draft(pages: dict[str, Page], evidence: dict[str, Evidence]) -> str:
    sections = []
    for page in pages.values():
        mine = (entry for entry in evidence.values() if entry.source == page.id)
        quotes = [f"- “{escape_markdown(entry.quote)}” [{entry.id}]" for entry in mine]
        if quotes:
            sections.append("\n".join([f"## {escape_markdown(page.title)}", "", *quotes]))
    return "\n\n".join(sections)


def _page(event: PageRead) -> Page:
    """Return the page without its text, which stands in the store."""
    if event.at is None:
        raise ValueError("An event of a run has a time.")
    return Page(
        id=event.page,
        url=event.url,
        title=event.title,
        site=event.site,
        origin=event.origin,
        kind=event.kind,
        published=event.published,
        fetched_at=event.at,
        text="",
        sha256=event.sha256,
    )
