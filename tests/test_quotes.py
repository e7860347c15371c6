"""Where a quote stands in a page."""

import pytest

from research.core import locate

PAGE = (
    "Results for fiscal 2025.\n\nRevenue rose 4.2% to ¥1,234 million, the company  said;\n"
    "the board called it “a solid year”. 売上高は前年比４．２％増の１２億円となった。営業利益は横ばいだった。"
)


def span(quote: str) -> str | None:
    place = locate(quote, PAGE)
    return PAGE[place.start : place.end] if place else None


def test_exact_quote_is_found_as_it_is() -> None:
    assert span("Revenue rose 4.2% to ¥1,234 million") == "Revenue rose 4.2% to ¥1,234 million"


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("the company said; the board", "the company  said;\nthe board"),
        ('the board called it "a solid year"', "the board called it “a solid year”"),
        ("売上高は前年比4.2%増の12億円となった。", "売上高は前年比４．２％増の１２億円となった。"),
        ("「営業利益は横ばいだった。」", "営業利益は横ばいだった。"),
        ("Revenue\u200b rose 4.2%", "Revenue rose 4.2%"),
    ],
)
def test_unicode_form_and_white_space_do_not_matter(quote: str, stands: str) -> None:
    assert span(quote) == stands


def test_certain_near_match_is_replaced_by_the_pages_own_words() -> None:
    place = locate("Revenue rose 4.2% to ¥1,234 million, the company sad; the board called it", PAGE)
    assert place is not None and not place.exact
    assert PAGE[place.start : place.end].startswith("Revenue rose 4.2%")


@pytest.mark.parametrize(
    "quote",
    [
        "Revenue rose 4.3% to ¥1,234 million, the company said",
        "Revenue rose 4.2% to ¥1,235 million, the company said",
        "Revenue fell sharply and the board was dismayed by the outcome",
        "",
        "said",
        "   \n ",
    ],
)
def test_altered_figures_inventions_and_scraps_are_not_found(quote: str) -> None:
    assert span(quote) is None


def test_empty_page_holds_no_quote() -> None:
    assert locate("A sentence that stands nowhere.", "") is None


def test_a_huge_page_is_searched() -> None:
    page = "lorem ipsum dolor sit amet " * 40_000
    assert locate("A quote that does not stand here at all, whatever one does.", page) is None
    assert locate("AMET lorem", page) is None
    place = locate("dolor  sit\namet lorem ipsum", page)
    assert place is not None and page[place.start : place.end] == "dolor sit amet lorem ipsum"
