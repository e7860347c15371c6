"""Lines that state one fact as "label: value", as statistics pages and notes do."""

from __future__ import annotations

import re
from typing import NamedTuple

_LINE = re.compile(r"(?P<label>[^:：。！？!?\n]{2,110}?)\s*(?::(?!//)\s+|：\s*)(?P<value>\S.*)", re.DOTALL)
YEARS = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)(?:年度?)?")
_SUBJECT = re.compile(r"(.{2,60}?)\s+[–—]\s+(.+)", re.DOTALL)
_VALUE_LENGTH = 120
"""Longer values are prose behind a heading."""


class DataLine(NamedTuple):
    """A label and its value, both verbatim."""

    label: str
    value: str

    @property
    def series(self) -> str:
        """The label without years, folded: the same for each year of one series."""
        return " ".join(YEARS.sub(" ", self.label).lower().split())

    @property
    def is_short(self) -> bool:
        """Whether the value is no prose."""
        return len(self.value) <= _VALUE_LENGTH

    @property
    def has_number(self) -> bool:
        """Whether the value is short and holds a digit, so that it belongs in a table."""
        return self.is_short and any(character.isdigit() for character in self.value)


def data_line_in(text: str) -> DataLine | None:
    """Return the label and value of a "label: value" line, or None if `text` is prose or anything else."""
    match = _LINE.fullmatch(text.strip()) if ":" in text or "：" in text else None
    if match is None or ". " in match["label"]:
        return None
    label = match["label"].strip()
    return DataLine(label, match["value"].strip()) if label else None


def without_subject(label: str) -> tuple[str, str]:
    """Split `Japan – Population` into its subject and its label; the subject is empty if there is none."""
    match = _SUBJECT.fullmatch(label)
    return (match[1], match[2]) if match else ("", label)


def latest_year(text: str) -> int:
    """Return the latest year from 1900 to 2099 that `text` names, or 0."""
    return max((int(year[:4]) for year in YEARS.findall(text)), default=0)
