"""How Markdown files write citations, addresses, and the dates of sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from urllib.parse import quote as percent_encode, unquote

from research.core import RECENT_MARK, Age, Evidence, Page, freshness, render_marks
from research.language import Bilingual, Language, Phrase
from research.results import SourceEntry
from research.text import escape_markdown

AnyPage = Page | SourceEntry
"""A page, or what a record says of one."""

IN_THE_FILE = Phrase("in the file")
_LINKABLE = ("https://", "http://", "file://")
_LONGEST_TITLE = 120
_NEXT = Bilingual("; ", "／")
_LINE = Bilingual("**{label}:** {sources}", "**{label}：** {sources}")
_BEFORE_A_LINK = re.compile(r"(?<!\\)(\[\d+\])(?=[(\[:])")


def cited_ids(draft: str) -> list[str]:
    """Return the ids of the evidence that a clean draft cites, once each, in order."""
    found: dict[str, None] = {}

    def note(ids: list[str]) -> str:
        found.update(dict.fromkeys(ids))
        return ""

    render_marks(draft, note)
    return list(found)


def number_marks(
    ids: Sequence[str], numbers: Mapping[str, int], evidence: Mapping[str, Evidence], recent: Collection[str] = ()
) -> str:
    """Return evidence ids as the numbers of their pages (`[1] [2]†`); what has none, as it was left out, is skipped.

    `numbers` and `recent`, whose citations are marked, are by page.
    """
    pages = dict.fromkeys(evidence[name].source for name in ids if name in evidence)
    return " ".join(f"[{numbers[page]}]{RECENT_MARK if page in recent else ''}" for page in pages if page in numbers)


def with_numbers(
    draft: str, numbers: Mapping[str, int], evidence: Mapping[str, Evidence], recent: Collection[str] = ()
) -> str:
    """Return a clean draft with numbers for its ids; what follows one does not turn it into another kind of link."""
    return _BEFORE_A_LINK.sub(r"\1 ", render_marks(draft, lambda ids: number_marks(ids, numbers, evidence, recent)))


def is_linkable(page: AnyPage) -> bool:
    """Whether the address of a page may become a link."""
    return page.url.startswith(_LINKABLE)


def address(url: str) -> str:
    """Return an address as it can stand between angle brackets."""
    return percent_encode(url, safe=":/?#[]@!$&'()*+,;=%-._~")


def page_address(page: AnyPage, place: str = "") -> str:
    """Return the address of a page, or of a `place` in it, as it can stand between angle brackets.

    A file is named as its library names it: where on this machine the library lies is nobody else's business.
    """
    url, mark, fragment = (place or page.url).partition("#")
    if not url.startswith("file:"):
        return address(place or page.url)
    path = unquote(url)
    name = page.site if path.endswith(f"/{page.site}") else path.rpartition("/")[2]
    return f"file:{percent_encode(name)}{mark}{fragment}"


def definitions(pages: Iterable[tuple[int, AnyPage]]) -> str:
    """Return the lines at the end of a file that make each number a link, where the page has an address."""
    return "\n".join(f"[{number}]: <{page_address(page)}>" for number, page in pages if is_linkable(page))


def source_line(label: str, pages: Iterable[tuple[int, AnyPage]], today: date, language: Language) -> str:
    """Return one line with the number, title and date of each page; an empty one if there are none."""
    entries = [
        Bilingual("[{number}] {title}, {dated}", "[{number}] {title} · {dated}")
        .in_(language)
        .format(number=number, title=escape_markdown(_short(page.title)), dated=_dated(page, today, language))
        for number, page in pages
    ]
    return _LINE.in_(language).format(label=label, sources=_NEXT.in_(language).join(entries)) if entries else ""


def _dated(page: AnyPage, today: date, language: Language) -> str:
    """Return the date of a page as a reader is told; one of the last three months stands out."""
    age = freshness(page.published, today).age
    if age is Age.UNKNOWN or page.published is None:
        return Phrase("date unknown").in_(language)
    day = page.published[:10]
    return f"**{day}**" if age is Age.RECENT else day


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"


def source_facts(page: Page, quotes: Iterable[Evidence], today: date, language: Language) -> str:
    """Return what stands behind the title of a page in a list of sources: facts on its line, its `quotes` below."""
    known = freshness(page.published, today).label.in_(language)
    facts = " · ".join([escape_markdown(page.site), page.kind.label.in_(language), known])
    quoted = [f"   > {escape_markdown(entry.quote)}{_place(entry, page, language)}" for entry in quotes]
    # Paragraphs of one block quotation under a list item.
    return "\n".join([facts, "\n   >\n".join(quoted)] if quoted else [facts])


def _place(entry: Evidence, page: Page, language: Language) -> str:
    """Return a link to where a quote stands in a file, if the file's kind has places and the page was kept."""
    if page.text[entry.start : entry.end] != entry.quote:
        return ""
    from research.library import place_url

    place = place_url(page.url, page.text, entry.start, entry.end)
    return "" if place == page.url else f" [{IN_THE_FILE.in_(language)}](<{page_address(page, place)}>)"
