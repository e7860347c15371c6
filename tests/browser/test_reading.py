"""A report in a real browser: its contents, the questions asked about it, and another report from the same evidence."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Download, Locator, Page, expect

from research.core import ProblemOccurred, SourceName, Stage, Status
from research.language import Language
from research.store import RunStore
from tests.browser.conftest import App, Tab
from tests.support import sample_runs


@dataclass(frozen=True)
class Shelf:
    """Two runs that have ended: one on the documents of the house, by rule, and one of a model."""

    address: str
    house: str
    written: str


@pytest.fixture(scope="module")
def shelf(app: App) -> Shelf:
    house = sample_runs.house(app.home, Language.EN, SourceName.FACTBOOK)
    return Shelf(app.address, house, app.store(lambda store: sample_runs.ended(store, Language.EN)))


Open = Callable[..., Page]


@pytest.fixture
def reading(app: App, tab: Tab) -> Open:
    """Opens the report of a run."""

    def open_(run: str, **how: Any) -> Page:
        page = tab(app.run(run), **how)
        expect(page.locator(".report").first).to_be_visible()
        return page

    return open_


def ask(page: Page, question: str) -> Locator:
    """Ask a question with the keyboard and return its answer once it is there."""
    page.get_by_role("textbox", name=re.compile("Ask about this report|このレポートについて")).fill(question)
    page.keyboard.press("Enter")
    answer = page.locator("li.follow-up").filter(has_text=question)
    expect(answer).to_be_visible()
    return answer


def top_of(heading: Locator) -> float:
    box = heading.bounding_box()
    assert box is not None
    return box["y"]


def test_contents_lead_to_sections_and_a_question_is_answered_searched_for_and_kept(
    shelf: Shelf, reading: Open
) -> None:
    page = reading(shelf.house, height=600)  # The report of so narrow a question is short.
    _contents_stay_beside_the_text_and_lead_to_its_sections_by_keyboard(page)
    question = "How many service bases are there in Vietnam?"
    answer = ask(page, question)
    expect(answer.get_by_text("no model wrote any of it")).to_be_visible()
    answer.locator(".cite").first.click()
    page.locator(".card:popover-open").get_by_role("button", name="Show in the page").first.click()
    expect(page.locator("[role=dialog] mark").first).to_be_visible()
    page.reload()
    answer = page.locator("li.follow-up").filter(has_text=question)
    expect(answer).to_be_visible()
    answer.locator(".offer").click()
    expect(answer.get_by_text(re.compile(r"Added on .*new source"))).to_be_visible()
    expect(answer).to_be_focused()
    expect(answer).to_be_in_viewport()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Markdown", exact=True).click()
    told = Path(download.value.path()).read_text(encoding="utf-8").partition("## Follow-up questions")[2]
    page.keyboard.press("Escape")
    assert question in told
    assert "by a further search" in told
    answer.get_by_role("link", name="Open the search").click()
    expect(page.get_by_text("A search for a question about the report of another run.")).to_be_visible()


def _contents_stay_beside_the_text_and_lead_to_its_sections_by_keyboard(page: Page) -> None:
    entry = page.locator(".toc button", has_text="Answer")
    entry.focus()
    page.keyboard.press("Enter")
    heading = page.locator(".report h3", has_text="Answer")
    expect(heading).to_be_focused()
    expect(entry).to_have_attribute("aria-current", "location")
    page.wait_for_timeout(600)
    assert 40 <= top_of(heading) <= 200
    expect(entry).to_be_in_viewport()
    page.locator(".toc button", has_text="Follow-up questions").click()
    expect(page.get_by_role("heading", name="Follow-up questions")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Follow-up questions")).to_be_focused()


def test_answers_come_into_view_and_are_deleted_once_that_is_confirmed(shelf: Shelf, reading: Open) -> None:
    page = reading(shelf.written, height=700)
    _at_the_end_of_the_page_the_last_section_is_marked_or_the_one_gone_to(page)
    field = page.get_by_role("textbox", name="Ask about this report")
    for question in ("What share had renewables?", "What did prices do?"):
        answer = ask(page, question)
        expect(answer).to_be_in_viewport(ratio=1)
        expect(field).to_be_in_viewport(ratio=1)
        expect(field).to_be_focused()
    page.reload()
    expect(answer).to_be_attached()
    assert page.locator(".stMain").evaluate("page => page.scrollTop") == 0
    _a_question_is_deleted_once_that_is_confirmed(page, gone=answer)


def _at_the_end_of_the_page_the_last_section_is_marked_or_the_one_gone_to(page: Page) -> None:
    entries, current = page.locator(".toc button"), page.locator(".toc [aria-current]")
    expect(current).to_have_count(0)
    page.locator(".stMain").evaluate("page => page.scrollTo(0, page.scrollHeight)")
    expect(current).to_have_text("Follow-up questions")
    entries.filter(has_text="Limits of this report").click()
    expect(current).to_have_text("Limits of this report")


def _a_question_is_deleted_once_that_is_confirmed(page: Page, gone: Locator) -> None:
    remove = gone.get_by_role("button", name="Delete this question")
    remove.press("Enter")
    card = page.locator(".card:popover-open")
    card.get_by_role("button", name="Cancel").press("Enter")
    expect(card).to_be_hidden()
    expect(remove).to_be_focused()
    remove.press("Enter")
    card.get_by_role("button", name="Delete").press("Enter")
    expect(gone).to_have_count(0)
    expect(page.locator("li.follow-up").filter(has_text="What share had renewables?")).to_be_focused()


def test_on_a_phone_the_chosen_tab_is_in_view(app: App, tab: Tab) -> None:
    page = tab(app.run(sample_runs.broken_off(app.home, Language.JA)), width=390, height=844, locale="ja-JP")
    last, first = page.get_by_role("tab", name="調査の過程"), page.get_by_role("tab", name="レポート")
    expect(last).to_have_attribute("aria-selected", "true")
    expect(last).to_be_in_viewport(ratio=1)
    last.press("Home")
    expect(first).to_have_attribute("aria-selected", "true")
    expect(first).to_be_in_viewport(ratio=1)
    for place in range(5):
        page.get_by_role("tab").nth(place).dispatch_event("click")
        expect(page.get_by_role("tab").nth(place)).to_be_in_viewport(ratio=1)


def _nothing_found(store: RunStore) -> str:
    """Store a run that failed because its search did."""
    story = sample_runs.Story(store, Language.EN, "extractive")
    story.draft = ""
    story.tell(ProblemOccurred(stage=Stage.SEARCH, code="search_unreachable", subject="power prices", lane="R1"))
    story.end(Status.FAILED)
    return story.run


def test_a_run_that_found_nothing_says_so_and_what_went_wrong(app: App, tab: Tab) -> None:
    page = tab(app.run(app.store(_nothing_found)))
    expect(page.get_by_text("There is no report: no source was read.")).to_be_visible()
    expect(page.get_by_role("heading", name="What went wrong")).to_be_visible()
    expect(page.get_by_role("heading", name="Limits of this report")).to_have_count(0)
    expect(page.get_by_role("button", name="Run again", exact=True)).to_be_visible()
    expect(page.get_by_role("tab")).to_have_count(2)  # none of them leads to nothing


def test_another_report_is_written_from_the_same_evidence(shelf: Shelf, reading: Open) -> None:
    page = reading(shelf.house, locale="ja-JP")
    page.get_by_role("button", name="書き直す…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("モデルが設定されていないため")).to_be_visible()
    dialog.get_by_role("combobox", name=re.compile("分量")).click()
    page.get_by_role("option", name="1ページ", exact=True).click()
    dialog.get_by_role("combobox", name=re.compile("レポートの言語")).click()
    page.get_by_role("option", name="日本語").click()
    dialog.get_by_role("button", name="書き直す", exact=True).click()
    expect(page.get_by_text("別の調査の根拠から書き直したレポートです")).to_be_visible()
    expect(page.locator(".report h3", has_text="答え")).to_be_visible()
    page.get_by_role("link", name="元の調査を開く").click()
    page.wait_for_url(re.compile(f"id={shelf.house}"))


# --- the download menu of a finished run in a real browser -----------------------------------------------------------


def open_menu(page: Page, name: str = "Download") -> None:
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role("button", name="PDF", exact=True)).to_be_visible()


def taken(page: Page, name: str) -> tuple[Download, bytes]:
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value, Path(download.value.path()).read_bytes()


def test_each_kind_of_file_is_downloaded_under_a_name_that_says_what_it_is(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.sales(store, Language.EN))
    page = tab(app.run(run))
    open_menu(page)
    download, html = taken(page, "HTML")
    assert download.suggested_filename.startswith(f"{run}-")
    assert download.suggested_filename.endswith(".html")
    assert html.startswith(b"<!doctype html>")
    _, workbook = taken(page, "Excel")
    assert load_workbook(io.BytesIO(workbook)).sheetnames == ["Figures", "Sources", "Sentences"]
    _, markdown = taken(page, "Markdown")
    assert markdown.startswith(b"---\ntitle:")
    for path in ("", "runs", "sources"):  # the framework drops a file that nobody holds after two runs of any page
        other = page.context.new_page()
        other.goto(f"{app.address}/{path}")
        expect(other.get_by_role("heading", level=1).first).to_be_visible()
        other.close()
    again = page.request.get(download.url)
    assert again.ok and again.body() == html, "it waits for a slow browser while others use the workbench"
    _, pdf = taken(page, "PDF")
    assert pdf.startswith(b"%PDF-")
    _, word = taken(page, "Word")
    assert "word/document.xml" in zipfile.ZipFile(io.BytesIO(word)).namelist()
    _, records = taken(page, "RIS")
    assert records.startswith(b"TY  - ELEC")
    expect(page.get_by_text("could not be made")).to_have_count(0)


def test_a_citation_of_the_html_report_opens_its_quotes_in_place(app: App, tab: Tab, tmp_path: Path) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run))
    open_menu(page)
    _, html = taken(page, "HTML")
    file = tmp_path / "report.html"
    file.write_bytes(html)
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(file.as_uri())
    page.locator("main a.cite").first.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.locator("main a.cite").first.click()
    expect(page.locator(".sources > li:target blockquote").first).to_be_in_viewport()
    assert page.evaluate("scrollY") == before
    page.get_by_role("link", name="Close").locator("visible=true").click()
    expect(page.locator(".sources > li:target")).to_have_count(0)
    assert page.evaluate("scrollY") == before
    assert {url.partition("#")[0] for url in asked} == {file.as_uri()}
    assert complaints == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_file_arrives_although_the_menu_was_closed_and_what_cannot_be_made_is_said(app: App, tab: Tab) -> None:
    store = RunStore(app.home)
    run = sample_runs.ended(store, Language.EN)
    page = tab(app.run(run))
    open_menu(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Word", exact=True).click()
        page.keyboard.press("Escape")
        page.get_by_role("tab", name="Sources").click()
        expect(page.locator(".sources").first).to_be_visible()
    assert download.value.suggested_filename.endswith(".docx")
    open_menu(page)
    store.delete(run)
    store.close()
    page.get_by_role("button", name="BibTeX", exact=True).click()
    expect(page.get_by_text("BibTeX could not be made: ")).to_be_visible()
    expect(page.get_by_text("Failed to generate")).to_be_hidden()
