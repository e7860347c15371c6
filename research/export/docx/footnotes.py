"""Footnotes: a source is named at the foot of the page that cites it first, under its own number.

A footnote counted by Word would change its number when a colleague deletes a sentence or adds a note, and no longer be
that of the list of sources. So each has a mark of its own, which shows nothing, beside the number that leads there.
"""

from __future__ import annotations

from collections.abc import Mapping

from docx.document import Document as WordDocument
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import Citation, Line, SourceItem
from research.export.docx.inlines import Links, run
from research.export.docx.xml import styled, text_nodes, w
from research.export.words import tongue_of

_MARK = "\N{ZERO WIDTH SPACE}"
_SEPARATORS = (("separator", -1), ("continuationSeparator", 0))


class Footnotes:
    """The footnotes of a file; each source has at most one."""

    def __init__(self, word: WordDocument, sources: Mapping[int, SourceItem]) -> None:
        notes = (w("footnote", _rule(kind), type=kind, id=number) for kind, number in _SEPARATORS)
        self._root = w("footnotes", *notes)
        package = word.part.package
        assert package is not None
        part = XmlPart(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, self._root, package)
        word.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        self._links = Links(part, sources)
        self._sources = sources
        self._noted: set[int] = set()

    def line(self, line: Line, links: Links) -> list[Element]:
        """Return a line of the text, with a footnote at its first citation of each source."""
        found: list[Element] = []
        for piece in line:
            found += links.line((piece,))
            if isinstance(piece, Citation) and piece.number in self._sources and piece.number not in self._noted:
                found.append(self._mark(piece.number))
        return found

    def _mark(self, cited: int) -> Element:
        self._noted.add(cited)
        number = len(self._noted)
        self._root.append(w("footnote", self._entry(self._sources[cited]), id=number))
        return w(
            "r",
            w("rPr", w("rStyle", val="FootnoteReference")),
            w("footnoteReference", customMarkFollows=1, id=number),
            *text_nodes(_MARK),
        )

    def _entry(self, source: SourceItem) -> Element:
        facts = " · ".join(fact for fact in (source.site, source.kind, source.dated) if fact)
        title = run(source.title, style="Hyperlink" if source.url else "", around=tongue_of(source))
        return styled(
            "FootnoteText",
            self._links.citation(source.number),
            run(" "),
            *self._links.to(source.url, title),
            run(f" — {facts}" if facts else "", style="Quiet"),
        )


def _rule(kind: str) -> Element:
    return w("p", w("pPr", w("spacing", after=0, line=240, lineRule="auto")), w("r", w(kind)))
