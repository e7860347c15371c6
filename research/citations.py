"""From evidence ids to numbered citations.

An analyst writes `[E12]`; it never writes an address or a citation number. Here the program takes out what the analyst
should not have written, numbers the sources in the order of their first citation, and lists which sentence rests on
which evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape

from research.evidence import Evidence
from research.report import Sentence
from research.text.sentences import sentences

_IDS = r"E\s?\d+(?:\s*[-–~〜]\s*E?\s?\d+)?(?:\s*[,;、，；]\s*E?\s?\d+(?:\s*[-–~〜]\s*E?\s?\d+)?)*"
_MARK = re.compile(rf"\s?(?:\\?\[|［|【|\(|（)\s*(?:{_IDS})\s*(?:\\?\]|］|】|\)|）)", re.IGNORECASE)
_CLEAN_MARK = re.compile(r"\[(E\d+(?:, E\d+)*)\]")
_ROW_OF_MARKS = re.compile(rf"{_CLEAN_MARK.pattern}(?:\s*[,、]?\s*{_CLEAN_MARK.pattern})*")
_RANGE = re.compile(r"(\d+)\s*[-–~〜]\s*E?\s?(\d+)", re.IGNORECASE)
_LONGEST_RANGE = 10

_FOREIGN_NUMBER = re.compile(r"(?<!\\)\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\](?!\()")
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\([^)\n]*\)")
_LINK = re.compile(r"(?<!\\)\[([^\]\n]*)\]\(\s*<?[^)\n]*>?\)")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:.*$\n?", re.MULTILINE)
_ADDRESS = re.compile(r"<?\b(?:https?|ftp|file)://[^\s<>()\]」』）、。]+>?")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_SOURCE_LIST = re.compile(
    r"^#{1,6}\s*(?:\d+\.?\s*)?(?:sources?|references?|bibliography|works cited|citations?"
    r"|出典|情報源|参考文献|参考資料|引用元|引用文献)(?:一覧)?\s*:?\s*$.*\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Cited:
    """A report whose every citation exists."""

    draft: str
    """The text with evidence ids, cleaned: every mark has the form `[E1, E2]` and every id exists."""
    numbers: dict[str, int]
    """Page id -> citation number, in order of first citation; no number without entry, none twice."""
    evidence: tuple[str, ...]
    """The evidence cited, once each, in order of first citation."""
    citations: int
    unknown_ids: int
    removed_links: int


def cite(text: str, evidence: Mapping[str, Evidence]) -> Cited:
    """Clean an analyst's text and number what it cites.

    Unknown ids, citation numbers and addresses written by the analyst are removed and counted.
    """
    unknown = 0
    order: dict[str, int] = {}

    def keep_known(match: re.Match[str]) -> str:
        nonlocal unknown
        wanted = _ids(match.group())
        known = [name for name in wanted if name in evidence]
        unknown += len(wanted) - len(known)
        blank = " " if match.group()[0].isspace() and known else ""
        return f"{blank}[{', '.join(known)}]" if known else ""

    text, links = _without_addresses(_SOURCE_LIST.sub("", text))
    text, numbers = _FOREIGN_NUMBER.subn("", text)
    text = _ROW_OF_MARKS.sub(_as_one_mark, _MARK.sub(keep_known, text))
    marks = [match.group(1).split(", ") for match in _CLEAN_MARK.finditer(text)]
    cited = tuple(dict.fromkeys(name for mark in marks for name in mark))
    for name in cited:
        order.setdefault(evidence[name].source, len(order) + 1)
    return Cited(text.strip() + "\n", order, cited, sum(map(len, marks)), unknown + numbers, links)


def render_marks(draft: str, render: Callable[[list[str]], str]) -> str:
    """Replace each mark of a cleaned draft by what `render` makes of its evidence ids."""
    return _CLEAN_MARK.sub(lambda match: render(match.group(1).split(", ")), draft)


def cited_sentences(draft: str) -> list[Sentence]:
    """Return the sentences of a cleaned draft, each with the evidence it cites.

    Headings claim nothing and are left out. A mark behind the full stop belongs to the sentence before it.
    """
    found: list[Sentence] = []
    for block in _claiming_lines(draft):
        inside = _MARK_AFTER_STOP.sub(r"\2\1", block)
        for span in sentences(inside):
            piece = inside[span.start : span.end]
            ids = tuple(dict.fromkeys(name for match in _CLEAN_MARK.finditer(piece) for name in match[1].split(", ")))
            words = _plain(re.sub(rf"\s?{_CLEAN_MARK.pattern}", "", piece))
            if re.search(r"\w", words):
                found.append(Sentence(text=words, evidence=ids, verdict=None if ids else "uncited"))
    return found


_MARK_AFTER_STOP = re.compile(r"([.!?。！？][\"”’」』）)*_]*)\s*((?:\s?\[E\d+(?:, E\d+)*\])+)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}.*$")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])|(&#?\w+;)")
_LEAD = re.compile(r"^\s*(?:[-*+]|\d+[.)]|>)\s+")


def _claiming_lines(draft: str) -> list[str]:
    """Return the lines that can claim something: no headings, no rules, no table heads."""
    lines = draft.splitlines()
    kept = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        is_table_head = line.lstrip().startswith("|") and _TABLE_RULE.match(following)
        if line.lstrip().startswith("#") or _TABLE_RULE.match(line) or is_table_head or not line.strip():
            continue
        kept.append(_LEAD.sub("", line.strip()))
    return kept


def _plain(text: str) -> str:
    """Return Markdown text without its marks of emphasis, code and tables."""
    text = re.sub(r"(?<!\\)(\*{1,3}|_{2,3}|`+)", "", text)
    if text.lstrip().startswith("|"):
        text = " | ".join(cell.strip() for cell in re.split(r"(?<!\\)\|", text) if cell.strip())
    return re.sub(r"\s+", " ", _ESCAPED.sub(lambda match: match[1] or unescape(match[2]), text)).strip()


def _ids(mark: str) -> list[str]:
    """Return the evidence ids of a mark as an analyst wrote it; a range stands for all its members."""

    def spread(match: re.Match[str]) -> str:
        first, last = int(match[1]), int(match[2])
        return ",".join(map(str, range(first, last + 1))) if 0 <= last - first < _LONGEST_RANGE else match[1]

    return list(dict.fromkeys(f"E{int(number)}" for number in re.findall(r"\d+", _RANGE.sub(spread, mark))))


def _as_one_mark(row: re.Match[str]) -> str:
    """Return neighbouring marks as one, each id once."""
    return f"[{', '.join(dict.fromkeys(re.findall(r'E[0-9]+', row.group())))}]"


def _without_addresses(text: str) -> tuple[str, int]:
    """Return `text` without links, images, addresses and raw HTML, and how many of them there were."""
    text, definitions = _DEFINITION.subn("", text)
    text, images = _IMAGE.subn(r"\1", text)
    text, links = _LINK.subn(_link_text, text)
    text, addresses = _ADDRESS.subn("", text)
    return _TAG.sub("&lt;", text), definitions + images + links + addresses


def _link_text(link: re.Match[str]) -> str:
    """Return what stays of a link: its words, a mark if it was put on one, nothing of a citation number."""
    words = link[1]
    if re.fullmatch(_IDS, words.strip(), re.IGNORECASE):
        return f"[{words}]"
    return "" if re.fullmatch(r"\^?\d{1,3}", words) else words
