"""The research as it happens: how it is organised, the supervisor's thoughts, a lane for each topic, the notes."""

from __future__ import annotations

from collections.abc import Collection

from pages.parts.lane_view import LaneState, LaneView, Phase, Reading, SearchView
from pages.parts.live_view import LiveState
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.note_nodes import notes
from pages.parts.plan_nodes import ended, organisation
from pages.parts.quote_links import with_links
from pages.parts.report_nodes import facts
from pages.parts.score_nodes import mark, score
from pages.parts.source_messages import SHOW_PAGE, SHOW_QUOTE
from pages.parts.thought_nodes import folded, heading, task, thoughts
from pages.parts.ui import Ui
from research.methods.limits import MethodLimits
from research.methods.names import MethodName
from research.methods.stopping import StopReason
from research.presets import PRESETS
from research.problems import explain

SHOW_ALL = "all:"
"""Message that asks for everything in a lane; its name follows."""

_SOURCES, _QUOTES, _SEARCHES = 6, 2, 4
"""Shown of a lane until all is asked for; the newest come first."""

_ICONS = {
    LaneState.QUEUED: "schedule",
    LaneState.RUNNING: "progress_activity",
    LaneState.DONE: "check_circle",
    LaneState.FAILED: "error",
}


def activity(state: LiveState, ui: Ui, unfolded: Collection[str] = ()) -> list[Element]:
    """Return all that happened, newest last; lanes that are named in `unfolded` show everything."""
    lanes = [_lane(lane, state, ui, lane.name in unfolded) for lane in state.lanes.values()]
    kind = "lanes only" if len(lanes) == 1 else "lanes"
    return [
        *organisation(state, ui),
        *_supervisor(state, ui),
        group("div", kind, lanes, key="lanes"),
        *notes(state, ui),
    ]


def _supervisor(state: LiveState, ui: Ui) -> list[Element]:
    """Return the supervisor's thoughts; nothing for methods that have none."""
    said = state.supervisor.reflections
    if not said and state.method not in (None, MethodName.SUPERVISED):
        return []
    waiting = None if said else el("p", "faint", ui._("The first thoughts appear here in a moment."))
    ended = None if said or state.phase is not Phase.ENDED else el("p", "faint", ui._("Nothing was recorded here."))
    return [
        el(
            "section", "lane supervisor",
            el("h3", "lane-title", icon("account_tree"), ui._("Supervisor")),
            *thoughts(said, state.evidence, ui, whole=True),
            ended or waiting,
            key="supervisor",
        )
    ]  # fmt: skip


def _lane(lane: LaneView, state: LiveState, ui: Ui, unfolded: bool) -> Element:
    is_live = lane.state is LaneState.RUNNING and state.phase is not Phase.ENDED
    body = el(
        "div", "lane-body",
        el(
            "div", "lane-course",
            task(lane.topic, ui),
            el("p", "ending", *ended(lane.reason, lane.why, ui)) if lane.why else None,
            score(lane.assessed, _enough(state), ui),
            folded(lane.notes, "notes", "notes", with_links(lane.notes, state.evidence, ui)) if lane.notes else None,
            *thoughts(lane.reflections, state.evidence, ui),
            _searches(lane, ui, unfolded),
        ),
        el("div", "lane-found", _readings(lane, state, ui, unfolded), _unfold(lane, ui, unfolded)),
    )  # fmt: skip
    is_open = is_live or unfolded
    return el(
        "details", f"lane {lane.state}", _head(lane, state, ui), body, key=lane.name, open="" if is_open else None
    )


def _head(lane: LaneView, state: LiveState, ui: Ui) -> Element:
    is_live = lane.state is LaneState.RUNNING and state.phase is not Phase.ENDED
    broke_off = state.phase is Phase.ENDED and not lane.is_over
    title = lane.title or heading(lane.topic)
    return el(
        "summary", "lane-head",
        icon("pause_circle" if broke_off else _ICONS[lane.state], "spin" if is_live else ""),
        el("span", "lane-name", lane.name),
        el("span", "lane-topic", title, title=lane.topic),
        mark(lane.assessed, ui),
        el("span", "lane-facts", _lane_facts(lane, state, ui)),
        el("span", "lane-ended", ui.of_term(StopReason.words_of(lane.reason))) if lane.reason else None,
    )  # fmt: skip


def _enough(state: LiveState) -> int:
    limits = PRESETS[state.brief.preset].limits.methods if state.brief else MethodLimits()
    return limits.enough


def _lane_facts(lane: LaneView, state: LiveState, ui: Ui) -> str:
    words = {
        LaneState.QUEUED: ui._("Waiting for its turn"),
        LaneState.RUNNING: ui._("Broke off") if state.phase is Phase.ENDED else ui._("Researching"),
        LaneState.DONE: ui._("Done"),
        LaneState.FAILED: ui._("Failed"),
    }
    counts = [
        ui.n_("{count} search", "{count} searches", len(lane.searches)) if lane.searches else "",
        ui.n_("{count} source", "{count} sources", len(lane.readings)) if lane.readings else "",
        ui.n_("{count} quote", "{count} quotes", lane.quotes) if lane.quotes else "",
        ui.n_("{count} kept", "{count} kept", lane.kept) if lane.kept is not None else "",
    ]
    return " · ".join([words[lane.state], *filter(None, counts)])


def _searches(lane: LaneView, ui: Ui, unfolded: bool) -> Element | None:
    shown = lane.searches[::-1] if unfolded else lane.searches[: -_SEARCHES - 1 : -1]
    return group("ul", "searches", [_search(search, ui) for search in shown], key="searches") if shown else None


def _search(search: SearchView, ui: Ui) -> Element:
    if search.failed:
        outcome = el("span", "outcome bad", explain(search.failed, ui.language))
    elif search.pages is None:
        outcome = el("span", "outcome", ui._("searching…"))
    else:
        found = ui.n_("{count} page", "{count} pages", search.pages)
        new = ui._("{count} new").format(count=ui.number(search.new))
        outcome = el("span", "outcome", f"{found}, {new}" if search.pages else ui._("nothing found"))
    return el("li", "", icon("search"), el("span", "query", search.query), outcome, key=search.id)


def _readings(lane: LaneView, state: LiveState, ui: Ui, unfolded: bool) -> Element | None:
    readings = [reading for reading in lane.readings.values() if reading.page in state.pages][::-1]
    shown = readings if unfolded else readings[:_SOURCES]
    entries = [_reading(reading, state, ui, unfolded) for reading in shown]
    return group("ul", "readings", entries, key="readings") if entries else None


def _reading(reading: Reading, state: LiveState, ui: Ui, unfolded: bool) -> Element:
    page = state.pages[reading.page]
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
        el("div", "line", facts(page, ui), el("span", "badge", ui._("from cache")) if reading.cached else None),
        group("ul", "taken", lines) if lines else None,
        el("p", "faint", ui.n_("{count} more quote", "{count} more quotes", more)) if more > 0 else None,
        el("p", "faint", ui._("reading…") if reading_now else ui._("nothing quoted")) if not quotes else None,
        key=page.page,
    )  # fmt: skip


def _unfold(lane: LaneView, ui: Ui, unfolded: bool) -> Element | None:
    hidden = (
        len(lane.readings) > _SOURCES
        or len(lane.searches) > _SEARCHES
        or any(len(r.quotes) > _QUOTES for r in lane.readings.values())
    )
    if not hidden:
        return None
    if unfolded:
        return sender(SHOW_ALL + lane.name, "textual", icon("unfold_less"), ui._("Show less"), key="unfold")
    return sender(SHOW_ALL + lane.name, "textual", icon("unfold_more"), ui._("Show everything"), key="unfold")
