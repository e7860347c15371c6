"""Settings: keys and addresses, models, where pages come from, language and look."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine, settings_home
from pages.parts.frame import ADDRESSES, enter
from pages.parts.nodes import Element, el, group, icon, show_nodes
from pages.parts.settings.models import show_chat_models, show_embeddings, show_models
from pages.parts.settings.search import show_providers, show_search, show_sources
from pages.parts.settings.services import facts_nodes
from pages.parts.settings.workbench import show_cap, show_leaving, show_theme
from pages.parts.ui import Ui, verbatim
from research.core import StoreError
from research.language import Bilingual, Phrase
from research.settings import KeptSettings, kept_settings
from research.store import Action, ActionTaken, latest_actions


def main() -> None:
    """Show the page."""
    reader = enter()
    st.title(reader._("Settings"), anchor=False)
    st.caption(
        reader._(
            "What changes here holds from the next run on; runs under way keep what they began with. Environment "
            "variables go first."
        )
    )
    kept = _kept(reader)
    with st.container(border=True, key="chat_models"):
        show_chat_models(kept, reader)
    with st.container(border=True, key="web_search"):
        show_search(kept, reader)
    with st.container(border=True, key="sources"):
        show_sources(kept, reader)
    with st.container(border=True, key="leaving"):
        show_leaving(kept, reader)
    with st.expander(
        reader._("Advanced: model for each role, comparison by meaning"), icon=":material/tune:", key="advanced"
    ):
        st.header(reader._("Model for each role"), anchor=False)
        show_models(kept, reader)
        with st.container(key="embeddings"):
            show_embeddings(kept, reader)
    with st.container(border=True, key="providers"):
        st.header(reader._("Where pages come from"), anchor=False)
        show_providers(reader)
    with st.container(border=True, key="workbench"):
        st.header(reader._("This workbench"), anchor=False)
        if is_administrator():
            with st.grid(2, min_column_width=260, gap=("small", "medium")).cell():
                show_cap(kept, reader)
        show_theme(ADDRESSES, reader)
        show_nodes(_workbench(reader), key="workbench_facts", language=reader.language)
    if engine().store.account and is_administrator():
        with st.expander(reader._("Who did what"), icon=":material/receipt_long:", key="actions"):
            _actions(reader)


_ACTIONS: Mapping[Action, tuple[str, Bilingual]] = {
    Action.LOGGED_IN: ("login", Phrase("Came to the workbench")),
    Action.STARTED: ("play_arrow", Phrase("Started a run")),
    Action.STOPPED: ("stop", Phrase("Stopped a run")),
    Action.ASKED: ("question_answer", Phrase("Asked about a report")),
    Action.SHARED: ("group", Phrase("Shared a run with all")),
    Action.UNSHARED: ("group_off", Phrase("Took a shared run back")),
    Action.EXPORTED: ("download", Phrase("Took a run or its report along as a file")),
    Action.DELETED: ("delete", Phrase("Deleted a run")),
    Action.IMPORTED: ("upload", Phrase("Took a run in from a file")),
    Action.SCHEDULED: ("event_repeat", Phrase("Made a schedule")),
    Action.UNSCHEDULED: ("event_busy", Phrase("Deleted a schedule")),
    Action.DOCUMENTS_ADDED: ("note_add", Phrase("Added documents of their own")),
    Action.DOCUMENT_REMOVED: ("scan_delete", Phrase("Removed a document of their own")),
    Action.SETTINGS: ("settings", Phrase("Changed settings")),
    Action.ACCESS_GIVEN: ("key", Phrase("Got a token for a program, by the command line")),
    Action.ACCESS_TAKEN: ("key_off", Phrase("Lost a program's token, by the command line")),
}


def _actions(reader: Ui) -> None:
    """Show an administrator what all accounts did last."""
    rows = [
        el(
            "li", "",
            icon(_ACTIONS[one.action][0]),
            el("strong", "", one.account),
            el("p", "", f"{reader.moment(one.at)} · ", *_act(one, reader)),
            key=str(place),
        )
        for place, one in enumerate(latest_actions(engine().store.database))
    ]  # fmt: skip
    show_nodes([group("ul", "setting-rows plain", rows)], key="actions_taken", language=reader.language)


def _act(one: ActionTaken, reader: Ui) -> list[Element | str]:
    act = reader.of_term(_ACTIONS[one.action][1])
    return [act, " · ", el("span", "nobr", one.run)] if one.run else [act]


def _kept(reader: Ui) -> KeptSettings:
    """Return what is kept; settings that cannot be read count as none, and the page says so."""
    home = settings_home()
    try:
        return kept_settings.load(home)
    except StoreError:
        message = reader._(
            "The kept settings cannot be read and are not used: {file}. What is entered now goes into a new file; "
            "this one is set aside."
        )
        st.warning(verbatim(message.format(file=kept_settings.path(home))), icon=":material/warning:")
        return KeptSettings()


def _workbench(reader: Ui) -> list[Element]:
    home = settings_home()
    return facts_nodes(
        [
            ("translate", reader._("Language"), reader._("At the side of every page. Each report has its own.")),
            (
                "folder",
                reader._("Your data"),
                reader._("All of it is in {folder}.").format(folder=engine().settings.home),
            ),
            (
                "key",
                reader._("Your keys"),
                reader._(
                    "They are kept in {file}, which only your account on this computer can read. They are sent to the "
                    "server they are for, and appear in no page, run or log."
                ).format(file=kept_settings.path(home)),
            ),
        ]
    )


main()
