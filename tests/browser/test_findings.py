"""What rules found in a run, in a real browser: verdicts, figures, contradictions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from research.language import Language
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.steps import ended, fits


@pytest.fixture
def sales(app: App) -> str:
    """Address of a run with figures, a contradiction, and sentences that need checking."""
    return _stored_sales(app, Language.EN)


def _stored_sales(app: App, language: Language) -> str:
    return app.run(app.store(lambda store: sample_runs.sales(store, language)))


def test_what_was_found_in_a_run_is_told_filtered_and_shown_in_its_page(sales: str, tab: Tab) -> None:
    page = tab(sales)
    ended(page)
    _the_filter_leaves_what_needs_checking(page)
    _a_badge_says_what_stands_behind_its_sentence_and_shows_it_in_the_page(page)
    _figures_are_filtered_drawn_and_taken_along(page)
    page.set_viewport_size({"width": 1280, "height": 620})
    _a_row_of_figures_leads_to_its_place_in_the_page(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    _contradictions_stand_side_by_side_and_below_each_other_on_a_phone(page)


def _a_badge_says_what_stands_behind_its_sentence_and_shows_it_in_the_page(page: Page) -> None:
    expect(page.get_by_text("3 sentences, checked against the stored page, by rules")).to_be_visible()
    card, badge = page.locator(".st-key-report .card"), page.locator(".verdict.unsupported")
    badge.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card).to_contain_text("Not supported")
    expect(card.locator(".found .missing")).to_contain_text("931 million yen")
    page.keyboard.press("Escape")
    expect(badge).to_be_focused()
    badge.click()
    card.get_by_role("button", name="Show in the page").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_have_text("Sales in Vietnam were 391 million yen in fiscal 2025.")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def _the_filter_leaves_what_needs_checking(page: Page) -> None:
    report = page.locator(".st-key-report .report")
    expect(report.locator(".verdict")).to_have_count(3)
    page.get_by_text("Show only what needs checking (2 sentences)").click()
    expect(report).to_have_class("report to-check")
    expect(report.locator(".said").first).to_be_visible()
    expect(report.get_by_role("heading", name="Outlook")).to_be_visible()
    page.get_by_text("Show only what needs checking (2 sentences)").click()
    expect(report).to_have_class("report")


def _figures_are_filtered_drawn_and_taken_along(page: Page) -> None:
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    page.get_by_role("tab", name="Figures").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("5 figures", exact=True)).to_be_visible()
    page.get_by_test_id("stDataFrame").hover()
    expect(page.get_by_role("button", name=re.compile("Search"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Download as CSV"))).to_have_count(0)
    expect(page.locator(".js-plotly-plot .legendtext")).to_have_text(["Annual report", "Market notes"])
    page.get_by_label("Measure").fill("nothing of the kind")
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 figures", exact=True)).to_be_visible()
    page.get_by_label("Measure").fill("sales vietnam")
    page.keyboard.press("Enter")
    expect(page.get_by_text("5 figures", exact=True)).to_be_visible()
    for name, begins in (("CSV", b"\xef\xbb\xbfSubject,Measure"), ("Excel", b"PK")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {name}").click()
        assert Path(download.value.path()).read_bytes().startswith(begins)


def _a_row_of_figures_leads_to_its_place_in_the_page(page: Page) -> None:
    page.get_by_label("Measure").fill("")
    page.keyboard.press("Enter")
    page.get_by_test_id("stDataFrame").locator(".dvn-scroller").click(position={"x": 16, "y": 52})
    chosen = page.locator(".st-key-figure_quote .chosen")
    expect(chosen).to_contain_text("Sales in Vietnam were 293 million yen in fiscal 2024.")
    expect(chosen).to_be_in_viewport()
    chosen.get_by_role("button", name="Show in the page").click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_contain_text("293 million yen")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("tab", name="Figures")).to_have_attribute("aria-selected", "true")


def _contradictions_stand_side_by_side_and_below_each_other_on_a_phone(page: Page) -> None:
    page.get_by_role("tab", name="Contradictions (1)").click()
    sides = page.locator(".contradiction .side")
    expect(sides).to_have_count(2)
    for width, side_by_side in ((1280, True), (390, False)):
        page.set_viewport_size({"width": width, "height": 900})
        if not side_by_side:
            fits(page)
        expect(sides.first).to_be_visible()
        boxes = [sides.nth(place).bounding_box() for place in (0, 1)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert (boxes[0]["y"] == boxes[1]["y"]) is side_by_side
        sides.first.get_by_role("button", name="Show in the page").click()
        drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
        expect(drawer.locator("mark.focus")).to_be_visible()
        page.keyboard.press("Escape")
        expect(drawer).to_be_hidden()
