"""The gap identifier: from what a section wants and what was found to coverage, a missing list and how sure it is.

Everything is counted and nothing is asked of a model, so that it is the same for every analyst and language.

*Kinds.* The kinds of information are the section's wanted points; a section that wants nothing in particular is
measured by the five aspects of `research.sufficiency`.

*Speaking of it.* A quote speaks of an aspect as `research.sufficiency` says. It speaks of a part of a point ("market
size and growth" has two) if it, or the heading above it, says enough of the part's telling words: one of one, two of
two to four, half of more, rounded up. A word is said by itself, its translation, or a word alike, and words without a
translation are not asked of the other language, if they are at most half; words such as "size" or 規模 are said by any
number; names and years are no such words. If the point names somebody, one of the names must
stand in the title of the page, the heading or the quote.

*Share.* Of a part: 0 if no quote speaks of it; 0.5 if one does; 0.25 more if two or more do; 0.25 more if they are from
two sites or more. Of a kind: the mean over its parts.

*Missing* is a kind of which at most half of the parts are spoken of. *Sufficient*: nothing is missing. *Confidence*:
the mean of all shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean

from research.evidence import Evidence, Page
from research.gaps.model import GapReport, KindCoverage
from research.gaps.points import Point, points_of
from research.language import Language
from research.outline import Section
from research.sufficiency import Aspect, aspects_in
from research.text.concepts import Concept
from research.text.passages import heading_at
from research.text.words import folded, tokens

_FOUND, _MORE_QUOTES, _MORE_SITES = 0.5, 0.25, 0.25


@dataclass
class _Heard:
    """Which quotes speak of one part, and from which sites."""

    evidence: list[str] = field(default_factory=list)
    sites: set[str] = field(default_factory=set)

    def add(self, entry: Evidence, page: Page) -> None:
        self.evidence.append(entry.id)
        self.sites.add(page.site)

    @property
    def share(self) -> float:
        quotes, sites = len(self.evidence), len(self.sites)
        return _FOUND * (quotes > 0) + _MORE_QUOTES * (quotes > 1) + _MORE_SITES * (sites > 1)


@dataclass(frozen=True)
class _Kind:
    label: str
    parts: tuple[_Heard, ...]

    @property
    def is_missing(self) -> bool:
        return 2 * sum(bool(part.evidence) for part in self.parts) <= len(self.parts)

    @property
    def coverage(self) -> KindCoverage:
        evidence = dict.fromkeys(name for part in self.parts for name in part.evidence)
        return KindCoverage(self.label, fmean(part.share for part in self.parts), tuple(evidence))


def concepts_wanted(section: Section) -> tuple[Concept, ...]:
    """Return each wanted point of `section` as a concept that is found in English and in Japanese.

    Empty if it wants nothing in particular; points without a letter or digit are left out.
    """
    return points_of(section)


def identify_gaps(
    section: Section, evidence: Sequence[Evidence], pages: Mapping[str, Page], *, language: Language, at: datetime
) -> GapReport:
    """Return how far `evidence` (with the pages it quotes, by id) covers `section`, as the module defines it.

    `language` is that of the labels where aspects take the place of wanted points; `at` is the time to be noted. The
    time it takes is linear in the evidence.
    """
    points = points_of(section)
    kinds = _told(points, evidence, pages) if points else _aspects(evidence, pages, language)
    coverage = tuple(kind.coverage for kind in kinds)
    missing = tuple(kind.label for kind in kinds if kind.is_missing)
    return GapReport(coverage, missing, not missing, fmean(entry.share for entry in coverage), at)


def _aspects(evidence: Sequence[Evidence], pages: Mapping[str, Page], language: Language) -> list[_Kind]:
    heard = {aspect: _Heard() for aspect in Aspect}
    for entry in evidence:
        for aspect in aspects_in(entry, pages):
            heard[aspect].add(entry, pages[entry.source])
    return [_Kind(aspect.label.in_(language), (heard[aspect],)) for aspect in Aspect]


def _told(points: Sequence[Point], evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> list[_Kind]:
    kinds = [_Kind(point.label, tuple(_Heard() for _ in point.parts)) for point in points]
    for entry in evidence:
        page = pages[entry.source]
        said = f"{heading_at(page.text, entry.start)}\n{entry.quote}"
        found, low = frozenset(tokens(said)), folded(f"{page.title}\n{said}")
        for point, kind in zip(points, kinds, strict=True):
            for place in _spoken_of(point, found, low):
                kind.parts[place].add(entry, page)
    return kinds


def _spoken_of(point: Point, found: frozenset[str], low: str) -> Iterator[int]:
    """Yield the places of the parts of which a quote speaks; `low` is all that may name what it is about, folded."""
    if point.names and not any(name.stands_in(low) for name in point.names):
        return
    yield from (place for place, part in enumerate(point.parts) if part.match(found) == 1.0)
