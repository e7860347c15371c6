"""Chat models: who answers, the access of each provider, and servers of this computer that were found."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.parts.engine import engine
from pages.parts.native_words import say_anew
from pages.parts.nodes import show_nodes
from pages.parts.settings.services import (
    Access,
    Entry,
    Held,
    access_of,
    access_state,
    failed_check,
    keep_settings,
    show_anew,
    show_complaint,
    show_entry,
    state_nodes,
)
from pages.parts.ui import Ui, verbatim
from research.analysts.chat import ANTHROPIC, OPENAI, ChatProvider, ModelName, chat_providers
from research.core import Role
from research.settings import PROVIDER_VARIABLE, KeptService, KeptSettings, Settings
from research.sources.checks import Check
from research.sources.model_checks import check_models, local_servers, model_to_ask, models_in_use

_COMPLAINT, _CHOSEN = "provider_complaint", "provider_chosen"
_LOOKED_FOR = 20
"""Seconds for which servers of this computer, once looked for, count as found or not."""


def provider_access(provider: ChatProvider, settings: Settings) -> Access:
    """Return what a check of a provider asks."""
    return access_of(_entered(provider), settings)


def answering(settings: Settings) -> ChatProvider | None:
    """Return who answers where no model is set for a role, whether set up or not."""
    return next((one for one in chat_providers() if one is settings.model_server), None)


def show_chat_models(kept: KeptSettings, reader: Ui) -> None:
    """Show who answers, what was found on this computer, and what can be entered for one provider."""
    settings, providers = engine().settings, chat_providers()
    st.header(reader._("Chat models"), anchor=False)
    st.caption(reader._("Models plan, summarise and write; without them, rules pick verbatim quotes."))
    show_complaint(_COMPLAINT)
    labels = {one.name: reader.of_term(one.label) for one in providers}
    grid = st.grid(2, min_column_width=260, gap=("small", "medium"))
    with grid.cell():
        _who(kept, labels, reader)
    with grid.cell():
        in_use = answering(settings)
        chosen = st.session_state.setdefault(_CHOSEN, in_use.name if in_use is not None else OPENAI)
        say_anew(_CHOSEN, labels.get(chosen, ""))
        name = st.selectbox(
            reader._("Provider to set up"),
            list(labels),
            format_func=labels.__getitem__,
            key=_CHOSEN,
            help=reader._("Several can be set up; a role below may have the model of any of them."),
        )
    sign, lines = _standing(settings, reader)
    show_nodes(state_nodes(sign, lines), key="models_standing", language=reader.language)
    for provider, models in _found():
        _offer(provider, models, settings, reader)
    _access(next(one for one in providers if one.name == name), kept, reader)


def _who(kept: KeptSettings, labels: dict[str, str], reader: Ui) -> None:
    held = Held("model_provider", PROVIDER_VARIABLE, _COMPLAINT)
    held.begin_with(engine().settings.model_provider if held.is_fixed else kept.model_provider)
    words = {"": reader._("The first that is set up")} | labels
    say_anew(held.key, words.get(st.session_state[held.key], ""))

    def keep() -> None:
        name = st.session_state[held.key]
        held.keep({"model_provider": name}, reader)
        st.session_state[_CHOSEN] = name or st.session_state[_CHOSEN]

    st.selectbox(
        reader._("Who answers"),
        list(words),
        format_func=lambda name: words.get(name, name),
        key=held.key,
        disabled=held.is_fixed,
        help=reader._("It answers in every role for which no model is set below."),
        on_change=keep,
    )
    held.say_if_fixed(reader)


def _standing(settings: Settings, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the sentences for who answers in the next run."""
    provider = answering(settings)
    if provider is None:
        said = reader._("None is set up: rules do the research. Set up a provider, or a server on this computer.")
        return "radio_button_unchecked", [said]
    label = reader.of_term(provider.label)
    if not settings.has_models:
        said = reader._("{provider} is to answer, but is not set up yet; until then, rules do the research.")
        return "warning", [said.format(provider=label)]
    if not provider.is_installed:
        command = f"pip install 'research-workbench[{provider.extra}]'"
        return "warning", [reader._("A package is missing: {command}").format(command=command)]
    if failed_check(provider_access(provider, settings)):
        said = reader._("{provider} is to answer, but did not work when it was last checked.")
        return "warning", [said.format(provider=label)]
    models = models_in_use(settings)
    large, small = models[Role.RESEARCH], models[Role.SUMMARIZATION]
    said = reader._("{large} decides, {small} reads pages.") if large != small else reader._("{large} does it all.")
    named = {"large": ModelName.parse(large).name, "small": ModelName.parse(small).name}
    return "check_circle", [reader._("{provider} answers.").format(provider=label), said.format(**named)]


@st.cache_data(ttl=_LOOKED_FOR, show_spinner=False, max_entries=100)
def _looked_for(addresses: tuple[str, ...], _settings: Settings) -> dict[str, tuple[str, ...]]:
    return local_servers(_settings)


def _found() -> list[tuple[ChatProvider, tuple[str, ...]]]:
    """Return the servers of this computer that are there, each with its models."""
    settings, local = engine().settings, [one for one in chat_providers() if one.is_local]
    models = _looked_for(tuple(one.address(settings.values_of(one)) for one in local), settings)
    return [(one, models[one.name]) for one in local if one.name in models]


def _offer(provider: ChatProvider, models: tuple[str, ...], settings: Settings, reader: Ui) -> None:
    """Offer a server of this computer that is not set up yet."""
    if settings.values_of(provider)["model"]:
        return
    label = reader.of_term(provider.label)
    with st.container(key=f"found_{provider.name}", horizontal=True, vertical_alignment="bottom"):
        model = st.selectbox(
            verbatim(reader._("{server} runs on this computer").format(server=label)),
            models,
            key=f"found_model_{provider.name}",
        )
        if st.button(
            verbatim(reader._("Use {server}").format(server=label)),
            icon=":material/dns:",
            key=f"found_use_{provider.name}",
        ):
            _use(provider, model, reader)


def _use(provider: ChatProvider, model: str, reader: Ui) -> None:
    def changed(before: KeptSettings) -> KeptSettings:
        held = before.of(provider)
        new = held.model_copy(update={"values": held.values | KeptService.of(model=model).values})
        return before.with_service(provider, new).model_copy(update={"model_provider": provider.name})

    keep_settings(changed, _CHOSEN, _COMPLAINT, reader)
    st.session_state.pop("model_provider_free", None)
    st.session_state.pop(_CHOSEN, None)
    show_anew(provider)
    st.rerun()


def _entered(provider: ChatProvider) -> ChatProvider:
    """Return a provider with the fields that can be entered: of the two that search as well, their access alone."""
    return replace(provider, fields=provider.fields[:2]) if provider.name in (OPENAI, ANTHROPIC) else provider


def _access(provider: ChatProvider, kept: KeptSettings, reader: Ui) -> None:
    def check(settings: Settings) -> Check:
        return check_models(settings, f"{provider.name}:{model_to_ask(settings, provider)}")

    hint = reader.of_term(provider.hint) if provider.hint is not None else ""
    entry = Entry(_entered(provider), hint, check, model_to_ask(engine().settings, provider))
    is_ours = provider.name in (OPENAI, ANTHROPIC)
    show_entry(entry, access_state(entry, kept, reader) if is_ours else _state(provider, reader), kept, reader)


def _state(provider: ChatProvider, reader: Ui) -> tuple[str, list[str]]:
    """Return the sign and the words for how a provider is set up that needs more than a key or an address."""
    values = engine().settings.values_of(provider)
    if not provider.is_installed:
        command = f"pip install 'research-workbench[{provider.extra}]'"
        state = reader._("A package is missing: {command}").format(command=command)
    elif provider.lacking(values):
        state = reader._("Not set up.")
    elif not values["model"]:
        state = reader._("No model is named yet.")
    else:
        state = reader._("Ready to be asked.")
    is_there = provider.is_installed and provider.answers(values)
    return "check_circle" if is_there else "radio_button_unchecked", [state]
