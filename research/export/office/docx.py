"""A report as a Word file: the designed template, filled with what a colleague can go on editing.

python-docx writes paragraphs, runs, tables and properties. What it has no words for is made of elements here: links,
bookmarks, footnotes, fields, text from right to left, and charts.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import docx
from docx.enum.text import WD_PARAGRAPH_ALIGNMENT
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.oxml import serialize_part_xml
from docx.opc.part import Part as PackagePart
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement, parse_xml
from docx.oxml.text.paragraph import CT_P
from docx.oxml.text.run import CT_R
from docx.oxml.xmlchemy import BaseOxmlElement
from docx.shared import Twips
from docx.text.font import Font
from docx.text.paragraph import Paragraph as WordParagraph

from research.core import RECENT_MARK, date_in_words
from research.export import document as tree, office
from research.export.charts import captioned, has_values
from research.export.words import line_ends, one_line, printable, safe_address, shortened, tongue_of
from research.language import COLON, Language, Phrase
from research.text import columns as width_of

if TYPE_CHECKING:
    from docx.document import Document as WordDocument


_SIZES = {tree.Paper.A4: (11_906, 16_838), tree.Paper.LETTER: (12_240, 15_840)}
"""Width and height in twips."""
_MARGIN = 1_304
"""Twips at either side, as in the template."""
_TALLER_LETTERS, _SINGLE = 0.91, 240
"""Japanese typefaces have blank above and below their letters: the same distance of lines is a smaller multiple."""
_LONGEST_HEADER = 90
_ROOMY = 0.97
"""Share of a line that is filled by reckoning: typefaces differ."""


def to_docx(document: tree.ReportDocument, *, paper: tree.Paper = tree.Paper.A4) -> bytes:
    """Return the report as a `.docx` file: real styles, footnotes and charts that a colleague can go on editing."""
    with resources.files(__package__).joinpath("template.docx").open("rb") as template:
        word = docx.Document(template)
    if document.language is Language.JA:
        for spacing in word.styles.element.iter(qn("w:spacing")):
            if line := spacing.get(qn("w:line")):
                spacing.set(qn("w:line"), str(max(_SINGLE, round(int(line) * _TALLER_LETTERS))))
    width, height = _SIZES[paper]
    section = word.sections[0]
    section.page_width, section.page_height = Twips(width), Twips(height)
    for style in ("Header", "Footer"):
        cast(Any, word.styles[style]).paragraph_format.tab_stops[0].position = Twips(width - 2 * _MARGIN)
    section.header.paragraphs[0].add_run(shortened(one_line(document.title), _LONGEST_HEADER))
    for footer in (section.footer, section.first_page_footer):
        footer.paragraphs[0].runs[0].text = date_in_words(document.researched, document.language)
    office.describe_file(word.core_properties, document)
    _Body(word, document, width - 2 * _MARGIN).write()
    file = io.BytesIO()
    word.save(file)
    return file.getvalue()


# --- lines -------------------------------------------------------------------------------------------------------

_PLAIN = tree.Text("")
_SOURCE = "source_"
"""What the name of the bookmark at a source begins with, before its number."""
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def _element(kind: str, /, *children: BaseOxmlElement, **attributes: object) -> BaseOxmlElement:
    """Return `<w:kind>` with attributes of its own namespace and children."""
    made = cast(BaseOxmlElement, OxmlElement(f"w:{kind}"))
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), str(value))
    made.extend(children)
    return made


class _Writer:
    """Writes lines into the paragraphs of one part of the file: its text, or its footnotes."""

    def __init__(self, part: PackagePart, sources: Mapping[int, tree.SourceItem]) -> None:
        self.part = part
        self.sources = sources
        self._relations: dict[str, str] = {}

    def line(self, into: BaseOxmlElement, line: tree.Line) -> None:
        """Write a line at the end of a paragraph."""
        for piece in line:
            match piece:
                case tree.LineBreak():
                    self.words(into, "\n")
                case tree.Citation():
                    self.citation(into, piece.number, is_recent=piece.is_recent)
                case tree.Text(url=""):
                    self.words(into, piece.text, style="CodeText" if piece.code else "", like=piece)
                case tree.Text():
                    link = self.link(into, piece.url)
                    self.words(link, piece.text, style="Hyperlink" if link is not into else "", like=piece)

    def words(
        self, into: BaseOxmlElement, text: str, *, style: str = "", like: tree.Text = _PLAIN, around: str = ""
    ) -> BaseOxmlElement:
        """Write a run of plain text in a character style, with the bold, italic and struck words of `like`.

        The template is set for Japanese; Chinese and Korean are named, and set in typefaces of their own. `around` is
        the language of the page that the text is from, as far as it is known.
        """
        run = cast(CT_R, OxmlElement("w:r"))
        font = Font(run)
        if style:
            run.get_or_add_rPr().append(_element("rStyle", val=style))
        words = printable(text)
        if "\n" in words or "\t" in words:
            run.text = words  # which looks at each letter, and takes its time
        elif words:
            run.add_t(words)
        for node in run.findall(qn("w:t")):
            node.set(_XML_SPACE, "preserve")
        face = None if like.code else office.face_of(text, around)
        foreign = face if face is not office.JAPANESE else None
        if foreign:
            cast(Any, run.get_or_add_rPr()).get_or_add_rFonts().set(qn("w:eastAsia"), foreign.typeface)
        if like.bold:
            font.bold = font.cs_bold = True
        if like.italic:
            font.italic = font.cs_italic = True
        if like.strike:
            font.strike = True
        if office.runs_right_to_left(text):
            font.rtl = True
        if foreign:
            run.get_or_add_rPr().append(_element("lang", eastAsia=foreign.tag))
        into.append(run)
        return run

    def link(self, into: BaseOxmlElement, url: str) -> BaseOxmlElement:
        """Return a new link for words that lead to an address; the paragraph itself if Office could not read it."""
        address = safe_address(url)
        if not address:
            return into
        if address not in self._relations:
            self._relations[address] = self.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        link = _element("hyperlink", history=1)
        link.set(qn("r:id"), self._relations[address])
        into.append(link)
        return link

    def citation(self, into: BaseOxmlElement, number: int, *, is_recent: bool = False) -> None:
        """Write the small number of a source, which leads to its entry in the list and tells its title."""
        if source := self.sources.get(number):
            link = _element("hyperlink", anchor=f"{_SOURCE}{number}", history=1)
            if title := shortened(one_line(source.title), office.TOOLTIP):
                link.set(qn("w:tooltip"), title)
            into.append(link)
            into = link
        self.words(into, f"[{number}]{RECENT_MARK if is_recent else ''}", style="Citation")

    def titled(self, into: BaseOxmlElement, source: tree.SourceItem, title: str) -> None:
        """Write the title of a source, which leads to its page."""
        style = "Hyperlink" if source.url else ""
        self.words(self.link(into, source.url), title, style=style, around=tongue_of(source))


class _Footnotes(_Writer):
    """The footnotes of a file: a source is named at the foot of the page that cites it first, under its own number.

    A footnote counted by Word would change its number when a colleague deletes a sentence or adds a note, and no longer
    be that of the list of sources. So each has a mark of its own, which shows nothing, beside the number that leads
    there.
    """

    _MARK = "\N{ZERO WIDTH SPACE}"

    def __init__(self, word: WordDocument, sources: Mapping[int, tree.SourceItem]) -> None:
        super().__init__(word.part.part_related_by(RELATIONSHIP_TYPE.FOOTNOTES), sources)
        self._root = parse_xml(self.part.blob)
        self._noted: set[int] = set()

    def mark(self, into: BaseOxmlElement, cited: int) -> None:
        """Set the mark of a footnote if the source cited has none yet."""
        source = self.sources.get(cited)
        if source is None or cited in self._noted:
            return
        self._noted.add(cited)
        number = len(self._noted)
        run = self.words(into, self._MARK, style="FootnoteReference")
        run.insert(1, _element("footnoteReference", customMarkFollows=1, id=number))
        entry = cast(CT_P, OxmlElement("w:p"))
        entry.style = "FootnoteText"
        self.citation(entry, cited)
        self.words(entry, " ")
        self.titled(entry, source, source.title)
        facts = " · ".join(fact for fact in (source.site, source.kind, source.dated) if fact)
        self.words(entry, f" — {facts}" if facts else "", style="Quiet")
        self._root.append(_element("footnote", entry, id=number))

    def close(self) -> None:
        """Put the footnotes into the file; the library holds their part as bytes."""
        self.part._blob = serialize_part_xml(self._root)


# --- the text ----------------------------------------------------------------------------------------------------

_LEVELS, _DEEPEST = 6, 8
"""Of headings; of lists, from 0: what is deeper stands at the last."""
_INDENT = 360
"""Twips by which a level of a list or quotation is set in."""
_BULLETS, _NUMBERS = 1, 2
"""Lists of the template; of the second, each numbered list has its own count."""
_GREATEST_START = 32_767
_ROOM, _SMALL_FROM = 80, 6
"""Letters beside each other on a page, and columns from which the words of a table are smaller."""
_WHOLE_ROW = 500
"""Characters up to which a row is kept on one page."""
_ALIGNED = {tree.Align.CENTER: WD_PARAGRAPH_ALIGNMENT.CENTER, tree.Align.RIGHT: WD_PARAGRAPH_ALIGNMENT.RIGHT}
_FEWEST_HEADINGS, _FEWEST_CHARACTERS = 5, 6_000
"""From which a table of contents helps; Japanese letters count twice."""
_MOST_ENTRIES = 24
_BELOW_CONTENTS = Twips(480)
_INSTRUCTION = r' TOC \o "1-2" \h \z \u '


class _Place(NamedTuple):
    """Where a block stands: in the quiet parts after the text, which are set smaller; in how many lists, quotations."""

    is_quiet: bool = False
    depth: int = 0
    quoted: int = 0

    @property
    def style(self) -> str:
        """The style of its paragraphs."""
        if self.quoted:
            return "Quote"
        if self.depth:
            return "ListContinue"
        return "AppendixText" if self.is_quiet else "Normal"


class _Body(tree.Walk[_Place, None]):
    """Writes the report from the title to the brief; counts headings and charts as it goes."""

    def __init__(self, word: WordDocument, document: tree.ReportDocument, width: int) -> None:
        self._word = word
        self._document = document
        self._language = document.language
        self._width = width
        sources = {source.number: source for source in document.sources}
        self._writer, self._footnotes = _Writer(word.part, sources), _Footnotes(word, sources)
        self._headings: list[tuple[int, str, str]] = []
        """Level, words and bookmark of each heading so far."""
        self._bookmarks, self._charts = count(1), count(1)

    def write(self) -> None:
        """Write all parts, with the sources before the trail, and the brief at the end."""
        document, quiet = self._document, _Place(is_quiet=True)
        title, question = one_line(document.title), one_line(document.question)
        said = {"Title": title, "Subtitle": question if question != title else ""}
        for style, line in (*said.items(), ("Byline", document.byline), ("Byline", document.checked)):
            if line:
                self._styled(style, self._balanced(one_line(line), style))
        lead = self._styled("Rule")
        for part in document.parts_in_order:
            self.blocks(part.blocks, _Place(is_quiet=part.is_quiet))
            if part.kind is tree.PartKind.SOURCES:
                for source in sorted(document.sources, key=lambda one: one.number):
                    self._source(source)
        if document.asked:
            self._title((tree.Text(tree.ASKED_FOR.in_(self._language)),), 1, quiet)
            lines: list[tree.Line] = [
                (tree.Text(f"{name}{COLON.in_(self._language)}", bold=True), tree.Text(value))
                for name, value in document.asked
            ]
            self._items(tree.Items(tuple((tree.Paragraph(line),) for line in lines)), quiet)
        size = sum(width_of(tree.plain(line)) for part in document.parts for line in tree.lines_of(part.blocks))
        if len(self._headings) >= _FEWEST_HEADINGS and size >= _FEWEST_CHARACTERS:
            self._contents(lead)
        self._footnotes.close()

    def _balanced(self, words: str, style: str) -> str:
        """Return Japanese words in lines that end where a phrase does, which Word does not see to."""
        size = cast(Any, self._word.styles[style]).font.size
        letters = _ROOMY * 2 * Twips(self._width) / size  # a wide letter, which counts two, is as broad as it is high
        ends = line_ends(words, letters) if self._language is Language.JA else []
        return "\n".join(words[start:end] for start, end in zip([0, *ends], [*ends, None], strict=True))

    def _new(self, style: str, line: tree.Line = (), within: WordParagraph | None = None) -> WordParagraph:
        """Return a new paragraph at the end, or that of a cell, in a style and in the direction of a line to come."""
        paragraph = within or self._word.add_paragraph()
        paragraph._p.style = style
        if office.runs_right_to_left(tree.plain(line)):
            paragraph._p.get_or_add_pPr().append(_element("bidi"))
        return paragraph

    def _styled(self, style: str, words: str = "") -> CT_P:
        paragraph = self._new(style)._p
        if words:
            self._writer.words(paragraph, words)
        return paragraph

    def _line(self, paragraph: WordParagraph, line: tree.Line, place: _Place) -> None:
        """Write a line, outside the quiet parts with a footnote at its first citation of each source."""
        for piece in office.bound(line):
            self._writer.line(paragraph._p, (piece,))
            if isinstance(piece, tree.Citation) and not place.is_quiet:
                self._footnotes.mark(paragraph._p, piece.number)

    def _paragraph(self, paragraph: tree.Paragraph, place: _Place) -> tuple[()]:
        named = not place.depth and office.names_sources(paragraph, self._language)
        made = self._new("SectionSources" if named else place.style, paragraph.line)
        if place.depth or place.quoted > 1:
            made.paragraph_format.left_indent = Twips(_INDENT * (min(place.depth, _DEEPEST + 1) + place.quoted))
        if place.is_quiet and paragraph.line and isinstance(said := paragraph.line[0], tree.Text) and said.bold:
            made.paragraph_format.keep_with_next = True  # the name of what is listed below it
        self._line(made, paragraph.line, place)
        return ()

    def _quotation(self, quotation: tree.Quotation, place: _Place) -> tuple[()]:
        self.blocks(quotation.blocks, place._replace(quoted=place.quoted + 1))
        return ()

    def _code(self, code: tree.Code, place: _Place) -> tuple[()]:
        self._styled("Code", code.text)
        return ()

    def _rule(self, rule: tree.ThematicBreak, place: _Place) -> tuple[()]:
        self._styled("Rule")
        return ()

    def _heading(self, heading: tree.Heading, place: _Place) -> tuple[()]:
        if tree.plain(heading.line).strip():
            self._title(heading.line, heading.level, place)
        return ()

    def _title(self, line: tree.Line, level: int, place: _Place) -> None:
        """Write a heading, which the table of contents can lead to."""
        level = min(level, 2 if place.is_quiet else _LEVELS)
        style = ("AppendixHeading", "AppendixSubheading")[level - 1] if place.is_quiet else f"Heading{level}"
        self._headings.append((level, one_line(tree.plain(line)), f"_Toc{len(self._headings) + 1:06}"))
        paragraph = self._new(style, line)._p
        end = self._begin_bookmark(paragraph, self._headings[-1][2])
        self._writer.line(paragraph, line)
        paragraph.append(end)

    def _begin_bookmark(self, paragraph: CT_P, name: str) -> BaseOxmlElement:
        """Begin a bookmark, and return its end."""
        number = next(self._bookmarks)
        paragraph.append(_element("bookmarkStart", id=number, name=name))
        return _element("bookmarkEnd", id=number)

    def _items(self, items: tree.Items, place: _Place) -> tuple[()]:
        level, number = min(place.depth, _DEEPEST), _BULLETS
        if items.is_ordered:
            counted = self._word.part.numbering_part.element.add_num(_NUMBERS)
            counted.add_lvlOverride(level).add_startOverride(max(0, min(items.start, _GREATEST_START)))
            number = counted.numId
        style = ("Appendix" if place.is_quiet else "List") + ("Number" if items.is_ordered else "Bullet")
        for blocks in items.items:
            first, rest = tree.led(blocks)
            line = first.line if first else ()
            paragraph = self._new(style, line)
            listed = cast(Any, paragraph._p.get_or_add_pPr()).get_or_add_numPr()
            listed.get_or_add_ilvl().val, listed.get_or_add_numId().val = level, number
            self._line(paragraph, line, place)
            self.blocks(rest, place._replace(depth=place.depth + 1))
        return ()

    def _source(self, source: tree.SourceItem) -> None:
        """Write an entry of the list of sources with the quotes behind its citations; numbers lead to it."""
        paragraph, words = self._new("SourceEntry"), self._writer.words
        paragraph.paragraph_format.keep_with_next = bool(source.quotes) or None
        entry = paragraph._p
        end = self._begin_bookmark(entry, f"{_SOURCE}{source.number}")
        words(entry, f"[{source.number}]", like=tree.Text("", bold=True))
        entry.append(end)
        words(entry, "\t")
        self._writer.titled(entry, source, one_line(source.title))
        words(entry, f" — {' · '.join(one_line(fact) for fact in (source.site, source.kind) if fact)} · ")
        words(entry, source.dated, like=tree.Text("", bold=source.is_recent))
        read = Phrase("read on {date}").in_(self._language).format(date=date_in_words(source.fetched, self._language))
        words(entry, f" · {read}")
        if source.url:
            words(entry, "\n")
            words(self._writer.link(entry, source.url), source.url, style="Quiet")
        for quote in source.quotes:
            marked = office.QUOTED.in_(self._language).format(text=one_line(quote))
            words(self._styled("SourceQuote"), marked, around=tongue_of(source))
        if source.more:
            words(self._styled("SourceQuote"), source.more)

    def _table(self, table: tree.Table, place: _Place) -> tuple[()]:
        """Write a table; what is wider than a page in parts with the first column each."""
        for part in tree.table_parts(table, _ROOM, self._language):
            if part.caption:
                self._styled("Caption", part.caption)
            self._grid(table, part)
            self._styled("Rule").get_or_add_pPr().append(_element("pBdr", _element("bottom", val="nil")))
        return ()

    def _grid(self, table: tree.Table, part: tree.TablePart) -> None:
        """Write some columns of a table, with a head that repeats on every page."""
        columns = part.columns
        grid = self._word.add_table(0, len(columns), "Report Table")
        grid.autofit = False
        for column, share in zip(grid.columns, part.shares, strict=True):
            column.width = Twips(self._width * share)
        style, small = "TableHead", "Small" if len(columns) >= _SMALL_FROM else ""
        for cells in (table.head, *table.rows):
            row = grid.add_row()
            properties = row._tr.get_or_add_trPr()
            if sum(len(tree.plain(cells[place])) for place in columns) <= _WHOLE_ROW:
                properties.append(_element("cantSplit"))
            if style == "TableHead":
                properties.append(_element("tblHeader"))
            for cell, place in zip(row.cells, columns, strict=True):
                words = self._new(style + small, cells[place], within=cell.paragraphs[0])
                if aligned := _ALIGNED.get(table.aligned[place]):
                    words.alignment = aligned
                self._writer.line(words._p, office.bound(cells[place]))
            style = "TableText"

    def _chart(self, chart: tree.Chart, place: _Place) -> tuple[()]:
        """Write a chart, which Word draws itself from a workbook inside the file, with its sources."""
        self._styled("Caption", captioned(chart, self._language))
        if has_values(chart):
            from research.export.office.charts import word_drawing  # loads python-pptx

            run = self._writer.words(self._styled("Figure"), "")
            run.append(word_drawing(self._word, chart, next(self._charts), self._width, self._language))
        titles = {number: one_line(source.title) for number, source in self._writer.sources.items()}
        named: list[tree.Line] = [
            (tree.Citation(number), tree.Text(f" {titles[number]}")) if number in titles else (tree.Citation(number),)
            for number in chart.sources
        ]
        if chart.note:
            named.append((tree.Text(one_line(chart.note)),))
        if named:
            line = (tree.Text(office.SOURCES_HERE.in_(self._language)), *tree.joined(named, " · "))
            self._writer.line(self._styled("FigureSources"), line)
        return ()

    def _contents(self, after: CT_P) -> None:
        """Add the table of contents: a field that Word can renew, filled with links so that it is never empty.

        It has headings of two levels; of the first alone if they are many. The links have no page numbers: only the
        program that sets the pages knows them, and a file that tells Word to find out makes Word ask its reader a
        question first. Renewed (F9, in LibreOffice Update Index) it has its numbers.
        """
        entries = [one for one in self._headings if one[0] <= 2]
        if len(entries) > _MOST_ENTRIES:
            entries = [one for one in entries if one[0] == 1]
        lines = [self._styled("TOCHeading", Phrase("Contents").in_(self._language))]
        for level, words, bookmark in entries:
            lines.append(self._styled(f"TOC{level}"))
            link = _element("hyperlink", anchor=bookmark, history=1)
            self._writer.words(link, words)
            lines[-1].append(link)
        instruction = _element("instrText")
        instruction.text = _INSTRUCTION
        instruction.set(_XML_SPACE, "preserve")
        begin, separate, end = (_element("fldChar", fldCharType=kind) for kind in ("begin", "separate", "end"))
        for place, mark in enumerate((begin, instruction, separate), start=1):
            lines[1].insert(place, _element("r", mark))
        lines[-1].append(_element("r", end))
        gallery = _element("docPartObj", _element("docPartGallery", val="Table of Contents"), _element("docPartUnique"))
        text = after.getnext()
        if isinstance(text, CT_P) and not (text.style or "").startswith("Heading"):  # which keeps its distance itself
            WordParagraph(text, self._word._body).paragraph_format.space_before = _BELOW_CONTENTS
        after.addnext(_element("sdt", _element("sdtPr", gallery), _element("sdtContent", *lines)))
