"""The page of a run under way, in a real browser: what it is sent, what it leaves as it was, where nothing jumps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from bench.simulated import Simulated, running
from research.core import PlanSettled, ResearchFinished, StopNow, TopicFinished
from research.language import Language
from research.store import RunStore
from tests.browser.conftest import App, Tab
from tests.support import sample_plans, seen_pages
from tests.support.steps import ended, start_slow_run
from tests.support.stored_runs import append

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
    """A run of eight researchers who find something ten times a second."""
    with running(app.home, 8, sources=4) as run:
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
    expect(page.locator("details.lane")).to_have_count(8)
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
    assert max(redraws) < 120_000


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
    asked = [page.get_by_role("button", name=name, exact=True) for name in ("中止して編集", "切り上げる", "中止")]
    boxes = [button.bounding_box() for button in asked]
    assert len({(box["y"], box["height"]) for box in boxes if box}) == 1, "buttons alike, in one row"
    borders = {button.evaluate("one => getComputedStyle(one).borderTopColor") for button in asked}
    assert len(borders) == 1
    widths = page.locator("details.lane").evaluate_all(
        "lanes => lanes.map((lane) => lane.scrollWidth - lane.clientWidth)"
    )
    assert widths == [0, 0, 0]


# --- a run under way in a real browser -------------------------------------------------------------------------------


def test_what_arrives_and_what_is_opened_stays_in_two_tabs_until_one_of_them_ends_the_run(
    slow_app: App, tab: Tab
) -> None:
    first = tab(slow_app.address)
    run = start_slow_run(first)
    expect(first.locator(".supervisor .thought").first).to_be_visible()
    expect(first.locator(".lane.running").first).to_be_visible()
    _what_the_reader_closed_stays_closed(first, first.locator("details.lane").first)
    _a_source_opens_and_stays_open(first)
    before = first.locator(".reading").count()
    first.reload()
    expect(first.locator(".reading:visible").first).to_be_visible()
    assert first.locator(".reading").count() >= before
    second = tab(first.url)
    expect(second.locator(".reading:visible").first).to_be_visible()

    first.get_by_label("Add a question").fill("What do dealers pay?")
    first.get_by_role("button", name="Add", exact=True).click()
    for page in (first, second):
        expect(page.locator(".asked-of")).to_contain_text("What do dealers pay?")
    second.get_by_role("button", name="Finish now").click()
    for page in (first, second):
        ended(page)
        expect(page.get_by_text("The research was finished early at the user's request.").first).to_be_visible()
    expect(first.get_by_role("heading", level=1)).to_be_focused()  # The button that was pressed there is gone.
    assert slow_app.state(run) in ("complete", "partial")


def _what_the_reader_closed_stays_closed(page: Page, lane: Locator) -> None:
    lane.locator("summary").first.click()
    expect(lane).not_to_have_attribute("open", "")
    _redrawn(page)
    expect(lane).not_to_have_attribute("open", "")
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    lane.locator("summary").first.click()
    expect(lane).to_have_attribute("open", "")


def _a_source_opens_and_stays_open(page: Page) -> None:
    page.locator(".reading:visible .title").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer).to_contain_text("The tea market of Japan grew")
    _redrawn(page)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def _redrawn(page: Page) -> None:
    """Wait until the page was drawn again: its clock went on. Not for long, since a search is given up after 30 s."""
    clock = page.locator(".run-head")
    told = clock.inner_text()
    expect(clock).not_to_have_text(re.compile(f"^{re.escape(told)}$"))


# --- steering a run while it is under way, in a real browser ---------------------------------------------------------


QUESTION = "What do dealers pay?"


@pytest.fixture(scope="module")
def home(slow_app: App) -> Path:
    return slow_app.home


@pytest.fixture(scope="module")
def address(slow_app: App) -> str:
    return slow_app.address


@pytest.fixture
def few(home: Path, address: str) -> Iterator[Simulated]:
    """A run of another process with three researchers."""
    with running(home, 3) as run:
        yield run


@pytest.fixture
def many(home: Path, address: str) -> Iterator[Simulated]:
    """A run of another process with fifty researchers."""
    with running(home, 50, sources=4) as run:
        yield run


def test_a_topic_is_dropped_by_keyboard_and_both_tabs_of_another_process_show_it(
    few: Simulated, address: str, tab: Tab
) -> None:
    first, second = (tab(f"{address}/run?id={few.id}") for _ in range(2))
    button = first.locator("details.lane").nth(1).locator(".lane-tools .steer")
    button.focus()
    place = button.bounding_box()
    first.keyboard.press("Enter")
    card = first.locator(".st-key-activity .card")
    expect(card).to_be_focused()
    first.keyboard.press("Escape")
    expect(button).to_be_focused()
    assert button.bounding_box() == place
    first.keyboard.press("Enter")
    expect(card).to_contain_text("Drop this topic?")
    first.keyboard.press("Tab")
    first.keyboard.press("Tab")
    first.keyboard.press("Enter")
    for page in (first, second):
        expect(page.locator("details.lane").nth(1)).to_have_class(re.compile("dropped"))
        expect(page.locator(".asked-of")).to_contain_text("topic dropped")


def test_who_would_change_what_is_asked_ends_the_run_and_finds_it_in_the_form(
    live: Simulated, app: App, tab: Tab
) -> None:
    page = tab(app.run(live.id))
    asked = page.get_by_role("heading", level=1).inner_text()
    page.get_by_role("button", name="Stop and edit").click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value(asked)
    store = RunStore(app.home)
    assert list(store.steering(live.id).values()) == [StopNow()]
    store.close()


def test_what_is_typed_and_the_place_in_the_page_are_kept_while_it_updates(
    few: Simulated, address: str, tab: Tab
) -> None:
    page = tab(f"{address}/run?id={few.id}")
    typed = page.get_by_label("Add a question")
    typed.press_sequentially(QUESTION, delay=150)  # longer than several redraws
    expect(typed).to_have_value(QUESTION)
    expect(typed).to_be_focused()
    page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 300)")
    page.wait_for_timeout(2_500)
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") == pytest.approx(300, abs=60)
    few.emit(ResearchFinished(reason="complete"))
    expect(typed).to_be_disabled()
    expect(typed).to_have_value(QUESTION)


def test_fifty_researchers_are_heads_that_open_and_their_calls_a_line_of_time(
    many: Simulated, address: str, tab: Tab
) -> None:
    page = tab(f"{address}/run?id={many.id}")
    expect(page.get_by_text("50 researching")).to_be_visible()
    lanes = page.locator("details.lane")
    expect(lanes).to_have_count(50)
    expect(page.locator(".reading")).to_have_count(0)
    head = lanes.nth(2).locator("summary").first
    head.focus()
    page.keyboard.press("Enter")
    expect(lanes.nth(2).locator(".reading").first).to_be_visible()
    page.wait_for_timeout(1_500)
    expect(head).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".reading")).to_have_count(0)
    lanes.evaluate_all("lanes => lanes.slice(0, 2).forEach((lane) => lane.querySelector('summary').click())")
    expect(page.locator("details.lane[open]")).to_have_count(2)
    page.locator("[class*=st-key-timeline_] summary").click()
    expect(page.locator(".js-plotly-plot .ytick").nth(50)).to_be_attached()
    expect(page.locator(".calls")).to_contain_text("Model: summaries")


class Held:
    """Holds back what the server draws, so that a page goes on as it was: what is pressed and asked for arrives."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._way: WebSocketRoute | None = None
        self._kept: list[str | bytes] | None = None
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, way: WebSocketRoute) -> None:
        server, self._way = way.connect_to_server(), way
        way.on_message(server.send)
        server.on_message(lambda message: way.send(message) if self._kept is None else self._kept.append(message))

    def begin(self) -> None:
        """Hold back from now on."""
        self._kept = []

    def until(self, words: bytes) -> None:
        """Wait until the server has drawn something."""
        while not any(words in message for message in self._kept or () if isinstance(message, bytes)):
            self._page.wait_for_timeout(100)

    def end(self) -> None:
        """Let the page see all that was drawn."""
        kept, self._kept = self._kept or [], None
        for message in kept:
            if self._way is not None:
                self._way.send(message)


@pytest.mark.parametrize("button", ["Stop and edit", "Edit"])
def test_who_presses_in_the_instant_in_which_a_run_ends_is_led_to_the_form(app: App, page: Page, button: str) -> None:
    held, store = Held(page), RunStore(app.home)
    run = sample_plans.waiting(store, Language.EN, seconds=3_600)
    page.goto(app.run(run))
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()
    held.begin()
    seen_pages.end(store, run, cited={})
    store.close()
    held.until(b"Edit and run again")
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_timeout(500)
    held.end()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value(sample_plans.QUESTIONS[Language.EN])


def test_who_presses_in_the_instant_in_which_research_begins_is_told_so(app: App, page: Page) -> None:
    held, store = Held(page), RunStore(app.home)
    run = sample_plans.waiting(store, Language.EN, seconds=3_600)
    page.goto(app.run(run))
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    held.begin()
    append(store, run, PlanSettled(outline=sample_plans.OUTLINES[Language.EN], edited=False))
    held.until(b"plan_pressed_late")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.wait_for_timeout(500)
    held.end()
    expect(page.get_by_text("Research began before the plan was opened.")).to_be_visible()
    expect(page.locator(".st-key-plan_editor")).to_have_count(0)
    app.stop(run)
    store.close()
