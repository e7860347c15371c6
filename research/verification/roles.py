"""Two names that have changed places: `A bought B` on one side, `B bought A` on the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from research.verification.converses import is_converse
from research.verification.meanings import unit_of
from research.verification.names import leading_word, names_in
from research.verification.terms import units

_PASSIVE_EN = re.compile(r"\b(?:was|were|been|being|is|are|be)\s+\w+(?:ed|en|wn|ght|ld|de|id)\b|\bby\b")
_OF = re.compile(r"'s\b|\bof\b")
_PASSIVE_JA = re.compile(r"[られさ]れ(?:た|る|て|、|ま)|によ(?:って|り|る)")
_SUBJECT = re.compile(r"(?:は|が|も)(?![いあ])")
_OBJECT = re.compile(r"を|に(?!よ)|へ|より|から")
_WIDE = re.compile(r"[ぁ-ゖ]")
_NOUN = re.compile(r"[一-鿿々ァ-ヺー・A-Za-z0-9]{2,}")


class _Name(NamedTuple):
    unit: str
    start: int
    end: int


def swapped(sentence: str, passage: str) -> tuple[str, str] | None:
    """Return two names whose roles differ between the texts (made plain), or None.

    In English the same verb must stand between them in both; in Japanese their particles tell the roles. A passive on
    one side only turns the roles round rightly, and so do two sides of one deal.
    """
    if is_converse(sentence, units(sentence), passage, units(passage)):
        return None
    if _WIDE.search(sentence):
        return _swapped_japanese(sentence, passage)
    theirs = {name.unit: name for name in _once(_names(passage))}
    for first, second in combinations(_once(_names(sentence)), 2):
        if not {first.unit, second.unit} <= theirs.keys():
            continue
        their_first, their_second = theirs[first.unit], theirs[second.unit]
        if their_second.end >= their_first.start:
            continue
        ours_between = sentence[first.end : second.start]
        theirs_between = passage[their_second.end : their_first.start]
        if _genitive(ours_between) != _genitive(theirs_between):
            continue
        same_voice = bool(_PASSIVE_EN.search(ours_between)) == bool(_PASSIVE_EN.search(theirs_between))
        if same_voice and units(ours_between) & units(theirs_between):
            return sentence[first.start : first.end], sentence[second.start : second.end]
    return None


def _genitive(between: str) -> str:
    """Return how the names are joined: `Google's parent Alphabet` is `Alphabet, the parent of Google`."""
    match = _OF.search(between)
    return match.group() if match else ""


def _names(clean: str) -> list[_Name]:
    first = leading_word(clean)
    spans = [*([first] if first else []), *names_in(clean)]
    return [_Name(unit_of(clean[start:end]) or clean[start:end], start, end) for start, end in spans]


def _once(names: Sequence[_Name]) -> list[_Name]:
    """Return the names that stand once: one that is repeated may have several roles."""
    counts = Counter(name.unit for name in names)
    return [name for name in names if counts[name.unit] == 1]


def _swapped_japanese(sentence: str, passage: str) -> tuple[str, str] | None:
    if bool(_PASSIVE_JA.search(sentence)) != bool(_PASSIVE_JA.search(passage)):
        return None
    ours, theirs = _particles(sentence), _particles(passage)
    for one, other in combinations([name for name in ours if name in theirs], 2):
        roles = ours[one], ours[other]
        if roles[0] != roles[1] and (theirs[other], theirs[one]) == roles:
            return one, other
    return None


def _particles(clean: str) -> dict[str, str]:
    """Return for each noun with a particle whether that makes it the subject or an object."""
    found: dict[str, str] = {}
    for match in _NOUN.finditer(clean):
        if _SUBJECT.match(clean, match.end()):
            found.setdefault(match.group(), "subject")
        elif _OBJECT.match(clean, match.end()):
            found.setdefault(match.group(), "object")
    return found
