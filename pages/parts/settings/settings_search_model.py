"""The model that searches the web, on the settings page: a field for the one of whoever is to search."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.parts.engine import engine
from pages.parts.settings import settings_checked as checked
from pages.parts.settings import settings_model_kept
from pages.parts.ui import Ui
from research.kept_settings import KeptSettings
from research.settings import Settings, variables_set
from research.sources.model_search import anthropic, openai
from research.web_search import WebSearch

_COMPLAINT, _VARIABLE = "search_model_complaint", "WEB_SEARCH_MODEL"
_USUAL: Mapping[WebSearch, str] = {WebSearch.OPENAI: openai.MODEL, WebSearch.ANTHROPIC: anthropic.MODEL}
"""The models that search where none was chosen, of those who search with one."""


def model_of(settings: Settings, who: WebSearch) -> str:
    """Return the model with which `who` searches; an empty text for those who need none."""
    usual = _USUAL.get(who, "")
    return (settings.search_model(who) or usual) if usual else ""


def show(kept: KeptSettings, reader: Ui) -> None:
    """Show the field; where no model searches, it says so."""
    settings = engine().settings
    who, usual = settings.searcher, _USUAL.get(settings.searcher)
    is_named = _VARIABLE in variables_set()
    chosen = settings.search_model(who) if is_named else kept.search_models.get(who)
    key = f"search_model_{who.value}_{'fixed' if is_named else 'free'}"
    st.session_state.setdefault(key, chosen if usual else None)
    st.selectbox(
        reader._("Model that searches"),
        list(dict.fromkeys(filter(None, [chosen, usual, *_offered(settings, who)]))),
        index=None,
        key=key,
        placeholder=reader._("{model} (usual)").format(model=usual) if usual else reader._("None is needed"),
        accept_new_options=True,
        disabled=is_named or usual is None,
        help=reader._("OpenAI and Anthropic search with a model; each keeps its own. Tavily needs none."),
        on_change=settings_model_kept.keep,
        args=(who, key, _COMPLAINT, reader),
    )
    if is_named:
        st.caption(reader._("Set by the environment ({variable}).").format(variable=_VARIABLE))
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(complaint, icon=":material/edit:")


def _offered(settings: Settings, who: WebSearch) -> tuple[str, ...]:
    """Return the models that the server says it offers, once it was checked."""
    if who is not WebSearch.OPENAI:
        return ()
    last = checked.last(("openai", settings.openai_base_url, settings.openai_api_key))
    return last.check.models if last is not None else ()
