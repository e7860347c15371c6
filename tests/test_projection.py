"""What has happened in a run, folded from its events: what the live page, the terminal and the record share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from research import core, events
from research.core.errors import PROBLEMS
from research.language import Language
from research.store import RunStore
from tests.support import sample_runs
from tests.support.histories import BEGAN, numbered, started


def assessed(iteration: int, score: int) -> core.Assessed:
    return core.Assessed(lane="R1", iteration=iteration, criteria={"results": 2}, score=score, missing=())


def test_a_run_that_ended_is_told_whole(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    state = core.RunView().extend(store.events(sample_runs.ended(store, Language.EN)))
    store.close()
    assert (state.phase, state.seconds, state.progress) == (core.Phase.ENDED, 148.2, 1.0)
    assert list(state.lanes) == ["R1", "R2"]
    assert [lane.state for lane in state.lanes.values()] == [core.LaneState.DONE, core.LaneState.DONE]
    assert len(state.supervisor.reflections) == 2
    assert len(state.lanes["R1"].reflections) == 2
    assert [search.pages for search in state.lanes["R1"].searches] == [3, 0]
    assert [search.failed for search in state.lanes["R2"].searches] == ["", "search_timeout"]
    assert state.lanes["R1"].readings["S2"].summarised.cached
    assert state.lanes["R1"].quotes + state.lanes["R2"].quotes == len(state.evidence)
    assert [problem.code for problem in state.problems] == ["search_timeout"]
    assert (state.searches, state.saved) == (4, 1)
    assert state.total.tokens == 3 * (3_120 + 240)
    assert state.draft.startswith("# Japan's electricity mix")


def test_the_fold_takes_events_one_by_one_or_at_once_and_never_twice(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    events = store.events(sample_runs.ended(store, Language.JA))
    store.close()
    one_by_one = core.RunView()
    for event in events:
        one_by_one.extend([event])
    again = core.RunView().extend(events).extend(events)
    assert one_by_one == again == core.RunView().extend(events)


def test_progress_never_goes_back(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    events = store.events(sample_runs.ended(store, Language.EN))
    store.close()
    state, seen = core.RunView(), []
    for event in events:
        seen.append(state.extend([event]).progress)
    assert seen == sorted(seen)
    assert 0 < seen[0] < seen[len(seen) // 2] < seen[-1] == 1.0
    late = core.RunView().extend(
        numbered(started(), core.TopicQueued(lane="R1", topic="a"), core.TopicFinished(lane="R1", reason="complete"))
    )
    before = late.progress
    late.extend([core.TopicQueued(seq=4, lane="R2", topic="b"), core.TopicStarted(seq=5, lane="R2")])
    assert late.progress == before


def test_a_report_begun_anew_voids_the_text_before() -> None:
    state = core.RunView().extend(
        numbered(
            started(),
            core.ReportStarted(analyst="chat"),
            core.ReportExtended(text="Never mind. "),
            core.ReportStarted(analyst="extractive"),
            core.ReportExtended(text="Quoted."),
        )
    )
    assert (state.draft, state.report_by) == ("Quoted.", "extractive")


def test_sections_grow_while_others_are_researched_and_are_all_that_is_done_after() -> None:
    state = core.RunView().extend(
        numbered(started(), core.SectionExtended(section="R1", title="Size", text="It is large."))
    )
    assert (state.phase, state.draft) == (core.Phase.RESEARCHING, "## Size\n\nIt is large.")
    later = (
        core.ResearchFinished(reason="covered"),
        core.SectionWritten(section="R1", title="Size", analyst="chat", evidence=("E1",)),
    )
    for place, event in enumerate(later, state.seq + 1):
        state.extend([event.model_copy(update={"seq": place})])
        assert state.phase is core.Phase.WRITING


def test_research_that_ends_before_any_section_is_not_writing_until_one_grows() -> None:
    state = core.RunView().extend(numbered(started(), core.ResearchFinished(reason="covered")))
    assert state.phase is core.Phase.RESEARCHING
    state.extend([core.SectionExtended(seq=state.seq + 1, section="R1", title="Size", text="It is large.")])
    assert state.phase is core.Phase.WRITING


def test_a_model_without_a_price_makes_the_cost_a_lower_bound() -> None:
    call = core.ModelCalled(role=core.Role.RESEARCH, model="local", seconds=1, input_tokens=10, output_tokens=5)
    priced = call.model_copy(update={"cost_usd": 0.5})
    state = core.RunView().extend(numbered(started(), priced, call))
    assert (state.total.cost_usd, state.total.unpriced, state.total.tokens) == (0.5, True, 30)


def test_a_page_quoted_by_rule_saves_no_call() -> None:
    page = core.PageSummarised(lane="R1", page="S1", summary="", evidence=(), cached=True, by_rule=True, seconds=0)
    assert core.RunView().extend(numbered(page)).saved == 0
    assert core.RunView().extend(numbered(page.model_copy(update={"by_rule": False}))).saved == 1


def test_a_failed_topic_and_one_that_broke_off() -> None:
    state = core.RunView().extend(
        numbered(
            started(),
            core.TopicQueued(lane="R1", topic="a"),
            core.TopicQueued(lane="R2", topic="b"),
            core.TopicStarted(lane="R1"),
            core.TopicFinished(lane="R1", reason="failed"),
        )
    )
    assert state.lanes["R1"].state is core.LaneState.FAILED
    assert state.lanes["R2"].state is core.LaneState.QUEUED
    state.end()
    assert (state.phase, state.progress) == (core.Phase.ENDED, 1.0)


def test_a_plan_is_drafted_held_and_settled() -> None:
    draft, final = (
        core.Outline(sections=(core.Section(title="a"),)),
        core.Outline(sections=(core.Section(title="b"), core.Section(title="c"))),
    )
    until = BEGAN + timedelta(seconds=60)
    state = core.RunView().extend(
        numbered(
            started(core.MethodName.OUTLINED),
            core.DepthChosen(depth=core.Depth(queries_per_section=2, iterations=3, reason="Broad."), by="analyst"),
            core.PlanDrafted(outline=draft, begins_at=until),
        )
    )
    assert (state.method, state.plan.outline, state.plan.begins_at) == (core.MethodName.OUTLINED, draft, until)
    assert not state.plan.is_held
    later = until + timedelta(seconds=900)
    state.extend([core.PlanHeld(seq=4, begins_at=later)])
    assert (state.plan.is_held, state.plan.begins_at) == (True, later)
    state.extend([core.PlanSettled(seq=5, outline=final, edited=True, step_budget=34)])
    plan = state.plan
    assert (plan.outline, plan.edited, plan.step_budget, plan.is_settled) == (final, True, 34, True)
    assert (plan.is_held, plan.begins_at) == (False, None)
    assert plan.depth is not None
    assert plan.depth.depth.reason == "Broad."


def test_what_was_counted_is_kept_search_by_search() -> None:
    parts = core.Reflection(summary="Known.", gaps=("price",))
    state = core.RunView().extend(
        numbered(
            started(core.MethodName.GAP_DRIVEN),
            core.TopicQueued(lane="R1", topic="Prices. Find prices.", title="Prices"),
            assessed(1, 3),
            core.Reflected(lane="R1", reflection="Known.", parts=parts),
            assessed(2, 7),
            core.NoteTaken(step=1, query="q", summary="s", sources=()),
            core.TopicFinished(lane="R1", reason="covered", why="All is there."),
            core.ResearchFinished(reason="covered"),
        )
    )
    lane = state.lanes["R1"]
    assert [one.score for one in lane.assessed] == [3, 7]
    assert (lane.title, lane.reason, lane.why) == ("Prices", "covered", "All is there.")
    assert [thought.parts for thought in lane.reflections] == [parts]
    assert [note.step for note in state.notes] == [1]
    assert state.ending is not None
    assert state.ending.reason == "covered"


def test_progress_counts_queries_not_the_sources_that_they_went_to() -> None:
    def made(*queries: str) -> float:
        searches = [
            core.SearchStarted(lane="R1", search=f"Q{place}", query=query, source=core.SourceName.WEB)
            for place, query in enumerate(queries)
        ]
        return (
            core.RunView()
            .extend(numbered(started(core.MethodName.CHAINED), core.TopicStarted(lane="R1"), *searches))
            .progress
        )

    assert made("a") == made("a", "a", "a")
    assert made("a") < made("a", "b") < made(*"abcdef")


def test_the_deeper_a_section_is_searched_the_slower_is_its_progress() -> None:
    def after_one_query(iterations: int) -> float:
        depth = core.Depth(queries_per_section=1, iterations=iterations)
        search = core.SearchStarted(lane="R1", search="Q1", query="a", source=core.SourceName.WEB)
        events = (core.DepthChosen(depth=depth, by="user"), core.TopicStarted(lane="R1"), search)
        return core.RunView().extend(numbered(started(core.MethodName.OUTLINED), *events)).progress

    assert after_one_query(5) < after_one_query(2)


def read(lane: str, page: str, site: str, *quotes: str) -> tuple[core.Event, ...]:
    """A page is read, and these quotes are taken from it."""
    return (
        core.PageRead(
            lane=lane, page=page, url=f"https://{site}/", title=page, site=site, origin=core.SourceName.WEB,
            kind=core.SourceKind.NEWS, published=None, sha256=page, characters=9,
        ),
        *(core.EvidenceFound(lane=lane, id=name, source=page, quote=name, start=0, end=2) for name in quotes),
        core.PageSummarised(lane=lane, page=page, summary="", evidence=quotes, cached=False, by_rule=False, seconds=1),
    )  # fmt: skip


def wanted(*events: core.Event) -> list[str]:
    run = core.RunView.of(numbered(*events))
    return [entry.id for entry in run.wanted(run.evidence.values())]


def test_what_only_dropped_topics_found_and_what_blocked_sites_say_is_not_wanted() -> None:
    found = (
        started(),
        core.TopicQueued(lane="R1", topic="a"),
        core.TopicQueued(lane="R2", topic="b"),
        *read("R1", "S1", "a.example", "E1", "E2"),
        *read("R2", "S1", "a.example", "E2"),
        *read("R2", "S2", "News.B.example", "E3"),
    )
    assert wanted(*found) == ["E1", "E2", "E3"]
    assert wanted(*found, core.TopicDropped(lane="R1")) == ["E2", "E3"]
    assert wanted(*found, core.SiteBlocked(site="b.example")) == ["E1", "E2"]


def test_a_topic_keeps_what_it_says_at_its_end_and_a_further_search_adds_to_it() -> None:
    first = (core.TopicQueued(lane="F1", topic="More?"), *read("F1", "S1", "a.example", "E1", "E2"))
    run = core.RunView.of(numbered(*first, core.TopicFinished(lane="F1", reason="complete", evidence=("E1",))))
    assert (list(run.lanes["F1"].evidence), run.lanes["F1"].found) == (["E1"], {"E1", "E2"})
    again = (
        core.TopicQueued(lane="F1", topic="More?"),
        core.TopicFinished(lane="F1", reason="covered", evidence=("E7",)),
    )
    run.extend(event.model_copy(update={"seq": run.seq + place}) for place, event in enumerate(again, 1))
    lane = run.lanes["F1"]
    assert (list(lane.evidence), lane.reason, len(lane.finished)) == (["E1", "E7"], "covered", 2)
    assert run.topics == [lane]


def test_what_nobody_answered_before_a_run_broke_off_is_lost_but_was_asked() -> None:
    run = core.RunView.of(
        numbered(
            started(),
            core.TopicQueued(lane="R1", topic="a"),
            core.SearchStarted(lane="R1", search="Q1", query="x", source=core.SourceName.WEB),
            core.SearchReturned(lane="R1", search="Q1", pages=2, new=2, seconds=1),
            core.SearchStarted(lane="R1", search="Q2", query="y", source=core.SourceName.WEB),
            read("R1", "S1", "a.example")[0],
            core.RunResumed(),
        )
    )
    lane = run.lanes["R1"]
    assert ([search.id for search in lane.searches], lane.queries, lane.readings) == (["Q1"], {"x"}, {})
    assert (list(lane.asked), run.queries, run.searches) == (["Q1", "Q2"], ["x", "y"], 2)


def test_the_thoughts_of_all_stand_in_the_order_of_thinking() -> None:
    said = [core.Reflected(lane=lane, reflection=lane) for lane in ("R2", core.SUPERVISOR, "R1", "R2")]
    assert [thought.lane for thought in core.RunView.of(numbered(*said)).reflections] == [
        "R2",
        core.SUPERVISOR,
        "R1",
        "R2",
    ]


def test_events_without_a_number_are_always_taken_in() -> None:
    run = core.RunView.of(
        [core.QuestionAdded(question="a"), core.QuestionAdded(question="b"), core.QuestionAdded(question="a")]
    )
    assert (run.questions, run.seq) == (["a", "b"], 0)


# --- events ----------------------------------------------------------------------------------------------------------


KINDS: tuple[type[core.Event], ...] = get_args(get_args(core.AnyEvent)[0])


def test_the_union_holds_every_event_of_the_module() -> None:
    defined = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, core.Event)}
    assert defined - {core.Event, events.LaneEvent} == set(KINDS)


def test_types_are_unique_and_in_snake_case() -> None:
    names = [kind.model_fields["type"].default for kind in KINDS]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and " " not in name for name in names)


def test_an_event_reads_back_as_itself() -> None:
    event = core.RunStarted(
        seq=1, at=datetime.now(UTC), run="r", brief=core.Brief(question="質問"), brief_text="t", analyst="a", sources=()
    )
    assert core.parse_event(event.model_dump_json()) == event


@pytest.mark.parametrize("line", ["", "{}", '{"type": "unheard_of"}', "nonsense"])
def test_what_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(ValidationError):
        core.parse_event(line)


def test_every_problem_is_said_in_both_languages() -> None:
    for code in PROBLEMS:
        english, japanese = core.explain(code, Language.EN), core.explain(code, Language.JA, "対象")
        assert english.endswith(".") and japanese.startswith("対象：") and japanese.endswith("。"), code
