"""The colours of what is drawn in Office files, beside those of `theme.xml`."""

from __future__ import annotations

QUIET = "5A6675"
LINE = "DDE1E7"
SERIES = ("2B5797", "1E7A4C", "9A5B00", "7A4B9A", "B3261E", "5A6675")
"""The colours of a chart's series, in order: those of the application."""

MONOSPACE = "Consolas"
