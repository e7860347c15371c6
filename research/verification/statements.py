"""The sentences of the evidence, with what they stand under, in words that Japanese and English share.

An English word stands as its group of meanings or its stem, a Japanese one as its English in the lexicon, else as its
group, else as it is written. Names stand apart; figures, periods, and words that do not tell one quantity from another
(who says it, how sure it is) are left out. What a figure claims to be, a fact, a forecast or a limit, is told by words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from research.core import Evidence, Page
from research.quantities import Figure, FigureRow, Period, extent, figures, periods, quantities
from research.text import cells, data_line_in, english_terms, folded, heading_at, japanese_terms, places_in, regions_in
from research.verification.claim import LONGEST, Clause, clauses
from research.verification.page import IndexedPage, prepared
from research.verification.words import (
    LIGHT,
    LIGHT_JAPANESE as _PLAIN_LIGHT,
    Kind,
    Offsets,
    blank,
    blanked,
    leading_word,
    names_in,
    opposites,
    terms,
    unit_of,
    visible,
    with_short_names,
)

_ENGLISH = """
reach stand stood amount total come came hit record post become see seen achieve attain estimate value worth size level
company firm annual yearly say announce report state decide expect forecast predict project plan intend aim target goal
about roughly number according data figure show find know set put take recent new currently respectively ask must
already now again also still period term time overall previous last next than compare level fiscal want can need
cap ceiling floor limit maximum minimum least most
"""
_JAPANESE = """
審議 決議 議決 説明 指摘 報告 発表 公表 推定 推計 試算 概算 見積 実績 合計 総額 当社 弊社 規模 程度 水準 数値 金額
完成時 竣工時 完了時 最終 最終的
前年 前年度 前年比 前年度比 前年同期 前年同期比 同期 同期比 到達 記録 算出 設定 値 額 見込 予定 目標 上限 下限 付議
企業 会社 予想 予測 見通 推計 計画 方針 決定 件数 総数
"""
LIGHT_JAPANESE = _PLAIN_LIGHT | frozenset(_JAPANESE.split())


@cache
def _light_units() -> frozenset[str]:
    return frozenset(unit_of(word) for word in _ENGLISH.split())


def is_light(unit: str, word: str) -> bool:
    """Whether a word, given as its unit and as printed, may be there or not without changing what is meant."""
    if unit in _light_units() or word.lower() in LIGHT:
        return True
    return word in LIGHT_JAPANESE


_CODE = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{1,8}-?\d{1,5}(?:-\d{1,5})?[A-Za-z]?(?![A-Za-z0-9])|(?<=[a-z] )[A-HJ-Z](?=[ ,.;:)]|$)"
)
_LATIN = re.compile(r"[^\W\d_ぁ-ヿ㐀-鿿ｦ-ﾟ々]+")
_WIDE = re.compile(r"[ぁ-ヿ㐀-鿿]")
_WHOLE = re.compile(r"\b[a-z]+(?:-[a-z]+)+\b|\b(?:US|Hong Kong|[A-Z][a-z]+) (?:dollars?|pounds?|yuan|pesos?|francs?)\b")
"""What means something only together: part-load, US dollars."""
_PER = re.compile(r"\b(?:per|each|every)\b|(?:1|一)?[人台件社回本]?(?:あたり|当たり|につき|ごと)")
_MARKS = (("=per", _PER), ("=among", re.compile(r"\bof (?:which|whom|them)\b|(?<![こそ])のうち|、うち")))
_USE = unit_of("use")
_KATAKANA_NAME = 3
"""Characters from which an unknown word in katakana may be a name."""


@dataclass(frozen=True)
class Words:
    """What a text speaks of: each word in its shared form, and as it is printed."""

    names: Mapping[str, str]
    content: Mapping[str, str]
    text: str
    """The text, folded: Japanese words are also looked for in it."""

    def has(self, word: str) -> bool:
        """Whether the text holds a word or name given in its shared form."""
        if word in self.content or word in self.names:
            return True
        return not word.isascii() and word in self.text

    def without(self, words: frozenset[str]) -> Words:
        """Return these words without some of the content."""
        return replace(self, content={word: printed for word, printed in self.content.items() if word not in words})

    @cached_property
    def is_japanese(self) -> bool:
        """Whether any of it is Japanese."""
        return _WIDE.search(self.text) is not None

    @cached_property
    def all(self) -> frozenset[str]:
        """Names and content words together."""
        return frozenset((*self.names, *self.content))


def joined(parts: Iterable[Words]) -> Words:
    """Return the words of several texts together."""
    names: dict[str, str] = {}
    content: dict[str, str] = {}
    texts = []
    for part in parts:
        names.update(part.names)
        content.update(part.content)
        texts.append(part.text)
    return Words(names, content, "\n".join(texts))


def weight(word: str) -> float:
    """Return how much a shared word tells: two Japanese characters tell as much as one English word."""
    return 1.0 if word.isascii() or word.startswith("=") else max(0.5, len(word) / 2)


def _shared(unit: str) -> str:
    """Return what a word is compared by; to consume something is to use it."""
    return _USE if unit in ("consum", "consumpt") else unit


def translatable(words: Iterable[str]) -> frozenset[str]:
    """Return which of some words would be known again in the other language: groups, and what the lexicon has."""
    known = frozenset(words)
    groups = {word for word in known if word.startswith("=")}
    return frozenset(groups.union(*(term for word in known for term in _terms_with().get(word, ()) if term <= known)))


@cache
def _terms_with() -> Mapping[str, tuple[frozenset[str], ...]]:
    """Return the English terms of the lexicon, as units, by each of their units."""
    found: dict[str, list[frozenset[str]]] = defaultdict(list)
    for term in english_terms():
        parts = frozenset(_shared(unit) for unit in map(unit_of, term) if unit)
        for part in parts:
            found[part].append(parts)
    return {part: tuple(terms) for part, terms in found.items()}


def plain(text: str) -> str:
    """Return `text` as words are read from it; offsets of spans refer to this form."""
    return with_short_names(visible(text))


_MEASURED = frozenset(["=import", "=export", "=profit", "=loss", "=male", "=female", "=born", "=die", "=high", "=low"])
"""Opposites that are each a quantity of its own: what is told of one is no news of the other."""


_RANKS = {
    "=highest": r"(?<!at )\b(?:highest|maximum|peak|largest|biggest|greatest|most)\b|最も[高多大]|最[高多大]|首位",
    "=lowest": r"(?<!at )\b(?:lowest|minimum|smallest|fewest|least)\b|最も[低少小]|最[低少小]",
    "=second": r"\bsecond[- ](?:\w+est|most)\b|[2二](?:番目|位)",
    "=third": r"\bthird[- ](?:\w+est|most)\b|[3三](?:番目|位)",
    **{
        f"={way}case": rf"\b(?:{said})(?:[- ]\w+)?[- ](?:case|scenario|variant|estimate|projection|bound)\b"
        rf"|(?:\A|[,(] ?)(?:{said})(?=\Z|[,)])"
        for way, said in (("high", "high(?:er)?|upper"), ("low", "low(?:er)?"))
    },
}


def ranks_in(text: str) -> frozenset[str]:
    """Return which places in an order a text speaks of: the highest of many is another figure than the lowest.

    So is what is expected in the high case another than in the low one, the estimates between which the truth lies.
    """
    return frozenset(rank for rank, pattern in _RANKS.items() if re.search(pattern, text, re.IGNORECASE))


def are_ranked_apart(one: str, other: str) -> bool:
    """Whether two texts speak of different places in an order."""
    first, second = ranks_in(one), ranks_in(other)
    return bool(first and second) and first != second


def tells_of_another(before: str, after: str) -> bool:
    """Whether each of two statements that are alike names what the other does not.

    Where their figures differ, any word can be what these measure, but one that only says which way they went.
    """
    texts = [plain(text) for text in (before, after)]
    if are_ranked_apart(*texts):
        return True
    given = [figures(text) for text in texts]
    first, second = (
        words_of(text, tuple((one.start, one.end) for one in found)) for text, found in zip(texts, given, strict=True)
    )
    if first.names.keys() - second.names.keys() and second.names.keys() - first.names.keys():
        return True
    values = [sorted(one.value for one in found) for found in given]
    ways = opposites().of.keys() - _MEASURED
    apart = (first.content.keys() - second.content.keys(), second.content.keys() - first.content.keys())
    return all((words & _MEASURED) if values[0] == values[1] else (words - ways) for words in apart)


@lru_cache(maxsize=8_192)
def words_of(clean: str, taken: tuple[Offsets, ...] = (), *, opens: bool = False) -> Words:
    """Return the words of a text made plain, without the spans that are `taken` by figures and periods.

    Where the text `opens` a sentence, its first word may be a name; that of a heading or label is not taken for one.
    """
    content: dict[str, str] = {word: "" for word, pattern in _MARKS if pattern.search(clean)}
    codes = [match for match in _CODE.finditer(clean) if not any(start <= match.start() < end for start, end in taken)]
    names = {match.group().replace("-", "").upper(): match.group() for match in codes}
    masked = blanked(clean, [*taken, *(match.span() for match in codes)])
    content |= {match.group().lower(): match.group() for match in _WHOLE.finditer(masked)}
    rest = _without_places(_WHOLE.sub(blank, masked), names)
    for term in japanese_terms(rest):
        if _WIDE.search(printed := rest[term.start : term.end]):
            rest = blanked(rest, [(term.start, term.end)])
            for word in _LATIN.findall(term.english[0]):  # A term that is a name has capitals: Hai Phong.
                (names if word[0].isupper() else content).setdefault(_shared(unit_of(word)), printed)
    named = (*names_in(clean), *filter(None, [leading_word(clean) if opens else None]))
    for word in terms(rest, [span for span in named if rest[slice(*span)] == clean[slice(*span)]]):
        unit = word.text if word.is_wide else _shared(word.units[0])
        is_known = unit.startswith("=") or frozenset((unit,)) in _terms_with().get(unit, ())
        if word.kind is Kind.NAME and not is_known and not unit.startswith("#"):
            names.setdefault(unit, word.text)
        elif not unit.startswith("#") and len(word.text) > 1 and not is_light(unit, word.text):
            content.setdefault(unit, word.text)
    return Words(
        names, {unit: word for unit, word in content.items() if unit and not is_light(unit, "")}, folded(clean)
    )


def _without_places(text: str, names: dict[str, str]) -> str:
    """Enter the places of `text` among `names`, under their English name, and return it without them."""
    for place in (*regions_in(text), *places_in(text)):
        pattern = re.compile("|".join(map(re.escape, sorted(place.forms, key=len, reverse=True))), re.IGNORECASE)
        match = pattern.search(text)
        if match is not None:
            names[place.en] = match.group()
            text = pattern.sub(blank, text)
    return text


def may_be_name(word: str) -> bool:
    """Whether a Japanese word that nothing translates may be a name."""
    return len(word) >= _KATAKANA_NAME and all("ァ" <= character <= "ー" for character in word)


class Standing(Enum):
    """What a figure claims to be. Figures of different standing do not contradict each other, but for broken limits."""

    FACT = auto()
    FORECAST = auto()
    TARGET = auto()
    CAP = auto()
    """No more than this is allowed or possible."""
    FLOOR = auto()
    """No less than this."""

    @property
    def is_ahead(self) -> bool:
        """Whether it is what somebody plans or expects."""
        return self in (Standing.FORECAST, Standing.TARGET)

    @property
    def is_limit(self) -> bool:
        """Whether it is the most or least that may be."""
        return self in (Standing.CAP, Standing.FLOOR)


_SAID = {
    Standing.FLOOR: r"\b(?:floor|lower limit|minimum)\b|下限|最低限",
    Standing.CAP: r"\b(?:cap(?:ped)?|ceiling|limits?|limited to|maximum|up to)\b|上限|限度|以内",
    Standing.TARGET: r"\b(?:target(?:s|ed|ing)?|goals?|aim(?:s|ed|ing)?|objectives?)\b|目標|目指",
    Standing.FORECAST: r"\b(?:forecast(?:s|ed)?|expect(?:s|ed|ing|ation)?|project(?:s|ed|ions?)|predict(?:s|ed|ion)?"
    r"|outlook|will|shall|guidance|plan(?:s|ned)?|budget(?:ed)?|is to|are to)\b|見込|見通し|予想|予測|予定|計画|想定",
}
_BOUNDS: dict[str, Standing] = {"at least": Standing.FLOOR, "at most": Standing.CAP}
_CONDITION = re.compile(
    r"\b(?:if|unless|would|could|might|assum(?:ing|ed)|scenario|suppose|for example|e\.g\.|respectively)\b"
    r"|場合|もし|仮に|[れけせえてべめ]ば(?=[、。]|$)|とすると|と仮定|シナリオ|たとえば|例えば|それぞれ|順に",
    re.IGNORECASE,
)
_REPLACED_AFTER = re.compile(
    r"\s*(?:では?なく|でない|ではない|から|より|を下回|を上回|を超え|に対し|, not\b|\s*instead\b)"
)
_REPLACED_BEFORE = re.compile(
    r"(?:\b(?:from|not|than|against|versus|vs\.?|instead of|rather than|compared (?:with|to)|above|below|beyond"
    r"|exceed(?:s|ed|ing)?)"
    r" (?:a |an |the |about |some |(?:\w+ )?(?:target|limit|forecast|plan) of )*|マイナスではなく)\Z",
    re.IGNORECASE,
)
_LOOK = 40


def standing_of(said: str, heading: str, figure: Figure | None) -> Standing:
    """Return the standing of a figure or clause from what is said with it, else from its heading."""
    for words in (said, heading):
        for standing, pattern in _SAID.items():
            if re.search(pattern, words, re.IGNORECASE):
                return standing
    return _BOUNDS.get(figure.bound or "", Standing.FACT) if figure is not None else Standing.FACT


def is_conditional(text: str) -> bool:
    """Whether a sentence says what would be, or lists values whose order alone tells what they belong to."""
    return _CONDITION.search(text) is not None


def is_replaced(text: str, figure: Figure | Period) -> bool:
    """Whether a figure or date is what something was before, is compared with, or is said not to be."""
    if _REPLACED_AFTER.match(text, figure.end):
        return True
    return _REPLACED_BEFORE.search(text[max(0, figure.start - _LOOK) : figure.start]) is not None


_BRACKETS = re.compile(r"[(（][^()（）]{0,200}[)）]")
_LEADING = re.compile(
    r"(?:In|For|Among|Across|Within|At|By|On|Excluding|Including|Outside|With|Without|Of|From)\b.*,\s*|.*(?:で|うち)、",
    re.DOTALL,
)
_TOPIC = re.compile(r"[^、。]{1,40}?は(?!じめ)")
"""What a Japanese sentence opens with: it holds for every clause that has no words of its own for its subject."""
_LETTER = re.compile(r"[^\W\d_]")
_BARE_AND = re.compile(r"[^,;]\sand\s*\Z")
_LOOKS_BACK = 4
"""Sentences above one that names nothing, among which the one that it goes on from is looked for."""
_AROUND = ("quarter", "half", "year", "fiscal year")
"""How long a period in a heading is that holds for what stands below; days and months there are mostly of writing."""


@dataclass(frozen=True)
class Statement:
    """A sentence or table row of the evidence."""

    entry: Evidence
    page: Page
    text: str
    """The sentence, made plain; offsets refer to it, those of the figures of a row to the page."""
    heading: str
    figures: tuple[Figure, ...]
    periods: tuple[Period, ...]
    is_row: bool
    is_line: bool
    """Whether it is a "label: value" line."""
    above: str
    """The nearest sentence above it, under the same heading, that names something, if it names nothing itself."""

    @cached_property
    def words(self) -> Words:
        """The words of the sentence itself, glosses included."""
        return words_of(self.text, () if self.is_row else self._taken, opens=self._opens)

    @cached_property
    def under(self) -> Words:
        """The words of its heading."""
        return words_of(plain(self.heading))

    @cached_property
    def around(self) -> Words:
        """The words of its heading and of the title of its page."""
        return joined((self.under, words_of(plain(self.page.title))))

    @cached_property
    def before(self) -> Words:
        """The words of the sentence that it goes on from."""
        return words_of(self.above)

    @cached_property
    def wide(self) -> Words:
        """Everything that the sentence can be meant to speak of."""
        return joined((self.words, self.around, self.before))

    @cached_property
    def period_around(self) -> str | None:
        """The only longer period that its heading names, else its page's title."""
        for text in (self.heading, self.page.title):
            found = {period.value for period in periods(text) if period.granularity in _AROUND}
            if found:
                return found.pop() if len(found) == 1 else None
        return None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses."""
        return clauses(self._without_glosses)

    @cached_property
    def _without_glosses(self) -> str:
        """The sentence without brackets that hold no figure: they explain what stands before them."""
        glosses = [match.span() for match in _BRACKETS.finditer(self.text)]
        return blanked(
            self.text, [span for span in glosses if not any(span[0] <= one.start < span[1] for one in self.figures)]
        )

    def clause_at(self, offset: int) -> Clause:
        """Return the clause that holds a character."""
        return next((clause for clause in self.clauses if offset < clause.end), self.clauses[-1])

    def said_with(self, figure: Figure) -> str:
        """Return the clause of a figure, to the end of the sentence if the clause breaks off behind the figure."""
        clause = self.clause_at(figure.start)
        breaks_off = not _LETTER.search(self.text, figure.end, clause.end)
        return self.text[clause.start :] if breaks_off else clause.text

    def words_at(self, offset: int) -> Words:
        """Return the words that hold for what stands at `offset`: its clause, a leading phrase or topic, its label."""
        clause = self.clause_at(offset)
        start = clause.start
        index = self.clauses.index(clause)
        if index and _BARE_AND.search(self.text, 0, start) and not self._has_figure(self.clauses[index - 1]):
            start = self.clauses[index - 1].start
        parts = [self._words(start, clause.end)]
        first = self.clauses[0]
        if index and not self._has_figure(first) and _LEADING.fullmatch(first.text):
            parts.append(self._words(first.start, first.end))
        if self.is_line:
            segment = self.text.rfind(";", 0, offset) + 1
            parts.append(self._words(segment, max(segment, self.text.rfind(":", segment, offset))))
            if ";" in self.text:
                parts.append(Words(self.words.names, {}, ""))
        found = joined(parts)
        topic = _TOPIC.match(self._without_glosses, 0, first.end)
        if topic and index and not found.all:
            return joined([found, self._words(0, topic.end())])
        return found

    def quotes(self, figure: Figure) -> bool:
        """Whether the quote holds a figure of the sentence, or is a part of it."""
        return figure.text in self.entry.quote or figure.text in plain(self.entry.quote)

    def _has_figure(self, clause: Clause) -> bool:
        return any(clause.start <= figure.start < clause.end for figure in self.figures)

    def _words(self, start: int, end: int) -> Words:
        inside = ((max(first, start) - start, min(last, end) - start) for first, last in self._taken)
        spans = tuple(span for span in inside if span[0] < span[1])
        return words_of(self._without_glosses[start:end], spans, opens=start == 0 and self._opens)

    @property
    def _opens(self) -> bool:
        return not self.is_row and not self.is_line

    @cached_property
    def _taken(self) -> tuple[tuple[int, int], ...]:
        """The spans of figures and periods, which are no words."""
        parts: list[Figure | Period] = [*self.figures, *self.periods]
        return tuple((part.start, part.end) for part in parts)


_SHORTEST = 4


def statements(evidence: Iterable[Evidence], pages: Mapping[str, Page]) -> Iterator[Statement]:
    """Yield each sentence that the evidence quotes, once for each page; what is longer or shorter than any is none."""
    seen: set[tuple[str, int]] = set()
    for entry in evidence:
        page = pages[entry.source]
        indexed = prepared(page.text)
        for index in indexed.between(entry.start, entry.end):
            if (page.id, index) not in seen and _SHORTEST <= len(indexed.sentence(index)) <= LONGEST:
                seen.add((page.id, index))
                yield _statement(entry, page, indexed, index)


def _statement(entry: Evidence, page: Page, indexed: IndexedPage, index: int) -> Statement:
    text = plain(indexed.sentence(index))
    is_row = indexed.is_row(index)
    held, named = (indexed.figures(index), periods(text)) if is_row else quantities(text)
    dated = [period for period in named if extent(period.value) is not None]
    heading = heading_at(page.text, indexed.spans[index].start)
    is_line = data_line_in(text) is not None
    above = "" if is_row or is_line or words_of(text).names else _named_above(page, indexed, index, heading)
    return Statement(entry, page, text, heading, tuple(held), tuple(dated), is_row, is_line, above)


def _named_above(page: Page, indexed: IndexedPage, index: int, heading: str) -> str:
    for place in range(index - 1, max(-1, index - 1 - _LOOKS_BACK), -1):
        if indexed.is_row(place) or heading_at(page.text, indexed.spans[place].start) != heading:
            break
        text = plain(indexed.sentence(place))
        if words_of(text).names:
            return text
    return ""


_SENTENCE_END = re.compile(r"[。；;\n]|[.!?](?=\s|\Z)")


class Point(NamedTuple):
    """One value of a quantity."""

    period: str | None
    """Canonical (see `research.quantities.periods`)."""
    value: float
    text: str
    """As printed."""
    source: str
    """Id of the page."""
    evidence: str
    date: str | None
    """Date of the page's information."""


class Quantity(NamedTuple):
    """What several figures measure."""

    subject: str
    """Whom or what it is said of, as first printed: a label's own place or product, else the subject of the page."""
    label: str
    """As the first figure has it."""
    unit: str | None
    currency: str | None
    points: tuple[Point, ...]
    """In the order of their periods, undated ones last."""

    @property
    def dated(self) -> list[Point]:
        """The points whose period is known."""
        return [point for point in self.points if point.period is not None]

    @property
    def periods(self) -> tuple[str, ...]:
        """The distinct periods, in order."""
        return tuple(dict.fromkeys(point.period for point in self.points if point.period is not None))

    @property
    def sources(self) -> tuple[str, ...]:
        """The pages that give it, once each."""
        return tuple(dict.fromkeys(point.source for point in self.points))

    @property
    def is_series(self) -> bool:
        """Whether a line can be drawn through it: values for at least two periods of one length."""
        lengths = [found.granularity for period in self.periods if (found := extent(period)) is not None]
        return len(lengths) > 1 and len(set(lengths)) == 1


def measure_of(one: Quantity | FigureRow | Figure) -> str:
    """Return currency and unit in one: `JPY/kWh`, `JPY`, `days`."""
    unit = one.unit or ""
    return f"{one.currency or ''}{'' if unit.startswith('/') else ' '}{unit}".strip()


def beside(subject: str, label: str) -> str:
    """Return the subject that is to stand beside a label: none where the label names it itself, in either language."""
    names, said = words_of(plain(subject)).names, words_of(plain(label))
    return "" if names and all(map(said.has, names)) else subject


_SAYS_WHO = re.compile(r"(?=[^\d\W])(?!(?:yes|no)\Z)[^\n:;]{2,40}", re.IGNORECASE)
"""A cell that says of whom a row is: words, and no figure, date or number of an order."""
_TOLD_OF = 3
"""Cells or names that are told of whom a row is; of more names the first is whom, and the others are its parts."""


def subject_named(row: FigureRow) -> str:
    """Return whom a figure is said of, as printed: what its row of a data file says, else whom record or label name.

    Else it is the place in its page's title; one that names several, or somebody else, stands for itself. Who is meant
    where a title names nobody, as that of a file of one's own, is not known.
    """
    if told := [said for _, said in cells(row.quote) if _SAYS_WHO.fullmatch(said)]:
        return " ".join(told[:_TOLD_OF])
    if own := list(dict.fromkeys(_named(row).values())):
        return " ".join(own) if len(own) <= _TOLD_OF else own[0]
    names = {name: said for name, said in words_of(plain(row.subject)).names.items() if not any(map(str.isdigit, said))}
    places = [printed for name, printed in names.items() if _is_place(name, printed)]
    return places[0] if len(places) == 1 else row.subject if names else ""


class _Key(NamedTuple):
    subject: frozenset[str]
    names: frozenset[str]
    content: frozenset[str]
    unit: str | None
    currency: str | None
    standing: Standing


def quantities_in(rows: Iterable[FigureRow]) -> list[Quantity]:
    """Return the quantities of at least two figures, in the order of their first one.

    Figures belong together if they have the same subject, their labels hold the same words and names in any order and
    in either language, and they have the same unit and standing (a target is no result). A value that one page gives
    twice for a period counts once; where one page gives two values for a period, its labels do not tell enough, and
    nothing is returned. Linear in the rows.
    """
    groups: dict[_Key, list[FigureRow]] = defaultdict(list)
    for row in rows:
        key = _key(row)
        if key is not None:
            groups[key].append(row)
    found = (_quantity(group) for group in groups.values())
    return [quantity for quantity in found if len(quantity.points) > 1 and _is_told_apart(quantity)]


def series(rows: Iterable[FigureRow]) -> list[Quantity]:
    """Return the quantities that a line can be drawn through."""
    return [quantity for quantity in quantities_in(rows) if quantity.is_series]


def _key(row: FigureRow) -> _Key | None:
    label, subject = words_of(plain(row.label)), _subject(row) or words_of(plain(row.subject)).all
    standing = _standing(row)
    if not label.content or not subject or standing is None:
        return None
    names = frozenset(label.names) - frozenset(subject)
    content = frozenset(label.content) | ranks_in(label.text)
    return _Key(frozenset(subject), names, content, row.unit, row.currency, standing)


def _standing(row: FigureRow) -> Standing | None:
    """Return what a figure claims to be by its label and clause; None if its sentence says what would be."""
    text = plain(row.quote)
    figure = next((one for one in _figures(text) if one.text == row.text), None)
    if figure is None or is_replaced(text, figure):
        return standing_of(row.label, "", None)
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, figure.start)), default=0)
    end = _SENTENCE_END.search(text, figure.end)
    sentence = text[start : end.start() if end else len(text)]
    if is_conditional(sentence):
        return None
    clause = next(clause for clause in clauses(sentence) if figure.start - start < clause.end)
    breaks_off = not _LETTER.search(sentence, figure.end - start, clause.end)
    return standing_of(f"{row.label}: {sentence[clause.start :] if breaks_off else clause.text}", "", figure)


@lru_cache(maxsize=64)
def _figures(quote: str) -> tuple[Figure, ...]:
    """Return the figures of a quote, which has a row for each of them, one after the other."""
    return tuple(figures(quote))


def _subject(row: FigureRow) -> Mapping[str, str]:
    """Return whom a figure is said of: whom its record names (`country: Japan; …`) or its label, else its page.

    Of a label only the head counts, as behind the comma it tells one part from another ("Export partners, China"), and
    only places and products: other words with a capital ("Real GDP") may be no names.
    """
    return _named(row) or words_of(plain(row.subject)).names


def _named(row: FigureRow) -> Mapping[str, str]:
    """Return whom the record or the label of a figure names."""
    if ";" in row.quote and ":" in row.quote:
        named = words_of(plain(row.quote)).names
        return {name: named[name] for name in sorted(named, key=lambda name: row.quote.find(named[name]))}
    named = words_of(plain(row.label.partition(", ")[0])).names
    return {name: printed for name, printed in named.items() if any(map(str.isdigit, name)) or _is_place(name, printed)}


def _is_place(name: str, printed: str) -> bool:
    return any(place.en == name for place in (*places_in(printed), *regions_in(printed)))


def _is_told_apart(quantity: Quantity) -> bool:
    """Whether each page gives one value for each period."""
    given = [(point.source, point.period) for point in quantity.points]
    return len(given) == len(set(given))


def _quantity(rows: list[FigureRow]) -> Quantity:
    points: dict[tuple[object, ...], Point] = {}
    for row in rows:
        point = Point(row.period, row.value, row.text, row.source, row.evidence, row.date)
        points.setdefault((row.period, row.value, row.source), point)
    first = rows[0]
    ordered = sorted(points.values(), key=_moment)
    return Quantity(subject_named(first), first.label, first.unit, first.currency, tuple(ordered))


def _moment(point: Point) -> tuple[bool, int, int]:
    covered = extent(point.period) if point.period is not None else None
    return (True, 0, 0) if covered is None else (False, covered.first, covered.last)
