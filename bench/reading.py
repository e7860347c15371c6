"""How long PDFs take to read, and whether the rows of their tables stay: `python -m bench.reading FOLDER`.

Each file is read by the program's reader and by pypdf, which is independent of it, in one process and in turn. Rows are
lines with two figures or more; of those that pypdf finds, the share is told that the program's reader finds with the
same figures in the same order.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from time import process_time

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from research.documents.pdf import document_of, reflow

_FIGURE = re.compile(r"\d[\d,.]*")


def rows(text: str) -> set[tuple[str, ...]]:
    """Return the figures of each line that holds several."""
    found = (tuple(_FIGURE.findall(line)) for line in text.splitlines())
    return {figures for figures in found if len(figures) > 1}


def _text_by_pypdf(file: Path) -> str:
    try:
        return "\n".join(reflow(page.extract_text()) for page in PdfReader(file).pages)
    except PyPdfError as error:
        print(f"pypdf cannot read {file.name}: {error}")
        return ""


def main() -> None:
    """Print a line for each file and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    totals = [0.0] * 5
    print(f"{'file':40} {'pages':>6} {'pypdf':>8} {'ours':>8} {'rows':>7} {'kept':>6}")
    for file in sorted(parser.parse_args().folder.glob("*.pdf")):
        data, began = file.read_bytes(), process_time()
        document = document_of(data, file.stem)
        ours, began = process_time() - began, process_time()
        theirs = rows(_text_by_pypdf(file))
        told = (
            document.text.count("\f") + 1,
            process_time() - began,
            ours,
            len(theirs),
            len(theirs & rows(document.text)),
        )
        totals = [total + one for total, one in zip(totals, told, strict=True)]
        _show(file.name, told)
    _show("all", totals)


def _show(name: str, told: tuple[float, ...] | list[float]) -> None:
    pages, theirs, ours, found, kept = told
    print(f"{name[:40]:40} {pages:6.0f} {theirs:7.1f}s {ours:7.2f}s {found:7.0f} {kept / max(found, 1):6.1%}")


if __name__ == "__main__":
    main()
