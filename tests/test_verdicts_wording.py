"""What a page says in other words, and what it says the other way round."""

from __future__ import annotations

import pytest

from research.verification import Label, verify

CARE = "西部地区には病児保育の施設がなく、利用が進んでいない。市は待機児童をなくすため、保育所を3か所開いた。"
DEAL = "工場の閉鎖は予定していない。2025年3月期の連結業績予想は変更しない。"
LAKE = "No fish deaths were recorded. The rival bid did not meet the deadline. Revenue was flat at €612 million."
BRAND = "Solberg sold the Kernel brand to Brightwell Group for €40 million."

AGREE = [
    (CARE, "西部地区には病児保育の施設が無い。"),
    (CARE, "待機児童をなくすため、保育所が3か所開かれた。"),
    (DEAL, "工場は閉鎖しない予定だ。"),
    (DEAL, "2025年3月期の連結業績予想は据え置く。"),
    (LAKE, "No dead fish were recorded."),
    (LAKE, "The rival bid missed the deadline."),
    (BRAND, "Brightwell Group bought the Kernel brand for €40 million."),
    (BRAND, "Brightwell Group bought the Kernel brand from Solberg."),
]
OPPOSE = [
    (CARE, "西部地区には病児保育の施設がある。"),
    (DEAL, "工場の閉鎖を予定している。"),
    (DEAL, "2025年3月期の連結業績予想を変更する。"),
    (LAKE, "Fish deaths were recorded."),
    (LAKE, "The rival bid met the deadline."),
    (LAKE, "Revenue was not flat."),
]


@pytest.mark.parametrize(("page", "sentence"), AGREE)
def test_the_same_in_other_words_is_no_opposite(page: str, sentence: str) -> None:
    verdict = verify(sentence, page)
    assert verdict.label is not Label.UNSUPPORTED, verdict.reason


def test_the_other_side_of_a_deal_is_not_supported() -> None:
    for sentence in ("Solberg bought the Kernel brand for €40 million.", "Solberg bought the Kernel brand."):
        assert verify(sentence, BRAND).label is not Label.SUPPORTED


@pytest.mark.parametrize(("page", "sentence"), OPPOSE)
def test_an_opposite_is_found(page: str, sentence: str) -> None:
    assert verify(sentence, page).label is Label.UNSUPPORTED


def test_a_limit_is_held_against_the_figure_of_its_topic() -> None:
    page = "これにより定員は前年度比で180人増え、4,260人となった。"
    assert verify("定員は4千人を超えている。", page).label is not Label.UNSUPPORTED
    assert verify("定員は5千人を超えている。", page).label is not Label.SUPPORTED


def test_one_of_a_measure_is_held_against_other_figures_of_it() -> None:
    wrong = verify("The spill released 1 tonne of oil.", "The spill released 3 tonnes of oil.")
    assert (wrong.label, wrong.reason.code) == (Label.UNSUPPORTED, "figure-differs")
    page = "A tonne of steel emits 1.8 tonnes of CO2."
    assert verify("1 tonne of steel emits 1.8 tonnes of CO2.", page).label is not Label.UNSUPPORTED
