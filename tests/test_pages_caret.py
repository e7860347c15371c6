"""The sign that a text is still being written."""

from pages.parts.live.steering import with_caret
from pages.parts.nodes import Element, el


def place(tree: list[Element]) -> list[str]:
    """The tags around the sign, from the outermost in."""
    for element in tree:
        if "writing" in element.attributes.get("class", ""):
            return []
        if element.find("writing"):
            return [element.tag, *place([child for child in element.children if isinstance(child, Element)])]
    raise AssertionError("there is no sign")


def test_it_stands_behind_the_last_word() -> None:
    listed = el("ul", "", el("li", "", el("p", "", "One.")), el("li", "", el("p", "", "Tw", el("em", "", "o"))))
    assert place(with_caret([el("article", "", el("h2", "", "Title"), listed)])) == ["article", "ul", "li", "p"]
    assert place(with_caret([el("article", "", el("h2", "", "Title"))])) == ["article", "h2"]


def test_what_holds_no_text_is_followed_by_it() -> None:
    table = el("table", "", el("tbody", ""))
    assert place(with_caret([table])) == []
    assert place(with_caret([el("section", "", table)])) == ["section"]
    assert place(with_caret([])) == []
