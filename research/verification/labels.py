"""What verification says: verdicts on sentences with their reasons, and contradictions between sources."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from research.language import Bilingual, Phrase


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
    Label.VERBATIM: Phrase("Verbatim quote"),
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


_REASONS = {
    "stated": Phrase("The page states it"),
    "elsewhere": Phrase("Stated on the page, but not in the quote"),
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
    shown = tuple(detail if len(detail) <= _SHOWN else detail[:_SHOWN] + "…" for detail in details)
    return Reason(code, _REASONS[code].filled(*shown))


_SHOWN = 80
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
