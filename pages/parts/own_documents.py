"""The user's own documents: a folder that files dropped on the page join, if they can be read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from research.library import Library, Skipped, library_state
from research.settings import Settings, disk_problem

_LONGEST_NAME = 120
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')


@dataclass(frozen=True)
class OwnDocument:
    """A file of the folder, or one that was to join it."""

    name: str
    size: int
    problem: str = ""
    """Why it cannot be read or kept (a key of `research.core.errors`), if it cannot."""


def documents_folder(settings: Settings) -> Path:
    """Return the folder of the documents, making it if need be."""
    place = settings.home / "documents"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    return place


def safe_name(name: str) -> str:
    """Return a file name that stays inside its folder and is not hidden, as close to `name` as can be."""
    bare = _UNSAFE.sub("_", unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]).strip(" .")
    stem, dot, ending = bare.rpartition(".")
    if not dot:
        stem, ending = bare, ""
    return f"{stem[:_LONGEST_NAME] or 'document'}{dot}{ending[:12]}"


def add(place: Path, name: str, data: bytes) -> str:
    """Keep a file and return its name; the same file twice is kept once, another of that name gets a number."""
    wanted = place / safe_name(name)
    for number in range(1, 1_000):
        path = wanted if number == 1 else wanted.with_stem(f"{wanted.stem} ({number})")
        if not path.exists():
            path.write_bytes(data)
            return path.name
        if path.read_bytes() == data:
            return path.name
    raise OSError(f"There are a thousand files named {wanted.name}.")


def remove_document(place: Path, name: str) -> None:
    """Remove a file of the folder; a name that leads elsewhere removes nothing."""
    path = place / safe_name(name)
    if path.name == name:
        path.unlink(missing_ok=True)


def present_documents(place: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of change of each file: what tells whether the folder changed."""
    status = {path.name: path.stat() for path in sorted(place.iterdir()) if path.is_file() and path.name[0] != "."}
    return [(name, entry.st_size, entry.st_mtime_ns) for name, entry in status.items()]


def take_in_documents(settings: Settings, dropped: Iterable[tuple[str, bytes]]) -> tuple[int, Sequence[OwnDocument]]:
    """Keep what can be read of the files dropped, each with its name; return how many, and those that were refused."""
    place, kept, refused = documents_folder(settings), dict[str, OwnDocument](), list[OwnDocument]()
    for name, data in dropped:
        try:
            kept[add(place, name, data)] = OwnDocument(name, len(data))
        except OSError as error:
            refused.append(OwnDocument(name, len(data), disk_problem(error)))
    problems = {held.name: held.problem for held in read_documents(settings)}
    for name in [name for name in kept if problems.get(name)]:
        file = kept.pop(name)
        remove_document(place, name)
        refused.append(OwnDocument(file.name, file.size, problems[name]))
    return len(kept), refused


def read_documents(settings: Settings) -> list[OwnDocument]:
    """Read what is new in the folder and return all its documents, each with what is wrong with it."""
    place = documents_folder(settings)
    return _named(place, Library(place, settings.home / "library").refresh().skipped)


def documents_so_far(settings: Settings) -> list[OwnDocument]:
    """Return the documents of the folder, each with what is known to be wrong with it; nothing is read."""
    place = documents_folder(settings)
    return _named(place, library_state(place, settings.home / "library").skipped)


def _named(place: Path, skipped: Iterable[Skipped]) -> list[OwnDocument]:
    codes = {skip.path.name: skip.code for skip in skipped}
    return [OwnDocument(name, size, codes.get(name, "")) for name, size, _ in present_documents(place)]
