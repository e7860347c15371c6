"""The start page in a real browser: from a name to a run, and what one browser remembers and another does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import App, Reader
from tests.support.waiting import wait_until


@pytest.fixture(scope="module")
def address(app: App) -> str:
    return app.address


def tab(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_label("Question", exact=True)).to_be_visible()
    expect(page.locator(".estimate")).to_be_visible()
    return page


def template(page: Page, name: str, field: str, subject: str) -> None:
    page.locator(".st-key-template_chosen").get_by_text(name, exact=True).click()
    typed = page.get_by_label(field, exact=True)
    typed.fill(subject)
    typed.press("Enter")
    expect(page.get_by_label("Question", exact=True)).to_have_value(re.compile(subject))


def test_a_name_and_one_click_start_the_research_and_the_browser_remembers(address: str, reader: Reader) -> None:
    mine, other = reader(), reader()
    page = tab(mine, address)
    template(page, "Company before a meeting", "Name of the company", "Asanagi Pump Industries")
    page.get_by_role("button", name="Start research").click()
    page.wait_for_url(re.compile(r"/run\?.*id="))
    again = tab(mine, address)
    expect(again.locator(".hints")).to_contain_text("Speed")
    expect(again.locator(".hints")).to_contain_text("Management")
    expect(again.get_by_label("Question", exact=True)).to_have_value("")
    fresh = tab(other, address)
    expect(fresh.locator(".hints")).to_contain_text("Quality")
    expect(fresh.locator(".hints")).not_to_contain_text("Management")


def _no_field_stands_alone_and_nothing_is_wider_than_the_window(page: Page) -> None:
    fields = ("scope", "period", "region", "language", "preset", "audience")
    # At once: what stands above may still grow.
    tops = page.evaluate(
        "names => names.map(name => Math.round(document.querySelector(name).getBoundingClientRect().top))",
        [f".st-key-brief_{name}" for name in fields],
    )
    assert tops[0::2] == tops[1::2], "two in a row"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_form_is_in_order_its_estimate_follows_it_and_what_is_typed_is_taken_by_the_click_that_starts(
    address: str, reader: Reader
) -> None:
    page = tab(reader(), address)
    _no_field_stands_alone_and_nothing_is_wider_than_the_window(page)
    told = page.locator(".estimate").inner_text()
    template(page, "Company before a meeting", "Name of the company", "Asanagi")
    expect(page.locator(".estimate")).not_to_have_text(told)
    expect(page.locator(".estimate")).to_contain_text("free")
    page.reload()
    question = page.get_by_label("Question", exact=True)
    expect(question).to_have_value("")
    question.press_sequentially("What does Germany export?")
    page.get_by_role("button", name="Start research").click()
    page.wait_for_url(re.compile(r"/run\?.*id="))


def test_on_a_telephone_the_start_is_at_hand_and_what_is_wrong_is_said_where_it_was_chosen(
    address: str, reader: Reader, tmp_path: Path
) -> None:
    page = tab(reader(width=390, height=844, has_touch=True), address)
    _no_field_stands_alone_and_nothing_is_wider_than_the_window(page)
    _the_start_is_at_hand_wherever_one_is(page)
    page.get_by_role("button", name="Save and load").click()
    file = tmp_path / "brief.json"
    file.write_text('{"question": "Why tea?", "scope": "moon"}')
    menu = page.get_by_test_id("stPopoverBody")
    menu.locator("input[type=file]").set_input_files(file)
    expect(menu.get_by_role("alert")).to_contain_text("look at “Scope”")
    expect(menu.get_by_role("alert")).to_be_in_viewport(ratio=1)


def _the_start_is_at_hand_wherever_one_is(page: Page) -> None:
    start, main = page.locator(".st-key-start button"), page.locator("[data-testid=stMain]")
    for place in (0, 900, 9_999):
        main.evaluate("(element, place) => element.scrollTo(0, place)", place)
        expect(start).to_be_in_viewport(ratio=1)
    start.click()
    told = page.locator(".st-key-start_bar").get_by_text("Please write a question first.")
    expect(told).to_be_in_viewport(ratio=1)
    bar = page.locator(".st-key-start_bar").bounding_box()
    main.evaluate("element => element.scrollTo(0, 99999)")
    last = page.locator(".st-key-brief").bounding_box()
    assert last is not None and bar is not None
    assert last["y"] + last["height"] <= bar["y"], "nothing of the page is left under the bar"


def test_a_template_is_kept_and_passed_on_as_a_file(address: str, reader: Reader, tmp_path: Path) -> None:
    page = tab(reader(), address)
    template(page, "Market", "Market", "tea")
    page.get_by_role("button", name="Save and load").click()
    page.get_by_label("Name of a template", exact=True).fill("Tea watch")
    page.get_by_label("Name of a template", exact=True).press("Tab")
    page.get_by_role("button", name="Keep this form as a template").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "Tea-watch.json"
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Tea watch")).to_have_count(0)
    page.locator(".st-key-save_and_load, [data-testid=stPopoverBody]").locator("input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-template_chosen").get_by_text("Tea watch")).to_be_visible()


def test_the_widgets_own_words_follow_the_reader_and_values_are_left_alone(address: str, reader: Reader) -> None:
    page = reader(locale="ja-JP").new_page()
    page.goto(address)
    question = page.get_by_label("問い", exact=True)
    question.press_sequentially("No results")
    expect(page.get_by_text("Ctrl+Enter で確定")).to_be_visible()
    expect(question).to_have_value("No results")
    question.press("Tab")
    expect(page.get_by_role("definition").filter(has_text="No results").first).to_be_attached()

    def nothing_is_found() -> bool:
        """Whether a list that is opened says so; before the page is drawn to its end it closes again."""
        for typed in ("zz", "zzz"):
            page.get_by_label("観点", exact=True).fill(typed)
        page.wait_for_timeout(300)
        return page.get_by_text("該当なし").is_visible()

    wait_until(nothing_is_found)
    page.keyboard.press("Escape")
    page.locator(".st-key-documents_open summary").click()
    expect(page.get_by_text("1ファイル 20MB まで").first).to_be_visible()
    expect(page.get_by_role("button", name="メインメニュー")).to_be_visible()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_text("20MB per file").first).to_be_visible()
    expect(page.get_by_role("button", name="Main menu")).to_be_visible()
    expect(page.get_by_label("Period", exact=True)).to_have_value("Open")
