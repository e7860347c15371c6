"""What is searched while a model still plans: the question as it was asked.

So its own words are searched for whatever a model makes of them: a small one may look for names alone. What is found
is read by those whose topics it speaks of, while they still decide what to search for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from research.core import SUPERVISOR, MethodName, SourceName
from research.engine.context import Ahead, Lane, RunContext
from research.engine.reading import Hits, find, read_page
from research.gaps import spoken_of_most

_QUERY = 300
"""Characters of a question that a search is given."""


@contextmanager
def searching_ahead(context: RunContext) -> Iterator[None]:
    """Search while what is done in here plans; nothing of it goes on afterwards."""
    if _is_worth_it(context):
        context.ahead = asyncio.create_task(_search(context))
    try:
        yield
    finally:
        if context.ahead is not None:
            context.ahead.cancel()


def _is_worth_it(context: RunContext) -> bool:
    """Whether a model is asked before anything is searched, in a run that begins.

    Without a model plans take no time; the chained method searches for the question first in any case. Where both the
    web and private pages are searched, a researcher that has met any page has to choose its words.
    """
    world = context.world
    is_new = not context.ledger.pages and not context.taken_up.lanes
    names = {source.name for source in world.sources}
    is_mixed = SourceName.WEB in names and any(name.is_private for name in names)
    is_open = world.toolbox is None and not is_mixed
    return bool(world.models) and is_new and is_open and context.method is not MethodName.CHAINED


async def _search(context: RunContext) -> Ahead:
    planner = Lane(SUPERVISOR, context.brief.question, context.limits, context.world.analyst.investigate)
    asked = (find(context, planner, context.brief.question[:_QUERY], source) for source in context.world.sources)
    # Whatever else goes wrong here goes wrong again, and is told, when researchers search.
    answers = await asyncio.gather(*asked, return_exceptions=True)
    return [(hits.search, page) for hits in answers if isinstance(hits, Hits) for page in hits.new]


async def hand_over(context: RunContext, lanes: Sequence[Lane]) -> None:
    """Have each page that was found ahead read for that one of `lanes` of whose topic it says most, if it says any.

    Only the first researchers are given any; one that has ended, or does, before the search comes back is not.
    """
    ahead, context.ahead = context.ahead, None
    if ahead is None:
        return
    try:
        found = await ahead
    finally:
        ahead.cancel()
    by_subject = {lane.subject: lane for lane in lanes}
    for search, page in found:
        nearest = await asyncio.to_thread(spoken_of_most, page.text, tuple(by_subject), 1)
        lane = by_subject[nearest[0]] if nearest else None
        if lane is None or lane.is_closing or lane.ended is not None or page.url in lane.pages:
            continue
        lane.pages.add(page.url)
        lane.late[page.url] = asyncio.create_task(read_page(context, lane, search, page))
