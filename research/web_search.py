"""Who searches the web for a run."""

from __future__ import annotations

from enum import StrEnum


class WebSearch(StrEnum):
    """Who searches the web, as the environment variable `WEB_SEARCH` and the kept settings name it."""

    TAVILY = "tavily"
    OPENAI = "openai"
    """A model of OpenAI, with OpenAI's own web search."""
    ANTHROPIC = "anthropic"
    """A model of Anthropic, with Anthropic's own web search."""
    NONE = "none"
    """Nobody: the web is switched off."""
