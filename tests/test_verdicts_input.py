"""Any text gets a verdict or a clear reason for none, in time linear in the page."""

from __future__ import annotations

import pytest

from research.verification import Label, verify
from research.verification.page import prepared

PAGE = "Sales rose 5% in May. Costs fell by 2 million dollars."


@pytest.mark.parametrize(
    "sentence",
    [
        "Sales rose 5% in May. " * 150,
        "売上高が5%増加した。" * 300,
        "1" * 3_000,
        "(" * 3_000 + "a",
        "not " * 750,
        "漢" * 3_000,
        "あ、" * 1_500,
        "from " * 500 + "5% to 6%",
        "bad \ud800 half of a character 5%",
        "<script>alert(1)</script> Sales rose 5%",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```\nrm -rf / # 5%\n```",
        "👩‍👩‍👧‍👦 rose 5% 🚀",
        "\u202eSales\u202c rose \u200b5%",
    ],
)
@pytest.mark.parametrize("page", [PAGE, "売上高は5%増加した。"])
def test_any_sentence_gets_a_verdict(sentence: str, page: str) -> None:
    verdict = verify(sentence, page)
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.reason.words.en and verdict.reason.words.ja
    if verdict.span is not None:
        assert 0 <= verdict.span[0] < verdict.span[1] <= len(page)


def test_invisible_characters_do_not_hide_what_a_page_says() -> None:
    page = "Sa\u200bles\u00ad rose\u2060 5\u200b%\ufeff in May."
    verdict = verify("Sa\u200bles rose 5% in May.", page)
    assert verdict.label is Label.SUPPORTED
    assert verdict.numbers[0].found


def test_full_width_and_plain_writing_are_the_same() -> None:
    assert verify("Ｓａｌｅｓ ｒｏｓｅ ５％ in May.", PAGE).label is Label.SUPPORTED


def test_a_page_of_many_thousand_like_paragraphs_gives_a_verdict() -> None:
    paragraph = "The harbour handled 55.9 million tonnes in 2024. Traffic at the northern pier declined by 3%.\n\n"
    assert verify("The harbour handled 55.9 million tonnes in 2024.", paragraph * 8_000).label is Label.SUPPORTED


def test_a_page_is_prepared_once() -> None:
    page = PAGE * 5_000
    assert prepared(page) is prepared(page)
