"""What can be done with a finished run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.engine import current, engine
from pages.parts.frame import open_run
from pages.parts.library.actions import (
    comparing_runs,
    handle_run_action,
    resume_run,
    show_changes,
    show_run_dialog,
    show_run_notice,
)
from pages.parts.library.runs import (
    COMPARE_RUN,
    DELETE_RUN,
    EXPORT_RUN,
    LABEL_RUN,
    REPEAT_RUN,
    STAR_RUN,
    UNSTAR_RUN,
    run_link,
    shared,
    sharing,
)
from pages.parts.live.lanes import activity
from pages.parts.live.run import handle_live_message, unfolded
from pages.parts.live.timeline import show_timeline
from pages.parts.nodes import Element, el, group, icon, show_nodes
from pages.parts.report.downloads import show_downloads
from pages.parts.report.figures import show_figures
from pages.parts.report.findings import (
    Chapter,
    contradictions,
    findings_of_run,
    folio,
    missing,
    opposed,
    part,
    show_notes,
    with_places,
)
from pages.parts.report.follow_ups import FOLLOW_UPS, added_days, show_follow_ups, with_follow_ups
from pages.parts.report.head import header, problems, skipped
from pages.parts.report.sources import SourceFacts, open_source, sources
from pages.parts.report.text import CitedReport, is_checked, left_out, report, summary, weak_count
from pages.parts.start.brief import brief_nodes as in_words, labels, values_of_brief
from pages.parts.start.form import fill, named
from pages.parts.ui import NAMES, Ui, go_to, no_traceback, verbatim
from research.core import (
    PRESETS,
    TERMS,
    Brief,
    ResearchError,
    Role,
    RunView,
    UsageError,
    Vocabulary,
)
from research.export.composing import title_of
from research.language import SPACE, Language
from research.results import RunRecord, Trail, notes_of, shortfall
from research.store import MOST_BREAKS, RunState, RunSummary, can_resume, load_report
from research.verification import Contradiction


def show_run_menu(run: RunSummary, reader: Ui) -> None:
    """Show the button that opens the menu, and do what is chosen in it."""
    entries = _entries(run, reader)
    chosen = st.menu_button(
        reader._("More actions"),
        list(entries),
        format_func=lambda message: entries[message],
        icon=":material/more_horiz:",
        key=f"run_menu_{run.id}",
    )
    if chosen:
        handle_run_action(chosen + run.id, reader)
        if chosen == COMPARE_RUN:
            go_to("pages/runs.py")
        st.rerun()


def _entries(run: RunSummary, reader: Ui) -> dict[str, str]:
    """Return the name of each entry, by the message that stands for it."""
    star = (UNSTAR_RUN, reader._("Remove the star")) if run.starred else (STAR_RUN, reader._("Star"))
    comparing = comparing_runs()
    is_other = comparing is not None and comparing.id != run.id
    compare = reader._("Compare with the run chosen") if is_other else reader._("Compare with another run")
    repeated = {
        REPEAT_RUN: reader._("Run again"),
        COMPARE_RUN: compare,
        EXPORT_RUN: reader._("Export as a file"),
    }
    if not run.is_own:
        return repeated
    first, last = {star[0]: star[1], LABEL_RUN: reader._("Title and tags")}, {DELETE_RUN: reader._("Delete")}
    return {**first, **repeated, **dict(sharing(run, reader)), **last}


_REWRITTEN = ("audience", "length", "form", "summary", "tone")
"""What another report may be, beside its language."""


def rewrite_button(run_id: str, brief: Brief, reader: Ui) -> None:
    """Show the button that opens the dialog."""
    if st.button(
        reader._("Rewrite…"),
        icon=":material/edit_document:",
        help=reader._("Write another report from the same evidence: for other readers, shorter, in another language."),
        key="rewrite",
    ):
        _open(run_id, brief, reader)


def _open(run_id: str, brief: Brief, reader: Ui) -> None:
    @st.dialog(reader._("Rewrite the report"), width="medium")
    def dialog() -> None:
        with no_traceback(reader):
            _draw(run_id, brief, reader)

    dialog()


def _draw(run_id: str, brief: Brief, reader: Ui) -> None:
    st.markdown(
        reader._("A new run writes another report from the same evidence. Nothing is searched; this report stays.")
    )
    grid = st.grid(2, min_column_width=180)
    held = brief.model_dump(mode="json")
    chosen: dict[str, Any] = {
        name: grid.selectbox(
            labels(reader)[name],
            ["", *(term.value for term in TERMS[name])],
            index=_place(held[name], TERMS[name]),
            format_func=_named(name, brief, reader),
            key=f"rewrite_{name}",
        )
        or None
        for name in _REWRITTEN
    }
    languages = [language.value for language in Language]
    chosen["language"] = grid.selectbox(
        labels(reader)["language"],
        languages,
        index=languages.index(held["language"]),
        format_func=lambda value: NAMES[Language(value)],
        key="rewrite_language",
    )
    by_rule = not engine().settings.has_models
    if by_rule:
        st.caption(
            reader._(
                "No model is set up: the report is composed by rule of the same quotes. Form, length, summary and the "
                "language of headings change; the quotes stay as their sources have them, and audience and tone are "
                "only noted."
            )
        )
    with st.container(horizontal=True, horizontal_alignment="right"):
        begins = st.button(reader._("Rewrite"), type="primary", icon=":material/edit_document:", key="rewrite_start")
    if begins:
        _start(run_id, chosen, reader)


def _place(value: str | None, terms: type[Vocabulary]) -> int:
    return 1 + [term.value for term in terms].index(value) if value else 0


def _named(name: str, brief: Brief, reader: Ui) -> Callable[[str], str]:
    terms = {term.value: reader.of_term(term.label) for term in TERMS[name]}
    by_preset: Vocabulary | None = getattr(PRESETS[brief.preset], name, None)
    unset = reader._("{label} (by preset)").format(label=reader.of_term(by_preset.label)) if by_preset else ""
    return named(terms, unset or reader._("Any"))


def _start(run_id: str, chosen: Mapping[str, Any], reader: Ui) -> None:
    try:
        new = engine().asking.rewrite(run_id, **chosen)
    except ResearchError as error:
        said = reader._("This could not be started: {reason}").format(reason=reader.reason(error))
        st.error(verbatim(said), icon=":material/error:")
        return
    go_to("pages/run.py", query_params={"id": new})


_HELD, _OPEN = "run_tabs", "run_tabs_open"


class _Tabs(NamedTuple):
    run: str
    language: str
    names: tuple[str, ...]
    first: int
    """Place of the tab that is open at first."""

    @property
    def key(self) -> str:
        return f"tabs_{self.run}_{self.language}"


def run_tabs(run_id: str, names: Sequence[str], first: int, reader: Ui) -> Sequence[Any]:
    """Show tabs and return them; at first the one at the place `first` is open, in another language the same as before.

    Tabs are known by their names: with another name they would be new ones, and the reader lose the place in the text.
    So a count in a name that grows while the page is open shows when it is next opened.
    """
    held = st.session_state[_HELD] = _held(_Tabs(run_id, reader.language.value, tuple(names), first))
    shown = st.tabs(list(held.names), default=held.names[held.first], key=held.key, on_change="rerun")
    st.session_state[_OPEN] = next((place for place, tab in enumerate(shown) if tab.open), first)
    return shown


def _held(wanted: _Tabs) -> _Tabs:
    """Return the tabs as they stand on the page, or those that are wanted if there are none, or others."""
    held: _Tabs | None = st.session_state.get(_HELD)
    if held is None or held.run != wanted.run:
        return wanted
    if held.key != wanted.key:
        return wanted._replace(first=min(st.session_state[_OPEN], len(wanted.names) - 1))
    is_shown = wanted.key in st.session_state
    return held if is_shown and len(held.names) == len(wanted.names) else wanted


def show_report(
    cited: CitedReport,
    writer: str,
    state: RunView,
    trail: Trail,
    reader: Ui,
    *,
    found: Sequence[Contradiction],
    is_claimed: bool = False,
) -> None:
    """Show it; `writer` is empty if nobody finished it, and `is_claimed` if only a file from elsewhere names it."""
    is_there, against = bool(cited.draft.strip()), opposed(found, cited, reader)
    about = [_writer(writer, state, cited, reader, is_claimed=is_claimed), *summary(cited.sentences, reader)]
    about += against.top
    top = [group("section", "about measure", about, key="about")] if is_there else []
    show_nodes(top, key="report_top", language=reader.language, cards=against.cards, on_message=open_source)
    to_check = _only_what_needs_checking(cited, reader)
    (article,), cards = report(cited, reader, to_check=to_check, opposed=against.sentences)
    cards |= against.cards
    if not is_there:
        # Whoever has the page read out goes by its headings: none is left out above what went wrong.
        article = el("div", "", el("h2", "unseen", reader._("Report")), el("p", "note", _instead(state, reader)))
    text, chapters = with_places(article)
    trouble = Chapter("limits", reader._("Limits of this report") if is_there else reader._("What went wrong"))
    # A report by rule lists itself what is missing.
    added = _added(trouble, state, Trail() if writer == "extractive" else trail, reader)
    further = [Chapter(FOLLOW_UPS, reader._("Follow-up questions"))] if state.evidence else []
    pieces = [text, *left_out(cited.left_out, cited.evidence, reader), *(part(*one, reader) for one in added)]
    tree = folio(pieces, [*chapters, *(chapter for chapter, _ in added), *further], reader)
    show_nodes(tree, key="report", language=reader.language, cards=cards, on_message=open_source)


def _instead(state: RunView, reader: Ui) -> str:
    """Say that there is no report, and where to look instead."""
    if state.pages:
        return reader._("There is no report. What was found stands under the other tabs.")
    return reader._("There is no report: no source was read.")


def _added(trouble: Chapter, state: RunView, trail: Trail, reader: Ui) -> list[tuple[Chapter, list[Element]]]:
    """Return what the program says under the report, as far as there is anything to say."""
    parts = [
        (Chapter("not-found", reader._("What was not found")), missing(trail, reader)),
        (trouble, [*problems(state.problems, reader), *skipped(state, reader)]),
    ]
    return [(chapter, shown) for chapter, shown in parts if shown]


def _only_what_needs_checking(cited: CitedReport, reader: Ui) -> bool:
    """Ask whether to show nothing but what needs checking, if there is any."""
    count = weak_count(cited.sentences) if is_checked(cited.sentences) else 0
    if not count:
        return False
    label = reader.n_(
        "Show only what needs checking ({count} sentence)", "Show only what needs checking ({count} sentences)", count
    )
    return st.toggle(verbatim(label), key="to_check")


def _writer(writer: str, state: RunView, cited: CitedReport, reader: Ui, *, is_claimed: bool) -> Element:
    """Say who wrote the report, and what that means for the reader."""
    if writer == "extractive":
        symbol, head = "rule", reader._("Composed by rule of quotes and calculations")
        what = reader._("No model wrote any of it. Each number opens the quote and the page in which it stands.")
    elif writer:
        symbol = "smart_toy"
        head = reader._("Written by the model {model}").format(model=state.models.get(Role.FINAL_REPORT, writer))
        what = _of_a_model(cited, reader)
    else:
        symbol, head = "pause_circle", reader._("Not finished")
        what = reader._("This is as far as the report was written.")
    if is_claimed:
        symbol, head = "help", reader._("By the account of its file, unchecked: {claim}").format(claim=head)
        what = reader._("The run was taken in from a file. Who wrote it, and whether its pages are real, is its claim.")
    return el("div", "mode", icon(symbol), el("strong", "", head), el("p", "", what), key="writer")


def _of_a_model(cited: CitedReport, reader: Ui) -> str:
    if is_checked(cited.sentences):
        return reader._(
            "Every quote behind a number stands in its page. The mark behind a sentence says what the rules found "
            "when they held the sentence against that page."
        )
    return reader._(
        "Every quote behind a number stands in its page. The sentences of this run were not held against their "
        "pages: open the number and see."
    )


def show_finished_run(run: RunSummary, reader: Ui) -> None:
    """Show everything that the run left behind."""
    state, record = current(run.id), engine().store.record(run.id)
    state.end()
    show_nodes(header(state, run.state, datetime.now(UTC), reader), key="run_head", language=reader.language)
    if said := shared(run, reader):
        st.caption(verbatim(said))
    _origin(run, reader)
    _downloads(run, state, reader)
    show_run_notice()
    show_run_dialog(reader)
    _ending(run, state, record, reader)
    _tabs(run, state, record, reader)


@st.fragment
def _tabs(run: RunSummary, state: RunView, record: RunRecord | None, reader: Ui) -> None:
    """Show the report and what stands behind it; a fragment, so that a filter or another tab redraws only this."""
    with no_traceback(reader):
        _draw_tabs(run, state, record, reader)


def _draw_tabs(run: RunSummary, state: RunView, record: RunRecord | None, reader: Ui) -> None:
    cited = CitedReport.of_record(record, state) if record else CitedReport.of_draft(run.brief, state)
    found = findings_of_run(run.id)
    trail = record.trail if record else Trail()
    notes = notes_of(state.notes)
    of_pages = [  # where nothing was read, there is nothing to look at
        reader._("Figures"),
        reader._("Contradictions ({count})").format(count=reader.number(len(found.contradictions))),
        reader._("Sources ({count})").format(count=reader.number(len(state.pages))),
        *([reader._("Notes ({count})").format(count=reader.number(len(notes)))] if notes else []),
    ]
    names = [reader._("Report"), *(of_pages if state.pages else ()), reader._("How it was done")]
    is_told = bool(cited.draft.strip()) or run.state is RunState.FAILED  # what went wrong stands under the report
    first = 0 if is_told else len(names) - 1
    text, *about_pages, done = run_tabs(run.id, names, first, reader)
    with text:
        writer, is_claimed = (record.writer, record.is_claimed) if record else (state.report_by, False)
        show_report(cited, writer, state, trail, reader, found=found.contradictions, is_claimed=is_claimed)
        if state.evidence:
            show_follow_ups(run, cited, reader)
    with done:
        _log(run.id, state, reader)
    if not about_pages:
        return
    table, differing, listed, *noted = about_pages
    with table:
        if table.open:  # the table is made only for those who look at it
            show_figures(run.id, {quote.id for quotes in cited.cited.values() for quote in quotes}, state, reader)
    with differing:
        differ = contradictions(found.contradictions, state.pages, reader, found.added)
        show_nodes(differ, key="contradictions", language=reader.language, on_message=open_source)
    with listed:
        known = SourceFacts(found.day, found.kinds, found.remarks, added_days(run.id, reader))
        tree, cards = sources(with_follow_ups(cited, run.id), known, reader)
        show_nodes(tree, key="sources", language=reader.language, cards=cards, on_message=open_source)
    for tab in noted:
        with tab:
            if tab.open:
                written = record or load_report(engine().store, run.id).record
                show_notes(notes, written, state, reader, is_own=run.is_own)


def _ending(run: RunSummary, state: RunView, record: RunRecord | None, reader: Ui) -> None:
    """Say plainly if the run did not end as it should."""
    match run.state:
        case RunState.PARTIAL if record is not None:
            lines = shortfall(record, reader.language), reader._("What is missing stands below it.")
            st.warning(verbatim(SPACE.in_(reader.language).join(lines)), icon=":material/contrast:")
        case RunState.FAILED:
            st.error(reader._("This run brought no report. What went wrong stands below."), icon=":material/error:")
            _trying_again(run, reader)
        case RunState.INTERRUPTED:
            said = reader._("This run broke off because the program ended. What it had found until then stands below.")
            if not state.pages:
                said = reader._("This run broke off because the program ended, before it had found anything.")
            st.warning(verbatim(said), icon=":material/pause_circle:")
            if run.breaks > MOST_BREAKS:
                st.caption(
                    reader._("It broke off {count} times: no worker goes on with it by itself.").format(
                        count=reader.number(run.breaks)
                    )
                )
            _resuming(run, reader)


def _resuming(run: RunSummary, reader: Ui) -> None:
    """Offer to go on with a run that broke off, if it can."""
    if not (run.is_own and can_resume(engine().store, run)):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="resuming"):
        st.button(
            reader._("Continue this run"),
            type="primary",
            icon=":material/play_arrow:",
            on_click=resume_run,
            args=(run.id, reader),
            key="resume",
        )
        st.caption(reader._("Finished topics stay as they are, and pages that were read cost nothing again."))


def _trying_again(run: RunSummary, reader: Ui) -> None:
    """Offer to ask the same again, once what went wrong is mended, and the way to where it may be."""
    with st.container(horizontal=True, vertical_alignment="center", key="trying_again"):
        if st.button(reader._("Run again"), type="primary", icon=":material/replay:", key="repeat"):
            handle_run_action(REPEAT_RUN + run.id, reader)
            st.rerun()
        st.page_link("pages/settings.py", label=reader._("Open Settings"), icon=":material/settings:")


def _origin(run: RunSummary, reader: Ui) -> None:
    """Say of which other run this one is a part, if it is."""
    lines = [
        (
            run.rewritten_from,
            "edit_document",
            reader._("Written anew from the evidence of another run; nothing was searched."),
        ),
        (run.searches_for, "travel_explore", reader._("A search for a question about the report of another run.")),
    ]
    tree = [
        el("p", "origin", icon(symbol), el("span", "", words, _way(name, reader)), key=symbol)
        for name, symbol, words in lines
        if name
    ]
    if tree:
        show_nodes(tree, key="origin", language=reader.language, on_message=open_run)


def _way(run_id: str, reader: Ui) -> Element | None:
    """Return the way to a run, or nothing if it has been deleted."""
    try:
        engine().store.get(run_id)
    except UsageError:
        return None
    return run_link(run_id, reader._("Open that run"), "textual")


def _downloads(run: RunSummary, state: RunView, reader: Ui) -> None:
    markdown = engine().store.markdown(run.id) or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        if markdown or state.evidence:
            show_downloads(run.id, title_of(markdown, run.question), run.brief.file_format, reader)
        st.button(
            reader._("Edit and run again"),
            icon=":material/replay:",
            help=reader._("Open the form with this run's brief."),
            on_click=_again,
            args=(run.brief,),
            key="again",
        )
        if state.evidence:
            rewrite_button(run.id, run.brief, reader)
        if run.follows and st.button(
            reader._("What changed since last time"), icon=":material/difference:", key="changes"
        ):
            show_changes(run)
        show_run_menu(run, reader)


def _again(brief: Brief) -> None:
    fill(values_of_brief(brief))
    go_to("pages/new_research.py")


def _log(run_id: str, state: RunView, reader: Ui) -> None:
    show_timeline(run_id, reader, live=False)
    show_nodes(
        activity(state, reader, unfolded()), key="activity", language=reader.language, on_message=handle_live_message
    )
    if state.brief:
        st.header(reader._("The brief"), anchor=False)
        show_nodes(in_words(state.brief), key="run_brief", language=state.brief.language)
