"""The text of a planned report: recent facts are marked, and each section names its sources with their dates.

All of it is drawn from the citations when the report is printed. The draft stays as it is, so that the places of its
sentences stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from research.core.citations import RECENT_MARK, Cited, render_marks
from research.core.dates import Age, freshness
from research.core.ledger import Evidence, Page
from research.export.citing import kept_apart, number_marks, source_line
from research.language import Bilingual, Language

SOURCES_OF_SECTION = Bilingual("Sources of this section", "この章の情報源")
_LEGEND = Bilingual(
    f"{RECENT_MARK} and a date in bold: information of the last three months.",
    f"{RECENT_MARK}と太字の日付は、直近3か月の情報を示します。",
)
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s", re.MULTILINE)


def sections_of(draft: str) -> Iterator[str]:
    """Yield the draft in pieces: each section with its heading; what stands before the first, with the title.

    The title is a heading of the first level at the very beginning. Of the others, the highest level makes sections.
    """
    headings = list(_HEADING.finditer(draft))
    if headings and not draft[: headings[0].start()].strip() and len(headings[0][1]) == 1:
        del headings[0]
    level = min((len(heading[1]) for heading in headings), default=0)
    starts = [heading.start() for heading in headings if len(heading[1]) == level]
    for start, end in zip([0, *starts], [*starts, len(draft)], strict=True):
        if draft[start:end].strip():
            yield draft[start:end]


def planned_text(
    cited: Cited, pages: Mapping[str, Page], evidence: Mapping[str, Evidence], today: date, language: Language
) -> str:
    """Return the text with numbered citations, those of recent information marked, and sources under each section."""

    def marks(ids: Sequence[str]) -> str:
        numbers = number_marks(ids, cited, evidence).split()
        return " ".join(f"{number}{RECENT_MARK if number in recent else ''}" for number in numbers)

    recent = {f"[{number}]" for page, number in cited.numbers.items() if _is_recent(pages[page], today)}
    label = SOURCES_OF_SECTION.in_(language)
    parts = []
    for section in sections_of(cited.draft):
        named = [(number, pages[page]) for page, number in _cited_in(section, cited, evidence)]
        parts += [kept_apart(render_marks(section, marks)).strip(), source_line(label, named, today, language)]
    return "\n\n".join(part for part in parts if part)


def legend(cited: Cited, pages: Mapping[str, Page], today: date, language: Language) -> str:
    """Say what the marks of recent information mean, if there is any."""
    return _LEGEND.in_(language) if any(_is_recent(pages[page], today) for page in cited.numbers) else ""


def _cited_in(section: str, cited: Cited, evidence: Mapping[str, Evidence]) -> list[tuple[str, int]]:
    """Return the pages that a section cites with their numbers, by number."""
    found: set[str] = set()

    def note(ids: list[str]) -> str:
        found.update(evidence[name].source for name in ids)
        return ""

    render_marks(section, note)
    return [(page, number) for page, number in cited.numbers.items() if page in found]


def _is_recent(page: Page, today: date) -> bool:
    return freshness(page.published, today).age is Age.RECENT
