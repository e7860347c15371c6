"""The index of a library: passages, their words, and the ranking of both."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import sqlite3
import warnings
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain, islice
from math import isfinite
from pathlib import Path
from time import time, time_ns
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from research.core import StoreError
from research.documents import Document, is_single, tokenise
from research.library.apart import Reading
from research.text import values_of

with warnings.catch_warnings(action="ignore"):  # its progress bars, never shown, miss the widgets of notebooks
    from bm25s import BM25

_METHOD = "lucene"
_K1, _B = 1.2, 0.6
"""Saturation of repeated terms, and how much long passages are held back: passages are of similar length here."""


class Ranking:
    """Scores of passages for the terms of a query. It never changes and may be shared by threads."""

    def __init__(self, bm25: BM25 | None, size: int) -> None:
        self._bm25 = bm25
        self.size = size
        """Number of passages."""

    @classmethod
    def build(cls, passages: Iterable[Sequence[str]]) -> Self:
        """Rank passages given as lists of tokens."""
        ids: dict[str, int] = {}
        corpus = [[ids.setdefault(token, len(ids)) for token in tokens] for tokens in passages]
        if not ids:
            return cls(None, len(corpus))
        bm25 = BM25(method=_METHOD, k1=_K1, b=_B)
        bm25.index((corpus, ids), create_empty_token=False, show_progress=False)
        return cls(bm25, len(corpus))

    def scores(self, weights: dict[str, float]) -> NDArray[np.float32]:
        """Return the score of every passage for terms and the weight of each."""
        total = np.zeros(self.size, dtype=np.float32)
        if self._bm25 is None:
            return total
        for weight in sorted(set(weights.values())):
            terms = [term for token, own in weights.items() if own == weight for term in self._terms(token)]
            if terms:
                total += np.float32(weight) * self._bm25.get_scores_from_ids(terms)
        return total

    def _terms(self, token: str) -> list[int]:
        """Return the ids of a token; a single Chinese or Japanese character stands for all pairs that hold it."""
        vocabulary: dict[str, int] = self._bm25.vocab_dict if self._bm25 is not None else {}
        if is_single(token):
            return [term for known, term in vocabulary.items() if token in known]
        return [vocabulary[token]] if token in vocabulary else []

    def dump(self) -> bytes:
        """Return the ranking as bytes that `load` reads: NumPy arrays and JSON, no pickle."""
        arrays: dict[str, NDArray[np.generic]] = {"size": np.array(self.size)}
        if self._bm25 is not None:
            arrays |= {name: np.asarray(self._bm25.scores[name]) for name in ("data", "indices", "indptr")}
            words = zlib.compress(json.dumps(list(self._bm25.vocab_dict)).encode(), level=1)
            arrays["words"] = np.frombuffer(words, dtype=np.uint8)
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        return buffer.getvalue()

    @classmethod
    def load(cls, dumped: bytes) -> Self:
        """Return a ranking that `dump` wrote.

        Raises:
            ValueError, KeyError, OSError, zlib.error, zipfile.BadZipFile: the bytes are damaged.
        """
        with np.load(io.BytesIO(dumped), allow_pickle=False) as arrays:
            size = int(arrays["size"])
            if "words" not in arrays:
                return cls(None, size)
            words = json.loads(zlib.decompress(arrays["words"].tobytes()))
            bm25 = BM25(method=_METHOD, k1=_K1, b=_B)
            bm25.vocab_dict = {word: number for number, word in enumerate(words)}
            bm25.scores = {name: arrays[name] for name in ("data", "indices", "indptr")} | {"num_docs": size}
            bm25.nonoccurrence_array = None
        return cls(bm25, size)


_VERSION = 25
"""Rises whenever reading, cutting or tokens change: an index of another version is left to programs of that version."""
INDEX = f"index-{_VERSION}.sqlite"
"""The file of an index, in a folder of its own."""
_SCHEMA = """
CREATE TABLE file (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL, code TEXT, note TEXT, pages TEXT, title TEXT, published TEXT, text BLOB, places BLOB,
    tokens BLOB
);
CREATE TABLE value (
    file INTEGER NOT NULL REFERENCES file ON DELETE CASCADE, is_row INTEGER NOT NULL, subject TEXT NOT NULL,
    label TEXT NOT NULL, period TEXT NOT NULL, number REAL, start INTEGER NOT NULL, end INTEGER NOT NULL, said TEXT
);
CREATE INDEX value_of_file ON value (file);
CREATE INDEX value_of_label ON value (label, is_row);
CREATE INDEX row_of_file ON value (file, start) WHERE is_row;
CREATE TABLE state (
    revision INTEGER NOT NULL, ranked INTEGER NOT NULL, owners BLOB, places BLOB, bodies BLOB, titles BLOB
);
"""
_INSERT = "INSERT OR IGNORE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PLACE_BYTES = 2 * np.dtype(np.int64).itemsize
_FIGURES = 50_000
"""Labelled values that are kept of one file."""
_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_UNUSED_SECONDS = 86_400.0
"""An index of another version that was not written for so long is taken for left behind."""


def index_file(folder: Path, index_home: Path) -> Path:
    """Return the file of the index of `folder` (absolute), whether or not it is there."""
    return index_home / index_name(folder) / INDEX


def index_name(folder: Path) -> str:
    """Return the name under which the index of `folder` (absolute) is kept."""
    return hashlib.sha256(folder.as_uri().encode()).hexdigest()[:24]


def is_current(file: Path) -> bool:
    """Whether `file` is an index that is read as it is; it is not written."""
    if not file.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as db:
            version: int = db.execute("PRAGMA user_version").fetchone()[0]
            return version == _VERSION
    except sqlite3.Error:
        return False


class DamagedIndex(Exception):
    """The index on disk cannot be used."""


class Known(NamedTuple):
    """What the index knows of a file."""

    size: int
    mtime_ns: int
    sha256: str
    code: str | None
    note: str | None = None
    """Why some pages of it have no text; None where all have."""
    pages: str = ""
    """Which those are: `3, 7–9`."""


class FolderEntry(NamedTuple):
    """A file as its folder shows it; it has not been opened."""

    path: Path
    size: int
    mtime_ns: int

    def differs(self, known: Known | None) -> bool:
        """Whether a file is new or has changed since it became known."""
        return known is None or (known.size, known.mtime_ns) != self[1:]


UNFINISHED = "file_unfinished"
"""The code of a file whose reading has begun: by now another run reads it, or the program has ended meanwhile."""


class FileReading(NamedTuple):
    """A file as it was read just now: `reading`, or the `code` that says why there is none."""

    path: Path
    known: Known
    reading: Reading | None = None


class Snapshot(NamedTuple):
    """All that a search needs in memory. Passage n stands in file `owners[n]` at `places[n]`."""

    revision: int
    bodies: Ranking
    titles: Ranking
    """Of the same passages, by the title of their document."""
    owners: NDArray[np.int64]
    places: NDArray[np.int64]
    files: int


class Column(NamedTuple):
    """Values of one label: those of lines wherever they stand, those of rows within one file."""

    label: str
    file: int | None
    title: str
    """Of the file, where it is one."""
    size: int
    is_only: bool = False
    """Whether the rows of the file hold no other figures: its title says what they are."""


class Labelled(NamedTuple):
    """A labelled value of a file: it stands in the line or row `text[start:end]`."""

    file: int
    title: str
    """Of the file."""
    subject: str
    label: str
    period: str
    number: float | None
    said: str | None
    """What a line says there; None of a row."""
    start: int
    end: int

    @property
    def who(self) -> str:
        """Whose value it is."""
        return self.subject or self.title


_LABELLED = (
    "SELECT file, title, subject, label, period, number, said, start, end"
    " FROM value JOIN file ON file.id = value.file WHERE"
)
_FILES = "SELECT id FROM file WHERE"


def _about(forms: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the condition that a line is of whoever is called by one of `forms`, if there are any, and its values.

    Files are found by their titles first: each line asked for the title of its file takes five times as long.
    """
    if not forms:
        return [], []
    titled, named = (" OR ".join([f"{column} LIKE ?"] * len(forms)) for column in ("title", "subject"))
    return [f"(file IN ({_FILES} {titled}) OR {named})"], [f"%{form}%" for form in forms] * 2


class IndexStore:
    """Reads and writes one index; safe for threads and processes, each call is one transaction."""

    def __init__(self, file: Path, *, patience: float = _PATIENCE) -> None:
        self._file = file
        self._patience = patience
        self._labels: tuple[int, list[str]] = (-1, [])
        """The labels, and the revision of the index that they were read at: counting them takes a tenth of a second."""

    def known(self) -> dict[Path, Known]:
        """Return every file that was looked at, those without text included."""
        with self._open() as db:
            rows = db.execute("SELECT path, size, mtime_ns, sha256, code, note, pages FROM file").fetchall()
        return {_path(row[0]): Known(*row[1:]) for row in rows}

    def passages(self) -> int:
        """Return how many passages there are; nothing is built for it."""
        with self._open() as db:
            held: int = db.execute("SELECT coalesce(sum(length(places)), 0) FROM file").fetchone()[0]
        return held // _PLACE_BYTES

    def write(self, readings: Sequence[FileReading], removed: Iterable[Path]) -> None:
        """Replace what is known of the files read, and forget the removed ones.

        What another process has read in the same state meanwhile stays as it is.
        """
        with self._writing() as db:
            db.executemany("DELETE FROM file WHERE path = ?", [(os.fsencode(path),) for path in removed])
            rows = [_row(reading) for reading in readings]
            other_state = "DELETE FROM file WHERE path = ? AND (code = ? OR size != ? OR mtime_ns != ? OR sha256 != ?)"
            db.executemany(other_state, [(row[1], UNFINISHED, *row[2:5]) for row in rows])
            for row, reading in zip(rows, readings, strict=True):
                added = db.execute(_INSERT, row)
                if added.rowcount and reading.reading is not None:
                    held = _values(added.lastrowid, reading.reading.document.text)
                    db.executemany("INSERT INTO value VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", held)
            if db.total_changes:
                db.execute("UPDATE state SET revision = revision + 1")

    def note(self, begun: FileReading) -> bool:
        """Note that a file is being read, so that it is not tried again should the program end over it.

        Returns False if that is noted already.
        """
        row = _row(begun)
        with self._writing() as db:
            if db.execute("SELECT 1 FROM file WHERE path = ? AND code = ?", (row[1], UNFINISHED)).fetchone():
                return False
            replaced = db.execute("DELETE FROM file WHERE path = ?", (row[1],)).rowcount
            db.execute(_INSERT, row)
            db.execute("UPDATE state SET revision = revision + ?", (replaced,))
        return True

    def touch(self, seen: Iterable[FolderEntry]) -> None:
        """Note new dates of files whose content is as before."""
        with self._writing() as db:
            values = [(entry.size, entry.mtime_ns, os.fsencode(entry.path)) for entry in seen]
            db.executemany("UPDATE file SET size = ?, mtime_ns = ? WHERE path = ?", values)

    def snapshot(self, current: Snapshot | None = None) -> Snapshot:
        """Return the index for searching: `current` if it still holds; the ranking is built if files changed."""
        with self._open() as db:
            revision, ranked = db.execute("SELECT revision, ranked FROM state").fetchone()
            if current is not None and current.revision == revision:
                return current
            if ranked != revision:
                db.execute("BEGIN IMMEDIATE")
                _rank(db)
                db.commit()
            files = db.execute("SELECT count(*) FROM file WHERE code IS NULL").fetchone()[0]
            row = db.execute("SELECT ranked, bodies, titles, owners, places FROM state").fetchone()
            bodies, titles = Ranking.load(row[1]), Ranking.load(row[2])
            owners, places = (np.frombuffer(blob, dtype=np.int64) for blob in row[3:])
        if len({bodies.size, titles.size, len(owners), len(places) / 2}) > 1:
            raise DamagedIndex("passages and ranking do not match")
        return Snapshot(row[0], bodies, titles, owners, places.reshape(-1, 2), files)

    def columns(self) -> list[Column]:
        """Return under which labels files hold figures, those of one file alone left out unless they stand in rows."""
        with self._open() as db:
            rows = db.execute(
                "SELECT label, CASE WHEN is_row THEN file END AS owner, title, count(*), count(DISTINCT file)"
                " FROM value JOIN file ON file.id = value.file WHERE number IS NOT NULL GROUP BY label, owner"
            ).fetchall()
        labels = Counter(row[1] for row in rows)
        held = [row for row in rows if row[3] > 1 and (row[1] is not None or row[4] > 1)]
        return [Column(row[0], row[1], row[2], row[3], row[1] is not None and labels[row[1]] == 1) for row in held]

    def titles(self, files: Iterable[int]) -> dict[int, str]:
        """Return the titles of files by their numbers, of those that are still there."""
        with self._open() as db:
            marks = ",".join(map(str, map(int, files)))
            return dict(db.execute(f"SELECT id, title FROM file WHERE id IN ({marks})"))  # noqa: S608

    def dated(self) -> dict[int, str]:
        """Return the dates of files by their numbers, of those that have one."""
        with self._open() as db:
            return dict(db.execute("SELECT id, published FROM file WHERE published IS NOT NULL"))

    def values(self, column: Column) -> list[Labelled]:
        """Return the figures of a column, in order of file and place."""
        own = "is_row AND file = ?" if column.file is not None else "NOT is_row AND ? IS NULL"
        chosen = f"{_LABELLED} number IS NOT NULL AND label = ? AND {own} ORDER BY file, start"
        with self._open() as db:
            return [Labelled(*row) for row in db.execute(chosen, (column.label, column.file))]

    def rows(self, forms: Sequence[str], years: Sequence[str]) -> list[Labelled]:
        """Return a figure of each subject of each file that holds one of `forms`, of `years` if any."""
        about = " OR ".join(["subject LIKE ?"] * len(forms))
        within = f" AND ({' OR '.join(['period LIKE ?'] * len(years))})" if years else ""
        chosen = f"{_LABELLED} is_row AND number IS NOT NULL AND ({about}){within} GROUP BY file, subject ORDER BY path"
        with self._open() as db:
            values = [*(f"%{form}%" for form in forms), *(f"{year}%" for year in years)]
            return [Labelled(*row) for row in db.execute(chosen, values)]

    def lines(self, words: Sequence[Iterable[str]], forms: Collection[str] = ()) -> list[Labelled]:
        """Return the labelled lines that hold one of each of these groups of words, also as parts of others.

        With `forms` only those of whoever is called by one of them, or of files titled by it: a fifth of the time.
        """
        groups = [[f"%{word}%" for word in sorted(group)] for group in words]
        holds = "label || ' ' || said LIKE ?"
        held = [f"({' OR '.join([holds] * len(group))})" for group in groups]
        about, whose = _about(forms)
        chosen = f"{_LABELLED} said IS NOT NULL AND {' AND '.join([*about, *held])} ORDER BY path, start"
        with self._open() as db:
            return [Labelled(*row) for row in db.execute(chosen, [*whose, *chain.from_iterable(groups)])]

    def labels(self) -> list[str]:
        """Return the labels under which lines of several files say something, those of most files first."""
        with self._open() as db:
            revision = db.execute("SELECT revision FROM state").fetchone()[0]
            if self._labels[0] != revision:
                rows = db.execute(
                    "SELECT label, count(DISTINCT file) AS files FROM value WHERE said IS NOT NULL"
                    " GROUP BY label HAVING files > 1 ORDER BY files DESC, label"
                )
                self._labels = revision, [row[0] for row in rows]
            return self._labels[1]

    def said_of(self, labels: Collection[str], forms: Collection[str]) -> list[Labelled]:
        """Return what lines say under these labels of whoever is called by one of `forms`, or files titled by it."""
        about, whose = _about(forms)
        called = [f"label IN ({','.join('?' * len(labels))})", *about]
        chosen = f"{_LABELLED} said IS NOT NULL AND {' AND '.join(called)} ORDER BY path, start"
        with self._open() as db:
            return [Labelled(*row) for row in db.execute(chosen, [*labels, *whose])]

    def document(self, file: int | Path) -> tuple[Path, Document] | None:
        """Return a file by its number or path; a number is gone for good when its file changes."""
        condition, value = ("id = ?", file) if isinstance(file, int) else ("path = ?", os.fsencode(file))
        with self._open() as db:
            query = f"SELECT path, text, title, published FROM file WHERE code IS NULL AND {condition}"  # noqa: S608
            row = db.execute(query, (value,)).fetchone()
            return (_path(row[0]), Document(_unpacked(row[1]), row[2], row[3])) if row else None

    def remove(self) -> None:
        """Throw the index away."""
        for file in (self._file, self._file.with_name(self._file.name + "-journal")):
            file.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as db, db:
            db.execute("BEGIN IMMEDIATE")
            yield db

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._file.exists():
                _remove_unused(self._file.parent)
            with closing(sqlite3.connect(self._file, timeout=self._patience, isolation_level=None)) as db:
                db.execute("PRAGMA foreign_keys = ON")
                _prepare(db)
                yield db
        except (sqlite3.OperationalError, OSError) as error:
            if isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                raise DamagedIndex(str(error)) from error  # a table or column is missing
            raise StoreError(f"The index {self._file} cannot be used: {error}.") from error
        except (sqlite3.DatabaseError, zlib.error, zipfile.BadZipFile, ValueError, KeyError, TypeError) as error:
            raise DamagedIndex(str(error)) from error


def _remove_unused(place: Path) -> None:
    """Remove what versions before left in the folder of an index, unless programs of theirs still run."""
    for file in place.glob("index*.sqlite*"):
        with suppress(OSError):
            if file.stat().st_mtime < time() - _UNUSED_SECONDS:
                file.unlink()


def _prepare(db: sqlite3.Connection) -> None:
    """Make the tables of a new index."""
    if db.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
        return
    db.execute("BEGIN EXCLUSIVE")
    if db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
        for statement in _SCHEMA.split(";\n"):
            db.execute(statement)
        # An index built anew gives no number of the old one again, so that searches under way notice.
        db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('file', ?)", (time_ns() // 1000,))
        db.execute("INSERT INTO state (revision, ranked) VALUES (?, -1)", (time_ns() // 1000,))
        db.execute(f"PRAGMA user_version = {_VERSION}")
    db.commit()


def _row(reading: FileReading) -> tuple[object, ...]:
    head = (None, os.fsencode(reading.path), *reading.known)
    if reading.reading is None:
        return (*head, None, None, None, None, None)
    document = reading.reading.document
    places = np.array(reading.reading.places, dtype=np.int64).tobytes()
    tokens = json.dumps(reading.reading.words, ensure_ascii=False)
    return (*head, document.title, document.published, _packed(document.text), places, _packed(tokens))


def _values(file: int | None, text: str) -> Iterator[tuple[object, ...]]:
    """Yield the labelled figures of a text, and what its lines say under a label."""
    for value in islice(values_of(text), _FIGURES):
        number = value.number if value.number is not None and isfinite(value.number) else None
        said = None if value.is_row or value.is_note else value.text
        if number is not None or said is not None:
            place = (value.start, value.end, said)
            yield (file, value.is_row, value.subject, value.label, value.period, number, *place)


def _rank(db: sqlite3.Connection) -> None:
    """Rank all passages and keep the result."""
    owners: list[int] = []
    places: list[bytes] = []
    titles: list[list[str]] = []

    def bodies() -> Iterator[list[str]]:
        kept = "SELECT id, path, places, tokens FROM file WHERE code IS NULL ORDER BY path"
        for number, path, spans, tokens in db.execute(kept):
            title, *passages = (words.split() for words in json.loads(_unpacked(tokens)))
            owners.extend([number] * len(passages))
            titles.extend([list(dict.fromkeys((*title, *_called(Path(os.fsdecode(path))))))] * len(passages))
            places.append(spans)
            yield from passages

    ranked = Ranking.build(bodies())
    values = (np.array(owners, dtype=np.int64).tobytes(), b"".join(places), ranked.dump(), Ranking.build(titles).dump())
    db.execute("UPDATE state SET ranked = revision, owners = ?, places = ?, bodies = ?, titles = ?", values)


_APART = re.compile(r"[_.-]+|(?<=\d)(?=Q[1-4](?!\d))")
"""What parts the words of a file's name: 2023Q1_EARNINGS."""


def _called(path: Path) -> list[str]:
    """Return the words of a file's name, which may say of which quarter or whose it is where its title does not."""
    return tokenise(_APART.sub(" ", path.stem))


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8"), level=1)


def _unpacked(blob: bytes) -> str:
    return zlib.decompress(blob).decode("utf-8")


def _path(blob: bytes) -> Path:
    return path_of(os.fsdecode(blob))


@lru_cache(maxsize=32_768)
def path_of(name: str) -> Path:
    """Return a path, the same object each time: a folder is held against its index before each question.

    Objects that are the same are found to be equal without a look at their parts, and their hashes are made once.
    """
    return Path(name)
