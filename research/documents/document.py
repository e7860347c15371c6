"""What a reader makes of a file: its text with title and date, in passages and words, or why there is none.

Bytes become text here, rows of tables lines, and a text the passages that a search finds, with its words as a search
counts them.
"""

from __future__ import annotations

import codecs
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import chain, count, pairwise
from pathlib import Path
from typing import NamedTuple

from charset_normalizer import from_bytes
from sentencex import segment

from research.text import MONTHS, singular, without_accents

PAGE_BREAK = "\f"
BETWEEN_PAGES = f"\n{PAGE_BREAK}\n"
"""Between the pages of a PDF's text."""
MAX_CHARACTERS = 30_000_000
"""Files that unpack to more text are skipped."""

FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
"""What stands before a text of Markdown, as `name: value`."""

_NUMERIC = re.compile(r"(\d{4})(?:\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2}))?)?(?!\d)")


def iso_date(text: str) -> str | None:
    """Return the date at the start of `text` (`2025-06-30T…`, `2025/6/30`, `2025年6月`, `2025`), or None."""
    match = _NUMERIC.match(text.strip().strip("\"'"))
    if match is None:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return None
    parts = [f"{year:04d}", f"{month:02d}" if month else "", f"{day:02d}" if day else ""]
    return "-".join(part for part in parts if part)


_YEAR, _OF_MONTH, _OF_DAY = r"(?<!\d)((?:19|20)\d\d)", r"(0[1-9]|1[0-2])", r"(0[1-9]|[12]\d|3[01])(?!\d)"
_NAMED = (
    re.compile(rf"{_YEAR}([-_.]?){_OF_MONTH}\2{_OF_DAY}"),
    re.compile(rf"{_YEAR}年\s*(\d{{1,2}})月(?:\s*(\d{{1,2}})日)?"),
    re.compile(rf"{_YEAR}[-_.]{_OF_MONTH}(?![-_.]?\d)"),
)
_SPELT = (
    re.compile(rf"\b(?P<day>\d{{1,2}})\.?\s+(?P<month>{'|'.join(MONTHS)})\s+{_YEAR}", re.IGNORECASE),
    re.compile(
        rf"\b(?P<month>{'|'.join(MONTHS)})\s+(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?{_YEAR}", re.IGNORECASE
    ),
)


def date_named(text: str) -> str | None:
    """Return the day or month that the name or the title of a file gives, or None: `20260108_minutes`, 2026年4月."""
    for pattern in _NAMED:
        if match := pattern.search(text):
            told = [part for part in match.groups() if part and part.isdigit()]
            are_years = len(told) == 2 and int(told[1]) == int(told[0]) % 100 + 1 and "月" not in match.group()
            if not are_years:  # 2010-11
                return iso_date("-".join(told))
    for pattern in _SPELT:
        if match := pattern.search(text):
            month = MONTHS.index(match["month"].lower()) + 1
            return iso_date(f"{match.groups()[-1]}-{month}" + (f"-{match['day']}" if match["day"] else ""))
    return None


@dataclass(frozen=True)
class Document:
    """The text of one file."""

    text: str
    title: str
    published: str | None = None
    """ISO 8601 date, as precise as known (`2025`, `2025-06`, `2025-06-30`)."""
    rows: bool = False
    """Each line of the text is a record of its own."""
    pictures: tuple[int, ...] = ()
    """Numbers of pages that are pictures, whose text is not known."""


class UnreadableFile(Exception):
    """A file gives no text; `code` is a `file_…` key of `research.core.errors`."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail or code)
        self.code = code


def display_name(path: Path) -> str:
    """Return a file name or path as printable Unicode on one line, whatever bytes it is made of."""
    name = os.fsencode(path).decode("utf-8", "replace")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in name)


_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HALF_WIDTH = re.compile(r"[\uff61-\uff9f]")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_PRIVATE = re.compile(r"[\ue000-\uf8ff\ufffd\ufffe\uffff]")
_PROBE = 65_536
"""Bytes that a guess rests on."""
_DAMAGE = 0.01
"""Share of characters that may be damaged in a file that else is UTF-8."""

_USUAL = (
    dict.fromkeys(("English", "French", "German", "Spanish", "Italian", "Portuguese", "Dutch"), "cp1252")
    | dict.fromkeys(("Danish", "Norwegian", "Swedish", "Finnish", "Indonesian"), "cp1252")
    | dict.fromkeys(("Polish", "Czech", "Slovak", "Hungarian", "Slovene", "Romanian"), "cp1250")
    | {"Turkish": "cp1254"}
)
"""Where several encodings give letters, the language is a better guess than the letters."""


def decode(data: bytes, declared: str = "") -> str:
    r"""Return the text of a file, line ends as `\n`; a byte order mark of UTF-8 stays, as `Path.read_text` leaves it.

    `declared` is the encoding that the file itself names, if it does.

    Raises:
        UnreadableFile: `file_binary`, the bytes are no text.
    """
    text = _decode(data, declared)
    if len(_CONTROL.findall(text, 0, _PROBE)) > len(text[:_PROBE]) * _DAMAGE:
        raise UnreadableFile("file_binary", "control characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, declared: str) -> str:
    if (encoding := _wide(data)) is not None:
        return _strict(data, encoding) or _guess(data)
    if b"\x00" in data:
        raise UnreadableFile("file_binary", "null bytes")
    for encoding in ("iso2022_jp_ext" if b"\x1b$" in data else "utf-8", declared):
        if encoding and (text := _strict(data, encoding)) is not None:
            return text
    return _damaged_utf8(data) or _japanese(data) or _guess(data)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _wide(data: bytes) -> str | None:
    """Return which UTF-16 or UTF-32 this is: by its mark, or because one half of the bytes has many zeros."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    probe = data[: _PROBE - _PROBE % 2]
    if len(data) % 2 or len(probe) < 4:
        return None
    half = len(probe) // 2
    zeros = probe[::2].count(0) / half, probe[1::2].count(0) / half
    if min(zeros) > 0.02 or max(zeros) < 0.1:
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _damaged_utf8(data: bytes) -> str | None:
    """Return UTF-8 in which a few bytes are wrong, with those replaced."""
    text = data.decode("utf-8", "replace")
    beyond_ascii = sum(character > "\x7f" for character in text)
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    return text if lost <= len(text) * _DAMAGE and lost <= beyond_ascii * 0.1 else None


def _japanese(data: bytes) -> str | None:
    """Return the text if one of the older Japanese encodings gives Japanese: much kana, nothing odd."""
    best, best_share = None, 0.1
    for encoding in ("cp932", "euc_jis_2004"):
        text = _strict(data, encoding)
        if text is None:
            continue
        beyond_ascii = sum(character > "\x7f" for character in text[:_PROBE]) or 1
        odd = len(_HALF_WIDTH.findall(text, 0, _PROBE)) + len(_PRIVATE.findall(text, 0, _PROBE))
        share = (len(_KANA.findall(text, 0, _PROBE)) - 2 * odd) / beyond_ascii
        if share > best_share:
            best, best_share = text, share
    return best


def _guess(data: bytes) -> str:
    match = from_bytes(data[:_PROBE]).best()
    if match is not None:
        for encoding in (_USUAL.get(match.language, match.encoding), match.encoding):
            if (text := _strict(data, encoding)) is not None:
                return text
    raise UnreadableFile("file_binary", "no known encoding")


# --- rows of tables become lines -------------------------------------------------------------------------------------

COLUMNS = 16_384
"""Columns that a table may have: those of a worksheet. Word itself makes at most 63."""


def within_limit(lines: Iterable[str]) -> list[str]:
    """Return lines of text that together are no longer than a document may be; each repeats the header."""
    kept, left = list[str](), MAX_CHARACTERS
    for line in lines:
        left -= len(line)
        if left < 0:
            raise UnreadableFile("file_too_large")
        kept.append(line)
    return kept


def column_names(cells: Iterable[str]) -> list[str]:
    """Return what the columns of a table are called: those without a name by their number, equal ones one by one."""
    often = Counter[str]()
    names: list[str] = []
    for number, cell in enumerate(map(flat, cells), start=1):
        name = cell or f"column {number}"
        often[name] += 1
        names.append(name if often[name] == 1 else f"{name} ({often[name]})")
    return names


def row_line(header: list[str], row: list[str]) -> str:
    """Return one row as `name: value` pairs; empty cells are left out, extra cells are numbered."""
    if len(row) > COLUMNS:
        raise UnreadableFile("file_too_large", f"{len(row)} columns")
    names = chain(header, (f"column {number}" for number in count(len(header) + 1)))
    values = map(flat, row)
    return "; ".join(f"{name}: {value}" for name, value in zip(names, values, strict=False) if value)


def flat(cell: str) -> str:
    """Return a cell on one line."""
    return " ".join(cell.split())


# --- a text in passages, and its words -------------------------------------------------------------------------------

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
