"""The tables of an experiment: what each way of asking came to, and which was preferred."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pages.parts.nodes import Element, el, group
from pages.parts.ui import Ui
from research.core import MethodName, PresetName
from research.engine import Variant
from research.experiments import WAY, Ratings, Results, preferences


def ways(results: Results, reader: Ui) -> Element:
    """Return a row a way, the best first; of what none of them took nothing is said."""
    columns: dict[str, tuple[str, Callable[[float], str]]] = {
        "facts": (reader._("Facts found"), reader.percent),
        "in first lines": (reader._("In the first lines"), reader.percent),
        "quotes that bear": (reader._("Quotes that bear"), reader.percent),
        "supported": (reader._("Supported"), reader.percent),
        "contradictions": (reader._("Contradictions"), lambda count: reader.number(round(count, 1))),
        "seconds": (reader._("Seconds"), lambda count: reader.number(round(count, 1))),
        "tokens": (reader._("Tokens"), lambda count: reader.number(round(count))),
        "USD": (reader._("Cost"), reader.dollars),
        "runs": (reader._("Runs", "how many"), lambda count: reader.number(int(count))),
    }
    kept = {name: column for name, column in columns.items() if results.by_way[name].any()}
    heads = [reader._("Way"), *(words for words, _ in kept.values())]
    found = results.by_way.to_dict("records")
    rows = [[way_name(row, reader), *(say(row[name]) for name, (_, say) in kept.items())] for row in found]
    return grid(reader._("What each way came to"), heads, rows)


def preferred(results: Results, ratings: Ratings, reader: Ui) -> Element:
    """Return how often each way was preferred."""
    heads = [reader._("Way"), reader._("Better"), reader._("Alike"), reader._("Worse")]
    rows = [
        [way_name(dict(zip(WAY, way, strict=True)), reader), *map(reader.number, one)]
        for way, one in preferences(results.rows, ratings).items()
    ]
    return grid(reader._("What you preferred"), heads, rows)


def way_name(cells: Mapping[Any, Any], reader: Ui) -> str:
    """Return the name of a way: preset, method, and whatever else was tried."""
    known = Variant(preset=PresetName(cells["preset"]), method=MethodName(cells["method"])).label(reader.language)
    return " · ".join(filter(None, (known, *(cells.get(name, "") for name in WAY[2:]))))


def grid(name: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Element:
    """Return a table whose rows begin with what they are about; where it is too wide it scrolls."""
    head = group("tr", "", [el("th", "", words, scope="col") for words in heads])
    body = [
        group("tr", "", [el("th", "", first, scope="row"), *(el("td", "", cell) for cell in cells)])
        for first, *cells in rows
    ]
    table = el("table", "compared measured", el("thead", "", head), group("tbody", "", body))
    return el("div", "wide-table", table, tabindex="0", role="region", aria_label=name)
