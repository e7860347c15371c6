"""Steering a run while it is under way, in a real browser: by this process, by another, in two tabs, among many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bench.simulated import Simulated, running
from research.core import ResearchFinished
from tests.browser.conftest import App, Tab

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
