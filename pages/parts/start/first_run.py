"""The first minute: what works right now, one click to a first report, and the way to keys."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine
from pages.parts.start import brief_nodes, sample_questions
from pages.parts.ui import Ui
from research.brief import Brief
from research.collections.questions import SampleQuestion
from research.errors import ResearchError
from research.presets import PresetName
from research.settings import Settings
from research.vocabulary import Length


def show(reader: Ui) -> SampleQuestion | None:
    """Show the card and return its question; nothing once anything has been run."""
    if engine().store.list(limit=1):
        return None
    settings, chosen = engine().settings, sample(reader)
    with st.container(border=True, key="first_run"):
        st.subheader(reader._("Your first report in a minute"), anchor=False)
        st.caption(_what_works(settings, reader))
        st.markdown(f"**{chosen.text(reader.language)}**")
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(reader._("Research this"), icon=":material/play_arrow:", key="first_run_start")
            if missing := brief_nodes.to_enter(settings, reader):
                st.page_link("pages/settings.py", label=missing, icon=":material/key:")
        run_id = start(chosen, reader) if pressed else None
    if run_id is not None:
        st.switch_page("pages/run.py", query_params={"id": run_id})
    return chosen


def _what_works(settings: Settings, reader: Ui) -> str:
    if settings.has_models:
        return reader._(
            "Everything is set up for a first run. This one is small, and searches a sample collection only:"
        )
    return reader._(
        "Nothing has to be set up: this sample is answered from a collection on this computer, by rules that quote and "
        "invent nothing, free of charge."
    )


def sample(reader: Ui) -> SampleQuestion:
    """Return the question of the card; the collection of the house is always installed."""
    return sample_questions.ordered(reader.language)[0]


def start(chosen: SampleQuestion, reader: Ui) -> str | None:
    """Start the run and return its id, or say why it cannot be started."""
    brief = Brief(
        question=chosen.text(reader.language),
        scope=chosen.scope,
        region=chosen.region,
        sources=chosen.sources,
        language=reader.language,
        # Rules cost nothing, so they may look everywhere; models are shown at their fastest.
        preset=PresetName.SPEED if engine().settings.has_models else PresetName.QUALITY,
        length=Length.SHORT,
    )
    try:
        return engine().runner.start(brief)
    except ResearchError as error:
        said = reader._("The run could not be started: {reason}").format(reason=reader.reason(error))
        st.error(said, icon=":material/error:")
        return None
