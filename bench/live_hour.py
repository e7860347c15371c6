"""An hour before the page of a run in real Chromium: what the browser, the wire and the server hold in the end.

python -m bench.live_hour [minutes]

Ten researchers, each of whom reads a source every twenty seconds; three lanes and the timeline are open all the time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from bench.simulated import Simulated, running
from bench.watched import Held, watched
from bench.wire import Wire
from research.core import SUPERVISOR, Reflected
from tests.support.serving import browser, workbench

_RESEARCHERS, _SECONDS_A_SOURCE = 10, 20.0
_OPEN = 3
_LOOKS = 6
"""How often it is measured on the way."""
_THOUGHT = "Prices are known for three regions; for the others the next queries ask by year and by maker. " * 3


def main() -> None:
    """Print a table that grows while the run goes on."""
    seconds = (float(sys.argv[1]) if len(sys.argv) > 1 else 60.0) * 60
    pause = _SECONDS_A_SOURCE / _RESEARCHERS
    with (
        tempfile.TemporaryDirectory() as folder,
        workbench(Path(folder)) as address,
        browser() as chromium,
        running(Path(folder), _RESEARCHERS, pause=pause) as run,
        watched(chromium, address, run) as (page, line),
    ):
        _open_all(page)
        _print("minutes", "sources", "server, MB", "JavaScript heap, MB", "nodes, thousands", "received, MB")
        _print(*["---:"] * 6)
        began = time.monotonic()
        _look(run, page, line, began)
        for number in range(1, _LOOKS + 1):
            _watch(run, page, began + seconds * number / _LOOKS)
            _look(run, page, line, began)


def _open_all(page: Page) -> None:
    for number in range(_OPEN):
        page.locator("details.lane > summary").nth(number).click()
        expect(page.locator("details.lane").nth(number).locator(".reading").first).to_be_visible()
    page.locator("[class*=st-key-timeline_] summary").click()
    expect(page.locator(".js-plotly-plot")).to_be_visible(timeout=30_000)


def _watch(run: Simulated, page: Page, until: float) -> None:
    """Let the supervisor think aloud once a minute until then."""
    while (left := until - time.monotonic()) > 0:
        page.wait_for_timeout(min(left, 60.0) * 1e3)
        run.emit(Reflected(lane=SUPERVISOR, reflection=_THOUGHT))


def _look(run: Simulated, page: Page, line: Wire, began: float) -> None:
    held = Held.by(page)
    minutes = (time.monotonic() - began) / 60
    figures = (f"{held.server:.0f}", f"{held.heap:.1f}", f"{held.nodes:.1f}", f"{line.received / 1e6:.1f}")
    _print(f"{minutes:.0f}", f"{run.sources:,}", *figures)


def _print(*cells: str) -> None:
    print("|", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
