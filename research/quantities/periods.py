"""Periods: the years, quarters, months and days that a text names, each with one canonical form.

| canonical | printed as |
|---|---|
| `2024`, `2024-H1`, `2024-Q3` | 2024年, 令和6年, first half of 2024, 3Q24 |
| `2024-03`, `2024-03-31` | March 2024, 令和6年3月, 2024/3/31 |
| `FY2024`, `FY2024-Q3` | fiscal 2024, FY24, 2024年度, 令和6年度第3四半期 |
| `FY2024-03`, `FY2024-03-Q1` | 2024年3月期: the business year that closed in March 2024 |
| `2024/25` | 2024/25, FY2024-25: a year that begins in one calendar year and ends in the next |
| `1990s`, `2020/2024`, `2024-04/2024-12` | 1990年代, 2020–2024, 2024年4〜12月 |

When a fiscal year begins is the issuer's choice, so `FY2024` and `2024` are not equal and neither contains the other;
they *agree*, because they bear the same year and may be meant for the same thing.

Dates are read in English words (`31 March 2025`, `Q3 FY2024`, `fiscal year ended March 2024`), in Japanese
(`令和6年度第3四半期`, `2024年3月期`, `24年度`) and in digits alone (`2025-03-31`, `2020–2024`, `1990s`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from research.quantities.amounts import Folded, Numeral, after, fold, has_japanese
from research.text import MONTHS


class Date(NamedTuple):
    """A date or period in a text; `value` is None if it has no year, or in an address: then it is no figure either."""

    value: str | None
    start: int
    end: int


def disjoint(found: Iterable[Date]) -> list[Date]:
    """Return `found` in order without overlaps: what starts first wins, then what is longer."""
    kept: list[Date] = []
    end = -1
    for date in sorted(found, key=lambda date: (date.start, -date.end)):
        if date.start >= end:
            kept.append(date)
            end = date.end
    return kept


def full_year(digits: str) -> int:
    """Return the year that two or four digits mean; two digits are of the years 1970 to 2069."""
    if len(digits) > 2:
        return int(digits)
    short = int(digits)
    return 2000 + short if short < 70 else 1900 + short


def day_value(year: int, month: int, day: int | None = None) -> str | None:
    """Return the canonical value of a month or day, or None if there is none."""
    if not 1 <= month <= 12 or (day is not None and not 1 <= day <= 31):
        return None
    return f"{year:04}-{month:02}" + (f"-{day:02}" if day is not None else "")


def months_value(year: int, first: int, last: int) -> str | None:
    """Return the canonical value of several months of one year: a quarter or half if they are one."""
    if not 1 <= first < last <= 12:
        return None
    if (first - 1) % 3 == 0 and last - first == 2:
        return f"{year}-Q{(first + 2) // 3}"
    if (first, last) in ((1, 6), (7, 12)):
        return f"{year}-H{1 if first == 1 else 2}"
    return f"{year}-{first:02}/{year}-{last:02}"


def years_value(first: str, last: str, prefix: str = "") -> str | None:
    """Return the canonical value of `2020-2024`, `2020-24` or `2024/25`."""
    begin = int(first)
    end = int(last) if len(last) == 4 else begin - begin % 100 + int(last)
    if len(last) == 2 and end == begin + 1:
        return f"{begin}/{end % 100:02}"
    if not begin < end <= begin + 200:
        return None
    return f"{prefix}{begin}/{prefix}{end}"


_NUMBER_OF_MONTH = {name[:3]: number for number, name in enumerate(MONTHS, start=1)}
_MONTH = (
    r"(?:Jan(?:uary|\b)|Feb(?:ruary|\b)|Mar(?:ch|\b)|Apr(?:il|\b)|May\b|June?\b|July?\b|Aug(?:ust|\b)"
    r"|Sep(?:tember|t\b|\b)|Oct(?:ober|\b)|Nov(?:ember|\b)|Dec(?:ember|\b))\.?"
)
_YEAR = r"(?:1[0-9]|20)[0-9]{2}(?![0-9])"
_SHORT_YEAR = r"(?:'?[0-9]{2}(?![0-9,.%])|" + _YEAR + ")"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?![0-9])(?:st|nd|rd|th)?"

_DAY_FIRST = re.compile(
    rf"(?<![0-9A-Za-z.,])(?P<day>{_DAY})(?: ?[-–] ?{_DAY})?(?: of)?[ -](?P<month>{_MONTH})"
    rf"(?:,?[ -](?P<year>{_YEAR}))?(?![A-Za-z])"
)
_MONTH_FIRST = re.compile(
    rf"(?<![A-Za-z])(?P<month>{_MONTH})(?:(?: {_YEAR})? ?(?:[-–/]|to|through) ?(?P<last>{_MONTH}))?"
    rf"(?: (?P<day>{_DAY})(?: ?[-–] ?{_DAY})?(?=[^0-9A-Za-z.]|\.(?![0-9])|$))?(?:(?:,? (?:of )?|-)(?P<year>{_YEAR}))?"
)
_FISCAL = re.compile(
    r"(?<![A-Za-z])(?:(?:F|f)(?:iscal|inancial)(?:[ -]years?)?|FY|CY|[Bb]usiness year"
    r"|(?:[Tt]he )?(?:(?:twelve|12) months|year)(?= end| to [A-Z]))"
    rf"(?:[ ]?(?:end(?:ed|ing)|to)(?: on)?)?[ -]?(?:(?:{_DAY} )?(?P<month>{_MONTH})(?: {_DAY},?)? (?P<closed>{_YEAR})"
    rf"|(?P<numeral>1[0-2]|0?[1-9])/(?P<of>{_SHORT_YEAR})|(?P<year>{_SHORT_YEAR})(?:[/–-](?P<next>[0-9]{{1,4}})(?![0-9]))?)"
    r"(?:[ -]?(?:(?P<part>[QH])(?P<index>[1-4])|(?P<index2>[1-4])(?P<part2>[QH]))(?![0-9A-Za-z]))?"
)
_PART = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:(?P<part>[QH])(?P<index>[1-4])|(?P<index2>[1-4])(?P<part2>[QH]))(?![0-9A-Za-z])"
    r"|(?P<word>[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|1st|2nd|3rd|4th)[ -](?P<unit>quarter|half))"
    rf"(?:(?: of)?(?: the)?[ -]?(?P<fiscal>FY ?|fiscal (?:year )?|financial year )?(?P<year>{_SHORT_YEAR}))?"
)
_GLUED_PART = re.compile(rf"(?<![A-Za-z0-9])(?:([1-4])([QH])|([QH])([1-4]))(FY)?([0-9]{{2}}|{_YEAR})(?![0-9A-Za-z])")
_YEAR_FIRST = re.compile(r"(?<![0-9A-Za-z.,])((?:19|20)[0-9]{2})[ -]?(?:([QH])([1-4])|([1-4])([QH]))(?![0-9A-Za-z])")
_ENGLISH = re.compile(
    r"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|iscal|inancial|FY|CY|year|months|[QH]|quarter|half"
)
"""Without any of these no English date is in a text: one search spares most sentences six."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def english_dates(text: str) -> Iterator[Date]:
    """Yield the dates of a folded text that have an English word or letter in them, in no order."""
    if not _ENGLISH.search(text):
        return
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        for match in pattern.finditer(text):
            yield from _with_month(match)
    for match in _FISCAL.finditer(text):
        yield Date(_fiscal(match), *match.span())
    for match in _PART.finditer(text):
        yield Date(_part(match), *match.span())
    for match in _GLUED_PART.finditer(text):
        value = f"{match[5] or ''}{full_year(match[6])}-{match[2] or match[3]}{match[1] or match[4]}"
        yield Date(value, *match.span())
    for match in _YEAR_FIRST.finditer(text):
        yield Date(f"{match[1]}-{match[2] or match[5]}{match[3] or match[4]}", *match.span())


def _with_month(match: re.Match[str]) -> Iterator[Date]:
    found = match.groupdict()
    month = _NUMBER_OF_MONTH[found["month"][:3].lower()]
    if found["year"] is None:
        if found["day"]:
            yield Date(None, *match.span())
        return
    year = int(found["year"])
    if found.get("last"):
        last = _NUMBER_OF_MONTH[found["last"][:3].lower()]
        yield Date(months_value(year, month, last) or day_value(year, last), *match.span())
        return
    day = int(re.sub(r"[a-z]", "", found["day"])) if found["day"] else None
    yield Date(day_value(year, month, day), *match.span())


def _fiscal(match: re.Match[str]) -> str:
    index = match["index"] or match["index2"]
    part = f"-{match['part'] or match['part2']}{index}" if index else ""
    if match["closed"]:
        return f"FY{match['closed']}-{_NUMBER_OF_MONTH[match['month'][:3].lower()]:02}{part}"
    if match["numeral"]:
        return f"FY{full_year(match['of'].strip(chr(39)))}-{int(match['numeral']):02}{part}"
    year = full_year(match["year"].strip("'"))
    following = match["next"]
    prefix = "" if match.group().startswith("CY") else "FY"
    if not following:
        return f"{prefix}{year}{part}"
    if int(following[-2:]) == (year + 1) % 100:
        return f"{year}/{int(following[-2:]):02}"
    if 1 <= int(following) <= 12:
        return f"FY{year}-{int(following):02}{part}"
    last = full_year(following) if len(following) in (2, 4) else 0
    return f"FY{year}/FY{last}" if last > year else f"FY{year}"


def _part(match: re.Match[str]) -> str | None:
    if not match["year"]:
        return None
    letter = match["part"] or match["part2"] or match["unit"][0].upper()
    index = int(match["index"] or match["index2"] or _ORDINALS[match["word"].lower()])
    if letter == "H" and index > 2:
        return None
    fiscal = "FY" if match["fiscal"] else ""
    return f"{fiscal}{full_year(match['year'].strip(chr(39)))}-{letter}{index}"


ERA_BEGINS = {"令和": 2019, "平成": 1989, "昭和": 1926, "大正": 1912, "明治": 1868}
_YEARS = (
    r"(?:(?P<era>令和|平成|昭和|大正|明治) ?(?P<of_era>元|[0-9]{1,2}|[一二三四五六七八九十]{1,3})"
    r"|(?<![0-9.,])(?P<year>(?:1[0-9]|20)[0-9]{2})"
    r"|(?<![0-9.,])(?P<short>[0-9]{2})(?=年度(?!末?比)|年[0-9]{1,2}月|年(?:第?[1-4一二三四]四半期|[上下]半?期)))"
)
_REST = (
    r"年(?P<fiscal>度)?"
    r"(?: ?第?(?P<quarter>[1-4一二三四])四半期| ?(?P<number>[1-4])Q| ?(?P<half>[上下])(?:半?期|半年)|(?P<span>[前後])半"
    r"|(?P<closed>[0-9]{1,2})月期(?: ?第?(?P<closed_quarter>[1-4一二三四])四半期|(?P<closed_half>上期|中間期|下期))?"
    r"|(?P<first>[0-9]{1,2})(?:月)?[-–〜・](?P<last>[0-9]{1,2})月期?|(?P<month>[0-9]{1,2})月(?:(?P<day>[0-9]{1,2})日)?)?"
)
_DATE = re.compile(_YEARS + _REST)
_RANGE = re.compile(
    r"(?<![0-9.,])((?:19|20)[0-9]{2})(?:年(度)?)?(?:〜|-|–|—|から|・)((?:19|20)[0-9]{2}|[0-9]{2})年(度)?(?![0-9]{1,2}月)"
)
_DECADE = re.compile(r"(?<![0-9])((?:1[0-9]|20)[0-9]0)年代")
_CLOSED = re.compile(r"(?<![0-9.,/])((?:20)?[0-9]{2})/([0-9]{1,2})期")
_WITHOUT_YEAR = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,2}(?:月)?[-–〜・])?[0-9]{1,2}月(?!間)(?:[0-9]{1,2}日)?(?:[-〜–・][0-9]{1,2}日)?"
    r"|(?<![0-9.,])[0-9]{1,2}[-〜–・][0-9]{1,2}日(?![間以程])|(?<![0-9.,])(?:3[01]|[12][0-9]|[1-9])日(?!間|以|分|程|連|ぶ|あ|当|前|後)"
    r"|[1-4一二三四]四半期(?!連続|ぶり)"
)
_UNITS = {character: value for value, character in enumerate("一二三四五六七八九", start=1)}


def japanese_dates(text: str) -> Iterator[Date]:
    """Yield the Japanese dates of a folded text, in no order."""
    for match in _DATE.finditer(text):
        if _is_date(match):
            yield Date(_value(match), *match.span())
    for match in _RANGE.finditer(text):
        prefix = "FY" if match[2] or match[4] else ""
        last = match[3] if len(match[3]) == 4 else match[1][:2] + match[3]
        yield Date(years_value(match[1], last, prefix), *match.span())
    for match in _DECADE.finditer(text):
        yield Date(f"{match[1]}s", *match.span())
    for match in _CLOSED.finditer(text):
        if 1 <= int(match[2]) <= 12:
            yield Date(f"FY{full_year(match[1])}-{int(match[2]):02}", *match.span())
    for match in _WITHOUT_YEAR.finditer(text):
        yield Date(None, *match.span())


def _is_date(match: re.Match[str]) -> bool:
    """Whether `1000年` and the like is a year and not a number of years."""
    year, rest = match["year"], match.group()[4:]
    return year is None or rest != "年" or int(year) >= 1500


def _value(match: re.Match[str]) -> str | None:
    year = _year(match)
    prefix = "FY" if match["fiscal"] else ""
    quarter = match["quarter"] or match["number"]
    if quarter:
        return f"{prefix}{year}-Q{_UNITS.get(quarter, 0) or int(quarter)}"
    if match["half"] or match["span"]:
        return f"{prefix}{year}-H{1 if (match['half'] or match['span']) in '上前' else 2}"
    if match["closed"]:
        return _closed(match, year)
    if match["first"]:
        return months_value(year, int(match["first"]), int(match["last"]))
    if match["month"]:
        return day_value(year, int(match["month"]), int(match["day"]) if match["day"] else None)
    return f"{prefix}{year}"


def _year(match: re.Match[str]) -> int:
    if match["year"] or match["short"]:
        return full_year(match["year"] or match["short"])
    count = match["of_era"]
    if count == "元":
        number = 1
    elif count.isdecimal():
        number = int(count)
    else:
        tens, ten, ones = count.rpartition("十")
        number = (_UNITS.get(tens, 1) * 10 if ten else 0) + _UNITS.get(ones, 0)
    return ERA_BEGINS[match["era"]] + number - 1


def _closed(match: re.Match[str], year: int) -> str | None:
    month, quarter, half = int(match["closed"]), match["closed_quarter"], match["closed_half"]
    if not 1 <= month <= 12:
        return None
    part = f"-Q{_UNITS.get(quarter) or int(quarter)}" if quarter else ""
    part = f"-H{2 if half == '下期' else 1}" if half else part
    return f"FY{year}-{month:02}{part}"


_PLAIN_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_IN_DIGITS = re.compile(
    rf"(?<![0-9A-Za-z.,$€£¥+])(?<![0-9]-)(?P<year>{_PLAIN_YEAR})"
    r"(?:(?P<mark>[-/.])(?P<month>1[0-2]|0?[1-9])(?:(?P=mark)(?P<day>3[01]|[12][0-9]|0?[1-9]))?(?![0-9%A-Za-z]|[.,/-][0-9])"
    rf"|(?: ?[-–—〜/] ?| to | through | until | and )(?P<last>{_PLAIN_YEAR})(?![0-9%]|,[0-9])"
    r"|[-–—/](?P<short>[0-9]{2})(?![0-9%]|[.,-][0-9])"
    r"|(?P<decade>(?<=0)'?s)(?![A-Za-z])"
    r"|(?![0-9A-Za-z%°]|[.,/:-][0-9]))"
)
_SLASHED = re.compile(r"(?<![0-9/.])([0-9]{1,2})([/.])([0-9]{1,2})\2((?:19|20)[0-9]{2})(?![0-9/])")


def digit_dates(text: str) -> Iterator[Date]:
    """Yield the dates of a folded text that are written in digits alone."""
    for match in _IN_DIGITS.finditer(text):
        date = _read(text, match)
        if date is not None:
            yield date
    for match in _SLASHED.finditer(text):
        yield Date(_slashed(match), match.start(), match.end())


def _read(text: str, match: re.Match[str]) -> Date | None:
    start, end = match.span()
    year = int(match["year"])
    if match["month"]:
        if match["mark"] == "." and not match["day"]:
            return None
        day = int(match["day"]) if match["day"] else None
        return Date(day_value(year, int(match["month"]), day), start, end)
    if match["last"] or match["short"]:
        joined = text[match.end("year") : match.start("last")].strip() if match["last"] else ""
        if joined == "and" and not text[max(0, start - 8) : start].lower().endswith("between "):
            return _bare(text, start, match.end("year"), year)
        value = years_value(match["year"], match["last"] or match["short"])
        return Date(value, start, end) if value else _bare(text, start, match.end("year"), year)
    if match["decade"]:
        return Date(f"{year}s", start, end)
    return _bare(text, start, end, year)


def _slashed(match: re.Match[str]) -> str | None:
    """Return the day of `3/31/2025` or `31/3/2025`; only the year where both readings are possible."""
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    if match[2] == "." or first > 12:
        return day_value(year, second, first)
    if second > 12:
        return day_value(year, first, second)
    return str(year)


_SAYS_YEAR = re.compile(
    r"(?:(?<![A-Za-z])(?:in|since|by|until|till|during|year|years|mid|early|late|end|circa|before|after)[ -]|年 ?)\Z",
    re.IGNORECASE,
)
_SAYS_NUMBER = (
    *("more than", "less than", "fewer than", "at least", "at most", "nearly", "almost", "some", "up to"),
    *("approximately", "roughly", "total of", "約", "計"),
)
_OWNS = re.compile(r"(?<![A-Za-z])(?:the|its|their|our|his|her|this|'s|of)[ ]\Z", re.IGNORECASE)


def _bare(text: str, start: int, end: int, year: int) -> Date | None:
    """Return four digits as a year unless something counts or measures with them."""
    before = text[max(0, start - 18) : start]
    if text[end : end + 1] == "年":
        return None
    if _SAYS_YEAR.search(before):
        return Date(str(year), start, end)
    is_number = before.removesuffix(" ").lower().endswith(_SAYS_NUMBER)
    if is_number or (year < 1900 and not _in_brackets(text, start, end)):
        return None
    if _WIDE_COUNT.match(text, end):
        return None
    measured = after(text, Numeral(float(year), 1.0, 1.0, start, end))
    if not measured.is_measured or (_OWNS.search(before) and text[end : end + 1] == " "):
        return Date(str(year), start, end)
    return None


_WIDE_COUNT = re.compile(r"[十百千万億兆割]")


def _in_brackets(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start] in ("(", "–", "-") and text[end : end + 1] in (")", "–", "-")


_DATED = re.compile(r"[0-9年]|四半期")
"""Without any of these no date is in a text: spares sentences without figures the search for them."""
_ADDRESS = re.compile(r"(?:https?://|www\.|doi:|arXiv:)[!-~]+")


def dates(text: str) -> list[Date]:
    """Return the dates of a folded text in order; of those that overlap, the first and longest."""
    if not _DATED.search(text):
        return []
    found = [Date(None, *address.span()) for address in _ADDRESS.finditer(text)]
    found += [*english_dates(text), *digit_dates(text)]
    if has_japanese(text):
        found += japanese_dates(text)
    return disjoint(found)


Granularity = Literal["day", "month", "quarter", "half", "year", "fiscal year", "decade", "range"]

_LENGTHS: dict[str, tuple[int, Granularity]] = {"Q": (3, "quarter"), "H": (6, "half")}
"""Months."""
_MONTH_DAYS = 31
_YEAR_DAYS = 12 * _MONTH_DAYS


class Extent(NamedTuple):
    """The time that a canonical value covers, in days of months that all have 31 of them."""

    is_fiscal: bool
    """Whether it is counted within a fiscal year whose first day is unknown."""
    first: int
    last: int
    labels: frozenset[int]
    """The years that it may be named after."""
    granularity: Granularity
    is_business_year: bool = False


_VALUE = re.compile(
    r"(?P<fy>FY)?(?P<year>\d{4})(?:(?P<decade>s)|/(?P<next>\d\d)|(?P<rest>(?:-(?:\d\d|Q[1-4]|H[12]))*))"
)


@lru_cache(maxsize=4096)
def extent(value: str) -> Extent | None:
    """Return the time covered by a canonical value, or None if `value` is none."""
    first, slash, last = value.partition("/")
    if slash and len(last) > 2:
        return _from_to(extent(first), extent(last))
    match = _VALUE.fullmatch(value)
    if match is None:
        return None
    year = int(match["year"])
    start = year * _YEAR_DAYS
    if match["decade"]:
        return Extent(False, start, start + 10 * _YEAR_DAYS - 1, frozenset(range(year, year + 10)), "decade")
    if match["next"]:
        return Extent(True, start, start + _YEAR_DAYS - 1, frozenset({year, year + 1}), "fiscal year")
    parts = [part for part in match["rest"].split("-") if part]
    closes = bool(match["fy"] and parts and parts[0].isdigit())
    if closes:
        start += (int(parts.pop(0)) - 12) * _MONTH_DAYS
    begin, end, granularity = _within(start, parts, "fiscal year" if match["fy"] else "year")
    labels = frozenset({year - 1, year} if closes else {year})
    return Extent(bool(match["fy"]) and not closes, begin, end, labels, granularity, is_business_year=closes)


def _from_to(first: Extent | None, last: Extent | None) -> Extent | None:
    if first is None or last is None or first.is_fiscal != last.is_fiscal:
        return None
    return Extent(first.is_fiscal, first.first, last.last, first.labels | last.labels, "range")


def _within(start: int, parts: list[str], whole: Granularity) -> tuple[int, int, Granularity]:
    if not parts:
        return start, start + _YEAR_DAYS - 1, whole
    part = parts[0]
    months, name = _LENGTHS.get(part[0], (1, "month"))
    begin = start + (int(part.lstrip("QH")) - 1) * months * _MONTH_DAYS
    if name == "month" and len(parts) > 1 and parts[1].isdigit():
        day = begin + int(parts[1]) - 1
        return day, day, "day"
    return begin, begin + months * _MONTH_DAYS - 1, name


def contains(one: str, other: str) -> bool:
    """Whether all of `other` lies within `one`: 2025-03 lies within 2025 and FY2024-Q1 within FY2024."""
    outer, inner = extent(one), extent(other)
    if outer is None or inner is None or outer.is_fiscal != inner.is_fiscal:
        return False
    return outer.first <= inner.first and inner.last <= outer.last


def agree(one: str, other: str) -> bool:
    """Whether two canonical values may be meant for the same time.

    They are equal, or one lies within the other, or one of them is fiscal and both bear the same year.
    """
    if one == other or contains(one, other) or contains(other, one):
        return True
    first, second = extent(one), extent(other)
    if first is None or second is None or (first.is_fiscal and second.is_fiscal and "/" not in one + other):
        return False
    if first.is_business_year and second.is_business_year:
        return False
    fiscal = first.is_fiscal or second.is_fiscal or first.is_business_year or second.is_business_year
    return fiscal and not first.labels.isdisjoint(second.labels)


class Period(NamedTuple):
    """A period as a text names it."""

    value: str
    """The canonical form."""
    start: int
    end: int
    granularity: Granularity


def periods(text: str) -> list[Period]:
    """Return the periods that `text` names, in order. Dates without a year are none. Never raises."""
    folded = fold(text)
    return periods_among(dates(folded.text), folded)


def periods_among(found: Iterable[Date], folded: Folded) -> list[Period]:
    """Return the periods among the dates `found` in a folded text."""
    return [
        Period(date.value, *folded.span(date.start, date.end), covered.granularity)
        for date in found
        if date.value is not None and (covered := extent(date.value)) is not None
    ]
