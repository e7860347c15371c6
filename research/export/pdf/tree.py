"""A document as the tree of plain values that the template reads; every word in it is text, never markup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from babel.dates import format_date

from research.export.document import (
    Block,
    Chart,
    Citation,
    Code,
    Document,
    Heading,
    Items,
    Line,
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
from research.export.paper import Paper
from research.export.pdf.forms import form_of
from research.export.pdf.opening import opening
from research.export.pdf.plots import plot
from research.export.pdf.tables import table_nodes
from research.export.pdf.words import Citing, Node, breakable, clean, linkable, phrases
from research.export.printable import shortened
from research.export.tongues import SIMPLIFIED, TRADITIONAL, tongue, tongue_of
from research.language import Bilingual, Language
from research.text.words import columns

_SOURCES = Bilingual("Sources", "情報源")
_READ = Bilingual("read on {date}", "{date}に取得")
_CHART_SOURCES = Bilingual("Sources: ", "出典：")
_CODE_LINE = 78
_DEEPEST = 6
_ASKED = Bilingual("What was asked for", "調査の条件")
_REGIONS = {SIMPLIFIED: ("zh", "cn"), TRADITIONAL: ("zh", "tw")}
_LEADS_IN = 170
"""Letters of a paragraph that stays on the page of the list or table that it introduces: about two lines."""
_FEW = 5
_MOST_CONTENTS = 30
"""Headings from which the table of contents names the highest level alone."""
_LED_IN = (Items, Table, Code, Quotation, Chart)
_QUIET = frozenset(PartKind) - {PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS}


def tree(document: Document, paper: Paper) -> Node:
    """Return the document for the template."""
    setter = _Setter(document)
    parts = [*setter.parts(), setter.asked()]
    return {
        "language": document.language.value,
        "paper": {Paper.A4: "a4", Paper.LETTER: "us-letter"}[paper],
        "form": form_of(document).value,
        "depth": 2 if sum(heading.level <= 2 for heading in document.headings) <= _MOST_CONTENTS else 1,
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
        self._tongues = {source.number: tongue_of(source) for source in document.sources}
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

    def asked(self) -> Node:
        """Return the part that says what was asked for; the template leaves it out where that stands at the top."""
        return self._part(Part(PartKind.TRAIL, (Heading(1, (Text(_ASKED.in_(self._language)),)),))) | {"is": "asked"}

    def _part(self, part: Part) -> Node:
        return {"is": part.kind.value, "quiet": part.kind in _QUIET, "blocks": self._blocks(part.blocks, 0)}

    # --- blocks ------------------------------------------------------------------------------------------------

    def _block(self, block: Block, depth: int = 0) -> Iterator[Node]:
        match block:
            case Heading():
                yield self._heading(block, depth)
            case Paragraph():
                yield {"is": "paragraph", "line": self._citing.line(block.line), **self._tongue_in(block.line)}
            case Items():
                yield {
                    "is": "items",
                    "items": [self._blocks(item, depth + 1) for item in block.items],
                    "nested": depth > 0,
                    "together": _is_small(block),
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
        nodes: list[Node] = []
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            made = list(self._block(block, depth))
            if depth == 0 and isinstance(following, _LED_IN) and _may_lead_in(block):
                made[-1]["sticky"] = True
            nodes += made
        return nodes

    def _heading(self, heading: Heading, depth: int) -> Node:
        """Return a heading; one within a list or a quotation, which no table of contents can name, is a paragraph."""
        line = self._citing.line(heading.line, is_repeated=depth == 0)
        if depth or not plain(heading.line).strip():
            return {"is": "paragraph", "line": line, "strong": True}
        self._level = min(max(1, heading.level), self._level + 1, _DEEPEST)
        if tongue(plain(heading.line), self._language) == Language.JA.value:
            line = [{**node, "phrases": phrases(str(node["text"]))} if "text" in node else node for node in line]
        return {"is": "heading", "level": self._level, "line": line, **self._tongue_in(heading.line)}

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
            **self._tongue(source.title, self._tongues[source.number]),
            "url": linkable(source.url),
            "address": breakable(shortened(clean(source.url), 300)),
            "facts": [breakable(fact) for fact in facts if fact],
            "read": read,
            "recent": source.is_recent,
            "quotes": [
                {
                    "text": breakable(clean(quote.text).strip()),
                    **self._tongue(quote.text, self._tongues[source.number]),
                }
                for quote in source.quotes
            ],
        }

    def _tongue_in(self, line: Line) -> Node:
        """Return the language of a line; that of the pages it cites tells of bare Chinese characters."""
        cited = (self._tongues.get(piece.number, "") for piece in line if isinstance(piece, Citation))
        return self._tongue(plain(line), next(filter(None, cited), ""))

    def _tongue(self, text: str, around: str = "") -> Node:
        """Return the language of a text where it is another than that of the document."""
        code = tongue(text, self._language, around)
        if code == self._language.value:
            return {}
        language, region = _REGIONS.get(code, (code, None))
        return {"lang": language, "region": region}


def _is_small(items: Items) -> bool:
    """Whether a list is better kept on one page: a few points of a line or two."""
    points = [point for item in items.items for point in item]
    return len(points) <= _FEW and all(map(_may_lead_in, points))


def _may_lead_in(block: Block) -> bool:
    return isinstance(block, Paragraph) and columns(plain(block.line)) <= _LEADS_IN


def _day(day: date, language: Language) -> str:
    return format_date(day, "long", locale=language.value)
