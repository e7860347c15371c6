"""Markdown that holds HTML: its tags become Markdown or go, so that quotes are what a reader of it sees."""

from __future__ import annotations

import re
from html import unescape

_INLINE = (
    "a|abbr|b|cite|code|del|dfn|em|font|i|img|ins|kbd|mark|q|rp|rt|ruby|s|small|span|strong|sub|sup|time|u|var|wbr"
)
_BLOCKS = (
    "address|article|aside|blockquote|body|br|caption|center|colgroup|col|dd|details|div|dl|dt|fieldset|figcaption|figure"
    "|footer|form|h[1-6]|header|hr|html|iframe|label|legend|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th"
    "|thead|tr|ul|video"
)
_LINES = ("br", "p", "td", "th", "tr")
"""What begins a line of its own, and no more: paragraphs within a box belong together."""
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>{_INLINE}|{_BLOCKS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_UNSEEN = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>|\{%.*?%\}|\{\{[^{}\n]*\}\}", re.IGNORECASE | re.DOTALL)
"""What no reader sees: comments, scripts, and what a generator of pages fills in."""
_FENCED = re.compile(r"(^[ \t]*(`{3,}|~{3,}).*?^[ \t]*\2[ \t]*$)", re.MULTILINE | re.DOTALL)
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_TABLE = re.compile(r"<table\b[^<>]*>(?P<rows>(?:(?!<table\b).)*?)</table\s*>", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"<tr\b[^<>]*>(.*?)(?=<tr\b|</tr\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[dh]\b[^<>]*>(.*?)(?=<t[dh]\b|</t[dh]\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INDENT = re.compile(r"^[ \t]+(?=[^\s\-*+\d])", re.MULTILINE)
_EMPTY = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_markup(text: str) -> str:
    """Return Markdown without HTML; what stands in fences is shown as it is, and stays."""
    if not (_TAG.search(text) or _UNSEEN.search(text)):
        return text
    parts = _FENCED.split(text)
    # Each fence is followed by what opened it.
    plain = [_plain(part) if place % 3 == 0 else part for place, part in enumerate(parts) if place % 3 != 2]
    return _EMPTY.sub("\n\n", "".join(plain))


def _plain(text: str) -> str:
    text = _TABLE.sub(_table, _UNSEEN.sub(" ", text))
    return unescape(_INDENT.sub("", _TAG.sub(_told, text))) if _TAG.search(text) else unescape(text)


def _told(tag: re.Match[str]) -> str:
    name, is_end = tag["name"].lower(), bool(tag["end"])
    if re.fullmatch(_INLINE, name):
        return ""
    if name[0] == "h" and name[1:].isdigit():
        return "\n\n" if is_end else f"\n\n{'#' * int(name[1:])} "
    if name == "li":
        return "\n" if is_end else "\n- "
    if name not in _LINES:
        return "\n\n"
    return "" if _LINE_ENDS.match(tag.string, tag.end()) or (name != "br" and not is_end) else "\n"


def _table(match: re.Match[str]) -> str:
    """Return a table as Markdown; one of which a single column says anything as lines: questions with their answers."""
    rows = [[_cell(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(match["rows"])]
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows if any(row)]
    told = [place for place in range(width) if any(row[place] for row in rows)]
    if len(told) < 2:
        return "\n\n" + "\n".join(row[told[0]] for row in rows if row[told[0]]) + "\n\n" if told else "\n\n"
    lines = [f"| {' | '.join(row[place].replace('|', chr(92) + '|') for place in told)} |" for row in rows]
    return "\n\n" + "\n".join([lines[0], f"|{' --- |' * len(told)}", *lines[1:]]) + "\n\n"


def _cell(cell: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", cell)).split())
