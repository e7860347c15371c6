"""OpenAI's web search on the settings page: it has the access of the chat models, and a check of its own."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.settings import settings_checked as checked
from pages.parts.settings import settings_nodes, settings_service
from pages.parts.settings.settings_checked import Access
from pages.parts.settings.settings_search_model import model_of
from pages.parts.ui import Ui
from research.kept_values import shown_address
from research.search_checks import check_openai
from research.settings import Settings
from research.web_search import WebSearch

_NAME, _TITLE = "openai_search", "OpenAI"


def access(settings: Settings) -> Access:
    """Return what a check of it asks."""
    return (_NAME, settings.openai_base_url, settings.openai_api_key)


def show(reader: Ui) -> None:
    """Show how it is set up, what it answered, and the button that checks it."""
    about, entry = st.container(key=f"service_{_NAME}").columns(settings_service.ROW, gap="small")
    with about:
        purpose = reader._(
            "A model searches, with the key for chat models. A check costs one search, some cents at most."
        )
        settings = engine().settings
        sign, lines = _state(settings, reader)
        sign = "warning" if checked.failed(access(settings), model_of(settings, WebSearch.OPENAI)) else sign
        nodes = settings_nodes.service((sign, lines), purpose, _TITLE)
        component.show(nodes, key=f"{_NAME}_state", language=reader.language)
    with entry:
        label = reader._("Check {service}").format(service=_TITLE)
        if st.button(label, icon=":material/network_check:", key=f"{_NAME}_check_button"):
            settings_service.ask(access(settings), check_openai, reader)
            st.rerun()
        settings_service.answered(access(settings), model_of(settings, WebSearch.OPENAI), reader)


def _state(settings: Settings, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how it is set up now."""
    if not settings.has_models:
        return "radio_button_unchecked", [reader._("Not set up: chat models have no key yet.")]
    if settings.is_at_openai:
        return "check_circle", [reader._("The key for chat models is used.")]
    return "check_circle", [
        reader._("The server for chat models is asked: {address}.").format(
            address=shown_address(settings.openai_base_url or "")
        ),
        reader._("Few servers but OpenAI's own search the web: it is asked only if it is chosen above."),
    ]
