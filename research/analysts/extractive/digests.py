"""What a page or a document says as a whole: the economy of a country, minutes, a memo, a paper to be summed up.

Who asks for the economy of Poland asks for no one value. The page “Poland — Economy” answers, in a line for each thing
that people ask of it.

Who asks what the board discussed, or for an overview of the grant programme, asks for no one passage. One document
tells it: of 58 facts in the overviews among others' questions (`bench.answers`, eleventh and third set) 54 stand on the
one page that holds most. It is told by its beginning and by what it says of the question, in its own order.
"""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from research.analysts.extractive.passages import (
    Ranked,
    asks_for_decision,
    asks_who_was_there,
    is_of_time,
    only_says_next_meeting,
    telling_decision,
)
from research.analysts.extractive.quotes import quoted
from research.analysts.extractive.sections import (
    ONLY_WHEN,
    SAYS,
    Section,
    blocks_telling,
    section_headed,
    section_telling_why,
    shortened,
)
from research.analysts.extractive.statements import operand_quotes
from research.analysts.extractive.values import plainness, said_by
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, Subjects, as_documents_know, says
from research.language import COLON, Bilingual, Language, Phrase
from research.meaning import Meaning, is_everyday, judged_by, labels_beginning, profile
from research.text import (
    Asked,
    Concept,
    Name,
    Operation,
    Passage,
    Value,
    are_data,
    asked_things,
    cells,
    columns,
    data_line_in,
    escape_markdown,
    folded,
    in_context,
    is_table_row,
    passages,
    says_who_was_there,
    tokens,
    unlinked,
    values_of,
    without_names,
    without_points,
    without_subject,
)

# --- a page on a place, titled by what is asked ----------------------------------------------------------------------

_SAID, _PLAINLY = 0.9, 0.5
"""Share of what is asked that a title has to say, and how little it may say besides."""
_LINES = 12
"""Lines on one thing asked: that on who leads a country is the eighth to tenth of its page."""
_CELL = 120
"""Characters of a value that stands in a table, where several places are compared."""
_OPERATIONS = (Operation.LOOK_UP, Operation.OPEN, Operation.COMPARE)
_OF_SECTIONS = (Operation.LOOK_UP, Operation.OPEN, Operation.RANK)
"""What may be asked of a section; of the biggest risks a filing tells all."""
_AND = " and "
_NO_JUDGEMENT = Phrase("Data give no judgement. What they tell that bears on it:")


class Digest(NamedTuple):
    """What pages say as a whole of things that are asked."""

    parts: frozenset[int]
    """Which things these are."""
    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""


def judging(page: Page, asked: Asked, meaning: Meaning | None) -> dict[int, tuple[Value, ...]]:
    """Return, for each thing asked by which places are judged, the lines of a page on one of them that bear on it.

    Of a place of which nothing in particular is asked, those that tell most of it.
    """
    is_on_one = any(name.is_place and name.stands_in(folded(page.title)) for name in asked.names)
    is_of_values = asked.wants_figure or asked.wants_amounts or asked.wants_date
    if not is_on_one or is_of_values or page.kind is SourceKind.DOCUMENT:
        return {}
    first = {line.label: line for line in reversed(values_of(page.text)) if not (line.is_row or line.is_note)}
    found = {}
    for part, attribute in enumerate(asked.attributes[:1] if asked.is_wide_open else asked.attributes):
        if not asked.is_wide_open and any(_is_titled(attribute, label) for label in first):
            continue  # Who asks for the labor force is told that alone.
        if own := labels_beginning(_bearing(part, asked, meaning), first):
            found[part] = tuple(first[label] for label in own)
    return found


def _bearing(part: int, asked: Asked, meaning: Meaning | None) -> tuple[str, ...]:
    """Return the beginnings of the labels that bear on one thing asked, in their order."""
    return profile() if asked.is_wide_open else judged_by(asked.wordings[part], meaning)


def digested(page: Page, asked: Asked) -> dict[int, tuple[Value, ...]]:
    """Return, for each thing asked that a page on a place is titled by, the lines that tell of it.

    These are the first of each kind that people ask for, in the order of the page: what matters most stands first. A
    page of one text, on the background of a country, say, is titled by that as well, and tells all.
    """
    places = [name for name in asked.names if name.stands_in(folded(page.title))]
    is_of_one = len(places) == 1 and all(name.is_place for name in asked.names)
    is_of_values = asked.wants_figure or asked.wants_amounts or asked.wants_date
    if not is_of_one or is_of_values or asked.is_wide_open or asked.operation not in _OPERATIONS:
        return {}
    told = [line for line in values_of(page.text) if line.subject and not (line.is_row or line.is_note)]
    first = {line.kind: line for line in reversed(told)}
    is_text = len(first) == 1 and all(len(line.text) > _CELL for line in told)
    titles = [*without_names(page.title, places).split(_AND), *(first if is_text else ())]
    parts = [part for part, one in enumerate(asked.attributes) if any(_is_titled(one, title) for title in titles)]
    kinds = [line for line in told if line is first[line.kind]]
    kinds = [line for line in kinds if is_everyday(line.label)] or kinds
    lines = (told if is_text else kinds)[:_LINES]
    return dict.fromkeys(parts, tuple(lines)) if lines else {}


def _is_titled(attribute: str, title: str) -> bool:
    return said_by(attribute, title) >= _SAID and plainness(attribute, title) >= _PLAINLY


_Lines: TypeAlias = Sequence[tuple[Value, Evidence]]
"""Lines of a page, each with its quote."""


def digest_of(
    pool: Sequence[Evidence], question: Asked, request: ReportRequest, meaning: Meaning | None = None
) -> Digest:
    """Return what the pages of some quotes say as a whole, as far as it is quoted; of several places side by side."""
    titled = _quoted_lines(pool, request, lambda page: digested(page, question))
    bearing = _quoted_lines(pool, request, lambda page: judging(page, question, meaning))
    bearing = _each_once(bearing, lambda part: _bearing(part, question, meaning))
    found = titled | bearing
    written = {part: tuple(_told(found[part], question, request)) for part in sorted(found)}
    if len(bearing) > 1:  # Which lines bear on the market, which on its risks.
        told = {part: question.told[part] for part in bearing}
        leads = {part: (f"**{escape_markdown(one[:1].upper() + one[1:])}**", "") for part, one in told.items()}
        written = {part: (*leads.get(part, ()), *lines, "") for part, lines in written.items()}
    # Population and society may be of one page, which is told once.
    markdown = tuple(line for said in dict.fromkeys(written.values()) for line in said)
    if bearing and not question.is_wide_open:
        markdown = (_NO_JUDGEMENT.in_(request.brief.language), "", *markdown)
    cited = "\n".join(markdown)
    entries = dict.fromkeys(entry for told in found.values() for own in told.values() for _, entry in own)
    parts = frozenset(range(len(question.attributes)) if bearing and question.is_wide_open else written)
    return Digest(parts, markdown, tuple(entry for entry in entries if f"[{entry.id}]" in cited))


def _quoted_lines(
    pool: Sequence[Evidence], request: ReportRequest, told_on: Callable[[Page], Mapping[int, Sequence[Value]]]
) -> dict[int, dict[str, _Lines]]:
    """Return, for each thing asked, what is told on each page, as far as it is quoted."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    found: dict[int, dict[str, _Lines]] = {}
    for source in dict.fromkeys(entry.source for entry in pool):
        for part, lines in told_on(request.pages[source]).items():
            places = ((line, by_place.get((source, line.start, line.end))) for line in lines)
            if own := [(line, entry) for line, entry in places if entry is not None]:
                found.setdefault(part, {})[source] = own
    return found


def _each_once(
    bearing: Mapping[int, Mapping[str, _Lines]], labels_of: Callable[[int], Sequence[str]]
) -> dict[int, dict[str, _Lines]]:
    """Return lines with the pages of each thing asked in the order of its labels, without what was told before.

    A line may bear on two things, and stand on two pages of a place.
    """
    told = set[tuple[str, str]]()
    found: dict[int, dict[str, _Lines]] = {}
    for part, pages in sorted(bearing.items()):
        labels = labels_of(part)
        for source, lines in sorted(pages.items(), key=lambda one: _place_among(labels, one[1])):
            own = [one for one in lines if (one[0].subject, one[0].label) not in told]
            told |= {(line.subject, line.label) for line, _ in own}
            if own:
                found.setdefault(part, {})[source] = own
    return found


def _place_among(labels: Sequence[str], told: _Lines) -> int:
    """Return the place of the first line of a page among labels that bear on what is asked."""
    label = told[0][0].label
    return next((place for place, begins in enumerate(labels) if label.startswith(begins)), len(labels))


def _told(told: Mapping[str, _Lines], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield what is told of one thing: in a table where several places are told of in short, else page by page."""
    rows = list(_rows(told, question, request)) if len(question.names) > 1 else []
    yield from rows or (line for source, own in told.items() for line in _list(source, own, request))


def _list(source: str, told: _Lines, request: ReportRequest) -> Iterator[str]:
    language = request.brief.language
    yield f"- {escape_markdown(request.pages[source].title)}{COLON.in_(language).rstrip()}"
    for _, entry in told:
        said = escape_markdown(without_subject(entry.quote)[1])
        yield Bilingual(f"  - “{said}” [{entry.id}]", f"  - 「{said}」[{entry.id}]").in_(language)


def _rows(told: Mapping[str, _Lines], question: Asked, request: ReportRequest) -> Iterator[str]:
    """Yield a table with a row for each label of which several places tell something short, a column for each place."""
    columns: dict[str, dict[str, str]] = {}
    for name in question.names:
        own = (lines for source, lines in told.items() if name.stands_in(folded(request.pages[source].title)))
        columns[getattr(name, request.brief.language.value)] = {
            line.label: f"{escape_markdown(line.text)} [{entry.id}]"
            for line, entry in chain.from_iterable(own)
            if len(line.text) <= _CELL
        }
    labels = dict.fromkeys(label for cells in columns.values() for label in cells)
    rows = [label for label in labels if sum(label in cells for cells in columns.values()) > 1]
    if rows:
        yield f"| | {' | '.join(map(escape_markdown, columns))} |"
        yield f"| --- |{' --- |' * len(columns)}"
        for label in rows:
            cells = " | ".join(own.get(label, "–") for own in columns.values())
            yield f"| {escape_markdown(label)} | {cells} |"
        yield ""


# --- a document ------------------------------------------------------------------------------------------------------

_BUSINESS = re.compile(
    r"^[^\w\n]*item[^\S\n]*1[^\S\n]*\.?[^\S\n]*business[^\w\n]*$|^[^\w\n]*(?:第[1１][^\S\n]*)?【?事業の内容】?[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""The heading under which a filing tells what a firm does."""
_BARE = 60
"""Columns below which a line such as “Interviewer: Mori” tells nothing of what a document is about."""
_ADDRESS = re.compile(r"<?\b(?:https?://|www\.)[^\s>]+>?|(?<!\w)\\?@[\w-]+|\.{4,}\s*\d*")
_LEAST = 24
"""Columns that a passage has to have beside addresses of pages and people, and the dots of a table of contents."""
_PASSAGES = 16
"""Passages that tell documents, of all of them together. Of the 58 facts 44 stand in sixteen of the right page, 39 in
twelve, 35 in eight."""
_DOCUMENTS = 6
"""Documents of which something is told, the newest: of a year's minutes no more is a summary."""
_BEST = 3
"""Passages of a page by which it is found to be the one that tells: with the best alone, two more are missed of 13."""
_TITLE = 0.9
"""How much its title counts beside them: passages in another language than the question's are hard to tell apart."""
_AS_TELLING, _AS_MUCH = 3, 0.9
"""Pages that tell together, and the share of what the best says that another needs: of a year's minutes several speak
of one thing. Of 48 facts in overviews 31 are then told, 27 by the best page alone, in as many passages."""
_OPENING, _FADES = 0.6, 4
"""What the first passage of a page gains, and after how many it is half of that: what it is about stands there."""
_LESS = 0.5
"""Share of what the best passage is worth that another needs: at .6 four of 39 facts are lost, at .5 none."""
_TELLING = """
came come conclude concluded conclusion conclusions content contents cover covered discuss discussed discussion
discussions feature features finding findings happen happened highlight highlights learn learned outcome outcomes
made point points reached result results said say says summary takeaway takeaways taken talk talked tell told
中身 主張 全体像 内容 報告 意見 指摘 書類 特徴 発言 結果 結論
要旨 要点 要約 議論 議題 記載 記述 話題 論点 資料 趣旨 骨子 ポイント
"""
_TELLS = frozenset(_TELLING.split())
"""What only says that a document is to be told: what was discussed, the findings, 要点."""
_YEAR = re.compile(r"(?:19|20)\d\d")


class ToldDocuments(NamedTuple):
    """What documents say as a whole."""

    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""
    are_titled: bool
    """Whether their titles say all that is asked: they surely speak of it."""


def may_be_told(page: Page, asked: Asked, meaning: Meaning | None) -> bool:
    """Whether a page, or a section of it, may be told as a whole: it is prose, and no one thing of it is asked."""
    if section_of(page, asked, meaning) is not None:
        return True
    wants_overview = _wants_overview(asked) and _may_be_of_time(page, asked)
    if page.kind is not SourceKind.DOCUMENT and any(name.is_place for name in asked.names):
        return False  # What others say of a country stands in lines, each of which answers by itself.
    return bool(blocks_of(page.text)) and (wants_overview or is_titled(page, asked))


def is_titled(page: Page, asked: Asked) -> bool:
    """Whether a page is a document that is titled by all that is asked, where no one thing of it is."""
    is_of_whole = _is_of_whole(asked) or asks_for_decision(asked.question)
    if not (is_of_whole and _may_be_of_document(asked) and _may_be_of_time(page, asked)):
        return False
    if len(asked.attributes) > 1:
        return False
    title, low, things = frozenset(tokens(page.title)), folded(page.title), _things_told(asked)
    is_named = all(name.stands_in(low) for name in asked.names)
    is_of_something = bool(things) or any(not name.is_place for name in asked.names)
    return is_of_something and is_named and all(says(one, title) >= SAYS for one in things)


def _things_told(asked: Asked) -> list[Concept]:
    """Return what is to be told, without what only says that or when."""
    return [
        replace(one, phrases=one.phrases[:1])  # A board meeting is no quality meeting.
        for one in asked_things(without_points(asked.question))
        if not (one.label in _TELLS or ONLY_WHEN.fullmatch(one.label) or asks_for_decision(one.label))
    ]


def section_of(page: Page, asked: Asked, meaning: Meaning | None) -> Section | None:
    """Return the section of a document on whoever is asked about that is headed by what is asked; None if none is."""
    may_be = page.kind is SourceKind.DOCUMENT and len(asked.attributes) == 1 and _is_of_whole(asked)
    if not (may_be and asked.operation in (*_OF_SECTIONS, Operation.REASON) and _may_be_of_time(page, asked)):
        return None
    if asked.operation is Operation.REASON:
        return section_telling_why(page.text, asked.names)
    names = _names_on(page, asked)
    if not all(name.stands_in(folded(page.title)) for name in names) or _is_measured(page, asked):
        return None
    called = [one for name in names for one in (name, replace(name, forms=tuple(folded(name.ja).split("・"))))]
    things = [one for one in _things_told(asked) if not any(name.stands_in(folded(one.label)) for name in called)]
    # Of nobody in particular many documents speak, whose headings only words tell apart.
    return section_headed(page.text, things, asked.wordings[0], meaning if names else None)


@lru_cache(maxsize=64)
def _names_on(page: Page, asked: Asked) -> tuple[Name, ...]:
    """Return whom a question names as a page spells them: アップル is Apple there. Each page is asked several times."""
    return Subjects(asked, [page]).names


@lru_cache(maxsize=64)
def _is_measured(page: Page, asked: Asked) -> bool:
    """Whether the statements of a page have the line that is asked for: a figure is asked, and no section on it."""
    return bool(operand_quotes(page, as_documents_know(asked, [page])))


def _wants_overview(asked: Asked) -> bool:
    return asked.wants_overview and (asked.sums_up or _is_of_whole(asked)) and _may_be_of_document(asked)


def _is_of_whole(asked: Asked) -> bool:
    """Whether no one thing is asked: no value, no decision, not who was there."""
    is_of_values = asked.wants_figure or asked.wants_amounts or asked.wants_date
    return not (is_of_values or asks_for_decision(asked.question) or asks_who_was_there(asked.question))


def _may_be_of_document(asked: Asked) -> bool:
    """Whether a document may answer as a whole: nothing is put in order or compared; of a country its pages tell."""
    is_of_place = asked.is_wide_open and any(name.is_place for name in asked.names)
    return not is_of_place and asked.operation in (Operation.LOOK_UP, Operation.OPEN)


def _may_be_of_time(page: Page, asked: Asked) -> bool:
    """Whether a page may be of the time asked for: of that month; of that year, or of none and speaks of it."""
    if not (asked.years or asked.months) or is_of_time(page, asked):
        return True
    is_dated = _YEAR.search(f"{page.published or ''} {page.title}") is not None
    return not (asked.months or is_dated) and any(year in page.text for year in asked.years)


@lru_cache(maxsize=256)
def blocks_of(text: str) -> tuple[Passage, ...]:
    """Return the passages of a document that say something, short ones that stand together as one; none of data.

    The cover of a filing, and what it says of itself, end where its business begins.
    """
    every = passages(text)
    if are_data(one.text for one in every):
        return ()
    begins = _beginning_of(text)
    telling = [place for place, one in enumerate(every) if one.start >= begins and _tells(one.text)]
    return tuple(in_context(text, every, telling))


@lru_cache(maxsize=64)
def _beginning_of(text: str) -> int:
    """Return where a document begins to tell what it is about."""
    return match.end() if (match := _BUSINESS.search(text)) else 0


def _tells(text: str) -> bool:
    """Whether a passage of a document says something that belongs into a summary: no row, and not who wrote it."""
    is_bare = bool(cells(text)) or (columns(text) < _BARE and data_line_in(text) is not None)
    is_of_meeting = any(map(says_who_was_there, text.splitlines()))
    return not (is_bare or is_of_meeting or is_table_row(text)) and columns(_ADDRESS.sub("", unlinked(text))) >= _LEAST


def opening_of(page: Page, asked: Asked, meaning: Meaning | None) -> tuple[Passage, ...]:
    """Return the passages of a page that tell what it is about: of a titled one those first under each heading too.

    Where a section answers, those of the section.
    """
    if section := section_of(page, asked, meaning):
        return blocks_telling(section, blocks_of(page.text), page.text)
    blocks = blocks_of(page.text)
    first = (
        {block.heading: place for place, block in reversed(list(enumerate(blocks)))} if is_titled(page, asked) else {}
    )
    places = dict.fromkeys([*range(min(_FADES, len(blocks))), *sorted(first.values())])
    return tuple(blocks[place] for place in sorted(list(places)[:_PASSAGES]))


def documents_told(
    ranked: Sequence[Ranked],
    question: Asked,
    request: ReportRequest,
    relevance: Relevance,
    meaning: Meaning | None,
) -> ToldDocuments:
    """Return what documents say as a whole that are titled by what is asked, and sections that are headed by it.

    Where there are neither, what those documents say that tell most of it.
    """
    pages, language = request.pages, request.brief.language
    every = list(dict.fromkeys(one.entry.source for one in ranked))
    sections = {one: part for one in every if (part := section_of(pages[one], question, meaning))}
    lines, shown = _sections_told(ranked, sections, pages, language)
    sources = [one for one in every if may_be_told(pages[one], question, meaning)]
    sources = [one for one in sources if one not in {entry.source for entry in shown}]
    titled = [source for source in sources if is_titled(pages[source], question)]
    if shown and not titled:
        return ToldDocuments(tuple(lines), tuple(shown), True)
    newest = sorted(titled, key=lambda source: pages[source].published or "", reverse=True)[:_DOCUMENTS]
    told = {source: 1.0 for source in titled if source in newest}
    told = told or _best_of(sources, ranked, question, pages, relevance)
    telling = [one for one in ranked if one.entry.source in told and _tells(one.entry.quote)]
    telling = [one for one in telling if one.entry.start >= _beginning_of(pages[one.entry.source].text)]
    if asks_for_decision(question.question):
        telling = [one for one in telling if not only_says_next_meeting(one.entry.quote)]
    worth = {one.entry.id: one.worth + told[one.entry.source] * _opening(one.entry, pages) for one in telling}
    among = [[one for one in telling if one.entry.source == source] for source in told] if titled else [telling]
    chosen = [one.entry for own in among for one in _most(own, worth, max(2, _PASSAGES // len(among)))]
    for source in told:
        own = [entry for entry in chosen if entry.source == source]
        # In the order of the page; what comes nearest to the question is read first, where no title says all of it.
        nearest = [one.entry for one in telling if one.entry in own][: not (titled or shown)]
        own = nearest + sorted((one for one in own if one not in nearest), key=lambda entry: entry.start)
        if asks_for_decision(question.question):
            own.sort(key=lambda entry: -telling_decision(entry, pages))
        title = f"- {escape_markdown(pages[source].title)}{COLON.in_(language).rstrip()}"
        lines += [title, *(f"  - {quoted(entry, pages[source], language)}" for entry in own)] if own else []
        shown += own
    return ToldDocuments(tuple(lines), tuple(shown), bool(titled))


def _sections_told(
    ranked: Sequence[Ranked], sections: Mapping[str, Section], pages: Mapping[str, Page], language: Language
) -> tuple[list[str], list[Evidence]]:
    """Return what sections say, those of the newest documents first, and the quotes.

    It is what stands first under each heading; of a section without any what says most.
    """
    lines: list[str] = []
    shown: list[Evidence] = []
    for source in sorted(sections, key=lambda source: pages[source].published or "", reverse=True):
        text = pages[source].text
        blocks = blocks_telling(sections[source], blocks_of(text), text)
        within = (one for one in ranked if one.entry.source == source and _tells(one.entry.quote))
        told = [one for one in within if any(block.start <= one.entry.start < block.end for block in blocks)]
        own = shortened(blocks, told)
        title = escape_markdown(f"{pages[source].title} — {sections[source].heading}")
        lines += [f"- {title}{COLON.in_(language).rstrip()}"] if own else []
        lines += [f"  - {quoted(entry, pages[source], language)}" for entry in own]
        shown += own
    return lines, shown


def _best_of(
    sources: Sequence[str], ranked: Sequence[Ranked], question: Asked, pages: Mapping[str, Page], relevance: Relevance
) -> dict[str, float]:
    """Return the pages whose best passages, and whose titles, say most of the question, with how much their titles do.

    How a document begins tells the less, the less its title says: what is asked is a section of it then.
    """
    titles = dict(zip(sources, relevance.of(question.question, [pages[one].title for one in sources]), strict=True))
    worth = {
        source: sum(heapq.nlargest(_BEST, (one.worth for one in ranked if one.entry.source == source)))
        + _TITLE * titles[source]
        for source in sources
    }
    best = heapq.nlargest(_AS_TELLING, sources, key=worth.__getitem__)
    return {source: min(1.0, titles[source]) for source in best if worth[source] >= _AS_MUCH * worth[best[0]]}


def _opening(entry: Evidence, pages: Mapping[str, Page]) -> float:
    """Return what a passage gains for standing at the beginning of its page."""
    starts = [block.start for block in blocks_of(pages[entry.source].text)]
    return _OPENING / (1 + max(0, bisect_right(starts, entry.start) - 1) / _FADES)


def _most(ranked: Sequence[Ranked], worth: Mapping[str, float], at_most: int) -> list[Ranked]:
    """Return the passages that are worth most, none worth much less than the best."""
    best = heapq.nlargest(at_most, ranked, key=lambda one: worth[one.entry.id])
    return [one for one in best if worth[one.entry.id] >= _LESS * worth[best[0].entry.id]]
