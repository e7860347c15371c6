"""Experiments: which way of asking was best, by the facts that its reports hold and by what a reader prefers, blind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.parts.engine import engine
from pages.parts.experiments import grid, preferred, way_name, ways
from pages.parts.frame import enter
from pages.parts.native_words import say_anew
from pages.parts.nodes import el, show_nodes
from pages.parts.report.sources import open_source, show_source_drawer
from pages.parts.report.text import CitedReport, report
from pages.parts.ui import NOTICE, Ui, chart_title, no_traceback, show_notice, verbatim
from research.core import PRESETS, ModelRefused, PresetName, UsageError, explain
from research.experiments import (
    Better,
    Docket,
    Pair,
    Results,
    agreement,
    docket,
    have_judged,
    judges,
    load_results,
    pairs,
    rate,
    ratings_in,
    results_in,
)
from research.results import Report
from research.store import load_report

if TYPE_CHECKING:
    import plotly.graph_objects as go

_CHOSEN, _JUDGE = "experiment", "experiment_judge"
_MARKER = 14
"""Pixels across a point of the chart."""
_TITLE, _PLOT, _AXIS, _NAMED = 32, 264, 64, 26
"""Pixels down the chart: its title, its points, what its axis says, and for each way a line with its whole name."""
_HIDES = 0.02
"""Share of an axis within which one point hides another: a marker's width of some 700 pixels."""
_COMMAND = "python -m research experiment tried.yaml"


def main() -> None:
    """Show the page."""
    reader = enter()
    st.title(reader._("Experiments"), anchor=False)
    st.caption(verbatim(reader._("Which way of asking is best: every way, asked questions whose answers are known.")))
    show_notice()
    folders = results_in(engine().settings.home)
    if not folders:
        _none(reader)
        return
    say_anew(_CHOSEN, reader.language.value)
    names = list(folders)
    name = names[0] if len(names) == 1 else st.selectbox(reader._("Experiment"), names, key=_CHOSEN)
    with no_traceback(reader):
        _show(folders[name], load_results(folders[name]), reader)


def _none(reader: Ui) -> None:
    with st.container(border=True):
        st.write(verbatim(reader._("There is no experiment yet. A file says what is tried; then, in a terminal:")))
        st.markdown(f"`{_COMMAND}`")
        st.caption(verbatim(reader._("docs/experiments.md explains it, with an example that runs without keys.")))
    st.caption(verbatim(reader._("A few ways, tried on one question, need no file:")))
    st.page_link("pages/compare.py", label=reader._("Compare"), icon=":material/compare_arrows:")


def _show(folder: Path, results: Results, reader: Ui) -> None:
    """Show what the ways came to, two reports to be rated, and what was preferred so far."""
    show_nodes([ways(results, reader)], key="experiment_ways", language=reader.language)
    if len(results.by_way) > 1:
        st.plotly_chart(
            _chart(results, reader),
            key="experiment_chart",
            config={"displayModeBar": False},
            alt=reader._("Facts found, against time or cost"),
        )
    st.header(reader._("Which report is better?"), anchor=False)
    ratings = ratings_in(folder)
    waiting = pairs(folder, results.rows, ratings)
    if waiting:
        _blind(folder, waiting, reader)
    else:
        st.caption(verbatim(reader._("There is no pair of different reports that you have not rated.")))
    if ratings.given:
        st.header(reader._("What you preferred"), anchor=False)
        _preferred(folder, results, reader)
    _judge(folder, results, reader)


def _chart(results: Results, reader: Ui) -> go.Figure:
    """Return quality against what it takes: money if any was spent, else time."""
    import plotly.graph_objects as go

    found = results.by_way
    costs = found["USD"] / found["runs"]
    is_paid = bool((costs > 0).any())
    took, say = (costs, reader.dollars) if is_paid else (found["seconds"], reader.duration)
    colours = st.get_option(f"theme.{st.context.theme.type or 'light'}.chartCategoricalColors")
    chart = go.Figure()
    for way, x, facts, off, colour in zip(
        found.to_dict("records"),
        took,
        found["facts"],
        _side_by_side(list(took), list(found["facts"])),
        cycle(colours),
        strict=False,
    ):
        name, mark = escape(way_name(way, reader)), {"size": _MARKER, "opacity": 0.85, "color": colour}
        chart.add_scatter(
            x=[x],
            y=[facts],
            mode="markers",
            marker={**mark, "angle": -90 if off < 0 else 90, "standoff": abs(off)},
            hovertemplate=f"{name}<br>{reader.percent(facts)} · {say(x)}<extra></extra>",
            legendgroup=name,
            showlegend=False,
        )
        # What is moved aside is so in the legend as well: there stands one that is not.
        chart.add_scatter(x=[None], y=[None], mode="markers", marker=mark, name=name, legendgroup=name)
    chart.update_xaxes(title=reader._("US dollars a run") if is_paid else reader._("Seconds a run"), rangemode="tozero")
    chart.update_yaxes(tickformat=".0%", range=[0, 1.05])
    chart.update_layout(
        height=_TITLE + _PLOT + _AXIS + _NAMED * len(found),
        title=chart_title(reader._("Facts found")),
        margin={"l": 8, "r": 8, "t": _TITLE, "b": _AXIS + _NAMED * len(found)},
        legend={"y": -_AXIS / _PLOT, "yanchor": "top", "x": 0},
        showlegend=True,
    )
    return chart


def _side_by_side(across: Sequence[float], up: Sequence[float]) -> list[float]:
    """Return how many pixels each point is moved to the side, so that none hides another that stands where it does."""
    step = _HIDES * (max(across) or 1)
    places = [(round(x / step), round(y / _HIDES)) for x, y in zip(across, up, strict=True)]
    return [
        _MARKER * (places[:number].count(place) - (places.count(place) - 1) / 2) for number, place in enumerate(places)
    ]


def _blind(folder: Path, waiting: list[Pair], reader: Ui) -> None:
    """Show two reports on one question without saying how they were made, and ask which is better."""
    pair = waiting[0]
    st.caption(
        verbatim(
            reader.n_(
                "How each was made is said once you have chosen. {count} pair is left.",
                "How each was made is said once you have chosen. {count} pairs are left.",
                len(waiting),
            )
        )
    )
    found = [_report(row["run"]) for row in pair]
    if asked := next((one.record.brief.question for one in found if one is not None), ""):
        st.markdown(f"**{verbatim(asked)}**")
    for column, side, one in zip(st.columns(2, gap="large"), "AB", found, strict=True):
        with column:
            st.subheader(verbatim(reader._("Report {side}").format(side=side)), anchor=False)
            _text(side, one, reader)
    for one in found:
        if one is not None:
            show_source_drawer(one.record.run, reader)
    answers: dict[Better, str] = {
        "first": reader._("A is better"),
        "even": reader._("Both alike"),
        "second": reader._("B is better"),
    }
    st.space("small")
    with st.container(horizontal=True, horizontal_alignment="center"):
        for better, words in answers.items():
            st.button(
                verbatim(words),
                key=f"rate_{better}",
                on_click=_rated,
                args=(folder, pair, better, reader),
                type="secondary" if better == "even" else "primary",
            )


def _report(run_id: str) -> Report | None:
    try:
        return load_report(engine().store, run_id)
    except UsageError:
        return None


def _text(side: str, found: Report | None, reader: Ui) -> None:
    """Show a report's text alone, with its citations, and nothing that tells who wrote it or how."""
    if found is None:
        st.caption(verbatim(reader._("This report is not among your runs (any more).")))
        return
    body, cards = report(CitedReport.of_record(found.record, found.view), reader)
    asked = partial(open_source, run_id=found.record.run)
    show_nodes(body, key=f"blind_{side}", language=reader.language, cards=cards, on_message=asked)


def _rated(folder: Path, pair: Pair, better: Better, reader: Ui) -> None:
    rate(folder, pair, better)
    first, second = (way_name(row, reader) for row in pair)
    st.session_state[NOTICE] = reader._("A was {first}, B was {second}.").format(first=first, second=second)


def _preferred(folder: Path, results: Results, reader: Ui) -> None:
    """Show how often each way was preferred, and how far that agrees with the facts."""
    ratings = ratings_in(folder)
    agreed = agreement(results.rows, ratings)
    words = reader._("No pair yet in which both you and the facts prefer one.")
    if agreed.of:
        told = reader._("You and the facts prefer the same report in {same} of {of} pairs in which both prefer one.")
        words = told.format(same=reader.number(agreed.same), of=reader.number(agreed.of))
    tree = [preferred(results, ratings, reader), el("p", "faint", words)]
    show_nodes(tree, key="preferred", language=reader.language)


# --- a model as judge ------------------------------------------------------------------------------------------------


def _judge(folder: Path, results: Results, reader: Ui) -> None:
    """Show how far models that judged agree with the reader and with the facts, and have one judge more pairs."""
    models = list(dict.fromkeys(engine().settings.models_by(PRESETS[PresetName.QUALITY].models).values()))
    if not models and not results.judged:
        return
    st.header(reader._("A model as judge"), anchor=False)
    st.caption(
        verbatim(
            reader._(
                "It reads two reports of one question as you do, without knowing who wrote them, in both orders. "
                "How far it agrees with you says how far its word can stand for yours."
            )
        )
    )
    if results.judged:
        _judged(results, reader)
    if models:
        _ask(folder, results, models, reader)


def _judged(results: Results, reader: Ui) -> None:
    """Show a row a judge, and where it and the reader differ."""
    heads = [
        reader._("Judge"),
        reader._("Pairs"),
        reader._("The same in both orders"),
        reader._("Agrees with you"),
        reader._("Beyond chance (κ)"),
        reader._("Agrees with the facts"),
        reader._("Cost"),
    ]
    rows = [
        [
            one.name,
            reader.number(one.pairs),
            _share(one.held, one.pairs, reader),
            _share(one.with_reader.same, one.with_reader.of, reader),
            "–" if one.with_reader.kappa is None else f"{one.with_reader.kappa:.2f}",
            _share(one.with_facts.same, one.with_facts.of, reader),
            reader.price(one.usd),
        ]
        for one in judges(results.rows, results.ratings, results.judged)
    ]
    told = reader._(
        "κ is Cohen's kappa: 1 is always the same, 0 no more than chance. With fewer than some thirty pairs that you "
        "have rated as well, it says little."
    )
    tree = [grid(reader._("A model as judge"), heads, rows), el("p", "faint", told)]
    show_nodes(tree, key="judges", language=reader.language)


def _share(part: int, of: int, reader: Ui) -> str:
    return f"{reader.percent(part / of)} ({reader.number(part)}/{reader.number(of)})" if of else "–"


def _ask(folder: Path, results: Results, models: Sequence[str], reader: Ui) -> None:
    """Offer to have a model judge the next pairs, and say what that costs."""
    judge = models[0] if len(models) == 1 else st.selectbox(reader._("Judge"), models, key=_JUDGE)
    waiting = docket(folder, results.rows, judge)
    if not waiting.pairs:
        st.caption(verbatim(reader._("It has judged every pair of different reports.")))
        return
    told = reader.n_(
        "{count} pair is left for it; the reports go to the model.",
        "{count} pairs come next; their reports go to the model.",
        len(waiting.pairs),
    )
    costs = reader._("It costs about {usd}.").format(usd=reader.dollars(waiting.usd))
    st.caption(verbatim(f"{told} {costs}"))
    if st.button(verbatim(reader._("Have it judge")), icon=":material/balance:", key="have_judged"):
        _have_judged(folder, waiting, judge, reader)


def _have_judged(folder: Path, waiting: Docket, judge: str, reader: Ui) -> None:
    used, bar = engine(), st.progress(0.0)

    def show(done: int, of: int) -> None:
        bar.progress(done / of, reader._("{done} of {of} pairs").format(done=done, of=of))

    try:
        failed = have_judged(folder, waiting, used.store, used.settings, judge, on_done=show, language=reader.language)
    except (ModelRefused, UsageError) as error:
        bar.empty()
        st.error(
            verbatim(explain(error.code, reader.language) if isinstance(error, ModelRefused) else reader.reason(error))
        )
        return
    if failed:
        st.session_state[NOTICE] = explain(failed, reader.language)
    st.rerun()


main()
