"""What a source is: how it is asked, what it returns, and the one registry of them; pages of strangers made clean.

Ours and those of other packages are offered, set up, made and searched alike. A package offers a source by an entry
point of the group `research.sources` that leads to a `Provider`; `docs/own_source.md` shows one in twenty lines. What a
run knows of it stands in `research.core.origins`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from email.utils import parsedate_to_datetime
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import NamedTuple, Protocol, runtime_checkable
from urllib.parse import urlsplit

from research import core
from research.analysts import OfferedTool, UseTool
from research.documents import iso_date
from research.language import COMMA, Bilingual, Language, Phrase
from research.meaning import Meaning
from research.settings import Settings


@dataclass(frozen=True)
class SearchRequest:
    """One query and the limits that the brief sets to it."""

    query: str
    limit: int
    """Pages wanted, at most."""
    period: core.PeriodChoice | None = None
    """How far back pages may date, where no days are given."""
    since: date | None = None
    until: date | None = None
    region: core.Region | None = None
    countries: tuple[str, ...] = ()
    preferred_sites: tuple[str, ...] = ()
    forbidden_sites: tuple[str, ...] = ()
    preferred_kinds: tuple[core.SourceKind, ...] = ()
    forbidden_kinds: tuple[core.SourceKind, ...] = ()
    language: Language = Language.EN

    def first_day(self, today: date) -> str:
        """Return the first day of the period in ISO 8601; an empty string if there is none."""
        if self.since is not None:
            return self.since.isoformat()
        return (today - timedelta(days=self.period.days)).isoformat() if self.period is not None else ""

    @property
    def last_day(self) -> str:
        """The last day of the period in ISO 8601; an empty string if it goes on."""
        return self.until.isoformat() if self.until is not None else ""

    def is_outside(self, published: str | None, today: date) -> bool:
        """Whether no day of what `published` may mean (`2025`, `2025-06`) lies within the period."""
        day = (published or "")[:10]
        is_late = bool(self.last_day) and day > self.last_day[: len(day)]
        return bool(day) and (is_late or day < self.first_day(today)[: len(day)])

    def admits(self, page: FoundPage, today: date) -> bool:
        """Whether a page is of no forbidden site or kind, and not from outside the period."""
        is_forbidden = page.kind in self.forbidden_kinds or core.is_below(page.site, self.forbidden_sites)
        return not is_forbidden and not self.is_outside(page.published, today)

    def prefers(self, address: str, kind: core.SourceKind) -> int:
        """Return how much a page is preferred by its site and its kind: 0 to 2."""
        return core.is_below(core.site_of(address), self.preferred_sites) + (kind in self.preferred_kinds)


@dataclass(frozen=True)
class FoundPage:
    """A page as a provider returns it, not yet kept."""

    url: str
    """Canonical address."""
    title: str
    site: str
    origin: core.SourceName
    kind: core.SourceKind
    text: str
    """The whole text of the page."""
    published: str | None = None
    passages: tuple[tuple[int, int], ...] = field(default=())
    """Offsets in `text` of the passages that matched best, best first; empty if the provider does not say."""
    answering: tuple[tuple[int, int], ...] | None = None
    """Offsets of values that are the highest of all, say, where a query asks that; None if the provider cannot tell."""
    score: float = 0.0
    """Relevance as the provider sees it; comparable within one result list only."""
    is_wanted: bool = False
    """Whether it is read whatever comes before it: a short one of a few documents, or one that a judgement needs."""
    outside: tuple[core.Outside, ...] = ()
    """Limits of the brief that it is outside of; found out by who asked, not by the source."""


class Source(Protocol):
    """What is searched. One of another package needs no more than this; see `docs/own_source.md`."""

    @property
    def name(self) -> str:
        """The name under which it is registered."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        """Return pages for one query, best first; an empty list if there are none.

        Raises:
            SourceError: the search failed; other queries are not affected.
        """


@runtime_checkable
class Priced(Source, Protocol):
    """A source of which each search has a price; one that hangs may be asked a second time."""

    address: str
    """Where it is asked."""
    usd_a_search: float


@runtime_checkable
class OfServer(Protocol):
    """A source that is one of several servers: what it told may go back to it, and to no other."""

    @property
    def server(self) -> str:
        """Its name."""


class Toolbox(Protocol):
    """The tools of the servers that the user set up."""

    async def offered(self) -> tuple[OfferedTool, ...]:
        """Return the tools that can be used; what keeps a server from telling its own is reported. Never raises."""

    def source(self, action: UseTool) -> Source:
        """Return a source whose one page is what the tool answers."""


# --- the registry: how sources are offered, set up and made ----------------------------------------------------------

_UNKNOWN = Phrase("There is no source {name}; there are: {names}.")
_TAKEN = Phrase("A source that is handed over cannot be called {name}: there is one of that name.")
NO_PACKAGE = Phrase("{label} needs more packages: pip install 'research-workbench[{extra}]'")
NOT_SET_UP = Phrase("not set up")
_NOT_SET = Phrase("{label} is not set up: do so in the workbench's Settings, or set {variables}.")


@dataclass(frozen=True)
class Lack:
    """What a source needs before it can be searched."""

    remark: Bilingual
    """In a word or two, for the list of sources."""
    remedy: Bilingual
    """What to do, in a sentence or two."""


@dataclass(frozen=True)
class Making:
    """What there is to make a source of: everything of one run that sources may touch."""

    brief: core.Brief
    settings: Settings
    channel: core.RunChannel = field(default_factory=core.RunChannel)
    meaning: Meaning | None = None
    folder: Path | None = None
    """The folder of the user's documents, if there is one with anything in it."""
    uses_models: bool = False
    """Whether there is somebody who can decide to use tools."""

    def values(self, provider: core.Origin) -> Mapping[str, str]:
        """Return what is set for the fields of a source, defaults filled in; empty texts where nothing is."""
        return self.settings.values_of(provider)


def always(_: Making) -> bool:
    """Say that a source is searched, if it lacks nothing, by every brief that leaves its sources open."""
    return True


@dataclass(frozen=True)
class ChosenSources:
    """Where a run searches, and what else its researchers may ask."""

    searched: Sequence[Source]
    toolbox: Toolbox | None = None

    @property
    def are_private(self) -> bool:
        """Whether documents of the user's own may be read, or answers of connected servers."""
        return self.toolbox is not None or any(core.SourceName(source.name).is_private for source in self.searched)


@dataclass(frozen=True, kw_only=True)
class Provider(core.Origin):
    """A source as it is offered."""

    make: Callable[[Making], Source | ChosenSources]
    """Makes it for one run; it may raise a `UsageError` that says what is missing."""
    kind: core.SourceKind | None = None
    """What its pages are; None lets their addresses tell."""
    hint: Bilingual | None = None
    """What it holds and what asking it costs, in a sentence."""
    module: str = ""
    """That must be installed."""
    extra: str = ""
    """Of this package, which brings the module."""
    by_default: Callable[[Making], bool] = lambda making: False
    """Whether it is searched, if it lacks nothing, by a brief that leaves its sources open."""
    is_sample: bool = False
    """Whether it is there to try the program on; searched by default where there is nothing else."""
    sample: str = "Japan"
    """The query of a check."""
    lack: Callable[[Making], Lack | None] = lambda making: None
    """Says what is missing beside the module and the fields."""

    def lacks(self, making: Making) -> Lack | None:
        """Return what is needed before it can be searched; None if it can.

        Raises:
            UsageError: a file that says how it is set up cannot be used.
        """
        if self.module and find_spec(self.module) is None:
            return Lack(Phrase("not installed"), NO_PACKAGE.filled(label=self.label, extra=self.extra))
        values = making.values(self)
        missing = [one for one in self.fields if one.is_needed and not values[one.name]]
        if missing:
            return Lack(NOT_SET_UP, _NOT_SET.filled(label=self.label, variables=_listed(map(self.variable, missing))))
        return self.lack(making)

    def made(self, making: Making) -> ChosenSources:
        """Return it, made for a run.

        Raises:
            UsageError: it lacks something; says what to do, in the brief's language.
        """
        if (lack := self.lacks(making)) is not None:
            raise core.UsageError(lack.remedy, making.brief.language)
        made = self.make(making)
        return made if isinstance(made, ChosenSources) else ChosenSources([made])


def _listed(names: Iterable[str]) -> Bilingual:
    told = list(names)
    return Bilingual(COMMA.en.join(told), COMMA.ja.join(told))


def providers() -> Iterator[Provider]:
    """Yield every source that can be chosen, ours first."""
    return (origin for origin in core.origins().values() if isinstance(origin, Provider))


def provider(name: str, language: Language = Language.EN) -> Provider:
    """Return the source of that name.

    Raises:
        UsageError: there is none; names those that there are.
    """
    found = next((one for one in providers() if one.name == name), None)
    if found is None:
        raise core.UsageError(_UNKNOWN.filled(name=name, names=_listed(one.name for one in providers())), language)
    return found


def by_default(making: Making, lacking: Container[str] | None = None) -> tuple[core.SourceName, ...]:
    """Return what a brief searches that leaves its sources open: what is set up, private pages first; else samples.

    Services whose pages are of a kind that the brief prefers are asked as well.
    `lacking` are the names of those that cannot be searched, where that has been found out already.
    """
    kinds = making.brief.preferred_kinds
    wanted = [
        one
        for one in providers()
        if one.is_sample or one.by_default(making) or (one.reach is core.Reach.OPEN and one.kind in kinds)
    ]
    there = [one for one in wanted if (one.lacks(making) is None if lacking is None else one.name not in lacking)]
    own = sorted((one for one in there if not one.is_sample), key=lambda one: one.reach is core.Reach.OPEN)
    return tuple(core.SourceName(one.name) for one in own or there)


@dataclass(frozen=True, kw_only=True)
class _Given(Provider):
    """A source that a caller of this process made."""


def names_of(given: Iterable[str | Source], language: Language = Language.EN) -> tuple[core.SourceName, ...]:
    """Return the names of sources that a caller hands over: an object becomes known to this process by its own.

    It may say more of itself than its name: `label` (`Bilingual`) and `reach`. What says nothing counts as private.

    Raises:
        UsageError: there is no source of a name, or the name of an object is none or is taken.
    """
    return tuple(core.SourceName(provider(one, language).name) if isinstance(one, str) else _entered(one, language)
                 for one in given)  # fmt: skip


def _entered(source: Source, language: Language) -> core.SourceName:
    try:
        name = core.SourceName(source.name)
    except ValueError as error:
        raise core.UsageError(str(error)) from error
    if not isinstance(core.origins().get(name), _Given | NoneType):
        raise core.UsageError(_TAKEN.filled(name=name), language)
    label = getattr(source, "label", Bilingual(name, name))
    core.register(
        _Given(name=name, label=label, reach=getattr(source, "reach", core.Reach.CONNECTED), make=lambda _: source)
    )
    return name


# --- pages of strangers: text and titles cleaned, dates read ---------------------------------------------------------


def found_page(
    name: str,
    url: str,
    title: str,
    text: str,
    *,
    published: str | None = None,
    kind: core.SourceKind | None = None,
    is_news: bool = False,
    score: float = 0.0,
) -> FoundPage | None:
    """Return a page of the web as a search finds it, cleaned; None if its address is none or it holds no text.

    Args:
        name: the source that found it.
        url: where it can be opened.
        title: what it is called; its site where that is empty.
        text: all that there is to quote.
        published: a date as services write it.
        kind: what its pages are; None lets the address tell.
        is_news: a news search found it.
        score: relevance, comparable within one list of results.
    """
    address, words = core.canonical_url(url), clean_text(text)
    if address is None or not words.strip():
        return None
    return FoundPage(
        url=address,
        title=clean_title(title) or core.site_of(address),
        site=core.site_of(address),
        origin=core.SourceName(name),
        kind=kind or kind_of(address, is_news=is_news),
        text=words,
        published=published_date(published),
        score=score,
    )


LONGEST_TEXT = 1_000_000
"""Characters of a page that are kept."""
_LONGEST_TITLE = 300
_HIDDEN = ("Cc", "Cf", "Cs")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return a page's text with plain line ends, without control characters, cut at `LONGEST_TEXT`."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))[:LONGEST_TEXT]


def clean_title(title: str) -> str:
    """Return a title on one line, without control, invisible and direction characters, at most 300 characters."""
    visible = (" " if c.isspace() else c for c in title if c.isspace() or unicodedata.category(c) not in _HIDDEN)
    return " ".join("".join(visible).split())[:_LONGEST_TITLE]


def published_date(text: str | None) -> str | None:
    """Return a date as search services write it in ISO 8601 (`2026-11-18`, or `2026-11`, `2026`), or None.

    Understood are ISO 8601 itself and the dates of mail (`Tue, 18 Nov 2026 08:00:00 GMT`).
    """
    if iso := iso_date(text or ""):
        return iso
    try:
        return parsedate_to_datetime(text or "").date().isoformat()
    except ValueError:
        return None


def _listed_hosts() -> Iterator[tuple[str, core.SourceKind]]:
    """Yield the hosts of `hosts.txt`, each with the kind under whose heading it stands."""
    kind = core.SourceKind.OTHER
    for line in resources.files("research.sources").joinpath("hosts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            kind = core.SourceKind(line.removeprefix("# "))
        else:
            yield from ((host, kind) for host in line.split())


KIND_OF_HOST: Mapping[str, core.SourceKind] = dict(_listed_hosts())


class KindDecision(NamedTuple):
    """The kind of a page, and why."""

    kind: core.SourceKind
    rule: Bilingual
    """One sentence for a reader."""


_KNOWN = Phrase("The host {name} is on the list of known sites.")
_BELOW = Phrase("The host ends in {name}.")
_LABEL = Phrase("The host begins with “{name}”.")
_WORD = Phrase("The host's name holds “{name}”.")
_PATH = Phrase("The address holds “{name}”.")
_NEWS_SEARCH = Phrase("A news search found the page.")
_SERVER = Phrase("A server that the user connected answered with it; what it rests on is not known.")
_NO_RULE = Phrase("No rule for kinds of sources holds for this address.")

_SECTIONS = (
    ("ec.europa.eu", re.compile(r"/eurostat(?=/|$)"), core.SourceKind.STATISTICS),
    ("fao.org", re.compile(r"/faostat(?=/|$)"), core.SourceKind.STATISTICS),
    ("iea.org", re.compile(r"/data-and-statistics(?=/|$)"), core.SourceKind.STATISTICS),
    (
        "sec.gov",
        re.compile(r"/(?:Archives/edgar|cgi-bin/browse-edgar|edgar)(?=/|$)", re.IGNORECASE),
        core.SourceKind.COMPANY,
    ),
    ("finance.yahoo.co.jp", re.compile(r"/news(?=/|$)"), core.SourceKind.NEWS),
)
"""Sections of a host that are of another kind than the rest of it."""

_Rule = tuple[core.SourceKind, Bilingual, re.Pattern[str]]
_HOST_RULES: tuple[_Rule, ...] = (
    (core.SourceKind.STATISTICS, _LABEL, re.compile(r"^(stat|stats|statistics|census)\.(?=.*(?:gov|gob|gouv|go)\.)")),
    (core.SourceKind.GOVERNMENT, _BELOW, re.compile(r"(?:^|\.)((?:gov|mil)(?:\.[a-z]{2})?)$")),
    (core.SourceKind.GOVERNMENT, _BELOW, re.compile(r"(\.(?:go|gob|gouv|govt|gc)\.[a-z]{2})$")),
    (
        core.SourceKind.GOVERNMENT,
        _BELOW,
        re.compile(r"(?:^|\.)(lg\.jp|admin\.ch|gouv\.fr|bund\.de|canada\.ca|europa\.eu|int)$"),
    ),
    (core.SourceKind.PAPER, _BELOW, re.compile(r"(\.edu(?:\.[a-z]{2})?|\.ac\.[a-z]{2})$")),
    (core.SourceKind.BLOG, _LABEL, re.compile(r"^(blogs?|[a-z]+blog)\.")),
    (core.SourceKind.BLOG, _WORD, re.compile(r"(?:^|\.)(blogspot)\.")),
    (core.SourceKind.COMPANY, _LABEL, re.compile(r"^(ir|investors?|investor-relations|newsroom|corporate|corp)\.")),
    (core.SourceKind.NEWS, _WORD, re.compile(r"(shi[mn]bun|newspaper)")),
    (core.SourceKind.NEWS, _LABEL, re.compile(r"^(news)\.")),
)
_PATH_RULES: tuple[_Rule, ...] = (
    (core.SourceKind.BLOG, _PATH, re.compile(r"(/blogs?)(?=/|$)", re.IGNORECASE)),
    (
        core.SourceKind.COMPANY,
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
_COMPANY_HOST: _Rule = (core.SourceKind.COMPANY, _BELOW, re.compile(r"(\.co\.jp|\.plc\.uk|\.ltd\.uk)$"))
_ASSOCIATION_RULES: tuple[_Rule, ...] = (
    (core.SourceKind.TRADE, _BELOW, re.compile(r"(\.or\.jp)$")),
    (core.SourceKind.TRADE, _WORD, re.compile(r"(association|federation|chamber|kyokai)")),
)


def kind_of(site: str, *, is_news: bool = False) -> core.SourceKind:
    """Return the kind of the pages of a host or address; `is_news` says that a news search found it."""
    return decide_kind(site, is_news=is_news).kind


def decide_kind(address: str, *, is_news: bool = False) -> KindDecision:
    """Return the kind of the page at `address` (a canonical address, or a host alone) and the rule that decided."""
    parts = urlsplit(address if "://" in address else f"https://{address}")
    host = (parts.hostname or "").removeprefix("www.")
    return (
        _by_section(host, parts.path)
        or _by_list(host)
        or _by_rules(_HOST_RULES, host)
        or (KindDecision(core.SourceKind.NEWS, _NEWS_SEARCH) if is_news else _by_rules(_PATH_RULES, parts.path))
        or _by_rules((() if _PUBLISHES.search(parts.path) else (_COMPANY_HOST,)) + _ASSOCIATION_RULES, host)
        or KindDecision(core.SourceKind.OTHER, _NO_RULE)
    )


def decision_for(page: core.Page) -> KindDecision:
    """Return the kind that a page of a run was given, and the rule for it."""
    if page.kind is core.SourceKind.DOCUMENT:
        return KindDecision(page.kind, Phrase("It is one of the user's own documents."))
    if page.origin is core.SourceName.FACTBOOK:
        return KindDecision(page.kind, Phrase("It comes from The World Factbook, which a government published."))
    if page.origin is core.SourceName.MCP:
        return KindDecision(page.kind, _SERVER)
    decision = decide_kind(page.url)
    if decision.kind is page.kind:
        return decision
    if page.origin is not core.SourceName.WEB:
        return KindDecision(page.kind, Phrase("The source in which it was found holds pages of this kind."))
    return KindDecision(page.kind, _NEWS_SEARCH if page.kind is core.SourceKind.NEWS else _NO_RULE)


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
    return next((_decided(KIND_OF_HOST[name], _KNOWN, name) for name in names if name in KIND_OF_HOST), None)


def _by_rules(rules: tuple[_Rule, ...], text: str) -> KindDecision | None:
    for kind, rule, pattern in rules:
        match = pattern.search(text)
        if match is not None:
            name = match[1] if rule is not _BELOW or match[1].startswith(".") else f".{match[1]}"
            return _decided(kind, rule, name)
    return None


def _decided(kind: core.SourceKind, rule: Bilingual, name: str) -> KindDecision:
    return KindDecision(kind, rule.filled(name=name))
