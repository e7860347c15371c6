"""Figures, units and periods, as texts print them: read rather than matched, in English and Japanese.

What others use: `figures.figures`, `quantities`, `Figure`; `periods.periods`, `agree`, `contains`, `extent`, `Period`;
`units.conversion`; `table.figure_rows`, `FigureRow`.
"""
