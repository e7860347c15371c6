"""Anthropic's models over the connections of a run; needs the extra `anthropic`."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from anthropic import AsyncAnthropic
from langchain_anthropic import ChatAnthropic
from pydantic import Field


class PooledChatAnthropic(ChatAnthropic):
    """Asks over connections that are given to it; LangChain's own class has no place for them.

    Its own are kept for the whole process, follow redirects, and unpack whatever comes.
    """

    pool: Any = Field(exclude=True, repr=False)
    """An `httpx2.AsyncClient`, which whoever made it closes."""

    @cached_property
    def _async_client(self) -> AsyncAnthropic:
        return AsyncAnthropic(**self._client_params, http_client=self.pool)
