"""What a question will take, told before it is asked, and what several ways of asking took, side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import quantiles
from typing import TYPE_CHECKING, Self, TypeVar

from research import core
from research.analysts.extractive import plan_for
from research.core import PRESETS, Brief, Evidence, Frozen, MethodName, PresetName, Status, UsageError, method_of
from research.gaps import Cells, Relevance, cells_of, sufficiency
from research.language import SPACE, Bilingual, Language, Phrase
from research.results import Report, borne_out, site_name
from research.settings import Settings
from research.sources import Making, by_default
from research.text import columns, escape_markdown, html_table, markdown_table

if TYPE_CHECKING:
    import pandas as pd


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
_FROM_LIMITS = Phrase("From the limits of preset and method: {least} to {most} searches.")


@dataclass(frozen=True)
class Range:
    """From so much to so much."""

    low: float
    high: float

    @property
    def typical(self) -> float:
        """The middle by ratio, as one end may be ten times the other."""
        return math.sqrt(self.low * self.high)

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
    is_cut: bool = False
    """Whether a cap is below what is typical, so that the run will probably end early."""


def models_of(brief: core.Brief, settings: Settings) -> dict[core.Role, str]:
    """Return the model of each role that a run of `brief` would call; empty if it would call none."""
    return settings.models_by(core.PRESETS[brief.preset].models)


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
    caps = ((found.seconds, limit), (found.cost_usd, brief.max_cost_usd))
    unpriced = [name for name in dict.fromkeys(models.values()) if core.price_of(name, 1_000, 1_000) is None]
    return replace(
        found,
        seconds=found.seconds.capped(limit),
        cost_usd=found.cost_usd.capped(brief.max_cost_usd) if found.cost_usd else None,
        unpriced=tuple(unpriced),
        is_cut=any(usual and cap is not None and cap < usual.typical for usual, cap in caps),
    )


def _from_past(past: Sequence[PastRun], models: Mapping[core.Role, str]) -> Estimate:
    basis = Phrase("From the last {count} runs of this kind on this computer.").filled(count=len(past))
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
    basis = _FROM_LIMITS.filled(least=round(queries[0]), most=round(queries[1]))
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


E = TypeVar("E", bound=StrEnum)

_SPACE = Bilingual(" · ", "・")


class Variant(Frozen):
    """One way to research a question."""

    preset: PresetName
    method: MethodName

    @classmethod
    def of(cls, brief: Brief) -> Self:
        """Return the way that a brief asks for."""
        return cls(preset=brief.preset, method=method_of(brief))

    def applied_to(self, brief: Brief) -> Brief:
        """Return the brief, to be researched in this way."""
        return brief.model_copy(update=self.model_dump())

    def label(self, language: Language) -> str:
        """Return its name for a person."""
        words = (PRESETS[self.preset].label, self.method.label)
        return _SPACE.in_(language).join(word.in_(language) for word in words)


def variants(
    brief: Brief, methods: Sequence[str] = (), presets: Sequence[str] = (), *, least: int = 2
) -> tuple[Variant, ...]:
    """Return every combination of the methods and presets named; what is not given is the brief's.

    Raises:
        UsageError: a name does not exist, or fewer than `least` ways remain.
    """
    named = [_named(PresetName, name, brief.language) for name in presets] or [brief.preset]
    chosen = [_named(MethodName, name, brief.language) for name in methods]
    found = dict.fromkeys(
        Variant(preset=preset, method=method)
        for preset in named
        for method in chosen or [brief.method or PRESETS[preset].method]
    )
    if len(found) < least:
        raise UsageError(Phrase("A comparison needs two or more different methods or presets."), brief.language)
    return tuple(found)


def _named(names: type[E], name: str, language: Language) -> E:
    try:
        return names(name)
    except ValueError:
        known = ", ".join(one.value for one in names)
        raise UsageError(_UNKNOWN.filled(name=name, known=known), language) from None


_UNKNOWN = Phrase("There is no “{name}”; there are: {known}.")


class VariantOutcome(Frozen):
    """What one run came to, in numbers that can be compared."""

    run: str
    variant: Variant
    analyst: str
    status: Status
    seconds: float
    calls: int
    """Model calls that were made."""
    kept_calls: int
    """Model calls that were not made, because their answer was kept from before, perhaps from a run beside this one."""
    tokens: int
    """Read and written by the models."""
    cost_usd: float | None
    """None if the price of a model is not known."""
    queries: int
    """Each researcher's different ones, however many sources each was sent to."""
    pages: int
    sites: int
    cited: int
    """Pages that the report cites."""
    quotes: int
    """Pieces of evidence that the report cites."""
    length: int
    """Of the report's text, in columns: a wide character counts two."""
    score: int
    """Sufficiency of the cited evidence for the question, 0 to 10."""
    coverage: float
    """The share of a checklist that the cited evidence speaks of; the checklist is the question's plan by rule, the
    same for all."""
    verdicts: dict[str, int]
    """Sentences for each verdict that occurs."""
    is_rewritten: bool = False
    """Whether it wrote another report from the evidence of an earlier run, without any search."""

    @classmethod
    def of(cls, report: Report) -> Self:
        """Return the outcome of a finished run."""
        record = report.record
        used = {name for sentence in record.sentences for name in sentence.evidence}
        cited = [entry for entry in record.evidence if entry.id in used]
        cells = _checked(report, cited)
        spent = record.spent
        return cls(
            run=record.run,
            variant=Variant.of(record.brief),
            analyst=record.analyst,
            status=record.status,
            seconds=record.seconds,
            calls=spent.calls,
            kept_calls=spent.cached,
            tokens=spent.tokens,
            cost_usd=spent.cost_usd,
            queries=len(report.view.queries),
            pages=len(record.sources),
            sites=len({site_name(report.pages[source.id]) for source in record.sources}),
            cited=len({entry.source for entry in cited}),
            quotes=len(cited),
            length=columns(record.draft),
            score=sufficiency(record.brief.question, cited, report.pages, cells).total,
            coverage=len(cells.covered) / (len(cells.told) or 1),
            verdicts=dict(Counter(sentence.verdict for sentence in record.sentences if sentence.verdict)),
            is_rewritten=bool(record.rewritten_from),
        )


def _checked(report: Report, cited: Sequence[Evidence]) -> Cells:
    """Return the checklist that the plan of a brief without models makes, with the quotes on each of its points."""
    brief, read, pages = report.record.brief, report.record.evidence, report.pages
    cells = [cells_of(brief, one, cited, pages, Relevance(), among=read) for one in plan_for(brief).sections]
    return Cells({label: parts for one in cells for label, parts in one.told.items()}, cells[0].about, cells[0].wanted)


_COLUMNS: Mapping[Phrase, Callable[[VariantOutcome, Language], str]] = {
    Phrase("Way"): lambda one, language: one.variant.label(language),
    Phrase("Status"): lambda one, language: one.status.label.in_(language),
    Phrase("Seconds"): lambda one, _: f"{one.seconds:.1f}",
    Phrase("Model calls"): lambda one, _: f"{one.calls}" + (f" (+{one.kept_calls})" if one.kept_calls else ""),
    Phrase("Tokens"): lambda one, _: f"{one.tokens:,}",
    Phrase("Cost (USD)"): lambda one, _: "–" if one.cost_usd is None else f"{one.cost_usd:.4f}",
    Phrase("Searches"): lambda one, _: str(one.queries),
    Phrase("Pages", "how many"): lambda one, _: str(one.pages),
    Phrase("Cited"): lambda one, _: str(one.cited),
    Phrase("Quotes"): lambda one, _: str(one.quotes),
    Phrase("Sufficiency /10"): lambda one, _: str(one.score),
    Phrase("Coverage", "share"): lambda one, _: f"{one.coverage:.0%}",
    Phrase("Supported"): lambda one, _: str(borne_out(one.verdicts)),
    Phrase("Checked sentences"): lambda one, _: str(sum(one.verdicts.values())),
}


class Comparison(Frozen):
    """Several runs of one question."""

    question: str
    language: Language
    outcomes: tuple[VariantOutcome, ...]

    @classmethod
    def of(cls, reports: Iterable[Report]) -> Self:
        """Compare finished runs; the first says the question and the language."""
        found = tuple(reports)
        brief = found[0].record.brief
        return cls(question=brief.question, language=brief.language, outcomes=tuple(map(VariantOutcome.of, found)))

    @property
    def table(self) -> pd.DataFrame:
        """One row a run, every field of `VariantOutcome`, the verdicts in columns of their own."""
        import pandas as pd

        rows = [
            {"preset": one.variant.preset.value, "method": one.variant.method.value}
            | one.model_dump(mode="json", exclude={"variant", "verdicts"})
            | one.verdicts
            for one in self.outcomes
        ]
        return pd.DataFrame(rows)

    def to_markdown(self) -> str:
        """Return the comparison as a table, with the words that one needs to read it."""
        question = escape_markdown(" ".join(self.question.split()))
        read = SPACE.in_(self.language).join(one.in_(self.language) for one in (KEPT_CALLS, READING))
        return f"# {question}\n\n{markdown_table(self._rows())}\n\n{read}\n"

    def _rows(self) -> list[list[str]]:
        titles = [title.in_(self.language) for title in _COLUMNS]
        return [titles, *([cell(outcome, self.language) for cell in _COLUMNS.values()] for outcome in self.outcomes)]

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def _repr_html_(self) -> str:
        return html_table(self._rows(), self.question[:300])


READING = Phrase(
    "Sufficiency and coverage are computed from the quotes that each report cites: the one by five criteria, the other "
    "as the share of one checklist, the question's plan by rule. Supported means: checked against the stored page, by "
    "rules."
)
"""What the columns mean."""
KEPT_CALLS = Phrase(
    "Runs that are compared share the cache of page summaries: calls that were kept from before, or from a run beside "
    "this one, stand behind the plus sign and cost nothing here."
)
"""What those of models mean."""
