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
from research.export.charts import captioned, has_values, spoken
from research.export.citing import UNCITED
from research.export.office import QUOTED, SOURCES_HERE, names_sources
from research.export.office.fitting import (
    BODY_HEIGHT,
    BODY_WIDTH,
    FOOT_SIZE,
    MOST_LINES,
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
    short_line,
    short_title,
    trimmed,
)
from research.export.office.messages import chart_message, table_message
from research.export.words import one_line, printable, shortened
from research.language import COLON, Language, Phrase
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


_MOST_SLIDES = 12
"""More is not presented: sections share slides, and the last tables and charts stand in the notes."""
_FEWEST_MESSAGES = 4
_FEW_SLIDES, _MOST_MORE = 6, 4
"""A deck of fewer slides tells more of how its answer was found, in so many steps."""
_MOST_SOURCES = 2
"""Slides of sources; who looks up the others finds them in the notes of the last."""
_MOST_BELOW = 3
"""Sources that have room below a sentence in large print."""
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
    loud = [one for part in document.parts if not part.is_quiet for one in _sections(part, document)]
    silent = [one for one in loud if len(one.points) == 1 and tree.plain(one.points[0].line) in empty]
    loud = [one for one in loud if one not in silent]
    kinds = (tree.PartKind.SOURCES, tree.PartKind.TRAIL)
    quiet = [part for part in document.parts if part.is_quiet and part.kind not in kinds]
    behind = [one for part in quiet for one in _sections(part, document)]
    silent += [one for one in behind if not one.points]
    ending = _ending(behind, document)
    room = max(_FEWEST_MESSAGES, _MOST_SLIDES - 1 - len(ending))
    shown = _apart(_told(loud, room, language))
    told = [_opening(document), *(_enlarged(one, document) for one in shown)]
    for more in range(1, _MOST_MORE + 1 if document.sources else 2):  # What found nothing has little to present.
        if len(told) + len(ending) < _FEW_SLIDES:
            ending = _longer_ending(quiet, document, more)
    trail = document.part(tree.PartKind.TRAIL)
    found = [*told, *ending]
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
    """Return the slides of what stands behind the text, and of the sources."""
    closing = _closing([one for one in behind if one.points])
    slides = [slide for group in closing for slide in _message(group, Layout.APPENDIX, document.language)]
    return _shared(slides, list(_sources(document)))


def _closing(sections: Sequence[_Section]) -> list[list[_Section]]:
    """Return what stands behind the text in groups; what fills a slide has it for itself, unless one line is left."""
    full = [one for one in sections if one.height(Layout.APPENDIX) > BODY_HEIGHT]
    rest = [one for one in sections if one not in full]
    if full and sum(len(one.points) for one in rest) < _FEWEST_POINTS:
        return [*([one] for one in full[:-1]), [full[-1], *rest]]
    return [*([one] for one in full), *_grouped(rest, _FEWEST_BEHIND, Layout.APPENDIX)]


def _longer_ending(quiet: Sequence[tree.DocumentPart], document: tree.ReportDocument, more: int) -> list[Slide]:
    """Return the slides that end a deck of few, none of which shares its slide without need.

    With more of what is asked where little was found: how it was researched, then what was read, then what was checked;
    at last what was asked for has a slide of its own.
    """
    language = document.language
    checked = tree.PartKind.VERIFICATION if more >= _MOST_MORE - 1 else None
    behind = [one for part in quiet for one in _sections(part, document, is_whole=part.kind is checked) if one.points]
    is_read = more > 1 and document.read is not None and any(not _citations(row) for row in document.read.rows)
    method = _method(document, says_read=not is_read, is_apart=more == _MOST_MORE)
    groups: list[list[_Section]] = []
    for section in [*behind, *method]:
        if groups and sum(len(one.points) for one in groups[-1]) < _FEWEST_POINTS:
            groups[-1].append(section)
        else:
            groups.append([section])
    slides = [slide for group in groups for slide in _message(group, Layout.APPENDIX, language)]
    read = [_read_slide(document.read, language)] if is_read and document.read else []
    at = max(0, len(slides) - len(method))
    return _shared([*slides[:at], *read, *slides[at:]], list(_sources(document)))


def _read_slide(read: tree.Table, language: Language) -> Slide:
    """Return what was read as a table, what is cited first."""
    cited = sum(bool(_citations(row)) for row in read.rows)
    said = Phrase("Pages read: {count}, cited: {cited}").in_(language).format(count=len(read.rows), cited=cited)
    heading = (tree.Text(Phrase("What was read").in_(language)),)
    slide = replace(_table_slide(read, heading, language, said), notes=tuple(_rows(read)))
    return replace(slide, cited=())


def _shared(behind: list[Slide], sources: list[Slide]) -> list[Slide]:
    """Return the slides that end a deck: one line before the sources shares their first slide if both fit."""
    if not sources or not behind or len(behind[-1].points) != 1:
        return [*behind, *sources]
    line, first = behind[-1], sources[0]
    parts = [(SlidePoint(one.title, is_head=True), *one.points) for one in (line, first)]
    points = (*parts[0], *parts[1])
    if height_of(points, Layout.APPENDIX) > BODY_HEIGHT:
        return [*behind, *sources]
    title, notes = tree.joined([line.title, first.title], _BETWEEN), (*line.notes, *first.notes)
    return [*behind[:-1], replace(first, title=title, points=points, notes=notes, cited=line.cited), *sources[1:]]


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
    """Return the slide of one proven sentence with it in large print, and below it who said it when."""
    is_alone = slide.layout is Layout.MESSAGE and len(slide.points) == 1 and not slide.section
    is_alone = is_alone and 0 < len(slide.cited) <= _MOST_BELOW
    said = large(slide.points[0].line) if is_alone else None
    if said is None:
        return slide
    sources = [below(_entry(one).line) for one in document.sources if one.number in slide.cited]
    return replace(slide, points=(said, *sources), cited=())


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


def _method(document: tree.ReportDocument, *, says_read: bool, is_apart: bool) -> list[_Section]:
    """Return how it was researched, without the topics, below which their queries stand, and what was asked for.

    They are one section unless one `is_apart`, each of as many points as a slide needs; none where little is said.
    """
    language, trail = document.language, document.part(tree.PartKind.TRAIL)
    blocks = trail.blocks if trail else ()
    lists = [block for block in blocks if isinstance(block, tree.Items)]
    # A second one is of the pages, which the sources' slide names.
    listed = [replace(block, items=tuple(item for item in block.items if len(item) == 1)) for block in lists[:1]]
    read, colon = UNCITED.in_(language), COLON.in_(language)
    facts = _Points(shows_all=True).blocks(listed, 0)
    facts = [one for one in facts if says_read or not tree.plain(one.line).startswith(read)]
    asked = [
        SlidePoint((tree.Text(f"{one_line(name)}{colon}", bold=True), tree.Text(one_line(value))))
        for name, value in document.asked
    ]
    headed = [(block.line, facts) for block in blocks if isinstance(block, tree.Heading)][:1]
    headed.append(((tree.Text(tree.ASKED_FOR.in_(language)),), asked))
    if len(headed) > 1 and not (is_apart and min(len(facts), len(asked)) >= _FEWEST_POINTS):
        headed = [(headed[0][0], [*facts, *asked])]
    return [_Section(heading, (), points) for heading, points in headed if len(points) >= _FEWEST_POINTS]


def _sources(document: tree.ReportDocument) -> Iterator[Slide]:
    """Yield the slides that list the sources, of few with their quotes; the notes of the last have those left over."""
    language, rest = document.language, sorted(document.sources, key=lambda one: one.number)
    title = tree.SOURCES.in_(language)
    quoted = [point for source in rest for point in (_entry(source), *_quote_points(source, language))]
    if rest and len(fitting([quoted], Layout.APPENDIX)) == len(quoted):
        notes = tuple(line for source in rest for line in _quotes(source, language))
        yield Slide(Layout.APPENDIX, (tree.Text(title),), points=tuple(quoted), notes=notes)
        return
    for number in range(1, _MOST_SOURCES + 1):
        if not rest:
            return
        page = fitting([[_entry(source) for source in rest]], Layout.APPENDIX)
        told = rest if number == _MOST_SOURCES else rest[: len(page)]
        rest = rest[len(page) :]
        more = Phrase("{count} more sources: in the notes of this slide").in_(language).format(count=len(rest))
        notes = tuple(line for source in told for line in _quotes(source, language))
        remark = more if rest and number == _MOST_SOURCES else ""
        yield Slide(Layout.APPENDIX, (tree.Text(title),), points=tuple(page), notes=notes, remark=remark)
        title = tree.SOURCES.in_(language) + Phrase(" (continued)").in_(language)


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


def _sections(part: tree.DocumentPart, document: tree.ReportDocument, *, is_whole: bool = False) -> Iterator[_Section]:
    """Yield the sections of a part; what stands before its first heading is headed by the title.

    Unless one `is_whole`, what stands in every report is left to its notes.
    """
    levels = [
        block.level for block in part.blocks if isinstance(block, tree.Heading) and tree.plain(block.line).strip()
    ]
    top = min(levels, default=1)
    heading: tree.Line = (tree.Text(one_line(document.title)),)
    held: list[tree.Block] = []

    def section() -> _Section:
        said = [one for one in held if not names_sources(one, document.language)]
        if (
            not is_whole
            and part.kind in _STANDING
            and said
            and isinstance(said[0], tree.Paragraph)
            and not _citations([said[0].line])
        ):
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
    if layout is Layout.MESSAGE and sum(map(len, parts)) > 1 and _is_message(parts[0][0]):
        title, section, parts = parts[0][0].line, one_line(tree.plain(title)), [parts[0][1:], *parts[1:]]
    if len(told) > 1:
        parts = [[SlidePoint(one.heading, is_head=True), *own] for one, own in zip(told, parts, strict=True) if own]
    shown = tuple(fitting(parts, layout))
    notes = tuple(line for one in group for line in one.notes(language))
    yield Slide(layout, title, section, shown, notes=notes, cited=_citations([title, *(one.line for one in shown)]))


def _is_message(point: SlidePoint) -> bool:
    """Whether a point can be the title of its slide: proven, and no longer than a title may be."""
    is_plain = not point.is_head and point.number is None and point.level == 0
    return is_plain and bool(_citations([point.line])) and short_title(point.line, Layout.MESSAGE) == point.line


def _visuals(section: _Section, language: Language) -> Iterator[Slide]:
    """Yield a slide for each table and chart of a section."""
    notes = tuple(section.notes(language)) if section.is_drawn else ()
    for block, heading in _visual_blocks(section.blocks, section.heading):
        above = (
            one_line(tree.plain(section.heading)) if isinstance(block, tree.Chart) or heading != section.heading else ""
        )
        if isinstance(block, tree.Chart):
            slide, told = _chart_slide(block, language), _in_words(block, language)
        else:
            slide, told = _table_slide(block, heading, language), _rows(block)
        yield replace(slide, section=slide.section or above, notes=(*notes, *told))
        notes = ()


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
    named: list[tree.Line] = [(tree.Text(remark),)] if remark else []
    for source in sources:
        title = (
            (tree.Text(f" {shortened(one_line(source.title), int(free))}", url=source.url),)
            if free > _LEAST_TITLE
            else ()
        )
        named.append((tree.Citation(source.number), *title))
    line = (tree.Text(SOURCES_HERE.in_(language) if sources else ""), *tree.joined(named, _BETWEEN)) if named else ()
    return short_line(line, width, 2)


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


def _table_slide(table: tree.Table, heading: tree.Line, language: Language, message: str | None = None) -> Slide:
    """Return the slide of a table: its first columns and rows, as many as there is room for, as large as it goes.

    Its message stands in the title, by default what its figures say, and the heading above it.
    """
    message = table_message(table, language) if message is None else message
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
