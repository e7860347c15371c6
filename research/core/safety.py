"""What is asked and what is kept: addresses in one form and those that may be asked, keys and traces that stay here.

For pages only the public internet may be asked, for services what users run as well.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from url_normalize import url_normalize

_TRACKING = re.compile(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_hs(?:enc|mi)",
    re.IGNORECASE,
)
_LONGEST = 4_000


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


def site_of(url: str) -> str:
    """Return the host of a canonical address, without `www.`."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def is_below(site: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of `domains`, or stands below one."""
    return any(site == domain or site.endswith(f".{domain}") for domain in domains)


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


def leads_to_askable(host: str, *, asks_names: bool = True) -> bool:
    """Whether a service may be at `host`, a name or an address; a name that nobody knows leads nowhere, and may.

    With `asks_names` off, names are left as they are; addresses are known however they are written (`0xa9fea9fe`).
    """
    flags = 0 if asks_names else socket.AI_NUMERICHOST
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=flags)
    except (OSError, UnicodeError):
        return True
    return all(is_askable(str(entry[4][0])) for entry in found)


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
