"""Shapes of a master and its layouts, as XML: placeholders with the style of their text, lines and edges."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from research.export.office.palette import LINE
from research.export.pptx.geometry import EDGE, EMU_PER_POINT, INDENT, RULE, Box, Room
from research.language import Bilingual, Language

_MARKS = ("•", "–", "▪")
_FACES = '<a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/>'
"""The theme's."""


@dataclass(frozen=True)
class Place:
    """A placeholder of a layout."""

    kind: str
    slot: int
    name: Bilingual
    box: Box
    style: str
    """The list style of its text."""
    anchor: str = "t"


def levels(room: Room) -> str:
    """Return the styles of the levels of points."""
    return "".join(_level(number, size, room.before) for number, size in enumerate(room.sizes, start=1))


def _level(number: int, size: float, before: float) -> str:
    left, indent = INDENT * number * EMU_PER_POINT, INDENT * EMU_PER_POINT
    return (
        f'<a:lvl{number}pPr marL="{left}" indent="-{indent}" algn="l" rtl="0" eaLnBrk="1" latinLnBrk="0"'
        f' hangingPunct="1"><a:spcBef><a:spcPts val="{round(before * 100)}"/></a:spcBef>'
        f'<a:buClr><a:schemeClr val="accent1"/></a:buClr><a:buFont typeface="Arial"/>'
        f'<a:buChar char="{_MARKS[(number - 1) % len(_MARKS)]}"/>'
        f'<a:defRPr sz="{round(size * 100)}" kern="1200">{_filled("tx1")}{_FACES}</a:defRPr></a:lvl{number}pPr>'
    )


def _filled(colour: str) -> str:
    return f'<a:solidFill><a:schemeClr val="{colour}"/></a:solidFill>'


def plain_style(size: float, colour: str, *, is_bold: bool = False, align: str = "l", before: int = 0) -> str:
    """Return the style of text without levels; sizes in points."""
    return (
        f'<a:lvl1pPr marL="0" indent="0" algn="{align}">'
        f'<a:spcBef><a:spcPts val="{before * 100}"/></a:spcBef><a:buNone/>'
        f'<a:defRPr sz="{round(size * 100)}" b="{int(is_bold)}">{_filled(colour)}{_FACES}</a:defRPr></a:lvl1pPr>'
    )


def shape(number: int, place: Place, language: Language) -> str:
    """Return a placeholder; its prompt is its name."""
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


def rule() -> str:
    """Return the line above the foot."""
    return (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="90" name="Rule"/><p:cNvCxnSpPr/><p:nvPr userDrawn="1"/></p:nvCxnSpPr>'
        f'<p:spPr>{_transform(RULE)}<a:prstGeom prst="line"><a:avLst/></a:prstGeom>'
        f'<a:ln w="9525"><a:solidFill><a:srgbClr val="{LINE}"/></a:solidFill></a:ln></p:spPr></p:cxnSp>'
    )


def edge() -> str:
    """Return the coloured edge of the first slide."""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="91" name="Edge"/><p:cNvSpPr/><p:nvPr userDrawn="1"/></p:nvSpPr>'
        f'<p:spPr>{_transform(EDGE)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        '<a:solidFill><a:schemeClr val="accent1"/></a:solidFill><a:ln><a:noFill/></a:ln></p:spPr>'
        "<p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>"
    )
