"""The start page in a real browser: from a name to a run, and what one browser remembers and another does not."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from bench.loopback import Latencies, Loopback
from tests.browser.conftest import App, Reader, Tab
from tests.support.machine import wait_until
from tests.support.serving import workbench
from tests.support.steps import ask, ended, start


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


def test_a_name_and_one_click_start_the_research_and_the_browser_remembers(app: App, reader: Reader) -> None:
    mine, other, address = reader(), reader(), app.address
    page = tab(mine, address)
    template(page, "Company before a meeting", "Name of the company", "Asanagi Pump Industries")
    app.stop(start(page))
    again = tab(mine, address)
    expect(again.locator(".hints")).to_contain_text("Speed")
    expect(again.locator(".hints")).to_contain_text("Management")
    expect(again.get_by_label("Question", exact=True)).to_have_value("")
    fresh = tab(other, address)
    expect(fresh.locator(".hints")).to_contain_text("Quality")
    expect(fresh.locator(".hints")).not_to_contain_text("Management")


def _all_that_most_need_is_in_sight_and_nothing_is_wider_than_the_window(page: Page) -> None:
    for name in ("question", "sources", "preset", "scope", "period", "region"):
        expect(page.locator(f".st-key-brief_{name}")).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-start button")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_form_is_in_order_its_estimate_follows_it_and_what_is_typed_is_taken_by_the_click_that_starts(
    app: App, reader: Reader
) -> None:
    page = tab(reader(), app.address)
    _all_that_most_need_is_in_sight_and_nothing_is_wider_than_the_window(page)
    told = page.locator(".estimate").inner_text()
    template(page, "Company before a meeting", "Name of the company", "Asanagi")
    expect(page.locator(".estimate")).not_to_have_text(told)
    expect(page.locator(".estimate")).to_contain_text("free")
    page.reload()
    question = page.get_by_label("Question", exact=True)
    expect(question).to_have_value("")
    question.press_sequentially("What does Germany export?")
    app.stop(start(page))


def test_on_a_telephone_the_start_is_at_hand_and_what_is_wrong_is_said_where_it_was_chosen(
    address: str, reader: Reader, tmp_path: Path
) -> None:
    page = tab(reader(width=390, height=844, has_touch=True), address)
    _all_that_most_need_is_in_sight_and_nothing_is_wider_than_the_window(page)
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
    assert start.evaluate("button => { button.click(); return button.ariaBusy }") == "true", "before the server answers"
    told = page.locator(".st-key-start_bar").get_by_text("Please write a question first.")
    expect(told).to_be_in_viewport(ratio=1)
    expect(start).not_to_have_attribute("aria-busy", "true")
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


def test_an_open_menu_stays_in_sight_when_the_brief_grows(address: str, reader: Reader, tmp_path: Path) -> None:
    page = tab(reader(), address)
    page.get_by_role("button", name="Save and load").click()
    file = tmp_path / "brief.json"
    file.write_text(f'{{"question": "Why tea?", "note": "{"Ask whoever sells it. " * 60}"}}')
    menu = page.get_by_test_id("stPopoverBody")
    menu.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".st-key-brief")).to_contain_text("Ask whoever sells it.")
    expect(menu.get_by_role("button", name="Save this brief as a file")).to_be_in_viewport(ratio=1)


def test_the_widgets_own_words_follow_the_reader_and_values_are_left_alone(address: str, reader: Reader) -> None:
    page = reader(locale="ja-JP").new_page()
    page.goto(address)
    question = page.get_by_label("質問", exact=True)
    question.press_sequentially("No results")
    expect(page.get_by_role("button", name="調査を開始 ショートカット：Ctrl + Enter", exact=True)).to_be_visible()
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
    expect(page.get_by_label("Period", exact=True)).to_have_value("Any")


# --- a run in a real browser, from the first click to the report that is taken along ---------------------------------


def test_a_newcomer_gets_a_cited_report_and_takes_it_along(app: App, tab: Tab) -> None:
    page = tab(app.address)
    expect(page.get_by_text("Rules write, in quotes alone.")).to_be_visible()
    page.locator(".sample").first.click()
    expect(page.get_by_label("Question", exact=True)).not_to_have_value("")
    run = start(page)
    ended(page)
    expect(page.get_by_text("Composed by rule of quotes and calculations")).to_be_visible()
    expect(page.locator(".cite").nth(7)).to_be_attached()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Markdown", exact=True).click()
    assert re.fullmatch(rf"{run}-.+\.md", download.value.suggested_filename)
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("---\ntitle: ")
    assert "[1]" in text
    came_to = page.locator(".state").bounding_box()
    page.reload()
    ended(page)
    assert page.locator(".state").bounding_box() == came_to, "nothing of how it came about stands above the report"


_WRITING_IS_WATCHED = """() => {
    const seen = window.seen = { lengths: [], told: "", cited: false };
    const drawn = (key) => [...document.querySelectorAll(`.st-key-${key} *`)].find((one) => one.shadowRoot)?.shadowRoot;
    setInterval(() => {
        const draft = drawn("draft")?.querySelector(".report");
        if (!draft) return;
        if (draft.textContent.length !== seen.lengths.at(-1)) seen.lengths.push(draft.textContent.length);
        seen.cited ||= draft.querySelector(".cite") !== null;
        if (drawn("run_head")?.textContent.includes("Writing the report: section")) seen.told = draft.textContent;
    }, 100);
}"""
"""What is drawn while a report is written, kept by the page itself: on a busy machine the writing is soon over."""


def test_with_keys_models_do_the_work_and_the_report_appears_as_it_is_written(tmp_path: Path, tab: Tab) -> None:
    slow_writer = Latencies(report_piece=0.4)
    with Loopback(slow_writer) as world, workbench(tmp_path, **world.environment) as address:
        page = tab(address)
        expect(page.get_by_text("what is read is sent there")).to_be_visible()
        ask(page, "How large is the pump market?")
        page.evaluate(_WRITING_IS_WATCHED)
        start(page)
        expect(page.get_by_text("Six aspects, independent.")).to_be_visible()
        ended(page)
        seen = page.evaluate("window.seen")
        assert len(seen["lengths"]) > 3
        assert seen["lengths"][0] < seen["lengths"][-1]
        assert "pumps of class" in seen["told"]
        assert seen["cited"]
        expect(page.get_by_text("Written by the model gpt-5.4")).to_be_visible()
        expect(page.get_by_text("Tokens", exact=True)).to_have_count(1)  # the live page gives way to the report


# --- files that are dropped on the page, in a real browser -----------------------------------------------------------


@pytest.fixture
def page(app: App, page: Page) -> Iterator[Page]:
    """The start page of an app that holds no documents, neither before nor after."""
    page.add_init_script(_TOLD)
    page.goto(app.address)
    page.get_by_text("My documents (0)").click()
    # Files that come before the script does are refused without a word.
    page.locator(".st-key-oversized_files [data-field]").wait_for(state="attached")
    yield page
    shutil.rmtree(app.home / "documents")


def test_files_that_are_too_large_are_named_among_others_and_alone(page: Page, tmp_path: Path) -> None:
    large = tmp_path / "every survey.txt"
    with large.open("wb") as file:
        file.truncate(20 * 2**20 + 1)
    minutes = tmp_path / "minutes.md"
    minutes.write_text("# Minutes\n\nThe board wants 20 million yen.")
    field, refused = page.locator(".st-key-documents_open input[type=file]"), page.locator(".refused")
    field.set_input_files([minutes, large])
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    expect(refused).to_contain_text("every survey.txt")
    expect(refused).to_contain_text("The file is too large. Split it, or add only the part that matters.")
    field.set_input_files([minutes])
    expect(page.get_by_text("1 document added.").last).to_be_visible()
    expect(refused).to_have_count(0)
    expect(field).to_have_count(1)
    field.set_input_files([large])
    expect(refused).to_contain_text("every survey.txt")
    expect(page.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    _drop(page, "budget.pdf", 21 * 2**20)
    expect(refused).to_contain_text("budget.pdf")
    expect(refused).not_to_contain_text("every survey.txt")
    _one_that_cannot_be_read_is_named_and_one_that_is_no_longer_wanted_is_removed(page, field, refused)


def _one_that_cannot_be_read_is_named_and_one_that_is_no_longer_wanted_is_removed(
    page: Page, field: Locator, refused: Locator
) -> None:
    broken = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7 nonsense")
    expect(field).to_have_count(1)  # The field is put in anew after each file; for a moment there are two.
    field.set_input_files([broken])
    expect(refused).to_contain_text("1 file was not added")
    expect(refused).to_contain_text("broken.pdf")
    expect(refused).to_contain_text("The file is damaged and cannot be read.")
    refused.get_by_role("button", name="Close").click()
    expect(refused).to_have_count(0)
    page.get_by_role("button", name="Remove minutes.md").click()
    expect(page.get_by_text("My documents (0)")).to_be_visible()


def test_what_takes_a_while_to_read_is_said_to_be_read(page: Page, tmp_path: Path) -> None:
    survey = tmp_path / "survey.txt"
    survey.write_text(
        "".join(f"In district {number} the sales of pumps rose to {number}.\n" for number in range(60_000))
    )
    page.locator(".st-key-documents_open input[type=file]").set_input_files([survey])
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    page.wait_for_function("window.told.some((toasts) => toasts.join().includes('1 document added.'))")
    told = page.evaluate("window.told")
    assert any("Reading documents" in text for toasts in told for text in toasts)
    assert max(map(len, told)) == 1, "one note, which says the other words when it is done"


_TOLD = """
window.told = []
new MutationObserver(() => {
  window.told.push([...document.querySelectorAll("[data-testid=stToast]")].map((toast) => toast.textContent))
}).observe(document, { subtree: true, childList: true, characterData: true })
"""


def _drop(page: Page, name: str, size: int) -> None:
    """Drop a file of that size on the field, as from another window."""
    page.get_by_test_id("stFileUploaderDropzone").first.evaluate(
        """(field, [name, size]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([new Uint8Array(size)], name))
          for (const kind of ["dragenter", "dragover", "drop"])
            field.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }))
        }""",
        [name, size],
    )


_BLANKS = """() => {
  globalThis.blanks = []
  const hasWords = (root) => [root, ...root.querySelectorAll("*")].some((one) =>
    (one.shadowRoot && hasWords(one.shadowRoot)) || (one.offsetHeight && one.matches("h1, p") && one.innerText.trim()))
  const look = () => {
    if (!hasWords(document.querySelector("[data-testid=stMain]"))) blanks.push(location.pathname)
    requestAnimationFrame(look)
  }
  look()
}"""
"""At each frame: whether anything can be read on the page."""


def test_between_two_pages_none_is_blank(address: str, reader: Reader) -> None:
    page = tab(reader(), address)
    page.evaluate(_BLANKS)
    for name in ("Runs", "Schedules", "Batch", "Compare", "Experiments", "Sources & cache", "Settings", "New research"):
        page.get_by_test_id("stSidebarNavLink").get_by_text(name, exact=True).click()
        expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    expect(page.locator("[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock] > [inert]")).to_have_count(
        0
    )
    assert page.evaluate("blanks") == []
