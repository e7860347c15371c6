"""Pages as a scanner leaves them: pictures without text; and a computer with or without a program that reads those."""

from __future__ import annotations

import io

import typst
from PIL import Image
from pypdf import PdfReader, PdfWriter

from research.export.pdf import _read
from tests.support.hostile_files import pdf_page, pdf_stream

WORDS = "The plant in Kobe made 4,120 pumps in 2025."
JAPANESE = "神戸の工場は二〇二五年にポンプを製造した。"


def picture(*lines: str) -> bytes:
    """Return lines of text as a picture in PNG."""
    told = "#set page(width: 160mm, height: 60mm)\n#set text(size: 14pt)\n" + "\n\n".join(lines)
    made = typst.compile(told.encode(), font_paths=_read(), format="png", ppi=200.0)
    assert isinstance(made, bytes)
    return made


def scan(*pages: bytes) -> bytes:
    """Return pictures as a PDF, each a page of its own."""
    first, *others = (Image.open(io.BytesIO(page)).convert("L") for page in pages)
    made = io.BytesIO()
    first.save(made, "PDF", save_all=True, append_images=others, resolution=200.0)
    return made.getvalue()


def with_text(words: str, scanned: bytes) -> bytes:
    """Return a PDF whose first page is text, and whose others are those of a scan."""
    page = pdf_page(pdf_stream(f"BT /F 12 Tf 50 700 Td ({words}) Tj ET".encode()))
    writer = PdfWriter()
    for part in (page, scanned):
        writer.append(PdfReader(io.BytesIO(part)))
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()
