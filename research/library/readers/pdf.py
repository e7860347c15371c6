"""PDF: the text of each page, pages separated by a form feed, broken lines joined to paragraphs."""

from __future__ import annotations

import io
import logging
import re

from research.library.readers.dates import iso_date
from research.library.readers.document import Document, UnreadableFile

PAGE_BREAK = "\f"
_SENTENCE_END = re.compile(r"[.!?:;。！？：；…」』）)]\s*$")
_NEW_ITEM = re.compile(r"\s*(?:[-*•・◆■□●○※]|\(?\d{1,3}[.)．）]\s|[（(]\d+[）)]|第\d+)")
_WIDE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_NO_TITLE = re.compile(
    r"^(?:untitled.*|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|xlsx?|pptx?|pdf|indd))$", re.I
)


def read_pdf(data: bytes, stem: str) -> Document:
    """Return the text of a PDF.

    Raises:
        UnreadableFile: `file_encrypted`, a password is needed; `file_empty`, its pages are pictures.
        Exception: whatever the parser raises for a damaged file.
    """
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableFile("file_encrypted", "a password is needed")
    pages = [reflow(page.extract_text()) for page in reader.pages]
    if not any(pages):
        raise UnreadableFile("file_empty", "no selectable text")
    about = dict(reader.metadata or {})
    title = str(about.get("/Title") or "").strip()
    text = f"\n{PAGE_BREAK}\n".join(pages)
    return Document(text, stem if _NO_TITLE.match(title) else title or stem, _created(str(about.get("/CreationDate"))))


def reflow(text: str) -> str:
    """Join the lines of a page that the page's width broke; other line ends stay."""
    lines = [line.rstrip() for line in text.replace(PAGE_BREAK, "\n").split("\n")]
    width = max((_width(line) for line in lines), default=0)
    joined: list[str] = []
    previous_full = False
    for line in lines:
        if joined and previous_full and line.strip() and not _NEW_ITEM.match(line):
            joined[-1] = _join(joined[-1], line.strip())
        else:
            joined.append(line)
        previous_full = _width(line) >= width * 0.7 and not _SENTENCE_END.search(line)
    return "\n".join(joined).strip()


def _width(line: str) -> int:
    return len(line) + len(_WIDE.findall(line))


def _join(left: str, right: str) -> str:
    if re.search(r"[A-Za-z]-$", left) and right[:1].islower():
        return left[:-1] + right
    glue = "" if _WIDE.match(left[-1:]) or _WIDE.match(right) else " "
    return left + glue + right


def _created(stamp: str) -> str | None:
    """Return the date of a PDF stamp such as `D:20250630120000+09'00'`."""
    match = re.match(r"D:(\d{4})(\d{2})?(\d{2})?", stamp)
    return iso_date("-".join(part for part in match.groups() if part)) if match else iso_date(stamp)
