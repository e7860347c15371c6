"""Claims held against the pages that they cite, and what pages say differently."""

from research.verification.calculations import checked_calculation as checked_calculation
from research.verification.checks import OpposedPassage as OpposedPassage, contradiction as contradiction
from research.verification.contradictions import (
    contradictions as contradictions,
    contradictions_of as contradictions_of,
)
from research.verification.page import IndexedPage as IndexedPage
from research.verification.statements import (
    Point as Point,
    Quantity as Quantity,
    beside as beside,
    measure_of as measure_of,
    plain as plain,
    quantities_in as quantities_in,
    subject_named as subject_named,
    words_of as words_of,
)
from research.verification.verdicts import (
    OPEN as OPEN,
    Contradiction as Contradiction,
    ContradictionKind as ContradictionKind,
    Evidence as Evidence,
    Label as Label,
    Side as Side,
    Verdict as Verdict,
    leaves_open as leaves_open,
    reason as reason,
    verify as verify,
    verify_with as verify_with,
)
from research.verification.words import (
    unit_of as unit_of,
    with_names_of as with_names_of,
    without_page_names as without_page_names,
)
