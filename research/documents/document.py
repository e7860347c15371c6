"""What a reader makes of a file: its text with title and date, or why there is none; and bytes that become text."""

from __future__ import annotations

import codecs
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import chain, count
from pathlib import Path

from charset_normalizer import from_bytes

from research.text import MONTHS

PAGE_BREAK = "\f"
BETWEEN_PAGES = f"\n{PAGE_BREAK}\n"
"""Between the pages of a PDF's text."""
MAX_CHARACTERS = 30_000_000
"""Files that unpack to more text are skipped."""

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
