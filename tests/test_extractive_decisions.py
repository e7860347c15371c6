"""The extractive analyst's decisions, one view at a time."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from research.analysts import (
    ConductResearch,
    Findings,
    PageRequest,
    ReportRequest,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
    TopicResult,
)
from research.analysts.extractive import ExtractiveAnalyst, plan_for
from research.analysts.extractive.lenses import LENSES
from research.analysts.extractive.plan import concepts_of, section_for, section_of, title_of, topic_for
from research.core import (
    PRESETS,
    Assessment,
    Brief,
    Evidence,
    GapReport,
    Ledger,
    Page,
    PresetName,
    Region,
    Scope,
    Section,
    SourceKind,
    SourceName,
    StopReason,
)
from research.gaps import sufficiency
from research.language import Language
from research.text import tokens

ANALYST = ExtractiveAnalyst()
LIMITS = PRESETS[PresetName.QUALITY].limits
QUESTION = "What does Vietnam export?"
LINES = (
    "Vietnam – Exports 2024: $429.383 billion (2024 est.)",
    "Vietnam – Imports 2024: $398.672 billion (2024 est.)",
    "Vietnam – Exports, total 2024: $429.4 billion (2024 est.)",
    "Vietnam – Median age, total: 33.5 years (2025 est.)",
)


def ledger(*texts: str) -> tuple[tuple[Evidence, ...], dict[str, Page]]:
    """Each text on a page of its own, quoted as a whole."""
    books = Ledger()
    found: list[Evidence] = []
    for number, text in enumerate(texts):
        page = books.add_page(
            url=f"https://p{number}.example/",
            title="Vietnam — Economy",
            site=f"p{number}.example",
            origin=SourceName.WEB,
            kind=SourceKind.STATISTICS,
            published="2025",
            fetched_at=datetime(2026, 1, 5, tzinfo=UTC),
            text=text,
        )
        found.extend(books.quote(page, [text]))
    return tuple(found), books.pages


def supervisor_view(
    brief: Brief, steps: Sequence[Step] = (), results: Sequence[TopicResult] = (), topics_left: int = 8
) -> SupervisorView:
    limits = PRESETS[brief.preset].limits
    return SupervisorView(brief, "", date(2026, 11, 21), limits, len(steps), topics_left, tuple(steps), tuple(results))


def researcher_view(
    brief: Brief, topic: str, steps: Sequence[Step] = (), *texts: str, section: Section | None = None
) -> ResearcherView:
    evidence, pages = ledger(*texts)
    searches = sum(isinstance(step.action, Search) for step in steps)
    stale = 0 if texts else searches
    gaps = GapReport((), (), sufficient=True, confidence=1.0, at=datetime(2026, 1, 5, tzinfo=UTC))
    counted = Assessment(sufficiency(brief.question, evidence, pages), gaps, good_sources=0, stale=stale)
    return ResearcherView(
        brief,
        topic,
        date(2026, 11, 21),
        LIMITS,
        len(steps),
        LIMITS.searches - searches,
        tuple(steps),
        evidence,
        pages,
        section,
        counted if searches else None,
    )


async def played(brief: Brief, result_of: TopicResult) -> list[list[SupervisorAction]]:
    """Let the supervisor decide until it ends; every topic brings `result_of`."""
    steps: list[Step] = []
    results: list[TopicResult] = []
    decisions: list[list[SupervisorAction]] = []
    while not decisions or not isinstance(decisions[-1][0], ResearchComplete):
        left = PRESETS[brief.preset].limits.researchers - len(results)
        actions = await ANALYST.supervise(supervisor_view(brief, steps, results, left))
        decisions.append(actions)
        for action in actions:
            steps.append(Step(action, "done"))
            if isinstance(action, ConductResearch):
                results.append(TopicResult(action.topic, result_of.evidence, result_of.notes, result_of.failed))
    return decisions


@pytest.mark.parametrize("preset", list(PresetName))
@pytest.mark.parametrize(
    "outcome", [TopicResult("", ("E1",), "Sufficiency 9/10"), TopicResult("", (), "", failed=True)]
)
async def test_the_supervisor_keeps_its_limits_and_thinks_alone(preset: PresetName, outcome: TopicResult) -> None:
    decisions = await played(Brief(question=QUESTION, scope=Scope.COUNTRY, preset=preset), outcome)
    limits = PRESETS[preset].limits
    assert isinstance(decisions[0][0], Think)
    assert len(decisions) <= limits.supervisor_turns
    assert sum(isinstance(action, ConductResearch) for actions in decisions for action in actions) <= limits.researchers
    assert all(len(actions) == 1 for actions in decisions if any(isinstance(action, Think) for action in actions))


async def test_failed_topics_are_tried_once_more_and_good_ones_are_not() -> None:
    brief = Brief(question=QUESTION, scope=Scope.MARKET)

    def rounds(decisions: list[list[SupervisorAction]]) -> int:
        return sum(isinstance(actions[0], ConductResearch) for actions in decisions)

    assert rounds(await played(brief, TopicResult("", ("E1",), "Covered: all. Sufficiency 7/10"))) == 1
    assert rounds(await played(brief, TopicResult("", ("E1",), "", failed=True))) == 2


async def test_a_supervisor_whose_first_turn_is_the_last_researches_at_once() -> None:
    brief = Brief(question=QUESTION, preset=PresetName.SPEED)
    thought = [Step(Think("A model thought."), "")] * (PRESETS[PresetName.SPEED].limits.supervisor_turns - 1)
    actions = await ANALYST.supervise(supervisor_view(brief, thought))
    assert all(isinstance(action, ConductResearch) for action in actions)


@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize("language", list(Language))
def test_a_topic_is_self_contained_and_leads_back_to_its_section(scope: Scope, language: Language) -> None:
    brief = Brief(question=QUESTION, scope=scope, language=language, region=Region.ASEAN, exclusions=("rice",))
    sections = plan_for(brief).sections
    assert 3 <= len(LENSES[scope]) <= 5
    for section in sections:
        topic = topic_for(section, brief)
        assert QUESTION in topic
        assert "rice" in topic
        assert section_of(topic, QUESTION) == section
        assert title_of(topic) == section.title.in_(language)


def test_a_second_try_asks_only_for_what_is_missing() -> None:
    brief = Brief(question=QUESTION, scope=Scope.COUNTRY)
    section = LENSES[Scope.COUNTRY][1]
    topic = topic_for(section, brief, ["imports"])
    assert [aspect.label.en for aspect in section_of(topic, QUESTION).aspects] == ["imports"]
    assert section_of(topic, QUESTION, whole=True) == section


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("How do Vietnam and Indonesia compare as export markets?", Scope.MARKET),
        ("ベトナムの人口は？", Scope.COUNTRY),
        ("EUのAI規制はどう変わるか", Scope.POLICY),
        ("How does a heat pump work?", Scope.TECHNOLOGY),
        ("What is a koan?", Scope.OVERVIEW),
    ],
)
def test_the_lens_is_told_from_the_question_where_none_is_chosen(question: str, scope: Scope) -> None:
    plan = plan_for(Brief(question=question))
    assert plan.scope is scope
    assert not plan.is_chosen


def test_a_topic_of_a_model_gets_a_short_title() -> None:
    topic = (
        "Investigate the tariff regime that applies to industrial pumps imported into Vietnam, in detail. Then more."
    )
    title = title_of(topic)
    assert len(title) <= 60
    assert topic.startswith(title.removesuffix("…"))
    assert section_of(topic, QUESTION).title.en == title


# --- researcher ------------------------------------------------------------------------------------------------


async def decide(view: ResearcherView) -> ResearcherAction:
    (action,) = await ANALYST.investigate(view)
    return action


async def test_a_researcher_searches_broadly_then_thinks_then_searches_for_what_is_missing() -> None:
    brief = Brief(question=QUESTION, scope=Scope.COUNTRY)
    topic = topic_for(LENSES[Scope.COUNTRY][1], brief)
    first = await decide(researcher_view(brief, topic))
    assert isinstance(first, Search)
    assert all("Vietnam" in query for query in first.queries)
    steps = [Step(first, "")]
    thought = await decide(researcher_view(brief, topic, steps, *LINES[:2]))
    assert isinstance(thought, Think)
    assert "Missing: " in thought.reflection
    assert "2 quotes from 2 pages" in thought.reflection
    second = await decide(researcher_view(brief, topic, [*steps, Step(thought, "")], *LINES[:2]))
    assert isinstance(second, Search)
    assert not set(second.queries) & set(first.queries)
    assert any("GDP" in query for query in second.queries)


async def test_a_researcher_stops_after_two_searches_without_anything_new() -> None:
    brief = Brief(question=QUESTION, scope=Scope.COUNTRY)
    topic = topic_for(LENSES[Scope.COUNTRY][1], brief)
    steps: list[Step] = []
    for _ in range(LIMITS.researcher_turns):
        action = await decide(researcher_view(brief, topic, steps))
        if isinstance(action, ResearchComplete):
            break
        steps.append(Step(action, ""))
    assert isinstance(action, ResearchComplete)
    assert sum(isinstance(step.action, Search) for step in steps) == 2
    assert action.code is StopReason.REPEATED


async def test_a_japanese_question_is_searched_for_in_both_languages() -> None:
    brief = Brief(question="ベトナムの輸出は？", scope=Scope.COUNTRY, language=Language.JA)
    action = await decide(researcher_view(brief, topic_for(LENSES[Scope.COUNTRY][1], brief)))
    assert isinstance(action, Search)
    assert any(query.startswith("ベトナム ") for query in action.queries)
    assert any(query.startswith("Vietnam ") for query in action.queries)


@pytest.mark.parametrize(
    ("question", "language", "word", "stem"),
    [
        ("ケニアの小売の見通しは？", Language.JA, "見通し", "見通"),
        ("ケニアの見通しなどを知りたい", Language.JA, "見通し", "見通"),
        ("売り上げの伸びを調べたい", Language.JA, "売り上げ", "売り上"),
        ("二社の取り組みを比較", Language.JA, "取り組み", "取り組"),
        ("電力料金の値上げの影響", Language.JA, "値上げ", "値上"),
        ("What are the weaknesses of Kenya?", Language.EN, "weaknesses", "weaknesse"),
    ],
)
async def test_queries_and_gaps_spell_the_words_of_the_question_as_it_does(
    question: str, language: Language, word: str, stem: str
) -> None:
    brief = Brief(question=question, language=language)
    search = await decide(researcher_view(brief, question))
    assert isinstance(search, Search)
    searched = [part for query in search.queries if query != question for part in query.split()]
    assert word in searched
    assert stem not in searched
    thought = await decide(researcher_view(brief, question, [Step(search, "")], LINES[0]))
    assert isinstance(thought, Think)
    missing = {part for gap in thought.parts.gaps for part in gap.split(": ")} if thought.parts else set()
    assert word in missing
    assert stem not in missing


@pytest.mark.parametrize(
    ("word", "english", "japanese"),
    [
        ("ケニアの見通し", "forecast", "見通し"),
        ("カフェの売り上げ", "sales", "売り上げ"),
        ("Weaknesses of Kenya", "weaknesses", "弱み"),
    ],
)
def test_words_are_translated_as_they_are_spelt(word: str, english: str, japanese: str) -> None:
    direct = plan_for(Brief(question=word)).sections[0]
    assert ((english,), (japanese,)) in [aspect.words for aspect in direct.aspects]


def test_what_a_plan_wants_found_is_looked_for_in_its_own_spelling() -> None:
    wanted = ("Weaknesses, taxes and tariffs", "小売の取り組みと値上げと売り上げ")
    labels = {aspect.label.ja for aspect in section_for(Section(title="？", needs=wanted), "？").aspects}
    assert labels == {"weaknesses", "taxes", "tariffs", "小売", "取り組み", "値上げ", "売り上げ"}


def test_a_spelling_with_its_kana_is_covered_by_any_other() -> None:
    question = "ケニアの見通し"
    (concept, *_) = concepts_of(plan_for(Brief(question=question)).sections[0], question, Language.JA)
    assert concept.label == "見通し"
    assert concept.match(set(tokens("先が見通せない"))) >= 0.9
    assert concept.match(set(tokens("The forecasts are bright."))) >= 0.9
    assert concept.match(set(tokens("市場の規模"))) == 0.0


# --- compress and summarise ------------------------------------------------------------------------------------


async def test_compress_keeps_a_quote_of_each_source_and_drops_doubles() -> None:
    brief = Brief(question=QUESTION, scope=Scope.COUNTRY)
    evidence, pages = ledger(LINES[0], LINES[3])
    double = evidence[0].model_copy(update={"id": "E9"})
    topic = topic_for(LENSES[Scope.COUNTRY][1], brief)
    compression = await ANALYST.compress(Findings(brief, topic, (*evidence, double), pages))
    assert compression.keep == ("E1", "E2")
    assert "Missing: " in compression.notes


async def test_a_summary_names_only_what_the_quotes_are_about() -> None:
    _, pages = ledger("\n".join(LINES))
    topic = topic_for(LENSES[Scope.COUNTRY][1], Brief(question=QUESTION))
    request = PageRequest(pages["S1"], pages["S1"].text, QUESTION, topic, LIMITS)
    summary = await ANALYST.summarise(request)
    assert summary.by_rule
    assert summary.key_excerpts[0] == LINES[0]
    assert 1 <= len(summary.key_excerpts) <= 5
    assert all(excerpt in pages["S1"].text for excerpt in summary.key_excerpts)
    assert "429" not in summary.summary
    assert ANALYST.summary_key(request) is None


async def test_a_large_page_is_summarised_too() -> None:
    text = "The weather was fine on that day in the north.\n" * 3_000 + LINES[0]
    _, pages = ledger(text)
    request = PageRequest(pages["S1"], text, QUESTION, "Exports of Vietnam", LIMITS)
    assert LINES[0] in (await ANALYST.summarise(request)).key_excerpts


async def test_a_report_can_be_written_for_topics_of_a_model() -> None:
    evidence, pages = ledger(*LINES[:2])
    topic = "Investigate what Vietnam exports, and to which countries, with figures for the last three years. Be brief."
    request = ReportRequest(
        Brief(question=QUESTION),
        "",
        date(2026, 11, 21),
        (TopicResult(topic, ("E1", "E2"), "A model's notes."),),
        {entry.id: entry for entry in evidence},
        pages,
    )
    report = "".join([piece async for piece in ANALYST.write(request)])
    assert report.startswith(f"# {QUESTION}\n")
    assert "## Investigate what Vietnam exports" in report
    assert "[E1]" in report
    assert "http" not in report
