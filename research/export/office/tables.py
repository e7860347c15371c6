"""Tables as Office needs them: every row with as many cells as there are heads."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice, repeat

from research.export.document import Align, Line, Table


def squared(table: Table) -> Table:
    """Return a table whose rows and alignments are filled up, or cut, to the number of its heads."""
    count = len(table.head)
    empty: Line = ()
    return replace(
        table,
        rows=tuple(tuple(islice(chain(row, repeat(empty)), count)) for row in table.rows),
        aligned=tuple(islice(chain(table.aligned, repeat(Align.LEFT)), count)),
    )
