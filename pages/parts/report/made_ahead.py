"""Files that are made before they are asked for, so that a click on their button brings them at once.

Each content is made once, however many readers look at it, and the latest few are kept while the process runs.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from hashlib import sha256

from research.export.paper import Paper
from research.report import Report

_log = logging.getLogger("workbench")

_KEPT = 8
_Key = tuple[str, str, int, str]


class MadeAhead:
    """Makes one format; used by several threads."""

    def __init__(self, make: Callable[[Report, Paper], bytes]) -> None:
        self._make = make
        self._made: OrderedDict[_Key, Future[bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def file(self, report: Report, paper: Paper) -> bytes:
        """Return the file of a report, made now unless it is there or being made; raises what making it raises."""
        key = _key(report, paper)
        with self._lock:
            future = self._made.get(key)
            is_mine = future is None
            if future is None:
                future = self._made[key] = Future()
            self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        if is_mine:
            self._fill(key, future, report, paper)
        return future.result()

    def begin(self, load: Callable[[], Report], paper: Paper, *, after: float = 0.0) -> None:
        """Make the file of the report that `load` returns on a thread of its own, `after` so many seconds."""
        timer = threading.Timer(after, self._prepare, (load, paper))
        timer.daemon = True
        timer.start()

    def _prepare(self, load: Callable[[], Report], paper: Paper) -> None:
        try:
            self.file(load(), paper)
        except Exception as error:  # noqa: BLE001 - nobody has asked for it; whoever does is told
            _log.info("A file could not be made ahead: %s", error)

    def _fill(self, key: _Key, future: Future[bytes], report: Report, paper: Paper) -> None:
        try:
            future.set_result(self._make(report, paper))
        except BaseException as error:  # noqa: BLE001 - whoever waits for the file is told
            with self._lock:
                self._made.pop(key, None)
            future.set_exception(error)


def _key(report: Report, paper: Paper) -> _Key:
    """Return what tells one content from another; pages and quotes of a run never change, they only become more."""
    return report.record.run, paper, len(report.history), sha256(report.markdown.encode("utf-8", "replace")).hexdigest()
