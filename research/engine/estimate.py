"""What a run may take, before it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import quantiles

from research.core import (
    ANSWER_TOKENS,
    PRESETS,
    REPORT_PROMPT,
    Brief,
    Limits,
    MethodName,
    Role,
    SourceName,
    method_of,
    price_of,
    report_tokens,
)
from research.language import Bilingual, Phrase
from research.settings import Settings
from research.sources import is_available

_NEW = 0.5
"""The share of the pages found that were not read before, where much is searched."""
_QUOTES_A_PAGE = 3
_QUOTE_TOKENS = 90
_PROMPT = {Role.PLANNING: (900, 1_800), Role.RESEARCH: (1_200, 4_500), Role.FINAL_REPORT: (1_500, 6_000)}
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
class Work:
    """How much there is to do, at one end of the range."""

    queries: float
    pages: float
    topics: float
    decisions: float
    steps: float
    """Rounds that follow each other, because they are not at the same time."""
    plans: int


def _made(limits: Limits, sources: int, *, topics: float, rounds: float, queries: float, most: bool, plans: int = 0,
          decisions: float = 0.0, at_once: int | None = None) -> Work:  # fmt: skip
    """Return the work of `topics`, each searched in `rounds` of `queries`, `at_once` at the same time."""
    asked = topics * rounds * queries
    found = asked * sources * limits.results
    pages = max(limits.results, found * _NEW) if most else min(found, limits.results * topics)
    waves = -(-topics // min(at_once or limits.concurrent_researchers, topics))
    return Work(
        queries=asked * sources,
        pages=pages,
        topics=topics,
        decisions=topics * (2 * rounds + 1) + decisions,
        steps=waves * rounds,
        plans=plans,
    )


def _supervised(brief: Brief, limits: Limits, most: bool, sources: int) -> Work:
    topics = limits.researchers if most else min(2, limits.researchers)
    rounds = min(limits.searches, limits.methods.simple_searches) if most else 1
    queries = limits.queries if most else 1
    decisions = 4 if most else 2
    return _made(limits, sources, topics=topics, rounds=rounds, queries=queries, most=most, decisions=decisions)


def _chained(brief: Brief, limits: Limits, most: bool, sources: int) -> Work:
    return _made(limits, sources, topics=1, rounds=limits.methods.chain if most else 1, queries=1, most=most)


def _gap_driven(brief: Brief, limits: Limits, most: bool, sources: int) -> Work:
    methods = limits.methods
    sections, rounds = (methods.sections, methods.gap_iterations) if most else (3, 1)
    queries = limits.queries if most else 1
    return _made(limits, sources, topics=sections, rounds=rounds, queries=queries, most=most, plans=1)


def _outlined(brief: Brief, limits: Limits, most: bool, sources: int) -> Work:
    methods = limits.methods
    sections = methods.sections if most else 3
    rounds = brief.iterations or (min(3, methods.iterations) if most else 1)
    queries = brief.queries_per_section or (min(3, limits.queries) if most else 1)
    rounds, queries = min(rounds, methods.iterations), min(queries, limits.queries)
    return _made(limits, sources, topics=sections, rounds=rounds, queries=queries, most=most, plans=2)


def _noted(brief: Brief, limits: Limits, most: bool, sources: int) -> Work:
    methods = limits.methods
    queries, cycles = (methods.planned_queries, methods.cycles) if most else (2, 1)
    return _made(
        limits,
        sources,
        topics=queries,
        rounds=cycles,
        queries=1,
        most=most,
        plans=cycles,
        at_once=methods.planned_queries,
    )


_BY_METHOD: Mapping[MethodName, Callable[[Brief, Limits, bool, int], Work]] = {
    MethodName.SUPERVISED: _supervised,
    MethodName.CHAINED: _chained,
    MethodName.GAP_DRIVEN: _gap_driven,
    MethodName.OUTLINED: _outlined,
    MethodName.NOTED: _noted,
}


def tokens_of(work: Work, brief: Brief, *, most: bool) -> dict[Role, RoleTokens]:
    """Return what the models would be given and write."""
    limits = PRESETS[brief.preset].limits
    page = limits.rich_characters * _TOKENS_PER_CHARACTER if most else _SHORT_PAGE
    evidence = work.pages * _QUOTES_A_PAGE * _QUOTE_TOKENS
    share = 1.0 if most else 0.4
    written = {role: tokens * share for role, tokens in ANSWER_TOKENS.items()}
    repairs = 1 if most else 0
    return {
        Role.PLANNING: RoleTokens(work.plans * _PROMPT[Role.PLANNING][most], work.plans * written[Role.PLANNING]),
        Role.RESEARCH: RoleTokens(
            work.decisions * _PROMPT[Role.RESEARCH][most], work.decisions * written[Role.RESEARCH]
        ),
        Role.SUMMARIZATION: RoleTokens(
            work.pages * (page + _PAGE_PROMPT) + repairs * _OPEN_TOKENS,
            work.pages * (limits.summary_words * 1.5 + written[Role.SUMMARIZATION] / 2),
        ),
        Role.COMPRESSION: RoleTokens(work.topics * _PAGE_PROMPT + evidence, work.topics * written[Role.COMPRESSION]),
        Role.FINAL_REPORT: RoleTokens(
            REPORT_PROMPT + evidence + repairs * _PROMPT[Role.FINAL_REPORT][most],
            report_tokens(brief) * share + repairs * written[Role.FINAL_REPORT],
        ),
    }


def seconds_of(work: Work, brief: Brief, *, by_rule: bool, web: bool, most: bool) -> float:
    """Return how long the work takes, with models or by rule."""
    if by_rule:
        return 1.0 + work.queries * _RULE_SECONDS[web][most] / (1 if most else 2)
    deciding = (work.steps * 2 + 2 + work.plans) * _DECISION_SECONDS[most]
    searching = work.steps * _SEARCH_SECONDS[web][most]
    writing = report_tokens(brief) * (1.0 if most else 0.4) / _WRITING[most]
    return deciding + searching + writing


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
    tokens: Mapping[Role, RoleTokens]
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


def models_of(brief: Brief, settings: Settings) -> dict[Role, str]:
    """Return the model of each role that a run of `brief` would call; empty if it would call none."""
    if not settings.has_models:
        return {}
    return {role: settings.models.get(role, PRESETS[brief.preset].models[role]) for role in Role}


def sources_of(brief: Brief, settings: Settings, *, has_documents: bool) -> tuple[SourceName, ...]:
    """Return the sources that a run of `brief` would search: those it names, else those that are available."""
    own = ((SourceName.LIBRARY, has_documents), (SourceName.WEB, settings.has_web))
    available = tuple(name for name, is_there in own if is_there)
    return brief.sources or available or tuple(name for name in SourceName if is_available(name))


def estimate(
    brief: Brief,
    models: Mapping[Role, str],
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
    unpriced = [name for name in dict.fromkeys(models.values()) if price_of(name, 1_000, 1_000) is None]
    return replace(
        found,
        seconds=found.seconds.capped(limit),
        cost_usd=found.cost_usd.capped(brief.max_cost_usd) if found.cost_usd else None,
        unpriced=tuple(unpriced),
    )


def _from_past(past: Sequence[PastRun], models: Mapping[Role, str]) -> Estimate:
    basis = _FROM_PAST.filled(count=len(past))
    costs = [_cost(run.tokens, models, run.searches_usd) for run in past]
    return _estimate([run.seconds for run in past], [run.tokens for run in past], costs, _spread, basis)


def _from_limits(brief: Brief, models: Mapping[Role, str], sources: int, web: bool, fee: float) -> Estimate:
    ends = (False, True)
    limits, method = PRESETS[brief.preset].limits, _BY_METHOD[method_of(brief)]
    low, high = (method(brief, limits, most, max(1, sources)) for most in ends)
    seconds = [
        seconds_of(work, brief, by_rule=not models, web=web, most=most)
        for work, most in zip((low, high), ends, strict=True)
    ]
    used = [tokens_of(work, brief, most=most) if models else {} for work, most in zip((low, high), ends, strict=True)]
    ahead = _searches_ahead(brief, models, sources, web)
    basis = _FROM_LIMITS.filled(least=round(low.queries) + ahead, most=round(high.queries) + ahead)
    fees = [(work.queries / max(1, sources) + ahead) * fee for work in (low, high)]
    costs = [_cost(tokens, models, searches) for tokens, searches in zip(used, fees, strict=True)]
    return _estimate(seconds, used, costs, _ordered, basis)


def _searches_ahead(brief: Brief, models: Mapping[Role, str], sources: int, web: bool) -> int:
    """Return how often the question itself is searched for while a model plans: `engine/ahead.py` says when."""
    is_mixed = web and sources > 1
    return sources if models and not is_mixed and method_of(brief) is not MethodName.CHAINED else 0


def _estimate(
    seconds: Sequence[float],
    used: Sequence[Mapping[Role, RoleTokens]],
    costs: Sequence[float | None],
    ranged: Callable[[Sequence[float]], Range],
    basis: Bilingual,
) -> Estimate:
    known = [cost for cost in costs if cost is not None]
    tokens = [sum(of.input + of.output for of in one.values()) for one in used]
    return Estimate(
        seconds=ranged(seconds),
        tokens=ranged(tokens),
        cost_usd=ranged(known) if len(known) == len(costs) else None,
        is_free=not any(tokens) and not any(costs),
        basis=basis,
    )


def rounded(value: float) -> int:
    """Return a number as precise as an estimate can be: its first two digits."""
    return int(float(f"{value:.1e}"))


def _cost(used: Mapping[Role, RoleTokens], models: Mapping[Role, str], searches: float) -> float | None:
    """Return what these tokens and `searches` cost, or None if a price is not known; without models no tokens do."""
    total = searches
    for role, tokens in used.items():
        if not models or not (tokens.input or tokens.output):
            continue
        # As a call of a hundredth: long prompts have another price, and these are the tokens of many calls.
        price = price_of(models[role], round(tokens.input / 100), round(tokens.output / 100))
        if price is None:
            return None
        total += price * 100
    return total


def _ordered(values: Sequence[float]) -> Range:
    return Range(min(values), max(values))


def _spread(values: Sequence[float]) -> Range:
    """Return the range of most of these values: without their lowest and highest tenth."""
    tenths = quantiles(values, n=10, method="inclusive")
    return Range(tenths[0], tenths[-1])
