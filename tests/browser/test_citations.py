"""The citations of a report in a real browser: the card of a source, and the page behind it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from research.language import Language
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.steps import ended, fits


@pytest.fixture
def page(app: App, tab: Tab) -> Page:
    """A report."""
    page = tab(app.run(app.store(lambda store: sample_runs.ended(store, Language.EN))))
    ended(page)
    return page


def _seen_by_hovering(card: Locator, cite: Locator) -> None:
    """Point at a mark until its card is there: what is pointed at before the script has come is not seen by it."""
    for _ in range(20):
        cite.hover()
        with suppress(AssertionError):
            expect(card).to_be_visible(timeout=1_500)
            return
        cite.page.mouse.move(5, 5)
    expect(card).to_be_visible()


def test_a_citation_opens_its_quote_by_mouse_and_by_keyboard(page: Page) -> None:
    said: list[str] = []

    def hear(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", hear)
    card, cite = page.locator(".st-key-report .card"), page.locator(".cite").first
    _seen_by_hovering(card, cite)
    expect(card).to_contain_text("renewables supplied 22.9 per cent")
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    cite.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card.get_by_role("link", name="Open the source")).to_have_attribute(
        "href", "https://www.example.org/energy/white-paper-2025"
    )
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(cite).to_be_focused()
    _what_had_the_focus_has_it_again_when_the_page_behind_it_is_closed(page)
    cite.click()
    card.get_by_role("button", name="Show in the page").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_contain_text("renewables supplied 22.9 per cent")
    expect(drawer.locator("mark.focus")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 220})
    drawer.locator(".snapshot").evaluate("text => text.scrollIntoView({ block: 'end' })")
    expect(drawer.get_by_role("link", name="Energy white paper 2025")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    _page_text_is_shown_as_text(page)
    assert said == []


def _what_had_the_focus_has_it_again_when_the_page_behind_it_is_closed(page: Page) -> None:
    card, cite = page.locator(".st-key-report .card"), page.locator(".cite").nth(2)
    cite.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    card.get_by_role("button", name="Show in the page").first.press("Enter")
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(cite).to_be_focused()
    page.keyboard.press("Tab")
    expect(card).to_contain_text("Supported")
    page.keyboard.press("Escape")


def _page_text_is_shown_as_text(page: Page) -> None:
    page.get_by_role("tab", name="Sources (4)").click()
    listed = page.locator(".st-key-sources")
    expect(listed.get_by_text("Spot prices settle as fuel costs ease <b>again</b>")).to_be_visible()
    listed.get_by_role("button", name="Show the page as it was read").nth(2).click()
    expect(page.get_by_text("<script>alert('never')</script>")).to_be_visible()


def test_on_a_phone_a_run_fits_its_contents_unfold_and_its_card_rises_from_the_bottom(app: App, tab: Tab) -> None:
    page = tab(app.run(app.store(lambda store: sample_runs.ended(store, Language.EN))), width=390, height=844)
    ended(page)
    fits(page)
    page.locator(".cite").first.click()
    box = page.locator(".st-key-report .card").bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["y"] + box["height"])) == (0, 390, 844)
    page.keyboard.press("Escape")
    folded = page.locator(".toc-folded")
    expect(page.locator(".toc")).to_be_hidden()
    folded.locator("summary").click()
    folded.get_by_role("button", name="Outlook").click()
    expect(page.locator(".report h3", has_text="Outlook")).to_be_in_viewport()
    expect(folded).not_to_have_attribute("open", "")
    fits(page)


def test_a_run_from_before_verdicts_still_opens(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN, checked=False))
    page = tab(app.run(run))
    ended(page)
    expect(page.get_by_text("The sentences of this run were not held against their pages")).to_be_visible()
    expect(page.locator(".cite").first).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)
