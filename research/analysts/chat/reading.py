"""Read for others: summarise a page, and choose among quotes. These calls can do nothing but return an object."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from pydantic import BaseModel

from research import prompts
from research.analysts.chat.ids import known_ids
from research.analysts.chat.messages import system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.wording import evidence_line, language_name, note_length
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.errors import ContextOverflow, UnusableAnswer
from research.presets import Role

_EXCERPTS = 5


class PageReport(BaseModel):
    """What a page says about a question."""

    summary: str
    key_excerpts: list[str]


class Selection(BaseModel):
    """Which quotes to keep."""

    keep: list[str]
    notes: str


async def summarise(models: RoleModels, request: PageRequest) -> PageSummary:
    """Summarise a page and quote it.

    Raises:
        ModelError: the call failed, took too long, or brought nothing that can be used.
    """
    limits = request.limits
    # The page's own hash marks where it begins and ends: no page can contain its own hash.
    mark = f"page-{request.page.sha256[:16]}"
    messages = [
        system(prompts.load("summarise").fill(words=limits.summary_words)),
        user(f"<question>\n{request.question}\n</question>\n\n<{mark}>\n{request.text}\n</{mark}>"),
    ]
    report = await ask(models, Role.SUMMARIZATION, messages, PageReport, seconds=limits.summary_seconds)
    if not report.summary:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.SUMMARIZATION]}: empty summary")
    return PageSummary(report.summary, tuple(dict.fromkeys(report.key_excerpts))[:_EXCERPTS])


def summary_key(models: RoleModels, request: PageRequest) -> tuple[str, ...]:
    """Return all that changes a summary besides the page: model, prompt, its parameters and the question."""
    return (
        models.identity(Role.SUMMARIZATION),
        prompts.load("summarise").hash,
        str(request.limits.summary_words),
        request.question,
    )


async def compress(models: RoleModels, findings: Findings, today: date) -> Compression:
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
        halves.append(await compress(models, part, today))
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
    selection = await ask(models, Role.COMPRESSION, messages, Selection)
    keep = known_ids(selection.keep, findings.evidence)
    if not keep:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.COMPRESSION]}: no known id is kept")
    return Compression(keep, selection.notes)
