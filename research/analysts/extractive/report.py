"""The report: verbatim quotes by section, with a few connecting words by the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.interview import HEADING, question_lines
from research.analysts.extractive.naming import source_of
from research.analysts.extractive.planned_report import conclusion_lines
from research.analysts.extractive.remarks import missing_lines, remarks, warning
from research.analysts.extractive.selection import Part, Selection, summary_place
from research.analysts.extractive.standings import order_parts, standings_of
from research.analysts.extractive.tables import figures_of, tables
from research.analysts.extractive.topics import title_of
from research.analysts.protocol import ReportRequest
from research.conventions import KEY_FINDINGS
from research.evidence import Evidence, Page
from research.language import Bilingual, Language
from research.length import length_of
from research.presets import PRESETS
from research.text.markdown import escape_markdown
from research.text.passages import heading_at
from research.vocabulary import Length, OutputForm, Summary

_TITLE = 160
_SOURCES_NAMED = 5
_COMMA = Bilingual(", ", "、")
_SUMMARY = Bilingual("Executive summary", "要旨")
_KEY_QUOTES = 2
"""Quotes that a section of a plan opens with."""
_OTHERS = Bilingual("Further quotes", "その他の引用")
_FIGURES = Bilingual("Figures", "数値一覧")
_MISSING = Bilingual("What is missing", "不足している情報")
_CONCLUSION = Bilingual("Conclusion", "まとめ")
_ABOVE = Bilingual("Quotes above speak of this as well: ", "この点には、上に掲げた引用も関わります：")
_OTHERS_TELL = Bilingual("Quotes in other sections speak of this: ", "この点については、他の章に掲げた引用を参照：")
_EMPTY = Bilingual(
    "There is nothing to quote here; see what is missing, below.",
    "この章に載せる引用はありません（後述の「不足している情報」を参照）。",
)
_NOTHING = Bilingual("Nothing was found", "該当する情報は見つかりませんでした")
_TRY = (
    Bilingual("Use other or fewer words in the question.", "問いの言葉を変えるか、減らす"),
    Bilingual("Widen the period or the region.", "期間や地域を広げる"),
    Bilingual("Add sources: documents of your own, or the web.", "自分の資料やウェブなど、情報源を増やす"),
    Bilingual("Take back exclusions and forbidden sites.", "除外する内容や使わないサイトの指定を減らす"),
)


def parts(request: ReportRequest, selection: Selection) -> Iterator[str]:
    """Yield the report in pieces of Markdown, each a heading with what belongs to it."""
    language = request.brief.language
    yield f"# {_title(request.brief.question)}\n\n"
    yield from order_parts(selection.kept, request)
    if not selection.shown:
        yield _nothing(request, selection)
        return
    if told := warning(request):
        yield f"**{told.in_(language)}**\n\n"
    place = summary_place(request.brief)
    summary = _summary(request, selection) if selection.summary else ""
    if summary and place is Summary.FIRST:
        yield summary
    yield _section(KEY_FINDINGS.in_(language), _quotes(selection.findings, request)) if selection.findings else ""
    for part in selection.parts:
        yield _part(part, selection, request)
    yield _figures(request, selection)
    yield _section(HEADING.in_(language), "\n".join(_questions(request, selection)))
    lines = missing_lines(request, selection)
    yield _section(_MISSING.in_(language), "\n".join(f"- {line}" for line in lines))
    conclusion = "\n".join(f"- {line}" for line in conclusion_lines(request, selection))
    yield _section(_CONCLUSION.in_(language), conclusion)
    if summary and place is not Summary.FIRST:
        yield summary


def _title(question: str) -> str:
    folded = " ".join(question.split())
    return escape_markdown(folded if len(folded) <= _TITLE else title_of(folded))


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body.strip()}\n\n" if body.strip() else ""


# --- quotes ----------------------------------------------------------------------------------------------------


def quoted(entry: Evidence, page: Page, language: Language) -> str:
    """Return a quote in the report's quotation marks, with its citation; a bare line or row with what it is under."""
    text = escape_markdown(entry.quote)
    marks = Bilingual(f"“{text}” [{entry.id}]", f"「{text}」[{entry.id}]").in_(language)
    heading = heading_at(page.text, entry.start)
    short = len(entry.quote) < 60 and not _speaks_for_itself(entry.quote, page)
    if short and heading and heading not in page.title:
        colon = Bilingual(": ", "：").in_(language)
        return f"{escape_markdown(heading)}{colon}{marks}"
    return marks


def _speaks_for_itself(quote: str, page: Page) -> bool:
    """Whether a short quote is a whole sentence, or names what the page is about."""
    return quote.endswith((".", "。", "!", "！")) or quote.split(" ", maxsplit=1)[0] in page.title


def _quotes(evidence: Sequence[Evidence], request: ReportRequest) -> str:
    """Return quotes grouped by page, as the brief's form wants them: points or running text."""
    language = request.brief.language
    by_page: dict[str, list[Evidence]] = {}
    for entry in evidence:
        by_page.setdefault(entry.source, []).append(entry)
    is_text = _form(request) is OutputForm.TEXT
    if _is_brief(request) and not is_text:
        return "\n".join(f"- {_titled(entry, request)}" for entries in by_page.values() for entry in entries)
    blocks = []
    for source, entries in by_page.items():
        page = request.pages[source]
        lines = [quoted(entry, page, language) for entry in entries]
        title = escape_markdown(page.title)
        if is_text:
            blocks.append(_titled_by(title, language) + Bilingual(" ", "").in_(language).join(lines))
        else:
            blocks.append(f"### {title}\n\n" + "\n".join(f"- {line}" for line in lines))
    return "\n\n".join(blocks)


def _titled(entry: Evidence, request: ReportRequest) -> str:
    """Return a quote that stands apart from its page, with the title of that page."""
    page, language = request.pages[entry.source], request.brief.language
    return _titled_by(escape_markdown(page.title), language) + quoted(entry, page, language)


def _titled_by(title: str, language: Language) -> str:
    return f"**{title}**" + Bilingual(": ", "：").in_(language)


def _is_brief(request: ReportRequest) -> bool:
    """Whether the report has one page, where each line counts."""
    return length_of(request.brief) is Length.PAGE


def _form(request: ReportRequest) -> OutputForm:
    return request.brief.form or PRESETS[request.brief.preset].form


# --- parts -----------------------------------------------------------------------------------------------------


def _summary(request: ReportRequest, selection: Selection) -> str:
    language = request.brief.language
    pages = {entry.source for entry in selection.kept}
    sources = Counter(source_of(request.pages[source], language) for source in sorted(pages))
    named = _COMMA.in_(language).join(escape_markdown(source) for source, _ in sources.most_common(_SOURCES_NAMED))
    basis = Bilingual(
        f"Found: {len(selection.kept)} quotes on {len(pages)} pages ({named}), of which {selection.shown} are shown. "
        "Nearest to the question:",
        f"{len(pages)}ページ（{named}）から引用{len(selection.kept)}件を得て、うち{selection.shown}件を"
        "掲載します。問いに最も近い記述は次のとおりです。",
    )
    return _section(_SUMMARY.in_(language), f"{basis.in_(language)}\n\n{_quotes(selection.summary, request)}")


def _part(part: Part, selection: Selection, request: ReportRequest) -> str:
    """Return a section. One that was planned has all of its quotes, also those of the summary; any other the rest.

    Of a section whose quotes all stand above nothing is left.
    """
    language = request.brief.language
    above = {entry.id for entry in selection.above} if request.outline is None else set()
    fresh = [entry for entry in part.shown if entry.id not in above]
    repeated = [entry.id for entry in part.shown if entry.id in above]
    body = _fresh_quotes(fresh, request)
    if body and repeated and not _is_brief(request):
        body.append(
            _ABOVE.in_(language) + " ".join(f"[{name}]" for name in repeated) + Bilingual(".", "。").in_(language)
        )
    if not body and request.outline is not None:
        body.append(_elsewhere(part, selection, request))
    return _section(escape_markdown(part.section.title.in_(language)), "\n\n".join(body))


def _elsewhere(part: Part, selection: Selection, request: ReportRequest) -> str:
    """Return what stands in a planned section whose quotes all say more on another one."""
    language = request.brief.language
    told = coverage_of(part.section, request.brief, selection.quotes, request.pages).told
    names = dict.fromkeys(entry.id for one in told for entry in one.evidence)
    if not names:
        return _EMPTY.in_(language)
    return _OTHERS_TELL.in_(language) + " ".join(f"[{name}]" for name in names) + Bilingual(".", "。").in_(language)


def _fresh_quotes(fresh: Sequence[Evidence], request: ReportRequest) -> list[str]:
    """Return a section's quotes; where the report follows a plan, the most telling first and under their own heading.

    Quotes of the same page stand together, and the first of `fresh` are the most telling.
    """
    if request.outline is None or not fresh:
        return [_quotes(fresh, request)] if fresh else []
    language = request.brief.language
    lines = [_titled(entry, request) for entry in fresh[:_KEY_QUOTES]]
    blocks = [f"### {KEY_FINDINGS.in_(language)}\n\n" + "\n".join(f"- {line}" for line in lines)]
    if rest := fresh[_KEY_QUOTES:]:
        # In running text no heading of a page would end the key findings.
        head = f"### {_OTHERS.in_(language)}\n\n" if _form(request) is OutputForm.TEXT else ""
        blocks.append(head + _quotes(rest, request))
    return blocks


def _questions(request: ReportRequest, selection: Selection) -> Iterator[str]:
    """Yield what the brief wants to be asked, one a line, with the quote that it rests on; on one page its number."""
    language, is_brief = request.brief.language, _is_brief(request)
    for label, entry, question in question_lines(request, selection):
        lead = f"**{escape_markdown(label[:1].upper() + label[1:])}**" + Bilingual(": ", "：").in_(language)
        if entry is None:
            yield f"- {lead}{question}"
        elif is_brief:
            yield f"- {lead}{question}" + Bilingual(f" [{entry.id}]", f"[{entry.id}]").in_(language)
        else:
            rests_on = quoted(entry, request.pages[entry.source], language)
            yield f"- {lead}{rests_on}" + Bilingual(" – ", "――").in_(language) + question


def _figures(request: ReportRequest, selection: Selection) -> str:
    tabled = (OutputForm.CHARTS,) if _is_brief(request) else (OutputForm.MIX, OutputForm.CHARTS)
    is_tabled = standings_of(selection.kept, request.pages, request.brief.question) is not None
    if _form(request) not in tabled or is_tabled:
        return ""
    language = request.brief.language
    shown = [entry for part in selection.parts for entry in part.shown]
    cells, kept = figures_of(shown, request.pages), figures_of(selection.kept, request.pages)
    return _section(_FIGURES.in_(language), tables(cells, kept, language))


def _nothing(request: ReportRequest, selection: Selection) -> str:
    """Return the body of a report without a single quote."""
    language = request.brief.language
    topics = list(dict.fromkeys(f"- {escape_markdown(title_of(result.topic))}" for result in request.results))
    searched = Bilingual("These topics were searched for:", "次のトピックについて検索しました。").in_(language)
    advice = Bilingual("What to try:", "次の方法をお試しください。").in_(language)
    blocks = [searched, "\n".join(topics)] if topics else []
    blocks += [advice, "\n".join(f"- {text.in_(language)}" for text in _TRY)]
    blocks += [text.in_(language) for text in remarks(request, selection)]
    return _section(_NOTHING.in_(language), "\n\n".join(blocks))
