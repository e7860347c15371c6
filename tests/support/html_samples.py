"""A document with everything that can stand in one, and much that should not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from research.export.document import (
    Align,
    Block,
    Chart,
    Citation,
    Code,
    DocumentPart,
    Items,
    LineBreak,
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
from tests.support import pdf_samples
from tests.support.pdf_samples import heading, line, paragraph

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)> & \"'"
UNPRINTABLE = "a\x00b\x1bc\ud800d\ufffee\u2028f"
LONG_WORD = "x" * 300


def table(columns: int, rows: int = 3) -> Table:
    """A table whose cells say where they are."""
    aligned = tuple(Align.RIGHT if column else Align.LEFT for column in range(columns))
    return replace(pdf_samples.table(rows, columns), aligned=aligned)


def nested(depth: int) -> Items:
    """A list in a list in a list."""
    inner: tuple[Block, ...] = (paragraph("the deepest"),)
    for level in range(depth - 1):
        inner = (paragraph(f"level {depth - level - 1}"), Items((inner,), is_ordered=bool(level % 2)))
    return Items((inner,))


def source(number: int, **changes: Any) -> SourceItem:
    """A source with two quotes."""
    quotes = (f"quote of page {number}", "引用文です。")
    given = {"title": "A page", "url": f"https://example.com/{number}", "is_recent": number == 2, "quotes": quotes}
    return pdf_samples.source(number, **(given | changes))


OVER_TIME = Chart(
    title="Japan – GDP",
    unit="USD",
    labels=("2021", "2022", "2023", "2024"),
    series=(Series("Factbook", (5.1e12, None, 5.2e12, 5.3e12)), Series("世界銀行", (4.9e12, 5.0e12, None, None))),
    sources=(1, 2),
    note="Another page",
)
SIDE_BY_SIDE = Chart(
    title="Profit",
    unit="JPY",
    labels=("FY2024",),
    series=(Series("Annual report", (1357.5,)), Series("Monthly table", (-210.0,))),
    sources=(1,),
    is_over_time=False,
)


def document(*blocks: Block, language: Language = Language.EN, sources: int = 2) -> ReportDocument:
    """A document whose body is `blocks`, with charts, limits and a trail."""
    parts = (
        DocumentPart(PartKind.CHARTS, (heading("Charts"), OVER_TIME, SIDE_BY_SIDE)),
        DocumentPart(PartKind.LIMITS, (heading("Limits"), paragraph("what was not found"))),
        DocumentPart(PartKind.TRAIL, (heading("How it was done"), paragraph("what was searched"))),
    )
    return pdf_samples.document(
        *blocks, parts=parts, language=language, title="What is known", question="What is known of everything?",
        brief=(("Scope", "Market"),), sources=tuple(map(source, range(1, sources + 1))),
        checked="3 of 3 sentences supported.",
    )  # fmt: skip


def everything(language: Language = Language.EN) -> ReportDocument:
    """A document with every block and inline."""
    return document(
        heading("First"),
        paragraph(
            Text("bold", bold=True), Text("italic", italic=True), Text("code()", code=True),
            Text("struck", strike=True), Text("link", url="https://example.com/a?b=1&c=2"), Citation(1), " ",
            Citation(2, is_recent=True), LineBreak(), "next line", Citation(9),
        ),
        heading("Second", 2), nested(8), table(4), table(12), table(60), Quotation((paragraph("said"),)),
        Code("def f():\n    return 1"), ThematicBreak(),
        paragraph("日本語の段落です。"), paragraph("שלום 🎉"),
        Items(((paragraph("cites", Citation(1)),),), is_ordered=True, start=3),
        language=language,
    )  # fmt: skip


def hostile() -> ReportDocument:
    """A document whose every text tries to be something else."""
    bad = MARKUP + UNPRINTABLE
    evil = Text("evil", url="javascript:alert(3)")
    points = Series(bad, (1.0, float("nan"), float("inf"), 1e300))
    told = document(
        heading(bad),
        paragraph(bad, evil, Text("f", url="file:///etc/passwd")),
        paragraph(Text("broken", url="http://["), LONG_WORD),
        Code(bad),
        Table((line(bad),), ((line(bad),),), ()),
        replace(OVER_TIME, title=bad, unit=bad, note=bad, series=(points,)),
        replace(OVER_TIME, series=(Series("none", (None, None)),)),
    )
    first = source(1, title=bad, url="javascript:alert(4)", site=bad, kind=bad, dated=bad, quotes=(bad,))
    return replace(
        told, title=bad, question=bad, byline=bad, brief=((bad, bad),), checked=bad, sources=(first, source(2))
    )
