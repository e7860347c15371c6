"""Named sets of sites in the form of a brief: choosing one fills in its sites, unchoosing it takes them out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from pages.parts.engine import engine
from pages.parts.ui import Ui
from research import site_lists
from research.errors import StoreError
from research.site_lists import SiteList

_log = logging.getLogger("workbench")

_KEY = "site_sets_chosen"
_USED = "site_set_used"
_FIELDS = (("preferred_sites", "preferred"), ("forbidden_sites", "forbidden"))


def show(reader: Ui, values: Callable[[], Mapping[str, Any]], fill: Callable[[Mapping[str, Any]], None]) -> None:
    """Draw the sets to choose from; `values` returns the fields of the form, `fill` sets some of them."""
    if st.session_state.pop(_USED, False):
        st.toast(reader._("The sites of the set are in the brief."), icon=":material/check:")
    sets = _sets(reader)
    # What is chosen follows from the fields, so that a site taken out by hand unchooses its set.
    st.session_state[_KEY] = [name for name, one in sets.items() if holds(one, values())]
    st.pills(
        reader._("Named sets of sites"),
        list(sets),
        selection_mode="multi",
        key=_KEY,
        on_change=lambda: fill(_changed(sets, values())),
        help=reader._("They fill the two fields below. Make your own under “Sources & cache”."),
    )


def use(one: SiteList, values: Callable[[], Mapping[str, Any]], fill: Callable[[Mapping[str, Any]], None]) -> None:
    """Join the sites of a set to the form, which says so when it is drawn next; the rest is as in `show`."""
    fill(added(one, values()))
    st.session_state[_USED] = True


def holds(one: SiteList, fields: Mapping[str, Any]) -> bool:
    """Whether the fields of the form hold all sites of a set."""
    return all(set(getattr(one, sort)) <= set(_lines(fields[field])) for field, sort in _FIELDS)


def added(one: SiteList, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of sites with those of a set joined to them."""
    return {field: _text([*_lines(fields[field]), *getattr(one, sort)]) for field, sort in _FIELDS}


def removed(one: SiteList, fields: Mapping[str, Any], others: list[SiteList]) -> dict[str, str]:
    """Return the fields of sites without those that only this set, and none of the `others`, brought."""
    kept = {(sort, site) for other in others for _, sort in _FIELDS for site in getattr(other, sort)}
    return {
        field: _text([site for site in _lines(fields[field]) if site not in getattr(one, sort) or (sort, site) in kept])
        for field, sort in _FIELDS
    }


def _changed(sets: Mapping[str, SiteList], before: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of sites as the sets that are chosen now want them."""
    chosen = st.session_state[_KEY]
    fields = {field: before[field] for field, _ in _FIELDS}
    for name, one in sets.items():
        if name in chosen and not holds(one, fields):
            fields |= added(one, fields)
        elif name not in chosen and holds(one, before):
            fields |= removed(one, fields, [sets[other] for other in chosen])
    return fields


def _sets(reader: Ui) -> dict[str, SiteList]:
    try:
        own = site_lists.load(engine().settings.home)
    except StoreError as error:
        _log.warning("Own sets of sites are left out: %s", error)
        own = ()
    return {one.name: one for one in (*own, *site_lists.ready(reader.language))}


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _text(sites: list[str]) -> str:
    return "\n".join(dict.fromkeys(sites))
