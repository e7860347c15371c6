"""What a company's own document says in tables is told by what its cells are called, counted in and listed under."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.core import Brief, MethodName, PresetName, SourceName
from research.language import Language
from research.library import Library
from research.sources.local import LocalSource
from tests.support.rule_made import parts, run

_COMPANY = """# 青葉精機株式会社 企業概要

| 項目 | 内容 |
|---|---|
| 本社 | 長野県諏訪市 |
| 従業員数 | 連結412名 |
| 海外売上比率 | **38%**（2024/12期） |

## 大株主（2024/12期末）

| 株主名 | 持株比率 | 備考 |
|---|---|---|
| 青葉興産㈱ | 31.20% | 創業家 |
| **信濃銀行** | **4.85%** | |
| 青葉精機従業員持株会 | 2.10% | |

## 製品別の構成

| 製品区分 | 構成比 | 売上高（百万円） |
|---|---|---|
| 測定機 | 61.0% | 6,100 |
| 研削盤 | 9.0% | 900 |
| 保守 | 30.0% | 3,000 |

## 主要な経営指標

| 項目 | 第50期(2022/12) | 第51期(2023/12) | 第52期(2024/12) |
|---|---|---|---|
| 経常利益（千円） | 700,100 | 801,200 | 912,300 |
| 自己資本比率（%） | 61.5 | 63.0 | 66.0 |
"""


async def _answer(folder: Path, question: str) -> str:
    documents = folder / "documents"
    documents.mkdir()
    (documents / "company.md").write_text(_COMPANY, encoding="utf-8")
    (documents / "other.md").write_text("# 桜井商店\n\n従業員数は30名である。\n", encoding="utf-8")
    brief = Brief(
        question=question,
        language=Language.JA,
        preset=PresetName.COST,
        method=MethodName.SUPERVISED,
        sources=(SourceName.LIBRARY,),
    )
    source = LocalSource(SourceName.LIBRARY, lambda: Library(documents, folder / "index"))
    result, _ = await run(brief, source)
    return parts(result.markdown)["答え"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("青葉精機の海外売上比率はどのくらいですか", ["海外売上比率", "38%（2024/12期）"]),
        ("青葉精機の2024年の経常利益はいくらですか", ["経常利益", "912,300千円"]),
        ("青葉精機の従業員数は何人ですか", ["連結412名"]),
    ],
)
async def test_a_value_is_told_with_its_unit(tmp_path: Path, question: str, told: list[str]) -> None:
    answer = await _answer(tmp_path, question)
    assert [one for one in told if one not in answer] == []
    assert "**" not in answer
    assert "\\|" not in answer


async def test_who_is_asked_for_is_listed_by_the_table_of_that_name(tmp_path: Path) -> None:
    answer = await _answer(tmp_path, "青葉精機の主要株主は誰ですか")
    places = [answer.index(one) for one in ("青葉興産㈱: 31.20%", "信濃銀行: 4.85%", "従業員持株会: 2.10%")]
    assert places == sorted(places)


async def test_the_highest_row_is_found_in_the_column_that_is_asked_for(tmp_path: Path) -> None:
    answer = await _answer(tmp_path, "青葉精機の製品区分で売上高が最も大きいのはどれですか")
    places = [answer.index(one) for one in ("測定機: 6,100百万円", "保守: 3,000百万円", "研削盤: 900百万円")]
    assert places == sorted(places)


async def test_shares_differ_by_points(tmp_path: Path) -> None:
    answer = await _answer(tmp_path, "青葉精機の自己資本比率の推移")
    assert "66.0%" in answer
    assert "4.5ポイント" in answer
