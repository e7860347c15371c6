"""Templates and brief files: chosen, filled, kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import engine, own_documents
from pages.parts.nodes import Element, el, group, icon, sender, show_nodes
from pages.parts.start.brief import (
    MANNER,
    STAYS,
    brief_file_name,
    empty_values,
    load_brief,
    to_brief,
    values_of_brief,
)
from pages.parts.start.form import fill, form_values
from pages.parts.ui import Ui, go_to, verbatim
from research.core import Brief, Length, PresetName, ResearchError, SourceName, StoreError
from research.language import Language
from research.settings import LONGEST_NAME, Settings, templates
from research.settings.templates import JOBS, SUBJECT, Job, OwnTemplate
from research.sources import QUESTIONS, SampleQuestion, is_available

_CHOSEN, _SUBJECT = "template_chosen", "template_subject"
_JOBS = {f"job:{job.name}": job for job in JOBS}

Template = Job | OwnTemplate


def show_templates(reader: Ui) -> bool:
    """Show the templates, and the field of what the chosen one asks for; return whether one is chosen."""
    own_ones = kept_templates()
    if own_ones is None:
        message = reader._(
            "Your own templates cannot be read: {file}. What is saved now goes into a new file; this one is set aside."
        )
        st.error(verbatim(message.format(file=templates.kept.path(engine().settings.home))), icon=":material/error:")
    offered: dict[str, Template] = _JOBS | {f"own:{one.name}": one for one in own_ones or ()}
    if st.session_state.get(_CHOSEN) not in offered:
        st.session_state[_CHOSEN] = None
    chosen = st.pills(
        reader._("Or begin with a template"),
        list(offered),
        format_func=lambda key: template_label(offered[key], reader),
        key=_CHOSEN,
        on_change=_choose,
        args=(offered,),
        persist_state="session",
        wrap=True,
        help=reader._("It fills question, scope, period, preset, readers, form and length; change what you like."),
    )
    if chosen:
        _ask(offered[chosen], reader)
    return bool(chosen)


def forget_template() -> None:
    """Unchoose the template; only before it is drawn, as callbacks do."""
    st.session_state[_CHOSEN] = None
    st.session_state[_SUBJECT] = ""


def subject() -> str:
    """Return what was typed into the field of the chosen template."""
    return str(st.session_state.get(_SUBJECT) or "").strip()


def kept_templates() -> tuple[OwnTemplate, ...] | None:
    """Return the templates that the user keeps, or None if they cannot be read."""
    try:
        return templates.load(engine().settings.home)
    except StoreError:
        return None


def template_label(template: Template, reader: Ui) -> str:
    """Return the name of a template, with a sign for one of the reader's own."""
    if isinstance(template, Job):
        return reader.of_term(template.label)
    return f":material/bookmark: {verbatim(template.name)}"


def _ask(template: Template, reader: Ui) -> None:
    """Ask for what the template needs; one that needs nothing has filled the form already."""
    if isinstance(template, OwnTemplate):
        if template.asks:
            example = template.brief.question.replace(SUBJECT, "…")
            _ask_for(reader._("What it is about this time"), example, template)
        return
    _ask_for(reader.of_term(template.asks), reader.of_term(template.example), template)
    st.caption(reader.of_term(template.hint))


def _ask_for(label: str, example: str, template: Template) -> None:
    st.text_input(
        verbatim(label),
        key=_SUBJECT,
        placeholder=example,
        icon=":material/edit:",
        max_chars=300,
        on_change=_fill_template,
        args=(template,),
        persist_state="session",
    )


def _choose(offered: Mapping[str, Template]) -> None:
    """Fill the form with what was typed for another template, or at once if nothing has to be typed."""
    chosen = offered.get(st.session_state[_CHOSEN] or "")
    if chosen is not None:
        _fill_template(chosen)


def _fill_template(template: Template) -> None:
    if isinstance(template, Job):
        if subject():
            fields = values_of_brief(template.brief(subject(), Language(form_values()["language"])))
            # Where to look, and what it may cost, is not the template's to say.
            fill({name: value for name, value in fields.items() if name not in STAYS})
    elif subject() or not template.asks:
        fill(values_of_brief(template.filled(subject())))


_NAME, _NOTICE = "template_name", "template_notice"


def show_own_templates(reader: Ui) -> None:
    """Show the field that keeps the form, and the templates that are kept."""
    if _NOTICE in st.session_state:
        st.error(verbatim(st.session_state.pop(_NOTICE)), icon=":material/error:")
    brief = _brief()
    st.text_input(
        reader._("Name of a template"),
        key=_NAME,
        max_chars=LONGEST_NAME,
        placeholder=reader._("Weekly market watch"),
    )
    if brief is not None and subject() and subject() in brief.question:
        st.caption(verbatim(reader._("“{subject}” will be asked for anew each time.").format(subject=subject())))
    elif brief is not None and brief.question == SUBJECT:
        st.caption(reader._("The question is empty: it will be asked for each time."))
    st.button(
        reader._("Keep this form as a template"),
        icon=":material/bookmark_add:",
        width="stretch",
        key="template_keep",
        on_click=_guarded,
        args=(_keep, reader),
        disabled=brief is None,
    )
    for place, template in enumerate(kept_templates() or ()):
        _row(place, template, reader)


def _row(place: int, template: OwnTemplate, reader: Ui) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"template_row_{place}"):
        st.markdown(f":material/bookmark: {verbatim(template.name)}", width="stretch")
        st.download_button(
            reader._("Save as file"),
            data=template.to_json(),
            file_name=f"{brief_file_name(template.name)}.json",
            mime="application/json",
            type="tertiary",
            on_click="ignore",
            key=f"template_file_{place}",
        )
        st.button(
            reader._("Delete"),
            type="tertiary",
            key=f"template_delete_{place}",
            on_click=_guarded,
            args=(lambda: templates.delete(engine().settings.home, template.name), reader),
        )


def _brief() -> Brief | None:
    """Return the form as a brief, its question to be typed if there is none; None while a field cannot be used."""
    held = form_values()
    try:
        return to_brief(held | {"question": str(held["question"]).strip() or SUBJECT})
    except ValidationError:
        return None


def _guarded(work: Callable[[], None], reader: Ui) -> None:
    """Do `work`; what goes wrong is said where it was asked for."""
    try:
        work()
    except ResearchError as error:
        st.session_state[_NOTICE] = reader.reason(error)


def _keep() -> None:
    """Keep the form as it is now: what was typed last may not have been drawn before the button was pressed."""
    brief = _brief()
    if brief is not None:
        template = templates.make(st.session_state[_NAME], brief, subject=subject())
        templates.save(engine().settings.home, template)
        st.session_state[_NAME] = ""


_FAILED, _LOADS = "load_failed", "loads"
_LARGEST_MB = 1


def show_brief_file(brief: Brief | None, reader: Ui) -> None:
    """Show the menu; `brief` is None while the form holds none."""
    with st.container(horizontal=True):
        with st.popover(reader._("Save and load"), icon=":material/bookmarks:", key="save_and_load"):
            show_own_templates(reader)
            _files(brief, reader)
        st.button(reader._("Clear"), icon=":material/backspace:", type="tertiary", on_click=_clear, args=(reader,))


def forget_file_failure() -> None:
    """Say no more what was wrong with the last file."""
    st.session_state.pop(_FAILED, None)


def _files(brief: Brief | None, reader: Ui) -> None:
    st.download_button(
        reader._("Save this brief as a file"),
        data=(brief.model_dump_json(indent=2, exclude_defaults=True) + "\n") if brief else "",
        file_name="brief.json",
        mime="application/json",
        icon=":material/download:",
        width="stretch",
        disabled=brief is None,
        on_click="ignore",
        key="save_brief",
        help=reader._("To use it again, pass it on, or give it to the command line."),
    )
    if _FAILED in st.session_state:
        st.error(verbatim(st.session_state[_FAILED]), icon=":material/error:")
    st.file_uploader(
        reader._("A saved brief (JSON)"),
        key=f"load_{st.session_state.setdefault(_LOADS, 0)}",
        on_change=_load,
        args=(reader,),
        max_upload_size=_LARGEST_MB,
        help=reader._("A brief fills the form; a template joins yours."),
    )


def _clear(reader: Ui) -> None:
    forget_file_failure()
    forget_template()
    fill(empty_values(reader.language))


def _load(reader: Ui) -> None:
    file = st.session_state.get(f"load_{st.session_state[_LOADS]}")
    forget_file_failure()
    if file is None:
        return
    data = file.getvalue()
    try:
        problem = _take_in_template(data, reader) if templates.is_template(data) else _fill_from_file(data, reader)
    except ResearchError as error:
        problem = reader.reason(error)
    if problem:
        st.session_state[_FAILED] = problem
    else:
        st.session_state[_LOADS] += 1


def _take_in_template(data: bytes, reader: Ui) -> str:
    template = templates.read(data)
    templates.save(engine().settings.home, template)
    st.toast(
        verbatim(reader._("The template “{name}” is kept.").format(name=template.name)),
        icon=":material/bookmark_added:",
    )
    return ""


def _fill_from_file(data: bytes, reader: Ui) -> str:
    """Fill the form with a brief; return what is wrong with it, if anything."""
    loaded = load_brief(data, reader)
    if not isinstance(loaded, Brief):
        return loaded.reason
    fill(values_of_brief(loaded))
    return ""


_FILL = "fill:"
_SHOWN = 3


def show_sample_questions(reader: Ui, without: SampleQuestion | None = None) -> None:
    """Show the questions but for one, to whoever has nothing but the samples to search."""
    if engine().settings.has_web or own_documents():
        return
    rows = [_question_row(sample, reader) for sample in ordered_questions(reader.language) if sample is not without]
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


def _question_row(sample: SampleQuestion, reader: Ui) -> Element:
    place = QUESTIONS.index(sample)
    where = " + ".join(reader.of_term(source.label) for source in sample.sources)
    text = sample.text(reader.language)
    button = sender(f"{_FILL}{place}", "sample", icon("north_west"), el("span", "", text), title=f"{text} ({where})")
    return el("li", "", button, key=str(place))


def _brief_of(sample: SampleQuestion, reader: Ui) -> Brief:
    return Brief(
        question=sample.text(reader.language),
        scope=sample.scope,
        region=sample.region,
        sources=sample.sources,
        language=reader.language,
    )


def _fill(message: str, reader: Ui) -> None:
    sample = QUESTIONS[int(message.removeprefix(_FILL))]
    manner = {name: value for name, value in form_values().items() if name in MANNER}
    fill(values_of_brief(_brief_of(sample, reader)) | manner)
    forget_template()
    forget_file_failure()


def show_first_run(reader: Ui) -> SampleQuestion | None:
    """Show the card and return its question; nothing once anything has been run."""
    if engine().store.list(limit=1):
        return None
    settings, chosen = engine().settings, sample_chosen(reader)
    with st.container(border=True, key="first_run", gap="xsmall"):
        st.markdown(f"**{verbatim(chosen.text(reader.language))}**")
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(
                reader._("Try this sample"), type="primary", icon=":material/play_arrow:", key="first_run_start"
            )
            st.caption(verbatim(_what_works(settings, reader)), width="stretch")
        run_id = start_sample(chosen, reader) if pressed else None
    if run_id is not None:
        go_to("pages/run.py", query_params={"id": run_id})
    return chosen


def _what_works(settings: Settings, reader: Ui) -> str:
    if settings.has_models:
        return reader._("A small first run, on a sample collection alone.")
    return reader._("Answered in seconds from a collection on this computer, free of charge.")


def sample_chosen(reader: Ui) -> SampleQuestion:
    """Return the question of the card; the collection of the house is always installed."""
    return ordered_questions(reader.language)[0]


def start_sample(chosen: SampleQuestion, reader: Ui) -> str | None:
    """Start the run and return its id, or say why it cannot be started."""
    # Rules cost nothing, so they may look everywhere; models are shown at their fastest.
    preset = PresetName.SPEED if engine().settings.has_models else PresetName.QUALITY
    brief = _brief_of(chosen, reader).model_copy(update={"preset": preset, "length": Length.SHORT})
    try:
        return engine().runner.start(brief)
    except ResearchError as error:
        said = reader._("The run could not be started: {reason}").format(reason=reader.reason(error))
        st.error(verbatim(said), icon=":material/error:")
        return None
