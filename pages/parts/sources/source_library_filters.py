"""What the pages ever read are searched by: words, and terms that each narrow them down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.relabelled import say_anew
from pages.parts.ui import Ui
from research.runs.pages_seen import Order, Use, WantedPages
from research.vocabulary import Period, SourceKind, SourceName, Vocabulary

PLACE = "seen_place"
"""Which part of the pages is shown."""

_UNDATED = "undated"
_FIELDS = {"words": "", "kind": "", "origin": "", "date": "", "use": ""}
_Term = TypeVar("_Term", bound=Vocabulary)


def choose(reader: Ui) -> tuple[WantedPages, DeltaGenerator]:
    """Draw the fields; return what they ask for, and the place beside the order for how many pages that are."""
    words = st.text_input(
        reader._("Search pages"),
        key="seen_words",
        persist_state="session",
        type="search",
        live=True,
        placeholder=reader._("Search titles, sites and addresses"),
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=_from_the_start,
    )
    grid = st.grid(4, min_column_width=140)
    kinds, origins, periods = _terms(SourceKind), _terms(SourceName), _terms(Period)
    kind = _field(grid, "kind", reader._("Kind"), _labels(kinds, reader), reader._("All"))
    origin = _field(grid, "origin", reader._("Found in"), _labels(origins, reader), reader._("All"))
    dates = _labels(periods, reader) | {_UNDATED: reader._("Date unknown")}
    date = _field(grid, "date", reader._("Date of the information"), dates, reader._("Any"))
    use = _field(grid, "use", reader._("Use"), _uses(reader), reader._("All"))
    line = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    counted = line.container(width="content")
    order = _field(line, "order", reader._("Order"), _orders(reader), reader._("Read most recently"), is_alone=True)
    wanted = WantedPages(
        words=words or "",
        kind=kinds.get(kind),
        origin=origins.get(origin),
        published=periods.get(date),
        undated=date == _UNDATED,
        use=Use(use) if use else None,
        order=Order(order) if order else Order.READ,
    )
    return wanted, counted


def clear() -> None:
    """Empty the fields; only before they are drawn, as callbacks do."""
    for name, value in _FIELDS.items():
        st.session_state[f"seen_{name}"] = value
    _from_the_start()


def _field(
    place: DeltaGenerator, name: str, label: str, terms: Mapping[str, str], unset: str, *, is_alone: bool = False
) -> str:
    """Draw a field and return its value; one that stands alone says by its terms what it is."""
    say_anew(f"seen_{name}", terms.get(st.session_state.get(f"seen_{name}", ""), unset))
    chosen: str = place.selectbox(
        label,
        ["", *terms],
        format_func=lambda value: terms.get(value, unset),
        key=f"seen_{name}",
        persist_state="session",
        on_change=_from_the_start,
        label_visibility="collapsed" if is_alone else "visible",
        width=210 if is_alone else "stretch",
    )
    return chosen


def _from_the_start() -> None:
    st.session_state[PLACE] = 1


def _terms(vocabulary: type[_Term]) -> dict[str, _Term]:
    return {term.value: term for term in vocabulary}


def _labels(terms: Mapping[str, Vocabulary], reader: Ui) -> dict[str, str]:
    return {value: reader.of_term(term.label) for value, term in terms.items()}


def _uses(reader: Ui) -> dict[str, str]:
    return {
        Use.CITED.value: reader._("Cited in a report"),
        Use.QUOTED.value: reader._("Quoted"),
        Use.READ.value: reader._("Read only, not quoted"),
    }


def _orders(reader: Ui) -> dict[str, str]:
    return {
        Order.QUOTED.value: reader._("Most quoted"),
        Order.USED.value: reader._("In most runs"),
        Order.PUBLISHED.value: reader._("Newest information"),
    }
