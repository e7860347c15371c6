"""Who carries runs out, and whether they are gone: on one machine, the system itself knows at once."""

from __future__ import annotations

import hashlib
import logging
import platform
import secrets
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

_log = logging.getLogger(__name__)
_BOOT = Path("/proc/sys/kernel/random/boot_id")
"""On Linux, names a machine from when it was switched on until it is switched off, for all its containers."""


class Owners:
    """The processes of one home folder that carry runs out.

    Each holds a lock on an empty file of its own, which the system drops when the process ends, however it ends. No
    process id is compared, as these are given out again. The locks are SQLite's, which are there on every system.
    Between machines that share a disk locks cannot be relied upon, so only owners of this machine are judged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Owner:
        """Become an owner of runs. Where no lock can be had it has no name, and its heartbeat alone speaks for it."""
        name = f"{_machine()}.{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = sqlite3.connect(self._folder / name, timeout=0, isolation_level=None, check_same_thread=False)
            lock.execute("BEGIN EXCLUSIVE")
        except (OSError, sqlite3.Error) as error:
            _log.warning("Others will learn late if this process dies: %s", error)
            return Owner("", None, self._folder)
        return Owner(name, lock, self._folder)

    def is_gone(self, name: str) -> bool:
        """Whether the owner of that name is known to have ended; False where this cannot be known."""
        if not name.startswith(f"{_machine()}."):
            return False
        path = self._folder / name
        if not path.exists():
            return True
        try:
            with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as lock:
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


@cache
def _machine() -> str:
    """Return a short name of this machine."""
    known = _BOOT.read_text(encoding="ascii") if _BOOT.exists() else platform.node()
    return hashlib.sha256(known.strip().encode()).hexdigest()[:12]
