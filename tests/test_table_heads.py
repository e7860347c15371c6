"""Tables as offices publish them: lines above the head, heads of several rows, units in a row of their own, notes."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest

from research.documents import read
from research.quantities import frames
from tests.support.rule_made import asked, parts

MONTHS = [f"{2020 + at // 12}/{at % 12 + 1:02}" for at in range(36)]
SERIES = (
    "統計データ表\n2023/01/10 09:00\n"
    '"","倉庫統計（月次）","倉庫統計（月次）","倉庫統計（月次）"\n'
    '"系列名称","在庫残高（前年比）","在庫残高","在庫残高／うち 冷蔵品"\n'
    "データコード,WH'A1@,WH'A1,WH'A2\n単位,％,億円,億円\n収録開始期,2015/01,2015/01,2016/04\n"
    + "".join(f"{month},{at % 7}.5,{400 + 5 * at},{90 + at}\n" for at, month in enumerate(MONTHS))
)
"""A series by month as a central bank publishes them."""
INDICATOR = (
    '"Data Source","Indicators of the World",\n\n"Last Updated Date","2024-03-28",\n\n'
    '"Country Name","Country Code","2018","2019","2020",\n'
    '"Atland","ATL","","","",\n'
    + "".join(f'"{name}land","{name[:3].upper()}","{at}00","{at}10","{at}20",\n' for at, name in enumerate("BCDE", 1))
)
GROUPED = (
    "市区町村別人口,,,,,\n,,,,,令和6年4月1日現在\n市区町村,世帯数,人口,,,人口密度\n,,総数,男,女,\n,(世帯),(人),(人),(人),(人/km2)\n"
    + "".join(f"{name}市,{at}00,{at}50,{at}20,{at}30,{at}.5\n" for at, name in enumerate("東西南北中", 1))
    + "（注）1 総数は届出による。\n資料：企画課,,,,,\n"
)
LISTED = "Report on prices\nGenerated;2024-01-02\n\nRegion;Q1;Q2\nNorth;1,5;2,5\nSouth;1,7;2,9\nEast;1,8;3,0\n"
TRANSLATED = (
    "類・品目,総合,食料\nGroup/Item,All items,Food\n符号(code),0001,0002\nウエイト(Weight),10000,2623\n"
    + "".join(f"{year}  ,{60 + year - 2000}.5,{70 + year - 2000}.0\n" for year in range(2000, 2015))
)
PLAIN = "name,town,points\nAnn,Bath,\nBob,York,\nCid,Ayr,3\nDee,Ely,4\nEve,Rye,5\nFay,Wem,6\n"
WORDS = "name,town\nAnn,Bath\nBob,York\n"
PIVOT = "region,2021,2022,2023\nEast,5,6,7\nWest,4,4,5\n"
TOTALS = "年度,売上,費用\n合計,30,20\n2021,10,7\n2022,20,13\n"


def text_of(name: str, content: str | bytes) -> list[str]:
    data = content if isinstance(content, bytes) else content.encode("cp932" if "市" in content else "utf-8")
    return read(Path(name), data).text.split("\n")


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (
            SERIES,
            "時点: 2020/01; 在庫残高（前年比）（％）: 0.5; 在庫残高（億円）: 400; 在庫残高／うち 冷蔵品（億円）: 90",
        ),
        (INDICATOR, "Country Name: Bland; Country Code: B; 2018: 100; 2019: 110; 2020: 120"),
        (INDICATOR, "Country Name: Atland; Country Code: ATL"),
        (
            GROUPED,
            "市区町村: 東市; 世帯数（世帯）: 100; 人口 総数（人）: 150; 人口 男（人）: 120; 人口 女（人）: 130; "
            "人口密度（人/km2）: 1.5",
        ),
        (LISTED, "Region: North; Q1: 1,5; Q2: 2,5"),
        (TRANSLATED, "時点: 2000; 総合（All items）: 60.5; 食料（Food）: 70.0"),
        (PLAIN, "name: Ann; town: Bath"),
        (PLAIN, "name: Cid; town: Ayr; points: 3"),
        (WORDS, "name: Ann; town: Bath"),
        (PIVOT, "region: East; 2021: 5; 2022: 6; 2023: 7"),
        (TOTALS, "年度: 合計; 売上: 30; 費用: 20"),
    ],
)
def test_columns_are_named_by_the_rows_that_name_them(content: str, row: str) -> None:
    assert row in text_of("table.csv", content)


@pytest.mark.parametrize("content", [SERIES, INDICATOR, GROUPED, LISTED, TRANSLATED, PLAIN, WORDS, PIVOT, TOTALS])
def test_each_row_of_a_file_stays_a_line_of_its_own(content: str) -> None:
    """Places in tables are told by their row, the first of the file being row 1."""
    lines, rows = text_of("table.csv", content), content.splitlines()
    last = next(at for at in range(len(rows) - 1, 0, -1) if rows[at].strip(',"')[-1:].isdigit() or content is WORDS)
    cell = rows[last].strip('",;').replace(";", ",").split(",")[0].strip(' "')
    assert last > 1 and cell in lines[last - 1]


def test_what_stands_around_a_table_is_kept_and_is_no_row() -> None:
    lines = text_of("table.csv", SERIES)
    assert lines[:3] == ["統計データ表", "2023/01/10 09:00", "倉庫統計（月次）"]
    assert "収録開始期 | 2015/01 | 2016/04" in lines
    assert len(frames("\n".join(lines))[0].rows) == len(MONTHS)
    assert text_of("table.csv", INDICATOR)[0] == "Data Source: Indicators of the World"
    below = text_of("table.csv", GROUPED)
    assert below[-3:] == ["# 注", "（注）1 総数は届出による。", "資料：企画課"]
    assert [row.cells["市区町村"] for row in frames("\n".join(below))[0].rows][-1] == "中市"


def test_a_table_is_titled_by_what_is_written_above_it() -> None:
    assert read(Path("wh01.csv"), SERIES.encode()).title == "倉庫統計（月次） — wh01"
    assert read(Path("prices.csv"), LISTED.encode()).title == "Report on prices — prices"
    assert read(Path("plain.csv"), PLAIN.encode()).title == "plain"


def test_a_sheet_with_merged_heads_a_unit_at_the_right_and_notes() -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "表1"
    for row in (
        ["学校数等", None, None, None, None], [None, None, None, None, "（単位：千円）"],
        ["区分", "経費", None, "収入", None], [None, "公立", "私立", "公立", "私立"],
        ["小学校", 10, 2, 300, 40], ["中学校", 5, 3, 200, 50], ["高等学校", 4, 3, 180, 60], ["合計", 19, 8, 680, 150],
        ["注1 休校を含む。"],
    ):  # fmt: skip
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    assert text_of("book.xlsx", file.getvalue()) == [
        "# 表1", "学校数等", "（単位：千円）",
        "区分: 小学校; 経費 公立（千円）: 10; 経費 私立（千円）: 2; 収入 公立（千円）: 300; 収入 私立（千円）: 40",
        "区分: 中学校; 経費 公立（千円）: 5; 経費 私立（千円）: 3; 収入 公立（千円）: 200; 収入 私立（千円）: 50",
        "区分: 高等学校; 経費 公立（千円）: 4; 経費 私立（千円）: 3; 収入 公立（千円）: 180; 収入 私立（千円）: 60",
        "区分: 合計; 経費 公立（千円）: 19; 経費 私立（千円）: 8; 収入 公立（千円）: 680; 収入 私立（千円）: 150",
        "# 注", "注1 休校を含む。",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "when"),
    [
        ("2019/04", "2019-04"), ("201904", "2019-04"), ("20190401", "2019-04-01"), ("平成31年4月", "2019-04"),
        ("H31.4.1", "2019-04-01"), ("2019年4月", "2019-04"), ("2019Q2", "2019-04"), ("2019年第2四半期", "2019-04"),
        ("2019年度", "2019"), ("令和元年度", "2019"), ("2019", "2019"),
    ],
)  # fmt: skip
def test_times_are_read_in_every_usual_form(said: str, when: str) -> None:
    (frame,) = frames("\n".join(f"時点: {said}; 件数: {at}" for at in range(4)))
    assert frame.when(frame.rows[0]) == when and frame.numbers == ("件数",)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("heads") / "data"
    folder.mkdir()
    (folder / "wh01.csv").write_bytes(SERIES.encode("cp932"))
    return folder


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("2021年3月の在庫残高はいくらですか。", "2021年3月、在庫残高（億円）：470"),
        ("在庫残高が最も多かった月はいつですか。", "2022年12月、在庫残高（億円）：575"),
        ("在庫残高が初めて500億円を超えたのはいつですか。", "2021/10、在庫残高（億円）：505"),
        (
            "2021年1月から2022年3月までに在庫残高はどれだけ増えましたか。",
            "在庫残高（億円）：+70 (+15.2%) = 530 − 460",
        ),
        ("在庫残高が初めて0.05兆円を超えたのはいつですか。", "2021/10、在庫残高（億円）：505"),
        ("2021年の在庫残高の平均はいくらですか。", "2021、在庫残高（億円）：487.5 = 12行の平均"),
        ("2021年3月の冷蔵品の在庫残高はいくらですか。", "在庫残高／うち 冷蔵品（億円）：104"),
    ],
)
def test_a_series_by_month_is_asked_for_single_months(folder: Path, question: str, told: str) -> None:
    shown = asked(question, folder.parent / "home", folder).markdown
    assert told in parts(shown)["答え"] and "裏付けなし" not in shown
