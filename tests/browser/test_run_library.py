"""The library of runs in a real browser: search, menu, names, repeat, compare, take along, on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from research.language import Language
from research.store import RunStore, label
from tests.browser.conftest import Reader
from tests.support import sample_runs
from tests.support.serving import workbench


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def address(home: Path) -> Iterator[str]:
    with workbench(home) as running:
        yield running


@pytest.fixture
def store(home: Path) -> Iterator[RunStore]:
    """The store of the app, with no run but those of the test."""
    store = RunStore(home)
    for run in store.list(1_000):
        store.delete(run.id)
    yield store
    store.close()


def library(page: Page, address: str) -> Locator:
    """Open the library and return its rows."""
    page.goto(f"{address}/runs")
    rows = page.locator(".run")
    expect(rows.first).to_be_visible()
    return rows


def choose(page: Page, row: Locator, entry: str) -> None:
    row.get_by_role("button", name="More on").click()
    page.locator(".st-key-runs .card").get_by_role("button", name=entry, exact=True).click()


def test_runs_are_found_while_typing_and_named_in_their_menu(store: RunStore, address: str, page: Page) -> None:
    sample_runs.sales(store, Language.EN)
    sample_runs.sales(store, Language.JA)
    rows = library(page, address)
    expect(rows).to_have_count(2)
    _a_star_moves_nothing_and_filters(page, rows)
    page.get_by_label("Search runs").press_sequentially("ベトナム")
    expect(rows).to_have_count(1)
    expect(rows.locator(".excerpt mark")).to_have_text("ベトナム")
    opener = rows.first.get_by_role("button", name="More on")
    card = page.locator(".st-key-runs .card")
    opener.hover()
    page.wait_for_timeout(400)
    expect(card).to_be_hidden()
    opener.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    choose(page, rows.first, "Title and tags")
    dialog = page.get_by_role("dialog").filter(has_text="Title and tags")
    dialog.get_by_label("Title", exact=True).fill("For the board")
    dialog.get_by_role("combobox").fill("asia")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    expect(rows.locator(".title")).to_have_text("For the board")
    expect(rows.locator(".tag")).to_have_text("asia")
    page.get_by_role("button", name="Show all", exact=True).click()
    expect(rows).to_have_count(2)
    page.locator(".tag").click()
    expect(rows).to_have_count(1)


def _a_star_moves_nothing_and_filters(page: Page, rows: Locator) -> None:
    before = rows.nth(1).bounding_box()
    star = rows.nth(1).get_by_role("button", name="Star")
    star.focus()
    page.keyboard.press("Enter")
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(star).to_be_focused()
    assert rows.nth(1).bounding_box() == before
    page.get_by_text("Starred only").click()
    expect(rows).to_have_count(1)
    page.get_by_text("Starred only").click()
    expect(rows).to_have_count(2)


def test_a_repeated_run_says_what_changed(store: RunStore, home: Path, address: str, page: Page) -> None:
    first = sample_runs.house(home, Language.EN)
    rows = library(page, address)
    choose(page, rows.first, "Run again")
    page.wait_for_url(re.compile(r"/run\?.*id="))
    expect(page.get_by_role("tab", name="Report", exact=True)).to_be_visible()
    again = store.list(1)[0]
    assert (again.follows, again.brief) == (first, store.get(first).brief)
    rows = library(page, address)
    rows.first.get_by_role("button", name="What changed since last time").click()
    expect(page.get_by_role("heading", name=re.compile("^What changed since "))).to_be_visible()
    expect(page.locator(".differences .figure").filter(has_text="Claims")).to_contain_text("unchanged")


def test_two_runs_are_chosen_and_compared(store: RunStore, address: str, page: Page) -> None:
    sample_runs.sales(store, Language.EN)
    sample_runs.ended(store, Language.EN)
    rows = library(page, address)
    choose(page, rows.first, "Compare with another run")
    expect(page.get_by_text("Choose the run to compare with", exact=True)).to_be_visible()
    expect(rows.first.get_by_role("button", name="Compare with the run chosen")).to_be_hidden()
    rows.nth(1).get_by_role("button", name="Compare with the run chosen").click()
    shown = page.locator(".differences")
    expect(shown.get_by_role("heading", name="What differs")).to_be_visible()
    expect(shown.get_by_text("Only in the first run (3)")).to_be_visible()
    expect(shown.get_by_text("Sales in Vietnam were 293 million yen in fiscal 2024.")).to_be_visible()


def test_a_run_is_taken_along_deleted_and_brought_back(
    store: RunStore, address: str, page: Page, tmp_path: Path
) -> None:
    run = sample_runs.sales(store, Language.EN)
    label(store, run, title="Taken along", tags=["kept"])
    rows = library(page, address)
    choose(page, rows.first, "Export as a file")
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"{run}.run.zip"
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    rows = library(page, address)
    choose(page, rows.first, "Delete")
    dialog = page.get_by_role("dialog").filter(has_text="Delete this run?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    expect(rows).to_have_count(1)
    choose(page, rows.first, "Delete")
    dialog.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("Nothing has been researched yet")).to_be_visible()
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(rows.locator(".title")).to_have_text("Taken along")
    assert store.get(run).tags == ("kept",)
    page.mouse.move(0, 0)  # What is said of the import lies over the button as long as the pointer rests on it.
    page.get_by_role("button", name="Import").click()
    page.locator("input[type=file]").set_input_files(file)
    refused = page.locator("[data-testid=stPopoverBody]").get_by_role("alert")
    expect(refused).to_contain_text("is in the library already and was left as it is")


def test_it_fits_on_a_phone_and_speaks_japanese(store: RunStore, address: str, reader: Reader) -> None:
    run, other = sample_runs.sales(store, Language.JA), sample_runs.ended(store, Language.JA)
    label(store, run, title="", tags=["営業", "ASEAN"])
    page = reader(locale="ja-JP", width=390, height=844, has_touch=True).new_page()
    rows = library(page, address)
    rows.first.get_by_role("button", name="のメニュー").tap()
    sheet = page.locator(".st-key-runs .card")
    expect(sheet.get_by_role("button", name="タイトルとタグ")).to_be_visible()
    box = sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    for path in ("runs", f"compare?runs={run},{other}"):
        page.goto(f"{address}/{path}")
        expect(page.locator(".run, .differences").first).to_be_visible()
        page.wait_for_timeout(700)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


def test_a_report_is_starred_named_and_deleted_on_its_own_page(store: RunStore, address: str, page: Page) -> None:
    run = sample_runs.sales(store, Language.EN)
    page.goto(f"{address}/run?id={run}")

    def do(entry: str) -> None:
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name=entry, exact=True).click()

    do("Star")
    expect(page.locator("h1 .starred")).to_be_visible()
    do("Title and tags")
    page.get_by_role("dialog").get_by_role("textbox", name="Title").fill("For the board")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="For the board")).to_be_visible()
    assert (store.get(run).title, store.get(run).starred) == ("For the board", True)
    do("Delete")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("There is no such run.")).to_be_visible()
    assert store.list(5) == []
