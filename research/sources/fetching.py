"""Fetches public pages, and only public ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

from research.core import SourceError, canonical_url, is_public
from research.core.wire import Allowed, bound, confine
from research.library import Document, Stop, UnreadableFile, in_own_thread, read_apart
from research.sources.pages import clean_text, clean_title
from research.sources.services import certificates

MAX_BYTES = 10_000_000
MAX_REDIRECTS = 5
_AGENT = "research-workbench/0.1"
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/plain;q=0.9,text/markdown;q=0.9"
_STEM = "page"
"""What a reader calls a page that has no title."""
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
}
_PDF = b"%PDF-"
_SAID_FOR_ANOTHER = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "cp1252", "shift_jis": "cp932"}
"""Encodings that servers name where they mean a wider one."""


@dataclass(frozen=True)
class Fetched:
    """A page as it was found."""

    url: str
    """Canonical address that it came from, after redirects."""
    title: str
    """What the page calls itself; empty if it does not say."""
    text: str
    published: str | None


Fetch = Callable[[str], Awaitable[Fetched]]


class Fetcher:
    """Fetches pages. Only addresses that a search returned may be given to it."""

    def __init__(self, *, seconds: float = 20.0, largest: int = MAX_BYTES, allowed: Allowed = is_public) -> None:
        """Set the limits of one page.

        Args:
            seconds: for all of it: redirects, download and reading.
            largest: bytes, unpacked.
            allowed: says which IP addresses pages may come from; another rule is for servers on loopback in tests.
        """
        self._seconds = seconds
        self._largest = largest
        self._allowed = allowed

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Fetch]:
        """Return what fetches one page, as long as the connections are open.

        It raises a `SourceError` (`pages_unreadable`) for a page that cannot be had; other pages are not affected.
        """
        # The proxies of the environment are left out: behind one, nobody sees where a name leads.
        transport = httpx.AsyncHTTPTransport(verify=await asyncio.to_thread(certificates), trust_env=False)
        confine(transport, self._allowed)
        client = httpx.AsyncClient(
            transport=transport,
            headers={"User-Agent": _AGENT, "Accept": _ACCEPT},
            timeout=self._seconds,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
        )
        bound(client, self._largest)
        async with client:
            yield partial(self._fetch, client)

    async def _fetch(self, client: httpx.AsyncClient, url: str) -> Fetched:
        try:
            async with asyncio.timeout(self._seconds):
                async with client.stream("GET", url) as response:
                    if response.status_code != 200:
                        raise _unreadable(url, f"HTTP {response.status_code}")
                    data = await response.aread()
                document = await in_own_thread(partial(_document, data, response))
        except (TimeoutError, httpx.TimeoutException) as error:
            raise _unreadable(url, f"not read within {self._seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last of a host that is no Punycode
            raise _unreadable(url, str(error) or type(error).__name__) from error
        except UnreadableFile as error:
            raise _unreadable(url, f"{error.code}: {error}") from error
        address = canonical_url(str(response.url))
        if address is None:
            raise _unreadable(url, "it leads to something that is no page")
        title = "" if document.title == _STEM else clean_title(document.title)
        return Fetched(address, title, clean_text(document.text), document.published)


def _unreadable(url: str, detail: str) -> SourceError:
    return SourceError("pages_unreadable", f"{url}: {detail}"[:300])


def _document(data: bytes, response: httpx.Response, stop: Stop) -> Document:
    """Return what a reader of files makes of an answer.

    Raises:
        UnreadableFile: there is no text in it.
    """
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    suffix = ".pdf" if data.startswith(_PDF) else _SUFFIXES.get(kind)
    if suffix is None or (suffix == ".pdf" and not data.startswith(_PDF)):
        raise UnreadableFile("file_binary", f"content of type {kind or 'unknown'}")
    text = data if suffix == ".pdf" else _as_utf8(data, response.charset_encoding)
    return read_apart(Path(f"{_STEM}{suffix}"), text, stop=stop).document


def _as_utf8(data: bytes, charset: str | None) -> bytes:
    """Return text in UTF-8 where the server names another encoding and it holds; the readers guess at the rest.

    What is valid UTF-8 is taken for it: many servers name an encoding for all their pages that few of them have.
    """
    named = (charset or "").lower()
    for encoding in ("utf-8", _SAID_FOR_ANOTHER.get(named, named)):
        with suppress(UnicodeError, LookupError):
            return data.decode(encoding).encode("utf-8")
    return data
