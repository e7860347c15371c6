"""Sentences that differ from a true one in a single point, and paraphrases that do not."""

from __future__ import annotations

import pytest

from research.verification import Label, verify

FILM = "As of March 2019, the film has grossed $503.2 million worldwide against a budget of $90 million."
QUAKE = "The quake killed 14 people and left 127 others injured, officials said on Sunday."
TRIAL = "The trial found no evidence that the drug reduced the length of hospital stay."
BRIDGE = (
    "The Britannia Bridge was built across the Menai Strait. Designed by the noted railway engineer Robert Stephenson, "
    "it was opened to traffic on 5 March 1850."
)
TRADE = "Exports to China fell 6% in 2024. Shipments to India, by contrast, increased by 11%."
DEAL = "Under the five-year agreement, valued at 2.4 billion euros, the firm will supply 60 trains."
PLANTS = "The factory in Hungary will close in March, while the one in Poland will be expanded."
JOBS = "同社は23日、全従業員の10%にあたる約500人の人員を削減すると発表した。"
VISITORS = "国・地域別では韓国が882万人で最も多く、中国が698万人、台湾が604万人と続いた。"
PROFIT = "売上収益は3期連続で過去最高となった一方、営業利益は原材料高が響き12%減だった。"
BANK = "日本銀行は19日の金融政策決定会合で、マイナス金利政策を解除することを決定した。"

SUPPORTED = [
    ("The film grossed more than $500 million worldwide.", FILM),
    ("Over 100 people were injured in the quake.", QUAKE),
    ("The bridge was designed by Robert Stephenson and opened in 1850.", BRIDGE),
    ("Exports to China shrank, while exports to India grew.", TRADE),
    ("The plant in Hungary closes in March.", PLANTS),
    ("同社は従業員の約1割に当たる500人を削減する。", JOBS),
    ("売上高は過去最高を更新したが、利益は減った。", PROFIT),
    ("日銀はマイナス金利政策の解除を決めた。", BANK),
]
OTHER_WORDS = [
    ("The trial found no evidence that the drug shortens hospital stays.", TRIAL, "shortens"),
    ("韓国が882万人で首位、中国が698万人で続いた。", VISITORS, "首位"),
    ("The film grossed $503.2 million worldwide against a ceiling of $90 million.", FILM, "ceiling"),
    ("The American film has grossed $503.2 million worldwide.", "The British film has grossed $503.2 million.", "US"),
]
FALSE = [
    ("The film grossed less than $500 million worldwide.", FILM),
    ("The film grossed over $600 million worldwide.", FILM),
    ("Fewer than 100 people were injured in the quake.", QUAKE),
    ("The contract is worth €2.4 million over five years.", DEAL),
    ("The bridge was opened to traffic in 1860.", BRIDGE),
    ("The trial found that the drug reduced the length of hospital stay.", TRIAL),
    ("Exports to China grew 6% in 2024.", TRADE),
    ("同社は従業員の約2割に当たる1,000人を削減する。", JOBS),
    ("台湾が882万人で最も多かった。", VISITORS),
    ("売上収益は3期連続で過去最高となり、営業利益は12%増だった。", PROFIT),
    ("日本銀行はマイナス金利政策を継続することを決定した。", BANK),
    ("Brandt bought Kestrel in May.", "In spring, Kestrel bought Brandt, a rival, in May."),
    ("The factory in Poland will close in March.", PLANTS),
    ("札幌工場は来年3月に閉鎖される。", "仙台工場は来年3月に閉鎖される。札幌工場は設備を増強する。"),
    ("東都電機は西海工業を買収した。", "西海工業は東都電機を買収した。"),
]


@pytest.mark.parametrize(("sentence", "page"), SUPPORTED)
def test_a_paraphrase_is_supported(sentence: str, page: str) -> None:
    verdict = verify(sentence, page)
    assert verdict.label is Label.SUPPORTED, verdict.reason


@pytest.mark.parametrize(("sentence", "page"), FALSE)
def test_one_changed_point_makes_a_sentence_unsupported(sentence: str, page: str) -> None:
    assert verify(sentence, page).label is Label.UNSUPPORTED


def test_a_name_that_the_page_does_not_have_is_not_supported() -> None:
    wrong = verify("The bridge was designed by the railway engineer Thomas Telford.", BRIDGE)
    assert (wrong.label, wrong.reason.code) == (Label.PARTIAL, "name-missing")


@pytest.mark.parametrize(("sentence", "page", "word"), OTHER_WORDS)
def test_another_word_in_the_same_frame_leaves_a_sentence_partly_supported(sentence: str, page: str, word: str) -> None:
    verdict = verify(sentence, page)
    assert verdict.label is not Label.SUPPORTED and word in verdict.reason.words.en, verdict.reason


DENIED = [
    ("The council will renew the contract without a tender.", "The council will not renew it without a tender."),
    ("The firm runs 26 plants and has not two more.", "The firm runs 26 plants. It has two more."),
    ("The quake did not kill 14 people.", QUAKE),
]


@pytest.mark.parametrize(("sentence", "page"), DENIED)
def test_what_is_denied_on_one_side_alone_is_not_supported(sentence: str, page: str) -> None:
    assert verify(sentence, page).label is not Label.SUPPORTED


def test_a_denial_and_its_opposite_word_agree() -> None:
    assert verify("Net debt did not rise in June.", "Net debt fell in June.").label is Label.SUPPORTED
    assert verify("Net debt rose in June.", "Net debt fell in June.").label is Label.UNSUPPORTED


def test_a_number_that_is_part_of_a_name_must_be_the_same() -> None:
    page = "The season began in week 48 and peaked in week 4, two weeks earlier than usual."
    assert verify("The season began in week 48.", page).label is Label.SUPPORTED
    assert verify("The season began in week 47.", page).label is not Label.SUPPORTED
