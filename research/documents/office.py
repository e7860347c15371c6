"""Files of office programs (Word, Excel, PowerPoint): archives, whose parts are counted before any is unpacked."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from research.documents.document import COLUMNS, Document, UnreadableFile, flat, row_line, within_limit
from research.documents.heads import LOOKED_AT, head_of, with_notes

if TYPE_CHECKING:
    from docx.table import Table
    from openpyxl.cell import Cell

_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_UNPACKED_LIMIT = 200_000_000
"""Bytes that the parts of a document may unpack to."""
_TEMPLATE_DATES = (datetime(2013, 12, 23, 23, 15, tzinfo=UTC), datetime(2013, 1, 27, 9, 14, 16, tzinfo=UTC))
"""What documents made with python-docx and python-pptx carry unless a date was set: it says nothing."""


def _check(data: bytes) -> None:
    """See whether a file is an open one of an office program, whose parts do not unpack to more than the limit.

    Raises:
        UnreadableFile: `file_encrypted`, `file_binary` (the old formats) or `file_too_large`.
    """
    if data.startswith(_OLE):
        raise UnreadableFile("file_encrypted" if _ENCRYPTED in data else "file_binary", "not an open document")
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        if sum(part.file_size for part in parts.infolist()) > _UNPACKED_LIMIT:
            raise UnreadableFile("file_too_large", "unpacks to more than the limit")


def _table(rows: Iterator[list[str]]) -> str:
    """Return a line for each row below the first one, which names the columns; those names where it is the only one."""
    header = [flat(cell) for cell in next(rows, ())]
    return "\n".join(within_limit(row_line(header, row) for row in rows)) or "; ".join(header)


# --- Word ------------------------------------------------------------------------------------------------------------


def read_word(data: bytes, stem: str) -> Document:
    """Return the text of a .docx file.

    Raises:
        UnreadableFile: `file_encrypted`, `file_binary` (the old .doc format) or `file_too_large`.
        Exception: whatever the parsers raise for a damaged file.
    """
    import docx

    _check(data)
    document = docx.Document(io.BytesIO(data))
    blocks = [_block(item) for item in document.iter_inner_content()]
    core = document.core_properties
    text = "\n\n".join(block for block in blocks if block.strip())
    heading = re.search(r"^#+ (.+)$", text, re.MULTILINE)
    title = core.title.strip() or (heading[1].strip() if heading else "") or stem
    return Document(text, title, _changed(core))


def _changed(core: Any) -> str | None:
    """Return when a document was changed last, if it says so."""
    at = core.modified or core.created
    is_told = at is not None and at.replace(tzinfo=UTC) not in _TEMPLATE_DATES
    return f"{at:%Y-%m-%d}" if is_told else None


def _block(item: object) -> str:
    from docx.table import Table
    from docx.text.paragraph import Paragraph

    if isinstance(item, Table):
        return _table(_cells(item))
    if not isinstance(item, Paragraph):
        return ""
    style = item.style.name if item.style is not None and item.style.name else ""
    if style == "Title":
        return f"# {item.text}"
    level = re.fullmatch(r"Heading ([1-6])", style)
    if level and item.text.strip():
        return f"{'#' * int(level.group(1))} {item.text}"
    return f"- {item.text}" if style.startswith("List") and item.text.strip() else item.text


def _cells(table: Table) -> Iterator[list[str]]:
    """Yield the cells of each row; a cell that spans columns stands in each of them.

    Raises:
        UnreadableFile: `file_broken`, the grid has more columns than Word can make.
    """
    from docx.table import _Cell

    above: list[str] = []
    for row in table._tbl.tr_lst:
        if row.grid_before + row.grid_after + sum(cell.grid_span for cell in row.tc_lst) > COLUMNS:
            raise UnreadableFile("file_broken", "a table is wider than can be")
        cells = [""] * row.grid_before
        for cell in row.tc_lst:
            # What is merged with the row above stands in it.
            merged = above[len(cells) : len(cells) + 1] if cell.vMerge == "continue" else []
            cells += (merged or [_Cell(cell, table).text]) * cell.grid_span
        above = cells
        yield cells


# --- Excel -----------------------------------------------------------------------------------------------------------

_MOST_CELLS = 3_000_000
"""Cells that are looked at: a sheet may claim a million rows of which all are empty."""


def read_sheets(data: bytes, stem: str) -> Document:
    """Return a line for each row of a workbook (`month: 2025-04; units: 120`) below the name of its sheet.

    What stands above the head of a sheet is its heading (`head_of`). Formulas are the values that were last computed; a
    percentage is written as one.

    Raises:
        UnreadableFile: see `_check`; `file_too_large` for more cells than are looked at.
        Exception: whatever the parser raises for a damaged file.
    """
    book, lines = _book(data), list[str]()
    for name, rows in _filled_rows(book.worksheets):
        lines += _sheet(name, rows)
    properties = book.properties
    return Document("\n".join(within_limit(lines)), properties.title or stem, _changed(properties), rows=True)


def sheet_rows(data: bytes) -> list[list[str]]:
    """Return the filled rows of the first sheet of a workbook; errors as for `read_sheets`."""
    return next(rows for _, rows in _filled_rows(_book(data).worksheets[:1]))


def _book(data: bytes) -> Any:
    import openpyxl

    _check(data)
    return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)


def _filled_rows(sheets: Sequence[Any]) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield the name of each sheet with its filled rows."""
    left = _MOST_CELLS
    for sheet in sheets:
        sheet.reset_dimensions()
        rows = []
        for row in sheet.iter_rows():
            left -= max(1, len(row))
            if left < 0:
                raise UnreadableFile("file_too_large", f"more than {_MOST_CELLS:,} cells")
            if any(cell.value not in (None, "") for cell in row):
                rows.append([_cell(cell) for cell in row])
        yield sheet.title, rows


def _sheet(name: str, rows: list[list[str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"# {flat(name)}"
    head = head_of(rows[:LOOKED_AT])
    below = rows[head.rows :]
    lines = [row_line(head.names, row) for row in below]
    yield from filter(None, (*head.above, *with_notes(lines, below, len(head.names))))
    if not below:
        yield "; ".join(head.names)


def _cell(cell: Cell) -> str:
    """Return what a cell shows, as far as its value and format tell."""
    value = cell.value
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f"{value * 100:.10g}%" if "%" in (cell.number_format or "") else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    return "" if value is None else str(value)


# --- PowerPoint ------------------------------------------------------------------------------------------------------

_NOTHING_SAID = {"", "powerpoint presentation", "presentation"}
_DEEPEST = 8
"""Groups within groups that are looked into."""


def read_slides(data: bytes, stem: str) -> Document:
    """Return the text of a .pptx file: for each slide its title, what stands on it, its tables and its notes.

    Raises:
        UnreadableFile: see `_check`.
        Exception: whatever the parsers raise for a damaged file.
    """
    from pptx import Presentation

    _check(data)
    deck = Presentation(io.BytesIO(data))
    blocks, titles = list[str](), list[str]()
    for number, slide in enumerate(deck.slides, start=1):
        title = slide.shapes.title
        titles.append(flat(title.text_frame.text) if title is not None else "")
        blocks.append(f"## {titles[-1] or number}")
        others = (shape for shape in _shapes(slide.shapes) if title is None or shape.shape_id != title.shape_id)
        blocks += map(_shape, others)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            blocks.append(slide.notes_slide.notes_text_frame.text)
    named = deck.core_properties.title.strip()
    title = named if named.lower() not in _NOTHING_SAID else next(filter(None, titles), stem)
    return Document("\n\n".join(within_limit(filter(str.strip, blocks))), title, _changed(deck.core_properties))


def _shapes(shapes: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes") and depth < _DEEPEST:
            yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _shape(shape: Any) -> str:
    if getattr(shape, "has_table", False):
        return _table([cell.text for cell in row.cells] for row in shape.table.rows)
    return "\n".join(line.text for line in shape.text_frame.paragraphs) if shape.has_text_frame else ""
