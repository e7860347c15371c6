"""What can be done with runs of the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts.engine import engine, forget_state, own_library
from pages.parts.library.runs import (
    CHANGE_RUN,
    COMPARE_RUN,
    DELETE_RUN,
    EXPORT_RUN,
    LABEL_RUN,
    OPEN_RUN,
    REPEAT_RUN,
    SCHEDULE_RUN,
    SHARE_RUN,
    SHOW_CHANGES,
    SHOW_TAG,
    STAR_RUN,
    UNSHARE_RUN,
    UNSTAR_RUN,
    show_tag,
    title,
)
from pages.parts.start.brief import values_of_brief
from pages.parts.start.form import fill
from pages.parts.ui import Ui, go_to, no_traceback, verbatim
from research.core import ResearchError, StoreError, UsageError
from research.store import (
    LONGEST_TAG,
    MOST_TAGS,
    RunSummary,
    UnusableRunFile,
    export_run,
    file_name,
    follow,
    import_run,
    label,
    star,
    tags_in_use,
)

ASKED, COMPARING, NOTICE = "runs_asked", "runs_comparing", "runs_notice"


@dataclass(frozen=True)
class AskedOfRun:
    """A dialog that a menu has asked for."""

    what: str
    """The message that asked for it."""
    run: str


def handle_run_action(message: str, reader: Ui) -> None:
    """Do what a row or menu asks for; what cannot be done is said on the page, which stays as it is."""
    kind, _, subject = message.partition(":")
    act = _ACTS.get(f"{kind}:")
    if act is None:
        return
    try:
        act(subject, reader)
    except StoreError:
        notify(not_saved(reader))
    except UsageError:
        notify(reader._("This run is not there any more."))


def notify(sentence: str) -> None:
    """Say something above the list the next time that the page is drawn."""
    st.session_state[NOTICE] = sentence


def show_run_notice() -> None:
    """Say what there is to say."""
    if NOTICE in st.session_state:
        st.warning(verbatim(st.session_state.pop(NOTICE)), icon=":material/info:")


def not_saved(reader: Ui) -> str:
    """Return what to say if the store cannot be written."""
    return reader._(
        "This could not be saved, and nothing was changed. Another program may be using the store, or the disk may be "
        "full. Try again in a moment."
    )


def repeat(run: RunSummary, reader: Ui) -> None:
    """Start a run with the same brief, linked to this one, and go there; if it cannot start, say why."""
    library = own_library()
    try:
        again = engine().runner.start(run.brief, library=library, attended=True)
    except ResearchError as error:
        notify(reader._("The run could not be started: {reason}").format(reason=reader.reason(error)))
        return
    try:
        follow(engine().store, again, run.id)
    except ResearchError:
        st.toast(reader._("The run is under way, but could not be linked to the earlier one."), icon=":material/info:")
    go_to("pages/run.py", query_params={"id": again})


def resume_run(run_id: str, reader: Ui) -> None:
    """Let a run that broke off go on; if it cannot, say why on its page."""
    library = own_library()
    try:
        engine().runner.resume(run_id, library=library, attended=True)
    except ResearchError as error:
        notify(reader._("The run could not be continued: {reason}").format(reason=reader.reason(error)))
        return
    forget_state()


def show_changes(run: RunSummary) -> None:
    """Go to where a run is compared with the one that it repeats."""
    go_to("pages/compare.py", query_params={"runs": f"{run.follows},{run.id}"})


def _open(run_id: str, reader: Ui) -> None:
    go_to("pages/run.py", query_params={"id": run_id})


def _star(run_id: str, reader: Ui) -> None:
    star(engine().store, run_id, True)


def _unstar(run_id: str, reader: Ui) -> None:
    star(engine().store, run_id, False)


def _change(run_id: str, reader: Ui) -> None:
    fill(values_of_brief(engine().store.get(run_id).brief))
    st.toast(
        reader._("The form is filled in as for that run. Change what you like, then start."),
        icon=":material/edit_note:",
    )
    go_to("pages/new_research.py")


def _schedule(run_id: str, reader: Ui) -> None:
    go_to("pages/schedules.py", query_params={"run": run_id})


def _compare(run_id: str, reader: Ui) -> None:
    """Remember the first of two runs, or go on with both, the older one first."""
    first = comparing_runs()
    if first is None:
        st.session_state[COMPARING] = run_id
        return
    st.session_state.pop(COMPARING)
    if first.id != run_id:
        second = engine().store.get(run_id)
        both = sorted((first, second), key=lambda run: (run.created_at, run.id))
        go_to("pages/compare.py", query_params={"runs": ",".join(run.id for run in both)})


def comparing_runs() -> RunSummary | None:
    """Return the run for which another one is being chosen."""
    chosen = st.session_state.get(COMPARING)
    try:
        return engine().store.get(chosen) if chosen else None
    except UsageError:
        st.session_state.pop(COMPARING)
        return None


def _ask(what: str) -> Callable[[str, Ui], None]:
    def act(run_id: str, reader: Ui) -> None:
        if what == DELETE_RUN and engine().store.get(run_id).state.is_open:
            notify(reader._("The run is still under way. Stop it before deleting it."))
            return
        st.session_state[ASKED] = AskedOfRun(what, run_id)

    return act


_ACTS: dict[str, Callable[[str, Ui], None]] = {
    OPEN_RUN: _open,
    STAR_RUN: _star,
    UNSTAR_RUN: _unstar,
    SHARE_RUN: lambda run_id, reader: engine().store.share(run_id, True),
    UNSHARE_RUN: lambda run_id, reader: engine().store.share(run_id, False),
    REPEAT_RUN: lambda run_id, reader: repeat(engine().store.get(run_id), reader),
    CHANGE_RUN: _change,
    SCHEDULE_RUN: _schedule,
    COMPARE_RUN: _compare,
    SHOW_CHANGES: lambda run_id, reader: show_changes(engine().store.get(run_id)),
    SHOW_TAG: lambda tag, reader: show_tag(tag),
    LABEL_RUN: _ask(LABEL_RUN),
    EXPORT_RUN: _ask(EXPORT_RUN),
    DELETE_RUN: _ask(DELETE_RUN),
}

_MEGABYTES = 128
_UPLOADS, _IMPORTED, _REFUSED, _FAILED = "runs_uploads", "runs_imported", "runs_refused", "runs_failed"


def show_run_dialog(reader: Ui) -> None:
    """Show the dialog that was asked for, if any."""
    asked = st.session_state.get(ASKED)
    if not isinstance(asked, AskedOfRun):
        return
    try:
        run = engine().store.get(asked.run)
    except UsageError:
        _close()
        return
    names: dict[str, tuple[str, Callable[[RunSummary, Ui], None]]] = {
        LABEL_RUN: (reader._("Title and tags"), _label),
        EXPORT_RUN: (reader._("Export as a file"), _export),
        DELETE_RUN: (reader._("Delete this run?"), _delete),
    }
    name, draw = names[asked.what]

    @st.dialog(verbatim(name), on_dismiss=_close)
    def dialog() -> None:
        if ASKED not in st.session_state:  # done, or cancelled
            st.rerun()
        with no_traceback(reader):
            draw(run, reader)

    dialog()


def _close() -> None:
    st.session_state.pop(ASKED, None)
    st.session_state.pop(_FAILED, None)


def _label(run: RunSummary, reader: Ui) -> None:
    st.text_input(
        reader._("Title", "of a run"),
        run.title,
        placeholder=title(run.question),
        help=reader._("Your own name for it in lists. The question stays as it is."),
        key=f"runs_title_{run.id}",
    )
    st.multiselect(
        reader._("Tags"),
        sorted({*tags_in_use(engine().store), *run.tags}),
        run.tags,
        accept_new_options=True,
        max_selections=MOST_TAGS,
        placeholder=reader._("Choose a tag, or type a new one"),
        help=reader._("At most {count} characters each.").format(count=LONGEST_TAG),
        key=f"runs_tags_{run.id}",
    )

    def save() -> None:
        named, tags = (st.session_state[f"runs_{field}_{run.id}"] for field in ("title", "tags"))
        label(engine().store, run.id, title=named or "", tags=tags)

    _buttons(reader, reader._("Save"), "check", save)


def _delete(run: RunSummary, reader: Ui) -> None:
    st.text(title(run.name))
    st.caption(reader._("Its report, sources and quotes are deleted for good. Pages that other runs read stay there."))
    _buttons(reader, reader._("Delete"), "delete", lambda: engine().store.delete(run.id))


def _buttons(reader: Ui, confirm: str, icon: str, act: Callable[[], None]) -> None:
    """Show the buttons that end the dialog; what cannot be saved is said in it, and everything typed stays."""

    def confirmed() -> None:
        try:
            act()
        except StoreError:
            st.session_state[_FAILED] = not_saved(reader)
            return
        except UsageError:
            notify(reader._("The run is still under way, or was deleted already."))
        _close()

    if _FAILED in st.session_state:
        st.error(verbatim(st.session_state.pop(_FAILED)), icon=":material/error:")
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(reader._("Cancel"), on_click=_close, key="runs_cancel")
        st.button(verbatim(confirm), type="primary", icon=f":material/{icon}:", on_click=confirmed, key=f"runs_{icon}")


def _export(run: RunSummary, reader: Ui) -> None:
    st.text(title(run.name))
    st.caption(
        reader._(
            "One file with everything: report, quotes, pages, how it was done, title and tags. Another workbench can "
            "import it."
        )
    )
    data = export_run(engine().store, run.id)
    with st.container(horizontal=True, horizontal_alignment="right"):
        st.button(reader._("Cancel"), on_click=_close, key="runs_cancel")
        st.download_button(
            reader._("Download ({size})").format(size=reader.size(len(data))),
            data=data,
            file_name=file_name(run.id),
            mime="application/zip",
            icon=":material/download:",
            type="primary",
            on_click=_close,
        )


def importing(reader: Ui) -> None:
    """Show the button under which a run is imported from its file."""
    done = st.session_state.setdefault(_IMPORTED, 0)  # another key is another popover, which is closed
    with st.popover(reader._("Import"), icon=":material/upload:", width="content", key=f"runs_importing_{done}"):
        st.file_uploader(
            reader._("A run that was exported (.run.zip)"),
            type="zip",
            max_upload_size=_MEGABYTES,
            key=f"runs_import_{st.session_state.setdefault(_UPLOADS, 0)}",
            on_change=_import,
            args=(reader,),
        )
        if _REFUSED in st.session_state:
            st.error(verbatim(st.session_state.pop(_REFUSED)), icon=":material/error:")
        st.caption(reader._("Every part is checked. A run that is here already is never overwritten."))


def _import(reader: Ui) -> None:
    file = st.session_state.get(f"runs_import_{st.session_state[_UPLOADS]}")
    if file is None:
        return
    st.session_state[_UPLOADS] += 1
    try:
        run = engine().store.get(import_run(engine().store, file.getvalue()))
    except UnusableRunFile as error:
        st.session_state[_REFUSED] = reader.of_term(error.text)
    except StoreError:
        st.session_state[_REFUSED] = not_saved(reader)
    else:
        st.session_state[_IMPORTED] += 1
        st.toast(verbatim(reader._("Imported: {title}").format(title=title(run.name))), icon=":material/check:")
