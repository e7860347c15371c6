"""The report is written, at once or section by section, to the length that the brief names."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from research import core
from research.analysts import Analyst, Frame, FrameRequest, ReportRequest, SectionPart, TopicResult
from research.analysts.extractive import ASIDES, SUMMARY
from research.engine.context import Lane, RunContext, WrittenSection, unless
from research.engine.reading import quoted_by_rule
from research.gaps import Subjects, as_documents_know, spoken_of
from research.language import COMMA, Language, Phrase
from research.results import AskedPart, primary_evidence
from research.text import Part, Span, escape_markdown, head_of, is_written_in, parts_of, question_parts

_KEPT = 0.5
"""The share of its citations a page that a report must keep to stand for the one before."""
PARTS_FROM = 24
"""Quotes from which a report of several topics is written in parts: with fewer, one call is about as fast."""
_AHEAD = 8
"""Quotes from which a topic's section is written while others are still researched."""
_IN_PARTS = frozenset(
    length for length, pages in core.PAGES.items() if pages.least >= core.PAGES[core.Length.MEDIUM].least
)
_PATIENCE = 3
"""Calls in a row in which a role's model wrote nothing, before it is not asked for sections any more."""
_SMALLER = 1
"""How often a section that could not be used is asked for in halves. What does not fit is halved until it does."""
_LITTLE = 1 / 3
"""The share of its evidence that an answer which broke off has to tell of to be gone on with.

One that says the same for ever would be asked as often as there are quotes.
"""
_NOTHING = "model_unusable"
"""How an answer ends of which nothing is any use, whatever it cites: it says what the model was told."""
_PIECE_SECONDS = 0.25
_TELLING = 24
"""Characters from which a sentence is not written again by chance."""
_LONGEST, _MOST = 3_000, 20
"""Characters of the opening and of the conclusion, which are a paragraph or two, and disagreements that are named."""
_STOP = re.compile(r"[.!?。！？](?:\s*\[E\d+\])*(?=\s|\Z)|[。！？]")
_ROLES = (
    core.Role.FINAL_REPORT,
    core.Role.RESEARCH,
    core.Role.COMPRESSION,
    core.Role.PLANNING,
    core.Role.SUMMARIZATION,
)
"""Whose models are asked to write, one after the other."""

_CONCLUSION = Phrase("Conclusion")
_DISAGREEMENTS = Phrase("Where sources disagree")
_ELSEWHERE = Phrase("What was found on this is told in the other sections.")
_MARK = re.compile(r"(?<!\\)\[E\d")
_WORTH_KEEPING = 1_500
"""Characters from which a report that broke off is kept as it is."""


async def write_report(context: RunContext) -> tuple[str, core.Cited]:
    """Write the report; return who wrote it, and the text with every citation checked to exist."""
    request = report_request(context, kept_evidence(context))
    analyst = context.world.analyst
    if request.evidence and not context.control.stop.is_set() and analyst is not context.world.rules:
        written = await unless(context.control.stop, _by_analyst(context, analyst, request))
        if written is not None:
            return _written(context, analyst.name, await _fitted(context, request, written))
        if not context.control.stop.is_set():
            context.problem(core.Stage.WRITING, "report_by_rule")
            return await write_by_rule(context, keeps_all=True)
    return await write_by_rule(context)


async def _by_analyst(context: RunContext, analyst: Analyst, request: ReportRequest) -> core.Cited | None:
    """Return the report, a short one written at once, a long one or what fails so in parts.

    None if no model wrote any of it, or the run's cap leaves no room for it.
    """
    if not is_written_in_parts(context, request.evidence):
        try:
            cited = await asyncio.to_thread(core.cite, await _stream(context, analyst, request), request.evidence)
            if not cited.citations:
                raise core.UnusableAnswer("report_uncited")
            if _is_foreign(context, core.Role.FINAL_REPORT, cited.draft, request.evidence.values()):
                raise core.UnusableAnswer("answer_language")
        except core.CapReached as error:
            context.cap_reached(core.Stage.WRITING, detail=error.detail)
            return None
        except core.ModelError as error:
            if not isinstance(error, core.ContextOverflow) and context.is_first(error.code):
                context.problem(core.Stage.WRITING, error.code, detail=error.detail)
        else:
            return cited
    sections = await sections_of(context)
    if all(one.is_by_rule for one in sections if one.evidence):
        return None
    for one in sections:
        if one.is_by_rule:
            context.problem(core.Stage.WRITING, "section_by_rule", subject=one.title)
    cited = await framed(context, sections, request.evidence)
    context.emit(core.ReportStarted(analyst=analyst.name))
    context.emit(core.ReportExtended(text=cited.draft))
    return cited


async def _fitted(context: RunContext, request: ReportRequest, cited: core.Cited) -> core.Cited:
    """Return the report, or one written anew once if it is far too long or short and that comes nearer.

    A model that fails, a cap without room and a user who does not want to wait leave it as it is.
    """
    if not _is_worth_rewriting(context, request, cited):
        return cited
    analyst, again = context.world.analyst, None
    rewriting = _stream(context, analyst, replace(request, earlier=cited.draft), keeps_pieces=False)
    with suppress(core.ModelError):
        text = await unless(context.control.stop, rewriting)
        again = None if text is None else await asyncio.to_thread(core.cite, text, request.evidence)
    if again is not None and _is_better(again, cited, core.length_of(request.brief)):
        return again
    # What was told of the second report is void.
    context.emit(core.ReportStarted(analyst=analyst.name))
    context.emit(core.ReportExtended(text=cited.draft))
    return cited


def _is_worth_rewriting(context: RunContext, request: ReportRequest, cited: core.Cited) -> bool:
    """Whether a report is far from the length that the brief names, and there is time, and evidence for a longer one.

    A length that only its preset names is not worth the price of a second report.
    """
    control, length, pages = context.control, core.length_of(request.brief), core.pages_of(cited.draft)
    is_waited_for = not control.finish.is_set() and not control.stop.is_set()
    if request.brief.length is None or not is_waited_for or not core.is_far_off(pages, length):
        return False
    there_is = core.pages_of("\n".join(entry.quote for entry in request.evidence.values()))
    return pages > core.PAGES[length].most or there_is >= core.PAGES[length].least


def _is_better(again: core.Cited, cited: core.Cited, length: core.Length) -> bool:
    """Whether a report is nearer to its length and cites about as much on each page as before."""
    pages, before = core.pages_of(again.draft), core.pages_of(cited.draft)
    keeps = again.citations / max(pages, 0.1) >= _KEPT * cited.citations / max(before, 0.1)
    return keeps and core.is_nearer(pages, before, length)


async def write_by_rule(context: RunContext, *, keeps_all: bool = False) -> tuple[str, core.Cited]:
    """Compose the report without a model; this cannot fail for want of anything outside.

    A fact-strict report is composed of what primary sources say, and has nothing but a title if there are none. With
    `keeps_all`, in place of a model's report, every quote that was kept stands in it.
    """
    cited = await _composed(context)
    if keeps_all and context.brief.length is None and not is_strict(context):
        cited = await _with_other_quotes(context, cited)
    return _written(context, context.world.rules.name, cited)


async def _with_other_quotes(context: RunContext, short: core.Cited) -> core.Cited:
    """Return a report by rule, and before what it says of itself every quote that it leaves out, topic by topic."""
    request = report_request(context, kept_evidence(context))
    told, parts = set(short.evidence), list[str]()
    for lane in (lane for lane in context.lanes if not lane.dropped.is_set()):
        if left := {
            name: entry for name, entry in request.evidence.items() if name in lane.evidence and name not in told
        }:
            title = _Section(context, lane).title
            part = replace(request, evidence=left, part=SectionPart(title))
            quotes = "".join([piece async for piece in context.world.rules.write(part)])
            parts.append(f"## {escape_markdown(title)}\n\n{quotes}\n")
            told |= left.keys()
    end = _asides(short.draft, context.brief.language)
    whole = "\n".join((short.draft[:end], *parts, short.draft[end:]))
    context.emit(core.ReportStarted(analyst=context.world.rules.name))
    context.emit(core.ReportExtended(text=whole))
    return await asyncio.to_thread(core.cite, whole, request.evidence, is_quoting=True)


def _asides(draft: str, language: Language) -> int:
    """Return where a report by rule has told all that it quotes."""
    heads = (f"\n## {title.in_(language)}\n" for title in (*ASIDES, SUMMARY))
    return min((at for head in heads if (at := draft.find(head)) >= 0), default=len(draft))


async def _composed(context: RunContext) -> core.Cited:
    """Return the report by rule; where what a model quoted answers nothing, with what rules quote of the same pages."""
    cited = await _of_quotes(context)
    if not context.world.is_by_rule and not _answers(cited.draft):
        further = await quoted_by_rule(context)
        for lane, entry in further:
            lane.evidence.append(entry.id)
        cited = await _of_quotes(context)
        for lane, entry in further:
            if entry.id in cited.evidence:
                context.emit(core.EvidenceFound(lane=lane.name, **entry.model_dump()))
            else:
                lane.evidence.remove(entry.id)
                context.ledger.forget(entry)
    return cited


async def _of_quotes(context: RunContext) -> core.Cited:
    found = kept_evidence(context)
    usable = primary_evidence(found, context.ledger.pages) if is_strict(context) else found
    if found and not usable:
        context.problem(core.Stage.WRITING, "nothing_primary")
        title = escape_markdown(head_of(context.brief.question))
        return core.cite(f"# {title}", {})
    text = await _stream(context, context.world.rules, report_request(context, usable))
    return await asyncio.to_thread(core.cite, text, usable, is_quoting=True)


def kept_evidence(context: RunContext) -> dict[str, core.Evidence]:
    """Return the evidence that the researchers kept, by id: what a report may cite."""
    kept = {name for result in context.results for name in result.evidence}
    return {name: entry for name, entry in context.ledger.evidence.items() if name in kept}


def is_strict(context: RunContext) -> bool:
    """Whether the report may hold nothing but what primary sources bear out."""
    return context.brief.preset is core.PresetName.FACT_STRICT


async def _stream(context: RunContext, analyst: Analyst, request: ReportRequest, *, keeps_pieces: bool = True) -> str:
    """Return what the analyst writes; with `keeps_pieces`, also what there is of a report that the cap ended."""
    context.emit(core.ReportStarted(analyst=analyst.name))
    text = ""
    try:
        async for piece in in_pieces(analyst.write(request)):
            context.emit(core.ReportExtended(text=piece))
            text += piece
    except core.CapReached:
        if not keeps_pieces or len(text) < _WORTH_KEEPING:
            raise
        context.cap_reached(core.Stage.WRITING)
        context.problem(core.Stage.WRITING, "answer_cut")
    return text


def _written(context: RunContext, analyst: str, cited: core.Cited) -> tuple[str, core.Cited]:
    context.emit(
        core.ReportWritten(
            analyst=analyst,
            citations=cited.citations,
            unknown_ids=cited.unknown_ids,
            removed_links=cited.removed_links,
            pages=core.pages_of(cited.draft),
        )
    )
    return analyst, cited


def note_shortcomings(context: RunContext, cited: core.Cited) -> None:
    """Report that a finished report cites nothing, is longer than it may be, or shorter than its brief asks for."""
    if context.ledger.evidence and not cited.evidence:
        context.problem(core.Stage.WRITING, "subject_missing")
    elif cited.evidence and context.world.analyst.name == context.world.rules.name:
        if not _answers(cited.draft):
            context.problem(core.Stage.WRITING, "answer_missing")
        elif nameless := _nameless(context):
            context.problem(core.Stage.WRITING, "name_missing", subject=nameless)
    length, pages = core.length_of(context.brief), core.pages_of(cited.draft)
    words = core.length_in_words(pages, length, context.brief.language)
    if core.is_too_long(pages, length):
        context.problem(core.Stage.WRITING, "report_longer", subject=words)
    elif cited.citations and context.brief.length is not None and core.is_too_short(pages, length):
        context.problem(core.Stage.WRITING, "report_shorter", subject=words)


def _nameless(context: RunContext) -> str:
    """Return those asked about whom no page names, where others are: of two firms that are compared, one, say."""
    pages = context.ledger.pages.values()
    missing = Subjects(as_documents_know(question_parts(context.brief.question), pages), pages).missing
    language = context.brief.language
    return COMMA.in_(language).join(getattr(name, language.value) for name in missing)


def _answers(draft: str) -> bool:
    """Whether the first section of a report, its answer, cites anything."""
    first = draft.split("\n## ", 2)[1:2]
    return not first or _MARK.search(first[0]) is not None


def parts_answered(context: RunContext, cited: core.Cited) -> tuple[AskedPart, ...]:
    """Return the parts of the question, and of which of them the quotes speak that a report cites."""
    ledger, question = context.ledger, context.brief.question
    evidence = [ledger.evidence[name] for name in cited.evidence if name in ledger.evidence]
    is_listed = bool(question_parts(question).abouts)

    def is_spoken_of(part: Part) -> bool:
        # What a question names by itself is asked of all of it; what a line of a list names, of that alone.
        point = f"{part.about} {part.asked}".strip() if is_listed else part.asked
        return bool(evidence) and bool(spoken_of(point, evidence, ledger.pages, context.world.relevance))

    return tuple(
        AskedPart(about=part.about, asked=part.asked, is_spoken_of=is_spoken_of(part)) for part in parts_of(question)
    )


def is_written_in_parts(context: RunContext, evidence: Mapping[str, core.Evidence]) -> bool:
    """Whether the report is long enough, and enough was found for it, to be written section by section."""
    topics = sum(bool(result.evidence) for result in context.results)
    return bool(context.desk.tasks) or (
        topics > 1 and len(evidence) >= PARTS_FROM and core.length_of(context.brief) in _IN_PARTS
    )


def begin_section(context: RunContext, lane: Lane) -> None:
    """Have the section of a finished topic written meanwhile, if the report will be written in parts."""
    is_asked = not context.world.is_by_rule and not context.control.stop.is_set()
    is_part = len(context.lanes) > 1 and core.length_of(context.brief) in _IN_PARTS
    if is_asked and is_part and not lane.dropped.is_set() and len(lane.evidence) >= _AHEAD:
        _begin(context, lane)


async def sections_of(context: RunContext) -> list[WrittenSection]:
    """Return all sections in the order of their topics; those that are not written yet are written now."""
    lanes = [lane for lane in context.lanes if not lane.dropped.is_set()]
    for lane in lanes:
        told = context.desk.claims.get(lane.name, ())
        # What the user blocked or dropped meanwhile is in no report.
        if lane.name not in context.desk.tasks or len(context.usable(told)) < len(told):
            _begin(context, lane)
    return list(await asyncio.gather(*(context.desk.tasks[lane.name] for lane in lanes)))


def _begin(context: RunContext, lane: Lane) -> None:
    desk = context.desk
    if (under_way := desk.tasks.pop(lane.name, None)) is not None:
        under_way.cancel()
    desk.claims.pop(lane.name, None)
    told = {name for names in desk.claims.values() for name in names}
    mine = tuple(entry.id for entry in context.usable(lane.evidence) if entry.id not in told)
    desk.claims[lane.name] = mine
    desk.tasks[lane.name] = asyncio.ensure_future(_Section(context, lane).written(mine))


def _roles(context: RunContext) -> Iterator[core.Role]:
    """Yield the roles whose models may write, each model once, without those that fail all the time.

    Those that write in another language than was asked for come last.
    """
    asked = set[str]()
    for role in sorted(_ROLES, key=lambda role: context.world.models.get(role, "") in context.desk.foreign):
        name = context.world.models.get(role, "")
        if name not in asked and context.desk.failures[role] < _PATIENCE:
            asked.add(name)
            yield role


def _is_foreign(context: RunContext, role: core.Role, text: str, evidence: Iterable[core.Evidence]) -> bool:
    """Whether a role's model wrote in another language than was asked for, which is told once, and that will not do.

    It has to do where no other model writes and quotes would be in another language as well.
    """
    language, foreign = context.brief.language, context.desk.foreign
    if is_written_in(core.without_marks(text), language):
        return False
    if context.is_first("answer_language"):
        context.problem(core.Stage.WRITING, "answer_language")
    foreign.add(context.world.models.get(role, ""))
    others = (context.world.models.get(other, "") for other in _roles(context))
    return not foreign.issuperset(others) or is_written_in(" ".join(one.quote for one in evidence), language)


def _note(context: RunContext, role: core.Role, error: core.ModelError, subject: str = "") -> None:
    """Count that a role's model did not write; each kind of failure is told once."""
    context.desk.failures[role] += 1
    if context.is_first(error.code):
        context.problem(core.Stage.WRITING, error.code, subject=subject, detail=error.detail)


async def in_pieces(written: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield what is written in pieces of a quarter of a second, so that events stay few; before it fails, the rest."""
    pending, sent = "", time.monotonic()
    try:
        async for piece in written:
            pending += piece
            if time.monotonic() - sent >= _PIECE_SECONDS:
                yield pending
                pending, sent = "", time.monotonic()
    except core.ModelError:
        if pending:
            yield pending
        raise
    if pending:
        yield pending


@dataclass
class _Section:
    """One section while it is written."""

    context: RunContext
    lane: Lane
    is_by_rule: bool = True
    """No model has written any of it."""

    @property
    def title(self) -> str:
        return self.lane.section.title if self.lane.section else core.title_of(self.lane.topic)

    async def written(self, ids: Sequence[str]) -> WrittenSection:
        """Return the section written from evidence of these ids, now or before the run broke off, whatever fails."""
        kept = self.context.desk.kept.pop(self.lane.name, None)
        if kept is not None and kept.is_whole and set(kept.evidence) == set(ids):
            by_rule = kept.analyst == self.context.world.rules.name
            return WrittenSection(kept.title, kept.text, kept.evidence, by_rule)
        if ids:
            text = await self._told(list(ids), 0, _SMALLER)
        else:
            phrase = _ELSEWHERE if self.lane.evidence else Phrase("Nothing was found on this.")
            text = phrase.in_(self.context.brief.language)
            self._tell(text, 0, anew=True)
        is_by_rule = bool(ids) and self.is_by_rule
        analyst = self.context.world.rules.name if is_by_rule else self.context.world.analyst.name
        self.context.emit(
            core.SectionWritten(section=self.lane.name, title=self.title, analyst=analyst, evidence=tuple(ids))
        )
        return WrittenSection(self.title, text, tuple(ids), is_by_rule)

    async def _told(self, ids: list[str], place: int, smaller: int) -> str:
        """Return text on this evidence: by the first model that writes it, in pieces if need be, else by rule."""
        desk = self.context.desk
        if desk.most is not None and len(ids) > desk.most:
            return await self._halves(ids, place, smaller)
        for role in _roles(self.context):
            try:
                text, cited = await self._asked(ids, place, role)
            except core.CapReached as error:
                if self.context.is_first(error.code):
                    self.context.cap_reached(core.Stage.WRITING, detail=error.detail)
                break
            except core.ContextOverflow:
                desk.most = min(desk.most or len(ids), max(1, len(ids) // 2))
                if len(ids) > 1:
                    return await self._halves(ids, place, smaller)
            except core.UnusableAnswer as error:
                _note(self.context, role, error, self.title)
                if smaller and len(ids) > 1:
                    return await self._halves(ids, place, smaller - 1)
            except core.ModelError as error:
                _note(self.context, role, error, self.title)
            else:
                if _is_foreign(self.context, role, text, map(self.context.ledger.evidence.__getitem__, ids)):
                    desk.failures[role] += 1
                    continue
                desk.failures[role] = 0
                self.is_by_rule = False
                if cited is None:
                    return text
                rest = [name for name in ids if name not in cited]
                return text if not rest else _joined(text, await self._told(rest, place + len(cited), 0))
        return await self._by_rule(ids, place)

    async def _halves(self, ids: list[str], place: int, smaller: int) -> str:
        middle = len(ids) // 2
        first, second = await asyncio.gather(
            self._told(ids[:middle], place, smaller), self._told(ids[middle:], place + middle, smaller)
        )
        return _joined(first, second)

    async def _asked(self, ids: list[str], place: int, role: core.Role) -> tuple[str, set[str] | None]:
        """Return what a model wrote, and what it cites if its answer broke off, else None.

        Raises:
            UnusableAnswer: it cites nothing.
            ModelError: it wrote nothing, or next to nothing before it broke off.
        """
        text, broken = "", None
        self._tell("", place, anew=True)
        try:
            async for piece in in_pieces(self.context.world.analyst.write(self._request(ids, role))):
                self._tell(piece, place)
                text += piece
        except core.ModelError as error:
            broken = error
        text = _body(text, is_cut=broken is not None)
        evidence = {name: self.context.ledger.evidence[name] for name in ids}
        cited = set((await asyncio.to_thread(core.cite, text, evidence)).evidence)
        is_nothing = broken is not None and broken.code == _NOTHING
        if not cited or is_nothing or (broken is not None and len(cited) < len(ids) * _LITTLE):
            self._tell("", place, anew=True)
            raise broken or core.UnusableAnswer("report_uncited")
        self._tell(text, place, anew=True)
        return text, cited if broken is not None else None

    async def _by_rule(self, ids: list[str], place: int) -> str:
        """Return every quote; this cannot fail for want of anything outside."""
        request = self._request(ids, core.Role.FINAL_REPORT)
        text = "".join([piece async for piece in self.context.world.rules.write(request)])
        self._tell(text, place, anew=True)
        return text

    def _tell(self, text: str, place: int, *, anew: bool = False) -> None:
        if text or anew:
            self.context.emit(
                core.SectionExtended(section=self.lane.name, title=self.title, piece=place, text=text, anew=anew)
            )

    def _request(self, ids: list[str], role: core.Role) -> ReportRequest:
        context, lane = self.context, self.lane
        others = tuple(_Section(context, one).title for one in context.lanes if one is not lane)
        share = len(ids) / max(1, len(context.desk.claims[lane.name])) / max(1, len(context.lanes))
        return replace(
            report_request(context, {name: context.ledger.evidence[name] for name in ids}),
            results=(TopicResult(lane.topic, tuple(ids), "", section=lane.section),),
            read=(),
            part=SectionPart(self.title, others, share),
            role=role,
        )


def report_request(context: RunContext, evidence: dict[str, core.Evidence]) -> ReportRequest:
    """Return what a writer is told of a report that may cite `evidence`."""
    return ReportRequest(
        brief=context.brief,
        today=context.today,
        results=context.results,
        outline=context.outline,
        added=tuple(one.question for one in context.journal.events if isinstance(one, core.QuestionAdded)),
        queries=context.row_queries,
        evidence=evidence,
        pages=context.pages_of(evidence.values()),
        read=tuple(context.ledger.pages.values()),
    )


_HEADING = re.compile(r"\A\s*#{1,2}\s[^\n]*\n|\A\s*#{1,2}\s[^\n]*\Z")
_LOWER = re.compile(r"^#{1,2}(?=\s)", re.MULTILINE)


def _body(text: str, *, is_cut: bool) -> str:
    """Return a section without its heading, which the program writes; of one that was cut, its whole sentences."""
    text = _LOWER.sub("###", _HEADING.sub("", text)).strip()
    if not is_cut:
        return text
    # A sentence is whole once its mark is closed: what follows the last one has no evidence yet.
    end = text.rfind("]")
    stop = re.match(r"[.。]?", text[end + 1 :]) if end >= 0 else None
    return text[: end + 1] + (stop.group() if stop else "") if end >= 0 else ""


def _joined(*pieces: str) -> str:
    return "\n\n".join(piece.strip() for piece in pieces if piece.strip())


async def framed(
    context: RunContext, sections: Sequence[WrittenSection], evidence: Mapping[str, core.Evidence]
) -> core.Cited:
    """Return the whole report: what stands around the sections, written last, and the sections without repetitions."""
    body = _joined(*(f"## {escape_markdown(one.title)}\n\n{one.text}" for one in sections))
    cited = await asyncio.to_thread(lambda: _once(core.cite(body, evidence)))
    sentences = [one for one in core.cited_sentences(cited.draft) if one.evidence]
    frame = await _frame(context, cited.draft, sentences)
    draft = _without(cited.draft, _droppable(frame, sentences))
    language = context.brief.language
    parts = [f"# {escape_markdown(frame.title or context.brief.question)}", _plain(frame.opening), draft]
    if frame.disagreements:
        listed = "\n".join(f"- {' '.join(line.split())}" for line in frame.disagreements[:_MOST])
        parts.append(f"## {_DISAGREEMENTS.in_(language)}\n\n{listed}")
    if frame.conclusion.strip():
        parts.append(f"## {_CONCLUSION.in_(language)}\n\n{_plain(frame.conclusion)}")
    whole = await asyncio.to_thread(core.cite, _joined(*parts), evidence)
    return replace(whole, unknown_ids=whole.unknown_ids + cited.unknown_ids)


def _once(cited: core.Cited) -> core.Cited:
    """Return a draft without the sentences that stand in it word for word before: some models write one for ever."""
    seen = set[tuple[str, tuple[str, ...]]]()
    again: list[core.Sentence] = []
    for one in core.cited_sentences(cited.draft):
        said = (one.text.rstrip(".。 "), one.evidence)  # The last one may have been cut.
        if said in seen and len(one.text) >= _TELLING:
            again.append(one)
        seen.add(said)
    return replace(cited, draft=_without(cited.draft, again)) if again else cited


def _without(draft: str, sentences: Sequence[core.Sentence]) -> str:
    return core.edited(draft, {Span(one.start, one.end): "" for one in sentences})


def _plain(text: str) -> str:
    """Return text of the frame without headings, which the program sets, and not longer than a frame may be."""
    plain = "\n".join(line for line in text.splitlines() if not line.startswith("#")).strip()
    if len(plain) <= _LONGEST:
        return plain
    ends = [stop.end() for stop in _STOP.finditer(plain, 0, _LONGEST)]
    return plain[: ends[-1]] if ends else ""


async def _frame(context: RunContext, draft: str, sentences: Sequence[core.Sentence]) -> Frame:
    """Return what stands around the sections; where all sentences do not fit the window, every second is shown."""
    told = [draft[one.start : one.end] for one in sentences]
    request = FrameRequest(context.brief, context.today, tuple(told), context.outline)
    for role in _roles(context):
        while True:
            try:
                return await context.world.analyst.frame(replace(request, role=role))
            except core.ContextOverflow:
                if len(request.sentences) < 2:
                    break
                # Positions are those of the sentences shown: of a part of them, none is named as told twice.
                request = replace(request, sentences=request.sentences[::2], is_whole=False)
            except core.ModelError as error:
                _note(context, role, error)
                break
    return await context.world.rules.frame(replace(request, sentences=tuple(told)))


def _droppable(frame: Frame, sentences: Sequence[core.Sentence]) -> list[core.Sentence]:
    """Return the sentences told twice that can go: all that they cite, others that stay cite as well."""
    gone: list[core.Sentence] = []
    for one in [sentences[place] for place in dict.fromkeys(frame.repeated) if place < len(sentences)]:
        stay = {name for other in sentences if other is not one and other not in gone for name in other.evidence}
        if stay.issuperset(one.evidence):
            gone.append(one)
    return gone
