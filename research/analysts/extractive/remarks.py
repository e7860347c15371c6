"""What a report says of its own limits: what was not found, and what the quotes rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from research.analysts.extractive.aside import unnamed
from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.plan import DIRECT_TITLE, aspects_asked, calls_for_a_lens
from research.analysts.extractive.selection import Part, Selection
from research.analysts.extractive.superlative import asked_of_all_countries
from research.analysts.protocol import ReportRequest
from research.evidence import Page
from research.language import Bilingual, Language
from research.length import length_of
from research.text.language_of import language_of
from research.text.markdown import escape_markdown
from research.text.names import compared_in, countries_in
from research.vocabulary import Length, SourceKind

_COMMA = Bilingual(", ", "、")


def missing_lines(request: ReportRequest, selection: Selection) -> list[str]:
    """Return what is missing, one line each: what was asked for, what was looked for besides, remarks on all quotes."""
    said = (*_asked_gaps(request, selection), *_other_gaps(request, selection), *remarks(request, selection))
    return [text.in_(request.brief.language) for text in said]


def _asked_gaps(request: ReportRequest, selection: Selection) -> Iterator[Bilingual]:
    """Yield what the question, or its plan, asks for and no quote shows; of mere words of the question no more."""
    for part in selection.parts:
        gaps = _gaps(part, request, selection)
        if part.section.title == DIRECT_TITLE:
            quoted = [Bilingual(f"“{one.en}”", f"「{one.ja}」") for one in gaps]
            if quoted:
                yield Bilingual(
                    f"No quote uses these words of the question: {_joined(quoted).en}.",
                    f"問いの次の語を含む引用はありません：{_joined(quoted).ja}。",
                )
        elif asked := [gap for gap in gaps if _is_asked(part, gap, request)]:
            title, words = part.section.title, _joined(asked)
            yield Bilingual(
                f"{escape_markdown(title.en)}: nothing on {words.en}.",
                f"{escape_markdown(title.ja)}：{words.ja}に関する記述は見つかりませんでした。",
            )


def _other_gaps(request: ReportRequest, selection: Selection) -> Iterator[Bilingual]:
    """Yield in one line what the lens of the brief looks for besides, and no quote shows.

    Nothing where only the name of a country suggested the lens: what is not asked was then left out.
    """
    question, scope = request.brief.question, request.brief.scope
    is_on_countries = bool(compared_in(question)) or asked_of_all_countries(question) is not None
    if request.outline is None and is_on_countries and not calls_for_a_lens(question, scope):
        return
    if length_of(request.brief) is Length.PAGE:
        return  # On one page every line counts.
    others = []
    for part in selection.parts:
        if part.section.title == DIRECT_TITLE:
            continue
        gaps = [gap for gap in _gaps(part, request, selection) if not _is_asked(part, gap, request)]
        if gaps:
            title, words = part.section.title, _joined(gaps)
            others.append(
                Bilingual(f"{escape_markdown(title.en)} ({words.en})", f"{escape_markdown(title.ja)}（{words.ja}）")
            )
    if others:
        listed = _joined(others)
        yield Bilingual(
            f"Looked for as well, and not found: {listed.en}.",
            f"あわせて調べたものの、記述が見つからなかった点：{listed.ja}。",
        )


def _gaps(part: Part, request: ReportRequest, selection: Selection) -> list[Bilingual]:
    coverage = coverage_of(part.section, request.brief, selection.kept, request.pages, with_titles=True)
    en, ja = coverage.missing(Language.EN), coverage.missing(Language.JA)
    return [Bilingual(escape_markdown(one), escape_markdown(other)) for one, other in zip(en, ja, strict=True)]


def _is_asked(part: Part, gap: Bilingual, request: ReportRequest) -> bool:
    """Whether a gap is one that the question names, or one of a plan that was agreed on."""
    if request.outline is not None:
        return True
    labels = [aspect.label for aspect in aspects_asked(part.section, request.brief.question)]
    return any(gap.en.endswith(label.en) and gap.ja.endswith(label.ja) for label in labels)


def _joined(words: Sequence[Bilingual]) -> Bilingual:
    return Bilingual(_COMMA.en.join(one.en for one in words), _COMMA.ja.join(one.ja for one in words))


def warning(request: ReportRequest) -> Bilingual | None:
    """Return what a reader must know before anything else: that no page names the company that is asked about.

    A page on a country may mention it without being about it.
    """
    question, pages = request.brief.question, list(request.pages.values())
    on_countries = [page for page in pages if page.kind is not SourceKind.DOCUMENT and countries_in(page.title)]
    strangers = unnamed((page for page in pages if page not in on_countries), question)
    if not strangers:
        return None
    is_mentioned = len(unnamed(pages, question)) < len(strangers)
    but = (
        Bilingual("Apart from pages on countries, no", "国・地域のページを除き、")
        if is_mentioned
        else Bilingual("No", "")
    )
    names = _joined([Bilingual(escape_markdown(name.en), escape_markdown(name.ja)) for name in strangers])
    return Bilingual(
        f"{but.en} page that was read names {names.en}. What is quoted here may be about somebody else (“we” and “the "
        "company” are not matched): please check.",
        f"{but.ja}読んだ資料に「{names.ja}」という名称は出てきません。以下の引用は別の対象についてのものかもしれません"
        "（「当社」などの表記は照合していません）。対象が同じか、ご確認ください。",
    )


def remarks(request: ReportRequest, selection: Selection) -> Iterator[Bilingual]:
    """Yield what a reader should know of the quotes: how many sources, how old, what was left out."""
    pages = [request.pages[source] for source in {entry.source: None for entry in selection.kept}]
    if undated := sum(page.published is None for page in pages):
        yield Bilingual(f"Pages without a date: {undated}.", f"日付のないページ：{undated}件。")
    yield from _remarks_on_period(request, pages)
    foreign = sum(language_of(entry.quote) is not request.brief.language for entry in selection.quotes)
    if foreign:
        yield Bilingual(
            f"Quotes in Japanese, shown as they stand: {foreign}.",
            f"英語の情報源からの引用{foreign}件は、原文のまま掲載しています。",
        )
    if left := len(selection.kept) - selection.shown:
        yield Bilingual(
            f"Quotes left out for length, or because they repeat another: {left}.",
            f"分量の都合、または重複のため掲載しなかった引用：{left}件。",
        )
    if selection.excluded:
        words = escape_markdown(_COMMA.in_(request.brief.language).join(request.brief.exclusions))
        yield Bilingual(
            f"Quotes left out because the brief excludes what they speak of ({words}): {selection.excluded}.",
            f"除外指定（{words}）により掲載しなかった引用：{selection.excluded}件。",
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
            f"指定の期間（{period.label.ja}）より古いページ：{old}件。",
        )


def _is_older(page: Page, first_day: date) -> bool:
    """Whether a page dates from before `first_day`; a month or a year counts by its end, no date as not older."""
    if page.published is None:
        return False
    return page.published < first_day.isoformat()[: len(page.published)]
