"""The foot of a slide: its sources by number and short title."""

from __future__ import annotations

from collections.abc import Sequence

from research.export.document import Citation, Line, SourceItem, Text, plain
from research.export.office.cleaning import clipped
from research.export.office.measuring import line_count
from research.export.office.words import SOURCES_HERE
from research.export.pptx.geometry import EMU_PER_POINT, FOOT, FOOT_LINES, FOOT_SIZE
from research.export.pptx.paging import shortened
from research.language import Language

_TITLES = (70, 48, 32, 20, 0)
"""Characters of a title, from the longest that fits; at last the numbers alone."""
_EMS = (FOOT.width / EMU_PER_POINT - 15) / FOOT_SIZE


def foot_line(sources: Sequence[SourceItem], remark: str, language: Language) -> Line:
    """Return the foot: a remark, then the sources, with titles as long as there is room for."""
    for most in _TITLES:
        line = _line(sources, remark, language, most)
        if line_count(plain(line), _EMS) <= FOOT_LINES:
            return line
    return shortened(line, _EMS, FOOT_LINES)


def _line(sources: Sequence[SourceItem], remark: str, language: Language, most: int) -> Line:
    named: list[Line] = [(Text(remark),)] if remark else []
    for source in sources:
        title = (Text(f" {clipped(source.title, most)}", url=source.url),) if most else ()
        named.append((Citation(source.number), *title))
    if not named:
        return ()
    label = Text(SOURCES_HERE.in_(language)) if sources else Text("")
    between = Text(" · ")
    joined = [piece for place, one in enumerate(named) for piece in ((between, *one) if place else one)]
    return (label, *joined)
