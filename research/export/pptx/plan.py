"""A report as a plan of slides: which stand in the deck, in what order, with what on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from research.export.document import (
    Block,
    Chart,
    Document,
    Heading,
    Line,
    Paragraph,
    Part,
    PartKind,
    Table,
    Text,
    plain,
)
from research.export.office.cleaning import one_line
from research.export.office.lines import citations_of
from research.export.office.measuring import line_count
from research.export.office.native_charts import captioned, has_figures, spoken
from research.export.office.words import GOES_ON
from research.export.pptx.geometry import (
    APPENDIX_ROOM,
    MESSAGE_ROOM,
    QUIET_TITLE_SIZE,
    TEXT_WIDTH,
    TITLE_LINES,
    TITLE_SIZE,
    Layout,
)
from research.export.pptx.paging import pages, shortened
from research.export.pptx.points import Content, Look, Point, points_of
from research.export.pptx.tables import TablePiece, table_pieces
from research.export.sections import SOURCES_OF_SECTION
from research.language import Language

_LOUD = (PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS)


@dataclass(frozen=True)
class Slide:
    """A slide to be made."""

    layout: Layout
    title: Line
    section: str = ""
    """What the title belongs to, in small print above it."""
    points: tuple[Point, ...] = ()
    table: TablePiece | None = None
    chart: Chart | None = None
    notes: tuple[Line, ...] = ()
    cited: tuple[int, ...] = ()
    """Sources named at the foot."""
    remark: str = ""
    """What else the foot says."""


@dataclass(frozen=True)
class Section:
    """What stands under one heading of the highest level."""

    heading: Line
    blocks: tuple[Block, ...]
    is_quiet: bool


def part_slides(part: Part, document: Document) -> Iterator[Slide]:
    """Yield the slides of a part of the report."""
    for section in _sections(part, document):
        yield from _section_slides(section, document.language)


def _sections(part: Part, document: Document) -> Iterator[Section]:
    """Yield the sections of a part; what stands before its first heading is headed by the title."""
    is_quiet = part.kind not in _LOUD
    levels = [block.level for block in part.blocks if isinstance(block, Heading)]
    top = min(levels, default=1)
    heading: Line = (Text(one_line(document.title)),)
    held: list[Block] = []
    for block in part.blocks:
        if isinstance(block, Heading) and block.level == top:
            if held:
                yield Section(heading, tuple(held), is_quiet)
            heading, held = block.line, []
        else:
            held.append(block)
    if held or levels:
        yield Section(heading, tuple(held), is_quiet)


def _section_slides(section: Section, language: Language) -> Iterator[Slide]:
    named = [block for block in section.blocks if _names_sources(block, language)]
    contents = points_of([block for block in section.blocks if block not in named], is_quiet=section.is_quiet)
    title, contents = _message(section, contents)
    told = [block.line for block in named if isinstance(block, Paragraph)]
    if _is_cut(section):
        told.insert(0, section.heading)
    found = list(_Sequence(section, title, language).slides(contents)) or [_slide(section, title, (), (), language)]
    found[0] = replace(found[0], notes=(*found[0].notes, *told))
    yield from found


def _names_sources(block: Block, language: Language) -> bool:
    """Whether a paragraph names the sources of its section, as the foot of a slide does."""
    return isinstance(block, Paragraph) and plain(block.line).startswith(SOURCES_OF_SECTION.in_(language))


def _is_cut(section: Section) -> bool:
    size = QUIET_TITLE_SIZE if section.is_quiet else TITLE_SIZE
    return shortened(section.heading, TEXT_WIDTH / size, TITLE_LINES) != section.heading


def _message(section: Section, contents: list[Content]) -> tuple[Line, list[Content]]:
    """Return the title: the first sentence if it is proven, fits and leaves something to say; else the heading."""
    first = contents[0] if contents else None
    if section.is_quiet or len(contents) < 2 or not isinstance(first, Point) or first.look is not Look.BULLET:
        return section.heading, contents
    is_prose = isinstance(section.blocks[0], Paragraph)
    fits = line_count(plain(first.line), TEXT_WIDTH / TITLE_SIZE, is_bold=True) <= TITLE_LINES
    if not (is_prose and fits and citations_of([first.line])):
        return section.heading, contents
    return first.line, [replace(first, line=()), *contents[1:]]


class _Sequence:
    """Makes the slides of a section one after the other."""

    def __init__(self, section: Section, title: Line, language: Language) -> None:
        self._section = section
        self._room = APPENDIX_ROOM if section.is_quiet else MESSAGE_ROOM
        self._title = title
        self._heading = section.heading
        """The last heading so far, of any level."""
        self._notes: tuple[Line, ...] = ()
        """What the notes of the next slide begin with."""
        self._continued = GOES_ON.in_(language)
        self._language = language

    def slides(self, contents: Sequence[Content]) -> Iterator[Slide]:
        """Yield slides of points, tables and charts in the order in which they stand."""
        for kind, run in groupby(contents, type):
            if kind is Point:
                yield from self._points([one for one in run if isinstance(one, Point)])
                continue
            for one in run:
                if isinstance(one, Chart):
                    yield self._chart(one)
                elif isinstance(one, Table):
                    yield from self._table(one)
        if self._notes:
            yield _slide(self._section, self._title, (), self._take_notes(), self._language)

    def _points(self, points: Sequence[Point]) -> Iterator[Slide]:
        if points and not points[0].line:
            self._notes, points = points[0].notes, points[1:]
        leads = list(points)
        after: list[Point] = []
        while leads and leads[-1].look is Look.HEAD:
            after.insert(0, leads.pop())
        for page in pages(leads, self._room):
            first, rest = page[0], page[1:]
            if first.look is Look.HEAD and rest and self._title != self._section.heading:
                self._title, self._notes, page = first.line, (*self._notes, *first.notes), rest  # noqa: PLW2901
            yield _slide(self._section, self._title, page, self._take_notes(), self._language)
            self._heading = next((one.line for one in [*page, first][::-1] if one.look is Look.HEAD), self._heading)
            self._title = (*self._heading, Text(self._continued))
        for head in after:
            self._title = self._heading = head.line
            self._notes += head.notes

    def _take_notes(self) -> tuple[Line, ...]:
        notes, self._notes = self._notes, ()
        return notes

    def _chart(self, chart: Chart) -> Slide:
        words = [captioned(chart), *spoken(chart), chart.note]
        return Slide(
            Layout.CHART if has_figures(chart) else Layout.MESSAGE,
            (Text(captioned(chart)),),
            section=one_line(plain(self._heading)),
            chart=chart if has_figures(chart) else None,
            notes=(*self._take_notes(), *((Text(word),) for word in words if word)),
            cited=chart.sources,
            remark=one_line(chart.note),
        )

    def _table(self, table: Table) -> Iterator[Slide]:
        rows: tuple[Line, ...] = tuple(map(_joined, (table.head, *table.rows)))
        for piece in table_pieces(table, self._language):
            yield Slide(
                Layout.TABLE,
                self._title,
                section=_section_above(self._section, self._title, self._language),
                table=piece,
                notes=(*self._take_notes(), *rows),
                cited=citations_of([self._title, *(cell for row in piece.rows for cell in row)]),
                remark=piece.remark,
            )
            rows = ()
            self._title = (*self._heading, Text(self._continued))


def _slide(section: Section, title: Line, points: Sequence[Point], notes: Iterable[Line], language: Language) -> Slide:
    return Slide(
        Layout.APPENDIX if section.is_quiet else Layout.MESSAGE,
        title,
        section=_section_above(section, title, language),
        points=tuple(points),
        notes=(*notes, *(line for point in points for line in point.notes)),
        cited=citations_of([title, *(point.line for point in points)]),
    )


def _section_above(section: Section, title: Line, language: Language) -> str:
    """Return the heading of a section for above a title that is not this heading."""
    named = plain(section.heading)
    return "" if plain(title) in (named, named + GOES_ON.in_(language)) else one_line(named)


def _joined(row: Sequence[Line]) -> Line:
    """Return a row on one line."""
    return tuple(piece for place, cell in enumerate(row) for piece in (*([Text(" | ")] if place else []), *cell))
