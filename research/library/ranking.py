"""BM25 over passages: built once, kept as plain arrays, scored in memory."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from bm25s import BM25
from numpy.typing import NDArray

from research.library.tokens import is_single

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
