"""Runs that wait for a worker: entered, also by a schedule, claimed by one of many, let go, or ended before any began.

A run that its worker leaves, or whose worker dies, waits again (see `RunStore.settle`), and whoever claims it goes on
where it broke off. Each function may raise `StoreError`; those that name a run raise `UsageError` if there is none.
"""

from __future__ import annotations

import re
import secrets
from calendar import monthrange
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, Self
from zoneinfo import ZoneInfo

from babel.dates import LOCALTZ
from pydantic import Field, ValidationError

from research.core import Brief, Frozen, Role, RunFinished, StoreError, UsageError
from research.language import Phrase
from research.settings import AgreedTool, Settings
from research.store.database import Action, Connection, Row, enter_action
from research.store.recorder import salvage
from research.store.store import HEARD, RunState, RunStore, RunSummary, append_events, enter_run, set_ended


class Task(Frozen):
    """What a worker needs to know of a run beside its brief: what whoever asked has chosen and agreed to."""

    library: Path | None = None
    """A folder of documents, under a path that it has on every machine with workers."""
    attended: bool = False
    agreed_tools: tuple[AgreedTool, ...] = ()
    shares_own_words: bool = False
    embeds_own_documents: bool = False
    tell: str = ""
    """Who is told what the run came to: an e-mail or a web address; see `told_address`."""
    run_models: dict[Role, str] = Field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, library: Path | None, *, attended: bool = False, tell: str = "") -> Self:
        """Return the task of a run that is asked for with these settings."""
        return cls(
            library=library and library.absolute(),
            attended=attended,
            tell=tell,
            run_models=settings.run_models,
            **{name: getattr(settings, name) for name in _AGREED},
        )

    def agreed(self, settings: Settings) -> Settings:
        """Return a worker's settings with the models chosen for this run, and only what was agreed to for it."""
        return settings.with_models(self.run_models).model_copy(update={name: getattr(self, name) for name in _AGREED})


_AGREED = ("agreed_tools", "shares_own_words", "embeds_own_documents")
"""What of the settings needs a yes."""


def enter(store: RunStore, brief: Brief, analyst: str, task: Task) -> str:
    """Enter a new run that waits for a worker, and return its id."""
    with store.database.writing() as connection:
        return enter_waiting(connection, store, brief, store.account, analyst=analyst, task=task.model_dump_json())


def enter_waiting(connection: Connection, store: RunStore, brief: Brief, account: str, **columns: object) -> str:
    """Insert a new run of an account that waits, with these further `columns`, and return its id."""
    now, state = store.now(), RunState.WAITING.value
    return enter_run(connection, brief, now, account, state=state, heartbeat=now.timestamp(), **columns)


def enter_again(store: RunStore, run_id: str, task: Task) -> bool:
    """Let a run that broke off wait for a worker, as somebody asks for it; return whether it had broken off."""
    with store.database.writing(run_id) as connection:
        entered = connection.execute(
            "UPDATE runs SET state = ?, owner = '', finished_at = NULL, task = ?, breaks = 0,"  # noqa: S608
            " heard = (SELECT coalesce(max(seq), 0) FROM steering WHERE run = id)"
            f" WHERE id = ? AND state = ? AND {store.own}",
            (RunState.WAITING.value, task.model_dump_json(), run_id, RunState.INTERRUPTED.value),
        )
    return entered.rowcount > 0


def waiting_before(store: RunStore, run_id: str) -> int:
    """Return how many runs wait, of whatever account, that were entered before this one."""
    earlier = "(created_at, id) < (SELECT created_at, id FROM runs WHERE id = ?)"
    with store.reading(run_id) as connection:
        counted = f"SELECT count(*) FROM runs WHERE state = ? AND {earlier}"  # noqa: S608 - a constant
        found: int = connection.execute(counted, (RunState.WAITING.value, run_id)).fetchone()[0]
    return found


# --- for workers -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Claimed:
    """A run that is its owner's to carry out."""

    id: str
    account: str
    """Whose it is: it is carried out with what that account has, and for its eyes."""
    brief: Brief
    analyst: str
    task: Task
    heard: int
    """Number of the last thing asked of it that it has heard."""


class TooNew(Exception):
    """A run, whose id it holds, that only a newer version of the program can read."""


_NEXT = """
    SELECT id, account, brief, analyst, task, heard FROM runs JOIN (
        SELECT account, coalesce(busy, 0) AS busy,
            (SELECT max(claimed) FROM runs AS had WHERE had.account = asking.account) AS turn
        FROM (SELECT DISTINCT account FROM runs WHERE state = 'waiting') AS asking
        LEFT JOIN (
            SELECT account, count(*) AS busy FROM runs WHERE state = 'running' GROUP BY account
        ) AS working USING (account)
    ) AS accounts USING (account)
    WHERE state = 'waiting' AND (account = '' OR busy < ?) AND id NOT IN ({but})
    ORDER BY busy, turn, created_at, id LIMIT 1
"""
"""The oldest waiting run of the account with the fewest under way, or of the one whose last turn is longest ago."""
_ANY_NUMBER = 2**31 - 1


def claim(store: RunStore, owner: str, *, per_account: int | None = None, but: Collection[str] = ()) -> Claimed | None:
    """Let an owner have the run whose turn it is, of all accounts, which counts as running; None if there is none.

    Of an account no more than `per_account` runs are under way, over all workers; that without a name has no limit.
    Runs that `but` names are left to others.

    Raises:
        TooNew: it was entered by a newer version, and waits on for a worker that can read it.
    """
    store.settle()
    chosen = _NEXT.format(but=", ".join("?" * len(but)) or "''")
    values = (_ANY_NUMBER if per_account is None else per_account, *but)
    with store.database.reading() as connection:  # Writers do not wait for workers that find nothing.
        if connection.execute(chosen, values).fetchone() is None:
            return None
    with store.database.writing() as connection:
        row: Row | None = connection.execute(chosen, values).fetchone()
        if row is None:
            return None
        try:
            brief, task = Brief.model_validate_json(row["brief"]), Task.model_validate_json(row["task"])
        except ValidationError as error:
            raise TooNew(row["id"]) from error
        now = store.now().timestamp()
        connection.execute(
            "UPDATE runs SET state = ?, owner = ?, heartbeat = ?, claimed = ? WHERE id = ?",
            (RunState.RUNNING.value, owner, now, now, row["id"]),
        )
    return Claimed(row["id"], row["account"], brief, row["analyst"], task, row["heard"])


def let_go(store: RunStore, run_id: str, owner: str) -> None:
    """Let a run that its owner carries out wait for another one; nothing is done to one that is not the owner's."""
    with store.database.writing(run_id, patient=False) as connection:
        connection.execute(
            f"UPDATE runs SET state = ?, owner = '', heard = {HEARD} WHERE id = ? AND owner = ? AND state = ?",  # noqa: S608 - a constant
            (RunState.WAITING.value, run_id, owner, RunState.RUNNING.value),
        )


SIGN_SECONDS = 5.0
"""Between two signs of life of a worker; one that gave none for three times as long counts as gone."""


@dataclass(frozen=True)
class Health:
    """How it stands with the runs of all accounts; it names none."""

    workers: int
    """Those that live."""
    waiting: int
    running: int


_HEALTH = """
    SELECT (SELECT count(*) FROM workers WHERE alive >= ?),
        (SELECT count(*) FROM runs WHERE state = 'waiting'), (SELECT count(*) FROM runs WHERE state = 'running')
"""


def sign(store: RunStore, worker: str) -> None:
    """Keep that a worker lives; those that are long gone are forgotten."""
    now = store.now().timestamp()
    kept = "INSERT INTO workers VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET alive = excluded.alive"
    with store.database.writing(worker, patient=False) as connection:
        connection.execute(kept, (worker, now))
        connection.execute("DELETE FROM workers WHERE alive < ?", (now - 100 * SIGN_SECONDS,))


def sign_off(store: RunStore, worker: str) -> None:
    """Forget a worker that ends."""
    with store.database.writing(worker, patient=False) as connection:
        connection.execute("DELETE FROM workers WHERE name = ?", (worker,))


def health(store: RunStore) -> Health:
    """Return how many workers live, and how many runs of all accounts wait and are under way."""
    store.settle()
    silent = store.now().timestamp() - 3 * SIGN_SECONDS
    with store.database.reading() as connection:
        return Health(*connection.execute(_HEALTH, (silent,)).fetchone())


def health_told(store: RunStore, *, uses_workers: bool) -> tuple[int, dict[str, object]]:
    """Return the status of HTTP and the JSON in which whoever watches a server is told how it stands."""
    try:
        found = health(store)
    except StoreError as error:
        return 503, {"status": "error", "store": error.code}
    lacks_workers = uses_workers and not found.workers
    return 200, {"status": "no_workers" if lacks_workers else "ok", "store": "ok", **vars(found)}


# --- without research ------------------------------------------------------------------------------------------------


def cancel(store: RunStore, run_id: str) -> bool:
    """End a run that waits as stopped, with what it found if it had begun before; return whether it waited."""
    if store.get(run_id).state is not RunState.WAITING:
        return False
    return _end(store, run_id, "stopped")


def refuse(store: RunStore, run_id: str, owner: str, reason: str) -> None:
    """End a run of this owner that cannot begin, and say why in its report."""
    _end(store, run_id, "not_begun", reason.strip(" .。"), owner=owner)


def _end(store: RunStore, run_id: str, code: str, subject: str = "", *, owner: str | None = None) -> bool:
    """End a run that waits, or the owner's if one is named; return whether it was there to be ended."""
    run, state = store.get(run_id), RunState.WAITING if owner is None else RunState.RUNNING
    record, markdown = salvage(
        run_id,
        run.brief,
        run.analyst,
        store.events(run_id),
        store.pages(run_id),
        started_at=run.created_at,
        seconds=0.0,
        code=code,
        subject=subject,
    )
    finished = RunFinished(status=record.status, seconds=record.seconds)
    with store.changing(run_id, owner=owner) as connection:
        if connection.execute("SELECT state FROM runs WHERE id = ?", (run_id,)).fetchone()[0] != state:
            return False
        # Whoever had it and was only taken for dead would else go on behind its end.
        connection.execute("UPDATE runs SET owner = '' WHERE id = ?", (run_id,))
        append_events(connection, run_id, [finished], store.now())
        set_ended(connection, run_id, record, markdown, store.now())
    return True


# --- schedules: each due time is entered once, as a run that waits for a worker --------------------------------------

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WHEN = re.compile(
    rf"every (?:(day|weekday|{'|'.join(_DAYS)})|month on ([1-9]|[12]\d|3[01])) ([01]?\d|2[0-3]):([0-5]\d)", re.ASCII
)

_NO_RHYTHM = Phrase(
    "“{text}” names no times. Write “every day 08:00”, “every weekday 08:00”, “every monday 08:00” (or another day) or "
    "“every month on 1 08:00”."
)
_NO_ZONE = Phrase("“{text}” is no time zone. Name one as in Europe/Vienna or Asia/Tokyo.")


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
    def read(cls, text: str, zone: str) -> Rhythm:
        """Read what `every day 08:00` and its like say of times in a zone.

        Raises:
            UsageError: the text or the name of the zone cannot be understood; says what can be.
        """
        found = _WHEN.fullmatch(" ".join(text.lower().split()))
        if found is None:
            raise UsageError(_NO_RHYTHM.filled(text=text))
        named, of_month, hour, minute = found.groups()
        days = [_DAYS.index(named)] if named in _DAYS else range(5 if named == "weekday" else 7)
        try:
            where = ZoneInfo(zone)
        except (LookupError, ValueError, OSError):
            raise UsageError(_NO_ZONE.filled(text=zone)) from None
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
    analyst: str
    due: datetime | None
    """The next time, in UTC; None while it is paused."""
    last_run: str | None
    tell: str = ""
    """Who is told what changed: an e-mail or a web address."""


_NEVER = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
"""When a schedule that is paused is due, which a worker of an older version understands as well."""


def add_schedule(store: RunStore, rhythm: str, brief: Brief, task: Task, *, zone: str, analyst: str) -> Schedule:
    """Keep a schedule of the store's account and return it; `analyst` is `chat` or `extractive`.

    Raises:
        UsageError: rhythm or zone cannot be understood.
        StoreError: the store cannot be written.
    """
    due = Rhythm.read(rhythm, zone).next_after(store.now())
    made = Schedule(secrets.token_hex(4), " ".join(rhythm.lower().split()), zone, brief, analyst, due, None, task.tell)
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
        enter_action(connection, store.now(), store.account, Action.SCHEDULED)
    return made


def schedules(store: RunStore) -> Sequence[Schedule]:
    """Return the account's schedules, the next one first and those that are paused last.

    Raises:
        StoreError: they cannot be read.
    """
    chosen = "SELECT * FROM schedules WHERE account = ? ORDER BY due, id"
    with store.database.reading() as connection:
        return [_schedule(row) for row in connection.execute(chosen, (store.account,)).fetchall()]


def _schedule(row: Row) -> Schedule:
    due = None if row["due"] >= _NEVER else datetime.fromtimestamp(row["due"], UTC)
    brief = Brief.model_validate_json(row["brief"])
    tell = Task.model_validate_json(row["task"]).tell
    return Schedule(row["id"], row["rhythm"], row["zone"], brief, row["analyst"], due, row["last_run"], tell)


def runs_of_schedule(store: RunStore, schedule_id: str, limit: int) -> Sequence[RunSummary]:
    """Return the latest runs that came of a schedule, newest first; `StoreError` if they cannot be read."""
    came = f"SELECT id FROM runs WHERE schedule = ? AND {store.own} ORDER BY created_at DESC, id DESC LIMIT ?"  # noqa: S608
    return store.chosen(came, (schedule_id, limit))


def has_work(store: RunStore) -> bool:
    """Whether any account asks anything again and again, or has a run that waits for a worker."""
    either = "SELECT 1 FROM schedules UNION ALL SELECT 1 FROM runs WHERE state = ? LIMIT 1"
    with store.database.reading() as connection:
        return connection.execute(either, (RunState.WAITING.value,)).fetchone() is not None


def pause_schedule(store: RunStore, schedule_id: str, paused: bool) -> Schedule:
    """Let a schedule of the account rest, or go on from its next time; return it.

    Raises:
        UsageError: there is none of that name.
        StoreError: the store cannot be written.
    """
    with _changing(store, schedule_id) as (connection, one):
        due = None
        if not paused:
            due = one.due or Rhythm.read(one.rhythm, one.zone).next_after(store.now())
        stamp = due.timestamp() if due else _NEVER
        connection.execute("UPDATE schedules SET due = ? WHERE id = ?", (stamp, schedule_id))
    return replace(one, due=due)


def remove_schedule(store: RunStore, schedule_id: str) -> None:
    """Forget a schedule of the account; its runs stay. Errors as for `pause_schedule`."""
    with _changing(store, schedule_id) as (connection, _):
        connection.execute("DELETE FROM schedules WHERE id = ?", (schedule_id,))
        enter_action(connection, store.now(), store.account, Action.UNSCHEDULED)


def run_schedule(store: RunStore, schedule_id: str) -> str:
    """Enter a run of a schedule now, beside its times, and return the run's id; errors as for `pause_schedule`.

    While the last one waits or is under way, no second one is entered: that one's id is returned.
    """
    with _changing(store, schedule_id) as (connection, one):
        is_open = connection.execute(
            "SELECT 1 FROM runs WHERE id = ? AND state IN (?, ?)",
            (one.last_run, RunState.WAITING.value, RunState.RUNNING.value),
        ).fetchone()
        return one.last_run if one.last_run and is_open else _enter_of(connection, store, _row(connection, schedule_id))


@contextmanager
def _changing(store: RunStore, schedule_id: str) -> Iterator[tuple[Connection, Schedule]]:
    """Lend a connection for one transaction on a schedule of the account, and give it as it stands."""
    with store.database.writing() as connection:
        row = _row(connection, schedule_id)
        if row is None or row["account"] != store.account:
            raise UsageError(Phrase("There is no schedule {id}.").filled(id=schedule_id))
        yield connection, _schedule(row)


def _row(connection: Connection, schedule_id: str) -> Any:
    return connection.execute("SELECT * FROM schedules WHERE id = ?", (schedule_id,)).fetchone()


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
            try:
                due = Rhythm.read(row["rhythm"], row["zone"]).next_after(now)
                entered.append(_enter_of(connection, store, row))
            except (ValidationError, UsageError):
                continue  # A worker of the version that made it, or of a machine that knows its zone, enters it.
            connection.execute("UPDATE schedules SET due = ? WHERE id = ?", (due.timestamp(), row["id"]))
    return entered


def _enter_of(connection: Connection, store: RunStore, row: Row) -> str:
    """Enter a run of a schedule, which repeats the one before, and return its id."""
    one, account = _schedule(row), row["account"]
    columns = {"analyst": one.analyst, "task": row["task"], "follows": one.last_run, "schedule": one.id}
    run = enter_waiting(connection, store, one.brief, account, **columns)
    connection.execute("UPDATE schedules SET last_run = ? WHERE id = ?", (run, one.id))
    return run
