"""The content of a section as slides, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby

from research.export.document import Chart, Line, Table, Text, plain
from research.export.office.cleaning import one_line
from research.export.office.lines import citations_of
from research.export.office.native_charts import captioned, has_figures, spoken
from research.export.office.tables import squared
from research.export.office.words import GOES_ON
from research.export.pptx.geometry import APPENDIX_ROOM, KEY_ROOM, MESSAGE_ROOM, Layout
from research.export.pptx.paging import pages
from research.export.pptx.points import Content, Look, Point
from research.export.pptx.slides import Section, Slide
from research.export.pptx.tables import table_pieces
from research.language import Language


class SectionSlides:
    """Makes the slides of a section one after the other."""

    def __init__(self, section: Section, title: Line, language: Language) -> None:
        self._section = section
        self._title = title
        self._heading = section.heading
        """The last heading so far, of any level."""
        self._notes: tuple[Line, ...] = ()
        """What the notes of the next slide begin with."""
        self._continued = GOES_ON.in_(language)
        self._language = language

    def slides(self, contents: Iterable[Content]) -> Iterator[Slide]:
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
            yield slide(self._section, self._title, (), self._take_notes(), self._language)

    def _points(self, points: list[Point]) -> Iterator[Slide]:
        if points and not points[0].line:
            self._notes, points = points[0].notes, points[1:]
        leads = list(points)
        after: list[Point] = []
        while leads and leads[-1].look is Look.HEAD:
            after.insert(0, leads.pop())
        layout, paged = _paged(leads, is_quiet=self._section.is_quiet)
        for page in paged:
            first, rest = page[0], page[1:]
            if first.look is Look.HEAD and rest and self._title != self._section.heading:
                self._title, self._notes, page = first.line, (*self._notes, *first.notes), rest  # noqa: PLW2901
            shown = slide(self._section, self._title, page, self._take_notes(), self._language)
            yield replace(shown, layout=layout)
            self._heading = next((one.line for one in [first, *page][::-1] if one.look is Look.HEAD), self._heading)
            self._title = (*self._heading, Text(self._continued))
        for head in after:
            self._title = self._heading = head.line
            self._notes += head.notes

    def _take_notes(self) -> tuple[Line, ...]:
        notes, self._notes = self._notes, ()
        return notes

    def _chart(self, chart: Chart) -> Slide:
        words = [captioned(chart, self._language), *spoken(chart, self._language), chart.note]
        return Slide(
            Layout.CHART if has_figures(chart) else Layout.MESSAGE,
            (Text(captioned(chart, self._language)),),
            section=one_line(plain(self._heading)),
            chart=chart if has_figures(chart) else None,
            notes=(*self._take_notes(), *((Text(word),) for word in words if word)),
            cited=chart.sources,
            remark=one_line(chart.note),
        )

    def _table(self, table: Table) -> Iterator[Slide]:
        table = squared(table)
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


def slide(section: Section, title: Line, points: Iterable[Point], notes: Iterable[Line], language: Language) -> Slide:
    """Return a slide of points, which names the sources that they cite."""
    points = tuple(points)
    return Slide(
        Layout.APPENDIX if section.is_quiet else Layout.MESSAGE,
        title,
        section=_section_above(section, title, language),
        points=points,
        notes=(*notes, *(line for point in points for line in point.notes)),
        cited=citations_of([title, *(point.line for point in points)]),
    )


def _paged(points: list[Point], *, is_quiet: bool) -> tuple[Layout, list[list[Point]]]:
    """Return points by slides with their layout: that of larger words if it takes no more slides."""
    if is_quiet:
        return Layout.APPENDIX, pages(points, APPENDIX_ROOM)
    large, usual = pages(points, KEY_ROOM), pages(points, MESSAGE_ROOM)
    return (Layout.KEY, large) if len(large) <= len(usual) else (Layout.MESSAGE, usual)


def _section_above(section: Section, title: Line, language: Language) -> str:
    """Return the heading of a section for above a title that is not this heading."""
    named = plain(section.heading)
    return "" if plain(title) in (named, named + GOES_ON.in_(language)) else one_line(named)


def _joined(row: Iterable[Line]) -> Line:
    """Return a row on one line."""
    return tuple(piece for place, cell in enumerate(row) for piece in (*([Text(" | ")] if place else []), *cell))
