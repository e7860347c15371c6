"""Web search: who searches, and with what."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec

import streamlit as st

from pages.parts.engine import engine, own_documents
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.settings.models import for_whom
from pages.parts.settings.offers import further_sources, standing_of
from pages.parts.settings.services import (
    SERVICE_ROW,
    Access,
    Held,
    Provider,
    Service,
    ask_service,
    failed_check,
    last_check,
    model_field,
    providers_nodes,
    service_answered,
    service_nodes,
    show_complaint,
    show_service,
    state_nodes,
)
from pages.parts.start.form import explained, named
from pages.parts.ui import Ui, verbatim
from research.core import SourceName, UsageError
from research.language import Bilingual, Phrase
from research.settings import (
    CREDIT_VARIABLE,
    TAVILY_USD,
    KeptSettings,
    Settings,
    WebSearch,
    mcp_servers,
    shown_address,
    variables_set,
)
from research.sources import SEARCHERS, is_available
from research.sources.checks import CheckOutcome, check_anthropic, check_openai, check_tavily
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
    last = last_check(("openai", settings.openai_base_url, settings.openai_api_key))
    return last.check.models if last is not None else ()


_TITLES = {WebSearch.OPENAI: "OpenAI", WebSearch.ANTHROPIC: "Anthropic"}
_CHECKS = {WebSearch.OPENAI: check_openai, WebSearch.ANTHROPIC: check_anthropic}


def search_access(who: WebSearch, settings: Settings) -> Access:
    """Return what a check of a search by model asks."""
    return (f"{who}_search", *settings.access(who))


def show_search_by_model(who: WebSearch, reader: Ui) -> None:
    """Show how it is set up, what it answered, and the button that checks it."""
    name, title = f"{who}_search", _TITLES[who]
    about, entry = st.container(key=f"service_{name}").columns(SERVICE_ROW, gap="small")
    settings = engine().settings
    access, model = search_access(who, settings), search_model_of(settings, who)
    with about:
        purpose = reader._(
            "A model searches, with the key for chat models. A check costs one search, some cents at most."
        )
        sign, lines = _state(who, settings, reader)
        nodes = service_nodes(("warning" if failed_check(access, model) else sign, lines), purpose, title)
        show_nodes(nodes, key=f"{name}_state", language=reader.language)
    with entry:
        label = reader._("Check {service}").format(service=title)
        if st.button(verbatim(label), icon=":material/network_check:", key=f"{name}_check_button"):
            ask_service(access, _CHECKS[who], reader)
            st.rerun()
        service_answered(access, model, reader)


def _state(who: WebSearch, settings: Settings, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how it is set up now."""
    if not settings.has(who):
        return "radio_button_unchecked", [reader._("Not set up: it has no key among the chat models yet.")]
    if who is not WebSearch.OPENAI or settings.is_at_openai:
        return "check_circle", [reader._("The key for chat models is used.")]
    return "check_circle", [
        reader._("The server for chat models is asked: {address}.").format(
            address=shown_address(settings.openai_base_url or "")
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
    show_service(_tavily(reader), kept, reader, boxed=False)
    with st.grid(2, min_column_width=260, gap=("small", "medium")).cell():
        _credit(kept, reader)
    for who in _TITLES:
        show_search_by_model(who, reader)


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
        return reader._(
            "Nobody is set up: where the web is chosen for a run, public search engines are asked, or Wikipedia."
        )
    if is_named:
        return reader._("Switched off by the environment (WEB_SEARCH).")
    return reader._("Switched off in Settings.")


def _model(settings: Settings, who: WebSearch) -> str:
    """Return the model that searches, in brackets, where one does."""
    model = search_model_of(settings, who)
    return f" ({model})" if model else ""


def _did_not_work(settings: Settings, who: WebSearch) -> bool:
    """Whether `who` failed when it was last asked to search, or OpenAI's server of chat models when it was asked."""
    model = search_model_of(settings, who)
    if who not in _TITLES:
        return failed_check((who.value, *settings.access(who)), model)
    if (last := last_check(search_access(who, settings), model)) is not None:
        return not last.check.works
    if who is not WebSearch.OPENAI:
        return False
    chat = last_check(("openai", settings.openai_base_url, settings.openai_api_key))
    return chat is not None and chat.check.outcome not in {CheckOutcome.WORKS, CheckOutcome.NO_MODEL}


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
        connected = mcp_servers.load(settings.servers_home)
    except UsageError as error:
        return Provider(name, False, reader.reason(error))
    if not connected:
        said = reader._("None is connected. Name them in {file}; docs/settings.md shows how.")
        return Provider(name, False, said.format(file=mcp_servers.path(settings.servers_home)))
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
