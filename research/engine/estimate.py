"""What a run may take, before it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import quantiles

from research import core
from research.language import Bilingual, Phrase
from research.settings import Settings
from research.sources import Making, by_default

_NEW = 0.5
"""The share of the pages found that were not read before, where much is searched."""
_QUOTES_A_PAGE = 3
_QUOTE_TOKENS = 90
_PROMPT = {core.Role.PLANNING: (900, 1_800), core.Role.RESEARCH: (1_200, 4_500), core.Role.FINAL_REPORT: (1_500, 6_000)}
_PAGE_PROMPT = 500
_OPEN_TOKENS = 15_000
"""Sentences that rules leave open, thirty with 1,200 characters of a page or two each."""
_SHORT_PAGE = 1_200
"""Tokens of a short page."""
_TOKENS_PER_CHARACTER = 0.35
_DECISION_SECONDS = (2.0, 6.0)
_SEARCH_SECONDS = {True: (3.0, 15.0), False: (2.0, 10.0)}
"""A search and the summaries of its pages, with models: where the web is searched, and where it is not."""
_RULE_SECONDS = {True: (1.5, 6.0), False: (0.03, 0.15)}
"""The same for one query without a model."""
_WRITING = (120, 40)
"""Tokens a second."""


@dataclass(frozen=True)
class RoleTokens:
    """What the model of one role was given and wrote."""

    input: float = 0
    output: float = 0


@dataclass(frozen=True)
class _Work:
    """How much there is to do, at one end of the range."""

    topics: float
    rounds: float
    """Searches of one topic, one after the other."""
    asked: float
    """Queries of one search."""
    plans: int = 0
    decisions: float = 0.0
    """Of whoever hands topics out."""
    is_in_turn: bool = True
    """Only so many topics are researched at the same time as the preset allows."""

    @property
    def queries(self) -> float:
        """Queries of the whole run, each sent to every source."""
        return self.topics * self.rounds * self.asked

    def pages(self, limits: core.Limits, sources: int, *, most: bool) -> float:
        """Return how many pages are read."""
        found = self.queries * sources * limits.results
        return max(limits.results, found * _NEW) if most else min(found, limits.results * self.topics)

    def steps(self, limits: core.Limits) -> float:
        """Return the rounds that follow each other, because they are not at the same time."""
        at_once = min(limits.concurrent_researchers, self.topics) if self.is_in_turn else self.topics
        return -(-self.topics // at_once) * self.rounds


def _work(brief: core.Brief, limits: core.Limits, *, most: bool) -> _Work:
    """Return what the brief's method does at one end of the range."""
    methods, queries = limits.methods, limits.queries if most else 1
    match core.method_of(brief):
        case core.MethodName.SUPERVISED if most:
            return _Work(limits.researchers, min(limits.searches, methods.simple_searches), queries, decisions=4)
        case core.MethodName.SUPERVISED:
            return _Work(min(2, limits.researchers), 1, queries, decisions=2)
        case core.MethodName.CHAINED:
            return _Work(1, methods.chain if most else 1, 1)
        case core.MethodName.GAP_DRIVEN:
            return _Work(methods.sections if most else 3, methods.gap_iterations if most else 1, queries, plans=1)
        case core.MethodName.OUTLINED:
            rounds = min(brief.iterations or (3 if most else 1), methods.iterations)
            asked = min(brief.queries_per_section or (3 if most else 1), limits.queries)
            return _Work(methods.sections if most else 3, rounds, asked, plans=2)
        case core.MethodName.NOTED:
            cycles = methods.cycles if most else 1
            return _Work(methods.planned_queries if most else 2, cycles, 1, plans=cycles, is_in_turn=False)


def _tokens(work: _Work, brief: core.Brief, sources: int, *, most: bool) -> dict[core.Role, RoleTokens]:
    """Return what the models would be given and write."""
    limits = core.PRESETS[brief.preset].limits
    pages, repairs, share = work.pages(limits, sources, most=most), int(most), 1.0 if most else 0.4
    page = limits.rich_characters * _TOKENS_PER_CHARACTER if most else _SHORT_PAGE
    evidence = pages * _QUOTES_A_PAGE * _QUOTE_TOKENS
    decisions = work.topics * (2 * work.rounds + 1) + work.decisions
    given = {
        core.Role.PLANNING: work.plans * _PROMPT[core.Role.PLANNING][most],
        core.Role.RESEARCH: decisions * _PROMPT[core.Role.RESEARCH][most],
        core.Role.SUMMARIZATION: pages * (page + _PAGE_PROMPT) + repairs * _OPEN_TOKENS,
        core.Role.COMPRESSION: work.topics * _PAGE_PROMPT + evidence,
        core.Role.FINAL_REPORT: core.REPORT_PROMPT + evidence + repairs * _PROMPT[core.Role.FINAL_REPORT][most],
    }
    answer = {role: tokens * share for role, tokens in core.ANSWER_TOKENS.items()}
    written = {
        core.Role.PLANNING: work.plans * answer[core.Role.PLANNING],
        core.Role.RESEARCH: decisions * answer[core.Role.RESEARCH],
        core.Role.SUMMARIZATION: pages * (limits.summary_words * 1.5 + answer[core.Role.SUMMARIZATION] / 2),
        core.Role.COMPRESSION: work.topics * answer[core.Role.COMPRESSION],
        core.Role.FINAL_REPORT: core.report_tokens(brief) * share + repairs * answer[core.Role.FINAL_REPORT],
    }
    return {role: RoleTokens(given[role], written[role]) for role in core.Role}


def _seconds(work: _Work, brief: core.Brief, sources: int, *, by_rule: bool, web: bool, most: bool) -> float:
    """Return how long the work takes, with models or by rule."""
    if by_rule:
        return 1.0 + work.queries * sources * _RULE_SECONDS[web][most] / (1 if most else 2)
    steps = work.steps(core.PRESETS[brief.preset].limits)
    deciding = (steps * 2 + 2 + work.plans) * _DECISION_SECONDS[most]
    writing = core.report_tokens(brief) * (1.0 if most else 0.4) / _WRITING[most]
    return deciding + steps * _SEARCH_SECONDS[web][most] + writing


ENOUGH = 3
"""Past runs from which they are a better guide than the limits."""
_FROM_PAST = Phrase("From the last {count} runs of this kind on this computer.")
_FROM_LIMITS = Phrase("From the limits of preset and method: {least} to {most} searches.")


@dataclass(frozen=True)
class Range:
    """From so much to so much."""

    low: float
    high: float

    def capped(self, most: float | None) -> Range:
        """Return the span with nothing above `most`."""
        return self if most is None else Range(min(self.low, most), min(self.high, most))


@dataclass(frozen=True)
class PastRun:
    """A complete run of the same preset, method and analyst."""

    seconds: float
    tokens: Mapping[core.Role, RoleTokens]
    searches_usd: float = 0.0
    """What its searches cost."""


@dataclass(frozen=True)
class Estimate:
    """What a run will take."""

    seconds: Range
    tokens: Range
    cost_usd: Range | None
    """None if the price of a model is not known."""
    is_free: bool
    """No model is called, and no search is paid for."""
    basis: Bilingual
    """What it rests on."""
    unpriced: tuple[str, ...] = ()
    """Models whose price is not known."""


def models_of(brief: core.Brief, settings: Settings) -> dict[core.Role, str]:
    """Return the model of each role that a run of `brief` would call; empty if it would call none."""
    if not settings.has_models:
        return {}
    return {role: settings.models.get(role, core.PRESETS[brief.preset].models[role]) for role in core.Role}


def sources_of(brief: core.Brief, settings: Settings, *, has_documents: bool) -> tuple[core.SourceName, ...]:
    """Return the sources that a run of `brief` would search: those it names, else those that are available."""
    folder = settings.home if has_documents else None
    return brief.sources or by_default(Making(brief, settings, folder=folder, uses_models=settings.has_models))


def estimate(
    brief: core.Brief,
    models: Mapping[core.Role, str],
    past: Sequence[PastRun] = (),
    *,
    sources: int = 1,
    web: bool = False,
    usd_a_search: float = 0.0,
) -> Estimate:
    """Return what a run of `brief` will take.

    Args:
        brief: What is to be researched.
        models: The model of each role; empty if rules do the research.
        past: Complete runs of the same preset, method and analyst, on sources of the same kind.
        sources: How many sources are searched.
        web: Whether one of them is the web.
        usd_a_search: What a search of the web costs.
    """
    fee = usd_a_search if web else 0.0
    found = _from_past(past, models) if len(past) >= ENOUGH else _from_limits(brief, models, sources, web, fee)
    limit = None if brief.max_minutes is None else brief.max_minutes * 60
    unpriced = [name for name in dict.fromkeys(models.values()) if core.price_of(name, 1_000, 1_000) is None]
    return replace(
        found,
        seconds=found.seconds.capped(limit),
        cost_usd=found.cost_usd.capped(brief.max_cost_usd) if found.cost_usd else None,
        unpriced=tuple(unpriced),
    )


def _from_past(past: Sequence[PastRun], models: Mapping[core.Role, str]) -> Estimate:
    basis = _FROM_PAST.filled(count=len(past))
    costs = [_cost(run.tokens, models, run.searches_usd) for run in past]
    return _estimate([run.seconds for run in past], [run.tokens for run in past], costs, basis)


def _from_limits(brief: core.Brief, models: Mapping[core.Role, str], sources: int, web: bool, fee: float) -> Estimate:
    limits, sources = core.PRESETS[brief.preset].limits, max(1, sources)
    # `engine/reading.py` says when the question itself is searched for while a model plans.
    is_ahead = models and not (web and sources > 1) and core.method_of(brief) is not core.MethodName.CHAINED
    seconds, used, costs, queries = [], [], [], []
    for most in (False, True):
        work = _work(brief, limits, most=most)
        seconds.append(_seconds(work, brief, sources, by_rule=not models, web=web, most=most))
        used.append(_tokens(work, brief, sources, most=most) if models else {})
        queries.append(work.queries + bool(is_ahead))
        costs.append(_cost(used[-1], models, queries[-1] * fee))
    basis = _FROM_LIMITS.filled(least=round(queries[0] * sources), most=round(queries[1] * sources))
    return _estimate(seconds, used, costs, basis)


def _estimate(
    seconds: Sequence[float],
    used: Sequence[Mapping[core.Role, RoleTokens]],
    costs: Sequence[float | None],
    basis: Bilingual,
) -> Estimate:
    known = [cost for cost in costs if cost is not None]
    tokens = [sum(of.input + of.output for of in one.values()) for one in used]
    return Estimate(
        seconds=_range(seconds),
        tokens=_range(tokens),
        cost_usd=_range(known) if len(known) == len(costs) else None,
        is_free=not any(tokens) and not any(costs),
        basis=basis,
    )


def rounded(value: float) -> int:
    """Return a number as precise as an estimate can be: its first two digits."""
    return int(float(f"{value:.1e}"))


def _cost(used: Mapping[core.Role, RoleTokens], models: Mapping[core.Role, str], searches: float) -> float | None:
    """Return what these tokens and `searches` cost, or None if a price is not known; without models no tokens do."""
    total = searches
    for role, tokens in used.items():
        if not models or not (tokens.input or tokens.output):
            continue
        # As a call of a hundredth: long prompts have another price, and these are the tokens of many calls.
        price = core.price_of(models[role], round(tokens.input / 100), round(tokens.output / 100))
        if price is None:
            return None
        total += price * 100
    return total


def _range(values: Sequence[float]) -> Range:
    """Return the range of these values; of past runs without their lowest and highest tenth."""
    if len(values) < ENOUGH:
        return Range(min(values), max(values))
    tenths = quantiles(values, n=10, method="inclusive")
    return Range(tenths[0], tenths[-1])
