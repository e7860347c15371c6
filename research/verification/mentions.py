"""The figures of the evidence with what each is said of, and what sources hold gathered into contradictions."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from research.language import Phrase
from research.quantities import Figure, label_of, subject_of, unit_named
from research.verification.labels import Contradiction, ContradictionKind, Side
from research.verification.manner import (
    DIRECTIONS,
    DOWN,
    UP,
    SentenceRole,
    Standing,
    change_of,
    is_reached,
    is_replaced,
    role_of,
    standing_of,
)
from research.verification.statements import Statement, Words, joined, plain, words_of

_NOTES = {
    ContradictionKind.FIGURES: Phrase("The sources give different figures for the same thing."),
    ContradictionKind.DATES: Phrase("The sources give different dates for the same event."),
    ContradictionKind.STATEMENTS: Phrase("The sources say the opposite of each other."),
}
_BEYOND_LIMIT = Phrase("What one source plans or expects lies beyond the limit that another sets.")
_REPLACES = Phrase("One source names the other's value as the earlier one and replaces it.")


@dataclass(frozen=True)
class Stand:
    """What one sentence holds on something that another disagrees about."""

    statement: Statement
    own: Words
    value: str
    period: str | None
    replaces: tuple[str, ...] = ()
    """Values that the sentence gives as former ones, as printed."""
    is_limit: bool = False
    """Whether the value is the most or least that may be."""

    @property
    def key(self) -> Hashable:
        """What tells this from every other: the page, the sentence and the value."""
        return self.statement.page.id, self.statement.text, self.value

    def as_side(self) -> Side:
        """Return it as a side of a contradiction."""
        entry, page = self.statement.entry, self.statement.page
        return Side(evidence=entry.id, source=page.id, value=self.value, quote=entry.quote, published=page.published)


def gathered(
    kind: ContradictionKind, pairs: Sequence[tuple[Stand, Stand]], same_value: Callable[[str, str], bool]
) -> list[Contradiction]:
    """Return a contradiction for each group of stands that are joined by pairs, in the order of the pairs."""
    group_of: dict[Hashable, list[Stand]] = {}
    for pair in pairs:
        group: list[Stand] = []
        for stand in pair:
            for member in group_of.get(stand.key, [stand]):
                if member not in group:
                    group.append(member)
        for member in group:
            group_of[member.key] = group
    distinct = {id(group): group for group in group_of.values()}
    return [_contradiction(kind, group, same_value) for group in distinct.values()]


def _contradiction(
    kind: ContradictionKind, group: Iterable[Stand], same_value: Callable[[str, str], bool]
) -> Contradiction:
    ordered = sorted(group, key=lambda stand: (stand.statement.page.published or "9999", stand.statement.entry.start))
    sides: list[Stand] = []
    for stand in ordered:
        if not any(_repeats(stand, side) for side in sides):
            sides.append(stand)
    values = [side.value for side in sides]
    replaced = any(same_value(former, value) for side in sides for former in side.replaces for value in values)
    breaks_limit = len({side.is_limit for side in sides}) > 1
    first = sides[0]
    others = [side.statement.wide for side in sides[1:]]
    names = {**first.statement.under.names, **first.own.names} or first.statement.around.names
    content = first.own.content
    shared = [printed for word, printed in content.items() if any(other.has(word) for other in others)]
    label = " ".join(dict.fromkeys(filter(None, shared or content.values())))
    return Contradiction(
        kind=kind,
        subject=" ".join(
            dict.fromkeys(printed for name, printed in names.items() if all(other.has(name) for other in others))
        ),
        label=f"{label} ({first.period})" if first.period else label,
        sides=tuple(side.as_side() for side in sides),
        note=_REPLACES if replaced else _BEYOND_LIMIT if breaks_limit else _NOTES[kind],
    )


def _repeats(stand: Stand, side: Stand) -> bool:
    return stand.statement.page.id == side.statement.page.id and stand.value == side.value


_UNIT = re.compile(r"\(([^()]{1,24})\)")


@dataclass(frozen=True)
class Mention:
    """A figure of the evidence."""

    statement: Statement
    figure: Figure
    own: Words
    """The words of its clause or label: what it is said of."""
    standing: Standing
    change: int
    """1 or -1 if it says how much more or less something is, else 0."""
    role: SentenceRole
    period: str | None
    """Its own, else that of its heading or of the title of its page."""

    @property
    def value(self) -> float:
        """The value, negative for a decrease."""
        return self.change * abs(self.figure.value) if self.change else self.figure.value

    @cached_property
    def qualifiers(self) -> tuple[Figure, ...]:
        """The other figures of its clause that are of another measure and no change: what they say narrows it down."""
        text, figures = self.statement.text, self.statement.figures
        if self.statement.is_row or self.statement.is_line:
            return ()
        clause = self.statement.clause_at(self.figure.start)
        return tuple(
            figure
            for figure in figures
            if clause.start <= figure.start < clause.end
            and figure.unit is not None
            and not figure.measures_as(self.figure)
            and not change_of(text, figure)
            and not is_replaced(text, figure)
        )

    def as_stand(self) -> Stand:
        """Return it as a stand of its source."""
        statement = self.statement
        former = (
            ()
            if statement.is_row
            else tuple(figure.text for figure in statement.figures if is_replaced(statement.text, figure))
        )
        return Stand(statement, self.own, self.figure.text, self.period, former, self.standing.is_limit)


def mentions(statements: Iterable[Statement]) -> list[Mention]:
    """Return the figures of `statements` that say how much something is; what only could be is left out."""
    return [
        mention
        for statement in statements
        if not statement.is_conditional
        for mention in (_of_row(statement) if statement.is_row else _of_sentence(statement))
        if _is_telling(mention)
    ]


def _of_sentence(statement: Statement) -> Iterator[Mention]:
    for figure in statement.figures:
        if not statement.quotes(figure):
            continue
        own = statement.words_at(figure.start)
        change = _change(statement.text, figure, own)
        yield Mention(
            statement=statement,
            figure=figure,
            own=own.without(DIRECTIONS) if change else own,
            standing=standing_of(statement.said_with(figure), statement.heading, figure),
            change=change,
            role=role_of(statement.text, figure, statement.figures, statement.clause_at(figure.start)),
            period=figure.period or statement.period_around,
        )


def _change(text: str, figure: Figure, own: Words) -> int:
    """Return the direction of a change; a share that stands with a word such as growth is one, unless it is reached."""
    if is_reached(text, figure):
        return 0
    if change := change_of(text, figure):
        return change
    said = [direction for direction in (UP, DOWN) if direction in own.content]
    if figure.unit not in ("%", "pp") or len(said) != 1:
        return 0
    return 1 if said == [UP] else -1


def _of_row(statement: Statement) -> Iterator[Mention]:
    subject = subject_of(statement.page.title)
    for figure in statement.figures:
        label = label_of(figure, statement.page.text, subject)
        if label is not None and statement.quotes(figure):
            words = _UNIT.sub(_without_unit, plain(label))
            yield Mention(
                statement=statement,
                figure=figure,
                own=joined([words_of(words), *([] if statement.words.names else [statement.around])]),
                standing=standing_of(words, statement.heading, figure),
                change=0,
                role=SentenceRole.VALUE,
                period=figure.period or statement.period_around,
            )


def _without_unit(brackets: re.Match[str]) -> str:
    """Return brackets of a label, or nothing if they name a unit, which the figure has."""
    return "" if unit_named(brackets[1]) is not None else brackets.group()


def _is_telling(mention: Mention) -> bool:
    """Whether it says of something how much it is: a bare small number in prose mostly counts something unsaid."""
    figure = mention.figure
    is_measured = figure.unit is not None or figure.currency is not None or figure.scale > 1
    return bool(mention.own.content) and (is_measured or mention.statement.is_line or mention.statement.is_row)
