"""Runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pages.parts.library.runs import OPEN_RUN, title
from pages.parts.nodes import Element, el, group, icon
from pages.parts.report.head import STATE_ICONS, analyst_label, state_label
from pages.parts.ui import Ui
from research.core import PRESETS
from research.engine import READING, Variant, VariantOutcome
from research.results import borne_out
from research.store import RunState, RunSummary


@dataclass(frozen=True)
class Compared:
    """One column: a run, and what it came to if it has ended."""

    run: RunSummary
    outcome: VariantOutcome | None
    name: str = ""
    """What the run is called where it is told from another one."""


_Cell = Callable[[VariantOutcome], str]


@dataclass(frozen=True)
class _Measure:
    """One row: what is measured, and how it is said."""

    name: str
    said: _Cell
    so_far: Callable[[RunSummary], str] | None = None
    """What is known of it while a run is under way."""


def comparison(columns: Sequence[Compared], ui: Ui, *, headed: bool = True) -> list[Element]:
    """Return the table; runs that are under way, or that left nothing, show their state and nothing else.

    A table that is not `headed` stands below `sides`, which say what the runs are: its columns have their names alone.
    """
    heads = [el("th", "", el("span", "unseen", ui._("Measure")), scope="col")]
    heads += [_head(column, columns, ui) if headed else _named(column) for column in columns]
    rows = [_row(measure, columns) for measure in _measures(ui, with_models=_with_models(columns))]
    table = el("table", "compared", el("thead", "", group("tr", "", heads)), group("tbody", "", rows))
    return [
        el("div", "wide-table", table, tabindex="0", role="region", aria_label=ui._("Comparison")),
        el("p", "faint how-to-read", ui.of_term(READING)),
    ]


def sides(columns: Sequence[Compared], ui: Ui) -> list[Element]:
    """Return two runs beside each other: what they are, without what they came to."""
    return [group("div", "halves", [group("div", "half", _about(one, columns, ui), key=one.run.id) for one in columns])]


def measures(columns: Sequence[Compared], ui: Ui) -> list[Element]:
    """Return the table under a head of its own, for below what differs."""
    return [el("h2", "measures", ui._("The two runs in numbers")), *comparison(columns, ui, headed=False)]


def _head(column: Compared, columns: Sequence[Compared], ui: Ui) -> Element:
    kind = "named" if _is_named(column, columns) else ""
    return group("th", kind, _about(column, columns, ui), scope="col", key=column.run.id)


def _named(column: Compared) -> Element:
    return el("th", "", el("span", "side-name", column.name), scope="col", key=column.run.id)


def _is_named(column: Compared, columns: Sequence[Compared]) -> bool:
    """Whether the run goes by its name: where the runs do not all ask the same, and where it was given one."""
    return len(_asked(columns)) > 1 or bool(column.run.title)


def _about(column: Compared, columns: Sequence[Compared], ui: Ui) -> list[Element | None]:
    run = column.run
    way = Variant.of(run.brief)
    is_running = run.state is RunState.RUNNING
    method, preset = ui.of_term(way.method.label), ui.of_term(PRESETS[way.preset].label)
    named = _is_named(column, columns)
    words, line = (title(run.name), f"{method} · {preset}") if named else (method, preset)
    return [
        el("span", "side-name", column.name) if column.name else None,
        el("a", "title", words, href=f"./run?id={run.id}", data_send=OPEN_RUN + run.id, title=words if named else None),
        el("span", "faint", line),
        el("span", "faint", ui.moment(run.created_at)),
        el(
            "span", f"state {run.state}",
            icon(STATE_ICONS[run.state], "spin" if is_running else ""), state_label(run.state, ui),
        ),
        _remark(column, ui),
    ]  # fmt: skip


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


def _row(measure: _Measure, columns: Sequence[Compared]) -> Element:
    said = [_said(column, measure) for column in columns]
    cells = [el("td", "", words, key=column.run.id) for column, words in zip(columns, said, strict=True)]
    is_same = len(said) > 1 and len(set(said)) == 1
    return group("tr", "same" if is_same else "", [el("th", "", measure.name, scope="row"), *cells], key=measure.name)


def _said(column: Compared, measure: _Measure) -> str:
    if column.outcome is not None:
        return measure.said(column.outcome)
    if column.run.state is not RunState.RUNNING:
        return "–"
    return "…" if measure.so_far is None else f"{measure.so_far(column.run)} …"


def _measures(ui: Ui, *, with_models: bool) -> list[_Measure]:
    of_models = [
        _Measure(ui._("Research by"), lambda one: _analyst(one, ui)),
        _Measure(ui._("Cost"), lambda one: _cost(one, ui)),
        _Measure(ui._("Model calls"), lambda one: _calls(one, ui)),
        _Measure(ui._("Tokens"), lambda one: ui.number(one.tokens)),
    ]
    return [
        _Measure(ui._("Time"), lambda one: ui.duration(one.seconds), lambda run: ui.duration(run.seconds)),
        *(of_models if with_models else []),
        _Measure(ui._("Queries"), lambda one: ui.number(one.queries)),
        _Measure(ui._("Pages read"), lambda one: ui.number(one.pages), lambda run: ui.number(run.pages)),
        _Measure(ui._("Sites"), lambda one: ui.number(one.sites)),
        _Measure(ui._("Pages cited"), lambda one: ui.number(one.cited)),
        _Measure(ui._("Quotes cited"), lambda one: ui.number(one.quotes)),
        _Measure(ui._("Sufficiency"), lambda one: f"{one.score}/10"),
        _Measure(ui._("Coverage"), lambda one: ui.percent(one.coverage)),
        _Measure(ui._("Sentences supported"), lambda one: _verdicts(one, ui)),
    ]


def _analyst(one: VariantOutcome, ui: Ui) -> str:
    return ui._("No model") if one.analyst == "extractive" else analyst_label(one.analyst, ui)


def _cost(one: VariantOutcome, ui: Ui) -> str:
    return ui._("price not known") if one.cost_usd is None else ui.dollars(one.cost_usd)


def _calls(one: VariantOutcome, ui: Ui) -> str:
    made = ui.number(one.calls)
    if not one.kept_calls:
        return made
    return ui._("{made} (+{kept} kept)").format(made=made, kept=ui.number(one.kept_calls))


def _verdicts(one: VariantOutcome, ui: Ui) -> str:
    supported, checked = borne_out(one.verdicts), sum(one.verdicts.values())
    return ui._("{part} of {whole}").format(part=ui.number(supported), whole=ui.number(checked))


def question(columns: Sequence[Compared]) -> list[Element]:
    """Return the question of the runs; nothing if they ask different ones, which then stand over the columns."""
    asked = _asked(columns)
    return [el("p", "asked", *asked)] if len(asked) == 1 else []


def _asked(columns: Sequence[Compared]) -> list[str]:
    return list(dict.fromkeys(title(column.run.question) for column in columns))
