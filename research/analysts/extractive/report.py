"""The report composed of quotes and the program's own remarks: the answer first, then what a plan or scope asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from research.analysts.extractive.answer import AnsweredByRule, answer
from research.analysts.extractive.plan import DIRECT_TITLE, plan_for
from research.analysts.extractive.quotes import NOT_FOUND, quoted, said_by, titled
from research.analysts.protocol import Answer, AnswerRequest, ReportRequest, SectionPart
from research.core import (
    PAGES,
    PRESETS,
    Evidence,
    Length,
    OutputForm,
    Page,
    Scope,
    Section,
    Summary,
    length_of,
    pages_of,
    title_of,
)
from research.gaps import Relevance, is_excluded, spoken_of
from research.language import COLON, COMMA, SPACE, Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import (
    YEARS,
    cells,
    data_line_in,
    escape_markdown,
    head_of,
    heading_of,
    label_in_words,
    language_of,
    sentences_asking,
    without_subject,
)

_ANSWER = Phrase("Answer")
_FURTHER = Phrase("Further quotes")
_NEAREST = Phrase("What comes nearest")
_FIGURES = Phrase("Figures", "list")
_ADDED = Phrase("Asked on the way: {question}")
SUMMARY = Phrase("Executive summary")
MISSING = Phrase("What is missing")
ABOUT_QUOTES = Phrase("About the quotes")
ASIDES = (MISSING, ABOUT_QUOTES)
"""What stands behind everything that is quoted; only a summary may follow."""
_NOTHING = Phrase("Nothing was found")
_ABOVE = Phrase("What was found on this is quoted above.")
EMPTY_SECTION = (NOT_FOUND, _ABOVE)
"""What a section of a plan says that has nothing to quote."""
_TRY = (
    Phrase("Use other or fewer words in the question."),
    Phrase("Widen the period or the region."),
    Phrase("Add sources: documents of your own, or the web."),
    Phrase("Take back exclusions and forbidden sites."),
)
_WIDE = re.compile(r"[ぁ-ヿ一-鿿]")
_TITLE = 160
_SUMMARISED = 3
"""Lines of the answer that a summary at the end repeats, unless the brief says how many."""
_POINT_QUOTES = {Length.PAGE: 1, Length.SHORT: 2, Length.MEDIUM: 4, Length.LONG: 12}
"""Quotes on each point of a section, to begin with."""
_CHART = 0.25
"""Pages that the one chart of a report of one page takes."""


@dataclass(frozen=True)
class _Draft:
    """A report while it is made: what has been shown stands there once."""

    request: ReportRequest
    relevance: Relevance
    found: AnsweredByRule
    per_point: int
    added: Mapping[str, AnsweredByRule] = field(default_factory=dict)
    """What is answered to each question that was asked while research was under way."""
    shown: dict[str, Evidence] = field(default_factory=dict)
    unfound: list[str] = field(default_factory=list)
    """Points of a plan or scope on which nothing was found."""

    @property
    def language(self) -> Language:
        return self.request.brief.language

    def parts(self) -> Iterator[str]:
        """Yield the report in pieces of Markdown, each a heading with what belongs to it."""
        request, found = self.request, self.found
        yield f"# {title_of_report(request.brief.question)}\n\n"
        if not found.pool:
            yield self._nothing()
            yield from self._added()
            return
        self.shown.update({entry.id: entry for entry in found.shown})
        lines = list(found.lines)
        yield _section(_ANSWER.in_(self.language), "\n".join(lines))
        yield from self._added()
        sections = self._sections()
        for section in sections:
            yield self._section(section)
        if not sections:
            title = _FURTHER if found.shown else _NEAREST
            yield _section(title.in_(self.language), self._quotes(found.further))
            self.shown.update({entry.id: entry for entry in found.further})
        yield self._figures("\n".join(lines)) if sections else ""
        yield _section(_HEADING.in_(self.language), "\n".join(self._questions()))
        yield self._listed(MISSING, self._missing())
        yield self._listed(ABOUT_QUOTES, self._remarks())
        if request.brief.summary is Summary.LAST:
            at_most = request.brief.summary_sentences or _SUMMARISED
            yield _section(SUMMARY.in_(self.language), "\n".join(lines[:at_most]))

    def _listed(self, title: Phrase, lines: Iterable[str]) -> str:
        return _section(title.in_(self.language), "\n".join(f"- {line}" for line in lines))

    def _added(self) -> Iterator[str]:
        """Yield what was asked on the way, each with its answer, or with what comes nearest where there is none."""
        for question, own in self.added.items():
            near = () if own.shown else own.further
            self.shown.update({entry.id: entry for entry in (*own.shown, *near)})
            title = _ADDED.in_(self.language).format(question=title_of_report(question))
            yield _section(title, "\n\n".join(["\n".join(own.lines), self._quotes(near)]))

    def _sections(self) -> tuple[Section, ...]:
        """Return the sections beside the answer: those of the plan, else those that an open question's scope has."""
        if self.request.outline is not None:
            return self.request.outline.sections
        return plan_for(self.request.brief).sections[1:]

    def _section(self, section: Section) -> str:
        """Return a section: its quotes by the point that they speak of, without a heading for a single one."""
        blocks: list[str] = []
        empty = NOT_FOUND
        for point in section.wanted or (section.focus or section.title,):
            if is_excluded(point, self.request.brief):
                continue
            told = spoken_of(point, self.found.pool, self.request.pages, self.relevance, at_most=24)
            fresh = self._best(point, [entry for entry in told if entry.id not in self.shown])
            if told:
                empty = _ABOVE
            else:
                self.unfound.append(point)
            self.shown.update({entry.id: entry for entry in fresh})
            blocks += [f"- {self._lead(point)}{self._titled(entry)}" for entry in fresh]
        body = "\n".join(blocks) or (empty.in_(self.language) if self.request.outline is not None else "")
        return _section(escape_markdown(section.title), body)

    def _best(self, point: str, entries: Sequence[Evidence]) -> list[Evidence]:
        near = self.relevance.of(point, [said_by(entry, self.request.pages) for entry in entries])
        return [entry for entry, _ in _nearest_first(entries, near)[: self.per_point]]

    # --- quotes ---

    def _quotes(self, evidence: Sequence[Evidence]) -> str:
        if _form(self.request) is OutputForm.TEXT:
            return SPACE.in_(self.language).join(map(self._titled, evidence))
        return "\n".join(f"- {self._titled(entry)}" for entry in evidence)

    def _titled(self, entry: Evidence) -> str:
        return titled(entry, self.request.pages, self.language)

    def _lead(self, point: str) -> str:
        return f"**{escape_markdown(point[:1].upper() + point[1:])}**{COLON.in_(self.language)}"

    def _figures(self, above: str) -> str:
        """Return the figures that the report quotes as a table, unless its answer holds one."""
        if _form(self.request) not in (OutputForm.MIX, OutputForm.CHARTS) or "\n| ---" in above:
            return ""
        cells = figures_of(list(self.shown.values()), self.request.pages)
        if len(cells) < 2:
            return ""
        kept = figures_of(self.found.pool, self.request.pages)
        return _section(_FIGURES.in_(self.language), tables(cells, kept, self.language))

    # --- what is missing, and what to know of the quotes ---

    def _missing(self) -> Iterator[str]:
        if self.unfound and length_of(self.request.brief) is not Length.PAGE:
            listed = escape_markdown(COMMA.in_(self.language).join(dict.fromkeys(self.unfound)))
            yield Phrase("Looked for as well, and not found: {listed}.").in_(self.language).format(listed=listed)

    def _remarks(self) -> Iterator[str]:
        """Yield what a reader should know of the quotes: how old, in which language, what was left out."""
        request = self.request
        pages = [request.pages[source] for source in {entry.source: None for entry in self.shown.values()}]
        if undated := sum(page.published is None for page in pages):
            yield Phrase("Pages without a date: {undated}.").in_(self.language).format(undated=undated)
        if any(_is_foreign(entry.quote, self.language) for entry in self.shown.values()):
            yield Phrase("Quotes from sources in Japanese are shown as they stand.").in_(self.language)
        if excluded := sum(is_excluded(entry.quote, request.brief) for entry in request.evidence.values()):
            words = escape_markdown(COMMA.in_(self.language).join(request.brief.exclusions))
            left_out = Phrase("Quotes left out because the brief excludes what they speak of ({words}): {excluded}.")
            yield left_out.in_(self.language).format(words=words, excluded=excluded)

    def _nothing(self) -> str:
        """Return the body of a report without a single quote."""
        language = self.language
        lines = "\n".join(self.found.lines) or Phrase("No page that was read speaks of what is asked.").in_(language)
        titles = [title_of(one.topic) for one in self.request.results if one.topic != self.request.brief.question]
        topics = list(dict.fromkeys(f"- {escape_markdown(title)}" for title in titles if title not in DIRECT_TITLE))
        blocks = [lines]
        if topics:
            blocks += [Phrase("These topics were searched for:").in_(language), "\n".join(topics)]
        blocks += [Phrase("What to try:").in_(language), "\n".join(f"- {text.in_(language)}" for text in _TRY)]
        blocks += [f"- {line}" for line in (*self._missing(), *self._remarks())]
        return _section(_NOTHING.in_(language), "\n\n".join(blocks))

    # --- what to ask ---

    def _questions(self) -> Iterator[str]:
        """Yield what the brief wants to be asked, one a line, with the quote that it rests on."""
        wanted = questions_wanted(self.request)
        is_brief = length_of(self.request.brief) is Length.PAGE
        points = [point for section in plan_for(self.request.brief).sections for point in section.wanted]
        asked: set[str] = set()
        for point in dict.fromkeys(points):
            if len(asked) >= wanted:
                return
            told = spoken_of(point, list(self.shown.values()), self.request.pages, self.relevance)
            entry = next((one for one in told if one.id not in asked), None)
            if entry is None:
                continue
            asked.add(entry.id)
            mark = Bilingual(f" [{entry.id}]", f"[{entry.id}]").in_(self.language)
            if is_brief:
                yield f"- {self._lead(point)}{_ASK.in_(self.language)}{mark}"
            else:
                rests_on = quoted(entry, self.request.pages[entry.source], self.language)
                dash = Bilingual(" – ", "――").in_(self.language)
                yield f"- {self._lead(point)}{rests_on}{dash}{_ASK.in_(self.language)}"
        for point in dict.fromkeys(self.unfound or points):
            if len(asked) >= wanted:
                return
            asked.add(point)
            yield f"- {self._lead(point)}{_UNKNOWN.in_(self.language)}"


_HEADING = Phrase("Questions to ask")
_ASK = Phrase("How has this developed since, and what follows?")
_UNKNOWN = Phrase("How would you describe this? (Nothing was found.)")
_MOST = 5
_WANTED = re.compile(
    r"\b(?P<en>\d|one|two|three|four|five)\b[^.]{0,20}\bquestions?\b[^.]{0,12}\b(?:ask|asking)\b"
    r"|質問[^。]{0,8}?(?P<ja>\d|[一二三四五])(?:つ|件|個|問)",
    re.IGNORECASE,
)
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5}


def questions_wanted(request: ReportRequest) -> int:
    """Return how many questions to ask a company the brief's note wants."""
    found = _WANTED.search(request.brief.note) if request.brief.scope is Scope.COMPANY else None
    if found is None:
        return 0
    word = (found["en"] or found["ja"]).lower()
    return min(_MOST, int(word) if word.isdigit() else _NUMBERS[word])


def _is_foreign(quote: str, language: Language) -> bool:
    """Whether a quote is in another language; a row of figures with a Japanese word in it is not English."""
    return language_of(quote) is not language and not (language is Language.JA and _WIDE.search(quote))


_BETWEEN_JAPANESE = re.compile(r"(?<=[。？！])\s+")
"""White space between sentences of a language that has none."""


def title_of_report(question: str) -> str:
    """Return the question as the title of a report, in Markdown, without what it says on how to answer."""
    flat = _BETWEEN_JAPANESE.sub("", head_of(sentences_asking(question)))
    return escape_markdown(flat if len(flat) <= _TITLE else title_of(flat))


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body.strip()}\n\n" if body.strip() else ""


def _form(request: ReportRequest) -> OutputForm:
    return request.brief.form or PRESETS[request.brief.preset].form


def report_by_rule(request: ReportRequest, meaning: Meaning | None, relevance: Relevance) -> tuple[str, ...]:
    """Return the report in pieces of Markdown, no longer than the brief asks for."""
    found = answer(request, meaning, relevance)
    asking = {text: request.brief.model_copy(update={"question": text}) for text in request.added}
    added = {text: answer(replace(request, brief=brief), meaning, relevance) for text, brief in asking.items()}
    length = length_of(request.brief)
    per_point, room = _POINT_QUOTES[length], _room(request)
    while True:
        parts = tuple(_Draft(request, relevance, found, per_point, added).parts())
        if per_point == 0 or pages_of("".join(parts)) <= room:
            return parts
        per_point //= 2


def section_by_rule(request: ReportRequest, part: SectionPart) -> str:
    """Return every quote of a section, those of one page together; fewer only if the brief itself names a length."""
    language, pages = request.brief.language, request.pages
    lines = [f"- {quoted(entry, pages[entry.source], language)}" for entry in _page_by_page(request.evidence.values())]
    if request.brief.length is not None:
        room = PAGES[request.brief.length].most * part.share
        while len(lines) > 1 and pages_of("\n".join(lines)) > room:
            lines.pop()
    return "\n".join(lines)


def _page_by_page(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    of_page: dict[str, list[Evidence]] = {}
    for entry in evidence:
        of_page.setdefault(entry.source, []).append(entry)
    for entries in of_page.values():
        yield from entries


def _room(request: ReportRequest) -> float:
    """Return the pages that the text may have."""
    length = length_of(request.brief)
    is_shared = length is Length.PAGE and _form(request) is not OutputForm.TEXT
    return PAGES[length].most - (_CHART if is_shared else 0)


_QUOTES = 5
"""Quotes that an answer to a further question holds, at most."""
_LEAST = 0.75
"""Relevance from which a quote is an answer at all."""
_WORTH_SHOWING = 0.6
"""Share of the nearest quote's relevance that another needs."""


def answer_by_rule(request: AnswerRequest, relevance: Relevance) -> Answer:
    """Return the quotes that come nearest to the question, the nearest first; none if no quote speaks of it."""
    language, pages = request.brief.language, request.pages
    entries = list(request.evidence.values())
    near = relevance.of(request.question, [said_by(entry, pages) for entry in entries])
    best = max(near, default=0.0)
    ranked = _nearest_first(entries, near)[:_QUOTES]
    told = [entry for entry, share in ranked if best >= _LEAST and share >= _WORTH_SHOWING * best]
    lines = [f"- {quoted(entry, pages[entry.source], language)}" for entry in told]
    return Answer("\n".join(lines), is_answered=bool(lines))


def _nearest_first(entries: Sequence[Evidence], near: Sequence[float]) -> list[tuple[Evidence, float]]:
    """Return quotes with their relevance, of equally near ones the earlier first."""
    return sorted(zip(entries, near, strict=True), key=lambda pair: -pair[1])


_SUBJECTS = 5
"""Columns for subjects, at most."""
_UNIT = re.compile(r"\s*\(([^()]{1,24})\)\Z")
"""A unit in brackets at the end of a label."""
_ITEM = Phrase("Item")
_VALUE = Phrase("Value")
_PAGE = Phrase("Page")


@dataclass(frozen=True)
class TableCell:
    """One figure of the report."""

    subject: str
    """What it is about: the name before the label, or the page."""
    label: str
    """Its label without subject and year."""
    value: str
    """Its value, with the year of the label where the value names none."""
    evidence: str
    full_label: str
    page: str


def figures_of(evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> list[TableCell]:
    """Return the quotes that are "label: value" lines with a number, or rows of such, as cells."""
    return [cell for entry in evidence for cell in _cells(entry, pages[entry.source])]


def _cells(entry: Evidence, page: Page) -> Iterator[TableCell]:
    """Yield the figures of a quote; a row is about what stands in its first cell."""
    row = cells(entry.quote)
    if not row:
        yield from _of_line(entry, page)
        return
    (_, subject), *others = row
    for name, value in others:
        if _holds_figure(value):
            head = label_in_words(name)
            unit, label = _UNIT.search(head), _UNIT.sub("", head).strip()
            measured = f"{value} {unit[1]}" if unit else value
            yield TableCell(subject, label, measured, entry.id, f"{subject} – {label}", page.title)


def _holds_figure(value: str) -> bool:
    """Whether a value holds a digit and is no sentence."""
    return any(character.isdigit() for character in value) and not value.endswith((".", "。", "!", "！", "?", "？"))


def _of_line(entry: Evidence, page: Page) -> Iterator[TableCell]:
    line = data_line_in(entry.quote)
    if line is None or not line.is_short or not _holds_figure(line.value):
        return
    named, label = without_subject(line.label)
    subject = named or heading_of(page.text, entry.start) or page.title
    years = YEARS.findall(label)
    value = line.value
    if years and not any(year in value for year in years):
        value = f"{value} ({', '.join(years)})"
    yield TableCell(subject, " ".join(YEARS.sub(" ", label).split()) or label, value, entry.id, label, page.title)


def tables(shown: Sequence[TableCell], kept: Sequence[TableCell], language: Language) -> str:
    """Return the tables as Markdown, or an empty string if there are no figures.

    `shown` are the figures that the report quotes; those `kept` that fill a gap beside one of them are added.
    """
    labels = {cell.label for cell in shown}
    every = [*shown, *(cell for cell in kept if cell.label in labels and cell not in shown)]
    shared = _shared_labels(every)
    counted = Counter(cell.subject for cell in every if cell.label in shared)
    subjects = [subject for subject, count in counted.items() if count > 1][:_SUBJECTS]
    beside = [cell for cell in every if cell.label in shared and cell.subject in subjects] if len(subjects) > 1 else []
    rest = [cell for cell in shown if cell not in beside]
    parts = [_side_by_side(beside, subjects, language) if beside else "", _list(rest, language) if rest else ""]
    return "\n\n".join(part for part in parts if part)


def _shared_labels(every: Sequence[TableCell]) -> set[str]:
    subjects: dict[str, set[str]] = {}
    for cell in every:
        subjects.setdefault(cell.label, set()).add(cell.subject)
    return {label for label, found in subjects.items() if len(found) > 1}


def _side_by_side(beside: Sequence[TableCell], subjects: Sequence[str], language: Language) -> str:
    rows = []
    for label in dict.fromkeys(cell.label for cell in beside):
        values = [_values(beside, label, subject) for subject in subjects]
        rows.append([escape_markdown(label), *values])
    return _built_table([_ITEM.in_(language), *map(escape_markdown, subjects)], rows)


def _values(beside: Sequence[TableCell], label: str, subject: str) -> str:
    found = [cell for cell in beside if cell.label == label and cell.subject == subject]
    return "; ".join(_cited(cell) for cell in found) or "–"


def _list(rest: Sequence[TableCell], language: Language) -> str:
    head = [_ITEM.in_(language), _VALUE.in_(language), _PAGE.in_(language)]
    rows = [[escape_markdown(cell.full_label), _cited(cell), escape_markdown(cell.page)] for cell in rest]
    return _built_table(head, rows)


def _cited(cell: TableCell) -> str:
    return f"{escape_markdown(cell.value)} [{cell.evidence}]"


def _built_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
