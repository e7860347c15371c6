"""Sources and cache: pages read with their drawer, the cache, sets of sites, collections of documents."""

from __future__ import annotations

from tests.support.shots.homes import Homes
from tests.support.shots.shot import Act, Shot, after, click, tab, type_into

_SEARCH = ".st-key-seen_words input"


def shots(homes: Homes) -> dict[str, Shot]:
    """Return what there is to see of the page of sources."""
    here, empty = homes.page("sources"), homes.page("sources", home=homes.newcomer)

    def on(place: int, *acts: Act) -> Shot:
        return Shot(here, after(tab(place), *acts))

    return {
        "sources": Shot(here),
        "sources-empty": Shot(empty),
        "sources-none-found": Shot(here, type_into(_SEARCH, "zebra")),
        "sources-drawer": Shot(here, click(".seen-page button", 1)),
        "sources-drawer-sentences": Shot(here, after(click(".seen-page button", 2), click(".seen-uses summary"))),
        "sources-cache": on(1),
        "sources-cache-empty": Shot(empty, tab(1)),
        "sources-cache-clear": on(1, click(".st-key-cache_clear button")),
        "sources-sets": on(2),
        "sources-set-new": on(2, click(".st-key-site_set_new button")),
        "sources-set-copy": on(2, click(".site-set [data-send^='copy:']")),
        "sources-set-export": on(2, click("[data-testid=stPopover] button", 1)),
        "sources-documents": on(3),
    }
