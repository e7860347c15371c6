"""What stands behind a sentence, found out by rules from the stored page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from research.verification.checks_amounts import elsewhere, figure_findings, period_findings
from research.verification.checks_names import name_findings
from research.verification.claim import Claim, claim_of
from research.verification.claims import claims_something
from research.verification.directions import misfit
from research.verification.findings import ALL, PARTIAL_FROM, SUPPORTED_FROM, Finding, Rule, Severity, lowered
from research.verification.labels import Label, Number, Reason, Verdict, reason
from research.verification.matching import Match
from research.verification.negation import Passage, contradiction, contradiction_at, denied_differently, exclusion
from research.verification.page import IndexedPage
from research.verification.pieces import Evidence, Piece, alike, coverage_of, piece_of, united, whole
from research.verification.roles import swapped
from research.verification.slots import displaced
from research.verification.terms import visible


def verify(sentence: str, page: str, quote: str | None = None) -> Verdict:
    """Return what `page` bears out of `sentence`; `quote` is the passage of it that the sentence cites.

    Computed by rules: the words of the sentence, its figures with units and periods, its names, negations and roles are
    looked for in the few sentences of the page that share most with it. The time is linear in the page, and a page
    that was used shortly before needs no second preparation. Never raises for any text.
    """
    return verify_with(sentence, [(page, quote)])


def verify_with(sentence: str, evidence: Sequence[Evidence], rules: frozenset[Rule] = ALL) -> Verdict:
    """Return what several pieces of evidence together bear out of `sentence`, by the given rules.

    A figure is found if any piece of evidence holds it.
    """
    if not claims_something(sentence):
        return Verdict(None, 0.0, None, (), reason("no-claim"))
    claim = claim_of(sentence)
    if not evidence:
        return _empty(Label.UNCITED, claim, "no-citation")
    pieces = [piece for number, one in enumerate(evidence) if (piece := piece_of(claim, number, *one)) is not None]
    if not pieces:
        return _empty(Label.UNVERIFIABLE, claim, "no-page")
    compared = [piece for piece in pieces if piece.claim.terms or piece.claim.figures]
    if not compared:
        return _empty(Label.UNVERIFIABLE, claim, "nothing-to-compare")
    verdict = _best(claim, compared, rules)
    if verdict.label is Label.SUPPORTED or not any(piece.is_quoted for piece in compared):
        return verdict
    wider = _best(claim, [whole(piece) for piece in compared], rules)
    return wider if wider.score > verdict.score else verdict


def _best(claim: Claim, pieces: Sequence[Piece], rules: frozenset[Rule]) -> Verdict:
    """Return the best verdict that a piece gives; of equal ones, that of the piece which says most itself."""
    judged = ((_judged(piece, pieces, rules), piece.match.coverage) for piece in pieces)
    best, _ = max(judged, key=lambda pair: (pair[0].score, pair[1]))
    return best._replace(numbers=_numbers(claim, pieces))


def _empty(label: Label, claim: Claim, code: str) -> Verdict:
    return Verdict(label, 0.0, None, tuple(Number(figure.text, False, None) for figure in claim.figures), reason(code))


def _judged(piece: Piece, pieces: Sequence[Piece], rules: frozenset[Rule]) -> Verdict:
    """Return the verdict that a piece gives, without the figures, which are the same for all."""
    findings = sorted(_findings(piece, pieces, rules), key=lambda finding: finding.severity)
    score = lowered(_coverage(piece, pieces), findings)
    label = _label(score)
    span = _span(piece) if score > 0 else None
    return Verdict(label, score, span, (), _reason(piece, findings, label), piece.number)


def _label(score: float) -> Label:
    if score >= SUPPORTED_FROM:
        return Label.SUPPORTED
    return Label.PARTIAL if score >= PARTIAL_FROM else Label.UNSUPPORTED


def _coverage(piece: Piece, pieces: Sequence[Piece]) -> float:
    """Return how far a piece bears the claim out, raised by what the others add if it bears out a part itself."""
    own = piece.match.coverage
    if len(pieces) == 1 or own < PARTIAL_FROM:
        return own
    return max(own, coverage_of(piece.claim, united(piece, pieces)))


def _findings(piece: Piece, pieces: Sequence[Piece], rules: frozenset[Rule]) -> Iterator[Finding]:
    claim, page, found = piece.claim, piece.page, piece.match
    best = page.plain[found.chosen[0]] if found.chosen else ""
    if claim.text.strip() == best.strip():
        return  # What the page states word for word, nothing speaks against.
    held = united(piece, pieces)
    if Rule.FIGURES in rules:
        yield from figure_findings(claim, page, found, [place is not None for place in held.figures])
    if Rule.PERIODS in rules:
        yield from period_findings(claim, page, found, held.periods)
    if Rule.NAMES in rules:
        others = [(other.page, other.match) for other in alike(piece, pieces) if other is not piece]
        yield from name_findings(claim, page, found, others)
        if (name := displaced(claim, page, found)) is not None:
            yield Finding(Severity.CONTRADICTED, "name-misplaced", name)
    if piece.remark == "other-language":
        yield Finding(Severity.DOUBTED, "other-language", "")
        return
    if piece.remark == "quote-missing":
        yield Finding(Severity.DOUBTED, "quote-missing", "")
    if Rule.NEGATION in rules:
        yield from _opposites(claim, page, found)
    if Rule.ROLES in rules and (names := swapped(claim.text, best)) is not None:
        yield Finding(Severity.CONTRADICTED, "roles-swapped", " / ".join(names))


def _opposites(claim: Claim, page: IndexedPage, found: Match) -> Iterator[Finding]:
    """Yield one finding if the page says the opposite, by its words or by those around the same figure."""
    if (figures := misfit(claim)) is not None:
        yield Finding(Severity.CONTRADICTED, "direction-differs", figures)
    if not found.chosen:
        return
    passages = [
        Passage(page.plain[index], frozenset().union(*(page.units[above] for above in page.above[index])))
        for index in found.chosen
    ]
    denied = contradiction(claim.text, passages)
    if denied is None:
        held = [page.units[at] for index in found.chosen for at in (index, *page.above[index])]
        denied = exclusion(claim.text, passages[0].text, frozenset().union(*held))
    if denied is None and found.coverage >= PARTIAL_FROM:
        denied = denied_differently(claim.text, passages[0].text)
    for figure, place in zip(claim.figures, found.held.figures, strict=True):
        if denied is None and place is not None:
            denied = contradiction_at(claim.text, figure.start, page.plain[place[0]], visible(place[1].text))
    if denied is not None:
        yield Finding(Severity.CONTRADICTED, "denied", denied)


def _span(piece: Piece) -> tuple[int, int] | None:
    """Return the best sentence, together with chosen ones next to it."""
    if not piece.match.chosen:
        return None
    first = last = piece.match.chosen[0]
    for index in sorted(piece.match.chosen[1:], key=lambda index: abs(index - first)):
        if first - 1 <= index <= last + 1:
            first, last = min(first, index), max(last, index)
    return piece.page.spans[first].start, piece.page.spans[last].end


def _numbers(claim: Claim, pieces: Sequence[Piece]) -> tuple[Number, ...]:
    found = []
    for position, figure in enumerate(claim.figures):
        number = Number(figure.text, False, None)
        for piece in pieces:
            place = piece.match.held.figures[position]
            if place is not None:
                number = Number(figure.text, True, (place[1].start, place[1].end), piece.number)
                break
            if number.where is None and (where := elsewhere(figure, claim, piece.page)) is not None:
                number = Number(figure.text, False, where, piece.number)
        found.append(number)
    return tuple(found)


def _reason(piece: Piece, findings: Sequence[Finding], label: Label) -> Reason:
    if findings:
        return reason(findings[0].code, findings[0].detail)
    if label is Label.SUPPORTED:
        return reason("elsewhere" if piece.remark == "elsewhere" else "stated")
    missing = [term.text for term, held in zip(piece.claim.terms, piece.match.held.words, strict=True) if held < _HALF]
    if label is Label.PARTIAL and missing:
        return reason("partly-stated", ", ".join(missing[:_SHOWN]))
    return reason("not-stated")


_HALF = 0.5
_SHOWN = 4
"""Words that are named as not found."""
