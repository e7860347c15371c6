"""What the cache holds and spared, in figures."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.library.run_nodes import OPEN_RUN, title
from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.cache import CacheContent
from research.runs.pages_kept import Kept
from research.runs.savings import RunSaving, Savings


def content(held: CacheContent | None, ui: Ui) -> list[Element]:
    """Return how much the cache holds; None if it cannot be read."""
    if held is None:
        return []
    size = ui.size(held.bytes) if held.summaries else "–"
    return _figures([(ui._("Summaries kept"), ui.number(held.summaries)), (ui._("On disk"), size)])


def saved(total: Savings, ui: Ui) -> list[Element]:
    """Return what all runs were spared, and how sure that is."""
    figures = [(ui._("Calls saved"), ui.number(total.calls)), (ui._("Money saved"), _money(total, ui))]
    note = ui.n_(
        "No price is known for {count} of these calls; it counts nothing.",
        "No price is known for {count} of these calls; they count nothing.",
        total.unpriced,
    )
    is_partly_priced = 0 < total.unpriced < total.calls
    return [*_figures(figures), *([el("p", "faint", note)] if is_partly_priced else [])]


def by_run(runs: Sequence[RunSaving], ui: Ui) -> list[Element]:
    """Return the runs with what each was spared."""
    rows = [
        el(
            "li", "",
            el("a", "title", title(run.name), href=f"./run?id={run.run}", data_send=OPEN_RUN + run.run),
            el("span", "faint", ui.moment(run.created_at)),
            el("span", "spared", ui.n_("{count} call", "{count} calls", run.calls)),
            el("span", "spared", _about(run.usd, ui)),
            key=run.run,
        )
        for run in runs
    ]  # fmt: skip
    return [group("ul", "saved-runs", rows)]


def stored(kept: Kept, ui: Ui) -> list[Element]:
    """Return how many texts are stored."""
    size = ui.size(kept.bytes) if kept.pages else "–"
    return _figures([(ui._("Pages stored"), ui.number(kept.pages)), (ui._("On disk"), size)])


def _figures(rows: Sequence[tuple[str, str]]) -> list[Element]:
    return [
        group(
            "dl", "figures large", [el("div", "figure", el("dt", "", name), el("dd", "", said)) for name, said in rows]
        )
    ]


def _money(total: Savings, ui: Ui) -> str:
    if total.calls and total.unpriced == total.calls:
        return ui._("price not known")
    return _about(total.usd, ui) if total.calls else "–"


def _about(usd: float | None, ui: Ui) -> str:
    if usd is None:
        return ui._("price not known")
    return ui._("about {amount}").format(amount=ui.dollars(usd))
