"""Logging in to a connected server in the browser, while the page looks on."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.parts.engine import engine
from pages.parts.ui import Ui, verbatim
from research.core import ResearchError, SourceError, explain
from research.language import Language
from research.settings.mcp_servers import McpServer

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
