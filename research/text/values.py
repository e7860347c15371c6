"""Labelled values: what a page says as "label: value", as a row of a table, or as a row of a CSV file.

A value knows whom it is about, what it is called, when it held, and where it stands; what it says is verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from research.text.sentences import YEAR, YEARS, cells, data_line_in, without_subject

_LINE = re.compile(r"[^\n]+")
_RULE = re.compile(r"\|[\s|:-]+\|?\s*")
_FIGURE = re.compile(r"[△▲(（-]?\s*(?:[$€£¥]\s*)?\d")
_PERIOD = re.compile(r"(?:19|20)\d\d(?:[-/年.]\s?(?:0?[1-9]|1[0-2])(?!\d))?")
_SIGN = re.compile(r"[$€£¥%％()（）—–-]*")
_NUMBER = re.compile(
    r"(?P<digits>\d[\d,]*(?:\.\d+)?)\s?(?P<times>thousand|million|billion|trillion|[万億兆])?", re.IGNORECASE
)
_SCALE = re.compile(
    r"(?P<sign>[$€£¥]?)\s?\d[\d,]*(?:\.\d+)?(?P<times>\s?(?:(?:thousand|million|billion|trillion)\b|[万億兆](?!\d))|)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"[^\d]{0,2}\d[\d,]*(?:\.\d+)?(?P<unit>\s?(?:[%％]|(?:千|百万|十億)?[^\W\d_]{1,4}))"
    r"(?:\sof [A-Za-z ]{2,30}?)?(?:\s*[(（].*)?"
)
"""A number, what it counts, at most of what, and a remark."""
TIMES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "万": 1e4, "億": 1e8, "兆": 1e12}
"""What a word behind a number multiplies it by."""
_MYRIADS = frozenset("万億兆")
_DATED = re.compile(r"^\([^()]{0,40}\)\s*(?=\S)")
"""What stands before a value and says when it held: “(2017 est.) 77.9”."""
_NEGATIVE = re.compile(r"\s*(?:[△▲−-]|(?:[$€£¥]\s*)?\(\s*(?:[$€£¥]\s*)?\d[\d,.]*\)\s*\Z)")
_LONGEST = 2_000
"""Characters of a value; what is longer is prose behind a label."""
_BEGINS = re.compile(r"(?:US|[^\w\s]|\s){0,4}\d|\(")
"""What an amount begins with: a sign, a currency, the year in brackets that it is for; no name of what is counted."""
_ABOUT = re.compile(
    r"(?:an )?(?:approximately|about|around|estimated|nearly|roughly|up to|約|およそ|推定)\s*", re.IGNORECASE
)
_REST = re.compile(r"\s*[;(（]")
"""What begins what a rounded figure is made up of."""
_PROSE = 80
"""Characters from which a value is prose."""
_DATE = 24
"""Characters of a cell that is nothing but a date."""
_BESIDE_DATES = re.compile(
    r"[\d\s/.,:;–—\-()（）_年月期度末第HQ]|FY|fiscal|year|ended|実績|予想|計画|累計|[A-Z][a-z]{2,8}"
)
_DATES_AT = 2
"""Cells of a row of data among which its year stands without being called so; further on, 1903 may count people."""
_DATED_BY = re.compile(
    r"\b(?:year|date|day|month|quarter|period|time|fiscal)|年(?![金代差比])|月|日付|期|時点", re.IGNORECASE
)
MONTH_COLUMN, MONTH_NUMBER, _YEAR_ALONE = re.compile(r"month|月", re.IGNORECASE), re.compile(r"0?[1-9]|1[0-2]"), 4
"""The column that has the month of a year which stands in another one, and what it says."""
_EMPHASIS = re.compile(r"\*\*|__")
_UNIT = re.compile(
    r"(?:[(（]|単位[:：]\s?)(?P<unit>[%％倍]|(?:千|百万|十億|[万億兆])*(?:円|米?ドル|ユーロ|元|人|名|社|件|株|台|店|戸|歳|年|[kt]?トン|USD))[)）]?\Z"
)
"""The unit behind a label in brackets."""
_BARE_NUMBER = re.compile(r"[△▲(（+-]?\s?\d[\d,.]*[)）]?")
_LABEL = 40
"""Characters of a label that names nobody; what is longer is a sentence with a colon."""
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n){0,50}?---[ \t]*\n")
_NOTE = re.compile(r"(?:,|^)\s*note(?:\s*\d+)?$|\bsample\(s\)$", re.IGNORECASE)
"""How a remark on a value is labelled, or a sample of what it names: of a language, a sentence in it."""
_REMARK = 90
"""Characters of a remark that only says how values are meant; a longer one tells something."""
_SNAKE = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+")
_SNAKE_UNIT = re.compile(
    r"(?<! per) ((?:thousand|million|billion|trillion)(?: (?:yen|jpy|dollars?|usd|euros?|eur|gbp))?"
    r"|yen|jpy|dollars?|usd|euros?|eur|gbp|percent|kg|tons?|tonnes?|km2?|m2|[kmgt]wh?)\Z",
    re.IGNORECASE,
)
"""The unit that a label in snake_case ends with, once its words stand apart."""
_ORDINAL = re.compile(r"(?:id|no\.?|#|番号|[一-鿿]*コード|(?:\w+ )?code)", re.IGNORECASE)


@dataclass(frozen=True)
class Value:
    """One value of a page: `page.text[start:end]` is the line or row that holds it."""

    subject: str
    """Whom it is about, as the line or row says; empty if only the page tells."""
    label: str
    """What it is called, without years."""
    text: str
    """The value as it stands."""
    period: str
    """The year or month that it is for, if the line, row or column names one."""
    start: int
    end: int
    is_row: bool = False
    """Whether it stands in a row with others."""

    @property
    def is_note(self) -> bool:
        """Whether it is a remark on values of that label."""
        return is_note(self.label)

    @property
    def kind(self) -> str:
        """What its label says before it says which: Capital of “Capital, etymology”."""
        return self.label.partition(",")[0]

    @property
    def tells_year(self) -> bool:
        """Whether what it says has a year, beside the one that it is for."""
        return YEAR.search(_DATED.sub("", self.text).replace(self.period, "")) is not None

    @property
    def year(self) -> str:
        """The year of its period, the last if several are named; empty if none is."""
        return next(reversed(YEAR.findall(self.period)), "")

    @property
    def column(self) -> str:
        """What stands above its column in a table, without whom the row is about."""
        return self.period or self.label.removeprefix(self.subject).lstrip(": ")

    @property
    def is_prose(self) -> bool:
        """Whether it tells so much that no order can be made of it."""
        return len(self.text) >= _PROSE

    @property
    def is_figure(self) -> bool:
        """Whether it is a figure, and no prose that holds one."""
        return self.number is not None and not self.is_prose

    @property
    def is_amount(self) -> bool:
        """Whether it begins with its figure: 71.39 billion, and not “China 30%, USA 10%”."""
        return is_amount(self.text)

    @property
    def number(self) -> float | None:
        """The first figure with what multiplies it (“1.2 trillion”, 1億2,000万), without its unit; None without any."""
        return number_in(self.text)


def is_note(label: str) -> bool:
    """Whether a label is that of a remark on values."""
    return _NOTE.search(label) is not None


def without_note(label: str) -> str:
    """Return the label of the values that a remark is made on."""
    return _NOTE.sub("", label)


def is_amount(text: str) -> bool:
    """Whether a value is no prose and begins with its figure, behind a sign or the year in brackets that it is for.

    What follows in brackets may say more: approximately 65,000 active (45,000 of the army …), 150,000 km (2021) 1.435-m
    gauge (100,000 km electrified).
    """
    about = _ABOUT.match(text)
    head = _REST.split(text[about.end() if about else 0 :], maxsplit=1)[0]
    said = head if about or len(head) <= _DATE else text
    return len(said) < _PROSE and _BEGINS.match(said) is not None and number_in(said) is not None


def label_in_words(label: str) -> str:
    """Return a label as a reader would write it: a column such as revenue_million_yen by its words and its unit."""
    if not _SNAKE.fullmatch(label):
        return label
    return _SNAKE_UNIT.sub(r" (\1)", label.replace("_", " "))


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def humps_apart(label: str) -> str:
    """Return a label with words that are written as one apart: MonthlyIncome is Monthly Income."""
    return _HUMP.sub(" ", label)


_SPAN = re.compile(r"(?<![\d.,])(\d{1,3})[-–](\d{1,3},\d{3})(?![,\d])")
"""Two figures of which the first leaves out its thousands: 230-240,000."""


def number_in(text: str) -> float | None:
    """Return the first figure of a value with what multiplies it, without its unit; None without any."""
    text = _SPAN.sub(r"\1,000-\2", _DATED.sub("", text))
    match = _NUMBER.search(text)
    if match is None:
        return None
    value, at = 0.0, match.start()
    while part := _NUMBER.match(text, at):
        value += float(part["digits"].replace(",", "")) * TIMES.get((part["times"] or "").lower(), 1.0)
        at = part.end()
        if part["times"] not in _MYRIADS:
            break
    return -value if _NEGATIVE.match(text) else value


@dataclass(frozen=True)
class Scale:
    """What a figure is counted in, as far as it is the same number of something: $ 1.2 trillion, 3億."""

    sign: str = ""
    word: str = ""
    """What multiplies it, as it stands behind the number."""
    times: float = 1.0


def scale_of(text: str) -> Scale:
    """Return the sign and the multiplier of a value's first figure; one of several, as 1億2,000万, counts in ones."""
    match = _SCALE.search(_DATED.sub("", text))
    word = match["times"].strip() if match else ""
    if match is None or not word:
        counted = _COUNTED.fullmatch(text)
        return Scale(match["sign"] if match else "", counted["unit"] if counted else "")
    return Scale(match["sign"], f" {word}" if word.isascii() else word, TIMES[word.lower()])


@lru_cache(maxsize=256)
def values_of(text: str) -> tuple[Value, ...]:
    """Return every labelled value of a page, in order."""
    found: list[Value] = []
    table: list[_Row] = []
    rule: int | None = None
    lead = ""
    front = len(opening.group()) if (opening := _FRONT_MATTER.match(text)) else 0
    for match in _LINE.finditer(text, front):
        line = match.group()
        if line.lstrip().startswith("|"):
            if _RULE.fullmatch(line.strip()):
                rule = len(table) if rule is None else rule
            else:
                cells_ = tuple(row_cells(_EMPHASIS.sub("", line)))
                start = match.start() + line.index("|")
                table.append(_Row(cells_, start, match.start() + len(line.rstrip())))
            continue
        if line.strip():
            found.extend(_of_table(table, rule, lead))
            table, rule, lead = [], None, line.strip()
            start = match.start() + len(line) - len(line.lstrip("-*• \t"))
            found.extend(_of_line(text[start : match.end()].rstrip(), start))
    found.extend(_of_table(table, rule, lead))
    return tuple(found)


def row_cells(line: str) -> list[str]:
    """Return the cells of a row of a table in Markdown."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@dataclass(frozen=True)
class _Row:
    """A row of a table: its cells without emphasis, and where it stands."""

    cells: tuple[str, ...]
    start: int
    end: int


def _of_table(rows: Sequence[_Row], rule: int | None, lead: str) -> Iterator[Value]:
    """Yield the values of a table below the line `lead`; the first row below its rule is row `rule`."""
    head: Sequence[str] = ()
    is_fresh = False
    unit = next((unit for line in (*(row.cells[0] for row in rows[:1]), lead) if (unit := _without_unit(line)[1])), "")
    is_paired = rule is not None and _is_paired(rows[rule:])
    for at, row in enumerate(rows):
        is_above = rule is not None and at < rule
        is_below = rule is None or (not is_paired and _heads_below(row.cells, head))
        if is_above or (is_below and _is_head(row.cells)):
            # Below the periods of the columns, “Revenue: | (In millions)” says what the rows are.
            if not (is_fresh and any(map(_is_period, head)) and not any(map(_is_period, row.cells))):
                head, is_fresh = row.cells, True
        else:
            is_fresh = False
            yield from _of_row(row, () if is_paired else head, unit)


def _is_paired(rows: Sequence[_Row]) -> bool:
    """Whether a table lists names with what belongs to each: two columns, of which the second holds words too."""
    pairs = [row.cells for row in rows if len(row.cells) == 2 and all(row.cells)]
    return bool(pairs) and len(pairs) == len(rows) and not all(_is_figure(told) for _, told in pairs)


def _heads_below(row: Sequence[str], head: Sequence[str]) -> bool:
    """Whether a row below the rule of a table names columns: periods do, and words without a name or any other head."""
    return any(map(_is_period, row)) or not row[0] or sum(map(bool, head)) < 2


def is_remark(quote: str) -> bool:
    """Whether a quote is a remark on values (“Exports, note: …”), which says nothing by itself."""
    line = data_line_in(quote)
    return line is not None and len(line.value) <= _REMARK and _NOTE.search(line.label) is not None


def _of_line(line: str, start: int) -> Iterator[Value]:
    if len(line) > _LONGEST + _LABEL:
        return
    found = data_line_in(line)
    subject, label = without_subject(found.label) if found else ("", "")
    if not subject and (row := cells(line)):
        yield from _of_cells(row, start, start + len(line))
        return
    if found is None or len(found.value) > _LONGEST or found.label.startswith("#"):
        return
    if not subject and (len(label) > _LABEL or not _is_figure(found.value)):
        return  # Prose behind a colon.
    years = YEARS.findall(label)
    bare = " ".join(YEARS.sub(" ", label).split()) or label
    yield Value(subject, bare, found.value, years[-1][:4] if years else "", start, start + len(line))


def _of_cells(row: Sequence[tuple[str, str]], start: int, end: int) -> Iterator[Value]:
    """Yield the figures of a row of labelled cells; its other cells say whom and when they are about."""
    dated = (
        value
        for at, (label, value) in enumerate(row)
        if at < _DATES_AT or _DATED_BY.search(label) or not value.isdecimal()
    )
    period = next((value for value in dated if _PERIOD.fullmatch(value.rstrip("年")) or _is_period(value)), "")
    told = [value for label, value in row if value != period and not _is_figure(value)]
    month = next((value for label, value in row if MONTH_COLUMN.fullmatch(label) and MONTH_NUMBER.fullmatch(value)), "")
    is_split = bool(month) and len(period) == _YEAR_ALONE
    when = f"{period}-{int(month):02}" if is_split else period
    for label, value in row:
        is_when = value == period or (is_split and MONTH_COLUMN.fullmatch(label) is not None)
        if _is_figure(value) and not is_when and not _ORDINAL.fullmatch(label):
            yield Value("; ".join(told), label_in_words(label), value, when, start, end, is_row=True)


def _of_row(row: _Row, head: Sequence[str], common: str) -> Iterator[Value]:
    """Yield the figures of a table row, each with the head of its column: the nearest that is not to its right.

    A bare number is counted in the unit of its column, else of its row, else in the one `common` to the table.
    """
    columns = [(at, cell) for at, cell in enumerate(head) if cell]
    if not any(_is_figure(cell) for cell in row.cells[1:]):
        yield from _of_words(row, dict(columns))
        return
    names = [cell for cell in row.cells[:2] if cell and not _is_figure(cell)]
    if not names:
        return
    name, unit = _without_unit(names[0])
    for at, cell in enumerate(row.cells):
        if not _is_figure(cell) or (at == 0 and _BARE_NUMBER.fullmatch(cell)):
            continue  # A bare number before the name counts the rows, or says of which year they are.
        column, own = _without_unit(next((label for place, label in reversed(columns) if place <= at), ""))
        label = name if not column or _is_period(column) else f"{name}: {column}"
        is_unit = len(names) > 1 and names[1] != column and not _SIGN.fullmatch(names[1])
        has_sign = next(filter(None, row.cells[at + 1 :]), "") in ("%", "％")  # Filings give it a cell of its own.
        told = f"{cell}%" if has_sign else cell
        text = f"{told} {names[1].strip('()（）')}".strip() if is_unit else counted(told, own or unit or common)
        yield Value(name, label, text, column if _is_period(column) else "", row.start, row.end, is_row=True)


def _without_unit(label: str) -> tuple[str, str]:
    """Return a label without the unit that stands in brackets behind it, and that unit: 売上高（百万円）."""
    match = _UNIT.search(label)
    return (label[: match.start()].rstrip(), match["unit"]) if match and match.start() else (label, "")


def counted(cell: str, unit: str) -> str:
    """Return a bare number with its unit."""
    return f"{cell}{unit}" if unit and _BARE_NUMBER.fullmatch(cell) else cell


def _of_words(row: _Row, columns: Mapping[int, str]) -> Iterator[Value]:
    """Yield the cells of a row without figures; its first cell is what they are about."""
    name = row.cells[0]
    if not name:
        return
    for at, cell in enumerate(row.cells[1:], start=1):
        if cell and len(cell) <= _LONGEST and not _SIGN.fullmatch(cell):
            column = columns.get(at, "")
            yield Value(name, f"{name}: {column}" if column else name, cell, "", row.start, row.end, is_row=True)


def _is_head(row: Sequence[str]) -> bool:
    """Whether a row names columns: words or periods, and no other figures."""
    said = [cell for cell in row if cell and not _SIGN.fullmatch(cell)]
    return len(said) > 1 and all(_is_period(cell) or not _is_figure(cell) for cell in said)


def _is_figure(cell: str) -> bool:
    return _FIGURE.match(cell) is not None and len(cell) <= 60


def _is_period(cell: str) -> bool:
    return len(cell) <= _DATE and _PERIOD.search(cell) is not None and not _BESIDE_DATES.sub("", cell)
