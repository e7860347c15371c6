"""The cap of a run: kept to the cent and to the second, with researchers at work in parallel, over the wire."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.loopback import Latencies, Loopback
from research import core
from research.core.calls import GIVEN_UP, assumed_price
from research.engine import estimate
from research.language import Language
from research.results import Report, shortfall
from research.settings import TAVILY_USD, KeptSettings, Settings, home_of_account, kept_settings
from research.sources import usd_a_search
from research.store import Runner, RunStore, Task, Worker, enter, load_report, past_runs
from tests.support.machine import slowness
from tests.support.openai_server import Answer, Body, Reply
from tests.support.scripted import NOW
from tests.support.tavily_server import Asked, Results

QUESTION = "How large is the pump market, who leads it, and what is its outlook?"
QUICK = Latencies(
    decision=0.02, search=(0.02, 0.1), summary=(0.02, 0.1), compression=0.02, repair=0.02, frame=0.02,
    report_piece=0.002,
)  # fmt: skip
MODELS = dict.fromkeys(core.Role, "gpt-5.4")


class World(Loopback):
    """It counts the tokens of each prompt, a little more than expected, and its answers are as long as real ones."""

    counts = True

    def _answer(self, body: Body) -> Reply:
        reply = super()._answer(body)
        assert isinstance(reply, Answer)
        return replace(reply, tokens=(len(json.dumps(body)) // 3, 600) if self.counts else None)


@pytest.fixture
def world() -> Iterator[World]:
    with World(QUICK) as running:
        yield running


def run(world: World, home: Path, models: dict[core.Role, str] | None = None, **fields: Any) -> Report:
    fields = {"question": QUESTION, "preset": core.PresetName.QUALITY, "method": core.MethodName.SUPERVISED, **fields}
    environment = {**world.environment, "RESEARCH_HOME": str(home)}
    environment |= {f"{role.value.upper()}_MODEL": name for role, name in (models or {}).items()}
    settings = Settings.from_environment(environment)
    with Runner(RunStore(home), settings) as runner:
        return runner.wait(runner.start(core.Brief(**fields)), 60)


def calls(report: Report) -> list[core.ModelCalled]:
    return [event for event in report.history if isinstance(event, core.ModelCalled)]


def cost(report: Report) -> float:
    return sum(call.cost_usd or 0.0 for call in calls(report)) + sum(event.cost_usd for event in searched(report))


def codes(report: Report) -> list[tuple[core.Stage, str]]:
    # Which parts of the question a report says nothing of is told for itself.
    problems = [problem for problem in report.record.problems if problem.code != "part_unanswered"]
    return [(problem.stage, problem.code) for problem in problems]


def test_what_a_run_without_a_cap_costs(world: World, tmp_path: Path) -> None:
    """The measure for the tests below: uncapped, the same run costs far more than their caps."""
    report = run(world, tmp_path)
    assert report.status is core.Status.COMPLETE
    assert cost(report) > 0.50


@pytest.mark.parametrize("cap", [0.30, 0.40])
def test_parallel_researchers_keep_below_the_cap_and_a_model_still_writes(
    world: World, tmp_path: Path, cap: float
) -> None:
    report = run(world, tmp_path, max_cost_usd=cap)
    assert cost(report) <= cap
    assert cost(report) > cap / 2, "the cap is there to be used"
    assert report.status is core.Status.PARTIAL
    assert codes(report)[0] == (core.Stage.RESEARCH, "cap_reached")
    quoted = {(core.Stage.WRITING, "cap_reached"), (core.Stage.WRITING, "section_by_rule")}
    assert set(codes(report)[1:]) in (quoted, set()), "what has no room is quoted, and named"
    assert report.record.problems[0].subject == f"${cap:.2f}"
    assert shortfall(report.record, Language.EN).endswith(f"was set: ${cap:.2f}.")
    assert report.record.writer == "chat"
    assert report.record.evidence
    ended = [event for event in report.history if event.type == "research_finished"]
    assert [event.reason for event in ended] == [core.StopReason.CAP]
    assert not any(call.error == "cancelled" for call in calls(report)), "nothing that is paid for is thrown away"


def test_where_the_report_does_not_fit_it_is_composed_by_rule(world: World, tmp_path: Path) -> None:
    report = run(world, tmp_path, max_cost_usd=0.14)
    assert cost(report) <= 0.14
    assert report.record.writer == "extractive"
    assert report.record.evidence
    assert {core.Stage.RESEARCH, core.Stage.WRITING} == {
        stage for stage, code in codes(report) if code == "cap_reached"
    }
    assert report.status is core.Status.PARTIAL
    assert not any(call.role is core.Role.FINAL_REPORT for call in calls(report))


def test_a_cap_below_the_first_call_costs_nothing(world: World, tmp_path: Path) -> None:
    report = run(world, tmp_path, max_cost_usd=0.0001)
    assert calls(report) == []
    assert world.openai.requests == []
    assert (core.Stage.RESEARCH, "cap_reached") in codes(report)


@pytest.mark.parametrize("method", [core.MethodName.OUTLINED, core.MethodName.NOTED, core.MethodName.GAP_DRIVEN])
def test_every_method_keeps_to_it(world: World, tmp_path: Path, method: core.MethodName) -> None:
    report = run(world, tmp_path, method=method, max_cost_usd=0.25)
    assert cost(report) <= 0.25
    assert (core.Stage.RESEARCH, "cap_reached") in codes(report)
    assert report.record.evidence


def test_a_model_without_a_known_price_counts_like_the_presets_dearest(world: World, tmp_path: Path) -> None:
    report = run(world, tmp_path, dict.fromkeys(core.Role, "qwen2.5:0.5b"), max_cost_usd=0.30)
    assert (core.Stage.RESEARCH, "cap_reached") in codes(report)
    assert all(call.cost_usd is None for call in calls(report))
    assert sum(assumed_price(call.input_tokens, call.output_tokens) for call in calls(report)) <= 0.30


def test_calls_whose_tokens_nobody_counts_are_counted_as_expected(world: World, tmp_path: Path) -> None:
    world.counts = False
    report = run(world, tmp_path, max_cost_usd=0.40)
    assert (core.Stage.RESEARCH, "cap_reached") in codes(report)


def test_the_clock_ends_research_in_time_for_the_report(world: World, tmp_path: Path) -> None:
    world.latencies = replace(QUICK, decision=0.6)
    report = run(world, tmp_path, max_minutes=0.2)
    assert report.record.seconds < 12.0 * slowness()
    assert codes(report) == [(core.Stage.RESEARCH, "cap_reached")]
    assert report.record.problems[0].subject == "12 s"
    assert report.record.writer == "chat"


def test_a_report_that_takes_longer_than_the_cap_is_finished_by_rule(world: World, tmp_path: Path) -> None:
    world.latencies = replace(QUICK, decision=0.5, report_piece=0.8)
    report = run(world, tmp_path, max_minutes=0.15)
    assert (core.Stage.WRITING, "cap_reached") in codes(report)
    assert calls(report)[-1].error == "cap_reached"
    assert report.record.sentences, "what no model had time for is quoted"


def spending(cap: float | None = 1.0, minutes: float | None = None, **more: Any) -> core.Spending:
    return core.Spending(core.Brief(question="Why?", max_cost_usd=cap, max_minutes=minutes), MODELS, **more)


def research_call(tokens: int) -> core.PlannedCall:
    return core.PlannedCall(core.Role.RESEARCH, "gpt-5.4", tokens)


def called(cost_usd: float | None, tokens: tuple[int, int] = (1_000, 100), error: str = "") -> core.ModelCalled:
    return core.ModelCalled(
        role=core.Role.RESEARCH,
        model="gpt-5.4",
        seconds=1.0,
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cost_usd=cost_usd,
        error=error,
    )


async def test_a_call_waits_for_room_instead_of_giving_up() -> None:
    purse = spending(1.0)
    # The report keeps about 0.11 back; each of these calls may cost 0.5.
    first = await purse.admit(research_call(190_000))
    second = asyncio.ensure_future(purse.admit(research_call(190_000)))
    await asyncio.sleep(0.01)
    assert not second.done()
    call = called(0.1)
    purse.note(call)
    first.close(call)
    await asyncio.wait_for(second, 1)
    assert not purse.reached.is_set()
    call = called(0.5)
    purse.note(call)
    (await second).close(call)
    with pytest.raises(core.CapReached):
        await purse.admit(research_call(190_000))
    assert purse.reached.is_set()


async def test_no_answer_may_be_longer_than_there_is_something_kept_for() -> None:
    cap = 0.43
    purse, asked = spending(cap), replace(research_call(5_000), longest=2_800)
    limits = [(await purse.admit(asked)).longest or 0 for _ in range(6)]
    assert limits == [2_800] * 5 + [1_400], "less still has room where more has none"
    assert sum(core.price_of("gpt-5.4", 5_000, limit) or math.inf for limit in limits) <= cap
    waiting = asyncio.ensure_future(purse.admit(asked))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    waiting.cancel()


async def test_the_more_is_found_the_more_is_kept_for_the_report() -> None:
    purse, quote = spending(0.30), "Sales of pumps rose by 4.2% over the year before. " * 4
    (await purse.admit(research_call(20_000))).close(called(0.0, (0, 0), "model_quota"))
    for number in range(700):
        purse.note(core.EvidenceFound(lane="R1", id=f"E{number}", source="S1", quote=quote, start=0, end=len(quote)))
    with pytest.raises(core.CapReached):
        await purse.admit(research_call(20_000))


@pytest.mark.parametrize(
    ("call", "is_counted"),
    [
        (called(None, (0, 0)), True),
        (called(0.0, (0, 0), "cancelled"), True),
        (called(0.0, (0, 0), "model_timeout"), True),
        (called(0.0, (0, 0), "model_quota"), False),
        (called(0.01), False),
    ],
)
async def test_a_call_that_may_be_billed_untold_stays_spent(call: core.ModelCalled, is_counted: bool) -> None:
    purse = spending()
    ticket = await purse.admit(research_call(10_000))
    before = purse.spent_usd
    ticket.close(call)
    assert (purse.spent_usd > before) is is_counted


async def test_the_time_that_a_plan_waits_for_its_reader_does_not_count() -> None:
    now = [0.0]
    purse = spending(None, 10, clock=lambda: now[0])
    now[0] = 60
    purse.note(core.PlanDrafted(outline=core.Outline(), begins_at=NOW))
    now[0] = 600
    left = purse.seconds_left
    purse.note(core.PlanSettled(outline=core.Outline(), edited=True))
    assert purse.seconds_left == left == pytest.approx(600 - 60 - 2)
    now[0] = 660
    assert purse.seconds_left == pytest.approx(left - 60)


async def test_without_a_cap_nothing_is_asked() -> None:
    purse = spending(None)
    assert math.isinf((await purse.admit(research_call(10**9))).seconds)
    await purse.watch()
    assert not purse.reached.is_set()


def test_the_cap_is_named_in_both_languages() -> None:
    brief = core.Brief(question="Why?", max_cost_usd=0.5, max_minutes=10)
    assert core.cap_in_words(brief, Language.EN) == "$0.50, 10 min"
    assert core.cap_in_words(brief, Language.JA) == "0.50ドル、10分"
    assert core.explain("cap_reached", Language.JA, "0.50ドル").startswith("0.50ドル：")


@pytest.mark.parametrize("value", [0, -1, math.inf, math.nan, 10_001])
def test_a_cap_is_a_sum_of_money(value: float) -> None:
    with pytest.raises(ValueError, match="max_cost_usd"):
        core.Brief(question="Why?", max_cost_usd=value)


def test_prices_are_found_by_the_names_that_settings_use() -> None:
    assert (
        core.price_of("openai:gpt-5.4", 1_000, 100) == core.price_of("gpt-5.4", 1_000, 100) == assumed_price(1_000, 100)
    )
    assert core.price_of("qwen2.5:0.5b", 1_000, 100) is None


def searched(report: Report) -> list[core.SearchReturned]:
    return [event for event in report.history if isinstance(event, core.SearchReturned)]


def test_searches_are_counted_and_priced_and_the_price_is_a_setting(world: World, tmp_path: Path) -> None:
    report = run(world, tmp_path, preset=core.PresetName.SPEED)
    usage = report.record.usage[core.Role.RESEARCH]
    assert usage.searches_usd == pytest.approx(0.008 * len(searched(report)))
    assert report.record.spent.cost_usd == pytest.approx(cost(report))
    environment = world.environment | {"TAVILY_USD_PER_CREDIT": "0.5"}
    settings = Settings.from_environment({**environment, "RESEARCH_HOME": str(tmp_path)})
    brief = core.Brief(question=QUESTION, preset=core.PresetName.QUALITY)
    assert usd_a_search(brief, settings) == 1.0, "an advanced search is two credits"
    assert usd_a_search(brief, Settings(home=tmp_path)) == 0.0
    for nonsense in ("cheap", "-1", "nan"):
        told = {**environment, "TAVILY_USD_PER_CREDIT": nonsense}
        assert Settings.from_environment(told).tavily_usd_per_credit == 0.008


def test_the_cap_holds_for_searches_too(world: World, tmp_path: Path) -> None:
    world.counts = False
    settings = Settings.from_environment(
        {**world.environment, "TAVILY_USD_PER_CREDIT": "0.02", "RESEARCH_HOME": str(tmp_path)}
    )
    brief = core.Brief(
        question=QUESTION, method=core.MethodName.SUPERVISED, max_cost_usd=0.13, sources=(core.SourceName.WEB,)
    )
    with Runner(RunStore(tmp_path), settings) as runner:
        report = runner.wait(runner.start(brief, analyst="extractive"), 60)
    spent = sum(event.cost_usd for event in searched(report))
    assert 0.04 <= spent <= 0.13
    assert len(world.tavily.requests) * 0.04 <= 0.13, "none is made that the cap has no room for"
    assert report.record.evidence


@pytest.mark.parametrize("is_kept", [False, True])
@pytest.mark.parametrize(("asked", "most"), [(None, 0.13), (5.0, 0.13), (0.05, 0.05)])
def test_whoever_keeps_the_server_says_what_no_run_may_cost_more_than(
    world: World, tmp_path: Path, asked: float | None, most: float, is_kept: bool
) -> None:
    environment = {**world.environment, "RESEARCH_HOME": str(tmp_path)}
    if not is_kept:
        environment["RESEARCH_MAX_COST_USD"] = "0.13"
    brief = core.Brief(question=QUESTION, preset=core.PresetName.QUALITY, max_cost_usd=asked)
    store = RunStore(tmp_path)
    waiting = enter(store.of_account("bob"), brief, "chat", Task())
    settings_of = partial(Settings.from_environment, environment)
    worker = Worker(store, settings_of(), settings_of=lambda who: settings_of(account=who))
    if is_kept:  # An administrator says so while workers run; what the account says for itself counts for nothing.
        kept_settings.change(tmp_path, lambda _: KeptSettings(max_cost_usd=0.13))
        theirs = KeptSettings(max_cost_usd=9.0, tavily_usd_per_credit=0.0)
        kept_settings.change(home_of_account(tmp_path, "bob"), lambda _: theirs)
        assert settings_of(account="bob").tavily_usd_per_credit == TAVILY_USD
    with Runner(store, settings_of()) as runner:
        own = runner.wait(runner.start(brief), 60)
    worker.work(until_idle=True)
    for report in (own, load_report(store.of_account("bob"), waiting)):
        assert report.record.brief.max_cost_usd == most
        assert cost(report) <= most
    store.close()


@pytest.mark.parametrize("nonsense", ["cheap", "-1", "nan", "0", "inf"])
def test_a_cap_for_all_that_is_no_sum_lets_nothing_begin(nonsense: str, tmp_path: Path) -> None:
    with pytest.raises(core.UsageError, match="RESEARCH_MAX_COST_USD"):
        Settings.from_environment({"RESEARCH_HOME": str(tmp_path), "RESEARCH_MAX_COST_USD": nonsense})


class SlowOnce(World):
    """One of its searches hangs, by its number."""

    hangs = 2

    def _search(self, asked: Asked) -> Results:
        found = super()._search(asked)
        return Results(*found.pages, seconds=25.0) if len(self.tavily.requests) == self.hangs else found


def test_a_search_that_hangs_is_made_a_second_time_and_both_are_paid(tmp_path: Path) -> None:
    with SlowOnce(QUICK) as world:
        pace = core.pace_of(world.tavily.base_url)
        for _ in range(3):
            pace.note("search", core.Awaited.WHOLE, 0, 0.05)
        report = run(world, tmp_path, preset=core.PresetName.SPEED)
        assert report.record.seconds < 20 * slowness()
        costs = [event.cost_usd for event in searched(report)]
        assert costs.count(pytest.approx(0.016)) == 1
        assert len(world.tavily.requests) == len(costs) + 1


def test_a_search_ahead_that_hangs_is_not_waited_for_and_is_paid(tmp_path: Path) -> None:
    with SlowOnce(QUICK) as world:
        world.hangs = 1
        report = run(world, tmp_path, preset=core.PresetName.SPEED)
        assert report.record.seconds < 5 * slowness()
        given_up = [event for event in report.history if isinstance(event, core.SearchFailed)]
        assert [(event.lane, event.code, event.cost_usd) for event in given_up] == [
            ("supervisor", "search_given_up", pytest.approx(0.008))
        ]
        assert report.record.usage[core.Role.RESEARCH].searches_usd == pytest.approx(0.008 * len(world.tavily.requests))


class Agreed(World):
    """All of its researchers search for the same, at the same time."""

    def _decide(self, body: Body) -> Answer:
        answer = super()._decide(body)
        same = json.dumps({"queries": ["pumps"]})
        return replace(answer, calls=tuple((name, same if name == "search" else given) for name, given in answer.calls))


def test_what_several_researchers_search_for_at_once_is_paid_once(tmp_path: Path) -> None:
    with Agreed(QUICK) as world:
        report = run(world, tmp_path, preset=core.PresetName.SPEED)
    asked = [request.body["query"] for request in world.tavily.requests]
    assert asked.count("pumps") == 1
    among = [event for event in report.history if isinstance(event, core.SearchStarted) and event.query == "pumps"]
    assert len({event.lane for event in among}) > 1
    costs = [event.cost_usd for event in searched(report)]
    assert len(costs) >= len(among) and sum(costs) == pytest.approx(0.008 * len(asked))


class Billing(World):
    """Keeps account of all that it was asked, whether anybody waited for the answer or not."""

    usd = 0.0

    def _answer(self, body: Body) -> Reply:
        reply = super()._answer(body)
        assert isinstance(reply, Answer) and reply.tokens is not None
        self.usd += core.price_of(body["model"], *reply.tokens) or 0.0
        return reply


def test_the_cap_holds_for_what_is_asked_a_second_time(tmp_path: Path) -> None:
    cap = 0.6
    with Billing(QUICK) as world:
        run(world, tmp_path / "before")  # what calls usually take is known from now on
        world.usd, world.hangs_every = 0.0, 25
        world.tavily.requests.clear()
        report = run(world, tmp_path, max_cost_usd=cap)
        assert [call for call in calls(report) if call.error in GIVEN_UP], "some were not waited for to the end"
        assert world.usd + 0.008 * len(world.tavily.requests) <= cap
    assert report.record.evidence and report.record.writer


def test_after_three_runs_of_its_kind_an_estimate_is_within_a_factor_of_two(world: World, tmp_path: Path) -> None:
    questions = [f"{QUESTION} In region {number}?" for number in range(4)]
    fields: dict[str, Any] = {"preset": core.PresetName.SPEED, "method": core.MethodName.GAP_DRIVEN}
    for question in questions[:3]:
        run(world, tmp_path, question=question, **fields)
    run(world, tmp_path, question=questions[0], **fields)  # Its summaries are kept: it says little of a new question.
    brief = core.Brief(question=questions[3], **fields)
    environment = {**world.environment, "RESEARCH_HOME": str(tmp_path)}
    store = RunStore(tmp_path)
    found = estimate(
        brief, core.PRESETS[core.PresetName.SPEED].models, past_runs(store, brief, "chat", web=True), web=True
    )
    store.close()
    assert "limits" not in found.basis.en
    assert Settings.from_environment(environment).has_web
    took = run(world, tmp_path, question=questions[3], **fields).record.spent
    assert found.cost_usd is not None and took.cost_usd is not None
    assert found.tokens.high / 2 <= took.tokens <= found.tokens.low * 2
    assert found.cost_usd.high / 2 <= took.cost_usd <= found.cost_usd.low * 2


# --- what a call costs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", sorted({model for preset in core.PRESETS.values() for model in preset.models.values()})
)
def test_every_model_of_a_preset_has_a_price(model: str) -> None:
    price = core.price_usd(model, 1_000, 1_000)
    assert price is not None and 0 < price < 1


def test_output_costs_more_than_input_and_kept_input_less() -> None:
    both = [
        core.price_usd("gpt-5.4", 1_000, 0),
        core.price_usd("gpt-5.4", 0, 1_000),
        core.price_usd("gpt-5.4", 1_000, 0, cached_tokens=900),
    ]
    given, written, kept = (price or 0.0 for price in both)
    assert 0 < kept < given < written


def test_an_unknown_model_has_no_price() -> None:
    assert core.price_usd("qwen2.5-coder-0.5b-instruct", 1_000, 1_000) is None


def test_an_unknown_provider_has_no_price() -> None:
    assert core.price_usd("gpt-5.4", 1_000, 1_000, provider="nobody") is None


def test_another_providers_list_is_used_for_its_models() -> None:
    assert core.price_usd("claude-sonnet-4-5", 1_000, 1_000, provider="anthropic") is not None
