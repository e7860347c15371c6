"""The command line: what it takes, what it writes, how it ends."""

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from research import core
from research.cli import brief_of, language_of, main, parser
from research.language import Language
from research.results import RunRecord
from research.sources import providers
from research.terminal import Display, line_of
from tests.support.machine import wait_until
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import Model
from tests.support.tavily_server import Held, Results, TavilyServer, web_page
from tests.support.vectors import with_shared_vectors

TEXT = "The pump market grew by 4.2% in 2025, most of all in Vietnam. Water utilities bought most of the pumps."


@pytest.fixture
def documents(documents: Path) -> Path:
    (documents / "market.md").write_text(f"# Market\n\n{TEXT}\n", encoding="utf-8")
    (documents / "trade.md").write_text("# Trade\n\nImports of pumps to Vietnam fell to 310 units.\n", encoding="utf-8")
    return documents


# --- a whole run -----------------------------------------------------------------------------------------------


def test_a_run_leaves_a_folder_in_which_every_quote_can_be_checked(
    tmp_path: Path, documents: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    given = ["run", "How did the pump market in Vietnam grow?", "--preset", "speed", "--library", str(documents)]
    assert main([*given, "--out", str(out)], environment) == 0
    record = RunRecord.model_validate_json((out / "run.json").read_bytes())
    assert (record.status, record.analyst, record.brief.preset) == ("complete", "extractive", "speed")
    hashes = {source.id: source.sha256 for source in record.sources}
    for entry in record.evidence:
        text = (out / "pages" / f"{hashes[entry.source]}.txt").read_bytes()
        assert hashlib.sha256(text).hexdigest() == hashes[entry.source]
        assert text.decode()[entry.start : entry.end] == entry.quote
    events = [core.parse_event(line) for line in (out / "events.jsonl").read_bytes().splitlines()]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [events[0].type, events[-1].type] == ["run_started", "run_finished"]
    assert "[1]" in (out / "report.md").read_text(encoding="utf-8")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith("Complete (sources: 2, ")
    assert "Search in My documents" in said.err
    assert main(["runs"], environment) == 0
    assert f"{record.run}  " in capsys.readouterr().out


def test_quiet_says_one_line_in_the_language_of_the_brief(
    tmp_path: Path, documents: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["run", "ベトナムのポンプ市場は？", "--language", "ja", "--library", str(documents), "--preset", "speed"]
    main([*given, "--out", str(tmp_path / "out"), "--quiet"], environment)
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith(("完了（", "一部のみ（"))


def test_nothing_found_is_partial(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["run", "?!", "--library", str(empty), "--out", str(tmp_path / "out")], environment) == 3
    assert capsys.readouterr().err.splitlines()[-1].startswith("Partial (sources: 0, ")
    assert "Nothing was found" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def test_a_second_run_takes_the_place_of_the_first(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "out"
    names = []
    for _ in range(2):
        main(["run", "Pumps", "--library", str(documents), "--out", str(out), "--quiet"], environment)
        names.append(json.loads((out / "run.json").read_bytes())["run"])
        assert json.loads((out / "events.jsonl").read_text(encoding="utf-8").splitlines()[0])["run"] == names[-1]
    assert names[0] != names[1]


def test_models_are_named_for_all_roles_and_for_one(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    given = ["How did the pump market grow?", "--preset", "speed", "--library", str(documents), "--quiet"]
    given += ["--model", "final_report=writer-1", "--model", "all-1", "--out", str(tmp_path / "out")]
    with OpenAIServer() as server:
        served = {**environment, "OPENAI_BASE_URL": server.base_url, "RESEARCH_MODEL": "of-environment"}
        for command in (["run"], ["compare", "--methods", "chained,supervised"]):
            server.requests.clear()
            server.handler = Model()
            assert main([*command, *given], served) in (0, 3)
            writing = {request.body["model"] for request in server.requests if request.body.get("stream")}
            others = {request.body["model"] for request in server.requests if not request.body.get("stream")}
            assert (writing, others) == ({"writer-1"}, {"all-1"})


# --- wrong usage -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["run"], "--out"),
        (["run", "--out", "{out}"], "no question"),
        (["run", "  ", "--out", "{out}"], "no question"),
        (["run", "?", "--out", "{out}", "--scope", "nope"], "scope is not usable: it must be one of overview, market"),
        (["run", "?", "--out", "{out}", "--sources", "web,nope"], "no source nope; there are: web, library"),
        (["run", "?", "--out", "{out}", "--sources", "estat"], "ESTAT_KEY"),
        (["run", "?", "--out", "{out}", "--analyst", "chat"], "OPENAI_API_KEY"),
        (["run", "?", "--out", "{out}", "--model", "gpt-5.4"], "OPENAI_API_KEY"),
        (
            ["run", "?", "--out", "{out}", "--model", "writing=gpt-5.4"],
            "names no model; write it as MODEL or ROLE=MODEL",
        ),
        (["run", "?", "--out", "{out}", "--model", "final_report="], "names no model"),
        (["run", "?", "--out", "{out}", "--analyst", "nope"], "invalid choice"),
        (
            ["run", "?", "--out", "{out}", "--method", "nope"],
            "method is not usable: it must be one of outlined, chained",
        ),
        (["run", "?", "--out", "{out}", "--iterations", "0"], "iterations is not usable: it must be a whole number"),
        (["run", "?", "--out", "{out}", "--iterations", "2.5"], "from 1 to 5"),
        (["run", "?", "--out", "{out}", "--queries-per-section", "6"], "queries_per_section is not usable: it must"),
        (["run", "?", "--out", "{out}", "--queries-per-section", "many"], "from 1 to 5"),
        (["run", "?", "--out", "{out}", "--library", "{out}/nowhere"], "no folder"),
        (["run", "?", "--out", "{out}", "--brief", "{out}/nowhere.json"], "No such file"),
        (["run", "?", "--out", "{file}"], "cannot be written"),
        (["run", "?", "--out", "{file}/below"], "cannot be written"),
        (["run", "?", "--nope", "--out", "{out}"], "--nope"),
        (["nope"], "nope"),
        (["runs", "--limit", "many"], "--limit"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], given: list[str], reason: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    places = {"out": tmp_path / "out", "file": tmp_path / "file"}
    assert main([part.format(**places) for part in given], environment) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("Error: ")
    assert reason in line
    assert said.out == ""
    assert not list(tmp_path.glob("out/*.*")), "an earlier run's files are not touched"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("--region=火星", "region の値を使えません：world, japan"),
        ("--method=勘", "method の値を使えません：outlined, chained, gap-driven, supervised, noted のいずれか"),
        ("--iterations=9", "iterations の値を使えません：1から5までの整数"),
    ],
)
def test_wrong_usage_is_told_in_japanese_too(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], wrong: str, reason: str
) -> None:
    given = ["run", "？", "--out", str(tmp_path / "out"), "--language=ja", wrong]
    assert main(given, environment) == 2
    assert capsys.readouterr().err.startswith(f"エラー：{reason}")


@pytest.mark.parametrize("content", ["no json", "[]", '{"question": "?", "colour": "red"}', '{"question": ""}'])
def test_a_file_that_is_no_brief_is_refused(tmp_path: Path, environment: dict[str, str], content: str) -> None:
    (tmp_path / "brief.json").write_text(content)
    assert main(["run", "--brief", str(tmp_path / "brief.json"), "--out", str(tmp_path / "out")], environment) == 2


def test_a_home_that_cannot_be_used_is_a_failure(
    tmp_path: Path, documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    environment = {"RESEARCH_HOME": str(tmp_path / "file" / "home")}
    assert main(["run", "?", "--library", str(documents), "--out", str(tmp_path / "out")], environment) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "runs.sqlite3" in line


# --- help ------------------------------------------------------------------------------------------------------


def test_without_a_command_there_is_help(environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], environment) == 0
    assert "run " in capsys.readouterr().out


@pytest.mark.parametrize("language", Language)
def test_help_lists_every_value(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser(language).parse_args(["run", "--help"])
    shown = capsys.readouterr().out
    for term in core.Scope:
        assert term.value in shown
        assert term.label.in_(language) in shown
    for source in providers():
        assert f"{source.name:<14} {source.label.in_(language)}" in shown
    for method in core.MethodName:
        assert f"{method.value:<14} {method.label.in_(language)}: {method.hint.in_(language)}" in shown


@pytest.mark.parametrize(
    ("given", "environment", "language"),
    [
        (["run", "--language", "ja"], {}, Language.JA),
        (["run", "--language=en"], {"LANG": "ja_JP.UTF-8"}, Language.EN),
        (["run"], {"LANG": "ja_JP.UTF-8"}, Language.JA),
        (["run"], {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, Language.EN),
        ([], {}, Language.EN),
    ],
)
def test_messages_follow_the_flag_and_else_the_terminal(
    given: list[str], environment: dict[str, str], language: Language
) -> None:
    assert language_of(given, environment) is language


def test_flags_override_the_file(tmp_path: Path) -> None:
    file = tmp_path / "brief.json"
    kept = core.Brief(question="From the file", scope="market", region="japan", tone="plain", exclusions=("prices",))
    file.write_text(kept.model_dump_json(), encoding="utf-8")
    given = ["run", "--brief", str(file), "--out", "x", "--scope", "risk", "--sources", "web, house"]
    chosen = parser(Language.EN).parse_args([*given, "--forbid-site", "x.com", "--forbid-site", "https://y.com/z"])
    assert brief_of(chosen, Language.EN) == core.Brief(
        question="From the file",
        scope="risk",
        region="japan",
        tone="plain",
        sources=("web", "house"),
        exclusions=("prices",),
        forbidden_sites=("x.com", "y.com"),
    )


def test_the_method_is_the_presets_unless_named() -> None:
    def made(*flags: str) -> core.Brief:
        return brief_of(parser(Language.EN).parse_args(["run", "Why?", "--out", "x", *flags]), Language.EN)

    assert made().method is None
    assert made("--method", "gap-driven").method is core.MethodName.GAP_DRIVEN
    deep = made("--method", "outlined", "--queries-per-section", "5", "--iterations", "1")
    assert (deep.queries_per_section, deep.iterations) == (5, 1)


# --- Ctrl-C ----------------------------------------------------------------------------------------------------


@pytest.fixture
def slow_web() -> Iterator[TavilyServer]:
    """Answers the first search at once, and no other before the test is over."""
    over = threading.Event()
    with TavilyServer(handler=lambda _: Held(over)) as server:
        server.enqueue(Results(web_page("https://a.example/", TEXT)))
        yield server
        over.set()


@pytest.fixture
def slow_writer() -> Iterator[OpenAIServer]:
    """A model that decides at once and writes the report much too slowly."""
    model = Model()

    def answer(body: dict[str, Any]) -> Any:
        answered = model(body)
        return replace(answered, seconds=60) if body.get("stream") else answered

    with OpenAIServer() as server:
        server.handler = answer
        yield server


class Started:
    """The command in a process of its own."""

    def __init__(self, out: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "research", "run", "How did the pump market grow?", "--out", str(out)]
        variables = {**os.environ, **environment}
        with_shared_vectors(Path(environment["RESEARCH_HOME"]))
        self.process = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
        self.out = out

    def interrupt_after(self, event: str) -> None:
        """Press Ctrl-C as soon as the run has reported `event`."""
        events, wanted = self.out / "events.jsonl", f'"type":"{event}"'.encode()
        wait_until(lambda: events.exists() and wanted in events.read_bytes())
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> tuple[int, str]:
        """Return the exit status and the last line."""
        return self.process.wait(timeout=120), self.process.communicate()[1].splitlines()[-1]


def check_partial(started: Started, problem: str) -> None:
    status, line = started.ended()
    assert (status, line[:20]) == (3, "Partial (sources: 1,")
    record = RunRecord.model_validate_json((started.out / "run.json").read_bytes())
    assert problem in [entry.code for entry in record.problems]
    assert record.evidence
    assert "[1]" in (started.out / "report.md").read_text(encoding="utf-8")


def test_ctrl_c_once_writes_the_report_from_what_there_is(
    tmp_path: Path, environment: dict[str, str], slow_web: TavilyServer
) -> None:
    started = Started(tmp_path / "out", {**environment, "TAVILY_BASE_URL": slow_web.base_url})
    started.interrupt_after("evidence_found")
    check_partial(started, "finished_early")


def test_ctrl_c_twice_stops_at_once(tmp_path: Path, environment: dict[str, str], slow_writer: OpenAIServer) -> None:
    with TavilyServer() as web:
        web.enqueue(Results(web_page("https://a.example/", TEXT)))
        addresses = {"TAVILY_BASE_URL": web.base_url, "OPENAI_BASE_URL": slow_writer.base_url}
        started = Started(tmp_path / "out", {**environment, **addresses})
        started.interrupt_after("report_started")
        started.interrupt_after("finish_requested")
        check_partial(started, "stopped")


# --- what is shown ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
def test_text_of_others_cannot_command_the_terminal(language: Language) -> None:
    title = "\x1b[31mred\x1b[0m\n\u202enew [bold]line[/bold]" + "x" * 300
    event = core.PageRead(
        lane="R1",
        page="S1",
        url="https://a.example/",
        title=title,
        site="a.example",
        origin=core.SourceName.WEB,
        kind=core.SourceKind.OTHER,
        published=None,
        sha256="0",
        characters=1,
    )
    line = line_of(event, language)
    assert line is not None
    assert "[31mred[0m new [bold]line[/bold]" in line
    assert line.isprintable()
    assert len(line) < 200


def test_skipped_files_are_named() -> None:
    event = core.CollectionIndexed(
        source=core.SourceName.LIBRARY, done=2, total=2, skipped=(("a.pdf", "file_encrypted"),)
    )
    assert "a.pdf: The file is encrypted." in str(line_of(event, Language.EN))
    assert "a.pdf：ファイルが暗号化" in str(line_of(event, Language.JA))
    assert line_of(event.model_copy(update={"done": 1}), Language.EN) is None


def lines(*events: core.Event, language: Language = Language.EN) -> list[str | None]:
    return [line_of(event, language) for event in events]  # type: ignore[arg-type]


def test_plan_score_notes_and_endings_get_a_line_each() -> None:
    outline = core.Outline(sections=(core.Section(title="Size"), core.Section(title="Outlook")))
    events = (
        core.DepthChosen(depth=core.Depth(queries_per_section=2, iterations=3, reason="Broad."), by="analyst"),
        core.PlanSettled(outline=outline, edited=False),
        core.Assessed(lane="R1", iteration=2, criteria={}, score=7, missing=("concrete cases", "outlook")),
        core.NoteTaken(step=1, query="size", summary="- large\n- larger", sources=()),
        core.TopicFinished(lane="R1", reason="repeated", evidence=("E1",)),
        core.ResearchFinished(reason="enough", why="All is known."),
    )
    assert lines(*events) == [
        "Depth: queries per section: 2, iterations: 3. Broad.",
        "Plan: Size · Outlook",
        "R1 Score after search 2: 7/10. Not covered: concrete cases, outlook",
        "Note 1 on “size”: - large - larger",
        "R1 Done; quotes kept: 1. Further searches brought nothing new.",
        "Research ended: The computed score is high enough. All is known.",
    ]
    japanese = lines(*events, language=Language.JA)
    assert japanese[2] == "R1 検索 2回目の充足度：7/10。触れていない観点：concrete cases、outlook"
    assert japanese[-1] == "調査終了：充足度の点数が十分に達しました。All is known."


def table(*events: core.AnyEvent) -> list[str]:
    """The lines of the live table after these events."""
    console = Console(file=io.StringIO(), force_terminal=True, width=120, markup=False, highlight=False)
    with Display(console, Language.EN) as display:
        for event in events:
            display.show(event)
        shown = console.render_lines(display._picture(), pad=False)
    return [" ".join("".join(segment.text for segment in line).split()) for line in shown]


def test_a_lane_shows_its_section_and_its_score() -> None:
    queued = core.TopicQueued(lane="R1", topic="Size. For the question …", title="Size")
    assert table(queued)[0] == "R1 Size waiting 0/0"
    assert (
        table(
            queued,
            core.TopicStarted(lane="R1"),
            core.SearchStarted(lane="R1", search="Q1", query="pumps", source=core.SourceName.WEB),
            core.Assessed(lane="R1", iteration=1, criteria={}, score=4, missing=()),
            core.SearchStarted(lane="R1", search="Q2", query="valves", source=core.SourceName.WEB),
        )[0]
        == "R1 Size 4/10 · valves 0/0"
    )


@pytest.mark.parametrize("method", list(core.MethodName))
def test_each_method_runs_from_the_command_line(
    tmp_path: Path,
    documents: Path,
    environment: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    method: core.MethodName,
) -> None:
    out = tmp_path / "out"
    given = ["run", "How did the pump market in Vietnam grow?", "--library", str(documents), "--preset", "speed"]
    assert main([*given, "--method", method.value, "--out", str(out)], environment) in (0, 3)
    said = capsys.readouterr().err
    assert f", {method.label.en}, " in said.splitlines()[0]
    assert "Research ended: " in said
    assert "Score after search 1: " in said
    assert ("Plan: " in said) is (method in (core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN))
    assert ("Note 1 on " in said) is (method is core.MethodName.NOTED)
    assert json.loads((out / "run.json").read_bytes())["brief"]["method"] == method.value


def test_the_table_adds_up() -> None:
    call = core.ModelCalled(
        role=core.Role.RESEARCH, model="m", seconds=1, input_tokens=10, output_tokens=5, cost_usd=0.5
    )
    events: list[core.AnyEvent] = [
        core.TopicQueued(lane="R1", topic="Pumps"),
        core.TopicStarted(lane="R1"),
        core.SearchStarted(lane="R1", search="Q1", query="pumps", source=core.SourceName.WEB),
        core.EvidenceFound(lane="R1", id="E1", source="S1", quote="q", start=0, end=1),
        core.PageSummarised(lane="R1", page="S1", summary="", evidence=(), cached=True, by_rule=False, seconds=0),
        call,
        core.Reflected(lane="R1", reflection="Enough."),
    ]
    lane, total = table(*events)
    assert lane == "R1 Pumps Enough. 1/1"
    assert total.endswith("searches: 1 · pages: 0 · quotes: 1 · from the cache: 1 · tokens: 15 · 0.50 USD")
    total = table(*events, call.model_copy(update={"model": "new", "cost_usd": None}), call)[-1]
    assert total.endswith("tokens: 45 · price not known")
    assert table(*events, core.TopicFinished(lane="R1", reason="complete"))[0] == "R1 Pumps done 1/1"


@pytest.mark.parametrize("width", [40, 120])
def test_a_terminal_gets_a_table_that_is_gone_in_the_end(width: int) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=width, markup=False, highlight=False)
    with Display(console, Language.JA) as display:
        display.show(core.TopicQueued(lane="R1", topic="ポンプ市場の規模" * 20))
        display.show(core.TopicStarted(lane="R1"))
        display.show(core.SearchStarted(lane="R1", search="Q1", query="pump market", source=core.SourceName.WEB))
        shown = console.render_lines(display._picture(), pad=False)
    lines = ["".join(segment.text for segment in line) for line in shown]
    assert len(lines) in (2, 3)
    assert lines[0].startswith("R1 ポンプ市場の")
    assert "pump" in lines[0]
    assert "検索 1回" in "".join(lines)
    assert all(cell_len(line) <= width for line in lines)
    assert "R1 ウェブを検索：pump market" in written.getvalue()


def test_quiet_shows_nothing_on_a_terminal_either() -> None:
    written = io.StringIO()
    with Display(Console(file=written, force_terminal=True), Language.EN, quiet=True) as display:
        display.show(core.TopicQueued(lane="R1", topic="Pumps"))
    assert written.getvalue() == ""
