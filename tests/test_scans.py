"""Pages that are pictures: recognised where Tesseract is installed, and told of where it is not."""

from __future__ import annotations

import io
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

import research
from research.documents import UnreadableFile
from research.library import Library, read_apart
from research.library.apart import RECOGNISING_SECONDS, ReadingStopped, recogniser
from research.library.folders import library_state, page_numbers
from research.settings import Settings
from tests.support.machine import wait_until
from tests.support.scans import JAPANESE, WORDS, picture, scan, with_text

recognises = pytest.mark.skipif(recogniser() is None, reason="Tesseract is not installed")


@pytest.fixture
def nothing_recognises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A computer on which Tesseract is not installed."""
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert recogniser() is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A scan, a picture, and a report of which the second and third page are scanned."""
    place = tmp_path / "documents"
    place.mkdir()
    page = picture(WORDS)
    (place / "scan.pdf").write_bytes(scan(page))
    (place / "photo.png").write_bytes(page)
    (place / "mixed.pdf").write_bytes(with_text("Sales rose by 9%.", scan(page, page)))
    return place


def library(folder: Path) -> Library:
    return Library(folder, folder.parent / "index")


@recognises
def test_scans_and_pictures_are_recognised(folder: Path) -> None:
    held = library(folder)
    report = held.refresh()
    assert (report.files, report.skipped, report.noted) == (3, (), ())
    assert WORDS in held.text("scan.pdf") and WORDS in held.text("photo.png")
    assert held.text("mixed.pdf").split("\f")[0].strip() == "Sales rose by 9%."
    assert [WORDS in page for page in held.text("mixed.pdf").split("\f")] == [False, True, True]
    assert {hit.path.name for hit in held.search("pumps made in Kobe")} == {"scan.pdf", "photo.png", "mixed.pdf"}


@recognises
def test_japanese_is_recognised_without_blanks_between_its_letters(tmp_path: Path) -> None:
    told = read_apart(Path("scan.pdf"), scan(picture(JAPANESE)), recognises=RECOGNISING_SECONDS).document.text
    assert "神戸の工場" in told and "ポンプ" in told


async def test_without_tesseract_a_report_says_which_pages_were_not_read(
    folder: Path, nothing_recognises: None
) -> None:
    report = await research.run("How did sales rise?", library=folder, settings=Settings(home=folder.parent / "home"))
    told = {problem.subject: problem.code for problem in report.record.problems if problem.code.startswith("file_")}
    assert told == {"scan.pdf": "file_scanned", "photo.png": "file_scanned", "mixed.pdf p. 2–3": "file_pictured"}
    assert "mixed.pdf p. 2–3" in report.markdown
    assert "Install Tesseract" in report.markdown


@recognises
def test_what_was_not_read_is_read_once_tesseract_is_installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as before:
        before.setenv("PATH", "")
        assert len(library(folder).refresh().skipped) == 2
        state = library_state(folder, folder.parent / "index")
        assert [one.name for one in state.noted] == ["mixed.pdf p. 2–3"]
    report = library(folder).refresh()
    assert (report.files, report.skipped, report.noted) == (3, (), ())


@recognises
def test_a_blank_page_is_looked_at_once(tmp_path: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    made = io.BytesIO()
    writer.write(made)
    place = tmp_path / "documents"
    place.mkdir()
    (place / "blank.pdf").write_bytes(made.getvalue())
    assert [one.code for one in library(place).refresh().skipped] == ["file_empty"]
    began = time.process_time()
    assert [one.code for one in library(place).refresh().skipped] == ["file_empty"]
    assert time.process_time() - began < 5


def under_way(command: str) -> list[str]:
    """Return the ids of the processes that carry out a command."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cmdline").read_bytes().replace(b"\0", b" ").strip() == command.encode():
                found.append(process.name)
    return found


def test_a_page_that_takes_for_ever_is_ended_with_its_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Tesseract that knows Japanese and never ends."""
    if not Path("/proc/self/cmdline").is_file():
        pytest.skip("needs /proc")
    program = tmp_path / "tesseract"
    program.write_text(
        '#!/bin/sh\nPATH=/usr/bin:/bin\nif [ "$1" = --list-langs ]; then echo jpn; else exec sleep 617.25; fi\n'
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    stopped, told = threading.Event(), list[BaseException]()

    def read() -> None:
        try:
            read_apart(Path("x.png"), picture(WORDS), recognises=RECOGNISING_SECONDS, stop=stopped.is_set)
        except (UnreadableFile, ReadingStopped) as error:
            told.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    wait_until(lambda: under_way("sleep 617.25"), 30)
    stopped.set()
    thread.join(timeout=20)
    assert [type(one) for one in told] == [ReadingStopped]
    wait_until(lambda: not under_way("sleep 617.25"), 30)


@recognises
@pytest.mark.parametrize("data", [b"no picture", b"\x89PNG\r\n\x1a\n" + b"x" * 900])
def test_what_is_no_picture_is_told(data: bytes) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read_apart(Path("x.png"), data, recognises=RECOGNISING_SECONDS)
    assert caught.value.code == "file_broken"


def test_pages_are_numbered_for_a_reader() -> None:
    assert [page_numbers(pages) for pages in ((), (3,), (9, 7, 8, 3), (1, 2))] == ["", "3", "3, 7–9", "1–2"]
    assert len(PdfReader(io.BytesIO(with_text("x", scan(picture("y"))))).pages) == 2
