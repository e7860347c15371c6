"""A report as a PDF: time and size for 2, 20 and 100 pages, in English and in Japanese.

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
from datetime import date

from pypdf import PdfReader

from research.export.document import (
    Align,
    Block,
    Chart,
    Citation,
    Document,
    Heading,
    Line,
    Paragraph,
    Part,
    PartKind,
    QuotedPassage,
    Series,
    Source,
    Table,
    Text,
)
from research.export.pdf import to_pdf
from research.language import Language

PAGES = (2, 20, 100)
_SECTIONS = {Language.EN: {2: 1, 20: 23, 100: 134}, Language.JA: {2: 1, 20: 21, 100: 134}}
"""Sections of `_section` that fill so many pages, with the sources that they cite."""
_SENTENCE = {
    Language.EN: "In {year} plant {n} made {value:,} pumps, which is {share}% more than in the year before",
    Language.JA: "{year}年の第{n}工場の生産台数は{value:,}台で、前年を{share}％上回り、計画を達成した",
}
_END = {Language.EN: ". ", Language.JA: "。"}
_YEARS = tuple(str(year) for year in range(2018, 2026))


def main() -> None:
    """Print time and size for each length, over those of the shortest."""
    print(f"first document of a process, with its imports, 2 pages: {_first():.2f} s")
    for language in Language:
        _measure(language, "pdf", to_pdf)


def _measure(language: Language, name: str, export: Callable[[Document], bytes]) -> None:
    base: tuple[float, int] | None = None
    for pages in PAGES:
        taken, data = _taken(language, _SECTIONS[language][pages], export)
        base = base or (taken, len(data))
        count = len(PdfReader(io.BytesIO(data)).pages)
        print(
            f"{name} {language.value} {count:4} pages {taken:6.3f} s (x {taken / base[0]:5.1f})"
            f" {len(data) / 1e3:7.0f} kB (x {len(data) / base[1]:4.1f})  {1e3 * taken / count:5.1f} ms a page"
        )


def _taken(language: Language, sections: int, export: Callable[[Document], bytes]) -> tuple[float, bytes]:
    """Return the median time of three documents that differ, as what is set twice is remembered, and the last."""
    times, data = [], b""
    for variant in range(3):
        document = sample(language, sections, variant)
        gc.collect()
        began = time.perf_counter()
        data = export(document)
        times.append(time.perf_counter() - began)
    return statistics.median(times), data


def _first() -> float:
    """Return how long the first document takes in a process that has loaded neither typst nor its typefaces."""
    code = (
        "import time; from bench.documents import sample; from research.language import Language\n"
        "document = sample(Language.EN, 2); began = time.perf_counter()\n"
        "from research.export.pdf import to_pdf; to_pdf(document); print(time.perf_counter() - began)"
    )
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


# --- the document ----------------------------------------------------------------------------------------------


def sample(language: Language, sections: int, variant: int = 0) -> Document:
    """Return a made-up report: prose with citations, a table and a chart every few sections, sources with quotes."""
    sources = tuple(_source(number, language) for number in range(1, 3 * sections + 1))
    body = tuple(block for at in range(sections) for block in _section(language, at, variant))
    charts: tuple[Block, ...] = (Heading(1, _line("Charts")), *(_chart(at) for at in range(min(8, sections))))
    return Document(
        run=f"bench-{variant}",
        title=f"Pumps {variant}" if language is Language.EN else f"ポンプ市場の調査 {variant}",
        question="?",
        language=language,
        researched=date(2026, 1, 2),
        byline="Researched on January 2, 2026.",
        brief=(("Period", "2018–2025"),),
        parts=(Part(PartKind.BODY, body), Part(PartKind.CHARTS, charts)),
        sources=sources,
        verdicts={"supported": 9 * sections, "partial": sections},
        checked="Checked by rules.",
    )


def _section(language: Language, at: int, variant: int) -> list[Block]:
    first = 3 * at + 1
    blocks: list[Block] = [Heading(1 if at % 4 == 0 else 2, _line(f"Plant {at} · 第{at}工場"))]
    for paragraph in range(3):
        pieces: list[Text | Citation] = []
        for sentence in range(4):
            n = at * 12 + paragraph * 4 + sentence + variant * 10_000
            words = _SENTENCE[language].format(
                year=_YEARS[n % 8], n=n, value=1000 + 7 * n, share=round(1 + n % 90 / 10, 1)
            )
            pieces += [Text(words), Citation(first + sentence % 3), Text(_END[language])]
        blocks.append(Paragraph(tuple(pieces)))
    if at % 3 == 1:
        blocks.append(_table(at))
    return blocks


def _table(at: int) -> Table:
    rows = tuple((_line(year), *(_line(f"{(at + 3) * place * 37:,}") for place in range(1, 5))) for year in _YEARS)
    head = tuple(_line(name) for name in ("Year", "Made", "Sold", "Returned", "Repaired"))
    return Table(head, rows, (Align.LEFT, *[Align.RIGHT] * 4))


def _chart(at: int) -> Chart:
    series = tuple(
        Series(f"Annual report {n}", tuple(100.0 * (at + n + place) for place in range(8))) for n in range(3)
    )
    return Chart(f"Pumps made, plant {at}", "pumps", _YEARS, series, (1, 2))


def _source(number: int, language: Language) -> Source:
    sentence = _SENTENCE[language].format(year=2024, n=number, value=1000 * number, share=1.5)
    return Source(
        number, f"S{number}", f"Annual report of plant {number}", f"https://example.org/plants/{number}/report",
        "example.org", "Company report", "2025-03-01", "2025-03-01", date(2026, 1, 2), False,
        tuple(QuotedPassage(f"E{number}{letter}", f"{sentence} ({letter})") for letter in "ab"),
    )  # fmt: skip


def _line(words: str) -> Line:
    return (Text(words),)


if __name__ == "__main__":
    main()
