from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pages.parts.lane_view import LaneState, Phase
from pages.parts.live_view import LiveState
from research.brief import Brief
from research.events import (
    Event,
    ModelCalled,
    PageSummarised,
    ReportExtended,
    ReportStarted,
    RunStarted,
    TopicFinished,
    TopicQueued,
    TopicStarted,
)
from research.language import Language
from research.presets import Role
from research.runs.store import RunStore
from tests.browser import sample_runs

BEGAN = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def numbered(*events: Event) -> list:  # type: ignore[type-arg]
    return [
        event.model_copy(update={"seq": place, "at": BEGAN + timedelta(seconds=place)})
        for place, event in enumerate(events, 1)
    ]


def started() -> RunStarted:
    return RunStarted(run="r", brief=Brief(question="Why?"), brief_text="", analyst="chat", sources=())


def test_a_run_that_ended_is_told_whole(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    state = LiveState().extend(store.events(sample_runs.ended(store, Language.EN)))
    store.close()
    assert (state.phase, state.seconds, state.progress) == (Phase.ENDED, 148.2, 1.0)
    assert list(state.lanes) == ["R1", "R2"]
    assert [lane.state for lane in state.lanes.values()] == [LaneState.DONE, LaneState.DONE]
    assert len(state.supervisor.reflections) == 2
    assert len(state.lanes["R1"].reflections) == 2
    assert [search.pages for search in state.lanes["R1"].searches] == [3, 0]
    assert [search.failed for search in state.lanes["R2"].searches] == ["", "search_timeout"]
    assert state.lanes["R1"].readings["S2"].cached
    assert state.lanes["R1"].quotes + state.lanes["R2"].quotes == len(state.evidence)
    assert [problem.code for problem in state.problems] == ["search_timeout"]
    assert (state.totals.searches, state.totals.cached) == (4, 1)
    assert state.totals.tokens == 3 * (3_120 + 240)
    assert state.draft.startswith("# Japan's electricity mix")


def test_the_fold_takes_events_one_by_one_or_at_once_and_never_twice(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    events = store.events(sample_runs.ended(store, Language.JA))
    store.close()
    one_by_one = LiveState()
    for event in events:
        one_by_one.extend([event])
    again = LiveState().extend(events).extend(events)
    assert one_by_one == again == LiveState().extend(events)


def test_progress_never_goes_back(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    events = store.events(sample_runs.ended(store, Language.EN))
    store.close()
    state, seen = LiveState(), []
    for event in events:
        seen.append(state.extend([event]).progress)
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[len(seen) // 2] < seen[-1] == 1.0
    late = LiveState().extend(
        numbered(started(), TopicQueued(lane="R1", topic="a"), TopicFinished(lane="R1", reason="complete"))
    )
    before = late.progress
    late.extend([TopicQueued(seq=4, lane="R2", topic="b"), TopicStarted(seq=5, lane="R2")])
    assert late.progress == before


def test_a_report_begun_anew_voids_the_text_before() -> None:
    state = LiveState().extend(
        numbered(
            started(),
            ReportStarted(analyst="chat"),
            ReportExtended(text="Never mind. "),
            ReportStarted(analyst="extractive"),
            ReportExtended(text="Quoted."),
        )
    )
    assert (state.draft, state.report_by) == ("Quoted.", "extractive")


def test_a_model_without_a_price_makes_the_cost_a_lower_bound() -> None:
    call = ModelCalled(role=Role.RESEARCH, model="local", seconds=1, input_tokens=10, output_tokens=5)
    priced = call.model_copy(update={"cost_usd": 0.5})
    state = LiveState().extend(numbered(started(), priced, call))
    assert (state.totals.cost_usd, state.totals.unpriced, state.totals.tokens) == (0.5, True, 30)


def test_a_page_quoted_by_rule_saves_no_call() -> None:
    page = PageSummarised(lane="R1", page="S1", summary="", evidence=(), cached=True, by_rule=True, seconds=0)
    assert LiveState().extend(numbered(page)).totals.cached == 0
    assert LiveState().extend(numbered(page.model_copy(update={"by_rule": False}))).totals.cached == 1


def test_a_failed_topic_and_one_that_broke_off() -> None:
    state = LiveState().extend(
        numbered(
            started(),
            TopicQueued(lane="R1", topic="a"),
            TopicQueued(lane="R2", topic="b"),
            TopicStarted(lane="R1"),
            TopicFinished(lane="R1", reason="failed"),
        )
    )
    assert state.lanes["R1"].state is LaneState.FAILED
    assert state.lanes["R2"].state is LaneState.QUEUED
    state.end()
    assert (state.phase, state.progress) == (Phase.ENDED, 1.0)
