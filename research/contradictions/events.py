"""Dates that different sources give for one event that happens once: an opening, a founding, a closing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from research.contradictions.grouping import Stand
from research.contradictions.manner import is_replaced
from research.contradictions.sameness import same_thing
from research.contradictions.statements import Statement
from research.contradictions.words import Words
from research.verification.meanings import unit_of
from research.verification.periods import Period, agree

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
    return [(one.as_stand(), other.as_stand()) for one, other in combinations(found, 2) if _differ(one, other)]


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


def _differ(one: Dated, other: Dated) -> bool:
    if one.statement.page.id == other.statement.page.id or one.events != other.events:
        return False
    if agree(one.period.value, other.period.value):
        return False
    return same_thing(one.own, one.statement, other.own, other.statement)
