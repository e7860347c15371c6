"""Word files of hostile reports: clean files, with nothing fetched, executed or lost."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import docx
import pytest

from research.export.docx import to_docx
from research.export.office.addresses import safe_address
from tests.office_samples import (
    HOSTILE_ADDRESSES,
    LONG_WORD,
    addresses_of,
    assert_well_formed,
    document,
    hostile,
    large,
    parts_of,
    squeezed,
    words_of,
)


def test_everything_hostile_makes_a_clean_file() -> None:
    data = to_docx(hostile())
    assert_well_formed(data)
    words = words_of(data, "word/document")
    assert squeezed("bell null lone\N{REPLACEMENT CHARACTER}") in words
    assert squeezed("sep turned 👩‍👩‍👧 <w:p/> &amp; _x0041_ =1+1") in words
    assert LONG_WORD in words
    assert squeezed("word " * 3_000) in words
    assert "字" * 5_000 in words
    docx.Document(io.BytesIO(data))


def test_a_hundred_pages_with_five_hundred_sources_lose_nothing() -> None:
    given = large()
    data = to_docx(given)
    assert_well_formed(data)
    words = words_of(data, "word/document")
    assert all(f"Chapter{number}" in words for number in range(100))
    assert all(f"outputwas{number + 1_000}t" in words for number in range(100))
    assert all(squeezed(one.title) in words and squeezed(one.quotes[0].text) in words for one in given.sources)
    assert all(f"Head{number}" in words for number in range(60))
    assert {one.url for one in given.sources} <= addresses_of(data)


def test_links_are_safe_or_no_links() -> None:
    data = to_docx(hostile())
    words = words_of(data, "word/document")
    assert all(f"link{number}" in words for number in range(len(HOSTILE_ADDRESSES)))
    found = addresses_of(data)
    assert found
    for address in found:
        assert re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+[!-~]*", address)
        assert not set(address) & set('<>"{}|\\^` ')


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://example.com/a b?q=<x>#y#z", "https://example.com/a%20b?q=%3Cx%3E#y%23z"),
        ("https://example.com/%zz%20", "https://example.com/%25zz%20"),
        ("https://日本.jp/値", "https://xn--wgv71a.jp/%E5%80%A4"),
        ("http://[::1]:80/", "http://[::1]:80/"),
        ("mailto:a@b.co", "mailto:a@b.co"),
        *((url, "") for url in (*HOSTILE_ADDRESSES[:7], HOSTILE_ADDRESSES[8], "", "//x", "http://")),
    ],
)
def test_an_address_is_escaped_or_refused(given: str, expected: str) -> None:
    assert safe_address(given) == expected


def test_figures_of_a_chart_are_never_formulas() -> None:
    files = parts_of(to_docx(hostile()))
    books = [content for name, content in files.items() if name.endswith(".xlsx")]
    assert books
    for book in books:
        sheet = parts_of(book)["xl/worksheets/sheet1.xml"]
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet


def test_nothing_of_the_file_comes_from_outside() -> None:
    for name, content in parts_of(to_docx(hostile())).items():
        if name.endswith(".rels"):
            kinds = re.findall(rb'Type="[^"]*/([A-Za-z]+)"[^>]*TargetMode="External"', content)
            kinds += re.findall(rb'TargetMode="External"[^>]*Type="[^"]*/([A-Za-z]+)"', content)
            assert set(kinds) <= {b"hyperlink"}


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
@pytest.mark.parametrize("kind", ["plain", "hostile"])
def test_libreoffice_opens_it(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "report.docx"
    file.write_bytes(to_docx(document() if kind == "plain" else hostile()))
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    subprocess.run(
        ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(file)],
        check=True,
        capture_output=True,
        timeout=100,
    )
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
