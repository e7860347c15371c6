"""A run in a real browser, from the first click to the report that is taken along."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from bench.loopback import Latencies, Loopback
from tests.browser.conftest import App, Tab
from tests.support.serving import workbench
from tests.support.steps import ask, ended, start
from tests.support.waiting import wait_until


def test_a_newcomer_gets_a_cited_report_and_takes_it_along(app: App, tab: Tab) -> None:
    page = tab(app.address)
    expect(page.get_by_text("No model is set up")).to_be_visible()
    page.locator(".sample").first.click()
    expect(page.get_by_label("Question", exact=True)).not_to_have_value("")
    run = start(page)
    ended(page)
    expect(page.get_by_text("Composed by rule of verbatim quotes")).to_be_visible()
    expect(page.locator(".cite").nth(7)).to_be_attached()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Markdown", exact=True).click()
    assert re.fullmatch(rf"{run}-.+\.md", download.value.suggested_filename)
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("---\ntitle: ")
    assert "[1]" in text


def test_with_keys_models_do_the_work_and_the_report_appears_as_it_is_written(tmp_path: Path, tab: Tab) -> None:
    slow_writer = Latencies(report_piece=0.2)
    with Loopback(slow_writer) as world, workbench(tmp_path, **world.environment) as address:
        page = tab(address)
        expect(page.get_by_text("Chat models do this research")).to_be_visible()
        ask(page, "How large is the pump market?")
        start(page)
        expect(page.get_by_text("Six aspects, independent.")).to_be_visible()
        draft = page.locator(".st-key-draft .report")
        expect(draft).to_contain_text("pumps of class")
        expect(draft.locator(".cite").first).to_be_visible()
        early = len(draft.inner_text())
        wait_until(lambda: len(draft.inner_text()) > early)
        expect(page.get_by_text("Writing the report")).to_be_visible()
        ended(page)
        expect(page.get_by_text("Written by the model gpt-5.4")).to_be_visible()
        expect(page.get_by_text("Tokens", exact=True)).to_have_count(1)  # the live page gives way to the report
