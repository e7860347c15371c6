"""A report of as many quotes as its length has room for."""

from __future__ import annotations

from dataclasses import dataclass

from research.analysts.extractive.report import parts
from research.analysts.extractive.selection import Ranked, ranked, select
from research.analysts.protocol import ReportRequest
from research.length import PAGES, length_of, pages_of
from research.presets import PRESETS
from research.vocabulary import Length, OutputForm

_QUOTES = {Length.PAGE: 10, Length.SHORT: 15, Length.MEDIUM: 30, Length.LONG: 60}
"""Quotes to begin with."""
_GROWTH = 1.4
_CHART = 0.25
"""Pages that the one chart of a report of one page takes."""


@dataclass(frozen=True)
class _Draft:
    parts: tuple[str, ...]
    quotes: int

    @property
    def pages(self) -> float:
        return pages_of("".join(self.parts))


def fitting_parts(request: ReportRequest) -> tuple[str, ...]:
    """Return the report in pieces of Markdown, as long as the brief asks for where there is enough to quote.

    A long report holds everything worth quoting that there is room for; a shorter one has no more than it needs.
    """
    found, length = ranked(request), length_of(request.brief)
    draft = _drafted(request, found, min(_QUOTES[length], max(1, found.count)))
    most = _room(request)
    enough = most if length is Length.LONG else PAGES[length].least
    while draft.pages < enough and draft.quotes < found.count:
        longer = _drafted(request, found, min(found.count, int(draft.quotes * _GROWTH) + 1))
        if longer.pages > most:
            break
        draft = longer
    while draft.pages > most and draft.quotes > 1:
        draft = _drafted(request, found, min(draft.quotes - 1, max(1, int(draft.quotes * most / draft.pages))))
    return draft.parts


def _drafted(request: ReportRequest, found: Ranked, quotes: int) -> _Draft:
    return _Draft(tuple(parts(request, select(request, found, quotes))), quotes)


def _room(request: ReportRequest) -> float:
    """Return the pages that the text may have."""
    length = length_of(request.brief)
    form = request.brief.form or PRESETS[request.brief.preset].form
    is_shared = length is Length.PAGE and form is not OutputForm.TEXT
    return PAGES[length].most - (_CHART if is_shared else 0)
