"""What changed between two runs: sources, figures, claims."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from rapidfuzz import fuzz, process

from research.core import Frozen, Sentence
from research.quantities import FigureRow, figure_rows
from research.results.record import Report, RunRecord, SourceEntry, Usage
from research.text import folded
from research.verification import OpposedPassage, Point, contradiction, plain, quantities_in, tells_of_another

ALIKE = 82.0
"""Similarity (0-100) from which two sentences are taken for the same statement, their figures not counted."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_BETWEEN = re.compile(r"[^\w.,]+|[.,](?!\d)")


def pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return which sentence of `before` stands for which of `after`, by place; none has two partners.

    A statement whose figure has changed is still the same statement; one on somebody or something else is not.
    Quadratic in the sentences, at some millions of comparisons a second.
    """
    if not before or not after:
        return []
    said = [[_BETWEEN.sub(" ", folded(text)).strip() for text in texts] for texts in (before, after)]
    bare = [[_FIGURE.sub("0", text) for text in texts] for texts in said]
    alike = process.cdist(*bare, scorer=fuzz.ratio, score_cutoff=ALIKE)
    rows, columns = (places.tolist() for places in alike.nonzero())
    likeness = {
        (first, second): (float(alike[first, second]), fuzz.ratio(said[0][first], said[1][second]))
        for first, second in zip(rows, columns, strict=True)
    }
    found: dict[int, int] = {}
    taken: set[int] = set()
    for first, second in sorted(likeness, key=lambda place: (*(-value for value in likeness[place]), place)):
        if first in found or second in taken:
            continue
        if said[0][first] == said[1][second] or not tells_of_another(before[first], after[second]):
            found[first] = second
            taken.add(second)
    return list(found.items())


def differs(before: str, after: str) -> bool:
    """Whether two versions of a statement give different figures, or one says the opposite of the other."""
    figures = [sorted(_FIGURE.findall(folded(text))) for text in (before, after)]
    if figures[0] != figures[1]:
        return True
    return contradiction(plain(after), [OpposedPassage(plain(before), frozenset())]) is not None


class ClaimPair(Frozen):
    """The same statement in both reports, or nearly."""

    before: Sentence
    after: Sentence
    is_changed: bool
    """Whether its figures or its verdict differ, or one says the opposite of the other."""


class Claims(Frozen):
    """The sentences that claim something."""

    gone: tuple[Sentence, ...]
    new: tuple[Sentence, ...]
    both: tuple[ClaimPair, ...]
    """In the order of the second report."""

    @property
    def changed(self) -> tuple[ClaimPair, ...]:
        """Those of `both` that do not say the same, or with another verdict."""
        return tuple(pair for pair in self.both if pair.is_changed)


class Sources(Frozen):
    """The pages that were read, by address; those lost and new with the cited ones first."""

    lost: tuple[SourceEntry, ...]
    new: tuple[SourceEntry, ...]
    changed: tuple[SourceEntry, ...]
    """Those that both runs read, with another text the second time."""
    same: tuple[SourceEntry, ...]


class FigureValue(Frozen):
    """A value, and the page that gives it."""

    text: str
    """As printed."""
    value: float
    source: SourceEntry


class FigureChange(Frozen):
    """A quantity for which the sources of the two runs give different values."""

    subject: str
    label: str
    unit: str | None
    period: str | None
    """None if the sources give none."""
    before: tuple[FigureValue, ...]
    after: tuple[FigureValue, ...]

    @property
    def share(self) -> float | None:
        """By what share of its earlier size the value changed; None if either run gives several, or it was nothing."""
        first, second = ({one.value for one in side} for side in (self.before, self.after))
        if len(first) > 1 or len(second) > 1 or not (was := first.pop()):
            return None
        return (second.pop() - was) / abs(was)


class Figures(Frozen):
    """The figures in the evidence of both runs that measure the same thing for the same period."""

    compared: int
    changed: tuple[FigureChange, ...]
    """Those that changed most first; those of which this cannot be said last."""


class Difference(Frozen):
    """What differs between two runs."""

    same_language: bool
    """Statements of reports in different languages cannot be told to be the same: all are then new or gone."""
    claims: Claims
    sources: Sources
    figures: Figures
    spent: tuple[Usage, Usage]
    """What the models of each run came to."""
    seconds: tuple[float, float]


def difference(before: Report, after: Report) -> Difference:
    """Return what differs between two finished runs, of the same question or of any two."""
    first, second = before.record, after.record
    return Difference(
        same_language=first.brief.language is second.brief.language,
        claims=_claims(first, second),
        sources=_sources(first.sources, second.sources),
        figures=_figures(before, after),
        spent=(first.spent, second.spent),
        seconds=(first.seconds, second.seconds),
    )


def _claims(before: RunRecord, after: RunRecord) -> Claims:
    first, second = ([one for one in record.sentences if one.verdict] for record in (before, after))
    told = ([_headed(one, record.draft) for one in said] for said, record in ((first, before), (second, after)))
    partners = {right: left for left, right in pairs(*told)}
    left = set(partners.values())
    return Claims(
        gone=tuple(one for place, one in enumerate(first) if place not in left),
        new=tuple(one for place, one in enumerate(second) if place not in partners),
        both=tuple(_pair(first[partners[place]], one) for place, one in enumerate(second) if place in partners),
    )


_ROW = re.compile(r"[ \t]*\|")


def _headed(sentence: Sentence, draft: str) -> str:
    """Return what a sentence says; of a row of a table with its head, which names what the figures are of."""
    lines = draft[: sentence.start].splitlines()
    lines = lines[:-1] if draft[: sentence.start][-1:] not in ("", "\n") else lines
    above = list(takewhile(_ROW.match, reversed(lines)))
    return f"{above[-1]} {sentence.text}" if above and "|" in sentence.text else sentence.text


def _pair(before: Sentence, after: Sentence) -> ClaimPair:
    is_changed = before.verdict != after.verdict or differs(before.text, after.text)
    return ClaimPair(before=before, after=after, is_changed=is_changed)


def _sources(before: Iterable[SourceEntry], after: Iterable[SourceEntry]) -> Sources:
    first, second = ({source.url: source for source in sources} for sources in (before, after))
    both = [source for url, source in second.items() if url in first]
    return Sources(
        lost=_cited_first(source for url, source in first.items() if url not in second),
        new=_cited_first(source for url, source in second.items() if url not in first),
        changed=tuple(source for source in both if first[source.url].sha256 != source.sha256),
        same=tuple(source for source in both if first[source.url].sha256 == source.sha256),
    )


def _cited_first(sources: Iterable[SourceEntry]) -> tuple[SourceEntry, ...]:
    return tuple(sorted(sources, key=lambda source: (source.number is None, source.number or 0)))


def _figures(before: Report, after: Report) -> Figures:
    """Return the quantities that both runs have a value for.

    The rows of both are gathered at once, their pages told apart by a sign, so that the same rules say what measures
    the same thing as in the table of a single run. What one run quotes of a page that the other has read as well, and
    did not quote, is no change.
    """
    read = {_as_read(one) for one in before.record.sources}
    rows = [*_rows(before, "<"), *_rows(after, ">")]
    sources = {"<" + one.id: one for one in before.record.sources} | {">" + one.id: one for one in after.record.sources}
    changed, compared = list[FigureChange](), 0
    for quantity in quantities_in(rows):
        periods: dict[str | None, list[Point]] = defaultdict(list)
        for point in quantity.points:
            periods[point.period].append(point)
        for period, points in periods.items():
            first, second = ([one for one in points if one.source[0] == side] for side in "<>")
            if not first or not second:
                continue
            compared += 1
            known = {one.value for one in first}
            if any(one.value not in known and _as_read(sources[one.source]) not in read for one in second):
                change = FigureChange(
                    subject=quantity.subject,
                    label=quantity.label,
                    unit=quantity.unit,
                    period=period,
                    before=_values(first, sources),
                    after=_values(second, sources),
                )
                changed.append(change)
    return Figures(compared=compared, changed=tuple(sorted(changed, key=_by_size)))


def _as_read(source: SourceEntry) -> tuple[str, str]:
    return source.url, source.sha256


def _by_size(change: FigureChange) -> tuple[bool, float]:
    share = change.share
    return share is None, -abs(share or 0.0)


def _rows(report: Report, side: str) -> list[FigureRow]:
    known = {source.id for source in report.record.sources} & report.pages.keys()
    quotes = [entry for entry in report.record.evidence if entry.source in known]
    return [replace(row, source=side + row.source) for row in figure_rows(quotes, report.pages)]


def _values(points: Iterable[Point], sources: dict[str, SourceEntry]) -> tuple[FigureValue, ...]:
    return tuple(FigureValue(text=point.text, value=point.value, source=sources[point.source]) for point in points)
