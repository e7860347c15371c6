"""A report as a plan of slides: one message each with what bears it out, and all of the text in the speaker's notes.

A deck is for presenting: a section becomes one slide, sections that say little share one, and what there is no room for
is in the notes of the slide. Each table and chart has a slide of its own, and the sources stand at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from research.analysts.extractive import EMPTY_SECTION
from research.export import document as tree
from research.export.charts import captioned, charts_of_table, has_values, spoken
from research.export.office import QUOTED, SOURCES_HERE, names_sources
from research.export.office.fitting import (
    BODY_HEIGHT,
    BODY_WIDTH,
    FIGURE_SIZES,
    FOOT_SIZE,
    LARGE_SIZES,
    MOST_LINES,
    SIZES,
    TABLE_DROP,
    TABLE_SIZES,
    Layout,
    SlidePoint,
    below,
    cut,
    fitting,
    height_in_sizes,
    height_of,
    large,
    scale_of,
    short_line,
    short_title,
    trimmed,
)
from research.export.office.messages import chart_message, table_message
from research.export.words import one_line, printable, shortened
from research.language import COLON, Language, Phrase
from research.quantities import figures
from research.text import Span, columns, sentences_in

# --- slides ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SlideTable:
    """As much of a table as a slide has room for."""

    rows: tuple[tuple[tree.Line, ...], ...]
    """The first is the head."""
    aligned: tuple[tree.Align, ...]
    shares: tuple[float, ...]
    """Of the width, for each column."""
    size: int
    """Points of the words."""
    heights: tuple[float, ...]
    """Points of each row: what its words need, and of the room that is left as much as it may have."""


@dataclass(frozen=True)
class Slide:
    """A slide to be made."""

    layout: Layout
    title: tree.Line
    section: str = ""
    """What the title belongs to, in small print above it."""
    points: tuple[SlidePoint, ...] = ()
    table: SlideTable | None = None
    chart: tree.Chart | None = None
    notes: tuple[tree.Line, ...] = ()
    cited: tuple[int, ...] = ()
    """Sources named at the foot."""
    remark: str = ""
    """What else the foot says."""
    scale: float = 1.0
    """By which its words are larger than those of its layout."""


_MOST_SLIDES = 12
"""More is not presented: sections share slides, and the last tables and charts stand in the notes."""
_FEWEST_MESSAGES = 4
_MOST_SOURCES = 2
"""Slides of sources; who looks up the others finds them in the notes of the last."""
_MOST_BELOW = 3
"""Sources that have room below a sentence in large print."""
_NAMED = 2
"""Columns of a table of names and one figure of each."""
_FEWEST_POINTS, _FEWEST_BEHIND = 2, 8
"""A section with fewer shares a slide with another; of what stands behind the text, in smaller print, with fewer."""
_THIN, _CROWDED = 0.4, 1.2
"""Of a slide: a section that fills less shares it with a neighbour if both take no more than this, points cut."""
_STANDING = (tree.PartKind.CONTRADICTIONS, tree.PartKind.VERIFICATION)
"""Parts that begin with how was compared, which is alike in every report: it stands in the notes."""
_BETWEEN = " · "


def slides_of(document: tree.ReportDocument) -> list[Slide]:
    """Return the slides of a report in their order; how it was researched is in the notes of the last."""
    language = document.language
    empty = [text.in_(language) for text in EMPTY_SECTION]
    told_once = _without_what_tables_draw(document)
    loud = [one for part in told_once if not part.is_quiet for one in _sections(part, document)]
    silent = [one for one in loud if len(one.points) == 1 and tree.plain(one.points[0].line) in empty]
    loud = [one for one in loud if one not in silent]
    kinds = (tree.PartKind.SOURCES, tree.PartKind.TRAIL)
    quiet = [part for part in document.parts if part.is_quiet and part.kind not in kinds]
    behind = [one for part in quiet for one in _sections(part, document)]
    silent += [one for one in behind if not one.points]
    behind = [one for one in behind if one.points]
    ending = _ending(behind, document)
    room = max(_FEWEST_MESSAGES, _MOST_SLIDES - 1 - len(ending))
    shown = _apart(_told(loud, room, language))
    told = [_opening(document), *(_enlarged(one, document) for one in shown)]
    listed = {point.source for slide in told for point in slide.points}
    is_little = sum(len(one.points) for one in behind) < _FEWEST_POINTS
    if is_little and listed.issuperset(one.number for one in document.sources):
        remark = " ".join(tree.plain(point.line) for one in behind for point in one.points)
        told[-1], ending, silent = replace(told[-1], remark=remark), [], [*silent, *behind]
    trail = document.part(tree.PartKind.TRAIL)
    found = [_as_large_as_it_goes(one) for one in (*told, *ending)]
    notes = [line for one in silent for line in one.notes(language)]
    notes += _Notes(language).blocks(trail.blocks, "") if trail else []
    found[-1] = replace(found[-1], notes=(*found[-1].notes, *notes))
    return found


def _apart(slides: Iterable[Slide]) -> Iterator[Slide]:
    """Yield slides; of a table and its chart that say the same, the second says in its title what it shows."""
    said: set[str] = set()
    for slide in slides:
        title = tree.plain(slide.title)
        is_again = slide.layout in (Layout.CHART, Layout.TABLE) and title in said
        yield replace(slide, title=(tree.Text(slide.section),), section="") if is_again and slide.section else slide
        said.add(title)


def _ending(behind: Sequence[_Section], document: tree.ReportDocument) -> list[Slide]:
    """Return the slides of what stands behind the text, and of the sources, the last and the first as one if both fit.

    Sources have their quotes where there is room; the notes of the last slide have those left over.
    """
    language, layout = document.language, Layout.APPENDIX
    slides = [one for group in _grouped(behind, _FEWEST_BEHIND, layout) for one in _message(group, layout, language)]
    rest = sorted(document.sources, key=lambda one: one.number)
    title: tree.Line = (tree.Text(tree.SOURCES.in_(language)),)
    before, notes = list[SlidePoint](), list[tree.Line]()
    if slides and rest:
        last = slides[-1]
        head = [] if last.points[0].is_head else [SlidePoint(last.title, is_head=True)]
        above = [*head, *last.points, SlidePoint(title, is_head=True)]
        if len(last.points) < _FEWEST_POINTS or height_of([*above, *map(_entry, rest)], layout) <= BODY_HEIGHT:
            slides.pop()
            title, before, notes = tree.joined([last.title, title], _BETWEEN), above, list(last.notes)
    quoted = [*before, *(point for one in rest for point in (_entry(one), *_quote_points(one, language)))]
    is_quoted = height_of(quoted, layout) <= BODY_HEIGHT
    for number in range(1, _MOST_SOURCES + 1):
        if rest:
            page = quoted if is_quoted else fitting([[*before, *map(_entry, rest)]], layout)
            told = rest if is_quoted or number == _MOST_SOURCES else rest[: len(page) - len(before)]
            rest = [] if is_quoted else rest[len(page) - len(before) :]
            more = Phrase("{count} more sources: in the notes of this slide").in_(language).format(count=len(rest))
            notes += [line for source in told for line in _quotes(source, language)]
            remark = more if rest and number == _MOST_SOURCES else ""
            slides.append(Slide(layout, title, points=tuple(page), notes=tuple(notes), remark=remark))
            title = (tree.Text(tree.SOURCES.in_(language) + Phrase(" (continued)").in_(language)),)
            before, notes = [], []
    return slides


def _without_what_tables_draw(document: tree.ReportDocument) -> Iterator[tree.DocumentPart]:
    """Yield the parts, without a chart that stands on the slide of its table, instead of it."""
    tables = [block for part in document.parts for block in part.blocks if isinstance(block, tree.Table)]
    drawn = [_drawn(table, document.language) for table in tables]
    for part in document.parts:
        blocks = tuple(block for block in part.blocks if block not in drawn)
        if part.kind is not tree.PartKind.CHARTS or len(blocks) > 1:  # besides its heading
            yield replace(part, blocks=blocks)


def _drawn(table: tree.Table, language: Language) -> tree.Chart | None:
    """Return the chart that says all that a table says."""
    charts = list(charts_of_table(table, language)) if len(table.head) == _NAMED else []
    is_whole = len(charts) == 1 and len(charts[0].labels) == len(table.rows)
    return charts[0] if is_whole else None


def _as_large_as_it_goes(slide: Slide) -> Slide:
    return replace(slide, scale=scale_of(slide.points, slide.layout)) if slide.layout in SIZES else slide


def _told(sections: Sequence[_Section], room: int, language: Language) -> list[Slide]:
    """Return the slides of what answers, at most as many as there is room for: messages first, then what is drawn."""
    drawn = sum(1 for section in sections for _ in _visual_blocks(section.blocks, section.heading))
    most = max(room - drawn, room // 2)
    points = sum(len(section.points) for section in sections)
    least = _FEWEST_POINTS
    groups = _grouped(sections, least, Layout.MESSAGE)
    while sum(not group[0].is_drawn for group in groups) > most and least <= points:
        least = least * 3 // 2
        groups = _grouped(sections, least, Layout.MESSAGE)
    slides: list[Slide] = []
    for group in groups:
        slides += _message(group, Layout.MESSAGE, language)
        slides += [slide for section in group for slide in _visuals(section, language)]
    for place in [at for at, one in enumerate(slides) if at and one.layout is not Layout.MESSAGE][::-1]:
        if len(slides) > room:
            before = slides[place - 1]
            slides[place - 1 : place + 1] = [replace(before, notes=(*before.notes, *slides[place].notes))]
    return slides


def _enlarged(slide: Slide, document: tree.ReportDocument) -> Slide:
    """Return the slide of one proven sentence in large print: its one figure above it, who said it when below."""
    is_alone = slide.layout is Layout.MESSAGE and len(slide.points) == 1 and not slide.section
    is_alone = is_alone and 0 < len(slide.cited) <= _MOST_BELOW
    line = slide.points[0].line if is_alone else ()
    found = figures(tree.plain([one for one in line if not isinstance(one, tree.Citation)]))
    figure = large((tree.Text(found[0].text, bold=True),), FIGURE_SIZES) if len(found) == 1 else None
    said = large(line, LARGE_SIZES[2:] if figure else LARGE_SIZES) if is_alone else None
    if said is None:
        return slide
    cited = [one for one in document.sources if one.number in slide.cited]
    asked, answer = (tree.Text(one_line(document.title)),), one_line(tree.plain(slide.title))
    points = (*filter(None, (figure, said)), *(below(_entry(one)) for one in cited))
    notes = (*slide.notes, *(line for one in cited for line in _quotes(one, document.language)))
    return replace(slide, title=asked, section=answer, points=points, notes=notes, cited=())


def _opening(document: tree.ReportDocument) -> Slide:
    colon = COLON.in_(document.language)
    title, question = one_line(document.title), one_line(document.question)
    asked = Phrase("Question: {question}").in_(document.language).format(question=question)
    is_cut = tree.plain(short_title((tree.Text(title),), Layout.OPENING)).endswith("…")
    brief = [f"{one_line(name)}{colon}{one_line(value)}" for name, value in document.asked]
    return Slide(
        Layout.OPENING,
        (tree.Text(title),),
        section=question if is_cut or question != title else "",
        points=tuple(SlidePoint((tree.Text(one_line(line)),)) for line in (document.byline, document.checked) if line),
        notes=tuple((tree.Text(line),) for line in (title, asked, *brief)),
    )


def _entry(source: tree.SourceItem) -> SlidePoint:
    facts = _BETWEEN.join(one_line(fact) for fact in (source.site, source.kind) if fact)
    number, title = tree.Text(f"[{source.number}] ", bold=True), tree.Text(one_line(source.title), url=source.url)
    dated = tree.Text(source.dated, bold=source.is_recent)
    return SlidePoint((number, title, tree.Text(f" — {facts}{_BETWEEN}"), dated), source=source.number)


def _quote_points(source: tree.SourceItem, language: Language) -> list[SlidePoint]:
    quoted = [QUOTED.in_(language).format(text=one_line(one)) for one in source.quotes]
    return [SlidePoint((tree.Text(one),), 1) for one in (*quoted, source.more) if one]


def _quotes(source: tree.SourceItem, language: Language) -> Iterator[tree.Line]:
    yield _entry(source).line
    if source.url:
        yield (tree.Text(source.url, url=source.url),)
    yield from (point.line for point in _quote_points(source, language))


# --- sections, and the slides that they share --------------------------------------------------------------------


@dataclass(frozen=True)
class _Section:
    """What stands under one heading of the highest level."""

    heading: tree.Line
    blocks: tuple[tree.Block, ...]
    points: list[SlidePoint]

    @property
    def is_drawn(self) -> bool:
        """Whether its tables and charts say all of it."""
        return not self.points and any(_visual_blocks(self.blocks, self.heading))

    def height(self, layout: Layout) -> float:
        """Return the height that all of its points take under its heading."""
        return height_of([SlidePoint(self.heading, is_head=True), *self.points], layout)

    def notes(self, language: Language) -> list[tree.Line]:
        """Return all of its text."""
        return [self.heading, *_Notes(language).blocks(self.blocks, "")]


def _sections(part: tree.DocumentPart, document: tree.ReportDocument) -> Iterator[_Section]:
    """Yield the sections of a part; what stands before its first heading is headed by the title.

    What stands in every report is left to its notes.
    """
    levels = [
        block.level for block in part.blocks if isinstance(block, tree.Heading) and tree.plain(block.line).strip()
    ]
    top = min(levels, default=1)
    heading: tree.Line = (tree.Text(one_line(document.title)),)
    held: list[tree.Block] = []

    def section() -> _Section:
        said = [one for one in held if not names_sources(one, document.language)]
        if part.kind in _STANDING and said and isinstance(said[0], tree.Paragraph) and not _citations([said[0].line]):
            said = said[1:]
        said = _nested(said) if part.kind is tree.PartKind.CONTRADICTIONS else said
        sentences = sum(len(sentences_of(one.line)) for one in said if isinstance(one, tree.Paragraph))
        points = _Points(shows_all=part.is_quiet or sentences <= _FEW).blocks(said, 0)
        return _Section(heading, tuple(held), points)

    for block in part.blocks:
        if isinstance(block, tree.Heading) and block.level == top and tree.plain(block.line).strip():
            if held:
                yield section()
            heading, held = block.line, []
        else:
            held.append(block)
    if held or levels:
        yield section()


def _nested(blocks: Iterable[tree.Block]) -> list[tree.Block]:
    """Return blocks of which a list stands below the paragraph before it, as what sources say below what it is of."""
    nested: list[tree.Block] = []
    for block in blocks:
        if isinstance(block, tree.Items) and nested and isinstance(nested[-1], tree.Paragraph):
            nested[-1] = tree.Items(((nested[-1], block),))
        else:
            nested.append(block)
    return nested


def _grouped(sections: Iterable[_Section], least: int, layout: Layout) -> list[list[_Section]]:
    """Return sections in groups of at least so many points; one of tables and charts alone stays by itself.

    One that says little shares the slide of those before it, as does a short one if both take not too much room.
    """
    groups: list[list[_Section]] = []
    points, filled = 0, 0.0
    for section in sections:
        height = section.height(layout)
        held = groups[-1] if groups else []
        is_thin = filled + height <= _CROWDED * BODY_HEIGHT and min(filled, height) < _THIN * BODY_HEIGHT
        # What is cut in any case may stand below what says that nothing was found.
        is_thin |= height > BODY_HEIGHT and filled < _THIN * BODY_HEIGHT and not any(map(_proves, held))
        is_little = len(section.points) < _FEWEST_POINTS or points < least
        if held and not held[-1].is_drawn and not section.is_drawn and (is_little or is_thin):
            held.append(section)
        else:
            groups.append([section])
            points, filled = 0, 0.0
        points, filled = points + len(section.points), filled + height
    return groups


def _message(group: Sequence[_Section], layout: Layout, language: Language) -> Iterator[Slide]:
    """Yield the slide of a group, unless tables and charts say it all; its notes hold all of the text."""
    if group[0].is_drawn:
        return
    told = [one for one in group if one.points] or list(group[:1])
    title, section, parts = tree.joined([one.heading for one in told], _BETWEEN), "", [one.points for one in told]
    is_led = layout is Layout.MESSAGE and sum(map(len, parts)) > 1
    if is_led := is_led and _is_message(parts[0][0], is_proven=len(told) == 1 or _proves(told[0])):
        title, section, parts = parts[0][0].line, one_line(tree.plain(title)), [parts[0][1:], *parts[1:]]
    elif layout is Layout.MESSAGE and len(told) == 1 and len(parts[0]) > 1 and all(one.level for one in parts[0][1:]):
        lead = tree.plain(parts[0][0].line).rstrip(" :：")  # of a list that is all there is
        title, section = (tree.Text(lead),), one_line(tree.plain(title))
        parts = [[replace(one, level=one.level - 1) for one in parts[0][1:]]]
    if len(told) > 1:
        heads = [() if is_led and one is told[0] else (SlidePoint(one.heading, is_head=True),) for one in told]
        parts = [[*head, *own] for head, own in zip(heads, parts, strict=True) if own]
    shown = tuple(fitting(parts, layout))
    notes = tuple(line for one in group for line in one.notes(language))
    yield Slide(layout, title, section, shown, notes=notes, cited=_citations([title, *(one.line for one in shown)]))


def _proves(section: _Section) -> bool:
    return bool(_citations(tree.lines_of(section.blocks)))


def _is_message(point: SlidePoint, *, is_proven: bool) -> bool:
    """Whether a point can be the title of its slide: no longer than a title may be, and with its sources."""
    is_plain = not point.is_head and point.number is None and point.level == 0
    is_plain = is_plain and (bool(_citations([point.line])) or not is_proven)
    whole, fits = (tree.plain(line).split() for line in (point.line, short_title(point.line, Layout.MESSAGE)))
    return is_plain and "".join(whole) == "".join(fits)


def _visuals(section: _Section, language: Language) -> Iterator[Slide]:
    """Yield a slide for each table and chart of a section."""
    notes = tuple(section.notes(language)) if section.is_drawn else ()
    for block, heading in _visual_blocks(section.blocks, section.heading):
        above = section.heading if isinstance(block, tree.Chart) or heading != section.heading else ()
        told = _in_words(block, language) if isinstance(block, tree.Chart) else _rows(block)
        for slide in _pictured(block, heading, language):
            yield replace(slide, section=slide.section or one_line(tree.plain(above)), notes=(*notes, *told))
            notes, told = (), []


def _pictured(block: tree.Table | tree.Chart, heading: tree.Line, language: Language) -> list[Slide]:
    """Return the slides of a table or chart: in halves a table of which two have room for all, and one has not."""
    if isinstance(block, tree.Chart):
        return [_chart_slide(block, language)]
    if chart := _drawn(block, language):
        return [replace(_chart_slide(chart, language), section=one_line(tree.plain(heading)))]
    message, half = table_message(block, language), -(-len(block.rows) // 2)
    parts = [replace(block, rows=rows) for rows in (block.rows, block.rows[:half], block.rows[half:])]
    slides = [_table_slide(part, heading, message, language) for part in parts]
    is_whole = [one.table and len(one.table.rows) > len(part.rows) for one, part in zip(slides, parts, strict=True)]
    return slides[1:] if is_whole == [False, True, True] else slides[:1]


def _visual_blocks(
    blocks: Iterable[tree.Block], heading: tree.Line
) -> Iterator[tuple[tree.Table | tree.Chart, tree.Line]]:
    """Yield the tables and the charts with figures, each with the heading that it stands under."""
    for block in blocks:
        match block:
            case tree.Heading() if tree.plain(block.line).strip():
                heading = block.line
            case tree.Table() if block.head:
                yield tree.squared(block), heading
            case tree.Chart() if has_values(block):
                yield block, heading
            case tree.Items():
                for item in block.items:
                    yield from _visual_blocks(item, heading)
            case tree.Quotation():
                yield from _visual_blocks(block.blocks, heading)
            case _:
                pass


def _chart_slide(chart: tree.Chart, language: Language) -> Slide:
    caption = captioned(chart, language)
    message = chart_message(chart, language)
    return Slide(
        Layout.CHART, (tree.Text(message or caption),), caption if message else "", chart=chart, cited=chart.sources,
        remark=one_line(chart.note),
    )  # fmt: skip


def _in_words(chart: tree.Chart, language: Language) -> list[tree.Line]:
    words = [captioned(chart, language), *spoken(chart, language), chart.note]
    return [(tree.Text(word),) for word in words if word]


def _rows(table: tree.Table) -> list[tree.Line]:
    return [tree.joined(row, " | ") for row in (table.head, *table.rows)]


# --- points, and all of the text for the notes -------------------------------------------------------------------

_FEW = 6
"""Sentences of a section up to which all of them are shown."""
_LEAD = 30
"""Characters of words that lead a paragraph."""
_DIGIT = re.compile(r"\d")
_CITATIONS = re.compile(r"(?:\s*\[\d+\])*\s*")


@dataclass
class _Points(tree.Walk[int, SlidePoint]):
    """What of a section can stand on a slide; a place is the level.

    Lists stand whole, of long prose the sentences that begin a paragraph or prove something.
    """

    shows_all: bool

    def _heading(self, heading: tree.Heading, place: int) -> Iterator[SlidePoint]:
        if tree.plain(heading.line).strip():
            yield SlidePoint(heading.line, is_head=True)

    def _paragraph(self, paragraph: tree.Paragraph, place: int) -> Iterator[SlidePoint]:
        if not place and tree.plain(paragraph.line).rstrip().endswith((":", "：")):
            yield SlidePoint(paragraph.line, is_head=True)  # It leads what stands below.
            return
        for number, sentence in enumerate(_led(sentences_of(paragraph.line))):
            words = tree.plain([piece for piece in sentence if not isinstance(piece, tree.Citation)])
            if self.shows_all or place or number == 0 or (_citations([sentence]) and _DIGIT.search(words)):
                yield SlidePoint(sentence, place)

    def _items(self, items: tree.Items, place: int) -> Iterator[SlidePoint]:
        for number, blocks in enumerate(items.items, start=items.start):
            first, rest = tree.led(blocks)
            if first and (line := trimmed(first.line)):
                yield SlidePoint(line, place, number=number if items.is_ordered else None)
            yield from self.blocks(rest, place + 1)

    def _quotation(self, quotation: tree.Quotation, place: int) -> Iterable[SlidePoint]:
        return self.blocks(quotation.blocks, place + 1)


_NOTE_INDENT = "    "


@dataclass
class _Notes(tree.Walk[str, tree.Line]):
    """All of the text; a place is what stands before a line. Tables and drawn charts tell it on slides of their own."""

    language: Language

    def _heading(self, heading: tree.Heading, place: str) -> Iterable[tree.Line]:
        return (heading.line,)

    def _paragraph(self, paragraph: tree.Paragraph, place: str) -> Iterable[tree.Line]:
        return ((tree.Text(place), *paragraph.line) if place else paragraph.line,)

    def _items(self, items: tree.Items, place: str) -> Iterator[tree.Line]:
        inner = place.replace("• ", _NOTE_INDENT) + _NOTE_INDENT
        for number, blocks in enumerate(items.items, start=items.start):
            mark = f"{number}. " if items.is_ordered else "• "
            first, rest = tree.led(blocks)
            yield from self.blocks([first] if first else (), place + mark)
            yield from self.blocks(rest, inner)

    def _quotation(self, quotation: tree.Quotation, place: str) -> Iterable[tree.Line]:
        return self.blocks(quotation.blocks, place)

    def _code(self, code: tree.Code, place: str) -> Iterable[tree.Line]:
        return [(tree.Text(row or " "),) for row in printable(code.text).split("\n")]

    def _chart(self, chart: tree.Chart, place: str) -> Iterable[tree.Line]:
        return () if has_values(chart) else _in_words(chart, self.language)


def sentences_of(line: tree.Line) -> list[tree.Line]:
    """Return the sentences of a line, cleaned, each with the citations that follow it."""
    line = tuple(
        replace(piece, text=printable(piece.text)) if isinstance(piece, tree.Text) else piece for piece in line
    )
    text = tree.plain(line)
    spans = sentences_in(text, Span(0, len(text))) if text.strip() else []
    starts = [found.end() for span in spans[1:] if (found := _CITATIONS.match(text, span.start))]
    return [sentence for piece in cut(line, starts) if (sentence := trimmed(piece))]


def _led(sentences: list[tree.Line]) -> list[tree.Line]:
    """Return sentences; words in bold that lead the first ("In short.") stand on one line with it."""
    if len(sentences) < 2 or not all(isinstance(piece, tree.Text) and piece.bold for piece in sentences[0]):
        return sentences
    lead, first, *rest = sentences
    between = "" if tree.plain(lead).endswith(("。", "：")) else " "
    return [(*lead, tree.Text(between), *first), *rest] if len(tree.plain(lead)) <= _LEAD else sentences


def _citations(lines: Iterable[tree.Line]) -> tuple[int, ...]:
    """Return the numbers that lines cite, in order of their first occurrence."""
    return tuple(dict.fromkeys(piece.number for line in lines for piece in line if isinstance(piece, tree.Citation)))


# --- feet and tables, as far as there is room --------------------------------------------------------------------


def foot_line(sources: Sequence[tree.SourceItem], remark: str, language: Language) -> tree.Line:
    """Return the foot of a slide: a remark, then its sources by number, with titles as long as there is room for."""
    width = 1.8 * BODY_WIDTH / FOOT_SIZE
    free = (2 * width - columns(remark)) / max(1, len(sources)) - len("[10]  · ")
    named: list[tree.Line] = []
    for source in sources:
        title = (
            (tree.Text(f" {shortened(one_line(source.title), int(free))}", url=source.url),)
            if free > _LEAST_TITLE
            else ()
        )
        named.append((tree.Citation(source.number), *title))
    lead = f"{remark}{_BETWEEN if remark and named else ''}{SOURCES_HERE.in_(language) if named else ''}"
    return short_line((tree.Text(lead), *tree.joined(named, _BETWEEN)), width, 2) if lead else ()


_LEAST_TITLE = 16
"""Letters of a title at the foot: shorter ones say nothing, and the numbers stand alone."""
_PADDING = 10.0
"""Points above and below the words of a cell, and beside them."""
_PLAIN, _HEAD_LINES = 14, 2
"""Points up to which a cell may have many lines; larger ones have one, in the head of a table two."""
_MOST_AIR = 0.9
"""Sizes of its words that a row of a short table is higher than it need be."""
_TABLE_ROOM = 80
"""Letters beside each other in a table."""


def _table_slide(table: tree.Table, heading: tree.Line, message: str, language: Language) -> Slide:
    """Return the slide of a table: its first columns and rows, as many as there is room for, as large as it goes.

    Its message stands in the title, and the heading above it.
    """
    title, section = ((tree.Text(message),), one_line(tree.plain(heading))) if message else (heading, "")
    part = tree.table_parts(table, _TABLE_ROOM, language)[0]
    whole = [tuple(row[column] for column in part.columns) for row in (table.head, *table.rows)]
    rows: list[tuple[tree.Line, ...]] = []
    for size in TABLE_SIZES:
        rows, needed, room = [], list[float](), BODY_HEIGHT - TABLE_DROP
        widths = [2 * (share * BODY_WIDTH - 2 * _PADDING) / size for share in part.shares]
        for row in whole:
            most = MOST_LINES if size <= _PLAIN else 1 if rows else _HEAD_LINES
            cells = tuple(short_line(cell, width, most) for cell, width in zip(row, widths, strict=True))
            heights = (height_in_sizes(tree.plain(cell), width) for cell, width in zip(cells, widths, strict=True))
            height = size * max(heights) + _PADDING
            if height > room and len(rows) > 1:
                break
            rows.append(cells)
            needed.append(height)
            room -= height
        if rows == whole:
            break
    left = len(table.rows) + 1 - len(rows)
    more = Phrase("{count} more rows: in the notes of this slide").in_(language).format(count=left) if left else ""
    aligned = tuple(table.aligned[column] for column in part.columns)
    air = min(_MOST_AIR * size, max(0.0, room) / len(rows))
    shown = SlideTable(tuple(rows), aligned, part.shares, size, tuple(height + air for height in needed))
    cited = _citations([heading, *(cell for row in rows[1:] for cell in row)])
    remark = _BETWEEN.join(filter(None, (part.caption, more)))
    return Slide(Layout.TABLE, title, section, table=shown, cited=cited, remark=remark)
