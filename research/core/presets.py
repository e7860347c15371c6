"""Presets and methods by name: limits, models for each role, when research stops."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from research.core.vocabulary import Length, OutputForm, Summary, Tone
from research.language import Bilingual


class MethodName(StrEnum):
    """How research is organised: who plans, and when it stops. All else is the same for every method."""

    label: Bilingual
    hint: Bilingual
    """When to use it, for the dropdown."""

    def __new__(cls, value: str, label: tuple[str, str], hint: tuple[str, str]) -> Self:
        """Make a name from its value, its (en, ja) label and its (en, ja) hint."""
        name = str.__new__(cls, value)
        name._value_ = value
        name.label = Bilingual(*label)
        name.hint = Bilingual(*hint)
        return name

    OUTLINED = (
        "outlined",
        ("Outlined", "章立て型"),
        (
            "A plan of sections that you can edit first; each is searched and reflected on. For structured reports.",
            "最初に章立てを作り（編集可）、章ごとに検索と振り返りを行います。構成の決まった報告書に。",
        ),
    )
    CHAINED = (
        "chained",
        ("Chained", "連鎖検索型"),
        (
            "One query leads to the next until a computed score is high enough. For one clear question, at least cost.",
            "充足度の点数が十分になるまで、検索を一つずつつなげます。問いが一つのときに、最も安く。",
        ),
    )
    GAP_DRIVEN = (
        "gap-driven",
        ("Gap-driven", "不足補完型"),
        (
            "Searches each section again for exactly what is still missing. For checklists that must be filled.",
            "章ごとに、まだ足りない情報だけを追加で検索します。漏れなく埋めたい項目があるときに。",
        ),
    )
    SUPERVISED = (
        "supervised",
        ("Supervised", "チーム型"),
        (
            "A supervisor hands topics to researchers who work in parallel. For wide or open questions.",
            "監督役がトピックを割り振り、複数の調査役が並行して調べます。範囲の広い問いに。",
        ),
    )
    NOTED = (
        "noted",
        ("Noted", "ノート型"),
        (
            "A few queries a cycle, a research note for each. For a trail that others can follow and reuse.",
            "一巡ごとに少数の検索を行い、それぞれ調査ノートを残します。過程を他の人と共有したいときに。",
        ),
    )


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
    plan_seconds: float = 60.0
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


class StopReason(StrEnum):
    """Why it ended."""

    label: Bilingual

    def __new__(cls, value: str, en: str, ja: str) -> Self:
        """Make a reason from its value and its words."""
        reason = str.__new__(cls, value)
        reason._value_ = value
        reason.label = Bilingual(en, ja)
        return reason

    COMPLETE = ("complete", "The analyst saw the question as answered.", "分析役が、答えられると判断しました。")
    ENOUGH = ("enough", "The computed score is high enough.", "充足度の点数が十分に達しました。")
    COVERED = ("covered", "Everything that was asked for is covered.", "求める情報がすべてそろいました。")
    ANSWERED = ("answered", "Three or more good sources answer it.", "3件以上の良い情報源で答えられます。")
    REPEATED = ("repeated", "Further searches brought nothing new.", "検索を続けても新しい情報がありませんでした。")
    LIMIT = ("limit", "The limit of searches is reached.", "検索回数の上限に達しました。")
    BUDGET = ("budget", "The budget of steps is used up.", "手順の予算を使い切りました。")
    UNPLANNED = (
        "unplanned",
        "The plan is empty: no detailed research is needed.",
        "計画が空のため、詳細な調査は不要と判断しました。",
    )
    NO_HITS = ("no_hits", "Nothing was found.", "該当する情報が見つかりませんでした。")
    TIMEOUT = (
        "timeout",
        "It took too long and ended with what it had.",
        "時間内に終わらず、その時点の内容で終了しました。",
    )
    FINISH = ("finish", "It was finished early, as asked.", "指示により途中で終了しました。")
    CAP = ("cap", "The cap that was set for the run is reached.", "この実行に設定した上限に達しました。")
    DROPPED = ("dropped", "It was dropped, as asked.", "指示により対象から外しました。")
    FAILED = ("failed", "It failed before it was done.", "途中で失敗しました。")

    @classmethod
    def words_of(cls, code: str) -> Bilingual:
        """Return the words for a code, also for one that this version does not know."""
        return next((reason.label for reason in cls if reason.value == code), Bilingual(code, code))


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
