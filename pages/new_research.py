"""Write the brief and start the research."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import engine, make_ready_to_compare, own_documents, own_library
from pages.parts.frame import enter
from pages.parts.nodes import Element, show_nodes
from pages.parts.start.brief import (
    SETTINGS_LINK,
    brief_nodes,
    complaints_about,
    estimate_nodes,
    mark_browser,
    mode_nodes,
    only_samples_note,
    remember_form,
    sources_lacking,
    sources_searched,
    to_brief,
)
from pages.parts.start.documents import show_library
from pages.parts.start.form import (
    form_values,
    main_choices,
    more_fields,
    prepare_form,
    question_field,
)
from pages.parts.start.parts import show_parts
from pages.parts.start.templates import show_brief_file, show_first_run, show_sample_questions, show_templates
from pages.parts.ui import Ui, go_to, verbatim
from research.core import Brief, MethodName, PresetName, ResearchError, SourceName, method_of
from research.engine import PastRun, estimate, models_of
from research.sources import provider, usd_a_search
from research.store import past_runs

_STYLE = Path(__file__).parent / "parts" / "assets" / "start.css"


def main() -> None:
    """Show the page."""
    reader = enter()
    prepare_form(reader)
    # Before anything is drawn: whoever has pressed sees the run a page earlier.
    complaints = _start(reader) if st.session_state.get("start") else []
    st.html(_STYLE)
    st.title(reader._("New research"), anchor=False)
    with st.container(key="start_lead"):
        st.caption(
            reader._(
                "Ask a question: the sources are searched while you watch, and every claim can be checked against its "
                "page."
            )
        )
    fields, side = st.columns([8, 5], gap="large")
    with fields, st.container(gap="small"):
        _form(reader)
    with side, st.container(key="start_side"):
        _summary(complaints, reader)
    mark_browser()  # Last: it takes a line, and only at a first visit.


def _form(reader: Ui) -> None:
    """Show what there is to fill in, the question first; before the first run, a run to try.

    What comes and goes with the question stands below what is always there: nothing moves under the pointer.
    """
    tried = show_first_run(reader)
    question_field(reader)
    main_choices(reader)
    show_parts(reader)
    if not show_templates(reader):
        show_sample_questions(reader, without=tried)
    with st.expander(
        reader._("My documents ({count})").format(count=reader.number(len(own_documents()))),
        icon=":material/folder_open:",
        key="documents_open",
    ):
        show_library(reader)
    with st.expander(reader._("More"), icon=":material/tune:", key="more_open"):
        more_fields(reader)


def _summary(complaints: Sequence[str], reader: Ui) -> None:
    """Show the button that starts; and say what it will take, who will do it, and what was asked for."""
    try:
        brief = to_brief(form_values())
    except ValidationError:
        brief = None
    if brief:
        make_ready_to_compare()
    shown = brief or _sketch()
    searched = sources_searched(shown.sources, sources_lacking(reader), reader, shown)
    with st.container(key="start_bar", gap="small"):
        for complaint in complaints:
            st.error(verbatim(complaint), icon=":material/edit:")
        st.button(
            reader._("Start research"),
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
            shortcut="Mod+Enter",
            key="start",
        )
        show_nodes(_will_take(shown, searched, reader), key="estimate", language=reader.language)
    if brief and not shown.sources and all(provider(name).is_sample for name in searched):
        show_nodes(only_samples_note(reader), key="only_samples", language=reader.language)
    show_nodes(
        mode_nodes(engine().settings, shown, searched, reader),
        key="mode",
        language=reader.language,
        on_message=_heard,
    )
    with st.container(border=True, key="brief"):
        st.header(reader._("The brief"), anchor=False)
        show_brief_file(brief, reader)  # Above what grows: a menu that is open stays in sight.
        show_nodes(brief_nodes(shown), key="brief_words", language=reader.language)


def _heard(message: str) -> None:
    if message == SETTINGS_LINK:
        go_to("pages/settings.py")


def _will_take(brief: Brief, searched: Sequence[SourceName], reader: Ui) -> list[Element]:
    """Return what a run of `brief` would take now."""
    models = models_of(brief, engine().settings)
    web = any(name.is_open for name in searched)
    past = _past(engine().store.account, brief.preset, method_of(brief), "chat" if models else "extractive", web)
    fee = usd_a_search(brief, engine().settings)
    found = estimate(brief, models, past, sources=len(searched), web=web, usd_a_search=fee)
    return estimate_nodes(found, len(past), reader)


@st.cache_data(show_spinner=False, ttl=30, max_entries=32)
def _past(account: str, preset: PresetName, method: MethodName, analyst: str, web: bool) -> list[PastRun]:
    alike = Brief(question="…", preset=preset, method=method)
    return list(past_runs(engine().store, alike, analyst, web=web))


def _sketch() -> Brief:
    """Return the brief as far as it can be shown while a field is empty or unusable."""
    held = form_values() | {"question": str(form_values()["question"]).strip()[:400] or "…", "glossary": ""}
    try:
        return to_brief(held)
    except ValidationError:
        return Brief(question=held["question"], language=held["language"])


def _start(reader: Ui) -> list[str]:
    """Start the research and go to its page, or return why it cannot be started."""
    try:
        brief = to_brief(form_values())
    except ValidationError as error:
        return complaints_about(error, form_values(), reader)
    lacks = sources_lacking(reader)
    if wrong := [reader.of_term(lacks[source].remedy) for source in brief.sources if source in lacks]:
        return wrong
    try:
        run_id = engine().runner.start(brief, library=own_library(), attended=True)
    except ResearchError as error:
        return [reader._("The run could not be started: {reason}").format(reason=reader.reason(error))]
    remember_form(engine().settings.home, form_values())
    go_to("pages/run.py", query_params={"id": run_id})


main()
