"""From a finished run to the document that every format is made from: its Markdown read, its charts chosen."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter

from markdown_it.tree import SyntaxTreeNode

from research import core
from research.analysts.extractive import ASIDES
from research.export import document as tree
from research.export.citing import listed_quotes, quote_in_line, rows_left
from research.export.markdown import (
    all_numbers,
    byline,
    cited_in_answers,
    follow_ups_markdown,
    markdown_parts,
    report_markdown,
    with_follow_ups,
)
from research.export.words import measure_in_words, one_line, printable, safe_address
from research.language import COMMA, Language, Phrase
from research.quantities import figure_rows, label_as_written
from research.results import Report, added_on, borne_out, counts
from research.text import head_of, markdown_reader
from research.verification import COMPUTED, Quantity, beside, measure_of, quantities_in

_CHECKED = Phrase("{supported} of {total} sentences supported; checked against the stored page, by rules.")


def document_of(report: Report, *, with_trail: bool = True) -> tree.ReportDocument:
    """Return the document of a finished run: everything of its `report.md`, in parts, and its charts.

    How it was researched, with all queries, is an appendix that can be left out.
    """
    record, brief = report.record, report.record.brief
    cited = core.numbered(record.draft, record.ledger)
    texts = markdown_parts(record, cited, report.pages, byline="")
    texts[tree.PartKind.FOLLOW_UPS] = follow_ups_markdown(report)
    numbers = all_numbers(report)
    known = frozenset(numbers.values())
    joins = brief.language is Language.JA
    parts = {
        kind: blocks_of(text, known, language_joins_lines=joins, has_links=kind is tree.PartKind.TRAIL)
        for kind, text in texts.items()
        if text.strip()
    }
    title, body = _titled(parts.pop(tree.PartKind.BODY, ()))
    parts.pop(tree.PartKind.SOURCES, None)
    if not with_trail:
        parts.pop(tree.PartKind.TRAIL, None)
    if charts := _charts_of(report, cited, body):  # they stand before what is said of quotes
        parts[tree.PartKind.CHARTS] = (tree.Heading(1, (tree.Text(Phrase("Charts").in_(brief.language)),)), *charts)
    if core.length_of(brief) is not core.Length.PAGE:  # what is one page is one of paper, before any chart
        body, asides = _apart(body, brief.language)
        parts |= {tree.PartKind.ASIDES: asides} if asides else {}
    verdicts = counts(record.sentences)
    return tree.ReportDocument(
        run=record.run,
        title=title or head_of(brief.question),
        question=brief.question,
        language=brief.language,
        researched=record.day,
        byline=byline(record, report.view.models),
        brief=tuple(core.fields(brief)),
        parts=(
            tree.DocumentPart(tree.PartKind.BODY, body),
            *(tree.DocumentPart(kind, parts[kind]) for kind in tree.PartKind if kind in parts),
        ),
        sources=tuple(_sources(report, numbers, cited)),
        verdicts=verdicts,
        checked=_checked(verdicts, brief.language),
        length=core.length_of(brief),
    )


def _apart(body: Iterable[tree.Block], language: Language) -> tuple[tuple[tree.Block, ...], tuple[tree.Block, ...]]:
    """Take the sections off the body in which a report by rule says what is missing and what to know of its quotes."""
    titles = {text.in_(language) for text in ASIDES}
    told, asides = list[tree.Block](), list[tree.Block]()
    held = told
    for block in body:
        if isinstance(block, tree.Heading):
            held = asides if tree.plain(block.line) in titles else told
        held.append(block)
    return tuple(told), tuple(asides)


def _titled(body: tuple[tree.Block, ...]) -> tuple[str, tuple[tree.Block, ...]]:
    """Take the title off the body."""
    if body and isinstance(body[0], tree.Heading):
        return tree.plain(body[0].line), body[1:]
    return "", body


def _checked(verdicts: Mapping[str, int], language: Language) -> str:
    total = sum(verdicts.values())
    return _CHECKED.in_(language).format(supported=borne_out(verdicts), total=total) if total else ""


def _sources(report: Report, numbers: Mapping[str, int], cited: core.Cited) -> Iterator[tree.SourceItem]:
    """Yield what the report and the answers to further questions cite, by number, with the quotes behind it."""
    language, evidence = report.record.brief.language, report.record.ledger
    used: dict[str, core.Evidence] = {name: evidence[name] for name in cited.evidence} | cited_in_answers(report)
    for page_id, number in sorted(numbers.items(), key=itemgetter(1)):
        page = report.pages[page_id]
        known = core.freshness(page.published, report.record.day)
        quotes, left = listed_quotes(entry for entry in used.values() if entry.source == page_id)
        yield tree.SourceItem(
            number=number,
            title=" ".join(page.title.split()) or page.site,
            url=page.url if core.is_web(page.url) else "",
            site=page.site,
            kind=" · ".join(one.label.in_(language) for one in (page.kind, *page.outside)),
            dated=known.label.in_(language),
            fetched=page.fetched_at.date(),
            is_recent=known.age is core.Age.RECENT,
            quotes=tuple(quote_in_line(entry.quote) for entry in quotes),
            more=rows_left(left, language) if left else "",
        )


# --- from the program's own Markdown to blocks ---------------------------------------------------------------------


_reader = markdown_reader(cited=re.compile(rf"\[\d{{1,4}}\]{core.RECENT_MARK}?"))


def blocks_of(
    markdown: str, numbers: frozenset[int], *, language_joins_lines: bool = False, has_links: bool = False
) -> tuple[tree.Block, ...]:
    """Return the blocks of Markdown in which `[1]` cites one of the sources `numbers`.

    Headings keep their level less one, as a document has its own title; where `language_joins_lines` (Japanese), a line
    end within a paragraph is no blank. Only where Markdown `has_links` of the program's own do they lead anywhere.
    """
    blocks = _TreeOfBlocks(numbers, "" if language_joins_lines else " ", has_links)
    return tuple(blocks.blocks(SyntaxTreeNode(_reader.parse(markdown))))


@dataclass(frozen=True)
class _TreeOfBlocks:
    numbers: frozenset[int]
    line_end: str
    has_links: bool

    def blocks(self, parent: SyntaxTreeNode) -> Iterator[tree.Block]:
        for node in parent.children:
            yield from self._block(node)

    def _block(self, node: SyntaxTreeNode) -> Iterator[tree.Block]:
        match node.type:
            case "heading":
                yield tree.Heading(max(1, int(node.tag[1:]) - 1), self._line(node))
            case "paragraph":
                yield tree.Paragraph(self._line(node))
            case "bullet_list":
                yield tree.Items(self._items(node))
            case "ordered_list":
                yield tree.Items(self._items(node), is_ordered=True, start=int(node.attrs.get("start", 1)))
            case "blockquote":
                yield tree.Quotation(tuple(self.blocks(node)))
            case "table":
                yield self._table(node)
            case "fence" | "code_block":
                yield tree.Code(node.content.rstrip("\n"))
            case "hr":
                yield tree.ThematicBreak()
            case _:
                yield tree.Paragraph((tree.Text(node.content),))

    def _items(self, node: SyntaxTreeNode) -> tuple[tuple[tree.Block, ...], ...]:
        return tuple(tuple(self.blocks(item)) for item in node.children)

    def _table(self, node: SyntaxTreeNode) -> tree.Table:
        head, *body = (row for part in node.children for row in part.children)
        aligned = tuple(_alignment(cell.attrs) for cell in head.children)
        rows = tuple(tuple(self._line(cell) for cell in row.children) for row in body)
        return tree.Table(tuple(self._line(cell) for cell in head.children), rows, aligned)

    def _line(self, node: SyntaxTreeNode) -> tree.Line:
        return tuple(_joined(self._inlines(node, tree.Text(""))))

    def _inlines(self, node: SyntaxTreeNode, style: tree.Text) -> Iterator[tree.Inline]:
        for child in node.children:
            yield from self._inline(child, style)

    def _inline(self, node: SyntaxTreeNode, style: tree.Text) -> Iterator[tree.Inline]:
        match node.type:
            case "cited":
                yield self._cited(node.content, style)
            case "softbreak":
                yield replace(style, text=self.line_end)
            case "hardbreak":
                yield tree.LineBreak()
            case "code_inline":
                yield replace(style, text=node.content, code=True)
            case "strong":
                yield from self._inlines(node, replace(style, bold=True))
            case "em":
                yield from self._inlines(node, replace(style, italic=True))
            case "s":
                yield from self._inlines(node, replace(style, strike=True))
            case "link":
                url = safe_address(str(node.attrs.get("href", ""))) if self.has_links else ""
                yield from self._inlines(node, replace(style, url=url))
            case "inline" | "image":
                yield from self._inlines(node, style)
            case _:
                yield replace(style, text=node.content)

    def _cited(self, mark: str, style: tree.Text) -> tree.Inline:
        number = int(mark.rstrip(core.RECENT_MARK).strip("[]"))
        if number not in self.numbers:
            return replace(style, text=mark)
        return tree.Citation(number, is_recent=mark.endswith(core.RECENT_MARK))


def _joined(line: Iterator[tree.Inline]) -> Iterator[tree.Inline]:
    """Yield the pieces of a line without empty ones: neighbours of one style as one."""
    held: tree.Inline | None = None
    for piece in line:
        if isinstance(piece, tree.Text) and not piece.text:
            continue
        if isinstance(held, tree.Text) and isinstance(piece, tree.Text) and replace(held, text=piece.text) == piece:
            held = replace(held, text=held.text + piece.text)
            continue
        if held is not None:
            yield held
        held = piece
    if held is not None:
        yield held


def _alignment(attributes: Mapping[str, object]) -> tree.Align:
    style = str(attributes.get("style", ""))
    return next((align for align in tree.Align if align.value in style), tree.Align.LEFT)


# --- charts: of the figures that the report itself tells, in its tables or by what it cites -----------------------

_AT_MOST = {core.OutputForm.CHARTS: 8, core.OutputForm.MIX: 4, core.OutputForm.POINTS: 2, core.OutputForm.TEXT: 0}
"""Charts of each form, as far as the length has room for them."""
_ROOM = {core.Length.PAGE: 1, core.Length.SHORT: 3, core.Length.MEDIUM: 6, core.Length.LONG: 12}
_LATER = Phrase("{title} (added by a follow-up question)")
_YEAR = re.compile(r"\s{0,9}\b(?:FY\s?)?(?:19|20)\d{2}(?:年度?)?\b")
_NAME = 60


def _charts_of(report: Report, cited: core.Cited, body: Iterable[tree.Block]) -> tuple[tree.Chart, ...]:
    """Return the charts that the brief's form and length have room for.

    The report's own tables and what it computed come first, then of the quotes that it cites what says most: a quantity
    over time, or side by side where several sources give it for one period. What a measure is computed from stands in
    no chart of its own, nor what a table shows already.
    """
    from research.export.charts import charts_of_table  # What draws them takes a while to load.

    brief = report.record.brief
    at_most = min(_AT_MOST[brief.form or core.PRESETS[brief.preset].form], _ROOM[core.length_of(brief)])
    if not at_most:
        return ()
    numbers = all_numbers(report)
    worked_out = [one for one in report.record.sentences if one.reason_code in COMPUTED]
    computed = [one for one in worked_out if _COMPUTED.match(one.text)]
    sums = list(_tables_of_sums(worked_out, report, numbers))
    computed += [one for one in worked_out if sums and _OF_ROWS.match(one.text)]
    own = [
        *_computed_tables(computed, report, numbers),
        *sums,
        *(table for block in body for table in _listed(block)),
    ]
    tables = [chart for table in own for chart in charts_of_table(table, brief.language)]
    used = {*cited.evidence, *cited_in_answers(report)} - {name for one in computed for name in one.evidence}
    rows = figure_rows((entry for entry in report.evidence_now if entry.id in used), report.pages)
    added_up = {name for one in worked_out for name in one.evidence}
    told = "\n".join(one.text for one in worked_out)
    drawn = {pair for chart in tables for one in chart.series for pair in zip(chart.labels, one.values, strict=True)}
    found = (
        one
        for one in quantities_in(rows)
        if _is_told(one, added_up, told)
        and _is_comparable(one)
        and not drawn.issuperset((point.period, point.value) for point in one.dated)
    )

    def importance(quantity: Quantity) -> tuple[bool, int, int]:
        return quantity.is_series, len(quantity.sources), len(quantity.points)

    quantities = [_chart(one, report, numbers) for one in sorted(found, key=importance, reverse=True)]
    return (*tables, *quantities)[:at_most]


_ORDERED = re.compile(r"(?:(?:, (?:high|low)est first|（[高低]い順）)[:：].*|[:：])\Z", re.DOTALL)
_NAMED = re.compile(r"(?P<name>[^:：\d]+)(?:: |：)(?=.*\d)")


def _listed(block: tree.Block) -> Iterator[tree.Table]:
    """Yield a table, and each list of names with their figures as one, below what it measures."""
    if isinstance(block, tree.Table):
        yield block
    for first, rest in map(tree.led, block.items) if isinstance(block, tree.Items) else ():
        items = [item for own in rest if isinstance(own, tree.Items) for item in own.items]
        lines = [led.line for led, _ in map(tree.led, items) if led]
        named = [(found, line) for line in lines if (found := _NAMED.match(tree.plain(line[:1])))]
        rows = [((tree.Text(it["name"]),), (tree.Text(it.string[it.end() :]), *line[1:])) for it, line in named]
        if first and len(rows) > 1:
            measure = tree.Text(_ORDERED.sub("", tree.plain(first.line).strip()))
            yield tree.Table(((), (measure,)), tuple(rows), (tree.Align.LEFT, tree.Align.LEFT))


_COMPUTED = re.compile(r"(?P<measure>[^=:：]+?)\s?[(（](?P<period>[^()（）]+)[)）][:：]\s?(?P<result>[^=]+?) = ")


_OF_ROWS = re.compile(
    r"(?:Computed: |計算：)?(?P<who>.+?)(?:: |：)(?P<result>[^:：=]+?)(?P<rate> \([−+][\d.]+%\))?"
    rf" = (?P<worked>[^=]*{core.OF_ROWS}.*)"
)
"""What rows of a file come to, or how that relates to what others do."""
_BETWEEN = re.compile(r", |、")
_CHANGE = Phrase("{of}, change")


def _tables_of_sums(
    sentences: Sequence[core.Sentence], report: Report, numbers: Mapping[str, int]
) -> Iterator[tree.Table]:
    """Yield what rows come to for each of several as a table: lines that differ in one of their words alone."""
    found = [(match, one) for one in sentences if (match := _OF_ROWS.match(one.text))]
    places = {one.text: list(_places(match)) for match, one in found}
    often = Counter(place for own in places.values() for place, _ in own)
    told: dict[_Place, list[tuple[str, re.Match[str], core.Sentence]]] = {}
    for match, one in found:
        place, subject = max(places[one.text], key=lambda pair: often[pair[0]])
        told.setdefault(place, []).append((subject, match, one))
    for (_, rest, sign), lines in told.items():
        language = report.record.brief.language
        of = COMMA.in_(language).join(rest)
        of = _CHANGE.in_(language).format(of=of) if sign == "−" else of
        rows: list[tuple[tree.Line, ...]] = []
        for subject, match, one in lines:
            result: tree.Line = (tree.Text(match["result"]), *map(tree.Citation, _numbers_of(one, report, numbers)))
            rows.append(((tree.Text(subject),), result))
        if len(rows) > 1:
            yield tree.Table(((), (tree.Text(of),)), tuple(rows), (tree.Align.LEFT, tree.Align.LEFT))


_Place = tuple[int, tuple[str, ...], str]
"""Where one word of a line stands, the words beside it, and the sign of what it is worked out by."""


def _places(match: re.Match[str]) -> Iterator[tuple[_Place, str]]:
    """Yield each word of whom a line is, but the last, which is the column, with the place that it has."""
    words = _BETWEEN.split(match["who"])
    sign = next((sign for sign in ("−", "÷") if f" {sign} " in match["worked"]), "")
    for at in range(max(1, len(words) - 1)):
        yield (at, (*words[:at], *words[at + 1 :]), sign), words[at]


def _numbers_of(sentence: core.Sentence, report: Report, numbers: Mapping[str, int]) -> list[int]:
    return sorted({numbers[report.record.ledger[name].source] for name in sentence.evidence})


def _is_told(quantity: Quantity, added_up: Set[str], told: str) -> bool:
    """Whether a quantity of rows that were added up is the one that was: revenue, and not the units beside it."""
    return quantity.label in told or not all(point.evidence in added_up for point in quantity.points)


def _computed_tables(
    sentences: Sequence[core.Sentence], report: Report, numbers: Mapping[str, int]
) -> Iterator[tree.Table]:
    """Yield what was computed for several periods as a table, a column a measure, with the sources of each result."""
    found = [(match, one) for one in sentences if (match := _COMPUTED.match(one.text))]
    measures, times = (list(dict.fromkeys(match[name] for match, _ in found)) for name in ("measure", "period"))
    if len(times) < 2:
        return
    cells: dict[tuple[str, str], tree.Line] = {}
    for match, one in found:
        sources = _numbers_of(one, report, numbers)
        cells[match["period"], match["measure"]] = (tree.Text(match["result"]), *map(tree.Citation, sources))
    rows = tuple(((tree.Text(time),), *(cells.get((time, one), ()) for one in measures)) for time in times)
    head = ((), *((tree.Text(one),) for one in measures))
    yield tree.Table(head, rows, (tree.Align.LEFT,) * len(head))


def _is_comparable(quantity: Quantity) -> bool:
    """Whether there is something to see in a chart: dated values of several periods, or several values of one."""
    dated = quantity.dated
    return len({point.period for point in dated}) > 1 or len({point.value for point in dated}) > 1


def _chart(quantity: Quantity, report: Report, numbers: Mapping[str, int]) -> tree.Chart:
    from research.export.charts import SERIES

    pages = list(dict.fromkeys(point.source for point in quantity.dated))[:SERIES]
    names = {page: core.clipped(report.pages[page].title, _NAME) for page in pages}
    added = added_on(report.view)
    later = dict.fromkeys(point.source for point in quantity.dated if point.evidence in added)
    noted = [_LATER.in_(report.record.brief.language).format(title=names[page]) for page in pages if page in later]
    subject, label = beside(quantity.subject, quantity.label), label_as_written(quantity.label)
    if quantity.is_series:  # What is about one year in the title of a page is not so in a series.
        subject = _YEAR.sub("", subject).strip()
    return tree.Chart(
        title=f"{subject} – {label}" if subject else label,
        unit=measure_in_words(measure_of(quantity), report.record.brief.language),
        labels=quantity.periods,
        series=_series(quantity, names),
        sources=tuple(sorted(numbers[page] for page in pages if page in numbers)),
        is_over_time=quantity.is_series,
        note=" · ".join(noted),
    )


def _series(quantity: Quantity, names: dict[str, str]) -> tuple[tree.Series, ...]:
    """Return one series for each source; only one for all if no two of them differ about any period."""
    by_source = {
        page: {point.period: point.value for point in quantity.points if point.source == page} for page in names
    }
    together: dict[str | None, set[float]] = {}
    for values in by_source.values():
        for period, value in values.items():
            together.setdefault(period, set()).add(value)
    if all(len(values) == 1 for values in together.values()):
        agreed = {period: values for period, (values,) in together.items()}
        return (
            tree.Series(label_as_written(quantity.label), tuple(agreed.get(period) for period in quantity.periods)),
        )
    return tuple(
        tree.Series(names[page], tuple(values.get(period) for period in quantity.periods))
        for page, values in by_source.items()
    )


# --- Markdown for wikis: the report with a head of YAML that says what it is ---------------------------------------

_FENCE = "---\n"
_MARKUP = re.compile(r"[\[\]<>@`]|/(?=/)|(?<=www)\.", re.IGNORECASE)


def wiki_markdown(report: Report) -> bytes:
    """Return the report in UTF-8 with YAML front matter: title, date, question, language, counts, who wrote it.

    It has no links into the files of whoever made it: they lead nowhere else, and tell of folders.
    """
    head = "".join(f"{name}: {_inert(value)}\n" for name, value in _facts(report).items())
    pages = {
        name: page if core.is_web(page.url) else page.model_copy(update={"url": ""})
        for name, page in report.pages.items()
    }
    markdown = report_markdown(report.record, pages, report.view.models)
    whole = with_follow_ups(report.model_copy(update={"markdown": markdown, "pages": pages}))
    return f"{_FENCE}{head}{_FENCE}\n{printable(whole)}".encode()


def _inert(value: object) -> str:
    """Return a value as YAML in which not even a reader who takes the head for Markdown finds a link or an image."""
    written = value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)
    return _MARKUP.sub(lambda sign: f"\\x{ord(sign[0]):02x}", written) if isinstance(value, str) else written


def _facts(report: Report) -> dict[str, object]:
    record = report.record
    return {
        "title": title_of(report.markdown, record.brief.question),
        "date": record.day,
        "question": one_line(record.brief.question),
        "language": record.brief.language.value,
        "run": record.run,
        "status": record.status.value,
        "writer": one_line(record.writer),
        "claimed": record.is_claimed,
        "method": record.method.value,
        "pages": core.pages_of(record.draft),
        "sources_cited": len(all_numbers(report)),
        "sources_read": len(report.pages),
        "quotes": len(record.evidence),
        "sentences": counts(record.sentences),
        "left_out": len(record.left_out),
        "contradictions": len(record.contradictions),
    }


def title_of(markdown: str, question: str) -> str:
    """Return the title of a report in plain words; without one, its question."""
    blocks = blocks_of(markdown.lstrip().partition("\n")[0], frozenset())
    named = one_line(tree.plain(blocks[0].line)) if blocks and isinstance(blocks[0], tree.Heading) else ""
    return named or one_line(question)
