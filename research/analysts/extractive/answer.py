"""The answer that a report begins with: values asked for, what follows from them, the nearest passages, the gaps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from research.analysts.extractive.arithmetic import CitedValue, asks_for_months, is_file_row, of_asked_length
from research.analysts.extractive.computed import (
    inside,
    told_of_all,
    value_lines,
)
from research.analysts.extractive.digests import Digest, digest_of, documents_told, may_be_told
from research.analysts.extractive.passages import (
    Found,
    Ranked,
    answer_together,
    asks_for_advice,
    asks_for_decision,
    asks_who_was_there,
    led_to,
    ranked_passages,
    shown_passages,
)
from research.analysts.extractive.queries import row_lines, rows_asked
from research.analysts.extractive.quotes import allowed_of, quoted, said_by, titled
from research.analysts.extractive.statements import measure_lines
from research.analysts.extractive.values import (
    COLUMN,
    RATE,
    DataColumn,
    ValueMatch,
    begins_with_asked,
    columns_meant,
    data_columns,
    is_count,
    is_within,
    lines_told,
    matches,
    month_of,
    nearness,
    ranks,
)
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, Subjects, as_documents_know, is_excluded, said_shares, says
from research.language import Bilingual, Language, Phrase
from research.meaning import Meaning
from research.text import (
    Asked,
    Name,
    Operation,
    Value,
    asked_concepts,
    cells,
    columns,
    counted_in,
    data_line_in,
    escape_markdown,
    folded,
    is_amount,
    is_remark,
    is_table_row,
    language_of,
    places_in,
    question_parts,
    says_who_was_there,
    tokens,
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
_SPEAKS = 1.0
"""Worth from which a passage surely speaks of what is asked. Of 30 questions of JSQuAD 29 have such a passage among
their own, 15 where the one that answers is taken away; of 28 of HotpotQA that are answered, 26."""
_BORNE_OUT = 2
"""Passages that stand beside what was added up of the rows of a file, at most; one where somebody is named."""
_SPEAKS_OF_SEVERAL = 0.9
"""The same of one of several things that are asked: each passage says a part."""
_SPEAKS_NAMING_ALL = 0.6
"""The same of one that names all of several that are asked for, one of whom its page is not titled by."""
_SPEAKS_ABROAD, _SPEAKS_ABROAD_NAMING = 0.85, 0.55
"""The same of one in the other language, and of one there that names somebody asked for: of eleven that were best for
questions of `bench.answers` and others on the house documents, the five from .91 on answered, four of the six below .8
did not. Of those that name somebody, right ones lie from .59 on."""
_OUTDONE = 0.25
"""How much less a table may be worth than the best passage: of 17 tables that answered questions of three sets, those
that did not hold the answer lay .3 and more below it, those that did at most .2, or the passages held it as well."""
_NO_COUNT = re.compile(r"%|\d\.\d")
"""What does not tell how many there are, where a passage does: a share, or square feet in millions."""
_OF_MONEY = re.compile(
    r"\b(?:sales|revenues?|income|profit|earnings|costs?|expenses?)\b|売上|収益|利益|費用", re.IGNORECASE
)
"""What a row is called that does not tell it either."""
_BELOW = 0.1
"""How much less a table may be worth than the nearest for its rows to be shown as well."""
_AS_NEAR = 0.008
"""How far below the nearest column of a data file another may lie to be meant as well."""
_TELLING = 60
"""Columns of what is asked that are said again where nothing surely speaks of it; a longer text is the question."""
_SHORT, _LONG = 0.02, 80
"""What a value gains that is no prose, and characters from which it is prose."""

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
_NEAR_TO = Phrase("Nothing was found that surely speaks of “{attribute}”{who}. What comes nearest:")
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
    sure = _not_outdone(_surely_cited(request, pool, subjects, meaning), pool, subjects, request, relevance)
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
    first = list(_in_time([*_rows_together(_remarked_on(first, pool, request, used))], question, request))
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
        sure = (one.entry for one in ranked[:at_most] if one.worth >= _SPEAKS)
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
    is_untold = _is_unspoken(question, subjects, request, ranked) or _is_untold(
        question, subjects, request, ranked, relevance
    )
    if not first or (is_untold and not ranked[0].names_all):
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
    least = _SPEAKS if len(question.attributes) == 1 else _SPEAKS_OF_SEVERAL
    if is_foreign and not _is_of_unnamed(page, question):
        least = _SPEAKS_ABROAD_NAMING if best.names else _SPEAKS_ABROAD
    if best.names_all:
        least = min(least, _SPEAKS_NAMING_ALL)
    is_titled = any(max(said_shares(attribute, [page.title])) >= _SAID for attribute in question.attributes)
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
        return AnsweredByRule((unsure.in_(request.brief.language),), (), _in_time(near, question, request), tuple(pool))
    en, ja = [name.en for name in subjects.missing], [name.ja for name in subjects.missing]
    asked = [f"“{one}”" for one in question.told]
    return AnsweredByRule((absent([*en, *asked], [*ja, *question.told], request),), (), (), ())


def _in_time(entries: Sequence[Evidence], question: Asked, request: ReportRequest) -> tuple[Evidence, ...]:
    """Return quotes as they are told: of a change, the earlier document first, if all have dates."""
    dates = {entry.id: request.pages[entry.source].published for entry in entries}
    if question.operation is not Operation.CHANGE or None in dates.values():
        return tuple(entries)
    return tuple(sorted(entries, key=lambda entry: str(dates[entry.id])))


def _rows_together(entries: Sequence[Evidence]) -> Iterator[Evidence]:
    """Yield quotes with the rows of tables of one page together, in its order, where the first of them stands."""
    rows: dict[str, list[Evidence]] = {}
    for entry in sorted(filter(lambda one: is_table_row(one.quote), entries), key=lambda one: one.start):
        rows.setdefault(entry.source, []).append(entry)
    for entry in entries:
        yield from rows.pop(entry.source, ()) if is_table_row(entry.quote) else (entry,)


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
    told = [entry for entry in first if (line := data_line_in(entry.quote)) and len(line.value) >= _LONG]
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
        return _SPEAKS
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


# --- values ----------------------------------------------------------------------------------------------------


def _surely_cited(
    request: ReportRequest, pool: Sequence[Evidence], subjects: Subjects, meaning: Meaning | None
) -> list[CitedValue]:
    """Return the values that surely answer, of the time that is asked for, each with its quote; none gives advice."""
    question = subjects.asked
    if asks_for_advice(question.question):
        return []
    cited = of_asked_length(_timely(_sure(_cited(request, pool, subjects, meaning), question), question), question)
    nowhere = set(unsaid(question, request.read or request.pages.values()))
    sure = {one.value for one in cited if one.match.shared or not _is_of_unsaid(one, question, nowhere)}
    return [one for one in cited if one.value in sure]


def _cited(
    request: ReportRequest, pool: Sequence[Evidence], subjects: Subjects, meaning: Meaning | None
) -> list[CitedValue]:
    """Return the values that stand in quotes and answer, each with its quote."""
    question = subjects.asked
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    by_text = {(entry.source, entry.quote): entry for entry in pool}  # A row may stand on a page twice.
    found = []
    for source in {entry.source: None for entry in pool}:
        for match in matches(request.pages[source], question, meaning):
            start, end = match.value.start, match.value.end
            entry = by_place.get((source, start, end)) or by_text.get((source, request.pages[source].text[start:end]))
            if entry is not None and match.is_near and not match.value.is_note:
                found.append(CitedValue(match, entry))
    found = _of_nearest_tables(_of_nearest_columns(found, request, question, meaning), subjects, request)
    told = list(_found_to_answer(pool, request, question))
    if question.is_rank_of_all:
        # Of all there are, those of one label are put in order: whoever found them knows which is meant.
        found = [*(one for one in found if one.value.is_row), *(one for one in told if one.value.number is not None)]
    else:
        said = {one.match.attribute for one in found if one.match.is_said}
        found += [one for one in told if one.match.attribute not in said]
    ranked = []
    for index, (attribute, wording) in enumerate(zip(question.attributes, question.wordings, strict=True)):
        own = [one for one in found if one.match.attribute == index]
        labels = dict.fromkeys(one.value.label for one in own if not is_file_row(one))
        among = ranks(attribute, list(labels), meaning, wording, lines_told(one.value for one in own))
        of_files = {one.value.label for one in own if is_file_row(one)}
        among |= dict.fromkeys(of_files, max(among.values(), default=0.0))
        for one in own:
            is_short = not one.value.is_prose or (question.wants_items_of(index) and not one.value.is_amount)
            rank = among[one.value.label] + (_SHORT if is_short else 0.0)
            ranked.append(CitedValue(replace(one.match, rank=rank), one.entry))
    return ranked


def _of_nearest_tables(cited: Sequence[CitedValue], subjects: Subjects, request: ReportRequest) -> list[CitedValue]:
    """Return the values without rows of tables that come less near than others, or stand on pages on somebody else.

    Of several that are asked about each may have a table of its own.
    """
    rows = [one for one in cited if one.match.worth]
    about = {
        source: [name.en for name in subjects.of(page) if not name.is_place] for source, page in request.pages.items()
    }
    if any(about.values()):
        rows = [one for one in rows if about[one.entry.source]]
    best: dict[str, float] = {}
    whose = [next(iter(about[one.entry.source]), "") for one in rows]
    for one, who in zip(rows, whose, strict=True):
        best[who] = max(best.get(who, 0.0), one.match.worth)
    kept = [one for one, who in zip(rows, whose, strict=True) if one.match.worth >= best[who] - _BELOW]
    return [one for one in cited if not one.match.worth or one in kept]


def _not_outdone(
    cited: Sequence[CitedValue],
    pool: Sequence[Evidence],
    subjects: Subjects,
    request: ReportRequest,
    relevance: Relevance,
) -> list[CitedValue]:
    """Return the values without rows of tables that a passage outdoes by far: they only share its words.

    It does as well where it names somebody whose no page is, as the question does, and the rows do not.
    """
    counts = counted_in(subjects.asked.question)
    rows = {one.entry.id for one in cited if one.match.worth or (counts and one.value.is_row and not is_file_row(one))}
    if not rows:
        return list(cited)
    others = [entry for entry in pool if entry.id not in rows and not is_table_row(entry.quote)]
    ranked = ranked_passages(others, subjects.asked, subjects, request, relevance)
    best = ranked[0].worth if ranked else 0.0
    titling = {name for page in request.pages.values() for name in subjects.of(page)}
    beside = [name for name in subjects.names if name not in titling and not name.is_place]
    is_named = bool(beside and ranked) and all(name.stands_in(folded(ranked[0].entry.quote)) for name in beside)

    is_counted = counts is not None and any(counts.search(one.entry.quote) for one in ranked[:_FURTHER])

    def is_kept(one: CitedValue) -> bool:
        said = folded(f"{one.value.label} {one.entry.quote}")
        is_other = is_counted and (_NO_COUNT.search(one.value.text) or _OF_MONEY.search(one.value.label))
        if one.entry.id in rows and is_other:
            return False
        may_be = not is_named or all(name.stands_in(said) for name in beside)
        return not one.match.worth or (may_be and one.match.worth >= best - _OUTDONE)

    return list(filter(is_kept, cited))


def _found_to_answer(pool: Sequence[Evidence], request: ReportRequest, question: Asked) -> Iterator[CitedValue]:
    """Yield the values of lines that were found to answer when their page was read."""
    for entry in pool:
        for value in values_of(request.pages[entry.source].text) if entry.answers else ():
            if (value.start, value.end) == (entry.start, entry.end) and not value.is_row:
                for point in set(question.points).intersection(entry.answers):
                    yield CitedValue(ValueMatch(value, question.points.index(point), 1.0, 1.0), entry)


def _of_nearest_columns(
    cited: Sequence[CitedValue], request: ReportRequest, question: Asked, meaning: Meaning | None
) -> list[CitedValue]:
    """Return the values without those of data files whose column is not meant: another comes nearer, or none does."""
    columns: dict[Value, DataColumn] = {}
    for source in {one.entry.source for one in cited if is_file_row(one)}:
        rows = [one.value for one in cited if one.entry.source == source and is_file_row(one)]
        columns |= data_columns(list(dict.fromkeys(rows)), request.pages[source].title)
    meant = []
    for worth in columns_meant(question, list(dict.fromkeys(columns.values())), meaning):
        best = max(worth.values(), default=0.0)
        meant.append({column for column, own in worth.items() if own >= max(COLUMN, best - _AS_NEAR)})
    return [one for one in cited if not is_file_row(one) or columns[one.value] in meant[one.match.attribute]]


def _timely(cited: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values without rows of the years next to those asked for, where another row is of those.

    Of several names each may have its own years.
    """
    rows = [one for one in cited if one.value.is_row and one.value.year]
    if len(question.names) > 1 or not any(is_within(one.value, question) for one in rows):
        return list(cited)
    return [one for one in cited if one not in rows or is_within(one.value, question)]


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
    is_long = len(entry.quote) > _LONG and not entry.quote.startswith("|")
    is_english = language_of(entry.quote) is Language.EN
    return is_long and is_english and language_of(page.text) is Language.JA


def _is_of_unsaid(one: CitedValue, question: Asked, nowhere: Collection[str]) -> bool:
    """Whether a row was taken for what is asked as it has no other figure, though no page has a word of that."""
    asked = folded(question.attributes[one.match.attribute])
    is_guessed = one.value.is_row and not is_count(question.wordings[one.match.attribute], one.value.label)
    return is_guessed and any(word in asked for word in nowhere)


def _sure(cited: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of attributes that a label surely says: it shares their words, or lies well above others."""
    if question.is_wide_open:  # The history of an anthem is no background of a country.
        asked = question.attributes
        return [
            one
            for one in cited
            if one.match.is_shared and begins_with_asked(asked[one.match.attribute], one.value.label)
        ]
    is_told = question.operation is Operation.REASON or asks_for_decision(question.question)
    if is_told and not question.wants_figure:
        return []  # No value is a reason, or a decision.
    if question.wants_prose:
        return list(cited)
    kept: list[CitedValue] = []
    for index in range(len(question.attributes)):
        own = [one for one in cited if one.match.attribute == index]
        if question.wants_items_of(index) and any(one.match.is_said and not one.value.is_amount for one in own):
            own = [one for one in own if not one.value.is_amount]
        if any(one.match.is_said for one in own):
            kept += own
    return kept


# --- what is missing ------------------------------------------------------------------------------------------

_SAID, _SAID_ABROAD = 0.8, 0.75
"""Relevance from which what is asked is in the sources, whatever words they use; in the other language there are none
in common."""
_NOTHING = 0.2
"""Relevance below which nothing that was read has to do with the question."""
_SPOKEN = 0.1
"""Share of the question's words that a passage has beyond those that no page has, for its subject to be there. Of
questions from JaQuAD and JSQuAD asked of other articles one in nine has as much, of those asked of their own all."""
_LOOKED_AT = 200_000
"""Characters of a page in which the words of a question are looked for."""


def absent(en: Sequence[str], ja: Sequence[str], request: ReportRequest) -> str:
    """Return the line that says that no page speaks of these, named in either language."""
    if not (request.read or request.pages):
        return Bilingual(
            f"Nothing was found on {listed(en).en}: no page was read.",
            f"{listed(ja).ja}についての記述は見つかりませんでした。ページを1件も読めていません。",
        ).in_(request.brief.language)
    return Bilingual(
        f"Nothing was found on {listed(en).en}: no page that was read speaks of it.",
        f"{listed(ja).ja}についての記述は、読んだページからは見つかりませんでした。",
    ).in_(request.brief.language)


def listed(words: Sequence[str]) -> Bilingual:
    """Return words as each language lists them, as Markdown."""
    return Bilingual(escape_markdown(", ".join(words)), escape_markdown("、".join(words)))


def _named(names: Sequence[Name]) -> Bilingual:
    """Return names as each language writes and lists them, as Markdown."""
    return Bilingual(listed([name.en for name in names]).en, listed([name.ja for name in names]).ja)


def other_years(question: Asked, shown: Sequence[CitedValue]) -> Iterator[Bilingual]:
    """Yield that the years asked for are not there, where those next to them are shown."""
    told = {one.value.year for one in shown if one.value.is_row and one.value.year}
    if told and question.years and not any(question.is_in_years(year) for year in told):
        years = ", ".join(question.years)
        yield Phrase("Nothing was found for {years}; the nearest years stand above.").filled(years=years)


def gaps(
    question: Asked,
    subjects: Subjects,
    unfound: Sequence[int],
    nearest: Mapping[int, Sequence[Evidence]],
    request: ReportRequest,
) -> Iterator[str]:
    """Yield lines on what is asked and was not found: names, and attributes of those that are named.

    After an attribute come the lines of data that are `nearest` to it, if any are.
    """
    language = request.brief.language
    if subjects.missing:
        yield Phrase("Nothing was found on {names}.").filled(names=_named(subjects.missing)).in_(language)
    who = Bilingual("", "")
    if subjects.names:
        named = _named(subjects.names)
        who = Bilingual(f" ({named.en})", f"（{named.ja}）")
    for part in unfound:
        told, near = escape_markdown(question.told[part]), nearest.get(part, ())
        if is_excluded(question.attributes[part], request.brief):
            yield Phrase("Left out, as the brief excludes it: {attribute}.").filled(attribute=told).in_(language)
            continue
        said = _NEAR_TO if near else Phrase("Nothing was found on “{attribute}”{who}.")
        yield said.filled(attribute=told, who=who).in_(language)
        yield from (quoted(entry, request.pages[entry.source], language) for entry in near)


def unfound(
    question: Asked,
    answered: Collection[int],
    ranked: Sequence[Ranked],
    request: ReportRequest,
    relevance: Relevance,
) -> Iterator[int]:
    """Yield the attributes that no value answers and of which no passage speaks, or whose words no page uses."""
    is_told = question.wants_prose or asks_for_decision(question.question)
    wants_values = any(name.is_place for name in question.names) and not is_told
    untold = set(_untold(question, ranked, request, relevance, only_unsaid=not wants_values))
    for index, attribute in enumerate(question.attributes):
        is_untold = index in untold or (wants_values and RATE.search(attribute))
        if index not in answered and (is_untold or is_excluded(attribute, request.brief)):
            yield index


def is_absent(
    question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked], relevance: Relevance
) -> bool:
    """Whether nothing comes near to what is asked; by words alone also if hardly one of it stands in what does."""
    if _is_titled(subjects, request):
        return False
    return ranked[0].worth < _NOTHING or (
        not relevance.is_by_meaning and _is_unspoken(question, subjects, request, ranked)
    )


def _is_unspoken(question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked]) -> bool:
    """Whether hardly a word of the question stands in what comes nearest, which surely speaks of nothing."""
    is_known = question.operation is Operation.OPEN or len(subjects.missing) < len(subjects.names)
    is_told = is_known or ranked[0].worth >= _SPEAKS or _is_titled(subjects, request)
    return not is_told and _spoken(question, request, ranked) < _SPOKEN


def _is_untold(
    question: Asked, subjects: Subjects, request: ReportRequest, ranked: Sequence[Ranked], relevance: Relevance
) -> bool:
    """Whether all that is asked has words that no page uses, and nothing says the same in others."""
    told = _untold(question, ranked, request, relevance, only_unsaid=True)
    return not _is_titled(subjects, request) and len(list(told)) == len(question.attributes)


def _is_titled(subjects: Subjects, request: ReportRequest) -> bool:
    """Whether a page has somebody asked for in its title."""
    own = [name for name in subjects.names if not name.is_place]
    return any(name.stands_in(folded(page.title)) for page in request.pages.values() for name in own)


def _untold(
    question: Asked, ranked: Sequence[Ranked], request: ReportRequest, relevance: Relevance, *, only_unsaid: bool
) -> Iterator[int]:
    """Yield the attributes of which no passage speaks; `only_unsaid` those with a word that no page uses."""
    nowhere = set(unsaid(question, request.pages.values()))
    said = [said_by(one.entry, request.pages) for one in ranked]
    titles = [request.pages[one.entry.source].title for one in ranked]
    mother = language_of(question.question)
    enough = [_SAID if language_of(one.entry.quote) is mother else _SAID_ABROAD for one in ranked]
    for index, (attribute, wording) in enumerate(zip(question.attributes, question.wordings, strict=True)):
        if not only_unsaid or any(one in folded(attribute) for one in nowhere):
            near = relevance.of(wording, said, words=attribute, titles=titles)
            if not any(one >= least for one, least in zip(near, enough, strict=True)):
                yield index


def _spoken(question: Asked, request: ReportRequest, ranked: Sequence[Ranked]) -> float:
    """Return which share of the question's words the passage has that has most, less the share that no page has.

    It is 1 where a page is in another language: it has other words.
    """
    language = language_of(question.question)
    if any(language_of(page.text) is not language for page in request.pages.values()):
        return 1.0
    passages = [f"{request.pages[one.entry.source].title} {said_by(one.entry, request.pages)}" for one in ranked]
    if len(question.attributes) > 1 and any(
        max(said_shares(attribute, passages)) >= _SAID for attribute in question.attributes
    ):
        return 1.0  # One of the things that are asked is there.
    best = max(said_shares(question.question, passages))
    (known,) = said_shares(question.question, [" ".join(_words_of(request.pages.values()))])
    return best - (1 - known)


def unsaid(question: Asked, pages: Collection[Page]) -> Iterator[str]:
    """Yield the words of the question that no page uses: its subject may be missing.

    Pages in another language may have a word for it that the dictionary does not know.
    """
    language = language_of(question.question)
    texts = [page.text for page in pages]
    is_mixed = any(language_of(text) is not language for text in texts)
    things = [one for one in asked_concepts(" ".join(question.attributes)) if not one.is_period]
    things = [one for one in things if one.related or not is_mixed]
    words = _words_of(pages)
    yield from (folded(one.label) for one in things if " " not in one.label and says(one, words) == 0)


def _words_of(pages: Collection[Page]) -> frozenset[str]:
    """Return the words of all pages and their titles."""
    said: set[str] = set()
    for page in pages:
        said.update(tokens(page.text[:_LOOKED_AT]))
        said.update(tokens(page.title.replace("-", " ").replace("_", " ")))
    return frozenset(said)
