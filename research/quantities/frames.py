"""The rows of a data file, read from the text of its page and chosen by what their cells say.

What is asked of a cell is written as it is told to a reader, so that anybody can choose the same rows again:

    新宿店, HR / Accounting, ≠ USA      words, one of several, all but one
    ≥ 35, ≥ 20 & < 30, < budget         figures that keep to limits, or to those of another column
    2014, 2014-10 – 2014-12, ≥ 2014-10  days within a year, between months, from a month on

A column may be worked out from two in each row: `actual − budget`, `price × stock`; of two days, in days.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache
from math import isfinite
from operator import ge, gt, le, lt, mul, sub, truediv

from research.quantities.periods import ERA_BEGINS
from research.text import MONTH_COLUMN, MONTH_NUMBER, MONTHS, cells

_SHEET = re.compile(r"#\s+(?P<name>\S.*)")
SHEET = "sheet"
"""What the name of a workbook's sheet stands under, as if it were a cell of each of its rows."""
TO = " – "
"""What stands between the first and the last month of rows that are chosen."""
NOT = "≠ "
"""What stands before a cell that rows do not have."""
AND, OR = " & ", " / "
"""What stands between conditions that all hold of a cell, and between those of which one does."""
WORKED: Mapping[str, Callable[[float, float], float]] = {" − ": sub, " × ": mul, " ÷ ": truediv}
"""What stands between two columns from which another is worked out, row by row."""
LEAST_ROWS = 12
"""Rows from which they are chosen and added up; those of a smaller table are read as they stand."""
_FEWEST = 2
"""Rows from which there is something to choose among."""
_SAMPLE = 200
"""Rows by which it is told what a column holds."""
_MOSTLY = 0.9
"""The share of a column's cells that are figures, or days, from which it is one of them: some tables mark what is
missing with a dash."""
_MONTHS = tuple(month[:3] for month in MONTHS)
_NAMES = "|".join(_MONTHS)
_LONGEST_MONTH = 31
_DAY = re.compile(
    r"(?P<year>(?:19|20)\d\d)\s?[-/.年]\s?(?P<month>\d{1,2})(?:\s?[-/.月]\s?(?P<day>\d{1,2})日?|月?)"
    r"(?:[ T]+\d{1,2}:\d\d(?::\d\d)?)?",
)
_IN_WORDS = re.compile(
    rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}},? )?(?P<name>{_NAMES})[a-z]{{0,6}}\.? "
    r"(?:(?P<day>\d{1,2}),? )?(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})[ -](?P<name>{_NAMES})[a-z]*\.?[ -](?P<year>(?:19|20)\d\d)", re.IGNORECASE)
_SLASHED = re.compile(r"(?P<one>\d{1,2})[/.](?P<other>\d{1,2})[/.](?P<year>(?:19|20)\d\d)(?: \d{1,2}:\d\d(?::\d\d)?)?")
_COMPACT = re.compile(r"(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?")
_OF_ERA = re.compile(
    r"(?P<era>明治|大正|昭和|平成|令和|[MTSHR])\s?(?P<of_era>元|\d{1,2})[年.]\s?(?P<month>\d{1,2})(?:[月.]\s?(?P<day>\d{1,2})日?|月)?"
)
_QUARTER = re.compile(
    r"(?P<year>(?:19|20)\d\d)年?[-/ ]?(?:Q(?P<quarter>[1-4])|(?P<first>[1-4])Q|第?(?P<ja>[1-4])四半期)"
)
_ERA_LETTERS = {"令和": "R", "平成": "H", "昭和": "S", "大正": "T", "明治": "M"}
_DAYS = (_DAY, _IN_WORDS, _DAY_FIRST, _SLASHED, _COMPACT, _OF_ERA, _QUARTER)
"""Days as 2025-04-01, 2025/4, 2025年4月1日; as Apr 1, 2025, or Tue Apr 1 2025; as 1 April 2025; as 3/4/2025, of which
the column has to tell what is the month: one of the two is more than twelve somewhere; as 202504; as 平成31年4月; and
as 2025Q2, which stands for its first month."""
_FIGURE = re.compile(r"[-+−△▲(]?\s?[$€£¥￥]?\s?[-−(]?(?P<digits>\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s?[%％円]?\)?")
_MINUS = re.compile(r"[-−△▲(]")
_YEAR = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?:\.0|年度?)?|(?P<era>明治|大正|昭和|平成|令和)(?P<of_era>元|\d{1,2})年度?"
)
_YEAR_LABEL = re.compile(r"\byear|年|西暦|時点|^time$|^period$", re.IGNORECASE)
_LIMIT = re.compile(r"(?P<sign>[≥≤><]) (?P<than>\S.*)")
_PLAIN = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_MOMENT = re.compile(r"(?:19|20)\d\d(?:-\d\d){0,2}")
_KEEPS: Mapping[str, Callable[[float, float], bool]] = {"≥": ge, "≤": le, ">": gt, "<": lt}
"""How a limit is told that figures keep to: `≥ 35`."""
_WHOLE = re.compile(
    r"(?:.*\b)?(?:sub)?totals?|all|whole (?:country|company|group)|world|overall"
    r"|.*(?:合計|小計|総計)|全国|全体|全社|全店|世界|総数|計|県計|市計",
    re.IGNORECASE,
)
"""What a row says of itself that holds the others together."""
_CODE = "ALL"
"""What is the code of a share, and no word, where each row has a code of its own."""
_APART = re.compile(
    rf"(?:{_WHOLE.pattern})|.*(?:summary|budget|plan|forecast|target)|.*(?:集計|まとめ|予算|計画|予測|目標).*",
    re.IGNORECASE,
)
"""Names of sheets that are not of one kind with others: they hold these together, or what was planned."""
_UNITS = re.compile(r"[\d.,+−△▲()\s-]|[eE](?=[-+]?\d)")


@dataclass(frozen=True)
class Row:
    """A row of a data file: where it stands in the text of its page, and its cells by the names of their columns."""

    start: int
    end: int
    cells: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, eq=False)
class Frame:
    """Rows under the same columns."""

    rows: tuple[Row, ...]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of its columns, in order."""
        return tuple(dict.fromkeys(label for row in self.rows for label in row.cells))

    @cached_property
    def day(self) -> str:
        """The column that says when, with a month at least; the first of several."""
        dated = filter(self.is_dated, self.labels)
        return next((one for one in dated if not self._is_of(one, _SLASHED) or self._is_day_first(one) is not None), "")

    def is_dated(self, label: str) -> bool:
        """Whether a column holds days, in whatever way they are written."""
        if label not in self._dated:
            self._dated[label] = any(self._is_of(label, one) for one in _DAYS)
        return self._dated[label]

    @cached_property
    def _dated(self) -> dict[str, bool]:
        return {}

    def _is_day_first(self, label: str) -> bool | None:
        if label not in self._day_first:
            self._day_first[label] = self._first_is_day(label)
        return self._day_first[label]

    @cached_property
    def _day_first(self) -> dict[str, bool | None]:
        return {}

    def _first_is_day(self, label: str) -> bool | None:
        told = [match for row in self.rows if (match := _SLASHED.fullmatch(row.cells.get(label, "")))]
        first, second = (any(int(match[part]) > len(_MONTHS) for match in told) for part in ("one", "other"))
        return None if first is second else first

    @cached_property
    def year(self) -> str:
        """The column that holds nothing but years; empty without one, or where days tell them."""
        years = (one for one in self.labels if _YEAR_LABEL.search(one) and self._is_of(one, _YEAR))
        return "" if self.day else next(years, "")

    @property
    def time(self) -> str:
        """The column that says when: of days, else of years; empty without either."""
        return self.day or self.year

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The columns of figures."""
        return tuple(one for one in self.labels if one != self.time and self._is_of(one, _FIGURE))

    @cached_property
    def words(self) -> Mapping[str, tuple[str, ...]]:
        """The columns that say what a row is about, with all that they say; those in which no two rows agree too."""
        others = [one for one in self.labels if one not in (*self.numbers, self.day)]
        return {
            one: tuple(dict.fromkeys(filter(None, (row.cells.get(one, "") for row in self.rows)))) for one in others
        }

    def when(self, row: Row) -> str:
        """Return when a row is of, as `2025-04-01`, `2025-04` or `2025`; empty where it does not say."""
        if self.day:
            return self.day_of(row, self.day)
        match = _YEAR.fullmatch(row.cells.get(self.year, "")) if self.year else None
        return _year_of(match.groupdict()) if match else ""

    def day_of(self, row: Row, label: str) -> str:
        """Return the day, or month, that a cell says, as ISO 8601 has it; empty where it says none."""
        return _iso(row.cells.get(label, ""), is_day_first=self._is_day_first(label))

    @cached_property
    def _month(self) -> str:
        """The column that holds nothing but months, beside one of years; empty without one."""
        months = (one for one in self.labels if MONTH_COLUMN.fullmatch(one) and self._is_of(one, MONTH_NUMBER))
        return next(months, "") if self.year else ""

    def _moment(self, row: Row) -> str:
        """Return when a row is of, with the month that stands in a column beside its year."""
        month = row.cells.get(self._month, "") if self._month else ""
        return f"{self.when(row)}-{int(month):02}" if month.isdecimal() else self.when(row)

    @cached_property
    def is_by_month(self) -> bool:
        """Whether each row is of a month, written as one."""
        return (
            bool(self.day)
            and not self.is_by_quarter
            and all(len(self.when(row)) == len("2025-04") for row in self.rows)
        )

    @cached_property
    def is_a_series(self) -> bool:
        """Whether no two rows are of one time."""
        return len({self.when(row) for row in self.rows}) == len(self.rows)

    @cached_property
    def is_by_quarter(self) -> bool:
        """Whether each row is of a quarter."""
        return bool(self.day) and self._is_of(self.day, _QUARTER)

    def figure(self, row: Row, label: str) -> float | None:
        """Return the figure in a cell, or what is worked out from two; None where it holds none."""
        if (worked := self.parts_of(label)) is not None:
            first, sign, second = worked
            one, other = self._operand(row, first), self._operand(row, second)
            is_none = one is None or other is None or (sign == " ÷ " and not other)
            return None if is_none or one is None or other is None else WORKED[sign](one, other)
        said = unicodedata.normalize("NFKC", row.cells.get(label, "")).strip()
        match = _FIGURE.fullmatch(said)
        if match is None:
            return None
        number = float(match["digits"].replace(",", ""))
        return (-number if _MINUS.search(said[: match.start("digits")]) else number) if isfinite(number) else None

    def parts_of(self, label: str) -> tuple[str, str, str] | None:
        """Return the columns from which one is worked out, and the sign between them; None of one as it stands."""
        if label in self.labels:
            return None
        split = ((label.partition(sign)) for sign in WORKED)
        return next((one for one in split if one[0] in self.labels and one[2] in self.labels), None)

    def _operand(self, row: Row, label: str) -> float | None:
        """Return the figure of a cell; of a day, how many days it is from the first of all."""
        if not self.is_dated(label):
            return self.figure(row, label)
        day = self.day_of(row, label)
        try:
            return float(date.fromisoformat(day).toordinal())
        except ValueError:  # No day of any month, or a month.
            return None

    def unit(self, row: Row, label: str) -> str:
        """Return what a cell says beside its figure: a currency, a percent sign."""
        if (worked := self.parts_of(label)) is not None:
            one, sign, other = worked
            units = dict.fromkeys((self.unit(row, one), self.unit(row, other)))
            return "days" if self.is_dated(one) else sign.join(units)
        return _UNITS.sub("", unicodedata.normalize("NFKC", row.cells.get(label, "")))

    def is_whole(self, row: Row) -> bool:
        """Whether a row holds others together, the whole country beside its regions, or says nothing but figures."""
        labels = [label for label in (*self.words, self.day) if label not in ("", SHEET)]
        told = [cell for label in labels if (cell := row.cells.get(label, "")) != _CODE or label not in self._names]
        said = [*told, *(one.replace(" ", "") for one in told if not one.isascii())]
        return any(map(_WHOLE.fullmatch, said)) or (bool(told) and not any(told))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The columns in which no two rows say the same."""
        return frozenset(label for label, said in self.words.items() if len(said) == len(self.rows))

    @cached_property
    def parts(self) -> Frame:
        """Its rows without those that hold others together."""
        return Frame(tuple(row for row in self.rows if not self.is_whole(row)))

    def chosen(self, where: Mapping[str, str]) -> list[Row]:
        """Return the rows whose cells say so, as the head of this module has it."""
        return [row for row in self.rows if all(self._says(row, *cell) for cell in where.items())]

    def telling(self, rows: Sequence[Row]) -> dict[str, str]:
        """Return what cells say that tell rows from the others, as far as they do; the time behind the rest."""
        times = sorted(map(self._moment, rows))
        time = {self.time: TO.join(dict.fromkeys((times[0], times[-1])))} if times[0] else {}
        where: dict[str, str] = {}
        for label, known in self.words.items():
            said = {row.cells.get(label, "") for row in rows}
            if len(self.chosen(where | time)) == len(rows):
                break
            if label != self.year and len(said) == 1 < len(known) and "" not in said:
                where[label] = said.pop()
        return where | time

    def _says(self, row: Row, label: str, said: str) -> bool:
        if (meant := self._meant(label, said)) is not None:
            return (row.cells.get(label, "") in meant) is not said.startswith(NOT)
        for sign, hold in ((AND, all), (OR, any)):
            if sign in said:
                return hold(self._says(row, label, one) for one in said.split(sign))
        if limit := _LIMIT.fullmatch(said):
            return self._keeps(row, label, limit)
        if said.startswith(NOT):
            return not self._says(row, label, said.removeprefix(NOT))
        return self._is_then(row, label, said)

    def _meant(self, label: str, said: str) -> frozenset[str] | None:
        """Return the cells that are said as they stand, or left out; None where it is told otherwise."""
        held, bare = self._held(label), said.removeprefix(NOT)
        several = bare.split(OR) if OR in bare and said == bare else []
        if bare in held:
            return frozenset((bare,))
        return frozenset(several) if several and held.issuperset(several) else None

    def _is_then(self, row: Row, label: str, said: str) -> bool:
        """Whether a cell is of a year, a month or a day, or lies between two of them."""
        if label not in (self.day, self.year):
            return _MOMENT.fullmatch(said) is not None and self.day_of(row, label).startswith(said)
        first, _, last = said.partition(TO)
        when = self._moment(row)
        return first <= when[: len(first)] and when[: len(last)] <= last if last else when.startswith(first)

    def _held(self, label: str) -> frozenset[str]:
        """Return all that cells of a column say: “R & D” is one thing, where one of them says so."""
        if label not in self._all_held:
            self._all_held[label] = frozenset(row.cells.get(label, "") for row in self.rows) - {""}
        return self._all_held[label]

    @cached_property
    def _all_held(self) -> dict[str, frozenset[str]]:
        return {}

    def _keeps(self, row: Row, label: str, limit: re.Match[str]) -> bool:
        """Whether a cell keeps to a limit: a figure, that of another column, or a time."""
        keeps, than = _KEEPS[limit["sign"]], limit["than"]
        if label in (self.day, self.year) or self.is_dated(label):
            when = self._moment(row) if label in (self.day, self.year) else self.day_of(row, label)
            than = self.day_of(row, than) if than in self.labels else than
            return bool(when and than) and _holds(keeps, when[: len(than)], than)
        figure = self.figure(row, label)
        other = _number(than) if _PLAIN.fullmatch(than) else self.figure(row, than)
        return figure is not None and other is not None and keeps(figure, other)

    def _is_of(self, label: str, pattern: re.Pattern[str]) -> bool:
        step = max(1, len(self.rows) // _SAMPLE)
        told = [said for row in self.rows[::step] if len(said := row.cells.get(label, "")) > 0]
        held = sum(pattern.fullmatch(said) is not None for said in told)
        return held > 0 and held >= _MOSTLY * sum(any(map(str.isalnum, said)) for said in told)


def keeps(limit: str, figure: float) -> bool:
    """Whether a figure keeps to a limit, as `≥ 35`; any does to none."""
    if not limit:
        return True
    match = _LIMIT.fullmatch(limit)
    if match is None or not _PLAIN.fullmatch(match["than"]):
        return False
    return _KEEPS[match["sign"]](figure, _number(match["than"]))


def _number(plain: str) -> float:
    return float(plain.replace(",", "").replace("−", "-"))


def _holds(keeps: Callable[[float, float], bool], one: str, other: str) -> bool:
    """Whether one time keeps to a limit that is another; both as ISO 8601 has them."""
    return keeps((one > other) - (one < other), 0)


def _iso(said: str, *, is_day_first: bool | None) -> str:
    """Return a day, or a month, as ISO 8601 has it; empty for any other text, and where it can be two of them."""
    match = next((found for one in _DAYS if (found := one.fullmatch(said))), None)
    told = match.groupdict() if match else {}
    if match is None or ("one" in told and is_day_first is None):
        return ""
    day, year = told.get("day"), _year_of(told)
    if "one" in told:
        month, day = (told["other"], told["one"]) if is_day_first else (told["one"], told["other"])
    elif "quarter" in told:
        month = str(3 * int(told["quarter"] or told["first"] or told["ja"]) - 2)
    else:
        month = told["month"] if "month" in told else str(_MONTHS.index(told["name"].lower()) + 1)
    if not 1 <= int(month) <= len(_MONTHS) or int(day or 1) > _LONGEST_MONTH:
        return ""
    return f"{year}-{int(month):02}-{int(day):02}" if day else f"{year}-{int(month):02}"


def _year_of(told: Mapping[str, str | None]) -> str:
    """Return the year of a time, which may be that of an era: 平成31年 is 2019."""
    if year := told.get("year"):
        return year
    era, number = told["era"] or "", told["of_era"] or ""
    begins = next(begin for name, begin in ERA_BEGINS.items() if era in (name, _ERA_LETTERS[name]))
    return str(begins + (1 if number == "元" else int(number)) - 1)


@lru_cache(maxsize=64)
def frames(text: str) -> tuple[Frame, ...]:
    """Return the tables that the text of a data file holds: sheets under about the same columns are one.

    One in which a row is no row, or says one column twice, has none: a sum that leaves it out would be wrong.
    """
    found: list[tuple[str, list[Row]]] = []
    for sheet, lines in _sheets(text):
        rows = _rows(lines, sheet)
        like = next((own for name, own in found if _are_alike(name, own, sheet, rows)), None)
        if like is None:
            found.append((sheet, list(rows)))
        else:
            like += rows
    return tuple(Frame(tuple(own)) for _, own in found if len(own) >= _FEWEST)


def _sheets(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the name of each sheet, empty where there are none, with its lines and where they begin."""
    at, sheet, lines = 0, "", list[tuple[int, str]]()
    for line in text.split("\n"):
        if heading := _SHEET.fullmatch(line):
            yield sheet, lines
            sheet, lines = heading["name"], []
        elif line.strip():
            lines.append((at, line))
        at += len(line) + 1
    yield sheet, lines


def _rows(lines: Sequence[tuple[int, str]], sheet: str) -> list[Row]:
    rows: list[Row] = []
    for at, line in lines:
        held = cells(line)
        if len({label for label, _ in held}) < len(held) or (not held and rows):
            return []
        if held:
            rows.append(Row(at, at + len(line), {**({SHEET: sheet} if sheet else {}), **dict(held)}))
    return rows


def _columns(rows: Sequence[Row]) -> frozenset[str]:
    return frozenset(label for row in rows[:_SAMPLE] for label in row.cells) - {SHEET}


_ALIKE = 0.8
"""The share of its columns that a sheet has in common with another of the same kind: some months have one more."""


def _are_alike(name: str, own: Sequence[Row], sheet: str, rows: Sequence[Row]) -> bool:
    one, other = _columns(own), _columns(rows)
    is_apart = any(map(_APART.fullmatch, (name, sheet)))
    return not is_apart and bool(one and other) and len(one & other) >= _ALIKE * len(one | other)
