"""What a run will take, said quietly before it begins."""

from __future__ import annotations

from pages.parts.nodes import Element, el, group, icon
from pages.parts.ui import Ui
from research.estimate import Estimate, rounded
from research.language import Bilingual

_SPAN = Bilingual("{low} – {high}", "{low}〜{high}")


def estimate(found: Estimate, ui: Ui) -> list[Element]:
    """Return time, money and tokens in a line, and what they rest on."""
    facts = [_fact("schedule", _from_to(_time(found.seconds.low, ui), _time(found.seconds.high, ui), ui))]
    if found.is_free:
        facts.append(_fact("money_off", ui._("free")))
    else:
        facts.append(_fact("payments", _money(found, ui)))
        low, high = (ui.number(rounded(end)) for end in (found.tokens.low, found.tokens.high))
        facts.append(_fact("data_usage", ui._("{tokens} tokens").format(tokens=_from_to(low, high, ui))))
    return [el("div", "estimate", group("ul", "", facts), el("p", "faint", _basis(found, ui)))]


def _fact(symbol: str, text: str) -> Element:
    return el("li", "", icon(symbol), el("span", "", text), key=symbol)


def _money(found: Estimate, ui: Ui) -> str:
    if found.cost_usd is None:
        return ui._("price not known")
    return _from_to(ui.dollars(found.cost_usd.low), ui.dollars(found.cost_usd.high), ui)


def _basis(found: Estimate, ui: Ui) -> str:
    said = ui.of_term(found.basis)
    if not found.unpriced:
        return said
    unpriced = ui._("The price of {models} is not known; under a cap, its calls count like the dearest preset model's.")
    return f"{said} {unpriced.format(models=ui.listed(list(found.unpriced)))}"


def _time(seconds: float, ui: Ui) -> str:
    if seconds < 90:
        return ui._("{seconds} s").format(seconds=max(1, round(seconds)))
    return ui._("{minutes} min").format(minutes=round(seconds / 60))


def _from_to(low: str, high: str, ui: Ui) -> str:
    return low if low == high else _SPAN.in_(ui.language).format(low=low, high=high)
