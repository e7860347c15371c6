"""Dates in Japanese: `2024年3月31日`, `令和6年度第3四半期`, `2024年3月期`, `24年度`, `2020〜2024年`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.verification.periods_reading import Date, day_value, full_year, months_value, years_value

_ERA_BEGINS = {"令和": 2019, "平成": 1989, "昭和": 1926, "大正": 1912, "明治": 1868}
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
_QUARTERS = {"一": 1, "二": 2, "三": 3, "四": 4}
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
        return f"{prefix}{year}-Q{_QUARTERS.get(quarter, 0) or int(quarter)}"
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
    return _ERA_BEGINS[match["era"]] + number - 1


def _closed(match: re.Match[str], year: int) -> str | None:
    month = int(match["closed"])
    if not 1 <= month <= 12:
        return None
    part = ""
    if match["closed_quarter"]:
        part = f"-Q{_QUARTERS.get(match['closed_quarter'], 0) or int(match['closed_quarter'])}"
    elif match["closed_half"]:
        part = "-H2" if match["closed_half"] == "下期" else "-H1"
    return f"FY{year}-{month:02}{part}"
