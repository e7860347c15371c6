"""What a chat model makes of pages: summaries, findings, repairs, answers, and the report itself."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from langchain_core.messages import BaseMessage
from pydantic import BaseModel, Field

from research import core, prompts
from research.analysts import protocol
from research.analysts.chat import OPENAI, answers, tables
from research.analysts.chat.models import finish_of
from research.analysts.extractive import (
    measures_computed,
    operand_quotes,
    row_quotes,
    rows_cited,
    rows_computed,
)
from research.analysts.protocol import Frame, FrameRequest, ReportRequest, SectionPart, TopicResult
from research.core import ContextOverflow, Page, Role, SourceKind, UnusableAnswer
from research.text import Asked, is_of_today, question_parts

_STRICTNESS = {core.PresetName.FACT_STRICT: "write_fact_strict", core.PresetName.INSIGHT: "write_insight"}


def report_messages(request: ReportRequest) -> list[BaseMessage]:
    """Return the conversation that asks for the report, with the evidence of each topic, each once."""
    if request.part is not None:
        return section_messages(request, request.part)
    language = answers.language_name(request.brief.language)
    structure = (
        prompts.load("write_outline").fill(key_findings=core.KEY_FINDINGS.in_(request.brief.language))
        if request.outline
        else prompts.load("write_free").fill()
    )
    told = answers.instructions(
        "write",
        request.brief,
        request.today,
        manner=answers.manner(request.brief),
        page_words=core.WORDS_A_PAGE,
        page_characters=core.SIGNS_A_PAGE,
        strictness=prompts.load(_STRICTNESS.get(request.brief.preset, "write_plain")).fill(),
        structure=structure,
    )
    seen: set[str] = set()
    evidence = "\n\n".join("\n".join(_topic_lines(request, result, seen)) for result in request.results)
    example = next((name for result in request.results for name in result.evidence if name in seen), "E1")
    parts = [
        answers.brief_block(request.brief),
        answers.asked_block(request.brief),
        *([f"<plan>\n{_plan_text(request.outline)}\n</plan>"] if request.outline else []),
        f"<evidence>\n{evidence}\n</evidence>",
        *_computed(request),
        prompts.load("write_now").fill(language=language, example=example),
    ]
    asked = [told, answers.user("\n\n".join(parts))]
    return [*asked, *_again(request, example)] if request.earlier else asked


def section_messages(request: ReportRequest, part: SectionPart) -> list[BaseMessage]:
    """Return the conversation that asks for one section alone; short, so that it fits where little does."""
    brief, language = request.brief, answers.language_name(request.brief.language)
    least, most = core.PAGES[core.length_of(brief)]
    told = answers.instructions(
        "write_section",
        brief,
        request.today,
        length=core.range_in_words(least * part.share, most * part.share, brief.language),
        strictness=prompts.load(_STRICTNESS.get(brief.preset, "write_plain")).fill(),
    )
    [result] = request.results
    section = [
        f"Section: {answers.one_line(part.title)}",
        *(answers.section_lines(result.section) if result.section else ()),
    ]
    others = [f"Told elsewhere: {answers.one_line('; '.join(part.others))}"] if part.others else []
    evidence = answers.evidence_lines(request.evidence.values(), request.pages, titled=True, today=request.today)
    parts = [
        f"<question>\n{answers.one_line(brief.question)}\n</question>",
        "<section>\n" + "\n".join([*section, *others]) + "\n</section>",
        "<evidence>\n" + "\n".join(evidence) + "\n</evidence>",
        *_computed(request),
        prompts.load("write_section_now").fill(language=language, example=next(iter(request.evidence), "E1")),
    ]
    return [told, answers.user("\n\n".join(parts))]


def _computed(request: ReportRequest) -> list[str]:
    """Return what the program computed of the evidence; nothing where the question asks for nothing of the kind."""
    lines = (*measures_computed(request), *rows_computed(request))
    return [prompts.load("computed").fill(lines="\n".join(lines))] if lines else []


def _operands(page: Page, asked: Asked, queries: Sequence[core.RowQuery] = ()) -> list[str]:
    """Return the rows of a page from which figures that are asked for are computed, as they stand."""
    return [*operand_quotes(page, asked), *rows_cited(page, queries), *row_quotes(page, asked, None)]


def _again(request: ReportRequest, example: str) -> list[BaseMessage]:
    """Return what asks for the same report at another length, behind the report as it was written."""
    length, language = core.length_of(request.brief), request.brief.language
    pages = core.pages_of(request.earlier)
    how = "write_shorter" if pages > core.PAGES[length].most else "write_longer"
    words = prompts.load("write_length").fill(
        has=core.range_in_words(pages, pages, language),
        asked=core.range_in_words(*core.PAGES[length], language),
        how=prompts.load(how).fill(),
        example=example,
    )
    return [answers.assistant(request.earlier), answers.user(words)]


def _plan_text(outline: core.Outline) -> str:
    lines = answers.named_lines({"Purpose": outline.purpose, "Introduction": outline.introduction})
    for section in outline.sections:
        lines += [f"## {answers.one_line(section.title)}", *answers.section_lines(section)]
    return "\n".join([*lines, *answers.named_lines({"Conclusion": outline.conclusion})])


def _topic_lines(request: ReportRequest, result: TopicResult, seen: set[str]) -> Iterator[str]:
    """Yield what is told of a topic, with that of its evidence which was not `seen`, and now is."""
    if result.section is not None:
        yield f"Section: {answers.one_line(result.section.title)}"
    yield f"Topic: {answers.one_line(result.topic)}"
    yield f"Notes: {answers.one_line(result.notes) or 'none'}"
    names = [name for name in dict.fromkeys(result.evidence) if name in request.evidence and name not in seen]
    seen.update(names)
    entries = (request.evidence[name] for name in names)
    yield from answers.evidence_lines(entries, request.pages, titled=True, today=request.today)


_THOUGHT_BEGINS, _THOUGHT_ENDS = "<think>", "</think>"
_FENCE_BEGINS = re.compile(r"```(?:markdown|md)?[ \t]*\n", re.IGNORECASE)
_FENCE_ENDS = re.compile(r"\n```\s*\Z")
_LONGEST_OPENING = len("```markdown \n")
_LONGEST_ENDING = 16
_TELLING = 24
"""Characters from which a line or sentence is not written again by chance. Rows of tables do not count."""
_STOP = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_TOO_OFTEN = 4
_TAG = re.compile(r"^</?[a-z]+>$", re.MULTILINE)
"""A line that parts what a model is told, which small ones write down again instead of a report."""
_EVIDENCE_LINE = re.compile(r'\s*\[E\d+\] "')
_COPIED = 3
"""Lines of evidence as a model is shown them, from which it copies and does not write."""


class ReportStream:
    """Takes pieces as they come and gives out text that belongs to the report.

    Args:
        longest: Characters from which a report is taken to be one that never ends.
        asked: What the model was told, which is no report.
    """

    def __init__(self, longest: int, asked: Sequence[BaseMessage] = ()) -> None:
        self._longest = longest
        self._tags = {tag for message in asked for tag in _TAG.findall(message.text)}
        self._length = 0
        self._line = ""
        self._lines: Counter[str] = Counter()
        self._held = ""
        self._begun = False
        self._fenced = False
        self._copied = 0
        self.is_echo = False
        """Whether it is what the model was told, and no report."""

    def feed(self, piece: str) -> str:
        """Take a piece; return what is known to belong to the report by now, possibly nothing."""
        self._held += piece
        if not self._begun and not self._begins():
            return ""
        if not self._fenced:
            return self._take(len(self._held))
        return self._take(max(0, len(self._held) - _LONGEST_ENDING))

    @property
    def is_endless(self) -> bool:
        """Whether the model repeats itself or writes without end, as weak ones do."""
        return self._length > self._longest or (self._lines.total() > 0 and max(self._lines.values()) >= _TOO_OFTEN)

    def end(self) -> str:
        """Return what was held back, now that nothing follows."""
        if not self._begun and (_THOUGHT_BEGINS in self._held or not self._held.strip()):
            return ""
        return _FENCE_ENDS.sub("\n", self._held) if self._fenced else self._take(len(self._held))

    def _begins(self) -> bool:
        """Look for the report's first letter, and drop what stands before it."""
        text = self._held.lstrip()
        if text.startswith(_THOUGHT_BEGINS):
            _, ended, text = text.partition(_THOUGHT_ENDS)
            if not ended:
                return False
            self._held = text = text.lstrip()
        fence = _FENCE_BEGINS.match(text)
        may_grow = len(text) < _LONGEST_OPENING and (
            _THOUGHT_BEGINS.startswith(text) or (text.startswith("`") and not fence)
        )
        if not text or may_grow:
            return False
        self._fenced = fence is not None
        self._held = text[fence.end() :] if fence else text
        self._begun = True
        return True

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._length += len(taken)
        *lines, last = (self._line + taken).split("\n")
        self._copied += sum(_EVIDENCE_LINE.match(line) is not None for line in lines)
        is_told = not self._tags.isdisjoint(line.strip() for line in lines)
        self.is_echo = self.is_echo or is_told or self._copied >= _COPIED
        said = [sentence for line in lines if not line.startswith("|") for sentence in _STOP.split(line)]
        *whole, self._line = [last] if last.startswith("|") else _STOP.split(last)
        self._lines.update(one for one in (*said, *whole) if len(one) >= _TELLING)
        return taken


_PAGE_CHARACTERS = 3_000
_PATIENCE = 4
"""A report so many times longer than it was asked to be is not going to end."""
_WHOLE = ("stop", "end_turn")
"""How providers say that an answer is complete."""


class ReportFrame(BaseModel):
    """What stands around the sections."""

    title: str
    opening: str
    conclusion: str
    disagreements: list[str]
    repeated: list[str]


class Writing(answers.Asking):
    """The report, written from evidence alone."""

    async def write(self, request: ReportRequest) -> AsyncGenerator[str]:
        """Yield the report, or the one section that is asked for, in pieces that are not empty, one at least.

        Raises:
            ContextOverflow: the evidence does not fit the model's window.
            UnusableAnswer: the model wrote nothing, what it was told, or its answer was cut.
            ModelError: the call failed, before the first piece or between two.
        """
        models = self._models
        pages = core.PAGES[core.length_of(request.brief)].most * (request.part.share if request.part else 1)
        longest = round(max(1, pages) * _PAGE_CHARACTERS * _PATIENCE)
        asked = report_messages(request)
        stream, finish, empty = ReportStream(longest, asked), "", True
        async with aclosing(models.stream(request.role, asked)) as pieces:
            async for message in pieces:
                finish = finish_of(message) or finish
                if text := stream.feed(message.text):
                    empty = False
                    yield text
                if stream.is_echo:
                    break
                if stream.is_endless:
                    finish = "the model repeated itself"
                    break
        if text := stream.end():
            empty = False
            yield text
        name = models.names[request.role]
        if empty or stream.is_echo:
            written = "empty report" if empty else "the model repeated what it was told"
            raise core.UnusableAnswer("model_unusable", f"{name}: {written}")
        ended = finish in _WHOLE or (not finish and models.provider(request.role) != OPENAI)
        if not ended:
            raise core.UnusableAnswer("answer_cut", f"{name}: {finish or 'the stream ended early'}")

    async def frame(self, request: FrameRequest) -> Frame:
        """Write what stands around the sections; sentences that do not exist are not named as told twice."""
        brief, outline = request.brief, request.outline
        plan = [_plan_text(core.Outline(purpose=outline.purpose, conclusion=outline.conclusion))] if outline else []
        told = "\n".join(f"S{number}: {answers.one_line(text)}" for number, text in enumerate(request.sentences, 1))
        asked = "\n\n".join([answers.brief_block(brief), *plan, f"<sentences>\n{told}\n</sentences>"])
        instructed = answers.instructions("frame", brief, request.today, manner=answers.manner(brief))
        answer = await self.ask(request.role, instructed, asked, ReportFrame, tokens=core.ANSWER_TOKENS[request.role])
        named = (int(digits) - 1 for name in answer.repeated for digits in re.findall(r"\d+", name)[:1])
        repeated = tuple(place for place in named if request.is_whole and 0 <= place < len(request.sentences))
        return Frame(
            answers.one_line(answer.title), answer.opening, answer.conclusion, tuple(answer.disagreements), repeated
        )


_EXCERPTS = 5
_TOPIC = 240
"""Characters of a topic that a page is asked for: it says what it is about in its beginning."""
_ID_TOKENS = 8
"""Tokens of an id in a list."""
_FEWEST_QUOTES = 8
"""Quotes below which an answer is not worth trying."""
_NUMBER = re.compile(r"\d+")
_VERDICTS = {"yes": "supported", "partly": "partial", "no": "unsupported"}


class PageReport(BaseModel):
    """What a page says about a question."""

    summary: str
    key_excerpts: list[str]


class CompressionAnswer(BaseModel):
    """Which quotes to keep."""

    keep: list[str]
    notes: str


class WrittenAnswer(BaseModel):
    """What the quotes say on the question."""

    answer: str
    answered: str
    missing: str = Field(default_factory=str)


class SentenceRepair(BaseModel):
    """What to do with one sentence."""

    sentence: str
    action: str
    text: str
    ids: list[str]


class Repairs(BaseModel):
    """What to do with each sentence."""

    repairs: list[SentenceRepair]


class SentenceReading(BaseModel):
    """What a passage says of one sentence."""

    sentence: str
    id: str
    passage: str
    says: str


class Readings(BaseModel):
    """What was read of each sentence."""

    readings: list[SentenceReading]


def _wanted(request: protocol.PageRequest) -> list[str]:
    """Return what is wanted of a page: the question, and the topics of which it speaks."""
    topics = (answers.cut(answers.one_line(topic), _TOPIC) for topic in request.topics)
    return [f"<question>\n{request.question}\n</question>", *(f"<topic>\n{topic}\n</topic>" for topic in topics)]


_WORKED_OUT = "What was asked of its tables is worked out from their rows"


def _of_rows(request: protocol.PageRequest, queries: tuple[core.RowQuery, ...]) -> protocol.PageSummary:
    """Return the rows that stand for what a data file comes to as its quotes; what its cells say is a stranger's."""
    asked = question_parts(request.question)
    rows, points = tuple(dict.fromkeys(_operands(request.page, asked, queries))), asked.points
    # Of several things asked it is not known which ones they answer.
    answered = dict.fromkeys(rows, points) if len(points) == 1 else {}
    return protocol.PageSummary(f"{_WORKED_OUT} ({len(queries)}).", rows, answers=answered, queries=queries)


class Reading(answers.Asking):
    """What is read by a model. Prompts that hold words of a page can do nothing but answer."""

    async def summarise(self, request: protocol.PageRequest) -> protocol.PageSummary:
        """Summarise a page and quote it.

        Raises:
            UnusableAnswer: the summary is empty.
        """
        queries: tuple[core.RowQuery, ...] = ()
        is_document = request.page.kind is core.SourceKind.DOCUMENT
        if is_document and await asyncio.to_thread(tables.is_worth_asking, request.page):
            queries = await self._asked_of_rows(request)
            if queries and tables.is_nothing_else(request.page):
                return await asyncio.to_thread(_of_rows, request, queries)
        limits = request.limits
        # What is the same for every page of a run comes first, so that the provider need not read it again.
        asked = [*_wanted(request), _page(request.text, request.page.sha256)]
        told = answers.system(prompts.load("summarise").fill(words=limits.summary_words))
        seconds = limits.summary_seconds
        report = await self.ask(Role.SUMMARIZATION, told, "\n\n".join(asked), PageReport, seconds=seconds)
        if not report.summary:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.SUMMARIZATION]}: empty summary")
        excerpts = tuple(dict.fromkeys(report.key_excerpts))[:_EXCERPTS]
        # What can be computed is computed by the program: models err in sums.
        rows = await asyncio.to_thread(_operands, request.page, question_parts(request.question), queries)
        return protocol.PageSummary(report.summary, tuple(dict.fromkeys((*excerpts, *rows))), queries=queries)

    async def _asked_of_rows(self, request: protocol.PageRequest) -> tuple[core.RowQuery, ...]:
        """Return what a model asks of the tables of a data file, as far as they tell it."""
        page, said = request.page, "\n".join((request.question, *request.topics))
        columns = await asyncio.to_thread(tables.described, page, said)
        today = [f"<today>\n{day}\n</today>"] if (day := self._day_of(request)) else []
        asked = "\n\n".join([*today, *_wanted(request), _page(columns, page.sha256)])
        told, seconds = answers.system(prompts.load("ask_tables").fill()), request.limits.summary_seconds
        try:
            found = await self.ask(Role.SUMMARIZATION, told, asked, tables.TableQueries, seconds=seconds)
        except UnusableAnswer:
            return ()
        return await asyncio.to_thread(tables.asked_of, page, found.queries, said)

    def summary_key(self, request: protocol.PageRequest) -> tuple[str, ...]:
        """Return all that changes a summary besides the page: model, prompt, its parameters and the question.

        Topics are the question's own parts, worded anew in every run: they do not void what was paid for.
        """
        words, may_hold_tables = str(request.limits.summary_words), request.page.kind is SourceKind.DOCUMENT
        hashes = [prompts.load(name).hash for name in ("summarise", "ask_tables")[: 1 + may_hold_tables]]
        day = [one for one in [self._day_of(request)] if may_hold_tables and one]
        return self._models.identity(Role.SUMMARIZATION), *hashes, words, request.question, *day

    def _day_of(self, request: protocol.PageRequest) -> str:
        """Return today's date where the question speaks of last month, say: what was asked then is asked anew."""
        return self._today.isoformat() if is_of_today(request.question) else ""

    async def compress(self, findings: protocol.Findings) -> protocol.Compression:
        """Choose the evidence worth keeping; what does not fit the model's window is looked at in halves.

        Raises:
            UnusableAnswer: the answer names no evidence that exists.
        """
        try:
            return await self._compress(findings)
        except ContextOverflow:
            if len(findings.evidence) < 2:
                raise
        middle = len(findings.evidence) // 2
        halves = []
        for evidence in (findings.evidence[:middle], findings.evidence[middle:]):
            part = replace(findings, evidence=evidence, note_tokens=max(1, findings.note_tokens // 2))
            halves.append(await self.compress(part))
        return protocol.Compression(
            keep=tuple(name for half in halves for name in half.keep),
            notes="\n".join(half.notes for half in halves if half.notes),
        )

    async def _compress(self, findings: protocol.Findings) -> protocol.Compression:
        language = answers.language_name(findings.brief.language)
        length = answers.note_length(findings.note_tokens, findings.brief.language)
        told = answers.instructions("compress", findings.brief, self._today, length=length)
        lines = "\n".join(answers.evidence_lines(findings.evidence, findings.pages))
        asked = f"<topic>\n{findings.topic}\n</topic>\n\n<quotes>\n{lines}\n</quotes>\n\nWrite the notes in {language}."
        # Small models count on behind the last id until somebody stops them.
        tokens = len(findings.evidence) * _ID_TOKENS + 2 * findings.note_tokens
        selection = await self.ask(Role.COMPRESSION, told, asked, CompressionAnswer, tokens=tokens)
        keep = answers.known_ids(selection.keep, findings.evidence)
        if not keep:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.COMPRESSION]}: no known id is kept")
        question = question_parts(findings.brief.question)

        def rows_of(page: Page) -> list[str]:
            return _operands(page, question, findings.queries.get(page.id, ()))

        held = [(page.id, await asyncio.to_thread(rows_of, page)) for page in findings.pages.values()]
        rows = {(name, quote) for name, quotes in held for quote in quotes}
        needed = (one.id for one in findings.evidence if (one.source, one.quote) in rows)
        return protocol.Compression(tuple(dict.fromkeys((*keep, *needed))), selection.notes)

    async def answer(self, request: protocol.AnswerRequest) -> protocol.Answer:
        """Answer a question about a finished report from its evidence alone, the nearest to the question."""

        async def answer(shown: int) -> protocol.Answer:
            entries = islice(request.evidence.values(), shown)
            quotes = "\n".join(answers.evidence_lines(entries, request.pages, titled=True))
            told = answers.instructions("answer", request.brief, request.today)
            asked = (
                f"<research>\n{answers.one_line(request.brief.question)}\n</research>\n\n<evidence>\n{quotes}\n</evidence>"
                f"\n\n<question>\n{answers.one_line(request.question)}\n</question>"
            )
            written = await self.ask(Role.FINAL_REPORT, told, asked, WrittenAnswer)
            is_answered = written.answered.strip().lower() == "yes"
            return protocol.Answer(written.answer.strip(), is_answered, answers.one_line(written.missing))

        return await _halving(answer, len(request.evidence), _FEWEST_QUOTES + 1)

    async def repair(self, request: protocol.RepairRequest) -> tuple[protocol.Repair, ...]:
        """Say how weak sentences of the report can be repaired; what names no sentence of the request is left out."""
        told = answers.instructions("repair", request.brief, request.today)
        listed = "\n\n".join(_weak(number, sentence, request) for number, sentence in enumerate(request.sentences, 1))
        asked = f"<sentences>\n{listed}\n</sentences>\n\nReturn one entry for each sentence."
        answer = await self.ask(Role.FINAL_REPORT, told, asked, Repairs)
        found = {read.sentence: read for entry in answer.repairs if (read := _repair(entry, request)) is not None}
        return tuple(found.values())

    async def judge(self, sentences: Sequence[protocol.OpenSentence]) -> tuple[protocol.Reading, ...]:
        """Say what the passages bear out of sentences, all in one call; those that exceed the window are left out.

        Answers that name no sentence or no passage of it are left out too.
        """

        async def judge(shown: int) -> tuple[protocol.Reading, ...]:
            listed = "\n\n".join(_open(number, sentence) for number, sentence in enumerate(sentences[:shown], 1))
            told = answers.system(prompts.load("judge").fill(today=self._today.isoformat()))
            answer = await self.ask(Role.SUMMARIZATION, told, listed, Readings)
            model, found = self._models.names[Role.SUMMARIZATION], {}
            for entry in answer.readings:
                position, says = _position(entry.sentence), entry.says.strip().lower()
                evidence = next((f"E{int(digits)}" for digits in _NUMBER.findall(entry.id)), "")
                is_asked = 0 <= position < shown and evidence in sentences[position].passages
                if is_asked and entry.passage and says in _VERDICTS:
                    found[position] = protocol.Reading(position, evidence, entry.passage, _VERDICTS[says], model)
            return tuple(found.values())

        return await _halving(judge, len(sentences), 2)


T = TypeVar("T")


async def _halving(ask_of: Callable[[int], Awaitable[T]], shown: int, least: int) -> T:
    """Return what is answered to so many entries; while they do not fit the window and are `least`, to half of them."""
    while True:
        try:
            return await ask_of(shown)
        except ContextOverflow:
            if shown < least:
                raise
            shown //= 2


def _page(text: str, digest: str) -> str:
    """Return words of a page between marks with their own hash: no text can contain it, and so none can end itself."""
    mark = f"page-{digest[:16]}"
    return f"<{mark}>\n{text}\n</{mark}>"


def _position(name: str) -> int:
    """Return the position of a sentence by its name, `S1` for 0; -1 if it is none."""
    number = _NUMBER.search(name)
    return int(number[0]) - 1 if number else -1


def _weak(number: int, sentence: protocol.WeakSentence, request: protocol.RepairRequest) -> str:
    row = " (row of a table)" if sentence.is_row else ""
    cites = ", ".join(sentence.cited) or "nothing"
    lines = [
        f"S{number}{row}: {answers.one_line(sentence.text)}",
        f"Cites: {cites}. Found: {answers.one_line(sentence.reason)}.",
    ]
    candidates = (request.evidence[name] for name in sentence.candidates)
    return "\n".join([*lines, *answers.evidence_lines(candidates, request.pages)])


def _repair(entry: SentenceRepair, request: protocol.RepairRequest) -> protocol.Repair | None:
    """Return what an entry asks for, or None if it asks for nothing that can be done."""
    position, action = _position(entry.sentence), entry.action.strip().lower()
    if not 0 <= position < len(request.sentences):
        return None
    sentence = request.sentences[position]
    named = dict.fromkeys(f"E{int(digits)}" for item in entry.ids for digits in _NUMBER.findall(item))
    ids = tuple(name for name in named if name in sentence.candidates)
    if action == "drop":
        return protocol.Repair(position, "", ())
    text = {"cite": sentence.text, "reword": entry.text}.get(action)
    return protocol.Repair(position, text, ids) if text and ids else None


def _open(number: int, sentence: protocol.OpenSentence) -> str:
    lines = [f"S{number}: {answers.one_line(sentence.text)}"]
    for name, text in sentence.passages.items():
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        lines.append(f"[{name}]\n{_page(text, digest)}")
    return "\n".join(lines)
