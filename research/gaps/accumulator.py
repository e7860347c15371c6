"""The accumulator: new results of a section join what is there, no page twice, ordered by relevance to the section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from research.evidence import Evidence, Page
from research.gaps.points import points_of
from research.outline import Section
from research.sources.urls import canonical_url
from research.text.concepts import query_of
from research.text.passages import Passage, heading_at
from research.text.ranking import rate


@dataclass(frozen=True)
class Result:
    """A page and what is quoted from it."""

    page: Page
    evidence: tuple[Evidence, ...]
    """The most relevant quote first."""
    relevance: float
    """That of its most relevant quote: 0 if none speaks of the section, without an upper end."""


@dataclass(frozen=True)
class Accumulated:
    """What there is for a section."""

    results: tuple[Result, ...] = ()
    """The most relevant first; of equal ones the earlier found."""
    repeated: int = 0
    """Quotes that the last join brought and that were there already."""

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Every quote, page by page."""
        return tuple(entry for result in self.results for entry in result.evidence)


def accumulate(
    section: Section, new: Iterable[Evidence], pages: Mapping[str, Page], there: Accumulated = Accumulated()
) -> Accumulated:
    """Return `there` joined with `new` quotes (`pages` holds the pages they are from, by id).

    Two addresses with the same canonical form are one page, and the same words on one page are one quote; what was
    there first is kept. Nothing is left out for being of little relevance. Relevance is how well the passage ranks for
    the section's title, focus and wanted points, by the rules that quotes are chosen by.
    """
    found: dict[str, Page] = {}
    quotes: dict[tuple[str, str], Evidence] = {}
    repeated = 0
    for entry, page in (*_pairs(there), *((entry, pages[entry.source]) for entry in new)):
        address = canonical_url(page.url) or page.url
        found.setdefault(address, page)
        key = (address, " ".join(entry.quote.split()))
        repeated += key in quotes
        quotes.setdefault(key, entry)
    by_page: dict[str, list[Evidence]] = {address: [] for address in found}
    for (address, _), entry in quotes.items():
        by_page[address].append(entry)
    return Accumulated(_ordered(section, [(found[address], every) for address, every in by_page.items()]), repeated)


def _pairs(there: Accumulated) -> Iterable[tuple[Evidence, Page]]:
    return [(entry, result.page) for result in there.results for entry in result.evidence]


def _ordered(section: Section, found: Sequence[tuple[Page, Sequence[Evidence]]]) -> tuple[Result, ...]:
    query = query_of(f"{section.title} {section.focus}", points_of(section))
    weights = [concept.weight for concept in query.concepts]
    results = []
    for page, evidence in found:
        passages = [Passage(entry.quote, heading_at(page.text, entry.start), page.title) for entry in evidence]
        scores = [one.score(weights) for one in rate(passages, query)]
        ranked = sorted(zip(scores, evidence, strict=True), key=lambda pair: -pair[0])
        results.append(Result(page, tuple(entry for _, entry in ranked), max(scores)))
    return tuple(sorted(results, key=lambda result: -result.relevance))
