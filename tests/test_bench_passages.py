"""How the public sets of questions are read, and what BM25 finds in them."""

import json
from pathlib import Path

from bench.passages import Passage, by_words, hotpot, musique, squad

RIVER, TOWN = Passage("Vell", "The Vell is a river."), Passage("Orden", "Orden is a town on the Vell.")


def written(place: Path, content: object) -> Path:
    place.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return place


def test_hotpot_is_read_in_both_of_its_forms(tmp_path: Path) -> None:
    common: dict[str, object] = {"question": "Which town is on the river Vell?", "answer": "Orden"}
    listed: dict[str, object] = {
        "context": [[*RIVER[:1], [RIVER.text]], [*TOWN[:1], [TOWN.text]]],
        "supporting_facts": [["Orden", 0]],
    }
    keyed: dict[str, object] = {
        "context": {"title": ["Vell", "Orden"], "sentences": [[RIVER.text], [TOWN.text]]},
        "supporting_facts": {"title": ["Orden"], "sent_id": [0]},
    }
    for number, form in enumerate((listed, keyed)):
        (one,) = hotpot([written(tmp_path / f"{number}.json", [common | form])])
        assert one.passages == (RIVER, TOWN)
        assert one.gold == {TOWN}
        assert one.answers == ("Orden",)


def test_musique_says_which_paragraphs_support(tmp_path: Path) -> None:
    paragraphs = [
        {"title": passage.title, "paragraph_text": passage.text, "is_supporting": passage is TOWN}
        for passage in (RIVER, TOWN)
    ]
    entry: dict[str, object] = {
        "id": "2hop__1",
        "question": "Which?",
        "answer": "Orden",
        "answer_aliases": ["the town of Orden"],
    }
    (one,) = musique([written(tmp_path / "dev.jsonl", entry | {"paragraphs": paragraphs})])
    assert one.gold == {TOWN}
    assert one.answers == ("Orden", "the town of Orden")


def test_questions_in_the_form_of_squad_share_all_passages(tmp_path: Path) -> None:
    def paragraph(context: str, *questions: str) -> dict[str, object]:
        return {
            "context": context,
            "qas": [{"id": one, "question": one, "answers": [{"text": "9"}]} for one in questions],
        }

    articles = [
        {"title": "梅雨", "paragraphs": [paragraph("梅雨 [SEP] 雨の多い時期。", "a", "b")]},
        {"title": "石油", "paragraphs": [paragraph("油田がある。", "c")]},
    ]
    found = list(squad([written(tmp_path / "dev.json", {"data": articles})]))
    rain, oil = Passage("梅雨", "雨の多い時期。"), Passage("石油", "油田がある。")
    assert [set(one.gold) for one in found] == [{rain}, {rain}, {oil}]
    assert all(one.passages == (rain, oil) for one in found)


def test_bm25_takes_as_many_as_it_is_told() -> None:
    assert by_words("Which town is there?", (RIVER, TOWN), 1) == [TOWN]
    assert by_words("Which town is there?", (RIVER, TOWN), 0) == []
