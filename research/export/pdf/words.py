"""Text as it can be set: without signs that cannot be shown, with places to break words that fit on no line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from research.core.citations import RECENT_MARK
from research.export.citing import address
from research.export.document import Citation, Inline, LineBreak, Text
from research.export.printable import printable

Node = dict[str, object]
"""A piece of the tree that the template reads."""

LONGEST_ADDRESS = 2000
"""Characters; a longer one is text without a link."""
_SCHEMES = ("http://", "https://", "mailto:")
_UNSHOWABLE = frozenset({"Co", "Cn"})
"""Categories of what no typeface has: for private use, and not assigned."""
_STEERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that turn the direction of what follows."""
_STACKED = re.compile("([\u0300-\u036f]{4})[\u0300-\u036f]+")
"""More marks on one letter than any language has."""
_BLANKS = re.compile(r"[ \t\r\n\f\v\u00a0]+")
WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
"""Signs that lines may break at, for a set in a pattern."""
_HIRAGANA = re.compile("[\u3041-\u309f]")
_ENDS = "\u3041-\u309f\u3001\u3002\uff0c\uff1a\uff1b\uff1f\uff01\uff09\u300d\u300f\u3011\u301c\uff5e\u30fb"
"""Signs that a Japanese phrase ends with: particles and endings, in hiragana, and closing signs."""
_PHRASE = re.compile(rf".+?(?:[{_ENDS}](?=[^{_ENDS}\u30fc])|$)")
_LONG = 40
_STEP = 12
_MAY_BREAK_BEFORE = r"(?=[\w!-/:-@\[-`{-~])"


def clean(text: str, *, keep_lines: bool = False) -> str:
    """Return text without control signs and with U+FFFD for what is no character; blanks in a row become one."""
    shown = printable(text)
    if not shown.isascii():
        replaced = {ord(sign): instead for sign in set(shown) if (instead := _shown(sign)) != sign}
        shown = _STACKED.sub(r"\1", shown.translate(replaced) if replaced else shown)
    return shown if keep_lines else _BLANKS.sub(" ", shown)


@cache
def _shown(sign: str) -> str:
    if sign in _STEERING:
        return ""
    return "\ufffd" if unicodedata.category(sign) in _UNSHOWABLE else sign


def breakable(text: str, longest: int = _LONG, step: int = _STEP) -> str:
    """Return text with invisible places to break in each run of more than `longest` signs that has none."""
    return re.sub(
        rf"[^\s\u200b{WIDE}]{{{longest + 1},}}",
        lambda run: re.sub(rf"(.{{{step}}}){_MAY_BREAK_BEFORE}", "\\1\u200b", run[0]),
        text,
    )


def phrases(text: str) -> list[str]:
    """Return a Japanese text in pieces that are best kept on one line; any other text as one piece."""
    return _PHRASE.findall(text) if _HIRAGANA.search(text) else [text]


def linkable(url: str) -> str:
    """Return an address as PDF files write it, in ASCII, if it may become a link; otherwise an empty string."""
    allowed = url.startswith(_SCHEMES) and len(url) <= LONGEST_ADDRESS and clean(url) == url and " " not in url
    return address(url) if allowed else ""


class Citing:
    """Lines as nodes; knows which citations have an entry to lead to, and which is the first of its source."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = frozenset(numbers)
        self._cited: set[int] = set()

    @property
    def cited(self) -> frozenset[int]:
        """The sources that a line set so far leads to, and back from."""
        return frozenset(self._cited)

    def line(self, pieces: Iterable[Inline], longest: int = _LONG, *, is_repeated: bool = False) -> list[Node]:
        """Return a line; words longer than `longest` may break. One that `is_repeated` is never led back to."""
        nodes = [self._node(piece, longest, is_repeated) for piece in pieces]
        if nodes and "text" in nodes[0]:
            nodes[0]["text"] = str(nodes[0]["text"]).lstrip(" ")
        return [node for node in nodes if node.get("text") != ""]

    def _node(self, piece: Inline, longest: int, is_repeated: bool) -> Node:
        match piece:
            case Text():
                return _text(piece, longest)
            case Citation():
                return self._citation(piece, is_repeated)
            case LineBreak():
                return {"is": "break"}

    def _citation(self, piece: Citation, is_repeated: bool) -> Node:
        node: Node = {"is": "citation", "number": piece.number}
        if piece.is_recent:
            node["recent"] = RECENT_MARK
        if piece.number in self._numbers:
            node["leads"] = True
            if piece.number not in self._cited and not is_repeated:
                self._cited.add(piece.number)
                node["first"] = True
        return node


def _text(piece: Text, longest: int) -> Node:
    node: Node = {"is": "text", "text": breakable(clean(piece.text), longest, min(_STEP, longest))}
    styles = {"bold": piece.bold, "italic": piece.italic, "code": piece.code, "strike": piece.strike}
    node.update({name: True for name, is_set in styles.items() if is_set})
    if url := linkable(piece.url):
        node["url"] = url
    return node
