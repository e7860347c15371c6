"""The analyst that asks chat models. Their clients are loaded when one is first asked for: that takes seconds."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from research.analysts.chat.names import OPENAI as OPENAI, OPENAI_ADDRESS as OPENAI_ADDRESS, ModelName as ModelName

if TYPE_CHECKING:
    from research.analysts.chat.analyst import ChatAnalyst as ChatAnalyst
    from research.analysts.chat.models import build_role_models as build_role_models, translate as translate

_HOMES = {"ChatAnalyst": "analyst", "build_role_models": "models", "translate": "models"}


def __getattr__(name: str) -> Any:
    """Load what needs clients of models when it is first used."""
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
