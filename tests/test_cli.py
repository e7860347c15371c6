"""The command line: what it takes, what it writes, how it ends."""

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from research.brief import Brief
from research.cli import main
from research.events import (
    CollectionIndexed,
    EvidenceFound,
    ModelCalled,
    PageRead,
    PageSummarised,
    Reflected,
    SearchStarted,
    TopicQueued,
    TopicStarted,
    parse_event,
)
from research.language import Language
from research.presets import Role
from research.report import RunRecord
from research.terminal.arguments import language_of, parser
from research.terminal.brief_arguments import brief_of
from research.terminal.display import Display
from research.terminal.lines import line_of
from research.terminal.tally import Tally
from research.vocabulary import Scope, SourceKind, SourceName
from tests.openai_server import OpenAIServer
from tests.tavily_server import Results, TavilyServer, web_page
from tests.test_runs_journal import wait_until
from tests.test_runs_world import Model

TEXT = "The pump market grew by 4.2% in 2025, most of all in Vietnam. Water utilities bought most of the pumps."


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "market.md").write_text(f"# Market\n\n{TEXT}\n", encoding="utf-8")
    (folder / "trade.md").write_text("# Trade\n\nImports of pumps to Vietnam fell to 310 units.\n", encoding="utf-8")
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8"}


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
    events = [parse_event(line) for line in (out / "events.jsonl").read_bytes().splitlines()]
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


# --- wrong usage -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["run"], "--out"),
        (["run", "--out", "{out}"], "no question"),
        (["run", "  ", "--out", "{out}"], "no question"),
        (["run", "?", "--out", "{out}", "--scope", "nope"], "scope is not usable: it must be one of overview, market"),
        (["run", "?", "--out", "{out}", "--sources", "web,nope"], "sources is not usable"),
        (["run", "?", "--out", "{out}", "--sources", "web"], "TAVILY_API_KEY"),
        (["run", "?", "--out", "{out}", "--analyst", "chat"], "OPENAI_API_KEY"),
        (["run", "?", "--out", "{out}", "--analyst", "nope"], "invalid choice"),
        (["run", "?", "--out", "{out}", "--method", "nope"], "supervised"),
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


def test_wrong_usage_is_told_in_japanese_too(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["run", "？", "--out", str(tmp_path / "out"), "--language=ja", "--region", "火星"]
    assert main(given, environment) == 2
    assert capsys.readouterr().err.startswith("エラー：region の値を使えません：world, japan")


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
    for term in (*Scope, *SourceName):
        assert term.value in shown
        assert term.label.in_(language) in shown


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
    Brief(question="From the file", scope="market", region="japan", tone="plain", exclusions=("prices",)).to_json(file)
    given = ["run", "--brief", str(file), "--out", "x", "--scope", "risk", "--sources", "web, house"]
    chosen = parser(Language.EN).parse_args([*given, "--forbid-site", "x.com", "--forbid-site", "https://y.com/z"])
    assert brief_of(chosen, Language.EN) == Brief(
        question="From the file",
        scope="risk",
        region="japan",
        tone="plain",
        sources=("web", "house"),
        exclusions=("prices",),
        forbidden_sites=("x.com", "y.com"),
    )


# --- Ctrl-C ----------------------------------------------------------------------------------------------------


@pytest.fixture
def slow_web() -> Iterator[TavilyServer]:
    """Answers the first search at once and all others much too late."""
    with TavilyServer() as server:
        server.enqueue(Results(web_page("https://a.example/", TEXT)))
        server.handler = lambda _: Results(seconds=8)
        yield server


@pytest.fixture
def slow_writer() -> Iterator[OpenAIServer]:
    """A model that decides at once and writes the report much too slowly."""
    model = Model()

    def answer(body: dict[str, Any]) -> Any:
        answered = model(body)
        return replace(answered, seconds=8) if body.get("stream") else answered

    with OpenAIServer() as server:
        server.handler = answer
        yield server


class Started:
    """The command in a process of its own."""

    def __init__(self, out: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "research", "run", "How did the pump market grow?", "--out", str(out)]
        variables = {**os.environ, **environment}
        self.process = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
        self.out = out

    def interrupt_after(self, event: str) -> None:
        """Press Ctrl-C as soon as the run has reported `event`."""
        events, wanted = self.out / "events.jsonl", f'"type":"{event}"'.encode()
        wait_until(lambda: events.exists() and wanted in events.read_bytes(), seconds=30)
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> tuple[int, str]:
        """Return the exit status and the last line."""
        return self.process.wait(timeout=20), self.process.communicate()[1].splitlines()[-1]


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


def test_ctrl_c_twice_stops_at_once(
    tmp_path: Path, environment: dict[str, str], slow_web: TavilyServer, slow_writer: OpenAIServer
) -> None:
    addresses = {"TAVILY_BASE_URL": slow_web.base_url, "OPENAI_BASE_URL": slow_writer.base_url}
    started = Started(tmp_path / "out", {**environment, **addresses})
    started.interrupt_after("report_started")
    started.interrupt_after("finish_requested")
    check_partial(started, "stopped")


# --- what is shown ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", Language)
def test_text_of_others_cannot_command_the_terminal(language: Language) -> None:
    title = "\x1b[31mred\x1b[0m\n\u202enew [bold]line[/bold]" + "x" * 300
    event = PageRead(
        lane="R1",
        page="S1",
        url="https://a.example/",
        title=title,
        site="a.example",
        origin=SourceName.WEB,
        kind=SourceKind.OTHER,
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
    event = CollectionIndexed(source=SourceName.LIBRARY, done=2, total=2, skipped=(("a.pdf", "file_encrypted"),))
    assert "a.pdf: The file is encrypted." in str(line_of(event, Language.EN))
    assert "a.pdf：ファイルが暗号化" in str(line_of(event, Language.JA))
    assert line_of(event.model_copy(update={"done": 1}), Language.EN) is None


def test_the_tally_adds_up() -> None:
    tally = Tally()
    for event in (
        TopicQueued(lane="R1", topic="Pumps"),
        TopicStarted(lane="R1"),
        SearchStarted(lane="R1", search="Q1", query="pumps", source=SourceName.WEB),
        EvidenceFound(lane="R1", id="E1", source="S1", quote="q", start=0, end=1),
        PageSummarised(lane="R1", page="S1", summary="", evidence=(), cached=True, by_rule=False, seconds=0),
        ModelCalled(role=Role.RESEARCH, model="m", seconds=1, input_tokens=10, output_tokens=5, cost_usd=0.5),
        Reflected(lane="R1", reflection="Enough."),
    ):
        tally.count(event)
    lane = tally.lanes["R1"]
    assert (lane.activity, lane.evidence, lane.is_waiting) == ("Enough.", 1, False)
    assert (tally.searches, tally.evidence, tally.cached, tally.tokens, tally.cost_usd) == (1, 1, 1, 15, 0.5)
    tally.count(ModelCalled(role=Role.RESEARCH, model="new", seconds=1, cost_usd=None))
    tally.count(ModelCalled(role=Role.RESEARCH, model="m", seconds=1, cost_usd=0.5))
    assert tally.cost_usd is None


@pytest.mark.parametrize("width", [40, 120])
def test_a_terminal_gets_a_table_that_is_gone_in_the_end(width: int) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=width, markup=False, highlight=False)
    with Display(console, Language.JA) as display:
        display.show(TopicQueued(lane="R1", topic="ポンプ市場の規模" * 20))
        display.show(TopicStarted(lane="R1"))
        display.show(SearchStarted(lane="R1", search="Q1", query="pump market", source=SourceName.WEB))
        shown = console.render_lines(display._picture(), pad=False)
    lines = ["".join(segment.text for segment in line) for line in shown]
    assert len(lines) in (2, 3)
    assert lines[0].startswith("R1 ポンプ市場の")
    assert "pump" in lines[0]
    assert "検索 1 回" in "".join(lines)
    assert all(cell_len(line) <= width for line in lines)
    assert "R1 ウェブを検索：pump market" in written.getvalue()


def test_quiet_shows_nothing_on_a_terminal_either() -> None:
    written = io.StringIO()
    with Display(Console(file=written, force_terminal=True), Language.EN, quiet=True) as display:
        display.show(TopicQueued(lane="R1", topic="Pumps"))
    assert written.getvalue() == ""
