"""What was asked about a report afterwards stands in its Office files too."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from research.core import FollowUpAnswered, Sentence
from research.export import FORMATS, Paper
from research.language import Bilingual
from research.results import Report
from tests.support.office_samples import squeezed, words_of
from tests.support.reports import electricity_report

QUESTION = "What did <b>nobody</b> =1+1 ask?"


@pytest.fixture
def asked(tmp_path: Path) -> Report:
    """A report with an answer that cites evidence of its own."""
    report = electricity_report(tmp_path)
    quote = report.record.evidence[0]
    answer = FollowUpAnswered(
        number=1, question=QUESTION, writer="chat", model="m", draft=f"{quote.quote} [{quote.id}]", is_answered=True,
        is_covered=True,
        sentences=(
            Sentence(
                text=quote.quote, evidence=(quote.id,), verdict="supported", score=1.0, reason=Bilingual("a", "b")
            ),
        ),
    )  # fmt: skip
    return report.model_copy(update={"history": (*report.history, answer)})


@pytest.mark.parametrize(("name", "folders"), [("docx", "word/document"), ("pptx", "ppt/(slides|notesSlides)/")])
def test_question_and_answer_stand_in_the_text(asked: Report, name: str, folders: str) -> None:
    words = words_of(FORMATS[name].make(asked, Paper.A4), folders)
    assert "Follow-upquestions" in words
    assert squeezed(QUESTION) in words
    assert words.count(squeezed(asked.record.evidence[0].quote)) > 1


def test_the_sentences_of_an_answer_stand_beside_its_question(asked: Report) -> None:
    sheet = load_workbook(io.BytesIO(FORMATS["xlsx"].make(asked, Paper.A4)))["Sentences"]
    heads, *rows = sheet.iter_rows(values_only=True)
    assert heads[-1] == "Asked"
    assert rows[-1][-1] == QUESTION
    assert rows[-1][1] == "Supported"
    assert rows[-1][4].startswith("[")
    assert {row[-1] for row in rows[:-1]} == {None}
