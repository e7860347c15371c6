"""Lists of runs."""

from __future__ import annotations

from collections.abc import Sequence

from pages.parts.header_nodes import STATE_ICONS, analyst_label, state_label
from pages.parts.nodes import Element, el, group, icon, sender
from pages.parts.ui import Ui
from research.brief_text import method_of
from research.runs.model import RunState, RunSummary

OPEN_RUN = "open:"
"""Message that asks to open a run; its id follows."""
DELETE_RUN = "delete:"
"""Message that asks to delete a run; its id follows."""

_TITLE = 160


def title(question: str) -> str:
    """Return a question as one line that is not too long for a list."""
    line = " ".join(question.split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"


def runs(summaries: Sequence[RunSummary], ui: Ui) -> list[Element]:
    """Return runs as rows that open, each with its delete button."""
    return [group("ul", "runs", [_row(run, ui) for run in summaries])]


def _row(run: RunSummary, ui: Ui) -> Element:
    words = title(run.question)
    facts = [
        ui.moment(run.created_at),
        ui.duration(run.seconds),
        ui.n_("{count} source", "{count} sources", run.pages),
        ui.of_term(method_of(run.brief).label),
        analyst_label(run.analyst, ui),
    ]
    removable = run.state is not RunState.RUNNING
    return el(
        "li", "run",
        _state(run, ui),
        el("div", "", _opener(run, words), el("p", "facts", " · ".join(facts))),
        sender(DELETE_RUN + run.id, "quiet", icon("delete"), aria_label=ui._("Delete “{title}”").format(title=words))
        if removable else el("span"),
        key=run.id,
    )  # fmt: skip


def _state(run: RunSummary, ui: Ui) -> Element:
    return el("span", f"state {run.state}", _icon(run), el("span", "", state_label(run.state, ui)))


def _icon(run: RunSummary) -> Element:
    return icon(STATE_ICONS[run.state], "spin" if run.state is RunState.RUNNING else "")


def _opener(run: RunSummary, words: str) -> Element:
    return el("a", "title", words, href=f"./run?id={run.id}", data_send=OPEN_RUN + run.id)


def recent(summaries: Sequence[RunSummary], ui: Ui) -> list[Element]:
    """Return the latest runs for the side of every page."""
    rows = [
        el(
            "li", "",
            el("span", f"dot {run.state}", _icon(run)),
            _opener(run, title(run.question)),
            el("span", "unseen", state_label(run.state, ui)),
            key=run.id,
        )
        for run in summaries
    ]  # fmt: skip
    return [el("h2", "aside-title", ui._("Recent runs")), group("ul", "recent", rows)]
