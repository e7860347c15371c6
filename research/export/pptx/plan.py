"""A report as a plan of slides: which stand in the deck, in what order, with what on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from research.export.document import (
    Block,
    Chart,
    Citation,
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
    contents: tuple[Content, ...] = field(default=())


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
    blocks = [block for block in section.blocks if not _names_sources(block, language)]
    told = [block.line for block in section.blocks if isinstance(block, Paragraph) and _names_sources(block, language)]
    contents = points_of(blocks)
    message, contents = _message(section, contents)
    found = list(_runs(section, message, contents, language)) or [_slide(section, section.heading, [])]
    size = QUIET_TITLE_SIZE if section.is_quiet else TITLE_SIZE
    if shortened(section.heading, TEXT_WIDTH / size, TITLE_LINES) != section.heading:
        told = [section.heading, *told]
    found[0] = replace(found[0], notes=(*found[0].notes, *told))
    yield from found


def _names_sources(block: Block, language: Language) -> bool:
    """Whether a paragraph names the sources of its section, as the foot of a slide does."""
    return isinstance(block, Paragraph) and plain(block.line).startswith(SOURCES_OF_SECTION.in_(language))


def _message(section: Section, contents: list[Content]) -> tuple[Line, list[Content]]:
    """Return the title: the first sentence if it is proven, fits and leaves something to say; else the heading."""
    first = contents[0] if contents else None
    if section.is_quiet or len(contents) < 2 or not isinstance(first, Point) or first.look is not Look.BULLET:
        return section.heading, contents
    is_prose = bool(section.blocks) and isinstance(section.blocks[0], Paragraph)
    is_proven = any(isinstance(piece, Citation) for piece in first.line)
    fits = line_count(plain(first.line), TEXT_WIDTH / TITLE_SIZE, is_bold=True) <= TITLE_LINES
    if not (is_prose and is_proven and fits):
        return section.heading, contents
    second = contents[1]
    rest = [replace(second, notes=first.notes + second.notes)] if isinstance(second, Point) else [second]
    return first.line, [*rest, *contents[2:]]


def _runs(section: Section, title: Line, contents: Sequence[Content], language: Language) -> Iterator[Slide]:
    """Yield slides of points, tables and charts in the order in which they stand."""
    is_first = True
    for kind, run in groupby(contents, type):
        if kind is Point:
            points = [one for one in run if isinstance(one, Point)]
            for slide in _point_slides(section, title, points, language, goes_on=not is_first):
                yield slide
                is_first = False
            continue
        for one in run:
            head = title if is_first else section.heading
            yield from _table_slides(section, head, one, language) if isinstance(one, Table) else ()
            yield from [_chart_slide(section, one)] if isinstance(one, Chart) else []
            is_first = False


def _point_slides(
    section: Section, title: Line, points: Sequence[Point], language: Language, *, goes_on: bool
) -> Iterator[Slide]:
    room = APPENDIX_ROOM if section.is_quiet else MESSAGE_ROOM
    number = 1
    for page in pages(points, room):
        if (goes_on or number > 1) and page[0].look is Look.HEAD and len(page) > 1:
            yield _slide(section, page[0].line, page[1:], page[0].notes)
            title, number, goes_on = page[0].line, 2, False
            continue
        shown = title if number == 1 and not goes_on else (*title, Text(GOES_ON.in_(language)))
        yield _slide(section, shown, page)
        number += 1


def _slide(section: Section, title: Line, points: Sequence[Point], notes: Iterable[Line] = ()) -> Slide:
    layout = Layout.APPENDIX if section.is_quiet else Layout.MESSAGE
    named = plain(section.heading)
    return Slide(
        layout,
        title,
        section="" if plain(title).startswith(named) else one_line(named),
        points=tuple(points),
        notes=(*notes, *(line for point in points for line in point.notes)),
        cited=citations_of([title, *(point.line for point in points)]),
    )


def _chart_slide(section: Section, chart: Chart) -> Slide:
    words = [captioned(chart), *spoken(chart), chart.note]
    return Slide(
        Layout.CHART if has_figures(chart) else Layout.MESSAGE,
        (Text(captioned(chart)),),
        section=one_line(plain(section.heading)),
        chart=chart if has_figures(chart) else None,
        notes=tuple((Text(word),) for word in words if word),
        cited=chart.sources,
        remark=one_line(chart.note),
    )


def _table_slides(section: Section, title: Line, table: Table, language: Language) -> Iterator[Slide]:
    head = " | ".join(plain(cell) for cell in table.head)
    rows = [_joined(row) for row in table.rows]
    for place, piece in enumerate(table_pieces(table, language)):
        yield Slide(
            Layout.TABLE,
            title if place == 0 else (*title, Text(GOES_ON.in_(language))),
            section="" if plain(title) == plain(section.heading) else one_line(plain(section.heading)),
            table=piece,
            notes=((Text(head),), *rows) if place == 0 else (),
            cited=citations_of(cell for row in piece.rows for cell in row),
            remark=piece.remark,
        )


def _joined(row: Sequence[Line]) -> Line:
    """Return a row on one line."""
    return tuple(piece for place, cell in enumerate(row) for piece in (*([Text(" | ")] if place else []), *cell))
