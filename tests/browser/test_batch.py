"""The page of batches in a real browser: a table, a question with its columns, the runs, the workbook."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
from playwright.sync_api import Page, expect

from tests.browser.conftest import App, Tab

_TABLE = "land,what\nNorway,hydro\nIceland,geothermal\n"


def _asked(page: Page, question: str) -> None:
    page.locator(".st-key-batch_question textarea").fill(question)
    page.keyboard.press("Control+Enter")


def test_a_question_is_asked_for_every_row_and_the_answers_come_as_a_workbook(
    app: App, tab: Tab, tmp_path: Path
) -> None:
    page = tab(f"{app.address}/batch", height=1400)
    start = page.locator(".st-key-batch_start button")
    expect(start).to_be_disabled()
    file = tmp_path / "lands.csv"
    file.write_text(_TABLE, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("table.compared")).to_contain_text("Iceland")
    _asked(page, "What share of electricity in {country} is {what}?")
    expect(page.get_by_text("The table has no column {country}. Columns: land, what")).to_be_visible()
    expect(start).to_be_disabled()
    _asked(page, "What share of electricity in {land} is {what}?")
    expect(page.locator(".hints").get_by_text("What share of electricity in Norway is hydro?")).to_be_visible()
    start.click()
    expect(page.get_by_role("heading", name="What share of electricity in {land} is {what}?").first).to_be_visible()
    expect(page.get_by_text("2 of 2 done").first).to_be_visible()
    with page.expect_download() as made:
        page.get_by_role("button", name="Download as Excel").first.click()
    assert made.value.suggested_filename == "lands.xlsx"
    (_, *told) = openpyxl.load_workbook(io.BytesIO(Path(made.value.path()).read_bytes())).worksheets[0].values
    assert [row[0] for row in told] == ["Norway", "Iceland"]
    assert "89.1%" in told[0][4]
    removing = page.get_by_role("button", name="Remove")
    before = removing.count()
    removing.first.click()
    expect(removing).to_have_count(before - 1)


def test_a_table_that_cannot_be_read_is_told(app: App, tab: Tab, tmp_path: Path) -> None:
    page = tab(f"{app.address}/batch", height=1400)
    file = tmp_path / "broken.xlsx"
    file.write_bytes(b"PK\x03\x04 nothing")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("The table broken.xlsx cannot be read")).to_be_visible()
