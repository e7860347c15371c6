"""What rules found in a run, in a real browser: verdicts, figures, contradictions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from research.language import Language
from tests.browser.conftest import App, Tab, until_seen
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
    expect(card).to_have_attribute("lang", "en")
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


# --- the citations of a report in a real browser ---------------------------------------------------------------------


@pytest.fixture
def page(app: App, tab: Tab) -> Page:
    """A report."""
    page = tab(app.run(app.store(lambda store: sample_runs.ended(store, Language.EN))))
    ended(page)
    return page


def _seen_by_hovering(card: Locator, cite: Locator) -> None:
    """Point at a mark until its card is there: what is pointed at before the script has come is not seen by it."""

    def point() -> None:
        cite.page.mouse.move(5, 5)
        cite.hover()

    until_seen(point, card, times=20, milliseconds=1_500)


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
    kind = listed.get_by_role("button", name="News: why")
    kind.hover()
    expect(listed.locator(".card")).to_contain_text("The host begins with “news”.")
    page.mouse.move(0, 0)
    expect(listed.locator(".card")).to_be_hidden()
    kind.press("Enter")
    expect(listed.locator(".card")).to_contain_text("The host begins with “news”.")
    page.keyboard.press("Escape")
    expect(kind).to_be_focused()
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


# --- a report by keyboard --------------------------------------------------------------------------------------------


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
