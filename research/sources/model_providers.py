"""The web searches of OpenAI's and Anthropic's models."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from pydantic import BaseModel

from research.core import canonical_url
from research.sources.model_search import NamedPage, SearchAnswer, location, prompt
from research.sources.protocol import SearchRequest

ADDRESS = "https://api.anthropic.com"
ANTHROPIC_MODEL = "claude-haiku-4-5"
_TOOL = "web_search_20250305"
_ANTHROPIC_THEN = "Then answer with the word: done"
_ANTHROPIC_TOKENS = 1_000
_MOST_BLOCKED = 50
"""Sites that the tool is told to leave out; pages of further ones are left out when they come."""
_CODES = {
    "too_many_requests": "search_quota",
    "query_too_long": "search_bad_request",
    "invalid_tool_input": "search_bad_request",
    "request_too_large": "search_bad_request",
}


class _Result(BaseModel):
    type: str = ""
    url: str = ""
    title: str | None = None
    page_age: str | None = None


class _Error(BaseModel):
    error_code: str


class _Block(BaseModel):
    type: str = ""
    content: list[_Result] | _Error | str | None = None


class _AnthropicUsage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(BaseModel):
    content: list[_Block]
    usage: _AnthropicUsage | None = None


class AnthropicSearch:
    """Asks a model of Anthropic for one search."""

    provider = "anthropic"
    path = "/v1/messages"

    def __init__(self, model: str | None = None) -> None:
        self.model = model or ANTHROPIC_MODEL

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent."""
        tool: dict[str, Any] = {
            "type": _TOOL,
            "name": "web_search",
            "max_uses": 1,
            "user_location": location(request),
        }
        if "country" not in tool["user_location"]:
            del tool["user_location"]
        if request.forbidden_sites:
            tool["blocked_domains"] = list(request.forbidden_sites[:_MOST_BLOCKED])
        return {
            "model": self.model,
            "max_tokens": _ANTHROPIC_TOKENS,
            "messages": [{"role": "user", "content": prompt(request, today, _ANTHROPIC_THEN)}],
            "tools": [tool],
        }

    def answer(self, body: object) -> SearchAnswer:
        """Return the pages that the search named.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        message = _Message.model_validate(body)
        usage = message.usage or _AnthropicUsage()
        read = usage.cache_read_input_tokens or 0
        found = [block.content for block in message.content if block.type == "web_search_tool_result"]
        pages = tuple(_named(result) for content in found if isinstance(content, list) for result in content)
        errors = [content.error_code for content in found if isinstance(content, _Error)]
        return SearchAnswer(
            pages,
            searched=bool(found),
            error=_CODES.get(errors[0], "search_failed") if errors and not pages else "",
            # This provider counts what was kept apart from the rest of the prompt.
            input_tokens=usage.input_tokens + read + (usage.cache_creation_input_tokens or 0),
            output_tokens=usage.output_tokens,
            cached_tokens=read,
        )


def _named(result: _Result) -> NamedPage:
    return NamedPage(result.url, result.title or "", result.page_age or "")


OPENAI_MODEL = "gpt-5.4-mini"
_OPENAI_THEN = "Then list the pages that fit best, one line each: the title and a citation."
_OPENAI_TOKENS = 2_000
"""What the model may write, hidden reasoning included."""


class _Source(BaseModel):
    url: str | None = None
    """Some sources are services of OpenAI's own, which have no address."""


class _Action(BaseModel):
    sources: list[_Source] | None = None


class _Annotation(BaseModel):
    type: str = ""
    url: str = ""
    title: str | None = None


class _Part(BaseModel):
    annotations: list[_Annotation] | None = None


class _Item(BaseModel):
    type: str = ""
    action: _Action | None = None
    content: list[_Part] | None = None


class _Details(BaseModel):
    cached_tokens: int | None = None


class _OpenAiUsage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_details: _Details | None = None


class _Response(BaseModel):
    status: str | None = None
    output: list[_Item]
    usage: _OpenAiUsage | None = None


class OpenAISearch:
    """Asks a model of OpenAI for one search."""

    provider = "openai"
    path = "/responses"

    def __init__(self, model: str | None = None) -> None:
        self.model = model or OPENAI_MODEL

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent. Sites are asked for in words: the tool can only be held to sites, not from them."""
        tool = {"type": "web_search", "search_context_size": "low", "user_location": location(request)}
        return {
            "model": self.model,
            "input": prompt(request, today, _OPENAI_THEN),
            "tools": [tool],
            "tool_choice": "required",
            "max_tool_calls": 1,
            "max_output_tokens": _OPENAI_TOKENS,
            "include": ["web_search_call.action.sources"],
            "store": False,
        }

    def answer(self, body: object) -> SearchAnswer:
        """Return the pages that the search named: first those that the model cited.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        response = _Response.model_validate(body)
        usage = response.usage or _OpenAiUsage()
        details = usage.input_tokens_details
        return SearchAnswer(
            tuple(_pages(response.output)),
            searched=any(item.type == "web_search_call" for item in response.output),
            error="search_failed" if response.status == "failed" else "",
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=(details.cached_tokens or 0) if details is not None else 0,
        )


def _pages(output: list[_Item]) -> Iterator[NamedPage]:
    calls = [item.action for item in output if item.type == "web_search_call" and item.action is not None]
    sources = [source.url for call in calls for source in call.sources or [] if source.url]
    found = {canonical_url(url) for url in sources}
    parts = [part for item in output for part in item.content or []]
    for cited in (note for part in parts for note in part.annotations or [] if note.type == "url_citation"):
        # A model may write any address; only what the search found is meant to be fetched.
        if not sources or canonical_url(cited.url) in found:
            yield NamedPage(cited.url, cited.title or "")
    yield from map(NamedPage, sources)
