"""What is asked of every Office file of a hostile report."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.office_samples import LONG_WORD, assert_well_formed, parts_of, squeezed, words_of

HOSTILE_WORDS = (
    "bell null lone\N{REPLACEMENT CHARACTER}",
    "sep turned 👩‍👩‍👧 <w:p/> &amp; _x0041_ =1+1",
    LONG_WORD,
    "word " * 3_000,
    "字" * 5_000,
)
"""What must be left of `tests.office_samples.hostile` in every format."""

needs_libreoffice = pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")


def assert_holds_what_was_hostile(data: bytes, folders: str) -> None:
    """Check that a file is well-formed, and that its parts in `folders` hold every word of the hostile report."""
    assert_well_formed(data)
    words = words_of(data, folders)
    assert all(squeezed(text) in words for text in HOSTILE_WORDS)


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
