"""How much there is to do in a run, by its method and limits: if everything is found at once, and if most is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from research.brief import Brief
from research.brief_text import method_of
from research.call_sizes import ANSWER_TOKENS, REPORT_PROMPT, report_tokens
from research.methods.names import MethodName
from research.presets import PRESETS, Limits, Role

_NEW = 0.5
"""The share of the pages found that were not read before, where much is searched."""
_QUOTES_A_PAGE = 3
_QUOTE_TOKENS = 90
_PROMPT = {Role.PLANNING: (900, 1_800), Role.RESEARCH: (1_200, 4_500), Role.FINAL_REPORT: (1_500, 6_000)}
_PAGE_PROMPT = 500
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

    rounds: float
    """Searches, of however many queries."""
    queries: float
    pages: float
    topics: float
    decisions: float
    steps: float
    """Rounds that follow each other, because they are not at the same time."""
    plans: int


def work_of(brief: Brief, *, most: bool, sources: int) -> Work:
    """Return what there is to do where `sources` are searched; at the high end if `most`."""
    limits = PRESETS[brief.preset].limits
    return _BY_METHOD[method_of(brief)](brief, limits, most, sources)


def _made(limits: Limits, sources: int, *, topics: float, rounds: float, queries: float, most: bool, plans: int = 0,
          decisions: float = 0.0, at_once: int | None = None) -> Work:  # fmt: skip
    """Return the work of `topics`, each searched in `rounds` of `queries`, `at_once` at the same time."""
    asked = topics * rounds * queries
    found = asked * sources * limits.results
    pages = max(limits.results, found * _NEW) if most else min(found, limits.results * topics)
    waves = -(-topics // min(at_once or limits.concurrent_researchers, topics))
    return Work(
        rounds=topics * rounds,
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
    page = limits.page_characters * _TOKENS_PER_CHARACTER if most else _SHORT_PAGE
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
            work.pages * (page + _PAGE_PROMPT),
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
