"""What is asked of a run under way: questions, topics, sites, and another plan."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from research import core
from research.analysts import ConductResearch, ReportRequest, ResearchComplete, Search
from research.engine import Control, RunResult, World, conduct
from research.settings import Settings
from research.sources import FoundPage, SearchRequest
from research.store import Runner, RunStore
from tests.support.machine import wait_until
from tests.support.scripted import (
    NOW,
    MemoryJournal,
    MemorySource,
    ScriptedAnalyst,
    SteeredJournal,
    found_page,
    scripted_world,
    when,
)

BRIEF = core.Brief(question="What of pumps?")
QUESTION = "And what of valves?"


class OwnPages(MemorySource):
    """Returns a page on the topic of the query, and one that every query returns."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        await super().search(request)
        name = next((topic for topic in ("one", "two", "valves", "seals") if topic in request.query), "other")
        return [
            found_page(name, f"This is a fact about {name}. And more."),
            found_page("shared.common", "This is a fact for all. And more."),
        ]


async def steered(
    *script: tuple[Callable[[core.Event], bool], core.Steer],
    analyst: ScriptedAnalyst | None = None,
    source: MemorySource | None = None,
    brief: core.Brief = BRIEF,
) -> tuple[RunResult, MemoryJournal]:
    control = Control()
    journal = SteeredJournal(control, *script)
    world = scripted_world(analyst or ScriptedAnalyst(), source or OwnPages())
    async with asyncio.timeout(20):
        return await conduct("test", brief, world, journal, control), journal


def quoted(result: RunResult) -> set[str]:
    """The sites that the report cites."""
    return {entry.site for entry in result.record.sources if entry.number is not None}


# --- one more question


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_a_question_added_is_researched_whatever_the_method(method: core.MethodName) -> None:
    brief = BRIEF.model_copy(update={"method": method})
    result, journal = await steered((when(core.TopicStarted), core.AddQuestion(text=QUESTION)), brief=brief)
    assert [event.question for event in journal.of(core.QuestionAdded)] == [QUESTION]
    last = journal.of(core.TopicQueued)[-1]
    assert last.topic == QUESTION
    assert [event.reason for event in journal.of(core.TopicFinished) if event.lane == last.lane] == ["complete"]
    assert "valves.example" in quoted(result)
    assert len(journal.of(core.ResearchFinished)) == 1


async def test_a_question_waits_until_the_topics_that_there_are_have_ended() -> None:
    _, journal = await steered((when(core.TopicStarted), core.AddQuestion(text=QUESTION)))
    order = [
        (type(event), event.lane)
        for event in journal.events
        if isinstance(event, core.TopicQueued | core.TopicFinished)
    ]
    assert order[-2:] == [(core.TopicQueued, "R3"), (core.TopicFinished, "R3")]


async def test_a_question_becomes_a_section_of_a_plan() -> None:
    outlines = []

    def write(request: ReportRequest) -> str:
        outlines.append(request.outline)
        return "\n".join(f"- Known. [{name}]" for name in request.evidence)

    await steered(
        (when(core.TopicStarted), core.AddQuestion(text=QUESTION)),
        analyst=ScriptedAnalyst(on_write=write),
        brief=BRIEF.model_copy(update={"method": core.MethodName.OUTLINED}),
    )
    assert [section.title for section in outlines[0].sections] == ["Topic one", "Topic two", QUESTION]


async def test_a_question_asked_while_another_is_researched_has_its_turn_too_and_none_is_asked_twice() -> None:
    _, journal = await steered(
        (when(core.TopicStarted, lane="R1"), core.AddQuestion(text=QUESTION)),
        (when(core.TopicStarted, lane="R2"), core.AddQuestion(text=QUESTION)),
        (when(core.TopicStarted, lane="R3"), core.AddQuestion(text="And what of seals?")),
    )
    assert [event.topic for event in journal.of(core.TopicQueued)][2:] == [QUESTION, "And what of seals?"]
    assert len(journal.of(core.QuestionAdded)) == 2


async def test_a_question_that_comes_too_late_is_said_to_be_so() -> None:
    result, journal = await steered((when(core.ReportStarted), core.AddQuestion(text=QUESTION)))
    assert not journal.of(core.QuestionAdded)
    assert [(problem.code, problem.subject) for problem in result.record.problems] == [("question_late", QUESTION)]
    assert result.record.status is core.Status.PARTIAL


async def test_a_question_rescues_a_run_whose_topics_found_nothing() -> None:
    class OnlyValves(MemorySource):
        async def search(self, request: SearchRequest) -> list[FoundPage]:
            await asyncio.sleep(0)
            return [found_page("valves", "A fact about valves. And more.")] if "valves" in request.query else []

    brief = BRIEF.model_copy(update={"method": core.MethodName.CHAINED})
    result, journal = await steered(
        (when(core.TopicStarted), core.AddQuestion(text=QUESTION)), source=OnlyValves(), brief=brief
    )
    assert journal.of(core.ResearchFinished)[0].reason == "complete"
    assert result.record.status is core.Status.COMPLETE


# --- a topic less


class Stuck(OwnPages):
    """Answers, but for one topic never."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        if "two" in request.query:
            await asyncio.Event().wait()
        return await super().search(request)


async def test_a_topic_dropped_ends_at_once_and_the_others_go_on() -> None:
    result, journal = await steered((when(core.SearchStarted, lane="R2"), core.DropTopic(lane="R2")), source=Stuck())
    assert [event.lane for event in journal.of(core.TopicDropped)] == ["R2"]
    assert {event.lane: event.reason for event in journal.of(core.TopicFinished)} == {"R1": "complete", "R2": "dropped"}
    assert quoted(result) == {"one.example", "shared.common.example"}
    assert result.record.status is core.Status.COMPLETE


@pytest.mark.parametrize("method", [core.MethodName.SUPERVISED, core.MethodName.OUTLINED])
async def test_what_only_a_dropped_topic_found_is_left_out_but_stays_recorded(method: core.MethodName) -> None:
    brief = BRIEF.model_copy(update={"method": method})
    result, journal = await steered((when(core.TopicFinished, lane="R2"), core.DropTopic(lane="R2")), brief=brief)
    assert quoted(result) == {"one.example", "shared.common.example"}
    assert "two.example" in {entry.site for entry in result.record.sources}
    assert "two.example" in {event.site for event in journal.of(core.PageRead)}


async def test_a_topic_that_waits_its_turn_never_starts_once_dropped() -> None:
    topics = [f"Topic {number}" for number in range(6)]
    _, journal = await steered(
        (when(core.TopicStarted, lane="R1"), core.DropTopic(lane="R6")), analyst=ScriptedAnalyst(topics=topics)
    )
    assert "R6" not in {event.lane for event in journal.of(core.TopicStarted)}
    assert {event.lane: event.reason for event in journal.of(core.TopicFinished)}["R6"] == "dropped"


async def test_the_supervisor_is_told_of_a_dropped_topic() -> None:
    told: list[str] = []

    def supervise(view):  # type: ignore[no-untyped-def]
        told.extend(step.observation for step in view.steps)
        assert [result.topic for result in view.results] == (["Topic one"] if view.turn else [])
        return [ResearchComplete()] if view.turn else [ConductResearch("Topic one"), ConductResearch("Topic two")]

    analyst = ScriptedAnalyst(on_supervise=supervise)
    await steered((when(core.SearchStarted, lane="R2"), core.DropTopic(lane="R2")), source=Stuck(), analyst=analyst)
    assert any("dropped this topic" in text for text in told)


async def test_who_drops_every_topic_is_told_that_nothing_is_left() -> None:
    result, journal = await steered(
        (when(core.TopicFinished, lane="R1"), core.DropTopic(lane="R1")),
        (when(core.TopicFinished, lane="R2"), core.DropTopic(lane="R2")),
        brief=BRIEF.model_copy(update={"method": core.MethodName.OUTLINED}),
    )
    assert journal.of(core.ResearchFinished)[0].reason == "dropped"
    assert "nothing_left" in {problem.code for problem in result.record.problems}
    assert result.record.status is core.Status.PARTIAL
    assert quoted(result) == set()


async def test_a_topic_that_is_not_there_cannot_be_dropped() -> None:
    _, journal = await steered((when(core.TopicStarted), core.DropTopic(lane="R7")))
    assert not journal.of(core.TopicDropped)
    assert {event.reason for event in journal.of(core.TopicFinished)} == {"complete"}


# --- a site less


async def test_a_blocked_site_is_read_no_more_and_what_it_said_is_not_in_the_report() -> None:
    source = OwnPages()
    analyst = ScriptedAnalyst(
        topics=["Topic one"],
        on_investigate=lambda view: [Search((f"{view.topic} query",))] if view.turn < 3 else [ResearchComplete()],
    )
    result, journal = await steered(
        (when(core.PageRead, site="shared.common.example"), core.BlockSite(site="common.example")),
        analyst=analyst,
        source=source,
    )
    assert [event.site for event in journal.of(core.SiteBlocked)] == ["common.example"]
    assert len([event for event in journal.of(core.PageRead) if event.site == "shared.common.example"]) == 1
    assert source.asked[-1].forbidden_sites == ("common.example",)
    assert quoted(result) == {"one.example"}
    assert "shared.common.example" in {entry.site for entry in result.record.sources}


async def test_notes_that_may_rest_on_a_blocked_site_do_not_reach_the_writer() -> None:
    requests: list[ReportRequest] = []

    def write(request: ReportRequest) -> str:
        requests.append(request)
        return "\n".join(f"- Known. [{name}]" for name in request.evidence)

    analyst = ScriptedAnalyst(topics=["Topic one"], on_write=write)
    await steered((when(core.TopicFinished), core.BlockSite(site="shared.common.example")), analyst=analyst)
    (result,) = requests[0].results
    assert result.notes == ""
    assert set(result.evidence) == set(requests[0].evidence)
    assert {page.site for page in requests[0].pages.values()} == {"one.example"}


async def test_who_blocks_every_site_is_told_that_nothing_is_left() -> None:
    result, _ = await steered((when(core.TopicFinished, lane="R2"), core.BlockSite(site="example")))
    assert [problem.code for problem in result.record.problems][:1] == ["nothing_left"]


# --- the channel


@pytest.mark.parametrize(
    "steer",
    [
        core.FinishNow(),
        core.StopNow(),
        core.HoldPlan(),
        core.BeginWithPlan(),
        core.AddQuestion(text=QUESTION),
        core.DropTopic(lane="R1"),
        core.BlockSite(site="a.example"),
    ],
)
def test_what_is_asked_reads_as_it_was_written(steer: core.Steer) -> None:
    assert core.parse_steer(steer.model_dump_json()) == steer


@pytest.mark.parametrize(
    ("given", "site"),
    [
        ("https://www.Example.com/a/b", "example.com"),
        (" example.com ", "example.com"),
        ("House papers", "house papers"),
    ],
)
def test_a_site_is_named_as_people_copy_it(given: str, site: str) -> None:
    assert core.BlockSite(site=given).site == site


def test_what_asks_nothing_is_refused() -> None:
    for make in (
        lambda: core.AddQuestion(text="  "),
        lambda: core.BlockSite(site=""),
        lambda: core.parse_steer('{"kind": "dance"}'),
    ):
        with pytest.raises(ValidationError):
            make()


@pytest.mark.parametrize("elsewhere", [False, True], ids=["this process", "another process"])
def test_a_run_is_steered_from_wherever_it_is_watched(tmp_path: Path, *, elsewhere: bool) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst(), Stuck())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        run = runner.start(BRIEF)
        wait_until(lambda: any(isinstance(event, core.SearchStarted) for event in store.events(run)))
        with Runner(RunStore(tmp_path), Settings(home=tmp_path)) as other:
            for steer in (
                core.AddQuestion(text=QUESTION),
                core.BlockSite(site="common.example"),
                core.DropTopic(lane="R2"),
            ):
                (other if elsewhere else runner).steer(run, steer)
            report = runner.wait(run, 20)
    steered_by = [e for e in report.history if isinstance(e, core.QuestionAdded | core.SiteBlocked | core.TopicDropped)]
    assert [type(event) for event in steered_by] == [core.QuestionAdded, core.SiteBlocked, core.TopicDropped]
    assert report.status is core.Status.COMPLETE
    assert not any(isinstance(event, core.ProblemOccurred) for event in report.history)
    store.close()


# --- a plan that somebody watches waits to be edited -----------------------------------------------------------------

PLANNED = core.Brief(question="What of pumps?", method=core.MethodName.OUTLINED)
EDITED = core.Outline(
    purpose="Mine.", sections=(core.Section(title="Prices", questions=("How dear?",)), core.Section(title="Makers"))
)
LONG = 3_600.0


async def carried_out(
    *steers: core.Steer, plan: float = LONG, editing: float = LONG, attended: bool = True, brief: core.Brief = PLANNED
) -> tuple[RunResult, MemoryJournal]:
    """Carry out a run; say the first of `steers` when the plan is drafted, each other one when the plan is held."""
    limits = core.PRESETS[core.PresetName.QUALITY].limits
    limits = replace(limits, methods=replace(limits.methods, plan_seconds=plan, editing_seconds=editing))
    control = Control(attended=attended)
    occasions = [core.PlanDrafted, *[core.PlanHeld] * len(steers)]
    journal = SteeredJournal(control, *[(when(kind), steer) for kind, steer in zip(occasions, steers, strict=False)])
    world = scripted_world(ScriptedAnalyst())
    async with asyncio.timeout(20):
        return await conduct("test", brief, world, journal, control, limits=limits), journal


def titles(journal: MemoryJournal) -> list[str]:
    return [event.title for event in journal.of(core.TopicQueued)]


async def test_nobody_watches_and_the_plan_does_not_wait() -> None:
    _, journal = await carried_out(attended=False)
    (drafted,), (settled,) = journal.of(core.PlanDrafted), journal.of(core.PlanSettled)
    assert drafted.begins_at is None
    assert (settled.outline, settled.edited) == (drafted.outline, False)


async def test_somebody_watches_and_the_plan_waits_so_long_and_no_longer() -> None:
    began = time.monotonic()
    _, journal = await carried_out(plan=0.2)
    assert time.monotonic() - began >= 0.2
    assert journal.of(core.PlanDrafted)[0].begins_at == NOW + timedelta(seconds=0.2)
    assert not journal.of(core.PlanHeld)
    assert not journal.of(core.PlanSettled)[0].edited
    assert titles(journal) == ["Topic one", "Topic two"]


async def test_start_now_does_not_wait() -> None:
    _, journal = await carried_out(core.BeginWithPlan())
    assert not journal.of(core.PlanSettled)[0].edited
    assert titles(journal) == ["Topic one", "Topic two"]


@pytest.mark.parametrize("method", [core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN])
async def test_the_edited_plan_is_the_one_carried_out_and_written_from(method: core.MethodName) -> None:
    _, journal = await carried_out(core.HoldPlan(), core.BeginWithPlan(outline=EDITED), brief=replace_method(method))
    (settled,) = journal.of(core.PlanSettled)
    assert (settled.outline, settled.edited) == (EDITED, True)
    assert titles(journal) == ["Prices", "Makers"]
    if method is core.MethodName.OUTLINED:
        assert settled.step_budget == 10 + 2 * 1 * 2 * 2, "two sections, one query each, two iterations"


def replace_method(method: core.MethodName) -> core.Brief:
    return PLANNED.model_copy(update={"method": method})


async def test_while_somebody_edits_the_plan_waits_for_them_but_not_for_ever() -> None:
    _, journal = await carried_out(core.HoldPlan(), plan=0.05, editing=0.3)
    (held,) = journal.of(core.PlanHeld)
    assert held.begins_at == NOW + timedelta(seconds=0.3)
    (settled,) = journal.of(core.PlanSettled)
    assert settled.at is not None
    assert held.at is not None
    assert settled.at - held.at >= timedelta(seconds=0.3)
    assert not settled.edited


async def test_who_edits_again_is_given_the_time_again() -> None:
    _, journal = await carried_out(core.HoldPlan(), core.HoldPlan(), core.BeginWithPlan())
    assert len(journal.of(core.PlanHeld)) == 2


async def test_a_plan_sent_back_as_it_was_is_not_edited() -> None:
    drafted = core.Outline(sections=(core.Section(title="Topic one"), core.Section(title="Topic two")))
    _, journal = await carried_out(core.BeginWithPlan(outline=drafted))
    assert not journal.of(core.PlanSettled)[0].edited


async def test_an_edited_plan_is_mended_like_any_other() -> None:
    sections = (core.Section(title="Prices"), core.Section(title=" prices "), core.Section(title=""))
    _, journal = await carried_out(core.BeginWithPlan(outline=core.Outline(sections=sections)))
    assert titles(journal) == ["Prices"]
    assert [event.code for event in journal.of(core.ProblemOccurred)] == ["plan_shortened"]


async def test_a_plan_of_which_nothing_is_left_is_the_question_itself() -> None:
    result, journal = await carried_out(core.BeginWithPlan(outline=core.Outline()))
    assert titles(journal) == ["What of pumps?"]
    assert result.record.evidence


@pytest.mark.parametrize("steer", [core.FinishNow(), core.StopNow()])
async def test_finish_and_stop_do_not_wait_for_the_plan(steer: core.Steer) -> None:
    result, journal = await carried_out(steer)
    assert not journal.of(core.PlanSettled)
    assert not journal.of(core.SearchStarted)
    assert result.markdown.startswith("# ")


# --- through the runner, as the page does it


def test_a_run_that_nobody_watches_begins_by_itself(tmp_path: Path) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        report = runner.wait(runner.start(PLANNED), 20)
    (drafted,) = [event for event in report.history if isinstance(event, core.PlanDrafted)]
    assert drafted.begins_at is None
    store.close()
