"""Who decides in methods that reflect: the analyst's first queries, then what each of its reflections proposes."""

from __future__ import annotations

from research.analysts.protocol import ResearchComplete, ResearcherAction, ResearcherView, Search, Think
from research.graph.context import RunContext
from research.graph.lane import Decide
from research.methods.stopping import StopReason
from research.reflection import Reflection


class Budget:
    """The steps that all topics of a run together may still take."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self, steps: int) -> bool:
        """Take `steps`; return whether there were as many."""
        if steps > self._left:
            return False
        self._left -= steps
        return True


def reflecting(context: RunContext, budget: Budget | None = None) -> Decide:
    """Return a decision that searches, reflects, and goes on while a reflection names gaps and new queries."""
    analyst = context.world.analyst

    def search(queries: tuple[str, ...]) -> list[ResearcherAction]:
        steps = len(queries) * context.limits.methods.steps_per_query
        if budget is not None and not budget.spend(steps):
            return [ResearchComplete(code=StopReason.BUDGET)]
        return [Search(queries)]

    async def decide(view: ResearcherView) -> list[ResearcherAction]:
        if view.assessment is None:
            queries = tuple(dict.fromkeys(await analyst.queries(view)))[: view.limits.queries]
            return search(queries) if queries else [ResearchComplete(code=StopReason.UNPLANNED)]
        reflection = _last_reflection(view)
        if reflection is None:
            reflection = await analyst.reflect(view)
            return [Think(reflection.in_words(view.brief.language), reflection)]
        if view.evidence and not reflection.gaps:
            return [ResearchComplete(code=StopReason.COVERED)]
        if view.searches_left <= 0:
            return [ResearchComplete(code=StopReason.LIMIT)]
        queries = _new_queries(view, reflection)
        return search(queries) if queries else [ResearchComplete(code=StopReason.REPEATED)]

    return decide


def _last_reflection(view: ResearcherView) -> Reflection | None:
    """Return the reflection on the last search, or None if there is none yet."""
    last = view.steps[-1].action
    return last.parts if isinstance(last, Think) else None


def _new_queries(view: ResearcherView, reflection: Reflection) -> tuple[str, ...]:
    """Return the queries that a reflection proposes and that were not made before, as many as one search holds."""
    made = {query.casefold() for query in view.queries_made}
    proposed = dict.fromkeys(one.query for one in reflection.queries)
    new = (query for query in proposed if query and query.casefold() not in made)
    return tuple(new)[: view.limits.queries]
