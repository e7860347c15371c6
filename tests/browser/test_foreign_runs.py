"""Runs from elsewhere, and very many of them: files of newer versions, files that are none, ten thousand runs."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, Page, expect

from research.core import Brief
from research.language import Language
from research.settings import templates
from research.sources import sites
from research.store import RunState, RunStore, export_run, import_run, label
from research.store.transfer import LARGEST_ARCHIVE, MANIFEST
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.serving import workbench

_MANY = 10_000


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An app with ten thousand runs, as nobody can make them by hand."""
    home = tmp_path_factory.mktemp("crowded")
    store, first = RunStore(home), datetime(2025, 1, 1, tzinfo=UTC)
    with store.database.writing() as connection:
        connection.executemany(
            "INSERT INTO runs (id, created_at, question, brief, analyst, state, heartbeat, finished_at, seconds,"
            " record, markdown) VALUES (?, ?, ?, ?, 'chat', ?, 0, ?, 60, NULL, ?)",
            [
                (
                    f"20250101-{number:06}",
                    (first + timedelta(minutes=number)).isoformat(),
                    f"How large is market {number}?",
                    Brief(question=f"How large is market {number}?").model_dump_json(),
                    RunState.COMPLETE.value,
                    (first + timedelta(minutes=number + 1)).isoformat(),
                    f"# Market {number}\n\nIt grew by {number} units." + " Rarity." * (number == _MANY // 2),
                )
                for number in range(_MANY)
            ],
        )
    store.close()
    with workbench(home) as address:
        yield App(address, home)


def test_among_ten_thousand_runs_pages_open_and_the_search_answers(crowded: App, tab: Tab) -> None:
    page = tab(f"{crowded.address}/runs")
    expect(page.get_by_text("10,000 runs", exact=True)).to_be_visible()
    expect(page.locator(".run")).to_have_count(25)
    page.get_by_label("Search runs").fill("rarity")
    expect(page.locator(".run")).to_have_count(1)
    expect(page.locator(".run .excerpt mark")).to_have_text("Rarity")
    page.get_by_label("Search runs").fill("")
    expect(page.get_by_text("10,000 runs", exact=True)).to_be_visible()
    page.get_by_role("button", name="Page 400", exact=True).click()
    expect(page.locator(".run .title").last).to_have_text("How large is market 0?")
    expect(page.locator(".run .title").first).to_be_in_viewport()
    _whoever_comes_back_is_where_they_were(page)
    for path, name in (("", "New research"), ("compare", "Compare")):
        page.goto(f"{crowded.address}/{path}")
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        expect(page.locator(".recent li").first).to_be_visible()


def _whoever_comes_back_is_where_they_were(page: Page) -> None:
    for number in (1, 3):
        page.get_by_role("button", name=f"Page {number}", exact=True).click()
    expect(page.locator(".run .title").first).to_have_text("How large is market 9949?")
    page.get_by_role("link", name="Sources & cache", exact=True).click()
    page.get_by_role("tab", name="Cache", exact=True).click()
    expect(page.get_by_text("What the cache saved")).to_be_visible()
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.locator(".run .title").first).to_have_text("How large is market 9949?")
    page.get_by_role("link", name="Sources & cache", exact=True).click()
    expect(page.get_by_text("What the cache saved")).to_be_visible()


def test_what_the_framework_says_by_itself_is_said_in_japanese(crowded: App, tab: Tab) -> None:
    page = tab(f"{crowded.address}/runs", locale="ja-JP")
    expect(page.get_by_role("button", name="400 ページ目", exact=True)).to_be_visible()
    page.get_by_role("button", name="取り込む").click()
    expect(page.get_by_text("ファイルを選択", exact=True)).to_be_visible()
    note = FilePayload(name="note.txt", mimeType="text/plain", buffer=b"no run")
    page.locator("input[type=file]").set_input_files([note])
    expect(page.get_by_text("エラー：この形式のファイルは使えません。")).to_be_attached()
    expect(page.get_by_role("button", name="「note.txt」を外す")).to_be_visible()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("button", name="Page 400", exact=True)).to_be_visible()
    page.goto(f"{crowded.address}/nowhere?lang=ja")
    expect(page.get_by_role("dialog")).to_contain_text("ページが見つかりません")


def _upload(page: Page, content: bytes) -> None:
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()
    file = FilePayload(name="run.run.zip", mimeType="application/zip", buffer=content)
    page.locator("input[type=file]").set_input_files([file])


def _changed(file: bytes, manifest: dict[str, object]) -> bytes:
    """A run's file whose manifest says something else."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(file)) as before, zipfile.ZipFile(packed, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, json.dumps(json.loads(data) | manifest) if name == MANIFEST else data)
    return packed.getvalue()


def _huge() -> bytes:
    """A small file that unpacks to more than a run may have."""
    packed, block = io.BytesIO(), bytes(2**20)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive, archive.open(MANIFEST, "w") as part:
        for _ in range(LARGEST_ARCHIVE // len(block) + 1):
            part.write(block)
    return packed.getvalue()


def test_files_that_are_no_run_of_this_version_are_refused_with_a_reason(
    crowded: App, tab: Tab, tmp_path: Path
) -> None:
    elsewhere = RunStore(tmp_path)
    file = export_run(elsewhere, sample_runs.sales(elsewhere, Language.EN))
    elsewhere.close()
    page = tab(f"{crowded.address}/runs")
    page.get_by_role("button", name="Import").click()
    for content, said in (
        (_changed(file, {"format": 99}), "The file was written by a newer version of the program (format 99"),
        (bytes(range(256)) * 4_000, "The file is not an exported run."),
        (_changed(file, {"title": "Altered", "parts": {}}), "The file is damaged or was altered"),
        (file[: len(file) // 2], "The file is not an exported run."),
        (_huge(), "The file is too large to be taken in"),
    ):
        _upload(page, content)
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.get_by_text("10,000 runs", exact=True)).to_be_visible()
    _upload(page, file)
    expect(page.get_by_text("10,001 runs", exact=True)).to_be_visible()
    page.locator(".run .title").first.click()
    expect(page.get_by_role("tab", name="Report", exact=True)).to_be_visible()


NAMES = (
    "![x](http://{h}/a.png)",
    "http://{h}/",
    "<img src=http://{h}/a.png>",
    ":red[![x](http://{h}/a.png)]",
    "![a[b]](http://{h}/a.png)",
    "[x](http://{h}/)",
    "<http://{h}/>",
    "www.{h}",
    "me@{h}",
    "![x](http&#58;//{h}/a.png)",
    "`x` ![x](//{h}/a.png)",
    "# ![x](http://{h}/a.png)",
)
STRANGER = ".evil.example"


def test_no_name_that_a_stranger_chose_is_more_than_its_letters(crowded: App, tab: Tab, tmp_path: Path) -> None:
    """Two runs come by the page, whose message names them; the others are there already, as are templates."""
    elsewhere, store = RunStore(tmp_path), RunStore(crowded.home)
    named = [name.replace("{h}", f"n{place}{STRANGER}") for place, name in enumerate(NAMES)]
    files = []
    for name in named:
        templates.save(crowded.home, templates.make(name, Brief(question="What of tea?")))
        sites.save(crowded.home, sites.make(name, ["a.example"], []))
        run = sample_runs.sales(elsewhere, Language.EN)
        label(elsewhere, run, title=name, tags=[])
        files.append(export_run(elsewhere, run))
    for file in files[2:]:
        import_run(store, file)
    page = tab(f"{crowded.address}/runs")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name, file in zip(named, files[:2], strict=False):
        page.goto(f"{crowded.address}/runs")  # A message would lie over the button.
        page.get_by_role("button", name="Import").click()
        _upload(page, file)
        expect(page.get_by_test_id("stToast").filter(has_text="Imported").first).to_be_visible()
        assert not _strange(page), name
    for path in ("runs", "", "sources"):
        page.goto(f"{crowded.address}/{path}")
        expect(page.get_by_text(STRANGER).first).to_be_visible()
        page.wait_for_timeout(700)
        assert not _strange(page)
    origin = urlsplit(crowded.address).netloc
    assert not [url for url in asked if urlsplit(url).netloc != origin and "blob:" not in url]
    for one in (elsewhere, store):
        one.close()


def _strange(page: Page) -> list[str]:
    """Return the addresses of strangers that something on the page leads to or loads."""
    script = "[...document.querySelectorAll('a, img, iframe, source, object')].map(e => e.href || e.src || e.data)"
    found: list[str | None] = page.evaluate(script)
    return [value for value in found if value and STRANGER in value]
