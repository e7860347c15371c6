"""The real app in a real browser: fill, run, watch, reload, a second tab, finish, stop, download."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bench.loopback import Latencies, Loopback
from research.language import Language
from research.runs.store import RunStore
from tests.browser import sample_runs
from tests.browser.conftest import App, Tab
from tests.browser.serving import PATIENCE, workbench


def ask(page: Page, question: str) -> None:
    page.get_by_label("Question", exact=True).fill(question)


def start(page: Page) -> str:
    """Start the research and return the id of the run."""
    page.get_by_role("button", name=re.compile("Start research|調査を開始")).click()
    page.wait_for_url(re.compile(r"/run\?.*id="), timeout=PATIENCE)
    return re.findall(r"[?&]id=([^&]+)", page.url)[0]


def start_slow_run(page: Page) -> str:
    """Start a run on the slow web, and wait until its first source is there."""
    ask(page, "How does the tea market of Japan grow?")
    run = start(page)
    expect(page.locator(".reading").first).to_be_visible()
    return run


def ended(page: Page) -> None:
    """Wait until the page has turned to the report."""
    expect(page.get_by_role("tab", name=re.compile("^(Report|レポート)$"))).to_be_visible()


def test_a_newcomer_gets_a_cited_report_and_takes_it_along(app: App, tab: Tab) -> None:
    page = tab(app.address)
    expect(page.get_by_text("No model is set up")).to_be_visible()
    page.locator(".sample").first.click()
    expect(page.get_by_label("Question", exact=True)).not_to_have_value("")
    run = start(page)
    ended(page)
    expect(page.get_by_text("Composed by rule of verbatim quotes")).to_be_visible()
    expect(page.locator(".cite").nth(7)).to_be_attached()
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Markdown", exact=True).click()
    assert re.fullmatch(rf"{run}-.+\.md", download.value.suggested_filename)
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("---\ntitle: ")
    assert "[1]" in text


def test_a_citation_opens_its_quote_by_mouse_and_by_keyboard(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run))
    ended(page)
    card, cite = page.locator(".st-key-report .card"), page.locator(".cite").first
    cite.hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text("renewables supplied 22.9 per cent")
    page.mouse.move(5, 5)
    expect(card).to_be_hidden()
    cite.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card.get_by_role("link", name="Open the source")).to_have_attribute(
        "href", "https://www.example.org/energy/white-paper-2025"
    )
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(cite).to_be_focused()
    cite.click()
    card.get_by_role("button", name="Show in the page").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_contain_text("renewables supplied 22.9 per cent")
    expect(drawer.locator("mark.focus")).to_be_in_viewport()


@pytest.fixture
def sales(app: App) -> str:
    """Address of a run with figures, a contradiction, and sentences that need checking."""
    return _stored_sales(app, Language.EN)


def _stored_sales(app: App, language: Language) -> str:
    return app.run(app.store(lambda store: sample_runs.sales(store, language)))


def test_a_badge_says_what_stands_behind_its_sentence_and_shows_it_in_the_page(sales: str, tab: Tab) -> None:
    page = tab(sales)
    ended(page)
    expect(page.get_by_text("3 sentences, checked against the stored page, by rules")).to_be_visible()
    card, badge = page.locator(".st-key-report .card"), page.locator(".verdict.unsupported")
    badge.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card).to_contain_text("Not supported")
    expect(card.locator(".found .missing")).to_contain_text("931 million yen")
    page.keyboard.press("Escape")
    expect(badge).to_be_focused()
    badge.click()
    card.get_by_role("button", name="Show in the page").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_have_text("Sales in Vietnam were 391 million yen in fiscal 2025.")


def test_the_filter_leaves_what_needs_checking(sales: str, tab: Tab) -> None:
    page = tab(sales)
    ended(page)
    report = page.locator(".st-key-report .report")
    expect(report.locator(".verdict")).to_have_count(3)
    page.get_by_text("Show only what needs checking (2 sentences)").click()
    expect(report).to_have_class("report to-check")
    expect(report.locator(".said").first).to_be_visible()
    expect(report.get_by_role("heading", name="Outlook")).to_be_visible()
    page.get_by_text("Show only what needs checking (2 sentences)").click()
    expect(report).to_have_class("report")


def test_figures_are_filtered_drawn_and_taken_along(sales: str, tab: Tab) -> None:
    page = tab(sales)
    ended(page)
    expect(page.get_by_test_id("stDataFrame")).to_have_count(0)
    page.get_by_role("tab", name="Figures").click()
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(page.get_by_text("5 figures", exact=True)).to_be_visible()
    page.get_by_test_id("stDataFrame").hover()
    expect(page.get_by_role("button", name=re.compile("Search"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Download as CSV"))).to_have_count(0)
    expect(page.locator(".js-plotly-plot .legendtext")).to_have_text(["Annual report", "Market notes"])
    page.get_by_label("Measure").fill("nothing of the kind")
    page.keyboard.press("Enter")
    expect(page.get_by_text("0 figures", exact=True)).to_be_visible()
    page.get_by_label("Measure").fill("sales vietnam")
    page.keyboard.press("Enter")
    expect(page.get_by_text("5 figures", exact=True)).to_be_visible()
    for name, begins in (("CSV", b"\xef\xbb\xbfSubject,Measure"), ("Excel", b"PK")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Download {name}").click()
        assert Path(download.value.path()).read_bytes().startswith(begins)


def test_a_row_of_figures_leads_to_its_place_in_the_page(sales: str, tab: Tab) -> None:
    page = tab(sales)
    ended(page)
    page.get_by_role("tab", name="Figures").click()
    page.get_by_test_id("stDataFrame").locator(".dvn-scroller").click(position={"x": 16, "y": 52})
    chosen = page.locator(".st-key-figure_quote .chosen")
    expect(chosen).to_contain_text("Sales in Vietnam were 293 million yen in fiscal 2024.")
    chosen.get_by_role("button", name="Show in the page").click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer.locator("mark.focus")).to_contain_text("293 million yen")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(page.get_by_role("tab", name="Figures")).to_have_attribute("aria-selected", "true")


def test_contradictions_stand_side_by_side_and_below_each_other_on_a_phone(sales: str, tab: Tab) -> None:
    for width, side_by_side in ((1280, True), (390, False)):
        page = tab(sales, width=width)
        ended(page)
        page.get_by_role("tab", name="Contradictions (1)").click()
        sides = page.locator(".contradiction .side")
        expect(sides).to_have_count(2)
        expect(sides.first).to_be_visible()
        boxes = [sides.nth(place).bounding_box() for place in (0, 1)]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert (boxes[0]["y"] == boxes[1]["y"]) is side_by_side
        if not side_by_side:
            _fits(page)
        sides.first.get_by_role("button", name="Show in the page").click()
        drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
        expect(drawer.locator("mark.focus")).to_be_visible()


def test_figures_verdicts_and_contradictions_speak_japanese(app: App, tab: Tab) -> None:
    page = tab(_stored_sales(app, Language.JA), locale="ja-JP")
    ended(page)
    expect(page.get_by_text("3文を、保存したページと規則により照合")).to_be_visible()
    page.get_by_role("tab", name="食い違い（1件）").click()
    expect(page.locator(".contradiction .side")).to_have_count(2)
    page.get_by_role("tab", name="数値").click()
    expect(page.get_by_text("数値 5件", exact=True)).to_be_visible()


def test_a_run_from_before_verdicts_still_opens(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN, checked=False))
    page = tab(app.run(run))
    ended(page)
    expect(page.get_by_text("The sentences of this run were not held against their pages")).to_be_visible()
    expect(page.locator(".cite").first).to_be_visible()
    expect(page.locator(".verdict")).to_have_count(0)


def test_page_text_is_shown_as_text(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run))
    said: list[str] = []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    ended(page)
    page.get_by_role("tab", name="Sources (4)").click()
    listed = page.locator(".st-key-sources")
    expect(listed.get_by_text("Spot prices settle as fuel costs ease <b>again</b>")).to_be_visible()
    listed.get_by_role("button", name="Show the page as it was read").nth(2).click()
    expect(page.get_by_text("<script>alert('never')</script>")).to_be_visible()
    assert said == []


def test_reflections_and_sources_arrive_and_a_reload_or_a_second_tab_shows_the_same_run(
    slow_app: App, tab: Tab
) -> None:
    page = tab(slow_app.address)
    run = start_slow_run(page)
    expect(page.locator(".supervisor .thought").first).to_be_visible()
    expect(page.locator(".lane.running").first).to_be_visible()
    before = page.locator(".reading").count()
    page.reload()
    expect(page.locator(".reading").first).to_be_visible()
    assert page.locator(".reading").count() >= before
    second = tab(page.url)
    expect(second.locator(".reading").first).to_be_visible()
    page.close()
    second.get_by_role("button", name="Finish now").click()
    ended(second)
    assert slow_app.state(run) in ("complete", "partial")


def test_what_the_reader_opened_stays_open_while_the_page_updates(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    start_slow_run(page)
    lane = page.locator("details.lane").first
    lane.locator("summary").first.click()
    expect(lane).not_to_have_attribute("open", "")
    page.wait_for_timeout(2_500)
    expect(lane).not_to_have_attribute("open", "")
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    page.get_by_role("button", name="Stop").click()
    ended(page)


def test_a_source_opens_while_the_run_goes_on_and_stays_open(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    start_slow_run(page)
    page.locator(".reading .title").first.click()
    drawer = page.get_by_role("dialog").filter(has_text="The page as it was read")
    expect(drawer).to_contain_text("The tea market of Japan grew")
    page.wait_for_timeout(2_500)
    expect(drawer).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.wait_for_timeout(1_500)
    expect(drawer).to_be_hidden()
    page.get_by_role("button", name="Stop").click()
    ended(page)


def test_stop_ends_the_run_at_once_and_keeps_what_was_found(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    run = start_slow_run(page)
    page.get_by_role("button", name="Stop").click()
    ended(page)
    expect(page.get_by_text("This report is incomplete.")).to_be_visible()
    expect(page.get_by_text("The run was stopped by the user.")).to_be_visible()
    assert slow_app.state(run) == "partial"
    assert page.locator(".cite").count() > 0


def test_finish_now_writes_the_report_from_what_there_is(slow_app: App, tab: Tab) -> None:
    page = tab(slow_app.address)
    start_slow_run(page)
    page.get_by_role("button", name="Finish now").click()
    ended(page)
    expect(page.get_by_text("The research was finished early at the user's request.")).to_be_visible()


def test_with_keys_models_do_the_work_and_the_report_appears_as_it_is_written(tmp_path: Path, tab: Tab) -> None:
    slow_writer = Latencies(report_pieces=50, report_piece=0.2)
    with Loopback(slow_writer) as world, workbench(tmp_path, **world.environment) as address:
        page = tab(address)
        expect(page.get_by_text("Chat models do this research")).to_be_visible()
        ask(page, "How large is the pump market?")
        start(page)
        expect(page.get_by_text("Six aspects, independent.")).to_be_visible()
        draft = page.locator(".st-key-draft .report")
        expect(draft).to_contain_text("pumps of class")
        expect(draft.locator(".cite").first).to_be_visible()
        expect(page.get_by_text("Writing the report")).to_be_visible()
        early = len(draft.inner_text())
        page.wait_for_timeout(2_500)
        assert len(draft.inner_text()) > early
        ended(page)
        expect(page.get_by_text("Written by the model gpt-5.4")).to_be_visible()
        expect(page.get_by_text("Tokens", exact=True)).to_be_visible()


def test_the_first_address_of_a_new_process_may_be_that_of_a_run(tmp_path: Path, tab: Tab) -> None:
    store = RunStore(tmp_path)
    run = sample_runs.ended(store, Language.JA)
    store.close()
    with workbench(tmp_path) as address:
        page = tab(f"{address}/run?id={run}&lang=ja")
        ended(page)
        expect(page.get_by_role("link", name="新しい調査").first).to_be_visible()
        expect(page.get_by_text("app", exact=True)).to_have_count(0)


def test_the_language_follows_the_browser_can_be_switched_and_stands_in_the_address(app: App, tab: Tab) -> None:
    page = tab(app.address, locale="ja-JP")
    expect(page.get_by_role("heading", name="新しい調査")).to_be_visible()
    page.get_by_label("問い", exact=True).fill("お茶の市場はどうなっていますか。")
    page.get_by_text("English", exact=True).first.click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value("お茶の市場はどうなっていますか。")
    assert "lang=en" in page.url
    page.get_by_role("link", name="Runs").click()
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Runs", exact=True)).to_be_visible()


def test_a_japanese_run_from_the_first_click_to_the_report(app: App, tab: Tab) -> None:
    page = tab(app.address, locale="ja-JP")
    page.locator(".sample").first.click()
    expect(page.get_by_label("問い", exact=True)).to_have_value(re.compile("か"))
    start(page)
    ended(page)
    expect(page.get_by_text("規則により、原文の引用から構成")).to_be_visible()
    expect(page.locator(".cite").nth(7)).to_be_attached()


@pytest.mark.parametrize("path", ["", "runs"])
def test_nothing_is_cut_off_on_a_phone(app: App, tab: Tab, path: str) -> None:
    page = tab(f"{app.address}/{path}", width=390, height=844)
    _fits(page)


def test_a_run_fits_a_phone_and_its_card_rises_from_the_bottom(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run), width=390, height=844)
    ended(page)
    _fits(page)
    page.locator(".cite").first.click()
    box = page.locator(".st-key-report .card").bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["y"] + box["height"])) == (0, 390, 844)


def _fits(page: Page) -> None:
    page.wait_for_timeout(1_000)
    across = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert across <= 390


def test_a_run_is_deleted_only_when_confirmed(app: App, tab: Tab) -> None:
    store = RunStore(app.home)
    run = sample_runs.ended(store, Language.EN)
    page = tab(f"{app.address}/runs")
    row = page.locator(".run").filter(has=page.locator(f"[href*='{run}']"))

    def ask() -> None:
        row.get_by_role("button", name="More on").click()
        page.get_by_role("button", name="Delete", exact=True).click()

    ask()
    dialog = page.get_by_role("dialog").filter(has_text="Delete this run?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    expect(row).to_be_visible()
    ask()
    dialog.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    assert run not in [summary.id for summary in store.list()]
    store.close()


def test_a_run_is_opened_from_the_list(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(f"{app.address}/runs")
    page.locator(".run .title").first.click()
    page.wait_for_url(re.compile(f"id={run}"))
    ended(page)


def test_dropped_files_join_the_library_and_bad_ones_are_named(app: App, tab: Tab) -> None:
    page = tab(app.address)
    page.get_by_text("Your documents (0)").click()
    files = [
        {"name": "minutes.md", "mimeType": "text/markdown", "buffer": b"# Minutes\n\nThe board wants 20 million yen."},
        {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 nonsense"},
    ]
    page.locator("input[type=file]").first.set_input_files(files)  # type: ignore[arg-type]
    expect(page.get_by_text("Your documents (2)")).to_be_visible()
    expect(page.get_by_text("The file is damaged and cannot be read.")).to_be_visible()
    page.get_by_role("button", name="Remove broken.pdf").click()
    expect(page.get_by_text("Your documents (1)")).to_be_visible()
    page.get_by_role("button", name="Remove minutes.md").click()
    expect(page.get_by_text("Your documents (0)")).to_be_visible()


def test_a_run_is_taken_up_again_with_its_brief(app: App, tab: Tab) -> None:
    run = app.store(lambda store: sample_runs.ended(store, Language.EN))
    page = tab(app.run(run))
    page.get_by_role("button", name="Edit and run again").click()
    expect(page.get_by_role("heading", name="New research")).to_be_visible()
    expect(page.get_by_label("Question", exact=True)).to_have_value(re.compile("How has Japan's electricity mix"))
