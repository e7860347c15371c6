"""Questions on several firms, on firms by their initials, and on what they have in common, asked of their reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.rule_made import asked

_PAGE = """<html><head><title>x-20241231</title></head><body>
<p><ix:nonNumeric contextRef="c" name="dei:EntityRegistrantName">{name}</ix:nonNumeric></p>
<p><ix:nonNumeric contextRef="c" name="dei:DocumentType">10-K</ix:nonNumeric></p>
<h2>Business</h2>
<p>Our business is seasonal. The business of our people is to serve. Our business depends on the weather.</p>
<p>{own}</p>
<h2>Officers</h2>
<p>Ms. Lindqvist has led the business in the north since 2019 and the business in the south before.</p>
<h2>Risks</h2>
<p>Our business could suffer if the harbour freezes. Competition is keen in every business that we are in.</p>
<p>We lease most of our offices. We own all of our works. We have insured them against fire and flood.</p>
</body></html>"""
FIRMS = {
    "harbour": (
        "Harbour &amp; Vale Co",
        "Sales to Norrmart amounted to 14 percent of net sales, the most of all.",
    ),
    "kestrel": (
        "Kestrel Foods Inc",
        "Norrmart accounted for 21 percent of net sales in the year, as in the last.",
    ),
    "quarry": ("Quarry Mills Corp", "In the year we sold more to Norrmart, which took 33 percent of net sales."),
}


def firms(folder: Path) -> Path:
    folder.mkdir()
    for stem, (name, own) in FIRMS.items():
        (folder / f"{stem}.html").write_text(_PAGE.format(name=name, own=own), encoding="utf-8")
    return folder


def first_lines(question: str, tmp_path: Path) -> str:
    report = asked(question, tmp_path / "home", firms(tmp_path / "docs"))
    return report.markdown.partition("## Sources")[0]


def test_each_of_several_firms_is_told_by_what_its_own_report_says_of_their_common_customer(tmp_path: Path) -> None:
    asked = "How much of their business do Harbour & Vale, Kestrel Foods and Quarry Mills each do with Norrmart?"
    said = first_lines(asked, tmp_path)
    answer = said.split("## ")[1]
    assert all(share in answer for share in ("14 percent", "21 percent", "33 percent")), said
    assert "Lindqvist" not in answer


@pytest.mark.parametrize(
    "asked", ["How much does H&V sell to Norrmart?", "What share of H&V's sales goes to Norrmart?"]
)
def test_a_firm_is_asked_for_by_its_initials(asked: str, tmp_path: Path) -> None:
    answer = first_lines(asked, tmp_path).split("## ")[1]
    assert "14 percent" in answer
    assert "21 percent" not in answer and "33 percent" not in answer


_STATEMENT = """# {name} annual report 2024

{name} makes and sells tiles. It competes with Kestrel Stone and others.

## Sales in constant currency

| | 2024 | 2023 |
| --- | ---: | ---: |
| Revenues | -12 | 3 |

## Consolidated statements of income

| | 2024 | 2023 |
| --- | ---: | ---: |
| Revenues | {sales} | 1,100 |
| Cost of sales | 800 | 700 |
"""
_SILENT = "# Kestrel Stone annual report 2024\n\nKestrel Stone cuts slate. Its quarries lie in the north of the island."


def compared(kestrel: str | None, tmp_path: Path) -> str:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "harbour.md").write_text(_STATEMENT.format(name="Harbour Tiles", sales="1,250"), encoding="utf-8")
    if kestrel:
        (folder / "kestrel.md").write_text(kestrel, encoding="utf-8")
    report = asked("Compare the revenue of Harbour Tiles and Kestrel Stone", tmp_path / "home", folder)
    return report.markdown.split("## ")[1]


def test_lines_of_statements_are_compared_by_each_firms_own_statement(tmp_path: Path) -> None:
    answer = compared(_STATEMENT.format(name="Kestrel Stone", sales="2,480"), tmp_path)
    assert [one for one in ("Harbour Tiles", "1,250", "Kestrel Stone", "2,480") if one not in answer] == []
    assert "-12" not in answer


@pytest.mark.parametrize("kestrel", [_SILENT, None], ids=["pages that do not say it", "only mentioned by the other"])
def test_a_firm_of_which_nothing_is_told_is_named(kestrel: str | None, tmp_path: Path) -> None:
    answer = compared(kestrel, tmp_path)
    assert "1,250" in answer
    assert "**Kestrel Stone**: Nothing was found on this." in answer
