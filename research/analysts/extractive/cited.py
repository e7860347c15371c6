"""The values that surely answer: those found under the labels, columns and rows that mean what is asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from research.analysts.extractive.arithmetic import CitedValue, is_file_row, of_asked_length
from research.analysts.extractive.missing import unsaid
from research.analysts.extractive.passages import asks_for_advice, asks_for_decision, ranked_passages
from research.analysts.extractive.values import (
    COLUMN,
    DataColumn,
    ValueMatch,
    begins_with_asked,
    columns_meant,
    data_columns,
    is_count,
    is_within,
    lines_told,
    matches,
    ranks,
)
from research.analysts.protocol import ReportRequest
from research.core import Evidence
from research.gaps import Relevance, Subjects
from research.meaning import Meaning
from research.text import Asked, Operation, Value, counted_in, folded, is_table_row, values_of

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
_SHORT, LONG = 0.02, 80
"""What a value gains that is no prose, and characters from which it is prose."""
_FOREMOST = 3
"""Passages among which one is looked for that counts what is asked."""


def surely_cited(
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


def not_outdone(
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

    is_counted = counts is not None and any(counts.search(one.entry.quote) for one in ranked[:_FOREMOST])

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
