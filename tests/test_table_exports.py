"""The table of figures as files: numbers stay numbers, nothing becomes a formula."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import yaml
from openpyxl import load_workbook

from research.core import Page, SourceKind
from research.export.composing import title_of, wiki_markdown
from research.export.tables import figures_csv, figures_xlsx, report_xlsx, sources_csv, to_bibtex, to_ris
from research.language import Language
from research.quantities import FigureRow
from research.results import Report
from tests.support.reports import electricity_report, with_page
from tests.support.stored_runs import page as read_page

HOSTILE = ['=HYPERLINK("http://x")', "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1"]


def page(title: str = "決算 2025") -> Page:
    return read_page(url="https://example.co.jp/ir", title=title, kind=SourceKind.COMPANY, published="2025-05")


def row(label: str = "売上高", value: float = 1.2345e12, text: str = "1兆2,345億円") -> FigureRow:
    return FigureRow("ベトナム", label, value, None, "JPY", "FY2024", text, f"{label}は{text}", "E1", "S1", "2025-05")


def as_csv(*rows: FigureRow, title: str = "決算 2025") -> list[list[str]]:
    data = figures_csv(rows, {"S1": page(title)}, Language.JA)
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_opens_with_its_columns() -> None:
    head, line = as_csv(row())
    assert head[:3] == ["対象", "項目", "値"]
    assert line == [
        "ベトナム", "売上高", "1234500000000", "", "JPY", "FY2024", "1兆2,345億円", "売上高は1兆2,345億円", "決算 2025",
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
    assert not [cell for line in sheet.iter_rows() for cell in line if cell.value == address or cell.hyperlink]
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


def test_rows_are_as_high_as_their_words_and_a_column_without_an_address_is_left_out() -> None:
    own = page().model_copy(update={"url": "file:///home/someone/minutes.md"})
    long = replace(row(), quote="長い引用です。" * 40)
    sheet = load_workbook(io.BytesIO(figures_xlsx([row(), long], {"S1": own}, Language.JA))).active
    heads = [cell.value for cell in sheet[1]]
    assert "アドレス" not in heads and {"情報源", "証拠ID"} <= {head.replace(" ", "") for head in heads}
    assert sheet.row_dimensions[3].height > 5 * sheet.row_dimensions[2].height
    assert sheet["C1"].alignment.horizontal == "right", "above its numbers"
    assert sheet["C2"].value == 1.2345e12


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


# --- the sources as BibTeX, RIS and tables, and the report as Markdown with front matter -----------------------------


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return electricity_report(tmp_path_factory.mktemp("home"))


def fields(entry: str) -> dict[str, str]:
    return dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))


def braces_match(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


def test_bibtex_names_each_cited_source_with_its_dates_and_hash(report: Report) -> None:
    text = to_bibtex(report).decode("utf-8")
    keys = re.findall(r"^@online\{(.+),$", text, re.MULTILINE)
    assert keys == [f"run{report.record.run}-{number}" for number in (1, 2, 3, 4)]
    entry = fields(text.split("@online")[1])
    first = next(page for page in report.record.sources if page.number == 1)
    page = report.pages[first.id]
    assert entry["title"] == f"{{{page.title}}}"
    assert entry["url"] == page.url
    assert entry["urldate"] == page.fetched_at.date().isoformat()
    assert entry["date"] == page.published
    assert page.sha256 in entry["note"]
    assert "author" not in entry
    assert braces_match(text)


@pytest.mark.parametrize(
    "title",
    [
        "}",
        "{",
        "{{}",
        "a}, author={x",
        "\\input{/etc/passwd}",
        "50% of $x_1 & #2 ~^",
        "line\nbreak\x00\ud800",
        "売上高と｛見通し｝",
    ],
)
def test_no_title_breaks_out_of_its_field(report: Report, title: str) -> None:
    text = to_bibtex(with_page(report, "S1", title=title, site=title)).decode("utf-8")
    assert braces_match(text)
    assert text.count("\n@online{") + text.startswith("@online{") == 4
    assert not re.search(r"\\input", text)
    assert not re.search(r"(?<!\\)[%$&#~^]", fields(text)["title"])
    assert fields(text)["title"].strip("{}") or title in "{}{{}"
    for entry in text.split("@online")[1:]:
        assert set(fields(entry)) <= {"title", "organization", "date", "url", "urldate", "note"}


def test_japanese_stays_japanese(report: Report) -> None:
    text = to_bibtex(with_page(report, "S1", title="売上高の見通し")).decode("utf-8")
    assert "{{売上高の見通し}}" in text


@pytest.mark.parametrize("url", ["file:///home/me/secret.pdf", "javascript:alert(1)", ""])
def test_only_addresses_of_the_web_are_given(report: Report, url: str) -> None:
    changed = with_page(report, "S1", url=url)
    assert "url" not in fields(to_bibtex(changed).decode().split("@online")[1])
    assert to_ris(changed).decode().count("UR  - ") == to_ris(report).decode().count("UR  - ") - 1


@pytest.mark.parametrize("published", [None, "yesterday", "2025-99", "20251"])
def test_a_date_that_is_none_is_left_out(report: Report, published: str | None) -> None:
    changed = with_page(report, "S1", published=published)
    assert "date" not in fields(to_bibtex(changed).decode().split("@online")[1])
    assert "\r\nDA  - " not in to_ris(changed).decode().split("ER  - ")[0]


def test_ris_has_one_record_for_each_cited_source(report: Report) -> None:
    lines = to_ris(report).decode("utf-8").split("\r\n")
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*|", line) for line in lines)
    assert [lines.count(mark) for mark in ("TY  - ELEC", "ER  - ")] == [4, 4]
    first = dict(line.split("  - ", 1) for line in lines[: lines.index("ER  - ")])
    assert re.fullmatch(r"\d{4}/(\d\d)?/(\d\d)?/", first["DA"])
    assert first["PY"] == first["DA"][:4]
    assert "SHA-256" in first["N1"]


def test_a_title_cannot_end_its_record(report: Report) -> None:
    changed = with_page(report, "S1", title="x\r\nER  - \r\nTY  - BOOK\u2028AU  - me")
    lines = to_ris(changed).decode("utf-8").splitlines()
    assert lines.count("ER  - ") == 4
    assert not [line for line in lines if line.startswith(("AU", "TY  - BOOK"))]


def head_of(markdown: bytes) -> dict[str, object]:
    _, head, _ = markdown.decode("utf-8").split("---\n", 2)
    found = yaml.safe_load(head)
    assert isinstance(found, dict)
    return found


def test_the_head_says_what_the_report_is(report: Report) -> None:
    markdown = wiki_markdown(report)
    head = head_of(markdown)
    assert head["title"] == title_of(report.markdown, "")
    assert head["date"] == report.record.day
    assert (head["sources_cited"], head["run"]) == (4, report.record.run)
    assert isinstance(head["sentences"], dict)
    assert sum(head["sentences"].values()) == sum(one.verdict is not None for one in report.record.sentences)
    assert "\n---\n\n# Japan's electricity mix since 2015\n" in markdown.decode("utf-8")


@pytest.mark.parametrize(
    "question",
    [
        "no",
        "2026-01-01",
        "a: b # c",
        "---\nx: 1",
        "'\"\\",
        "- item",
        "日本：見通し？",
        "!!python/object:os",
        "x\ud800\x1b",
        "![x](http://evil.example) <http://evil.example> me@evil.example \\x5b www.evil.example",
    ],
)
def test_no_question_becomes_anything_else(report: Report, question: str) -> None:
    brief = report.record.brief.model_copy(update={"question": question})
    changed = report.model_copy(update={"record": report.record.model_copy(update={"brief": brief})})
    head = head_of(wiki_markdown(changed))
    assert head["question"] == " ".join(question.replace("\x1b", "").replace("\ud800", "\ufffd").split())
    assert list(head) == list(head_of(wiki_markdown(report)))


def test_the_head_is_no_markup_for_a_reader_who_takes_it_for_text(report: Report) -> None:
    brief = report.record.brief.model_copy(update={"question": "![x](//evil.example/p) <img src=//evil.example> [y]"})
    changed = report.model_copy(update={"record": report.record.model_copy(update={"brief": brief})})
    head = wiki_markdown(changed).decode("utf-8").split("---\n")[1]
    assert "evil.example" in head and not any(sign in head for sign in ("[", "]", "<", ">", "//"))


def test_a_title_is_plain_words() -> None:
    assert title_of("# A **bold** `title` \\[x\\]\n\ntext", "?") == "A bold title [x]"
    assert title_of("no title", "What\nis it?") == "What is it?"


def test_the_workbook_holds_figures_sources_and_verdicts(report: Report) -> None:
    hostile = with_page(report, "S2", title='=HYPERLINK("http://x")', site="+1+1")
    book = load_workbook(io.BytesIO(report_xlsx(hostile)))
    assert book.sheetnames == ["Figures", "Sources", "Sentences"]
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None}
    assert kinds <= {"s", "n", "d"}
    assert book["Figures"].max_row > 2
    assert [cell.value for cell in book["Sources"]["A"]] == ["Number", 1, 2, 3, 4]
    assert {cell.value for cell in book["Sources"]["B"]} >= {'=HYPERLINK("http://x")'}
    verdicts = [cell.value for cell in book["Sentences"]["B"]][1:]
    assert len(verdicts) == len(report.record.sentences)
    assert "Supported" in verdicts
    links = {cell.hyperlink.target for sheet in book for row in sheet.iter_rows() for cell in row if cell.hyperlink}
    assert links == {page.url for page in hostile.pages.values() if page.url.startswith("https://")}
    assert book.properties.title == report.record.brief.question
    read = [cell.value for cell in book["Sources"]["G"][1:]]
    assert {moment.date() for moment in read} == {page.fetched_at.date() for page in report.pages.values()}


def test_frame_and_table_name_the_same_subject(tmp_path: Path) -> None:
    report = electricity_report(tmp_path, Language.EN)
    named = with_page(report, "S1", title="Service bases in Vietnam: list of 2025")
    lines = csv.reader(io.StringIO(named.export("csv").decode("utf-8-sig"), newline=""))
    subjects = [line[0] for line in lines][1:]
    assert list(named.figures["subject"]) == subjects
    assert "Vietnam" in subjects


def test_the_sources_as_csv_carry_no_formula(tmp_path: Path) -> None:
    report = electricity_report(tmp_path, Language.JA)
    data = sources_csv(with_page(report, "S1", title="=1+1", url="@SUM(A1)"))
    head, *lines = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert head[:3] == ["番号", "タイトル", "アドレス"]
    assert len(lines) == len(report.record.sources)
    assert lines[0][1:3] == ["'=1+1", ""]
    assert [line[2] for line in lines if line[2]] == [
        one.url for one in report.record.sources[1:] if one.url.startswith("https://")
    ]
    assert lines[0][8] == report.pages["S1"].sha256
