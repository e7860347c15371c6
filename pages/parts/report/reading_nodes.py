"""A report as it is read: its text beside a table of contents, and what the program adds at its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pages.parts.nodes import Element, el, group, icon
from pages.parts.report.section_nodes import section_level
from pages.parts.ui import Ui


@dataclass(frozen=True)
class Chapter:
    """An entry of the table of contents."""

    place: str
    """Id of the heading that it leads to."""
    title: str


def with_places(article: Element) -> tuple[Element, list[Chapter]]:
    """Return a report whose section headings can be gone to, and the chapters that they begin."""
    blocks = [child for child in article.children if isinstance(child, Element)]
    level = section_level(blocks)
    chapters: list[Chapter] = []
    placed: list[Element] = []
    for place, block in enumerate(blocks):
        if block.tag == level and not (place == 0 and level == "h2"):
            chapters.append(Chapter(f"section-{len(chapters) + 1}", _words(block)))
            block = _target(block, chapters[-1].place)  # noqa: PLW2901 - the same heading, with a place
        placed.append(block)
    return replace(article, children=tuple(placed)), chapters


def _target(heading: Element, place: str) -> Element:
    return replace(heading, attributes={**heading.attributes, "id": place, "tabindex": "-1"})


def _words(heading: Element) -> str:
    """Return the words of a heading without the numbers of its citations."""
    parts = (
        child if isinstance(child, str) else "" if _is_mark(child) else _words(child) for child in heading.children
    )
    return "".join(parts).strip()


def _is_mark(element: Element) -> bool:
    return element.tag == "button" or "cites" in element.attributes.get("class", "").split()


def part(chapter: Chapter, children: Iterable[Element], ui: Ui) -> Element:
    """Return what the program adds to a report, under a heading of its own."""
    head = el("h3", "", chapter.title, id=chapter.place, tabindex="-1")
    return group("section", "report part", [head, *children], lang=ui.language.value, key=chapter.place)


def folio(text: Sequence[Element], chapters: Sequence[Chapter], ui: Ui) -> list[Element]:
    """Return a text with its table of contents: beside it where there is room, else folded above it."""
    if len(chapters) < _WORTH_LISTING:
        return list(text)
    label = ui._("Contents")
    entries = [_entry(chapter) for chapter in chapters]
    beside = el("nav", "toc", el("h2", "", label), group("ol", "", entries), aria_label=label, key="toc")
    above = el(
        "details", "toc-folded",
        el("summary", "", icon("toc"), el("span", "", label)),
        el("nav", "", group("ol", "", entries), aria_label=label),
        key="toc-folded",
    )  # fmt: skip
    return [el("div", "folio", above, beside, group("div", "folio-text", text, key="text"), key="folio")]


def _entry(chapter: Chapter) -> Element:
    return el("li", "", el("button", "", chapter.title, type="button", data_goto=chapter.place), key=chapter.place)


_WORTH_LISTING = 3
