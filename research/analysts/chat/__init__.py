"""The analyst that asks chat models."""

from research.analysts.chat.analyst import ChatAnalyst
from research.analysts.chat.failures import translate
from research.analysts.chat.models import OPENAI, OPENAI_ADDRESS, ModelName, build_role_models

__all__ = ["OPENAI", "OPENAI_ADDRESS", "ChatAnalyst", "ModelName", "build_role_models", "translate"]
