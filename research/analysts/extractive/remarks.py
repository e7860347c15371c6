"""What a report says of its own limits: what was not found, and what the quotes rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.selection import Part, Selection
from research.analysts.protocol import ReportRequest
from research.evidence import Page
from research.language import Bilingual
from research.text.language_of import language_of
from research.text.markdown import escape_markdown

_COMMA = Bilingual(", ", "、")


def missing_lines(request: ReportRequest, selection: Selection) -> list[str]:
    """Return what is missing, one line each: the gaps of each section, then remarks on all quotes."""
    language = request.brief.language
    gaps = [line for part in selection.parts if (line := _gap_line(part, request, selection))]
    return gaps + [text.in_(language) for text in remarks(request, selection)]


def _gap_line(part: Part, request: ReportRequest, selection: Selection) -> str:
    language = request.brief.language
    missing = coverage_of(part.section, request.brief, selection.kept, request.pages).missing(language)
    title = escape_markdown(part.section.title.in_(language))
    words = escape_markdown(_COMMA.in_(language).join(missing))
    return (
        Bilingual(f"{title}: nothing on {words}.", f"{title}：{words}に関する記述は見つかりませんでした。").in_(
            language
        )
        if missing
        else ""
    )


def remarks(request: ReportRequest, selection: Selection) -> Iterator[Bilingual]:
    """Yield what a reader should know of the quotes: how many sources, how old, what was left out."""
    pages = [request.pages[source] for source in {entry.source: None for entry in selection.kept}]
    if undated := sum(page.published is None for page in pages):
        yield Bilingual(f"Pages without a date: {undated}.", f"日付のないページ：{undated} 件。")
    yield from _remarks_on_period(request, pages)
    foreign = sum(language_of(entry.quote) is not request.brief.language for entry in selection.kept)
    if foreign:
        yield Bilingual(
            f"Quotes in Japanese, shown as they stand: {foreign}.",
            f"英語の情報源からの引用 {foreign} 件は、原文のまま掲載しています。",
        )
    if left := len(selection.kept) - selection.shown:
        yield Bilingual(
            f"Quotes left out for length, or because they repeat another: {left}.",
            f"分量の都合、または重複のため掲載しなかった引用：{left} 件。",
        )
    if selection.excluded:
        words = escape_markdown(_COMMA.in_(request.brief.language).join(request.brief.exclusions))
        yield Bilingual(
            f"Quotes left out because the brief excludes what they speak of ({words}): {selection.excluded}.",
            f"除外指定（{words}）により掲載しなかった引用：{selection.excluded} 件。",
        )


def _remarks_on_period(request: ReportRequest, pages: Sequence[Page]) -> Iterator[Bilingual]:
    period = request.brief.period
    if period is None:
        return
    first_day = request.today - timedelta(days=period.days)
    old = sum(_is_older(page, first_day) for page in pages)
    if old:
        yield Bilingual(
            f"Pages older than the period asked for ({period.label.en}): {old}.",
            f"指定の期間（{period.label.ja}）より古いページ：{old} 件。",
        )


def _is_older(page: Page, first_day: date) -> bool:
    """Whether a page dates from before `first_day`; a month or a year counts by its end, no date as not older."""
    if page.published is None:
        return False
    return page.published < first_day.isoformat()[: len(page.published)]
