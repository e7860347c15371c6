"""What the writer of the report is told: manner, form, plan, and the evidence topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage

from research import prompts
from research.analysts.chat.messages import assistant, one_line, system, user
from research.analysts.chat.wording import evidence_line, language_name, manner, named_lines, section_lines
from research.analysts.protocol import ReportRequest, TopicResult
from research.conventions import KEY_FINDINGS
from research.language import Language
from research.length import PAGES, SIGNS_A_PAGE, WORDS_A_PAGE, in_words, length_of, pages_of
from research.outline import Outline
from research.presets import PresetName

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
        has=in_words(pages, pages, language),
        asked=in_words(*PAGES[length], language),
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
