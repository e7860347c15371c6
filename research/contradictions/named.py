"""Contradictions that an analyst named in a reflection: its word stands, and so does that no rule checked it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from research.contradictions.model import Contradiction, ContradictionKind, Side
from research.core.ledger import Evidence, Page
from research.core.outline import Doubt
from research.language import Phrase

_NOTE = Phrase("Named in a reflection, not checked by rule.")
_UNDATED = "9999"


def with_named(
    found: Sequence[Contradiction],
    named: Iterable[Doubt],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
) -> tuple[Contradiction, ...]:
    """Return the contradictions that rules `found`, and behind them those that were `named` besides.

    Ids that do not exist are passed over, and so is what does not say why or is not of two sources at least. What says
    nothing new is left out: all of its quotes stand in a contradiction that is there already, as they are or in part.

    Args:
        found: What rules found.
        named: What reflections named.
        evidence: All evidence of the run, by id.
        pages: The pages that it quotes, by id.
    """
    all_found = list(found)
    for one in named:
        quotes = [evidence[name] for name in dict.fromkeys(one.evidence) if name in evidence]
        is_told = len({quote.source for quote in quotes}) > 1 and one.text
        if is_told and not any(_covers(known, quotes, evidence) for known in all_found):
            all_found.append(_contradiction(quotes, one.text, pages))
    return tuple(all_found)


def _contradiction(quotes: Iterable[Evidence], why: str, pages: Mapping[str, Page]) -> Contradiction:
    sides = (
        Side(
            evidence=quote.id, source=quote.source, value="", quote=quote.quote, published=pages[quote.source].published
        )
        for quote in quotes
    )
    return Contradiction(
        kind=ContradictionKind.NAMED,
        subject="",
        label=" ".join(why.split()),
        sides=tuple(sorted(sides, key=lambda side: side.published or _UNDATED)),
        note=_NOTE,
    )


def _covers(known: Contradiction, quotes: Iterable[Evidence], evidence: Mapping[str, Evidence]) -> bool:
    held = [evidence[side.evidence] for side in known.sides if side.evidence in evidence]
    return all(any(_overlap(quote, other) for other in held) for quote in quotes)


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end
