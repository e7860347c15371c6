"""A reflection in parts: what a set of results says, how sure that is, what is missing, what to search next."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from research.language import Bilingual, Language

_Text = Annotated[str, StringConstraints(strip_whitespace=True)]

_GAPS = Bilingual("Missing: ", "不足：")
_DOUBTS = Bilingual("To be checked: ", "要確認：")
_COMMA = Bilingual("; ", "、")


class Insight(BaseModel):
    """Something learned."""

    model_config = ConfigDict(frozen=True)

    text: _Text
    confidence: int = Field(ge=1, le=10)
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that it rests on."""


class Doubt(BaseModel):
    """Statements that contradict each other, or a claim that has to be verified."""

    model_config = ConfigDict(frozen=True)

    text: _Text
    evidence: tuple[str, ...] = ()


class NextQuery(BaseModel):
    """A query to be made next."""

    model_config = ConfigDict(frozen=True)

    query: _Text
    reason: _Text = ""


class Reflection(BaseModel):
    """What an analyst thinks of what was found."""

    model_config = ConfigDict(frozen=True)

    summary: _Text
    """What is known now, and the next step."""
    insights: tuple[Insight, ...] = ()
    gaps: tuple[_Text, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    queries: tuple[NextQuery, ...] = ()

    def in_words(self, language: Language) -> str:
        """Return it as text: the summary, what is missing, what is doubtful."""
        comma = _COMMA.in_(language)
        lines = [self.summary]
        if self.gaps:
            lines.append(_GAPS.in_(language) + comma.join(self.gaps))
        if self.doubts:
            lines.append(_DOUBTS.in_(language) + comma.join(doubt.text for doubt in self.doubts))
        return "\n".join(line for line in lines if line)
