"""What the refusals of search services mean, and which of them are worth a second try."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from research.errors import SourceError

T = TypeVar("T")

_LONGEST_WAIT = 10.0
"""Seconds of a Retry-After that are worth waiting for."""
_DETAIL_LENGTH = 300


class TurnedAway(SourceError):
    """The service answered, but not with results."""

    def __init__(self, code: str, detail: str, wait_seconds: float | None) -> None:
        super().__init__(code, detail)
        self.wait_seconds = wait_seconds
        """After so long a second try makes sense; None if it makes none."""


def turned_away(
    status: int, body: bytes, headers: Mapping[str, str], codes: Mapping[int, str], secret: str = ""
) -> TurnedAway:
    """Return the error that an answer without results amounts to.

    Args:
        status: of the HTTP answer.
        body: what the service says.
        headers: of the answer, by name in any case.
        codes: the code of each status that has one of its own.
        secret: what must not appear in the error, whoever echoed it.
    """
    text = " ".join(body.decode("utf-8", "replace").split())
    detail = scrubbed(f"HTTP {status}: {text}", secret)
    wait = _wait_seconds(status, headers.get("Retry-After", ""))
    return TurnedAway(codes.get(status, "search_failed"), detail, wait)


def scrubbed(detail: str, secret: str) -> str:
    """Return a detail without the secret, short enough for the log."""
    return (detail.replace(secret, "***") if secret else detail)[:_DETAIL_LENGTH]


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


def _wait_seconds(status: int, retry_after: str) -> float | None:
    if status != 429 and status < 500:
        return None
    wanted = _seconds_of(retry_after)
    if wanted is None:
        return 1.0 if status == 429 else 0.5
    return wanted if wanted <= _LONGEST_WAIT else None


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
