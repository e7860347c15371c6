"""A run's head, its lanes and its problems, as elements."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.library.runs import menus, recent, runs
from pages.parts.live.lanes import activity
from pages.parts.live.plan import METHOD_ICONS
from pages.parts.live.thoughts import score
from pages.parts.nodes import Element, el
from pages.parts.report.head import header, headline, problems, skipped, writing
from pages.parts.report.text import with_links
from pages.parts.ui import Ui
from research import core
from research.language import Language
from research.store import RunState, RunStore, Task, label, utc_now
from research.store.queue import claim, enter
from tests.support import sample_runs
from tests.support.big_run import big_run
from tests.support.without_browser import shown

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


def state_of(tmp_path: Path, language: Language = Language.EN) -> core.RunView:
    store = RunStore(tmp_path)
    state = core.RunView().extend(store.events(sample_runs.researching(store, language)))
    store.close()
    return state


def drawn(state: core.RunView, ui: Ui = EN, unfolded: tuple[str, ...] = ()) -> Element:
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
        "Jan\N{NO-BREAK SPACE}2025",
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


def test_eight_researchers_with_many_sources_stay_light() -> None:
    state = big_run()
    assert len(lane(drawn(state), "R7").find("reading")) == 6
    assert "Show everything" in lane(drawn(state), "R7").text()
    assert len(json.dumps([element.to_data() for element in activity(state, EN)]).encode()) < 300_000


def test_all_sources_stand_in_one_list_each_once_with_who_has_read_it(tmp_path: Path) -> None:
    state = state_of(tmp_path)
    page = next(iter(state.lanes["R1"].readings))
    state.lanes["R2"].readings[page] = state.lanes["R1"].readings[page]
    (listed,) = drawn(state).find("all-sources")
    assert f"{len(state.pages)} sources in all" in listed.text()
    assert listed.text().count(state.pages[page].title) == 1
    assert "R1 R2" in listed.text()
    state.end()
    assert drawn(state).find("all-sources") == []


def test_a_lane_without_work_offers_nothing_to_unfold() -> None:
    state = core.RunView(lanes={"R1": core.LaneView("R1", topic="a")})
    assert "Show everything" not in drawn(state).text()


def head(state: core.RunView, run_state: str, seconds: float = 30, ui: Ui = EN) -> str:
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
    run = store.create(core.Brief(question=question), "extractive")
    (shown,) = headline(store.get(run))
    assert (shown.tag == "details") is is_folded
    label(store, run, title="Markets", tags=["board"])
    name, asked, tags = headline(store.get(run))
    assert (name.tag, asked.tag, tags.text()) == ("h1", "details" if is_folded else "p", "board")
    assert asked.text().removesuffix("expand_more") == store.get(run).question
    store.close()


def test_the_head_says_what_is_being_done(tmp_path: Path) -> None:
    state = core.RunView()
    assert "Planning" in head(state, "running")
    state.indexing["library"] = core.CollectionIndexed(source=core.SourceName.LIBRARY, done=3, total=10)
    assert "Reading documents (3 of 10)" in head(state, "running")
    state = state_of(tmp_path)
    assert "Researching" in head(state, "running")
    assert "Time30 s" in head(state, "running")
    state.finish_requested = True
    assert "Finishing" in head(state, "running")
    state.phase = core.Phase.WRITING
    assert "Writing the report" in head(state, "running")
    growing = [core.SectionExtended(section=name, title=name, text="Sales grew.") for name in ("R1", "R2")]
    whole = core.SectionWritten(section="R1", title="R1", analyst="chat", evidence=())
    last = state.seq
    state.extend([one.model_copy(update={"seq": last + place}) for place, one in enumerate((*growing, whole), 1)])
    assert "Writing the report: section 2 of 2" in head(state, "running")
    state.phase = core.Phase.RESEARCHING
    assert len(state.lanes) > 2
    assert writing(state, EN) == f"Writing the report: section 2 of {len(state.lanes)}", "others may still come"
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
    wrong = core.ProblemOccurred(stage=core.Stage.SEARCH, code="search_unauthorized", detail="401 from somewhere")
    told = el("div", "", *problems([wrong, wrong, wrong], EN))
    assert "The search service refused the key." in told.text()
    assert "× 3" in told.text()
    assert "401" not in told.text()
    assert "「設定」で入力し直すか" in el("div", "", *problems([wrong], JA)).text()
    assert problems([], EN) == []


def test_a_cap_that_ends_research_and_writing_is_told_once() -> None:
    ended = [
        core.ProblemOccurred(stage=stage, code="cap_reached", subject="$0.12")
        for stage in (core.Stage.RESEARCH, core.Stage.WRITING)
    ]
    told = el("div", "", *problems(ended, EN)).text()
    assert (told.count("$0.12"), "Research" in told, "Writing" in told) == (1, True, False)


def test_documents_that_could_not_be_read_are_named() -> None:
    indexed = core.CollectionIndexed(
        source=core.SourceName.LIBRARY, done=2, total=2, skipped=(("secret.pdf", "file_encrypted"),)
    )
    told = el("div", "", *skipped(core.RunView(indexing={"library": indexed}), EN)).text()
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


# --- what a run's page shows of its method ---------------------------------------------------------------------------


OUTLINE = core.Outline(
    purpose="To see how large the market is.",
    sections=(
        core.Section(title="Size", focus="how large", questions=("How large is it?",), needs=("size", "growth")),
        core.Section(title="Outlook", focus="what is next"),
    ),
    introduction="Why it matters.",
    conclusion="What to do.",
    remark="Two sections are enough.",
)
REFLECTION = core.Reflection(
    summary="The size is known.",
    insights=(core.Insight(text="It grew by 4.2%.", confidence=7, evidence=("E1", "E9")),),
    gaps=("The growth of 2024.",),
    doubts=(core.Doubt(text="Two sizes are named.", evidence=("E1",)),),
    queries=(core.NextQuery(query="pump market 2024", reason="The year is missing."),),
)


def counted(iteration: int = 2, total: int = 6, **facts: object) -> core.Assessed:
    named: dict[str, object] = {
        "criteria": {"results": 2, "relevance": 1, "diversity": 0, "detail": 2, "coverage": 1},
        "missing": ("price",),
        "coverage": {"size": 1.0, "growth": 0.5, "price": 0.0},
        "confidence": 0.69,
        "good_sources": 1,
    }
    return core.Assessed(lane="R1", iteration=iteration, score=total, **(named | facts))  # type: ignore[arg-type]


def run(*events: core.Event, method: core.MethodName = core.MethodName.OUTLINED) -> core.RunView:
    brief = core.Brief(question="How large is the market?", method=method)
    start = core.RunStarted(run="r", brief=brief, brief_text="", analyst="chat", sources=(), method=method)
    page = core.PageRead(
        lane="R1", page="S1", url="https://a.example/", title="Pumps", site="a.example", origin=core.SourceName.WEB,
        kind=core.SourceKind.NEWS, published=None, sha256="0", characters=9,
    )  # fmt: skip
    quote = core.EvidenceFound(lane="R1", id="E1", source="S1", quote="It grew by 4.2%.", start=0, end=16)
    told = (start, core.TopicQueued(lane="R1", topic="Size. Find how large it is.", title="Size"), page, quote, *events)
    return core.RunView().extend(event.model_copy(update={"seq": place}) for place, event in enumerate(told, 1))


def activity_drawn(state: core.RunView, ui: Ui = EN) -> Element:
    return el("div", "", *activity(state, ui))


def text(tree: Element, kind: str) -> str:
    return tree.find(kind)[0].text()


@pytest.mark.parametrize("method", list(core.MethodName))
@pytest.mark.parametrize("ui", [EN, JA], ids=lambda ui: ui.language.value)
def test_the_method_is_named_with_when_to_use_it(method: core.MethodName, ui: Ui) -> None:
    told = text(activity_drawn(run(method=method), ui), "method")
    assert told == METHOD_ICONS[method] + ui.of_term(method.label) + ui.of_term(method.hint)


@pytest.mark.parametrize("method", list(core.MethodName))
def test_only_a_supervised_run_waits_for_a_supervisor(method: core.MethodName) -> None:
    has_supervisor = bool(activity_drawn(run(method=method)).find("supervisor"))
    assert has_supervisor is (method is core.MethodName.SUPERVISED)
    spoken = run(core.Reflected(lane="supervisor", reflection="Two topics."), method=method)
    assert "Two topics." in text(activity_drawn(spoken), "supervisor")


@pytest.mark.parametrize("method", [core.MethodName.SUPERVISED, core.MethodName.GAP_DRIVEN])
def test_what_is_searched_while_somebody_plans_is_shown(method: core.MethodName) -> None:
    begun = core.SearchStarted(lane="supervisor", search="Q1", query="What of pumps?", source="web")
    told = text(activity_drawn(run(begun, method=method)), "supervisor")
    assert told.startswith("account_treeSupervisor" if method is core.MethodName.SUPERVISED else "travel_explore")
    assert "What of pumps?searching…" in told
    back = core.SearchReturned(lane="supervisor", search="Q1", pages=4, new=4, seconds=0.5)
    assert "4 pages · 4 new" in text(activity_drawn(run(begun, back, method=method)), "supervisor")


def test_the_depth_is_shown_with_its_reason_and_who_chose_it() -> None:
    depth = core.Depth(queries_per_section=2, iterations=3, reason="A broad question.")
    told = text(activity_drawn(run(core.DepthChosen(depth=depth, by="analyst"))), "depth")
    assert told == "Depth2 queries per section · 3 iterations · chosen by the analystA broad question."
    settled = run(
        core.DepthChosen(depth=depth, by="user"), core.PlanSettled(outline=OUTLINE, edited=False, step_budget=34)
    )
    told = text(activity_drawn(settled), "depth")
    assert told == "Depth2 queries per section · 3 iterations · budget of 34 steps · set in the brief"


def test_the_plan_is_shown_once_nobody_can_edit_it_any_more() -> None:
    assert not activity_drawn(run(core.PlanDrafted(outline=OUTLINE, begins_at=datetime.now(UTC)))).find("plan")
    assert "Plan with 2 sections" in text(activity_drawn(run(core.PlanDrafted(outline=OUTLINE))), "plan")
    tree = activity_drawn(run(core.PlanSettled(outline=OUTLINE, edited=True)))
    told = text(tree, "plan")
    for said in (
        "edited", "To see how large", "Size", "how large", "1 key question · 2 requirements", "How large is it?",
        "growth", "Outlook", "Why it matters.", "What to do.", "Two sections are enough.",
    ):  # fmt: skip
        assert said in told
    assert len(tree.find("sections")[0].children) == 2


def test_the_score_can_be_read_and_heard() -> None:
    shown = score([counted(1, 3), counted(2, 6)], 8, EN)
    assert shown is not None
    scale = shown.find("scale")[0]
    assert scale.attributes["aria-label"] == "Computed score: 6 of 10; 8 is enough"
    assert (len(scale.children), len(scale.find("on")), [cell.key for cell in scale.find("mark")]) == (10, 6, ["c8"])
    assert "6/10" in shown.text()
    assert "After 2 search rounds · 3 → 6 · 1 good source" in shown.text()
    bars = {bar.key: (len(bar.find("on")), bar.text()) for bar in shown.find("criterion")}
    assert bars["results"] == (2, "Results2 of 2")
    assert bars["diversity"] == (0, "Diversity0 of 2")
    assert list(bars) == ["results", "relevance", "diversity", "detail", "coverage"]


def test_what_is_covered_and_what_is_missing_are_told_apart_without_colour() -> None:
    shown = score([counted()], 8, EN)
    assert shown is not None
    chips = [chip.text() for chip in shown.find("chip")]
    assert chips == [
        "checksize100%100% found", "contrastgrowth50%50% found", "radio_button_uncheckedprice0%0% found"
    ]  # fmt: skip
    assert "Required information (confidence 69%)" in shown.text()
    japanese = score([counted()], 8, JA)
    assert japanese is not None
    assert "必要な情報（確信度 69%）" in japanese.text()
    nothing = score([counted(coverage={})], 8, EN)
    assert nothing is not None
    assert "Required information" not in nothing.text()


def test_a_lane_is_headed_by_its_section_with_score_and_ending() -> None:
    state = run(counted(), core.TopicFinished(lane="R1", reason="limit", why="Three rounds are over."))
    head = text(activity_drawn(state), "lane-head")
    for said in ("Size", "6/10", "Computed score: 6 of 10", core.StopReason.LIMIT.label.en):
        assert said in head
    assert "Three rounds are over." not in head
    assert "Three rounds are over." in text(activity_drawn(state), "lane-course")


@pytest.mark.parametrize("reason", [*core.StopReason, "something_new"])
def test_why_the_research_ended_is_said_for_every_code(reason: str) -> None:
    told = text(activity_drawn(run(core.ResearchFinished(reason=reason, why="As planned."))), "ending")
    assert core.StopReason.words_of(reason).en in told
    assert "As planned." in told


def test_a_reflection_in_parts_shows_its_summary_and_the_parts_on_a_click() -> None:
    tree = activity_drawn(
        run(core.TopicStarted(lane="R1"), core.Reflected(lane="R1", reflection="all of it", parts=REFLECTION))
    )
    assert text(tree, "thought") == "The size is known."
    (parts,) = tree.find("parts")
    assert parts.tag == "details"
    assert "open" not in parts.attributes
    assert parts.children[0].text() == "1 insight · 1 gap · 1 doubt · 1 next query"  # type: ignore[union-attr]
    for said in ("7/10", "Confidence: 7 of 10", "It grew by 4.2%.", "The growth of 2024.", "Two sizes are named.",
                 "pump market 2024", "The year is missing."):  # fmt: skip
        assert said in parts.text()
    assert [link.attributes["data-send"] for link in parts.find("cite")] == ["quote:E1", "quote:E1"]


def test_earlier_reflections_keep_their_parts() -> None:
    earlier = core.Reflected(lane="R1", reflection="", parts=REFLECTION)
    tree = activity_drawn(run(earlier, core.Reflected(lane="R1", reflection="Enough.")))
    assert "Enough." in text(tree, "thought")
    assert "pump market 2024" in text(tree, "thoughts")


def test_marks_in_a_text_become_links_to_quotes_that_exist() -> None:
    parts = with_links("Known [E1, E2], unknown [E7]; [see] below.", {"E1": 1, "E2": 2}, EN)
    told = el("p", "", *parts)
    assert told.text() == "KnownE1E2, unknown; [see] below."
    assert [link.attributes["data-send"] for link in told.find("cite")] == ["quote:E1", "quote:E2"]


def test_notes_are_cards_in_the_order_of_their_steps_while_the_run_goes_on() -> None:
    later = core.NoteTaken(step=2, query="outlook", summary="- <b>Grows</b> [E1]", sources=("S1", "S9"))
    state = run(later, core.NoteTaken(step=1, query="size", summary="Large.", sources=()), method=core.MethodName.NOTED)
    cards = activity_drawn(state).find("note-card")
    assert [card.key for card in cards] == ["note-1", "note-2"]
    assert "<b>Grows</b>" in cards[1].text()
    assert [link.attributes["data-send"] for link in cards[1].find("cite")] == ["quote:E1"]
    assert [link.attributes["data-send"] for link in cards[1].find("title")] == ["page:S1"]
    state.phase = core.Phase.ENDED
    assert not activity_drawn(state).find("note-card")


# --- runs that wait for a worker, as they are seen -------------------------------------------------------------------


WAITING_BRIEF = core.Brief(question="What of pumps?")


@pytest.mark.parametrize(("ui", "said"), [(EN, "Waiting"), (JA, "待機中")])
def test_head_and_list_say_that_a_run_waits(tmp_path: Path, ui: Ui, said: str) -> None:
    store = RunStore(tmp_path)
    enter(store, WAITING_BRIEF, "extractive", Task())
    row = el("div", "", *runs(store.list(), ui))
    assert said in row.text()
    assert not row.find("spin")
    head = el("div", "", *header(core.RunView(), RunState.WAITING, utc_now(), ui))
    assert said in head.text()
    assert not head.find("bar"), "nothing is under way"
    store.close()


@pytest.fixture
def leaving(monkeypatch: pytest.MonkeyPatch, app: AppTest) -> AppTest:
    """The app where workers carry runs out."""
    monkeypatch.setenv("RESEARCH_WORKERS", "1")
    return app.run()


def test_a_run_started_on_the_page_waits_and_can_be_stopped(leaving: AppTest) -> None:
    leaving.text_area(key="brief_question").set_value(WAITING_BRIEF.question)
    leaving.multiselect(key="brief_sources").set_value(["house"])
    leaving.button(key="start").click().run()
    (run,) = engine().store.list()
    assert (run.state, run.analyst) == (RunState.WAITING, "extractive")
    leaving.query_params["id"] = run.id
    leaving.switch_page("pages/run.py").run()
    assert not leaving.exception
    leaving.button(key="stop").click().run()
    assert engine().store.get(run.id).state is RunState.FAILED
    leaving.run()
    assert "This run brought no report." in shown(leaving)


def test_a_run_that_broke_off_too_often_says_so_and_can_be_asked_for_again(leaving: AppTest) -> None:
    store = engine().store
    run = enter(store, WAITING_BRIEF, "extractive", Task())
    for _ in range(4):
        owner = store.owners.enter()
        claim(store, owner.name)
        owner.leave()
        store.settle()
    leaving.query_params["id"] = run
    leaving.switch_page("pages/run.py").run()
    assert "It broke off 4 times: no worker goes on with it by itself." in shown(leaving)
    leaving.button(key="resume").click().run()
    assert not leaving.exception
    assert store.get(run).state is RunState.WAITING


@pytest.mark.usefixtures("app_home")
def test_where_caches_are_cleared_nobody_is_left_behind_who_carries_out_runs() -> None:
    before = engine().runner.owner
    st.cache_resource.clear()
    assert engine().runner.owner != before
    assert engine().store.owners.is_gone(before)
