"""The analyst that needs no model, and what it decides to do next: topics, searches, reflections, reviews."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import groupby

from research.analysts.extractive.notes import Coverage, compress_by_rule, coverage_of, summarise_by_rule
from research.analysts.extractive.passages import names_led_to
from research.analysts.extractive.plan import (
    DIRECT_TITLE,
    basis,
    depth_by_rule,
    names_in_topic,
    outline_by_rule,
    plan_for,
    section_in,
    topic_for,
)
from research.analysts.extractive.report import answer_by_rule, report_by_rule, section_by_rule, title_of_report
from research.analysts.protocol import (
    Answer,
    AnswerRequest,
    Compression,
    ConductResearch,
    Findings,
    Frame,
    FrameRequest,
    OpenSentence,
    PageRequest,
    PageSummary,
    PlanRequest,
    Reading,
    Repair,
    RepairRequest,
    ReportRequest,
    ResearchComplete,
    ResearcherAction,
    ResearcherView,
    Search,
    Step,
    SupervisorAction,
    SupervisorView,
    Think,
    TopicResult,
)
from research.core import (
    Brief,
    Depth,
    Doubt,
    Insight,
    NextQuery,
    Outline,
    Page,
    Reflection,
    Section,
    StopReason,
    title_of,
)
from research.gaps import Relevance, Subjects, about_asked, first_queries, follow_up_queries, short, source_of
from research.language import COLON, COMMA, SPACE, Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import Operation, compared_in, folded, question_parts, spelt
from research.verification import Contradiction, ContradictionKind, contradictions


class ExtractiveAnalyst:
    """An `Analyst` that follows rules. It needs no key and no network, keeps no state and raises no `ModelError`.

    The same input gives the same output. Everything that it says of a source is a verbatim quote.
    """

    def __init__(self, meaning: Meaning | None = None) -> None:
        """Make an analyst; without a `meaning` it tells by words alone what speaks of the question."""
        self._meaning = meaning
        self._relevance = Relevance(meaning)

    @property
    def name(self) -> str:
        """Return `extractive`."""
        return "extractive"

    async def depth(self, request: PlanRequest) -> Depth:
        """Choose the depth from what the question asks for and the preset allows."""
        return depth_by_rule(request)

    async def outline(self, request: PlanRequest) -> Outline:
        """Plan sections for what is asked."""
        return outline_by_rule(request)

    async def queries(self, view: ResearcherView) -> tuple[str, ...]:
        """Return broad queries: each name asked for, with what is wanted of it."""
        return broad_queries(view)

    async def reflect(self, view: ResearcherView) -> Reflection:
        """Say what is covered, missing and contradictory, by counting; propose a query for each gap."""
        return await reflect_by_rule(view, self._relevance)

    async def supervise(self, view: SupervisorView) -> list[SupervisorAction]:
        """Plan sections for what is asked, hand them out, and search once more for those that failed."""
        return supervise_by_rule(view)

    async def investigate(self, view: ResearcherView) -> list[ResearcherAction]:
        """Search broadly, then for what is missing, and say after each search what it brought."""
        return await investigate_by_rule(view, self._relevance)

    async def summarise(self, request: PageRequest) -> PageSummary:
        """Quote the passages of the page that speak of the question, and the values that may answer it."""
        return await summarise_by_rule(request, self._meaning)

    def summary_key(self, request: PageRequest) -> None:
        """Return None: a summary by rule is faster made than read from a cache."""
        return

    async def compress(self, findings: Findings) -> Compression:
        """Keep what is relevant and said once, at least one quote of each source."""
        return await asyncio.to_thread(compress_by_rule, findings, self._relevance)

    async def write(self, request: ReportRequest) -> AsyncIterator[str]:
        """Write the report of values and quotes, part by part; of one section, every quote."""
        if request.part is not None:
            yield section_by_rule(request, request.part)
            return
        for part in await asyncio.to_thread(report_by_rule, request, self._meaning, self._relevance):
            yield part

    async def frame(self, request: FrameRequest) -> Frame:
        """Let the first sentences say in short what the sections tell."""
        return Frame(title_of_report(request.brief.question), " ".join(request.sentences[:3]))

    async def repair(self, request: RepairRequest) -> tuple[Repair, ...]:
        """Repair nothing: rules find what is weak, but do not word anything anew."""
        return ()

    async def judge(self, sentences: Sequence[OpenSentence]) -> tuple[Reading, ...]:
        """Read nothing: what rules leave open stays so."""
        return ()

    async def answer(self, request: AnswerRequest) -> Answer:
        """Quote what comes nearest to the question."""
        return await asyncio.to_thread(answer_by_rule, request, self._relevance)


# --- what a researcher does next -------------------------------------------------------------------------------------

_INSIGHTS = 6
_DOUBTS = 5
_IDS = 8
"""Ids that an insight names; more tell nothing more."""
_SOURCES_NAMED = 5
_CONFIDENCE = (4, 7, 9)
"""For one site, for two, for three or more."""
_DISPUTED = 3
"""Taken from the confidence where the sources contradict each other."""
_DIFFERENT = {
    ContradictionKind.FIGURES: Phrase("different values for the same quantity"),
    ContradictionKind.DATES: Phrase("different dates for the same event"),
}
_OPPOSITE = Phrase("opposite statements")
_OF_VALUES = (Operation.RANK, Operation.ADD, Operation.RATIO, Operation.CHANGE, Operation.COMPARE)
"""What is asked of values, or of those who are named: no other name leads to it."""
_SIMPLE = 4
"""Things to find, counted for each name, up to which a topic is simple."""


def broad_queries(view: ResearcherView) -> tuple[str, ...]:
    """Return the queries of the first search: the question as it is asked, then each name with what is wanted."""
    section, brief, at_most = section_in(view), view.brief, view.limits.queries
    if brief.exclusions:  # The question itself may ask for what the brief excludes.
        named = " ".join([*(name.en for name in compared_in(brief.question)), *section.wanted])
        brief = brief.model_copy(update={"question": named})
    wanted = section.model_copy(update={"title": brief.question}) if section.title in DIRECT_TITLE else section
    own = first_queries(brief, wanted, at_most=at_most, today=view.today)
    asked = question_parts(brief.question)
    # A library finds the highest, and things asked for by name, by the question itself.
    is_whole = asked.operation is Operation.RANK or asked.wants_items
    whole = (brief.question,) if is_whole or at_most > max(1, len(compared_in(brief.question))) else ()
    rest = own[: at_most - len(whole)]
    return tuple(dict.fromkeys([*whole, *rest] if is_whole else [*rest, *whole]))


async def investigate_by_rule(view: ResearcherView, relevance: Relevance) -> list[ResearcherAction]:
    """Search broadly, reflect, search for what is missing, and stop when it is enough or nothing new comes."""
    if not view.queries_made:
        return [Search(broad_queries(view))]
    reflection = await reflect_by_rule(view, relevance)
    turns_left = view.limits.researcher_turns - view.turn
    if not view.has_reflected and turns_left > 1:
        return [Think(reflection.in_words(view.brief.language), reflection)]
    stop = _stop(view, reflection)
    return [ResearchComplete(code=stop)] if stop else [Search(tuple(one.query for one in reflection.queries))]


def _stop(view: ResearcherView, reflection: Reflection) -> StopReason | None:
    """Return why a topic ends, or None if it goes on."""
    if view.evidence and not reflection.gaps and not reflection.queries:
        return StopReason.COVERED
    if view.searches_left <= 0:
        return StopReason.LIMIT
    return None if reflection.queries else StopReason.REPEATED


async def reflect_by_rule(view: ResearcherView, relevance: Relevance) -> Reflection:
    """Say what is covered, missing and contradictory so far, and what to search next; off the event loop."""
    return await asyncio.to_thread(_reflect, view, relevance)


def _reflect(view: ResearcherView, relevance: Relevance) -> Reflection:
    brief, language = view.brief, view.brief.language
    section, names = section_in(view), names_in_topic(view.topic, view.brief.question)
    coverage = coverage_of(section, brief, view.evidence, view.pages, relevance, asked=names)
    told = list({entry.id: entry for evidence in coverage.told.values() for entry in evidence}.values())
    disputes = contradictions(about_asked(brief.question, told, view.pages), view.pages)[:_DOUBTS]
    is_stale = view.assessment is not None and view.assessment.stale >= view.limits.methods.repeats
    gaps = tuple(coverage.missing(language))
    queries = () if is_stale or not gaps else _next_queries(view, section, coverage)
    queries = (*_naming_queries(view), *_leading_queries(view, relevance), *queries)[: view.limits.queries]
    return Reflection(
        summary=_summary(view, coverage, gaps, queries, is_stale=is_stale),
        insights=_insights(coverage, disputes, view),
        gaps=gaps,
        doubts=tuple(_doubt(dispute, coverage, language) for dispute in disputes),
        queries=queries,
    )


def _next_queries(view: ResearcherView, section: Section, coverage: Coverage) -> tuple[NextQuery, ...]:
    """Return a new query for each cell that is empty, with that as its reason."""
    language = view.brief.language
    points = tuple(dict.fromkeys(cell.point for cell in coverage.gaps))
    queries = follow_up_queries(
        view.brief, section, points, made=view.queries_made, at_most=view.limits.queries, today=view.today
    )
    labels = coverage.missing(language)
    why = Phrase("Nothing found yet on {label}.")
    said = [why.filled(label=label).in_(language) for label in labels] or [""]
    return tuple(NextQuery(query=query, reason=said[min(place, len(said) - 1)]) for place, query in enumerate(queries))


def _naming_queries(view: ResearcherView) -> tuple[NextQuery, ...]:
    """Return a query for each of those asked about whom no page read so far names: by what they are called for short.

    A firm's own documents seldom name it; that one of them does tells that they are its.
    """
    missing = (name for name in Subjects(question_parts(view.brief.question), view.pages.values()).missing)
    why = Phrase("Nothing found yet on {label}.")
    return tuple(
        NextQuery(query=spelt(called, view.brief.question), reason=why.filled(label=name.ja).in_(view.brief.language))
        for name in missing
        if not name.is_place and not _is_made(called := short(name), view)
    )


def _is_made(query: str, view: ResearcherView) -> bool:
    return folded(query) in map(folded, view.queries_made)


def _leading_queries(view: ResearcherView, relevance: Relevance) -> tuple[NextQuery, ...]:
    """Return queries for those whom the first search named and the question only describes."""
    asked = question_parts(view.brief.question)
    if view.limits.searches - view.searches_left > 1 or not view.evidence or asked.operation in _OF_VALUES:
        return ()
    if {point for entry in view.evidence for point in entry.answers}.issuperset(asked.points):
        return ()  # Values answer all of it.
    wanted = " ".join(asked.attributes)
    why = Phrase("The nearest passages name it, and the question does not.").in_(view.brief.language)
    found = names_led_to(asked, view.evidence, view.pages, relevance)
    queries = dict.fromkeys(f"{' '.join(names)} {wanted}" for names in found)
    return tuple(NextQuery(query=query, reason=why) for query in queries if query not in view.queries_made)


def _summary(
    view: ResearcherView, coverage: Coverage, gaps: Sequence[str], queries: Sequence[NextQuery], *, is_stale: bool
) -> str:
    language = view.brief.language
    rounds, found, pages = view.limits.searches - view.searches_left, len(view.evidence), len(view.pages)
    missing = set(map(folded, gaps))
    covered = COMMA.in_(language).join(point for point in coverage.told if folded(point) not in missing)
    score = view.assessment.criteria.total if view.assessment else None
    parts = [
        Phrase("After search {rounds}: {found} quotes from {pages} pages.").filled(
            rounds=rounds, found=found, pages=pages
        ),
        _whence(view.pages, language),
        Phrase("Covered: {covered}.").filled(covered=covered) if covered else None,
        Phrase("Sufficiency {score}/10.").filled(score=score) if score is not None else None,
        _next_step(view, gaps, queries, is_stale=is_stale),
    ]
    return SPACE.in_(language).join(part.in_(language) for part in parts if part)


def _next_step(view: ResearcherView, gaps: Sequence[str], queries: Sequence[NextQuery], *, is_stale: bool) -> Bilingual:
    if not gaps and view.evidence:
        return Phrase("Nothing that was looked for is missing.")
    if is_stale:
        return Phrase("The last searches brought nothing new.")
    if view.searches_left <= 0:
        return Phrase("No searches are left.")
    if not queries:
        return Phrase("No further words are left to search for.")
    return Phrase("Next: search for what is missing.")


def _whence(pages: Mapping[str, Page], language: Language) -> Bilingual | None:
    """Name the sites and the dates of the pages."""
    if not pages:
        return None
    sources = Counter(source_of(page, language) for page in pages.values())
    counted = sources.most_common(_SOURCES_NAMED)
    named = Bilingual(
        COMMA.en.join(f"{name} ({count})" for name, count in counted),
        COMMA.ja.join(f"{name} {count}件" for name, count in counted),
    )
    dates = sorted(page.published[:7] for page in pages.values() if page.published)
    undated = len(pages) - len(dates)
    span = "" if not dates else dates[0] if dates[0] == dates[-1] else f"{dates[0]} – {dates[-1]}"
    dated = Bilingual(
        COMMA.en.join(part for part in (span, f"{undated} undated" if undated else "") if part),
        COMMA.ja.join(part for part in (span, f"日付不明 {undated}件" if undated else "") if part),
    )
    return Phrase("Sources: {named}. Dates: {dated}.").filled(named=named, dated=dated)


def _insights(coverage: Coverage, disputes: Sequence[Contradiction], view: ResearcherView) -> tuple[Insight, ...]:
    """Return what is best supported, said as how much there is of it."""
    disputed = {side.evidence for dispute in disputes for side in dispute.sides}
    language = view.brief.language
    insights = []
    for point, evidence in coverage.told.items():
        ids = [entry.id for entry in evidence]
        sites = len({view.pages[entry.source].site for entry in evidence})
        text = Bilingual(
            f"{_counted(len(ids), 'quote')} from {_counted(sites, 'source')} on {point}.",
            f"{point}：{sites}件の情報源から引用{len(ids)}件。",
        )
        sure = confidence(sites, is_disputed=not disputed.isdisjoint(ids))
        insights.append(Insight(text=text.in_(language), confidence=sure, evidence=tuple(ids[:_IDS])))
    return tuple(sorted(insights, key=lambda one: (-one.confidence, -len(one.evidence)))[:_INSIGHTS])


def confidence(sites: int, *, is_disputed: bool) -> int:
    """Return how sure something is that `sites` different sites speak of: 4 for one, 7 for two, 9 for three or more.

    Where quotes on it contradict each other it is 3 less.
    """
    return _CONFIDENCE[min(sites, len(_CONFIDENCE)) - 1] - (_DISPUTED if is_disputed else 0)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _doubt(dispute: Contradiction, coverage: Coverage, language: Language) -> Doubt:
    """Say that pieces of evidence contradict each other, and on which point; not what they say."""
    ids = tuple(dict.fromkeys(side.evidence for side in dispute.sides))
    on = [point for point, told in coverage.told.items() if {entry.id for entry in told}.issuperset(ids)][:1]
    what = _DIFFERENT.get(dispute.kind, _OPPOSITE)
    text = Bilingual(
        f"{COMMA.en.join(ids)} give {what.en}" + "".join(f" ({point})" for point in on),
        f"{COMMA.ja.join(ids)} で{what.ja}が異なる" + "".join(f"（{point}）" for point in on),
    )
    return Doubt(text=text.in_(language), evidence=ids)


# --- what the supervisor does next -----------------------------------------------------------------------------------


def supervise_by_rule(view: SupervisorView) -> list[SupervisorAction]:
    """Think of a plan, hand out its sections, think of what came back, hand out what is missing once, end."""
    rounds = _rounds(view.steps)
    turns_left = view.limits.supervisor_turns - view.turn
    has_thought = bool(view.steps) and isinstance(view.steps[-1].action, Think)
    if rounds == 0:
        sections = plan_for(view.brief).topics[: view.topics_left]
        if not has_thought and turns_left > 1:
            return [Think(_planned(view, sections))]
        return [_topic(section, view.brief) for section in sections]
    again = _gaps(view) if rounds == 1 and turns_left > 1 else []
    if not has_thought and turns_left > 1:
        return [Think(_reviewed(view, [section for section, _ in again]))]
    if again:
        return [_topic(section, view.brief, missing) for section, missing in again]
    return [ResearchComplete(_reason(view, rounds), _ended(view))]


def _planned(view: SupervisorView, sections: Sequence[Section]) -> str:
    """Say how the research is planned: for which points, in which sections."""
    language, comma = view.brief.language, COMMA.in_(view.brief.language)
    lines = []
    for number, one in enumerate(sections, 1):
        wanted = comma.join(one.wanted)
        lines.append(f"{number}. {one.title}" + f" – {wanted}" * (wanted != one.title))
    more = view.topics_left - len(sections)
    head = Phrase("{basis} Topics handed out now: {sections}; up to {more} more if something is missing.").filled(
        basis=basis(view.brief), sections=len(sections), more=more
    )
    return "\n".join([head.in_(language), *lines])


def _reviewed(view: SupervisorView, again: Sequence[Section]) -> str:
    """Say what the topics brought so far, and whether a further round follows."""
    language = view.brief.language
    found = {name for result in view.results for name in result.evidence}
    head = Phrase("Topics done: {results}. Quotes in all: {found}.").filled(results=len(view.results), found=len(found))
    titles = COMMA.in_(language).join(section.title for section in again)
    close = Bilingual(
        f"One further round on the gaps: {titles}." if again else "No further round: the report can be written.",
        f"不足を補う調査をもう一度行います：{titles}。" if again else "追加の調査は行わず、レポートの作成に移ります。",
    )
    return "\n".join([head.in_(language), *(_line(result, language) for result in view.results), close.in_(language)])


def _line(result: TopicResult, language: Language) -> str:
    count, assessment = len(result.evidence), result.assessment
    missing = COMMA.in_(language).join(assessment.gaps.missing) if assessment else ""
    parts = [
        Phrase("{count} quotes").in_(language).format(count=count),
        Phrase("sufficiency {score}/10").in_(language).format(score=assessment.criteria.total) if assessment else "",
        Phrase("missing: {missing}").in_(language).format(missing=missing) if missing else "",
        Phrase("failed before it was done").in_(language) if result.failed else "",
    ]
    separator = COLON.in_(language)
    return f"- {title_of(result.topic)}{separator}{COMMA.in_(language).join(part for part in parts if part)}"


def _topic(section: Section, brief: Brief, missing: Sequence[str] = ()) -> ConductResearch:
    wanted = section.model_copy(update={"needs": tuple(missing)}) if missing else section
    things = len(wanted.wanted) * max(1, len(compared_in(brief.question)))
    return ConductResearch(topic_for(section, brief, missing), is_hard=things > _SIMPLE, section=wanted)


def _rounds(steps: Sequence[Step]) -> int:
    """Return how many times topics were handed out, those handed out together counting once."""
    kinds = [isinstance(step.action, ConductResearch) for step in steps]
    return sum(is_research for is_research, _ in groupby(kinds))


def _gaps(view: SupervisorView) -> list[tuple[Section, tuple[str, ...]]]:
    """Return the sections worth a second try: those of topics that failed, each as it was.

    A researcher has searched for its own gaps already, so what nobody found is not looked for again.
    """
    sections = {section.title: section for section in plan_for(view.brief).topics}
    failed = [result for result in view.results if result.failed and result.section is not None]
    worth = [sections[one.section.title] for one in failed if one.section and one.section.title in sections]
    return [(section, tuple(section.wanted)) for section in worth[: max(0, view.topics_left)]]


def _ended(view: SupervisorView) -> StopReason:
    """Return why research ends: all that was asked for is covered, nothing was found, or nothing new is."""
    if not any(result.evidence for result in view.results):
        return StopReason.NO_HITS
    missing = any(result.assessment.gaps.missing for result in view.results if result.assessment)
    return StopReason.REPEATED if missing else StopReason.COVERED


def _reason(view: SupervisorView, rounds: int) -> str:
    if not any(result.evidence for result in view.results):
        return Phrase("Nothing was found.").in_(view.brief.language)
    if rounds > 1:
        return Phrase("The gaps were searched for once more.").in_(view.brief.language)
    return Phrase("The sections are covered as far as the sources allow.").in_(view.brief.language)
