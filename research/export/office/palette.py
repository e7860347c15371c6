"""The colours and fonts of Office files: those of the application, on white."""

from __future__ import annotations

TEXT = "141B26"
QUIET = "5A6675"
ACCENT = "2B5797"
LINE = "DDE1E7"
SHADE = "F5F6F8"
WHITE = "FFFFFF"
SERIES = ("2B5797", "1E7A4C", "9A5B00", "7A4B9A", "B3261E", "5A6675")
"""The colours of a chart's series, in order."""

LATIN = "Calibri"
JAPANESE = "Yu Gothic"
MONOSPACE = "Consolas"
