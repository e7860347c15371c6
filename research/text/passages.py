"""A page in passages: pieces that say one thing by themselves, each as large as a quote may be.

A list stands with the line that leads to it, an item with what is indented below it, a sentence with its neighbours in
the paragraph, a question with what answers it below; a row of a table and a line "label: value" stand alone, with the
heading that tells what they are about.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter

from research.text.sentences import FENCE, FRONT_MATTER, ITEM, RULE, Span, cells, data_line_in, sentences_in
from research.text.values import row_cells
from research.text.words import columns

WIDEST = 320
"""Columns that several sentences, or items, of one passage may take together."""
_LONGEST = 700
"""Characters from which a single line is cut."""
_CUTS = re.compile(r"[;；。]\s*"), re.compile(r"\s+|、")
"""Where it is cut, if it can be: between clauses, else between words."""
_SHORTEST = 12
"""Columns below which a piece says nothing by itself."""
_LEAD = 90
"""Columns of a line that may lead to a list."""
_BYLINE = 140
"""Columns up to which a line below the title of a page that is no sentence only says when, where or by whom."""
_SHORT = 30
"""Columns below which a line was not broken for its length."""
_TOLD = 30
"""Columns of a cell that says something without another beside it."""
_LEADS = 200
"""Characters of the line before a table in which it may be said what it shows."""
_DATA = 200
"""Characters up to which a "label: value" line is one thing; a longer value is prose."""

_TABLE, _ROWS = 640, 8
"""Columns and rows up to which a table is quoted as a whole, and not the row alone that says most of what is asked: who
asks for a bonus wants those of all ranks. With short passages that stand together (up to `WIDEST`), of 67 facts in
others' questions (`bench.answers`, fifth set) 39 stand in the first lines, 31 without; as many quotes bear on them."""
_ANNOUNCES = re.compile(r"次の|以下の|下記|[:：]\s*\Z|\b(?:the following|as follows|below)\b", re.IGNORECASE)
_ANNOUNCED = 800
"""How a sentence announces the list below it, which says what is asked where the sentence only says that it is said;
and the columns that both may take together."""
_BESIDE = re.compile(r"[\s>*+|.)\d-]*")
"""What stands between passages that belong together: marks of lists and quotes."""

_PRESENT = re.compile(
    r"\W*(?:出席|欠席|参加|列席|議長|attendees?|attended|present|absent|participants?|chair)[^:：\n]{0,12}[:：]",
    re.IGNORECASE,
)
"""How minutes begin to say who was there."""
_LINE = re.compile(r"[^\n]*\n?")
_ENDS = re.compile(r"[.!?。！？][\"'”’)）」』]*\s*\Z")
_HEADING = re.compile(r"(?:#{1,6}\s+(?P<text>.*)|(?P<marked>[■◆].{1,40}|【[^】]{1,40}】))")
_TICKED = re.compile(r"\W*indicate by check mark\b", re.IGNORECASE)
"""What of a form is ticked, as on the cover of each filing: it says nothing of whoever files."""
_CONTENTS = re.compile(r"(?:\s*(?:[-*+]|\d+\.)?\s*(?:\w{1,12}:\s*)?\[[^\]\n]+\]\(#[^)\n]*\)\s*?\n?)+")
"""Nothing but links into the page itself."""
_LISTED = re.compile(r"(?<![\d-])\d{1,2}(?:-\d{1,2}){2,3}(?![\d-])|[.…・]{4,}\s*\d+")
_ENTRIES, _ENTRY = 4, 80
"""What each entry of a table of contents or figures has, its number or its page; and from how many, of how many
columns, a passage without a sentence is one."""
_LINK_TARGET = re.compile(r"\[[^\]\n]+\]:\s+<?(?:\w+://|mailto:|[./#])\S*(?:\s+[\"'(].*)?")
"""Where a link of Markdown leads to, on a line of its own: `[elections]: https://…`."""
_ASKS = re.compile(r"(?:[?？]|[かは]。)[\s*_]*(?:[（(][^()（）\n]{1,20}[)）])?\Z")
"""How a paragraph ends that is answered by what follows: a question, with who asked it."""
_OPEN = re.compile(r".*[^.!?。！？]\Z", re.DOTALL)


@dataclass(frozen=True)
class Passage:
    """`text[start:end]` of a page."""

    start: int
    end: int
    text: str
    heading: str = ""
    """What it stands under: the nearest heading, of a table row the head of its table besides."""

    @property
    def is_data(self) -> bool:
        """Whether it is a line or a row of data, which is told by its labels."""
        return data_line_in(self.text) is not None or bool(cells(self.text))


@dataclass(frozen=True)
class _Line:
    start: int
    end: int
    text: str
    indent: int
    item: bool

    @property
    def is_row(self) -> bool:
        return self.text.startswith("|") and self.text.endswith("|") and len(self.text) > 1


@lru_cache(maxsize=256)
def passages(text: str) -> tuple[Passage, ...]:
    """Return the passages of a page in order; headings are none, nor what is too short to say anything."""
    found: list[Passage] = []
    heading = top = lead = ""
    for group in _groups(text):
        first = group[0]
        if title := _HEADING.fullmatch(first.text):
            heading, lead = (title["text"] or title["marked"]).strip(), ""
            top = top or heading
        elif first.is_row:
            found += _rows(group, f"{heading} {lead}".strip())
        else:
            # Right below the title stand a date, a place, a name; a list that follows a sentence there is said, too.
            is_said = heading != top or (bool(found) and first.item)
            found += (one for one in _blocks(text, group, heading) if is_said or _is_said(one.text))
            lead = group[-1].text[-_LEADS:]
    told = _with_answers(text, found)
    return tuple(
        one
        for one in told
        if columns(one.text[:_SHORTEST]) >= _SHORTEST and not (_is_contents(one.text) or _TICKED.match(one.text))
    )


def _is_contents(text: str) -> bool:
    entries = len(_LISTED.findall(text))
    is_list = entries >= _ENTRIES and columns(text) <= _ENTRY * entries and "。" not in text
    return _CONTENTS.fullmatch(text) is not None or is_list


def in_context(text: str, every: Sequence[Passage], chosen: Sequence[int]) -> Iterator[Passage]:
    """Yield the passages chosen, each with those beside it that belong to it, as far as they fit; none twice.

    A sentence that announces a list takes it along; of a table that it announces the first rows come behind it.
    `every` are those of the text, `chosen` their places in order.
    """
    taken = -1
    for index in _with_tables(every, chosen):
        if index <= taken:
            continue
        first = last = index
        while last + 1 < len(every) and _belong_together(text, every[first : last + 2]):
            last += 1
        while first - 1 > taken and _belong_together(text, every[first - 1 : last + 1]):
            first -= 1
        if announces(every[last].text):
            mark = _mark(text, every[last + 1]) if last + 1 < len(every) else ""
            while mark and last + 1 < len(every) and _is_announced(text, every[first : last + 2], mark):
                last += 1
        taken = last
        start, end = every[first].start, every[last].end
        yield Passage(start, end, text[start:end], every[index].heading)


def _with_tables(every: Sequence[Passage], chosen: Sequence[int]) -> list[int]:
    """Return the places of passages with the first row of each table that one of them announces."""
    announced = [
        index + 1
        for index in chosen
        if announces(every[index].text) and index + 1 < len(every) and is_table_row(every[index + 1].text)
    ]
    return sorted({*chosen, *announced})


def _belong_together(text: str, several: Sequence[Passage]) -> bool:
    """Whether passages stand right below each other under one heading, all rows or none, and fit into one quote."""
    first, last = several[0], several[-1]
    are_rows = {is_table_row(one.text) for one in (first, last)}
    if len(are_rows) > 1 or first.heading != last.heading or first.is_data or last.is_data:
        return False
    is_table = are_rows == {True}
    if not _fits(text, several, _TABLE if is_table else WIDEST) or (is_table and len(several) > _ROWS):
        return False
    return all(_BESIDE.fullmatch(text, one.end, other.start) for one, other in pairwise(several))


def announces(text: str) -> bool:
    """Whether a text says that a list or a table stands below it, which tells what the text only speaks of."""
    return _ANNOUNCES.search(text) is not None


def _is_announced(text: str, several: Sequence[Passage], mark: str) -> bool:
    """Whether the last of these stands right below the others, is of a list so marked, and fits with them."""
    before, one = several[-2:]
    is_below = _BESIDE.fullmatch(text, before.end, one.start) is not None
    return is_below and _mark(text, one) == mark and _fits(text, several, _ANNOUNCED)


def _mark(text: str, one: Passage) -> str:
    """Return what marks the item of a list that a passage begins with, the same for all numbers; nothing of others."""
    line = text[text.rfind("\n", 0, one.start) + 1 : one.end].lstrip()
    return ("1" if line[:1].isdigit() else line[:1]) if ITEM.match(line) else ""


def _fits(text: str, several: Sequence[Passage], most: int) -> bool:
    return columns(text[several[0].start : several[-1].end]) <= most


def is_table_row(quote: str) -> bool:
    """Whether a quote is a row of a table; a passage may lack the mark before its first cell."""
    return quote.startswith("|") or (" | " in quote and "\n" not in quote)


def _with_answers(text: str, found: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages, a question together with what stands below it: either says little alone."""
    asked: Passage | None = None
    for one in found:
        if asked is not None:
            whole = text[asked.start : one.end]
            is_answer = asked.heading == one.heading and not text[asked.end : one.start].strip(" \t\n>")
            if is_answer and columns(whole) <= 2 * WIDEST:
                yield Passage(asked.start, one.end, whole, one.heading)
                asked = None
                continue
            yield asked
        asked = one if _ASKS.search(one.text) else None
        if asked is None:
            yield one
    if asked is not None:
        yield asked


def _is_said(text: str) -> bool:
    """Whether what stands right below the title of a page says something: no date, place or name by itself."""
    return _ENDS.search(text) is not None or columns(text) > _BYLINE or says_who_was_there(text)


def says_who_was_there(text: str) -> bool:
    """Whether a passage is the line of minutes that lists who was there."""
    return _PRESENT.match(text) is not None


def heading_of(text: str, start: int) -> str:
    """Return the heading under which the passage at `start` stands, or an empty string."""
    found = passages(text)
    at = bisect_right(found, start, key=attrgetter("start")) - 1
    return found[at].heading if at >= 0 and start < found[at].end else ""


def _groups(text: str) -> Iterator[list[_Line]]:
    """Yield lines that belong together: a heading, the rows of a table, the lines between blank ones.

    A line that leads to a list belongs to it across a blank line.
    """
    group: list[_Line] = []
    front = FRONT_MATTER.match(text)
    for match in _LINE.finditer(text, front.end() if front else 0):
        line = _line(match)
        if line is None:
            if group and not (len(group) == 1 and _is_lead(group[0])):
                yield group
                group = []
            continue
        if group and (_HEADING.fullmatch(line.text) or line.is_row != group[0].is_row):
            yield group
            group = []
        if len(group) == 1 and _is_lead(group[0]) and not line.item and "\n\n" in text[group[0].end : line.start]:
            yield group
            group = []
        group.append(line)
        if _HEADING.fullmatch(line.text):
            yield group
            group = []
    if group:
        yield group


def _line(match: re.Match[str]) -> _Line | None:
    raw = match.group().rstrip()
    bare = raw.lstrip()
    if not bare or RULE.fullmatch(bare) or FENCE.fullmatch(bare) or _LINK_TARGET.fullmatch(bare):
        return None
    start = match.start() + len(raw) - len(bare)
    return _Line(start, match.start() + len(raw), bare, len(raw) - len(bare), ITEM.match(bare) is not None)


def _is_lead(line: _Line) -> bool:
    return (
        not line.item and columns(line.text) <= _LEAD and _OPEN.fullmatch(line.text) is not None and not _is_data(line)
    )


def _rows(group: Sequence[_Line], heading: str) -> Iterator[Passage]:
    """Yield the rows of a table: a row without figures or words beside its name is the heading of those below it."""
    head = ", ".join(cell for cell in row_cells(group[0].text) if cell)
    part = ""
    for line in group[1:] or group:
        first, *others = [cell for cell in row_cells(line.text) if cell] or [""]
        told = [cell for cell in others if cell.strip(" $%()（）—–-☐☒")]
        if first and not told and columns(first) < _TOLD * 2:
            part = first
        elif told or columns(first) >= _TOLD:
            yield Passage(line.start, line.end, line.text, " ".join(filter(None, (heading, part, head))))


def _blocks(text: str, group: Sequence[_Line], heading: str) -> Iterator[Passage]:
    """Yield the passages of lines that no blank one separates."""
    # Lines that are whole sentences, all of them, were written as lines; others were broken for their length.
    told = [_ENDS.search(line.text) is not None for line in group]
    is_told = told if all(told) else [False] * len(group)
    at = 0
    while at < len(group):
        end = at + 1
        if _is_lead(group[at]) and end < len(group) and group[end].item:
            while end < len(group) and _width(text, group[at : end + 1]) <= WIDEST:
                end += 1
            yield _of(text, group[at:end], heading)
            heading = group[at].text if end < len(group) else heading
        elif group[at].item:
            while end < len(group) and not _is_too_wide(text, group, at, end):
                end += 1
            yield from _prose(text, group[at:end], heading)
            if end < len(group) and group[end].indent > group[at].indent:
                heading = group[at].text
        elif end < len(group) and _is_title(group[at]):
            heading = group[at].text
        elif _is_data(group[at]):
            yield _of(text, group[at:end], heading)
        else:
            while end < len(group) and not (_stands_alone(group[end], group[end - 1]) or is_told[end - 1]):
                end += 1
            yield from _prose(text, group[at:end], heading)
        at = end


def _is_title(line: _Line) -> bool:
    """Whether a line within others is short and no sentence: what a PDF has of a heading."""
    return columns(line.text) < _SHORT and _OPEN.fullmatch(line.text) is not None and not _is_data(line)


def _stands_alone(line: _Line, before: _Line) -> bool:
    """Whether a line begins something of its own; the rest of a broken line never does."""
    if line.item or _is_data(line):
        return True
    return _ENDS.search(before.text) is not None and _is_title(line)


def _is_too_wide(text: str, group: Sequence[_Line], at: int, end: int) -> bool:
    """Whether a further line no longer fits to the items before it; the rest of a broken line always does."""
    if not group[end].item and group[end].indent > group[at].indent:
        return False
    room = 2 * WIDEST if group[end].indent > group[at].indent else WIDEST
    return not group[end].item or _width(text, group[at : end + 1]) > room


def _width(text: str, lines: Sequence[_Line]) -> int:
    return columns(text[lines[0].start : lines[-1].end])


def _is_data(line: _Line) -> bool:
    if line.item:
        return False
    if len(line.text) > _DATA:
        return bool(cells(line.text))  # However many columns a row has, it is one.
    return data_line_in(line.text) is not None


def _of(text: str, lines: Sequence[_Line], heading: str) -> Passage:
    start, end = lines[0].start, lines[-1].end
    return Passage(start, end, text[start:end], heading)


def _prose(text: str, lines: Sequence[_Line], heading: str) -> Iterator[Passage]:
    """Yield whole sentences, as many as fit together."""
    start, end = lines[0].start, lines[-1].end
    if columns(text[start:end]) <= WIDEST or (lines[0].item and columns(text[start:end]) <= 2 * WIDEST):
        yield Passage(start, end, text[start:end], heading)
        return
    first: Span | None = None
    last = start
    for span in sentences_in(text, Span(start, end)):
        if first is not None and columns(text[first.start : span.end]) > WIDEST:
            yield from _cut(text, Span(first.start, last), heading)
            first = None
        first = first or span
        last = span.end
    if first is not None:
        yield from _cut(text, Span(first.start, last), heading)


def _cut(text: str, span: Span, heading: str) -> Iterator[Passage]:
    """Yield a sentence that is longer than a quote may be in pieces, behind what parts its clauses or its words."""
    start = span.start
    while span.end - start > _LONGEST:
        ends = ([one.end() for one in parts.finditer(text, start + _LONGEST // 2, start + _LONGEST)] for parts in _CUTS)
        cut = next((found[-1] for found in ends if found), start + _LONGEST)
        piece = text[start:cut].rstrip()
        yield Passage(start, start + len(piece), piece, heading)
        start = cut
    if start < span.end:
        yield Passage(start, span.end, text[start : span.end], heading)
