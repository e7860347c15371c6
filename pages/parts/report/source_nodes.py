"""The sources of a report: cited ones by number, then those that were only read, each with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pages.parts.nodes import Element, el, group, icon, link, sender
from pages.parts.report.report_nodes import CitedReport
from pages.parts.report.source_messages import SHOW_PAGE, SHOW_QUOTE
from pages.parts.ui import Ui
from research.concentration import Remark
from research.events import PageRead
from research.evidence import Evidence
from research.freshness import Age, freshness
from research.sources.kinds import KindDecision
from research.vocabulary import SourceKind


@dataclass(frozen=True)
class Known:
    """What is known of the sources beside their texts."""

    day: date
    """That of the run: how recent a source is counts from it, as in the report."""
    kinds: Mapping[str, KindDecision] = field(default_factory=dict)
    """By page id."""
    remarks: Sequence[Remark] = ()
    added: Mapping[str, str] = field(default_factory=dict)
    """By page id, the day on which a page joined the report afterwards."""


def sources(cited: CitedReport, known: Known, ui: Ui) -> list[Element]:
    """Return the sources of a report."""
    entries = [_cited(cited, page, quotes, known, ui) for page, quotes in cited.cited.items()]
    rest = [
        el("li", "source", el("div", "", *_head(page, known, ui), _shown(page, ui)), key=page.page)
        for page in cited.pages.values()
        if page.page not in cited.numbers
    ]
    if not entries:
        return [group("ul", "sources", rest)] if rest else []
    counted = ui.n_("{count} page read but not cited", "{count} pages read but not cited", len(rest))
    folded = el("details", "more", el("summary", "", counted), group("ul", "sources", rest)) if rest else None
    parts = [*_remarks(known, ui), group("ol", "sources", entries), folded]
    return [part for part in parts if part is not None]


def _remarks(known: Known, ui: Ui) -> list[Element]:
    lines = [
        el("li", "", icon("balance"), el("span", "", ui.of_term(remark.text)), key=remark.code + (remark.source or ""))
        for remark in known.remarks
    ]
    return [group("ul", "remarks measure", lines)] if lines else []


def _cited(cited: CitedReport, page_id: str, quotes: Sequence[Evidence], known: Known, ui: Ui) -> Element:
    page = cited.pages[page_id]
    label = ui._("Show in the page")
    lines = [
        el(
            "li", "",
            el("span", "", quote.quote),
            sender(SHOW_QUOTE + quote.id, "quiet", icon("find_in_page"), aria_label=label, title=label),
            key=quote.id,
        )
        for quote in quotes
    ]  # fmt: skip
    counted = el("summary", "", ui.n_("{count} quote", "{count} quotes", len(lines)))
    folded = el("details", "more", counted, group("ul", "quotes", lines)) if lines else None
    more = el("div", "source-more", folded, _shown(page, ui))
    number = el("span", "number", str(cited.numbers[page_id]))
    return el("li", "source", number, el("div", "", *_head(page, known, ui), more), key=page_id)


def _head(page: PageRead, known: Known, ui: Ui) -> list[Element]:
    """Return title, site and date, and the kind with the rule that gave it."""
    decision = known.kinds.get(page.page)
    kind = [el("span", "kind", ui.of_term(page.kind.label))]
    if decision and page.kind is not SourceKind.DOCUMENT:  # that a document is the reader's own needs no reason
        kind.append(el("span", "", ui.of_term(decision.rule)))
    line = el("p", "facts", el("span", "", page.site), *_dated(page, known, ui), _added(page, known, ui))
    return [link(page.url, page.title, "title"), line, group("p", "facts kinds", kind)]


def _dated(page: PageRead, known: Known, ui: Ui) -> list[Element]:
    age = freshness(page.published, known.day).age
    if age is Age.UNKNOWN or not page.published:
        return [el("span", "undated", icon("help"), page.published or "", ui._("date unknown"))]
    shown = el("span", "", ui.partial_date(page.published))
    if age is not Age.RECENT:
        return [shown]
    return [shown, el("span", "badge", ui._("last three months"), title=ui._("Counted back from the day of the run"))]


def _added(page: PageRead, known: Known, ui: Ui) -> Element | None:
    day = known.added.get(page.page)
    return el("span", "badge", ui._("added on {date}").format(date=day)) if day else None


def _shown(page: PageRead, ui: Ui) -> Element:
    return sender(SHOW_PAGE + page.page, "textual", icon("description"), ui._("Show the page as it was read"))
