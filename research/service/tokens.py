"""Who asks a server of ours: a program with a token, or any on this computer as long as there are no tokens.

Of a token only its hash is kept; it is shown once, when it is made. What it opens is the account that it is for.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from research.core import FORWARDED, Frozen, StoreError, UsageError, explain, is_known_host, is_this_host
from research.language import Bilingual, Phrase, preferred
from research.settings import Settings, UserFile, account_named

LARGEST = 8_000_000
"""Bytes that a request may have: pages to verify a text against are sent whole."""
HEALTH = "/health"
"""Whatever watches over the server needs no token."""
_NO_TOKENS = Phrase(
    "Others can reach {host}, and there is no token, so the service does not start. Make one for each program that is "
    "to ask: python -m research token add --account NAME."
)
_STRANGE = Phrase("This service does not answer to that name. Whoever runs it can add it with --allow-host.")
_TOKEN_WANTED = Phrase("This service needs a token: send the header “Authorization: Bearer TOKEN”.")
TOO_LARGE = Phrase("The request is too large: at most {most:,} bytes.")


class Token(Frozen):
    """A token as it is kept."""

    id: str
    account: str
    sha256: str
    made_at: datetime


class Tokens(BaseModel):
    """All that are kept."""

    model_config = ConfigDict(frozen=True)

    tokens: tuple[Token, ...] = ()


kept_tokens = UserFile("tokens.json", Tokens)
"""The tokens of the home folder, for all accounts."""


def add_token(home: Path, account: str) -> str:
    """Make a token of an account, and return it: it is known to nobody afterwards.

    Raises:
        StoreError: it cannot be kept.
    """
    token = f"research_{secrets.token_urlsafe(32)}"
    made = Token(id=secrets.token_hex(4), account=account, sha256=_hash(token), made_at=datetime.now(UTC))
    kept_tokens.change(home, lambda kept: Tokens(tokens=(*kept.tokens, made)))
    return token


def remove_token(home: Path, token_id: str) -> str:
    """Forget a token, so that it opens nothing any more, and return whose account it opened.

    Raises:
        UsageError: there is none of that id.
        StoreError: the tokens cannot be written.
    """

    removed: list[Token] = []

    def without(kept: Tokens) -> Tokens:
        removed[:] = [one for one in kept.tokens if one.id == token_id]
        if not removed:
            raise UsageError(Phrase("There is no token {id}.").filled(id=token_id))
        return Tokens(tokens=tuple(one for one in kept.tokens if one not in removed))

    kept_tokens.change(home, without)
    return removed[0].account


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def check_reach(settings: Settings, host: str) -> None:
    """Check that nobody can reach a server at `host` without a token; `UsageError` says how to make one.

    Raises:
        StoreError: the tokens cannot be read.
    """
    if not is_this_host(host) and not kept_tokens.load(settings.home).tokens:
        raise UsageError(_NO_TOKENS.filled(host=host))


def listen(app: ASGIApp, host: str, port: int) -> None:
    """Serve until a signal says to end. Paths hold what was searched for: nothing that is asked is logged."""
    # Whoever makes a token or asks by stdin needs no server.
    import uvicorn

    uvicorn.run(app, host=host, port=port, access_log=False, server_header=False, proxy_headers=False, log_config=None)


class Refused(Exception):
    """Why a request is not answered, or cannot be carried out as things are."""

    def __init__(self, status: int, code: str, text: Bilingual, **parts: object) -> None:
        super().__init__(code)
        self.status, self.code, self.text, self.parts = status, code, text, parts


def told(status: int, code: str, message: str, **more: object) -> JSONResponse:
    """Return the answer to a request that failed."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return JSONResponse({"code": code, "message": message, **more}, status, {"Cache-Control": "no-store", **headers})


class Door:
    """Lets in requests for known hosts, of whoever has a token; no page of the web, and nothing that is too large.

    It says in the scope's state which `account` asks.
    """

    def __init__(self, app: ASGIApp, *, home: Path, host: str, allowed: Sequence[str]) -> None:
        """`home` holds the tokens, `host` is where the server listens, `allowed` are further names that it has."""
        self._app = app
        self._home = home
        self._is_here = is_this_host(host)
        self._known = () if self._is_here and not allowed else (host, "localhost", "127.0.0.1", "::1", *allowed)
        self._held: tuple[tuple[int, ...], Tokens] = ((-1,), Tokens())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or turn it away."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        language = preferred(headers.get("accept-language"))
        try:
            account = self._account(headers)
            self._check(scope, headers, account)
        except StoreError as error:
            await told(503, error.code, explain(error.code, language))(scope, receive, send)
        except Refused as refused:
            text = refused.text.in_(language).format(**refused.parts)
            await told(refused.status, refused.code, text)(scope, receive, send)
        else:
            scope.setdefault("state", {})["account"] = account or ""
            await self._app(scope, _bounded(receive), send)

    def _check(self, scope: Scope, headers: Headers, account: str | None) -> None:
        """Raise `Refused` for a request that is not let in."""
        hosts, length = headers.getlist("host"), headers.get("content-length", "0")
        if len(hosts) != 1 or not is_known_host(hosts[0], self._known):
            raise Refused(421, "unknown_host", _STRANGE)
        if "origin" in headers:
            raise Refused(403, "from_page", Phrase("Pages of the web may not ask this service."))
        if scope["path"] == HEALTH:
            return
        if account is None:
            raise Refused(401, "token_wanted", _TOKEN_WANTED)
        if not length.isdigit() or int(length) > LARGEST:
            raise Refused(413, "too_large", TOO_LARGE, most=LARGEST)

    def _account(self, headers: Headers) -> str | None:
        """Return the account that asks, None if nobody does who is known."""
        tokens = self._tokens()
        if not tokens and self._is_here and not any(name in headers for name in FORWARDED):
            return ""
        said = headers.getlist("authorization")
        kind, _, token = said[0].partition(" ") if len(said) == 1 else ("", "", "")
        if kind.lower() != "bearer":
            return None
        found = [one for one in tokens if hmac.compare_digest(one.sha256, _hash(token.strip()))]
        return account_named(found[0].account) if found else None

    def _tokens(self) -> tuple[Token, ...]:
        """Return the tokens as they are now: one that was removed opens nothing more."""
        stamp = kept_tokens.stamp(self._home)
        if stamp != self._held[0]:
            self._held = stamp, kept_tokens.load(self._home)
        return self._held[1].tokens


def _bounded(receive: Receive) -> Receive:
    """Return what receives a request and fails with 413 where it says more than `LARGEST`, whatever it announced."""
    got = 0

    async def bounded() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > LARGEST:
            raise HTTPException(413)
        return message

    return bounded
