"""A report as a PowerPoint file."""

from __future__ import annotations

import io
from datetime import datetime, time
from typing import TYPE_CHECKING

from research.core.errors import UsageError
from research.export.document import ReportDocument
from research.export.office.cleaning import clipped
from research.export.office.words import DECK, missing, tag
from research.export.pptx.deck import slides_of
from research.export.pptx.geometry import Layout
from research.export.pptx.template import template

if TYPE_CHECKING:
    from pptx.presentation import Presentation as Deck


_LONGEST_PROPERTY = 250
_MAKER = "Research Workbench"


def to_pptx(document: ReportDocument) -> bytes:
    """Return the report as a `.pptx` file.

    Raises:
        UsageError: the extra `documents` is not installed.
    """
    try:
        from pptx import Presentation
    except ImportError as error:
        raise UsageError(missing(DECK, document.language)) from error
    from research.export.pptx.filling import Filling
    from research.export.pptx.runs import Target

    deck = Presentation(template(document.language))
    planned = slides_of(document)
    layouts = dict(zip(Layout, deck.slide_layouts, strict=True))
    made = [(deck.slides.add_slide(layouts[slide.layout]), slide) for slide in planned]
    sources = {source.number: source for source in document.sources}
    targets = {
        point.source: Target(sources[point.source], native.part)
        for native, slide in made
        for point in slide.points
        if point.source is not None
    }
    filling = Filling(document.language, targets)
    for number, (native, slide) in enumerate(made, start=1):
        filling.fill(native, slide, number)
    _describe(deck, document)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _describe(deck: Deck, document: ReportDocument) -> None:
    """Set the properties that a file manager shows."""
    properties = deck.core_properties
    properties.title = clipped(document.title, _LONGEST_PROPERTY)
    properties.subject = clipped(document.question, _LONGEST_PROPERTY)
    properties.author = properties.last_modified_by = _MAKER
    properties.comments = clipped(document.byline, _LONGEST_PROPERTY)
    properties.identifier = clipped(document.run, _LONGEST_PROPERTY)
    properties.language = tag(document.language)
    properties.created = properties.modified = datetime.combine(document.researched, time())
    properties.revision = 1
