"""Who is let in: requests for known hosts, of people whom the login names, into pages that no other site may frame.

Whatever watches over the workbench is told without a login how it stands.
"""

from __future__ import annotations

import asyncio
import time
from html import escape
from pathlib import Path

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from pages.parts.accounts import STAMP, Refused, login
from research.core import is_known_host
from research.language import Bilingual, Phrase, preferred

_POLICY = "frame-ancestors 'none'; object-src 'none'; base-uri 'self'; form-action 'self'; img-src 'self' data: blob:"
"""No other site may frame a page, and no text of strangers can have a picture fetched, whose address could tell."""
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
HEALTH = "/health"
"""Says how it stands with store, workers and runs that wait, in numbers alone."""
_OPEN_TO_ALL = (HEALTH, "/_stcore/health")
"""Whatever watches over the workbench need not log in; the second says that the process lives, and nothing else."""
_FRESH_SECONDS = 2.0
"""The store is not asked more often, however many ask."""
_NAME = Phrase("Research workbench")
_SIGN = Path(__file__).parent / "assets" / "sign.svg"
_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body {{ font: 1rem/1.7 system-ui, sans-serif; max-width: 28rem; margin: 12vh auto; padding: 0 1.5rem;
color: light-dark(#141b26, #e3e7ed); background: light-dark(#fff, #13171d); word-break: auto-phrase }}
h1 {{ font-size: 1.5rem; margin: 0.5rem 0 }}</style>
<main>{sign}<h1>{name}</h1><p>{text}</p></main></html>"""
_STRANGE = "This workbench does not answer to that name. Whoever runs it can add it to server.allowedHosts.\n"


class Door:
    """Answers requests for known hosts alone, whatever address they came in by.

    A page of the web whose name is made to lead here (DNS rebinding) asks for its own host, and gets nothing. Whom the
    login does not name gets a page that says what to do, and nothing of the workbench.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not is_known_host(_host(scope), st.get_option("server.allowedHosts")):
            strange = WebSocketClose() if scope["type"] == "websocket" else PlainTextResponse(_STRANGE, 421)
            await strange(scope, receive, send)
        else:
            await self._let_in(scope, receive, _guarded(send) if scope["type"] == "http" else send)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            who = login().judged(scope)
        except Refused as refused:
            if scope["type"] == "http" and scope["path"] not in _OPEN_TO_ALL:
                await _said(refused.text, scope)(scope, receive, send)
                return
            if scope["type"] == "websocket":
                await WebSocketClose()(scope, receive, send)
                return
            who = ""
        stamp = STAMP.encode()
        headers = [(name, value) for name, value in scope["headers"] if name != stamp]
        await self._app({**scope, "headers": [*headers, (stamp, who.encode())]}, receive, send)


class HealthPage:
    """Answers with JSON: 200 if the store can be used, else 503 with what is wrong with it."""

    def __init__(self) -> None:
        self._asking = asyncio.Lock()
        self._told = (0, dict[str, object]())
        self._until = 0.0

    async def answer(self, _: Request) -> JSONResponse:
        """Answer a request."""
        async with self._asking:
            if time.monotonic() >= self._until:
                self._told = await run_in_threadpool(_health)
                self._until = time.monotonic() + _FRESH_SECONDS
        status, told = self._told
        return JSONResponse(told, status, {"Cache-Control": "no-store"})


def _health() -> tuple[int, dict[str, object]]:
    # The engine is loaded with the first page, not with the door.
    from pages.parts.engine import common_store, leaves_to_workers
    from research.store import health_told

    return health_told(common_store(), uses_workers=leaves_to_workers())


def _said(text: Bilingual, scope: Scope) -> HTMLResponse:
    """Return a page that says why nobody is let in, in the language that the browser asks for."""
    language = preferred(Headers(scope=scope).get("accept-language"))
    sign = _SIGN.read_text(encoding="utf-8")
    page = _PAGE.format(language=language, name=_NAME.in_(language), sign=sign, text=escape(text.in_(language)))
    return HTMLResponse(page, 403, {"Cache-Control": "no-store"})


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
