"""Traces: nothing goes to LangSmith unless the product's own setting says so, whatever its variables say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from research.settings import Settings
from tests.support.openai_server import OpenAIServer
from tests.support.pump_model import Model
from tests.support.quick_server import QuickServer

ROOT = Path(__file__).resolve().parents[2]
SECRET = "Bluebird takes over the pump maker Aoba for 4,312 million yen in 2025."
_VARIABLES = {
    "LANGSMITH_TRACING": "true",
    "LANGSMITH_TRACING_V2": "true",
    "LANGCHAIN_TRACING_V2": "true",
    "LANGCHAIN_TRACING": "true",
    "LANGSMITH_API_KEY": "lsv2_pt_0123456789abcdef",
}


@pytest.fixture
def collector() -> Iterator[HTTPServer]:
    """A server that takes traces."""
    with QuickServer(threaded=True) as server:
        server.expect_request(re.compile(".*")).respond_with_json({})
        yield server


def run(tmp_path: Path, collector: HTTPServer, *more: str, **environment: str) -> None:
    """Research own documents by the command line, with all that asks for traces in the environment."""
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "plan.md").write_text(f"# Plan\n\n{SECRET}\n", encoding="utf-8")
    endpoint = collector.url_for("/").rstrip("/")
    given = {**os.environ, **_VARIABLES, "LANGSMITH_ENDPOINT": endpoint, "LANGCHAIN_ENDPOINT": endpoint}
    given |= {"RESEARCH_HOME": str(tmp_path / "home"), "LANG": "en_US.UTF-8", **environment}
    command = [sys.executable, "-m", "research", "run", "What of Aoba?", "--preset", "speed", "--quiet"]
    command += ["--library", str(documents), "--out", str(tmp_path / "out"), *more]
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 3), done.stderr
    kept = (path.read_text() for path in (tmp_path / "out" / "pages").iterdir())
    assert any(SECRET in text for text in kept), "the document was read"


def test_the_variables_alone_send_nothing_of_a_run_without_a_model(tmp_path: Path, collector: HTTPServer) -> None:
    run(tmp_path, collector)
    assert not collector.log


def test_the_variables_alone_send_nothing_of_a_run_with_models(tmp_path: Path, collector: HTTPServer) -> None:
    with OpenAIServer() as models:
        models.handler = Model()
        run(tmp_path, collector, "--method", "supervised", OPENAI_BASE_URL=models.base_url)
        assert models.requests
    assert not collector.log


def test_the_products_own_setting_sends_traces(tmp_path: Path, collector: HTTPServer) -> None:
    run(tmp_path, collector, RESEARCH_TRACING="langsmith")
    assert collector.log


def test_anything_else_in_that_variable_is_no_yes(tmp_path: Path, collector: HTTPServer) -> None:
    for value in ("true", "1", "on", "off", "no", "langsmith.com", ""):
        assert not Settings.from_environment({"RESEARCH_TRACING": value}).is_traced, value
    assert Settings.from_environment({"RESEARCH_TRACING": "langsmith"}).is_traced
    run(tmp_path, collector, RESEARCH_TRACING="true")
    assert not collector.log
