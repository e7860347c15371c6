"""The analyst that asks chat models, and how settings name models and who serves them.

Clients of models take seconds to load: pages and commands read settings without any, and what asks models is imported
from its module, `analyst` or `models`, when it is first needed.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import NamedTuple

from research.core import UsageError

OPENAI = "openai"
OPENAI_ADDRESS = "https://api.openai.com/v1"
LIKE_OPENAI = {
    "cohere": "https://api.cohere.ai/compatibility/v1",
    "deepseek": "https://api.deepseek.com/v1",
    "google_genai": "https://generativelanguage.googleapis.com/v1beta/openai",
    "groq": "https://api.groq.com/openai/v1",
    "mistralai": "https://api.mistral.ai/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "xai": "https://api.x.ai/v1",
}
"""Providers that speak OpenAI's protocol, and where: `GROQ_API_BASE` names another address, `GROQ_API_KEY` the key."""
_VARIABLES = {"google_genai": "GOOGLE", "mistralai": "MISTRAL", "azure_openai": "AZURE_OPENAI"}
"""How the environment's variables for a provider begin, where not as the provider."""
_UNBOUNDED = ("bedrock", "bedrock_converse", "google_vertexai")
"""Providers whose clients take no connections of ours: nothing would hold what they answer."""


def of_environment(provider: str, what: str) -> str:
    """Return what the environment says of a provider, its `KEY` or its `BASE`; empty if nothing."""
    return os.environ.get(f"{_VARIABLES.get(provider, provider.upper())}_API_{what}", "").strip()


class ModelName(NamedTuple):
    """A model and who serves it."""

    provider: str
    name: str

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Read `gpt-5.4`, `openai:gpt-5.4` or `anthropic:claude-…`; the colon of `qwen2.5:0.5b` is part of the name."""
        provider, colon, name = text.partition(":")
        if colon and name and provider in (OPENAI, "anthropic", "azure_openai", *LIKE_OPENAI, *_UNBOUNDED):
            return cls(provider, name)
        return cls(OPENAI, text)

    def require(self) -> None:
        """Check that the provider can be asked.

        Raises:
            UsageError: it cannot, or what it needs is not installed; the message says what to do.
        """
        if self.provider in _UNBOUNDED:
            raise UsageError(
                f"Models of {self.provider} cannot be asked, as nothing would limit what they answer. "
                "Name a server that speaks OpenAI's protocol in OPENAI_BASE_URL, and the model without its provider."
            )
        needed = "langchain-anthropic" if self.provider == "anthropic" else "langchain-openai"
        if find_spec(needed.replace("-", "_")) is None:
            raise UsageError(f"The model {self.name} needs a further package: pip install {needed}")
