"""What may leave this computer and what is kept: addresses that may be asked, keys and traces, words of own documents.

For pages only the public internet may be asked, for services what users run as well.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import socket
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit, urlunsplit

from url_normalize import url_normalize

from research.core.events import Event, PageRead, PlanDrafted, PlanSettled, QuestionAdded, SearchStarted, TopicQueued
from research.core.ledger import Page
from research.core.origins import Reach, SourceName
from research.text import expand, folded, is_stop_word, singular

_TRACKING = re.compile(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_hs(?:enc|mi)",
    re.IGNORECASE,
)
_LONGEST = 4_000
_PRINTABLE = re.compile(r"[\x21-\x7e]+")


def canonical_url(address: str) -> str | None:
    """Return the canonical form of a web address, or None if it is none that could be opened (`javascript:`, …).

    Host, escapes and path are normalised; fragment, credentials and tracking parameters are dropped.
    """
    stripped = address.strip()
    if len(stripped) > _LONGEST or not stripped.lower().startswith(("http://", "https://")):
        return None
    try:
        parts = urlsplit(url_normalize(stripped) or "")
        host = parts.hostname
        port = parts.port
    except ValueError:
        return None
    if not host or any(character.isspace() for character in host):
        return None
    place = f"[{host}]" if ":" in host else host
    return urlunsplit(
        (parts.scheme, place if port is None else f"{place}:{port}", parts.path, _without_tracking(parts.query), "")
    )


def is_web(address: str) -> bool:
    """Whether an address is one of the web, and not that of a file or of anything else."""
    return address.startswith(("http://", "https://"))


def is_address(text: str) -> bool:
    """Whether `text` is the address of a server of the web."""
    return server_parts(text) is not None


def server_parts(address: str) -> SplitResult | None:
    """Return the parts of the address of a web server, or None if it is none."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    return parts if usable and is_printable(address) else None


def is_printable(text: str) -> bool:
    """Whether a text has nothing but visible characters of ASCII, as addresses and keys have."""
    return _PRINTABLE.fullmatch(text) is not None


def site_of(url: str) -> str:
    """Return the host of a canonical address, without `www.`."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def is_below(site: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of `domains`, or stands below one."""
    return any(site == domain or site.endswith(f".{domain}") for domain in domains)


HERE = ("localhost", "127.0.0.1", "::1")
"""The names of this computer."""
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host")
"""Headers of requests that came by way of another server, which others may reach."""


def is_this_host(address: str) -> bool:
    """Whether a server that listens at `address` is reached from this computer alone."""
    return address in HERE or re.fullmatch(r"127(\.\d{1,3}){3}", address) is not None


def is_known_host(host: str, known: Iterable[str]) -> bool:
    """Whether a `Host` header names a server of ours; the port plays no part.

    Of the `known` names `*.example.com` and `*` stand for more; where there are none, those of this computer are known.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return False
    if not name or parts.netloc != host or "@" in host:
        return False
    entries = [entry.strip().lower().rstrip(".") for entry in known] or HERE
    return any(entry in ("*", name) or (entry.startswith("*.") and name.endswith(entry[1:])) for entry in entries)


def _without_tracking(query: str) -> str:
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if not _TRACKING.fullmatch(name)]
    return query if kept == pairs else urlencode(kept)


_SPECIAL_4 = [
    IPv4Network("100.64.0.0/10"),  # shared by the customers of a provider; clouds have services there
    IPv4Network("168.63.129.16/32"),  # services of Azure for its own machines
    IPv4Network("169.254.0.0/16"),  # this link; clouds tell their machines' keys there
    IPv4Network("192.0.0.0/24"),  # protocols; a cloud has services at 192.0.0.192
    IPv4Network("192.31.196.0/24"),  # AS112, which answers for private names
    IPv4Network("192.52.193.0/24"),  # multicast relays
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv4Network("192.175.48.0/24"),  # AS112
    IPv4Network("198.18.0.0/15"),  # measuring of networks
]
_GLOBAL_6 = IPv6Network("2000::/3")
"""All of IPv6 that is given out; what leads to IPv4 stands elsewhere."""
_SPECIAL_6 = [
    IPv6Network("2001::/23"),  # protocols: Teredo, ORCHID, measuring, AS112
    IPv6Network("2001:db8::/32"),  # examples
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("2620:4f:8000::/48"),  # AS112
    IPv6Network("3fff::/20"),  # examples
]
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""How a network without IPv4 writes public IPv4 addresses: the last 32 bits."""
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""What stands before an IPv4 address in the last 64 bits of an address that tunnels to it."""
_FOR_MACHINES = tuple(
    ipaddress.ip_network(network)
    for network in ("0.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16", "192.0.0.0/24", "100.100.100.200/32",
                    "fe80::/10", "fd00:ec2::/32", "fd20:ce::/32")
)  # fmt: skip
"""Where clouds tell machines their keys, and links talk to themselves: no service of a user is there."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, whichever way it is written."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv4Address):
        return _is_public_4(parsed)
    if parsed is None:
        return False
    carried = parsed.ipv4_mapped or (_last(parsed) if parsed in _TRANSLATED else None)
    if carried is not None:
        return _is_public_4(carried)
    tunnels = (int(parsed) >> 32) & 0xFFFF_FFFF in _ISATAP
    return parsed in _GLOBAL_6 and parsed.is_global and not tunnels and not any(parsed in net for net in _SPECIAL_6)


def is_askable(address: str) -> bool:
    """Whether a service that a user set up may be at an IP address: in their own network and computer as well."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or (_last(parsed) if parsed in _TRANSLATED else parsed)
    if parsed is None or parsed.is_multicast or parsed.is_unspecified:
        return False
    return not any(parsed in network for network in _FOR_MACHINES if network.version == parsed.version)


def leads_to_askable(host: str, *, asks_names: bool = True, allowed: Callable[[str], bool] = is_askable) -> bool:
    """Whether a service may be at `host`, a name or an address; a name that nobody knows leads nowhere, and may.

    With `asks_names` off, names are left as they are; addresses are known however they are written (`0xa9fea9fe`).
    `allowed` says of addresses whether it may be there.
    """
    flags = 0 if asks_names else socket.AI_NUMERICHOST
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        return True
    return all(allowed(str(entry[4][0])) for entry in found)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None


def _is_public_4(address: IPv4Address) -> bool:
    is_ordinary = address.is_global and not address.is_multicast and not address.is_reserved
    return is_ordinary and not any(address in network for network in _SPECIAL_4)


def _last(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFF_FFFF)


# --- what is kept from others: keys in whatever is shown, stored or logged, and traces unless the user wants them ----

_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|gsk|xai|tvly|lsv2|ghp)[-_][\w*.\-]{6,}|(?<=Bearer )[^\s'\"]+",
    re.IGNORECASE,
)
"""What looks like a key."""
_MASKED = re.compile(r"(?:(?<!\*)\*{3,}|(?<!•)•{3,}|…)[\w\-]{2,}")
"""What looks like the end of a key of which a server shows the last letters; before it may stand its first ones."""
_FIRST = re.compile(r"[\w\-]*\Z")
_SHOWN = 80
"""Letters of a masked key that may stand before its mask."""
_PART = 4
"""Characters that tell a part of a key: services show the last four."""
_MASK = "***"


def without_secrets(text: str, secrets: Iterable[str] = ()) -> str:
    """Return `text` without `secrets`, without parts of them, and without anything that looks like a key.

    A part is whatever has four characters in a row in common with a secret: of keys that are shown in part, the part is
    left out as well, wherever the key is cut. Takes time that grows with the length of the text alone.
    """
    for secret in secrets:
        text = _without(text, secret)
    return _without_masked(_LIKE_A_KEY.sub(_MASK, text))


def _without_masked(text: str) -> str:
    kept: list[str] = []
    at = 0
    for match in _MASKED.finditer(text):
        before = text[at : match.start()]
        first = _FIRST.search(before, max(0, len(before) - _SHOWN))
        kept += [before[: first.start()] if first else before, _MASK]
        at = match.end()
    return "".join([*kept, text[at:]])


def _without(text: str, secret: str) -> str:
    if len(secret) < _PART:
        return text
    parts = {secret[at : at + _PART] for at in range(len(secret) - _PART + 1)}
    covered = bytearray(len(text))
    for at in range(len(text) - _PART + 1):
        if text[at : at + _PART] in parts:
            covered[at : at + _PART] = b"\x01" * _PART
    left = "".join("\0" if hidden else letter for letter, hidden in zip(text, covered, strict=True))
    return re.sub("\0+", _MASK, left)


_OUTDATED = ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER")
"""Variables of a tracer that is no more: where one is set and tracing is off, LangChain refuses to work at all."""


@contextmanager
def tracing(is_wanted: bool) -> Iterator[None]:
    """Let LangChain and LangGraph send traces within this block, or keep them from it.

    A trace holds everything: brief, pages, own documents, prompts and answers. LangSmith's own variables, which
    may be there for other programs, say where traces go; they do not say that this product makes any.
    """
    from langsmith import tracing_context

    for name in _OUTDATED:
        os.environ.pop(name, None)
    with tracing_context(enabled=is_wanted):
        yield


# --- what queries to the web and to connected servers may say ---------------------------------------------------------

# From the first page of one's own on, a query that leaves this computer holds only words of the brief, of what was
# planned before anything was read, of pages of the open web, and ordinary words of searching. All other words are taken
# out of it: they may stand in own documents alone, or spell them in another way. What a connected server told may go
# back to that server, and nowhere else. Short words and figures count as known only where the user wrote them, since
# single letters and figures can spell anything.

_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9]+")
_WORD = re.compile(
    r"[A-Za-zÀ-ɏ0-9]+|[ぁ-ゖ]+|[ァ-ヺー]+|[㐀-䶿一-鿿豈-﫿々]+"
    r"|[^\W_]+?(?=[A-Za-zÀ-ɏ0-9ぁ-ゖァ-ヺー㐀-䶿一-鿿豈-﫿々]|\W|_|$)"
)
"""Latin words and figures, and runs of one Japanese script or of any other."""
_SIGNS = re.compile(r"[^\w\s.,'&/()%・、。-]|_")
_REPEATED = re.compile(r"([^\w\s])(?:\s*\1)+")
_SHORTEST = 3
"""Letters of a Latin word that a page of the web can make known."""
_YEARS = 10
"""Years before and after the day of the run that any query may name."""
_PARTICLE = 2
"""Hiragana that stand between words and say nothing."""
_SMALL = 100
"""The largest whole number that a tool may be given unseen: how many of something are wanted."""


class Outgoing:
    """The words that queries of one run may hold."""

    def __init__(self, told: str, today: date, *, ordinary: tuple[str, ...] = (), is_free: bool) -> None:
        """Begin with the user's own words.

        Args:
            told: the brief in words.
            today: the day of the run.
            ordinary: words that any query may hold.
            is_free: the user agreed that queries hold any word.
        """
        self._is_free = is_free
        self._known = set(_forms_of_all(ordinary))
        self._of_server: dict[str, set[str]] = {}
        self._has_private = False
        self._has_own = False
        self._unaware: set[str] = set()
        self._has_read = False
        self._learnt: set[str] = set()
        self._of_web: list[Page] = []
        """Pages of the web whose words are not known yet: they are learnt once something is there to be guarded."""
        self._trust(told, *map(str, range(today.year - _YEARS, today.year + _YEARS + 1)))

    def hear(self, event: Event) -> None:
        """Learn from what happens in the run: what was said before a page of one's own was read holds no word of it."""
        match event:
            case PageRead(origin=origin):
                self._has_read = True
                self._has_own = self._has_own or origin.is_own
                self._has_private = self._has_private or origin.is_private
            case QuestionAdded(question=text):
                self._trust(text)
            case PlanSettled(edited=True, outline=outline):
                self._trust(outline.model_dump_json())
            case PlanDrafted(outline=outline) | PlanSettled(outline=outline):
                self._said(outline.model_dump_json())
            case TopicQueued(lane=lane, topic=topic, title=title):
                self._said(f"{topic} {title}")
                if not self._has_private:
                    self._unaware.add(lane)
            case SearchStarted(query=query):
                self._said(query)

    def is_unaware(self, lane: str) -> bool:
        """Whether the topic of a researcher was handed out before anything private was read.

        Until it has met a page itself, it knows of none, and may search as it likes.
        """
        return lane in self._unaware

    def query(self, query: str, pages: Iterable[Page], server: str = "") -> str:
        """Return `query` as it may be sent to the web or to `server`; empty if nothing is left that says anything."""
        if not self._is_guarded(pages, server):
            return query
        kept = _WORD.sub(lambda word: self._kept(word.group(), server) or " ", _plain(query))
        return " ".join(kept.split()) if any(map(_says_something, _WORD.findall(kept))) else ""

    def may_pass(self, arguments: str, pages: Iterable[Page], server: str) -> bool:
        """Whether the arguments (JSON) of a tool may be sent to `server` as they are."""
        if not self._is_guarded(pages, server):
            return True
        try:
            given = json.loads(arguments)
        except ValueError:
            return True  # They are no arguments, and nothing is sent.
        # The names of the parameters are the server's own.
        values = given.values() if isinstance(given, dict) else [given]
        return all(self._passes(leaf, server) for value in values for leaf in _leaves(value))

    def _passes(self, value: object, server: str) -> bool:
        if value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _SMALL):
            return True
        text = _plain(str(value))
        is_plain = text == " ".join(unicodedata.normalize("NFKC", str(value)).split())
        return is_plain and all(self._kept(word, server) == word for word in _WORD.findall(text))

    def _is_guarded(self, pages: Iterable[Page], server: str) -> bool:
        """Learn the words of `pages`, and return whether anything was read that is not for `server` to know."""
        if self._is_free:
            return False
        for page in pages:
            if page.id in self._learnt:
                continue
            self._learnt.add(page.id)
            if page.origin.reach is Reach.CONNECTED:
                # Servers of tools go by their own names; any other source is one server, which no name of theirs hits.
                server_told = page.site if page.origin is SourceName.MCP else f"{page.origin}/"
                self._of_server.setdefault(server_told, set()).update(_forms(f"{page.text} {page.url}"))
            elif page.origin.is_own:
                self._has_own = True
            else:
                self._of_web.append(page)
        if not (self._has_own or any(name != server for name in self._of_server)):
            return False
        while self._of_web:
            page = self._of_web.pop()
            self._known.update(filter(_is_long, _forms(f"{page.title} {page.text}")))
        return True

    def _trust(self, *texts: str) -> None:
        self._known.update(_trusted_forms(texts))

    def _said(self, text: str) -> None:
        if not self._has_private:
            self._known.update(form for form in _forms(text) if not self._has_read or _is_long(form))

    def _kept(self, word: str, server: str) -> str:
        """Return what of a word may be sent to `server`: all of it, or nothing; of scripts without blanks, a part."""
        told = self._of_server.get(server, set())
        if _LATIN.fullmatch(word):
            form = singular(folded(word))
            return word if form in self._known or form in told or (len(form) > 1 and is_stop_word(form)) else ""
        if "ぁ" <= word[0] <= "ゖ" and len(word) <= _PARTICLE:
            return word
        return _covered(word, lambda form: form in self._known or form in told)


def _says_something(word: str) -> bool:
    return not is_stop_word(folded(word)) and not "ぁ" <= word[0] <= "ゖ"


def _plain(text: str) -> str:
    """Return `text` without signs, invisible characters and turns of letter case, in which anything could be hidden."""
    plain = _SIGNS.sub(" ", unicodedata.normalize("NFKC", text))
    usual = _LATIN.sub(lambda word: _usual(word.group()), _REPEATED.sub(r"\1", plain))
    return " ".join(usual.split())


def _usual(word: str) -> str:
    return word if word.islower() or word.isupper() or word[1:].islower() else word.lower()


def _covered(word: str, is_known: Callable[[str], bool]) -> str:
    """Return the characters of `word` that stand in one of its pairs that are known."""
    form = folded(word)
    if len(form) != len(word) or len(word) == 1:
        return word if is_known(form) else ""
    pairs = [is_known(form[at : at + 2]) for at in range(len(form) - 1)]
    return "".join(letter for at, letter in enumerate(word) if any(pairs[max(0, at - 1) : at + 1]))


def _forms(text: str) -> Iterator[str]:
    """Yield what the words of `text` are compared by: Latin ones in the singular, others as pairs of characters."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", text)):
        form = folded(word)
        if _LATIN.fullmatch(word):
            yield singular(form)
        elif len(form) == 1:
            yield form
        else:
            yield from (form[at : at + 2] for at in range(len(form) - 1))


def _trusted_forms(texts: Iterable[str]) -> Iterator[str]:
    """Yield the forms of texts and of what their terms are called in the other language."""
    for text in texts:
        yield from _forms(f"{text} {expand(text)}")


@lru_cache(maxsize=1)
def _forms_of_all(ordinary: tuple[str, ...]) -> frozenset[str]:
    """Return the forms of what every run may say: the words of a dictionary, which take a twentieth of a second."""
    return frozenset(_trusted_forms(ordinary))


def _is_long(form: str) -> bool:
    """Whether a word of the web is known by standing there; letters, short words and figures could spell anything."""
    if not _LATIN.fullmatch(form):
        return len(form) > 1
    return len(form) >= _SHORTEST and form.isalpha()


def _leaves(value: Any) -> Iterator[object]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    else:
        yield value
