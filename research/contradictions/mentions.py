"""What the evidence states in figures: each with the words that it is said of, and in which manner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from research.contradictions.grouping import Stand
from research.contradictions.manner import (
    DIRECTIONS,
    DOWN,
    UP,
    Role,
    Standing,
    change_of,
    is_reached,
    is_replaced,
    role_of,
    standing_of,
)
from research.contradictions.statements import Statement
from research.contradictions.words import Words, joined, plain, words_of
from research.verification.figure_table_labels import label_of, subject_of
from research.verification.figures import Figure
from research.verification.figures_labels import unit_named

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
    role: Role
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
                role=Role.VALUE,
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
