"""Where pages come from, on the settings page: what is available, why something is not, and what to do."""

from __future__ import annotations

from importlib.util import find_spec

import streamlit as st

from pages.parts import component, settings_nodes
from pages.parts import settings_checked as checked
from pages.parts.engine import engine, own_documents
from pages.parts.settings_nodes import Provider
from pages.parts.ui import Ui
from research import collections
from research.vocabulary import SourceName

_ADD_DOCUMENTS = "add-documents"


def show(reader: Ui) -> None:
    """Show them."""
    rows = [
        _web(reader),
        _documents(reader),
        *(_sample(name, reader) for name in (SourceName.FACTBOOK, SourceName.HOUSE)),
    ]
    nodes = settings_nodes.providers(rows, reader)
    component.show(nodes, key="provider_rows", language=reader.language, on_message=_heard)


def _web(reader: Ui) -> Provider:
    name = reader.of_term(SourceName.WEB.label)
    if find_spec("tavily") is None:
        return Provider(name, False, _package("tavily", reader))
    settings = engine().settings
    if not settings.has_web:
        return Provider(name, False, reader._("Enter a key for Tavily above."))
    last = checked.last((settings.tavily_base_url, settings.tavily_api_key))
    if last is not None and not last.check.works:
        return Provider(name, False, reader._("Set up, but it did not work when it was last checked: see above."))
    return Provider(name, True, reader._("Searched with Tavily."))


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
