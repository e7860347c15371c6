"""What Word and PowerPoint files share: clean text, safe addresses, typefaces, measured widths, the words they add."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, time
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from research.export.charts import drawable, values_of
from research.export.document import (
    Block,
    Chart,
    Citation,
    Line,
    Paragraph,
    PartKind,
    ReportDocument,
    Text,
    plain,
)
from research.export.markdown import SOURCES_OF_SECTION
from research.export.words import KOREAN, SIMPLIFIED, TRADITIONAL, period_in_words, printable, tongue
from research.language import Bilingual, Language, Phrase, bracketed
from research.text import columns

if TYPE_CHECKING:
    from docx.opc.coreprops import CoreProperties as WordProperties
    from pptx.parts.coreprops import CorePropertiesPart as DeckProperties


QUIET, LINE = "5A6675", "DDE1E7"
SERIES = ("2B5797", "1E7A4C", "9A5B00", "7A4B9A", "B3261E", "5A6675")
"""The colours of a chart's series, in order: those of the application, as in the templates."""
MONOSPACE = "Consolas"
TOOLTIP = 200
"""Characters of a title that appears beside a link."""

LOUD = (PartKind.BODY, PartKind.CHARTS, PartKind.FOLLOW_UPS)
"""Parts in full size; the others stand after the text in smaller words."""

# --- the words that Office files add -----------------------------------------------------------------------------

CONTENTS = Phrase("Contents")
SOURCES = Phrase("Sources")
SOURCES_HERE = Phrase("Sources: ")
BRIEF = Phrase("What was asked for")
COLON = Bilingual(": ", "：")
_COLUMNS = Phrase("Columns {first}–{last} of {total}")
_SERIES = Bilingual("{name}: {figures}", "{name}：{figures}")
_DESCRIBED = Bilingual("{chart}. {told}", "{chart}。{told}")
_NEEDS = Phrase("{what} needs python-pptx: pip install 'research-workbench[documents]'.")
_TAGS = {Language.EN: "en-US", Language.JA: "ja-JP"}


def missing(what: Bilingual, language: Language) -> str:
    """Say which command installs what is missing."""
    return _NEEDS.in_(language).format(what=what.in_(language))


def tag(language: Language) -> str:
    """Return the language's tag as Office writes it."""
    return _TAGS[language]


# --- clean text --------------------------------------------------------------------------------------------------

_DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Embedded directions, which may reverse what stands after them; the marks of single characters stay."""


def clean(text: str) -> str:
    """Return `text` without what XML or Office refuses, and without embedded directions."""
    return _DIRECTIONS.sub("", printable(text))


def one_line(text: str) -> str:
    """Return `text` cleaned, on one line."""
    return " ".join(clean(text).split())


def clipped(text: str, most: int) -> str:
    """Return `text` on one line, cut with an ellipsis after `most` characters, at a word's end if one is near."""
    line = one_line(text)
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    blank = cut.rfind(" ")
    return (cut[:blank] if blank > most * 2 // 3 else cut).rstrip(" ,;:、") + "…"


def runs_right_to_left(text: str) -> bool:
    """Whether the first letter of `text` belongs to a script that is written from right to left."""
    kinds = (unicodedata.bidirectional(sign) for sign in text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


# --- addresses ---------------------------------------------------------------------------------------------------

_LONGEST_ADDRESS = 2_000
"""Characters; Office cuts or refuses longer addresses."""
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|\[[0-9A-Fa-f:.]+\]")
_MAIL = re.compile(r"mailto:[A-Za-z0-9.!$&'*+/=^_{|}~-]+@[A-Za-z0-9.-]+")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PATH = "/:@!$&'()*+,;=~%-._"


def safe_address(url: str) -> str:
    """Return an `http`, `https` or `mailto` address with every odd character escaped; empty if it cannot be one.

    One link that Office cannot read makes it call a whole file damaged.
    """
    stripped = clean(url).strip()
    try:
        found = stripped if _MAIL.fullmatch(stripped) else _web_address(urlsplit(stripped))
    except ValueError:
        return ""
    found = _STRAY_PERCENT.sub("%25", found)
    return found if len(found) <= _LONGEST_ADDRESS else ""


def _web_address(parts: SplitResult) -> str:
    """Return an address of the web; empty with a password before its host, which only ever misleads."""
    name, port = parts.hostname or "", parts.port
    host = name if name.isascii() else name.encode("idna").decode("ascii")
    host = f"[{host}]" if ":" in host else host
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _HOST.fullmatch(host):
        return ""
    end = "" if port is None else f":{port}"
    query = f"?{quote(parts.query, _PATH + '?')}" if parts.query else ""
    fragment = f"#{quote(parts.fragment, _PATH + '?')}" if parts.fragment else ""
    return f"{parts.scheme}://{host}{end}{quote(parts.path, _PATH)}{query}{fragment}"


# --- East Asian text ---------------------------------------------------------------------------------------------


class Face(NamedTuple):
    """What text of a language is set in."""

    tag: str
    """The language, as Office writes it."""
    typeface: str
    """A sans serif that comes with Windows and with Office for the Mac."""


JAPANESE = Face("ja-JP", "Yu Gothic")
_FACES = {
    Language.JA.value: JAPANESE,
    KOREAN: Face("ko-KR", "Malgun Gothic"),
    SIMPLIFIED: Face("zh-CN", "Microsoft YaHei"),
    TRADITIONAL: Face("zh-TW", "Microsoft JhengHei"),
}


@lru_cache(maxsize=4_096)
def face_of(text: str, around: str = "") -> Face | None:
    """Return what East Asian text is set in; None for text that is mostly in other letters.

    `around` is the language of the page that the text is from, as `research.export.tongues.tongue_of` tells it.
    """
    return None if text.isascii() else _FACES.get(tongue(text, Language.EN, around))


# --- measured text -----------------------------------------------------------------------------------------------

_LATIN, _CAPITAL, _WIDE = 0.49, 0.66, 1.0
"""Ems that a letter takes in the middle of a text: with its blanks a Latin one, a capital one, a Japanese one."""
_WORD = re.compile(r"\n|\S+[^\S\n]*|[^\S\n]+")


@lru_cache(maxsize=65_536)
def ems(text: str, *, is_bold: bool = False) -> float:
    """Return the width of `text` on one line in units of its size: an estimate, rather too wide than too narrow."""
    wide, capital = columns(text) - len(text), sum(map(str.isupper, text))
    width = _LATIN * (len(text) - wide - capital) + _CAPITAL * capital + _WIDE * wide
    return width * 1.06 if is_bold else width


def line_ends(text: str, width: float, *, is_bold: bool = False) -> list[int]:
    """Return where each line of `text` ends if a line holds `width` ems; words longer than a line are broken."""
    ends: list[int] = []
    at, used = 0, 0.0
    for word in _WORD.findall(text):
        if word == "\n":
            at, used = at + 1, 0.0
            ends.append(at)
            continue
        bare = ems(word.rstrip(), is_bold=is_bold)
        breaks_anywhere = bare > width or any(unicodedata.east_asian_width(sign) in "WF" for sign in word)
        for piece in word if used + bare > width and breaks_anywhere else (word,):
            if used and used + ems(piece.rstrip(), is_bold=is_bold) > width:
                ends.append(at)
                used = 0.0
            at, used = at + len(piece), used + ems(piece, is_bold=is_bold)
    return [*ends, len(text)]


def line_count(text: str, width: float, *, is_bold: bool = False) -> int:
    """Return on how many lines `text` is set if a line holds `width` ems."""
    return len(line_ends(text, width, is_bold=is_bold))


# --- lines and blocks --------------------------------------------------------------------------------------------

_UNBROKEN = "\N{NO-BREAK SPACE}"


def bound(line: Line) -> Line:
    """Return a line in which no citation begins a new line of the page if there is a blank before it."""
    return tuple(
        replace(piece, text=f"{piece.text[:-1]}{_UNBROKEN}")
        if isinstance(piece, Text) and isinstance(after, Citation) and piece.text.endswith(" ") and piece.text.strip()
        else piece
        for piece, after in zip_longest(line, line[1:])
        if piece is not None
    )


def joined(lines: Iterable[Line], between: str) -> Line:
    """Return lines as one, with words between them."""
    return tuple(piece for place, line in enumerate(lines) for piece in ((Text(between), *line) if place else line))


def names_sources(block: Block, language: Language) -> bool:
    """Whether a block is the line under a section that names its sources."""
    return isinstance(block, Paragraph) and plain(block.line).startswith(SOURCES_OF_SECTION.in_(language))


_MEASURED, _NARROWEST, _WIDEST = 80, 4.0, 26.0
"""Characters of a cell that its column's width is reckoned from, and bounds of it in ems."""


def column_ems(rows: Iterable[Sequence[Line]], shown: Iterable[int]) -> list[float]:
    """Return the width that each column would have by its longest text, within bounds."""
    rows = list(rows)
    return [
        min(_WIDEST, max(_NARROWEST, *(ems(plain(row[column])[:_MEASURED], is_bold=True) for row in rows)))
        for column in shown
    ]


def columns_named(shown: tuple[int, ...], total: int, language: Language) -> str:
    """Say which columns a part of a table shows."""
    first = 1 if shown[1] == 1 else shown[1] + 1
    return _COLUMNS.in_(language).format(first=first, last=shown[-1] + 1, total=total)


# --- charts in words ---------------------------------------------------------------------------------------------


def has_figures(chart: Chart) -> bool:
    """Whether there is anything to draw."""
    return bool(chart.labels and values_of(drawable(chart)))


def is_ranking(chart: Chart) -> bool:
    """Whether a chart sets the figures of several sources for one period side by side: a bar for each."""
    return len(chart.labels) == 1 and len(chart.series) > 1


def captioned(chart: Chart, language: Language) -> str:
    """Return a chart's title with its unit."""
    return bracketed(one_line(chart.title), one_line(chart.unit), language)


def spoken(chart: Chart, language: Language) -> list[str]:
    """Return the figures of a chart in words: a line for each source."""
    lines = []
    for series in chart.series:
        pairs = zip(chart.labels, series.values, strict=False)
        values = [f"{period_in_words(label, language)} {value:,.10g}" for label, value in pairs if value is not None]
        figures = one_line(Bilingual(", ", "、").in_(language).join(values))
        lines.append(_SERIES.in_(language).format(name=one_line(series.name), figures=figures))
    return lines


def described(chart: Chart, language: Language) -> str:
    """Return a chart in words, for those who do not see it."""
    told = Bilingual("; ", "。").in_(language).join(spoken(chart, language))
    return _DESCRIBED.in_(language).format(chart=captioned(chart, language), told=told)


# --- what the file says of itself --------------------------------------------------------------------------------

_MAKER = "Research Workbench"
_LONGEST_PROPERTY = 250


def describe_file(properties: WordProperties | DeckProperties, document: ReportDocument) -> None:
    """Set the properties that a file manager shows."""
    properties.title = clipped(document.title, _LONGEST_PROPERTY)
    properties.subject = clipped(document.question, _LONGEST_PROPERTY)
    properties.author = properties.last_modified_by = _MAKER
    properties.comments = clipped(document.byline, _LONGEST_PROPERTY)
    properties.identifier = clipped(document.run, _LONGEST_PROPERTY)
    properties.language = tag(document.language)
    properties.created = properties.modified = datetime.combine(document.researched, time())
    properties.revision = 1
