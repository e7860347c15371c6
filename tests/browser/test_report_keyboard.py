"""A report by keyboard: its menus and dialogs come into reach, and give the focus back to where they came from."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from research.language import Language
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.steps import ended


@pytest.fixture
def page(app: App, tab: Tab) -> Page:
    """The page of a report."""
    page = tab(app.run(app.store(lambda store: sample_runs.ended(store, Language.EN))))
    ended(page)
    return page


def choose(page: Page, place: int) -> None:
    """Choose an entry of the report's menu, by keyboard alone."""
    page.get_by_role("button", name="More actions").press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    for _ in range(place):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("menuitem").nth(place)).to_be_focused()
    page.keyboard.press("Enter")


def test_menus_and_dialogs_come_into_reach_and_give_the_focus_back(app: App, page: Page) -> None:
    the_formats_follow_their_button(page)
    an_entry_without_a_dialog_gives_the_focus_back(page)
    for place, name in ((1, "Title and tags"), (4, "Export as a file"), (5, "Delete this run?")):
        a_dialog_gives_the_focus_back(page, place, name)
    page.goto(f"{app.address}/runs")
    an_entry_of_a_run_in_the_library_gives_the_focus_back(page)
    assert page.get_by_role("dialog").count() == 0, "nothing was left open, and nothing deleted"


def the_formats_follow_their_button(page: Page) -> None:
    button = page.get_by_role("button", name="Download", exact=True)
    button.press("Enter")
    first, last = page.get_by_role("radio", name="A4"), page.get_by_role("button", name="RIS", exact=True)
    expect(last).to_be_visible()
    button.press("Tab")
    expect(first).to_be_focused()
    first.press("Shift+Tab")
    expect(button).to_be_focused()
    last.press("Tab")
    expect(page.get_by_role("button", name="Edit and run again")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(button).to_be_focused()
    button.press("Tab")
    expect(first).to_be_focused()
    first.press("Escape")
    expect(last).to_be_hidden()
    expect(button).to_be_focused()


def an_entry_without_a_dialog_gives_the_focus_back(page: Page) -> None:
    menu, star = page.get_by_role("button", name="More actions"), page.locator("h1 .starred")
    choose(page, 0)
    expect(star).to_be_visible()
    expect(menu).to_be_focused()
    choose(page, 0)
    expect(star).to_have_count(0)
    expect(menu).to_be_focused()


def a_dialog_gives_the_focus_back(page: Page, place: int, name: str) -> None:
    choose(page, place)
    dialog = page.get_by_role("dialog").filter(has_text=name)
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="More actions")).to_be_focused()


def an_entry_of_a_run_in_the_library_gives_the_focus_back(page: Page) -> None:
    opener = page.get_by_role("button", name="More on").first
    opener.press("Enter")
    page.get_by_role("button", name="Compare with another run").press("Enter")
    expect(page.get_by_text("Choose the run to compare with", exact=True)).to_be_visible()
    expect(opener).to_be_focused()
