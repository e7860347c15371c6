"""The iteration manager, and the method that it drives."""

from __future__ import annotations

import pytest

from research.analysts import ReportRequest
from research.core import (
    Assessed,
    Brief,
    MethodName,
    Outline,
    Section,
    StopReason,
)
from research.gaps import continuation
from research.gaps.coverage import CONFIDENT
from tests.support.scripted import MemorySource, ScriptedAnalyst, found_page, run_scripted


@pytest.mark.parametrize(
    ("iteration", "limit", "missing", "confidence", "stops"),
    [
        (1, 3, (), CONFIDENT, StopReason.COVERED),
        (3, 3, (), 1.0, StopReason.COVERED),
        (1, 3, (), CONFIDENT - 0.01, None),
        (3, 3, (), CONFIDENT - 0.01, StopReason.LIMIT),
        (2, 3, ("prices",), 1.0, None),
        (3, 3, ("prices",), 1.0, StopReason.LIMIT),
        (4, 3, ("prices",), 0.0, StopReason.LIMIT),
        (0, 0, ("prices",), 0.0, StopReason.LIMIT),
        (0, 3, ("prices",), 0.0, None),
    ],
)
def test_it_goes_on_while_something_is_missing_or_thin_and_iterations_are_left(
    iteration: int, limit: int, missing: tuple[str, ...], confidence: float, stops: StopReason | None
) -> None:
    assert continuation(iteration, limit, missing, confidence).stops is stops


TRADE = Section(title="Trade", needs=("pump prices", "tariffs"))
PAGES = (
    found_page("weather", "It rained on many days of the year. The rivers were high."),
    found_page("prices", "Pump prices rose by 4% in 2026. Dealers complained."),
    found_page("tariffs", "The tariff on pumps is 12%. It has been so since 2020."),
)


async def test_a_gap_driven_section_ends_when_covered_with_its_evidence_in_order_of_relevance() -> None:
    told: dict[str, list[str]] = {}

    def write(request: ReportRequest) -> str:
        told.setdefault("quotes", [])  # A report that cites nothing is asked for again, in parts.
        told["quotes"] = told["quotes"] or [request.evidence[name].quote for name in request.results[0].evidence]
        return "# Report\n\nAll is said.\n"

    analyst = ScriptedAnalyst(on_outline=lambda _: Outline(sections=(TRADE,)), on_write=write)
    brief = Brief(question="What of pumps?", method=MethodName.GAP_DRIVEN)
    _, journal = await run_scripted(analyst, MemorySource(PAGES), brief=brief)
    assert told["quotes"][-1].startswith("It rained")
    assert len(told["quotes"]) == 3
    assert {entry.coverage["tariffs"] for entry in journal.of(Assessed)} == {0.5}
