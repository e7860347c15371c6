"""The command `export`, and what it believes of a folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from research.cli import main
from research.core import UsageError
from research.export import FORMATS, file_name
from research.export.document import Paper
from research.export.folder import OutFolder, load_folder
from research.language import Language
from research.results import Report
from tests.support.office_samples import parts_of
from tests.support.reports import sales_report, with_page

STARTS = {
    "pdf": b"%PDF-",
    "docx": b"PK",
    "pptx": b"PK",
    "html": b"<!doctype html>",
    "md": b"---\ntitle: ",
    "xlsx": b"PK",
    "csv": b"\xef\xbb\xbfSubject,",
    "sources-csv": b"\xef\xbb\xbfNumber,",
    "bib": b"@online{",
    "ris": b"TY  - ELEC\r\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def report(home: Path) -> Report:
    return sales_report(home)


@pytest.fixture
def folder(report: Report, tmp_path: Path) -> Path:
    return written(report, tmp_path / "run")


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    return {"RESEARCH_HOME": str(home), "LANG": "en_US.UTF-8"}


def written(report: Report, folder: Path) -> Path:
    """The folder that a run leaves."""
    with OutFolder(folder, Language.EN) as out:
        for event in report.history:
            out.add(event)
        out.finish(report)
    return folder


# --- reading a folder back -------------------------------------------------------------------------------------


def test_a_folder_gives_back_the_report(report: Report, folder: Path) -> None:
    read = load_folder(folder, is_own=lambda _: True)
    assert read.model_copy(update={"markdown": report.markdown}) == report
    assert "## Verification" in read.markdown, "it is made anew, whatever stood there"


def change_record(folder: Path, change: Callable[[dict[str, object]], None]) -> None:
    record = json.loads((folder / "run.json").read_bytes())
    change(record)
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")


def alter_page(folder: Path) -> None:
    page = next((folder / "pages").iterdir())
    page.write_bytes(page.read_bytes() + b" and more")


def lead_outside(folder: Path) -> None:
    def change(record: dict[str, object]) -> None:
        sources = record["sources"]
        assert isinstance(sources, list)
        sources[0]["sha256"] = "../../../../../../etc/passwd"

    change_record(folder, change)


def alter_quote(folder: Path) -> None:
    def change(record: dict[str, object]) -> None:
        evidence = record["evidence"]
        assert isinstance(evidence, list)
        evidence[0]["quote"] = "What nobody ever said."

    change_record(folder, change)


DAMAGES: list[tuple[Callable[[Path], object], str, str]] = [
    (shutil.rmtree, "There is no folder", "がありません"),
    (lambda folder: (folder / "run.json").unlink(), "run.json is missing", "run.json がありません"),
    (lambda folder: (folder / "report.md").unlink(), "report.md is missing", "report.md がありません"),
    (lambda folder: (folder / "events.jsonl").unlink(), "events.jsonl is missing", "events.jsonl がありません"),
    (lambda folder: shutil.rmtree(folder / "pages"), ".txt is missing", ".txt がありません"),
    (lambda folder: (folder / "run.json").write_text("[]"), "not the record of a run", "実行の記録ではありません"),
    (lambda folder: (folder / "run.json").write_text('{"format": 1, "run": "x"}'), "damaged", "壊れているか"),
    (lambda folder: change_record(folder, lambda record: record.update(format=7)), "newer version", "新しい版"),
    (lambda folder: change_record(folder, lambda record: record.update(writer=3)), "writer is not as", "writer が"),
    (lambda folder: (folder / "events.jsonl").write_text('{"type": "nope"}\n'), "line 1 is no event", "1行目"),
    (lambda folder: (folder / "report.md").write_bytes(b"\xff\xfe"), "cannot be read", "読み込めません"),
    (alter_page, "not the one that was read", "取得時のものと一致しません"),
    (lead_outside, "sha256 is not as expected", "sha256 が想定と異なります"),
    (alter_quote, "does not stand in its page", "本文と一致しません"),
]  # fmt: skip


@pytest.mark.parametrize(("damage", "en", "ja"), DAMAGES, ids=[en for _, en, _ in DAMAGES])
def test_a_damaged_or_foreign_folder_is_refused(
    folder: Path, damage: Callable[[Path], object], en: str, ja: str
) -> None:
    damage(folder)
    with pytest.raises(UsageError, match=en):
        load_folder(folder)
    with pytest.raises(UsageError, match=ja):
        load_folder(folder, Language.JA)


def test_a_quote_of_a_page_that_is_not_there_is_refused(folder: Path) -> None:
    change_record(folder, lambda record: record.update(sources=[]))
    with pytest.raises(UsageError, match="does not stand in its page"):
        load_folder(folder)


# --- the command -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(FORMATS))
def test_each_format_is_written_beside_the_run(
    folder: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*.*")}
    assert main(["export", str(folder), "--format", name], environment) == 0
    (new,) = set(folder.rglob("*.*")) - set(before)
    assert new.name == ("report.wiki.md" if name == "md" else f"report.{FORMATS[name].suffix}")
    assert new.read_bytes().startswith(STARTS[name])
    assert {path: path.read_bytes() for path in before} == before
    assert capsys.readouterr().err == f"Written: {new}\n"


def test_it_is_written_where_it_is_asked_for_on_the_paper_asked_for(folder: Path, environment: dict[str, str]) -> None:
    out = folder.parent / "報告書.html"
    out.write_text("before")
    assert main(["export", str(folder), "--format=html", "--paper=letter", "--out", str(out)], environment) == 0
    assert b"size: letter" in out.read_bytes()
    assert list(folder.parent.glob(".*")) == []


def test_a_run_of_the_store_is_named_by_its_id(
    report: Report, tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["export", report.record.run, "--format", "bib"], environment) == 0
    (file,) = tmp_path.iterdir()
    assert file.name.startswith(f"{report.record.run}-")
    assert file.suffix == ".bib"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["export"], "DIR"),
        (["export", "{folder}"], "--format"),
        (["export", "{folder}", "--format", "odt"], "invalid choice: 'odt'"),
        (["export", "{folder}", "--format", "html", "--paper", "a3"], "invalid choice: 'a3'"),
        (["export", "{folder}/nowhere", "--format", "html"], "There is no folder"),
        (["export", "{folder}/pages", "--format", "html"], "run.json is missing"),
        (["export", "20200101-aaaaaa", "--format", "html"], "There is no run 20200101-aaaaaa"),
        (["export", "{folder}", "--format", "md", "--out", "{folder}/report.md"], "belongs to the run"),
        (["export", "{folder}", "--format", "html", "--out", "{folder}/nowhere/x.html"], "cannot be written"),
        (["export", "{folder}", "--format", "html", "--out", "{folder}/pages"], "belongs to the run"),
        (["export", "{folder}", "--format", "html", "--out", "{folder}/.."], "cannot be written"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    folder: Path, environment: dict[str, str], capsys: pytest.CaptureFixture[str], given: list[str], reason: str
) -> None:
    before = sorted(folder.rglob("*"))
    assert main([part.format(folder=folder) for part in given], environment) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("Error: ")
    assert reason in line
    assert sorted(folder.rglob("*")) == before


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str], environment: dict[str, str]) -> None:
    for language, words in (("en_US", "to read, print and hand on"), ("ja_JP", "閲覧・印刷・配布用")):
        with pytest.raises(SystemExit):
            main(["export", "--help"], environment | {"LANG": language})
        said = capsys.readouterr().out
        assert words in said
        assert all(f"\n    {name} " in said for name in FORMATS)


def test_own_documents_are_exported_without_their_paths(report: Report, tmp_path: Path) -> None:
    private = with_page(report, "S1", url="file:///home/me/private/plan.pdf")
    for name in ("html", "bib", "ris", "csv", "sources-csv"):
        assert b"/home/me" not in FORMATS[name].make(private, Paper.A4)
    for name in ("docx", "pptx", "xlsx"):
        files = parts_of(FORMATS[name].make(private, Paper.A4))
        assert not [file for file, content in files.items() if b"/home/me" in content]


def test_a_wiki_gets_the_report_without_links_into_files(report: Report) -> None:
    private = with_page(report, "S1", url="file:///home/me/private/plan.pdf", title="The [plan]")
    markdown = FORMATS["md"].make(private, Paper.A4).decode()
    assert "file:" not in markdown and "in the file" not in markdown and "/home/me" not in markdown
    assert "\n1. The \\[plan\\] — " in markdown
    assert "\n[1]: <https://" in FORMATS["md"].make(report, Paper.A4).decode() and "\n[1]:" not in markdown


# --- names of files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("What is known?", "20261121-abc123-What-is-known.pdf"),
        ("韓国の経済規模と主な輸出品は？", "20261121-abc123-韓国の経済規模と主な輸出品は.pdf"),
        ("../../etc/passwd", "20261121-abc123-etc-passwd.pdf"),
        ('a<b>:"c"|d*\x00\n', "20261121-abc123-a-b-c-d.pdf"),
        ("", "20261121-abc123.pdf"),
        ("???", "20261121-abc123.pdf"),
        ("half \ud800 pair", "20261121-abc123-half--pair.pdf"),
    ],
)
def test_a_file_is_named_by_run_and_title(title: str, name: str) -> None:
    assert file_name("20261121-abc123", title, "pdf") == name


def test_no_name_is_too_long_for_a_file_system(tmp_path: Path) -> None:
    name = file_name("20261121-abc123", "長い題名" * 100, "sources-csv")
    assert len(os.fsencode(name)) < 200
    (tmp_path / name).write_text("it fits")
