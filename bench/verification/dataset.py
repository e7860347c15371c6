"""The labelled claims: written by hand beside the pages, and changed by program so that they are no longer true.

`pages/` holds the pages (own texts, and four pages of The World Factbook, public domain), `claims/` for each page its
claims, one a line: kind, tab, sentence. Half of the sentences are held out, chosen by hash; what is derived from a
sentence stays in its half.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bench.verification.changes import altered_number, changed_period, changed_unit, negated
from research.verification import Label

HERE = Path(__file__).parent
SUPPORTED = ("verbatim", "paraphrase")
FALSE = ("altered number", "swapped source", "negated", "unit changed", "period changed", "name swapped", "invented")
WRITTEN = {"name": "name swapped", "period": "period changed"}
_DERIVED = {
    "altered number": altered_number,
    "unit changed": changed_unit,
    "period changed": changed_period,
    "negated": negated,
}


class Labelled(NamedTuple):
    """A claim and what should be found of it."""

    language: str
    kind: str
    sentence: str
    page: str
    """Name of the page."""
    held_out: bool
    by_hand: bool

    @property
    def label(self) -> Label:
        """The right verdict."""
        if self.kind in SUPPORTED:
            return Label.SUPPORTED
        return Label.PARTIAL if self.kind == "partly" else Label.UNSUPPORTED

    @property
    def text(self) -> str:
        """The page."""
        return (HERE / "pages" / f"{self.page}.md").read_text(encoding="utf-8")


@cache
def claims() -> tuple[Labelled, ...]:
    """Return all labelled claims."""
    return tuple(_all())


def _all() -> Iterator[Labelled]:
    files = sorted((HERE / "claims").glob("*.tsv"))
    names = [file.stem for file in files]
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            kind, sentence = line.split("\t")
            number = _hash(sentence)
            written = Labelled(file.stem[:2], WRITTEN.get(kind, kind), sentence, file.stem, number % 2 == 1, True)
            yield written
            if kind in SUPPORTED:
                yield from _derived(written, names, number // 2)


def _derived(written: Labelled, names: list[str], number: int) -> Iterator[Labelled]:
    derived = written._replace(by_hand=False)
    for kind, change in _DERIVED.items():
        sentence = change(written.sentence, written.text, number)
        if sentence is not None:
            yield derived._replace(kind=kind, sentence=sentence)
    yield derived._replace(kind="swapped source", page=_other(written.page, names, number))


def _other(page: str, names: list[str], number: int) -> str:
    """Return another page in the same language: the one most alike, if there is one of the same series."""
    others = [name for name in names if name[:2] == page[:2] and name != page]
    alike = [name for name in others if name.split("-")[1] == page.split("-")[1]]
    return (alike or others)[number % len(alike or others)]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
