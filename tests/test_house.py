"""The house documents of the fictional company: they are read whole, and they disagree where they are meant to."""

from __future__ import annotations

import csv
from importlib import resources
from pathlib import Path

import pytest

from research.core import SourceName
from research.library import Library
from research.sources import collection_folder


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(collection_folder(SourceName.HOUSE, tmp_path), tmp_path / "library")


def test_every_document_is_read_and_dated(library: Library) -> None:
    report = library.refresh()
    assert report.skipped == ()
    assert report.files == 14
    suffixes = {path.suffix for path in library.folder.rglob("*.*")}
    assert suffixes == {".md", ".txt", ".csv", ".html", ".pdf", ".docx"}
    dates = [
        library.document(path).published for path in library.folder.rglob("*.*") if path.suffix not in (".txt", ".csv")
    ]
    assert all(date is not None and "2025-01" <= date <= "2026-06" for date in dates)


def test_the_reader_is_told_that_all_is_fictional() -> None:
    text = resources.files("research.samples").joinpath("house/README.md").read_text(encoding="utf-8")
    assert "fictional" in text
    assert "架空" in text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("2027年度 東南アジア 売上目標", ("24億円へ", "20億円とする")),
        ("円高 営業利益 yen operating profit", ("約900万円減る", "about 12 million yen")),
        ("AN-300 消費電力量 less electricity", ("27%少なかった", "32% less electricity")),
        ("ハイフォン サービス拠点 開設", ("2026年4月に開設", "2026年10月に延期")),
    ],
)
def test_two_documents_disagree(library: Library, query: str, words: tuple[str, str]) -> None:
    hits = library.search(query, 8)
    places = [next(hit.path for hit in hits if word in hit.text) for word in words]
    assert places[0] != places[1]


def test_the_sales_table_adds_up_to_what_the_results_say(library: Library) -> None:
    with next(library.folder.rglob("*.csv")).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 96
    sums: dict[tuple[str, str], float] = {}
    for row in rows:
        year = "2024" if row["month"] < "2025-04" else "2025"
        key = (row["country"], year)
        sums[key] = sums.get(key, 0.0) + float(row["revenue_million_yen"])
    rounded = {key: round(value) for key, value in sums.items()}
    assert rounded[("Vietnam", "2024")] == 293
    assert rounded[("Vietnam", "2025")] == 391
    asean = [
        sum(sums[(country, year)] for country in ("Vietnam", "Indonesia", "Thailand")) for year in ("2024", "2025")
    ]
    assert [round(value) for value in asean] == [1_357, 1_472]
    assert round(100 * (asean[1] / asean[0] - 1), 1) == 8.5
