"""A run that broke off goes on: what was done stays done, what was under way is done, and the books stay in order."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from research import core
from research.analysts import ReportRequest
from research.cli import main
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.store import Runner, RunState, RunStore, can_resume, load_report
from tests.support import sample_runs
from tests.support.machine import wait_until
from tests.support.scripted import MemorySource, ScriptedAnalyst, Stalling, scripted_world
from tests.support.stored_runs import append

E = TypeVar("E")
QUESTION = "Tell me about pumps."


def runner_of(store: RunStore, home: Path, source: MemorySource, analyst: ScriptedAnalyst | None = None) -> Runner:
    return Runner(
        store, Settings(home=home), build=lambda *_, **__: scripted_world(analyst or ScriptedAnalyst(), source)
    )


def broken_off(
    store: RunStore, home: Path, brief: core.Brief, source: MemorySource | None = None, *, done: int = 0
) -> str:
    """A run whose program ended once something was found, another search was under way and `done` topics were done."""
    with runner_of(store, home, source or Stalling()) as runner:
        run = runner.start(brief)
        wait_until(lambda: bool(of(store.events(run), core.EvidenceFound)))
        wait_until(lambda: len(of(store.events(run), core.TopicFinished)) >= done)
        wait_until(lambda: len(of(store.events(run), core.SearchStarted)) > 1)
    assert store.get(run).state is RunState.INTERRUPTED
    return run


def resumed(store: RunStore, home: Path, run: str, source: MemorySource) -> Report:
    with runner_of(store, home, source) as runner:
        runner.resume(run)
        return runner.wait(run, timeout=30)


def of(events: Sequence[core.AnyEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def after_break(events: Sequence[core.AnyEvent]) -> Sequence[core.AnyEvent]:
    places = [place for place, event in enumerate(events) if isinstance(event, core.RunResumed)]
    return events[places[-1] :] if places else ()


@pytest.mark.parametrize("method", list(core.MethodName))
def test_it_ends_like_a_run_that_never_broke_off(store: RunStore, tmp_path: Path, method: core.MethodName) -> None:
    run = broken_off(store, tmp_path, core.Brief(question=QUESTION, method=method))
    before = store.events(run)
    report = resumed(store, tmp_path, run, MemorySource())
    history = report.history
    assert report.status is core.Status.COMPLETE
    assert store.get(run).state is RunState.COMPLETE
    assert tuple(before) == history[: len(before)], "what was told stays told"
    assert [event.seq for event in history] == list(range(1, len(history) + 1))
    for kind in (core.RunStarted, core.RunResumed, core.ResearchFinished, core.ReportStarted, core.RunFinished):
        assert len(of(history, kind)) == 1
    assert len(of(history, core.PlanSettled)) <= 1
    assert max(Counter(event.lane for event in of(history, core.TopicQueued)).values()) == 1
    assert {event.lane for event in of(history, core.TopicQueued)} == {
        event.lane for event in of(history, core.TopicFinished)
    }
    found = {event.id: (event.source, event.start, event.end) for event in of(history, core.EvidenceFound)}
    assert len(set(found.values())) == len(found), "no quote has two names"
    assert len({event.search for event in of(history, core.SearchStarted)}) == len(of(history, core.SearchStarted))
    for entry in report.record.evidence:
        assert report.pages[entry.source].text[entry.start : entry.end] == entry.quote
    assert "[1]" in report.markdown
    assert load_report(store, run) == report


@pytest.mark.parametrize("method", [core.MethodName.SUPERVISED, core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN])
def test_finished_topics_are_not_searched_again(store: RunStore, tmp_path: Path, method: core.MethodName) -> None:
    brief = core.Brief(question=QUESTION, method=method, iterations=1)
    run = broken_off(store, tmp_path, brief, Stalling(answers=9, never="two"), done=1)
    finished = [event for event in of(store.events(run), core.TopicFinished) if event.reason != core.StopReason.FINISH]
    report = resumed(store, tmp_path, run, MemorySource())
    assert len(finished) == 1
    searched = {event.lane for event in of(after_break(report.history), core.SearchStarted)}
    assert searched == {"R1", "R2"} - {finished[0].lane}
    told = [event for event in of(report.history, core.TopicFinished) if event.lane == finished[0].lane]
    assert told == finished


def test_research_that_was_over_is_only_written(store: RunStore, tmp_path: Path) -> None:
    class Silent(ScriptedAnalyst):
        async def write(self, request: ReportRequest) -> AsyncIterator[str]:
            await asyncio.Event().wait()
            yield ""

    with runner_of(store, tmp_path, MemorySource(), Silent()) as runner:
        run = runner.start(core.Brief(question=QUESTION))
        wait_until(lambda: bool(of(store.events(run), core.ReportStarted)))
    again = MemorySource()
    report = resumed(store, tmp_path, run, again)
    assert report.status is core.Status.COMPLETE
    assert again.asked == []
    assert "[1]" in report.markdown


def test_a_run_that_died_before_it_told_anything_begins(store: RunStore, tmp_path: Path) -> None:
    run = store.create(core.Brief(question=QUESTION), "scripted", owner="gone")
    store.heartbeat(run)
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = 0 WHERE id = ?", (run,))
    report = resumed(store, tmp_path, run, MemorySource())
    assert report.status is core.Status.COMPLETE
    assert (len(of(report.history, core.RunStarted)), len(of(report.history, core.RunResumed))) == (1, 0)


def test_it_can_break_off_twice(store: RunStore, tmp_path: Path) -> None:
    run = broken_off(store, tmp_path, core.Brief(question=QUESTION, method=core.MethodName.OUTLINED))
    with runner_of(store, tmp_path, Stalling(answers=1)) as runner:
        runner.resume(run)
        wait_until(lambda: len(of(after_break(store.events(run)), core.SearchStarted)) > 1)
    assert store.get(run).state is RunState.INTERRUPTED
    report = resumed(store, tmp_path, run, MemorySource())
    assert report.status is core.Status.COMPLETE
    assert len(of(report.history, core.RunResumed)) == 2


def test_a_question_added_before_is_researched_once(store: RunStore, tmp_path: Path) -> None:
    with runner_of(store, tmp_path, Stalling()) as runner:
        run = runner.start(core.Brief(question=QUESTION))
        wait_until(lambda: bool(of(store.events(run), core.EvidenceFound)))
        store.steer(run, core.AddQuestion(text="What of valves?"))
        wait_until(lambda: bool(of(store.events(run), core.QuestionAdded)))
    report = resumed(store, tmp_path, run, MemorySource())
    assert [event.topic for event in of(report.history, core.TopicQueued)].count("What of valves?") == 1
    assert len(of(report.history, core.QuestionAdded)) == 1


def test_of_two_who_want_it_the_first_carries_it_out(store: RunStore, tmp_path: Path) -> None:
    run = broken_off(store, tmp_path, core.Brief(question=QUESTION, language=Language.JA))
    with runner_of(store, tmp_path, Stalling()) as first, runner_of(store, tmp_path, MemorySource()) as second:
        first.resume(run)
        for runner in (first, second):
            with pytest.raises(core.UsageError, match="再開または終了"):
                runner.resume(run)


def took_over(other: Runner, run: str, store: RunStore) -> bool:
    """Let a run count as dead and another go on with it, unless it showed itself alive in between."""
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = 0 WHERE id = ?", (run,))
    try:
        other.resume(run)
    except core.UsageError:
        return False
    return True


def test_one_that_was_only_taken_for_dead_spoils_nothing(store: RunStore, tmp_path: Path) -> None:
    with runner_of(store, tmp_path, Stalling()) as asleep, runner_of(store, tmp_path, MemorySource()) as other:
        run = asleep.start(core.Brief(question=QUESTION))
        wait_until(lambda: bool(of(store.events(run), core.EvidenceFound)))
        wait_until(lambda: took_over(other, run, store))
        asleep.finish_now(run)
        report = other.wait(run, timeout=30)
        asleep.wait(run, timeout=30)
        wait_until(lambda: store.get(run).state is RunState.COMPLETE)
        assert load_report(store, run) == report
    assert load_report(store, run) == report


def test_runs_that_ended_or_are_a_part_of_another_do_not_go_on(store: RunStore, tmp_path: Path) -> None:
    ended = sample_runs.ended(store, Language.EN)
    part = store.create(core.Brief(question=QUESTION), "scripted", owner="gone")
    started = core.RunStarted(
        run=part,
        brief=core.Brief(question=QUESTION),
        brief_text="",
        analyst="scripted",
        sources=(),
        rewritten_from=ended,
    )
    append(store, part, started)
    with store.database.writing() as connection:
        connection.execute("UPDATE runs SET heartbeat = 0 WHERE id = ?", (part,))
    assert store.get(part).state is RunState.INTERRUPTED
    with runner_of(store, tmp_path, MemorySource()) as runner:
        for run in (ended, part):
            assert not can_resume(store, store.get(run))
            with pytest.raises(core.UsageError, match="ended, or it is a part"):
                runner.resume(run)


def test_what_was_spent_before_counts(store: RunStore) -> None:
    call = core.ModelCalled(
        role=core.Role.RESEARCH,
        model="gpt-5.4",
        input_tokens=1,
        output_tokens=1,
        cached=False,
        cost_usd=0.25,
        seconds=1.0,
    )
    clock = iter([100.0, 100.0, 100.0])
    spending = core.Spending(core.Brief(question=QUESTION, max_minutes=2), {}, clock=lambda: next(clock))
    spending.resume([call, call], seconds=30.0)
    assert spending.spent_usd == 0.5
    assert 80 < spending.seconds_left < 90


def test_the_page_does_not_count_the_time_in_which_nobody_carried_it_out(store: RunStore, tmp_path: Path) -> None:
    run = broken_off(store, tmp_path, core.Brief(question=QUESTION))
    events = list(store.events(run))
    assert events[-1].at is not None
    later = events[-1].at + timedelta(days=1)
    state = core.RunView().extend(events)
    state.end()
    state.extend([core.RunResumed().model_copy(update={"seq": events[-1].seq + 1, "at": later})])
    assert state.paused == timedelta(days=1)
    assert (state.phase, state.progress < 1) == (core.Phase.RESEARCHING, True)
    assert all(search.pages is not None for lane in state.lanes.values() for search in lane.searches)
    assert any(lane.state is not core.LaneState.QUEUED for lane in state.lanes.values())


def test_the_command_line_resumes_and_writes_the_folder(
    stocked: Callable[[Path], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, out = stocked(tmp_path / "home"), tmp_path / "out"
    store = RunStore(home)
    brief = core.Brief(question="What does South Korea export?", sources=(core.SourceName.FACTBOOK,))
    with Runner(
        store,
        Settings(home=home),
        build=lambda *_, **__: scripted_world(ScriptedAnalyst(name="extractive"), Stalling()),
    ) as runner:
        run = runner.start(brief)
        wait_until(lambda: bool(of(store.events(run), core.SearchStarted)))
    store.close()
    environment = {"RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8"}
    assert main(["resume", run, "--quiet", "--out", str(out)], environment) == 0
    assert capsys.readouterr().err.startswith("Complete")
    assert (out / "report.md").exists()
    assert main(["resume", run, "--quiet", "--out", str(out)], environment) == 2
    assert "has ended" in capsys.readouterr().err
