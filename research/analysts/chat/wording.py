"""How models are told of a brief, a topic, a plan and of evidence: foreign text on one line, behind its id."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from langchain_core.messages import SystemMessage

from research import prompts
from research.analysts.chat.answers import one_line, system
from research.analysts.protocol import ResearcherView
from research.core import PRESETS, Age, Brief, Evidence, Page, Section, Summary, freshness
from research.language import Language
from research.text import parts_of, question_parts

_MARK = re.compile(r"\[(?=\s*E\s?\d)", re.IGNORECASE)
_LANGUAGES = {Language.EN: "English", Language.JA: "Japanese (written style, である調)"}


def instructions(prompt: str, brief: Brief, today: date, **values: object) -> SystemMessage:
    """Return what a model is told of its work: a prompt filled with the day, the report's language and `values`."""
    filled = prompts.load(prompt).fill(today=today.isoformat(), language=language_name(brief.language), **values)
    return system(filled)


def language_name(language: Language) -> str:
    """Return the language as a prompt names it."""
    return _LANGUAGES[language]


def note_length(tokens: int, language: Language) -> str:
    """Return a length in tokens as a model can keep to it: in words, or in characters where words have no ends."""
    # A token is about three quarters of an English word, and about one Japanese character.
    about = f"{tokens} characters" if language is Language.JA else f"{tokens * 3 // 4} words"
    return f"about {tokens} tokens long ({about})"


def constraints(brief: Brief) -> str:
    """Return what the brief sets a researcher, one line each; what is open is left out."""
    lines = {
        "Information": brief.period and brief.period.words.en,
        "Region": brief.region and brief.region.words.en,
        "Look in": ", ".join(source.words.en for source in brief.sources),
        "Do not research": "; ".join(brief.exclusions),
        "Prefer these sites": ", ".join(brief.preferred_sites),
        "House terms": _glossary(brief),
    }
    return "\n".join(named_lines(lines)) or "None."


def assignment(view: ResearcherView) -> str:
    """Return what a researcher is to find out: its topic, the section of the plan that this is, and its limits."""
    parts = {"topic": view.topic}
    if view.section is not None:
        parts["section"] = "\n".join([f"Title: {view.section.title}", *section_lines(view.section)])
    parts["limits"] = constraints(view.brief)
    return "\n\n".join(f"<{name}>\n{said}\n</{name}>" for name, said in parts.items())


def section_lines(section: Section) -> list[str]:
    """Return what a section of the plan is about, one line each; its title is left to whoever shows it."""
    return named_lines(
        {
            "Focus": section.focus,
            "Key questions": "; ".join(section.questions),
            "Required": "; ".join(section.needs),
        }
    )


def named_lines(lines: Mapping[str, str | None]) -> list[str]:
    """Return `name: text` for each text that is not empty, on one line."""
    return [f"{name}: {one_line(said)}" for name, said in lines.items() if said]


def asked_block(brief: Brief) -> str:
    """Return the parts of the question for whoever plans, decides or writes."""
    asked = question_parts(brief.question)
    lines = [f"{number}. {one_line(str(part))}" for number, part in enumerate(parts_of(brief.question), start=1)]
    when = ", ".join((*asked.years, *asked.months))
    more = named_lines({"Period": when, "To be done": asked.operation.label.en})
    return prompts.load("asked").fill(parts="\n".join([*lines, *more]))


def computed(view: ResearcherView) -> str:
    """Return what the program counted of what was found; empty before the first search."""
    if view.assessment is None:
        return ""
    return f"<computed>\n{view.assessment.in_words(view.brief.language)}\n</computed>"


def manner(brief: Brief) -> str:
    """Return how the report is to be written, one line each; what the brief leaves open, its preset decides."""
    preset = PRESETS[brief.preset]
    summary = brief.summary or preset.summary
    lines = {
        "Form": (brief.form or preset.form).words.en,
        "Length": (brief.length or preset.length).words.en,
        "Executive summary": "none" if summary is Summary.NONE else summary.words.en,
        "Tone": (brief.tone or preset.tone).words.en,
        "Readers": brief.audience.words.en if brief.audience else "not named: write for an informed outsider",
        "House terms (use them as given)": _glossary(brief),
    }
    return "\n".join(f"- {line}" for line in named_lines(lines))


def evidence_line(
    evidence: Evidence, pages: Mapping[str, Page], *, titled: bool = False, today: date | None = None
) -> str:
    """Return evidence as `[E12] "quote" (site, date)`, on one line whatever the quote holds.

    Args:
        evidence: The evidence.
        pages: Pages by id; the one that is quoted is among them.
        titled: Name the page's title too.
        today: If given, evidence of the last three months is marked `recent`.
    """
    page = pages[evidence.source]
    dated = page.published or "undated"
    recent = ", recent" if today and freshness(page.published, today).age is Age.RECENT else ""
    title = f" — {_quoted(page.title)}" if titled and page.title.strip() else ""
    return f'[{evidence.id}] "{_quoted(evidence.quote)}"{title} ({_quoted(page.site)}, {dated}{recent})'


def _quoted(text: str) -> str:
    """Return foreign text on one line, without anything that could pass for the mark of an entry."""
    return _MARK.sub("(", one_line(text))


def _glossary(brief: Brief) -> str:
    return "; ".join(f"{term} = {meaning}" for term, meaning in brief.glossary.items())
