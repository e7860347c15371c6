"""The deck's master and layouts: real placeholders in the application's colours, put together in memory."""

from __future__ import annotations

import io
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from research.export.office.template import packed, resource, theme
from research.export.pptx.geometry import (
    APPENDIX_ROOM,
    BODY,
    BYLINE,
    BYLINE_SIZE,
    FOOT,
    FOOT_SIZE,
    KEY_ROOM,
    MESSAGE_ROOM,
    NUMBER,
    OPENING,
    OPENING_SIZE,
    QUESTION,
    QUESTION_SIZE,
    QUIET_TITLE_SIZE,
    SECTION,
    SECTION_SIZE,
    TITLE,
    TITLE_SIZE,
    Layout,
    Slot,
)
from research.export.pptx.placeholders import Place, edge, levels, plain_style, rule, shape
from research.language import Language, Phrase

_SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_FIRST_LAYOUT_ID = 2_147_483_649
"""Ids of masters and layouts begin at 2^31; the master has the first."""

_NAMES = {
    Layout.OPENING: Phrase("Title slide"),
    Layout.KEY: Phrase("Message and few points"),
    Layout.MESSAGE: Phrase("Message and points"),
    Layout.CHART: Phrase("Message and chart"),
    Layout.TABLE: Phrase("Message and table"),
    Layout.APPENDIX: Phrase("Appendix"),
}
_TITLE = Phrase("Message")
_SECTION = Phrase("Section")
_TEXT = Phrase("Points")
_FOOT = Phrase("Sources")
_CHART = Phrase("Chart")
_TABLE = Phrase("Table")
_QUESTION = Phrase("Question")
_BYLINE = Phrase("Date, author, verification")


def template(language: Language) -> io.BytesIO:
    """Return a deck without slides."""
    here = "research.export.pptx"
    layouts = list(Layout)
    ids = "".join(
        f'<p:sldLayoutId id="{_FIRST_LAYOUT_ID + place}" r:id="rId{place}"/>' for place in range(1, len(layouts) + 1)
    )
    master = resource(here, "template_files/master.xml").decode().replace("<!--layouts-->", ids)
    master = master.replace("<!--places-->", _master_places(language)).replace("<!--body-->", levels(MESSAGE_ROOM))
    names = [f"slideLayouts/slideLayout{place}.xml" for place in range(1, len(layouts) + 1)]
    parts = {
        "[Content_Types].xml": _content_types(names),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": resource(here, "template_files/presentation.xml"),
        "ppt/_rels/presentation.xml.rels": _relations(
            [
                ("slideMaster", "slideMasters/slideMaster1.xml"),
                ("theme", "theme/theme1.xml"),
                ("presProps", "presProps.xml"),
                ("tableStyles", "tableStyles.xml"),
            ]
        ),
        "ppt/presProps.xml": f"{_DECLARATION}<p:presentationPr {_SPACES}/>".encode(),
        "ppt/tableStyles.xml": resource(here, "template_files/table_styles.xml"),
        "ppt/theme/theme1.xml": theme(),
        "ppt/slideMasters/slideMaster1.xml": master.encode(),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            [("slideLayout", f"../{name}") for name in names] + [("theme", "../theme/theme1.xml")]
        ),
    }
    for name, layout in zip(names, layouts, strict=True):
        parts[f"ppt/{name}"] = _layout(layout, language)
        folder, _, file = name.partition("/")
        parts[f"ppt/{folder}/_rels/{file}.rels"] = _relations([("slideMaster", "../slideMasters/slideMaster1.xml")])
    return packed(parts)


def _relations(targets: Sequence[tuple[str, str]]) -> bytes:
    rows = "".join(
        f'<Relationship Id="rId{place}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for place, (kind, target) in enumerate(targets, start=1)
    )
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'{_DECLARATION}<Relationships xmlns="{package}">{rows}</Relationships>'.encode()


def _content_types(layouts: Sequence[str]) -> bytes:
    base = "application/vnd.openxmlformats-officedocument"
    kinds = {
        "presentation.xml": "presentationml.presentation.main",
        "presProps.xml": "presentationml.presProps",
        "tableStyles.xml": "presentationml.tableStyles",
        "theme/theme1.xml": "theme",
        "slideMasters/slideMaster1.xml": "presentationml.slideMaster",
        **dict.fromkeys(layouts, "presentationml.slideLayout"),
    }
    rows = "".join(
        f'<Override PartName="/ppt/{name}" ContentType="{base}.{kind}+xml"/>' for name, kind in kinds.items()
    )
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'{_DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{rows}</Types>'
    ).encode()


def _master_places(language: Language) -> str:
    title = Place("title", Slot.TITLE, _TITLE, TITLE, "")
    body = Place("body", Slot.BODY, _TEXT, BODY, "")
    return shape(2, title, language) + shape(3, body, language) + shape(4, _number(), language)


def _number() -> Place:
    return Place("sldNum", Slot.NUMBER, Phrase("Number"), NUMBER, plain_style(FOOT_SIZE, "tx2", align="r"))


def _places(layout: Layout) -> list[Place]:
    title_size, colour = (QUIET_TITLE_SIZE, "tx2") if layout is Layout.APPENDIX else (TITLE_SIZE, "tx1")
    title = Place("title", Slot.TITLE, _TITLE, TITLE, plain_style(title_size, colour, is_bold=True))
    section = Place("body", Slot.SECTION, _SECTION, SECTION, plain_style(SECTION_SIZE, "accent1", is_bold=True), "b")
    foot = Place("body", Slot.FOOT, _FOOT, FOOT, plain_style(FOOT_SIZE, "tx2"))
    content = {
        Layout.KEY: Place("body", Slot.BODY, _TEXT, BODY, levels(KEY_ROOM)),
        Layout.MESSAGE: Place("body", Slot.BODY, _TEXT, BODY, ""),
        Layout.APPENDIX: Place("body", Slot.BODY, _TEXT, BODY, levels(APPENDIX_ROOM)),
        Layout.CHART: Place("chart", Slot.CHART, _CHART, BODY, ""),
        Layout.TABLE: Place("tbl", Slot.TABLE, _TABLE, BODY, ""),
    }
    if layout is Layout.OPENING:
        opening = plain_style(OPENING_SIZE, "tx1", is_bold=True)
        return [
            Place("ctrTitle", Slot.TITLE, _TITLE, OPENING, opening, "b"),
            Place("subTitle", Slot.BODY, _QUESTION, QUESTION, plain_style(QUESTION_SIZE, "tx2")),
            Place("body", Slot.BYLINE, _BYLINE, BYLINE, plain_style(BYLINE_SIZE, "tx2", before=4)),
        ]
    return [title, section, content[layout], foot, _number()]


def _layout(layout: Layout, language: Language) -> bytes:
    shapes = "".join(shape(number, place, language) for number, place in enumerate(_places(layout), start=2))
    drawn = edge() if layout is Layout.OPENING else rule()
    name = quoteattr(_NAMES[layout].in_(language))
    return (
        f'{_DECLARATION}<p:sldLayout {_SPACES} preserve="1" userDrawn="1"><p:cSld name={name}><p:spTree>{_GROUP}{drawn}'
        f"{shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    ).encode()
