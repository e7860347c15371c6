"""Addresses of pages: one form for each, and which are below which."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
