"""Write the brief and start the research."""

from __future__ import annotations

import streamlit as st
from pydantic import ValidationError

from pages.parts import (
    brief_files,
    brief_nodes,
    component,
    estimate_nodes,
    first_run,
    form,
    form_values,
    library_panel,
    remembered,
    sample_questions,
    templates_panel,
)
from pages.parts.documents import folder
from pages.parts.engine import engine, own_documents
from pages.parts.frame import enter
from pages.parts.ui import Ui
from research.brief import Brief
from research.brief_text import method_of
from research.errors import ResearchError
from research.estimate import Estimate, PastRun, estimate, models_of, sources_of
from research.methods.names import MethodName
from research.presets import PresetName
from research.runs.past import past_runs
from research.vocabulary import SourceName


def main() -> None:
    """Show the page."""
    reader = enter()
    form.prepare(reader)
    remembered.mark_browser()
    st.title(reader._("New research"), anchor=False)
    st.caption(
        reader._(
            "Ask a question: the sources are searched while you watch, and every claim can be checked against its page."
        )
    )
    fields, side = st.columns([8, 5], gap="large")
    with fields:
        form.question(reader)
        if not templates_panel.show(reader):
            first_run.show(reader)
            sample_questions.show(reader)
        form.main_choices(reader, engine().settings, len(own_documents()))
        with st.expander(
            reader._("Your documents ({count})").format(count=reader.number(len(own_documents()))),
            icon=":material/folder_open:",
            key="documents_open",
        ):
            library_panel.show(reader)
        with st.expander(reader._("More"), icon=":material/tune:", key="more_open"):
            form.more(reader)
    with side:
        _summary(reader)


def _summary(reader: Ui) -> None:
    """Show the brief in words, and start."""
    wrong: list[str] = []
    try:
        brief = form_values.to_brief(form.values())
    except ValidationError as error:
        wrong = form_values.complaints(error, form.values(), reader)
        brief = None
    with st.container(border=True, key="brief"):
        st.subheader(reader._("The brief"), anchor=False)
        # The analyst's own words stand in their field, right below.
        words = brief_nodes.brief((brief or _sketch()).model_copy(update={"note": ""}))
        component.show(words, key="brief_words", language=reader.language)
        form.note(reader)
        brief_files.show(brief, reader)
    if st.button(
        reader._("Start research"), type="primary", icon=":material/play_arrow:", width="stretch", key="start"
    ):
        _start(brief, wrong, reader)
    shown = brief or _sketch()
    component.show(estimate_nodes.estimate(_estimate(shown), reader), key="estimate", language=reader.language)
    component.show(brief_nodes.mode(engine().settings, shown, reader), key="mode", language=reader.language)


def _estimate(brief: Brief) -> Estimate:
    """Return what a run of `brief` would take now."""
    settings = engine().settings
    models = models_of(brief, settings)
    sources = sources_of(brief, settings, has_documents=bool(own_documents()))
    web = SourceName.WEB in sources
    past = _past(brief.preset, method_of(brief), "chat" if models else "extractive", web)
    return estimate(brief, models, past, sources=len(sources), web=web)


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


def _start(brief: Brief | None, wrong: list[str], reader: Ui) -> None:
    if brief is not None:
        wrong = [complaint for complaint in [_without_sources(brief, reader)] if complaint]
    for complaint in wrong:
        st.error(complaint, icon=":material/edit:")
    if brief is None or wrong:
        return
    library = folder(engine().settings) if own_documents() else None
    try:
        run_id = engine().runner.start(brief, library=library, attended=True)
    except ResearchError as error:
        st.error(reader._("The run could not be started: {reason}").format(reason=error), icon=":material/error:")
        return
    remembered.remember(engine().settings.home, form.values())
    st.switch_page("pages/run.py", query_params={"id": run_id})


def _without_sources(brief: Brief, reader: Ui) -> str:
    """Return why none of the sources chosen can be searched, or an empty string."""
    lacking = set()
    if not engine().settings.has_web:
        lacking.add(SourceName.WEB)
    if not own_documents():
        lacking.add(SourceName.LIBRARY)
    if brief.sources and set(brief.sources) <= lacking:
        return reader._(
            "None of the chosen sources can be searched. Add documents, set TAVILY_API_KEY, or choose others."
        )
    return ""


main()
