"""What rules note of pages and topics: what is quoted from a page, and what is kept of all that was found on a topic.

The note on a topic says which cells of its section the quotes fill.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from research.analysts.extractive.digests import digested, judging, may_be_told, opening_of
from research.analysts.extractive.measures import points_measured
from research.analysts.extractive.plan import names_in_topic, section_of
from research.analysts.extractive.queries import row_quotes
from research.analysts.extractive.quotes import allowed_of, said_by, unlisted
from research.analysts.extractive.statements import operand_quotes
from research.analysts.extractive.tables import rows_asked_for
from research.analysts.extractive.values import ValueMatch, matches
from research.analysts.protocol import Compression, Findings, PageRequest, PageSummary
from research.core import Brief, Evidence, Page, Section
from research.gaps import Relevance, Subjects, as_documents_know, is_excluded, spoken_of, word_shares
from research.language import COLON, COMMA, Bilingual, Language, Phrase
from research.meaning import Meaning
from research.quantities import figures
from research.text import (
    Asked,
    Name,
    Passage,
    are_data,
    compared_in,
    counted_in,
    countries_in,
    escape_markdown,
    folded,
    heading_of,
    in_context,
    language_of,
    passages,
    question_parts,
    sentences,
    unlinked,
    values_of,
    without_names,
)

# --- a page ----------------------------------------------------------------------------------------------------------

_QUOTES = 26
"""Passages that are taken from a page for the question: those that words, and a quick look at their meaning, put
first, of each of several things that are asked in turn. Of 100 facts that annual reports of 1,500 to 2,000 passages
hold for others' questions (`bench.answers`, thirteenth set) 8 hold 35, 16 hold 49 and 24 hold 56; the first 24 by a
close look at all passages, which takes minutes, 55."""
_OF_WHOLE = 24
"""The same where the page may be told as a whole."""
_BY_WORDS = 4
"""Those of them that words alone put first: what singles somebody out is not lost to what only sounds alike."""
_FOR_TOPIC = 4
"""Further ones for what else the topic wants."""
_UNSAID = 10
"""Passages of a page among them that words do not find, and meaning does. With 26 passages and ten such of them, not 20
and none, 87 facts of `bench.answers`' fourteenth set are told, not 82, and 57 of its thirteenth, not 52."""
_SHORT = 12
"""Passages up to which all of a page are taken: what answers may share no word with the question."""
_OPENING = 2
"""Passages of the beginning of a page that is titled by what is asked."""


async def summarise_by_rule(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    """Quote what the page says on question and topic; the summary only names what the quotes are about."""
    return await asyncio.to_thread(_summarise, request, meaning)


def _summarise(request: PageRequest, meaning: Meaning | None) -> PageSummary:
    asked = as_documents_know(question_parts(request.question), [request.page])
    if rows := row_quotes(request.page, asked, meaning):
        # What rows come to is told by these; other rows that say a word of the question would only stand beside them.
        return PageSummary("", tuple(rows), by_rule=True, answers=dict.fromkeys(rows, asked.points))
    found = _chosen(request, asked, meaning)
    is_of_others = Subjects(asked, [request.page]).is_of_others(request.page)
    values = [] if is_of_others else _once_unless_near(matches(request.page, asked, meaning))
    text, rows = request.page.text, operand_quotes(request.page, asked)
    told = {text[start:end]: asked.points[:1] for start, end in _answering(request, asked)}
    for part, whole in (digested(request.page, asked) | judging(request.page, asked, meaning)).items():
        told |= {text[one.start : one.end]: (asked.points[part],) for one in whole}
    if may_be_told(request.page, asked, meaning):
        told |= {one.text: asked.points[:1] for one in opening_of(request.page, asked, meaning)}
    quotes = dict.fromkeys([*(text[one.value.start : one.value.end] for one in values), *rows, *told])
    quotes |= dict.fromkeys([*_dated_beside(values, text, asked), *(passage.text for passage in found)])
    # Whose line is the highest of all, whoever searched all knows better than who reads one page.
    is_told = asked.is_rank_of_all and request.answering is not None
    own = [one for one in values if one.value.is_row or not is_told]
    told |= _answers(own, asked, text) | dict.fromkeys(rows, points_measured(asked))
    said = _said(found, asked.attributes, language_of(request.topic))
    return PageSummary(said, tuple(quotes), by_rule=True, answers=told)


def _once_unless_near(values: Sequence[ValueMatch]) -> list[ValueMatch]:
    """Return the values without those of other years under labels that do not come near: one tells what it is about."""
    first: dict[tuple[int, str, bool], ValueMatch] = {}
    for one in values:
        first.setdefault((one.attribute, one.value.label, one.value.is_row), one)
    return [one for one in values if one.is_near or one.value.is_row or one in first.values()]


def _answering(request: PageRequest, asked: Asked) -> Sequence[tuple[int, int]]:
    """Return the places that were found to answer; lines on a place that name things only if things are asked for."""
    found = request.answering or ()
    if asked.wants_items or not any(name.is_place for name in asked.names):
        return found
    amounts = {(one.start, one.end) for one in values_of(request.page.text) if one.is_amount} if found else set()
    return [span for span in found if span in amounts]


def _dated_beside(values: Sequence[ValueMatch], text: str, asked: Asked) -> list[str]:
    """Return the lines beside those of values that may say since when, where that is asked."""
    kinds = {one.value.kind for one in values if one.is_near and not one.value.is_row} if asked.wants_since else set()
    return [
        text[one.start : one.end]
        for one in (values_of(text) if kinds else ())
        if one.kind in kinds and not one.is_row and one.tells_year
    ]


def _answers(values: Sequence[ValueMatch], asked: Asked, text: str) -> dict[str, tuple[str, ...]]:
    """Return the quotes that hold a value which surely answers, with what is asked that they answer."""
    told: dict[str, dict[str, None]] = {}
    for one in values:
        if one.is_said and one.is_meant:
            told.setdefault(text[one.value.start : one.value.end], {})[asked.points[one.attribute]] = None
    return {quote: tuple(points) for quote, points in told.items()}


def _chosen(request: PageRequest, asked: Asked, meaning: Meaning | None) -> list[Passage]:
    """Return the passages of a page that may say something of what is asked, in the order of the page."""
    every = passages(request.text)
    if len(every) <= _SHORT:
        return list(every)
    said = [unlinked(f"{one.heading} {one.text}") for one in every]
    words, topic = " ".join(asked.attributes), request.topic.replace(request.question, " ")
    title = folded(request.page.title)
    titled = [name for name in asked.names if name.stands_in(title)]  # Whom a page is about tells nothing in it.
    untitled = [name for name in asked.names if name not in titled]
    shares = word_shares(words, said, untitled if words else asked.names)
    # What the lines of a page of data say is told by their labels, which are compared anyway.
    relevance = Relevance(meaning if asked.wants_prose or not are_data(one.text for one in every) else None)
    if counts := counted_in(request.question):
        shares = [share * (1 + (counts.search(one.text) is not None)) for share, one in zip(shares, every, strict=True)]
    best = {*_most(shares, _BY_WORDS), *_most(word_shares(topic, said), _FOR_TOPIC)}
    at_most = _OF_WHOLE if may_be_told(request.page, asked, meaning) else _QUOTES
    # Each of several things is looked for by itself: in words for all of them one would drown the others.
    parts = [(request.question, shares)]
    if len(asked.attributes) > 1:
        parts = [(wording, word_shares(what, said, untitled)) for what, wording in asked.clauses]
    # To look at all of a report takes seconds, once: only at one on whoever is asked about.
    unsaid = _UNSAID if titled or not asked.names else 0
    each = [
        relevance.foremost(without_names(wording, titled), said, by, at_most, unsaid=unsaid) for wording, by in parts
    ]
    foremost = list(dict.fromkeys(chain.from_iterable(zip(*each, strict=True))))[:at_most]
    best |= {index for index in foremost if shares[index] > 0 or relevance.is_by_meaning}
    if not best and max(word_shares(request.question, [request.page.title])) > 0:
        best = set(range(_OPENING))
    return list(in_context(request.text, every, sorted(best)))


def _most(shares: Sequence[float], count: int) -> list[int]:
    """Return the places of the largest shares, at most so many, and none of nothing."""
    return [index for index in heapq.nlargest(count, range(len(shares)), shares.__getitem__) if shares[index] > 0]


def _said(found: Sequence[Passage], points: Sequence[str], language: Language) -> str:
    if not found:
        return Phrase("Nothing on the question.").in_(language)
    texts = [f"{one.heading} {one.text}" for one in found]
    about = COMMA.in_(language).join(point for point in points if max(word_shares(point, texts)) >= 0.5)
    count, passages_ = len(found), "passage" if len(found) == 1 else "passages"
    if not about:
        return Bilingual(f"{count} {passages_}.", f"{count}か所を引用。").in_(language)
    return Bilingual(f"{count} {passages_} on {about}.", f"{about}に関する{count}か所を引用。").in_(language)


# --- a topic ---------------------------------------------------------------------------------------------------------

_NEAR = 0.5
"""Relevance to the question that a note needs, where more was found than it is made of."""
_CHARACTERS = {Language.EN: 4, Language.JA: 1}
"""About as many as a token holds."""
_QUOTED = 120
"""Characters of a quote in a note."""


@dataclass(frozen=True)
class Cell:
    """One point, for one of the names asked for or for the question as a whole, and what was found on it."""

    point: str
    name: Name | None
    evidence: tuple[Evidence, ...]

    def label(self, language: Language) -> str:
        """Return what it asks for, in words."""
        if self.name is None:
            return self.point
        return f"{self.name.ja}の{self.point}" if language is Language.JA else f"{self.name.en}: {self.point}"


@dataclass(frozen=True)
class Coverage:
    """How far the evidence fills the cells of a section."""

    cells: tuple[Cell, ...]

    @property
    def gaps(self) -> tuple[Cell, ...]:
        """The cells on which nothing was found."""
        return tuple(cell for cell in self.cells if not cell.evidence)

    @property
    def told(self) -> dict[str, tuple[Evidence, ...]]:
        """What was found on each point, for whichever name."""
        found: dict[str, dict[str, Evidence]] = {}
        for cell in self.cells:
            found.setdefault(cell.point, {}).update({entry.id: entry for entry in cell.evidence})
        return {point: tuple(entries.values()) for point, entries in found.items() if entries}

    def missing(self, language: Language) -> list[str]:
        """Return the gaps in words; a point that every name lacks is said once."""
        words: list[str] = []
        for point in dict.fromkeys(cell.point for cell in self.cells):
            group = [cell for cell in self.cells if cell.point == point]
            empty = [cell for cell in group if not cell.evidence]
            words += [point] if len(empty) == len(group) else [cell.label(language) for cell in empty]
        return words


def coverage_of(
    section: Section,
    brief: Brief,
    evidence: Sequence[Evidence],
    pages: Mapping[str, Page],
    relevance: Relevance,
    *,
    asked: Sequence[Name] | None = None,
) -> Coverage:
    """Return what `evidence` covers of `section`, for each of the names `asked` for: the question's unless given."""
    names: Sequence[Name | None] = (compared_in(brief.question) if asked is None else asked) or (None,)
    about = {entry.id: subjects(entry, pages[entry.source], names) for entry in evidence}
    # “Most people live in the south” is no population that could be added to another.
    wants_amounts = question_parts(brief.question).wants_amounts
    telling = [entry for entry in evidence if figures(entry.quote)] if wants_amounts else evidence
    cells = []
    for point in section.wanted:
        if is_excluded(point, brief):
            continue
        told = spoken_of(point, telling, pages, relevance)
        cells += [Cell(point, name, tuple(one for one in told if name in about[one.id])) for name in names]
    return Coverage(tuple(cells))


def subjects(entry: Evidence, page: Page, names: Sequence[Name | None]) -> tuple[Name | None, ...]:
    """Return which of `names` a quote is about: those in its page's title, else those that it or its heading names.

    On a page about another country a name is only mentioned. Every quote is about None, the question as a whole.
    """
    title = folded(page.title)
    titled = tuple(name for name in names if name is not None and name.stands_in(title))
    if len(titled) == 1 or None in names:
        return titled or (None,)
    if not titled and countries_in(page.title) and any(name is not None and name.is_place for name in names):
        return ()
    said = folded(f"{heading_of(page.text, entry.start)}\n{entry.quote}")
    return tuple(name for name in names if name is not None and name.stands_in(said)) or titled


# --- the findings on a topic -----------------------------------------------------------------------------------


def compress_by_rule(findings: Findings, relevance: Relevance) -> Compression:
    """Keep what is said once and not excluded, at least one quote of each source; the notes say what is missing."""
    brief, pages = findings.brief, findings.pages
    allowed = allowed_of(findings.evidence, brief)
    once: dict[tuple[str, str], Evidence] = {}
    for entry in _to_the_point(allowed, findings, relevance):
        once.setdefault((entry.source, folded(entry.quote)), entry)
    kept = list(once.values())
    section = section_of(findings.topic, brief)
    names = names_in_topic(findings.topic, brief.question)
    coverage = coverage_of(section, brief, kept, pages, relevance, asked=names)
    notes = noted(coverage, kept, brief.language, findings.note_tokens, is_quoting=findings.may_quote)
    if excluded := len(findings.evidence) - len(allowed):
        words = Phrase("{excluded} left out as excluded.").filled(excluded=excluded)
        notes += "\n" + words.in_(brief.language)
    return Compression(tuple(entry.id for entry in kept), notes)


def _to_the_point(allowed: Sequence[Evidence], findings: Findings, relevance: Relevance) -> list[Evidence]:
    """Leave out what is beside the question, where it is known what else was found."""
    if not findings.among:
        return list(allowed)
    asked = question_parts(findings.brief.question)
    subjects = Subjects(asked, findings.pages.values())
    among = [one for one in findings.among if subjects.are_meant(findings.pages[one.source], one.quote)]
    near = relevance.of(findings.brief.question, [said_by(entry, findings.pages) for entry in among])
    told = {entry.id for entry, share in zip(among, near, strict=True) if share >= _NEAR or entry.answers}
    for page in {entry.source: findings.pages[entry.source] for entry in allowed}.values():
        values = (one.value for one in rows_asked_for(page, asked, None))
        rows = {*(page.text[one.start : one.end] for one in values), *operand_quotes(page, asked)}
        told |= {one.id for one in allowed if one.source == page.id and one.quote in rows}
    return [entry for entry in allowed if entry.id in told]


def noted(
    coverage: Coverage, kept: Sequence[Evidence], language: Language, tokens: int, *, is_quoting: bool = False
) -> str:
    """Return notes of at most `tokens` on the evidence `kept`: as many points as fit between head and gaps.

    If it `is_quoting`, each point says what its first quote says that no point before it did, as far as there is
    room: every point is named before any is quoted.
    """
    head, missing = _head(kept, language), _missing(coverage, language)
    left = tokens * _CHARACTERS[language] - len(head) - len(missing)
    lines: list[str] = []
    quotable: list[Sequence[Evidence]] = []
    for line, evidence in _lines(coverage, kept, language):
        left -= len(line) + 1
        if left < 0:
            break
        lines.append(line)
        quotable.append(evidence)
    if is_quoting:
        lines = _with_quotes(lines, quotable, language, left)
    # A blank line, or Markdown would take what is missing as part of the last item.
    return "\n\n".join(part for part in ("\n".join([head, *lines]), missing) if part)


def _head(kept: Sequence[Evidence], language: Language) -> str:
    if not kept:
        return Phrase("Nothing to the point was found.").in_(language)
    quotes, pages = len(kept), len({entry.source for entry in kept})
    return Bilingual(
        f"Kept: {quotes} {'quote' if quotes == 1 else 'quotes'} from {pages} {'page' if pages == 1 else 'pages'}.",
        f"{pages}ページから引用{quotes}件を採用。",
    ).in_(language)


def _missing(coverage: Coverage, language: Language) -> str:
    missing = COMMA.in_(language).join(coverage.missing(language))
    return Phrase("Missing: {missing}.").in_(language).format(missing=missing) if missing else ""


def _lines(
    coverage: Coverage, kept: Sequence[Evidence], language: Language
) -> Iterator[tuple[str, Sequence[Evidence]]]:
    """Yield a line for each point, then one for the quotes that speak of none of them; each with its evidence."""
    for point, evidence in coverage.told.items():
        yield _line(point, evidence, language), evidence
    said = {entry.id for evidence in coverage.told.values() for entry in evidence}
    if rest := [entry for entry in kept if entry.id not in said]:
        words = Phrase("also found") if said else Phrase("found")
        yield _line(words.in_(language), rest, language), rest


def _line(subject: str, evidence: Sequence[Evidence], language: Language) -> str:
    colon = COLON.in_(language)
    return f"- {subject}{colon}" + " ".join(f"[{entry.id}]" for entry in evidence)


def _with_quotes(
    lines: Sequence[str], quotable: Sequence[Sequence[Evidence]], language: Language, left: int
) -> list[str]:
    """Return each line with a quote of its evidence behind it, as far as `left` characters hold them."""
    said: set[str] = set()
    quoting = []
    for line, evidence in zip(lines, quotable, strict=True):
        entry = next((one for one in evidence if one.id not in said), None)
        quote = _quote(entry, language, is_only=len(evidence) == 1) if entry else ""
        if entry and len(quote) <= left:
            said.add(entry.id)
            left -= len(quote)
            quoting.append(line + quote)
        else:
            quoting.append(line)
    return quoting


def _quote(entry: Evidence, language: Language, *, is_only: bool) -> str:
    """Return the beginning of a quote, with its id unless the line names no other."""
    text = escape_markdown(shortened(entry.quote))
    mark = "" if is_only else Bilingual(f" [{entry.id}]", f"[{entry.id}]").in_(language)
    return Bilingual(f" – “{text}”{mark}", f"――「{text}」{mark}").in_(language)


def shortened(quote: str) -> str:
    """Return the beginning of `quote` on one line: its first sentence, or 120 characters of that and an ellipsis."""
    text = unlisted(" ".join(quote.split()))
    spans = sentences(text)
    first = text[: spans[0].end] if spans else text
    if len(first) <= _QUOTED:
        return first
    cut = first[:_QUOTED]
    # Japanese has no blanks to cut at, and a blank far from the end would cut off too much.
    whole, blank, _ = cut.rpartition(" ")
    return (whole if blank and 2 * len(whole) > _QUOTED else cut).rstrip() + "…"
