"""The answer that a report begins with: values asked for, what follows from them, the nearest passages, the gaps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from research.analysts.extractive.answered_values import CitedValue, value_lines
from research.analysts.extractive.filling import matches, ranks
from research.analysts.extractive.leading import best_of_named, led_to, naming
from research.analysts.extractive.listing import inside, told_of_all
from research.analysts.extractive.missing import absent, gaps, is_absent, listed, other_years, unfound, unsaid
from research.analysts.extractive.quoting import allowed_of, quoted, said_by, titled
from research.analysts.extractive.subjects import Subjects
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, word_shares
from research.language import Language, Phrase
from research.meaning import Meaning
from research.quantities import figures
from research.text import (
    MONTHS,
    Asked,
    Name,
    Operation,
    data_line_in,
    folded,
    heading_of,
    is_remark,
    language_of,
    question_parts,
    tokens,
    values_of,
)

_PASSAGES, _FURTHER = 3, 2
"""Passages that an answer has where no value answers, and those that stand below it."""
_SAYS, _SURE = 0.55, 0.07
"""What a label has to share with what is asked, or how far above its page's average it has to lie, to answer for it."""
_NEAR = 0.85
"""Share of the best passage's relevance that another needs to stand beside it. On JaQuAD and JSQuAD 57% and 64% of what
is then shown belong to the answer, 46% at .8, which holds one or two more answers of forty; on HotpotQA, whose passages
mislead, three of four do at both."""
_CLOSE = 0.9
"""The same of one that stands below the answer."""
_PART = 0.8
"""What a passage on one of several things asked is worth beside one on the question as a whole."""
_TOP = 1.0
"""What counts as the best where several things are asked: a passage on one of them says little of the others."""
_LEAST = 0.7
"""Relevance from which a passage is shown at all."""
_FOREIGN = 0.5
"""The same of a passage in the other language, which shares no words with the question but by the dictionary."""
_ABROAD = 0.7
"""Share of the best passage in the language of the question that one in the other needs."""
_BESIDE = 2
"""Passages in the other language that stand in the answer beside those in the question's."""
_TIMELY = 0.35
"""What a passage gains on a page, or under a heading, of the month asked for."""
_NAMELESS = 0.8
"""What a passage loses that is about nobody of those asked for, where few are. On HotpotQA eight of ten passages shown
then belong to the answer, where six did; on MuSiQue five, where four did."""
_COMPUTED = (Operation.COMPARE, Operation.RANK, Operation.ADD, Operation.RATIO, Operation.CHANGE)
_WITHOUT_FIGURE = 0.8
"""What a passage without a figure is worth where a number is asked for: a year is none."""
_ASIDE = 0.7
"""What a passage is worth on a page about others that only names somebody asked for, where pages are about them."""
_TERSE = 0.7
"""What a bare value is worth where a reason or an overview is asked for."""
_LEFT_OVER = 0.8
"""The same of a figure that was not found to be what is asked."""
_BARE = re.compile(r"[-+$€£¥]?\s?\d")
_REASON = 1.25
"""What a passage gains that gives a reason where one is asked for. Of JSQuAD's and JaQuAD's sentences that answer such
questions 66% have one of these words, of those around them 31%."""
_REASONED = re.compile(r"ため|から、|ので|によって|により|せいで|理由|原因|ことで|きっかけ|恐れ|防ぐ")
_STATES = re.compile(r"\b[a-z]{2,}|[^\x00-\x7f–—’“”]|[:|]")
"""A word without a capital, or the mark of a value or a row: every statement in English has one, a byline none."""
_SAME = 0.8
"""Share of a passage's words that another holds, from which it only repeats it."""
_ASKING = 0.5
"""What a passage that asks itself is worth."""
_DIGIT = re.compile(r"\d")
_HEAD = 2_000
"""Characters by which the language of a page is told."""
_FIGURE, _LONG = 0.02, 80
"""What a value gains that is a figure and no prose, and characters from which it is prose."""


_NO_ANSWER = Phrase("Nothing that was read answers this. These pages come nearest: {titles}.")


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
    question = question_parts(request.brief.question)
    subjects = Subjects(question, request.pages.values())
    # By where they stand, not by when they were found: the same sources give the same answer again.
    kept = sorted(
        allowed_of(tuple(request.evidence.values()), request.brief),
        key=lambda entry: (request.pages[entry.source].url, entry.start),
    )
    pool = [entry for entry in kept if subjects.are_meant(request.pages[entry.source], said_by(entry, request.pages))]
    pool = inside(pool, question, request)
    missing = frozenset(subjects.missing)
    if missing and (missing.issuperset(subjects.names) or missing.issuperset(subjects.places or subjects.names)):
        en, ja = [name.en for name in subjects.missing], [name.ja for name in subjects.missing]
        return AnsweredByRule((absent(en, ja, request),), (), (), ())
    if told := told_of_all(pool, question, request):
        return AnsweredByRule(told.lines, told.shown, (), tuple(pool))
    cited = _sure(_cited(request, pool, question, meaning), question)
    if nowhere := set(unsaid(question, request.read or request.pages.values())):
        cited = [one for one in cited if one.match.shared or not _is_of_unsaid(one, question, nowhere)]
    values = list(value_lines(cited, question, request))
    said = "\n".join(values)
    used = [entry for entry in pool if f"[{entry.id}]" in said]
    known = {one.value.label for one in cited if one.entry in used}
    others = {one.entry.id for one in cited if one.value.is_row or one.value.label in known}  # Other years, say.
    rest = [one for one in pool if one not in used and one.id not in others and not is_remark(one.quote)]
    rest = [one for one in rest if not _is_bare_row(one, question) and _STATES.search(one.quote)]
    rest = [one for one in rest if not _is_code(one, request.pages[one.source])]
    ranked, leaders = _ranked(rest, question, subjects, request, relevance)
    answered = len({one.match.attribute for one in cited}) if values else 0
    first, further = _parted(ranked, leaders, question, subjects, request, answered=answered)
    if not values and (not ranked or is_absent(question, subjects, request, ranked, relevance)):
        return AnsweredByRule((absent(question.attributes, question.attributes, request),), (), (), ())
    if not values and not first:
        return AnsweredByRule((_nearest_pages(ranked, question, subjects, request),), (), (), ())
    lacking = list(unfound(question, cited, ranked, request, relevance))
    missed = [
        *other_years(question, [one for one in cited if one.entry in used]),
        *gaps(question, subjects, lacking, request),
    ]
    lacks = [f"- {gap.in_(request.brief.language)}" for gap in missed]
    if not values and len(lacking) == len(question.attributes):
        return AnsweredByRule(tuple(lacks), (), tuple(first), tuple(pool))
    quotes = [f"- {quoted(entry, request.pages[entry.source], request.brief.language)}" for entry in first]
    led = () if values else led_to(question, [entry for entry, _ in ranked], request.pages, relevance)
    led = tuple(entry for entry in led if entry not in first)
    quotes += [f"- {titled(entry, request.pages, request.brief.language)}" for entry in led]
    lines = [*values, *quotes, *lacks] if values or quotes else lacks
    further = [entry for entry in further if entry not in led]
    return AnsweredByRule(tuple(_apart(lines)), (*used, *first, *led), tuple(further), tuple(pool))


def _nearest_pages(
    ranked: Sequence[tuple[Evidence, float]], question: Asked, subjects: Subjects, request: ReportRequest
) -> str:
    """Say that nothing answers, and which documents of one's own, or pages on somebody asked for, come nearest."""
    pages = [request.pages[entry.source] for entry, _ in ranked[:_PASSAGES]]
    titles = dict.fromkeys(one.title for one in pages if one.kind is SourceKind.DOCUMENT or subjects.of(one))
    if titles:
        return _NO_ANSWER.filled(titles=listed(list(titles))).in_(request.brief.language)
    en, ja = [name.en for name in subjects.names], [name.ja for name in subjects.names]
    return absent([*en, *question.attributes], [*ja, *question.attributes], request)


def _apart(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines with a blank one where a table begins or ends, as Markdown needs it."""
    before = ""
    for line in lines:
        if before and line and before.startswith("|") != line.startswith("|"):
            yield ""
        yield line
        before = line


# --- values ----------------------------------------------------------------------------------------------------


def _cited(
    request: ReportRequest, pool: Sequence[Evidence], question: Asked, meaning: Meaning | None
) -> list[CitedValue]:
    """Return the values that stand in quotes and answer, each with its quote."""
    by_place = {(entry.source, entry.start, entry.end): entry for entry in pool}
    by_text = {(entry.source, entry.quote): entry for entry in pool}  # A row may stand on a page twice.
    found = []
    for source in {entry.source: None for entry in pool}:
        for match in matches(request.pages[source], question, meaning):
            start, end = match.value.start, match.value.end
            entry = by_place.get((source, start, end)) or by_text.get((source, request.pages[source].text[start:end]))
            if entry is not None and match.is_near and not match.value.is_note:
                found.append(CitedValue(match, entry))
    ranked = []
    for index, (attribute, wording) in enumerate(zip(question.attributes, question.wordings, strict=True)):
        own = [one for one in found if one.match.attribute == index]
        among = ranks(attribute, list(dict.fromkeys(one.value.label for one in own)), meaning, wording)
        for one in own:
            rank = among[one.value.label] + (_FIGURE if len(one.value.text) < _LONG else 0.0)
            ranked.append(CitedValue(replace(one.match, rank=rank), one.entry))
    return ranked


def _is_bare_row(entry: Evidence, question: Asked) -> bool:
    """Whether a quote is a row of a table or data file that says nothing of what is asked, but perhaps of whom."""
    is_cells = question.wants_prose and entry.quote.startswith("|")
    is_row = is_cells or any(value.is_row for value in values_of(entry.quote) if ";" in entry.quote)
    return is_row and not any(word_shares(asked, [entry.quote])[0] for asked in question.attributes)


def _is_code(entry: Evidence, page: Page) -> bool:
    """Whether a long quote of a page in Japanese is not in it: a listing, or what a program printed."""
    is_long = len(entry.quote) > _LONG and not entry.quote.startswith("|")
    is_english = language_of(entry.quote) is Language.EN
    return is_long and is_english and language_of(page.text[:_HEAD]) is Language.JA


def _is_of_unsaid(one: CitedValue, question: Asked, nowhere: Collection[str]) -> bool:
    """Whether a row was taken for what is asked as it has no other figure, though no page has a word of that."""
    asked = folded(question.attributes[one.match.attribute])
    return one.value.is_row and any(word in asked for word in nowhere)


def _sure(cited: Sequence[CitedValue], question: Asked) -> list[CitedValue]:
    """Return the values of attributes that a label surely says: it shares their words, or lies well above others."""
    if question.is_wide_open:
        return [one for one in cited if one.match.shared >= _SAYS]
    if question.wants_prose:
        return list(cited)
    kept: list[CitedValue] = []
    for index in range(len(question.attributes)):
        own = [one for one in cited if one.match.attribute == index]
        if any(one.match.shared >= _SAYS or one.match.score >= _SURE for one in own):
            kept += own
    return kept


# --- passages --------------------------------------------------------------------------------------------------


def _ranked(
    entries: Sequence[Evidence], question: Asked, subjects: Subjects, request: ReportRequest, relevance: Relevance
) -> tuple[list[tuple[Evidence, float]], list[Evidence]]:
    """Return quotes by how near they come to the question, each thing said once, and the best on each thing asked."""
    said = [said_by(entry, request.pages) for entry in entries]
    titles = [request.pages[entry.source].title for entry in entries]
    whole = relevance.of(question.question, said, titles=titles)
    named = relevance.of(question.question, said, words=" ".join(question.attributes), titles=titles)
    near = together = list(map(max, whole, named))
    is_told = any(map(subjects.of, request.pages.values()))
    fits = [_fitness(entry, question, request.pages[entry.source], subjects, is_told=is_told) for entry in entries]
    leaders: set[int] = set()
    if len(question.attributes) > 1:
        for wording, attribute in zip(question.wordings, question.attributes, strict=True):
            alone = relevance.of(wording, said, words=attribute, titles=titles)
            near = [max(all_of_it, _PART * part) for all_of_it, part in zip(near, alone, strict=True)]
            joint = [(part + all_of_it) * fit for part, all_of_it, fit in zip(alone, together, fits, strict=True)]
            if joint and max(joint) >= 2 * _LEAST:
                leaders.add(joint.index(max(joint)))
    about = naming(entries, subjects, request.pages)
    most = max(about, default=0.0)
    worth = [
        one * fit + _TIMELY * _is_of_month(entry, request, question) - _NAMELESS * (most - own)
        for one, fit, entry, own in zip(near, fits, entries, about, strict=True)
    ]
    ranked = sorted(zip(entries, worth, strict=True), key=lambda pair: -pair[1])
    # What the question names may be told in other words than it asks in.
    least = max(_LEAST, _NEAR * max(worth, default=0.0))
    of_asked = best_of_named(question, [entry for entry, _ in ranked], request.pages).values()
    raised = [(entry, max(share, least) if entry in of_asked else share) for entry, share in ranked]
    ranked = sorted(raised, key=lambda pair: -pair[1])
    kept: list[tuple[Evidence, float]] = []
    words: list[frozenset[str]] = []
    for entry, share in ranked:
        own = frozenset(tokens(entry.quote))
        if own and not any(_says_nothing_new(own, other) for other in words):
            kept.append((entry, share))
            words.append(own)
    return kept, [entries[index] for index in sorted(leaders)]


def _says_nothing_new(own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a passage with these tokens holds no figure, and hardly a word, that another does not."""
    return len(own & other) >= _SAME * len(own) and not any(_DIGIT.search(word) for word in own - other)


def _fitness(entry: Evidence, question: Asked, page: Page, subjects: Subjects, *, is_told: bool) -> float:
    """Return what a passage is worth by its form and by whom its page is about, from 0 to 1."""
    fitness = 1.0
    # Documents of one's own seldom say whom they are about.
    if is_told and page.kind is not SourceKind.DOCUMENT and not subjects.of(page):
        fitness *= _ASIDE
    if question.wants_figure and not figures(entry.quote):
        fitness *= _WITHOUT_FIGURE
    line = data_line_in(entry.quote)
    if line is not None and len(line.value) < _LONG:
        fitness *= _TERSE if question.wants_prose else _LEFT_OVER ** bool(_BARE.match(line.value))
    if question.operation is Operation.REASON and _REASONED.search(entry.quote):
        fitness *= _REASON
    return fitness * (_ASKING if entry.quote.rstrip().endswith(("?", "？")) else 1.0)


def _is_of_month(entry: Evidence, request: ReportRequest, question: Asked) -> bool:
    """Whether a quote stands on a page, or under a heading, of one of the months asked for."""
    page = request.pages[entry.source]
    dated = f"{page.published or ''} {page.title} {page.url} {heading_of(page.text, entry.start)}"
    return any(month in dated for one in question.months for month in _written(one))


def _written(month: str) -> tuple[str, ...]:
    """Return a month (`2025-04`) in the ways in which a title or a heading says it."""
    year, number = month.split("-")
    name = MONTHS[int(number) - 1].title()
    return month, f"{year}年{int(number)}月", f"{name} {year}", f"{name[:3]} {year}"


def _parted(
    ranked: Sequence[tuple[Evidence, float]],
    leaders: Sequence[Evidence],
    question: Asked,
    subjects: Subjects,
    request: ReportRequest,
    *,
    answered: int,
) -> tuple[list[Evidence], list[Evidence]]:
    """Return what stands in the answer and what stands below it; beside values little else is needed."""
    mother = language_of(question.question)
    ranked = _naming_as_much(ranked, mother, question, subjects, request)
    share_of = {entry.id: share for entry, share in ranked}
    is_split = len(leaders) > 1 or (bool(leaders) and question.operation is Operation.COMPARE)
    best: dict[Language, float] = {}
    for entry, share in ranked:
        best.setdefault(language_of(entry.quote), min(share, _TOP) if is_split else share)
    least = {language: max(_NEAR * top, _LEAST) for language, top in best.items()}
    for language, top in best.items():
        if language is not mother:
            least[language] = max(_NEAR * top, _FOREIGN, _ABROAD * best.get(mother, 0.0))
    near = [entry for entry, share in ranked if share >= least[language_of(entry.quote)]]
    most = _PASSAGES if question.wants_prose or not answered else 1
    if answered == len(question.attributes) and not question.wants_prose:
        most = 0
    first = [*leaders, *_of_each(near, subjects, request), *near]
    told = list(dict.fromkeys(first))
    if most == _PASSAGES:
        foreign = [one for one in _foreign(ranked, mother, subjects, request) if one not in told[:most]]
        kept = max(most - len(foreign), len(leaders), 1)
        told = list(dict.fromkeys([*told[:kept], *foreign, *told[kept:]]))
        most = kept + len(foreign)
    is_open = question.operation is Operation.OPEN
    room = (2 * _FURTHER if is_open else _FURTHER) if question.wants_prose or not answered else 0
    close = [
        entry
        for entry in told[most:]
        if is_open or share_of.get(entry.id, 1.0) >= _CLOSE * best[language_of(entry.quote)]
    ]
    return told[:most], close[:room]


def _naming_as_much(
    ranked: Sequence[tuple[Evidence, float]],
    mother: Language,
    question: Asked,
    subjects: Subjects,
    request: ReportRequest,
) -> list[tuple[Evidence, float]]:
    """Leave out what, in the other language, is about fewer of those asked for than the best in the question's own."""
    own = next((entry for entry, _ in ranked if language_of(entry.quote) is mother), None)
    if own is None or question.operation is Operation.COMPARE:
        return list(ranked)
    names = [name for name in subjects.names if _is_about(name, own, request)]
    return [
        (entry, share)
        for entry, share in ranked
        if language_of(entry.quote) is mother or all(_is_about(name, entry, request) for name in names)
    ]


def _is_about(name: Name, entry: Evidence, request: ReportRequest) -> bool:
    return _names(name, entry, request) or name.stands_in(folded(request.pages[entry.source].title))


def _foreign(
    ranked: Sequence[tuple[Evidence, float]], mother: Language, subjects: Subjects, request: ReportRequest
) -> list[Evidence]:
    """Return the nearest passages in the other language, as far as they name whom the question is about.

    They share no words with it, so nothing tells how near they come beside those in its own language.
    """
    foreign = [(entry, share) for entry, share in ranked if language_of(entry.quote) is not mother]
    least = _NEAR * max((share for _, share in foreign), default=0.0)
    near = (entry for entry, share in foreign if share >= least)
    return list(islice((one for one in near if any(_names(name, one, request) for name in subjects.names)), _BESIDE))


def _of_each(near: Sequence[Evidence], subjects: Subjects, request: ReportRequest) -> Iterator[Evidence]:
    """Yield the first passage on each of several names."""
    if len(subjects.names) > 1:
        for name in subjects.names:
            about = (
                one for one in near if name in subjects.of(request.pages[one.source]) or _names(name, one, request)
            )
            yield from islice(about, 1)


def _names(name: Name, entry: Evidence, request: ReportRequest) -> bool:
    return name.stands_in(folded(said_by(entry, request.pages)))
