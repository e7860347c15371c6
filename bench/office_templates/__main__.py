"""Makes the templates of Word and PowerPoint files anew: `python -m bench.office_templates`.

The parts of the Word template stand in `word`. Master and layouts of the deck are drawn from the places and sizes that
`research.export.office.fitting` measures by; the rest of it stands in `deck`. Both have the same `theme.xml`. Whoever
would rather change a template in Word or PowerPoint itself writes down here what was changed.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import research.export.office
from research.export.office import LINE
from research.export.office.fitting import (
    BEFORE,
    BODY_HEIGHT,
    BODY_WIDTH,
    FOOT_SIZE,
    INDENT,
    QUESTION_SIZE,
    SECTION_SIZE,
    SIZES,
    TABLE_DROP,
    TITLE_SIZE,
    TITLE_SIZES,
    Layout,
    Slot,
)

HERE = Path(__file__).parent
TEMPLATES = Path(research.export.office.__file__).parent

_SAME_DAY = (2026, 1, 1, 0, 0, 0)
_EMU = 12_700
"""Of a point."""
_WORD_PARTS = {
    "[Content_Types].xml": "content_types.xml",
    "_rels/.rels": "package_rels.xml",
    "word/_rels/document.xml.rels": "document_rels.xml",
    "word/document.xml": "document.xml",
    "word/styles.xml": "styles.xml",
    "word/settings.xml": "settings.xml",
    "word/numbering.xml": "numbering.xml",
    "word/fontTable.xml": "fonts.xml",
    "word/footnotes.xml": "footnotes.xml",
    "word/header1.xml": "header.xml",
    "word/header2.xml": "header_first.xml",
    "word/footer1.xml": "footer.xml",
    "word/footer2.xml": "footer.xml",
}


def word_parts() -> dict[str, bytes]:
    """Return the parts of the Word template by their names in the file."""
    parts = {name: (HERE / "word" / file).read_bytes() for name, file in _WORD_PARTS.items()}
    return {**parts, "word/theme/theme1.xml": (HERE / "theme.xml").read_bytes()}


def deck_parts() -> dict[str, bytes]:
    """Return the parts of the PowerPoint template by their names in the file."""
    layouts = list(Layout)
    names = [f"slideLayouts/slideLayout{place}.xml" for place in range(1, len(layouts) + 1)]
    parts = {
        "[Content_Types].xml": _content_types(names),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": (HERE / "deck" / "presentation.xml").read_bytes(),
        "ppt/_rels/presentation.xml.rels": _relations(
            [
                ("slideMaster", "slideMasters/slideMaster1.xml"),
                ("theme", "theme/theme1.xml"),
                ("presProps", "presProps.xml"),
                ("tableStyles", "tableStyles.xml"),
            ]
        ),
        "ppt/presProps.xml": f"{_DECLARATION}<p:presentationPr {_SPACES}/>".encode(),
        "ppt/tableStyles.xml": (HERE / "deck" / "table_styles.xml").read_bytes(),
        "ppt/theme/theme1.xml": (HERE / "theme.xml").read_bytes(),
        "ppt/slideMasters/slideMaster1.xml": _master(len(layouts)),
        "ppt/slideMasters/_rels/slideMaster1.xml.rels": _relations(
            [("slideLayout", f"../{name}") for name in names] + [("theme", "../theme/theme1.xml")]
        ),
    }
    for name, layout in zip(names, layouts, strict=True):
        parts[f"ppt/{name}"] = _layout(layout)
        folder, _, file = name.partition("/")
        parts[f"ppt/{folder}/_rels/{file}.rels"] = _relations([("slideMaster", "../slideMasters/slideMaster1.xml")])
    return parts


# --- the deck's package ------------------------------------------------------------------------------------------

_SPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_FIRST_LAYOUT_ID = 2_147_483_649
"""Ids of masters and layouts begin at 2^31; the master has the first."""


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


# --- master and layouts ------------------------------------------------------------------------------------------

_GROUP = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
    '<a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_NAMES = {
    Layout.OPENING: "Title slide",
    Layout.MESSAGE: "Message and points",
    Layout.CHART: "Message and chart",
    Layout.TABLE: "Message and table",
    Layout.APPENDIX: "Appendix",
}
_MARKS = ("•", "–", "▪")
_FACES = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
"""The theme's."""
_BYLINE_SIZE = 14


class Box(NamedTuple):
    """A place on a slide in points (1/72 inch)."""

    left: float
    top: float
    width: float
    height: float


_OPENING = Box(64.8, 115.2, 820.8, 165.6)
_TITLE = Box(43.2, 50.4, BODY_WIDTH, 68.4)
_BODY = Box(43.2, 122.4, BODY_WIDTH, BODY_HEIGHT)
_TABLE = Box(43.2, 122.4 + TABLE_DROP, BODY_WIDTH, BODY_HEIGHT - TABLE_DROP)
_FOOT = Box(43.2, 472.32, 806.4, 36)
_QUESTION = Box(64.8, 291.6, 820.8, 68.4)
_BYLINE = Box(64.8, 392.4, 820.8, 86.4)
_SECTION = Box(43.2, 27.36, 871.2, 24.48)
_NUMBER = Box(856.8, 472.32, 57.6, 21.6)
_EDGE = Box(0, 0, 20.16, 540)
_RULE = Box(43.2, 468, 871.2, 0)


class _Place(NamedTuple):
    """A placeholder; its name is also its prompt."""

    kind: str
    slot: int
    name: str
    box: Box
    style: str = ""
    """The list style of its text."""
    anchor: str = "t"


def _master(layouts: int) -> bytes:
    ids = "".join(
        f'<p:sldLayoutId id="{_FIRST_LAYOUT_ID + place}" r:id="rId{place}"/>' for place in range(1, layouts + 1)
    )
    places = [_Place("title", Slot.TITLE, "Message", _TITLE), _Place("body", Slot.BODY, "Points", _BODY), _number()]
    shapes = "".join(_shape(number, place) for number, place in enumerate(places, start=2))
    master = (HERE / "deck" / "master.xml").read_text(encoding="utf-8").replace("<!--layouts-->", ids)
    return master.replace("<!--places-->", shapes).replace("<!--body-->", _levels(Layout.MESSAGE)).encode()


def _layout(layout: Layout) -> bytes:
    shapes = "".join(_shape(number, place) for number, place in enumerate(_places(layout), start=2))
    drawn = _edge() if layout is Layout.OPENING else _rule()
    return (
        f'{_DECLARATION}<p:sldLayout {_SPACES} preserve="1" userDrawn="1"><p:cSld name={quoteattr(_NAMES[layout])}>'
        f"<p:spTree>{_GROUP}{drawn}{shapes}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"
        "</p:sldLayout>"
    ).encode()


def _places(layout: Layout) -> list[_Place]:
    if layout is Layout.OPENING:
        return [
            _Place(
                "ctrTitle",
                Slot.TITLE,
                "Message",
                _OPENING,
                _plain(TITLE_SIZES[Layout.OPENING], "tx1", is_bold=True),
                "b",
            ),
            _Place("subTitle", Slot.BODY, "Question", _QUESTION, _plain(QUESTION_SIZE, "tx2")),
            _Place("body", Slot.BYLINE, "Date, author, verification", _BYLINE, _plain(_BYLINE_SIZE, "tx2", before=4)),
        ]
    colour = "tx2" if layout is Layout.APPENDIX else "tx1"
    title_size = TITLE_SIZES.get(layout, TITLE_SIZE)
    content = {
        Layout.MESSAGE: _Place("body", Slot.BODY, "Points", _BODY),
        Layout.APPENDIX: _Place("body", Slot.BODY, "Points", _BODY, _levels(Layout.APPENDIX)),
        Layout.CHART: _Place("chart", Slot.CHART, "Chart", _BODY),
        Layout.TABLE: _Place("tbl", Slot.TABLE, "Table", _TABLE),
    }
    return [
        _Place("title", Slot.TITLE, "Message", _TITLE, _plain(title_size, colour, is_bold=True)),
        _Place("body", Slot.SECTION, "Section", _SECTION, _plain(SECTION_SIZE, "accent1", is_bold=True), "b"),
        content[layout],
        _Place("body", Slot.FOOT, "Sources", _FOOT, _plain(FOOT_SIZE, "tx2")),
        _number(),
    ]


def _number() -> _Place:
    return _Place("sldNum", Slot.NUMBER, "Number", _NUMBER, _plain(FOOT_SIZE, "tx2", align="r"))


def _levels(layout: Layout) -> str:
    """Return the styles of the levels of points."""
    return "".join(_level(number, size, BEFORE[layout]) for number, size in enumerate(SIZES[layout], start=1))


def _level(number: int, size: int, before: int) -> str:
    left, indent = INDENT * number * _EMU, INDENT * _EMU
    return (
        f'<a:lvl{number}pPr marL="{left}" indent="-{indent}" algn="l" rtl="0" eaLnBrk="1" latinLnBrk="0"'
        f' hangingPunct="1"><a:spcBef><a:spcPts val="{before * 100}"/></a:spcBef>'
        f'<a:buClr><a:schemeClr val="accent1"/></a:buClr><a:buFont typeface="Arial"/>'
        f'<a:buChar char="{_MARKS[(number - 1) % len(_MARKS)]}"/>'
        f'<a:defRPr sz="{size * 100}" kern="1200">{_filled("tx1")}{_FACES}</a:defRPr></a:lvl{number}pPr>'
    )


def _filled(colour: str) -> str:
    return f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'


def _plain(size: int, colour: str, *, is_bold: bool = False, align: str = "l", before: int = 0) -> str:
    """Return the style of text without levels; sizes in points."""
    return (
        f'<a:lvl1pPr marL="0" indent="0" algn="{align}">'
        f'<a:spcBef><a:spcPts val="{before * 100}"/></a:spcBef><a:buNone/>'
        f'<a:defRPr sz="{size * 100}" b="{int(is_bold)}">{_filled(colour)}{_FACES}</a:defRPr></a:lvl1pPr>'
    )


def _shape(number: int, place: _Place) -> str:
    name, index = quoteattr(place.name), "" if place.kind in ("title", "ctrTitle") else f' idx="{place.slot}"'
    field = '<a:fld id="{5B0B7E0C-6E0A-4B65-9C0B-6A2F5B1D7A11}" type="slidenum"><a:rPr/><a:t>‹#›</a:t></a:fld>'
    words = field if place.kind == "sldNum" else f"<a:r><a:rPr/><a:t>{place.name}</a:t></a:r>"
    fit = "<a:normAutofit/>" if place.kind in ("title", "ctrTitle", "body", "subTitle") else "<a:noAutofit/>"
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name={name}/>'
        f'<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph type="{place.kind}"{index}/></p:nvPr></p:nvSpPr>'
        f"<p:spPr>{_transform(place.box)}"
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr vert="horz" lIns="0"'
        f' tIns="45720" rIns="0" bIns="45720" rtlCol="0" anchor="{place.anchor}">{fit}</a:bodyPr>'
        f"<a:lstStyle>{place.style}</a:lstStyle><a:p>{words}</a:p></p:txBody></p:sp>"
    )


def _transform(box: Box) -> str:
    left, top, width, height = (round(size * _EMU) for size in box)
    return f'<a:xfrm><a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm>'


def _rule() -> str:
    """Return the line above the foot."""
    return (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="90" name="Rule"/><p:cNvCxnSpPr/><p:nvPr userDrawn="1"/></p:nvCxnSpPr>'
        f'<p:spPr>{_transform(_RULE)}<a:prstGeom prst="line"><a:avLst/></a:prstGeom>'
        f'<a:ln w="9525"><a:solidFill><a:srgbClr val="{LINE}"/></a:solidFill></a:ln></p:spPr></p:cxnSp>'
    )


def _edge() -> str:
    """Return the coloured edge of the first slide."""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="91" name="Edge"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{_transform(_EDGE)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"{_filled('accent1')}<a:ln><a:noFill/></a:ln></p:spPr>"
        "<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )


def write(file: Path, parts: Mapping[str, bytes]) -> None:
    """Write parts as one file, the same bytes each time."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _SAME_DAY), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write(TEMPLATES / "template.docx", word_parts())
    write(TEMPLATES / "template.pptx", deck_parts())
