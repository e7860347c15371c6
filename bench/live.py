"""The live page in real Chromium: from an event to the screen, and what a click takes.

python -m bench.live [seconds for each measure]
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from bench.simulated import Simulated, running
from bench.watched import watched
from research.core import SUPERVISOR, Reflected
from tests.support.serving import browser, workbench

RESEARCHERS = (1, 10, 50)
_SOURCES = 20
"""Sources of each researcher in the long run."""
_TIMELINE, _TABLE, _CHART = "[class*=st-key-timeline_] summary", ".st-key-timeline_totals .calls", ".js-plotly-plot"
_SEEN = """() => {
  window.seen ??= {}
  window.watching ??= setInterval(() => {
    for (const element of document.querySelectorAll(".st-key-activity *"))
      for (const thought of element.shadowRoot?.querySelectorAll(".supervisor > :is(.thought, p, details)") ?? [])
        for (const [name] of thought.textContent.matchAll(/probe \\d+/g)) window.seen[name] ??= Date.now()
  }, 10)
}"""


def main() -> None:
    """Print what was measured."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    with tempfile.TemporaryDirectory() as folder, workbench(Path(folder)) as address, browser() as chromium:
        _measure(Path(folder), address, chromium, seconds)


def _measure(home: Path, address: str, chromium: Browser, seconds: float) -> None:
    print("| researchers | event to screen: median | 95th percentile | received |")
    print("| ---: | ---: | ---: | ---: |")
    for count in RESEARCHERS:
        with running(home, count) as run, watched(chromium, address, run) as (page, line):
            began = time.monotonic()
            waits = sorted(_probe(run, page, seconds))
            late = waits[min(len(waits) - 1, round(len(waits) * 0.95))]
            received = line.received / (time.monotonic() - began) / 1e3
            print(f"| {count} | {statistics.median(waits):.2f} s | {late:.2f} s | {received:.0f} kB/s |")
    with running(home, RESEARCHERS[-1], sources=_SOURCES) as run, watched(chromium, address, run) as (page, _):
        print("\n| during a run with 50 researchers and 1,000 sources | median of 5 | slowest |\n| --- | ---: | ---: |")
        for name, act in _interactions().items():
            taken = [_timed(act, page, number) for number in range(1, 6)]
            print(f"| {name} | {statistics.median(taken):.2f} s | {max(taken):.2f} s |")
    with running(home, RESEARCHERS[-1], sources=_SOURCES) as run, watched(chromium, address, run) as (page, _):
        table, chart = _timeline_for_the_first_time(page)
        print(f"\nA browser that has drawn no chart yet shows the timeline's table after {table:.2f} s, ", end="")
        print(f"its chart after {chart:.2f} s.")


# --- what is measured


def _probe(run: Simulated, page: Page, seconds: float) -> Iterator[float]:
    """Let the supervisor say something now and then, and see when the page shows it."""
    page.evaluate(_SEEN)
    said: dict[str, float] = {}
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        name = f"probe {len(said) + 1}"
        said[name] = time.time()
        run.emit(Reflected(lane=SUPERVISOR, reflection=name))
        page.wait_for_timeout(random.uniform(700, 1_700))
    page.wait_for_timeout(5_000)
    seen = page.evaluate("window.seen")
    yield from (seen[name] / 1e3 - at for name, at in said.items())


def _interactions() -> dict[str, Callable[[Page, int], None]]:
    def open_lane(page: Page, number: int) -> None:
        page.locator("details.lane > summary").nth(number).click()
        expect(page.locator("details.lane").nth(number).locator(".reading").first).to_be_visible()

    def add_question(page: Page, number: int) -> None:
        page.get_by_label("Add a question").fill(f"And question {number}?")
        page.keyboard.press("Enter")
        expect(page.locator(".asked-of li", has_text=f"And question {number}?")).to_be_visible()

    def ask_to_block(page: Page, number: int) -> None:
        page.locator(".reading .steer").nth(number).click()
        expect(page.locator(".st-key-activity .card")).to_be_visible()
        page.keyboard.press("Escape")

    def timeline(page: Page, number: int) -> None:
        page.locator(_TIMELINE).click()
        expect(page.locator(_TABLE)).to_have_count(number % 2)

    return {
        "open a lane": open_lane,
        "add a question": add_question,
        "ask to block a site": ask_to_block,
        "open or close the timeline": timeline,
    }


def _timeline_for_the_first_time(page: Page) -> tuple[float, float]:
    """Open the timeline; return the seconds until its table is there, and until its chart is."""
    began = time.monotonic()
    page.locator(_TIMELINE).click()
    expect(page.locator(_TABLE)).to_be_visible()
    table = time.monotonic() - began
    expect(page.locator(_CHART)).to_be_visible(timeout=20_000)
    return table, time.monotonic() - began


def _timed(act: Callable[[Page, int], None], page: Page, number: int) -> float:
    page.wait_for_timeout(random.uniform(0, 1_000))  # anywhere between two redraws
    began = time.monotonic()
    act(page, number)
    return time.monotonic() - began


if __name__ == "__main__":
    main()
