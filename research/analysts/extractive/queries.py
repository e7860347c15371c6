"""What the rows of a data file come to, as a question asks for it: added up, averaged, counted, put in order, compared.

The question's words choose the rows (what cells say, and when), the column that is measured, and the one whose groups
are asked for; where they are other words than the file's, meaning chooses. What a question names and a file does not
have, the file does not answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from research.analysts.extractive.calculation import computed_line, span_of
from research.analysts.extractive.values import COLUMN, DataColumn, columns_meant
from research.core import Evidence, Page, SourceKind
from research.language import COMMA, Bilingual, Language
from research.meaning import Look, Meaning
from research.quantities import (
    SHEET,
    TO,
    Frame,
    How,
    Part,
    Row,
    frames,
    made_of,
    operand_of,
    part_of,
    parts_by,
    shown,
)
from research.text import (
    MONTHS,
    Asked,
    Operation,
    asked_things,
    escape_markdown,
    expand,
    folded,
    label_in_words,
    language_of,
    other_words,
    places_among,
)

_LEAST_ROWS = 12
"""Rows from which they are chosen and added up; those of a smaller table are read as they stand."""
_GROUPS, _STATES = 400, 4
"""Values of a column up to which they are put in order, and up to which they are states: who has left, who has not."""
_SHOWN, _CITED, _BESIDE = 10, 3, 3
"""Groups of an order that are shown, rows that are cited of one figure, and cells that tell a single row."""
_GROUP = 0.012
"""How much nearer to the question than the average of its file's a column lies whose groups it asks for, of which it
says no name: of twelve questions the right one lay .013 to .06 above it."""

# --- how questions ask of rows ------------------------------------------------------------------------------------

_COUNTS = re.compile(
    r"\bhow many (?!times)|\bnumber of\b|何(?:人|件|名|社|店舗?|個|回|台)|(?:人|件|社|店舗)数", re.IGNORECASE
)
_SHARE = re.compile(
    r"\bshares? of\b|\bpercent|\bproportion|\bper cent\b|%|％|割合|比率|何割|シェア|構成比", re.IGNORECASE
)
_BOTH = re.compile(r"[いるた]人と[^、。]{0,12}ない人|\bwith (?:and|or|vs\.?) without\b|\bor not\b", re.IGNORECASE)
"""What asks of those of whom something is so, and of the others."""
_NO_SUM = re.compile(
    r"rate|ratio|share|percent|price|average|index|rating|score|\bage\b|temp|satisf|level"
    r"|[%％率比価齢]|平均|指数|評価|満足|気温|温度|湿度|年数|点数",
    re.IGNORECASE,
)
"""Columns that tell nothing added up."""
_KINDS = (
    (
        r"\b(?:revenues?|sales|turnover|takings|ma[kd]e|bills?|baskets?|spen[dt]|order values?|sell|sold"
        r"|br(?:ing|ought))\b|売上|売り上げ|売れ|売った|いくら|客単価",
        r"(?:total |net )?(?:sales|revenue|turnover|amount)|total(?: amount| sales| revenue)?"
        r"|(?:総)?売上(?:高|金額|合計)?|売り上げ|金額",
    ),
    (
        r"\b(?:earn(?:s|ed)?|paid|pay|salar(?:y|ies)|wages?)\b|給料|給与|年収|月収|稼",
        r".*\b(?:income|salary|pay|wages?)|給[料与](?:額)?|年収|月収",
    ),
    (
        r"\b(?:cheap(?:er|est)?|expensive|dear(?:er|est)?|cost)\b|安[いか]|高かった|値段|価格",
        r".*\bprices?|価格|値段|単価",
    ),
    (
        r"\b(?:people|inhabitants|lives?|living)\b|人口|住[むん]",
        r"(?:total )?population(?:, (?:total|\d{4}))?|人口",
    ),
    (r"\b(?:years old|aged?|older|younger|oldest|youngest)\b|歳", r"(?:.*\b)?age|年齢"),
)
_KINDS_ASKED = tuple((re.compile(asks, re.IGNORECASE), re.compile(called, re.IGNORECASE)) for asks, called in _KINDS)
"""How what was sold, what somebody earns, what something costs and who lives somewhere are asked for, and how their
columns are called."""
_BY_MONTH = re.compile(
    r"\b(?:which|what|by|per|each|worst|best|weakest|strongest|busiest|quietest) month|月(?:は|別|ごと|毎)|どの月|何月",
    re.IGNORECASE,
)
_BY_DAY = re.compile(r"\b(?:day of (?:the )?week|weekday)|曜日", re.IGNORECASE)
_PEAK = re.compile(r"\bpeak|ピーク|最高|最大|最低|最小", re.IGNORECASE)
_LEAST = re.compile(
    r"\b(?:cheapest|worst|weakest|quietest|bottom)\b|悪[いか]|安[いか]|低[いか]|少な[いか]|ワースト", re.IGNORECASE
)
_IN_ALL = re.compile(r"\bhow much\b|\btotal|\baverage\b|いくら|合計|全部|平均|総", re.IGNORECASE)
"""What asks for a figure of all rows where none are named."""
_TELLS_HOW = re.compile(
    r"averages?|means?|totals?|shares?|percent(?:age)?|proportion|numbers?|counts?|months?|days?|weeks?|years?|quarters?"
    r"|two|three|four|five|ten|top|best|worst|biggest|peak|rank(?:ing)?|list|difference|monthly|data|figures?|files?|tables?"
    r"|平均|合計|全体|全部|割合|比率|何割|何[人件名社倍日％%]|件数|人数|差|推移|順位?|上位|下位|ピーク|データ|表|資料|\d+",
    re.IGNORECASE,
)
"""What only says how a figure is to be told."""
_COUNTED = re.compile(r"\bhow many \w+", re.IGNORECASE)
_NOT_OF_ROWS = re.compile(
    r"^\s*(?:how (?:could|can|should|do (?:we|i)|does|would)|why|who (?:decided|said|approved|objected|attended))\b"
    r"|\bdecided\b|決ま|決定|決議|理由|なぜ|どうすれば|どのように|述べ",
    re.IGNORECASE,
)
"""What no rows tell: how something can be done, why it is so, what was decided or said."""
_QUARTER = re.compile(r"\bQ([1-4])\b|第?([1-4１-４一二三四])四半期", re.IGNORECASE)
_DIGITS = "1234一二三四１２３４"
_MONTH_EN = re.compile(
    rf"\b(?:in|for|of|during|by|last|this) (?i:({'|'.join(MONTHS)}))\b|\b({'|'.join(map(str.title, MONTHS))})\b"
)
_MONTH_JA = re.compile(r"(?<!\d)(\d{1,2})月(?!別|ごと)")
_RANGE_JA = re.compile(r"(?<!\d)(\d{1,2})月?(?:[〜～~–-]|から)(\d{1,2})月")
_RANGE_EN = re.compile(r"\b(?:from|between)\b.*\b(?:to|and|until|through)\b", re.IGNORECASE)
_LATELY = re.compile(
    r"\b(?:last|this|previous) (?:year|quarter|month|week)\b|昨年|去年|先月|今月|今年|前月|前年|先週|今週",
    re.IGNORECASE,
)
"""A time that only today's date tells."""
_SIGNS = {
    "≥": r"at least|or more|or above|以上",
    "≤": r"at most|or less|以下",
    "<": r"under|below|less|fewer|younger|未満",
    ">": r"over|above|more|exceed|older|超|を上回|より",
}
_LIMIT = re.compile(
    r"\b(?:over|above|at least|(?:more|older|less|fewer|younger) than|exceed(?:s|ed|ing)?|under|below|at most)"
    r" [$€£¥]?(?P<en>\d[\d,]*(?:\.\d+)?)\b(?:\s\w+){0,2}"
    r"|(?P<ja>\d[\d,]*(?:\.\d+)?)[一-鿿℃%％]{0,3}?(?:以上|以下|未満|超|を上回|を超え)",
    re.IGNORECASE,
)
"""What figures have to keep to: over 50, 35度以上."""
_LOSES = re.compile(r"減[っりる少]|下がっ|落ち|\b(?:drop|fell|fall|declin|decreas|lost|loss|shr[aiu]nk)", re.IGNORECASE)
_GROWS = re.compile(
    rf"増[えや加]|伸び|上がっ|成長|{_LOSES.pattern}|\b(?:gr[eo]w|growth|increas|gain|rose|risen|changed?)",
    re.IGNORECASE,
)
_AS_RATE = re.compile(r"率|[%％]|\b(?:rate|percent|fast)", re.IGNORECASE)
_NOUN = (
    re.compile(
        r"\b(?:which|what|by|per|each|every|(?:best|worst|biggest|largest|smallest|top|two|three|five|\d+)"
        r"(?:[- ](?:selling|performing))?) ((?:[a-z]+ ){0,2}[a-z]+)",
        re.IGNORECASE,
    ),
    re.compile(r"([一-鿿ァ-ヶーA-Za-z]+)(?:は(?:どこ|どれ|何|なに|誰|だれ|[？?]|$)|別|ごと|毎に|を\d+つ|はどの)"),
    re.compile(r"どの([一-鿿ァ-ヶー]+)"),
)
"""What groups are asked for by: which shop, by region, three biggest departments; 部署はどこ, 地域別."""
_SOME = "two|three|four|five|six|ten|[2-9]|10"
_NUMBER = re.compile(
    rf"\b({_SOME})\b(?= (?:\w+ )?(?:\w+est|most|best|worst|top)\b)|\b(?:top|bottom|best|worst|\w+est|most) ({_SOME})\b"
    r"|([2-9]|10)[つ位]",
    re.IGNORECASE,
)
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_OF_A_KIND = re.compile(
    r"(?<![一-鿿ァ-ヶー\d])(?![\d一二三四五各全同支本])[一-鿿ァ-ヶー]{2,}?(?:店|支社|営業所|県|市|工場)(?![舗長一-鿿])"
)
"""What a Japanese question names by the kind of thing that it is: 名古屋店."""

# --- how files say it ---------------------------------------------------------------------------------------------

_ABOUT, _NEAR = 0.5, 4.5
"""The share of the things in a question that a file has to say; without them, how many standard deviations nearer to it
than what has nothing to do with it: of questions on other things some lay 3.7 from a file."""
_SAYS_NOTHING = frozenset(("yes", "no", "none", "na", "other", "all", "total", "その他", "あり", "なし", "合計"))
"""Cells that a question does not mean by having their word."""
_TIMES_JA = "年月日人"
_YES = frozenset(("yes", "true", "y", "1", "有", "あり", "はい", "○"))
_ENDINGS = re.compile(r"(?<=..)[都道府県市区町村店]\Z")
_TELLS_APART = re.compile(
    r"\b(?:ID|code)\b|\bno\.?$|\b(?:number|count)$|コード|番号|^(?:month|year|day|和暦)\b|^[月日年]$|^unnamed"
    r"|^column \d",
    re.IGNORECASE,
)
"""Columns whose figures only tell rows, days or places apart."""
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNIT = re.compile(r"\s*[(（][^()（）]*[)）]\Z")
_CAPITAL = re.compile(r"[A-Z]\w*|&")
_ISO_MONTH = re.compile(r"\d{4}-\d\d")
_TIMES = Bilingual("{value} times", "{value}倍")


@dataclass(frozen=True)
class Told:
    """What rows of a file come to, and which of them are cited for it."""

    what: str
    said: str
    rows: tuple[Row, ...]
    is_computed: bool = True
    """Not what a single row says."""


def row_quotes(page: Page, asked: Asked, meaning: Meaning | None) -> list[str]:
    """Return the rows of a page that are cited for what its rows come to, as they stand."""
    query = _query(page, asked, meaning)
    told = query.told(Language.EN) if query else ()
    return list(dict.fromkeys(page.text[row.start : row.end] for one in told for row in one.rows))


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


def _line(one: Told, by_place: Mapping[tuple[int, int], str], language: Language) -> str:
    cited = dict.fromkeys(by_place[place] for row in one.rows if (place := (row.start, row.end)) in by_place)
    marks = "".join(f" [{name}]" for name in cited)
    what, said = escape_markdown(one.what), escape_markdown(one.said)
    return (computed_line(what, said, language) if one.is_computed else f"- {what}: {said}") + marks


def _by_fit(queries: Mapping[str, Query], asked: Asked, meaning: Meaning | None) -> list[str]:
    """Return the sources whose files fit a question, those first that say most of it and come nearest to it."""
    texts = [query.text for query in queries.values()]
    near = meaning.nearness(asked.question, texts) if meaning is not None and len(texts) > 1 else None
    above = [0.0] * len(texts) if near is None else (near - near.mean()).tolist()
    fit = {source: own + _SAID * query.said for (source, query), own in zip(queries.items(), above, strict=True)}
    return sorted(fit, key=lambda source: -fit[source])


_SAID = 0.02
"""What a file gains for each thing of the question that it says in words, beside how near it comes in meaning."""


@lru_cache(maxsize=32)
def _query(page: Page, asked: Asked, meaning: Meaning | None) -> Query | None:
    """Return what a question asks of the largest table of a data file that answers it; None if none does.

    What files tell month by month is told by the year (`series`).
    """
    if page.kind is not SourceKind.DOCUMENT or asked.wants_prose:
        return None
    tables = sorted(frames(page.text), key=lambda frame: -len(frame.rows))
    tables = [one for one in tables if len(one.rows) >= _LEAST_ROWS and not one.is_by_month]
    queries = (Query(frame, page.title, asked, meaning) for frame in tables)
    return next((query for query in queries if query.told(Language.EN)), None)


class Query:
    """What a question asks of the rows of one table."""

    def __init__(self, frame: Frame, title: str, asked: Asked, meaning: Meaning | None) -> None:
        self._frame, self._title, self._asked, self._meaning = frame, title, asked, meaning
        self._question = folded(expand(asked.question))
        self._named = {label: said for label in frame.words if (said := self._values_named(label))}
        self._several = {label: said for label, said in self._named.items() if len(said) > 1}
        self._labels = self._measured()
        self._label = next(iter(self._labels), "")

    @property
    def text(self) -> str:
        """What the file is about: its title, its columns and what some of them say."""
        columns = [f"{_spaced(label)} ({', '.join(said[:3])})" for label, said in self._frame.words.items()]
        return f"{_spaced(self._title)}: {', '.join([*columns, *map(_spaced, self._frame.numbers)][:20])}"

    @property
    def said(self) -> int:
        """How many things of the question the file says: cells, its title, the column that is measured, its groups."""
        title = [word for word in re.split(r"[\W_]+", folded(self._title)) if len(word) > 2 or not word.isascii()]
        titled = sum(any(way in self._question for way in _ways(word)) for word in title)
        has_groups = bool(self._group_named(())) and self._asks_for_groups()
        return len(self._named) + titled + has_groups + (bool(self._label) and self._is_said(self._label))

    def told(self, language: Language) -> list[Told]:
        """Return what the rows come to, the best first; nothing where the question asks for anything else."""
        where = self._where()
        if where is None or not self._has_all_names() or not self._is_about():
            return []
        if (limit := self._limit(self._label)) is None:
            return []
        how = self._how(self._label)
        if how is How.COUNT:
            if not where and not limit and not self._several and not self._state_of_both():
                where |= self._state()
            return list(self._lines(how, "", where | limit, language))
        return [one for label in self._labels for one in self._lines(self._how(label), label, where | limit, language)]

    # --- which rows ---

    def _values_named(self, label: str) -> list[str]:
        """Return what the question says in the words of a column's cells."""
        values = self._frame.words[label]
        is_untold = label == self._frame.year or (label == SHEET and (len(values) == 1 or self._frame.day))
        return [] if is_untold else [one for one in values if self._is_named(one)]

    def _is_named(self, value: str) -> bool:
        low = folded(value)
        if len(low) < 2 or low in _SAYS_NOTHING:
            return len(low) == 1 and not low.isascii() and f"{low}曜" in self._question
        initials = "".join(part[0] for part in _CAPITAL.findall(value))
        is_short = len(initials) > 2 and initials in self._asked.question
        is_called = any(one.stands_itself_in(low) for one in self._asked.names)
        # In English a cell's own word is said if it is meant; in Japanese 退職 is said as 辞めた.
        is_home = low.isascii() and language_of(self._asked.question) is Language.EN
        abroad = () if is_home else _ways(value)
        return is_short or is_called or any(self._has(way) for way in (low, _ENDINGS.sub("", low), *abroad))

    def _has(self, way: str) -> bool:
        """Whether the question has a word, folded: whole, where it is in Latin letters."""
        if not way.isascii():
            return len(way) > 1 and way in self._question
        return len(way) > 2 and re.search(rf"(?<![a-z0-9]){re.escape(way)}(?![a-z0-9])", self._question) is not None

    def _has_all_names(self) -> bool:
        """Whether the file has whatever the question names: in its title, its columns or its cells.

        One name may be that of the whole, which a row of its own is about.
        """
        told = [value for values in self._named.values() for value in values]
        said = folded(" ".join([self._title, *self._frame.labels, *told, *self._frame.words.get(SHEET, ())]))
        names = [any(form in said for form in one.forms) or one.stands_in(said) for one in self._asked.names]
        is_of_whole = any(names) and names.count(False) == 1 and len(self._frame.parts.rows) < len(self._frame.rows)
        kinds = (_ENDINGS.sub("", one) for one in _OF_A_KIND.findall(self._question))
        return (all(names) or is_of_whole) and all(kind in said for kind in kinds)

    def _is_about(self) -> bool:
        """Whether the file says half of the things that the question has beside how it is to be told, or comes near."""
        if _NOT_OF_ROWS.search(self._asked.question):
            return False
        told = [self._title, *self._labels, self._group(()), *self._named, *self._states()]
        told += [one for values in self._named.values() for one in values]
        said = folded(expand(" ".join([*map(_spaced, told), *told])))
        nouns = self._nouns() if self._group(()) else ()
        things = [one.label for one in asked_things(_COUNTED.sub(" ", self._asked.question))]
        things = [one for one in things if not _TELLS_HOW.fullmatch(one) and one not in nouns]
        known = sum(any(way in said for way in _ways(one)) or self._is_usual(one) for one in things)
        return known >= _ABOUT * len(things) or self._stands_out()

    def _is_usual(self, word: str) -> bool:
        """Whether a word asks in one of the usual ways for a column that is measured."""
        called = [_UNIT.sub("", _spaced(label)) for label in self._labels]
        return any(asks.search(word) and any(map(one.fullmatch, called)) for asks, one in _KINDS_ASKED)

    def _stands_out(self) -> bool:
        """Whether question and file come near in meaning, whatever words they use."""
        found = self._meaning.standing_out(self._asked.question, [self.text], Look.BOTH) if self._meaning else None
        return found is not None and found[0] >= _NEAR

    def _where(self) -> dict[str, str] | None:
        """Return what cells of the rows that are meant say; None where the file has no rows of the time asked for."""
        time = self._time()
        named = {label: said[0] for label, said in self._named.items() if len(said) == 1}
        return None if time is None else named | time

    def _time(self) -> dict[str, str] | None:
        """Return the time that is asked for as the file says it; several are held against each other."""
        frame, years, column = self._frame, sorted(self._asked.years), self._frame.day or self._frame.year
        if not column:
            is_titled = all(year in f"{self._title} {' '.join(frame.labels)}" for year in years)
            return {} if is_titled and not _LATELY.search(self._asked.question) else None
        days = sorted(filter(None, map(frame.when, frame.rows)))
        asked = self._span(days) if frame.day else years
        if not asked:
            return None if years or self._asked.months or _LATELY.search(self._asked.question) else {}
        is_span = bool(frame.day) and len(asked[0]) > 4 and (bool(self._asked.spans) or self._is_range())
        if len(asked) > 1 and not is_span:
            self._several[column] = [one for one in asked if frame.chosen({column: one})]
            return {} if len(self._several[column]) > 1 else None
        said = TO.join(dict.fromkeys(asked))
        return {column: said} if frame.chosen({column: said}) else None

    def _span(self, days: Sequence[str]) -> Sequence[str]:
        """Return months that are asked for, else years; of a month without its year, that of the last year."""
        if self._asked.compares_months:
            return sorted(self._asked.months)
        if self._asked.spans:
            return self._asked.spans[0]
        years, months = self._asked.years, self._months()
        if not months:
            return sorted(years)
        known = [day[:4] for day in days if int(day[5:7] or 0) in months]
        year = years[-1] if years else max(known, default="")
        return [f"{year}-{month:02}" for month in months] if year else ()

    def _months(self) -> list[int]:
        """Return the months of the year that are asked for by name; of a quarter or a range, the first and the last."""
        asks = self._asked.question
        if quarter := _QUARTER.search(asks):
            number = _DIGITS.index(quarter[1] or quarter[2]) % 4
            return [3 * number + 1, 3 * number + 3]
        if match := _RANGE_JA.search(asks):
            return [int(match[1]), int(match[2])]
        told = [int(month) for month in _MONTH_JA.findall(asks)]
        told += [MONTHS.index((one or other).lower()) + 1 for one, other in _MONTH_EN.findall(asks)]
        return sorted({month for month in told if 1 <= month <= len(MONTHS)})

    def _is_range(self) -> bool:
        asks = self._asked.question
        return any(one.search(asks) for one in (_QUARTER, _RANGE_JA, _RANGE_EN))

    def _limit(self, label: str) -> dict[str, str] | None:
        """Return what figures of a column have to keep to, 35 degrees or more; None where it is not known of which."""
        match = _LIMIT.search(self._asked.question)
        if match is None:
            return {}
        if not label or not (self._is_said(label) or self._is_of_kind(label)):
            return None
        sign = next(sign for sign, words in _SIGNS.items() if re.search(words, match.group(), re.IGNORECASE))
        return {label: f"{sign} {match['en'] or match['ja']}"}

    def _states(self) -> list[str]:
        """Return the columns that say one of few things, of which the question says the name.

        Which of several it means without a word of them is not guessed: who “loses its people” was nearest to is male.
        """
        few = [label for label, said in self._frame.words.items() if 2 <= len(said) <= _STATES and label != SHEET]
        return [label for label in few if label not in self._named and self._is_said(label)]

    def _state(self, but: str = "") -> dict[str, str]:
        """Return what those say of themselves who are counted, in the file's words: who has left says so."""
        states = [label for label in self._states() if label != but]
        return {states[0]: self._meant(states[0])} if states else {}

    def _state_of_both(self) -> str:
        """Return the column whose states are held against each other: of those who work overtime and who do not."""
        match = _BOTH.search(self._asked.question)
        said = folded(expand(self._asked.question[: match.end()])) if match else ""
        return next((one for one in self._states() if any(way in said for way in _ways(_spaced(one)))), "")

    def _meant(self, label: str) -> str:
        """Return which of the things that a column says is meant by a question that says none of them."""
        said = self._frame.words[label]
        near = self._meaning.nearness(self._asked.question, said) if self._meaning is not None else None
        yes = next((one for one in said if folded(one) in _YES), "")
        return yes or said[0 if near is None else int(near.argmax())]

    # --- which column, and what is made of it ---

    def _measured(self) -> list[str]:
        """Return the columns of figures that are asked for, one for each thing asked at most."""
        numbers = [label for label in self._frame.numbers if not _TELLS_APART.search(_spaced(label))]
        columns = {DataColumn(self._title, _spaced(label)): label for label in numbers}
        found: dict[str, None] = {}
        for part in columns_meant(self._asked, list(columns), self._meaning) if numbers else ():
            worth = {columns[column]: own for column, own in part.items()}
            if best := self._best(worth):
                found[best] = None
        return list(found)

    def _best(self, worth: Mapping[str, float]) -> str:
        """Return the column that is worth most; where the question does not say its name, one of the usual kind."""
        best = max(worth, key=worth.__getitem__)
        if not self._is_said(best):
            of_kind = [label for label in worth if self._is_of_kind(label)]
            if of_kind:
                return max(of_kind, key=worth.__getitem__)
        return best if worth[best] >= COLUMN else ""

    def _is_said(self, label: str) -> bool:
        """Whether the question says what a column is called."""
        return any(self._has(way) for way in _ways(_UNIT.sub("", _spaced(label))))

    def _is_of_kind(self, label: str) -> bool:
        """Whether what a column measures is asked for in one of the usual ways."""
        called = _UNIT.sub("", _spaced(label))
        return any(asks.search(self._asked.question) and one.fullmatch(called) for asks, one in _KINDS_ASKED)

    def _how(self, label: str) -> How:
        asks = self._asked.question
        is_counted = _COUNTS.search(asks) is not None or _SHARE.search(asks) is not None
        if (is_counted or "何日" in asks) and self._limit(label):
            return How.COUNT
        if is_counted and not (label and (self._is_said(label) or self._is_of_kind(label))):
            return How.COUNT
        return How.AVERAGE if self._asked.wants_average or _NO_SUM.search(_spaced(label)) else How.SUM

    def _group(self, where: Collection[str]) -> str:
        """Return the column whose groups are asked for, by its name, else by its meaning; empty where none are."""
        if named := self._group_named(where):
            return named
        columns = self._groups(where)
        if not self._nouns() or not columns or self._meaning is None or _BY_DAY.search(self._asked.question):
            return ""
        texts = [f"{_spaced(label)}: {', '.join(self._frame.words[label][:5])}" for label in columns]
        near = self._meaning.nearness(self._asked.question, texts)
        is_near = near is not None and (len(texts) == 1 or float(near.max() - near.mean()) >= _GROUP)
        return columns[int(near.argmax())] if near is not None and is_near else ""

    def _group_named(self, but: Collection[str]) -> str:
        if self._frame.day and _BY_MONTH.search(self._asked.question):
            return self._frame.day
        columns, nouns = self._groups(but), self._nouns()
        if _BY_DAY.search(self._asked.question):
            return next((label for label in columns if _BY_DAY.search(_spaced(label))), "")
        return next((label for label in columns if any(_is_called(label, noun) for noun in nouns)), "")

    def _groups(self, but: Collection[str]) -> list[str]:
        return [one for one, said in self._frame.words.items() if 2 <= len(said) <= _GROUPS and one not in but]

    def _nouns(self) -> list[str]:
        return [noun for pattern in _NOUN for noun in pattern.findall(self._asked.question)]

    def _asks_for_groups(self) -> bool:
        asks = self._asked.question
        return bool(self._nouns() or _BY_MONTH.search(asks) or _BY_DAY.search(asks))

    # --- what is told ---

    def _lines(self, how: How, label: str, where: dict[str, str], language: Language) -> Iterator[Told]:
        asks, is_rank = self._asked.question, self._asked.operation is Operation.RANK or self._number() > 0
        is_share = _SHARE.search(asks) is not None
        group = self._group(where) if is_rank or self._asked.wants_each or _NOUN[0].search(asks) else ""
        both = self._state_of_both()
        if is_share and (both or (group and is_rank and how is How.COUNT and not self._several)):
            yield from self._share_of_each(where, both or group, language)
        elif is_share and where and not self._several:
            yield from self._share(how, label, where, language)
        elif group and self._times() and _GROWS.search(asks):
            yield from self._changes(how, label, where, group, language)
        elif self._several or both:
            column = both or next(iter(self._several))
            values = self._several.get(column) or self._frame.words[column]
            yield from self._side_by_side(how, label, where, (column, values), language)
        elif group:
            yield from self._in_order(how, label, where, group, language)
        elif label and (self._asked.wants_date or _PEAK.search(asks) or (is_rank and not self._asks_for_groups())):
            yield from self._extreme(label, where, language)
        elif (where or self._is_said(label) or (self._is_of_kind(label) and _IN_ALL.search(asks))) and (
            part := part_of(self._frame.parts, how, label, where)
        ):
            yield self._single(part, language)

    def _single(self, part: Part, language: Language) -> Told:
        what = self._what([part], language)
        if len(part.rows) == 1 and part.label:
            return Told(what, part.rows[0].cells[part.label], part.rows, is_computed=False)
        return Told(what, f"{shown(part.value)} = {made_of(part, language)}", _standing_for(part))

    def _in_order(self, how: How, label: str, where: dict[str, str], group: str, language: Language) -> Iterator[Told]:
        told = places_among(parts_by(self._frame.parts, how, label, where, group), lambda part: dict(part.where)[group])
        parts = sorted(told, key=lambda part: part.value, reverse=not self._is_least())
        most = self._number() or (2 if self._asked.has_both_ends else _SHOWN)
        for part in self._asked.ends_of(parts, most):
            yield self._single(part, language)

    def _side_by_side(
        self,
        how: How,
        label: str,
        where: dict[str, str],
        told: tuple[str, Sequence[str]],
        language: Language,
    ) -> Iterator[Told]:
        column, values = told
        found = [part_of(self._frame, how, label, {**where, column: one}) for one in values]
        parts = [part for part in found if part]
        yield from (self._single(part, language) for part in parts)
        if len(parts) != 2 or len(values) != 2:
            return
        if column in (self._frame.year, self._frame.day):
            first, last = parts[::-1]
        else:
            first, last = parts if parts[0].value >= parts[1].value else parts[::-1]
        rows = (*_standing_for(first), *_standing_for(last))
        what, operands = self._what(parts, language), [operand_of(one, language) for one in (first, last)]
        if last.value and (self._asked.operation is Operation.RATIO or self._asked.wants_relation):
            said = _TIMES.in_(language).format(value=shown(first.value / last.value))
            yield Told(what, f"{said} = {operands[0]} ÷ {operands[1]}", rows)
        elif column in (self._frame.year, self._frame.day):
            yield from self._change(last, first, language)
        else:
            yield Told(what, f"{shown(first.value - last.value)} = {operands[0]} − {operands[1]}", rows)

    def _share(self, how: How, label: str, where: Mapping[str, str], language: Language) -> Iterator[Told]:
        kept = {name: said for name, said in where.items() if name in (self._frame.day, self._frame.year)}
        if _COUNTS.search(self._asked.question) and (part := part_of(self._frame.parts, how, label, where)):
            yield self._single(part, language)
        yield from self._share_among(how, label, where, kept, language)

    def _share_of_each(self, where: Mapping[str, str], group: str, language: Language) -> Iterator[Told]:
        """Yield which share of each group something is true of, the largest first: of who works overtime, who left."""
        state = dict(where) or {one: said for one, said in self._state(but=group).items() if one != group}
        held = {dict(part.where)[group]: part for part in parts_by(self._frame.parts, How.COUNT, "", state, group)}
        of = {dict(part.where)[group]: part for part in parts_by(self._frame.parts, How.COUNT, "", {}, group)}
        shares = [(part.value / of[one].value, one) for one, part in held.items()]
        ordered = sorted(shares, reverse=not self._is_least())
        for _, one in ordered[: self._number() or _SHOWN]:
            yield from self._share_among(How.COUNT, "", {**state, group: one}, {group: one}, language)

    def _times(self) -> list[str]:
        """Return the two times that are held against each other, the earlier first; else none."""
        told = self._several.get(self._frame.day or self._frame.year, ())
        return sorted(told) if len(told) == 2 else []

    def _changes(self, how: How, label: str, where: dict[str, str], group: str, language: Language) -> Iterator[Told]:
        """Yield by how much each group changed from one time to another, in order."""
        column, (first, last) = self._frame.day or self._frame.year, self._times()
        at = [parts_by(self._frame.parts, how, label, {**where, column: time}, group) for time in (first, last)]
        before, after = ({dict(part.where)[group]: part for part in told} for told in at)
        is_rate = _AS_RATE.search(self._asked.question) is not None
        found = [
            (after[one].value / part.value if is_rate else after[one].value - part.value, part, after[one])
            for one, part in before.items()
            if one in after and part.value
        ]
        told = places_among(found, lambda one: dict(one[1].where)[group])
        ordered = sorted(told, key=lambda one: one[0], reverse=_LOSES.search(self._asked.question) is None)
        for _, earlier, later in ordered[: self._number() or _SHOWN]:
            difference, *rate = self._change(earlier, later, language)
            yield from rate if is_rate else (difference,)

    def _change(self, before: Part, after: Part, language: Language) -> Iterator[Told]:
        what, rows = self._what([before, after], language), (*_standing_for(before), *_standing_for(after))
        operands = [operand_of(one, language) for one in (after, before)]
        yield Told(what, f"{shown(after.value - before.value)} = {operands[0]} − {operands[1]}", rows)
        if before.value:
            said = f"{100 * (after.value / before.value - 1):.1f}%"
            yield Told(what, f"{said} = {operands[0]} ÷ {operands[1]} − 1", rows)

    def _share_among(
        self, how: How, label: str, where: Mapping[str, str], of: Mapping[str, str], language: Language
    ) -> Iterator[Told]:
        part, whole = part_of(self._frame.parts, how, label, where), part_of(self._frame.parts, how, label, of)
        is_one_of_many = how is How.COUNT and part is not None and len(part.rows) == 1
        if part is None or whole is None or not whole.value or part.rows == whole.rows or is_one_of_many:
            return
        said = f"{100 * part.value / whole.value:.1f}% = {operand_of(part, language)} ÷ {operand_of(whole, language)}"
        yield Told(self._what([part], language), said, tuple(dict.fromkeys((*part.rows[:2], *whole.rows[:1]))))

    def _extreme(self, label: str, where: Mapping[str, str], language: Language) -> Iterator[Told]:
        part = part_of(self._frame.parts, How.LOWEST if self._is_least() else How.HIGHEST, label, where)
        row = next((row for row in part.rows if self._frame.figure(row, label) == part.value), None) if part else None
        if part and row:
            columns = [one for one in (self._frame.day, *self._frame.words) if one and one != SHEET][:_BESIDE]
            told = [row.cells[one] for one in columns if one in row.cells]
            said = f"{shown(part.value)} = {made_of(part, language)}"
            yield Told(COMMA.in_(language).join([*told, label]), said, (row,))

    def _what(self, parts: Sequence[Part], language: Language) -> str:
        """Return whose figures these are: what all of their rows say, also in a column that nobody asked for."""
        common = [cell for cell in parts[0].where if all(cell in one.where for one in parts)]
        told = [_in_words(label, said, language) for label, said in common]
        if len(parts) == 1:
            told += self._also_called(parts[0])
        return COMMA.in_(language).join(filter(None, [*told, parts[0].label])) or _spaced(self._title)

    def _also_called(self, part: Part) -> list[str]:
        """Return what else the rows of a group are called, if no others are: shop B is the one in Mandalay."""
        words = self._frame.words
        asked = next(iter(dict(part.where)), "")
        if len(part.where) != 1 or asked not in words:
            return []
        others = [one for one, said in words.items() if one not in (SHEET, asked) and len(said) == len(words[asked])]
        told = [(label, {row.cells.get(label, "") for row in part.rows}) for label in others]
        alone = ((label, said.pop()) for label, said in told if len(said) == 1)
        return [said for label, said in alone if len(self._frame.chosen({label: said})) == len(part.rows)][:1]

    def _is_least(self) -> bool:
        if self._asked.has_both_ends:
            return False
        return self._asked.is_least or _LEAST.search(self._asked.question) is not None

    def _number(self) -> int:
        """Return how many are asked for: the three largest."""
        match = _NUMBER.search(self._asked.question)
        said = next(filter(None, match.groups()), "") if match else ""
        return int(said) if said.isdecimal() else _NUMBERS.get(said.lower(), 0)


def _is_called(label: str, noun: str) -> bool:
    """Whether a noun, or one of its words, is what a column is called, in either language."""
    asked = {folded(noun), *_ways(noun), *(way for word in noun.split() for way in _ways(word))}
    ways = _ways(_spaced(label))
    return not asked.isdisjoint(ways) or (
        not noun.isascii() and noun not in _TIMES_JA and folded(noun) in folded(label)
    )


def _in_words(label: str, said: str, language: Language) -> str:
    """Return what rows say: months written out, and of what yes and no are said."""
    if folded(said) in _SAYS_NOTHING or said[0] in _SIGNS:
        return f"{_spaced(label)}: {said}"
    ends = said.split(TO)
    return span_of(ends[0], ends[-1], language) if all(map(_ISO_MONTH.fullmatch, ends)) else said


def _standing_for(part: Part) -> tuple[Row, ...]:
    """Return the rows that are cited for a figure: all of a few, the first and the last of many."""
    return part.rows if len(part.rows) <= _CITED else (*part.rows[: _CITED - 1], part.rows[-1])


@lru_cache(maxsize=4_096)
def _ways(words: str) -> tuple[str, ...]:
    """Return words in all ways of saying them that are known, folded, in both languages, one and several of them."""
    said = dict.fromkeys(folded(one) for one in (words, *other_words(words), *other_words(words.lower())))
    numbers = [way + "s" for way in said if way.isascii()] + [way.removesuffix("s") for way in said if way.isascii()]
    return tuple(way for way in dict.fromkeys((*said, *numbers)) if len(way) > (2 if way.isascii() else 1))


@lru_cache(maxsize=4_096)
def _spaced(label: str) -> str:
    """Return a label by its words: MonthlyIncome is Monthly Income."""
    return _HUMP.sub(" ", label_in_words(label))
