"""Claims in one language about a page in the other."""

from __future__ import annotations

from research.language import Language
from research.text.lexicon import expand
from research.verification.claim import Claim
from research.verification.page import IndexedPage
from research.verification.terms import Term, terms


def foreign(claim: Claim, page: IndexedPage) -> Claim | None:
    """Return the claim in what can be compared with a page in the other language; None if the languages are the same.

    Figures and periods stay. Of the words only those remain that both languages share: words with a known meaning, the
    translations that the lexicon has, and names in Latin letters. An English name that a Japanese page does not have
    may stand there in katakana, so it is not missed.
    """
    if claim.language in page.languages or not page.languages:
        return None
    shared = [term for term in claim.terms if _is_shared(term, claim, page)]
    known = {unit for term in shared for unit in term.units}
    translated = expand(claim.text).removeprefix(claim.text)
    added = {term.units: term for term in terms(translated, ()) if known.isdisjoint(term.units)}
    return claim._replace(terms=(*shared, *added.values()), leading=None)


def _is_shared(term: Term, claim: Claim, page: IndexedPage) -> bool:
    if term.units[0].startswith("="):
        return True
    return term.text.isascii() and (claim.language is Language.JA or term.units[0] in page.postings)
