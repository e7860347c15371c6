"""The figures that differ between two runs, what changed most first."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.library.difference_lists import Words, listed, section
from pages.parts.nodes import Element, el, link
from pages.parts.ui import Ui
from research.difference import Difference, FigureChange, FigureValue
from research.export.period_words import in_words
from research.quantities import beside

_MULTIPLE = 10.0
"""Share of its earlier size from which a change is said as a multiple of it: nobody pictures +12,300 %."""


def figures(found: Difference, words: Words, ui: Ui) -> Element:
    """Return the figures that changed; or that none did, or could."""
    rows = [_figure(change, words, ui) for change in found.figures.changed]
    none = ui._("No figure stands in the sources of both runs.")
    if found.figures.compared:
        none = ui._("No figure that both runs have for the same period differs.")
    return section(ui._("Figures"), [listed("", "", rows, ui)] if rows else [el("p", "faint", none)])


def _figure(change: FigureChange, words: Words, ui: Ui) -> Element:
    period = in_words(change.period, ui.language) if change.period else ""
    measured = " · ".join(filter(None, (beside(change.subject, change.label), change.label, period)))
    return el(
        "li", "pair",
        el("span", "whole", measured),
        el("div", "", el("span", "label", words.before), *_values(change.before)),
        el("div", "", el("span", "label", words.after), *_values(change.after, by=_by(change, ui))),
    )  # fmt: skip


def _values(values: Sequence[FigureValue], *, by: str = "") -> list[Element]:
    return [
        el(
            "p", "",
            el("span", "value", one.text),
            " ",
            el("span", "by", by) if by else None,
            link(one.source.url, one.source.title, "faint title"),
        )
        for one in values
    ]  # fmt: skip


def _by(change: FigureChange, ui: Ui) -> str:
    """Say by how much a figure changed; of a percentage in points. Nothing if that cannot be said."""
    share = change.share
    if share is None:
        return ""
    if change.unit == "%":
        return _signed(change.after[0].value - change.before[0].value, ui._("{number} points"), ui)
    if share >= _MULTIPLE:
        return ui._("{number} times as much").format(number=ui.number(round(share + 1)))
    return _signed(share * 100, "{number}%", ui)


def _signed(value: float, pattern: str, ui: Ui) -> str:
    """Write a change with its sign, to one digit behind the point; a smaller one to the first digit that shows it."""
    digits = next((digits for digits in (1, 2, 3) if round(value, digits)), 4)
    return f"{'+' if value > 0 else '−'}{pattern.format(number=ui.number(round(abs(value), digits)))}"
