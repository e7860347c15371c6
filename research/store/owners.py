"""Which program carries out a run, and who did what on a team's server."""

from __future__ import annotations

import hashlib
import logging
import platform
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from pathlib import Path

from research.store.database import Connection, Database

_log = logging.getLogger(__name__)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
"""On Linux, names a machine from when it was switched on until it is switched off, for all its containers."""
_INSTALLATION = Path("/etc/machine-id")
"""On Linux, names what is installed on a machine; many containers have none."""
_LOCK_SECONDS = 1.0
"""For so long an owner waits for its own file: others hold it for a moment to see whether it is anybody's."""
_TRIES = 5
_PLACE = 8
"""Characters of a name that say in which folder its file is."""


class Owners:
    """The processes of one home folder that carry runs out.

    Each holds a lock on an empty file of its own, which the system drops when the process ends, however it ends. No
    process id is compared, as these are given out again. The locks are SQLite's, which are there on every system.
    Between machines that share a disk locks cannot be relied upon, so only owners of this machine and folder are
    judged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Owner:
        """Become an owner of runs. Where no lock can be had it has no name, and its heartbeat alone speaks for it.

        The files of owners of this machine that ended without leaving are deleted.
        """
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._clear()
            return self._new()
        except (OSError, sqlite3.Error) as error:
            _log.warning("Others will learn late if this process dies: %s", error)
            return Owner("", None, self._folder)

    def _new(self) -> Owner:
        """Return an owner with a file that is locked and there: another process may clear it before it is locked."""
        for _ in range(_TRIES):
            name = f"{_boot()}.{_machine()}.{self._place()}{secrets.token_hex(8)}"
            lock = _opened(self._folder / name, "rwc", _LOCK_SECONDS)
            owner = Owner(name, lock, self._folder)
            try:
                _hold(lock)
            except sqlite3.Error:
                owner.leave()
                raise
            if (self._folder / name).exists():
                return owner
            lock.close()
        raise FileNotFoundError(f"Files in {self._folder} are gone as soon as they are made.")

    def _clear(self) -> None:
        """Delete the files that no process of this machine holds any more, be it from before it was last started."""
        for path in self._folder.iterdir():
            boot, _, rest = path.name.partition(".")
            is_ours = boot == _boot() or rest.startswith(f"{_machine()}.")
            if is_ours:
                with suppress(OSError, sqlite3.Error):  # Somebody holds it, or has deleted it.
                    _delete(path)

    def _place(self) -> str:
        """Return a short name of the folder, the same for all that see it on this machine, by whatever path.

        Runs in a database come from several folders, and nothing is known of what is held in another one.
        """
        try:
            status = self._folder.stat()
        except OSError:
            return ""
        return _hash(f"{status.st_dev} {status.st_ino}")[:_PLACE]

    def is_gone(self, name: str) -> bool:
        """Whether the owner of that name is known to have ended; False where this cannot be known."""
        if not name.startswith(f"{_boot()}.") or name.rpartition(".")[2][:_PLACE] != self._place():
            return False
        path = self._folder / name
        if not path.exists():
            return True
        try:
            with closing(_opened(path, "ro")) as lock:
                lock.execute("SELECT 1 FROM sqlite_master")
        except sqlite3.Error:  # It is locked, or cannot be looked at.
            return False
        return True


class Owner:
    """One process that carries runs out, until it leaves or ends."""

    def __init__(self, name: str, lock: sqlite3.Connection | None, folder: Path) -> None:
        self.name = name
        self._lock = lock
        self._folder = folder

    def leave(self) -> None:
        """Carry out no more runs; what is still under way counts as interrupted."""
        if self._lock is not None:
            self._lock.close()
            (self._folder / self.name).unlink(missing_ok=True)


def _opened(path: Path, mode: str, timeout: float = 0) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(address, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)


def _hold(lock: sqlite3.Connection) -> None:
    lock.execute("PRAGMA journal_mode = MEMORY")  # Else there would be a second file beside the first.
    lock.execute("BEGIN EXCLUSIVE")


def _delete(path: Path) -> None:
    """Delete the file of an owner, held meanwhile so that it cannot become anybody's; raises if it is somebody's."""
    with closing(_opened(path, "rw")) as lock:
        _hold(lock)
        with suppress(PermissionError):
            path.unlink()
    # Windows deletes no file that is open, whoever has it open.
    path.unlink(missing_ok=True)


@cache
def _boot() -> str:
    """Return a short name of this machine as it was last started, where that can be told; one for all its containers.

    Processes under one such name see each other's locks.
    """
    return _hash(_BOOT.read_text(encoding="ascii")) if _BOOT.exists() else _machine()


@cache
def _machine() -> str:
    """Return a short name of this machine that stays when it is started again."""
    installation = _INSTALLATION.read_text(encoding="ascii") if _INSTALLATION.exists() else ""
    return _hash(f"{platform.node()} {installation}")


def _hash(known: str) -> str:
    return hashlib.sha256(known.strip().encode()).hexdigest()[:12]


_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
"""Without i, l, o and u, which are easily misread; in the order in which text sorts."""
_A_DAY = len(_DIGITS) ** 4


def new_run_id(now: datetime) -> str:
    """Return a name such as `20261121-k3f9q2`: the day, the time of day to a tenth of a second, and chance.

    Two runs of the same moment may get the same name; the store then asks for another one.
    """
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    moment = int((now - midnight) / timedelta(days=1) * _A_DAY)
    time_of_day = "".join(_DIGITS[moment // len(_DIGITS) ** place % len(_DIGITS)] for place in (3, 2, 1, 0))
    return f"{now:%Y%m%d}-{time_of_day}{secrets.choice(_DIGITS)}{secrets.choice(_DIGITS)}"


# --- who did what: kept as it happens, never changed, and without any question, text or key --------------------------


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
