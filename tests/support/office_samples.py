"""Documents for the tests of Word and PowerPoint files, and what such a file says when it is read back."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date
from xml.etree import ElementTree as ET

from research.export.document import (
    Align,
    Block,
    Chart,
    Citation,
    Code,
    DocumentPart,
    Heading,
    Items,
    Paragraph,
    PartKind,
    Quotation,
    ReportDocument,
    Series,
    SourceItem,
    Table,
    Text,
    ThematicBreak,
)
from research.language import Language
from tests.support.pdf_samples import heading, paragraph as para, squeezed

DAY = date(2026, 11, 22)
_PARAGRAPH = re.compile(r"\{.*\}p$")
_TEXT = re.compile(r"\{.*\}t$")


def items(*texts: str, **more: int) -> Items:
    return Items(tuple((para(text),) for text in texts), **more)


def nested(depth: int, *, is_ordered: bool = False) -> Items:
    found = Items(((para(f"level {depth}"),),), is_ordered=is_ordered)
    for level in range(depth - 1, 0, -1):
        found = Items(((para(f"level {level}"), found), (para(f"after {level}"),)), is_ordered=is_ordered)
    return found


def table(columns: int, rows: int) -> Table:
    return Table(
        tuple((Text(f"Head {column}"),) for column in range(columns)),
        tuple(tuple((Text(f"r{row}c{column}"),) for column in range(columns)) for row in range(rows)),
        (Align.RIGHT,) * columns,
    )


def source(number: int, title: str = "Energy yearbook", url: str | None = None) -> SourceItem:
    address = f"https://example.com/{number}?a=1&b=2" if url is None else url
    quotes = (f"Quote {number} says 12.{number}%.",)
    return SourceItem(number, f"{title} {number}", address, "example.com", "News", "2026-09-01", DAY, True, quotes)


PRICES = Chart(
    "Wholesale price of electricity",
    "JPY/kWh",
    ("2021", "2022", "2023"),
    (Series("Yearbook", (13.5, 20.4, None)), Series("Exchange", (13.0, 21.0, 12.1))),
    (1, 2),
    note="Own document: board minutes",
)
PEOPLE = Chart(
    "Population",
    "people",
    ("2025",),
    (Series("Factbook", (106_688_169.0,)), Series('=HYPERLINK("http://x")', (105_000_000.0,))),
    (3,),
    is_over_time=False,
)

_BODY: dict[Language, tuple[Block, ...]] = {
    Language.EN: (
        heading("Executive summary"),
        para("The price peaked at JPY 20.4 in 2022. ", Citation(1, True), " It fell to 12.1 in 2023. ", Citation(2)),
        items("Fuel became cheaper.", "Reactors restarted."),
        heading("Regions", 2),
        para("East and west differ; see ", Text("the agency", url="https://example.org/a?b=c&d=e"), ". ", Citation(3)),
        Quotation((para("Spikes come in hours of scarcity."),)),
        Code("SELECT price\n  FROM trades"),
        ThematicBreak(),
        table(3, 2),
    ),
    Language.JA: (
        heading("要旨"),
        para("卸電力価格は2022年に20.4円まで上昇した。", Citation(1, True), "2023年は12.1円に下がった。", Citation(2)),
        items("燃料費が下がった。", "原子炉が再稼働した。"),
        heading("地域差", 2),
        para("東西の差は", Text("資源エネルギー庁", url="https://example.org/a?b=c&d=e"), "を参照。", Citation(3)),
        Quotation((para("価格の変動は需給の逼迫時に集中している。"),)),
        Code("SELECT 価格\n  FROM 取引"),
        ThematicBreak(),
        table(3, 2),
    ),
}


def document(language: Language = Language.EN, **changes: object) -> ReportDocument:
    """Return a report with every kind of block and part."""
    parts = (
        DocumentPart(PartKind.BODY, _BODY[language]),
        DocumentPart(PartKind.CHARTS, (heading("Charts"), PRICES, PEOPLE)),
        DocumentPart(PartKind.CONTRADICTIONS, (heading("Contradictions"), para("Two sources differ. ", Citation(2)))),
        DocumentPart(PartKind.LIMITS, (heading("Limits"), items("All rests on one site."))),
        DocumentPart(PartKind.VERIFICATION, (heading("Verification"), para("Sentences checked: 2. Supported: 2."))),
        DocumentPart(PartKind.TRAIL, (heading("How it was researched"), items("Method: planned"))),
    )
    given: dict[str, object] = {
        "run": "20261122-aaaaaa",
        "title": "What moves the price of electricity",
        "question": "What moves the wholesale price of electricity?",
        "language": language,
        "researched": DAY,
        "byline": "Researched on November 22, 2026.",
        "brief": (("Period", "last five years"),),
        "parts": parts,
        "sources": tuple(source(number) for number in (1, 2, 3)),
        "checked": "2 of 2 sentences supported.",
        **changes,
    }
    return ReportDocument(**given)  # type: ignore[arg-type]


def body(*blocks: Block, **changes: object) -> ReportDocument:
    """Return a report of a body alone."""
    return document(parts=(DocumentPart(PartKind.BODY, blocks),), **changes)


HOSTILE_TEXT = (
    "bell\x07 null\x00 lone\ud800 \ufffe\uffff\tline\u2028sep "
    "\u202eturned\u202c 👩\u200d👩\u200d👧 <w:p/> &amp; _x0041_ =1+1 "
    "![i](file:///etc/passwd) <img src=x onerror=alert(1)> **[broken](http://"
)
LONG_WORD = "w" * 300
HOSTILE_WORDS = (
    "bell null lone\N{REPLACEMENT CHARACTER}",
    "sep turned 👩‍👩‍👧 <w:p/> &amp; _x0041_ =1+1",
    LONG_WORD,
    "word " * 3_000,
    "字" * 5_000,
)
"""What must be left of `hostile` in every format."""
HOSTILE_ADDRESSES = (
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://[::1",
    "http://host:99999999/",
    "https://user:password@example.com/",
    "https://example.com/" + "x" * 3_000,
    "mailto:a b?subject=\n",
    "https://example.com/%zz <>\"'{}|\\^` 日本",
    "http://exa mple.com/",
)


def hostile() -> ReportDocument:
    """Return a report of everything that could break a file."""
    links = tuple(Text(f"link{number}", url=url) for number, url in enumerate(HOSTILE_ADDRESSES))
    odd = Chart(
        HOSTILE_TEXT,
        "%",
        ("=1+1", "http://x.com/", "{=SUM(1)}"),
        (Series("=cmd|'/c calc'!A0", (1.0, -2.5, None)), Series("odd", (float("nan"), float("inf"), 1e300))),
        (1, 999),
        note=HOSTILE_TEXT,
    )
    blocks = (
        Heading(1, (Text(HOSTILE_TEXT),)),
        Heading(2, (Text(LONG_WORD),)),
        Heading(9, ()),
        Paragraph(()),
        Paragraph(links),
        para(HOSTILE_TEXT, Citation(1), Citation(9_999)),
        para("שלום עולם (2024)."),
        Items(((para("מספר"),), (), (table(60, 2), Code("a\n\n\tb"), Quotation((nested(3),))))),
        nested(12),
        nested(8, is_ordered=True),
        items("zero", is_ordered=True, start=0),
        items("large", is_ordered=True, start=999_999_999),
        Table((), (), ()),
        Table(((Text(LONG_WORD),),), (((Text("日" * 3_000),),),), (Align.LEFT,)),
        Table(((Text("ragged"),), (Text("table"),)), (((Text("short row"),),), ((Text("x"),),) * 3), ()),
        para("word " * 3_000),
        para("字" * 5_000),
        Code("\n".join(f"line {number} {HOSTILE_TEXT}" for number in range(60))),
    )
    parts = (
        DocumentPart(PartKind.BODY, blocks),
        DocumentPart(
            PartKind.CHARTS,
            (odd, Chart("empty", "", (), (), ()), Chart("none", "", ("1",), (Series("s", (None,)),), ())),
        ),
        DocumentPart(PartKind.FOLLOW_UPS, ()),
    )
    sources = (source(1, HOSTILE_TEXT, HOSTILE_ADDRESSES[7]), source(2, LONG_WORD, ""), source(3, "שלום"))
    return document(
        parts=parts,
        sources=sources,
        title=HOSTILE_TEXT + LONG_WORD,
        question=HOSTILE_TEXT * 9,
        run="a\x00b",
        byline=HOSTILE_TEXT,
        brief=((HOSTILE_TEXT, HOSTILE_TEXT),),
    )


def large() -> ReportDocument:
    """Return a report of some hundred pages with five hundred sources, each of them cited."""
    blocks: list[Block] = []
    for chapter in range(100):
        cited = [Citation(5 * chapter + place) for place in range(1, 6)]
        words = f"In chapter {chapter} output was {chapter + 1_000} t, which is more than in the year before. "
        blocks += [heading(f"Chapter {chapter}", 1 + chapter % 2), *(para(words * 3, one, " ") for one in cited)]
    return body(*blocks, table(60, 4), sources=tuple(source(number) for number in range(1, 501)))


def parts_of(data: bytes) -> dict[str, bytes]:
    """Return the files in an Office file."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(names) == len(set(names))
        return {name: archive.read(name) for name in names}


def words_of(data: bytes, folders: str) -> str:
    """Return the words of all XML parts whose name begins with one of `folders`, a paragraph a line, without blanks."""
    lines = []
    for name, content in parts_of(data).items():
        if re.match(folders, name) and name.endswith(".xml"):
            for paragraph in ET.fromstring(content).iter():
                if _PARAGRAPH.match(paragraph.tag):
                    lines.append("".join(node.text or "" for node in paragraph.iter() if _TEXT.match(node.tag)))
    return "\n".join(squeezed(line) for line in lines)


def addresses_of(data: bytes) -> set[str]:
    """Return the addresses that a file links to."""
    found = set()
    for name, content in parts_of(data).items():
        if name.endswith(".rels"):
            found |= {node.attrib["Target"] for node in ET.fromstring(content) if node.get("TargetMode") == "External"}
    return found


def assert_well_formed(data: bytes) -> None:
    """Check that every part can be read, and that every relation leads to a part."""
    files = parts_of(data)
    for name, content in files.items():
        if name.endswith((".xml", ".rels")):
            ET.fromstring(content)
    for name, content in files.items():
        if name.endswith(".rels"):
            folder = name.partition("_rels/")[0]
            for node in ET.fromstring(content):
                if node.get("TargetMode") != "External":
                    assert _resolved(folder, node.attrib["Target"]) in files


def _resolved(folder: str, target: str) -> str:
    if target.startswith("/"):
        return target[1:]
    steps = folder.split("/")[:-1]
    for step in target.split("/"):
        if step == "..":
            steps.pop()
        else:
            steps.append(step)
    return "/".join(steps)
