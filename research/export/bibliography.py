"""The sources that a report cites as a bibliography: BibTeX (for biblatex and reference managers) and RIS.

The addresses, titles and dates are those of the pages; who wrote a page is not known and is never guessed. Text keeps
its script (UTF-8); what the format reads as a command is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote as percent_encode

from research.core import Page, first_day, is_web
from research.export.markdown import all_numbers
from research.export.words import one_line
from research.language import Phrase
from research.results import Report

_NOTE = Phrase("Source [{number}] of the report {run}; SHA-256 of the text that was read: {sha256}")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "$&#_%"},
    }
)
_ADDRESS = ":/?#[]@!$&'()*+,;=%-._~"
"""Characters of an address that stay as they are; braces, blanks and line ends do not."""
_DATE = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?(?=T|$)")


def to_bibtex(report: Report) -> bytes:
    """Return an `@online` entry for each source that the report cites, by number."""
    entries = [_bibtex(number, page, report) for number, page in _cited(report)]
    return "\n".join(entries).encode("utf-8")


def to_ris(report: Report) -> bytes:
    """Return an `ELEC` record for each source that the report cites, by number."""
    records = ["".join(f"{line}\r\n" for line in _ris(number, page, report)) for number, page in _cited(report)]
    return "\r\n".join(records).encode("utf-8")


def _cited(report: Report) -> list[tuple[int, Page]]:
    """Return what the report, or an answer to a further question, cites."""
    numbers = sorted((number, name) for name, number in all_numbers(report).items())
    return [(number, report.pages[name]) for number, name in numbers if name in report.pages]


def _bibtex(number: int, page: Page, report: Report) -> str:
    fields = {
        # The inner braces keep capitals as they are.
        "title": f"{{{_latex(page.title or page.site)}}}",
        "organization": f"{{{_latex(page.site)}}}",
        "date": _published(page),
        "url": _address(page),
        "urldate": page.fetched_at.date().isoformat(),
        "note": _latex(_note(number, page, report)),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value and value != "{}"]
    return f"@online{{{_key(number, report)},\n" + ",\n".join(lines) + "\n}\n"


def _ris(number: int, page: Page, report: Report) -> Iterator[str]:
    published = _published(page)
    yield "TY  - ELEC"
    yield f"ID  - {_key(number, report)}"
    yield f"TI  - {one_line(page.title) or one_line(page.site)}"
    if page.site:
        yield f"T2  - {one_line(page.site)}"
    if published:
        yield f"PY  - {published[:4]}"
        yield f"DA  - {'/'.join([*published.split('-'), '', ''][:3])}/"
    if address := _address(page):
        yield f"UR  - {address}"
    yield f"Y2  - {page.fetched_at.date():%Y/%m/%d}/"
    yield f"N1  - {_note(number, page, report)}"
    yield "ER  - "


def _note(number: int, page: Page, report: Report) -> str:
    return _NOTE.in_(report.record.brief.language).format(number=number, run=report.record.run, sha256=page.sha256)


def _key(number: int, report: Report) -> str:
    """Return a key that stays the same for the same run, and differs from those of other runs."""
    return f"run{re.sub('[^0-9A-Za-z-]', '', report.record.run)}-{number}"


def _published(page: Page) -> str:
    known = _DATE.match(page.published or "")
    return known[0] if known and first_day(known[0]) else ""


def _address(page: Page) -> str:
    return percent_encode(one_line(page.url), safe=_ADDRESS) if is_web(page.url) else ""


def _latex(text: str) -> str:
    return one_line(text).translate(_LATEX)
