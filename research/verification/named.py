"""What a run tells of contradictions: those that rules find and that touch its question, and those that were named."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from research.core import Doubt, Event, Evidence, Page, Reflected
from research.language import Phrase
from research.quantities import agree, periods
from research.verification.contradictions import UNDATED, contradictions
from research.verification.labels import Contradiction, ContradictionKind, Side
from research.verification.statements import Words, joined, plain, words_of


def contradictions_of(
    events: Iterable[Event],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
    question: str,
    cited: Iterable[str],
) -> tuple[Contradiction, ...]:
    """Return what rules find in `evidence` that touches question and answer, and what reflections of its run named.

    `cited` are the ids of the evidence that the answer rests on: of what no side is cited, it says nothing.
    """
    doubts = (doubt for event in events if isinstance(event, Reflected) and event.parts for doubt in event.parts.doubts)
    asked = words_of(plain(question))
    years = [period.value for period in periods(question)]
    told = [evidence[name] for name in dict.fromkeys(cited) if name in evidence]
    found = [
        one
        for one in contradictions(evidence.values(), pages)
        if _touches(one, asked, pages) and _is_cited(one, evidence, told) and not _is_of_another_year(one, years)
    ]
    return with_named(found, doubts, evidence, pages)


def _touches(found: Contradiction, asked: Words, pages: Mapping[str, Page]) -> bool:
    """Whether what a contradiction is about, a quote or the title above it has a name of the question.

    Of a question that names nobody any word will do, and one without words (`目標は？`) is touched by everything.
    """
    told = [
        found.subject,
        found.label,
        *(text for side in found.sides for text in (side.quote, pages[side.source].title)),
    ]
    known = joined(words_of(plain(text)) for text in told)
    return not asked.all or any(map(known.has, asked.names or asked.content))


def _is_cited(found: Contradiction, evidence: Mapping[str, Evidence], cited: Sequence[Evidence]) -> bool:
    """Whether the answer cites the place of a side, as a whole or in part."""
    places = [evidence[side.evidence] for side in found.sides]
    return any(_overlap(place, one) for place in places for one in cited)


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _is_of_another_year(found: Contradiction, asked: Sequence[str]) -> bool:
    """Whether a question about fiscal or calendar years asks of none that the contradiction is about."""
    years = [year for year in asked if _YEAR.fullmatch(year)]
    about = [period.value for period in periods(found.label) if _YEAR.fullmatch(period.value)]
    return bool(years and about) and not any(agree(year, other) for year in years for other in about)


_YEAR = re.compile(r"(?:FY)?\d{4}")


def with_named(
    found: Sequence[Contradiction],
    named: Iterable[Doubt],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
) -> tuple[Contradiction, ...]:
    """Return the contradictions that rules `found`, and behind them those that were `named` besides.

    Ids that do not exist are passed over, and so is what does not say why or is not of two sources at least. What says
    nothing new is left out: all of its quotes stand in a contradiction that is there already, as they are or in part.
    """
    all_found = list(found)
    for one in named:
        quotes = [evidence[name] for name in dict.fromkeys(one.evidence) if name in evidence]
        is_told = len({quote.source for quote in quotes}) > 1 and one.text
        if is_told and not any(_covers(known, quotes, evidence) for known in all_found):
            all_found.append(_as_named(quotes, one.text, pages))
    return tuple(all_found)


def _as_named(quotes: Iterable[Evidence], why: str, pages: Mapping[str, Page]) -> Contradiction:
    sides = (
        Side(evidence=one.id, source=one.source, value="", quote=one.quote, published=pages[one.source].published)
        for one in quotes
    )
    return Contradiction(
        kind=ContradictionKind.NAMED,
        subject="",
        label=" ".join(why.split()),
        sides=tuple(sorted(sides, key=lambda side: side.published or UNDATED)),
        note=Phrase("Named in a reflection, not checked by rule."),
    )


def _covers(known: Contradiction, quotes: Iterable[Evidence], evidence: Mapping[str, Evidence]) -> bool:
    held = [evidence[side.evidence] for side in known.sides if side.evidence in evidence]
    return all(any(_overlap(one, other) for other in held) for one in quotes)
