"""Runs side by side: one column a run, one row a measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.parts.header_nodes import STATE_ICONS, analyst_label, state_label
from pages.parts.nodes import Element, el, group, icon
from pages.parts.run_nodes import OPEN_RUN, title
from pages.parts.ui import Ui
from research.comparison import READING, Outcome, Variant
from research.presets import PRESETS
from research.runs.model import RunState, RunSummary


@dataclass(frozen=True)
class Compared:
    """One column: a run, and what it came to if it has ended."""

    run: RunSummary
    outcome: Outcome | None


_Cell = Callable[[Outcome], str]


def comparison(columns: Sequence[Compared], ui: Ui) -> list[Element]:
    """Return the table; runs that are under way, or that left nothing, show their state and nothing else."""
    heads = [el("th", "", el("span", "unseen", ui._("Measure")), scope="col")]
    heads += [_head(column, ui, named=len(_asked(columns)) > 1) for column in columns]
    rows = [_row(name, cell, columns) for name, cell in _measures(ui, with_models=_with_models(columns))]
    table = el("table", "compared", el("thead", "", group("tr", "", heads)), group("tbody", "", rows))
    return [
        el("div", "wide-table", table, tabindex="0", role="region", aria_label=ui._("Comparison")),
        el("p", "faint how-to-read", ui.of_term(READING)),
    ]


def _head(column: Compared, ui: Ui, *, named: bool) -> Element:
    """Return the head of a column; `named` where the runs do not all ask the same."""
    run = column.run
    way = Variant.of(run.brief)
    is_running = run.state is RunState.RUNNING
    method, preset = ui.of_term(way.method.label), ui.of_term(PRESETS[way.preset].label)
    words, line = (title(run.name), f"{method} · {preset}") if named else (method, preset)
    return el(
        "th", "named" if named else "",
        el("a", "title", words, href=f"./run?id={run.id}", data_send=OPEN_RUN + run.id, title=words if named else None),
        el("span", "faint", line),
        el("span", "faint", ui.moment(run.created_at)),
        el(
            "span", f"state {run.state}",
            icon(STATE_ICONS[run.state], "spin" if is_running else ""), state_label(run.state, ui),
        ),
        _remark(column, ui),
        scope="col", key=run.id,
    )  # fmt: skip


def _remark(column: Compared, ui: Ui) -> Element | None:
    """Say what happened to a run that did not end as it should."""
    state = column.run.state
    if state is RunState.RUNNING or state is RunState.COMPLETE:
        return None
    if column.outcome is None:
        said = ui._("It broke off before anything was found.")
    else:
        said = {
            RunState.PARTIAL: ui._("Incomplete: its report says what is missing."),
            RunState.FAILED: ui._("No report: its page says what went wrong."),
            RunState.INTERRUPTED: ui._("It broke off. Counted is what it had found until then."),
        }[state]
    return el("span", "faint remark", said)


def _with_models(columns: Sequence[Compared]) -> bool:
    """Whether models did the work in any of the runs."""
    return any(column.run.analyst != "extractive" for column in columns)


def _row(name: str, cell: _Cell, columns: Sequence[Compared]) -> Element:
    cells = [el("td", "", _said(column, cell), key=column.run.id) for column in columns]
    return group("tr", "", [el("th", "", name, scope="row"), *cells], key=name)


def _said(column: Compared, cell: _Cell) -> str:
    if column.outcome is not None:
        return cell(column.outcome)
    return "…" if column.run.state is RunState.RUNNING else "–"


def _measures(ui: Ui, *, with_models: bool) -> list[tuple[str, _Cell]]:
    of_models: list[tuple[str, _Cell]] = [
        (ui._("Research by"), lambda one: _analyst(one, ui)),
        (ui._("Cost"), lambda one: _cost(one, ui)),
        (ui._("Model calls"), lambda one: _calls(one, ui)),
        (ui._("Tokens"), lambda one: ui.number(one.tokens)),
    ]
    return [
        (ui._("Time"), lambda one: ui.duration(one.seconds)),
        *(of_models if with_models else []),
        (ui._("Queries"), lambda one: ui.number(one.queries)),
        (ui._("Pages read"), lambda one: ui.number(one.pages)),
        (ui._("Sites"), lambda one: ui.number(one.sites)),
        (ui._("Pages cited"), lambda one: ui.number(one.cited)),
        (ui._("Quotes cited"), lambda one: ui.number(one.quotes)),
        (ui._("Sufficiency"), lambda one: f"{one.score}/10"),
        (ui._("Coverage"), lambda one: ui.percent(one.coverage)),
        (ui._("Sentences supported"), lambda one: _verdicts(one, ui)),
    ]


def _analyst(one: Outcome, ui: Ui) -> str:
    return ui._("No model") if one.analyst == "extractive" else analyst_label(one.analyst, ui)


def _cost(one: Outcome, ui: Ui) -> str:
    return ui._("price not known") if one.cost_usd is None else ui.dollars(one.cost_usd)


def _calls(one: Outcome, ui: Ui) -> str:
    made = ui.number(one.calls)
    if not one.kept_calls:
        return made
    return ui._("{made} (+{kept} kept)").format(made=made, kept=ui.number(one.kept_calls))


def _verdicts(one: Outcome, ui: Ui) -> str:
    supported, checked = one.verdicts.get("supported", 0), sum(one.verdicts.values())
    return ui._("{part} of {whole}").format(part=ui.number(supported), whole=ui.number(checked))


def question(columns: Sequence[Compared]) -> list[Element]:
    """Return the question of the runs; nothing if they ask different ones, which then stand over the columns."""
    asked = _asked(columns)
    return [el("p", "asked", *asked)] if len(asked) == 1 else []


def _asked(columns: Sequence[Compared]) -> list[str]:
    return list(dict.fromkeys(title(column.run.question) for column in columns))
