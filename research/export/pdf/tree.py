"""A document as the tree of plain values that the template reads; every word in it is text, never markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from babel.dates import format_date

from research.export.document import (
    Block,
    Chart,
    Code,
    Document,
    Heading,
    Items,
    Paragraph,
    Part,
    PartKind,
    Quotation,
    Rule,
    Source,
    Table,
    Text,
    plain,
)
from research.export.pdf.length import is_long
from research.export.pdf.opening import opening
from research.export.pdf.paper import Paper
from research.export.pdf.plots import plot
from research.export.pdf.tables import table_nodes
from research.export.pdf.tongues import tongue
from research.export.pdf.words import Citing, Node, breakable, clean, linkable, shortened
from research.language import Bilingual, Language

_SOURCES = Bilingual("Sources", "情報源")
_READ = Bilingual("read on {date}", "{date}に取得")
_PASSAGE = Bilingual("in the page", "該当箇所")
_CHART_SOURCES = Bilingual("Sources: ", "出典：")
_CODE_LINE = 78
_DEEPEST = 6
_QUIET = frozenset(PartKind) - {PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS}


def tree(document: Document, paper: Paper) -> Node:
    """Return the document for the template."""
    setter = _Setter(document)
    parts = list(setter.parts())
    return {
        "language": document.language.value,
        "paper": {Paper.A4: "a4", Paper.LETTER: "us-letter"}[paper],
        "long": is_long(document),
        "opening": opening(document),
        "parts": parts,
        "sources": [setter.source(source) for source in document.sources],
    }


class _Setter:
    """Turns parts into nodes, one after the other."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._language = document.language
        self._citing = Citing(source.number for source in document.sources)
        self._level = 0

    def parts(self) -> Iterator[Node]:
        """Yield the parts in their order; that of the sources stands before the trail, as a place for their entries."""
        placed = False
        for part in self._document.parts:
            if part.kind in (PartKind.SOURCES, PartKind.TRAIL) and not placed:
                placed = True
                yield from self._place_of_sources()
            if part.kind is not PartKind.SOURCES:
                yield self._part(part)
        if not placed:
            yield from self._place_of_sources()

    def _place_of_sources(self) -> Iterator[Node]:
        if self._document.sources:
            heading = Heading(1, (Text(_SOURCES.in_(self._language)),))
            yield self._part(Part(PartKind.SOURCES, (heading,)))

    def _part(self, part: Part) -> Node:
        blocks = [node for block in part.blocks for node in self._block(block)]
        return {"is": part.kind.value, "quiet": part.kind in _QUIET, "blocks": blocks}

    # --- blocks ------------------------------------------------------------------------------------------------

    def _block(self, block: Block, depth: int = 0) -> Iterator[Node]:
        match block:
            case Heading():
                yield self._heading(block, depth)
            case Paragraph():
                yield {"is": "paragraph", "line": self._citing.line(block.line), **self._tongue(plain(block.line))}
            case Items():
                yield {
                    "is": "items",
                    "items": [self._blocks(item, depth + 1) for item in block.items],
                    "nested": depth > 0,
                    "ordered": block.is_ordered,
                    "start": max(0, block.start),
                    "tight": all(len(item) <= 1 or isinstance(item[1], Items) for item in block.items),
                }
            case Table():
                yield from table_nodes(block, self._citing, self._language, may_turn=depth == 0)
            case Code():
                text = clean(block.text, keep_lines=True)
                yield {"is": "code", "text": breakable(text, _CODE_LINE)}
            case Quotation():
                yield {"is": "quotation", "blocks": self._blocks(block.blocks, depth + 1)}
            case Rule():
                yield {"is": "rule"}
            case Chart():
                yield self._chart(block)

    def _blocks(self, blocks: Sequence[Block], depth: int) -> list[Node]:
        return [node for block in blocks for node in self._block(block, depth)]

    def _heading(self, heading: Heading, depth: int) -> Node:
        """Return a heading; one within a list or a quotation, which no table of contents can name, is a paragraph."""
        line = self._citing.line(heading.line, is_repeated=depth == 0)
        if depth or not plain(heading.line).strip():
            return {"is": "paragraph", "line": line, "strong": True}
        self._level = min(max(1, heading.level), self._level + 1, _DEEPEST)
        return {"is": "heading", "level": self._level, "line": line, **self._tongue(plain(heading.line))}

    def _chart(self, chart: Chart) -> Node:
        by_number = {source.number: source for source in self._document.sources}
        named = [
            {"number": number, "title": breakable(clean(by_number[number].title))}
            for number in chart.sources
            if number in by_number
        ]
        return {
            "is": "chart",
            "title": breakable(clean(chart.title)),
            "sourced": _CHART_SOURCES.in_(self._language) if named or chart.note else "",
            "sources": named,
            "note": breakable(clean(chart.note)),
            **plot(chart, self._language),
        }

    # --- sources -----------------------------------------------------------------------------------------------

    def source(self, source: Source) -> Node:
        """Return an entry of the list of sources; to be called after `parts`, which finds what is cited where."""
        read = _READ.in_(self._language).format(date=_day(source.fetched, self._language))
        facts = [clean(fact).strip() for fact in (source.site, source.kind, source.dated)]
        return {
            "number": source.number,
            "cited": source.number in self._citing.cited,
            "title": breakable(clean(source.title).strip()),
            **self._tongue(source.title),
            "url": linkable(source.url),
            "address": breakable(shortened(clean(source.url), 300)),
            "facts": [breakable(fact) for fact in facts if fact],
            "read": read,
            "recent": source.is_recent,
            "quotes": [
                {
                    "text": breakable(clean(quote.text).strip()),
                    **self._tongue(quote.text),
                    "url": linkable(quote.place_url),
                    "place": _PASSAGE.in_(self._language),
                }
                for quote in source.quotes
            ],
        }

    def _tongue(self, text: str) -> Node:
        """Return the language of a text where it is another than that of the document."""
        code = tongue(text, self._language)
        return {"lang": code} if code != self._language.value else {}


def _day(day: date, language: Language) -> str:
    return format_date(day, "long", locale=language.value)
