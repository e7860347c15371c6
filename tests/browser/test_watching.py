"""A run under way in a real browser: what arrives, and what the reader opened while it does."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import App, Tab
from tests.support.steps import ended, start_slow_run


def test_reflections_and_sources_arrive_and_a_reload_or_a_second_tab_shows_the_same_run(
    slow_app: App, tab: Tab
) -> None:
    page = tab(slow_app.address)
    run = start_slow_run(page)
    expect(page.locator(".supervisor .thought").first).to_be_visible()
    expect(page.locator(".lane.running").first).to_be_visible()
    before = page.locator(".reading").count()
    page.reload()
    expect(page.locator(".reading:visible").first).to_be_visible()
    assert page.locator(".reading").count() >= before
    second = tab(page.url)
    expect(second.locator(".reading:visible").first).to_be_visible()
    page.close()
    second.get_by_role("button", name="Finish now").click()
    ended(second)
    assert slow_app.state(run) in ("complete", "partial")


def test_what_the_reader_opened_stays_open_while_the_page_updates(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    start_slow_run(page)
    lane = page.locator("details.lane").first
    lane.locator("summary").first.click()
    expect(lane).not_to_have_attribute("open", "")
    page.wait_for_timeout(2_500)
    expect(lane).not_to_have_attribute("open", "")
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    ended(page)


def test_a_source_opens_while_the_run_goes_on_and_stays_open(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    start_slow_run(page)
    page.locator(".reading:visible .title").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer).to_contain_text("The tea market of Japan grew")
    page.wait_for_timeout(2_500)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.wait_for_timeout(1_500)
    expect(drawer).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    ended(page)
