"""The first minute: what works right now, one click to a first report, and the way to keys."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.ui import Ui
from research import collections
from research.brief import Brief
from research.collections.questions import QUESTIONS, SampleQuestion
from research.errors import ResearchError
from research.presets import PresetName


def show(reader: Ui) -> None:
    """Show the card; nothing once anything has been run."""
    if engine().store.list(limit=1):
        return
    chosen = sample()
    with st.container(border=True, key="first_run"):
        st.subheader(reader._("Your first report in a minute"), anchor=False)
        st.caption(_what_works(reader))
        st.markdown(f"**{chosen.text(reader.language)}**")
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(reader._("Research this"), icon=":material/play_arrow:", key="first_run_start")
            st.page_link("pages/settings.py", label=_way_on(reader), icon=":material/key:")
        run_id = start(chosen, reader) if pressed else None
    if run_id is not None:
        st.switch_page("pages/run.py", query_params={"id": run_id})


def _what_works(reader: Ui) -> str:
    if engine().settings.has_models:
        return reader._(
            "Everything is set up for a first run. This one is small, and searches a sample collection only:"
        )
    return reader._(
        "Nothing has to be set up: this sample is answered from a collection on this computer, by rules that quote and "
        "invent nothing, free of charge."
    )


def _way_on(reader: Ui) -> str:
    settings = engine().settings
    match settings.has_models, settings.has_web:
        case False, False:
            return reader._("Add chat models and the web")
        case False, True:
            return reader._("Add chat models")
        case True, False:
            return reader._("Add the web")
    return reader._("Settings")


def sample() -> SampleQuestion:
    """Return the first question whose collection is installed; that of the house always is."""
    return next(entry for entry in QUESTIONS if all(map(collections.is_available, entry.sources)))


def start(chosen: SampleQuestion, reader: Ui) -> str | None:
    """Start the run and return its id, or say why it cannot be started."""
    brief = Brief(
        question=chosen.text(reader.language),
        scope=chosen.scope,
        region=chosen.region,
        sources=chosen.sources,
        language=reader.language,
        preset=PresetName.SPEED,
    )
    try:
        return engine().runner.start(brief)
    except ResearchError as error:
        st.error(reader._("The run could not be started: {reason}").format(reason=error), icon=":material/error:")
        return None
