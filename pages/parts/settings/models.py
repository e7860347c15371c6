"""Models: who answers in chats and by which access, the model of each role, and who compares texts by meaning.

Servers of this computer that were found are offered; texts are compared by the built-in model, a downloaded one, or a
server.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

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
    last_check,
    model_field,
    models_nodes,
    show_anew,
    show_complaint,
    show_entry,
    state_nodes,
)
from pages.parts.ui import Ui, verbatim
from research.analysts.chat import ANTHROPIC, OPENAI, ChatProvider, ModelName, chat_providers
from research.core import PRESETS, Brief, Preset, Role
from research.language import Bilingual, Phrase
from research.meaning import USUAL_MODEL, built_in_vectors, may_have_own
from research.settings import (
    EMBEDDINGS,
    FASTEMBED,
    MODEL_VARIABLES,
    PROVIDER_VARIABLE,
    KeptService,
    KeptSettings,
    Settings,
    WebSearch,
)
from research.sources.checks import Check, check_embeddings
from research.sources.model_checks import check_models, local_servers, model_to_ask, models_in_use

# --- who answers -----------------------------------------------------------------------------------------------------

_PROVIDER_COMPLAINT, _CHOSEN = "provider_complaint", "provider_chosen"
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
    show_complaint(_PROVIDER_COMPLAINT)
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
    sign, lines = _who_stands(settings, reader)
    show_nodes(state_nodes(sign, lines), key="models_standing", language=reader.language)
    for provider, models in _found():
        _offer(provider, models, settings, reader)
    _access(next(one for one in providers if one.name == name), kept, reader)


def _who(kept: KeptSettings, labels: dict[str, str], reader: Ui) -> None:
    held = Held("model_provider", PROVIDER_VARIABLE, _PROVIDER_COMPLAINT)
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


def _who_stands(settings: Settings, reader: Ui) -> tuple[str, list[str]]:
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

    keep_settings(changed, _CHOSEN, _PROVIDER_COMPLAINT, reader)
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


# --- the model of each role, and who compares texts ------------------------------------------------------------------


def for_whom(who: Role | WebSearch, before: KeptSettings, model: str) -> KeptSettings:
    """Return the settings with another model of a role or a search; without one it is left to the usual."""
    field = "models" if isinstance(who, Role) else "search_models"
    others = {known: name for known, name in getattr(before, field).items() if known is not who}
    return before.model_copy(update={field: others | ({who: model} if model else {})})


_USUAL = PRESETS[Brief.model_fields["preset"].default]
_COMPLAINT = "model_complaint"
LABELS: Mapping[Role, Bilingual] = {
    Role.PLANNING: Phrase("Planning", "task of a model"),
    Role.RESEARCH: Phrase("Research"),
    Role.SUMMARIZATION: Phrase("Summaries"),
    Role.COMPRESSION: Phrase("Condensing"),
    Role.FINAL_REPORT: Phrase("Report"),
}
_TASKS: Mapping[Role, Bilingual] = {
    Role.PLANNING: Phrase("Divides the question into sections. Few calls."),
    Role.RESEARCH: Phrase("Decides what to search next and reflects on what came."),
    Role.SUMMARIZATION: Phrase("Reads every page and takes quotes. Most calls by far: a small model saves most here."),
    Role.COMPRESSION: Phrase("Removes what is double or beside the point."),
    Role.FINAL_REPORT: Phrase("Writes the report. Few calls; a large model shows most here."),
}


def offered_models(settings: Settings) -> tuple[str, ...]:
    """Return the models of whoever answers, as settings name them, once its server was checked."""
    provider = answering(settings)
    last = last_check(provider_access(provider, settings)) if provider is not None else None
    if provider is None or last is None:
        return ()
    return last.check.models if provider.has_presets else tuple(f"{provider.name}:{one}" for one in last.check.models)


def show_models(kept: KeptSettings, reader: Ui) -> None:
    """Show a field for the model of each role."""
    settings = engine().settings
    offered = offered_models(settings)
    show_complaint(_COMPLAINT)
    st.caption(
        reader._(
            "Each preset has a model for every role; one chosen here goes before it. Suggestions come from the server "
            "once it was checked; any other name can be typed. Prices are list prices in US dollars for a million "
            "tokens, read/written."
        )
    )
    grid = st.grid(2, min_column_width=280, gap=("small", "medium"))
    for role in Role:
        with grid.container(key=f"role_{role.value}"):
            _field(role, kept, settings, offered, reader)


def _field(role: Role, kept: KeptSettings, settings: Settings, offered: tuple[str, ...], reader: Ui) -> None:
    held = Held(f"model_{role.value}", MODEL_VARIABLES[role], _COMPLAINT)
    chosen = settings.models.get(role) if held.is_fixed else kept.models.get(role)
    model_field(
        held,
        reader.of_term(LABELS[role]),
        chosen,
        [*offered, *_by_preset(role, settings)],
        reader,
        usual=_unset(role, settings, reader),
        help_=reader.of_term(_TASKS[role]),
        with_model=partial(for_whom, role),
    )
    nodes = models_nodes(_priced(role, settings, offered, reader), reader)
    show_nodes(nodes, key=f"prices_{role.value}", language=reader.language)
    held.say_if_fixed(reader)


def _unset(role: Role, settings: Settings, reader: Ui) -> str:
    """Return what holds where nothing is chosen."""
    followed = settings.models.get(Role.RESEARCH) if role is Role.PLANNING else None
    if followed is not None:
        return reader._("As for research: {model}").format(model=followed)
    return reader._("{label} (by preset)").format(label=_models_of(_USUAL, settings)[role])


def _models_of(preset: Preset, settings: Settings) -> Mapping[Role, str]:
    """Return the models of a preset where none is set for a role, of whoever answers; OpenAI's where nobody does."""
    return settings.model_copy(update={"models": {}}).models_by(preset.models) or preset.models


def _by_preset(role: Role, settings: Settings) -> dict[str, list[Bilingual]]:
    """Return the models that presets have for a role, and the labels of those presets."""
    found: dict[str, list[Bilingual]] = {}
    for preset in PRESETS.values():
        found.setdefault(_models_of(preset, settings)[role], []).append(preset.label)
    return found


def _priced(role: Role, settings: Settings, offered: tuple[str, ...], reader: Ui) -> list[tuple[str, str]]:
    """Return the models that may work in a role, and what there is to say of each."""
    if role in settings.models:
        lines = {settings.models[role]: ""}
    else:
        lines = {
            model: reader.listed([reader.of_term(label) for label in labels])
            for model, labels in _by_preset(role, settings).items()
        }
    return [(model, _not_offered(model, offered, reader) or remark) for model, remark in lines.items()]


def _not_offered(model: str, offered: tuple[str, ...], reader: Ui) -> str:
    # Only of the one who answers it is known what there is.
    missing = bool(offered) and ModelName.parse(offered[0]).provider == ModelName.parse(model).provider
    missing = missing and ModelName.parse(model) not in map(ModelName.parse, offered)
    return reader._("not on this server") if missing else ""


_EMBEDDINGS_COMPLAINT, _EMBEDDINGS_VARIABLE = "embedding_complaint", "EMBEDDING_MODEL"
_SUGGESTED = (
    USUAL_MODEL,
    "text-embedding-3-large",
    f"{FASTEMBED}sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    f"{FASTEMBED}intfloat/multilingual-e5-large",
)


def show_embeddings(kept: KeptSettings, reader: Ui) -> None:
    """Show who compares texts now, and what can be entered instead."""
    st.header(reader._("Comparison by meaning"), anchor=False)
    show_complaint(_EMBEDDINGS_COMPLAINT)
    st.caption(
        reader._(
            "What a page says in other words than the question is found by comparing their meaning. The built-in model "
            "does that on this computer, at no cost. A larger one may find more: that of a server, or one that is "
            "downloaded once and then runs here."
        )
    )
    sign, words = _standing(engine().settings, reader)
    show_nodes(state_nodes(sign, [words]), key="embedding_standing", language=reader.language)
    _model(kept, reader)
    server = _server(reader)
    show_entry(server, access_state(server, kept, reader), kept, reader)


def _standing(settings: Settings, reader: Ui) -> tuple[str, str]:
    """Return the sign and the sentence for who compares in the next run."""
    is_built_in = built_in_vectors(settings.home) is not None
    if not settings.has_embeddings and settings.embedding_model:
        said = reader._("{model} is a model of a server: enter its key or address below. Until then it is not used.")
        return "warning", said.format(model=settings.embedding_model)
    if not settings.has_embeddings:
        if is_built_in:
            return "check_circle", reader._("The built-in model compares; nothing leaves this computer.")
        said = reader._("Words alone are compared. The built-in model is missing: {command}")
        return "warning", said.format(command="pip install 'research-workbench[meaning]'")
    model = settings.embedding_model or USUAL_MODEL
    if failed_check(access_of(EMBEDDINGS, settings), model):
        if is_built_in:
            said = reader._(
                "{model} did not work when it was last checked; where it fails, the built-in model compares."
            )
        else:
            said = reader._("{model} did not work when it was last checked; where it fails, words alone are compared.")
        return "warning", said.format(model=model)
    if (own := settings.own_embedder) is not None and own.stays_here:
        return "check_circle", reader._("{model} compares, on this computer.").format(model=model)
    if may_have_own(settings):
        said = reader._(
            "{model} compares: the server is sent passages of all pages that a run reads, your own included."
        )
    else:
        said = reader._(
            "{model} compares in runs that read no documents of your own; in those, the built-in model does."
        )
    return "check_circle", said.format(model=model)


def _model(kept: KeptSettings, reader: Ui) -> None:
    settings = engine().settings
    held = Held("embedding_model", _EMBEDDINGS_VARIABLE, _EMBEDDINGS_COMPLAINT)
    chosen = settings.embedding_model if held.is_fixed else kept.embedding_model or None
    last = last_check(access_of(EMBEDDINGS, settings))
    has_server = any(settings.embedding_access)
    model_field(
        held,
        reader._("Model that compares"),
        chosen,
        [*(last.check.models if last else ()), *_SUGGESTED],
        reader,
        usual=reader._("{model} (usual)").format(model=USUAL_MODEL) if has_server else reader._("The built-in model"),
        help_=reader._(
            "Names that begin with “fastembed:” are models that are downloaded when you press the button below, and "
            "run on this computer. All others are models of the server that is entered below."
        ),
        with_model=lambda before, model: before.model_copy(update={"embedding_model": model}),
    )
    held.say_if_fixed(reader)
    if (chosen or "").startswith(FASTEMBED) and find_spec("fastembed") is None:
        said = reader._("A package is missing: {command}")
        st.caption(verbatim(said.format(command="pip install 'research-workbench[fastembed]'")))


def _server(reader: Ui) -> Entry:
    purpose = reader._(
        "OpenAI, or any server that speaks its protocol (/v1/embeddings). It is sent passages of pages, and paid for "
        "each once. A check costs some hundred tokens."
    )
    model = engine().settings.embedding_model or USUAL_MODEL
    return Entry(EMBEDDINGS, purpose, check_embeddings, model, reader._("Server of embeddings"))
