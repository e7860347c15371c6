"""Rows of a page's tables that a question asks for by what leads to the table: those that it names, or all in order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from research.gaps import word_shares
from research.text import Asked, Name, Operation, Value, folded, stands_whole, tokens, values_of

_TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_UNIT = re.compile(
    r"[(（](?:[^()（）|]*\bin (?:thousand|million|billion)s?\b[^()（）|]*|単位[^()（）|]*|[百千十]?[万億兆]?円)[)）]",
    re.IGNORECASE,
)
"""How a line or the head of a table says in what its figures are."""
_HEAD = 600
"""Characters of a table in which that is looked for."""
_NOTE = re.compile(r"\s*\(\d\)$")
"""A mark of a note behind the name of a row."""
_REMARK = re.compile(r"(?!.*(?:次の|以下|下記)).*。$")
"""A Japanese sentence that says nothing of what follows: a remark on the table before, say."""
_LEADS = 600
"""Characters before a table in which what leads to it is looked for."""
_SAYS = 0.6
"""Share of what is asked that the words of a table have to say."""
_SAYS_BESIDE = 0.4
"""The same where the question names a row of it."""
_FEWEST, _MOST = 2, 12
"""Rows from which there is an order, and rows that are taken."""
_WHOLE = 0.01
"""How near a row comes to the sum of the others that is their total, as a share of it."""


@dataclass(frozen=True)
class _Table:
    lead: str
    """The line before it: what it is about."""
    rows: tuple[Value, ...]

    @property
    def words(self) -> str:
        """What it says around its figures."""
        return " ".join(dict.fromkeys((self.lead, self.rows[0].label, *(one.subject for one in self.rows))))


def rows_asked_for(text: str, asked: Asked, title: str) -> list[Value]:
    """Return the rows of a page's tables that answer: all in order where an order is asked for, else those named."""
    return _ordered_rows(text, asked) if asked.operation is Operation.RANK else _named_rows(text, asked, title)


def _ordered_rows(text: str, asked: Asked) -> list[Value]:
    """Return the rows of the table that says most of what is asked, the highest or lowest first; totals are none.

    Each is labelled with the line that leads to its table.
    """
    table = next(iter(_nearest(text, asked, _SAYS)), None)
    rows = _parts(_of_column(table.rows, asked)) if table is not None else []
    ordered = sorted(rows, key=lambda one: one.number or 0.0, reverse=not asked.is_least)
    return [replace(one, label=table.lead) for one in ordered[:_MOST]] if table is not None else []


def _named_rows(text: str, asked: Asked, title: str) -> list[Value]:
    """Return the rows, of the table that says most of what is asked, that the question names, for the years asked for.

    Where a share is asked for, the row of the whole comes with them. A row on whom the page is about says nothing.
    """
    own = [name for name in asked.names if name.stands_in(folded(title))]
    others = [name for name in asked.names if name not in own]
    best: tuple[_Table, list[Value]] | None = None
    for table in _nearest(text, asked, _SAYS_BESIDE):
        named = _named(table, asked, own)
        if any(name.stands_in(folded(one.subject)) for one in named for name in others):
            best = table, named  # Somebody beside the page's subject: of its rows that is what is asked of it.
            break
        best = best or ((table, named) if named else None)
    if best is None:
        return []
    table, named = best
    if asked.operation is Operation.RATIO:
        column = _of_column(table.rows, asked)
        parts = _parts(column)
        named = [*(one for one in column if one in named), *(one for one in column if one not in parts)]
    return [replace(one, label=table.lead) for one in named[:_MOST]]


def _named(table: _Table, asked: Asked, own: Sequence[Name]) -> list[Value]:
    """Return the rows that a question names, but those that are named as the page's subject or as the table."""
    said, lead = folded(asked.question), frozenset(tokens(table.lead))
    is_dated = bool(asked.years) and any(one.year for one in table.rows)  # Beside years, “Change” is of none.
    rows = [one for one in table.rows if _is_of_year(one, asked) and (one.year or not is_dated)]
    named = [one for one in rows if _is_named(one, said) and not lead.issuperset(tokens(one.subject))]
    return [one for one in named if not any(name.stands_in(folded(one.subject)) for name in own)]


def _is_of_year(one: Value, asked: Asked) -> bool:
    """Whether a value is of a year that is asked for; a table of one column seldom says of which it is."""
    return not asked.years or not one.year or asked.is_in_years(one.year)


def _is_named(one: Value, said: str) -> bool:
    subject = folded(_NOTE.sub("", one.subject))
    return len(subject) >= _FEWEST and stands_whole(subject, said)


def _nearest(text: str, asked: Asked, least: float) -> list[_Table]:
    """Return the tables that say enough of what is asked, those that say most first."""
    tables = list(_tables(text))
    shares = word_shares(" ".join(asked.attributes), [table.words for table in tables])
    near = [index for index, share in enumerate(shares) if share >= least]
    return [tables[index] for index in sorted(near, key=lambda index: -shares[index])]


def _tables(text: str) -> Iterator[_Table]:
    values = [value for value in values_of(text) if value.is_row and value.number is not None]
    at = 0
    for match in _TABLE.finditer(text):
        first = at = bisect_left(values, match.start(), at, key=attrgetter("start"))
        at = bisect_left(values, match.end(), at, key=attrgetter("start"))
        lead = _lead(text[max(0, match.start() - _LEADS) : match.start()], match.group())
        if at - first >= _FEWEST and lead:
            yield _Table(lead, tuple(values[first:at]))


def _lead(before: str, table: str) -> str:
    """Return the line that leads to a table, with the unit that stands between them or in the table's head."""
    lines = [line.strip(" #:：") for line in before.splitlines() if line.strip()]
    if not lines or _REMARK.match(lines[-1]):
        return ""
    if len(lines) > 1 and _ASIDE.fullmatch(lines[-1]):
        return f"{lines[-2]} {lines[-1]}"
    unit = _UNIT.search(table[:_HEAD])
    return f"{lines[-1]} {unit.group()}" if unit and not _UNIT.search(lines[-1]) else lines[-1]


def _of_column(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return one value a row: of the column that is asked for by its year, else of the first."""
    kept: dict[str, Value] = {}
    for one in rows:
        if _is_of_year(one, asked):
            kept.setdefault(one.subject, one)
    return list(kept.values())


def _parts(rows: Sequence[Value]) -> list[Value]:
    """Leave out a row that is the sum of the others."""
    numbers = [one.number or 0.0 for one in rows]
    return [
        one
        for one, number in zip(rows, numbers, strict=True)
        if len(rows) <= _FEWEST or abs(sum(numbers) - 2 * number) > _WHOLE * abs(number)
    ]
