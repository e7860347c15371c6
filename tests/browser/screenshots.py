"""Make screenshots of every page: both languages, light and dark, wide and narrow.

python -m tests.browser.screenshots OUT [part of a name ...]
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page

from research.events import Status
from research.language import Language
from research.runs.store import RunStore
from tests.browser import sample_plans, sample_runs
from tests.browser.serving import browser, workbench

_WIDTHS = {"wide": (1440, 900), "narrow": (390, 844)}


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    language: str
    scheme: Literal["light", "dark"]
    width: str

    @property
    def name(self) -> str:
        """What the file's name says of it."""
        return f"{self.language}-{self.scheme}-{self.width}"

    def context(self, chromium: Browser) -> BrowserContext:
        """Open a window like this."""
        across, down = _WIDTHS[self.width]
        return chromium.new_context(
            viewport={"width": across, "height": down},
            color_scheme=self.scheme,
            locale="ja-JP" if self.language == "ja" else "en-GB",
            timezone_id="Asia/Tokyo" if self.language == "ja" else "Europe/London",
            has_touch=self.width == "narrow",
        )


def main() -> None:
    """Make the screenshots that the command line asks for; all of them by default."""
    out, wanted = Path(sys.argv[1]), sys.argv[2:]
    out.mkdir(parents=True, exist_ok=True)
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        empty = stack.enter_context(workbench(folder / "empty"))
        address = stack.enter_context(workbench(folder / "home"))
        runs = stack.enter_context(_runs(folder / "home"))
        chromium = stack.enter_context(browser())
        for look in (Look(*how) for how in product(("en", "ja"), schemes, _WIDTHS)):
            for name, (path, act) in _shots(address, empty, runs, look.language).items():
                file = out / f"{name}-{look.name}.png"
                if all(part in file.stem for part in wanted):
                    _shoot(look.context(chromium), path, act, file)


def _shots(
    address: str, empty: str, runs: dict[str, str], language: str
) -> dict[str, tuple[str, Callable[[Page], None]]]:
    """Return what there is to see: an address, and what to do there."""

    def run(name: str) -> str:
        return f"{address}/run?id={runs[f'{name}-{language}']}&lang={language}"

    return {
        "new": (f"{address}/?lang={language}", _nothing),
        "new-filled": (f"{address}/?lang={language}", _fill),
        "new-empty-error": (f"{empty}/?lang={language}", _start_empty),
        "runs": (f"{address}/runs?lang={language}", _nothing),
        "runs-empty": (f"{empty}/runs?lang={language}", _nothing),
        "plan": (run("plan"), _nothing),
        "plan-edit": (run("plan"), _edit_plan),
        "live": (run("live"), _nothing),
        "writing": (run("writing"), _nothing),
        "report": (run("complete"), _nothing),
        "report-card": (run("complete"), _cite),
        "report-drawer": (run("complete"), _drawer),
        "verdict-card": (run("complete"), _verdict),
        "to-check": (run("sales"), _to_check),
        "strict": (run("strict"), _left_out),
        "unsupported-card": (run("sales"), _verdict),
        "old": (run("old"), _nothing),
        "figures": (run("house"), _tab(1)),
        "figures-chart": (run("sales"), _tab(1)),
        "contradictions": (run("house"), _tab(2)),
        "contradictions-none": (run("complete"), _tab(2)),
        "sources": (run("house"), _tab(3)),
        "log": (run("complete"), _tab(4)),
        "partial": (run("partial"), _nothing),
        "broken": (run("broken"), _nothing),
        "unknown": (f"{address}/run?id=none&lang={language}", _nothing),
    }


def _shoot(context: BrowserContext, path: str, act: Callable[[Page], None], file: Path) -> None:
    page = context.new_page()
    page.goto(path)
    page.get_by_role("heading", level=1).first.wait_for()
    page.wait_for_timeout(1_500)
    act(page)
    page.wait_for_timeout(700)
    page.screenshot(path=file)
    size = page.viewport_size
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    if size is not None and height > size["height"]:
        page.set_viewport_size({"width": size["width"], "height": min(height, 6_000)})
        page.wait_for_timeout(500)
        page.screenshot(path=file.with_stem(file.stem + "-full"))
    context.close()


def _nothing(page: Page) -> None:
    """Look at the page as it opens."""


def _fill(page: Page) -> None:
    page.locator(".sample").nth(1).click()
    page.wait_for_timeout(800)
    page.locator(".st-key-more_open summary").click()


def _edit_plan(page: Page) -> None:
    page.locator(".st-key-plan_edit button:visible").click()
    page.wait_for_timeout(1_500)


def _start_empty(page: Page) -> None:
    page.locator(".st-key-start button").click()
    page.wait_for_timeout(800)


def _cite(page: Page) -> None:
    page.locator(".cite").nth(1).click()


def _drawer(page: Page) -> None:
    _cite(page)
    page.locator(".st-key-report .card [data-send^='quote:']").first.click()
    page.wait_for_timeout(1_500)


def _verdict(page: Page) -> None:
    page.locator(".verdict:is(.partial, .unsupported, .uncited)").first.click()


def _to_check(page: Page) -> None:
    page.locator(".st-key-to_check label").click()
    page.wait_for_timeout(800)


def _left_out(page: Page) -> None:
    page.locator(".left-out summary").click()


def _tab(place: int) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        page.get_by_role("tab").nth(place).click()
        page.wait_for_timeout(1_500)

    return act


@contextmanager
def _runs(home: Path) -> Iterator[dict[str, str]]:
    """Store runs of every state, and keep those that are under way alive."""
    store = RunStore(home)
    made: dict[str, str] = {}
    for language in Language:
        made |= {
            f"broken-{language}": sample_runs.broken_off(home, language),
            f"partial-{language}": sample_runs.ended(store, language, analyst="extractive", status=Status.PARTIAL),
            f"complete-{language}": sample_runs.ended(store, language),
            f"old-{language}": sample_runs.ended(store, language, checked=False),
            f"strict-{language}": sample_runs.ended(store, language, left_out=sample_runs.LEFT_OUT),
            f"sales-{language}": sample_runs.sales(store, language),
            f"house-{language}": sample_runs.house(home, language),
            f"writing-{language}": sample_runs.writing(store, language),
            f"live-{language}": sample_runs.researching(store, language),
            f"plan-{language}": sample_plans.waiting(store, language, seconds=3_599),
        }
    over = threading.Event()

    def beat() -> None:
        while not over.wait(3.0):
            for name, run in made.items():
                if name.startswith(("live", "writing", "plan")):
                    store.heartbeat(run)

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        yield made
    finally:
        over.set()
        beating.join()
        store.close()


if __name__ == "__main__":
    main()
