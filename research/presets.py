"""Five uses of research, as plain data: which models, how far to go, how long to write."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from research.language import Bilingual
from research.methods.limits import MethodLimits
from research.methods.names import MethodName
from research.vocabulary import Length, OutputForm, Summary, Tone


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
    """Where each loop ends."""

    supervisor_turns: int
    """Decisions of the supervisor, reflections included."""
    researchers: int
    """Topics over the whole run."""
    concurrent_researchers: int
    """Topics researched at the same time; the rest wait their turn."""
    searches: int
    """Search rounds of one researcher."""
    queries: int
    """Queries in one search round."""
    results: int
    """Pages taken from one query."""
    summary_words: int
    """Length that a page summary is asked to keep to."""
    page_characters: int = 24_000
    """Characters of a page that a summary may see; of longer pages, the passages nearest to the question."""
    summary_seconds: float = 60.0
    """After this a page is quoted by rule instead of summarised."""
    methods: MethodLimits = field(default_factory=MethodLimits)

    @property
    def researcher_turns(self) -> int:
        """Decisions of one researcher: a search and a reflection on it each round, and one to end."""
        return self.searches * 2 + 2


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
    limits: Limits
    models: dict[Role, str]
    form: OutputForm
    length: Length
    summary: Summary
    tone: Tone


_SMALL, _LARGE = "gpt-5.4-mini", "gpt-5.4"


def _models(research: str, summarization: str, compression: str, final_report: str) -> dict[Role, str]:
    return {
        Role.PLANNING: research,
        Role.RESEARCH: research,
        Role.SUMMARIZATION: summarization,
        Role.COMPRESSION: compression,
        Role.FINAL_REPORT: final_report,
    }


PRESETS: dict[PresetName, Preset] = {
    PresetName.SPEED: Preset(
        label=Bilingual("Speed", "速さ優先"),
        hint=Bilingual("On the move: key points in a minute or two", "移動中に：1〜2分で要点だけ"),
        words=Bilingual("Be quick: the key points only.", "速さ優先：要点のみ。"),
        method=MethodName.CHAINED,
        limits=Limits(
            supervisor_turns=5,
            researchers=2,
            concurrent_researchers=2,
            searches=1,
            queries=2,
            results=4,
            summary_words=120,
            page_characters=12_000,
            methods=MethodLimits(sections=3, iterations=1, chain=4, gap_iterations=1, cycles=1),
        ),
        models=_models(_SMALL, "gpt-5.4-nano", _SMALL, _SMALL),
        form=OutputForm.POINTS,
        length=Length.PAGE,
        summary=Summary.NONE,
        tone=Tone.PLAIN,
    ),
    PresetName.COST: Preset(
        label=Bilingual("Low cost", "低コスト"),
        hint=Bilingual("Used often: short plain text for little money", "頻繁な利用に：短い文章を安く"),
        words=Bilingual("Be economical: a short plain text.", "低コスト：短い平易な文章。"),
        method=MethodName.CHAINED,
        limits=Limits(
            supervisor_turns=5,
            researchers=3,
            concurrent_researchers=3,
            searches=2,
            queries=2,
            results=4,
            summary_words=120,
            page_characters=12_000,
            methods=MethodLimits(sections=3, iterations=2, chain=6, gap_iterations=2, cycles=2),
        ),
        models=_models("gpt-5.4-nano", "gpt-5.4-nano", "gpt-5.4-nano", _SMALL),
        form=OutputForm.TEXT,
        length=Length.SHORT,
        summary=Summary.FIRST,
        tone=Tone.PLAIN,
    ),
    PresetName.QUALITY: Preset(
        label=Bilingual("Quality", "品質優先"),
        hint=Bilingual("A few times a month: long and complete", "月に数回：長く、漏れなく"),
        words=Bilingual("Be thorough and complete.", "品質優先：徹底的に、漏れなく。"),
        method=MethodName.SUPERVISED,
        limits=Limits(
            supervisor_turns=12,
            researchers=8,
            concurrent_researchers=4,
            searches=5,
            queries=3,
            results=6,
            summary_words=250,
        ),
        models=_models(_LARGE, _SMALL, _LARGE, _LARGE),
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        tone=Tone.NEUTRAL,
    ),
    PresetName.FACT_STRICT: Preset(
        label=Bilingual("Fact-strict", "事実厳格"),
        hint=Bilingual("Board papers: no inference, no opinion", "取締役会資料に：推論や意見を交えない"),
        words=Bilingual(
            "Only what primary sources state; no inference, no opinion.",
            "一次情報が述べることのみ。推論や意見は書かない。",
        ),
        method=MethodName.GAP_DRIVEN,
        limits=Limits(
            supervisor_turns=12,
            researchers=6,
            concurrent_researchers=3,
            searches=5,
            queries=3,
            results=6,
            summary_words=200,
        ),
        models=_models(_LARGE, _SMALL, _LARGE, _LARGE),
        form=OutputForm.TEXT,
        length=Length.SHORT,
        summary=Summary.FIRST,
        tone=Tone.FORMAL,
    ),
    PresetName.INSIGHT: Preset(
        label=Bilingual("Insight", "発想・示唆"),
        hint=Bilingual("Ideas: other industries and countries, new angles", "アイデアに：他業界・他国、新しい視点"),
        words=Bilingual(
            "Look for new angles: other industries, other countries, unusual comparisons.",
            "新しい視点を探す：他業界、他国、意外な比較。",
        ),
        method=MethodName.OUTLINED,
        limits=Limits(
            supervisor_turns=12,
            researchers=8,
            concurrent_researchers=4,
            searches=4,
            queries=4,
            results=5,
            summary_words=200,
        ),
        models=_models(_LARGE, _SMALL, _LARGE, _LARGE),
        form=OutputForm.MIX,
        length=Length.MEDIUM,
        summary=Summary.FIRST,
        tone=Tone.CRITICAL,
    ),
}
