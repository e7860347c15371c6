"""Readers and servers that come and go: two tabs, two readers, a connection that is cut, a server that is killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from bench.loopback import Latencies, Loopback
from bench.simulated import running
from research.core import Event, PageSummarised
from research.store import RunState, RunStore
from tests.browser.conftest import App, Tab
from tests.support.machine import wait_until
from tests.support.openai_server import OpenAIServer
from tests.support.serving import Server
from tests.support.steps import ask, start


class Line:
    """A window's connection to the server, which can be cut and mended, and can lose what fragments draw."""

    def __init__(self, page: Page) -> None:
        self.is_losing = False
        self._is_cut = False
        self._open: list[WebSocketRoute] = []
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, side: WebSocketRoute) -> None:
        if self._is_cut:
            side.close(code=1011)
            return
        server = side.connect_to_server()
        side.on_message(server.send)
        server.on_message(lambda message: self._pass_on(message, side))
        self._open += [side, server]

    def _pass_on(self, message: str | bytes, side: WebSocketRoute) -> None:
        place = ForwardMsg.FromString(message).metadata.delta_path if isinstance(message, bytes) else ()
        is_within_fragment = len(place) > 3  # One holds those that ask for news.
        if not (self.is_losing and is_within_fragment):
            side.send(message)

    def cut(self) -> None:
        """Cut the connection, and let no other one come about."""
        self._is_cut = True
        for side in self._open:
            side.close(code=1011)
        self._open.clear()

    def mend(self) -> None:
        """Let the window connect again."""
        self._is_cut = False


def events(home: Path, run: str) -> list[Event]:
    store = RunStore(home)
    try:
        return list(store.events(run))
    finally:
        store.close()


def state(home: Path, run: str) -> RunState:
    store = RunStore(home)
    try:
        return store.get(run).state
    finally:
        store.close()


def summaries(home: Path, run: str) -> list[PageSummarised]:
    return [event for event in events(home, run) if isinstance(event, PageSummarised)]


def test_two_readers_of_one_server_share_runs_and_nothing_else(app: App, tab: Tab) -> None:
    mine = tab(app.address)
    mine.get_by_role("button", name="Start research").click()
    expect(mine.get_by_text("Please write a question first.")).to_be_visible()
    mine.get_by_label("Question", exact=True).fill("What is secret?")
    mine.get_by_label("Question", exact=True).press("Tab")
    other = tab(app.address, locale="ja-JP")
    expect(other.get_by_role("heading", name="新しい調査")).to_be_visible()
    expect(other.get_by_label("質問", exact=True)).to_have_value("")
    expect(other.get_by_text("What is secret?")).to_have_count(0)
    expect(other.locator("[data-testid=stAlert]")).to_have_count(0)
    other.get_by_text("English", exact=True).first.click()
    expect(other.get_by_role("heading", name="New research")).to_be_visible()
    expect(other.get_by_label("Question", exact=True)).to_have_value("")
    assert "lang=en" in other.url, "the language stands in the address"
    mine.get_by_text("日本語", exact=True).first.click()
    expect(mine.get_by_role("heading", name="新しい調査")).to_be_visible()
    expect(mine.get_by_label("質問", exact=True)).to_have_value("What is secret?")
    expect(other.get_by_role("heading", name="New research")).to_be_visible()
    other.get_by_role("link", name="Runs").click()
    expect(other.get_by_role("heading", name="Runs", exact=True)).to_be_visible()
    other.reload()
    expect(other.get_by_role("heading", name="Runs", exact=True)).to_be_visible()


def test_what_is_typed_outlives_a_connection_that_is_cut_and_updates_that_come_without_their_content(
    app: App, page: Page
) -> None:
    line, newest = Line(page), page.locator(".reading .title").first
    with running(app.home, 1) as run:
        page.goto(app.run(run.id))
        opened = newest.inner_text()
        expect(newest).not_to_have_text(opened)  # It is loaded whole, and live.
        typed = page.get_by_label("Add a question")
        typed.press_sequentially("What do dealers pay?")
        expect(typed).to_have_value("What do dealers pay?")
        # As from a server that is busy, or that was cut off in the middle of an update: its beginning and end come.
        line.is_losing = True
        expect(newest).to_have_count(0)
        line.is_losing = False
        expect(newest).to_be_visible()
        expect(typed).to_have_value("What do dealers pay?")
        line.cut()
        page.wait_for_timeout(500)  # What had come before is drawn by then.
        seen, known = newest.inner_text(), len(events(app.home, run.id))
        wait_until(lambda: len(events(app.home, run.id)) > known + 20)
        expect(newest).to_have_text(seen)
        line.mend()
        expect(newest).not_to_have_text(seen)
        expect(typed).to_have_value("What do dealers pay?")
        typed.press("Enter")
        expect(page.locator(".asked-of")).to_contain_text("What do dealers pay?")


def summarised(server: OpenAIServer) -> list[str]:
    """The pages of which a summary was asked for, in that order."""
    asked = [str(received.body) for received in server.requests]
    return [page for body in asked if "key_excerpts" in body for page in re.findall(r"Report (\d+) on pumps", body)[:1]]


@dataclass
class Killed:
    """A run whose server was killed in the middle of it, and started again."""

    home: Path
    address: str
    """Of the run's page."""
    run: str
    page: Page
    openai: OpenAIServer
    paid: frozenset[str]
    """Pages whose summaries were asked for until then."""
    told: list[Event]
    """What had been stored until then."""

    @property
    def unanswered(self) -> int:
        """How many summaries were asked for and not stored."""
        return len(self.paid) - len({event.page for event in self.told if isinstance(event, PageSummarised)})

    def paid_twice(self) -> frozenset[str]:
        """Pages whose summaries were asked for before and since."""
        return self.paid & frozenset(summarised(self.openai))


@contextmanager
def killed_midway(home: Path, tab: Tab) -> Iterator[Killed]:
    with Loopback(Latencies(search=(0.5, 1.5))) as world:
        server = Server(home, **world.environment)
        try:
            server.start()
            page = tab(server.address)
            ask(page, "How large is the pump market?")
            run = start(page)
            wait_until(lambda: len(summaries(home, run)) >= 3)
            server.kill()
            paid = frozenset(summarised(world.openai))
            world.openai.requests.clear()
            server.start()
            assert state(home, run) is RunState.INTERRUPTED, "it is known at once"
            yield Killed(home, f"{server.address}/run?id={run}", run, page, world.openai, paid, events(home, run))
        finally:
            server.stop()


def test_a_server_that_is_killed_midway_keeps_what_was_found_and_pays_for_no_page_twice(
    tmp_path: Path, tab: Tab
) -> None:
    with killed_midway(tmp_path, tab) as killed:
        _a_run_made_of_it_finds_its_pages_summarised(killed)
        killed.page.goto(killed.address)
        _it_goes_on_at_a_press_and_ends_like_any_other(killed)
        assert len(killed.paid_twice()) <= killed.unanswered, "only what was not answered yet"


def _a_run_made_of_it_finds_its_pages_summarised(killed: Killed) -> None:
    page = killed.page
    expect(page.get_by_text("This run broke off because the program ended.")).to_be_visible()
    page.get_by_role("tab", name=re.compile("^Sources")).click()
    expect(page.locator(".st-key-sources .source").first).to_be_visible()
    page.get_by_role("button", name="Edit and run again").click()
    expect(page.get_by_label("Question", exact=True)).to_have_value("How large is the pump market?")
    page.get_by_role("button", name="Start research").click()
    page.wait_for_url(re.compile(rf"id=(?!{killed.run})"))
    again = re.findall(r"[?&]id=([^&]+)", page.url)[0]
    wait_until(lambda: any(event.cached for event in summaries(killed.home, again)))
    expect(page.locator(".reading").first).to_be_visible()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("tab", name="Report")).to_be_visible()


def _it_goes_on_at_a_press_and_ends_like_any_other(killed: Killed) -> None:
    page = killed.page
    page.get_by_role("button", name="Continue this run").click()
    expect(page.get_by_role("button", name="Finish now")).to_be_visible()
    expect(page.get_by_role("button", name="Continue this run")).to_have_count(0)
    page.goto("about:blank")  # Nobody looks on meanwhile, which would take the processor from the run.
    wait_until(lambda: state(killed.home, killed.run) is not RunState.RUNNING)
    page.goto(killed.address)
    expect(page.get_by_role("tab", name="Report")).to_be_visible()
    expect(page.get_by_text("This run broke off")).to_have_count(0)
    assert state(killed.home, killed.run) is RunState.COMPLETE
    assert events(killed.home, killed.run)[: len(killed.told)] == killed.told
    assert set(summarised(killed.openai)) - killed.paid, "the rest was read"
