"""Names that stand where the page has another one: `Turin won the bid` where the page has `Lyon won the bid`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from research.verification.claim import Claim
from research.verification.clauses import clauses
from research.verification.function_words import ENGLISH
from research.verification.matching import Match
from research.verification.meanings import unit_of
from research.verification.names import Offsets, leading_word, names_in, whole_names
from research.verification.page import IndexedPage
from research.verification.terms import Term, units

_SAME = 2 / 3
"""Share of a clause without its names that a clause of the page must have to say the same of somebody."""
_LEAST = 2.0
"""What a clause must say besides its names, by weight: two words."""
_LOOSE = r"and|or|but|of|with|as|that"
"""Words before a name that tell of its part in the sentence only together with the word before them."""
_BEFORE = re.compile(rf"\b(?!(?:{_LOOSE})\b)([\w'-]+)(?:\s+({_LOOSE}))?[,\s]+(?:(?:the|a|an)\s+)?\Z", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:, [^,.;]{1,40},)?('s)?\s*"
    r"(?:(?:has|have|had|is|was|were|are|will|would|can|could|may|also|not|been|be)\s+)*([\w-]+)"
)
"""The word behind a name: auxiliary verbs and what stands between commas are passed over."""
_REACH = 60
"""Characters before a name in which its neighbour is looked for."""
_PARTICLE = re.compile(r"[はがをにへで]|[一-鿿ァ-ヺー]{2}|の[一-鿿ァ-ヺー]{2}")
_CALENDAR = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri"
    r"|Satur|Sun)day)\Z"
)
_NUMBER = re.compile(r"\d+")


class _Part(NamedTuple):
    """A clause or sentence; offsets are those of its sentence made plain."""

    text: str
    start: int
    end: int
    units: frozenset[str]
    sentence: int
    """The sentence of the page that it is of."""


def displaced(claim: Claim, page: IndexedPage, match: Match) -> str | None:
    """Return a name of the claim in whose place the page has another, or None.

    Held against each other are a clause of the claim and the clause of the page that has most of its other words; and,
    because an apposition is a clause too (`the owner, Orla Group, holds 31%`), the sentences as a whole. The name must
    stand elsewhere on the page, and the other one between the same neighbours.
    """
    names = _names(claim)
    if not match.chosen or not names:
        return None
    near = dict.fromkeys(at for index in match.chosen for at in (index, *page.near(index)))
    for whole in (False, True):
        theirs = [part for index in near for part in _parts(page.plain[index], index, whole=whole)]
        for part in _parts(claim.text, 0, whole=whole):
            inside = [name for name in names if part.start <= name[0] < part.end]
            terms = [term for term in claim.terms if part.start <= term.start < part.end]
            said = [term for term in terms if not any(start <= term.start < end for start, end in inside)]
            for other in _alike(said, theirs, page) if inside else ():
                found = next(_displaced_in(other, inside, claim, page), None)
                if found is not None:
                    return claim.text[slice(*found)]
    return None


def _displaced_in(other: _Part, names: Sequence[Offsets], claim: Claim, page: IndexedPage) -> Iterator[Offsets]:
    """Yield the names in whose place a part of the page that says the same has another."""
    about = [page.units[at] for at in (0, *page.above[other.sentence]) if at != other.sentence]
    known = other.units.union(*about)
    taken = set().union(*(_slot(other.text, *rival) for rival in _rivals(other.text, claim)))
    for name in names:
        if _is_unknown(name, claim, known, page) and not taken.isdisjoint(_slot(claim.text, *name)):
            yield name


def _parts(text: str, index: int, *, whole: bool) -> list[_Part]:
    found = clauses(text)
    if whole:
        return [_Part(text, 0, len(text), frozenset().union(*(one.units for one in found)), index)]
    return [_Part(one.text, one.start, one.end, one.units, index) for one in found]


def _names(claim: Claim) -> list[Offsets]:
    """Return where the names of the claim stand, each as a whole and word by word, and its first word."""
    found = [claim.leading] if claim.leading is not None else []
    for group in claim.names():
        spans = [(term.start, term.start + len(term.text)) for term in (claim.terms[position] for position in group)]
        found += dict.fromkeys([(spans[0][0], spans[-1][1]), *spans])
    return found


def _alike(said: Sequence[Term], theirs: Sequence[_Part], page: IndexedPage) -> list[_Part]:
    """Return the part of the page that has most of what is said, if nearly all; none if several have as much."""
    total = sum(term.weight for term in said)
    if total < _LEAST:
        return []
    held = [sum(term.weight for term in said if _stands(term, part, page)) for part in theirs]
    best = max(held, default=0.0)
    if best < _SAME * total or held.count(best) > 1:
        return []
    return [theirs[held.index(best)]]


def _stands(term: Term, part: _Part, page: IndexedPage) -> bool:
    return all(not part.units.isdisjoint(page.family(unit)) for unit in term.units)


def _is_unknown(name: Offsets, claim: Claim, known: frozenset[str], page: IndexedPage) -> bool:
    """Whether a name stands on the page, but not among what is known of a part of it."""
    parts = [unit for term in claim.terms if name[0] <= term.start < name[1] for unit in term.units]
    families = [page.family(part) for part in parts]
    return bool(families) and all(families) and known.isdisjoint(unit for family in families for unit in family)


def _rivals(text: str, claim: Claim) -> Iterator[Offsets]:
    """Yield the names of a clause, and its first word, that the claim does not have."""
    ours = {unit for term in claim.terms for unit in term.units}
    first = leading_word(text)
    numbers = [match.span() for match in _NUMBER.finditer(text)]
    names = [(spans[0][0], spans[-1][1]) for spans in whole_names(text)]
    for start, end in (*([first] if first else ()), *names, *names_in(text), *numbers):
        word = text[start:end]
        is_word = unit_of(word) != "" or word.isdigit() or not word.isascii()
        if is_word and not _CALENDAR.match(word) and units(word).isdisjoint(ours):
            yield start, end


def _slot(text: str, start: int, end: int) -> set[str]:
    """Return the neighbours of a name: the word before it and the one behind it, articles left out."""
    if not text[start:end].isascii():
        particle = _PARTICLE.match(text, end)
        return {f"{particle.group()}>"} if particle else set()
    before, behind = _BEFORE.search(text, max(0, start - _REACH), start), _BEHIND.match(text, end)
    found = {f"<{' '.join(filter(None, before.groups())).lower()}"} if before else set()
    if behind and behind[2].lower() not in ENGLISH:
        found.add(f"{behind[1]}{unit_of(behind[2])}>")
    return found
