"""A run under way in a real browser: what arrives, what the reader opened while it does, how it is ended."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import App, Tab
from tests.support.steps import ended, start_slow_run


def test_what_arrives_and_what_is_opened_stays_in_two_tabs_until_one_of_them_ends_the_run(
    slow_app: App, tab: Tab
) -> None:
    first = tab(slow_app.address)
    run = start_slow_run(first)
    expect(first.locator(".supervisor .thought").first).to_be_visible()
    expect(first.locator(".lane.running").first).to_be_visible()
    _what_the_reader_closed_stays_closed(first, first.locator("details.lane").first)
    _a_source_opens_and_stays_open(first)
    before = first.locator(".reading").count()
    first.reload()
    expect(first.locator(".reading:visible").first).to_be_visible()
    assert first.locator(".reading").count() >= before
    second = tab(first.url)
    expect(second.locator(".reading:visible").first).to_be_visible()

    first.get_by_label("Add a question").fill("What do dealers pay?")
    first.get_by_role("button", name="Add", exact=True).click()
    for page in (first, second):
        expect(page.locator(".asked-of")).to_contain_text("What do dealers pay?")
    second.get_by_role("button", name="Finish now").click()
    for page in (first, second):
        ended(page)
        expect(page.get_by_text("The research was finished early at the user's request.").first).to_be_visible()
    assert slow_app.state(run) in ("complete", "partial")


def _what_the_reader_closed_stays_closed(page: Page, lane: Locator) -> None:
    lane.locator("summary").first.click()
    expect(lane).not_to_have_attribute("open", "")
    _redrawn(page)
    expect(lane).not_to_have_attribute("open", "")
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    lane.locator("summary").first.click()
    expect(lane).to_have_attribute("open", "")


def _a_source_opens_and_stays_open(page: Page) -> None:
    page.locator(".reading:visible .title").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer).to_contain_text("The tea market of Japan grew")
    _redrawn(page)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    _redrawn(page)
    expect(drawer).to_be_hidden()


def _redrawn(page: Page) -> None:
    """Wait until the page was drawn again, twice: its clock went on."""
    clock = page.locator(".run-head")
    for _ in range(2):
        told = clock.inner_text()
        expect(clock).not_to_have_text(re.compile(f"^{re.escape(told)}$"))
