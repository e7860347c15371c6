"""A plan that somebody watches waits to be edited, for as long as its limits say; one that nobody watches does not."""

import asyncio
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from research import core
from research.engine import Control, RunResult, World, conduct
from research.settings import Settings
from research.store import Runner, RunStore
from tests.support.machine import wait_until
from tests.support.scripted import NOW, MemoryJournal, ScriptedAnalyst, SteeredJournal, scripted_world, when

BRIEF = core.Brief(question="What of pumps?", method=core.MethodName.OUTLINED)
EDITED = core.Outline(
    purpose="Mine.", sections=(core.Section(title="Prices", questions=("How dear?",)), core.Section(title="Makers"))
)
LONG = 3_600.0


async def carried_out(
    *steers: core.Steer, plan: float = LONG, editing: float = LONG, attended: bool = True, brief: core.Brief = BRIEF
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
    return BRIEF.model_copy(update={"method": method})


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


@pytest.mark.parametrize("elsewhere", [False, True], ids=["this process", "another process"])
def test_a_plan_is_edited_from_wherever_the_run_is_watched(tmp_path: Path, *, elsewhere: bool) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        run = runner.start(BRIEF, attended=True)
        wait_until(lambda: said(store, run, core.PlanDrafted))
        with Runner(RunStore(tmp_path), Settings(home=tmp_path)) as other:
            editor = other if elsewhere else runner
            editor.steer(run, core.HoldPlan())
            wait_until(lambda: said(store, run, core.PlanHeld))
            editor.steer(run, core.BeginWithPlan(outline=EDITED))
            report = runner.wait(run, 20)
    assert [event.title for event in report.history if isinstance(event, core.TopicQueued)] == ["Prices", "Makers"]
    store.close()


def test_a_run_that_nobody_watches_begins_by_itself(tmp_path: Path) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst())

    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path), build=build) as runner:
        report = runner.wait(runner.start(BRIEF), 20)
    (drafted,) = [event for event in report.history if isinstance(event, core.PlanDrafted)]
    assert drafted.begins_at is None
    store.close()


def said(store: RunStore, run: str, kind: type) -> bool:
    return any(isinstance(event, kind) for event in store.events(run))
