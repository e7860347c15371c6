"""Who compares texts by meaning: the built-in model, one that is downloaded, or a server."""

from __future__ import annotations

import logging
from importlib.util import find_spec

import streamlit as st

from pages.parts.engine import engine
from pages.parts.nodes import show_nodes
from pages.parts.settings.checks import failed_check, last_check, state_nodes
from pages.parts.settings.models import keep_model
from pages.parts.settings.services import Service, show_service
from pages.parts.ui import Ui, verbatim
from research.meaning import OPENAI_EMBEDDINGS, USUAL_MODEL, built_in_vectors, may_have_own
from research.settings import FASTEMBED, KeptSettings, Settings, variables_set
from research.sources.checks import check_embeddings

_log = logging.getLogger("workbench")
_COMPLAINT, _MODEL_VARIABLE = "embedding_complaint", "EMBEDDING_MODEL"
_SUGGESTED = (
    USUAL_MODEL,
    "text-embedding-3-large",
    f"{FASTEMBED}sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    f"{FASTEMBED}intfloat/multilingual-e5-large",
)


def show_embeddings(kept: KeptSettings, reader: Ui) -> None:
    """Show who compares texts now, and what can be entered instead."""
    st.subheader(reader._("Comparison by meaning"), anchor=False)
    if complaint := st.session_state.pop(_COMPLAINT, ""):
        st.error(verbatim(complaint), icon=":material/edit:")
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
    show_service(_service(reader), kept, reader, boxed=False)


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
    if failed_check(_service(reader).access(settings), model):
        if is_built_in:
            said = reader._(
                "{model} did not work when it was last checked; where it fails, the built-in model compares."
            )
        else:
            said = reader._("{model} did not work when it was last checked; where it fails, words alone are compared.")
        return "warning", said.format(model=model)
    if model.startswith(FASTEMBED):
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
    is_named = _MODEL_VARIABLE in variables_set()
    chosen = settings.embedding_model if is_named else kept.embedding_model or None
    key = f"embedding_model_{'fixed' if is_named else 'free'}"
    st.session_state.setdefault(key, chosen)
    last = last_check(_service(reader).access(settings))
    has_server = settings.embedding_access != (None, None)
    usual = reader._("{model} (usual)").format(model=USUAL_MODEL) if has_server else reader._("The built-in model")
    st.selectbox(
        reader._("Model that compares"),
        list(dict.fromkeys(filter(None, [chosen, *(last.check.models if last else ()), *_SUGGESTED]))),
        index=None,
        key=key,
        placeholder=usual,
        accept_new_options=True,
        disabled=is_named,
        help=reader._(
            "Names that begin with “fastembed:” are models that are downloaded when you press the button below, and "
            "run on this computer. All others are models of the server that is entered below."
        ),
        on_change=keep_model,
        args=(_with_model, key, _COMPLAINT, reader),
    )
    if is_named:
        st.caption(reader._("Set by the environment ({variable}).").format(variable=_MODEL_VARIABLE))
    if (chosen or "").startswith(FASTEMBED) and find_spec("fastembed") is None:
        said = reader._("A package is missing: {command}")
        st.caption(verbatim(said.format(command="pip install 'research-workbench[fastembed]'")))


def _with_model(before: KeptSettings, model: str) -> KeptSettings:
    return before.model_copy(update={"embedding_model": model})


def _service(reader: Ui) -> Service:
    return Service(
        "embedding",
        reader._("Server of embeddings"),
        reader._("embeddings"),
        reader._("Key for embeddings"),
        reader._("Address for embeddings"),
        reader._(
            "OpenAI, or any server that speaks its protocol (/v1/embeddings). It is sent passages of pages, and paid "
            "for each once. A check costs some hundred tokens."
        ),
        OPENAI_EMBEDDINGS,
        engine().settings.embedding_model or USUAL_MODEL,
        check_embeddings,
    )
