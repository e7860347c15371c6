"""The table of figures: a row for each figure in the evidence, labelled in the words of the page."""

from dataclasses import fields
from datetime import UTC, datetime

import pytest

from research.core import Evidence, Ledger, SourceKind, SourceName
from research.quantities import FigureRow, figure_frame, figure_rows, figures, label_of, to_csv_safe
from research.text import Span

PAGES = {
    "factbook": (
        "Japan — Economy",
        "Japan – Real GDP growth rate 2024: 0.1% (2024 est.)\n"
        "Japan – Real GDP growth rate 2023: 1.5% (2023 est.)\n"
        "Japan – Youth unemployment rate (ages 15-24), total: 3.9% (2024 est.)\n"
        "Japan – Exports - partners: USA 19%, China 18% (2023)\n",
    ),
    "news": (
        "Acme results | Daily News",
        "In 2024, Acme sold 1,234 cars. Its operating margin was 4.5%, and it employed about 500 people.\n"
        "2024年度の売上高は1兆2,345億円、営業利益は△3.4%だった。\n",
    ),
    "accounts": (
        "Accounts",
        "Figures:\n\n| | 2023 | 2024 |\n|---|---|---|\n| Sales (¥ million) | 1,234 | 1,345 |\n\n"
        "| 年度 | 売上高（百万円） |\n|---|---|\n| 2024年度 | 567 |\n",
    ),
}


def ledger(*names: str) -> Ledger:
    books = Ledger()
    for name in names:
        title, text = PAGES[name]
        page = books.add_page(
            url=f"https://example.org/{name}",
            title=title,
            site="example.org",
            origin=SourceName.WEB,
            kind=SourceKind.OTHER,
            published="2025-06",
            fetched_at=datetime(2025, 7, 1, tzinfo=UTC),
            text=text,
        )
        for start, line in _lines(text):
            books.quote_at(page, Span(start, start + len(line)))
    return books


def _lines(text: str) -> list[tuple[int, str]]:
    starts = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]
    return [(start, line) for start, line in zip(starts, text.split("\n"), strict=True) if line]


def rows(*names: str) -> list[tuple[str, str, float, str | None, str | None]]:
    books = ledger(*names)
    found = figure_rows(books.evidence.values(), books.pages)
    return [(row.subject, row.label, row.value, row.currency or row.unit, row.period) for row in found]


def test_lines_with_labels() -> None:
    assert rows("factbook") == [
        ("Japan", "Real GDP growth rate", 0.1, "%", "2024"),
        ("Japan", "Real GDP growth rate", 1.5, "%", "2023"),
        ("Japan", "Youth unemployment rate (ages 15-24), total", 3.9, "%", "2024"),
        ("Japan", "Exports - partners, USA", 19, "%", "2023"),
        ("Japan", "Exports - partners, China", 18, "%", "2023"),
    ]


def test_words_before_a_figure_in_prose() -> None:
    assert rows("news") == [
        ("Acme results", "Acme sold", 1234, "vehicles", "2024"),
        ("Acme results", "operating margin", 4.5, "%", None),
        ("Acme results", "employed", 500, "people", None),
        ("Acme results", "売上高", 1.2345e12, "JPY", "FY2024"),
        ("Acme results", "営業利益", -3.4, "%", "FY2024"),
    ]


def test_rows_and_columns_of_tables() -> None:
    assert rows("accounts") == [
        ("Accounts", "Sales (¥ million)", 1.234e9, "JPY", "2023"),
        ("Accounts", "Sales (¥ million)", 1.345e9, "JPY", "2024"),
        ("Accounts", "売上高（百万円）", 5.67e8, "JPY", "FY2024"),
    ]


def test_a_row_says_where_it_stands() -> None:
    books = ledger("factbook")
    row = figure_rows(books.evidence.values(), books.pages)[1]
    assert (row.text, row.evidence, row.source, row.date) == ("1.5%", "E2", "S1", "2025-06")
    assert row.quote == "Japan – Real GDP growth rate 2023: 1.5% (2023 est.)"


def test_the_same_figure_of_one_page_has_one_row() -> None:
    books = ledger("factbook")
    page = books.pages["S1"]
    whole = Evidence(id="E99", source="S1", quote=page.text, start=0, end=len(page.text))
    evidence = [*books.evidence.values(), whole]
    assert len(figure_rows(evidence, books.pages)) == len(rows("factbook"))


def test_only_what_the_evidence_quotes() -> None:
    books = ledger("factbook")
    assert {row.evidence for row in figure_rows([books.evidence["E3"]], books.pages)} == {"E3"}
    assert figure_rows([], books.pages) == []


def test_frame() -> None:
    books = ledger("factbook", "news")
    frame = figure_frame(figure_rows(books.evidence.values(), books.pages))
    assert list(frame.columns) == [field.name for field in fields(FigureRow)]
    assert len(frame) == 10
    assert frame["value"].dtype == float
    assert list(figure_frame([]).columns) == list(frame.columns)


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        ("-25.3%", "'-25.3%"),
        ("-25.3", "-25.3"),
        ("+1,234", "+1,234"),
        (-25.3, -25.3),
        (12, 12),
        (None, None),
        ("", ""),
        ("Sales = 5", "Sales = 5"),
        ("△12", "△12"),
    ],
)
def test_cells_are_no_formulas(cell: str | float | None, safe: str | float | None) -> None:
    assert to_csv_safe(cell) == safe


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("このうちベトナムの売上目標は、2027年度に8億円とする。", "ベトナムの売上目標"),
        ("東南アジア（ベトナム、タイ）の合計は14億7,200万円だった。", "東南アジア（ベトナム、タイ）の合計"),
    ],
)
def test_a_japanese_figure_is_named_by_the_topic_of_its_sentence(sentence: str, label: str) -> None:
    (figure,) = figures(sentence)
    assert label_of(figure, sentence) == label


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        (
            "The failure rate of the AN-300 was 1.3% in fiscal 2025, above the target of 1.0% and up from 0.8%.",
            [
                "failure rate of the AN-300",
                "failure rate of the AN-300, above the target",
                "failure rate of the AN-300",
            ],
        ),
        ("The distributor would raise its order from 80 to 140 pumps.", ["distributor would raise its order"] * 2),
        ("売上目標は24億円ではなく20億円とする。", ["売上目標", "売上目標"]),
        ("タイの売上高は5億600万円で、前年度から1%増加した。", ["タイの売上高", "タイの売上高, 前年度から"]),
    ],
)
def test_a_label_in_prose_holds_no_other_figure(sentence: str, labels: list[str]) -> None:
    assert [label_of(figure, sentence) for figure in figures(sentence)] == labels


@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("Exchange rates: dong per US dollar: 25,000 (2024 est.) / 24,000 (2023 est.)", ["dong per US dollar"] * 2),
        (
            "Religions: Muslim (official) 82.1%, Catholic (Roman, Greek) 6.7%, other (incl. none) <1%",
            ["Religions, Muslim (official)", "Religions, Catholic (Roman, Greek)", "Religions, other (incl. none)"],
        ),
        ("Area: total 100 km (island), water 20 km", ["Area, total", "Area, water"]),
        ("Land boundaries: Norway 709 km; Sweden 545 km", ["Land boundaries, Norway", "Land boundaries, Sweden"]),
        ("The Labour Party (LP) won 12% of the votes.", ["Labour Party (LP) won"]),
        ("国内売上高（単体、連結調整前）は12億円だった。", ["国内売上高（単体、連結調整前）"]),
        ("roads (2019): 12 km () and tracks 5 km", ["roads", "roads, tracks"]),
        ("Reserves (proven: 12 tonnes", ["Reserves proven"]),
    ],
)
def test_a_label_has_whole_brackets_and_nothing_of_the_figure_before(line: str, labels: list[str]) -> None:
    assert [label_of(figure, line) for figure in figures(line)] == labels
