"""The settings page in a real browser: keys that nobody sees again, models that are typed, runs that follow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from research.core import Role
from research.settings import kept_settings
from tests.browser.conftest import App, Tab
from tests.support.serving import workbench
from tests.support.tavily_server import Refusal, TavilyServer

_NAMES = {"provider_openai": "OpenAI", "service_tavily": "Tavily"}
_KEY = "sk-browser-secret-0123"


class Models:
    """A server of models that offers two, wants one key, and answers one word to everything."""

    def __init__(self, server: HTTPServer) -> None:
        self.address = server.url_for("/v1")
        self.keys: list[str] = []
        server.expect_request("/v1/models").respond_with_json({"data": [{"id": "house-large"}, {"id": "house-small"}]})
        server.expect_request("/v1/chat/completions").respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.keys.append(request.headers.get("Authorization", ""))
        model = json.loads(request.get_data())["model"]
        if self.keys[-1] != f"Bearer {_KEY}":
            return _said(401, {"error": {"message": f"Wrong key: {self.keys[-1]}"}})
        if not model.startswith("house-"):
            return _said(404, {"error": {"message": f"The model {model} does not exist."}})
        return _said(200, {"choices": [{"index": 0, "message": {"role": "assistant", "content": "OK"}}]})


def _said(status: int, body: object) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app in a home of its own, which the tests set up."""
    home = tmp_path_factory.mktemp("settings")
    with workbench(home) as address:
        yield App(address, home)


@pytest.fixture
def page(own: App, tab: Tab) -> Page:
    """Its settings page, in a window that need not scroll: that closes open menus."""
    kept_settings.path(own.home).unlink(missing_ok=True)
    return tab(f"{own.address}/settings", height=2400)


def _send(page: Page, service: str, *, address: str = "", key: str = "") -> None:
    whose = _NAMES[service]
    if address:
        page.get_by_label(f"Address for {whose}", exact=True).fill(address)
    expect(page.get_by_label(f"Key for {whose}", exact=True)).to_have_count(1)
    if key:
        page.get_by_label(f"Key for {whose}", exact=True).fill(key)
    page.get_by_role("button", name=f"Save and check {whose}", exact=True).click()


def _answered(page: Page, service: str, words: str) -> None:
    expect(page.locator(f".st-key-entry_{service}").get_by_text(words)).to_be_visible()


def _choose(page: Page, role: Role, model: str) -> None:
    field = page.locator(f".st-key-role_{role.value} input")
    field.fill(model)
    field.press("Enter")


def test_from_nothing_to_models_that_work(page: Page, own: App, httpserver: HTTPServer) -> None:
    models, home = Models(httpserver), own.home
    _send(page, "provider_openai", address="localhost:1/v1", key=_KEY)
    _answered(page, "provider_openai", "This is no address of a server.")
    _send(page, "provider_openai", address=f"{models.address}/ ", key="sk-wrong-key-0000")
    _answered(page, "provider_openai", "The server refused the key.")
    standing = page.locator(".st-key-models_standing")
    expect(standing.get_by_text("OpenAI is to answer, but did not work when it was last checked.")).to_be_visible()
    _send(page, "provider_openai", key=f" {_KEY} ")
    _answered(page, "provider_openai", "The server does not offer the model gpt-5.4-mini.")
    page.get_by_text("Advanced: model for each role").click()
    # In the last of the roles, too: a list that is opened before the page is drawn to its end, or scrolls, closes.
    last = page.locator(f".st-key-prices_{Role.FINAL_REPORT.value}")
    expect(last.get_by_text("not on this server").first).to_be_visible()
    field = page.locator(f".st-key-role_{Role.SUMMARIZATION.value} input")
    field.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    field.click()
    page.get_by_role("option", name="house-small").click()
    expect(page.locator(f".st-key-prices_{Role.SUMMARIZATION.value}").get_by_text("price not known")).to_be_visible()
    _choose(page, Role.RESEARCH, "x" * 300)
    expect(page.get_by_text("This is no name of a model.")).to_be_visible()
    _choose(page, Role.RESEARCH, "house-huge")
    expect(page.get_by_placeholder("As for research: house-huge")).to_be_visible()
    _send(page, "provider_openai")
    _answered(page, "provider_openai", "It works.")
    assert kept_settings.load(home).models == {Role.SUMMARIZATION: "house-small", Role.RESEARCH: "house-huge"}

    page.reload()
    _answered(page, "provider_openai", "A key was entered on")
    expect(page.get_by_label("Key for OpenAI", exact=True)).to_have_value("")
    assert _KEY not in page.content()
    page.get_by_role("link", name="New research").click()
    expect(page.get_by_text("what is read is sent there")).to_be_visible()
    assert _KEY not in (home / "app.log").read_text()


def test_a_search_that_refuses_a_key_that_is_removed_and_the_dark(page: Page, own: App) -> None:
    home = own.home
    with TavilyServer() as server:
        server.enqueue(Refusal(432))
        _send(page, "service_tavily", address=server.base_url, key="tvly-browser-secret")
        _answered(page, "service_tavily", "its quota is used up")
        expect(
            page.locator(".st-key-search_state").get_by_text("did not work when it was last checked")
        ).to_be_visible()
        _send(page, "service_tavily")
        _answered(page, "service_tavily", "It works.")
    expect(page.get_by_text("Tavily searches, as the first that is set up.")).to_have_count(2)
    page.get_by_role("button", name="Remove key for Tavily").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_role("button", name="Remove key")).to_have_count(0)
    assert "tvly-browser-secret" not in kept_settings.path(home).read_text()

    # Key and address stand side by side, and the choice of who searches is said at once.
    fields = [page.get_by_label(f"{field} for OpenAI", exact=True).bounding_box() for field in ("Key", "Address")]
    assert None not in fields and len({field["y"] for field in fields if field is not None}) == 1
    page.get_by_label("Who searches", exact=True).click()
    page.get_by_role("option", name="Nobody").click()
    expect(page.get_by_text("Switched off in Settings.")).to_have_count(2)

    page.locator("[data-testid=stMainMenu]").click()
    page.get_by_test_id("stMainMenuItem-theme-Dark").click()
    expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", re.compile(r"rgb\(19, 23, 29\)"))


def test_light_or_dark_is_chosen_once_for_every_page(app: App, tab: Tab) -> None:
    page = tab(f"{app.address}/settings")
    light, dark = re.compile(r"rgb\(255, 255, 255\)"), re.compile(r"rgb\(19, 23, 29\)")
    chosen = page.get_by_role("group", name="Light or dark")
    expect(chosen.get_by_label("As the system has it")).to_be_checked()
    chosen.get_by_label("Dark").check(force=True)
    for address in ("settings", "", "run"):
        page.goto(f"{app.address}/{address}")
        expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", dark)
    page.goto(f"{app.address}/settings")
    expect(chosen.get_by_label("Dark")).to_be_checked()
    chosen.get_by_label("Light", exact=True).check(force=True)
    expect(page.locator("[data-testid=stApp]")).to_have_css("background-color", light)
    expect(chosen.get_by_label("Light", exact=True)).to_be_checked()
