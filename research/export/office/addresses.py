"""Addresses as Office accepts them: a link that it cannot read makes it call a whole file damaged."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from research.export.office.cleaning import clean

_LONGEST = 2_000
"""Characters; Office cuts or refuses longer addresses."""
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\]")
_MAIL = re.compile(r"[A-Za-z0-9.!$&'*+/=^_{|}~-]+@[A-Za-z0-9.-]+")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATH = "/:@!$&'()*+,;=~%-._"


def safe_address(url: str) -> str:
    """Return an `http`, `https` or `mailto` address with every odd character escaped; empty if it cannot be one."""
    stripped = clean(url).strip()
    try:
        parts = urlsplit(stripped)
        if parts.scheme == "mailto":
            found = stripped if _MAIL.fullmatch(parts.path) and not (parts.query or parts.fragment) else ""
        elif parts.scheme in ("http", "https"):
            host, tail = _host(parts.netloc, parts.hostname, parts.port), quote(parts.path, _PATH)
            query = f"?{quote(parts.query, _PATH + '?')}" if parts.query else ""
            fragment = f"#{quote(parts.fragment, _PATH + '?')}" if parts.fragment else ""
            found = f"{parts.scheme}://{host}{tail}{query}{fragment}" if host else ""
        else:
            found = ""
    except ValueError:
        return ""
    found = _STRAY_PERCENT.sub("%25", found)
    return found if len(found) <= _LONGEST else ""


def _host(netloc: str, name: str | None, port: int | None) -> str:
    """Return the host with its port; empty with a password before it, which only ever misleads."""
    if not name or "@" in netloc:
        return ""
    plain = name if name.isascii() else name.encode("idna").decode("ascii")
    bracketed = f"[{plain}]" if ":" in plain else plain
    if not _HOST.fullmatch(bracketed):
        return ""
    return bracketed if port is None else f"{bracketed}:{port}"
