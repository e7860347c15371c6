"""What is to be researched: the one input of a run, and the same in words for models and for the user."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from research.core.errors import UsageError
from research.core.presets import DEEPEST, PRESETS, MethodName, PresetName
from research.core.vocabulary import (
    Audience,
    Length,
    OutputForm,
    PeriodChoice,
    Region,
    Scope,
    SourceName,
    Summary,
    Tone,
    Vocabulary,
)
from research.language import Bilingual, Language, Phrase

DEAREST = 10_000.0
"""US dollars that a cap can be set to."""
LONGEST_MINUTES = 24 * 60.0
"""Minutes that a cap can be set to."""
Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)]
Depth = Annotated[int, Field(ge=1, le=DEEPEST)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class Brief(BaseModel):
    """A research brief.

    Only the question is required. What is `None` or empty stays open: it is told to the analyst as open and is
    never asked about.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Question
    scope: Scope | None = None
    period: PeriodChoice | None = None
    region: Region | None = None
    sources: tuple[SourceName, ...] = Field(
        default=(), description="Where to look; empty lets the program take what is available."
    )
    preset: PresetName = PresetName.QUALITY
    method: MethodName | None = Field(default=None, description="How research is organised; the preset's if unset.")
    queries_per_section: Depth | None = Field(default=None, description="For a plan; the analyst decides if unset.")
    iterations: Depth | None = Field(default=None, description="For a plan; the analyst decides if unset.")
    language: Language = Language.EN
    audience: Audience | None = None
    form: OutputForm | None = None
    length: Length | None = None
    summary: Summary | None = None
    tone: Tone | None = None
    exclusions: tuple[Line, ...] = Field(default=(), description="What is not to be researched.")
    preferred_sites: tuple[Line, ...] = Field(default=(), description="Domains to search first.")
    forbidden_sites: tuple[Line, ...] = Field(default=(), description="Domains never to read.")
    glossary: dict[Line, Line] = Field(default_factory=dict, description="The house's own terms and their meaning.")
    max_cost_usd: Annotated[float, Field(gt=0, le=DEAREST, allow_inf_nan=False)] | None = Field(
        default=None, description="The run's models may cost so much in US dollars; no cap if unset."
    )
    max_minutes: Annotated[float, Field(gt=0, le=LONGEST_MINUTES, allow_inf_nan=False)] | None = Field(
        default=None, description="The run may take so long; no cap if unset."
    )
    note: Annotated[str, StringConstraints(strip_whitespace=True, max_length=8_000)] = Field(
        default="", description="What the analyst wants to add in words of their own."
    )

    @field_validator("sources")
    @classmethod
    def _once_each(cls, value: tuple[SourceName, ...]) -> tuple[SourceName, ...]:
        return tuple(dict.fromkeys(value))

    @field_validator("preferred_sites", "forbidden_sites")
    @classmethod
    def _domains_only(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        bare = (site.lower().split("://")[-1].split("/")[0].removeprefix("www.") for site in value)
        return tuple(dict.fromkeys(site for site in bare if site))

    @classmethod
    def from_json(cls, path: str | Path) -> Self:
        """Load a brief from a JSON file.

        Raises:
            UsageError: the file cannot be read, or does not hold a brief; the message names the field.
        """
        try:
            return cls.model_validate_json(Path(path).read_bytes())
        except OSError as error:
            raise UsageError(f"The brief {path} cannot be read: {error.strerror}.") from error
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "the file"
            raise UsageError(f"The brief {path} is not usable: {field}: {first['msg']}.") from error

    def to_json(self, path: str | Path) -> None:
        """Save the brief as JSON that `from_json` reads; what is unset is left out."""
        Path(path).write_text(self.model_dump_json(indent=2, exclude_defaults=True) + "\n", encoding="utf-8")


OPEN = Phrase("open")
_LANGUAGE = Phrase("English")
_NAMES = {
    "question": Phrase("Question"),
    "scope": Phrase("Scope"),
    "period": Phrase("Period"),
    "region": Phrase("Region"),
    "sources": Phrase("Sources"),
    "preset": Phrase("Manner"),
    "audience": Phrase("Audience"),
    "form": Phrase("Form"),
    "length": Phrase("Length"),
    "summary": Phrase("Summary"),
    "tone": Phrase("Tone"),
    "exclusions": Phrase("Not to be researched"),
    "preferred_sites": Phrase("Preferred sites"),
    "forbidden_sites": Phrase("Forbidden sites"),
    "glossary": Phrase("House terms"),
    "note": Phrase("Note"),
    "language": Phrase("Language of the report"),
}
_METHOD = Phrase("Method")
_DEPTH = Phrase("Depth")
_DEPTH_WORDS = Phrase("queries per section: {queries}; iterations: {iterations}")
_CAP = Phrase("Cap")
_MONEY = Phrase("${amount}")
_MINUTES = Phrase("{amount} min")
_ANALYST_DECIDES = Phrase("analyst decides")
_LEFT_OUT_IF_EMPTY = {"exclusions", "preferred_sites", "forbidden_sites", "glossary", "note"}


def compose(brief: Brief) -> str:
    """Return the brief as one line a field, in the language of the report; what is unset is stated to be open."""
    colon = Bilingual(": ", "：").in_(brief.language)
    return "\n".join(f"{name}{colon}{value}" for name, value in fields(brief))


def bounds(brief: Brief) -> list[str]:
    """Return what limits the research, one sentence each without its stop: region, period, exclusions."""
    language = brief.language
    colon = Bilingual(": ", "：").in_(language)
    limits = {
        Phrase("Region"): brief.region,
        Phrase("Period"): brief.period,
        Phrase("Leave out"): brief.exclusions,
    }
    return [f"{name.in_(language)}{colon}{_words(value, language)}" for name, value in limits.items() if value]


def fields(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of each line of `compose`."""
    written = {name: _value(brief, name) for name in _NAMES}
    open_ = OPEN.in_(brief.language)
    return [
        (_NAMES[name].in_(brief.language), value or open_)
        for name, value in written.items()
        if value or name not in _LEFT_OUT_IF_EMPTY
    ]


def method_of(brief: Brief) -> MethodName:
    """Return how the research is organised: as the brief says, else as its preset does."""
    return brief.method or PRESETS[brief.preset].method


def organisation(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of what the brief says about how to go about it.

    It is shown beside `fields` and no part of `compose`: the program carries it out, and no analyst needs to know.
    """
    language, method = brief.language, method_of(brief)
    rows = [(_METHOD.in_(language), method.label.in_(language))]
    if method is MethodName.OUTLINED:
        decides = _ANALYST_DECIDES.in_(language)
        depth = _DEPTH_WORDS.in_(language).format(
            queries=brief.queries_per_section or decides, iterations=brief.iterations or decides
        )
        rows.append((_DEPTH.in_(language), depth))
    if cap := cap_in_words(brief, language):
        rows.append((_CAP.in_(language), cap))
    return rows


def cap_in_words(brief: Brief, language: Language) -> str:
    """Return the cap that a brief sets (`$0.50, 10 min`), or an empty string."""
    parts = []
    if brief.max_cost_usd is not None:
        parts.append(_MONEY.in_(language).format(amount=_amount(brief.max_cost_usd)))
    if brief.max_minutes is not None:
        parts.append(_MINUTES.in_(language).format(amount=f"{brief.max_minutes:g}"))
    return Bilingual(", ", "、").in_(language).join(parts)


def _amount(usd: float) -> str:
    """Write an amount with its cents, and what there is below a cent."""
    return f"{usd:.2f}" if round(usd, 2) == usd else f"{usd:g}"


def _value(brief: Brief, name: str) -> str:
    preset = PRESETS[brief.preset]
    if name == "preset":
        return preset.words.in_(brief.language)
    if name == "language":
        return _LANGUAGE.in_(brief.language)
    # What the analyst leaves open, the preset decides where it can.
    return _words(getattr(brief, name) or getattr(preset, name, None), brief.language)


def _words(value: object, language: Language) -> str:
    if isinstance(value, Vocabulary):
        return value.words.in_(language)
    if isinstance(value, dict):
        equals = Bilingual(" = ", "＝").in_(language)
        return _words(tuple(f"{term}{equals}{meaning}" for term, meaning in value.items()), language)
    if isinstance(value, tuple):
        return Bilingual("; ", "、").in_(language).join(_words(item, language) for item in value)
    return str(value or "")
