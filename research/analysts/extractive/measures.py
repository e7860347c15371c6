"""Margins, ratios and lines of financial statements: what a question calls them, and what they are computed from.

A measure is known by name (gross margin, 流動比率), or the question defines it: “X is defined as: revenue / (average
PP&E between FY2018 and FY2019)”. Its operands are rows of the statements that a page holds; each is cited.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import add, mul, sub, truediv
from pathlib import Path
from typing import NamedTuple

from research.analysts.extractive.tables import counted_in, months_told, told_apart
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page
from research.gaps import Subjects
from research.language import Language, Phrase
from research.text import Asked, Operation, Value, escape_markdown, folded, question_parts, tokens, values_of

_VOCABULARY = Path(__file__).with_name("measures.txt")
_TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
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
_SMALL = frozenset(("the", "of", "and", "for", "in", "on", "to", "a", "an", "by", "from", "note", "consolidated"))
_BESIDE = frozenset(
    (
        "amount",
        "year",
        "end",
        "total",
        "net",
        "growth",
        "rate",
        "cash",
        "paid",
        "pay",
        "out",
        "usd",
        "million",
        "billion",
    )
)
_SHARES = frozenset(("fraction", "part", "percent", "percentage", "portion", "proportion", "ratio", "share"))
"""Words that make a line no other: those of its label, those that a question has beside its name, and in asking for a
share."""
_OPERATIONS = (Operation.LOOK_UP, Operation.CHANGE, Operation.COMPARE, Operation.REASON)
_DEFINED = re.compile(
    r"\b(?:is|are)\s+(?:defined|calculated|computed)\s+as:?\s+(?P<is>.+?)(?:[.?](?=\s)|[.?]?$)"
    r"|\bdefine\s+(?P<name>[\w &-]+?)\s+as:?\s+(?P<as>.+?)(?:[.?](?=\s)|[.?]?$)",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"(?P<part>[\w&-]+(?: [\w&-]+){0,4}?)\s+as\s+an?\s+(?:%|percent(?:age)?)\s+of\s+(?P<whole>[\w&-]+(?: [\w&-]+)?)"
    r"|(?P<of>[\w&-]+(?: [\w&-]+){0,3}?)\s+(?:\([^()]*\)\s*)?%\s*margin",
    re.IGNORECASE,
)
"""A share of which both are told: capex as a % of revenue, D&A % margin."""
_PART_FIRST = re.compile(r"[はが].*の何[％%割]")
_MEAN = re.compile(r"\b(?:two|three|four|five|\d)[ -]year average\b|[2-5二三四五](?:年|期)間?の?平均", re.IGNORECASE)
_GROWTH_A_YEAR = re.compile(r"\bCAGR\b|\bcompound(?:ed)? annual(?:ised|ized)? growth|年平均成長率", re.IGNORECASE)
_MOVES = re.compile(
    r"\b(?:chang|compar|declin|decreas|drop|fell|grew|grow|improv|increas|rais|stable|trend)\w*|\b(?:rise|fall|rose)\b"
    r"|増|減|変化|推移|改善|悪化|上昇|低下|前年",
    re.IGNORECASE,
)
"""What asks how a measure was the year before as well."""
_QUARTER = re.compile(r"\bQ[1-4]|\bquarter|四半期", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MOST_YEARS = 6


@dataclass(frozen=True)
class Line:
    """A line of a statement."""

    name: str
    labels: tuple[str, ...]
    """How statements call it, the best first, without small words; one that ends in `*` may go on."""
    is_paid: bool = False
    """Whether its sign says nothing: statements print costs and payments in brackets, or not."""
    formula: str = ""
    """What it is computed from where no line says it; of what is paid, what tells its sign."""

    def rank(self, called: str) -> int | None:
        """Return the place of a label among its own, the best first; None if it is none of them."""
        for place, label in enumerate(self.labels):
            if called == label or (label.endswith("*") and called.startswith(label[:-1])):
                return place
        return None


class Term(NamedTuple):
    """A line of a year, or its `average` or `change` with the year before."""

    line: Line
    of: str = ""


class Formula(NamedTuple):
    """An arithmetic expression whose names `t0`, `t1`, … are its terms."""

    tree: ast.expr
    terms: tuple[Term, ...]


class Measure(NamedTuple):
    """What is asked for, and how it is computed."""

    name: str
    formula: Formula
    is_share: bool = False
    """Whether it is told in percent."""
    labels: frozenset[str] = frozenset()
    """How a row is called that says it itself."""


# --- what a question asks for ---------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def measures_in(asked: Asked) -> tuple[Measure, ...]:
    """Return the measures that a question defines, else those that it names, else the lines that are all it asks."""
    if asked.operation is Operation.RATIO:
        return tuple(_share_asked(asked))
    if asked.operation not in _OPERATIONS or asked.wants_series:
        return ()
    if defined := _definitions(asked.beside):
        name, text = defined[0]
        for other, meant in defined[1:]:  # What a definition is made of may be defined behind it.
            text = re.sub(rf"(?<!\w){re.escape(other)}(?!\w)", f"({meant})".replace("\\", " "), text)
        formula = parsed(text)
        return (Measure(name, formula),) if formula is not None else ()
    if match := _SHARE.search(asked.question):
        part, whole = _line(match["part"] or match["of"]), _line(match["whole"] or "revenue")
        if part and whole:
            return (
                Measure(f"{part.name} ÷ {whole.name}", Formula(_DIVIDED, (Term(part), Term(whole))), is_share=True),
            )
    found = [_ratio(name) for name in _named(_vocabulary().ratios, folded(asked.question))]
    return tuple(found or _lines_asked(asked))


def _definitions(said: str) -> list[tuple[str, str]]:
    """Return what a question defines, by name, in its order."""
    found = []
    for match in _DEFINED.finditer(said):
        name = match["name"] or re.split(r"[.?:!]\s", said[: match.start()])[-1]
        found.append((name.strip(), match["is"] or match["as"]))
    return found


def _ratio(name: str) -> Measure:
    """Return a measure that is known by name; it has other names, which are those of the same formula."""
    ratios = _vocabulary().ratios
    text, is_share = ratios[name]
    formula = parsed(text)
    assert formula is not None, text
    labels = frozenset(called(other) for other, (own, _) in ratios.items() if own == text)
    return Measure(name, formula, is_share, labels)


def _share_asked(asked: Asked) -> Iterator[Measure]:
    """Yield the share of one line in another, if the question asks for nothing else: of the one that it names first.

    売上高の何％ names the whole behind its part.
    """
    low = folded(asked.question)
    named = list(_lines_asked(asked, _BESIDE | _SHARES))
    if len(named) == 2:
        first, second = sorted(_named(_vocabulary().lines, low), key=low.replace(",", "").find)
        whole, part = (_vocabulary().lines[name] for name in (first, second))
        if _PART_FIRST.search(low):
            whole, part = part, whole
        formula = Formula(_DIVIDED, (Term(part), Term(whole)))
        yield Measure(f"{part.name} ÷ {whole.name}", formula, is_share=True)


def _lines_asked(asked: Asked, beside: frozenset[str] = _BESIDE) -> Iterator[Measure]:
    """Yield the lines by which things asked of one firm are called, if nothing else is said of them."""
    if len([name for name in asked.names if not name.is_place]) > 1:
        return
    lines = _vocabulary().lines
    names = list(_named(lines, folded(asked.question)))
    said = beside.union(*(called(name).split() for name in names))
    bare = (_MOVES.sub(" ", _GROWTH_A_YEAR.sub(" ", one)) for one in asked.attributes)
    words = [{word for word in called(one).split() if word.isalpha()} for one in bare]
    if all(one <= said for one in words):
        yield from (Measure(name, Formula(_ALONE, (Term(lines[name]),))) for name in names)


def _named(names: Iterable[str], low: str) -> Iterator[str]:
    """Yield the names that a folded text says, the longest first, none within another."""
    found: list[tuple[int, int]] = []
    low = low.replace(",", "")
    for name in sorted(names, key=len, reverse=True):
        for match in re.finditer(rf"(?<![a-z]){re.escape(name)}(?![a-z])", low):
            if not any(start < match.end() and match.start() < end for start, end in found):
                found.append(match.span())
                yield name
                break


# --- formulas -------------------------------------------------------------------------------------------------------

_SPOKEN = (
    (re.compile(r"\((?:from|in|on|using) [^()]*\)", re.IGNORECASE), " "),
    (
        re.compile(r"\bbetween\b[^()+*/]*?\band\b\s*\S*?\d+|\b(?:in |for )?FY ?\d+|\b(?:19|20)\d\d\b", re.IGNORECASE),
        " ",
    ),
    (re.compile(r"\s(?:divided by|over)\s|÷|／", re.IGNORECASE), " / "),
    (re.compile(r"\s(?:less|minus)\s|\s[-–]\s", re.IGNORECASE), " − "),
    (re.compile(r"\splus\s|＋", re.IGNORECASE), " + "),
    (re.compile(r"\s(?:times|multiplied by)\s|×", re.IGNORECASE), " * "),
)
"""What a formula in words has besides: where its lines stand, and of which years, as the question says; its signs."""
_WORDS = re.compile(r"[^()+*/−]+")
_OF_TWO = re.compile(r"\s*(?:the\s+)?(?P<of>average|change)\s+(?:(?:of|in)\s+)?", re.IGNORECASE)
_ALONE = ast.parse("t0", mode="eval").body
_DIVIDED = ast.parse("t0 / t1", mode="eval").body
_SIGNS: Mapping[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("+", add),
    ast.Sub: ("−", sub),
    ast.Mult: ("×", mul),
    ast.Div: ("÷", truediv),
}


@lru_cache(maxsize=256)
def parsed(text: str) -> Formula | None:
    """Return a formula that is written in names, words and signs; None if the text is none."""
    for spoken, sign in _SPOKEN:
        text = spoken.sub(sign, text)
    terms: list[Term] = []

    def placed(words: re.Match[str]) -> str:
        said = words.group().strip(" ,.:;")
        if not said or said.replace(".", "").isdecimal():
            return words.group()
        match = _OF_TWO.match(said)
        line = _line(said[match.end() :] if match else said)
        terms.append(Term(line, match["of"].lower() if match else "") if line else Term(Line(said, ())))
        return f" t{len(terms) - 1} "

    try:
        tree = ast.parse(_WORDS.sub(placed, text).replace("−", "-").strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    known = (ast.BinOp, ast.Name, ast.Constant, ast.Load, *_SIGNS)
    return Formula(tree, tuple(terms)) if terms and all(isinstance(node, known) for node in ast.walk(tree)) else None


def _line(words: str) -> Line | None:
    """Return the line that words name; one that is not known is called as they say."""
    lines = _vocabulary().lines
    if name := next(_named(lines, folded(words)), ""):
        return lines[name]
    label = called(words)
    return Line(words.strip(), (label,)) if label else None


def called(label: str) -> str:
    """Return a label as it is compared with others: its words without small ones and numbers of notes."""
    return " ".join(word for word in tokens(label) if word not in _SMALL and not word.isdecimal())


class _Vocabulary(NamedTuple):
    lines: dict[str, Line]
    ratios: dict[str, tuple[str, bool]]
    """The formula of each name, and whether it is a share."""


@lru_cache(maxsize=1)
def _vocabulary() -> _Vocabulary:
    told = _Vocabulary({}, {})
    for entry in _VOCABULARY.read_text(encoding="utf-8").splitlines():
        left, is_line, right = entry.partition(":=")
        if entry.startswith("#") or not entry:
            continue
        if not is_line:
            left, _, right = entry.partition("=")
            formula = right.strip()
            told.ratios.update(dict.fromkeys(_names(left), (formula.lstrip("% "), formula.startswith("%"))))
            continue
        labels, _, formula = right.partition("|")
        line_names = _names(left.rstrip(" ~"))
        labelled = tuple(called(one) + "*" * one.rstrip().endswith("*") for one in labels.split(";") if one.strip())
        line = Line(line_names[0], labelled, left.rstrip().endswith("~"), formula.strip())
        told.lines.update(dict.fromkeys(line_names, line))
        if not labelled:  # No statement prints it: it is computed wherever it is asked for.
            told.ratios.update(dict.fromkeys(line_names, (line.formula, False)))
    return told


def _names(listed: str) -> list[str]:
    """Return names that stand between commas, as `_named` compares them: without any of their own."""
    return [folded(name.strip()) for name in listed.split(",") if name.strip()]


# --- the statements of a page ---------------------------------------------------------------------------------------


class _Row(NamedTuple):
    called: str
    is_statement: bool
    unit: str
    """What the figures of its table are in, as the table says."""
    values: tuple[Value, ...]


@lru_cache(maxsize=64)
def _rows(text: str) -> tuple[_Row, ...]:
    """Return the rows of figures in the tables of a page, with whether they stand in a statement."""
    tables: list[tuple[int, int, bool, str]] = []
    for table in _TABLE.finditer(text):
        before = text[max(0, table.start() - _HEADED) : table.start()].rpartition("|")[2]
        lines = [line for line in before.splitlines() if line.strip()][-_HEADINGS:]
        is_next = bool(tables) and table.start() - tables[-1][1] < _CONTINUED
        is_headed = any(len(line) < _HEADING and _STATEMENT.search(line) for line in lines)
        is_statement = is_headed or (is_next and tables[-1][2])
        unit = counted_in(before + table.group()[:_HEADED]) or (tables[-1][3] if is_next else "")
        tables.append((table.start(), table.end(), is_statement, unit))
    starts = [start for start, *_ in tables]
    rows: dict[int, list[Value]] = {}
    for value in values_of(text):
        if value.is_row and value.number is not None:
            rows.setdefault(value.start, []).append(value)
    found = []
    for start, own in rows.items():
        at = bisect_right(starts, start) - 1
        *_, is_statement, unit = tables[at] if at >= 0 and start < tables[at][1] else (0, 0, False, "")
        found.append(_Row(called(own[0].subject), is_statement, unit, tuple(own)))
    return tuple(found)


def _found(line: Line, year: str, text: str, *, is_quarter: bool) -> Value | None:
    """Return the value of a line for a year: of a statement by its best label, else what most tables have, the largest.

    What a whole company earned stands in many tables, what a part of it did, or would have done, in one.
    """
    told: list[tuple[int, Value]] = []
    for row in _rows(text):
        rank = line.rank(row.called)
        value = _of_year(row.values, year, is_quarter=is_quarter) if rank is not None else None
        if rank is not None and value is not None:
            told.append((len(line.labels) - rank if row.is_statement else 0, value))
    often = Counter(value.number for _, value in told)
    best = max(told, key=lambda one: (one[0], often[one[1].number], abs(one[1].number or 0.0)), default=None)
    return best[1] if best else None


def _printed(measure: Measure, year: str, text: str, *, is_quarter: bool) -> Value | None:
    """Return the value of a row that says a measure itself, in percent if it is a share; None where several differ."""
    rows = [row for row in _rows(text) if row.called in measure.labels]
    found = [_of_year(row.values, year, is_quarter=is_quarter, is_share=measure.is_share) for row in rows]
    own = {one.text: one for one in found if one is not None}
    return next(iter(own.values())) if len(own) == 1 else None


def _of_year(values: Sequence[Value], year: str, *, is_quarter: bool, is_share: bool = False) -> Value | None:
    """Return the value of a row for a year, or its quarter: a balance sheet prints days, the later first."""
    own = [one for one in values if year in _YEAR.findall(one.column) and one.text.endswith(("%", "％")) is is_share]
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

    def within(self, sign: str, *, is_second: bool) -> tuple[str, str]:
        """Return both as they stand before or behind a sign."""
        is_bare = not self.is_sum or sign == "+" or (sign == "−" and not is_second)
        return (self.figures, self.words) if is_bare else (f"({self.figures})", f"({self.words})")


@dataclass(frozen=True)
class _Sheet:
    """The statements of a page, with the marks of those rows that may be cited; without any, all may be used.

    A row may stand on a page twice, so that rows are known by what they say.
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
            return Worked(number, f"{escape_markdown(printed.text)}{mark}", escape_markdown(printed.subject))
        return self._formula(measure.formula, year)

    def _formula(self, formula: Formula, year: int) -> Worked | None:
        return self._node(formula.tree, formula.terms, year)

    def _mark(self, value: Value) -> str | None:
        """Return what cites a value; None if nothing may."""
        mark = "" if self.marks is None else self.marks.get(self.text[value.start : value.end])
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
        return Worked(number, f"{escape_markdown(figures)}{mark}", escape_markdown(value.subject))

    def _node(self, node: ast.expr, terms: Sequence[Term], year: int) -> Worked | None:
        if isinstance(node, ast.Constant):
            return Worked(float(str(node.value)), str(node.value), str(node.value))
        if isinstance(node, ast.Name):
            return self._term(terms[int(node.id[1:])], year)
        assert isinstance(node, ast.BinOp)
        left, right = self._node(node.left, terms, year), self._node(node.right, terms, year)
        sign, do = _SIGNS[type(node.op)]
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


def operands(page: Page, asked: Asked) -> list[Value]:
    """Return the values of a page from which the measures that are asked for can be computed."""
    found: dict[Value, None] = {}
    for measure in measures_in(asked) if not told_apart(page, asked) else ():
        for year in _years(measure, asked, page.text):
            sheet = _Sheet(page.text, _is_quarter(asked))
            if sheet.of(measure, year) is not None:
                found |= dict.fromkeys(sheet.used)
    return list(found)


def operand_quotes(page: Page, asked: Asked) -> list[str]:
    """Return the rows of a page from which the measures that are asked for can be computed, as they stand."""
    return list(dict.fromkeys(page.text[one.start : one.end] for one in operands(page, asked)))


def points_measured(asked: Asked) -> tuple[str, ...]:
    """Return those of the things asked that measures answer."""
    said = {word for measure in measures_in(asked) for word in called(measure.name).split()}
    told = zip(asked.points, asked.attributes, strict=True)
    return tuple(point for point, attribute in told if said & {*called(attribute).split()})


def _is_quarter(asked: Asked) -> bool:
    return _QUARTER.search(asked.question) is not None


def _years(measure: Measure, asked: Asked, text: str) -> list[int]:
    """Return the years that a measure is asked for, the latest first; with the one before where it moved."""
    years = sorted(map(int, asked.years))
    if not years:
        told = [
            int(year) for row in _rows_of(measure, text) for one in row.values for year in _YEAR.findall(one.column)
        ]
        years = [max(told)] if told else []
    if len(years) == 1 and (asked.wants_change or _MOVES.search(asked.question)):
        years = [years[0] - 1, *years]
    if len(years) > 1:
        years = list(range(years[0], years[-1] + 1))[-_MOST_YEARS:]
    return years[::-1]


_AVERAGE = Phrase("- Average of {count} years: {shown} = ({sum}) ÷ {count}")
_COMPUTED = Phrase("- Computed: {said}")
_CAGR = Phrase("- Growth a year on average: {shown} = {worked}")
_POINTS = Phrase("{points} percentage points")
_DEFINITION = Phrase("- {name}: computed as {words}")


def measure_lines(
    pool: Sequence[Evidence], asked: Asked, subjects: Subjects, request: ReportRequest
) -> tuple[str, ...]:
    """Return the measures that are asked for, worked out from one page for each that the question names."""
    measures = measures_in(asked)
    lines: list[str] = []
    done: set[str] = set()
    for source in dict.fromkeys(entry.source for entry in pool) if measures else ():
        page = request.pages[source]
        whose = next((name.en for name in subjects.of(page) if not name.is_place), "")
        if whose in done or told_apart(page, asked):
            continue
        own = [entry for entry in pool if entry.source == source]
        sheet = _Sheet(page.text, _is_quarter(asked), {one.quote: f" [{one.id}]" for one in own})
        told = [line for one in measures for line in _told(one, sheet, asked, request.brief.language)]
        if told:
            done.add(whose)
            lines += (
                [f"- **{escape_markdown(whose)}**", *(f"  {one}" for one in told)] if len(subjects.names) > 1 else told
            )
    return tuple(lines)


def _told(measure: Measure, sheet: _Sheet, asked: Asked, language: Language) -> Iterator[str]:
    """Yield a measure of each year with how it is worked out; then its average, or by how much it changed."""
    years = _years(measure, asked, sheet.text)
    worked = {year: one for year in years if (one := sheet.of(measure, year)) is not None}
    if not worked:
        return
    unit = _unit(measure, sheet.text)
    latest = next(iter(worked.values()))
    is_line = " " not in latest.figures.partition(" [")[0] and latest.figures.count(" [") < 2
    name = latest.words if is_line else escape_markdown(_as_asked(measure.name, asked))
    if is_line:
        yield f"- {name}{unit}: {_in_one_line(worked)}"
    else:
        for year, one in worked.items():
            yield f"- {name} ({year}){unit}: {_shown(one.number, measure)} = {one.figures}"
    yield from _over_years(measure, [one.number for one in worked.values()], asked, language)
    if not is_line:
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
    return f"{said[:1].upper()}{said[1:]}"


def _over_years(measure: Measure, numbers: Sequence[float], asked: Asked, language: Language) -> Iterator[str]:
    """Yield the average of several years if that is asked for, else by how much the last differs from the first."""
    if len(numbers) < 2:
        return
    if _MEAN.search(asked.question):
        mean, summed = sum(numbers) / len(numbers), " + ".join(_shown(one, measure) for one in numbers)
        said = _AVERAGE.in_(language).format(count=len(numbers), shown=_shown(mean, measure), sum=summed)
        yield said
        return
    last, first = numbers[0], numbers[-1]
    if _GROWTH_A_YEAR.search(asked.question) and min(first, last) > 0:
        worked = f"({_shown(last, measure)} ÷ {_shown(first, measure)}) ^ (1 ÷ {len(numbers) - 1}) − 1"
        yield _CAGR.in_(language).format(shown=f"{(last / first) ** (1 / (len(numbers) - 1)) - 1:.1%}", worked=worked)
        return
    if measure.is_share:
        said = _POINTS.in_(language).format(points=f"{100 * (last - first):+.1f}")
    else:
        said = _shown(last - first, measure) + (f" ({last / first - 1:+.1%})" if first > 0 else "")
    yield _COMPUTED.in_(language).format(said=f"{said} = {_shown(last, measure)} − {_shown(first, measure)}")


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
