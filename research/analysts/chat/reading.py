"""Pages summarised, findings compressed, questions answered and sentences repaired by a chat model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

from pydantic import BaseModel, Field

from research import prompts
from research.analysts.chat.answers import ask, cut, known_ids, one_line, system, user
from research.analysts.chat.deciding import evidence_line, language_name, note_length
from research.analysts.chat.models import RoleModels
from research.analysts.protocol import (
    Answer,
    AnswerRequest,
    Compression,
    Findings,
    OpenSentence,
    PageRequest,
    PageSummary,
    Reading,
    Repair,
    RepairRequest,
    WeakSentence,
)
from research.core import ContextOverflow, Role, UnusableAnswer

_EXCERPTS = 5
_TOPIC = 240
"""Characters of a topic that a page is asked for: it says what it is about in its beginning."""


class PageReport(BaseModel):
    """What a page says about a question."""

    summary: str
    key_excerpts: list[str]


class CompressionAnswer(BaseModel):
    """Which quotes to keep."""

    keep: list[str]
    notes: str


async def ask_summary(models: RoleModels, request: PageRequest) -> PageSummary:
    """Summarise a page and quote it.

    Raises:
        ModelError: the call failed, took too long, or brought nothing that can be used.
    """
    limits = request.limits
    # The page's own hash marks where it begins and ends: no page can contain its own hash.
    mark = f"page-{request.page.sha256[:16]}"
    # What is the same for every page of a run comes first, so that the provider need not read it again.
    asked = [
        f"<question>\n{request.question}\n</question>",
        *(f"<topic>\n{cut(one_line(topic), _TOPIC)}\n</topic>" for topic in request.topics),
        f"<{mark}>\n{request.text}\n</{mark}>",
    ]
    messages = [system(prompts.load("summarise").fill(words=limits.summary_words)), user("\n\n".join(asked))]
    report = await ask(models, Role.SUMMARIZATION, messages, PageReport, seconds=limits.summary_seconds)
    if not report.summary:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.SUMMARIZATION]}: empty summary")
    return PageSummary(report.summary, tuple(dict.fromkeys(report.key_excerpts))[:_EXCERPTS])


def key_of_summary(models: RoleModels, request: PageRequest) -> tuple[str, ...]:
    """Return all that changes a summary besides the page: model, prompt, its parameters and the question.

    Topics are the question's own parts, worded anew in every run: they do not void what was paid for.
    """
    return (
        models.identity(Role.SUMMARIZATION),
        prompts.load("summarise").hash,
        str(request.limits.summary_words),
        request.question,
    )


async def ask_compression(models: RoleModels, findings: Findings, today: date) -> Compression:
    """Choose the evidence worth keeping; what does not fit the model's window is looked at in halves.

    Raises:
        UnusableAnswer: the answer names no evidence that exists.
        ModelError: the call failed.
    """
    try:
        return await _compress(models, findings, today)
    except ContextOverflow:
        if len(findings.evidence) < 2:
            raise
    middle = len(findings.evidence) // 2
    halves = []
    for evidence in (findings.evidence[:middle], findings.evidence[middle:]):
        part = replace(findings, evidence=evidence, note_tokens=max(1, findings.note_tokens // 2))
        halves.append(await ask_compression(models, part, today))
    return Compression(
        keep=tuple(name for half in halves for name in half.keep),
        notes="\n".join(half.notes for half in halves if half.notes),
    )


async def _compress(models: RoleModels, findings: Findings, today: date) -> Compression:
    language = language_name(findings.brief.language)
    length = note_length(findings.note_tokens, findings.brief.language)
    lines = "\n".join(evidence_line(entry, findings.pages) for entry in findings.evidence)
    messages = [
        system(prompts.load("compress").fill(today=today.isoformat(), language=language, length=length)),
        user(f"<topic>\n{findings.topic}\n</topic>\n\n<quotes>\n{lines}\n</quotes>\n\nWrite the notes in {language}."),
    ]
    selection = await ask(models, Role.COMPRESSION, messages, CompressionAnswer)
    keep = known_ids(selection.keep, findings.evidence)
    if not keep:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.COMPRESSION]}: no known id is kept")
    return Compression(keep, selection.notes)


_FEWEST = 8
"""Quotes below which an answer is not worth trying."""


class WrittenAnswer(BaseModel):
    """What the quotes say on the question."""

    answer: str
    answered: str
    missing: str = Field(default_factory=str)


async def ask_answer(models: RoleModels, request: AnswerRequest) -> Answer:
    """Answer the question. Evidence that does not fit the model's window is halved, the nearest to the question stay.

    Raises:
        ModelError: the call failed, or its answer cannot be read.
    """
    shown = len(request.evidence)
    while True:
        try:
            return await _answer(models, request, shown)
        except ContextOverflow:
            if shown <= _FEWEST:
                raise
            shown //= 2


async def _answer(models: RoleModels, request: AnswerRequest, shown: int) -> Answer:
    quotes = (evidence_line(entry, request.pages, titled=True) for entry in islice(request.evidence.values(), shown))
    instructions = prompts.load("answer").fill(
        today=request.today.isoformat(), language=language_name(request.brief.language)
    )
    asked = "\n\n".join(
        [
            f"<research>\n{one_line(request.brief.question)}\n</research>",
            "<evidence>\n" + "\n".join(quotes) + "\n</evidence>",
            f"<question>\n{one_line(request.question)}\n</question>",
        ]
    )
    written = await ask(models, Role.FINAL_REPORT, [system(instructions), user(asked)], WrittenAnswer)
    is_answered = written.answered.strip().lower() == "yes"
    return Answer(written.answer.strip(), is_answered, one_line(written.missing))


_NUMBER = re.compile(r"\d+")
_ID = re.compile(r"E?\s?(\d+)", re.IGNORECASE)


class SentenceRepair(BaseModel):
    """What to do with one sentence."""

    sentence: str
    action: str
    text: str
    ids: list[str]


class Repairs(BaseModel):
    """What to do with each sentence."""

    repairs: list[SentenceRepair]


async def ask_repair(models: RoleModels, request: RepairRequest) -> tuple[Repair, ...]:
    """Say how sentences can be repaired; answers that name no sentence of the request are left out.

    Raises:
        ModelError: the call failed, or its answer cannot be read.
    """
    language = language_name(request.brief.language)
    listed = "\n\n".join(_entry(number, sentence, request) for number, sentence in enumerate(request.sentences, 1))
    messages = [
        system(prompts.load("repair").fill(today=request.today.isoformat(), language=language)),
        user(f"<sentences>\n{listed}\n</sentences>\n\nReturn one entry for each sentence."),
    ]
    answer = await ask(models, Role.FINAL_REPORT, messages, Repairs)
    found = {read.sentence: read for entry in answer.repairs if (read := _read(entry, request)) is not None}
    return tuple(found.values())


def _entry(number: int, sentence: WeakSentence, request: RepairRequest) -> str:
    row = " (row of a table)" if sentence.is_row else ""
    cites = ", ".join(sentence.cited) or "nothing"
    lines = [f"S{number}{row}: {one_line(sentence.text)}", f"Cites: {cites}. Found: {one_line(sentence.reason)}."]
    return "\n".join([*lines, *(evidence_line(request.evidence[name], request.pages) for name in sentence.candidates)])


def _read(entry: SentenceRepair, request: RepairRequest) -> Repair | None:
    """Return what an entry asks for, or None if it asks for nothing that can be done."""
    number = _NUMBER.search(entry.sentence)
    position = int(number.group()) - 1 if number else -1
    if not 0 <= position < len(request.sentences):
        return None
    sentence = request.sentences[position]
    named = [f"E{int(digits)}" for item in entry.ids for digits in _ID.findall(item)]
    ids = tuple(name for name in dict.fromkeys(named) if name in sentence.candidates)
    action = entry.action.strip().lower()
    if action == "drop":
        return Repair(position, "", ())
    if action == "cite" and ids:
        return Repair(position, sentence.text, ids)
    if action == "reword" and ids and entry.text:
        return Repair(position, entry.text, ids)
    return None


_VERDICTS = {"yes": "supported", "partly": "partial", "no": "unsupported"}


class SentenceReading(BaseModel):
    """What a passage says of one sentence."""

    sentence: str
    id: str
    passage: str
    says: str


class Readings(BaseModel):
    """What was read of each sentence."""

    readings: list[SentenceReading]


async def ask_judgement(models: RoleModels, sentences: Sequence[OpenSentence], today: date) -> tuple[Reading, ...]:
    """Say what the passages bear out of sentences, all in one call; those that exceed the window are left out.

    Answers that name no sentence or no passage of it are left out too.

    Raises:
        ModelError: the call failed, or its answer cannot be read.
    """
    shown = len(sentences)
    while True:
        try:
            return await _judge(models, sentences[:shown], today)
        except ContextOverflow:
            if shown < 2:
                raise
            shown //= 2


async def _judge(models: RoleModels, sentences: Sequence[OpenSentence], today: date) -> tuple[Reading, ...]:
    listed = "\n\n".join(_asked(number, sentence) for number, sentence in enumerate(sentences, 1))
    messages = [system(prompts.load("judge").fill(today=today.isoformat())), user(listed)]
    answer = await ask(models, Role.SUMMARIZATION, messages, Readings)
    model, found = models.names[Role.SUMMARIZATION], {}
    for entry in answer.readings:
        number, name, says = _NUMBER.search(entry.sentence), _ID.search(entry.id), entry.says.strip().lower()
        position, evidence = int(number.group()) - 1 if number else -1, f"E{int(name[1])}" if name else ""
        is_asked = 0 <= position < len(sentences) and evidence in sentences[position].passages
        if is_asked and entry.passage and says in _VERDICTS:
            found[position] = Reading(position, evidence, entry.passage, _VERDICTS[says], model)
    return tuple(found.values())


def _asked(number: int, sentence: OpenSentence) -> str:
    lines = [f"S{number}: {one_line(sentence.text)}"]
    for name, text in sentence.passages.items():
        mark = f"page-{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]}"  # No text holds its own hash.
        lines.append(f"[{name}]\n<{mark}>\n{text}\n</{mark}>")
    return "\n".join(lines)
