"""Who is let in: requests for known hosts, of people whom the login names, into pages that no other site may frame.

Whatever watches over the workbench is told without a login how it stands.
"""

from __future__ import annotations

import asyncio
import re
import time
from html import escape
from pathlib import Path
from urllib.parse import quote, unquote

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from pages.parts.accounts import STAMP, Refused, has_oidc, login
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
_LOGIN, _LOGGED_IN = "/auth/login", "/oauth2callback"
"""Streamlit's own addresses: from the first it sends to whoever knows who is there, who sends back to the second."""
_COOKIE = f"{USER_COOKIE_NAME}=".encode()
_ASKED = "asked_for"
"""The cookie in which a browser keeps which page somebody asked for who then had to log in."""
_ASKED_SECONDS = 3600
_OWN_PAGE = re.compile(r"/(?![/\\])[!-~]*")
"""A path that leads to no other host, whoever put it into the cookie."""
_AWAY = Phrase(
    "Nobody can log in at the moment: the service that says who is there does not answer. Try again in a few minutes. "
    "If it stays so, tell whoever runs this workbench; its log says what happened."
)
_NOT_LOGGED_IN = Phrase(
    "You are not logged in: that was declined, or the service that says who is there did not accept this workbench. "
    "Try again. If it stays so, tell whoever runs this workbench; its log says what happened."
)
_AGAIN = Phrase("Back to the workbench")
_NAME = Phrase("Research workbench")
_SIGN = Path(__file__).parent / "assets" / "sign.svg"
_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{name}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body {{ font: 1rem/1.7 system-ui, sans-serif; max-width: 28rem; margin: 12vh auto; padding: 0 1.5rem;
color: light-dark(#141b26, #e3e7ed); background: light-dark(#fff, #13171d); word-break: auto-phrase }}
h1 {{ font-size: 1.5rem; margin: 0.5rem 0 }}</style>
<main>{sign}<h1>{name}</h1><p>{text}</p>{back}</main></html>"""
_BACK = '<p><a href="{address}">{text}</a></p>'
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
        if scope["path"].endswith((_LOGIN, _LOGGED_IN)):
            send = _telling(scope, send)
        elif scope["type"] == "http" and has_oidc() and not login().header:
            send = _remembering(scope, send)
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


def _said(text: Bilingual, scope: Scope, back: str = "") -> HTMLResponse:
    """Return a page that says why nobody is let in, in the language that the browser asks for, and may lead `back`."""
    language = preferred(Headers(scope=scope).get("accept-language"))
    sign = _SIGN.read_text(encoding="utf-8")
    link = _BACK.format(address=back, text=_AGAIN.in_(language)) if back else ""
    words = {"name": _NAME.in_(language), "text": escape(text.in_(language))}
    page = _PAGE.format(language=language, sign=sign, back=link, **words)
    return HTMLResponse(page, 403, {"Cache-Control": "no-store"})


def _host(scope: Scope) -> str:
    """Return the one `Host` header; of several, none can be trusted."""
    named = [value for header, value in scope["headers"] if header == b"host"]
    return named[0].decode("latin-1") if len(named) == 1 else ""


def _remembering(scope: Scope, send: Send) -> Send:
    """Have the browser of somebody who is not logged in keep which page they ask for, the last one alone."""
    request = Request(scope)
    if USER_COOKIE_NAME in request.cookies or "text/html" not in request.headers.get("accept", ""):
        return send
    page = quote(scope["path"]) + (f"?{query}" if (query := scope["query_string"].decode("latin-1")) else "")

    async def remembering(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            message = {**message, "headers": [*message["headers"], _kept(page, _ASKED_SECONDS)]}
        await send(message)

    return remembering


def _kept(page: str, seconds: int) -> tuple[bytes, bytes]:
    """Return the header by which a browser keeps which page was asked for."""
    cookie = f"{_ASKED}={quote(page, safe='')}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax"
    return b"set-cookie", cookie.encode()


def _to_what_was_asked_for(scope: Scope, answer: Message) -> Message:
    """Let Streamlit's answer to whoever has just logged in lead to the page asked for, and not to the first one."""
    page = unquote(Request(scope).cookies.get(_ASKED, ""))
    is_logged_in = any(name == b"set-cookie" and value.startswith(_COOKIE) for name, value in answer["headers"])
    if not (is_logged_in and _OWN_PAGE.fullmatch(page)):
        return answer
    headers = [one for one in answer["headers"] if one[0] != b"location"]
    return {**answer, "headers": [*headers, (b"location", page.encode()), _kept("", 0)]}


def _telling(scope: Scope, send: Send) -> Send:
    """Put a page that says so in the place of Streamlit's answer to a login that has failed.

    That has two English words, or is the way back to the page that was left, as if nothing had happened. From a login
    that has not failed, the way leads to the page that was asked for.
    """
    said: HTMLResponse | None = None

    async def telling(message: Message) -> None:
        nonlocal said
        if message["type"] == "http.response.start" and (said := _failed(scope, message)):
            cookies = [one for one in message["headers"] if one[0] == b"set-cookie"]
            message = {**message, "status": said.status_code, "headers": [*said.raw_headers, *cookies]}
        elif message["type"] == "http.response.start" and scope["path"].endswith(_LOGGED_IN):
            message = _to_what_was_asked_for(scope, message)
        elif said:
            message = {"type": "http.response.body", "body": b"" if message.get("more_body") else said.body}
        await send(message)

    return telling


def _failed(scope: Scope, answer: Message) -> HTMLResponse | None:
    """Return what is said of a login that has failed: nobody could be asked, or nobody was named.

    Where what the provider said is worth nothing, Streamlit forgets who was there. After a logout no code comes back.
    """
    if scope["path"].endswith(_LOGIN):
        return _said(_AWAY, scope, back="..") if answer["status"] >= 400 else None
    asked = QueryParams(scope["query_string"])
    cookies = [value for name, value in answer["headers"] if name == b"set-cookie" and value.startswith(_COOKIE)]
    is_forgotten = bool(cookies) and all(b"max-age=0" in value.lower() for value in cookies)
    return _said(_NOT_LOGGED_IN, scope, back=".") if "error" in asked or ("code" in asked and is_forgotten) else None


def _guarded(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in _HEADERS}
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in ours]
            message = {**message, "headers": [*kept, *_HEADERS]}
        await send(message)

    return guarded
