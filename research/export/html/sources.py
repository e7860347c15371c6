"""The list of sources with the quotes behind each citation; the entry that a citation leads to opens over the text."""

from __future__ import annotations

import htpy as h
from babel.dates import format_date

from research.export.document import QuotedPassage, Source
from research.export.html.lines import Setting, citation_id, link, source_id
from research.export.html.words import CITED_AT, CLOSE, PLACE, QUOTED, READ, RECENT, SOURCES
from research.export.printable import printable

NOWHERE = "#-"
"""Leads to nothing in the page: following it closes what a link had opened, and nothing moves."""
_PLACES = 12
"""Ways back to the text that one source shows at most."""


def sources_section(setting: Setting) -> h.Node:
    """Return the section that lists the sources; to be called when everything that cites has been set."""
    title = SOURCES.in_(setting.language)
    entry = setting.enter(1, title)
    return h.section(".part.part-sources", aria_labelledby=entry.id)[
        h.h2(id=entry.id)[title],
        h.ol(".sources")[[_source(source, setting) for source in setting.sources.values()]],
    ]


def _source(source: Source, setting: Setting) -> h.Node:
    language = setting.language
    closing = CLOSE.in_(language)
    title = _bdi(source.title, setting.lang(source.title, source.number))
    return h.li(id=source_id(source.number), value=str(source.number), tabindex="-1")[
        h.div(".entry")[
            h.p(".title")[
                h.span(".number", aria_hidden="true")[f"[{source.number}]"],
                " ",
                link(source.url, title),
            ],
            h.p(".facts")[_facts(source, setting)],
            h.p(".address")[printable(source.url)] if source.url else None,
            [_quote(quote, source.number, setting) for quote in source.quotes],
            _ways_back(source.number, setting),
        ],
        h.a(".close", href=NOWHERE, aria_label=closing, title=closing)["×"],
    ]


def _facts(source: Source, setting: Setting) -> list[h.Node]:
    language = setting.language
    read = format_date(source.fetched, "long", locale=language.value)
    day = printable(source.dated)
    dated: h.Node = h.strong(title=RECENT.in_(language))[day] if source.is_recent else day
    facts: list[h.Node] = [_bdi(source.site), printable(source.kind), dated, READ.in_(language).format(date=read)]
    return [node for number, fact in enumerate(facts) for node in ([" · ", fact] if number else [fact])]


def _quote(quote: QuotedPassage, number: int, setting: Setting) -> h.Node:
    return h.blockquote(aria_label=QUOTED.in_(setting.language))[
        h.p(lang=setting.lang(quote.text, number))[printable(quote.text)]
    ]


def _ways_back(number: int, setting: Setting) -> h.Node:
    """Return links to the places in the text that cite a source."""
    count = setting.cited_at.get(number, 0)
    if not count:
        return None
    say = PLACE.in_(setting.language)
    ways = [
        h.a(href=f"#{citation_id(number, place)}", aria_label=say.format(place=place, number=number))[str(place)]
        for place in range(1, min(count, _PLACES) + 1)
    ]
    return h.p(".back")[CITED_AT.in_(setting.language), [[" ", way] for way in ways], " …" if count > _PLACES else None]


def _bdi(text: str, lang: str | None = None) -> h.Node:
    """Return somebody else's words, whose direction stays their own."""
    return h.bdi(lang=lang)[printable(text)]
