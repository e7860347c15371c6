"""A plan is read and edited in a real browser, while the run that waits for it goes on in another process."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from research.analysts import PlanRequest
from research.core import Brief, Outline, PlanSettled, StopNow, TopicQueued
from research.engine import World
from research.language import Language
from research.settings import Settings
from research.sources import FoundPage, SearchRequest
from research.store import Runner, RunStore, utc_now
from tests.browser.conftest import App, Tab
from tests.support import sample_plans, sample_runs
from tests.support.machine import wait_until
from tests.support.scripted import MemorySource, ScriptedAnalyst, scripted_world


@dataclass
class _Gated(MemorySource):
    """Answers while its gate is open."""

    gate: threading.Event = field(default_factory=threading.Event)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        await asyncio.to_thread(self.gate.wait)
        return await super().search(request)


@pytest.fixture(scope="module")
def gate() -> threading.Event:
    """What the searches of the runs wait for."""
    gate = threading.Event()
    gate.set()
    return gate


@pytest.fixture
def shut(gate: threading.Event) -> Iterator[threading.Event]:
    """The gate, shut until the test opens it or is over."""
    gate.clear()
    yield gate
    gate.set()


@pytest.fixture(scope="module")
def runner(app: App, gate: threading.Event) -> Iterator[Runner]:
    """Carries out runs whose plans are those of `sample_plans`; their searches take a while."""

    def build(*_: Any, **__: Any) -> World:
        def outline(request: PlanRequest) -> Outline:
            return sample_plans.OUTLINES[request.brief.language]

        world = scripted_world(ScriptedAnalyst(on_outline=outline), _Gated(delay=0.5, gate=gate))
        return replace(world, now=utc_now)

    with Runner(RunStore(app.home), Settings(home=app.home), build=build) as runner:
        yield runner


Opened = tuple[Page, str]
Open = Callable[..., Opened]


@pytest.fixture
def open_(app: App, runner: Runner, tab: Tab) -> Open:
    """Start a run that is attended, and open its page when its plan is there."""

    def opened(language: Language = Language.EN, *, width: int = 1280) -> Opened:
        run = runner.start(sample_plans.brief(language), attended=True)
        page = tab(app.run(run), locale="ja-JP" if language is Language.JA else "en-GB", width=width)
        expect(page.locator(".proposal")).to_be_visible()
        return page, run

    return opened


@pytest.fixture
def home(app: App) -> Path:
    """Where the runs are stored."""
    return app.home


def editor(page: Page, button: str = "Edit") -> Page:
    """Open the editor."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator(".st-key-plan_editor textarea").first).to_be_visible()
    return page


def seconds_left(page: Page) -> int:
    return clock(page.locator(".countdown").inner_text())


def clock(text: str) -> int:
    """The seconds that a countdown shows."""
    minutes, seconds = re.findall(r"(\d+):(\d\d)", text)[0]
    return int(minutes) * 60 + int(seconds)


def events(home: Path, run: str, kind: type) -> list[Any]:
    store = RunStore(home)
    try:
        return [event for event in store.events(run) if isinstance(event, kind)]
    finally:
        store.close()


def researched(home: Path, run: str) -> list[str]:
    """The sections that are researched, once there are any."""
    wait_until(lambda: events(home, run, TopicQueued))
    return [event.title for event in events(home, run, TopicQueued)]


def test_a_plan_is_edited_and_the_run_follows_it(open_: Open, home: Path) -> None:
    page, run = open_()
    expect(page.locator(".proposal")).to_contain_text("What does the next refrigerant limit change?")
    editor(page)
    page.get_by_label("Title").first.fill("Units sold")
    page.get_by_label("Key questions, one per line").first.fill("How many?\nHow dear?")
    page.get_by_role("button", name="Remove").last.click()
    expect(page.get_by_label("Title")).to_have_count(3)
    page.get_by_role("button", name="Down").first.click()
    expect(page.get_by_label("Title").nth(1)).to_have_value("Units sold")
    page.get_by_role("button", name="Add a section").click()
    expect(page.get_by_label("Title")).to_have_count(4)
    page.get_by_label("Title").last.fill("Outlook")
    expect(page.get_by_role("heading", name="Research", exact=True)).to_have_count(1)
    page.get_by_role("button", name="Save and start").click()
    assert researched(home, run) == ["Policy and regulation", "Units sold", "Makers and their margins", "Outlook"]
    (settled,) = events(home, run, PlanSettled)
    assert settled.edited
    assert settled.outline.sections[1].questions == ("How many?", "How dear?")
    expect(page.locator(".proposal")).to_have_count(0)
    expect(page.locator(".st-key-plan_editor")).to_have_count(0)


def test_the_editor_stops_the_clock_keeps_what_is_typed_and_leads_back_to_the_plan(open_: Open, home: Path) -> None:
    page, run = open_()
    _the_clock_goes_down(page)
    editor(page)
    expect(page.locator(".countdown")).to_contain_text("Research waits for you")
    wait_until(lambda: seconds_left(page) > 600)
    _what_is_being_typed_stays_while_the_page_goes_on_asking(page)
    page.get_by_label("Title").first.fill("Something else")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".proposal")).to_contain_text("Size and growth")
    assert not events(home, run, PlanSettled)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.locator(".proposal")).to_have_count(0)


def _the_clock_goes_down(page: Page) -> None:
    page.evaluate(
        """() => {
          window.seen = []
          const find = (root) => root.querySelector(".countdown") ??
            [...root.querySelectorAll("*")].filter((e) => e.shadowRoot).map((e) => find(e.shadowRoot)).find(Boolean)
          setInterval(() => window.seen.push(find(document)?.innerText ?? ""), 50)
        }"""
    )
    page.wait_for_timeout(3_000)
    seen = page.evaluate("window.seen")
    missing = [text for text in seen if "Research begins by itself in" not in text]
    assert not missing, "it is there all the time"
    counted = [clock(text) for text in seen]
    assert all(before >= after for before, after in pairwise(counted)), "never back"
    assert counted[0] > counted[-1], "it goes down"


def _what_is_being_typed_stays_while_the_page_goes_on_asking(page: Page) -> None:
    asks = page.get_by_label("Key questions, one per line").first
    asks.click()
    asks.press("Control+End")
    for word in ("\nWhat ", "of ", "the ", "grid?"):
        asks.press_sequentially(word)
        page.wait_for_timeout(900)
    expect(asks).to_have_value(re.compile(r"\nWhat of the grid\?$"))
    expect(asks).to_be_focused()
    assert asks.evaluate("field => field.selectionStart === field.value.length")


def test_a_japanese_plan_is_edited_on_a_phone(open_: Open, home: Path) -> None:
    page, run = open_(Language.JA, width=390)
    expect(page.locator(".proposal")).to_contain_text("市場規模と成長")
    _fits(page)
    editor(page, "編集")
    _fits(page)
    page.get_by_label("章タイトル").first.fill("市場の規模")
    page.get_by_role("button", name="保存して調査を開始").click()
    assert researched(home, run)[0] == "市場の規模"


def test_the_parts_of_a_question_are_the_plan_where_none_is_made_and_nothing_waits_for_it(
    app: App, runner: Runner, shut: threading.Event, tab: Tab
) -> None:
    asked = "How high are inflation and exports of Japan?"
    run = runner.start(Brief(question=asked, preset="cost", language=Language.EN), attended=True)
    page = tab(app.run(run))
    expect(page.locator(".proposal .sections li")).to_have_text(["1inflation", "2exports"])
    home = app.home
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.locator(".st-key-plan_editor")).to_be_visible()
    researched(home, run)
    shut.set()
    runner.wait(run, timeout=60)
    expect(page.locator(".state.complete")).to_be_visible(timeout=20_000)  # the form stays when the run ends
    page.get_by_label("What is asked").nth(1).fill("population")
    page.get_by_role("button", name="Save and start").click()
    page.wait_for_url(lambda address: run not in address)
    expect(page.locator(".st-key-plan_editor")).to_have_count(0)
    store = RunStore(home)
    again = store.get(page.url.partition("id=")[2].partition("&")[0])
    assert again.question == f"{asked}\n- Japan: inflation\n- Japan: population"
    assert again.brief.preset == "cost"
    assert not store.steering(run), "what has ended is not stopped"
    store.close()


def test_a_run_under_way_is_stopped_when_it_begins_anew_with_another_plan(app: App, tab: Tab, home: Path) -> None:
    store = RunStore(home)
    run = sample_runs.researching(store, Language.EN)
    page = tab(app.run(run))
    editor_of_parts = page.locator(".st-key-plan_editor")
    expect(page.locator(".proposal .sections li").first).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(editor_of_parts).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(editor_of_parts).to_have_count(0)
    assert not store.steering(run)
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label("Add: what is asked").fill("subsidies")
    page.get_by_role("button", name="Save and start").click()
    page.wait_for_url(lambda address: run not in address)
    assert list(store.steering(run).values()) == [StopNow()]
    store.close()


def _fits(page: Page) -> None:
    page.wait_for_timeout(1_000)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
