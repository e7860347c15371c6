"""Web search on the settings page: who searches, why, and the access of those who need one for it alone."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.util import find_spec

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.relabelled import say_anew
from pages.parts.settings import settings_checked as checked
from pages.parts.settings import settings_nodes, settings_search_model, settings_search_openai, settings_service
from pages.parts.settings.settings_service import Service
from pages.parts.start.form_fields import explained, named
from pages.parts.ui import Ui
from research import kept_settings
from research.checks import Outcome
from research.errors import StoreError
from research.kept_settings import KeptSettings
from research.language import Bilingual
from research.search_checks import check_anthropic, check_tavily
from research.settings import Settings, variables_set
from research.sources.model_search.anthropic import ADDRESS as ANTHROPIC_ADDRESS
from research.sources.web import EXTRAS, PACKAGES
from research.web_search import WebSearch

_log = logging.getLogger("workbench")
_COMPLAINT, _VARIABLE = "search_complaint", "WEB_SEARCH"
_LABELS: Mapping[WebSearch, Bilingual] = {
    WebSearch.TAVILY: Bilingual("Tavily", "Tavily"),
    WebSearch.OPENAI: Bilingual("A model of OpenAI", "OpenAI のモデル"),
    WebSearch.ANTHROPIC: Bilingual("A model of Anthropic", "Anthropic のモデル"),
    WebSearch.NONE: Bilingual("Nobody", "検索しない"),
}
_HINTS: Mapping[WebSearch, Bilingual] = {
    WebSearch.TAVILY: Bilingual(
        "a search service with a key of its own; it brings the text of the pages along.",
        "専用のキーを使う検索サービス。ページの本文も受け取ります。",
    ),
    WebSearch.OPENAI: Bilingual(
        "searches with the key for chat models; it names pages, and this computer reads them.",
        "チャットモデルのキーで検索。モデルがページを挙げ、このコンピューターが読み取ります。",
    ),
    WebSearch.ANTHROPIC: Bilingual(
        "searches with a key for Anthropic; it names pages, and this computer reads them.",
        "Anthropic のキーで検索。モデルがページを挙げ、このコンピューターが読み取ります。",
    ),
    WebSearch.NONE: Bilingual("the web is switched off.", "ウェブを検索しません。"),
}


def show(kept: KeptSettings, reader: Ui) -> None:
    """Show who searches, and the access of the services."""
    st.subheader(reader._("Web search"), anchor=False)
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(complaint, icon=":material/error:")
    st.caption(reader._("One of them searches; the pages that it finds are read on this computer."))
    grid = st.grid(2, min_column_width=260, gap=("small", "medium"))
    with grid.cell():
        _choice(kept, reader)
    with grid.cell():
        settings_search_model.show(kept, reader)
    is_there, words = standing(engine().settings, reader)
    sign = "check_circle" if is_there else "radio_button_unchecked"
    component.show(settings_nodes.state(sign, [words]), key="search_state", language=reader.language)
    settings_service.show(_tavily(reader), kept, reader, boxed=False)
    settings_service.show(_anthropic(reader), kept, reader, boxed=False)
    settings_search_openai.show(reader)


def _choice(kept: KeptSettings, reader: Ui) -> None:
    fixed = _VARIABLE in variables_set()
    chosen = engine().settings.web_search if fixed else kept.web_search
    key = f"web_search_{'fixed' if fixed else 'free'}"
    st.session_state.setdefault(key, chosen.value if chosen else "")
    labels = {who.value: reader.of_term(label) for who, label in _LABELS.items()}
    words = named(labels, reader._("Whoever is set up: Tavily, Anthropic, OpenAI"))
    say_anew(key, words(st.session_state[key]))
    st.selectbox(
        reader._("Who searches"),
        ["", *labels],
        format_func=words,
        key=key,
        disabled=fixed,
        help=explained(
            reader._("Left open, it is the first that is set up."),
            [(label, _HINTS[who]) for who, label in _LABELS.items()],
            reader,
        ),
        on_change=_keep,
        args=(key, reader),
    )
    if fixed:
        st.caption(reader._("Set by the environment ({variable}).").format(variable=_VARIABLE))


def _keep(key: str, reader: Ui) -> None:
    chosen = WebSearch(st.session_state[key]) if st.session_state[key] else None
    home = engine().settings.home
    try:
        kept_settings.change(home, lambda before: before.model_copy(update={"web_search": chosen}))
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        st.session_state[_COMPLAINT] = settings_nodes.not_kept(home, reader)
        st.session_state.pop(key)


def standing(settings: Settings, reader: Ui) -> tuple[bool, str]:
    """Return whether the web can be searched, and in a sentence who searches and why, or what to do."""
    who = settings.searcher
    is_named = _VARIABLE in variables_set()
    if who is WebSearch.NONE:
        return False, _nobody(settings, is_named, reader)
    if find_spec(PACKAGES[who]) is None:
        command = f"pip install 'research-workbench[{EXTRAS[who]}]'"
        return False, reader._("A package is missing: {command}").format(command=command)
    name = reader.of_term(_LABELS[who]) + _model(settings, who)
    if not settings.has_web:
        said = reader._("{who} is to search, but there is no key for it. Enter one, or let another search.")
        return False, said.format(who=name)
    if _did_not_work(settings, who):
        return False, reader._("{who} is to search, but did not work when it was last checked.").format(who=name)
    if settings.web_search is None:
        said = reader._("{who} searches, as the first that is set up.")
    elif is_named:
        said = reader._("{who} searches, as the environment says (WEB_SEARCH).")
    else:
        said = reader._("{who} searches, as was chosen in Settings.")
    return True, said.format(who=name)


def _nobody(settings: Settings, is_named: bool, reader: Ui) -> str:
    if settings.web_search is None:
        return reader._("Nobody is set up to search the web: enter a key.")
    if is_named:
        return reader._("Switched off by the environment (WEB_SEARCH).")
    return reader._("Switched off in Settings.")


def _model(settings: Settings, who: WebSearch) -> str:
    """Return the model that searches, in brackets, where one does."""
    model = settings_search_model.model_of(settings, who)
    return f" ({model})" if model else ""


def _did_not_work(settings: Settings, who: WebSearch) -> bool:
    """Whether `who` failed when it was last asked to search, or OpenAI's server of chat models when it was asked."""
    model = settings_search_model.model_of(settings, who)
    if who is not WebSearch.OPENAI:
        access = (who.value, getattr(settings, f"{who}_base_url"), getattr(settings, f"{who}_api_key"))
        return checked.failed(access, model)
    if (last := checked.last(settings_search_openai.access(settings), model)) is not None:
        return not last.check.works
    chat = checked.last(("openai", settings.openai_base_url, settings.openai_api_key))
    return chat is not None and chat.check.outcome not in {Outcome.WORKS, Outcome.NO_MODEL}


def _tavily(reader: Ui) -> Service:
    return Service(
        "tavily",
        "Tavily",
        "Tavily",
        reader._("Key for Tavily"),
        reader._("Address for Tavily"),
        reader._("A search service. A check costs one search of your plan."),
        "https://api.tavily.com",
        "",
        check_tavily,
    )


def _anthropic(reader: Ui) -> Service:
    return Service(
        "anthropic",
        "Anthropic",
        "Anthropic",
        reader._("Key for Anthropic"),
        reader._("Address for Anthropic"),
        reader._("A model searches; the key is used for nothing else. A check costs one search, some cents at most."),
        ANTHROPIC_ADDRESS,
        settings_search_model.model_of(engine().settings, WebSearch.ANTHROPIC),
        check_anthropic,
    )
