"""Questions on data files whose rows are orders, people, days: chosen, added up, counted, put in order, compared."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from research.analysts.extractive.queries import Query
from research.core import How
from research.language import Language
from research.quantities import Frame, Row, frames, part_of, parts_by
from research.text import question_parts
from research.verification import Label, checked_calculation, told_again
from tests.support.rule_made import asked, parts

_KINDS = (("Kettles", 40), ("Lamps", 25), ("Chairs", 90))
_SHOPS = (("Kyoto", "Cash"), ("Nara", "Card"), ("Kobe", "Card"))
ORDERS = "Order ID,Date,City,Product line,Payment,Quantity,Sales\n" + "".join(
    f"O-{at:03},{date(2024, 1, 1) + timedelta(days=3 * at)},{city},{kind},{paid},{1 + at % 4},{price * (1 + at % 4)}\n"
    for at in range(180)
    for (kind, price), (city, paid) in ((_KINDS[at % 3], _SHOPS[at % 7 % 3]),)
)
PEOPLE = "社員番号,部署,ステータス,残業,年齢,月間労働時間\n" + "".join(
    f"{1000 + at},{('営業', '開発', '総務')[at % 3]},{'退職' if at % 5 == 0 else '在職'},"
    f"{'あり' if at % 2 else 'なし'},{22 + at % 40},{150 + at % 3 * 10}\n"
    for at in range(120)
)
TOWNS = "都道府県名,西暦（年）,人口（総数）\n" + "".join(
    f"{name},{year},{number + grown * (year - 2010)}\n"
    for year in (2010, 2015, 2020)
    for name, number, grown in (
        ("全国", 4_000_000, -9_000),
        ("北海道", 1_500_000, -12_000),
        ("鳥取県", 500_000, -2_000),
        ("沖縄県", 900_000, 6_000),
        ("東京都", 1_100_000, -1_000),
    )
)
HEAT = "date,maximum temperature,power demand\n" + "".join(
    f"{date(2024, 7, 1) + timedelta(days=at)},{28 + at % 11},{3000 + 7 * (at * 37 % 62)}\n" for at in range(62)
)


_LISTED = (
    "HAS Hasso, ARE Arena, ALL Alloy, LOW 3M, FAST Fasta, QRT Quarto, LMN Lumen, KEY Keyes, COST Costa, BEN Benno, "
    "XYZ Xyla, CAT Catto, DAY Dayton, WELL Weller, IT Itaka"
)
FIRMS = "Ticker,Name,Sector,Price,Price/Earnings,Dividend Yield,Market Cap,Filings\n" + "".join(
    f"{listed.replace(' ', ',')},{('Machines', 'Food', 'Semiconductors')[at % 3]},{20 + 7 * at % 50}.5,"
    f"{10 + at * 11 % 37}.2,0.0{11 + at * 17 % 60},{100 + at * 37 % 91}000000,http://filings.example/{listed[:2]}{at}\n"
    for at, listed in enumerate(_LISTED.split(", "))
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows") / "data"
    folder.mkdir()
    for name, text in {"shop-orders": ORDERS, "人事データ": PEOPLE, "国勢調査": TOWNS, "summer-days": HEAT}.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def report(folder: Path, question: str, language: Language) -> str:
    return asked(question, folder.parent / "home", folder, language=language).markdown


def sold(**said: str) -> float:
    """Return what orders of which the cells say so come to, by a way of its own."""
    names = ORDERS.partition("\n")[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in ORDERS.splitlines()[1:]]
    kept = (row for row in rows if all(row[name.replace("_", " ")].startswith(cell) for name, cell in said.items()))
    return sum(float(row["Sales"]) for row in kept)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how much did we make in March 2024?", f"March 2024, Sales: {sold(Date='2024-03'):,.0f} = sum of 11 rows"),
        (
            "sales in Q2 2024",
            f"April 2024 – June 2024, Sales: {sold(Date='2024-04') + sold(Date='2024-05') + sold(Date='2024-06'):,.0f}",
        ),
        ("which city did best by sales?", f"Kyoto, Sales: {sold(City='Kyoto'):,.0f} = sum of"),
        ("top 2 product lines by revenue", f"Chairs, Sales: {sold(Product_line='Chairs'):,.0f} = sum of 60 rows"),
        ("what share of orders was paid in cash?", "Cash: 42.8% = 77 rows (Payment: Cash) ÷ 180 rows"),
        ("what is the average order value at the shop?", "Sales: 129.17 = average of 180 rows"),
        ("Kyoto or Nara, who sold more kettles?", "= sum of"),
        ("average sales in 2024 vs 2025", "average of 122 rows (Date: 2024)"),
        ("how many different cities have we sold to?", "City: 3 = different values of 180 rows"),
        ("how many product lines do we sell in Kyoto?", "Kyoto, Product line: 3 = different values of"),
        ("how many orders were there in Kobe?", "Kobe: 51 = 51 rows (City: Kobe)"),
        ("how many kettles were sold?", "Kettles, Quantity: 150 = sum of 60 rows"),
    ],
)
def test_orders_are_added_up_as_it_is_asked(folder: Path, question: str, told: str) -> None:
    shown = report(folder, question, Language.EN)
    assert told in parts(shown)["Answer"].strip().splitlines()[0]
    assert "Not supported" not in shown


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed") / "data"
    folder.mkdir()
    (folder / "listed-firms.csv").write_text(FIRMS)
    return folder


def ordered(column: str) -> list[dict[str, str]]:
    """Return the firms, that with the highest figure first, by a way of its own."""
    names = FIRMS.partition("\n")[0].split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in FIRMS.splitlines()[1:]]
    return sorted(rows, key=lambda row: -float(row[column]))


@pytest.mark.parametrize(
    ("question", "language", "column", "count"),
    [
        ("Which four companies in the list have the highest dividend yield?", Language.EN, "Dividend Yield", 4),
        ("Which company has the highest market cap?", Language.EN, "Market Cap", 1),
        ("配当利回りが最も高い3社はどこですか。", Language.JA, "Dividend Yield", 3),
        ("Which three companies have the lowest price/earnings?", Language.EN, "Price/Earnings", -3),
    ],
)
def test_rows_that_are_each_of_one_firm_are_put_in_order(
    listed: Path, question: str, language: Language, column: str, count: int
) -> None:
    shown = parts(report(listed, question, language))["Answer" if language is Language.EN else "答え"]
    lines = [line for line in shown.splitlines() if line.startswith("- ")]
    expected = ordered(column)[:count] if count > 0 else ordered(column)[: count - 1 : -1]
    for line, row in zip(lines, expected, strict=False):
        assert row["Name"] in line and row[column] in line and "://" not in line
    assert len(lines) == abs(count) or count == 1


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the market cap of 3M?", f"3M, LOW, Market Cap: {100 + 3 * 37 % 91},000,000"),
        ("How many companies are in the Food sector?", "Food: 5 = 5 rows (Sector: Food)"),
        ("What is the average price/earnings by sector?", "= average of 5 rows (Sector: Semiconductors)"),
        ("How many companies have a dividend yield above 0.05?", "rows (Dividend Yield: > 0.05)"),
        ("Which semiconductor company has the highest price?", "Semiconductors, Price:"),
    ],
)
def test_codes_that_are_words_are_meant_where_they_stand_in_capitals(listed: Path, question: str, told: str) -> None:
    assert told in parts(report(listed, question, Language.EN))["Answer"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("人事データで辞めた人は何人？全体の何％？", "退職：24 = 24行（ステータス: 退職）"),
        ("平均の労働時間が一番長い部署はどこ？", "総務、月間労働時間：170 = 40行の平均（部署: 総務）"),
        ("2020年に人口が少ない県を2つ", "鳥取県、人口（総数）：480,000"),
        (
            "2010年から2020年で人口が一番減った都道府県は？",
            "北海道、人口（総数）：−120,000 (−8.0%) = 1,380,000 − 1,500,000",
        ),
        ("沖縄の人口は2010年から2020年で何倍になった？", "1.07倍 = 960,000 ÷ 900,000"),
        ("50歳以上の社員は何人？", "年齢: ≥ 50"),
        ("部署はいくつある？", "部署：3 = 120行の異なる値"),
        ("平均年齢はいくつ？", "年齢：41.5 = 120行の平均"),
        ("沖縄県の人口が初めて92万人を超えたのはいつ？", "2015、沖縄県、人口（総数）：930000"),
    ],
)
def test_japanese_questions_are_answered_from_japanese_columns(folder: Path, question: str, told: str) -> None:
    shown = report(folder, question, Language.JA)
    assert told in parts(shown)["答え"]
    assert "裏付けなし" not in shown


def test_the_day_of_a_peak_is_told_with_it(folder: Path) -> None:
    said = parts(report(folder, "when was power demand highest?", Language.EN))["Answer"]
    assert "3,427 = highest of 62 rows" in said and "2024-07-06" in said


BUDGET = "month,department,type,budget,actual\n" + "".join(
    f"2024-{month:02}-28,{name},{kind},{budget},{budget + (month * 7 + 5 * at) % 9 * 4 - 14}\n"
    for month in range(1, 13)
    for at, (name, kind, budget) in enumerate(
        (("Marketing", "cost", 100), ("Repairs", "cost", 110), ("Retail", "revenue", 120))
    )
)
TARGETS = "年月,店舗,売上目標,売上実績\n" + "".join(
    f"2024-{month:02},{name},500,{500 + month - less}\n"
    for month in range(1, 13)
    for name, less in (("新宿店", 3), ("大阪店", 9), ("札幌店", 6))
)


def off(department: str, first: int = 1, last: int = 12) -> int:
    """Return by how much a department was above its budget, by a way of its own."""
    rows = [line.split(",") for line in BUDGET.splitlines()[1:]]
    kept = (row for row in rows if row[1] == department and first <= int(row[0][5:7]) <= last)
    return sum(int(row[4]) - int(row[3]) for row in kept)


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plans") / "data"
    folder.mkdir()
    for name, text in {"budget": BUDGET, "店舗目標": TARGETS}.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how much did Marketing overspend in Q3?", f"actual − budget: −{-off('Marketing', 7, 9)} (−6.0%) = 282"),
        ("did Marketing exceed its budget?", f"Marketing, actual − budget: +{off('Marketing')} (+3.0%) = 1,236"),
        ("which department was most over budget?", f"Retail, actual − budget: {off('Retail')} = 1,488"),
        ("in how many months was Retail below budget?", "Retail, actual: < budget: 4 = 4 rows"),
        (
            "大阪店は目標に届いた？",
            "大阪店、売上実績 − 売上目標：−30 (−0.5%) = 5,970（12行の合計、売上実績; 店舗: 大阪店）",
        ),
        ("目標に届かなかった店はどこ？", "大阪店、売上実績 − 売上目標：−30 = 5,970"),
        ("大阪店の目標を教えて", "大阪店、2024年1月〜2024年12月、売上目標：6,000 = 12行の合計"),
        ("新宿店が目標に届かなかった月は何か月？", "新宿店、売上実績: < 売上目標：2 = 2行"),
    ],
)
def test_what_was_done_is_held_against_what_was_planned(plans: Path, question: str, told: str) -> None:
    language = Language.EN if question.isascii() else Language.JA
    shown = parts(report(plans, question, language))["Answer" if language is Language.EN else "答え"]
    assert told in shown
    assert ("札幌店" in shown) is False, "it is above its target"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("total sales since March 2024", "Date: ≥ 2024-03, Sales: 20,755 = sum of 160 rows (Date: ≥ 2024-03)"),
        ("sales before March 2024", "Date: < 2024-03, Sales: 2,495 = sum of 20 rows"),
        ("which quarter had the highest sales?", "July 2024 – September 2024, Sales: 4,005 = sum of 31 rows"),
        ("Which day had the highest maximum temperature?", "maximum temperature: 38 = highest of 62 rows"),
        ("sales on January 4, 2024", "2024-01-04, Sales: 50"),
        ("when did the maximum temperature first exceed 35?", "2024-07-09, maximum temperature: 36"),
        ("年齢50歳以上で月間労働時間が165以上の人は何人？", "年齢: ≥ 50、月間労働時間: ≥ 165：12 = 12行"),
        ("部署って何種類ある？", "部署：3 = 120行の異なる値"),
    ],
)
def test_days_quarters_open_times_and_several_limits_are_kept_to(folder: Path, question: str, told: str) -> None:
    language = Language.EN if question.isascii() else Language.JA
    assert told in parts(report(folder, question, language))["Answer" if language is Language.EN else "答え"]


@pytest.mark.parametrize(
    "question",
    [
        "名古屋店の売上は？",  # The file has no such shop.
        "how much did we make in March 2019?",  # Nor that year.
        "why were chairs late?",
        "what was decided about the shop orders?",
        "how much did we sell last month?",  # Which only today's date tells.
        "sales on 2024-03-03",  # Nothing was sold that day.
        "total sales in early 2024",
        "total sales from December to February",
        "sales not in Kyoto",
        "total sales at branch 7",
        "when did the demand first exceed 9,000?",  # It never did.
        "did Kyoto meet its budget?",  # There is none.
        "which day was the hottest, by maximum temperature?",  # Words that are not known: no average instead.
        "average daily sales",
        "which city has sales over 100?",
        "sales of Kyoto and Nara in March and April 2024",
        "部署ごとの売上の次に多いのは？",
    ],
)
def test_what_a_file_does_not_have_it_does_not_answer(folder: Path, question: str) -> None:
    assert " = " not in report(folder, question, Language.EN).partition("## Sources")[0].replace("= [", "")


def test_sheets_under_the_same_columns_are_one_table_and_totals_are_no_rows_of_their_own() -> None:
    month = "Region: {}; Sales: {}"
    text = "# January\n" + "\n".join(map(month.format, ("East", "West", "Total"), (1, 2, 3)))
    text += "\n# February\n" + "\n".join(map(month.format, ("East", "West", "Total"), (4, 5, 9)))
    (frame,) = frames(text)
    whole = part_of(frame.parts, How.SUM, "Sales", {})
    assert whole and (whole.value, len(whole.rows)) == (12, 4)
    assert [part.value for part in parts_by(frame.parts, How.SUM, "Sales", {}, "Region")] == [5, 7]
    assert [part.value for part in parts_by(frame.parts, How.SUM, "Sales", {}, "sheet")] == [9, 3]


@pytest.mark.parametrize("said", ["WHOLE COUNTRY", "Total", "Kyoto Total", "合 計", "全国", "", "東京都計 小計"])
def test_rows_that_hold_others_together_are_not_added_to_them(said: str) -> None:
    frame = frames("\n".join(["Place: A; Sales: 1", "Place: B; Sales: 2", f"Place: {said}; Sales: 3"]))[0]
    whole = part_of(frame.parts, How.SUM, "Sales", {})
    assert whole and whole.value == 3


def test_sheets_of_what_was_planned_are_no_part_of_what_was_sold() -> None:
    month = "Region: East; Sales: 1\nRegion: West; Sales: 2"
    assert [len(one.rows) for one in frames(f"# January\n{month}\n# Budget\n{month}\n# February\n{month}")] == [4, 2]


@pytest.mark.parametrize(
    ("said", "whens"),
    [
        (("2025-04-01", "2025/12/31 10:30"), ("2025-04-01", "2025-12-31")),
        (("2025年4月", "2025年12月"), ("2025-04", "2025-12")),
        (("Apr 1, 2025", "January 31 2025"), ("2025-04-01", "2025-01-31")),
        (("1 April 2025", "15-May-2024"), ("2025-04-01", "2024-05-15")),
        (("3/4/2025", "3/31/2025"), ("2025-03-04", "2025-03-31")),
        (("3/4/2025", "31/3/2025"), ("2025-04-03", "2025-03-31")),
        (("3/4/2025", "5/6/2025"), ("", "")),
        (("2019", "2020"), ("2019", "2020")),
    ],
)
def test_days_are_read_as_files_write_them(said: tuple[str, str], whens: tuple[str, str]) -> None:
    (frame,) = frames("\n".join(f"Year or day: {one}; Sales: 1" for one in said))
    assert tuple(map(frame.when, frame.rows)) == whens


SHOPS = "\n".join(
    f"Date: 2024-{1 + at % 6:02}-05; Branch: {'ABC'[at % 3]}; Product: {('Chair', 'Chair Deluxe')[at % 2]}; Sales: {at}"
    for at in range(36)
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("total sales at branch B", "B, Sales: 210 = sum of 12 rows (Branch: B)"),
        ("total sales of Chair Deluxe", "Chair Deluxe, Sales: 324 = sum of 18 rows (Product: Chair Deluxe)"),
        ("branch A支店の売上の合計は？", "A, Sales: 198 = sum of 12 rows (Branch: A)"),
        ("total sales except Chair", "Product: ≠ Chair, Sales: 324 = sum of 18 rows (Product: ≠ Chair)"),
        ("median sales in March", "March 2024, Sales: 17 = median of 6 rows (Date: 2024-03)"),
        ("sales in the first half and the second half of 2024", ""),
        ("total sales at branch D", ""),
    ],
)
def test_cells_that_are_codes_or_hold_others_are_meant_as_they_are_said(question: str, told: str) -> None:
    query = Query(frames(SHOPS)[0], "orders", question_parts(question), None)
    lines = [f"{one.what}: {one.said}" for one in query.told(Language.EN)]
    assert lines == ([told] if told else [])


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (("1,000", "$2,000"), None),  # Dollars are not added to what says no currency.
        (("1,000円", "２，０００円"), 3000),
        (("1.5e3", "(500)"), 1000),
        (("△200", "¥300"), None),
        (("10", "unknown"), None),
        (("10", "-"), 10),
        (("10", ""), 10),
        (("1" * 400, "1"), None),
    ],
)
def test_figures_are_added_up_only_if_all_of_them_are_read(cells: tuple[str, str], told: float | None) -> None:
    frame = Frame(tuple(Row(at, at + 1, {"Shop": str(at), "Sales": cell}) for at, cell in enumerate(cells)))
    part = part_of(frame, How.SUM, "Sales", {})
    assert (part.value if part else None) == told


def test_a_table_in_which_a_row_is_none_has_no_frame() -> None:
    rows = ["Shop: A; Sales: 1; Note: paid", "Shop: B; Sales: 2; Note: paid; shipped", "Shop: C; Sales: 3; Note: x"]
    assert frames("\n".join(rows)) == ()
    assert frames("\n".join([rows[0], "Shop: B; Sales: 2; Sales: 4"])) == ()


PAGE = "\n".join(f"Date: 2024-0{1 + at % 3}-05; Shop: {'AB'[at % 2]}; Sales: {at}" for at in range(12))


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("A, Sales: 30 = sum of 6 rows (Shop: A)", True),
        ("A、Sales：30 = 6行の合計（Shop: A）", True),
        ("A, Sales: 31 = sum of 6 rows (Shop: A)", False),
        ("A, Sales: 30 = sum of 5 rows (Shop: A)", False),
        ("B, Sales: 30 = sum of 6 rows (Shop: B)", False),
        ("A, Cost: 30 = sum of 6 rows (Shop: A)", False),
        ("Sales: 5.50 = average of 12 rows", True),
        ("Sales: 11 = highest of 12 rows", True),
        ("Sales: 12 = highest of 12 rows", False),
        ("February 2024, Sales: 22 = sum of 4 rows (Date: 2024-02)", True),
        ("Sales: 40 = sum of 8 rows (Date: 2024-01 – 2024-02)", True),
        ("A: 50.0% = 6 rows (Shop: A) ÷ 12 rows", True),
        ("A: 51.0% = 6 rows (Shop: A) ÷ 12 rows", False),
        ("Sales: 45.5% = 30 (sum of 6 rows, Shop: A) ÷ 66 (sum of 12 rows, Sales: ≥ 0)", True),
        ("B, Sales: 6 = 36 (sum of 6 rows, Shop: B) − 30 (sum of 6 rows, Shop: A)", True),
        ("B, Sales: 20.0% = 36 (sum of 6 rows, Shop: B) ÷ 30 (sum of 6 rows, Shop: A) − 1", True),
        ("B, Sales: 21.0% = 36 (sum of 6 rows, Shop: B) ÷ 30 (sum of 6 rows, Shop: A) − 1", False),
        ("Sales: > 7: 4 = 4 rows (Sales: > 7)", True),
        ("4 = 4 rows (Sales: > 7)", False),
        ("Shop: 2 = different values of 12 rows", True),
        ("Shop: 3 = different values of 12 rows", False),
        ("Shop: 2 = different values of 11 rows", False),
        ("B, Shop：1 = 6行の異なる値（Shop: B）", True),
        ("A, Shop: 1 = different values of 6 rows (Shop: B)", False),
    ],
)
def test_what_is_told_of_rows_is_made_anew(said: str, is_so: bool) -> None:
    assert told_again(said, [PAGE]) is is_so
    verdict = checked_calculation(said, [(PAGE, PAGE.split("\n")[0])])
    assert verdict is not None and verdict.label is (Label.SUPPORTED if is_so else Label.UNSUPPORTED)


@pytest.mark.parametrize("said", ["12.0% = 240 ÷ 2,000", "Sales were 12.", "a = b", " = ", "1 = sum of rows", "x" * 9])
def test_what_tells_nothing_of_rows_is_left_to_others(said: str) -> None:
    assert told_again(said, [PAGE]) is None


@pytest.mark.parametrize("text", ["", "# Sheet", "a: 1", ";;;: ; :", "one; two: 2; three", "\x00: 1; \x00: 2\n" * 3])
def test_what_is_no_table_has_no_frames_or_harmless_ones(text: str) -> None:
    assert all(frame.rows for frame in frames(text))
