"""What `import research` offers, and what it costs."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import research
from research.engine import Comparison
from research.settings import Settings
from research.store import RunStore
from tests.support.machine import wait_until


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def documents(documents: Path) -> Path:
    for number, text in enumerate(
        (
            "The pump market in Vietnam grew by 4.2% in 2025. Water utilities bought most pumps.",
            "Imports of pumps to Vietnam fell to 310 units in March 2026. A slow recovery is expected.",
            "A pump factory opened in Da Nang in 2024. It makes 12,000 pumps a year for Vietnam.",
        )
    ):
        (documents / f"note-{number}.md").write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")
    return documents


def test_the_surface_is_this_and_nothing_else() -> None:
    assert sorted(research.__all__) == [
        "Brief",
        "Library",
        "Report",
        "ResearchError",
        "Settings",
        "UsageError",
        "ask",
        "compare",
        "estimate",
        "events",
        "experiment",
        "figures",
        "load",
        "resume",
        "rewrite",
        "run",
        "run_sync",
        "stream",
        "verify",
    ]
    assert dir(research) == research.__all__
    assert all(getattr(research, name) is not None for name in research.__all__)
    with pytest.raises(AttributeError, match="unknown"):
        _ = research.unknown


def test_claims_and_figures_are_checked_without_a_run() -> None:
    page = "The harbour handled 55.9 million tonnes in 2024."
    assert research.verify("The harbour handled 55.9 million tonnes in 2024.", page).label == "supported"
    assert research.verify("The harbour handled 65.9 million tonnes in 2024.", page).label == "unsupported"
    (figure,) = research.figures("3兆4,500億円")
    assert (figure.value, figure.currency) == (3.45e12, "JPY")


async def test_run_returns_a_report_that_can_be_checked(settings: Settings, documents: Path) -> None:
    brief = research.Brief(question="How did the pump market in Vietnam develop?", preset="speed")
    report = await research.run(brief, library=documents, settings=settings)
    assert isinstance(report, research.Report)
    assert report.status == "complete"
    assert "[1]" in report.markdown
    texts = await asyncio.to_thread(_texts, documents)
    urls = dict(zip(report.sources["id"], report.sources["url"], strict=True))
    for row in report.evidence.itertuples():
        assert row.quote in texts[urls[row.source]]
    assert list(report.events["seq"]) == list(range(1, len(report.events) + 1))
    assert research.load(report.record.run, settings=settings) == report


def _texts(folder: Path) -> dict[str, str]:
    return {path.as_uri(): path.read_text(encoding="utf-8") for path in folder.iterdir()}


async def test_run_sync_works_while_an_event_loop_is_running(settings: Settings, documents: Path) -> None:
    report = research.run_sync("Pumps in Vietnam", library=research.Library(documents), settings=settings)
    assert report.record.brief == research.Brief(question="Pumps in Vietnam")


async def test_a_stream_ends_with_the_run_and_then_has_the_report(settings: Settings, documents: Path) -> None:
    live = research.stream("Pumps in Vietnam", library=str(documents), analyst="extractive", settings=settings)
    with pytest.raises(research.UsageError, match="still running"):
        _ = live.report
    events = [event async for event in live]
    assert [events[0].type, events[-1].type] == ["run_started", "run_finished"]
    assert isinstance(events[-1], research.events.RunFinished)
    assert list(live.report.history) == events


async def test_cancelling_a_run_stops_it(settings: Settings, documents: Path) -> None:
    task = asyncio.create_task(research.run("Pumps in Vietnam", library=documents, settings=settings))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    run_id = await asyncio.to_thread(_latest, settings)
    report = await asyncio.to_thread(_ended, run_id, settings)
    assert "stopped" in [problem.code for problem in report.record.problems]


def _latest(settings: Settings) -> str:
    store = RunStore(settings.home)
    run_id = store.list(limit=1)[0].id
    store.close()
    return run_id


def _ended(run_id: str, settings: Settings) -> research.Report:
    store = RunStore(settings.home)
    wait_until(lambda: store.record(run_id) is not None)
    store.close()
    return research.load(run_id, settings=settings)


def test_what_is_not_available_is_said_at_once(settings: Settings, tmp_path: Path) -> None:
    for wrong in (
        lambda: research.run_sync("?", analyst="chat", settings=settings),
        lambda: research.run_sync("?", library=tmp_path / "nowhere", settings=settings),
        lambda: research.stream(research.Brief(question="?", sources=("nope",)), settings=settings),
        lambda: research.stream("?", sources=["estat"], settings=settings),
        lambda: research.load("20260101-aaaaaa", settings=settings),
    ):
        with pytest.raises(research.UsageError):
            wrong()


# --- what a module needs, it is needed by no further down ------------------------------------------------------------


ROOT = Path(__file__).parents[1]


def modules() -> dict[str, Path]:
    paths = [*ROOT.glob("research/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("bench/**/*.py"), ROOT / "app.py"]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imported(path: Path) -> Iterator[str]:
    """Yield every name that a file imports, wherever it does, with the module that the name is from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_two_modules_need_each_other() -> None:
    known = modules()
    needs = {
        name: {one if one in known else one.rpartition(".")[0] for one in imported(path)} & known.keys() - {name}
        for name, path in known.items()
    }
    assert len(list(TopologicalSorter(needs).static_order())) == len(known) > 100


async def test_a_notebook_shows_a_few_lines_of_each_and_nothing_of_a_stranger_as_html(
    settings: Settings, documents: Path
) -> None:
    asked = "How did the <b>pump</b> market | in Vietnam develop?"
    brief = research.Brief(question=asked, preset="speed", region="asia", language="ja")
    stream = research.stream(brief, library=documents, settings=settings)
    report = await asyncio.to_thread(stream.wait)
    comparison = Comparison.of([report, report])
    for shown in (brief, stream, report, comparison):
        html, markdown = shown._repr_html_(), shown._repr_markdown_()
        assert len(html) < 5_000
        assert len(markdown) < 5_000
        assert "&lt;b&gt;pump" in html
        assert "<b>pump" not in html + markdown
    assert "地域" in brief._repr_html_()
    assert report.record.run in report._repr_markdown_()


async def test_a_report_is_asked_about_and_written_anew(settings: Settings, documents: Path) -> None:
    brief = research.Brief(question="How did the pump market in Vietnam develop?", preset="speed")
    expected = research.estimate(brief, library=documents, settings=settings)
    assert expected.is_free
    assert 0 < expected.seconds.low <= expected.seconds.high
    run = (await research.run(brief, library=documents, settings=settings)).record.run
    answer = await research.ask(run, "How many pumps does the factory in Da Nang make?", settings=settings)
    assert "12,000" in answer.draft
    assert [one.answer.draft for one in research.load(run, settings=settings).follow_ups] == [answer.draft]
    anew = await asyncio.to_thread(research.rewrite(run, language="ja", length="page", settings=settings).wait)
    assert (anew.record.rewritten_from, anew.record.brief.language) == (run, "ja")
    with pytest.raises(ValueError, match="question"):
        research.rewrite(run, question="?", settings=settings)


async def test_a_report_is_exported_by_itself(settings: Settings, documents: Path) -> None:
    brief = research.Brief(question="How did the pump market in Vietnam develop?", preset="speed")
    report = await research.run(brief, library=documents, settings=settings)
    assert report.export("pdf", paper="letter").startswith(b"%PDF")
    assert "pump" in report.export("md").decode()
    for wrong in ({"format_name": "exe"}, {"format_name": "pdf", "paper": "a0"}):
        with pytest.raises(research.UsageError, match="docx"):
            report.export(**wrong)
