"""Documents to set, and what can be read out of a PDF again."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from pypdf import PdfReader

from research.export.document import (
    Align,
    Block,
    Chart,
    DocumentPart,
    Heading,
    Line,
    Paragraph,
    PartKind,
    ReportDocument,
    Series,
    SourceItem,
    Table,
    Text,
)
from research.language import Language


def line(*pieces: Any) -> Line:
    """Pieces of a line; a string is plain text."""
    return tuple(Text(piece) if isinstance(piece, str) else piece for piece in pieces)


def paragraph(*pieces: Any) -> Paragraph:
    return Paragraph(line(*pieces))


def heading(words: str, level: int = 1) -> Heading:
    return Heading(level, line(words))


def table(rows: int, columns: int, word: str = "cell") -> Table:
    return Table(
        tuple(line(f"head {column}") for column in range(columns)),
        tuple(tuple(line(f"{word} {row}/{column}") for column in range(columns)) for row in range(rows)),
        (Align.LEFT,) * columns,
    )


def chart(**changes: Any) -> Chart:
    given = {
        "title": "Exports of goods", "unit": "USD", "labels": ("2021", "2022", "2024"),
        "series": (Series("World Factbook", (6.44e11, 6.83e11, None)), Series("統計年鑑", (6.4e11, 6.8e11, 7.1e11))),
        "sources": (1, 2),
    }  # fmt: skip
    return Chart(**(given | changes))


def source(number: int, **changes: Any) -> SourceItem:
    given = {
        "number": number, "title": f"Yearbook {number}",
        "url": f"https://example.org/yearbook/{number}", "site": "example.org", "kind": "Statistics",
        "dated": "2025-05-01", "fetched": date(2026, 1, 1), "is_recent": False,
        "quotes": (f"Quote number {number} of the yearbook.",),
    }  # fmt: skip
    return SourceItem(**(given | changes))


def document(
    *blocks: Block, parts: tuple[DocumentPart, ...] = (), language: Language = Language.EN, **changes: Any
) -> ReportDocument:
    """A document with these blocks as its body, then further parts, and two sources."""
    given = {
        "run": "r1", "title": "Pumps in Asia" if language is Language.EN else "アジアのポンプ市場",
        "question": "How many?", "language": language, "researched": date(2026, 1, 2),
        "byline": "Researched on January 2, 2026 · by rules.",
        "brief": (("Scope", "market"), ("Region", "any")), "parts": (DocumentPart(PartKind.BODY, blocks), *parts),
        "sources": (source(1), source(2)), "verdicts": {"supported": 3, "partial": 1},
        "checked": "3 of 4 sentences supported.",
    }  # fmt: skip
    return ReportDocument(**(given | changes))


_FOOT = re.compile(r"^(?:Research Workbench|リサーチワークベンチ) · .* \d+ / \d+$", re.MULTILINE)


def read(data: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(data))


def text_of(data: bytes) -> str:
    """All text without what pages repeat, and without blanks and invisible signs, which lines put elsewhere."""
    pages = [page.extract_text() for page in read(data).pages]
    return squeezed(
        "".join(_FOOT.sub("", page if at == 0 else page.partition("\n")[2]) for at, page in enumerate(pages))
    )


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b\u2060]", "", text)


def links_of(data: bytes) -> Iterator[str]:
    """The address of each link, and `#page` for one within the document."""
    reader = read(data)
    for page in reader.pages:
        for note in page.get("/Annots", []):
            action = note.get_object()
            inner = action.get("/Dest", action.get("/A", {}).get("/D") if "/A" in action else None)
            yield str(action["/A"]["/URI"]) if "/A" in action and "/URI" in action["/A"] else f"#{inner is not None}"


def structure(data: bytes) -> list[dict[str, Any]]:
    """Every element of the tree that tells a screen reader what stands where, in the order of reading."""
    found: list[dict[str, Any]] = []

    def look(node: Any) -> None:
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            for one in node:
                look(one)
        elif isinstance(node, dict):
            if "/S" in node:
                found.append(node)
            look(node.get("/K"))

    look(read(data).root_object["/StructTreeRoot"])
    return found
