"""Tables of comma- or tab-separated values: each row becomes a line that explains itself."""

from __future__ import annotations

import csv
import io

from research.library.readers.decoding import decode
from research.library.readers.document import Document

_CELL_LIMIT = 1_000_000
"""Characters in one cell; the csv module's own limit is smaller."""


def read_table(data: bytes, stem: str) -> Document:
    """Return a line for each row below the header row: `month: 2025-04; region: East; units: 120`.

    An empty row stays an empty line, so that line n is row n + 1 of the file.
    """
    content = decode(data).removeprefix("\ufeff")
    csv.field_size_limit(_CELL_LIMIT)
    rows = list(csv.reader(io.StringIO(content), delimiter=_delimiter(content)))
    if not rows:
        return Document("", stem, rows=True)
    header = [_flat(cell) or f"column {number}" for number, cell in enumerate(rows[0], start=1)]
    lines = [row_line(header, row) for row in rows[1:]]
    return Document("\n".join(lines) if lines else "; ".join(header), stem, rows=True)


def row_line(header: list[str], row: list[str]) -> str:
    """Return one row as `name: value` pairs; empty cells are left out, extra cells are numbered."""
    names = header + [f"column {number}" for number in range(len(header) + 1, len(row) + 1)]
    values = [_flat(cell) for cell in row]
    return "; ".join(f"{name}: {value}" for name, value in zip(names, values, strict=False) if value)


def _flat(cell: str) -> str:
    return " ".join(cell.split())


def _delimiter(content: str) -> str:
    first_line = content.split("\n", 1)[0]
    return max(",\t;|", key=first_line.count)
