"""Pieces of evidence: a page, with a quote or without, and what it says of a claim; and what several say together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from research.core.ledger import locate
from research.verification.checks_names import with_leading_name
from research.verification.claim import Claim
from research.verification.matching import Held, Match, match
from research.verification.other_language import foreign
from research.verification.page import IndexedPage, prepared
from research.verification.terms import NAME_WEIGHT, without_surrogates

Evidence = tuple[str, str | None]
"""The text of a page, and the quote that is cited from it, if any."""


class Piece(NamedTuple):
    """One piece of evidence, and what it says of the claim."""

    number: int
    claim: Claim
    """The claim in the words that can be compared with the page."""
    page: IndexedPage
    match: Match
    remark: str | None
    """Code of what is to be said about the piece itself."""
    is_quoted: bool = False
    """Whether only the quote and what stands around it was looked at."""


def piece_of(claim: Claim, number: int, text: str, quote: str | None) -> Piece | None:
    """Return what a page says of `claim`, around its quote if it has one, or None if the page is empty."""
    page = prepared(text)
    if not page.postings:
        return None
    claim = with_leading_name(claim, page)
    translated = foreign(claim, page)
    if translated is not None:
        return Piece(number, translated, page, match(translated, page), "other-language")
    if not quote or not quote.strip():
        return Piece(number, claim, page, match(claim, page), None)
    place = _place(without_surrogates(quote), page.text)
    if place is None:
        return Piece(number, claim, page, match(claim, page), "quote-missing")
    quoted = page.between(*place)
    around = {near for index in quoted for near in page.near(index)}
    return Piece(number, claim, page, match(claim, page, sorted({*quoted, *around})), None, is_quoted=True)


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Return the offsets of a quote in a page; most are verbatim and need no folding of the page."""
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    located = locate(quote, text)
    return (located.start, located.end) if located else None


def whole(piece: Piece) -> Piece:
    """Return a piece with all of its page instead of the quote."""
    if not piece.is_quoted:
        return piece
    return piece._replace(match=match(piece.claim, piece.page), remark="elsewhere", is_quoted=False)


def united(piece: Piece, pieces: Sequence[Piece]) -> Held:
    """Return what a piece holds together with all others that are in the same language."""
    if len(pieces) == 1:
        return piece.match.held
    held = [other.match.held for other in alike(piece, pieces)]
    return Held(
        [max(credits) for credits in zip(*(one.words for one in held), strict=True)],
        [next(filter(None, places), None) for places in zip(*(one.figures for one in held), strict=True)],
        [any(marks) for marks in zip(*(one.periods for one in held), strict=True)],
    )


def alike(piece: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces that were compared with the same words."""
    words = [term.units for term in piece.claim.terms]
    return [other for other in pieces if [term.units for term in other.claim.terms] == words]


def coverage_of(claim: Claim, held: Held) -> float:
    """Return the share of `claim` that is held, by weight."""
    marks = [place is not None for place in held.figures] + held.periods
    total = sum(term.weight for term in claim.terms) + NAME_WEIGHT * len(marks)
    words = sum(term.weight * credit for term, credit in zip(claim.terms, held.words, strict=True))
    return (words + NAME_WEIGHT * sum(marks)) / total if total else 0.0
