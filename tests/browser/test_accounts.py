"""A team's server in a real browser: two people behind a real proxy that says who they are, and who comes past it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from research.language import Language
from research.settings import home_of_account, kept_settings
from research.store import Action, RunStore, label, latest_actions, schedules
from tests.browser.conftest import App, Reader, Tab, until_seen
from tests.support import sample_runs
from tests.support.login_proxy import HEADER, LOGIN, SECRET, SECRET_HEADER, LoginProxy
from tests.support.machine import wait_until
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
    with (
        workbench(home, RESEARCH_ADMINISTRATORS="Alice@Example.com", **LOGIN) as server,
        LoginProxy(server, ALICE) as alice,
        LoginProxy(server, BOB) as bob,
    ):
        yield Team(server, alice.address, bob.address, home, run)
    store.close()


def test_each_sees_their_own_and_nothing_of_the_other(team: Team, tab: Tab) -> None:
    hers = tab(f"{team.alice}/runs")
    expect(hers.locator(".run")).to_have_count(1)
    expect(hers.get_by_text("Plans of Alice").first).to_be_visible()
    hers.goto(f"{team.alice}/run?id={team.run}")
    expect(hers.get_by_role("tab").first).to_be_visible()
    his = tab(f"{team.bob}/run?id={team.run}")
    expect(his.get_by_text("There is no such run.")).to_be_visible()
    his.goto(f"{team.bob}/runs")
    expect(his.get_by_text("Nothing has been researched yet")).to_be_visible()
    _settled(his)
    expect(his.get_by_text("Log in")).to_have_count(0)
    assert "Alice" not in his.content() and "hers" not in his.inner_text("body")


def _settled(page: Page) -> None:
    """Wait until the page is drawn to its end: before, whatever should not be there is not there yet."""
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()


def test_on_a_phone_the_name_of_whoever_shares_a_run_is_read_whole(team: Team, tab: Tab) -> None:
    theirs = RunStore(team.home).of_account("international-business.sales-planning.taro.yamada@division.example.co.jp")
    run = sample_runs.ended(theirs, Language.EN)
    theirs.share(run, True)
    page = tab(f"{team.bob}/runs", width=390, height=844)
    expect(page.get_by_text("Shared by international-business")).to_be_in_viewport(ratio=1)
    theirs.delete(run)


ENTRIES = (
    "Title and tags", "Run again", "Edit and run again", "Run on a schedule", "Compare with another run",
    "Export as a file", "Share with all accounts", "Delete",
)  # fmt: skip
"""All that a run's menu offers to whoever owns it."""
ADDRESSES = (
    "/", "/runs", "/run?id={run}", "/compare?runs={own},{run}", "/schedules?run={run}", "/sources", "/experiments",
)  # fmt: skip


def test_nothing_that_a_page_sends_names_another_accounts_run(team: Team, reader: Reader) -> None:
    """A reader whose browser puts the id of her run in the place of his own, in whatever a page tells the server."""
    store = RunStore(team.home)
    own = sample_runs.ended(store.of_account(BOB), Language.EN)
    assert len(own) == len(team.run), "what is exchanged must be as long, or the server understands nothing"
    hers, forged = store.of_account(ALICE), list[bytes]()
    before = _kept(hers, team.run)

    def exchange(way: WebSocketRoute) -> None:
        server = way.connect_to_server()

        def send(message: str | bytes) -> None:
            assert isinstance(message, bytes)
            if own.encode() in message:
                forged.append(message)
            server.send(message.replace(own.encode(), team.run.encode()))

        way.on_message(send)

    page = reader().new_page()
    page.route_web_socket("**/_stcore/stream", exchange)
    for entry in (*ENTRIES, "Star"):
        page.goto(f"{team.bob}/runs")
        expect(page.locator(".run")).to_have_count(1)
        _settled(page)
        forged.clear()
        if entry == "Star":
            page.locator(".run .star").click()
        else:
            _choose(page, entry)
        page.wait_for_timeout(500)
        _settled(page)
        assert forged, entry
        assert "Alice" not in page.content() and "hers" not in page.inner_text("body"), entry
    for address in ADDRESSES:
        page.goto(f"{team.bob}{address.format(run=team.run, own=own)}")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        _settled(page)
        assert "Alice" not in page.content() and "hers" not in page.inner_text("body"), address
    page.goto(f"{team.bob}/run?id={own}")
    expect(page.get_by_text("There is no such run.")).to_be_visible()
    assert _kept(hers, team.run) == before
    store.of_account(BOB).delete(own)
    assert store.of_account(BOB).list() == []
    store.close()


def _kept(store: RunStore, run: str) -> tuple[object, ...]:
    return store.list(), store.events(run), store.steering(run), store.markdown(run), schedules(store)


def test_each_has_their_own_keys(team: Team, tab: Tab) -> None:
    his = tab(f"{team.bob}/settings")
    his.get_by_role("textbox", name="Key for OpenAI").fill("sk-of-bob")
    expect(his.get_by_role("textbox", name="Address for OpenAI")).to_be_disabled()
    his.get_by_role("textbox", name="Key for OpenAI").press("Enter")
    expect(his.get_by_text("A key was entered on")).to_be_visible()
    with LoginProxy(team.server, "carol@example.com") as carol:  # Alice sets up what holds for all.
        hers = tab(f"{carol.address}/settings")
        _settled(hers)
        expect(hers.get_by_text("A key was entered on")).to_have_count(0)
    kept = [path.read_text() for path in team.home.glob("accounts/*/settings/kept.json")]
    assert len(kept) == 1 and "sk-of-bob" in kept[0]
    assert not (team.home / "settings").exists()


def test_what_is_shared_is_read_until_it_is_taken_back(team: Team, tab: Tab) -> None:
    hers = tab(f"{team.alice}/runs")
    _choose(hers, "Share with all accounts")
    expect(hers.get_by_text("Shared with all")).to_be_visible()
    his = tab(f"{team.bob}/runs")
    expect(his.get_by_text(f"Shared by {ALICE}")).to_be_visible()
    his.get_by_role("button", name="More on").click()
    for entry, there in (("Export as a file", 1), ("Run again", 1), ("Delete", 0), ("Title and tags", 0)):
        expect(his.locator(".card").get_by_role("button", name=entry, exact=True)).to_have_count(there)
    his.goto(f"{team.bob}/run?id={team.run}")
    expect(his.get_by_text("Shared by alice").first).to_be_visible()
    expect(his.get_by_role("tab").first).to_be_visible()
    expect(his.get_by_placeholder("Ask about this report")).to_have_count(0)
    _choose(hers, "Share no longer")
    expect(hers.get_by_text("Shared with all")).to_have_count(0)
    his.reload()
    expect(his.get_by_text("There is no such run.")).to_be_visible()
    done = [(one.account, one.action.value) for one in latest_actions(RunStore(team.home).database)]
    assert {(ALICE, "shared"), (ALICE, "unshared"), (ALICE, "logged_in"), (BOB, "logged_in")} <= set(done)


def test_who_goes_on_with_the_session_of_another_sees_nothing_of_it(team: Team, page: Page) -> None:
    with LoginProxy(team.server, ALICE) as proxy:
        page.goto(f"{proxy.address}/run?id={team.run}")
        expect(page.get_by_role("tab").first).to_be_visible()
        proxy.account = BOB
        with page.expect_websocket():  # What is pressed while nothing is connected is lost.
            proxy.cut()
        expect(page.get_by_test_id("stConnectionStatus")).to_have_count(0)
        # A browser that connects anew does not say from when on it is heard.
        until_seen(page.get_by_text("日本語").click, page.get_by_text("bob"), times=8, milliseconds=15_000)
        expect(page.get_by_text("There is no such run.")).to_be_visible()
        assert "Alice" not in page.content()


def test_an_administrator_sets_up_what_holds_for_all(team: Team, tab: Tab) -> None:
    hers = tab(f"{team.alice}/settings")
    hers.get_by_role("textbox", name="Address for OpenAI").fill("http://127.0.0.1:9/v1")
    hers.get_by_role("textbox", name="Key for OpenAI").fill("sk-of-all")
    hers.get_by_role("textbox", name="Key for OpenAI").press("Enter")
    expect(hers.get_by_text("A key was entered on")).to_be_visible()
    assert "sk-of-all" in (team.home / "settings" / "kept.json").read_text()
    most = "Most that any run may cost, in US dollars"
    hers.get_by_role("spinbutton", name=most).fill("0.5")
    hers.get_by_role("spinbutton", name=most).press("Enter")
    wait_until(lambda: kept_settings.load(team.home).max_cost_usd == 0.5)
    hers.get_by_text("Who did what").click()
    expect(hers.get_by_text("Changed settings").first).to_be_visible()
    with LoginProxy(team.server, "carol@example.com") as carol:
        theirs = tab(f"{carol.address}/settings")
        expect(theirs.get_by_text("An administrator has set a key for all.")).to_be_visible()
        expect(theirs.get_by_text("Who did what")).to_have_count(0)
        expect(theirs.get_by_role("spinbutton", name=most)).to_have_count(0)
        assert "sk-of-all" not in theirs.content()


def test_each_has_their_own_documents_and_who_adds_and_removes_one_is_kept_for_administrators(
    team: Team, tab: Tab, tmp_path: Path
) -> None:
    place = home_of_account(team.home, ALICE) / "documents"
    place.mkdir(parents=True, exist_ok=True)
    for number in (1, 2):
        (place / f"plans-{number}.txt").write_text("Plans of Alice.")
    expect(tab(team.alice).get_by_text("My documents (2)")).to_be_visible()
    memo = tmp_path / "memo.md"
    memo.write_text("# Memo\n\nPumps are dear.")
    page = tab(f"{team.bob}/sources")
    _settled(page)
    assert "plans" not in page.content()
    page.goto(team.bob)
    page.get_by_text("My documents (0)").click()
    page.locator(".st-key-documents_open input[type=file]").set_input_files([memo])
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    page.get_by_role("button", name="Remove memo.md").click()
    expect(page.get_by_text("My documents (0)")).to_be_visible()
    store = RunStore(team.home)
    told = [one.action for one in latest_actions(store.database) if one.account == BOB]
    store.close()
    assert told[:2] == [Action.DOCUMENT_REMOVED, Action.DOCUMENTS_ADDED]


def _choose(page: Page, entry: str) -> None:
    page.get_by_role("button", name="More on").click()
    page.locator(".card").get_by_role("button", name=entry, exact=True).click()


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


@pytest.mark.parametrize("path", ["/", "/runs", "/media/x.pdf", "/_stcore/host-config", "/static/index.html"])
def test_who_comes_past_the_proxy_gets_nothing(team: Team, path: str) -> None:
    with httpx.Client(base_url=team.server) as client:
        for headers in FORGED:
            answer = client.get(path, headers=headers)
            assert answer.status_code == 403, headers
            assert "<script" not in answer.text and "Alice" not in answer.text, headers


def test_two_names_are_none(team: Team) -> None:
    headers = [(HEADER, BOB), (HEADER, ALICE), (SECRET_HEADER, SECRET)]
    assert httpx.get(team.server, headers=headers).status_code == 403


def test_it_is_said_in_the_language_of_the_browser(team: Team) -> None:
    answer = httpx.get(team.server, headers={"Accept-Language": "ja,en;q=0.8"})
    assert 'lang="ja"' in answer.text and "ログイン" in answer.text


def test_the_wire_behind_the_pages_is_closed_as_well(team: Team) -> None:
    asking = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
              "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    with httpx.Client(base_url=team.server) as client:
        got = [client.get("/_stcore/stream", headers={**asking, **headers}).status_code for headers in FORGED]
    assert got == [403] * len(FORGED)


def test_what_a_reader_says_of_themselves_is_not_believed(team: Team) -> None:
    answer = httpx.get(f"{team.bob}/_stcore/health", headers={HEADER: ALICE})
    assert answer.status_code == 200


def test_others_reach_nothing_where_no_login_is_set_up(app: App, tmp_path: Path) -> None:
    asked = {"STREAMLIT_SERVER_ALLOWED_HOSTS": "team.example 127.0.0.1"}
    with workbench(tmp_path, RESEARCH_OPEN="everyone who reaches this server may see all", **asked) as server:
        assert httpx.get(server).status_code == 200
    assert httpx.get(app.address).status_code == 200
    answer = httpx.get(app.address, headers={"X-Forwarded-Host": "team.example"})
    assert answer.status_code == 403 and "RESEARCH_OPEN" in answer.text
    health = httpx.get(f"{app.address}/health", headers={"X-Forwarded-Host": "team.example"})
    assert health.json()["store"] == "ok", "whatever watches over it has no login"
