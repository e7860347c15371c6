"""Who serves a model: OpenAI and whatever speaks like it, or another company through LangChain."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from research.errors import UsageError
from research.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from openai import DefaultAsyncHttpxClient

OPENAI = "openai"
OPENAI_ADDRESS = "https://api.openai.com/v1"
RETRIES = 3
"""The client waits as the server asks (`Retry-After`), else a little longer each time."""
_NO_KEY = "no-key"
"""Servers of one's own often need no key, but the client insists on one."""
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


class Connections:
    """Makes chat models. Those of one address share one pool of connections, opened in the loop that uses it."""

    def __init__(self, settings: Settings, seconds: float) -> None:
        self.address = settings.openai_base_url or OPENAI_ADDRESS
        self._key = settings.openai_api_key
        self.seconds = seconds
        self._models: dict[ModelName, BaseChatModel] = {}
        self._pool: DefaultAsyncHttpxClient | None = None

    def model(self, name: ModelName) -> BaseChatModel:
        """Return the model, made on first use."""
        if name not in self._models:
            self._models[name] = self._openai(name.name) if name.provider == OPENAI else self._other(name)
        return self._models[name]

    def identity(self, name: ModelName) -> str:
        """Return what tells this model from any other: provider, name, and for OpenAI's protocol the address."""
        where = f"@{self.address}" if name.provider == OPENAI else ""
        return f"{name.provider}:{name.name}{where}"

    async def aclose(self) -> None:
        """Close the connections. A model used afterwards opens new ones."""
        pool, self._pool = self._pool, None
        self._models.clear()
        if pool is not None:
            await pool.aclose()

    def _openai(self, name: str) -> BaseChatModel:
        from openai import DefaultAsyncHttpxClient

        from research.analysts.chat.tolerant import TolerantChatOpenAI

        # LangChain's own pool is kept for the whole process and breaks when a second event loop uses it.
        self._pool = self._pool or DefaultAsyncHttpxClient(timeout=self.seconds)
        return TolerantChatOpenAI(
            model=name,
            api_key=self._key or _NO_KEY,
            base_url=self.address,
            http_async_client=self._pool,
            timeout=self.seconds,
            max_retries=RETRIES,
            stream_usage=True,
            stream_chunk_timeout=None,
            use_responses_api=False,
        )

    def _other(self, name: ModelName) -> BaseChatModel:
        made: BaseChatModel = import_module("langchain.chat_models").init_chat_model(
            name.name, model_provider=name.provider, timeout=self.seconds, max_retries=RETRIES
        )
        return made
