"""Ways through the app in a real browser: addresses, languages, the list of runs, a phone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from research.language import Language
from research.store import RunStore
from tests.browser.conftest import Tab
from tests.support import sample_runs
from tests.support.serving import workbench
from tests.support.steps import ended


def test_the_first_address_of_a_new_process_may_be_that_of_a_run(tmp_path: Path, tab: Tab) -> None:
    store = RunStore(tmp_path)
    run = sample_runs.ended(store, Language.JA)
    store.close()
    with workbench(tmp_path) as address:
        page = tab(f"{address}/run?id={run}&lang=ja")
        ended(page)
        expect(page.get_by_role("link", name="新しい調査").first).to_be_visible()
        expect(page.get_by_text("app", exact=True)).to_have_count(0)
