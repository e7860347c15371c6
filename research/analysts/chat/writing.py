"""The report written by a chat model: prompt, stream, reduction to the window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing

from langchain_core.messages import BaseMessage

from research import prompts
from research.analysts.chat.answers import assistant, finish_of, one_line, system, user
from research.analysts.chat.deciding import (
    asked_block,
    evidence_line,
    language_name,
    manner,
    named_lines,
    section_lines,
)
from research.analysts.chat.models import RoleModels
from research.analysts.chat.names import OPENAI
from research.analysts.protocol import ProblemHandler, ReportRequest, TopicResult
from research.core import (
    KEY_FINDINGS,
    PAGES,
    SIGNS_A_PAGE,
    WORDS_A_PAGE,
    ContextOverflow,
    Evidence,
    Outline,
    PresetName,
    Role,
    Stage,
    UnusableAnswer,
    length_of,
    pages_of,
    range_in_words,
)
from research.language import Language


def reduce(topics: Sequence[Sequence[str]], evidence: Mapping[str, Evidence], total: int) -> list[list[str]]:
    """Return `topics` with at most `total` entries of evidence over all.

    Entries go from the end of whichever topic has most left. No source loses its last entry while another has two.

    Args:
        topics: Ids of evidence, topic by topic; what comes first matters most.
        evidence: Evidence by id.
        total: How many entries may stay.
    """
    kept = [list(topic) for topic in topics]
    of_source = Counter(evidence[name].source for topic in kept for name in topic)
    for _ in range(sum(map(len, kept)) - total):
        topic, position = _least(kept, evidence, of_source)
        of_source[evidence[topic.pop(position)].source] -= 1
    return kept


def _least(kept: list[list[str]], evidence: Mapping[str, Evidence], of_source: Counter[str]) -> tuple[list[str], int]:
    """Return where the entry stands that is missed least."""
    largest_first = sorted(kept, key=len, reverse=True)
    for topic in largest_first:
        for position in reversed(range(len(topic))):
            if of_source[evidence[topic[position]].source] > 1:
                return topic, position
    return largest_first[0], len(largest_first[0]) - 1


_STRICTNESS = {PresetName.FACT_STRICT: "write_fact_strict", PresetName.INSIGHT: "write_insight"}


def report_messages(request: ReportRequest, topics: Sequence[Sequence[str]]) -> list[BaseMessage]:
    """Return the conversation that asks for the report; `topics` are the ids of the evidence of each result."""
    language = language_name(request.brief.language)
    instructions = prompts.load("write").fill(
        today=request.today.isoformat(),
        language=language,
        manner=manner(request.brief),
        page_words=WORDS_A_PAGE,
        page_characters=SIGNS_A_PAGE,
        strictness=prompts.load(_STRICTNESS.get(request.brief.preset, "write_plain")).fill(),
        structure=_structure(request.outline, request.brief.language),
    )
    evidence = "\n\n".join(
        "\n".join(_topic_lines(request, result, ids)) for result, ids in zip(request.results, topics, strict=True)
    )
    example = next((name for ids in topics for name in ids), "E1")
    parts = [
        f"<brief>\n{request.brief_text}\n</brief>",
        asked_block(request.brief),
        *([f"<plan>\n{_plan_text(request.outline)}\n</plan>"] if request.outline else []),
        f"<evidence>\n{evidence}\n</evidence>",
        prompts.load("write_now").fill(language=language, example=example),
    ]
    asked = [system(instructions), user("\n\n".join(parts))]
    return [*asked, *_again(request, example)] if request.earlier else asked


def _again(request: ReportRequest, example: str) -> list[BaseMessage]:
    """Return what asks for the same report at another length, behind the report as it was written."""
    length, language = length_of(request.brief), request.brief.language
    pages = pages_of(request.earlier)
    how = "write_shorter" if pages > PAGES[length].most else "write_longer"
    words = prompts.load("write_length").fill(
        has=range_in_words(pages, pages, language),
        asked=range_in_words(*PAGES[length], language),
        how=prompts.load(how).fill(),
        example=example,
    )
    return [assistant(request.earlier), user(words)]


def _structure(outline: Outline | None, language: Language) -> str:
    if outline is None:
        return prompts.load("write_free").fill()
    return prompts.load("write_outline").fill(key_findings=KEY_FINDINGS.in_(language))


def _plan_text(outline: Outline) -> str:
    lines = named_lines({"Purpose": outline.purpose, "Introduction": outline.introduction})
    for section in outline.sections:
        lines += [f"## {one_line(section.title)}", *section_lines(section)]
    return "\n".join([*lines, *named_lines({"Conclusion": outline.conclusion})])


def _topic_lines(request: ReportRequest, result: TopicResult, ids: Sequence[str]) -> Iterator[str]:
    if result.section is not None:
        yield f"Section: {one_line(result.section.title)}"
    yield f"Topic: {one_line(result.topic)}"
    yield f"Notes: {one_line(result.notes) or 'none'}"
    for name in ids:
        yield evidence_line(request.evidence[name], request.pages, titled=True, today=request.today)


_THOUGHT_BEGINS, _THOUGHT_ENDS = "<think>", "</think>"
_FENCE_BEGINS = re.compile(r"```(?:markdown|md)?[ \t]*\n", re.IGNORECASE)
_FENCE_ENDS = re.compile(r"\n```\s*\Z")
_LONGEST_OPENING = len("```markdown \n")
_LONGEST_ENDING = 16
_TELLING = 24
"""Characters from which a line is not written again by chance. Rows of tables do not count."""
_TOO_OFTEN = 4


class ReportStream:
    """Takes pieces as they come and gives out text that belongs to the report.

    Args:
        longest: Characters from which a report is taken to be one that never ends.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._length = 0
        self._line = ""
        self._lines: Counter[str] = Counter()
        self._held = ""
        self._begun = False
        self._fenced = False

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
        *lines, self._line = (self._line + taken).split("\n")
        self._lines.update(line for line in lines if len(line) >= _TELLING and not line.startswith("|"))
        return taken


_REDUCTIONS = 4
_KEPT = 2 / 3
"""The share of the evidence that each reduction keeps."""
_PAGE_CHARACTERS = 3_000
_PATIENCE = 4
"""A report so many times longer than it was asked to be is not going to end."""
_WHOLE = ("stop", "end_turn")
"""How providers say that an answer is complete."""


async def ask_report(models: RoleModels, request: ReportRequest, on_problem: ProblemHandler) -> AsyncGenerator[str]:
    """Yield the report in pieces. Evidence that does not fit the model's window is reduced, and that is reported.

    Raises:
        UnusableAnswer: the model wrote nothing.
        ModelError: the call failed, before the first piece or between two.
    """
    topics = _evidence_by_topic(request)
    found = left = sum(map(len, topics))
    for tries_left in reversed(range(_REDUCTIONS + 1)):
        async with aclosing(_report(models, report_messages(request, topics), _longest(request), on_problem)) as pieces:
            try:
                first = await anext(pieces)
            except ContextOverflow:
                if not tries_left or left < 2:
                    raise
                left = int(left * _KEPT)
                topics = reduce(topics, request.evidence, left)
                continue
            if left < found:
                on_problem(Stage.WRITING, "context_overflow", subject=f"{left}/{found}")
            yield first
            async for piece in pieces:
                yield piece
            return


async def _report(
    models: RoleModels, messages: Sequence[BaseMessage], longest: int, on_problem: ProblemHandler
) -> AsyncGenerator[str]:
    """Yield the report in pieces that are not empty, one at least; say so if it was cut."""
    stream, finish, empty = ReportStream(longest), "", True
    async with aclosing(models.stream(Role.FINAL_REPORT, messages)) as pieces:
        async for message in pieces:
            finish = finish_of(message) or finish
            if text := stream.feed(message.text):
                empty = False
                yield text
            if stream.is_endless:
                finish = "the model repeated itself"
                break
    if text := stream.end():
        empty = False
        yield text
    name = models.names[Role.FINAL_REPORT]
    if empty:
        raise UnusableAnswer("model_unusable", f"{name}: empty report")
    ended = finish in _WHOLE or (not finish and models.provider(Role.FINAL_REPORT) != OPENAI)
    if not ended:
        on_problem(Stage.WRITING, "answer_cut", subject=name, detail=finish or "the stream ended early")


def _longest(request: ReportRequest) -> int:
    return PAGES[length_of(request.brief)].most * _PAGE_CHARACTERS * _PATIENCE


def _evidence_by_topic(request: ReportRequest) -> list[list[str]]:
    """Return the ids of the evidence of each topic, each once."""
    seen: set[str] = set()
    topics = []
    for result in request.results:
        topics.append(
            [name for name in dict.fromkeys(result.evidence) if name in request.evidence and name not in seen]
        )
        seen.update(topics[-1])
    return topics
