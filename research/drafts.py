"""Change a cleaned draft sentence by sentence; everything else stays as it was written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from research.citations import LINE_LEAD, TABLE_RULE, render_marks
from research.text.sentences import Span

_HEADING = re.compile(r"#{1,6}(?=\s)")
_TAIL = re.compile(r"[.!?。！？]*[\"”’」』）)*_\s|]*$")
_WIDE = re.compile(r"[⺀-鿿＀-￯]$")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_CONTENT = 7
"""Deeper than any heading."""


def edited(draft: str, changes: Mapping[Span, str]) -> str:
    """Return `draft` with each span replaced by its text, on one line; an empty text takes the sentence out.

    Lines, tables and headings that are left empty go as well; the title stays.
    """
    of_line: dict[int, list[Span]] = {}
    for span in changes:
        of_line.setdefault(draft.rfind("\n", 0, span.start) + 1, []).append(span)
    lines, start = [], 0
    for line in draft.split("\n"):
        here = of_line.get(start, [])
        changed = _changed(line, {Span(span.start - start, span.end - start): changes[span] for span in here})
        if not here or re.search(r"\w", LINE_LEAD.sub("", f"{changed} ", count=1)):
            lines.append(changed)
        start += len(line) + 1
    if not any(text == "" for text in changes.values()):
        return "\n".join(lines)
    text = "\n".join(_without_empty_headings(_without_empty_tables(lines)))
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def marked(text: str, ids: Sequence[str]) -> str:
    """Return a sentence without marks with one mark for `ids`, before its full stop."""
    tail = _TAIL.search(text)
    words, end = (text[: tail.start()], tail.group()) if tail else (text, "")
    blank = "" if _WIDE.search(words) else " "
    return f"{words}{blank}[{', '.join(ids)}]{end}"


def citing_only(text: str, ids: Collection[str]) -> str:
    """Return a piece of a draft whose marks name none but `ids`."""

    def kept(names: list[str]) -> str:
        left = [name for name in names if name in ids]
        return f"[{', '.join(left)}]" if left else ""

    return re.sub(r"\s+(?=[.。,、]|$)", "", render_marks(text, kept))


def _changed(line: str, changes: Mapping[Span, str]) -> str:
    for span in sorted(changes, reverse=True):
        text = " ".join(changes[span].split())
        rest = line[span.end :]
        line = line[: span.start] + text + (rest if text else rest.lstrip())
    return _GAP.sub(" ", line).rstrip() if changes else line


def _without_empty_tables(lines: Sequence[str]) -> list[str]:
    """Return the lines without heads of tables that have no rows left."""
    kept: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if "|" in line and TABLE_RULE.match(line) and not following.lstrip().startswith("|"):
            kept = kept[:-1]
        else:
            kept.append(line)
    return kept


def _without_empty_headings(lines: Sequence[str]) -> list[str]:
    """Return the lines without headings under which nothing stands; the first line, the title, stays."""
    kept: list[str] = []
    below = 0  # Something stands below headings of a lower level than this.
    for number, line in reversed(list(enumerate(lines))):
        heading = _HEADING.match(line)
        if heading is None:
            below = _CONTENT if line.strip() else below
        elif len(heading.group()) < below:
            below = len(heading.group())
        elif number:
            continue
        kept.append(line)
    return kept[::-1]
