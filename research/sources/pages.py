"""Pages of strangers: kinds, cleaning, refusals."""

from __future__ import annotations

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from importlib import resources
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from research.core import Page, SourceError, SourceKind, SourceName, without_secrets
from research.language import Bilingual, Phrase

LONGEST_TEXT = 1_000_000
"""Characters of a page that are kept."""
_LONGEST_TITLE = 300

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ISO_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?=$|[T ])")


def clean_text(text: str) -> str:
    """Return a page's text with plain line ends, without control characters, cut at `LONGEST_TEXT`."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST_TEXT]


def clean_title(title: str) -> str:
    """Return a title on one line, without control, invisible and direction characters, at most 300 characters."""
    visible = "".join(" " if c.isspace() else c for c in title if c.isspace() or not _is_hidden(c))
    return " ".join(visible.split())[:_LONGEST_TITLE]


def published_date(text: str | None) -> str | None:
    """Return a date as search services write it in ISO 8601 (`2026-11-18`, or `2026-11`, `2026`), or None.

    Understood are ISO 8601 itself and the dates of mail (`Tue, 18 Nov 2026 08:00:00 GMT`).
    """
    written = (text or "").strip()
    if not written:
        return None
    iso = _ISO_DATE.match(written)
    try:
        if iso is None:
            return parsedate_to_datetime(written).date().isoformat()
        year, month, day = (int(part) if part else 1 for part in iso.groups())
        date(year, month, day)
    except ValueError:
        return None
    return iso.group()


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs")


def _listed_hosts() -> Iterator[tuple[str, SourceKind]]:
    """Yield the hosts of `hosts.txt`, each with the kind under whose heading it stands."""
    kind = SourceKind.OTHER
    for line in resources.files("research.sources").joinpath("hosts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            kind = SourceKind(line.removeprefix("# "))
        else:
            yield from ((host, kind) for host in line.split())


KIND_OF_HOST: Mapping[str, SourceKind] = dict(_listed_hosts())


class KindDecision(NamedTuple):
    """The kind of a page, and why."""

    kind: SourceKind
    rule: Bilingual
    """One sentence for a reader."""


_KNOWN = Phrase("The host {name} is on the list of known sites.")
_BELOW = Phrase("The host ends in {name}.")
_LABEL = Phrase("The host begins with “{name}”.")
_WORD = Phrase("The host's name holds “{name}”.")
_PATH = Phrase("The address holds “{name}”.")
_NEWS_SEARCH = Phrase("A news search found the page.")
_OWN = Phrase("It is one of the user's own documents.")
_FACTBOOK = Phrase("It comes from The World Factbook, which a government published.")
_SERVER = Phrase("A server that the user connected answered with it; what it rests on is not known.")
_NO_RULE = Phrase("No rule for kinds of sources holds for this address.")

_SECTIONS = (
    ("ec.europa.eu", re.compile(r"/eurostat(?=/|$)"), SourceKind.STATISTICS),
    ("fao.org", re.compile(r"/faostat(?=/|$)"), SourceKind.STATISTICS),
    ("iea.org", re.compile(r"/data-and-statistics(?=/|$)"), SourceKind.STATISTICS),
    (
        "sec.gov",
        re.compile(r"/(?:Archives/edgar|cgi-bin/browse-edgar|edgar)(?=/|$)", re.IGNORECASE),
        SourceKind.COMPANY,
    ),
    ("finance.yahoo.co.jp", re.compile(r"/news(?=/|$)"), SourceKind.NEWS),
)
"""Sections of a host that are of another kind than the rest of it."""

_Rule = tuple[SourceKind, Bilingual, re.Pattern[str]]
_HOST_RULES: tuple[_Rule, ...] = (
    (SourceKind.STATISTICS, _LABEL, re.compile(r"^(stat|stats|statistics|census)\.(?=.*(?:gov|gob|gouv|go)\.)")),
    (SourceKind.GOVERNMENT, _BELOW, re.compile(r"(?:^|\.)((?:gov|mil)(?:\.[a-z]{2})?)$")),
    (SourceKind.GOVERNMENT, _BELOW, re.compile(r"(\.(?:go|gob|gouv|govt|gc)\.[a-z]{2})$")),
    (
        SourceKind.GOVERNMENT,
        _BELOW,
        re.compile(r"(?:^|\.)(lg\.jp|admin\.ch|gouv\.fr|bund\.de|canada\.ca|europa\.eu|int)$"),
    ),
    (SourceKind.PAPER, _BELOW, re.compile(r"(\.edu(?:\.[a-z]{2})?|\.ac\.[a-z]{2})$")),
    (SourceKind.BLOG, _LABEL, re.compile(r"^(blogs?|[a-z]+blog)\.")),
    (SourceKind.BLOG, _WORD, re.compile(r"(?:^|\.)(blogspot)\.")),
    (SourceKind.COMPANY, _LABEL, re.compile(r"^(ir|investors?|investor-relations|newsroom|corporate|corp)\.")),
    (SourceKind.NEWS, _WORD, re.compile(r"(shi[mn]bun|newspaper)")),
    (SourceKind.NEWS, _LABEL, re.compile(r"^(news)\.")),
)
_PATH_RULES: tuple[_Rule, ...] = (
    (SourceKind.BLOG, _PATH, re.compile(r"(/blogs?)(?=/|$)", re.IGNORECASE)),
    (
        SourceKind.COMPANY,
        _PATH,
        re.compile(
            r"(/(?:ir|investors?|investor[-_]relations|newsroom|press[-_]?(?:releases?|room)|"
            r"news[-_]?releases?|annual[-_]reports?|irlibrary))(?=/|\.|$)",
            re.IGNORECASE,
        ),
    ),
)
_PUBLISHES = re.compile(
    r"/(?:news|articles?|column|columns|topics|media|entertainment|sports|magazine)(?=/|$)", re.IGNORECASE
)
"""Sections by which a company may be a publisher, whose pages are not about itself."""
_COMPANY_HOST_RULES: tuple[_Rule, ...] = ((SourceKind.COMPANY, _BELOW, re.compile(r"(\.co\.jp|\.plc\.uk|\.ltd\.uk)$")),)
_ASSOCIATION_RULES: tuple[_Rule, ...] = (
    (SourceKind.TRADE, _BELOW, re.compile(r"(\.or\.jp)$")),
    (SourceKind.TRADE, _WORD, re.compile(r"(association|federation|chamber|kyokai)")),
)


def kind_of(site: str, *, is_news: bool = False) -> SourceKind:
    """Return the kind of the pages of a host or address; `is_news` says that a news search found it."""
    return decide_kind(site, is_news=is_news).kind


def decide_kind(address: str, *, is_news: bool = False) -> KindDecision:
    """Return the kind of the page at `address` (a canonical address, or a host alone) and the rule that decided."""
    parts = urlsplit(address if "://" in address else f"https://{address}")
    host = (parts.hostname or "").removeprefix("www.")
    rules: tuple[Callable[[], KindDecision | None], ...] = (
        lambda: _by_section(host, parts.path),
        lambda: _by_list(host),
        lambda: _by_rules(_HOST_RULES, host),
        lambda: _by_rules(_PATH_RULES, parts.path) if not is_news else None,
        lambda: KindDecision(SourceKind.NEWS, _NEWS_SEARCH) if is_news else None,
        lambda: _by_rules(_COMPANY_HOST_RULES, host) if not _PUBLISHES.search(parts.path) else None,
        lambda: _by_rules(_ASSOCIATION_RULES, host),
    )
    decisions = (rule() for rule in rules)
    return next((decision for decision in decisions if decision is not None), KindDecision(SourceKind.OTHER, _NO_RULE))


def decision_for(page: Page) -> KindDecision:
    """Return the kind that a page of a run was given, and the rule for it."""
    if page.kind is SourceKind.DOCUMENT:
        return KindDecision(page.kind, _OWN)
    if page.origin is SourceName.FACTBOOK:
        return KindDecision(page.kind, _FACTBOOK)
    if page.origin is SourceName.MCP:
        return KindDecision(page.kind, _SERVER)
    decision = decide_kind(page.url)
    if decision.kind is page.kind:
        return decision
    return KindDecision(page.kind, _NEWS_SEARCH if page.kind is SourceKind.NEWS else _NO_RULE)


def _by_section(host: str, path: str) -> KindDecision | None:
    for site, pattern, kind in _SECTIONS:
        match = pattern.search(path) if host == site or host.endswith(f".{site}") else None
        if match is not None:
            return _decided(kind, _PATH, f"{site}{match.group()}")
    return None


def _by_list(host: str) -> KindDecision | None:
    """Decide by the longest name in the list that is the host or stands above it."""
    labels = host.split(".")
    names = (".".join(labels[start:]) for start in range(len(labels)))
    name = next((name for name in names if name in KIND_OF_HOST), None)
    return _decided(KIND_OF_HOST[name], _KNOWN, name) if name is not None else None


def _by_rules(rules: tuple[_Rule, ...], text: str) -> KindDecision | None:
    for kind, rule, pattern in rules:
        match = pattern.search(text)
        if match is not None:
            name = match[1] if rule is not _BELOW or match[1].startswith(".") else f".{match[1]}"
            return _decided(kind, rule, name)
    return None


def _decided(kind: SourceKind, rule: Bilingual, name: str) -> KindDecision:
    return KindDecision(kind, rule.filled(name=name))


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
    return without_secrets(detail, [secret] if secret else [])[:_DETAIL_LENGTH]


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
