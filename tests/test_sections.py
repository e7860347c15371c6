"""Sections that are headed by what is asked: the risks of a firm, why a place was chosen, next year's outlook."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.core import Status
from research.documents import read
from tests.support.rule_made import asked, said_first

_MARK = '<ix:nonNumeric name="dei:{name}" contextRef="c">{said}</ix:nonNumeric>'


def _line(said: str, style: str = "font-weight:400") -> str:
    return f'<div><span style="{style}">{said}</span></div>'


def _head(said: str) -> str:
    return _line(said, "font-family:Arial;font-weight:700")


def _foot(page: int) -> str:
    return _line(f"Lumen Works | 2024 Form 10-K | {page}")


_FILLER = "".join(
    f"{_line(f'Part {page} of the statements was prepared under accounting rules that are in force.')}{_foot(page)}"
    for page in range(8, 20)
)
FILING = f"""<html><body>
<ix:header>hidden</ix:header>
<div>{_MARK.format(name="EntityRegistrantName", said="Lumen Works Inc")}
{_MARK.format(name="DocumentType", said="10-K")}
{_MARK.format(name="DocumentFiscalYearFocus", said="2024")}</div>
{_head("Item 1. Business")}
{_line("Lumen Works designs tablets for drawing and lends them to schools with lessons for a term.")}
{_head("Competition")}
{_line("The market for drawing tablets is crowded, and prices fall every year. Larger makers sell tablets below their")}
{_foot(4)}
{_line("cost to win schools. We compete by the lessons that come with a tablet.")}
{_line("Our rivals include Papermoon of Oslo and Tintworks of Lyon, which lend tablets as we do.")}
{_head("Item 1A. Risk Factors")}
{_line("Each of the following could harm us and the price of our shares, and there may be others.")}
{_head("Supply")}
{_line("•The glass of our tablets comes from a single furnace in Bohemia, which may fail at any time.")}
{_line("•A strike at the port of Gdynia would leave schools without tablets at the beginning of a term.")}
{_head("Customers")}
{_line("Schools pay from public budgets, and a cut in these would reach our sales within a term.")}
{_foot(5)}
{_head("Law")}
{_line("A law on screens in classrooms is being debated in three of the states in which we lend.")}
{_head("Item 3. Legal Proceedings")}
{_line("We are party to no proceedings that would matter to anybody who holds our shares today.")}
{_FILLER}
</body></html>"""
MEMO = """# Where to open the second workshop

Prepared for the board on 3 March 2026.

## Why Porto

Rents in Porto are a third of those in Lisbon, and the school of glass trains forty people a year.

The harbour takes our containers without a detour.

## Risks

- The building has no permit for a furnace yet.
- Two of the four masters would have to move from Braga.

## Outlook for 2026

Sales are expected to reach 4.1 million euros, and the workshop to open in October.
"""


RESULTS = """# 2025年度の業績

## 業績

売上高は38億円で、前の年度から4%増えた。

## 2026年度の見通し

売上高は41億円を見込み、工房は10月に開く。
"""


@pytest.fixture
def library(documents: Path) -> Path:
    (documents / "lumen-10-k.html").write_text(FILING, encoding="utf-8")
    (documents / "workshop.md").write_text(MEMO, encoding="utf-8")
    (documents / "results.md").write_text(RESULTS, encoding="utf-8")
    return documents


BRANDS = "# BLUE HERON CO 10-K 2025\n\n## Blue Heron\n\n" + "\n\n".join(
    f"Employees of Blue Heron sell Blue Heron {name} by the {vessel}, as Blue Heron has done since it was founded."
    for name in ("tea", "juice", "soda", "water", "mate", "cola", "tonic", "punch", "cider", "milk")
    for vessel in ("can", "glass", "jug", "barrel", "crate")
)
STAFF = """

## People

At the end of the year we had approximately 6,310 employees. There were 6,840 a year before; two plants were sold.

## Law

Indicate by check mark whether the registrant is a large filer, as the rules of the commission define it.

The accounts were drawn up under the rules of the commission, and no auditor left during the year.

"""
COVERED = BRANDS + STAFF


def test_whom_a_page_is_about_is_no_word_that_is_looked_for_in_it(documents: Path, home: Path) -> None:
    (documents / "blue-heron.md").write_text(COVERED, encoding="utf-8")
    told = said_first(asked("blue heron headcount, up or down vs last year and why", home, documents))
    assert "6,310 employees" in told
    assert "check mark" not in asked("Tell me about Blue Heron", home, documents).markdown


def test_a_filing_has_headings_and_sentences_that_are_whole() -> None:
    text = read(Path("lumen.html"), FILING.encode()).text
    assert "## Item 1A. Risk Factors\n" in text
    assert "### Supply\n" in text
    assert "below their cost to win schools" in text
    assert "Form 10-K |" not in text
    assert "- The glass of our tablets" in text


@pytest.mark.parametrize(
    "question", ["What are the biggest risks for Lumen Works?", "Lumen Worksの主なリスクは何ですか"]
)
def test_the_risks_of_a_firm_are_told_from_each_part_of_its_risk_factors(
    question: str, library: Path, home: Path
) -> None:
    report = asked(question, home, library)
    told = said_first(report)
    assert report.status is Status.COMPLETE
    assert "single furnace in Bohemia" in told
    assert "port of Gdynia" in told
    assert "public budgets" in told
    assert "law on screens" in told
    assert "permit for a furnace" not in told


def test_a_heading_that_means_what_is_asked_is_found(library: Path, home: Path) -> None:
    told = said_first(asked("Who are Lumen Works' competitors?", home, library))
    assert "Papermoon of Oslo" in told
    assert "Bohemia" not in told


def test_why_is_told_under_the_heading_that_says_so(library: Path, home: Path) -> None:
    told = said_first(asked("Why did we choose Porto?", home, library))
    assert "third of those in Lisbon" in told
    assert "without a detour" in told


@pytest.mark.parametrize(
    ("question", "fact"),
    [("What is the outlook for next year?", "4.1 million euros"), ("来期の見通しは", "41億円を見込み")],
)
def test_a_heading_may_name_the_year(question: str, fact: str, library: Path, home: Path) -> None:
    assert fact in said_first(asked(question, home, library))


REPORT = """# Kestrel Glass annual report 2025

## Competition and seasonality

Larkspur of Gent and Oriel of Turin sell lenses to the same opticians as we do, at about our price.

Most of our lenses are sold between March and June.

## Our supply chain

Blanks are cast in Liberec and ground in four workshops, from which a van reaches every optician within a day.

## Business strategy and organizational risks

If we lose the master grinders of Liberec, the casting of new blanks would stop for a season.

## Properties

The casting house in Liberec is our own, and three of the four workshops are leased until 2031.
"""


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Who are Kestrel Glass's rivals?", "Larkspur of Gent"),
        ("Kestrel Glassの競合は", "Larkspur of Gent"),
        ("Kestrel Glassの季節性について", "between March and June"),
        ("Kestrel Glassの物流・配送網はどうなっていますか", "reaches every optician within a day"),
        ("who does kestrel glass go up against", "Larkspur of Gent"),
    ],
)
def test_a_heading_may_list_what_is_asked_or_say_it_in_other_words(
    question: str, fact: str, documents: Path, home: Path
) -> None:
    (documents / "kestrel.md").write_text(REPORT, encoding="utf-8")
    assert fact in said_first(asked(question, home, documents))


@pytest.mark.parametrize(
    "question",
    [
        "What intellectual property does Kestrel Glass have?",
        "Kestrel Glassの知的財産は",
        "Kestrel Glassの事業戦略は",
    ],
)
def test_a_heading_that_says_a_part_of_what_is_asked_or_what_risks_are_of_tells_something_else(
    question: str, documents: Path, home: Path
) -> None:
    (documents / "kestrel.md").write_text(REPORT, encoding="utf-8")
    told = said_first(asked(question, home, documents))
    assert "— Properties" not in told
    assert "— Business strategy" not in told
