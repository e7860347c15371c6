"""What differs between two runs: counts on top, then figures, claims and sources, unless one of them is unchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from pages.parts.library.difference_counts import counts
from pages.parts.library.difference_figures import figures
from pages.parts.library.difference_lists import SHOWN, Words, folded, listed, section
from pages.parts.nodes import Element, el, group, icon, link
from pages.parts.report.verdict_nodes import ICONS
from pages.parts.ui import Ui
from research.difference import ClaimPair, Difference
from research.report import Sentence, SourceEntry
from research.verification.labels import Label

_APART = "\N{EM SPACE}"
"""Stands before a verdict; at the end of a line it takes no room, so that a verdict on the next one is not indented."""
_UNCITED = 3
"""Pages that a run alone read and that are shown at once, though it cites fewer."""
_PIECE = re.compile(r"[0-9][0-9.,]*|[A-Za-zÀ-ɏ'’-]+|\s+|.", re.DOTALL)


def differences(found: Difference, ui: Ui, *, since: str = "") -> list[Element]:
    """Return what differs; `since` is the moment of the earlier run, if the later one repeats it."""
    words = Words.of(ui, repeats=bool(since))
    head = ui._("What changed since {moment}").format(moment=since) if since else ui._("What differs")
    claims, sources = found.claims, found.sources
    parts = [
        (bool(found.figures.changed), figures(found, words, ui)),
        (bool(claims.changed or claims.new or claims.gone), _claims(found, words, ui)),
        (
            bool(sources.new or sources.lost or any(pair.is_changed for pair in sources.both)),
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


def _claims(found: Difference, words: Words, ui: Ui) -> Element:
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
    if not sentence.verdict:
        return None
    label = Label(sentence.verdict)
    return el("span", f"said-of {label.value}", icon(ICONS[label]), el("span", "", ui.of_term(label.words)))


def _pair(pair: ClaimPair, words: Words, ui: Ui) -> Element:
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


def _sources(found: Difference, words: Words, ui: Ui) -> Element:
    sources = found.sources
    changed = [pair.after for pair in sources.both if pair.is_changed]
    same = [pair.after for pair in sources.both if not pair.is_changed]
    lists = [
        *words.in_order(
            _on_one_side("gone", words.gone, sources.lost, ui),
            _on_one_side("new", words.new, sources.new, ui),
        ),
        listed("changed", ui._("In both, with another text"), [_source(one, ui) for one in changed], ui),
        folded(ui._("In both, unchanged ({count})"), [_source(one, ui) for one in same], ui),
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
