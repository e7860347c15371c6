"""The dictionary that leads a query to documents in the other language."""

from __future__ import annotations

from importlib import resources

import pytest

from research.library import Library
from research.text import expand


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("日本の人口", ["Japan", "population"]),
        ("ベトナムの輸出", ["Vietnam", "exports"]),
        ("赤道ギニアとギニア", ["Equatorial Guinea", "Guinea"]),
        ("アメリカ合衆国の失業率", ["United States", "unemployment rate"]),
        ("ｲﾝﾄﾞの電力", ["India", "electricity"]),
        ("population of Viet Nam", ["人口", "ベトナム"]),
        ("United States exports", ["アメリカ合衆国", "輸出"]),
        ("Côte d'Ivoire", ["コートジボワール"]),
        ("strengths and weaknesses", ["強み", "弱み"]),
        ("city and industry", ["都市", "産業"]),
        ("売り上げの見通し", ["sales", "forecast"]),
    ],
)
def test_words_of_the_other_language_are_added(query: str, words: list[str]) -> None:
    expanded = expand(query)
    assert expanded.startswith(query)
    assert all(word in expanded for word in words)


@pytest.mark.parametrize("query", ["タイミング", "マリンスポーツ", "zebra", "", "インドネシアン"])
def test_parts_of_words_are_no_words(query: str) -> None:
    assert expand(query) == query


def test_longer_terms_go_first() -> None:
    assert "India" not in expand("インドネシアの市場").split()


def test_every_line_of_the_dictionary_is_a_pair() -> None:
    text = resources.files("research.text").joinpath("lexicon.txt").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(lines) >= 200
    assert all(len([side for side in line.split(" = ") if side.strip()]) == 2 for line in lines)
    keys = [term for line in lines for term in line.split(" = ")[0].split(", ")]
    assert sorted({key for key in keys if keys.count(key) > 1}) == []


def test_added_words_do_not_displace_exact_matches(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "exact.md").write_text("電力の価格の調査。電力は高い。", encoding="utf-8")
    for number in range(9):
        (folder / f"{number}.md").write_text("Electricity price study: electricity is dear.", encoding="utf-8")
    library = Library(folder, tmp_path_factory.mktemp("index"))
    assert library.search("電力の価格の調査")[0].path.name == "exact.md"
