"""A report written anew from the evidence of a run that has ended: nothing is searched, everything is proved again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from research import analysts, core
from research.engine import Control, RunResult, rewrite, rewritten
from research.language import Language
from research.results import Report
from research.settings import Settings
from research.store import Asking, Runner, RunStore, load_report
from tests.support import sample_runs
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, run_scripted, scripted_world


async def first_run(method: core.MethodName | None = None) -> tuple[Report, list[analysts.ReportRequest]]:
    """A run in a scripted world, and what its writer was asked."""
    asked: list[analysts.ReportRequest] = []
    brief = core.Brief(question="What of pumps?", method=method)
    result, journal = await run_scripted(ScriptedAnalyst(on_write=noting(asked)), brief=brief)
    return report_of(result, journal), asked


def noting(asked: list[analysts.ReportRequest]):  # type: ignore[no-untyped-def]
    def write(request: analysts.ReportRequest) -> str:
        asked.append(request)
        return "# Pumps\n\n" + "\n".join(f"- {entry.quote} [{entry.id}]" for entry in request.evidence.values())

    return write


def report_of(result: RunResult, journal: MemoryJournal) -> Report:
    return Report(
        record=result.record,
        markdown=result.markdown,
        history=tuple(journal.events),
        pages=dict(result.pages),
    )


async def again(
    first: Report, analyst: ScriptedAnalyst, **changes: object
) -> tuple[RunResult, MemoryJournal, MemorySource]:
    journal, source = MemoryJournal(), MemorySource()
    world = scripted_world(analyst, source)
    brief = rewritten(first.record.brief, **changes)
    return await rewrite("again", brief, world, journal, Control(), first=first), journal, source


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_the_writer_gets_what_the_first_one_got(method: core.MethodName) -> None:
    first, before = await first_run(method)
    asked: list[analysts.ReportRequest] = []
    result, journal, source = await again(
        first, ScriptedAnalyst(on_write=noting(asked)), audience=core.Audience.EXECUTIVES
    )
    assert asked[0].results == tuple(
        type(one)(one.topic, one.evidence, one.notes, one.failed, one.section) for one in before[0].results
    )
    assert (asked[0].evidence, asked[0].pages, asked[0].outline) == (
        before[0].evidence,
        before[0].pages,
        before[0].outline,
    )
    assert asked[0].brief.audience is core.Audience.EXECUTIVES
    assert "for executives" in core.compose(asked[0].brief)
    assert source.asked == []
    assert journal.of(core.SearchStarted) == []
    assert result.record.trail == first.record.trail
    assert result.record.rewritten_from == "test"
    assert journal.of(core.RunStarted)[0].rewritten_from == "test"
    assert result.record.status == "complete"


async def test_it_is_verified_and_repaired_like_any_report() -> None:
    first, _ = await first_run()

    def wrong(request: analysts.ReportRequest) -> str:
        (growth,) = (entry.id for entry in request.evidence.values() if "4.2%" in entry.quote)
        return f"# Pumps\n\nThe pump market grew 9.9% in 2025 [{growth}]. The pump market grew 4.2% in 2025 [{growth}]."

    def repair(request: analysts.RepairRequest) -> tuple[analysts.Repair, ...]:
        return (analysts.Repair(0, "", ()),)

    result, journal, _ = await again(first, ScriptedAnalyst(on_write=wrong, on_repair=repair))
    assert [sentence.verdict for sentence in result.record.sentences] == ["supported"]
    assert journal.of(core.SentencesRepaired)[0].dropped == 1
    assert len(journal.of(core.ReportVerified)) == 2


async def test_what_was_dropped_or_blocked_stays_left_out() -> None:
    control, before = Control(), list[analysts.ReportRequest]()

    def steering(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
        if view.turn:
            control.hear(core.DropTopic(lane="R2"))
            control.hear(core.BlockSite(site="beta.example"))
            return [analysts.Think("I have read.")] if view.turn == 1 else [analysts.ResearchComplete()]
        return [analysts.Search((f"{view.topic} query",))]

    first_analyst = ScriptedAnalyst(on_write=noting(before), on_investigate=steering, delay=0.01)
    first = report_of(*await run_scripted(first_analyst, control=control))
    asked: list[analysts.ReportRequest] = []
    await again(first, ScriptedAnalyst(on_write=noting(asked)))
    assert len(before[0].results) == len(asked[0].results) == 1
    assert asked[0].evidence == before[0].evidence
    assert {page.site for page in asked[0].pages.values()} == {"alpha.example", "gamma.example"}


async def test_where_no_model_can_write_it_is_composed_by_rule() -> None:
    first, _ = await first_run()

    def fail(request: analysts.ReportRequest) -> str:
        raise core.ModelError("model_unreachable")

    result, _, _ = await again(first, ScriptedAnalyst(on_write=fail))
    assert result.record.writer == "rules"
    assert "report_by_rule" in [problem.code for problem in result.record.problems]


def test_only_what_concerns_the_writing_can_be_changed() -> None:
    brief = core.Brief(question="Tea?")
    assert rewritten(brief, length="page", audience=None).length is core.Length.PAGE
    with pytest.raises(ValueError, match="region"):
        rewritten(brief, region="japan")
    with pytest.raises(ValueError, match="length"):
        rewritten(brief, length="endless")


# --- in the store, without any model ---------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    made = RunStore(tmp_path)
    yield made
    made.close()


@pytest.fixture
def runner(store: RunStore, tmp_path: Path) -> Iterator[Runner]:
    with Runner(store, Settings.from_environment({"RESEARCH_HOME": str(tmp_path)})) as made:
        yield made


def researched(runner: Runner) -> str:
    question = "What is the overseas sales target and the fiscal 2025 result of the house?"
    run = runner.start(core.Brief(question=question, scope=core.Scope.COMPANY, sources=(core.SourceName.HOUSE,)))
    runner.wait(run, 30)
    return run


def test_rules_write_for_another_length_form_and_language(store: RunStore, runner: Runner) -> None:
    run, asking = researched(runner), Asking(store, runner)
    first = load_report(store, run)
    new = asking.rewrite(
        run, length=core.Length.PAGE, form=core.OutputForm.TEXT, summary=core.Summary.NONE, language=Language.JA
    )
    report = runner.wait(new, 30)
    assert report.record.evidence == first.record.evidence
    assert {name: page.text for name, page in report.pages.items()} == {
        name: page.text for name, page in first.pages.items()
    }
    assert "## 答え" in report.markdown
    assert "## 要旨" not in report.markdown
    assert len(report.record.draft) < len(first.record.draft)
    assert not [event for event in report.history if isinstance(event, core.SearchStarted | core.ModelCalled)]
    assert {sentence.verdict for sentence in report.record.sentences} <= {"supported", "partial", None}
    assert store.get(new).brief.sources == (core.SourceName.HOUSE,)


def test_a_rewritten_report_stands_by_itself_and_can_be_rewritten(store: RunStore, runner: Runner) -> None:
    run, asking = researched(runner), Asking(store, runner)
    second = asking.rewrite(run, length=core.Length.PAGE)
    runner.wait(second, 30)
    store.delete(run)
    third = asking.rewrite(second, length=core.Length.MEDIUM)
    report = runner.wait(third, 30)
    assert store.get(third).rewritten_from == second
    assert report.record.status == "complete"
    assert all(page.text for page in store.pages(third).values())
    answer = asking.ask(third, "What is the sales target for Vietnam?").result(30)
    assert answer.draft


def test_a_run_that_broke_off_can_be_written_up(store: RunStore, runner: Runner, tmp_path: Path) -> None:
    run = sample_runs.broken_off(tmp_path, Language.EN)
    report = runner.wait(Asking(store, runner).rewrite(run, length=core.Length.SHORT), 30)
    assert report.record.evidence
    assert report.record.draft.startswith("# ")


def test_a_run_that_found_nothing_cannot_be_rewritten(store: RunStore, runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = runner.start(core.Brief(question="Tea?", sources=(core.SourceName.LIBRARY,)), library=tmp_path / "empty")
    runner.wait(run, 30)
    with pytest.raises(core.UsageError, match="found nothing"):
        Asking(store, runner).rewrite(run)
