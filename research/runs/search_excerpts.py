"""Where in a run the words stand by which it was found, if not in its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from research.runs import search_words
from research.runs.model import RunSummary
from research.runs.store import RunStore
from research.text.words import folded

_AROUND = 48
"""Characters shown on either side, wide ones counting two."""
_ADDRESS = re.compile(r"\[\d+\]: ")
"""Begins a line that only says where a numbered link leads."""
_LINK = re.compile(r"\[(?![\d, ]+\])([^\[\]]+)\](?:\[\d+\]|\((?:<[^>]*>|[^()\s]*)\))")
_MARKUP = re.compile(r"^[#>\s*\-|]+|\*\*|`|\\(?=\W)|(?:\s*\[[\d, ]+\](?:\([^)]*\))?)+")


class Place(StrEnum):
    """In what a word was found."""

    REPORT = "report"
    SOURCE = "source"


@dataclass(frozen=True)
class Excerpt:
    """A word that was found, and what stands around it."""

    place: Place
    before: str
    found: str
    after: str


def excerpt(store: RunStore, run: RunSummary, words: str) -> Excerpt | None:
    """Return the first place of a word that the run's name does not hold; None if it holds them all.

    Raises:
        UsageError: there is no such run any more.
        StoreError: the store cannot be read.
    """
    name = folded(f"{run.title}\n{run.question}")
    wanted = [part for part in search_words.query_parts(words) if part not in name]
    if not wanted:
        return None
    if found := _first(wanted, Place.REPORT, _lines(store.markdown(run.id) or "")):
        return found
    with store.database.reading() as connection:
        sources = [text for source in search_words.sources(connection, run.id) for text in source]
    return _first(wanted, Place.SOURCE, sources)


def _lines(markdown: str) -> Iterator[str]:
    """Yield the lines of a report as they are read: without markup, and of a link its words alone."""
    for line in markdown.splitlines():
        if not _ADDRESS.match(line):
            yield _MARKUP.sub("", _LINK.sub(r"\1", line))


def _first(wanted: list[str], place: Place, texts: Iterable[str]) -> Excerpt | None:
    for text in texts:
        plain = folded(text)
        for part in wanted:
            if (match := re.search(_pattern(part), plain)) is not None:
                return _cut(place, text, match.start(), match.end())
    return None


def _pattern(part: str) -> str:
    """Return what finds a part: a Latin word by its beginning, other text anywhere."""
    start = r"\b" if part[0].isascii() and part[0].isalnum() else ""
    return start + r"\s+".join(map(re.escape, part.split()))


def _cut(place: Place, text: str, start: int, end: int) -> Excerpt:
    """Return the place in `text` whose folded form has the word from `start` to `end`."""
    if len(folded(text)) != len(text):
        ends = list(accumulate(len(folded(character)) for character in text))
        start, end = _offset(ends, start), _offset(ends, end - 1) + 1
    around = _AROUND if text.isascii() else _AROUND // 2
    first, last = max(0, start - around), min(len(text), end + around)
    return Excerpt(
        place,
        ("…" if first else "") + text[first:start].lstrip(),
        text[start:end],
        text[end:last].rstrip() + ("…" if last < len(text) else ""),
    )


def _offset(ends: list[int], folded_offset: int) -> int:
    """Return the character of a text in whose folded form an offset lies."""
    return next((place for place, end in enumerate(ends) if end > folded_offset), len(ends) - 1)
