"""The part of a long page that a summary gets to see."""

from research.text import excerpt

LONG = "\n".join(f"Line {number} speaks of nothing in particular, at some length." for number in range(2_000))


def test_a_page_that_fits_is_shown_whole() -> None:
    assert excerpt("short page", (), "question", 100) == "short page"


def test_of_a_long_page_the_beginning_and_the_nearest_pieces_are_shown_in_order() -> None:
    page = LONG[:60_000] + "\nThe turbine failed in winter.\n" + LONG[60_000:]
    shown = excerpt(page, (), "Why did the turbine fail?", 5_000)
    assert len(shown) <= 5_000
    assert shown.startswith("Line 0 ") and "turbine failed" in shown
    assert "\n…\n" in shown


def test_passages_that_a_search_matched_are_preferred() -> None:
    place = LONG.index("Line 1500 ")
    assert "Line 1500 " in excerpt(LONG, [(place, place + 20)], "no word of it", 4_000)


def test_japanese_is_compared_by_pairs_of_characters() -> None:
    page = (
        "これは関係のない文です。\n" * 3_000 + "半導体工場は熊本に建設される。\n" + "これは関係のない文です。\n" * 3_000
    )
    assert "熊本" in excerpt(page, (), "半導体工場はどこに建設されるか", 4_000)


def test_one_endless_line_is_cut() -> None:
    assert len(excerpt("x" * 2_000_000, (), "q", 10_000)) <= 10_000
