"""The process that reads files: started by `research.library.apart`, one request after the other.

A request is a line of JSON and the bytes of a file; the answer is its length in eight bytes and JSON. What
is read may be made to harm: so this process has no keys in its environment, may write no file, and each file has a
limit of processor time, of time and of memory, beyond which the system ends the process, whatever it is doing.
"""

from __future__ import annotations

import faulthandler
import json
import math
import os
import struct
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from research.documents.document import MAX_CHARACTERS, UnreadableFile, cut
from research.documents.readers import read

try:
    import resource
except ImportError:  # Windows: time alone is limited there
    resource = None  # type: ignore[assignment]

LENGTH = struct.Struct(">Q")
READY = b"+"
"""What a process says once it waits for requests."""
WALL = 3.0
"""How much longer than its processor time a file may take, as the machine may be busy."""
TIMED_OUT = 1
"""The status of a process that ended itself because of it."""
_CUTTING, _CUTTING_A_CHARACTER = 6.0, 4e-6
"""Processor time for cutting a text into passages and counting their words."""
LONGEST_CUTTING = _CUTTING + _CUTTING_A_CHARACTER * MAX_CHARACTERS
_FULL = 256 * 2**20
_FULL_AFTER_FAILURE = 128 * 2**20
"""Bytes from which a process ends after its answer, so that what one file took is not held against the next."""


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    _confine()
    answers.write(READY)
    answers.flush()
    is_last = False
    while not is_last and (line := requests.readline()):
        header = json.loads(line)
        told = _answer(header, requests.read(header["size"]))
        faulthandler.cancel_dump_traceback_later()
        is_last = _used_memory() > (_FULL_AFTER_FAILURE if "code" in told else _FULL)
        answer = json.dumps(told | {"is_last": is_last}, ensure_ascii=False).encode()
        answers.write(LENGTH.pack(len(answer)))
        answers.write(answer)
        answers.flush()


def _answer(header: dict[str, object], data: bytes) -> dict[str, object]:
    seconds, memory = float(str(header["seconds"])), int(str(header["memory"]))
    path = Path(str(header["name"]))
    try:
        _limit(_MEMORY, memory)
        _limit_time(seconds)
        program, patience = str(header["recogniser"]), float(str(header["patience"]))
        document = read(path, data, recogniser=program, seconds=patience)
        del data
        if not header["cut"]:
            return asdict(document)
        _limit_time(_CUTTING + _CUTTING_A_CHARACTER * len(document.text))
        places, words = cut(document)
        return asdict(document) | {"places": places, "words": words}
    except UnreadableFile as error:
        return {"code": error.code, "detail": str(error)[:300]}
    except MemoryError:
        return {"code": "file_heavy", "detail": f"more than {memory:,} bytes of memory"}
    finally:
        _limit(_MEMORY, None)  # There is room for the answer that says that there was none.


_PATIENCE = 10
"""How far the system lets the program itself, and so all other runs, go before a reader."""


def _confine() -> None:
    if resource is not None:
        os.nice(_PATIENCE)
        for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
            resource.setrlimit(kind, (0, 0))


def _limit_time(seconds: float) -> None:
    """Allow so many more seconds of the processor's time, which the system counts in whole ones, and time for them."""
    faulthandler.dump_traceback_later(seconds * WALL, exit=True)
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit(resource.RLIMIT_CPU, math.ceil(used.ru_utime + used.ru_stime + seconds))


def _limit(kind: int, allowed: int | None) -> None:
    """Set a limit that may be raised again, or with None lift it, but not above what the system allows this process."""
    if resource is not None:
        hard = resource.getrlimit(kind)[1]
        known = [most for most in (allowed, hard) if most is not None and most != resource.RLIM_INFINITY]
        resource.setrlimit(kind, (min(known, default=resource.RLIM_INFINITY), hard))


def _used_memory() -> int:
    """Return the bytes that this process holds; where that is not told, those that it held at most."""
    if resource is None:
        return 0
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024


_MEMORY = getattr(resource, "RLIMIT_DATA" if sys.platform == "linux" else "RLIMIT_AS", 0)
"""On Linux what a process fills itself, wherever it lies; elsewhere its addresses."""


def main() -> None:
    """Serve the process that started this one; what a parser prints goes nowhere."""
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        try:
            serve(sys.stdin.buffer, answers)
        except BaseException:  # noqa: BLE001 - whatever it was, it is no time-out
            os._exit(TIMED_OUT + 1)
