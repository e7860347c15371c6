"""The sources of a part of a report or of a note, with their dates; what is recent stands out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date

from pages.parts.nodes import Element, el, group, link
from pages.parts.ui import Ui
from research.events import PageRead
from research.freshness import Age, freshness

_HEADINGS = ("h2", "h3", "h4", "h5", "h6")


def with_sources(body: Sequence[Element], sources: Callable[[list[str]], Element]) -> list[Element]:
    """Return a report's elements with `sources` under each section that cites something.

    Sections begin at the highest level of heading; the title, where it comes first, is none of them. `sources` is
    given the ids of the quotes that a section cites.
    """
    found: list[Element] = []
    for section in _sections(body):
        found += section
        ids = list(dict.fromkeys(name for element in section for name in _cited_in(element)))
        found += [sources(ids)] if ids else []
    return found


def _sections(body: Sequence[Element]) -> Iterator[list[Element]]:
    start, tag = _first(body), section_level(body)
    starts = [place for place, element in enumerate(body) if place >= start and element.tag == tag]
    for begin, end in zip([0, *starts], [*starts, len(body)], strict=True):
        yield list(body[begin:end])


def section_level(body: Sequence[Element]) -> str:
    """Return the tag of the headings that begin sections, or an empty text if there are none."""
    return min((element.tag for element in body[_first(body) :] if element.tag in _HEADINGS), default="")


def _first(body: Sequence[Element]) -> int:
    """Return the place behind the title, if there is one."""
    return 1 if body and body[0].tag == "h2" else 0


def _cited_in(element: Element) -> Iterator[str]:
    for mark in element.find("cite"):
        yield from mark.attributes["data-card"].split(",")


def is_recent(page: PageRead, day: date) -> bool:
    """Whether a page is of the three months before `day`."""
    return freshness(page.published, day).age is Age.RECENT


def source_list(label: str, sources: Iterable[tuple[Element, PageRead]], day: date, ui: Ui) -> Element:
    """Return sources on running lines: number (as given), title and date of each."""
    entries = [
        el("li", "", number, link(page.url, page.title, "title"), _dated(page, day, ui), key=page.page)
        for number, page in sources
    ]
    return el("div", "section-sources", el("span", "label", label), group("ul", "", entries))


def _dated(page: PageRead, day: date, ui: Ui) -> Element:
    if page.published is None or freshness(page.published, day).age is Age.UNKNOWN:
        return el("span", "date", ui._("date unknown"))
    words = ui.partial_date(page.published)
    return el("strong", "date", words) if is_recent(page, day) else el("span", "date", words)
