"""The library of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts.engine import engine
from pages.parts.native_words import say_anew
from pages.parts.nodes import Element, el, group, icon, lang_of, sender
from pages.parts.report.head import STATE_ICONS, analyst_label, state_label
from pages.parts.ui import Ui
from research.core import PRESETS, method_of
from research.results import RunRecord, borne_out, counts
from research.store import Excerpt, MatchPlace, RunState, RunSummary, Wanted, tags_in_use
from research.text import head_of

WORDS, _STATE, _TAGS, _STARRED = "runs_words", "runs_state", "runs_tags", "runs_starred"
RUNS_PAGE = "runs_page"
_STATES = (
    RunState.COMPLETE,
    RunState.PARTIAL,
    RunState.FAILED,
    RunState.INTERRUPTED,
    RunState.RUNNING,
    RunState.WAITING,
)


def ask_runs(reader: Ui) -> Wanted:
    """Show the search field and the filters, and return what is wanted."""
    words = st.text_input(
        reader._("Search runs"),
        key=WORDS,
        type="search",
        live=True,
        icon=":material/search:",
        placeholder=reader._("Search questions, reports and sources"),
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_page,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="runs_filters"):
        say_anew(_STATE, reader.language.value)
        state = st.selectbox(
            reader._("State"),
            _STATES,
            index=None,
            format_func=lambda one: state_label(one, reader),
            key=_STATE,
            placeholder=reader._("Any state"),
            label_visibility="collapsed",
            persist_state="session",
            on_change=_first_page,
            width=150,
        )
        tags = _tags(reader)
        starred = st.toggle(
            reader._("Starred only"), key=_STARRED, persist_state="session", on_change=_first_page, width="content"
        )
        wanted = Wanted(words=words or "", state=state, tags=tuple(tags), starred=starred)
        if not wanted.is_open:
            st.button(reader._("Show all"), type="tertiary", icon=":material/close:", on_click=clear, key="runs_all")
    return wanted


def _tags(reader: Ui) -> list[str]:
    """Ask for tags, if there are any."""
    known = tags_in_use(engine().store)
    held = [tag for tag in st.session_state.get(_TAGS, []) if tag in known]
    if _TAGS in st.session_state and held != st.session_state[_TAGS]:
        st.session_state[_TAGS] = held
    if not known:
        return []
    return st.multiselect(
        reader._("Tags"),
        known,
        key=_TAGS,
        placeholder=reader._("Any tag"),
        label_visibility="collapsed",
        persist_state="session",
        on_change=_first_page,
        width=190,
    )


def show_tag(tag: str) -> None:
    """Ask for the runs with a tag, whatever was asked for before."""
    clear()
    st.session_state[_TAGS] = [tag]


def clear() -> None:
    """Ask for all runs."""
    st.session_state[WORDS] = ""
    st.session_state[_STATE] = None
    st.session_state[_TAGS] = []
    st.session_state[_STARRED] = False
    _first_page()


def _first_page() -> None:
    st.session_state[RUNS_PAGE] = 1


OPEN_RUN = "open:"
"""Message that asks to open a run; its id follows, as in all of these."""
DELETE_RUN = "delete:"
STAR_RUN, UNSTAR_RUN = "star:", "unstar:"
SHARE_RUN, UNSHARE_RUN = "share:", "unshare:"
LABEL_RUN = "label:"
REPEAT_RUN = "repeat:"
CHANGE_RUN = "change:"
SCHEDULE_RUN = "schedule:"
EXPORT_RUN = "export:"
COMPARE_RUN = "compare:"
SHOW_CHANGES = "changes:"
SHOW_TAG = "tag:"
"""Message that asks for the runs with a tag, which follows."""

_TITLE = 160


def title(question: str) -> str:
    """Return a question as one line that is not too long for a list."""
    line = head_of(question)
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def _told(tag: str, kind: str, question: str) -> Element:
    """Return a question as one line in its own language."""
    return el(tag, kind, title(question), lang=lang_of(question))


def runs(
    summaries: Sequence[RunSummary],
    ui: Ui,
    *,
    excerpts: Mapping[str, Excerpt] | None = None,
    left: Mapping[str, Left] | None = None,
    comparing: RunSummary | None = None,
    page: int = 1,
) -> list[Element]:
    """Return runs as rows that open, each with its star and the button of its menu.

    `excerpts` says by run why it was found, `left` what it left behind; `comparing` is the run for which another one is
    being chosen; another `page` of the list is shown from its top.
    """
    found, known = excerpts or {}, left or {}
    rows = [_row(run, found.get(run.id), known.get(run.id), comparing, ui) for run in summaries]
    return [group("ul", "runs", rows, key="runs", data_page=str(page))]


def choosing(run: RunSummary, ui: Ui) -> list[Element]:
    """Return what says, above the list, that another run is being chosen to compare `run` with."""
    asked = el("strong", "", ui._("Choose the run to compare with"))
    stop = el("p", "", sender(COMPARE_RUN + run.id, "textual", ui._("Do not compare")))
    return [el("div", "mode choosing", icon("compare_arrows"), asked, _told("p", "", run.name), stop)]


def menus(summaries: Sequence[RunSummary], ui: Ui, *, comparing: RunSummary | None = None) -> dict[str, list[Element]]:
    """Return what the menu of each run opens, by the run's id."""
    return {run.id: _menu(run, comparing, ui) for run in summaries}


def _row(run: RunSummary, excerpt: Excerpt | None, left: Left | None, comparing: RunSummary | None, ui: Ui) -> Element:
    words = title(run.name)
    is_chosen = comparing is not None and comparing.id == run.id
    more = ui._("More on “{title}”").format(title=words)
    return el(
        "li", "run chosen" if is_chosen else "run",
        _star(run, words, ui) if run.is_own else icon("group"),
        el(
            "div", "run-told",
            run_link(run.id, words),
            _told("p", "question-line", run.question) if run.title else None,
            group("p", "facts", [_state(run, ui), *_facts(run, left, ui)]),
            _errand(run, ui),
            _excerpt(excerpt, ui),
            _labels(run, comparing, ui),
        ),
        el(
            "button", "quiet menu-opener", icon("more_horiz"), type="button", title=ui._("More actions"),
            data_card=run.id, data_calm="", aria_label=more, aria_haspopup="dialog", aria_expanded="false",
        ),
        key=run.id,
    )  # fmt: skip


def shared(run: RunSummary, ui: Ui) -> str:
    """Return who shares a run with whom; nothing if nobody does."""
    if not run.shared:
        return ""
    return ui._("Shared with all") if run.is_own else ui._("Shared by {account}").format(account=run.account)


def _star(run: RunSummary, words: str, ui: Ui) -> Element:
    message, label = (UNSTAR_RUN, ui._("Remove the star")) if run.starred else (STAR_RUN, ui._("Star"))
    return sender(
        message + run.id,
        "quiet star on" if run.starred else "quiet star",
        el("span", "glyph", "★" if run.starred else "☆", aria_hidden="true"),
        title=label,
        aria_label=ui._("Star “{title}”").format(title=words),
        aria_pressed="true" if run.starred else "false",
    )


class Left(NamedTuple):
    """What a run left behind that tells it from others of the same question."""

    supported: int
    checked: int
    """Sentences, as those that are supported."""
    pages: float | None
    """How long its report is, as far as that is known."""
    cost_usd: float | None
    """None if the price of a model is not known."""
    is_rewritten: bool

    @classmethod
    def of(cls, record: RunRecord) -> Left:
        """Return it as the record of a run has it."""
        verdicts = counts(record.sentences)
        return cls(
            borne_out(verdicts),
            sum(verdicts.values()),
            record.pages,
            record.spent.cost_usd,
            bool(record.rewritten_from),
        )


def _facts(run: RunSummary, left: Left | None, ui: Ui) -> list[Element | str]:
    by_rule = run.analyst == "extractive"
    said = [
        ui.moment(run.created_at),
        ui.duration(run.seconds),
        ui.n_("{count} source", "{count} sources", run.pages),
        *(_came_to(left, ui, is_free=by_rule) if left else ()),
        ui.of_term(PRESETS[run.brief.preset].label),
        ui.of_term(method_of(run.brief).label),
        analyst_label(run.analyst, ui),
        ui._("rewritten") if left and left.is_rewritten else "",
        shared(run, ui),
    ]
    return [part for fact in filter(None, said) for part in (el("span", "fact", fact), " ")]


def _came_to(left: Left, ui: Ui, *, is_free: bool) -> Iterator[str]:
    """Say how much of a report is supported, how long it is and what it cost."""
    if left.checked:
        supported, checked = ui.number(left.supported), ui.number(left.checked)
        yield ui._("{part} of {whole} supported").format(part=supported, whole=checked)
    if left.pages:
        yield ui.n_("{count} page of text", "{count} pages of text", max(1, round(left.pages)))
    if not is_free:
        yield ui.price(left.cost_usd)


def _errand(run: RunSummary, ui: Ui) -> Element | None:
    """Say that a run only searches for what was asked about the report of another."""
    if not run.searches_for:
        return None
    said = ui._("A search for a question about the report of another run.")
    there = run_link(run.searches_for, ui._("Open that run"), "textual")
    return el("p", "errand", icon("travel_explore"), el("span", "", said), there)


def _excerpt(excerpt: Excerpt | None, ui: Ui) -> Element | None:
    if excerpt is None:
        return None
    where = ui._("Report") if excerpt.place is MatchPlace.REPORT else ui._("Source")
    found = el("mark", "", excerpt.found)
    told = el("span", "", excerpt.before, found, excerpt.after, lang=lang_of(excerpt.before + excerpt.after))
    return el("p", "excerpt", el("span", "label", where), told)


def _labels(run: RunSummary, comparing: RunSummary | None, ui: Ui) -> Element | None:
    tags = [
        sender(SHOW_TAG + tag, "tag", tag, title=ui._("Show all runs with this tag"), key=f"tag {tag}")
        for tag in run.tags
    ]
    has_ended = not run.state.is_open
    if comparing is not None and has_ended and run.id != comparing.id:
        tags.append(sender(COMPARE_RUN + run.id, "offer", icon("compare_arrows"), _comparing(run, comparing, ui)))
    elif run.follows and has_ended:
        tags.append(sender(SHOW_CHANGES + run.id, "textual", icon("difference"), ui._("What changed since last time")))
    return group("div", "labels", tags) if tags else None


def _menu(run: RunSummary, comparing: RunSummary | None, ui: Ui) -> list[Element]:
    has_ended = not run.state.is_open
    entries = [
        *([(LABEL_RUN, "edit", ui._("Title and tags"))] if run.is_own else []),
        (REPEAT_RUN, "replay", ui._("Run again")),
        (CHANGE_RUN, "edit_note", ui._("Edit and run again")),
        (SCHEDULE_RUN, "event_repeat", ui._("Run on a schedule")),
    ]
    if has_ended:
        entries += [
            (COMPARE_RUN, "compare_arrows", _comparing(run, comparing, ui)),
            (EXPORT_RUN, "download", ui._("Export as a file")),
            *((message, "group", label) for message, label in sharing(run, ui)),
            *([(DELETE_RUN, "delete", ui._("Delete"))] if run.is_own else []),
        ]
    items = [
        el("li", "", sender(message + run.id, f"entry {symbol}", icon(symbol), el("span", "", label)), key=symbol)
        for message, symbol, label in entries
    ]
    return [_told("p", "menu-title", run.name), group("ul", "menu", items)]


def sharing(run: RunSummary, ui: Ui) -> list[tuple[str, str]]:
    """Return the message and the words that share a run or take that back; nothing where it is nobody's to share."""
    if not (run.account and run.is_own):
        return []
    return [(UNSHARE_RUN, ui._("Share no longer")) if run.shared else (SHARE_RUN, ui._("Share with all accounts"))]


def _comparing(run: RunSummary, comparing: RunSummary | None, ui: Ui) -> str:
    if comparing is None:
        return ui._("Compare with another run")
    return ui._("Do not compare") if comparing.id == run.id else ui._("Compare with the run chosen")


def _state(run: RunSummary, ui: Ui) -> Element:
    return el("span", f"dot {run.state}", _icon(run), el("span", "", state_label(run.state, ui)))


def _icon(run: RunSummary) -> Element:
    return icon(STATE_ICONS[run.state], "spin" if run.state is RunState.RUNNING else "")


def run_link(run_id: str, words: str, kind: str = "title", title: str | None = None) -> Element:
    """Return the way to a run: an address for a new tab, and a message for this one."""
    address = f"./run?id={run_id}"
    return el("a", kind, words, href=address, data_send=OPEN_RUN + run_id, title=title, lang=lang_of(words))


def recent(summaries: Sequence[RunSummary], ui: Ui) -> list[Element]:
    """Return the latest runs for the side of every page."""
    rows = [
        el(
            "li", "",
            el("span", f"dot {run.state}", _icon(run)),
            run_link(run.id, title(run.name)),
            el("span", "unseen", state_label(run.state, ui)),
            key=run.id,
        )
        for run in summaries
    ]  # fmt: skip
    return [el("h2", "aside-title", ui._("Recent runs")), group("ul", "recent", rows)]
