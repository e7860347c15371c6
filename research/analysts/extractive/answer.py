"""The answer that a report begins with: values asked for, what follows from them, the nearest passages, the gaps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from research.analysts.extractive.arithmetic import CitedValue, asks_for_months
from research.analysts.extractive.cited import LONG, not_outdone, surely_cited
from research.analysts.extractive.computed import inside, told_of_all, value_lines
from research.analysts.extractive.digests import Digest, digest_of, documents_told, may_be_told
from research.analysts.extractive.missing import (
    SAID,
    SPEAKS,
    absent,
    gaps,
    is_absent,
    is_unspoken,
    is_untold,
    listed,
    other_years,
    unfound,
)
from research.analysts.extractive.passages import (
    Found,
    Ranked,
    answer_together,
    asks_who_was_there,
    led_to,
    ranked_passages,
    shown_passages,
)
from research.analysts.extractive.queries import row_lines, rows_asked
from research.analysts.extractive.quotes import allowed_of, quoted, said_by, titled
from research.analysts.extractive.statements import measure_lines
from research.analysts.extractive.values import month_of, nearness
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, Subjects, as_documents_know, is_excluded, said_shares
from research.language import Language, Phrase
from research.meaning import Meaning
from research.text import (
    Asked,
    Operation,
    announces,
    cells,
    columns,
    data_line_in,
    folded,
    is_amount,
    is_remark,
    is_table_row,
    language_of,
    places_in,
    question_parts,
    says_who_was_there,
    values_of,
    without_note,
)

_NEAREST_LINES, _NEAR_LINE, _AS_NEAR_LINE = 3, 0.035, 0.6
"""Lines on a place that are shown for what nothing surely answers, how far above the others their labels lie, and the
share of that of the nearest which another needs."""
_LABELS = 300
"""Labels that are compared then, those of quotes first: a country has 290 in the almanac; each takes 20 ms, once."""
_NEAREST, _NEAREST_ABROAD = 6, 3
"""Passages in the question's language, and beside them in the other, that are shown where nothing surely answers. Of
509 facts in others' questions (`bench.answers`, third to sixth set) five more are in the report than with four and one
and higher limits below; of the quotes added half bear, as of all."""
_NEAR, _NEAR_NAMING, _NEAR_ABROAD = 0.4, 0.3, 0.3
"""Worth of the best passage from which it is shown then; of one that names somebody asked for; and of one of a document
of one's own in the other language, which has no words of the question."""
_BESIDE, _BESIDE_ABROAD = 0.65, 0.5
"""The shares of it that another needs to stand beside it, and one in the other language."""
_BORNE_OUT = 2
"""Passages that stand beside what was added up of the rows of a file, at most; one where somebody is named."""
_SPEAKS_OF_SEVERAL = 0.9
"""The same as `SPEAKS`, of one of several things that are asked: each passage says a part."""
_SPEAKS_NAMING_ALL = 0.6
"""The same of one that names all of several that are asked for, one of whom its page is not titled by."""
_SPEAKS_ABROAD, _SPEAKS_ABROAD_NAMING = 0.85, 0.55
"""The same of one in the other language, and of one there that names somebody asked for: of eleven that were best for
questions of `bench.answers` and others on the house documents, the five from .91 on answered, four of the six below .8
did not. Of those that name somebody, right ones lie from .59 on."""
_TELLING = 60
"""Columns of what is asked that are said again where nothing surely speaks of it; a longer text is the question."""
_FURTHER = 3
"""Passages of other documents that stand below what one tells as a whole."""
_WHOLE = 4
"""Quotes with which a document or section that is titled by what is asked has told it; fewer leave others to say."""
_MEASURED = re.compile(r"^\s*how (?:high|long|large|big|deep|tall|wide|old|far)\s+(?:is|are|was|were)\b", re.IGNORECASE)
_FIRST_OF_ALL = re.compile(
    r"\b(?:most|least|leading|top|first|\w{3,}est)\b|最[大小高低多少長古]|最も|もっとも|一番|いちばん|トップ|首位|第?[1１一]位",
    re.IGNORECASE,
)
"""What says of somebody that there are none before it."""
_UNSURE = Phrase("Nothing was found that surely speaks of “{asked}”. What comes nearest stands below.")
_UNSURE_OF_ALL = Phrase("Nothing was found that surely answers the question. What comes nearest stands below.")


@dataclass(frozen=True)
class AnsweredByRule:
    """What a report says first, and what else comes near to its question."""

    lines: tuple[str, ...]
    """Markdown."""
    shown: tuple[Evidence, ...]
    """The quotes that it cites."""
    further: tuple[Evidence, ...]
    """Quotes that come about as near, the nearest first."""
    pool: tuple[Evidence, ...]
    """Every quote that may be shown: about somebody asked for, and not excluded."""


def answer(request: ReportRequest, meaning: Meaning | None, relevance: Relevance) -> AnsweredByRule:
    """Return the answer that the quotes of a report hold; without any where the subject is not in the sources."""
    question = as_documents_know(question_parts(request.brief.question), request.read or request.pages.values())
    # By where they stand, not by when they were found: the same sources give the same answer again.
    kept = sorted(
        allowed_of(tuple(request.evidence.values()), request.brief),
        key=lambda entry: (request.pages[entry.source].url, entry.start),
    )
    rows = rows_asked(request) or row_lines(kept, request.pages, question, meaning, request.brief.language)
    if rows and len(question.attributes) == 1:
        return AnsweredByRule(tuple(rows), tuple(_cited_in(rows, kept)), (), tuple(kept))
    return _answered(request, (kept, rows), question, meaning, relevance)


def _cited_in(lines: Sequence[str], among: Iterable[Evidence]) -> list[Evidence]:
    said = "\n".join(lines)
    return [entry for entry in among if f"[{entry.id}]" in said]


def _answered(
    request: ReportRequest,
    found: tuple[Sequence[Evidence], Sequence[str]],
    question: Asked,
    meaning: Meaning | None,
    relevance: Relevance,
) -> AnsweredByRule:
    """Return the answer that the quotes `found` hold, with what the rows of a file come to, if that answers a part."""
    kept, rows = found
    subjects = Subjects(question, request.pages.values())
    pool = [entry for entry in kept if subjects.are_meant(request.pages[entry.source], said_by(entry, request.pages))]
    pool = inside(pool, question, request)
    if subjects.is_missing and not rows:
        en, ja = [name.en for name in subjects.missing], [name.ja for name in subjects.missing]
        return AnsweredByRule((absent(en, ja, request),), (), (), ())
    digest = digest_of(pool, question, request, meaning)
    if whole := _as_a_whole(digest, pool, question, subjects, request, relevance=relevance, meaning=meaning):
        return whole
    sure = not_outdone(surely_cited(request, pool, subjects, meaning), pool, subjects, request, relevance)
    cited = [one for one in sure if one.match.attribute not in digest.parts]
    measured = rows or measure_lines(pool, question, subjects, request)
    values = list(measured) or [*value_lines(cited, question, request), *digest.lines]
    used = _cited_in(values, kept if rows else pool)
    since = _since(used, cited, pool, question, request) if values else []
    values += [f"- {quoted(entry, request.pages[entry.source], request.brief.language)}" for entry in since]
    used += since
    asks_lines = _asks_lines(question, meaning)
    rest = _beside(cited, used, pool, request, asks_lines=asks_lines)
    told = {*digest.parts, *(one.match.attribute for one in cited)}
    answered = len(told or measured) if values else 0
    is_added_up = bool(values) and not asks_for_months(question) and any(month_of(one.value) for one in cited)
    ranked, first, further = _in_prose(
        rest, question, subjects, request, relevance, answered=answered, is_added_up=is_added_up
    )
    among = Found([one.entry for one in ranked], kept)
    led = () if values else led_to(question, among, first, request.pages, relevance)
    is_led = answer_together(first, led, question, request.pages)
    near = None if values else _doubted(question, subjects, ranked, first, request, relevance=relevance, is_led=is_led)
    is_told = bool(measured) or near is not None or (first and ranked[0].names_all)
    lacking = [] if is_told else list(unfound(question, told, ranked, request, relevance))
    if not values and len(lacking) == len(question.attributes) > 1:
        near = _nearest(question, ranked, request)
    if near is not None:
        near = _of_place(near, pool, question, request, meaning)
        near = (*near, *led_to(question, among, near, request.pages, relevance))
        return _unsure(question, subjects, near, request, pool)
    first = _ordered([*_rows_together(_remarked_on(first, pool, request, used))], question, request, pool)
    is_found = bool(values) or len(lacking) < len(question.attributes)
    nearest = _lines_near(lacking, pool, question, request, meaning) if asks_lines and is_found else {}
    used += [entry for part in nearest.values() for entry in part if entry not in used]
    years = other_years(question, [one for one in cited if one.entry in used])
    missed = [*(one.in_(request.brief.language) for one in years), *gaps(question, subjects, lacking, nearest, request)]
    lacks = [f"- {line}" for line in missed]
    if not is_found:
        near = _of_place(first, pool, question, request, meaning)
        near = (*near, *led_to(question, among, near, request.pages, relevance))
        is_unsure = (
            near and not subjects.missing and not any(is_excluded(one, request.brief) for one in question.attributes)
        )
        if is_unsure:
            return _unsure(question, subjects, near, request, pool)
        return AnsweredByRule(tuple(lacks), (), near, tuple(pool))
    quotes = [f"- {quoted(entry, request.pages[entry.source], request.brief.language)}" for entry in first]
    quotes += [f"- {titled(entry, request.pages, request.brief.language)}" for entry in led]
    lines = [*values, *quotes, *lacks] if values or quotes else lacks
    further = [entry for entry in further if entry not in led]
    return AnsweredByRule(tuple(_apart(lines)), (*used, *first, *led), tuple(further), tuple(pool))


def _as_a_whole(
    digest: Digest,
    pool: Sequence[Evidence],
    question: Asked,
    subjects: Subjects,
    request: ReportRequest,
    *,
    relevance: Relevance,
    meaning: Meaning | None,
) -> AnsweredByRule | None:
    """Return what pages on places tell of all that is asked, else what documents say as a whole; None if none does."""
    if whole := digest if len(digest.parts) == len(question.attributes) else told_of_all(pool, question, request):
        own = [one for one in pool if request.pages[one.source].kind is SourceKind.DOCUMENT]
        beside = itertools.chain(
            *shown_passages(ranked_passages(own, question, subjects, request, relevance), question, answered=0)
        )
        return AnsweredByRule(whole.lines, whole.shown, tuple(beside)[:_FURTHER], tuple(pool))
    sources = {entry.source for entry in pool}
    if digest.parts or not any(may_be_told(request.pages[one], question, meaning) for one in sources):
        return None
    ranked = ranked_passages(pool, question, subjects, request, relevance)
    told = documents_told(ranked, question, request, relevance, meaning)
    is_doubted = not told.are_titled and (
        _doubted(question, subjects, ranked, told.shown, request, relevance=relevance, is_led=False) is not None
    )
    if is_doubted or not told.lines:
        return _unsure(question, subjects, told.shown, request, pool)
    is_all = told.are_titled and len(told.shown) >= _WHOLE
    further = [] if is_all else [*itertools.chain(*shown_passages(ranked, question, answered=0))]
    lacks = [f"- {line}" for line in gaps(question, subjects, (), {}, request)]
    others = [entry for entry in further if entry not in told.shown][:_FURTHER]
    return AnsweredByRule((*told.lines, *lacks), told.shown, tuple(others), tuple(pool))


def _in_prose(
    rest: Sequence[Evidence],
    question: Asked,
    subjects: Subjects,
    request: ReportRequest,
    relevance: Relevance,
    *,
    answered: int,
    is_added_up: bool,
) -> tuple[list[Ranked], list[Evidence], list[Evidence]]:
    """Return passages by their worth, those that stand in the answer, and those below it.

    Beside values that answer everything stands none, but beside what was added up those that surely say the same.
    """
    is_answered = answered >= len(question.attributes) and not question.wants_prose
    is_added_up = is_added_up and is_answered
    if is_answered and not is_added_up:
        relevance = Relevance()
    ranked = ranked_passages(rest, question, subjects, request, relevance)
    first, further = shown_passages(ranked, question, answered=answered - is_added_up)
    if is_added_up:
        at_most = 1 if question.names else _BORNE_OUT
        sure = (one.entry for one in ranked[:at_most] if one.worth >= SPEAKS)
        return ranked, [one for one in sure if all(name.stands_in(folded(one.quote)) for name in question.names)], []
    if ranked and not first and not answered and _is_plain(ranked[0], question):
        first = [ranked[0].entry]
    return ranked, first, further


def _beside(
    cited: Sequence[CitedValue],
    used: Sequence[Evidence],
    pool: Sequence[Evidence],
    request: ReportRequest,
    *,
    asks_lines: bool,
) -> list[Evidence]:
    """Return the quotes that may stand beside the values shown; where lines answer, none of a mere amount."""
    known = {one.value.label for one in cited if one.entry in used}
    others = {one.entry.id for one in cited if one.value.is_row or one.value.label in known}  # Other years, say.
    rest = [one for one in pool if one not in used and one.id not in others and not _only_leads(one.quote)]
    rest = [one for one in rest if not _is_code(one, request.pages[one.source])]
    lines = {one.id: data_line_in(one.quote) for one in rest} if asks_lines else {}
    return [one for one in rest if not ((line := lines.get(one.id)) and _is_mere_amount(line.value))]


def _is_mere_amount(told: str) -> bool:
    """Whether a line tells an amount, or that of a part: Land use, agricultural land: arable land: 11.4%."""
    return is_amount(told if ";" in told else told.rpartition(": ")[2])


def _doubted(
    question: Asked,
    subjects: Subjects,
    ranked: Sequence[Ranked],
    first: Sequence[Evidence],
    request: ReportRequest,
    *,
    relevance: Relevance,
    is_led: bool,
) -> Sequence[Evidence] | None:
    """Return what comes nearest where nothing surely answers, if anything does; None where what comes `first` answers.

    What leads on answers together with what it leads to.
    """
    if not ranked or is_absent(question, subjects, request, ranked, relevance):
        return ()
    if _is_plain(ranked[0], question):
        return None
    is_nowhere = is_unspoken(question, subjects, request, ranked)
    is_nowhere = is_nowhere or is_untold(question, subjects, request, ranked, relevance)
    if not first or (is_nowhere and not ranked[0].names_all):
        return _nearest(question, ranked, request)
    if is_led or any(_speaks(one, question, request) for one in ranked if one.entry in first):
        return None
    unnamed = {one.entry.id for one in ranked if _is_of_unnamed(request.pages[one.entry.source], question)}
    return [one for one in first if one.id not in unnamed]


def _speaks(best: Ranked, question: Asked, request: ReportRequest) -> bool:
    """Whether the best passage surely speaks of what is asked: by itself, or on a page that is titled by it.

    Less is enough of one in the other language, which has no words of the question, unless it is of a country that the
    question does not name; an open question has none that tell.
    """
    page = request.pages[best.entry.source]
    is_foreign = language_of(best.entry.quote) is not language_of(question.question)
    least = SPEAKS if len(question.attributes) == 1 else _SPEAKS_OF_SEVERAL
    if is_foreign and not _is_of_unnamed(page, question):
        least = _SPEAKS_ABROAD_NAMING if best.names else _SPEAKS_ABROAD
    if best.names_all:
        least = min(least, _SPEAKS_NAMING_ALL)
    is_titled = any(max(said_shares(attribute, [page.title])) >= SAID for attribute in question.attributes)
    if question.is_rank_of_all and (is_foreign or not _FIRST_OF_ALL.search(best.entry.quote)):
        return False  # Whose is the highest, values tell, or who says so.
    return best.worth >= least or is_titled or question.operation is Operation.OPEN


def _is_plain(best: Ranked, question: Asked) -> bool:
    """Whether a passage answers by its form: a figure beside whoever's size is all that is asked, or who was there."""
    quote = folded(best.entry.quote)
    named = [name for name in question.names if not name.is_place]
    is_measured = bool(named) and _MEASURED.search(question.question) and question.attributes == (question.question,)
    if is_measured and all(name.stands_in(quote) for name in named):
        return any(map(str.isdigit, quote))
    return asks_who_was_there(question.question) and says_who_was_there(best.entry.quote)


def _unsure(
    question: Asked, subjects: Subjects, near: Sequence[Evidence], request: ReportRequest, pool: Sequence[Evidence]
) -> AnsweredByRule:
    """Say that nothing surely answers, with what comes nearest; that nothing was found where nothing comes near."""
    if near:
        told = listed(question.told)
        is_long = question.attributes == (question.question,) or columns(told.en) > _TELLING
        unsure = _UNSURE_OF_ALL if is_long else _UNSURE.filled(asked=told)
        told_near = _ordered(near, question, request, pool)
        return AnsweredByRule((unsure.in_(request.brief.language),), (), tuple(told_near), tuple(pool))
    en, ja = [name.en for name in subjects.missing], [name.ja for name in subjects.missing]
    asked = [f"“{one}”" for one in question.told]
    return AnsweredByRule((absent([*en, *asked], [*ja, *question.told], request),), (), (), ())


def _ordered(
    entries: Sequence[Evidence], question: Asked, request: ReportRequest, pool: Sequence[Evidence]
) -> list[Evidence]:
    """Return quotes as they are told: one that announces a table before what of it was quoted.

    Of a change, the earlier document goes first, if all have dates.
    """
    dates = {entry.id: request.pages[entry.source].published for entry in entries}
    if question.operation is Operation.CHANGE and None not in dates.values():
        entries = sorted(entries, key=lambda entry: str(dates[entry.id]))
    return [*_with_tables(entries, pool, request)]


def _rows_together(entries: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield quotes with the rows of tables of one page together, in its order, where the first of them stands."""
    rows: dict[str, list[Evidence]] = {}
    for entry in sorted(filter(lambda one: is_table_row(one.quote), entries), key=lambda one: one.start):
        rows.setdefault(entry.source, []).append(entry)
    for entry in entries:
        yield from rows.pop(entry.source, ()) if is_table_row(entry.quote) else (entry,)


_HEAD_OF_TABLE = re.compile(r"\s*(?:\|[^\n]*\n\s*)*")


def _with_tables(entries: Sequence[Evidence], pool: Sequence[Evidence], request: ReportRequest) -> Iterator[Evidence]:
    """Yield quotes, one that announces a table before what of the table was quoted."""
    for entry in entries:
        yield entry
        for row in pool if announces(entry.quote) else ():
            is_behind = row.source == entry.source and row.start > entry.end and is_table_row(row.quote)
            text = request.pages[entry.source].text
            if is_behind and row not in entries and _HEAD_OF_TABLE.fullmatch(text, entry.end, row.start):
                yield row
                break


def _nearest(question: Asked, ranked: Sequence[Ranked], request: ReportRequest) -> list[Evidence]:
    """Return the passages that come nearest in either language, if they come near at all; no rows on others.

    Of a place nothing that does not name it, if anything does.
    """
    naming = [one for one in ranked if one.names]
    if naming and all(name.is_place for name in question.names):
        ranked = naming
    ranked = [one for one in ranked if one.names or not question.names or not cells(one.entry.quote)]
    mother, near = language_of(question.question), list[Evidence]()
    is_mixed = any(language_of(one.entry.quote) is mother for one in ranked)
    abroad = _NEAREST_ABROAD if is_mixed else _NEAREST
    for is_home, most, share in ((True, _NEAREST, _BESIDE), (False, abroad, _BESIDE_ABROAD)):
        own = [one for one in ranked if (language_of(one.entry.quote) is mother) is is_home]
        least = share * max((one.worth for one in ranked), default=0.0)
        near += [
            one.entry for one in own[:most] if one.worth >= max(least, _least(one, question, request, is_home=is_home))
        ]
    return near


def _of_place(
    near: Sequence[Evidence],
    pool: Sequence[Evidence],
    question: Asked,
    request: ReportRequest,
    meaning: Meaning | None,
) -> tuple[Evidence, ...]:
    """Return what comes nearest to what is asked of a place: lines by their labels, behind the best passage.

    What a short line says beside its label only disturbs, as each names places; and no passage is a figure.
    """
    if not _asks_lines(question, meaning):
        return tuple(near)
    found = _lines_near(range(len(question.attributes)), pool, question, request, meaning)
    first = [] if question.wants_amounts or question.wants_figure else near[:1]
    told = [entry for entry in first if (line := data_line_in(entry.quote)) and len(line.value) >= LONG]
    lines = {one.id: one for one in (*told, *(one for part in found.values() for one in part))}
    return tuple(lines.values()) or tuple(entry for entry in near if data_line_in(entry.quote) is None)


def _asks_lines(question: Asked, meaning: Meaning | None) -> bool:
    """Whether lines of data answer, by their labels: something is asked of a place that is no reason or overview."""
    return meaning is not None and not question.wants_prose and any(name.is_place for name in question.names)


def _lines_near(
    parts: Iterable[int], pool: Sequence[Evidence], question: Asked, request: ReportRequest, meaning: Meaning | None
) -> dict[int, list[Evidence]]:
    """Return the lines of data whose labels come nearest to each of several parts that are asked, the nearest first.

    A label is held against all of the pages, quoted or not.
    """
    lines, clauses = _lines_by_label(pool, question, request), question.clauses
    told = {label: f"{label}: {next(iter(own.values())).quote}" for label, own in lines.items() if own}
    found: dict[int, list[Evidence]] = {}
    for part in parts:
        attribute, wording = clauses[part]
        above = nearness(attribute, list(lines)[:_LABELS], meaning, wording, told)
        best = sorted((label for label in above if lines[label]), key=lambda label: -above[label])[:_NEAREST_LINES]
        least = max(_NEAR_LINE, _AS_NEAR_LINE * above[best[0]]) if best else 0.0
        found[part] = [one for label in best if above[label] >= least for one in lines[label].values()]
    return found


def _lines_by_label(
    pool: Sequence[Evidence], question: Asked, request: ReportRequest
) -> dict[str, dict[str, Evidence]]:
    """Return the quoted lines of data under each label of their pages, one of each subject; labels of quotes first."""
    lines: dict[str, dict[str, Evidence]] = {}
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    for source in {entry.source: None for entry in pool}:
        page = request.pages[source]
        for value in values_of(page.text):
            if not (value.is_row or value.is_note) and (value.is_amount or not question.wants_amounts):
                own = lines.setdefault(value.label, {})
                if entry := by_place.get((source, value.start, value.end)):
                    own.setdefault(value.subject or page.title, entry)
    return dict(sorted(lines.items(), key=lambda one: not one[1]))


def _least(one: Ranked, question: Asked, request: ReportRequest, *, is_home: bool) -> float:
    """Return the worth from which a passage is shown where nothing surely answers."""
    if one.names:
        return _NEAR_NAMING
    page = request.pages[one.entry.source]
    if _is_of_unnamed(page, question):
        return SPEAKS
    return _NEAR if is_home or page.kind is not SourceKind.DOCUMENT else _NEAR_ABROAD


def _is_of_unnamed(page: Page, question: Asked) -> bool:
    """Whether a page is of a country, and the question names none; documents of one's own may be on several."""
    is_of_place = page.kind is not SourceKind.DOCUMENT and bool(places_in(page.title))
    return is_of_place and not any(name.is_place for name in question.names)


def _apart(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with a blank one where a table begins or ends, as Markdown needs it."""
    before = ""
    for line in lines:
        if before and line and before.startswith("|") != line.startswith("|"):
            yield ""
        yield line
        before = line


def _since(
    used: Sequence[Evidence],
    cited: Sequence[CitedValue],
    pool: Sequence[Evidence],
    question: Asked,
    request: ReportRequest,
) -> list[Evidence]:
    """Return the line beside those shown that has a year, where it is asked since when and they have none."""
    shown = [one for one in cited if one.entry in used]
    if not question.wants_since or not shown or any(one.value.tells_year for one in shown):
        return []
    beside = {(one.entry.source, one.value.kind) for one in shown}
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool if entry not in used}
    return [
        entry
        for source, kind in beside
        for value in values_of(request.pages[source].text)
        if value.kind == kind and value.tells_year and (entry := by_place.get((source, value.start, value.end)))
    ][:1]


def _remarked_on(
    first: Sequence[Evidence], pool: Sequence[Evidence], request: ReportRequest, used: Sequence[Evidence]
) -> list[Evidence]:
    """Return passages with the line before each remark that it is made on: “Military service, note: women too”."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    found: list[Evidence] = []
    for entry in first:
        values = values_of(request.pages[entry.source].text)
        remark = next((one for one in values if one.is_note and (one.start, one.end) == (entry.start, entry.end)), None)
        lines = [one for one in values if remark and one.label == without_note(remark.label)]
        own = [line for one in lines if (line := by_place.get((entry.source, one.start, one.end)))]
        found += [one for one in [*own[:1], entry] if one not in found and one not in used]
    return found


_TOTAL = re.compile(r"[|\s]*(?:total|合計|小?計)\s*(?:[|:：]|$)", re.IGNORECASE)
"""A row of a table that does not say of what it is the sum."""


def _only_leads(quote: str) -> bool:
    """Whether a quote says nothing by itself: a remark on values, a line that leads to others, a total of a table."""
    is_total = is_table_row(quote) and _TOTAL.match(quote) is not None
    return is_total or is_remark(quote) or quote.rstrip().endswith((":", "："))


def _is_code(entry: Evidence, page: Page) -> bool:
    """Whether a long quote of a page in Japanese is not in it: a listing, or what a program printed."""
    is_long = len(entry.quote) > LONG and not entry.quote.startswith("|")
    is_english = language_of(entry.quote) is Language.EN
    return is_long and is_english and language_of(page.text) is Language.JA
