"""Look up the longest of many names that stands at a place in a text written without blanks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def by_first_character(names: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return `names` by their first character, longest first."""
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        found.setdefault(name[0], []).append(name)
    return {first: tuple(rest) for first, rest in found.items()}


def name_at(names: Mapping[str, tuple[str, ...]], text: str, start: int) -> str | None:
    """Return the longest of `names` that stands at `start`, or None."""
    for name in names.get(text[start : start + 1], ()):
        if text.startswith(name, start):
            return name
    return None
