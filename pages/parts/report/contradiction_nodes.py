"""What sources say differently: each contradiction as a card with the quotes side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from pages.parts.nodes import Element, el, group, icon, link, sender
from pages.parts.report.report_nodes import added_badge, facts
from pages.parts.report.source_messages import SHOW_QUOTE
from pages.parts.ui import Ui
from research.contradictions import Contradiction, ContradictionKind, Side
from research.events import PageRead
from research.export.period_words import in_words


def contradictions(
    found: Sequence[Contradiction], pages: Mapping[str, PageRead], ui: Ui, added: Mapping[str, date] | None = None
) -> list[Element]:
    """Return a card for each contradiction; what it means if there is none.

    `added` says on which day a quote joined the run by a further question, by its id.
    """
    if not found:
        return [_none(ui)]
    said = ui._(
        "Quotes are compared by rules, which do not find everything. Nothing is averaged, and no side is taken."
    )
    cards = [_card(one, pages, added or {}, ui, str(place)) for place, one in enumerate(found)]
    return [el("p", "faint measure", said, key="said"), *cards]


def _none(ui: Ui) -> Element:
    return el(
        "div", "mode measure", icon("rule"),
        el("strong", "", ui._("The rules found no contradiction")),
        el("p", "", ui._(
            "That does not mean that there is none. Figures, dates and opposite statements are compared where "
            "the quotes speak of the same thing; in doubt, nothing is reported."
        )),
    )  # fmt: skip


def _card(one: Contradiction, pages: Mapping[str, PageRead], added: Mapping[str, date], ui: Ui, key: str) -> Element:
    kinds = {
        ContradictionKind.FIGURES: ("tag", ui._("Figures")),
        ContradictionKind.DATES: ("event", ui._("Dates")),
        ContradictionKind.STATEMENTS: ("forum", ui._("Statements")),
        ContradictionKind.NAMED: ("psychology", ui._("Named in a reflection")),
    }
    symbol, kind = kinds[one.kind]
    head = el(
        "header", "",
        el("p", "kind", icon(symbol), el("span", "", kind)),
        el("h3", "", " · ".join(part for part in (one.subject, _label(one, ui)) if part)),
        el("p", "note", ui.of_term(one.note)),
    )  # fmt: skip
    sides = [_side(side, pages.get(side.source), added.get(side.evidence), ui) for side in one.sides]
    return el("article", "contradiction", head, group("div", "sides", sides), key=key)


def _label(one: Contradiction, ui: Ui) -> str:
    """Return what the sources speak of; the period behind it in the reader's words."""
    what, bracket, period = one.label.rpartition(" (")
    if not bracket or not period.endswith(")") or one.kind is ContradictionKind.NAMED:
        return one.label
    return ui.bracketed(what, in_words(period[:-1], ui.language))


def _side(side: Side, page: PageRead | None, added: date | None, ui: Ui) -> Element:
    return el(
        "section", "side",
        el("p", "value", side.value) if side.value else None,
        group("blockquote", "", _marked(side)),
        link(page.url, page.title, "title") if page else None,
        facts(page, ui) if page else None,
        added_badge(added, ui) if added else None,
        sender(SHOW_QUOTE + side.evidence, "textual", icon("find_in_page"), ui._("Show in the page")),
        key=side.evidence,
    )  # fmt: skip


def _marked(side: Side) -> list[Element | str]:
    """Return the quote with the value marked, where it stands in it as it is."""
    before, value, after = side.quote.partition(side.value) if side.value else (side.quote, "", "")
    return [before, el("mark", "", value), after] if value else [before]
