"""Under a report: what was asked about it, a field for the next question, and searches for what it does not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from pages.parts import component
from pages.parts.engine import engine
from pages.parts.library.run_nodes import OPEN_RUN
from pages.parts.live.run_state import current
from pages.parts.report import source_drawer
from pages.parts.report.asking import asking
from pages.parts.report.follow_up_nodes import FORGET, SEARCH, Searching, follow_ups, pending
from pages.parts.report.report_nodes import CitedReport
from pages.parts.session import no_traceback, ui
from pages.parts.ui import Ui
from research.errors import ResearchError, UsageError
from research.followup.answering import LONGEST
from research.followup.model import FollowUp, numbered_on
from research.runs import follow_ups as kept
from research.runs.model import RunState

FOLLOW_UPS = "follow-ups"
"""Where the table of contents finds the questions that are asked about the report."""

_EVERY = 1.0
"""Seconds between two looks at what is being answered or searched for."""
_WIDTH = 672
"""Pixels: as wide as the text of a report."""
_FAILED = "follow_up_failed"


def show(run_id: str, cited: CitedReport, reader: Ui) -> None:
    """Show the questions about the report of a run that has ended."""
    st.subheader(reader._("Follow-up questions"), anchor=FOLLOW_UPS)
    is_busy = _is_busy(kept.follow_ups(engine().store, run_id), run_id)
    st.fragment(_draw, run_every=_EVERY if is_busy else None)(run_id, cited, is_busy, reader)


def with_follow_ups(cited: CitedReport, run_id: str) -> CitedReport:
    """Return a report with the numbers of what only the answers to questions about it cite, and their text."""
    asked = kept.follow_ups(engine().store, run_id)
    numbers = numbered_on(cited.numbers, asked, cited.evidence)
    return replace(cited, numbers=numbers, draft="\n\n".join([cited.draft, *(one.answer.draft for one in asked)]))


def added_days(run_id: str, reader: Ui) -> dict[str, str]:
    """Return on which day each page joined the report that its own research had not read."""
    asked = kept.follow_ups(engine().store, run_id)
    days = {page: one.at.date().isoformat() for one in asked if one.at for page in one.answer.added}
    return {page: reader.partial_date(day) for page, day in days.items()}


def _is_busy(asked: Sequence[FollowUp], run_id: str) -> bool:
    """Whether something is being answered or searched for."""
    return bool(asking().pending(run_id)) or any(not search.is_over for search in _searches(asked).values())


def _draw(run_id: str, cited: CitedReport, was_busy: bool, reader: Ui) -> None:
    with no_traceback(reader):
        asked = kept.follow_ups(engine().store, run_id)
        if _is_busy(asked, run_id) != was_busy:
            st.rerun()  # The sources have grown, or there is something to wait for.
        state = current(run_id)
        now = with_follow_ups(replace(cited, evidence=state.evidence, pages=state.pages), run_id)
        tree, cards = follow_ups(asked, _searches(asked), now, reader)
        tree += pending(asking().pending(run_id), reader)
        component.show(
            tree, key="follow_ups", language=reader.language, cards=cards, on_message=lambda sent: _hear(run_id, sent)
        )
        if asking().failed(run_id):
            st.session_state[_FAILED] = reader._(
                "The question could not be answered. Ask again; details are in the log."
            )
        _complain()
        _field(run_id, reader)


def _searches(asked: Sequence[FollowUp]) -> dict[str, Searching]:
    """Return the searches that questions wait for, by the id of their runs."""
    found: dict[str, Searching] = {}
    for name in filter(None, (one.awaits for one in asked)):
        try:
            run = engine().store.get(name)
            found[name] = Searching(run.pages, run.state is not RunState.RUNNING)
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
        _try(lambda: asking().ask(run_id, question), reader)


def _hear(run_id: str, message: str) -> None:
    """Do what a button in the list asks for."""
    if message.startswith(SEARCH):
        _try(lambda: asking().search(run_id, int(message.removeprefix(SEARCH))), ui())
    elif message.startswith(FORGET):
        _try(lambda: kept.forget(engine().store, run_id, int(message.removeprefix(FORGET))), ui())
    elif message.startswith(OPEN_RUN):
        st.switch_page("pages/run.py", query_params={"id": message.removeprefix(OPEN_RUN)})
    else:
        source_drawer.open_source(message)


def _try(work: Callable[[], object], reader: Ui) -> None:
    """Do something that may not be possible; what then is wrong is said when the page is drawn."""
    try:
        work()
    except ResearchError as error:
        st.session_state[_FAILED] = reader._("This could not be started: {reason}").format(reason=reader.reason(error))


def _complain() -> None:
    if reason := st.session_state.pop(_FAILED, ""):
        st.error(reason, icon=":material/error:")
