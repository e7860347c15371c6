"""The plan of a report: how deep to go, and its sections. Anybody may have written it: a model, rules, or the user."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator

from research.language import Bilingual, Language
from research.methods.limits import DEEPEST

_Text = Annotated[str, StringConstraints(strip_whitespace=True)]
_STOP = Bilingual(". ", "。")
_COMMA = Bilingual(", ", "、")


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"


class Depth(BaseModel):
    """How deep to search each section, and why."""

    model_config = ConfigDict(frozen=True)

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


class Section(BaseModel):
    """A part of the report: what it is about, and what it has to say."""

    model_config = ConfigDict(frozen=True)

    title: _Text
    focus: _Text = ""
    questions: tuple[_Text, ...] = ()
    """The key questions that it answers."""
    needs: tuple[_Text, ...] = ()
    """The kinds of information that it requires, as one would name them."""

    @field_validator("title", "focus")
    @classmethod
    def _on_one_line(cls, value: str) -> str:
        return _cut(" ".join(value.split()), 500)

    @field_validator("questions", "needs")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        lines = (_cut(" ".join(line.split()), 300) for line in value)
        return tuple(dict.fromkeys(line for line in lines if line))[:12]

    @property
    def wanted(self) -> tuple[str, ...]:
        """What is looked for, point by point: the kinds of information, else the key questions."""
        return self.needs or self.questions


class Outline(BaseModel):
    """What is going to be researched and written."""

    model_config = ConfigDict(frozen=True)

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
    wanted = _COMMA.in_(language).join(section.wanted)
    asked = Bilingual(
        f"For the question “{question}”, find {section.focus or section.title}" + (f": {wanted}" if wanted else ""),
        f"問い「{question}」のために、{section.focus or section.title}を調べる" + (f"：{wanted}" if wanted else ""),
    ).in_(language)
    stop = _STOP.in_(language)
    return "".join(part + stop for part in (section.title, " ".join(asked.split()), *limits)).strip()
