"""While a model plans, the web is searched for the question itself; a page is read for the topic of which it speaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.analysts import ResearchComplete, ResearcherAction, ResearcherView, Search
from research.core import (
    SUPERVISOR,
    Brief,
    MethodName,
    PageRead,
    PageSummarised,
    ResearchFinished,
    Role,
    SearchFailed,
    SearchStarted,
    SourceName,
    TopicQueued,
    TopicStarted,
)
from research.engine import Control, conduct
from research.sources import FoundPage, SearchRequest
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, found_page, scripted_world

QUESTION = "How do prices of pumps and exports of valves develop?"
TOPICS = ("Prices of pumps", "Exports of valves")
VALVES = found_page("valves", "Exports of valves rose to 310 units in 2025. Ships carried them.")
PUMPS = found_page("pumps", "Prices of pumps fell by 4% in 2025. Steel was cheap.")
TENNIS = found_page("tennis", "Nobody won the cup in Rome. It rained.")


class Web(MemorySource):
    """Finds given pages for the question itself, and nothing else for anything else."""

    async def search(self, request: SearchRequest) -> list[FoundPage]:
        return await super().search(request) if request.query == QUESTION else []


async def run(
    *sources: MemorySource, method: MethodName = MethodName.SUPERVISED, model: str = "a-model", delay: float = 0.05
) -> MemoryJournal:
    journal = MemoryJournal()
    analyst = ScriptedAnalyst(topics=TOPICS, delay=delay)
    world = replace(scripted_world(analyst, *sources), models={Role.PLANNING: model} if model else {})
    await conduct("test", Brief(question=QUESTION, method=method), world, journal, Control())
    return journal


def asked(journal: MemoryJournal) -> list[SearchStarted]:
    return [event for event in journal.of(SearchStarted) if event.lane == SUPERVISOR]


@pytest.mark.parametrize("method", [MethodName.SUPERVISED, MethodName.GAP_DRIVEN, MethodName.OUTLINED])
async def test_a_page_is_read_once_by_the_researcher_of_whose_topic_it_speaks(method: MethodName) -> None:
    journal = await run(Web([VALVES, TENNIS, PUMPS]), method=method)
    (ahead,) = asked(journal)
    assert ahead.query == QUESTION
    assert ahead.seq < min(event.seq for event in journal.of(TopicStarted)), "it is sent before there are researchers"
    topics = {event.lane: event.topic for event in journal.of(TopicQueued)}
    read = {(journal.pages[event.page].site, topics[event.lane]) for event in journal.of(PageRead)}
    first, second = topics.values()
    assert read == {("pumps.example", first), ("valves.example", second)}, "what speaks of no topic is not paid for"
    assert len(journal.of(PageSummarised)) == 2
    assert {event.search for event in journal.of(PageRead)} == {ahead.search}
    assert len(journal.of(ResearchFinished)) == 1


async def test_without_a_model_or_a_plan_or_beside_the_web_with_private_pages_it_is_not_sent() -> None:
    web = [VALVES, PUMPS]
    assert not asked(await run(Web(web), model=""))
    assert not asked(await run(Web(web), MemorySource([], SourceName.LIBRARY)))
    assert not asked(await run(Web(web), method=MethodName.CHAINED))


async def test_private_pages_alone_are_searched_ahead_as_well() -> None:
    journal = await run(Web([found_page("pumps", PUMPS.text, origin=SourceName.LIBRARY)], SourceName.LIBRARY))
    assert [(event.query, event.source) for event in asked(journal)] == [(QUESTION, SourceName.LIBRARY)]
    assert [event.search for event in journal.of(PageRead)] == [asked(journal)[0].search]


async def test_one_that_fails_is_told_and_costs_the_run_nothing_else() -> None:
    journal = await run(Web([VALVES], failing=frozenset({QUESTION})), MemorySource([PUMPS]))
    assert [event.code for event in journal.of(SearchFailed) if event.lane == SUPERVISOR] == ["search_failed"]
    assert {journal.pages[event.page].site for event in journal.of(PageRead)} == {"pumps.example"}


async def test_one_that_comes_after_all_have_ended_is_given_up() -> None:
    journal = await run(Web([VALVES], delay=30), delay=0.0)
    (failed,) = [event for event in journal.of(SearchFailed) if event.lane == SUPERVISOR]
    assert failed.code == "search_given_up"
    assert not journal.of(PageRead)


async def test_what_is_still_read_when_a_search_meets_it_again_is_waited_for_and_told() -> None:
    told: list[str] = []

    def after_search(view: ResearcherView) -> list[ResearcherAction]:
        told.extend(step.observation for step in view.steps)
        return [ResearchComplete()] if view.turn else [Search(("pumps",))]

    analyst = ScriptedAnalyst(topics=TOPICS[:1], delay=0.05, on_investigate=after_search)
    world = replace(scripted_world(analyst, MemorySource([PUMPS])), models={Role.PLANNING: "a-model"})
    journal = MemoryJournal()
    await conduct("test", Brief(question=QUESTION, method=MethodName.SUPERVISED), world, journal, Control())
    (observation,) = told
    assert "1 pages, 0 new" in observation
    assert observation.endswith("Read meanwhile:\n- pumps.example (2026-10-01): About it. [E1]")
    assert len(journal.of(PageSummarised)) == 1
