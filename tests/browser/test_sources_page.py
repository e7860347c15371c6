"""The page of sources and cache in a real browser: read, cleared, edited, filled into a brief, indexed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Locator, Page, expect

from research.analysts import PageSummary
from research.language import Language
from research.sources.sites import load
from research.store import RunStore
from research.store.world import SummaryCache
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.serving import workbench

_HOSTILE = {
    "url": "https://evil.example/",
    "title": "<img src=x onerror=alert(1)> 市場",
    "site": "evil.example",
    "published": None,
    "kind": "other",
    "text": "Nothing much. " * 400,
    "quotes": ["Nothing much."],
}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app that holds two runs and three summaries."""
    home = tmp_path_factory.mktemp("sources")
    store = RunStore(home)
    sample_runs.ended(store, Language.EN)
    story = sample_runs.Story(store, Language.EN, "chat")
    story.read("R1", _HOSTILE, cached=False)
    store.close()
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _add_summaries(SummaryCache(home / "cache" / "summaries"))).result()
    with workbench(home) as address:
        yield App(address, home)


@pytest.fixture
def page(app: App, tab: Tab) -> Page:
    """The page of that app."""
    return tab(f"{app.address}/sources", height=1400)


async def _add_summaries(cache: SummaryCache) -> None:
    async def make() -> PageSummary:
        return PageSummary("It grew.", ("The market grew.",))

    for number in range(3):
        await cache.get_or_make(f"key {number}", make)


def _tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def test_a_page_is_found_read_and_followed_to_its_run(page: Page) -> None:
    rows = page.locator(".seen-page")
    expect(rows.first).to_be_visible()
    order = page.locator(".st-key-seen_order")
    expect(order).to_be_visible()
    page.get_by_label("Search pages").fill("zebra")
    page.get_by_label("Search pages").press("Enter")
    expect(page.get_by_text("No page fits.")).to_be_visible()
    expect(order).to_be_hidden()  # nothing is to be put in order
    page.get_by_label("Search pages").fill("市場 evil")
    page.get_by_label("Search pages").press("Enter")
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("button")).to_have_text("<img src=x onerror=alert(1)> 市場")
    rows.get_by_role("button").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.locator(".hash")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    expect(drawer.locator(".snapshot mark")).to_have_text("Nothing much.")
    _reached_by_keys(page, drawer)
    drawer.get_by_text("Show the whole page").click()
    expect(drawer.get_by_text("later text left out")).to_have_count(0)
    expect(drawer.locator(".hash")).to_be_visible()
    drawer.locator(".seen-uses .title").click()
    expect(page).to_have_url(re.compile(r"/run\?id="))
    page.go_back()
    expect(page.get_by_role("heading", name="Sources & cache")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def _reached_by_keys(page: Page, drawer: Locator) -> None:
    """What is drawn in a dialog is reached and left with Tab, in both directions."""
    stops = [drawer.locator(".seen-name .title"), drawer.locator(".seen-uses .title"), drawer.get_by_role("switch")]
    for stop in stops:  # What draws the switch is loaded when one is drawn first.
        expect(stop).to_be_visible()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()  # What is drawn anew loses the caret.
    page.keyboard.press("Tab")  # from the dialog to what closes it
    for key, way in (("Tab", stops), ("Shift+Tab", stops[-2::-1])):
        for stop in way:
            page.keyboard.press(key)
            expect(stop).to_be_focused()


def test_the_cache_is_cleared_after_asking(page: Page, app: App) -> None:
    _tab(page, "Cache")
    page.get_by_role("button", name="Clear the cache").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert SummaryCache(app.home / "cache" / "summaries").content().summaries == 3
    page.get_by_role("button", name="Clear the cache").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear the cache").click()
    expect(page.get_by_text("3 summaries removed.")).to_be_visible()
    expect(page.get_by_role("button", name="Clear the cache")).to_be_disabled()


def test_a_set_is_made_changed_used_and_deleted(page: Page, app: App) -> None:
    home = app.home
    _tab(page, "Site sets")
    page.get_by_role("button", name="New set").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Our sector, " * 10)
    dialog.get_by_label("Searched first, one per line").fill("not a site")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("at most 60 characters")).to_be_visible()
    dialog.get_by_label("Name").fill("Our sector")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("“not a site” is no site")).to_be_visible()
    dialog.get_by_label("Searched first, one per line").fill("https://www.meti.go.jp/x\nnikkei.com")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".site-set").first.get_by_text("meti.go.jp · nikkei.com")).to_be_visible()
    page.get_by_role("button", name="Edit “Our sector”").click()
    dialog.get_by_label("Never read, one per line").fill("x.com")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".site-set").first.get_by_text("x.com")).to_be_visible()

    page.get_by_role("button", name="Copy “Our sector”").click()
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator(".site-set", has_text="(copy)")).to_be_visible()
    page.get_by_role("button", name="Delete “Our sector (copy)”").click()
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".site-set", has_text="(copy)")).to_have_count(0)
    assert [one.name for one in load(home)] == ["Our sector"]

    page.locator(".site-set").first.get_by_role("button", name="Use in a new brief").click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.locator(".st-key-brief").get_by_text("meti.go.jp")).to_be_visible()


def test_a_sample_is_indexed_in_sight_and_removed(page: Page, app: App) -> None:
    _tab(page, "Documents")
    card = page.locator(".st-key-collection_house")
    card.get_by_role("button", name="Index now").click()
    expect(card.get_by_text("Indexed, up to date")).to_be_visible()
    expect(card.locator(".figure", has_text="Files")).to_contain_text("14")
    card.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    expect(card.get_by_role("button", name="Remove")).to_have_count(0)
    assert not (app.home / "collections" / "house-1").exists()
    own = page.locator(".st-key-collection_own")
    own.locator("input[type=file]").set_input_files([{"name": "a.md", "mimeType": "text/plain", "buffer": b"# A\n"}])
    expect(own.locator(".documents li")).to_have_count(1)
    expect(own.get_by_text("Indexed, up to date")).to_be_visible()
    expect(page.get_by_text("1 document added.")).to_be_visible()
