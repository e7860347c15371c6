"""Steering a run on its page, its caps, and its calls over time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.engine import engine
from pages.parts.live.lanes import SHOW_ALL, activity
from pages.parts.live.steering import asked_of_run, confirmations, handle_steering, is_taken
from pages.parts.live.timeline import bars, clock_time, timeline_figure, totals
from pages.parts.nodes import Element, el
from pages.parts.report.head import header, problems
from pages.parts.ui import Ui
from research import core
from research.language import Language
from tests.support import sample_runs
from tests.support.histories import BEGAN, numbered, started
from tests.support.stored_runs import append

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)
QUESTION = "What do dealers pay?"


def page(name: str, site: str) -> core.PageRead:
    return core.PageRead(
        lane="R1", page=name, url=f"https://{site}/{name}", title=f"Page {name}", site=site, origin=core.SourceName.WEB,
        kind=core.SourceKind.NEWS, published=None, sha256="0", characters=9,
    )  # fmt: skip


def state_of(*events: core.Event) -> core.RunView:
    """A run in which one researcher has read pages of two sites, and `events` followed."""
    begin = (core.TopicQueued(lane="R1", topic="Sales"), core.TopicStarted(lane="R1"))
    read = (page("S1", "news.example.com"), page("S2", "blog.example.org"))
    return core.RunView().extend(numbered(started(), *begin, *read, *events))


def tree_of(state: core.RunView, ui: Ui = EN) -> Element:
    return el("div", "", *activity(state, ui))


# --- what can be asked, and how it stands


def test_a_lane_and_each_source_offer_a_way_to_leave_them_out() -> None:
    state = state_of()
    tree = activity(state, EN)
    offered = [button.attributes["data-card"] for button in el("div", "", *tree).find("steer")]
    assert offered == ["drop:R1", "block:blog.example.org", "block:news.example.com"]
    cards = confirmations(tree, state, EN)
    assert sorted(cards) == sorted(offered)
    card = el("div", "", *cards["drop:R1"])
    assert "Drop this topic?Sales" in card.text()
    assert "cannot be taken back" in card.text()
    assert card.find("offer")[0].attributes["data-send"] == "drop:R1"
    assert (
        "このサイトをブロックしますか"
        in el("div", "", *confirmations(tree, state, JA)["block:blog.example.org"]).text()
    )


@pytest.mark.parametrize("end", [core.ResearchFinished(reason="complete"), core.TopicDropped(lane="R1")])
def test_what_cannot_be_asked_any_more_is_not_offered(end: core.Event) -> None:
    buttons = tree_of(
        state_of(end, core.SiteBlocked(site="news.example.com"), core.SiteBlocked(site="example.org"))
    ).find("steer")
    assert buttons == []


def test_a_blocked_site_and_a_dropped_topic_are_shown_as_left_out() -> None:
    state = state_of(core.SiteBlocked(site="example.com"), core.TopicDropped(lane="R1"))
    lane = next(found for found in tree_of(state).find("lane") if found.key == "R1")
    assert "dropped" in lane.attributes["class"]
    assert "Topic dropped" in lane.text()
    assert [source.key for source in lane.find("left-out-source")] == ["S1"]


def test_a_question_is_told_from_passed_on_to_researched() -> None:
    def told(*events: core.Event, waiting: tuple[core.AddQuestion, ...] = ()) -> str:
        state = state_of(*events)
        return el("div", "", *asked_of_run(state, [one for one in waiting if not is_taken(one, state)], EN)).text()

    added, queued = core.QuestionAdded(question=QUESTION), core.TopicQueued(lane="R2", topic=QUESTION)
    mine = (core.AddQuestion(text=QUESTION),)
    assert told() == ""
    assert "passed on…" in told(waiting=mine)
    assert told(added, waiting=mine).endswith("will be researched next")
    assert told(added, queued).endswith("will be researched next")
    assert told(added, queued, core.TopicStarted(lane="R2")).endswith("being researched by R2")
    assert told(added, queued, core.TopicFinished(lane="R2", reason="complete")).endswith("researched")
    assert told(added, core.ResearchFinished(reason="complete")).endswith("not researched")


def test_what_came_too_late_is_not_waited_for() -> None:
    late = core.ProblemOccurred(stage=core.Stage.RESEARCH, code="question_late", subject=QUESTION[:80])
    assert is_taken(core.AddQuestion(text=QUESTION), state_of(late))
    assert not is_taken(core.AddQuestion(text=QUESTION), state_of())
    assert not is_taken(core.BlockSite(site="a.example"), state_of(core.SiteBlocked(site="b.example")))


# --- the page


@pytest.fixture
def run(app: AppTest) -> str:
    """A run of another process, open in the app."""
    app.run()
    name = sample_runs.researching(engine().store, Language.EN)
    app.query_params["id"] = name
    app.switch_page("pages/run.py").run()
    assert not app.exception
    return name


def type_in(app: AppTest, run: str, text: str) -> None:
    app.text_input(key=f"steering_question_{run}").set_value(text)
    app.button(key=f"steering_add_{run}").click().run()
    assert not app.exception


def test_a_question_reaches_a_run_of_another_process(app: AppTest, run: str) -> None:
    type_in(app, run, f"  {QUESTION} ")
    assert list(engine().store.steering(run).values()) == [core.AddQuestion(text=QUESTION)]
    assert app.text_input(key=f"steering_question_{run}").value == ""
    type_in(app, run, "   ")
    assert len(engine().store.steering(run)) == 1


def test_after_the_research_the_line_is_closed_and_says_why(app: AppTest, run: str) -> None:
    assert not app.text_input(key=f"steering_question_{run}").disabled
    append(engine().store, run, core.ResearchFinished(reason="complete"))
    app.run()
    line = app.text_input(key=f"steering_question_{run}")
    assert line.disabled
    assert "Research has ended; ask about the report once it is written." in [said.value for said in app.caption]


def test_what_cannot_be_asked_is_said_in_words_and_kept(app: AppTest, run: str) -> None:
    def script() -> None:
        from pages.parts.live.steering import show_steering
        from pages.parts.ui import Ui
        from research import core
        from research.language import Language

        show_steering("gone", core.RunView(phase=core.Phase.RESEARCHING), Ui.of(Language.JA, None))

    panel = AppTest.from_function(script).run()
    type_in(panel, "gone", QUESTION)
    assert "この調査はもう存在しない" in panel.error[0].value
    assert panel.text_input(key="steering_question_gone").value == QUESTION


def test_a_press_in_a_lane_is_passed_on_and_other_messages_are_not(app: AppTest, run: str) -> None:
    assert handle_steering(run, "drop:R1", EN)
    assert handle_steering(run, "block:www.Example.com", EN)
    assert handle_steering(run, "drop:", EN)
    assert not handle_steering(run, SHOW_ALL + "R1", EN)
    sent = list(engine().store.steering(run).values())
    assert sent == [core.DropTopic(lane="R1"), core.BlockSite(site="example.com")]


# --- caps and troubles


def head_of(brief: core.Brief, *events: core.Event, seconds: float, analyst: str = "chat") -> Element:
    first = core.RunStarted(run="r", brief=brief, brief_text="", analyst=analyst, sources=())
    state = core.RunView().extend(numbered(first, *events))
    now = BEGAN + timedelta(seconds=1 + seconds)
    return el("div", "", *header(state, "running", now, EN))


def test_what_is_spent_stands_against_the_caps() -> None:
    call = core.ModelCalled(role=core.Role.RESEARCH, model="m", seconds=1, cost_usd=0.46)
    head = head_of(core.Brief(question="?", max_cost_usd=0.5, max_minutes=10), call, seconds=120)
    money, minutes = head.find("cap")
    assert "$0.46 of $0.50 at most" in money.text()
    assert "near" in money.attributes["class"]
    assert "2 min 0 s of 10 min 0 s at most" in minutes.text()
    assert "near" not in minutes.attributes["class"]
    assert head_of(core.Brief(question="?"), call, seconds=1).find("cap") == []
    assert head_of(core.Brief(question="?", max_cost_usd=1), seconds=1, analyst="extractive").find("cap") == []


def test_the_time_that_a_plan_waited_counts_against_no_cap() -> None:
    outline = core.Outline(sections=(core.Section(title="a"),))
    drafted = core.PlanDrafted(outline=outline, begins_at=BEGAN + timedelta(seconds=60))
    brief = core.Brief(question="?", max_minutes=1)
    assert "1 s of 1 min 0 s" in head_of(brief, drafted, seconds=50).text()
    filler = [core.ProblemOccurred(stage=core.Stage.SEARCH, code="no_hits")] * 30
    settled = head_of(brief, drafted, *filler, core.PlanSettled(outline=outline, edited=False), seconds=50)
    assert "19 s of 1 min 0 s" in settled.text()


def test_many_troubles_are_folded() -> None:
    wrong = [
        core.ProblemOccurred(stage=core.Stage.SEARCH, code="search_failed", subject=f"query {at}") for at in range(100)
    ]
    shown, folded = problems(wrong, EN)
    assert len(shown.children) == 4
    assert folded.text().startswith("96 more problems")
    assert len(problems(wrong[:5], EN)) == 1


# --- several researchers


def test_of_several_researchers_each_says_in_a_line_what_it_does() -> None:
    events = [started(), *(core.TopicQueued(lane=f"R{number}", topic=f"Topic {number}") for number in range(1, 4))]
    events += [core.TopicStarted(lane="R1"), page("S1", "a.example"), core.TopicFinished(lane="R2", reason="complete")]
    tree = tree_of(core.RunView().extend(numbered(*events)))
    assert [line.text() for line in tree.find("lane-now")] == ["menu_bookPage S1"]


# --- the calls over time


def test_every_call_that_returned_is_on_the_line_of_time() -> None:
    events = numbered(
        started(),
        core.SearchReturned(lane="R1", search="Q1", pages=1, new=1, seconds=0.5),
        core.SearchFailed(lane="R1", search="Q2", code="search_failed", seconds=1.0),
        core.PageSummarised(lane="R1", page="S1", summary="", evidence=(), cached=True, by_rule=False, seconds=0),
        core.ModelCalled(role=core.Role.RESEARCH, model="m", seconds=3.0),
        core.ModelCalled(role=core.Role.RESEARCH, model="m", seconds=2.0, error="model_failed"),
    )
    calls = core.RunView().extend(events).calls
    kinds = [
        core.CallKind.SEARCH,
        core.CallKind.FAILED,
        core.CallKind.CACHED,
        core.CallKind.MODEL,
        core.CallKind.FAILED,
    ]
    assert [call.kind for call in calls] == kinds
    first, *_, model, failed = bars(calls, BEGAN)
    assert (first.start, first.end) == (1.5, 2.0)
    assert (model.start, model.end) == (2.0, 5.0)
    assert (model.row, failed.row) == ("research", "research")
    table = el("div", "", *totals(calls, EN)).text()
    assert "Model: research25 s3 s1" in table
    assert "Search calls22 s1 s1" in table


def test_thousands_of_calls_share_few_bars_and_none_is_lost() -> None:
    calls = [
        core.Call(f"R{at % 50}", kind, BEGAN + timedelta(seconds=at), 4.0)
        for at in range(5_000)
        for kind in (core.CallKind.SEARCH, core.CallKind.PAGE)
    ]
    found = bars(calls, BEGAN, at_most=1_000)
    assert len(found) <= 1_000
    assert sum(bar.calls for bar in found) == len(calls)
    assert {bar.row for bar in found} == {f"R{at}" for at in range(50)}
    assert len(bars(calls[:800], BEGAN, at_most=1_000)) == 800


def test_the_chart_names_its_rows_and_stays_light() -> None:
    events: list[core.Event] = [started()]
    for number in range(1, 51):
        events.append(core.TopicQueued(lane=f"R{number}", topic="a"))
        events += [core.SearchReturned(lane=f"R{number}", search="Q", pages=1, new=1, seconds=1.0)] * 60
    chart = timeline_figure(core.RunView().extend(numbered(*events)), JA, "light")
    assert len(chart.to_json()) < 100_000
    assert list(chart.layout.yaxis.ticktext) == [f"R{number}" for number in range(1, 51)]
    assert [trace.name for trace in chart.data] == ["検索呼び出し"]
    assert chart.data[0].customdata[0] == "0:01–1:01 · 60回 · 60秒"


@pytest.mark.parametrize(
    ("seconds", "marks"), [(13.6, ["0:00", "0:02", "0:04", "0:06", "0:08", "0:10", "0:12", "0:14"]), (3.2, ["0:03"])]
)
def test_the_chart_ends_when_the_run_does(seconds: float, marks: list[str]) -> None:
    search = core.SearchReturned(lane="R1", search="Q", pages=1, new=1, seconds=0.5)
    course = [started(), core.TopicQueued(lane="R1", topic="a"), search]
    chart = timeline_figure(
        core.RunView().extend(numbered(*course, core.RunFinished(status=core.Status.COMPLETE, seconds=seconds))),
        EN,
        "light",
    )
    assert list(chart.layout.xaxis.ticktext)[-len(marks) :] == marks
    assert chart.layout.xaxis.tickvals[-1] == seconds < chart.layout.xaxis.range[1]


@pytest.mark.parametrize(("seconds", "said"), [(0, "0:00"), (65.9, "1:05"), (3_750, "1:02:30")])
def test_time_is_told_as_a_clock_does(seconds: float, said: str) -> None:
    assert clock_time(seconds) == said
