"""Dates in English words: `31 March 2025`, `Q3 FY2024`, `first half of 2024`, `fiscal year ended March 2024`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from research.verification.periods_reading import Date, day_value, full_year, months_value

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBER_OF_MONTH = {name: number for number, name in enumerate(_MONTHS, start=1)}
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
    rf"(?:[ ]?(?:end(?:ed|ing)|to)(?: on)?)?[ -]?(?:(?P<month>{_MONTH})(?: {_DAY},?)? (?P<closed>{_YEAR})"
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
_HAS_MONTH = re.compile(_MONTH)
_HAS_YEAR = re.compile("[QH]|FY|CY|year|months|iscal|inancial|quarter|half")
"""What no fiscal year, quarter or half is without: a quick look that spares most texts the slow ones."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def english_dates(text: str) -> Iterator[Date]:
    """Yield the dates of a folded text that have an English word or letter in them, in no order."""
    if _HAS_MONTH.search(text):
        for pattern in (_DAY_FIRST, _MONTH_FIRST):
            for match in pattern.finditer(text):
                yield from _with_month(match)
    if _HAS_YEAR.search(text):
        yield from _fiscal_dates(text)


def _fiscal_dates(text: str) -> Iterator[Date]:
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
