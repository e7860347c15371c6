"""Keep the model that was chosen in a field of the settings page."""

from __future__ import annotations

import logging

import streamlit as st

from pages.parts.engine import engine
from pages.parts.settings import settings_nodes
from pages.parts.ui import Ui
from research import kept_settings
from research.errors import StoreError, UsageError
from research.kept_settings import KeptSettings
from research.kept_values import clean_model
from research.presets import Role
from research.web_search import WebSearch

_log = logging.getLogger("workbench")


def keep(who: Role | WebSearch, key: str, complaint: str, reader: Ui) -> None:
    """Keep the model in the field `key` for a role or a search; an empty field leaves it to the usual one.

    If that cannot be, the session holds the reason under `complaint`, and the field shows what is kept.
    """
    home = engine().settings.home
    try:
        model = clean_model(st.session_state.get(key) or "", reader.language)
        kept_settings.change(home, lambda before: _with_model(before, who, model))
    except UsageError as error:
        st.session_state[complaint] = str(error)
        st.session_state.pop(key)
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        st.session_state[complaint] = settings_nodes.not_kept(home, reader)
        st.session_state.pop(key)


def _with_model(before: KeptSettings, who: Role | WebSearch, model: str) -> KeptSettings:
    field = "models" if isinstance(who, Role) else "search_models"
    others = {known: name for known, name in getattr(before, field).items() if known is not who}
    return before.model_copy(update={field: others | ({who: model} if model else {})})
