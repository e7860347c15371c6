"""The list of sources, each entry with the quotes behind its citations."""

from __future__ import annotations

from collections.abc import Iterator

from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import ReportDocument, SourceItem, Text
from research.export.docx.body import Body
from research.export.docx.inlines import bookmark_of, run
from research.export.docx.xml import styled, w
from research.export.office.cleaning import one_line
from research.export.words import tongue_of


def source_entries(document: ReportDocument, body: Body) -> Iterator[Element]:
    """Yield the entries in their order; a citation's number leads to its entry."""
    for source in sorted(document.sources, key=lambda one: one.number):
        yield _entry(source, body)
        for quote in source.quotes:
            yield styled("SourceQuote", run(one_line(quote.text), around=tongue_of(source)))


def _entry(source: SourceItem, body: Body) -> Element:
    facts = " · ".join(one_line(fact) for fact in (source.site, source.kind) if fact)
    title = run(one_line(source.title), style="Hyperlink" if source.url else "", around=tongue_of(source))
    number = body.bookmarked(bookmark_of(source.number), [run(f"[{source.number}]", like=Text("", bold=True))])
    kept = w("keepNext") if source.quotes else None
    return w(
        "p",
        w("pPr", w("pStyle", val="SourceEntry"), kept),
        *number,
        run("\t"),
        *body.links.to(source.url, title),
        run(f" — {facts} · "),
        run(source.dated, like=Text("", bold=source.is_recent)),
        *([w("r", w("br")), *body.links.to(source.url, run(source.url, style="Quiet"))] if source.url else []),
    )
