"""The deck's master and layouts: real placeholders in the application's colours, put together in memory."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from research.export.office.template import packed, resource, theme
from research.export.pptx.geometry import (
    APPENDIX_ROOM,
    BODY,
    EMU_PER_POINT,
    FOOT,
    FOOT_SIZE,
    INDENT,
    MESSAGE_ROOM,
    NUMBER,
    QUIET_TITLE_SIZE,
    RULE,
    SECTION,
    SECTION_SIZE,
    TITLE,
    TITLE_SIZE,
    Box,
    Layout,
    Room,
    Slot,
    box,
)
from research.language import Bilingual, Language

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
_MARKS = ("•", "–", "▪")
_FIRST_LAYOUT_ID = 2_147_483_649
"""Ids of masters and layouts begin at 2^31; the master has the first."""

_NAMES = {
    Layout.OPENING: Bilingual("Title slide", "表紙"),
    Layout.MESSAGE: Bilingual("Message and points", "メッセージと要点"),
    Layout.CHART: Bilingual("Message and chart", "メッセージとグラフ"),
    Layout.TABLE: Bilingual("Message and table", "メッセージと表"),
    Layout.APPENDIX: Bilingual("Appendix", "付録"),
}
_TITLE = Bilingual("Message", "メッセージ")
_SECTION = Bilingual("Section", "章")
_TEXT = Bilingual("Points", "要点")
_FOOT = Bilingual("Sources", "情報源")
_CHART = Bilingual("Chart", "グラフ")
_TABLE = Bilingual("Table", "表")
_QUESTION = Bilingual("Question", "問い")
_BYLINE = Bilingual("Date, author, verification", "調査日・執筆・検証")


@dataclass(frozen=True)
class _Place:
    """A placeholder of a layout."""

    kind: str
    slot: int
    name: Bilingual
    box: Box
    style: str
    """The list style of its text."""
    anchor: str = "t"


def template(language: Language) -> io.BytesIO:
    """Return a deck without slides."""
    here = "research.export.pptx.template_files"
    layouts = list(Layout)
    ids = "".join(
        f'<p:sldLayoutId id="{_FIRST_LAYOUT_ID + place}" r:id="rId{place}"/>' for place in range(1, len(layouts) + 1)
    )
    master = resource(here, "master.xml").decode().replace("<!--layouts-->", ids)
    master = master.replace("<!--places-->", _master_places(language)).replace("<!--body-->", _levels(MESSAGE_ROOM))
    names = [f"slideLayouts/slideLayout{place}.xml" for place in range(1, len(layouts) + 1)]
    parts = {
        "[Content_Types].xml": _content_types(names),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": resource(here, "presentation.xml"),
        "ppt/_rels/presentation.xml.rels": _relations(
            [
                ("slideMaster", "slideMasters/slideMaster1.xml"),
                ("theme", "theme/theme1.xml"),
                ("presProps", "presProps.xml"),
                ("tableStyles", "tableStyles.xml"),
            ]
        ),
        "ppt/presProps.xml": f"{_DECLARATION}<p:presentationPr {_SPACES}/>".encode(),
        "ppt/tableStyles.xml": resource(here, "table_styles.xml"),
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


def _levels(room: Room) -> str:
    """Return the styles of the levels of points."""
    return "".join(_level(number, size, room.before) for number, size in enumerate(room.sizes, start=1))


def _level(number: int, size: float, before: float) -> str:
    left, indent = INDENT * number * EMU_PER_POINT, INDENT * EMU_PER_POINT
    return (
        f'<a:lvl{number}pPr marL="{left}" indent="-{indent}" algn="l" rtl="0" eaLnBrk="1" latinLnBrk="0"'
        f' hangingPunct="1"><a:spcBef><a:spcPts val="{round(before * 100)}"/></a:spcBef>'
        f'<a:buClr><a:schemeClr val="accent1"/></a:buClr><a:buFont typeface="Arial"/>'
        f'<a:buChar char="{_MARKS[(number - 1) % len(_MARKS)]}"/>'
        f'<a:defRPr sz="{round(size * 100)}" kern="1200">{_filled("tx1")}'
        f'<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl{number}pPr>'
    )


def _filled(colour: str) -> str:
    return f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'


def _plain_style(size: float, colour: str, *, is_bold: bool = False, align: str = "l", before: int = 0) -> str:
    return (
        f'<a:lvl1pPr marL="0" indent="0" algn="{align}">'
        f'<a:spcBef><a:spcPts val="{before * 100}"/></a:spcBef><a:buNone/>'
        f'<a:defRPr sz="{round(size * 100)}" b="{int(is_bold)}">{_filled(colour)}</a:defRPr></a:lvl1pPr>'
    )


def _master_places(language: Language) -> str:
    title = _Place("title", Slot.TITLE, _TITLE, TITLE, "")
    body = _Place("body", Slot.BODY, _TEXT, BODY, "")
    return _shape(2, title, language) + _shape(3, body, language) + _shape(4, _number(), language)


def _number() -> _Place:
    return _Place("sldNum", Slot.NUMBER, Bilingual("Number", "番号"), NUMBER, _plain_style(FOOT_SIZE, "tx2", align="r"))


def _places(layout: Layout) -> list[_Place]:
    title_size, colour = (QUIET_TITLE_SIZE, "tx2") if layout is Layout.APPENDIX else (TITLE_SIZE, "tx1")
    title = _Place("title", Slot.TITLE, _TITLE, TITLE, _plain_style(title_size, colour, is_bold=True))
    section = _Place("body", Slot.SECTION, _SECTION, SECTION, _plain_style(SECTION_SIZE, "accent1", is_bold=True), "b")
    foot = _Place("body", Slot.FOOT, _FOOT, FOOT, _plain_style(FOOT_SIZE, "tx2"))
    content = {
        Layout.MESSAGE: _Place("body", Slot.BODY, _TEXT, BODY, ""),
        Layout.APPENDIX: _Place("body", Slot.BODY, _TEXT, BODY, _levels(APPENDIX_ROOM)),
        Layout.CHART: _Place("chart", Slot.CHART, _CHART, BODY, ""),
        Layout.TABLE: _Place("tbl", Slot.TABLE, _TABLE, BODY, ""),
    }
    if layout is Layout.OPENING:
        opening = _plain_style(38, "tx1", is_bold=True)
        return [
            _Place("ctrTitle", Slot.TITLE, _TITLE, box(0.9, 1.6, 11.4, 2.3), opening, "b"),
            _Place("subTitle", Slot.BODY, _QUESTION, box(0.9, 4.05, 11.4, 0.95), _plain_style(20, "tx2")),
            _Place("body", Slot.BYLINE, _BYLINE, box(0.9, 5.45, 11.4, 1.2), _plain_style(13, "tx2", before=4)),
        ]
    return [title, section, content[layout], foot, _number()]


def _layout(layout: Layout, language: Language) -> bytes:
    shapes = "".join(_shape(number, place, language) for number, place in enumerate(_places(layout), start=2))
    drawn = _bar() if layout is Layout.OPENING else _rule()
    name = quoteattr(_NAMES[layout].in_(language))
    return (
        f'{_DECLARATION}<p:sldLayout {_SPACES} preserve="1" userDrawn="1"><p:cSld name={name}><p:spTree>{_GROUP}{drawn}'
        f"{shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    ).encode()


def _shape(number: int, place: _Place, language: Language) -> str:
    name = place.name.in_(language)
    index = "" if place.kind in ("title", "ctrTitle") else f' idx="{place.slot}"'
    field = '<a:fld id="{5B0B7E0C-6E0A-4B65-9C0B-6A2F5B1D7A11}" type="slidenum"><a:rPr/><a:t>‹#›</a:t></a:fld>'
    words = field if place.kind == "sldNum" else f"<a:r><a:rPr/><a:t>{escape(name)}</a:t></a:r>"
    fit = "<a:normAutofit/>" if place.kind in ("title", "ctrTitle", "body", "subTitle") else "<a:noAutofit/>"
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id={quoteattr(str(number))} name={quoteattr(name)}/>"
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="{place.kind}"{index}/></p:nvPr></p:nvSpPr>'
        f"<p:spPr>{_transform(place.box)}"
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr vert="horz" lIns="0"'
        f' tIns="45720" rIns="0" bIns="45720" rtlCol="0" anchor="{place.anchor}">{fit}</a:bodyPr>'
        f"<a:lstStyle>{place.style}</a:lstStyle><a:p>{words}</a:p></p:txBody></p:sp>"
    )


def _transform(box: Box) -> str:
    return f'<a:xfrm><a:off x="{box.left}" y="{box.top}"/><a:ext cx="{box.width}" cy="{box.height}"/></a:xfrm>'


def _rule() -> str:
    """Return the line above the foot."""
    return (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="90" name="Rule"/><p:cNvCxnSpPr/><p:nvPr userDrawn="1"/></p:nvCxnSpPr>'
        f'<p:spPr>{_transform(RULE)}<a:prstGeom prst="line"><a:avLst/></a:prstGeom>'
        '<a:ln w="9525"><a:solidFill><a:srgbClr val="DDE1E7"/></a:solidFill></a:ln></p:spPr></p:cxnSp>'
    )


def _bar() -> str:
    """Return the coloured edge of the first slide."""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="91" name="Edge"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{_transform(box(0, 0, 0.28, 7.5))}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr>'
        "<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )
