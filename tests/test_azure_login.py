"""Azure without a key: the identity of a machine, asked on loopback as on Azure's own machines, opens both services.

`IDENTITY_ENDPOINT` and `IDENTITY_HEADER` are how Azure tells a program where its identity is given out:
https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import Brief, SourceError
from research.settings import KeptService, Settings, azure_login
from research.sources import Making, SearchRequest, provider
from research.sources.checks import CheckOutcome
from research.sources.model_checks import check_models
from tests.support.model_servers import ModelServer
from tests.support.openai_server import Calls, Json, Text

pytest.importorskip("azure.identity")

SEARCH = "/indexes/house/docs/search"
HEADER = "identity-header-of-this-machine"


@dataclass
class Identity:
    """Who gives out tokens on this machine."""

    refuses: bool = False

    def __call__(self, request: Request) -> Response:
        if self.refuses or request.headers["X-IDENTITY-HEADER"] != HEADER:
            return Response('{"error": {"code": "NoIdentity", "message": "none is assigned"}}', 400)
        host = urlsplit(request.args["resource"]).netloc
        soon = int(time.time()) + 60  # So short that each call asks for another.
        body = f'{{"access_token": "token-for-{host}", "expires_on": "{soon}", "token_type": "Bearer"}}'
        return Response(body, content_type="application/json")


@pytest.fixture(scope="module")
def machine() -> Iterator[Identity]:
    """An identity for the whole module: who is logged in is found out once in a process."""
    identity = Identity()
    with HTTPServer(threaded=True) as server, pytest.MonkeyPatch.context() as patch:
        server.expect_request("/msi/token").respond_with_handler(identity)
        patch.setenv("IDENTITY_ENDPOINT", server.url_for("/msi/token"))
        patch.setenv("IDENTITY_HEADER", HEADER)
        yield identity


@pytest.fixture
def identity(machine: Identity) -> Iterator[Identity]:
    yield machine
    machine.refuses = False


def index(httpserver: HTTPServer, home: Path, **more: str) -> Making:
    given = {"endpoint": httpserver.url_for("/"), "index": "house"} | more
    return Making(Brief(question="?"), Settings(home=home, services={"source_azure-search": KeptService.of(**given)}))


async def search(making: Making) -> int:
    (source,) = provider("azure-search").made(making).searched
    return len(await source.search(SearchRequest("seal", 5)))


async def test_search_is_opened_by_a_login(identity: Identity, httpserver: HTTPServer, tmp_path: Path) -> None:
    found = {"value": [{"id": "7", "title": "Minutes", "content": "The seal leaks."}]}
    httpserver.expect_request(SEARCH, method="POST").respond_with_json(found)
    assert await search(index(httpserver, tmp_path)) == 1
    request = httpserver.log[0][0]
    assert request.headers["Authorization"] == "Bearer token-for-search.azure.com"
    assert "api-key" not in request.headers
    assert await search(index(httpserver, tmp_path, key="key-0123456789")) == 1
    assert httpserver.log[1][0].headers["api-key"] == "key-0123456789", "a key goes before a login"


async def test_a_login_that_fails_says_so_and_no_token(
    identity: Identity, httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request(SEARCH).respond_with_data("no token-for-search.azure.com", status=403)
    with pytest.raises(SourceError) as refused:
        await search(index(httpserver, tmp_path))
    assert refused.value.code == "search_unauthorized" and "token-for" not in refused.value.detail
    identity.refuses = True
    with pytest.raises(SourceError) as nobody:
        await search(index(httpserver, tmp_path))
    assert (nobody.value.code, nobody.value.detail[:14]) == ("search_unauthorized", "azure-identity")
    assert len(httpserver.log) == 1, "nobody is asked without a login"


async def test_a_token_never_goes_where_it_can_be_read(identity: Identity) -> None:
    for address in ("http://search.example.com", "http://10.0.0.5"):
        with pytest.raises(azure_login.LoginFailed, match="https"):
            await azure_login.token_for(azure_login.SEARCH, address)()


def test_models_are_opened_by_a_login(identity: Identity, tmp_path: Path) -> None:
    with ModelServer("azure_openai") as server:
        server.handler = lambda body: (
            Calls(("note", {"word": "tea"})) if body.get("tools")
            else Json({"word": "tea"}) if body.get("response_format") else Text("OK")
        )  # fmt: skip
        given = server.environment(tmp_path)
        del given["AZURE_OPENAI_API_KEY"]
        settings = Settings.from_environment(given)
        assert settings.has_models
        check = check_models(settings, "azure_openai:large")
        assert check.works, check
        told = {(one.headers["Authorization"], one.headers.get("Api-Key")) for one in server.requests}
        assert told == {("Bearer token-for-cognitiveservices.azure.com", None)}
        identity.refuses = True
        asked = len(server.requests)
        assert check_models(settings, "azure_openai:large").outcome is CheckOutcome.REFUSED
        assert len(server.requests) == asked
