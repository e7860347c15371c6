"""Which period a figure is about, from where both stand.

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
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from research.verification.figures_reading import Reading
from research.verification.periods_reading import Date

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
_BRACKETS = 60
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
    left = text[max(0, date.start - _BRACKETS) : date.start]
    is_inside = max(left.rfind("("), left.rfind("（")) > max(left.rfind(")"), left.rfind("）"))
    closed = text.find(")", date.end, date.end + _BRACKETS) if is_inside else -1
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
