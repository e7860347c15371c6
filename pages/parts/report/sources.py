"""Sources, and the drawer in which a quote is seen in its page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, Protocol

import streamlit as st

from pages.parts.engine import current, engine
from pages.parts.nodes import Element, el, group, icon, link, mixed, sender, show_nodes
from pages.parts.report.text import (
    ALL,
    SHOW_PAGE,
    SHOW_QUOTE,
    CitedReport,
    PassageAddress,
    closer,
    facts,
    opener,
    passage_asked_for,
    quoted,
)
from pages.parts.ui import Ui, no_traceback
from research.core import Age, Evidence, PageRead, ResearchError, RunView, SourceKind, freshness
from research.results import Remark
from research.sources import KindDecision
from research.text import language_of


@dataclass(frozen=True)
class SourceFacts:
    """What is known of the sources beside their texts."""

    day: date
    """That of the run: how recent a source is counts from it, as in the report."""
    kinds: Mapping[str, KindDecision] = field(default_factory=dict)
    """By page id."""
    remarks: Sequence[Remark] = ()
    added: Mapping[str, str] = field(default_factory=dict)
    """By page id, the day on which a page joined the report afterwards."""


def sources(cited: CitedReport, known: SourceFacts, ui: Ui) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the sources of a report, and the cards of reasons that their badges open."""
    return _listed(cited, known, ui), {
        badge.card: _reason(badge, ui)
        for page in cited.pages.values()
        for badge in _badges(page, known, ui)
        if badge.why
    }


def _listed(cited: CitedReport, known: SourceFacts, ui: Ui) -> list[Element]:
    entries = [_cited(cited, page, quotes, known, ui) for page, quotes in cited.cited.items()]
    rest = [
        el("li", "source", el("div", "", *_head(page, known, ui), _shown(page, ui)), key=page.page)
        for page in cited.pages.values()
        if page.page not in cited.numbers
    ]
    if not entries:
        return [group("ul", "sources", rest)] if rest else []
    counted = ui.n_("{count} page read but not cited", "{count} pages read but not cited", len(rest))
    folded = el("details", "more", el("summary", "", counted), group("ul", "sources", rest)) if rest else None
    parts = [*_remarks(known, ui), group("ol", "sources", entries), folded]
    return [part for part in parts if part is not None]


def _remarks(known: SourceFacts, ui: Ui) -> list[Element]:
    lines = [
        el(
            "li", "", icon("balance"), group("span", "", mixed(ui.of_term(remark.text), ui.language)),
            key=remark.code + (remark.source or ""),
        )
        for remark in known.remarks
    ]  # fmt: skip
    return [group("ul", "remarks measure", lines)] if lines else []


def _cited(cited: CitedReport, page_id: str, quotes: Sequence[Evidence], known: SourceFacts, ui: Ui) -> Element:
    page = cited.pages[page_id]
    label = ui._("Show in the page")
    lines = [
        el(
            "li", "",
            quoted(quote.quote, "span"),
            sender(SHOW_QUOTE + quote.id, "quiet", icon("find_in_page"), aria_label=label, title=label),
            key=quote.id,
        )
        for quote in quotes
    ]  # fmt: skip
    counted = el("summary", "", ui.n_("{count} quote", "{count} quotes", len(lines)))
    folded = el("details", "more", counted, group("ul", "quotes", lines)) if lines else None
    more = el("div", "source-more", folded, _shown(page, ui))
    number = el("span", "number", str(cited.numbers[page_id]))
    return el("li", "source", number, el("div", "", *_head(page, known, ui), more), key=page_id)


class _Badge(NamedTuple):
    """What is said of a page in a word or two, and the reason that it opens; an empty one needs none."""

    card: str
    said: str
    why: str
    kind: str = "badge"


def _badges(page: PageRead, known: SourceFacts, ui: Ui) -> Iterator[_Badge]:
    """Yield the kind of a page, and that it is recent."""
    decision = known.kinds.get(page.page)
    is_own = page.kind is SourceKind.DOCUMENT  # which says why by itself
    why = ui.of_term(decision.rule) if decision and not is_own else ""
    yield _Badge(f"kind {page.page}", ui.of_term(page.kind.label), why, "badge kind")
    if freshness(page.published, known.day).age is Age.RECENT:
        why = ui._("Counted back from the day of the run")
        yield _Badge(f"age {page.page}", ui._("last three months"), why)


def _badge(badge: _Badge, ui: Ui) -> Element:
    if not badge.why:
        return el("span", badge.kind, badge.said)
    return opener(badge.card, badge.kind, ui._("{badge}: why").format(badge=badge.said), badge.said)


def _reason(badge: _Badge, ui: Ui) -> list[Element]:
    said = el("div", "", el("strong", "", badge.said), el("p", "", badge.why))
    return [el("header", "card-head plain", said, closer(ui))]


def _head(page: PageRead, known: SourceFacts, ui: Ui) -> list[Element]:
    """Return title, site, date and what else is said of a page."""
    outside = (el("span", "badge", ui.of_term(limit.label), key=limit.value) for limit in page.outside)
    said = (_badge(badge, ui) for badge in _badges(page, known, ui))
    line = el(
        "p", "facts", el("span", "", page.site), _dated(page, known, ui), *said, _added(page, known, ui), *outside
    )
    return [link(page.url, page.title, "title"), line]


def _dated(page: PageRead, known: SourceFacts, ui: Ui) -> Element:
    if freshness(page.published, known.day).age is Age.UNKNOWN or not page.published:
        return el("span", "undated", icon("help"), page.published or "", ui._("date unknown"))
    return el("span", "", ui.partial_date(page.published))


def _added(page: PageRead, known: SourceFacts, ui: Ui) -> Element | None:
    day = known.added.get(page.page)
    return el("span", "badge", ui._("added on {date}").format(date=day)) if day else None


def _shown(page: PageRead, ui: Ui) -> Element:
    return sender(SHOW_PAGE + page.page, "textual", icon("description"), ui._("Show the page as it was read"))


class Marked(Protocol):
    """A part of a page that can be marked."""

    @property
    def start(self) -> int:
        """Offset of its first character."""

    @property
    def end(self) -> int:
        """Offset behind its last character."""


AROUND = 1_500
"""Characters shown on either side of a quote."""
MOST = 200_000
"""Characters shown at most."""


def window(text: str, focus: Marked | None, whole: bool) -> tuple[int, int]:
    """Return the part of `text` to show: around `focus`, or from the start, cut at line ends where they are near."""
    if whole or len(text) <= 2 * AROUND:
        return 0, min(len(text), MOST)
    start = max(0, focus.start - AROUND) if focus else 0
    end = min(len(text), (focus.end if focus else start + AROUND) + AROUND)
    line_start, line_end = text.rfind("\n", 0, start + 1) + 1, text.find("\n", end)
    if start - line_start <= AROUND // 4:
        start = line_start
    return start, line_end if 0 <= line_end - end <= AROUND // 4 else end


def snapshot(
    text: str, quotes: Sequence[Marked], focus: Marked | None, ui: Ui, *, whole: bool = False
) -> list[Element]:
    """Return `text` with `quotes` marked and `focus`, if any, brought into view."""
    start, end = window(text, focus, whole)
    headed = _HEADED.match(text)
    if headed and start == 0 and all(quote.start >= headed.end() for quote in (*quotes, *filter(None, [focus]))):
        start = headed.end()  # Title and date stand above the text.
    parts: list[Element | str] = []
    at = start
    for quote_start, quote_end, focused in _spans(quotes, focus):
        if quote_end <= at or quote_start >= end:
            continue
        parts.append(text[at : max(at, quote_start)])
        marked = text[max(at, quote_start) : min(end, quote_end)]
        # With a key of its own what is looked at comes into view each time.
        key = f"focus-{quote_start}" if focused else ""
        parts.append(el("mark", "focus" if focused else "", marked, data_scroll="" if focused else None, key=key))
        at = min(end, quote_end)
    parts.append(text[at:end])
    is_cut = start > (headed.end() if headed else 0)
    before = el("span", "cut", ui._("… earlier text left out")) if is_cut else None
    after = el("span", "cut", ui._("… later text left out")) if end < len(text) else None
    language = language_of(text[start:end])
    return [group("div", "snapshot", [before, *(part for part in parts if part), after], lang=language)]


_HEADED = re.compile(r"---\n(?:[\w-]+:[^\n]*\n)+---\s+")
"""What Markdown says of itself before its text."""


def _spans(quotes: Sequence[Marked], focus: Marked | None) -> list[tuple[int, int, bool]]:
    """Return the places to mark, in order and without overlap; the focus keeps all of its own."""
    spans = [(focus.start, focus.end, True)] if focus else []
    for quote in quotes:
        if all(quote.end <= start or quote.start >= end for start, end, _ in spans):
            spans.append((quote.start, quote.end, False))
    return sorted(spans)


_OPEN = "open_source"


def open_source(message: str, run_id: str | None = None) -> None:
    """Ask for the page or quote that `message` names; the drawer opens when the whole page runs next.

    It is one of the run that the address names, if no other is given.
    """
    if message.startswith(ALL):
        st.session_state[_OPEN] = (run_id or st.query_params.get("id"), message)
        st.rerun()


def show_source_drawer(run_id: str, reader: Ui) -> None:
    """Show the drawer if a source of this run was asked for."""
    if _asked_for(run_id) is None:
        return

    @st.dialog(reader._("The page as it was read"), position="right", width=640, on_dismiss=_close)
    def drawer() -> None:
        with no_traceback(reader):
            if asked := _asked_for(run_id):
                _draw(run_id, *asked, reader)

    drawer()


def _asked_for(run_id: str) -> tuple[PageRead, Marked | None] | None:
    run, message = st.session_state.get(_OPEN, ("", ""))
    return _wanted(current(run_id), message) if run == run_id else None


def _wanted(state: RunView, message: str) -> tuple[PageRead, Marked | None] | None:
    focus: Marked | None = passage_asked_for(message)
    name = message.removeprefix(SHOW_PAGE)
    if message.startswith(SHOW_QUOTE):
        quote = state.evidence.get(message.removeprefix(SHOW_QUOTE))
        focus, name = quote, quote.source if quote else ""
    elif isinstance(focus, PassageAddress):
        name = focus.page
    page = state.pages.get(name)
    return None if page is None else (page, focus)


def _close() -> None:
    st.session_state.pop(_OPEN, None)


def _draw(run_id: str, page: PageRead, focus: Marked | None, reader: Ui) -> None:
    def turn(message: str) -> None:
        st.session_state[_OPEN] = (run_id, message)

    evidence = current(run_id).evidence
    head = [el("p", "snapshot-title", link(page.url, page.title, "title")), facts(page, reader)]
    if isinstance(focus, Evidence):
        head.append(neighbours(_as_cited(run_id, evidence), focus.id, reader))
    show_nodes(head, key="snapshot_head", language=reader.language, on_message=turn)
    try:
        text = engine().store.page_text(page.sha256)
    except ResearchError:
        text = None
    quotes = [quote for quote in evidence.values() if quote.source == page.page]
    show_snapshot(text, quotes, focus, reader, key=f"snapshot_{page.page}")


def _as_cited(run_id: str, evidence: Mapping[str, Evidence]) -> list[str]:
    """Return the quotes of a run as its report cites them, and behind them the others."""
    record = engine().store.record(run_id)
    cited = [name for sentence in (record.sentences if record else ()) for name in sentence.evidence]
    return [name for name in dict.fromkeys([*cited, *evidence]) if name in evidence]


def neighbours(names: Sequence[str], at: str, ui: Ui) -> Element:
    """Return the ways from a quote to the one before and the one behind it."""
    place = names.index(at)

    def way(to: int, symbol: str, label: str) -> Element:
        is_there = 0 <= to < len(names)
        message = SHOW_QUOTE + names[to] if is_there else ""
        disabled = None if is_there else "true"
        return sender(message, "quiet", icon(symbol), aria_label=label, title=label, aria_disabled=disabled, key=symbol)

    said = ui._("Quote {place} of {count}").format(place=ui.number(place + 1), count=ui.number(len(names)))
    return el(
        "nav", "snapshot-ways",
        way(place - 1, "arrow_back", ui._("Previous quote")),
        el("span", "faint", said, role="status"),
        way(place + 1, "arrow_forward", ui._("Next quote")),
        aria_label=ui._("Quotes"), key="ways",
    )  # fmt: skip


def show_snapshot(text: str | None, quotes: Sequence[Marked], focus: Marked | None, reader: Ui, *, key: str) -> None:
    """Show the text of a page with its quotes; None if it is no longer stored."""
    if text is None:
        st.warning(reader._("The text of this page is no longer stored."), icon=":material/inventory_2:")
        return
    whole = len(text) > 2 * AROUND and st.toggle(reader._("Show the whole page"), key=f"{key}_whole")
    show_nodes(snapshot(text, quotes, focus, reader, whole=whole), key=f"{key}_text", language=reader.language)
