"""A report as a PDF: typst sets a fixed template, to which the document is data; words in it are never markup."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from babel.dates import format_date

from research.core import Length, UsageError
from research.export.charts import (
    Magnitude,
    axis_ticks,
    bar_of,
    drawable,
    labels_with_room,
    magnitude_of,
    number_in_words,
    place_down,
    places_across,
    runs_of,
    values_of,
)
from research.export.document import (
    Block,
    Chart,
    Code,
    DocumentPart,
    Heading,
    Items,
    Paper,
    Paragraph,
    PartKind,
    Quotation,
    ReportDocument,
    Series,
    SourceItem,
    Table,
    Text,
    Walk,
    lines_of,
    plain,
)
from research.export.pdf_lines import LineWriter, Node, breakable, clean, linkable, phrases, table_nodes
from research.export.words import SIMPLIFIED, TRADITIONAL, TextLanguages, period_in_words, shortened, tongue
from research.language import Bilingual, Language, Phrase, bracketed
from research.text import columns as width_of
from research.verification import Label

if TYPE_CHECKING:
    import typst


# --- from the document to the bytes -------------------------------------------------------------------------------

_TEMPLATE = ("design", "inline", "chart", "blocks", "opening", "sources", "report")
"""The files of the template in order; together they are one source, so that nothing is imported."""


def to_pdf(document: ReportDocument, *, paper: Paper = Paper.A4) -> bytes:
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


# --- the document as the tree of plain values that the template reads ---------------------------------------------

_CODE_LINE = 78
_DEEPEST = 6
_REGIONS = {SIMPLIFIED: ("zh", "cn"), TRADITIONAL: ("zh", "tw")}
_LEADS_IN = 170
"""Letters of a paragraph that stays on the page of the list or table that it introduces: about two lines."""
_FEW = 5
_MOST_CONTENTS = 30
"""Headings from which the table of contents names the highest level alone."""
_LED_IN = (Items, Table, Code, Quotation, Chart)


def _tree(document: ReportDocument, paper: Paper) -> Node:
    writer = _PdfWriter(document)
    parts = [*map(writer.part, document.parts_in_order), writer.asked()]
    return {
        "language": document.language.value,
        "paper": {Paper.A4: "a4", Paper.LETTER: "us-letter"}[paper],
        "form": _form_of(document),
        "depth": 2 if sum(heading.level <= 2 for heading in document.headings) <= _MOST_CONTENTS else 1,
        "opening": _opening(document),
        "parts": parts,
        "sources": [writer.source(source) for source in document.sources],
    }


class _PdfWriter(Walk[int, Node]):
    """Turns parts into nodes, one after the other; a place is how many lists and quotations are around a block."""

    def __init__(self, document: ReportDocument) -> None:
        self._language = document.language
        self._sources = {source.number: source for source in document.sources}
        self._lines = LineWriter(self._sources)
        self._languages = TextLanguages(document)
        self._level = 0

    def part(self, part: DocumentPart) -> Node:
        """Return a part; that of the sources is a place for their entries."""
        return {"is": part.kind.value, "quiet": part.is_quiet, "blocks": self.blocks(part.blocks, 0)}

    def asked(self) -> Node:
        """Return the part that says what was asked for; the template leaves it out where that stands at the top."""
        return self.part(
            DocumentPart(PartKind.TRAIL, (Heading(1, (Text(Phrase("What was asked for").in_(self._language)),)),))
        ) | {"is": "asked"}

    def blocks(self, blocks: Iterable[Block], place: int) -> list[Node]:
        """Return the nodes of blocks; a short paragraph stays on the page of the list or table that it introduces."""
        nodes: list[Node] = []
        given = list(blocks)
        for block, following in zip_longest(given, given[1:]):
            nodes += self.block(block, place)
            if place == 0 and isinstance(following, _LED_IN) and _may_lead_in(block):
                nodes[-1]["sticky"] = True
        return nodes

    def _heading(self, heading: Heading, place: int) -> Iterator[Node]:
        """Yield a heading; one within a list or a quotation, which no table of contents can name, is a paragraph."""
        line = self._lines.line(heading.line, is_repeated=place == 0)
        if place or not plain(heading.line).strip():
            yield {"is": "paragraph", "line": line, "strong": True}
            return
        self._level = min(max(1, heading.level), self._level + 1, _DEEPEST)
        if tongue(plain(heading.line), self._language) == Language.JA.value:
            line = [{**node, "phrases": phrases(str(node["text"]))} if "text" in node else node for node in line]
        yield {"is": "heading", "level": self._level, "line": line, **_language(self._languages.of_line(heading.line))}

    def _paragraph(self, paragraph: Paragraph, place: int) -> Iterator[Node]:
        line = self._lines.line(paragraph.line)
        yield {"is": "paragraph", "line": line, **_language(self._languages.of_line(paragraph.line))}

    def _items(self, items: Items, place: int) -> Iterator[Node]:
        yield {
            "is": "items",
            "items": [self.blocks(item, place + 1) for item in items.items],
            "nested": place > 0,
            "together": _is_small(items),
            "ordered": items.is_ordered,
            "start": max(0, items.start),
            "tight": all(len(item) <= 1 or isinstance(item[1], Items) for item in items.items),
        }

    def _table(self, table: Table, place: int) -> Iterator[Node]:
        yield from table_nodes(table, self._lines, self._language, may_turn=place == 0)

    def _code(self, code: Code, place: int) -> Iterator[Node]:
        yield {"is": "code", "text": breakable(clean(code.text, keep_lines=True), _CODE_LINE)}

    def _quotation(self, quotation: Quotation, place: int) -> Iterator[Node]:
        yield {"is": "quotation", "blocks": self.blocks(quotation.blocks, place + 1)}

    def _rule(self, place: int) -> Iterator[Node]:
        yield {"is": "rule"}

    def _chart(self, chart: Chart, place: int) -> Iterator[Node]:
        named = [
            {"number": number, "title": breakable(clean(self._sources[number].title))}
            for number in chart.sources
            if number in self._sources
        ]
        yield {
            "is": "chart",
            "title": breakable(clean(chart.title)),
            "sourced": Phrase("Sources: ", "of a chart").in_(self._language) if named or chart.note else "",
            "sources": named,
            "note": breakable(clean(chart.note)),
            **_plot(chart, self._language),
        }

    def source(self, source: SourceItem) -> Node:
        """Return an entry of the list of sources; to be called after `part`, which finds what is cited where."""
        number, facts = source.number, (source.site, source.kind, source.dated)
        return {
            "number": number,
            "cited": number in self._lines.cited,
            "title": breakable(clean(source.title).strip()),
            **_language(self._languages.of(source.title, number)),
            "url": linkable(source.url),
            "address": breakable(shortened(clean(source.url), 300)),
            "facts": [breakable(fact) for fact in (clean(fact).strip() for fact in facts) if fact],
            "read": Phrase("read on {date}").in_(self._language).format(date=_day(source.fetched, self._language)),
            "quotes": [
                {"text": breakable(clean(quote.text).strip()), **_language(self._languages.of(quote.text, number))}
                for quote in source.quotes
            ],
        }


def _language(code: str) -> Node:
    """Return the language of a text where it is another than that of the document."""
    language, region = _REGIONS.get(code, (code, None))
    return {"lang": language, "region": region} if code else {}


def _is_small(items: Items) -> bool:
    """Whether a list is better kept on one page: a few points of a line or two."""
    points = [point for item in items.items for point in item]
    return len(points) <= _FEW and all(map(_may_lead_in, points))


def _may_lead_in(block: Block) -> bool:
    return isinstance(block, Paragraph) and width_of(plain(block.line)) <= _LEADS_IN


def _day(day: date, language: Language) -> str:
    return format_date(day, "long", locale=language.value)


# --- which form it takes ------------------------------------------------------------------------------------------

_PAGE = 3400
"""Letters on a full page of text."""
_CHART = 1100
_PARAGRAPH = 60
"""What a chart, or the space around a paragraph, takes from a page, in letters."""
_LONG = 7
"""Pages."""


def _form_of(document: ReportDocument) -> Literal["page", "short", "long"]:
    """Return how a document begins and how close it is set: as one page if no more was asked for, else by its size."""
    if document.length is Length.PAGE:
        return "page"
    lines = [line for part in document.parts for line in lines_of(part.blocks)]
    charts = sum(isinstance(block, Chart) for part in document.parts for block in part.blocks)
    text = sum(width_of(plain(line)) + _PARAGRAPH for line in lines) + _CHART * charts
    quotes = sum(width_of(quote.text) for source in document.sources for quote in source.quotes)
    is_long = text + 0.7 * (quotes + 200 * len(document.sources)) >= _LONG * _PAGE
    return "long" if is_long else "short"


# --- what stands at its beginning ---------------------------------------------------------------------------------

_KIND = Phrase("Research report")
_RUNNING = 84
"""Letters of the title at the head of each page."""
_LONGEST_TITLE = 400
_LONGEST_KEYWORD = 40
_KEYWORDS = 8


def _opening(document: ReportDocument) -> Node:
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
        "byline": breakable(clean(document.byline)),
        "facts": [[clean(name), breakable(clean(value))] for name, value in document.asked],
        "checked": clean(document.checked),
        "verdicts": _verdicts(document),
        "date": _day(document.researched, language),
        "day": [document.researched.year, document.researched.month, document.researched.day],
        "keywords": [_KIND.in_(language), *_topics(document)],
    }


def _topics(document: ReportDocument) -> list[str]:
    """Return the titles of the first chapters, for those who search by keyword."""
    chapters = [clean(plain(one.line)).strip() for one in document.headings if one.level == 1]
    return [one for one in dict.fromkeys(chapters) if one and len(one) <= _LONGEST_KEYWORD][:_KEYWORDS]


def _verdicts(document: ReportDocument) -> list[Node]:
    """Return how many sentences have each verdict, in the order of the labels."""
    return [
        {"is": label.value, "name": label.words.in_(document.language), "count": document.verdicts[label.value]}
        for label in Label
        if document.verdicts.get(label.value)
    ]


# --- charts: shares of their area, for the template to draw ----------------------------------------------------------

_LEAST_GAP = 0.085
"""Between two labels below a line."""
_BAR_ROOM = 0.8
"""What the longest bar takes; the rest is for its value."""
_UNIT = Phrase("{magnitude} {unit}")
_VALUE = Bilingual("{label}: {value}", "{label} {value}")
_SERIES = Bilingual("{name}: {values}", "{name}：{values}")
_NEXT = Bilingual(", ", "、")


def _plot(chart: Chart, language: Language) -> Node:
    """Return what is drawn: a line for each source where values follow each other in time, otherwise bars."""
    series = drawable(chart)
    values = values_of(series)
    told_in = magnitude_of(values, language)
    unit = _unit(chart.unit, told_in, language)
    node: Node = {"unit": unit, "alt": _spoken(chart, series, unit, told_in, language)}
    if not values:
        return node
    is_line = chart.is_over_time and len(chart.labels) > (2 if len(series) == 1 else 1)
    return node | (_lines(chart, series, told_in, language) if is_line else _bars(chart, series, told_in, language))


def _unit(unit: str, told_in: Magnitude, language: Language) -> str:
    words, shown = told_in.words.in_(language), clean(unit).strip()
    return _UNIT.in_(language).format(magnitude=words, unit=shown).strip() if words or shown else ""


def _spoken(chart: Chart, series: Sequence[Series], unit: str, told_in: Magnitude, language: Language) -> str:
    """Return the chart in words, for readers who do not see it."""

    def said(label: str, value: float) -> str:
        told = number_in_words(value, told_in)
        return _VALUE.in_(language).format(label=period_in_words(label, language), value=told)

    lines = []
    for one in series:
        pairs = zip(chart.labels, one.values, strict=True)
        values = _NEXT.in_(language).join(said(label, value) for label, value in pairs if value is not None)
        lines.append(_SERIES.in_(language).format(name=one.name, values=values))
    return clean("; ".join([bracketed(chart.title, unit, language), *lines]))


def _lines(chart: Chart, series: Sequence[Series], told_in: Magnitude, language: Language) -> Node:
    marks, across = axis_ticks(values_of(series)), places_across(chart.labels)
    named = labels_with_room(across, _LEAST_GAP)
    is_alone = len(series) == 1 and len(named) == len(across)
    lines = []
    for one in series:
        runs = [[(across[at], place_down(value, marks), value) for at, value in run] for run in runs_of(one.values)]
        told = [[x, y, number_in_words(value, told_in)] for run in runs for x, y, value in run] if is_alone else []
        points = [[[x, y] for x, y, _ in run] for run in runs]
        lines.append({"name": breakable(clean(one.name)), "runs": points, "values": told})
    return {
        "lines": lines,
        "across": [[across[place], clean(period_in_words(chart.labels[place], language))] for place in named],
        "down": [[place_down(mark, marks), number_in_words(mark, told_in)] for mark in marks],
    }


def _bars(chart: Chart, series: Sequence[Series], told_in: Magnitude, language: Language) -> Node:
    """Return rows of bars: one for each source where there is a single label, otherwise one for each label."""
    values = values_of(series)

    def bar(name: str, value: float) -> Node:
        start, size = (round(_BAR_ROOM * share, 4) for share in bar_of(value, values))
        told = number_in_words(value, told_in)
        return {"name": breakable(clean(name), 24, 8), "from": start, "size": size, "value": told}

    labels = [period_in_words(label, language) for label in chart.labels]
    if len(series) == 1:
        pairs = zip(labels, series[0].values, strict=True)
        return {"bars": [{"bars": [bar(label, value) for label, value in pairs if value is not None]}]}
    groups = [
        {
            "name": clean(label) if len(labels) > 1 or chart.is_over_time else "",
            "bars": [bar(one.name, value) for one in series if (value := one.values[at]) is not None],
        }
        for at, label in enumerate(labels)
    ]
    return {"bars": [group for group in groups if group["bars"]]}
