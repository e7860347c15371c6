"""A report as a PDF: whatever stands in it, it is words, and no line of it runs off the page."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from pypdf import PageObject

from research.export.document import (
    Citation,
    Code,
    DocumentPart,
    Items,
    PartKind,
    ReportDocument,
    Series,
    Table,
    Text,
)
from research.export.pdf import to_pdf
from research.language import Language
from tests.support.pdf_samples import (
    chart,
    document,
    heading,
    line,
    links_of,
    paragraph,
    read,
    source,
    squeezed,
    table,
    text_of,
)

HOSTILE = [
    '#read("/etc/passwd")', '#import "@preview/cetz:0.4.0"', '#image("secret.png")', "$x^2$ *bold* _it_ `raw` = head",
    "<label> @cite // comment /* c */", '"); panic("x', "\\u{41} \\ ~ -- --- ...", "<script>alert(1)</script>",
    "![picture](file:///etc/passwd)", "[x](javascript:alert(1))", "%PDF-1.7 endobj trailer (((",
    "{{7*7}} ${7*7} #{7*7}",
    "=1+1|cmd", "&amp; &#65;",
]  # fmt: skip
MESSY = {
    "control signs": "a\x00b\x07c\x1bd\x7fe\u0085f",
    "lone surrogate": "before \ud83d after \udc00",
    "private use and unassigned": "\ue000 \U0010fffd \u0378 \ufffe",
    "turned direction": "abc \u202egnp.exe\u202c \u2066x\u2069",
    "right to left": "ارتفعت الصادرات في عام 2024 إلى 683 مليار. שלום עולם",
    "emoji": "😀 👨‍👩‍👧‍👦 🇯🇵 ☎️ ✓ 1️⃣",
    "scripts": "한국어 简体中文 繁體中文 ไทย हिन्दी தமிழ் Ελληνικά Русский Tiếng Việt 𠮷野家",
    "stacked marks": "Z" + "\u0300" * 300 + "algo",
    "blanks": " \u3000\u00a0\t\n " * 50,
    "nothing": "",
    "only marks": "\u0301\u200d\ufe0f\u2060\u200b",
}


def everywhere(words: str) -> ReportDocument:
    """A document that has the words in each of its places."""
    return document(
        heading(words),
        paragraph(words, Citation(1), Text(words, url="https://example.org/"), Text(words, code=True)),
        Items(((paragraph(words),),)),
        table(2, 3, words),
        Code(words),
        chart(title=words, unit=words, labels=(words, "b"), series=(Series(words, (1.0, 2.0)),), note=words),
        title=words, question=words, byline=words, brief=((words, words),), checked=words,
        sources=(source(1, title=words, site=words, kind=words, dated=words, quotes=(words,)),),
    )  # fmt: skip


def test_markup_of_any_kind_is_words() -> None:
    text = text_of(to_pdf(everywhere(" ".join(HOSTILE))))
    assert [words for words in HOSTILE if text.count(squeezed(words)) < 12] == []


@pytest.mark.parametrize("words", MESSY.values(), ids=MESSY)
def test_any_signs_give_a_document(words: str) -> None:
    data = to_pdf(everywhere(words))
    assert len(read(data).pages) >= 1
    text = text_of(data)
    assert not any(sign in text for sign in "\x00\x07\x1b\u202e\ue000")


def test_scripts_of_many_languages_are_legible() -> None:
    data = to_pdf(document(paragraph(MESSY["scripts"]), paragraph(MESSY["emoji"])))
    assert b"pdfuaid" in data  # every sign has a shape: the standard forbids empty boxes
    assert squeezed("한국어 简体中文 繁體中文") in text_of(data)


NO_ADDRESSES = (
    "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "https://x y", "http://a\nb", "//x",
    "https://e/" + "a" * 9000,
)  # fmt: skip


def test_only_addresses_of_the_web_become_links() -> None:
    linked = [paragraph(Text("words", url=url)) for url in NO_ADDRESSES]
    data = to_pdf(document(*linked, sources=tuple(source(at, url=url) for at, url in enumerate(NO_ADDRESSES, 1))))
    assert not [link for link in links_of(data) if not link.startswith("#")]
    assert text_of(data).count("words") == len(NO_ADDRESSES)


def test_nothing_is_read_from_disk(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the-secret-word", encoding="utf-8")
    given = everywhere(f'#read("{secret}") #include "{secret}" file://{secret}')
    assert "the-secret-word" not in text_of(to_pdf(given))


def test_long_words_and_addresses_stay_on_the_page() -> None:
    long_word, address = "W" * 300, "https://example.org/" + "a" * 280
    wide = table(3, 4, long_word)
    data = to_pdf(
        document(
            heading(long_word), paragraph(long_word), paragraph(Text(address, url=address)), Code(long_word), wide,
            Items(((paragraph(long_word),),)), title=long_word,
            sources=(source(1, title=long_word, url=address, quotes=(long_word,)),),
        )
    )  # fmt: skip
    assert overflowing(data) == []
    assert max(map(len, re.findall("W+|a+", "\n".join(page.extract_text() for page in read(data).pages)))) < 110
    assert text_of(data).count(long_word) >= 8
    assert address in set(links_of(data))


def test_a_table_of_60_columns_is_split_with_its_first_column_repeated() -> None:
    data = to_pdf(document(table(4, 60)))
    text = text_of(data)
    assert all(squeezed(f"cell {row}/{column}") in text for row in range(4) for column in range(60))
    assert squeezed("–60 of 60") in text
    assert overflowing(data) == []


def test_a_table_of_long_texts_breaks_across_pages() -> None:
    wide = table(3, 2, "gravel heap " * 600)
    assert text_of(to_pdf(document(wide))).count("gravel") == 3600


def test_a_table_with_too_few_cells_or_without_any_is_set() -> None:
    ragged = replace(table(2, 3), rows=((line("alone"),), (line("a"), line("b"), line("c"), line("lost"))), aligned=())
    text = text_of(to_pdf(document(ragged, Table((), (), ()), parts=(DocumentPart(PartKind.LIMITS, ()),))))
    assert "head2" in text and "alone" in text and "lost" not in text


def test_lists_8_deep() -> None:
    inner = Items(((paragraph("depth 8"),),))
    for depth in range(7, 0, -1):
        inner = Items(((paragraph(f"depth {depth}"), inner),), is_ordered=depth % 2 == 0)
    text = text_of(to_pdf(document(inner)))
    assert all(f"depth{depth}" in text for depth in range(1, 9))


def test_500_sources_each_led_to() -> None:
    cited = [paragraph("text", *(Citation(number) for number in range(at, at + 50))) for at in range(1, 501, 50)]
    data = to_pdf(document(*cited, sources=tuple(source(number) for number in range(1, 501))))
    links = list(links_of(data))
    assert links.count("#True") >= 1000
    assert len({link for link in links if link.startswith("https")}) == 500


def test_headings_that_skip_levels_or_stand_in_lists() -> None:
    data = to_pdf(
        document(heading("deep", 5), heading("top"), heading("deeper", 4), Items(((heading("in a list", 2),),)))
    )
    assert b"pdfuaid" in data
    assert squeezed("in a list") in text_of(data)


NAMES = tuple(map(str, range(300)))
CHARTS = {
    "empty": chart(labels=(), series=()),
    "no values": chart(series=(Series("a", (None, None, None)),)),
    "one value": chart(labels=("2024",), series=(Series("a", (5.0,)),)),
    "all equal": chart(series=(Series("a", (5.0, 5.0, 5.0)),)),
    "zeros": chart(series=(Series("a", (0.0, 0.0, 0.0)),)),
    "negative": chart(series=(Series("a", (-5.0, -7.5, -1e-9)),)),
    "not numbers": chart(series=(Series("a", (float("nan"), float("inf"), 1.0)),)),
    "huge and tiny": chart(series=(Series("a", (1e300, 1e-300, -1e300)),)),
    "fewer values than labels": chart(series=(Series("a", (1.0,)),)),
    "same label twice": chart(labels=("2024", "2024", "2023")),
    "60 bars": chart(labels=NAMES[:60], series=(Series("a", tuple(map(float, range(60)))),), is_over_time=False),
    "300 points": chart(labels=NAMES, series=(Series("a", tuple(map(float, range(300)))),)),
    "9 series": chart(series=tuple(Series(f"name {n}", (1.0 * n, 2.0, 3.0)) for n in range(9))),
    "groups of bars": chart(is_over_time=False),
}  # fmt: skip


@pytest.mark.parametrize("language", list(Language))
def test_any_figures_give_a_chart(language: Language) -> None:
    drawn = (replace(one, title=f"Exports, {name}") for name, one in CHARTS.items())
    data = to_pdf(
        document(paragraph("x"), parts=(DocumentPart(PartKind.CHARTS, (heading("Charts"), *drawn)),), language=language)
    )
    assert b"pdfuaid" in data
    text = text_of(data)
    assert [name for name in CHARTS if squeezed(f"Exports, {name}") not in text] == []
    assert overflowing(data) == []


def test_an_empty_document() -> None:
    bare = ReportDocument("r", "", "", Language.JA, date(2026, 1, 1), "", (), (), ())
    assert "無題のレポート" in text_of(to_pdf(bare))


def overflowing(data: bytes) -> list[str]:
    """The pieces of text that begin outside the margins of their page."""
    found: list[str] = []
    for page in read(data).pages:
        found += _outside(page)
    return found


def _outside(page: PageObject) -> list[str]:
    left, right = 50.0, float(page.mediabox.width) - 50.0
    found: list[str] = []

    def visit(text: str, matrix: list[float], inner: list[float], *_: object) -> None:
        x = inner[4] * matrix[0] + matrix[4]
        if text.strip() and not left <= x <= right:
            found.append(text)

    page.extract_text(visitor_text=visit)
    return found


def test_text_outside_the_margins_is_noticed() -> None:
    page = read(to_pdf(document(line and paragraph("x")))).pages[0]
    assert _outside(page) == []
    page.mediabox.right = 120
    assert _outside(page) != []
