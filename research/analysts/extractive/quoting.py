"""What is quoted from a page, and what a note says of it."""

from __future__ import annotations

import asyncio
import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from research.analysts.extractive.digests import digested
from research.analysts.extractive.measures import points_measured
from research.analysts.extractive.queries import row_quotes
from research.analysts.extractive.statements import operand_quotes
from research.analysts.extractive.values import ValueMatch, matches
from research.analysts.protocol import PageRequest, PageSummary
from research.core import Brief, Evidence, Page
from research.gaps import Relevance, Subjects, as_documents_know, is_excluded, word_shares
from research.language import Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import (
    WIDEST,
    Asked,
    Passage,
    Value,
    are_data,
    cells,
    columns,
    data_line_in,
    escape_markdown,
    folded,
    heading_of,
    language_of,
    passages,
    question_parts,
    unlinked,
    values_of,
)

_QUOTES = 8
"""Passages that are taken from a page for the question: those that words, and a quick look at their meaning, put
first."""
_BY_WORDS = 4
"""Those of them that words alone put first: what singles somebody out is not lost to what only sounds alike."""
_FOR_TOPIC = 4
"""Further ones for what else the topic wants."""
_SHORT = 12
"""Passages up to which all of a page are taken: what answers may share no word with the question."""
_OPENING = 2
"""Passages of the beginning of a page that is titled by what is asked."""
_TABLE, _ROWS = 640, 8
"""Columns and rows up to which a table is quoted as a whole, and not the row alone that says most of what is asked: who
asks for a bonus wants those of all ranks. With short passages that stand together (up to `WIDEST`), of 67 facts in
others' questions (`bench.answers`, fifth set) 39 stand in the first lines, 31 without; as many quotes bear on them."""
_BETWEEN = re.compile(r"[\s>*+|.)\d-]*")
"""What stands between passages that belong together: marks of lists and quotes."""
_COMMA = Bilingual(", ", "、")


# --- a page ----------------------------------------------------------------------------------------------------


async def summarise_by_rule(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    return await asyncio.to_thread(_summarise, request, meaning)


def _summarise(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    asked = as_documents_know(question_parts(request.question), [request.page])
    if rows := row_quotes(request.page, asked, meaning):
        # What rows come to is told by these; other rows that say a word of the question would only stand beside them.
        return PageSummary("", tuple(rows), by_rule=True, answers=dict.fromkeys(rows, asked.points))
    found = _chosen(request, asked, meaning)
    is_of_others = Subjects(asked, [request.page]).is_of_others(request.page)
    values = [] if is_of_others else _once_unless_near(matches(request.page, asked, meaning))
    text, rows = request.page.text, operand_quotes(request.page, asked)
    told = {text[start:end]: asked.points[:1] for start, end in _answering(request, asked)}
    for part, whole in digested(request.page, asked).items():
        told |= {text[one.start : one.end]: (asked.points[part],) for one in whole}
    quotes = dict.fromkeys([*(text[one.value.start : one.value.end] for one in values), *rows, *told])
    quotes |= dict.fromkeys([*_dated_beside(values, text, asked), *(passage.text for passage in found)])
    # Whose line is the highest of all, whoever searched all knows better than who reads one page.
    is_told = asked.is_rank_of_all and request.answering is not None
    own = [one for one in values if one.value.is_row or not is_told]
    told |= _answers(own, asked, text) | dict.fromkeys(rows, points_measured(asked))
    said = _said(found, asked.attributes, language_of(request.topic))
    return PageSummary(said, tuple(quotes), by_rule=True, answers=told)


def _once_unless_near(values: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Return the values without those of other years under labels that do not come near: one tells what it is about."""
    first: dict[tuple[int, str, bool], ValueMatch] = {}
    for one in values:
        first.setdefault((one.attribute, one.value.label, one.value.is_row), one)
    return [one for one in values if one.is_near or one.value.is_row or one in first.values()]


def _answering(request: PageRequest, asked: Asked) -> Sequence[tuple[int, int]]:
    """Return the places that were found to answer; lines on a place that name things only if things are asked for."""
    found = request.answering or ()
    if asked.wants_items or not any(name.is_place for name in asked.names):
        return found
    amounts = {(one.start, one.end) for one in values_of(request.page.text) if one.is_amount} if found else set()
    return [span for span in found if span in amounts]


def _dated_beside(values: Sequence[ValueMatch], text: str, asked: Asked) -> list[str]:
    """Return the lines beside those of values that may say since when, where that is asked."""
    kinds = {one.value.kind for one in values if one.is_near and not one.value.is_row} if asked.wants_since else set()
    return [
        text[one.start : one.end]
        for one in (values_of(text) if kinds else ())
        if one.kind in kinds and not one.is_row and one.tells_year
    ]


def _answers(values: Sequence[ValueMatch], asked: Asked, text: str) -> dict[str, tuple[str, ...]]:
    """Return the quotes that hold a value which surely answers, with what is asked that they answer."""
    told: dict[str, dict[str, None]] = {}
    for one in values:
        if one.is_said and one.is_meant:
            told.setdefault(text[one.value.start : one.value.end], {})[asked.points[one.attribute]] = None
    return {quote: tuple(points) for quote, points in told.items()}


def _chosen(request: PageRequest, asked: Asked, meaning: Meaning | None) -> list[Passage]:
    """Return the passages of a page that may say something of what is asked, in the order of the page."""
    every = passages(request.text)
    if len(every) <= _SHORT:
        return list(every)
    said = [unlinked(f"{one.heading} {one.text}") for one in every]
    words, topic = " ".join(asked.attributes), request.topic.replace(request.question, " ")
    title = folded(request.page.title)
    untitled = [name for name in asked.names if not name.stands_in(title)]  # Whom a page is about tells nothing in it.
    shares = word_shares(words, said, untitled or asked.names)
    # What the lines of a page of data say is told by their labels, which are compared anyway.
    relevance = Relevance(meaning if asked.wants_prose or not are_data(one.text for one in every) else None)
    best = {*_most(shares, _BY_WORDS), *_most(word_shares(topic, said), _FOR_TOPIC)}
    foremost = relevance.foremost(request.question, said, shares, _QUOTES)
    best |= {index for index in foremost if shares[index] > 0 or relevance.is_by_meaning}
    if not best and max(word_shares(request.question, [request.page.title])) > 0:
        best = set(range(_OPENING))
    return list(_in_context(request.text, every, sorted(best)))


def _in_context(text: str, every: Sequence[Passage], chosen: Sequence[int]) -> Iterator[Passage]:
    """Yield the passages chosen, each with those beside it that belong to it, as far as they fit; none twice."""
    taken = -1
    for index in chosen:
        if index <= taken:
            continue
        first = last = index
        while last + 1 < len(every) and _belong_together(text, every[first : last + 2]):
            last += 1
        while first - 1 > taken and _belong_together(text, every[first - 1 : last + 1]):
            first -= 1
        taken = last
        start, end = every[first].start, every[last].end
        yield Passage(start, end, text[start:end], every[index].heading)


def _belong_together(text: str, several: Sequence[Passage]) -> bool:
    """Whether passages stand right below each other under one heading, all rows or none, and fit into one quote."""
    first, last = several[0], several[-1]
    are_rows = {is_table_row(one.text) for one in (first, last)}
    if len(are_rows) > 1 or first.heading != last.heading or any(map(_is_data, (first, last))):
        return False
    is_table = are_rows == {True}
    if columns(text[first.start : last.end]) > (_TABLE if is_table else WIDEST) or (is_table and len(several) > _ROWS):
        return False
    return all(_BETWEEN.fullmatch(text, one.end, other.start) for one, other in pairwise(several))


def _is_data(passage: Passage) -> bool:
    """Whether a passage is a line or a row of data, which is told by its labels."""
    return data_line_in(passage.text) is not None or bool(cells(passage.text))


def _most(shares: Sequence[float], count: int) -> list[int]:
    """Return the places of the largest shares, at most so many, and none of nothing."""
    return [index for index in heapq.nlargest(count, range(len(shares)), shares.__getitem__) if shares[index] > 0]


def _said(found: Sequence[Passage], points: Sequence[str], language: Language) -> str:
    if not found:
        return Phrase("Nothing on the question.").in_(language)
    texts = [f"{one.heading} {one.text}" for one in found]
    about = _COMMA.in_(language).join(point for point in points if max(word_shares(point, texts)) >= 0.5)
    count, passages_ = len(found), "passage" if len(found) == 1 else "passages"
    if not about:
        return Bilingual(f"{count} {passages_}.", f"{count}か所を引用。").in_(language)
    return Bilingual(f"{count} {passages_} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)


# --- how a quote is shown --------------------------------------------------------------------------------------


def said_by(entry: Evidence, pages: Mapping[str, Page]) -> str:
    """Return a quote with the heading that it stands under, as it is compared with what is asked."""
    page = pages[entry.source]
    heading = heading_of(page.text, entry.start)
    quote = unlinked(entry.quote)
    return f"{heading}: {quote}" if heading and folded(heading) != folded(page.title) else quote


def allowed_of(evidence: Sequence[Evidence], brief: Brief) -> list[Evidence]:
    """Return the quotes that speak of nothing that the brief excludes."""
    return [entry for entry in evidence if not is_excluded(entry.quote, brief)]


_MARK = r"(?:[•‣・●○◎▪]\s*|(?:[-*+–>]|\d{1,3}[.)])\s+)"
_ITEM = re.compile(rf"\s*\n\s*{_MARK}")
_STARTS = re.compile(rf"^{_MARK}")
_EMPTY_CELLS = re.compile(r"\s*\|(?:\s*[$€£¥]?\s*\|)*\s*")
_STOPS, _WIDE_STOPS = (".", "!", "?"), ("。", "！", "？")
_WRAPPED = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s*\n\s*(?=[\u3000-\u9fff\uff00-\uffef])")


def unlisted(text: str) -> str:
    """Return a line without the mark of a list before it."""
    return _STARTS.sub("", text)


def quoted(entry: Evidence, page: Page, language: Language) -> str:
    """Return a quote on one line in the report's quotation marks, with its citation; a bare line with its heading.

    Of a link only its words are shown; items of a list follow each other as sentences, or behind slashes if they are
    none. A row of a table is told by what its
    cells are called, without marks: those words stand above it. So is a row of a data file, behind whom and when.
    """
    is_row = is_table_row(entry.quote) or _is_data_row(entry, page)
    if is_row and (row := _row_of(entry, page)):
        return f"{row} [{entry.id}]"
    plain = unlinked(entry.quote.strip()).replace("**", "")
    text = escape_markdown(" / ".join(_rows_in(plain)) if plain.startswith("|") else _flowing(_items_in(plain)))
    marks = Bilingual(f"“{text}” [{entry.id}]", f"「{text}」[{entry.id}]").in_(language)
    heading = heading_of(page.text, entry.start)
    short = len(entry.quote) < _BARE and not _speaks_for_itself(entry.quote, page)
    if short and heading and "|" not in heading and heading not in page.title:
        colon = Bilingual(": ", "：").in_(language)
        return f"{escape_markdown(heading)}{colon}{marks}"
    return marks


def _rows_in(table: str) -> list[str]:
    """Return what the rows of a table say, without their empty cells."""
    return [_EMPTY_CELLS.sub(" | ", row).strip("| ") for row in table.splitlines()]


def _items_in(text: str) -> list[str]:
    """Return the items of a list, the line that leads to them with the first, each on one line."""
    first, *items = _ITEM.split(unlisted(text))
    led = not _STARTS.match(text) and items  # A first line that is no item leads to them.
    listed = [" ".join([first, *items[:1]]), *items[1:]] if led else [first, *items]
    return [" ".join(_WRAPPED.sub("", one).split()) for one in listed]


def _flowing(items: Iterable[str]) -> str:
    """Return items one after the other: a sentence ends by itself, any other item before a slash."""
    text = ""
    for item in items:
        if text and not text.endswith(_WIDE_STOPS):
            text += " " if text.endswith(_STOPS) else " / "
        text += item
    return text


def is_table_row(quote: str) -> bool:
    """Whether a quote is a row of a table; a passage may lack the mark before its first cell."""
    return quote.startswith("|") or (" | " in quote and "\n" not in quote)


def _is_data_row(entry: Evidence, page: Page) -> bool:
    """Whether a quote is a row of a data file: the line before or after it has cells of the same names."""
    names = [name for name, _ in cells(entry.quote)]
    before = page.text[: entry.start].rstrip("\n").rpartition("\n")[2]
    after = page.text[entry.end :].lstrip("\n").partition("\n")[0]
    return bool(names) and any([name for name, _ in cells(line)] == names for line in (before, after))


def _row_of(entry: Evidence, page: Page) -> str:
    """Return a row as “whom: what it is called: value; …”, of a data file with the time behind whom it is about.

    Several rows are told one after the other, without those that have no values: notes below a table. Nothing if none
    has any, or if several words say whom: from Japan to Vietnam is not the way back.
    """
    rows: dict[int, list[Value]] = {}
    for value in values_of(page.text):
        if entry.start < value.end and value.start < entry.end:
            rows.setdefault(value.start, []).append(value)
    told = [_row_told(values, is_of_file=bool(cells(entry.quote))) for values in rows.values()]
    return escape_markdown(" / ".join(told)) if all(told) else ""


def _row_told(values: Sequence[Value], *, is_of_file: bool) -> str:
    """Return the values of one row behind whom it is about; nothing if several words of a data file say whom."""
    subject = values[0].subject
    if is_of_file:
        whom = "" if ";" in subject else ", ".join(filter(None, (subject, values[0].period)))
        row = "; ".join(f"{value.label}: {value.text}" for value in values)
        return f"{whom}: {row}" if whom else ""
    told = dict.fromkeys(
        f"{value.label.removeprefix(subject).lstrip(': ') or value.period}: {value.text}".lstrip(": ")
        for value in values
    )
    return f"{subject}: {'; '.join(told)}"


def titled(entry: Evidence, pages: Mapping[str, Page], language: Language) -> str:
    """Return a quote as it is shown, with the title of its page, where several pages were read."""
    page = pages[entry.source]
    quote = quoted(entry, page, language)
    if len(pages) == 1:
        return quote
    return f"{escape_markdown(page.title)}{Bilingual(': ', '：').in_(language)}{quote}"


_BARE = 60
"""Characters below which a quote may need its heading to be understood."""


def _speaks_for_itself(quote: str, page: Page) -> bool:
    """Whether a short quote is a whole sentence, or names what the page is about."""
    return quote.endswith((".", "。", "!", "！")) or quote.split(" ", maxsplit=1)[0] in page.title
