"""The form of a new schedule: what is asked, taken from a template or an earlier run, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
from functools import cache
from typing import Literal
from zoneinfo import available_timezones

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import carry_out_schedules, engine, own_library
from pages.parts.library.runs import title
from pages.parts.schedules.listing import LAST_DAY, weekday
from pages.parts.start.templates import Template, kept_templates, template_label
from pages.parts.ui import NOTICE, Ui, no_traceback, verbatim
from research.core import Brief, ResearchError
from research.settings.templates import JOBS, Job
from research.store import Rhythm, RunSummary, Task, add_schedule, uses_models
from research.store.world import AnalystChoice

_COUNT = "schedule_forms"
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


def show_schedule_form(reader: Ui, run_id: str = "") -> None:
    """Open the form; with a `run_id`, for the brief of that run."""
    # Another form each time: what was chosen in the last one is not to stand in this one.
    number = st.session_state[_COUNT] = st.session_state.get(_COUNT, 0) + 1

    @st.dialog(verbatim(reader._("New schedule")), width="medium")
    def dialog() -> None:
        with no_traceback(reader):
            _fields(reader, number, run_id)

    dialog()


def _fields(reader: Ui, number: int, run_id: str) -> None:
    asked = _what(reader, number, run_id)
    if asked is not None:
        st.caption(verbatim(title(asked.brief.question)))
    rhythm, zone = _when(reader, number)
    st.caption(f":material/event_upcoming: {verbatim(_told(rhythm, zone, reader))}")
    with st.container(horizontal=True, horizontal_alignment="right"):
        cancelled = st.button(reader._("Cancel"), key=f"schedule_cancel_{number}")
        pressed = st.button(
            reader._("Schedule it"), type="primary", icon=":material/check:", key=f"schedule_save_{number}"
        )
    if cancelled:
        st.rerun()
    if pressed:
        reason = _kept(asked, rhythm, zone, reader)
        if not reason:
            st.rerun()
        st.error(verbatim(reason), icon=":material/edit:")


def _what(reader: Ui, number: int, run_id: str) -> _Asked | None:
    """Ask what is to be asked; None while that is not said."""
    runs = [run for run in engine().store.list(limit=_OFFERED) if run.is_own and not run.searches_for]
    if run_id and all(run.id != run_id for run in runs):
        runs.insert(0, engine().store.get(run_id))
    ways: dict[Literal["template", "run"], str] = {
        "template": reader._("From a template"),
        "run": reader._("From an earlier run"),
    }
    way = "template"
    if runs:
        chosen = st.segmented_control(
            reader._("What is asked"),
            list(ways),
            default="run" if run_id else "template",
            format_func=lambda one: ways[one],
            required=True,
            key=f"schedule_way_{number}",
            label_visibility="collapsed",
        )
        way = chosen or way
    return _of_run(runs, reader, number, run_id) if way == "run" else _of_template(reader, number)


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


def _told(rhythm: str, zone: str, reader: Ui) -> str:
    """Return the next times of a rhythm, as the reader's clock shows them."""
    read, times = Rhythm.read(rhythm, zone, reader.language), list[datetime]()
    while len(times) < _NEXT:
        times.append(read.next_after(times[-1] if times else engine().store.now()))
    return reader._("Next: {when}").format(when=" · ".join(map(reader.moment, times)))


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
