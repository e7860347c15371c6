"""When runs cannot be stored: another program holds the store, the disk is full, the file is damaged or too new."""

from __future__ import annotations

import re
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from research.core import ProblemOccurred
from research.language import Language
from research.store import RunStore
from tests.browser.conftest import Tab
from tests.support import sample_runs
from tests.support.machine import wait_until
from tests.support.serving import Server
from tests.support.steps import LASTING
from tests.support.tavily_server import TavilyServer

_REPORT = re.compile("^(Report|レポート)$")


@dataclass(frozen=True)
class Troubled:
    """An app whose store can be made to fail."""

    server: Server
    home: Path

    @property
    def store(self) -> Path:
        """The file of the runs."""
        return self.home / "runs.sqlite3"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the store, as another program that writes to it."""
        other = sqlite3.connect(self.store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")
            other.close()

    @contextmanager
    def full(self) -> Iterator[None]:
        """Let the app write to no file, as if no disk had any space left."""
        limits = resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (0, limits[1]))
        try:
            yield
        finally:
            resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, limits)

    def problems(self, run: str) -> list[str]:
        """What a run reports, once it is stored as complete, with none of its events missing."""
        store = RunStore(self.home)
        try:
            wait_until(lambda: store.get(run).finished_at is not None)
            found = store.events(run)
            assert [event.seq for event in found] == list(range(1, len(found) + 1))
            return [event.code for event in found if isinstance(event, ProblemOccurred)]
        finally:
            store.close()


@pytest.fixture(scope="module")
def troubled(slow_web: TavilyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Troubled]:
    home = tmp_path_factory.mktemp("troubled")
    server = Server(home, TAVILY_BASE_URL=slow_web.base_url)
    try:
        server.start()
        yield Troubled(server, home)
    finally:
        server.stop()


def ask(page: Page) -> Locator:
    """Fill the form and return its field."""
    field = page.get_by_label(re.compile("^(Question|質問)$"))
    field.fill(LASTING)
    field.press("Tab")
    return field


def start(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^(Start research|調査を開始)")).click()


def started(page: Page) -> str:
    """Start a run and return its id as soon as its first source is there."""
    start(page)
    page.wait_for_url(re.compile(r"/run\?.*id="))
    expect(page.locator(".reading").first).to_be_visible()
    return re.findall(r"[?&]id=([^&]+)", page.url)[0]


def add(page: Page) -> None:
    """Ask something else of a run under way: something happens that has to be stored."""
    field = page.get_by_label(re.compile("^(Add a question|質問を追加)$"))
    field.fill("What do dealers pay?")
    field.press("Enter")


def test_while_another_program_holds_the_store_nothing_starts_and_nothing_typed_is_lost(
    troubled: Troubled, tab: Tab
) -> None:
    page = tab(troubled.server.address)
    field = ask(page)
    with troubled.locked():
        start(page)
        expect(page.get_by_text("The run could not be started: Another program is writing")).to_be_visible()
        expect(field).to_have_value(LASTING)
    run = started(page)
    with troubled.locked():
        add(page)
        expect(page.get_by_text("For a while nothing could be saved.")).to_be_visible()
        page.get_by_role("button", name="Finish now").click()
    expect(page.get_by_role("tab", name=_REPORT)).to_be_visible()
    assert troubled.problems(run) == ["saved_late", "finished_early"]


def test_on_a_full_disk_nothing_starts_and_a_run_under_way_is_stored_when_there_is_space_again(
    troubled: Troubled, tab: Tab
) -> None:
    page = tab(troubled.server.address, locale="ja-JP")
    field = ask(page)
    with troubled.full():
        start(page)
        expect(page.get_by_text("調査を開始できませんでした：ディスクの空きがない")).to_be_visible()
        expect(field).to_have_value(LASTING)
    run = started(page)
    with troubled.full():
        add(page)
        expect(page.get_by_text("一時的に保存できない状態になりました。")).to_be_visible()
        page.get_by_role("button", name="切り上げる", exact=True).click()
    expect(page.get_by_role("tab", name=_REPORT)).to_be_visible()
    assert "saved_late" in troubled.problems(run)


def test_on_a_full_disk_names_and_settings_stay_as_they_are_and_reports_are_still_taken_along(
    troubled: Troubled, tab: Tab
) -> None:
    store = RunStore(troubled.home)
    run = sample_runs.sales(store, Language.EN)
    page, settings = tab(f"{troubled.server.address}/runs"), tab(f"{troubled.server.address}/settings")
    page.locator(".run").first.get_by_role("button", name="More on").click()
    page.locator(".st-key-runs .card").get_by_role("button", name="Title and tags", exact=True).click()
    dialog = page.get_by_role("dialog").filter(has_text="Title and tags")
    dialog.get_by_label("Title", exact=True).fill("For the board")
    card = settings.locator(".st-key-entry_provider_openai")
    card.get_by_label("Key for OpenAI", exact=True).fill("sk-never-kept")
    with troubled.full():
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_text("This could not be saved, and nothing was changed.")).to_be_visible()
        expect(dialog.get_by_label("Title", exact=True)).to_have_value("For the board")
        card.get_by_role("button", name="Save and check").click()
        expect(card.get_by_role("alert")).to_be_visible()
        reading = tab(f"{troubled.server.address}/run?id={run}")
        reading.get_by_role("button", name="Download", exact=True).click()
        with reading.expect_download() as download:
            reading.get_by_role("button", name="Markdown", exact=True).click()
        assert Path(download.value.path()).read_bytes().startswith(b"---\ntitle:")
    assert store.get(run).title == ""
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    assert store.get(run).title == "For the board"
    store.close()
