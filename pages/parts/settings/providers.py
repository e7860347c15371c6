"""Providers and connected servers."""

from __future__ import annotations

from importlib.util import find_spec

import streamlit as st

from pages.parts.engine import engine, own_documents
from pages.parts.nodes import show_nodes
from pages.parts.settings.checks import Provider, providers_nodes
from pages.parts.settings.search import standing
from pages.parts.ui import Ui
from research.core import SourceName, UsageError
from research.settings import mcp_servers
from research.sources import is_available

_ADD_DOCUMENTS = "add-documents"


def show_providers(reader: Ui) -> None:
    """Show them."""
    rows = [
        web_providers(reader),
        _documents(reader),
        connected_servers(reader),
        *(_sample(name, reader) for name in (SourceName.FACTBOOK, SourceName.HOUSE)),
    ]
    nodes = providers_nodes(rows, reader)
    show_nodes(nodes, key="provider_rows", language=reader.language, on_message=_heard)


def web_providers(reader: Ui) -> Provider:
    """Return how it stands with the web."""
    is_there, words = standing(engine().settings, reader)
    return Provider(reader.of_term(SourceName.WEB.label), is_there, words)


def connected_servers(reader: Ui) -> Provider:
    """Return how it stands with connected servers of tools."""
    name, settings = reader.of_term(SourceName.MCP.label), engine().settings
    try:
        connected = mcp_servers.load(settings.home, reader.language)
    except UsageError as error:
        return Provider(name, False, str(error))
    if not connected:
        said = reader._("None is connected. Name them in {file}; the README shows how.")
        return Provider(name, False, said.format(file=mcp_servers.path(settings.home)))
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
    if not is_available(source):
        return Provider(name, False, _package("samples", reader))
    if source is SourceName.HOUSE:
        return Provider(name, True, reader._("The papers of a fictional company, to try the workbench on."))
    return Provider(name, True, reader._("Facts on every country, read without a network."))


def _package(extra: str, reader: Ui) -> str:
    return reader._("A package is missing: {command}").format(command=f"pip install 'research-workbench[{extra}]'")


def _heard(message: str) -> None:
    if message == _ADD_DOCUMENTS:
        st.switch_page("pages/new_research.py")
