"""What a table has to show: its columns of figures, and the charts that can be drawn of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from research.export import document as tree
from research.export.words import measure_in_words, one_line, period_in_words
from research.language import COMMA, Bilingual, Language, Phrase, bracketed
from research.quantities import Figure, figures, periods
from research.text import place_in
from research.verification import measure_of

SERIES = 6
"""Series in one chart, at most: more cannot be told apart."""
_BARS = 20
"""Rows of a table up to which a chart shows them."""
_DATED = Bilingual("{title}, {period}", "{title}、{period}")
_OF_YEAR = Phrase("{year}")


@dataclass(frozen=True)
class Column:
    """A column of a table: its head, and the name of a row with the one figure that stands there."""

    head: str
    told: tuple[tuple[str, Figure], ...]
    cited: tuple[int, ...]

    @classmethod
    def of(cls, table: tree.Table, place: int) -> Column:
        """Return a column of a table; a cell in which several figures stand, or none, tells nothing."""
        cells = [(_words(row[0]), row[place]) for row in table.rows]
        told = ((name, found) for name, cell in cells if len(found := figures(_words(cell))) == 1)
        cited = {piece.number for _, cell in cells for piece in cell if isinstance(piece, tree.Citation)}
        return cls(_words(table.head[place]), tuple((name, one) for name, (one,) in told), tuple(sorted(cited)))

    @property
    def measures(self) -> set[str]:
        """What its figures measure, each in its unit."""
        return {measure_of(figure) for _, figure in self.told}


@dataclass(frozen=True)
class Told:
    """The columns of a table that have figures of one measure, not all of them the same."""

    columns: tuple[Column, ...]
    is_over_time: bool
    """Whether the rows are periods."""


def told_by(table: tree.Table) -> Told:
    """Return the columns of figures of a table, turned where its periods stand side by side."""
    table = tree.squared(table)
    if len(table.head) > 2 and all(map(_time, table.head[1:])):
        turned = zip(table.head[1:], *(row[1:] for row in table.rows), strict=True)
        table = tree.Table((table.head[0], *(row[0] for row in table.rows)), tuple(turned), table.aligned)
    columns = (Column.of(table, place) for place in range(1, len(table.head)))
    told = (one for one in columns if len({figure.value for _, figure in one.told}) > 1 and len(one.measures) == 1)
    return Told(tuple(told), len(table.rows) > 1 and all(_time(row[0]) for row in table.rows))


def charts_of_table(table: tree.Table, language: Language) -> Iterator[tree.Chart]:
    """Yield the charts of a table: lines where its rows or columns are periods, else a ranking for each column."""
    told = told_by(table)
    if told.is_over_time:
        for measure in dict.fromkeys(next(iter(one.measures)) for one in told.columns):
            yield _over_time([one for one in told.columns if measure in one.measures][:SERIES], language)
    else:
        yield from (_ranked(one, language) for one in told.columns if len(one.told) <= _BARS)


def _words(line: tree.Line) -> str:
    return one_line(tree.plain([piece for piece in line if not isinstance(piece, tree.Citation)]))


def _time(line: tree.Line) -> str:
    """Return the period that a line is, in its canonical form; empty if it says more or something else."""
    words = _words(line)
    found = periods(words)
    return found[0].value if len(found) == 1 and words == words[found[0].start : found[0].end] else ""


def by_time(column: Column) -> list[tuple[str, Figure]]:
    """Return the figures of a column whose rows are periods, each with its period, the earliest first."""
    return sorted(((_time((tree.Text(name),)), figure) for name, figure in column.told), key=itemgetter(0))


def by_value(column: Column) -> list[tuple[str, Figure]]:
    """Return the figures of a column, each with the name of its row, the greatest first."""
    return sorted(column.told, key=lambda one: one[1].value, reverse=True)


def _over_time(columns: Sequence[Column], language: Language) -> tree.Chart:
    """Return columns of one measure, whose rows are periods, as a chart of lines."""
    values = [{period: figure.value for period, figure in by_time(one)} for one in columns]
    labels = sorted({period for one in values for period in one})
    series = (
        tree.Series(one.head, tuple(own.get(label) for label in labels))
        for one, own in zip(columns, values, strict=True)
    )
    title = COMMA.in_(language).join(one.head for one in columns)
    unit = measure_in_words(next(iter(columns[0].measures)), language)
    cited = sorted({number for one in columns for number in one.cited})
    return tree.Chart(title, unit, tuple(labels), tuple(series), tuple(cited))


def _ranked(column: Column, language: Language) -> tree.Chart:
    """Return a column as bars, the longest first, under names in the language of the report where it knows them."""
    title, times = column.head, {figure.period for _, figure in column.told}
    if len(times) == 1 and (period := next(iter(times))):
        told = _OF_YEAR.in_(language).format(year=period) if period.isdigit() else period_in_words(period, language)
        title = _DATED.in_(language).format(title=title, period=told)
    ranked = by_value(column)
    labels = tuple(
        bracketed(place_in(language, name), figure.period if figure.period and len(times) > 1 else "", language)
        for name, figure in ranked
    )
    series = tree.Series(title, tuple(figure.value for _, figure in ranked))
    unit = measure_in_words(next(iter(column.measures)), language)
    return tree.Chart(title, unit, labels, (series,), column.cited, is_over_time=False)
