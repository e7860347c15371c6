"""The figures of a run, gathered into quantities: one thing measured in one unit, by several sources or over time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from research.quantities import Figure, FigureRow, extent, figures
from research.text import places_in, regions_in
from research.verification.claim import clauses
from research.verification.statements import Standing, is_conditional, is_replaced, plain, standing_of, words_of

_SENTENCE_END = re.compile(r"[。；;\n]|[.!?](?=\s|\Z)")
_LETTER = re.compile(r"[^\W\d_]")


class Point(NamedTuple):
    """One value of a quantity."""

    period: str | None
    """Canonical (see `research.figures.periods`)."""
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
    """Whom or what it is said of, as first printed: a label's own place or product, else the subject of the page."""
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


def measure_of(one: Quantity | FigureRow) -> str:
    """Return currency and unit in one: `JPY/kWh`, `JPY`, `days`."""
    unit = one.unit or ""
    return f"{one.currency or ''}{'' if unit.startswith('/') else ' '}{unit}".strip()


def beside(subject: str, label: str) -> str:
    """Return the subject that is to stand beside a label: none where the label names it itself, in either language."""
    names, said = words_of(plain(subject)).names, words_of(plain(label))
    return "" if names and all(map(said.has, names)) else subject


class _Key(NamedTuple):
    subject: frozenset[str]
    names: frozenset[str]
    content: frozenset[str]
    unit: str | None
    currency: str | None
    standing: Standing


def quantities_in(rows: Iterable[FigureRow]) -> list[Quantity]:
    """Return the quantities of at least two figures, in the order of their first one.

    Figures belong together if they have the same subject, their labels hold the same words and names in any order and
    in either language, and they have the same unit and standing (a target is no result). A value that one page gives
    twice for a period counts once; where one page gives two values for a period, its labels do not tell enough, and
    nothing is returned. Linear in the rows.
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
    return [quantity for quantity in quantities_in(rows) if quantity.is_series]


def _key(row: FigureRow) -> _Key | None:
    label, subject = words_of(plain(row.label)), _subject(row) or words_of(plain(row.subject)).all
    standing = _standing(row)
    if not label.content or not subject or standing is None:
        return None
    names = frozenset(label.names) - frozenset(subject)
    return _Key(frozenset(subject), names, frozenset(label.content), row.unit, row.currency, standing)


def _standing(row: FigureRow) -> Standing | None:
    """Return what a figure claims to be by its label and clause; None if its sentence says what would be."""
    text = plain(row.quote)
    figure = next((one for one in _figures(text) if one.text == row.text), None)
    if figure is None or is_replaced(text, figure):
        return standing_of(row.label, "", None)
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, figure.start)), default=0)
    end = _SENTENCE_END.search(text, figure.end)
    sentence = text[start : end.start() if end else len(text)]
    if is_conditional(sentence):
        return None
    clause = next(clause for clause in clauses(sentence) if figure.start - start < clause.end)
    breaks_off = not _LETTER.search(sentence, figure.end - start, clause.end)
    return standing_of(f"{row.label}: {sentence[clause.start :] if breaks_off else clause.text}", "", figure)


@lru_cache(maxsize=64)
def _figures(quote: str) -> tuple[Figure, ...]:
    """Return the figures of a quote, which has a row for each of them, one after the other."""
    return tuple(figures(quote))


def _subject(row: FigureRow) -> Mapping[str, str]:
    """Return whom a figure is said of: whom its record names (`country: Japan; …`) or its label, else its page.

    Of a label only the head counts, as behind the comma it tells one part from another ("Export partners, China"), and
    only places and products: other words with a capital ("Real GDP") may be no names.
    """
    is_record = ";" in row.quote and ":" in row.quote
    named = words_of(plain(row.quote if is_record else row.label.partition(", ")[0])).names
    own = {name: printed for name, printed in named.items() if is_record or _is_known(name, printed)}
    return own or words_of(plain(row.subject)).names


def _is_known(name: str, printed: str) -> bool:
    return any(map(str.isdigit, name)) or any(place.en == name for place in (*places_in(printed), *regions_in(printed)))


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
    subject = " ".join(dict.fromkeys(_subject(first).values())) or first.subject
    return Quantity(subject, first.label, first.unit, first.currency, tuple(ordered))


def _moment(point: Point) -> tuple[bool, int, int]:
    covered = extent(point.period) if point.period is not None else None
    return (True, 0, 0) if covered is None else (False, covered.first, covered.last)
