"""What words mean beyond their letters: groups that say the same, and groups that say the opposite.

The groups stand in `meanings.txt`. A group is known by its first word with `=` in front, in both languages alike.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from enum import Enum
from functools import cache, lru_cache
from importlib import resources
from itertools import groupby
from typing import NamedTuple

import snowballstemmer

from research.verification.function_words import ENGLISH


class Contrast(Enum):
    """How two groups of words oppose each other."""

    REVERSES = "<>"
    """One is the other denied: `did not rise` and `fell` agree."""
    EXCLUDES = "!="
    """One is not the other, but denying one does not say the other: `imports`, `exports`."""


class Meanings(NamedTuple):
    """The content of `meanings.txt`."""

    exact: dict[str, str]
    """English word as written in the file -> group."""
    stems: dict[str, list[tuple[str, str]]]
    """Stem of English words -> each of them with its group."""
    japanese: dict[str, str]
    opposites: dict[str, list[tuple[str, Contrast]]]


@cache
def meanings() -> Meanings:
    """Return the groups of `meanings.txt`."""
    found = Meanings({}, {}, {}, {})
    text = resources.files("research.verification").joinpath("meanings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            _enter(line, found)
    return found


def _enter(line: str, found: Meanings) -> None:
    parts = re.split(r" (<>|!=) ", line)
    groups = [part.split(", ") for part in parts[::2]]
    names = [group[0] if group[0].startswith("=") else f"={group[0]}" for group in groups]
    for name, group in zip(names, groups, strict=True):
        for word in group:
            if word.startswith("="):
                continue
            if not word.isascii():
                found.japanese.setdefault(word, name)
                continue
            found.exact.setdefault(word, name)
            found.stems.setdefault(stem(word), []).append((word, name))
    if len(names) == 2:
        contrast = Contrast(parts[1])
        found.opposites.setdefault(names[0], []).append((names[1], contrast))
        found.opposites.setdefault(names[1], []).append((names[0], contrast))


@cache
def japanese_meanings() -> re.Pattern[str]:
    """Return a pattern for every Japanese word of the file, the longest first."""
    return re.compile(_alternatives(sorted(meanings().japanese)))


def _alternatives(words: list[str]) -> str:
    """Return a pattern for any of `words`, branching character by character: as fast as a dictionary."""
    branches = []
    for first, group in groupby((word for word in words if word), key=lambda word: word[0]):
        branches.append(re.escape(first) + _alternatives([word[1:] for word in group]))
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if '' in words else ''}"


_SHORT_NAMES = frozenset({"US", "UK", "EU", "IT", "AI", "WHO"})
"""Names that would be function words in small letters, or too short."""

_local = threading.local()


def stem(word: str) -> str:
    """Return the stem of an English word in lower case."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = snowballstemmer.stemmer("english")
    found: str = _local.stemmer.stemWord(word)
    return found


@lru_cache(maxsize=65_536)
def unit_of(word: str) -> str:
    """Return what a word of an alphabet is compared by: its group, else its stem; nothing for a function word."""
    if word in _SHORT_NAMES:
        return word
    low = word.lower() if word.isascii() else _without_accents(word.lower())
    if len(low) < 2 or low in ENGLISH:
        return ""
    known = meanings()
    if low in known.exact:
        return known.exact[low]
    root = stem(low)
    return next((group for word, group in known.stems.get(root, ()) if _is_inflected(low, word)), root)


_ENDINGS = frozenset({"", "s", "es", "d", "ed", "ing", "ies", "ied", "ying"})


def _is_inflected(word: str, base: str) -> bool:
    """Whether `word` is a regular form of `base`: a container is not what contains, nor an author an authority."""
    shared = next((at for at, pair in enumerate(zip(word, base, strict=False)) if pair[0] != pair[1]), len(base))
    ending = word[shared:]
    doubled = ending[:1] == base[-1:] and ending[1:] in _ENDINGS
    return len(base) - shared <= 1 and (ending in _ENDINGS or doubled)


def _without_accents(word: str) -> str:
    word = word.translate(_PLAIN)
    return "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part))


_PLAIN = str.maketrans({"đ": "d", "ø": "o", "ł": "l", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})
