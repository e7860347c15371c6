"""Where sources contradict each other, found by rules or named by an analyst.

Compared are figures that are said of the same thing, dates of an event that happens once, and sentences of which one
denies or reverses the other. Nothing is averaged and no side is taken.

Everything that tells one thing from another must stand on both sides: names, the words of the clause or label, period,
standing, kind of change. Between languages only words that have a translation can be looked for; others may stand there
only if a product code or another figure on both sides pins the thing down. Where a doubt is left, the answer is no.

A run tells of those that touch its question, and of those that its analyst named in a reflection.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from research.core import Doubt, Event, Evidence, Page, Reflected, first_day
from research.language import Phrase
from research.quantities import Figure, Period, agree, conversion, label_of, periods, subject_of, unit_named
from research.text import sentences
from research.verification.checks import OpposedPassage, contradiction
from research.verification.statements import (
    Standing,
    Statement,
    Words,
    are_ranked_apart,
    is_conditional,
    is_replaced,
    joined,
    may_be_name,
    plain,
    standing_of,
    statements,
    translatable,
    weight,
    words_of,
)
from research.verification.verdicts import Contradiction, ContradictionKind, Side
from research.verification.words import opposites, unit_of, units

_NOTES = {
    ContradictionKind.FIGURES: Phrase("The sources give different figures for the same thing."),
    ContradictionKind.DATES: Phrase("The sources give different dates for the same event."),
    ContradictionKind.STATEMENTS: Phrase("The sources say the opposite of each other."),
}
_BEYOND_LIMIT = Phrase("What one source plans or expects lies beyond the limit that another sets.")
_REPLACES = Phrase("One source names the other's value as the earlier one and replaces it.")
UNDATED = "9999"
"""Sorts behind every date."""
_ENOUGH = 2.0
"""Words that must be shared: whose, and what."""
_ENOUGH_WITHOUT_NAME = 3.0
_APART_DAYS = 366
"""Days between two pages up to which what they say without a period is of the same time."""
_REACH = 10.0
"""Figures that are more than ten times apart are of different things, or one of them was misread."""
_CROWD = 200
"""What shares a word, up to which all of it is compared: a word of more than that tells nothing."""
_LOOK = 40


@dataclass(frozen=True)
class _Stand:
    """What one sentence holds on something that another may disagree about: a figure, a date or a clause."""

    kind: ContradictionKind
    statement: Statement
    own: Words
    """The words of its clause or label: what it is said of."""
    value: str
    period: str | None
    standing: Standing = Standing.FACT
    former: tuple[str, ...] = ()
    """Values that the sentence gives as former ones, as printed."""
    figure: Figure | None = None
    change: int = 0
    """1 or -1 if a figure says how much more or less something is, else 0."""
    events: frozenset[str] = frozenset()
    """What happens on a date, or the words of a clause that have an opposite."""

    @property
    def amount(self) -> float:
        """The value, negative for a decrease."""
        value = self.figure.value if self.figure else 0.0
        return self.change * abs(value) if self.change else value

    def as_side(self) -> Side:
        """Return it as a side of a contradiction."""
        entry, page = self.statement.entry, self.statement.page
        quote = entry.quote if self.statement.is_row else _sentence_of(entry.quote, self.value, self.statement.text)
        return Side(evidence=entry.id, source=page.id, value=self.value, quote=quote, published=page.published)


def _sentence_of(quote: str, value: str, said: str) -> str:
    """Return the sentence of a quote that says it, as it stands there; the whole quote if none does."""
    spans = (line[one.start : one.end] for line in quote.splitlines() for one in sentences(line))
    told = [_ITEM.sub("", span) for span in spans if value in span]
    return next((one for one in told if plain(one) in said or said in plain(one)), quote)


_ITEM = re.compile(r"^\s*(?:[-*+•・]|\d{1,2}[.)])\s+")


def contradictions(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> tuple[Contradiction, ...]:
    """Return what different pages say differently in `evidence`: figures, then dates, then opposite statements.

    Figures and dates must be of the same thing, period and standing (a target is no result, but a plan can break a
    limit), and must differ by more than they are rounded. In doubt nothing is reported. Linear in the evidence but for
    quotes that share rare words, which are compared with each other.
    """
    stands = [stand for statement in statements(evidence, pages) for stand in _stands(statement)]
    found = []
    for kind, differ in _DIFFER.items():
        of_kind = [stand for stand in stands if stand.kind is kind]
        pairs = [pair for pair in _candidates(of_kind) if differ(*pair)]
        found += _gathered(kind, pairs)
    return tuple(found)


_FIGURES = 40
"""Figures of a sentence or a row of which more are no statement on any of them."""


def _stands(statement: Statement) -> Iterator[_Stand]:
    if is_conditional(statement.text) or len(statement.figures) > _FIGURES:
        return
    yield from _of_row(statement) if statement.is_row else _of_sentence(statement)
    if not statement.is_row and not statement.is_line:
        yield from _dated(statement)
        yield from _said(statement)


def _candidates(stands: Sequence[_Stand]) -> Iterator[tuple[_Stand, _Stand]]:
    """Yield pairs of different pages that share a word of what they are said of, or another figure, each once."""
    holders: dict[str, list[int]] = defaultdict(list)
    for index, stand in enumerate(stands):
        others = () if stand.statement.is_row or not stand.figure else stand.statement.figures
        conditions = [f"{one.value:g} {one.unit}" for one in others if one.unit and one is not stand.figure]
        for key in (*stand.own.all, *conditions):
            holders[f"{key} {stand.period}"].append(index)
    seen = {pair for found in holders.values() if len(found) <= _CROWD for pair in combinations(found, 2)}
    for first, second in sorted(seen):
        if stands[first].statement.page.id != stands[second].statement.page.id:
            yield stands[first], stands[second]


def _gathered(kind: ContradictionKind, pairs: Sequence[tuple[_Stand, _Stand]]) -> list[Contradiction]:
    """Return a contradiction for each group of stands that are joined by pairs, in the order of the pairs."""
    group_of: dict[tuple[str, str, str], dict[tuple[str, str, str], _Stand]] = {}
    for pair in pairs:
        keys = [(stand.statement.page.id, stand.statement.text, stand.value) for stand in pair]
        group = {name: member for key in keys for name, member in group_of.get(key, {}).items()}
        group |= dict(zip(keys, pair, strict=True))
        group_of |= dict.fromkeys(group, group)
    groups = {id(group): list(group.values()) for group in group_of.values()}
    return [_contradiction(kind, group) for group in groups.values()]


def _contradiction(kind: ContradictionKind, group: Sequence[_Stand]) -> Contradiction:
    ordered = sorted(group, key=lambda stand: (stand.statement.page.published or UNDATED, stand.statement.entry.start))
    sides = list({(stand.statement.page.id, stand.value): stand for stand in reversed(ordered)}.values())[::-1]
    first, others = sides[0], [side.statement.wide for side in sides[1:]]
    former = {_bare(value) for side in sides for value in side.former}
    replaced = any(_bare(side.value) in former for side in sides)
    breaks_limit = len({side.standing.is_limit for side in sides}) > 1
    names = {**first.statement.under.names, **first.own.names} or first.statement.around.names
    shared = [printed for word, printed in first.own.content.items() if any(other.has(word) for other in others)]
    label = " ".join(dict.fromkeys(filter(None, shared or first.own.content.values())))
    subject = dict.fromkeys(printed for name, printed in names.items() if all(other.has(name) for other in others))
    return Contradiction(
        kind=kind,
        subject=" ".join(subject),
        label=f"{label} ({first.period})" if first.period else label,
        sides=tuple(side.as_side() for side in sides),
        note=_REPLACES if replaced else _BEYOND_LIMIT if breaks_limit else _NOTES[kind],
    )


def _bare(value: str) -> str:
    return re.sub(r"[\W_]", "", value)


def same_thing(one: _Stand, other: _Stand, conditions: int = 0) -> bool:
    """Whether two clauses speak of the same; `conditions` counts the other figures that both sentences give."""
    statement, opposite = one.statement, other.statement
    if not _same_names(one, opposite) or not _same_names(other, statement):
        return False
    if one.own.names and other.own.names and not _overlap(one, other):
        return False
    shared = {*filter(opposite.wide.has, one.own.all), *filter(statement.wide.has, other.own.all)}
    named = {name for name in statement.wide.names if opposite.wide.has(name)}
    told = sum(map(weight, shared)) + conditions + bool(named - shared)
    sides = ((one.own, opposite.wide), (other.own, statement.wide))
    if statement.words.is_japanese == opposite.words.is_japanese:
        enough = _ENOUGH if named else _ENOUGH_WITHOUT_NAME
        return told >= enough and all(all(map(wide.has, own.content)) for own, wide in sides)
    missing = [[word for word in translatable(own.content) if not wide.has(word)] for own, wide in sides]
    if any(len(words) > conditions for words in missing):
        return False
    if not all(all(map(wide.has, own.names)) for own, wide in sides):
        return False
    known = all(len(translatable(own.content)) == len(own.content) for own, _ in sides)
    is_pinned_down = conditions > 0 or any(character.isdigit() for name in named for character in name)
    return told >= _ENOUGH if known and not any(missing) else is_pinned_down and told >= _ENOUGH_WITHOUT_NAME


def _same_names(stand: _Stand, opposite: Statement) -> bool:
    """Whether the other side speaks of everything that this one names, as near to the figure as it names anything."""
    statement = stand.statement
    in_katakana = any(map(may_be_name, stand.own.content))
    if statement.words.is_japanese != opposite.words.is_japanese and in_katakana:
        return False
    for names in (stand.own.names, statement.words.names, statement.before.names, statement.under.names):
        if names:
            return all(map(opposite.wide.has, names))
    title = statement.around.names
    return in_katakana or not title or any(map(opposite.wide.has, title))


def _overlap(one: _Stand, other: _Stand) -> bool:
    """Whether both clauses share names in one order, and what only one names stands above the other.

    A list names many things, and exports from one to another are not those from the other to the one.
    """
    mine = [name for name in one.own.names if name not in other.own.content]
    theirs = [name for name in other.own.names if name not in one.own.content]
    shared = [name for name in mine if name in theirs]
    return (
        bool(shared or not mine or not theirs)
        and shared == [name for name in theirs if name in mine]
        and all(other.statement.around.has(name) for name in mine if name not in shared)
        and all(one.statement.around.has(name) for name in theirs if name not in shared)
    )


def _same_time(one: _Stand, other: _Stand) -> bool:
    """Whether both are of the same period, or of none and from pages of about the same time."""
    if one.period is not None or other.period is not None:
        return one.period == other.period
    first, second = (first_day(stand.statement.page.published or "") for stand in (one, other))
    return first is None or second is None or abs((first - second).days) <= _APART_DAYS


_UNIT = re.compile(r"\(([^()]{1,24})\)")
_RANGE = re.compile(r"\s?(?:[-–—〜~]|to|or|ないし)\s?")
_DIRECTIONS = frozenset({"=increase", "=decrease", "=more", "=less", "=above", "=below"})
_UP, _DOWN = frozenset({"=increase", "=more", "=above"}), frozenset({"=decrease", "=less", "=below"})
_REACHED_BEFORE = re.compile(r"\b(?:to|at|reach(?:es|ed|ing)?)(?: (?:about|around|some|nearly|almost|only))? \Z")
_REACHED_AFTER = re.compile(r"(?:程度|前後|近く)?(?:に|へ|まで)")
_BY_BEFORE = re.compile(r"\b(?:by|of) (?:about |around |some |nearly |almost |only )?\Z")
_BY_AFTER = re.compile(r"(?:以上|程度|ほど|前後)?[もの]?(?:(増|多|上|高|拡大)|減|少な|下|低|縮小)")


def _of_row(statement: Statement) -> Iterator[_Stand]:
    subject = subject_of(statement.page.title)
    for figure in statement.figures:
        label = label_of(figure, statement.page.text, subject)
        if label is None or not statement.quotes(figure):
            continue
        words = _UNIT.sub(lambda brackets: "" if unit_named(brackets[1]) is not None else brackets[0], plain(label))
        own = joined([words_of(words), *([] if statement.words.names else [statement.around])])
        if own.content:
            standing = standing_of(words, statement.heading, figure)
            period = figure.period or statement.period_around
            yield _Stand(ContradictionKind.FIGURES, statement, own, figure.text, period, standing, (), figure)


def _of_sentence(statement: Statement) -> Iterator[_Stand]:
    """Yield the figures that say how much something is: a bare small number in prose mostly counts something unsaid."""
    text, former = statement.text, tuple(one.text for one in statement.figures if is_replaced(statement.text, one))
    for figure in statement.figures:
        own = statement.words_at(figure.start)
        is_measured = figure.unit is not None or figure.currency is not None or figure.scale > 1
        if not own.content or not (is_measured or statement.is_line) or not statement.quotes(figure):
            continue
        if is_replaced(text, figure) or not _is_alone(statement, figure):
            continue
        change = _change(text, figure, own)
        yield _Stand(
            kind=ContradictionKind.FIGURES,
            statement=statement,
            own=own.without(_DIRECTIONS) if change else own,
            value=figure.text,
            period=figure.period or statement.period_around,
            standing=standing_of(statement.said_with(figure), statement.heading, figure),
            former=former,
            figure=figure,
            change=change,
        )


def _is_alone(statement: Statement, figure: Figure) -> bool:
    """Whether a figure is no end of a range, and the only one of its measure and period in its clause."""
    clause, text = statement.clause_at(figure.start), statement.text
    for other in statement.figures:
        first, second = (figure, other) if figure.start < other.start else (other, figure)
        if other is figure or not figure.value:
            continue
        if _RANGE.fullmatch(text[first.end : second.start]):
            return False
        inside = clause.start <= other.start < clause.end and not is_replaced(text, other)
        alike = other.measures_as(figure) and (other.unit is None) == (figure.unit is None)
        near = 1 / _REACH <= abs(other.value / figure.value) <= _REACH
        if inside and alike and near and other.period == figure.period:
            return False
    return True


def _change(text: str, figure: Figure, own: Words) -> int:
    """Return the direction of a change: of a share that stands with a word such as growth, unless it is reached."""
    before = text[max(0, figure.start - _LOOK) : figure.start]
    if _REACHED_AFTER.match(text, figure.end) or _REACHED_BEFORE.search(before):
        return 0
    if match := _BY_AFTER.match(text, figure.end):
        return 1 if match[1] else -1
    up, down = not _UP.isdisjoint(own.content), not _DOWN.isdisjoint(own.content)
    if up == down or (figure.unit not in ("%", "pp") and not _BY_BEFORE.search(before)):
        return 0
    return 1 if up else -1


def _differ(one: _Stand, other: _Stand) -> bool:
    """Whether both say how much the same thing is at the same time, and differ by more than both are rounded."""
    alike = bool(one.change) == bool(other.change) and _measured_alike(one, other) and _same_time(one, other)
    if not alike or not _apart(one, other) or are_ranked_apart(one.own.text, other.own.text):
        return False
    if one.standing is not other.standing and not (_breaks(one, other) or _breaks(other, one)):
        return False
    if one.change == other.change and (_gives(one, other) or _gives(other, one)):
        return False
    return same_thing(one, other, _conditions(one, other))


def _apart(one: _Stand, other: _Stand) -> bool:
    """Whether two values differ by more than they are rounded, and are of one size of thing; limits are exact."""
    exact = one.standing.is_limit is not other.standing.is_limit
    mine, theirs = (
        stand.figure._replace(tolerance=0.0)
        if exact and stand.figure and stand.standing.is_limit and stand.figure.bound != "about"
        else stand.figure
        for stand in (one, other)
    )
    if mine is None or theirs is None:
        return False
    if one.change == other.change and mine.agrees(theirs, ignore_sign=one.change != 0):
        return False
    value, known = one.amount, other.amount * conversion(theirs.unit, mine.unit)
    return bool(value and known) and 1 / _REACH <= abs(known / value) <= _REACH


def _measured_alike(one: _Stand, other: _Stand) -> bool:
    mine, theirs = one.figure, other.figure
    if mine is None or theirs is None or not mine.measures_as(theirs) or mine.currency != theirs.currency:
        return False
    (unit, _, per), (other_unit, _, other_per) = ((figure.unit or "").partition("/") for figure in (mine, theirs))
    if bool(unit) != bool(other_unit) or per == other_per:
        return bool(unit) == bool(other_unit)
    return not (per and other_per) and unit_of(per or other_per) in units((other if per else one).statement.text)


def _breaks(plan: _Stand, limit: _Stand) -> bool:
    """Whether what one source plans or expects lies beyond the limit that the other sets: both cannot come true."""
    unit, other = (stand.figure.unit if stand.figure else None for stand in (plan, limit))
    value = plan.amount * conversion(unit, other)
    is_beyond = {Standing.CAP: value > limit.amount, Standing.FLOOR: value < limit.amount}
    return plan.standing.is_ahead and is_beyond.get(limit.standing, False)


def _gives(one: _Stand, other: _Stand) -> bool:
    """Whether the sentence of one has, unreplaced, the value of the other."""
    statement = one.statement
    return any(
        other.figure is not None and figure.agrees(other.figure)
        for figure in statement.figures
        if figure is not one.figure and (statement.is_row or not is_replaced(statement.text, figure))
    )


def _conditions(one: _Stand, other: _Stand) -> int:
    """Return how many other figures, as of conditions, both sentences give."""
    if one.statement.is_row or other.statement.is_row:
        return 0
    theirs = [figure for figure in other.statement.figures if figure is not other.figure]
    mine = [figure for figure in one.statement.figures if figure is not one.figure]
    return sum(any(_is_same(figure, known) for known in theirs) for figure in mine)


def _is_same(figure: Figure, known: Figure) -> bool:
    is_measured = figure.unit is not None or figure.currency is not None
    return is_measured and (figure.unit, figure.currency) == (known.unit, known.currency) and figure.agrees(known)


_ONCE = frozenset(
    {"=start", "=end", "=create", "=born", "=die", "=appoint", "=resign", "=build", unit_of("complete"), "完了", "完成"}
)
_MOVED = frozenset({"延期", "前倒", "繰り延べ", "変更", *map(unit_of, ["change", "delay", "postpone", "move"])})
"""Words that say that a date has changed: the event is the same."""
_LOOSE_BEFORE = re.compile(
    r"\b(?:by|until|till|since|before|after|between|every|compared (?:with|to))\s+(?:the end of\s+)?\Z", re.IGNORECASE
)
_LOOSE_AFTER = re.compile(r"\s*(?:まで|以前|以降|以後|から|より|現在|時点|比)")
_ONE_OF_MANY = re.compile(
    r"\b(?:an?|another|other|second|third|further|additional|new|more)\s|新たに|別の|[2二]つ目|追加", re.IGNORECASE
)


def _dated(statement: Statement) -> Iterator[_Stand]:
    text = statement.text
    for clause in statement.clauses:
        inside = [period for period in statement.periods if clause.start <= period.start < clause.end]
        current = [period for period in inside if not is_replaced(text, period)]
        if len(current) != 1 or _is_loose(text, current[0]) or _ONE_OF_MANY.search(clause.text):
            continue
        own = statement.words_at(current[0].start).without(_MOVED)
        if events := _ONCE & own.content.keys():
            former = tuple(text[period.start : period.end] for period in inside if period is not current[0])
            date = text[current[0].start : current[0].end]
            period = current[0].value
            yield _Stand(ContradictionKind.DATES, statement, own, date, None, former=former, events=events | {period})


def _is_loose(text: str, period: Period) -> bool:
    """Whether a date only limits when something happens."""
    before = text[max(0, period.start - _LOOK) : period.start]
    return _LOOSE_AFTER.match(text, period.end) is not None or _LOOSE_BEFORE.search(before) is not None


def _misdated(one: _Stand, other: _Stand) -> bool:
    (dates, events), (others, theirs) = ((stand.events - _ONCE, stand.events & _ONCE) for stand in (one, other))
    return events == theirs and not agree(*dates, *others) and same_thing(one, other)


def _said(statement: Statement) -> Iterator[_Stand]:
    """Yield the clauses without figures: those with figures are compared by them."""
    periods = {period.value for period in statement.periods}
    if len(periods) > 1:
        return
    for clause in statement.clauses:
        if any(clause.start <= figure.start < clause.end for figure in statement.figures):
            continue
        words = statement.words_at(clause.start)
        polar = frozenset(word for word in words.content if word in opposites().of)
        own = words.without(polar)
        is_named = bool(own.names) or any(map(may_be_name, own.content))
        if is_named and (polar or clause.denied) and sum(map(weight, own.all)) >= _ENOUGH:
            period = next(iter(periods), None) or statement.period_around
            standing = standing_of(clause.text, statement.heading, None)
            value = clause.text.strip(" ,、;；。.")
            yield _Stand(ContradictionKind.STATEMENTS, statement, own, value, period, standing, events=polar)


def _oppose(one: _Stand, other: _Stand) -> bool:
    """Whether two clauses say the opposite of each other, of the same thing and time, in one language."""
    statement, opposite = one.statement, other.statement
    if one.standing is not other.standing or statement.words.is_japanese != opposite.words.is_japanese:
        return False
    is_dated = one.period is not None or (statement.page.published and opposite.page.published)
    if not is_dated or not _same_time(one, other) or not _contrary(one, other):
        return False
    return sum(weight(word) for word in one.own.all if opposite.wide.has(word)) >= _ENOUGH and same_thing(one, other)


def _contrary(one: _Stand, other: _Stand) -> bool:
    """Whether exactly one of two things holds: one word is reversed, or nothing but a denial tells them apart."""
    mine, theirs = one.events - other.events, other.events - one.events
    if contradiction(one.value, [OpposedPassage(other.value, frozenset())]) is None:
        return False
    if not mine and not theirs:
        return True
    return len(mine) == len(theirs) == 1 and theirs <= opposites().of[next(iter(mine))]


_DIFFER = {
    ContradictionKind.FIGURES: _differ,
    ContradictionKind.DATES: _misdated,
    ContradictionKind.STATEMENTS: _oppose,
}


def contradictions_of(
    events: Iterable[Event],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
    question: str,
    cited: Iterable[str],
) -> tuple[tuple[Contradiction, ...], str]:
    """Return what rules find in `evidence` that touches question and answer, and what reflections of its run named.

    `cited` are the ids of the evidence that the answer rests on: of what no side is cited, it says nothing. Never
    raises, as text of strangers must not cost a report: the other half is what went wrong, empty where nothing did.
    """
    doubts = (doubt for event in events if isinstance(event, Reflected) and event.parts for doubt in event.parts.doubts)
    try:
        asked = words_of(plain(question))
        years = [period.value for period in periods(question)]
        told = [evidence[name] for name in dict.fromkeys(cited) if name in evidence]
        found = [
            one
            for one in contradictions(evidence.values(), pages)
            if _touches(one, asked, pages) and _is_cited(one, evidence, told) and not _is_of_another_year(one, years)
        ]
        return with_named(found, doubts, evidence, pages), ""
    except Exception as error:  # noqa: BLE001 - whatever there is in those texts
        return (), f"{type(error).__name__}: {error}"


def _touches(found: Contradiction, asked: Words, pages: Mapping[str, Page]) -> bool:
    """Whether what a contradiction is about, a quote or the title above it has a name of the question.

    Of a question that names nobody any word will do, and one without words (`目標は？`) is touched by everything.
    """
    told = [
        found.subject,
        found.label,
        *(text for side in found.sides for text in (side.quote, pages[side.source].title)),
    ]
    known = joined(words_of(plain(text)) for text in told)
    return not asked.all or any(map(known.has, asked.names or asked.content))


def _is_cited(found: Contradiction, evidence: Mapping[str, Evidence], cited: Sequence[Evidence]) -> bool:
    """Whether the answer cites the place of a side, as a whole or in part."""
    places = [evidence[side.evidence] for side in found.sides]
    return any(_share_text(place, one) for place in places for one in cited)


def _share_text(one: Evidence, other: Evidence) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def _is_of_another_year(found: Contradiction, asked: Sequence[str]) -> bool:
    """Whether a question about fiscal or calendar years asks of none that the contradiction is about."""
    years = [year for year in asked if _YEAR.fullmatch(year)]
    about = [period.value for period in periods(found.label) if _YEAR.fullmatch(period.value)]
    return bool(years and about) and not any(agree(year, other) for year in years for other in about)


_YEAR = re.compile(r"(?:FY)?\d{4}")


def with_named(
    found: Sequence[Contradiction],
    named: Iterable[Doubt],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
) -> tuple[Contradiction, ...]:
    """Return the contradictions that rules `found`, and behind them those that were `named` besides.

    Ids that do not exist are passed over, and so is what does not say why or is not of two sources at least. What says
    nothing new is left out: all of its quotes stand in a contradiction that is there already, as they are or in part.
    """
    all_found = list(found)
    for one in named:
        quotes = [evidence[name] for name in dict.fromkeys(one.evidence) if name in evidence]
        is_told = len({quote.source for quote in quotes}) > 1 and one.text
        if is_told and not any(_covers(known, quotes, evidence) for known in all_found):
            all_found.append(_as_named(quotes, one.text, pages))
    return tuple(all_found)


def _as_named(quotes: Sequence[Evidence], why: str, pages: Mapping[str, Page]) -> Contradiction:
    """Return what was named; in its words a page stands by its title, as no reader knows the ids of quotes."""
    titles = {one.id: pages[one.source].title for one in quotes}
    sides = (
        Side(evidence=one.id, source=one.source, value="", quote=one.quote, published=pages[one.source].published)
        for one in quotes
    )
    return Contradiction(
        kind=ContradictionKind.NAMED,
        subject="",
        label=_ID.sub(lambda found: titles.get(found[0], found[0]), " ".join(why.split())),
        sides=tuple(sorted(sides, key=lambda side: side.published or UNDATED)),
        note=Phrase("Named in a reflection, not checked by rule."),
    )


_ID = re.compile(r"\bE\d+(?![\dA-Za-z])")


def _covers(known: Contradiction, quotes: Iterable[Evidence], evidence: Mapping[str, Evidence]) -> bool:
    held = [evidence[side.evidence] for side in known.sides if side.evidence in evidence]
    return all(any(_share_text(one, other) for other in held) for one in quotes)
