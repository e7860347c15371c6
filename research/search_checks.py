"""Whether those who search the web can be used: one real search each, and its outcome."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr, ValidationError

from research.analysts.chat.models import scrub
from research.checks import Check, Outcome
from research.core.errors import SourceError
from research.kept_values import is_address
from research.settings import Settings
from research.sources.choosing import EXTRAS, PACKAGES, anthropic_wire, openai_wire
from research.sources.model_providers import AnthropicSearch, OpenAISearch
from research.sources.pages import TurnedAway
from research.sources.protocol import SearchRequest
from research.sources.tavily import TavilyWire
from research.web_search import WebSearch

if TYPE_CHECKING:
    from research.sources.model_search import Dialect, Wire


SECONDS = 15.0
"""How long Tavily may take to answer."""
MODEL_SECONDS = 60.0
"""How long a model may take to search once."""
_QUERY = "weather"
_OUTCOMES = {
    "search_unauthorized": Outcome.REFUSED,
    "search_quota": Outcome.QUOTA,
    "search_unreachable": Outcome.UNREACHABLE,
    "search_timeout": Outcome.TIMEOUT,
}


def check_tavily(settings: Settings, *, seconds: float = SECONDS) -> Check:
    """Search the web once with Tavily. Costs one search of the plan."""
    unasked = _unasked(WebSearch.TAVILY, settings.has_tavily, settings.tavily_base_url)
    if unasked is not None:
        return unasked
    key = _revealed(settings.tavily_api_key)
    return _timed(_by_tavily(TavilyWire(key, settings.tavily_base_url, seconds)), key)


def check_anthropic(settings: Settings, *, seconds: float = MODEL_SECONDS) -> Check:
    """Have a model of Anthropic search the web once. Costs one search and a few thousand tokens."""
    unasked = _unasked(WebSearch.ANTHROPIC, settings.has_anthropic, settings.anthropic_base_url)
    if unasked is not None:
        return unasked
    asked = AnthropicSearch(settings.search_model(WebSearch.ANTHROPIC))
    wire = anthropic_wire(settings, seconds)
    return _timed(_by_model(asked, wire), _revealed(settings.anthropic_api_key), asked.model)


def check_openai(settings: Settings, *, seconds: float = MODEL_SECONDS) -> Check:
    """Have a model search the web once, where chat models are asked. Costs one search and a few thousand tokens."""
    unasked = _unasked(WebSearch.OPENAI, settings.has_models, settings.openai_base_url)
    if unasked is not None:
        return unasked
    asked = OpenAISearch(settings.search_model(WebSearch.OPENAI))
    wire = openai_wire(settings, seconds)
    return _timed(_by_model(asked, wire), _revealed(settings.openai_api_key), asked.model, is_shared=True)


def _unasked(who: WebSearch, is_set: bool, address: str | None) -> Check | None:
    """Return why there is nobody to ask, if so."""
    if not is_set:
        return Check(Outcome.NOT_SET)
    if address is not None and not is_address(address):
        return Check(Outcome.NO_ADDRESS)
    return Check(Outcome.NO_PACKAGE, subject=EXTRAS[who]) if find_spec(PACKAGES[who]) is None else None


def _revealed(key: SecretStr | None) -> str:
    return key.get_secret_value() if key is not None else ""


def _timed(search: Coroutine[Any, Any, Outcome], key: str, model: str = "", *, is_shared: bool = False) -> Check:
    """Carry out a check; what fails has its outcome, and the key is in none of it.

    Args:
        search: the check.
        key: what the server was given.
        model: the one that is asked to search.
        is_shared: whether the address serves chat as well, so that a path that is missing there is no wrong address.
    """
    began, detail = time.monotonic(), ""
    try:
        outcome = asyncio.run(search)
    except SourceError as error:
        detail = scrub(error.detail, [key] if key else [])
        is_right = is_shared and error.code == "search_unsupported"
        outcome = Outcome.NO_SEARCH if is_right else _outcome(error, detail, model)
    if outcome is Outcome.REFUSED and not key:
        outcome = Outcome.KEY_MISSING
    return Check(outcome, time.monotonic() - began, subject=model, detail=detail)


def _outcome(error: SourceError, detail: str, model: str) -> Outcome:
    if error.code in _OUTCOMES:
        return _OUTCOMES[error.code]
    if isinstance(error, TurnedAway) and detail.startswith("HTTP 5"):
        return Outcome.FAILED
    # Whoever knows the request well enough to refuse it, or names the model, is the right kind of server.
    is_known = detail.startswith(("HTTP 400", "HTTP 422")) or model in detail
    return Outcome.NO_SEARCH if model and is_known else Outcome.FOREIGN


async def _by_tavily(wire: TavilyWire) -> Outcome:
    async with wire.opened() as opened:
        answer = await opened.ask({"query": _QUERY, "max_results": 1, "search_depth": "basic"})
    return Outcome.WORKS if isinstance(answer, dict) and "results" in answer else Outcome.FOREIGN


async def _by_model(asked: Dialect, wire: Wire) -> Outcome:
    body = await wire.post(asked.path, asked.body(SearchRequest(_QUERY, 1), datetime.now(UTC).date()))
    try:
        answer = asked.answer(body)
    except ValidationError:
        return Outcome.FOREIGN
    if answer.error:
        raise SourceError(answer.error, f"{asked.model}: the service could not search")
    return Outcome.WORKS if answer.searched else Outcome.NO_SEARCH
