"""Write the brief and start the research."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st
from pydantic import ValidationError

from pages.parts import component
from pages.parts.engine import engine, own_documents, own_library
from pages.parts.frame import enter
from pages.parts.start import (
    brief_files,
    brief_nodes,
    estimate_nodes,
    first_run,
    form,
    form_values,
    library_panel,
    remembered,
    sample_questions,
    source_states,
    templates_panel,
)
from pages.parts.start.source_states import Lack
from pages.parts.ui import Ui
from research.brief import Brief
from research.brief_text import method_of
from research.errors import ResearchError
from research.estimate import Estimate, PastRun, estimate, models_of
from research.methods.names import MethodName
from research.presets import PresetName
from research.runs.past import past_runs
from research.vocabulary import SourceName

_STYLE = Path(__file__).parent / "parts" / "assets" / "start.css"


def main() -> None:
    """Show the page."""
    reader = enter()
    form.prepare(reader)
    st.html(_STYLE)
    st.title(reader._("New research"), anchor=False)
    st.caption(
        reader._(
            "Ask a question: the sources are searched while you watch, and every claim can be checked against its page."
        )
    )
    fields, side = st.columns([8, 5], gap="large")
    with fields:
        _form(reader)
    with side, st.container(key="start_side"):
        _summary(reader)
    remembered.mark_browser()  # Last: it takes a line, and only at a first visit.


def _form(reader: Ui) -> None:
    """Show what there is to fill in, the question first; before the first run, a run to try."""
    tried = first_run.show(reader)
    form.question(reader)
    if not templates_panel.show(reader):
        sample_questions.show(reader, without=tried)
    form.main_choices(reader)
    with st.expander(
        reader._("My documents ({count})").format(count=reader.number(len(own_documents()))),
        icon=":material/folder_open:",
        key="documents_open",
    ):
        library_panel.show(reader)
    with st.expander(reader._("More"), icon=":material/tune:", key="more_open"):
        form.more(reader)


def _summary(reader: Ui) -> None:
    """Start; and say what it will take, who will do it, and what was asked for."""
    wrong: list[str] = []
    try:
        brief = form_values.to_brief(form.values())
    except ValidationError as error:
        wrong = form_values.complaints(error, form.values(), reader)
        brief = None
    shown = brief or _sketch()
    lacks = source_states.lacking(reader)
    searched = source_states.searched(shown.sources, lacks)
    with st.container(key="start_bar", gap="small"):
        complaints = st.container()
        pressed = st.button(
            reader._("Start research"), type="primary", icon=":material/play_arrow:", width="stretch", key="start"
        )
        took = estimate_nodes.estimate(_estimate(shown, searched), reader)
        component.show(took, key="estimate", language=reader.language)
    if not shown.sources and all(map(source_states.is_sample, searched)):
        component.show(brief_nodes.only_samples(reader), key="only_samples", language=reader.language)
    component.show(
        brief_nodes.mode(engine().settings, shown, searched, reader),
        key="mode",
        language=reader.language,
        on_message=_heard,
    )
    with st.container(border=True, key="brief"):
        st.subheader(reader._("The brief"), anchor=False)
        # The analyst's own words stand in their field, right below.
        words = brief_nodes.brief(shown.model_copy(update={"note": ""}))
        component.show(words, key="brief_words", language=reader.language)
        form.note(reader)
        brief_files.show(brief, reader)
    if pressed:
        with complaints:
            _start(brief, wrong, lacks, reader)


def _heard(message: str) -> None:
    if message == brief_nodes.SETTINGS:
        st.switch_page("pages/settings.py")


def _estimate(brief: Brief, searched: Sequence[SourceName]) -> Estimate:
    """Return what a run of `brief` would take now."""
    models = models_of(brief, engine().settings)
    web = SourceName.WEB in searched
    past = _past(brief.preset, method_of(brief), "chat" if models else "extractive", web)
    return estimate(brief, models, past, sources=len(searched), web=web)


@st.cache_data(show_spinner=False, ttl=30, max_entries=32)
def _past(preset: PresetName, method: MethodName, analyst: str, web: bool) -> list[PastRun]:
    alike = Brief(question="…", preset=preset, method=method)
    return list(past_runs(engine().store, alike, analyst, web=web))


def _sketch() -> Brief:
    """Return the brief as far as it can be shown while a field is empty or unusable."""
    held = form.values() | {"question": str(form.values()["question"]).strip()[:400] or "…", "glossary": ""}
    try:
        return form_values.to_brief(held)
    except ValidationError:
        return Brief(question=held["question"], language=held["language"])


def _start(brief: Brief | None, wrong: list[str], lacks: Mapping[SourceName, Lack], reader: Ui) -> None:
    if brief is not None:
        wrong = [lacks[source].remedy for source in brief.sources if source in lacks]
    for complaint in wrong:
        st.error(complaint, icon=":material/edit:")
    if brief is None or wrong:
        return
    library = own_library()
    try:
        run_id = engine().runner.start(brief, library=library, attended=True)
    except ResearchError as error:
        said = reader._("The run could not be started: {reason}").format(reason=reader.reason(error))
        st.error(said, icon=":material/error:")
        return
    remembered.remember(engine().settings.home, form.values())
    st.switch_page("pages/run.py", query_params={"id": run_id})


main()
