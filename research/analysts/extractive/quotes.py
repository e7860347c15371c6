"""How a report shows quotes and calculations.

A quote stands on one line, with its citation, and a bare one with its heading or its page; of a calculation are printed
what it is of, its result, and the figures that it can be worked out from again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from research.core import Brief, Evidence, Page
from research.gaps import is_excluded
from research.language import COLON, COMMA, Bilingual, Language, Phrase, bracketed
from research.quantities import when_in_words
from research.text import (
    Value,
    cells,
    escape_markdown,
    folded,
    heading_of,
    is_table_row,
    language_of,
    unlinked,
    values_of,
)


def said_by(entry: Evidence, pages: Mapping[str, Page]) -> str:
    """Return a quote with the heading that it stands under, as it is compared with what is asked."""
    page = pages[entry.source]
    heading = heading_of(page.text, entry.start)
    quote = unlinked(entry.quote)
    return f"{heading}: {quote}" if heading and folded(heading) != folded(page.title) else quote


def allowed_of(evidence: Sequence[Evidence], brief: Brief) -> list[Evidence]:
    """Return the quotes that speak of nothing that the brief excludes."""
    return [entry for entry in evidence if not is_excluded(entry.quote, brief)]


_MARK = r"(?:[•‣・●○◎▪]\s*|(?:[-*+–>]|\d{1,3}[.)])\s+)"
_ITEM = re.compile(rf"\s*\n\s*{_MARK}")
_STARTS = re.compile(rf"^{_MARK}")
_EMPTY_CELLS = re.compile(r"\s*\|(?:\s*[$€£¥]?\s*\|)*\s*")
_STOPS, _WIDE_STOPS = (".", "!", "?"), ("。", "！", "？")
_WRAPPED = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s*\n\s*(?=[\u3000-\u9fff\uff00-\uffef])")


def unlisted(text: str) -> str:
    """Return a line without the mark of a list before it."""
    return _STARTS.sub("", text)


def quoted(entry: Evidence, page: Page, language: Language) -> str:
    """Return a quote on one line in the report's quotation marks, with its citation; a bare line with its heading.

    Of a link only its words are shown; items of a list follow each other as sentences, or behind slashes if they are
    none. A row of a table is told by what its
    cells are called, without marks: those words stand above it. So is a row of a data file, behind whom and when.
    """
    is_row = is_table_row(entry.quote) or _is_data_row(entry, page)
    if is_row and (row := _row_of(entry, page)):
        return f"{row} [{entry.id}]"
    plain = unlinked(entry.quote.strip()).replace("**", "")
    text = escape_markdown(" / ".join(_rows_in(plain)) if plain.startswith("|") else _flowing(_items_in(plain)))
    marks = Bilingual(f"“{text}” [{entry.id}]", f"「{text}」[{entry.id}]").in_(language)
    heading = heading_of(page.text, entry.start)
    short = len(entry.quote) < _BARE and not _speaks_for_itself(entry.quote, page)
    if short and heading and "|" not in heading and heading not in page.title:
        colon = COLON.in_(language)
        return f"{escape_markdown(heading)}{colon}{marks}"
    return marks


def _rows_in(table: str) -> list[str]:
    """Return what the rows of a table say, without their empty cells."""
    return [_EMPTY_CELLS.sub(" | ", row).strip("| ") for row in table.splitlines()]


def _items_in(text: str) -> list[str]:
    """Return the items of a list, the line that leads to them with the first, each on one line."""
    first, *items = _ITEM.split(unlisted(text))
    led = not _STARTS.match(text) and items  # A first line that is no item leads to them.
    listed = [" ".join([first, *items[:1]]), *items[1:]] if led else [first, *items]
    return [" ".join(_WRAPPED.sub("", one).split()) for one in listed]


def _flowing(items: Iterable[str]) -> str:
    """Return items one after the other: a sentence ends by itself, any other item before a slash."""
    text = ""
    for item in items:
        if text and not text.endswith(_WIDE_STOPS):
            text += " " if text.endswith(_STOPS) else " / "
        text += item
    return text


def _is_data_row(entry: Evidence, page: Page) -> bool:
    """Whether a quote is a row of a data file: the line before or after it has cells of the same names."""
    names = [name for name, _ in cells(entry.quote)]
    before = page.text[: entry.start].rstrip("\n").rpartition("\n")[2]
    after = page.text[entry.end :].lstrip("\n").partition("\n")[0]
    return bool(names) and any([name for name, _ in cells(line)] == names for line in (before, after))


def _row_of(entry: Evidence, page: Page) -> str:
    """Return a row as “whom: what it is called: value; …”, of a data file with the time behind whom it is about.

    Several rows are told one after the other, without those that have no values: notes below a table. Nothing if none
    has any, or if several words say whom: from Japan to Vietnam is not the way back.
    """
    rows: dict[int, list[Value]] = {}
    for value in values_of(page.text):
        if entry.start < value.end and value.start < entry.end:
            rows.setdefault(value.start, []).append(value)
    told = [_row_told(values, is_of_file=bool(cells(entry.quote))) for values in rows.values()]
    return escape_markdown(" / ".join(told)) if all(told) else ""


def _row_told(values: Sequence[Value], *, is_of_file: bool) -> str:
    """Return the values of one row behind whom it is about; nothing if several words of a data file say whom."""
    subject = values[0].subject
    if is_of_file:
        whom = "" if ";" in subject else ", ".join(filter(None, (subject, values[0].period)))
        row = "; ".join(f"{value.label}: {value.text}" for value in values)
        return f"{whom}: {row}" if whom else ""
    told = dict.fromkeys(
        f"{value.label.removeprefix(subject).lstrip(': ') or value.period}: {value.text}".lstrip(": ")
        for value in values
    )
    return f"{subject}: {'; '.join(told)}"


def titled(entry: Evidence, pages: Mapping[str, Page], language: Language) -> str:
    """Return a quote as it is shown, with the title of its page, where several pages were read."""
    page = pages[entry.source]
    quote = quoted(entry, page, language)
    if len(pages) == 1:
        return quote
    return f"{escape_markdown(page.title)}{COLON.in_(language)}{quote}"


_BARE = 60
"""Characters below which a quote may need its heading to be understood."""


def _speaks_for_itself(quote: str, page: Page) -> bool:
    """Whether a short quote is a whole sentence, or names what the page is about."""
    return quote.endswith((".", "。", "!", "！")) or quote.split(" ", maxsplit=1)[0] in page.title


# --- calculations ----------------------------------------------------------------------------------------------------

NOT_FOUND = Phrase("Nothing was found on this.")
_COMPUTED = Phrase("- Computed: {what}: {said}")
_FROM_TO = Phrase("{first} to {last}", "a period")
_YEAR = Bilingual("{year}", "{year}年")
_UNIT_BEHIND = re.compile(r" \(([^()]+)\)\Z")
"""What stands in brackets behind a label, most often its unit."""


def computed_line(what: str, said: str, language: Language) -> str:
    """Return the line of a calculation: what is worked out, then its result, “ = ” and what it follows from."""
    return _COMPUTED.in_(language).format(what=what, said=said)


def from_to(first: str, last: str, language: Language) -> str:
    """Return from when to when something changed: years, or periods as their tables call them."""
    year = _YEAR.in_(language)
    ends = [year.format(year=end) if end.isdecimal() else when_in_words(end, language) for end in (first, last)]
    return _FROM_TO.in_(language).format(first=ends[0], last=ends[1])


def headed(label: str, asked: str, language: Language) -> str:
    """Return what a column is called, after what is asked where the reader's language is another than the label's."""
    is_told = not asked or language_of(label) is language or folded(label).startswith(folded(asked))  # GDP (exchange)
    if is_told:
        return label
    return bracketed(asked, _UNIT_BEHIND.sub(lambda aside: f"{COMMA.in_(language)}{aside[1]}", label), language)
