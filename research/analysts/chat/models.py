"""A model for each role, and every call to one: timed, counted, priced, its failures named."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, Self, cast

from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable

from research.analysts.chat.failures import RequestRejected, translate
from research.analysts.chat.providers import OPENAI, Connections, ModelName
from research.analysts.chat.ways import KnownWays
from research.call_sizes import OBSERVED_TOKENS, tokens_in
from research.errors import CapReached
from research.events import Emit, ModelCalled
from research.presets import Preset, Role
from research.pricing import price_usd
from research.settings import Settings
from research.spending import Admission, Admit, PlannedCall, freely

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
    for name in names.values():
        ModelName.parse(name).require()
    key = settings.openai_api_key
    secrets = [key.get_secret_value()] if key is not None else []
    return RoleModels(names, Connections(settings, call_seconds), emit, secrets, admit)
