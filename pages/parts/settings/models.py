"""The model of each role, and who compares texts by meaning: the built-in model, a downloaded one, or a server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import show_nodes
from pages.parts.settings.providers import answering, provider_access
from pages.parts.settings.services import (
    Entry,
    Held,
    access_of,
    access_state,
    failed_check,
    last_check,
    model_field,
    models_nodes,
    show_complaint,
    show_entry,
    state_nodes,
)
from pages.parts.ui import Ui, verbatim
from research.analysts.chat import ModelName
from research.core import PRESETS, Brief, Preset, Role
from research.language import Bilingual, Phrase
from research.meaning import USUAL_MODEL, built_in_vectors, may_have_own
from research.settings import (
    EMBEDDINGS,
    FASTEMBED,
    MODEL_VARIABLES,
    KeptSettings,
    Settings,
    WebSearch,
)
from research.sources.checks import check_embeddings


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
