"""Questions to the rows of a table, worked out and told: `research.core.RowQuery` in, lines with their rows out.

What rows come to is told so that anybody can work it out again, as `research.verification.calculations` does:

    322.97 = average of 1,000 rows (Date: 2019-03)
    34.4% = 344 rows (Payment: Cash) ÷ 1,000 rows
    31.2% = 505.7 (sum of 12 rows, Country: Vietnam) ÷ 1,618.7 (sum of 48 rows)
    15.8% = 96 (sum of 12 rows, Profit; Country: Vietnam) ÷ 608 (sum of 12 rows, Sales; Country: Vietnam)

What is told names the column before it; where there are two, each figure names its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum
from statistics import median

from research.core import MADE_OF, How, Relation, RowQuery, Span
from research.language import COMMA, Bilingual, Language
from research.quantities.frames import NOT, OR, SHEET, TO, Frame, Row, frames, keeps
from research.text import MONTHS, folded, humps_apart, label_in_words

# --- what some rows come to ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """What some rows of a frame come to."""

    rows: tuple[Row, ...] = field(repr=False)
    how: How
    label: str
    """The column that is added up, or whose cells are counted, each once; empty where rows are counted."""
    where: tuple[tuple[str, str], ...]
    """What their cells say."""
    value: float

    def of(self, column: str) -> str:
        """Return what the cells of a column say of which this is told."""
        return dict(self.where)[column]


def part_of(frame: Frame, how: How, label: str, where: Mapping[str, str]) -> Part | None:
    """Return what the rows that are chosen come to; None without any."""
    return _part(frame, frame.chosen(where), how, label, where)


def parts_by(
    frame: Frame, how: How, label: str, where: Mapping[str, str], group: str, *, span: Span = Span.MONTH
) -> list[Part]:
    """Return what the rows that are chosen come to for each that a column says; of days, for each `span` of them."""
    told: dict[str, list[Row]] = {}
    for row in frame.chosen(where):
        one = _within(frame.when(row), span) if group == frame.day else row.cells.get(group, "")
        told.setdefault(one, []).append(row)
    found = (_part(frame, rows, how, label, {**where, group: one}) for one, rows in sorted(told.items()) if one)
    return [part for part in found if part]


def _within(day: str, span: Span) -> str:
    """Return the year, quarter, month or day that a day lies in, as rows are chosen by it; empty if it tells none."""
    least = {Span.YEAR: 4, Span.QUARTER: 7, Span.MONTH: 7, Span.DAY: 10}[span]
    if len(day) < least:
        return ""
    if span is not Span.QUARTER:
        return day[:least]
    first = (int(day[5:7]) - 1) // 3 * 3 + 1
    return f"{day[:4]}-{first:02}{TO}{day[:4]}-{first + 2:02}"


def part_of_rows(text: str, starts: Collection[int], how: How, label: str) -> Part | None:
    """Return what the rows of a page that begin at these places come to, told by what all of them say, and when.

    None where they cannot be told so: others say the same. `label` is that of a column, in words.
    """
    for frame in (one for whole in frames(text) for one in (whole, whole.parts)):
        rows = [row for row in frame.rows if row.start in starts]
        column = next((one for one in frame.numbers if label in (one, label_in_words(one))), "")
        if column and len(rows) == len(starts):
            where = frame.telling(rows)
            if len(frame.chosen(where)) == len(rows):
                return _part(frame, rows, how, column, where)
    return None


def _part(frame: Frame, rows: Sequence[Row], how: How, label: str, where: Mapping[str, str]) -> Part | None:
    said = tuple(where.items())
    if how is How.COUNT:
        return Part(tuple(rows), how, "", said, float(len(rows))) if rows else None
    if how is How.DIFFERENT:
        named = [row for row in rows if row.cells.get(label)]
        return Part(tuple(named), how, label, said, float(len({row.cells[label] for row in named}))) if named else None
    read = [(row, frame.figure(row, label)) for row in rows]
    told = [(row, number) for row, number in read if number is not None]
    is_unread = any(number is None and any(map(str.isalnum, row.cells.get(label, ""))) for row, number in read)
    if is_unread or len({frame.unit(row, label) for row, _ in told}) > 1:
        return None  # A sum that leaves some out, or adds yen to dollars, is none.
    if not told:
        return None
    return Part(tuple(row for row, _ in told), how, label, said, _FIGURE_OF[how]([number for _, number in told]))


_FIGURE_OF: Mapping[How, Callable[[Sequence[float]], float]] = {
    How.SUM: fsum,
    How.AVERAGE: lambda held: fsum(held) / len(held),
    How.HIGHEST: max,
    How.LOWEST: min,
    How.MEDIAN: median,
}
_IN_BRACKETS, _MADE_IN_BRACKETS = (
    Bilingual(" ({where})", "（{where}）"),
    Bilingual(" ({made}{where})", "（{made}{where}）"),
)
FURTHER = "; "
"""What stands between the cells by which rows are chosen."""


def made_of(part: Part, language: Language) -> str:
    """Return of which rows a figure is made, and how: `sum of 31 rows (Shop: Shinjuku; Date: 2025-12)`."""
    return _made(part, language) + (_IN_BRACKETS.in_(language).format(where=_where(part)) if part.where else "")


def operand_of(part: Part, language: Language, *, is_named: bool = False) -> str:
    """Return a figure with of which rows it is made, as it stands in a calculation; with its column if it is named."""
    if part.how is How.COUNT:
        return made_of(part, language)
    if len(part.rows) == 1 and part.label in part.rows[0].cells:
        return shown(part.value)
    told = FURTHER.join(filter(None, [part.label if is_named else "", _where(part)]))
    where = COMMA.in_(language) + told if told else ""
    return shown(part.value) + _MADE_IN_BRACKETS.in_(language).format(made=_made(part, language), where=where)


def _made(part: Part, language: Language) -> str:
    return MADE_OF[part.how].in_(language).format(count=f"{len(part.rows):,}")


def _where(part: Part) -> str:
    return FURTHER.join(f"{label}: {said}" for label, said in part.where)


def shown(value: float) -> str:
    """Return a figure as a reader wants it: whole, else with two decimals, of a small one with three digits."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.3g}"


_COUNT = re.compile(r"(\d[\d,]*)(?: rows|行)")


def stands_for_more(text: str, cited: int) -> bool:
    """Whether what is told in a text is of more rows than the `cited` ones that stand for them."""
    return any(int(count.replace(",", "")) > cited for count in _COUNT.findall(text))


# --- a question answered ---------------------------------------------------------------------------------------------

_CITED, _BESIDE, _SHOWN = 2, 4, 20
"""Rows that are cited of one figure, cells that tell a single row, and groups or rows that are shown at most."""
_BARE = re.compile(r"-?\d+(?:\.\d+)?")
_MONTH = re.compile(r"((?:19|20)\d\d)-(0[1-9]|1[0-2])")
SAYS_NOTHING = frozenset(("yes", "no", "none", "na", "other", "all", "total", "その他", "あり", "なし", "合計"))
"""Cells that say nothing without the name of their column, and that a question does not mean by having their word."""
_SIGNS = f"≥≤><{NOT[0]}"
"""With what a condition begins that is no cell."""
_TIMES = Bilingual("{value} times", "{value}倍")


@dataclass(frozen=True)
class Told:
    """What rows of a file come to, and which of them are cited for it."""

    what: str
    said: str
    rows: tuple[Row, ...]
    is_computed: bool = True
    """Not what a single row says."""


def answered(page: str, title: str, query: RowQuery, language: Language) -> list[Told]:
    """Return what a table of a page answers to a query, the first first; nothing where it has no such rows or figures.

    Args:
        page: The text of the page.
        title: Its title, which stands for a column where rows are counted.
        query: What is asked.
        language: That of the lines.
    """
    tables = frames(page)
    if not 0 <= query.table < len(tables):
        return []
    return answers(Telling(tables[query.table], title, language), query)


def answers(told: Telling, query: RowQuery) -> list[Told]:
    """Return what one table answers to a query."""
    found = _rows(told, query) if query.how is None else _figures(told, query, query.how)
    return list(found)[: min(query.most, _SHOWN)]


def _rows(told: Telling, query: RowQuery) -> Iterator[Told]:
    """Yield the rows that are asked for; those in which the column is empty are left out."""
    frame, column = told.frame, query.column
    where = dict(query.where)
    held = [(key, row) for row in told.base(where).chosen(where) if (key := _key(frame, row, column)) is not None]
    limits = [one for label, said in query.where if said[0] in _SIGNS for one in (label, said[2:])]
    read = [one for told_of in (column, *limits) for one in frame.parts_of(told_of) or (told_of,)]
    columns = [one for one in dict.fromkeys(read) if one in frame.numbers]
    for _, row in sorted(held, key=lambda one: one[0], reverse=not query.is_lowest_first) if column else held:
        yield told.row(row, columns)


def _key(frame: Frame, row: Row, column: str) -> tuple[float, str] | None:
    """Return what a row is put in order by: a figure, a day, else words."""
    if not column:
        return 0.0, ""
    if frame.is_dated(column) or column == frame.time:
        when = frame.when(row) if column == frame.time else frame.day_of(row, column)
        return (0.0, when) if when else None
    figure = frame.figure(row, column)
    said = row.cells.get(column, "")
    return (figure, "") if figure is not None else (0.0, said) if said and column not in frame.numbers else None


def _figures(told: Telling, query: RowQuery, how: How) -> Iterator[Told]:
    """Yield what rows come to: the row of the highest or lowest, else a figure of all of them or of each group."""
    where = dict(query.where)
    if not query.group and query.relation is None and how in (How.HIGHEST, How.LOWEST):
        part = part_of(told.base(where), how, query.column, where)
        yield from [told.extreme(part)] if part else []
        return
    worth = ((_worth(*pair, query.relation), pair) for pair in _pairs(told, query, how))
    kept = [(figure, pair) for figure, pair in worth if figure is not None and keeps(query.having, figure)]
    if not (query.group and query.group == told.frame.day and len(kept) <= query.most):  # Times follow each other.
        kept.sort(key=lambda one: one[0], reverse=not query.is_lowest_first)
    for _, (part, other) in kept:
        yield told.single(part) if query.relation is None else told.related(query.relation, part, other)


def _pairs(told: Telling, query: RowQuery, how: How) -> Iterator[tuple[Part, Part]]:
    """Yield each figure with the one that it is held against, itself where it is against none.

    A group is held against the same group of other rows, or, as its share, against all of these together.
    """
    where, over = dict(query.where), query.over or query.column
    of = where if query.against is None else dict(query.against)
    own, others = told.base(where), told.base(of)
    whole = part_of(others, how, over, of)
    if not query.group:
        part = part_of(own, how, query.column, where)
        yield from [(part, whole)] if part and whole else []
        return
    group, is_of_whole = query.group, query.relation is Relation.SHARE and query.against is not None
    is_of_whole = is_of_whole and group not in of
    by_group = {one.of(group): one for one in parts_by(others, how, over, of, group, span=query.span)}
    for part in parts_by(own, how, query.column, where, group, span=query.span):
        if other := whole if is_of_whole else by_group.get(part.of(group)):
            yield part, other


def _worth(part: Part, other: Part, relation: Relation | None) -> float | None:
    """Return what groups are put in order by; None where there is nothing to hold a figure against."""
    if relation is None:
        return part.value
    if relation is Relation.DIFFERENCE:
        return part.value - other.value
    return part.value / other.value * (100 if relation is Relation.SHARE else 1) if other.value else None


@dataclass(frozen=True)
class Telling:
    """What the rows of a table come to, in words."""

    frame: Frame
    title: str
    language: Language

    def base(self, where: Mapping[str, str]) -> Frame:
        """Return the rows without those that hold others together, unless these are all there are, or are named."""
        chosen = self.frame.chosen(where)
        wholes = [row for row in chosen if self.frame.is_whole(row)]
        are_named = all(any(row.cells.get(label) in said.split(OR) for label, said in where.items()) for row in wholes)
        return self.frame if wholes and (are_named or len(wholes) == len(chosen)) else self.frame.parts

    def single(self, part: Part) -> Told:
        """Return what rows come to; what a single one says as it stands there."""
        what, worked = self.what([part]), self.frame.parts_of(part.label)
        if len(part.rows) == 1 and part.label in part.rows[0].cells and part.how is not How.DIFFERENT:
            cell = part.rows[0].cells[part.label]
            return Told(what, shown(part.value) if _BARE.fullmatch(cell) else cell, part.rows, is_computed=False)
        if len(part.rows) == 1 and worked is not None and not self.frame.is_dated(worked[0]):
            one, other = (shown(self.frame.figure(part.rows[0], label) or 0.0) for label in (worked[0], worked[2]))
            return Told(what, f"{shown(part.value)} = {one}{worked[1]}{other}", part.rows)
        return Told(what, f"{shown(part.value)} = {made_of(part, self.language)}", standing_for(part))

    def row(self, row: Row, columns: Sequence[str]) -> Told:
        """Return what a row says: what it is about and when, and some columns of it; all of a few without any."""
        beside, comma = [one for one in self._beside(row) if one not in columns], COMMA.in_(self.language)
        what = comma.join(row.cells[one] for one in beside[:_BESIDE])
        others = [one for one in row.cells if row.cells[one] and one not in (SHEET, *beside)][:_BESIDE]
        cells = [f"{one}: {row.cells.get(one, '')}" for one in columns or others]
        if len(columns) == 1:
            what, cells = comma.join(filter(None, [what, columns[0]])), [row.cells.get(columns[0], "")]
        return Told(what or spaced(self.title), comma.join(cells), (row,), is_computed=False)

    def extreme(self, part: Part) -> Told:
        """Return the highest or lowest figure, with what its row is about."""
        row = next(row for row in part.rows if self.frame.figure(row, part.label) == part.value)
        told = [row.cells[one] for one in self._beside(row)[: _BESIDE - 1]]
        said = f"{shown(part.value)} = {made_of(part, self.language)}"
        return Told(COMMA.in_(self.language).join([*told, part.label]), said, (row,))

    def _beside(self, row: Row) -> list[str]:
        columns = (self.frame.day, self.frame.year, *self.frame.words)
        told = (one for one in columns if one and one != SHEET and row.cells.get(one) and "://" not in row.cells[one])
        return list(dict.fromkeys(told))

    def related(self, relation: Relation, part: Part, other: Part) -> Told:
        """Return a figure held against another; what both are made of is told beside it."""
        is_named = part.label != other.label
        first, last = (operand_of(one, self.language, is_named=is_named) for one in (part, other))
        sign = "−" if relation in (Relation.DIFFERENCE, Relation.CHANGE) else "÷"
        rows = tuple(dict.fromkeys((*standing_for(part), *standing_for(other))))
        result = _result(relation, part.value, other.value, self.language)
        # A share is of the part; what is held against another of its kind is told by what both have in common.
        what = self.what([part] if relation is Relation.SHARE else [part, other])
        label = f"{what} {sign} {other.label}" if is_named and what.endswith(part.label) else what
        return Told(label, f"{result} = {first} {sign} {last}", rows)

    def what(self, parts: Sequence[Part]) -> str:
        """Return whose figures these are: what all of their rows say, also in a column that nobody asked for."""
        common = [cell for cell in parts[0].where if all(cell in one.where for one in parts)]
        told = [self._in_words(label, said) for label, said in common]
        if len(parts) == 1:
            told += self._also_called(parts[0])
        return COMMA.in_(self.language).join(filter(None, [*told, parts[0].label])) or spaced(self.title)

    def _also_called(self, part: Part) -> list[str]:
        """Return what else the rows of a group are called, if no others are: shop B is the one in Mandalay."""
        words = self.frame.words
        asked = next(iter(dict(part.where)), "")
        if len(part.where) != 1 or asked not in words:
            return []
        others = [one for one, said in words.items() if one not in (SHEET, asked) and len(said) == len(words[asked])]
        told = [(label, {row.cells.get(label, "") for row in part.rows}) for label in others]
        alone = ((label, said.pop()) for label, said in told if len(said) == 1)
        return [said for label, said in alone if len(self.frame.chosen({label: said})) == len(part.rows)][:1]

    def _in_words(self, label: str, said: str) -> str:
        """Return what rows say: months written out, and of what yes, no and limits are said."""
        if folded(said) in SAYS_NOTHING or said[0] in _SIGNS:
            return f"{spaced(label)}: {said}"
        ends = said.split(TO)
        return span_of(ends[0], ends[-1], self.language) if all(map(_MONTH.fullmatch, ends)) else said


def _result(relation: Relation, value: float, other: float, language: Language) -> str:
    match relation:
        case Relation.SHARE:
            return f"{100 * value / other:.1f}%" if other else "0%"
        case Relation.TIMES:
            return _TIMES.in_(language).format(value=shown(value / other))
        case Relation.RATIO:
            return shown(value / other)
        case Relation.CHANGE if other > 0:
            return f"{signed(shown(value - other))} ({signed(f'{100 * (value / other - 1):.1f}')}%)"
        case _:
            return shown(value - other).replace("-", "−", 1)


def signed(change: str) -> str:
    """Return a change with its sign, also where it is more."""
    return f"−{change[1:]}" if change[:1] in "-−" else f"+{change}"


def standing_for(part: Part) -> tuple[Row, ...]:
    """Return the rows that are cited for a figure: all of a few, the first and the last of many."""
    return part.rows if len(part.rows) <= _CITED else (part.rows[0], part.rows[-1])


@lru_cache(maxsize=4_096)
def spaced(label: str) -> str:
    """Return a label by its words: MonthlyIncome is Monthly Income."""
    return humps_apart(label_in_words(label))


def span_of(first: str, last: str, language: Language) -> str:
    """Return from when to when something is that lasts: months are written out."""
    ends = [when_in_words(end, language) for end in dict.fromkeys((first, last))]
    return (" – " if language is Language.EN else "〜").join(ends)


def when_in_words(period: str, language: Language) -> str:
    """Return a month as it is said: `2025-04` is April 2025; any other period as it stands."""
    if (month := _MONTH.fullmatch(period)) is None:
        return period
    year, number = month.groups()
    return f"{MONTHS[int(number) - 1].title()} {year}" if language is Language.EN else f"{year}年{int(number)}月"
