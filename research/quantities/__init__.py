"""Figures, units and periods, read from text and tables of both languages."""

# fmt: off
from research.quantities.figures import Figure, Quantities, figures, quantities, unit_named
from research.quantities.frames import AND, LEAST_ROWS, NOT, OR, SHEET, TO, WORKED, Frame, Row, frames
from research.quantities.periods import Period, agree, extent, periods
from research.quantities.row_queries import (
    FURTHER, SAYS_NOTHING, Part, Telling, Told, answered, answers, made_of, operand_of, part_of, part_of_rows,
    parts_by, shown, signed, span_of, spaced, stands_for_more, when_in_words,
)
from research.quantities.table import (
    Cell, FigureRow, figure_frame, figure_rows, label_as_written, label_of, subject_of, to_csv_safe,
)
from research.quantities.amounts import NUMBER_WORDS, conversion, is_physical
