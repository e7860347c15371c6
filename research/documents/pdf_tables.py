"""The tables of a PDF page: rows of figures that stand below each other, with the heads of their columns.

A PDF holds no tables, only characters with their places. Where several lines end in figures that are set apart from
each other, those are the cells; what stands above them is the head of the column over which it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pypdfium2 import PdfTextPage
from pypdfium2.raw import FS_RECTF, FPDFText_GetLooseCharBox

_LINE = re.compile(r"[^\r\n]+")
_WORD = re.compile(r"\S+")
_LEADER = re.compile(r"(?:[.·]{3,}|…+)$|^[.·]+$")
"""Dots that lead from a label to its figures."""
_FIGURE = re.compile(r"[$€£¥△▲(（+−-]*\d[\d,.]*(?:[)）%％]|pts)*|[—–―-]|\(?(?:N/A|n/a|NM|nm)\)?")
_OPENS, _CLOSES = re.compile(r"[$€£¥△▲(（]+"), re.compile(r"[)）%％]+|pts")
"""What belongs to the figure behind it, or before it, though it stands apart."""
_ENDS_IN_FIGURES = re.compile(
    r"\d[\d,.]*[)）%％]*\s+(?:[$€£¥△▲(（)）%％—–―-]\s?)*(?:\d[\d,.]*|[—–―-])[)）%％ ]*(?:pts)?\s*$"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_SENTENCE = re.compile(r"[.。:：;；]\s*$")
_COUNTED = re.compile(r"\s*(?:[(（].*|単位.*)", re.DOTALL)
_SAID_OF_ALL = re.compile(r"\(?\$? ?[Ii]n (?:\$ )?(?:thousand|million|billion)s?\b.*|[(（]?単位.*|\([Uu]naudited\)")
"""What stands in brackets, and what is said of all columns: (In millions)."""
_SPAN = re.compile(r"\b(?:months?|weeks?|quarters?|years?|ended|ending)\b|期|年", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|ober)?\b\.?"
_DATE = re.compile(
    rf"(?:{_MONTH}|\b(?:as|of|at|ended|ending|months?|and|years?|quarters?|weeks?|three|six|nine|twelve|fiscal)\b"
    r"|[\s\d,./年月日期末度第四半]|[-–])+",
    re.IGNORECASE,
)
"""What only says when: of the heads of columns, no row is called so."""
_APART = 0.5
"""The least distance between two cells, as a share of the height of a line: a blank takes .25 to .3 of it."""
_SPREAD = 0.75
"""The same between the heads of two columns, which may be of several words."""
_HEADS, _BETWEEN = 24, 2
"""Lines above the first row that may hold heads, as many words may stand below each other over seven columns, and lines
without figures that may stand between two rows."""
_LABEL = 110
"""Characters of a label; what is longer is prose."""
_ROWS = 2
"""Rows with two figures or more from which there is a table."""
_WIDE = 3
"""Columns from which a line over all of them is the title of the table."""
_SAME_LINE, _NEXT_LINE = 0.4, 0.7
"""How far apart the feet of two lines may lie that are one, as a raised note breaks a row in two; and from which a word
further left begins the next line."""


@dataclass(frozen=True)
class _Word:
    text: str
    left: float
    right: float

    def with_(self, other: _Word, glue: str = "") -> _Word:
        """Return both as one."""
        return _Word(f"{self.text}{glue}{other.text}", self.left, other.right)


@dataclass(frozen=True)
class _Row:
    """A line: where it stands in the text of its page, what it is called, and its figures."""

    start: int
    end: int
    words: tuple[_Word, ...]
    label: str
    cells: tuple[_Word, ...]


def with_tables(page: PdfTextPage) -> str:
    """Return the text of a page with its tables in Markdown, everything else as it stands."""
    text: str = page.get_text_bounded()
    spans = [match.span() for match in _LINE.finditer(text)]
    if sum(_ENDS_IN_FIGURES.search(text, start, end) is not None for start, end in spans) < _ROWS:
        return text
    if page.count_chars() != len(text):
        return text  # The places of its characters are not known.
    lines = _Lines(page, text, spans)
    told, at = [], 0
    for block in _blocks(lines):
        head = _heads(lines, block, at)
        if (table := _markdown(lines, block, head)) is not None:
            first = lines.rows[head[0] if head else block[0]].start
            told += [text[at:first], table]
            at = lines.rows[block[-1]].end
    return "".join([*told, text[at:]])


class _Lines:
    """The lines of a page, those that a raised note breaks in two as one."""

    def __init__(self, page: PdfTextPage, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self._page = page
        self._text = text
        self._box = FS_RECTF()
        told = [(start, end) for start, end in spans if not text[start:end].isspace()]
        self.height = median(self._foot_and_height(start)[1] for start, _ in told)
        told = [span for start, end in told for span in self._as_set(start, end)]
        feet = [self._foot_and_height(start) for start, _ in told]
        self.rows: list[_Row] = []
        before = float("inf")
        for span, (foot, _) in zip(told, feet, strict=True):
            words = self._words(*span)
            first = span[0]
            if self.rows and abs(foot - before) < _SAME_LINE * self.height and not self.rows[-1].cells:
                broken = self.rows.pop()
                first, words = broken.start, [*broken.words, *words]
            self.rows.append(self._row(first, span[1], words))
            before = foot

    def chunks(self, index: int) -> list[_Word]:
        """Return the words of a line, those that stand close together as one."""
        chunks: list[_Word] = []
        for word in self.rows[index].words:
            if chunks and word.left - chunks[-1].right < _SPREAD * self.height:
                chunks[-1] = chunks[-1].with_(word, " ")
            else:
                chunks.append(word)
        return chunks

    def _as_set(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the lines of a part of the text as they are set: a PDF may hold several without a break."""
        first, foot, right = start, 0.0, -1.0
        for match in _WORD.finditer(self._text, start, end):
            below, _ = self._foot_and_height(match.start())
            left = self._box.left
            if right >= 0 and abs(below - foot) > _NEXT_LINE * self.height and left < right:
                yield first, match.start()
                first = match.start()
            foot, right = below, self._edges(match.end() - 1)[1]
        yield first, end

    def _words(self, start: int, end: int) -> list[_Word]:
        """Return the words of a part of the text with their places."""
        found = []
        for match in _WORD.finditer(self._text, start, end):
            if not (said := _LEADER.sub("", match.group())):
                continue
            first, last = self._edges(match.start()), self._edges(match.start() + len(said) - 1)
            found.append(_Word(said, first[0], last[1]))
        return found

    def _edges(self, index: int) -> tuple[float, float]:
        known = FPDFText_GetLooseCharBox(self._page, index, self._box)
        return (self._box.left, self._box.right) if known else (0.0, 0.0)

    def _foot_and_height(self, index: int) -> tuple[float, float]:
        known = FPDFText_GetLooseCharBox(self._page, index, self._box)
        return (self._box.bottom, self._box.top - self._box.bottom) if known else (0.0, 0.0)

    def _row(self, start: int, end: int, words: Sequence[_Word]) -> _Row:
        """Return a line with the figures that it ends in, as far as they stand apart from each other."""
        cells: list[_Word] = []
        at = len(words)
        while at and (_FIGURE.fullmatch(words[at - 1].text) or _is_sign(words[at - 1].text)):
            at -= 1
            word = words[at]
            if cells and (_OPENS.fullmatch(word.text) or _CLOSES.fullmatch(cells[0].text)):
                cells[0] = word.with_(cells[0])
            else:
                cells.insert(0, word)
        # July 1, 2023: a figure that is not set apart belongs to the words before it.
        row = [*words[:at], *cells]
        close = [place for place in range(max(1, at), len(row)) if self._are_close(row[place - 1], row[place])]
        first = close[-1] + 1 - at if close else 0
        label = " ".join(one.text for one in (*words[:at], *cells[:first]))
        figures = tuple(cells[first:])
        if len(label) > _LABEL or not any(map(_is_number, figures)):
            label, figures = " ".join(word.text for word in words), ()
        return _Row(start, end, tuple(words), label, figures)

    def _are_close(self, one: _Word, other: _Word) -> bool:
        return other.left - one.right < _APART * self.height


def _is_sign(text: str) -> bool:
    return _OPENS.fullmatch(text) is not None or _CLOSES.fullmatch(text) is not None


def _is_number(cell: _Word) -> bool:
    return any(map(str.isdigit, cell.text))


def _blocks(lines: _Lines) -> Iterator[list[int]]:
    """Yield the lines of each table, from its first row to its last, labels without figures between them."""
    block: list[int] = []
    for index, row in enumerate(lines.rows):
        if row.cells:
            block = [*block, *range(block[-1] + 1, index), index] if block else [index]
        elif block and (index - block[-1] > _BETWEEN or len(row.label) > _LABEL or _is_prose(row.label)):
            yield from _told(lines, block)
            block = []
    yield from _told(lines, block)


def _is_prose(label: str) -> bool:
    return label.endswith((".", "。")) and len(label) > _LABEL // 2


def _told(lines: _Lines, block: Sequence[int]) -> Iterator[list[int]]:
    """Yield the block if it is a table: several rows of several figures, under labels."""
    named = [index for index in block if lines.rows[index].cells and _is_name(lines.rows[index].label)]
    if sum(len(lines.rows[index].cells) > 1 for index in named) < _ROWS:
        return
    last = max(index for index in block if index in named or len(lines.rows[index].cells) > 1)
    told = [index for index in block if named[0] <= index <= last]
    many = [index for index in told if len(lines.rows[index].cells) > 1]
    if 2 * len([index for index in many if index in named]) >= len(many):
        yield told


def _is_name(label: str) -> bool:
    """Whether a label says what its figures are, and not only when."""
    return any(map(str.isalpha, label)) and not _is_date(label)


def _columns(rows: Sequence[_Row]) -> list[tuple[float, float]]:
    """Return from where to where each column goes, from left to right: by the rows that have most cells."""
    counts = Counter(len(row.cells) for row in rows if len(row.cells) > 1)
    often = max(counts.values())
    most = max(count for count, seen in counts.items() if 4 * seen >= often)
    whole = [row.cells for row in rows if len(row.cells) == most]
    return [(min(one.left for one in column), max(one.right for one in column)) for column in zip(*whole, strict=True)]


def _heads(lines: _Lines, block: Sequence[int], at: int) -> list[int]:
    """Return the lines above a table that name its columns: all that they say stands above figures."""
    columns = _columns([lines.rows[index] for index in block])
    left = columns[0][0]
    found: list[int] = []
    has_heads = False
    for index in range(block[0] - 1, max(-1, block[0] - 1 - _HEADS), -1):
        row = lines.rows[index]
        if row.start < at or (row.cells and _is_name(row.label) and not _is_of_years(row)):
            break
        chunks = lines.chunks(index)
        above = [one for one in chunks if one.right > left]
        is_part = not has_heads and len(found) < _BETWEEN and len(row.label) <= _LABEL // 2
        is_aside = not above and len(chunks) == 1 and (_COUNTED.fullmatch(row.label) or is_part)
        if (not above and not is_aside) or any(one.left < left - 6 * lines.height for one in above):
            break
        if above and _SENTENCE.search(row.label) and len(row.label) > _LABEL // 2:
            break
        found.insert(0, index)
        has_heads = has_heads or bool(above)
    heads = [index for index in found if any(one.right > left for one in lines.chunks(index))]
    titles = [index for index in heads if _is_title(lines.chunks(index), columns)]
    first = titles[-1] + 1 if titles else heads[0] if heads else 0
    told = [index for index in found if heads and index >= first]  # What stands before is a heading.
    while told and told[0] - 1 in found and _COUNTED.fullmatch(lines.rows[told[0] - 1].label):
        told.insert(0, told[0] - 1)
    return told


def _is_of_years(row: _Row) -> bool:
    """Whether a line says in what the figures below it are, and of which years: (In millions) 2021 2020."""
    return _COUNTED.fullmatch(row.label) is not None and all(_YEAR.fullmatch(one.text) for one in row.cells)


def _is_title(chunks: Sequence[_Word], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a line stands over all columns and says neither when nor for how long: what the whole table is about."""
    if len(chunks) != 1 or len(columns) < _WIDE or any(map(str.isdigit, chunks[0].text)):
        return False
    one = chunks[0]
    is_over_all = one.left < columns[0][1] and one.right > columns[-1][0]
    return is_over_all and not _SPAN.search(one.text) and not _SAID_OF_ALL.fullmatch(one.text)


def _is_date(label: str) -> bool:
    return _DATE.fullmatch(label) is not None


def _markdown(lines: _Lines, block: Sequence[int], head: Sequence[int]) -> str | None:
    """Return a table as Markdown; None where its figures stand in no columns."""
    rows = [lines.rows[index] for index in block]
    columns = _columns(rows)
    if any(left < right for (_, right), (left, _) in pairwise(columns)):
        return None
    corner: list[str] = []
    heads: list[list[str]] = [[] for _ in columns]
    for index in head:
        for chunk in lines.chunks(index):
            _set_above(chunk, columns, heads, corner)
    _share_dates(heads)
    counted = [one for one in corner if _COUNTED.fullmatch(one)]
    # Three Months Ended September 30, | 2023 | 2022
    dates = [one for one in corner if _is_date(one) and all(map(_YEAR.fullmatch, map(" ".join, heads)))]
    told = [[" ".join(counted), *(" ".join((*dates, *one)) for one in heads)], ["---"] * (len(columns) + 1)]
    told += [[one, *([""] * len(columns))] for one in corner if one not in (*counted, *dates)]
    label = ""
    for row in rows:
        cells = _placed(row.cells, columns)
        if cells is None:
            return None
        if not row.cells and label:
            told.append([label, *([""] * len(columns))])
        if not row.cells:
            label = row.label
            continue
        if label and row.label[:1].islower():  # A label that goes on in the next line.
            told.append([f"{label} {row.label}", *cells])
        else:
            told += [[label, *([""] * len(columns))]] if label else []
            told.append([row.label, *cells])
        label = ""
    return "\n".join(["", *(f"| {' | '.join(one.replace('|', '/') for one in row)} |" for row in told), ""])


def _set_above(
    chunk: _Word, columns: Sequence[tuple[float, float]], heads: Sequence[list[str]], corner: list[str]
) -> None:
    """Enter what stands above columns into their heads: all of it above each, or a part above each of several."""
    middle = [(left + right) / 2 for left, right in columns]
    under = [at for at, (left, right) in enumerate(columns) if chunk.left < right and left < chunk.right]
    if not under and chunk.right > columns[0][0]:
        under = [min(range(len(columns)), key=lambda at: abs(middle[at] - (chunk.left + chunk.right) / 2))]
    if not under or _SAID_OF_ALL.fullmatch(chunk.text):
        corner.append(chunk.text)
        return
    words = chunk.text.split(" ")
    size = len(words) // len(under)
    parts = [" ".join(words[at * size : (at + 1) * size]) for at in range(len(under))]
    is_several = len(under) > 1 and size * len(under) == len(words) and all(any(map(str.isdigit, one)) for one in parts)
    for place, at in enumerate(under):
        heads[at].append(parts[place] if is_several else chunk.text)


def _share_dates(heads: Sequence[list[str]]) -> None:
    """Let what stands above one of several years count for all of them that it is meant for: it is set to one side.

    Three Months Ended December 31, above 2022 and 2021 may stand over the second of them alone.
    """
    said = [" ".join(one) for one in heads]
    years = [match.group() if (match := _YEAR.search(one[-4:])) else "" for one in said]
    for first, end in pairwise([*_groups(years), len(heads)]):
        above = {at: said[at][:-4].strip() for at in range(first, end) if years[at]}
        longest = max(above.values(), key=len, default="")
        titles = {at for at, one in above.items() if one.isupper()}
        words = [set(one.split()) for at, one in above.items() if at not in titles]
        if len(above) > 1 and _SPAN.search(longest) and all(one <= set(longest.split()) for one in words):
            for at in above:
                heads[at][:] = [longest, years[at]]


def _groups(years: Sequence[str]) -> Iterator[int]:
    """Yield where a new group of years begins: behind what is none, and where the first one comes again."""
    start = 0
    for at, year in enumerate(years):
        if at == 0 or not year or not years[at - 1] or year == years[start]:
            start = at
            yield at


def _placed(cells: Sequence[_Word], columns: Sequence[tuple[float, float]]) -> list[str] | None:
    """Return the figures of a row column by column; None where two stand in one."""
    placed = [""] * len(columns)
    for cell in cells:
        at = min(range(len(columns)), key=lambda at: abs(columns[at][1] - cell.right))
        if placed[at]:
            return None
        placed[at] = cell.text
    return placed
