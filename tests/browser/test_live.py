"""The page of a run under way, in a real browser: what it is sent, what it leaves as it was, where nothing jumps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from bench.simulated import Simulated, running
from research.core import TopicFinished
from tests.browser.conftest import App, Tab

_STYLE = b".lane-head {"
"""Stands in the style sheet and nowhere else."""
_WATCH = """() => {
  const changed = (window.changed = { shift: 0, activity: 0, run_head: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) changed.shift += entry.value
  }).observe({ type: "layout-shift" })
  for (const key of ["activity", "run_head"]) {
    const { shadowRoot } = [...document.querySelectorAll(`.st-key-${key} *`)].find((element) => element.shadowRoot)
    new MutationObserver((found) => (changed[key] += found.length)).observe(shadowRoot, {
      subtree: true, childList: true, attributes: true, characterData: true,
    })
  }
}"""


@pytest.fixture
def still(app: App) -> Iterator[Simulated]:
    """A run of three researchers who wait for something."""
    with running(app.home, 3, sources=3, pause=3_600) as run:
        yield run


@pytest.fixture
def busy(app: App) -> Iterator[Simulated]:
    """A run of fifty researchers who find something ten times a second."""
    with running(app.home, 50, sources=4) as run:
        yield run


def watched(page: Page, milliseconds: float) -> dict[str, float]:
    """Return what changed in the page while nobody touched it."""
    page.wait_for_timeout(1_000)
    page.evaluate(_WATCH)
    page.wait_for_timeout(milliseconds)
    changed: dict[str, float] = page.evaluate("changed")
    return changed


def test_among_many_who_find_something_redraws_are_light_and_nothing_jumps(
    busy: Simulated, app: App, page: Page
) -> None:
    frames: list[bytes] = []

    def received(frame: bytes) -> None:
        frames.append(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    page.goto(app.run(busy.id))
    expect(page.locator("details.lane")).to_have_count(50)
    main = page.get_by_test_id("stMain")
    for scrolled in (0, 900):
        main.evaluate("(main, top) => main.scrollTo(0, top)", scrolled)
        changed = watched(page, 3_000)
        assert changed["activity"] > 0
        assert changed["shift"] < 0.01
        assert main.evaluate("main => main.scrollTop") == scrolled
    assert sum(_STYLE in frame for frame in frames) == 1, "what the page draws with comes once"
    assert page.locator("details.lane > summary").first.evaluate("head => getComputedStyle(head).display") == "grid"
    redraws = [len(frame) for frame in frames if b"-activity" in frame]
    assert len(redraws) > 2
    assert max(redraws) < 120_000  # heads alone: about one kilobyte for each researcher


def test_a_page_with_no_news_changes_nothing_but_its_clock_and_asks_nobody_but_its_own_server(
    still: Simulated, app: App, page: Page
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(app.run(still.id))
    lanes = page.locator("details.lane")
    expect(lanes).to_have_count(3)
    changed = watched(page, 3_000)
    assert (changed["activity"], changed["shift"]) == (0, 0)
    assert 0 < changed["run_head"] < 30
    assert len(asked) > 10
    assert [url for url in asked if not url.startswith((app.address, "data:", "blob:"))] == []
    _a_lane_stays_as_its_reader_left_it_when_its_researcher_ends(still, lanes)


def _a_lane_stays_as_its_reader_left_it_when_its_researcher_ends(still: Simulated, lanes: Locator) -> None:
    lanes.nth(1).locator("summary").first.click()
    for name in ("R1", "R2"):
        still.emit(TopicFinished(lane=name, reason="complete"))
    for lane, is_open in ((lanes.nth(0), True), (lanes.nth(1), False)):
        expect(lane).to_contain_text("Done")
        assert (lane.get_attribute("open") is not None) == is_open


def test_a_narrow_page_is_complete_while_its_sidebar_is_closed(still: Simulated, app: App, tab: Tab) -> None:
    page = tab(app.run(still.id), locale="ja-JP", width=390, height=844)
    expect(page.locator("details.lane .reading").first).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    widths = page.locator("details.lane").evaluate_all(
        "lanes => lanes.map((lane) => lane.scrollWidth - lane.clientWidth)"
    )
    assert widths == [0, 0, 0]
