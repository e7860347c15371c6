"""Chat models: made for each role, called with care, their failures told apart whichever client they come from."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, cast

from langchain_core import exceptions as langchain
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import Runnable

from research import core
from research.analysts.chat.providers import LARGEST_ANSWER, ChatProvider, ModelName, ModelRequest
from research.language import Language
from research.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from openai import DefaultAsyncHttpxClient

# --- failures told apart, whichever client they come from; other ways to put what was rejected -----------------------

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


class RequestRejected(core.ModelError):
    """The server understood the caller but not the request: it may know another way to put it."""


_BY_STATUS: dict[int, tuple[type[core.ModelError], str]] = {
    400: (RequestRejected, "model_failed"),
    401: (core.ModelRefused, "model_unauthorized"),
    402: (core.ModelError, "model_quota"),
    403: (core.ModelRefused, "model_unauthorized"),
    404: (core.ModelRefused, "model_not_found"),
    408: (core.ModelError, "model_timeout"),
    422: (RequestRejected, "model_failed"),
    429: (core.ModelError, "model_quota"),
    501: (RequestRejected, "model_failed"),
}
_BY_NAME = {
    "timeout": "model_timeout",
    "connect": "model_unreachable",
    "network": "model_unreachable",
    "transport": "model_unreachable",
}


def translate(error: BaseException, model: str, secrets: Iterable[str] = ()) -> core.ModelError:
    """Return the error of this package that `error` amounts to.

    Args:
        error: What the model's client raised.
        model: Which model was called, for the log.
        secrets: Texts that must not appear in the result, whoever echoed them.
    """
    # Some servers put the telling part in `code` or `type`.
    parts = (str(error) or type(error).__name__, getattr(error, "code", None), getattr(error, "type", None))
    text = " ".join(part for part in parts if isinstance(part, str))
    kind, code = _classify(error, text)
    return kind(code, f"{model}: {core.without_secrets(text, secrets)}"[:_DETAIL_LENGTH])


_BAD_KEY = re.compile(r"API_KEY_INVALID|API key not valid|UnrecognizedClientException", re.IGNORECASE)
_NO_CREDIT = re.compile(r"credit balance is too low|RESOURCE_EXHAUSTED|ThrottlingException", re.IGNORECASE)
"""What Gemini, Amazon and Anthropic say where others have a status for it."""


def status_of(error: BaseException | None) -> int | None:
    """Return the HTTP status in what a client raised, or in what that came from; None if there was no answer."""
    while error is not None:
        response = getattr(error, "response", None)
        told = response.get("ResponseMetadata", {}).get("HTTPStatusCode") if isinstance(response, dict) else None
        for status in (getattr(error, "status_code", None), getattr(error, "code", None), told):
            if isinstance(status, int):
                return status
        error = error.__cause__
    return None


def _classify(error: BaseException, text: str) -> tuple[type[core.ModelError], str]:
    status = status_of(error)
    if _BAD_KEY.search(text):
        status = 401
    elif _NO_CREDIT.search(text):
        status = 429
    is_told = status not in (401, 403, 404) and _OVERFLOW.search(text) is not None
    if isinstance(error, langchain.ContextOverflowError) or status == 413 or is_told:
        return core.ContextOverflow, "context_overflow"
    # Headers are ASCII: a key with full-width or pasted letters fails before anything is sent.
    if isinstance(error, UnicodeEncodeError) and error.encoding == "ascii":
        return core.ModelRefused, "model_unauthorized"
    # The clients' own classes have no common base: they are known by their names.
    names = " ".join(kind.__name__ for kind in type(error).__mro__).lower()
    by_name = next((code for word, code in _BY_NAME.items() if word in names), "model_failed")
    return _BY_STATUS.get(status or 0, (core.ModelError, by_name))


class KnownWays:
    """What each model was last found to accept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], str] = {}

    async def put(self, model: str, ways: Mapping[str, Callable[[], Awaitable[AIMessage]]]) -> AIMessage:
        """Return the answer in the first of `ways`, named, that the server of `model` does not reject.

        Raises:
            RequestRejected: it rejects them all.
            ModelError: the call failed otherwise.
        """
        key = (model, *ways)
        *others, last = [self._known[key]] if key in self._known else ways
        for way in others:
            try:
                answer = await ways[way]()
            except RequestRejected:
                continue
            self._known[key] = way
            return answer
        answer = await ways[last]()
        self._known[key] = last
        return answer


_THOUGHTS = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
CUT = ("length", "max_tokens")
"""How providers say that an answer was cut at its longest."""


def without_thoughts(text: str) -> str:
    """Return `text` without the thoughts that some models write before they answer."""
    return _THOUGHTS.sub("", text).strip()


def finish_of(message: AIMessage) -> str:
    """Return why the model stopped, as its provider calls it (`stop`, `length`, …), or an empty text."""
    metadata = message.response_metadata
    told = (metadata.get(name) for name in ("finish_reason", "stop_reason", "stopReason"))
    return next((str(reason).lower() for reason in told if reason), "")


def is_cut_in_thought(answer: AIMessage) -> bool:
    """Whether an answer was cut because the model thought, at length, before it wrote."""
    told = without_thoughts(answer.text) or answer.tool_calls or answer.invalid_tool_calls
    usage = answer.usage_metadata
    has_thought = usage is not None and bool(usage.get("output_token_details", {}).get("reasoning"))
    return finish_of(answer) in CUT and (not told or has_thought)


RETRIES = 3
"""The client waits as the server asks (`Retry-After`), else a little longer each time."""


class Connections:
    """Makes chat models. They share one pool of connections, opened in the loop that uses it."""

    def __init__(self, settings: Settings, seconds: float, retries: int = RETRIES) -> None:
        self.seconds = seconds
        self._settings = settings
        self._retries = retries
        self._models: dict[ModelName, BaseChatModel] = {}
        self._pool: DefaultAsyncHttpxClient | None = None

    def model(self, name: ModelName) -> BaseChatModel:
        """Return the model, made on first use."""
        if name not in self._models:
            wanted = ModelRequest(
                name.provider, name.name, self._values(name), self.seconds, self._retries, self._shared_pool
            )
            self._models[name] = name.served_by.make(wanted)
        return self._models[name]

    def identity(self, name: ModelName) -> str:
        """Return what tells this model from any other: provider, name and address."""
        where = name.served_by.address(self._values(name))
        return f"{name.provider}:{name.name}" + (f"@{where}" if where else "")

    async def aclose(self) -> None:
        """Close the connections. A model used afterwards opens new ones."""
        pool, self._pool = self._pool, None
        self._models.clear()
        if pool is not None:
            await pool.aclose()

    def _values(self, name: ModelName) -> Mapping[str, str]:
        return self._settings.values_of(name.served_by)

    def _shared_pool(self) -> DefaultAsyncHttpxClient:
        """Return the connections of all models; LangChain's own break in a second loop."""
        from openai import DefaultAsyncHttpxClient

        from research.core.wire import certificates, for_service

        if self._pool is None:
            trusted = certificates(DefaultAsyncHttpxClient)
            self._pool = for_service(DefaultAsyncHttpxClient(timeout=self.seconds, verify=trusted), LARGEST_ANSWER)
        return self._pool


CALL_SECONDS = 300.0
_PATIENCE = 4
"""How many times longer than usual an answer may become: small models repeat themselves until somebody stops them."""
_KNOWN = 2
"""The same of an answer whose length is known beforehand."""
_THOUGHTFUL = 16
"""The same of models that think before they answer, where a cap has to have room for it."""
_ON_OUTPUT = re.compile(r"max_(?:completion_)?tokens|(?:completion|output) tokens|in the completion", re.IGNORECASE)
"""How servers say that they take no such limit, or that it does not fit beside the prompt into their window."""
_STAND_INS = (
    core.Role.RESEARCH,
    core.Role.PLANNING,
    core.Role.COMPRESSION,
    core.Role.FINAL_REPORT,
    core.Role.SUMMARIZATION,
)
"""Whose models stand in for one that refuses: those that decide first, then those that judge quotes."""


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
        names: Mapping[core.Role, str],
        connections: Connections,
        emit: core.Emit,
        *,
        secrets: Sequence[str] = (),
        admit: core.Admit = core.freely,
        paces: Callable[[str], core.Pace] = core.pace_of,
    ) -> None:
        self.names = dict(names)
        """The model of each role, as it was set or stands in for one that refused."""
        self.seconds = connections.seconds
        """How long one call may take at most, its retries included; of a stream, each piece."""
        self.observed_tokens = core.OBSERVED_TOKENS
        """Tokens of what was observed so far that a decision is shown at most; fewer once they proved too many."""
        self.known = KnownWays()
        """How each model's server was found to take requests."""
        self._refused: set[str] = set()
        self._connections = connections
        self._emit = emit
        self._secrets = tuple(secrets)
        self._admit = admit
        self._paces = paces
        self._unlimited: set[str] = set()
        """Models whose servers do not take it to be told how long an answer may become."""
        self._thinkers: set[str] = set()
        """Models that think long before they write: their answers may be of any length, or as long as a cap allows."""

    def load(self) -> None:
        """Load the clients of all models and the price list, for which the first call would wait; nothing is asked.

        Whatever fails here fails again, and is told, where a model is called.
        """
        for name in map(ModelName.parse, self.names.values()):
            with suppress(Exception):
                self._connections.model(name)
                core.price_usd(name.name, 0, 0, provider=name.provider)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._connections.aclose()

    def replace(self, role: core.Role, refused: str) -> bool:
        """Have another role's model play a role whose model `refused`; return whether another one plays it now.

        It is one of the same provider: nobody is told what was not meant for them.
        """
        self._refused.add(refused)
        if self.names[role] != refused:
            return True  # Whoever called at the same time has seen to it.
        for other in _STAND_INS:
            if self.names[other] not in self._refused and self.provider(other) == self.provider(role):
                self.names[role] = self.names[other]
                return True
        return False

    def _name(self, role: core.Role) -> ModelName:
        return ModelName.parse(self.names[role])

    def provider(self, role: core.Role) -> str:
        """Return who serves the model of `role`: `openai`, `anthropic`, …"""
        return self._name(role).provider

    def served_by(self, role: core.Role) -> ChatProvider:
        """Return how the model of `role` is asked."""
        return self._name(role).served_by

    def identity(self, role: core.Role) -> str:
        """Return what tells the model of `role` from any other, the server's address included."""
        return self._connections.identity(self._name(role))

    async def call(
        self,
        role: core.Role,
        messages: Sequence[BaseMessage],
        *,
        tools: Sequence[dict[str, Any]] = (),
        tool_choice: str = "auto",
        seconds: float | None = None,
        tokens: int | None = None,
        **parameters: Any,
    ) -> AIMessage:
        """Return the answer of the model of `role`.

        Args:
            role: Whose model to call.
            messages: The conversation.
            tools: Tools that the model may call, in OpenAI's form.
            tool_choice: `auto`, or `any` if a tool must be called.
            seconds: How long it may take, retries included.
            tokens: How long its answer will about be, where that is known.
            parameters: Further parameters of the request.

        Raises:
            ModelError: the call failed after the client's retries.
            CapReached: the run's cap leaves no room for it.
        """
        call = partial(
            self._whole,
            role,
            messages,
            parameters,
            tools=tools,
            tool_choice=tool_choice,
            seconds=seconds,
            tokens=tokens,
        )
        model = self.identity(role)
        while True:
            limit = "" if model in self._unlimited else self.served_by(role).limit
            is_thinker = model in self._thinkers
            try:
                answer = await call(limit=limit)
            except (core.ContextOverflow, RequestRejected) as error:
                if not limit or not _ON_OUTPUT.search(error.detail):
                    raise
                self._unlimited.add(model)
            else:
                if not limit or is_thinker or not is_cut_in_thought(answer):
                    return answer
                self._thinkers.add(model)

    async def _whole(
        self,
        role: core.Role,
        messages: Sequence[BaseMessage],
        parameters: Mapping[str, Any],
        *,
        tools: Sequence[dict[str, Any]],
        tool_choice: str,
        seconds: float | None,
        tokens: int | None,
        limit: str = "",
    ) -> AIMessage:
        """`limit` is the parameter that says how long the answer may become: for models that think, as a cap allows."""
        is_thinker = self.identity(role) in self._thinkers
        longest = core.ANSWER_TOKENS[role] * (_THOUGHTFUL if is_thinker else _PATIENCE)
        if tokens is not None and not is_thinker:
            longest = min(longest, tokens * _KNOWN)
        planned = core.PlannedCall(role, self.names[role], _prompt_tokens(messages, tools, parameters), longest=longest)
        admission, pace = await self._admit(planned), self._pace(role)
        patience = pace.patience(role, core.Awaited.WHOLE, planned.input_tokens, seconds or self.seconds)

        async def begin(is_spare: bool) -> AIMessage:
            ticket = await self._admit(replace(planned, is_spare=True)) if is_spare else admission
            began = time.monotonic()
            with self._metered(role, ticket) as tally:
                model = self._connections.model(self._name(role))
                runnable: Runnable[LanguageModelInput, AIMessage] = (
                    model.bind_tools(tools, tool_choice=tool_choice) if tools else model
                )
                most = ticket.longest or (None if is_thinker else longest)
                limited = {**parameters, limit: most} if limit and most else parameters
                left = patience.limit - patience.again * is_spare
                async with asyncio.timeout(min(left, ticket.seconds)):
                    message = await runnable.ainvoke(list(messages), **limited)
                tally.count(message)
            pace.note(role, core.Awaited.WHOLE, planned.input_tokens, time.monotonic() - began)
            return message

        return await core.hedged(begin, patience, pace)

    async def stream(self, role: core.Role, messages: Sequence[BaseMessage]) -> AsyncGenerator[AIMessageChunk]:
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
                if begun or wishes or not self.served_by(role).takes_schema:
                    raise
            else:
                return

    async def _stream(
        self, role: core.Role, messages: Sequence[BaseMessage], **parameters: Any
    ) -> AsyncGenerator[AIMessageChunk]:
        planned = core.PlannedCall(role, self.names[role], _prompt_tokens(messages), is_report=True)
        admission, pace = await self._admit(planned), self._pace(role)
        patience = pace.patience(role, core.Awaited.FIRST, planned.input_tokens, self.seconds)

        async def begin(is_spare: bool) -> tuple[AIMessageChunk | None, AsyncGenerator[AIMessageChunk]]:
            ticket = await self._admit(replace(planned, is_spare=True)) if is_spare else admission
            pieces = self._pieces(role, messages, ticket, patience.limit - patience.again * is_spare, parameters)
            return await anext(pieces, None), pieces

        first, pieces = await core.hedged(begin, patience, pace, lambda begun: begun[1].aclose())
        async with aclosing(pieces):
            if first is not None:
                yield first
            async for piece in pieces:
                yield piece

    async def _pieces(
        self,
        role: core.Role,
        messages: Sequence[BaseMessage],
        admission: core.Admission,
        seconds: float,
        parameters: Mapping[str, Any],
    ) -> AsyncGenerator[AIMessageChunk]:
        """Yield an answer in pieces; it has `seconds` to begin.

        Many servers send an empty piece before the model does anything: it is no beginning, and passed over. What a
        model thinks before it answers comes as empty pieces too, but as more than one.
        """
        pace, drip, longest, count, written = self._pace(role), core.Drip(), 0.0, 0, 0
        before = time.monotonic()
        ends = before + seconds
        with self._metered(role, admission) as tally:
            stream = self._connections.model(self._name(role)).astream(list(messages), **parameters)
            async with aclosing(cast("AsyncGenerator[AIMessageChunk]", stream)) as pieces:
                while (piece := await _next(pieces, min(ends - time.monotonic(), admission.seconds))) is not None:
                    count, at = count + 1, time.monotonic()
                    tally.count(piece)
                    if count == 1 and not piece.text:
                        continue
                    if drip.is_unused:
                        pace.note(role, core.Awaited.FIRST, admission.call.input_tokens, at - before)
                    else:
                        longest = max(longest, at - before)
                    before, ends = at, at + pace.gap(role, self.seconds)
                    if drip.is_dry(len(piece.text), at):
                        raise TimeoutError
                    written += core.tokens_in(piece.text)
                    if admission.longest is not None and written > admission.longest:
                        tally.output_tokens = max(tally.output_tokens, written)
                        raise core.CapReached(self.names[role])
                    yield piece
        pace.note(role, core.Awaited.GAP, 0, longest)

    def _pace(self, role: core.Role) -> core.Pace:
        return self._paces(self.identity(role))

    @contextmanager
    def _metered(self, role: core.Role, admission: core.Admission) -> Iterator[_Tally]:
        tally, started, error = _Tally(), time.monotonic(), ""
        name = self._name(role)
        try:
            yield tally
        except (asyncio.CancelledError, GeneratorExit) as raised:
            error = (
                core.OUTRUN if isinstance(raised, asyncio.CancelledError) and core.is_outrun(raised) else "cancelled"
            )
            raise
        except Exception as raised:  # noqa: BLE001 - named and raised again, whatever client it came from
            is_late = isinstance(raised, TimeoutError) and admission.seconds <= 0
            is_cut = is_late or isinstance(raised, core.CapReached)
            failure = (
                core.CapReached(self.names[role]) if is_cut else translate(raised, self.names[role], self._secrets)
            )
            error = failure.code
            raise failure from None  # The original may quote the key.
        finally:
            if error in core.GIVEN_UP and not tally.input_tokens:
                # The server has read the prompt, and may bill it, although nobody is told.
                tally.input_tokens = admission.call.input_tokens
            uncounted = not (tally.input_tokens or tally.output_tokens or error)
            used = asdict(tally)
            call = core.ModelCalled(
                role=role,
                model=self.names[role],
                seconds=time.monotonic() - started,
                cost_usd=None if uncounted else core.price_usd(name.name, **used, provider=name.provider),
                error=error,
                **used,
            )
            self._emit(call)
            admission.close(call)


async def _next(pieces: AsyncIterator[AIMessageChunk], seconds: float) -> AIMessageChunk | None:
    async with asyncio.timeout(seconds):
        return await anext(pieces, None)


def _prompt_tokens(messages: Sequence[BaseMessage], *more: object) -> int:
    """Return about how many tokens a prompt has; `more` is what goes with it, as JSON."""
    written = [message.content if isinstance(message.content, str) else str(message.content) for message in messages]
    return sum(map(core.tokens_in, written)) + sum(
        core.tokens_in(json.dumps(part, default=str)) for part in more if part
    )


def build_role_models(
    settings: Settings,
    preset: core.Preset,
    emit: core.Emit,
    *,
    call_seconds: float = CALL_SECONDS,
    admit: core.Admit = core.freely,
    paces: Callable[[str], core.Pace] = core.pace_of,
    language: Language = Language.EN,
) -> RoleModels:
    """Return the preset's models, where the settings name no other, at the settings' address.

    Nothing is called or opened yet; `admit` is asked for room before each call, `paces` for what is usual of a model.

    Raises:
        UsageError: who serves a model is not set up, or needs a package that is not installed.
    """
    names = settings.models_by(preset.models)
    for name in map(ModelName.parse, names.values()):
        name.served_by.require(name.name, settings.values_of(name.served_by), language)
    connections = Connections(settings, call_seconds)
    return RoleModels(names, connections, emit, secrets=settings.secrets, admit=admit, paces=paces)
