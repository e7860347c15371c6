"""Compare: the same question by several methods or presets, or any runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, TypeVar

import streamlit as st
from pydantic import ValidationError

from pages.parts.engine import engine, own_library
from pages.parts.frame import enter, open_run
from pages.parts.library.comparison import Compared, comparison, differences, measures, question, side_names, sides
from pages.parts.library.runs import title
from pages.parts.native_words import say_anew
from pages.parts.nodes import Element, show_nodes
from pages.parts.start.brief import complaints_about, sources_lacking, sources_searched, to_brief
from pages.parts.start.form import form_values, prepare_form, question_field
from pages.parts.ui import Ui, no_traceback, verbatim
from research.core import PRESETS, Brief, MethodName, PresetName, ResearchError, SourceName, UsageError
from research.engine import Variant, VariantOutcome, variants
from research.results import Difference, difference
from research.store import RunSummary, Wanted, find, load_report

_EVERY = 1.0
_RUNS, _METHODS, _PRESETS, _CHOSEN = "runs", "compare_methods", "compare_presets", "compare_runs"
_OFFERED = 8
_LOOKED_AT = 50
"""Runs of which those are offered that have ended."""
_MOST = 10
_OFFERED_METHODS = [MethodName.CHAINED, MethodName.SUPERVISED]
"""Those that are compared while nobody has chosen anything."""
_ANY = "?"
"""In the place of a question that may not be written yet."""


_Way = TypeVar("_Way", MethodName, PresetName)


def main() -> None:
    """Show the page."""
    reader = enter()
    st.title(reader._("Compare"), anchor=False)
    asked = [run for run in st.query_params.get(_RUNS, "").split(",") if run][:_MOST]
    if asked:
        _side_by_side(asked, reader)
    else:
        prepare_form(reader)
        _start_form(reader)
        _past_runs(reader)


def _side_by_side(asked: list[str], reader: Ui) -> None:
    runs = [run for run in map(_known, asked) if run is not None]
    if st.button(reader._("New comparison"), icon=":material/add:", key="compare_new"):
        del st.query_params[_RUNS]
        st.rerun()
    if not runs:
        st.warning(reader._("There is no such run. It may have been deleted."), icon=":material/search_off:")
    elif any(run.state.is_open for run in runs):
        _live(asked, reader)
    elif len(runs) == 2:
        _pair(runs[0], runs[1], reader)
    else:
        _table(runs, reader)


@st.fragment(run_every=_EVERY)
def _live(asked: list[str], reader: Ui) -> None:
    """Show the table while runs are under way; a full rerun ends it with the last of them."""
    with no_traceback(reader):
        runs = [run for run in map(_known, asked) if run is not None]
        if all(not run.state.is_open for run in runs):
            st.rerun()
        _table(runs, reader)


def _table(runs: list[RunSummary], reader: Ui) -> None:
    columns = _columns(runs, reader)
    tree = [*question(columns), *comparison(columns, reader)]
    show_nodes(tree, key="comparison", language=reader.language, on_message=open_run)


def _pair(before: RunSummary, after: RunSummary, reader: Ui) -> None:
    """Show two runs that have ended: all that is measured, then what differs."""
    columns = _columns([before, after], reader)
    changes = _differences(before, after, reader)
    tree = [*question(columns), *sides(columns, reader), *measures(columns, reader), *changes]
    show_nodes(tree, key="comparison", language=reader.language, on_message=open_run)


def _columns(runs: list[RunSummary], reader: Ui) -> list[Compared]:
    names = side_names(reader, repeats=_repeats(*runs)) if len(runs) == 2 else [""] * len(runs)
    return [Compared(run, _outcome(run), name) for run, name in zip(runs, names, strict=True)]


def _repeats(before: RunSummary, after: RunSummary) -> bool:
    return after.follows == before.id


def _outcome(run: RunSummary) -> VariantOutcome | None:
    """Return what a run came to; None while it is under way, and if it left nothing or was deleted just now."""
    try:
        found = None if run.state.is_open else _computed(run.id, run.finished_at)
    except UsageError:
        return None
    return found if found is None or found.pages or found.queries else None


@st.cache_data(show_spinner=False, max_entries=200)
def _computed(run_id: str, ended: datetime | None) -> VariantOutcome:
    """Return what a run came to that has `ended` then; one that broke off may go on, and end again."""
    return VariantOutcome.of(load_report(engine().store, run_id))


def _differences(before: RunSummary, after: RunSummary, reader: Ui) -> list[Element]:
    """Return what differs between two runs that have ended."""
    try:
        found = _difference(before.id, after.id, (before.finished_at, after.finished_at))
    except UsageError:
        return []  # one was deleted just now
    return differences(found, reader, since=reader.moment(before.created_at) if _repeats(before, after) else "")


@st.cache_data(show_spinner=False, max_entries=20)
def _difference(before: str, after: str, ended: tuple[datetime | None, ...]) -> Difference:
    return difference(load_report(engine().store, before), load_report(engine().store, after))


def _known(run_id: str) -> RunSummary | None:
    try:
        return engine().store.get(run_id)
    except UsageError:
        return None


def _start_form(reader: Ui) -> None:
    st.header(reader._("One question, several ways"), anchor=False)
    question_field(reader)
    st.session_state.setdefault(_METHODS, list(_OFFERED_METHODS))
    methods = _ways(
        _METHODS,
        reader._("Methods"),
        reader._("Who plans, and when it stops. None chosen: the one under “New research”, else each preset's own."),
        {name: reader.of_term(name.label) for name in MethodName},
        reader,
    )
    presets = _ways(
        _PRESETS,
        reader._("Presets"),
        reader._("Models, limits and length. None chosen: the one under “New research”."),
        {name: reader.of_term(PRESETS[name].label) for name in PresetName},
        reader,
        on_change=_presets_instead,
    )
    _say_what_starts(methods, presets, reader)
    lacks = sources_lacking(reader)
    searched = sources_searched([SourceName(name) for name in form_values()["sources"]], lacks, reader)
    names = reader.listed([reader.of_term(name.label) for name in searched])
    st.caption(verbatim(reader._("Searches {sources}.").format(sources=names)))
    refused = st.container()  # a phone shows what stands over the button, not what comes below it
    if st.button(reader._("Start comparison"), type="primary", icon=":material/play_arrow:", key="compare_start"):
        with refused:
            _start(methods, presets, reader)


def _presets_instead() -> None:
    """Let presets that are chosen take the place of the methods that were only offered: two presets are two runs."""
    offered, given_way = _OFFERED_METHODS, list[MethodName]()
    before, after = (offered, given_way) if st.session_state[_PRESETS] else (given_way, offered)
    if st.session_state[_METHODS] == before:
        st.session_state[_METHODS] = list(after)


def _say_what_starts(methods: list[MethodName], presets: list[PresetName], reader: Ui) -> None:
    values = form_values()
    named = {"preset": values["preset"], "method": values["method"] or None}
    ways = variants(Brief(question=_ANY, language=reader.language, **named), methods, presets, least=1)
    if len(ways) == 1:
        st.caption(reader._("A comparison needs two or more different methods or presets."))
    elif len(ways) > _MOST:
        st.caption(verbatim(_too_many(reader)))
    else:
        together = reader._("{count} runs start together. Everything else is as set under “New research”.")
        with st.container(gap="xxsmall"):
            st.caption(verbatim(together.format(count=reader.number(len(ways)))))
            labels = [way.label(reader.language).replace(" · ", "\u00a0· ") for way in ways]  # no line begins with it
            st.caption(verbatim(reader.listed(labels)))


def _too_many(reader: Ui) -> str:
    return reader._("At most {count} runs can be compared.").format(count=_MOST)


def _ways(
    field: str,
    label: str,
    help_: str,
    names: Mapping[_Way, str],
    reader: Ui,
    *,
    on_change: Callable[[], None] | None = None,
) -> list[_Way]:
    """Ask for some of a few ways, all in sight: a list that unfolds hides on a phone what is chosen."""
    say_anew(field, reader.language.value)
    return st.pills(
        verbatim(label),
        list(names),
        selection_mode="multi",
        format_func=names.__getitem__,
        key=field,
        persist_state="session",
        help=help_,
        on_change=on_change,
    )


def _start(methods: list[MethodName], presets: list[PresetName], reader: Ui) -> None:
    try:
        brief = to_brief(form_values())
    except ValidationError as error:
        for complaint in complaints_about(error, form_values(), reader):
            st.error(verbatim(complaint), icon=":material/edit:")
        return
    library = own_library()
    try:
        ways = variants(brief.model_copy(update={"language": reader.language}), methods, presets)
        if len(ways) > _MOST:
            st.error(verbatim(_too_many(reader)), icon=":material/edit:")
            return
        runs = [engine().runner.start(way.applied_to(brief), library=library) for way in ways]
    except ResearchError as error:
        st.error(verbatim(reader.reason(error)), icon=":material/error:")
        return
    st.query_params[_RUNS] = ",".join(runs)
    st.rerun()


def _past_runs(reader: Ui) -> None:
    """Let runs be chosen of the latest ones, or of those that are searched for; what is chosen stays in sight."""
    latest = [run for run in engine().store.list(_LOOKED_AT) if not run.state.is_open]
    if len(latest) < 2:
        return
    st.header(reader._("Past runs, side by side"), anchor=False)
    words = st.text_input(
        reader._("Search runs"),
        key="compare_words",
        type="search",
        live=True,
        icon=":material/search:",
        placeholder=reader._("Search questions, reports and sources"),
        label_visibility="collapsed",
    )
    chosen = [run for run in map(_known, st.session_state.setdefault(_CHOSEN, [])) if run is not None]
    found = find(engine().store, Wanted(words=words), limit=_LOOKED_AT).runs if words else latest
    offered = {run.id: run for run in [*chosen, *[run for run in found if not run.state.is_open][:_OFFERED]]}
    in_order = sorted(offered.values(), key=lambda run: (run.created_at, run.id))
    with st.container(gap="xsmall", key="compare_offered"):
        for run, name in _told_apart(reversed(in_order), reader).items():
            _offer(run, name, is_full=len(chosen) >= _MOST)
    if st.button(reader._("Compare"), icon=":material/compare_arrows:", disabled=len(chosen) < 2, key="compare_past"):
        st.query_params[_RUNS] = ",".join(run.id for run in in_order if run in chosen)
        st.rerun()


def _offer(run: str, name: _Told, *, is_full: bool) -> None:
    is_chosen = run in st.session_state[_CHOSEN]
    st.checkbox(
        f"{verbatim(name.title)} :small[:gray[{verbatim(name.way)}]] :small[:gray[{verbatim(name.moment)}]]",
        is_chosen,
        key=f"compare_run_{run}",
        disabled=is_full and not is_chosen,
        on_change=_choose,
        args=(run,),
    )


def _choose(run_id: str) -> None:
    chosen = st.session_state[_CHOSEN]
    st.session_state[_CHOSEN] = [run for run in chosen if run != run_id] if run_id in chosen else [*chosen, run_id]


class _Told(NamedTuple):
    """What stands beside the box of a run."""

    title: str
    way: str
    moment: str
    """When it was, and its id where another one was in the same minute."""


def _told_apart(runs: Iterable[RunSummary], reader: Ui) -> dict[str, _Told]:
    """Return what is said of each run; no two are told alike."""
    names: dict[str, _Told] = {}
    for run in runs:
        ways = (PRESETS[run.brief.preset].label, Variant.of(run.brief).method.label)
        way, moment = " · ".join(map(reader.of_term, ways)), reader.moment(run.created_at)
        name = _Told(title(run.name), way, moment)
        names[run.id] = name if name not in names.values() else name._replace(moment=f"{moment} · {run.id}")
    return names


main()
