"""The workbench without a mouse and without sight: axe-core on every page, and an analyst's tasks by keyboard."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from bench.simulated import Simulated
from research.core import Status
from research.language import Language
from research.store import RunStore, Task, add_schedule
from tests.browser.conftest import App, Tab
from tests.support import sample_runs
from tests.support.steps import ended

_STOPS = 120
"""Presses of the tabulator within which everything on a page is reached."""


def stored(app: App, language: Language) -> tuple[str, ...]:
    """Store runs and a schedule, and return the addresses of what shows them."""

    def make(store: RunStore) -> str:
        sales = sample_runs.sales(store, language)
        add_schedule(store, "every monday 08:00", store.get(sales).brief, Task(), zone="Asia/Tokyo", analyst="chat")
        return f"{sales},{sample_runs.ended(store, language, status=Status.PARTIAL)}"

    pair = app.store(make)
    return (*(f"run?id={run}" for run in pair.split(",")), f"compare?runs={pair}")


_NOT_OURS = {".stToast": "Streamlit names the element that names a notice, and leaves it out"}
"""Streamlit's own markup that cannot be mended from here, and what is wrong with it."""


def findings(page: Page, within: str = "") -> list[str]:
    """Return all but the minor findings of axe-core on what is shown; a level of headings that is skipped counts.

    Only what lies `within` is looked at, where the rest is as it was.
    """
    context = {"exclude": [[one] for one in _NOT_OURS]} | ({"include": [[within]]} if within else {})
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(
        "(context) => axe.run(context, { resultTypes: ['violations'] }).then((found) => found.violations)", context
    )
    return [
        f"{one['id']}: {node['target']} {node['html'][:200]}"
        for one in found
        if one["impact"] in ("moderate", "serious", "critical")
        for node in one["nodes"]
    ]


def drawn(page: Page) -> None:
    """Wait until the script of the page has come to its end, and what it says has been drawn."""
    page.wait_for_timeout(300)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()
    page.wait_for_timeout(200)


_LOOKS: dict[Language, dict[str, object]] = {
    Language.EN: {"color_scheme": "light"},
    Language.JA: {"color_scheme": "dark", "locale": "ja-JP", "width": 390, "height": 844},
}
_ALIKE = ("batch", "compare", "experiments", "sources", "schedules")
"""Pages of the same parts as the others: they are looked at in one look alone."""


@pytest.mark.parametrize("language", Language)
def test_axe_finds_nothing_but_trifles_on_any_page(app: App, tab: Tab, live: Simulated, language: Language) -> None:
    runs = (f"run?id={live.id}", *stored(app, language))
    found: dict[str, list[str]] = {}
    page = tab(app.address, **_LOOKS[language])
    for address in (*runs, "", "runs", "settings", *(_ALIKE if language is Language.EN else ())):
        page.goto(f"{app.address}/{address}")
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        drawn(page)
        found[address] = findings(page)
        tabs = page.get_by_role("tab")
        for place in range(1, tabs.count()):
            tabs.nth(place).dispatch_event("click")
            drawn(page)
            found[f"{address} {place}"] = findings(page, "[role=tabpanel]")
    page.goto(f"{app.address}/{runs[1]}")
    page.locator(".st-key-report .cite").first.click()
    found["card"] = findings(page)
    page.locator(".st-key-report .card [data-send^='quote:']").first.click()
    expect(page.locator("[role=dialog] mark").first).to_be_visible()
    found["drawer"] = findings(page)
    assert {place: said for place, said in found.items() if said} == {}


@dataclass
class Keyboard:
    """A keyboard that counts its strokes; what is typed into a field counts as one."""

    page: Page
    strokes: int = 0

    def strike(self, *keys: str) -> None:
        """Strike keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)
        self.strokes += len(keys)

    def skip(self, first: Locator) -> None:
        """Go past the navigation, by the first link of the page, once what comes behind it is there."""
        expect(first).to_be_visible()
        self.press(self.page.get_by_role("link", name="Skip to main content"))

    def reach(self, target: Locator) -> None:
        """Strike the tabulator until something has the focus."""
        for _ in range(_STOPS):
            self.strike("Tab")
            if target.count() and target.first.evaluate("node => node.getRootNode().activeElement === node"):
                return
        raise AssertionError(f"The keyboard does not come to {target}.")

    def press(self, target: Locator) -> None:
        """Go to a button, and press it."""
        self.reach(target)
        self.strike("Enter")

    def type(self, words: str) -> None:
        """Type into the field that has the focus."""
        self.page.keyboard.type(words)
        self.strokes += 1


_UNSEEN = """() => {
  let focused = document.activeElement
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  if (focused === document.body) return
  const [box, root] = [focused.getBoundingClientRect(), focused.getRootNode()]
  const middle = (low, high, most) => (Math.max(low, 0) + Math.min(high, most)) / 2
  const there = root.elementFromPoint(middle(box.left, box.right, innerWidth), middle(box.top, box.bottom, innerHeight))
  const around = focused.closest("label") ?? focused
  const isSeen = there && (around.contains(there) || there.contains(focused))
  return isSeen ? "" : focused.outerHTML.slice(0, 200)
}"""
"""What has the focus, if it is out of sight or lies under something; nothing where the keyboard leaves the page."""


def test_what_has_the_focus_is_seen(app: App, tab: Tab) -> None:
    """On the form of a telephone, over which a bar lies, and on the widest page."""
    report = app.run(app.store(lambda store: sample_runs.sales(store, Language.EN)))
    for address, width in ((app.address, 390), (report, 1280)):
        page = tab(address, width=width, height=844)
        drawn(page)
        for key in ("Tab", "Shift+Tab"):
            for _ in range(_STOPS):
                page.keyboard.press(key)
                page.wait_for_timeout(30)
                unseen = page.evaluate(_UNSEEN)
                assert not unseen, f"{key} on {address}"
                if unseen is None:
                    break


def test_from_the_question_its_research_starts_at_one_stroke(app: App, tab: Tab) -> None:
    page = tab(app.address)
    keyboard = Keyboard(page)
    question = page.get_by_label("Question", exact=True)
    expect(page.locator(".st-key-brief")).to_be_visible()  # The button is drawn above it, after the question.
    keyboard.skip(question)
    keyboard.reach(question)
    keyboard.type("How old is Asanagi Pump Industries?")
    keyboard.strike("Control+Enter")
    expect(page.get_by_role("heading", level=1, name="How old is Asanagi Pump Industries?")).to_be_visible()
    assert keyboard.strokes <= 7
    ended(page)


def _an_open_menu_does_not_lie_over_what_comes_behind_it(keyboard: Keyboard) -> None:
    page = keyboard.page
    keyboard.reach(page.get_by_role("button", name="RIS", exact=True))
    keyboard.reach(page.get_by_role("tab", name="Report"))
    expect(page.get_by_role("button", name="RIS", exact=True)).to_be_hidden()
    expect(page.get_by_role("tab", name="Report")).to_be_focused()


def _a_card_opens_for_what_was_moved_out_of_sight(page: Page) -> None:
    cite = page.locator(".st-key-report .cite").first
    cite.focus()
    page.locator("[data-testid=stMain]").evaluate(
        "main => Object.assign(main.lastElementChild.style, { paddingBottom: '2000px' }) && main.scrollTo(0, 1800)"
    )
    expect(cite).not_to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-report .card")).to_be_in_viewport()


def test_the_board_gets_its_pdf_and_the_menu_closes_behind_it(app: App, tab: Tab) -> None:
    page = tab(app.run(app.store(lambda store: sample_runs.sales(store, Language.EN))))
    keyboard = Keyboard(page)
    keyboard.skip(page.get_by_role("button", name="Download", exact=True))
    ended(page)
    with page.expect_download() as download:
        keyboard.press(page.get_by_role("button", name="Download", exact=True))
        expect(page.get_by_role("button", name="PDF", exact=True)).to_be_visible()
        keyboard.press(page.get_by_role("button", name="PDF", exact=True))
    assert download.value.suggested_filename.endswith(".pdf")
    assert keyboard.strokes <= 10
    expect(page.get_by_role("button", name="PDF", exact=True)).to_be_focused()
    _an_open_menu_does_not_lie_over_what_comes_behind_it(keyboard)


def test_the_figure_behind_a_claim_is_found_wherever_its_mark_stands(app: App, tab: Tab) -> None:
    page = tab(app.run(app.store(lambda store: sample_runs.sales(store, Language.EN))))
    keyboard = Keyboard(page)
    keyboard.skip(page.locator(".st-key-report .cite").first)
    ended(page)
    cite, drawer = page.locator(".st-key-report .cite").first, page.get_by_role("dialog")
    keyboard.press(cite)
    keyboard.press(page.locator(".st-key-report .card").get_by_role("button", name="Show in the page").first)
    mark = drawer.locator("mark.focus")
    first = mark.inner_text()
    assert keyboard.strokes <= 16
    expect(drawer.locator(".snapshot-ways")).to_contain_text("Quote 1 of ")
    keyboard.press(drawer.get_by_role("button", name="Next quote"))
    expect(drawer.locator(".snapshot-ways")).to_contain_text("Quote 2 of ")
    expect(mark).not_to_have_text(first)
    expect(mark).to_be_in_viewport()
    keyboard.press(drawer.get_by_role("button", name="Previous quote"))
    expect(mark).to_have_text(first)
    expect(mark).to_be_in_viewport()
    keyboard.strike("Escape")
    expect(cite).to_be_focused()
    _a_card_opens_for_what_was_moved_out_of_sight(page)


def test_why_a_run_stopped_stands_over_its_report_and_the_keyboard_leads_to_how_it_was_done(app: App, tab: Tab) -> None:
    page = tab(app.run(app.store(lambda store: sample_runs.ended(store, Language.EN, status=Status.PARTIAL))))
    keyboard = Keyboard(page)
    keyboard.skip(page.get_by_role("tab", name="Report"))
    expect(page.get_by_role("alert").filter(has_text="This report is incomplete")).to_be_in_viewport()
    keyboard.reach(page.get_by_role("tab", name="Report"))
    keyboard.strike("End", "Enter")
    expect(page.get_by_role("heading", name="The brief")).to_be_visible()
    keyboard.press(page.locator("details.lane > summary").first)
    expect(page.locator("details.lane .searches").first).to_be_visible()
    assert keyboard.strokes <= 15


def test_a_question_is_added_midway(app: App, tab: Tab, live: Simulated) -> None:
    page = tab(app.run(live.id))
    keyboard = Keyboard(page)
    keyboard.skip(page.get_by_label("Add a question"))
    keyboard.reach(page.get_by_label("Add a question"))
    keyboard.type("What do dealers pay?")
    keyboard.strike("Enter")
    expect(page.locator(".asked-of")).to_contain_text("What do dealers pay?")
    assert keyboard.strokes <= 9


def test_two_presets_are_compared(app: App, tab: Tab) -> None:
    page = tab(f"{app.address}/compare")
    keyboard = Keyboard(page)
    keyboard.skip(page.get_by_label("Question", exact=True))
    keyboard.reach(page.get_by_label("Question", exact=True))
    keyboard.type("How old is Asanagi Pump Industries?")
    keyboard.reach(page.get_by_role("button", name="Speed", exact=True))
    keyboard.strike("Enter", "ArrowRight", "Enter")
    expect(page.get_by_text("Speed · Chained and Low cost · Chained")).to_be_visible()
    keyboard.press(page.get_by_role("button", name="Start comparison"))
    expect(page.locator(".compared th[scope=col]")).to_have_count(3)
    assert keyboard.strokes <= 15
