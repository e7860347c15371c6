"""A small run searches for what the evidence of a report does not answer, and what it finds joins the report."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace

from research.analysts.extractive.exclusions import is_excluded
from research.brief import Brief
from research.engine import Errand, RunResult, conduct
from research.graph.context import Journal, World
from research.graph.control import Control
from research.graph.remembering import RememberingJournal
from research.language import Bilingual, Language
from research.methods.names import MethodName
from research.presets import PRESETS, Limits, PresetName
from research.report import Report
from research.steering import BlockSite
from research.text.names import compared_in
from research.vocabulary import Length, OutputForm, Summary

_CONTEXT = Bilingual("This follows up on the question: {question}", "次の問いに続く質問です：{question}")
_SUBJECT = Bilingual("{question} ({names})", "{question}（{names}）")
_COMMA = Bilingual(", ", "、")
_LINE = 500
"""Characters of a line of a brief, at most."""
_QUERIES = 4
"""Queries of a small run, at most: one after the other, each for what the one before left open."""

OnFound = Callable[[Report], Awaitable[None]]
"""Takes what a small run found, before that run ends."""


def small_brief(question: str, brief: Brief, dropped: Sequence[str] = ()) -> Brief:
    """Return the brief of a small run for a question about the report of `brief`: short, one query after the other.

    The topics that were `dropped` from that report are not researched either, unless the question asks for one.
    """
    before = _CONTEXT.in_(brief.language).format(question=" ".join(brief.question.split()))
    return brief.model_copy(
        update={
            "question": _with_subject(question, brief.question, brief.language),
            "method": MethodName.CHAINED,
            "length": Length.PAGE,
            "form": OutputForm.POINTS,
            "summary": Summary.NONE,
            "exclusions": (*brief.exclusions, *_excluded(question, dropped)),
            "note": f"{brief.note}\n{before}".strip()[:8_000],
        }
    )


def _excluded(question: str, dropped: Sequence[str]) -> Iterator[str]:
    """Yield the dropped topics that a question does not name, each as a line of a brief."""
    for topic in dict.fromkeys(" ".join(one.split())[:_LINE].strip() for one in dropped):
        if topic and not is_excluded(question, Brief(question=question, exclusions=(topic,))):
            yield topic


def _with_subject(question: str, before: str, language: Language) -> str:
    """Return a question that names what it is about: if it names nothing, what the question before it named."""
    if compared_in(question):
        return question
    names = [name.ja if language is Language.JA else name.en for name in compared_in(before)]
    return (
        _SUBJECT.in_(language).format(question=question, names=_COMMA.in_(language).join(names)) if names else question
    )


def small_limits(preset: PresetName) -> Limits:
    """Return the limits of a small run."""
    limits = PRESETS[preset].limits
    return replace(limits, methods=replace(limits.methods, chain=min(limits.methods.chain, _QUERIES)))


async def search(
    run_id: str,
    brief: Brief,
    world: World,
    journal: Journal,
    control: Control,
    *,
    first: str,
    blocked: Sequence[str],
    on_found: OnFound,
) -> RunResult:
    """Research `brief`, a question about the report of the run `first`, and hand on what was found.

    Sites and collections that were `blocked` in that run are in this one, from its beginning.
    """
    for site in blocked:
        control.hear(BlockSite(site=site))
    heard = RememberingJournal(journal)
    result = await conduct(
        run_id, brief, world, heard, control, limits=small_limits(brief.preset), errand=Errand(follow_up_to=first)
    )
    report = Report(record=result.record, markdown=result.markdown, history=heard.events, pages=dict(result.pages))
    await on_found(report)
    return result
