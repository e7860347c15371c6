"""A journal that steers its run as soon as something happens."""

from __future__ import annotations

from collections.abc import Callable

from research.core import (
    Event,
    Steer,
)
from research.engine import Control
from tests.support.scripted import MemoryJournal


class SteeredJournal(MemoryJournal):
    """Says something to the run as soon as something happens in it; one thing for each event."""

    def __init__(self, control: Control, *script: tuple[Callable[[Event], bool], Steer]) -> None:
        super().__init__()
        self._control, self._script = control, list(script)

    def emit(self, event: Event) -> Event:
        due = next((entry for entry in self._script if entry[0](event)), None)
        if due is not None:
            self._script.remove(due)
            self._control.hear(due[1])
        return super().emit(event)


def when(kind: type[Event], **fields: object) -> Callable[[Event], bool]:
    def happens(event: Event) -> bool:
        return isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())

    return happens
