"""Blocks of a document as paragraphs, lists, tables and charts of Word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from docx.document import Document as WordDocument
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import (
    Block,
    Chart,
    Code,
    Heading,
    Items,
    Line,
    Paragraph,
    Quotation,
    ReportDocument,
    Table,
    Text,
    ThematicBreak,
    plain,
)
from research.export.docx.charts import chart_run
from research.export.docx.footnotes import Footnotes
from research.export.docx.inlines import Links, run
from research.export.docx.numbering import DEEPEST, Numbering, list_properties
from research.export.docx.tables import column_groups, table_element
from research.export.docx.xml import styled, w
from research.export.office.cleaning import one_line, runs_right_to_left
from research.export.office.lines import bound, names_sources
from research.export.office.native_charts import Drawn, captioned, drawn, has_figures
from research.export.office.tables import squared
from research.export.office.words import COLUMNS, SOURCES_HERE

_LEVELS = 6
_INDENT = 360
"""Twips by which a level of a list or quotation is set in."""


@dataclass(frozen=True)
class Place:
    """Where a block stands."""

    is_quiet: bool = False
    """In the parts after the text, which are set smaller."""
    depth: int = 0
    """Lists around it."""
    quoted: int = 0
    """Quotations around it."""

    @property
    def style(self) -> str:
        """The style of its paragraphs."""
        if self.quoted:
            return "Quote"
        if self.depth:
            return "ListContinue"
        return "AppendixText" if self.is_quiet else "Normal"


class Body:
    """Writes blocks; counts headings and charts as it goes."""

    def __init__(self, word: WordDocument, document: ReportDocument, width: int) -> None:
        self._sources = {source.number: source for source in document.sources}
        self.links = Links(word.part, self._sources)
        self.headings: list[tuple[int, str, str]] = []
        """Level, words and bookmark of each heading so far."""
        self._word = word
        self._document = document
        self._width = width
        self._footnotes = Footnotes(word, self._sources)
        self._numbering = Numbering(word)
        self._bookmarks = count(1)
        self._charts = count(1)
        self._drawn = _drawn(document)

    def blocks(self, blocks: Iterable[Block], place: Place) -> list[Element]:
        """Return blocks in their order."""
        return [element for block in blocks for element in self._block(block, place)]

    def _block(self, block: Block, place: Place) -> list[Element]:
        match block:
            case Heading():
                is_empty = not plain(block.line).strip()
                found = [] if is_empty else [self.heading(block, is_quiet=place.is_quiet)]
            case Paragraph():
                named = not place.depth and names_sources(block, self._document.language)
                found = [self._paragraph(block.line, place, style="SectionSources" if named else place.style)]
            case Items():
                found = self._items(block, place)
            case Table():
                found = self._table(block)
            case Code():
                found = [styled("Code", run(block.text))]
            case Quotation():
                found = self.blocks(block.blocks, replace(place, quoted=place.quoted + 1))
            case ThematicBreak():
                found = [styled("Rule")]
            case Chart():
                found = self._chart(block)
        return found

    def heading(self, heading: Heading, *, is_quiet: bool) -> Element:
        """Return a heading, which the table of contents can lead to."""
        level = min(heading.level, _LEVELS)
        style = f"Heading{level}" if not is_quiet else "AppendixHeading" if level == 1 else "AppendixSubheading"
        name = f"_Toc{len(self.headings) + 1:06}"
        self.headings.append((min(level, 2) if is_quiet else level, one_line(plain(heading.line)), name))
        right = runs_right_to_left(plain(heading.line))
        properties = w("pPr", w("pStyle", val=style), w("bidi") if right else None)
        return w("p", properties, *self.bookmarked(name, self.links.line(heading.line)))

    def bookmarked(self, name: str, content: list[Element]) -> list[Element]:
        """Return content between the ends of a bookmark."""
        number = next(self._bookmarks)
        return [w("bookmarkStart", id=number, name=name), *content, w("bookmarkEnd", id=number)]

    def _line(self, line: Line, place: Place) -> list[Element]:
        line = bound(line)
        return self.links.line(line) if place.is_quiet else self._footnotes.line(line, self.links)

    def _paragraph(self, line: Line, place: Place, style: str) -> Element:
        indent = _INDENT * (min(place.depth, DEEPEST + 1) + place.quoted)
        is_set_in = place.depth or place.quoted > 1
        properties = w(
            "pPr",
            w("pStyle", val=style),
            w("bidi") if runs_right_to_left(plain(line)) else None,
            w("ind", left=indent) if is_set_in else None,
        )
        return w("p", properties, *self._line(line, place))

    def _items(self, items: Items, place: Place) -> list[Element]:
        list_id = self._numbering.new_list(is_ordered=items.is_ordered, start=items.start, level=place.depth)
        within = replace(place, depth=place.depth + 1)
        style = ("Appendix" if place.is_quiet else "List") + ("Number" if items.is_ordered else "Bullet")
        found: list[Element] = []
        for blocks in items.items:
            first, rest = (blocks[0], blocks[1:]) if blocks and isinstance(blocks[0], Paragraph) else (None, blocks)
            line = first.line if first else ()
            right = w("bidi") if runs_right_to_left(plain(line)) else None
            properties = w("pPr", w("pStyle", val=style), list_properties(list_id, place.depth), right)
            found.append(w("p", properties, *self._line(line, place)))
            found += self.blocks(rest, within)
        return found

    def _table(self, table: Table) -> list[Element]:
        if not table.head:
            return []
        table = squared(table)
        groups = column_groups(table)
        found: list[Element] = []
        for columns in groups:
            if len(groups) > 1:
                words = COLUMNS.in_(self._document.language)
                named = words.format(first=columns[1] + (columns[1] > 1), last=columns[-1] + 1, total=len(table.head))
                found.append(styled("Caption", run(named)))
            found.append(table_element(table, columns, self._width, lambda line: self.links.line(bound(line))))
            found.append(w("p", w("pPr", w("pStyle", val="Rule"), w("pBdr", w("bottom", val="nil")))))
        return found

    def _chart(self, chart: Chart) -> list[Element]:
        found = [styled("Caption", run(captioned(chart, self._document.language)))]
        if id(chart) in self._drawn:
            shown = chart_run(self._word, chart, self._drawn[id(chart)], next(self._charts), self._width)
            found.append(styled("Figure", shown))
        named = self._named(chart)
        if named:
            words = run(SOURCES_HERE.in_(self._document.language))
            found.append(styled("FigureSources", words, *named))
        return found

    def _named(self, chart: Chart) -> list[Element]:
        """Return the sources of a chart with their numbers and titles."""
        found: list[list[Element]] = []
        for number in chart.sources:
            source = self._sources.get(number)
            title = self.links.line((Text(f" {one_line(source.title)}"),)) if source else []
            found.append([self.links.citation(number), *title])
        if chart.note:
            found.append([run(one_line(chart.note))])
        return [element for place, one in enumerate(found) for element in ([run(" · ")] if place else []) + one]


def _drawn(document: ReportDocument) -> dict[int, Drawn]:
    """Return the charts that can be drawn, by their identity."""
    charts = [block for part in document.parts for block in part.blocks if isinstance(block, Chart)]
    usable = [chart for chart in charts if has_figures(chart)]
    return dict(zip(map(id, usable), drawn(usable, document.language), strict=True)) if usable else {}
