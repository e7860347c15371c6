"""Anthropic's web search: the server tool `web_search` of the Messages API."""

from __future__ import annotations

from datetime import date
from typing import Any

from pydantic import BaseModel

from research.sources.model_search.answer import Answer, NamedPage, location, prompt
from research.sources.protocol import SearchRequest

ADDRESS = "https://api.anthropic.com"
MODEL = "claude-haiku-4-5"
_TOOL = "web_search_20250305"
_THEN = "Then answer with the word: done"
_ANSWER_TOKENS = 1_000
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


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class _Message(BaseModel):
    content: list[_Block]
    usage: _Usage | None = None


class AnthropicSearch:
    """Asks a model of Anthropic for one search."""

    provider = "anthropic"
    path = "/v1/messages"

    def __init__(self, model: str | None = None) -> None:
        self.model = model or MODEL

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
            "max_tokens": _ANSWER_TOKENS,
            "messages": [{"role": "user", "content": prompt(request, today, _THEN)}],
            "tools": [tool],
        }

    def answer(self, body: object) -> Answer:
        """Return the pages that the search named.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        message = _Message.model_validate(body)
        usage = message.usage or _Usage()
        read = usage.cache_read_input_tokens or 0
        found = [block.content for block in message.content if block.type == "web_search_tool_result"]
        pages = tuple(_named(result) for content in found if isinstance(content, list) for result in content)
        errors = [content.error_code for content in found if isinstance(content, _Error)]
        return Answer(
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
