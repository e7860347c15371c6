"""Whether two figures of different sources are said of the same thing.

Everything that tells one thing from another must stand on both sides: names, the words of the clause or label, period,
standing, kind of change. Between languages only words that have a translation can be looked for; others may stand there
only if a product code or another figure on both sides pins the thing down. Where a doubt is left, the answer is no.
"""

from __future__ import annotations

from research.contradictions.manner import Standing
from research.contradictions.mentions import Mention
from research.contradictions.statements import Statement
from research.contradictions.words import Words, may_be_name, translatable, weight
from research.core.dates import first_day
from research.verification.figures import Figure
from research.verification.meanings import meanings, unit_of
from research.verification.terms import units
from research.verification.units import conversion

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
