"""The login by OpenID Connect in a real browser, at a real provider: the whole exchange, and how it fails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, expect

from research.language import Language
from research.store import RunStore, label, latest_actions
from tests.browser.conftest import Reader
from tests.support import sample_runs
from tests.support.identity_provider import IdentityProvider, auth_section
from tests.support.serving import Server

ALICE, BOB = "alice@example.com", "bob@example.com"
PEOPLE = {
    "a-1": {"email": ALICE, "email_verified": True},
    "b-2": {"email": BOB, "email_verified": True},
    "m-3": {"email": ALICE, "email_verified": False},
}
BUTTON = re.compile("^(Log in|ログイン)$")
COOKIES = {"_streamlit_user", "_streamlit_user_tokens"}


class Team(NamedTuple):
    """A server that others can reach, and a run of Alice there."""

    address: str
    run: str
    home: Path


@pytest.fixture(scope="module")
def provider() -> Iterator[IdentityProvider]:
    with IdentityProvider(PEOPLE) as running:
        yield running


@contextmanager
def served(home: Path, provider: IdentityProvider, **changed: str) -> Iterator[str]:
    """Start a workbench as `docs/team.md` says, but for what is changed in its `[auth]`; empty values are left out."""
    secrets = home / "secrets.toml"
    names = {"STREAMLIT_SERVER_ALLOWED_HOSTS": "team.example 127.0.0.1", "STREAMLIT_SECRETS_FILES": str(secrets)}
    server = Server(home, **names)
    secrets.write_text(auth_section(server.address, **(provider.registered(server.address) | changed)))
    try:
        server.start()
        yield server.address
    finally:
        server.stop()


@pytest.fixture(scope="module")
def team(provider: IdentityProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    home = tmp_path_factory.mktemp("home")
    store = RunStore(home)
    run = sample_runs.ended(store.of_account(ALICE), Language.EN)
    label(store.of_account(ALICE), run, title="Plans of Alice", tags=[])
    with served(home, provider) as address:
        yield Team(address, run, home)
    store.close()


def ask_to_log_in(page: Page, address: str) -> None:
    """Open an address as nobody in particular; there is a button, and no way to any page."""
    page.goto(address)
    expect(page.get_by_role("heading", level=1, name="Research workbench")).to_be_visible()
    expect(page.get_by_role("link", name="Runs")).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_have_count(0)
    assert "Alice" not in page.content()
    page.get_by_role("button", name="Log in").click()


def log_in(page: Page, address: str, who: str) -> None:
    ask_to_log_in(page, address)
    page.get_by_role("button", name=who, exact=True).click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


def cookies(page: Page) -> dict[str, str]:
    """What the browser keeps of the login; no script of a page may read it, and no other site has it sent."""
    kept = [one for one in page.context.cookies() if one["name"] in COOKIES]
    assert all(one["httpOnly"] and one["sameSite"] == "Lax" for one in kept)
    return {one["name"]: one["value"] for one in kept}


def test_each_logs_in_from_any_page_comes_back_to_it_and_sees_their_own(team: Team, reader: Reader) -> None:
    hers, his = reader().new_page(), reader().new_page()
    asked = f"{team.address}/run?id={team.run}"
    log_in(hers, asked, "a-1")
    log_in(his, asked, "b-2")
    assert hers.url == his.url == asked
    expect(hers.get_by_text("Plans of Alice").first).to_be_visible()
    assert cookies(hers).keys() == cookies(his).keys() == COOKIES
    assert set(cookies(hers).values()).isdisjoint(cookies(his).values())
    expect(his.get_by_text("There is no such run.")).to_be_visible()
    for page, there in ((hers, 1), (his, 0)):
        page.goto(f"{team.address}/runs")
        expect(page.get_by_role("heading", level=1, name="Runs")).to_be_visible()
        expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
        expect(page.locator(".run")).to_have_count(there)
    assert "Alice" not in his.content()
    assert {(ALICE, "logged_in"), (BOB, "logged_in")} <= {
        (one.account, one.action.value) for one in latest_actions(RunStore(team.home).database)
    }


def test_an_address_of_mail_that_the_provider_has_not_verified_is_nobodys(team: Team, reader: Reader) -> None:
    page = reader().new_page()
    log_in(page, team.address, "m-3")
    page.goto(f"{team.address}/run?id={team.run}")
    expect(page.get_by_text("There is no such run.")).to_be_visible()
    expect(page.get_by_text("oidc:")).to_be_visible()


def test_who_logs_out_is_gone_and_another_may_come(team: Team, reader: Reader) -> None:
    page = reader().new_page()
    log_in(page, team.address, "a-1")
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="End session").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert cookies(page) == {}
    log_in(page, f"{team.address}/run?id={team.run}", "b-2")
    page.goto(f"{team.address}/run?id={team.run}")
    expect(page.get_by_text("There is no such run.")).to_be_visible()


def test_after_a_login_no_cookie_leads_to_another_host(team: Team, reader: Reader) -> None:
    """The button's address is taken from a browser; the rest is told by what the server answers, without one."""
    page = reader().new_page()
    with page.expect_request(re.compile("/auth/login")) as asked:
        ask_to_log_in(page, f"{team.address}/runs")
    for planted in ("", "%2F%2Fevil.example%2F", "%2F%5Cevil.example", "https%3A%2F%2Fevil.example", "%2F%0d%0aX"):
        with httpx.Client(follow_redirects=True) as client:
            client.get(f"{team.address}/runs", headers={"Accept": "text/html", "Sec-Fetch-Dest": "document"})
            assert client.cookies["asked_for"] == "%2Fruns"
            form = client.get(asked.value.url).url
            assert form.path == "/oauth2/authorize"
            if planted:
                client.cookies.set("asked_for", planted, domain="127.0.0.1")
            answer = client.post(form, data={"sub": "b-2"})
            assert "_streamlit_user" in "".join(one.headers.get("set-cookie", "") for one in answer.history)
            assert str(answer.url) == (f"{team.address}/" if planted else f"{team.address}/runs"), planted


def test_a_cookie_that_the_server_has_not_signed_lets_nobody_in(team: Team, reader: Reader) -> None:
    page = reader().new_page()
    log_in(page, team.address, "b-2")
    forged = [
        {"name": name, "value": f"{value[:-4]}AAAA", "url": team.address} for name, value in cookies(page).items()
    ]
    other = reader().new_page()
    other.context.add_cookies(forged)  # type: ignore[arg-type]
    ask_to_log_in(other, team.address)


def test_who_declines_is_told_that_nobody_logged_in(team: Team, reader: Reader) -> None:
    page = reader().new_page()
    ask_to_log_in(page, team.address)
    page.get_by_role("button", name="Deny").click()
    expect(page.get_by_text("You are not logged in: that was declined")).to_be_visible()
    page.get_by_role("link", name="Back to the workbench").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    assert page.url == f"{team.address}/"


TROUBLE = {
    "a secret that the provider does not know": ({"client_secret": "another"}, "en-GB", "You are not logged in"),
    "a provider that is away": ({"server_metadata_url": "http://127.0.0.1:9/x"}, "ja-JP", "現在、ログインできません"),
}


@pytest.mark.parametrize("trouble", TROUBLE)
def test_why_nobody_can_log_in_is_said(
    provider: IdentityProvider, tmp_path: Path, reader: Reader, trouble: str
) -> None:
    changed, locale, words = TROUBLE[trouble]
    with served(tmp_path, provider, **changed) as address:
        page = reader(locale=locale).new_page()
        page.goto(address)
        button = page.get_by_role("button", name=BUTTON)
        button.click()
        if "client_secret" in changed:
            page.get_by_role("button", name="a-1", exact=True).click()
        expect(page.get_by_text(words)).to_be_visible()
        assert cookies(page) == {} and "Traceback" not in page.content() and "rror" not in page.content()
        page.get_by_role("link").click()
        expect(button).to_be_visible()


def test_a_login_that_is_half_set_up_is_said_at_the_start(provider: IdentityProvider, tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError, match=r"not set up completely, .*'client_secret'"),
        served(tmp_path, provider, client_secret=""),
    ):
        pass
