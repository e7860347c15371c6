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
from research.settings import Settings
from research.vocabulary import SourceName
from research.web_search import WebSearch

_ADD_DOCUMENTS = "add-documents"


def show(reader: Ui) -> None:
    """Show them."""
    rows = [
        web(reader),
        _documents(reader),
        *(_sample(name, reader) for name in (SourceName.FACTBOOK, SourceName.HOUSE)),
    ]
    nodes = settings_nodes.providers(rows, reader)
    component.show(nodes, key="provider_rows", language=reader.language, on_message=_heard)


def web(reader: Ui) -> Provider:
    """Return how it stands with the web."""
    name = reader.of_term(SourceName.WEB.label)
    settings = engine().settings
    if settings.searcher is WebSearch.TAVILY and find_spec("tavily") is None:
        return Provider(name, False, _package("tavily", reader))
    if not settings.has_web:
        return Provider(name, False, _no_web(settings, reader))
    if settings.searcher is WebSearch.OPENAI:
        return Provider(name, True, reader._("Searched by a model of OpenAI; a key for Tavily above goes before it."))
    if settings.searcher is WebSearch.ANTHROPIC:
        return Provider(name, True, reader._("Searched by a model of Anthropic, as the environment says."))
    last = checked.last((settings.tavily_base_url, settings.tavily_api_key))
    if last is not None and not last.check.works:
        return Provider(name, False, reader._("Set up, but it did not work when it was last checked: see above."))
    return Provider(name, True, reader._("Searched with Tavily."))


def _no_web(settings: Settings, reader: Ui) -> str:
    if settings.web_search is WebSearch.NONE:
        return reader._("Switched off by the environment (WEB_SEARCH).")
    if settings.web_search is None or settings.web_search is WebSearch.TAVILY:
        return reader._("Enter a key for Tavily above.")
    return reader._("The environment says who searches (WEB_SEARCH), but there is no key for it.")


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
