"""Which of two reports on one question is the better one, blind: rated by a reader, and by a model as judge.

A reader is told whose way it is only afterwards. Ratings stand in `ratings.json` of the folder of results. They are of
runs, so that a run done anew is rated anew.

A model is asked twice for each pair, with either report first, as models lean towards a place: one that names another
report when they change places has none that it prefers. What it said stands in `judgements.jsonl` of the folder of
results, a line a pair, and is not asked again. How far it agrees with the reader is told.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import date
from functools import partial
from itertools import accumulate, combinations, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from research import core, prompts
from research.analysts.chat import ModelName
from research.batch import UnderWay, side_by_side
from research.export.folder import writing
from research.language import Language
from research.settings import Settings
from research.settings.files import read, write
from research.store import RunStore, make_ready

if TYPE_CHECKING:
    from research.analysts.chat.models import RoleModels


# --- a reader --------------------------------------------------------------------------------------------------------

Row = Mapping[str, Any]
"""A run of an experiment, as `Results.rows` has it."""
WAY = ("preset", "method", "models", "embedder", "prompts")
"""What tells ways apart."""
Better = Literal["first", "second", "even"]


class Rating(core.Frozen):
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


# --- a model as judge ------------------------------------------------------------------------------------------------

_JUDGEMENTS = "judgements.jsonl"
MOST = 40
"""Pairs that are judged at once unless told otherwise: fewer say little of agreement beyond chance."""
_AT_ONCE = 4
_ROLE = core.Role.RESEARCH
"""As whom the model is asked: it decides, in few words."""
_LONGEST = 1_000
"""Characters of a reason."""
_MARK = re.compile(r"<(?=/?(?:question|report_))", re.IGNORECASE)
_log = logging.getLogger(__name__)


class Judgement(Rating):
    """What a judge made of a pair; `even` also where it has none that it prefers in both orders."""

    judge: str
    held: bool
    """Whether it said the same of the reports when they changed places."""
    reason: str
    """Its own words, of the first order."""
    tokens: int = 0
    cost_usd: float | None = None


class Preferred(BaseModel):
    """Which of two reports is better, and what decided."""

    reason: str = Field(default_factory=str)
    better: str

    @property
    def choice(self) -> Better:
        """The one that it names, in whatever words; `even` if it names both or neither."""
        match set(re.findall(r"\b[AB]\b", self.better.upper())):
            case one if one == {"A"}:
                return "first"
            case one if one == {"B"}:
                return "second"
        return "even"


_TURNED: dict[Better, Better] = {"first": "second", "second": "first", "even": "even"}


class Judge(NamedTuple):
    """What a judge came to, and whether it can stand for its reader."""

    name: str
    pairs: int
    held: int
    """Pairs of which it said the same when the reports changed places."""
    with_reader: Concord
    with_facts: Agreement
    tokens: int
    usd: float | None
    """None if the price of one call is not known."""


class Docket(NamedTuple):
    """Pairs that a judge can be asked about."""

    pairs: tuple[Pair, ...]
    rated: int
    """The first so many were rated by the reader."""
    usd: float
    """About what it costs to have them judged."""


def judgements_in(folder: Path) -> dict[str, tuple[Judgement, ...]]:
    """Return what was judged of the results in a folder, by judge; lines that are cut off count as not there."""
    file, found = folder / _JUDGEMENTS, defaultdict[str, list[Judgement]](list)
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        try:
            one = Judgement.model_validate_json(line)
        except ValidationError:
            continue
        found[one.judge].append(one)
    return {judge: tuple(given) for judge, given in found.items()}


def judges(rows: Sequence[Row], ratings: Ratings, judged: Mapping[str, Sequence[Judgement]]) -> list[Judge]:
    """Return how each judge came off, by what it said of runs that are there."""
    keys, found = {row["key"] for row in rows}, []
    for name, given in judged.items():
        there = tuple(one for one in given if {one.first, one.second} <= keys)
        its = Ratings(given=there)
        held, tokens = sum(one.held for one in there), sum(one.tokens for one in there)
        usd = _sum([one.cost_usd for one in there])
        said = (concord(rows, ratings, its), agreement(rows, its), tokens, usd)
        found.append(Judge(name, len(there), held, *said))
    return found


def check_judge(judge: str, settings: Settings, language: Language) -> None:
    """Check that who serves a model is set up.

    Raises:
        UsageError: it is not; says what is missing in `language`.
    """
    name = ModelName.parse(judge)
    name.served_by.require(name.name, settings.values_of(name.served_by), language)


def docket(
    folder: Path, rows: Sequence[Row], judge: str, *, most: int = MOST, max_cost_usd: float | None = None
) -> Docket:
    """Return pairs that a judge was not asked about: those that the reader rated first, then questions in turn.

    There are `most` of them, or as many as cost `max_cost_usd` by the length of their reports.
    """
    rated = {frozenset((one.first, one.second)) for one in ratings_in(folder).given}
    waiting = pairs(folder, rows, Ratings(given=judgements_in(folder).get(judge, ())))
    waiting.sort(key=lambda pair: frozenset(pair.key) not in rated)
    costs = [_usual_usd(folder, judge, pair) for pair in waiting[:most]]
    cap = math.inf if max_cost_usd is None else max_cost_usd
    payable = sum(total <= cap for total in accumulate(costs))
    chosen = tuple(waiting[:payable])
    return Docket(chosen, sum(frozenset(pair.key) in rated for pair in chosen), sum(costs[:payable]))


def have_judged(
    folder: Path,
    waiting: Docket,
    store: RunStore,
    settings: Settings,
    judge: str,
    *,
    max_cost_usd: float | None = None,
    on_done: Callable[[int, int], object] = lambda done, of: None,
    language: Language = Language.EN,
) -> str:
    """Have a model judge pairs, and keep what it says; return why some were not judged (a code), or nothing.

    Reports leave for the model, those on own documents too. `on_done` hears how many of how many are done; its reasons
    are in `language`.

    Raises:
        UsageError: who serves the model is not set up.
        ModelRefused: the server refuses the caller.
        StoreError: a judgement cannot be kept.
    """
    check_judge(judge, settings, language)
    make_ready(settings)  # Here: threads that load clients at once break each other.
    jobs = [partial(_judged, store, settings, judge, pair, language) for pair in waiting.pairs]
    spent, failed = 0.0, ""
    on_done(0, len(jobs))
    with closing(side_by_side(jobs, _AT_ONCE, UnderWay())) as ended:
        for count, (_, one) in enumerate(ended, 1):
            if isinstance(one, Judgement):
                spent += one.cost_usd or 0.0
                with writing(folder, language), (folder / _JUDGEMENTS).open("a", encoding="utf-8") as file:
                    file.write(one.model_dump_json() + "\n")
            else:
                failed = one
            on_done(count, len(jobs))
            if max_cost_usd is not None and spent >= max_cost_usd and count < len(jobs):
                return "cap_reached"
    return failed


def _usual_usd(folder: Path, judge: str, pair: Pair) -> float:
    """Return about what the two calls on a pair cost: at most, as what it is shown is shorter than the files."""
    texts = [prompts.load("prefer").text, *(said_in(folder, row) for row in pair)]
    read, written = sum(map(core.tokens_in, texts)), core.ANSWER_TOKENS[_ROLE]
    usual = core.price_of(judge, read, written)
    return 2 * (core.assumed_price(read, written) if usual is None else usual)


class _Shown(NamedTuple):
    """What is shown of a report: its text alone, without who wrote it or how."""

    question: str
    draft: str


def _shown(store: RunStore, row: Row) -> _Shown | None:
    """Return what is shown of the report of a run; None if it is not in the store any more."""
    try:
        record = store.record(row["run"])
    except core.UsageError:
        return None
    return None if record is None else _Shown(record.brief.question, record.draft)


def _judged(store: RunStore, settings: Settings, judge: str, pair: Pair, language: Language) -> Judgement | str:
    """Return what a judge makes of a pair, or why it makes nothing of it; raises `ModelRefused`."""
    first, second = (_shown(store, row) for row in pair)
    if first is None or second is None:
        return "report_gone"
    try:
        return asyncio.run(_asked_twice(settings, judge, pair, (first, second), language))
    except core.ModelRefused:
        raise
    except core.ModelError as error:
        _log.warning("A pair was not judged: %s", error)
        return error.code


async def _asked_twice(
    settings: Settings, judge: str, pair: Pair, shown: tuple[_Shown, _Shown], language: Language
) -> Judgement:
    from research.analysts.chat.models import CALL_SECONDS, Connections, RoleModels

    calls: list[core.ModelCalled] = []

    def emit(event: core.Event) -> None:
        assert isinstance(event, core.ModelCalled)
        calls.append(event)

    async with RoleModels(
        {_ROLE: judge}, Connections(settings, CALL_SECONDS), emit, secrets=settings.secrets
    ) as models:
        answers = await asyncio.gather(*(_asked(models, texts, language) for texts in (shown, shown[::-1])))
    said, turned = answers[0].choice, _TURNED[answers[1].choice]
    costs = [call.cost_usd for call in calls]
    return Judgement(
        first=pair.first["key"],
        second=pair.second["key"],
        better=said if said == turned else "even",
        judge=judge,
        held=said == turned,
        reason=answers[0].reason[:_LONGEST],
        tokens=sum(call.input_tokens + call.output_tokens for call in calls),
        cost_usd=_sum(costs),
    )


async def _asked(models: RoleModels, shown: Sequence[_Shown], language: Language) -> Preferred:
    from research.analysts.chat import answers

    told = prompts.load("prefer").fill(today=date.today().isoformat(), language=answers.language_name(language))
    named = (
        f"<report_{name}>\n{_enclosed(one.draft)}\n</report_{name}>" for name, one in zip("AB", shown, strict=True)
    )
    question = f"<question>\n{answers.one_line(shown[0].question)}\n</question>"
    asked = "\n\n".join([question, *named])
    return await answers.Asking(models, date.today()).ask(_ROLE, answers.system(told), asked, Preferred)


def _enclosed(text: str) -> str:
    """Return a text in which nothing can pass for where it ends or another begins."""
    return _MARK.sub("‹", text)


def _sum(costs: Sequence[float | None]) -> float | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None
