"""What the tests in a real browser share: one Chromium, one app for all that need no app of their own, its windows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from bench.simulated import Simulated, running
from research.core import StopNow
from research.store import RunStore
from tests.support.serving import PATIENCE, browser, chromium, workbench
from tests.support.steps import LASTING
from tests.support.tavily_server import Asked, Held, Results, TavilyServer, web_page

_MARKS = (
    pytest.mark.browser,
    pytest.mark.flaky(reruns=2),  # a run may end before a click on it lands, where the machine is busy
    pytest.mark.timeout(600),
    pytest.mark.skipif(chromium() is None, reason="no Chromium on this machine (Debian: chromium-headless-shell)"),
)
_TEA = tuple(
    web_page(
        f"https://{site}/{number}",
        f"The tea market of Japan grew by {number + 3} per cent in 2025. Exports of tea from Japan rose to "
        f"{number + 8} thousand tonnes. Analysts of the tea market expect steady demand for tea until 2030.",
        title=f"Tea report {number}",
    )
    for number, site in enumerate(("tea.example.com", "leaf.example.org"), start=1)
)

Reader = Callable[..., BrowserContext]
"""Makes a reader who was never here."""
Tab = Callable[..., Page]
"""Opens a window of a new reader at an address."""


expect.set_options(timeout=PATIENCE)


def until_seen(act: Callable[[], object], seen: Locator, *, times: int, milliseconds: int) -> None:
    """Do something again until what it brings about is seen: what is done before a page hears is lost."""
    for _ in range(times):
        act()
        with suppress(AssertionError):
            expect(seen).to_be_visible(timeout=milliseconds)
            return
    expect(seen).to_be_visible()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder, and let what takes long begin early: workers end at about the same time.

    First comes one file that needs the samples, whose index takes a minute, and beside it two that need none: nobody
    waits for it. Then come the browsers, of which each worker has one, attacks, and what else takes long in one file.
    """
    here = Path(__file__).parent
    attacks, rest = here.parent / "attacks", here.parent
    first = (here / "test_accessibility.py", attacks / "test_files.py", attacks / "test_linear.py")
    files = ("workers", "spending", "postgresql", "writing_in_parts", "notebooks", "first_run")
    places = (*first, here, attacks, *(rest / f"test_{name}.py" for name in files), rest)
    items.sort(key=lambda item: next(at for at, place in enumerate(places) if item.path.is_relative_to(place)))
    for item in items:
        if item.path.is_relative_to(here):
            for mark in _MARKS:
                item.add_marker(mark)


@dataclass(frozen=True)
class App:
    """An app that is running."""

    address: str
    home: Path

    def store(self, make: Callable[[RunStore], str]) -> str:
        """Let something store a run, and return the run's id."""
        store = RunStore(self.home)
        try:
            return make(store)
        finally:
            store.close()

    def run(self, run: str) -> str:
        """The address of a run's page."""
        return f"{self.address}/run?id={run}"

    def stop(self, run: str) -> None:
        """Stop a run whose end nobody waits for: it would take the processor from the tests that come."""
        store = RunStore(self.home)
        try:
            store.steer(run, StopNow())
        finally:
            store.close()

    def state(self, run: str) -> str:
        """The state of a run, as its store has it."""
        store = RunStore(self.home)
        try:
            return store.get(run).state.value
        finally:
            store.close()


@pytest.fixture(scope="package")
def found_browser() -> Iterator[Browser]:
    """The browser; each test opens windows of its own.

    While it runs, this thread counts as having an event loop: it must be gone before tests outside this folder begin,
    and tests within it leave `asyncio.run` to other threads.
    """
    with browser() as running:
        yield running


@pytest.fixture(scope="package")
def app(stocked: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app as a newcomer starts it, without keys. Tests share it: none counts on what is in its library of runs."""
    home = stocked(tmp_path_factory.mktemp("home"))
    with workbench(home) as address:
        yield App(address, home)


@pytest.fixture(scope="package")
def slow_web() -> Iterator[TavilyServer]:
    """A web that answers a question at once, and whatever else is searched for it not before all tests are over.

    Pages are read as they come, whichever other searches are under way: a run finds its first sources, and goes on
    until a test ends it.
    """
    over = threading.Event()

    def answer(asked: Asked) -> Results | Held:
        return Results(*_TEA) if asked.body["query"] == LASTING else Held(over)

    with TavilyServer(handler=answer) as server:
        yield server
        over.set()


@pytest.fixture(scope="package")
def slow_app(slow_web: TavilyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app with a web on which a run lasts until it is ended; shared as well."""
    home = tmp_path_factory.mktemp("slow")
    with workbench(home, TAVILY_BASE_URL=slow_web.base_url) as address:
        yield App(address, home)


@pytest.fixture
def live(app: App) -> Iterator[Simulated]:
    """A run of three researchers who wait for something."""
    with running(app.home, 3, sources=3, pause=3_600) as run:
        yield run


@dataclass
class _Readers:
    """Readers of this browser. Who left is forgotten but for the files of the app, which the next one need not load."""

    browser: Browser
    _gone: dict[str, list[BrowserContext]] = field(default_factory=dict)

    @contextmanager
    def lent(self) -> Iterator[Reader]:
        """Give a maker of readers, who leave in the end."""
        present: list[tuple[str, BrowserContext]] = []

        def make(*, locale: str = "en-GB", width: int = 1280, height: int = 900, **how: Any) -> BrowserContext:
            how = {"viewport": {"width": width, "height": height}, "locale": locale, "reduced_motion": "reduce", **how}
            kind = repr(sorted(how.items()))
            gone = self._gone.setdefault(kind, [])
            context = gone.pop() if gone else self.browser.new_context(**how)
            context.set_default_timeout(PATIENCE)
            present.append((kind, context))
            return context

        yield make
        for kind, context in present:
            for page in context.pages:
                page.close()
            context.set_storage_state({"cookies": [], "origins": []})
            self._gone[kind].append(context)


@pytest.fixture(scope="package")
def readers(found_browser: Browser) -> _Readers:
    return _Readers(found_browser)


@pytest.fixture
def reader(readers: _Readers) -> Iterator[Reader]:
    """Makes readers, each with a browser's memory of their own; English and wide unless told otherwise."""
    with readers.lent() as make:
        yield make


@pytest.fixture
def tab(reader: Reader) -> Tab:
    """Opens windows, each of a reader of its own; English and wide unless told otherwise."""

    def open_(address: str, **how: Any) -> Page:
        page = reader(**how).new_page()
        page.goto(address)
        expect(page.get_by_role("heading", level=1).first).to_be_visible()
        return page

    return open_


@pytest.fixture
def page(reader: Reader) -> Page:
    """An empty window of a new reader."""
    return reader().new_page()
