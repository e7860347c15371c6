"""A report as a PDF: typst sets a fixed template, to which the document is data; words in it are never markup."""

from __future__ import annotations

import json
import re
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from research.core import RECENT_MARK, Length, UsageError, date_in_words
from research.export import document as tree
from research.export.charts import WIDTH, described, drawing_of, shapes_alone
from research.export.words import (
    SIMPLIFIED,
    TRADITIONAL,
    TextLanguages,
    phrases,
    printable,
    safe_address,
    shortened,
    tongue,
)
from research.language import Language, Phrase
from research.text import columns as width_of
from research.verification import Label

if TYPE_CHECKING:
    import typst


# --- from the document to the bytes -------------------------------------------------------------------------------

_TEMPLATE = ("design", "inline", "chart", "blocks", "opening", "sources", "report")
"""The files of the template in order; together they are one source, so that nothing is imported."""


def to_pdf(document: tree.ReportDocument, *, paper: tree.Paper = tree.Paper.A4) -> bytes:
    """Return the document as a tagged PDF; the same document always gives the same bytes.

    The file conforms to PDF/UA-1 unless a sign occurs that no typeface has, which is then shown as an empty box.
    Nothing is fetched, and nothing is read but the typefaces.

    Raises:
        UsageError: the extra `documents` is not installed.
    """
    fonts = _typefaces(document.language)
    report = {**_tree(document, paper), "families": _families_of_other_scripts(fonts)}
    import typst

    with tempfile.TemporaryDirectory(prefix="research-pdf-") as empty:
        folder = Path(empty)
        compiler = typst.Compiler(
            root=folder,
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs={"report": json.dumps(report, ensure_ascii=False, separators=(",", ":"))},
            package_path=folder,
            package_cache_path=folder,
        )
        then = datetime.combine(document.researched, time(), UTC)
        try:
            return _compiled(compiler, then, ["ua-1"])
        except typst.TypstError:
            return _compiled(compiler, then, [])


def _compiled(compiler: typst.Compiler, then: datetime, standards: list[Literal["ua-1"]]) -> bytes:
    made = compiler.compile(_template(), format="pdf", pdf_standards=[*standards], timestamp=then)
    if not isinstance(made, bytes):
        raise TypeError("typst returned no PDF")
    return made


@cache
def _template() -> bytes:
    folder = files("research.export") / "templates"
    return b"\n".join((folder / f"{name}.typ").read_bytes() for name in _TEMPLATE)


# --- typefaces: from packages alone, never from the machine, so that a document looks the same everywhere ---------

_PACKAGES = (
    "fontpkg_source_sans_3",  # Latin, Greek, Cyrillic, with italics; the Latin that the next two were drawn with
    "noto_cjk_sans_jp_regular",  # Japanese, Korean, Chinese
    "noto_cjk_sans_jp_bold",
    "manimgx_fonts",  # Arabic, Hebrew, Thai, the scripts of India …, symbols and emoji
)
_MISSING = Phrase("PDF files need typst and its typefaces: pip install 'research-workbench[documents]'.")


def _typefaces(language: Language) -> typst.Fonts:
    """Return the typefaces, read once in a process.

    Raises:
        UsageError: the extra `documents` is not installed; said in `language`.
    """
    if not all(find_spec(package) for package in ("typst", *_PACKAGES)):
        raise UsageError(_MISSING.in_(language))
    return _read()


def _families_of_other_scripts(fonts: typst.Fonts) -> list[str]:
    """Return the families to look for a sign in that is neither Latin nor Chinese, Japanese or Korean."""
    return [family for family in fonts.families() if family.startswith("Noto") and "CJK" not in family]


@cache
def _read() -> typst.Fonts:
    import typst

    folders = [folder for package in _PACKAGES for folder in _folders(package)]
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=folders)


def _folders(package: str) -> list[str]:
    spec = find_spec(package)
    return list(spec.submodule_search_locations or []) if spec else []


# --- text that can be set, and words too long for a line -----------------------------------------------------------

Node = dict[str, object]
"""A piece of the tree that the template reads."""

_UNSHOWABLE = frozenset({"Co", "Cn"})
"""Categories of what no typeface has: for private use, and not assigned."""
_STACKED = re.compile("([\u0300-\u036f]{4})[\u0300-\u036f]+")
"""More marks on one letter than any language has."""
_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
"""Signs that lines may break at, for a set in a pattern."""
_LONG_WORD = 40
_STEP = 12
_MAY_BREAK_BEFORE = r"(?=[\w!-/:-@\[-`{-~])"


def clean(text: str, *, keep_lines: bool = False) -> str:
    """Return text without control signs and with U+FFFD for what is no character; blanks in a row become one."""
    shown = printable(text)
    if not shown.isascii():
        replaced = {ord(sign): instead for sign in set(shown) if (instead := _shown(sign)) != sign}
        shown = _STACKED.sub(r"\1", shown.translate(replaced) if replaced else shown)
    return shown if keep_lines else _BLANKS.sub(" ", shown)


@cache
def _shown(sign: str) -> str:
    return "\ufffd" if unicodedata.category(sign) in _UNSHOWABLE else sign


def breakable(text: str, longest: int = _LONG_WORD, step: int = _STEP) -> str:
    """Return text with invisible places to break in each run of more than `longest` signs that has none."""
    return re.sub(
        rf"[^\s\u200b{_WIDE}]{{{longest + 1},}}",
        lambda run: re.sub(rf"(.{{{step}}}){_MAY_BREAK_BEFORE}", "\\1\u200b", run[0]),
        text,
    )


# --- the document as the tree of plain values that the template reads ---------------------------------------------

_CODE_LINE = 78
_USUAL, _SMALL, _CELL_EDGES = 102, 120, 4
"""Letters beside each other on a page in the size of tables, and in the small one; those that a cell's edges take."""
_TOGETHER = 16
"""Rows of a table that stays on one page."""
_TALL = 420
"""Letters in a cell; a row that holds more may break across pages."""
_CHART_STYLE = """
.grid { stroke: #DDE1E7; fill: none } .axis { stroke: #5A6675 }
.line { stroke: currentColor; stroke-width: 2; fill: none; stroke-linejoin: round } .bar { fill: currentColor }
.marker { fill: currentColor; stroke: #FFFFFF }
.series0 { color: #2B5797 } .series1 { color: #9A5B00 } .series2 { color: #1E7A4C }
.series3 { color: #7A4B9A } .series4 { color: #B3261E } .series5 { color: #5A6675 }
.series1 .line { stroke-dasharray: 7 4 } .series2 .line { stroke-dasharray: 2 3 }
.series3 .line { stroke-dasharray: 9 3 2 3 } .series4 .line { stroke-dasharray: 5 3 }
.series5 .line { stroke-dasharray: 1 4 }
"""
_DEEPEST = 6
_REGIONS = {SIMPLIFIED: ("zh", "cn"), TRADITIONAL: ("zh", "tw")}
_LEADS_IN = 170
"""Letters of a paragraph that stays on the page of the list or table that it introduces: about two lines."""
_FEW = 5
_MOST_CONTENTS = 30
"""Headings from which the table of contents names the highest level alone."""
_LED_IN = (tree.Items, tree.Table, tree.Code, tree.Quotation, tree.Chart)


def _tree(document: tree.ReportDocument, paper: tree.Paper) -> Node:
    writer = _PdfWriter(document)
    parts = [*map(writer.part, document.parts_in_order), writer.asked()]
    return {
        "language": document.language.value,
        "paper": {tree.Paper.A4: "a4", tree.Paper.LETTER: "us-letter"}[paper],
        "form": _form_of(document),
        "depth": 2 if sum(heading.level <= 2 for heading in document.headings) <= _MOST_CONTENTS else 1,
        "opening": _opening(document),
        "parts": parts,
        "sources": [writer.source(source) for source in document.sources],
    }


class _PdfWriter(tree.Walk[int, Node]):
    """Turns parts into nodes, one after the other; a place is how many lists and quotations are around a block."""

    def __init__(self, document: tree.ReportDocument) -> None:
        self._language = document.language
        self._sources = {source.number: source for source in document.sources}
        self._cited: set[int] = set()
        """The sources that a line set so far leads to, and back from."""
        self._languages = TextLanguages(document)
        self._level = 0

    def part(self, part: tree.DocumentPart) -> Node:
        """Return a part; that of the sources is a place for their entries."""
        return {"is": part.kind.value, "quiet": part.is_quiet, "blocks": self.blocks(part.blocks, 0)}

    def asked(self) -> Node:
        """Return the part that says what was asked for; the template leaves it out where nothing is to be said."""
        return self.part(
            tree.DocumentPart(tree.PartKind.TRAIL, (tree.Heading(1, (tree.Text(tree.ASKED_FOR.in_(self._language)),)),))
        ) | {"is": "asked"}

    def blocks(self, blocks: Iterable[tree.Block], place: int) -> list[Node]:
        """Return the nodes of blocks; a short paragraph stays on the page of the list or table that it introduces.

        So does the one before it, behind a heading: neither says anything by itself.
        """
        nodes: list[Node] = []
        given = list(blocks)
        for at, block in enumerate(given):
            nodes += self.block(block, place)
            if place == 0 and _leads_in(given, at):
                nodes[-1]["sticky"] = True
        return nodes

    def _heading(self, heading: tree.Heading, place: int) -> Iterator[Node]:
        """Yield a heading; one within a list or a quotation, which no table of contents can name, is a paragraph."""
        line = self._line(heading.line, is_repeated=place == 0)
        if place or not tree.plain(heading.line).strip():
            yield {"is": "paragraph", "line": line, "strong": True}
            return
        self._level = min(max(1, heading.level), self._level + 1, _DEEPEST)
        line = self._phrased(line, tree.plain(heading.line))
        yield {"is": "heading", "level": self._level, "line": line, **_language(self._languages.of_line(heading.line))}

    def _paragraph(self, paragraph: tree.Paragraph, place: int) -> Iterator[Node]:
        """Yield a paragraph; the lines of one in a list, which are not justified, end where a Japanese phrase does."""
        line = self._line(paragraph.line)
        line = self._phrased(line, tree.plain(paragraph.line)) if place else line
        yield {"is": "paragraph", "line": line, **_language(self._languages.of_line(paragraph.line))}

    def _phrased(self, line: list[Node], words: str) -> list[Node]:
        """Return the nodes of a Japanese line with the phrases at whose ends it may be broken."""
        if tongue(words, self._language) != Language.JA.value:
            return line
        return [{**node, "phrases": phrases(str(node["text"]))} if "text" in node else node for node in line]

    def _items(self, items: tree.Items, place: int) -> Iterator[Node]:
        yield {
            "is": "items",
            "items": [self.blocks(item, place + 1) for item in items.items],
            "nested": place > 0,
            "together": _is_small(items),
            "ordered": items.is_ordered,
            "start": max(0, items.start),
            "tight": all(len(item) <= 1 or isinstance(item[1], tree.Items) for item in items.items),
        }

    def _table(self, table: tree.Table, place: int) -> Iterator[Node]:
        """Yield a table, as several with the first column each if it is wider than a page in the small size."""
        parts, is_small = tree.table_parts(table, _USUAL, self._language), False
        if len(parts) > 1:
            parts, is_small = tree.table_parts(table, _SMALL, self._language), True
        for part in parts:
            yield self._table_part(table, part, _SMALL if is_small else _USUAL) | {"small": is_small}

    def _table_part(self, table: tree.Table, part: tree.TablePart, room: int) -> Node:
        def cells(row: tuple[tree.Line, ...], *, is_repeated: bool = False) -> list[list[Node]]:
            return [
                self._line(row[place], max(4, int(share * part.filled * room) - _CELL_EDGES), is_repeated=is_repeated)
                for place, share in zip(part.columns, part.shares, strict=True)
            ]

        head = cells(table.head, is_repeated=True)
        tallest = max((width_of(tree.plain(cell)) for row in table.rows for cell in row), default=0)
        return {
            "is": "table",
            "head": head,
            "repeats": not any("url" in node or "leads" in node for cell in head for node in cell),
            "rows": [cells(row) for row in table.rows],
            "align": [table.aligned[place].value for place in part.columns],
            "columns": [round(share, 4) for share in part.shares],
            "width": round(min(1.0, 1.15 * part.filled), 3),
            "breakable": tallest > _TALL,
            "together": len(table.rows) <= _TOGETHER and tallest <= _TALL // 2,
            "note": part.caption,
        }

    def _code(self, code: tree.Code, place: int) -> Iterator[Node]:
        yield {"is": "code", "text": breakable(clean(code.text, keep_lines=True), _CODE_LINE)}

    def _quotation(self, quotation: tree.Quotation, place: int) -> Iterator[Node]:
        yield {"is": "quotation", "blocks": self.blocks(quotation.blocks, place + 1)}

    def _rule(self, rule: tree.ThematicBreak, place: int) -> Iterator[Node]:
        yield {"is": "rule"}

    def _chart(self, chart: tree.Chart, place: int) -> Iterator[Node]:
        chart = _cleaned(chart)
        drawing = drawing_of(chart, self._language)
        named = [number for number in chart.sources if number in self._sources]
        yield {
            "is": "chart",
            "title": breakable(chart.title),
            "unit": breakable(chart.unit),
            "shapes": shapes_alone(drawing, _CHART_STYLE) if drawing else "",
            "height": drawing.height / WIDTH if drawing else 0,
            "words": [
                {"is": kind, "x": x / WIDTH, "y": y / WIDTH, "anchor": anchor, "text": text}
                for kind, x, y, anchor, text in (drawing.words if drawing else ())
            ],
            "alt": described(chart, self._language),
            "sourced": Phrase("Sources: ", "of a chart").in_(self._language) if named or chart.note else "",
            "sources": [{"number": one, "title": breakable(clean(self._sources[one].title))} for one in named],
            "note": breakable(chart.note),
        }

    # --- lines -------------------------------------------------------------------------------------------------------

    def _line(
        self, pieces: Iterable[tree.Inline], longest: int = _LONG_WORD, *, is_repeated: bool = False
    ) -> list[Node]:
        """Return a line; words longer than `longest` may break. One that `is_repeated` is never led back to."""
        nodes = [self._inline(piece, longest, is_repeated) for piece in pieces]
        if nodes and "text" in nodes[0]:
            nodes[0]["text"] = str(nodes[0]["text"]).lstrip(" ")
        return [node for node in nodes if node.get("text") != ""]

    def _inline(self, piece: tree.Inline, longest: int, is_repeated: bool) -> Node:
        match piece:
            case tree.Text():
                return _text(piece, longest)
            case tree.Citation():
                return self._citation(piece, is_repeated)
            case tree.LineBreak():
                return {"is": "break"}

    def _citation(self, piece: tree.Citation, is_repeated: bool) -> Node:
        node: Node = {"is": "citation", "number": piece.number, "recent": RECENT_MARK if piece.is_recent else ""}
        if piece.number in self._sources:
            node["leads"] = True
            if piece.number not in self._cited and not is_repeated:
                self._cited.add(piece.number)
                node["first"] = True
        return node

    # --- sources -----------------------------------------------------------------------------------------------------

    def source(self, source: tree.SourceItem) -> Node:
        """Return an entry of the list of sources; to be called after `part`, which finds what is cited where."""
        number, facts = source.number, (source.site, source.kind, source.dated)
        read = date_in_words(source.fetched, self._language)
        return {
            "number": number,
            "cited": number in self._cited,
            "title": breakable(clean(source.title).strip()),
            **_language(self._languages.of(source.title, number)),
            "url": safe_address(source.url),
            "address": breakable(shortened(clean(source.url), 300)),
            "facts": [breakable(fact) for fact in (clean(fact).strip() for fact in facts) if fact],
            "read": Phrase("read on {date}").in_(self._language).format(date=read),
            "quotes": [
                {"text": breakable(clean(quote).strip()), **_language(self._languages.of(quote, number))}
                for quote in source.quotes
            ],
            "more": breakable(source.more),
        }


def _text(piece: tree.Text, longest: int) -> Node:
    node: Node = {"is": "text", "text": breakable(clean(piece.text), longest, min(_STEP, longest))}
    styles = {"bold": piece.bold, "italic": piece.italic, "code": piece.code, "strike": piece.strike}
    node.update({name: True for name, is_set in styles.items() if is_set})
    if url := safe_address(piece.url):
        node["url"] = url
    return node


def _cleaned(chart: tree.Chart) -> tree.Chart:
    return replace(
        chart,
        title=clean(chart.title),
        unit=clean(chart.unit),
        labels=tuple(map(clean, chart.labels)),
        series=tuple(replace(one, name=clean(one.name)) for one in chart.series),
        note=clean(chart.note),
    )


def _language(code: str) -> Node:
    """Return the language of a text where it is another than that of the document."""
    language, region = _REGIONS.get(code, (code, None))
    return {"lang": language, "region": region} if code else {}


def _is_small(items: tree.Items) -> bool:
    """Whether a list is better kept on one page: a few points of a line or two."""
    points = [point for item in items.items for point in item]
    return len(points) <= _FEW and all(map(_may_lead_in, points))


def _leads_in(blocks: Sequence[tree.Block], at: int) -> bool:
    """Whether a list or a table stands behind a short paragraph, or behind the two that stand behind a heading."""
    most = 2 if isinstance(blocks[at - 1], tree.Heading) and at else 1
    led = next((one for one in blocks[at + 1 : at + 1 + most] if not _may_lead_in(one)), None)
    return _may_lead_in(blocks[at]) and isinstance(led, _LED_IN)


def _may_lead_in(block: tree.Block) -> bool:
    return isinstance(block, tree.Paragraph) and width_of(tree.plain(block.line)) <= _LEADS_IN


# --- which form it takes ------------------------------------------------------------------------------------------

_LONG = 20_000
"""Letters of text and quotes that fill about seven pages."""


def _form_of(document: tree.ReportDocument) -> Literal["page", "short", "long"]:
    """Return how a document begins and how close it is set: as one page if no more was asked for, else by its size."""
    if document.length is Length.PAGE:
        return "page"
    text = sum(width_of(tree.plain(line)) for part in document.parts for line in tree.lines_of(part.blocks))
    quotes = sum(width_of(quote) for source in document.sources for quote in source.quotes)
    return "long" if text + quotes >= _LONG else "short"


# --- what stands at its beginning ---------------------------------------------------------------------------------

_KIND = Phrase("Research report")
_RUNNING = 84
"""Letters of the title at the head of each page."""
_LONGEST_TITLE = 400
_LONGEST_KEYWORD = 40
_KEYWORDS = 8


def _opening(document: tree.ReportDocument) -> Node:
    """Return the node of the title page or, in a short document, of the block above its text."""
    language = document.language
    title = clean(document.title).strip() or Phrase("Untitled report").in_(language)
    question = clean(document.question).strip()
    return {
        "title": breakable(shortened(title, _LONGEST_TITLE)),
        "phrases": phrases(breakable(shortened(title, _LONGEST_TITLE))),
        "running": shortened(title, _RUNNING),
        "kind": _KIND.in_(language),
        "product": Phrase("Research Workbench").in_(language),
        "contents": Phrase("Contents").in_(language),
        "question": breakable(question) if question != title else "",
        "byline": phrases(breakable(clean(document.byline))),
        "facts": [[clean(name), breakable(clean(value))] for name, value in document.asked],
        "checked": clean(document.checked),
        "verdicts": _verdicts(document),
        "date": date_in_words(document.researched, language),
        "day": [document.researched.year, document.researched.month, document.researched.day],
        "keywords": [_KIND.in_(language), *_topics(document)],
    }


def _topics(document: tree.ReportDocument) -> list[str]:
    """Return the titles of the first chapters, for those who search by keyword."""
    chapters = [clean(tree.plain(one.line)).strip() for one in document.headings if one.level == 1]
    return [one for one in dict.fromkeys(chapters) if one and len(one) <= _LONGEST_KEYWORD][:_KEYWORDS]


def _verdicts(document: tree.ReportDocument) -> list[Node]:
    """Return how many sentences have each verdict, in the order of the labels."""
    return [
        {"is": label.value, "name": label.words.in_(document.language), "count": document.verdicts[label.value]}
        for label in Label
        if document.verdicts.get(label.value)
    ]
