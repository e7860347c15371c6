"""Small files of the home folder: written whole or not at all, for their owner's eyes alone."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from research.core.errors import StoreError

Kept = TypeVar("Kept", bound=BaseModel)


def read(path: Path, kind: type[Kept]) -> Kept | None:
    """Return what is kept as JSON at `path`, or None if nothing is.

    Raises:
        StoreError: the file cannot be read, or is damaged.
    """
    try:
        return kind.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except ValidationError as error:
        raise StoreError(f"{path} is damaged.") from error


def write(path: Path, text: str) -> None:
    """Write `text` in place of what is there.

    Raises:
        StoreError: it cannot be written; then everything is as before.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.chmod(0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        written = Path(name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            written.replace(path)
        finally:
            written.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}", of_disk(error)) from error


def of_disk(error: OSError) -> str:
    """Return the key of `research.problems` that says what is wrong with a disk."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return "store_full"
    return "store_refused" if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS) else "store_failed"
