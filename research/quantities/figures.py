"""Figures: the quantities that a text states, read rather than matched.

`figures("売上高は前年比１２％増の1兆2,345億円")` gives 12% and 1.2345e12 JPY, with the offsets of both.

What is read: numbers in digits, kanji (三割, 十二社, 五百億円) and English words before a multiplier or unit; units and
currencies; 割 as ten percent each; minus signs, △ and ▲, brackets as minus in cells and behind labels; ranges as two
figures; the unit of a bare figure from its label, row or column.

What is none: dates and years (they become the `period` of the figures near them), clock times, phone numbers,
versions, list numbers, citation marks, ordinals, parts of names and codes (COVID-19, ISO 9001, 第3条, Section 4.2),
fractions and words such as "doubled" or "half".

Units in labels: `売上高（百万円）: 1,234`, `Sales ($m)`, `revenue_million_yen: 23.8`.

A figure that has nothing printed with it takes unit, currency and multiplier from the brackets at the end of its label,
or from the end of a label in snake_case; $2,000 takes the multiplier, as in a table that is headed "(In millions)" or
"(In millions, except per share data)", of which what a share has takes none.

Tables with bars: a column headed by a period or unit, and a row labelled with a unit, give it to their figures.

Which period a figure is about, from where both stand.

Within a sentence, or a line that stands alone, in this order:

1. the period in brackets right behind the figure: `0.1% (2024 est.)`, `12% of sales (FY2024)`;
2. the period joined to it by a preposition: `$3m in 2023 and $4m in 2024`;
3. the last period before it, outside brackets if there is one: `In 2024, sales rose 3%`, `growth 2024: 3%`;
4. the only period of the sentence, if it is not joined to another figure.

A figure said to be of the year before (`$9m a year earlier`, 前年の47人) is of the year before that period.

A period that a comparison starts from ("from 2023", 2023年比) or in which something began ("founded in 1937",
1937年創業) is passed over.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from math import log10
from operator import attrgetter
from typing import NamedTuple, TypeVar

from research.quantities.amounts import (
    MULTIPLIERS,
    After,
    Numeral,
    after,
    compatible,
    conversion,
    currency_before,
    fold,
    japanese,
    shifted,
)
from research.quantities.periods import Date, Period, agree, dates, periods_among
from research.quantities.reading import Bound, Reading, holds_numbers, is_rounded, read, share

_BRACKETS = re.compile(r"\(([^()\n|:]{1,24})\)[^()\n|:]{0,12}: ?(?=[^ \n])")
_SNAKE = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z0-9]{1,30}(?:_[A-Za-z0-9]{1,30}){1,6}: ?(?=[^ \n])")
_LEAD = re.compile(r"(?:in |unit: ?|units: ?|単位:? ?)", re.IGNORECASE)
_OF = re.compile(r"\b(thousand|million|billion|trillion)s(?: of)?\b")
_MONEY_FIRST = re.compile(r"(?:[A-Z]{0,3}[$€£¥₩₹]|[A-Z]{3} ) ?")
_SNAKE_WORDS = 3


@lru_cache(maxsize=1024)
def unit_named(words: str) -> After | None:
    """Return what `words` (folded) say of the figures below them, as if 1 stood before; None if they name no unit."""
    words = _OF.sub(r"\1", _LEAD.sub("", words.strip(), count=1)).strip()
    if not words or any(
        character.isdigit() for character in words.replace("CO2", "").replace("m2", "").replace("m3", "")
    ):
        return None
    currency = None
    if money := _MONEY_FIRST.match(words + " "):
        known = currency_before(money.group().strip(), len(money.group().strip()))
        currency = known[0] if known else None
        words = words[money.end() :].strip() if currency else words
    one = "1" + words
    number = Numeral(1.0, 1.0, 1.0, 0, 1)
    if words[:1] in MULTIPLIERS:
        number = japanese(one, 0) or number
    found = after(one, number, currency)
    return found if found.is_measured and found.end == len(one) else None


def label_units(text: str, readings: Iterable[Reading]) -> None:
    """Give the bare figures of "label: figure" lines what their labels say."""
    if ":" not in text:
        return
    by_start = {reading.start: reading for reading in readings}
    for match in _BRACKETS.finditer(text):
        measure(by_start.get(match.end()), unit_named(match[1]))
    for match in _SNAKE.finditer(text):
        reading = by_start.get(match.end())
        if reading is not None and reading.is_bare:
            words = match.group().rstrip(": ").split("_")
            tails = (unit_named(" ".join(words[-count:])) for count in range(min(_SNAKE_WORDS, len(words) - 1), 0, -1))
            measure(reading, next((found for found in tails if found is not None), None))


def measure(reading: Reading | None, found: After | None) -> None:
    """Give a bare figure a unit, currency and multiplier; one of money that lacks only the multiplier, that."""
    if reading is None or found is None:
        return
    is_money = reading.unit is None and reading.scale == 1.0 and found.unit is None
    if reading.is_bare or (is_money and found.currency in (None, reading.currency)):
        negative = reading.value < 0
        value = shifted(abs(reading.value), round(log10(found.number.scale)))
        reading.value = -value if negative else value
        reading.step *= found.number.scale
        reading.scale = found.number.scale
        reading.unit, reading.currency = found.unit, found.currency or reading.currency


_T = TypeVar("_T")

_ROW = re.compile(r"^[ \t]*\|[^\n]*", re.MULTILINE)
_UNIT_IN_BRACKETS = re.compile(
    r"\(([^()\n|]{1,24}?)(?:[,;、] ?((?:except|unaudited|ただし)[^()\n|]{0,120}|[^()\n|]{1,60}除く))?\)", re.IGNORECASE
)
"""A unit, and what it is not of: (In millions, except share and per share data)."""
_EACH = re.compile(r"\bper\s+(?:\w+\s+)?(?:share|unit)\b|[1一]株(?:当|あ)たり", re.IGNORECASE)
"""A row of what one share has is in no millions, whatever its table is in."""
_SHARES_APART = re.compile(r"\bshares\b|(?<!per[ -])\bshare\b|株式?数", re.IGNORECASE)
_NUMBER_OF_SHARES = re.compile(r"\bshares\b|株式?数", re.IGNORECASE)
"""A table that excepts shares, and its rows of their numbers; where that of each is excepted, they are as all."""
_LONGEST_CAPTION = 200
_MOST_COLUMNS = 500


class _Head(NamedTuple):
    """What one cell of a header says of its column."""

    period: str | None
    unit: After | None
    are_shares_apart: bool = False
    """Whether the unit is of no number of shares."""


def read_tables(text: str, readings: Sequence[Reading], dates: Sequence[Date]) -> None:
    """Set periods, units and multipliers of the readings in table rows. Both are in order; linear in the text."""
    if "|" not in text:
        return
    starts = [reading.start for reading in readings]
    date_starts = [date.start for date in dates]
    heads: list[_Head] = []
    last_end = -2
    for row in _ROW.finditer(text):
        if row.start() != last_end + 1:
            heads = [
                _head(text, cell, _within(dates, date_starts, *cell))
                for cell in islice(_cells(text, row.start(), row.end()), _MOST_COLUMNS)
            ]
            heads = _with_caption(text, row.start(), heads)
        else:
            inside = _within(readings, starts, row.start(), row.end())
            if inside:
                _fill(text, row, heads, inside)
        last_end = row.end()


def _within(items: Sequence[_T], starts: Sequence[int], start: int, end: int) -> Sequence[_T]:
    return items[bisect_left(starts, start) : bisect_left(starts, end)]


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each cell of a row; the first is what stands before the first bar."""
    while start <= end:
        bar = text.find("|", start, end)
        stop = bar if bar >= 0 else end
        yield start, stop
        start = stop + 1


def _head(text: str, cell: tuple[int, int], dates: Sequence[Date]) -> _Head:
    values = {date.value for date in dates}
    period = values.pop() if len(values) == 1 else None
    return _Head(period, *_unit_in(text[slice(*cell)], whole=True))


def _unit_in(cell: str, *, whole: bool) -> tuple[After | None, bool]:
    """Return the unit in a cell's brackets and whether it excepts shares; a whole cell only as a share or money."""
    for words, exception in _UNIT_IN_BRACKETS.findall(cell):
        found = unit_named(words)
        if found is not None:
            return found, _SHARES_APART.search(exception) is not None
    found = unit_named(cell) if whole and len(cell) <= 30 else None
    return (found if found is not None and (found.currency is not None or found.unit == "%") else None), False


def _with_caption(text: str, start: int, heads: list[_Head]) -> list[_Head]:
    """Give the columns without a unit the one that the first cell or the line above the table names for all."""
    general, apart = heads[1][1:] if len(heads) > 1 else (None, False)
    if general is None and start > 1:
        end = start - 1 - (text[start - 2] == "\n")  # Markdown has an empty line between.
        line_start = text.rfind("\n", max(0, end - _LONGEST_CAPTION), end) + 1
        general, apart = _unit_in(text[line_start:end], whole=False) if line_start else (None, False)
    if general is None:
        return heads
    return [head if head.unit is not None else head._replace(unit=general, are_shares_apart=apart) for head in heads]


def _fill(text: str, row: re.Match[str], heads: Sequence[_Head], readings: Sequence[Reading]) -> None:
    first_bar = text.index("|", row.start()) + 1
    second_bar = text.find("|", first_bar, row.end())
    label = text[first_bar:second_bar] if second_bar >= 0 else ""
    row_unit, is_each = _unit_in(label, whole=False)[0], _EACH.search(label) is not None
    are_shares = _NUMBER_OF_SHARES.search(label) is not None
    column, position = 0, row.start()
    for reading in readings:
        column += text.count("|", position, reading.start)
        position = reading.start
        head = heads[column] if column < len(heads) else _Head(None, None)
        if head.period is not None:
            reading.period = head.period
        unit = row_unit or head.unit
        is_other = is_each or (are_shares and head.are_shares_apart)
        if unit is not None and column > 1 and not (is_other and unit.number.scale > 1):
            measure(reading, unit)


_BREAK = re.compile(r"[。！？]|[!?](?=\s)|\.(?=\s+[A-Z\"“(\[])|\n(?!(?=[a-z])[^:|\n]{40})")
_ABBREVIATION = re.compile(r"(?:\b(?:[A-Za-z]|est|approx|vs|No|Inc|Co|Ltd|Corp|cf|e\.g|i\.e|ca|Mr|Ms|Dr|St))\Z")
_IN_BRACKETS = re.compile(r"[^,;:、。()|\n]{0,60}\((?:est\.?|as of|in|at|for|estimated|,|[ ])*")
_AND = r" (?:and|but|while|whereas|from|compared|versus|vs|than|against)"
_WITH_PREPOSITION = re.compile(
    rf"(?!{_AND}\b)(?:(?!{_AND} )[^,;:、。()|\n]){{0,60}}?"
    r" (?:in|for|during|at|by|as of|at the end of|through|until|on|at end) "
    r"(?:the |of |early |late |mid-|end[- ]|year[- ]|calendar )*"
)
_BASE_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])(?:from|than(?: (?:that |those )?in)?|(?:compared|relative) (?:to|with)(?: (?:that |those )?in)?"
    r"|versus|vs\.?|against|over|since|(?:founded|established|incorporated|born|built|opened|created|enacted) in)|対)"
    r" ?(?:the )?\Z",
    re.IGNORECASE,
)
_BASE_AFTER = re.compile(r"(?:末|同期)?(?:と)?比|から|[にの]?(?:創業|設立|創立|開業|制定|発足|誕生|施行|開設|生まれ)")
_A_YEAR_BEFORE = re.compile(
    r",? (?:in |for |during )?(?:a year (?:earlier|before|ago)"
    r"|the (?:previous|prior|preceding) (?:financial |fiscal )?year)\b"
)
_OF_YEAR_BEFORE = re.compile(r"前(?:年|期)(?:度|同期|同月)?[のは]\Z")
_SHARES = ("%", "pp", "bps", "x")
"""前年の1.2倍 is no figure of the year before but compares with it."""
_REACH = 80
"""Characters between a figure and the period joined to it behind it."""
_LONGEST_SENTENCE = 500
"""Characters before the only period of a sentence in which it counts."""
_YEAR = re.compile(r"\d{4}")
_YEAR_WORDS = 6
"""Characters before a figure in which 前年同期の stands."""
_NEAR_BRACKETS = 60
"""Characters in which brackets around a period open and close."""
_FEW = 8
"""Periods of one sentence that are looked at in each direction."""


class _Named(NamedTuple):
    """A period in a sentence."""

    value: str
    start: int
    is_label: bool
    """Whether a colon behind it says that it speaks of what follows."""
    is_base: bool
    """Whether a comparison starts from it, or something began in it."""
    closed: int
    """Where the brackets around it close; -1 if there are none."""


_COLONS = (":", "=")
_start = attrgetter("start")


def attach(text: str, readings: Sequence[Reading], dates: Sequence[Date]) -> None:
    """Set the period of each reading that has none and stands near one. Both are in order; linear in both."""
    known = [date for date in dates if date.value is not None]
    if not known or not readings:
        return
    breaks = [match.end() for match in _BREAK.finditer(text) if not _ends_abbreviation(text, match)]
    by_scope: dict[int, list[_Named]] = {}
    for date in known:
        by_scope.setdefault(bisect_right(breaks, date.start), []).append(_named(text, date))
    joined: set[int] = set()
    alone: list[tuple[Reading, list[_Named]]] = []
    for index, reading in enumerate(readings):
        nearby = by_scope.get(bisect_right(breaks, reading.start))
        if nearby is None or reading.period is not None:
            continue
        limit = readings[index + 1].start if index + 1 < len(readings) else len(text)
        reading.period = _behind(text, reading, nearby, limit, joined) or _before(text, reading, nearby)
        if reading.period is None:
            alone.append((reading, nearby))
    for reading, nearby in alone:
        reading.period = _only(text, reading, nearby, joined)


def _ends_abbreviation(text: str, match: re.Match[str]) -> bool:
    return match.group() == "." and _ABBREVIATION.search(text[max(0, match.start() - 8) : match.start()]) is not None


def _named(text: str, date: Date) -> _Named:
    base = _BASE_AFTER.match(text, date.end) is not None
    base = base or _BASE_BEFORE.search(text[max(0, date.start - 28) : date.start]) is not None
    left = text[max(0, date.start - _NEAR_BRACKETS) : date.start]
    is_inside = max(left.rfind("("), left.rfind("（")) > max(left.rfind(")"), left.rfind("）"))
    closed = text.find(")", date.end, date.end + _NEAR_BRACKETS) if is_inside else -1
    return _Named(date.value or "", date.start, text[date.end : date.end + 1] in _COLONS, base, closed)


def _behind(text: str, reading: Reading, nearby: list[_Named], limit: int, joined: set[int]) -> str | None:
    """Return the period joined to a figure from behind; where it stands is added to `joined` if not in brackets."""
    index = bisect_right(nearby, reading.start, key=_start)
    if index == len(nearby) or nearby[index].start > min(limit, reading.end + _REACH):
        return None
    following = nearby[index]
    if following.is_label:
        return None
    between = text[reading.end : following.start]
    if _IN_BRACKETS.fullmatch(between):
        return following.value
    if _WITH_PREPOSITION.fullmatch(between):
        joined.add(following.start)
        return following.value
    return None


def _before(text: str, reading: Reading, nearby: list[_Named]) -> str | None:
    """Return the period before a figure, or the year before it if the text says that; none for what was left behind.

    `rose to 19 in 2023 from 14` tells the time of 19 alone.
    """
    value = _ahead(reading, nearby)
    if value is None or reading.unit in _SHARES:
        return value
    ahead = text[max(0, reading.start - _YEAR_WORDS) : reading.start]
    if ahead.endswith(" from "):
        return None
    is_year_before = _A_YEAR_BEFORE.match(text, reading.end) or _OF_YEAR_BEFORE.search(ahead)
    return _shifted(value) if is_year_before else value


def _shifted(value: str) -> str | None:
    """Return a canonical period one year earlier, or None for ranges."""
    if "/" in value or value.endswith("s"):
        return None
    return _YEAR.sub(lambda year: f"{int(year[0]) - 1:04}", value)


def _ahead(reading: Reading, nearby: list[_Named]) -> str | None:
    """Return the last period before a figure; one in brackets that are closed only if there is no other."""
    index = bisect_right(nearby, reading.start, key=_start)
    known = [date for date in reversed(nearby[max(0, index - _FEW) : index]) if not date.is_base]
    free = next((date for date in known if not 0 <= date.closed < reading.start), None)
    found = free or (known[0] if known else None)
    return found.value if found else None


def _only(text: str, reading: Reading, nearby: list[_Named], joined: set[int]) -> str | None:
    """Return the only period of a sentence, if it stands behind the figure with no semicolon between."""
    first = nearby[0].start
    if not 0 < first - reading.start <= _LONGEST_SENTENCE or text.find(";", reading.end, first) >= 0:
        return None
    later = {date.value for date in nearby[:_FEW] if not date.is_base}
    is_taken = any(date.start in joined for date in nearby[:_FEW])
    return later.pop() if len(later) == 1 and not is_taken else None


_ROUNDING = 0.05
"""How far a figure that is called round ("about 4,000") may be from what it stands for, as a share of it."""
_NOISE = 1e-9
"""Relative difference that comes from binary fractions."""


class Figure(NamedTuple):
    """One quantity as a text states it: `text[start:end]` of that text is `Figure.text`."""

    value: float
    """The full value: 1.2e9 for "$1.2bn", -25.3 for "△25.3%"."""
    unit: str | None
    """Canonical symbol: "%", "pp", "km²", "people", "bbl/day"; "/month" for money per month. None if there is none."""
    currency: str | None
    """ISO 4217; a bare "$" is USD and "¥" JPY."""
    scale: float
    """The multiplier printed with its last digits: 1e9 for "bn", 1e8 for "3兆4,500億"."""
    period: str | None
    """Canonical period (see `periods`) that it is stated for, if the text says."""
    start: int
    end: int
    text: str
    """As printed, with sign, currency, multiplier and unit."""
    tolerance: float
    """Half a unit of the last digit printed."""
    bound: Bound | None = None
    """How the words around it loosen it: "about", "over", "under", "at least", "at most"."""

    def agrees(self, other: Figure, *, ignore_sign: bool = False) -> bool:
        """Whether both can be the same quantity: units compatible, values within the coarser tolerance.

        A missing unit or currency goes with any; units of one dimension are converted. A figure called round ("about
        4,000", "over 4,000") may be off by half of its last digit that is not zero, but no more than 5%. Periods are
        not looked at. `ignore_sign` is for texts that say the direction in words ("fell 3%" for △3%).
        """
        if not self.measures_as(other):
            return False
        factor = conversion(other.unit, self.unit)
        mine, theirs = self.value, other.value * factor
        if ignore_sign:
            mine, theirs = abs(mine), abs(theirs)
        allowed = max(self._leeway(), other._leeway() * factor)
        return abs(mine - theirs) <= allowed + _NOISE * max(abs(mine), abs(theirs))

    def measures_as(self, other: Figure) -> bool:
        """Whether unit and currency allow both to be the same quantity, whatever the values."""
        if self.currency and other.currency:
            return self.currency == other.currency and compatible(self.unit, other.unit)
        if self.currency or other.currency:
            bare = other if self.currency else self
            return bare.unit is None or bare.unit.startswith("/")
        return compatible(self.unit, other.unit)

    def same_digits(self, other: Figure) -> bool:
        """Whether both are printed with the same number, multipliers aside: 1,234 (in a table of millions), ¥1,234m."""
        return abs(self.value / self.scale - other.value / other.scale) <= _NOISE * abs(self.value / self.scale)

    def period_agrees(self, other: Figure) -> bool:
        """Whether the periods of both allow the same time; an unknown period goes with any."""
        return self.period is None or other.period is None or agree(self.period, other.period)

    def _leeway(self) -> float:
        if not is_rounded(self.bound) or self.value == 0:
            return self.tolerance
        digits = f"{abs(self.value):.15g}"
        step = 10.0 ** (len(digits) - len(digits.rstrip("0"))) if digits.isdigit() else 0.0
        return max(self.tolerance, min(step / 2, abs(self.value) * _ROUNDING))


class Quantities(NamedTuple):
    """The figures and periods of a text, each in order."""

    figures: list[Figure]
    periods: list[Period]


def figures(text: str) -> list[Figure]:
    """Return the figures of `text` in order, in time linear in it. Never raises for any `str`."""
    return quantities(text).figures


def quantities(text: str) -> Quantities:
    """Return the figures and periods of `text`, read at once, in time linear in it. Never raises for any `str`."""
    folded = fold(text)
    if not holds_numbers(folded.text):
        return Quantities([], [])
    found = dates(folded.text)
    readings = read(folded.text, found)
    share(folded.text, readings)
    label_units(folded.text, readings)
    read_tables(folded.text, readings, found)
    attach(folded.text, readings, found)
    printed = [_figure(text, reading, *folded.span(reading.start, reading.end)) for reading in readings]
    return Quantities(printed, periods_among(found, folded))


def _figure(text: str, reading: Reading, start: int, end: int) -> Figure:
    measure = (reading.value, reading.unit, reading.currency, reading.scale, reading.period)
    return Figure(*measure, start, end, text[start:end], reading.step / 2, reading.bound)
