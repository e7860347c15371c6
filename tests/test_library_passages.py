"""Passages and tokens: what is cut, what is never cut, and what is searched for."""

from __future__ import annotations

import pytest

from research.documents import query_weights
from research.documents.document import LONGEST, split, tokenise

SENTENCE = "The pump of the plant in Hai Phong ran for 3.5 years without a stop, says Dr. Tran of the U.S. office. "
JAPANESE = "ハイフォンの工場のポンプは、3.5年のあいだ一度も止まらずに動き続けた。"


def parts(text: str) -> list[str]:
    return [text[passage.start : passage.end] for passage in split(text)]


def test_nothing_is_lost_and_nothing_is_twice() -> None:
    text = "# One\n\n" + SENTENCE * 30 + "\n\n## Two\n\n" + (JAPANESE * 7 + "\n\n") * 9 + "- item\n" * 400
    assert "".join("".join(parts(text)).split()) == "".join(text.split())
    assert all(len(part) <= LONGEST and part == part.strip() for part in parts(text))


@pytest.mark.parametrize("text", [SENTENCE * 40, JAPANESE * 80, "\n".join(JAPANESE for _ in range(80))])
def test_sentences_stay_whole(text: str) -> None:
    ends = (SENTENCE.strip()[-10:], JAPANESE[-5:])
    assert len(parts(text)) > 1
    assert all(part.endswith(ends) for part in parts(text))
    assert all(300 <= len(part) <= LONGEST for part in parts(text)[:-1])


def test_sentences_over_broken_lines_stay_whole() -> None:
    broken = (SENTENCE * 30).replace(" for ", " for\n").replace("says ", "says\n")
    assert all(part.endswith("office.") for part in parts(broken))


def test_headings_stay_with_what_follows_and_are_known_below() -> None:
    text = f"# Top\n\n{SENTENCE * 4}\n\n## Below\n\n{SENTENCE * 4}\n\n## Next\n\n{SENTENCE * 4}"
    assert [part.split("\n")[0] for part in parts(text)] == ["# Top", "## Below", "## Next"]
    assert [passage.heading for passage in split(text)] == ["Top", "Top Below", "Top Next"]


def test_front_matter_is_no_passage() -> None:
    assert parts("---\ntitle: Hidden\n---\n\nShown.") == ["Shown."]
    assert parts("\ufeff---\ntitle: Hidden\n---\nShown.") == ["Shown."]


def test_rows_are_cut_at_line_ends_only() -> None:
    text = "\n".join(f"number: {number}; text: One. Two. Three." for number in range(200))
    assert all(
        part.startswith("number: ") and part.endswith("Three.")
        for part in (text[passage.start : passage.end] for passage in split(text, rows=True))
    )


def test_a_text_without_any_end_is_cut_where_it_must() -> None:
    assert "".join(parts("無" * 5_000)) == "無" * 5_000
    assert all(len(part) <= LONGEST for part in parts("word " * 2_000))
    assert parts("") == parts(" \n\f\n ") == []


def test_tokens_of_mixed_text() -> None:
    assert tokenise("The AN-300's exports: 1,200 units in Côte d'Ivoire") == [
        "an300", "AN".lower(), "300", "export", "1200", "unit", "cote", "d", "ivoire",
    ]  # fmt: skip
    assert tokenise("日本のＧＤＰは5.1％、ﾎﾟﾝﾌﾟ") == ["日本", "本の", "gdp", "は", "5.1", "ポン", "ンプ"]
    assert tokenise("IT and it") == ["it"]
    assert tokenise("companies, boxes, buses, glass, status, series") == [
        "company", "box", "buse", "glass", "status", "sery",
    ]  # fmt: skip


def test_grammar_counts_less_in_queries() -> None:
    assert query_weights("日本の人口はどのくらいですか") == {
        "日本": 1.0,
        "本の": 0.4,
        "の人": 0.4,
        "人口": 1.0,
        "口は": 0.4,
    }
    assert query_weights("おにぎり") == {"おに": 1.0, "にぎ": 1.0, "ぎり": 1.0}
