"""Figures, units and periods, read from text and tables of both languages."""

from research.quantities.figures import (
    Figure as Figure,
    Quantities as Quantities,
    figures as figures,
    quantities as quantities,
    unit_named as unit_named,
)
from research.quantities.periods import Period as Period, agree as agree, extent as extent, periods as periods
from research.quantities.table import (
    Cell as Cell,
    FigureRow as FigureRow,
    figure_frame as figure_frame,
    figure_rows as figure_rows,
    label_of as label_of,
    subject_of as subject_of,
    to_csv_safe as to_csv_safe,
)
from research.quantities.units import conversion as conversion, is_physical as is_physical
