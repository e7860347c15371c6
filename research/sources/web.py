"""Makes the source that searches the web, for whoever is to search it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from research.analysts.chat.providers import OPENAI_ADDRESS
from research.events import Emit
from research.settings import Settings
from research.sources.protocol import Source
from research.sources.tavily import Depth, TavilySource
from research.spending import Admit
from research.web_search import WebSearch

if TYPE_CHECKING:
    from research.sources.model_search.source import ModelSearchSource
    from research.sources.model_search.wire import Wire

PACKAGES = {WebSearch.TAVILY: "tavily", WebSearch.OPENAI: "httpx", WebSearch.ANTHROPIC: "httpx"}
"""The module that each way of searching needs."""
EXTRAS = {WebSearch.TAVILY: "tavily", WebSearch.OPENAI: "web", WebSearch.ANTHROPIC: "web"}
"""The extra of this package that brings it."""
_SECONDS = 90.0
"""How long a model may take to search once."""


def web_source(settings: Settings, depth: Depth, emit: Emit, admit: Admit) -> Source:
    """Return the source for `settings.searcher`. Nothing is called or opened yet.

    Args:
        settings: keys and addresses; `settings.has_web` is true.
        depth: of Tavily's searches.
        emit: told of each call of a model that searches.
        admit: asked for room before each such call.
    """
    match settings.searcher:
        case WebSearch.OPENAI:
            return _openai(settings, emit, admit)
        case WebSearch.ANTHROPIC:
            return _anthropic(settings, emit, admit)
        case _:
            return TavilySource(settings, depth=depth)


def _openai(settings: Settings, emit: Emit, admit: Admit) -> ModelSearchSource:
    from research.sources.model_search.openai import OpenAISearch
    from research.sources.model_search.source import ModelSearchSource

    asked = OpenAISearch(settings.search_model(WebSearch.OPENAI))
    return ModelSearchSource(asked, openai_wire(settings, _SECONDS), emit, admit=admit)


def _anthropic(settings: Settings, emit: Emit, admit: Admit) -> ModelSearchSource:
    from research.sources.model_search.anthropic import AnthropicSearch
    from research.sources.model_search.source import ModelSearchSource

    asked = AnthropicSearch(settings.search_model(WebSearch.ANTHROPIC))
    return ModelSearchSource(asked, anthropic_wire(settings, _SECONDS), emit, admit=admit)


def openai_wire(settings: Settings, seconds: float) -> Wire:
    """Return the way to OpenAI, or to whoever answers in its place; an answer may take `seconds`."""
    from research.sources.model_search.wire import Wire

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key is not None else ""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return Wire(settings.openai_base_url or OPENAI_ADDRESS, headers, key, seconds)


def anthropic_wire(settings: Settings, seconds: float) -> Wire:
    """Return the way to Anthropic, or to whoever answers in its place; an answer may take `seconds`."""
    from research.sources.model_search.anthropic import ADDRESS
    from research.sources.model_search.wire import Wire

    key = settings.anthropic_api_key.get_secret_value() if settings.anthropic_api_key is not None else ""
    headers = {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}
    return Wire(settings.anthropic_base_url or ADDRESS, headers, key, seconds)
