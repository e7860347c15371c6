"""A sentence of a report, and what the stored pages bear out of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

from research.language import Bilingual


def in_both(words: object) -> object:
    """Return a text as a pair; records of before have it in the language of their report alone."""
    return (Bilingual(words, words) if words else None) if isinstance(words, str) else words


class FigureCheck(BaseModel):
    """A figure of a sentence, and whether the evidence that the sentence cites holds it."""

    model_config = ConfigDict(frozen=True)

    text: str
    """The figure as the sentence prints it."""
    found: bool
    source: str | None = None
    """Id of the page in which the figure stands: the one that agrees, or the same figure said of something else."""
    start: int | None = None
    end: int | None = None


class Passage(BaseModel):
    """The place in a page that a verdict rests on: `page[start:end]`."""

    model_config = ConfigDict(frozen=True)

    source: str
    """Id of the page."""
    evidence: str
    """Id of the evidence by which the sentence cites the page."""
    start: int
    end: int


class Sentence(BaseModel):
    """A sentence of the report, the evidence it cites, and what the stored pages bear out of it."""

    model_config = ConfigDict(frozen=True)

    text: str
    evidence: tuple[str, ...]
    verdict: str | None
    """`supported`, `partial`, `unsupported`, `uncited` or `unverifiable`; None if it claims nothing."""
    score: float | None = None
    """From 0 to 1: how far the pages bear it out; None where that was not computed."""
    reason: Annotated[Bilingual | None, BeforeValidator(in_both)] = None
    """Why the verdict is what it is, for readers of either language; None where nothing was checked."""
    reason_code: str = ""
    numbers: tuple[FigureCheck, ...] = ()
    passage: Passage | None = None
    start: int = 0
    """Offsets in the record's `draft`."""
    end: int = 0
