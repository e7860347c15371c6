"""What a query asks, told by the labels of values and not by words: the highest of all that a library holds, whichever
there are, and what is said of a place in other words than the query's."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from research.library.index import Column, IndexStore, Labelled
from research.meaning import (
    SURELY_ASKED,
    Look,
    Meaning,
    asked_of,
    is_answered_by_none,
    judged_by,
    labels_beginning,
    profile,
)
from research.text import (
    WHOLE,
    Asked,
    Concept,
    Name,
    Operation,
    asked_concepts,
    asked_things,
    best_told,
    folded,
    humps_apart,
    is_amount,
    is_note,
    is_place,
    language_of,
    lies_in,
    lists_share,
    meets,
    other_words,
    places_among,
    question_parts,
    regions_in,
    things_of_all,
    tokens,
)

_SAID = 0.52
"""How far a label has to say what is asked, and nothing else, to be ordered. Of the 890 terms of the dictionary, asked
of the almanac, labels at .5 were wrong (“population density”: Population, total), those from .57 on nearly all right;
translations count a twentieth less."""
_WHOSE = re.compile(
    r"\b(?:which|what) (?:countr(?:y|ies)|nations?|states?|places?)\b|\bwhere\b|(?:世界で)?(?:いちばん|一番|最も)"
    r"|(?:国|地域)(?:[はがを][^、。]*)?[？?]?$",
    re.IGNORECASE,
)
"""What only asks whose it is: “which country” is near to borders and partners, whatever else is asked."""
_ONLY_DATED = re.compile(r"\D+\((?:19|20)\d\d(?: est\.)?\)\s*")
"""What has no figure but the year that it is of: fish, palm oil (2023)."""
_APART = re.compile(r"[-_]")
"""What stands between the words of a title that is the name of a file."""
_BESIDE = 0.5
"""What a word of a label counts against it that nobody asked for, beside one that was asked for and is missing."""
_IN_BRACKETS, _BRACKETED = re.compile(r"[(（][^()（）]*[)）]"), 0.5
"""What a label says in brackets, and what a word counts there."""
_CALLED = 0.9
"""How far a label says it that is what is asked in other words: real GDP growth rate for economic growth."""
_WHOLLY = 0.9
"""The share from which a label says all of several words that are asked for, whatever it says besides."""
_MOSTLY = 0.5
"""Share of what is asked that title and label of a data file say, from which it is about that: overseas sales."""
_OF_TITLE = 0.5
"""What a word counts that only the title of a file says: of a table that holds nothing but years and values."""
_FEWEST, _COMPARED, _COMPARED_OF_PLACES = 8, 240, 480
"""Labels from which their average means something, and those that are compared by meaning, for the highest of all and
for what is said of one: each takes 20 ms, once. The almanac has 440, of which those of few places are asked for too."""
_MEANT, _ABROAD, _PARTLY = 0.065, 0.05, 0.085
"""How much nearer than the average a label has to lie that shares no word with what is asked; one in the other language
of which the dictionary tells that it says `_TRANSLATED_PART` of it; and one that says something else as well as a part
of it (electricity consumption is no electricity price), or of which the dictionary knows that it says nothing of it.
Measured with the same terms: .05 alone took 人件費 for military expenditures, and 物価, and 費用."""
_TRANSLATED_PART = 0.4
_OTHER_WORDS, _IN_OTHER_WORDS = 3, 0.04
"""Labels that may say in other words what is asked of a place, and how much nearer than the average they lie: of 27
questions the right one was among them in 24, and lay .04 to .11 above it. Their lines are read, not yet believed."""
_FILES, _STANDING = 40, 2.5
"""Data files that are compared by what they say of themselves, and how many standard deviations nearer to a query than
what has nothing to do with it one is read: the files that answered questions of others lay from 1.7 to 6.2."""
_SEVERAL = 3
"""Places of each of which the line is looked for that words find of one or two."""
_SURE_OF_THINGS = 0.052
"""How far above it a label lies whose line surely answers, if things are asked for by name and it names some: of 34
questions on what a country has, makes or does such labels were right from .054 on, wrong up to .050."""
_SURE_AMOUNT = 0.08
"""The same where it is an amount, whatever is asked: of one label defence spending lies .084 above, 軍隊の規模 .076."""
_AS_SURE = 0.01
"""How far below the label that surely answers another may lie and answer as surely."""
_FIRST = 5
"""Values of an order that are found at least, where the place of one is asked for: as many as are shown of any."""
_WORDS, _TOTAL = 0.03, 0.015
"""What a label gains there by words in common, and by being the total of its kind."""


def is_extreme(query: str) -> bool:
    """Whether a query asks for the highest or the lowest of something."""
    return question_parts(query).operation is Operation.RANK


def nearest_column(query: str, columns: Sequence[Column], meaning: Meaning | None) -> Column | None:
    """Return the column that holds what a query asks the extreme of; None if no label says so.

    Words tell it of labels in the query's language; of others, and where no word does, meaning.
    """
    columns = _ordered(columns)
    asked, mother = question_parts(query), language_of(query)
    things = asked_things(" ".join(asked.attributes))
    called = [frozenset(tokens(one)) - WHOLE for one in other_words(asked.attributes[0])]
    said = {column: _said(things, column, called) for column in columns} if things else {}
    if (best := _best_said(said)) is not None:
        return best
    if meaning is None or len(columns) < _FEWEST:
        return None
    among = _compared(columns)
    clause = " ".join(_WHOSE.sub(" ", asked.wordings[0]).split())
    near = _above([column.label for column in among], (asked.attributes[0], clause), meaning)
    above = {column: near.get(column.label, 0.0) for column in among}
    is_known = bool(things) and all(one.related and one.known == 1.0 for one in things)

    def least(column: Column) -> float:
        share = said.get(column, (0.0, False))[0]
        if language_of(column.label) is not mother:
            return _ABROAD if share >= _TRANSLATED_PART else _PARTLY if is_known else _MEANT
        return _PARTLY if 0 < share < _SAID else _MEANT

    def worth(column: Column) -> float:
        share, is_total = said.get(column, (0.0, False))
        return float(above[column] + _WORDS * share + (_TOTAL if is_total and share >= _SAID else 0.0))

    return max((column for column in among if above[column] >= least(column)), key=worth, default=None)


def is_of_less(query: str, column: Column, store: IndexStore) -> bool:
    """Whether a column is of less than a query asks: all exports, where those of coffee are, which lists only name."""
    things = asked_things(_WHOSE.sub(" ", " ".join(question_parts(query).attributes)))
    if len(things) < 2 or _share(things, column.label) >= _SAID:
        return False
    label = frozenset(tokens(column.label))
    unsaid = [one for one in things if one.match(label) < _CALLED]
    lists = (line for one in unsaid for line in store.lines([one.tokens]) if meets([one], "", line.said or ""))
    return any(line.label.startswith(f"{column.label} -") and not is_amount(line.said or "") for line in lists)


def compared_labels(store: IndexStore) -> list[str]:
    """Return the labels that queries are compared with by meaning: for the highest or lowest, and for what is said."""
    ordered = [column.label for column in _compared(_ordered(store.columns()))]
    return list(dict.fromkeys([*ordered, *_said_labels(store)]))


def _said_labels(store: IndexStore) -> list[str]:
    return [label for label in store.labels() if not is_note(label)][:_COMPARED_OF_PLACES]


class InOtherWords(NamedTuple):
    """What a line says under a label that may mean what is asked."""

    line: Labelled
    is_sure: bool
    """Whether it surely answers: with an amount any question, with things one that asks for them by their names."""
    is_wanted: bool = False
    """Whether it is one of several lines that bear on what is asked together."""


def said_in_other_words(query: str, store: IndexStore, meaning: Meaning | None) -> list[InOtherWords]:
    """Return what lines say of the places that a query names, under the labels that mean what it asks in other words.

    Nothing of what a label says in words, unless of several places: those find it.
    """
    asked = question_parts(query)
    places = [name for name in asked.names if name.is_place]
    labels = _said_labels(store) if meaning is not None and places else []
    if meaning is None or len(labels) < _FEWEST:
        return []
    if asked.is_wide_open:
        return _told_together(store, labels_beginning(profile(), labels), places)
    found: list[InOtherWords] = []
    for attribute, wording in asked.clauses:
        things = asked_things(attribute)
        said = max((_share(things, one) for one in _said_of_itself(labels, things)), default=0.0) if things else 0.0
        if said < _WHOLLY and not asked.wants_figure and (judged := judged_by(wording, meaning)):
            found += _told_together(store, labels_beginning(judged, labels), places)
            continue
        if said >= _SAID:
            found += _told_of_each(store, things, places)
            continue
        if named := _listed_shares(store, things, places):
            found += (InOtherWords(one, True) for one in named)
            continue
        above = _above(labels, (attribute, wording), meaning)
        best = sorted((one for one in above if above[one] >= _IN_OTHER_WORDS), key=above.__getitem__, reverse=True)
        lines = _of_places(store, best[:_OTHER_WORDS], places)
        sure = {label for label in (_sure_thing(lines, above, things), _sure_amount(lines, above)) if label}
        found += (InOtherWords(one, one.label in sure) for one in lines)
    return found


def _told_together(store: IndexStore, labels: Sequence[str], places: Sequence[Name]) -> list[InOtherWords]:
    """Return the lines of places under labels that bear on what is asked together: each of them is wanted."""
    return [InOtherWords(one, is_sure=True, is_wanted=True) for one in _of_places(store, labels, places)]


def _told_of_each(store: IndexStore, things: Sequence[Concept], places: Sequence[Name]) -> list[InOtherWords]:
    """Return the lines of several places under the label that says what is asked: words find those of some of them."""
    if len(places) < _SEVERAL or not things:
        return []
    said = {one: _said(things, one, ()) for one in _ordered(store.columns()) if one.file is None}
    labels = [best.label] if (best := _best_said(said)) is not None else []
    return [InOtherWords(one, is_sure=False, is_wanted=True) for one in _of_places(store, labels, places)]


def _said_of_itself(labels: Iterable[str], things: Sequence[Concept]) -> Iterator[str]:
    """Yield the labels that do not begin with something else: “Constitution, history” is no history of a country."""
    for label in labels:
        first = frozenset(tokens(label.partition(",")[0]))
        if any(one.match(first) for one in things):
            yield label


def _listed_shares(store: IndexStore, things: Sequence[Concept], places: Sequence[Name]) -> list[Labelled]:
    """Return the lines of places that list what is asked with its share: Catholics among religions."""
    said = [one.tokens for one in things if one.weight >= 1.0]  # A share of nothing is one of anything.
    lines = store.lines(said, _forms_of(places)) if said else []
    own = [one for one in lines if any(name.stands_in(folded(one.who)) for name in places)]
    return [one for one in own if lists_share(things, one.said or "")]


def _sure_thing(lines: Sequence[Labelled], above: Mapping[str, float], things: Sequence[Concept]) -> str:
    """Return the nearest label under which things are named, if it surely says what is asked, or its line does."""
    best = next((one for one in lines if not is_amount(one.said or "")), None)
    is_sure = best and (above[best.label] >= _SURE_OF_THINGS or _share(things, best.said or "") >= _SAID)
    return best.label if best and is_sure else ""


def _sure_amount(lines: Sequence[Labelled], above: Mapping[str, float]) -> str:
    """Return the nearest label of all, if it is that of an amount and surely says what is asked."""
    is_sure = bool(lines) and is_amount(lines[0].said or "") and above[lines[0].label] >= _SURE_AMOUNT
    return lines[0].label if is_sure else ""


def _above(labels: Sequence[str], asked: Sequence[str], meaning: Meaning) -> dict[str, float]:
    """Return how much nearer than the average each label lies to what is asked, on average of its wordings.

    A label that surely answers it lies above all others, unless those of another kind do nearly as well; where none
    answers it, those that are known lie nowhere.
    """
    near = [one for one in (meaning.nearness(wording, labels, Look.BOTH) for wording in asked) if one is not None]
    means = [sum(ones) / len(near) for ones in zip(*(one - one.mean() for one in near), strict=True)]
    above = dict(zip(labels, map(float, means), strict=False))
    answered = asked_of(asked[-1], labels, meaning)
    if is_answered_by_none(asked[-1], answered, meaning):
        return above | dict.fromkeys(answered, 0.0)
    least = max(SURELY_ASKED, max(answered.values(), default=0.0) - _AS_SURE)
    sure = {label: own for label, own in answered.items() if own >= least}
    is_of_one = len({label.partition(", ")[0] for label in sure}) == 1
    return above | {label: own + max(above.values()) for label, own in sure.items() if is_of_one}


def _of_places(store: IndexStore, labels: Sequence[str], places: Sequence[Name]) -> list[Labelled]:
    """Return what is said of places under some labels, in the order of these, of each place once."""
    said = store.said_of(labels, _forms_of(places)) if labels else []
    own = [line for line in said if any(name.stands_in(folded(line.who)) for name in places)]
    once = {(line.who, line.label): line for line in reversed(own)}
    return sorted(once.values(), key=lambda line: labels.index(line.label))


def _forms_of(places: Iterable[Name]) -> list[str]:
    """Return every way in which places may be written: Türkiye is Turkey elsewhere, the United States are USA."""
    return list(dict.fromkeys(form for name in places for form in (name.en, name.ja, *name.forms)))


def _ordered(columns: Iterable[Column]) -> list[Column]:
    """Return the columns whose values can be ordered: a note is no name of values."""
    return [column for column in columns if not is_note(column.label)]


def _compared(columns: Iterable[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: -column.size)[:_COMPARED]


def _best_said(said: Mapping[Column, tuple[float, bool]]) -> Column | None:
    """Return the column that says most of what is asked, a total before others; None if none says enough of it."""
    best = max(said, key=lambda column: (*said[column], column.size), default=None)
    return best if best is not None and said[best][0] >= _SAID else None


def _share(things: Sequence[Concept], label: str) -> float:
    """Return how far a label says what is asked, less for every word beside it (0 to 1)."""
    return _said(things, Column(label, None, "", 0), ())[0] if things else 0.0


def _said(things: Sequence[Concept], column: Column, called: Collection[frozenset[str]]) -> tuple[float, bool]:
    """Return how far a column says what is asked, less for every word beside it (0 to 1), and whether it is a total.

    Words in brackets only say how it is meant: Real GDP (purchasing power parity); Education expenditure (% GDP).
    """
    label, main = frozenset(tokens(column.label)), frozenset(tokens(_IN_BRACKETS.sub(" ", column.label)))
    is_total = not label.isdisjoint(WHOLE)
    title = frozenset(tokens(_APART.sub(" ", column.title))) if column.file is not None else frozenset[str]()
    asked = sum(one.weight for one in things)
    own = 0.0
    for one in things:
        here = max(one.match(main), _BRACKETED * one.match(label))
        own += one.weight * max(here, (1.0 if column.is_only else _OF_TITLE) * one.match(label | title))
    beside = sum(
        1.0 if word in main else _BRACKETED
        for word in label - WHOLE
        if not any(one.match(frozenset((word,))) for one in things)
    )
    is_whole = len(things) > 1 and own >= _WHOLLY * asked
    share = own / (asked + (0.0 if column.is_only else _BESIDE * beside))
    return max(share, _SAID * is_whole, _CALLED * (main - WHOLE in called)), is_total


def extremes(query: str, values: Sequence[Labelled], at_most: int) -> list[Labelled]:
    """Return the highest values of a column, or the lowest: one for each subject, its latest; all of one alone.

    Those of other years than the ones asked for are left out, and where most subjects are places, those of none; where
    a part of the world is asked for, those that do not lie there. Of a limit, those that do not keep to it.
    """
    asked, parts = question_parts(query), regions_in(query)
    figures = [one for one in values if not _ONLY_DATED.fullmatch(one.said or "")]
    if 2 * len(figures) < len(values):
        return []
    meant = [one for one in figures if _is_meant(one, asked) and lies_in(one.who, parts)]
    is_series = not parts and len({one.subject for one in meant}) == 1 and meant[0].subject
    latest = _latest(meant, lambda one: one.period if is_series else folded(one.who))
    kept = places_among(latest, lambda one: one.who)
    if asked.limit is not None:
        kept = [one for one in kept if asked.limit.holds(_number(one))]
    ordered = sorted(kept, key=_number, reverse=not asked.is_least)
    if asked.placed is not None:
        return _down_to(asked.placed, ordered)[:at_most]
    return list(asked.ends_of(ordered, at_most))


def _down_to(name: Name, ordered: Sequence[Labelled]) -> list[Labelled]:
    """Return the values of an order down to that of a place, and a few behind it where it is one of the first."""
    own = next((index for index, one in enumerate(ordered) if name.stands_in(folded(one.who))), len(ordered))
    return list(ordered[: max(own + 1, _FIRST)])


def told_of_all(query: str, store: IndexStore, at_most: int) -> list[Labelled]:
    """Return what a library tells, in one way, of all places of which it says what is asked; nothing of fewer than two.

    One way is one label: the one under which it is said of most. Of each place its latest, in order of the files.
    """
    asked = things_of_all(question_parts(query))
    if not asked:
        return []
    parts, found = regions_in(query), dict[str, list[Labelled]]()
    for line in store.lines([one.tokens for one in asked]):
        if meets(asked, line.label, line.said or "") and is_place(line.who):
            found.setdefault(line.label, []).append(line)
    latest = {label: _latest(lines, lambda one: one.who) for label, lines in found.items()}
    told = {label: [one.said or "" for one in lines] for label, lines in latest.items()}
    best = latest.get(best_told(told, asked), [])
    return [line for line in best if lies_in(line.who, parts)][:at_most] if len(best) > 1 else []


def rows_about(query: str, store: IndexStore, meaning: Meaning | None, at_most: int) -> list[Labelled]:
    """Return a row of each data file that has some on a place that a query asks a figure of, in the time it asks for.

    Words rank prose on the place before rows that hold nothing but its name and figures. Of nobody in particular files
    tell whose title and columns are what is asked, or come near to it in meaning.
    """
    asked = question_parts(query)
    places = [name for name in asked.names if name.is_place]
    if asked.wants_prose:
        return []
    if not places:
        columns = [one for one in store.columns() if one.file is not None]
        called = [] if asked.names else [one for one in columns if _is_called(one, asked)]
        files = {one.file: one for one in [*called, *_near(query, columns, meaning)]}
        return [store.values(one)[0] for one in files.values()][:at_most]
    found = store.rows(_forms_of(places), () if asked.goes_on else asked.years)
    first: dict[int, Labelled] = {}
    for one in found:
        if any(name.stands_in(folded(one.subject)) for name in places):
            first.setdefault(one.file, one)
    return list(first.values())[:at_most]


def _near(query: str, columns: Sequence[Column], meaning: Meaning | None) -> list[Column]:
    """Return a column of each data file that says of itself what is asked in other words, the nearest first."""
    files: dict[int | None, list[Column]] = {}
    for one in columns:
        files.setdefault(one.file, []).append(one)
    told = [own[0] for own in sorted(files.values(), key=len)[-_FILES:]]
    texts = [f"{one.title}: {', '.join(other.label for other in files[one.file])}" for one in told]
    texts = [humps_apart(_APART.sub(" ", text)) for text in texts]
    near = meaning.standing_out(query, texts, Look.BOTH) if meaning is not None and texts else None
    worth = dict(zip(told, near or [], strict=False))
    ways = {folded(way) for word in tokens(query) for way in other_words(word)} if texts else set()
    for one, text in zip(told, map(folded, texts), strict=True):
        if any(len(way) > 3 and way in text for way in ways):
            worth[one] = max(worth.get(one, 0.0), _STANDING)
    return sorted((one for one in worth if worth[one] >= _STANDING), key=lambda one: -worth[one])


def _is_called(column: Column, asked: Asked) -> bool:
    """Whether the title and label of a column of a data file say most of something asked."""
    said = frozenset(tokens(_APART.sub(" ", f"{column.title} {column.label}"))) if column.file is not None else None
    parts = [[one for one in asked_concepts(attribute) if not one.is_period] for attribute in asked.attributes]
    return said is not None and any(
        sum(one.weight * one.match(said) for one in things) >= _MOSTLY * sum(one.weight for one in things)
        for things in filter(None, parts)
    )


def _latest(values: Iterable[Labelled], subject: Callable[[Labelled], str]) -> list[Labelled]:
    """Return of each subject the value of its latest period, in the order in which subjects come."""
    latest: dict[str, Labelled] = {}
    for one in values:
        held = latest.setdefault(subject(one), one)
        if one.period > held.period:
            latest[subject(one)] = one
    return list(latest.values())


def _number(one: Labelled) -> float:
    return one.number or 0.0


def _is_meant(one: Labelled, asked: Asked) -> bool:
    if asked.years and one.period[:4].isdigit() and not asked.is_in_years(one.period[:4]):
        return False
    said = folded(f"{one.subject} {one.title}")
    return not asked.names or any(name.stands_in(said) for name in asked.names)
