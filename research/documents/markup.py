"""Markdown that holds HTML: its tags become Markdown or go, so that quotes are what a reader of it sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from research.text import markdown_table

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
_UNSEEN = (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"), ("{%", "%}"))
"""What no reader sees, from where to where: comments, scripts, what a generator of pages carries out."""
_FILLED_IN = re.compile(r"\{\{[^{}\n]*\}\}")
_FENCE = re.compile(r"`{3,}|~{3,}")
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_TABLE = re.compile(r"<table\b[^<>]*>(?P<rows>(?:(?!<table\b).)*?)</table\s*>", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"<tr\b[^<>]*>(.*?)(?=<tr\b|</tr\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[dh]\b[^<>]*>(.*?)(?=<t[dh]\b|</t[dh]\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INDENT = re.compile(r"^[ \t]+(?=[^\s\-*+\d])", re.MULTILINE)
_EMPTY = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_markup(text: str) -> str:
    """Return Markdown without HTML; what stands in fences is shown as it is, and stays."""
    if not (_TAG.search(text) or _FILLED_IN.search(text) or any(opening in text for opening, _ in _UNSEEN)):
        return text
    return _EMPTY.sub("\n\n", "".join(part if is_code else _plain(part) for is_code, part in _parts(text)))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield what stands in fences and what does not; a fence that nothing closes goes on to the end."""
    part: list[str] = []
    opened = ""
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        fence = _FENCE.match(bare)
        if not opened and fence is not None:
            yield False, "".join(part)
            part, opened = [line], fence.group()
            continue
        part.append(line)
        if opened and fence is not None and fence.group() == bare and bare.startswith(opened):
            yield True, "".join(part)
            part, opened = [], ""
    yield bool(opened), "".join(part)


def _plain(text: str) -> str:
    for opening, closing in _UNSEEN:
        text = _without(text, opening, closing)
    text = _TABLE.sub(_table, _FILLED_IN.sub(" ", text))
    return unescape(_INDENT.sub("", _TAG.sub(_told, text))) if _TAG.search(text) else unescape(text)


def _without(text: str, opening: str, closing: str) -> str:
    """Return a text without what stands between two marks, in time that grows with its length alone."""
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        kept += [text[at:start], " "]
        at = end + len(closing)
    return "".join([*kept, text[at:]])


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
    return f"\n\n{markdown_table([[row[place].replace('|', chr(92) + '|') for place in told] for row in rows])}\n\n"


def _cell(cell: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", cell)).split())
