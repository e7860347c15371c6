"""What contradicts, what is missing, what to read first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

import streamlit as st
from babel.dates import get_timezone

from pages.parts.engine import engine
from pages.parts.live.thoughts import heading
from pages.parts.nodes import Element, el, group, icon, link, sender, show_nodes, unbroken
from pages.parts.report.sources import open_source
from pages.parts.report.text import (
    OPPOSED,
    SHOW_QUOTE,
    CitedReport,
    added_badge,
    closer,
    facts,
    opener,
    report,
    section_level,
    source_list,
)
from pages.parts.ui import Ui, no_traceback, ui, verbatim
from research.core import PageRead, RunView
from research.export.markdown import clean_notes, note_numbers, notes_json, notes_markdown
from research.export.words import period_in_words
from research.language import COLON
from research.quantities import FigureRow, figure_rows, label_as_written, stands_for_more
from research.results import Remark, ResearchNote, RunRecord, TopicTrail, Trail, added_on, concentration
from research.sources import KindDecision, decision_for
from research.store import delete_notes, follow_ups_to, load_report
from research.verification import (
    COMPUTED,
    Contradiction,
    ContradictionKind,
    Quantity,
    Side,
    quantities_in,
    subject_named,
)


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
    cards = [_contradiction_card(one, pages, added or {}, ui, str(place)) for place, one in enumerate(found)]
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


def _contradiction_card(
    one: Contradiction, pages: Mapping[str, PageRead], added: Mapping[str, date], ui: Ui, key: str
) -> Element:
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
        el("h2", "", _head(one, ui)),
        el("p", "note", ui.of_term(one.note)),
    )  # fmt: skip
    sides = [_side(side, pages.get(side.source), added.get(side.evidence), ui) for side in one.sides]
    return el("article", "contradiction", head, group("div", "sides", sides), key=key)


def _head(one: Contradiction, ui: Ui) -> str:
    return " · ".join(part for part in (one.subject, _label(one, ui)) if part)


class Opposed(NamedTuple):
    """What a report shows of contradictions of which it tells a side."""

    top: list[Element]
    """A line for each, over the report."""
    sentences: dict[int, str]
    """The card of a contradiction by the start of each sentence that tells a side of it."""
    cards: dict[str, list[Element]]


_AT_TOP = 3
"""Contradictions that are named over the report."""


def opposed(found: Sequence[Contradiction], cited: CitedReport, ui: Ui) -> Opposed:
    """Return what the report shows of contradictions; of sentences that cite a side, those that name its value.

    Where none names it, as in other words or another language, each of them tells that side.
    """
    lines: list[Element] = []
    sentences: dict[int, str] = {}
    cards: dict[str, list[Element]] = {}
    for place, one in enumerate(found):
        citing = [(side, told) for side in one.sides for told in cited.sentences if side.evidence in told.evidence]
        if not citing:
            continue
        card, line = f"X{place}", group("span", "", _with_values(_head(one, ui), one, ui))
        lines.append(el("li", "", opener(card, "textual", line.text(), line, is_calm=True), key=card))
        cards[card] = _opposed_card(one, cited.pages, ui)
        for told in [told for side, told in citing if side.value in told.text] or [told for _, told in citing]:
            sentences.setdefault(told.start, card)
    if more := lines[_AT_TOP:]:
        said = ui._("More under Contradictions: {count}").format(count=ui.number(len(more)))
        lines[_AT_TOP:] = [el("li", "faint", said, key="more")]
    head = el("h2", "", icon(OPPOSED), el("span", "", ui._("Contradictions")))
    top = [el("div", "checked disputed", head, group("ul", "", lines), key="disputed")] if lines else []
    return Opposed(top, sentences, cards)


def _with_values(head: str, one: Contradiction, ui: Ui) -> Iterator[Element | str]:
    """Yield what is told differently, and each value, which stays on one line."""
    yield head
    for place, value in enumerate(dict.fromkeys(side.value for side in one.sides if side.value)):
        yield " / " if place else COLON.in_(ui.language) if head else ""
        yield el("span", "nobr", value)


def _opposed_card(one: Contradiction, pages: Mapping[str, PageRead], ui: Ui) -> list[Element]:
    header = el(
        "header", "card-head",
        icon(OPPOSED),
        el("div", "", el("strong", "", _head(one, ui)), el("p", "", ui.of_term(one.note))),
        closer(ui),
    )  # fmt: skip
    sides = [_side(side, pages.get(side.source), None, ui) for side in one.sides]
    return [header, group("div", "card-body", sides)]


def _label(one: Contradiction, ui: Ui) -> str:
    """Return what the sources speak of; the period behind it in the reader's words."""
    if one.kind is ContradictionKind.NAMED:
        return one.label
    label = label_as_written(one.label)
    what, bracket, period = label.rpartition(" (")
    if not bracket or not period.endswith(")"):
        return label
    return ui.bracketed(what, period_in_words(period[:-1], ui.language))


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
    return [*unbroken(before), *([el("mark", "", value)] if value else ()), *unbroken(after)]


_LITTLE = 0.5
"""Share of a kind of information up to which little of it was found."""
_QUERIES = 6


def missing(trail: Trail, ui: Ui) -> list[Element]:
    """Return what was not found; nothing if all was, or nothing was counted."""
    topics = [line for topic in trail.topics for line in _topic(topic, ui)]
    vain = list(
        dict.fromkeys(one.query for topic in trail.topics for one in topic.queries if _is_vain(one.hits, one.answered))
    )
    found: list[Element] = []
    if topics:
        said = ui._("Counted by rule from the quotes of each topic; what is said in other words may be overlooked.")
        found += [group("ul", "", topics), el("p", "faint", said)]
    if vain:
        listed = " · ".join(vain[:_QUERIES])
        more = len(vain) - _QUERIES
        rest = " " + ui.n_("and {count} more", "and {count} more", more) if more > 0 else ""
        found.append(el("p", "faint", ui._("Searches that found nothing: {queries}").format(queries=listed) + rest))
    return found


def _is_vain(hits: int, answered: int) -> bool:
    return not hits and answered > 0


def _topic(topic: TopicTrail, ui: Ui) -> Iterator[Element]:
    """Yield the line of a topic of which something is missing."""
    nothing = [kind for kind, share in topic.coverage.items() if not share]
    little = [kind for kind, share in topic.coverage.items() if 0 < share < _LITTLE]
    said = [
        ui._("nothing on {kinds}").format(kinds=ui.listed(nothing)) if nothing else "",
        ui._("little on {kinds}").format(kinds=ui.listed(little)) if little else "",
    ]
    if any(said):
        words = [el("span", "what", text) for text in said if text]
        yield el("li", "", el("strong", "", topic.title or heading(topic.topic)), *words, key=topic.lane)


@dataclass(frozen=True)
class Chapter:
    """An entry of the table of contents."""

    place: str
    """Id of the heading that it leads to."""
    title: str


def with_places(article: Element) -> tuple[Element, list[Chapter]]:
    """Return a report whose section headings can be gone to, and the chapters that they begin."""
    blocks = [child for child in article.children if isinstance(child, Element)]
    level = section_level(blocks)
    chapters: list[Chapter] = []
    placed: list[Element] = []
    for place, block in enumerate(blocks):
        if block.tag == level and not (place == 0 and level == "h2"):
            chapters.append(Chapter(f"section-{len(chapters) + 1}", _words(block)))
            block = _target(block, chapters[-1].place)  # noqa: PLW2901 - the same heading, with a place
        placed.append(block)
    return replace(article, children=tuple(placed)), chapters


def _target(heading: Element, place: str) -> Element:
    return replace(heading, attributes={**heading.attributes, "id": place, "tabindex": "-1"})


def _words(heading: Element) -> str:
    """Return the words of a heading without the numbers of its citations."""
    parts = (
        child if isinstance(child, str) else "" if _is_mark(child) else _words(child) for child in heading.children
    )
    return "".join(parts).strip()


def _is_mark(element: Element) -> bool:
    return element.tag == "button" or "cites" in element.attributes.get("class", "").split()


def part(chapter: Chapter, children: Iterable[Element], ui: Ui) -> Element:
    """Return what the program adds to a report, under a heading of its own."""
    head = el("h3", "", chapter.title, id=chapter.place, tabindex="-1")
    return group("section", "report part", [head, *children], lang=ui.language.value, key=chapter.place)


def folio(text: Sequence[Element], chapters: Sequence[Chapter], ui: Ui) -> list[Element]:
    """Return a text with its table of contents: beside it where there is room, else folded above it."""
    if len(chapters) < _WORTH_LISTING:
        return list(text)
    label = ui._("Contents")
    entries = [_entry(chapter) for chapter in chapters]
    beside = el("nav", "toc", el("h2", "", label), group("ol", "", entries), aria_label=label, key="toc")
    above = el(
        "details", "toc-folded",
        el("summary", "", icon("toc"), el("span", "", label)),
        el("nav", "", group("ol", "", entries), aria_label=label),
        key="toc-folded",
    )  # fmt: skip
    return [el("div", "folio", above, beside, group("div", "folio-text", text, key="text"), key="folio")]


def _entry(chapter: Chapter) -> Element:
    return el("li", "", el("button", "", chapter.title, type="button", data_goto=chapter.place), key=chapter.place)


_WORTH_LISTING = 3


def show_notes(
    notes: Sequence[ResearchNote], record: RunRecord, state: RunView, reader: Ui, *, is_own: bool = True
) -> None:
    """Show the notes of a run; `state` holds its pages and quotes, and who owns it may delete them."""
    tree, cards = note_cards(notes, record, state, reader)
    show_nodes(tree, key="notes", language=reader.language, cards=cards, on_message=open_source)
    with st.container(horizontal=True, vertical_alignment="center"):
        _download(reader._("Download notes as Markdown"), notes_markdown(notes, record), f"{record.run}-notes.md")
        _download(reader._("Download notes as JSON"), notes_json(notes, record), f"{record.run}-notes.json")
        if is_own:
            with st.popover(reader._("Delete the notes"), icon=":material/delete:"):
                _ask(record.run, state, reader)


def note_cards(
    notes: Sequence[ResearchNote], record: RunRecord, state: RunView, ui: Ui
) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the notes by step, and the cards that their citations open; numbers are those of the report."""
    clean = clean_notes(notes, record)
    whole = replace(CitedReport.of_record(record, state), numbers=note_numbers(clean, record), sentences=(), day=None)
    shown: list[Element] = []
    cards: dict[str, list[Element]] = {}
    for note in clean:
        body, more = report(replace(whole, draft=note.summary), ui)
        cards |= more
        shown.append(_card(note, body, whole, record, ui))
    said = ui._("What each query brought, noted down as its results came in. Numbers are those of the report.")
    return [el("p", "faint measure", said, key="said"), group("ol", "research-notes", shown, key="cards")], cards


def _card(note: ResearchNote, body: list[Element], cited: CitedReport, record: RunRecord, ui: Ui) -> Element:
    sources = [
        (el("span", "number", str(cited.numbers[page])), cited.pages[page])
        for page in sorted(note.sources, key=cited.numbers.__getitem__)
        if page in cited.pages
    ]
    return el(
        "li", "research-note",
        el("p", "step", ui._("Step {step}").format(step=ui.number(note.step))),
        el("h2", "", note.query, lang=cited.brief.language.value),
        *body,
        source_list(ui._("Sources"), sources, record.day, ui) if sources else None,
        key=f"note-{note.step}",
    )  # fmt: skip


def _download(label: str, data: str, name: str) -> None:
    mime = "application/json" if name.endswith(".json") else "text/markdown"
    st.download_button(
        verbatim(label), data=data, file_name=name, mime=mime, icon=":material/download:", on_click="ignore", key=name
    )


def _ask(run_id: str, state: RunView, reader: Ui) -> None:
    """Ask once more before the notes of this run, and nothing else, are deleted."""
    st.caption(reader._("The notes of this run are deleted for good. Its report, sources and quotes stay."))
    st.button(
        reader._("Delete"),
        type="primary",
        icon=":material/delete:",
        key="delete_notes",
        on_click=_delete,
        args=(run_id, state, reader),
    )


def _delete(run_id: str, state: RunView, reader: Ui) -> None:
    with no_traceback(reader):
        delete_notes(engine().store, run_id)
        state.forget_notes()  # what this session has read of the run already


_KEPT = 8
"""Runs of which the results are kept."""


@dataclass(frozen=True)
class RunFindings:
    """What was found in the sources of a run."""

    day: date
    """That of the run."""
    contradictions: tuple[Contradiction, ...]
    kinds: dict[str, KindDecision]
    """Kind of each page, with its rule, by page id."""
    remarks: tuple[Remark, ...]
    added: dict[str, date]
    """The day, where the reader is, on which a quote joined the run by a further question, by its id."""


def findings_of_run(run_id: str) -> RunFindings:
    """Return what was found in the sources of a run that has ended, and in what joined it since."""
    return _findings(run_id, _stand(run_id), str(ui().timezone))


def figures_of_run(run_id: str) -> tuple[list[FigureRow], list[Quantity]]:
    """Return every figure in the evidence of a run and in what joined it since, and what several measure in common."""
    return _figures(run_id, _stand(run_id))


def _stand(run_id: str) -> tuple[str, ...]:
    """Return what changes with what is known: when a run ended, as one that broke off may go on, and what joined it."""
    store = engine().store
    joined = (one.answer.run for one in follow_ups_to(store, run_id) if one.answer.run)
    return str(store.get(run_id).finished_at), *joined


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _findings(run_id: str, stand: tuple[str, ...], zone: str) -> RunFindings:
    report = load_report(engine().store, run_id)
    held = {quote.id: quote for quote in report.evidence_now}
    cited = [[name for name in sentence.evidence if name in held] for sentence in report.record.sentences]
    return RunFindings(
        report.record.day,
        report.contradictions_now,
        {name: decision_for(page) for name, page in report.pages.items()},
        concentration(cited, held, report.pages),
        added_on(report.view, get_timezone(zone)),
    )


@st.cache_data(show_spinner=False, max_entries=_KEPT)
def _figures(run_id: str, stand: tuple[str, ...]) -> tuple[list[FigureRow], list[Quantity]]:
    report = load_report(engine().store, run_id)
    rows = figure_rows(report.evidence_now, report.pages)
    said = report.record.draft.lower()  # What the report speaks of comes first: the revenue, then the units beside it.
    told = [one for one in report.record.sentences if one.reason_code in COMPUTED]
    of_rows = {name for one in told if stands_for_more(one.text, len(one.evidence)) for name in one.evidence}
    # Rows that only stand for what many come to are no figures to be held against each other.
    compared = [row for row in rows if row.evidence not in of_rows]
    quantities = sorted(quantities_in(compared), key=lambda one: one.label.lower() not in said)
    return [replace(row, subject=subject_named(row)) for row in rows], quantities
