"""What is asked of every Office file, of an ordinary, a large and a hostile report."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from research.export import ReportDocument
from research.export.document import lines_of, plain
from research.export.office.slides import sentences_of
from tests.support.office_samples import LONG_WORD, addresses_of, assert_well_formed, parts_of, squeezed, words_of

HOSTILE_WORDS = (
    "bell null lone\N{REPLACEMENT CHARACTER}",
    "sep turned 👩‍👩‍👧 <w:p/> &amp; _x0041_ =1+1",
    LONG_WORD,
    "word " * 3_000,
    "字" * 5_000,
)
"""What must be left of `office_samples.hostile` in every format."""

needs_libreoffice = pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")


def assert_holds_what_was_hostile(data: bytes, folders: str) -> None:
    """Check that a file is well-formed, and that its parts in `folders` hold every word of the hostile report."""
    assert_well_formed(data)
    words = words_of(data, folders)
    assert all(squeezed(text) in words for text in HOSTILE_WORDS)


def assert_holds_report(data: bytes, folders: str, given: ReportDocument) -> None:
    """Check that a file is well-formed, and holds each sentence, quote and link of `office_samples.document`."""
    assert_well_formed(data)
    words = words_of(data, folders).replace("†", "")
    for part in given.parts:
        for line in lines_of(part.blocks):
            for sentence in sentences_of(line):
                assert squeezed(plain(sentence)) in words
    for one in given.sources:
        assert squeezed(one.title) in words
        assert squeezed(one.quotes[0]) in words
    assert addresses_of(data) == {one.url for one in given.sources} | {"https://example.org/a?b=c&d=e"}


def assert_holds_what_is_large(data: bytes, folders: str, given: ReportDocument) -> None:
    """Check that a file is well-formed, and holds the text, sources and addresses of `office_samples.large`."""
    assert_well_formed(data)
    words = words_of(data, folders)
    assert all(f"Chapter{number}" in words for number in range(100))
    assert all(f"outputwas{number + 1_000}t" in words for number in range(100))
    assert all(squeezed(one.title) in words and squeezed(one.quotes[0]) in words for one in given.sources)
    assert all(f"Head{number}" in words for number in range(60))
    assert {one.url for one in given.sources} <= addresses_of(data)


def assert_no_formulas(data: bytes) -> None:
    """Check that the tables behind the charts of a file hold figures alone: no formula, no link."""
    books = [content for name, content in parts_of(data).items() if name.endswith(".xlsx")]
    assert books
    for book in books:
        sheet = parts_of(book)["xl/worksheets/sheet1.xml"]
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet


def assert_libreoffice_opens(data: bytes, file: Path) -> None:
    """Write a file and check that LibreOffice makes a PDF of it."""
    file.write_bytes(data)
    home = f"-env:UserInstallation=file://{file.parent}/home"
    subprocess.run(
        ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(file.parent), str(file)],
        check=True,
        capture_output=True,
        timeout=100,
    )
    assert file.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
