"""What one researcher searched for and found: its queries, and the sources that it read with the quotes taken."""

from __future__ import annotations

from pages.parts.live.lane_view import LaneView, Phase, Reading, SearchView
from pages.parts.live.live_view import LiveState
from pages.parts.live.steering_nodes import block_button
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.report.report_nodes import facts
from pages.parts.report.source_messages import SHOW_PAGE, SHOW_QUOTE
from pages.parts.ui import Ui
from research.events import PageRead
from research.problems import explain

_SOURCES, _QUOTES, _SEARCHES = 6, 2, 4
"""Shown of a lane until all is asked for; the newest come first."""
_MOST = 20
"""Sources, searches and thoughts of a lane that are shown at most while the run is under way and the page updates."""


def searches(lane: LaneView, state: LiveState, ui: Ui, unfolded: bool) -> Element | None:
    """Return the queries and what came of them, the newest first."""
    shown = lane.searches[::-1][: at_most(state) if unfolded else _SEARCHES]
    return group("ul", "searches", [_search(search, ui) for search in shown], key="searches") if shown else None


def at_most(state: LiveState) -> int | None:
    """Return how many of a lane's sources, searches or thoughts come to the page at once; None stands for all."""
    return None if state.phase is Phase.ENDED else _MOST


def _search(search: SearchView, ui: Ui) -> Element:
    if search.failed:
        outcome = el("span", "outcome bad", explain(search.failed, ui.language))
    elif search.pages is None:
        outcome = el("span", "outcome", ui._("searching…"))
    else:
        found = ui.n_("{count} page", "{count} pages", search.pages)
        new = ui._("{count} new").format(count=ui.number(search.new))
        outcome = el("span", "outcome", f"{found} · {new}" if search.pages else ui._("nothing found"))
    return el("li", "", icon("search"), el("span", "query", search.query), outcome, key=search.id)


def readings(lane: LaneView, state: LiveState, ui: Ui, unfolded: bool) -> list[Element]:
    """Return the sources and the quotes taken from them, the newest first."""
    known = [reading for reading in lane.readings.values() if reading.page in state.pages][::-1]
    shown = known[: at_most(state) if unfolded else _SOURCES]
    if not shown:
        return []
    rest = len(known) - len(shown) if unfolded else 0
    return [
        group("ul", "readings", [_reading(reading, state, ui, unfolded) for reading in shown], key="readings"),
        *([el("p", "faint", ui.n_("{count} earlier source", "{count} earlier sources", rest))] if rest else []),
    ]


def _reading(reading: Reading, state: LiveState, ui: Ui, unfolded: bool) -> Element:
    page = state.pages[reading.page]
    if state.is_blocked(page.site):
        return _blocked(page, ui)
    quotes = [state.evidence[name] for name in reading.quotes if name in state.evidence]
    lines = [
        el(
            "li",
            "",
            sender(SHOW_QUOTE + quote.id, "quote-line", quote.quote, title=ui._("Show in the page")),
            key=quote.id,
        )
        for quote in (quotes if unfolded else quotes[:_QUOTES])
    ]
    more = len(quotes) - len(lines)
    reading_now = not reading.done and state.phase is not Phase.ENDED
    return el(
        "li", "reading",
        sender(SHOW_PAGE + page.page, "title", page.title),
        el(
            "div", "line",
            facts(page, ui),
            el("span", "badge", ui._("from cache")) if reading.cached else None,
            block_button(page, state, ui),
        ),
        group("ul", "taken", lines) if lines else None,
        el("p", "faint", ui.n_("{count} more quote", "{count} more quotes", more)) if more > 0 else None,
        el("p", "faint", ui._("reading…") if reading_now else ui._("nothing quoted")) if not quotes else None,
        key=page.page,
    )  # fmt: skip


def _blocked(page: PageRead, ui: Ui) -> Element:
    """Return a source of a blocked site: that it was read, and no more."""
    return el(
        "li", "reading left-out-source",
        sender(SHOW_PAGE + page.page, "title", page.title),
        el("div", "line", facts(page, ui), el("span", "faint", ui._("site blocked; left out of the report"))),
        key=page.page,
    )  # fmt: skip


def is_longer(lane: LaneView) -> bool:
    """Whether there is more in a lane than is shown until all is asked for."""
    return (
        len(lane.readings) > _SOURCES
        or len(lane.searches) > _SEARCHES
        or any(len(reading.quotes) > _QUOTES for reading in lane.readings.values())
    )
