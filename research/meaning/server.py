"""Vectors from any server that speaks like OpenAI's `/v1/embeddings`."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pydantic import BaseModel, Field, ValidationError

from research.meaning.embedder import EmbeddingCall, EmbeddingFailed, Told, Vectors, normed, prefixed

SECONDS = 20.0
"""How long one call may take: a batch takes OpenAI one or two."""
_ATTEMPTS = 2
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


class ServerEmbedder:
    """A model at a server; nothing else of what the server says is used."""

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
            answer = self._answer(body)
            found = normed(_vectors(answer), len(texts))
        except EmbeddingFailed as error:
            told(EmbeddingCall(0, time.monotonic() - began, error.code))
            raise
        told(EmbeddingCall(answer.usage.prompt_tokens if answer.usage else 0, time.monotonic() - began))
        return found

    def _answer(self, body: object) -> _Answer:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._asked(body)
            except _Busy as busy:
                if attempt == _ATTEMPTS or busy.wait > _LONGEST_PAUSE:
                    raise
                time.sleep(busy.wait)
        raise AssertionError  # the last attempt returned or raised

    def _asked(self, body: object) -> _Answer:
        try:
            import httpx

            from research.core.wire import for_service
        except ImportError as error:
            raise EmbeddingFailed("embedding_no_package", "pip install 'research-workbench[web]'") from error

        try:
            with for_service(httpx.Client(timeout=self._seconds), _LARGEST) as client:
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
        if status in _BUSY:
            raise _Busy(
                _CODES.get(status, "embedding_failed"), f"HTTP {status}", _wait(response.headers.get("Retry-After", ""))
            )
        if status != 200:
            raise EmbeddingFailed(_CODES.get(status, "embedding_failed"), f"HTTP {status}")
        try:
            return _Answer.model_validate_json(response.content)
        except (ValidationError, RecursionError) as error:
            raise EmbeddingFailed("embedding_unusable", "the answer has not the expected form") from error


class _Busy(EmbeddingFailed):
    """It may work in a moment."""

    def __init__(self, code: str, detail: str, wait: float) -> None:
        super().__init__(code, detail)
        self.wait = wait


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
