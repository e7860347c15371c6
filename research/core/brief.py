"""What the user asks for: the brief, the one input of a run; the plan made of it; and what may be asked later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, field_validator, model_validator
from pydantic_core import PydanticCustomError

from research.core import vocabulary
from research.core.origins import SourceName
from research.language import COLON, COMMA, Bilingual, Language, Phrase
from research.text import (
    LONGEST_QUESTION,
    Card,
    Operation,
    Part,
    parts_of,
    places_in,
    question_parts,
    regions_in,
    sentences,
    with_parts,
)

DEAREST = 10_000.0
"""US dollars that a cap can be set to."""
LONGEST_MINUTES = 24 * 60.0
"""Minutes that a cap can be set to."""
MOST_COUNTRIES = 30
"""Countries of one brief: each is searched for by itself."""
MOST_SENTENCES = 12
"""Sentences that a summary can be asked to have; more are no summary of anything."""
Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION)]
HowDeep = Annotated[int, Field(ge=1, le=vocabulary.DEEPEST)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Address = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2_000, pattern=r"^https?://[^\s<>\"]+$")]


class Brief(Card, BaseModel):
    """A research brief.

    Only the question is required. What is `None` or empty stays open: it is told to the analyst as open and is
    never asked about.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Question = Field(description="What is to be found out, in one's own words.")
    scope: vocabulary.Scope | None = None
    period: vocabulary.PeriodChoice | None = None
    since: date | None = Field(
        default=None, description="The first day that information may date from; with it, `period` says nothing."
    )
    until: date | None = Field(default=None, description="The last day that information may date from.")
    region: vocabulary.Region | None = None
    countries: tuple[Line, ...] = Field(
        default=(),
        max_length=MOST_COUNTRIES,
        description="Countries that it is about, by their names; where the question names none, each is asked about.",
    )
    sources: tuple[SourceName, ...] = Field(
        default=(), description="Where to look; empty lets the program take what is available."
    )
    order: vocabulary.SearchOrder | None = Field(
        default=None, description="What is searched first; all at once if unset."
    )
    addresses: tuple[Address, ...] = Field(default=(), description="Pages to be read whatever else is found.")
    preset: vocabulary.PresetName = Field(
        default=vocabulary.PresetName.QUALITY, description="What matters most; decides what is left open where it can."
    )
    method: vocabulary.MethodName | None = Field(
        default=None, description="How research is organised; the preset's if unset."
    )
    queries_per_section: HowDeep | None = Field(default=None, description="For a plan; the analyst decides if unset.")
    iterations: HowDeep | None = Field(default=None, description="For a plan; the analyst decides if unset.")
    language: Language = Field(default=Language.EN, description="Of the report and of all messages: `en` or `ja`.")
    audience: vocabulary.Audience | None = None
    form: vocabulary.OutputForm | None = None
    length: vocabulary.Length | None = None
    summary: vocabulary.Summary | None = None
    summary_sentences: Annotated[int, Field(ge=1, le=MOST_SENTENCES)] | None = Field(
        default=None, description="How long the executive summary may be, in sentences."
    )
    tone: vocabulary.Tone | None = None
    file_format: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")] | None = Field(
        default=None, description="The file in which the report is wanted: a format of `export`."
    )
    exclusions: tuple[Line, ...] = Field(default=(), description="What is not to be researched.")
    preferred_sites: tuple[Line, ...] = Field(default=(), description="Domains to search first.")
    forbidden_sites: tuple[Line, ...] = Field(default=(), description="Domains never to read.")
    preferred_kinds: tuple[vocabulary.SourceKind, ...] = Field(
        default=(), description="Kinds of pages to read first; services that hold them are asked as well."
    )
    forbidden_kinds: tuple[vocabulary.SourceKind, ...] = Field(default=(), description="Kinds of pages never to read.")
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

    @field_validator("sources", "countries", "addresses", "preferred_kinds", "forbidden_kinds")
    @classmethod
    def _once_each(cls, value: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(dict.fromkeys(value))

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise PydanticCustomError("days", "The period ends before it begins.")
        return self

    @field_validator("preferred_sites", "forbidden_sites")
    @classmethod
    def _domains_only(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        bare = (site.lower().split("://")[-1].split("/")[0].removeprefix("www.") for site in value)
        return tuple(dict.fromkeys(site for site in bare if site))

    def _card(self) -> tuple[str, list[tuple[str, str]]]:
        said = [(name, value) for name, value in fields(self) if value != OPEN.in_(self.language)]
        return self.question, [*said[1:], *organisation(self)]


_ONE_OF = Phrase("it must be one of {values}.")
_MOST = {"max_cost_usd": DEAREST, "max_minutes": LONGEST_MINUTES}
_WHOLE = {
    "queries_per_section": vocabulary.DEEPEST,
    "iterations": vocabulary.DEEPEST,
    "summary_sentences": MOST_SENTENCES,
}


def unusable(error: Mapping[str, Any], language: Language) -> str:
    """Return what is wrong with a field, by one of the `errors()` of a `ValidationError`."""
    field = next((str(part) for part in error["loc"] if part not in ("body", "brief")), "brief")
    reason = str(error["msg"])
    if error["type"] == "enum":
        reason = _ONE_OF.in_(language).format(values=error["ctx"]["expected"].replace("'", "").replace(" or ", ", "))
    elif field in _MOST:
        reason = Phrase("it must be a number above 0, up to {most}.").in_(language).format(most=f"{_MOST[field]:g}")
    elif field in _WHOLE:
        reason = Phrase("it must be a whole number from 1 to {most}.").in_(language).format(most=_WHOLE[field])
    elif field in ("since", "until"):
        reason = Phrase("it must be a day, as in 2024-03-31.").in_(language)
    elif error["type"] == "days":
        field, reason = "until", Phrase("the period ends before it begins.").in_(language)
    elif field == "addresses":
        reason = Phrase("it must be an address that begins with http:// or https://.").in_(language)
    return Phrase("{field} is not usable: {reason}").in_(language).format(field=field, reason=reason)


OPEN = Phrase("any")
FIELDS = {
    "question": Phrase("Question"),
    "scope": Phrase("Scope"),
    "period": Phrase("Period"),
    "region": Phrase("Region"),
    "countries": Phrase("Countries"),
    "sources": Phrase("Sources"),
    "addresses": Phrase("Pages to be read"),
    "preset": Phrase("Manner"),
    "audience": Phrase("Audience"),
    "form": Phrase("Form"),
    "length": Phrase("Length"),
    "summary": Phrase("Summary"),
    "summary_sentences": Phrase("Sentences of the summary, at most"),
    "tone": Phrase("Tone"),
    "exclusions": Phrase("Not to be researched"),
    "preferred_sites": Phrase("Preferred sites"),
    "forbidden_sites": Phrase("Forbidden sites"),
    "preferred_kinds": Phrase("Preferred kinds of sources"),
    "forbidden_kinds": Phrase("Kinds of sources left out"),
    "glossary": Phrase("House terms"),
    "note": Phrase("Note"),
    "language": Phrase("Report language"),
}
"""The names of fields where a brief is told in words."""
_MAY_STAY_OPEN = {"scope", "period", "region", "sources", "audience", "form", "length", "summary", "tone"}
"""Of these it is said where they are open: whoever plans is not to guess what was meant."""


def compose(brief: Brief) -> str:
    """Return the brief as one line a field, in the language of the report; what is unset is stated to be open."""
    colon = COLON.in_(brief.language)
    return "\n".join(f"{name}{colon}{value}" for name, value in fields(brief))


def bounds(brief: Brief) -> list[str]:
    """Return what limits the research, one sentence each without its stop: region, period, exclusions."""
    language, colon = brief.language, COLON.in_(brief.language)
    limits = {
        Phrase("Region"): (*filter(None, (brief.region,)), *brief.countries),
        Phrase("Period"): period_of(brief),
        Phrase("Leave out"): brief.exclusions,
    }
    return [f"{name.in_(language)}{colon}{_words(value, language)}" for name, value in limits.items() if value]


def fields(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of each line of `compose`; what the user leaves open, the preset decides where it can."""
    language, preset = brief.language, vocabulary.PRESETS[brief.preset]
    said: dict[str, object] = {name: getattr(brief, name) or getattr(preset, name, None) for name in FIELDS}
    said |= {"preset": preset.words, "language": Phrase("English"), "period": period_of(brief)}
    return [
        (FIELDS[name].in_(language), _words(value, language) or OPEN.in_(language))
        for name, value in said.items()
        if value or name in _MAY_STAY_OPEN
    ]


def period_of(brief: Brief) -> Bilingual | None:
    """Return from when information may date, in words; None where the brief leaves it open."""
    if brief.since is not None and brief.until is not None:
        return Phrase("from {since} to {until}").filled(since=brief.since, until=brief.until)
    if brief.since is not None or brief.until is not None:
        text = Phrase("since {day}") if brief.since is not None else Phrase("until {day}")
        return text.filled(day=brief.since or brief.until)
    return brief.period.words if brief.period is not None else None


def by_country(brief: Brief) -> Brief:
    """Return the brief with a question that asks about each of its countries by itself, as a list of its parts.

    So each is searched, counted and answered. A question that names a place, or whom it is about, asks that already;
    an open one asks for nothing that could be listed, and its countries are searched for one by one.
    """
    asked = question_parts(brief.question)
    named = places_in(brief.question) or regions_in(brief.question) or asked.names
    if not brief.countries or named or asked.listed or asked.operation is Operation.OPEN:
        return brief
    parts = [Part(country, part.asked) for country in brief.countries for part in parts_of(brief.question)]
    question = with_parts(brief.question, parts)
    return brief.model_copy(update={"question": question}) if len(question) <= LONGEST_QUESTION else brief


def method_of(brief: Brief) -> vocabulary.MethodName:
    """Return how the research is organised: as the brief says, else as its preset does."""
    return brief.method or vocabulary.PRESETS[brief.preset].method


def organisation(brief: Brief) -> list[tuple[str, str]]:
    """Return name and value of what the brief says about how to go about it.

    It is shown beside `fields` and no part of `compose`: the program carries it out, and no analyst needs to know.
    """
    language, method = brief.language, method_of(brief)
    rows = [(Phrase("Method"), method.label.in_(language))]
    if method is vocabulary.MethodName.OUTLINED:
        decides = Phrase("analyst decides").in_(language)
        depth = (
            Phrase("queries per section: {queries}; iterations: {iterations}")
            .in_(language)
            .format(queries=brief.queries_per_section or decides, iterations=brief.iterations or decides)
        )
        rows.append((Phrase("Depth"), depth))
    if brief.order is not None:
        rows.append((Phrase("Order of the search"), brief.order.label.in_(language)))
    if brief.file_format is not None:
        rows.append((Phrase("Format of the file"), brief.file_format))
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
        minutes = brief.max_minutes
        unit, lasts = (Phrase("{amount} s"), 60 * minutes) if minutes < 1 else (Phrase("{amount} min"), minutes)
        parts.append(unit.in_(language).format(amount=f"{lasts:g}"))
    return COMMA.in_(language).join(parts)


def _words(value: object, language: Language) -> str:
    if isinstance(value, vocabulary.Vocabulary | SourceName):
        value = value.words
    if isinstance(value, Bilingual):
        return value.in_(language)
    if isinstance(value, dict):
        equals = Bilingual(" = ", "＝").in_(language)
        return _words(tuple(f"{term}{equals}{meaning}" for term, meaning in value.items()), language)
    if isinstance(value, tuple):
        return Bilingual("; ", "、").in_(language).join(_words(item, language) for item in value)
    return str(value or "")


# --- the plan of a report, what is thought of what was found, and how that is assessed -------------------------------

_Text = Annotated[str, StringConstraints(strip_whitespace=True)]


def clipped(text: str, characters: int) -> str:
    """Return a text on one line of at most so many characters; what was cut ends with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1].rstrip() + "…"


class Depth(vocabulary.Frozen):
    """How deep to search each section, and why."""

    queries_per_section: int = Field(ge=1, le=vocabulary.DEEPEST)
    iterations: int = Field(ge=1, le=vocabulary.DEEPEST)
    reason: _Text = ""

    @classmethod
    def within(cls, queries_per_section: int, iterations: int, reason: str = "") -> Self:
        """Return the nearest depth that exists."""
        return cls(
            queries_per_section=min(max(queries_per_section, 1), vocabulary.DEEPEST),
            iterations=min(max(iterations, 1), vocabulary.DEEPEST),
            reason=reason,
        )


class Section(vocabulary.Frozen):
    """A part of the report: what it is about, and what it has to say."""

    title: _Text
    focus: _Text = ""
    questions: tuple[_Text, ...] = ()
    """The key questions that it answers."""
    needs: tuple[_Text, ...] = ()
    """The kinds of information that it requires, as one would name them."""

    @field_validator("title", "focus")
    @classmethod
    def _onclipped(cls, value: str) -> str:
        return clipped(value, 500)

    @field_validator("questions", "needs")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for text in value if (line := clipped(text, 300))))[:12]

    @property
    def wanted(self) -> tuple[str, ...]:
        """What is looked for, point by point: the kinds of information, else the key questions."""
        return self.needs or self.questions


class Outline(vocabulary.Frozen):
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


def topic_of(section: Section, question: str, language: Language, limits: Iterable[str]) -> str:
    """Return the section as a paragraph that a researcher can understand by itself; `limits` are further sentences."""
    wanted, stop = COMMA.in_(language).join(section.wanted), Bilingual(". ", "。").in_(language)
    with_points = Phrase("For the question “{question}”, find {focus}: {wanted}")
    text = with_points if wanted else Phrase("For the question “{question}”, find {focus}")
    asked = text.in_(language).format(question=question, focus=section.focus or section.title, wanted=wanted)
    return "".join(part + stop for part in (section.title, " ".join(asked.split()), *limits)).strip()


_TITLE_LENGTH = 60


def title_of(topic: str) -> str:
    """Return a heading for a topic: its first sentence, cut at a word if it is long."""
    first = first_sentence_of(topic).rstrip(".。:： ")
    if len(first) <= _TITLE_LENGTH:
        return first
    cut = first[: _TITLE_LENGTH - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > _TITLE_LENGTH // 2 else cut).rstrip(" ,、;；:：") + "…"


def first_sentence_of(topic: str) -> str:
    """Return the first sentence of a topic on one line."""
    span = next(iter(sentences(topic)), None)
    return " ".join(topic[span.start : span.end].split()) if span else ""


class Insight(vocabulary.Frozen):
    """Something learned."""

    text: _Text
    confidence: int = Field(ge=1, le=10)
    evidence: tuple[str, ...] = ()
    """Ids of the evidence that it rests on."""


class Doubt(vocabulary.Frozen):
    """Statements that contradict each other, or a claim that has to be verified."""

    text: _Text
    evidence: tuple[str, ...] = ()


class NextQuery(vocabulary.Frozen):
    """A query to be made next."""

    query: _Text
    reason: _Text = ""


class Reflection(vocabulary.Frozen):
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
    covered: tuple[str, ...]
    missing: tuple[str, ...]
    sufficient: bool
    confidence: float
    """From 0 to 1: how sure it is, by how much there is and how far sources agree on it."""
    at: datetime


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
class Assessment:
    """The state of one topic after a search, computed and not asked of a model."""

    criteria: Criteria
    gaps: GapReport
    good_sources: int
    """Sites with at least two detailed quotes on what is asked."""
    stale: int
    """Searches in a row, up to the last, that brought no new evidence."""

    def in_words(self, language: Language) -> str:
        """Return it as facts for a prompt or a reflection; it names kinds of information, never words of a page."""
        comma, nothing = COMMA.in_(language), Phrase("nothing").in_(language)
        text = Phrase(
            "Computed score {score}/10 (results {results}, relevance {relevance}, diversity {diversity}, "
            "detail {detail}, coverage {coverage}; 0 to 2 each). Good sources: {good_sources}. Searches in "
            "a row without anything new: {stale}. Not found yet: {missing}."
        )
        return text.in_(language).format(
            score=self.criteria.total,
            **self.criteria.by_name(),
            good_sources=self.good_sources,
            stale=self.stale,
            missing=comma.join(self.gaps.missing) or nothing,
        )


# --- what may be asked of a run that is under way --------------------------------------------------------------------


def _say_kind(schema: dict[str, Any]) -> None:
    """Let the description say that whoever asks names the kind, which code need not."""
    schema["required"] = ["kind", *schema.get("required", ())]


class _Steer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_say_kind)


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
    lane: Line


class BlockSite(_Steer):
    """Read no more pages of a site, or of a collection, and leave what was found there out of the report."""

    kind: Literal["block_site"] = "block_site"
    site: Line
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
