"""What data is made of: values that nothing changes, and the closed lists of terms that a brief chooses from."""

from __future__ import annotations

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

    @property
    def days(self) -> int:
        """Length of the period in days."""
        return {"week": 7, "month": 31, "quarter": 92, "year": 366, "3years": 1096, "5years": 1827}[self.value]


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


class SourceName(Vocabulary):
    """Where pages come from."""

    WEB = ("web", Phrase("Web"), Phrase("the web"))
    LIBRARY = ("library", Phrase("My documents"), Phrase("the user's own documents"))
    FACTBOOK = ("factbook", Phrase("The World Factbook (sample)"), Phrase("The World Factbook"))
    HOUSE = ("house", Phrase("House documents (sample company)"), Phrase("the house documents of the sample company"))
    MCP = ("mcp", Phrase("Connected servers (MCP)"), Phrase("connected servers"))

    @property
    def is_own(self) -> bool:
        """Whether it holds documents of the user's own."""
        return self in (SourceName.LIBRARY, SourceName.HOUSE)

    @property
    def is_private(self) -> bool:
        """Whether what it holds is for nobody else: own documents, and what connected servers answer."""
        return self.is_own or self is SourceName.MCP


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


_PRIMARY = frozenset(
    {SourceKind.STATISTICS, SourceKind.GOVERNMENT, SourceKind.COMPANY, SourceKind.PAPER, SourceKind.DOCUMENT}
)


def is_primary(kind: SourceKind) -> bool:
    """Whether pages of this kind report what their makers did, counted, decided or found themselves."""
    return kind in _PRIMARY
