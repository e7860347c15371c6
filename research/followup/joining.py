"""What a small run found joins the books of the run whose report was asked about, under the next free ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from research.books import evidence_in, still_wanted
from research.events import Event, EvidenceFound, PageRead, PageSummarised, TopicFinished, TopicQueued
from research.evidence import Evidence, Page, last_number
from research.followup.model import lane_of
from research.methods.stopping import StopReason
from research.report import Report


@dataclass(frozen=True)
class Joined:
    """What is new to the run."""

    pages: tuple[Page, ...] = ()
    """Under their ids in this run."""
    regained: tuple[str, ...] = ()
    """Ids of pages that the run had read for topics that were dropped, and of which the search found quotes again."""
    events: tuple[Event, ...] = ()
    """What is recorded of them, in order; nothing if nothing is new."""


@dataclass
class _New:
    """What a search found that a run does not hold, or holds for dropped topics alone; quotes by id."""

    pages: list[Page] = field(default_factory=list)
    fresh: dict[str, Evidence] = field(default_factory=dict)
    regained: dict[str, Evidence] = field(default_factory=dict)


def joined(history: Sequence[Event], found: Report, title: str, number: int) -> Joined:
    """Return what `found` adds to a run with this `history`, as the work of a lane of its own.

    A page with the same site and content is the same page, wherever it has moved, and the same place in it the same
    quote. A quote that only a dropped topic had found counts again.
    """
    new = _new(history, found)
    if not new.fresh and not new.regained:
        return Joined(tuple(new.pages))
    regained = dict.fromkeys(entry.source for entry in new.regained.values())
    return Joined(tuple(new.pages), tuple(regained), tuple(_told(lane_of(number), title, new, found)))


def _new(history: Sequence[Event], found: Report) -> _New:
    read = [event for event in history if isinstance(event, PageRead)]
    known = {(event.site, event.sha256): event.page for event in reversed(read)}
    held = evidence_in(history)
    places = {(entry.source, entry.start, entry.end): entry for entry in held}
    wanted = {entry.id for entry in still_wanted(held, history)}
    next_page = last_number(event.page for event in read) + 1
    next_quote = last_number(entry.id for entry in held) + 1
    quoted = _kept(found)
    new = _New()
    for page in (found.pages[name] for name in dict.fromkeys(entry.source for entry in quoted)):
        own = known.get((page.site, page.sha256))
        if own is None:
            own = f"S{next_page + len(new.pages)}"
            new.pages.append(page.model_copy(update={"id": own}))
        for entry in (one for one in quoted if one.source == page.id):
            before = places.get((own, entry.start, entry.end))
            if before is None:
                name = f"E{next_quote + len(new.fresh)}"
                new.fresh[name] = entry.model_copy(update={"id": name, "source": own})
                places[own, entry.start, entry.end] = new.fresh[name]
            elif before.id not in wanted | new.fresh.keys():
                new.regained[before.id] = before
    return new


def _kept(found: Report) -> list[Evidence]:
    """Return the evidence that a run kept when it ended its topics; all of it, if it ended none."""
    ended = [event for event in found.history if isinstance(event, TopicFinished)]
    kept = {name for event in ended for name in event.evidence}
    return [entry for entry in evidence_in(found.history) if entry.id in kept or not ended]


def _told(lane: str, title: str, new: _New, found: Report) -> Iterator[Event]:
    yield TopicQueued(lane=lane, topic=title)
    for page in new.pages:
        yield PageRead(lane=lane, characters=len(page.text), **page.model_dump(exclude=_NOT_TOLD) | {"page": page.id})
    for entry in new.fresh.values():
        yield EvidenceFound(lane=lane, **entry.model_dump())
    summaries = {_identity(found.pages[event.page]): event for event in _summarised(found)}
    read = {page.id: page for page in new.pages}
    for source in dict.fromkeys(entry.source for entry in new.fresh.values()):
        summary = summaries.get(_identity(read[source])) if source in read else None
        yield PageSummarised(
            lane=lane,
            page=source,
            summary=summary.summary if summary else "",
            evidence=tuple(entry.id for entry in new.fresh.values() if entry.source == source),
            cached=bool(summary and summary.cached),
            by_rule=summary is None or summary.by_rule,
            seconds=summary.seconds if summary else 0.0,
        )
    ended = [event.reason for event in found.history if isinstance(event, TopicFinished)]
    reason = ended[0] if ended else StopReason.COMPLETE
    yield TopicFinished(lane=lane, reason=reason, evidence=(*new.fresh, *new.regained))


_NOT_TOLD = {"id", "fetched_at", "text"}


def _summarised(found: Report) -> list[PageSummarised]:
    return [event for event in found.history if isinstance(event, PageSummarised) and event.page in found.pages]


def _identity(page: Page) -> tuple[str, str]:
    return page.url, page.sha256
