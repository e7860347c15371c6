"""What the rows of a data file come to, as a question asks for it: added up, averaged, counted, put in order, compared.

The question's words choose the rows (what cells say, and when), the column that is measured, and the one whose groups
are asked for; where they are other words than the file's, meaning chooses. What a question names and a file does not
have, the file does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import product

from research.analysts.extractive.quotes import computed_line
from research.analysts.extractive.row_questions import (
    DONE,
    IDENTIFIES,
    PLANNED,
    TELLS_HOW,
    WEEKDAY,
    RowsAsked,
    is_called,
    last_word,
    ways,
)
from research.analysts.extractive.values import COLUMN, NO_SUM, DataColumn, columns_meant, is_count
from research.analysts.protocol import ReportRequest
from research.core import Evidence, How, Page, Relation, RowQuery, SourceKind, Span
from research.language import COLON, Language
from research.meaning import Look, Meaning
from research.quantities import (
    AND,
    LEAST_ROWS,
    NOT,
    SAYS_NOTHING,
    SHEET,
    TO,
    Frame,
    Part,
    Telling,
    Told,
    answered,
    answers,
    frames,
    part_of,
    parts_by,
    spaced,
)
from research.text import (
    TIMES,
    Asked,
    Operation,
    asked_things,
    escape_markdown,
    expand,
    folded,
    is_stop_word,
    language_of,
    number_in,
    places_among,
    question_parts,
    singular,
    tokens,
)

_GROUPS, _MEANT, _STATES = 400, 60, 4
"""Values of a column up to which they are put in order, up to which they may be meant without the column's name, and up
to which they are states: who has left, who has not."""
_EACH = 0.95
"""The share of rows of which a column has to say something of its own to name them."""
_SHOWN = 10
"""Groups of an order that are shown."""
_GROUP = 0.012
"""How much nearer to the question than the average of its file's a column lies whose groups it asks for, of which it
says no name: of twelve questions the right one lay .013 to .06 above it."""
_KIND = 0.04
"""The same of one whose values are counted, each once: two right ones lay .06 and .07 above it, a wrong one .03."""
_ABOUT, _NEAR = 0.5, 4.5
"""The share of the things in a question that a file has to say. Without them, and where it names no cell, how many
standard deviations nearer to it than what has nothing to do with it the file has to lie: of questions on other things
some lay 3.7 from a file."""
_SAID = 0.02
"""What a file gains for each thing of the question that it says in words, beside how near it comes in meaning."""
_SAID_OF_ALL = 0.1
"""What it gains if it says all of them: who asks of one product means no file that has no products."""
_FIGURE_TOLD = re.compile(r"[:：]\s*([^:：=]+?) = ")
_EVIDENCE = re.compile(r"\[(E\d+)\]")
"""The figure that a line says was worked out, and the evidence that it cites."""
_CHANGE = re.compile(
    r"前年(?:同[月期])?比|前[月期]比|対前年比?|増減率|伸び率|変化率"
    r"|year[- ]on[- ]year|\byoy\b|(?:%|percent(?:age)?) change",
    re.IGNORECASE,
)
"""How a column is called that tells the change of another one."""
_MONEY = re.compile(r"[(（][^()（）]*(?:円|ドル|ユーロ|[$€£¥￥]|\b(?:yen|USD|JPY|EUR)\b)[^()（）]*[)）]")
_SCALED = re.compile(
    r"[(（](?P<unit>(?P<times>千|百万|十億|[万億兆]|(?:thousand|million|billion|trillion) ?)[^()（）\d]{0,8})[)）]\Z"
)
_TIMES = TIMES | {"千": 1e3, "百万": 1e6, "十億": 1e9}
_MEASURED = re.compile(r"円|ドル|ユーロ|人|\b(?:yen|dollars?|euros?|people)\b|[$€£¥]", re.IGNORECASE)
"""The unit of a column that counts in thousands or more, and what shows that a limit is told in one."""
_PERCENT = re.compile(r"何(?:[%％]|パーセント)|\bwhat percent", re.IGNORECASE)
_ALIKE = 0.85
"""From how alike two columns are called but for that, one tells the change of the other."""
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]\s*\Z")
_PART = re.compile(r"\s*[/／:：(（]?\s*(?:うち)?\s*(?P<part>.+)")
"""What stands behind the name of a column in that of a part of it: 残高／うち 預金."""
_YES = frozenset(("yes", "true", "y", "1", "有", "あり", "はい", "○"))
_ENDINGS = re.compile(r"(?<=..)[都道府県市区町村店]\Z")
_OF_A_KIND = re.compile(
    r"(?<![一-鿿ァ-ヶー\d])(?![\d一二三四五各全同支本])[一-鿿ァ-ヶー]{2,}?(?:店|支社|営業所|県|市|工場)(?![舗長一-鿿])"
)
"""What a Japanese question names by the kind of thing that it is: 名古屋店."""
_TELLS_APART = re.compile(
    r"\b(?:ID|code)\b|\bno\.?$|\b(?:number|count)$|コード|番号|^(?:month|year|day|和暦)\b|^[月日年]$|^unnamed"
    r"|^column \d",
    re.IGNORECASE,
)
"""Columns whose figures only tell rows, days or places apart."""
_WHOLE = re.compile(r"^totals?\b|合計|総数|総額", re.IGNORECASE)
"""A column that holds others together."""
_WHOLE_OF = re.compile(r"[(（, ](?:総数|合計|総計|計|totals?)[)）]?\Z", re.IGNORECASE)
"""What a column is called that holds those beside it together: 人口（総数）, of 人口（男）."""
_CODE = re.compile(r"\d+|(?<![&\w'])[B-HJ-Z](?![&\w'])|(?<=\s)A(?=\s*(?:$|[?,.]|支店|店|社))")
"""What is left of a question that stands for something: a number, a letter."""
_MARKED = re.compile(r"[A-Za-z]+\d+")
"""A name with a number, which a column may have: M2."""
_SHORT_CODE = re.compile(r"[A-Z]{3,5}")
_CAPITAL = re.compile(r"[A-Z]\w*|&")


def row_quotes(page: Page, asked: Asked, meaning: Meaning | None) -> list[str]:
    """Return the rows of a page that are cited for what its rows come to, as they stand."""
    query = _query(page, asked, meaning)
    return _as_they_stand(query.told(Language.EN) if query else (), page)


def row_lines(
    pool: Sequence[Evidence], pages: Mapping[str, Page], asked: Asked, meaning: Meaning | None, language: Language
) -> list[str]:
    """Return a line for each figure that the rows of the data file come to which fits the question best."""
    found = {source: _query(pages[source], asked, meaning) for source in dict.fromkeys(one.source for one in pool)}
    queries = {source: query for source, query in found.items() if query is not None}
    for source in _by_fit(queries, asked, meaning):
        by_place = {(entry.start, entry.end): entry.id for entry in pool if entry.source == source}
        told = queries[source].told(language)
        if told and all(any((row.start, row.end) in by_place for row in one.rows) for one in told):
            return [_line(one, by_place, language) for one in told]
    return []


def rows_computed(request: ReportRequest) -> tuple[str, ...]:
    """Return the lines of a report for what rows of data files come to, with the ids of evidence.

    What the question's words ask for comes first, then what a model asked: small ones often ask for something else.
    What both come to, of the same rows, is told once.
    """
    asked, evidence = question_parts(request.brief.question), tuple(request.evidence.values())
    by_words = row_lines(evidence, request.pages, asked, None, request.brief.language)
    told: dict[object, str] = {}
    for line in (*by_words, *rows_asked(request)):
        figure = _FIGURE_TOLD.search(line)
        told.setdefault((figure[1], *_EVIDENCE.findall(line)) if figure else line, line)
    return tuple(told.values())


def rows_asked(request: ReportRequest) -> list[str]:
    """Return a line for each figure that rows come to as a model asked them, if those that it cites were kept."""
    language, lines = request.brief.language, list[str]()
    for page in (request.pages[name] for name in request.queries if name in request.pages):
        by_place = {(one.start, one.end): one.id for one in request.evidence.values() if one.source == page.id}
        for one in _answers(page, request.queries[page.id], language):
            if all((row.start, row.end) in by_place for row in one.rows):
                lines.append(_line(one, by_place, language))
    return lines


def _answers(page: Page, queries: Iterable[RowQuery], language: Language) -> Iterator[Told]:
    """Yield what the rows of a page come to as they were asked."""
    for query in queries:
        yield from answered(page.text, page.title, query, language)


def rows_cited(page: Page, queries: Iterable[RowQuery]) -> list[str]:
    """Return the rows that are cited for what was asked, as they stand, each once."""
    return _as_they_stand(_answers(page, queries, Language.EN), page)


def _as_they_stand(told: Iterable[Told], page: Page) -> list[str]:
    return list(dict.fromkeys(page.text[row.start : row.end] for one in told for row in one.rows))


def _line(one: Told, by_place: Mapping[tuple[int, int], str], language: Language) -> str:
    cited = dict.fromkeys(by_place[place] for row in one.rows if (place := (row.start, row.end)) in by_place)
    marks = "".join(f" [{name}]" for name in cited)
    what, said = escape_markdown(one.what), escape_markdown(one.said)
    return (computed_line(what, said, language) if one.is_computed else f"- {what}{COLON.in_(language)}{said}") + marks


def _by_fit(queries: Mapping[str, Query], asked: Asked, meaning: Meaning | None) -> list[str]:
    """Return the sources whose files fit a question, those first that say most of it and come nearest to it."""
    texts = [query.text for query in queries.values()]
    near = meaning.nearness(asked.question, texts) if meaning is not None and len(texts) > 1 else None
    above = [0.0] * len(texts) if near is None else (near - near.mean()).tolist()
    fit = {
        source: own + _SAID * query.said + _SAID_OF_ALL * query.share_said
        for (source, query), own in zip(queries.items(), above, strict=True)
    }
    return sorted(fit, key=lambda source: -fit[source])


def _base(label: str) -> str:
    """Return what a column is about, without its unit, and without that it tells how much that changed."""
    bare = _CHANGE.sub("", folded(label))
    while (shorter := _BRACKETS.sub("", bare).strip()) != bare:
        bare = shorter
    return bare


def _in_unit_of(label: str, limit: str, words: str) -> str:
    """Return a limit in what a column counts in: 500億円 is 500 of 残高（億円）, and 2兆円 is 20,000."""
    unit = _SCALED.search(label)
    if unit is None or not _MEASURED.search(words):
        return limit
    sign, _, number = limit.partition(" ")
    told = number_in(words.partition(unit["unit"])[0]) if unit["unit"] in words else None
    if told is None:
        told = float(number.replace(",", "")) / _TIMES[unit["times"].strip().lower()]
    return f"{sign} {told:,.15g}"


def _longest(labels: Sequence[str]) -> list[str]:
    """Return labels without those that are a word of another one: who says price/earnings asks for no price."""
    words = {label: tokens(spaced(label)) for label in labels}
    return [one for one in labels if not any(set(words[one]) < set(words[other]) for other in labels)]


@lru_cache(maxsize=32)
def _query(page: Page, asked: Asked, meaning: Meaning | None) -> Query | None:
    """Return what a question asks of the largest table of a data file that answers it; None if none does.

    What files tell month by month is told by the year (`series`), but for single months of a series.
    """
    rows = RowsAsked(asked)
    if page.kind is not SourceKind.DOCUMENT or asked.wants_prose or not rows.is_of_rows:
        return None
    tables = sorted(frames(page.text), key=lambda frame: -len(frame.rows))
    is_by_month = rows.is_against_plan or rows.is_first
    tables = [
        one
        for one in tables
        if len(one.rows) >= LEAST_ROWS
        and (is_by_month or not one.is_by_month or (one.is_a_series and not one.words and rows.is_of_months))
    ]
    queries = (Query(frame, page.title, asked, meaning) for frame in tables)
    return next((query for query in queries if query.told(Language.EN)), None)


class Query:
    """What a question asks of the rows of one table."""

    def __init__(self, frame: Frame, title: str, asked: Asked, meaning: Meaning | None) -> None:
        self._frame, self._title, self._asked, self._meaning = frame, title, RowsAsked(asked), meaning
        self._named = {label: said for label in frame.words if (said := self._values_named(label))}
        self._several = {label: said for label, said in self._named.items() if len(said) > 1}
        called = (label for label in frame.labels if self._asked.counts_each(label))
        self._counted_column = next(called, "") or (self._nearest((), _KIND) if self._asked.is_of_kinds else "")
        self._labels = self._measured()
        self._label = next(iter(self._labels), "")
        self._told: dict[Language, list[Told]] = {}

    @property
    def text(self) -> str:
        """What the file is about: its title, its columns and what some of them say."""
        columns = [f"{spaced(label)} ({', '.join(said[:3])})" for label, said in self._frame.words.items()]
        return f"{spaced(self._title)}: {', '.join([*columns, *map(spaced, self._frame.numbers)][:20])}"

    @property
    def said(self) -> int:
        """How many things of the question the file says: cells, its title, the column that is measured, its groups."""
        title = [word for word in re.split(r"[\W_]+", folded(self._title)) if len(word) > 2 or not word.isascii()]
        titled = sum(any(way in self._asked.words for way in ways(word)) for word in title)
        has_groups = bool(self._group_named(())) and self._asked.is_of_groups
        return len(self._named) + titled + has_groups + (bool(self._label) and self._asked.says(self._label))

    def told(self, language: Language) -> Sequence[Told]:
        """Return what the rows come to, the best first; nothing where the question asks for anything else."""
        if language not in self._told:
            self._told[language] = self._worked_out(language)
        return self._told[language]

    def _worked_out(self, language: Language) -> list[Told]:
        where, limit = self._where(), self._limit()
        if where is None or limit is None or not self._answers():
            return []
        telling = Telling(self._frame, self._title, language)
        if self._asked.is_against_plan:
            return self._against_plan(where | limit, telling) if self._plan and not self._several else []
        if self._asked.is_first:
            return self._first(where | limit, telling)
        if self._how(self._label) is How.COUNT or self._asked.is_of_kinds:
            return self._counted(where, limit, telling)
        return [one for label in self._labels for one in self._lines(self._how(label), label, where | limit, telling)]

    def _answers(self) -> bool:
        """Whether the file has whatever the question names, and all that it says is understood."""
        is_rate = self._asked.wants_rate and not any(map(NO_SUM.search, self._labels))
        # Two shops in two years are four figures.
        is_all = len(self._several) < 2 and not is_rate and not self._has_left_over()
        return is_all and self._has_all_names() and self._is_about()

    def _first(self, where: dict[str, str], telling: Telling) -> list[Told]:
        """Return the first row of all that keep to a limit."""
        time = self._frame.time
        wanted = RowQuery(column=time, where=tuple(where.items()), is_lowest_first=True, most=1)
        return answers(telling, wanted) if time and not self._several else []

    @cached_property
    def _plan(self) -> tuple[str, str] | None:
        """The column of what was done, and that of what was planned, if the file has one of each."""
        planned = [one for one in self._frame.numbers if PLANNED.search(spaced(one))]
        done = [one for one in self._frame.numbers if DONE.search(spaced(one)) and one not in planned]
        return (done[0], planned[0]) if len(done) == len(planned) == 1 else None

    def _against_plan(self, where: dict[str, str], telling: Telling) -> list[Told]:
        """Return what was done held against what was planned: in all, by group, or how often it was more or less."""
        (done, planned), asked = self._plan or ("", ""), self._asked
        is_missed = asked.is_missed
        limited = {**where, done: f"{'<' if is_missed else '>'} {planned}"}
        months = [self._frame.when(row)[:7] for row in self._frame.parts.chosen(limited)]
        is_of_months = asked.counts_days and len(set(months)) < len(months)  # Of several rows a month.
        if (asked.counts_too or asked.counts_days) and not is_of_months:
            return answers(telling, RowQuery(how=How.COUNT, where=tuple(limited.items())))
        group = self._frame.day if is_of_months else self._group(where)
        if not group and (asked.nouns or asked.is_unnamed):
            return []  # Which of them was off its plan, the file does not tell apart.
        relation = Relation.CHANGE if not group or asked.is_as_rate else Relation.DIFFERENCE
        query = RowQuery(
            how=How.SUM,
            column=done,
            over=planned,
            where=tuple(where.items()),
            group=group,
            span=asked.span or Span.MONTH,
            is_lowest_first=is_missed,
            relation=relation,
        )
        off = query.model_copy(update={"having": "< 0" if is_missed else "> 0"})
        is_of_some = group and relation is Relation.DIFFERENCE
        return (answers(telling, off) if is_of_some else []) or answers(telling, query)

    def _counted(self, where: dict[str, str], limit: dict[str, str], telling: Telling) -> list[Told]:
        """Return how many rows there are, and what they come to if that is asked as well.

        Of the customers that orders come from each is counted once; and the last order is one.
        """
        if self._asked.is_latest or (self._asked.is_of_kinds and not self._counted_column):
            return []
        if not where and not limit and not self._several and not self._state_of_both():
            where |= self._state()
        if self._counted_column and not self._asked.wants_share:
            part = part_of(telling.base(where), How.DIFFERENT, self._counted_column, where | limit)
            if part and (self._asked.is_of_kinds or part.value < len(part.rows)):
                is_by = self._asked.is_of_groups and not self._asked.is_of_kinds
                return [] if self._several or is_by else [telling.single(part)]
        told = list(self._lines(How.COUNT, "", where | limit, telling))
        if told and where | limit and self._asked.is_of_all and not self._asked.wants_share:
            usual = [one for one in self._frame.numbers if self._asked.asks_usually(one) and one not in limit][:1]
            told += [one for label in usual for one in self._lines(self._made(label), label, where | limit, telling)]
        return told

    # --- which rows ---

    def _values_named(self, label: str) -> list[str]:
        """Return what the question says in the words of a column's cells; of “Chair Deluxe”, no chair."""
        values = self._frame.words[label]
        is_untold = label == self._frame.year or (label == SHEET and (len(values) == 1 or self._frame.day))
        named = [] if is_untold else [one for one in values if self._is_named(one, label)]
        longest = sorted(map(folded, named), key=len, reverse=True)
        rest = self._asked.words
        kept: set[str] = set()
        for low in longest:
            bare = _ENDINGS.sub("", low)  # 京都 is no part of 東京都.
            if low in rest or bare in rest or not any(bare in one for one in kept):
                kept.add(low)
            rest = rest.replace(low, " ")
        return [one for one in named if folded(one) in kept]

    def _is_named(self, value: str, label: str) -> bool:
        low, asked = folded(value), self._asked
        if len(low) < 2 or (low.isascii() and len(low) < len("abc")):
            return self._is_code(low, label) or (not low.isascii() and f"{low}曜" in asked.words)
        if low in SAYS_NOTHING or not self._is_said_as_code(value):
            return False
        initials = "".join(part[0] for part in _CAPITAL.findall(value))
        is_short = len(initials) > 2 and initials in asked.question
        # In English a cell's own word is said if it is meant, unless it is a state; in Japanese 退職 is said as 辞めた.
        is_state = len(self._frame.words[label]) <= _STATES
        is_home = not is_state and low.isascii() and language_of(asked.question) is Language.EN
        told = (low, _ENDINGS.sub("", low), *((singular(low),) if is_home else ways(value)))
        places = (one for one in asked.asked.names if one.is_place)
        return is_short or any(one.stands_itself_in(low) for one in places) or any(map(asked.has, told))

    def _is_said_as_code(self, value: str) -> bool:
        """Whether a code in capitals, as that of a share, is said in capitals: HAS is not meant by “has”."""
        if not _SHORT_CODE.fullmatch(value):
            return True
        question = self._asked.question
        is_bare = question.islower() and not is_stop_word(value.lower())
        return is_bare or re.search(rf"(?<![A-Za-z]){value}(?![A-Za-z])", question) is not None

    def _is_code(self, low: str, label: str) -> bool:
        """Whether a short cell is named with its column, branch A or A支店, or in capitals, as HR."""
        question, called = folded(self._asked.question), ways(last_word(spaced(label)))
        before = "|".join(map(re.escape, called))
        is_behind = low and re.search(rf"(?:{before})\s*(?:no\.?\s*|#)?{re.escape(low)}(?![a-z0-9])", question)
        is_before = any(f"{low}{way}" in question for way in called if not way.isascii())
        is_capital = len(low) > 1 and re.search(rf"\b{re.escape(low.upper())}\b", self._asked.question) is not None
        return bool(before and is_behind) or is_before or is_capital

    def _has_left_over(self) -> bool:
        """Whether the question has a number or a letter that stands for something which was not found in the file."""
        rest = self._asked.without_read
        told = [self._title, *self._frame.labels, *(one for values in self._named.values() for one in values)]
        for one in sorted({*map(folded, told), *(name.en.lower() for name in self._asked.asked.names)}, key=len)[::-1]:
            rest = rest.replace(one, " ") if len(one) > 1 or not one.isascii() else rest
        labels = folded(" ".join(self._frame.labels))
        rest = _MARKED.sub(lambda one: " " if one[0].lower() in labels else one[0], rest)
        sizes = {str(len(values)) for values in self._frame.words.values()}
        codes = [folded(one) for values in self._named.values() for one in values if len(one) <= 2]
        return any(one.lower() not in codes and one not in sizes for one in _CODE.findall(rest))

    def _has_all_names(self) -> bool:
        """Whether the file has whatever the question names: in its title, its columns or its cells.

        One name may be that of the whole, which a row of its own is about.
        """
        told = [value for values in self._named.values() for value in values]
        said = folded(" ".join([self._title, *self._frame.labels, *told, *self._frame.words.get(SHEET, ())]))
        names = [any(form in said for form in one.forms) or one.stands_in(said) for one in self._asked.asked.names]
        is_of_whole = any(names) and names.count(False) == 1 and len(self._frame.parts.rows) < len(self._frame.rows)
        kinds = (_ENDINGS.sub("", one) for one in _OF_A_KIND.findall(self._asked.words))
        return (all(names) or is_of_whole) and all(kind in said for kind in kinds)

    def _is_about(self) -> bool:
        """Whether the file says enough of the things that the question has, or comes near to it in meaning."""
        return self.share_said >= _ABOUT or (not self._named and self._stands_out())

    @cached_property
    def share_said(self) -> float:
        """Which share of the things in the question the file says; all of none."""
        group = self._group(())
        told = [self._title, *self._labels, group, *(self._plan or ()), self._counted_column, *self._named]
        told += [*self._states(), *(label for label in self._frame.labels if _TELLS_APART.search(spaced(label)))]
        cells = [one for values in self._named.values() for one in values]
        said = folded(expand(" ".join([*map(spaced, (*told, *cells)), *told, *cells])))
        short = {*map(folded, cells), *(word for label in self._labels for word in _MARKED.findall(folded(label)))}
        whole = tuple(base for base in map(_base, self._labels) if len(base) > 1 and not base.isascii())
        nouns = self._asked.nouns if group else ()
        things = [one.label for one in asked_things(self._asked.things)]
        things = [one for one in things if not TELLS_HOW.fullmatch(one) and one.removesuffix("別") not in nouns]
        usual = [one for one in things if any(self._asked.asks_usually(label, one) for label in self._frame.numbers)]
        known = (
            one in usual or one in short or one.startswith(whole) or any(way in said for way in ways(one))
            for one in things
        )
        return sum(known) / len(things) if things else 1.0

    def _stands_out(self) -> bool:
        """Whether question and file come near in meaning, whatever words they use."""
        found = self._meaning.standing_out(self._asked.question, [self.text], Look.BOTH) if self._meaning else None
        return found is not None and found[0] >= _NEAR

    def _where(self) -> dict[str, str] | None:
        """Return what cells of the rows that are meant say; None where the file has no rows of the time asked for."""
        time = self._time()
        named = {label: said[0] for label, said in self._named.items() if len(said) == 1}
        if self._asked.excluded:
            named = {label: f"{NOT}{said}" if self._is_excluded(said) else said for label, said in named.items()}
            if not any(said.startswith(NOT) for said in named.values()):
                return None
        return None if time is None else named | time

    def _is_excluded(self, said: str) -> bool:
        left_out, low = self._asked.excluded, folded(said)
        called = [one for one in self._asked.asked.names if one.stands_itself_in(low)]
        return any(way in left_out for way in (low, *ways(said), *(form for one in called for form in one.forms)))

    def _time(self) -> dict[str, str] | None:
        """Return the time that is asked for as the file says it; several are held against each other."""
        frame, years, column = self._frame, sorted(self._asked.asked.years), self._frame.time
        is_lately = self._asked.is_lately and not self._asked.asked.spans
        asked = self._span() if frame.day else years
        is_too_short = frame.is_by_quarter and any(first == last for first, last in self._asked.periods)
        if is_lately or is_too_short or (not frame.day and self._asked.periods) or (years and not asked):
            return None
        if not column:
            return {} if all(year in f"{self._title} {' '.join(frame.labels)}" for year in years) else None
        if len(asked) > 1 and self._asked.is_range and not self._asked.periods:
            said = f"{asked[0]}{TO}{asked[-1]}"
            return {column: said} if frame.day and frame.chosen({column: said}) else None
        if len(asked) > 1:
            self._several[column] = [one for one in asked if frame.chosen({column: one})]
            return {} if len(self._several[column]) > 1 else None
        if asked:
            said = f"{self._asked.since}{asked[0]}"
            return {column: said} if frame.chosen({column: said}) else None
        last = max(map(frame.when, frame.rows), default="")
        return {column: last} if last and self._asked.is_latest else {}

    def _span(self) -> list[str]:
        """Return each time that is asked for, as years or months; of a month without its year, of the last year."""
        asked, periods = self._asked.asked, self._asked.periods
        if day := self._asked.day:
            return self._on(*day)
        is_change = self._asked.asks_growth or asked.operation is Operation.CHANGE
        if asked.compares_months or (is_change and self._asked.is_between_months):
            return sorted(asked.months)
        if asked.spans and len(periods) < 2:
            return [TO.join(dict.fromkeys(span)) for span in asked.spans]
        if not periods:
            return sorted(asked.years)
        days = [day for day in map(self._frame.when, self._frame.rows) if len(day) > len("2025")]
        known = [day[:4] for day in days if int(day[5:7]) == periods[-1][0]]
        years = sorted(asked.years) or [max(known, default="")]
        told = [(f"{year}-{first:02}", f"{year}-{last:02}") for year in years for first, last in periods if year]
        return [TO.join(dict.fromkeys(ends)) for ends in told]

    def _on(self, year: str, month: int, day: int) -> list[str]:
        """Return a day as rows are chosen by it; of one without a year, of the last that the file has."""
        days = [one for one in map(self._frame.when, self._frame.rows) if one.endswith(f"-{month:02}-{day:02}")]
        return [f"{year or max(days, default='')[:4]}-{month:02}-{day:02}"]

    def _limit(self) -> dict[str, str] | None:
        """Return what figures of a column have to keep to, 35 degrees or more; None where it is not known of which.

        One that all of them keep to, or none, is of something else.
        """
        numbers, limits = self._frame.numbers, self._asked.limits
        found: dict[str, str] = {}
        for limit, words in limits:
            near = self._asked.beside(words) if len(limits) > 1 else ""
            of = [one for one in numbers if self._asked.asks_usually(one, words)]
            of = of or [one for one in numbers if self._asked.says(one) and (not near or self._is_in(one, near))]
            of = of or [one for one in numbers if self._asked.asks_usually(one, near)]
            of = of or [one for one in numbers if len(numbers) == 1 and self._asked.is_first]
            of = [one for one in of if _WHOLE_OF.search(one)] if len(of) > 1 else of
            if len(of) != 1:
                return None
            found[of[0]] = AND.join(filter(None, [found.get(of[0], ""), _in_unit_of(of[0], limit, words)]))
        kept = self._frame.parts.chosen(found)
        return found if not found or 0 < len(kept) < len(self._frame.parts.rows) else None

    def _is_in(self, label: str, clause: str) -> bool:
        low = folded(expand(clause))
        return any(way in low for way in ways(spaced(label)))

    def _states(self) -> list[str]:
        """Return the columns that say one of few things, of which the question says the name.

        Which of several it means without a word of them is not guessed: who “loses its people” was nearest to is male.
        """
        few = [label for label, said in self._frame.words.items() if 2 <= len(said) <= _STATES and label != SHEET]
        return [label for label in few if label not in self._named and self._asked.says(label)]

    def _state(self, but: str = "") -> dict[str, str]:
        """Return what those say of themselves who are counted: who has left says yes to it."""
        states = {label: self._meant(label) for label in self._states() if label != but}
        return dict([next((state for state in states.items() if state[1]), ("", ""))]) if any(states.values()) else {}

    def _state_of_both(self) -> str:
        """Return the column whose states are held against each other: of those who work overtime and who do not."""
        said = self._asked.before_both
        return next((one for one in self._states() if said and any(way in said for way in ways(spaced(one)))), "")

    def _meant(self, label: str) -> str:
        """Return what a column of yes and no says where it is so; empty of one that says anything else."""
        return next((one for one in self._frame.words[label] if folded(one) in _YES), "")

    # --- which column, and what is made of it ---

    def _measured(self) -> list[str]:
        """Return the columns of figures that are asked for, one for each thing asked at most."""
        numbers = self._plain([label for label in self._frame.numbers if not _TELLS_APART.search(spaced(label))])
        columns = {DataColumn(self._title, spaced(label)): label for label in numbers}
        parts = columns_meant(self._asked.asked, list(columns), self._meaning) if numbers else ()
        best = (self._best({columns[column]: own for column, own in part.items()}) for part in parts)
        return list(dict.fromkeys(filter(None, best)))

    def _plain(self, labels: Sequence[str]) -> list[str]:
        """Return columns without those that tell of another one what nobody asks: its change over a year, or a part."""
        bases = {label: _base(label) for label in labels}
        is_asked = _CHANGE.search(self._asked.question) is not None or _PERCENT.search(self._asked.question) is not None
        changes = {bases[one]: one for one in labels if _CHANGE.search(one)}
        others = {bases[one]: one for one in labels if not _CHANGE.search(one)}
        pairs = [
            (one, others[near]) for base, one in changes.items() for near in get_close_matches(base, others, 1, _ALIKE)
        ]
        left_out = {other if is_asked else one for one, other in pairs}
        kept = [one for one in labels if one not in left_out]
        said = set(tokens(self._asked.words))
        for one, other in product(kept, kept):
            rest = bases[one].removeprefix(bases[other]) if bases[one].startswith(bases[other]) else ""
            part = tokens(match["part"]) if (match := _PART.fullmatch(rest)) else ()
            if match and said.isdisjoint(part):
                left_out.add(one)
            elif match and said.issuperset(part):
                left_out.add(other)  # Who names a part does not ask for the whole.
        return [one for one in kept if one not in left_out]

    def _best(self, worth: Mapping[str, float]) -> str:
        """Return the column that is worth most of those that are said, else usual, else worth enough."""
        best = max(worth, key=worth.__getitem__)
        for is_meant in (self._counts, self._asked.says, self._asked.asks_usually):
            usual = _longest([label for label in worth if is_meant(label)])
            usual = [label for label in usual if self._asked.asks_money and _MONEY.search(label)] or usual
            if usual:
                return best if best in usual else max(usual, key=worth.__getitem__)
        return best if worth[best] >= COLUMN else ""

    def _how(self, label: str) -> How:
        is_told = label and (self._asked.says(label) or self._asked.asks_usually(label) or self._counts(label))
        is_of_others = self._is_of_others and (self._counted_column or not self._asked.says(label))
        if is_of_others or (self._asked.limits and (self._asked.counts or self._asked.counts_days)):
            return How.COUNT
        return How.COUNT if self._asked.counts and not is_told else self._made(label)

    def _counts(self, label: str) -> bool:
        """Whether a column counts what is asked how many of: units sold, but no cities, nor who bought them."""
        return is_count(self._asked.question, spaced(label)) and not self._is_of_others

    @cached_property
    def _is_of_others(self) -> bool:
        """Whether it is asked how many there are of those whom rows tell of, and of no goods."""
        is_named = bool(self._counted_column) or any(map(self._asked.counts_of_whom, self._frame.words))
        return is_named and not self._asked.is_of_sold

    def _made(self, label: str) -> How:
        if self._asked.wants_median:
            return How.MEDIAN
        return How.AVERAGE if self._asked.asked.wants_average or NO_SUM.search(spaced(label)) else How.SUM

    def _group(self, where: Collection[str]) -> str:
        """Return the column whose groups are asked for, by its name, else by its meaning; empty where none are."""
        if named := self._group_named(where):
            return named
        is_asked = self._asked.nouns or self._asked.is_unnamed
        return self._nearest(where, _GROUP) if is_asked and not self._asked.is_by_weekday else ""

    def _nearest(self, but: Collection[str], least: float) -> str:
        """Return the column of few values that comes nearest to the question in meaning, if one stands out."""
        columns = [one for one in self._groups(but) if len(self._frame.words[one]) <= _MEANT]
        if not columns or self._meaning is None:
            return ""
        texts = [f"{spaced(label)}: {', '.join(self._frame.words[label][:5])}" for label in columns]
        near = self._meaning.nearness(self._asked.question, texts)
        is_near = near is not None and (len(texts) == 1 or float(near.max() - near.mean()) >= least)
        return columns[int(near.argmax())] if near is not None and is_near else ""

    def _group_named(self, but: Collection[str]) -> str:
        if self._frame.day and self._asked.span is not None:
            days = [self._frame.when(row) for row in self._frame.rows]
            is_row_a_day = self._asked.span is Span.DAY and len(set(days)) == len(days)
            return "" if is_row_a_day else self._frame.day  # Of a row a day, the row itself is told.
        columns = self._groups(but)
        if self._asked.is_by_weekday:
            return next((label for label in columns if WEEKDAY.search(spaced(label))), "")
        return next((label for label in columns if is_called(label, self._asked.nouns)), "")

    def _groups(self, but: Collection[str]) -> list[str]:
        few = [one for one, said in self._frame.words.items() if 2 <= len(said) <= _GROUPS and one not in but]
        return [one for one in few if not self._frame.is_dated(one) and (one != SHEET or not self._frame.day)]

    # --- what is told ---

    def _lines(self, how: How, label: str, where: dict[str, str], telling: Telling) -> Iterator[Told]:
        asked, both = self._asked, self._state_of_both()
        is_of_rows = label and asked.is_rank and self._row_named and not self._several and not self._group_named(where)
        group = self._group(where) if asked.may_have_groups and not is_of_rows else ""
        if asked.wants_share and (both or (group and asked.is_rank and how is How.COUNT and not self._several)):
            yield from self._share_of_each(where, both or group, telling)
        elif asked.wants_share and where and not self._several:
            yield from self._share(how, label, where, telling)
        elif asked.wants_share and not (self._times() and asked.asks_growth):
            return
        elif group and self._times() and asked.asks_growth:
            yield from self._changes(how, label, where, group, telling)
        elif self._several or both:
            column = both or next(iter(self._several))
            values = self._several.get(column) or self._frame.words[column]
            yield from self._side_by_side(how, label, where, (column, values), telling)
        elif group:
            yield from self._in_order(how, label, where, group, telling)
        elif is_of_rows:
            least, most = asked.is_least, asked.number or _SHOWN
            query = RowQuery(column=label, where=tuple(where.items()), is_lowest_first=least, most=most)
            yield from answers(telling, query)
        elif label and not asked.is_unnamed and (asked.is_extreme or (asked.is_rank and asked.span is Span.DAY)):
            extreme = How.LOWEST if asked.is_least else How.HIGHEST
            if part := part_of(self._frame.parts, extreme, label, where):
                yield telling.extreme(part)
        elif asked.is_rank or asked.span is not None:
            return
        elif (where or self._is_of_all(label)) and (part := part_of(telling.base(where), how, label, where)):
            yield telling.single(part)

    @cached_property
    def _row_named(self) -> str:
        """The column that names what each row is of, if it is those that are asked for: which companies, of Name."""
        frame, asked = self._frame, self._asked
        few = _EACH * len(frame.rows)
        keys = [
            one for one, said in frame.words.items() if len(said) >= few and not any("://" in cell for cell in said[:3])
        ]
        called = {one: IDENTIFIES.sub("", spaced(one)).strip() for one in keys}
        is_asked = bool(asked.nouns) or asked.is_unnamed
        return next((one for one in keys if is_asked and (not called[one] or is_called(called[one], asked.nouns))), "")

    def _is_of_all(self, label: str) -> bool:
        return self._asked.says(label) or (self._asked.asks_usually(label) and self._asked.is_of_all)

    def _by_group(self, how: How, label: str, where: Mapping[str, str], group: str) -> dict[str, Part]:
        """Return what the rows that are chosen come to, by what a column says; of days, by the span asked for."""
        parts = parts_by(self._frame.parts, how, label, where, group, span=self._asked.span or Span.MONTH)
        return {part.of(group): part for part in parts}

    def _in_order(self, how: How, label: str, where: dict[str, str], group: str, telling: Telling) -> Iterator[Told]:
        parts = self._by_group(how, label, where, group)
        told = [parts[one] for one in places_among(list(parts), str)]
        ordered = sorted(told, key=lambda part: part.value, reverse=not self._asked.is_least)
        most = self._asked.number or (2 if self._asked.asked.has_both_ends else _SHOWN)
        yield from map(telling.single, self._asked.asked.ends_of(ordered, most))

    def _side_by_side(
        self, how: How, label: str, where: dict[str, str], told: tuple[str, Sequence[str]], telling: Telling
    ) -> Iterator[Told]:
        column, values = told
        told_of = [{**where, column: one} for one in values]
        found = [part_of(telling.base(one), how, label, one) for one in told_of]
        parts = [part for part in found if part]
        yield from map(telling.single, parts)
        operation = self._asked.asked.operation
        if len(parts) != 2 or len(values) != 2 or operation is Operation.ADD:
            return
        is_time = column == self._frame.time
        first, last = parts[::-1] if is_time or parts[0].value < parts[1].value else parts
        if last.value and operation is Operation.RATIO:
            yield telling.related(Relation.TIMES, first, last)
        else:
            yield telling.related(Relation.CHANGE if is_time else Relation.DIFFERENCE, first, last)

    def _share(self, how: How, label: str, where: Mapping[str, str], telling: Telling) -> Iterator[Told]:
        time, asked = self._frame.time, self._asked
        of = {name: said for name, said in where.items() if name == time or asked.has_whole((said, spaced(name)))}
        is_component = label and any(_WHOLE.search(spaced(one)) for one in self._frame.numbers if one != label)
        if len(where) != len(of) + 1 or (is_component and not _WHOLE.search(spaced(label))):
            return  # Of which of several things it is a share is not said.
        if asked.counts_too and (part := part_of(self._frame.parts, how, label, where)):
            yield telling.single(part)
        yield from self._share_among(how, label, where, of, telling)

    def _share_of_each(self, where: Mapping[str, str], group: str, telling: Telling) -> Iterator[Told]:
        """Yield which share of each group something is true of, the largest first: of who works overtime, who left."""
        state = dict(where) or {one: said for one, said in self._state(but=group).items() if one != group}
        held, of = (self._by_group(How.COUNT, "", told, group) for told in (state, {}))
        shares = [(part.value / of[one].value, one) for one, part in held.items()]
        ordered = sorted(shares, reverse=not self._asked.is_least)
        for _, one in ordered[: self._asked.number or _SHOWN]:
            yield from self._share_among(How.COUNT, "", {**state, group: one}, {group: one}, telling)

    def _share_among(
        self, how: How, label: str, where: Mapping[str, str], of: Mapping[str, str], telling: Telling
    ) -> Iterator[Told]:
        part, whole = part_of(self._frame.parts, how, label, where), part_of(self._frame.parts, how, label, of)
        is_one_of_many = how is How.COUNT and part is not None and len(part.rows) == 1
        if part and whole and whole.value and part.rows != whole.rows and not is_one_of_many:
            yield telling.related(Relation.SHARE, part, whole)

    def _times(self) -> list[str]:
        """Return the two times that are held against each other, the earlier first; else none."""
        told = self._several.get(self._frame.time, ())
        return sorted(told) if len(told) == 2 else []

    def _changes(self, how: How, label: str, where: dict[str, str], group: str, telling: Telling) -> Iterator[Told]:
        """Yield by how much each group changed from one time to another, in order."""
        before, after = (self._by_group(how, label, {**where, self._frame.time: time}, group) for time in self._times())
        told = places_among([one for one, part in before.items() if one in after and part.value], str)

        def grown(one: str) -> float:
            earlier, later = before[one].value, after[one].value
            return later / earlier if self._asked.is_as_rate else later - earlier

        ordered = sorted(told, key=grown, reverse=not self._asked.asks_loss)
        for one in ordered[: self._asked.number or _SHOWN]:
            yield telling.related(Relation.CHANGE, after[one], before[one])
