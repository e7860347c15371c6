"""Asking a service that searches: one bounded call, failures named and without keys, one repeat where it is busy."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TypeVar

import httpx

from research.core import SourceError, without_secrets
from research.core.wire import for_service

T = TypeVar("T")

AGENT = "research-workbench/0.1"
"""How the program names itself to sites and services."""
_LARGEST = 16_000_000
"""Bytes of an answer: Tavily's with 20 pages in full has a tenth of it; those of models hold no pages."""
_LONGEST_WAIT = 10.0
"""Seconds of a Retry-After that are worth waiting for."""
_DETAIL_LENGTH = 300


class TurnedAway(SourceError):
    """The service answered, but not with results."""

    def __init__(self, code: str, detail: str, wait_seconds: float | None) -> None:
        super().__init__(code, detail)
        self.wait_seconds = wait_seconds
        """After so long a second try makes sense; None if it makes none."""


@cache
def certificates() -> ssl.SSLContext:
    """Return what is trusted; reading it takes longer than a search should wait each time."""
    return httpx.create_ssl_context()


@asynccontextmanager
async def asking(seconds: float, secret: str, codes: Mapping[int, str]) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client for one call; what fails within the block is raised as an error of this package.

    Args:
        seconds: how long each step of the call may take.
        secret: what must not appear in an error, whoever echoed it.
        codes: the code of each HTTP status that has one of its own.

    Raises:
        TurnedAway: the service refused, or failed.
        SourceError: it could not be reached in time, or its answer is unreadable.
    """

    async def check(response: httpx.Response) -> None:
        if response.status_code != 200:
            raise _turned_away(response, await response.aread(), codes, secret)

    try:
        client = httpx.AsyncClient(timeout=seconds, event_hooks={"response": [check]}, verify=certificates())
        async with for_service(client, _LARGEST):
            yield client
    except UnicodeEncodeError as error:
        raise SourceError("search_unauthorized", "the key holds letters that no key has") from error
    except httpx.TimeoutException as error:
        raise SourceError("search_timeout", f"no answer within {seconds:g} s") from error
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise SourceError("search_unreachable", scrubbed(str(error) or type(error).__name__, secret)) from error
    except httpx.HTTPError as error:
        raise SourceError("search_failed", scrubbed(str(error), secret)) from error
    except (ValueError, AttributeError, RecursionError) as error:
        # The answer is no JSON, or no object where a client expects one, or lists in lists without an end.
        raise SourceError("search_failed", "the answer is unreadable") from error


_turns: dict[str, float] = {}
_taking = threading.Lock()


async def turn(site: str, gap: float) -> None:
    """Wait until a site may be asked again: requests of all runs of a process begin `gap` seconds apart, at least."""
    with _taking:
        now = time.monotonic()
        at = max(now, _turns.get(site, 0.0))
        _turns[site] = at + gap
    await asyncio.sleep(at - now)


@dataclass(frozen=True)
class Wire:
    """The way to a provider of models that search."""

    address: str
    headers: Mapping[str, str]
    secret: str
    seconds: float

    async def post(self, path: str, body: object) -> object:
        """Return the provider's answer; errors are those of `asking`."""
        async with asking(self.seconds, self.secret, _CODES) as client:
            url = f"{self.address.rstrip('/')}{path}"
            answer: object = (await client.post(url, json=body, headers=dict(self.headers))).json()
            return answer


_CODES = {
    401: "search_unauthorized",
    402: "search_quota",
    403: "search_unauthorized",
    429: "search_quota",
    **dict.fromkeys((400, 404, 405, 422, 501), "search_unsupported"),
}
"""Of requests that this program makes the same way each time: what a server does not accept, it does not offer."""


async def tried_twice(ask: Callable[[], Awaitable[T]]) -> T:
    """Return what `ask` returns; where the service says that it is only busy, ask once more.

    Raises:
        SourceError: the search failed.
    """
    try:
        return await ask()
    except TurnedAway as first:
        if first.wait_seconds is None:
            raise
        await asyncio.sleep(first.wait_seconds)
        return await ask()


def scrubbed(detail: str, secret: str) -> str:
    """Return a detail without the secret, short enough for the log."""
    return without_secrets(detail, [secret] if secret else [])[:_DETAIL_LENGTH]


def _turned_away(response: httpx.Response, body: bytes, codes: Mapping[int, str], secret: str) -> TurnedAway:
    status, said = response.status_code, " ".join(body.decode("utf-8", "replace").split())
    wait = None
    if status == 429 or status >= 500:
        asked_for = _seconds_of(response.headers.get("Retry-After", ""))
        wait = (1.0 if status == 429 else 0.5) if asked_for is None else asked_for
        wait = wait if wait <= _LONGEST_WAIT else None
    return TurnedAway(codes.get(status, "search_failed"), scrubbed(f"HTTP {status}: {said}", secret), wait)


def _seconds_of(value: str) -> float | None:
    """Return the seconds of a Retry-After header, which holds a number or a date; None if it says neither."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
