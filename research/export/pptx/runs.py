"""Lines of a report as the runs of a slide or of its notes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from pptx.opc.constants import RELATIONSHIP_TYPE as REL
from pptx.opc.package import Part
from pptx.oxml.ns import qn
from pptx.oxml.xmlchemy import BaseOxmlElement as Element

from research.core.citations import RECENT_MARK
from research.export.document import Citation, Inline, Line, LineBreak, SourceItem, Text
from research.export.office.addresses import safe_address
from research.export.office.cleaning import clean, clipped
from research.export.office.lines import bound
from research.export.office.palette import MONOSPACE
from research.export.office.tongues import JAPANESE, face_of
from research.export.office.words import tag
from research.export.pptx.xml import a, r_id
from research.language import Language

if TYPE_CHECKING:
    from pptx.shapes.base import BaseShape


_RAISED = 30_000
_BETWEEN = "\N{HAIR SPACE}"
"""Keeps citations apart, whose links some programs would run together."""
_TOOLTIP = 200
_WESTERN = "en-US"
_LATIN = re.compile("[A-Za-z]")
_JUMP = "ppaction://hlinksldjump"


class Target(NamedTuple):
    """Where the number of a source leads: the slide with its entry."""

    source: SourceItem
    part: Part


class Runs:
    """Writes the lines of one slide, or of its notes, which have no jumps."""

    def __init__(self, part: Part, language: Language, targets: Mapping[int, Target]) -> None:
        self._part = part
        self._tag = tag(language)
        self._targets = targets

    def line(self, line: Line, *, raises: bool = True) -> list[Element]:
        """Return a line as runs; citations are raised unless they lead it, or stand in a line of sources."""
        found: list[Element] = []
        line = bound(line) if raises else line
        for place, piece in enumerate(line):
            if place and isinstance(piece, Citation) and isinstance(line[place - 1], Citation):
                found += self._words(_BETWEEN, self._properties(Text(""), None))
            found += self._inline(piece, raises=raises and place > 0)
        return found

    def _inline(self, piece: Inline, *, raises: bool) -> list[Element]:
        match piece:
            case LineBreak():
                return [a("br")]
            case Citation():
                words = f"[{piece.number}]{RECENT_MARK if piece.is_recent else ''}"
                raised = _RAISED if raises else None
                return self._words(words, self._properties(Text(words), self._jump(piece.number), baseline=raised))
            case Text():
                return self._words(clean(piece.text), self._properties(piece, self._link(piece.url)))

    def _properties(self, like: Text, link: Element | None, baseline: int | None = None) -> Element:
        face = face_of(like.text)
        is_latin = face is None and _LATIN.search(like.text) is not None
        spoken = face.tag if face else _WESTERN if is_latin else self._tag
        other = _WESTERN if spoken != _WESTERN else self._tag
        return a(
            "rPr",
            a("latin", typeface=MONOSPACE) if like.code else None,
            a("ea", typeface=face.typeface) if face and face is not JAPANESE else None,
            a("cs", typeface=MONOSPACE) if like.code else None,
            link,
            lang=spoken,
            altLang=other if other != spoken else None,
            b=1 if like.bold else None,
            i=1 if like.italic else None,
            strike="sngStrike" if like.strike else None,
            baseline=baseline,
        )

    def _words(self, text: str, properties: Element) -> list[Element]:
        found: list[Element] = []
        for place, row in enumerate(text.split("\n")):
            if place:
                found.append(a("br"))
            if row:
                words = a("t")
                words.text = row.replace("\t", "    ")
                found.append(a("r", deepcopy(properties), words))
        return found

    def _link(self, url: str) -> Element | None:
        address = safe_address(url) if url else ""
        if not address:
            return None
        return r_id(a("hlinkClick"), self._part.relate_to(address, REL.HYPERLINK, is_external=True))

    def _jump(self, number: int) -> Element | None:
        target = self._targets.get(number)
        if target is None:
            return None
        title = clipped(target.source.title, _TOOLTIP) or None
        return r_id(a("hlinkClick", action=_JUMP, tooltip=title), self._part.relate_to(target.part, REL.SLIDE))


def write(shape: BaseShape, paragraphs: Sequence[Element]) -> None:
    """Put paragraphs into a shape in place of its own."""
    body = shape._element.find(qn("p:txBody"))
    for old in body.findall(qn("a:p")):
        body.remove(old)
    body.extend(paragraphs)


def paragraph(runs: Sequence[Element], properties: Element | None = None) -> Element:
    """Return a paragraph."""
    return a("p", properties, *runs)
