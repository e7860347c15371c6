"""Sections of a document that are headed by what is asked: the risks of a firm, why a place was chosen, the outlook."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, groupby, islice, takewhile, zip_longest
from typing import NamedTuple
from weakref import WeakKeyDictionary

from research.analysts.extractive.passages import Ranked
from research.core import Evidence
from research.gaps import says
from research.meaning import Look, Meaning
from research.text import (
    MONTHS,
    Concept,
    Name,
    Passage,
    columns,
    folded,
    is_stop_word,
    language_of,
    other_words,
    tokens,
)

_HEADING = re.compile(r"^(?P<level>#{1,6})[ \t]+(?P<said>\S.{0,159})$", re.MULTILINE)
_NUMBERED = re.compile(r"^(?:item|part)\s+\w+\.?|^[\d.]+", re.IGNORECASE)
"""How the headings of a filing begin."""
_LEAST = 40
"""Columns from which a section tells anything."""
SAYS = 0.8
"""How far a heading, or a title, has to say each thing that is asked: in its words, or in all of their translation."""
ONLY_WHEN = re.compile(rf"\d+|{'|'.join(MONTHS)}|[来今前昨翌当][期年月]度?|next|last|this", re.IGNORECASE)
"""What only says when."""
_YEARS = frozenset(tokens("fiscal year 年度"))
_NO_NARROWER = frozenset(tokens("business company factors key main matters our overview primary summary"))
"""Words that a heading may say besides what is asked: risk factors are the risks, intellectual property no property."""
_AND = re.compile(r"\s*(?:,|&|\band\b|、|・)\s*(?:and\s+)?", re.IGNORECASE)
"""What stands between the things that a heading lists."""
_BRIEF = 2
"""Words of each of them: in a longer one the first belong to all, cybersecurity risk management and strategy."""
_OF_RISKS = re.compile(r"\brisks?\b|リスク", re.IGNORECASE)
_WHY = re.compile(r"\bwhy\b|\breasons?\b|なぜ|理由", re.IGNORECASE)
"""What a heading says under which it is told why: why Vietnam, なぜベトナムか."""
_COMPARED, _HEADED = 16, 7.3
"""Headings that are compared by meaning, and how many standard deviations nearer than what has nothing to do with it
one is taken for what is asked: of 30 questions on three filings right ones stood out by 5.5 to 14.6, wrong ones by up
to 6.9; in the other language wrong ones up to 8.5, so that there words alone tell."""
_AS_NEAR = 0.5
"""How much less another one may stand out to mean the same."""
_PASSAGES, _UNDIVIDED = 16, 8
"""Passages that tell a section, and those of one without headings of its own that a reader is shown."""
_PARTS = 4
"""Headings from which a section is told part by part."""
_ITEM = re.compile(r"[ \t]*[•*–-]")
_meant: WeakKeyDictionary[Meaning, dict[tuple[str, tuple[str, ...]], tuple[str, ...]]] = WeakKeyDictionary()
"""What was compared for a run: each page is asked again."""


class Section(NamedTuple):
    """A part of a page, from below its heading to the next one of its level."""

    start: int
    end: int
    level: int
    heading: str


@lru_cache(maxsize=64)
def _sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text that tell anything."""
    heads = [(one.start(), one.end(), len(one["level"]), one["said"].strip()) for one in _HEADING.finditer(text)]
    every = (
        Section(end, next((after for after, _, other, _ in heads[at + 1 :] if other <= level), len(text)), level, said)
        for at, (_, end, level, said) in enumerate(heads)
    )
    return tuple(one for one in every if columns(text[one.start : one.end]) >= _LEAST)


def section_telling_why(text: str, names: Sequence[Name]) -> Section | None:
    """Return the section whose heading says that it tells why of somebody: なぜベトナムか."""
    told = ((one, folded(one.heading)) for one in _sections(text) if names and _WHY.search(one.heading))
    return next((one for one, low in told if all(name.stands_in(low) for name in names)), None)


def section_headed(text: str, things: Sequence[Concept], wording: str, meaning: Meaning | None) -> Section | None:
    """Return the section whose heading says all that is asked, and nothing that narrows it; of several the outermost.

    The risks of a firm are told where its filing tells its risk factors. Where no heading says it in words, the one
    that surely means it tells: who competes with it, under “Competition”.
    """
    sections = _sections(text)
    if not things or not sections:
        return None
    said = [(one.level, beside, one) for one in sections if (beside := _said_beside(one.heading, things)) is not None]
    if said:
        return min(said, key=lambda one: one[:2])[2]
    meant = _headings_meant(wording, tuple(dict.fromkeys(one.heading for one in sections)), meaning)
    if among := [one for one in sections if one.heading in meant and not _is_part(one.heading, things)]:
        return max(among, key=lambda one: one.end - one.start)  # One may only say where the other stands.
    return min((one for one in sections if _lists(one.heading, things)), key=lambda one: one.level, default=None)


def _said_beside(heading: str, things: Sequence[Concept]) -> int | None:
    """Return how many words a heading says besides all that is asked; None if it does not say that, or narrows it."""
    words = frozenset(tokens(_NUMBERED.sub("", heading)))
    # A heading may be another word for it, in either language: 競合 is competition, competitor or rival.
    called = {one: _called(one.label) for one in things}
    if not all(says(one, words) >= SAYS or any(words >= other for other in called[one]) for one in things):
        return None
    said = frozenset[str]().union(*chain.from_iterable(called.values()), *(one.tokens for one in things))
    beside = {word for word in words - said if not any(says(one, frozenset((word,))) for one in things)}
    beside = {word for word in beside if not (ONLY_WHEN.fullmatch(word) or word in _YEARS or is_stop_word(word))}
    return len(beside) if beside <= _NO_NARROWER else None


@lru_cache(maxsize=1024)
def _called(word: str) -> tuple[frozenset[str], ...]:
    """Return what a word is called besides, each in tokens: 知的財産 is intellectual property, which is no property."""
    return tuple(frozenset(tokens(other)) for other in other_words(word))


def _is_part(heading: str, things: Sequence[Concept]) -> bool:
    """Whether a heading says a part of what is asked and nothing else: its properties are no intellectual property."""
    words = frozenset(tokens(_NUMBERED.sub("", heading))) - _NO_NARROWER
    said = [one for one in things if says(one, words) >= SAYS]
    told = frozenset[str]().union(*(one.tokens for one in said))
    return bool(said) and len(said) < len(things) and words <= told


def _lists(heading: str, things: Sequence[Concept]) -> bool:
    """Whether a heading lists all that is asked among other things, briefly: competition and seasonality.

    What it says of risks is of risks: business strategy and organizational risks.
    """
    items = _AND.split(_NUMBERED.sub("", heading).strip())
    is_list = len(items) > 1 and all(len(item.split()) <= _BRIEF for item in items)
    is_of_risks = _OF_RISKS.search(heading) is not None and not any(_OF_RISKS.search(one.label) for one in things)
    return is_list and not is_of_risks and any(_said_beside(item, things) is not None for item in items)


def _headings_meant(wording: str, headings: tuple[str, ...], meaning: Meaning | None) -> tuple[str, ...]:
    """Return the headings that surely mean what is asked in its language, all about as near; none if nobody tells."""
    if meaning is None:
        return ()
    told = _meant.setdefault(meaning, {})
    if (wording, headings) not in told:
        at_home = [one for one in headings if language_of(one) is language_of(wording)]
        glance = meaning.at_a_glance(wording, at_home, [0.0] * len(at_home))[:_COMPARED]
        near = meaning.standing_out(wording, [at_home[place] for place in glance], Look.BOTH) or []
        least = max(_HEADED, max(near, default=0.0) - _AS_NEAR)
        sure = (place for place, one in zip(glance, near, strict=False) if one >= least)
        told[wording, headings] = tuple(at_home[place] for place in sure)
    return told[wording, headings]


# --- what is told of one ---------------------------------------------------------------------------------------------


def blocks_telling(section: Section, blocks: Sequence[Passage], text: str) -> tuple[Passage, ...]:
    """Return the passages of a text, of its `blocks`, that tell a section of it, in their order.

    It is what stands first under each of its headings, with its list; of one without headings of its own all, from
    its beginning.
    """

    def is_item(block: Passage) -> bool:
        return _ITEM.match(text, text.rfind("\n", 0, block.start) + 1) is not None

    own = [one for one in blocks if section.start <= one.start < section.end]
    if not _is_divided(own):
        return tuple(own[:_PASSAGES])
    runs = [list(run) for _, run in groupby(own, key=lambda one: one.heading)]
    runs = [[first, *(takewhile(is_item, rest) if is_item(first) else ())] for first, *rest in runs]
    rounds = chain.from_iterable(filter(None, one) for one in zip_longest(*runs))
    return tuple(sorted(islice(rounds, _PASSAGES), key=lambda one: one.start))


def _is_divided(blocks: Sequence[Passage]) -> bool:
    return len({one.heading for one in blocks}) >= _PARTS


def shortened(blocks: Sequence[Passage], ranked: Sequence[Ranked]) -> list[Evidence]:
    """Return the quotes of a section that a reader is shown, in its order: all of one that is told part by part.

    Else those that say most, each with the list that it leads to.
    """
    told = sorted(ranked, key=lambda one: one.entry.start)
    if _is_divided(blocks) or len(told) <= _UNDIVIDED:
        return [one.entry for one in told]
    best = heapq.nlargest(_UNDIVIDED, told, key=lambda one: one.worth)
    are_led = [False, *(one in best and one.entry.quote.rstrip().endswith((":", "：")) for one in told)]
    return [one.entry for one, is_led in zip(told, are_led, strict=False) if one in best or is_led]
