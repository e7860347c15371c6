"""Further questions about a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages.parts.engine import current, engine
from pages.parts.frame import open_run
from pages.parts.library.runs import OPEN_RUN, run_link
from pages.parts.nodes import Element, el, group, icon, lang_of, sender, show_nodes
from pages.parts.report.sources import open_source
from pages.parts.report.text import CitedReport, on_a_line, report, tally
from pages.parts.ui import Ui, no_traceback, ui, verbatim
from research.core import FollowUpAnswered, ResearchError, UsageError, explain
from research.engine import LONGEST
from research.results import FollowUp, numbered_on
from research.store import RunSummary, follow_ups_to, forget_follow_up

SEARCH = "search:"
"""Message that asks to search for what a question asks; its number follows."""
FORGET = "forget:"
"""Message that asks to delete a question with its answer; its number follows."""


@dataclass(frozen=True)
class Searching:
    """How the search for a question is going."""

    pages: int
    """Sources read so far."""
    is_over: bool = False
    """It ended without joining the report."""


def follow_ups(
    asked: Sequence[FollowUp],
    searches: Mapping[str, Searching],
    cited: CitedReport,
    ui: Ui,
    *,
    is_own: bool = True,
) -> tuple[list[Element], dict[str, list[Element]]]:
    """Return the questions in order, and the cards that their citations open.

    `searches` holds the small runs that some of them wait for, by id; `cited` has the numbers of all sources. Of a
    run that is not the reader's own nothing can be searched or deleted.
    """
    shown: list[Element] = []
    cards: dict[str, list[Element]] = {}
    for one in asked:
        answer = one.answer
        body, more = report(replace(cited, draft=answer.draft, sentences=answer.sentences, left_out=(), day=None), ui)
        # The cards of verdicts are named by their place in a text, and there is more than one text.
        cards |= {f"{answer.number}{name}" if name.startswith("V") else name: card for name, card in more.items()}
        cards[_deletion(one)] = _ask_before_deleting(one, ui)
        text = [_renamed(block, str(answer.number)) for block in body] if answer.draft else []
        offers = _search(one, searches.get(one.awaits), ui) if is_own else None
        shown.append(_entry(one, text, offers, ui))
    return [group("ol", "follow-ups", shown, key="follow-ups")] if shown else [], cards


def _renamed(element: Element, prefix: str) -> Element:
    attributes, name = element.attributes, element.attributes.get("data-card", "")
    if name.startswith("V"):
        attributes = {**attributes, "data-card": prefix + name}
    inner = (_renamed(child, prefix) if isinstance(child, Element) else child for child in element.children)
    return replace(element, attributes=attributes, children=tuple(inner))


def _entry(one: FollowUp, text: Sequence[Element], offers: Element | None, ui: Ui) -> Element:
    answer = one.answer
    return el(
        "li", "follow-up",
        el("h3", "", answer.question, lang=lang_of(answer.question)),
        _byline(one, ui),
        *text,
        *_verdict(answer, ui),
        _added(answer, ui),
        offers,
        key=f"follow-up-{one.number}", tabindex="-1", data_arrives="",
    )  # fmt: skip


def _byline(one: FollowUp, ui: Ui) -> Element:
    answer = one.answer
    if not answer.draft:
        who = ui._("Asked of the evidence of this report")
    elif answer.writer == "extractive":
        who = ui._("Quotes nearest to the question, chosen by rule; no model wrote any of it")
    else:
        who = ui._("Written by the model {model} from the evidence of this report").format(model=answer.model)
    who = ui._("By the account of its file, unchecked: {claim}").format(claim=who) if answer.is_claimed else who
    when = ui.moment(one.at) if one.at else ""
    counted = tally(answer.sentences, ui) if answer.writer != "extractive" else ""
    return on_a_line([fact for fact in (who, when, counted) if fact])


def _verdict(answer: FollowUpAnswered, ui: Ui) -> list[Element]:
    """Say plainly what the evidence does not answer, and why no model wrote."""
    said = []
    if not answer.draft:
        said.append(("search_off", ui._("The evidence of this report says nothing on this.")))
    elif not answer.is_answered:
        by_rule = ui._("By rule it is not certain that this answers the question.")
        partly = ui._("The evidence does not fully answer this.")
        said.append(("contrast", answer.missing or (by_rule if answer.writer == "extractive" else partly)))
    elif not answer.is_covered:
        said.append(("contrast", ui._("Counted by rule, the quotes do not speak of everything that is asked.")))
    if answer.problem:
        said.append(("warning", explain(answer.problem, ui.language)))
    return [el("p", "verdict-line", icon(symbol), el("span", "", words)) for symbol, words in said]


def _added(answer: FollowUpAnswered, ui: Ui) -> Element | None:
    """Return the mark of what a search added, with the way to that search."""
    if not answer.run:
        return None
    if answer.added:
        day = ui.day(answer.at) if answer.at else ""
        counted = ui.n_("{count} new source", "{count} new sources", len(answer.added))
        words = ui._("Added on {date}: {sources}").format(date=day, sources=counted)
    else:
        words = ui._("A further search found nothing new.")
    kind = "delta" if answer.added else "delta none"
    return el(
        "p", kind, icon("add_circle" if answer.added else "search_off"), el("span", "", words),
        _way(answer.run, ui),
    )  # fmt: skip


def _way(run_id: str, ui: Ui) -> Element:
    return run_link(run_id, ui._("Open the search"), "textual")


def _search(one: FollowUp, searching: Searching | None, ui: Ui) -> Element:
    """Return how the search goes, or the offer of one."""
    if searching is not None and not searching.is_over:
        read = ui.n_("{count} source read", "{count} sources read", searching.pages)
        label = ui._("Searching: {sources}").format(sources=read)
        return el(
            "p", "delta", icon("progress_activity", "spin"), el("span", "", label), _way(one.awaits, ui), role="status"
        )
    broke = el("span", "faint", ui._("The last search broke off before it could be added.")) if searching else None
    answered = one.answer.is_answered and one.answer.is_covered
    label = ui._("Search further") if answered or one.answer.run else ui._("Search for this")
    offer = sender(f"{SEARCH}{one.number}", "offer quiet-offer" if answered else "offer", icon("travel_explore"), label)
    remove = ui._("Delete this question")
    return el(
        "div", "offers", offer, broke,
        el(
            "button", "quiet", icon("delete"), type="button", title=remove,
            data_card=_deletion(one), data_calm="", aria_label=remove, aria_haspopup="dialog", aria_expanded="false",
        ),
    )  # fmt: skip


def _deletion(one: FollowUp) -> str:
    """Return the name of the card that asks whether to delete a question."""
    return f"delete-{one.number}"


def _ask_before_deleting(one: FollowUp, ui: Ui) -> list[Element]:
    kept = ui._("The question is deleted with its answer. Sources that a search for it found stay.")
    buttons = [
        sender("close", "offer quiet-offer", ui._("Cancel")),
        sender(f"{FORGET}{one.number}", "offer", icon("delete"), ui._("Delete")),
    ]
    return [el("div", "card-question", el("p", "", kept), group("div", "offers", buttons))]


def pending(questions: Sequence[str], ui: Ui) -> list[Element]:
    """Return the questions that are being answered."""
    words = ui._("Reading the evidence of this report…")
    return [
        el(
            "div", "follow-up waiting",
            el("h3", "", question),
            el("p", "delta", icon("progress_activity", "spin"), words, role="status"),
            key=f"pending-{question}", data_arrives="",
        )
        for question in questions
    ]  # fmt: skip


FOLLOW_UPS = "follow-ups"
"""Where the table of contents finds the questions that are asked about the report."""

_EVERY = 1.0
"""Seconds between two looks at what is being answered or searched for."""
_WIDTH = 672
"""Pixels: as wide as the text of a report."""
_FAILED = "follow_up_failed"


def show_follow_ups(run: RunSummary, cited: CitedReport, reader: Ui) -> None:
    """Show the questions about the report of a run that has ended."""
    st.header(reader._("Follow-up questions"), anchor=FOLLOW_UPS)
    is_busy = _is_busy(follow_ups_to(engine().store, run.id), run.id)
    st.fragment(_draw, run_every=_EVERY if is_busy else None)(run.id, run.is_own, cited, is_busy, reader)


def with_follow_ups(cited: CitedReport, run_id: str) -> CitedReport:
    """Return a report with the numbers of what only the answers to questions about it cite, and their text."""
    asked = follow_ups_to(engine().store, run_id)
    numbers = numbered_on(cited.numbers, asked, cited.evidence)
    return replace(cited, numbers=numbers, draft="\n\n".join([cited.draft, *(one.answer.draft for one in asked)]))


def added_days(run_id: str, reader: Ui) -> dict[str, str]:
    """Return on which day each page joined the report that its own research had not read."""
    asked = follow_ups_to(engine().store, run_id)
    return {page: reader.day(one.at) for one in asked if one.at for page in one.answer.added}


def _is_busy(asked: Sequence[FollowUp], run_id: str) -> bool:
    """Whether something is being answered or searched for."""
    return bool(engine().asking.pending(run_id)) or any(not search.is_over for search in _searches(asked).values())


def _draw(run_id: str, is_own: bool, cited: CitedReport, was_busy: bool, reader: Ui) -> None:
    with no_traceback(reader):
        asked = follow_ups_to(engine().store, run_id)
        if _is_busy(asked, run_id) != was_busy:
            st.rerun()  # The sources have grown, or there is something to wait for.
        state = current(run_id)
        now = with_follow_ups(replace(cited, evidence=state.evidence, pages=state.pages), run_id)
        tree, cards = follow_ups(asked, _searches(asked), now, reader, is_own=is_own)
        tree += pending(engine().asking.pending(run_id), reader)
        show_nodes(
            tree, key="follow_ups", language=reader.language, cards=cards, on_message=lambda sent: _hear(run_id, sent)
        )
        if engine().asking.failed(run_id):
            st.session_state[_FAILED] = reader._(
                "The question could not be answered. Ask again; details are in the log."
            )
        _complain()
        if is_own:
            _field(run_id, reader)


def _searches(asked: Sequence[FollowUp]) -> dict[str, Searching]:
    """Return the searches that questions wait for, by the id of their runs."""
    found: dict[str, Searching] = {}
    for name in filter(None, (one.awaits for one in asked)):
        try:
            run = engine().store.get(name)
            found[name] = Searching(run.pages, not run.state.is_open)
        except UsageError:
            found[name] = Searching(0, is_over=True)
    return found


def _field(run_id: str, reader: Ui) -> None:
    st.container(width=_WIDTH).chat_input(
        reader._("Ask about this report"),
        key="follow_up_question",
        max_chars=LONGEST,
        on_submit=_ask,
        args=(run_id, reader),
    )


def _ask(run_id: str, reader: Ui) -> None:
    question = str(st.session_state.get("follow_up_question") or "").strip()
    if question:
        _try(lambda: engine().asking.ask(run_id, question), reader)


def _hear(run_id: str, message: str) -> None:
    """Do what a button in the list asks for."""
    if message.startswith(SEARCH):
        _try(lambda: engine().asking.search(run_id, int(message.removeprefix(SEARCH))), ui())
    elif message.startswith(FORGET):
        _try(lambda: forget_follow_up(engine().store, run_id, int(message.removeprefix(FORGET))), ui())
    elif message.startswith(OPEN_RUN):
        open_run(message)
    else:
        open_source(message)


def _try(work: Callable[[], object], reader: Ui) -> None:
    """Do something that may not be possible; what then is wrong is said when the page is drawn."""
    try:
        work()
    except ResearchError as error:
        st.session_state[_FAILED] = reader._("This could not be started: {reason}").format(reason=reader.reason(error))


def _complain() -> None:
    if reason := st.session_state.pop(_FAILED, ""):
        st.error(verbatim(reason), icon=":material/error:")
