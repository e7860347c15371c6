"""Servers that are logged in to, as MCP has it (OAuth 2.1): once in a browser; tokens are kept, and renewed.

The package of MCP finds who gives out tokens, registers this program there and exchanges what the browser brings back
(https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization). What it is given stands among the
user's own private files, by the name and the address of a server: another address under the same name gets none of it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthMetadata, OAuthToken
from pydantic import AnyUrl, BaseModel, ConfigDict, SecretStr

from research.core import SourceError, StoreError, UsageError
from research.language import Language, Phrase
from research.settings import McpServer
from research.settings.files import KeptSecret, UserFile

_log = logging.getLogger(__name__)

PATIENCE = 300.0
"""Seconds that somebody has to log in."""
_ANSWERED = Phrase("You are logged in; this window can be closed.")
_LONGEST_REQUEST = 16_000
_NO_ADDRESS = Phrase("{name} is a program on this computer: there is nothing to log in to.")


class Login(BaseModel):
    """What a server's login left, each part as JSON of the package of MCP."""

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    url: str
    """Of the server: tokens go nowhere else."""
    client: KeptSecret
    """How this program is registered."""
    tokens: KeptSecret
    issuer: str = ""
    """Who gives out tokens, and where; empty where the server does itself."""
    expires_at: float | None = None
    """When the token does, in seconds since 1970; None if it does not say."""


class Logins(BaseModel):
    """All logins of a home, by the names of servers."""

    model_config = ConfigDict(frozen=True)

    servers: dict[str, Login] = {}


LOGINS = UserFile("mcp_logins.json", Logins)


def login_of(server: McpServer, home: Path) -> Login | None:
    """Return what is kept of a login to a server at its address; None if nobody has logged in.

    Raises:
        StoreError: the file of logins cannot be read.
    """
    kept = LOGINS.load(home).servers.get(server.name)
    return kept if kept is not None and kept.url == server.url else None


def log_out(server: McpServer, home: Path) -> None:
    """Forget the login to a server; raises `StoreError` if that cannot be written."""
    LOGINS.change(home, lambda kept: Logins(servers={n: one for n, one in kept.servers.items() if n != server.name}))


class Storage:
    """Where the package of MCP keeps what it is given; it is written for a server that is known at `home`."""

    def __init__(self, server: McpServer, home: Path, kept: Login | None) -> None:
        self._server = server
        self._home = home
        self._tokens = OAuthToken.model_validate_json(kept.tokens.get_secret_value()) if kept else None
        self._client = OAuthClientInformationFull.model_validate_json(kept.client.get_secret_value()) if kept else None
        self.issuer: Callable[[], str] = lambda: kept.issuer if kept else ""
        """Who gives out tokens, as it is known when they are kept."""

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens."""
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep tokens, as they are given or renewed."""
        self._tokens = tokens
        if self._client is None:
            return
        login = Login(
            url=self._server.url,
            client=SecretStr(self._client.model_dump_json(exclude_none=True)),
            tokens=SecretStr(tokens.model_dump_json(exclude_none=True)),
            issuer=self.issuer(),
            expires_at=time.time() + tokens.expires_in if tokens.expires_in else None,
        )
        with_login = {self._server.name: login}
        await asyncio.to_thread(LOGINS.change, self._home, lambda kept: Logins(servers=kept.servers | with_login))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return how this program is registered."""
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Take how it is registered; it is kept with the tokens."""
        self._client = client_info


class LoggedIn(OAuthClientProvider):
    """Sends the token of a server with each request and renews it; a login that has run out is an error."""

    def __init__(self, server: McpServer, home: Path, kept: Login) -> None:
        self.storage = Storage(server, home, kept)

        async def refuse(*_: object) -> tuple[str, str | None]:
            raise SourceError("mcp_login", server.name)

        async def nobody(address: str) -> None:
            await refuse(address)

        super().__init__(server.url, _about("http://127.0.0.1/callback"), self.storage, nobody, refuse)
        self.context.token_expiry_time = kept.expires_at
        if kept.issuer:
            self.context.oauth_metadata = OAuthMetadata.model_validate_json(kept.issuer)
        self.storage.issuer = lambda: _issuer(self)


def logged_in(server: McpServer, home: Path) -> LoggedIn | None:
    """Return what sends a server the token of its login; None where nobody has logged in, or that cannot be read."""
    try:
        kept = login_of(server, home)
        return LoggedIn(server, home, kept) if kept is not None else None
    except (StoreError, ValueError) as error:
        _log.warning("The login to %s cannot be read: %s", server.name, type(error).__name__)
        return None


def _issuer(auth: OAuthClientProvider) -> str:
    told = auth.context.oauth_metadata
    return told.model_dump_json(exclude_none=True) if told is not None else ""


def _about(redirect: str) -> OAuthClientMetadata:
    return OAuthClientMetadata(
        client_name="Research workbench",
        redirect_uris=[AnyUrl(redirect)],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )


async def log_in(
    server: McpServer,
    home: Path,
    show: Callable[[str], None],
    language: Language = Language.EN,
    *,
    patience: float = PATIENCE,
) -> int:
    """Log in to a server and keep that; return how many tools it offers then.

    Args:
        server: one that answers at an address.
        home: whose login it is.
        show: is given the address at which a person logs in; their browser must run on this computer, as it is sent
            back to it.
        language: of errors.
        patience: seconds that the person has.

    Raises:
        UsageError: the server is a program on this computer.
        SourceError: `mcp_login`, nobody logged in or the server refused; another `mcp_…` code as for any question.
        StoreError: the login cannot be kept.
    """
    from research.sources.mcp import Connection

    if not server.url:
        raise UsageError(_NO_ADDRESS.filled(name=server.name), language)
    storage = Storage(server, home, None)
    async with _Callback(language) as callback:

        async def told(address: str) -> None:
            show(address)

        auth = OAuthClientProvider(server.url, _about(callback.address), storage, told, callback.answer, patience)
        storage.issuer = lambda: _issuer(auth)
        tools = await Connection(server, list_seconds=patience, auth=auth).tools()
    return len(tools)


class _Callback:
    """A listener on this computer to which the browser is sent once somebody has logged in."""

    def __init__(self, language: Language) -> None:
        self._words = _ANSWERED.in_(language).encode()
        self._told: asyncio.Future[tuple[str, str | None]] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> _Callback:
        self._server = await asyncio.start_server(self._hear, "127.0.0.1", 0, limit=_LONGEST_REQUEST)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()

    @property
    def address(self) -> str:
        """Where it listens."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/callback"

    async def answer(self) -> tuple[str, str | None]:
        """Return the code that the browser brings, and the state that it was sent with."""
        return await self._told

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, ValueError, asyncio.LimitOverrunError):
            line = (await reader.readline()).decode("ascii", "replace").split(" ")
            asked = urlsplit(line[1] if len(line) > 2 else "")
            said = {name: values[0] for name, values in parse_qs(asked.query).items()}
            is_meant = asked.path == "/callback" and ("code" in said or "error" in said)
            head = b"HTTP/1.1 200 OK" if is_meant else b"HTTP/1.1 404 Not Found"
            body = self._words if is_meant and "code" in said else b""
            writer.write(head + b"\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n" + body)
            await writer.drain()
            if is_meant and not self._told.done():
                if "code" in said:
                    self._told.set_result((said["code"], said.get("state")))
                else:
                    self._told.set_exception(SourceError("mcp_login", said["error"][:100]))
        writer.close()
