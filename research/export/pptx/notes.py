"""The speaker's notes of a slide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.packuri import PackURI
from pptx.oxml.slide import CT_NotesSlide
from pptx.parts.slide import NotesSlidePart

from research.export.document import Line
from research.export.pptx.runs import Runs, paragraph, write
from research.language import Language

if TYPE_CHECKING:
    from pptx.slide import Slide as NativeSlide


def add_notes(native: NativeSlide, number: int, lines: Sequence[Line], language: Language) -> None:
    """Give a slide, the deck's `number`-th, its notes.

    The library would look through the whole deck for a free name each time, which takes minutes for a long deck.
    """
    slide = native.part
    master = slide.package.presentation_part.notes_master_part
    name = PackURI(f"/ppt/notesSlides/notesSlide{number}.xml")
    part = NotesSlidePart(name, CONTENT_TYPE.PML_NOTES_SLIDE, slide.package, CT_NotesSlide.new())
    part.relate_to(master, RELATIONSHIP_TYPE.NOTES_MASTER)
    part.relate_to(slide, RELATIONSHIP_TYPE.SLIDE)
    part.notes_slide.clone_master_placeholders(master.notes_master)
    slide.relate_to(part, RELATIONSHIP_TYPE.NOTES_SLIDE)
    place = part.notes_slide.notes_placeholder
    assert place is not None
    runs = Runs(part, language, {})
    write(place, [paragraph(runs.line(line, raises=False)) for line in lines])
