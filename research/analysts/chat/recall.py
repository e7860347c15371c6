"""What a decision is reminded of: all that was done, and of what was observed as much as there is room for."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from research.analysts.chat.models import RoleModels
from research.analysts.protocol import Step
from research.call_sizes import tokens_in
from research.errors import ContextOverflow

_ID = re.compile(r"\bE\d+\b")
_LEFT_OUT = "(Lines left out here: {}.)"
_FEWEST = 300
"""Tokens of observations below which it is not they that are too many."""

Recalled = TypeVar("Recalled")


class _Line(NamedTuple):
    """A line of what was observed."""

    step: int
    number: int
    text: str

    @property
    def quotes(self) -> int:
        """How much evidence it names."""
        return len(_ID.findall(self.text))


async def recalling(
    models: RoleModels, steps: Sequence[Step], ask: Callable[[tuple[Step, ...]], Awaitable[Recalled]]
) -> Recalled:
    """Return what is answered to `steps`, with as many of their observations as the model has room for.

    How many that is becomes known when they prove too many; the later decisions of the run go by it.

    Raises:
        ContextOverflow: it is not the observations that are too many.
        ModelError: the call failed otherwise.
    """
    while True:
        shown = recalled(steps, models.observed_tokens)
        try:
            return await ask(shown)
        except ContextOverflow:
            size = min(models.observed_tokens, _size(shown))
            if size < _FEWEST:
                raise
            models.observed_tokens = size // 2


def recalled(steps: Sequence[Step], tokens: int) -> tuple[Step, ...]:
    """Return `steps` with about `tokens` of what was observed at most, line by line.

    What was observed last comes first, then whatever brought most evidence, of equals the newer.
    """
    if _size(steps) <= tokens:
        return tuple(steps)
    texts = [step.observation.splitlines() for step in steps]
    lines = [_Line(step, number, text) for step, said in enumerate(texts) for number, text in enumerate(said)]
    newest = max((line.step for line in lines if line.quotes), default=len(steps) - 1)
    kept: set[_Line] = set()
    for line in sorted(lines, key=lambda one: (one.step < newest, -one.quotes, -one.step, one.number)):
        size = tokens_in(line.text)
        if size <= tokens:
            kept.add(line)
            tokens -= size
    shown = [[line.text for line in lines if line.step == place and line in kept] for place in range(len(steps))]
    return tuple(
        replace(step, observation="\n".join([*some, _LEFT_OUT.format(len(said) - len(some))] if some != said else said))
        for step, said, some in zip(steps, texts, shown, strict=True)
    )


def _size(steps: Sequence[Step]) -> int:
    return sum(tokens_in(step.observation) for step in steps)
