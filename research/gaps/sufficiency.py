"""How far what was gathered suffices to answer a question: a score from 0 to 10, computed and not asked of a model.

Five criteria, 0 to 2 each:

=============  ====================================  =================================  ==========================
criterion      0                                     1                                  2
=============  ====================================  =================================  ==========================
results        no page                               1 or 2 pages                       3 pages or more
relevance      under a third of the quotes speak     under two thirds                   two thirds or more
               of what is asked
diversity      at most one site                      2 sites                            3 sites or more
detail         under 2 detailed quotes               2 to 5                             6 or more
coverage       at most one of the five aspects       2 or 3                             4 or 5
=============  ====================================  =================================  ==========================

But for coverage, only what speaks of what is asked counts. A quote is detailed if it holds a digit or is at least 80
columns wide (wide characters count two).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from research.core import Aspect, Criteria, Evidence, Page, Sufficiency
from research.gaps.relevance import word_shares
from research.text import asked_concepts, columns, compared_in, folded, latest_year

_DETAILED = 80
_TELLING_QUOTES = 2
_RELEVANT = 0.35
"""Share of the words asked for from which a quote speaks of them (see `research.gaps.relevance`)."""


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
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], wanted: Sequence[str] = ()
) -> Sufficiency:
    """Score `evidence` (with the pages it quotes, by id) against `question`; the same input gives the same score.

    `wanted` are further things asked for, such as those of one section of the report.
    """
    quotes = tuple(evidence)
    relevant = relevant_of(question, quotes, pages, wanted)
    sources = {entry.source for entry in relevant}
    covered = tuple(aspect for aspect in Aspect if any(_covers(entry, aspect, pages) for entry in quotes))
    criteria = Criteria(
        results=_points(len(sources), 1, 3),
        relevance=_points(len(relevant) / len(quotes) if quotes else 0.0, 1 / 3, 2 / 3),
        diversity=_points(len({pages[source].site for source in sources}), 2, 3),
        detail=_points(sum(_is_detailed(entry.quote) for entry in relevant), 2, 6),
        coverage=_points(len(covered), 2, 4),
    )
    return Sufficiency(criteria, covered, tuple(aspect for aspect in Aspect if aspect not in covered))


def aspects_in(entry: Evidence, pages: Mapping[str, Page]) -> tuple[Aspect, ...]:
    """Return the aspects of which one quote speaks."""
    return tuple(aspect for aspect in Aspect if _covers(entry, aspect, pages))


def good_sites(
    question: str, evidence: Iterable[Evidence], pages: Mapping[str, Page], wanted: Sequence[str] = ()
) -> int:
    """Return how many sites say at least two detailed things on what is asked."""
    relevant = relevant_of(question, tuple(evidence), pages, wanted)
    telling = Counter(pages[entry.source].site for entry in relevant if _is_detailed(entry.quote))
    return sum(quotes >= _TELLING_QUOTES for quotes in telling.values())


def relevant_of(
    question: str, quotes: Sequence[Evidence], pages: Mapping[str, Page], wanted: Sequence[str]
) -> list[Evidence]:
    """Return the quotes that speak of one thing asked for and, if names are asked for, are about one of them.

    What is asked for are the points `wanted`, or where there are none, the things that the question names.
    """
    names, best = compared_in(question), [0.0] * len(quotes)
    titled = [f"{pages[entry.source].title}\n{entry.quote}" for entry in quotes]
    things = [one.label for one in asked_concepts(question) if not one.is_period] or [question]
    for asked in wanted or things:
        best = list(map(max, best, word_shares(asked, [entry.quote for entry in quotes])))
    return [
        entry
        for entry, share, said in zip(quotes, best, titled, strict=True)
        if share >= _RELEVANT and (not names or any(name.stands_in(folded(said)) for name in names))
    ]


def _points(value: float, one: float, two: float) -> int:
    return (value >= one) + (value >= two)


def _covers(entry: Evidence, aspect: Aspect, pages: Mapping[str, Page]) -> bool:
    if _PATTERNS[aspect].search(entry.quote):
        return True
    return aspect is Aspect.OUTLOOK and latest_year(entry.quote) > pages[entry.source].fetched_at.year


def _is_detailed(quote: str) -> bool:
    return any(character.isdigit() for character in quote) or columns(quote) >= _DETAILED
