"""Files made to harm whoever reads them, of every kind that is read and of some that are not."""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from collections.abc import Callable

import docx

Make = Callable[[], bytes]


def _text(text: str) -> Make:
    return text.encode


def _times(part: str, count: int, before: str = "", after: str = "") -> Make:
    return lambda: before.encode() + part.encode() * count + after.encode()


# --- Markdown and text -----------------------------------------------------------------------------------------------

_MARKDOWN: dict[str, Make] = {
    "hashes": _times("# ", 400_000, "# a ", "b"),
    "closing-hashes": _times("#", 900_000, "# a ", " b"),
    "blanks": _times(" ", 900_000, "# a", "b"),
    "headings": _times("###### a\n", 60_000),
    "deep-headings": lambda: "".join(f"{'#' * (1 + n % 6)} {'w ' * 400}\n" for n in range(300)).encode(),
    "front-matter": _times(" ", 900_000, "---\ntitle: a", "b\n---\nx"),
    "open-front-matter": _times("a: b\n", 150_000, "---\n"),
    "front-matter-fences": _times("--- x\n", 150_000, "---\n"),
    "quotes": _times("> ", 400_000, after="a"),
    "stars": _times("*a", 400_000),
    "brackets": _times("[", 800_000, after="a"),
    "links": _times("[a](", 200_000),
    "pipes": _times("|", 800_000, "|a", "\n|-|\n"),
    "backticks": _times("`", 800_000),
    "items": _times("- ", 400_000, after="a"),
    "one-word": _times("a", 1_500_000),
}
_PLAIN: dict[str, Make] = {
    "japanese-brackets": _times("「", 300_000, after="文。" * 50_000),
    "stops": _times(".", 900_000, "a"),
    "letters-and-stops": _times("A. ", 300_000),
    "wide-blanks": _times("a\u3000.", 200_000),
    "digits": _times("1,", 500_000),
    "models": _times("A-1", 300_000),
    "marks": _times("a\u0301", 300_000),
    "ligatures": _times("\ufdfa", 200_000),
    "feeds": _times("\f", 500_000, "a", "b"),
    "separators": _times("\u2028a", 200_000),
    "direction": _times("\u202e", 300_000, after="a"),
    "nulls": lambda: b"a\x00" * 300_000,
    "escapes": lambda: b"\x1b$B" * 200_000,
    "noise": lambda: random.Random(1).randbytes(500_000),
    "odd-bytes": lambda: bytes(range(128, 256)) * 4_000,
    "half-a-pair": lambda: b"\xff\xfe" + b"\x00\xd8" * 200_000,
    "no-breaks": _times("語", 500_000),
    "quotation-marks": _times("“a ", 200_000),
    "utf-7": _text("+ADw-script+AD4-alert(1)+ADw-/script+AD4- pumps " * 20_000),
    "wide-characters": lambda: ("pumps sold " * 40_000).encode("utf-32"),
    "wide-and-backwards": lambda: ("pumps sold " * 40_000).encode("utf-16-be"),
    "terminal": _text("\x1b]0;pwned\x07\x1b[2J\x1b]8;;http://evil.example\x07pumps\x1b]8;;\x07 " * 9_000),
    "packed": lambda: zlib.compress(b"pumps " * 3_000_000, 9),
}

# --- Web pages -------------------------------------------------------------------------------------------------------

_HTML: dict[str, Make] = {
    "divs": _times("<div>", 100_000, after="x"),
    "spans": _times("<p><span>", 60_000, after="pumps"),
    "tables": _times("<table><tr><td>", 8_000, after="pumps"),
    "lists": _times("<ul><li>a", 20_000),
    "unclosed": _times("<a href='", 100_000),
    "attributes": lambda: b"<p " + b"".join(b"a%d=1 " % n for n in range(85_000)) + b">pumps</p>",
    "long-attribute": _times("a", 1_500_000, "<p title='", "'>pumps</p>"),
    "entities": lambda: (
        b"<!DOCTYPE html [<!ENTITY a '"
        + b"a" * 99
        + b"'>"
        + b"".join(b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
        + b"]><html><body><p>&j;</p></body></html>"
    ),
    "references": _times("&amp;", 200_000, "<p>"),
    "outside": _text(
        "<!DOCTYPE html SYSTEM 'file:///etc/passwd' [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x; pumps"
    ),
    "comments": _times("<!--", 200_000),
    "scripts": _times("<script>", 50_000, after="pumps"),
    "formatting": _times("<b><i>", 60_000, after="pumps"),
    "paragraphs": _times("<p>a", 15_000),
    "breaks": _times("<br>", 30_000, "<p>a", "b</p>"),
    "numbered": _times("&#x41;", 200_000, "<p>", "</p>"),
    "charset": _text("<meta charset='\x00utf-7'><p>+ADw-script+AD4- pumps"),
    "blank-tags": _times("< ", 300_000),
    "dates": _times("2025-13-45 ", 60_000, "<article><p>", "</p></article>"),
    "links": _times("<a href='x'>a</a> ", 40_000, "<article><p>", "</p></article>"),
    "deep-data": _times("[", 200_000, "<script type='application/ld+json'>", "</script><p>pumps sold well in 2025</p>"),
    "objects-of-data": _times(
        '{"author":', 60_000, "<script type='application/ld+json'>", "</script><p>pumps sold well in 2025</p>"
    ),
    "drawings": _times("<svg><g>", 30_000, after="<p>pumps"),
    "formulas": _times("<math><mrow>", 30_000, after="<p>pumps"),
    "templates": _times("<template>", 40_000, after="<p>pumps"),
    "tables-of-dates": _times("<time datetime='2025-13-45T99:99'>1</time> ", 20_000, "<article><p>", "</p></article>"),
    "titles": _times("<title>a</title>", 20_000, after="<p>pumps"),
    "wide-page": lambda: ("<html><body><p>" + "pumps sold " * 40_000).encode("utf-16"),
}

# --- Tables ----------------------------------------------------------------------------------------------------------

_CSV: dict[str, Make] = {
    "wide": lambda: b",".join(b"c%d" % n for n in range(200_000)) + b"\n" + b"1\n" * 200_000,
    "wide-rows": lambda: b",".join(b"column %d" % n for n in range(20_000)) + b"\n" + (b"1," * 20_000 + b"\n") * 20,
    "long-names": lambda: b",".join([b"n" * 20_000] * 10) + b"\n" + b"1,2,3,4,5,6,7,8,9,0\n" * 5_000,
    "open-quote": _times("a,b\n", 300_000, '"'),
    "quotes": _times('"', 900_000),
    "commas": _times(",", 300_000),
    "cell": _times("a", 1_500_000, "a,b\n"),
    "extra-cells": _times(",1", 150_000, "a\n1"),
    "empty-rows": _times("\n", 300_000, "a,b"),
    "formulas": _times('=HYPERLINK("http://evil.example","x"),+1+1,@SUM(1)\n', 20_000, "a,b,c\n"),
    "hundred-thousand-columns": lambda: b",".join(b"c%d" % n for n in range(100_000)) + b"\n" + b"1," * 99_999 + b"1\n",
    "wide-characters": lambda: ("month,units\n" + "2025-04,12\n" * 30_000).encode("utf-16"),
    "nulls": lambda: b"a,b\n" + b"1\x00,2\n" * 100_000,
}  # fmt: skip

# --- PDF -------------------------------------------------------------------------------------------------------------

_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def pdf_of(*objects: bytes) -> bytes:
    """A PDF of these objects, the first of which is its catalogue."""
    data, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    end = b"trailer<</Size %d/Root 1 0 R/Info 7 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(places) + 1, len(data))
    return data + head + table + end


def pdf_stream(content: bytes, times: int = 1, entries: bytes = b"") -> bytes:
    """A stream, packed so often."""
    filters = b""
    for _ in range(times):
        content, filters = zlib.compress(content, 9), filters + b"/FlateDecode"
    return b"<</Length %d/Filter[%s]%s>>stream\n%s\nendstream" % (len(content), filters, entries, content)


def pdf_page(content: bytes, kids: bytes = b"[3 0 R]", count: int = 1, about: bytes = b"") -> bytes:
    """A PDF of one page, or of the same page several times."""
    return pdf_of(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids %s/Count %d>>" % (kids, count),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
        b"/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        content,
        _FONT,
        pdf_stream(
            b"/X Do " * 50, entries=b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>"
        ),
        b"<<%s>>" % about,
    )


_SAID = b"BT /F 9 Tf (pumps sold well) Tj ET "
_PDF: dict[str, Make] = {
    "loop-of-pages": lambda: pdf_page(pdf_stream(_SAID), b"[2 0 R 2 0 R]", 100_000),
    "many-pages": lambda: pdf_page(pdf_stream(_SAID * 500), b"[" + b"3 0 R " * 1_000 + b"]", 1_000),
    "a-billion-pages": lambda: pdf_page(pdf_stream(_SAID), count=10**9),
    "operators": lambda: pdf_page(pdf_stream(b"BT /F 9 Tf " + b"1 0 0 1 5 5 Tm (abc) Tj " * 600_000 + b"ET")),
    "nested-states": lambda: pdf_page(pdf_stream(b"q " * 900_000)),
    "blanks": lambda: pdf_page(pdf_stream(b" " * 200_000_000)),
    "blanks-packed-twice": lambda: pdf_page(pdf_stream(b" " * 200_000_000, 2)),
    "form-in-itself": lambda: pdf_page(pdf_stream(b"/X Do " * 500 + _SAID)),
    "long-string": lambda: pdf_page(pdf_stream(b"BT /F 9 Tf (" + b"a" * 3_000_000 + b") Tj ET")),
    "nested-arrays": lambda: pdf_page(pdf_stream(b"[" * 900_000 + _SAID)),
    "nested-dictionaries": lambda: pdf_of(b"<</Type/Catalog/Pages " + b"<</A " * 100_000),
    "no-pages": lambda: pdf_of(b"<</Type/Catalog/Pages 9 0 R>>"),
    "catalog-in-itself": lambda: pdf_of(b"<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 1>>"),
    "content-in-itself": lambda: pdf_page(b"<</Length 4 0 R>>stream\nBT ET\nendstream"),
    "wrong-length": lambda: pdf_page(b"<</Length 99999999999>>stream\n" + _SAID + b"\nendstream"),
    "huge-box": lambda: pdf_page(pdf_stream(_SAID)).replace(b"[0 0 600 800]", b"[0 0 9e30 9e30]"),
    "table-loop": lambda: pdf_page(pdf_stream(_SAID)).replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev 9"),
    "outline-loop": lambda: pdf_of(
        b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>",
        b"<</First 5 0 R/Last 5 0 R/Count 9>>",
        b"<</Title(a)/Parent 4 0 R/Next 5 0 R/First 5 0 R>>",
    ),
    "font-in-itself": lambda: pdf_page(pdf_stream(_SAID)).replace(
        _FONT, b"<</Type/Font/Subtype/Type0/DescendantFonts[5 0 R]/BaseFont/X>>"
    ),
    "huge-map": lambda: pdf_page(pdf_stream(_SAID)).replace(
        _FONT, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 8 0 R>>"
    ) + b"\n8 0 obj\n" + pdf_stream(b"1 beginbfrange <0000> <ffffffff> <0000> endbfrange " * 20_000) + b"\nendobj",
    "filters": lambda: pdf_page(
        b"<</Length 9/Filter[" + b"/ASCIIHexDecode" * 20_000 + b"]>>stream\n616161616\nendstream"
    ),
    "picture": lambda: pdf_page(
        pdf_stream(b"q 600 0 0 800 0 0 cm /X Do Q " + _SAID)
    ).replace(b"/Subtype/Form/BBox[0 0 9 9]",
        b"/Subtype/Image/Width 999999/Height 999999/BitsPerComponent 8/ColorSpace/DeviceRGB",
    ),
    "noise": lambda: b"%PDF-1.7\n" + random.Random(2).randbytes(200_000),
    "cut": lambda: pdf_page(pdf_stream(_SAID))[:400],
    "title": lambda: pdf_page(
        pdf_stream(_SAID), about=b"/Title(" + b"<script>alert(1)</script>" * 9_000 + b")/CreationDate(D:99999999)"
    ),
}  # fmt: skip

# --- Word, and what is packed like it --------------------------------------------------------------------------------

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _zip(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return packed.getvalue()


def _word(body: str, before: str = "", **others: bytes) -> bytes:
    empty = io.BytesIO()
    docx.Document().save(empty)
    with zipfile.ZipFile(empty) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    document = f'{before}<w:document xmlns:w="{_NAMESPACE}"><w:body>{body}</w:body></w:document>'
    return _zip(
        parts | {"word/document.xml": document.encode()} | {f"word/{name}": data for name, data in others.items()}
    )


def _said(words: str) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def _cell(properties: str, words: str = "x") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{_said(words)}</w:tc>"


def _row(cells: str) -> str:
    return f"<w:tr>{cells}</w:tr>"


def _table(rows: str) -> str:
    return f"<w:tbl>{rows}</w:tbl>"


_BOMB = "<!DOCTYPE w [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {chr(98 + n)} '" + f"&{chr(97 + n)};" * 10 + "'>" for n in range(9)
) + "]>"  # fmt: skip
_DOCX: dict[str, Make] = {
    "grid-span": lambda: _word(_table(_row(_cell('<w:gridSpan w:val="100000000"/>')))),
    "negative-span": lambda: _word(_table(_row(_cell('<w:gridSpan w:val="-5"/>')))),
    "grid-before": lambda: _word(_table('<w:tr><w:trPr><w:gridBefore w:val="99999999"/></w:trPr></w:tr>')),
    "merged-rows": lambda: _word(_table(_row(_cell("<w:vMerge/>")) * 9_000)),
    "merged-below": lambda: _word(
        _table(_row(_cell('<w:vMerge w:val="restart"/>')) + _row(_cell("<w:vMerge/>")) * 3_000)
    ),
    "tables-in-tables": lambda: _word("<w:tbl><w:tr><w:tc>" * 3_000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 3_000),
    "paragraphs": lambda: _word(_said("pumps sold") * 400_000),
    "one-run": lambda: _word(_said("word " * 3_000_000)),
    "bomb": lambda: _word(_said("a" * 90_000_000)),
    "bomb-beside": lambda: _word(_said("pumps"), **{"styles.xml": b" " * 90_000_000}),
    "entities": lambda: _word(_said("&j;"), _BOMB),
    "outside": lambda: _word(_said("&x;"), "<!DOCTYPE w [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"),
    "no-document": lambda: _zip({"a.txt": b"pumps"}),
    "wide-table": lambda: _word(_table(_row(_cell("") * 2_000))),
    "long-header": lambda: _word(_table(_row(_cell("", "h" * 9_000) * 20) * 40)),
    "in-itself": lambda: _word(_said("pumps"), **{"embeddings/a.docx": _word(_said("a" * 30_000_000))}),
    "outside-parts": lambda: _word(
        _said("pumps"),
        **{
            "_rels/document.xml.rels": b"<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
            b"<Relationship Id='r1' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate'"
            b" Target='file:///etc/passwd' TargetMode='External'/></Relationships>"
        },
    ),
    "parts": lambda: _word(_said("pumps"), **{f"a{number}.xml": b"<a/>" for number in range(20_000)}),
    "insertions": lambda: _word("<w:p>" + "<w:ins>" * 20_000 + "<w:r/>" + "</w:ins>" * 20_000 + "</w:p>"),
    "styles-in-a-ring": lambda: _word(
        '<w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>pumps</w:t></w:r></w:p>',
        **{
            "styles.xml": f'<w:styles xmlns:w="{_NAMESPACE}"><w:style w:styleId="a" w:type="paragraph">'
            '<w:basedOn w:val="a"/></w:style></w:styles>'.encode()
        },
    ),
    "noise": lambda: b"PK\x03\x04" + random.Random(3).randbytes(200_000),
}  # fmt: skip
_UNREAD: dict[str, Make] = {
    "bomb.xlsx": lambda: _zip({"xl/workbook.xml": bytes(50_000_000)}),
    "bomb.pptx": lambda: _zip({"ppt/presentation.xml": bytes(50_000_000)}),
    "bomb.epub": lambda: _zip({"mimetype": bytes(50_000_000)}),
    "entities.xml": _BOMB.encode,
    "script.svg": _text("<svg onload='alert(1)'/>"),
    "page.json": _times("[", 500_000),
}

HOSTILE: dict[str, Make] = {
    f"{name}.{suffix}": make
    for suffix, makers in {
        "md": _MARKDOWN, "txt": _PLAIN, "html": _HTML, "csv": _CSV, "pdf": _PDF, "docx": _DOCX,
    }.items()
    for name, make in makers.items()
} | _UNREAD  # fmt: skip
"""What makes each file, by its name."""
SLOW = ("attributes.html", "paragraphs.docx")
"""Those whose reading does not end in time."""
