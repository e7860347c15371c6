"""Addresses: one form for each, and which may be asked: for pages the public internet, for services what users run."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
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
