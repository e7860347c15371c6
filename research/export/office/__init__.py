"""Reports as Word and PowerPoint files, each filled from one designed template.

Both share colours, typefaces, and what a file says of itself. The templates are made by
`python -m bench.office_templates`.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import datetime, time
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from research.export.document import Block, Citation, Line, Paragraph, ReportDocument, Text, plain
from research.export.markdown import SOURCES_OF_SECTION
from research.export.words import KOREAN, SIMPLIFIED, TRADITIONAL, one_line, shortened, tongue
from research.language import Bilingual, Language, Phrase

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties as WordProperties
    from pptx.parts.coreprops import CorePropertiesPart as DeckProperties


QUIET, LINE = "5A6675", "DDE1E7"
SERIES = ("2B5797", "1E7A4C", "9A5B00", "7A4B9A", "B3261E", "5A6675")
"""The colours of a chart's series, in order: those of the application, as in the templates."""
MONOSPACE = "Consolas"
TOOLTIP = 200
"""Letters of a title that appears beside a link."""
SOURCES_HERE = Phrase("Sources: ", "of a chart")
QUOTED = Bilingual("“{text}”", "「{text}」")
_TAGS = {Language.EN: "en-US", Language.JA: "ja-JP"}


def tag(language: Language) -> str:
    """Return the language's tag as Office writes it."""
    return _TAGS[language]


def runs_right_to_left(text: str) -> bool:
    """Whether the first letter of `text` belongs to a script that is written from right to left."""
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


class Face(NamedTuple):
    """What East Asian text of a language is set in."""

    tag: str
    """The language, as Office writes it."""
    typeface: str
    """A sans serif that comes with Windows and with Office for the Mac."""


JAPANESE = Face("ja-JP", "Yu Gothic")
_FACES = {
    Language.JA.value: JAPANESE,
    KOREAN: Face("ko-KR", "Malgun Gothic"),
    SIMPLIFIED: Face("zh-CN", "Microsoft YaHei"),
    TRADITIONAL: Face("zh-TW", "Microsoft JhengHei"),
}


@lru_cache(maxsize=4_096)
def face_of(text: str, around: str = "") -> Face | None:
    """Return what East Asian text is set in; None for text that is mostly in other letters.

    `around` is the language of the page that the text is from, as `research.export.words.tongue_of` tells it.
    """
    return None if text.isascii() else _FACES.get(tongue(text, Language.EN, around))


_UNBROKEN = "\N{NO-BREAK SPACE}"


def bound(line: Line) -> Line:
    """Return a line in which no citation begins a new line of the page if there is a blank before it."""
    return tuple(
        replace(piece, text=f"{piece.text[:-1]}{_UNBROKEN}")
        if isinstance(piece, Text) and isinstance(after, Citation) and piece.text.endswith(" ") and piece.text.strip()
        else piece
        for piece, after in zip_longest(line, line[1:])
        if piece is not None
    )


def names_sources(block: Block, language: Language) -> bool:
    """Whether a block is the line under a section that names its sources."""
    return isinstance(block, Paragraph) and plain(block.line).startswith(SOURCES_OF_SECTION.in_(language))


MAKER, LONGEST_PROPERTY = "Research Workbench", 250


def describe_file(properties: WordProperties | DeckProperties, document: ReportDocument) -> None:
    """Set the properties that a file manager shows."""
    said = (document.title, document.question, document.byline, document.run)
    properties.title, properties.subject, properties.comments, properties.identifier = (
        shortened(one_line(text), LONGEST_PROPERTY) for text in said
    )
    properties.author = properties.last_modified_by = MAKER
    properties.language = tag(document.language)
    properties.created = properties.modified = datetime.combine(document.researched, time())
    properties.revision = 1
