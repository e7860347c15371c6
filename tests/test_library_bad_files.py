"""Files that cannot be read are named with the reason; the rest is indexed."""

from __future__ import annotations

import io
import os
import random
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

from research.core import SourceName
from research.core.errors import PROBLEMS
from research.library import Library, display_name, recogniser
from research.sources import collection_folder


@pytest.fixture
def documents(documents: Path) -> Path:
    (documents / "good.txt").write_text("the good file about pumps", encoding="utf-8")
    return documents


def codes(library: Library) -> dict[str, str]:
    report = library.refresh()
    assert [hit.path.name for hit in library.search("pumps good")] == ["good.txt"]
    assert all(skipped.code in PROBLEMS and skipped.path.is_absolute() for skipped in report.skipped)
    return {skipped.path.name: skipped.code for skipped in report.skipped}


def sample_pdf(home: Path) -> bytes:
    return next(collection_folder(SourceName.HOUSE, home).rglob("*.pdf")).read_bytes()


def test_pdfs(documents: Path, library: Library, tmp_path: Path) -> None:
    whole = sample_pdf(tmp_path / "home")
    for name, password in (("locked.pdf", "secret"), ("open.pdf", "")):
        writer = PdfWriter(clone_from=io.BytesIO(whole))
        writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
        writer.write(documents / name)
    blank = PdfWriter()
    blank.add_blank_page(100, 100)
    blank.write(documents / "scan.pdf")
    (documents / "cut.pdf").write_bytes(whole[:700])
    (documents / "noise.pdf").write_bytes(b"%PDF-1.7\n" + random.Random(1).randbytes(5_000))
    (documents / "no.pdf").write_text("I am no PDF", encoding="utf-8")

    assert codes(library) == {
        "locked.pdf": "file_encrypted",
        "scan.pdf": "file_empty" if recogniser() else "file_scanned",  # recognised, it turns out to be blank
        "cut.pdf": "file_broken",
        "noise.pdf": "file_broken",
        "no.pdf": "file_broken",
    }
    assert "実証試験" in library.text("open.pdf")


def test_word_files(documents: Path, library: Library) -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600
    (documents / "locked.docx").write_bytes(ole + "EncryptedPackage".encode("utf-16-le"))
    (documents / "old.docx").write_bytes(ole)
    (documents / "noise.docx").write_bytes(b"PK\x03\x04" + random.Random(2).randbytes(3_000))
    with zipfile.ZipFile(documents / "other.docx", "w") as parts:
        parts.writestr("hello.txt", "no document")
    with zipfile.ZipFile(documents / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("word/document.xml", b"0" * 201_000_000)
    assert codes(library) == {
        "locked.docx": "file_encrypted",
        "old.docx": "file_binary",
        "noise.docx": "file_broken",
        "other.docx": "file_broken",
        "bomb.docx": "file_too_large",
    }


def test_binary_empty_and_large_files(documents: Path, library: Library) -> None:
    (documents / "picture.png").write_bytes(b"\x89PNG")
    (documents / "program.txt").write_bytes(random.Random(3).randbytes(4_000))
    (documents / "empty.md").touch()
    (documents / "blank.txt").write_text(" \n\n", encoding="utf-8")
    (documents / "only-script.html").write_text("<html><script>let a = 1;</script></html>", encoding="utf-8")
    (documents / "header-only.csv").write_text("", encoding="utf-8")
    with (documents / "fifty.txt").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    assert codes(library) == {
        "picture.png": "file_broken" if recogniser() else "file_scanned",
        "program.txt": "file_binary",
        "empty.md": "file_empty",
        "blank.txt": "file_empty",
        "only-script.html": "file_empty",
        "header-only.csv": "file_empty",
        "fifty.txt": "file_too_large",
    }


def test_a_broken_file_that_is_mended_is_read(documents: Path, library: Library) -> None:
    (documents / "late.md").touch()
    assert codes(library) == {"late.md": "file_empty"}
    (documents / "late.md").write_text("now with words", encoding="utf-8")
    assert codes(library) == {}
    assert library.search("words")[0].path.name == "late.md"


def test_hidden_files_links_and_pipes_are_left_alone(documents: Path, library: Library, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret pumps outside", encoding="utf-8")
    (documents / "linked").symlink_to(outside)
    (documents / "link.txt").symlink_to(outside / "secret.txt")
    (documents / "loop").symlink_to(documents)
    (documents / ".hidden").mkdir()
    (documents / ".hidden" / "a.txt").write_text("hidden pumps", encoding="utf-8")
    (documents / "~$lock.docx").write_text("lock", encoding="utf-8")
    os.mkfifo(documents / "pipe.txt")
    assert codes(library) == {}
    assert library.search("secret hidden") == []


@pytest.mark.parametrize(
    "name", ["odd #?%20&<b>.txt", "日本語 ファイル.txt", "line\nbreak.txt", "'; DROP TABLE file; --.txt"]
)
def test_odd_names(documents: Path, library: Library, name: str) -> None:
    path = documents / name
    path.write_text("turnips", encoding="utf-8")
    hit = library.search("turnips")[0]
    assert hit.path == path
    assert hit.path.read_text(encoding="utf-8") == hit.text == library.text(path)
    assert "\n" not in display_name(hit.path)


def test_a_name_that_is_no_unicode(documents: Path, library: Library) -> None:
    path = documents / os.fsdecode(b"caf\xe9.txt")
    path.write_text("turnips", encoding="utf-8")
    hit = library.search("turnips")[0]
    assert hit.path == path
    assert library.document(path).title == "caf\N{REPLACEMENT CHARACTER}"
    assert display_name(hit.path).encode("utf-8")


def test_a_page_of_deeply_nested_tags(documents: Path, library: Library) -> None:
    (documents / "deep.html").write_text("<div>" * 20_000 + "turnips" + "</div>" * 20_000, encoding="utf-8")
    (documents / "flat.md").write_text("Parsnips grow well in cold soil.", encoding="utf-8")
    assert codes(library).keys() <= {"deep.html"}
    assert [hit.path.name for hit in library.search("parsnips")] == ["flat.md"]


def test_a_folder_that_cannot_be_listed_is_named(documents: Path, library: Library) -> None:
    if os.geteuid() == 0:
        pytest.skip("the superuser may list any folder")
    closed = documents / "closed"
    closed.mkdir(mode=0o000)
    try:
        assert codes(library) == {"closed": "file_unreadable"}
    finally:
        closed.chmod(0o700)
