"""The report of a run that has ended: who wrote it, what stands behind its sentences, its text, its limits."""

from __future__ import annotations

import streamlit as st

from pages.parts import component, source_drawer
from pages.parts.header_nodes import problems, skipped
from pages.parts.live_view import LiveState
from pages.parts.nodes import Element, el, icon
from pages.parts.report_nodes import CitedReport, report
from pages.parts.ui import Ui
from pages.parts.verdict_nodes import is_checked, left_out, summary, weak_count
from research.presets import Role


def show(cited: CitedReport, writer: str, state: LiveState, reader: Ui) -> None:
    """Show it; `writer` is empty if nobody finished it."""
    top = [_writer(writer, state, cited, reader), *summary(cited.sentences, reader)]
    component.show(top, key="report_top", language=reader.language)
    to_check = _only_what_needs_checking(cited, reader)
    body, cards = report(cited, reader, to_check=to_check)
    if not cited.draft.strip():
        body = [el("p", "faint", reader._("There is no report. What was found stands under the other headings."))]
    tree: list[Element] = [*body, *left_out(cited.left_out, cited.evidence, reader)]
    component.show(tree, key="report", language=reader.language, cards=cards, on_message=source_drawer.open_source)
    shown = [*problems(state.problems, reader), *skipped(state, reader)]
    if shown:
        st.subheader(reader._("Limits of this report"), anchor=False)
        component.show(shown, key="run_problems", language=reader.language)


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
    return el("div", "mode measure", icon(symbol), el("strong", "", head), el("p", "", what), key="writer")


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
