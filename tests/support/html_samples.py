"""A document with everything that can stand in one, and much that should not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from research.export.document import (
    Align,
    Block,
    Chart,
    Citation,
    Code,
    DocumentPart,
    Heading,
    Items,
    Line,
    LineBreak,
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

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)> & \"'"
UNPRINTABLE = "a\x00b\x1bc\ud800d\ufffee\u2028f"
LONG_WORD = "x" * 300


def words(text: str) -> Line:
    """A line of plain words."""
    return (Text(text),)


def table(columns: int, rows: int = 3) -> Table:
    """A table whose cells say where they are."""
    return Table(
        tuple(words(f"head {column}") for column in range(columns)),
        tuple(tuple(words(f"cell {row}/{column}") for column in range(columns)) for row in range(rows)),
        tuple(Align.RIGHT if column else Align.LEFT for column in range(columns)),
    )


def nested(depth: int) -> Items:
    """A list in a list in a list."""
    inner: tuple[Block, ...] = (Paragraph(words("the deepest")),)
    for level in range(depth - 1):
        inner = (Paragraph(words(f"level {depth - level - 1}")), Items((inner,), is_ordered=bool(level % 2)))
    return Items((inner,))


def source(number: int, *, title: str = "A page", url: str = "") -> SourceItem:
    """A source with two quotes."""
    quotes = (f"quote of page {number}", "引用文です。")
    return SourceItem(
        number=number, title=title, url=url or f"https://example.com/{number}", site="example.com",
        kind="News", dated="2026-10-01", fetched=date(2026, 11, 21), is_recent=number == 2,
        quotes=quotes,
    )  # fmt: skip


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
    return ReportDocument(
        run="20261121-abc123",
        title="What is known",
        question="What is known of everything?",
        language=language,
        researched=date(2026, 11, 21),
        byline="Researched on 21 November 2026.",
        brief=(("Scope", "Market"),),
        parts=(
            DocumentPart(PartKind.BODY, blocks),
            DocumentPart(PartKind.CHARTS, (Heading(1, words("Charts")), OVER_TIME, SIDE_BY_SIDE)),
            DocumentPart(PartKind.LIMITS, (Heading(1, words("Limits")), Paragraph(words("what was not found")))),
            DocumentPart(PartKind.TRAIL, (Heading(1, words("How it was done")), Paragraph(words("what was searched")))),
        ),
        sources=tuple(source(number) for number in range(1, sources + 1)),
        verdicts={"supported": 3},
        checked="3 of 3 sentences supported.",
    )


def everything(language: Language = Language.EN) -> ReportDocument:
    """A document with every block and inline."""
    return document(
        Heading(1, words("First")),
        Paragraph(
            (
                Text("bold", bold=True), Text("italic", italic=True), Text("code()", code=True),
                Text("struck", strike=True), Text("link", url="https://example.com/a?b=1&c=2"), Citation(1), Text(" "),
                Citation(2, is_recent=True), LineBreak(), Text("next line"), Citation(9),
            )
        ),
        Heading(2, words("Second")), nested(8), table(4), table(12), table(60), Quotation((Paragraph(words("said")),)),
        Code("def f():\n    return 1"), ThematicBreak(),
        Paragraph(words("日本語の段落です。")), Paragraph(words("שלום 🎉")),
        Items(((Paragraph((Text("cites"), Citation(1))),),), is_ordered=True, start=3),
        language=language,
    )  # fmt: skip


def hostile() -> ReportDocument:
    """A document whose every text tries to be something else."""
    bad = MARKUP + UNPRINTABLE
    evil = Text("evil", url="javascript:alert(3)")
    points = Series(bad, (1.0, float("nan"), float("inf"), 1e300))
    told = document(
        Heading(1, words(bad)),
        Paragraph((Text(bad), evil, Text("f", url="file:///etc/passwd"))),
        Paragraph((Text("broken", url="http://["), Text(LONG_WORD))),
        Code(bad),
        Table((words(bad),), ((words(bad),),), ()),
        replace(OVER_TIME, title=bad, unit=bad, note=bad, series=(points,)),
        replace(OVER_TIME, series=(Series("none", (None, None)),)),
    )
    first = replace(
        source(1, title=bad, url="javascript:alert(4)"),
        site=bad, kind=bad, dated=bad, quotes=(bad,),
    )  # fmt: skip
    return replace(
        told, title=bad, question=bad, byline=bad, brief=((bad, bad),), checked=bad, sources=(first, source(2))
    )
