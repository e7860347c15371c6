"""A question taken apart: whom it is about, what is asked of them, when, and what is to be done with it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TypeVar

from research.language import Language
from research.text import asking
from research.text.asking import Limit, Operation
from research.text.clauses import english_parts, japanese_parts
from research.text.names import LONGEST_QUESTION, TERM, names_in, without_names
from research.text.places import EUROPEAN_UNION, Name, groups_in, in_full, regions_in
from research.text.sentences import YEAR
from research.text.words import folded, language_of

_Placed = TypeVar("_Placed")
_ABOUT = re.compile(r"\s*([^:：]{1,80})[:：]\s*(?=\S)(.+)")
"""Such a line that says first whom it is about: Japan: inflation."""
_CAPITALS = re.compile(
    rf"(?<![A-Za-z0-9_-])(?!{TERM})(?:[A-Z]{{4,}}|[A-Z]{{2,}}-\d+|[A-Z]{{1,4}}&[A-Z]{{1,3}})(?![A-Za-z0-9_-])"
    r"|(?!フリー・キャッシュ)[ァ-ヺー]{3,20}・[ァ-ヺー・]{2,}|(?<![A-Za-z])[A-ZＡ-Ｚ]社"
    r"|\b[Cc]ompany [A-Z]\b|(?<![A-Za-z])(?:[a-z]{1,2}|[A-Z][a-z]+)[A-Z][a-z]+(?![A-Za-z])"
)
"""What is a name without the form of one: NVIDIA, AN-300, P&G, eBay, エービーシー・マート, K社 and company K."""
_QUARTER = re.compile(r"Q[1-4]|[1-4]Q")
_SPELT = re.compile(r"([ァ-ヺー・]{2,20})[（(]([A-Z][\w&. -]{1,40})[）)]")
"""A name in katakana with its spelling abroad: アムコア（Amcor）."""
_FORMERLY = re.compile(
    r"([A-Z][\w&.-]*(?: [A-Z][\w&.-]*)*)(?:['’]s)? "
    r"\((?:formerly|previously|now|also)(?: known as| called)? ([A-Z][\w&. -]*)\)"
)
"""A name with the one that it had before: Block (formerly known as Square)."""
_BEGINNING = re.compile(r"(?<![^\s「『（(、。，])[ぁ-ゖ]+(?<![のはがをにでともやへなたるいかられしぜずおてびり])$")
"""The hiragana that a name begins with: あさなぎポンプ工業. After a letter that ends other words nobody knows."""
_COMPANY = re.compile(r"[Cc]ompany ([A-Z])|([A-ZＡ-Ｚ])社")
_OVERVIEW = {Language.EN: ("overview", "background"), Language.JA: ("概要", "背景")}
"""What is asked where a question is open and names nothing but its subject."""
_SIDE_BY_SIDE = {
    Language.EN: ("population", "GDP", "GDP per capita", "GDP growth rate", "inflation rate"),
    Language.JA: ("人口", "GDP", "一人当たりGDP", "経済成長率", "インフレ率"),
}
"""What countries are compared in where the question does not say in what."""
_MOST_PARTS = 12
MOST_WITHIN = 30
"""Values that are found of a question which sets them a limit: as many as a report can list."""


_OF_BOTH = re.compile(r"([^\s、。]{1,40})[はと]\s*の\1")
"""What is asked of one and of the other, without their names: 人口は の人口."""


@dataclass(frozen=True)
class Part:
    """One thing that is asked."""

    about: str
    """Whom or what it is about; empty where that is what the whole question is about."""
    asked: str

    def __str__(self) -> str:
        """Return it as a line that lists it in a question."""
        return f"{self.about}: {self.asked}" if self.about else self.asked


@dataclass(frozen=True)
class Asked:
    """A question taken apart."""

    question: str
    names: tuple[Name, ...]
    attributes: tuple[str, ...]
    """What is asked of each, in the question's own words, one each; the whole question where nothing is left."""
    wordings: tuple[str, ...]
    """The clause that asks for each, as it is worded: “how large is its economy” says more than “economy”."""
    years: tuple[str, ...]
    months: tuple[str, ...]
    """As `2025-04`, in order."""
    operation: Operation
    abouts: tuple[str, ...] = ()
    """Whom each is asked of, where the question lists its parts and says so; else all that it names."""
    limit: Limit | None = None
    """Where it asks for all whose values are above or below one: they are put in order."""
    beside: str = ""
    """All that was written, with how it is to be answered and what its words mean."""
    placed: Name | None = None
    """Whose place is asked for in the order of all, of whom nothing else is asked."""

    @property
    def clauses(self) -> tuple[tuple[str, str], ...]:
        """Each attribute with its clause, as they are compared by meaning: never with the names of whom they are of."""
        if self.attributes == (self.question,):
            bare = " ".join(without_names(self.question, self.names).split())
            return ((bare, bare),)
        return tuple(zip(self.attributes, self.wordings, strict=True))

    @property
    def points(self) -> tuple[str, ...]:
        """What is asked: as the question lists it, with whom it is asked of where that is not the same for all."""
        if len(set(self.abouts)) < 2:
            return self.wordings if self.abouts else tuple(map(self._nameless, self.told, self.attributes))
        of = "の" if language_of(self.question) is Language.JA else " "
        return tuple(f"{who}{of}{what}" if who else what for who, what in zip(self.abouts, self.wordings, strict=True))

    @property
    def told(self) -> tuple[str, ...]:
        """What is asked of each as a reader is told: from its first word to its last as they stand in the question."""
        return tuple(_span(attribute, self.question) for attribute in self.attributes)

    def _nameless(self, told: str, attribute: str) -> str:
        """Return what a reader is told unless it names somebody: what is asked is looked for with whomever it is of."""
        return attribute if any(name.stands_in(folded(told)) for name in self.names) else told

    @property
    def listed(self) -> tuple[str, ...]:
        """The parts that the question lists itself; none where it does not."""
        return self.points if self.abouts else ()

    @property
    def wants_prose(self) -> bool:
        """Whether a reason or an overview is asked for, which no value gives."""
        return self.operation in (Operation.REASON, Operation.OPEN)

    @property
    def wants_overview(self) -> bool:
        """Whether it asks for what there is to be said, not for one thing: in short, an outline, 概要."""
        return self.operation is Operation.OPEN or asking.AS_A_WHOLE.search(self.question) is not None

    sums_up = asking.Asks(asking.SUMS_UP)
    """Whether it asks to sum up, whichever figures are wanted with it."""

    wants_figure = asking.Asks(asking.HOW_MUCH)
    """Whether a number is asked for."""

    wants_date = asking.Asks(asking.WHEN)
    """Whether it asks when."""

    wants_since = asking.Asks(asking.SINCE)
    """Whether it asks when, if only beside what else it asks."""

    @property
    def wants_items(self) -> bool:
        """Whether things are asked for by their names, not an amount of them, in one part at least."""
        return any(map(self.wants_items_of, range(len(self.attributes))))

    def wants_items_of(self, part: int) -> bool:
        """Whether one part asks for things by their names: the biggest exports, beside how long men have to serve."""
        is_list = (
            self.operation is Operation.RANK and bool(self.names) and asking.WHAT_ARE.search(self.question) is not None
        )
        if self.limit is not None or not (is_list or self.operation is Operation.LOOK_UP):
            return False
        told = self.wordings[part] if len(self.attributes) > 1 else self.question
        return asking.HOW_MUCH.search(told) is None and asking.ITEMS.search(told) is not None

    @property
    def wants_amounts(self) -> bool:
        """Whether only figures answer it: they are added up, or one is held against another."""
        is_measured = self.operation is Operation.COMPARE and asking.MORE_OR_LESS.search(self.question) is not None
        return self.operation in (Operation.ADD, Operation.RATIO) or self.wants_difference or is_measured

    def is_in_years(self, year: str) -> bool:
        """Whether a year is one of those asked for; a change goes from the first, or before it, or on since."""
        if not self.years:
            return True
        first, last = min(self.years), max(self.years)
        if self.goes_on:
            return first <= year
        if (self.operation is Operation.CHANGE or self.ranks_growth) and first == last:
            first = str(int(first) - 1)
        spans = self.ranks_growth or self.operation in (Operation.CHANGE, Operation.COMPARE)
        return first <= year <= last if spans else year in self.years

    @property
    def goes_on(self) -> bool:
        """Whether a change is asked for from a year on: since 2022."""
        is_since = self.operation is Operation.CHANGE and asking.AFTERWARDS.search(self.question) is not None
        return bool(self.years) and is_since

    @property
    def is_least(self) -> bool:
        """Whether an order begins with the lowest."""
        is_least = asking.LEAST.search(self.question) is not None and not self.has_both_ends
        return not self.limit.is_above if self.limit else is_least

    @property
    def first_few(self) -> int | None:
        """How many of the first of an order are asked for; None where the question does not say."""
        is_order = self.operation is Operation.RANK and self.limit is None
        return asking.first_few_of(self.question) if is_order else None

    @property
    def is_bounded(self) -> bool:
        """Whether all of an order is asked for down to a limit, or to whoever's place in it is asked for."""
        return self.limit is not None or self.placed is not None

    @property
    def counts_places(self) -> bool:
        """Whether it asks how many there are that keep to a limit."""
        return self.limit is not None and asking.HOW_MANY_PLACES.search(self.question) is not None

    @property
    def has_both_ends(self) -> bool:
        """Whether both the highest and the lowest are asked for."""
        return self.limit is None and bool(asking.LEAST.search(self.question) and asking.MOST.search(self.question))

    def ends_of(self, ordered: Sequence[_Placed], at_most: int) -> Sequence[_Placed]:
        """Return the first of an order; as many of its last beside them where both ends are asked for."""
        if not self.has_both_ends or len(ordered) <= at_most:
            return ordered[:at_most]
        return [*ordered[: at_most // 2], *ordered[-(at_most // 2) :]]

    @property
    def is_wide_open(self) -> bool:
        """Whether nothing in particular is asked of its subject."""
        return self.operation is Operation.OPEN and self.attributes == _OVERVIEW[language_of(self.question)]

    @property
    def is_rank_of_all(self) -> bool:
        """Whether all places that there are, or those of a part of the world, are to be put in order."""
        return self.operation is Operation.RANK and not any(name.is_place for name in self.names)

    @property
    def is_of_all(self) -> bool:
        """Whether it asks of all places, or all of a part of the world: whichever there are."""
        if self.operation not in (Operation.LOOK_UP, Operation.COMPARE, Operation.OPEN):
            return False
        if asking.WHICH_PLACES.search(self.question):
            return not any(name.is_place for name in self.names)
        return not self.names and bool(regions_in(self.question))

    @property
    def wants_change(self) -> bool:
        """Whether it asks how something changed, if only beside what else it asks."""
        return self.operation is Operation.CHANGE or asking.BEFORE.search(self.question) is not None

    @property
    def wants_series(self) -> bool:
        """Whether it asks how something was in several periods that it does not name."""
        return not self.years and asking.SERIES.search(self.question) is not None

    @property
    def wants_difference(self) -> bool:
        """Whether it asks by how much two figures differ."""
        is_compared = self.operation is Operation.COMPARE and asking.DIFFERENCE.search(self.question) is not None
        is_more = asking.EXCEEDS.search(self.question) or asking.BALANCE.search(self.question)
        return is_compared or is_more is not None

    @property
    def compares_months(self) -> bool:
        """Whether it asks by how much more or less something was in one month than in another."""
        return self.names_months and len(self.months) == 2 and asking.THAN.search(self.question) is not None

    @property
    def ranks_growth(self) -> bool:
        """Whether an order is asked for of how much something grew."""
        return self.operation is Operation.RANK and asking.GROWTH.search(self.question) is not None

    @property
    def ranks_size(self) -> bool:
        """Whether it asks, if only beside how much each grew, how large each is."""
        return not self.ranks_growth or asking.SIZE.search(self.question) is not None

    @property
    def wants_each(self) -> bool:
        """Whether it asks for a figure of each of those of whom it is told: sales by country."""
        return bool(self.each)

    @property
    def each(self) -> str:
        """What a figure is asked of each of, as the question says it: by country."""
        match = asking.BY_EACH.search(self.question)
        return match.group() if match else ""

    wants_relation = asking.Asks(asking.PER)
    """Whether it asks for one figure in relation to another: revenue per unit."""

    wants_average = asking.Asks(asking.AVERAGE)
    """Whether it asks what something is on average."""

    @property
    def averages_group(self) -> bool:
        """Whether it asks what something is on average in a group of countries."""
        return self.wants_average and bool(groups_in(self.question))

    is_ours = asking.Asks(asking.OURS)
    """Whether it is about those who ask."""

    @property
    def times(self) -> tuple[str, ...]:
        """The months, else the years, in which documents on it may be written; of a fiscal year that is not told."""
        return () if asking.fiscal_years_of(self.question) else self.months or self.years

    @property
    def names_months(self) -> bool:
        """Whether it names months, and not those with which a fiscal year begins and ends."""
        return bool(self.months) and self.times == self.months

    @property
    def spans(self) -> tuple[tuple[str, str], ...]:
        """The first and last month of each fiscal year asked for; else of what lies between the months asked for."""
        years = asking.fiscal_years_of(self.question)
        return tuple((f"{year}-04", f"{year + 1}-03") for year in years) or ((self.span,) if self.span else ())

    def is_in_months(self, month: str) -> bool:
        """Whether a month is one of those asked for, or lies between them, unless each is asked for by itself.

        Some have to be asked for.
        """
        is_alone = self.names_months and asking.RANGE.search(self.question) is None
        return month in self.months if is_alone else min(self.months) <= month <= max(self.months)

    @property
    def span(self) -> tuple[str, str] | None:
        """The first and last month asked for, as `2025-04`; None if no months are."""
        return (min(self.months), max(self.months)) if self.months else None


def _asking(said: Iterable[str]) -> list[str]:
    """Return the sentences of a question without those before it that only say why it is asked."""
    sentences = [one for one in said if one.strip()]
    return [one for one in sentences if not asking.SETS_THE_SCENE.search(one)] or sentences


@lru_cache(maxsize=256)
def question_parts(question: str) -> Asked:
    """Take a question apart; of a very long one, its beginning."""
    whole = question[:LONGEST_QUESTION]
    question = asking.as_written(asking.sentences_asking(whole))
    said = (one for one in names_in(question) if not _QUARTER.fullmatch(one.en))
    found = tuple(_named(one.en) if _COMPANY.fullmatch(one.en) else _whole(one, question) for one in said)
    if belongs := len(found) > 1 and asking.BELONGS.search(question) is not None:
        found = tuple(one for one in found if one.en != EUROPEAN_UNION)
    spelt = tuple(Name(en, ja, (folded(en), folded(ja))) for ja, en in _SPELT.findall(question))
    spelt += tuple(Name(now, now, (folded(now), folded(old))) for now, old in _FORMERLY.findall(question))
    bare = in_full(asking.as_member(question) if belongs else question)
    bare = _FORMERLY.sub(r"\1", _SPELT.sub(r"\1", bare))
    found = (*spelt, *(one for one in found if not any(one.stands_in(form) for two in spelt for form in two.forms)))
    groups, parts_of_world = groups_in(question), regions_in(question)
    known = {form for one in (*found, *parts_of_world) for form in one.forms}
    further = [
        word
        for word in _CAPITALS.findall(bare)
        if not known.issuperset(map(folded, word.split("・")))
        and not any(one.en.startswith(folded(word)) for one in groups)
    ]
    names = (*found, *map(_named, dict.fromkeys(further)))
    bare = " ".join(asking.LEADS_TO_QUESTION.sub("", one) for one in _asking(asking.SENTENCE_END.split(bare)))
    bare = _OF_BOTH.sub(r"\1", asking.without_times(without_names(bare, (*groups, *names, *parts_of_world))))
    operation, limit = asking.operation_of(question, names), None
    is_which = not names and asking.WHY_OR_HOW.search(question) is None
    below = asking.with_zero(bare) if is_which and asking.WHICH_PLACES.search(question) else bare
    if is_which and (below != bare or operation in (Operation.LOOK_UP, Operation.RANK, Operation.COMPARE)):
        bare, limit = asking.without_limit(below)
    of_states = bool(groups) or any(name.is_place for name in names)
    of_order = asking.order_asked(question, bare, names[0]) if len(names) == 1 and names[0].is_place else None
    placed: Name | None = None
    if of_order is not None:
        placed, bare = names[0], of_order
        names = ()
    operation = Operation.RANK if limit or placed else operation
    if groups and operation in (Operation.LOOK_UP, Operation.COMPARE) and asking.IN_TOTAL.search(question):
        bare, operation = asking.IN_TOTAL.sub(" ", bare), Operation.ADD
    in_english = partial(english_parts, of_states=of_states)
    taken = japanese_parts if language_of(question) is Language.JA else in_english
    parts = taken(bare)
    if listed := _listed(question):
        return _as_listed(question, names, listed, taken)
    if not parts and names and all(name.is_place for name in names) and asking.HOW_LARGE.search(question):
        parts = {asking.AREA[language_of(question)]: question}
    if not parts and names and operation is Operation.COMPARE and all(name.is_place for name in names):
        parts = {part: part for part in _SIDE_BY_SIDE[language_of(question)]}
    if not parts and names and asking.OVERVIEW.search(question):
        operation = Operation.OPEN
    if not parts and operation is Operation.OPEN:
        parts = dict.fromkeys(_OVERVIEW[language_of(question)], question)
    return Asked(
        question,
        names,
        tuple(parts) or (question,),
        tuple(parts.values()) or (question,),
        tuple(dict.fromkeys(YEAR.findall(question))),
        tuple(sorted(asking.months_of(question))),
        operation,
        beside=whole,
        limit=limit,
        placed=placed,
    )


def _named(word: str) -> Name:
    """Return what a name is called; a company known by a letter has a name in either language."""
    if (match := _COMPANY.fullmatch(word)) is None:
        return Name(word, word, (folded(word),))
    letter = unicodedata.normalize("NFKC", match[1] or match[2])
    en, ja = f"Company {letter}", f"{letter}社"
    return Name(en, ja, (folded(en), folded(ja)))


def _whole(name: Name, question: str) -> Name:
    """Return a name with the hiragana that it begins with, as a reader is told it; it is looked for as before."""
    if name.is_place:
        return name
    whole = _from_its_beginning(name.ja, question)
    return replace(name, ja=whole, en=whole if name.en == name.ja else name.en)


def _from_its_beginning(words: str, question: str) -> str:
    begins = _BEGINNING.search(question[: max(question.find(words), 0)])
    return begins[0] + words if begins else words


def _as_listed(
    question: str, names: tuple[Name, ...], listed: tuple[Part, ...], taken: Callable[[str], dict[str, str]]
) -> Asked:
    """Return a question whose parts stand in it as a list: they are what is asked, of those that they name."""
    abouts = " / ".join(part.about for part in listed)
    about = question_parts(abouts).names if abouts.strip(" /") else names
    of = "の" if language_of(question) is Language.JA else " "
    said: dict[str, Part] = {}
    for part in listed:
        # What is no name, such as a kind of thing, is looked for in words.
        is_named = not part.about or any(name.stands_in(folded(part.about)) for name in about)
        told = part if is_named else Part("", f"{part.about}{of}{part.asked}")
        bare = asking.without_times(without_names(told.asked, about or names))
        what = " ".join(taken(bare)) or " ".join(bare.split()) or told.asked
        # The same asked of several is asked of all.
        said[what] = told if what not in said else Part("", said[what].asked)
    return Asked(
        question,
        about or names,
        tuple(said),
        tuple(part.asked for part in said.values()),
        tuple(dict.fromkeys(YEAR.findall(question))),
        tuple(sorted(asking.months_of(question))),
        asking.operation_of(question, names),
        tuple(part.about for part in said.values()),
    )


def _listed(question: str) -> tuple[Part, ...]:
    """Return the parts that a question lists, a line each."""
    lines = [_ABOUT.fullmatch(line.strip()) or line.strip() for line in asking.LISTED.findall(question)]
    parts = (Part("", line) if isinstance(line, str) else Part(line[1].strip(), line[2].strip()) for line in lines)
    return tuple(dict.fromkeys(parts))[:_MOST_PARTS]


def head_of(question: str) -> str:
    """Return a question without the list of its parts; all of it where it is nothing else."""
    return " ".join(asking.LISTED.sub("", question).split()) or " ".join(question.split())


def parts_of(question: str) -> tuple[Part, ...]:
    """Return what is asked, part by part: as the question lists it, else as it is taken apart."""
    if listed := _listed(question):
        return listed
    asked = question_parts(question)
    about = ("、" if language_of(question) is Language.JA else ", ").join(
        name.ja if language_of(question) is Language.JA else name.en for name in asked.names
    )
    return tuple(Part(about, _from_its_beginning(point, question)) for point in asked.points[:_MOST_PARTS])


def with_parts(question: str, parts: Sequence[Part]) -> str:
    """Return a question that lists these parts, and no others."""
    head = asking.LISTED.sub("", question).strip()
    return "\n".join([head, *(f"- {part}" for part in parts if part.asked)]).strip()


def _span(words: str, question: str) -> str:
    """Return the part of a question from the first of some of its words to the last; the words if they stand apart."""
    if words in question:
        return words
    pieces = [rf"(?<![a-z0-9]){re.escape(piece)}(?![a-z0-9])" for piece in words.split()]
    found = re.search("(?=(" + r"[^?？。]{0,30}?".join(pieces) + "))", question, re.IGNORECASE)
    return found[1] if found else words
