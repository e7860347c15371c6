"""PowerPoint files of hostile reports: clean files, with nothing fetched, executed or lost."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pptx import Presentation

from research.export.document import Text
from research.export.pptx import to_pptx
from research.export.pptx.foot import foot_line
from research.language import Language
from tests.office_samples import (
    LONG_WORD,
    addresses_of,
    assert_well_formed,
    document,
    hostile,
    large,
    parts_of,
    source,
    squeezed,
    words_of,
)


def test_everything_hostile_makes_a_clean_file() -> None:
    data = to_pptx(hostile())
    assert_well_formed(data)
    words = words_of(data, "ppt/(slides|notesSlides)/")
    assert squeezed("bell null lone\N{REPLACEMENT CHARACTER}") in words
    assert squeezed("sep turned 👩‍👩‍👧 <w:p/> &amp; _x0041_ =1+1") in words
    assert LONG_WORD in words
    assert squeezed("word " * 3_000) in words
    assert "字" * 5_000 in words
    assert "日" * 3_000 in words
    assert len(Presentation(io.BytesIO(data)).slides) > 10


def test_a_hundred_pages_with_five_hundred_sources_lose_nothing() -> None:
    given = large()
    data = to_pptx(given)
    assert_well_formed(data)
    words = words_of(data, "ppt/(slides|notesSlides)/")
    assert all(f"Chapter{number}" in words for number in range(100))
    assert all(f"outputwas{number + 1_000}t" in words for number in range(100))
    assert all(squeezed(one.title) in words and squeezed(one.quotes[0].text) in words for one in given.sources)
    assert all(f"Head{number}" in words for number in range(60))
    assert {one.url for one in given.sources} <= addresses_of(data)


def test_links_are_safe_and_nothing_else_comes_from_outside() -> None:
    data = to_pptx(hostile())
    found = addresses_of(data)
    assert found
    assert all(re.fullmatch(r"https?://[!-~]+", address) for address in found)
    for name, content in parts_of(data).items():
        if name.endswith(".rels"):
            external = re.findall(rb'<Relationship [^>]*TargetMode="External"[^>]*>', content)
            assert all(b"/hyperlink" in one for one in external)


def test_figures_of_a_chart_are_never_formulas() -> None:
    books = [content for name, content in parts_of(to_pptx(hostile())).items() if name.endswith(".xlsx")]
    assert books
    for book in books:
        sheet = parts_of(book)["xl/worksheets/sheet1.xml"]
        assert b"<f>" not in sheet
        assert b"hyperlink" not in sheet


def test_a_foot_with_many_sources_shortens_titles_and_keeps_numbers() -> None:
    few = foot_line([source(1, "A title of some length")], "", Language.EN)
    assert Text(" A title of some length 1", url=source(1).url) in few
    many = foot_line([source(number, "t" * 60) for number in range(1, 31)], "", Language.EN)
    assert sum(not isinstance(piece, Text) for piece in many) == 30
    assert foot_line([], "", Language.EN) == ()


@pytest.mark.skipif(not shutil.which("soffice"), reason="needs LibreOffice")
@pytest.mark.parametrize("kind", ["plain", "hostile"])
def test_libreoffice_opens_it(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "report.pptx"
    file.write_bytes(to_pptx(document() if kind == "plain" else hostile()))
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    subprocess.run(
        ["soffice", home, "--headless", "--convert-to", "pdf", "--outdir", str(tmp_path), str(file)],
        check=True,
        capture_output=True,
        timeout=100,
    )
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
