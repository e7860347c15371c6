"""Plans of sections, reflections on what was found, and how it was assessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, field_validator

from research.core.vocabulary import DEEPEST, Frozen, Vocabulary
from research.language import Bilingual, Language, Phrase

_Text = Annotated[str, StringConstraints(strip_whitespace=True)]
_COMMA = Bilingual(", ", "、")


def _one_line(text: str, characters: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


class Depth(Frozen):
    """How deep to search each section, and why."""

    queries_per_section: int = Field(ge=1, le=DEEPEST)
    iterations: int = Field(ge=1, le=DEEPEST)
    reason: _Text = ""

    @classmethod
    def within(cls, queries_per_section: int, iterations: int, reason: str = "") -> Self:
        """Return the nearest depth that exists."""
        return cls(
            queries_per_section=min(max(queries_per_section, 1), DEEPEST),
            iterations=min(max(iterations, 1), DEEPEST),
            reason=reason,
        )


class Section(Frozen):
    """A part of the report: what it is about, and what it has to say."""

    title: _Text
    focus: _Text = ""
    questions: tuple[_Text, ...] = ()
    """The key questions that it answers."""
    needs: tuple[_Text, ...] = ()
    """The kinds of information that it requires, as one would name them."""

    @field_validator("title", "focus")
    @classmethod
    def _on_one_line(cls, value: str) -> str:
        return _one_line(value, 500)

    @field_validator("questions", "needs")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for text in value if (line := _one_line(text, 300))))[:12]

    @property
    def wanted(self) -> tuple[str, ...]:
        """What is looked for, point by point: the kinds of information, else the key questions."""
        return self.needs or self.questions


class Outline(Frozen):
    """What is going to be researched and written."""

    purpose: _Text = ""
    """Purpose and scope."""
    sections: tuple[Section, ...] = ()
    introduction: _Text = ""
    """What the introduction will hold."""
    conclusion: _Text = ""
    """What the conclusion will hold."""
    remark: _Text = ""
    """The planner's own remark on the plan."""

    def tidied(self, question: str, at_most: int) -> Outline:
        """Return the plan with sections that are titled, different and no more than `at_most`; one if it had none."""
        kept: dict[str, Section] = {}
        for section in self.sections:
            if section.title:
                kept.setdefault(section.title.casefold(), section)
        sections = tuple(kept.values())[:at_most] or (Section(title=question, focus=question),)
        return self.model_copy(update={"sections": sections})


def topic_of(section: Section, question: str, language: Language, limits: Iterable[str] = ()) -> str:
    """Return the section as a paragraph that a researcher can understand by itself; `limits` are further sentences."""
    wanted, stop = _COMMA.in_(language).join(section.wanted), Bilingual(". ", "。").in_(language)
    with_points = Phrase("For the question “{question}”, find {focus}: {wanted}")
    text = with_points if wanted else Phrase("For the question “{question}”, find {focus}")
    asked = text.in_(language).format(question=question, focus=section.focus or section.title, wanted=wanted)
    return "".join(part + stop for part in (section.title, " ".join(asked.split()), *limits)).strip()


class Insight(Frozen):
    """Something learned."""

    text: _Text
    confidence: int = Field(ge=1, le=10)
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that it rests on."""


class Doubt(Frozen):
    """Statements that contradict each other, or a claim that has to be verified."""

    text: _Text
    evidence: tuple[str, ...] = ()


class NextQuery(Frozen):
    """A query to be made next."""

    query: _Text
    reason: _Text = ""


class Reflection(Frozen):
    """What an analyst thinks of what was found."""

    summary: _Text
    """What is known now, and the next step."""
    insights: tuple[Insight, ...] = ()
    gaps: tuple[_Text, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    queries: tuple[NextQuery, ...] = ()

    def in_words(self, language: Language) -> str:
        """Return it as text: the summary, what is missing, what is doubtful."""
        comma, doubts = Bilingual("; ", "、").in_(language), [doubt.text for doubt in self.doubts]
        lists = {Phrase("Missing: "): self.gaps, Phrase("To be checked: "): doubts}
        told = [name.in_(language) + comma.join(items) for name, items in lists.items() if items]
        return "\n".join(filter(None, (self.summary, *told)))


@dataclass(frozen=True)
class KindCoverage:
    """How far one kind of information that a section requires is there."""

    kind: str
    share: float
    """From 0 (nothing) to 1 (all that is looked for under this kind)."""
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that speaks of it."""


@dataclass(frozen=True)
class GapReport:
    """What is there for a section, and what is missing."""

    coverage: tuple[KindCoverage, ...]
    missing: tuple[str, ...]
    sufficient: bool
    confidence: float
    """From 0 to 1: how sure it is, by how much there is and how far sources agree on it."""
    at: datetime


class Aspect(Vocabulary):
    """What a complete answer covers, whatever the subject."""

    DEFINITION = ("definition", Phrase("definition"))
    CASES = ("cases", Phrase("concrete cases"))
    MARKET = ("market", Phrase("market impact"))
    TECHNICAL = ("technical", Phrase("technical detail"))
    OUTLOOK = ("outlook", Phrase("outlook"))


@dataclass(frozen=True)
class Criteria:
    """Points for each criterion, 0 to 2."""

    results: int
    relevance: int
    diversity: int
    detail: int
    coverage: int

    @property
    def total(self) -> int:
        """Their sum."""
        return sum(self.by_name().values())

    def by_name(self) -> dict[str, int]:
        """Return the points by criterion."""
        return asdict(self)


@dataclass(frozen=True)
class Sufficiency:
    """The score and what it is made of."""

    criteria: Criteria
    covered: tuple[Aspect, ...]
    missing: tuple[Aspect, ...]

    @property
    def score(self) -> int:
        """0 to 10."""
        return self.criteria.total


@dataclass(frozen=True)
class Assessment:
    """The state of one topic after a search, computed and not asked of a model."""

    sufficiency: Sufficiency
    gaps: GapReport
    good_sources: int
    """Sites with at least two detailed quotes on what is asked."""
    stale: int
    """Searches in a row, up to the last, that brought no new evidence."""

    def in_words(self, language: Language) -> str:
        """Return it as facts for a prompt or a reflection; it names kinds of information, never words of a page."""
        comma, nothing = _COMMA.in_(language), Phrase("nothing").in_(language)
        aspects = comma.join(aspect.label.in_(language) for aspect in self.sufficiency.missing)
        text = Phrase(
            "Computed score {score}/10 (results {results}, relevance {relevance}, diversity {diversity}, "
            "detail {detail}, coverage {coverage}; 0 to 2 each). Good sources: {good_sources}. Searches in "
            "a row without anything new: {stale}. Aspects not covered: {aspects}. Not found yet: {missing}."
        )
        return text.in_(language).format(
            score=self.sufficiency.score,
            **self.sufficiency.criteria.by_name(),
            good_sources=self.good_sources,
            stale=self.stale,
            aspects=aspects or nothing,
            missing=comma.join(self.gaps.missing) or nothing,
        )
