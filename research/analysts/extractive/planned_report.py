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
    """Yield what was found for each section and what is missing, one line each; none where no conclusion is planned."""
    if request.outline is not None and request.outline.conclusion:
        yield from (_line(part, request, selection) for part in selection.parts)


def _line(part: Part, request: ReportRequest, selection: Selection) -> str:
    language = request.brief.language
    quotes, pages = len(part.shown), len({entry.source for entry in part.shown})
    missing = coverage_of(part.section, request.brief, selection.kept, request.pages).missing(language)
    title = escape_markdown(part.section.title.in_(language))
    words = escape_markdown(_COMMA.in_(language).join(missing))
    found = Bilingual(
        f"{quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}",
        f"{pages} ページから引用 {quotes} 件",
    )
    if not quotes:
        found = Bilingual("no quotes", "引用なし")
    return Bilingual(
        f"{title}: {found.en}; " + (f"missing: {words}." if missing else "nothing that was looked for is missing."),
        f"{title}：{found.ja}。" + (f"不足：{words}。" if missing else "調べる点はすべて確認できました。"),
    ).in_(language)
