"""Calls to Tavily's search service: connections, and failures named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self

from research.errors import SourceError
from research.sources.refusals import scrubbed, turned_away

if TYPE_CHECKING:
    import httpx
    from tavily import AsyncTavilyClient

_CODES = {
    400: "search_bad_request",
    401: "search_unauthorized",
    403: "search_unauthorized",
    422: "search_bad_request",
    429: "search_quota",
    432: "search_quota",
    433: "search_quota",
}


class TavilyWire:
    """Connections to the service, shared by searches that are under way at the same time."""

    def __init__(self, key: str, address: str | None, timeout_seconds: float) -> None:
        self._key = key
        self._address = address
        self._timeout = timeout_seconds
        self._searches = 0
        self._transport: httpx.AsyncClient | None = None
        self._client: AsyncTavilyClient | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Self]:
        """Keep the connections open; the last to leave closes them, in the event loop that used them.

        Raises:
            SourceError: the key or the address cannot be used at all.
        """
        if self._client is None:
            self._open()
        self._searches += 1
        try:
            yield self
        finally:
            self._searches -= 1
            if not self._searches and self._transport is not None:
                transport, self._transport, self._client = self._transport, None, None
                await transport.aclose()

    async def ask(self, parameters: dict[str, Any]) -> object:
        """Return the service's answer to one search.

        Raises:
            TurnedAway: the service refused, or failed.
            SourceError: it could not be reached in time, or its answer is unreadable.
        """
        import httpx
        from tavily.errors import TimeoutError as TavilyTimeout

        if self._client is None:
            raise RuntimeError("The connections are not open.")
        try:
            return await self._client.search(**parameters, timeout=self._timeout)
        except (TavilyTimeout, httpx.TimeoutException) as error:
            raise SourceError("search_timeout", f"no answer within {self._timeout:g} s") from error
        except httpx.TransportError as error:
            raise SourceError("search_unreachable", self._scrubbed(str(error) or type(error).__name__)) from error
        except httpx.HTTPError as error:
            raise SourceError("search_failed", self._scrubbed(str(error))) from error
        except (ValueError, AttributeError) as error:
            # What the client raises where the answer is no JSON, or no object.
            raise SourceError("search_failed", "the answer is unreadable") from error

    def _open(self) -> None:
        try:
            import httpx
            from tavily import AsyncTavilyClient
        except ImportError as error:
            raise SourceError("search_failed", "pip install 'research-workbench[tavily]'") from error
        try:
            self._transport = httpx.AsyncClient(event_hooks={"response": [self._check]})
            # An empty key is passed on as it is, or the client would read the environment by itself.
            self._client = AsyncTavilyClient(api_key=self._key, api_base_url=self._address, client=self._transport)
        except UnicodeEncodeError as error:
            raise SourceError("search_unauthorized", "the key holds letters that no key has") from error
        except httpx.InvalidURL as error:
            raise SourceError("search_unreachable", str(error)) from error

    async def _check(self, response: httpx.Response) -> None:
        if response.status_code == 200:
            return
        raise turned_away(response.status_code, await response.aread(), response.headers, _CODES, self._key)

    def _scrubbed(self, detail: str) -> str:
        return scrubbed(detail, self._key)
