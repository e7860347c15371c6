"""Chat models: made for each role, called with care, their failures told apart."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast

from langchain_core import exceptions as langchain
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatResult
from langchain_core.runnables import Runnable
from langchain_openai import AzureChatOpenAI, ChatOpenAI
from openai import BaseModel as OpenAIObject

from research.core import (
    OBSERVED_TOKENS,
    Admission,
    Admit,
    CapReached,
    ContextOverflow,
    Emit,
    ModelCalled,
    ModelError,
    ModelRefused,
    PlannedCall,
    Preset,
    Role,
    UsageError,
    freely,
    price_usd,
    tokens_in,
    without_secrets,
)
from research.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from openai import DefaultAsyncHttpxClient


_OVERFLOW = re.compile(
    r"""
    context_length_exceeded | exceed_context_size | string_above_max_length | ContextWindowExceeded
    | maximum\ context\ length | maximum\ model\ length | model's\ context\ length
    | exceeds?\ the\ (available\ )?context | exceeds?\ (the\ )?context\ (limit|length|window|size)
    | exceeds?\ the\ maximum\ number\ of\ tokens | input\ tokens\ exceed | too\ many\ (input\ )?tokens
    | (prompt|input)\ is\ too\ long | request\ too\ large | reduce\ the\ length\ of\ the\ (messages|input|prompt)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""The wordings of OpenAI, Anthropic, Google, Groq, llama.cpp, vLLM, LiteLLM and their kin."""
_DETAIL_LENGTH = 400


class RequestRejected(ModelError):
    """The server understood the caller but not the request: it may know another way to put it."""


_BY_STATUS: dict[int, tuple[type[ModelError], str]] = {
    400: (RequestRejected, "model_failed"),
    401: (ModelRefused, "model_unauthorized"),
    402: (ModelError, "model_quota"),
    403: (ModelRefused, "model_unauthorized"),
    404: (ModelRefused, "model_not_found"),
    408: (ModelError, "model_timeout"),
    422: (RequestRejected, "model_failed"),
    429: (ModelError, "model_quota"),
    501: (RequestRejected, "model_failed"),
}
_BY_NAME = {
    "timeout": "model_timeout",
    "connect": "model_unreachable",
    "network": "model_unreachable",
    "transport": "model_unreachable",
}


def translate(error: BaseException, model: str, secrets: Iterable[str] = ()) -> ModelError:
    """Return the error of this package that `error` amounts to.

    Args:
        error: What the model's client raised.
        model: Which model was called, for the log.
        secrets: Texts that must not appear in the result, whoever echoed them.
    """
    text = _text(error)
    kind, code = _classify(error, text)
    return kind(code, f"{model}: {without_secrets(text, secrets)}"[:_DETAIL_LENGTH])


def _classify(error: BaseException, text: str) -> tuple[type[ModelError], str]:
    status = getattr(error, "status_code", None)
    if isinstance(error, langchain.ContextOverflowError) or _is_overflow(status, text):
        return ContextOverflow, "context_overflow"
    if _is_unsendable_key(error):
        return ModelRefused, "model_unauthorized"
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    # The clients' own classes have no common base: they are known by their names.
    names = " ".join(kind.__name__ for kind in type(error).__mro__).lower()
    for word, code in _BY_NAME.items():
        if word in names:
            return ModelError, code
    return ModelError, "model_failed"


def _text(error: BaseException) -> str:
    """Return all that the error says; some servers put the telling part in `code` or `type`."""
    parts = (str(error) or type(error).__name__, getattr(error, "code", None), getattr(error, "type", None))
    return " ".join(part for part in parts if isinstance(part, str))


def _is_overflow(status: int | None, text: str) -> bool:
    return status == 413 or (status not in (401, 403, 404) and _OVERFLOW.search(text) is not None)


def _is_unsendable_key(error: BaseException) -> bool:
    """Headers are ASCII: a key with full-width or pasted letters fails before anything is sent."""
    return isinstance(error, UnicodeEncodeError) and error.encoding == "ascii"


class TolerantChatOpenAI(ChatOpenAI):
    """Keeps an answer whose tool arguments are JSON but no object (encoded twice, a bare list or text).

    LangChain would throw the whole answer away, and with it what was paid for. Such arguments come back as
    `{"arguments": "<the text that the model wrote>"}`.
    """

    def _create_chat_result(
        self, response: dict[str, Any] | OpenAIObject, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        if isinstance(response, OpenAIObject):
            for choice in getattr(response, "choices", None) or ():
                for call in choice.message.tool_calls or ():
                    function = getattr(call, "function", None)
                    if function is not None:
                        function.arguments = _as_object(function.arguments)
        return super()._create_chat_result(response, generation_info)


def _as_object(arguments: str | None) -> str:
    """Return arguments that are an object or broken JSON (which LangChain sets aside) as they are, else wrapped."""
    if not arguments:
        return "{}"
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    return arguments if isinstance(value, dict) else json.dumps({"arguments": arguments})


OPENAI = "openai"
OPENAI_ADDRESS = "https://api.openai.com/v1"
_LARGEST = 16_000_000
"""Bytes of an answer: a streamed report of thirty pages has about 5 MB."""
RETRIES = 3
"""The client waits as the server asks (`Retry-After`), else a little longer each time."""
_NO_KEY = "no-key"
"""Servers of one's own often need no key, but the client insists on one."""
_LIKE_OPENAI = {
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


def _of_environment(provider: str, what: str) -> str:
    return os.environ.get(f"{_VARIABLES.get(provider, provider.upper())}_API_{what}", "").strip()


class ModelName(NamedTuple):
    """A model and who serves it."""

    provider: str
    name: str

    @classmethod
    def parse(cls, text: str) -> ModelName:
        """Read `gpt-5.4`, `openai:gpt-5.4` or `anthropic:claude-…`; the colon of `qwen2.5:0.5b` is part of the name."""
        provider, colon, name = text.partition(":")
        if colon and name and provider in (OPENAI, "anthropic", "azure_openai", *_LIKE_OPENAI, *_UNBOUNDED):
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
        if self.provider == "anthropic" and find_spec("langchain_anthropic") is None:
            raise UsageError(f"The model {self.name} needs a further package: pip install langchain-anthropic")


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
            self._models[name] = self._made(name)
        return self._models[name]

    def identity(self, name: ModelName) -> str:
        """Return what tells this model from any other: provider, name, and for OpenAI's protocol the address."""
        where = f"@{self._address(name.provider)}" if name.provider in (OPENAI, *_LIKE_OPENAI) else ""
        return f"{name.provider}:{name.name}{where}"

    async def aclose(self) -> None:
        """Close the connections. A model used afterwards opens new ones."""
        pool, self._pool = self._pool, None
        self._models.clear()
        if pool is not None:
            await pool.aclose()

    def _address(self, provider: str) -> str:
        return self.address if provider == OPENAI else _of_environment(provider, "BASE") or _LIKE_OPENAI[provider]

    def _made(self, name: ModelName) -> BaseChatModel:
        common: dict[str, Any] = {"model": name.name, "timeout": self.seconds, "max_retries": RETRIES}
        if name.provider == "anthropic":
            from research.analysts.chat.anthropic import PooledChatAnthropic

            return PooledChatAnthropic(pool=self._shared_pool(), **common)
        common |= {"http_async_client": self._shared_pool(), "stream_chunk_timeout": None, "use_responses_api": False}
        if name.provider == "azure_openai":
            return AzureChatOpenAI(**common)
        key = self._key or _NO_KEY if name.provider == OPENAI else _of_environment(name.provider, "KEY") or _NO_KEY
        return TolerantChatOpenAI(
            api_key=key, base_url=self._address(name.provider), stream_usage=name.provider != "mistralai", **common
        )

    def _shared_pool(self) -> DefaultAsyncHttpxClient:
        """Return the connections of all models; LangChain's own break in a second loop."""
        from openai import DefaultAsyncHttpxClient

        from research.core.wire import for_service

        self._pool = self._pool or for_service(DefaultAsyncHttpxClient(timeout=self.seconds), _LARGEST)
        return self._pool


Way = TypeVar("Way", bound=Enum)


class KnownWays:
    """What each model was last found to accept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, type[Enum]], Enum] = {}

    async def put(self, model: str, ways: Sequence[Way], ask: Callable[[Way], Awaitable[AIMessage]]) -> AIMessage:
        """Return the answer in the first of `ways` that the server of `model` does not reject.

        Raises:
            RequestRejected: it rejects them all.
            ModelError: the call failed otherwise.
        """
        key = (model, type(ways[0]))
        known = self._known.get(key)
        tried = [way for way in ways if way is known] or ways
        for way in tried:
            try:
                answer = await ask(way)
            except RequestRejected:
                if way is tried[-1]:
                    raise
            else:
                self._known[key] = way
                return answer
        raise AssertionError("the last way either answers or raises")


CALL_SECONDS = 300.0


@dataclass
class _Tally:
    """What one call used, as far as its answer said."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    def count(self, message: AIMessage) -> None:
        """Take the usage that came with `message`; of a stream, each piece may bring a part or the sum so far."""
        usage = message.usage_metadata
        if usage is not None:
            self.input_tokens = max(self.input_tokens, usage["input_tokens"])
            self.output_tokens = max(self.output_tokens, usage["output_tokens"])
            self.cached_tokens = max(self.cached_tokens, usage.get("input_token_details", {}).get("cache_read") or 0)


class RoleModels:
    """The models of one run, an async context manager that closes their connections.

    Every call ends in one `ModelCalled` event, and every failure in a `ModelError`.
    """

    def __init__(
        self,
        names: Mapping[Role, str],
        connections: Connections,
        emit: Emit,
        secrets: Sequence[str] = (),
        admit: Admit = freely,
    ) -> None:
        self.names = dict(names)
        """The model of each role, as it was set."""
        self.seconds = connections.seconds
        """How long one call may take, its retries included; of a stream, each piece."""
        self.observed_tokens = OBSERVED_TOKENS
        """Tokens of what was observed so far that a decision is shown at most; fewer once they proved too many."""
        self.known = KnownWays()
        """How each model's server was found to take requests."""
        self._parsed = {role: ModelName.parse(name) for role, name in names.items()}
        self._connections = connections
        self._emit = emit
        self._secrets = tuple(secrets)
        self._admit = admit

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._connections.aclose()

    def provider(self, role: Role) -> str:
        """Return who serves the model of `role`: `openai`, `anthropic`, …"""
        return self._parsed[role].provider

    def identity(self, role: Role) -> str:
        """Return what tells the model of `role` from any other, the server's address included."""
        return self._connections.identity(self._parsed[role])

    async def call(
        self,
        role: Role,
        messages: Sequence[BaseMessage],
        *,
        tools: Sequence[dict[str, Any]] = (),
        tool_choice: str = "auto",
        seconds: float | None = None,
        **parameters: Any,
    ) -> AIMessage:
        """Return the answer of the model of `role`.

        Args:
            role: Whose model to call.
            messages: The conversation.
            tools: Tools that the model may call, in OpenAI's form.
            tool_choice: `auto`, or `any` if a tool must be called.
            seconds: How long it may take, retries included.
            parameters: Further parameters of the request.

        Raises:
            ModelError: the call failed after the client's retries.
            CapReached: the run's cap leaves no room for it.
        """
        admission = await self._admit(PlannedCall(role, self.names[role], _prompt_tokens(messages, tools, parameters)))
        with self._metered(role, admission) as tally:
            model = self._connections.model(self._parsed[role])
            runnable: Runnable[LanguageModelInput, AIMessage] = (
                model.bind_tools(tools, tool_choice=tool_choice) if tools else model
            )
            async with asyncio.timeout(min(seconds or self.seconds, admission.seconds)):
                message = await runnable.ainvoke(list(messages), **parameters)
            tally.count(message)
        return message

    async def stream(self, role: Role, messages: Sequence[BaseMessage]) -> AsyncGenerator[AIMessageChunk]:
        """Yield the answer of the model of `role` in pieces.

        Raises:
            ModelError: the call failed, before the first piece or between two.
            CapReached: the run's cap leaves no room for it, or ended it.
        """
        # Some servers reject the wish to have tokens counted; then the answer counts more than its price.
        for wishes in ({}, {"stream_usage": False}):
            begun = False
            try:
                async with aclosing(self._stream(role, messages, **wishes)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
            except RequestRejected:
                if begun or wishes or self.provider(role) != OPENAI:
                    raise
            else:
                return

    async def _stream(
        self, role: Role, messages: Sequence[BaseMessage], **parameters: Any
    ) -> AsyncGenerator[AIMessageChunk]:
        admission = await self._admit(PlannedCall(role, self.names[role], _prompt_tokens(messages), is_report=True))
        with self._metered(role, admission) as tally:
            stream = self._connections.model(self._parsed[role]).astream(list(messages), **parameters)
            async with aclosing(cast("AsyncGenerator[AIMessageChunk]", stream)) as pieces:
                while (piece := await self._next(pieces, admission)) is not None:
                    tally.count(piece)
                    yield piece

    async def _next(self, pieces: AsyncIterator[AIMessageChunk], admission: Admission) -> AIMessageChunk | None:
        async with asyncio.timeout(min(self.seconds, admission.seconds)):
            return await anext(pieces, None)

    @contextmanager
    def _metered(self, role: Role, admission: Admission) -> Iterator[_Tally]:
        tally, started, error = _Tally(), time.monotonic(), ""
        name = self._parsed[role]
        try:
            yield tally
        except (asyncio.CancelledError, GeneratorExit):
            error = "cancelled"
            raise
        except Exception as raised:  # noqa: BLE001 - named and raised again, whatever client it came from
            is_cut = isinstance(raised, TimeoutError) and admission.seconds <= 0
            failure = CapReached(self.names[role]) if is_cut else translate(raised, self.names[role], self._secrets)
            error = failure.code
            raise failure from None  # The original may quote the key.
        finally:
            call = self._called(role, name, tally, time.monotonic() - started, error)
            self._emit(call)
            admission.close(call)

    def _called(self, role: Role, name: ModelName, tally: _Tally, seconds: float, error: str) -> ModelCalled:
        uncounted = not (tally.input_tokens or tally.output_tokens or error)
        cost = price_usd(
            name.name,
            tally.input_tokens,
            tally.output_tokens,
            cached_tokens=tally.cached_tokens,
            provider=name.provider,
        )
        return ModelCalled(
            role=role,
            model=self.names[role],
            seconds=seconds,
            input_tokens=tally.input_tokens,
            output_tokens=tally.output_tokens,
            cost_usd=None if uncounted else cost,
            error=error,
        )


def _prompt_tokens(messages: Sequence[BaseMessage], *more: object) -> int:
    """Return about how many tokens a prompt has; `more` is what goes with it, as JSON."""
    written = [message.content if isinstance(message.content, str) else str(message.content) for message in messages]
    return sum(map(tokens_in, written)) + sum(tokens_in(json.dumps(part, default=str)) for part in more if part)


def build_role_models(
    settings: Settings, preset: Preset, emit: Emit, *, call_seconds: float = CALL_SECONDS, admit: Admit = freely
) -> RoleModels:
    """Return the preset's models, where the settings name no other, at the settings' address.

    Nothing is called or opened yet; `admit` is asked for room before each call.

    Raises:
        UsageError: a model needs a package that is not installed.
    """
    names = {role: settings.models.get(role, preset.models[role]) for role in Role}
    parsed = [ModelName.parse(name) for name in names.values()]
    for name in parsed:
        name.require()
    key = settings.openai_api_key
    secrets = [key.get_secret_value()] if key is not None else []
    secrets += filter(None, {_of_environment(name.provider, "KEY") for name in parsed})
    return RoleModels(names, Connections(settings, call_seconds), emit, secrets, admit)
