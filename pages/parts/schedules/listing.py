"""The list of schedules: each with its times, the runs that came of it, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import time

import streamlit as st
from babel.dates import format_time, get_day_names

from pages.parts.engine import engine
from pages.parts.library.actions import handle_run_action, not_saved, notify
from pages.parts.library.runs import SHOW_CHANGES, run_link, title
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.report.head import STATE_ICONS, analyst_label, state_label
from pages.parts.ui import Ui, confirm
from research.core import StoreError, UsageError, method_of
from research.language import Language
from research.store import (
    Rhythm,
    RunState,
    RunSummary,
    Schedule,
    pause_schedule,
    remove_schedule,
    run_schedule,
    runs_of_schedule,
)

RUN_NOW = "now:"
"""Message that asks for a run at once; the schedule's id follows, as in all of these."""
PAUSE, GO_ON = "pause:", "go_on:"
FORGET = "forget:"

_SHOWN, _MOST = 3, 30
"""Runs of a schedule that are shown at once, and when its list is unfolded."""
LAST_DAY = 31
"""A month that is shorter takes its last day instead."""
_ASKED = "schedule_asked"


def schedule_rows(kept: Sequence[Schedule], ui: Ui) -> list[Element]:
    """Return the schedules as rows, in their order."""
    store = engine().store
    rows = [_row(one, runs_of_schedule(store, one.id, _MOST), ui) for one in kept]
    return [group("ul", "schedules", rows, key="schedules")]


def _row(one: Schedule, runs: Sequence[RunSummary], ui: Ui) -> Element:
    words = title(one.brief.question)
    facts = [rhythm_in_words(one.rhythm, one.zone, ui), ui.of_term(method_of(one.brief).label)]
    said = [el("span", "fact", fact) for fact in (*facts, analyst_label(one.analyst, ui))]
    return el(
        "li", "schedule" if one.due else "schedule resting",
        icon("event_repeat" if one.due else "pause_circle"),
        el(
            "div", "run-told",
            el("h3", "title", words),
            el("p", "next", _next(one, ui)),
            group("p", "facts", [part for fact in said for part in (fact, " ")]),
            _came(runs, ui),
        ),
        group("div", "schedule-tools", _tools(one, words, ui)),
        key=one.id,
    )  # fmt: skip


def _next(one: Schedule, ui: Ui) -> str:
    return ui._("Next: {when}").format(when=ui.moment(one.due)) if one.due else ui._("Paused")


def _came(runs: Sequence[RunSummary], ui: Ui) -> Element:
    """Return the runs that came of a schedule, the latest at once."""
    if not runs:
        return el("p", "faint", ui._("No run came of it yet."))
    shown, rest = ([_run(run, ui) for run in part] for part in (runs[:_SHOWN], runs[_SHOWN:]))
    more = el(
        "details", "more",
        el("summary", "", ui.n_("{count} earlier run", "{count} earlier runs", len(rest))),
        group("ul", "came", rest),
    ) if rest else None  # fmt: skip
    return el("div", "", group("ul", "came", shown), more)


def _run(run: RunSummary, ui: Ui) -> Element:
    symbol = icon(STATE_ICONS[run.state], "spin" if run.state is RunState.RUNNING else "")
    changes = None
    if run.follows and not run.state.is_open:
        changes = sender(SHOW_CHANGES + run.id, "textual", icon("difference"), ui._("What changed"))
    return el(
        "li", "",
        el("span", f"dot {run.state}", symbol, el("span", "", state_label(run.state, ui))),
        run_link(run.id, ui.moment(run.created_at), "textual"),
        changes,
        key=run.id,
    )  # fmt: skip


def _tools(one: Schedule, words: str, ui: Ui) -> list[Element]:
    rest = (PAUSE, "pause", ui._("Pause “{title}”")) if one.due else (GO_ON, "resume", ui._("Go on with “{title}”"))
    quiet = [rest, (FORGET, "delete", ui._("Delete the schedule “{title}”"))]
    return [
        sender(RUN_NOW + one.id, "textual", icon("play_arrow"), ui._("Run now")),
        *(
            sender(message + one.id, "quiet", icon(symbol), title=label, aria_label=label)
            for message, symbol, label in ((kind, symbol, label.format(title=words)) for kind, symbol, label in quiet)
        ),
    ]


def rhythm_in_words(rhythm: str, zone: str, ui: Ui) -> str:
    """Return what a rhythm says, with its time zone where that is not the reader's."""
    read = Rhythm.read(rhythm, zone, ui.language)
    at = _clock(read.at, ui)
    if read.of_month == LAST_DAY:
        said = ui._("On the last day of every month at {time}").format(time=at)
    elif read.of_month:
        said = ui._("On day {day} of every month at {time}").format(day=read.of_month, time=at)
    elif len(read.weekdays) == 1:
        said = ui._("Every {weekday} at {time}").format(weekday=weekday(min(read.weekdays), ui), time=at)
    elif len(read.weekdays) == 7:
        said = ui._("Every day at {time}").format(time=at)
    else:
        said = ui._("Monday to Friday at {time}").format(time=at)
    return said if zone == str(ui.timezone) else ui.bracketed(said, zone)


def weekday(number: int, ui: Ui) -> str:
    """Return the name of a day of the week; Monday is 0."""
    return str(get_day_names("wide", locale=ui.language.value)[number])


def _clock(at: time, ui: Ui) -> str:
    return str(format_time(at, "H:mm" if ui.language is Language.JA else "HH:mm", locale=ui.language.value))


# --- what is done with one -------------------------------------------------------------------------------------------


def heard(message: str, reader: Ui) -> None:
    """Do what a row asks for; what cannot be done is said on the page, which stays as it is."""
    kind, _, schedule = message.partition(":")
    store = engine().store
    try:
        match f"{kind}:":
            case act if act == RUN_NOW:
                st.switch_page("pages/run.py", query_params={"id": run_schedule(store, schedule)})
            case act if act in (PAUSE, GO_ON):
                pause_schedule(store, schedule, act == PAUSE)
            case act if act == FORGET:
                st.session_state[_ASKED] = schedule
            case _:
                handle_run_action(message, reader)
    except StoreError:
        notify(not_saved(reader))
    except UsageError:
        notify(_gone(reader))


def _gone(reader: Ui) -> str:
    return reader._("This schedule is not there any more.")


def answer_schedule(kept: Sequence[Schedule], reader: Ui) -> None:
    """Ask before a schedule is forgotten, if that was asked for."""
    wanted = st.session_state.pop(_ASKED, "")
    one = next((one for one in kept if one.id == wanted), None)
    if one is None:
        return

    def act() -> str:
        try:
            remove_schedule(engine().store, one.id)
        except StoreError:
            return not_saved(reader)
        except UsageError:
            return _gone(reader)
        return ""

    words = reader._("The question is asked no more. The runs that came of it stay.")
    confirm(
        reader._("Delete this schedule?"), words, reader._("Delete"), act, reader, subject=title(one.brief.question)
    )
