"""From the click on “PDF” to the file on disk, in real Chromium, for reports of 2, 20 and 100 pages.

python -m bench.downloads
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from bench.report_sample import sample
from research.core import Event, EvidenceFound, PageRead, RunStarted, TopicQueued
from research.language import Language
from research.results import Report
from research.store import RunStore, utc_now
from tests.support.serving import browser, workbench

_SECTIONS = (1, 20, 114)
"""Of reports of about 2, 20 and 100 pages."""
_READ_SECONDS = 4.0
"""After which a reader who wants the file opens the menu; one in a hurry opens it at once."""
_PATIENCE = 120_000


def main() -> None:
    """Print a table: how long the file takes after a look at the report, and at once."""
    print(
        "| Report | kB | PDF, after a look at the report | PDF at once | Word | a click elsewhere, while it is made |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        home = Path(folder)
        with workbench(home) as address:
            _taken(chromium, address, _stored(home, 1, 0), wait=0)  # imports, typefaces
            for place, sections in enumerate(_SECTIONS, 1):
                data, looked = _taken(chromium, address, _stored(home, sections, place), wait=_READ_SECONDS)
                _, hurried = _taken(chromium, address, _stored(home, sections, 10 + place), wait=0)
                word, other = _meanwhile(chromium, address, _stored(home, sections, 20 + place))
                pages = len(PdfReader(io.BytesIO(data)).pages)
                seconds = " | ".join(f"{one:.2f} s" for one in (looked, hurried, word, other))
                print(f"| {pages} pages | {len(data) / 1e3:.0f} | {seconds} |")


def _taken(chromium: Browser, address: str, run: str, *, wait: float) -> tuple[bytes, float]:
    """Return the file, and its seconds from the click."""
    with _menu(chromium, address, run, wait) as page:
        began = time.perf_counter()
        with page.expect_download(timeout=_PATIENCE) as download:
            page.get_by_role("button", name="PDF", exact=True).click()
        data = Path(download.value.path()).read_bytes()
        return data, time.perf_counter() - began


def _meanwhile(chromium: Browser, address: str, run: str) -> tuple[float, float]:
    """Return the seconds of a Word file, which is not made ahead, and those in which another tab opened meanwhile."""
    with _menu(chromium, address, run, 0) as page:
        began = time.perf_counter()
        with page.expect_download(timeout=_PATIENCE) as download:
            page.get_by_role("button", name="Word", exact=True).click()
            page.keyboard.press("Escape")
            clicked = time.perf_counter()
            page.get_by_role("tab", name="Sources").click()
            page.locator(".sources").first.wait_for(timeout=_PATIENCE)
            other = time.perf_counter() - clicked
        download.value.path()
        return time.perf_counter() - began, other


@contextmanager
def _menu(chromium: Browser, address: str, run: str, wait: float) -> Iterator[Page]:
    """Open the report of a run, and after so many seconds its download menu."""
    context = chromium.new_context(accept_downloads=True, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/run?id={run}")
    page.locator(".report").first.wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(1_000 * wait)
    page.get_by_role("button", name="Download", exact=True).click(timeout=_PATIENCE)
    page.get_by_role("button", name="PDF", exact=True).wait_for(timeout=_PATIENCE)
    try:
        yield page
    finally:
        context.close()


def _stored(home: Path, sections: int, variant: int) -> str:
    """Store a made-up report of so many sections as a finished run, and return its id."""
    report = sample(Language.EN, sections, variant)
    store = RunStore(home)
    try:
        run = store.create(report.record.brief, "chat")
        store.extend(run, _events(run, report), list(report.pages.values()))
        store.finish(run, report.record.model_copy(update={"run": run}), report.markdown)
    finally:
        store.close()
    return run


def _events(run: str, report: Report) -> list[Event]:
    """Return what the page of a run is drawn from."""
    brief = report.record.brief
    read = [
        PageRead(
            lane="R1",
            page=page.id,
            characters=len(page.text),
            **page.model_dump(exclude={"id", "fetched_at", "text"}),
        )
        for page in report.pages.values()
    ]
    found = [EvidenceFound(lane="R1", **entry.model_dump()) for entry in report.record.evidence]
    started = RunStarted(run=run, brief=brief, brief_text="", analyst="chat", sources=())
    events: list[Event] = [started, TopicQueued(lane="R1", topic=brief.question), *read, *found]
    return [event.model_copy(update={"seq": place, "at": utc_now()}) for place, event in enumerate(events, 1)]


if __name__ == "__main__":
    main()
