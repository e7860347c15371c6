"""A report as a plan of slides: which stand in the deck, in what order, with what on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from research.export.document import (
    Block,
    DocumentPart,
    Heading,
    Line,
    Paragraph,
    PartKind,
    ReportDocument,
    Text,
    plain,
)
from research.export.office.cleaning import one_line
from research.export.office.lines import citations_of, names_sources
from research.export.office.measuring import line_count
from research.export.pptx.geometry import APPENDIX_ROOM, QUIET_TITLE_SIZE, TEXT_WIDTH, TITLE_LINES, TITLE_SIZE
from research.export.pptx.paging import pages, shortened
from research.export.pptx.points import Content, Look, Point, points_of
from research.export.pptx.sequence import SectionSlides, slide
from research.export.pptx.slides import Section, Slide
from research.language import Language

_LOUD = (PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS)
_BETWEEN = Text(" · ")


def part_slides(part: DocumentPart, document: ReportDocument) -> Iterator[Slide]:
    """Yield the slides of a part of the report."""
    for section in _sections(part, document):
        yield from _section_slides(section, document.language)


def joined_slides(parts: Sequence[DocumentPart], document: ReportDocument) -> Iterator[Slide]:
    """Yield the slides of parts that say little: one for all of them if they fit on it."""
    blocks = tuple(block for part in parts for block in part.blocks)
    contents = points_of(blocks, is_quiet=True)
    points = [one for one in contents if isinstance(one, Point)]
    if len(parts) > 1 and len(points) == len(contents) and len(pages(points, APPENDIX_ROOM)) == 1:
        headings = [next(block.line for block in part.blocks if isinstance(block, Heading)) for part in parts]
        title = tuple(piece for place, line in enumerate(headings) for piece in ([_BETWEEN] if place else []) + [*line])
        yield from _section_slides(Section(title, blocks, is_quiet=True), document.language)
        return
    for part in parts:
        yield from part_slides(part, document)


def _sections(part: DocumentPart, document: ReportDocument) -> Iterator[Section]:
    """Yield the sections of a part; what stands before its first heading is headed by the title."""
    is_quiet = part.kind not in _LOUD
    levels = [block.level for block in part.blocks if isinstance(block, Heading) and plain(block.line).strip()]
    top = min(levels, default=1)
    heading: Line = (Text(one_line(document.title)),)
    held: list[Block] = []
    for block in part.blocks:
        if isinstance(block, Heading) and block.level == top and plain(block.line).strip():
            if held:
                yield Section(heading, tuple(held), is_quiet)
            heading, held = block.line, []
        else:
            held.append(block)
    if held or levels:
        yield Section(heading, tuple(held), is_quiet)


def _section_slides(section: Section, language: Language) -> Iterator[Slide]:
    named = [block for block in section.blocks if names_sources(block, language)]
    contents = points_of([block for block in section.blocks if block not in named], is_quiet=section.is_quiet)
    title, contents = _message(section, contents)
    told = [block.line for block in named if isinstance(block, Paragraph)]
    if _is_cut(section):
        told.insert(0, section.heading)
    found = list(SectionSlides(section, title, language).slides(contents)) or [slide(section, title, (), (), language)]
    found[0] = replace(found[0], notes=(*found[0].notes, *told))
    yield from found


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
