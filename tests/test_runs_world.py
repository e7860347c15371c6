"""The world of a run: who researches and where, from the brief and what is set up; and all of it over the wire."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from research.core import (
    Brief,
    CollectionIndexed,
    ModelCalled,
    PageSummarised,
    Role,
    SourceName,
    Status,
    TopicQueued,
    UsageError,
)
from research.engine import World
from research.results import Report
from research.settings import Settings
from research.store import Runner, RunStore
from research.store.world import AnalystChoice, SummaryCache, build_world
from tests.support.openai_server import Failure, OpenAIServer
from tests.support.pump_model import PAGE, Model
from tests.support.tavily_server import Results, TavilyServer, web_page


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
    settings = Settings.model_validate({"home": home, **dict.fromkeys(keys, "key")})
    return build_world(
        Brief(question="What of pumps?", **brief),
        settings,
        library=library,
        analyst=analyst,
        summaries=SummaryCache(home / "cache"),
    )


def sources(world: World) -> list[SourceName]:
    return [source.name for source in world.sources]


def test_without_keys_rules_research_the_collections(tmp_path: Path) -> None:
    made = world(tmp_path)
    assert (made.analyst.name, sources(made), made.models) == (
        "extractive",
        [SourceName.FACTBOOK, SourceName.HOUSE],
        {},
    )


def test_with_keys_models_research_the_web(tmp_path: Path) -> None:
    made = world(tmp_path, keys=("openai_api_key", "tavily_api_key"))
    assert (made.analyst.name, sources(made)) == ("chat", [SourceName.WEB])
    assert set(made.models) == set(Role)


def test_rules_can_be_chosen_all_the_same(tmp_path: Path) -> None:
    assert world(tmp_path, keys=("openai_api_key",), analyst="extractive").analyst.name == "extractive"


def test_own_documents_join_the_web_and_replace_the_collections(tmp_path: Path, documents: Path) -> None:
    assert sources(world(tmp_path, library=documents)) == [SourceName.LIBRARY]
    assert sources(world(tmp_path, library=documents, keys=("tavily_api_key",))) == [SourceName.LIBRARY, SourceName.WEB]


def test_files_added_on_the_start_page_are_a_library(tmp_path: Path) -> None:
    added = tmp_path / "documents"
    added.mkdir()
    assert SourceName.LIBRARY not in sources(world(tmp_path))
    (added / "note.md").write_text("Pumps.", encoding="utf-8")
    assert sources(world(tmp_path)) == [SourceName.LIBRARY]


def test_sources_that_are_named_are_taken_and_a_folder_joins_them(tmp_path: Path, documents: Path) -> None:
    made = world(tmp_path, sources=("house",), keys=("tavily_api_key",))
    assert sources(made) == [SourceName.HOUSE]
    made = world(tmp_path, sources=("house",), library=documents)
    assert sources(made) == [SourceName.HOUSE, SourceName.LIBRARY]


@pytest.mark.parametrize(
    ("wanted", "advice"),
    [
        ({"analyst": "chat"}, "OPENAI_API_KEY"),
        ({"analyst": "chat", "language": "ja"}, "OPENAI_API_KEY を設定"),
        ({"analyst": "guess"}, "extractive"),
        ({"sources": ("web",)}, "TAVILY_API_KEY"),
        ({"sources": ("web",), "language": "ja"}, "TAVILY_API_KEY（.*設定してください"),
        ({"sources": ("library",)}, "--library"),
        ({"library": Path("/nowhere/at/all")}, "/nowhere/at/all"),
    ],
)
def test_what_is_not_available_comes_with_advice(tmp_path: Path, wanted: dict[str, Any], advice: str) -> None:
    with pytest.raises(UsageError, match=advice):
        world(tmp_path, **wanted)


# --- over the wire ---------------------------------------------------------------------------------------------


@pytest.fixture
def servers() -> Iterator[tuple[OpenAIServer, TavilyServer]]:
    with OpenAIServer() as models, TavilyServer() as web:
        models.handler = Model()
        web.handler = lambda _: Results(web_page("https://a.example/", PAGE), web_page("https://b.example/", PAGE * 2))
        yield models, web


def researched(home: Path, models: OpenAIServer, web: TavilyServer) -> Report:
    settings = Settings(home=home, openai_base_url=models.base_url, tavily_base_url=web.base_url)
    store = RunStore(home)
    with Runner(store, settings) as runner:
        report = runner.wait(
            runner.start(Brief(question="How did the pump market grow?", preset="speed", method="supervised")),
            timeout=60,
        )
    store.close()
    return report


def test_models_and_web_make_a_report_whose_use_is_counted(
    tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]
) -> None:
    report = researched(tmp_path, *servers)
    assert (report.status, report.record.analyst, report.record.writer) == (Status.COMPLETE, "chat", "chat")
    assert "grew by 4.2% in 2025" in report.markdown
    assert [entry.url for entry in report.record.sources] == ["https://a.example/", "https://b.example/"]
    assert [event.topic for event in report.history if isinstance(event, TopicQueued)] == ["The pump market."]
    called = [event for event in report.history if isinstance(event, ModelCalled)]
    assert sum(usage.calls for usage in report.record.usage.values()) == len(called) == len(servers[0].requests)
    assert report.record.usage[Role.SUMMARIZATION].calls == 2
    assert report.record.usage[Role.SUMMARIZATION].input_tokens == 200


def test_the_second_run_of_a_brief_summarises_nothing_again(
    tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]
) -> None:
    researched(tmp_path, *servers)
    servers[0].handler = Model()
    report = researched(tmp_path, *servers)
    usage = report.record.usage[Role.SUMMARIZATION]
    assert (usage.calls, usage.cached) == (0, 2)
    assert all(event.cached for event in report.history if isinstance(event, PageSummarised))


def test_a_refused_key_is_told_and_rules_take_over(tmp_path: Path, servers: tuple[OpenAIServer, TavilyServer]) -> None:
    servers[0].handler = lambda _: Failure(401, "wrong key", code="invalid_api_key")
    report = researched(tmp_path, *servers)
    assert (report.status, report.record.writer) == (Status.PARTIAL, "extractive")
    assert "model_unauthorized" in {problem.code for problem in report.record.problems}
    assert "OPENAI_API_KEY" in report.markdown
    assert report.record.evidence
    servers[0].handler = Model()
    again = researched(tmp_path, *servers)
    assert again.record.usage[Role.SUMMARIZATION].calls == 2, "what rules wrote was not kept as a summary"


def test_folders_say_how_far_they_are_read(tmp_path: Path, documents: Path) -> None:
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    store = RunStore(tmp_path)
    with Runner(store, Settings(home=tmp_path)) as runner:
        report = runner.wait(runner.start(Brief(question="Pumps?", preset="speed"), library=documents), timeout=60)
    store.close()
    last = [event for event in report.history if isinstance(event, CollectionIndexed)][-1]
    assert (last.source, last.done, last.total) == (SourceName.LIBRARY, 2, 2)
    assert [(name, code) for name, code in last.skipped] == [("broken.pdf", "file_broken")]
