"""Supervised: a supervisor plans as results come in, researchers work in parallel, each decides about its own topic.

It stops when the supervisor says so; a topic when its researcher says so, or a rule of `research.graph.early`.
"""

from __future__ import annotations

from typing import Any

from research.graph import supervisor
from research.graph.context import RunContext
from research.methods.method import Ending

_supervisor = supervisor.build()


async def research(context: RunContext) -> Ending:
    """Research under a supervisor."""
    config: Any = {"recursion_limit": context.limits.supervisor_turns * 2 + 5}
    state = await _supervisor.ainvoke(await supervisor.initial(context), config, context=context)
    return Ending(state["reason"], state["why"])
