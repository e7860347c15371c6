"""A run that has ended: its report, what stands behind each sentence, and everything that can be done with it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot, after, click, last_tab, settle, tab

_CITE = click(".cite", 1)
_VERDICT = click(".verdict:is(.partial, .unsupported, .uncited)")


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of a run that has ended."""
    run = homes.run
    return {
        "report": Shot(run("complete")),
        "report-by-rule": Shot(run("house")),
        "report-old": Shot(run("old")),
        "report-rewritten": Shot(run("rewritten")),
        "report-card": Shot(run("complete"), _CITE),
        "report-drawer": Shot(run("complete"), after(_CITE, click(".st-key-report .card [data-send^='quote:']"))),
        "report-contents": Shot(run("complete"), _contents),
        "report-strict": Shot(run("strict"), click(".left-out summary")),
        "report-to-check": Shot(run("sales"), click(".st-key-to_check label")),
        "report-downloads": Shot(run("complete"), click("[class*=st-key-download_menu_] button")),
        "report-rewrite": Shot(run("complete"), click(".st-key-rewrite button")),
        "report-follow-up": Shot(run("asked"), _asked),
        "report-follow-up-typed": Shot(run("complete"), _asking),
        "verdict-card": Shot(run("complete"), click(".verdict")),
        "verdict-unsupported": Shot(run("sales"), _VERDICT),
        "figures": Shot(run("house"), tab(1)),
        "figures-chart": Shot(run("sales"), tab(1)),
        "figures-none": Shot(run("notes"), tab(1)),
        "contradictions": Shot(run("house"), tab(2)),
        "contradictions-none": Shot(run("complete"), tab(2)),
        "report-sources": Shot(run("house"), tab(3)),
        "report-notes": Shot(run("notes"), tab(4)),
        "log": Shot(run("complete"), last_tab),
        "log-timeline": Shot(run("complete"), after(last_tab, click("[class*=st-key-timeline_] summary"))),
    }


def _contents(page: Page) -> None:
    """Unfold the contents where they are folded, and go to a section."""
    folded = page.locator(".toc-folded summary")
    if folded.is_visible():
        folded.click()
    else:
        page.locator(".toc button").nth(1).click()
    settle(page)


def _asked(page: Page) -> None:
    """Look at what was asked about the report."""
    page.locator("li.follow-up").first.scroll_into_view_if_needed()


def _asking(page: Page) -> None:
    """Type a question about the report."""
    field = page.locator(".st-key-follow_up_question textarea")
    field.scroll_into_view_if_needed()
    field.fill("2030? 2040?")
