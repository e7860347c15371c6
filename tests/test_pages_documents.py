"""The folder of the user's own documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.parts.engine import (
    OwnDocument,
    add,
    documents_folder,
    present_documents,
    read_documents,
    remove_document,
    safe_name,
    take_in_documents,
)
from pages.parts.nodes import el
from pages.parts.start.documents import documents as rows, refused
from pages.parts.ui import Ui
from research.language import Language
from research.settings import Settings

EN, JA = Ui.of(Language.EN, None), Ui.of(Language.JA, None)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("売上 2025年度.csv", "売上 2025年度.csv"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        (".hidden.md", "hidden.md"),
        ("a:b*c?.txt", "a_b_c_.txt"),
        ("line\nbreak.md", "line_break.md"),
        ("...", "document"),
        ("", "document"),
        ("x" * 400 + ".md", "x" * 120 + ".md"),
    ],
)
def test_names_stay_inside_the_folder(name: str, kept: str) -> None:
    assert safe_name(name) == kept


def test_a_file_is_kept_once_and_another_of_its_name_beside_it(tmp_path: Path) -> None:
    assert add(tmp_path, "a.md", b"one") == "a.md"
    assert add(tmp_path, "a.md", b"one") == "a.md"
    assert add(tmp_path, "a.md", b"two") == "a (2).md"
    assert [name for name, _, _ in present_documents(tmp_path)] == ["a (2).md", "a.md"]


def test_removing_reaches_nothing_outside_the_folder(tmp_path: Path) -> None:
    outside, inside = tmp_path / "keep.md", tmp_path / "documents"
    inside.mkdir()
    outside.write_text("keep")
    (inside / "gone.md").write_text("gone")
    remove_document(inside, "../keep.md")
    remove_document(inside, "gone.md")
    remove_document(inside, "gone.md")
    assert outside.exists()
    assert present_documents(inside) == []


def test_documents_that_cannot_be_read_come_with_their_reason(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    place = documents_folder(settings)
    add(place, "good.md", b"# Pumps\n\nThe pump market grew by 4 per cent in 2025.")
    add(place, "empty.txt", b"")
    add(place, "picture.png", b"\x89PNG\r\n\x1a\n\x00\x00")
    add(place, "broken.pdf", b"%PDF-1.7 and then nothing")
    held = {document.name: document.problem for document in read_documents(settings)}
    assert held["good.md"] == ""
    assert held["empty.txt"] == "file_empty"
    assert held["picture.png"] == "file_binary"
    assert held["broken.pdf"] == "file_broken"


def test_of_what_is_dropped_only_what_can_be_read_is_kept_and_the_rest_is_named(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    dropped = [
        ("dir/minutes.md", b"# Minutes\n\nThe board wants 20 million yen."),
        ("売上.txt", "国内売上高は45億円で、前年度比4.2%増となった。".encode("cp932")),
        ("empty.txt", b" \n"),
        ("budget.xlsx", b"PK\x03\x04"),
        ("broken.pdf", b"%PDF-1.7 and then nothing"),
    ]
    added, files = take_in_documents(settings, dropped)
    assert added == 2
    assert {name for name, _, _ in present_documents(documents_folder(settings))} == {"minutes.md", "売上.txt"}
    assert [(file.name, file.problem) for file in files] == [
        ("empty.txt", "file_empty"),
        ("budget.xlsx", "file_binary"),
        ("broken.pdf", "file_broken"),
    ]
    assert take_in_documents(settings, dropped[:1]) == (1, [])
    assert len(present_documents(documents_folder(settings))) == 2


def test_a_file_that_cannot_be_kept_is_named_with_the_reason(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    place = documents_folder(settings)
    (place / "taken.md").mkdir()
    added, files = take_in_documents(
        settings, [("taken.md", b"# One"), ("good.md", b"# Two\n\nIt grew by 4 per cent.")]
    )
    assert (added, [file.name for file in files]) == (1, ["taken.md"])
    assert "store" in files[0].problem


def test_files_that_were_refused_come_with_what_to_do() -> None:
    files = [
        OwnDocument("scan.pdf", 9_000, "file_scanned"),
        OwnDocument("notes.txt", 0, "file_empty"),
        OwnDocument("sales.XLSX", 9_000, "file_binary"),
        OwnDocument("talk.pptx", 9_000, "file_binary"),
        OwnDocument("photo.png", 9_000, "file_binary"),
        OwnDocument("all.csv", 30_000_000, "file_too_large"),
    ]
    box = refused(files, EN)[0]
    assert (
        box.find("reason")[0].text()
        == "The file holds pictures of pages, but no text. If it is a scan, have its text recognised (OCR) first."
    )
    assert [reason.text().partition(". ")[2] for reason in box.find("reason")[1:]] == [
        "",
        "Save its sheets as CSV.",
        "Save it as PDF.",
        "",
        "Split it, or add only the part that matters.",
    ]
    assert "6 files were not added" in box.text() and "all.csv" in box.text() and "30 MB" in box.text()
    assert "6件を追加できませんでした" in refused(files, JA)[0].text()


def test_problems_stand_first_and_are_explained() -> None:
    held = [OwnDocument("a.md", 1_200), OwnDocument("b.pdf", 9_000, "file_encrypted")]
    told = el("div", "", *rows(held, EN)).text()
    assert told.index("b.pdf") < told.index("a.md")
    assert "The file is encrypted." in told
    assert "暗号化" in el("div", "", *rows(held, JA)).text()
