"""The rows of a data file, chosen and added up; and how that is told, so that anybody can do it again.

    322.97 = average of 1,000 rows (Date: 2019-03)
    34.4% = 344 rows (Payment: Cash) ÷ 1,000 rows
    31.2% = 505.7 (sum of 12 rows, Country: Vietnam) ÷ 1,618.7 (sum of 48 rows)

Rows are chosen by what their cells say, and by the beginning of their dates. What is told names the column before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from math import fsum, isfinite
from operator import ge, gt, le, lt
from statistics import median

from research.language import Bilingual, Language, Phrase
from research.text import MONTH_COLUMN, MONTH_NUMBER, MONTHS, cells, folded, label_in_words, place_in

_SHEET = re.compile(r"#\s+(?P<name>\S.*)")
SHEET = "sheet"
"""What the name of a workbook's sheet stands under, as if it were a cell of each of its rows."""
TO = " – "
"""What stands between the first and the last month of rows that are chosen."""
NOT = "≠ "
"""What stands before a cell that rows do not have."""
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
_IN_WORDS = re.compile(rf"(?P<name>{_NAMES})[a-z]*\.? (?:(?P<day>\d{{1,2}}),? )?(?P<year>(?:19|20)\d\d)", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"(?P<day>\d{{1,2}})[ -](?P<name>{_NAMES})[a-z]*\.?[ -](?P<year>(?:19|20)\d\d)", re.IGNORECASE)
_SLASHED = re.compile(r"(?P<one>\d{1,2})[/.](?P<other>\d{1,2})[/.](?P<year>(?:19|20)\d\d)(?: \d{1,2}:\d\d(?::\d\d)?)?")
"""Days as 2025-04-01, 2025/4, 2025年4月1日; as Apr 1, 2025; as 1 April 2025; and as 3/4/2025, of which the column has
to tell what is the month: one of the two is more than twelve somewhere."""
_DAYS = (_DAY, _IN_WORDS, _DAY_FIRST, _SLASHED)
_FIGURE = re.compile(r"[-+−△▲(]?\s?[$€£¥￥]?\s?[-−(]?(?P<digits>\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)\s?[%％円]?\)?")
_MINUS = re.compile(r"[-−△▲(]")
_YEAR, _YEAR_LABEL = re.compile(r"(?:19|20)\d\d(?:\.0)?"), re.compile(r"\byear|年|西暦", re.IGNORECASE)
_LIMIT = re.compile(r"(?P<sign>[≥≤><]) (?P<figure>-?\d[\d,]*(?:\.\d+)?)")
_KEEPS: Mapping[str, Callable[[float, float], bool]] = {"≥": ge, "≤": le, ">": gt, "<": lt}
"""How a limit is told that figures keep to: `≥ 35`."""
_WHOLE = re.compile(
    r"(?:.*\b)?(?:sub)?totals?|all|whole (?:country|company|group)|world|overall"
    r"|.*(?:合計|小計|総計)|全国|全体|全社|全店|世界|総数|計|県計|市計",
    re.IGNORECASE,
)
"""What a row says of itself that holds the others together."""
_APART = re.compile(
    rf"(?:{_WHOLE.pattern})|.*(?:summary|budget|plan|forecast|target)|.*(?:集計|まとめ|予算|計画|予測|目標).*",
    re.IGNORECASE,
)
"""Names of sheets that are not of one kind with others: they hold these together, or what was planned."""
_UNITS = re.compile(r"[\d.,+−△▲()\s-]|[eE](?=[-+]?\d)")


class How(StrEnum):
    """What is made of the figures of several rows."""

    SUM = "sum"
    AVERAGE = "average"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MEDIAN = "median"
    COUNT = "count"
    DIFFERENT = "different values"


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
        return any(self._is_of(label, one) for one in _DAYS)

    def _is_day_first(self, label: str) -> bool | None:
        told = [match for row in self.rows if (match := _SLASHED.fullmatch(row.cells.get(label, "")))]
        first, second = (any(int(match[part]) > len(_MONTHS) for match in told) for part in ("one", "other"))
        return None if first is second else first

    @cached_property
    def _has_day_first(self) -> bool | None:
        return self._is_day_first(self.day)

    @cached_property
    def year(self) -> str:
        """The column that holds nothing but years; empty without one, or where days tell them."""
        years = (one for one in self.labels if _YEAR_LABEL.search(one) and self._is_of(one, _YEAR))
        return "" if self.day else next(years, "")

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The columns of figures."""
        return tuple(one for one in self.labels if one not in (self.day, self.year) and self._is_of(one, _FIGURE))

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
            return _iso(row.cells.get(self.day, ""), is_day_first=self._has_day_first)
        return row.cells.get(self.year, "").removesuffix(".0") if self.year else ""

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
        return bool(self.day) and all(len(self.when(row)) == len("2025-04") for row in self.rows)

    def figure(self, row: Row, label: str) -> float | None:
        """Return the figure in a cell; None where it holds none."""
        said = unicodedata.normalize("NFKC", row.cells.get(label, "")).strip()
        match = _FIGURE.fullmatch(said)
        if match is None:
            return None
        number = float(match["digits"].replace(",", ""))
        return (-number if _MINUS.search(said[: match.start("digits")]) else number) if isfinite(number) else None

    def unit(self, row: Row, label: str) -> str:
        """Return what a cell says beside its figure: a currency, a percent sign."""
        return _UNITS.sub("", unicodedata.normalize("NFKC", row.cells.get(label, "")))

    def is_whole(self, row: Row) -> bool:
        """Whether a row holds others together, the whole country beside its regions, or says nothing but figures."""
        told = [row.cells.get(label, "") for label in (*self.words, self.day) if label not in ("", SHEET)]
        said = [*told, *(one.replace(" ", "") for one in told if not one.isascii())]
        return any(map(_WHOLE.fullmatch, said)) or (bool(told) and not any(told))

    @cached_property
    def parts(self) -> Frame:
        """Its rows without those that hold others together."""
        return Frame(tuple(row for row in self.rows if not self.is_whole(row)))

    def chosen(self, where: Mapping[str, str]) -> list[Row]:
        """Return the rows whose cells say so.

        Under the column of days or years, those of a month or year begin with it; those of several lie between
        (`A – B`). Under one of figures, they may keep to a limit (`≥ 35`); a cell that is left out is told as `≠ USA`.
        """
        return [row for row in self.rows if all(self._says(row, *cell) for cell in where.items())]

    def telling(self, rows: Sequence[Row]) -> dict[str, str]:
        """Return what cells say that tell rows from the others, as far as they do; the time behind the rest."""
        times = sorted(map(self._moment, rows))
        time = {self.day or self.year: TO.join(dict.fromkeys((times[0], times[-1])))} if times[0] else {}
        where: dict[str, str] = {}
        for label, known in self.words.items():
            said = {row.cells.get(label, "") for row in rows}
            if len(self.chosen(where | time)) == len(rows):
                break
            if label != self.year and len(said) == 1 < len(known) and "" not in said:
                where[label] = said.pop()
        return where | time

    def _says(self, row: Row, label: str, said: str) -> bool:
        if limit := _LIMIT.fullmatch(said):
            figure = self.figure(row, label)
            return figure is not None and _KEEPS[limit["sign"]](figure, float(limit["figure"].replace(",", "")))
        if said.startswith(NOT):
            return row.cells.get(label, "") != said.removeprefix(NOT)
        if label not in (self.day, self.year):
            return row.cells.get(label, "") == said
        first, _, last = said.partition(TO)
        when = self._moment(row)
        return first <= when[: len(first)] and when[: len(last)] <= last if last else when.startswith(first)

    def _is_of(self, label: str, pattern: re.Pattern[str]) -> bool:
        step = max(1, len(self.rows) // _SAMPLE)
        told = [said for row in self.rows[::step] if len(said := row.cells.get(label, "")) > 0]
        held = sum(pattern.fullmatch(said) is not None for said in told)
        return held > 0 and held >= _MOSTLY * sum(any(map(str.isalnum, said)) for said in told)


def _iso(said: str, *, is_day_first: bool | None) -> str:
    """Return a day, or a month, as ISO 8601 has it; empty for any other text, and where it can be two of them."""
    match = next((found for one in _DAYS if (found := one.fullmatch(said))), None)
    told = match.groupdict() if match else {}
    if match is None or ("one" in told and is_day_first is None):
        return ""
    if "one" in told:
        month, day = (told["other"], told["one"]) if is_day_first else (told["one"], told["other"])
    else:
        day = told["day"]
        month = told["month"] if "month" in told else str(_MONTHS.index(told["name"].lower()) + 1)
    if not 1 <= int(month) <= len(_MONTHS) or int(day or 1) > _LONGEST_MONTH:
        return ""
    return f"{told['year']}-{int(month):02}-{int(day):02}" if day else f"{told['year']}-{int(month):02}"


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


# --- what rows come to, in words ----------------------------------------------------------------------------------


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


def part_of(frame: Frame, how: How, label: str, where: Mapping[str, str]) -> Part | None:
    """Return what the rows that are chosen come to; None without any."""
    return _part(frame, frame.chosen(where), how, label, where)


def parts_by(frame: Frame, how: How, label: str, where: Mapping[str, str], group: str) -> list[Part]:
    """Return what the rows that are chosen come to for each that a column says, for each month of that of days."""
    told: dict[str, list[Row]] = {}
    for row in frame.chosen(where):
        told.setdefault(frame.when(row)[:7] if group == frame.day else row.cells.get(group, ""), []).append(row)
    found = (_part(frame, rows, how, label, {**where, group: one}) for one, rows in sorted(told.items()) if one)
    return [part for part in found if part]


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
_MADE = {
    How.SUM: Phrase("sum of {count} rows"),
    How.AVERAGE: Phrase("average of {count} rows"),
    How.HIGHEST: Phrase("highest of {count} rows"),
    How.LOWEST: Phrase("lowest of {count} rows"),
    How.MEDIAN: Phrase("median of {count} rows"),
    How.COUNT: Phrase("{count} rows"),
    How.DIFFERENT: Phrase("different values of {count} rows"),
}
_WHERE, _BESIDE = Bilingual(" ({where})", "（{where}）"), Bilingual(" ({made}{where})", "（{made}{where}）")
_AND = "; "
_SEPARATES = Bilingual(", ", "、")


def made_of(part: Part, language: Language) -> str:
    """Return of which rows a figure is made, and how: `sum of 31 rows (Shop: Shinjuku; Date: 2025-12)`."""
    return _made(part, language) + (_WHERE.in_(language).format(where=_where(part)) if part.where else "")


def operand_of(part: Part, language: Language) -> str:
    """Return a figure with of which rows it is made, as it stands in a calculation."""
    if part.how is How.COUNT:
        return made_of(part, language)
    if len(part.rows) == 1:
        return shown(part.value)
    where = _SEPARATES.in_(language) + _where(part) if part.where else ""
    return shown(part.value) + _BESIDE.in_(language).format(made=_made(part, language), where=where)


def _made(part: Part, language: Language) -> str:
    return _MADE[part.how].in_(language).format(count=f"{len(part.rows):,}")


def _where(part: Part) -> str:
    return _AND.join(f"{label}: {said}" for label, said in part.where)


def shown(value: float) -> str:
    """Return a figure as a reader wants it: whole, else with two decimals, of a small one with three digits."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.3g}"


# --- and back again -----------------------------------------------------------------------------------------------

_MADE_JA = {
    "合計": How.SUM,
    "平均": How.AVERAGE,
    "最大": How.HIGHEST,
    "最小": How.LOWEST,
    "中央値": How.MEDIAN,
    "異なる値": How.DIFFERENT,
}
_ROWS = (
    rf"(?:(?P<made>{'|'.join(how for how in How if how is not How.COUNT)}) of ){{often}}(?P<count>\d[\d,]*) rows"
    rf"|(?P<count_ja>\d[\d,]*)行(?:の(?P<made_ja>{'|'.join(_MADE_JA)})){{often}}"
)
_TOLD = re.compile(rf"(?:{_ROWS.replace('{often}', '?')})(?:\s?[(（](?P<where>.+)[)）])?")
_OPERAND = re.compile(
    r"(?P<figure>[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?) ?"
    rf"[(（](?:{_ROWS.replace('{often}', '')})(?:(?:, |、)(?P<where>.+))?[)）]"
)
_PLAIN = re.compile(r"(?P<figure>[-−]?\d[\d,]*(?:\.\d+)?)")
"""What a single row says."""
_SIGNS = re.compile(r" ([÷−]) ")
_RESULT = re.compile(
    r"(?P<figure>[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?P<unit>%|％| times|倍)?"
    r"(?: \((?P<rate>[-−+]\d+(?:\.\d+)?)%\))?",
    re.IGNORECASE,
)
"""A result; of a change, with its rate in brackets."""
_BETWEEN = re.compile(r"[\W_]+")


def told_again(text: str, pages: Sequence[str]) -> bool | None:
    """Return whether what is told of the rows of one of some pages is so, made anew; None of text that tells nothing.

    Args:
        text: A line without marks: whose figure it is and its column, a colon, the figure, “ = ”, and its rows.
        pages: The texts of the pages that it cites.
    """
    head, equals, worked = text.rpartition(" = ")
    said = re.split(r":\s|：", head)[-1] if equals else ""
    result = _RESULT.fullmatch(said.strip())
    operands = _SIGNS.split(worked)
    told = [_TOLD.fullmatch(one) or _OPERAND.fullmatch(one) or _PLAIN.fullmatch(one) for one in operands[::2]]
    if not result or not all(told) or all(one is not None and one.re is _PLAIN for one in told):
        return None
    found = [one for page in dict.fromkeys(pages) for frame in frames(page) for one in (frame, frame.parts)]
    return any(_is_so(result, head, [one for one in told if one], operands[1::2], frame) for frame in found)


def _is_so(result: re.Match[str], head: str, told: Sequence[re.Match[str]], signs: Sequence[str], frame: Frame) -> bool:
    """Whether it is so of the column that the head names, the longest of those whose names stand in it."""
    columns = frame.labels if any(_how(one) is How.DIFFERENT for one in told) else frame.numbers
    measured = sorted((one for one in columns if _is_named(one, head)), key=len, reverse=True)
    label = next(iter(measured), "")
    where = [said for _, said in _where_of(told[0])] if len(told) == 1 else []
    if any(_is_unsaid(said, folded(head)) for said in where if not said[:1].isdigit()):
        return False  # Whose figure it is, the head says as the rows do.
    made = [_made_anew(one, label, frame, is_last=one is told[-1]) for one in told]
    return all(one is not None for one in made) and _follows(result, [one or 0.0 for one in made], signs)


def _is_named(column: str, head: str) -> bool:
    """Whether a head names a column, whatever stands between its words: revenue_million_yen, revenue (million yen)."""
    said, whole = folded(column), folded(head)
    bare = _BETWEEN.sub("", said)
    return said in whole or (bool(bare) and bare in _BETWEEN.sub("", whole))


def _is_unsaid(said: str, head: str) -> bool:
    """Whether a head does not say what a cell does, in either language where it is a country."""
    return all(folded(place_in(language, said)) not in head for language in Language)


def _where_of(told: re.Match[str]) -> list[tuple[str, str]]:
    said = told.groupdict().get("where") or ""
    pairs = (cell.partition(": ") for cell in said.split(_AND) if cell)
    return [(name, value) for name, _, value in pairs]


def _made_anew(told: re.Match[str], label: str, frame: Frame, *, is_last: bool) -> float | None:
    """Return what the rows that are told of come to; None if there are not so many, or their figure is another."""
    if told.re is _PLAIN:
        if is_last and told["figure"] == "1":  # Of “− 1”, which makes a change of a ratio.
            return 1.0
        said = float(told["figure"].replace(",", "").replace("−", "-"))
        return said if any(frame.figure(row, label) == said for row in frame.rows) else None
    how = _how(told)
    if how is not How.COUNT and not label:
        return None
    part = part_of(frame, how, label, dict(_where_of(told)))
    if part is None or len(part.rows) != int((told["count"] or told["count_ja"]).replace(",", "")):
        return None
    figure = told.groupdict().get("figure")
    return part.value if figure is None or _is_near(figure, part.value) else None


def _how(told: re.Match[str]) -> How:
    """Return what is told to be made of rows; of a single row nothing is, which counts as a count."""
    said = told.groupdict()
    made = said.get("made")
    return How(made) if made else _MADE_JA.get(said.get("made_ja") or "", How.COUNT)


def _follows(result: re.Match[str], made: Sequence[float], signs: Sequence[str]) -> bool:
    value = made[0]
    for sign, other in zip(signs, made[1:], strict=True):
        if sign == "÷" and not other:
            return False
        value = value / other if sign == "÷" else value - other
    is_share = (result["unit"] or "") in ("%", "％")
    if result["unit"] and "÷" not in signs:
        return False
    if rate := result["rate"]:
        is_so = list(signs) == ["−"] and made[1] > 0 and _is_near(rate, 100 * (made[0] / made[1] - 1))
        return is_so and _is_near(result["figure"], value)
    return _is_near(result["figure"], value * 100 if is_share and "÷" in signs else value)


def _is_near(said: str, value: float) -> bool:
    """Whether a figure is another as far as its digits go."""
    plain = said.replace(",", "").replace("−", "-").lower()
    told = float(plain)
    decimals = len(plain.partition("e")[0].partition(".")[2])
    return abs(told - value) <= 0.5 * 10.0**-decimals * (10.0 ** int(plain.partition("e")[2] or 0)) + 1e-9 * abs(value)


_COUNT = re.compile(r"(\d[\d,]*)(?: rows|行)")


def stands_for_more(text: str, cited: int) -> bool:
    """Whether what is told in a text is of more rows than the `cited` ones that stand for them."""
    return any(int(count.replace(",", "")) > cited for count in _COUNT.findall(text))
