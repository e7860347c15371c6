"""What a reader prefers, blind: of two reports on one question the better one, whose way is told only afterwards.

Ratings stand in `ratings.json` of the folder of results. They are of runs, so that a run done anew is rated anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, count
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from research.core import Frozen
from research.settings.files import read, write

Row = Mapping[str, Any]
"""A run of an experiment, as `Results.rows` has it."""
WAY = ("preset", "method", "models", "embedder", "prompts")
"""What tells ways apart."""
Better = Literal["first", "second", "even"]


class Rating(Frozen):
    """Which of two runs has the better report, by their keys."""

    first: str
    second: str
    better: Better


class Ratings(BaseModel):
    """All that were given."""

    given: tuple[Rating, ...] = ()


class Pair(NamedTuple):
    """Two runs of one question, in an order that tells nothing of their ways."""

    first: Row
    second: Row

    @property
    def question(self) -> str:
        """The id of their question."""
        return str(self.first["question"])

    @property
    def key(self) -> tuple[str, str]:
        """The keys of its runs."""
        return self.first["key"], self.second["key"]


class Preference(NamedTuple):
    """How often a way was found the better one, as good, and the worse one."""

    better: int
    even: int
    worse: int

    @property
    def share(self) -> float:
        """The share of its pairs that it won; one in which both are alike counts a half."""
        return (self.better + self.even / 2) / sum(self)


class Agreement(NamedTuple):
    """In how many pairs reader and facts prefer the same run, of those in which both prefer one."""

    same: int
    of: int


class Concord(NamedTuple):
    """In how many pairs two raters say the same, of those that both rated."""

    same: int
    of: int
    kappa: float | None
    """Cohen's: 1 if always, 0 if no oftener than by chance, below if seldomer; None if chance alone explains all."""


def ratings_in(folder: Path) -> Ratings:
    """Return what was rated of the results in a folder.

    Raises:
        StoreError: the file cannot be read.
    """
    return read(folder / "ratings.json", Ratings) or Ratings()


def rate(folder: Path, pair: Pair, better: Better) -> None:
    """Keep which run of a pair is better.

    Raises:
        StoreError: it cannot be kept.
    """
    rating = Rating(first=pair.first["key"], second=pair.second["key"], better=better)
    write(folder / "ratings.json", Ratings(given=(*ratings_in(folder).given, rating)))


def pairs(folder: Path, rows: Sequence[Row], ratings: Ratings) -> list[Pair]:
    """Return the pairs with different reports that were not rated yet, questions in turn, always in the same order."""
    said = {row["key"]: said_in(folder, row) for row in rows}
    every = (
        Pair(*sorted(two, key=lambda row: _hash(row["key"], two[1]["key"])))
        for two in combinations(rows, 2)
        if two[0]["question"] == two[1]["question"] and said[two[0]["key"]] != said[two[1]["key"]]
    )
    turns: defaultdict[str, count[int]] = defaultdict(count)
    shuffled = sorted(every, key=lambda pair: _hash(*pair.key))
    in_turn = sorted(shuffled, key=lambda pair: next(turns[pair.question]))
    rated = {frozenset((one.first, one.second)) for one in ratings.given}
    return [pair for pair in in_turn if frozenset(pair.key) not in rated]


def said_in(folder: Path, row: Row) -> str:
    """Return the report of a run without its last section, which tells how it was researched; empty if it is gone."""
    try:
        return (folder / "reports" / f"{row['key']}.md").read_text(encoding="utf-8").rpartition("\n## ")[0]
    except OSError:
        return ""


def _hash(*words: str) -> str:
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _way_of(row: Row) -> tuple[str, ...]:
    """Return what tells the way of a run from others."""
    return tuple(str(row[name]) for name in WAY)


def preferences(rows: Sequence[Row], ratings: Ratings) -> dict[tuple[str, ...], Preference]:
    """Return how each way that was rated came off, the most preferred first."""
    won: Counter[tuple[str, ...]] = Counter()
    lost, even = won.copy(), won.copy()
    for first, second, better in _rated(rows, ratings):
        if better == "even":
            even.update(map(_way_of, (first, second)))
            continue
        winner, loser = (first, second) if better == "first" else (second, first)
        won[_way_of(winner)] += 1
        lost[_way_of(loser)] += 1
    found = {way: Preference(won[way], even[way], lost[way]) for way in won | lost | even}
    return dict(sorted(found.items(), key=lambda one: (one[1].worse - one[1].better, one[0])))


def agreement(rows: Sequence[Row], ratings: Ratings) -> Agreement:
    """Return how far the reader and the facts agree: facts in the report count first, then those in its first lines."""
    same = of = 0
    for first, second, better in _rated(rows, ratings):
        mine, theirs = ((row["report"], row["first"]) for row in (first, second))
        if mine != theirs and better != "even":
            of += 1
            same += (mine > theirs) is (better == "first")
    return Agreement(same, of)


def concord(rows: Sequence[Row], mine: Ratings, theirs: Ratings) -> Concord:
    """Return how far two raters agree; both alike is a third thing to say beside either report being better."""
    said, other = (
        {frozenset((first["key"], second["key"])): _side(first, second, better) for first, second, better in rated}
        for rated in (_rated(rows, mine), _rated(rows, theirs))
    )
    both = [(said[pair], other[pair]) for pair in said.keys() & other.keys()]
    if not both:
        return Concord(0, 0, None)
    of, same = len(both), sum(one == two for one, two in both)
    counts, counted = (Counter(sides) for sides in zip(*both, strict=True))
    chance = sum(counts[side] * counted[side] for side in counts) / of**2
    return Concord(same, of, None if chance == 1 else (same / of - chance) / (1 - chance))


def _side(first: Row, second: Row, better: Better) -> Better:
    """Return which of two runs is better, seen in an order that is the same whoever rates them."""
    if better == "even" or first["key"] < second["key"]:
        return better
    return "second" if better == "first" else "first"


def _rated(rows: Sequence[Row], ratings: Ratings) -> list[tuple[Row, Row, Better]]:
    """Return the ratings of runs that are there; of two on one pair the last one holds."""
    known = {row["key"]: row for row in rows}
    last = {frozenset((one.first, one.second)): one for one in ratings.given}
    return [
        (known[one.first], known[one.second], one.better)
        for one in last.values()
        if one.first in known and one.second in known
    ]
