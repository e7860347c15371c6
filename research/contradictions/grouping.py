"""Pairs that disagree, gathered into one contradiction for each thing they disagree about."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from research.contradictions.model import Contradiction, ContradictionKind, Side
from research.contradictions.statements import Statement
from research.contradictions.words import Words
from research.language import Phrase

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
