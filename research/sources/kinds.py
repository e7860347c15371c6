"""What kind of page a web address leads to, and which rule says so.

The first rule that holds decides: a known section of a host, the host itself in the list (or a host above it), the
domain that only governments, universities or companies are given, a section that companies or blogs have, and at last
that a news search found the page. Nothing is looked up and no page is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

from research.evidence import Page
from research.language import Bilingual
from research.sources.kinds_hosts import KIND_OF_HOST
from research.vocabulary import SourceKind, SourceName


class KindDecision(NamedTuple):
    """The kind of a page, and why."""

    kind: SourceKind
    rule: Bilingual
    """One sentence for a reader."""


_PRIMARY = frozenset(
    {SourceKind.STATISTICS, SourceKind.GOVERNMENT, SourceKind.COMPANY, SourceKind.PAPER, SourceKind.DOCUMENT}
)

_KNOWN = Bilingual("The host {name} is on the list of known sites.", "{name} は既知サイトの一覧にあります。")
_BELOW = Bilingual("The host ends in {name}.", "ホスト名の末尾が {name} です。")
_LABEL = Bilingual("The host begins with “{name}”.", "ホスト名が「{name}」で始まります。")
_WORD = Bilingual("The host's name holds “{name}”.", "ホスト名に「{name}」が含まれます。")
_PATH = Bilingual("The address holds “{name}”.", "アドレスに「{name}」が含まれます。")
_NEWS_SEARCH = Bilingual("A news search found the page.", "ニュース検索で見つかったページです。")
_OWN = Bilingual("It is one of the user's own documents.", "利用者自身の資料です。")
_FACTBOOK = Bilingual(
    "It comes from The World Factbook, which a government published.",
    "政府機関が公開していたワールド・ファクトブックのページです。",
)
_SERVER = Bilingual(
    "A server that the user connected answered with it; what it rests on is not known.",
    "利用者が接続したサーバーの回答です。もとになった情報源は分かりません。",
)
_NO_RULE = Bilingual("No rule for kinds of sources holds for this address.", "種類を判定する規則に当てはまりません。")

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


def is_primary(kind: SourceKind) -> bool:
    """Whether pages of this kind report what their makers did, counted, decided or found themselves."""
    return kind in _PRIMARY


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
    return KindDecision(kind, Bilingual(rule.en.format(name=name), rule.ja.format(name=name)))
