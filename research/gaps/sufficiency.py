"""How far what was gathered suffices to answer a question: a score from 0 to 10, computed and not asked of a model.

Five criteria, 0 to 2 each:

=============  ====================================  =================================  ==========================
criterion      0                                     1                                  2
=============  ====================================  =================================  ==========================
results        no page with a quote                  1 or 2 pages                       3 pages or more
relevance      under a third of the quotes speak     under two thirds                   two thirds or more
               of what is asked
diversity      at most one site                      2 sites                            3 sites or more
detail         under 2 detailed quotes               2 to 5                             6 or more
coverage       at most one of the five aspects       2 or 3                             4 or 5
=============  ====================================  =================================  ==========================

A quote is detailed if it holds a digit or is at least 80 columns wide (wide characters count two).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from research.core import Aspect, Criteria, Evidence, Page, Sufficiency
from research.text import Concept, Name, Query, columns, folded, latest_year, query_of, tokens

_DETAILED = 80
_TELLING_QUOTES = 2


_SIGNS = {
    Aspect.DEFINITION: r"\b(?:is an?|are an?|refers? to|defin\w+|known as|overview|consists? of)\b"
    r"|とは|定義|を指す|概要|と呼ば",
    Aspect.CASES: r"\b(?:for example|for instance|e\.g\.|such as|includ\w+|cases?|examples?|projects?|partners?)\b"
    r"|例えば|たとえば|事例|具体例|など|導入|プロジェクト",
    Aspect.MARKET: r"\b(?:markets?|gdp|sales|revenues?|exports?|imports?|prices?|demand|customers?|consum\w+|shares?)\b"
    r"|[$€£¥]\s?\d|市場|売上|輸出|輸入|価格|需要|顧客|消費|シェア|億円|万円|億ドル",
    Aspect.TECHNICAL: r"\b(?:technolog\w+|technical|systems?|process\w*|method\w*|capacity|efficiency|infrastructure"
    r"|standards?|equipment|[kmgt]wh?|[gm]bps)\b|技術|方式|仕組み|工程|装置|設備|仕様|容量|効率|インフラ",
    Aspect.OUTLOOK: r"\b(?:forecasts?|outlook|expect\w*|projected|projections?|plans?|planned|targets?|will|future)\b"
    r"|見通し|予測|見込|予定|計画|目標|将来|方針",
}
_PATTERNS = {aspect: re.compile(signs, re.IGNORECASE) for aspect, signs in _SIGNS.items()}


def sufficiency(
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], concepts: Iterable[Concept] = ()
) -> Sufficiency:
    """Score `evidence` (with the pages it quotes, by id) against `question`; the same input gives the same score.

    `concepts` are further things asked for, such as those of one section of the report.
    """
    query = query_of(question, concepts)
    quotes = tuple(evidence)
    sources = {entry.source for entry in quotes}
    covered = tuple(aspect for aspect in Aspect if any(_covers(entry, aspect, pages) for entry in quotes))
    criteria = Criteria(
        results=_points(len(sources), 1, 3),
        relevance=_points(_relevant_share(query, quotes, pages), 1 / 3, 2 / 3),
        diversity=_points(len({pages[source].site for source in sources}), 2, 3),
        detail=_points(sum(_is_detailed(entry.quote) for entry in quotes), 2, 6),
        coverage=_points(len(covered), 2, 4),
    )
    return Sufficiency(criteria, covered, tuple(aspect for aspect in Aspect if aspect not in covered))


def aspects_in(entry: Evidence, pages: Mapping[str, Page]) -> tuple[Aspect, ...]:
    """Return the aspects of which one quote speaks."""
    return tuple(aspect for aspect in Aspect if _covers(entry, aspect, pages))


def good_sites(
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], concepts: Iterable[Concept] = ()
) -> int:
    """Return how many sites say at least two detailed things on what is asked."""
    query = query_of(question, concepts)
    telling = Counter(
        pages[entry.source].site
        for entry in evidence
        if _is_detailed(entry.quote) and _is_relevant(entry, query, pages[entry.source].title)
    )
    return sum(quotes >= _TELLING_QUOTES for quotes in telling.values())


def _points(value: float, one: float, two: float) -> int:
    return (value >= one) + (value >= two)


def _relevant_share(query: Query, quotes: tuple[Evidence, ...], pages: Mapping[str, Page]) -> float:
    relevant = sum(_is_relevant(entry, query, pages[entry.source].title) for entry in quotes)
    return relevant / len(quotes) if quotes else 0.0


def _is_relevant(entry: Evidence, query: Query, title: str) -> bool:
    """Whether a quote speaks of one thing asked for and, if names are asked for, is about one of them."""
    found = set(tokens(entry.quote))
    on_subject = not query.concepts or any(concept.match(found) > 0.5 for concept in query.concepts)
    return on_subject and (not query.names or _names_any(query.names, f"{title}\n{entry.quote}"))


def _names_any(names: Iterable[Name], text: str) -> bool:
    low = folded(text)
    return any(name.stands_in(low) for name in names)


def _covers(entry: Evidence, aspect: Aspect, pages: Mapping[str, Page]) -> bool:
    if _PATTERNS[aspect].search(entry.quote):
        return True
    return aspect is Aspect.OUTLOOK and latest_year(entry.quote) > pages[entry.source].fetched_at.year


def _is_detailed(quote: str) -> bool:
    return any(character.isdigit() for character in quote) or columns(quote) >= _DETAILED
