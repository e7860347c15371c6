"""Files read in processes of their own, which end when a file takes too long, too much memory, or breaks its reader.

The processes are started anew rather than forked from this one, and not by `multiprocessing` or a pool on top of it:
these run the caller's main script again in the child, which for a page of the workbench is the whole app, and for a
script without a guard is the script. What comes back is JSON, as a process that was taken over might send anything.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Condition, Event, Thread
from time import monotonic
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from research.documents import MAX_CHARACTERS, Document, UnreadableFile, cut, read
from research.documents.worker import LENGTH, LONGEST_CUTTING, READY, TIMED_OUT, WALL

_T = TypeVar("_T")

Stop = Callable[[], bool]
"""Whether what is under way is no longer wanted; asked every tenth of a second."""

_SECONDS, _SECONDS_A_MB = 6.0, 3.0
"""Processor time that a file may take: for each megabyte six times what the slowest of 39 real PDFs took."""
_MEMORY, _MEMORY_A_BYTE = 320 * 2**20, 24
"""Bytes that reading a file may take; text cut into its words takes some twenty times its size."""
RECOGNISING_SECONDS = 120.0
"""How long the pages of one file that are pictures may take: a page of text takes two seconds, one that is set closely
ten."""
_RECOGNISING_MEMORY = 1_500_000_000
"""Bytes that reading pictures may take beside the file: a page at 300 dots an inch, and what recognises two scripts."""
_SOON = 0.5
"""Seconds after which a file counts as slow: it leaves its slot to others, and a note is kept that it is being read."""
_SLOTS, _SLOW = 2, 4
"""Processes for files that are read at once, and further ones for files that turned out to be slow."""
_PATIENCE = 1.5
"""Seconds after which a slow file gives its slot to one that waits; it is read anew in a slot for slow ones."""
_STARTING = 60.0
"""Seconds that a process may take to start, on a machine that does much else."""
_TICK = 0.1
_PLAIN, _SMALL = (".md", ".markdown", ".txt", ".text"), 64 * 1024
"""Files that are read here: text of so few bytes cannot take long, and many notes are read four times as fast."""
_LONGEST_ANSWER = 16 * MAX_CHARACTERS

_PROGRAM = "import sys; sys.path[:] = {path!r}; from research.documents.worker import main; main()"
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL")
"""Variables of the environment that a reader needs; keys are not among them."""


class _Answer(BaseModel):
    """What a process says of a file: the fields of a document, or why there is none."""

    model_config = ConfigDict(strict=True, frozen=True)

    is_last: bool
    code: str = ""
    detail: str = ""
    text: str = ""
    title: str = ""
    published: str | None = None
    rows: bool = False
    pictures: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()


class Reading(NamedTuple):
    """A document, and its passages if it was to be cut."""

    document: Document
    places: tuple[tuple[int, int], ...] = ()
    """Where each passage begins and ends."""
    words: tuple[str, ...] = ()
    """Tokens of the title and then of each passage, joined by blanks."""


class ReadingStopped(Exception):
    """The reading was no longer wanted, so nothing is known of the file."""


def read_apart(
    path: Path,
    data: bytes,
    *,
    cut_up: bool = False,
    recognises: float = 0.0,
    stop: Stop = lambda: False,
    slow: Stop = lambda: False,
) -> Reading:
    """Return what a file holds; blocks until it is read or given up. Small files of plain text are read here.

    Args:
        path: its name, whose ending says what kind of file it is; it is not opened.
        data: its bytes.
        cut_up: also return passages and words.
        recognises: seconds for pages that are pictures, where something is installed that reads them; none are read
            by default, and those for which no time is left stay pictures.
        stop: ends the reading.
        slow: called once if the file takes long; ends the reading if it returns True.

    Raises:
        UnreadableFile: with the code that says why there is no text; `file_slow`, `file_heavy` or `file_fatal` where
            the reader had to be ended, which it should not be asked for again.
        ReadingStopped: the reading was ended by `stop` or `slow`.
    """
    if not data.strip():
        raise UnreadableFile("file_empty")
    if len(data) <= _SMALL and path.suffix.lower() in _PLAIN:
        document = read(path, data)
        places, words = cut(document) if cut_up else ([], [])
        return Reading(document, tuple(places), tuple(words))
    try:
        told = _pool.ask(path.name, data, cut_up, stop, slow)
        if recognises and (told.pictures or told.code == "file_scanned") and (program := recogniser()) is not None:
            told = _pool.ask(path.name, data, cut_up, stop, lambda: False, recogniser=program, patience=recognises)
    except OSError as error:  # no fault of the file, which will be tried again
        raise UnreadableFile("file_unreadable", f"the reader cannot be started: {error}") from error
    if told.code:
        raise UnreadableFile(told.code, told.detail)
    if len(told.words) != len(told.places) + cut_up:
        raise UnreadableFile("file_fatal", "the reader answered something else")
    document = Document(told.text, told.title, told.published, told.rows, told.pictures)
    return Reading(document, told.places, told.words)


def recogniser() -> str | None:
    """Return the program that recognises text; None where none is installed."""
    return shutil.which("tesseract")


async def in_own_thread(work: Callable[[Stop], _T]) -> _T:
    """Return what `work` returns, run in a thread that nothing else waits for.

    If the caller is cancelled, `work` is told to stop by what it is given. Files that take long must not fill the
    threads that all runs of a program share.
    """
    stopped, result = Event(), Future[_T]()

    def run() -> None:
        try:
            result.set_result(work(stopped.is_set))
        except BaseException as error:  # noqa: BLE001 - whoever waits is to hear of it
            result.set_exception(error)

    result.set_running_or_notify_cancel()
    Thread(target=run, name="reading", daemon=True).start()
    try:
        return await asyncio.wrap_future(result)
    finally:
        stopped.set()


class _Pool:
    """The processes, and who may use one now."""

    def __init__(self) -> None:
        self._idle: deque[_Process] = deque()
        self._busy: set[_Process] = set()
        self._slots = _Slots()
        atexit.register(self.end)

    def ask(
        self,
        name: str,
        data: bytes,
        cut_up: bool,
        stop: Stop,
        slow: Stop,
        *,
        recogniser: str = "",
        patience: float = 0.0,
    ) -> _Answer:
        """Return the answer of a process about a file; see `read_apart`. `patience` is that of a recogniser."""
        seconds = _SECONDS + _SECONDS_A_MB * len(data) / 2**20
        memory = _MEMORY + _MEMORY_A_BYTE * len(data)
        if recogniser:
            seconds, memory = seconds + patience, memory + _RECOGNISING_MEMORY
        request = {"name": name, "size": len(data), "cut": cut_up, "seconds": seconds, "memory": memory}
        request |= {"recogniser": recogniser, "patience": patience}
        last_moment = WALL * (seconds + LONGEST_CUTTING) + _STARTING
        sent, is_slow = json.dumps(request).encode() + b"\n" + data, False
        while True:
            with self._slots.lent(is_slow, stop) as slot, self._process() as process:
                answer, began, taken = process.ask(sent), monotonic(), 0.0
                while not wait([answer], _TICK).done and not (taken > _PATIENCE and self._slots.is_wanted(slot)):
                    taken = monotonic() - began
                    if not is_slow and taken > _SOON:
                        is_slow = True
                        if slow():
                            raise ReadingStopped
                    if is_slow:
                        self._slots.exchange(slot)
                    if stop():
                        raise ReadingStopped
                    if taken > last_moment:
                        raise UnreadableFile("file_slow", f"not read within {taken:.0f} s")
                if answer.done():
                    return process.told(answer.result())

    def end(self) -> None:
        """End all processes."""
        for process in (*self._idle, *self._busy):
            process.end()
        self._idle.clear()

    @contextmanager
    def _process(self) -> Iterator[_Process]:
        """Lend a process; one that does not wait for the next file afterwards is ended."""
        process = self._waiting() or _Process()
        self._busy.add(process)
        try:
            yield process
        finally:
            self._busy.discard(process)
            if process.is_ready:
                self._idle.append(process)
            else:
                process.end()

    def _waiting(self) -> _Process | None:
        """Return a process that waits for a file; those that something else has ended are left out."""
        while True:
            try:
                process = self._idle.pop()
            except IndexError:
                return None
            if process.is_running:
                return process
            process.end()


@dataclass
class _Slot:
    """What a file holds while it is read."""

    is_slow: bool


class _Slots:
    """Who may be read now: some files, and some further ones that turned out to be slow."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._free = {False: _SLOTS, True: _SLOW}
        self._waiting = {False: 0, True: 0}

    @contextmanager
    def lent(self, is_slow: bool, stop: Stop) -> Iterator[_Slot]:
        """Wait for a slot of a kind, and lend it."""
        slot = _Slot(is_slow)
        with self._changed:
            self._waiting[is_slow] += 1
            try:
                while not self._free[is_slow]:
                    self._changed.wait(_TICK)
                    if stop():
                        raise ReadingStopped
            finally:
                self._waiting[is_slow] -= 1
            self._free[is_slow] -= 1
        try:
            yield slot
        finally:
            with self._changed:
                self._free[slot.is_slow] += 1
                self._changed.notify_all()

    def exchange(self, slot: _Slot) -> None:
        """Make a slot one for slow files, if one of these is free."""
        with self._changed:
            if not slot.is_slow and self._free[True]:
                slot.is_slow = True
                self._free[True] -= 1
                self._free[False] += 1
                self._changed.notify_all()

    def is_wanted(self, slot: _Slot) -> bool:
        """Whether a file that may be quick waits for a slot that a slow one holds."""
        return not slot.is_slow and self._waiting[False] > 0


class _Process:
    """One process, and the thread that talks with it: pipes know no time limit on every system."""

    def __init__(self) -> None:
        path = [os.path.abspath(entry) for entry in sys.path]  # noqa: PTH100 - entries may be zip files or empty
        options = ["-I", "-X", "utf8", *(["-B"] if sys.dont_write_bytecode else [])]
        self._process = subprocess.Popen(  # noqa: S603 - this program's own interpreter and modules
            [sys.executable, *options, "-c", _PROGRAM.format(path=path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in _PASSED_ON if name in os.environ},
            # What stops this program by the keyboard must not look like a fault of the file.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.is_ready = True
        """Whether it waits for a file."""
        self._requests: SimpleQueue[tuple[bytes, Future[bytes]] | None] = SimpleQueue()
        Thread(target=self._talk, name="reader", daemon=True).start()

    @property
    def is_running(self) -> bool:
        """Whether nothing has ended the process."""
        return self._process.poll() is None

    def ask(self, request: bytes) -> Future[bytes]:
        """Send a request; the answer will be empty if the process ends without one."""
        self.is_ready = False
        answer = Future[bytes]()
        self._requests.put((request, answer))
        return answer

    def told(self, answer: bytes) -> _Answer:
        """Return what an answer says.

        Raises:
            UnreadableFile: `file_slow` or `file_fatal`, there is none.
        """
        if not answer:
            status = self._process.wait()
            is_late = status in (TIMED_OUT, -getattr(signal, "SIGXCPU", 0))
            raise UnreadableFile("file_slow" if is_late else "file_fatal", f"the reader ended with status {status}")
        try:
            told = _Answer.model_validate_json(answer)
        except ValidationError as error:
            raise UnreadableFile("file_fatal", "the reader answered something else") from error
        self.is_ready = not told.is_last
        return told

    def end(self) -> None:
        """End the process, whatever it is doing, and what it has started."""
        self._requests.put(None)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL) if hasattr(os, "killpg") else self._process.kill()
        self._process.wait()

    def _talk(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        with self._process.stdout as answers, suppress(OSError), self._process.stdin as requests:
            has_started = answers.read(1) == READY
            while (one := self._requests.get()) is not None:
                request, answer = one
                if not has_started:
                    answer.set_exception(OSError(f"{sys.executable} ends with status {self._process.wait()}"))
                    continue
                try:
                    requests.write(request)
                    requests.flush()
                    head = answers.read(LENGTH.size)
                    size = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
                    received = answers.read(size) if size <= _LONGEST_ANSWER else b""
                    answer.set_result(received if len(received) == size else b"")
                except OSError:
                    answer.set_result(b"")


_pool = _Pool()
