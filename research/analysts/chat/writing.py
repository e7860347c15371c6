"""The report written by a chat model: prompt, stream, reduction to the window."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from research import core, prompts
from research.analysts.chat import answers
from research.analysts.chat.models import finish_of
from research.analysts.chat.names import OPENAI
from research.analysts.protocol import Frame, FrameRequest, ReportRequest, SectionPart, TopicResult

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
        f"<brief>\n{request.brief_text}\n</brief>",
        answers.asked_block(request.brief),
        *([f"<plan>\n{_plan_text(request.outline)}\n</plan>"] if request.outline else []),
        f"<evidence>\n{evidence}\n</evidence>",
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
    evidence = [
        answers.evidence_line(entry, request.pages, titled=True, today=request.today)
        for entry in request.evidence.values()
    ]
    parts = [
        f"<question>\n{answers.one_line(brief.question)}\n</question>",
        "<section>\n" + "\n".join([*section, *others]) + "\n</section>",
        "<evidence>\n" + "\n".join(evidence) + "\n</evidence>",
        prompts.load("write_section_now").fill(language=language, example=next(iter(request.evidence), "E1")),
    ]
    return [told, answers.user("\n\n".join(parts))]


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
    for name in result.evidence:
        if name in request.evidence and name not in seen:
            seen.add(name)
            yield answers.evidence_line(request.evidence[name], request.pages, titled=True, today=request.today)


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
            UnusableAnswer: the model wrote nothing, or its answer was cut.
            ModelError: the call failed, before the first piece or between two.
        """
        models = self._models
        longest = core.PAGES[core.length_of(request.brief)].most * _PAGE_CHARACTERS * _PATIENCE
        stream, finish, empty = ReportStream(longest), "", True
        async with aclosing(models.stream(request.role, report_messages(request))) as pieces:
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
        name = models.names[request.role]
        if empty:
            raise core.UnusableAnswer("model_unusable", f"{name}: empty report")
        ended = finish in _WHOLE or (not finish and models.provider(request.role) != OPENAI)
        if not ended:
            raise core.UnusableAnswer("answer_cut", f"{name}: {finish or 'the stream ended early'}")

    async def frame(self, request: FrameRequest) -> Frame:
        """Write what stands around the sections; sentences that do not exist are not named as told twice."""
        brief, outline = request.brief, request.outline
        plan = [_plan_text(core.Outline(purpose=outline.purpose, conclusion=outline.conclusion))] if outline else []
        told = "\n".join(f"S{number}: {answers.one_line(text)}" for number, text in enumerate(request.sentences, 1))
        asked = "\n\n".join([f"<brief>\n{request.brief_text}\n</brief>", *plan, f"<sentences>\n{told}\n</sentences>"])
        instructed = answers.instructions("frame", brief, request.today, manner=answers.manner(brief))
        answer = await self._ask(request.role, instructed, asked, ReportFrame)
        named = (int(digits) - 1 for name in answer.repeated for digits in re.findall(r"\d+", name)[:1])
        repeated = tuple(place for place in named if request.is_whole and 0 <= place < len(request.sentences))
        return Frame(
            answers.one_line(answer.title), answer.opening, answer.conclusion, tuple(answer.disagreements), repeated
        )
