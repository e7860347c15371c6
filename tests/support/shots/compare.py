"""Comparing: the form, several methods on one question, runs under way, two runs, and what changed since last time."""

from __future__ import annotations

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Shot, click


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of the comparing page."""
    form, beside = homes.page("compare"), homes.beside
    return {
        "compare": Shot(form),
        "compare-empty": Shot(homes.page("compare", home=homes.newcomer)),
        "compare-error": Shot(form, click(".st-key-compare_start button")),
        "compare-methods": Shot(beside("house", "notes", "rewritten")),
        "compare-two": Shot(beside("sales", "complete")),
        "compare-changes": Shot(beside("sales", "repeated")),
        "compare-live": Shot(beside("live", "complete")),
        "compare-unknown": Shot(homes.page("compare") + "&runs=none"),
    }
