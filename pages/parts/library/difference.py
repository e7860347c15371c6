"""What changed between two runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pages.parts.nodes import Element, el, group, icon, link
from pages.parts.report.text import ICONS
from pages.parts.ui import Ui
from research.core import Sentence
from research.export.words import period_in_words
from research.results import ClaimPair, Difference, FigureChange, FigureValue, SourceEntry, Usage
from research.verification import Label, beside

SHOWN = 12
"""Entries of a list that are open; the rest is folded."""
_SYMBOLS = {"new": "add", "gone": "remove", "changed": "change_history"}


@dataclass(frozen=True)
class DifferenceWords:
    """What the two sides are called, and what stands on one side alone."""

    before: str
    after: str
    gone: str
    new: str
    repeats: bool

    @classmethod
    def of(cls, ui: Ui, *, repeats: bool) -> DifferenceWords:
        """Return the words for two runs, of which the second one `repeats` the first or does not."""
        gone = ui._("Gone") if repeats else ui._("Only in the first run")
        new = ui._("New") if repeats else ui._("Only in the second run")
        return cls(*side_names(ui, repeats=repeats), gone, new, repeats)

    def in_order(self, gone: Element | None, new: Element | None) -> list[Element | None]:
        """Return what is gone and what is new as a reader asks for it: news first, of two equal runs the first."""
        return [new, gone] if self.repeats else [gone, new]


def side_names(ui: Ui, *, repeats: bool) -> tuple[str, str]:
    """Return what two runs are called, of which the second one `repeats` the first or does not."""
    return (ui._("Last time"), ui._("This time")) if repeats else (ui._("First run"), ui._("Second run"))


def section(name: str, parts: Sequence[Element | None]) -> Element:
    """Return lists under their common name."""
    return group("section", "", [el("h3", "", name), *parts], key=name)


def listed(kind: str, name: str, rows: list[Element], ui: Ui, *, shown: int = SHOWN) -> Element | None:
    """Return a list under its name and count; what is beyond the first entries, `shown` of them, is folded."""
    if not rows:
        return None
    head = el("h4", kind, icon(_SYMBOLS[kind]), f"{name} ({ui.number(len(rows))})") if kind else None
    rest = folded(ui._("{count} more"), rows[shown:], ui)
    return el("div", "", head, group("ul", "differing", rows[:shown]), rest, key=kind or "all")


def folded(name: str, rows: list[Element], ui: Ui) -> Element | None:
    """Return a list that opens under its name, which says how many entries it has."""
    if not rows:
        return None
    summary = el("summary", "", name.format(count=ui.number(len(rows))))
    return el("details", "more", summary, group("ul", "differing", rows), key=name)


def counts(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    """Return what changed in figures, claims and sources, then what the two runs cost and took."""
    claims, sources, (before, after) = found.claims, found.sources, found.spent
    entries = [
        (ui._("Figures changed") if words.repeats else ui._("Figures that differ"), _changed_figures(found, ui)),
        (ui._("Claims"), _changes(len(claims.new), len(claims.gone), _reworded(len(claims.changed), ui), words, ui)),
        (
            ui._("Sources"),
            _changes(len(sources.new), len(sources.lost), _rewritten(len(sources.changed), ui), words, ui),
        ),
    ]
    if before.tokens or after.tokens:
        entries.append((ui._("Cost"), _turned(_cost(before, ui), _cost(after, ui))))
    entries.append((ui._("Time"), _turned(*map(ui.duration, found.seconds))))
    figures = [el("div", "figure", el("dt", "", name), el("dd", "", value), key=name) for name, value in entries]
    return group("dl", "figures", figures)


def _changed_figures(found: Difference, ui: Ui) -> str:
    changed, compared = len(found.figures.changed), found.figures.compared
    if not compared:
        return ui._("none in common")
    return ui._("{part} of {whole} compared").format(part=ui.number(changed), whole=ui.number(compared))


def _changes(new: int, gone: int, changed: str, words: DifferenceWords, ui: Ui) -> str:
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


def _cost(spent: Usage, ui: Ui) -> str:
    return ui._("price not known") if spent.cost_usd is None else ui.dollars(spent.cost_usd)


_MULTIPLE = 10.0
"""Share of its earlier size from which a change is said as a multiple of it: nobody pictures +12,300 %."""


def figures(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    """Return the figures that changed; or that none did, or could."""
    rows = [_figure(change, words, ui) for change in found.figures.changed]
    none = ui._("No figure stands in the sources of both runs.")
    if found.figures.compared:
        none = ui._("No figure that both runs have for the same period differs.")
    return section(ui._("Figures"), [listed("", "", rows, ui)] if rows else [el("p", "faint", none)])


def _figure(change: FigureChange, words: DifferenceWords, ui: Ui) -> Element:
    period = period_in_words(change.period, ui.language) if change.period else ""
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


_APART = "\N{EM SPACE}"
"""Stands before a verdict; at the end of a line it takes no room, so that a verdict on the next one is not indented."""
_UNCITED = 3
"""Pages that a run alone read and that are shown at once, though it cites fewer."""
_PIECE = re.compile(r"[0-9][0-9.,]*|[A-Za-zÀ-ɏ'’-]+|\s+|.", re.DOTALL)


def differences(found: Difference, ui: Ui, *, since: str = "") -> list[Element]:
    """Return what differs; `since` is the moment of the earlier run, if the later one repeats it."""
    words = DifferenceWords.of(ui, repeats=bool(since))
    head = ui._("What changed since {moment}").format(moment=since) if since else ui._("What differs")
    claims, sources = found.claims, found.sources
    parts = [
        (bool(found.figures.changed), figures(found, words, ui)),
        (bool(claims.changed or claims.new or claims.gone), _claims(found, words, ui)),
        (
            bool(sources.new or sources.lost or sources.changed),
            _sources(found, words, ui),
        ),
    ]
    parts.sort(key=lambda part: not part[0])  # what did not change is not in the way of what did
    how = ui._(
        "Found by rule: claims are matched by their words, sources by their address, figures by what they measure and "
        "the period. No model was asked."
    )
    none = None if any(is_changed for is_changed, _ in parts) else ui._("No figure, claim or source differs.")
    top = el("header", "", el("h2", "", head), el("p", "", none) if none else None, counts(found, words, ui))
    return [
        group("section", "differences", [top, *(part for _, part in parts), el("p", "faint", how)], key="differences")
    ]


# --- claims ----------------------------------------------------------------------------------------------------


def _claims(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    claims = found.claims
    same = [pair for pair in claims.both if not pair.is_changed]
    lists = [
        listed("changed", ui._("Changed"), [_pair(pair, words, ui) for pair in claims.changed], ui),
        *words.in_order(
            listed("gone", words.gone, [_claim(one, ui) for one in claims.gone], ui),
            listed("new", words.new, [_claim(one, ui) for one in claims.new], ui),
        ),
        folded(ui._("In both, or nearly the same ({count})"), [_claim(pair.after, ui) for pair in same], ui),
    ]
    if not found.same_language:
        remark = ui._(
            "The two reports are in different languages, so their sentences cannot be matched. Sources and figures can."
        )
        lists.insert(0, el("p", "faint", remark))
    return section(ui._("Claims"), lists)


def _claim(sentence: Sentence, ui: Ui) -> Element:
    return el("li", "", _line(sentence), _APART, _verdict(sentence, ui))


def _line(sentence: Sentence) -> str:
    """Return the words of a sentence; of the row of a table, its cells."""
    return " · ".join(cell for part in sentence.text.split("|") if (cell := part.strip()))


def _verdict(sentence: Sentence, ui: Ui) -> Element | None:
    if not sentence.shown:
        return None
    label = Label(sentence.shown)
    return el("span", f"said-of {label.value}", icon(ICONS[label]), el("span", "", ui.of_term(label.words)))


def _pair(pair: ClaimPair, words: DifferenceWords, ui: Ui) -> Element:
    first, second = _marked(_line(pair.before), _line(pair.after))
    return el(
        "li", "pair",
        el("div", "", el("span", "label", words.before), *first, _APART, _verdict(pair.before, ui)),
        el("div", "", el("span", "label", words.after), *second, _APART, _verdict(pair.after, ui)),
    )  # fmt: skip


def _marked(before: str, after: str) -> tuple[list[Element | str], list[Element | str]]:
    """Return both texts with what differs marked."""
    first, second = _PIECE.findall(before), _PIECE.findall(after)
    left, right = list[Element | str](), list[Element | str]()
    for kind, start, end, begin, stop in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        for side, text in ((left, "".join(first[start:end])), (right, "".join(second[begin:stop]))):
            if text:
                side.append(text if kind == "equal" else el("mark", "", text))
    return left, right


# --- sources ---------------------------------------------------------------------------------------------------


def _sources(found: Difference, words: DifferenceWords, ui: Ui) -> Element:
    sources = found.sources
    lists = [
        *words.in_order(
            _on_one_side("gone", words.gone, sources.lost, ui),
            _on_one_side("new", words.new, sources.new, ui),
        ),
        listed("changed", ui._("In both, with another text"), [_source(one, ui) for one in sources.changed], ui),
        folded(ui._("In both, unchanged ({count})"), [_source(one, ui) for one in sources.same], ui),
    ]
    return section(ui._("Sources"), lists)


def _on_one_side(kind: str, name: str, sources: Sequence[SourceEntry], ui: Ui) -> Element | None:
    """Return the pages that one run alone read; those that it does not cite are folded, but for a few."""
    cited = sum(one.number is not None for one in sources)
    return listed(kind, name, [_source(one, ui) for one in sources], ui, shown=min(SHOWN, max(_UNCITED, cited)))


def _source(source: SourceEntry, ui: Ui) -> Element:
    facts = [source.site, ui.partial_date(source.published) if source.published else ""]
    if source.number is not None:
        facts.append(ui._("cited"))
    line = " · ".join(fact for fact in facts if fact)
    return el("li", "", link(source.url, source.title, "title"), " ", el("span", "faint", line))
