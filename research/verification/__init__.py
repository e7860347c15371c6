"""Claims held against the pages that they cite, and what pages say differently."""

from research.verification.checks import ALL, Rule
from research.verification.contradictions import contradictions, contradictions_of
from research.verification.labels import Contradiction, ContradictionKind, Label, Side, Verdict
from research.verification.page import IndexedPage
from research.verification.series import Point, Quantity, beside, measure_of, quantities_in
from research.verification.statements import plain, words_of
from research.verification.verdicts import Evidence, verify, verify_with
from research.verification.wording import OpposedPassage, contradiction
from research.verification.words import japanese_meanings, meanings, unit_of, without_page_names

__all__ = [
    "ALL",
    "Contradiction",
    "ContradictionKind",
    "Evidence",
    "IndexedPage",
    "Label",
    "OpposedPassage",
    "Point",
    "Quantity",
    "Rule",
    "Side",
    "Verdict",
    "beside",
    "contradiction",
    "contradictions",
    "contradictions_of",
    "japanese_meanings",
    "meanings",
    "measure_of",
    "plain",
    "quantities_in",
    "unit_of",
    "verify",
    "verify_with",
    "without_page_names",
    "words_of",
]
