"""Read for others: summarise a page, and choose among quotes. These calls can do nothing but return an object."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from pydantic import BaseModel

from research import prompts
from research.analysts.chat.messages import system, user
from research.analysts.chat.models import RoleModels
from research.analysts.chat.structured import ask
from research.analysts.chat.wording import evidence_line, language_name
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.errors import ContextOverflow, UnusableAnswer
from research.evidence import Evidence
from research.presets import Role

_EXCERPTS = 5
_LONGEST_RANGE = 200
"""Ids that one "E3-E7" may stand for; a longer one is a slip."""
_RANGE = re.compile(r"E\s?(\d+)\s*[-–~〜]\s*E?\s?(\d+)", re.IGNORECASE)
_MARKED = re.compile(r"E\s?(\d+)", re.IGNORECASE)
_BARE = re.compile(r"\W*(\d+)\W*")


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
        return await _compress(models, findings, findings.evidence, today)
    except ContextOverflow:
        if len(findings.evidence) < 2:
            raise
    middle = len(findings.evidence) // 2
    halves = []
    for evidence in (findings.evidence[:middle], findings.evidence[middle:]):
        part = Findings(findings.brief, findings.topic, evidence, findings.pages)
        halves.append(await compress(models, part, today))
    return Compression(
        keep=tuple(name for half in halves for name in half.keep),
        notes="\n".join(half.notes for half in halves if half.notes),
    )


async def _compress(models: RoleModels, findings: Findings, evidence: Sequence[Evidence], today: date) -> Compression:
    language = language_name(findings.brief.language)
    lines = "\n".join(evidence_line(entry, findings.pages) for entry in evidence)
    messages = [
        system(prompts.load("compress").fill(today=today.isoformat(), language=language)),
        user(f"<topic>\n{findings.topic}\n</topic>\n\n<quotes>\n{lines}\n</quotes>\n\nWrite the notes in {language}."),
    ]
    selection = await ask(models, Role.COMPRESSION, messages, Selection)
    named = {name for item in selection.keep for name in _ids(item)}
    keep = tuple(entry.id for entry in evidence if entry.id in named)
    if not keep:
        raise UnusableAnswer("model_unusable", f"{models.names[Role.COMPRESSION]}: no known id is kept")
    return Compression(keep, selection.notes)


def _ids(item: str) -> set[str]:
    """Return the ids that `item` names: `E12`, `[E12]`, `12`, `E3–E7`."""
    ranges = [range(int(first), int(last) + 1) for first, last in _RANGE.findall(item)]
    numbers = {number for span in ranges if len(span) <= _LONGEST_RANGE for number in span} | {
        int(number) for number in _MARKED.findall(item)
    }
    bare = _BARE.fullmatch(item)
    return {f"E{number}" for number in numbers | ({int(bare.group(1))} if bare else set())}
