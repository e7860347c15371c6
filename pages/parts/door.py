"""Who is let in: requests for the hosts that are known, into pages that no other site may frame."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

_HERE = ("localhost", "127.0.0.1", "::1")
"""The names of this computer, which hold where the configuration names none (`server.allowedHosts`)."""
_POLICY = "frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'; img-src 'self' data: blob:"
"""No other site may frame a page, and no text of strangers can have a picture fetched, whose address could tell."""
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
_STRANGE = "This workbench does not answer to that name. Whoever runs it can add it to server.allowedHosts.\n"


class Door:
    """Answers requests for known hosts alone, whatever address they came in by.

    A page of the web whose name is made to lead here (DNS rebinding) asks for its own host, and gets nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not is_known(_host(scope)):
            strange = WebSocketClose() if scope["type"] == "websocket" else PlainTextResponse(_STRANGE, 421)
            await strange(scope, receive, send)
        else:
            await self._app(scope, receive, _guarded(send) if scope["type"] == "http" else send)


def is_known(host: str) -> bool:
    """Whether a `Host` header names this workbench; the port plays no part. `*.example.com` and `*` stand for more."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        return False
    if not name or parts.netloc != host or "@" in host:
        return False
    known = [entry.strip().lower().rstrip(".") for entry in st.get_option("server.allowedHosts")] or _HERE
    return any(entry in ("*", name) or (entry.startswith("*.") and name.endswith(entry[1:])) for entry in known)


def _host(scope: Scope) -> str:
    """Return the one `Host` header; of several, none can be trusted."""
    named = [value for header, value in scope["headers"] if header == b"host"]
    return named[0].decode("latin-1") if len(named) == 1 else ""


def _guarded(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in _HEADERS}
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in ours]
            message = {**message, "headers": [*kept, *_HEADERS]}
        await send(message)

    return guarded
