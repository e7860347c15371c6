"""Pages that are pictures: which they are, and their text, recognised by Tesseract where that is installed.

Tesseract is a program of its own (https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html). It is given a
picture over its standard input and writes no file; it runs within the limits of the process that reads files, and is
ended with it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import groupby
from pathlib import PurePath
from time import monotonic

from research.documents.document import BETWEEN_PAGES, PAGE_BREAK, Document, UnreadableFile

SECONDS = 120.0
"""How long the pages of one file may take: a page of text takes two seconds, one that is set closely ten."""
MEMORY = 1_500_000_000
"""Bytes that reading pictures may take beside the file: a page at 300 dots an inch, and what recognises two scripts."""
_SECONDS_A_PAGE = 40.0
_DOTS_AN_INCH, _LONGEST_SIDE = 300, 5_000
"""How finely a page is drawn, as Tesseract asks for, and the most dots of a side: those of A4 are 3,500."""
_LANGUAGES = ("jpn", "eng")
"""What is recognised, of what is installed."""


def engine() -> str | None:
    """Return the program that recognises text; None where none is installed."""
    return shutil.which("tesseract")


def numbers(pages: tuple[int, ...]) -> str:
    """Return the numbers of pages for a reader: `3, 7–9`."""
    runs = groupby(enumerate(sorted(pages)), key=lambda one: one[1] - one[0])
    ranges = ([page for _, page in run] for _, run in runs)
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in ranges)


def read_picture(data: bytes, stem: str) -> Document:
    """Return a picture as a document of one page whose text is not known yet."""
    return Document("", stem, pictures=(1,))


def recognised(document: Document, path: PurePath, data: bytes, program: str, seconds: float) -> Document:
    """Return a document with the text that `engine` found in its pictures; those for which no time is left stay such.

    Raises:
        UnreadableFile: `file_scanned`, it knows no language that is read here; `file_broken`, there is no picture.
    """
    languages = _installed(program)
    if not languages:
        raise UnreadableFile("file_scanned", "Tesseract knows no language")
    pages = document.text.split(BETWEEN_PAGES)
    last_moment, left = monotonic() + seconds, list(document.pictures)
    for number, picture in _pictures(path, data, document.pictures):
        left_for_page = min(_SECONDS_A_PAGE, last_moment - monotonic())
        if left_for_page <= 0:
            break
        with suppress(subprocess.TimeoutExpired):
            pages[number - 1] = _recognised(program, languages, picture, left_for_page)
            left.remove(number)
    return replace(document, text=BETWEEN_PAGES.join(pages), pictures=tuple(left))


def _installed(program: str) -> str:
    """Return the languages that are recognised, as Tesseract takes them: `jpn+eng`; empty if there is none."""
    told = _ask(program, ["--list-langs"], b"", _SECONDS_A_PAGE).decode("utf-8", "replace").split()
    return "+".join(language for language in _LANGUAGES if language in told)


def _recognised(program: str, languages: str, picture: bytes, seconds: float) -> str:
    """Return the text in a picture: lines that its width broke are joined, and no blanks between Japanese letters."""
    from research.documents.pdf import reflow

    options = ["stdin", "stdout", "-l", languages, "-c", "preserve_interword_spaces=1"]
    return reflow(_ask(program, options, picture, seconds).decode("utf-8", "replace").replace(PAGE_BREAK, ""))


def _ask(program: str, options: list[str], given: bytes, seconds: float) -> bytes:
    done = subprocess.run(  # noqa: S603 - a program of this computer, whose options are ours
        [program, *options],
        input=given,
        capture_output=True,
        timeout=seconds,
        check=False,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # several threads on one page hinder each other
    )
    if done.returncode != 0:
        raise UnreadableFile("file_broken", done.stderr.decode("utf-8", "replace")[-200:])
    return done.stdout


def _pictures(path: PurePath, data: bytes, wanted: tuple[int, ...]) -> Iterator[tuple[int, bytes]]:
    """Yield the pages that are wanted, by number from 1, each as a picture in a format that Tesseract reads."""
    if path.suffix.lower() != ".pdf":
        yield 1, data
        return
    from pypdfium2 import PdfDocument

    with closing(PdfDocument(data)) as document:
        for number in wanted:
            with closing(document[number - 1]) as page:
                scale = min(_DOTS_AN_INCH / 72, _LONGEST_SIDE / max(*page.get_size(), 1))
                with closing(page.render(scale=scale, grayscale=True)) as drawn:
                    dots = drawn.to_numpy().reshape(drawn.height, -1)[:, : drawn.width]
                    yield number, b"P5 %d %d 255\n" % (drawn.width, drawn.height) + dots.tobytes()
