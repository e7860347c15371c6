"""Indexing of collections in the background: it goes on when the page is left, and every tab sees how far it is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from research.library import Library

_log = logging.getLogger("workbench")


@dataclass
class Job:
    """The indexing of one folder."""

    done: int = 0
    total: int = 0
    """Files; 0 as long as the folder is being prepared."""
    is_over: bool = False
    failed: bool = False


class Jobs:
    """What is being indexed, and what was indexed last, by the name of the collection."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def get(self, name: str) -> Job | None:
        """Return the latest job of a collection, if there was one."""
        return self._jobs.get(name)

    def is_running(self, name: str) -> bool:
        """Whether a collection is being indexed by this process."""
        job = self._jobs.get(name)
        return job is not None and not job.is_over

    def start(self, name: str, folder: Callable[[], Path], index_home: Path) -> None:
        """Index a collection, unless that is under way; `folder` prepares its folder first."""
        with self._lock:
            if self.is_running(name):
                return
            job = self._jobs[name] = Job()
        work = threading.Thread(target=_index, args=(job, folder, index_home), name=f"index-{name}", daemon=True)
        work.start()


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the jobs of this process."""
    return Jobs()


def _index(job: Job, folder: Callable[[], Path], index_home: Path) -> None:
    def progress(done: int, total: int) -> None:
        job.done, job.total = done, total

    try:
        Library(folder(), index_home).refresh(progress)
    except Exception:  # noqa: BLE001 - whatever breaks, the page says that it did; the reason goes to the log
        _log.exception("A collection could not be indexed.")
        job.failed = True
    finally:
        job.is_over = True
