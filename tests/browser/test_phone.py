"""An analyst's tasks on a telephone, 390 wide, with their steps counted: taps, strokes, what is typed."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

from bench.simulated import Simulated
from research.core import Status
from research.language import Language
from research.store import RunStore
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.steps import ended

_SCREEN = 600
"""Pixels that a stroke moves a page of 844."""
_FINGER = 44
"""Pixels that are hit without aiming."""
_MOST_STROKES = 12


@dataclass
class Phone:
    """A telephone that counts what is done with it."""

    page: Page
    steps: int = 0

    def see(self, what: Locator) -> None:
        """Stroke down until something is in sight."""
        expect(what).to_be_visible()
        for _ in range(_MOST_STROKES):
            box = what.bounding_box()
            assert box is not None
            if box["y"] >= 0 and box["y"] + min(box["height"], 48) <= 844:
                return
            self.page.mouse.move(195, 500)
            self.page.mouse.wheel(0, _SCREEN if box["y"] > 0 else -_SCREEN)
            self.page.wait_for_timeout(200)
            self.steps += 1
        raise AssertionError(f"{what} is further than {_MOST_STROKES} strokes away")

    def tap(self, what: Locator) -> None:
        """Bring something in sight, and tap it."""
        self.see(what)
        what.tap()
        self.steps += 1

    def type(self, words: str) -> None:
        """Type a line and send it."""
        self.page.keyboard.type(words)
        self.page.keyboard.press("Enter")
        self.steps += 1


def _reach(what: Locator) -> float:
    """Return the pixels up and down within which a finger hits it."""
    return what.evaluate(
        """what => {
          const { left, width, top, height } = what.getBoundingClientRect()
          const hits = (y) => what.contains(what.getRootNode().elementFromPoint(left + width / 2, y))
          let [above, below] = [top + height / 2, top + height / 2]
          while (hits(above - 1)) above--
          while (hits(below + 1)) below++
          return below - above + 1
        }"""
    )


def _on(tab: Tab, address: str) -> Phone:
    return Phone(tab(address, width=390, height=844, has_touch=True))


def _stored(app: App, status: Status | None = None) -> str:
    def make(store: RunStore) -> str:
        if status is None:
            return sample_runs.sales(store, Language.EN)
        return sample_runs.ended(store, Language.EN, status=status)

    return app.run(app.store(make))


def test_the_figure_behind_a_claim_is_found_and_the_board_gets_its_pdf(app: App, tab: Tab) -> None:
    phone = _on(tab, _stored(app))
    page = phone.page
    ended(page)
    _the_board_gets_its_pdf(phone)
    phone.steps = 0
    phone.tap(page.locator(".st-key-report .cite").first)
    for part in (".quiet", ".textual"):
        assert _reach(page.locator(f".card {part}").first) >= _FINGER
    phone.tap(page.locator(".card").get_by_role("button", name="Show in the page").first)
    expect(page.get_by_role("dialog").locator("mark.focus")).to_be_in_viewport()
    assert phone.steps == 3


def _the_board_gets_its_pdf(phone: Phone) -> None:
    page = phone.page
    with page.expect_download() as download:
        phone.tap(page.get_by_role("button", name="Download", exact=True))
        phone.tap(page.get_by_role("button", name="PDF", exact=True))
    assert download.value.suggested_filename.endswith(".pdf")
    assert phone.steps == 2
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="PDF", exact=True)).to_be_hidden()


def test_why_a_run_stopped_is_read_without_a_step(app: App, tab: Tab) -> None:
    phone = _on(tab, _stored(app, Status.PARTIAL))
    expect(phone.page.get_by_role("alert").filter(has_text="This report is incomplete")).to_be_in_viewport()
    assert phone.steps == 0


def test_a_question_is_added_midway(app: App, tab: Tab, live: Simulated) -> None:
    phone = _on(tab, app.run(live.id))
    phone.tap(phone.page.get_by_label("Add a question"))
    phone.type("What do dealers pay?")
    expect(phone.page.locator(".asked-of")).to_contain_text("What do dealers pay?")
    assert phone.steps == 2


def test_two_presets_are_compared(app: App, tab: Tab) -> None:
    phone = _on(tab, f"{app.address}/compare")
    page = phone.page
    phone.tap(page.get_by_label("Question", exact=True))
    phone.type("How old is Asanagi Pump Industries?")
    for name in ("Speed", "Low cost"):
        phone.tap(page.get_by_role("button", name=name, exact=True))
    expect(page.get_by_text("Speed · Chained and Low cost · Chained")).to_be_visible()
    phone.tap(page.get_by_role("button", name="Start comparison"))
    expect(page.locator(".compared th[scope=col]")).to_have_count(3)
    assert phone.steps == 5


def test_past_runs_are_laid_side_by_side(app: App, tab: Tab) -> None:
    for _ in range(2):
        _stored(app)
    phone = _on(tab, f"{app.address}/compare")
    page = phone.page
    runs = page.locator(".st-key-compare_offered").get_by_role("checkbox")
    for place in range(2):
        phone.tap(runs.nth(place).locator("xpath=ancestor::label"))
        expect(runs.nth(place)).to_be_checked()
    phone.tap(page.get_by_role("button", name="Compare", exact=True))
    expect(page.locator(".compared").first).to_be_visible()


def test_the_navigation_does_not_lie_over_the_run_that_it_led_to(app: App, tab: Tab) -> None:
    _stored(app)
    phone = _on(tab, app.address)
    page = phone.page
    phone.tap(page.get_by_role("button", name="Expand sidebar"))
    phone.tap(page.locator(".st-key-recent a").first)
    ended(page)
    expect(page.locator("[data-testid=stSidebar]")).not_to_be_in_viewport()
    assert phone.steps == 2


def test_the_form_is_made_for_fingers_and_read_whole(app: App, tab: Tab) -> None:
    phone = _on(tab, app.address)
    _no_keys_are_named_where_fingers_write(phone)
    field = phone.page.get_by_label("Question", exact=True)
    field.fill("How have the sales of the house grown in each of its markets since it was founded? " * 3)
    assert field.evaluate("field => field.scrollHeight - field.clientHeight") <= 1
    phone.page.locator(".st-key-more_open summary").tap()
    _whatever_is_filled_in_or_pressed_is_as_high_as_a_finger_is_broad(phone.page)
    _what_the_preset_sets_is_read_whole(phone.page)
    phone.page.goto(f"{app.address}/?lang=ja")
    expect(phone.page.get_by_label("質問", exact=True)).to_be_visible()
    phone.page.locator(".st-key-more_open summary").tap()
    _what_the_preset_sets_is_read_whole(phone.page)


def _no_keys_are_named_where_fingers_write(phone: Phone) -> None:
    phone.tap(phone.page.get_by_label("Question", exact=True))
    phone.type("How old")
    hint = phone.page.get_by_test_id("InputInstructions")
    expect(hint).to_have_count(1)
    expect(hint).to_be_hidden()
    expect(phone.page.locator(".st-key-start kbd")).to_be_hidden()


def _whatever_is_filled_in_or_pressed_is_as_high_as_a_finger_is_broad(page: Page) -> None:
    expect(page.get_by_role("spinbutton", name="Cost at most, USD")).to_be_visible()
    low = page.locator("[data-testid=stMain]").evaluate(
        """(main, finger) => [...main.querySelectorAll(
          "button[data-testid^=stBaseButton], [data-testid=stExpander] summary, .react-aria-ComboBox > [role=group], " +
          "[data-testid=stNumberInputContainer], [data-testid=stDateInputField], textarea"
        )].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < finger)
          .map((one) => one.outerHTML.slice(0, 200))""",
        _FINGER,
    )
    assert low == []


def _what_the_preset_sets_is_read_whole(page: Page) -> None:
    for name in ("form", "length", "summary", "tone"):
        field = page.locator(f".st-key-brief_{name} input")
        expect(field).to_be_visible()
        assert field.evaluate("field => field.scrollWidth <= field.clientWidth"), field.input_value()


def test_a_page_opens_at_its_head_however_far_the_one_before_was_scrolled(app: App, tab: Tab) -> None:
    for _ in range(6):
        _stored(app)
    page = _on(tab, f"{app.address}/runs").page
    last = page.locator(".menu-opener").nth(5)
    last.scroll_into_view_if_needed()
    assert page.locator("[data-testid=stMain]").evaluate("main => main.scrollTop") > 0
    last.tap()
    page.locator(".card [data-send^='change:']").tap()
    expect(page.get_by_role("heading", name="New research")).to_be_in_viewport()
