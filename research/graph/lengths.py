"""A report is held against the length that was asked for, and written again once if it is far from that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from research.analysts.protocol import ReportRequest
from research.citations import Cited
from research.errors import ModelError
from research.events import ReportExtended, ReportStarted, Stage
from research.graph.context import RunContext
from research.length import PAGES, is_far_off, is_nearer, is_too_long, is_too_short, length_of, pages_of, told
from research.vocabulary import Length

_KEPT = 0.5
"""The share of its citations a page that a report must keep to stand for the one before."""


async def fitted(
    context: RunContext, request: ReportRequest, cited: Cited, rewrite: Callable[[ReportRequest], Awaitable[Cited]]
) -> Cited:
    """Return the report, or what `rewrite` makes of it once if it is far too long or short and that comes nearer.

    A model that fails, a cap without room and a user who does not want to wait leave it as it is.
    """
    if not _is_worth_rewriting(context, request, cited):
        return cited
    try:
        again = await context.control.unless_stopping(rewrite(replace(request, earlier=cited.draft)))
    except ModelError:
        again = None
    if again is not None and _is_better(again, cited, length_of(request.brief)):
        return again
    # What was told of the second report is void.
    context.emit(ReportStarted(analyst=context.world.analyst.name))
    context.emit(ReportExtended(text=cited.draft))
    return cited


def note(context: RunContext, cited: Cited) -> None:
    """Report that a finished report is longer than it may be, or shorter than its brief asks for in so many words."""
    length, pages = length_of(context.brief), pages_of(cited.draft)
    words = told(pages, length, context.brief.language)
    if is_too_long(pages, length):
        context.problem(Stage.WRITING, "report_longer", subject=words)
    elif cited.citations and context.brief.length is not None and is_too_short(pages, length):
        context.problem(Stage.WRITING, "report_shorter", subject=words)


def _is_worth_rewriting(context: RunContext, request: ReportRequest, cited: Cited) -> bool:
    """Whether a report is far from the length that the brief names, and there is time, and evidence for a longer one.

    A length that only its preset names is not worth the price of a second report.
    """
    control, length, pages = context.control, length_of(request.brief), pages_of(cited.draft)
    is_waited_for = not control.finish.is_set() and not control.stop.is_set()
    if request.brief.length is None or not is_waited_for or not is_far_off(pages, length):
        return False
    there_is = pages_of("\n".join(entry.quote for entry in request.evidence.values()))
    return pages > PAGES[length].most or there_is >= PAGES[length].least


def _is_better(again: Cited, cited: Cited, length: Length) -> bool:
    """Whether a report is nearer to its length and cites about as much on each page as before."""
    pages, before = pages_of(again.draft), pages_of(cited.draft)
    keeps = again.citations / max(pages, 0.1) >= _KEPT * cited.citations / max(before, 0.1)
    return keeps and is_nearer(pages, before, length)
