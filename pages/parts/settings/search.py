"""Where pages come from: who searches the web and with what, further sources, and how it stands with each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec

import streamlit as st

from pages.parts.engine import engine, own_documents, own_library
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.settings.models import for_whom
from pages.parts.settings.services import (
    Entry,
    Held,
    Provider,
    access_of,
    access_state,
    failed_check,
    last_check,
    model_field,
    providers_nodes,
    show_complaint,
    show_entry,
    state_nodes,
)
from pages.parts.start.form import explained, named
from pages.parts.ui import Ui, go_to
from research.core import MODEL_SERVERS, Brief, Offer, SourceName, UsageError
from research.language import Bilingual, Phrase
from research.settings import (
    CREDIT_VARIABLE,
    TAVILY,
    TAVILY_USD,
    KeptSettings,
    Settings,
    WebSearch,
    mcp_servers,
    servers_file,
    shown_address,
    variables_set,
)
from research.sources import NOT_SET_UP, SEARCHERS, Making, Provider as Source, is_available, provider, providers
from research.sources.checks import CheckOutcome, check_search, check_source
from research.sources.choosing import web_searcher

_MODEL_COMPLAINT, _MODEL_VARIABLE = "search_model_complaint", "WEB_SEARCH_MODEL"
_USUAL: Mapping[WebSearch, str] = {who: searcher.model for who, searcher in SEARCHERS.items() if searcher.model}
"""The models that search where none was chosen, of those who search with one."""


def search_model_of(settings: Settings, who: WebSearch) -> str:
    """Return the model with which `who` searches; an empty text for those who need none."""
    usual = _USUAL.get(who, "")
    return (settings.search_model(who) or usual) if usual else ""


def show_search_model(kept: KeptSettings, reader: Ui) -> None:
    """Show the field, where a model searches."""
    settings = engine().settings
    who, usual = settings.searcher, _USUAL.get(settings.searcher)
    if usual is None:
        return
    held = Held(f"search_model_{who.value}", _MODEL_VARIABLE, _MODEL_COMPLAINT)
    model_field(
        held,
        reader._("Model that searches"),
        settings.search_model(who) if held.is_fixed else kept.search_models.get(who),
        [usual, *_offered(settings, who)],
        reader,
        usual=reader._("{model} (usual)").format(model=usual),
        help_=reader._("OpenAI and Anthropic search with a model; each keeps its own."),
        with_model=partial(for_whom, who),
    )
    held.say_if_fixed(reader)
    show_complaint(_MODEL_COMPLAINT)


def _offered(settings: Settings, who: WebSearch) -> tuple[str, ...]:
    """Return the models that the server says it offers, once it was checked."""
    if who is not WebSearch.OPENAI:
        return ()
    last = last_check(access_of(MODEL_SERVERS[who], settings))
    return last.check.models if last is not None else ()


_WITH_MODELS = (WebSearch.OPENAI, WebSearch.ANTHROPIC)
"""Who searches with models, asked with what is set for chat models."""


def search_by_model(who: WebSearch, reader: Ui) -> Entry:
    """Return the search by a model, which has no fields of its own: it is asked with what is set for chat models."""
    server = MODEL_SERVERS[who]
    purpose = reader._("A model searches, with the key for chat models. A check costs one search, some cents at most.")
    offer = Offer(name=f"{who}_search", label=server.label)
    return Entry(offer, purpose, partial(check_search, who=who), search_model_of(engine().settings, who), by=server)


def _state(who: WebSearch, settings: Settings, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how it is set up now."""
    if not settings.has(who):
        return "radio_button_unchecked", [reader._("Not set up: it has no key among the chat models yet.")]
    if who is not WebSearch.OPENAI or settings.is_at_openai:
        return "check_circle", [reader._("The key for chat models is used.")]
    return "check_circle", [
        reader._("The server for chat models is asked: {address}.").format(
            address=shown_address(settings.access(who)[0])
        ),
        reader._("Few servers but OpenAI's own search the web: it is asked only if it is chosen above."),
    ]


_SEARCH_COMPLAINT, _SEARCH_VARIABLE = "search_complaint", "WEB_SEARCH"
_LABELS: Mapping[WebSearch, Bilingual] = {
    WebSearch.TAVILY: Phrase("Tavily"),
    WebSearch.OPENAI: Phrase("A model of OpenAI"),
    WebSearch.ANTHROPIC: Phrase("A model of Anthropic"),
    WebSearch.DDGS: Phrase("Public search engines"),
    WebSearch.SEARXNG: Bilingual("SearXNG", "SearXNG"),
    WebSearch.WIKIPEDIA: Phrase("Wikipedia"),
    WebSearch.NONE: Phrase("Nobody"),
}
_HINTS: Mapping[WebSearch, Bilingual] = {
    WebSearch.TAVILY: Phrase("a search service with a key of its own; it brings the text of the pages along."),
    WebSearch.OPENAI: Phrase("searches with the key for chat models; it names pages, and this computer reads them."),
    WebSearch.ANTHROPIC: Phrase("searches with a key for Anthropic; it names pages, and this computer reads them."),
    WebSearch.DDGS: Phrase("DuckDuckGo and others, without a key; they name pages, and this computer reads them."),
    WebSearch.SEARXNG: Phrase("a search server of your own; it names pages, and this computer reads them."),
    WebSearch.WIKIPEDIA: Phrase("articles of the encyclopedia alone, without a key."),
    WebSearch.NONE: Phrase("the web is switched off."),
}


def show_search(kept: KeptSettings, reader: Ui) -> None:
    """Show who searches, and the access of the services."""
    st.header(reader._("Web search"), anchor=False)
    show_complaint(_SEARCH_COMPLAINT)
    st.caption(reader._("One of them searches; the pages that it finds are read on this computer."))
    grid = st.grid(2, min_column_width=260, gap=("small", "medium"))
    with grid.cell():
        _choice(kept, reader)
    with grid.cell():
        show_search_model(kept, reader)
    is_there, words = standing(engine().settings, reader)
    sign = "check_circle" if is_there else "radio_button_unchecked"
    show_nodes(state_nodes(sign, [words]), key="search_state", language=reader.language)
    purpose = reader._("A search service. A check costs one search of your plan.")
    tavily = Entry(TAVILY, purpose, partial(check_search, who=WebSearch.TAVILY))
    show_entry(tavily, access_state(tavily, kept, reader), kept, reader)
    with st.grid(2, min_column_width=260, gap=("small", "medium")).cell():
        _credit(kept, reader)
    for who in _WITH_MODELS:
        show_entry(search_by_model(who, reader), _state(who, engine().settings, reader), kept, reader)


def _choice(kept: KeptSettings, reader: Ui) -> None:
    held = Held("web_search", _SEARCH_VARIABLE, _SEARCH_COMPLAINT)
    chosen = engine().settings.web_search if held.is_fixed else kept.web_search
    held.begin_with(chosen.value if chosen else "")
    labels = {who.value: reader.of_term(label) for who, label in _LABELS.items()}
    words = named(labels, reader._("Whoever is set up: Tavily, Anthropic, OpenAI"))
    say_anew(held.key, words(st.session_state[held.key]))

    def keep() -> None:
        value = st.session_state[held.key]
        held.keep({"web_search": WebSearch(value) if value else None}, reader)

    st.selectbox(
        reader._("Who searches"),
        ["", *labels],
        format_func=words,
        key=held.key,
        disabled=held.is_fixed,
        help=explained(
            reader._("Left open, it is the first that is set up."),
            [(label, _HINTS[who]) for who, label in _LABELS.items()],
            reader,
        ),
        on_change=keep,
    )
    held.say_if_fixed(reader)


def _credit(kept: KeptSettings, reader: Ui) -> None:
    """Show what a credit of Tavily costs, which searches are counted at in caps, estimates and what a run cost."""
    held = Held("tavily_credit", CREDIT_VARIABLE, _SEARCH_COMPLAINT)
    held.begin_with(engine().settings.tavily_usd_per_credit if held.is_fixed else kept.tavily_usd_per_credit)
    st.number_input(
        reader._("Price of a credit of Tavily, in US dollars"),
        min_value=0.0,
        value=None,
        step=0.001,
        format="%.4f",
        key=held.key,
        placeholder=reader._("{price} (list price)").format(price=TAVILY_USD),
        disabled=held.is_fixed,
        help=reader._(
            "Searches are counted at it, in caps, estimates and what a run cost. A search of the presets Speed and Low "
            "cost takes one credit, any other two. Enter 0 for a free plan; left empty, it is the list price."
        ),
        on_change=lambda: held.keep({"tavily_usd_per_credit": st.session_state[held.key]}, reader),
    )
    held.say_if_fixed(reader)


def standing(settings: Settings, reader: Ui) -> tuple[bool, str]:
    """Return whether the web can be searched, and in a sentence who searches and why, or what to do."""
    who = settings.searcher
    is_named = _SEARCH_VARIABLE in variables_set()
    if who is WebSearch.NONE:
        return False, _nobody(settings, is_named, reader)
    if find_spec(SEARCHERS[who].module) is None:
        command = f"pip install 'research-workbench[{SEARCHERS[who].extra}]'"
        return False, reader._("A package is missing: {command}").format(command=command)
    name = reader.of_term(_LABELS[who]) + _model(settings, who)
    if not settings.has_web:
        said = reader._("{who} is to search, but there is no key for it. Enter one, or let another search.")
        return False, said.format(who=name)
    if _did_not_work(settings, who, reader):
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
        return reader._(
            "None is set up: where the web is chosen for a run, public search engines are asked, or Wikipedia."
        )
    if is_named:
        return reader._("Switched off by the environment (WEB_SEARCH).")
    return reader._("Switched off in Settings.")


def _model(settings: Settings, who: WebSearch) -> str:
    """Return the model that searches, in brackets, where one does."""
    model = search_model_of(settings, who)
    return f" ({model})" if model else ""


def _did_not_work(settings: Settings, who: WebSearch, reader: Ui) -> bool:
    """Whether `who` failed when it was last asked to search, or OpenAI's server of chat models when it was asked."""
    if who is WebSearch.TAVILY:
        return failed_check(access_of(TAVILY, settings))
    if who not in _WITH_MODELS:
        return False
    search = search_by_model(who, reader)
    if (last := last_check(search.access, search.subject)) is not None:
        return not last.check.works
    chat = last_check(access_of(MODEL_SERVERS[who], settings)) if who is WebSearch.OPENAI else None
    return chat is not None and chat.check.outcome not in {CheckOutcome.WORKS, CheckOutcome.NO_MODEL}


# --- sources, one by one --------------------------------------------------------------------------------------------

_CHOSEN = "source_chosen"
_SHOWN_ELSEWHERE = {SourceName.LIBRARY, SourceName.FACTBOOK, SourceName.HOUSE, SourceName.MCP}
"""Those that have parts of their own, on this page or another; the web's have a field here as well."""


def further_sources() -> list[Source]:
    """Return the sources that have no part of their own on this page."""
    return [one for one in providers() if one.name not in _SHOWN_ELSEWHERE | {SourceName.WEB}]


def standing_of(one: Source, reader: Ui) -> Provider:
    """Return how it stands with a source: what it holds, or what it lacks."""
    lack = one.lacks(_making(reader))
    if lack is not None and lack.remark == NOT_SET_UP and one.fields:
        said = reader._("Not set up: do so under “Sources one by one”.")
    else:
        told = one.hint if lack is None else lack.remedy
        said = reader.of_term(told) if told is not None else ""
    return Provider(reader.of_term(one.label), lack is None, said)


def _making(reader: Ui) -> Making:
    settings = engine().settings
    brief = Brief(question="…", language=reader.language)
    return Making(brief, settings, folder=own_library(), uses_models=settings.has_models)


def show_sources(kept: KeptSettings, reader: Ui) -> None:
    """Show the source that the reader chooses: what can be entered for it, and the button to check it."""
    st.header(reader._("Sources one by one"), anchor=False)
    st.caption(
        reader._(
            "Each can be chosen for a run under “Sources”. Most need nothing; what is set up of your own here is "
            "searched by itself where no source is chosen."
        )
    )
    offered = [str(one.name) for one in providers() if one.name not in _SHOWN_ELSEWHERE]
    labels = {name: reader.of_term(provider(name).label) for name in offered}
    chosen = st.session_state.setdefault(_CHOSEN, offered[0])
    say_anew(_CHOSEN, labels.get(chosen, ""))
    name = st.selectbox(reader._("Source"), offered, format_func=labels.__getitem__, key=_CHOSEN)
    _source(provider(name), kept, reader)


def _source(one: Source, kept: KeptSettings, reader: Ui) -> None:
    row = standing_of(one, reader)
    hint = reader.of_term(one.hint) if one.hint is not None else ""
    state = reader._("Ready to be searched.") if row.is_there else row.state

    sign = "check_circle" if row.is_there else "radio_button_unchecked"
    show_entry(Entry(one, hint, lambda settings: check_source(settings, one.name)), (sign, [state]), kept, reader)


# --- where pages come from ------------------------------------------------------------------------------------------

_ADD_DOCUMENTS = "add-documents"


def show_providers(reader: Ui) -> None:
    """Show them."""
    rows = [
        web_providers(reader),
        _documents(reader),
        connected_servers(reader),
        *(_sample(name, reader) for name in (SourceName.FACTBOOK, SourceName.HOUSE)),
        *(standing_of(one, reader) for one in further_sources()),
    ]
    nodes = providers_nodes(rows, reader)
    show_nodes(nodes, key="provider_rows", language=reader.language, on_message=_heard)


def web_providers(reader: Ui) -> Provider:
    """Return how it stands with the web."""
    settings = engine().settings
    is_there, words = standing(settings, reader)
    # Where nobody is set up, whoever asks for the web still gets it, without a key.
    is_there = is_there or (settings.searcher is WebSearch.NONE and web_searcher(settings) is not WebSearch.NONE)
    return Provider(reader.of_term(SourceName.WEB.label), is_there, words)


def connected_servers(reader: Ui) -> Provider:
    """Return how it stands with connected servers of tools."""
    name, settings = reader.of_term(SourceName.MCP.label), engine().settings
    try:
        connected = mcp_servers(settings.servers_home)
    except UsageError as error:
        return Provider(name, False, reader.reason(error))
    if not connected:
        said = reader._("None is connected. Name them in {file}; docs/settings.md shows how.")
        return Provider(name, False, said.format(file=servers_file(settings.servers_home)))
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
        go_to("pages/new_research.py")
