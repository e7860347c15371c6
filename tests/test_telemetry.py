"""What whoever keeps a server sees: logs as JSON lines and spans, of every step, and no word of what was asked."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from research import core
from research.settings import KeptSettings, home_of_account, kept_settings
from research.store import RunStore, StoredJournal, Task
from research.store.queue import enter
from research.store.telemetry import tracer
from tests.support import spans
from tests.support.machine import wait_until
from tests.support.services import access
from tests.support.vectors import with_shared_vectors
from tests.support.workers import worker_command

BRIEF = core.Brief(question="What is the overseas sales target of the house?", sources=(core.SourceName.HOUSE,))
WEB = core.SourceName.WEB
EVENTS: tuple[core.Event, ...] = (
    core.RunStarted(
        run="r", brief=BRIEF, brief_text="secret text", analyst="chat", sources=(WEB,), method=core.MethodName.NOTED
    ),
    core.SearchStarted(lane="R1", search="Q1", query="secret query", source=WEB),
    core.SearchReturned(lane="R1", search="Q1", pages=3, new=2, seconds=1.5, cost_usd=0.008),
    core.ModelCalled(
        role=core.Role.RESEARCH, model="small", seconds=2.0, input_tokens=7, output_tokens=5, cost_usd=0.01
    ),
    core.SearchStarted(lane="R1", search="Q2", query="secret query", source=WEB),
    core.SearchFailed(lane="R1", search="Q2", code="search_unreachable", detail="secret detail", seconds=0.5),
    core.ProblemOccurred(stage=core.Stage.SEARCH, code="search_unreachable", subject="secret query"),
    core.RunFinished(status=core.Status.PARTIAL, seconds=9.0),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    store = RunStore(tmp_path / "store")
    yield store.of_account("anna")
    store.close()


def told(store: RunStore, *events: core.Event) -> StoredJournal:
    journal = StoredJournal(store, store.create(BRIEF, "chat"))
    for event in events:
        journal.emit(event)
    return journal


# --- logs --------------------------------------------------------------------------------------------------------


def test_a_worker_logs_lines_of_json_with_run_account_and_event(tmp_path: Path) -> None:
    with_shared_vectors(tmp_path / "home")
    store = RunStore(tmp_path / "home")
    run = enter(store, BRIEF, "extractive", Task())
    with worker_command(tmp_path / "home", None, "--until-idle", RESEARCH_LOG="json") as worker:
        assert worker.process.wait(120) == 0
    lines = [json.loads(line) for line in worker.lines]
    assert not [line for line in lines if "event" not in line]
    events = [line["event"] for line in lines]
    assert [events[0], *events[-2:]] == ["worker_began", "run_ended", "worker_ended"]
    assert {"run_begun", "run_started", "search_returned", "research_finished", "run_finished"} <= set(events)
    assert {line["run"] for line in lines if "run" in line} == {run}
    assert {line["level"] for line in lines} == {"info"}
    assert "overseas" not in "".join(worker.lines)
    store.close()


def test_what_is_logged_of_a_run_holds_no_word_of_it(store: RunStore, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "research"):
        run = told(store, *EVENTS)._run_id
    fields: list[dict[str, Any]] = [vars(record)["fields"] for record in caplog.records]
    assert all(one["run"] == run and one["account"] == "anna" for one in fields)
    assert [one["event"] for one in fields] == [
        event.type for event in EVENTS if not isinstance(event, core.SearchStarted)
    ]
    assert fields[1] | {"source": WEB, "pages": 3, "seconds": 1.5} == fields[1]
    assert {record.levelname for record in caplog.records} == {"INFO"}, "a terminal shows warnings"
    assert "secret" not in caplog.text and "overseas" not in caplog.text


_LOGS = """
import logging
from research.store import write_json
write_json(lambda: ("zanzibar-4711", "postgresql://research:hunter22@db/research"))
log = logging.getLogger("research.x")
log.warning("The research failed: key %s, sk-abcdefgh1234, hunter22", "zanzibar-4711")
logging.getLogger("httpx").info("GET https://a/?key=1")
try:
    raise ValueError("of zanzibar-4711")
except ValueError:
    log.exception("Broken\\nline")
"""


def test_no_key_is_logged_and_each_record_is_a_line() -> None:
    ran = subprocess.run([sys.executable, "-c", _LOGS], capture_output=True, text=True, check=True)
    first, second = map(json.loads, ran.stderr.splitlines())
    assert first["message"] == "The research failed: key ***, ***, ***"
    assert (second["level"], second["logger"]) == ("error", "research.x")
    assert "ValueError" in second["error"] and "zanzibar" not in ran.stderr


_LOGS_OF_SERVER = """
import logging
from research.settings import secrets_of_all
from research.store import write_json
write_json(secrets_of_all)
logging.getLogger("research.x").warning("Refused: %s, %s, at west", "kestrel-of-bob", "kestrel-of-all")
"""


def test_no_key_that_an_account_has_entered_for_itself_is_logged(tmp_path: Path) -> None:
    entered = {"bob@example.com": "kestrel-of-bob", "": "kestrel-of-all"}
    for account, key in entered.items():
        kept = KeptSettings(services=access(key=key), model_provider="west")
        kept_settings.change(home_of_account(tmp_path, account), lambda _, kept=kept: kept)
    environment = {**os.environ, "RESEARCH_HOME": str(tmp_path)}
    command = [sys.executable, "-c", _LOGS_OF_SERVER]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert json.loads(ran.stderr)["message"] == "Refused: ***, ***, at west"


def test_what_one_account_has_damaged_keeps_no_message_back(tmp_path: Path) -> None:
    for account, damaged in (("bob@example.com", False), ("eve@example.com", True), ("", True)):
        home = home_of_account(tmp_path, account)
        kept_settings.change(home, lambda _: KeptSettings(services=access(key="kestrel-of-bob")))
        if damaged:
            kept_settings.path(home).write_text("{", encoding="utf-8")
    environment = {**os.environ, "RESEARCH_HOME": str(tmp_path), "OPENAI_API_KEY": "kestrel-of-all"}
    command = [sys.executable, "-c", _LOGS_OF_SERVER]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert json.loads(ran.stderr)["message"] == "Refused: ***, ***, at west"


# --- spans -------------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The spans that come out of this process."""
    pytest.importorskip("opentelemetry.sdk")
    spans.install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", spans.NAME)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
    exporter = spans.exporter()
    exporter.clear()
    return exporter


def test_a_run_is_a_span_over_those_of_its_searches_and_calls_of_models(store: RunStore, exported: Any) -> None:
    run = told(store, *EVENTS)._run_id
    wait_until(lambda: len(exported.get_finished_spans()) == 4)
    search, call, failed, whole = exported.get_finished_spans()
    assert [one.name for one in (search, call, failed, whole)] == ["search", "model call", "search", "run"]
    assert {one.parent.span_id for one in (search, call, failed)} == {whole.context.span_id}
    assert whole.parent is None
    assert (search.end_time - search.start_time, call.end_time - call.start_time) == (1_500_000_000, 2_000_000_000)
    names = ("run", "account", "method", "status")
    assert [whole.attributes[f"research.{name}"] for name in names] == [run, "anna", "noted", "partial"]
    assert call.attributes["gen_ai.usage.input_tokens"] == 7
    assert [one.status.is_ok for one in (search, failed)] == [True, False]
    assert [one.name for one in whole.events] == ["problem_occurred"]
    assert "secret" not in "".join(one.to_json() for one in (search, call, failed, whole))


def test_a_run_that_is_left_ends_its_span(store: RunStore, exported: Any) -> None:
    told(store, EVENTS[0]).leave()
    wait_until(exported.get_finished_spans)
    (left,) = exported.get_finished_spans()
    assert left.attributes["research.status"] == "left"


def test_spans_go_where_the_usual_variables_say(
    store: RunStore, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    httpserver.expect_request("/v1/traces", method="POST").respond_with_data(b"")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", httpserver.url_for("").rstrip("/"))
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "20")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "a-desk")
    told(store, *EVENTS)
    wait_until(lambda: httpserver.log)
    request, _ = httpserver.log[0]
    assert b"a-desk" in request.data and b"model call" in request.data and b"secret" not in request.data


def test_where_nobody_asks_for_spans_nothing_is_loaded() -> None:
    asked = "import sys; from research.store.telemetry import tracer; print(tracer(), 'opentelemetry' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout == "None False\n"


def test_what_is_missing_is_said_and_runs_go_on(
    store: RunStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "nowhere")
    assert tracer() is None
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "elsewhere")
    assert told(store, *EVENTS).events
    assert "research-workbench[telemetry]" in caplog.text
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    assert tracer() is None
