"""The passages that come nearest to a question: ranked, chosen for the answer, and those that they lead to.

“Where is the buyer of Zentra Steel based?” describes the buyer. A passage on Zentra Steel names it, and a page about
that name has the seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from research.analysts.extractive.quoting import said_by
from research.analysts.extractive.subjects import Subjects
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page, SourceKind
from research.gaps import Relevance, said_shares
from research.language import Language
from research.quantities import figures
from research.text import (
    MONTHS,
    Asked,
    Name,
    Operation,
    columns,
    data_line_in,
    folded,
    heading_of,
    language_of,
    places_in,
    proper_names,
    regions_in,
    stands_whole,
    tokens,
)

_PASSAGES, _FURTHER = 3, 2
"""Passages that an answer has where no value answers, and those that stand below it."""
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
_SAME = 0.8
"""Share of a passage's words that another holds, from which it only repeats it."""
_ASKING = 0.5
"""What a passage that asks itself is worth."""
_DIGIT = re.compile(r"\d")


def ranked_passages(
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


def shown_passages(
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


# --- what passages lead to ---

_LONG = 80
"""Characters of a value from which it is prose."""
_LEADS = 2
"""Pages whose best passage leads on. On HotpotQA and MuSiQue a third brings as much that belongs to other questions."""
_ALL = 0.85
"""Share of the question's words that leaves nothing to be led to. One passage has as many for three of four questions
of JSQuAD, which one passage answers, and for one of ten of HotpotQA, which two do."""
_NAMES = 3
"""Names of one passage that are searched for, the first ones."""
_SHORTEST = 4
"""Columns of a name that leads on; a shorter one stands in many titles."""
_AFTER_NAME = re.compile(r"\s*[(（].*")
"""What a title says of a name besides: Mercury (planet)."""


def led_to(
    question: Asked, ranked: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> tuple[Evidence, ...]:
    """Return the passage that the best ones lead to: on a page about somebody whom they name and the question does not.

    `ranked` are passages by how near they come to the question. A passage that is led to is compared with the question
    together with what leads to it. At most one is returned.
    """
    found: list[tuple[float, Evidence]] = []
    if _is_all_said(question, ranked, pages):
        return ()
    for lead in _leads(ranked):
        about = {source for source in {one.source for one in ranked} if _is_led_to(lead, pages, source, question)}
        among = [entry for entry in ranked if entry.source in about]
        near = relevance.of(
            f"{question.question} {lead.quote}",
            [entry.quote for entry in among],
            words=question.question,
            titles=[pages[entry.source].title for entry in among],
        )
        found += zip(near, among, strict=True)
    return tuple(entry for _, entry in sorted(found, key=lambda pair: -pair[0])[:1])


def names_led_to(
    question: Asked, evidence: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> Iterator[tuple[str, ...]]:
    """Yield, for each of the passages that lead on, whom it names and nothing read so far is about, in its order."""
    if _is_all_said(question, evidence, pages):
        return
    titles = [pages[entry.source].title for entry in evidence]
    near = relevance.of(question.question, [entry.quote for entry in evidence], titles=titles)
    worth = {
        entry.id: (is_named(pages[entry.source], question), one) for entry, one in zip(evidence, near, strict=True)
    }
    known = "\n".join(folded(page.title) for page in pages.values())
    for lead in _leads(sorted(evidence, key=lambda entry: worth[entry.id], reverse=True)):
        names = [name for name in _names_in(lead, question) if not _stands(folded(name), known) and not places_in(name)]
        if names:
            yield tuple(names[:_NAMES])


def is_named(page: Page, question: Asked) -> bool:
    """Whether the question names a page by its title."""
    return _stands(_subject(page), folded(question.question))


def best_of_named(question: Asked, ranked: Sequence[Evidence], pages: Mapping[str, Page]) -> dict[str, Evidence]:
    """Return the first passage of each of those, folded, that the question names by the title of a page."""
    best: dict[str, Evidence] = {}
    for entry in ranked:
        if is_named(pages[entry.source], question):
            best.setdefault(_subject(pages[entry.source]), entry)
    return best


def naming(entries: Sequence[Evidence], subjects: Subjects, pages: Mapping[str, Page]) -> list[float]:
    """Return how far each quote, or its page, is about those whom the question names, from 0 to 1.

    What nearly all are about tells nothing. In the other language names are written otherwise, so that nothing is told.
    """
    mother = language_of(subjects.asked.question)
    about = {
        one.id: (is_named(pages[one.source], subjects.asked), *_said_names_in(one, subjects, pages))
        for one in entries
        if language_of(one.quote) is mother
    }
    rare = [1 - sum(column) / len(about) for column in zip(*about.values(), strict=True)]
    told = {
        name: max(rare[0] * row[0], sum(map(float.__mul__, rare[1:], map(float, row[1:]))) / max(1, len(row) - 1))
        for name, row in about.items()
    }
    return [told.get(one.id, max(told.values(), default=0.0)) for one in entries]


def _said_names_in(entry: Evidence, subjects: Subjects, pages: Mapping[str, Page]) -> list[bool]:
    low, about = folded(said_by(entry, pages)), subjects.of(pages[entry.source])
    named = [name in about or name.stands_in(low) for name in subjects.names]
    return [*named, *(area.stands_in(low) for area in regions_in(subjects.asked.question))]


def _is_all_said(question: Asked, evidence: Sequence[Evidence], pages: Mapping[str, Page]) -> bool:
    """Whether one passage has nearly all words of the question: nobody is only described in it."""
    said = [f"{pages[entry.source].title} {entry.quote}" for entry in evidence]
    return max(said_shares(question.question, said), default=0.0) > _ALL


def _leads(ranked: Sequence[Evidence]) -> list[Evidence]:
    """Return the best passage of each of the best pages."""
    best: dict[str, Evidence] = {}
    for entry in ranked:
        best.setdefault(entry.source, entry)
    return list(best.values())[:_LEADS]


def _is_led_to(lead: Evidence, pages: Mapping[str, Page], source: str, question: Asked) -> bool:
    """Whether a passage names whom another page is about, and the question does not."""
    own, title = _subject(pages[lead.source]), _subject(pages[source])
    if own == title or is_named(pages[source], question):
        return False
    named = (folded(name) for name in _names_in(lead, question) if not places_in(name))
    return _stands(title, folded(lead.quote)) or any(_stands(name, title) for name in named)


def _names_in(lead: Evidence, question: Asked) -> list[str]:
    """Return the names in a passage that the question does not hold."""
    asked = folded(question.question)
    return [name for name in dict.fromkeys(proper_names(f"{lead.quote}.")) if folded(name) not in asked]


def _subject(page: Page) -> str:
    return folded(_AFTER_NAME.sub("", page.title))


def _stands(name: str, text: str) -> bool:
    """Whether a text holds a name as whole words; both are folded."""
    return columns(name) >= _SHORTEST and stands_whole(name, text)
