"""Answers whose words are not those of the question: told by meaning, without the names that any passage holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from research.language import Language
from research.text import language_of
from tests.support.rule_made import asked, parts

PUMP = """# QX-70 pump

The QX-70 uses 32% less electricity than its predecessor QX-60 in typical part-load operation.

The guarantee is 24 months. Replacement parts are kept in stock for 15 years after the end of production.

The QX-70 was shown at a fair in Osaka, where the QX-70 drew many visitors.
"""
ALMANAC = """# Sweden — Economy

Sweden – Exports 2024: $338.852 billion (2024 est.)

Sweden – Exports - commodities: cars, refined petroleum, packaged medicine, paper (2023)

Sweden – Exports - partners: Germany 10%, USA 10%, Denmark 8%, Norway 6%, Netherlands 5% (2023)

Sweden – Languages: Swedish (official) 87%, Finnish 2.5%, Arabic 2%, other 8.5% (2022 est.)

Sweden – Languages, samples: Hej och hej. (Swedish)

Sweden – Independence: 6 June 1523 (Gustav Vasa elected king)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "pump.md").write_text(PUMP, encoding="utf-8")
    (documents / "sweden.md").write_text(ALMANAC, encoding="utf-8")
    (documents / "notes.txt").write_text("Notes on rivals, March 2026\n\nThey sell through agents.\n", encoding="utf-8")
    return documents


def answer(question: str, folder: Path) -> list[str]:
    """The lines of the answer, as the built-in model of meaning finds it."""
    report = asked(question, folder.parent / "home", folder)
    heading = {Language.EN: "Answer", Language.JA: "答え"}[language_of(question)]
    return re.findall(r"^ *- (.+)$", parts(report.markdown).get(heading, ""), re.MULTILINE)


@pytest.mark.parametrize("question", ["What is the warranty of the QX-70?", "QX-70の保証期間はどのくらいですか。"])
def test_what_only_names_whom_is_asked_about_does_not_answer(question: str, folder: Path) -> None:
    assert "The guarantee is 24 months." in answer(question, folder)[0]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What are the main Swedish exports?", "Exports - "),
        ("Which languages are spoken in Sweden?", "Swedish (official) 87%"),
        ("When did Sweden become independent?", "6 June 1523"),
    ],
)
def test_things_and_dates_are_told_where_no_amount_is_asked_for(question: str, first: str, folder: Path) -> None:
    lines = answer(question, folder)
    assert first in lines[0]
    assert not any("billion" in line for line in lines)


def test_a_text_file_is_called_by_the_line_over_it(folder: Path) -> None:
    report = asked("How do rivals sell?", folder.parent / "home", folder)
    assert "Notes on rivals, March 2026" in {source.title for source in report.record.sources}


def monthly(tmp_path: Path, label: str) -> Path:
    """A folder with a table of a year: 11 in January to 22 in December, 198 together."""
    documents = tmp_path / "documents"
    documents.mkdir()
    rows = "".join(f"2025-{month:02},Sweden,{10 + month}\n" for month in range(1, 13))
    (documents / "branches.csv").write_text(f"month,country,{label}\n{rows}", encoding="utf-8")
    return documents


@pytest.mark.parametrize(
    "question", ["What were the sales in Sweden in 2025?", "2025年のスウェーデン向け売上高はいくらですか。"]
)
def test_what_is_asked_of_a_year_is_the_sum_of_its_months(question: str, tmp_path: Path) -> None:
    lines = answer(question, monthly(tmp_path, "sales_million_yen"))
    what = (
        r"Sweden, January 2025 – December 2025, sales \(million yen\): "
        r"|スウェーデン、2025年1月〜2025年12月、売上高.*："
    )
    assert re.search(rf"(?:{what})198 = ", lines[0])


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("What were the sales in Sweden in April 2025?", ["2025-04"]),
        ("What were the sales in Sweden in March 2025 and in June 2025?", ["2025-03", "2025-06"]),
        ("スウェーデン向けの2025年4月から6月の売上高はいくらですか。", ["2025-04", "2025-05", "2025-06"]),
        ("2025年3月と2025年6月のスウェーデン向け売上高はいくらですか。", ["2025-03", "2025-06"]),
    ],
)
def test_what_is_asked_of_months_is_told_of_these_alone(question: str, months: list[str], tmp_path: Path) -> None:
    lines = "\n".join(answer(question, monthly(tmp_path, "sales_million_yen")))
    assert re.findall(r"2025-\d\d", lines) == months


def test_a_row_of_one_place_is_of_no_other_that_its_page_is_titled_by(tmp_path: Path) -> None:
    folder = tmp_path / "markets"
    folder.mkdir()
    rows = "| Vietnam | 7.4 | Chinese makers |\n| Indonesia | 11.8 | A Japanese maker |"
    table = f"| Country | Market for pumps (billion yen) | Competitors |\n| --- | --- | --- |\n{rows}"
    (folder / "study.md").write_text(f"# Market entry study: Vietnam and Indonesia\n\n{table}\n", encoding="utf-8")
    question = "How many pumps were sold in Vietnam and Indonesia, and how large is the market?"
    draft = asked(question, tmp_path / "home", folder).record.draft
    assert set(re.findall(r"7\.4|11\.8", draft.partition("| Vietnam |")[2].partition("\n")[0])) == {"7.4"}


def test_months_are_not_added_where_they_are_asked_for_or_make_no_sum(tmp_path: Path) -> None:
    documents = monthly(tmp_path, "unemployment_rate")
    assert not any("198" in line for line in answer("What was the unemployment rate in Sweden in 2025?", documents))


@pytest.mark.parametrize(
    ("label", "question"),
    [
        ("number of employees", "How many employees are there in Sweden?"),
        ("従業員数", "スウェーデンの従業員数は何人ですか。"),
        ("customer satisfaction score", "What is the customer satisfaction score in Sweden?"),
    ],
)
def test_of_what_is_there_each_month_the_last_month_tells(label: str, question: str, tmp_path: Path) -> None:
    lines = answer(question, monthly(tmp_path, label))
    assert "22" in lines[0] and not any("198" in line for line in lines)


def test_what_is_told_in_other_words_is_shown_though_hardly_a_word_of_the_question_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "minutes"
    folder.mkdir()
    for month, said in (
        ("October", "Treasurer's report\n\n- Rent is due in January\n- The audit goes on"),
        ("November", "Elections planning\n\n- 19 candidates for 3 positions\n- Almost 100 votes so far, 472 members"),
        ("December", "Website\n\n- A new server was bought\n- The old one goes to a school"),
    ):
        (folder / f"{month}.md").write_text(f"# Meeting of {month} 2025\n\n## {said}\n", encoding="utf-8")
    question = "How contested was the ballot under way in November 2025, and how many had taken part by then?"
    draft = asked(question, tmp_path / "home", folder).record.draft
    assert "19 candidates for 3 positions" in draft
    assert "Nothing was found on" not in draft


TOWNS = """市区町村,出生総数（人）,死亡総数（人）
市川市,3763,4189
松戸市,3286,5023
柏市,3067,3992
流山市,2108,1741
成田市,903,1903
"""


def test_towns_listed_in_short_are_rows_of_a_file_and_are_added_up(tmp_path: Path) -> None:
    folder = tmp_path / "towns"
    folder.mkdir()
    (folder / "自然動態.csv").write_text(TOWNS, encoding="utf-8")
    draft = asked("市川・松戸・柏の出生総数は合わせて何人ですか。", tmp_path / "home", folder).record.draft
    assert re.search(r"10,116 = 3,763 \[E\d+\] \+ 3,286 \[E\d+\] \+ 3,067 \[E\d+\]", draft)


def test_a_number_of_people_is_no_year(tmp_path: Path) -> None:
    folder = tmp_path / "towns"
    folder.mkdir()
    (folder / "自然動態.csv").write_text(TOWNS, encoding="utf-8")
    draft = asked("成田市の出生総数は何人ですか。", tmp_path / "home", folder).record.draft
    assert "903" in draft
    assert "(1903)" not in draft


NORWAY = """# Norway — People and Economy

Norway – Population, total: 5,509,733 (2024 est.)

Norway – Population distribution: most people live in the south, along the coast

Norway – Exports 2024: $229.205 billion (2024 est.)

Norway – Exports - partners: Germany 18%, Sweden 9%, Denmark 7%, Netherlands 6% (2023)
"""
SWEDEN = """# Sweden — Geography

Sweden – Population distribution: most of the population lives in the south where the climate is milder

Sweden – Population, total: 10,643,745 (2025 est.)
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What share of Norway's exports go to Sweden?", "Norway – Exports - partners: Germany 18%, Sweden 9%"),
        (
            "ノルウェーの輸出に占めるスウェーデンの割合はどれくらいですか。",
            "Norway – Exports - partners: Germany 18%, Sweden 9%",
        ),
        ("What is the population of Sweden and Norway together?", "Population, total, Sweden + Norway: 16,153,478 ="),
        ("How many people live in Sweden and Norway together?", "Population, total, Sweden + Norway: 16,153,478 ="),
    ],
)
def test_only_figures_are_added_or_shares_of_another(question: str, told: str, folder: Path) -> None:
    (folder / "norway.md").write_text(NORWAY, encoding="utf-8")
    (folder / "people.md").write_text(SWEDEN, encoding="utf-8")
    said = answer(question, folder)
    assert told in said[0]
    assert not any("south" in line for line in said)


@pytest.mark.parametrize(("most", "first"), [("largest", "Sweden"), ("smallest", "Norway")])
def test_of_a_group_the_one_that_is_asked_for_stands_first(most: str, first: str, folder: Path) -> None:
    (folder / "norway.md").write_text(NORWAY, encoding="utf-8")
    (folder / "people.md").write_text(SWEDEN, encoding="utf-8")
    question = f"Which of the Nordic countries has the {most} population?"
    report = asked(question, folder.parent / "home", folder)
    rows = re.findall(r"^\| (Sweden|Norway) \|", report.markdown, re.MULTILINE)
    assert rows[0] == first
    assert len(rows) == 2


def test_a_long_page_is_read_whole_and_quoted_from_the_beginning_of_a_sentence(folder: Path) -> None:
    filler = "\n".join(f"Site {number} makes doors and windows for houses in its own valley." for number in range(900))
    before = "Demand for doors follows what houses are built, " + ", ".join(f"in valley {one}" for one in range(24))
    told = f"{before}. Historically, the\nairline industry has been cyclical and very competitive."
    (folder / "long.md").write_text(f"# Yearly report\n\n{filler}\n{told}\n\n{filler}\n", encoding="utf-8")
    assert (
        "Historically, the airline industry has been cyclical" in answer("Is the airline industry cyclical?", folder)[0]
    )
