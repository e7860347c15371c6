"""What is to be researched: the one input of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from research.core.errors import UsageError
from research.core.presets import DEEPEST, MethodName, PresetName
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
)
from research.language import Language

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
