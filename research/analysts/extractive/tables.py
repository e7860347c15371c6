"""The tables of a page that answer a question: which of them, which of their rows, and which column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from research.core import Page
from research.gaps import Relevance, says, word_shares
from research.language import Language
from research.meaning import Look, Meaning
from research.text import (
    MONTHS,
    YEAR,
    Asked,
    Concept,
    Name,
    Operation,
    Value,
    asked_things,
    folded,
    language_of,
    other_words,
    places_in,
    row_cells,
    stands_whole,
    tokens,
    values_of,
)

TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
_LINE = re.compile(r"\|[^\n]*")
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_COUNTED_IN = re.compile(
    r"[(（](?:[^()（）|]*\bin (?:thousand|million|billion)s?\b[^()（）|]*|単位[^()（）|]*|[百千十]?[万億兆]?円)[)）]",
    re.IGNORECASE,
)
"""How a line or the head of a table says in what its figures are, in words that are shown as they stand; the unit that
a label has in brackets becomes part of its values."""
_HEAD = 600
"""Characters of a table in which that is looked for."""
_COVER = 3_000
"""Characters of a page by which it is told whose it is."""
_NOTE = re.compile(r"\s*\(\d\)$")
"""A mark of a note behind the name of a row."""
_NAME = re.compile(r"名称?$|\s+names?$", re.IGNORECASE)
"""What the head of the names of rows says besides: 株主名, Product name."""
_REMARK = re.compile(
    r"(?!.*(?:次の|以下|下記|次表|\bfollow|\btables?\b|\bbelow\b|\bsummar|\bset forth\b)).*[。.]$", re.IGNORECASE
)
"""A sentence that says nothing of what follows: a remark on the table before, say."""
_LINES = 3
"""Lines before a table among which what leads to it is looked for."""
_LEADS = 600
"""Characters before a table in which what leads to it is looked for."""
_COMPARED, _COMPARED_ABROAD, _TRIED = 12, 24, 8
"""Tables of a page that are compared by meaning, those that share most words first; of a page in the other language,
whose words tell little; and the nearest that are tried: what is asked as tablet revenue is told in a table of net sales
by product."""
_NEAR, _FOR_SAID, _FOR_ONE, _FOR_MEANT, _FOR_NAME = 0.7, 0.6, 0.4, 0.4, 0.3
"""Worth of a table from which its rows answer, and what it gains where the question names rows of it, the more of them
the more, or means some for all that is asked: so a table in the other language is found, whose lead shares no word;
and more where a row is called just what is asked: hardly a passage says it better."""
_MOVES = re.compile(
    r"\b(?:chang|declin|decreas|drop|fall|fell|grew|grow|increas|mov|ris|rose)\w*|増[加え]|減[少り]|推移|変化|上昇|低下",
    re.IGNORECASE,
)
"""What tables do not say: they show it."""
_SAYS_BESIDE = 0.4
"""Share that a table has to say of what is asked besides the rows meant."""
_OF_FIGURES = (Operation.ADD, Operation.CHANGE, Operation.COMPARE, Operation.RATIO)
_PLAIN = frozenset(("amount", "and", "cost", "expense", "for", "in", "net", "number", "of", "the", "total"))
"""Words of the name of a row that make it no other."""
_BESIDE = frozenset(("and", "for", "in", "net", "of", "on", "the", "total"))
"""Words of the name of a row that leave open what it is of."""
_FILLING = _BESIDE | {"amount", "by", "from", "provided", "to", "used"}
"""The same, with what tells of a flow whence it comes."""
_OF_SPENDING = frozenset(("cost", "expenditure", "expense", "invested", "spending", "spent"))
_OF_AMOUNTS = _OF_SPENDING | {"amount", "figure", "level", "number", "value"}
"""What asks for an amount, which the name of a row need not say: R&D expenditure is research and development."""
_OF_PART = 0.9
"""Worth of a row in a part of a table that what is asked does not say: it may be of a segment."""
_OWN_WORDS, _ALL_WORDS, _SAID = 0.6, 0.8, 0.9
"""Shares of a row's own words that are asked for, and of what is asked that it says with the lines above it, from which
it is called so; and how far a word has to mean a thing."""
_TOTALS = frozenset(("total", "subtotal", "consolidated", "other", "計", "合計", "総数", "小計", "その他"))
_OF = re.compile(r"\s(?:of|for|from|in|on|to|under|with)\s", re.IGNORECASE)
"""What stands between what the name of a row tells and what it tells it of."""
_WORDS = 400
"""Characters of a table that are compared."""
_FEWEST, _MOST = 2, 12
"""Rows from which there is an order, and rows that are taken."""
_SHOWN = 6
"""Rows up to which all of a table answer where none is named."""
_WHOLE = 0.01
"""How near a row comes to the sum of the others that is their total, as a share of it."""
_STANDS_OUT, _STANDS_OUT_OF_ONE = 0.022, 0.04
"""By how much the name of a row has to be nearer to what is asked than the next, for the row to be meant; nearer where
what is asked is one word, of which meaning tells less."""
_BY = re.compile(
    r"\bby (?:[a-z]+ )?(?:segment|division|region|area|market|product|category|type|industry|country|brand)s?\b"
    r"|\bside by side\b|\bbreakdown\b|別[のにで]|ごと|内訳",
    re.IGNORECASE,
)
"""What asks for all rows of a table."""
_QUARTER = re.compile(r"\bquarter|\b10-Q\b|\bQ[1-4]\b|四半期|[0-9０-９]+[〜~～-][0-9０-９]+月期", re.IGNORECASE)
_THREE_MONTHS = re.compile(r"\bthree months|\bquarter|\bQ[1-4]\b|[3３三]か?ヶ?月|四半期", re.IGNORECASE)
_MONTHS_TOLD = {"six": 6, "nine": 9}
_LONGER = re.compile(r"\b(?:six|nine|twelve) months|\b(?:fiscal )?year|累計|通期", re.IGNORECASE)


@dataclass(frozen=True)
class _Table:
    """A table, or the part of one under a heading of its own."""

    lead: str
    """The line before it: what it is about."""
    part: str
    """The row that heads these rows, if one does: Operating income."""
    corner: str
    """What the names of its rows are: product, region."""
    rows: tuple[Value, ...]

    @property
    def words(self) -> str:
        """What it says around its figures."""
        first = (label_of_rows(one) for one in self.rows if one.start == self.rows[0].start)
        names = dict.fromkeys(one.subject for one in self.rows)
        return " ".join(dict.fromkeys((self.lead, self.part, self.corner, *names, *first)))

    @property
    def label(self) -> str:
        """What its rows are told under."""
        return f"{self.lead.rstrip(':：')} – {self.part.rstrip(':：')}" if self.part else self.lead


class RowMatch(NamedTuple):
    """A value of a table that answers, labelled with what its table is about."""

    value: Value
    attribute: int
    """The number of what is asked that it answers."""
    worth: float
    """How near its table comes to the question: 1 and more surely speaks of it."""


def rows_asked_for(page: Page, asked: Asked, meaning: Meaning | None) -> list[RowMatch]:
    """Return the rows of a page's tables that answer: where an order is asked for, all in order, else those meant."""
    for worth, table, meant in _nearest(page, asked, meaning):
        rows = _ordered(table, asked) if asked.operation is Operation.RANK else _told(table, meant, asked)
        if rows:
            told = [replace(one, label=table.label, period=one.column) for one in rows[:_MOST]]
            return [RowMatch(one, meant.get(one.subject, 0), worth) for one in told]
    return [RowMatch(one, 0, 1.0) for one in _listed_rows(page.text, asked)]


def _by_name(table: _Table) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for one in table.rows:
        found.setdefault(one.subject, []).append(one)
    return found


def _nearest(page: Page, asked: Asked, meaning: Meaning | None) -> list[tuple[float, _Table, dict[str, int]]]:
    """Return the tables that speak of what is asked by words and meaning, the nearest first, each with the rows meant.

    Of each row it is told which of the things asked it answers. Where the question names or means rows of a table, it
    is the nearer for it.
    """
    tables = _tables(page.text)
    if not tables:
        return []
    near = Relevance(meaning, Look.CLOSE).of(
        asked.question,
        [table.words[:_WORDS] for table in tables],
        words=" ".join(asked.attributes),
        titles=[page.title] * len(tables),
        at_most=_COMPARED if language_of(page.text) is language_of(asked.question) else _COMPARED_ABROAD,
    )
    own = [name for name in asked.names if name.stands_in(folded(page.title))]
    beside = _told_apart(tables, page, asked)
    told = [[name for name in _by_name(table) if _may_be_meant(name, table, own)] for table in tables]
    called = [_rows_called(names, table, asked, beside) for names, table in zip(told, tables, strict=True)]
    found = []
    for place in sorted(range(len(tables)), key=lambda place: (-called[place][1], -near[place]))[:_TRIED]:
        table, names = tables[place], told[place]
        meant, gain = called[place]
        if not meant and asked.wants_items:
            continue
        if not meant and (asked.wants_figure or asked.operation in _OF_FIGURES):
            meant = _by_meaning(names, table.part, asked, meaning)
            is_abroad = language_of(table.words) is not language_of(asked.question)
            gain = _FOR_MEANT * is_abroad * len(set(meant.values())) / len(asked.attributes)
        if near[place] + gain >= _NEAR:
            found.append((near[place] + gain, table, meant))
    return sorted(found, key=lambda one: -one[0])


def label_of_rows(value: Value) -> str:
    """Return what rows have in common whose labels begin with whom they are about: their column."""
    return value.label.removeprefix(f"{value.subject}: ")


def names_beside(page: Page, asked: Asked) -> list[Name]:
    """Return whom else a question names than those whose the page is, as its title and its beginning say."""
    head = folded(f"{page.title} {page.text[:_COVER]}")
    joined = head.replace(" ", "")
    strangers = (name for name in asked.names if not name.stands_in(head))
    return [name for name in strangers if folded(name.en).replace(" ", "") not in joined]


def _told_apart(tables: Sequence[_Table], page: Page, asked: Asked) -> list[Name]:
    """Return those of `names_beside` of whom the page's tables tell: a market, a segment."""
    others = names_beside(page, asked)
    told = {folded(said) for table in tables for said in (table.part, *_by_name(table))} if others else set[str]()
    return [name for name in others if any(map(name.stands_in, told))]


def _rows_called(
    names: Sequence[str], table: _Table, asked: Asked, beside: Sequence[Name]
) -> tuple[dict[str, int], float]:
    """Return the rows that a question names or says, with the number of the thing asked; and what they are worth.

    Where it names somebody `beside` whose the page is, a row is called so only in a table, or part of one, on them.
    """
    said = _said(names, asked) | _called(names, asked)
    if said and _says_beside(table, said, asked):
        is_named = any(one.stands_in(_bare(name)) for name in said for one in asked.names)
        return said, _FOR_SAID * (1 - _FOR_ONE / len(said)) + _FOR_NAME * is_named
    around = folded(f"{table.lead} {table.part}")
    is_on_them = not beside or any(name.stands_in(around) for name in beside)
    worded = _worded(names, table, asked) if is_on_them else {}
    best = max((worth for _, worth in worded.values()), default=0.0)
    return {name: index for name, (index, _) in worded.items()}, _FOR_SAID * best + _FOR_NAME * (best == 1.0)


def _may_be_meant(name: str, table: _Table, own: Sequence[Name]) -> bool:
    """Whether the name of a row tells it from others: not that of whom the page is about, of the table, or of a sum."""
    words = frozenset(tokens(name))
    is_told = not words or name.startswith("%") or words <= _TOTALS or words <= frozenset(tokens(table.lead))
    return not is_told and not any(one.stands_in(_bare(name)) for one in own)


def _worded(names: Sequence[str], table: _Table, asked: Asked) -> dict[str, tuple[int, float]]:
    """Return the rows that say with their table all of a thing that is asked, and little besides: which, and how well.

    Operating activities are cash flows from operations in a table of cash flows.
    """
    found: dict[str, tuple[int, float]] = {}
    around = tokens(f"{table.lead} {table.part}")
    for index, attribute in enumerate(asked.attributes):
        things = asked_things(attribute)
        worths = {name: _worth(name, around, things, attribute) for name in names}
        if not any(_means(one, word) for one in things for word in tokens(table.part)) and table.part:
            if any(worth and not _TOTALS.isdisjoint(tokens(name)) for name, worth in worths.items()):
                continue  # The sum of all stands in a part of its table: what its label says tells it.
            worths = {name: _OF_PART * worth for name, worth in worths.items()}
        best = max(worths.values(), default=0.0)
        found |= {name: (index, worth) for name, worth in worths.items() if worth == best > 0}
    return found


def _worth(name: str, around: Sequence[str], things: Sequence[Concept], attribute: str) -> float:
    """Return how well a row with the lines above it (`around`) says one thing asked; 0 where it says not all."""
    if _has_initials(name, attribute):
        return 1.0
    words = [word for word in tokens(_bare(name)) if word not in _FILLING]
    if not words or not things or language_of(name) is Language.JA:  # Pairs of signs are no words.
        return 0.0
    is_of_spending = any(not one.tokens.isdisjoint(_OF_SPENDING) for one in things)
    own = sum(
        any(_means(one, word) for one in things) or (is_of_spending and word in _OF_SPENDING) for word in words
    ) / len(words)
    if own < _OWN_WORDS:
        return 0.0
    needed = [one for one in things if one.tokens.isdisjoint(_OF_AMOUNTS)] or things
    whole = sum(any(_means(one, word) for word in (*words, *around)) for one in needed) / len(needed)
    return (own + whole) / 2 if whole >= _ALL_WORDS else 0.0


@lru_cache(maxsize=50_000)
def _means(thing: Concept, word: str) -> bool:
    return says(thing, frozenset((word,))) >= _SAID or any(tokens(one) == [word] for one in other_words(thing.label))


def _has_initials(name: str, said: str) -> bool:
    """Whether a text says the initials of a row: R&D of research and development."""
    initials = "".join("&" if word == "and" else word[:1] for word in _bare(name).replace(",", "").split()).upper()
    return len(initials) > 1 and re.search(rf"(?<!\w){re.escape(initials)}(?!\w)", said) is not None


def _says_beside(table: _Table, meant: Collection[str], asked: Asked) -> bool:
    """Whether a table says what is asked besides whom its rows are about: 海外 alone is no subsidiary abroad."""
    rest = _MOVES.sub(" ", " ".join(asked.attributes))
    for name in meant:
        rest = re.sub(re.escape(name), " ", rest, flags=re.IGNORECASE)
    if not tokens(rest) or language_of(rest) is not language_of(table.words):
        return True
    return word_shares(rest, [table.words])[0] >= _SAYS_BESIDE


def _ordered(table: _Table, asked: Asked) -> list[Value]:
    """Return the rows of a table, the highest or lowest first; totals are none."""
    rows = _parts(_of_column(_timely(table.rows, asked), asked))
    return sorted(rows, key=lambda one: one.number or 0.0, reverse=not asked.is_least) if len(rows) >= _FEWEST else []


def _told(table: _Table, meant: Collection[str], asked: Asked) -> list[Value]:
    """Return the values of these rows for the time asked for; where a share is asked for, of the whole with them.

    Where things are compared and none is named, a small table answers as a whole.
    """
    timely = _timely(table.rows, asked)
    room = _MOST if _BY.search(asked.question) else _SHOWN if asked.operation is Operation.COMPARE else 0
    if not meant and len({one.subject for one in timely}) <= room:
        return timely
    rows = [one for one in timely if one.subject in meant]
    if not rows or asked.operation is not Operation.RATIO:
        return rows
    if shares := [one for one in timely if one.subject.startswith("%") and _follows(one, rows, timely)]:
        return [*rows, *shares]
    column = _of_column(timely, asked)
    parts = _parts(column)
    return [*(one for one in column if one.subject in meant), *(one for one in column if one not in parts)]


def _follows(one: Value, rows: Sequence[Value], all_: Sequence[Value]) -> bool:
    """Whether a value stands right below one of these rows: % of revenue below research and development."""
    before = [other for other in all_ if other.end < one.start]
    return bool(before) and before[-1] in rows


def _said(names: Sequence[str], asked: Asked) -> dict[str, int]:
    """Return the names of rows that the question says, the longest of those within each other."""
    said = folded(asked.question)
    found = [
        name
        for name in names
        if (len(_bare(name)) >= _FEWEST and stands_whole(_bare(name), said))
        or any(one.stands_in(_bare(name)) for one in asked.names)
        or _is_all_said(name, said)
    ]
    whole = [name for name in found if not any(_bare(name) in _bare(other) != _bare(name) for other in found)]
    return {name: _asked_in(name, asked) for name in whole}


def _is_all_said(name: str, said: str) -> bool:
    """Whether a folded text has all words of an English name that make it this and no other."""
    words = frozenset(tokens(name)) - _PLAIN
    return name.isascii() and len(words) > 1 and words <= frozenset(tokens(said))


def _asked_in(name: str, asked: Asked) -> int:
    """Return the number of the thing asked in which a name stands."""
    return next((index for index, one in enumerate(asked.attributes) if _bare(name) in folded(one)), 0)


def _bare(name: str) -> str:
    return folded(_NOTE.sub("", name))


def _called(names: Sequence[str], asked: Asked) -> dict[str, int]:
    """Return the names that mean what is asked in other words, and nothing besides."""
    found: dict[str, int] = {}
    for index, attribute in enumerate(asked.attributes):
        wordings = [frozenset(tokens(one)) for one in other_words(attribute)]
        found |= {name: index for name in names if frozenset(tokens(name)) in wordings}
    return found


def _by_meaning(names: Sequence[str], part: str, asked: Asked, meaning: Meaning | None) -> dict[str, int]:
    """Return the name that comes nearest to each thing asked, if it stands out from the others; none of a place."""
    found: dict[str, int] = {}
    names = [name for name in names if not places_in(name) and not _says_aside(name, asked)]
    told = [f"{part.rstrip(':：')}: {name}" if part else name for name in names]
    for index, attribute in enumerate(asked.attributes):
        near = meaning.nearness(attribute, told) if meaning is not None and len(names) > _FEWEST else None
        if near is not None:
            first, second = sorted(near.tolist(), reverse=True)[:2]
            if first - second >= (_STANDS_OUT if len(tokens(attribute)) > 1 else _STANDS_OUT_OF_ONE):
                found.setdefault(names[int(near.argmax())], index)
    return found


def _says_aside(name: str, asked: Asked) -> bool:
    """Whether the name of a row says what is asked only of something else: shares issued under employee stock plans."""
    if (of := _OF.search(name)) is None:
        return False
    own = frozenset(tokens(name[: of.start()])) - _PLAIN
    things = frozenset(tokens(" ".join(asked.attributes)))
    return bool(own) and own.isdisjoint(things) and not things.isdisjoint(tokens(name[of.end() :]))


def _listed_rows(text: str, asked: Asked) -> list[Value]:
    """Return the rows of a table that lists what is asked for: its rows are called so, and so is the table."""
    for table in _tables(text) if asked.operation is Operation.LOOK_UP else ():
        name = folded(_NAME.sub("", table.corner))
        is_asked = len(name) >= _FEWEST and any(folded(attribute).endswith(name) for attribute in asked.attributes)
        if is_asked and name in folded(table.lead):
            return [replace(one, label=table.lead) for one in _of_column(_timely(table.rows, asked), asked)[:_MOST]]
    return []


# --- the columns of a time ---------------------------------------------------------------------------------------


def _timely(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return the values of the columns that are of the time asked for; where none says when, all."""
    heads = list(dict.fromkeys(one.column for one in rows))
    fits = {head: _fit(head, asked) for head in heads}
    best = max(fits.values(), default=0)
    if best <= 0:
        is_of_others = bool(asked.years) and any(YEAR.search(head) for head in heads)
        return [] if is_of_others else list(rows)
    kept = {head for head, fit in fits.items() if fit == best}
    if asked.operation is Operation.COMPARE or asked.wants_change or asked.wants_prose:
        kept |= {head for head in heads if any(_is_year_before(head, one) for one in kept)}
    return [one for one in rows if one.column in kept]


def months_told(head: str) -> int:
    """Return for how many months the head of a column says that its figures are; 0 where it says none."""
    if _THREE_MONTHS.search(head):
        return 3
    match = _LONGER.search(head)
    return _MONTHS_TOLD.get(match.group().casefold().partition(" ")[0], 12) if match else 0


def counted_in(lead: str) -> str:
    """Return what a line or the head of a table says its figures are in, in brackets; or nothing."""
    match = _COUNTED_IN.search(lead)
    return match.group() if match else ""


def _fit(head: str, asked: Asked) -> int:
    """Return how well the head of a column says the time asked for: the year, the month, and for how long."""
    low = head.casefold()
    is_of_year = any(year in head for year in asked.years)
    months = [(year, int(month)) for year, month in (one.split("-") for one in asked.months)]
    is_of_month = any(year in head and (MONTHS[month - 1][:3] in low or f"{month}月" in head) for year, month in months)
    fit = 4 * is_of_year + 2 * is_of_month
    if _QUARTER.search(asked.question):
        fit += (_THREE_MONTHS.search(head) is not None) - (_LONGER.search(head) is not None)
    return fit if is_of_year or not asked.years else 0


_DAY = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b|[\d,./-]", re.IGNORECASE)
"""What two heads may differ in that are of the same length of time."""


def _is_year_before(head: str, later: str) -> bool:
    """Whether two heads are of the same length of time, the one a year before the other."""
    years, lasts = YEAR.findall(head), YEAR.findall(later)
    if not years or not lasts or int(years[-1]) != int(lasts[-1]) - 1:
        return False
    first, second = (_DAY.sub(" ", one).casefold().split() for one in (head, later))
    return first == second


def _of_column(rows: Sequence[Value], asked: Asked) -> list[Value]:
    """Return one value a row, of values of the time asked for: of the column that is asked for, else of the first."""
    kept: dict[str, Value] = {}
    said: dict[str, float] = {}
    for one in rows:
        share = max(word_shares(attribute, [one.column])[0] for attribute in asked.attributes)
        if one.subject not in kept or share > said[one.subject]:
            kept[one.subject], said[one.subject] = one, share
    return list(kept.values())


def _parts(rows: Sequence[Value]) -> list[Value]:
    """Leave out a row that is the sum of the others."""
    numbers = [one.number or 0.0 for one in rows]
    return [
        one
        for one, number in zip(rows, numbers, strict=True)
        if len(rows) <= _FEWEST or abs(sum(numbers) - 2 * number) > _WHOLE * abs(number)
    ]


# --- the tables of a page ----------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _tables(text: str) -> tuple[_Table, ...]:
    """Return the tables of a page that a line leads to, those with parts part by part."""
    values = [value for value in values_of(text) if value.is_row and value.number is not None]
    found: list[_Table] = []
    for match in TABLE.finditer(text):
        lead = _lead(text[max(0, match.start() - _LEADS) : match.start()], match.group())
        corner = next(filter(None, row_cells(match.group().partition("\n")[0])), "")
        if lead:
            for part, start, end in _parted(match):
                first = bisect_left(values, start, key=attrgetter("start"))
                rows = values[first : bisect_left(values, end, first, key=attrgetter("start"))]
                if len(rows) >= _FEWEST:
                    found.append(_Table(lead, part, corner, tuple(rows)))
    return tuple(found)


def _parted(table: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the parts of a table: what heads each, and from where to where it goes."""
    part, start = "", table.start()
    for index, line in enumerate(_LINE.finditer(table.string, table.start(), table.end())):
        said = [cell for cell in row_cells(line.group()) if cell]
        if index > 1 and len(said) == 1 and not _ASIDE.fullmatch(said[0]):
            yield part, start, line.start()
            part, start = said[0], line.end()
    yield part, start, table.end()


def _lead(before: str, table: str) -> str:
    """Return the line that leads to a table, with the unit that stands between them or in the table's head.

    A sentence that speaks of no table is a remark on something else; a short line before it may be the heading.
    """
    lines = [line.strip(" #:：") for line in before.splitlines() if line.strip()]
    aside = lines.pop() if len(lines) > 1 and _ASIDE.fullmatch(lines[-1]) else ""
    lead = next((line for line in reversed(lines[-_LINES:]) if not _REMARK.match(line)), "")
    if not lead or lead.startswith("|"):
        return ""
    unit = aside or counted_in(table[:_HEAD])
    return f"{lead} {unit}" if unit and not counted_in(lead) else lead
