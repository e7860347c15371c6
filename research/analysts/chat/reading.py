"""Pages summarised, findings compressed, sentences judged and repaired, questions answered by a chat model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from pydantic import BaseModel, Field

from research import prompts
from research.analysts import protocol
from research.analysts.chat import answers
from research.core import ContextOverflow, Role, UnusableAnswer

_EXCERPTS = 5
_TOPIC = 240
"""Characters of a topic that a page is asked for: it says what it is about in its beginning."""
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


class Reading(answers.Asking):
    """What is read by a model. Prompts that hold words of a page can do nothing but answer."""

    async def summarise(self, request: protocol.PageRequest) -> protocol.PageSummary:
        """Summarise a page and quote it.

        Raises:
            UnusableAnswer: the summary is empty.
        """
        limits = request.limits
        # What is the same for every page of a run comes first, so that the provider need not read it again.
        asked = [
            f"<question>\n{request.question}\n</question>",
            *(f"<topic>\n{answers.cut(answers.one_line(topic), _TOPIC)}\n</topic>" for topic in request.topics),
            _page(request.text, request.page.sha256),
        ]
        told = answers.system(prompts.load("summarise").fill(words=limits.summary_words))
        seconds = limits.summary_seconds
        report = await self._ask(Role.SUMMARIZATION, told, "\n\n".join(asked), PageReport, seconds=seconds)
        if not report.summary:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.SUMMARIZATION]}: empty summary")
        return protocol.PageSummary(report.summary, tuple(dict.fromkeys(report.key_excerpts))[:_EXCERPTS])

    def summary_key(self, request: protocol.PageRequest) -> tuple[str, ...]:
        """Return all that changes a summary besides the page: model, prompt, its parameters and the question.

        Topics are the question's own parts, worded anew in every run: they do not void what was paid for.
        """
        words = str(request.limits.summary_words)
        return self._models.identity(Role.SUMMARIZATION), prompts.load("summarise").hash, words, request.question

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
        lines = "\n".join(answers.evidence_line(entry, findings.pages) for entry in findings.evidence)
        asked = f"<topic>\n{findings.topic}\n</topic>\n\n<quotes>\n{lines}\n</quotes>\n\nWrite the notes in {language}."
        selection = await self._ask(Role.COMPRESSION, told, asked, CompressionAnswer)
        keep = answers.known_ids(selection.keep, findings.evidence)
        if not keep:
            raise UnusableAnswer("model_unusable", f"{self._models.names[Role.COMPRESSION]}: no known id is kept")
        return protocol.Compression(keep, selection.notes)

    async def answer(self, request: protocol.AnswerRequest) -> protocol.Answer:
        """Answer a question about a finished report from its evidence alone, the nearest to the question."""

        async def answer(shown: int) -> protocol.Answer:
            entries = islice(request.evidence.values(), shown)
            quotes = "\n".join(answers.evidence_line(entry, request.pages, titled=True) for entry in entries)
            told = answers.instructions("answer", request.brief, request.today)
            asked = (
                f"<research>\n{answers.one_line(request.brief.question)}\n</research>\n\n<evidence>\n{quotes}\n</evidence>"
                f"\n\n<question>\n{answers.one_line(request.question)}\n</question>"
            )
            written = await self._ask(Role.FINAL_REPORT, told, asked, WrittenAnswer)
            is_answered = written.answered.strip().lower() == "yes"
            return protocol.Answer(written.answer.strip(), is_answered, answers.one_line(written.missing))

        return await _halving(answer, len(request.evidence), _FEWEST_QUOTES + 1)

    async def repair(self, request: protocol.RepairRequest) -> tuple[protocol.Repair, ...]:
        """Say how weak sentences of the report can be repaired; what names no sentence of the request is left out."""
        told = answers.instructions("repair", request.brief, request.today)
        listed = "\n\n".join(_weak(number, sentence, request) for number, sentence in enumerate(request.sentences, 1))
        asked = f"<sentences>\n{listed}\n</sentences>\n\nReturn one entry for each sentence."
        answer = await self._ask(Role.FINAL_REPORT, told, asked, Repairs)
        found = {read.sentence: read for entry in answer.repairs if (read := _repair(entry, request)) is not None}
        return tuple(found.values())

    async def judge(self, sentences: Sequence[protocol.OpenSentence]) -> tuple[protocol.Reading, ...]:
        """Say what the passages bear out of sentences, all in one call; those that exceed the window are left out.

        Answers that name no sentence or no passage of it are left out too.
        """

        async def judge(shown: int) -> tuple[protocol.Reading, ...]:
            listed = "\n\n".join(_open(number, sentence) for number, sentence in enumerate(sentences[:shown], 1))
            told = answers.system(prompts.load("judge").fill(today=self._today.isoformat()))
            answer = await self._ask(Role.SUMMARIZATION, told, listed, Readings)
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
    return "\n".join(
        [*lines, *(answers.evidence_line(request.evidence[name], request.pages) for name in sentence.candidates)]
    )


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
