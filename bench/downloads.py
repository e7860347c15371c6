"""From the click on “PDF” to the file on disk, in real Chromium, for reports of 2, 20 and 100 pages.

python -m bench.downloads
"""

from __future__ import annotations

import io
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from bench.report_sample import sample
from research.events import EvidenceFound, PageRead, RunStarted, TopicQueued
from research.language import Language
from research.report import Report
from research.runs.store import RunStore, utc_now
from tests.browser.serving import browser, workbench

_SECTIONS = (1, 18, 100)
"""Of reports of about 2, 20 and 100 pages."""
_READ_SECONDS = 4.0
"""After which a reader who wants the file opens the menu; one in a hurry opens it at once."""
_PATIENCE = 120_000


def main() -> None:
    """Print a table: how long the file takes after a look at the report, and at once."""
    print("| Report | kB | Click after a look at it | At once | A click elsewhere meanwhile |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        home = Path(folder)
        with workbench(home) as address:
            _taken(chromium, address, _stored(home, 1, 0), wait=0)  # imports, typefaces
            for place, sections in enumerate(_SECTIONS, 1):
                data, looked, _ = _taken(chromium, address, _stored(home, sections, place), wait=_READ_SECONDS)
                _, hurried, other = _taken(chromium, address, _stored(home, sections, 10 + place), wait=0)
                pages = len(PdfReader(io.BytesIO(data)).pages)
                print(f"| {pages} pages | {len(data) / 1e3:.0f} | {looked:.2f} s | {hurried:.2f} s | {other:.2f} s |")


def _taken(chromium: Browser, address: str, run: str, *, wait: float) -> tuple[bytes, float, float]:
    """Return the file, its seconds from the click, and those that opening another tab took just before."""
    context = chromium.new_context(accept_downloads=True, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/run?id={run}")
    page.locator(".report").first.wait_for(timeout=_PATIENCE)
    page.wait_for_timeout(1_000 * wait)
    other = _clicked_elsewhere(page)
    page.get_by_role("button", name="Download", exact=True).click(timeout=_PATIENCE)
    pdf = page.get_by_role("button", name="PDF", exact=True)
    pdf.wait_for(timeout=_PATIENCE)
    began = time.perf_counter()
    with page.expect_download(timeout=_PATIENCE) as download:
        pdf.click()
    data = Path(download.value.path()).read_bytes()
    taken = time.perf_counter() - began
    context.close()
    return data, taken, other


def _clicked_elsewhere(page: Page) -> float:
    """Open the list of sources and go back; return the seconds of the first."""
    began = time.perf_counter()
    page.get_by_role("tab", name="Sources").click()
    page.locator(".sources").first.wait_for(timeout=_PATIENCE)
    taken = time.perf_counter() - began
    page.get_by_role("tab", name="Report", exact=True).click()
    return taken


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


def _events(run: str, report: Report) -> list[RunStarted | TopicQueued | PageRead | EvidenceFound]:
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
    events = [started, TopicQueued(lane="R1", topic=brief.question), *read, *found]
    return [event.model_copy(update={"seq": place, "at": utc_now()}) for place, event in enumerate(events, 1)]


if __name__ == "__main__":
    main()
