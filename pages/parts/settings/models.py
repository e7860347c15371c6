"""Chat models: chosen, kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import show_nodes
from pages.parts.settings.checks import last_check, models_nodes, not_kept
from pages.parts.ui import Ui, verbatim
from research.analysts.chat import OPENAI, ModelName
from research.core import PRESETS, Brief, Role, StoreError, UsageError
from research.language import Bilingual, Phrase
from research.settings import (
    MODEL_VARIABLES,
    KeptSettings,
    Settings,
    WebSearch,
    clean_model,
    kept_settings,
    variables_set,
)

_log = logging.getLogger("workbench")


def keep_model(with_model: Callable[[KeptSettings, str], KeptSettings], key: str, complaint: str, reader: Ui) -> None:
    """Keep the model in the field `key`, an empty one too, with what makes of the settings those that have it.

    If that cannot be, the session holds the reason under `complaint`, and the field shows what is kept.
    """
    home = engine().settings.home
    try:
        model = clean_model(st.session_state.get(key) or "", reader.language)
        kept_settings.change(home, lambda before: with_model(before, model))
    except UsageError as error:
        st.session_state[complaint] = str(error)
        st.session_state.pop(key)
    except StoreError as error:
        _log.warning("Settings could not be kept: %s", error)
        st.session_state[complaint] = not_kept(home, reader)
        st.session_state.pop(key)


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


def models_to_ask(settings: Settings) -> str:
    """Return the model that a check asks: the first that OpenAI's protocol reaches, the cheapest role first."""
    for role in (Role.SUMMARIZATION, Role.COMPRESSION, Role.RESEARCH, Role.PLANNING, Role.FINAL_REPORT):
        provider, name = ModelName.parse(settings.models.get(role, _USUAL.models[role]))
        if provider == OPENAI:
            return name
    return _USUAL.models[Role.SUMMARIZATION]


def show_models(kept: KeptSettings, reader: Ui) -> None:
    """Show a field for the model of each role."""
    settings = engine().settings
    last = last_check(("openai", settings.openai_base_url, settings.openai_api_key))
    offered = last.check.models if last is not None else ()
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(verbatim(complaint), icon=":material/edit:")
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
    fixed = MODEL_VARIABLES[role] in variables_set()
    chosen = settings.models.get(role) if fixed else kept.models.get(role)
    key = f"model_{role.value}_{'fixed' if fixed else 'free'}"
    st.session_state.setdefault(key, chosen)
    st.selectbox(
        reader.of_term(LABELS[role]),
        list(dict.fromkeys([*([chosen] if chosen else []), *offered, *_by_preset(role)])),
        index=None,
        key=key,
        placeholder=_unset(role, settings, reader),
        accept_new_options=True,
        disabled=fixed,
        help=reader.of_term(_TASKS[role]),
        on_change=keep_model,
        args=(partial(for_whom, role), key, _COMPLAINT, reader),
    )
    show_nodes(
        models_nodes(_priced(role, settings, offered, reader), reader),
        key=f"prices_{role.value}",
        language=reader.language,
    )
    if fixed:
        st.caption(reader._("Set by the environment ({variable}).").format(variable=MODEL_VARIABLES[role]))


def _unset(role: Role, settings: Settings, reader: Ui) -> str:
    """Return what holds where nothing is chosen."""
    followed = settings.models.get(Role.RESEARCH) if role is Role.PLANNING else None
    if followed is not None:
        return reader._("As for research: {model}").format(model=followed)
    return reader._("{label} (by preset)").format(label=_USUAL.models[role])


def _by_preset(role: Role) -> dict[str, list[Bilingual]]:
    """Return the models that presets have for a role, and the labels of those presets."""
    found: dict[str, list[Bilingual]] = {}
    for preset in PRESETS.values():
        found.setdefault(preset.models[role], []).append(preset.label)
    return found


def _priced(role: Role, settings: Settings, offered: tuple[str, ...], reader: Ui) -> list[tuple[str, str]]:
    """Return the models that may work in a role, and what there is to say of each."""
    if role in settings.models:
        lines = {settings.models[role]: ""}
    else:
        lines = {
            model: reader.listed([reader.of_term(label) for label in labels])
            for model, labels in _by_preset(role).items()
        }
    return [(model, _not_offered(model, offered, reader) or remark) for model, remark in lines.items()]


def _not_offered(model: str, offered: tuple[str, ...], reader: Ui) -> str:
    provider, name = ModelName.parse(model)
    missing = bool(offered) and provider == OPENAI and name not in offered
    return reader._("not on this server") if missing else ""
