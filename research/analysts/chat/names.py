"""Models as settings name them, and who serves them. Loads no client: pages and commands read settings without any."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from research.core import UsageError

OPENAI = "openai"
OPENAI_ADDRESS = "https://api.openai.com/v1"
_PACKAGES = {
    "anthropic": "langchain-anthropic",
    "azure_openai": "langchain-openai",
    "bedrock_converse": "langchain-aws",
    "cohere": "langchain-cohere",
    "deepseek": "langchain-deepseek",
    "google_genai": "langchain-google-genai",
    "google_vertexai": "langchain-google-vertexai",
    "groq": "langchain-groq",
    "mistralai": "langchain-mistralai",
    "ollama": "langchain-ollama",
    "xai": "langchain-xai",
}


class ModelName(NamedTuple):
    """A model and who serves it."""

    provider: str
    name: str

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Read `gpt-5.4`, `openai:gpt-5.4` or `anthropic:claude-…`; the colon of `qwen2.5:0.5b` is part of the name."""
        provider, colon, name = text.partition(":")
        if colon and name and (provider == OPENAI or provider in _PACKAGES):
            return cls(provider, name)
        return cls(OPENAI, text)

    def require(self) -> None:
        """Check that what the provider needs is installed.

        Raises:
            UsageError: it is not; the message says what to install.
        """
        needed = ["langchain-openai"] if self.provider == OPENAI else ["langchain", _PACKAGES[self.provider]]
        missing = [package for package in needed if find_spec(package.replace("-", "_")) is None]
        if missing:
            raise UsageError(f"The model {self.name} needs further packages: pip install {' '.join(missing)}")
