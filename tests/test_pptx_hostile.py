"""PowerPoint files of hostile reports: clean files, with nothing fetched, executed or lost."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

from research.export import ReportDocument
from research.export.document import Text
from research.export.office import to_pptx
from research.export.office.slides import foot_line
from research.language import Language
from tests.support.office_checks import (
    assert_holds_what_is_large,
    assert_holds_what_was_hostile,
    assert_libreoffice_opens,
    assert_no_formulas,
    needs_libreoffice,
)
from tests.support.office_samples import addresses_of, document, hostile, large, parts_of, source, words_of


def test_everything_hostile_makes_a_clean_file() -> None:
    data = to_pptx(hostile())
    assert_holds_what_was_hostile(data, "ppt/(slides|notesSlides)/")
    assert "日" * 3_000 in words_of(data, "ppt/(slides|notesSlides)/")
    assert len(Presentation(io.BytesIO(data)).slides) > 4


def test_a_hundred_pages_with_five_hundred_sources_lose_nothing() -> None:
    given = large()
    assert_holds_what_is_large(to_pptx(given), "ppt/(slides|notesSlides)/", given)


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
    assert_no_formulas(to_pptx(hostile()))


def test_a_foot_with_many_sources_shortens_titles_and_keeps_numbers() -> None:
    few = foot_line([source(1, "A title of some length")], "", Language.EN)
    assert Text(" A title of some length 1", url=source(1).url) in few
    many = foot_line([source(number, "t" * 60) for number in range(1, 31)], "", Language.EN)
    assert sum(not isinstance(piece, Text) for piece in many) == 30
    assert foot_line([], "", Language.EN) == ()


@needs_libreoffice
@pytest.mark.parametrize("make", [document, hostile])
def test_libreoffice_opens_it(tmp_path: Path, make: Callable[[], ReportDocument]) -> None:
    assert_libreoffice_opens(to_pptx(make()), tmp_path / "report.pptx")
