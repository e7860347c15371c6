"""What differs between two runs: counts on top, then figures, claims and sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pages.parts.nodes import Element, el, group, icon, link
from pages.parts.ui import Ui
from pages.parts.verdict_nodes import ICONS
from research.difference import ClaimPair, Difference, FigureChange, FigureValue, Spent
from research.export.period_words import in_words
from research.report import Sentence, SourceEntry
from research.verification.labels import Label

_SHOWN = 12
"""Entries of a list that are open; the rest is folded."""
_APART = "\N{EM SPACE}"
"""Stands before a verdict; at the end of a line it takes no room, so that a verdict on the next one is not indented."""
_PIECE = re.compile(r"[0-9][0-9.,]*|[A-Za-zÀ-ɏ'’-]+|\s+|.", re.DOTALL)


@dataclass(frozen=True)
class _Words:
    """What the two sides are called, and what stands on one side alone."""

    before: str
    after: str
    gone: str
    new: str
    repeats: bool

    def in_order(self, gone: Element | None, new: Element | None) -> list[Element | None]:
        """Return what is gone and what is new as a reader asks for it: news first, of two equal runs the first."""
        return [new, gone] if self.repeats else [gone, new]


def differences(found: Difference, ui: Ui, *, since: str = "") -> list[Element]:
    """Return what differs; `since` is the moment of the earlier run, if the later one repeats it."""
    words = _words(ui, repeats=bool(since))
    head = ui._("What changed since {moment}").format(moment=since) if since else ui._("What differs")
    parts = [
        el("header", "", el("h2", "", head), _counts(found, ui)),
        _figures(found, words, ui),
        _claims(found, words, ui),
        _sources(found, words, ui),
    ]
    how = ui._(
        "Found by rule: claims are matched by their words, sources by their address, figures by what they measure and "
        "the period. No model was asked."
    )
    return [group("section", "differences", [*parts, el("p", "faint", how)], key="differences")]


def side_names(ui: Ui, *, repeats: bool) -> tuple[str, str]:
    """Return what two runs are called, of which the second one `repeats` the first or does not."""
    return (ui._("Last time"), ui._("This time")) if repeats else (ui._("First run"), ui._("Second run"))


def _words(ui: Ui, *, repeats: bool) -> _Words:
    gone = ui._("Gone") if repeats else ui._("Only in the first run")
    new = ui._("New") if repeats else ui._("Only in the second run")
    return _Words(*side_names(ui, repeats=repeats), gone, new, repeats)


def _counts(found: Difference, ui: Ui) -> Element:
    claims, sources, (before, after) = found.claims, found.sources, found.spent
    entries = [
        (ui._("Claims"), _changes(len(claims.new), len(claims.gone), len(claims.changed), ui)),
        (ui._("Sources"), _changes(len(sources.new), len(sources.lost), 0, ui)),
        (ui._("Figures changed"), _changed_figures(found, ui)),
        (ui._("Time"), _turned(ui.duration(before.seconds), ui.duration(after.seconds))),
    ]  # fmt: skip
    if before.tokens or after.tokens:
        entries += [
            (ui._("Tokens"), _turned(ui.number(before.tokens), ui.number(after.tokens))),
            (ui._("Cost"), _turned(_cost(before, ui), _cost(after, ui))),
        ]
    figures = [el("div", "figure", el("dt", "", name), el("dd", "", value), key=name) for name, value in entries]
    return group("dl", "figures", figures)


def _changed_figures(found: Difference, ui: Ui) -> str:
    changed, compared = len(found.figures.changed), found.figures.compared
    if not compared:
        return ui._("none in both")
    return ui._("{part} of {whole} compared").format(part=ui.number(changed), whole=ui.number(compared))


def _turned(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _changes(new: int, gone: int, changed: int, ui: Ui) -> str:
    if not new and not gone and not changed:
        return ui._("unchanged")
    signs = [f"+{ui.number(new)}", f"−{ui.number(gone)}"]
    return " ".join([*signs, f"± {ui.number(changed)}"] if changed else signs)


def _cost(spent: Spent, ui: Ui) -> str:
    return ui._("price not known") if spent.cost_usd is None else ui.dollars(spent.cost_usd)


# --- figures ---------------------------------------------------------------------------------------------------


def _figures(found: Difference, words: _Words, ui: Ui) -> Element:
    rows = [_figure(change, words, ui) for change in found.figures.changed]
    none = ui._("No figure stands in the sources of both runs.")
    if found.figures.compared:
        none = ui._("No figure that both runs have for the same period differs.")
    return _section(ui._("Figures"), [_list("", "", rows, ui)] if rows else [el("p", "faint", none)])


def _figure(change: FigureChange, words: _Words, ui: Ui) -> Element:
    period = in_words(change.period, ui.language) if change.period else ""
    measured = " · ".join(part for part in (change.subject, change.label, period) if part)
    return el(
        "li", "pair",
        el("span", "whole", measured),
        el("div", "", el("span", "label", words.before), *_values(change.before)),
        el("div", "", el("span", "label", words.after), *_values(change.after)),
    )  # fmt: skip


def _values(values: Iterable[FigureValue]) -> list[Element]:
    return [
        el("p", "", el("span", "value", one.text), " ", link(one.source.url, one.source.title, "faint title"))
        for one in values
    ]


# --- claims ----------------------------------------------------------------------------------------------------


def _claims(found: Difference, words: _Words, ui: Ui) -> Element:
    claims = found.claims
    same = [pair for pair in claims.both if not pair.is_changed]
    lists = [
        _list("changed", ui._("Changed"), [_pair(pair, words, ui) for pair in claims.changed], ui),
        *words.in_order(
            _list("gone", words.gone, [_claim(one, ui) for one in claims.gone], ui),
            _list("new", words.new, [_claim(one, ui) for one in claims.new], ui),
        ),
        _folded(ui._("In both, or nearly the same ({count})"), [_claim(pair.after, ui) for pair in same], ui),
    ]
    if not found.same_language:
        remark = ui._(
            "The two reports are in different languages, so their sentences cannot be matched. Sources and figures can."
        )
        lists.insert(0, el("p", "faint", remark))
    return _section(ui._("Claims"), lists)


def _claim(sentence: Sentence, ui: Ui) -> Element:
    return el("li", "", _line(sentence), _APART, _verdict(sentence, ui))


def _line(sentence: Sentence) -> str:
    """Return the words of a sentence; of the row of a table, its cells."""
    return " · ".join(cell for part in sentence.text.split("|") if (cell := part.strip()))


def _verdict(sentence: Sentence, ui: Ui) -> Element | None:
    if not sentence.verdict:
        return None
    label = Label(sentence.verdict)
    return el("span", f"said-of {label.value}", icon(ICONS[label]), el("span", "", ui.of_term(label.words)))


def _pair(pair: ClaimPair, words: _Words, ui: Ui) -> Element:
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


def _sources(found: Difference, words: _Words, ui: Ui) -> Element:
    sources = found.sources
    changed = [pair.after for pair in sources.both if pair.is_changed]
    same = [pair.after for pair in sources.both if not pair.is_changed]
    lists = [
        *words.in_order(
            _list("gone", words.gone, [_source(one, ui) for one in sources.lost], ui),
            _list("new", words.new, [_source(one, ui) for one in sources.new], ui),
        ),
        _list("changed", ui._("In both, with another text"), [_source(one, ui) for one in changed], ui),
        _folded(ui._("In both, unchanged ({count})"), [_source(one, ui) for one in same], ui),
    ]
    return _section(ui._("Sources"), lists)


def _source(source: SourceEntry, ui: Ui) -> Element:
    facts = [source.site, ui.partial_date(source.published) if source.published else ""]
    if source.number is not None:
        facts.append(ui._("cited"))
    line = " · ".join(fact for fact in facts if fact)
    return el("li", "", link(source.url, source.title, "title"), " ", el("span", "faint", line))


# --- lists -----------------------------------------------------------------------------------------------------


def _section(name: str, parts: Sequence[Element | None]) -> Element:
    return group("section", "", [el("h3", "", name), *parts], key=name)


_SYMBOLS = {"new": "add", "gone": "remove", "changed": "change_history"}


def _list(kind: str, name: str, rows: list[Element], ui: Ui) -> Element | None:
    """Return a list under its name and count; what is beyond the first entries is folded."""
    if not rows:
        return None
    head = el("h4", kind, icon(_SYMBOLS[kind]), f"{name} ({ui.number(len(rows))})") if kind else None
    rest = _folded(ui._("{count} more"), rows[_SHOWN:], ui)
    return el("div", "", head, group("ul", "differing", rows[:_SHOWN]), rest, key=kind or "all")


def _folded(name: str, rows: list[Element], ui: Ui) -> Element | None:
    if not rows:
        return None
    summary = el("summary", "", name.format(count=ui.number(len(rows))))
    return el("details", "more", summary, group("ul", "differing", rows), key=name)
