"""The form of a new schedule: what is asked, taken from a template or an earlier run, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from functools import cache
from zoneinfo import available_timezones

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import carry_out_schedules, engine, own_library
from pages.parts.library.runs import title
from pages.parts.nodes import Element, el, group, show_nodes
from pages.parts.schedules.listing import LAST_DAY, weekday
from pages.parts.start.templates import Template, kept_templates, template_label
from pages.parts.ui import NOTICE, Ui, no_traceback, verbatim
from research.core import Brief, ResearchError
from research.settings.templates import JOBS, Job
from research.store import Rhythm, RunSummary, Task, add_schedule, uses_models
from research.store.world import AnalystChoice

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
class _Asked:
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
    if _REFUSED in st.session_state:
        st.error(verbatim(st.session_state.pop(_REFUSED)), icon=":material/edit:")

    def confirmed() -> None:
        if reason := _kept(asked, rhythm, zone, reader):
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


def _what(reader: Ui, number: int, run_id: str) -> _Asked | None:
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


def _of_run(runs: list[RunSummary], reader: Ui, number: int, run_id: str) -> _Asked | None:
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
    return _Asked(run.brief, "extractive" if run.analyst == "extractive" else "chat")


def _of_template(reader: Ui, number: int) -> _Asked | None:
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
        return _Asked(chosen.brief(subject, reader.language) if isinstance(chosen, Job) else chosen.filled(subject))
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
    read, times = Rhythm.read(rhythm, zone, reader.language), list[datetime]()
    while len(times) < _NEXT:
        times.append(read.next_after(times[-1] if times else engine().store.now()))
    told = [reader._("Next: {when}").format(when=reader.moment(times[0])), *map(reader.moment, times[1:])]
    return [group("p", "facts", [el("span", "fact", one) for one in told])]


def _kept(asked: _Asked | None, rhythm: str, zone: str, reader: Ui) -> str:
    """Keep the schedule; return why that cannot be, or an empty string."""
    if asked is None:
        return reader._("Say what is to be asked first.")
    store, settings = engine().store, engine().settings
    try:
        analyst = "chat" if uses_models(asked.brief, settings, asked.analyst) else "extractive"
        made = add_schedule(store, rhythm, asked.brief, Task.of(settings, own_library()), zone=zone, analyst=analyst)
    except ResearchError as error:
        return reader.reason(error)
    carry_out_schedules()
    if made.due:
        st.session_state[NOTICE] = reader._("Scheduled. Next: {when}").format(when=reader.moment(made.due))
    return ""
