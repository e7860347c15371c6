"""What rows of a data file come to, told so that anybody can work it out again; and worked out again.

    322.97 = average of 1,000 rows (Date: 2019-03)
    34.4% = 344 rows (Payment: Cash) ÷ 1,000 rows
    31.2% = 505.7 (sum of 12 rows, Country: Vietnam) ÷ 1,618.7 (sum of 48 rows)
    15.8% = 96 (sum of 12 rows, Profit; Country: Vietnam) ÷ 608 (sum of 12 rows, Sales; Country: Vietnam)

What is told names the column before it; where there are two, each figure names its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from statistics import median

from research.core import MADE_OF, OF_ROWS, How, Span, made_of_rows
from research.language import Bilingual, Language
from research.quantities.frames import TO, WORKED, Frame, Row, frames
from research.text import folded, label_in_words, place_in


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
_WHERE, _BESIDE = Bilingual(" ({where})", "（{where}）"), Bilingual(" ({made}{where})", "（{made}{where}）")
_AND = "; "
_SEPARATES = Bilingual(", ", "、")


def made_of(part: Part, language: Language) -> str:
    """Return of which rows a figure is made, and how: `sum of 31 rows (Shop: Shinjuku; Date: 2025-12)`."""
    return _made(part, language) + (_WHERE.in_(language).format(where=_where(part)) if part.where else "")


def operand_of(part: Part, language: Language, *, is_named: bool = False) -> str:
    """Return a figure with of which rows it is made, as it stands in a calculation; with its column if it is named."""
    if part.how is How.COUNT:
        return made_of(part, language)
    if len(part.rows) == 1 and part.label in part.rows[0].cells:
        return shown(part.value)
    told = _AND.join(filter(None, [part.label if is_named else "", _where(part)]))
    where = _SEPARATES.in_(language) + told if told else ""
    return shown(part.value) + _BESIDE.in_(language).format(made=_made(part, language), where=where)


def _made(part: Part, language: Language) -> str:
    return MADE_OF[part.how].in_(language).format(count=f"{len(part.rows):,}")


def _where(part: Part) -> str:
    return _AND.join(f"{label}: {said}" for label, said in part.where)


def shown(value: float) -> str:
    """Return a figure as a reader wants it: whole, else with two decimals, of a small one with three digits."""
    if value == int(value):
        return f"{value:,.0f}"
    return f"{value:,.2f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{value:.3g}"


# --- and back again -----------------------------------------------------------------------------------------------

_TOLD = re.compile(rf"(?P<rows>{OF_ROWS})(?:\s?[(（](?P<where>.+)[)）])?")
_OPERAND = re.compile(
    r"(?P<figure>[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?) ?"
    rf"[(（](?P<rows>{OF_ROWS})(?:(?:, |、)(?P<where>.+))?[)）]"
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
    made = [made_of_rows(one["rows"])[0] for one in told if one.re is not _PLAIN]
    columns = frame.labels if How.DIFFERENT in made else (*frame.numbers, *_worked(frame, head))
    measured = sorted((one for one in columns if _is_named(one, head)), key=len, reverse=True)
    label = next(iter(measured), "")
    where = [said for _, said in _where_of(told[0])] if len(told) == 1 else []
    if any(_is_unsaid(said, folded(head)) for said in where if not said[:1].isdigit()):
        return False  # Whose figure it is, the head says as the rows do.
    anew = [_made_anew(one, label, frame, is_last=one is told[-1]) for one in told]
    return all(one is not None for one in anew) and _follows(result, [one or 0.0 for one in anew], signs)


def _is_named(column: str, head: str) -> bool:
    """Whether a head names a column, whatever stands between its words: revenue_million_yen, revenue (million yen)."""
    said, whole = folded(column), folded(head)
    bare = _BETWEEN.sub("", said)
    return said in whole or (bool(bare) and bare in _BETWEEN.sub("", whole))


def _worked(frame: Frame, head: str) -> list[str]:
    """Return the columns that a head works out from two: price × stock."""
    signs = [sign for sign in WORKED if sign in head]
    named = [one for one in frame.labels if _is_named(one, head)] if signs else []
    return [f"{one}{sign}{other}" for sign in signs for one in named for other in named if one != other]


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
    how, count = made_of_rows(told["rows"])
    where = dict(_where_of(told))
    own = [one for one, said in where.items() if not said]
    label = own[0] if own else label
    if how is not How.COUNT and not label:
        return None
    part = part_of(frame, how, label, {one: said for one, said in where.items() if said})
    if part is None or len(part.rows) != count:
        return None
    figure = told.groupdict().get("figure")
    return part.value if figure is None or _is_near(figure, part.value) else None


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
