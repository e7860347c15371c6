"""What stands behind each sentence of a report: the badge, the card that it opens, the counts on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pages.parts.markdown_nodes import Badge
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.report.source_messages import SHOW_QUOTE, Place, passage_message
from pages.parts.ui import Ui
from research.evidence import Evidence
from research.proof import counts
from research.report import FigureCheck, LeftOut, Sentence
from research.verification.labels import Label

WEAK = "weak"
"""Class of what needs checking."""
ICONS = {
    Label.SUPPORTED: "check",
    Label.PARTIAL: "contrast",
    Label.UNSUPPORTED: "error",
    Label.UNCITED: "link_off",
    Label.UNVERIFIABLE: "visibility_off",
}


def is_checked(sentences: Sequence[Sentence]) -> bool:
    """Whether the sentences were held against their pages; those of older runs were not."""
    return any(sentence.verdict and sentence.reason for sentence in sentences)


def weak_count(sentences: Sequence[Sentence]) -> int:
    """Return how many sentences need checking."""
    return sum(count for name, count in counts(sentences).items() if name != Label.SUPPORTED)


def summary(sentences: Sequence[Sentence], ui: Ui) -> list[Element]:
    """Return the counts, and what they are; nothing if no sentence was checked."""
    counted = counts(sentences) if is_checked(sentences) else {}
    if not counted:
        return []
    # How the counts came about stands right beside them: they are the work of rules.
    how = ui.n_(
        "{count} sentence, checked against the stored page, by rules",
        "{count} sentences, checked against the stored page, by rules",
        sum(counted.values()),
    )
    entries = [
        el(
            "li", f"count {name}", icon(ICONS[Label(name)]),
            el("strong", "", ui.number(count)), el("span", "", ui.of_term(Label(name).words)), key=name,
        )
        for name, count in counted.items()
    ]  # fmt: skip
    caution = ui._("A verdict says what the stored page holds, not whether the page is right. Rules can err.")
    head = el("div", "checked-head", el("h2", "", how), group("ul", "counts", entries))
    return [el("div", "checked", head, el("p", "faint", caution), key="checked")]


def tally(sentences: Sequence[Sentence], ui: Ui) -> str:
    """Return the counts of the verdicts on one line; an empty one if no sentence was checked."""
    counted = counts(sentences) if is_checked(sentences) else {}
    return " · ".join(f"{ui.of_term(Label(name).words)}: {ui.number(count)}" for name, count in counted.items())


def badges(
    sentences: Sequence[Sentence], evidence: Mapping[str, Evidence], ui: Ui
) -> tuple[list[Badge], dict[str, list[Element]]]:
    """Return a badge for each sentence that has a verdict, and the card that it opens."""
    found: list[Badge] = []
    cards: dict[str, list[Element]] = {}
    at = 0
    if not is_checked(sentences):
        return found, cards
    for number, sentence in enumerate(sorted(sentences, key=lambda one: one.start)):
        if sentence.verdict is None or not at <= sentence.start < sentence.end:
            continue
        at, label, name = sentence.end, Label(sentence.verdict), f"V{number}"
        cards[name] = _card(sentence, label, evidence, ui)
        kind = "" if label is Label.SUPPORTED else f"said {WEAK} {label.value}"
        found.append(Badge(sentence.start, sentence.end, _badge(label, name, ui), kind))
    return found, cards


def _badge(label: Label, name: str, ui: Ui) -> Element:
    words = ui._("{verdict}: what stands behind this sentence").format(verdict=ui.of_term(label.words))
    return el(
        "button", f"verdict {label.value}", icon(ICONS[label]),
        type="button", data_card=name, aria_label=words, aria_haspopup="dialog", aria_expanded="false",
    )  # fmt: skip


def _card(sentence: Sentence, label: Label, evidence: Mapping[str, Evidence], ui: Ui) -> list[Element]:
    why = ui.of_term(sentence.reason) if sentence.reason else ""
    header = el(
        "header", f"card-head verdict-head {label.value}",
        icon(ICONS[label]),
        el("div", "", el("strong", "", ui.of_term(label.words)), el("p", "", why)),
        sender("close", "quiet", icon("close"), aria_label=ui._("Close")),
    )  # fmt: skip
    body = [group("ul", "found", [_figure(number, ui) for number in sentence.numbers]) if sentence.numbers else None]
    how = el("footer", "card-foot how", ui._("Checked against the stored page, by rules"))
    return [header, group("div", "card-body", [*body, *_behind(sentence, evidence, ui)]), how]


def _figure(number: FigureCheck, ui: Ui) -> Element:
    symbol, said = ("check", ui._("found")) if number.found else ("close", ui._("not found"))
    shown = None
    if number.source and number.start is not None and number.end is not None:
        message = passage_message(Place(number.source, number.start, number.end))
        label = ui._("Show {figure} in the page").format(figure=number.text)
        shown = sender(message, "quiet", icon("find_in_page"), aria_label=label, title=label)
    kind = "held" if number.found else "missing"
    return el("li", kind, icon(symbol), el("strong", "", number.text), el("span", "", said), shown)


def _behind(sentence: Sentence, evidence: Mapping[str, Evidence], ui: Ui) -> Iterator[Element]:
    """Yield the quotes that the sentence cites, and the passage that the verdict rests on if it is no quote."""
    label = ui._("Show in the page")
    quotes = [evidence[name] for name in sentence.evidence if name in evidence]
    for quote in quotes:
        opener = sender(SHOW_QUOTE + quote.id, "textual", icon("find_in_page"), label)
        yield el("figure", "quote", el("blockquote", "", quote.quote), opener)
    place = sentence.passage
    if place and not any(quote.start <= place.start and place.end <= quote.end for quote in quotes):
        message = passage_message(Place(place.source, place.start, place.end))
        yield sender(message, "textual", icon("find_in_page"), ui._("Show the passage that was compared"))


def left_out(sentences: Sequence[LeftOut], evidence: Mapping[str, Evidence], ui: Ui) -> list[Element]:
    """Return what a fact-strict report does not hold, each with the reason; nothing if all was kept."""
    entries = [
        el(
            "li", "", el("p", "", one.text), el("p", "faint", ui.of_term(one.reason)),
            *(
                sender(SHOW_QUOTE + name, "textual", icon("find_in_page"), ui._("Show in the page"))
                for name in one.evidence[:1]
                if name in evidence
            ),
            key=str(place),
        )
        for place, one in enumerate(sentences)
    ]  # fmt: skip
    if not entries:
        return []
    head = ui.n_("Left out: {count} statement", "Left out: {count} statements", len(entries))
    why = ui._("This report keeps only what the rules find supported by a primary source.")
    return [
        el(
            "details", "more left-out measure",
            el("summary", "", head), el("p", "faint", why), group("ul", "", entries), key="left_out",
        )
    ]  # fmt: skip


def only_weak(body: Sequence[Element]) -> list[Element]:
    """Return the blocks of a report that hold something to check, with the headings over them."""
    kept: list[Element] = []
    below = 0  # something to check stands below headings of a lower level than this
    for block in reversed(body):
        if block.tag in _HEADINGS:
            if _HEADINGS[block.tag] < below:
                below = _HEADINGS[block.tag]
                kept.append(block)
        elif block.find(WEAK):
            below = len(_HEADINGS) + 2
            kept.append(block)
    return kept[::-1]


_HEADINGS = {f"h{level}": level for level in range(2, 7)}
