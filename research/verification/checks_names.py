"""Names of a claim that the evidence does not bear out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from research.verification.claim import Claim
from research.verification.findings import SUPPORTED_FROM, Finding, Severity
from research.verification.matching import Match
from research.verification.meanings import unit_of
from research.verification.names import names_in
from research.verification.namesakes import namesake
from research.verification.page import IndexedPage
from research.verification.subjects import is_linked
from research.verification.terms import NAME_WEIGHT, Kind, Term

Piece = tuple[IndexedPage, Match]
_TOPIC = re.compile(r"[^、。]{0,12}?([ァ-ヺー・A-Za-z]{3,})[はが](?![いあ])")


def name_findings(claim: Claim, page: IndexedPage, match: Match, others: Sequence[Piece]) -> Iterator[Finding]:
    """Yield the names of which the evidence does not say this; `others` are further pieces that may say it."""
    if not match.chosen:
        return
    best = match.chosen[0]
    stranger = _stranger(claim, page, best)
    is_close = _rest(claim, match.held.words) >= SUPPORTED_FROM
    for group in claim.names():
        pieces = [(page, match), *others]
        if (other := _namesake(claim, group, [piece for piece, _ in pieces])) is not None:
            yield Finding(Severity.CONTRADICTED, "name-differs", f"{_shown(claim, group)} / {other}")
            continue
        spelt_out = _is_spelt_out(claim.terms[group[0]], page, match)
        if spelt_out or any(is_linked(claim, group, *piece) for piece in pieces):
            continue
        on_page = any(_stands(claim.terms[position], page) for position in group)
        severity = Severity.CONTRADICTED if stranger and is_close else Severity.DOUBTED
        code = "name-misplaced" if on_page else "name-differs" if stranger and is_close else "name-missing"
        yield Finding(severity, code, _shown(claim, group))
    if claim.leading and stranger and is_close and _is_other_subject(claim, page, best):
        yield Finding(Severity.CONTRADICTED, "name-differs", claim.text[slice(*claim.leading)])
    ours = _topic(claim.text)
    if ours and match.coverage >= SUPPORTED_FROM and ours not in page.text:
        yield Finding(Severity.DOUBTED, "name-differs", ours)


def _namesake(claim: Claim, group: Sequence[int], pages: Sequence[IndexedPage]) -> str | None:
    """Return a name that shares a part with one of the claim, if every page has it instead."""
    found = [namesake(claim, group, page) for page in pages]
    return found[0] if all(found) else None


def _topic(text: str) -> str:
    """Return the katakana or Latin word that a Japanese sentence is about, as は or が marks it, or an empty string."""
    match = _TOPIC.match(text)
    return match[1] if match else ""


def with_leading_name(claim: Claim, page: IndexedPage) -> Claim:
    """Return the claim with its first word as a name if the page writes that word with a capital only."""
    if claim.leading is None:
        return claim
    start, end = claim.leading
    word = claim.text[start:end]
    if word not in page.text or page.writes(unit_of(word), word.lower()):
        return claim
    words = (_as_name(term) if term.start == start else term for term in claim.terms)
    return claim._replace(terms=tuple(words), leading=None)


def _as_name(term: Term) -> Term:
    has_meaning = term.units[0].startswith("=")
    return term if has_meaning else term._replace(kind=Kind.NAME, weight=NAME_WEIGHT)


def _shown(claim: Claim, group: Sequence[int]) -> str:
    last = claim.terms[group[-1]]
    return claim.text[claim.terms[group[0]].start : last.start + len(last.text)]


def _rest(claim: Claim, words: Sequence[float]) -> float:
    """Return the share of the claim without names that is found."""
    rest = [(term.weight, held) for term, held in zip(claim.terms, words, strict=True) if term.kind is not Kind.NAME]
    total = sum(weight for weight, _ in rest)
    return sum(weight * held for weight, held in rest) / total if total else 0.0


def _stranger(claim: Claim, page: IndexedPage, index: int) -> str | None:
    """Return a name in a sentence of the page that the claim does not have."""
    text = page.plain[index]
    known = {unit for term in claim.terms for unit in term.units}
    for start, end in names_in(text):
        name = text[start:end]
        units = {unit_of(name)} if name.isascii() else {name[at : at + 2] for at in range(len(name) - 1)}
        if units.isdisjoint(known) and "" not in units:
            return name
    return None


def _stands(term: Term, page: IndexedPage) -> bool:
    if term.is_wide:
        return term.text in page.text
    return any(page.family(unit) for unit in term.units)


def _is_spelt_out(term: Term, page: IndexedPage, match: Match) -> bool:
    """Whether an abbreviation stands on the page as the words that it is made of: WHO, World Health Organization."""
    letters = term.text
    if not (letters.isascii() and letters.isupper() and len(letters) > 2):
        return False
    words = r"\w*(?:\s(?:of|the|and|for|on|in|to)){0,2}[\s-]".join(letters)
    return re.search(rf"\b{words}", " ".join(page.plain[index] for index in match.chosen)) is not None


def _is_other_subject(claim: Claim, page: IndexedPage, index: int) -> bool:
    """Whether the page's sentence begins with a name and the claim with another word that the page does not have."""
    if claim.leading is None:
        return False
    text = page.plain[index]
    names = names_in(text)
    unit = unit_of(claim.text[slice(*claim.leading)])
    if not unit or unit.startswith("=") or page.family(unit):
        return False
    return bool(names) and not re.search(r"\w{4}", text[: names[0][0]])
