"""The deck as a whole: its opening, the slides of every part, and the list of sources."""

from __future__ import annotations

from collections.abc import Iterator

from research.export.document import Line, PartKind, ReportDocument, SourceItem, Text
from research.export.office.cleaning import one_line
from research.export.office.words import GOES_ON, QUESTION, SOURCES
from research.export.pptx.geometry import APPENDIX_ROOM, Layout
from research.export.pptx.paging import pages
from research.export.pptx.plan import joined_slides, part_slides
from research.export.pptx.points import Look, Point
from research.export.pptx.slides import Slide
from research.language import Bilingual, Language

_SMALL = (PartKind.LEFT_OUT, PartKind.LIMITS, PartKind.VERIFICATION)
"""Parts that often say no more than a line, and stand one after the other at the end."""
_COLON = Bilingual(": ", "：")
_QUOTED = Bilingual("“{text}”", "「{text}」")


def slides_of(document: ReportDocument) -> list[Slide]:
    """Return the slides of a report in their order; the sources stand before the trail, as in every format."""
    found = [_opening(document)]
    trail = [part for part in document.parts if part.kind is PartKind.TRAIL]
    small = [part for part in document.parts if part.kind in _SMALL and part.blocks]
    for part in document.parts:
        if part.kind not in (*_SMALL, PartKind.SOURCES, PartKind.TRAIL):
            found += part_slides(part, document)
    found += joined_slides(small, document)
    found += _sources(document)
    for part in trail:
        found += part_slides(part, document)
    return found


def _opening(document: ReportDocument) -> Slide:
    colon = _COLON.in_(document.language)
    title, question = one_line(document.title), one_line(document.question)
    asked = QUESTION.in_(document.language).format(question=question)
    brief = [f"{one_line(name)}{colon}{one_line(value)}" for name, value in document.brief]
    return Slide(
        Layout.OPENING,
        (Text(title),),
        section=question if question != title else "",
        points=tuple(Point((Text(one_line(line)),)) for line in (document.byline, document.checked) if line),
        notes=tuple((Text(line),) for line in (title, asked, *brief)),
    )


def _sources(document: ReportDocument) -> Iterator[Slide]:
    language = document.language
    title: Line = (Text(SOURCES.in_(language)),)
    for page in pages(
        [_entry(source, language) for source in sorted(document.sources, key=lambda one: one.number)], APPENDIX_ROOM
    ):
        notes = tuple(line for point in page for line in point.notes)
        yield Slide(Layout.APPENDIX, title, points=tuple(page), notes=notes)
        title = (Text(SOURCES.in_(language) + GOES_ON.in_(language)),)


def _entry(source: SourceItem, language: Language) -> Point:
    facts = " · ".join(one_line(fact) for fact in (source.site, source.kind) if fact)
    number, title = Text(f"[{source.number}] ", bold=True), Text(one_line(source.title), url=source.url)
    line: Line = (number, title, Text(f" — {facts} · "), Text(source.dated, bold=source.is_recent))
    address: tuple[Line, ...] = ((Text(source.url, url=source.url),),) if source.url else ()
    return Point(line, Look.LEAD, level=1, notes=(line, *address, *_quotes(source, language)), source=source.number)


def _quotes(source: SourceItem, language: Language) -> Iterator[Line]:
    for quote in source.quotes:
        yield (Text(_QUOTED.in_(language).format(text=one_line(quote.text))),)
