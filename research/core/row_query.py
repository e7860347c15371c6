"""A question to the rows of a table, as data: whoever asks it, the program works the answer out."""

from __future__ import annotations

import re
from enum import StrEnum

from research.core.vocabulary import Frozen
from research.language import Bilingual, Language


class How(StrEnum):
    """What is made of the figures of several rows."""

    SUM = "sum"
    AVERAGE = "average"
    HIGHEST = "highest"
    LOWEST = "lowest"
    MEDIAN = "median"
    COUNT = "count"
    DIFFERENT = "different values"


MADE_OF = {
    How.SUM: Bilingual("sum of {count} rows", "{count}行の合計"),
    How.AVERAGE: Bilingual("average of {count} rows", "{count}行の平均"),
    How.HIGHEST: Bilingual("highest of {count} rows", "{count}行の最大"),
    How.LOWEST: Bilingual("lowest of {count} rows", "{count}行の最小"),
    How.MEDIAN: Bilingual("median of {count} rows", "{count}行の中央値"),
    How.DIFFERENT: Bilingual("different values of {count} rows", "{count}行の異なる値"),
    How.COUNT: Bilingual("{count} rows", "{count}行"),
}
"""How it is said of which rows a figure is made; the plain number last, which others begin with."""
_COUNT = re.compile(r"\d[\d,]*")
_SAID = {said.in_(language): how for how, said in MADE_OF.items() for language in Language}
OF_ROWS = "(?:" + "|".join(re.escape(said).replace(r"\{count\}", _COUNT.pattern) for said in _SAID) + ")"
"""A pattern of all that is said so."""


def made_of_rows(said: str) -> tuple[How, int]:
    """Return what is made of how many rows, as `OF_ROWS` says it."""
    number = _COUNT.search(said)
    return _SAID[_COUNT.sub("{count}", said)], int(number[0].replace(",", "")) if number else 0


class Span(StrEnum):
    """What days are taken together by."""

    DAY = "day"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Relation(StrEnum):
    """How a figure is held against another."""

    SHARE = "share"
    """In per cent of the other."""
    RATIO = "ratio"
    """How many of the other's there are to one: people per household."""
    TIMES = "times"
    """How many times the other."""
    DIFFERENCE = "difference"
    CHANGE = "change"
    """From the other, which is earlier: by how much, and by how many per cent."""


class RowQuery(Frozen):
    """What is asked of the rows of one table of a page.

    Rows are chosen by what their cells say, in the words of `research.quantities.frames`: `("Price", "≥ 35")`. A column
    may be worked out from two, row by row: `price × stock`.
    """

    table: int = 0
    """Which of the tables that the page holds, the first is 0."""
    how: How | None = None
    """What is made of the column; None where the rows themselves are asked for, in the order of that column."""
    column: str = ""
    """The column that is measured; empty where rows are counted."""
    where: tuple[tuple[str, str], ...] = ()
    group: str = ""
    """The column for each of whose values it is asked; empty for all rows together."""
    span: Span = Span.MONTH
    """What days are taken together by, if the groups are of days."""
    having: str = ""
    """What the figure of a group has to keep to, as `> 100`; empty where all are told."""
    is_lowest_first: bool = False
    most: int = 10
    """Groups or rows that are shown, at most."""
    relation: Relation | None = None
    """How the figure is held against another, if it is."""
    over: str = ""
    """The column of that other figure, where it is another."""
    against: tuple[tuple[str, str], ...] | None = None
    """What the rows of that other figure say; None where they are the same rows."""
