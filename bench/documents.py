"""A report in every format: time and size for 2, 20 and 100 pages, in English and in Japanese, as a Markdown table.

python -m bench.documents
"""

from __future__ import annotations

import gc
import io
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from pypdf import PdfReader

from bench.report_sample import sample
from research.export import FORMATS
from research.export.composing import document_of
from research.export.document import Paper
from research.language import Language
from research.results import Report

LENGTHS = (2, 20, 100)
_SECTIONS = {Language.EN: {2: 1, 20: 20, 100: 114}, Language.JA: {2: 1, 20: 20, 100: 114}}
"""Sections of a sample that fill so many pages of a PDF, with the sources that they cite."""
_NAMES = {Language.EN: "English", Language.JA: "Japanese"}
_VARIANTS = 3
_FIRST = """
import time
from bench.report_sample import sample
from research.export import FORMATS
from research.export.document import Paper
from research.language import Language
report = sample(Language.EN, 1)
began = time.perf_counter()
FORMATS["{name}"].make(report, Paper.A4)
print(time.perf_counter() - began)
"""


class Measured(NamedTuple):
    """What it takes to make a file."""

    seconds: float
    """The median of files that differ, as a format may remember what it made before."""
    data: bytes


def main() -> None:
    """Print a table for each language, and what the first file of a process takes."""
    for language in Language:
        _compare(language)
    print("\nThe first file of a process, of 2 pages, with what it loads:", end=" ")
    print(", ".join(f"{name} {_first(name):.2f} s" for name in ("pdf", "html", "docx", "pptx", "xlsx")))


def _compare(language: Language) -> None:
    reports = {
        pages: [sample(language, _SECTIONS[language][pages], variant) for variant in range(_VARIANTS)]
        for pages in LENGTHS
    }
    of_format = {name: {pages: _measured(reports[pages], _maker(name)) for pages in LENGTHS} for name in FORMATS}
    pages = [len(PdfReader(io.BytesIO(one.data)).pages) for one in of_format["pdf"].values()]
    print(f"\n| {_NAMES[language]} | " + " | ".join(f"{count} pages" for count in pages) + " | time, last over first |")
    print("| --- |" + " ---: |" * (len(pages) + 1))
    composed = {length: _measured(reports[length], _compose) for length in LENGTHS}
    _row("the document that pdf, docx, pptx and html are made from", composed)
    for name, taken in of_format.items():
        _row(name, taken)


def _maker(name: str) -> Callable[[Report], bytes]:
    return lambda report: FORMATS[name].make(report, Paper.A4)


def _compose(report: Report) -> bytes:
    """Make the document that several formats are made from, which is no file yet."""
    document_of(report)
    return b""


def _row(name: str, taken: dict[int, Measured]) -> None:
    cells = [f"{one.seconds:.3f} s" + (f", {_size(len(one.data))}" if one.data else "") for one in taken.values()]
    ratio = taken[LENGTHS[-1]].seconds / taken[LENGTHS[0]].seconds
    print(f"| {name} | {' | '.join(cells)} | {ratio:.0f} |", flush=True)


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"


def _measured(reports: list[Report], make: Callable[[Report], bytes]) -> Measured:
    times, data = [], b""
    for report in reports:
        gc.collect()
        began = time.perf_counter()
        data = make(report)
        times.append(time.perf_counter() - began)
    return Measured(statistics.median(times), data)


def _first(name: str) -> float:
    """Return how long the first file takes in a process that has loaded nothing for it."""
    code = _FIRST.format(name=name)
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
