"""The columns of tables that leave the workbench as files."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from research.core.addresses import is_web
from research.core.ledger import Page
from research.language import Bilingual


class Kind(StrEnum):
    """What the text of a column is, which decides how a workbook holds it; numbers are numbers in any column."""

    TEXT = "text"
    ADDRESS = "address"
    DAY = "day"
    """A day (ISO 8601), or less of a date if no more is known."""
    MOMENT = "moment"
    """A time (ISO 8601) with its distance from UTC."""


class Column(NamedTuple):
    """A column of a table."""

    head: Bilingual
    width: int
    """For reading, in characters."""
    kind: Kind = Kind.TEXT


def web_address(page: Page) -> str | None:
    """Return the address of a page of the web; where a file of one's own lies is nobody else's business."""
    return page.url if is_web(page.url) else None
