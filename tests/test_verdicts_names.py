"""Names in the place of others: people, firms, places."""

from __future__ import annotations

import pytest

from research.verification import Label, verify

FERRIES = """# Halvorsen Shipyard wins ferry order

Halvorsen Shipyard of Tromsvik has won a contract to build four ferries for Northlink, the operator said on Tuesday.
Northlink's chief executive, Ingrid Moe, said that price was not the decisive factor. The ferries will replace diesel
ships on the route between Tromsvik and Skarnes. The batteries will come from Voltane. Castellan Marine of Gdynia had
bid too. The largest shareholder, Nordhaven Capital, holds 31% of the shares. Auditor Dahl & Partners gave its opinion.
A scheme run by Greenacre Trust has enrolled 62 farms. Minister Paul Odum has ruled out compulsory measures.
"""

SAME = [
    "Ingrid Moe, who heads Northlink, said that price was not decisive.",
    "The ferries will replace diesel ships between Tromsvik and Skarnes.",
    "Nordhaven Capital is the largest shareholder, with 31% of the shares.",
    "Minister Odum has ruled out compulsory measures.",
    "Halvorsen has won a contract to build four ferries for Northlink.",
]
OTHER = [
    "Northlink's chief executive, Sigrid Moe, said that price was not the decisive factor.",
    "Auditor Lund & Partners gave its opinion.",
    "The ferries will replace diesel ships on the route between Tromsvik and Gdynia.",
    "The largest shareholder, Castellan Marine, holds 31% of the shares.",
    "Greenacre Trust has ruled out compulsory measures.",
]


@pytest.mark.parametrize("sentence", SAME)
def test_a_shortened_or_moved_name_is_the_same(sentence: str) -> None:
    verdict = verify(sentence, FERRIES)
    assert verdict.label is Label.SUPPORTED, verdict.reason


@pytest.mark.parametrize("sentence", OTHER)
def test_a_name_in_the_place_of_another_is_found(sentence: str) -> None:
    verdict = verify(sentence, FERRIES)
    assert verdict.label is Label.UNSUPPORTED


def test_a_sentence_that_stands_word_for_word_is_supported_whatever_it_repeats() -> None:
    page = "Tanganyika united with Zanzibar to form the Union of Tanganyika and Zanzibar, and Zanzibar kept its bank."
    assert verify(page, page).label is Label.SUPPORTED


@pytest.mark.parametrize(
    ("page", "claim"),
    [
        ("作品はジョイス、フランツ・カフカと並び称される。", "作品はジョイス、フランスと並び称される。"),
        (
            "教皇はフランス、イングランド、サヴォイアに参加を呼び掛けた。",
            "教皇はハンガリー、イングランド、サヴォイアに参加を呼び掛けた。",
        ),
        ("The exchange stood there from 1991 until 2000.", "The exchange stood there from 1991 until 2001."),
    ],
)
def test_another_name_or_year_in_its_place_is_wrong(page: str, claim: str) -> None:
    other = " It moved in 2001." if page.isascii() else "ハンガリーとフランスは2001年に参加した。"
    assert verify(claim, f"{page}{other}").label is Label.UNSUPPORTED
    assert verify(page, f"{page}{other}").label is Label.SUPPORTED
