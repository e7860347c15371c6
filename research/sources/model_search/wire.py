"""Calls to the providers of models: one request, one answer, failures named."""

from __future__ import annotations

from collections.abc import Mapping

import httpx

from research.errors import SourceError
from research.sources.refusals import scrubbed, turned_away

_CODES = {
    400: "search_unsupported",
    401: "search_unauthorized",
    402: "search_quota",
    403: "search_unauthorized",
    404: "search_unsupported",
    405: "search_unsupported",
    422: "search_unsupported",
    429: "search_quota",
    501: "search_unsupported",
}
"""Of requests that this program makes the same way each time: what a server does not accept, it does not offer."""


class Wire:
    """The way to one provider."""

    def __init__(self, address: str, headers: Mapping[str, str], secret: str, seconds: float) -> None:
        self._address = address.rstrip("/")
        self._headers = dict(headers)
        self._secret = secret
        self._seconds = seconds

    async def post(self, path: str, body: object) -> object:
        """Return the provider's answer.

        Raises:
            TurnedAway: the provider refused, or failed.
            SourceError: it could not be reached in time, or its answer is unreadable.
        """
        try:
            async with httpx.AsyncClient(timeout=self._seconds) as client:
                response = await client.post(f"{self._address}{path}", json=body, headers=self._headers)
        except UnicodeEncodeError as error:
            raise SourceError("search_unauthorized", "the key holds letters that no key has") from error
        except httpx.TimeoutException as error:
            raise SourceError("search_timeout", f"no answer within {self._seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            detail = scrubbed(str(error) or type(error).__name__, self._secret)
            raise SourceError("search_unreachable", detail) from error
        if response.status_code != 200:
            raise turned_away(response.status_code, response.content, response.headers, _CODES, self._secret)
        try:
            return response.json()
        except ValueError as error:
            raise SourceError("search_failed", "the answer is unreadable") from error
