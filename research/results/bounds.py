"""The bounds of what a run says that came from elsewhere: dates, numbers and names that cannot be are refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NoReturn
from urllib.parse import urlsplit

from research.core import AnyEvent, Event, FollowUpAnswered, Page, RunView
from research.results.record import RunRecord, SourceEntry

_EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=2)
"""How far the clocks of two machines may differ, time zones included."""
_LARGEST_NUMBER = 2**53
"""Beyond, programs that read JSON no longer agree on a number."""
_DEEPEST = 60
_LONGEST_TEXT = 400_000
"""Characters of a report and of all that was answered about it: four times a report of thirty pages."""
_PUBLISHED = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:[T ][\d:.+Z-]{1,24})?)?)?")


def check_json(data: bytes | str) -> None:
    """Check that JSON is neither deep nor holds numbers or characters that break what reads it later.

    Raises:
        ValueError: it does, or is no JSON.
    """
    try:
        told = json.loads(data, parse_int=_number, parse_float=_number, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("too deep") from error
    waiting: list[tuple[Any, int]] = [(told, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEEPEST:
            raise ValueError("too deep")
        if isinstance(value, dict):
            waiting += [(one, depth + 1) for pair in value.items() for one in pair]
        elif isinstance(value, list):
            waiting += [(one, depth + 1) for one in value]
        elif isinstance(value, str) and "\x00" in value:
            raise ValueError("a null character")


def _number(digits: str) -> float:
    number = float(digits[:400])
    if not abs(number) <= _LARGEST_NUMBER:
        raise ValueError(f"the number {digits[:20]}")
    return number


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


def check_moments(moments: Iterable[datetime | None]) -> None:
    """Check that moments lie between the year 2000 and now.

    Raises:
        ValueError: one does not.
    """
    latest = datetime.now(UTC) + _AHEAD
    for moment in moments:
        if moment is not None and not _EARLIEST <= _aware(moment) <= latest:
            raise ValueError(f"the moment {moment}")


def moments_of(event: Event) -> list[datetime]:
    """Return the moments that an event names."""
    return [value for value in dict(event).values() if isinstance(value, datetime)]


def check_page(page: Page) -> None:
    """Check the dates and the address of a page.

    Raises:
        ValueError: one is no date that could be shown, or the address holds a user name, which misleads.
    """
    parts = urlsplit(page.url)
    if parts.username is not None or parts.password is not None:
        raise ValueError("an address with a user name or a password")
    check_moments([page.fetched_at])
    if page.published is not None and not _PUBLISHED.fullmatch(page.published):
        raise ValueError(f"the date {page.published[:40]}")


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def check_record(record: RunRecord, events: Iterable[AnyEvent], pages: Mapping[str, Page]) -> None:
    """Check that a record names only what it holds, and that its events make a run.

    Raises:
        Exception: of whatever kind, if it does not.
    """
    check_moments([datetime.fromisoformat(record.started_at)])
    events = tuple(events)
    answers = sum(len(event.draft) for event in events if isinstance(event, FollowUpAnswered))
    if len(record.draft) + answers > _LONGEST_TEXT:
        raise ValueError("a report far longer than any")
    names = [entry.id for entry in record.evidence]
    sources = [source.id for source in record.sources]
    if len(set(names)) < len(names) or len(set(sources)) < len(sources):
        raise ValueError("an id that is there twice")
    cited = {name for sentence in record.sentences for name in sentence.evidence}
    cited.update(name for one in record.left_out for name in one.evidence)
    if not cited <= set(names):
        raise ValueError("evidence that is not there")
    for source in record.sources:
        if source != SourceEntry.of(pages[source.id], source.number):
            raise ValueError(f"the source {source.id} is another page")
    RunView().extend(events)
