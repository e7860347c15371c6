"""Who did what on a team's server: kept as it happens, never changed, and without any question, text or key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from research.store.database import Connection, Database


class Action(StrEnum):
    """What somebody did."""

    LOGGED_IN = "logged_in"
    STARTED = "started"
    STOPPED = "stopped"
    SHARED = "shared"
    UNSHARED = "unshared"
    EXPORTED = "exported"
    DELETED = "deleted"
    SETTINGS = "settings"
    """Something was changed on the Settings page."""


@dataclass(frozen=True)
class ActionTaken:
    """An action, as an administrator sees it."""

    at: datetime
    account: str
    action: Action
    run: str
    """Id of the run that it was done to, which may be gone; empty if to none."""


def enter_action(connection: Connection, at: datetime, account: str, action: Action, run: str = "") -> None:
    """Enter what an account did; what is done without a login is nobody's to look at, and not kept."""
    if account:
        entry = (at.isoformat(), account, action.value, run)
        connection.execute("INSERT INTO actions (at, account, action, run) VALUES (?, ?, ?, ?)", entry)


def latest_actions(database: Database, limit: int = 200) -> Sequence[ActionTaken]:
    """Return what all accounts did last, newest first: for administrators alone."""
    chosen = "SELECT at, account, action, run FROM actions ORDER BY at DESC, id DESC LIMIT ?"
    with database.reading() as connection:
        rows = connection.execute(chosen, (limit,)).fetchall()
    return [ActionTaken(datetime.fromisoformat(at), who, Action(what), run) for at, who, what, run in map(tuple, rows)]
