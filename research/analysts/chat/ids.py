"""Read ids of evidence as models write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from research.evidence import Evidence

_LONGEST_RANGE = 200
"""Ids that one "E3-E7" may stand for; a longer one is a slip."""
_RANGE = re.compile(r"(?<![A-Z])E\s?(\d+)\s*[-–~〜]\s*E?\s?(\d+)", re.IGNORECASE)
_MARKED = re.compile(r"(?<![A-Z])E\s?(\d+)", re.IGNORECASE)
_BARE = re.compile(r"\W*(\d+)\W*")


def known_ids(items: Iterable[str], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids in `evidence` that `items` name, in its order: `E12`, `[E12]`, `12`, `E3–E7`."""
    named = {name for item in items for name in _ids(item)}
    return tuple(entry.id for entry in evidence if entry.id in named)


def _ids(item: str) -> set[str]:
    ranges = [range(int(first), int(last) + 1) for first, last in _RANGE.findall(item)]
    numbers = {number for span in ranges if len(span) <= _LONGEST_RANGE for number in span} | {
        int(number) for number in _MARKED.findall(item)
    }
    bare = _BARE.fullmatch(item)
    return {f"E{number}" for number in numbers | ({int(bare.group(1))} if bare else set())}
