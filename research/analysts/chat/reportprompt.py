"""What the writer of the report is told: manner, form, plan, and the evidence topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage

from research import prompts
from research.analysts.chat.messages import one_line, system, user
from research.analysts.chat.wording import evidence_line, language_name, manner, named_lines, section_lines
from research.analysts.protocol import ReportRequest, TopicResult
from research.language import Bilingual, Language
from research.outline import Outline
from research.presets import PresetName

_STRICTNESS = {PresetName.FACT_STRICT: "write_fact_strict", PresetName.INSIGHT: "write_insight"}
_KEY_FINDINGS = Bilingual("Key findings", "主な事実")


def report_messages(request: ReportRequest, topics: Sequence[Sequence[str]]) -> list[BaseMessage]:
    """Return the conversation that asks for the report; `topics` are the ids of the evidence of each result."""
    language = language_name(request.brief.language)
    instructions = prompts.load("write").fill(
        today=request.today.isoformat(),
        language=language,
        manner=manner(request.brief),
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
    return [system(instructions), user("\n\n".join(parts))]


def _structure(outline: Outline | None, language: Language) -> str:
    if outline is None:
        return prompts.load("write_free").fill()
    return prompts.load("write_outline").fill(key_findings=_KEY_FINDINGS.in_(language))


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
