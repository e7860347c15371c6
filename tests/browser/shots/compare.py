"""Comparing: the form, several methods on one question, runs under way, two runs, and what changed since last time."""

from __future__ import annotations

from tests.browser.shots.homes import Homes
from tests.browser.shots.shot import Shot, click


def shots(homes: Homes, language: str) -> dict[str, Shot]:
    """Return what there is to see of the comparing page."""

    def beside(*names: str) -> str:
        return f"{homes.address}/compare?runs={','.join(homes.id(name, language) for name in names)}&lang={language}"

    form = f"{homes.address}/compare?lang={language}"
    return {
        "compare": Shot(form),
        "compare-empty": Shot(f"{homes.empty}/compare?lang={language}"),
        "compare-error": Shot(form, click(".st-key-compare_start button")),
        "compare-methods": Shot(beside("house", "notes", "rewritten")),
        "compare-two": Shot(beside("sales", "complete")),
        "compare-changes": Shot(beside("sales", "repeated")),
        "compare-live": Shot(beside("live", "complete")),
        "compare-unknown": Shot(f"{homes.address}/compare?runs=none&lang={language}"),
    }
