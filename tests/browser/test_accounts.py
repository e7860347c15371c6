"""A team's server in a real browser: two people behind a real proxy that says who they are, and who comes past it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, expect

from research.language import Language
from research.store import RunStore, label
from tests.browser.conftest import Tab
from tests.support import sample_runs
from tests.support.login_proxy import HEADER, LOGIN, SECRET, SECRET_HEADER, LoginProxy
from tests.support.serving import workbench

ALICE, BOB = "alice@example.com", "bob@example.com"


class Team(NamedTuple):
    """A server, and the ways to it."""

    server: str
    alice: str
    bob: str
    home: Path
    run: str


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    home = tmp_path_factory.mktemp("home")
    store = RunStore(home)
    run = sample_runs.ended(store.of_account(ALICE), Language.EN)
    label(store.of_account(ALICE), run, title="Plans of Alice", tags=["hers"])
    with workbench(home, **LOGIN) as server, LoginProxy(server, ALICE) as alice, LoginProxy(server, BOB) as bob:
        yield Team(server, alice.address, bob.address, home, run)
    store.close()


def test_each_sees_their_own_and_nothing_of_the_other(team: Team, tab: Tab) -> None:
    hers = tab(f"{team.alice}/runs")
    expect(hers.locator(".run")).to_have_count(1)
    expect(hers.get_by_text("Plans of Alice").first).to_be_visible()
    for address in ("/runs", f"/run?id={team.run}", f"/compare?runs={team.run}", "/sources", "/settings", "/"):
        his = tab(f"{team.bob}{address}")
        expect(his.get_by_text("Log in")).to_have_count(0)
        _settled(his)
        assert "Alice" not in his.content() and "hers" not in his.inner_text("body")
    his = tab(f"{team.bob}/run?id={team.run}")
    expect(his.get_by_text("There is no such run.")).to_be_visible()
    hers = tab(f"{team.alice}/run?id={team.run}")
    expect(hers.get_by_role("tab").first).to_be_visible()


def _settled(page: Page) -> None:
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_each_has_their_own_documents_and_keys(team: Team, tab: Tab) -> None:
    his = tab(f"{team.bob}/settings")
    his.get_by_role("textbox", name="Key for chat models").fill("sk-of-bob")
    expect(his.get_by_role("textbox", name="Address for chat models")).to_be_disabled()
    his.get_by_role("textbox", name="Key for chat models").press("Enter")
    expect(his.get_by_text("A key was entered on")).to_be_visible()
    hers = tab(f"{team.alice}/settings")
    _settled(hers)
    expect(hers.get_by_text("A key was entered on")).to_have_count(0)
    kept = [path.read_text() for path in team.home.glob("accounts/*/settings/kept.json")]
    assert len(kept) == 1 and "sk-of-bob" in kept[0]
    assert not (team.home / "settings").exists()


FORGED = (
    {},
    {HEADER: ALICE},
    {HEADER: ALICE, "X-Forwarded-For": "10.0.0.5"},
    {HEADER: ALICE, SECRET_HEADER: "a secret of two server"},
    {HEADER: ALICE, SECRET_HEADER: ""},
    {SECRET_HEADER: SECRET},
    {HEADER: "", SECRET_HEADER: SECRET},
    {HEADER: f"{ALICE},{BOB}", SECRET_HEADER: SECRET},
    {"X-Account": ALICE},
)


@pytest.mark.parametrize("headers", FORGED)
@pytest.mark.parametrize("path", ["/", "/runs", "/media/x.pdf", "/_stcore/host-config", "/static/index.html"])
def test_who_comes_past_the_proxy_gets_nothing(team: Team, headers: dict[str, str], path: str) -> None:
    answer = httpx.get(f"{team.server}{path}", headers=headers)
    assert answer.status_code == 403
    assert "<script" not in answer.text and "Alice" not in answer.text


def test_two_names_are_none(team: Team) -> None:
    headers = [(HEADER, BOB), (HEADER, ALICE), (SECRET_HEADER, SECRET)]
    assert httpx.get(team.server, headers=headers).status_code == 403


def test_it_is_said_in_the_language_of_the_browser(team: Team) -> None:
    answer = httpx.get(team.server, headers={"Accept-Language": "ja,en;q=0.8"})
    assert 'lang="ja"' in answer.text and "ログイン" in answer.text


@pytest.mark.parametrize("headers", FORGED)
def test_the_wire_behind_the_pages_is_closed_as_well(team: Team, headers: dict[str, str]) -> None:
    asking = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
              "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    assert httpx.get(f"{team.server}/_stcore/stream", headers={**asking, **headers}).status_code == 403


def test_what_a_reader_says_of_themselves_is_not_believed(team: Team) -> None:
    answer = httpx.get(f"{team.bob}/_stcore/health", headers={HEADER: ALICE})
    assert answer.status_code == 200


def test_others_reach_nothing_where_no_login_is_set_up(tmp_path: Path) -> None:
    asked = {"STREAMLIT_SERVER_ALLOWED_HOSTS": "team.example 127.0.0.1"}
    with workbench(tmp_path, **asked) as server:
        answer = httpx.get(server)
        assert answer.status_code == 403 and "RESEARCH_OPEN" in answer.text
    with workbench(tmp_path, RESEARCH_OPEN="everyone who reaches this server may see all", **asked) as server:
        assert httpx.get(server).status_code == 200
    with workbench(tmp_path) as server:
        assert httpx.get(server).status_code == 200
        assert httpx.get(server, headers={"X-Forwarded-Host": "team.example"}).status_code == 403
