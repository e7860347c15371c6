"""Verdicts: what the page bears out of a sentence, with the passage, the figures and the reason."""

from __future__ import annotations

import pytest

from research.verification import Label, verify, verify_with
from research.verification.claim import claims_something

PAGE = """# Halden raises its outlook

Halden Instruments reported revenue of $1.24 billion for the second quarter, up 18% from a year earlier.
Net debt stood at $640 million at the end of June 2025. The board left the dividend unchanged at 2 dollars per share.

| Plant | Output 2023 | Output 2024 |
|---|---|---|
| Leeds | 310 | 335 |
| Turku | 120 | 98 |
"""
PAGE_JA = """# 決算の概要

北陽精機の2024年度の売上高は前年度比12.4%増の1,864億円だった。営業利益は231億円となった。
国内の工作機械事業は、自動車メーカーの投資先送りが響き、9億円の赤字となった。
"""


def test_a_paraphrase_with_the_same_figures_is_supported_and_points_to_its_passage() -> None:
    verdict = verify("Halden's quarterly revenue rose 18 percent to 1,240 million dollars.", PAGE)
    assert verdict.label is Label.SUPPORTED
    assert verdict.span is not None
    assert PAGE[slice(*verdict.span)].startswith("Halden Instruments reported revenue")
    assert [(number.text, number.found) for number in verdict.numbers] == [
        ("18 percent", True),
        ("1,240 million dollars", True),
    ]
    assert [PAGE[slice(*number.where)] for number in verdict.numbers if number.where] == ["18%", "$1.24 billion"]


def test_a_japanese_paraphrase_is_supported() -> None:
    verdict = verify("2024年度の売上高は1864億円で、前の年度より１２．４％増加した。", PAGE_JA)
    assert verdict.label is Label.SUPPORTED
    assert verdict.span is not None
    assert "1,864億円" in PAGE_JA[slice(*verdict.span)]


def test_a_figure_that_is_nowhere_on_the_page_makes_a_sentence_unsupported() -> None:
    verdict = verify("Halden reported revenue of $1.42 billion for the second quarter.", PAGE)
    assert verdict.label is Label.UNSUPPORTED
    assert verdict.reason.code == "figure-differs"
    assert verdict.numbers[0].found is False


def test_half_of_a_sentence_makes_it_partial() -> None:
    verdict = verify("Net debt stood at $640 million, and the treasurer joined a chess club in Bergen.", PAGE)
    assert verdict.label is Label.PARTIAL


def test_a_table_cell_belongs_to_its_row_and_column() -> None:
    assert verify("Output at the Leeds plant was 335 in 2024.", PAGE).label is Label.SUPPORTED
    assert verify("Output at the Turku plant was 335 in 2024.", PAGE).label is Label.UNSUPPORTED
    assert verify("Output at the Leeds plant was 335 in 2023.", PAGE).label is Label.UNSUPPORTED


def test_a_sentence_of_the_page_is_known_as_a_quote_and_called_supported() -> None:
    verdict = verify("Net debt stood at **$640 million** at the end of June 2025.", PAGE)
    assert (verdict.label, verdict.verbatim) == (Label.SUPPORTED, True)
    assert not verify("Net debt was $640 million at the end of June 2025.", PAGE).verbatim


@pytest.mark.parametrize("page", ["", " \n\u200b\t", "!!! --- ***"])
def test_an_empty_page_makes_a_sentence_unverifiable(page: str) -> None:
    verdict = verify("Net debt stood at $640 million.", page)
    assert (verdict.label, verdict.span, verdict.reason.code) == (Label.UNVERIFIABLE, None, "no-page")


def test_a_sentence_without_evidence_is_uncited() -> None:
    verdict = verify_with("Net debt stood at $640 million.", [])
    assert verdict.label is Label.UNCITED
    assert verdict.numbers[0].found is False


def test_the_quote_is_looked_at_first_and_the_rest_of_the_page_counts_too() -> None:
    claim, quote = "Net debt stood at $640 million.", "The board left the dividend unchanged at 2 dollars per share."
    assert verify(claim, PAGE, "Net debt stood at $640 million at the end of June 2025.").reason.code == "stated"
    far = f"{quote}\n\n{'Nothing of note happened in the office. ' * 9}\n\n{PAGE.replace(quote, '')}"
    assert verify(claim, far, quote).reason.code == "elsewhere"
    missing = verify(claim, PAGE, "Net debt was the talk of the town all summer long.")
    assert (missing.label, missing.reason.code) == (Label.PARTIAL, "quote-missing")


def test_several_pieces_of_evidence_are_taken_together() -> None:
    claim = "Net debt was $640 million and the workforce counted 8,340 people."
    other = "The workforce counted 8,340 people at the end of the year."
    alone = verify(claim, PAGE)
    together = verify_with(claim, [(PAGE, None), (other, None)])
    assert [number.found for number in alone.numbers] == [True, False]
    assert [(number.found, number.evidence) for number in together.numbers] == [(True, 0), (True, 1)]
    assert alone.label is not Label.SUPPORTED and together.label is Label.SUPPORTED


def test_the_better_piece_of_evidence_decides_and_is_named() -> None:
    verdict = verify_with("Net debt stood at $640 million.", [("Ducks like ponds.", None), (PAGE, None)])
    assert (verdict.label, verdict.evidence) == (Label.SUPPORTED, 1)


def test_a_page_in_the_other_language_supports_in_part_at_most() -> None:
    right = verify("Operating profit was 23.1 billion yen, and revenue rose by 12.4%.", PAGE_JA)
    wrong = verify("Operating profit was 29.9 billion yen.", PAGE_JA)
    nothing = verify("Ducks like ponds.", PAGE_JA)
    assert (right.label, right.reason.code) == (Label.PARTIAL, "other-language")
    assert wrong.label is Label.UNSUPPORTED
    assert (nothing.label, nothing.reason.code) == (Label.UNVERIFIABLE, "nothing-to-compare")


@pytest.mark.parametrize(
    "sentence",
    [
        "## Market overview",
        "Key Findings and Outlook",
        "How large is the market?",
        "In short:",
        "The following section describes the method.",
        "市場の概要",
        "■ 今後の見通し",
        "市場は拡大するのだろうか。",
        "本節では市場の動向を整理する。",
        "---",
        "",
    ],
)
def test_what_claims_nothing_gets_no_label(sentence: str) -> None:
    assert not claims_something(sentence)
    assert verify(sentence, PAGE).label is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Telemundo is a Spanish-language network",
        "The report shows that demand is falling.",
        "Revenue: $1.2 billion",
        "The Riverside library will move.",
        "売上高は増加した。",
        "従業員数 8,340人",
        "This section of the bridge was closed in 2020.",
    ],
)
def test_what_states_something_is_a_claim(sentence: str) -> None:
    assert claims_something(sentence)
