"""PDF files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from statistics import median

from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage
from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_PAGEOBJ_IMAGE, FS_RECTF, FPDFText_GetLooseCharBox, FPDFText_GetUnicode

from research.documents.document import (
    BETWEEN_PAGES,
    MAX_CHARACTERS,
    PAGE_BREAK,
    Document,
    UnreadableFile,
    iso_date,
)
from research.documents.pdf_tables import with_tables

_SENTENCE_END = re.compile(r"[.!?:;。！？：；…」』）)]\s*$")
_NEW_ITEM = re.compile(r"\s*(?:[-*•・◆■□●○※]|\(?\d{1,3}[.)．）]\s|[（(]\d+[）)]|第\d+)")
_ROW = re.compile(r"(?:^|\s)[$€£¥]?\s?\(?\d[\d,.]*[)%]*(?:\s+[$€£¥]?\s?(?:\(?\d[\d,.]*|[—–-])[)%]*)+\s*$")
"""The end of a row of a table: figures, one after the other."""
_ROW_END = 80
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_NO_TITLE = re.compile(
    r"(?:untitled|document|presentation|slide|powerpoint presentation|無題|名称未設定)[\s\d.-]*"
    r"|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|xlsx?|pptx?|pdf|indd|html?)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u30ff\u3400-\u9fff]{2}")
_JOINED = re.compile(r"[\x02\ufffe](?=[a-z])")
"""A hyphen at the end of a line, as PDFium marks one that only the line's end asked for."""
_AFTER_A_NOTE = re.compile(r"(?<=[^\W\d_]\d)\n(?= [$€£¥(]*\s?[\d—(])")
"""Where PDFium breaks the row of a table: between the raised number of a note and the figures of the row."""
_NUMBERS = re.compile(r"\d+")
_MAY_RUN = re.compile(r"[^\W\d_]{2}|[\u3040-\u30ff\u3400-\u9fff]|\A[-– ]*0(?: ?/ ?0)?[-– ]*\Z")
"""Words, or nothing but the number of a page: rows of figures are alike on many pages and stay."""
_EDGE, _PAGES_ALIKE, _SHARE_ALIKE = 2, 3, 0.3
"""Lines at the head and foot of a page that may run, and pages that must share one: odd and even pages differ."""
_LONGEST_TITLE = 200
_FIRST_CHARACTERS = 4_000
"""Characters of the first page among which its title is looked for."""
_STANDS_OUT = 1.2
"""How much larger than most of the first page its title is set; headings in running text are up to a tenth larger."""
_COVERED = 0.3
"""Share of a page without text from which pictures on it are taken for the page."""


def document_of(data: bytes, stem: str) -> Document:
    """Return the text of a PDF, a line for each row of a table, with `PAGE_BREAK` between its pages.

    Raises:
        UnreadableFile: `file_encrypted`, a password is needed; `file_broken`, it is damaged; `file_too_large`, it holds
            more text than is read.
    """
    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        code = "file_encrypted" if error.err_code == FPDF_ERR_PASSWORD else "file_broken"
        raise UnreadableFile(code, str(error)) from error
    with closing(document):
        pages, pictures, largest = _pages(document)
        about = document.get_metadata_dict()
    title = _title(about["Title"], largest, stem)
    return Document(BETWEEN_PAGES.join(pages), title, _created(about["CreationDate"]), pictures=pictures)


def _title(told: str, largest: str, stem: str) -> str:
    """Return what the file calls itself; what its first page shows, where that is a number or a file's name."""
    named = " ".join(told.split())
    if not _WORD.search(named) or _NO_TITLE.fullmatch(named):
        return largest or stem
    return named if " " in named or _WIDE.search(named) else largest or named


def _pages(document: PdfDocument) -> tuple[list[str], tuple[int, ...], str]:
    """Return the text of each page, empty where one is damaged; which are pictures; the title that the first shows.

    In a file without any text, all pages count as pictures: there, letters may be drawn as lines.
    """
    pages: list[str] = []
    pictures: list[int] = []
    left, damaged, shown = MAX_CHARACTERS, set[int](), ""
    for number in range(len(document)):
        try:
            with closing(document[number]) as page, closing(page.get_textpage()) as text:
                pages.append(_plain(with_tables(text)))
                shown = shown if number else _largest_lines(text)
                if not pages[-1].strip() and _shows_picture(page):
                    pictures.append(number + 1)
        except PdfiumError:
            pages.append("")
            damaged.add(number + 1)
        left -= len(pages[-1])
        if left < 0:
            raise UnreadableFile("file_too_large")
    if len(damaged) == len(pages):
        raise UnreadableFile("file_broken", "no page can be read")
    if not any(pages):
        pictures = [number for number in range(1, len(pages) + 1) if number not in damaged]
    return [reflow(page) for page in _without_running_lines(pages)], tuple(pictures), shown


def _shows_picture(page: PdfPage) -> bool:
    """Whether pictures cover so much of a page of a PDF that it may be one itself."""
    width, height = page.get_size()
    covered = 0.0
    for drawn in page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE], max_depth=2):
        left, bottom, right, top = drawn.get_bounds()
        covered += max(min(right, width) - max(left, 0.0), 0.0) * max(min(top, height) - max(bottom, 0.0), 0.0)
    return bool(covered >= _COVERED * width * height)


def _without_running_lines(pages: Sequence[str]) -> Iterator[str]:
    """Yield pages without their heads and feet: first and last lines that many pages share but for their numbers."""
    lines = [page.strip().split("\n") for page in pages]
    seen = Counter(one for page in lines for one in {_numberless(line) for line in (*page[:_EDGE], *page[-_EDGE:])})
    often = max(_PAGES_ALIKE, _SHARE_ALIKE * len(pages))
    running = {one for one, count in seen.items() if count >= often and _MAY_RUN.search(one)}
    for page in lines:
        first, last = 0, len(page)
        while first < last and _numberless(page[first]) in running:
            first += 1
        while first < last and _numberless(page[last - 1]) in running:
            last -= 1
        yield "\n".join(page[first:last] or page)


def _numberless(line: str) -> str:
    return _NUMBERS.sub("0", " ".join(line[:_LONGEST_TITLE].split()))


def _plain(text: str) -> str:
    joined = _AFTER_A_NOTE.sub("", _JOINED.sub("", text.replace("\r\n", "\n")))
    return joined.replace("\x02", "-").replace("\ufffe", "-").replace("\x00", "")


def _largest_lines(text: PdfTextPage) -> str:
    """Return the lines of a page that are set largest, if they stand out, joined if they do not follow each other."""
    lines = _set_lines(text)
    largest = max((height for words, height, _ in lines if _WORD.search(words)), default=0.0)
    if not largest:
        return ""
    usual = median(height for words, height, _ in lines for _ in words)
    if largest < _STANDS_OUT * usual:
        return ""
    told, last = "", -2
    for words, height, number in lines:
        if 0.98 <= height / largest <= 1.02:
            told += f"{' ' if number == last + 1 else ' – ' if told else ''}{words}"
            last = number
    return told.strip()[:_LONGEST_TITLE]


def _set_lines(text: PdfTextPage) -> list[tuple[str, float, int]]:
    """Return the lines that hold letters or digits, each with its height and number."""
    count = min(text.count_chars(), _FIRST_CHARACTERS)
    characters = [chr(FPDFText_GetUnicode(text, index)) for index in range(count)]
    lines: list[tuple[str, float, int]] = []
    box, start, number = FS_RECTF(), 0, 0
    for end in [*(index for index, one in enumerate(characters) if one == "\n"), count]:
        words = _plain("".join(characters[start:end])).strip()
        if any(map(str.isalnum, words)):
            solid = [index for index in range(start, end) if not characters[index].isspace()]
            heights = [box.top - box.bottom for index in solid if FPDFText_GetLooseCharBox(text, index, box)]
            lines.append((words, median(heights or [0.0]), number))
        start, number = end + 1, number + 1
    return lines


def reflow(text: str) -> str:
    """Join the lines of a page that the page's width broke; other line ends stay, those of the rows of a table too."""
    lines = [line.rstrip() for line in text.replace(PAGE_BREAK, "\n").split("\n")]
    width = max((_width(line) for line in lines if not line.startswith("|")), default=0)
    joined: list[str] = []
    previous_full = False
    for line in lines:
        is_row = line.startswith("|") or _ROW.search(line[-_ROW_END:]) is not None
        if joined and previous_full and line.strip() and not _NEW_ITEM.match(line) and not (is_row and _opens(line)):
            joined[-1] = _join(joined[-1], line.strip())
        else:
            joined.append(line)
        previous_full = _width(line) >= width * 0.7 and not is_row and not _SENTENCE_END.search(line)
    return "\n".join(joined).strip()


def _opens(line: str) -> bool:
    """Whether a line begins as a sentence, the label of a row or the row of a table does, not in the middle of one."""
    return line.startswith("|") or line.lstrip()[:1].isupper() or _WIDE.match(line.lstrip()) is not None


def _width(line: str) -> int:
    return len(line) + len(_WIDE.findall(line))


def _join(left: str, right: str) -> str:
    if re.fullmatch(r"[A-Za-z]-", left[-2:]) and right[:1].islower():
        return left[:-1] + right
    glue = "" if _WIDE.match(left[-1:]) or _WIDE.match(right) else " "
    return left + glue + right


def _created(stamp: str) -> str | None:
    """Return the date of a PDF stamp such as `D:20250630120000+09'00'`."""
    match = re.match(r"D:(\d{4})(\d{2})?(\d{2})?", stamp)
    return iso_date("-".join(part for part in match.groups() if part)) if match else iso_date(stamp)
