"""Where all countries are to be put in order: what to search, since nobody can read the pages on every country.

A source may say itself who comes first. The countries that such sources name are looked up next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from research.analysts.extractive.asked import things_asked
from research.analysts.extractive.standings import standings_of
from research.analysts.extractive.superlative import asked_of_all_countries, tells_an_order, tells_the_order_of
from research.analysts.protocol import ResearcherView
from research.language import Bilingual
from research.reflection import NextQuery
from research.text.names import Name, places_in

_WORDS = 3
"""Words that say what countries are ordered by; more would drown the order."""
_AT_ONCE = 2
"""Countries that one query asks for."""
_TOLD = 5
"""How much more a country counts that a source names in the breath in which it tells the order asked for."""
_WHY = Bilingual("A source names them where it tells an order.", "情報源が順位を述べる箇所で挙げている国です。")


def order_query(question: str, words: str) -> Iterator[str]:
    """Yield a query for sources that tell the order themselves, if one is asked for."""
    if asked := asked_of_all_countries(question):
        yield f"{'lowest' if asked.is_least else 'largest'} {' '.join(words.split(' ')[:_WORDS])} in the world"


def lead_queries(view: ResearcherView, words: str) -> Iterator[NextQuery]:
    """Yield queries for the countries that sources name where they tell an order, and of which there is no figure."""
    question = view.brief.question
    if asked_of_all_countries(question) is None:
        return
    found = standings_of(view.evidence, view.pages, question)
    known = {place for cell in found.cells for place in places_in(cell.subject)} if found else set()
    leads = [place for place in _named(view) if place not in known]
    what = found.label if found else " ".join(words.split(" ")[:_WORDS])
    for at in range(0, len(leads), _AT_ONCE):
        who = " ".join(place.en for place in leads[at : at + _AT_ONCE])
        yield NextQuery(query=f"{who} {what}", reason=_WHY.in_(view.brief.language))


def _named(view: ResearcherView) -> Sequence[Name]:
    """Return the countries named where an order is told, those first that come with the order asked for."""
    wanted = things_asked(view.brief.question)
    counted: Counter[Name] = Counter()
    for entry in view.evidence:
        if tells_an_order(entry.quote):
            weight = _TOLD if tells_the_order_of(entry.quote, wanted) else 1
            counted.update(dict.fromkeys(places_in(entry.quote), weight))
    return [place for place, _ in counted.most_common()]
