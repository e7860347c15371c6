"""Where the sources of a run contradict each other, found by rules or named in a reflection, which shows.

Compared are figures that are said of the same thing, dates of an event that happens once, and sentences of which one
denies or reverses the other. Nothing is averaged and no side is taken.

Everything that tells one thing from another must stand on both sides: names, the words of the clause or label, period,
standing, kind of change. Between languages only words that have a translation can be looked for; others may stand there
only if a product code or another figure on both sides pins the thing down. Where a doubt is left, the answer is no.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from research.core import Doubt, Event, Evidence, Page, Reflected, first_day
from research.language import Phrase
from research.quantities import Figure, Period, agree, conversion, figures, periods
from research.verification.claim import Clause
from research.verification.labels import Contradiction, ContradictionKind, Side
from research.verification.manner import REACH, SentenceRole, Standing, is_replaced, standing_of
from research.verification.mentions import Mention, Stand, gathered, mentions
from research.verification.statements import Statement, Words, may_be_name, statements, translatable, weight
from research.verification.words import Contrast, meanings, unit_of, units

_ENOUGH = 2.0
"""Words that must be shared: whose, and what."""
_ENOUGH_WITHOUT_NAME = 3.0
_ENOUGH_ACROSS = 3.0
"""The same between languages, where something is said in words that nothing translates."""
_APART_DAYS = 366
"""Days between two pages up to which what they say without a period is of the same time."""


def same_quantity(one: Mention, other: Mention) -> bool:
    """Whether both say how much the same thing is at the same time."""
    if bool(one.change) != bool(other.change) or not _measured_alike(one, other):
        return False
    if one.standing is not other.standing and not (_breaks(one, other) or _breaks(other, one)):
        return False
    if not same_time(one.period, other.period, one.statement, other.statement):
        return False
    if not _same_qualifiers(one, other) or not _same_qualifiers(other, one):
        return False
    conditions = _shared_figures(one, other)
    return same_thing(one.own, one.statement, other.own, other.statement, conditions)


def same_thing(own: Words, statement: Statement, other: Words, opposite: Statement, conditions: int = 0) -> bool:
    """Whether the clauses with the words `own` and `other` speak of the same; `conditions` counts shared figures."""
    if not _same_names(own, statement, opposite) or not _same_names(other, opposite, statement):
        return False
    if _exclude(own, other) or (own.names and other.names and not _overlap(own, statement, other, opposite)):
        return False
    shared = {*filter(opposite.wide.has, own.all), *filter(statement.wide.has, other.all)}
    named = {name for name in statement.wide.names if opposite.wide.has(name)}
    told = sum(map(weight, shared)) + conditions + bool(named - shared)
    sides = ((own, opposite), (other, statement))
    if statement.words.is_japanese == opposite.words.is_japanese:
        return told >= (_ENOUGH if named else _ENOUGH_WITHOUT_NAME) and all(_holds(*side) for side in sides)
    if all(_is_exact(*side) for side in sides):
        return told >= _ENOUGH
    is_pinned_down = conditions > 0 or any(character.isdigit() for name in named for character in name)
    return is_pinned_down and told >= _ENOUGH_ACROSS and all(_paraphrases(*side, conditions) for side in sides)


def _holds(own: Words, opposite: Statement) -> bool:
    return all(map(opposite.wide.has, own.content))


def same_time(one: str | None, other: str | None, statement: Statement, opposite: Statement) -> bool:
    """Whether both are of the same period, or of none and from pages of about the same time."""
    if one is not None or other is not None:
        return one == other
    first, second = (first_day(side.page.published or "") for side in (statement, opposite))
    return first is None or second is None or abs((first - second).days) <= _APART_DAYS


def _measured_alike(one: Mention, other: Mention) -> bool:
    mine, theirs = one.figure, other.figure
    if not mine.measures_as(theirs) or mine.currency != theirs.currency:
        return False
    (unit, _, per), (other_unit, _, other_per) = (_parted(figure.unit) for figure in (mine, theirs))
    if bool(unit) != bool(other_unit):
        return False
    if per == other_per:
        return True
    return not (per and other_per) and unit_of(per or other_per) in units((other if per else one).statement.text)


def _breaks(plan: Mention, limit: Mention) -> bool:
    """Whether what one source plans or expects lies beyond the limit that the other sets: both cannot come true."""
    value = plan.value * conversion(plan.figure.unit, limit.figure.unit)
    is_beyond = {Standing.CAP: value > limit.value, Standing.FLOOR: value < limit.value}
    return plan.standing.is_ahead and is_beyond.get(limit.standing, False)


def _parted(unit: str | None) -> tuple[str, str, str]:
    return (unit or "").partition("/")


def _same_names(own: Words, statement: Statement, opposite: Statement) -> bool:
    """Whether the other side speaks of everything that this one names, as near to the figure as it names anything."""
    named_in_katakana = any(map(may_be_name, own.content))
    if statement.words.is_japanese != opposite.words.is_japanese and named_in_katakana:
        return False
    for names in (own.names, statement.words.names, statement.before.names, statement.under.names):
        if names:
            return all(map(opposite.wide.has, names))
    title = statement.around.names
    return named_in_katakana or not title or any(map(opposite.wide.has, title))


def _overlap(own: Words, statement: Statement, other: Words, opposite: Statement) -> bool:
    """Whether both clauses share names in one order, and what only one names stands above the other.

    A list names many things, and exports from one to another are not those from the other to the one.
    """
    mine = [name for name in own.names if name not in other.content]
    theirs = [name for name in other.names if name not in own.content]
    shared = [name for name in mine if name in theirs]
    return (
        bool(shared or not mine or not theirs)
        and shared == [name for name in theirs if name in mine]
        and all(opposite.around.has(name) for name in mine if name not in shared)
        and all(statement.around.has(name) for name in theirs if name not in shared)
    )


def _exclude(own: Words, other: Words) -> bool:
    """Whether one side has a word that excludes or reverses one of the other: imports, exports."""
    return any(
        opposite in other.content and opposite not in own.content
        for word in own.content
        if word not in other.content
        for opposite, _ in meanings().opposites.get(word, ())
    )


def _is_exact(own: Words, opposite: Statement) -> bool:
    """Whether every word has a translation and stands on the other side."""
    all_known = len(translatable(own.content)) == len(own.content)
    return all_known and all(map(opposite.wide.has, own.all))


def _paraphrases(own: Words, opposite: Statement, conditions: int) -> bool:
    """Whether every name and every word with a translation stands on the other side.

    A shared condition makes up for one that does not: 節電量 and "saves", said of 45 kW and 6,000 hours on both sides.
    """
    missing = [word for word in translatable(own.content) if not opposite.wide.has(word)]
    return all(map(opposite.wide.has, own.names)) and len(missing) <= conditions


def _same_qualifiers(one: Mention, other: Mention) -> bool:
    """Whether the other sentence gives every figure that narrows down what this one is of: 65歳以上, "over 30 kW"."""
    return all(any(_is_same(figure, known) for known in other.statement.figures) for figure in one.qualifiers)


def _shared_figures(one: Mention, other: Mention) -> int:
    """Return how many other figures, as of conditions, both sentences give."""
    if one.statement.is_row or other.statement.is_row:
        return 0
    theirs = [figure for figure in other.statement.figures if figure is not other.figure]
    mine = [figure for figure in one.statement.figures if figure is not one.figure]
    return sum(any(_is_same(figure, known) for known in theirs) for figure in mine)


def _is_same(figure: Figure, known: Figure) -> bool:
    is_measured = figure.unit is not None or figure.currency is not None
    return is_measured and (figure.unit, figure.currency) == (known.unit, known.currency) and figure.agrees(known)


_CROWD = 200
"""Figures that share a word, up to which all are compared: a word of more than that tells nothing."""


def differing(mentions: Sequence[Mention]) -> list[tuple[Mention, Mention]]:
    """Return the pairs of mentions from different sources that give the same quantity two values."""
    values = [mention for mention in mentions if mention.role is SentenceRole.VALUE]
    return [(one, other) for one, other in _candidates(values) if _differ(one, other) and same_quantity(one, other)]


def _candidates(mentions: Sequence[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Yield pairs that share a word of what they are said of or a condition, each once."""
    holders: dict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    for index, mention in enumerate(mentions):
        for key in (*mention.own.all, *_conditions(mention)):
            kind = mention.figure.currency, mention.period, mention.standing is Standing.FACT, mention.change != 0
            holders[key, *kind].append(index)
    seen = {pair for found in holders.values() if len(found) <= _CROWD for pair in combinations(found, 2)}
    for first, second in sorted(seen):
        one, other = mentions[first], mentions[second]
        if one.statement.page.id != other.statement.page.id:
            yield one, other


def _conditions(mention: Mention) -> Iterator[str]:
    """Yield a key for each other figure of the sentence, by which sentences in two languages may meet."""
    if not mention.statement.is_row:
        for figure in mention.statement.figures:
            if figure is not mention.figure and figure.unit is not None:
                yield f"{figure.value:g} {figure.unit}"


def _differ(one: Mention, other: Mention) -> bool:
    """Whether the values are apart by more than both are rounded, and neither sentence gives the other's value too."""
    mine, theirs = one.figure, other.figure
    if one.standing.is_limit is not other.standing.is_limit:
        mine, theirs = _as_meant(one), _as_meant(other)
    if not mine.measures_as(theirs):
        return False
    if one.change == other.change and mine.agrees(theirs, ignore_sign=one.change != 0):
        return False
    value, known = one.value, other.value * conversion(theirs.unit, mine.unit)
    if not value or not known or not 1 / REACH <= abs(known / value) <= REACH:
        return False
    return one.change != other.change or not (_gives(one, other) or _gives(other, one))


def _as_meant(mention: Mention) -> Figure:
    """Return the figure; a limit is meant as printed, however round: 4.3 is beyond a cap of 4."""
    figure = mention.figure
    return figure._replace(tolerance=0.0) if mention.standing.is_limit and figure.bound != "about" else figure


def _gives(one: Mention, other: Mention) -> bool:
    """Whether the sentence of one has, unreplaced, the value of the other."""
    statement = one.statement
    return any(
        figure.agrees(other.figure) and (statement.is_row or not is_replaced(statement.text, figure))
        for figure in statement.figures
        if figure is not one.figure
    )


_ONCE = frozenset(
    {"=start", "=end", "=create", "=born", "=die", "=appoint", "=resign", "=build", unit_of("complete"), "完了", "完成"}
)
_MOVED = frozenset(
    {"延期", "前倒", "繰り延べ", "=change", *map(unit_of, ["delay", "postpone", "move", "reschedule", "defer"])}
)
"""Words that say that a date has changed: the event is the same."""
_NO_DAY_BEFORE = re.compile(
    r"\b(?:by|until|till|since|before|after|between|every|compared (?:with|to))\s+(?:the end of\s+)?\Z", re.IGNORECASE
)
_NO_DAY_AFTER = re.compile(r"\s*(?:まで|以前|以降|以後|から|より|現在|時点|比)")
_ONE_OF_MANY = re.compile(r"\b(?:an?|another|other|second|third|further|additional|new|more)\s", re.IGNORECASE)
_MANY_JA = re.compile(r"新たに|別の|2つ目|二つ目|追加")
_LOOK = 24


@dataclass(frozen=True)
class Dated:
    """An event with its date."""

    statement: Statement
    own: Words
    period: Period
    former: tuple[str, ...]
    """Dates that the clause gives as former ones."""

    @property
    def events(self) -> frozenset[str]:
        """What happens."""
        return _ONCE & self.own.content.keys()

    def as_stand(self) -> Stand:
        """Return it as a stand of its source."""
        return Stand(self.statement, self.own, self.date, None, self.former)

    @property
    def date(self) -> str:
        """The date as printed."""
        return self.statement.text[self.period.start : self.period.end]


def misdated(statements: Iterable[Statement]) -> list[tuple[Stand, Stand]]:
    """Return the pairs of sources that date one event differently."""
    found = [dated for statement in statements for dated in _dated(statement)]
    return [(one.as_stand(), other.as_stand()) for one, other in combinations(found, 2) if _differ_events(one, other)]


def _dated(statement: Statement) -> Iterator[Dated]:
    if statement.is_row or statement.is_line or statement.is_conditional:
        return
    for clause in statement.clauses:
        inside = [period for period in statement.periods if clause.start <= period.start < clause.end]
        current = [period for period in inside if not is_replaced(statement.text, period)]
        if len(current) != 1 or _is_loose(statement.text, current[0]):
            continue
        if _ONE_OF_MANY.search(clause.text) or _MANY_JA.search(clause.text):
            continue
        own = statement.words_at(current[0].start).without(_MOVED)
        if _ONCE & own.content.keys():
            former = tuple(statement.text[period.start : period.end] for period in inside if period is not current[0])
            yield Dated(statement, own, current[0], former)


def _is_loose(text: str, period: Period) -> bool:
    """Whether a date only limits when something happens."""
    before = text[max(0, period.start - _LOOK) : period.start]
    return _NO_DAY_AFTER.match(text, period.end) is not None or _NO_DAY_BEFORE.search(before) is not None


def _differ_events(one: Dated, other: Dated) -> bool:
    if one.statement.page.id == other.statement.page.id or one.events != other.events:
        return False
    if agree(one.period.value, other.period.value):
        return False
    return same_thing(one.own, one.statement, other.own, other.statement)


_ENOUGH_OPPOSING = 3.0
"""Words besides the opposed ones that must be shared: a name, and what is said of it."""
_CROWD_OPPOSING = 200
"""Clauses that share a word, up to which all are compared."""


@dataclass(frozen=True)
class Said:
    """A clause that states something."""

    statement: Statement
    own: Words
    """Its words without those that have an opposite."""
    polar: frozenset[str]
    """Those that have an opposite."""
    clause: Clause
    standing: Standing
    period: str | None

    def as_stand(self) -> Stand:
        """Return it as a stand of its source."""
        return Stand(self.statement, self.own, self.clause.text.strip(" ,、;；。."), self.period)


def opposing(statements: Iterable[Statement]) -> list[tuple[Stand, Stand]]:
    """Return the pairs of clauses from different sources of which one says what the other denies or reverses."""
    said = [clause for statement in statements for clause in _said(statement)]
    holders: dict[str, list[int]] = defaultdict(list)
    for index, one in enumerate(said):
        for word in one.own.all:
            holders[word].append(index)
    pairs = {pair for found in holders.values() if len(found) <= _CROWD_OPPOSING for pair in combinations(found, 2)}
    return [
        (said[first].as_stand(), said[second].as_stand())
        for first, second in sorted(pairs)
        if _oppose(said[first], said[second])
    ]


def _said(statement: Statement) -> Iterator[Said]:
    """Yield the clauses without figures: those with figures are compared by them."""
    if statement.is_row or statement.is_line or statement.is_conditional:
        return
    periods = {period.value for period in statement.periods}
    if len(periods) > 1:
        return
    for clause in statement.clauses:
        if any(clause.start <= figure.start < clause.end for figure in statement.figures):
            continue
        words = statement.words_at(clause.start)
        polar = frozenset(word for word in words.content if word in _reversible())
        own = words.without(polar)
        if _is_named(own) and (polar or clause.denied) and sum(map(weight, own.all)) >= _ENOUGH_OPPOSING - 1:
            period = next(iter(periods), None) or statement.period_around
            standing = standing_of(clause.text, statement.heading, None)
            yield Said(statement, own, polar, clause, standing, period)


def _is_named(own: Words) -> bool:
    return bool(own.names) or any(map(may_be_name, own.content))


def _reversible() -> frozenset[str]:
    opposites = meanings().opposites
    return frozenset(word for word, others in opposites.items() if any(kind is Contrast.REVERSES for _, kind in others))


def _oppose(one: Said, other: Said) -> bool:
    statement, opposite = one.statement, other.statement
    if statement.page.id == opposite.page.id or one.standing is not other.standing:
        return False
    if statement.words.is_japanese != opposite.words.is_japanese or not _contrary(one, other):
        return False
    if one.period is None and (statement.page.published is None or opposite.page.published is None):
        return False
    if not same_time(one.period, other.period, statement, opposite):
        return False
    shared = sum(weight(word) for word in one.own.all if opposite.wide.has(word))
    return shared >= _ENOUGH_OPPOSING - 1 and same_thing(one.own, statement, other.own, opposite)


def _contrary(one: Said, other: Said) -> bool:
    """Whether exactly one of two things holds: a word is reversed, or one clause is denied."""
    if one.polar == other.polar:
        return one.clause.denied != other.clause.denied
    mine, theirs = one.polar - other.polar, other.polar - one.polar
    if len(mine) != 1 or len(theirs) != 1:
        return False
    (word,), (opposite,) = mine, theirs
    known = meanings().opposites.get(word, ())
    return (opposite, Contrast.REVERSES) in known and one.clause.denied == other.clause.denied


_NOTE = Phrase("Named in a reflection, not checked by rule.")
_UNDATED = "9999"


def with_named(
    found: Sequence[Contradiction],
    named: Iterable[Doubt],
    evidence: Mapping[str, Evidence],
    pages: Mapping[str, Page],
) -> tuple[Contradiction, ...]:
    """Return the contradictions that rules `found`, and behind them those that were `named` besides.

    Ids that do not exist are passed over, and so is what does not say why or is not of two sources at least. What says
    nothing new is left out: all of its quotes stand in a contradiction that is there already, as they are or in part.

    Args:
        found: What rules found.
        named: What reflections named.
        evidence: All evidence of the run, by id.
        pages: The pages that it quotes, by id.
    """
    all_found = list(found)
    for one in named:
        quotes = [evidence[name] for name in dict.fromkeys(one.evidence) if name in evidence]
        is_told = len({quote.source for quote in quotes}) > 1 and one.text
        if is_told and not any(_covers(known, quotes, evidence) for known in all_found):
            all_found.append(_contradiction(quotes, one.text, pages))
    return tuple(all_found)


def _contradiction(quotes: Iterable[Evidence], why: str, pages: Mapping[str, Page]) -> Contradiction:
    sides = (
        Side(
            evidence=quote.id, source=quote.source, value="", quote=quote.quote, published=pages[quote.source].published
        )
        for quote in quotes
    )
    return Contradiction(
        kind=ContradictionKind.NAMED,
        subject="",
        label=" ".join(why.split()),
        sides=tuple(sorted(sides, key=lambda side: side.published or _UNDATED)),
        note=_NOTE,
    )


def _covers(known: Contradiction, quotes: Iterable[Evidence], evidence: Mapping[str, Evidence]) -> bool:
    held = [evidence[side.evidence] for side in known.sides if side.evidence in evidence]
    return all(any(_overlap_named(quote, other) for other in held) for quote in quotes)


def _overlap_named(one: Evidence, other: Evidence) -> bool:
    return one.source == other.source and one.start < other.end and other.start < one.end


def contradictions_of(
    events: Iterable[Event], evidence: Mapping[str, Evidence], pages: Mapping[str, Page]
) -> tuple[Contradiction, ...]:
    """Return what rules find in `evidence`, and behind it what reflections among the `events` of its run named."""
    doubts = (doubt for event in events if isinstance(event, Reflected) and event.parts for doubt in event.parts.doubts)
    return with_named(contradictions(evidence.values(), pages), doubts, evidence, pages)


def contradictions(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> tuple[Contradiction, ...]:
    """Return what different pages say differently in `evidence`: figures, then dates, then opposite statements.

    Figures and dates must be of the same thing, period and standing (a target is no result, but a plan can break a
    limit), and must differ by more than they are rounded. In doubt nothing is reported. Linear in the evidence but for
    quotes that share rare words, which are compared with each other.
    """
    said = list(statements(evidence, pages))
    pairs = [(one.as_stand(), other.as_stand()) for one, other in differing(mentions(said))]
    return (
        *gathered(ContradictionKind.FIGURES, pairs, _same_figure),
        *gathered(ContradictionKind.DATES, misdated(said), _same_date),
        *gathered(ContradictionKind.STATEMENTS, opposing(said), str.__eq__),
    )


def _same_figure(one: str, other: str) -> bool:
    first, second = figures(one), figures(other)
    return len(first) == len(second) == 1 and first[0].agrees(second[0])


def _same_date(one: str, other: str) -> bool:
    first, second = periods(one), periods(other)
    return [period.value for period in first] == [period.value for period in second]
