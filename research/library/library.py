"""A folder of documents that can be searched."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import NamedTuple, TypeVar

import numpy as np

from research.errors import StoreError, UsageError
from research.library.passages import split
from research.library.places import index_file
from research.library.readers.document import Document, UnreadableFile
from research.library.readers.reading import load, read
from research.library.scan import Entry, scan
from research.library.store import DamagedIndex, IndexStore, Known, Reading, Snapshot, Stored
from research.library.tokens import query_weights, tokenise
from research.settings import Settings
from research.text.lexicon import expand as expand_with_lexicon

Progress = Callable[[int, int], None]
"""Told how many files of how many are done."""
_T = TypeVar("_T")

_ADDED_WEIGHT = 0.7
"""Weight of terms that the expansion of a query added, where its own have 1."""
_TITLE_WEIGHT = 0.6
"""Weight of terms in the title of a document, where those in the passage have 1."""
_TRIES = 5
"""How often a search starts again because files changed under it."""
_BATCH_FILES, _BATCH_SECONDS = 400, 2.0
"""How much is read before it is written to the index."""


class Hit(NamedTuple):
    """A passage that answers a query: `text == library.text(path)[start:end]`."""

    path: Path
    start: int
    end: int
    text: str
    score: float
    """Comparable within the hits of one query."""


class Skipped(NamedTuple):
    """A file without text, and why: `code` is a key of `research.problems`."""

    path: Path
    code: str


class IndexReport(NamedTuple):
    """What the index of a folder holds."""

    files: int
    passages: int
    skipped: tuple[Skipped, ...]


class Library:
    """Full-text search over the Markdown, text, HTML, PDF, Word and CSV files of a folder.

    Files are read once and again only when they change. The index is kept outside the folder. One instance may be
    used by several threads at once, and several processes may use the same folder.
    """

    def __init__(
        self,
        folder: str | Path,
        index_home: Path | None = None,
        *,
        expand: Callable[[str], str] = expand_with_lexicon,
    ) -> None:
        """Open a library; nothing is read before the first search or refresh.

        Args:
            folder: the folder; all folders below it belong to it, hidden files and links do not.
            index_home: where indexes are kept; by default below `RESEARCH_HOME`.
            expand: returns a query together with further words for the same things, which count less.

        Raises:
            UsageError: there is no such folder.
        """
        self.folder = Path(folder).expanduser().resolve()
        self._check_folder()
        home = (index_home or Settings.from_environment().home / "library").expanduser().resolve()
        self._leave_out = home
        self._store = IndexStore(index_file(self.folder, home))
        self._expand = expand
        self._lock = RLock()
        self._snapshot: Snapshot | None = None

    def refresh(self, progress: Progress | None = None) -> IndexReport:
        """Read what is new or changed, forget what is gone, and say what the library holds.

        Raises:
            UsageError: the folder is gone.
            StoreError: the index cannot be written.
        """
        self._check_folder()
        with self._lock:
            return self._mended(lambda: self._refresh(progress))

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """Return up to `k` passages, best first. The first search of an instance refreshes the index.

        Raises:
            UsageError: the folder is gone.
            StoreError: the index cannot be read.
        """
        with self._lock:
            if self._snapshot is None:
                self.refresh()
            return self._mended(lambda: self._search(query, k))

    def document(self, path: str | Path) -> Document:
        """Return a document of the library with title and date, as it was when the index last read it.

        Raises:
            UsageError: the library holds no such document.
        """
        wanted = self.folder / path
        stored = self._mended(lambda: self._store.document(wanted))
        if stored is None:
            raise UsageError(f"The library {self.folder} holds no document {path}.")
        return stored.document

    def text(self, path: str | Path) -> str:
        r"""Return the text of a document: for Markdown and text files their content, with `\n` as line end.

        Raises:
            UsageError: the library holds no such document.
        """
        return self.document(path).text

    def _check_folder(self) -> None:
        if not self.folder.is_dir():
            raise UsageError(f"There is no folder {self.folder}.")

    def _mended(self, use: Callable[[], _T]) -> _T:
        """Return what `use` returns; if the index is damaged, build it anew first."""
        try:
            return use()
        except DamagedIndex:
            with self._lock:
                self._store.remove()
                self._snapshot = None
        try:
            with self._lock:
                self._refresh(None)
                return use()
        except DamagedIndex as error:
            raise StoreError(f"The index of {self.folder} cannot be kept: {error}.") from error

    def _refresh(self, progress: Progress | None) -> IndexReport:
        found = scan(self.folder, self._leave_out)
        known = self._store.known()
        present = {entry.path for entry in found.files}
        changed = [entry for entry in found.files if _has_changed(entry, known.get(entry.path))]
        removed = [path for path in known if path not in present]
        if removed:
            self._store.write([], removed)
        self._read(changed, known, len(found.files), progress)
        self._snapshot = self._store.snapshot(self._snapshot)
        if progress is not None:
            progress(len(found.files), len(found.files))
        failed = [Skipped(path, one.code) for path, one in self._store.known().items() if one.code is not None]
        closed = [Skipped(path, "file_unreadable") for path in found.closed]
        return IndexReport(self._snapshot.files, self._snapshot.bodies.size, tuple(sorted(failed + closed)))

    def _read(self, changed: list[Entry], known: dict[Path, Known], total: int, progress: Progress | None) -> None:
        """Read changed files and write them to the index, some at a time."""
        readings: list[Reading] = []
        same: list[tuple[Path, Known]] = []
        written_at = monotonic()
        for left, entry in zip(range(len(changed) - 1, -1, -1), changed, strict=True):
            reading = _reading(entry, known.get(entry.path))
            if reading is None:
                same.append((entry.path, Known(entry.size, entry.mtime_ns, "", None)))
            else:
                readings.append(reading)
            if left == 0 or len(readings) >= _BATCH_FILES or monotonic() - written_at > _BATCH_SECONDS:
                if readings:
                    self._store.write(readings, [])
                readings, written_at = [], monotonic()
            if progress is not None and left:
                progress(total - left, total)
        if same:
            self._store.touch(same)

    def _search(self, query: str, k: int) -> list[Hit]:
        for _ in range(_TRIES):
            self._snapshot = self._snapshot or self._store.snapshot()
            hits = self._hits(self._snapshot, query, k)
            if hits is not None:
                return hits
            self._refresh(None)  # another process has read files anew since: their texts are others now
        raise StoreError(f"The documents in {self.folder} change faster than they can be searched.")

    def _hits(self, snapshot: Snapshot, query: str, k: int) -> list[Hit] | None:
        """Return the hits, or None if a text that the snapshot speaks of is no longer kept."""
        weights = self._weights(query)
        scores = snapshot.bodies.scores(weights) + _TITLE_WEIGHT * snapshot.titles.scores(weights)
        best = np.argsort(-scores, kind="stable")[: max(k, 0)]
        texts: dict[int, Stored] = {}
        hits: list[Hit] = []
        for passage in best:
            if scores[passage] <= 0:
                break
            owner = int(snapshot.owners[passage])
            stored = texts.get(owner) or self._store.document(owner)
            if stored is None:
                return None
            texts[owner] = stored
            start, end = (int(offset) for offset in snapshot.places[passage])
            hits.append(Hit(stored.path, start, end, stored.document.text[start:end], float(scores[passage])))
        return hits

    def _weights(self, query: str) -> dict[str, float]:
        added = query_weights(self._expand(query))
        return {token: _ADDED_WEIGHT * weight for token, weight in added.items()} | query_weights(query)


def _has_changed(entry: Entry, known: Known | None) -> bool:
    if known is None or known.code == "file_unreadable":
        return True
    return (entry.size, entry.mtime_ns) != (known.size, known.mtime_ns)


def _reading(entry: Entry, known: Known | None) -> Reading | None:
    """Read a file, or return None if its content is what is known already."""
    sha256 = ""
    try:
        data = load(entry.path, entry.size)
        sha256 = hashlib.sha256(data).hexdigest()
        if known is not None and known.sha256 == sha256:
            return None
        document = read(entry.path, data)
    except UnreadableFile as error:
        return Reading(entry.path, Known(entry.size, entry.mtime_ns, sha256, error.code))
    passages = split(document.text, rows=document.rows)
    title = tokenise(document.title)
    tokens = [tokenise(f"{one.heading}\n{document.text[one.start : one.end]}") for one in passages]
    return Reading(entry.path, Known(entry.size, entry.mtime_ns, sha256, None), document, passages, title, tokens)
