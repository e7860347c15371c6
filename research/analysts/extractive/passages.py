"""The passages that come nearest to a question: ranked, chosen for the answer, and those that they lead to.

“Where is the buyer of Zentra Steel based?” describes the buyer. A passage on Zentra Steel names it, and a page about
that name has the seat.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from research.analysts.extractive.quotes import said_by
from research.analysts.protocol import ReportRequest
from research.core import Evidence, Page
from research.gaps import Relevance, Subjects, said_shares
from research.language import Language
from research.quantities import figures
from research.text import (
    MONTHS,
    Asked,
    Name,
    Operation,
    columns,
    content_words,
    counted_in,
    data_line_in,
    folded,
    heading_of,
    is_amount,
    is_table_row,
    language_of,
    places_in,
    proper_names,
    regions_in,
    says_who_was_there,
    stands_whole,
    tokens,
    without_names,
)

_PASSAGES, _FURTHER = 3, 3
"""Passages that an answer has where no value answers, and those that stand below it. Of 181 facts in others' questions
(`bench.answers`, fourth and fifth set) 127 are in the report with three below it, 122 with two; as many quotes bear."""
_NEAR = 0.85
"""Share of the best passage's worth that another needs to stand beside it. On JaQuAD and JSQuAD 57% and 64% of what is
then shown belong to the answer, 46% at .8, which holds one or two more answers of forty; on HotpotQA, whose passages
mislead, three of four do at both."""
_NEAR_BELOW, _LEAST_BELOW = 0.65, 0.5
"""The same of one below the answer, and what it has to be worth. Of 353 facts in others' questions (`bench.answers`,
third to sixth and eleventh set, and ours) 189 are then in the report, 167 at the limits above; of the quotes half bear
on the question, not 53%."""
_NEAR_OF_SEVERAL = 0.8
"""The same where several things are asked, of which each passage says a part."""
_NEAR_OF_EACH = 0.65
"""The same of the best one on a page of each of those asked for, where several have pages of their own."""
_LED = 0.5
"""The same of the best one on one of several things asked, whomever it names."""
_LEAST, _FOREIGN, _ABROAD, _ABROAD_NAMING = 0.7, 0.5, 0.7, 0.55
"""Worth from which a passage is shown at all; in the other language, where it shares no words but by the dictionary,
one that names nobody asked for, and the share of the worth of the best in the question's language that it needs, and
that one needs which names somebody."""
_HOME = 0.5
"""The share of the worth of the best in any language that one in the question's needs."""
_LEADING = 1.2
"""Worth of the best passage in the question's language from which one in the other has to come near as well, whomever
it names."""
_PART = 0.8
"""What a passage on one of several things asked is worth beside one on the question as a whole."""
_TIMELY = 0.35
"""What a passage gains on a page, or under a heading, of the month asked for."""
_BESIDE, _NEARBY = 0.3, 900
"""What a passage gains from one on its page that is worth more and stands within so many characters. Of 403 facts in
others' questions (`bench.answers`, third to fifth set) 250 are then in the report, 243 without; as many quotes bear."""
_WITHOUT_NAMES, _OF_NAMES = 0.65, 0.2
"""How much of a passage's nearness is told without the names asked for, and what these add to it. A name alone brings
any passage that holds it as near as an answer; on the questions of `bench.answers` .5 to .75 find the same facts."""
_NAMELESS = 0.8
"""What a passage loses that is about nobody of those asked for, where few are. On HotpotQA six of ten passages shown
then belong to the answer, five without, and as many are found."""
_OF_DOCUMENT = 0.5
"""How far a passage is about somebody whom only the head of its document names, which may name others as well, or its
title beside others."""
_NO_FIGURE, _NO_DATE, _BARE, _ROW = 0.8, 0.5, 0.75, 0.5
"""What a passage without a figure is worth where a number is asked for (a year is none); without a date where it is
asked when, or one that asks itself; a value that was not found to be what is asked; a row of figures where something
else is asked for."""
_CELL = re.compile(r"\|\s*\**[^|\w]*\d[^|]{0,24}(?=\||\Z)")
_DATE = re.compile(
    rf"(?<!\d)(?:19|20)\d\d(?!\d)|\d月|\b(?:{'|'.join(month.title() for month in MONTHS if month != 'may')})\b"
    r"|\bMay(?= \d)|(?<=\d )May\b"
)
_REASON = 1.25
"""What a passage gains that gives a reason where one is asked for. Of JSQuAD's and JaQuAD's sentences that answer such
questions 66% have one of these words, of those around them 31%; of XQuAD's, in English, 50% and 16%."""
_REASONED = re.compile(
    r"\b(?:because|due to|owing to|driven by|as a result|result(?:ed|ing) (?:from|in)|attribut(?:ed|able) to"
    r"|caus(?:e|ed|ing)|led to|in order to|to (?:prevent|avoid)|reflect(?:ed|ing))\b"
    r"|ため|から、|ので|によって|により|せいで|理由|原因|ことで|きっかけ|恐れ|防ぐ",
    re.IGNORECASE,
)
_COUNT = 1.5
"""What a passage gains that counts the things whose number is asked: 26,196 employees. Of the sentences of XQuAD that
answer such questions 39% do, of those around them 2%; in Japanese, with the counter that is asked for, 93% and 12% of
JaQuAD's."""
_ONLY_DECIDES = re.compile(r"\bdeci(?:de[ds]?|sions?)\b|決[まめ]|決定", re.IGNORECASE)
_DECIDE = re.compile(
    rf"{_ONLY_DECIDES.pattern}|決まり|決まった|\bapprov|\bagreed\b|\bresol(?:ve|ution)|\baccept|\breject|決議|承認|可決"
    r"|\baction (?:items?|points?)\b|アクション|宿題",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\bdeci(?:ded|sions?)\b|\bapprov|\bagreed\b|\bresol(?:ved|ution)|\baccepted|\brejected|決[まめ]|決定|決議|承認|可決"
    r"|議事録|議案|\bminutes\b|\bactions?(?: items?)?:|アクション",
    re.IGNORECASE,
)
"""What asks for a decision, and what tells one: it gains as much as a reason where one is asked for. What only
decides is no word that tells: what decides demand is no decision."""
_NEXT_MEETING = re.compile(r"\W*(?:次回の?[^。]{0,20}は|(?:the )?next (?:board )?(?:meeting|session)\b)", re.IGNORECASE)
"""What only says when they meet again: no decision that anybody asks for."""
_ASKS_ADVICE = re.compile(
    r"\bshould (?:we|i|they|our|the company)\b|\brecommend|\bbest option\b|\bworth (?:it|\w+ing)\b"
    r"|べき|すべきか|したほうがいい|した方が|提言|推奨|勧め",
    re.IGNORECASE,
)
_ADVISED = re.compile(
    r"\brecommend|\badvi[sc]e|\bpropos(?:e|al)|\bshould\b|\bconclusions?\b|\bwould (?:bring|save|need|pay)\b"
    r"|提言|提案|推奨|勧め|結論|べき|打ち手",
    re.IGNORECASE,
)
"""What asks for advice, and what gives it: it gains as much, too."""
_ON_NAMED, _UNDECIDED = 2.5, 0.65
"""What it gains where nothing else is asked than what was decided about somebody whom it names, as no other words tell,
and what a passage loses then that tells no decision."""
_WHO_WAS_THERE = re.compile(
    r"\bwho (?:was|were|came|joined|met|sat|took)\b|\battend|\bpresent\b|(?:誰|だれ)が(?:出|い|来|集)|出席|参加|欠席",
    re.IGNORECASE,
)
"""What asks for those who were there: the line of minutes that lists them holds names, and is near to any question."""
_LONG = 80
"""Characters of a value from which it is prose."""
_SAME = 0.8
"""Share of a passage's words that another holds, from which it only repeats it."""
_DIGIT = re.compile(r"\d")
_FISCAL = "04"
"""The month in which a fiscal year begins that is asked for by its year."""
_LEADS = 2
"""Pages whose best passage leads on. On HotpotQA and MuSiQue a third brings as much that belongs to other questions."""
_ALL = 0.85
"""Share of the question's words that leaves nothing to be led to. One passage has as many for three of four questions
of JSQuAD, which one passage answers, and for one of ten of HotpotQA, which two do."""
_LED_TO, _TITLED = 0.7, 0.3
"""How far a passage that is led to speaks of what is left open, and what it gains on a page about whom the leading one
names, which is enough where words alone are compared. Of 100 questions of MuSiQue's train part 33 then have all their
passages in the report, 31 without the gain, 26 at .9 and 16 where titles alone led on; of 60 of HotpotQA's 44, 44, 43
and 37."""
_TOGETHER = 0.7
"""Share of the question's words that they say between them then. Of 16 such answers to questions of MuSiQue's and
HotpotQA's train parts 13 are whole from there on, of 19 below it six; of 7 whose subject is named there, five."""
_NAMES = 3
"""Names of one passage that are searched for, the first ones."""
_SHORTEST = 4
"""Columns of a name that leads on; a shorter one stands in many titles."""
_JOINS = re.compile(r" (?:of|&) ")
"""What stands inside of a name whose parts are names as well: Government of Finland."""
_AFTER_NAME = re.compile(r"\s*[(（].*")
"""What a title says of a name besides: Mercury (planet)."""


@dataclass(frozen=True)
class Ranked:
    """A passage, and what it is worth as an answer."""

    entry: Evidence
    worth: float
    leads: bool = False
    """Whether it is the best on one of several things asked."""
    names: int = 0
    """How many of those asked for it names, or its page is titled by."""
    names_all: bool = False
    """Whether it names all of several that are asked for, one of whom its page is not titled by: a customer."""
    is_first_of: bool = False
    """Whether it is the best on pages of one of several that are asked for, who have pages of their own."""


def ranked_passages(
    entries: Sequence[Evidence], question: Asked, subjects: Subjects, request: ReportRequest, relevance: Relevance
) -> list[Ranked]:
    """Return passages by their worth, each thing said once.

    A passage is worth how far it speaks of what is asked by meaning and words, times what its form is worth, with what
    it gains for the time that is asked for and loses for being about nobody of those asked for.
    """
    pages = request.pages
    said = [said_by(entry, pages) for entry in entries]
    titles = [pages[entry.source].title for entry in entries]
    near = together = _nearness(said, titles, question, subjects.names, relevance)
    under = (f"{title} {one}" for title, one in zip(titles, said, strict=True))
    forms = [_form(entry, question, one) for entry, one in zip(entries, under, strict=True)]
    leaders: set[str] = set()
    if len(question.attributes) > 1:
        for wording, attribute in zip(question.wordings, question.attributes, strict=True):
            alone = relevance.of(wording, said, words=attribute, titles=titles)
            near = [max(all_of_it, _PART * part) for all_of_it, part in zip(near, alone, strict=True)]
            joint = [(part + all_of_it) * form for part, all_of_it, form in zip(alone, together, forms, strict=True)]
            if joint and max(joint) >= 2 * _LEAST:
                leaders.add(entries[joint.index(max(joint))].id)
    about = naming(entries, subjects, pages)
    most = max(about, default=0.0)
    worth = {
        entry.id: one * form + _TIMELY * _is_of_month(entry, pages, question) - _NAMELESS * (most - own)
        for one, form, entry, own in zip(near, forms, entries, about, strict=True)
    }
    worth = _with_neighbours(worth, entries)
    entries, worth = _without_parts(entries, worth)
    # What the question names may be told in other words than it asks in.
    best = max(_LEAST, max(worth.values(), default=0.0))
    ordered = sorted(entries, key=lambda entry: -worth[entry.id])
    for entry in best_of_named(question, ordered, pages).values():
        worth[entry.id] = best
    kept: list[Ranked] = []
    words: list[frozenset[str]] = []
    for entry in sorted(ordered, key=lambda entry: -worth[entry.id]):
        own_words = frozenset(tokens(entry.quote))
        if own_words and not any(_says_nothing_new(own_words, other) for other in words):
            low = folded(f"{pages[entry.source].title} {said_by(entry, pages)}")
            names = sum(name.stands_in(low) for name in subjects.names)
            names_all = names == len(question.names) > 1 and _names_somebody_else(entry, question, pages)
            kept.append(Ranked(entry, worth[entry.id], entry.id in leaders, names, names_all))
            words.append(own_words)
    first = _first_of_each(kept, subjects, pages)
    return [replace(one, is_first_of=one.entry.id in first) for one in kept]


def _with_neighbours(worth: Mapping[str, float], entries: Sequence[Evidence]) -> dict[str, float]:
    """Return what quotes are worth with what they gain from better ones beside them."""

    by_page: dict[str, list[Evidence]] = {}
    for entry in entries:
        by_page.setdefault(entry.source, []).append(entry)

    def best_beside(entry: Evidence) -> float:
        near = (one for one in by_page[entry.source] if abs(one.start - entry.start) < _NEARBY)
        return max(worth[one.id] for one in near)

    return {one.id: worth[one.id] + _BESIDE * (best_beside(one) - worth[one.id]) for one in entries}


def _without_parts(entries: Sequence[Evidence], worth: Mapping[str, float]) -> tuple[list[Evidence], dict[str, float]]:
    """Return quotes without those that stand within another, rows of a table, say, and what they are worth: as much."""
    kept: list[Evidence] = []
    best: dict[str, float] = {}
    for entry in sorted(entries, key=lambda one: (one.source, one.start, -one.end)):
        if not kept or kept[-1].source != entry.source or entry.end > kept[-1].end:
            kept.append(entry)
        best[kept[-1].id] = max(worth[entry.id], best.get(kept[-1].id, worth[entry.id]))
    return kept, best


def _first_of_each(ranked: Sequence[Ranked], subjects: Subjects, pages: Mapping[str, Page]) -> set[str]:
    """Return the best passage on pages titled by each of those asked for, if more than one has any.

    If they are asked of somebody else, a customer that they have in common, say, it is one that names it.
    """
    titles = {one.entry.source: folded(pages[one.entry.source].title) for one in ranked}
    others = [name for name in subjects.names if not any(map(name.stands_in, titles.values()))]

    def best(of: Name) -> Ranked | None:
        own = [one for one in ranked if of.stands_in(titles[one.entry.source])]
        naming = (one for one in own if any(name.stands_in(folded(one.entry.quote)) for name in others))
        return next(naming, own[0] if own else None)

    first = [best(name) for name in subjects.names]
    found = {one.entry.id for one in first if one is not None and one.worth >= _NEAR_OF_EACH * ranked[0].worth}
    return found if len(found) > 1 else set()


def _nearness(
    said: Sequence[str], titles: Sequence[str], question: Asked, names: Sequence[Name], relevance: Relevance
) -> list[float]:
    """Return how near passages come, for the most part without the name of whom is asked about.

    What only names them says nothing. Several names stay: they tell what belongs to which.

    What the question names may be told in other words than it asks in: it is compared with all its words, and with
    those alone that ask for something.
    """
    words = " ".join(question.attributes)
    words = _ONLY_DECIDES.sub(" ", words)
    several = names if len(names) > 1 else ()
    whole = relevance.of(question.question, said, names=several, titles=titles)
    named = relevance.of(question.question, said, words=words, names=several, titles=titles)
    near = list(map(max, whole, named))
    if len(names) != 1 or question.is_wide_open:
        return near
    bare = relevance.of(without_names(question.question, names), said, words=words, titles=titles)
    return [
        (1 - _WITHOUT_NAMES) * one + _WITHOUT_NAMES * (own + _OF_NAMES) for one, own in zip(near, bare, strict=True)
    ]


def _names_somebody_else(entry: Evidence, question: Asked, pages: Mapping[str, Page]) -> bool:
    """Whether a quote names one of those asked for, no place, whom its page is not titled by."""
    title, quote = folded(pages[entry.source].title), folded(entry.quote)
    named = (name for name in question.names if not name.is_place and name.stands_in(quote))
    return any(not name.stands_in(title) for name in named)


def _says_nothing_new(own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a passage with these tokens holds no figure, and hardly a word, that another does not."""
    return len(own & other) >= _SAME * len(own) and not any(_DIGIT.search(word) for word in own - other)


def _form(entry: Evidence, question: Asked, said: str) -> float:
    """Return what its form makes of a passage: figures and reasons where they are asked for; less of a bare value.

    What is decided is told by what it says under its heading and title (`said`): minutes list decisions.
    """
    line = data_line_in(entry.quote)
    is_short = line is not None and len(line.value) < _LONG and (question.wants_prose or is_amount(line.value))
    is_row = question.wants_prose and is_table_row(entry.quote)
    is_bare = is_short or is_row
    if is_row and len(_CELL.findall(entry.quote)) > 1:
        return _ROW
    has_no_figure = question.wants_figure and not figures(entry.quote)
    has_no_date = question.wants_date and not _DATE.search(entry.quote)
    only_asks = entry.quote.rstrip().endswith(("?", "？"))
    is_list = says_who_was_there(entry.quote) and not asks_who_was_there(question.question)
    is_list = is_list or (asks_for_decision(question.question) and only_says_next_meeting(entry.quote))
    return (
        (_BARE if is_bare else 1.0)
        * (_NO_FIGURE if has_no_figure else 1.0)
        * (_NO_DATE if has_no_date or only_asks else 1.0)
        * (_ROW if is_list else 1.0)
        * _told_as_asked(entry.quote, question, said)
    )


def _told_as_asked(quote: str, question: Asked, said: str) -> float:
    """Return what a passage gains that gives a reason, counts, decides or advises where that is asked for."""
    counts = counted_in(question.question)
    gain = _COUNT if counts is not None and counts.search(quote) else 1.0
    if question.operation is Operation.REASON and _REASONED.search(quote):
        return gain * _REASON
    if asks_for_decision(question.question):
        asks_whatever = question.attributes == (question.question,)  # What was decided about India.
        if not _DECIDED.search(said):
            return gain * (_UNDECIDED if asks_whatever else 1.0)
        is_on_named = asks_whatever and any(name.stands_in(folded(quote)) for name in question.names)
        return gain * (_ON_NAMED if is_on_named else _REASON)
    if asks_for_advice(question.question):
        is_on_named = not question.names or any(name.stands_in(folded(quote)) for name in question.names)
        return gain * (_REASON if _ADVISED.search(said) and is_on_named else 1.0 if is_on_named else _UNDECIDED)
    return gain


def asks_who_was_there(question: str) -> bool:
    """Whether a question may ask who took part in a meeting."""
    return _WHO_WAS_THERE.search(question) is not None


def asks_for_decision(question: str) -> bool:
    """Whether a question asks what was decided, which no value tells."""
    return _DECIDE.search(question) is not None


def telling_decision(entry: Evidence, pages: Mapping[str, Page]) -> int:
    """Return 2 where a quote tells what was decided, 1 where the heading does that it stands under, else 0."""
    return 2 * bool(_DECIDED.search(entry.quote)) or int(_DECIDED.search(said_by(entry, pages)) is not None)


def only_says_next_meeting(quote: str) -> bool:
    """Whether a quote only says when they meet again, which nobody means who asks what was decided."""
    return _NEXT_MEETING.match(quote) is not None


def asks_for_advice(question: str) -> bool:
    """Whether a question asks what should be done, which no value tells."""
    return _ASKS_ADVICE.search(question) is not None


def is_of_time(page: Page, question: Asked) -> bool:
    """Whether a page is of one of the months asked for, or where none is of one of the years."""
    dated = f"{page.published or ''} {page.title} {page.url}"
    times = [said for month in question.months for said in _written(month)] or question.years
    return any(one in dated for one in times)


def _is_of_month(entry: Evidence, pages: Mapping[str, Page], question: Asked) -> bool:
    """Whether a quote stands on a page, or under a heading, of one of the months asked for."""
    page = pages[entry.source]
    dated = f"{page.published or ''} {page.title} {page.url} {heading_of(page.text, entry.start)}"
    return any(month in dated for one in question.months for month in _written(one))


def _written(month: str) -> tuple[str, ...]:
    """Return a month (`2025-04`) in the ways in which a title or a heading says it."""
    year, number = month.split("-")
    name = MONTHS[int(number) - 1].title()
    fiscal = (f"{year}年度", f"fiscal {year}", f"FY{year}") if number == _FISCAL else ()
    return month, f"{year}年{int(number)}月", f"{name} {year}", f"{name[:3]} {year}", *fiscal


def shown_passages(
    ranked: Sequence[Ranked], question: Asked, *, answered: int
) -> tuple[list[Evidence], list[Evidence]]:
    """Return what stands in the answer and what stands below it; beside values little else is needed.

    Passages in the other language share no words with the question: they are held against the best in theirs.
    """
    is_of_each = question.operation is Operation.COMPARE
    # What the best passage says of all that are named, another that names fewer does not lead.
    least = _LED * ranked[0].worth if ranked else 0.0
    leading = (one for one in ranked if one.leads and one.worth >= least)
    leaders = [one.entry for one in leading if is_of_each or one.names >= ranked[0].names]
    best: dict[Language, float] = {}
    for one in ranked:
        best.setdefault(language_of(one.entry.quote), one.worth)
    mother = language_of(question.question)
    home = next((one for one in ranked if language_of(one.entry.quote) is mother), None)
    least_names = home.names if home and not is_of_each else 0

    def comes_near(one: Ranked, share: float, at_least: float = _LEAST) -> bool:
        language = language_of(one.entry.quote)
        if language is not mother and one.names < least_names:
            return False  # AN-300, but not in India.
        at_home = best.get(mother, 0.0)
        home = max(at_least, _HOME * max(best.values()))
        abroad = max(_FOREIGN, _ABROAD * at_home)
        if one.names and at_home < _LEADING:
            abroad = _ABROAD_NAMING * at_home
        return one.worth >= max(share * best[language], home if language is mother else abroad)

    if not answered and (each := [one.entry for one in ranked if one.is_first_of]):
        return each, [one.entry for one in ranked if comes_near(one, _NEAR) and not one.is_first_of][:_FURTHER]
    below = [one.entry for one in ranked if comes_near(one, _NEAR_BELOW, _LEAST_BELOW)]
    is_open = question.operation is Operation.OPEN
    near = _NEAR if len(question.attributes) == 1 else _NEAR_OF_SEVERAL
    told = list(dict.fromkeys([*leaders, *(one.entry for one in ranked if comes_near(one, near))]))
    if answered and not question.wants_prose:
        return told[: min(_PASSAGES, len(question.attributes) - answered)], []
    chosen = told[:_PASSAGES]
    first = [one.entry for one in ranked if one.entry in chosen]  # What says most is read first.
    return first, [entry for entry in below if entry not in first][: 2 * _FURTHER if is_open else _FURTHER]


# --- what passages lead to ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """Quotes among which one may lead to another."""

    ranked: Sequence[Evidence]
    """Those on whom is asked about, by how near they come to the question."""
    every: Sequence[Evidence]
    """All of them: whom they lead to, the question does not name."""


def led_to(
    question: Asked,
    found: Found,
    shown: Collection[Evidence],
    pages: Mapping[str, Page],
    relevance: Relevance,
) -> tuple[Evidence, ...]:
    """Return what the best passages lead to, behind the one that leads there, without those that are `shown`.

    A passage is led to that stands on another page and shares a name with the one that leads there which the question
    does not hold. It is asked for what that one leaves open: behind a passage on the Bubye River, “the waterfall in
    the country where the Bubye River is found” asks for “Zimbabwe waterfall country”.
    """
    if not shown or _is_all_said(question, found.ranked, pages):
        return ()
    told = {entry.source for entry in shown}
    every = [entry for entry in found.every if data_line_in(entry.quote) is None]  # What a line names is its value.
    steps = [
        (worth, lead, entry)
        for lead in _leads([entry for entry in found.ranked if data_line_in(entry.quote) is None])
        for worth, entry in _left_open(lead, every, question, pages, relevance)
        if worth >= _LED_TO and not told.issuperset((lead.source, entry.source))
    ]
    _, *step = max(steps, key=lambda one: one[0], default=(0.0,))
    return tuple(entry for entry in step if entry not in shown)


def _left_open(
    lead: Evidence, every: Sequence[Evidence], question: Asked, pages: Mapping[str, Page], relevance: Relevance
) -> Iterator[tuple[float, Evidence]]:
    """Yield the passages that one leads to, with how far they speak of what it leaves open."""
    named, quote = [folded(name) for name in _names_in(lead, question)], folded(lead.quote)
    shared: dict[str, list[str]] = {}
    for entry in every:
        page = pages[entry.source]
        low = folded(f"{page.title} {entry.quote}")
        names = [name for name in named if _stands(name, low)]
        if (names or _stands(_subject(page), quote)) and entry.source != lead.source and not is_named(page, question):
            shared[entry.id] = names
    among = [entry for entry in every if entry.id in shared]
    said = frozenset(tokens(f"{pages[lead.source].title} {lead.quote}"))
    left = " ".join(word for word in content_words(question.question) if not said.issuperset(tokens(word)))
    near = relevance.of(
        " ".join([*dict.fromkeys(name for names in shared.values() for name in names), left]),
        [entry.quote for entry in among],
        words=left or question.question,
        titles=[pages[entry.source].title for entry in among],
    )
    gain = _TITLED if relevance.is_by_meaning else _LED_TO
    for worth, entry in zip(near, among, strict=True):
        yield worth + gain * _stands(_subject(pages[entry.source]), quote), entry


def answer_together(
    shown: Sequence[Evidence], led: Sequence[Evidence], question: Asked, pages: Mapping[str, Page]
) -> bool:
    """Whether passages answer together with what they lead to: they say most of what is asked, or name its subject."""
    if not led:
        return False
    *before, last = *shown, *led
    said = [f"{pages[entry.source].title} {entry.quote}" for entry in (*before, last)]
    is_named_there = _stands(_subject(pages[last.source]), folded(" ".join(entry.quote for entry in before)))
    return is_named_there or max(said_shares(question.question, [" ".join(said)])) >= _TOGETHER


def names_led_to(
    question: Asked, evidence: Sequence[Evidence], pages: Mapping[str, Page], relevance: Relevance
) -> Iterator[tuple[str, ...]]:
    """Yield, for each of the passages that lead on, whom it names and nothing read so far is about, in its order.

    A line of data leads nowhere: what it names is its value; nor does what neither speaks of the question nor stands on
    a page that the question names.
    """
    if _is_all_said(question, evidence, pages):
        return
    evidence = [entry for entry in evidence if data_line_in(entry.quote) is None]
    titles = [pages[entry.source].title for entry in evidence]
    near = relevance.of(question.question, [said_by(entry, pages) for entry in evidence], titles=titles)
    told = [(is_named(pages[entry.source], question), one, entry) for entry, one in zip(evidence, near, strict=True)]
    leading = sorted((one for one in told if one[0] or one[1] >= 1.0), key=lambda one: one[:2], reverse=True)
    known = "\n".join(folded(page.title) for page in pages.values())
    for lead in _leads([entry for *_, entry in leading]):
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

    What nearly all are about tells nothing. In the other language names that are no places are written otherwise, so
    that nothing is told, unless it is known how.
    """
    mother = language_of(subjects.asked.question)
    is_told_abroad = all(name.is_place or name.ja != name.en or not name.en.isalpha() for name in subjects.names)
    about = {
        one.id: (is_named(pages[one.source], subjects.asked), *_said_names_in(one, subjects, pages))
        for one in entries
        if is_told_abroad or language_of(one.quote) is mother
    }
    rare = [1 - sum(column) / len(about) for column in zip(*about.values(), strict=True)]
    told = {
        name: max(rare[0] * row[0], sum(map(float.__mul__, rare[1:], map(float, row[1:]))) / max(1, len(row) - 1))
        for name, row in about.items()
    }
    return [told.get(one.id, max(told.values(), default=0.0)) for one in entries]


def _said_names_in(entry: Evidence, subjects: Subjects, pages: Mapping[str, Page]) -> list[float]:
    page, said = pages[entry.source], said_by(entry, pages)
    low, title, about = folded(said), folded(page.title), subjects.of(page)
    is_elsewhere, is_of_several = bool(places_in(said)), len(places_in(page.title)) > 1

    def told(name: Name) -> float:
        if name.stands_in(low):
            return 1.0
        if name.is_place and is_elsewhere:
            return 0.0  # Of those in a title that lists several, it is about others.
        if name.stands_in(title):
            return _OF_DOCUMENT if is_of_several else 1.0
        return _OF_DOCUMENT * (name in about)

    named = [told(name) for name in subjects.names]
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


def _names_in(lead: Evidence, question: Asked) -> list[str]:
    """Return the names in a passage that the question does not hold, in whatever form."""
    asked, words = folded(question.question), frozenset(tokens(question.question))
    names = dict.fromkeys(part for name in proper_names(f"{lead.quote}.") for part in _JOINS.split(name))
    return [name for name in names if folded(name) not in asked and not words.issuperset(tokens(name))]


def _subject(page: Page) -> str:
    return folded(_AFTER_NAME.sub("", page.title))


def _stands(name: str, text: str) -> bool:
    """Whether a text holds a name as whole words; both are folded."""
    return columns(name) >= _SHORTEST and stands_whole(name, text)
