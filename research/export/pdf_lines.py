"""Lines and tables as nodes of the PDF's template: text that can be set, in tables of any width."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from research.core import RECENT_MARK
from research.export.citing import address
from research.export.document import Citation, Inline, Line, LineBreak, Table, Text, plain
from research.export.words import printable
from research.language import Language, Phrase
from research.text import columns as width_of

Node = dict[str, object]
"""A piece of the tree that the template reads."""

_LONGEST_ADDRESS = 2000
"""Characters; a longer one is text without a link."""
_SCHEMES = ("http://", "https://", "mailto:")
_UNSHOWABLE = frozenset({"Co", "Cn"})
"""Categories of what no typeface has: for private use, and not assigned."""
_STEERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows."""
_STACKED = re.compile("([\u0300-\u036f]{4})[\u0300-\u036f]+")
"""More marks on one letter than any language has."""
_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
"""Signs that lines may break at, for a set in a pattern."""
_HIRAGANA = re.compile("[\u3041-\u309f]")
_ENDS = "\u3041-\u309f\u3001\u3002\uff0c\uff1a\uff1b\uff1f\uff01\uff09\u300d\u300f\u3011\u301c\uff5e\u30fb"
"""Signs that a Japanese phrase ends with: particles and endings, in hiragana, and closing signs."""
_PHRASE = re.compile(rf".+?(?:[{_ENDS}](?=[^{_ENDS}\u30fc])|\n|$)")
_LONG = 40
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
    if sign in _STEERING:
        return ""
    return "\ufffd" if unicodedata.category(sign) in _UNSHOWABLE else sign


def breakable(text: str, longest: int = _LONG, step: int = _STEP) -> str:
    """Return text with invisible places to break in each run of more than `longest` signs that has none."""
    return re.sub(
        rf"[^\s\u200b{_WIDE}]{{{longest + 1},}}",
        lambda run: re.sub(rf"(.{{{step}}}){_MAY_BREAK_BEFORE}", "\\1\u200b", run[0]),
        text,
    )


def phrases(text: str) -> list[str]:
    """Return a Japanese text in pieces that are best kept on one line; any other text as one piece."""
    return _PHRASE.findall(text) if _HIRAGANA.search(text) else [text]


def linkable(url: str) -> str:
    """Return an address as PDF files write it, in ASCII, if it may become a link; otherwise an empty string."""
    allowed = url.startswith(_SCHEMES) and len(url) <= _LONGEST_ADDRESS and clean(url) == url and " " not in url
    return address(url) if allowed else ""


class LineWriter:
    """Lines as nodes; knows which citations have an entry to lead to, and which is the first of its source."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = frozenset(numbers)
        self._cited: set[int] = set()

    @property
    def cited(self) -> frozenset[int]:
        """The sources that a line set so far leads to, and back from."""
        return frozenset(self._cited)

    def line(self, pieces: Iterable[Inline], longest: int = _LONG, *, is_repeated: bool = False) -> list[Node]:
        """Return a line; words longer than `longest` may break. One that `is_repeated` is never led back to."""
        nodes = [self._node(piece, longest, is_repeated) for piece in pieces]
        if nodes and "text" in nodes[0]:
            nodes[0]["text"] = str(nodes[0]["text"]).lstrip(" ")
        return [node for node in nodes if node.get("text") != ""]

    def _node(self, piece: Inline, longest: int, is_repeated: bool) -> Node:
        match piece:
            case Text():
                return _text(piece, longest)
            case Citation():
                return self._citation(piece, is_repeated)
            case LineBreak():
                return {"is": "break"}

    def _citation(self, piece: Citation, is_repeated: bool) -> Node:
        node: Node = {"is": "citation", "number": piece.number}
        if piece.is_recent:
            node["recent"] = RECENT_MARK
        if piece.number in self._numbers:
            node["leads"] = True
            if piece.number not in self._cited and not is_repeated:
                self._cited.add(piece.number)
                node["first"] = True
        return node


def _text(piece: Text, longest: int) -> Node:
    node: Node = {"is": "text", "text": breakable(clean(piece.text), longest, min(_STEP, longest))}
    styles = {"bold": piece.bold, "italic": piece.italic, "code": piece.code, "strike": piece.strike}
    node.update({name: True for name, is_set in styles.items() if is_set})
    if url := linkable(piece.url):
        node["url"] = url
    return node


# --- tables of any width: set smaller, on a turned page, or in several parts one below the other ------------------

_UPRIGHT = 102
_UPRIGHT_SMALL = 120
_TURNED_SMALL = 185
"""Letters beside each other on a page: in the usual size of tables, in the small one, on a turned page."""
_PADDING = 3
_LONGEST_WORD = 18
_WRAPS_BELOW = 7
_NAME = 18
_WIDEST = 60
"""Letters: a word that is longer may break; a cell needs no more than this before it wraps, one of the first column,
which names the row, no more than that; none is wider."""
_TURN_FROM_ROWS = 15
_TOGETHER = 16
"""Rows of a table that stays on one page."""
_TALL = 420
"""Letters in a cell; a row that holds more may break across pages."""
_UNBROKEN = re.compile(rf"[^\s{_WIDE}]+")
_PART = Phrase("Columns {first} to {last} of {all}; the first column is repeated.")


@dataclass(frozen=True)
class _ColumnWidth:
    least: int
    wished: int


def table_nodes(table: Table, citing: LineWriter, language: Language, *, may_turn: bool) -> Iterator[Node]:
    """Yield the table as nodes: one, or several with the first column each if it is wider than any page.

    `may_turn` says that it stands on a page by itself if need be.
    """
    columns = [
        _column([plain(row[place]) for row in (table.head, *table.rows)], _WRAPS_BELOW if place else _NAME)
        for place in range(len(table.head))
    ]
    needed = sum(column.least + _PADDING for column in columns)
    is_small = needed > _UPRIGHT
    is_turned = _UPRIGHT_SMALL < needed <= _TURNED_SMALL and may_turn and len(table.rows) >= _TURN_FROM_ROWS
    room = _TURNED_SMALL if is_turned else _UPRIGHT_SMALL if is_small else _UPRIGHT
    groups = [[*range(len(columns))]] if needed <= room else _groups(columns, room)
    for at, group in enumerate(groups):
        node = _part(table, group, columns, citing, room) | {"small": is_small, "turned": is_turned}
        if len(groups) > 1:
            first = group[1] + 1 if at else 1
            words = (_PART if at else Phrase("Columns {first} to {last} of {all}.")).in_(language)
            node["note"] = words.format(first=first, last=group[-1] + 1, all=len(columns))
        yield node


def _groups(columns: Sequence[_ColumnWidth], room: int) -> list[list[int]]:
    """Return the first column with as many others as there is room for, and again with the next, about equally many."""
    first, *others = (column.least + _PADDING for column in columns)
    count = math.ceil(sum(others) / (room - first))
    most = max(1, math.ceil(len(others) / count))
    while most > 1 and any(sum(others[at : at + most]) > room - first for at in range(0, len(others), most)):
        most -= 1
    return [[0, *range(at, min(at + most, len(columns)))] for at in range(1, len(columns), most)]


def _part(table: Table, places: Sequence[int], columns: Sequence[_ColumnWidth], citing: LineWriter, room: int) -> Node:
    shares = _shares([columns[place] for place in places], room - _PADDING * len(places))
    used = sum(shares) + _PADDING * len(places)

    def cells(row: Sequence[Line], *, is_repeated: bool = False) -> list[list[Node]]:
        return [
            citing.line(row[place], max(4, int(share) - 1), is_repeated=is_repeated)
            for place, share in zip(places, shares, strict=True)
        ]

    rows = [cells(row) for row in table.rows]
    head = cells(table.head, is_repeated=True)
    tallest = max((width_of(plain(cell)) for row in table.rows for cell in row), default=0)
    return {
        "is": "table",
        "head": head,
        "repeats": not any("url" in node or "leads" in node for cell in head for node in cell),
        "rows": rows,
        "align": [table.aligned[place].value for place in places],
        "columns": [round(share + _PADDING, 1) for share in shares],
        "width": round(min(1.0, 1.15 * used / room), 3),
        "breakable": tallest > _TALL,
        "together": len(rows) <= _TOGETHER and tallest <= _TALL // 2,
    }


def _shares(columns: Sequence[_ColumnWidth], room: int) -> list[float]:
    """Return a width for each column: the least that it needs, and of what is left its part of what all wish for."""
    left = max(0, room - sum(column.least for column in columns))
    wished = sum(column.wished - column.least for column in columns)
    part = min(1.0, left / wished) if wished else 0.0
    return [column.least + part * (column.wished - column.least) for column in columns]


def _column(cells: Sequence[str], wraps_below: int) -> _ColumnWidth:
    widest = max(width_of(cell) for cell in cells)
    word = max((len(word) for cell in cells for word in _UNBROKEN.findall(cell)), default=0)
    least = max(4, min(word, _LONGEST_WORD), min(widest, wraps_below))
    return _ColumnWidth(least, max(least, min(widest, _WIDEST)))
