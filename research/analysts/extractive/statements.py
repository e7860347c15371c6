"""Measures worked out from the statements of a page: their rows, what is computed from them, and how it is told.

Every operand is a row of a table, and is cited; a measure of which one is missing is not told at all.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from research.analysts.extractive.measures import (
    GROWTH_A_YEAR,
    MOVES,
    SIGNS,
    Formula,
    Line,
    Measure,
    Term,
    called,
    measures_in,
    parsed,
)
from research.analysts.extractive.quotes import NOT_FOUND, computed_line, from_to
from research.analysts.extractive.tables import TABLE, counted_in, months_told, names_beside
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page
from research.gaps import Subjects
from research.language import COMMA, Bilingual, Language, Phrase
from research.quantities import signed
from research.text import YEAR, Asked, Name, Value, escape_markdown, folded, question_parts, values_of

_STATEMENT = re.compile(
    r"\bstatements? of (?:consolidated )?(?:comprehensive )?(?:income|operations|earnings|cash flows?"
    r"|financial (?:position|condition))|\b(?:income|cash flows?) statements?\b|\bbalance sheets?\b"
    r"|損益計算書|貸借対照表|財政状態計算書|キャッシュ・フロー計算書",
    re.IGNORECASE,
)
"""How a statement is headed."""
_HEADED, _HEADINGS, _HEADING = 400, 4, 100
"""Characters and lines before a table among which its heading is looked for, and characters of one."""
_CONTINUED = 150
"""Characters up to which the next table continues a statement."""
_MEAN = re.compile(r"\b(?:two|three|four|five|\d)[ -]year average\b|[2-5二三四五](?:年|期)間?の?平均", re.IGNORECASE)
_QUARTER = re.compile(r"\bQ[1-4]|\bquarter|四半期", re.IGNORECASE)
_COMPARED = re.compile(r"\bcompar|\bversus\b|\bvs\b|\bdiffer|\bthan\b|比較|比べ|違い", re.IGNORECASE)
"""What holds one against the other; who is only named beside a firm may be a part of it: Marlin at Kitano Pumps."""
_MOST_YEARS = 6


class _Table(NamedTuple):
    start: int
    end: int
    is_statement: bool
    unit: str
    """What its figures are in, as it says."""


_NO_TABLE = _Table(0, 0, False, "")


class _Row(NamedTuple):
    called: str
    is_statement: bool
    unit: str
    values: tuple[Value, ...]


@lru_cache(maxsize=256)
def _rows(text: str) -> tuple[_Row, ...]:
    """Return the rows of figures in the tables of a page, with whether they stand in a statement."""
    tables: list[_Table] = []
    for match in TABLE.finditer(text):
        before = text[max(0, match.start() - _HEADED) : match.start()].rpartition("|")[2]
        lines = [line for line in before.splitlines() if line.strip()][-_HEADINGS:]
        last = tables[-1] if tables and match.start() - tables[-1].end < _CONTINUED else _NO_TABLE
        is_headed = any(len(line) < _HEADING and _STATEMENT.search(line) for line in lines)
        unit = counted_in(before + match.group()[:_HEADED]) or last.unit
        tables.append(_Table(match.start(), match.end(), is_headed or last.is_statement, unit))
    rows: dict[int, list[Value]] = {}
    for value in values_of(text):
        if value.is_row and value.number is not None:
            rows.setdefault(value.start, []).append(value)
    found = []
    for start, own in rows.items():
        at = bisect_right(tables, start, key=attrgetter("start")) - 1
        table = tables[at] if at >= 0 and start < tables[at].end else _NO_TABLE
        found.append(_Row(called(own[0].subject), table.is_statement, table.unit, tuple(own)))
    return tuple(found)


_PARTS = 4
"""Tables from which what each says otherwise is of parts: a firm's segments, a table each."""


def _found(line: Line, year: str, text: str, *, is_quarter: bool) -> Value | None:
    """Return the value of a line for a year: of a statement by its best label, else what most tables have, the largest.

    What a whole company earned stands in many tables, what a part of it did, or would have done, in one. A figure that
    stands alone in its row, no year beside it, is of something smaller. Where no statement has the line, and each of
    many tables says something else, all are of parts.
    """
    told: list[tuple[int, Value]] = []
    for row in _rows(text):
        rank = line.rank(row.called)
        value = _of_year(row.values, year, is_quarter=is_quarter) if rank is not None else None
        if rank is not None and value is not None and (row.is_statement or len(row.values) > 1):
            told.append((len(line.labels) - rank if row.is_statement else 0, value))
    often = Counter(value.number for _, value in told)
    best = max(told, key=lambda one: (one[0], often[one[1].number], abs(one[1].number or 0.0)), default=None)
    if best is None or (not best[0] and len(often) >= _PARTS and max(often.values()) == 1):
        return None
    return best[1]


def _printed(measure: Measure, year: str, text: str, *, is_quarter: bool) -> Value | None:
    """Return the value of a row that says a measure itself, in percent if it is a share; None where several differ."""
    rows = [row for row in _rows(text) if row.called in measure.labels]
    found = [_of_year(row.values, year, is_quarter=is_quarter, is_share=measure.is_share) for row in rows]
    own = {one.text: one for one in found if one is not None}
    return next(iter(own.values())) if len(own) == 1 else None


def _of_year(values: Sequence[Value], year: str, *, is_quarter: bool, is_share: bool = False) -> Value | None:
    """Return the value of a row for a year, or its quarter: a balance sheet prints days, the later first."""
    own = [one for one in values if year in YEAR.findall(one.column) and one.text.endswith(("%", "％")) is is_share]
    return min(own, key=lambda one: _far(months_told(one.column), is_quarter=is_quarter), default=None)


def _far(months: int, *, is_quarter: bool) -> int:
    return 0 if not months else abs(months - (3 if is_quarter else 12))


# --- what is computed -----------------------------------------------------------------------------------------------


class Worked(NamedTuple):
    """A result, and how it is reached: in figures with their citations, and in what the statements call them."""

    number: float
    figures: str
    words: str
    is_sum: bool = False
    """Whether it needs brackets beside another sign."""
    is_printed: bool = False
    """Whether a row says it."""

    def within(self, sign: str, *, is_second: bool) -> tuple[str, str]:
        """Return both as they stand before or behind a sign."""
        is_bare = not self.is_sum or sign == "+" or (sign == "−" and not is_second)
        return (self.figures, self.words) if is_bare else (f"({self.figures})", f"({self.words})")


@dataclass(frozen=True)
class _Sheet:
    """The statements of a page, with the marks of those rows that may be cited; without any, all may be used.

    A row may stand on a page twice, once in capitals, so that rows are known by what they say.
    """

    text: str
    is_quarter: bool
    marks: Mapping[str, str] | None = None
    used: list[Value] = field(default_factory=list)

    def of(self, measure: Measure, year: int) -> Worked | None:
        """Return a measure of a year: as a row says it, else worked out; None where a line is missing."""
        printed = _printed(measure, str(year), self.text, is_quarter=self.is_quarter)
        if printed is not None and printed.number is not None and (mark := self._mark(printed)) is not None:
            number = printed.number / 100 if measure.is_share else printed.number
            figures = f"{escape_markdown(printed.text)}{mark}"
            return Worked(number, figures, escape_markdown(printed.subject), is_printed=True)
        return self._formula(measure.formula, year)

    def _formula(self, formula: Formula, year: int) -> Worked | None:
        return self._node(formula.tree, formula.terms, year)

    def _mark(self, value: Value) -> str | None:
        """Return what cites a value; None if nothing may."""
        mark = "" if self.marks is None else self.marks.get(folded(self.text[value.start : value.end]))
        if mark is not None:
            self.used.append(value)
        return mark

    def _line(self, line: Line, year: int) -> Worked | None:
        """Return a line of a year, or what it is computed from."""
        value = _found(line, str(year), self.text, is_quarter=self.is_quarter)
        formula = parsed(line.formula)
        if value is None or value.number is None:
            return self._formula(formula, year) if formula is not None and not line.is_paid else None
        if (mark := self._mark(value)) is None:
            return None
        number, figures = value.number, value.text
        if line.is_paid:
            told = self._formula(formula, year) if formula is not None else None
            is_negative = told is not None and told.number < 0
            number = -abs(number) if is_negative else abs(number)
            figures = f"{'−' * is_negative}{figures.strip('()$ ')}"
        return Worked(number, f"{escape_markdown(figures)}{mark}", escape_markdown(value.subject), is_printed=True)

    def _node(self, node: ast.expr, terms: Sequence[Term], year: int) -> Worked | None:
        if isinstance(node, ast.Constant):
            return Worked(float(str(node.value)), str(node.value), str(node.value))
        if isinstance(node, ast.Name):
            return self._term(terms[int(node.id[1:])], year)
        assert isinstance(node, ast.BinOp)
        left, right = self._node(node.left, terms, year), self._node(node.right, terms, year)
        sign, do = SIGNS[type(node.op)]
        if left is None or right is None or (sign == "÷" and not right.number):
            return None
        parts = zip(left.within(sign, is_second=False), right.within(sign, is_second=True), strict=True)
        figures, words = (f"{first} {sign} {second}" for first, second in parts)
        return Worked(do(left.number, right.number), figures, words, sign in "+−")

    def _term(self, term: Term, year: int) -> Worked | None:
        now = self._line(term.line, year)
        if now is None or not term.of:
            return now
        before = self._line(term.line, year - 1)
        if before is None:
            return None
        if term.of == "change":
            words = f"{now.words} ({year}) − {before.words} ({year - 1})"
            return Worked(now.number - before.number, f"{now.figures} − {before.figures}", words, is_sum=True)
        words = f"({now.words} ({year}) + {before.words} ({year - 1})) ÷ 2"
        return Worked((now.number + before.number) / 2, f"({now.figures} + {before.figures}) ÷ 2", words, is_sum=True)


def measures_computed(request: ReportRequest) -> tuple[str, ...]:
    """Return the lines of a report for the measures that its question asks for, each with the ids of its evidence."""
    asked = question_parts(request.brief.question)
    pool = tuple(request.evidence.values())
    return measure_lines(pool, asked, Subjects(asked, request.pages.values()), request) if measures_in(asked) else ()


def operand_quotes(page: Page, asked: Asked) -> list[str]:
    """Return the rows of a page from which the measures that are asked for can be computed, as they stand."""
    measures = measures_in(asked)
    found: dict[str, None] = {}
    several = [name for name in asked.names if not name.is_place][1:]  # Each may have statements of its own.
    for measure in measures if measures and (several or not _is_of_part(page, asked)) else ():
        for year in _years(measure, asked, page.text):
            sheet = _Sheet(page.text, _is_quarter(asked))
            if sheet.of(measure, year) is not None:
                found |= dict.fromkeys(page.text[one.start : one.end] for one in sheet.used)
    return list(found)


def _is_of_part(page: Page, asked: Asked, others: Collection[Name] = ()) -> bool:
    """Whether a question is about a part of whom a page is about: somebody whom it names, but not as its own.

    Those `others` are no parts: they have pages of their own; nor is one of which a measure tells the share. Nor is a
    rival whom a page only mentions and that it is compared with: of a part its tables tell.
    """
    said = [*_parts_told(asked), *(folded(other.en) for other in others)]
    beside = [name for name in names_beside(page, asked) if not any(map(name.stands_in, said))]
    if not beside:
        return False
    is_compared = _COMPARED.search(asked.question) is not None
    told = "\n".join(line for line in page.text.splitlines() if line.startswith("|")) if is_compared else page.text
    low = folded(told)
    return any(name.stands_in(low) for name in beside)


def _parts_told(asked: Asked) -> list[str]:
    """Return the names, folded, of the lines of which measures are made: an iPhone whose share in sales is asked."""
    return [folded(term.line.name) for measure in measures_in(asked) for term in measure.formula.terms]


def _is_quarter(asked: Asked) -> bool:
    return _QUARTER.search(asked.question) is not None


def _years(measure: Measure, asked: Asked, text: str) -> list[int]:
    """Return the years that a measure is asked for, the latest first; with the one before where it moved."""
    years = sorted(map(int, asked.years))
    if not years:
        told = [int(year) for row in _rows_of(measure, text) for one in row.values for year in YEAR.findall(one.column)]
        years = [max(told)] if told else []
    if len(years) == 1 and (asked.wants_change or MOVES.search(asked.question)):
        years = [years[0] - 1, *years]
    if len(years) > 1:
        years = list(range(years[0], years[-1] + 1))[-_MOST_YEARS:]
    return years[::-1]


_LINE = Bilingual("- {name}{unit}: {said}", "- {name}{unit}：{said}")
_OF_YEAR = Bilingual("- {name} ({year}){unit}: {said}", "- {name}（{year}年）{unit}：{said}")
_AVERAGE = Phrase("- Average of {count} years: {shown} = ({sum}) ÷ {count}")
_CAGR = Phrase("- Growth a year on average: {shown} = {worked}")
_POINTS = Phrase("{points} percentage points")
_DEFINITION = Phrase("- {name}: computed as {words}")


class _Computed(NamedTuple):
    """What the statements of one page say, or come to."""

    text: str
    """Of the page."""
    worked: tuple[Mapping[int, Worked], ...]
    """Each measure that is asked for, by year, the latest first."""


def measure_lines(
    pool: Sequence[Evidence], asked: Asked, subjects: Subjects, request: ReportRequest
) -> tuple[str, ...]:
    """Return the measures that are asked for, worked out from one page for each that the question names."""
    measures, language = measures_in(asked), request.brief.language
    computed: dict[str, _Computed] = {}
    for source in dict.fromkeys(entry.source for entry in pool) if measures else ():
        page = request.pages[source]
        whose = next((name.en for name in subjects.of(page) if not name.is_place), "")
        others = [name for other in request.pages.values() if other is not page for name in subjects.of(other)]
        if whose in computed or _is_of_part(page, asked, others):
            continue
        own = [entry for entry in pool if entry.source == source]
        sheet = _Sheet(page.text, _is_quarter(asked), {folded(one.quote): f" [{one.id}]" for one in own})
        worked = tuple(_worked(one, sheet, asked) for one in measures)
        if any(worked):
            computed[whose] = _Computed(page.text, worked)
    parts = _parts_told(asked)
    named = [name for name in subjects.names if not name.is_place and name not in subjects.missing]
    names = [name.en for name in named if not any(map(name.stands_in, parts))]
    if len(names) > 1 and not computed.keys().isdisjoint(names):
        return tuple(_side_by_side(measures, computed, names, asked, language))
    return tuple(
        line
        for text, worked in computed.values()
        for measure, own_years in zip(measures, worked, strict=True)
        for line in _told(measure, own_years, text, asked, language)
    )


def _worked(measure: Measure, sheet: _Sheet, asked: Asked) -> dict[int, Worked]:
    """Return a measure of each year asked for in which it can be told, the latest first."""
    return {year: one for year in _years(measure, asked, sheet.text) if (one := sheet.of(measure, year)) is not None}


def _side_by_side(
    measures: Sequence[Measure],
    computed: Mapping[str, _Computed],
    names: Sequence[str],
    asked: Asked,
    language: Language,
) -> Iterator[str]:
    """Yield a table of what several statements print, then what is worked out from them, then who says nothing."""
    told = {name: computed[name] for name in names if name in computed}
    printed = [
        place
        for place in range(len(measures))
        if all(one.is_printed for _, worked in told.values() for one in worked[place].values())
    ]
    if printed:
        yield f"|  | {' | '.join(escape_markdown(_as_asked(measures[one].name, asked)) for one in printed)} |"
        yield f"| --- |{' --- |' * len(printed)}"
    for name, (text, worked) in told.items() if printed else ():
        cells = (_cell(measures[one], worked[one], text) for one in printed)
        yield f"| {escape_markdown(name)} | {' | '.join(cells)} |"
    for name, (text, worked) in told.items():
        rest = (place for place in range(len(measures)) if place not in printed)
        lines = [line for one in rest for line in _told(measures[one], worked[one], text, asked, language)]
        yield from (f"- **{escape_markdown(name)}**", *(f"  {line}" for line in lines)) if lines else ()
    for name in names:
        if name not in told:
            yield f"- **{escape_markdown(name)}**: {NOT_FOUND.in_(language)}"


def _cell(measure: Measure, worked: Mapping[int, Worked], text: str) -> str:
    """Return what a row prints of several years, the earliest first."""
    if not worked:
        return "—"
    label = next(iter(worked.values())).words
    return f"{label}{_unit(measure, text)}: {_in_one_line({year: worked[year] for year in sorted(worked)})}"


def _told(measure: Measure, worked: Mapping[int, Worked], text: str, asked: Asked, language: Language) -> Iterator[str]:
    """Yield a measure of each year with how it is worked out; then its average, or by how much it changed."""
    if not worked:
        return
    unit = _unit(measure, text)
    latest = next(iter(worked.values()))
    is_line = all(one.is_printed for one in worked.values())
    is_told = is_line or "÷" in measure.name  # A share is called by what is divided.
    name = latest.words if is_told else escape_markdown(_as_asked(measure.name, asked))
    if is_line:
        yield _LINE.in_(language).format(name=name, unit=unit, said=_in_one_line(worked))
    else:
        for year, one in worked.items():
            said = one.figures if one.is_printed else f"{_shown(one.number, measure)} = {one.figures}"
            yield _OF_YEAR.in_(language).format(name=name, year=year, unit=unit, said=said)
    yield from _over_years(measure, name, worked, asked, language)
    if not is_told:
        yield _DEFINITION.in_(language).format(name=name, words=latest.words)


def _in_one_line(worked: Mapping[int, Worked]) -> str:
    """Return the values of a line with their years, each row cited once."""
    by_mark: dict[str, list[str]] = {}
    for year, one in worked.items():
        figure, _, mark = one.figures.partition(" [")
        by_mark.setdefault(mark, []).append(f"{figure} ({year})")
    return "; ".join(f"{'; '.join(told)} [{mark}" if mark else "; ".join(told) for mark, told in by_mark.items())


def _as_asked(name: str, asked: Asked) -> str:
    """Return a name as the question spells it, in capitals as it begins a line."""
    match = re.search(re.escape(name), asked.beside, re.IGNORECASE)
    said = match.group() if match else name
    return said if said[1:2].isupper() else f"{said[:1].upper()}{said[1:]}"


def _over_years(
    measure: Measure, name: str, worked: Mapping[int, Worked], asked: Asked, language: Language
) -> Iterator[str]:
    """Yield the average of several years if that is asked for, else by how much the last differs from the first.

    What is printed is cited; what was worked out stands with its citations in a line of its own.
    """
    years, numbers = list(worked), [one.number for one in worked.values()]
    if len(numbers) < 2:
        return
    if _MEAN.search(asked.question):
        mean, summed = sum(numbers) / len(numbers), " + ".join(_shown(one, measure) for one in numbers)
        yield _AVERAGE.in_(language).format(count=len(numbers), shown=_shown(mean, measure), sum=summed)
        return
    last, first = numbers[0], numbers[-1]
    if GROWTH_A_YEAR.search(asked.question) and min(first, last) > 0:
        rate = f"({_shown(last, measure)} ÷ {_shown(first, measure)}) ^ (1 ÷ {len(numbers) - 1}) − 1"
        yield _CAGR.in_(language).format(shown=f"{(last / first) ** (1 / (len(numbers) - 1)) - 1:.1%}", worked=rate)
        return
    if measure.is_share:
        said = _POINTS.in_(language).format(points=signed(f"{100 * (last - first):.1f}"))
    else:
        share = f" ({signed(f'{last / first - 1:.1%}')})" if first > 0 else ""
        said = f"{signed(_shown(last - first, measure))}{share}"
    what = COMMA.in_(language).join((name, from_to(str(years[-1]), str(years[0]), language)))
    after, before = (
        one.figures if one.is_printed else _shown(one.number, measure) for one in (worked[years[0]], worked[years[-1]])
    )
    yield computed_line(what, f"{said} = {after} − {before}", language)


def _unit(measure: Measure, text: str) -> str:
    """Return what an amount is in, as its statement says; nothing for a ratio."""
    if _is_ratio(measure.formula):
        return ""
    rows = sorted(_rows_of(measure, text), key=lambda row: not row.is_statement)
    unit = next((row.unit for row in rows if row.unit), "")
    return f" {escape_markdown(unit)}" if unit else ""


def _rows_of(measure: Measure, text: str) -> list[_Row]:
    """Return the rows of a page that are called as a line of a measure is."""
    lines = [term.line for term in measure.formula.terms]
    return [row for row in _rows(text) if any(line.rank(row.called) is not None for line in lines)]


def _is_ratio(formula: Formula) -> bool:
    return any(isinstance(node, ast.Div) for node in ast.walk(formula.tree))


def _shown(number: float, measure: Measure) -> str:
    if measure.is_share:
        return f"{number:.1%}"
    return f"{number:,.2f}" if _is_ratio(measure.formula) or not float(number).is_integer() else f"{number:,.0f}"
