"""Lines of a document as runs, links and citations of Word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from docx.opc.constants import RELATIONSHIP_TYPE as REL
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.core.citations import RECENT_MARK
from research.export.document import Citation, Inline, Line, LineBreak, SourceItem, Text
from research.export.docx.xml import r_id, text_nodes, w
from research.export.office.addresses import safe_address
from research.export.office.cleaning import clipped, runs_right_to_left
from research.export.office.tongues import JAPANESE, face_of

if TYPE_CHECKING:
    from docx.opc.part import Part


_TOOLTIP = 200


def bookmark_of(number: int) -> str:
    """Return the name of the bookmark at a source in the list of sources."""
    return f"source_{number}"


def run(text: str, *, style: str = "", like: Text | None = None, around: str = "") -> Element:
    """Return a run of plain text in a character style, with the bold, italic and struck words of `like`.

    The styles are for Japanese; Chinese and Korean are named, and set in typefaces of their own. `around` is the
    language of the page that the text is from, as far as it is known.
    """
    shown = like or Text("")
    face = None if shown.code else face_of(text, around)
    foreign = face if face is not JAPANESE else None
    properties = [
        w("rStyle", val=style) if style else None,
        w("rFonts", eastAsia=foreign.typeface) if foreign else None,
        *([w("b"), w("bCs")] if shown.bold else []),
        *([w("i"), w("iCs")] if shown.italic else []),
        w("strike") if shown.strike else None,
        w("rtl") if runs_right_to_left(text) else None,
        w("lang", eastAsia=foreign.tag) if foreign else None,
    ]
    given = [one for one in properties if one is not None]
    return w("r", w("rPr", *given) if given else None, *text_nodes(text))


class Links:
    """The links of one part of the file: each address is named once."""

    def __init__(self, part: Part, sources: Mapping[int, SourceItem]) -> None:
        self._part = part
        self._sources = sources
        self._relations: dict[str, str] = {}

    def to(self, url: str, *runs: Element) -> list[Element]:
        """Return runs that lead to an address; as they are if Office could not read it."""
        address = safe_address(url)
        if not address:
            return list(runs)
        if address not in self._relations:
            self._relations[address] = self._part.relate_to(address, REL.HYPERLINK, is_external=True)
        return [r_id(w("hyperlink", *runs, history=1), self._relations[address])]

    def line(self, line: Line) -> list[Element]:
        """Return a line as Word holds it."""
        return [element for piece in line for element in self._inline(piece)]

    def _inline(self, piece: Inline) -> list[Element]:
        match piece:
            case LineBreak():
                return [w("r", w("br"))]
            case Citation():
                return [self.citation(piece.number, is_recent=piece.is_recent)]
            case Text(url=""):
                return [run(piece.text, style="CodeText" if piece.code else "", like=piece)]
            case Text():
                style = "Hyperlink" if safe_address(piece.url) else ""
                return self.to(piece.url, run(piece.text, style=style, like=piece))

    def citation(self, number: int, *, is_recent: bool = False) -> Element:
        """Return the small number of a source, which leads to its entry in the list and tells its title."""
        mark = run(f"[{number}]{RECENT_MARK if is_recent else ''}", style="Citation")
        source = self._sources.get(number)
        if source is None:
            return mark
        title = clipped(source.title, _TOOLTIP) or None
        return w("hyperlink", mark, anchor=bookmark_of(number), tooltip=title, history=1)
