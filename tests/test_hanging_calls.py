"""Calls that hang are not waited for: noticed, asked a second time within the cap, and given up, over a real wire."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage

from research import core
from research.analysts import ResearchComplete, ResearcherAction, ResearcherView, Search
from research.engine import Control, conduct
from research.sources import FoundPage, SearchRequest
from tests.support.chat import Desk, desk
from tests.support.openai_server import OpenAIServer, Text
from tests.support.scripted import MemoryJournal, MemorySource, ScriptedAnalyst, found_page, scripted_world

HELLO = [HumanMessage("Hello")]
IMPATIENT = 0.02
"""A fiftieth of the times that are assumed of servers in general: a second request goes out after 0.2 s."""
GOOD = Text("Good day to you", tokens=(100, 20))


def impatient(server: OpenAIServer, **more: object) -> Desk:
    return desk(server, seconds=60.0, pace=core.Pace(IMPATIENT), **more)  # type: ignore[arg-type]


async def call(at: Desk, role: core.Role = core.Role.RESEARCH) -> str:
    async with at.models as models:
        return (await models.call(role, HELLO)).text


async def stream(at: Desk, into: list[str] | None = None) -> str:
    pieces = [] if into is None else into
    async with at.models as models:
        async for piece in models.stream(core.Role.FINAL_REPORT, HELLO):
            pieces.append(piece.text)
    return "".join(pieces)


@pytest.mark.parametrize(
    "hanging", [Text("never", hangs=True), Text("a byte a second", byte_seconds=1.0)], ids=["headers", "drip"]
)
async def test_a_call_that_hangs_is_made_a_second_time_and_both_are_counted(
    server: OpenAIServer, hanging: Text
) -> None:
    server.enqueue(hanging, GOOD)
    at = impatient(server)
    assert await call(at) == "Good day to you"
    assert len(server.requests) == 2
    assert sorted(called.error for called in at.calls) == ["", core.OUTRUN]
    given_up = next(called for called in at.calls if called.error)
    assert given_up.input_tokens > 0, "the server has read the prompt, and may bill it"
    assert given_up.cost_usd


@pytest.mark.parametrize(
    "hanging", [Text("never", hangs=True), Text("never", hangs_after=-1), Text("never", hangs_after=0)]
)
async def test_a_stream_that_does_not_begin_is_begun_a_second_time(server: OpenAIServer, hanging: Text) -> None:
    server.enqueue(hanging, GOOD)
    at = impatient(server)
    assert await stream(at) == "Good day to you"
    assert sorted(called.error for called in at.calls) == ["", core.OUTRUN]


async def test_a_stream_that_stalls_midway_is_noticed_and_what_came_is_kept(server: OpenAIServer) -> None:
    # On a busy machine the first piece may be late enough for a second request, which fares no better.
    server.handler = lambda _: Text("Good day to you and to all others", pieces=4, hangs_after=3)
    at, pieces = impatient(server), []
    with pytest.raises(core.ModelError) as caught:
        await stream(at, pieces)
    assert caught.value.code == "model_timeout"
    assert "model_timeout" in [called.error for called in at.calls]
    assert "".join(pieces) == "Good day to "


async def test_two_that_hang_are_given_up_long_before_the_longest_time(server: OpenAIServer) -> None:
    pace = core.Pace(IMPATIENT)
    for _ in range(3):
        pace.note(core.Role.RESEARCH.value, core.Awaited.WHOLE, 100, 0.01)
    server.handler = lambda _: Text("never", hangs=True)
    at = desk(server, seconds=600.0, pace=pace)
    with pytest.raises(core.ModelError) as caught:
        await asyncio.wait_for(call(at), 60)
    assert caught.value.code == "model_timeout"
    assert [called.error for called in at.calls] == ["model_timeout", "model_timeout"]


async def test_the_cap_leaves_room_for_one_so_there_is_no_second(server: OpenAIServer) -> None:
    one = core.Spending(core.Brief(question="Why?", max_cost_usd=0.015), {})
    server.enqueue(Text("slow", seconds=0.6, tokens=(10, 20)))
    assert await call(impatient(server, admit=one.admit)) == "slow"
    assert len(server.requests) == 1
    assert not one.reached.is_set(), "a second request that does not fit ends no research"


async def test_a_request_that_was_outrun_stays_spent_as_expected(server: OpenAIServer) -> None:
    account = core.Spending(core.Brief(question="Why?", max_cost_usd=1.0), {})
    server.enqueue(Text("never", hangs=True), GOOD)
    at = impatient(server, admit=account.admit)
    await call(at)
    noted = sum(called.cost_usd or 0.0 for called in at.calls)
    # What was told of the calls is entered by the run; beyond it stays what the outrun answer may have cost.
    assert account.spent_usd > 0
    assert account.spent_usd + noted < 1.0


async def test_a_spare_waits_for_no_room() -> None:
    account = core.Spending(core.Brief(question="Why?", max_cost_usd=0.02), {})
    await account.admit(core.PlannedCall(core.Role.RESEARCH, "gpt-5.4", 1_000))
    with pytest.raises(core.CapReached):
        await account.admit(core.PlannedCall(core.Role.RESEARCH, "gpt-5.4", 1_000, is_spare=True))
    assert not account.reached.is_set()


async def test_a_slow_server_is_not_asked_for_more(server: OpenAIServer) -> None:
    server.handler = lambda _: Text("late", seconds=0.5)
    at = impatient(server)
    async with at.models as models:
        for _ in range(8):
            await models.call(core.Role.RESEARCH, HELLO)
    assert len(server.requests) - 8 <= 3, "once it is known to be slow, nothing is far beyond what is usual"


def test_what_is_usual_follows_kind_and_size() -> None:
    pace = core.Pace()
    assert pace.patience("research", core.Awaited.WHOLE, 100, 300.0) == core.Patience(10.0, 300.0)
    for seconds in (1.0, 1.2, 1.1, 0.9, 30.0, 1.0, 1.0, 1.0, 1.0, 1.0):
        pace.note("research", core.Awaited.WHOLE, 1_000, seconds)
    usual = pace.patience("research", core.Awaited.WHOLE, 1_000, 300.0)
    assert usual.again == pytest.approx(3.6)
    assert usual.limit == 15.0
    assert pace.patience("research", core.Awaited.WHOLE, 500, 300.0) == usual, "what is smaller need not be quicker"
    assert pace.patience("research", core.Awaited.WHOLE, 10_000, 300.0).again == pytest.approx(36.0)
    assert pace.patience("research", core.Awaited.WHOLE, 1_000, 9.0).limit == 9.0
    unknown = pace.patience("compression", core.Awaited.WHOLE, 1_000, 300.0)
    assert (unknown.again, unknown.limit) == (pytest.approx(3.6), 300.0)


def test_a_gap_is_held_against_those_before() -> None:
    pace = core.Pace()
    assert pace.gap("final_report", 300.0) == 30.0
    for _ in range(3):
        pace.note("final_report", core.Awaited.GAP, 0, 0.3)
    assert pace.gap("final_report", 300.0) == 8.0
    for _ in range(60):
        pace.note("final_report", core.Awaited.GAP, 0, 4.0)
    assert pace.gap("final_report", 300.0) == 40.0


def overtaken(pace: core.Pace) -> int:
    """Return a request of which a later one was answered."""
    number = pace.begin()
    pace.end(pace.begin())
    return number


def test_second_requests_are_few() -> None:
    pace = core.Pace()
    late = overtaken(pace)
    assert [pace.may_ask_again(late) for _ in range(2)] == [True, False], "it has not told how long it takes"
    for _ in range(5):
        pace.note("research", core.Awaited.WHOLE, 100, 1.0)
    assert [pace.may_ask_again(late) for _ in range(4)] == [True, True, True, False]


def test_a_second_request_in_vain_counts_for_more() -> None:
    pace = core.Pace()
    for _ in range(5):
        pace.note("summarization", core.Awaited.WHOLE, 1_000, 16.0)
    late = overtaken(pace)
    assert pace.may_ask_again(late)
    pace.note_spare(is_in_vain=False)
    assert pace.may_ask_again(late)
    pace.note_spare(is_in_vain=True)
    assert not pace.may_ask_again(late), "the server is slow, and loses nothing"


def test_who_waits_for_a_turn_is_not_late() -> None:
    pace = core.Pace()
    for _ in range(5):
        pace.note("summarization", core.Awaited.WHOLE, 1_000, 1.0)
    first, second, third = (pace.begin() for _ in range(3))
    began = time.monotonic() - 100.0
    assert pace.late_at(second, began, 20.0) == began + 20.0
    pace.end(first)
    assert pace.late_at(second, began, 20.0) > began + 110.0, "it is its turn now"
    assert pace.may_ask_again(second)
    assert not pace.may_ask_again(third), "one shows whether the server is slow or has lost both"
    pace.end(third)
    assert pace.late_at(second, began, 20.0) == began + 20.0, "one that came later was answered before it"


async def test_of_calls_that_a_server_answers_one_by_one_none_is_made_twice() -> None:
    pace, turn, begun = core.Pace(), asyncio.Lock(), []

    async def begin(is_spare: bool) -> str:
        begun.append(is_spare)
        async with turn:
            await asyncio.sleep(0.1)
        return "answer"

    patience = core.Patience(0.3, 60.0)
    await asyncio.gather(*(core.hedged(begin, patience, pace) for _ in range(8)))
    assert begun == [False] * 8


def test_a_stream_that_drips_runs_dry_and_a_slow_one_does_not() -> None:
    dripping, slow = core.Drip(), core.Drip()
    assert next(second for second in range(1_000) if dripping.is_dry(1, float(second))) < 90
    assert not any(slow.is_dry(4, float(second)) for second in range(1_000))
    late = core.Drip()
    assert not any(late.is_dry(200, second / 10) for second in range(100))
    assert next(second for second in range(1_000) if late.is_dry(1, 10.0 + second)) < 90, "also after a quick beginning"


class Requests:
    """Two requests whose ends a test decides on."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.first: asyncio.Future[str] = loop.create_future()
        self.second: asyncio.Future[str] = loop.create_future()
        self.spare_begun = asyncio.Event()

    async def begin(self, is_spare: bool) -> str:
        if is_spare:
            self.spare_begun.set()
        return await (self.second if is_spare else self.first)


async def both_begun() -> tuple[Requests, asyncio.Future[str]]:
    both = Requests()
    running = asyncio.ensure_future(core.hedged(both.begin, core.Patience(0.0, 60.0), core.Pace()))
    await both.spare_begun.wait()
    return both, running


async def test_whichever_answers_first_is_taken_and_a_failure_leaves_it_to_the_other() -> None:
    failure = core.ModelError("model_failed")
    both, running = await both_begun()
    both.second.set_exception(core.CapReached("no room"))
    await asyncio.sleep(0)
    both.first.set_result("first")
    assert await running == "first"

    both, running = await both_begun()
    both.first.set_exception(failure)
    await asyncio.sleep(0)
    both.second.set_result("second")
    assert await running == "second"

    both, running = await both_begun()
    both.first.set_exception(failure)
    both.second.set_exception(core.ModelError("model_timeout"))
    with pytest.raises(core.ModelError) as caught:
        await running
    assert caught.value is failure


async def test_one_that_comes_too_late_is_handed_back_and_one_that_is_cancelled_takes_both_along() -> None:
    both, handed_back = Requests(), []

    async def discard(answer: str) -> None:
        handed_back.append(answer)

    running = asyncio.ensure_future(core.hedged(both.begin, core.Patience(0.0, 60.0), core.Pace(), discard))
    await both.spare_begun.wait()
    both.first.set_result("first")
    both.second.set_result("second")
    assert await running == "first"
    assert handed_back == ["second"]

    both = Requests()
    running = asyncio.ensure_future(core.hedged(both.begin, core.Patience(0.0, 60.0), core.Pace()))
    await both.spare_begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert both.first.cancelled()
    assert both.second.cancelled()


# --- while a model plans, the web is searched for the question itself; a page is read for the topic of which it speaks


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
    *sources: MemorySource,
    method: core.MethodName = core.MethodName.SUPERVISED,
    model: str = "a-model",
    delay: float = 0.05,
) -> MemoryJournal:
    journal = MemoryJournal()
    analyst = ScriptedAnalyst(topics=TOPICS, delay=delay)
    world = replace(scripted_world(analyst, *sources), models={core.Role.PLANNING: model} if model else {})
    await conduct("test", core.Brief(question=QUESTION, method=method), world, journal, Control())
    return journal


def asked(journal: MemoryJournal) -> list[core.SearchStarted]:
    return [event for event in journal.of(core.SearchStarted) if event.lane == core.SUPERVISOR]


@pytest.mark.parametrize("method", [core.MethodName.SUPERVISED, core.MethodName.GAP_DRIVEN, core.MethodName.OUTLINED])
async def test_a_page_is_read_once_by_the_researcher_of_whose_topic_it_speaks(method: core.MethodName) -> None:
    journal = await run(Web([VALVES, TENNIS, PUMPS]), method=method)
    (ahead,) = asked(journal)
    assert ahead.query == QUESTION
    assert ahead.seq < min(event.seq for event in journal.of(core.TopicStarted)), (
        "it is sent before there are researchers"
    )
    topics = {event.lane: event.topic for event in journal.of(core.TopicQueued)}
    read = {(journal.pages[event.page].site, topics[event.lane]) for event in journal.of(core.PageRead)}
    first, second = topics.values()
    assert read == {("pumps.example", first), ("valves.example", second)}, "what speaks of no topic is not paid for"
    assert len(journal.of(core.PageSummarised)) == 2
    assert {event.search for event in journal.of(core.PageRead)} == {ahead.search}
    assert len(journal.of(core.ResearchFinished)) == 1


async def test_without_a_model_or_a_plan_or_beside_the_web_with_private_pages_it_is_not_sent() -> None:
    web = [VALVES, PUMPS]
    assert not asked(await run(Web(web), model=""))
    assert not asked(await run(Web(web), MemorySource([], core.SourceName.LIBRARY)))
    assert not asked(await run(Web(web), method=core.MethodName.CHAINED))


async def test_private_pages_alone_are_searched_ahead_as_well() -> None:
    journal = await run(Web([found_page("pumps", PUMPS.text, origin=core.SourceName.LIBRARY)], core.SourceName.LIBRARY))
    assert [(event.query, event.source) for event in asked(journal)] == [(QUESTION, core.SourceName.LIBRARY)]
    assert [event.search for event in journal.of(core.PageRead)] == [asked(journal)[0].search]


async def test_one_that_fails_is_told_and_costs_the_run_nothing_else() -> None:
    journal = await run(Web([VALVES], failing=frozenset({QUESTION})), MemorySource([PUMPS]))
    assert [event.code for event in journal.of(core.SearchFailed) if event.lane == core.SUPERVISOR] == ["search_failed"]
    assert {journal.pages[event.page].site for event in journal.of(core.PageRead)} == {"pumps.example"}


async def test_one_that_comes_after_all_have_ended_is_given_up() -> None:
    journal = await run(Web([VALVES], delay=30), delay=0.0)
    (failed,) = [event for event in journal.of(core.SearchFailed) if event.lane == core.SUPERVISOR]
    assert failed.code == "search_given_up"
    assert not journal.of(core.PageRead)


async def test_what_is_still_read_when_a_search_meets_it_again_is_waited_for_and_told() -> None:
    told: list[str] = []

    def after_search(view: ResearcherView) -> list[ResearcherAction]:
        told.extend(step.observation for step in view.steps)
        return [ResearchComplete()] if view.turn else [Search(("pumps",))]

    analyst = ScriptedAnalyst(topics=TOPICS[:1], delay=0.05, on_investigate=after_search)
    world = replace(scripted_world(analyst, MemorySource([PUMPS])), models={core.Role.PLANNING: "a-model"})
    journal = MemoryJournal()
    await conduct("test", core.Brief(question=QUESTION, method=core.MethodName.SUPERVISED), world, journal, Control())
    (observation,) = told
    assert "1 pages, 0 new" in observation
    assert observation.endswith("Read meanwhile:\n- pumps.example (2026-10-01): About it. [E1]")
    assert len(journal.of(core.PageSummarised)) == 1
