"""Which edition of a document a question means: the filing of a quarter, or the latest; and which time that is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import unquote

from research.core import Page, SourceKind
from research.quantities import extent, periods
from research.text import Asked, Name, folded

_HEAD = 3_000
"""Characters in which a document says which period it reports on."""
_ENDED = re.compile(
    r"\b(?:period|quarter|months|year)\s+ended\s+(?P<en>[a-z]+\s+\d{1,2},?\s+\d{4})"
    r"|(?:至|から)\s*(?P<ja>[^\s0-9０-９]{0,2}[0-9０-９元]{1,4}年[0-9０-９]{1,2}月[0-9０-９]{1,2}日)",
    re.IGNORECASE,
)
"""How a report says until when it goes."""
_LATEST = re.compile(
    r"\b(?:latest|most recent|newest)\s+(?:[a-z]+\s+)?(?:quarter|10-[KQ]|filing|report|results|earnings)\b"
    r"|(?:直近|最新)の?(?:四半期|[一-鿿]*決算|[一-鿿]*報告書?|[一-鿿]*短信)",
    re.IGNORECASE,
)
_FORM = re.compile(r"\b10-[KQ]\b", re.IGNORECASE)
_LATE_DAYS = 7
"""Days of a month that still belong to the quarter before: quarters of whole weeks end on 1 October, say."""


@dataclass(frozen=True)
class _Edition:
    """What a document says of the time that it reports on."""

    quarters: tuple[str, ...]
    """As its title or its file calls them, `2023-Q1`; else the one of the calendar in which its period ends."""
    end: str
    """The last day of its period, `2022-12-31`; empty where it does not say it."""


def editions_asked(asked: Asked, pages: Sequence[Page]) -> tuple[Sequence[Page], Sequence[Page]]:
    """Return the documents that are the edition which is asked for, and the other editions of the same documents.

    Both are empty where none is asked for, or it is not there: then what others say of its time may answer.
    """
    wanted = _quarters(asked.question)
    if asked.wants_series or not (wanted or _LATEST.search(asked.question)):
        return (), ()
    form = _FORM.search(asked.question)
    told = {page.id: edition for page in pages if (edition := _edition(page))}
    known = [page for page in pages if page.id in told and (form is None or form.group().casefold() in _head(page))]
    chosen: list[Page] = []
    others: list[Page] = []
    for of_one in _by_name(known, asked.names):
        last = max((told[page.id].end for page in of_one), default="")
        meant = [page for page in of_one if _is_meant(told[page.id], wanted, last)]
        chosen += meant
        others += [page for page in of_one if page not in meant] if meant else []
    return chosen, [page for page in others if page not in chosen]


def _is_meant(edition: _Edition, quarters: Sequence[str], last: str) -> bool:
    """Whether a document is of one of these quarters; where none is asked for, whether its period ends `last`."""
    if quarters:
        return any(_is_same(one, own) for one in quarters for own in edition.quarters)
    return bool(last) and edition.end == last


def as_editions_count(asked: Asked, pages: Sequence[Page]) -> Asked:
    """Return a question with its time as the edition that is asked for counts it: its Q1 2023 may end in 2022."""
    chosen, _ = editions_asked(asked, pages)
    ends = sorted({edition.end for page in chosen if (edition := _edition(page)) and edition.end})
    if not ends:
        return asked
    years = [end[:4] for end in ends]
    return replace(asked, years=tuple(dict.fromkeys(years)), months=tuple(dict.fromkeys(end[:7] for end in ends)))


def _by_name(pages: Sequence[Page], names: Sequence[Name]) -> list[list[Page]]:
    """Return the pages about each of those who are asked about; all together where nobody is."""
    named = [[page for page in pages if name.stands_in(_head(page))] for name in names if not name.is_place]
    return [of_one for of_one in named if of_one] or [list(pages)]


def _is_same(one: str, other: str) -> bool:
    """Whether two quarters may be meant for the same: Q3 of a fiscal year is that of the year of this name as well."""
    first, second = extent(one), extent(other)
    alike = first is not None and second is not None and not first.labels.isdisjoint(second.labels)
    return alike and one[-2:] == other[-2:]


def _quarters(text: str) -> list[str]:
    return [one.value for one in periods(text) if one.granularity == "quarter"]


def _edition(page: Page) -> _Edition | None:
    return _told(_called(page), page.text[:_HEAD]) if page.kind is SourceKind.DOCUMENT else None


def _called(page: Page) -> str:
    return f"{unquote(page.url.rpartition('/')[2])} {page.title}"


def _head(page: Page) -> str:
    return folded(f"{_called(page)} {page.text[:_HEAD]}")


@lru_cache(maxsize=256)
def _told(called: str, head: str) -> _Edition | None:
    match = _ENDED.search(head)
    said = periods(" ".join((match["en"] or match["ja"]).split()).title()) if match else []
    end = next((one.value for one in said if one.granularity == "day"), "")
    quarters = _quarters(re.sub(r"[_-]", " ", called)) or ([_of_calendar(end)] if end else [])
    return _Edition(tuple(quarters), end) if quarters else None


def _of_calendar(end: str) -> str:
    year, month, day = map(int, end.split("-"))
    if day <= _LATE_DAYS:
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return f"{year}-Q{(month + 2) // 3}"
