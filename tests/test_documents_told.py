"""Documents told as a whole: who asks what the board discussed is told the minutes, not what says “board”."""

from __future__ import annotations

from pathlib import Path

import pytest

from research.core import SourceName, Status
from research.text import question_parts
from tests.support.rule_made import asked, said_first

TRAVEL = """# Travel policy

Trips are booked through the travel desk.

## Trains

Trains are second class below four hours.

## Hotels

A night may cost up to 140 euros.
"""
BOARD = """---
title: Minutes of the members' meeting, {date}
date: {date}
---

# Minutes of the members' meeting

Date: {date}
Participants: Sato, Meyer, Okafor

## Finances

{finances}

## Next steps

The office sends the budget to all members.

## Papers

<https://example.org/browse/{date}>
"""


@pytest.fixture
def library(documents: Path) -> Path:
    (documents / "travel.md").write_text(TRAVEL, encoding="utf-8")
    for date, finances in (
        ("2025-02-20", "The reserve fell to 40,000 euros after the conference was moved."),
        ("2026-02-26", "The reserve is back at 95,000 euros, but membership fees cover a third of the rent alone."),
    ):
        (documents / f"{date}.md").write_text(BOARD.format(date=date, finances=finances), encoding="utf-8")
    return documents


@pytest.mark.parametrize(
    ("question", "title", "said", "unsaid"),
    [
        (
            "取締役会での議論をまとめて",
            "取締役会議事録",
            ("20億円とすることを決議", "初期故障率は0.8%"),
            ("出席", "延期する"),
        ),
        (
            "What did the board discuss?",
            "取締役会議事録",
            ("20億円とすることを決議", "初期故障率は0.8%"),
            ("出席", "延期する"),
        ),
        ("品質会議の議事録を要約して", "Quality review meeting", ("silicon carbide seal", "17 days"), ("取締役会",)),
        ("Tell me about our competitors", "競合メモ", ("K社", "G社", "T社", "弱みは"), ("Country",)),
        ("Who are our competitors?", "競合メモ", ("K社", "G社", "T社"), ("Country",)),
        ("AN-300の特徴を教えて", "AN-300 energy-saving", ("32% less electricity", "warranty is 24 months"), ()),
        ("2025年度の業績はどうだった？", "2025年度業績の概要", ("191億8,000万円", "198億円"), ()),
        (
            "取締役会で何が決まりましたか",
            "取締役会議事録",
            ("20億円とすることを決議", "直接投資は行わない"),
            ("次回", "延期する"),
        ),
        (
            "What did the quality review decide?",
            "Quality review meeting",
            ("silicon carbide seal will be standard", "Mori sends the drawing"),
            ("初期故障率",),
        ),
        (
            "Summarise the market entry study in five points",
            "Market entry study",
            ("We recommend Vietnam", "480 million yen"),
            (),
        ),
    ],
)
def test_who_asks_for_a_document_is_told_it_from_its_beginning(
    home: Path, question: str, title: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    report = asked(question, home, of=SourceName.HOUSE)
    told = said_first(report)
    assert report.status is Status.COMPLETE
    assert title in told
    assert [one for one in said if one not in told] == []
    assert [one for one in unsaid if one in told] == []


def test_what_is_told_is_of_the_year_asked_for_and_says_something(home: Path, library: Path) -> None:
    told = said_first(asked("Summarise the 2026 members' meeting.", home, library))
    assert "95,000 euros" in told
    assert "40,000 euros" not in told
    assert "Participants" not in told
    assert "example.org" not in told
    assert told.index("95,000 euros") < told.index("sends the budget")


def test_another_document_is_not_told_for_one_that_is_missing(home: Path, library: Path) -> None:
    report = asked("Give me an overview of the safety policy.", home, library)
    assert report.status is Status.PARTIAL
    assert "Nothing was found" in said_first(report)


def test_what_asks_for_one_thing_is_answered_by_it(home: Path, library: Path) -> None:
    told = said_first(asked("How much may a hotel cost under the travel policy?", home, library))
    assert "140 euros" in told
    assert "Trains" not in told


@pytest.mark.parametrize(
    ("question", "wants"),
    [
        ("Summarise the election, with the number of seats.", True),
        ("What is the mainframe project meant to achieve?", True),
        ("What are the main findings of the study?", True),
        ("この制度はどんな制度ですか", True),
        ("総会ではどんな課題が話されましたか", True),
        ("What is the reserve of the association?", False),
        ("保証期間は何か月ですか", False),
        ("Why was the conference moved?", False),
    ],
)
def test_what_asks_for_an_overview(question: str, wants: bool) -> None:
    assert question_parts(question).wants_overview is wants
