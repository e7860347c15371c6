"""Ways through the app in a real browser: addresses, languages, the list of runs, a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from research.language import Language
from research.store import RunStore
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.serving import workbench
from tests.support.steps import ended, fits


def test_the_first_address_of_a_new_process_may_be_that_of_a_run(tmp_path: Path, tab: Tab) -> None:
    store = RunStore(tmp_path)
    run = sample_runs.ended(store, Language.JA)
    store.close()
    with workbench(tmp_path) as address:
        page = tab(f"{address}/run?id={run}&lang=ja")
        ended(page)
        expect(page.get_by_role("link", name="新しい調査").first).to_be_visible()
        expect(page.get_by_text("app", exact=True)).to_have_count(0)


def test_the_language_follows_the_browser_can_be_switched_and_stands_in_the_address(app: App, tab: Tab) -> None:
    page = tab(app.address, locale="ja-JP")
    expect(page.get_by_role("heading", name="新しい調査")).to_be_visible()
    page.get_by_label("問い", exact=True).fill("お茶の市場はどうなっていますか。")
    page.get_by_text("English", exact=True).first.click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value("お茶の市場はどうなっていますか。")
    assert "lang=en" in page.url
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()


@pytest.mark.parametrize("path", ["", "runs"])
def test_nothing_is_cut_off_on_a_phone(app: App, tab: Tab, path: str) -> None:
    page = tab(f"{app.address}/{path}", width=390, height=844)
    fits(page)


def test_a_run_is_opened_from_the_list(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(f"{app.address}/runs")
    page.locator(".run .title").first.click()
    page.wait_for_url(re.compile(f"id={run}"))
    ended(page)


def test_a_run_is_deleted_only_when_confirmed(app: App, tab: Tab) -> None:
    store = RunStore(app.home)
    run = sample_runs.ended(store, Language.EN)
    page = tab(f"{app.address}/runs")
    row = page.locator(".run").filter(has=page.locator(f"[href*='{run}']"))

    def ask() -> None:
        row.get_by_role("button", name="More on").click()
        page.get_by_role("button", name="Delete", exact=True).click()

    ask()
    dialog = page.get_by_role("dialog").filter(has_text="Delete this run?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    expect(row).to_be_visible()
    ask()
    dialog.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    assert run not in [summary.id for summary in store.list()]
    store.close()


def test_a_run_is_taken_up_again_with_its_brief(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run))
    page.get_by_role("button", name="Edit and run again").click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value(re.compile("How has Japan's electricity mix"))


def test_dropped_files_join_the_library_and_bad_ones_are_named(app: App, tab: Tab) -> None:
    page = tab(app.address)
    page.get_by_text("My documents (0)").click()
    files = [
        {"name": "minutes.md", "mimeType": "text/markdown", "buffer": b"# Minutes\n\nThe board wants 20 million yen."},
        {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nonsense"},
    ]
    page.locator("input[type=file]").first.set_input_files(files)  # type: ignore[arg-type]
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    expect(page.locator(".refused")).to_contain_text("1 file was not added")
    expect(page.locator(".refused")).to_contain_text("broken.pdf")
    expect(page.locator(".refused")).to_contain_text("The file is damaged and cannot be read.")
    page.locator(".refused").get_by_role("button", name="Close").click()
    expect(page.locator(".refused")).to_have_count(0)
    page.get_by_role("button", name="Remove minutes.md").click()
    expect(page.get_by_text("My documents (0)")).to_be_visible()
