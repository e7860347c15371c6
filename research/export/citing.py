"""How Markdown files write citations, addresses, and the dates of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Protocol
from urllib.parse import quote as percent_encode

from research.core.citations import Cited
from research.core.dates import Age, freshness
from research.core.ledger import Evidence, Page
from research.language import Bilingual, Language
from research.library.library import place_url
from research.text.markdown import escape_markdown

_LINKABLE = ("https://", "http://", "file://")
_LONGEST_TITLE = 120
_UNDATED = Bilingual("date unknown", "日付不明")
_SOURCE = Bilingual("[{number}] {title}, {dated}", "[{number}] {title} · {dated}")
_NEXT = Bilingual("; ", "／")
IN_THE_FILE = Bilingual("in the file", "該当箇所")
_LINE = Bilingual("**{label}:** {sources}", "**{label}：** {sources}")


class Source(Protocol):
    """A page, or what a record says of one."""

    @property
    def url(self) -> str:
        """Its address."""
        ...

    @property
    def title(self) -> str:
        """Its title."""
        ...

    @property
    def published(self) -> str | None:
        """Date of its information."""
        ...


def number_marks(ids: Sequence[str], cited: Cited, evidence: Mapping[str, Evidence]) -> str:
    """Return evidence ids as citation numbers; what was left out of the report may have none."""
    sources = (evidence[name].source for name in ids)
    numbers = dict.fromkeys(cited.numbers[source] for source in sources if source in cited.numbers)
    return " ".join(f"[{number}]" for number in numbers)


def kept_apart(text: str) -> str:
    """Keep what follows a citation from turning it into another kind of link."""
    return re.sub(r"(?<!\\)(\[\d+\])(?=[(\[:])", r"\1 ", text)


def is_linkable(source: Source) -> bool:
    """Whether the address of a source may become a link."""
    return source.url.startswith(_LINKABLE)


def address(url: str) -> str:
    """Return an address as it can stand between angle brackets."""
    return percent_encode(url, safe=":/?#[]@!$&'()*+,;=%-._~")


def definitions(sources: Iterable[tuple[int, Source]]) -> str:
    """Return the lines at the end of a file that make each number a link, where the source has an address."""
    return "\n".join(f"[{number}]: <{address(source.url)}>" for number, source in sources if is_linkable(source))


def dated(source: Source, today: date, language: Language) -> str:
    """Return the date of a source as a reader is told; one of the last three months stands out."""
    known = freshness(source.published, today)
    if known.age is Age.UNKNOWN or source.published is None:
        return _UNDATED.in_(language)
    day = source.published[:10]
    return f"**{day}**" if known.age is Age.RECENT else day


def source_line(label: str, sources: Iterable[tuple[int, Source]], today: date, language: Language) -> str:
    """Return one line with the number, title and date of each source; an empty one if there are none."""
    entries = [
        _SOURCE.in_(language).format(
            number=number, title=escape_markdown(_short(source.title)), dated=dated(source, today, language)
        )
        for number, source in sources
    ]
    return _LINE.in_(language).format(label=label, sources=_NEXT.in_(language).join(entries)) if entries else ""


def source_facts(page: Page, quotes: Iterable[Evidence], today: date, language: Language) -> str:
    """Return what stands behind the title of a page in a list of sources: facts on its line, its `quotes` below."""
    known = freshness(page.published, today).label.in_(language)
    facts = " · ".join([escape_markdown(page.site), page.kind.label.in_(language), known])
    quoted = [f"   > {escape_markdown(entry.quote)}{_place(entry, page, language)}" for entry in quotes]
    return "\n".join([facts, *_separated(quoted)])


def _place(entry: Evidence, page: Page, language: Language) -> str:
    """Return a link to where a quote stands in a file, if the file's kind has places and the page was kept."""
    if page.text[entry.start : entry.end] != entry.quote:
        return ""
    place = place_url(page.url, page.text, entry.start, entry.end)
    return "" if place == page.url else f" [{IN_THE_FILE.in_(language)}](<{address(place)}>)"


def _separated(quotes: list[str]) -> list[str]:
    """Return quotes as paragraphs of one block quotation under a list item."""
    return [line for quote in quotes for line in ("   >", quote)][1:]


def _short(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1].rstrip() + "…"
