"""No name that a stranger chose makes the interface load, link or draw anything."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

from research.core import Brief
from research.language import Language
from research.settings import templates
from research.sources import sites
from research.store import RunStore, export_run, label
from tests.support import sample_runs
from tests.support.serving import PATIENCE, browser, chromium, workbench

NAMES = (
    "![x](http://{h}/a.png)",
    "![a[b]](http://{h}/a.png)",
    "[x](http://{h}/)",
    "<http://{h}/>",
    "http://{h}/",
    "www.{h}",
    "me@{h}",
    "<img src=http://{h}/a.png>",
    "![x](http&#58;//{h}/a.png)",
    ":red[![x](http://{h}/a.png)]",
    "`x` ![x](//{h}/a.png)",
    "# ![x](http://{h}/a.png)",
)
STRANGER = ".evil.example"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine (Debian: apt install chromium)"),
]


def named() -> list[str]:
    return [name.replace("{h}", f"n{place}{STRANGER}") for place, name in enumerate(NAMES)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with templates and sets of sites that others made."""
    home = tmp_path_factory.mktemp("home")
    for name in named():
        templates.save(home, templates.make(name, Brief(question="What of tea?"), Language.EN), Language.EN)
        sites.save(home, sites.make(name, ["a.example"], [], Language.EN), Language.EN)
    return home


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[FilePayload]:
    """Runs that others named, as files."""
    store, made = RunStore(tmp_path_factory.mktemp("elsewhere")), []
    for name in named():
        run = sample_runs.sales(store, Language.EN)
        label(store, run, title=name, tags=[])
        made.append(FilePayload(name="run.run.zip", mimeType="application/zip", buffer=export_run(store, run)))
    store.close()
    return made


def test_no_name_is_more_than_its_letters(home: Path, files: list[FilePayload]) -> None:
    asked: list[str] = []
    with workbench(home) as address, browser() as chrome:
        page = chrome.new_page()
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=40_000)
        page.on("request", lambda request: asked.append(request.url))
        for name, file in zip(named(), files, strict=True):
            page.goto(f"{address}/runs")  # A message would lie over the button.
            page.get_by_role("button", name="Import").click()
            page.locator("input[type=file]").set_input_files([file])
            expect(page.get_by_test_id("stToast").filter(has_text="Imported").first).to_be_visible()
            assert not strange(page), name
        page.goto(address)
        expect(page.get_by_text(STRANGER).first).to_be_visible()
        page.wait_for_timeout(1_000)
        assert not strange(page)
        page.goto(f"{address}/sources")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        page.wait_for_timeout(1_000)
        assert not strange(page)
    assert not [url for url in asked if urlsplit(url).netloc != urlsplit(address).netloc and "blob:" not in url]


def strange(page: Page) -> list[str]:
    """Return the addresses of strangers that something on the page leads to or loads."""
    script = "[...document.querySelectorAll('a, img, iframe, source, object')].map(e => e.href || e.src || e.data)"
    found: list[str | None] = page.evaluate(script)
    return [value for value in found if value and STRANGER in value]
