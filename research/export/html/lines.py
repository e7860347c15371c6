"""From a line of a document to HTML: words in their style, and citations that lead to their source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import htpy as h

from research.core.citations import RECENT_MARK
from research.export.document import Citation, Line, LineBreak, Source, Text, plain
from research.export.html.words import RECENT, SOURCE
from research.export.printable import printable
from research.export.tongues import tongue
from research.language import Language

_SCHEMES = ("http", "https", "mailto")


@dataclass(frozen=True)
class Entry:
    """A line of the table of contents."""

    id: str
    level: int
    words: str


@dataclass
class Setting:
    """What is known of a document while it is turned into HTML."""

    language: Language
    sources: Mapping[int, Source]
    """By number."""
    tongues: Mapping[int, str] = field(default_factory=dict)
    """Which East Asian language the page of each source is written in, as far as that is known."""
    headings: list[Entry] = field(default_factory=list)
    cited_at: dict[int, int] = field(default_factory=dict)
    """How often each source has been cited so far."""
    charts: int = 0

    def enter(self, level: int, words: str) -> Entry:
        """Enter a heading into the table of contents."""
        entry = Entry(f"h{len(self.headings) + 1}", level, words)
        self.headings.append(entry)
        return entry

    def lang(self, text: str, source: int | None = None) -> str | None:
        """Return the language of a text, perhaps of the page of a source, if it is not the document's."""
        code = tongue(text, self.language, self.tongues.get(source, "") if source is not None else "")
        return None if code == self.language.value else code

    def lang_of(self, line: Line) -> str | None:
        """Return the language of a line, if it is not the document's."""
        cited = next((piece.number for piece in line if isinstance(piece, Citation)), None)
        return self.lang(plain(line), cited)

    def cite(self, number: int) -> str:
        """Count a citation and return its id."""
        self.cited_at[number] = self.cited_at.get(number, 0) + 1
        return citation_id(number, self.cited_at[number])


def citation_id(number: int, place: int) -> str:
    """Return the id of the citation of a source that is its `place`th."""
    return f"c{number}-{place}"


def source_id(number: int) -> str:
    """Return the id of an entry in the list of sources."""
    return f"s{number}"


def line_nodes(line: Line, setting: Setting) -> list[h.Node]:
    """Return the pieces of a line."""
    return [_piece(piece, setting) for piece in line]


def link(address: str, label: h.Node) -> h.Node:
    """Return a link that opens beside the report; what is no address of the web or of mail stays words."""
    if not _is_allowed(address):
        return label
    return h.a(href=printable(address), target="_blank", rel="noopener noreferrer")[label]


def words_of(line: Line) -> str:
    """Return the words of a line without its citations."""
    return printable("".join(piece.text for piece in line if isinstance(piece, Text))).strip()


def _is_allowed(address: str) -> bool:
    try:
        return urlsplit(address).scheme in _SCHEMES
    except ValueError:
        return False


def _piece(piece: Text | Citation | LineBreak, setting: Setting) -> h.Node:
    match piece:
        case Text():
            return _styled(piece)
        case Citation():
            return _citation(piece, setting)
        case LineBreak():
            return h.br


def _styled(piece: Text) -> h.Node:
    node: h.Node = printable(piece.text)
    if piece.code:
        node = h.code[node]
    if piece.strike:
        node = h.s[node]
    if piece.italic:
        node = h.em[node]
    if piece.bold:
        node = h.strong[node]
    return link(piece.url, node) if piece.url else node


def _citation(piece: Citation, setting: Setting) -> h.Node:
    dagger = h.span(".recent", title=RECENT.in_(setting.language))[RECENT_MARK] if piece.is_recent else None
    source = setting.sources.get(piece.number)
    if source is None:
        return [f"[{piece.number}]", dagger]
    said = SOURCE.in_(setting.language).format(number=piece.number, title=printable(source.title))
    address = f"#{source_id(piece.number)}"
    number = h.a(".cite", id=setting.cite(piece.number), href=address, title=said)[f"[{piece.number}]"]
    return [number, dagger]
