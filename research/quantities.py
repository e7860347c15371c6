"""The figures of a run, gathered into quantities: one thing measured in one unit, by several sources or over time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from research.contradictions.manner import Standing, standing_of
from research.contradictions.words import plain, words_of
from research.verification.figure_table import FigureRow
from research.verification.periods import extent


class Point(NamedTuple):
    """One value of a quantity."""

    period: str | None
    """Canonical (see `research.verification.periods`)."""
    value: float
    text: str
    """As printed."""
    source: str
    """Id of the page."""
    evidence: str
    date: str | None
    """Date of the page's information."""


class Quantity(NamedTuple):
    """What several figures measure."""

    subject: str
    """The names that it is said of, as first printed, else the subject of the first figure's page."""
    label: str
    """As the first figure has it."""
    unit: str | None
    currency: str | None
    points: tuple[Point, ...]
    """In the order of their periods, undated ones last."""

    @property
    def periods(self) -> tuple[str, ...]:
        """The distinct periods, in order."""
        return tuple(dict.fromkeys(point.period for point in self.points if point.period is not None))

    @property
    def sources(self) -> tuple[str, ...]:
        """The pages that give it, once each."""
        return tuple(dict.fromkeys(point.source for point in self.points))

    @property
    def is_series(self) -> bool:
        """Whether a line can be drawn through it: values for at least two periods of one length."""
        lengths = [found.granularity for period in self.periods if (found := extent(period)) is not None]
        return len(lengths) > 1 and len(set(lengths)) == 1


class _Key(NamedTuple):
    names: frozenset[str]
    content: frozenset[str]
    unit: str | None
    currency: str | None
    standing: Standing


def quantities(rows: Iterable[FigureRow]) -> list[Quantity]:
    """Return the quantities of at least two figures, in the order of their first one.

    Figures belong together if their labels hold the same words in any order and in either language, they are said of
    the same names, and have the same unit and standing (a target is no result). A value that one page gives twice for a
    period counts once; where one page gives two values for a period, its labels do not tell enough, and nothing is
    returned. Linear in the rows.
    """
    groups: dict[_Key, list[FigureRow]] = defaultdict(list)
    for row in rows:
        key = _key(row)
        if key is not None:
            groups[key].append(row)
    found = (_quantity(group) for group in groups.values())
    return [quantity for quantity in found if len(quantity.points) > 1 and _is_told_apart(quantity)]


def series(rows: Iterable[FigureRow]) -> list[Quantity]:
    """Return the quantities that a line can be drawn through."""
    return [quantity for quantity in quantities(rows) if quantity.is_series]


def _key(row: FigureRow) -> _Key | None:
    content = words_of(plain(row.label)).content
    names = _names(row) or words_of(plain(row.subject)).all
    if not content or not names:
        return None
    return _Key(frozenset(names), frozenset(content), row.unit, row.currency, standing_of(row.label, "", None))


def _names(row: FigureRow) -> Mapping[str, str]:
    """Return whom a figure is said of: the names in its label and beside it in a record (`country: Japan; …`)."""
    in_label = words_of(plain(row.label)).names
    is_record = ";" in row.quote and ":" in row.quote
    in_row = {**words_of(plain(row.quote)).names, **in_label} if is_record else in_label
    return in_row or words_of(plain(row.subject)).names


def _is_told_apart(quantity: Quantity) -> bool:
    """Whether each page gives one value for each period."""
    given = [(point.source, point.period) for point in quantity.points]
    return len(given) == len(set(given))


def _quantity(rows: list[FigureRow]) -> Quantity:
    points: dict[tuple[object, ...], Point] = {}
    for row in rows:
        point = Point(row.period, row.value, row.text, row.source, row.evidence, row.date)
        points.setdefault((row.period, row.value, row.source), point)
    first = rows[0]
    ordered = sorted(points.values(), key=_moment)
    subject = " ".join(dict.fromkeys(_names(first).values())) or first.subject
    return Quantity(subject, first.label, first.unit, first.currency, tuple(ordered))


def _moment(point: Point) -> tuple[bool, int, int]:
    covered = extent(point.period) if point.period is not None else None
    return (True, 0, 0) if covered is None else (False, covered.first, covered.last)
