"""The download menu of a finished run in a real browser: each format is a file that opens; failures are told."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from openpyxl import load_workbook
from playwright.sync_api import Download, Page, expect

from research.language import Language
from research.store import RunStore
from tests.browser.conftest import App, Tab
from tests.support import sample_runs


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
