"""What tests in a real browser do again and again: ask, start, wait for the report."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.serving import PATIENCE


def ask(page: Page, question: str) -> None:
    """Write a question into the form."""
    page.get_by_label("Question", exact=True).fill(question)


def start(page: Page) -> str:
    """Start the research and return the id of the run."""
    page.get_by_role("button", name=re.compile("Start research|調査を開始")).click()
    page.wait_for_url(re.compile(r"/run\?.*id="), timeout=PATIENCE)
    return str(re.findall(r"[?&]id=([^&]+)", page.url)[0])


LASTING = "How does the tea market of Japan grow?"
"""The question on which research goes on until it is ended, where the web is slow."""


def start_slow_run(page: Page) -> str:
    """Start a run on the slow web, and wait until its first source is there."""
    ask(page, LASTING)
    run = start(page)
    expect(page.locator(".reading:visible").first).to_be_visible()
    return run


def ended(page: Page) -> None:
    """Wait until the page has turned to the report."""
    expect(page.get_by_role("tab", name=re.compile("^(Report|レポート)$"))).to_be_visible()


def fits(page: Page) -> None:
    """Check that nothing on the page is wider than a phone."""
    page.wait_for_timeout(1_000)
    across = page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
    assert across <= 390
