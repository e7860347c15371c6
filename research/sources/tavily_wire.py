"""Calls to Tavily's search service: connections, and failures named."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Self

from research.errors import SourceError

if TYPE_CHECKING:
    import httpx
    from tavily import AsyncTavilyClient

_LONGEST_WAIT = 10.0
"""Seconds of a Retry-After that are worth waiting for."""
_DETAIL_LENGTH = 300
_CODES = {
    400: "search_bad_request",
    401: "search_unauthorized",
    403: "search_unauthorized",
    422: "search_bad_request",
    429: "search_quota",
    432: "search_quota",
    433: "search_quota",
}


class TurnedAway(SourceError):
    """The service answered, but not with results."""

    def __init__(self, code: str, detail: str, wait_seconds: float | None) -> None:
        super().__init__(code, detail)
        self.wait_seconds = wait_seconds
        """After so long a second try makes sense; None if it makes none."""


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
        body = (await response.aread()).decode("utf-8", "replace")
        code = _CODES.get(response.status_code, "search_failed")
        detail = f"HTTP {response.status_code}: {' '.join(body.split())}"
        raise TurnedAway(code, self._scrubbed(detail), _wait_seconds(response))

    def _scrubbed(self, detail: str) -> str:
        return (detail.replace(self._key, "***") if self._key else detail)[:_DETAIL_LENGTH]


def _wait_seconds(response: httpx.Response) -> float | None:
    status = response.status_code
    if status != 429 and status < 500:
        return None
    wanted = _retry_after(response.headers.get("Retry-After", ""))
    if wanted is None:
        return 1.0 if status == 429 else 0.5
    return wanted if wanted <= _LONGEST_WAIT else None


def _retry_after(value: str) -> float | None:
    """Return the seconds of a Retry-After header, which holds a number or a date; None if it says neither."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
