"""A run's head, its lanes and its problems, as elements."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pages.parts.library.runs import menus, recent, runs
from pages.parts.live.lanes import activity
from pages.parts.nodes import Element, el
from pages.parts.report.head import header, headline, problems, skipped
from pages.parts.ui import Ui
from research.core import (
    Brief,
    CollectionIndexed,
    LaneView,
    Phase,
    ProblemOccurred,
    RunView,
    SourceName,
    Stage,
)
from research.language import Language
from research.store import RunStore, label
from tests.support import sample_runs
from tests.support.big_run import big_run

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


def state_of(tmp_path: Path, language: Language = Language.EN) -> RunView:
    store = RunStore(tmp_path)
    state = RunView().extend(store.events(sample_runs.researching(store, language)))
    store.close()
    return state


def drawn(state: RunView, ui: Ui = EN, unfolded: tuple[str, ...] = ()) -> Element:
    return el("div", "", *activity(state, ui, unfolded))


def lane(tree: Element, name: str) -> Element:
    return next(found for found in tree.find("lane") if found.key.split()[0] == name)


def test_each_researcher_has_a_lane_with_all_it_did(tmp_path: Path) -> None:
    tree = drawn(state_of(tmp_path))
    assert [found.key for found in tree.find("lane")] == ["supervisor", "R1", "R2", "R3"]
    first = lane(tree, "R1").text()
    for said in (
        "How the mix of power",
        "2 searches",
        "2 sources",
        "4 quotes",
        "nothing found",
        "from cache",
        "Jan 2025",
    ):
        assert said in first
    assert "searching…" in lane(tree, "R2").text()
    assert "The search took too long." in lane(tree, "R2").text()
    assert "Waiting for its turn" in lane(tree, "R3").text()


def test_the_latest_reflection_stands_in_full_and_the_others_behind_it(tmp_path: Path) -> None:
    found = [thought.text() for thought in lane(drawn(state_of(tmp_path)), "R1").find("thought")]
    assert found[0].startswith("The last search brought nothing new")
    assert found[1].startswith("Shares for both years")


def test_lanes_open_when_work_begins_and_those_of_an_ended_run_are_folded(tmp_path: Path) -> None:
    state = state_of(tmp_path)
    assert "data-opens" in lane(drawn(state), "R1").attributes
    assert "data-opens" not in lane(drawn(state), "R3").attributes
    state.end()
    assert "data-opens" not in lane(drawn(state), "R1").attributes
    assert "Broke off" in lane(drawn(state), "R1").text()
    assert "data-opens" in lane(drawn(state, unfolded=("R1",)), "R1").attributes


def test_lanes_speak_the_readers_language(tmp_path: Path) -> None:
    told = drawn(state_of(tmp_path, Language.JA), JA).text()
    for said in ("監督役", "検索 2回", "順番待ち", "検索中…", "検索が時間内に終わりませんでした。", "キャッシュ"):
        assert said in told


def test_fifty_researchers_with_a_thousand_sources_stay_light() -> None:
    state = big_run()
    assert len(state.pages) == 1_000
    sent = json.dumps([element.to_data() for element in activity(state, EN)])
    assert len(sent.encode()) < 100_000  # of many lanes, only the heads come
    folded = lane(drawn(state), "R7")
    assert folded.find("reading") == []
    assert "20 sources" in folded.text()
    opened = ("R7", "R8", "R9")
    assert len(lane(drawn(state, unfolded=opened), "R7").find("reading")) == 20
    sent = json.dumps([element.to_data() for element in activity(state, EN, opened)])
    assert len(sent.encode()) < 300_000
    few = big_run(lanes=8)
    assert len(lane(drawn(few), "R7").find("reading")) == 6
    assert "Show everything" in lane(drawn(few), "R7").text()
    assert len(json.dumps([element.to_data() for element in activity(few, EN)]).encode()) < 300_000


def test_a_lane_without_work_offers_nothing_to_unfold() -> None:
    state = RunView(lanes={"R1": LaneView("R1", topic="a")})
    assert "Show everything" not in drawn(state).text()


def head(state: RunView, run_state: str, seconds: float = 30, ui: Ui = EN) -> str:
    now = (state.started_at or datetime.now(UTC)) + timedelta(seconds=seconds)
    return el("div", "", *header(state, run_state, now, ui)).text()


@pytest.mark.parametrize(
    ("question", "is_folded"),
    [
        ("How large is the market?", False),
        ("市場の規模と成長率。" * 17, False),
        ("市場の規模と成長率。" * 18, True),
        ("How large is the market? " * 14, True),
    ],
)
def test_a_very_long_question_unfolds_from_its_first_lines(tmp_path: Path, question: str, is_folded: bool) -> None:
    store = RunStore(tmp_path)
    run = store.create(Brief(question=question), "extractive")
    (shown,) = headline(store.get(run))
    assert (shown.tag == "details") is is_folded
    label(store, run, title="Markets", tags=["board"])
    name, asked, tags = headline(store.get(run))
    assert (name.tag, asked.tag, tags.text()) == ("h1", "details" if is_folded else "p", "board")
    assert asked.text().removesuffix("expand_more") == store.get(run).question
    store.close()


def test_the_head_says_what_is_being_done(tmp_path: Path) -> None:
    state = RunView()
    assert "Planning" in head(state, "running")
    state.indexing["library"] = CollectionIndexed(source=SourceName.LIBRARY, done=3, total=10)
    assert "Reading documents (3 of 10)" in head(state, "running")
    state = state_of(tmp_path)
    assert "Researching" in head(state, "running")
    assert "Time30 s" in head(state, "running")
    state.finish_requested = True
    assert "Finishing" in head(state, "running")
    state.phase = Phase.WRITING
    assert "Writing the report" in head(state, "running")
    state.stop_requested = True
    assert "Stopping" in head(state, "running")
    assert "中断" in head(state, "interrupted", ui=JA)


def test_figures_are_told_as_far_as_they_are_known(tmp_path: Path) -> None:
    state = state_of(tmp_path)
    assert "Tokens10,080" in head(state, "running")
    assert "Cost$0.0039" in head(state, "running")
    state.total.unpriced = True
    assert "Cost$0.0039 or more" in head(state, "running")
    state.total.cost_usd = 0
    assert "Costnot known" in head(state, "running")
    state.analyst = "extractive"
    assert "Tokens" not in head(state, "running")


def test_the_bar_is_there_only_while_the_run_is_under_way(tmp_path: Path) -> None:
    state = state_of(tmp_path)
    now = datetime.now(UTC)
    assert [part.key for part in header(state, "running", now, EN)] == ["head", "bar"]
    assert [part.key for part in header(state, "complete", now, EN)] == ["head"]


def test_problems_are_said_once_each_with_what_to_do() -> None:
    wrong = ProblemOccurred(stage=Stage.SEARCH, code="search_unauthorized", detail="401 from somewhere")
    told = el("div", "", *problems([wrong, wrong, wrong], EN))
    assert "The search service refused the key." in told.text()
    assert "× 3" in told.text()
    assert "401" not in told.text()
    assert "「設定」で入力し直すか" in el("div", "", *problems([wrong], JA)).text()
    assert problems([], EN) == []


def test_documents_that_could_not_be_read_are_named() -> None:
    indexed = CollectionIndexed(source=SourceName.LIBRARY, done=2, total=2, skipped=(("secret.pdf", "file_encrypted"),))
    told = el("div", "", *skipped(RunView(indexing={"library": indexed}), EN)).text()
    assert "secret.pdf: The file is encrypted." in told


@pytest.mark.parametrize("language", list(Language))
def test_runs_are_listed_with_what_one_needs_to_find_them(tmp_path: Path, language: Language) -> None:
    ui = Ui.of(language, None)
    store = RunStore(tmp_path)
    done, going = sample_runs.ended(store, language, analyst="extractive"), sample_runs.researching(store, language)
    rows = el("div", "", *runs(store.list(), ui)).find("run")
    menu_of = [el("div", "", *menus(store.list(), ui)[run]) for run in (going, done)]
    short = el("div", "", *recent(store.list(), ui))
    store.close()
    assert [row.key for row in rows] == [going, done]
    assert [bool(item.find("delete")) for item in menu_of] == [False, True]  # what is under way cannot be deleted
    assert ui._("Complete") in rows[1].text()
    assert ui._("No model") in rows[1].text()
    assert rows[1].find("title")[0].attributes["href"] == f"./run?id={done}"
    assert ui._("Running") in short.text()
