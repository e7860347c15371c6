"""Where pages come from, on the settings page: what is available, why something is not, and what to do."""

from __future__ import annotations

from importlib.util import find_spec

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine, own_documents
from pages.parts.settings import settings_nodes, settings_search
from pages.parts.settings.settings_nodes import Provider
from pages.parts.ui import Ui
from research import collections, mcp_servers
from research.errors import UsageError
from research.vocabulary import SourceName

_ADD_DOCUMENTS = "add-documents"


def show(reader: Ui) -> None:
    """Show them."""
    rows = [
        web(reader),
        _documents(reader),
        servers(reader),
        *(_sample(name, reader) for name in (SourceName.FACTBOOK, SourceName.HOUSE)),
    ]
    nodes = settings_nodes.providers(rows, reader)
    component.show(nodes, key="provider_rows", language=reader.language, on_message=_heard)


def web(reader: Ui) -> Provider:
    """Return how it stands with the web."""
    is_there, words = settings_search.standing(engine().settings, reader)
    return Provider(reader.of_term(SourceName.WEB.label), is_there, words)


def servers(reader: Ui) -> Provider:
    """Return how it stands with connected servers of tools."""
    name, settings = reader.of_term(SourceName.MCP.label), engine().settings
    try:
        connected = mcp_servers.load(settings.home, reader.language)
    except UsageError as error:
        return Provider(name, False, str(error))
    if not connected:
        said = reader._("None is connected. Name them in {file}; the README shows how.")
        return Provider(name, False, said.format(file=mcp_servers.place(settings.home)))
    if find_spec("mcp") is None:
        return Provider(name, False, _package("mcp", reader))
    if not settings.has_models and not any(server.search for server in connected):
        return Provider(name, False, reader._("Only chat models can use their tools: set up a key for models."))
    return Provider(name, True, reader.listed([server.name for server in connected]))


def _documents(reader: Ui) -> Provider:
    held = own_documents()
    readable = sum(not document.problem for document in held)
    name, action = reader.of_term(SourceName.LIBRARY.label), reader._("Add documents")
    if not readable:
        return Provider(name, False, reader._("There are none yet."), _ADD_DOCUMENTS, action)
    state = reader.n_("{count} document, on this computer.", "{count} documents, on this computer.", readable)
    return Provider(name, True, state, _ADD_DOCUMENTS, action)


def _sample(source: SourceName, reader: Ui) -> Provider:
    name = reader.of_term(source.label)
    if not collections.is_available(source):
        return Provider(name, False, _package("samples", reader))
    if source is SourceName.HOUSE:
        return Provider(name, True, reader._("The papers of a fictional company, to try the workbench on."))
    return Provider(name, True, reader._("Facts on every country, read without a network."))


def _package(extra: str, reader: Ui) -> str:
    return reader._("A package is missing: {command}").format(command=f"pip install 'research-workbench[{extra}]'")


def _heard(message: str) -> None:
    if message == _ADD_DOCUMENTS:
        st.switch_page("pages/new_research.py")
