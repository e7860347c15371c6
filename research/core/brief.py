"""What the user asks for: the brief, which is the one input of a run, and what may be asked while it is under way."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator

from research.core.outline import Outline
from research.core.vocabulary import (
    DEEPEST,
    PRESETS,
    Audience,
    Length,
    MethodName,
    OutputForm,
    PeriodChoice,
    PresetName,
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


OPEN = Phrase("open")
_COLON = Bilingual(": ", "：")
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
_LEFT_OUT_IF_EMPTY = {"exclusions", "preferred_sites", "forbidden_sites", "glossary", "note"}


def compose(brief: Brief) -> str:
    """Return the brief as one line a field, in the language of the report; what is unset is stated to be open."""
    colon = _COLON.in_(brief.language)
    return "\n".join(f"{name}{colon}{value}" for name, value in fields(brief))


def bounds(brief: Brief) -> list[str]:
    """Return what limits the research, one sentence each without its stop: region, period, exclusions."""
    language, colon = brief.language, _COLON.in_(brief.language)
    limits = {
        Phrase("Region"): brief.region,
        Phrase("Period"): brief.period,
        Phrase("Leave out"): brief.exclusions,
    }
    return [f"{name.in_(language)}{colon}{_words(value, language)}" for name, value in limits.items() if value]


def fields(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of each line of `compose`; what the user leaves open, the preset decides where it can."""
    language, preset = brief.language, PRESETS[brief.preset]
    said: dict[str, object] = {name: getattr(brief, name) or getattr(preset, name, None) for name in _NAMES}
    said |= {"preset": preset.words, "language": Phrase("English")}
    return [
        (_NAMES[name].in_(language), _words(value, language) or OPEN.in_(language))
        for name, value in said.items()
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
    rows = [(Phrase("Method"), method.label.in_(language))]
    if method is MethodName.OUTLINED:
        decides = Phrase("analyst decides").in_(language)
        depth = (
            Phrase("queries per section: {queries}; iterations: {iterations}")
            .in_(language)
            .format(queries=brief.queries_per_section or decides, iterations=brief.iterations or decides)
        )
        rows.append((Phrase("Depth"), depth))
    if cap := cap_in_words(brief, language):
        rows.append((Phrase("Cap"), cap))
    return [(name.in_(language), value) for name, value in rows]


def cap_in_words(brief: Brief, language: Language) -> str:
    """Return the cap that a brief sets (`$0.50, 10 min`), or an empty string."""
    parts, usd = [], brief.max_cost_usd
    if usd is not None:
        # With its cents, and what there is below a cent.
        amount = f"{usd:.2f}" if round(usd, 2) == usd else f"{usd:g}"
        parts.append(Phrase("${amount}").in_(language).format(amount=amount))
    if brief.max_minutes is not None:
        parts.append(Phrase("{amount} min").in_(language).format(amount=f"{brief.max_minutes:g}"))
    return Bilingual(", ", "、").in_(language).join(parts)


def _words(value: object, language: Language) -> str:
    if isinstance(value, Vocabulary):
        value = value.words
    if isinstance(value, Bilingual):
        return value.in_(language)
    if isinstance(value, dict):
        equals = Bilingual(" = ", "＝").in_(language)
        return _words(tuple(f"{term}{equals}{meaning}" for term, meaning in value.items()), language)
    if isinstance(value, tuple):
        return Bilingual("; ", "、").in_(language).join(_words(item, language) for item in value)
    return str(value or "")


# --- what may be asked of a run that is under way --------------------------------------------------------------------

_Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class _Steer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FinishNow(_Steer):
    """Stop researching and write the report from what there is."""

    kind: Literal["finish_now"] = "finish_now"


class StopNow(_Steer):
    """Stop at once; the report is composed by rule."""

    kind: Literal["stop_now"] = "stop_now"


class HoldPlan(_Steer):
    """Let the plan wait: somebody is editing it."""

    kind: Literal["hold_plan"] = "hold_plan"


class BeginWithPlan(_Steer):
    """Begin research with the plan, or with `outline` in its place."""

    kind: Literal["begin_with_plan"] = "begin_with_plan"
    outline: Outline | None = None


class AddQuestion(_Steer):
    """Research one more question, after the topics that there are."""

    kind: Literal["add_question"] = "add_question"
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1_000)]


class DropTopic(_Steer):
    """End a researcher's work and leave its topic out of the report."""

    kind: Literal["drop_topic"] = "drop_topic"
    lane: _Name


class BlockSite(_Steer):
    """Read no more pages of a site, or of a collection, and leave what was found there out of the report."""

    kind: Literal["block_site"] = "block_site"
    site: _Name
    """A host name, which stands for those below it too, or the name of a collection."""

    @field_validator("site")
    @classmethod
    def _bare(cls, value: str) -> str:
        return value.rpartition("://")[2].partition("/")[0].casefold().removeprefix("www.") or value


PlanSteer = HoldPlan | BeginWithPlan
"""What concerns a plan that waits."""
BookSteer = AddQuestion | DropTopic | BlockSite
"""What changes what is researched."""
Steer = Annotated[FinishNow | StopNow | PlanSteer | BookSteer, Field(discriminator="kind")]

_adapter: TypeAdapter[Steer] = TypeAdapter(Steer)


def parse_steer(body: str | bytes) -> Steer:
    """Read what `model_dump_json` wrote.

    Raises:
        pydantic.ValidationError: this version does not know it.
    """
    return _adapter.validate_json(body)
