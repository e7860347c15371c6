"""What a report adds where it follows a plan: a conclusion that counts, and claims nothing that no source says."""

from __future__ import annotations

from collections.abc import Iterator

from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.selection import Part, Selection
from research.analysts.protocol import ReportRequest
from research.language import Bilingual
from research.text.markdown import escape_markdown

_COMMA = Bilingual(", ", "、")


def conclusion_lines(request: ReportRequest, selection: Selection) -> Iterator[str]:
    """Yield what was found for each section, one line each, by count; none where no conclusion is planned."""
    if request.outline is not None and request.outline.conclusion:
        yield from (_line(part, request, selection) for part in selection.parts)


def _line(part: Part, request: ReportRequest, selection: Selection) -> str:
    language = request.brief.language
    quotes, pages = len(part.shown), len({entry.source for entry in part.shown})
    shown = Bilingual(
        f"{quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}",
        f"{pages}ページから引用{quotes}件",
    )
    if not quotes:
        shown = Bilingual("no quotes of its own", "固有の引用なし")
    coverage = coverage_of(part.section, request.brief, selection.kept, request.pages, with_titles=True)
    found = [told.aspect for told in coverage.told]
    points = len({*found, *(gap.aspect for gap in coverage.gaps)})
    words = escape_markdown(_COMMA.in_(language).join(aspect.label.in_(language) for aspect in found))
    title = escape_markdown(part.section.title.in_(language))
    return Bilingual(
        f"{title}: {shown.en}; points found: {len(found)} of {points}" + (f" ({words})." if words else "."),
        f"{title}：{shown.ja}。{points}点中{len(found)}点を確認" + (f"（{words}）。" if words else "。"),
    ).in_(language)
