"""A report as one HTML file that needs nothing else: readable offline, on a telephone, and printable.

It holds no script and loads nothing; a policy in it forbids both.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import htpy as h
from markupsafe import Markup

from research.core import RECENT_MARK, Length, date_in_words
from research.export import document as tree
from research.export.charts import drawable, exact, svg
from research.export.words import TextLanguages, one_line, period_in_words, printable, safe_address
from research.language import Language, Phrase, bracketed

# --- the whole file ------------------------------------------------------------------------------------------------

_SIZES = {tree.Paper.A4: "A4", tree.Paper.LETTER: "letter"}
_CONTENTS_FROM, _MOST_LINES = 4, 24
"""Headings from which a table of contents helps, and those from which it names the highest level alone."""


@dataclass(frozen=True)
class _Entry:
    """A line of the table of contents."""

    id: str
    level: int
    words: str


@dataclass(frozen=True)
class _Section:
    node: h.Node
    headings: list[_Entry]


def to_html(document: tree.ReportDocument, *, paper: tree.Paper = tree.Paper.A4) -> bytes:
    """Return the document as one HTML file in UTF-8; `paper` is the size of its printed pages.

    A citation opens the entry of its source, with the quotes, over the text.
    """
    sections = _sections(document)
    contents = [entry for section in sections for entry in section.headings]
    helps = len(contents) >= _CONTENTS_FROM and document.length is not Length.PAGE
    page = h.html(lang=document.language.value)[
        _head(document, _style(paper)),
        h.body[
            _title(document),
            _contents(contents, document.language) if helps else None,
            h.main[[section.node for section in sections]],
        ],
    ]
    return str(page).encode("utf-8")


def _sections(document: tree.ReportDocument) -> list[_Section]:
    """Return the parts in the order in which they are read; the sources are set last, when all citations are known."""
    writer = _HtmlWriter(document)
    parts = document.parts_in_order
    made = [_section(part, writer) for part in parts if part.kind is not tree.PartKind.SOURCES]
    if document.sources:
        at = next(place for place, part in enumerate(parts) if part.kind is tree.PartKind.SOURCES)
        node = writer.sources()
        made.insert(at, _Section(node, writer.headings[-1:]))
    return made


def _section(part: tree.DocumentPart, writer: _HtmlWriter) -> _Section:
    at = len(writer.headings)
    quiet = " quiet" if part.is_quiet else ""
    node = h.section(class_=f"part part-{part.kind.value}{quiet}")[writer.blocks(part.blocks, None)]
    return _Section(node, writer.headings[at:])


def _head(document: tree.ReportDocument, style: str) -> h.Node:
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return h.head[
        h.meta(charset="utf-8"),
        h.meta(http_equiv="Content-Security-Policy", content=policy),
        h.meta(name="viewport", content="width=device-width, initial-scale=1"),
        h.meta(name="referrer", content="no-referrer"),
        h.meta(name="color-scheme", content="light dark"),
        h.meta(name="date", content=document.researched.isoformat()),
        h.meta(name="description", content=one_line(document.question)),
        h.title[one_line(document.title)],
        h.style[Markup(style)],  # noqa: S704 - the program's own style sheet, without any text of others
    ]


@cache
def _style(paper: tree.Paper) -> str:
    text = resources.files("research.export").joinpath("templates/report.css").read_text(encoding="utf-8")
    return f"{text}\n@page {{ size: {_SIZES[paper]}; }}\n"


def _title(document: tree.ReportDocument) -> h.Node:
    language = document.language
    question = one_line(document.question)
    return h.header[
        h.h1[printable(document.title)],
        h.p(".question")[h.span(".label")[Phrase("Question").in_(language)], " ", question]
        if question != one_line(document.title)
        else None,
        h.p(".byline")[printable(document.byline)],
        h.p(".byline")[printable(document.checked)] if document.checked else None,
        h.details[
            h.summary[tree.ASKED_FOR.in_(language)],
            h.dl[[(h.dt[printable(name)], h.dd[printable(value)]) for name, value in document.asked]],
        ]
        if document.asked
        else None,
    ]


def _contents(entries: Sequence[_Entry], language: Language) -> h.Node:
    title = Phrase("Contents").in_(language)
    deepest = 2 if sum(entry.level <= 2 for entry in entries) <= _MOST_LINES else 1
    shown = [entry for entry in entries if entry.level <= deepest and entry.words]
    return h.nav(aria_label=title)[
        h.h2[title],
        h.ol[[h.li(class_=f"level{entry.level}")[h.a(href=f"#{entry.id}")[entry.words]] for entry in shown]],
    ]


# --- blocks, lines and sources -------------------------------------------------------------------------------------

_SOURCE = Phrase("Source {number}: {title}")
_QUOTED = Phrase("Quoted", "heading")
_READ = Phrase("read on {date}")
_RECENT = Phrase("Information of the last three months")
_PERIOD = Phrase("Period", "of a figure")
_NOTHING_DRAWN = Phrase("There is no value that can be drawn.")
_HEADINGS = (h.h2, h.h3, h.h4, h.h5, h.h6)
_WIDE, _ROOM = 8, 170
"""Columns from which a table is set smaller; letters beside each other on a sheet of paper turned sideways: what is
wider becomes several tables."""
_NOWHERE = "#-"
"""Leads to nothing in the page: following it closes what a link had opened, and nothing moves."""
_PLACES = 12
"""Ways back to the text that one source shows at most."""


class _HtmlWriter(tree.Walk[None, h.Node]):
    """Writes the blocks of a document; knows what it has set so far."""

    def __init__(self, document: tree.ReportDocument) -> None:
        self._language = document.language
        self._sources = {source.number: source for source in document.sources}
        self._languages = TextLanguages(document)
        self._cited_at: dict[int, int] = {}
        """How often each source has been cited so far."""
        self._charts = 0
        self.headings: list[_Entry] = []

    def _heading(self, heading: tree.Heading, _: None) -> Iterator[h.Node]:
        words = "".join(piece.text for piece in heading.line if isinstance(piece, tree.Text))
        entry = self._enter(heading.level, printable(words).strip())
        element = _HEADINGS[min(max(heading.level, 1), len(_HEADINGS)) - 1]
        yield element(id=entry.id, lang=self._lang_of(heading.line))[self._line(heading.line)]

    def _enter(self, level: int, words: str) -> _Entry:
        """Enter a heading into the table of contents."""
        entry = _Entry(f"h{len(self.headings) + 1}", level, words)
        self.headings.append(entry)
        return entry

    def _paragraph(self, paragraph: tree.Paragraph, _: None) -> Iterator[h.Node]:
        yield h.p(lang=self._lang_of(paragraph.line))[self._line(paragraph.line)]

    def _items(self, items: tree.Items, _: None) -> Iterator[h.Node]:
        made = [self._item(item) for item in items.items]
        if items.is_ordered:
            yield h.ol(start=None if items.start == 1 else str(items.start))[made]
        else:
            yield h.ul[made]

    def _item(self, blocks: Sequence[tree.Block]) -> h.Node:
        """Return an item; a first paragraph stands beside the item's mark without a space below it."""
        first, rest = tree.led(blocks)
        line = first.line if first else ()
        return h.li(lang=None if rest else self._lang_of(line))[self._line(line), self.blocks(rest, None)]

    def _table(self, table: tree.Table, _: None) -> Iterator[h.Node]:
        for part in tree.table_parts(table, _ROOM, self._language):
            yield self._table_part(table, part)

    def _table_part(self, table: tree.Table, part: tree.TablePart) -> h.Node:
        """Return some columns of a table, in a frame that scrolls where the page is narrower."""

        def cells(row: Sequence[tree.Line], element: h.Element, **more: str) -> list[h.Node]:
            return [element(class_=_side(table.aligned[at]), **more)[self._line(row[at])] for at in part.columns]

        size = "table wide" if len(part.columns) > _WIDE else "table"
        label = part.caption or Phrase("Table").in_(self._language)
        return h.div(class_=size, role="region", tabindex="0", aria_label=label)[
            h.table[
                h.caption[part.caption] if part.caption else None,
                h.thead[h.tr[cells(table.head, h.th, scope="col")]],
                h.tbody[[h.tr[cells(row, h.td)] for row in table.rows]],
            ]
        ]

    def _code(self, code: tree.Code, _: None) -> Iterator[h.Node]:
        yield h.pre[h.code[printable(code.text)]]

    def _quotation(self, quotation: tree.Quotation, _: None) -> Iterator[h.Node]:
        yield h.blockquote[self.blocks(quotation.blocks, None)]

    def _rule(self, rule: tree.ThematicBreak, _: None) -> Iterator[h.Node]:
        yield h.hr

    # --- lines -----------------------------------------------------------------------------------------------------

    def _lang_of(self, line: tree.Line) -> str | None:
        return self._languages.of_line(line) or None

    def _line(self, line: tree.Line) -> list[h.Node]:
        return [self._inline(piece) for piece in line]

    def _inline(self, piece: tree.Inline) -> h.Node:
        match piece:
            case tree.Text():
                return _styled(piece)
            case tree.Citation():
                return self._citation(piece)
            case tree.LineBreak():
                return h.br

    def _citation(self, piece: tree.Citation) -> h.Node:
        dagger = h.span(".recent", title=_RECENT.in_(self._language))[RECENT_MARK] if piece.is_recent else None
        number, source = piece.number, self._sources.get(piece.number)
        if source is None:
            return [f"[{number}]", dagger]
        self._cited_at[number] = place = self._cited_at.get(number, 0) + 1
        said = _SOURCE.in_(self._language).format(number=number, title=printable(source.title))
        return [h.a(".cite", id=f"c{number}-{place}", href=f"#s{number}", title=said)[f"[{number}]"], dagger]

    # --- the list of sources: the entry that a citation leads to opens over the text ---------------------------------

    def sources(self) -> h.Node:
        """Return the section that lists the sources; to be called when everything that cites has been set."""
        title = tree.SOURCES.in_(self._language)
        entry = self._enter(1, title)
        return h.section(".part.part-sources", aria_labelledby=entry.id)[
            h.h2(id=entry.id)[title],
            h.ol(".sources")[[self._source(source) for source in self._sources.values()]],
        ]

    def _source(self, source: tree.SourceItem) -> h.Node:
        closing, number = Phrase("Close").in_(self._language), source.number
        title = _bdi(source.title, self._languages.of(source.title, number) or None)
        return h.li(id=f"s{number}", value=str(number), tabindex="-1")[
            h.div(".entry")[
                h.p(".title")[h.span(".number", aria_hidden="true")[f"[{number}]"], " ", _link(source.url, title)],
                h.p(".facts")[self._facts(source)],
                h.p(".address")[printable(source.url)] if source.url else None,
                [self._quote(quote, number) for quote in source.quotes],
                h.p(".facts")[source.more] if source.more else None,
                self._ways_back(number),
            ],
            h.a(".close", href=_NOWHERE, aria_label=closing, title=closing)["×"],
        ]

    def _facts(self, source: tree.SourceItem) -> list[h.Node]:
        language, day = self._language, printable(source.dated)
        read = _READ.in_(language).format(date=date_in_words(source.fetched, language))
        dated: h.Node = h.strong(title=_RECENT.in_(language))[day] if source.is_recent else day
        return [_bdi(source.site), " · ", printable(source.kind), " · ", dated, " · ", read]

    def _quote(self, quote: str, number: int) -> h.Node:
        lang = self._languages.of(quote, number) or None
        return h.blockquote(aria_label=_QUOTED.in_(self._language))[h.p(lang=lang)[printable(quote)]]

    def _ways_back(self, number: int) -> h.Node:
        """Return links to the places in the text that cite a source."""
        count = self._cited_at.get(number, 0)
        if not count:
            return None
        say = Phrase("Citation {place} of source {number}").in_(self._language)
        ways = [
            [" ", h.a(href=f"#c{number}-{place}", aria_label=say.format(place=place, number=number))[str(place)]]
            for place in range(1, min(count, _PLACES) + 1)
        ]
        return h.p(".back")[Phrase("Cited at").in_(self._language), ways, " …" if count > _PLACES else None]

    # --- charts: drawn, with their sources below and their values as a table to be opened ----------------------------

    def _chart(self, chart: tree.Chart, _: None) -> Iterator[h.Node]:
        self._charts += 1
        language, name = self._language, f"chart{self._charts}"
        drawn = svg(chart, name, language)
        unit = bracketed("", one_line(chart.unit), language)
        yield h.figure(".chart", id=name)[
            h.figcaption[h.strong[one_line(chart.title)], h.span(".unit")[unit] if unit else None],
            h.div(".plot")[drawn] if drawn else h.p(".facts")[_NOTHING_DRAWN.in_(language)],
            self._origin(chart),
            _values(chart, language),
        ]

    def _origin(self, chart: tree.Chart) -> h.Node:
        """Return who says so."""
        if not chart.sources and not chart.note:
            return None
        note = one_line(chart.note)
        cited = [self._line((tree.Text(" "), tree.Citation(number))) for number in chart.sources]
        after = [" · " if cited else " ", note] if note else None
        return h.p(".facts")[Phrase("Source of the figures:").in_(self._language), cited, after]


def _values(chart: tree.Chart, language: Language) -> h.Node:
    series, said = drawable(chart), Phrase("Values", "column").in_(language)
    rows = [
        h.tr[
            h.th(scope="row")[period_in_words(one_line(label), language)],
            [h.td(".right")["–" if (known := one.values[at]) is None else exact(known, language)] for one in series],
        ]
        for at, label in enumerate(chart.labels)
    ]
    heads = [h.th(".right", scope="col")[one_line(one.name)] for one in series]
    return h.details[
        h.summary[said],
        h.div(".table", role="region", tabindex="0", aria_label=said)[
            h.table[h.thead[h.tr[h.th(scope="col")[_PERIOD.in_(language)], heads]], h.tbody[rows]]
        ],
    ]


def _side(align: tree.Align) -> str | None:
    return None if align is tree.Align.LEFT else align.value


def _styled(piece: tree.Text) -> h.Node:
    node: h.Node = printable(piece.text)
    if piece.code:
        node = h.code[node]
    if piece.strike:
        node = h.s[node]
    if piece.italic:
        node = h.em[node]
    if piece.bold:
        node = h.strong[node]
    return _link(piece.url, node)


def _link(url: str, label: h.Node) -> h.Node:
    """Return a link that opens beside the report; what is no address of the web or of mail stays words."""
    address = safe_address(url)
    return h.a(href=address, target="_blank", rel="noopener noreferrer")[label] if address else label


def _bdi(text: str, lang: str | None = None) -> h.Node:
    """Return somebody else's words, whose direction stays their own."""
    return h.bdi(lang=lang)[printable(text)]
