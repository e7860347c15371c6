"""What holds for the whole workbench: light or dark, and what may leave this computer."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import streamlit as st

from pages.parts.accounts import is_administrator
from pages.parts.engine import engine
from pages.parts.settings.services import Held, keep_settings, show_complaint
from pages.parts.ui import Ui, verbatim
from research.core import ResearchError, SourceError, UsageError, explain
from research.language import Language
from research.settings import CAP_VARIABLE, AgreedTool, KeptSettings, McpServer, mcp_servers

_ASSETS = Path(__file__).parents[1] / "assets"
_THEMES = ("System", "Light", "Dark")
_HTML = "<fieldset><legend></legend>{choices}</fieldset>".format(
    choices="".join(
        f'<label><input type="radio" name="theme" value="{theme}"><span></span></label>' for theme in _THEMES
    )
)

_mount = st.components.v2.component(
    "workbench_theme",
    html=_HTML,
    css=(_ASSETS / "settings_theme.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "settings_theme.js").read_text(encoding="utf-8"),
)


def show_theme(paths: list[str], reader: Ui) -> None:
    """Show the choice; it holds on the pages at `paths`, from the root of the workbench on, which load with it."""
    themes = (reader._("As the system has it"), reader._("Light"), reader._("Dark"))
    names = dict(zip(_THEMES, themes, strict=True))
    data = {"name": reader._("Light or dark"), "themes": names, "paths": paths, "lang": reader.language.value}
    _mount(key="theme", data=data)


_log = logging.getLogger("workbench")
_COMPLAINT, _CAP_COMPLAINT = "leaving_complaint", "cap_complaint"
_CHANGING, _READING = "leaving_changing", "leaving_reading"


def show_leaving(kept: KeptSettings, reader: Ui) -> None:
    """Show what is agreed to, and let the reader agree or take it back."""
    st.header(reader._("What may leave this computer"), anchor=False)
    show_complaint(_COMPLAINT)
    own = engine().settings
    _switch("shares_own_words", own.shares_own_words, reader._("Queries may hold words of my own documents"), reader)
    st.caption(
        reader._(
            "Off: once a run has read a document of yours, or an answer of a connected server, its queries to the web "
            "and to servers hold only words of your brief, of the plan made before, and of pages of the open web; all "
            "other words are taken out. Chat models are told what they are to summarise and write about, whatever is "
            "set here."
        )
    )
    _switch(
        "embeds_own_documents",
        own.embeds_own_documents,
        reader._("Passages of my own documents may go to the server of embeddings"),
        reader,
    )
    st.caption(
        reader._(
            "Off: in a run that reads documents of yours, or answers of a connected server, the built-in model "
            "compares by meaning, on this computer. On: the server of embeddings is sent their passages as well. A "
            "server on this computer itself is asked in either case."
        )
    )
    if not is_administrator():
        return
    tracing = Held("leaving_is_traced", "RESEARCH_TRACING", _COMPLAINT)
    is_traced = engine().settings.is_traced if tracing.is_fixed else kept.is_traced
    _switch("is_traced", is_traced, reader._("Send traces of runs to LangSmith"), reader, tracing)
    st.caption(
        reader._(
            "On: LangSmith receives everything: brief and queries, all pages and documents that a run reads, your own "
            "included, and all that models are told and answer. Its variables (LANGSMITH_ENDPOINT, LANGSMITH_API_KEY) "
            "say where to. Off: nothing is sent, whatever those variables say."
        )
    )
    _show_tools(reader)


def show_cap(kept: KeptSettings, reader: Ui) -> None:
    """Show what no run of anybody may cost more than, and let an administrator say it."""
    held = Held("cap_for_all", CAP_VARIABLE, _CAP_COMPLAINT)
    show_complaint(_CAP_COMPLAINT)
    held.begin_with(engine().settings.max_cost_usd if held.is_fixed else kept.max_cost_usd)
    st.number_input(
        reader._("Most that any run may cost, in US dollars"),
        min_value=0.01,
        value=None,
        step=0.5,
        format="%.2f",
        key=held.key,
        placeholder=reader._("No cap"),
        disabled=held.is_fixed,
        help=reader._(
            "It holds for every run of everybody, whatever its brief says. Left empty, only briefs set caps."
        ),
        on_change=lambda: held.keep({"max_cost_usd": st.session_state[held.key]}, reader),
    )
    held.say_if_fixed(reader)


def _switch(field: str, value: bool, label: str, reader: Ui, held: Held | None = None) -> None:
    held = held or Held(f"leaving_{field}", None, _COMPLAINT, is_own=True)
    held.begin_with(value)

    def keep() -> None:
        held.keep({field: bool(st.session_state[held.key])}, reader)

    st.toggle(verbatim(label), key=held.key, disabled=held.is_fixed, on_change=keep)
    held.say_if_fixed(reader)


def _show_tools(reader: Ui) -> None:
    try:
        servers = mcp_servers(engine().settings.servers_home)
    except UsageError:
        return  # The list of sources says what is wrong with the file.
    if not servers or find_spec("mcp") is None:
        return
    st.text(reader._("Tools of connected servers"))
    st.caption(
        reader._(
            "Tools that say of themselves that they only read may be used without a yes, as far as mcp.json lists "
            "them. All others may change something on the server: each is used only if it is switched on here."
        )
    )
    for server in servers:
        _show_server(server, reader)


def _show_server(server: McpServer, reader: Ui) -> None:
    agreed = {
        one.tool for one in engine().settings.agreed_tools if (one.server, one.url) == (server.name, server.place)
    }
    told = st.session_state.get(f"{_CHANGING}_{server.name}")
    with st.container(key=f"tools_{server.name}"):
        show_login(server, reader)
        if st.button(
            reader._("List the tools of {server}").format(server=verbatim(server.name)),
            icon=":material/network_check:",
            key=f"list_tools_{server.name}",
        ):
            _ask(server, reader)
            told = st.session_state.get(f"{_CHANGING}_{server.name}")
        for tool in sorted({*agreed, *(told or ())}):
            _tool_switch(server, tool, tool in agreed, reader)
        if told is not None:
            reading = st.session_state[f"{_READING}_{server.name}"]
            st.caption(
                reader._("Only reading: {tools}").format(tools=verbatim(reader.listed(reading)) if reading else "–")
            )


def _ask(server: McpServer, reader: Ui) -> None:
    from research.sources.mcp import Connection, is_named, only_reads
    from research.sources.mcp_login import logged_in

    try:
        with st.spinner(reader._("Asking the server")):
            asked = Connection(server, auth=logged_in(server, engine().settings.home))
            tools = [tool for tool in asyncio.run(asked.tools()) if is_named(tool)]
    except SourceError as error:
        _log.warning("The tools of %s could not be listed: %s", server.name, error.code)
        st.error(verbatim(explain(error.code, reader.language)), icon=":material/error:")
        return
    st.session_state[f"{_CHANGING}_{server.name}"] = [tool.name for tool in tools if not only_reads(tool)]
    st.session_state[f"{_READING}_{server.name}"] = [tool.name for tool in tools if only_reads(tool)]


def _tool_switch(server: McpServer, tool: str, is_agreed: bool, reader: Ui) -> None:
    key = f"agreed_{server.name}/{tool}"
    st.session_state.setdefault(key, is_agreed)
    one = AgreedTool(server=server.name, tool=tool, url=server.place)

    def changed(before: KeptSettings) -> KeptSettings:
        others = [kept for kept in before.agreed_tools if kept != one]
        return before.model_copy(update={"agreed_tools": (*others, *([one] if st.session_state[key] else []))})

    def keep() -> None:
        keep_settings(changed, key, _COMPLAINT, reader)

    st.toggle(
        reader._("{tool} may be used, and may change something").format(tool=verbatim(tool)), key=key, on_change=keep
    )


# --- logging in to a connected server in the browser, while the page looks on ------------------------------------

_GOING = "mcp_login"
_EVERY = 1.0
"""Seconds between two looks at whether somebody has logged in."""


@dataclass
class _Login:
    """A login under way, carried out on a thread of its own."""

    address: str = ""
    """Where the reader logs in; empty until the server has told."""
    has_ended: bool = False
    problem: str = ""
    """Why it did not succeed, once it has ended."""

    def begin(self, server: McpServer, home: Path, language: Language) -> None:
        """Begin it; whoever looks later finds how it went."""
        threading.Thread(target=self._go, args=(server, home, language), name="login", daemon=True).start()

    def _go(self, server: McpServer, home: Path, language: Language) -> None:
        from research.sources.mcp_login import log_in

        def show(address: str) -> None:
            self.address = address

        try:
            asyncio.run(log_in(server, home, show, language))
        except SourceError as error:
            self.problem = explain(error.code, language)
        except (ResearchError, OSError) as error:
            self.problem = str(error)
        finally:
            self.has_ended = True


def show_login(server: McpServer, reader: Ui) -> None:
    """Show whether somebody is logged in to a server at an address, and let the reader log in or out."""
    from research.sources.mcp_login import log_out, logged_in

    if not server.url:
        return
    home, key = engine().settings.home, f"{_GOING}_{server.name}"
    going: _Login | None = st.session_state.get(key)
    if going is not None and not going.has_ended:
        _wait(server, going, reader)
        return
    if going is not None and going.problem:
        st.error(verbatim(going.problem), icon=":material/error:")
    if logged_in(server, home) is not None:
        st.caption(reader._("Logged in to {server}.").format(server=verbatim(server.name)))
        if st.button(
            reader._("Log out of {server}").format(server=verbatim(server.name)), key=f"log_out_{server.name}"
        ):
            log_out(server, home)
            st.rerun()
    elif st.button(
        reader._("Log in to {server}").format(server=verbatim(server.name)),
        icon=":material/login:",
        key=f"log_in_{server.name}",
    ):
        begun = st.session_state[key] = _Login()
        begun.begin(server, home, reader.language)
        st.rerun()


@st.fragment(run_every=_EVERY)
def _wait(server: McpServer, going: _Login, reader: Ui) -> None:
    """Show where to log in until somebody has, or the time for it is over."""
    if going.has_ended:
        st.rerun()
    if going.address:
        st.link_button(
            reader._("Open the login of {server}").format(server=verbatim(server.name)),
            going.address,
            icon=":material/open_in_new:",
        )
    st.caption(reader._("Log in in a browser on the computer on which the workbench runs: you are sent back to it."))
