"""Files of every readable kind become documents: their text, title and date.

Text in pictures is recognised by Tesseract where that is installed, a program of its own
(https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html). It is given a picture over its standard input and
writes no file; it runs within the limits of the process that reads files, and is ended with it.
"""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from html import unescape
from itertools import chain, islice
from pathlib import Path, PurePath
from time import monotonic
from typing import Any

from research.documents.document import (
    BETWEEN_PAGES,
    COLUMNS,
    FRONT_MATTER,
    MAX_CHARACTERS,
    PAGE_BREAK,
    Document,
    UnreadableFile,
    date_named,
    decode,
    display_name,
    flat,
    iso_date,
    row_line,
    within_limit,
)
from research.documents.heads import LOOKED_AT, head_of, with_notes
from research.documents.office import read_sheets, read_slides, read_word, sheet_rows
from research.documents.records import read_filing, read_json, read_transcript
from research.text import markdown_table

_FIELD = re.compile(r"^(\w+)[ \t]*:[ \t]*(\S.*)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,3}[ \t]+(\S.*)", re.MULTILINE)


def read_markdown(data: bytes, stem: str) -> Document:
    """Return a Markdown file; the title is that of its front matter, else its first heading, else `stem`."""
    text = without_markup(decode(data))
    match = FRONT_MATTER.match(text)
    stated = _FIELD.findall(match[1]) if match else []
    fields = {name.lower(): _unquoted(value.rstrip(" \t")) for name, value in stated}
    heading = _HEADING.search(text, match.end() if match else 0)
    title = fields.get("title") or (heading[1].rstrip(" \t").rstrip("#").rstrip(" \t") if heading else stem)
    return Document(text, title, iso_date(fields.get("date") or fields.get("published", "")))


# --- Markdown that holds HTML: its tags become Markdown or go, so that quotes are what a reader of it sees ---------

_INLINE = (
    "a|abbr|b|cite|code|del|dfn|em|font|i|img|ins|kbd|mark|q|rp|rt|ruby|s|small|span|strong|sub|sup|time|u|var|wbr"
)
_BLOCKS = (
    "address|article|aside|blockquote|body|br|caption|center|colgroup|col|dd|details|div|dl|dt|fieldset|figcaption|figure"
    "|footer|form|h[1-6]|header|hr|html|iframe|label|legend|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th"
    "|thead|tr|ul|video"
)
_LINES = ("br", "p", "td", "th", "tr")
"""What begins a line of its own, and no more: paragraphs within a box belong together."""
_TAG = re.compile(rf"<(?P<end>/?)(?P<name>{_INLINE}|{_BLOCKS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_UNSEEN = (("<!--", "-->"), ("<script", "</script>"), ("<style", "</style>"), ("{%", "%}"))
"""What no reader sees, from where to where: comments, scripts, what a generator of pages carries out."""
_FILLED_IN = re.compile(r"\{\{[^{}\n]*\}\}")
_FENCE = re.compile(r"`{3,}|~{3,}")
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z)")
_TABLE = re.compile(r"<table\b[^<>]*>(?P<rows>(?:(?!<table\b).)*?)</table\s*>", re.IGNORECASE | re.DOTALL)
_ROW = re.compile(r"<tr\b[^<>]*>(.*?)(?=<tr\b|</tr\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[dh]\b[^<>]*>(.*?)(?=<t[dh]\b|</t[dh]\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INDENT = re.compile(r"^[ \t]+(?=[^\s\-*+\d])", re.MULTILINE)
_EMPTY = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_markup(text: str) -> str:
    """Return Markdown without HTML; what stands in fences is shown as it is, and stays."""
    if not (_TAG.search(text) or _FILLED_IN.search(text) or any(opening in text for opening, _ in _UNSEEN)):
        return text
    return _EMPTY.sub("\n\n", "".join(part if is_code else _plain(part) for is_code, part in _parts(text)))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield what stands in fences and what does not; a fence that nothing closes goes on to the end."""
    part: list[str] = []
    opened = ""
    for line in text.splitlines(keepends=True):
        bare = line.strip()
        fence = _FENCE.match(bare)
        if not opened and fence is not None:
            yield False, "".join(part)
            part, opened = [line], fence.group()
            continue
        part.append(line)
        if opened and fence is not None and fence.group() == bare and bare.startswith(opened):
            yield True, "".join(part)
            part, opened = [], ""
    yield bool(opened), "".join(part)


def _plain(text: str) -> str:
    for marks in _UNSEEN:
        text = _without(text, *marks)
    text = _TABLE.sub(_table, _FILLED_IN.sub(" ", text))
    return unescape(_INDENT.sub("", _TAG.sub(_told, text))) if _TAG.search(text) else unescape(text)


def _without(text: str, opening: str, ending: str) -> str:
    """Return a text without what stands between two marks, in time that grows with its length alone."""
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(ending, start + len(opening))) >= 0:
        kept += [text[at:start], " "]
        at = end + len(ending)
    return "".join([*kept, text[at:]])


def _told(tag: re.Match[str]) -> str:
    name, is_end = tag["name"].lower(), bool(tag["end"])
    if re.fullmatch(_INLINE, name):
        return ""
    if name[0] == "h" and name[1:].isdigit():
        return "\n\n" if is_end else f"\n\n{'#' * int(name[1:])} "
    if name == "li":
        return "\n" if is_end else "\n- "
    if name not in _LINES:
        return "\n\n"
    return "" if _LINE_ENDS.match(tag.string, tag.end()) or (name != "br" and not is_end) else "\n"


def _table(match: re.Match[str]) -> str:
    """Return a table as Markdown; one of which a single column says anything as lines: questions with their answers."""
    rows = [[_cell(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(match["rows"])]
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows if any(row)]
    told = [place for place in range(width) if any(row[place] for row in rows)]
    if len(told) < 2:
        return "\n\n" + "\n".join(row[told[0]] for row in rows if row[told[0]]) + "\n\n" if told else "\n\n"
    return f"\n\n{markdown_table([[row[place].replace('|', chr(92) + '|') for place in told] for row in rows])}\n\n"


def _cell(cell: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", cell)).split())


# --- other files -------------------------------------------------------------------------------------------------

_OVER_TEXT = re.compile(r"\s*(\S[^\n]{2,78}[^\s.。,、:：;；])[ \t]*\r?\n[ \t\u3000]*\r?\n")
"""A line over an empty one that does not end as a sentence or a lead does: nothing else titles plain text."""


def read_text(data: bytes, stem: str) -> Document:
    """Return a plain text file, titled by a first line that stands apart and is no sentence, else by its name."""
    text = decode(data)
    heading = _OVER_TEXT.match(text)
    return Document(text, heading[1] if heading else stem)


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value


_CELL_LIMIT = 1_000_000
"""Characters in one cell; the csv module's own limit is smaller."""
_BETWEEN, _FIRST = ",\t;|", 40
"""What stands between cells, and lines by which it is told."""


def read_table(data: bytes, stem: str) -> Document:
    """Return a line for each row below the head: `month: 2025-04; region: East; units: 120`, and what stands around.

    Each row is a line of its own, also an empty one and those above, so that line n is row n + 1 of the file.
    """
    rows = _separated(data)
    first = list(islice(rows, LOOKED_AT))
    head = head_of(first)
    if len(head.names) > COLUMNS:
        raise UnreadableFile("file_too_large", f"{len(head.names)} columns")
    last = deque(first[head.rows :], maxlen=LOOKED_AT)
    told = (row_line(head.names, row) for row in chain(first[head.rows :], _kept(rows, last)))
    lines = within_limit(chain(head.above, told))
    lines = with_notes(lines, list(last), len(head.names))
    title = f"{head.title} — {stem}" if head.title else stem
    return Document("\n".join(lines) if lines else "; ".join(head.names), title, rows=True)


def _kept(rows: Iterator[list[str]], last: deque[list[str]]) -> Iterator[list[str]]:
    """Yield rows, and keep the last ones."""
    for row in rows:
        last.append(row)
        yield row


def _separated(data: bytes) -> Iterator[list[str]]:
    content = decode(data).removeprefix("\ufeff")
    csv.field_size_limit(_CELL_LIMIT)
    lines = content[:_CELL_LIMIT].split("\n", _FIRST)[:_FIRST]
    first = next((line for line in lines if max(map(line.count, _BETWEEN)) > 1), lines[0])  # A title has none.
    return csv.reader(io.StringIO(content), delimiter=max(_BETWEEN, key=first.count))


def read_rows(path: Path, data: bytes) -> list[dict[str, str]]:
    """Return the rows of a table in CSV, or on the first sheet of an Excel workbook, by the names in its first row.

    Raises:
        UnreadableFile: it is none that can be read.
        Exception: whatever the parser raises for a damaged file.
    """
    rows = sheet_rows(data) if path.suffix.lower() in (".xlsx", ".xlsm") else list(_separated(data))
    names = [flat(cell) for cell in next(iter(rows), ())]
    filled = [[flat(cell) for cell in row] for row in rows[1:]]
    return [{name: cell for name, cell in zip(names, row, strict=False) if name} for row in filled if any(row)]


_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_HEAD = 4_096
"""Bytes within which a page must declare its encoding."""
_STATED_DATE = {"extensive_search": False, "original_date": True, "outputformat": "%Y-%m-%d"}
"""Only a date that the page states as its own; none that merely occurs in its text."""


def read_webpage(data: bytes, stem: str) -> Document:
    """Return the main text of a page as Markdown.

    Raises:
        UnreadableFile: `file_empty`, there is no text outside scripts.
    """
    import trafilatura

    match = _CHARSET.search(data, 0, _HEAD)
    content = decode(data, match.group(1).decode("ascii", "replace") if match else "")
    filed = _filed_as(content) if _MARKED in content else ""
    content = _unmarked(content) if _MARKED in content else content
    text = trafilatura.extract(
        _with_headings(content) if filed else content,
        output_format="markdown",
        favor_recall=True,
        include_comments=False,
        include_images=False,
    )
    if not text:
        raise UnreadableFile("file_empty", "no text outside scripts")
    text = _without_page_ends(_SIGNED.sub(lambda sign: "#" * len(sign[0]), text)) if filed else text
    about = trafilatura.extract_metadata(content, date_config=_STATED_DATE)
    return Document(text, filed or (about and about.title) or stem, iso_date((about and about.date) or ""))


_MARKED = "<ix:"
"""What a filing with inline XBRL holds: figures and names stand in elements that no reader of web pages knows."""
_MARK = re.compile(r"</?ix:[A-Za-z]{1,40}(?:\s[^<>]*)?>")
_FILED = re.compile(
    r"<ix:nonNumeric\s(?=[^<>]*\bname=\"(?:dei:|jpdei_cor:)"
    r"(EntityRegistrantName|FilerNameInJapaneseDEI|DocumentType|DocumentTypeDEI|DocumentFiscalYearFocus)\")[^<>]*>"
    r"([^<>]{1,120})<"
)
"""Who files, what kind of document, and of which fiscal year: https://www.sec.gov/info/edgar/edgartaxonomies."""


def _filed_as(content: str) -> str:
    """Return what a filing is: `Apple Inc. 10-K 2024`; empty if it does not say."""
    said: dict[str, str] = {}
    for name, text in _FILED.findall(content):
        said.setdefault(name, " ".join(unescape(text).split()))
    who = said.get("EntityRegistrantName") or said.get("FilerNameInJapaneseDEI")
    kind = said.get("DocumentType") or said.get("DocumentTypeDEI") or ""
    year = said.get("DocumentFiscalYearFocus")
    return " ".join(filter(None, (who, kind, year))) if who else ""


def _unmarked(content: str) -> str:
    """Return a filing without its marks, and without the hidden part that repeats what they say."""
    first, *others = content.split("<ix:header")
    shown = (part.partition("</ix:header>")[2] if "</ix:header>" in part else part for part in others)
    return _MARK.sub("", "".join([first, *shown]))


_SIGN = "⁂"
"""What stands for # until the text is made: of a filing without one heading all of its tables are kept."""
_SIGNED = re.compile(rf"^{_SIGN}{{2,3}}(?= )", re.MULTILINE)
_HTML_BLOCKS = ("div", "p", "table", "ul", "ol")
_BOLD = re.compile(r"font-weight:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_HEADLINE = re.compile(r"[^\W\d_].{1,158}[^\W_][)）？?]?")
"""A line in bold that is a heading, and no sentence."""
_NUMBER = re.compile(r"\d+")
_PAGES_ALIKE, _MAY_END = (
    10,
    re.compile(
        r"0|0 [^|#]{0,120}|[^|#]{0,120}(?:\b0|Table of Contents)|(?=[^|])[^#]{0,120}\| 0"
        r"|\|[^|#]{0,80}\bForm 0-K[^|#]{0,40}(?:\|\s*)+0(?:\s*\|)*",
        re.IGNORECASE,
    ),
)
"""Pages from which a line is of their ends, and what such a line looks like: `Apple Inc. | 0 Form 0-K | 0`."""
_BULLET = re.compile(r"^[•●▪◦][ \t]*(?=\S)", re.MULTILINE)
_GOES_ON = re.compile(r"^[^|#].*[a-z,]$")
_HEADS_PART = re.compile(r"(?:part|item)\b", re.IGNORECASE)
"""One that begins a part of a filing, as the SEC names them."""


def _with_headings(content: str) -> Any:
    """Return a filing as a tree in which headings are such: its own are lines in bold, as all else is a line."""
    from trafilatura import load_html

    if (tree := load_html(content)) is None:
        return content
    for block in list(tree.iter("div", "p", "table")):
        is_table = block.tag == "table"
        if next(block.iterdescendants(*(("table",) if is_table else _HTML_BLOCKS)), None) is not None:
            continue  # What holds others is read with them.
        is_row = is_table and len(list(block.iterdescendants("tr"))) == 1
        is_line = not is_table and next(block.iterancestors("table"), None) is None
        said = " ".join(block.text_content().split()) if is_line or is_row else ""
        if said and _HEADLINE.fullmatch(said) and _is_bold(block):
            heading = block.makeelement("p")
            heading.text, heading.tail = f"{_SIGN * (2 if _HEADS_PART.match(said) else 3)} {said}", block.tail
            block.getparent().replace(block, heading)
    return tree


def _without_page_ends(text: str) -> str:
    """Return the text of a filing without the lines at the ends of its pages, which most share but for their numbers.

    A sentence that went on over one is whole again.
    """
    lines = text.split("\n")
    alike = [_NUMBER.sub("0", line.strip()) for line in lines]
    often = {one for one, count in Counter(alike).items() if count >= _PAGES_ALIKE and _MAY_END.fullmatch(one)}
    kept: list[str] = []
    is_cut = False
    for line, one in zip(lines, alike, strict=True):
        if one in often:
            is_cut = True
            continue
        if is_cut and line.strip():
            while kept and not kept[-1].strip():
                kept.pop()
            goes_on = kept and _GOES_ON.search(kept[-1]) and line[:1].islower()
            kept[-1:] = [f"{kept[-1]} {line}"] if goes_on else [*kept[-1:], "", line]
            is_cut = False
        else:
            kept.append(line)
    return _BULLET.sub("- ", "\n".join(kept))


def _is_bold(block: Any) -> bool:
    """Whether all that a block says is in bold."""
    return all(
        any(one.tag in ("b", "strong") or _BOLD.search(one.get("style") or "") for one in _around(node.getparent()))
        for node in block.xpath(".//text()[normalize-space()]")
    )


def _around(element: Any) -> Iterator[Any]:
    yield element
    yield from element.iterancestors()


_ANY_TEXT, _TEXT_A_BYTE = 2_000_000, 12
"""Characters that any file may hold, and how many for each of its bytes: what unpacks to more is made to."""


def read_pdf(data: bytes, stem: str) -> Document:
    """Return the text of a PDF; its library is loaded when one is read. See `research.documents.pdf`."""
    from research.documents.pdf import document_of

    return document_of(data, stem)


# --- mail ------------------------------------------------------------------------------------------------------------

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MOST_ATTACHED = 20


def read_mail(data: bytes, stem: str) -> Document:
    """Return a message: who wrote to whom and when, its text, and the text of what is attached, each under its name.

    Raises:
        UnreadableFile: `file_broken`, it is no message.
    """
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    if not any(message[name] for name in _HEADERS):
        raise UnreadableFile("file_broken", "no message: it has no headers")
    head = "\n".join(f"{name}: {flat(str(message[name]))}" for name in _HEADERS if message[name])
    parts = [head, _body(message), *_attached(message)]
    return Document(
        "\n\n".join(within_limit(part for part in parts if part.strip())),
        flat(str(message["Subject"] or "")) or stem,
        _day(str(message["Date"] or "")),
    )


def _body(message: EmailMessage) -> str:
    part = message.get_body(("plain", "html"))
    if part is None:
        return ""
    content = part.get_payload(decode=True)
    raw = content if isinstance(content, bytes) else b""
    if part.get_content_type() == "text/html":
        return read_webpage(raw, "").text
    return decode(raw, part.get_content_charset() or "")


def _attached(message: EmailMessage) -> Iterator[str]:
    """Yield the text of each attached file that can be read; of others, that they are there. Mail in mail is named."""
    for part in list(message.iter_attachments())[:_MOST_ATTACHED]:
        name = flat(part.get_filename() or "")
        content = part.get_payload(decode=True)
        reader = READERS.get(PurePath(name).suffix.lower())
        text = ""
        if reader not in (None, read_mail) and isinstance(content, bytes):
            try:
                text = reader(content, name).text
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - parsers fail in any way; a bad attachment costs only itself
                text = ""
        yield f"# {name or part.get_content_type()}\n\n{text}".rstrip()


def _day(written: str) -> str | None:
    try:
        return parsedate_to_datetime(written).date().isoformat()
    except ValueError:
        return None


# --- pages that are pictures -----------------------------------------------------------------------------------------

_SECONDS_A_PAGE = 40.0
_DOTS_AN_INCH, _LONGEST_SIDE = 300, 5_000
"""How finely a page is drawn, as Tesseract asks for, and the most dots of a side: those of A4 are 3,500."""
_LANGUAGES = ("jpn", "eng")
"""What is recognised, of what is installed."""


def read_picture(data: bytes, stem: str) -> Document:
    """Return a picture as a document of one page whose text is not known yet."""
    return Document("", stem, pictures=(1,))


def recognised(document: Document, path: PurePath, data: bytes, program: str, seconds: float) -> Document:
    """Return a document with the text that `program` found in its pictures; those for which no time is left stay such.

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


# --- which reader reads what -----------------------------------------------------------------------------------------

MAX_BYTES = 20 * 1024 * 1024
"""Larger files are skipped without being opened."""

READERS: dict[str, Callable[[bytes, str], Document]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_text,
    ".text": read_text,
    ".html": read_webpage,
    ".htm": read_webpage,
    ".xhtml": read_webpage,
    ".pdf": read_pdf,
    ".docx": read_word,
    ".xlsx": read_sheets,
    ".xlsm": read_sheets,
    ".pptx": read_slides,
    ".csv": read_table,
    ".tsv": read_table,
    ".json": read_json,
    ".jsonl": read_json,
    ".eml": read_mail,
    ".vtt": read_transcript,
    ".srt": read_transcript,
    ".zip": read_filing,
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp"), read_picture),
}


def load(path: Path, size: int) -> bytes:
    """Return the bytes of a regular file of a supported kind, whose size is said to be `size`.

    Raises:
        UnreadableFile: with the code that says why there are none.
    """
    if path.suffix.lower() not in READERS:
        raise UnreadableFile("file_binary", "not a supported kind of file")
    if size > MAX_BYTES:
        raise UnreadableFile("file_too_large")
    try:
        with open(path, "rb", opener=_unlinked) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile("file_unreadable", str(error)) from error
    if len(data) > MAX_BYTES:
        raise UnreadableFile("file_too_large")
    return data


def _unlinked(path: str, flags: int) -> int:
    """Open what a folder listed as a regular file; a link or pipe that has taken its place since is not followed."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def read(path: Path, data: bytes, *, recogniser: str = "", seconds: float = 0.0) -> Document:
    """Return the text of the file at `path`, whose bytes are `data`.

    Of pictures as well, where there is a program that reads them, in so many seconds at most.

    Raises:
        UnreadableFile: with the code that says why there is none; `file_scanned` where it is in pictures.
    """
    if not data.strip():
        raise UnreadableFile("file_empty")
    try:
        document = READERS[path.suffix.lower()](data, display_name(Path(path.stem)))
        if document.pictures and recogniser:
            document = recognised(document, path, data, recogniser, seconds)
    except (UnreadableFile, MemoryError):
        raise
    except Exception as error:  # parsers of foreign files fail in any way; one bad file must not end the indexing
        raise UnreadableFile("file_broken", f"{type(error).__name__}: {error}") from error
    if not document.text.strip("\ufeff \t\n\f"):
        raise UnreadableFile("file_scanned" if document.pictures else "file_empty")
    if len(document.text) > min(MAX_CHARACTERS, _ANY_TEXT + _TEXT_A_BYTE * len(data)):
        raise UnreadableFile("file_too_large")
    title = _encodable(" ".join(document.title.split())[:300])
    published = document.published or date_named(display_name(Path(path.stem))) or date_named(title)
    return replace(document, title=title, text=_encodable(document.text), published=published)


def _encodable(text: str) -> str:
    """Return `text` with half surrogate pairs, which some PDFs hold, replaced; its length stays."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
