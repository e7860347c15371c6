"""OpenAI's web search: the tool `web_search` of the Responses API."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from pydantic import BaseModel

from research.sources.model_search.answer import Answer, NamedPage, location, prompt
from research.sources.protocol import SearchRequest
from research.sources.urls import canonical_url

MODEL = "gpt-5.4-mini"
_THEN = "Then list the pages that fit best, one line each: the title and a citation."
_ANSWER_TOKENS = 2_000
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


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_details: _Details | None = None


class _Response(BaseModel):
    status: str | None = None
    output: list[_Item]
    usage: _Usage | None = None


class OpenAISearch:
    """Asks a model of OpenAI for one search."""

    provider = "openai"
    path = "/responses"

    def __init__(self, model: str | None = None) -> None:
        self.model = model or MODEL

    def body(self, request: SearchRequest, today: date) -> dict[str, Any]:
        """Return what is sent. Sites are asked for in words: the tool can only be held to sites, not from them."""
        tool = {"type": "web_search", "search_context_size": "low", "user_location": location(request)}
        return {
            "model": self.model,
            "input": prompt(request, today, _THEN),
            "tools": [tool],
            "tool_choice": "required",
            "max_tool_calls": 1,
            "max_output_tokens": _ANSWER_TOKENS,
            "include": ["web_search_call.action.sources"],
            "store": False,
        }

    def answer(self, body: object) -> Answer:
        """Return the pages that the search named: first those that the model cited.

        Raises:
            pydantic.ValidationError: it is not what the provider sends.
        """
        response = _Response.model_validate(body)
        usage = response.usage or _Usage()
        details = usage.input_tokens_details
        return Answer(
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
