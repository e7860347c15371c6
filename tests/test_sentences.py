import pytest

from research.language import Language
from research.text import language_of, sentences
from research.text.sentences import LONGEST


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


def test_english_sentences_keep_abbreviations_and_decimals_together() -> None:
    assert split("Dr. Ito sold 3.5 tons. He went home.") == ["Dr. Ito sold 3.5 tons.", "He went home."]


def test_the_number_of_a_part_ends_no_sentence() -> None:
    said = "See Part I, Item 1A. “Risk Factors”. Sales rose."
    assert split(said) == ["See Part I, Item 1A. “Risk Factors”.", "Sales rose."]


def test_japanese_sentences_end_at_their_stops() -> None:
    assert split("売上は増えた。利益は減った！次はどうか？") == ["売上は増えた。", "利益は減った！", "次はどうか？"]


def test_a_japanese_quotation_belongs_to_the_sentence_around_it() -> None:
    assert split("「はい。そうです。」と部長は答えた。会議は終わった。") == [
        "「はい。そうです。」と部長は答えた。",
        "会議は終わった。",
    ]


def test_headings_items_rows_and_data_lines_are_units_without_their_markers() -> None:
    text = "# Trade\n- first item\n1. second item\n・三つ目の項目\n| a | b |\n|---|---|\nExports: $5\nImports: $4"
    assert split(text) == [
        "Trade",
        "first item",
        "second item",
        "三つ目の項目",
        "a | b",
        "Exports: $5",
        "Imports: $4",
    ]


def test_lines_broken_for_their_length_are_one_sentence() -> None:
    english = "The plant in the north was closed for the whole of the\nsummer because of the drought. It opened again."
    japanese = (
        "当社の海外売上高は前年度から十二パーセント増加したが、国内の需要は\n横ばいにとどまった。次の議題に移る。"
    )
    assert split(english) == [
        "The plant in the north was closed for the whole of the\nsummer because of the drought.",
        "It opened again.",
    ]
    assert len(split(japanese)) == 2


def test_front_matter_is_no_text() -> None:
    assert split("---\ntitle: A memo\ndate: 2025\n---\n\n# Heading\n\nOne sentence here.") == [
        "Heading",
        "One sentence here.",
    ]


@pytest.mark.parametrize("unit", ["clause number one; ", "一つ目の節、", "word ", "あ"])
def test_long_units_are_split_without_losing_a_character(unit: str) -> None:
    text = unit * (3_000 // len(unit))
    pieces = split(text)
    assert all(len(piece) <= LONGEST for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_offsets_hold_beyond_the_basic_plane() -> None:
    text = "😀 First one ends here. 😀 Second one ends here.\n次の😀文です。終わり。"
    spans = sentences(text)
    assert [text[span.start : span.end].strip() for span in spans] == [text[span.start : span.end] for span in spans]
    assert split(text)[-1] == "終わり。"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("市場規模は拡大した", Language.JA),
        ("市場規模 拡大", Language.JA),
        ("Market size", Language.EN),
        ("GDP 市場", Language.EN),
        ("AN-300の消費電力量は平均27%少なかった", Language.JA),
        (
            "A long English sentence which names the word カイゼン once and then goes on in English for a while",
            Language.EN,
        ),
        ("", Language.EN),
        ("123", Language.EN),
    ],
)
def test_language_of_a_text(text: str, language: Language) -> None:
    assert language_of(text) is language


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u2028", "\u3000"])
def test_a_wide_blank_before_a_full_stop_breaks_nothing(blank: str) -> None:
    text = f"It is rich in vitamin B{blank}. It is green."
    assert [text[span.start : span.end] for span in sentences(text)][-1].endswith("It is green.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("売上は12億円だった。2025年度は15億円だった。3社が参入した。", 3),
        ("「売上は12億円だった。2025年度は15億円だ」と述べた。", 1),
        ("売上は増えた（前年は減った。2期ぶり）。2社が参入した。", 2),
    ],
)
def test_a_japanese_full_stop_before_a_digit_ends_a_sentence(text: str, found: int) -> None:
    assert len(split(text)) == found


@pytest.mark.parametrize("sentence", ["It was 2.9% more than in 2024.", "Dr. Abe of the U.S. Treasury spoke on it."])
@pytest.mark.parametrize("before", [56, 57, 58])
def test_no_sentence_is_cut_where_the_segmenter_is_given_the_next_part(sentence: str, before: int) -> None:
    text = f"{'Pumps sold well. ' * before}{sentence} {'Sales rose. ' * 30}"
    assert sentence in [text[span.start : span.end] for span in sentences(text)]
