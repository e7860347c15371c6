"""The sheets that a document can be printed on."""

from __future__ import annotations

from enum import StrEnum


class Paper(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"
