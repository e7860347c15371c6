"""Claims held against the pages that they cite, and what pages say differently."""

# fmt: off
from research.verification.calculations import checked_calculation, told_again
from research.verification.checks import OpposedPassage, contradiction
from research.verification.contradictions import contradictions, contradictions_of
from research.verification.statements import (
    Point, Quantity, beside, measure_of, plain, quantities_in, subject_named, tells_of_another,
)
from research.verification.verdicts import (
    COMPUTED, OPEN, Contradiction, ContradictionKind, Evidence, Label, Side, Verdict, leaves_open, reason, verify,
    verify_with,
)
from research.verification.words import with_names_of, without_page_names
