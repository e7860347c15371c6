"""What a brief chooses from: closed lists of terms, methods with their limits, and presets by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict

from research.language import Bilingual, Phrase


class Frozen(BaseModel):
    """Data that nothing changes once it is made."""

    model_config = ConfigDict(frozen=True)


class Vocabulary(StrEnum):
    """A closed list of terms; the value is what files and the command line hold."""

    label: Bilingual
    """Its name for a person."""
    words: Bilingual
    """What it adds to a brief, or says beside its label; the label itself if there is no more to say."""

    def __new__(cls, value: str, *said: Phrase) -> Self:
        """Make a term from its value, its label and, if there are any, its words."""
        term = str.__new__(cls, value)
        term._value_ = value
        term.label, term.words = said[0], said[-1]
        return term


class Scope(Vocabulary):
    """The lens through which the question is looked at; it decides the sections of a report."""

    OVERVIEW = (
        "overview",
        Phrase("Overview"),
        Phrase("Give an overview: definition, present state, concrete cases, outlook."),
    )
    MARKET = (
        "market",
        Phrase("Market"),
        Phrase("Look at the market: size and growth, segments, demand, players, outlook."),
    )
    COMPANY = (
        "company",
        Phrase("Company"),
        Phrase("Look at the company: business, figures, strategy, people, recent events, risks."),
    )
    COMPETITORS = (
        "competitors",
        Phrase("Competitors"),
        Phrase("Compare competitors: position, offer, price, strengths and weaknesses, moves."),
    )
    TECHNOLOGY = (
        "technology",
        Phrase("Technology"),
        Phrase("Look at the technology: how it works, maturity, uses, limits, who develops it."),
    )
    POLICY = (
        "policy",
        Phrase("Policy and regulation"),
        Phrase("Look at policy and regulation: rules in force, planned changes, authorities, effects."),
    )
    COUNTRY = (
        "country",
        Phrase("Country"),
        Phrase("Look at the country: population, economy, energy and infrastructure, government, risks."),
    )
    LITERATURE = (
        "literature",
        Phrase("Literature"),
        Phrase("Review the literature: questions asked, methods, findings, disagreement, open problems."),
    )
    RISK = ("risk", Phrase("Risks"), Phrase("Look for risks: causes, likelihood, effects, early signs, mitigation."))


class PeriodChoice(Vocabulary):
    """How far back information may date."""

    WEEK = ("week", Phrase("Past week"), Phrase("from the past week"))
    MONTH = ("month", Phrase("Past month"), Phrase("from the past month"))
    QUARTER = ("quarter", Phrase("Past 3 months"), Phrase("from the past three months"))
    YEAR = ("year", Phrase("Past year"), Phrase("from the past year"))
    THREE_YEARS = ("3years", Phrase("Past 3 years"), Phrase("from the past three years"))
    FIVE_YEARS = ("5years", Phrase("Past 5 years"), Phrase("from the past five years"))
    TEN_YEARS = ("10years", Phrase("Past 10 years"), Phrase("from the past ten years"))

    @property
    def days(self) -> int:
        """Length of the period in days."""
        days = {"week": 7, "month": 31, "quarter": 92, "year": 366, "3years": 1096, "5years": 1827, "10years": 3653}
        return days[self.value]


class Region(Vocabulary):
    """The part of the world that the report is about."""

    WORLD = ("world", Phrase("Worldwide"), Phrase("the whole world"))
    JAPAN = ("japan", Phrase("Japan"), Phrase("Japan"))
    ASIA = ("asia", Phrase("Asia"), Phrase("Asia"))
    ASEAN = ("asean", Phrase("South-East Asia"), Phrase("South-East Asia"))
    CHINA = ("china", Phrase("China"), Phrase("China"))
    INDIA = ("india", Phrase("India"), Phrase("India"))
    NORTH_AMERICA = ("north-america", Phrase("North America"), Phrase("North America"))
    LATIN_AMERICA = ("latin-america", Phrase("Latin America"), Phrase("Latin America"))
    EUROPE = ("europe", Phrase("Europe"), Phrase("Europe"))
    MIDDLE_EAST = ("middle-east", Phrase("Middle East"), Phrase("the Middle East"))
    AFRICA = ("africa", Phrase("Africa"), Phrase("Africa"))
    OCEANIA = ("oceania", Phrase("Oceania"), Phrase("Oceania"))


class Outside(Vocabulary):
    """What of the brief's limits a page is outside of: it is read, but after all others, and marked."""

    PERIOD = ("period", Phrase("outside the period"), Phrase("from outside the period that is asked for"))
    REGION = ("region", Phrase("another region"), Phrase("about another region than is asked for"))


class Audience(Vocabulary):
    """Who will read the report."""

    FRONT_LINE = ("front-line", Phrase("Front line"), Phrase("for people doing the work: concrete and practical"))
    MANAGEMENT = ("management", Phrase("Management"), Phrase("for managers: options, effort and consequences"))
    EXECUTIVES = ("executives", Phrase("Executives"), Phrase("for executives: what matters for the decision, briefly"))


class OutputForm(Vocabulary):
    """What the report is made of."""

    TEXT = ("text", Phrase("Text", "form of a report"), Phrase("continuous text"))
    POINTS = ("points", Phrase("Key points"), Phrase("key points, one thought each"))
    CHARTS = (
        "charts",
        Phrase("Charts and figures"),
        Phrase("figures first: short text around tables of figures; the program draws the charts"),
    )
    MIX = ("mix", Phrase("Text, tables and charts"), Phrase("text with tables where they help"))


class Length(Vocabulary):
    """How long the report may be."""

    PAGE = ("page", Phrase("One page"), Phrase("about one page"))
    SHORT = ("short", Phrase("2–3 pages"), Phrase("two to three pages"))
    MEDIUM = ("medium", Phrase("4–8 pages"), Phrase("four to eight pages"))
    LONG = ("long", Phrase("10–30 pages"), Phrase("ten to thirty pages"))


class Summary(Vocabulary):
    """Where the executive summary stands."""

    FIRST = ("first", Phrase("At the start"), Phrase("an executive summary at the start"))
    LAST = ("last", Phrase("At the end"), Phrase("an executive summary at the end"))
    NONE = ("none", Phrase("None"), Phrase("no executive summary"))


class Tone(Vocabulary):
    """The manner of writing."""

    NEUTRAL = ("neutral", Phrase("Neutral"), Phrase("neutral and factual"))
    FORMAL = ("formal", Phrase("Formal"), Phrase("formal, as for a board paper"))
    PLAIN = ("plain", Phrase("Plain", "tone"), Phrase("plain words, no jargon"))
    CRITICAL = ("critical", Phrase("Critical"), Phrase("critical: weigh the sources against each other"))


class SourceKind(Vocabulary):
    """What kind of page a source is."""

    STATISTICS = ("statistics", Phrase("Official statistics"), Phrase("official statistics"))
    GOVERNMENT = ("government", Phrase("Government"), Phrase("government pages"))
    COMPANY = ("company", Phrase("Company"), Phrase("company reports"))
    PAPER = ("paper", Phrase("Paper", "kind of source"), Phrase("scientific papers"))
    NEWS = ("news", Phrase("News"), Phrase("news"))
    TRADE = ("trade", Phrase("Trade press and associations"), Phrase("trade press and associations"))
    BLOG = ("blog", Phrase("Blog"), Phrase("blogs"))
    SOCIAL = ("social", Phrase("Social media"), Phrase("social media"))
    DOCUMENT = ("document", Phrase("Own document"), Phrase("own documents"))
    OTHER = ("other", Phrase("Other"), Phrase("other pages"))


class SearchOrder(Vocabulary):
    """Whether own documents and connected servers are searched before the open web, or after it."""

    INSIDE_FIRST = ("inside-first", Phrase("Inside first"), Phrase("own documents and servers first, then the web"))
    OUTSIDE_FIRST = ("outside-first", Phrase("Outside first"), Phrase("the web first, then own documents and servers"))


_PRIMARY = frozenset(
    {SourceKind.STATISTICS, SourceKind.GOVERNMENT, SourceKind.COMPANY, SourceKind.PAPER, SourceKind.DOCUMENT}
)


def is_primary(kind: SourceKind) -> bool:
    """Whether pages of this kind report what their makers did, counted, decided or found themselves."""
    return kind in _PRIMARY


# --- How research goes: methods, limits, presets ---------------------------------------------------------------------


TERMS: Mapping[str, type[Vocabulary]] = {
    "scope": Scope,
    "period": PeriodChoice,
    "region": Region,
    "order": SearchOrder,
    "audience": Audience,
    "form": OutputForm,
    "length": Length,
    "summary": Summary,
    "tone": Tone,
}
"""The vocabulary of each field of a brief that is chosen from one."""


class MethodName(Vocabulary):
    """How research is organised: who plans, and when it stops. All else is the same for every method."""

    OUTLINED = (
        "outlined",
        Phrase("Outlined"),
        Phrase(
            "A plan of sections that you can edit first; each is searched and reflected on. For structured reports."
        ),
    )
    CHAINED = (
        "chained",
        Phrase("Chained"),
        Phrase(
            "One query leads to the next until a computed score is high enough. For one clear question, at least cost."
        ),
    )
    GAP_DRIVEN = (
        "gap-driven",
        Phrase("Gap-driven"),
        Phrase("Searches each section again for exactly what is still missing. For checklists that must be filled."),
    )
    SUPERVISED = (
        "supervised",
        Phrase("Supervised"),
        Phrase("A supervisor hands topics to researchers who work in parallel. For wide or open questions."),
    )
    NOTED = (
        "noted",
        Phrase("Noted"),
        Phrase("A few queries a cycle, a research note for each. For a trail that others can follow and reuse."),
    )

    @property
    def hint(self) -> Bilingual:
        """When to use it, for the dropdown."""
        return self.words


DEEPEST = 5
"""Queries a section, and iterations, are chosen from 1 to this."""


@dataclass(frozen=True)
class MethodLimits:
    """The numbers of the methods. A preset may set them lower."""

    # outlined
    sections: int = 5
    """Sections of a plan, at most; a planner is asked for three to this many."""
    iterations: int = DEEPEST
    """Searches of one section, at most, however deep the analyst would go."""
    spare_steps: int = 10
    """Steps that a run has besides those that its plan needs."""
    steps_per_query: int = 2
    """A search, and the reflection on it."""
    plan_seconds: float = 15.0
    """How long a plan that somebody watches waits to be edited, before research begins by itself."""
    editing_seconds: float = 900.0
    """How long it waits while somebody edits it."""

    # chained
    enough: int = 8
    """The score, of 10, at which a chain ends."""
    chain: int = 10
    """Its queries, at most."""

    # gap-driven
    gap_iterations: int = 3

    # supervised
    simple_searches: int = 3
    """Search rounds for a simple topic."""
    hard_searches: int = 5
    """Search rounds for a hard topic."""
    good_sources: int = 3
    """Good sources that answer a simple topic."""
    repeats: int = 2
    """Searches in a row that bring nothing new, after which a topic ends."""

    # noted
    planned_queries: int = 3
    """Queries of one cycle."""
    cycles: int = 3
    note_tokens: int = 512
    """Length of a research note, at most."""
    cycle_seconds: float = 300.0
    """How long a cycle may take on average; when all are over, the report is written from what there is."""

    def step_budget(self, sections: int, queries_per_section: int, iterations: int) -> int:
        """Return the steps that a plan may take: one for each search and each reflection."""
        return self.spare_steps + sections * queries_per_section * iterations * self.steps_per_query


class StopReason(Vocabulary):
    """Why it ended."""

    COMPLETE = ("complete", Phrase("The analyst saw the question as answered."))
    ENOUGH = ("enough", Phrase("The computed score is high enough."))
    COVERED = ("covered", Phrase("Everything that was asked for is covered."))
    ANSWERED = ("answered", Phrase("Three or more good sources answer it."))
    REPEATED = ("repeated", Phrase("Further searches brought nothing new."))
    LIMIT = ("limit", Phrase("The limit of searches is reached."))
    BUDGET = ("budget", Phrase("The budget of steps is used up."))
    UNPLANNED = ("unplanned", Phrase("The plan is empty: no detailed research is needed."))
    NO_HITS = ("no_hits", Phrase("Nothing was found."))
    TIMEOUT = ("timeout", Phrase("It took too long and ended with what it had."))
    FINISH = ("finish", Phrase("It was finished early, as asked."))
    CAP = ("cap", Phrase("It ended to stay within the cap that was set."))
    DROPPED = ("dropped", Phrase("It was dropped, as asked."))
    FAILED = ("failed", Phrase("It failed before it was done."))

    @classmethod
    def words_of(cls, code: str) -> Bilingual:
        """Return the words for a code, also for one that this version does not know."""
        return next((reason.label for reason in cls if reason.value == code), Bilingual(code, code))


class Status(Vocabulary):
    """How a run ended."""

    COMPLETE = ("complete", Phrase("Complete"))
    PARTIAL = ("partial", Phrase("Partial"))
    FAILED = ("failed", Phrase("Failed"))


class Role(StrEnum):
    """What a model is used for; each role can have a model of its own."""

    PLANNING = "planning"
    RESEARCH = "research"
    SUMMARIZATION = "summarization"
    COMPRESSION = "compression"
    FINAL_REPORT = "final_report"


class PresetName(StrEnum):
    """The names of the presets, as files and the command line hold them."""

    SPEED = "speed"
    COST = "cost"
    QUALITY = "quality"
    FACT_STRICT = "fact-strict"
    INSIGHT = "insight"


@dataclass(frozen=True)
class Limits:
    """Where each loop ends; the defaults are those of `quality`."""

    supervisor_turns: int = 12
    """Decisions of the supervisor, reflections included."""
    researchers: int = 8
    """Topics over the whole run."""
    concurrent_researchers: int = 4
    """Topics researched at the same time; the rest wait their turn."""
    searches: int = 5
    """Search rounds of one researcher."""
    queries: int = 3
    """Queries in one search round."""
    results: int = 6
    """Pages taken from one query."""
    summary_words: int = 250
    """Length that a page summary is asked to keep to."""
    bearing_characters: int = 4_000
    """Characters of a page that a model is shown: they hold 96 to 98 of 100 passages that answer a question."""
    rich_characters: int = 12_000
    """The same of a page of which more says what is asked."""
    summary_seconds: float = 60.0
    """After this a page is quoted by rule instead of summarised."""
    page_patience: float = 2.0
    """Seconds for which a researcher waits at least for the last pages of a search before it goes on without them."""
    methods: MethodLimits = field(default_factory=MethodLimits)

    @property
    def researcher_turns(self) -> int:
        """Decisions of one researcher: a search and a reflection on it each round, and one to end."""
        return self.searches * 2 + 2


_BRIEFLY = Limits(
    supervisor_turns=5,
    researchers=3,
    concurrent_researchers=3,
    searches=2,
    queries=2,
    results=4,
    summary_words=120,
    rich_characters=8_000,
    methods=MethodLimits(sections=3, iterations=2, chain=6, gap_iterations=2, cycles=2),
)


def _models(deciding: str, reading: str, writing: str) -> dict[Role, str]:
    return dict.fromkeys(Role, deciding) | {Role.SUMMARIZATION: reading, Role.FINAL_REPORT: writing}


_SMALLEST, _SMALL, LARGE_MODEL = "gpt-5.4-nano", "gpt-5.4-mini", "gpt-5.4"
"""Models of the presets; of another provider, its large model stands for the last and its small one for the others."""


@dataclass(frozen=True)
class Preset:
    """One way to use the workbench."""

    label: Bilingual
    hint: Bilingual
    """When to use it, for the dropdown."""
    words: Bilingual
    """What it adds to the brief."""
    method: MethodName
    """How its research is organised, unless the brief says otherwise."""
    limits: Limits = Limits()
    models: dict[Role, str] = field(default_factory=lambda: _models(LARGE_MODEL, _SMALL, LARGE_MODEL))
    form: OutputForm = OutputForm.MIX
    length: Length = Length.MEDIUM
    summary: Summary = Summary.FIRST
    tone: Tone = Tone.NEUTRAL


PRESETS: dict[PresetName, Preset] = {
    PresetName.SPEED: Preset(
        Phrase("Speed"),
        Phrase("On the move: key points in a minute or two"),
        Phrase("Be quick: the key points only."),
        MethodName.CHAINED,
        replace(
            _BRIEFLY,
            researchers=2,
            concurrent_researchers=2,
            searches=1,
            methods=MethodLimits(sections=3, iterations=1, chain=4, gap_iterations=1, cycles=1),
        ),
        _models(_SMALL, _SMALLEST, _SMALL),
        OutputForm.POINTS,
        Length.PAGE,
        Summary.NONE,
        Tone.PLAIN,
    ),
    PresetName.COST: Preset(
        Phrase("Low cost"),
        Phrase("Used often: short plain text for little money"),
        Phrase("Be economical: a short plain text."),
        MethodName.CHAINED,
        _BRIEFLY,
        _models(_SMALLEST, _SMALLEST, _SMALL),
        form=OutputForm.TEXT,
        length=Length.SHORT,
        tone=Tone.PLAIN,
    ),
    PresetName.QUALITY: Preset(
        Phrase("Quality"),
        Phrase("A few times a month: long and complete"),
        Phrase("Be thorough and complete."),
        MethodName.SUPERVISED,
    ),
    PresetName.FACT_STRICT: Preset(
        Phrase("Fact-strict"),
        Phrase("Board papers: no inference, no opinion"),
        Phrase("Only what primary sources state; no inference, no opinion."),
        MethodName.GAP_DRIVEN,
        Limits(researchers=6, concurrent_researchers=3, summary_words=200),
        form=OutputForm.TEXT,
        length=Length.SHORT,
        tone=Tone.FORMAL,
    ),
    PresetName.INSIGHT: Preset(
        Phrase("Insight"),
        Phrase("Ideas: other industries and countries, new angles"),
        Phrase("Look for new angles: other industries, other countries, unusual comparisons."),
        MethodName.OUTLINED,
        Limits(searches=4, queries=4, results=5, summary_words=200),
        tone=Tone.CRITICAL,
    ),
}
