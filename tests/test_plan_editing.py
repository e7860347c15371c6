"""A plan that somebody watches waits to be edited, for as long as its limits say; one that nobody watches does not."""

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from research.core import (
    PRESETS,
    BeginWithPlan,
    Brief,
    FinishNow,
    HoldPlan,
    MethodName,
    Outline,
    PlanDrafted,
    PlanHeld,
    PlanSettled,
    PresetName,
    ProblemOccurred,
    SearchStarted,
    Section,
    Steer,
    StopNow,
    TopicQueued,
)
from research.engine import Control, RunResult, World, conduct
from research.settings import Settings
from research.store import Runner, RunStore
from tests.support.machine import wait_until
from tests.support.scripted import NOW, MemoryJournal, ScriptedAnalyst, SteeredJournal, scripted_world, when

BRIEF = Brief(question="What of pumps?", method=MethodName.OUTLINED)
EDITED = Outline(purpose="Mine.", sections=(Section(title="Prices", questions=("How dear?",)), Section(title="Makers")))
LONG = 3_600.0


async def carried_out(
    *steers: Steer, plan: float = LONG, editing: float = LONG, attended: bool = True, brief: Brief = BRIEF
) -> tuple[RunResult, MemoryJournal]:
    """Carry out a run; say the first of `steers` when the plan is drafted, each other one when the plan is held."""
    limits = PRESETS[PresetName.QUALITY].limits
    limits = replace(limits, methods=replace(limits.methods, plan_seconds=plan, editing_seconds=editing))
    control = Control(attended=attended)
    occasions = [PlanDrafted, *[PlanHeld] * len(steers)]
    journal = SteeredJournal(control, *[(when(kind), steer) for kind, steer in zip(occasions, steers, strict=False)])
    world = scripted_world(ScriptedAnalyst())
    async with asyncio.timeout(20):
        return await conduct("test", brief, world, journal, control, limits=limits), journal


def titles(journal: MemoryJournal) -> list[str]:
    return [event.title for event in journal.of(TopicQueued)]


async def test_nobody_watches_and_the_plan_does_not_wait() -> None:
    _, journal = await carried_out(attended=False)
    (drafted,), (settled,) = journal.of(PlanDrafted), journal.of(PlanSettled)
    assert drafted.begins_at is None
    assert (settled.outline, settled.edited) == (drafted.outline, False)


async def test_somebody_watches_and_the_plan_waits_so_long_and_no_longer() -> None:
    began = time.monotonic()
    _, journal = await carried_out(plan=0.2)
    assert time.monotonic() - began >= 0.2
    assert journal.of(PlanDrafted)[0].begins_at == NOW + timedelta(seconds=0.2)
    assert not journal.of(PlanHeld)
    assert not journal.of(PlanSettled)[0].edited
    assert titles(journal) == ["Topic one", "Topic two"]


async def test_start_now_does_not_wait() -> None:
    _, journal = await carried_out(BeginWithPlan())
    assert not journal.of(PlanSettled)[0].edited
    assert titles(journal) == ["Topic one", "Topic two"]


@pytest.mark.parametrize("method", [MethodName.OUTLINED, MethodName.GAP_DRIVEN])
async def test_the_edited_plan_is_the_one_carried_out_and_written_from(method: MethodName) -> None:
    _, journal = await carried_out(HoldPlan(), BeginWithPlan(outline=EDITED), brief=replace_method(method))
    (settled,) = journal.of(PlanSettled)
    assert (settled.outline, settled.edited) == (EDITED, True)
    assert titles(journal) == ["Prices", "Makers"]
    if method is MethodName.OUTLINED:
        assert settled.step_budget == 10 + 2 * 1 * 2 * 2, "two sections, one query each, two iterations"


def replace_method(method: MethodName) -> Brief:
    return BRIEF.model_copy(update={"method": method})


async def test_while_somebody_edits_the_plan_waits_for_them_but_not_for_ever() -> None:
    _, journal = await carried_out(HoldPlan(), plan=0.05, editing=0.3)
    (held,) = journal.of(PlanHeld)
    assert held.begins_at == NOW + timedelta(seconds=0.3)
    (settled,) = journal.of(PlanSettled)
    assert settled.at is not None
    assert held.at is not None
    assert settled.at - held.at >= timedelta(seconds=0.3)
    assert not settled.edited


async def test_who_edits_again_is_given_the_time_again() -> None:
    _, journal = await carried_out(HoldPlan(), HoldPlan(), BeginWithPlan())
    assert len(journal.of(PlanHeld)) == 2


async def test_a_plan_sent_back_as_it_was_is_not_edited() -> None:
    drafted = Outline(sections=(Section(title="Topic one"), Section(title="Topic two")))
    _, journal = await carried_out(BeginWithPlan(outline=drafted))
    assert not journal.of(PlanSettled)[0].edited


async def test_an_edited_plan_is_mended_like_any_other() -> None:
    sections = (Section(title="Prices"), Section(title=" prices "), Section(title=""))
    _, journal = await carried_out(BeginWithPlan(outline=Outline(sections=sections)))
    assert titles(journal) == ["Prices"]
    assert [event.code for event in journal.of(ProblemOccurred)] == ["plan_shortened"]


async def test_a_plan_of_which_nothing_is_left_is_the_question_itself() -> None:
    result, journal = await carried_out(BeginWithPlan(outline=Outline()))
    assert titles(journal) == ["What of pumps?"]
    assert result.record.evidence


@pytest.mark.parametrize("steer", [FinishNow(), StopNow()])
async def test_finish_and_stop_do_not_wait_for_the_plan(steer: Steer) -> None:
    result, journal = await carried_out(steer)
    assert not journal.of(PlanSettled)
    assert not journal.of(SearchStarted)
    assert result.markdown.startswith("# ")


# --- through the runner, as the page does it


@pytest.mark.parametrize("elsewhere", [False, True], ids=["this process", "another process"])
def test_a_plan_is_edited_from_wherever_the_run_is_watched(tmp_path: Path, *, elsewhere: bool) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        run = runner.start(BRIEF, attended=True)
        wait_until(lambda: said(store, run, PlanDrafted))
        with Runner(RunStore(tmp_path), Settings(home=tmp_path)) as other:
            editor = other if elsewhere else runner
            editor.steer(run, HoldPlan())
            wait_until(lambda: said(store, run, PlanHeld))
            editor.steer(run, BeginWithPlan(outline=EDITED))
            report = runner.wait(run, 20)
    assert [event.title for event in report.history if isinstance(event, TopicQueued)] == ["Prices", "Makers"]
    store.close()


def test_a_run_that_nobody_watches_begins_by_itself(tmp_path: Path) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        report = runner.wait(runner.start(BRIEF), 20)
    (drafted,) = [event for event in report.history if isinstance(event, PlanDrafted)]
    assert drafted.begins_at is None
    store.close()


def said(store: RunStore, run: str, kind: type) -> bool:
    return any(isinstance(event, kind) for event in store.events(run))
