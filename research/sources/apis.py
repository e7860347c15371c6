"""Services that search: one bounded call, failures named and without keys, and how those that hold records are offered.

A service of records is a function that asks it and returns what it found; everything else (address, keys, waiting for
one's turn, asking again where it is busy, errors, dates, limits) is the same for all and stands here.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from research.core import Reach, SourceError, SourceField, SourceKind, SourceName, without_secrets
from research.language import Bilingual, Phrase
from research.sources.protocol import FoundPage, Making, Provider, SearchRequest, found_page

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    import httpx

_Answer = TypeVar("_Answer")

# --- asking any service ----------------------------------------------------------------------------------------------

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
    import httpx

    from research.core.wire import certificates, for_service

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


async def tried_twice(ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
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


# --- services of records ---------------------------------------------------------------------------------------------

SECONDS = 30.0
"""How long a service may take for one step of an answer."""
_LONGEST_QUERY = 300
"""Characters of a query: more are no query of words, and services refuse them."""
CODES = {
    401: "search_unauthorized",
    403: "search_unauthorized",
    429: "search_quota",
    **dict.fromkeys((400, 404, 405, 414, 422), "search_bad_request"),
}
"""What the HTTP statuses of services mean."""
_WITHOUT_KEY = {403: "search_denied"}
"""What they mean where no key was sent that could be wrong."""


ATOM = "{http://www.w3.org/2005/Atom}"
"""The namespace of Atom (RFC 4287), in which feeds and arXiv answer."""


class Hit(NamedTuple):
    """A record of a service, as it tells it."""

    url: str
    title: str
    text: str
    published: str | None = None
    kind: SourceKind | None = None


KNOWN: dict[tuple[str, str], Any] = {}
"""What services told for good, by the address that told it: see `Service.known`."""


@dataclass(frozen=True)
class Service:
    """The way to one service, and what the user set for it."""

    address: str
    values: Mapping[str, str] = field(default_factory=dict)
    secret: str = ""
    """What must not appear in an error."""
    gap: float = 1.0
    """Seconds between two requests of this program, at least, as the service asks for."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Sent with each request, beside the usual ones."""
    seconds: float = SECONDS
    """How long it may take for one step of an answer."""
    codes: Mapping[int, str] = field(default_factory=dict)
    """The codes of HTTP statuses that mean something else here than they do at most services."""

    async def json(self, path: str, parameters: Mapping[str, object]) -> Any:
        """Return what the service answers, which is JSON; errors are those of `asking`.

        Args:
            path: below the service's address.
            parameters: of the query; those that are empty are left out, a list stands for several of one name.
        """
        return _held(await self._get(path, parameters))

    async def text(self, path: str, parameters: Mapping[str, object]) -> str:
        """Return what the service answers as text; errors as for `json`."""
        return str((await self._get(path, parameters)).text)

    async def data(self, path: str, parameters: Mapping[str, object]) -> bytes:
        """Return the file that the service answers with; errors as for `json`."""
        return bytes((await self._get(path, parameters)).content)

    async def xml(self, path: str, parameters: Mapping[str, object]) -> Element:
        """Return the root of what the service answers, which is XML.

        Raises:
            SourceError: as for `json`; `search_failed` for what is no XML, or holds entities, of which a few can stand
                for gigabytes.
        """
        answer = await self._get(path, parameters)
        return parsed_xml(answer.content)

    async def known(self, what: str, ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Return what the service tells that hardly ever changes, such as its tables: asked once in a process."""
        if (self.address, what) not in KNOWN:
            KNOWN[self.address, what] = await ask()
        found: _Answer = KNOWN[self.address, what]
        return found

    async def post(self, path: str, body: object) -> Any:
        """Return what the service answers to a body of JSON, asked once: JSON as well; errors as for `json`."""
        return _held(await self._asked("POST", path, json=body))

    async def _get(self, path: str, parameters: Mapping[str, object]) -> Any:
        told = {name: value if isinstance(value, list) else str(value) for name, value in parameters.items()
                if value not in (None, "")}  # fmt: skip
        return await tried_twice(lambda: self._asked("GET", path, params=told))

    async def _asked(self, method: str, path: str, **sent: Any) -> Any:
        contact = self.values.get("contact", "")
        named = {"User-Agent": f"{AGENT} ({contact})" if contact else AGENT, **self.headers}
        codes = {**CODES, **({} if self.secret else _WITHOUT_KEY), **self.codes}
        await turn(urlsplit(self.address).netloc, self.gap)
        async with asking(self.seconds, self.secret, codes) as client:
            return await client.request(method, f"{self.address}{path}", headers=named, **sent)


def _held(answer: Any) -> Any:
    try:
        return answer.json()
    except (ValueError, RecursionError) as error:
        raise SourceError("search_failed", "the answer is no JSON") from error


def parsed_xml(data: bytes) -> Element:
    """Return the root of an XML document of a stranger.

    Raises:
        SourceError: `search_failed`, it is none, or it declares entities.
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    try:
        root: Element = fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise SourceError("search_failed", f"the answer is no usable XML: {type(error).__name__}") from error
    return root


Find = Callable[[Service, SearchRequest, str], Awaitable[Iterable[Hit]]]
"""Asks a service, and returns its records, best first; the text is the first day of the period, or empty."""


@dataclass(frozen=True)
class ApiSource:
    """A service as a source."""

    name: SourceName
    service: Service
    find: Find
    kind: SourceKind | None = None
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return what the service found, best first: nothing too old, and nothing of a forbidden site.

        Raises:
            SourceError: the search failed, or the answer has not the expected form.
        """
        asked = replace(request, query=" ".join(request.query.split())[:_LONGEST_QUERY])
        try:
            hits = list(await self.find(self.service, asked, request.first_day(self.now().date())))
        except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise SourceError("search_failed", f"the answer has not the expected form: {error!r}"[:200]) from error
        return list(self._pages(hits, request).values())[: request.limit]

    def _pages(self, hits: list[Hit], request: SearchRequest) -> dict[str, FoundPage]:
        pages: dict[str, FoundPage] = {}
        for rank, hit in enumerate(hits):
            page = found_page(
                self.name,
                hit.url,
                hit.title,
                hit.text,
                published=hit.published,
                kind=hit.kind or self.kind,
                score=1.0 - rank / len(hits),
            )
            if page is not None and request.admits(page, self.now().date()):
                pages.setdefault(page.url, page)
        return pages


CONTACT = SourceField(
    "contact",
    Phrase("Your e-mail address"),
    hint=Phrase("It is sent along with each request, so that the service can reach who asks."),
)


def key_field(*, is_needed: bool) -> SourceField:
    """Return the field of a key that a service gives out for nothing."""
    return SourceField("key", Phrase("Key", "of a service"), is_secret=True, is_needed=is_needed)


def api(
    name: str,
    label: Bilingual,
    address: str,
    find: Find,
    *fields: SourceField,
    hint: Bilingual,
    kind: SourceKind | None = None,
    gap: float = 1.0,
    sample: str = "Japan",
) -> Provider:
    """Offer a service as a source. Its address is a setting as well: for a mirror, or a proxy of the house."""
    where = SourceField(
        "base_url",
        Phrase("Address", "of a service"),
        default=address,
        is_place=True,
        variable=f"{name}_BASE_URL".upper(),
    )

    def make(making: Making) -> ApiSource:
        values = making.values(offered)
        address = values["base_url"].replace("{language}", making.brief.language.value).rstrip("/")
        service = Service(address, values, values.get("key", ""), gap)
        return ApiSource(SourceName(name), service, find, kind)

    offered = Provider(
        name=name,
        label=label,
        reach=Reach.OPEN,
        kind=kind,
        fields=(*fields, where),
        hint=hint,
        module="defusedxml",
        extra="web",
        make=make,
        sample=sample,
    )
    return offered
