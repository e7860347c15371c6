"""A report as a plan of slides: one message each, with what stands on them and what the speaker's notes say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from research.export.document import (
    Block,
    Chart,
    Citation,
    Code,
    DocumentPart,
    Heading,
    Items,
    Line,
    Paragraph,
    PartKind,
    Quotation,
    ReportDocument,
    SourceItem,
    Table,
    Text,
    ThematicBreak,
    plain,
    squared,
)
from research.export.office.common import (
    COLON,
    LOUD,
    SOURCES,
    captioned,
    clean,
    has_figures,
    joined,
    names_sources,
    one_line,
    spoken,
)
from research.export.office.fitting import (
    APPENDIX_ROOM,
    KEY_ROOM,
    MESSAGE_ROOM,
    Layout,
    Look,
    SlidePoint,
    TablePiece,
    cut,
    pages,
    short_title,
    table_pieces,
    trimmed,
)
from research.language import Bilingual, Language, Phrase
from research.text import Span, sentences_in

_SMALL = (PartKind.LEFT_OUT, PartKind.LIMITS, PartKind.VERIFICATION)
"""Parts that often say no more than a line, and stand one after the other at the end."""
_GOES_ON = Phrase(" (continued)")
_QUOTED = Bilingual("“{text}”", "「{text}」")


@dataclass(frozen=True)
class Slide:
    """A slide to be made."""

    layout: Layout
    title: Line
    section: str = ""
    """What the title belongs to, in small print above it."""
    points: tuple[SlidePoint, ...] = ()
    table: TablePiece | None = None
    chart: Chart | None = None
    notes: tuple[Line, ...] = ()
    cited: tuple[int, ...] = ()
    """Sources named at the foot."""
    remark: str = ""
    """What else the foot says."""


def slides_of(document: ReportDocument) -> list[Slide]:
    """Return the slides of a report in their order; the sources stand before the trail, as in every format."""
    found = [_opening(document)]
    trail = [part for part in document.parts if part.kind is PartKind.TRAIL]
    small = [part for part in document.parts if part.kind in _SMALL and part.blocks]
    for part in document.parts:
        if part.kind not in (*_SMALL, PartKind.SOURCES, PartKind.TRAIL):
            found += _part_slides(part, document)
    found += _joined_slides(small, document)
    found += _sources(document)
    for part in trail:
        found += _part_slides(part, document)
    return found


def _opening(document: ReportDocument) -> Slide:
    colon = COLON.in_(document.language)
    title, question = one_line(document.title), one_line(document.question)
    asked = Phrase("Question: {question}").in_(document.language).format(question=question)
    brief = [f"{one_line(name)}{colon}{one_line(value)}" for name, value in document.brief]
    return Slide(
        Layout.OPENING,
        (Text(title),),
        section=question if question != title else "",
        points=tuple(SlidePoint((Text(one_line(line)),)) for line in (document.byline, document.checked) if line),
        notes=tuple((Text(line),) for line in (title, asked, *brief)),
    )


def _sources(document: ReportDocument) -> Iterator[Slide]:
    title = SOURCES.in_(document.language)
    sources = sorted(document.sources, key=lambda one: one.number)
    for page in pages([_entry(source, document.language) for source in sources], APPENDIX_ROOM):
        notes = tuple(line for point in page for line in point.notes)
        yield Slide(Layout.APPENDIX, (Text(title),), points=tuple(page), notes=notes)
        title = SOURCES.in_(document.language) + _GOES_ON.in_(document.language)


def _entry(source: SourceItem, language: Language) -> SlidePoint:
    facts = " · ".join(one_line(fact) for fact in (source.site, source.kind) if fact)
    number, title = Text(f"[{source.number}] ", bold=True), Text(one_line(source.title), url=source.url)
    line: Line = (number, title, Text(f" — {facts} · "), Text(source.dated, bold=source.is_recent))
    address: tuple[Line, ...] = ((Text(source.url, url=source.url),),) if source.url else ()
    quotes: list[Line] = [(Text(_QUOTED.in_(language).format(text=one_line(one.text))),) for one in source.quotes]
    return SlidePoint(line, Look.LEAD, level=1, notes=(line, *address, *quotes), source=source.number)


# --- parts and their sections ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Section:
    """What stands under one heading of the highest level."""

    heading: Line
    blocks: tuple[Block, ...]
    is_quiet: bool

    def above(self, title: Line, language: Language) -> str:
        """Return the heading for above a title that is not this heading."""
        named = plain(self.heading)
        return "" if plain(title) in (named, named + _GOES_ON.in_(language)) else one_line(named)


def _part_slides(part: DocumentPart, document: ReportDocument) -> Iterator[Slide]:
    for section in _sections(part, document):
        yield from _section_slides(section, document.language)


def _joined_slides(parts: Sequence[DocumentPart], document: ReportDocument) -> Iterator[Slide]:
    """Yield the slides of parts that say little: one for all of them if they fit on it."""
    blocks = tuple(block for part in parts for block in part.blocks)
    contents = points_of(blocks, is_quiet=True)
    points = [one for one in contents if isinstance(one, SlidePoint)]
    if len(parts) > 1 and len(points) == len(contents) and len(pages(points, APPENDIX_ROOM)) == 1:
        headings = [next(block.line for block in part.blocks if isinstance(block, Heading)) for part in parts]
        yield from _section_slides(_Section(joined(headings, " · "), blocks, is_quiet=True), document.language)
        return
    for part in parts:
        yield from _part_slides(part, document)


def _sections(part: DocumentPart, document: ReportDocument) -> Iterator[_Section]:
    """Yield the sections of a part; what stands before its first heading is headed by the title."""
    is_quiet = part.kind not in LOUD
    levels = [block.level for block in part.blocks if isinstance(block, Heading) and plain(block.line).strip()]
    top = min(levels, default=1)
    heading: Line = (Text(one_line(document.title)),)
    held: list[Block] = []
    for block in part.blocks:
        if isinstance(block, Heading) and block.level == top and plain(block.line).strip():
            if held:
                yield _Section(heading, tuple(held), is_quiet)
            heading, held = block.line, []
        else:
            held.append(block)
    if held or levels:
        yield _Section(heading, tuple(held), is_quiet)


def _section_slides(section: _Section, language: Language) -> Iterator[Slide]:
    named = [block for block in section.blocks if names_sources(block, language)]
    contents = points_of([block for block in section.blocks if block not in named], is_quiet=section.is_quiet)
    title, contents = _message(section, contents)
    told = [block.line for block in named if isinstance(block, Paragraph)]
    if short_title(section.heading, Layout.APPENDIX if section.is_quiet else Layout.MESSAGE) != section.heading:
        told.insert(0, section.heading)
    sequence = _Sequence(section, title, language)
    first, *rest = list(sequence.slides(contents)) or [sequence.slide(())]
    yield replace(first, notes=(*first.notes, *told))
    yield from rest


def _message(section: _Section, contents: list[Content]) -> tuple[Line, list[Content]]:
    """Return the title: the first sentence if it is proven, fits and leaves something to say; else the heading."""
    first = contents[0] if contents else None
    if section.is_quiet or len(contents) < 2 or not isinstance(first, SlidePoint) or first.look is not Look.BULLET:
        return section.heading, contents
    is_prose, fits = isinstance(section.blocks[0], Paragraph), short_title(first.line, Layout.MESSAGE) == first.line
    if not (is_prose and fits and _citations_of([first.line])):
        return section.heading, contents
    return first.line, [replace(first, line=()), *contents[1:]]


class _Sequence:
    """Makes the slides of a section one after the other."""

    def __init__(self, section: _Section, title: Line, language: Language) -> None:
        self._section = section
        self._title = title
        self._heading = section.heading
        """The last heading so far, of any level."""
        self._notes: tuple[Line, ...] = ()
        """What the notes of the next slide begin with."""
        self._language = language

    def slides(self, contents: Iterable[Content]) -> Iterator[Slide]:
        """Yield slides of points, tables and charts in the order in which they stand."""
        for kind, run in groupby(contents, type):
            if kind is SlidePoint:
                yield from self._points([one for one in run if isinstance(one, SlidePoint)])
                continue
            for one in run:
                if isinstance(one, Chart):
                    yield self._chart(one)
                elif isinstance(one, Table):
                    yield from self._table(one)
        if self._notes:
            yield self.slide(())

    def slide(self, points: Iterable[SlidePoint], layout: Layout | None = None) -> Slide:
        """Return a slide of points, which names the sources that they cite."""
        points = tuple(points)
        return Slide(
            layout or (Layout.APPENDIX if self._section.is_quiet else Layout.MESSAGE),
            self._title,
            section=self._section.above(self._title, self._language),
            points=points,
            notes=(*self._take_notes(), *(line for point in points for line in point.notes)),
            cited=_citations_of([self._title, *(point.line for point in points)]),
        )

    def _points(self, points: list[SlidePoint]) -> Iterator[Slide]:
        if points and not points[0].line:
            self._notes, points = points[0].notes, points[1:]
        leads = list(points)
        after: list[SlidePoint] = []
        while leads and leads[-1].look is Look.HEAD:
            after.insert(0, leads.pop())
        layout, paged = _paged(leads, is_quiet=self._section.is_quiet)
        for page in paged:
            first, shown = page[0], page
            if first.look is Look.HEAD and len(page) > 1 and self._title != self._section.heading:
                self._title, self._notes, shown = first.line, (*self._notes, *first.notes), page[1:]
            yield self.slide(shown, layout)
            self._heading = next((one.line for one in reversed(page) if one.look is Look.HEAD), self._heading)
            self._continue()
        for head in after:
            self._title = self._heading = head.line
            self._notes += head.notes

    def _continue(self) -> None:
        self._title = (*self._heading, Text(_GOES_ON.in_(self._language)))

    def _take_notes(self) -> tuple[Line, ...]:
        notes, self._notes = self._notes, ()
        return notes

    def _chart(self, chart: Chart) -> Slide:
        caption = captioned(chart, self._language)
        words = [caption, *spoken(chart, self._language), chart.note]
        return Slide(
            Layout.CHART if has_figures(chart) else Layout.MESSAGE,
            (Text(caption),),
            section=one_line(plain(self._heading)),
            chart=chart if has_figures(chart) else None,
            notes=(*self._take_notes(), *((Text(word),) for word in words if word)),
            cited=chart.sources,
            remark=one_line(chart.note),
        )

    def _table(self, table: Table) -> Iterator[Slide]:
        table = squared(table)
        rows = [joined(row, " | ") for row in (table.head, *table.rows)]
        for piece in table_pieces(table, self._language):
            yield Slide(
                Layout.TABLE,
                self._title,
                section=self._section.above(self._title, self._language),
                table=piece,
                notes=(*self._take_notes(), *rows),
                cited=_citations_of([self._title, *(cell for row in piece.rows[1:] for cell in row)]),
                remark=piece.remark,
            )
            rows = []
            self._continue()


def _paged(points: list[SlidePoint], *, is_quiet: bool) -> tuple[Layout, list[list[SlidePoint]]]:
    """Return points by slides with their layout: that of larger words if it takes no more slides."""
    if is_quiet:
        return Layout.APPENDIX, pages(points, APPENDIX_ROOM)
    large, usual = pages(points, KEY_ROOM), pages(points, MESSAGE_ROOM)
    return (Layout.KEY, large) if len(large) <= len(usual) else (Layout.MESSAGE, usual)


def _citations_of(lines: Iterable[Line]) -> tuple[int, ...]:
    """Return the numbers that lines cite, in order of their first occurrence."""
    return tuple(dict.fromkeys(piece.number for line in lines for piece in line if isinstance(piece, Citation)))


# --- blocks as points, with their full text for the notes --------------------------------------------------------

_FEW = 6
"""Sentences of a section up to which all of them are shown."""
_LEAD = 30
"""Characters of words that lead a paragraph."""
_DIGIT = re.compile(r"\d")
_CITATIONS = re.compile(r"(?:\s*\[\d+\])*\s*")
_CODE_LEVEL = 3
"""The level whose size code has."""
_NOTE_INDENT = "    "

Content = SlidePoint | Table | Chart


def points_of(blocks: Sequence[Block], *, is_quiet: bool = False) -> list[Content]:
    """Return the content of a section: its lists whole; of long prose the sentences that begin or prove something.

    In the quiet parts after the text, a paragraph stays as it is.
    """
    if is_quiet:
        return list(_contents(blocks, shows_all=True, is_quiet=True))
    sentences = sum(len(sentences_of(block.line)) for block in blocks if isinstance(block, Paragraph))
    return list(_contents(blocks, shows_all=sentences <= _FEW))


def _contents(blocks: Iterable[Block], *, shows_all: bool, is_quiet: bool = False) -> Iterator[Content]:
    for block in blocks:
        match block:
            case Heading() if plain(block.line).strip():
                yield SlidePoint(block.line, Look.HEAD, notes=(block.line,))
            case Paragraph() if is_quiet:
                yield SlidePoint(block.line, Look.LEAD, notes=(block.line,))
            case Paragraph():
                yield from _prose(block.line, shows_all=shows_all)
            case Items():
                yield from _items(block, 0)
            case Quotation():
                yield from _quoted(block)
            case Code():
                yield from _code(block.text)
            case Table() | Chart():
                yield block
            case Heading() | ThematicBreak():
                pass


def _prose(line: Line, *, shows_all: bool) -> Iterator[SlidePoint]:
    notes: tuple[Line, ...] = (line,)
    for place, sentence in enumerate(_led(sentences_of(line))):
        words = plain([piece for piece in sentence if not isinstance(piece, Citation)])
        if shows_all or place == 0 or (_citations_of([sentence]) and _DIGIT.search(words)):
            yield SlidePoint(sentence, notes=notes)
            notes = ()


def _led(sentences: list[Line]) -> list[Line]:
    """Return sentences; words in bold that lead the first ("In short.") stand on one line with it."""
    if len(sentences) < 2 or not all(isinstance(piece, Text) and piece.bold for piece in sentences[0]):
        return sentences
    lead, first, *rest = sentences
    between = "" if plain(lead).endswith(("。", "：")) else " "
    return [(*lead, Text(between), *first), *rest] if len(plain(lead)) <= _LEAD else sentences


def _items(items: Items, level: int) -> Iterator[Content]:
    for number, blocks in enumerate(items.items, start=items.start):
        first, rest = (blocks[0], blocks[1:]) if blocks and isinstance(blocks[0], Paragraph) else (None, blocks)
        mark = f"{number}. " if items.is_ordered else "• "
        look = Look.NUMBER if items.is_ordered else Look.BULLET
        if first and first.line:
            note: Line = (Text(_NOTE_INDENT * level + mark), *first.line)
            yield SlidePoint(first.line, look, level, number, notes=(note,))
        for block in rest:
            if isinstance(block, Items):
                yield from _items(block, level + 1)
            else:
                yield from (_set_in(one, level) for one in _contents([block], shows_all=True))


def _set_in(content: Content, level: int) -> Content:
    if not isinstance(content, SlidePoint):
        return content
    look = Look.PLAIN if content.look is Look.BULLET else content.look
    return replace(content, level=content.level + level, look=look)


def _quoted(quotation: Quotation) -> Iterator[Content]:
    for content in _contents(quotation.blocks, shows_all=True):
        is_prose = isinstance(content, SlidePoint) and content.look is Look.BULLET and content.level == 0
        yield replace(content, look=Look.QUOTE) if isinstance(content, SlidePoint) and is_prose else content


def _code(text: str) -> Iterator[SlidePoint]:
    rows = clean(text).split("\n")
    notes: tuple[Line, ...] = tuple((Text(row or " "),) for row in rows)
    for place, row in enumerate(rows):
        yield SlidePoint((Text(row or " ", code=True),), Look.CODE, _CODE_LEVEL, notes=notes if place == 0 else ())


def sentences_of(line: Line) -> list[Line]:
    """Return the sentences of a line, cleaned, each with the citations that follow it."""
    line = tuple(replace(piece, text=clean(piece.text)) if isinstance(piece, Text) else piece for piece in line)
    text = plain(line)
    spans = sentences_in(text, Span(0, len(text))) if text.strip() else []
    starts = [found.end() for span in spans[1:] if (found := _CITATIONS.match(text, span.start))]
    return [sentence for piece in cut(line, starts) if (sentence := trimmed(piece))]
