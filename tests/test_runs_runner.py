"""The runner: runs go on by themselves, can be finished and stopped from anywhere, and never end in nothing."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from research import core
from research.engine import Control, Journal, RunResult, World
from research.results import Report
from research.settings import KeptService, Settings
from research.sources import FoundPage, SearchRequest
from research.store import Runner, RunState, RunStore, load_report
from research.store.world import AnalystChoice, SummaryCache, build_world
from tests.support.machine import wait_until
from tests.support.openai_server import Failure, OpenAIServer
from tests.support.postgresql import PostgresqlServer
from tests.support.processes import elsewhere, said
from tests.support.pump_model import PAGE, Model
from tests.support.scripted import PAGES, MemorySource, ScriptedAnalyst, scripted_world
from tests.support.services import access
from tests.support.tavily_server import Results, TavilyServer, web_page

BRIEF = core.Brief(question="What of pumps?")


class HalfASource(MemorySource):
    """Answers for the first topic; the second waits for ever."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        if request.query.startswith("Topic two"):
            await asyncio.Event().wait()
        return await super().search(request)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path, wait_seconds=0.1)
    yield store
    store.close()


Make = Callable[..., Runner]


@pytest.fixture
def make(store: RunStore, tmp_path: Path) -> Iterator[Make]:
    """Return a maker of runners; each run's world has a scripted analyst and the sources given."""
    made: list[Runner] = []

    def make(*sources: MemorySource, **options: Any) -> Runner:
        def build(brief: core.Brief, settings: Settings, **_: object) -> World:
            return scripted_world(ScriptedAnalyst(), *sources)

        runner = Runner(store, Settings(home=tmp_path), **{"build": build, **options})
        made.append(runner)
        return runner

    yield make
    for runner in made:
        runner.close()


def found_something(store: RunStore, run_id: str) -> bool:
    return any(isinstance(event, core.EvidenceFound) for event in store.events(run_id))


def test_a_run_is_carried_out_stored_and_handed_back(store: RunStore, make: Make) -> None:
    runner = make()
    run_id = runner.start(BRIEF)
    report = runner.wait(run_id, timeout=20)
    assert report.status is core.Status.COMPLETE
    assert report.record.run == run_id
    assert [event.seq for event in report.history] == list(range(1, len(report.history) + 1))
    assert store.get(run_id).state is RunState.COMPLETE
    assert load_report(store, run_id) == report == runner.wait(run_id)
    pages = report.pages
    assert [page.text for page in pages.values()] == [page.text for page in PAGES]
    for entry in report.record.evidence:
        assert pages[entry.source].text[entry.start : entry.end] == entry.quote


def test_followers_see_every_event_once_and_the_end(make: Make) -> None:
    runner = make()
    run_id = runner.start(BRIEF)
    events = list(runner.follow(run_id))
    assert isinstance(events[0], core.RunStarted)
    assert isinstance(events[-1], core.RunFinished)
    assert events == list(runner.wait(run_id).history) == list(runner.follow(run_id))


def test_finish_now_still_writes_the_report(store: RunStore, make: Make) -> None:
    runner = make(HalfASource())
    run_id = runner.start(BRIEF)
    wait_until(lambda: found_something(store, run_id))
    runner.finish_now(run_id)
    report = runner.wait(run_id, timeout=30)
    assert report.status is core.Status.PARTIAL
    assert report.record.writer == "scripted"
    assert any(isinstance(event, core.FinishRequested) for event in report.history)
    assert "[1]" in report.markdown


def test_stop_ends_at_once_and_keeps_what_was_found(store: RunStore, make: Make) -> None:
    runner = make(HalfASource())
    run_id = runner.start(BRIEF)
    wait_until(lambda: found_something(store, run_id))
    runner.stop(run_id)
    report = runner.wait(run_id, timeout=30)
    assert report.record.writer == "rules"
    assert report.record.evidence
    assert store.get(run_id).state is RunState.PARTIAL


@pytest.mark.parametrize("wish", ["finish_now", "stop"])
def test_another_process_can_finish_and_stop_a_run(store: RunStore, make: Make, tmp_path: Path, wish: str) -> None:
    runner = make(HalfASource())
    run_id = runner.start(BRIEF)
    elsewhere = RunStore(tmp_path)
    other = Runner(elsewhere, Settings(home=tmp_path))
    getattr(other, wish)(run_id)
    assert runner.wait(run_id, timeout=10).record.run == run_id
    assert list(other.follow(run_id)) == list(runner.follow(run_id))
    other.close()
    elsewhere.close()


def test_a_run_that_does_not_stop_is_cancelled_and_reported(store: RunStore, make: Make) -> None:
    async def deaf(run_id: str, brief: core.Brief, world: World, journal: Journal, control: Control) -> RunResult:
        for event in _history_of_a_run():
            journal.emit(event)
        await asyncio.Event().wait()
        raise AssertionError

    runner = make(conduct=deaf, stop_seconds=0.2)
    run_id = runner.start(BRIEF)
    runner.stop(run_id)
    report = runner.wait(run_id, timeout=10)
    assert (report.status, report.record.problems[-1].code) == (core.Status.PARTIAL, "stopped")
    assert [entry.quote for entry in report.record.evidence] == ["The pump market grew 4.2% in 2025."]
    assert "“The pump market grew 4.2% in 2025.” [1]" in report.markdown
    assert {sentence.verdict for sentence in report.record.sentences} == {"unverifiable"}, "its page was never kept"
    assert isinstance(report.history[-1], core.RunFinished)


def _history_of_a_run() -> list[Any]:
    page = core.PageRead(
        lane="R1",
        page="S1",
        url="https://alpha.example/",
        title="Alpha",
        site="alpha.example",
        origin=core.SourceName.WEB,
        kind=core.SourceKind.OTHER,
        published=None,
        sha256="0" * 64,
        characters=35,
    )
    quote = "The pump market grew 4.2% in 2025."
    return [page, core.EvidenceFound(lane="R1", id="E1", source="S1", quote=quote, start=0, end=len(quote))]


def test_an_engine_that_breaks_leaves_a_report_that_says_so(store: RunStore, make: Make) -> None:
    async def broken(run_id: str, brief: core.Brief, world: World, journal: Journal, control: Control) -> RunResult:
        raise ZeroDivisionError("scripted")

    runner = make(conduct=broken)
    run_id = runner.start(core.Brief(question="ポンプ市場は？", language="ja"))
    report = runner.wait(run_id, timeout=10)
    assert report.status is core.Status.FAILED
    assert report.record.problems[-1].detail == "ZeroDivisionError: scripted"
    assert "予期しないエラー" in report.markdown
    assert store.get(run_id).state is RunState.FAILED


def test_the_world_is_closed_once_the_run_has_ended(make: Make) -> None:
    closed: list[float] = []

    def build(brief: core.Brief, settings: Settings, **_: object) -> World:
        async def close() -> None:
            closed.append(time.monotonic())

        return replace(scripted_world(ScriptedAnalyst()), close=close)

    runner = make(build=build)
    runner.wait(runner.start(BRIEF), timeout=10)
    assert len(closed) == 1


def test_what_cannot_start_leaves_no_run(store: RunStore, make: Make) -> None:
    def build(brief: core.Brief, settings: Settings, **_: object) -> World:
        raise core.UsageError("Set a key.")

    with pytest.raises(core.UsageError, match="key"):
        make(build=build).start(BRIEF)
    assert list(store.list()) == []


def test_runs_do_not_disturb_each_other(store: RunStore, make: Make) -> None:
    runner = make(MemorySource(delay=0.1))
    names = [runner.start(BRIEF) for _ in range(10)]
    reports = [runner.wait(name, timeout=30) for name in names]
    assert [report.record.run for report in reports] == names
    assert {report.status for report in reports} == {core.Status.COMPLETE}
    assert {run.state for run in store.list()} == {RunState.COMPLETE}


def test_waiting_has_its_limits(store: RunStore, make: Make) -> None:
    runner = make(HalfASource())
    run_id = runner.start(BRIEF)
    with pytest.raises(TimeoutError):
        runner.wait(run_id, timeout=0.05)
    with pytest.raises(core.UsageError, match="still running"):
        load_report(store, run_id)
    runner.stop(run_id)
    runner.wait(run_id, timeout=10)
    with pytest.raises(core.UsageError, match="no run"):
        runner.wait("20260101-aaaaaa")
    with pytest.raises(core.UsageError, match="no run"):
        runner.stop("20260101-aaaaaa")


def test_a_store_that_cannot_be_written_costs_nothing_but_patience(store: RunStore, make: Make, tmp_path: Path) -> None:
    runner = make(MemorySource(delay=0.3))
    run_id = runner.start(BRIEF)
    lock = sqlite3.connect(tmp_path / "runs.sqlite3", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    report = runner.wait(run_id, timeout=20)
    assert report.status is core.Status.COMPLETE
    assert [event.code for event in report.history if isinstance(event, core.ProblemOccurred)] == ["saved_late"]
    assert len(report.pages) == 3
    assert runner.is_under_way(run_id)
    assert tuple(runner.events(run_id, after=2)) == report.history[2:], "a page shows what is not stored yet"
    lock.execute("ROLLBACK")
    lock.close()
    wait_until(lambda: not runner.is_under_way(run_id))
    assert store.get(run_id).state is RunState.COMPLETE
    assert load_report(store, run_id) == report


def test_a_runner_that_closes_leaves_its_runs_to_be_found_interrupted(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    world = scripted_world(ScriptedAnalyst(), HalfASource())
    with Runner(store, Settings(home=tmp_path), build=lambda *_, **__: world) as runner:
        run_id = runner.start(BRIEF)
        wait_until(lambda: found_something(store, run_id))
    assert store.record(run_id) is None
    assert store.list()[0].state is RunState.INTERRUPTED
    store.delete(run_id)
    store.close()


def _research_half(connection: Connection, home: Path) -> None:
    def build(*_: Any, **__: Any) -> World:
        return scripted_world(ScriptedAnalyst(), HalfASource())

    connection.send(Runner(RunStore(home), Settings(home=home), build=build).start(BRIEF))
    connection.recv()


def test_a_killed_process_leaves_everything_it_had_found(tmp_path: Path) -> None:
    with elsewhere(_research_half, tmp_path) as (process, connection):
        run_id = str(said(connection))
        store = RunStore(tmp_path)
        wait_until(lambda: found_something(store, run_id))
        process.kill()
        process.join()
    assert store.get(run_id).state is RunState.INTERRUPTED, "known at once"
    report = load_report(store, run_id)
    assert (report.status, report.record.problems[-1].code) == (core.Status.PARTIAL, "interrupted")
    assert {sentence.verdict for sentence in report.record.sentences} == {"supported"}
    pages = store.pages(run_id)
    for entry in report.record.evidence:
        assert pages[entry.source].text[entry.start : entry.end] == entry.quote
    assert "[1]" in report.markdown
    store.close()


# --- the world of a run ----------------------------------------------------------------------------------------------


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "my documents"
    folder.mkdir()
    (folder / "note.md").write_text("# Note\n\nPumps are made in Da Nang.\n", encoding="utf-8")
    return folder


def world(
    home: Path,
    *,
    keys: tuple[str, ...] = (),
    library: Path | None = None,
    analyst: AnalystChoice = "auto",
    **brief: Any,
) -> World:
    settings = Settings(home=home, services={name: KeptService.of(key="key") for name in keys})
    return build_world(
        core.Brief(question="What of pumps?", **brief),
        settings,
        library=library,
        analyst=analyst,
        summaries=SummaryCache(home / "cache"),
    )


def sources(world: World) -> list[core.SourceName]:
    return [source.name for source in world.sources]


def test_without_keys_rules_research_the_collections(tmp_path: Path) -> None:
    made = world(tmp_path)
    assert (made.analyst.name, sources(made), made.models) == (
        "extractive",
        [core.SourceName.FACTBOOK, core.SourceName.HOUSE],
        {},
    )


def test_with_keys_models_research_the_web(tmp_path: Path) -> None:
    made = world(tmp_path, keys=("provider_openai", "service_tavily"))
    assert (made.analyst.name, sources(made)) == ("chat", [core.SourceName.WEB])
    assert set(made.models) == set(core.Role)


def test_rules_can_be_chosen_all_the_same(tmp_path: Path) -> None:
    assert world(tmp_path, keys=("provider_openai",), analyst="extractive").analyst.name == "extractive"


def test_own_documents_join_the_web_and_replace_the_collections(tmp_path: Path, documents: Path) -> None:
    assert sources(world(tmp_path, library=documents)) == [core.SourceName.LIBRARY]
    assert sources(world(tmp_path, library=documents, keys=("service_tavily",))) == [
        core.SourceName.LIBRARY,
        core.SourceName.WEB,
    ]


def test_files_added_on_the_start_page_are_a_library(tmp_path: Path) -> None:
    added = tmp_path / "documents"
    added.mkdir()
    assert core.SourceName.LIBRARY not in sources(world(tmp_path))
    (added / "note.md").write_text("Pumps.", encoding="utf-8")
    assert sources(world(tmp_path)) == [core.SourceName.LIBRARY]


def test_sources_that_are_named_are_taken_and_a_folder_joins_them(tmp_path: Path, documents: Path) -> None:
    made = world(tmp_path, sources=("house",), keys=("service_tavily",))
    assert sources(made) == [core.SourceName.HOUSE]
    made = world(tmp_path, sources=("house",), library=documents)
    assert sources(made) == [core.SourceName.HOUSE, core.SourceName.LIBRARY]


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ({"analyst": "chat"}, "OPENAI_API_KEY"),
        ({"analyst": "chat", "language": "ja"}, "OPENAI_API_KEY、ANTHROPIC_API_KEY"),
        ({"analyst": "guess"}, "extractive"),
        ({"sources": ("estat",)}, "set ESTAT_KEY"),
        ({"sources": ("estat",), "language": "ja"}, "ESTAT_KEYを設定してください"),
        ({"sources": ("library",)}, "--library"),
        ({"library": Path("/nowhere/at/all")}, "/nowhere/at/all"),
    ],
)
def test_what_is_not_available_comes_with_advice(tmp_path: Path, wanted: dict[str, Any], advice: str) -> None:
    with pytest.raises(core.UsageError, match=advice):
        world(tmp_path, **wanted)


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, TavilyServer]]:
    with OpenAIServer() as models, TavilyServer() as web:
        models.handler = Model()
        web.handler = lambda _: Results(web_page("https://a.example/", PAGE), web_page("https://b.example/", PAGE * 2))
        yield models, web


def researched(
    home: Path, models: OpenAIServer, web: TavilyServer, *, database: SecretStr | None = None, account: str = ""
) -> Report:
    settings = Settings(home=home, services=access(models.base_url) | access(web.base_url, to="service_tavily"))
    store = RunStore(home, database).of_account(account)
    with Runner(store, settings) as runner:
        report = runner.wait(
            runner.start(core.Brief(question="How did the pump market grow?", preset="speed", method="supervised")),
            timeout=60,
        )
    store.close()
    return report


def test_models_and_web_make_a_report_whose_use_is_counted(
    tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]
) -> None:
    report = researched(tmp_path, *servers)
    assert (report.status, report.record.analyst, report.record.writer) == (core.Status.COMPLETE, "chat", "chat")
    assert "grew by 4.2% in 2025" in report.markdown
    assert [entry.url for entry in report.record.sources] == ["https://a.example/", "https://b.example/"]
    assert [event.topic for event in report.history if isinstance(event, core.TopicQueued)] == ["The pump market."]
    called = [event for event in report.history if isinstance(event, core.ModelCalled)]
    assert sum(usage.calls for usage in report.record.usage.values()) == len(called) == len(servers[0].requests)
    assert report.record.usage[core.Role.SUMMARIZATION].calls == 2
    assert report.record.usage[core.Role.SUMMARIZATION].input_tokens == 200


def test_the_second_run_of_a_brief_summarises_nothing_again(
    tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]
) -> None:
    researched(tmp_path, *servers)
    servers[0].handler = Model()
    report = researched(tmp_path, *servers)
    usage = report.record.usage[core.Role.SUMMARIZATION]
    assert (usage.calls, usage.cached) == (0, 2)
    assert all(event.cached for event in report.history if isinstance(event, core.PageSummarised))


def test_what_an_account_has_summarised_is_not_summarised_again_on_another_machine_of_its_team(
    tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer], postgresql: PostgresqlServer
) -> None:
    with postgresql.lent_database() as database:
        for machine, account, calls in (("one", "ann", 2), ("two", "ann", 0), ("two", "bob", 2)):
            servers[0].handler = Model()
            report = researched(tmp_path / machine, *servers, database=database, account=account)
            assert report.record.usage[core.Role.SUMMARIZATION].calls == calls, (machine, account)


def test_a_refused_key_is_told_and_rules_take_over(tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]) -> None:
    servers[0].handler = lambda _: Failure(401, "wrong key", code="invalid_api_key")
    report = researched(tmp_path, *servers)
    assert (report.status, report.record.writer) == (core.Status.PARTIAL, "extractive")
    assert "model_unauthorized" in {problem.code for problem in report.record.problems}
    assert "refused the key" in report.markdown
    assert report.record.evidence
    servers[0].handler = Model()
    again = researched(tmp_path, *servers)
    assert again.record.usage[core.Role.SUMMARIZATION].calls == 2, "what rules wrote was not kept as a summary"


def test_folders_say_how_far_they_are_read(tmp_path: Path, documents: Path) -> None:
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path)) as runner:
        report = runner.wait(runner.start(core.Brief(question="Pumps?", preset="speed"), library=documents), timeout=60)
    store.close()
    last = [event for event in report.history if isinstance(event, core.CollectionIndexed)][-1]
    assert (last.source, last.done, last.total) == (core.SourceName.LIBRARY, 2, 2)
    assert [(name, code) for name, code in last.skipped] == [("broken.pdf", "file_broken")]
