"""How analysts and sources reach the books of the run that they work for, without knowing the engine."""

from __future__ import annotations

from typing import Protocol

from research.core.errors import Stage
from research.core.events import Event
from research.core.spending import Admission, PlannedCall, Spending, freely


class RunAccounts(Protocol):
    """What a run keeps account of."""

    spending: Spending

    def emit(self, event: Event) -> None:
        """Report a fact."""
        ...

    def problem(self, stage: Stage, code: str, *, subject: str = "", lane: str = "", detail: str = "") -> None:
        """Report that something went wrong and the run goes on."""
        ...


class RunChannel:
    """How analysts and sources reach the books of the run that they work for."""

    def __init__(self) -> None:
        self._books: RunAccounts | None = None

    def connect(self, books: RunAccounts) -> None:
        """Lead to these books from now on; what is reported before goes nowhere."""
        self._books = books

    def emit(self, event: Event) -> None:
        """Report a fact: a model called, a folder indexed."""
        if self._books is not None:
            self._books.emit(event)

    async def admit(self, call: PlannedCall) -> Admission:
        """Ask for room for a model call under the run's cap.

        Raises:
            CapReached: there is none.
        """
        admit = freely if self._books is None else self._books.spending.admit
        return await admit(call)

    def problem(self, stage: Stage, code: str, *, subject: str = "", detail: str = "") -> None:
        """Report that something went wrong and the work goes on."""
        if self._books is not None:
            self._books.problem(stage, code, subject=subject, detail=detail)
