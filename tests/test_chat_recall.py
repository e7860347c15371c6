"""What a model is reminded of before it decides: as much of what was observed as its window holds."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from research.analysts import ConductResearch, Search, Step, Think
from research.analysts.chat.deciding import recalled
from research.core import OBSERVED_TOKENS, ContextOverflow, tokens_in
from tests.support.chat import desk, researcher_view, supervisor_view
from tests.support.openai_server import OVERFLOW, Body, Calls, Json, OpenAIServer, Reply

POOR = "- poor.example (undated): Nothing on the question, at some length. [nothing to quote]"
THOUGHTS = {"insights": [], "gaps": ["Prices."], "doubts": [], "queries": [], "summary": "Prices are missing."}


def searched(number: int, pages: int = 40) -> Step:
    """A search that brought one page of much evidence among many that brought nothing."""
    rich = f"- rich{number}.example (2026-10-01): Volumes of round {number}. [E{number}1, E{number}2]"
    lines = [f'Search "query {number}" in web: {pages} pages, {pages} new.', *[POOR] * (pages - 1), rich]
    return Step(Search((f"query {number}",)), "\n".join(lines))


def rooms(tokens: int, said: Reply) -> Callable[[Body], Reply]:
    """What a server says whose window holds `tokens`."""

    def reply(body: Body) -> Reply:
        return said if tokens_in(json.dumps(body["messages"], ensure_ascii=False)) <= tokens else OVERFLOW

    return reply


def test_what_fits_is_recalled_whole() -> None:
    steps = (searched(1), Step(Think("Hm."), "Reflection recorded."), searched(2))
    assert recalled(steps, OBSERVED_TOKENS) == steps


def test_the_newest_comes_first_then_what_brought_most() -> None:
    steps = (searched(1), searched(2), searched(3))
    newest = tokens_in(searched(3).observation)
    first, second, third = recalled(steps, newest + 60)
    assert third == searched(3)
    assert [step.action for step in (first, second)] == [step.action for step in steps[:2]]
    assert "rich1.example" in first.observation and "rich2.example" in second.observation
    assert POOR not in first.observation and "Lines left out here: 40." in first.observation


def test_what_does_not_fit_even_of_the_newest_is_what_brought_nothing() -> None:
    [only] = recalled([searched(1)], 200)
    assert "rich1.example" in only.observation and "Lines left out here: " in only.observation
    assert tokens_in(only.observation) < 220


async def test_a_long_research_is_recalled_within_the_budget(server: OpenAIServer) -> None:
    server.enqueue(Calls(("ResearchComplete", {})), Json(THOUGHTS))
    view = researcher_view(*(searched(number, 300) for number in range(1, 9)))
    assert sum(tokens_in(step.observation) for step in view.steps) > 3 * OBSERVED_TOKENS
    at = desk(server)
    await at.analyst.investigate(view)
    await at.analyst.reflect(view)
    for request in server.requests:
        assert tokens_in(request.text) < 1.5 * OBSERVED_TOKENS
        assert all(f"rich{number}.example" in request.text for number in range(1, 9))


async def test_an_overflow_is_answered_with_less_and_remembered(server: OpenAIServer) -> None:
    said = Calls(("ResearchComplete", {"reason": "Enough."}))
    server.handler = rooms(4_000, said)
    at = desk(server)
    view = researcher_view(*(searched(number, 100) for number in range(1, 5)))
    [ending] = await at.analyst.investigate(view)
    assert ending.reason == "Enough."
    tried = len(server.requests)
    assert tried > 1 and "rich4.example" in server.requests[-1].text
    await at.analyst.investigate(view)
    assert len(server.requests) == tried + 1, "the window is known now"


async def test_a_reflection_and_a_supervisor_with_little_room_still_come_about(server: OpenAIServer) -> None:
    notes = "Well covered, with figures for each year and each country. " * 20
    topics = [Step(ConductResearch(f"Topic {number}"), f"3 pieces: E{number}1. {notes}") for number in range(1, 9)]
    server.handler = rooms(2_500, Calls(("ResearchComplete", {})))
    assert await desk(server).analyst.supervise(supervisor_view(*topics))
    server.handler = rooms(2_500, Json(THOUGHTS))
    reflection = await desk(server).analyst.reflect(researcher_view(searched(1, 200), searched(2, 200)))
    assert reflection.summary == "Prices are missing."


async def test_a_window_that_holds_nothing_is_an_overflow(server: OpenAIServer) -> None:
    server.handler = lambda _: OVERFLOW
    with pytest.raises(ContextOverflow):
        await desk(server).analyst.investigate(researcher_view(*(searched(number) for number in range(1, 60))))
    assert len(server.requests) < 10
