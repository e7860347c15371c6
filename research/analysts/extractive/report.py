"""The report composed of quotes and the program's own remarks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from research.analysts.extractive.asked import asked_of_all_countries, is_excluded, source_of, unnamed
from research.analysts.extractive.coverage import coverage_of
from research.analysts.extractive.lenses import LensSection
from research.analysts.extractive.plan import DIRECT_FOCUS, DIRECT_TITLE, aspects_asked, calls_for_a_lens, title_of
from research.analysts.extractive.quoting import chosen, passage_of
from research.analysts.extractive.selection import (
    QuoteSelection,
    Ranked,
    ReportSection,
    figures_of,
    order_parts,
    ranked,
    select,
    standings_of,
    summary_place,
    tables,
)
from research.analysts.protocol import Answer, AnswerRequest, ReportRequest
from research.core import (
    KEY_FINDINGS,
    PAGES,
    PRESETS,
    Evidence,
    Length,
    OutputForm,
    Page,
    Scope,
    SourceKind,
    Summary,
    length_of,
    pages_of,
)
from research.language import Bilingual, Language, Phrase
from research.text import compared_in, countries_in, escape_markdown, heading_at, language_of, query_within

HEADING = Phrase("Questions to ask")
_MOST = 5
_WANTED = re.compile(
    r"\b(?P<en>\d|one|two|three|four|five)\b[^.]{0,20}\bquestions?\b[^.]{0,12}\b(?:ask|asking)\b"
    r"|質問[^。]{0,8}?(?P<ja>\d|[一二三四五])(?:つ|件|個|問)",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5}
_ASKED: dict[str, Bilingual] = {
    "strategy": Phrase("How far has this come, and what stands in its way?"),
    "challenges": Phrase("What is being done about this, and by when?"),
    "risks": Phrase("How likely is this today, and how are you prepared?"),
    "sales": Phrase("How has this developed since, and what drives it?"),
    "profit": Phrase("What moved this, and what do you expect next?"),
    "announcements": Phrase("What came of this, and what follows?"),
    "investment": Phrase("What is this to bring, and is it on time?"),
    "customers and places": Phrase("How do you expect this to change?"),
    "business": Phrase("Which part of this matters most to you now?"),
    "people": Phrase("Who decides on this?"),
}
"""By the label of an aspect, the most worth asking about first."""
_UNKNOWN = Phrase("How would you describe this? (Nothing was found.)")


def questions_wanted(request: ReportRequest) -> int:
    """Return how many questions to ask a company the brief's note wants."""
    found = _WANTED.search(request.brief.note) if request.brief.scope is Scope.COMPANY else None
    if found is None:
        return 0
    word = (found["en"] or found["ja"]).lower()
    return min(_MOST, int(word) if word.isdigit() else _NUMBERS[word])


def question_lines(request: ReportRequest, selection: QuoteSelection) -> Iterator[tuple[str, Evidence | None, str]]:
    """Yield what each question is about, the quote that it rests on and the question: those on quotes first.

    Where fewer aspects have a quote of their own, what nothing was found on is worth asking too.
    """
    language = request.brief.language
    told, gaps = _aspects(request, selection)
    used: set[str] = set()
    asked = 0
    for label in sorted(told, key=list(_ASKED).index):
        entry = next((one for one in told[label][1] if one.id not in used), None)
        if entry and asked < questions_wanted(request):
            used.add(entry.id)
            asked += 1
            yield told[label][0].in_(language), entry, _ASKED[label].in_(language)
    for gap in gaps[: max(0, questions_wanted(request) - asked)]:
        yield gap.in_(language), None, _UNKNOWN.in_(language)


def _aspects(
    request: ReportRequest, selection: QuoteSelection
) -> tuple[dict[str, tuple[Bilingual, Sequence[Evidence]]], list[Bilingual]]:
    """Return the aspects that quotes shown speak of, with these quotes, and the aspects that none speaks of."""
    told: dict[str, tuple[Bilingual, Sequence[Evidence]]] = {}
    gaps: list[Bilingual] = []
    for part in selection.parts:
        coverage = coverage_of(part.section, request.brief, selection.quotes, request.pages, with_titles=True)
        told |= {one.aspect.label.en: (one.aspect.label, one.evidence) for one in coverage.told}
        gaps += [gap.aspect.label for gap in coverage.gaps]
    return {label: found for label, found in told.items() if label in _ASKED}, [one for one in gaps if one.en in _ASKED]


_COMMA = Bilingual(", ", "、")


def conclusion_lines(request: ReportRequest, selection: QuoteSelection) -> Iterator[str]:
    """Yield what was found for each section, one line each, by count; none where no conclusion is planned."""
    if request.outline is not None and request.outline.conclusion:
        yield from (_line(part, request, selection) for part in selection.parts)


def _line(part: ReportSection, request: ReportRequest, selection: QuoteSelection) -> str:
    language = request.brief.language
    quotes, pages = len(part.shown), len({entry.source for entry in part.shown})
    shown = Bilingual(
        f"{quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}",
        f"{pages}ページから引用{quotes}件",
    )
    if not quotes:
        shown = Phrase("no quotes of its own")
    coverage = coverage_of(part.section, request.brief, selection.kept, request.pages, with_titles=True)
    found = [told.aspect for told in coverage.told]
    points = len({*found, *(gap.aspect for gap in coverage.gaps)})
    words = escape_markdown(_COMMA.in_(language).join(aspect.label.in_(language) for aspect in found))
    title = escape_markdown(part.section.title.in_(language))
    return Bilingual(
        f"{title}: {shown.en}; points found: {len(found)} of {points}" + (f" ({words})." if words else "."),
        f"{title}：{shown.ja}。{points}点中{len(found)}点を確認" + (f"（{words}）。" if words else "。"),
    ).in_(language)


def missing_lines(request: ReportRequest, selection: QuoteSelection) -> list[str]:
    """Return what is missing, one line each: what was asked for, what was looked for besides, remarks on all quotes."""
    said = (*_asked_gaps(request, selection), *_other_gaps(request, selection), *remarks(request, selection))
    return [text.in_(request.brief.language) for text in said]


def _asked_gaps(request: ReportRequest, selection: QuoteSelection) -> Iterator[Bilingual]:
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


def _other_gaps(request: ReportRequest, selection: QuoteSelection) -> Iterator[Bilingual]:
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
        yield Phrase("Looked for as well, and not found: {listed}.").filled(listed=listed)


def _gaps(part: ReportSection, request: ReportRequest, selection: QuoteSelection) -> list[Bilingual]:
    coverage = coverage_of(part.section, request.brief, selection.kept, request.pages, with_titles=True)
    en, ja = coverage.missing(Language.EN), coverage.missing(Language.JA)
    return [Bilingual(escape_markdown(one), escape_markdown(other)) for one, other in zip(en, ja, strict=True)]


def _is_asked(part: ReportSection, gap: Bilingual, request: ReportRequest) -> bool:
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
    but = Phrase("Apart from pages on countries, no") if is_mentioned else Bilingual("No", "")
    names = _joined([Bilingual(escape_markdown(name.en), escape_markdown(name.ja)) for name in strangers])
    return Phrase(
        "{but} page that was read names {names}. What is quoted here may be about somebody else (“we” "
        "and “the company” are not matched): please check."
    ).filled(but=but, names=names)


def remarks(request: ReportRequest, selection: QuoteSelection) -> Iterator[Bilingual]:
    """Yield what a reader should know of the quotes: how many sources, how old, what was left out."""
    pages = [request.pages[source] for source in {entry.source: None for entry in selection.kept}]
    if undated := sum(page.published is None for page in pages):
        yield Phrase("Pages without a date: {undated}.").filled(undated=undated)
    yield from _remarks_on_period(request, pages)
    foreign = sum(language_of(entry.quote) is not request.brief.language for entry in selection.quotes)
    if foreign:
        yield Phrase("Quotes in Japanese, shown as they stand: {foreign}.").filled(foreign=foreign)
    if left := len(selection.kept) - selection.shown:
        yield Phrase("Quotes left out for length, or because they repeat another: {left}.").filled(left=left)
    if selection.excluded:
        words = escape_markdown(_COMMA.in_(request.brief.language).join(request.brief.exclusions))
        yield Phrase("Quotes left out because the brief excludes what they speak of ({words}): {excluded}.").filled(
            words=words, excluded=selection.excluded
        )


def _remarks_on_period(request: ReportRequest, pages: Sequence[Page]) -> Iterator[Bilingual]:
    period = request.brief.period
    if period is None:
        return
    first_day = request.today - timedelta(days=period.days)
    old = sum(_is_older(page, first_day) for page in pages)
    if old:
        yield Phrase("Pages older than the period asked for ({label}): {old}.").filled(label=period.label, old=old)


def _is_older(page: Page, first_day: date) -> bool:
    """Whether a page dates from before `first_day`; a month or a year counts by its end, no date as not older."""
    if page.published is None:
        return False
    return page.published < first_day.isoformat()[: len(page.published)]


_TITLE = 160
_SOURCES_NAMED = 5
_SUMMARY = Phrase("Executive summary")
_KEY_QUOTES = 2
"""Quotes that a section of a plan opens with."""
_OTHERS = Phrase("Further quotes")
_FIGURES = Phrase("Figures", "list")
_MISSING = Phrase("What is missing")
_CONCLUSION = Phrase("Conclusion", "written by rule")
_ABOVE = Phrase("Quotes above speak of this as well: ")
_OTHERS_TELL = Phrase("Quotes in other sections speak of this: ")
_EMPTY = Phrase("There is nothing to quote here; see what is missing, below.")
_NOTHING = Phrase("Nothing was found")
_TRY = (
    Phrase("Use other or fewer words in the question."),
    Phrase("Widen the period or the region."),
    Phrase("Add sources: documents of your own, or the web."),
    Phrase("Take back exclusions and forbidden sites."),
)


def parts(request: ReportRequest, selection: QuoteSelection, opening: str = "") -> Iterator[str]:
    """Yield the report in pieces of Markdown, each a heading with what belongs to it; `opening` is its answer."""
    language = request.brief.language
    yield f"# {_title(request.brief.question)}\n\n"
    yield opening
    yield from () if opening else order_parts(selection.kept, request)
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


def answer_parts(
    request: ReportRequest, opening: str, shown: Sequence[Evidence], further: Sequence[Evidence]
) -> Iterator[str]:
    """Yield a report that answers a question and adds only what comes nearest to it."""
    language = request.brief.language
    yield f"# {_title(request.brief.question)}\n\n"
    if told := warning(request):
        yield f"**{told.in_(language)}**\n\n"
    yield opening
    yield _section(_OTHERS.in_(language), _quotes(further, request))
    section = LensSection(DIRECT_TITLE, DIRECT_FOCUS, ())
    quotes = (*shown, *further)
    selection = QuoteSelection((), (), (ReportSection(section, quotes),), quotes, len(excluded(request)))
    yield _section(_MISSING.in_(language), "\n".join(f"- {text.in_(language)}" for text in remarks(request, selection)))


def excluded(request: ReportRequest) -> list[Evidence]:
    """Return the quotes that speak of what the brief excludes."""
    return [entry for entry in request.evidence.values() if is_excluded(entry.quote, request.brief)]


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


def _summary(request: ReportRequest, selection: QuoteSelection) -> str:
    language = request.brief.language
    pages = {entry.source for entry in selection.kept}
    sources = Counter(source_of(request.pages[source], language) for source in sorted(pages))
    named = _COMMA.in_(language).join(escape_markdown(source) for source, _ in sources.most_common(_SOURCES_NAMED))
    basis = Phrase(
        "Found: {kept} quotes on {pages} pages ({named}), of which {shown} are shown. Nearest to the question:"
    ).filled(kept=len(selection.kept), pages=len(pages), named=named, shown=selection.shown)
    return _section(_SUMMARY.in_(language), f"{basis.in_(language)}\n\n{_quotes(selection.summary, request)}")


def _part(part: ReportSection, selection: QuoteSelection, request: ReportRequest) -> str:
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


def _elsewhere(part: ReportSection, selection: QuoteSelection, request: ReportRequest) -> str:
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


def _questions(request: ReportRequest, selection: QuoteSelection) -> Iterator[str]:
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


def _figures(request: ReportRequest, selection: QuoteSelection) -> str:
    tabled = (OutputForm.CHARTS,) if _is_brief(request) else (OutputForm.MIX, OutputForm.CHARTS)
    is_tabled = standings_of(selection.kept, request.pages, request.brief.question) is not None
    if _form(request) not in tabled or is_tabled:
        return ""
    language = request.brief.language
    shown = [entry for part in selection.parts for entry in part.shown]
    cells, kept = figures_of(shown, request.pages), figures_of(selection.kept, request.pages)
    return _section(_FIGURES.in_(language), tables(cells, kept, language))


def _nothing(request: ReportRequest, selection: QuoteSelection) -> str:
    """Return the body of a report without a single quote."""
    language = request.brief.language
    topics = list(dict.fromkeys(f"- {escape_markdown(title_of(result.topic))}" for result in request.results))
    searched = Phrase("These topics were searched for:").in_(language)
    advice = Phrase("What to try:").in_(language)
    blocks = [searched, "\n".join(topics)] if topics else []
    blocks += [advice, "\n".join(f"- {text.in_(language)}" for text in _TRY)]
    blocks += [text.in_(language) for text in remarks(request, selection)]
    return _section(_NOTHING.in_(language), "\n\n".join(blocks))


QUOTES = 5
"""Quotes that an answer holds, at most; the rows of a table count as one."""
_WORTH_SHOWING = 0.45
"""Share of the best score from which a quote is shown."""


def answer_by_rule(request: AnswerRequest) -> Answer:
    """Return the quotes that come nearest to the question, the nearest first; none if no quote speaks of it."""
    language = request.brief.language
    lines = [f"- {quoted(entry, request.pages[entry.source], language)}" for entry in _nearest(request)]
    return Answer("\n".join(lines), is_answered=bool(lines))


def _nearest(request: AnswerRequest) -> Sequence[Evidence]:
    entries = list(request.evidence.values())
    passages = [passage_of(entry, request.pages[entry.source]) for entry in entries]
    query = query_within(request.question, request.brief.question)
    return [entries[index] for index in chosen(passages, query, QUOTES, _WORTH_SHOWING)]


_QUOTES = {Length.PAGE: 10, Length.SHORT: 15, Length.MEDIUM: 30, Length.LONG: 60}
"""Quotes to begin with."""
_GROWTH = 1.4
_CHART = 0.25
"""Pages that the one chart of a report of one page takes."""


@dataclass(frozen=True)
class _Draft:
    parts: tuple[str, ...]
    quotes: int

    @property
    def pages(self) -> float:
        return pages_of("".join(self.parts))


def fitting_parts(request: ReportRequest, opening: str = "") -> tuple[str, ...]:
    """Return the report in pieces of Markdown, as long as the brief asks for where there is enough to quote.

    A long report holds everything worth quoting that there is room for; a shorter one has no more than it needs.
    """
    found, length = ranked(request), length_of(request.brief)
    draft = _drafted(request, found, opening, min(_QUOTES[length], max(1, found.count)))
    most = _room(request)
    enough = most if length is Length.LONG else PAGES[length].least
    while draft.pages < enough and draft.quotes < found.count:
        longer = _drafted(request, found, opening, min(found.count, int(draft.quotes * _GROWTH) + 1))
        if longer.pages > most:
            break
        draft = longer
    while draft.pages > most and draft.quotes > 1:
        draft = _drafted(request, found, opening, min(draft.quotes - 1, max(1, int(draft.quotes * most / draft.pages))))
    return draft.parts


def _drafted(request: ReportRequest, found: Ranked, opening: str, quotes: int) -> _Draft:
    return _Draft(tuple(parts(request, select(request, found, quotes), opening)), quotes)


def _room(request: ReportRequest) -> float:
    """Return the pages that the text may have."""
    length = length_of(request.brief)
    form = request.brief.form or PRESETS[request.brief.preset].form
    is_shared = length is Length.PAGE and form is not OutputForm.TEXT
    return PAGES[length].most - (_CHART if is_shared else 0)
