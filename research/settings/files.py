"""The store for small files of the user's own: one JSON object each, checked by a pydantic model.

Every file is for its owner's eyes alone (0600 in a folder of 0700), is written whole or not at all, and is of limited
size. One that cannot be read is told (`StoreError`) and never lost: what is kept next sets it aside.
"""

from __future__ import annotations

import errno
import logging
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Annotated, Generic, TypeVar

from pydantic import (
    BaseModel,
    PlainSerializer,
    SecretStr,
    SerializationInfo,
    StringConstraints,
    ValidationError,
)

from research.core import StoreError, UsageError
from research.language import Bilingual, Phrase

LARGEST = 32_000_000
"""Bytes of a file: just above 200 full sets of sites with the longest names there are, the most that can be kept."""
LONGEST_NAME = 60
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_NAME)]
"""What people call a thing that they keep."""

_OTHERS = 0o077
_LONG_NAME = Phrase("The name is too long: at most {most} characters.")
_log = logging.getLogger(__name__)

_REVEALED = {"secrets": "revealed"}
"""The context in which models are written."""


def _masked(secret: SecretStr, info: SerializationInfo) -> str:
    return secret.get_secret_value() if info.context == _REVEALED else str(secret)


KeptSecret = Annotated[SecretStr, PlainSerializer(_masked, when_used="json-unless-none")]
"""A secret of a model that is kept: it stands in the file as it is, and is masked anywhere else."""

Kept = TypeVar("Kept", bound=BaseModel)


class UserFile(Generic[Kept]):
    """A file below `settings` in the home folder, of which there is one in each home."""

    def __init__(self, name: str, kind: type[Kept]) -> None:
        self._name = name
        self._kind = kind
        self._lock = threading.Lock()

    def path(self, home: Path) -> Path:
        """Return where the file of `home` is, whether or not there is one."""
        return home / "settings" / self._name

    def stamp(self, home: Path) -> tuple[int, ...]:
        """Return what tells whether the file of `home` is still the one that was read last."""
        try:
            status = self.path(home).stat()
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns

    def load(self, home: Path) -> Kept:
        """Return what is kept in `home`; if nothing is, what holds without.

        Raises:
            StoreError: the file cannot be read, or is damaged.
        """
        return read(self.path(home), self._kind) or self._kind()

    def change(self, home: Path, changed: Callable[[Kept], Kept]) -> Kept:
        """Replace what is kept in `home` by what `changed` makes of it, and return that.

        A file that cannot be read counts as none: it is set aside as `<name>.unreadable`, which the log says.

        Raises:
            StoreError: it cannot be written; then everything is as before, as after an error that `changed` raises.
        """
        path = self.path(home)
        with self._lock:
            aside: AbstractContextManager[None]
            try:
                before, aside = self.load(home), nullcontext()
            except StoreError:
                before, aside = self._kind(), _set_aside(path)
            kept = changed(before)
            with aside:
                write(path, kept)
        return kept


def read(path: Path, kind: type[Kept]) -> Kept | None:
    """Return what is kept at `path`, or None if nothing is; if other users could read the file, they no longer can.

    Raises:
        StoreError: the file cannot be read, is too large, or is damaged.
    """
    data = read_bytes(path)
    if data is None:
        return None
    with suppress(OSError):  # of somebody else, or on a disk that cannot be written: it can be used nevertheless
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            path.chmod(0o600)
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        raise StoreError(f"{path} is damaged.") from error


def read_bytes(path: Path, largest: int = LARGEST) -> bytes | None:
    """Return the content of the file at `path`, or None if there is none.

    Raises:
        StoreError: it cannot be read, or has more than `largest` bytes.
    """
    with _told(path):
        try:
            with path.open("rb") as file:
                data = file.read(largest + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
    if len(data) > largest:
        raise StoreError(f"{path}: > {largest:,} bytes")
    return data


def write(path: Path, value: BaseModel) -> None:
    """Write `value` in place of what is at `path`.

    Raises:
        StoreError: it cannot be written, or is too large; then everything is as before.
    """
    data = (value.model_dump_json(indent=2, context=_REVEALED) + "\n").encode()
    if len(data) > LARGEST:
        raise StoreError(f"{path}: > {LARGEST:,} bytes")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        write_whole(path, data)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file whole or not at all; raises `OSError`."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}-")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.chmod(mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def clean_name(name: str, nameless: Bilingual) -> str:
    """Return a name that somebody typed, on one line.

    Raises:
        UsageError: there is none, which `nameless` says, or it is too long.
    """
    name = " ".join(name.split())
    if not name:
        raise UsageError(nameless)
    if len(name) > LONGEST_NAME:
        raise UsageError(_LONG_NAME.filled(most=LONGEST_NAME))
    return name


def disk_problem(error: OSError) -> str:
    """Return the key of `research.core.errors` that says what is wrong with a disk."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return "store_full"
    return "store_refused" if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else "store_failed"


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}", disk_problem(error)) from error


@contextmanager
def _set_aside(path: Path) -> Iterator[None]:
    """Move a file out of the way of one that is written; if that fails, it moves back."""
    aside = path.with_name(f"{path.name}.unreadable")
    with _told(path):
        path.replace(aside)
    try:
        yield
    except StoreError:
        aside.replace(path)
        raise
    _log.warning("%s could not be read and is kept as %s.", path, aside.name)
