"""Lanes as they work: searches, sources, notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pages.parts.live.plan import ended, organisation
from pages.parts.live.steering import block_button, drop_button, name_of
from pages.parts.live.thoughts import folded, heading, mark, score, task, thoughts
from pages.parts.nodes import Element, el, group, icon, report_body, sender
from pages.parts.report.text import SHOW_PAGE, SHOW_QUOTE, facts, quote_links, quoted, with_links
from pages.parts.ui import Ui
from research.core import (
    PRESETS,
    LaneState,
    LaneView,
    MethodLimits,
    MethodName,
    NoteTaken,
    PageRead,
    PageReading,
    Phase,
    RunView,
    StopReason,
    cite,
    explain,
    query_in_words,
)
from research.language import Language
from research.results import QueryTrail, queries_of

_SOURCES, _QUOTES, _SEARCHES = 6, 2, 4
"""Shown of a lane until all is asked for; the newest come first."""
_MOST = 20
"""Sources, searches and thoughts of a lane that are shown at most while the run is under way and the page updates."""
_MOST_OF_ALL = 40
"""Sources of all lanes that are listed at most."""


def searches(lane: LaneView, state: RunView, ui: Ui, unfolded: bool) -> Element | None:
    """Return the queries and what came of them from all sources, the newest first."""
    asked = queries_of(lane.searches)[::-1][: at_most(state) if unfolded else _SEARCHES]
    is_over = state.phase is Phase.ENDED
    awaited = set() if is_over else {search.query for search in lane.searches if search.pages is None}
    shown = [_search(query, ui, is_awaited=query.query in awaited) for query in asked]
    return group("ul", "searches", shown, key="searches") if shown else None


def at_most(state: RunView) -> int | None:
    """Return how many of a lane's sources, searches or thoughts come to the page at once; None stands for all."""
    return None if state.phase is Phase.ENDED else _MOST


def _search(query: QueryTrail, ui: Ui, *, is_awaited: bool) -> Element:
    if query.hits:
        found = ui.n_("{count} page", "{count} pages", query.hits)
        new = ui._("{count} new").format(count=ui.number(query.new))
        outcome = el("span", "outcome", f"{found} · {new}")
    elif is_awaited:
        outcome = el("span", "outcome", ui._("searching…"))
    elif query.failed:
        outcome = el("span", "outcome bad", explain(query.failed[0], ui.language))
    else:
        outcome = el("span", "outcome", ui._("nothing found") if query.answered else ui._("not waited for"))
    return el("li", "", icon("search"), el("span", "query", query.query), outcome, key=query.query)


def readings(lane: LaneView, state: RunView, ui: Ui, unfolded: bool) -> list[Element]:
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


def _reading(reading: PageReading, state: RunView, ui: Ui, unfolded: bool) -> Element:
    page = state.pages[reading.page]
    if state.is_blocked(page.site):
        return _blocked(page, ui)
    quotes = [state.evidence[name] for name in reading.quotes if name in state.evidence]
    lines = [
        el(
            "li",
            "",
            sender(
                SHOW_QUOTE + quote.id,
                "quote-line",
                quoted(quote.quote, "span"),
                title=ui._("Show in the page"),
            ),
            key=quote.id,
        )
        for quote in (quotes if unfolded else quotes[:_QUOTES])
    ]
    more = len(quotes) - len(lines)
    reading_now = reading.summarised is None and state.phase is not Phase.ENDED
    return el(
        "li", "reading",
        sender(SHOW_PAGE + page.page, "title", page.title),
        el(
            "div", "line",
            facts(page, ui),
            el("span", "badge", ui._("from cache")) if reading.summarised and reading.summarised.cached else None,
            block_button(page, state, ui),
        ),
        *(
            el("p", "faint", ui._("Asked of its tables: {text}").format(text=query_in_words(one, ui.language)))
            for one in (reading.summarised.queries if reading.summarised else ())
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
        or len(lane.queries) > _SEARCHES
        or any(len(reading.quotes) > _QUOTES for reading in lane.readings.values())
    )


def notes(state: RunView, ui: Ui) -> list[Element]:
    """Return the notes taken so far, by step; none once the run has ended, when they have a place of their own."""
    if not state.notes or state.phase is Phase.ENDED:
        return []
    label = ui.n_("{count} research note", "{count} research notes", len(state.notes))
    cards = [_note(note, state, ui) for note in sorted(state.notes, key=lambda note: note.step)]
    return [el("h2", "notes-title", label, key="notes-title"), group("ol", "note-cards", cards, key="notes")]


def _note(note: NoteTaken, state: RunView, ui: Ui) -> Element:
    language = state.brief.language if state.brief else Language.EN
    clean = cite(note.summary, state.evidence).draft
    body = report_body(clean, lambda ids: quote_links(ids, state.evidence, ui), language)
    sources = [
        el("li", "", sender(SHOW_PAGE + name, "title", state.pages[name].title), key=name)
        for name in note.sources
        if name in state.pages
    ]
    return el(
        "li", "note-card",
        el("p", "step", ui._("Step {step}").format(step=ui.number(note.step))),
        el("h3", "", note.query),
        group("div", "note-body", body, lang=language.value),
        el("details", "more", el("summary", "", _counted(len(sources), ui)), group("ul", "note-sources", sources))
        if sources else None,
        key=f"note-{note.step}",
    )  # fmt: skip


def _counted(sources: int, ui: Ui) -> str:
    return ui.n_("{count} source", "{count} sources", sources)


SHOW_ALL = "all:"
"""Message that asks for everything in a lane; its name follows."""
FOLD = "fold:"
"""Message that asks for no more than that again; the name of the lane follows."""

_LINE = 120
"""Characters of a thought that stand in a line."""

_ICONS = {
    LaneState.QUEUED: "schedule",
    LaneState.RUNNING: "progress_activity",
    LaneState.DONE: "check_circle",
    LaneState.FAILED: "error",
}


def activity(state: RunView, ui: Ui, unfolded: Collection[str] = ()) -> list[Element]:
    """Return all that happened, newest last; lanes that are named in `unfolded` show everything."""
    lanes = [_lane(lane, state, ui, lane.name in unfolded) for lane in state.lanes.values()]
    return [
        *_at_a_glance(state, ui),
        *_all_sources(state, ui),
        *organisation(state, ui),
        *_supervisor(state, ui),
        group("div", "lanes only" if len(lanes) == 1 else "lanes", lanes, key="lanes"),
        *notes(state, ui),
    ]


def _at_a_glance(state: RunView, ui: Ui) -> list[Element]:
    """Return a line for each of several researchers: what it looks for, found, and does now, or why it ended."""
    if len(state.lanes) < 2 or state.phase is Phase.ENDED:
        return []
    return [group("ul", "glance", [_glance(lane, state, ui) for lane in state.lanes.values()], key="glance")]


def _glance(lane: LaneView, state: RunView, ui: Ui) -> Element:
    ending = ui._("Topic dropped") if lane.dropped else ui.of_term(StopReason.words_of(lane.reason))
    return el(
        "li", f"glance-line {lane.state}{' dropped' if lane.dropped else ''}",
        icon(_symbol(lane, state), "spin" if _is_live(lane, state) and not lane.dropped else ""),
        el("span", "lane-name", lane.name),
        el("span", "glance-topic", name_of(lane), title=lane.topic),
        el("span", "glance-facts", *_lane_facts(lane, state, ui, is_short=True)),
        el("span", "glance-end", ending) if lane.reason or lane.dropped else _now(lane, state, ui),
        key=lane.name,
    )  # fmt: skip


def _all_sources(state: RunView, ui: Ui) -> list[Element]:
    """Return every source that several researchers have read, once, the newest first, with who has read it; folded."""
    if len(state.lanes) < 2 or state.phase is Phase.ENDED:
        return []
    read: dict[str, list[tuple[str, PageReading]]] = {}
    for lane in state.lanes.values():
        for name, reading in lane.readings.items():
            if name in state.pages and not state.is_blocked(state.pages[name].site):
                read.setdefault(name, []).append((lane.name, reading))
    newest = [name for name in state.pages if name in read][::-1]
    rows = [_read(state.pages[name], read[name], ui) for name in newest[:_MOST_OF_ALL]]
    rest = len(newest) - len(rows)
    label = el("summary", "", ui.n_("{count} source in all", "{count} sources in all", len(newest)))
    more = el("p", "faint", ui.n_("{count} earlier source", "{count} earlier sources", rest)) if rest else None
    return [el("details", "more all-sources", label, group("ul", "", rows), more, key="all-sources")] if rows else []


def _read(page: PageRead, by: Sequence[tuple[str, PageReading]], ui: Ui) -> Element:
    quotes = len({name for _, reading in by for name in reading.quotes})
    counted = ui.n_("{count} quote", "{count} quotes", quotes) if quotes else ui._("nothing quoted")
    whose = el("span", "lane-name", " ".join(name for name, _ in by))
    title = sender(SHOW_PAGE + page.page, "title", page.title)
    return el("li", "", whose, title, el("div", "line", facts(page, ui), el("span", "faint", counted)), key=page.page)


def _supervisor(state: RunView, ui: Ui) -> list[Element]:
    """Return the supervisor's thoughts, and what was searched ahead; nothing for methods that have neither."""
    said, ahead = state.supervisor.reflections, searches(state.supervisor, state, ui, unfolded=False)
    if not said and state.method not in (None, MethodName.SUPERVISED):
        return [] if ahead is None else [_planning("travel_explore", ui._("While the plan is made"), [ahead])]
    waiting = None if said else el("p", "faint", ui._("The first thoughts will appear here."))
    ended = None if said or state.phase is not Phase.ENDED else el("p", "faint", ui._("Nothing was recorded here."))
    shown = thoughts(said, state.evidence, ui, whole=True, at_most=at_most(state))
    return [_planning("account_tree", ui._("Supervisor"), [*shown, ended or waiting, ahead])]


def _planning(symbol: str, title: str, body: Sequence[Element | None]) -> Element:
    return el("section", "lane supervisor", el("h2", "lane-title", icon(symbol), title), *body, key="supervisor")


def _lane(lane: LaneView, state: RunView, ui: Ui, unfolded: bool) -> Element:
    """Return a lane with all that belongs to it; it opens when its researcher sets to work."""
    opens = _is_live(lane, state) or unfolded
    turning = "spin" if _is_live(lane, state) and not lane.dropped else ""
    head = el("summary", "lane-head", icon(_symbol(lane, state), turning), *_head(lane, state, ui))
    kind = f"lane {lane.state}{' dropped' if lane.dropped else ''}"
    return el("details", kind, head, _body(lane, state, ui, unfolded), key=lane.name, data_opens="" if opens else None)


def _is_live(lane: LaneView, state: RunView) -> bool:
    return lane.state is LaneState.RUNNING and state.phase is not Phase.ENDED


def _body(lane: LaneView, state: RunView, ui: Ui, unfolded: bool) -> Element:
    about = [task(lane.topic, ui), drop_button(lane, state, ui)]
    return el(
        "div", "lane-body",
        el(
            "div", "lane-course",
            group("div", "lane-tools", about, key="tools") if any(about) else None,
            el("p", "ending", *ended(lane.reason, lane.why, ui)) if lane.why else None,
            score(lane.assessed, _enough(state), ui),
            folded(lane.notes, "notes", "notes", with_links(lane.notes, state.evidence, ui)) if lane.notes else None,
            *thoughts(lane.reflections, state.evidence, ui, at_most=at_most(state)),
            searches(lane, state, ui, unfolded),
        ),
        el("div", "lane-found", *readings(lane, state, ui, unfolded), _unfold(lane, ui, unfolded)),
    )  # fmt: skip


def _symbol(lane: LaneView, state: RunView) -> str:
    broke_off = state.phase is Phase.ENDED and not lane.is_over
    return "do_not_disturb_on" if lane.dropped else "pause_circle" if broke_off else _ICONS[lane.state]


def _head(lane: LaneView, state: RunView, ui: Ui) -> list[Element | None]:
    ending = ui._("Topic dropped") if lane.dropped else ui.of_term(StopReason.words_of(lane.reason))
    return [
        el("span", "lane-name", lane.name),
        el("span", "lane-topic", name_of(lane), title=lane.topic),
        mark(lane.assessed, ui),
        el("span", "lane-facts", *_lane_facts(lane, state, ui)),
        el("span", "lane-ended", ending) if lane.reason or lane.dropped else None,
    ]


def _now(lane: LaneView, state: RunView, ui: Ui) -> Element | None:
    """Return what a researcher is doing, in one line."""
    if not _is_live(lane, state) or lane.dropped:
        return None
    if lane.searches and lane.searches[-1].pages is None:
        return _line("search", lane.searches[-1].query)
    reading = next(
        (state.pages.get(one.page) for one in reversed(lane.readings.values()) if one.summarised is None), None
    )
    if reading is not None:
        return _line("menu_book", reading.title)
    last = lane.reflections[-1] if lane.reflections else None
    said = (last.parts.summary if last.parts else "") or last.reflection if last else ""
    return _line("psychology", heading(said)[:_LINE]) if said else None


def _line(symbol: str, text: str) -> Element:
    return el("span", "lane-now", icon(symbol), el("span", "", text), key="now")


def _enough(state: RunView) -> int:
    limits = PRESETS[state.brief.preset].limits.methods if state.brief else MethodLimits()
    return limits.enough


def _lane_facts(lane: LaneView, state: RunView, ui: Ui, *, is_short: bool = False) -> Iterator[Element | str]:
    """Say how a lane stands; where there is little room, what its sign shows is said to listeners alone."""
    words = {
        LaneState.QUEUED: ui._("Waiting for its turn"),
        LaneState.RUNNING: ui._("Broke off") if state.phase is Phase.ENDED else ui._("Researching"),
        LaneState.DONE: ui._("Done"),
        LaneState.FAILED: ui._("Failed"),
    }
    counts = [
        ui.n_("{count} search", "{count} searches", asked) if (asked := len(queries_of(lane.asked.values()))) else "",
        ui.n_("{count} source", "{count} sources", len(lane.readings)) if lane.readings else "",
        ui.n_("{count} quote", "{count} quotes", lane.quotes) if lane.quotes else "",
        ui.n_("{count} kept", "{count} kept", lane.kept) if lane.kept is not None else "",
    ]
    told = [count for count in counts if count]
    if is_short and told:
        yield el("span", "unseen", f"{words[lane.state]} · ")
        yield " · ".join(told)
    else:
        yield " · ".join([words[lane.state], *told])


def _unfold(lane: LaneView, ui: Ui, unfolded: bool) -> Element | None:
    if not is_longer(lane):
        return None
    if unfolded:
        return sender(FOLD + lane.name, "textual", icon("unfold_less"), ui._("Show less"), key="unfold")
    return sender(SHOW_ALL + lane.name, "textual", icon("unfold_more"), ui._("Show everything"), key="unfold")
