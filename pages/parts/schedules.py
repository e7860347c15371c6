"""Schedules: each with its times, the runs that came of it and what can be done with it; and the form of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import cache
from zoneinfo import available_timezones

import streamlit as st
from babel.dates import format_time, get_day_names
from pydantic import ValidationError

from pages.parts.engine import carry_out_waiting, engine, own_library
from pages.parts.library.actions import handle_run_action, not_saved, notify
from pages.parts.library.runs import SHOW_CHANGES, run_link, title
from pages.parts.nodes import Element, el, group, icon, lang_of, sender, show_nodes
from pages.parts.report.head import STATE_ICONS, analyst_label, state_label
from pages.parts.start.templates import Template, kept_templates, template_label
from pages.parts.ui import NOTICE, Ui, confirm, go_to, no_traceback, verbatim
from research.core import Brief, ResearchError, StoreError, UsageError, method_of, site_of
from research.language import Language
from research.settings.templates import JOBS, Job
from research.store import (
    Rhythm,
    RunState,
    RunSummary,
    Schedule,
    Task,
    add_schedule,
    pause_schedule,
    remove_schedule,
    run_schedule,
    runs_of_schedule,
    told_address,
    uses_models,
)
from research.store.world import AnalystChoice

RUN_NOW = "now:"
"""Message that asks for a run at once; the schedule's id follows, as in all of these."""
PAUSE, GO_ON = "pause:", "go_on:"
FORGET = "forget:"

_SHOWN, _MOST = 3, 30
"""Runs of a schedule that are shown at once, and when its list is unfolded."""
LAST_DAY = 31
"""A month that is shorter takes its last day instead."""
_FORGOTTEN = "schedule_asked"


def schedule_rows(kept: Sequence[Schedule], ui: Ui) -> list[Element]:
    """Return the schedules as rows, in their order."""
    store = engine().store
    rows = [_row(one, runs_of_schedule(store, one.id, _MOST), ui) for one in kept]
    return [group("ul", "schedules", rows, key="schedules")]


def _row(one: Schedule, runs: Sequence[RunSummary], ui: Ui) -> Element:
    words = title(one.brief.question)
    facts = [rhythm_in_words(one.rhythm, one.zone, ui), ui.of_term(method_of(one.brief).label)]
    facts.append(analyst_label(one.analyst, ui))
    if one.tell:  # A web address may hold what opens it.
        facts.append(ui._("Tells {address}").format(address=site_of(one.tell) or one.tell))
    said = [el("span", "fact", fact) for fact in facts]
    return el(
        "li", "schedule" if one.due else "schedule resting",
        icon("event_repeat" if one.due else "pause_circle"),
        el(
            "div", "run-told",
            el("h2", "title", words, lang=lang_of(words)),
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
    read = Rhythm.read(rhythm, zone)
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
                go_to("pages/run.py", query_params={"id": run_schedule(store, schedule)})
            case act if act in (PAUSE, GO_ON):
                pause_schedule(store, schedule, act == PAUSE)
            case act if act == FORGET:
                st.session_state[_FORGOTTEN] = schedule
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
    wanted = st.session_state.pop(_FORGOTTEN, "")
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


# --- a new one -------------------------------------------------------------------------------------------------------

_COUNT, _OPEN, _REFUSED = "schedule_forms", "schedule_form", "schedule_refused"
_OFFERED = 100
"""The latest runs, of which one is chosen."""
_USUAL = time(8, 0)
_STEP = 900
_NEXT = 3
"""Times that are told of a rhythm."""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RHYTHMS = ("day", "weekday", *_DAYS, "month")


@dataclass(frozen=True)
class _Question:
    """What is to be asked, and by whom."""

    brief: Brief
    analyst: AnalystChoice = "auto"


def open_schedule_form(run_id: str = "") -> None:
    """Let the form stand open; with a `run_id`, for the brief of that run."""
    # Another form each time: what was chosen in the last one is not to stand in this one.
    st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1
    st.session_state[_OPEN] = run_id


def show_schedule_form(reader: Ui) -> None:
    """Show the form, if it stands open."""
    if _OPEN not in st.session_state:
        return

    @st.dialog(verbatim(reader._("New schedule")), width="medium", on_dismiss=_close)
    def dialog() -> None:
        if _OPEN not in st.session_state:  # done, or cancelled
            st.rerun()
        with no_traceback(reader):
            _fields(reader, st.session_state[_COUNT], st.session_state[_OPEN])

    dialog()


def _close() -> None:
    st.session_state.pop(_OPEN, None)
    st.session_state.pop(_REFUSED, None)


def _fields(reader: Ui, number: int, run_id: str) -> None:
    asked = _what(reader, number, run_id)
    if asked is not None:
        st.caption(verbatim(title(asked.brief.question)))
    rhythm, zone = _when(reader, number)
    show_nodes(_times(rhythm, zone, reader), key=f"schedule_times_{number}", language=reader.language)
    tell = st.text_input(
        reader._("Tell what changed to (optional)"),
        placeholder="ann@example.com",
        help=verbatim(
            reader._(
                "An e-mail address, or a web address (webhook) that gets JSON, as of Slack. Question and statements of "
                "the report go there when a run has ended."
            )
        ),
        max_chars=500,
        key=f"schedule_tell_{number}",
    )
    if _REFUSED in st.session_state:
        st.error(verbatim(st.session_state.pop(_REFUSED)), icon=":material/edit:")

    def confirmed() -> None:
        if reason := _kept(asked, rhythm, zone, st.session_state.get(f"schedule_tell_{number}", tell), reader):
            st.session_state[_REFUSED] = reason
        else:
            _close()

    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(reader._("Cancel"), on_click=_close, key=f"schedule_cancel_{number}")
        st.button(
            reader._("Schedule it"),
            type="primary",
            icon=":material/check:",
            on_click=confirmed,
            key=f"schedule_save_{number}",
        )


def _what(reader: Ui, number: int, run_id: str) -> _Question | None:
    """Ask what is to be asked; None while that is not said."""
    runs = [run for run in engine().store.list(limit=_OFFERED) if run.is_own and not run.searches_for]
    if run_id and all(run.id != run_id for run in runs):
        runs.insert(0, engine().store.get(run_id))
    if not runs:
        return _of_template(reader, number)
    ways = {"run": reader._("From an earlier run"), "template": reader._("From a template")}
    way = st.segmented_control(
        reader._("What is asked"),
        list(ways),
        default="run",
        format_func=lambda one: ways[one],
        required=True,
        key=f"schedule_way_{number}",
        label_visibility="collapsed",
    )
    return _of_template(reader, number) if way == "template" else _of_run(runs, reader, number, run_id)


def _of_run(runs: list[RunSummary], reader: Ui, number: int, run_id: str) -> _Question | None:
    known = {run.id: run for run in runs}
    chosen = st.selectbox(
        reader._("Earlier run"),
        list(known),
        index=list(known).index(run_id) if run_id else None,
        format_func=lambda one: verbatim(f"{title(known[one].name)} · {reader.moment(known[one].created_at)}"),
        placeholder=reader._("Choose a run"),
        key=f"schedule_run_{number}",
    )
    if chosen is None:
        return None
    run = known[chosen]
    return _Question(run.brief, "extractive" if run.analyst == "extractive" else "chat")


def _of_template(reader: Ui, number: int) -> _Question | None:
    offered: dict[str, Template] = {f"own:{one.name}": one for one in kept_templates() or ()}
    offered |= {f"job:{job.name}": job for job in JOBS}
    chosen = offered[
        st.selectbox(
            reader._("Template"),
            list(offered),
            format_func=lambda key: template_label(offered[key], reader),
            key=f"schedule_template_{number}",
        )
    ]
    is_job = isinstance(chosen, Job)
    subject = ""
    if is_job or chosen.asks:
        subject = st.text_input(
            verbatim(reader.of_term(chosen.asks) if isinstance(chosen, Job) else reader._("What it is about")),
            placeholder=reader.of_term(chosen.example) if isinstance(chosen, Job) else "",
            max_chars=300,
            key=f"schedule_subject_{number}",
        ).strip()
        if not subject:
            return None
    try:
        return _Question(chosen.brief(subject, reader.language) if isinstance(chosen, Job) else chosen.filled(subject))
    except ValidationError:
        return None


def _when(reader: Ui, number: int) -> tuple[str, str]:
    """Ask when; return the rhythm and its time zone."""
    of_month = None
    day, at = st.columns([3, 2])
    with day:
        kind = st.selectbox(
            reader._("How often"),
            _RHYTHMS,
            index=_RHYTHMS.index("monday"),
            format_func=lambda one: _often(one, reader),
            key=f"schedule_often_{number}",
        )
    with at:
        clock = st.time_input(reader._("Time of day"), _USUAL, step=_STEP, key=f"schedule_time_{number}")
    if kind == "month":
        of_month = st.selectbox(
            reader._("Day of the month"),
            range(1, LAST_DAY + 1),
            format_func=lambda one: reader._("the last one") if one == LAST_DAY else str(one),
            key=f"schedule_day_{number}",
        )
    zones = _zones()
    own = str(reader.timezone)
    zone = st.selectbox(
        reader._("Time zone"),
        zones,
        index=zones.index(own if own in zones else "UTC"),
        key=f"schedule_zone_{number}",
    )
    days = f"month on {of_month}" if of_month else kind
    return f"every {days} {clock:%H:%M}", zone


@cache
def _zones() -> tuple[str, ...]:
    return tuple(
        sorted({name for name in available_timezones() if "/" in name and not name.startswith("Etc/")} | {"UTC"})
    )


def _often(kind: str, reader: Ui) -> str:
    if kind in _DAYS:
        return reader._("Every {weekday}").format(weekday=weekday(_DAYS.index(kind), reader))
    return {
        "day": reader._("Every day"),
        "weekday": reader._("Monday to Friday"),
        "month": reader._("Every month"),
    }[kind]


def _times(rhythm: str, zone: str, reader: Ui) -> list[Element]:
    """Return the next times of a rhythm, as the reader's clock shows them."""
    read, times = Rhythm.read(rhythm, zone), list[datetime]()
    while len(times) < _NEXT:
        times.append(read.next_after(times[-1] if times else engine().store.now()))
    told = [reader._("Next: {when}").format(when=reader.moment(times[0])), *map(reader.moment, times[1:])]
    return [group("p", "facts", [el("span", "fact", one) for one in told])]


def _kept(asked: _Question | None, rhythm: str, zone: str, tell: str, reader: Ui) -> str:
    """Keep the schedule; return why that cannot be, or an empty string."""
    if asked is None:
        return reader._("Say what is to be asked first.")
    store, settings = engine().store, engine().settings
    try:
        analyst = "chat" if uses_models(asked.brief, settings, asked.analyst) else "extractive"
        task = Task.of(settings, own_library(), tell=told_address(tell, settings))
        made = add_schedule(store, rhythm, asked.brief, task, zone=zone, analyst=analyst)
    except ResearchError as error:
        return reader.reason(error)
    carry_out_waiting()
    if made.due:
        st.session_state[NOTICE] = reader._("Scheduled. Next: {when}").format(when=reader.moment(made.due))
    return ""
