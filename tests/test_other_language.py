"""Documents of one's own in two languages: what answers may share no word with the question."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.core import Status
from research.results import Report
from research.text import question_parts
from tests.support.rule_made import asked, parts

DOCUMENTS = {
    "review.md": """# Packaging review, 12 March 2026

Present: Lindqvist (chair), Oduya, Takeda

## Complaints

Nine of the 14 returned crates had split at the handle, most of them in cold stores.

## Actions

1. Oduya sends the drawing of the new handle to both moulders by 3 April 2026.
""",
    "trial.md": """# 低温倉庫での運用試験

## 結果

試験した40個の通い箱のうち3個で持ち手が割れ、いずれも氷点下25度の倉庫であった。

## 費用

試験の費用は180万円で、全額を開発部が負担した。
""",
    "rivals.md": """# 競合メモ

当社の強みは、箱の軽さと洗いやすさである。

B社（ポーランド）：価格は当社より2割低く、欧州に回収拠点を14か所持つ。

D社（韓国）：追跡用の無線タグを標準で付けている。
""",
    "budget.md": """# Budget notes

A weaker euro raises what we pay for resin: each cent adds about 40,000 euros a year.

The canteen is repainted in June.
""",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("two-languages")
    (place / "documents").mkdir()
    for name, text in DOCUMENTS.items():
        (place / "documents" / name).write_text(text, encoding="utf-8")
    return place


def answered(question: str, home: Path) -> Report:
    return asked(question, home / "home", home / "documents")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How cold was the warehouse of the trial?", "氷点下25度"),
        ("Which rival has radio tags?", "追跡用の無線タグ"),
        ("新しいハンドルの図面は誰が送りますか。", "Oduya sends the drawing"),
        ("Who attended the packaging review?", "Lindqvist (chair), Oduya, Takeda"),
        ("B社の強みは何ですか。", "価格は当社より2割低く"),
        ("ユーロ安は当社の費用にどう影響しますか。", "A weaker euro raises"),
    ],
)
def test_what_answers_is_shown_in_whichever_language_it_stands(question: str, told: str, home: Path) -> None:
    assert told in answered(question, home).markdown


def test_who_was_there_is_no_answer_to_what_was_decided(home: Path) -> None:
    body = parts(answered("What was decided in the packaging review?", home).markdown)["Answer"]
    assert "Oduya sends the drawing" in body
    assert "Lindqvist" not in body


def test_what_does_not_surely_answer_is_shown_as_what_comes_nearest(home: Path) -> None:
    report = answered("B社の強みは何ですか。", home)
    told = parts(report.markdown)
    assert report.status is Status.PARTIAL
    assert "確かに当たる記述は見つかりませんでした" in told["答え"]
    assert "価格は当社より2割低く" in told["内容が近い記述"]


def test_who_is_missing_is_named_as_the_report_is_written(home: Path) -> None:
    draft = answered("B社とZ社の価格はどう違いますか。", home).record.draft
    assert "Z社についての記述は見つかりませんでした" in draft
    assert "Company" not in draft


@pytest.mark.parametrize(
    ("question", "attributes"),
    [
        ("ベトナムの代理店は何に不満を持っていますか。", ("代理店の不満",)),
        ("取締役会では何が承認されましたか。", ("取締役会の承認",)),
        ("円安は業績にどう影響しますか。", ("円安は業績に影響",)),
    ],
)
def test_what_only_asks_is_no_part_of_what_is_asked(question: str, attributes: tuple[str, ...]) -> None:
    assert question_parts(question).attributes == attributes


@pytest.mark.parametrize("question", ["What are company B's strengths?", "B社の強みは何ですか。"])
def test_a_company_known_by_a_letter_has_a_name_in_both_languages(question: str) -> None:
    (name,) = question_parts(question).names
    assert (name.en, name.ja) == ("Company B", "B社")
