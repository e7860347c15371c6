"""Azure: its search as a source, and its search and models opened by a login instead of a key."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import research
from research.core import Brief, SourceError, SourceKind
from research.settings import KeptService, Settings, azure_login
from research.sources import FoundPage, Making, SearchRequest, provider
from research.sources.checks import CheckOutcome
from research.sources.model_checks import check_models
from tests.support.embedding_server import EmbeddingServer
from tests.support.model_servers import ModelServer
from tests.support.openai_server import Calls, Json, Text
from tests.support.services import access

KEY = "azure-key-0123456789"
SEARCH = "/indexes/house/docs/search"
FOUND = {
    "@odata.context": "https://x/$metadata#docs(*)",
    "value": [
        {"@search.score": 2.5, "id": "7_0", "title": "Minutes", "content": "The seal leaks after 40 hours.",
         "url": "https://share.example/minutes.docx", "day": "2026-03-02T00:00:00Z"},
        {"@search.score": 2.1, "id": "8", "title": "Plan", "content": "A plant in Da Nang.", "url": "", "day": None},
        {"@search.score": 1.9, "id": "7_1", "title": "Minutes", "content": "It is replaced at no cost.",
         "url": "https://share.example/minutes.docx", "day": "2026-03-02T00:00:00Z"},
    ],
}  # fmt: skip


def settings(httpserver: HTTPServer, home: Path, more: dict[str, KeptService] | None = None, **values: str) -> Settings:
    given = {"endpoint": httpserver.url_for("/"), "index": "house", "key": KEY, "url_field": "url", "date_field": "day"}
    return Settings(home=home, services={"source_azure-search": KeptService.of(**given | values), **(more or {})})


async def search(made: Settings, query: str = "Which seal leaks?") -> list[FoundPage]:
    (source,) = provider("azure-search").made(Making(Brief(question="?"), made)).searched
    return await source.search(SearchRequest(query, 5))


def sent(httpserver: HTTPServer) -> dict[str, Any]:
    request = httpserver.log[0][0]
    assert request.headers["api-key"] == KEY and request.args["api-version"] == "2024-07-01"
    body: dict[str, Any] = json.loads(request.get_data())
    return body


async def test_words_find_documents_of_which_chunks_are_one_page(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(SEARCH, method="POST").respond_with_json(FOUND)
    first, second = await search(settings(httpserver, tmp_path))
    assert (first.url, first.title, first.published) == ("https://share.example/minutes.docx", "Minutes", "2026-03-02")
    assert first.text == "The seal leaks after 40 hours.\n\nIt is replaced at no cost."
    assert (second.url, second.kind, second.site) == ("azure-search://house/8", SourceKind.DOCUMENT, "house")
    body = sent(httpserver)
    assert (body["search"], body["top"], body["select"]) == ("Which seal leaks?", 15, "id,title,content,url,day")
    assert "vectorQueries" not in body


@pytest.mark.parametrize(("mode", "has_words"), [("hybrid", True), ("vector", False)])
async def test_the_service_makes_vectors_itself_where_nobody_else_does(
    mode: str, has_words: bool, httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request(SEARCH).respond_with_json({"value": []})
    assert await search(settings(httpserver, tmp_path, vector_field="v", mode=mode)) == []
    body = sent(httpserver)
    assert body["vectorQueries"] == [{"kind": "text", "text": "Which seal leaks?", "fields": "v", "k": 50}]
    assert ("search" in body) is has_words


async def test_the_embedder_that_is_set_makes_them(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(SEARCH).respond_with_json({"value": []})
    with EmbeddingServer() as server:
        made = settings(httpserver, tmp_path, access(server.base_url, to="service_embedding"), vector_field="v")
        await search(made)
        server.refuse(401)
        with pytest.raises(SourceError, match="embedded"):
            await search(made)
    (vector,) = sent(httpserver)["vectorQueries"]
    assert vector["kind"] == "vector" and len(vector["vector"]) > 1


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Response(f"no {KEY}", 403), "search_unauthorized"), (Response("", 404), "search_bad_request"),
        (Response("", 429, {"Retry-After": "900"}), "search_quota"), (Response("down", 503), "search_failed"),
        (Response("<html>", 200), "search_failed"), (Response('{"value": [1]}', 200), "search_failed"),
        (Response(b" " * 17_000_000, 200), "search_failed"),
    ],
)  # fmt: skip
async def test_what_goes_wrong_has_its_name_and_tells_no_key(
    answer: Response, code: str, httpserver: HTTPServer, tmp_path: Path
) -> None:
    def on(request: Request) -> Response:
        return answer

    httpserver.expect_request(SEARCH).respond_with_handler(on)
    with pytest.raises(SourceError) as caught:
        await search(settings(httpserver, tmp_path))
    assert caught.value.code == code and KEY not in str(caught.value) + caught.value.detail


async def test_a_run_searches_it_once_it_is_set_up(httpserver: HTTPServer, tmp_path: Path) -> None:
    httpserver.expect_request(SEARCH).respond_with_json(FOUND)
    report = await research.run("Which seal leaks after how many hours?", settings=settings(httpserver, tmp_path))
    assert "40 hours" in report.markdown and "Minutes" in report.markdown


# --- Azure without a key ---------------------------------------------------------------------------------------------

pytest.importorskip("azure.identity")

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


async def pages_found(making: Making) -> int:
    (source,) = provider("azure-search").made(making).searched
    return len(await source.search(SearchRequest("seal", 5)))


async def test_search_is_opened_by_a_login(identity: Identity, httpserver: HTTPServer, tmp_path: Path) -> None:
    found = {"value": [{"id": "7", "title": "Minutes", "content": "The seal leaks."}]}
    httpserver.expect_request(SEARCH, method="POST").respond_with_json(found)
    assert await pages_found(index(httpserver, tmp_path)) == 1
    request = httpserver.log[0][0]
    assert request.headers["Authorization"] == "Bearer token-for-search.azure.com"
    assert "api-key" not in request.headers
    assert await pages_found(index(httpserver, tmp_path, key="key-0123456789")) == 1
    assert httpserver.log[1][0].headers["api-key"] == "key-0123456789", "a key goes before a login"


async def test_a_login_that_fails_says_so_and_no_token(
    identity: Identity, httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request(SEARCH).respond_with_data("no token-for-search.azure.com", status=403)
    with pytest.raises(SourceError) as refused:
        await pages_found(index(httpserver, tmp_path))
    assert refused.value.code == "search_unauthorized" and "token-for" not in refused.value.detail
    identity.refuses = True
    with pytest.raises(SourceError) as nobody:
        await pages_found(index(httpserver, tmp_path))
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
