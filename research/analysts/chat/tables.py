"""What is asked of the tables of a data file, decided by a model and worked out by the program.

A model is shown the columns of a table, some of what stands in them, and no rows. What it asks is read as leniently as
its names can be told apart; what names a column or a value that the table does not have is not asked at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, Field

from research.core import How, Page, Relation, RowQuery, Span
from research.language import Language
from research.quantities import AND, LEAST_ROWS, NOT, OR, TO, Frame, answered, frames, spaced
from research.text import folded, number_in

_TABLES, _COLUMNS, _VALUES, _MANY, _LONGEST = 4, 60, 30, 8, 60
"""Tables and columns that are shown, values of a column that has few or many, and characters of one."""
_MOSTLY = 0.9
"""The share of a file that its tables are from which nothing else in it is read."""
_QUERIES, _SHOWN = 4, 10
"""Queries that are worked out, and groups or rows that each shows, at most."""
_SIGNS = {"is": "", "is not": NOT, "at least": "≥ ", "at most": "≤ ", "more than": "> ", "less than": "< "}
_OPERATORS = {"=": "is", "==": "is", "!=": "is not", "≠": "is not", ">=": "at least", "<=": "at most", ">": "more than"}
_OPERATORS |= {"≥": "at least", "≤": "at most", "<": "less than", "in": "is", "equals": "is", "not": "is not"}
_HOW = {one.value.partition(" ")[0]: one for one in How} | {"max": How.HIGHEST, "min": How.LOWEST, "mean": How.AVERAGE}
_WORKED = {"-": " − ", "−": " − ", "*": " × ", "×": " × ", "/": " ÷ ", "÷": " ÷ "}
_SPLIT = re.compile(r"\s*[-−*×/÷]\s*")
_TIME = re.compile(r"((?:19|20)\d\d)(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?|年)?")
_LIMITS = ("≥ ", "≤ ", "> ", "< ")
_FIGURE = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_DIGITS = re.compile(rf"{_FIGURE.pattern}\s?[万億兆千]?")
_IN_WORDS = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|hundred|thousand|million|billion"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ies)|teens?)\b"
    r"|\d\s?[km]\b|[〇一二三四五六七八九十百]+[人件円個歳年台つ割代%％]|半[分額数]",
    re.IGNORECASE,
)
"""Numbers that a question says in words, of which it is not known which they are."""
_HAVING = re.compile(r"[<>]=?|[≥≤]|at least|at most|more than|less than", re.IGNORECASE)
_TABLE_NUMBER = re.compile(r"\d+")


class Condition(BaseModel):
    """What a column of the rows must say."""

    column: str
    operator: str
    value: str


class TableQuery(BaseModel):
    """What a model asks of a table."""

    table: str
    measure: str
    column: str = Field(default_factory=str)
    conditions: list[Condition] = Field(default_factory=list)
    group: str = Field(default_factory=str)
    by: str = Field(default_factory=str)
    having: str = Field(default_factory=str)
    order: str = Field(default_factory=str)
    most: int = Field(default_factory=int)
    compare: str = Field(default_factory=str)
    compare_column: str = Field(default_factory=str)
    compare_conditions: list[Condition] = Field(default_factory=list)


class TableQueries(BaseModel):
    """What a model asks of the tables of a file."""

    queries: list[TableQuery]


def is_worth_asking(page: Page) -> bool:
    """Whether a document holds a table that is worth asking."""
    return bool(_tables(page))


def is_nothing_else(page: Page) -> bool:
    """Whether a data file holds little but the tables that are asked: no notes, no smaller tables."""
    tables = frames(page.text)
    told = sum(row.end - row.start for number in _tables(page) for row in tables[number].rows)
    return told >= _MOSTLY * len(page.text)


def _tables(page: Page) -> list[int]:
    """Return which of a page's tables are shown: the largest of those that have rows enough."""
    sizes = {number: len(frame.rows) for number, frame in enumerate(frames(page.text))}
    return sorted(sorted((one for one in sizes if sizes[one] >= LEAST_ROWS), key=lambda one: -sizes[one])[:_TABLES])


def described(page: Page, question: str) -> str:
    """Return the columns of a page's tables and what stands in them: of many values those that are asked."""
    tables, lines = frames(page.text), [f"File: {_short(page.title)}"]
    for number in _tables(page):
        frame = tables[number]
        lines.append(f"Table T{number + 1}: {len(frame.rows):,} rows")
        lines += [f"- {label}: {_content(frame, label, question)}" for label in frame.labels[:_COLUMNS]]
    return "\n".join(lines)


def _content(frame: Frame, label: str, question: str) -> str:
    if label == frame.day or (frame.is_dated(label) and label not in frame.numbers):
        days = sorted(filter(None, (frame.day_of(row, label) for row in frame.rows)))
        return f"days, {days[0]} to {days[-1]}" if days else "days"
    if label in frame.numbers:
        told = [figure for row in frame.rows if (figure := frame.figure(row, label)) is not None]
        unit = next((unit for row in frame.rows if (unit := frame.unit(row, label))), "")
        ends = f", {min(told):,.15g} to {max(told):,.15g}{f' {_short(unit)}' if unit else ''}" if told else ""
        return f"figures{ends}"
    said = frame.words.get(label, ())
    asked = [one for one in said if len(one) > 1 and folded(one) in folded(question)]
    shown = said if len(said) <= _VALUES else list(dict.fromkeys([*asked, *said[:_MANY]]))[:_VALUES]
    more = f"; {len(said):,} different ones in all" if len(said) > len(shown) else ""
    return f"{'; '.join(map(_short, shown))}{more}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


# --- what is asked, read --------------------------------------------------------------------------------------------


def asked_of(page: Page, asked: Iterable[TableQuery], question: str) -> tuple[RowQuery, ...]:
    """Return those of a model's queries that the page's tables answer, each once.

    One that holds figures to a limit of which the question says nothing is made up, as small models do.
    """
    tables, figures = frames(page.text), _numbers(question)
    read = (query for one in asked if (query := _read(one, tables)) is not None and _is_meant(query, figures))
    found = (query for query in dict.fromkeys(read) if answered(page.text, page.title, query, Language.EN))
    return tuple(found)[:_QUERIES]


def _numbers(question: str) -> set[float] | None:
    """Return the numbers in a question; None where some are said in words."""
    if _IN_WORDS.search(question):
        return None
    return {number for one in _DIGITS.findall(question) if (number := number_in(one)) is not None}


def _is_meant(query: RowQuery, numbers: set[float] | None) -> bool:
    """Whether a question, of which these are the numbers, can mean all limits; yes and no are often told as 1 and 0."""
    limits = [one[2:] for _, said in query.where for one in said.split(AND) if one[:2] in _LIMITS]
    bare = (one for one in (*limits, query.having[2:]) if _FIGURE.fullmatch(one) and not _TIME.fullmatch(one))
    told = {number for one in bare if (number := number_in(one)) is not None}
    return numbers is None or told <= {0.0, 1.0, *numbers}


def _read(asked: TableQuery, tables: Sequence[Frame]) -> RowQuery | None:
    """Return what is asked as data; None if it names what the table does not have."""
    number = _TABLE_NUMBER.search(asked.table)
    table = int(number.group()) - 1 if number else 0
    if not 0 <= table < len(tables):
        return None
    frame, measure = tables[table], asked.measure.strip().lower()
    how = None if measure.startswith("row") else _HOW.get(measure.partition(" ")[0])
    columns = [_column(frame, one) for one in (asked.column, asked.compare_column, asked.group)]
    where, against = _where(frame, asked.conditions), _where(frame, asked.compare_conditions)
    if (how is None and not measure.startswith("row")) or None in columns or where is None or against is None:
        return None
    column, over, group = (one or "" for one in columns)
    if how is How.COUNT:
        column = over = ""
    is_of_figures = how not in (None, How.COUNT, How.DIFFERENT)
    if is_of_figures and not all(_is_measured(frame, one) for one in (column, over or column)):
        return None
    relation = next((one for one in Relation if one.value == asked.compare.strip().lower()), None)
    is_of_others = bool(asked.compare_conditions) or (relation is Relation.SHARE and not over)
    if relation is not None and not over and (not is_of_others or (where == against and not group)):
        return None  # A figure held against itself.
    return RowQuery(
        table=table,
        how=how,
        column=column,
        where=tuple(where.items()),
        group=group,
        span=next((one for one in Span if one.value == asked.by.strip().lower()), Span.MONTH),
        having=_having(asked.having) if group else "",
        is_lowest_first=asked.order.strip().lower().startswith(("low", "asc", "small")),
        most=min(asked.most, _SHOWN) if asked.most > 0 else _SHOWN,
        relation=relation,
        over=over if relation is not None and over != column else "",
        against=tuple(against.items()) if relation is not None and is_of_others else None,
    )


def _having(said: str) -> str:
    """Return a limit that groups keep to as figures are held to it; empty where it is none."""
    match = _HAVING.search(said)
    figure = number_in(said[match.end() :]) if match else None
    return f"{_SIGNS[_OPERATORS.get(match[0], match[0].lower())]}{figure:,.15g}" if match and figure is not None else ""


def _is_measured(frame: Frame, column: str) -> bool:
    worked = frame.parts_of(column)
    if worked is None:
        return column in frame.numbers
    one, sign, other = worked
    are_days = frame.is_dated(one) and frame.is_dated(other) and sign == " − "
    return are_days or (one in frame.numbers and other in frame.numbers)


def _column(frame: Frame, name: str) -> str | None:
    """Return the column that a name means, or the two that it works out another from; None if there is none."""
    name = name.strip()
    if not name or (found := _called(frame, name)):
        return name and found
    for sign in _SPLIT.finditer(name):
        one, other = _called(frame, name[: sign.start()]), _called(frame, name[sign.end() :])
        if one and other:
            return f"{one}{_WORKED[sign.group().strip()]}{other}"
    return None


def _called(frame: Frame, name: str) -> str:
    name = name.strip().strip("`\"'")
    ways = {label: {folded(label), folded(spaced(label))} for label in frame.labels}
    exact = [label for label in frame.labels if label == name]
    return next(iter(exact or [label for label, said in ways.items() if folded(name) in said]), "")


def _where(frame: Frame, conditions: Sequence[Condition]) -> dict[str, str] | None:
    """Return conditions as rows are chosen by them; None if one names what the table does not have."""
    told: dict[str, list[str]] = {}
    for one in conditions:
        column, operator = _column(frame, one.column), one.operator.strip().lower()
        operator = _OPERATORS.get(operator, operator)
        said = _said(frame, column, operator, one.value.strip()) if column and operator in _SIGNS else None
        if column is None or said is None:
            return None
        told.setdefault(column, []).append(said)
    return {column: _together(said) for column, said in told.items()}


def _together(said: Sequence[str]) -> str:
    """Return several conditions on one column as one: a time from one to another, one of several, else all of them."""
    first, last = (next((one[2:] for one in said if one.startswith(sign)), "") for sign in ("≥ ", "≤ "))
    if len(said) == 2 and len(first) == len(last) and _TIME.fullmatch(first) and _TIME.fullmatch(last):
        return f"{first}{TO}{last}" if first != last else first
    of = [one for one in said if one[:2] not in (*_LIMITS, NOT)]
    rest = [one for one in said if one not in of]
    return AND.join([*rest, *([OR.join(sorted(set(of)))] if of else [])])


def _said(frame: Frame, column: str, operator: str, value: str) -> str | None:
    """Return what a condition asks of a cell; None if no cell says it, and it is no figure, no time and no column."""
    sign = _SIGNS[operator]
    if other := _called(frame, value) if value not in frame.words.get(column, ()) else "":
        return f"{sign}{other}" if sign and sign != NOT else None
    is_dated = column in (frame.day, frame.year) or frame.is_dated(column)
    if is_dated and (time := _TIME.fullmatch(value)):
        return sign + "-".join(f"{int(part):02}" for part in time.groups() if part)
    if frame.parts_of(column) is not None or column in frame.numbers:
        figure = number_in(value)
        number = None if figure is None else f"{figure:,.15g}"
        if number is None or sign == NOT:
            return None
        return f"{sign}{number}" if sign else f"≥ {number}{AND}≤ {number}"
    held = {folded(one): one for one in frame.words.get(column, ())}
    cell = value if value in held.values() else held.get(folded(value))
    return None if cell is None or sign not in ("", NOT) else f"{sign}{cell}"
