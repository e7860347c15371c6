"""Minutes and notes as they lie in folders: dated by their names, found by their time, with HTML in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from research import Library, run_sync
from research.core import Brief, SourceName
from research.documents.document import date_named
from research.documents.readers import read
from research.settings import Settings
from research.text import month_alone, passages, question_parts, sentences, values_of


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("2026-01-08", "2026-01-08"),
        ("20260108_minutes", "2026-01-08"),
        ("議事録_2026年4月8日", "2026-04-08"),
        ("Board meeting, January 8, 2026", "2026-01-08"),
        ("8 January 2026", "2026-01-08"),
        ("Quality review, April 2026", "2026-04"),
        ("sales-2026-04", "2026-04"),
        ("season 2010-11", None),
        ("report-2025", None),
        ("12345678", None),
        ("20250230", None),
    ],
)
def test_a_name_that_holds_a_day_or_month_dates_a_document(name: str, day: str | None) -> None:
    assert date_named(name) == day


def test_the_date_that_a_document_states_goes_before_that_of_its_name() -> None:
    assert read(Path("2026-01-08.md"), b"---\ndate: 2025-12-01\n---\n# Notes\n\nText.").published == "2025-12-01"
    assert read(Path("2026-01-08.txt"), b"The balance was stated.").published == "2026-01-08"
    assert read(Path("notes.md"), "# 会議 2026年3月4日\n\n本文。".encode()).published == "2026-03-04"


def test_questions_find_the_minutes_of_the_months_that_they_name(tmp_path: Path) -> None:
    folder = tmp_path / "minutes"
    folder.mkdir()
    for year in (2024, 2025, 2026):
        for month in range(1, 13):
            text = (
                f"# Monthly meeting\n\n## Balance\n\nThe balance was stated as {year - 2000}{month:02},000 dollars.\n"
            )
            (folder / f"{year}-{month:02}-09.md").write_text(text, encoding="utf-8")
    hits = Library(folder, tmp_path / "index").search(
        "How did the balance change from January 2025 to January 2026?", 6
    )
    assert {"2025-01-09.md", "2026-01-09.md"} <= {hit.path.name for hit in hits}


def test_of_a_fiscal_year_no_month_is_taken_for_the_date_of_documents() -> None:
    assert question_parts("2025年度の売上高はいくらですか。").times == ()
    assert question_parts("2025年4月の会議で何が決まりましたか。").times == ("2025-04",)


MIXED = """# Bill 17

<i class="fa" aria-hidden="true"></i> Sent to a committee.

<fieldset class="point"><legend><h2 class="point">Points</h2></legend>
  <p>Costs &amp; fees: 9,000 dollars</p></fieldset>

<table class="qanda">
<tr><td><i class="q"></i></td><td>How many guides are there, and what do they cost?</td></tr>
<tr><td></td><td>Nine; <b>200 yen</b> each.</td></tr></table>

<table><tr><th>Year</th><th>Guides</th></tr><tr><td>2025</td><td>9</td></tr></table>

{% include footer.html %}

```html
<b>shown as it is</b>
```

A list<T> of a < b stays.
"""


def test_markdown_is_read_without_its_html() -> None:
    text = read(Path("bill.md"), MIXED.encode()).text
    assert "## Points" in text and "Costs & fees: 9,000 dollars" in text and "Sent to a committee." in text
    assert "| Year | Guides |\n| --- | --- |\n| 2025 | 9 |" in text
    assert "<b>shown as it is</b>" in text and "A list<T> of a < b stays." in text
    assert not any(tag in text for tag in ("<td", "<i ", "<p>", "fieldset", "include", "&amp;"))


def test_markdown_without_html_is_read_as_it_is() -> None:
    plain = "# One\n\n  - a < b\n\nx &amp; y, `<b>` is no tag in a <Placeholder>.\n"
    assert read(Path("plain.md"), plain.replace("<b>", "b").encode()).text == plain.replace("<b>", "b")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many guides are there?", "Nine, for 200 yen each."),
        ("音声ガイドは何台あるか。（安竹 洋平）", "> 9台ある。"),
        ("音声ガイドの台数と利用実績は。", "9台で、年に400回使われた。"),
    ],
)
def test_a_question_is_one_passage_with_its_answer(question: str, answer: str) -> None:
    whole = f"{question}\n\n{answer}"
    text = f"# Minutes\n\n## Answers\n\n{whole}\n\nThe meeting was closed at three in the afternoon.\n"
    told = [one.text for one in passages(text)]
    assert told == [whole, "The meeting was closed at three in the afternoon."]


def test_a_year_and_a_month_in_columns_of_their_own_are_one_period() -> None:
    row = "年: 2024; 月: 1; 地域区分: 都道府県; 地域コード: 17; 地域名称: 石川県; 人数: 752557"
    (value,) = values_of(row)
    assert (value.subject, value.label, value.text, value.period) == ("都道府県; 石川県", "人数", "752557", "2024-01")


def test_rows_of_a_data_file_are_sentences_of_their_own() -> None:
    rows = [f"年: 2024; 月: {month}; 地域区分: 都道府県; 地域名称: 石川県; 人数: {month}57" for month in range(1, 4)]
    text = "\n".join(rows)
    assert [text[one.start : one.end] for one in sentences(text)] == rows


def test_a_month_of_the_next_year_is_known() -> None:
    assert question_parts("観光客は2024年1月と翌年の1月とでどれだけ違いますか？").months == ("2024-01", "2025-01")
    assert question_parts("2025年4月の前年の4月の売上高は？").months == ("2024-04", "2025-04")


def test_a_month_without_its_year_is_that_of_the_last_document_of_such_a_month(tmp_path: Path) -> None:
    folder = tmp_path / "board"
    folder.mkdir()
    for day, said in (("2025-03-09", "rent a hall"), ("2026-03-08", "buy a lift"), ("2026-06-11", "sell the van")):
        text = f"# Board meeting\n\n## Decisions\n\nThe board decided to {said}. Anna tells the members.\n"
        (folder / f"{day}.md").write_text(text, encoding="utf-8")
    for question in ("What did the board decide in March?", "3月の会議で決まったことは？"):
        brief = Brief(question=question, sources=(SourceName.LIBRARY,))
        report = run_sync(brief, library=folder, analyst="extractive", settings=Settings(home=tmp_path / "home"))
        answer = report.record.draft.partition("## ")[2].partition("\n## ")[0]
        assert answer.index("lift") < (answer.index("van") if "van" in answer else len(answer))
        assert "hall" not in answer or answer.index("lift") < answer.index("hall")


def test_two_months_are_no_month_alone() -> None:
    assert month_alone("From April to June") is None
    assert month_alone("2025年4月の会議") is None
    assert month_alone("Who may join in May?") == month_alone("5月の会議") == 5
