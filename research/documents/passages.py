"""A text cut into the passages that a search finds, and its words as a search counts them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from sentencex import segment

from research.documents.document import Document
from research.documents.readers import FRONT_MATTER
from research.text import singular, without_accents

SHORTEST = 300
"""A passage ends at a paragraph once it is this long (characters)."""
LONGEST = 900
"""A passage is never longer, unless its beginning is a mere heading."""
_PROSE = 20_000
"""A paragraph that is longer is no prose; finding its sentences would take time with the square of its length."""
_STUB = 120
"""What is shorter cannot stand alone: it stays with what follows."""

_LINE = re.compile(r"[^\n]*\S")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*)")
_ITEM = re.compile(r"[ \t]*(?:[-*+][ \t]|\d{1,3}[.)][ \t]|[•・◆■●○|]|[（(]\d+[）)])")


_Cut = Callable[[str, int, int], Iterator[tuple[int, int]]]


class IndexedPassage(NamedTuple):
    """A part of a text: `text[start:end]`."""

    start: int
    end: int
    heading: str
    """The headings above it, outermost first, joined by blanks."""


class _Piece(NamedTuple):
    start: int
    end: int
    opens: bool
    """First of a paragraph."""
    heading: str
    titles: bool
    """A heading itself."""


def split(text: str, *, rows: bool = False) -> list[IndexedPassage]:
    """Return the passages of `text` in order; front matter and white space between them belong to none.

    With `rows`, every line is a record, and only line ends are cut at.
    """
    pieces = list(_pieces(text, rows=rows))
    passages: list[IndexedPassage] = []
    start = 0
    for index in range(1, len(pieces) + 1):
        if index == len(pieces) or _cuts(pieces, start, index):
            passages.append(IndexedPassage(pieces[start].start, pieces[index - 1].end, pieces[start].heading))
            start = index
    if len(passages) > 1:  # A very short last one joins the one before it.
        *others, before, last = passages
        if last.end - last.start < _STUB and last.end - before.start <= LONGEST:
            return [*others, IndexedPassage(before.start, last.end, before.heading)]
    return passages


def cut(document: Document) -> tuple[list[tuple[int, int]], list[str]]:
    """Return where each passage of a document begins and ends, and the tokens of its title and of each, by blanks."""
    passages = split(document.text, rows=document.rows)
    texts = (f"{one.heading}\n{document.text[one.start : one.end]}" for one in passages)
    return [(one.start, one.end) for one in passages], [" ".join(tokenise(text)) for text in (document.title, *texts)]


def _cuts(pieces: list[_Piece], first: int, following: int) -> bool:
    """Whether a passage that began with piece `first` ends before piece `following`."""
    nearest = pieces[following]
    length = pieces[following - 1].end - pieces[first].start
    if nearest.end - pieces[first].start > LONGEST:
        return length >= _STUB
    return nearest.opens and length >= (_STUB if nearest.titles else SHORTEST)


def _pieces(text: str, *, rows: bool) -> Iterator[_Piece]:
    """Yield the parts that are never cut: paragraphs, items and rows, or sentences where these are too long."""
    cuts = (_items, _lines, _hard) if rows else (_items, _sentences, _lines, _hard)
    trail: dict[int, str] = {}
    for start, end in _paragraphs(text, rows=rows):
        heading = _HEADING.match(text[start:end]) if "\n" not in text[start:end] else None
        if heading:
            level = len(heading.group(1))
            trail = {above: words for above, words in trail.items() if above < level} | {
                level: heading.group(2)[:LONGEST].rstrip(" \t#")
            }
        above = " ".join(trail.values())
        opens = True
        for a, b in _fitting(text, start, end, cuts):
            yield _Piece(a, b, opens, above, heading is not None)
            opens = rows


def _paragraphs(text: str, *, rows: bool) -> Iterator[tuple[int, int]]:
    """Yield runs of lines that hold text; a heading is a run of its own, and so is a row."""
    front_matter = None if rows else FRONT_MATTER.match(text)
    offset = front_matter.end() if front_matter else int(text.startswith("\ufeff"))
    begin: int | None = None
    last = offset
    for line in text[offset:].splitlines(keepends=True):
        stripped = line.strip()
        alone = bool(stripped) and (rows or _HEADING.match(stripped) is not None)
        if begin is not None and (not stripped or alone):
            yield begin, last
            begin = None
        if stripped:
            at = offset + line.index(stripped[0])
            last = at + len(stripped)
            if alone:
                yield at, last
            elif begin is None:
                begin = at
        offset += len(line)
    if begin is not None:
        yield begin, last


def _fitting(text: str, start: int, end: int, cuts: Sequence[_Cut]) -> Iterator[tuple[int, int]]:
    """Yield parts of a paragraph: all of it, or where it is too long what the first of `cuts` makes of it, each so."""
    if end - start <= LONGEST or not cuts:
        yield start, end
        return
    for part in cuts[0](text, start, end):
        yield from _fitting(text, *part, cuts[1:])


def _items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the items of a list or the rows of a table; prose is one item."""
    begin = last = start
    for line_start, line_end in _lines(text, start, end):
        if line_start > start and _ITEM.match(text, line_start):
            yield begin, last
            begin = line_start
        last = line_end
    yield begin, last


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start > _PROSE:
        yield start, end
        return
    at = start
    for sentence in segment("en", text[start:end]):
        words = sentence.strip()
        if words:
            at = text.index(words, at, end)
            yield at, at + len(words)
            at += len(words)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    yield from (match.span() for match in _LINE.finditer(text, start, end))


def _hard(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what has no sentence end, where possible behind a comma or a blank."""
    while end - start > LONGEST:
        room = text[start : start + LONGEST]
        cut = max(room.rfind(mark) + len(mark) for mark in (", ", "; ", "、", "，", " "))
        cut = start + (cut if cut > LONGEST // 2 else LONGEST)
        yield start, start + len(text[start:cut].rstrip())
        start = cut
    if start < end:
        yield start, end


_CJK = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U000323af"
)
_TOKEN = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[^\W\d_{_CJK}][^\W_{_CJK}]*)")
_MODEL = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]{1,6})-(\d{1,6})(?![A-Za-z0-9])")
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_MIXED_WEIGHT = 0.4
_STOP_WORDS = frozenset(
    """a about an and are as at be been between but by can do does for from had has have how i if in into is it its
    more most of on or our s shall should t than that the their them then there these they this those to was we were
    what when where which who why will with would you your""".split()  # noqa: SIM905 - a list would be a page long
)


def tokenise(text: str) -> list[str]:
    """Return the tokens of a text in order, repeated ones included."""
    folded = unicodedata.normalize("NFKC", text)
    tokens = [(letters + digits).lower() for letters, digits in _MODEL.findall(folded)]
    for match in _TOKEN.finditer(folded):
        run = match.group()
        if match.lastgroup == "cjk":
            tokens += map("".join, pairwise(run)) if len(run) > 1 else [run]
        elif match.lastgroup == "number":
            tokens.append(run.replace(",", ""))
        elif word := _word(run):
            tokens.append(word)
    return tokens


def query_weights(query: str) -> dict[str, float]:
    """Return the tokens of a query and how much each counts.

    Hiragana is grammar more often than content: pairs of it count only if the query holds nothing else, and pairs
    with one such character count less.
    """
    tokens = dict.fromkeys(tokenise(query), 1.0)
    content = [token for token in tokens if not _HIRAGANA.fullmatch(token)]
    return {token: _MIXED_WEIGHT if _HIRAGANA.search(token) else 1.0 for token in content} or tokens


def is_single(token: str) -> bool:
    """Whether a token is one character of a script that is searched in pairs."""
    return len(token) == 1 and _CJK_RUN.fullmatch(token) is not None


@lru_cache(maxsize=65_536)
def _word(run: str) -> str:
    """Return a word in its common form, or nothing for a stop word; `IT` and `US` are none."""
    word = run.lower()
    if run.isupper() and len(run) > 1:
        return word
    if not word.isascii():
        word = without_accents(word)
    return "" if word in _STOP_WORDS else singular(word)
