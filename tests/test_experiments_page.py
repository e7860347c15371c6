"""Experiments on the page, and what a reader prefers, blind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.experiments import preferred, ways
from pages.parts.nodes import Element
from pages.parts.ui import Ui
from research.experiments import Pair, agreement, load_results, pairs, preferences, rate, ratings_in, results_in
from research.language import Language
from tests.support.experiments import DRAFTS, kept, row
from tests.support.openai_server import Body, Failure, Json, OpenAIServer
from tests.support.stored_runs import record
from tests.support.without_browser import page_alone, shown


def test_pairs_are_of_one_question_and_of_different_reports_and_each_is_rated_once(tmp_path: Path) -> None:
    rows = [row(f"{method}-{name}", method, name) for name in ("pumps", "tea") for method in DRAFTS]
    folder = kept(tmp_path, rows)
    assert results_in(tmp_path) == {"tried": folder}
    found = pairs(folder, load_results(folder).rows, ratings_in(folder))
    assert [pair.question for pair in found[:2]] in (["pumps", "tea"], ["tea", "pumps"])
    assert len(found) == 4
    assert all("supervised" in {pair.first["method"], pair.second["method"]} for pair in found)
    assert {pair.first["method"] == "supervised" for pair in found} == {True, False}, "sides tell nothing"
    rate(folder, found[0], "even")
    assert pairs(folder, rows, ratings_in(folder)) == found[1:]


def test_preferences_are_counted_by_way_and_held_against_the_facts(tmp_path: Path) -> None:
    names = ("pumps", "tea", "rice", "salt")
    rows = [row(f"{method}-{name}", method, name) for name in names for method in ("chained", "supervised")]
    folder = kept(tmp_path, rows)
    chained, supervised = rows[::2], rows[1::2]
    rate(folder, Pair(chained[0], supervised[0]), "first")
    rate(folder, Pair(chained[0], supervised[0]), "second")
    rate(folder, Pair(supervised[1], chained[1]), "first")
    rate(folder, Pair(supervised[2], chained[2]), "second")
    rate(folder, Pair(supervised[3], chained[3]), "even")
    found = {way[1]: tuple(counts) for way, counts in preferences(rows, ratings_in(folder)).items()}
    assert list(found.items()) == [("supervised", (2, 1, 1)), ("chained", (1, 1, 2))]
    assert agreement(rows, ratings_in(folder)) == (2, 3)
    assert agreement(rows[:2], ratings_in(folder)) == (1, 1), "of runs that are gone nothing is counted"


def told(table: Element) -> list[list[str]]:
    """The words of each row of a table."""
    if table.tag == "tr":
        return [[cell.text() for cell in table.children if isinstance(cell, Element)]]
    return [row for child in table.children if isinstance(child, Element) for row in told(child)]


@pytest.fixture
def page(app: AppTest) -> AppTest:
    app.run()
    return app.switch_page("pages/experiments.py").run()


def test_without_any_the_page_says_how_one_is_made(page: AppTest) -> None:
    assert "There is no experiment yet" in shown(page)
    assert "python -m research experiment" in shown(page)


def tried(app_home: Path) -> tuple[Path, set[str]]:
    """Keep an experiment of two runs; return its folder and their keys."""
    runs = {}
    for method in ("chained", "supervised"):
        runs[method] = engine().store.create(record("x").brief, "extractive")
        written = record(runs[method]).model_copy(update={"draft": f"# Pumps\n\n{DRAFTS[method]}"})
        engine().store.finish(runs[method], written, "# Pumps")
    return kept(app_home, [row(method, method, run=run) for method, run in runs.items()]), set(runs)


def test_two_reports_are_rated_and_only_then_named(page: AppTest, app_home: Path) -> None:
    folder, runs = tried(app_home)
    page.run()
    head, best, other = told(ways(load_results(folder), Ui.of(Language.EN, None)))
    assert head[:2] == ["Way", "Facts found"] and "Tokens" not in head
    assert [best[:2], other[:2]] == [["Speed · Supervised", "100%"], ["Speed · Chained", "50%"]]
    assert "1 pair is left" in shown(page)
    assert "What you preferred" not in shown(page)
    page.button(key="rate_first").click().run()
    (given,) = ratings_in(folder).given
    assert (given.better, {given.first, given.second}) == ("first", runs)
    assert page.toast[0].value.startswith("A was Speed · ")
    assert "no pair of different reports that you have not rated" in shown(page)
    assert "What you preferred" in shown(page)
    counted = told(preferred(load_results(folder), ratings_in(folder), Ui.of(Language.EN, None)))
    assert counted[0] == ["Way", "Better", "Alike", "Worse"]
    assert sorted(row[1:] for row in counted[1:]) == [["0", "0", "1"], ["1", "0", "0"]]
    assert "A model as judge" not in shown(page), "without models there is none to ask"


def test_ways_that_came_to_the_same_stand_side_by_side(page: AppTest, app_home: Path) -> None:
    methods = {"chained": 8.0, "noted": 8.01, "supervised": 8.0}
    kept(app_home, [row(method, method, seconds=seconds) for method, seconds in methods.items()])
    (chart,) = page.run().get("plotly_chart")
    spec = json.loads(chart.proto.spec)
    drawn = spec["data"]
    assert spec["layout"]["title"]["text"] == "Facts found" and "title" not in spec["layout"]["yaxis"]
    points = {point["legendgroup"]: point["marker"] for point in drawn if point.get("showlegend") is False}
    moved = {name: marker["standoff"] for name, marker in points.items()}
    assert moved == {"Speed · Chained": 7, "Speed · Noted": 7, "Speed · Supervised": 0}
    assert points["Speed · Chained"]["angle"] == -points["Speed · Noted"]["angle"], "to either side"
    legend = {entry["name"]: entry["marker"] for entry in drawn if "name" in entry}
    assert legend.keys() == points.keys() and not any("standoff" in marker for marker in legend.values())
    assert all(marker["color"] == points[name]["color"] for name, marker in legend.items())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """A server of models that is set up before the app begins."""
    with OpenAIServer() as one:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback")
        monkeypatch.setenv("OPENAI_BASE_URL", one.base_url)
        yield one


def test_a_model_judges_as_well_and_its_agreement_is_shown(server: OpenAIServer, app_home: Path) -> None:
    page, (folder, _) = page_alone("experiments.py"), tried(app_home)
    server.handler = lambda body: Json({"reason": "More.", "better": "A" if _many_first(body) else "B"})
    page.run()
    better = "first" if "Many" in _shown_first(folder) else "second"
    page.button(key=f"rate_{better}").click().run()
    assert "1 pair is left for it" in shown(page)
    assert "It costs about" in shown(page)
    page.button(key="have_judged").click().run()
    assert "It has judged every pair of different reports." in shown(page)
    (line,) = load_results(folder).judges.to_dict("records")
    assert (line["pairs"], line["as reader"], line["rated"]) == (1, 1, 1)
    assert line["judge"] in page.selectbox[0].options


def test_a_judge_that_is_refused_says_what_to_do(server: OpenAIServer, app_home: Path) -> None:
    page, _ = page_alone("experiments.py"), tried(app_home)
    server.handler = lambda _: Failure(401, "Incorrect API key provided.", code="invalid_api_key")
    page.run()
    page.button(key="have_judged").click().run()
    assert "key" in page.error[0].value
    assert "sk-loopback" not in shown(page)


def _many_first(body: Body) -> bool:
    text = body["messages"][-1]["content"]
    return "Many" in text.partition("<report_B>")[0]


def _shown_first(folder: Path) -> str:
    """Return what the first of the two reports on the page says."""
    (pair,) = pairs(folder, load_results(folder).rows, ratings_in(folder))
    return DRAFTS[pair.first["method"]]
