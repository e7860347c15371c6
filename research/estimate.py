"""What a run will take before it begins: time, tokens and money, as ranges.

From past runs of the same kind where there are enough, else from the limits: at the low end everything is found at
once, at the high end most of what the limits allow is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from research import collections
from research.brief import Brief
from research.language import Bilingual
from research.presets import PRESETS, Role
from research.pricing import price_of
from research.settings import Settings
from research.vocabulary import SourceName
from research.workload import RoleTokens, seconds_of, tokens_of, work_of

ENOUGH = 3
"""Past runs from which they are a better guide than the limits."""
_TENTH = 0.1
_FROM_PAST = Bilingual(
    "From the last {count} runs of this kind on this computer.",
    "このコンピューターでの同種の実行{count}件によります。",
)
_FROM_LIMITS = Bilingual(
    "From the limits of preset and method: {least} to {most} searches.",
    "検索は{least}〜{most}回（プリセットと調査方法の上限）。",
)


@dataclass(frozen=True)
class Span:
    """From so much to so much."""

    low: float
    high: float

    def capped(self, most: float | None) -> Span:
        """Return the span with nothing above `most`."""
        return self if most is None else Span(min(self.low, most), min(self.high, most))


@dataclass(frozen=True)
class PastRun:
    """A complete run of the same preset, method and analyst."""

    seconds: float
    tokens: Mapping[Role, RoleTokens]


@dataclass(frozen=True)
class Estimate:
    """What a run will take."""

    seconds: Span
    tokens: Span
    cost_usd: Span | None
    """None if the price of a model is not known."""
    is_free: bool
    """No model is called."""
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
    return brief.sources or available or tuple(name for name in SourceName if collections.is_available(name))


def estimate(
    brief: Brief,
    models: Mapping[Role, str],
    past: Sequence[PastRun] = (),
    *,
    sources: int = 1,
    web: bool = False,
) -> Estimate:
    """Return what a run of `brief` will take.

    Args:
        brief: What is to be researched.
        models: The model of each role; empty if rules do the research.
        past: Complete runs of the same preset, method and analyst, on sources of the same kind.
        sources: How many sources are searched.
        web: Whether one of them is the web.
    """
    found = _from_past(past, models) if len(past) >= ENOUGH else _from_limits(brief, models, sources, web)
    limit = None if brief.max_minutes is None else brief.max_minutes * 60
    unpriced = [name for name in dict.fromkeys(models.values()) if price_of(name, 1_000, 1_000) is None]
    return replace(
        found,
        seconds=found.seconds.capped(limit),
        cost_usd=found.cost_usd.capped(brief.max_cost_usd) if found.cost_usd else None,
        unpriced=tuple(unpriced),
    )


def _from_past(past: Sequence[PastRun], models: Mapping[Role, str]) -> Estimate:
    costs = [_cost(run.tokens, models) for run in past]
    known = [cost for cost in costs if cost is not None]
    return Estimate(
        seconds=_spread([run.seconds for run in past]),
        tokens=_spread([_sum(run.tokens) for run in past]),
        cost_usd=_spread(known) if len(known) == len(costs) else None,
        is_free=not models,
        basis=_formatted(_FROM_PAST, count=len(past)),
    )


def _from_limits(brief: Brief, models: Mapping[Role, str], sources: int, web: bool) -> Estimate:
    ends = (False, True)
    low, high = (work_of(brief, most=most, sources=max(1, sources)) for most in ends)
    seconds = [
        seconds_of(work, brief, by_rule=not models, web=web, most=most)
        for work, most in zip((low, high), ends, strict=True)
    ]
    used = [tokens_of(work, brief, most=most) if models else {} for work, most in zip((low, high), ends, strict=True)]
    costs = [_cost(one, models) for one in used]
    known = [cost for cost in costs if cost is not None]
    return Estimate(
        seconds=_ordered(seconds),
        tokens=_ordered([_sum(one) for one in used]),
        cost_usd=_ordered(known) if len(known) == len(costs) else None,
        is_free=not models,
        basis=_formatted(_FROM_LIMITS, least=round(low.queries), most=round(high.queries)),
    )


def rounded(value: float) -> int:
    """Return a number as precise as an estimate can be: its first two digits."""
    return int(float(f"{value:.1e}"))


def _cost(used: Mapping[Role, RoleTokens], models: Mapping[Role, str]) -> float | None:
    """Return what these tokens cost, or None if a price is not known; without models nothing."""
    total = 0.0
    for role, tokens in used.items():
        if not models or not (tokens.input or tokens.output):
            continue
        # As a call of a hundredth: long prompts have another price, and these are the tokens of many calls.
        price = price_of(models[role], round(tokens.input / 100), round(tokens.output / 100))
        if price is None:
            return None
        total += price * 100
    return total


def _sum(used: Mapping[Role, RoleTokens]) -> float:
    return sum(tokens.input + tokens.output for tokens in used.values())


def _ordered(values: Sequence[float]) -> Span:
    return Span(min(values), max(values))


def _spread(values: Sequence[float]) -> Span:
    """Return the range of most of these values: without their lowest and highest tenth."""
    return Span(_quantile(values, _TENTH), _quantile(values, 1 - _TENTH))


def _quantile(values: Sequence[float], share: float) -> float:
    ordered, place = sorted(values), share * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _formatted(text: Bilingual, **values: int) -> Bilingual:
    return Bilingual(*(part.format(**values) for part in text))
