"""A draft that is still being written, without its last piece if that cannot be read yet."""

from __future__ import annotations

import re

_MARK = re.compile(r"\s?\[[^\]\n]{0,80}\Z")
_TABLE = re.compile(r"^\|[^\n]*(?:\n\|[^\n]*)*\Z", re.MULTILINE)


def readable(draft: str) -> str:
    """Return `draft` without a citation that has no end yet, and without a table that has no more than its head."""
    text = _MARK.sub("", draft)
    table = _TABLE.search(text)
    return text[: table.start()] if table and _is_bare(table[0].split("\n")) else text


def _is_bare(lines: list[str]) -> bool:
    head, *rest = lines
    return not rest or rest[0].count("|") < head.count("|")
