"""Ask in the way that a server is known to accept, and find out which that is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TypeVar

from langchain_core.messages import AIMessage

from research.analysts.chat.failures import RequestRejected

Way = TypeVar("Way", bound=Enum)


class KnownWays:
    """What each model was last found to accept."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, type[Enum]], Enum] = {}

    async def put(self, model: str, ways: Sequence[Way], ask: Callable[[Way], Awaitable[AIMessage]]) -> AIMessage:
        """Return the answer in the first of `ways` that the server of `model` does not reject.

        Raises:
            RequestRejected: it rejects them all.
            ModelError: the call failed otherwise.
        """
        key = (model, type(ways[0]))
        known = self._known.get(key)
        tried = [way for way in ways if way is known] or ways
        for way in tried:
            try:
                answer = await ask(way)
            except RequestRejected:
                if way is tried[-1]:
                    raise
            else:
                self._known[key] = way
                return answer
        raise AssertionError("the last way either answers or raises")
