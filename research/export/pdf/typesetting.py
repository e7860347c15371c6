"""From a document to the bytes of a PDF: typst sets a fixed template, to which the document is data."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime, time
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from research.export.document import Document
from research.export.paper import Paper
from research.export.pdf.fonts import families_of_other_scripts, typefaces
from research.export.pdf.tree import tree

if TYPE_CHECKING:
    import typst


_TEMPLATE = ("design", "inline", "chart", "blocks", "opening", "sources", "report")
"""The files of the template in order; together they are one source, so that nothing is imported."""


def to_pdf(document: Document, *, paper: Paper = Paper.A4) -> bytes:
    """Return the document as a tagged PDF; the same document always gives the same bytes.

    The file conforms to PDF/UA-1 unless a sign occurs that no typeface has, which is then shown as an empty box.
    Nothing is fetched, and nothing is read but the typefaces.

    Raises:
        UsageError: the extra `documents` is not installed.
    """
    fonts = typefaces(document.language)
    report = {**tree(document, paper), "families": families_of_other_scripts(fonts)}
    import typst

    with tempfile.TemporaryDirectory(prefix="research-pdf-") as empty:
        folder = Path(empty)
        compiler = typst.Compiler(
            root=folder,
            font_paths=fonts,
            ignore_system_fonts=True,
            sys_inputs={"report": json.dumps(report, ensure_ascii=False, separators=(",", ":"))},
            package_path=folder,
            package_cache_path=folder,
        )
        then = datetime.combine(document.researched, time(), UTC)
        try:
            return _compiled(compiler, then, ["ua-1"])
        except typst.TypstError:
            return _compiled(compiler, then, [])


def _compiled(compiler: typst.Compiler, then: datetime, standards: list[Literal["ua-1"]]) -> bytes:
    made = compiler.compile(_template(), format="pdf", pdf_standards=[*standards], timestamp=then)
    if not isinstance(made, bytes):
        raise TypeError("typst returned no PDF")
    return made


@cache
def _template() -> bytes:
    folder = files("research.export.pdf") / "template"
    return b"\n".join((folder / f"{name}.typ").read_bytes() for name in _TEMPLATE)
