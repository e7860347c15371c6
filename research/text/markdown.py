"""Make text of others safe inside Markdown."""

from __future__ import annotations

import re
import unicodedata

_BETWEEN_WIDE = re.compile(r"(?<=[　-鿿＀-￯])\s*[\n\r\f\v\x85\u2028\u2029]\s*(?=[　-鿿＀-￯])")
_SPACE = re.compile(r"\s+")
_SIGNS = re.compile(r"[\\`*\[\]|~$]|(?<!\w)_|_(?!\w)|&(?=#?\w{1,32};)|(?<=\w)@(?=\w)|:(?=//|[a-z_+\-/]+[:\[])")
_ADDRESS = re.compile(r"\bwww\.", re.IGNORECASE)
_CITATION = re.compile(r"([\[［【(（]\s*)([Ee])(?=\s?\d)")
_START = re.compile(r"^(?:>|[#+=-](?=[\s#=-]|$)|\d{1,9}(?=[.)](?:\s|$)))")
_NUMBERED = re.compile(r"\d")


def escape_markdown(text: str) -> str:
    r"""Return `text` on one line such that it shows as it is: no markup, link, HTML, formula or citation.

    Only signs that could mean something are escaped (`\[`, `\*`, `\$`, `\|`, …), so that ordinary prose stays as it
    is; what looks like a citation of this program (`[E12]`) is kept from being one. White space becomes single blanks;
    control and direction characters are dropped.
    """
    folded = _SPACE.sub(" ", _BETWEEN_WIDE.sub("", text)).strip()
    visible = "".join(character for character in folded if not _is_hidden(character))
    escaped = _SIGNS.sub(r"\\\g<0>", visible).replace("<", "&lt;")
    escaped = _ADDRESS.sub(lambda match: match.group()[:-1] + "\\.", escaped)
    escaped = _CITATION.sub(lambda match: f"{match[1]}&#{ord(match[2])};", escaped)
    return _START.sub(_escaped_start, escaped)


def _escaped_start(match: re.Match[str]) -> str:
    """Escape a list or heading marker at the start: a number by its dot, which must follow it."""
    sign = match.group()
    return sign + "\\" if _NUMBERED.match(sign) else "\\" + sign


def _is_hidden(character: str) -> bool:
    """Whether `character` shows nothing but can change what stands around it; joiners of scripts and emoji stay."""
    return unicodedata.category(character) in ("Cc", "Cf", "Cs") and character not in "\u200c\u200d"


BETWEEN_CELLS = " | "
"""What stands between the cells of a row that is read as a sentence."""
