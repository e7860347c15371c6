"""The newcomer's first questions."""

from __future__ import annotations

import streamlit as st

from pages.parts.engine import engine, own_documents
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.start.brief import to_enter_nodes
from pages.parts.start.form import fill, form_values
from pages.parts.start.templates import forget_file_failure, forget_template
from pages.parts.start.values import MANNER, values_of_brief
from pages.parts.ui import Ui, verbatim
from research.core import Brief, Length, PresetName, ResearchError, SourceName
from research.language import Language
from research.settings import Settings
from research.sources import QUESTIONS, SampleQuestion, is_available

_FILL = "fill:"
_SHOWN = 3


def show_sample_questions(reader: Ui, without: SampleQuestion | None = None) -> None:
    """Show the questions but for one, to whoever has nothing but the samples to search."""
    if engine().settings.has_web or own_documents():
        return
    rows = [_row(sample, reader) for sample in ordered_questions(reader.language) if sample is not without]
    tree = [
        el("p", "faint", reader._("Questions to try, answered from the samples")),
        group("ul", "samples", rows[:_SHOWN]),
        el("details", "more", el("summary", "", reader._("More questions")), group("ul", "samples", rows[_SHOWN:])),
    ]
    show_nodes(tree, key="samples", language=reader.language, on_message=lambda message: _fill(message, reader))


def ordered_questions(language: Language) -> list[SampleQuestion]:
    """Return the questions whose collections are installed, first those to texts in the reader's language."""
    own = {Language.EN: SourceName.FACTBOOK, Language.JA: SourceName.HOUSE}[language]
    there = [sample for sample in QUESTIONS if all(map(is_available, sample.sources))]
    return sorted(there, key=lambda sample: own not in sample.sources)


def _row(sample: SampleQuestion, reader: Ui) -> Element:
    place = QUESTIONS.index(sample)
    where = " + ".join(reader.of_term(source.label) for source in sample.sources)
    text = sample.text(reader.language)
    button = sender(f"{_FILL}{place}", "sample", icon("north_west"), el("span", "", text), title=f"{text} ({where})")
    return el("li", "", button, key=str(place))


def _fill(message: str, reader: Ui) -> None:
    sample = QUESTIONS[int(message.removeprefix(_FILL))]
    brief = Brief(
        question=sample.text(reader.language),
        scope=sample.scope,
        region=sample.region,
        sources=sample.sources,
        language=reader.language,
    )
    manner = {name: value for name, value in form_values().items() if name in MANNER}
    fill(values_of_brief(brief) | manner)
    forget_template()
    forget_file_failure()


def show_first_run(reader: Ui) -> SampleQuestion | None:
    """Show the card and return its question; nothing once anything has been run."""
    if engine().store.list(limit=1):
        return None
    settings, chosen = engine().settings, sample_chosen(reader)
    with st.container(border=True, key="first_run"):
        st.subheader(reader._("Your first report in a minute"), anchor=False)
        st.caption(verbatim(_what_works(settings, reader)))
        st.markdown(f"**{verbatim(chosen.text(reader.language))}**")
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(reader._("Research this"), icon=":material/play_arrow:", key="first_run_start")
            if missing := to_enter_nodes(settings, reader):
                st.page_link("pages/settings.py", label=verbatim(missing), icon=":material/key:")
        run_id = start_sample(chosen, reader) if pressed else None
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


def sample_chosen(reader: Ui) -> SampleQuestion:
    """Return the question of the card; the collection of the house is always installed."""
    return ordered_questions(reader.language)[0]


def start_sample(chosen: SampleQuestion, reader: Ui) -> str | None:
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
        st.error(verbatim(said), icon=":material/error:")
        return None
