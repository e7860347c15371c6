"""The report as one Markdown file: the text with numbers, its sources with their quotes, what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Required, TypedDict, Unpack

from research.core.brief import Brief
from research.core.citations import Cited, render_marks
from research.core.errors import explain
from research.core.ledger import Evidence, Page, Sentence
from research.export.citing import definitions, is_linkable, kept_apart, number_marks, source_facts
from research.export.contradictions_markdown import contradictions_markdown
from research.export.document import PartKind
from research.export.sections import legend, planned_text
from research.export.trail_markdown import trail_markdown
from research.export.verification import left_out_section, verification
from research.language import Bilingual, Language, bracketed
from research.results.proof import Remark, concentration
from research.results.record import LeftOut, Problem, Trail
from research.text.markdown import escape_markdown
from research.verification.labels import Contradiction

_SOURCES = Bilingual("Sources", "情報源")
_LIMITS = Bilingual("Limits of this report", "このレポートの限界")
_NAMED_AT_MOST = 5
_SEPARATOR = Bilingual("; ", "、")
_MORE = Bilingual(" and {count} more", "ほか{count}件")


class Printed(TypedDict, total=False):
    """What `markdown_parts` prints besides the text and its pages."""

    brief: Required[Brief]
    byline: Required[str]
    evidence: Required[Mapping[str, Evidence]]
    problems: Required[Sequence[Problem]]
    today: Required[date]
    sentences: Sequence[Sentence]
    left_out: Sequence[LeftOut]
    contradictions: Sequence[Contradiction]
    trail: Trail | None


def to_markdown(cited: Cited, *, pages: Mapping[str, Page], **more: Unpack[Printed]) -> str:
    """Return the whole report.

    Citations are written `[1]`; being defined at the end of the file, each is also a link to its source.
    """
    parts = markdown_parts(cited, pages=pages, **more)
    links = definitions((number, pages[page]) for page, number in cited.numbers.items())
    return "\n\n".join(part.strip() for part in (*parts.values(), links) if part.strip()) + "\n"


def markdown_parts(
    cited: Cited,
    *,
    pages: Mapping[str, Page],
    brief: Brief,
    byline: str,
    evidence: Mapping[str, Evidence],
    problems: Sequence[Problem],
    today: date,
    sentences: Sequence[Sentence] = (),
    left_out: Sequence[LeftOut] = (),
    contradictions: Sequence[Contradiction] = (),
    trail: Trail | None = None,
) -> dict[PartKind, str]:
    """Return the parts of a report in their order, empty ones included; all but the body begin with their heading.

    What stands behind the `sentences` is said if they are given, as is what was `left_out` of the report and where its
    sources contradict each other. `today` is the day of the research, which tells what is recent. With a `trail`, an
    appendix says how it was researched; a report that follows a plan names the sources of each section.
    """

    def numbers(ids: Sequence[str]) -> str:
        return number_marks(ids, cited, evidence)

    if trail is not None and trail.outline is not None:
        text = planned_text(cited, pages, evidence, today, brief.language)
        lead = [byline, legend(cited, pages, today, brief.language)]
    else:
        text, lead = kept_apart(render_marks(cited.draft, numbers)), [byline]
    return {
        PartKind.BODY: _headed(text, brief, lead),
        PartKind.CONTRADICTIONS: contradictions_markdown(contradictions, cited.numbers, brief.language, pages),
        PartKind.LEFT_OUT: left_out_section(left_out, numbers, brief.language),
        PartKind.LIMITS: _limits(problems, _concentration(sentences, evidence, pages), brief.language),
        PartKind.VERIFICATION: verification(sentences, numbers, brief.language),
        PartKind.SOURCES: _sources(cited, pages, evidence, brief.language, today),
        PartKind.TRAIL: trail_markdown(trail, pages, cited.numbers, brief.language) if trail is not None else "",
    }


def _headed(text: str, brief: Brief, lead: Sequence[str]) -> str:
    """Put the lines of the `lead` under the title, and a title where the analyst wrote none."""
    first, _, rest = text.lstrip().partition("\n")
    if not first.startswith("# "):
        first, rest = f"# {escape_markdown(' '.join(brief.question.split()))}", text
    return "\n\n".join([first.strip(), *(f"*{line}*" for line in lead if line), rest.strip()])


def _limits(problems: Sequence[Problem], remarks: Sequence[Remark], language: Language) -> str:
    """Say each kind of problem once, with what it happened to, and what is remarkable about the sources."""
    subjects: dict[str, list[str]] = {}
    for problem in problems:
        subjects.setdefault(problem.code, []).append(problem.subject)
    lines = [f"- {explain(code, language)}{_named(names, language)}" for code, names in subjects.items()]
    lines += [f"- {escape_markdown(remark.text.in_(language))}" for remark in remarks]
    if not lines:
        return ""
    return f"## {_LIMITS.in_(language)}\n\n" + "\n".join(lines)


def _concentration(
    sentences: Sequence[Sentence], evidence: Mapping[str, Evidence], pages: Mapping[str, Page]
) -> Sequence[Remark]:
    return concentration([one.evidence for one in sentences if one.verdict], evidence, pages)


def _named(subjects: Sequence[str], language: Language) -> str:
    named = [escape_markdown(subject) for subject in dict.fromkeys(subjects) if subject]
    if not named:
        return ""
    more = len(named) - _NAMED_AT_MOST
    shown = _SEPARATOR.in_(language).join(named[:_NAMED_AT_MOST])
    rest = _MORE.in_(language).format(count=more) if more > 0 else ""
    return bracketed("", shown + rest, language)


def _sources(
    cited: Cited, pages: Mapping[str, Page], evidence: Mapping[str, Evidence], language: Language, today: date
) -> str:
    if not cited.numbers:
        return ""
    entries = []
    for page_id, number in cited.numbers.items():
        page = pages[page_id]
        label = f"[{escape_markdown(page.title)}][{number}]" if is_linkable(page) else escape_markdown(page.title)
        quotes = (evidence[name] for name in cited.evidence if evidence[name].source == page_id)
        entries.append(f"{number}. {label} — {source_facts(page, quotes, today, language)}")
    return f"## {_SOURCES.in_(language)}\n\n" + "\n".join(entries)
