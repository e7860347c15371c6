"""One thing to see, and what pages are made to do before they are looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import FilePayload, Page

from tests.support.serving import PATIENCE

Act = Callable[[Page], None]

_UNDER_WAY = "[data-test-script-state]:not([data-test-script-state=notRunning]), [data-testid=stSkeleton]"
_AT_REST = f"!document.querySelector('{_UNDER_WAY}')"
_ASKED, _REDRAWN = 300, 500
"""Milliseconds until a page begins to work on what was asked of it, and from its end until all is shown."""
_SCROLLED = 400
"""Milliseconds that a page takes to come to rest."""


def as_it_opens(page: Page) -> None:
    """Look at the page as it opens."""


@dataclass(frozen=True)
class Shot:
    """An address, and what to do there."""

    address: str
    act: Act = as_it_opens


def settle(page: Page) -> None:
    """Wait until the page shows what was asked of it."""
    page.wait_for_timeout(_ASKED)
    page.wait_for_function(_AT_REST, timeout=PATIENCE)
    page.wait_for_timeout(_REDRAWN)


def click(selector: str, place: int = 0) -> Act:
    """Click what a selector finds, the first unless told otherwise, and wait for what follows."""

    def act(page: Page) -> None:
        found = page.locator(selector).locator("visible=true").nth(place)
        found.scroll_into_view_if_needed()
        page.wait_for_timeout(_SCROLLED)  # what opens closes again if the page is still moving
        found.click()
        settle(page)

    return act


def type_into(selector: str, text: str, *, leave: str = "Enter") -> Act:
    """Type into a field, leave it with a key, and wait for what follows."""

    def act(page: Page) -> None:
        page.locator(selector).first.fill(text)
        page.locator(selector).first.press(leave)
        settle(page)

    return act


def tab(place: int) -> Act:
    """Open a tab, and wait for what it shows."""

    def act(page: Page) -> None:
        page.get_by_role("tab").nth(place).click()
        settle(page)

    return act


def last_tab(page: Page) -> None:
    """Open the last tab, and wait for what it shows."""
    page.get_by_role("tab").last.click()
    settle(page)


def upload(name: str, content: bytes) -> Act:
    """Hand a file to the first field that takes one."""

    def act(page: Page) -> None:
        file = FilePayload(name=name, mimeType="application/octet-stream", buffer=content)
        page.locator("input[type=file]").first.set_input_files([file])
        settle(page)

    return act


def after(*acts: Act) -> Act:
    """Do one thing after the other."""

    def act(page: Page) -> None:
        for one in acts:
            one(page)

    return act
