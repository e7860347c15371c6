"""The evidence of a run as it stands now: what its research found, and what joined it by further questions since."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import date

from research.books import evidence_in, still_wanted
from research.contradictions import Contradiction, contradictions_of
from research.events import Event, FollowUpSearched, TopicFinished
from research.evidence import Evidence, Page
from research.followup.model import lane_of
from research.record import RunRecord

_log = logging.getLogger(__name__)


def added_on(history: Sequence[Event]) -> dict[str, date]:
    """Return on which day (UTC) each quote joined a run that a search for a further question brought, by its id."""
    lanes = {lane_of(event.number) for event in history if isinstance(event, FollowUpSearched)}
    days: dict[str, date] = {}
    for event in history:
        if isinstance(event, TopicFinished) and event.lane in lanes and event.at:
            days |= {name: event.at.date() for name in event.evidence if name not in days}
    return days


def evidence_now(record: RunRecord, history: Sequence[Event], pages: Mapping[str, Page]) -> list[Evidence]:
    """Return the evidence of a run and what joined it since, without what the user wants left out."""
    added = added_on(history)
    found = {entry.id: entry for entry in record.evidence}
    found |= {entry.id: entry for entry in evidence_in(history) if entry.id in added}
    return [entry for entry in still_wanted(found.values(), history) if entry.source in pages]


def contradictions_now(
    record: RunRecord, history: Sequence[Event], pages: Mapping[str, Page]
) -> tuple[Contradiction, ...]:
    """Return what the sources of a run say differently, with those that joined it since."""
    if not added_on(history):
        return record.contradictions
    try:
        return contradictions_of(history, {entry.id: entry for entry in evidence_now(record, history, pages)}, pages)
    except Exception:  # noqa: BLE001 - text of strangers must not cost the page; what research had found is shown
        _log.exception("The sources that joined the run %s could not be compared.", record.run)
        return record.contradictions


def is_added(contradiction: Contradiction, added: Mapping[str, date]) -> bool:
    """Whether a side of a contradiction has joined its run afterwards."""
    return any(side.evidence in added for side in contradiction.sides)
