"""Templates: briefs of which only what differs each time has to be typed, for common jobs and of the user's own.

Own templates are saved from a form, listed, deleted, and passed on as files. What reads or writes the kept ones raises
`StoreError` where their file cannot be; then everything is as before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from research import core
from research.language import Bilingual, Language, Phrase
from research.settings.files import Name, UserFile, clean_name

SUBJECT = "{subject}"
"""Stands in the question of a template for what is typed."""
MOST = 100
"""Templates that can be kept."""
LARGEST = 200_000
"""Bytes of a file that is taken for a template."""

_KIND: Literal["research-template"] = "research-template"
_MANY = Phrase("There are too many templates: at most {most}. Delete some first.")
_NO_TEMPLATE = Phrase("This file holds no template. Choose one that was saved with “Save as file”.")
_NEWER = Phrase("This template was saved by a newer version of the program. Update the program, then load it again.")
_FIELD = Phrase("This template cannot be used: look at “{field}”.")


@dataclass(frozen=True)
class Persona:
    """How a report is written for a reader."""

    length: core.Length
    tone: core.Tone
    summary: core.Summary


PERSONAS: Mapping[core.Audience, Persona] = {
    core.Audience.FRONT_LINE: Persona(core.Length.SHORT, core.Tone.PLAIN, core.Summary.NONE),
    core.Audience.MANAGEMENT: Persona(core.Length.MEDIUM, core.Tone.NEUTRAL, core.Summary.FIRST),
    core.Audience.EXECUTIVES: Persona(core.Length.SHORT, core.Tone.FORMAL, core.Summary.FIRST),
}


@dataclass(frozen=True)
class Job:
    """A common job."""

    name: str
    label: Bilingual
    hint: Bilingual
    """What it brings, in a line."""
    asks: Bilingual
    """What has to be typed."""
    example: Bilingual
    question: Bilingual
    """With `{subject}` where what is typed goes."""
    scope: core.Scope
    preset: core.PresetName = core.PresetName.QUALITY
    audience: core.Audience = core.Audience.MANAGEMENT
    form: core.OutputForm = core.OutputForm.MIX
    length: core.Length = core.Length.MEDIUM
    summary: core.Summary = core.Summary.FIRST
    period: core.PeriodChoice | None = None
    tone: core.Tone | None = None
    exclusions: Bilingual | None = None
    note: Bilingual | None = None

    def brief(self, subject: str, language: Language) -> core.Brief:
        """Return the brief for what was typed, in `language`.

        Raises:
            ValidationError: so much was typed that it is no question any more.
        """
        same = ("scope", "period", "preset", "audience", "form", "length", "summary", "tone")
        fields: dict[str, Any] = {name: getattr(self, name) for name in same}
        return core.Brief(
            question=fill(self.question.in_(language), subject),
            language=language,
            exclusions=(self.exclusions.in_(language),) if self.exclusions else (),
            note=self.note.in_(language) if self.note else "",
            **fields,
        )


class OwnTemplate(BaseModel):
    """A brief with a name; its question may hold a place for what is typed each time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["research-template"] = _KIND
    version: Literal[1] = 1
    name: Name
    brief: core.Brief

    @property
    def asks(self) -> bool:
        """Whether something has to be typed."""
        return SUBJECT in self.brief.question

    def filled(self, subject: str) -> core.Brief:
        """Return the brief with what was typed."""
        question = fill(self.brief.question, subject)[:4_000]
        return core.Brief.model_validate(self.brief.model_dump() | {"question": question})

    def to_json(self) -> str:
        """Return the template as a file that `read` reads."""
        brief = self.brief.model_dump(mode="json", exclude_defaults=True)
        return json.dumps(self.model_dump(mode="json") | {"brief": brief}, ensure_ascii=False, indent=2) + "\n"


class _Kept(BaseModel):
    templates: tuple[OwnTemplate, ...] = ()


kept = UserFile("templates.json", _Kept)
"""The user's own templates."""


def fill(text: str, subject: str) -> str:
    """Return a template's text with what was typed, on one line, whatever signs it holds."""
    return text.replace(SUBJECT, " ".join(subject.split()))


def load(home: Path) -> tuple[OwnTemplate, ...]:
    """Return the templates kept in `home`, in the order of their names."""
    return tuple(sorted(kept.load(home).templates, key=lambda template: template.name.casefold()))


def make(name: str, brief: core.Brief, *, subject: str = "") -> OwnTemplate:
    """Return a template of `brief`; where its question names `subject`, it is asked for each time.

    Raises:
        UsageError: the name cannot be used.
    """
    name = clean_name(name, Phrase("A template needs a name."))
    wanted = " ".join(subject.split())
    if wanted:
        brief = brief.model_copy(update={"question": brief.question.replace(wanted, SUBJECT)})
    return OwnTemplate(name=name, brief=brief)


def read(data: bytes) -> OwnTemplate:
    """Return the template that a file holds.

    Raises:
        UsageError: it holds none, or one that cannot be used.
    """
    if len(data) > LARGEST:
        raise core.UsageError(Phrase("This file is too large for a template."))
    try:
        return OwnTemplate.model_validate_json(data)
    except ValidationError as error:
        fields = [".".join(map(str, entry["loc"])) for entry in error.errors()]
        first = error.errors()[0]
        if not fields[0] or "kind" in fields or {"name", "brief"} <= set(fields):
            raise core.UsageError(_NO_TEMPLATE) from error
        if "version" in fields and isinstance(first["input"], int):
            raise core.UsageError(_NEWER) from error
        raise core.UsageError(_FIELD.filled(field=fields[0].removeprefix("brief."))) from error


def is_template(data: bytes) -> bool:
    """Whether a file says that it is a template, whatever else is wrong with it."""
    try:
        held = json.loads(data)
    except ValueError:
        return False
    return isinstance(held, dict) and held.get("kind") == _KIND


def save(home: Path, template: OwnTemplate) -> None:
    """Keep a template; it takes the place of one that has its name.

    Raises:
        UsageError: there are too many.
    """

    def changed(before: _Kept) -> _Kept:
        others = [other for other in before.templates if other.name.casefold() != template.name.casefold()]
        if len(others) >= MOST:
            raise core.UsageError(_MANY.filled(most=MOST))
        return _Kept(templates=(*others, template))

    kept.change(home, changed)


def delete(home: Path, name: str) -> None:
    """Delete a template; nothing happens if there is none of that name."""
    kept.change(home, lambda before: _Kept(templates=tuple(one for one in before.templates if one.name != name)))


JOBS: tuple[Job, ...] = (
    Job(
        name="company",
        label=Phrase("Company before a meeting"),
        hint=Phrase("One page of key points: business, figures, recent moves, and what to ask about."),
        asks=Phrase("Name of the company"),
        example=Phrase("Asanagi Pump Industries"),
        question=Phrase(
            "What should I know about {subject} before a meeting: its business, latest figures, strategy, "
            "recent events and risks?"
        ),
        scope=core.Scope.COMPANY,
        period=core.PeriodChoice.YEAR,
        preset=core.PresetName.SPEED,
        form=core.OutputForm.POINTS,
        length=core.Length.PAGE,
        summary=core.Summary.NONE,
        exclusions=Phrase("Early history of the company"),
        note=Phrase(
            "The reader meets the company soon. End with three questions worth asking, each resting on what was found."
        ),
    ),
    Job(
        name="market",
        label=Phrase("Market"),
        hint=Phrase("Size, growth, segments, players and outlook, with tables."),
        asks=Phrase("Market"),
        example=Phrase("industrial pumps in South-East Asia"),
        question=Phrase(
            "How large is the market for {subject}, how fast does it grow, who leads it, and what is its outlook?"
        ),
        scope=core.Scope.MARKET,
        period=core.PeriodChoice.THREE_YEARS,
        note=Phrase("Name year, currency and who measured for every market size; put differing figures side by side."),
    ),
    Job(
        name="competitors",
        label=Phrase("Competitors", "job"),
        hint=Phrase("Companies or products side by side: position, offer, price, strengths, moves."),
        asks=Phrase("Who is compared"),
        example=Phrase("Grundfos, Ebara and Xylem"),
        question=Phrase(
            "How do {subject} compare in market position, offer, prices, strengths and weaknesses, and recent moves?"
        ),
        scope=core.Scope.COMPETITORS,
        period=core.PeriodChoice.YEAR,
        note=Phrase(
            "Begin with one table over all that are compared, the same rows for each; say where nothing was found."
        ),
    ),
    Job(
        name="technology",
        label=Phrase("Technology"),
        hint=Phrase("How it works, how mature it is, where it is used, its limits, who develops it."),
        asks=Phrase("Technology"),
        example=Phrase("solid-state batteries"),
        question=Phrase(
            "How does {subject} work, how mature is it, where is it used, what are its limits, and who develops it?"
        ),
        scope=core.Scope.TECHNOLOGY,
        period=core.PeriodChoice.THREE_YEARS,
        audience=core.Audience.FRONT_LINE,
        tone=core.Tone.CRITICAL,
        note=Phrase("Keep apart what was measured, what its makers announce, and what is expected."),
    ),
    Job(
        name="policy",
        label=Phrase("Policy and regulation"),
        hint=Phrase("Rules in force, planned changes with their dates, and whom they affect; primary sources only."),
        asks=Phrase("Rule or field"),
        example=Phrase("the EU rules on batteries"),
        question=Phrase(
            "What is in force on {subject}, what will change and when, who decides, and whom does it affect?"
        ),
        scope=core.Scope.POLICY,
        preset=core.PresetName.FACT_STRICT,
        form=core.OutputForm.TEXT,
        length=core.Length.SHORT,
        tone=core.Tone.FORMAL,
        exclusions=Phrase("Opinions of parties and commentators"),
        note=Phrase(
            "Give each rule its name, its status and its date; keep apart what is in force and what is proposed."
        ),
    ),
    Job(
        name="country",
        label=Phrase("Country"),
        hint=Phrase("Population, economy, energy, government and risks, as a base for a decision."),
        asks=Phrase("Country"),
        example=Phrase("Vietnam"),
        question=Phrase(
            "What should a company know about {subject}: population, economy, energy and infrastructure, government, "
            "risks?"
        ),
        scope=core.Scope.COUNTRY,
        note=Phrase("State the year of every figure; prefer official statistics."),
    ),
    Job(
        name="literature",
        label=Phrase("Literature"),
        hint=Phrase("What has been studied and how, what was found, where findings disagree, what is open."),
        asks=Phrase("Field or question"),
        example=Phrase("the effect of remote work on productivity"),
        question=Phrase(
            "What has been found on {subject}: questions asked, methods, findings, disagreement and open problems?"
        ),
        scope=core.Scope.LITERATURE,
        period=core.PeriodChoice.FIVE_YEARS,
        audience=core.Audience.FRONT_LINE,
        form=core.OutputForm.TEXT,
        tone=core.Tone.CRITICAL,
        exclusions=Phrase("Advertising and pages without an author"),
        note=Phrase("Name authors and year for each finding; weigh sample size and method."),
    ),
)
