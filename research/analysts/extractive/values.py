"""Which labelled values of a page answer a question: lines, rows of files, and rows of tables by what leads to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import NamedTuple

from research.analysts.extractive.tables import label_of_rows, rows_asked_for
from research.core import Page, SourceKind
from research.gaps import says
from research.meaning import SURELY_ASKED, Look, Meaning, Vectors, asked_of, is_answered_by_none
from research.text import (
    WHOLE,
    Asked,
    Concept,
    Name,
    Operation,
    Value,
    asked_concepts,
    countries_in,
    folded,
    heading_at,
    items_of,
    language_of,
    lies_in,
    other_words,
    places_in,
    regions_in,
    tokens,
    values_of,
    without_names,
)

_LABELS = 80
"""Labels of one page that are compared by meaning; those that share a word with the question come first."""
_OF_PAGE = 8
"""Values of one attribute that are taken from a page; what the report shows of them is decided among all pages."""
_ROWS = 40
"""Rows of a data file that are taken from a page, at most."""
_ROWS_BY_MONTH = 250
"""The same where they are of months: a dozen places over twenty."""
MONTHS_OF_A_YEAR, _LAST_YEARS = 12, 3
"""Months that are added up where none is asked for, and how many such years are looked at."""
Window = tuple[str, str]
"""A first and a last month, as `2025-04`."""
_COLUMNS = 3
"""Columns of a data file that are taken from a page; which of all files' is meant is decided later."""
COLUMN = 0.036
"""Worth from which a column is what is asked. On thirteen tables of Our World in Data the column that was meant lay
.035 to .116 above the average, the nearest to questions on other things up to .035, without the words it gains by."""
_COUNTS = re.compile(r"\bhow many\b|何[台個本枚]|[台個本枚]数|数量", re.IGNORECASE)
_COUNTED = re.compile(r"(?:units?|quantity|qty|pieces|pcs)(?: sold)?|(?:販売)?(?:[台個本枚]数|数量)", re.IGNORECASE)
"""What asks how many, and how a column is called that counts things."""
_SAID_OF_ALL = 0.5
"""What title and label of a file have to say of what is asked in words, where it is asked of nobody in particular and
the rows of all are added up: overseas sales, but no sales target."""
_SOLD = re.compile(r"\bs(?:ell|old)\b|\bship(?:ped)?\b|販売|出荷|売れ|売った")
_SALES = re.compile(r"\b(?:sales|revenue|turnover)\b|売上", re.IGNORECASE)
"""What says that something was sold, and what a column is called that tells for how much."""
_COUNT_SOLD = 2.0
"""How far a column that counts things says how many were sold: no other does beside it."""
_UNSAID, _UNKNOWN = 0.03, 0.01
"""What a column loses whose label shares no word with what is asked, in either language, where the dictionary knows all
of that (operating profit is no revenue), and where it does not."""
RATE = re.compile(r"\b(?:rate|share|percentage|ratio)s?$|[率比]$|シェア$", re.IGNORECASE)
"""What only a value tells: “very high unemployment, especially youth” is no rate; nor is a number sold one."""
_IS_RATE = re.compile(r"\b(?:rate|share|percent|ratio)|[%％率比]|シェア", re.IGNORECASE)
_PLANNED = re.compile(
    r"\b(?:targets?|goals?|forecasts?|plan(?:s|ned)?|budgets?|outlook|expected)\b|目標|計画|見込|見通し|予測|予算",
    re.IGNORECASE,
)
"""What is meant to come about: no figure of what has is one."""
NO_SUM = re.compile(
    r"rate|ratio|share|percent|price|average|index|rating|score|\bage\b|temp|satisf|level|yield|balance|margin"
    r"|[%％率比価齢]|平均|指数|評価|満足|気温|温度|湿度|年数|点数|残高|利回り",
    re.IGNORECASE,
)
"""Columns that tell nothing added up."""
_IS_RELATION = re.compile(r"\bper\b|_per_|/|あたり|当たり|単価|rate|price|率", re.IGNORECASE)
_OTHERS = (
    "population by country: Population, total",
    "staff: Number of employees",
    "weather: Average temperature",
    "prices: Price per unit",
    "education: Students enrolled",
    "health: Hospital beds",
    "traffic: Passengers carried",
    "agriculture: Area under crops",
    "elections: Votes cast",
    "sports: Goals scored",
)
"""Columns of any kind."""
_WORDS_APART = re.compile(r"[-_]+")
_LOOKED_AT = 1_000
"""Values of a data file by which it is told whether its rows are of places."""
_NEAR = 0.045
"""By how much a label is nearer to what is asked than the average of its page: measured on pages of the almanac, the
label that was meant lay .05 to .12 above it, and the best of those of others' chapters .03 to .05."""
_SAYS, _SURE, _SURE_OF_PART = 0.55, 0.07, 0.09
"""What a label has to share with what is asked, or how far above its page's average it has to lie, to answer for it;
and how far one in the same language that says a part of it and something else. Of the dictionary's 890 terms, asked of
one country, such labels were wrong up to .089 (net income: Net migration rate), right from .096 on."""
_SURELY_ABOVE = SURELY_ASKED - _SURE
"""By how much an everyday question has to be nearer than a label to be as surely what is asked."""
_ASKS = re.compile(r"\bwh(?:at|ere|ich|om?|ose)\b|\bhow (?:big|large|strong)\b|どこ|何|誰|どの(?!くら)", re.IGNORECASE)
"""What words add to those that a label says: where it imports from is told by none of “Imports”."""
_OTHERWISE = 0.04
"""By how much an everyday question that another label answers has to be nearer than that of one that says the words."""
_READ, _LINE = 8, 200
"""Labels nearest to what is asked whose lines are read as well, and characters of a line."""
_SHARED = 0.04
"""What a label gains whose words are those of the question."""
_SAID = 0.9
"""Share of what is asked from which a label says it in words."""
_BY_OTHER_NAME = 0.6
"""What a label says of a thing that it calls by another name of the dictionary: enough to answer, less than its own."""
_PLAINLY = 0.5
"""How little a label that says all of what is asked may say besides for its words to suffice: “expected date of next
election” says nothing of the countries next to another."""
_PLAIN = 0.02
"""What a label gains that says nothing else: “Population, total” before “Urbanization, urban population”."""
_APART = 0.4
"""What of the difference in meaning counts between labels that say the same of what is asked in words: it is small, and
the right one is often the second."""
_NONE = frozenset(("NA", "N/A", "n/a", "-", "–", "―", "…"))
"""What a table says where it has no value."""
_PARTS = re.compile(r"[,;:()（）]|\s[-–]\s|\b(?:at|by|for|from|in|of|on|to|with)\b")
_COMPONENT = " - "
"""What stands between a whole and the part of it that a value is of."""
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_UNDATED = re.compile(rf"{_BRACKETS.pattern}|\b(?:19|20)\d\d\b")
"""What a label says besides what it is of: in brackets, and of which year."""
_CALLED = 0.8
"""What a label says that is what is asked by another name of the dictionary, and nothing else."""
_PART = 0.5
"""Share of what is asked that a label says, from which a heading may say the rest."""
_MONTH = re.compile(r"(\d{4})(?:年|[-/])(\d{1,2})(?:月|\Z)")
_AFTERWARDS = 0.3
"""What a word of a label counts that only says how it is meant: three of them less than one that makes it another."""
_WHOLES = WHOLE | {"world", "global", "all", "世界", "全国", "全体", "県計", "市計", "総計", "全国計"}
"""Whom a row is about that is about all of them."""
_UNITS = frozenset(
    ("thousand", "million", "billion", "trillion", "yen", "usd", "eur", "jpy", "dollar", "百万", "億", "円", "百万円")
)
_NEUTRAL = (
    WHOLE
    | _UNITS
    | frozenset(["real", "overall", "annual", "rate", "value", "count", "amount", "number", "name", "値", "数値"])
)
"""Words of a label that make it no narrower."""


@dataclass(frozen=True)
class ValueMatch:
    """A value, which of the attributes asked for it is, and how near its label comes to that."""

    value: Value
    attribute: int
    score: float
    shared: float
    """How much of what is asked its label says in words, from 0 to 1."""
    rank: float = 0.0
    """How near its label comes to it among the labels of all pages; `score` compares within its own page."""
    worth: float = 0.0
    """Of a row of a table, how near the table comes to the question."""
    sure: float = _SURE
    """From which `score` its label surely says what is asked."""
    is_meant: bool = True
    """Whether its column, of a data file, is worth `COLUMN` among those of its own file."""

    @property
    def is_shared(self) -> bool:
        """Whether its label shares enough words with what is asked."""
        return self.shared >= _SAYS

    @property
    def is_said(self) -> bool:
        """Whether its label surely says what is asked: it shares its words, or lies well above others of its page."""
        return self.is_shared or self.score >= self.sure

    @property
    def is_near(self) -> bool:
        """Whether its label says what is asked, by its words or by what it means."""
        return self.is_shared or self.score >= _NEAR


_ADDRESS = re.compile(r"<?(?:https?://|www\.)\S+>?")
_WANTS_ADDRESS = re.compile(r"\b(?:web|(?:web)?site|homepage|url|link|address)s?\b|サイト|ページ|リンク", re.IGNORECASE)
"""Who does not ask for the address of a page is not told one: minutes put it behind what they speak of."""


def matches(page: Page, asked: Asked, meaning: Meaning | None) -> list[ValueMatch]:
    """Return the values of a page that may answer, for each attribute the nearest labels first."""
    about = [value for value in values_of(page.text) if value.text not in _NONE and _is_about(value, page, asked)]
    if not _WANTS_ADDRESS.search(asked.question):
        about = [value for value in about if not _ADDRESS.fullmatch(value.text)]
    items = [part for part in range(len(asked.attributes)) if asked.wants_items_of(part)]
    named: list[ValueMatch] = []
    if items:
        named = _matching([value for value in about if not value.is_amount], page, asked, meaning)
    elif asked.wants_amounts:
        about = [value for value in about if value.is_amount or value.is_row or shares_of_named(value, asked.names)]
    told = {one.attribute for one in named if one.is_said and one.attribute in items}
    rest = _matching(about, page, asked, meaning) if len(told) < len(asked.attributes) else []
    rest = [one for one in rest if one.attribute not in told]
    return rest + [one for one in named if one.attribute in told]


def _matching(about: Sequence[Value], page: Page, asked: Asked, meaning: Meaning | None) -> list[ValueMatch]:
    rows = [value for value in about if value.is_row]
    is_file = bool(rows) and _is_of_file(rows[0], page.text)
    if is_file and asked.wants_date:
        rows = []  # What a data file counts is no day.
    meant = _rows_meant(rows, asked, page.title, is_file=is_file)
    return [
        *(_of_columns(meant, page.title, asked, meaning) if is_file else ()),
        *_by_label([value for value in about if not value.is_row], page, asked, meaning),
        *(_by_label(meant, page, asked, meaning) if not is_file else ()),
        *(
            ValueMatch(one.value, one.attribute, 2 * _NEAR, 1.0, worth=one.worth)
            for one in rows_asked_for(page, asked, meaning)
        ),
    ]


def _by_label(values: Sequence[Value], page: Page, asked: Asked, meaning: Meaning | None) -> Iterator[ValueMatch]:
    """Yield the values of lines, or of rows within a page, under the labels nearest to each thing asked."""
    labels = _first(dict.fromkeys(value.label for value in values), asked)
    are_rows = any(value.is_row for value in values)
    is_order = are_rows and asked.operation is Operation.RANK
    for index, (attribute, wording) in enumerate(zip(asked.attributes, asked.wordings, strict=True)):
        called = _called(attribute, labels) if are_rows else ()
        score = dict.fromkeys(called, 2 * _NEAR) or nearness(attribute, labels, meaning, wording)
        score = _of_whole_columns(score, values) if is_order else score
        ordered = sorted(score, key=lambda label: -score[label])
        # Of one whole all parts are taken, if any is.
        most = len(ordered) if is_order else _OF_PAGE
        ranked = [label for place, label in enumerate(ordered) if place < most or _is_beside(label, ordered[0])]
        for value in (one for label in ranked for one in values if one.label == label and score[label] > 0):
            shared = 1.0 if value.label in called else _shared_there(attribute, value, page.text)
            is_home = language_of(value.label) is language_of(attribute)
            # Of hundreds of rows in a filing some stand out whatever is asked.
            unsaid = inf if are_rows and is_home else _SURE
            sure = _SURE_OF_PART if shared > 0 and is_home else unsaid
            yield ValueMatch(value, index, score[value.label], shared, sure=sure)


def _of_whole_columns(score: Mapping[str, float], rows: Sequence[Value]) -> dict[str, float]:
    """Return how near labels come where an order is asked for: each row as near as any of its column."""
    column = {row.label: label_of_rows(row) for row in rows}
    best: dict[str, float] = {}
    for label, own in score.items():
        best[column[label]] = max(own, best.get(column[label], own))
    return {label: best[column[label]] for label in score}


def _is_beside(label: str, other: str) -> bool:
    """Whether a label is of another part of the same: Land use, forest beside Land use, other."""
    kind, comma, _ = label.partition(", ")
    return bool(comma) and other.startswith(f"{kind}, ")


def shares_of_named(value: Value, names: Sequence[Name]) -> bool:
    """Whether a value lists somebody asked for with a share: “UK 20%, Germany 18%” of whom exports go to."""
    items = [folded(item) for item in items_of(value.text) if "%" in item]
    return not value.is_amount and any(name.stands_in(item) for item in items for name in names)


class DataColumn(NamedTuple):
    """A column of figures in a data file."""

    title: str
    """Of the file, with what all of its rows say that are meant."""
    label: str

    @property
    def text(self) -> str:
        """What it is called."""
        return f"{_spaced(self.title)}: {_spaced(self.label)}"


def data_columns(rows: Sequence[Value], title: str) -> dict[Value, DataColumn]:
    """Return the column of each value of a data file; cells that all rows share tell what the file is about."""
    cells = [frozenset(value.subject.split("; ")) for value in rows]
    common = frozenset.intersection(*cells) if len({(value.start, value.end) for value in rows}) > 1 else frozenset()
    told = " ".join([title, *sorted(common)])
    return {value: DataColumn(told, value.label) for value in rows}


def _of_columns(meant: Sequence[Value], title: str, asked: Asked, meaning: Meaning | None) -> Iterator[ValueMatch]:
    """Yield the values of the columns of a data file that come nearest; among all files `columns_meant` decides."""
    columns = data_columns(meant, title)
    is_of_many = not asked.names and len({value.subject for value in meant}) > 1 and all(map(month_of, meant))
    is_of_many = is_of_many and not (asked.operation is Operation.RANK or asked.wants_each)
    for index, worth in enumerate(columns_meant(asked, list(dict.fromkeys(columns.values())), meaning)):
        nearest = sorted(worth, key=lambda column: -worth[column])[:_COLUMNS]
        for value, column in columns.items():
            if column in nearest and not (is_of_many and not _says_of_all(asked, index, column)):
                shared = said_by(asked.attributes[index], value.label)
                yield ValueMatch(value, index, 2 * _NEAR, shared, is_meant=worth[column] >= COLUMN)


def _says_of_all(asked: Asked, part: int, column: DataColumn) -> bool:
    """Whether a column, its rows added up, is what is asked of nobody in particular: how many units we sold.

    Overseas sales are no answer to what all sales are.
    """
    if is_count(asked.wordings[part], column.label) and _SOLD.search(asked.wordings[part]):
        return True
    things = [one for one in asked_concepts(asked.question) if not one.is_period]
    narrower = (word for word in tokens(_spaced(column.title)) if word.isalpha() and word not in _NEUTRAL)
    is_whole = all(any(says(one, frozenset((word,))) for one in things) for word in narrower)
    return is_whole and said_by(asked.attributes[part], column.text) >= _SAID_OF_ALL


def columns_meant(
    asked: Asked, columns: Sequence[DataColumn], meaning: Meaning | None
) -> list[dict[DataColumn, float]]:
    """Return for each attribute how near columns come to it: what is worth `COLUMN` is what is asked, if it is nearest.

    By meaning they are compared with columns of any kind, so that few of them have something to stand out from. Of one
    that shares no word with what is asked more is needed. A label that says nothing leaves it to the rows.
    """
    found = []
    # Whom both name makes anything near.
    texts = [without_names(column.text, asked.names) for column in columns]
    for attribute, wording in zip(asked.attributes, asked.wordings, strict=True):
        said = [said_by(attribute, column.label) + said_by(attribute, column.text) for column in columns]
        if asked.is_ours or _SOLD.search(wording):
            said = [max(_says_sold(wording, one.label), share) for one, share in zip(columns, said, strict=True)]
        asks = asked.question if len(asked.attributes) == 1 else wording
        near = meaning.nearness(asks, [*texts, *_OTHERS]) if meaning is not None and texts else None
        above = [COLUMN * share for share in said] if near is None else (near - near.mean()).tolist()
        lost = _UNSAID if _is_known(attribute) else _UNKNOWN
        asks_rate = asked.operation is Operation.LOOK_UP and RATE.search(attribute) is not None
        worth: dict[DataColumn, float] = {}
        for column, own, share in zip(columns, above, said, strict=False):
            is_bare = _NEUTRAL.issuperset(tokens(column.label))
            is_said = share > 1 or said_by(attribute, column.label) > 0
            is_other = asks_rate and not _IS_RATE.search(column.text)
            is_planned = _PLANNED.search(attribute) is not None and not _PLANNED.search(column.text)
            is_outdone = _COUNT_SOLD in said and share < _COUNT_SOLD  # A market for pumps does not tell how many.
            if is_planned or is_outdone or (asked.wants_relation and not _IS_RELATION.search(column.label)):
                worth[column] = 0.0
                continue
            away = (0.0 if is_said else lost) + _UNSAID * is_other
            worth[column] = max(own + _SHARED / 2 * share - away, COLUMN if is_bare and not is_other else 0.0)
        found.append(worth)
    return found


def _says_sold(wording: str, label: str) -> float:
    """Return how far a column says what was sold: how many, or for how much; engineers that we need are no units."""
    return _COUNT_SOLD if is_count(wording, label) and _SOLD.search(wording) else 1.0 if _SALES.search(label) else 0.0


def is_count(wording: str, label: str) -> bool:
    """Whether it is asked how many, and a column is called as what counts things: whatever they are called."""
    return _COUNTS.search(wording) is not None and _COUNTED.fullmatch(label) is not None


def _is_known(attribute: str) -> bool:
    """Whether the dictionary has each word of what is asked in the other language."""
    things = [one for one in asked_concepts(attribute) if not one.is_period and " " not in one.label]
    return bool(things) and all(one.related and one.known == 1.0 for one in things)


def said_by(attribute: str, label: str) -> float:
    """Return how much of what is asked a label says, from 0 to 1: all of it where it is its other name."""
    return 1.0 if _is_called(attribute, label) else _shared(attribute, label)


def _spaced(name: str) -> str:
    return " ".join(_WORDS_APART.sub(" ", name).split())


def lines_told(values: Iterable[Value]) -> dict[str, str]:
    """Return the line of each label, of several the first, without whom it is of."""
    told: dict[str, str] = {}
    for value in values:
        told.setdefault(value.label, f"{value.label}: {value.text[:_LINE]}")
    return told


def nearness(
    attribute: str,
    labels: Sequence[str],
    meaning: Meaning | None,
    wording: str,
    lines: Mapping[str, str] | None = None,
) -> dict[str, float]:
    """Return by how much each label is nearer to what is asked than labels of its page are on average.

    Of the nearest, `lines` are compared as well, by label: what a label means is often told by what stands under it.
    """
    if not labels:
        return {}
    shared = {label: _shared(attribute, label) for label in labels}
    # Words suffice where a label says all that is asked; meaning takes 20 ms a label.
    said = {label: plainness(attribute, label) for label, own in shared.items() if own >= _SAID}
    plain = [label for label, own in said.items() if own >= max(_PLAINLY, *said.values())]
    if (
        meaning is None
        or (plain and not _is_asked_otherwise(wording, plain, [*said], meaning))
        or (near := meaning.nearness(wording, labels, Look.BOTH)) is None
    ):
        apart = _apart_by_meaning(said, meaning, wording)
        beside = {label: apart.get(label, _PLAIN * plainness(attribute, label)) for label in shared}
        return {label: 2 * _NEAR * share + beside[label] for label, share in shared.items()}
    above = near - (float(near.mean()) if len(labels) > 2 else float(near.min()) - 0.02)
    if lines:
        _read_lines(above, labels, meaning, wording, lines)
    score = {label: float(one) + _SHARED * shared[label] for label, one in zip(labels, above, strict=True)}
    answered = asked_of(wording, labels, meaning)
    if is_answered_by_none(wording, answered, meaning):
        return score | {label: min(score[label], _SHARED * shared[label]) for label in answered}
    for label, asked in answered.items():
        score[label] = max(score[label], asked if asked >= SURELY_ASKED else asked - _SURELY_ABOVE)
    return score


def _is_asked_otherwise(wording: str, plain: Sequence[str], said: Sequence[str], meaning: Meaning) -> bool:
    """Whether people who ask so surely mean another of the labels that say the words: where does it import from."""
    answered = asked_of(wording, said, meaning) if _ASKS.search(wording) else {}
    best = max(answered.values(), default=0.0)
    return best >= SURELY_ASKED and best >= max(answered.get(label, 0.0) for label in plain) + _OTHERWISE


def _read_lines(
    above: Vectors, labels: Sequence[str], meaning: Meaning, wording: str, lines: Mapping[str, str]
) -> None:
    """Put the nearest labels in the order that they and their lines come to; together they stay as near as they are."""
    nearest = [int(place) for place in (-above).argsort()[:_READ] if labels[place] in lines]
    near = meaning.nearness(wording, [lines[labels[place]] for place in nearest], Look.BOTH)
    if near is not None and len(nearest) > 1:
        above[nearest] = (above[nearest] + above[nearest].mean() + near - near.mean()) / 2


def _apart_by_meaning(said: Mapping[str, float], meaning: Meaning | None, wording: str) -> dict[str, float]:
    """Return how much nearer to the clause that asks labels come than others that say the same of it in words.

    What electricity is made of is told by none of “Electricity, consumption” and “Electricity, exports”. Nothing where
    one is that of all: the life expectancy of all, beside that of men; `said` tells how little each says besides.
    """
    plain = sorted(said, key=lambda label: -said[label])
    if len(plain) < 2 or said[plain[0]] == 1 or meaning is None:
        return {}
    is_of_all = said[plain[0]] > said[plain[1]] and not WHOLE.isdisjoint(tokens(plain[0]))
    near = None if is_of_all else meaning.nearness(wording, [*said])
    return {} if near is None else dict(zip(said, (_APART * (near - near.mean())).tolist(), strict=True))


def ranks(
    attribute: str, labels: Sequence[str], meaning: Meaning | None, wording: str, lines: Mapping[str, str]
) -> dict[str, float]:
    """Return how near labels of several pages come to what is asked, those that say least besides it first.

    Averages of pages differ: an odd label stands out on a page that speaks of other things.
    """
    near = nearness(attribute, labels, meaning, wording, lines)
    return {label: near[label] + _PLAIN * plainness(attribute, label) for label in labels}


def _tokens_asked(attribute: str) -> frozenset[str]:
    return frozenset[str]().union(*(one.tokens for one in asked_concepts(attribute)))


@lru_cache(maxsize=20_000)
def plainness(attribute: str, label: str) -> float:
    """Return how little a label says besides what is asked: 1 for nothing, a half for one word, and so on.

    Words beside those asked make another thing of it (school life expectancy, GDP growth); those behind a preposition,
    a comma or a bracket only say how it is meant (life expectancy at birth), and count less.
    """
    asked = _tokens_asked(attribute)
    head, *rest = (frozenset(tokens(part)) for part in _PARTS.split(label))
    parts = [head, *(part for part in rest if WHOLE.isdisjoint(part))]  # The total population is nothing narrower.
    is_said = any(not asked.isdisjoint(part) for part in parts)
    beside = (
        len(part - asked - _NEUTRAL) * (_AFTERWARDS if is_said and asked.isdisjoint(part) else 1.0) for part in parts
    )
    return 1 / (1 + sum(beside))


def begins_with_asked(attribute: str, label: str) -> bool:
    """Whether the first part of a label says anything asked: “Literacy, total population” says no population."""
    asked = _tokens_asked(attribute)
    return not asked.isdisjoint(tokens(_PARTS.split(label)[0]))


def is_headed_by(attribute: str, label: str) -> bool:
    """Whether a label says what is asked and nothing else, but for how it is meant.

    “GDP (official exchange rate)” does, “Real GDP growth rate” and “GDP - composition, by sector” do not.
    """
    asked = _tokens_asked(attribute)
    head = frozenset(tokens(_PARTS.split(label)[0]))
    return not asked.isdisjoint(head) and _NEUTRAL.union(asked).issuperset(head) and _COMPONENT not in label


@lru_cache(maxsize=20_000)
def _shared(attribute: str, label: str) -> float:
    """Return how much of what is asked a label says in words, from 0 to 1; what it says in brackets counts half."""
    things = [one for one in asked_concepts(attribute) if not one.is_period]
    said, main = frozenset(tokens(label)), frozenset(tokens(_UNDATED.sub(" ", label)))
    weight = 2 * sum(one.weight for one in things)
    told = {one.label: _told(one, said) + _told(one, main) for one in things}
    for pair in (one for one in told if " " in one):  # Two words that stand side by side are told by one name, or each.
        told[pair] = max(told[pair], min(told.get(word, 0.0) for word in pair.split(" ")))
    share = sum(one.weight * told[one.label] for one in things) / weight if weight else 0.0
    if any(main - _NEUTRAL == frozenset(tokens(other)) for other in other_words(attribute)):
        share = max(share, _CALLED)
    whole, head = folded(attribute), folded(_BRACKETS.sub("", label))
    # What a Japanese compound is, it says last: 連結従業員数 is told under 従業員数.
    is_head = not head.isascii() and len(head) > 1 and whole.endswith(head)
    return max(share, len(head) / len(whole)) if is_head else share


def _told(thing: Concept, words: frozenset[str]) -> float:
    """Return how far words say one thing, by its own name or by another that is no shorter: CO2 is carbon dioxide."""
    least = len(tokens(thing.label))
    is_other = any(words.issuperset(one) for one in map(tokens, other_words(thing.label)) if len(one) >= least)
    return max(says(thing, words), _BY_OTHER_NAME * is_other)


def _shared_there(attribute: str, value: Value, text: str) -> float:
    """Return how much of what is asked a value's label says, with the heading above it if that completes it."""
    own = _shared(attribute, value.label)
    if not _PART <= own < 1.0:
        return own
    return max(own, _shared(attribute, f"{heading_at(text, value.start)} {value.label}"))


def _first(labels: Mapping[str, None], asked: Asked) -> list[str]:
    if len(labels) <= _LABELS:
        return list(labels)
    shared = {label: max(_shared(attribute, label) for attribute in asked.attributes) for label in labels}
    return sorted(labels, key=lambda label: -shared[label])[:_LABELS]


def _is_about(value: Value, page: Page, asked: Asked) -> bool:
    """Whether a value is about somebody asked for; what is of one country answers no question that names none."""
    places = [name for name in asked.names if name.is_place]
    if not places:
        parts = regions_in(asked.question)
        is_of_all = not asked.names and (asked.is_rank_of_all or asked.is_of_all or bool(parts))
        is_there = is_of_all and lies_in(value.subject or page.title, parts)
        return is_there or page.kind is SourceKind.DOCUMENT or not places_in(page.title)
    if value.is_row and _is_share_of_file(value, asked):
        return True
    if value.is_row:
        low = folded(f"{value.subject} {page.title}")
        if _is_of_file(value, page.text):
            # As a whole, as none of its cities is; a file whose rows name no place is about whatever it was asked for.
            return any(place.stands_itself_in(low) for place in places) or not _names_places(page.text)
        return any(name.stands_in(low) for name in places)
    low = folded(f"{value.subject} {value.label}" if value.subject else page.title)
    return any(name.stands_in(low) for name in places)


def _is_share_of_file(row: Value, asked: Asked) -> bool:
    """Whether a share is asked for of which the rows of all others, month by month, tell the whole."""
    return asked.operation is Operation.RATIO and len(asked.names) == 1 and bool(month_of(row))


def _is_of_file(row: Value, text: str) -> bool:
    """Whether a row is one of a data file, and not of a table within a page."""
    return "|" not in text[row.start : row.end]


@lru_cache(maxsize=256)
def _names_places(text: str) -> bool:
    """Whether rows of a data file say of which country or city they are."""
    return any(countries_in(value.subject) for value in values_of(text)[:_LOOKED_AT] if value.is_row)


def _rows_meant(rows: Sequence[Value], asked: Asked, title: str, *, is_file: bool) -> list[Value]:
    """Return the rows whose cells the question names most: the country, the year, the case; not the page's subject."""
    inside: Sequence[Value] = _timely(rows, asked)
    said, whole = folded(asked.question), folded(title)
    names = [name for name in asked.names if not name.stands_in(whole)]
    if not names and len(asked.names) > 1:
        names = list(asked.names)  # A page on all of them has a row on each.

    def is_called(cell: str) -> bool:
        return any(_is_called(attribute, cell) for attribute in asked.attributes)

    def is_named(cell: str) -> bool:
        low = folded(cell)
        return bool(low) and (low in said or any(name.stands_in(low) for name in names) or is_called(cell))

    is_of_whole = bool(inside) and all(_is_share_of_file(value, asked) for value in inside)
    if names and is_file and not is_of_whole and any(countries_in(value.subject) for value in inside):
        # Nobody else's row answers, whatever else it says.
        inside = [value for value in inside if any(name.stands_in(folded(value.subject)) for name in names)]
    inside = _of_last_years(inside, asked)
    about = [value for value in inside if any(map(is_named, value.subject.split("; ")))]
    is_by_month = bool(inside) and all(map(month_of, inside))
    most_rows = _ROWS_BY_MONTH if is_by_month else _ROWS
    is_of_one = len({value.subject for value in inside}) == 1 or (is_by_month and not asked.names)
    is_of_all = is_of_whole or is_of_one or asked.operation in (Operation.RANK, Operation.ADD)
    if not about and any(value.subject for value in inside) and not is_of_all:
        about = list(filter(is_whole, inside))
        if not about:
            return []
    inside = inside if is_of_whole else about or inside
    if asked.operation is Operation.RANK and len(inside) > most_rows:
        ordered = sorted(inside, key=lambda value: value.number or 0.0, reverse=not asked.is_least)
        inside = asked.ends_of(ordered, most_rows)
    called = _labels_said([value.label for value in inside], asked)

    def said_of(value: Value) -> int:
        return sum(map(is_named, (*value.subject.split("; "), value.period))) + (value.label in called)

    named = {value: said_of(value) for value in inside}
    most = max(named.values(), default=0)
    if not most and len(named) > most_rows:
        return []
    best = {(value.start, value.end) for value in inside if named[value] == most or is_of_whole}
    return [value for value in inside if (value.start, value.end) in best] if len(best) <= most_rows else []


def _of_last_years(rows: Sequence[Value], asked: Asked) -> Sequence[Value]:
    """Return, of rows that are of months, those of the last years where no time is asked for; of an order, the last."""
    if asked.years or asked.months or not rows or not all(map(month_of, rows)):
        return rows
    spans = last_years([month_of(value) for value in rows])
    spans = spans[-1:] if asked.operation is Operation.RANK and not asked.ranks_growth else spans
    return [value for value in rows if spans[0][0] <= month_of(value) <= spans[-1][1]] if spans else rows


def _labels_said(labels: Sequence[str], asked: Asked) -> set[str]:
    """Return the labels that say most of each thing asked."""
    said: set[str] = set()
    for attribute in asked.attributes:
        shares = {label: _shared(attribute, label) for label in labels}
        most = max(shares.values(), default=0.0)
        said |= {label for label, share in shares.items() if share == most > 0}
    return said


def _called(attribute: str, labels: Sequence[str]) -> list[str]:
    """Return the rows that are called what is asked in other words, of totals if there are any; none if one says it."""
    if any(frozenset(tokens(label)) - _NEUTRAL == frozenset(tokens(attribute)) for label in labels):
        return []
    found = [label for label in labels if _is_called(attribute, label)]
    return [label for label in found if not WHOLE.isdisjoint(tokens(label))] or found


def _is_called(attribute: str, cell: str) -> bool:
    """Whether a row is called what is asked in other words, and nothing besides: total net sales are revenue."""
    said = frozenset(tokens(cell)) - _NEUTRAL
    # What a Japanese question asks for stands last: Appleの 売上高.
    asked = attribute if attribute.isascii() else attribute.rpartition(" ")[2]
    return any(said == frozenset(tokens(one)) for one in other_words(asked))


def _timely(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return the values of the time asked for; where somebody named has none, those of the years next to it."""
    dated = {(value.start, value.end) for value in rows if value.year} if asked.years else set()
    series: dict[tuple[str, str], list[Value]] = {}
    for value in rows:
        if value.year or (value.start, value.end) not in dated:
            series.setdefault((value.label, value.subject) if asked.names else ("", ""), []).append(value)
    timely: set[Value] = set()
    for own in series.values():
        timely.update([value for value in own if is_within(value, asked)] or _nearest_years(own, asked))
    return [value for value in rows if value in timely]


def _nearest_years(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return the values of the years next to the one that is asked for."""
    known = {int(value.year) for value in rows if value.year}
    if len(asked.years) != 1 or not known:
        return []
    wanted = int(asked.years[0])
    near = {*sorted(year for year in known if year < wanted)[-1:], *sorted(year for year in known if year > wanted)[:1]}
    return [value for value in rows if value.year and int(value.year) in near]


def is_whole(value: Value) -> bool:
    """Whether a row is about all of those that others are about."""
    return not _WHOLES.isdisjoint(map(folded, value.subject.split("; ")))


def last_years(months: Sequence[str]) -> list[Window]:
    """Return the last spans of twelve months of those that a file has, in order; none where it has fewer."""
    told = sorted(set(months))
    ends = range(len(told), MONTHS_OF_A_YEAR - 1, -MONTHS_OF_A_YEAR)
    spans = [(told[end - MONTHS_OF_A_YEAR], told[end - 1]) for end in ends][:_LAST_YEARS]
    return sorted(one for one in spans if _is_a_year(*one))


def _is_a_year(first: str, last: str) -> bool:
    """Whether from one month to the other it is a year: none is missing between them."""
    (year, month), (until, end) = (map(int, one.split("-")) for one in (first, last))
    return 12 * until + end - (12 * year + month) == MONTHS_OF_A_YEAR - 1


def month_of(value: Value) -> str:
    """Return the month that a value is of, as `2025-04`; nothing of what is of longer or of a day."""
    month = _MONTH.match(value.period)
    return f"{int(month[1])}-{int(month[2]):02}" if month else ""


def is_within(value: Value, asked: Asked) -> bool:
    """Whether the period of a row lies in that of the question, where both are told."""
    if asked.span and (month := month_of(value)):
        a_year_on = f"{int(month[:4]) + 1}{month[4:]}"
        return asked.is_in_months(month) or (asked.ranks_growth and asked.is_in_months(a_year_on))
    if value.year and not asked.span:
        return asked.is_in_years(value.year)
    return True
