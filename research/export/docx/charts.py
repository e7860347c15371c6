"""Charts of Word: drawn by Word itself from a workbook inside the file, so that they can be edited."""

from __future__ import annotations

from docx.document import Document as WordDocument
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.parser import parse_xml
from docx.oxml.xmlchemy import BaseOxmlElement as Element

from research.export.document import Chart
from research.export.docx.xml import w
from research.export.office.cleaning import clipped
from research.export.office.native_charts import Drawn, is_ranking

_EMU_PER_TWIP = 635
_RATIO, _RATIO_OF_NO_BARS, _RATIO_OF_A_BAR = 0.5, 0.12, 0.08
"""Height of a chart by its width; of a ranking, by the number of its bars."""
_INLINE = """<wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" distT="0" distB="0" distL="0" distR="0">
  <wp:extent/><wp:docPr/><wp:cNvGraphicFramePr/>
  <a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">
    <c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
      xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="{relation}"/>
  </a:graphicData></a:graphic>
</wp:inline>"""


def chart_run(word: WordDocument, chart: Chart, drawn: Drawn, number: int, width: int) -> Element:
    """Return a run that shows a chart, `width` twips wide; `number` names its parts."""
    package = word.part.package
    name = PackURI(f"/word/charts/chart{number}.xml")
    part = Part(name, CONTENT_TYPE.DML_CHART, drawn.xml, package)
    book_name = PackURI(f"/word/embeddings/Microsoft_Excel_Sheet{number}.xlsx")
    book = Part(book_name, CONTENT_TYPE.SML_SHEET, drawn.workbook, package)
    part.load_rel(RELATIONSHIP_TYPE.PACKAGE, book, drawn.relation)
    relation = word.part.relate_to(part, RELATIONSHIP_TYPE.CHART)
    inline = parse_xml(_INLINE.format(relation=relation))
    extent, described = inline[0], inline[1]
    extent.set("cx", str(width * _EMU_PER_TWIP))
    extent.set("cy", str(int(width * _EMU_PER_TWIP * _ratio(chart))))
    described.set("id", str(number))
    described.set("name", f"Chart {number}")
    described.set("title", clipped(chart.title, 200))
    described.set("descr", drawn.told)
    drawing = w("drawing")
    drawing.append(inline)
    return w("r", drawing)


def _ratio(chart: Chart) -> float:
    return min(_RATIO, _RATIO_OF_NO_BARS + _RATIO_OF_A_BAR * len(chart.series)) if is_ranking(chart) else _RATIO
