"""Questions that are asked again and again: each due time is entered once, as a run that waits for a worker."""

from __future__ import annotations

import re
import secrets
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from babel.dates import LOCALTZ

from research.core import Brief, UsageError
from research.language import Language, Phrase
from research.store.database import Row
from research.store.queue import Task, enter_waiting
from research.store.store import RunStore

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WHEN = re.compile(
    rf"every (?:(day|weekday|{'|'.join(_DAYS)})|month on ([1-9]|[12]\d|3[01])) ([01]?\d|2[0-3]):([0-5]\d)", re.ASCII
)

_NO_RHYTHM = Phrase(
    "“{text}” names no times. Write “every day 08:00”, “every weekday 08:00”, “every monday 08:00” (or another day) or "
    "“every month on 1 08:00”."
)
_NO_ZONE = Phrase("“{text}” is no time zone. Name one as in Europe/Vienna or Asia/Tokyo.")
_NO_SCHEDULE = Phrase("There is no schedule {id}.")


@dataclass(frozen=True)
class Rhythm:
    """When something is due: a time of day, on some days."""

    at: time
    zone: ZoneInfo
    weekdays: frozenset[int] = frozenset(range(7))
    """Monday is 0."""
    of_month: int | None = None
    """The only day of a month, or the last one of a month that is shorter; None for every day."""

    @classmethod
    def read(cls, text: str, zone: str, language: Language = Language.EN) -> Rhythm:
        """Read what `every day 08:00` and its like say of times in a zone.

        Raises:
            UsageError: the text or the name of the zone cannot be understood; says what can be.
        """
        found = _WHEN.fullmatch(" ".join(text.lower().split()))
        if found is None:
            raise UsageError(_NO_RHYTHM.in_(language).format(text=text))
        named, of_month, hour, minute = found.groups()
        days = [_DAYS.index(named)] if named in _DAYS else range(5 if named == "weekday" else 7)
        try:
            where = ZoneInfo(zone)
        except (LookupError, ValueError, OSError):
            raise UsageError(_NO_ZONE.in_(language).format(text=zone)) from None
        return cls(time(int(hour), int(minute)), where, frozenset(days), int(of_month) if of_month else None)

    def next_after(self, moment: datetime) -> datetime:
        """Return the first time after a moment, in UTC.

        A time that the clock jumps over is taken by the clock before the jump, one that it shows twice is the first.
        """
        day = moment.astimezone(self.zone).date()
        while True:
            due = datetime.combine(day, self.at, self.zone).astimezone(UTC)
            last = monthrange(day.year, day.month)[1]
            is_day = day.weekday() in self.weekdays and self.of_month in (None, day.day)
            is_last = self.of_month is not None and day.day == last < self.of_month
            if (is_day or is_last) and due > moment:
                return due
            day += timedelta(days=1)


def local_zone() -> str:
    """Return the name of this machine's time zone; UTC where it has none."""
    return str(getattr(LOCALTZ, "key", None) or "UTC")


@dataclass(frozen=True)
class Schedule:
    """A question that is asked again and again."""

    id: str
    rhythm: str
    zone: str
    brief: Brief
    due: datetime
    """The next time, in UTC."""
    last_run: str | None


def add_schedule(store: RunStore, rhythm: str, brief: Brief, task: Task, *, zone: str, analyst: str) -> Schedule:
    """Keep a schedule of the store's account and return it; `analyst` is `chat` or `extractive`.

    Raises:
        UsageError: rhythm or zone cannot be understood.
        StoreError: the store cannot be written.
    """
    due = Rhythm.read(rhythm, zone, brief.language).next_after(store.now())
    made = Schedule(secrets.token_hex(4), " ".join(rhythm.lower().split()), zone, brief, due, None)
    with store.database.writing() as connection:
        connection.execute(
            "INSERT INTO schedules (id, rhythm, zone, brief, analyst, task, account, due)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                made.id,
                made.rhythm,
                zone,
                brief.model_dump_json(exclude_defaults=True),
                analyst,
                task.model_dump_json(),
                store.account,
                due.timestamp(),
            ),
        )
    return made


def schedules(store: RunStore) -> Sequence[Schedule]:
    """Return the account's schedules, the next one first; `StoreError` if they cannot be read."""
    chosen = "SELECT * FROM schedules WHERE account = ? ORDER BY due, id"
    with store.database.reading() as connection:
        return [_schedule(row) for row in connection.execute(chosen, (store.account,)).fetchall()]


def _schedule(row: Row) -> Schedule:
    due = datetime.fromtimestamp(row["due"], UTC)
    return Schedule(
        row["id"], row["rhythm"], row["zone"], Brief.model_validate_json(row["brief"]), due, row["last_run"]
    )


def remove_schedule(store: RunStore, schedule_id: str, language: Language = Language.EN) -> None:
    """Forget a schedule of the account; its runs stay.

    Raises:
        UsageError: there is none of that name.
        StoreError: the store cannot be written.
    """
    with store.database.writing() as connection:
        removed = connection.execute("DELETE FROM schedules WHERE id = ? AND account = ?", (schedule_id, store.account))
    if not removed.rowcount:
        raise UsageError(_NO_SCHEDULE.in_(language).format(id=schedule_id))


_DUE = "SELECT * FROM schedules WHERE due <= ? ORDER BY due, id"


def enter_due(store: RunStore) -> Sequence[str]:
    """Enter what is due now, for any account, as runs that wait, each repeating the one before; return their ids.

    However many ask at once, each time is entered once; times that went by while nobody asked are entered as one.
    """
    now = store.now()
    with store.database.reading() as connection:
        if connection.execute(_DUE, (now.timestamp(),)).fetchone() is None:
            return []
    with store.database.writing() as connection:
        entered = []
        for row in connection.execute(_DUE, (now.timestamp(),)).fetchall():
            one, columns = _schedule(row), {name: row[name] for name in ("analyst", "task")}
            run = enter_waiting(connection, store, one.brief, row["account"], follows=one.last_run, **columns)
            due = Rhythm.read(one.rhythm, one.zone).next_after(now)
            connection.execute(
                "UPDATE schedules SET due = ?, last_run = ? WHERE id = ?", (due.timestamp(), run, one.id)
            )
            entered.append(run)
    return entered
