"""Names that stand where the page has another one: `Turin won the bid` where the page has `Lyon won the bid`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.verification.claim import Claim
from research.verification.clauses import Clause, clauses
from research.verification.function_words import ENGLISH
from research.verification.matching import Match
from research.verification.meanings import unit_of
from research.verification.names import Offsets, leading_word, names_in
from research.verification.page import IndexedPage
from research.verification.terms import Kind, Term, units

_SAME = 2 / 3
"""Share of a clause without its names that a clause of the page must have to say the same of somebody."""
_LEAST = 2.0
"""What a clause must say besides its names, by weight: two words."""
_BEFORE = re.compile(r"([\w'-]+)\s+(?:(?:the|a|an)\s+)?\Z", re.IGNORECASE)
_BEHIND = re.compile(r"\s*([\w'-]+)")
_PARTICLE = re.compile(r"[はがをにへで]|[一-鿿ァ-ヺー]{2}|の[一-鿿ァ-ヺー]{2}")
_CALENDAR = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri"
    r"|Satur|Sun)day)\Z"
)
_NUMBER = re.compile(r"\d+")


def displaced(claim: Claim, page: IndexedPage, match: Match) -> str | None:
    """Return a name of the claim in whose place the page has another, or None.

    Held against each other are a clause of the claim and the clause of the page that has most of its other words. The
    name must stand elsewhere on the page, and the other one between the same neighbours.
    """
    if not match.chosen:
        return None
    near = dict.fromkeys(at for index in match.chosen for at in (index, *page.near(index)))
    for clause in clauses(claim.text):
        terms = [term for term in claim.terms if clause.start <= term.start < clause.end]
        names = [term for term in terms if _is_name(term, claim)]
        if not names:
            continue
        said = [term for term in terms if term not in names]
        theirs = [(index, clause) for index in near for clause in clauses(page.plain[index])]
        for index, other in _alike(said, theirs, page):
            about = [page.units[at] for at in (0, *page.above[index]) if at != index]
            known = other.units.union(*about)
            for name in names:
                if _is_displaced(name, claim, other, known, page):
                    return name.text
    return None


def _is_name(term: Term, claim: Claim) -> bool:
    return term.kind is Kind.NAME or (claim.leading is not None and term.start == claim.leading[0])


def _alike(said: Sequence[Term], theirs: Sequence[tuple[int, Clause]], page: IndexedPage) -> list[tuple[int, Clause]]:
    """Return the clause of the page that has most of what is said, if nearly all; none if several have as much."""
    total = sum(term.weight for term in said)
    if total < _LEAST:
        return []
    held = [sum(term.weight for term in said if _stands(term, clause, page)) for _, clause in theirs]
    best = max(held, default=0.0)
    if best < _SAME * total or held.count(best) > 1:
        return []
    return [theirs[held.index(best)]]


def _stands(term: Term, clause: Clause, page: IndexedPage) -> bool:
    return all(not clause.units.isdisjoint(page.family(unit)) for unit in term.units)


def _is_displaced(name: Term, claim: Claim, other: Clause, known: frozenset[str], page: IndexedPage) -> bool:
    on_page = all(page.family(unit) for unit in name.units)
    if not on_page or not known.isdisjoint(unit for part in name.units for unit in page.family(part)):
        return False
    slot = _slot(claim.text, name.start, name.start + len(name.text))
    ours = {unit for term in claim.terms for unit in term.units}
    return any(slot & _slot(other.text, *rival) for rival in _rivals(other.text, ours))


def _rivals(text: str, ours: set[str]) -> Iterator[Offsets]:
    """Yield the names of a clause, and its first word, that the claim does not have."""
    first = leading_word(text)
    numbers = [match.span() for match in _NUMBER.finditer(text)]
    for start, end in (*([first] if first else ()), *names_in(text), *numbers):
        word = text[start:end]
        is_word = unit_of(word) != "" or word.isdigit() or not word.isascii()
        if is_word and not _CALENDAR.match(word) and units(word).isdisjoint(ours):
            yield start, end


def _slot(text: str, start: int, end: int) -> set[str]:
    """Return the neighbours of a name: the word before it and the one behind it, articles left out."""
    if not text[start:end].isascii():
        particle = _PARTICLE.match(text, end)
        return {f"{particle.group()}>"} if particle else set()
    before, behind = _BEFORE.search(text, 0, start), _BEHIND.match(text, end)
    found = {f"<{before[1].lower()}"} if before and before[1].lower() not in _LOOSE else set()
    if behind and behind[1].lower() not in ENGLISH:
        found.add(f"{unit_of(behind[1])}>")
    return found


_LOOSE = frozenset({"and", "or", "but", "of", "with", "as", "that"})
"""Words before a name that tell nothing of its part in the sentence."""
