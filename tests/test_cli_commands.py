"""The commands beside `run`: several ways side by side, and research notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from research.cli import main
from research.engine import Comparison
from research.results import RunRecord

TEXT = "The pump market in Vietnam grew by 4.2% in 2025, most of all in the south. Utilities bought most of the pumps."


@pytest.fixture
def given(tmp_path: Path) -> list[str]:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "market.md").write_text(f"# Market\n\n{TEXT}\n", encoding="utf-8")
    question = "How did the pump market in Vietnam grow?"
    return [question, "--preset", "speed", "--analyst", "extractive", "--library", str(folder), "--quiet"]


def test_ways_are_compared_and_each_leaves_its_folder(
    tmp_path: Path, given: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["compare", *given, "--methods", "chained, noted", "--out", str(out)], environment) == 0
    found = Comparison.model_validate_json((out / "comparison.json").read_bytes())
    assert [one.variant.method for one in found.outcomes] == ["chained", "noted"]
    table = (out / "comparison.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == table
    assert "| Speed · Chained | Complete |" in table
    for one in found.outcomes:
        folder = out / f"speed-{one.variant.method.value}"
        record = RunRecord.model_validate_json((folder / "run.json").read_bytes())
        assert (record.run, record.method) == (one.run, one.variant.method)
        assert (folder / "events.jsonl").read_bytes().count(b"\n") > 3
        assert "[1]" in (folder / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (["--methods", "chained"], "two or more"),
        (["--methods", "chained,bold"], "There is no “bold”"),
        (["--presets", "speed,fast"], "There is no “fast”"),
        ([], "two or more"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_runs(
    given: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str], named: list[str], said: str
) -> None:
    out = Path(environment["RESEARCH_HOME"]).parent / "out"
    assert main(["compare", *given, *named, "--out", str(out)], environment) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_one_incomplete_run_makes_the_comparison_incomplete(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    given = ["?!", "--library", str(empty), "--quiet", "--methods", "chained,noted", "--out", str(tmp_path / "out")]
    assert main(["compare", *given], environment) == 3
    assert "Partial" in capsys.readouterr().out


def test_notes_are_shown_as_markdown_and_json_and_deleted_by_themselves(
    tmp_path: Path, given: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *given, "--method", "noted", "--out", str(tmp_path / "out")], environment) == 0
    run = RunRecord.model_validate_json((tmp_path / "out" / "run.json").read_bytes()).run
    capsys.readouterr()
    assert main(["notes", run], environment) == 0
    assert "## 1. " in capsys.readouterr().out
    assert main(["notes", run, "--json"], environment) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["notes", run, "--delete"], environment) == 0
    assert capsys.readouterr().err.startswith("Notes deleted: ")
    assert main(["notes", run], environment) == 2
    assert "has no notes" in capsys.readouterr().err
    assert main(["runs"], environment) == 0
    assert run in capsys.readouterr().out


def test_notes_of_no_run_are_wrong_usage(environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notes", "20260101-nothing"], environment) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_run_goes_from_one_home_to_another_as_one_file(
    tmp_path: Path, given: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *given, "--out", str(tmp_path / "out")], environment) == 0
    run = RunRecord.model_validate_json((tmp_path / "out" / "run.json").read_bytes()).run
    file, elsewhere = tmp_path / "run.zip", {**environment, "RESEARCH_HOME": str(tmp_path / "elsewhere")}
    assert main(["runs", "export", run, "--out", str(file)], environment) == 0
    assert main(["runs", "import", str(file)], elsewhere) == 0
    capsys.readouterr()
    assert main(["runs"], elsewhere) == 0
    assert run in capsys.readouterr().out
    assert main(["runs", "import", str(file)], elsewhere) == 2
    assert "is in the library already" in capsys.readouterr().err


@pytest.mark.parametrize("file", ["nothing.zip", "text.zip"])
def test_a_file_that_is_no_run_is_refused_in_one_line(
    tmp_path: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], file: str
) -> None:
    (tmp_path / "text.zip").write_text("no run", encoding="utf-8")
    assert main(["runs", "import", str(tmp_path / file)], environment | {"LANG": "ja_JP.UTF-8"}) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("エラー：")


def test_a_run_file_that_cannot_be_written_is_said(
    tmp_path: Path, given: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", *given, "--out", str(tmp_path / "out")], environment) == 0
    run = RunRecord.model_validate_json((tmp_path / "out" / "run.json").read_bytes()).run
    capsys.readouterr()
    assert main(["runs", "export", run, "--out", str(tmp_path / "missing" / "run.zip")], environment) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
