"""Addresses that must not be asked: as they are, in every way of writing them, by redirect, and by an answer of DNS."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from research.core import SourceError, is_public
from research.settings import KeptService, Settings, WebSearch
from research.sources.checks import CheckOutcome, check_search
from research.sources.fetching import Fetcher
from research.sources.model_checks import check_models
from tests.support.packed import came_of

SPECIAL = (
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.192",
    "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.1", "192.175.48.6", "198.18.0.1",
    "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:168.63.129.16", "::ffff:0:7f00:1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::a83f:8110", "64:ff9b:1::1", "64:ff9b:1::808:808", "100::1",
    "2001::1", "2001:0:808:808::1", "2001:2::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::",
    "2620:4f:8000::1", "2606:4700::5efe:7f00:1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1",
    "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "feff::1", "ff02::1",
)  # fmt: skip
LED_TO = (
    "0.0.0.0", "10.0.0.1", "100.100.100.200", "127.0.0.1", "168.63.129.16", "169.254.169.254", "::1",
    "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "fd00:ec2::254", "fe80::1%eth0",
)  # fmt: skip
"""One of each kind, to be led to; which are special is tried of all."""
PUBLIC = ("8.8.8.8", "93.184.215.14", "168.63.129.17", "192.0.1.1", "2606:4700::1111", "2a00:1450::1", "2620:4f::1")
WRITTEN = (
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0", "0.0.0.0",
    "localhost", "LOCALHOST", "localhost.", "127.0.0.1.", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]", "127。0。0。1", "１２７.0.0.1", "ⓛocalhost", "me:pw@127.0.0.1", "example.com@127.0.0.1",
    "127.0.0.1%00.example.com", "[::1%25lo]", "127.0.0.1\\@8.8.8.8", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]",
    "localhost%2e", "loc%61lhost", "127%2e0%2e0%2e1", "0x7f.0x0.0x0.0x1", "0000127.0.0.1", "ｌｏｃａｌｈｏｓｔ",
    "localhost\u3002", "xn--a", "xn--localhost-.", "127.0.0.1#@8.8.8.8",
)  # fmt: skip

SEARCHERS = (WebSearch.OPENAI, WebSearch.TAVILY, WebSearch.ANTHROPIC)


def test_special_addresses_are_not_public_and_their_neighbours_are() -> None:
    assert [address for address in SPECIAL if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []


async def refused(url: str, fetcher: Fetcher) -> str:
    with pytest.raises(SourceError) as caught:
        async with fetcher.opened() as fetch:
            await fetch(url)
    assert caught.value.code == "pages_unreadable"
    return caught.value.detail


@pytest.mark.parametrize("host", WRITTEN)
async def test_this_computer_is_not_asked_however_it_is_written(httpserver: HTTPServer, host: str) -> None:
    httpserver.expect_request("/page").respond_with_data("Secret.", content_type="text/plain")
    await refused(f"http://{host}:{httpserver.port}/page", Fetcher(seconds=5))
    assert not httpserver.log


def _host(address: str) -> str:
    return f"[{address.partition('%')[0]}]" if ":" in address else address


@pytest.mark.parametrize("address", LED_TO)
async def test_no_redirect_leads_there(httpserver: HTTPServer, address: str) -> None:
    target = f"http://{_host(address)}/latest/meta-data/"
    httpserver.expect_request("/page").respond_with_data(status=302, headers={"Location": target})
    start = f"http://127.0.0.3:{httpserver.port}/page"
    # The first server stands for one of the web; nothing else of this computer does.
    await refused(start, Fetcher(seconds=5, allowed=lambda asked: asked == "127.0.0.3" or is_public(asked)))
    assert [request.path for request, _ in httpserver.log] in (["/page"], [])


@pytest.mark.parametrize(
    "target",
    ["http://xn--a/", "//[", "http://a b/", "http:///x", "http://" + "a" * 70_000, "file:///etc/passwd",
     "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "javascript:1"],
)  # fmt: skip
async def test_a_redirect_to_what_is_no_address_of_the_web_is_refused(httpserver: HTTPServer, target: str) -> None:
    httpserver.expect_request("/page").respond_with_data(status=302, headers={"Location": target})
    await refused(httpserver.url_for("/page"), Fetcher(seconds=5, allowed=lambda _: True))


class Resolver:
    """A hostile server of names in place of the system's: it answers something else each time."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        self._answers = list(answers)
        self._real = socket.getaddrinfo
        self.asked = 0

    def __call__(self, host: str | bytes | None, port: Any, *more: Any, **named: Any) -> list[Any]:
        if host not in ("page.example", b"page.example"):
            return self._real(host, port, *more, **named)
        self.asked += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        families = ((socket.AF_INET6 if ":" in address else socket.AF_INET, address) for address in answer)
        return [(family, socket.SOCK_STREAM, 6, "", (address, int(port or 0))) for family, address in families]


@pytest.mark.parametrize("address", LED_TO)
async def test_no_name_leads_there(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Resolver((address,)))
    assert "not public" in await refused("http://page.example/", Fetcher(seconds=5))


async def test_one_bad_address_of_a_name_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Resolver(("8.8.8.8", "169.254.169.254")))
    assert "not public" in await refused("http://page.example/", Fetcher(seconds=5))


async def test_a_name_is_asked_once_and_the_answer_that_was_checked_is_used(
    monkeypatch: pytest.MonkeyPatch, httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/page").respond_with_data("Text.", content_type="text/plain")
    resolver = Resolver(("127.0.0.1",), ("127.0.0.1",), ("127.0.0.2",))
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    fetcher = Fetcher(seconds=5, allowed=lambda address: address == "127.0.0.1")
    async with fetcher.opened() as fetch:
        assert (await fetch(f"http://page.example:{httpserver.port}/page")).text == "Text."
    assert resolver.asked == 2, "once for each connection: what the site asks of programs, and the page"
    assert "not public" in await refused(f"http://page.example:{httpserver.port}/page", fetcher)


# --- services that the user sets up: their own network is theirs, what machines ask their cloud is not --------------


def everywhere(address: str) -> dict[str, KeptService]:
    """Who is asked for models and for pages, all at one address."""
    names = ("provider_openai", "provider_anthropic", "service_tavily")
    return {name: KeptService.of(address=address, key="sk-0123456789") for name in names}


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "[::ffff:169.254.169.254]", "168.63.129.16", "192.0.0.192", "100.100.100.200", "0.0.0.0",
     "[fd00:ec2::254]", "2852039166", "0xa9fea9fe", "[64:ff9b::a9fe:a9fe]"],
)  # fmt: skip
def test_no_key_is_checked_where_clouds_tell_theirs(host: str) -> None:
    settings = Settings(home=Path(), services=everywhere(f"http://{host}/v1"), web_search=WebSearch.OPENAI)
    assert check_models(settings, "small").outcome is CheckOutcome.FORBIDDEN
    assert {check_search(settings, who).outcome for who in SEARCHERS} == {CheckOutcome.FORBIDDEN}


@pytest.mark.parametrize("status", [302, 307])
def test_no_check_follows_a_redirect_or_shows_what_was_said(httpserver: HTTPServer, status: int) -> None:
    with HTTPServer() as elsewhere:
        elsewhere.expect_request(re.compile(".*")).respond_with_json({"data": [{"id": "secret"}], "choices": []})
        httpserver.expect_request(re.compile(".*")).respond_with_data(
            "internal words", status=status, headers={"Location": elsewhere.url_for("/")}
        )
        settings = Settings(home=Path(), services=everywhere(httpserver.url_for("/v1")))
        checks = [check_models(settings, "small"), *(check_search(settings, who) for who in SEARCHERS)]
        assert not elsewhere.log
    assert not any(check.works for check in checks)
    assert "internal" not in repr(checks) and "secret" not in repr(checks) and "012345" not in repr(checks)


SERVICES = (
    "tavily", "mcp", "model", "anthropic", "azure", "gemini", "bedrock", "ollama", "search", "papers", "feeds",
    "azure-search",
)  # fmt: skip
"""Whoever is asked at an address that is set up, most of them with a key or a token, during a run."""
_INNER = "0.0.0.0"
"""An address at which no service may be, and at which this computer answers all the same."""


@pytest.fixture
def anybody(httpserver: HTTPServer) -> HTTPServer:
    httpserver.expect_request(re.compile(".*")).respond_with_json({})
    return httpserver


@pytest.mark.parametrize("answers", [(_INNER,), ("127.0.0.1", "169.254.169.254")])
@pytest.mark.parametrize("service", SERVICES)
def test_no_name_of_a_service_leads_there_in_a_run(
    monkeypatch: pytest.MonkeyPatch, anybody: HTTPServer, tmp_path: Path, service: str, answers: tuple[str, ...]
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Resolver(answers))
    assert came_of(service, f"http://page.example:{anybody.port}", tmp_path).startswith("refused")
    assert not anybody.log


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_is_asked_where_its_name_first_led(
    monkeypatch: pytest.MonkeyPatch, anybody: HTTPServer, tmp_path: Path, service: str
) -> None:
    resolver = Resolver(("127.0.0.1",), (_INNER,))
    monkeypatch.setattr(socket, "getaddrinfo", resolver)
    came_of(service, f"http://page.example:{anybody.port}", tmp_path)
    assert {request.host for request, _ in anybody.log} == {f"page.example:{anybody.port}"}
    assert resolver.asked >= 1


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_that_answers_at_one_of_its_addresses_alone_is_found(
    monkeypatch: pytest.MonkeyPatch, anybody: HTTPServer, tmp_path: Path, service: str
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", Resolver(("::1", "127.0.0.1")))
    came_of(service, f"http://page.example:{anybody.port}", tmp_path)
    assert anybody.log


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("service", SERVICES)
def test_no_service_sends_a_run_elsewhere(
    httpserver: HTTPServer, anybody_else: HTTPServer, tmp_path: Path, service: str, status: int
) -> None:
    moved = {"Location": anybody_else.url_for("/v1")}
    httpserver.expect_request(re.compile(".*")).respond_with_data(status=status, headers=moved)
    said = came_of(service, httpserver.url_for("").rstrip("/"), tmp_path)
    assert httpserver.log and not anybody_else.log, said


@pytest.fixture
def anybody_else() -> Iterator[HTTPServer]:
    with HTTPServer(host="127.0.0.1") as elsewhere:
        elsewhere.expect_request(re.compile(".*")).respond_with_json({})
        yield elsewhere
