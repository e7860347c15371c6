"""What searches bring becomes one list: what lies outside the brief marked and put last, several lists joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from research.core import Brief, Outside, Region, place_of, site_of
from research.sources.protocol import FoundPage, SearchRequest
from research.text import Name, countries_meant, country_of_site, folded, mentions_in, places_in

# --- one list: ranked by what the brief wants ------------------------------------------------------------------------


def ranked(found: Sequence[FoundPage], request: SearchRequest, asked: frozenset[str], today: date) -> list[FoundPage]:
    """Return what a source found, without forbidden kinds: what is preferred first, what is outside the brief last.

    Most sources leave out what is outside the period themselves; who was handed its pages by the user does not.

    Args:
        found: pages, best first.
        request: what the source was asked.
        asked: the countries that the brief is about; see `countries_asked`.
        today: from which the period counts back.
    """
    wanted = [_marked(page, request, asked, today) for page in found if page.kind not in request.forbidden_kinds]
    return sorted(wanted, key=lambda page: _rank(page, request))


def _rank(page: FoundPage, request: SearchRequest) -> tuple[int, int]:
    return len(page.outside), -request.prefers(page.url, page.kind)


def _marked(page: FoundPage, request: SearchRequest, asked: frozenset[str], today: date) -> FoundPage:
    is_outside = {
        Outside.PERIOD: request.is_outside(page.published, today),
        Outside.REGION: is_elsewhere(page, asked),
    }
    return replace(page, outside=tuple(limit for limit, holds in is_outside.items() if holds))


# --- several lists: joined by address, and fused by rank -------------------------------------------------------------

_DEPTH = 60
"""How little the first ranks go before the next: the constant of reciprocal rank fusion that its authors found best and
that is in use everywhere (Cormack, Clarke and Büttcher, SIGIR 2009). With it, what two lists hold goes before what one
has in front, and lists that have nothing in common take turns."""


def mixed(lists: Mapping[str, Sequence[FoundPage]], request: SearchRequest) -> list[tuple[str, FoundPage]]:
    """Return the pages of several lists, each once and best first, with the name of the list that has it furthest up.

    Lists are fused by the ranks that they give to a page, since their scores cannot be compared; what the brief wants
    goes before that, as in each list. A page of several addresses (`place_of`) is the one that was ranked first.
    """
    merits: dict[str, float] = {}
    best: dict[str, tuple[int, str, FoundPage]] = {}
    for name, pages in lists.items():
        for rank, page in enumerate(pages, 1):
            place = place_of(page.url)
            merits[place] = merits.get(place, 0.0) + 1 / (_DEPTH + rank)
            if place not in best or rank < best[place][0]:
                best[place] = (rank, name, page)
    order = sorted(best, key=lambda place: (*_rank(best[place][2], request), -merits[place]))
    return [best[place][1:] for place in order]


# --- what is about another part of the world -------------------------------------------------------------------------

_READ = 60_000
"""Characters of a page in which countries are counted: those that it is about it names from the beginning."""
_TIMES = 2
"""How often a page names another country at least: once may be a word of an address or of a heading."""
_ASIDE = 5
"""How many times as often as all countries that are asked about, so that these are named in passing."""


def countries_asked(brief: Brief) -> frozenset[str]:
    """Return the countries that a brief is about, by their English names; none if it sets no limit, or one unknown.

    They are those of its fields, without what it leaves out, and those that the question itself names.
    """
    if not all(map(countries_meant, brief.countries)) or brief.region is Region.WORLD:
        return frozenset()
    limits = (*brief.countries, *((brief.region.label.en,) if brief.region is not None else ()))
    left_out = {place for said in brief.exclusions for place in places_in(said) if folded(said) in place.forms}
    inside = frozenset[Name]().union(*map(countries_meant, limits)) - left_out
    return frozenset(place.en for place in inside | countries_meant(brief.question)) if inside else frozenset()


def is_elsewhere(page: FoundPage, asked: frozenset[str]) -> bool:
    """Whether a page is plainly about other countries than those that are asked about.

    Its title or the domain of its site is of another country, which it names again and again, and those that are asked
    about at most in passing. A page that names no country, or whose title or site is of one that is asked about, is
    not: it is only told where that is sure.
    """
    home, heading = country_of_site(site_of(page.url)), mentions_in(page.title)
    if not asked or home in asked or not asked.isdisjoint(heading):
        return False
    named = mentions_in(f"{page.title}\n{page.text[:_READ]}")
    times = max((named[other] for other in {home, *heading} - asked), default=0)
    return times >= max(_TIMES, _ASIDE * sum(named[one] for one in asked))
