"""How much differs between two runs, in one line: what a reader learns before anything is unfolded."""

from __future__ import annotations

from pages.parts.library.difference_lists import Words
from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.difference import Difference, Spent


def counts(found: Difference, words: Words, ui: Ui) -> Element:
    """Return what changed in figures, claims and sources, then what the two runs cost and took."""
    claims, sources, (before, after) = found.claims, found.sources, found.spent
    reread = sum(pair.is_changed for pair in sources.both)
    entries = [
        (ui._("Figures changed") if words.repeats else ui._("Figures that differ"), _changed_figures(found, ui)),
        (ui._("Claims"), _changes(len(claims.new), len(claims.gone), _reworded(len(claims.changed), ui), words, ui)),
        (ui._("Sources"), _changes(len(sources.new), len(sources.lost), _rewritten(reread, ui), words, ui)),
    ]
    if before.tokens or after.tokens:
        entries.append((ui._("Cost"), _turned(_cost(before, ui), _cost(after, ui))))
    entries.append((ui._("Time"), _turned(ui.duration(before.seconds), ui.duration(after.seconds))))
    figures = [el("div", "figure", el("dt", "", name), el("dd", "", value), key=name) for name, value in entries]
    return group("dl", "figures", figures)


def _changed_figures(found: Difference, ui: Ui) -> str:
    changed, compared = len(found.figures.changed), found.figures.compared
    if not compared:
        return ui._("none in common")
    return ui._("{part} of {whole} compared").format(part=ui.number(changed), whole=ui.number(compared))


def _changes(new: int, gone: int, changed: str, words: Words, ui: Ui) -> str:
    """Say what is new and what is gone, in the order of the lists below, then what `changed`."""
    said_new, said_gone = (
        (ui._("{count} new"), ui._("{count} gone"))
        if words.repeats
        else (ui._("{count} only in the second"), ui._("{count} only in the first"))
    )
    added = said_new.format(count=ui.number(new)) if new else ""
    lost = said_gone.format(count=ui.number(gone)) if gone else ""
    sides = [added, lost] if words.repeats else [lost, added]
    same = ui._("unchanged") if words.repeats else ui._("the same")
    return ui.listed([part for part in (*sides, changed) if part]) or same


def _reworded(count: int, ui: Ui) -> str:
    return ui._("{count} changed").format(count=ui.number(count)) if count else ""


def _rewritten(count: int, ui: Ui) -> str:
    return ui._("{count} with another text").format(count=ui.number(count)) if count else ""


def _turned(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _cost(spent: Spent, ui: Ui) -> str:
    return ui._("price not known") if spent.cost_usd is None else ui.dollars(spent.cost_usd)
