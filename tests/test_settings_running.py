"""Runs take the settings of the moment they start; changing settings needs no restart and disturbs no run."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

import research
from pages.parts.engine import CurrentSettings
from research.cli import main
from research.core import Brief, PresetName, SourceName
from research.language import Language
from research.settings import Settings, kept_settings
from research.store import Runner, RunStore
from tests.support.openai_server import Body, Failure, OpenAIServer

BRIEF = Brief(
    question="What sales targets has Asanagi Pump Industries set?", sources=(SourceName.HOUSE,), preset=PresetName.SPEED
)
_WAIT = 60.0


def keep(home: Path, address: str, key: str) -> None:
    now = datetime.now(UTC)
    kept_settings.change(
        home,
        lambda kept: kept.model_copy(update={"openai": kept.openai.entered(address, key, now, Language.EN)}),
    )


def keys(server: OpenAIServer) -> set[str]:
    return {request.headers["Authorization"] for request in server.requests}


def test_a_run_under_way_keeps_its_settings_and_the_next_has_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RESEARCH_HOME", str(tmp_path))
    asked, changed = threading.Event(), threading.Event()

    def until_changed(_: Body) -> Failure:
        asked.set()
        assert changed.wait(_WAIT)
        return Failure(400)

    current = CurrentSettings()
    with OpenAIServer() as first, OpenAIServer() as second:
        first.handler, second.handler = until_changed, lambda _: Failure(401)
        store = RunStore(tmp_path)
        with Runner(store, current(), current=current) as runner:
            keep(tmp_path, first.base_url, "sk-first-key")
            early = runner.start(BRIEF)
            assert asked.wait(_WAIT)
            keep(tmp_path, second.base_url, "sk-second-key")
            changed.set()
            late = runner.start(BRIEF)
            reports = [runner.wait(run, _WAIT) for run in (early, late)]
        store.close()
    assert all("Asanagi" in report.markdown for report in reports)
    assert keys(first) == {"Bearer sk-first-key"} and len(first.requests) > 1
    assert keys(second) == {"Bearer sk-second-key"}


def test_notebooks_and_the_command_line_use_what_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"RESEARCH_HOME": str(tmp_path / "home")}
    with OpenAIServer() as server:
        server.handler = lambda _: Failure(401)
        keep(tmp_path / "home", server.base_url, "sk-kept-key")
        research.run_sync(BRIEF, settings=Settings.from_environment(environment))
        by_notebook = len(server.requests)
        main(["run", BRIEF.question, "--sources", "house", "--out", str(tmp_path / "out"), "--quiet"], environment)
        assert 0 < by_notebook < len(server.requests)
        assert keys(server) == {"Bearer sk-kept-key"}
    said = capsys.readouterr()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.name != "kept.json"]
    assert "sk-kept-key" not in said.out + said.err
    assert all(b"sk-kept-key" not in content for content in written)
