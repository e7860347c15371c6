"""The folder that a run leaves: report, record, events, and the pages against which every quote can be checked."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from research.errors import StoreError, UsageError
from research.events import AnyEvent
from research.language import Bilingual, Language
from research.report import Report

_UNUSABLE = Bilingual(
    "The folder {folder} cannot be written: {reason}.", "フォルダー {folder} に書き込めません：{reason}"
)


class OutFolder:
    """Writes `events.jsonl` while the run goes on, everything else at its end; a context manager."""

    def __init__(self, folder: Path, language: Language) -> None:
        """Make the folder; what an earlier run left there stays until this one begins.

        Raises:
            UsageError: it cannot be written.
        """
        self._folder = folder
        self._language = language
        self._events: IO[str] | None = None
        self._is_whole = True
        try:
            (folder / "pages").mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise UsageError(_said(folder, language, error)) from error

    @property
    def report(self) -> Path:
        """Where the report is written."""
        return self._folder / "report.md"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._events is not None:
            self._events.close()

    def add(self, event: AnyEvent) -> None:
        """Write one event. If that fails, the research goes on, and `finish` writes all events once more."""
        if not self._is_whole:
            return
        try:
            if self._events is None:
                self._events = (self._folder / "events.jsonl").open("w", encoding="utf-8", newline="\n")
            self._events.write(event.model_dump_json() + "\n")
            self._events.flush()
        except OSError:
            self._is_whole = False

    def finish(self, report: Report) -> None:
        """Write report, record and pages.

        Raises:
            StoreError: the folder cannot be written (any more).
        """
        with writing(self._folder, self._language):
            self.report.write_text(report.markdown, encoding="utf-8", newline="\n")
            record = report.record.model_dump_json(indent=2)
            (self._folder / "run.json").write_text(record + "\n", encoding="utf-8", newline="\n")
            for page in report.pages.values():
                # Bytes, because the name is their hash.
                (self._folder / "pages" / f"{page.sha256}.txt").write_bytes(page.text.encode("utf-8", "surrogatepass"))
            if not self._is_whole:
                lines = "".join(event.model_dump_json() + "\n" for event in report.history)
                (self._folder / "events.jsonl").write_text(lines, encoding="utf-8", newline="\n")


@contextmanager
def writing(folder: Path, language: Language) -> Iterator[None]:
    """Turn what goes wrong while `folder` is written into a `StoreError` that says so."""
    try:
        yield
    except OSError as error:
        raise StoreError(_said(folder, language, error)) from error


def _said(folder: Path, language: Language, error: OSError) -> str:
    return _UNUSABLE.in_(language).format(folder=folder, reason=error.strerror)
