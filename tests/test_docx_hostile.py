"""Word files of hostile reports: clean files, with nothing fetched, executed or lost."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from research.export import ReportDocument
from research.export.office import to_docx
from research.export.words import safe_address
from tests.support.office_checks import (
    assert_holds_what_is_large,
    assert_holds_what_was_hostile,
    assert_libreoffice_opens,
    assert_no_formulas,
    needs_libreoffice,
)
from tests.support.office_samples import HOSTILE_ADDRESSES, addresses_of, document, hostile, large, parts_of, words_of


def test_everything_hostile_makes_a_clean_file() -> None:
    data = to_docx(hostile())
    assert_holds_what_was_hostile(data, "word/document")
    docx.Document(io.BytesIO(data))


def test_a_hundred_pages_with_five_hundred_sources_lose_nothing() -> None:
    given = large()
    assert_holds_what_is_large(to_docx(given), "word/document", given)


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
    assert_no_formulas(to_docx(hostile()))


def test_nothing_of_the_file_comes_from_outside() -> None:
    for name, content in parts_of(to_docx(hostile())).items():
        if name.endswith(".rels"):
            kinds = re.findall(rb'Type="[^"]*/([A-Za-z]+)"[^>]*TargetMode="External"', content)
            kinds += re.findall(rb'TargetMode="External"[^>]*Type="[^"]*/([A-Za-z]+)"', content)
            assert set(kinds) <= {b"hyperlink"}


@needs_libreoffice
@pytest.mark.parametrize("make", [document, hostile])
def test_libreoffice_opens_it(tmp_path: Path, make: Callable[[], ReportDocument]) -> None:
    assert_libreoffice_opens(to_docx(make()), tmp_path / "report.docx")
