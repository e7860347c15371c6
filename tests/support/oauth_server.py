"""A real MCP server on loopback that is logged in to: it registers programs, gives out tokens and renews them."""

from __future__ import annotations

import secrets
import time

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.fastmcp import FastMCP
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from mcp.types import ToolAnnotations
from pydantic import AnyHttpUrl

from research.settings import McpServer
from tests.support.mcp_server import LoopbackMcp

NOTE = "The pump market in Vietnam grew by 4.2% in 2025."


class Desk(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Who gives out tokens: whoever comes is let in, unless told otherwise."""

    def __init__(self, url: str) -> None:
        self.url = url
        """Of the server whose tokens these are."""
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.access: dict[str, AccessToken] = {}
        self.refresh: dict[str, RefreshToken] = {}
        self.lasts = 3600
        """Seconds that a token is good for."""
        self.lets_in = True
        self.renewed = 0

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        assert client_info.client_id is not None
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        redirect = str(params.redirect_uri)
        if not self.lets_in:
            return construct_redirect_uri(redirect, error="access_denied", state=params.state)
        code = secrets.token_urlsafe(24)
        self.codes[code] = AuthorizationCode(
            code=code,
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id or "",
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
        )
        return construct_redirect_uri(redirect, code=code, state=params.state)

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        self.codes.pop(authorization_code.code)
        return self._given(client)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        self.refresh.pop(refresh_token.token)
        self.renewed += 1
        return self._given(client)

    async def load_access_token(self, token: str) -> AccessToken | None:
        return self.access.get(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        self.access.pop(token.token, None)

    def _given(self, client: OAuthClientInformationFull) -> OAuthToken:
        access, refresh = f"access-{secrets.token_hex(16)}", f"refresh-{secrets.token_hex(16)}"
        who = client.client_id or ""
        until = int(time.time()) + max(self.lasts, 60)
        self.access[access] = AccessToken(token=access, client_id=who, scopes=[], expires_at=until, resource=self.url)
        self.refresh[refresh] = RefreshToken(token=refresh, client_id=who, scopes=[])
        return OAuthToken(access_token=access, refresh_token=refresh, expires_in=self.lasts)


class OAuthMcpServer(LoopbackMcp):
    """The server, with a tool that says with which token it was asked; a context manager."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(self.url)
        address = AnyHttpUrl(self.url.removesuffix("/mcp"))
        fast = FastMCP(
            "notes",
            log_level="CRITICAL",
            stateless_http=True,
            auth_server_provider=self.desk,
            auth=AuthSettings(
                issuer_url=address,
                resource_server_url=AnyHttpUrl(self.url),
                validate_token_resource=True,
                client_registration_options=ClientRegistrationOptions(enabled=True),
            ),
        )

        @fast.tool(annotations=ToolAnnotations(readOnlyHint=True))
        def search_notes(query: str) -> str:
            from mcp.server.auth.middleware.auth_context import get_access_token

            token = get_access_token()
            return f"{NOTE} Asked with {token.token if token else 'no token'}."

        self._serve(fast.streamable_http_app())

    def named(self) -> McpServer:
        """The server as a user would set it up."""
        return McpServer(name="notes", url=self.url, search="search_notes")
