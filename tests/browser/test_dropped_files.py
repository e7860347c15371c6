"""Files that are dropped on the page, in a real browser: what its field would forget is named."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.conftest import App


@pytest.fixture
def page(app: App, page: Page) -> Iterator[Page]:
    """The start page of an app that holds no documents, neither before nor after."""
    page.add_init_script(_TOLD)
    page.goto(app.address)
    page.get_by_text("My documents (0)").click()
    # Files that come before the script does are refused without a word.
    page.locator(".st-key-oversized_files [data-field]").wait_for(state="attached")
    yield page
    shutil.rmtree(app.home / "documents")


def test_files_that_are_too_large_are_named_among_others_and_alone(page: Page, tmp_path: Path) -> None:
    large = tmp_path / "every survey.txt"
    with large.open("wb") as file:
        file.truncate(20 * 2**20 + 1)
    minutes = tmp_path / "minutes.md"
    minutes.write_text("# Minutes\n\nThe board wants 20 million yen.")
    field, refused = page.locator(".st-key-documents_open input[type=file]"), page.locator(".refused")
    field.set_input_files([minutes, large])
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    expect(refused).to_contain_text("every survey.txt")
    expect(refused).to_contain_text("The file is too large. Split it, or add only the part that matters.")
    field.set_input_files([minutes])
    expect(page.get_by_text("1 document added.").last).to_be_visible()
    expect(refused).to_have_count(0)
    field.set_input_files([large])
    expect(refused).to_contain_text("every survey.txt")
    expect(page.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    _drop(page, "budget.pdf", 21 * 2**20)
    expect(refused).to_contain_text("budget.pdf")
    expect(refused).not_to_contain_text("every survey.txt")
    _one_that_cannot_be_read_is_named_and_one_that_is_no_longer_wanted_is_removed(page, field, refused)


def _one_that_cannot_be_read_is_named_and_one_that_is_no_longer_wanted_is_removed(
    page: Page, field: Locator, refused: Locator
) -> None:
    broken = FilePayload(name="broken.pdf", mimeType="application/pdf", buffer=b"%PDF-1.7 nonsense")
    field.set_input_files([broken])
    expect(refused).to_contain_text("1 file was not added")
    expect(refused).to_contain_text("broken.pdf")
    expect(refused).to_contain_text("The file is damaged and cannot be read.")
    refused.get_by_role("button", name="Close").click()
    expect(refused).to_have_count(0)
    page.get_by_role("button", name="Remove minutes.md").click()
    expect(page.get_by_text("My documents (0)")).to_be_visible()


def test_what_takes_a_while_to_read_is_said_to_be_read(page: Page, tmp_path: Path) -> None:
    survey = tmp_path / "survey.txt"
    survey.write_text(
        "".join(f"In district {number} the sales of pumps rose to {number}.\n" for number in range(60_000))
    )
    page.locator(".st-key-documents_open input[type=file]").set_input_files([survey])
    expect(page.get_by_text("My documents (1)")).to_be_visible()
    page.wait_for_function("window.told.some((toasts) => toasts.join().includes('1 document added.'))")
    told = page.evaluate("window.told")
    assert any("Reading documents" in text for toasts in told for text in toasts)
    assert max(map(len, told)) == 1, "one note, which says the other words when it is done"


_TOLD = """
window.told = []
new MutationObserver(() => {
  window.told.push([...document.querySelectorAll("[data-testid=stToast]")].map((toast) => toast.textContent))
}).observe(document, { subtree: true, childList: true, characterData: true })
"""


def _drop(page: Page, name: str, size: int) -> None:
    """Drop a file of that size on the field, as from another window."""
    page.get_by_test_id("stFileUploaderDropzone").first.evaluate(
        """(field, [name, size]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([new Uint8Array(size)], name))
          for (const kind of ["dragenter", "dragover", "drop"])
            field.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }))
        }""",
        [name, size],
    )
