"""How long a report is, in the pages that a brief asks for.

A page is what a report's reader has in mind: 400 words, or 900 Japanese characters, of text with a few headings and
lists. What the program adds behind the text (verification, sources, how it was researched) is no part of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from research.brief import Brief
from research.citations import without_marks
from research.language import Bilingual, Language
from research.presets import PRESETS
from research.vocabulary import Length

WORDS_A_PAGE = 400
SIGNS_A_PAGE = 900
"""Chinese, Japanese and Korean characters."""
_HEADING = 20
"""Words that fit where a heading stands with the space around it."""
_LEAST = 12
"""Words that fit on the line that even the shortest point of a list, row or paragraph takes."""
_FAR = 1.25
"""A report is as long as it was asked to be if it is within the pages asked for, give or take this factor."""
_REWORKED_FROM = 1.5
"""The factor from which it is worth to have a report written again."""

_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:[.,'’:/%-][^\W_]+)*")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}[\s|:-]*$")
_ASKED_AND_HAS = Bilingual("asked for: {asked}; it has about {has}", "{asked}の指定に対し、約{has}")
_PAGES = Bilingual("{count} pages", "{count}ページ")
_PAGE = Bilingual("1 page", "1ページ")
_HALF = Bilingual("half a page", "0.5ページ")
_RANGE = Bilingual("{least}–{most} pages", "{least}〜{most}ページ")


class Pages(NamedTuple):
    """How many pages a report may have."""

    least: int
    """Zero where it may be as short as it likes."""
    most: int


PAGES = {Length.PAGE: Pages(0, 1), Length.SHORT: Pages(2, 3), Length.MEDIUM: Pages(4, 8), Length.LONG: Pages(10, 30)}


def length_of(brief: Brief) -> Length:
    """Return how long the report may be: as the brief says, else as its preset does."""
    return brief.length or PRESETS[brief.preset].length


def pages_of(draft: str) -> float:
    """Return how many pages a draft has, in whichever languages it is written; its marks are not counted."""
    lines = (line for line in without_marks(draft).splitlines() if line.strip() and not _TABLE_RULE.match(line))
    return round(sum(map(_words, lines)) / WORDS_A_PAGE, 2)


def _words(line: str) -> float:
    """Return the words that would fit where a line of Markdown stands."""
    wide, narrow = _WIDE.subn(" ", line)
    words = len(_WORD.findall(wide)) + narrow * WORDS_A_PAGE / SIGNS_A_PAGE
    return words + _HEADING if line.startswith("#") else max(words, _LEAST)


def is_too_long(pages: float, length: Length, factor: float = _FAR) -> bool:
    """Whether a report has more pages than a length allows, by more than a reader would let pass."""
    return pages > PAGES[length].most * factor


def is_too_short(pages: float, length: Length, factor: float = _FAR) -> bool:
    """Whether a report has fewer pages than a length asks for, by more than a reader would let pass."""
    return pages < PAGES[length].least / factor


def is_far_off(pages: float, length: Length) -> bool:
    """Whether a report is so much longer or shorter than asked for that writing it again is worth the time."""
    return is_too_long(pages, length, _REWORKED_FROM) or is_too_short(pages, length, _REWORKED_FROM)


def is_nearer(pages: float, than: float, length: Length) -> bool:
    """Whether one number of pages is nearer to what a length asks for than another."""
    return _distance(pages, length) < _distance(than, length)


def _distance(pages: float, length: Length) -> float:
    asked = PAGES[length]
    return max(asked.least / max(pages, 0.01), pages / asked.most, 1.0)


def in_pages(length: Length, language: Language) -> str:
    """Return the pages that a length allows: `2–3 pages`."""
    asked = PAGES[length]
    if asked.most == 1:
        return _PAGE.in_(language)
    return _RANGE.in_(language).format(least=asked.least, most=asked.most)


def told(pages: float, length: Length, language: Language) -> str:
    """Return how long a report was asked to be and how long it is: `asked for: 1 page; it has about 3 pages`."""
    return _ASKED_AND_HAS.in_(language).format(asked=in_pages(length, language), has=_about(pages, language))


def _about(pages: float, language: Language) -> str:
    halves = max(1, round(2 * pages)) / 2
    if halves < 1:
        return _HALF.in_(language)
    if halves == 1:
        return _PAGE.in_(language)
    return _PAGES.in_(language).format(count=f"{halves:g}" if halves < 10 else str(round(pages)))


def in_words(least: float, most: float, language: Language) -> str:
    """Return a number of pages as a writer in `language` can keep to it: `800 to 1200 words`."""
    a_page, unit = (SIGNS_A_PAGE, "characters") if language is Language.JA else (WORDS_A_PAGE, "words")
    first, last = (round(pages * a_page, -1) for pages in (least, most))
    return f"{first:.0f} to {last:.0f} {unit}" if 0 < first < last else f"{last:.0f} {unit}"
