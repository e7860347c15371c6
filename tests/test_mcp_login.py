"""Servers of tools that are logged in to: by the package's own flow against a real server on loopback."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from research.cli import main
from research.core import SourceError, UsageError, explain
from research.language import Language
from research.settings import McpServer
from research.sources import SearchRequest
from research.sources.mcp import Connection, Servers
from research.sources.mcp_login import LOGINS, log_in, log_out, logged_in, login_of
from tests.support.machine import wait_until
from tests.support.oauth_server import NOTE, OAuthMcpServer
from tests.support.without_browser import page_alone


@pytest.fixture
def server() -> Iterator[OAuthMcpServer]:
    with OAuthMcpServer() as running:
        yield running


def browser(address: str) -> None:
    """Follow an address as the browser of somebody does who says yes; the program itself goes on meanwhile."""
    threading.Thread(target=lambda: httpx.get(address, follow_redirects=True, timeout=20), daemon=True).start()


async def found(server: McpServer, home: Path) -> str:
    """Return what a search of a run finds there."""
    problems: list[object] = []
    servers = Servers([server], lambda *told, **more: problems.append(told), login=lambda one: logged_in(one, home))
    (source,) = servers.sources
    (page,) = await source.search(SearchRequest("pumps", 3))
    return page.text


async def test_whoever_logs_in_is_answered_from_then_on_and_the_token_is_in_no_page(
    server: OAuthMcpServer, tmp_path: Path
) -> None:
    one = server.named()
    with pytest.raises(SourceError) as caught:
        await Connection(one).tools()
    assert caught.value.code == "mcp_unauthorized" and "login NAME" in explain("mcp_unauthorized", Language.EN)
    assert await log_in(one, tmp_path, browser) == 1
    assert await found(one, tmp_path) == f"{NOTE} Asked with ***."
    (client,) = server.desk.clients.values()
    assert client.client_name == "Research workbench"


async def test_the_login_is_private_and_goes_to_no_other_address(server: OAuthMcpServer, tmp_path: Path) -> None:
    one = server.named()
    await log_in(one, tmp_path, browser)
    file = LOGINS.path(tmp_path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = next(iter(server.desk.access))
    assert (
        token in file.read_text() and token not in repr(LOGINS.load(tmp_path)) + LOGINS.load(tmp_path).model_dump_json()
    )
    elsewhere = one.model_copy(update={"url": "http://127.0.0.1:9/mcp"})
    assert login_of(elsewhere, tmp_path) is None and logged_in(elsewhere, tmp_path) is None
    log_out(one, tmp_path)
    assert login_of(one, tmp_path) is None


async def test_a_token_that_has_run_out_is_renewed_and_kept(server: OAuthMcpServer, tmp_path: Path) -> None:
    server.desk.lasts = 1
    one = server.named()
    await log_in(one, tmp_path, browser)
    kept = LOGINS.load(tmp_path).servers["notes"]
    past = kept.model_copy(update={"expires_at": 1.0})
    LOGINS.change(tmp_path, lambda logins: logins.model_copy(update={"servers": {"notes": past}}))
    server.desk.lasts = 3600
    assert NOTE in await found(one, tmp_path)
    assert server.desk.renewed == 1
    renewed = LOGINS.load(tmp_path).servers["notes"]
    assert renewed.tokens != kept.tokens and (renewed.expires_at or 0) > 1.0
    assert NOTE in await found(one, tmp_path) and server.desk.renewed == 1


async def test_a_login_that_is_not_good_any_more_is_told(server: OAuthMcpServer, tmp_path: Path) -> None:
    one = server.named()
    await log_in(one, tmp_path, browser)
    (token,) = server.desk.access
    server.desk.access.clear()
    server.desk.refresh.clear()
    with pytest.raises(SourceError) as caught:
        await found(one, tmp_path)
    assert caught.value.code == "mcp_login" and token not in caught.value.detail


async def test_who_is_not_let_in_or_never_comes_is_told(server: OAuthMcpServer, tmp_path: Path) -> None:
    server.desk.lets_in = False
    with pytest.raises(SourceError) as caught:
        await log_in(server.named(), tmp_path, browser)
    assert caught.value.code == "mcp_login" and "access_denied" in caught.value.detail
    with pytest.raises(SourceError) as caught:
        await log_in(server.named(), tmp_path, lambda address: None, patience=1.0)
    assert caught.value.code == "mcp_timeout"
    assert LOGINS.load(tmp_path).servers == {}
    with pytest.raises(UsageError, match="nothing to log in to"):
        await log_in(McpServer(name="here", command="program"), tmp_path, browser)


async def test_what_comes_to_the_listener_unasked_ends_nothing(server: OAuthMcpServer, tmp_path: Path) -> None:
    """Another program of this computer may knock: with nonsense, or with a code under a state that is not ours."""

    def show(address: str) -> None:
        callback = httpx.URL(address).params["redirect_uri"]

        def knock() -> None:
            assert httpx.get(callback).status_code == 404
            assert httpx.get(callback.replace("/callback", "/elsewhere?code=1")).status_code == 404
            httpx.get(address, follow_redirects=True, timeout=20)

        threading.Thread(target=knock, daemon=True).start()

    assert await log_in(server.named(), tmp_path, show) == 1

    def forge(address: str) -> None:
        callback = httpx.URL(address).params["redirect_uri"]
        threading.Thread(target=lambda: httpx.get(f"{callback}?code=1&state=forged"), daemon=True).start()

    log_out(server.named(), tmp_path)
    with pytest.raises(SourceError) as caught:
        await log_in(server.named(), tmp_path, forge)
    assert caught.value.code == "mcp_login" and LOGINS.load(tmp_path).servers == {}


def test_the_command_shows_where_to_log_in(
    server: OAuthMcpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path), "LANG": "en_US.UTF-8"}
    (tmp_path / "mcp.json").write_text(json.dumps([{"name": "notes", "url": server.url}]))
    assert main(["login", "nobody"], environment) == 2
    assert "it names: notes" in capsys.readouterr().err
    server.desk.lets_in = False
    from research import terminal

    class Told:
        """The terminal, on which somebody opens the address that is shown."""

        def write(self, text: str) -> int:
            if "http" in text:
                browser(text.partition(": ")[2].strip())
            return len(text)

        def flush(self) -> None:
            pass

    monkeypatch.setattr(terminal.sys, "stdout", Told())
    assert main(["login", "notes"], environment) == 1
    server.desk.lets_in = True
    assert main(["login", "notes"], environment) == 0
    assert "Logged in to notes, which offers 1 tools." in capsys.readouterr().err
    assert main(["login", "notes", "--forget"], environment) == 0
    assert LOGINS.load(tmp_path).servers == {}


def test_the_page_of_settings_logs_in_and_out(server: OAuthMcpServer, app_home: Path) -> None:
    (app_home / "mcp.json").write_text(json.dumps([{"name": "notes", "url": server.url}]))
    page = page_alone("settings.py").run()
    assert not page.exception
    page.button(key="log_in_notes").click().run()
    going = page.session_state["mcp_login_notes"]
    wait_until(lambda: going.address or going.has_ended, 30)
    page.run()
    assert not page.exception and going.address.startswith("http://127.0.0.1:")
    browser(going.address)
    wait_until(lambda: going.has_ended, 30)
    page.run()
    assert not page.exception and going.problem == ""
    assert "Logged in to notes." in [caption.value for caption in page.caption]
    page.button(key="list_tools_notes").click().run()
    assert any("search\\_notes" in caption.value or "search_notes" in caption.value for caption in page.caption)
    page.button(key="log_out_notes").click().run()
    assert not page.exception and LOGINS.load(app_home).servers == {}
    assert page.button(key="log_in_notes") is not None
