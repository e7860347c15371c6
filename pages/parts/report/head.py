"""The head of a finished run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from pages.parts.nodes import Element, el, group, icon, lang_of, mixed, rows_of
from pages.parts.ui import Ui
from research.core import Phase, ProblemOccurred, RunView, Stage, explain
from research.store import RunSummary
from research.text import columns, head_of

INTERRUPTED = "interrupted"
"""The state of a run whose process died; the others are those of `research.events.Status`, `running` and `waiting`."""


_NEAR = 0.9
"""Share of a cap from which it stands out."""
_PROBLEMS = 4
"""Kinds of trouble that are shown at once; where there are more, the others are folded."""
_PROBLEMS_AT_MOST = 60
_LONG = 180
"""Characters from which a question is shown as a text instead of as a title."""
_FOLDED = 340
"""Columns, of which wide characters take two, from which only the first lines of a text are shown."""


def headline(run: RunSummary) -> list[Element]:
    """Return the user's own title with the question under it, or the question alone; then the tags."""
    kind = "question long" if len(run.name) > _LONG else "question"
    star = el("span", "starred", "★", aria_hidden="true") if run.starred else None
    head = [_folded(el("h1", kind, run.title or head_of(run.question), star, lang=lang_of(run.name)))]
    head += [_folded(el("p", "faint asked-for", run.question, lang=lang_of(run.question)))] if run.title else []
    tags = [el("span", "tag", tag, key=tag) for tag in run.tags]
    return [*head, *([group("p", "labels", tags)] if tags else [])]


def _folded(text: Element) -> Element:
    """Return a text; of a very long one the first lines, which unfold."""
    if columns(text.text()) <= _FOLDED:
        return text
    return el("details", "fold headline", el("summary", "", text, icon("expand_more")))


def state_label(state: str, ui: Ui) -> str:
    """Return the name of a run's state, as the store gives it."""
    labels = {
        "waiting": ui._("Waiting"),
        "running": ui._("Running"),
        "complete": ui._("Complete"),
        "partial": ui._("Partial"),
        "failed": ui._("Failed"),
        INTERRUPTED: ui._("Interrupted"),
    }
    return labels.get(state, state)


STATE_ICONS = {
    "waiting": "schedule",
    "running": "progress_activity",
    "complete": "check_circle",
    "partial": "contrast",
    "failed": "error",
    INTERRUPTED: "pause_circle",
}


def analyst_label(analyst: str, ui: Ui) -> str:
    """Return what did the work, in words."""
    return ui._("No model") if analyst == "extractive" else ui._("Chat models")


def header(state: RunView, run_state: str, now: datetime, ui: Ui) -> list[Element]:
    """Return the line of state and figures, and while the run is under way its bar."""
    badge = el(
        "span",
        f"state {run_state}",
        icon(STATE_ICONS.get(run_state, "help"), "spin" if run_state == "running" else ""),
        _doing(state, run_state, ui),
        role="status",
    )
    figures = rows_of("figures", _figures(state, run_state, now, ui), "figure")
    parts: list[Element] = [el("div", "run-head", badge, figures, *_caps(state, run_state, now, ui), key="head")]
    if run_state == "running":
        label = ui._("Progress: {share}").format(share=ui.percent(state.progress))
        parts.append(
            el(
                "div",
                "bar",
                el("progress", "", max="100", value=str(round(state.progress * 100)), aria_label=label),
                key="bar",
            )
        )
    return parts


def _doing(state: RunView, run_state: str, ui: Ui) -> str:
    if run_state != "running":
        return state_label(run_state, ui)
    if state.stop_requested:
        return ui._("Stopping")
    unread = [entry for entry in state.indexing.values() if entry.done < entry.total]
    if unread:
        done = sum(entry.done for entry in unread)
        total = sum(entry.total for entry in unread)
        return ui._("Reading documents ({done} of {total})").format(done=ui.number(done), total=ui.number(total))
    if state.phase is Phase.WRITING:
        return writing(state, ui)
    return ui._("Finishing") if state.finish_requested else _researching(state, ui)


def _researching(state: RunView, ui: Ui) -> str:
    if state.plan.begins_at is not None:
        return ui._("The plan is being edited") if state.plan.is_held else ui._("The plan can be edited")
    return ui._("Researching") if state.lanes else ui._("Planning")


_SECTION = re.compile(r"^## ", re.MULTILINE)


def writing(state: RunView, ui: Ui) -> str:
    """Say at which section the writing is, where it is known how many there will be."""
    if state.sections:  # of topics that are still researched nobody knows whether they will have one
        total = len(state.sections if state.phase is Phase.WRITING else state.lanes)
        at = 1 + sum(one.is_whole for one in state.sections.values())
    else:
        total = len(state.plan.outline.sections) if state.plan.outline else 0
        at = len(_SECTION.findall(state.draft))
    if not 1 <= at <= total:
        return ui._("Writing the report")
    return ui._("Writing the report: section {at} of {total}").format(at=ui.number(at), total=ui.number(total))


def _figures(state: RunView, run_state: str, now: datetime, ui: Ui) -> Iterable[tuple[str, str]]:
    spent = state.total
    yield ui._("Time"), ui.duration(_elapsed(state, run_state, now))
    yield ui._("Searches"), ui.number(len(state.queries))
    yield ui._("Sources"), ui.number(len(state.pages))
    yield ui._("Quotes"), ui.number(len(state.evidence))
    if state.analyst in ("", "extractive"):  # of a run that has just been asked nobody knows yet
        return
    yield ui._("Tokens"), ui.number(spent.tokens)
    if spared := state.spared_tokens + spent.cached_tokens:
        yield ui._("Tokens spared"), ui.number(spared)
    at_least = ui._("{amount} or more") if spent.unpriced and spent.cost_usd else "{amount}"
    unknown = spent.unpriced and not spent.cost_usd
    yield ui._("Cost"), ui._("not known") if unknown else at_least.format(amount=ui.dollars(spent.cost_usd))
    if state.saved:
        yield ui._("From cache"), ui.number(state.saved)


def _elapsed(state: RunView, run_state: str, now: datetime) -> float:
    if state.seconds is not None:
        return state.seconds
    until = now if run_state == "running" else state.last_at
    return max(0.0, (until - state.started_at - state.paused).total_seconds()) if until and state.started_at else 0.0


def _caps(state: RunView, run_state: str, now: datetime, ui: Ui) -> list[Element]:
    """Return what a run under way has taken of the caps that were set for it, each with a thin bar."""
    brief = state.brief
    if brief is None or run_state != "running":
        return []
    caps = []
    if brief.max_cost_usd is not None and state.analyst != "extractive":
        spent, cap = state.total.cost_usd, brief.max_cost_usd
        caps.append(_cap(ui._("Cost"), spent / cap, ui.dollars(spent), ui.dollars(cap), ui))
    if brief.max_minutes is not None:
        taken, seconds = _elapsed(state, run_state, now) - state.plan.waited_until(now), brief.max_minutes * 60
        caps.append(_cap(ui._("Time"), taken / seconds, ui.duration(max(0.0, taken)), ui.duration(seconds), ui))
    return [group("div", "caps", caps, key="caps")] if caps else []


def _cap(name: str, share: float, so_far: str, at_most: str, ui: Ui) -> Element:
    said = ui._("{so_far} of {cap} at most").format(so_far=so_far, cap=at_most)
    value = str(round(min(max(share, 0.0), 1.0) * 100))
    return el(
        "div", "cap near" if share >= _NEAR else "cap",
        el("span", "label", name), el("span", "", said),
        el("progress", "", max="100", value=value, aria_label=f"{name}: {said}"),
        key=name,
    )  # fmt: skip


def problems(occurred: Iterable[ProblemOccurred], ui: Ui) -> list[Element]:
    """Return what went wrong, each kind once, said with what to do about it."""
    stages = {
        Stage.SCOPE: ui._("Scope"),
        Stage.SEARCH: ui._("Search"),
        Stage.RESEARCH: ui._("Research"),
        Stage.WRITING: ui._("Writing"),
    }
    counted = Counter(
        (stages[problem.stage], explain(problem.code, ui.language, problem.subject)) for problem in occurred
    )
    first = {text: stage for stage, text in reversed(counted)}  # What ends two stages, a cap say, is said of the first.
    lines = [
        el(
            "li", "", icon("warning"), el("span", "stage", stage), group("span", "", mixed(text, ui.language)),
            el("span", "faint", f"× {ui.number(count)}") if count > 1 else None,
            key=f"{stage}{text}",
        )
        for (stage, text), count in counted.items()
        if first[text] == stage
    ]  # fmt: skip
    if len(lines) <= _PROBLEMS + 1:
        return [group("ul", "problems", lines, key="problems")] if lines else []
    rest = ui.n_("{count} more problem", "{count} more problems", len(lines) - _PROBLEMS)
    folded = group("ul", "problems", lines[_PROBLEMS:][:_PROBLEMS_AT_MOST])
    return [
        group("ul", "problems", lines[:_PROBLEMS], key="problems"),
        el("details", "more", el("summary", "", rest), folded, key="more-problems"),
    ]


def skipped(state: RunView, ui: Ui) -> list[Element]:
    """Return the documents that could not be read, each with its reason."""
    lines = [
        el(
            "li", "", icon("description"), group("span", "", mixed(explain(code, ui.language, name), ui.language)),
            key=name,
        )
        for entry in state.indexing.values()
        for name, code in entry.skipped
    ]  # fmt: skip
    return [group("ul", "problems", lines, key="skipped")] if lines else []
