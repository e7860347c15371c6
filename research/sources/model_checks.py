"""What a model can do, found out before the first run: one word in pieces, a tool, a schema, and its window.

Every provider is asked over its own wire, with the client that a run would use; servers that tell of their models are
asked for these as well, and those of this computer are looked for at their usual ports.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from research.analysts.chat import ChatProvider, ModelName, chat_providers
from research.core import PRESETS, Brief, Role, SourceError
from research.settings import Settings, azure_login
from research.sources.checks import MODEL_CODES, OUTCOMES, SECONDS, Abilities, Check, CheckOutcome, names_in, unasked

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

_FAST = 1.0
"""Seconds in which a server of this computer tells what it has."""
_REJECTED = (400, 405, 422, 501)
"""How servers say that they do not take a request as it is put."""
_QUESTION = "Reply with the word OK."
_TOOL = {
    "type": "function",
    "function": {
        "name": "note",
        "description": "Takes a note of a word.",
        "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    },
}
_SCHEMA = {
    "name": "Note",
    "strict": True,
    "schema": {
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
        "additionalProperties": False,
    },
}
_ROLES = (Role.SUMMARIZATION, Role.COMPRESSION, Role.RESEARCH, Role.PLANNING, Role.FINAL_REPORT)


def models_in_use(settings: Settings) -> dict[Role, str]:
    """Return the models of a run with the usual preset, those of the cheapest role first; empty if there are none."""
    models = settings.models_by(PRESETS[Brief.model_fields["preset"].default].models)
    return {role: models[role] for role in _ROLES if role in models}


def model_to_ask(settings: Settings, provider: ChatProvider) -> str:
    """Return the model of a provider that a check asks; an empty text where none is named."""
    preset = PRESETS[Brief.model_fields["preset"].default].models
    set_for_roles = [settings.models[role] for role in _ROLES if role in settings.models]
    own = (name for name in map(ModelName.parse, set_for_roles) if name.provider == provider.name)
    values = settings.values_of(provider)
    usual = preset[Role.SUMMARIZATION] if provider.has_presets else values.get("small") or values["model"]
    return next((name.name for name in own), usual)


def check_models(settings: Settings, model: str, *, seconds: float = SECONDS) -> Check:
    """Ask `model`, named as settings name models, for a word, a tool and a schema: some hundred tokens at most."""
    name = ModelName.parse(model)
    provider, values = name.served_by, settings.values_of(name.served_by)
    address = provider.address(values)
    if not name.name:
        return Check(CheckOutcome.NO_MODEL_NAMED)
    stopped = unasked(not provider.lacking(values), address, provider.module, provider.extra)
    if stopped is not None:
        return stopped
    if provider.logs_in and not values["key"] and not azure_login.is_there():
        return Check(CheckOutcome.NO_PACKAGE, subject=azure_login.EXTRA)
    return asyncio.run(_checked(settings, name, values, seconds))


async def _checked(settings: Settings, name: ModelName, values: Mapping[str, str], seconds: float) -> Check:
    from research.analysts.chat.models import Connections, status_of, translate

    began, provider = time.monotonic(), name.served_by
    told = _Told()
    connections = Connections(settings, seconds, retries=0)
    try:
        try:
            told = await _told(provider, values, seconds)
        except SourceError as error:
            # Only after these there is no use in asking a model: a key may be good for models and not for their list.
            if error.code in ("search_unreachable", "search_timeout"):
                return Check(OUTCOMES[error.code], time.monotonic() - began, subject=name.name)
        model = connections.model(name)
        try:
            is_streamed, text = await _word(model, seconds)
        except Exception as error:  # noqa: BLE001 - whatever its client raises has an outcome
            failure, status = translate(error, name.name, settings.secrets), status_of(error)
            is_known = bool(told.models) or name.name in str(error)
            has_key = provider.logs_in or any(map(values.get, _KEYS))
            outcome = _outcome(failure.code, status, is_known=is_known, has_key=has_key)
            return Check(outcome, time.monotonic() - began, told.models, name.name, status)
        took = time.monotonic() - began
        if not text.strip():
            return Check(CheckOutcome.NOTHING_SAID, took, told.models, name.name)
        tools, schema = await asyncio.gather(_uses_tools(model, seconds), _keeps_schema(provider, model, seconds))
        context = await _context(provider, values, name.name, seconds, told)
    finally:
        await connections.aclose()
    abilities = Abilities(tools, schema if provider.takes_schema else tools, is_streamed, context)
    return Check(CheckOutcome.WORKS, took, told.models, name.name, abilities=abilities)


_KEYS = ("key", "secret_key", "profile")


def _outcome(code: str, status: int | None, *, is_known: bool, has_key: bool) -> CheckOutcome:
    if code == "model_not_found" and not is_known:
        return CheckOutcome.FOREIGN
    if code in OUTCOMES:
        found = OUTCOMES[code]
        return CheckOutcome.KEY_MISSING if found is CheckOutcome.REFUSED and not has_key else found
    return CheckOutcome.FOREIGN if status is None else CheckOutcome.FAILED


async def _word(model: BaseChatModel, seconds: float) -> tuple[bool, str]:
    """Return whether the model answers in pieces, and what it said."""
    from research.analysts.chat.models import status_of, translate, without_thoughts

    text, count = "", 0
    try:
        async with asyncio.timeout(seconds):
            async for piece in model.astream(_QUESTION):
                text, count = text + piece.text, count + 1
    except Exception as error:
        # A server that cannot answer in pieces says so, or answers in a form in which nobody finds any.
        is_other = translate(error, "").code != "model_failed" or status_of(error) not in (None, *_REJECTED)
        if count or is_other:
            raise
        async with asyncio.timeout(seconds):
            return False, without_thoughts((await model.ainvoke(_QUESTION)).text)
    return True, without_thoughts(text) or text


async def _uses_tools(model: BaseChatModel, seconds: float) -> bool | None:
    """Whether the model calls a tool that it must call; None if that could not be found out."""

    async def ask() -> bool:
        answer = await model.bind_tools([_TOOL], tool_choice="any").ainvoke("Take a note of the word tea.")
        return bool(answer.tool_calls)

    return await _tried(ask(), seconds)


async def _keeps_schema(provider: ChatProvider, model: BaseChatModel, seconds: float) -> bool | None:
    """Whether the model's answer is held to a schema; None if that could not be found out."""
    if not provider.takes_schema:
        return None

    async def ask() -> bool:
        import json

        form = {"response_format": {"type": "json_schema", "json_schema": _SCHEMA}}
        answer = await model.ainvoke("Take a note of the word tea.", extra_body=form)
        try:
            return isinstance(json.loads(answer.text), dict)
        except ValueError:
            return False

    return await _tried(ask(), seconds)


async def _tried(asking: Any, seconds: float) -> bool | None:
    from research.analysts.chat.models import status_of

    try:
        async with asyncio.timeout(seconds):
            return bool(await asking)
    except Exception as error:  # noqa: BLE001 - what a server does not take has an outcome, whoever says so
        return False if status_of(error) in (404, 500, *_REJECTED) else None


# --- what servers tell of their models --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Told:
    models: tuple[str, ...] = ()
    windows: Mapping[str, int] | None = None
    """Tokens of each model, as far as the server says."""


_Rows = Callable[[Any], Sequence[tuple[str, object]]]


def _rows(of: str, name: str, *windows: str) -> _Rows:
    """Return what reads names and windows from a list under `of`."""

    def read(body: Any) -> list[tuple[str, object]]:
        entries = body.get(of) if isinstance(body, dict) else None
        found = [entry for entry in (entries if isinstance(entries, list) else []) if isinstance(entry, dict)]
        told = [(entry.get(name), next((entry[key] for key in windows if entry.get(key)), None)) for entry in found
                if entry.get("type") != "embeddings"
                and "generateContent" in entry.get("supportedGenerationMethods", ["generateContent"])]  # fmt: skip
        return [(one.removeprefix("models/"), window) for one, window in told if isinstance(one, str)]

    return read


_LISTS: Mapping[str, tuple[str, _Rows]] = {
    "openai": ("/models", _rows("data", "id", "context_length", "max_model_len", "context_window")),
    "anthropic": ("/v1/models?limit=1000", _rows("data", "id", "max_input_tokens")),
    "gemini": ("/v1beta/models?pageSize=1000", _rows("models", "name", "inputTokenLimit")),
    "ollama": ("/api/tags", _rows("models", "name")),
    "lmstudio": ("/api/v0/models", _rows("data", "id", "loaded_context_length", "max_context_length")),
    "llamacpp": ("/v1/models", _rows("data", "id")),
}


def _headers(provider: ChatProvider, values: Mapping[str, str]) -> dict[str, str]:
    key = values.get("key", "")
    if not key:
        return {}
    named = {"anthropic": {"x-api-key": key, "anthropic-version": "2023-06-01"}, "gemini": {"x-goog-api-key": key}}
    return named.get(provider.lists, {"Authorization": f"Bearer {key}"})


@asynccontextmanager
async def _client(values: Mapping[str, str], seconds: float) -> AsyncIterator[httpx.AsyncClient]:
    from research.sources.apis import asking

    async with asking(seconds, values.get("key", ""), MODEL_CODES) as client:
        yield client


def _root(provider: ChatProvider, values: Mapping[str, str]) -> str:
    address = provider.address(values)
    return address.removesuffix("/v1") if provider.is_local else address


async def _told(provider: ChatProvider, values: Mapping[str, str], seconds: float) -> _Told:
    """Return the models that a server says it has; raises `SourceError`."""
    if provider.lists not in _LISTS:
        return _Told()
    path, read = _LISTS[provider.lists]
    async with _client(values, seconds) as client:
        body = (await client.get(f"{_root(provider, values)}{path}", headers=_headers(provider, values))).json()
    rows = read(body)
    windows = {name: window for name, window in rows if isinstance(window, int) and window > 0}
    return _Told(names_in(name for name, _ in rows), windows)


async def _context(
    provider: ChatProvider, values: Mapping[str, str], model: str, seconds: float, told: _Told
) -> int | None:
    """Return the tokens that a model is given at most, as its server says, or else as price lists do."""
    if told.windows and model in told.windows:
        return told.windows[model]
    root = _root(provider, values)
    try:
        async with _client(values, seconds) as client:
            if provider.lists == "llamacpp":
                props = (await client.get(f"{root}/props")).json()
                return _positive(props.get("default_generation_settings", {}).get("n_ctx"))
            if provider.lists == "ollama":
                # It cuts what does not fit without a word, and often serves less than a model could take.
                running = (await client.get(f"{root}/api/ps")).json().get("models", [])
                used = next((one.get("context_length") for one in running if one.get("name") == model), None)
                info = (await client.post(f"{root}/api/show", json={"model": model})).json().get("model_info", {})
                most = next((value for name, value in info.items() if name.endswith(".context_length")), None)
                return _positive(used) or _positive(most)
    except SourceError:
        return None
    return _listed_window(provider, model)


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


def _listed_window(provider: ChatProvider, model: str) -> int | None:
    from genai_prices import Usage, calc_price

    from research.core.calls import PRICE_LISTS

    try:
        found = calc_price(Usage(), model, provider_id=PRICE_LISTS.get(provider.name, provider.name)).model
    except LookupError:
        return None
    return _positive(found.context_window)


def local_servers(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the models of those who serve any on this computer, by the provider's name.

    They are looked for at the usual ports, or where settings say.
    """

    async def look(provider: ChatProvider) -> tuple[str, ...]:
        try:
            return (await _told(provider, settings.values_of(provider), _FAST)).models
        except SourceError:
            return ()

    async def look_everywhere() -> list[tuple[str, ...]]:
        return await asyncio.gather(*map(look, local))

    local = [one for one in chat_providers() if one.is_local]
    found = zip(local, asyncio.run(look_everywhere()), strict=True)
    return {provider.name: models for provider, models in found if models}
