"""A brief over a table of subjects, in CSV or Excel: a run for each row, told in one workbook or in folders."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from research.batch import BATCHES, Batch, batch_book, enter_batch, forget_batch, runs_of_batch, stop_batch
from research.cli import main
from research.core import Brief, SourceName
from research.language import Language
from research.settings import Settings
from research.store import Runner, RunState, RunStore, Worker, latest_actions

FIRMS = {"Aoba": 120, "北斗ポンプ製作所": 310, "Kiso": 95}
QUESTION = "How many pumps did {company} sell in {year}?"


@pytest.fixture
def documents(documents: Path) -> Path:
    for name, sold in FIRMS.items():
        (documents / f"{name}.md").write_text(f"# {name}\n\n{name} sold {sold} pumps in 2025.\n", encoding="utf-8")
    return documents


def table(path: Path, rows: list[list[object]]) -> Path:
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    else:
        path.write_text("\n".join(";".join(map(str, row)) for row in rows), encoding="cp932")
    return path


ROWS: list[list[object]] = [["company", "year"], *([name, 2025] for name in FIRMS)]


def given(file: Path, documents: Path, out: Path, question: str = QUESTION) -> list[str]:
    course = ["--library", str(documents), "--sources", "library", "--preset", "speed", "--quiet"]
    return ["batch", str(file), question, *course, "--out", str(out)]


def test_a_workbook_has_a_row_for_every_subject_and_the_figures_and_sources_of_all(
    tmp_path: Path, documents: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.xlsx"
    assert main(given(table(tmp_path / "firms.csv", ROWS), documents, out), environment) in (0, 3)
    assert str(out) in capsys.readouterr().err
    results, figures, sources = openpyxl.load_workbook(out).worksheets
    head, *told = results.iter_rows(values_only=True)
    assert head == ("company", "year", "Question", "Status", "Answer", "Sources", "Run")
    assert [row[0] for row in told] == list(FIRMS)
    for row, (name, sold) in zip(told, FIRMS.items(), strict=True):
        assert row[2] == f"How many pumps did {name} sell in 2025?"
        assert str(sold) in row[4]
    runs = {row[-1] for row in told}
    assert runs == {run.id for run in RunStore(Path(environment["RESEARCH_HOME"])).list()}
    for sheet in (figures, sources):
        assert {row[0] for row in sheet.iter_rows(min_row=2, values_only=True)} == runs


def test_a_folder_has_the_files_of_every_run_and_what_is_there_is_not_asked_again(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "out"
    asked = given(table(tmp_path / "firms.xlsx", ROWS), documents, out)
    assert main(asked, environment) in (0, 3)
    assert sorted(path.name for path in out.iterdir()) == ["001-Aoba", "002-北斗ポンプ製作所", "003-Kiso"]
    assert "310" in (out / "002-北斗ポンプ製作所" / "report.md").read_text(encoding="utf-8")
    before = (out / "001-Aoba" / "run.json").read_bytes()
    for file in (out / "003-Kiso").iterdir():
        if file.is_file():
            file.unlink()
    assert main(asked, environment) in (0, 3)
    assert (out / "001-Aoba" / "run.json").read_bytes() == before
    assert (out / "003-Kiso" / "run.json").is_file()
    assert len(RunStore(Path(environment["RESEARCH_HOME"])).list()) == 4


def test_a_row_that_cannot_be_asked_costs_no_other(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    out = tmp_path / "results.xlsx"
    file = table(tmp_path / "firms.csv", [["company", "year"], ["Aoba", 2025], ["x" * 5_000, 2025]])
    assert main(given(file, documents, out), environment) == 1
    (_, first, second) = openpyxl.load_workbook(out).worksheets[0].iter_rows(values_only=True)
    assert "120" in first[4]
    assert second[3] == "Failed"
    assert "question" in second[4]


def test_a_table_that_does_not_fit_the_question_is_told(
    tmp_path: Path, documents: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    firms, empty = table(tmp_path / "firms.csv", ROWS), table(tmp_path / "empty.csv", ROWS[:1])
    broken = tmp_path / "broken.xlsx"
    broken.write_bytes(b"PK\x03\x04 nothing")
    for file, question, words in (
        (firms, "How many pumps?", "company, year"),
        (firms, "How many pumps did {firm} sell?", "{firm}"),
        (empty, QUESTION, "no rows"),
        (broken, QUESTION, "broken.xlsx cannot be read"),
        (tmp_path / "none.csv", QUESTION, "none.csv cannot be read"),
    ):
        assert main(given(file, documents, tmp_path / "out", question), environment) == 2
        assert words in capsys.readouterr().err


def kept(documents: Path, environment: dict[str, str], account: str = "") -> tuple[Settings, RunStore, Batch]:
    settings = Settings.from_environment(environment)
    store = RunStore.of(settings).of_account(account)
    template = Brief(question="How many pumps did {company} sell?", sources=[SourceName.LIBRARY], preset="speed")
    rows = [*({"company": name} for name in FIRMS), {"company": "x" * 5_000}]
    return settings, store, enter_batch(store, settings, "firms.csv", template, rows, library=documents)


def test_what_is_entered_is_kept_carried_out_by_a_worker_and_told_in_a_workbook(
    tmp_path: Path, documents: Path, environment: dict[str, str]
) -> None:
    settings, store, one = kept(documents, environment)
    assert BATCHES.load(settings.home).kept == (one,)
    assert [entry.question for entry in one.entries[:3]] == [f"How many pumps did {name} sell?" for name in FIRMS]
    assert one.entries[3].run == ""
    assert "question" in one.entries[3].problem
    assert {run.state for run in runs_of_batch(store, one).values()} == {RunState.WAITING}
    Worker(store, settings).work(until_idle=True)
    assert not any(run.state.is_open for run in runs_of_batch(store, one).values())
    store.delete(one.entries[2].run)
    (tmp_path / "book.xlsx").write_bytes(batch_book(store, one, Language.EN))
    _, *told = openpyxl.load_workbook(tmp_path / "book.xlsx").worksheets[0].iter_rows(values_only=True)
    assert [str(sold) in (row[3] or "") for row, sold in zip(told, FIRMS.values(), strict=False)] == [True, True, False]
    assert [row[2] for row in told[2:]] == ["Failed", "Failed"]
    forget_batch(settings, one.id)
    assert BATCHES.load(settings.home).kept == ()
    assert len(store.list()) == 2


def test_a_batch_that_is_stopped_begins_nothing_more(documents: Path, environment: dict[str, str]) -> None:
    settings, store, one = kept(documents, environment)
    with Runner(store, settings) as runner:
        stop_batch(store, runner, one)
    assert not any(run.state.is_open for run in runs_of_batch(store, one).values())
    Worker(store, settings).work(until_idle=True)
    assert all(run.state is not RunState.COMPLETE for run in runs_of_batch(store, one).values())


def test_who_stops_a_batch_and_takes_its_answers_along_is_kept(documents: Path, environment: dict[str, str]) -> None:
    settings, store, one = kept(documents, environment, "bob")
    with Runner(store, settings) as runner:
        stop_batch(store, runner, one)
    batch_book(store, one, Language.EN)
    done = [(action.account, action.action.value, action.run) for action in latest_actions(store.database)]
    runs = {entry.run for entry in one.entries if entry.run}
    assert done[0] == ("bob", "exported", "")
    assert {run for _, action, run in done if action == "stopped"} == runs
    assert {run for _, action, run in done if action == "started"} == runs
