"""The table of figures as files: numbers stay numbers, nothing becomes a formula."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from openpyxl import load_workbook

from research.core import Page, SourceKind, SourceName, text_hash
from research.export import figures_csv, figures_xlsx
from research.language import Language
from research.quantities import FigureRow

HOSTILE = ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"]


def page(title: str = "決算 2025") -> Page:
    return Page(
        id="S1", url="https://example.co.jp/ir", title=title, site="example.co.jp", origin=SourceName.WEB,
        kind=SourceKind.COMPANY, published="2025-05", fetched_at=datetime(2026, 1, 1, tzinfo=UTC), text="x",
        sha256=text_hash("x"),
    )  # fmt: skip


def row(label: str = "売上高", value: float = 1.2345e12, text: str = "1兆2,345億円") -> FigureRow:
    return FigureRow("決算", label, value, None, "JPY", "FY2024", text, f"{label}は{text}", "E1", "S1", "2025-05")


def as_csv(*rows: FigureRow, title: str = "決算 2025") -> list[list[str]]:
    data = figures_csv(rows, {"S1": page(title)}, Language.JA)
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_opens_with_its_columns() -> None:
    head, line = as_csv(row())
    assert head[:3] == ["対象", "項目", "値"]
    assert line == [
        "決算", "売上高", "1234500000000", "", "JPY", "FY2024", "1兆2,345億円", "売上高は1兆2,345億円", "決算 2025",
        "https://example.co.jp/ir", "2025-05", "E1",
    ]  # fmt: skip


def test_negative_numbers_stay_numbers() -> None:
    assert as_csv(row(value=-25.3))[1][2] == "-25.3"
    assert as_csv(row(value=0.1 + 0.2))[1][2] == "0.3"


@pytest.mark.parametrize("text", HOSTILE)
def test_no_cell_of_the_csv_is_a_formula(text: str) -> None:
    lines = as_csv(row(label=text), title=text)
    for cell in lines[1]:
        assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝"))


def test_the_workbook_has_numbers_text_and_no_formula() -> None:
    rows = [row(), row(value=-25.3, text="△25.3%"), *(row(label=text) for text in HOSTILE)]
    data = figures_xlsx(rows, {"S1": page('=cmd("x")')}, Language.EN)
    sheet = load_workbook(io.BytesIO(data)).active
    assert sheet is not None
    table = list(sheet.iter_rows())
    assert [cell.value for cell in table[0]][:3] == ["Subject", "Measure", "Value"]
    assert [line[2].value for line in table[1:3]] == [1_234_500_000_000, -25.3]
    assert {cell.data_type for line in table for cell in line if cell.value is not None} == {"s", "n"}
    assert [line[2].number_format for line in table[1:3]] == ["#,##0", "#,##0.0"]
    assert {cell.data_type for cell in sheet["C"][1:]} == {"n"}
    assert table[3][1].value == HOSTILE[0]
    assert table[3][1].style != "" and table[3][1].quotePrefix
    assert sheet.auto_filter.ref == f"A1:L{len(rows) + 1}"
    assert sheet["J2"].hyperlink.target == "https://example.co.jp/ir"
    assert sheet.freeze_panes == "B2"
    assert sheet.print_title_rows == "$1:$1"


@pytest.mark.parametrize("address", ["file:///home/me/plan.docx", "javascript:alert(1)", "internal:Sheet1!A1", "=1+1"])
def test_no_other_address_than_those_of_the_web_is_told(address: str) -> None:
    pages = {"S1": page().model_copy(update={"url": address})}
    sheet = load_workbook(io.BytesIO(figures_xlsx([row()], pages, Language.JA))).active
    assert sheet is not None
    assert sheet["J2"].value is None
    assert not sheet["J2"].hyperlink
    assert address not in figures_csv([row()], pages, Language.JA).decode()


@pytest.mark.parametrize(
    "address", ["https://example.com/" + "x" * 3_000, "http://[::1", "https://user:pass@example.com"]
)
def test_what_excel_cannot_follow_is_text(address: str) -> None:
    pages = {"S1": page().model_copy(update={"url": address})}
    sheet = load_workbook(io.BytesIO(figures_xlsx([row()], pages, Language.JA))).active
    assert sheet is not None
    assert (sheet["J2"].value, sheet["J2"].data_type, sheet["J2"].hyperlink) == (address, "s", None)


@pytest.mark.parametrize(
    ("told", "held"),
    [
        ("2025-05-20", datetime(2025, 5, 20)),
        ("2025-05-20T23:30:00-09:00", datetime(2025, 5, 20)),
        ("2025-05", "2025-05"),
        ("2025", "2025"),
        ("0001-01-01", "0001-01-01"),
        ("soon", "soon"),
    ],
)
def test_whole_days_are_days_and_less_of_a_date_stays_as_it_is(told: str, held: object) -> None:
    given = replace(row(), date=told)
    sheet = load_workbook(io.BytesIO(figures_xlsx([given], {"S1": page()}, Language.EN))).active
    assert sheet is not None
    assert sheet["K2"].value == held


def test_an_empty_table_is_still_a_file() -> None:
    assert len(as_csv()) == 1
    assert load_workbook(io.BytesIO(figures_xlsx([], {}, Language.JA))).active is not None


def test_what_a_cell_cannot_hold_is_made_to_fit() -> None:
    rows = [row(label="長" * 40_000, value=float("inf")), row(label="half \ud800 pair \x00 nul")]
    sheet = load_workbook(io.BytesIO(figures_xlsx(rows, {"S1": page()}, Language.EN))).active
    assert sheet is not None
    assert len(str(sheet["B2"].value)) == 32_000
    assert sheet["C2"].value == "inf"
    assert "half ? pair" in as_csv(*rows)[2][1]
