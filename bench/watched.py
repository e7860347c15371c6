"""A reader who watches a run in real Chromium, and what that costs the browser, the wire and the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil
from playwright.sync_api import Browser, Page, expect

from bench.simulated import Simulated
from bench.wire import Wire, wire


@contextmanager
def watched(chromium: Browser, address: str, run: Simulated) -> Iterator[tuple[Page, Wire]]:
    """Open the page of a run and wait until it shows all researchers; the wire counts from then on."""
    with wire(address) as line:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
        page = context.new_page()
        page.goto(f"{line.address}/run?id={run.id}")
        expect(page.locator(".lane").nth(run.researchers)).to_be_visible(timeout=60_000)
        page.wait_for_timeout(2_000)
        line.received = 0
        yield page, line
        context.close()


@dataclass(frozen=True)
class Held:
    """What a page and the server hold, after what can be let go of has been."""

    heap: float
    """JavaScript heap, in MB."""
    nodes: float
    """Nodes of the page, in thousands."""
    server: float
    """Memory of the server, in MB."""

    @classmethod
    def by(cls, page: Page) -> Held:
        """Measure it for a page of the app that this process started."""
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        found = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        session.detach()
        server = [one for one in psutil.Process().children(recursive=True) if "streamlit" in " ".join(one.cmdline())]
        memory = sum(one.memory_info().rss for one in server)
        return cls(found["JSHeapUsedSize"] / 1e6, found["Nodes"] / 1e3, memory / 1e6)
