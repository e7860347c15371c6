"""Searched, read once, summarised and assessed; ahead of researchers as well, while a model still plans."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Awaitable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter

from research import core
from research.analysts import PageRequest, PageSummary, QueryOutcome, Search, Step, UseTool
from research.engine.context import Ahead, Lane, RunContext
from research.gaps import (
    Room,
    cells_of,
    good_sites,
    identify_gaps,
    spoken_of_most,
    sufficiency,
    under_heading,
    word_shares,
)
from research.meaning import Look
from research.sources import FoundPage, OfServer, Priced, SearchRequest, Source, Toolbox, mixed, ranked
from research.text import Operation, compared_in, question_parts

Done = TypeVar("Done")

_SUMMARY_SHOWN = 1_500
"""Characters of a page summary that an acting prompt may see."""
_TOPICS = 3
"""Topics that a page is asked for besides the question: each takes room in the prompt, and few pages speak of more."""
_SEARCH_SECONDS = 30.0
_COMPARED, _FEWEST = 36, 3
"""Pages that searches for the names compared bring together, and the fewest that one brings: of eleven countries, three
pages each hold what is compared, where six took twice the time."""
_QUESTION = 300
"""Characters of a question that a search for it is given."""
_SPOKEN = 0.5
"""Share of the words of a part of the question that a topic says which is about it."""
_STILL_READ = "(a page that is still being read)"
_PREPARED = 8
"""Quotes that are prepared at once: whoever compares meanwhile waits for so many, a fifth of a second."""


async def search_all(context: RunContext, lane: Lane, action: Search, iteration: int) -> Step:
    """Ask every source every query at once, count what was found, and return what the researcher is told of it.

    One failing query costs only itself, and no page waits for another search to come back but those with which it is
    ranked.
    """
    queries, found_before = action.queries[: lane.limits.queries], len(lane.evidence)
    asked, answers = list[str](), list[tuple[str, list[str]]]()
    for sources in _turns(context):
        now = [(query, together) for query in queries for together in _ranked_together(sources)]
        answers += await context.each(_search_one(context, lane, query, together) for query, together in now)
        asked += [query for query, _ in now]
    places: dict[str, set[str]] = {query: set() for query in queries}
    for query, (_, met) in zip(asked, answers, strict=True):
        places[query].update(met)
    told = "\n".join([*(observation for observation, _ in answers), *_read_meanwhile(lane)])
    found = tuple(QueryOutcome(query, _taken_from(context, lane, met)) for query, met in places.items())
    await _assess(context, lane, iteration=iteration, found_before=found_before)
    return Step(action, told, found)


def _turns(context: RunContext) -> list[Sequence[Source]]:
    """Return the sources by when they are asked: all at once, or as the brief says, inside or outside first.

    What is found first is quoted first, and a page that both sides have is that of the first.
    """
    sources, order = context.world.sources, context.brief.order
    if order is None:
        return [sources]
    inside = [source for source in sources if core.SourceName(source.name).is_private]
    outside = [source for source in sources if source not in inside]
    return [inside, outside] if order is core.SearchOrder.INSIDE_FIRST else [outside, inside]


def _ranked_together(sources: Sequence[Source]) -> list[Sequence[Source]]:
    """Return the sources by whose answers are one list: those of the open web; each other has its own.

    Of a list as many pages are read as of one search, so that asking a further place does not make a run dearer. What
    is inside is never left out for what is outside, and pages that the user named are all read.
    """
    alone, together = list[Sequence[Source]](), list[Source]()
    for source in sources:
        name = core.SourceName(source.name)
        if name.is_open and name is not core.SourceName.ADDRESSES:
            together.append(source)
        else:
            alone.append([source])
    return [*alone, together] if together else alone


async def use_tool(context: RunContext, lane: Lane, action: UseTool, toolbox: Toolbox, iteration: int) -> Step:
    """Ask a tool, and read its answer like any page; see `search_all`."""
    name, found_before, found = f"{action.server}/{action.tool}", len(lane.evidence), tuple[QueryOutcome, ...]()
    if context.outgoing.may_pass(action.arguments, context.ledger.pages.values(), action.server):
        asked = f"{name} {action.arguments}"
        told, met = await _ask(context, lane, [(asked, toolbox.source(action))])
        found = (QueryOutcome(asked, _taken_from(context, lane, met)),)
    else:
        _withheld(context)
        told = f"{name}: not asked. What it would be told stands in own documents alone."
    await _assess(context, lane, iteration=iteration, found_before=found_before)
    return Step(action, told, found)


def _taken_from(context: RunContext, lane: Lane, met: Collection[str]) -> tuple[str, ...]:
    """Return the ids of what `lane` holds from pages at these places, whichever query met them first."""
    ledger = context.ledger
    return tuple(name for name in lane.evidence if core.place_of(ledger.page_of(ledger.evidence[name]).url) in met)


async def _search_one(context: RunContext, lane: Lane, query: str, sources: Sequence[Source]) -> tuple[str, list[str]]:
    """Return what the researcher is told of one query to some sources, and where the pages are that it met."""
    asked, refused = list[tuple[str, Source]](), list[str]()
    for source in sources:
        words = _leaving(context, lane, query, source) if core.SourceName(source.name).leaves else query
        if words != query:
            _withheld(context)
        if words:
            asked.append((words, source))
        else:
            refused.append(f"A search in {source.name} was not made: its words stand in own documents alone.")
    told, met = await _ask(context, lane, asked)
    return "\n".join([*refused, *([told] if told else [])]), met


@dataclass(frozen=True)
class Hits:
    """What a search found."""

    request: SearchRequest
    search: str
    found: Sequence[FoundPage]
    new: frozenset[str]
    """Where those are that whoever searched had not met; see `research.core.place_of`."""


async def _ask(context: RunContext, lane: Lane, asked: Sequence[tuple[str, Source]]) -> tuple[str, list[str]]:
    """Send queries to their sources, read what they find as one list, and return as `_search_one` does."""
    answers = await asyncio.gather(*(_hits(context, lane, query, source) for query, source in asked))
    said = zip(asked, map(_said, answers), strict=True)
    heads = [f'Search "{query}" in {source.name}: {what}' for (query, source), what in said]
    hits = [one for one in answers if isinstance(one, Hits)]
    reading: dict[str, asyncio.Task[str]] = {}
    for search, page in _to_read(lane, hits):
        reading[page.url] = _begin(context, lane, search, page)
        if context.world.is_repeatable:
            await _most(context, lane, reading)
    found = [page.url for one in hits for page in one.found]
    met = {url: lane.late[url] for url in found if url in lane.late}
    await _most(context, lane, reading | met)
    read = [_STILL_READ if url in lane.late else task.result() for url, task in reading.items()]
    return "\n".join([*heads, *(f"- {line}" for line in read)]), [core.place_of(url) for url in found]


async def _hits(context: RunContext, lane: Lane, query: str, source: Source) -> Hits | str:
    """Return what one source found, or the code of what kept it from answering."""
    try:
        return await find(context, lane, query, source)
    except core.SourceError as error:
        return error.code


def _said(hits: Hits | str) -> str:
    return f"failed ({hits})." if isinstance(hits, str) else f"{len(hits.found)} pages, {len(hits.new)} new."


def _to_read(lane: Lane, hits: Sequence[Hits]) -> list[tuple[str, FoundPage]]:
    """Return what is new of several answers as one list, best first, each page with its search.

    Of one answer all are read; of several together as many as were asked of each, the first of each, and all that are
    wanted whatever comes before them. What is left is as if it had not been met.
    """
    if not hits:
        return []
    new = frozenset[str]().union(*(one.new for one in hits))
    request = hits[0].request
    order = mixed({one.search: one.found for one in hits}, request)
    unread = [(search, page) for search, page in order if core.place_of(page.url) in new]
    most = len(unread) if len(hits) == 1 else max(request.limit, len(hits))
    lane.pages.difference_update(core.place_of(page.url) for _, page in unread[most:] if not page.is_wanted)
    return [*unread[:most], *(one for one in unread[most:] if one[1].is_wanted)]


async def find(context: RunContext, lane: Lane, query: str, source: Source) -> Hits:
    """Send one query to one source; return what it found.

    Raises:
        SourceError: it failed, which was reported.
    """
    search = f"Q{next(context.searches)}"
    context.emit(core.SearchStarted(lane=lane.name, search=search, query=query, source=source.name))
    began, paid = time.monotonic(), list[float]()

    def failed(code: str, detail: str = "") -> None:
        seconds, usd = time.monotonic() - began, sum(paid)
        context.emit(
            core.SearchFailed(lane=lane.name, search=search, code=code, detail=detail, seconds=seconds, cost_usd=usd)
        )

    with ExitStack() as kept:  # The room for a search is kept until what it cost is told.
        try:
            request = _request(context, query)
            today = context.world.now().date()
            answer = await _found(context, source, request, kept, paid)
            found = await asyncio.to_thread(ranked, answer, request, context.countries, today)
        except asyncio.CancelledError:
            failed("search_given_up")
            raise
        except core.SourceError as error:
            failed(error.code, error.detail)
            if context.spending.is_out_of_searches:
                _end_when_done(context)  # The run says itself, once, that the cap ended it.
            else:
                context.problem(core.Stage.SEARCH, error.code, subject=query, lane=lane.name, detail=error.detail)
            raise
        unmet = [page for page in found if core.place_of(page.url) not in lane.pages and page.text.strip()]
        new = [page for page in unmet if not context.is_blocked(page.site)]
        lane.pages.update(core.place_of(page.url) for page in new)
        seconds, usd = time.monotonic() - began, sum(paid)
        context.emit(
            core.SearchReturned(
                lane=lane.name, search=search, pages=len(found), new=len(new), seconds=seconds, cost_usd=usd
            )
        )
    return Hits(request, search, found, frozenset(core.place_of(page.url) for page in new))


async def _most(context: RunContext, lane: Lane, reading: Mapping[str, asyncio.Task[str]]) -> None:
    """Wait for pages, by address; for the last ones, if at least half are in, only as long again.

    Those that take longer are read on while the next search begins, and enter the books of `lane` when they are.
    """
    pending, began = set(reading.values()), time.monotonic()
    try:
        while pending:
            again = max(context.limits.page_patience, time.monotonic() - began)
            is_half_in = len(pending) <= len(reading) // 2 and not context.world.is_repeatable
            done, pending = await asyncio.wait(
                pending, timeout=again if is_half_in else None, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                break
    except asyncio.CancelledError:
        lane.late.update(reading)  # Whoever ends the lane ends them.
        raise
    lane.late.update((url, task) for url, task in reading.items() if task in pending)


def _read_meanwhile(lane: Lane) -> list[str]:
    """Return what pages gave that were read beside a search, and of which nothing was told yet."""
    done = [url for url, task in lane.late.items() if task.done()]
    told = [f"- {lane.late.pop(url).result()}" for url in done]
    return ["Read meanwhile:", *told] if told else []


async def read_to_the_end(lane: Lane) -> None:
    """Wait for the pages that were left behind; no others are handed over from now on."""
    lane.is_closing = True
    late, lane.late = lane.late, {}
    await asyncio.gather(*late.values())


def in_hand(context: RunContext, work: Awaitable[Done]) -> Coroutine[Any, Any, Done]:
    """Return what does `work`, which is in hand from now on: research that the cap ends waits for it."""

    async def do() -> Done:
        try:
            return await work
        finally:
            context.in_hand -= 1
            if context.spending.is_out_of_searches:
                _end_when_done(context)

    context.in_hand += 1
    return do()


def tell_of_silence(context: RunContext) -> None:
    """Report which of several sources brought nothing, so that a reader knows what the report could not rest on.

    A search that was no longer waited for says nothing of its source.
    """
    asked: dict[str, list[core.SearchView]] = {}
    for lane in core.RunView.of(context.journal.events).lanes.values():
        for search in lane.searches:
            if search.failed != "search_given_up" and search.pages is not None:
                asked.setdefault(search.source, []).append(search)
    for source, searches in asked.items() if len(context.world.sources) > 1 else ():
        if not any(search.pages for search in searches):
            code = "source_silent" if all(search.failed for search in searches) else "source_empty"
            label = core.SourceName(source).label.in_(context.brief.language)
            context.problem(core.Stage.SEARCH, code, subject=label)


def _end_when_done(context: RunContext) -> None:
    """End research if there is no room for a further search, as soon as all that was paid for is done."""
    if not context.in_hand:
        context.spending.reached.set()


async def _found(
    context: RunContext, source: Source, request: SearchRequest, kept: ExitStack, paid: list[float]
) -> list[FoundPage]:
    """Return what a search found; one that hangs is made a second time if the cap leaves room.

    What was paid for in this run, also before it broke off, is not asked again, nor what another researcher is asking.
    What it costs is added to `paid`, and what was kept for it is given back when `kept` is closed.

    Raises:
        SourceError: it failed, or there is no room for it.
    """
    if not isinstance(source, Priced):
        return await source.search(request)
    asked = hashlib.sha256(f"{source.name}\n{request!r}".encode("utf-8", "surrogatepass")).hexdigest()
    async with context.asking[asked]:
        if (kept_answer := context.journal.answer(asked)) is not None:
            return _answers.validate_json(kept_answer)
        try:
            found = await _paid(context, source, request, kept, paid)
        except core.CapReached as error:
            raise core.SourceError(error.code, error.detail) from error
        # Nothing is made of it before it is stored: what is lost with this process is paid for again.
        await context.journal.keep_answer(asked, _answers.dump_json(found).decode())
        return found


async def _paid(
    context: RunContext, source: Priced, request: SearchRequest, kept: ExitStack, paid: list[float]
) -> list[FoundPage]:
    """Return what a search that has a price found; see `_found`.

    Raises:
        SourceError, CapReached: it failed, or there is no room for it.
    """
    pace = core.pace_of(source.address)
    patience = pace.patience("search", core.Awaited.WHOLE, 0, _SEARCH_SECONDS)

    async def begin(is_spare: bool) -> list[FoundPage]:
        planned = core.PlannedCall(core.Role.RESEARCH, source.name, 0, fee_usd=source.usd_a_search, is_spare=is_spare)
        kept.callback((await context.spending.admit(planned)).release)
        began = time.monotonic()
        paid.append(source.usd_a_search)
        try:
            async with asyncio.timeout(patience.limit - patience.again * is_spare):
                found = await source.search(request)
        except TimeoutError as late:
            raise core.SourceError("search_timeout", f"no answer within {patience.limit:.0f} s") from late
        except core.SourceError:
            paid.pop()  # What fails is not charged for.
            raise
        pace.note("search", core.Awaited.WHOLE, 0, time.monotonic() - began)
        return found

    return await core.hedged(begin, patience, pace)


_answers = TypeAdapter(list[FoundPage])


def _withheld(context: RunContext) -> None:
    if context.is_first("query_withheld"):
        context.problem(core.Stage.SEARCH, "query_withheld")


def _leaving(context: RunContext, lane: Lane, query: str, source: Source) -> str:
    """Return a query as it may leave this computer."""
    if not lane.pages and not lane.evidence and context.outgoing.is_unaware(lane.name):
        return query
    server = source.server if isinstance(source, OfServer) else f"{source.name}/"
    return context.outgoing.query(query, context.ledger.pages.values(), server)


def _request(context: RunContext, query: str) -> SearchRequest:
    brief = context.brief
    return SearchRequest(
        query=query,
        limit=min(context.limits.results, max(_FEWEST, _COMPARED // max(1, len(compared_in(brief.question))))),
        period=brief.period if brief.since is None and brief.until is None else None,
        since=brief.since,
        until=brief.until,
        region=brief.region,
        countries=brief.countries,
        preferred_sites=brief.preferred_sites,
        forbidden_sites=(*brief.forbidden_sites, *_blocked_on_the_web(context)),
        preferred_kinds=brief.preferred_kinds,
        forbidden_kinds=brief.forbidden_kinds,
        language=brief.language,
    )


def _blocked_on_the_web(context: RunContext) -> list[str]:
    """Return the sites that the user blocked and that the web has: the rest may be names of own documents.

    Search services are told no others; pages of all are left out when they come.
    """
    met = {page.site.casefold() for page in context.ledger.pages.values() if page.origin.is_open}
    return [site for site in context.blocked_sites if any(core.is_below(one, [site]) for one in met)]


def _begin(context: RunContext, lane: Lane, search: str, found: FoundPage) -> asyncio.Task[str]:
    return asyncio.create_task(in_hand(context, _read(context, lane, search, found)))


async def _read(context: RunContext, lane: Lane, search: str, found: FoundPage) -> str:
    """Read a page and enter its quotes into the books of `lane`; return what the researcher is told."""
    page = context.ledger.add_page(
        url=found.url,
        title=found.title,
        site=found.site,
        origin=found.origin,
        kind=found.kind,
        published=found.published,
        fetched_at=context.world.now(),
        text=found.text,
        outside=found.outside,
    )
    context.journal.keep(page)
    context.emit(core.PageRead.of(page, lane.name, search))
    for limit in page.outside:
        context.problem(core.Stage.SEARCH, f"outside_{limit.value}", subject=page.site, lane=lane.name)
    began = time.monotonic()
    request = await asyncio.to_thread(_request_for, context, lane, page, found)
    summary, cached = await _summary(context, lane, request)
    evidence = await _quoted(context, lane, request, summary)
    ids = tuple(entry.id for entry in evidence)
    spared = 0 if cached or summary.by_rule else max(0, core.tokens_in(page.text) - core.tokens_in(request.text))
    context.emit(
        core.PageSummarised(
            lane=lane.name,
            page=page.id,
            summary=summary.summary,
            evidence=ids,
            cached=cached,
            by_rule=summary.by_rule,
            seconds=time.monotonic() - began,
            spared_tokens=spared,
            queries=summary.queries,
        )
    )
    return _observation(page, summary, ids)


def _request_for(context: RunContext, lane: Lane, page: core.Page, found: FoundPage) -> PageRequest:
    """Return what is asked of a page: the question, and those topics of all researchers of which the page speaks."""
    limits, question = context.limits, context.brief.question
    if context.world.is_by_rule:
        return PageRequest(page, page.text, question, lane.topic, limits, answering=found.answering)
    room = Room(limits.bearing_characters, limits.rich_characters, is_patient=False)
    others = [one.subject for one in (lane, *context.lanes) if one.topic != question]
    topics = spoken_of_most(page.text, others, _TOPICS)
    text = context.world.relevance.excerpt(page.text, (question, *topics), room, found.passages)
    return PageRequest(page, text, question, lane.topic, limits, topics)


async def quoted_by_rule(context: RunContext) -> list[tuple[Lane, core.Evidence]]:
    """Return what rules quote on the question beside what a model quoted of the pages read, and who read them.

    The quotes are in the ledger, but in nobody's books yet.
    """
    question, limits, known = context.brief.question, context.limits, set(context.ledger.evidence)
    found: list[tuple[Lane, core.Evidence]] = []
    for page in context.ledger.pages.values():
        at, lanes = core.place_of(page.url), (one for one in context.lanes if not one.dropped.is_set())
        lane = next((one for one in lanes if at in one.pages), None)
        if lane is not None:
            summary = await context.world.rules.summarise(PageRequest(page, page.text, question, lane.topic, limits))
            quotes = await asyncio.to_thread(context.ledger.quote, page, summary.key_excerpts, summary.answers)
            found += [(lane, entry) for entry in quotes if entry.id not in known]
    return found


async def _summary(context: RunContext, lane: Lane, request: PageRequest) -> tuple[PageSummary, bool]:
    seconds = None if context.world.is_by_rule else context.limits.summary_seconds
    try:
        async with asyncio.timeout(seconds):
            return await context.world.summarise(context.world.analyst, request)
    except TimeoutError:
        context.problem(core.Stage.SEARCH, "model_timeout", subject=request.page.title, lane=lane.name)
        return await context.world.rules.summarise(request), False


async def _quoted(context: RunContext, lane: Lane, request: PageRequest, summary: PageSummary) -> list[core.Evidence]:
    """Enter the summary's quotes; where none of them stands in the page, quote it by rule, so that no page is lost."""
    evidence = await asyncio.to_thread(context.ledger.quote, request.page, summary.key_excerpts, summary.answers)
    if not evidence and not summary.by_rule:
        fallback = await context.world.rules.summarise(request)
        evidence = context.ledger.quote(request.page, fallback.key_excerpts, fallback.answers)
    for entry in evidence:
        if entry.id not in lane.evidence:
            lane.evidence.append(entry.id)
            context.emit(core.EvidenceFound(lane=lane.name, **entry.model_dump()))
    _prepare(context, [under_heading(entry, request.page) for entry in evidence])
    return evidence


def _prepare(context: RunContext, quotes: Sequence[str]) -> None:
    """Have quotes made ready to be compared by meaning while models are waited for; without models, nobody waits."""
    if not context.world.models:
        return
    context.unprepared += quotes
    if context.preparing is None or context.preparing.done():
        context.preparing = asyncio.create_task(_prepared(context))


async def _prepared(context: RunContext) -> None:
    """Prepare them a few at a time, in one thread: each holds up whoever compares at that moment."""
    while True:
        few, context.unprepared = context.unprepared[:_PREPARED], context.unprepared[_PREPARED:]
        await asyncio.to_thread(context.world.meaning.prepare, few, Look.QUICK)
        if not context.unprepared:
            return


def _observation(page: core.Page, summary: PageSummary, evidence: Sequence[str]) -> str:
    """Say what a page gave, for a prompt that can act: no title, no quote, no page text."""
    ids = ", ".join(evidence) or "nothing to quote"
    said = "quoted by rule" if summary.by_rule else " ".join(summary.summary.split())[:_SUMMARY_SHOWN]
    # Nothing in the name of a site may read as an instruction.
    site = re.sub(r"[^\w.:/-]", "", page.site)[:60] or "page"
    return f"{site}{f' ({page.published})' if page.published else ''}: {said} [{ids}]"


async def _assess(context: RunContext, lane: Lane, *, iteration: int, found_before: int) -> None:
    """Count what `lane` has found after its search number `iteration`, enter it into the lane's books and report it.

    `found_before` is how many quotes there were before that search.
    """
    before = lane.assessment.stale if lane.assessment else 0
    stale = before + 1 if len(lane.evidence) == found_before else 0
    lane.assessment = await asyncio.to_thread(_counted, context, lane, stale)
    criteria, gaps = lane.assessment.criteria, lane.assessment.gaps
    context.emit(
        core.Assessed(
            lane=lane.name,
            iteration=iteration,
            criteria=criteria.by_name(),
            score=criteria.total,
            missing=gaps.missing,
            coverage={entry.kind: entry.share for entry in gaps.coverage},
            confidence=gaps.confidence,
            good_sources=lane.assessment.good_sources,
        )
    )


def _counted(context: RunContext, lane: Lane, stale: int) -> core.Assessment:
    brief = context.brief
    evidence = context.usable(lane.evidence)
    pages = context.pages_of(evidence)
    section = lane.section or core.Section(
        title=brief.question, focus=lane.topic, needs=_wanted(brief.question, lane.topic)
    )
    cells = cells_of(brief, section, evidence, pages, context.world.relevance)
    return core.Assessment(
        criteria=sufficiency(brief.question, evidence, pages, cells),
        gaps=identify_gaps(cells, pages, at=context.world.now()),
        good_sources=good_sites(brief.question, evidence, pages, section.wanted),
        stale=stale,
    )


def _wanted(question: str, topic: str) -> tuple[str, ...]:
    """Return what a question asks that a researcher's topic speaks of; nothing in particular of an open one."""
    asked = question_parts(question)
    if asked.listed or asked.operation is Operation.OPEN:
        return asked.listed
    return tuple(point for point in asked.points if max(word_shares(point, [topic])) >= _SPOKEN) or asked.points


@contextmanager
def searching_ahead(context: RunContext) -> Iterator[None]:
    """Search for the question as it was asked while what is done in here plans; nothing of it goes on afterwards.

    So its own words are searched for whatever a model makes of them: a small one may look for names alone. What is
    found is read by those whose topics it speaks of, while they still decide what to search for.
    """
    _prepare(context, ())
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
    is_new = not context.ledger.pages and not context.waiting
    names = {core.SourceName(source.name) for source in world.sources}
    is_mixed = any(name.is_open for name in names) and any(name.is_private for name in names)
    is_open = world.toolbox is None and not is_mixed
    return bool(world.models) and is_new and is_open and context.method is not core.MethodName.CHAINED


async def _search(context: RunContext) -> Ahead:
    planner = Lane(core.SUPERVISOR, context.brief.question, context.limits, context.world.analyst.investigate)
    question, sources = context.brief.question[:_QUESTION], context.world.sources
    # Whatever else goes wrong here goes wrong again, and is told, when researchers search.
    answers = await asyncio.gather(
        *(find(context, planner, question, source) for source in sources), return_exceptions=True
    )
    found = [
        [hits for source, hits in zip(sources, answers, strict=True) if source in together and isinstance(hits, Hits)]
        for together in _ranked_together(sources)
    ]
    return [one for hits in found for one in _to_read(planner, hits)]


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
        if lane is None or lane.is_closing or lane.ended is not None or core.place_of(page.url) in lane.pages:
            continue
        lane.pages.add(core.place_of(page.url))
        lane.late[page.url] = _begin(context, lane, search, page)
