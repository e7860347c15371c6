"""The report of a run that has ended: who wrote it, what stands behind its sentences, its text, its limits."""

from __future__ import annotations

import streamlit as st

from pages.parts import component
from pages.parts.live.live_view import LiveState
from pages.parts.nodes import Element, el, group, icon
from pages.parts.report import source_drawer
from pages.parts.report.follow_up_panel import FOLLOW_UPS
from pages.parts.report.header_nodes import problems, skipped
from pages.parts.report.missing_nodes import missing
from pages.parts.report.reading_nodes import Chapter, folio, part, with_places
from pages.parts.report.report_nodes import CitedReport, report
from pages.parts.report.verdict_nodes import is_checked, left_out, summary, weak_count
from pages.parts.ui import Ui
from research.presets import Role
from research.trail import Trail


def show(cited: CitedReport, writer: str, state: LiveState, trail: Trail, reader: Ui) -> None:
    """Show it; `writer` is empty if nobody finished it."""
    is_there = bool(cited.draft.strip())
    about = [_writer(writer, state, cited, reader), *summary(cited.sentences, reader)]
    top = [group("section", "about measure", about, key="about")] if is_there else []
    component.show(top, key="report_top", language=reader.language)
    to_check = _only_what_needs_checking(cited, reader)
    (article,), cards = report(cited, reader, to_check=to_check)
    if not is_there:
        article = el("div", "", el("p", "note", _instead(state, reader)))
    text, chapters = with_places(article)
    trouble = Chapter("limits", reader._("Limits of this report") if is_there else reader._("What went wrong"))
    # A report by rule lists itself what is missing.
    added = _added(trouble, state, Trail() if writer == "extractive" else trail, reader)
    further = [Chapter(FOLLOW_UPS, reader._("Follow-up questions"))] if state.evidence else []
    pieces = [text, *left_out(cited.left_out, cited.evidence, reader), *(part(*one, reader) for one in added)]
    tree = folio(pieces, [*chapters, *(chapter for chapter, _ in added), *further], reader)
    component.show(tree, key="report", language=reader.language, cards=cards, on_message=source_drawer.open_source)


def _instead(state: LiveState, reader: Ui) -> str:
    """Say that there is no report, and where to look instead."""
    if state.pages:
        return reader._("There is no report. What was found stands under the other tabs.")
    return reader._("There is no report: no source was read.")


def _added(trouble: Chapter, state: LiveState, trail: Trail, reader: Ui) -> list[tuple[Chapter, list[Element]]]:
    """Return what the program says under the report, as far as there is anything to say."""
    parts = [
        (Chapter("not-found", reader._("What was not found")), missing(trail, reader)),
        (trouble, [*problems(state.problems, reader), *skipped(state, reader)]),
    ]
    return [(chapter, shown) for chapter, shown in parts if shown]


def _only_what_needs_checking(cited: CitedReport, reader: Ui) -> bool:
    """Ask whether to show nothing but what needs checking, if there is any."""
    count = weak_count(cited.sentences) if is_checked(cited.sentences) else 0
    if not count:
        return False
    label = reader.n_(
        "Show only what needs checking ({count} sentence)", "Show only what needs checking ({count} sentences)", count
    )
    return st.toggle(label, key="to_check")


def _writer(writer: str, state: LiveState, cited: CitedReport, reader: Ui) -> Element:
    """Say who wrote the report, and what that means for the reader."""
    if writer == "extractive":
        symbol, head = "rule", reader._("Composed by rule of verbatim quotes")
        what = reader._("No model wrote any of it. Each number opens the quote and the page in which it stands.")
    elif writer:
        symbol = "smart_toy"
        head = reader._("Written by the model {model}").format(model=state.models.get(Role.FINAL_REPORT, writer))
        what = _of_a_model(cited, reader)
    else:
        symbol, head = "pause_circle", reader._("Not finished")
        what = reader._("This is as far as the report was written.")
    return el("div", "mode", icon(symbol), el("strong", "", head), el("p", "", what), key="writer")


def _of_a_model(cited: CitedReport, reader: Ui) -> str:
    if is_checked(cited.sentences):
        return reader._(
            "Every quote behind a number stands in its page. The mark behind a sentence says what the rules found "
            "when they held the sentence against that page."
        )
    return reader._(
        "Every quote behind a number stands in its page. The sentences of this run were not held against their "
        "pages: open the number and see."
    )
