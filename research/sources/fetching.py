"""Pages that a search named are fetched: from the public internet alone, as robots.txt allows, one after the other."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated
from urllib.robotparser import RobotFileParser

import httpx
from pydantic import BaseModel, BeforeValidator, Field

from research import core
from research.core.wire import Allowed, UnusableBody, bound, certificates, confine
from research.library import Document, Stop, UnreadableFile, in_own_thread, read_apart, recogniser
from research.sources.apis import AGENT, turn
from research.sources.protocol import (
    FoundPage,
    SearchRequest,
    clean_text,
    clean_title,
    found_page,
    kind_of,
    published_date,
)

_log = logging.getLogger(__name__)

# --- what a search named, and which of it is read -------------------------------------------------------------------

_TRIED = 3
"""Pages that are tried for each page wanted: many sites turn programs away."""

_Said = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class NamedPage(BaseModel):
    """A page that a search named. Its text is not known yet."""

    type: str = ""
    url: _Said = ""
    title: _Said = ""
    age: _Said = Field(default="", validation_alias="page_age")
    """When it was published, in the service's words."""


def _wanted(pages: Sequence[NamedPage], request: SearchRequest) -> list[NamedPage]:
    """Return the pages to be read: once each, none of a forbidden site or kind, those of preferred ones first."""
    once: dict[str, NamedPage] = {}
    for page in pages:
        url = core.canonical_url(page.url)
        if url is None or kind_of(url) in request.forbidden_kinds:
            continue
        if not core.is_below(core.site_of(url), request.forbidden_sites):
            once.setdefault(url, page.model_copy(update={"url": url}))
    ordered = sorted(once.values(), key=lambda page: -request.prefers(page.url, kind_of(page.url)))
    return ordered[: request.limit * _TRIED]


async def read_named(
    named: Sequence[NamedPage], request: SearchRequest, fetch: Fetch, today: date, origin: core.SourceName
) -> list[FoundPage]:
    """Return as many pages as are wanted of those that `origin` named, best first; what cannot be read is left out.

    For each that cannot be had, one of the next is tried.

    Raises:
        SourceError: `pages_unreadable`, none of them could be read.
    """
    found: dict[str, FoundPage] = {}
    waiting = _wanted(named, request)
    failure = ""
    while waiting and (missing := request.limit - len(found)) > 0:
        tried, waiting = waiting[:missing], waiting[missing:]
        fetched = await asyncio.gather(*(_page(page, fetch, today, origin) for page in tried), return_exceptions=True)
        for result in fetched:
            if isinstance(result, core.SourceError):
                failure = result.detail
                _log.info("A page was not read: %s", failure)
            elif isinstance(result, BaseException):
                raise result
            elif request.admits(result, today):
                found.setdefault(result.url, result)
    if failure and not found:
        raise core.SourceError("pages_unreadable", failure)
    return [replace(page, score=1.0 - rank / len(found)) for rank, page in enumerate(found.values())]


async def _page(named: NamedPage, fetch: Fetch, today: date, origin: core.SourceName) -> FoundPage:
    fetched = await fetch(named.url)
    title, published = clean_title(named.title) or fetched.title, fetched.published or published_on(named.age, today)
    page = found_page(origin, fetched.url, title, fetched.text, published=published)
    if page is None:
        raise _unreadable(fetched.url, "there is no text in it")
    return page


_WRITTEN = re.compile(r"([a-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})", re.IGNORECASE)
_AGO = re.compile(r"(\d{1,3})\s+(minute|hour|day|week|month|year)s?\s+ago", re.IGNORECASE)
_DAYS = {"minute": 0, "hour": 0, "day": 1, "week": 7}


def published_on(age: str, today: date) -> str | None:
    """Return when a page was published in ISO 8601, as precisely as its age says (`2025-04-30`, `2025-04`), or None."""
    if written := _WRITTEN.fullmatch(age.strip()):
        try:
            return datetime.strptime(" ".join(written.groups()), "%b %d %Y").date().isoformat()
        except ValueError:
            return None
    ago = _AGO.fullmatch(age.strip())
    if ago is None:
        return published_date(age)
    count, unit = int(ago[1]), ago[2].lower()
    if unit in _DAYS:
        return (today - timedelta(days=count * _DAYS[unit])).isoformat()
    if unit == "year":
        return f"{today.year - count:04d}"
    years, month = divmod(today.year * 12 + today.month - 1 - count, 12)
    return f"{years:04d}-{month + 1:02d}"


# --- fetching pages, of the public internet alone --------------------------------------------------------------------

MAX_BYTES = 10_000_000
MAX_REDIRECTS = 5
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

_RECOGNISING = 20.0
"""Seconds more that a PDF of scanned pages may take, where text in pictures is recognised: ten pages, on the whole."""
_GAP, _LONGEST_GAP = 0.2, 3.0
"""Seconds between two pages of one site: at least, and at most of what the site asks for."""
_LARGEST_RULES = 500_000
"""Bytes of a robots.txt that must be read at least: https://www.rfc-editor.org/rfc/rfc9309.html#section-2.5."""


_NOTHING_AT_ALL = "User-agent: *\nDisallow: /"


async def _rules(client: httpx.AsyncClient, site: str) -> RobotFileParser:
    """Return what a site asks of programs; one that has no such file asks nothing, one in trouble is left alone.

    So it is laid down in RFC 9309, sections 2.3.1.2 to 2.3.1.4. What keeps a site from being reached is raised.
    """
    told = ""
    with suppress(httpx.TooManyRedirects, UnusableBody):
        answer = await client.get(f"{site}/robots.txt")
        told = answer.text if answer.is_success else "" if answer.is_client_error else _NOTHING_AT_ALL
    rules = RobotFileParser()
    rules.parse(told.splitlines())
    return rules


class Fetcher:
    """Fetches pages. Only addresses that a search returned may be given to it."""

    def __init__(
        self,
        *,
        seconds: float = 20.0,
        allowed: Allowed = core.is_public,
        contact: str = "",
    ) -> None:
        """Set the limits of one page. What a site says of programs holds for as long as this fetcher is used.

        Args:
            seconds: for all of it: redirects, download and reading.
            contact: whom a site may write to, which some ask for.
            allowed: says which IP addresses pages may come from; another rule is for servers on loopback in tests.
        """
        self._seconds = seconds
        self._allowed = allowed
        self._agent = f"{AGENT} ({contact})" if contact else AGENT
        self._rules: dict[str, RobotFileParser] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Fetch]:
        """Return what fetches one page, as long as the connections are open.

        It raises a `SourceError` (`pages_unreadable`) for a page that cannot be had; other pages are not affected.
        """
        # The proxies of the environment are left out: behind one, nobody sees where a name leads.
        transport = httpx.AsyncHTTPTransport(verify=await asyncio.to_thread(certificates), trust_env=False)
        confine(transport, self._allowed)
        pages, rules = (
            httpx.AsyncClient(
                transport=transport,
                headers={"User-Agent": self._agent, "Accept": accepted},
                timeout=self._seconds,
                follow_redirects=True,
                max_redirects=MAX_REDIRECTS,
            )
            for accepted in (_ACCEPT, "text/plain")
        )
        bound(pages, MAX_BYTES)
        bound(rules, _LARGEST_RULES)
        pages.event_hooks = {**pages.event_hooks, "request": [partial(self._may_ask, rules)]}
        async with transport:
            yield partial(self._fetch, pages)

    async def _may_ask(self, client: httpx.AsyncClient, request: httpx.Request) -> None:
        """Wait for the turn of a site, wherever redirects led; raises `SourceError` if it wants no programs there."""
        site = f"{request.url.scheme}://{request.url.netloc.decode('ascii')}"
        async with self._asking[site]:
            if site not in self._rules:
                self._rules[site] = await _rules(client, site)
        rules = self._rules[site]
        if not rules.can_fetch(AGENT, str(request.url)):
            raise _unreadable(str(request.url), "the site's robots.txt asks programs not to read it")
        await turn(site, max(_GAP, min(float(rules.crawl_delay(AGENT) or 0), _LONGEST_GAP)))

    async def _fetch(self, client: httpx.AsyncClient, url: str) -> Fetched:
        try:
            async with asyncio.timeout(self._seconds) as patience:
                async with client.stream("GET", url) as response:
                    if response.status_code != 200:
                        raise _unreadable(url, f"HTTP {response.status_code}")
                    data = await response.aread()
                if data.startswith(_PDF) and recogniser() is not None and (last_moment := patience.when()) is not None:
                    patience.reschedule(last_moment + _RECOGNISING)
                document = await in_own_thread(partial(_document, data, response))
        except (TimeoutError, httpx.TimeoutException) as error:
            raise _unreadable(url, f"not read within {self._seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:  # the last of a host that is no Punycode
            raise _unreadable(url, str(error) or type(error).__name__) from error
        except UnreadableFile as error:
            raise _unreadable(url, f"{error.code}: {error}") from error
        address = core.canonical_url(str(response.url))
        if address is None:
            raise _unreadable(url, "it leads to something that is no page")
        title = "" if document.title == _STEM else clean_title(document.title)
        return Fetched(address, title, clean_text(document.text), document.published)


def _unreadable(url: str, detail: str) -> core.SourceError:
    return core.SourceError("pages_unreadable", f"{url}: {detail}"[:300])


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
    return read_apart(Path(f"{_STEM}{suffix}"), text, recognises=_RECOGNISING, stop=stop).document


def _as_utf8(data: bytes, charset: str | None) -> bytes:
    """Return text in UTF-8 where the server names another encoding and it holds; the readers guess at the rest.

    What is valid UTF-8 is taken for it: many servers name an encoding for all their pages that few of them have.
    """
    named = (charset or "").lower()
    for encoding in ("utf-8", _SAID_FOR_ANOTHER.get(named, named)):
        with suppress(UnicodeError, LookupError):
            return data.decode(encoding).encode("utf-8")
    return data
