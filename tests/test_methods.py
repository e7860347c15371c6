"""The five methods: who plans, when they stop, and what they make of bad plans, models and sources."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest
from pydantic import ValidationError

from research import analysts, core
from research.analysts import PlanRequest
from research.engine import RunResult
from research.engine.graph import METHODS
from research.sources import FoundPage, SearchRequest
from tests.support.scripted import PAGES, MemoryJournal, MemorySource, ScriptedAnalyst, found_page, run_scripted

LIMITS = core.PRESETS[core.PresetName.QUALITY].limits


def brief(method: core.MethodName, **fields: object) -> core.Brief:
    return core.Brief.model_validate({"question": "What of pumps?", "method": method, **fields})


def limits(**numbers: float) -> core.Limits:
    """The limits of the preset, with other numbers for its methods."""
    return replace(LIMITS, methods=replace(core.MethodLimits(), **numbers))  # type: ignore[arg-type]


def ended(journal: MemoryJournal) -> str:
    """The recorded reason; there is exactly one."""
    (finished,) = journal.of(core.ResearchFinished)
    return finished.reason


@dataclass
class OnePageAQuery(MemorySource):
    """Returns a page of its own for each query, with the text given or about the query."""

    text: str = "Pumps cost {number} dollars in 2025. That is known."
    given: dict[str, FoundPage] = field(default_factory=dict)

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        await super().search(request)
        number = len(self.given) + 1
        return [self.given.setdefault(request.query, found_page(f"p{number}", self.text.format(number=number)))]


# --- what all share --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_every_method_ends_with_a_cited_report_and_a_reason(method: core.MethodName) -> None:
    result, journal = await run_scripted(ScriptedAnalyst(), brief=brief(method))
    assert journal.of(core.RunStarted)[0].method is method
    assert ended(journal) in set(core.StopReason)
    assert len(journal.of(core.TopicFinished)) == len(journal.of(core.TopicQueued)) >= 1
    assert all(event.reason in set(core.StopReason) for event in journal.of(core.TopicFinished))
    assert result.record.status is core.Status.COMPLETE
    assert result.record.sentences and all(sentence.evidence for sentence in result.record.sentences)


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_every_method_counts_after_each_search_and_tells_it(method: core.MethodName) -> None:
    _, journal = await run_scripted(ScriptedAnalyst(), brief=brief(method))
    rounds = {(event.lane, event.iteration) for event in journal.of(core.Assessed)}
    assert len(rounds) == len(journal.of(core.Assessed)) >= 1
    assert all(0 <= event.score == sum(event.criteria.values()) <= 10 for event in journal.of(core.Assessed))


async def test_the_brief_goes_before_the_preset() -> None:
    _, journal = await run_scripted(ScriptedAnalyst(), brief=core.Brief(question="What of pumps?"))
    assert journal.of(core.RunStarted)[0].method is core.PRESETS[core.PresetName.QUALITY].method
    assert set(METHODS) == set(core.MethodName)


# --- outlined --------------------------------------------------------------------------------------------------


async def test_outlined_follows_its_plan_to_the_depth_that_was_chosen() -> None:
    analyst = ScriptedAnalyst(on_depth=lambda request: core.Depth(queries_per_section=2, iterations=2, reason="Wide."))
    analyst.on_queries = lambda view: ("one", "two", "three", "four")
    _, journal = await run_scripted(analyst, brief=brief(core.MethodName.OUTLINED))
    (chosen,) = journal.of(core.DepthChosen)
    assert (chosen.by, chosen.depth.reason) == ("analyst", "Wide.")
    assert [event.title for event in journal.of(core.TopicQueued)] == ["Topic one", "Topic two"]
    first = [event.query for event in journal.of(core.SearchStarted) if event.lane == "R1"]
    assert first[:2] == ["one", "two"] and "three" not in first
    assert [event.iteration for event in journal.of(core.Assessed) if event.lane == "R1"] == [1, 2]
    assert {event.reason for event in journal.of(core.TopicFinished)} == {"limit"} and ended(journal) == "limit"
    assert all(event.parts for event in journal.of(core.Reflected))


@pytest.mark.parametrize(
    ("fields", "depth", "by"),
    [
        ({"queries_per_section": 1, "iterations": 1}, (1, 1), "user"),
        ({"queries_per_section": 5}, (5, 2), "user"),
        ({"iterations": 3}, (1, 3), "user"),
    ],
)
async def test_the_depth_of_the_brief_goes_before_the_analysts(
    fields: dict[str, int], depth: tuple[int, int], by: str
) -> None:
    _, journal = await run_scripted(ScriptedAnalyst(), brief=brief(core.MethodName.OUTLINED, **fields))
    (chosen,) = journal.of(core.DepthChosen)
    assert (chosen.depth.queries_per_section, chosen.depth.iterations, chosen.by) == (*depth, by)


async def test_outlined_keeps_within_its_budget_of_steps() -> None:
    _, journal = await run_scripted(ScriptedAnalyst(), brief=brief(core.MethodName.OUTLINED))
    (settled,) = journal.of(core.PlanSettled)
    assert settled.step_budget == 10 + 2 * 1 * 2 * 2
    assert 2 * len(journal.of(core.SearchStarted)) <= settled.step_budget


async def test_outlined_ends_when_the_budget_is_used_up() -> None:
    _, journal = await run_scripted(
        ScriptedAnalyst(topics=["T"]), brief=brief(core.MethodName.OUTLINED), limits=limits(spare_steps=-2)
    )
    assert len(journal.of(core.SearchStarted)) == 1
    assert ended(journal) == "budget"


async def test_a_section_without_gaps_is_done() -> None:
    analyst = ScriptedAnalyst(on_reflect=lambda view: core.Reflection(summary="All is known."))
    _, journal = await run_scripted(analyst, brief=brief(core.MethodName.OUTLINED))
    assert len(journal.of(core.SearchStarted)) == 2
    assert ended(journal) == "covered"


# --- chained ---------------------------------------------------------------------------------------------------

TELLING = (
    "A pump is a device that moves water; it is known as a pump since 1588. "
    "For example, 12 pumps of this type run in Da Nang, and 40 in Hue.",
    "The market for pumps grew to 310 million dollars in 2025. Exports of pumps rose by 4% in the same year.",
    "The efficiency of a pump is 85% with this technology. The capacity of pumps of this size is 40 litres a second.",
)


def two_sentences(request: analysts.PageRequest) -> analysts.PageSummary:
    return analysts.PageSummary("s", tuple(part.rstrip(".") for part in request.text.split(". ")[:2]))


class OneAfterTheOther(MemorySource):
    """Returns one of its pages for each query."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        pages = await super().search(request)
        return pages[len(self.asked) - 1 : len(self.asked)]


async def test_chained_stops_at_a_score_of_eight() -> None:
    pages = [found_page(f"t{number}", text) for number, text in enumerate(TELLING)]
    analyst = ScriptedAnalyst(on_summarise=two_sentences)
    open_brief = brief(core.MethodName.CHAINED, question="Tell me about pumps.")
    _, journal = await run_scripted(analyst, OneAfterTheOther(pages), brief=open_brief)
    scores = [event.score for event in journal.of(core.Assessed)]
    assert scores == sorted(scores) and scores[-1] >= 8 > scores[-2]
    assert len(scores) == len(journal.of(core.SearchStarted)) == 3
    assert ended(journal) == "enough"


async def test_chained_makes_ten_queries_at_most_one_at_a_time() -> None:
    question = "How do pumps sell in Vietnam, Thailand, Laos and Indonesia?"
    pages = [found_page("bare", "Nothing of that kind. Nothing at all.")]
    chained = brief(core.MethodName.CHAINED, question=question)
    _, journal = await run_scripted(ScriptedAnalyst(), MemorySource(pages), brief=chained)
    assert len(journal.of(core.SearchStarted)) == len(journal.of(core.Assessed)) == 10
    assert len({event.query for event in journal.of(core.SearchStarted)}) == 10
    assert ended(journal) == "limit"


async def test_chained_asks_the_analyst_for_no_decision() -> None:
    def refuse(_: object) -> list[analysts.ResearcherAction]:
        raise core.ModelError("model_failed", "scripted")

    analyst = ScriptedAnalyst(on_investigate=refuse, on_queries=refuse, on_reflect=refuse)  # type: ignore[arg-type]
    result, _ = await run_scripted(analyst, brief=brief(core.MethodName.CHAINED))
    assert result.record.status is core.Status.COMPLETE


# --- gap-driven ------------------------------------------------------------------------------------------------


async def test_gap_driven_stops_a_section_when_nothing_required_is_missing() -> None:
    pages = [found_page(f"g{number}", f"Prices of pumps rose by {number}%. That is known.") for number in (1, 2, 3)]
    analyst = ScriptedAnalyst(
        on_outline=lambda request: core.Outline(sections=(core.Section(title="Cost", needs=("prices",)),))
    )
    _, journal = await run_scripted(analyst, MemorySource(pages), brief=brief(core.MethodName.GAP_DRIVEN))
    assert len(journal.of(core.Assessed)) == 1 and journal.of(core.Assessed)[0].coverage == {"prices": 1.0}
    assert ended(journal) == "covered"
    assert "Nothing is missing" in journal.of(core.TopicFinished)[0].why


# --- supervised ------------------------------------------------------------------------------------------------


def search_and_think(view: analysts.ResearcherView) -> list[analysts.ResearcherAction]:
    """Never be done."""
    return [analysts.Search((f"query {view.turn}",))] if view.turn % 2 == 0 else [analysts.Think("Hmm.")]


def delegating(*, is_hard: bool, **hooks: object) -> ScriptedAnalyst:
    """An analyst that hands out one topic, and searches for ever."""

    def supervise(view):  # type: ignore[no-untyped-def]
        return [] if view.turn else [analysts.ConductResearch("T", is_hard=is_hard)]

    return ScriptedAnalyst(on_supervise=supervise, on_investigate=search_and_think, **hooks)  # type: ignore[arg-type]


@pytest.mark.parametrize(("is_hard", "searches"), [(False, 3), (True, 5)])
async def test_simple_topics_are_searched_less_than_hard_ones(is_hard: bool, searches: int) -> None:
    _, journal = await run_scripted(
        delegating(is_hard=is_hard), OnePageAQuery(), brief=brief(core.MethodName.SUPERVISED), limits=limits(enough=11)
    )
    assert len(journal.of(core.SearchStarted)) == searches
    assert journal.of(core.TopicFinished)[0].reason == "limit"


async def test_two_searches_in_a_row_that_bring_the_same_end_a_topic() -> None:
    _, journal = await run_scripted(delegating(is_hard=True), brief=brief(core.MethodName.SUPERVISED))
    assert len(journal.of(core.SearchStarted)) == 3, "one that brought something, two that did not"
    assert journal.of(core.TopicFinished)[0].reason == "repeated"


@pytest.mark.parametrize(("is_hard", "reason"), [(False, "answered"), (True, "repeated")])
async def test_three_good_sources_answer_a_simple_topic_alone(is_hard: bool, reason: str) -> None:
    pages = [found_page(f"t{number}", text) for number, text in enumerate(TELLING)]
    analyst = delegating(is_hard=is_hard, on_summarise=two_sentences)
    _, journal = await run_scripted(analyst, MemorySource(pages), brief=brief(core.MethodName.SUPERVISED))
    assert journal.of(core.Assessed)[0].good_sources == 3
    assert journal.of(core.TopicFinished)[0].reason == reason
    assert (len(journal.of(core.SearchStarted)) == 1) == (not is_hard)


# --- noted -----------------------------------------------------------------------------------------------------


async def test_noted_takes_a_note_of_each_query_for_three_cycles() -> None:
    analyst = ScriptedAnalyst(
        on_queries=lambda view: ("a", "b", "c", "d"),
        on_compress=lambda findings: analysts.Compression(
            tuple(entry.id for entry in findings.evidence), f"On {findings.topic}, in {findings.note_tokens} tokens."
        ),
    )
    _, journal = await run_scripted(analyst, OnePageAQuery(), brief=brief(core.MethodName.NOTED))
    notes = journal.of(core.NoteTaken)
    assert [(note.step, note.query) for note in notes[:3]] == [(1, "a"), (2, "b"), (3, "c")]
    assert notes[0].summary == "On a, in 512 tokens." and len(notes[0].sources) == 1
    assert len(notes) == len(journal.of(core.SearchStarted)) == 3 + 1 + 1
    assert len(journal.of(core.Assessed)) == 3 and ended(journal) == "limit"


async def test_a_query_that_meets_pages_again_still_has_its_note() -> None:
    analyst = ScriptedAnalyst(on_queries=lambda view: ("a", "b"))
    _, journal = await run_scripted(analyst, brief=brief(core.MethodName.NOTED))
    assert [len(note.sources) for note in journal.of(core.NoteTaken)[:2]] == [len(PAGES), len(PAGES)]


async def test_an_empty_plan_ends_at_once_and_says_so() -> None:
    result, journal = await run_scripted(
        ScriptedAnalyst(on_queries=lambda view: ()), brief=brief(core.MethodName.NOTED, question="What is 2 + 2?")
    )
    assert not journal.of(core.SearchStarted) and ended(journal) == "unplanned"
    assert "unplanned" in {problem.code for problem in result.record.problems}
    assert "no_hits" not in {problem.code for problem in result.record.problems}
    assert result.markdown.startswith("# ")


async def test_a_query_without_hits_is_skipped_and_the_others_go_on() -> None:
    class Picky(OnePageAQuery):
        async def search(self, request: SearchRequest) -> list[FoundPage]:
            return [] if request.query == "b" else await super().search(request)

    analyst = ScriptedAnalyst(on_queries=lambda view: ("a", "b", "c"))
    _, journal = await run_scripted(analyst, Picky(), brief=brief(core.MethodName.NOTED))
    assert [note.query for note in journal.of(core.NoteTaken)][:2] == ["a", "c"]
    assert [note.step for note in journal.of(core.NoteTaken)][:2] == [1, 2]


class Slowing(ScriptedAnalyst):
    """Falls asleep over its second thought."""

    async def reflect(self, view: analysts.ResearcherView) -> core.Reflection:
        if len(view.queries_made) > 1:
            await asyncio.sleep(60)
        return await super().reflect(view)


async def test_cycles_that_take_too_long_end_with_what_there_is() -> None:
    short = limits(cycle_seconds=0.2)
    result, journal = await run_scripted(Slowing(), OnePageAQuery(), brief=brief(core.MethodName.NOTED), limits=short)
    assert ended(journal) == "timeout"
    assert "topic_timeout" in {problem.code for problem in result.record.problems}
    assert len(result.record.evidence) == 2 and len(result.record.sentences) == 2


async def test_a_note_that_cannot_be_written_costs_only_itself() -> None:
    def compress(findings):  # type: ignore[no-untyped-def]
        if findings.topic == "a":
            raise core.ModelError("model_failed", "scripted")
        return analysts.Compression(tuple(entry.id for entry in findings.evidence), "Noted.")

    analyst = ScriptedAnalyst(on_queries=lambda view: ("a", "b"), on_compress=compress)
    result, journal = await run_scripted(analyst, OnePageAQuery(), brief=brief(core.MethodName.NOTED))
    assert [note.query for note in journal.of(core.NoteTaken)][:1] == ["b"]
    assert "failed" not in {event.reason for event in journal.of(core.TopicFinished)}
    assert len(result.record.evidence) == len(journal.of(core.SearchStarted))


async def test_plans_are_drafted_only_by_methods_that_have_one() -> None:
    for method in core.MethodName:
        _, journal = await run_scripted(ScriptedAnalyst(), brief=brief(method))
        has_plan = method in {core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN}
        assert len(journal.of(core.PlanDrafted)) == len(journal.of(core.PlanSettled)) == int(has_plan)


# --- plans, depths, reflections and models that are no good ----------------------------------------------------------

PLANNED = [core.MethodName.OUTLINED, core.MethodName.GAP_DRIVEN]
REFLECTING = [core.MethodName.OUTLINED, core.MethodName.NOTED]


async def run(analyst: ScriptedAnalyst, method: core.MethodName, **fields: object) -> tuple[RunResult, MemoryJournal]:
    source = fields.pop("source", MemorySource())
    brief = core.Brief.model_validate({"question": "What of pumps?", "method": method, **fields})
    assert isinstance(source, MemorySource)
    return await run_scripted(analyst, source, brief=brief)


def codes(result: RunResult) -> set[str]:
    return {problem.code for problem in result.record.problems}


def planning(*titles: str) -> ScriptedAnalyst:
    return ScriptedAnalyst(
        on_outline=lambda request: core.Outline(sections=tuple(core.Section(title=title) for title in titles))
    )


# --- plans -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", PLANNED)
@pytest.mark.parametrize(
    ("titles", "kept", "code"),
    [
        ((), ["What of pumps?"], "plan_empty"),
        (("", "  "), ["What of pumps?"], "plan_shortened"),
        (tuple(f"Section {number}" for number in range(20)), [f"Section {n}" for n in range(5)], "plan_shortened"),
        (("Prices", "prices", " PRICES "), ["Prices"], "plan_shortened"),
    ],
)
async def test_a_plan_is_mended_and_carried_out(
    method: core.MethodName, titles: tuple[str, ...], kept: list[str], code: str
) -> None:
    result, journal = await run(planning(*titles), method)
    (settled,) = journal.of(core.PlanSettled)
    assert [section.title for section in settled.outline.sections] == kept
    assert len(journal.of(core.TopicFinished)) == len(kept)
    assert code in codes(result) and result.record.status is core.Status.COMPLETE
    assert result.record.sentences and ended(journal)


async def test_a_plan_that_the_program_wrote_itself_is_told_apart_from_a_good_one() -> None:
    result, _ = await run(planning("One", "Two", "Three"), core.MethodName.OUTLINED)
    assert not codes(result)


# --- depth -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["queries_per_section", "iterations"])
@pytest.mark.parametrize("value", [0, 6, -1, 100])
def test_a_depth_outside_its_range_is_refused_in_a_brief(field: str, value: int) -> None:
    with pytest.raises(ValidationError, match=field):
        core.Brief.model_validate({"question": "Q", field: value})


async def test_a_depth_beyond_the_preset_is_cut_to_it() -> None:
    analyst = ScriptedAnalyst(on_depth=lambda request: core.Depth(queries_per_section=5, iterations=5))
    _, journal = await run(analyst, core.MethodName.OUTLINED, preset=core.PresetName.SPEED)
    (chosen,) = journal.of(core.DepthChosen)
    assert chosen.depth.queries_per_section == 2
    assert len(journal.of(core.SearchStarted)) <= 2 * 2 * chosen.depth.iterations


# --- reflections -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", REFLECTING)
@pytest.mark.parametrize("query", ["the same", "THE SAME", ""])
async def test_reflections_that_repeat_the_same_query_end_the_topic(method: core.MethodName, query: str) -> None:
    again = core.Reflection(
        summary="Hmm.", gaps=("prices",), queries=(core.NextQuery(query=query), core.NextQuery(query=query))
    )
    analyst = ScriptedAnalyst(on_queries=lambda view: ("the same",), on_reflect=lambda view: again)
    result, journal = await run(analyst, method)
    assert {event.query for event in journal.of(core.SearchStarted)} == {"the same"}
    assert all(event.reason == "repeated" for event in journal.of(core.TopicFinished))
    assert ended(journal) == "repeated" and result.record.sentences


@pytest.mark.parametrize("method", REFLECTING)
async def test_a_reflection_without_anything_ends_the_topic(method: core.MethodName) -> None:
    result, journal = await run(ScriptedAnalyst(on_reflect=lambda view: core.Reflection(summary="")), method)
    assert ended(journal) == "covered" and result.record.sentences


@pytest.mark.parametrize("method", REFLECTING)
async def test_a_hundred_proposed_queries_are_cut_to_one_search(method: core.MethodName) -> None:
    many = tuple(core.NextQuery(query=f"q{number}") for number in range(100))
    analyst = ScriptedAnalyst(
        topics=["T"], on_reflect=lambda view: core.Reflection(summary="More.", gaps=("all",), queries=many)
    )
    _, journal = await run(analyst, method)
    assert len(journal.of(core.SearchStarted)) <= 1 + 3 * 3


# --- never done ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_gaps_that_no_source_fills_end_by_a_limit(method: core.MethodName) -> None:
    def outline(request: PlanRequest) -> core.Outline:
        return core.Outline(
            sections=(core.Section(title="Unobtainium", needs=("melting point", "smelters", "auctions")),)
        )

    result, journal = await run(ScriptedAnalyst(on_outline=outline), method)
    assert ended(journal) in {"limit", "repeated", "complete", "enough"}
    assert len(journal.of(core.Assessed)) <= 10 and result.record.sentences
    if method is core.MethodName.GAP_DRIVEN:
        assert len(journal.of(core.Assessed)) == 3
        assert "melting point, smelters, auctions" in journal.of(core.TopicFinished)[0].why


@pytest.mark.parametrize("method", list(core.MethodName))
async def test_sources_without_a_page_end_every_method(method: core.MethodName) -> None:
    result, journal = await run(ScriptedAnalyst(), method, source=MemorySource(pages=()))
    assert ended(journal) in {"no_hits", "complete"}
    assert "no_hits" in codes(result) and result.record.status is core.Status.PARTIAL
    assert "Nothing was found" in result.markdown


# --- calls that fail -------------------------------------------------------------------------------------------


def _fail(_: object) -> object:
    raise core.ModelError("model_failed", "scripted")


@pytest.mark.parametrize("method", list(core.MethodName))
@pytest.mark.parametrize("hook", ["on_depth", "on_outline", "on_queries", "on_reflect", "on_compress"])
async def test_a_call_that_fails_never_leaves_a_run_without_a_report(method: core.MethodName, hook: str) -> None:
    result, journal = await run(ScriptedAnalyst(**{hook: _fail}), method)  # type: ignore[arg-type]
    assert result.markdown.startswith("# ")
    failed = [event for event in journal.of(core.TopicFinished) if event.reason == "failed"]
    assert not failed or result.record.status is core.Status.PARTIAL


# --- what acts is told no page text ----------------------------------------------------------------------------


@pytest.mark.parametrize("method", [core.MethodName.CHAINED, core.MethodName.GAP_DRIVEN])
async def test_what_the_program_thinks_aloud_holds_no_words_of_a_page(method: core.MethodName) -> None:
    _, journal = await run(ScriptedAnalyst(), method)
    said = " ".join(event.reflection for event in journal.of(core.Reflected))
    assert "score" in said and "Da Nang" not in said and "utilities" not in said
