"""Which rows of a table in a file name its columns, and what the rows around them are.

Offices publish tables with lines above the head (a title, the day, “Data Source”), a head of several rows (groups over
merged cells, a translation, units, codes), and notes below. What columns hold further down tells where data begins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from statistics import median

from research.documents.document import column_names, flat
from research.text import MONTHS

LOOKED_AT = 400
"""Rows at the beginning of a table from which it is told."""
_HEAD_WITHIN = 60
"""Rows within which data has to begin."""
_MOSTLY, _HALF, _LENGTH = 0.9, 0.5, 0.8
_MONTH = "|".join(month[:3] for month in MONTHS)
_FIGURE = re.compile(r"[-+−△▲(]?\s?[$€£¥￥]?\s?[-−(]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?\s?[%％]?\)?")
_TIME = re.compile(
    r"(?:(?:19|20)\d\d(?:[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2}日?)?月?|(?:0[1-9]|1[0-2])(?:[0-3]\d)?)?"
    r"|(?:明治|大正|昭和|平成|令和|[MTSHR])\s?(?:元|\d{1,2})(?:[年.]\s?\d{1,2})?(?:[月.]\s?\d{1,2})?[年月日]?"
    r"|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d\d"
    rf"|(?:\d{{1,2}}[ -])?(?:{_MONTH})[a-z]{{0,6}}\.?[ -](?:\d{{1,2}},? )?(?:(?:19|20)\d\d|\d\d)"
    r"|(?:FY|CY)\s?(?:19|20)?\d\d)"
    r"(?:年度?)?(?:[-/ ]?(?:第?[1-4]四半期|[1-4]Q|Q[1-4]))?(?:[T ]\d{1,2}:\d\d(?::\d\d)?)?(?:平均|計|末)?",
    re.IGNORECASE,
)
"""A time in any usual form: 2019/04, 2019-04-01, 2019年4月, 201904, 平成31年4月, Apr 2019, 2019Q1, 2019年度."""
_MISSING = re.compile(r"[-–—−―‐*＊.…・xX×]{0,4}|n\.?/?a\.?|nan|null", re.IGNORECASE)
_UNIT_LABEL = re.compile(r"[(（\[【]?(?:単位|units?(?: of measure)?)[)）\]】]?\s?[:：]?", re.IGNORECASE)
_UNIT = re.compile(
    r"[(（\[][^()（）\[\]]{1,16}[)）\]]|[%％‰℃]"
    r"|(?:千|万|百万|十億|億|兆)?(?:円|人|名|世帯|件|戸|台|社|店|個|本|株|歳|トン|ドル|ユーロ|平方メートル|㎡|ha|km2?|kWh|t|kg)"
)
"""A cell that is nothing but a unit."""
_UNIT_OF_ALL = re.compile(
    r"[(（\[]?\s?(?:単位|units?)\s?[:：]\s*(?P<unit>[^()（）\[\]:：、,・/ ]{1,12})[)）\]]?", re.IGNORECASE
)
_OWN_UNIT = re.compile(
    r"[(（\[][^()（）\[\]]*[)）\]]\s*\Z|[%％率比]|割合|指数|順位|番号|コード|\b(?:rate|share|index|rank|code|no)\b",
    re.IGNORECASE,
)
"""A name that tells its own unit, or of what is counted in no other."""
_ABOUT_COLUMNS = re.compile(
    r"コード|符号|番号|連番|ウエイト|ウェイト|開始|終了|始期|終期|更新|頻度|単位"
    r"|\b(?:codes?|ids?|numbers?|weights?|start|end|updated?|frequency|units?)\b",
    re.IGNORECASE,
)
"""How a row is labelled that says something about the columns without naming them."""
_CODE = re.compile(r"(?=.*\d)[!-~]+")
_NAMES_TIME = re.compile(r"年|月|日|期|時|date|time|year|month|quarter|period|day", re.IGNORECASE)
_WHOLE = re.compile(r"(?:合|総|小|累)?計|総数|全[体国]|平均|(?:grand )?total|average|all", re.IGNORECASE)
_TITLE_KEY = re.compile(r"(?:表題|表名|統計表名?|統計名|題名|タイトル|title|table|dataset)\s?[:：]?", re.IGNORECASE)
_NOTE = re.compile(
    r"[(（\[<＜]?\s?(?:注|※|[*＊]|備考|出典|出所|資料|典拠|(?:foot)?notes?\b|sources?\b|\d{1,2}[)）])", re.IGNORECASE
)
_LONG = 24
"""Characters from which a cell that stands alone is a note."""
_LATIN = re.compile(r"[A-Za-z]{3}")
_JAPANESE = re.compile(r"[ぁ-ヿ一-鿿]")
_TITLE = 120
_NOTES = ("# Notes", "# 注")
"""The heading of what stands below a table: without one, and with one in Japanese."""


class _Kind(Enum):
    """What nearly all cells of a column are."""

    TIME = auto()
    FIGURE = auto()


_Kinds = Mapping[int, _Kind]
_Row = list[str]


@dataclass(frozen=True)
class Head:
    """What stands before the rows of a table."""

    names: list[str]
    """What the columns are called, with their groups and units."""
    above: list[str]
    """A line for each row before those of data but one; empty for those that are in the names."""
    rows: int
    """Rows before those of data."""
    title: str = ""
    """What the table is called above its head, or by the group that all of its columns are of."""


def head_of(rows: Sequence[Sequence[str]]) -> Head:
    """Return the head of a table whose first rows are given: its first row, where nothing tells otherwise."""
    table = [[flat(cell) for cell in row] for row in rows]
    width = max(map(len, table), default=0)
    if not width:
        return Head([], [], min(1, len(table)))
    table = [[*row, *[""] * (width - len(row))] for row in table]
    kinds = _kinds(table)
    begin = next((at for at, row in enumerate(table[:_HEAD_WITHIN]) if _is_data(row, kinds)), 0)
    named = _named(table[:begin], kinds) or [_first_wide(table)]
    if len(rows[named[-1]]) < _LENGTH * width:  # Which cell is over which column, a row cut short does not tell.
        named = [next((at for at, row in enumerate(table) if sum(map(bool, row)) > 1), 0)]
    above, head = table[: named[0]], table[named[0] : named[-1] + 1]
    told = _Told.of(head, kinds)
    names = _measured(_with_time(told, kinds), told.units, _unit_of_all(above), kinds)
    lines = [*map(_line, above), *("" if row in told.names else _line(row) for row in head)]
    lines.pop(lines.index("", len(above)))
    return Head(column_names(names), lines, len(above) + len(head), told.common or _title(above))


def with_notes(lines: list[str], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the lines of a table, given its last rows, with what only notes say under a heading of its own."""
    notes = _notes(rows, width)
    if not notes:
        return lines
    told = [_line([flat(cell) for cell in row]) for row in rows[-notes:]]
    return [*lines[:-notes], _NOTES[any(map(_JAPANESE.search, told))], *told]


def _notes(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return how many of the last rows of a table are notes below it."""
    at, begin = len(rows), len(rows)
    while at and _may_be_note(row := list(filter(None, map(flat, rows[at - 1]))), width):
        at -= 1
        begin = at if row and (_NOTE.match(row[0]) or len(row[0]) >= _LONG) else begin
    return len(rows) - begin


def _may_be_note(told: _Row, width: int) -> bool:
    is_marked = bool(told) and _NOTE.match(told[0]) is not None
    return (len(told) < 2 and (is_marked or width > 1)) or (is_marked and len(told) < min(3, width))


# --- where data begins -----------------------------------------------------------------------------------------------


def _kinds(table: Sequence[_Row]) -> dict[int, _Kind]:
    """Return the columns of times and of figures: what nearly all cells are in the lower half of the rows looked at."""
    filled = [row for row in table if sum(map(bool, row)) > 1]
    usual = median(sum(map(bool, row)) for row in filled) if filled else 0
    below = [row for row in filled[len(filled) // 2 :] if sum(map(bool, row)) >= _HALF * usual]
    found: dict[int, _Kind] = {}
    for at, column in enumerate(zip(*below, strict=True)):
        told = [cell for cell in column if not _MISSING.fullmatch(cell)]
        for kind, pattern in ((_Kind.TIME, _TIME), (_Kind.FIGURE, _FIGURE)):
            if told and at not in found and sum(map(bool, map(pattern.fullmatch, told))) >= _MOSTLY * len(told):
                found[at] = kind
    return found


def _is_data(row: _Row, kinds: _Kinds) -> bool:
    """Whether a row holds what its columns hold: a time where they have times, mostly figures where they have these."""
    figures = _figures(row, kinds)
    times = [row[at] for at, kind in kinds.items() if kind is _Kind.TIME and row[at]]
    are_figures = sum(map(bool, map(_FIGURE.fullmatch, figures))) >= _HALF * len(figures)
    if figures and (not are_figures or _are_periods(figures)):
        return False
    if not times or _TIME.fullmatch(times[0]):
        return bool(figures) or (_Kind.FIGURE not in kinds.values() and bool(times) and sum(map(bool, row)) > 1)
    label = next(filter(None, row))
    return bool(figures) and (_WHOLE.search(label) is not None or not _ABOUT_COLUMNS.search(label))


def _figures(row: _Row, kinds: _Kinds) -> _Row:
    return [row[at] for at, kind in kinds.items() if kind is _Kind.FIGURE and not _MISSING.fullmatch(row[at])]


def _are_periods(told: Sequence[str]) -> bool:
    """Whether cells are years or months one after the other, which head columns of figures."""
    is_one_each = len(set(told)) == len(told) > 1 and told in (sorted(told), sorted(told, reverse=True))
    return is_one_each and all(map(_TIME.fullmatch, told))


# --- which rows above it are its head --------------------------------------------------------------------------------


def _named(above: Sequence[_Row], kinds: _Kinds) -> list[int]:
    """Return the rows of the head among those above the data, from the last one up."""
    found: list[int] = []
    for at in range(len(above) - 1, -1, -1):
        below = [above[one] for one in found]
        if _is_of_head(above[at], below, kinds):
            found.insert(0, at)
        elif found:
            break
    # What a head with a name for each column has below it are rows without figures, unless they say what it is about.
    whole = next((at for at in found if all(above[at][column] for column in kinds)), None)
    while whole is not None and found[-1] > whole and not _adds(above[found[-1]], kinds):
        found.pop()
    return found


def _is_of_head(row: _Row, below: Sequence[_Row], kinds: _Kinds) -> bool:
    told = [at for at, cell in enumerate(row) if cell]
    if len(told) < 2 or any(map(_UNIT_OF_ALL.fullmatch, row)):
        is_group = len(told) == 1 and bool(below) and 0 < told[0] < len(row) - 1 and not row[told[0] + 1]
        return is_group and told[0] in kinds and bool(below[0][told[0] + 1])
    if not below:
        return len(told) >= _HALF * len(row) and sum(at in kinds for at in told) >= _HALF * len(kinds)
    is_pair = told == [0, 1] and len(row) > len(told) and all(below[0][:2])
    return not is_pair and any(at in kinds for at in told)


def _adds(row: _Row, kinds: _Kinds) -> bool:
    """Whether a row below the names belongs to them: units, codes, a translation; none of figures left out."""
    told = _figures(row, kinds)
    is_timeless = any(kind is _Kind.TIME and row[at] and not _TIME.fullmatch(row[at]) for at, kind in kinds.items())
    return is_timeless or len(told) >= _HALF * sum(kind is _Kind.FIGURE for kind in kinds.values()) > 0


def _first_wide(table: Sequence[_Row]) -> int:
    """Return the first row with about as many cells as others have."""
    counts = [sum(map(bool, row)) for row in table]
    usual = median(filter(None, counts)) if any(counts) else 0
    return next((at for at, count in enumerate(counts) if count > 1 and count > _HALF * usual), 0)


# --- what the rows of a head say -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Told:
    """The rows of a head by what they say."""

    names: list[_Row]
    units: _Row
    common: str
    """What all columns are of."""
    are_labelled: bool
    """Whether the first cell of each says what the row is, and not what the first column is."""

    @classmethod
    def of(cls, head: Sequence[_Row], kinds: _Kinds) -> _Told:
        units = next((row for row in head if len(head) > 1 and _are_units(row)), [])
        others = [row for row in head if row is not units and not (len(head) > 1 and _is_about(row, kinds))]
        same = [row for row in others if len(others) > 1 and len(row) > 2 and len(set(row[1:])) == 1 and row[1]]
        names = [row for row in others if row not in same] or [head[0]] if head else []
        labels = {row[0] for row in head if row[0]}
        return cls(names, units, same[0][1] if same else "", len(labels) > 2 or len(labels) == len(head) > 1)


def _are_units(row: _Row) -> bool:
    told = [cell for cell in row[1:] if cell]
    return bool(told) and (_UNIT_LABEL.fullmatch(row[0]) is not None or all(map(_UNIT.fullmatch, told)))


def _is_about(row: _Row, kinds: _Kinds) -> bool:
    """Whether a row says codes, weights or times of the columns, and is labelled so."""
    told = [row[at] for at in kinds if at and row[at]]
    is_plain = all(_FIGURE.fullmatch(cell) or _TIME.fullmatch(cell) or _CODE.fullmatch(cell) for cell in told)
    return bool(told) and is_plain and _ABOUT_COLUMNS.search(row[0]) is not None


def _joined(names: Sequence[_Row]) -> _Row:
    """Return the names of columns from the rows of a head: groups over theirs, a translation behind in brackets."""
    if not names:
        return []
    *upper, lower = names
    if not upper:
        return lower
    above = _joined(_spread(upper, lower))
    return [_one(group, own) for group, own in zip(above, lower, strict=True)]


def _spread(upper: Sequence[_Row], lower: _Row) -> list[_Row]:
    """Return rows of groups of which each stands over all of its columns, as a merged cell does."""
    found = []
    for row in upper:
        spread, group = list[str](), ""
        for own, below in zip(row, lower, strict=True):
            group = own if own else group if below else ""
            spread.append(group)
            group = group if below else ""
        found.append(spread if sum(map(bool, row)) < len(row) else row)
    return found


def _one(group: str, own: str) -> str:
    if not group or not own or group in own or own in group:
        return max(group, own, key=len)
    is_translated = _JAPANESE.search(group) and not _JAPANESE.search(own) and _LATIN.match(own)
    return f"{group}（{own}）" if is_translated else f"{group} {own}"


def _with_time(told: _Told, kinds: _Kinds) -> _Row:
    """Return the names; a first column of times without one, or with that of the rows of a head, is the time."""
    names = list(_joined(told.names))
    is_own = bool(names) and bool(names[0]) and (_NAMES_TIME.search(names[0]) or not told.are_labelled)
    if names and kinds.get(0) is _Kind.TIME and not is_own:
        names[0] = "時点" if any(map(_JAPANESE.search, names)) else "time"
    return names


def _measured(names: _Row, units: _Row, of_all: str, kinds: _Kinds) -> _Row:
    """Return the names with the units of a row of their own, those of figures with the one that all are counted in."""
    found = []
    for at, name in enumerate(names):
        unit = units[at].strip("()（）[]") if units and at else ""
        if not units and kinds.get(at) is _Kind.FIGURE and not _OWN_UNIT.search(name):
            unit = of_all
        is_told = not name or not unit or f"({unit}" in name.replace("（", "(") or kinds.get(at) is _Kind.TIME
        bracketed = f"（{unit}）" if _JAPANESE.search(name) else f" ({unit})"
        found.append(name if is_told else f"{name}{bracketed}")
    return found


def _unit_of_all(above: Sequence[_Row]) -> str:
    """Return the unit that is told above a head: （単位：百万円）; empty where several are, or none."""
    told = {match["unit"] for row in above for cell in row if (match := _UNIT_OF_ALL.fullmatch(cell))}
    return told.pop() if len(told) == 1 else ""


def _title(above: Sequence[_Row]) -> str:
    """Return what a table is called above its head."""
    for row in above:
        told = list(filter(None, row))
        if len(told) == 2 and _TITLE_KEY.fullmatch(told[0]):
            return told[1][:_TITLE]
    alone = (told[0] for row in above if len(told := list(filter(None, row))) == 1)
    names = (one for one in alone if 3 < len(one) <= _TITLE and not _TIME.fullmatch(one) and "単位" not in one)
    return next(names, "")


def _line(row: _Row) -> str:
    """Return a row that is none of data as a line that nobody takes for one."""
    told = list(dict.fromkeys(filter(None, row)))
    return f"{told[0].rstrip(':：')}: {told[1]}" if len(told) == 2 else " | ".join(told)
