"""A long report is written section by section; whatever a model does, all that was found stands in it, once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bench.faults import Fault, for_ever, foreign, kept, refused, window, writer
from bench.loopback import TOPICS, Latencies, Loopback
from research import core
from research.language import Language
from research.results import Report
from research.settings import MODEL_VARIABLES, Settings
from research.store import Runner, RunState, RunStore
from tests.support.machine import wait_until
from tests.support.openai_server import Answer, Body, Failure, Json, Reply, Text

E = TypeVar("E")
QUESTION = "How large is the pump market, and who leads it?"
QUICK = Latencies(
    decision=0.01,
    search=(0.01, 0.1),
    summary=(0.01, 0.1),
    compression=0.02,
    repair=0.01,
    frame=0.02,
    report_piece=0.002,
)
BY_RULE = "section_by_rule"


class World(Loopback):
    """Writers say what each test has them say; what is asked of them is kept."""

    fault: Fault | None = None
    repeated: Callable[[list[str]], list[str]] | None = None
    """Which of the sentences, as they are shown, the last call names as told twice."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.written: list[str] = []

    def _answer(self, body: Body) -> Reply:
        if body.get("stream"):
            self.written.append(self.section(body))
        good = super()._answer(body)
        return self.fault(body, lambda _: good) if self.fault else good

    def _frame(self, text: str) -> Answer:
        told = re.findall(r"^S\d+: .+$", text, re.MULTILINE)
        named = self.repeated(told) if self.repeated else []
        answer = {"title": "Pumps", "opening": "", "conclusion": "", "disagreements": [], "repeated": named}
        return Json(answer)

    @staticmethod
    def section(body: Body) -> str:
        """The subject of the section that is asked for."""
        text = "\n".join(str(message.get("content") or "") for message in body["messages"])
        found = re.search(r"^Section: .+: its (\w+),", text, re.MULTILINE)
        return found.group(1) if found else ""


@pytest.fixture
def world() -> Iterator[World]:
    with World(QUICK) as running:
        yield running


def settings(world: World, home: Path) -> Settings:
    models = {variable: f"model-{role.value}" for role, variable in MODEL_VARIABLES.items()}
    return Settings.from_environment({**world.environment, **models, "RESEARCH_HOME": str(home)})


def brief(**fields: Any) -> core.Brief:
    return core.Brief(question=QUESTION, preset=core.PresetName.QUALITY, method=core.MethodName.SUPERVISED, **fields)


def run(world: World, home: Path) -> Report:
    with Runner(RunStore(home), settings(world, home)) as runner:
        return runner.wait(runner.start(brief()), 60)


def of(report: Report, kind: type[E]) -> list[E]:
    return [event for event in report.history if isinstance(event, kind)]


def sections_in(store: RunStore, run_id: str) -> set[str]:
    return {event.section for event in store.events(run_id) if isinstance(event, core.SectionWritten)}


def told(report: Report) -> set[str]:
    return {problem.code for problem in report.record.problems}


def test_sections_grow_at_once_while_others_are_researched(world: World, tmp_path: Path) -> None:
    world.latencies = replace(QUICK, report_piece=0.05)
    report = run(world, tmp_path)
    assert report.status is core.Status.COMPLETE
    assert len(of(report, core.SectionWritten)) == len(TOPICS)
    first = min(event.seq for event in of(report, core.SectionExtended))
    assert first < max(event.seq for event in of(report, core.TopicFinished))
    growing = [event.section for event in of(report, core.SectionExtended) if event.text]
    assert growing != sorted(growing, key=growing.index), "none waits for another"
    assert kept(report)[1] == 1.0
    assert all(f"\n## {event.title}\n" in report.markdown for event in of(report, core.SectionWritten))


def test_what_is_told_twice_goes_and_what_alone_cites_its_evidence_stays(world: World, tmp_path: Path) -> None:
    honest = world._report

    def twice(text: str) -> Answer:
        report = honest(text)
        assert report.text is not None
        first = re.search(r"[^.]+\[E\d+\]\.", report.text.partition("\n\n")[2])
        assert first is not None
        return Text(f"{report.text} Again: {first.group().strip()}")

    world._report = twice  # type: ignore[method-assign]
    alone: list[str] = []

    def repeated(sentences: list[str]) -> list[str]:
        alone.extend(one for one in sentences if "Again:" not in one)
        return [one.partition(":")[0] for one in sentences if "Again:" in one] + [alone[0].partition(":")[0], "S9999"]

    world.repeated = repeated
    report = run(world, tmp_path)
    assert alone and "Again" not in report.markdown
    assert kept(report)[1] == 1.0


@pytest.mark.parametrize("status", [401, 500])
def test_another_roles_model_writes_where_the_writer_fails(world: World, tmp_path: Path, status: int) -> None:
    world.fault = refused(core.Role.FINAL_REPORT, status)
    report = run(world, tmp_path)
    assert kept(report)[1] == 1.0
    assert {event.analyst for event in of(report, core.SectionWritten)} == {"chat"}
    assert told(report) & {"model_unauthorized", "model_failed", "model_unavailable", "model_substituted"}
    assert BY_RULE not in told(report)


def test_a_section_that_nobody_can_write_is_quoted_alone_and_whole(world: World, tmp_path: Path) -> None:
    def fault(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        return Text("Prices matter. " * 20) if body.get("stream") and World.section(body) == "prices" else honest(body)

    world.fault = fault
    report = run(world, tmp_path)
    sections = of(report, core.SectionWritten)
    assert [event.analyst for event in sections].count("extractive") == 1
    (quoted,) = [event for event in sections if event.analyst == "extractive"]
    assert "prices" in quoted.title
    assert [problem.subject for problem in report.record.problems if problem.code == BY_RULE] == [quoted.title]
    assert len(quoted.evidence) > 1 and kept(report)[1] == 1.0
    text = report.markdown.partition(f"\n## {quoted.title}\n")[2].partition("\n## ")[0]
    quotes = {entry.quote for entry in report.record.evidence if entry.id in quoted.evidence}
    assert all(quote.rstrip(".") in text for quote in quotes)


@pytest.mark.parametrize(
    "fault",
    [
        window(2_000, writer_only=True),
        window(3_000, writer_only=False),
        writer(Text("")),
        writer(Failure(500), times=5),
    ],
    ids=["window of 2,000", "3,000 for all", "empty", "fails five times"],
)
def test_nothing_found_is_lost(world: World, tmp_path: Path, fault: Fault) -> None:
    world.fault = fault
    report = run(world, tmp_path)
    found, share = kept(report)
    assert found > 50 and share == 1.0


def test_whoever_chooses_next_to_nothing_has_not_chosen(world: World, tmp_path: Path) -> None:
    world._compress = lambda text: Json({"keep": re.findall(r"\[(E\d+)\]", text)[:1], "notes": ""})  # type: ignore[method-assign]
    report = run(world, tmp_path)
    assert kept(report) == (len(report.record.evidence), 1.0)


def test_a_page_of_several_topics_is_asked_once_with_all_of_them(world: World, tmp_path: Path) -> None:
    report = run(world, tmp_path)
    asked = {request.text for request in world.openai.requests if request.schema == "PageReport"}
    assert len(asked) == len(report.pages), "a second request to a server that is slow for a moment says the same"
    assert len({number for text in asked for number in re.findall(r"Report (\d+) on pumps", text)}) == len(asked)
    assert max(text.count("<topic>") for text in asked) > 1


def test_a_writer_that_says_one_sentence_for_ever_is_stopped_and_soon_not_asked(world: World, tmp_path: Path) -> None:
    world.fault = for_ever
    report = run(world, tmp_path)
    assert kept(report)[1] == 1.0
    assert len(world.written) <= 40 < kept(report)[0], "each role's model is given up after a few answers"
    sections = report.record.draft.partition("\n## ")[2]
    said = re.findall(r"They are worth much, as all of them say \[(E\d+)\]", sections)
    assert len(said) == len(set(said)) < kept(report)[0] / 4
    assert len(report.markdown) < 100_000


def test_a_writer_of_another_language_is_told_and_others_are_asked(world: World, tmp_path: Path) -> None:
    def fault(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        return foreign(body, honest) if body["model"] == "model-final_report" else honest(body)

    world.fault = fault
    report = run(world, tmp_path)
    assert kept(report)[1] == 1.0 and "述べる" not in report.markdown
    assert "answer_language" in told(report) and BY_RULE not in told(report)
    assert len(world.written) < 2 * len(TOPICS), "it is asked last from then on"


@pytest.mark.parametrize("language", Language)
def test_where_all_write_in_another_language_quotes_go_before_it_unless_they_are_so_too(
    world: World, tmp_path: Path, language: Language
) -> None:
    world.fault = foreign if language is Language.EN else None  # The world and its writers are English.
    with Runner(RunStore(tmp_path), settings(world, tmp_path)) as runner:
        report = runner.wait(runner.start(brief(language=language)), 60)
    assert kept(report)[1] == 1.0 and "述べる" not in report.markdown
    assert "answer_language" in told(report) and report.status is core.Status.PARTIAL
    assert report.record.writer == ("extractive" if language is Language.EN else "chat")
    assert len(world.written) <= 4 * len(TOPICS)


def test_what_stands_around_the_sections_is_a_paragraph_or_two(world: World, tmp_path: Path) -> None:
    opening, named = "It is said again. " * 20_000, ["A and B."] * 500
    answer = {"title": "Pumps", "opening": opening, "conclusion": "", "disagreements": named, "repeated": []}
    world._frame = lambda _: Json(answer)  # type: ignore[method-assign]
    report = run(world, tmp_path)
    assert kept(report)[1] == 1.0
    assert 100 < report.markdown.count("It is said again.") < 200 and report.markdown.count("A and B.") <= 20


def test_a_run_that_goes_on_writes_only_the_sections_that_were_not_written(world: World, tmp_path: Path) -> None:
    store = RunStore(tmp_path)

    def prices_hang(body: Body, honest: Callable[[Body], Reply]) -> Reply:
        answer = honest(body)
        hangs = body.get("stream") and World.section(body) == "prices"
        return Text("Never.", hangs=True) if hangs else answer

    world.fault = prices_hang
    with Runner(store, settings(world, tmp_path)) as runner:
        run_id = runner.start(brief())
        wait_until(lambda: any(isinstance(event, core.ResearchFinished) for event in store.events(run_id)), 30)
        wait_until(lambda: len(sections_in(store, run_id)) == len(TOPICS) - 1, 30)
    assert store.get(run_id).state is RunState.INTERRUPTED
    before = sections_in(store, run_id)
    world.fault, world.written = None, []
    with Runner(store, settings(world, tmp_path)) as runner:
        runner.resume(run_id)
        report = runner.wait(run_id, 60)
    assert set(world.written) == {"prices"}
    assert {event.section for event in of(report, core.SectionWritten)} > before
    assert kept(report)[1] == 1.0
    assert len(of(report, core.ResearchFinished)) == len(of(report, core.ReportStarted)) == 1
    found = of(report, core.EvidenceFound)
    assert len({event.id for event in found}) == len(found)
