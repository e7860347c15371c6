"""The library of runs: search, menu, dialogs, comparing, and what it says when there is nothing."""

from __future__ import annotations

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Act, Shot, after, click, type_into, upload

_WORDS = {"en": "renewables", "ja": "再生可能"}
_SEARCH = ".st-key-runs_words input"
_MENU = click(".run:has(.dot.complete) .menu-opener", 1)


def _chosen(entry: str) -> Act:
    """Choose an entry of the menu of a run, by its message."""
    return after(_MENU, click(f".card [data-send^='{entry}:']"))


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of the library."""
    here, empty = homes.page("runs"), homes.page("runs", home=homes.newcomer)
    importing = click("[data-testid=stPopover] button")
    return {
        "runs": Shot(here),
        "runs-empty": Shot(empty),
        "runs-found": Shot(here, type_into(_SEARCH, _WORDS[homes.language])),
        "runs-none-found": Shot(here, type_into(_SEARCH, "zebra")),
        "runs-tag": Shot(here, click(".run .tag")),
        "runs-menu": Shot(here, _MENU),
        "runs-name": Shot(here, _chosen("label")),
        "runs-export": Shot(here, _chosen("export")),
        "runs-delete": Shot(here, _chosen("delete")),
        "runs-duplicate": Shot(here, _chosen("change")),
        "runs-comparing": Shot(here, _chosen("compare")),
        "runs-import": Shot(here, importing),
        "runs-import-refused": Shot(here, after(importing, upload("broken.run.zip", b"no archive"))),
    }
