"""What a newcomer meets: no key, nothing set, one of the questions that the start page offers."""

from collections.abc import Callable
from pathlib import Path

import pytest

import research
from research.language import Language
from research.settings import Settings
from research.sources import QUESTIONS, SampleQuestion


@pytest.mark.parametrize(
    ("sample", "language"), [(QUESTIONS[0], Language.EN), (QUESTIONS[1], Language.JA)], ids=["first", "second"]
)
def test_the_first_report_rests_on_several_quotes_that_stand(
    sample: SampleQuestion, language: Language, stocked: Callable[[Path], Path], tmp_path: Path
) -> None:
    home = stocked(tmp_path)
    brief = research.Brief(
        question=sample.question.in_(language), sources=sample.sources, scope=sample.scope, language=language
    )
    report = research.run_sync(brief, settings=Settings.from_environment({"RESEARCH_HOME": str(home)}))
    assert report.status == "complete"
    cited = {name for sentence in report.record.sentences for name in sentence.evidence}
    assert len(cited) >= 3
    assert len(report.record.evidence) >= 8
    assert "nothing on" not in report.markdown, "a first report that misses what it asks for convinces nobody"
    for entry in report.record.evidence:
        assert report.pages[entry.source].text[entry.start : entry.end] == entry.quote
    assert {sentence.verdict for sentence in report.record.sentences} <= {"supported", None}
