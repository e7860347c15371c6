"""The figures of a text, each with what belongs to it; dates, codes and parts of names are left out.

Ranges: in "10–15%" and "$1.2 to 1.5 billion" both figures share what is printed once.

Words around a figure loosen it: about, over, at least, 約, 以上, 未満.

No figures are phone numbers, clock times, citation marks, ordinals, numbered lists; numbers that belong to a name
(Boeing 737) or say where something stands in a text (Section 4.2); digits within a word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log10
from typing import Literal, NamedTuple

from research.quantities.amounts import (
    MULTIPLIERS,
    RUN,
    SIGNS,
    After,
    Numeral,
    after,
    currency_before,
    english,
    has_comma_decimals,
    has_japanese,
    japanese,
    kanji_numbers,
    numerals,
    shifted,
    unit_at,
)
from research.quantities.periods import Date, disjoint

Bound = Literal["about", "over", "under", "at least", "at most"]

_BEFORE: dict[Bound, str] = {
    "about": r"about|around|approximately|approx\.?|roughly|some|circa|nearly|almost|close to|just under|just over"
    r"|ca?\.|[~≈]|約|およそ|おおよそ|概ね|おおむね|ほぼ",
    "at least": r"at least|no less than|no fewer than|a minimum of|≥|少なくとも|最低(?:でも)?",
    "at most": r"at most|up to|no more than|not more than|a maximum of|≤|最大(?:で)?|最高(?:で)?",
    "over": r"more than|over|above|exceed(?:s|ed|ing)|greater than|upwards of|>",
    "under": r"less than|fewer than|under|below|<",
}
_AFTER: dict[Bound, str] = {
    "about": r"程度|前後|ほど|くらい|ぐらい|あまり|余り?|強(?![化いみ])|弱(?![いみ含])|近く|or so\b|-odd\b",
    "at least": r"以上|or more\b|or over\b|or older\b",
    "at most": r"以下|以内|or less\b|or fewer\b",
    "over": r"超(?!え)|を?超え|を上回|\+",
    "under": r"未満|を下回",
}
_BOUNDS = tuple(_BEFORE)


def _groups(words: dict[Bound, str]) -> str:
    return "|".join(f"({words[bound]})" for bound in _BOUNDS)


_BOUND_BEFORE = re.compile(rf"(?:(?<![A-Za-z])|(?=[^A-Za-z]))(?:{_groups(_BEFORE)})(?: an?)? ?\Z", re.IGNORECASE)
_BOUND_AFTER = re.compile(f" ?(?:{_groups(_AFTER)})")
_BOUND_ENDS = frozenset("~≈≥≤<>.約そねむぼも低大高で")
"""What a loosening word ends in, beside the letters of English: a list of figures is read twice as fast for it."""
_LOOK_BACK = 18


def bound(text: str, start: int, end: int) -> Bound | None:
    """Return how the words around the figure `text[start:end]` loosen it, or None if it is meant as printed."""
    match = _BOUND_AFTER.match(text, end)
    before = text[max(0, start - _LOOK_BACK) : start]
    last = before.rstrip()[-1:]
    if match is None and ((last.isascii() and last.isalpha()) or last in _BOUND_ENDS):
        match = _BOUND_BEFORE.search(before)
    return _BOUNDS[match.lastindex - 1] if match and match.lastindex else None


def is_rounded(bound: Bound | None) -> bool:
    """Whether the figure is meant as a round one, not as a limit."""
    return bound in ("about", "over", "under")


_MARKS = re.compile(
    r"\[[A-Z]{0,2}[0-9]{1,4}(?:(?:, ?|[-–])[A-Z]{0,2}[0-9]{1,4})*\]"
    r"|[※*†‡][0-9]{1,2}(?![0-9.,%])|注 ?[0-9]{1,2}"
    r"|\+[0-9]{1,3}[ (-][0-9() -]{6,16}[0-9]|\([0-9]{2,5}\) ?[0-9]{3,4}-[0-9]{4}"
    r"|(?:[Tt][Ee][Ll]|[Ff][Aa][Xx]|[Pp]hone|電話)[.:]? ?[0-9(][0-9() -]{5,18}|〒 ?[0-9]{3}-[0-9]{4}"
)
_NUMBERED = re.compile(
    r"^[ \t>*-]*[(]?[0-9]{1,3}(?:[)]|[.](?![0-9]))|^#+ *[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}(?=[ .])"
    r"|^[ \t]*[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\.?(?=[ \t]+[A-Zぁ-ヿ一-龥])",
    re.MULTILINE,
)
_IN_DIGITS = re.compile(
    r"(?<![0-9.,])(?=[0-9]{1,5}[:/\- apAP.\u20e3])(?:"
    r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?![0-9])(?: ?[ap]\.?m\b)?"
    r"|[0-9]{1,3}:[0-9]{1,3}(?![0-9.,%])"
    r"|(?:1[0-2]|[1-9])(?:\.[0-5][0-9])? ?(?:[ap]\.m\.|[ap]m\b|[AP]M\b)"
    r"|[0-9]{1,5}(?:-[0-9]{1,5}){2,}(?![0-9%])"
    r"|(?:0[0-9]{1,4}-[0-9]{2,4}|[0-9]{5}-[0-9]{4})(?![0-9%])"
    r"|[0-9]{1,3}/[0-9]{1,3}(?:/[0-9]{2,4})?(?![0-9/.,%])"
    r"|[0-9]{1,3} [0-9]{2}(?: [0-9]{2})? [NSEW]\b"
    r"|[0-9]\u20e3)"
)
_ORDINALS = re.compile(
    r"第 ?(?:[0-9]+|[〇一二三四五六七八九十百]+)"
    r"|(?<![0-9.,])[0-9]{1,2}時(?!間|価)(?:[0-9]{1,2}分)?"
    r"|(?<![0-9.,])[0-9]+(?:条|項(?!目)|号|章|節|番(?!組)|丁目|世紀|級|階|次|版|期生|合目|年生|代(?![理金表替])|目|回目|年目|か月目|社目)"
    r"|(?<![0-9.,])[0-9]+分の[0-9]+|(?<![一二三四五六七八九十百])[一二三四五六七八九十百]{1,4}分の[一二三四五六七八九]"
    r"|(?<![0-9.,])1(?:人|社|台|株|件|個|日|か月|カ月|世帯|店舗)(?:当た?り|あたり|につき)"
    r"|(?<![0-9.,])1(?:米?ドル|ユーロ|ポンド|元)(?= ?=)"
    r"|(?<![0-9.,])10{1,3}万?人(?:当た?り|あたり|につき)"
)


def codes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a folded text in which digits are no figures, in no order."""
    patterns = [_MARKS, _NUMBERED, _IN_DIGITS]
    if has_japanese(text):
        patterns.append(_ORDINALS)
    for pattern in patterns:
        for match in pattern.finditer(text):
            yield match.span()


_LABEL_WORDS = """
section sections sec article articles art chapter chapters ch figure figures fig table tables page pages p no nos
number step phase stage level type class category version ver v part volume vol issue item note notes appendix annex
exhibit schedule line row column room suite floor gate route highway interstate flight series grade tier zone question
rule paragraph para clause episode season day week ref top lesson unit block terminal platform track bus case
resolution protocol amendment title form box windows
"""
_LABELS = frozenset(_LABEL_WORDS.split())
_NO_NAMES = """
a about above additional after all almost among an and another any approximately around as at average be before below
between both but by combined currently employs estimated every exactly first for from fully further had has have he
her his i if in including into is it its just last less more most nearly next no not of off on only or other our out
over past per plus roughly she since some still than that the their there these they this those through to total under
until up was we were when where which while with within you your
"""
_FUNCTION_WORDS = frozenset(_NO_NAMES.split())
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z0-9.\-]*)[ \u00a0](?:[0-9.]{1,6}[-–])?\Z")
_NAMED_DIRECTLY = re.compile(r"[ァ-ヺー図表注問号](?:[0-9.]{1,6}[-–])?\Z")
_LONGEST_WORD = 24
_ENDS_LABEL = re.compile(r"[ \t]*(?:$|[\n\r|,;:.)（(])")
_SENTENCE_OPENS = frozenset("\n\r|\t:：.。!?;(•*")


def is_named(text: str, start: int, end: int) -> bool:
    """Whether the bare number `text[start:end]` belongs to a name (Boeing 737) or a place in a text (Section 4.2).

    A capitalised word right before it makes a name, unless it is a function word, or begins a line or cell that ends
    with the number ("Sales 120"). Abbreviations in capitals make names with whole numbers only ("CI 0.71" is a figure).
    """
    if _NAMED_DIRECTLY.search(text[max(0, start - 8) : start]):
        return True
    last = text[start - 1] if start else "\n"
    offset = max(0, start - _LONGEST_WORD)
    match = _WORD_BEFORE.search(text[offset:start]) if last in " \u00a0-–" else None
    if match is None:
        return False
    word = match[1].rstrip(".")
    if word.lower() in _LABELS:
        return True
    capitals = sum(letter.isupper() for letter in word)
    if capitals == 0 or word.lower() in _FUNCTION_WORDS:
        return False
    if capitals > 1:
        return capitals < len(word) or "." not in text[start:end]
    return not (_opens(text, offset + match.start()) and _ENDS_LABEL.match(text, end))


def _opens(text: str, start: int) -> bool:
    """Whether the word at `start` is the first of its sentence, line or cell."""
    before = text[max(0, start - 8) : start].rstrip(" -*#>")
    return not before or before[-1] in _SENTENCE_OPENS


_TELLS_CURRENCY = frozenset(SIGNS)
_MINUS = frozenset("-△–")
_OPENS = frozenset(" \u00a0\t\n\r|([{:：、。,「『（=／/;>")
_MEASURED_BEFORE = re.compile(r"[0-9][A-Za-z]{1,4}\Z")
_WORD_MINUS = re.compile(r"(?:マイナス|氷点下|(?<![A-Za-z])(?:minus|negative) )\Z", re.IGNORECASE)


class Before(NamedTuple):
    """What belongs to a number on its left."""

    start: int
    currency: str | None
    negative: bool
    signed: bool


def before(text: str, start: int) -> Before | None:
    """Read to the left of a number that starts at `start` of a folded text; None if it is part of a word or code."""
    last = text[start - 1] if start else "\n"
    if last in "-△" and start > 1 and text[start - 2] in _TELLS_CURRENCY:
        money = currency_before(text, start - 1)
        if money is not None:
            return Before(money[1], money[0], negative=True, signed=True)
    if last in _TELLS_CURRENCY or last in " \u00a0." or last.isalpha():
        money = currency_before(text, start)
        if money is not None:
            currency, begin = money
            return _signed(text, begin, text[begin - 1] if begin else "\n", currency)
    return _signed(text, start, last, None) if _may_start(text, start, last) else None


def _may_start(text: str, start: int, last: str) -> bool:
    """Whether what goes before leaves the number a word of its own."""
    if last in "-+/–":
        return _may_follow_a_mark(text, start, last)
    if last == "'":
        return not (text[start : start + 2].isdigit() and not text[start + 2 : start + 3].isalnum())
    if last == " " and text[max(0, start - 4) : start].lower() == "per ":
        return False
    return not (last.isascii() and last.isalnum()) and last not in "_#№@^.§第〒"


def _may_follow_a_mark(text: str, start: int, mark: str) -> bool:
    joined = text[start - 2] if start > 1 else "\n"
    if mark == "/":
        return not (joined.isascii() and (joined.isalnum() or joined in ")%"))
    if not joined.isascii() or not (joined.isalpha() or joined == "_"):
        return True
    return _MEASURED_BEFORE.search(text[max(0, start - 8) : start - 1]) is not None


def _signed(text: str, begin: int, last: str, currency: str | None) -> Before:
    if last in "+±" and (begin < 2 or text[begin - 2] in _OPENS):
        return Before(begin - 1, currency, negative=False, signed=True)
    if last in _MINUS and (begin < 2 or text[begin - 2] in _OPENS or (last == "△" and not text[begin - 2].isdigit())):
        return Before(begin - 1, currency, negative=True, signed=True)
    if last == " " and begin > 1 and text[begin - 2] == "△":
        return Before(begin - 2, currency, negative=True, signed=True)
    if last in "ス下eE " and (word := _WORD_MINUS.search(text[max(0, begin - 9) : begin])):
        return Before(begin - len(word.group()), currency, negative=True, signed=True)
    return Before(begin, currency, negative=False, signed=False)


@dataclass(slots=True)
class Reading:
    """A figure while it is read; offsets are those of the folded text."""

    value: float
    step: float
    scale: float
    unit: str | None
    currency: str | None
    start: int
    end: int
    bound: Bound | None = None
    period: str | None = None

    @property
    def is_bare(self) -> bool:
        """Whether nothing printed with it says what it measures."""
        return self.unit is None and self.currency is None and self.scale == 1.0


class _Skipped:
    """The spans that hold no figures."""

    def __init__(self, spans: Iterable[Date]) -> None:
        kept = disjoint(spans)
        self._starts = [date.start for date in kept]
        self._ends = [date.end for date in kept]

    def touches(self, start: int, end: int) -> bool:
        """Whether any of them overlaps `start` to `end`."""
        index = bisect_left(self._starts, end) - 1
        return index >= 0 and self._ends[index] > start


_DIGIT = re.compile("[0-9元〇一二三四五六七八九十百千]")


def holds_numbers(text: str) -> bool:
    """Whether a folded text holds anything that could be read as a number or date; most sentences do not."""
    return _DIGIT.search(text) is not None or next(english(text), None) is not None


def read(text: str, dates: Iterable[Date]) -> list[Reading]:
    """Return the figures of a folded text in order, without periods."""
    skipped = _Skipped([*dates, *(Date(None, *span) for span in codes(text))])
    found = [*_in_digits(text, skipped), *_in_english(text, skipped)]
    if has_japanese(text):
        found += _in_kanji(text, skipped)
    return sorted(found, key=lambda reading: reading.start)


def _in_digits(text: str, skipped: _Skipped) -> Iterator[Reading]:
    done = 0
    for run in RUN.finditer(text):
        start, end = run.span()
        if start < done:
            continue
        measured = has_comma_decimals(run.group()) and _is_measured(text, start, end)
        for number in numerals(run.group(), start, measured=measured):
            if skipped.touches(number.start, number.end):
                continue
            reading = _figure(text, number)
            if reading is not None:
                done = reading.end
                yield reading


def _is_measured(text: str, start: int, end: int) -> bool:
    return after(text, Numeral(0.0, 1.0, 1.0, start, end)).is_measured


def _figure(text: str, number: Numeral) -> Reading | None:
    """Return the figure of a number in digits, or None if it is part of a name, code or word."""
    if text[number.end : number.end + 1] in MULTIPLIERS:
        number = japanese(text, number.start) or number
    left = before(text, number.start) or _behind_acronym(text, number)
    if left is None:
        return None
    right = after(text, number, left.currency)
    if _goes_on(text, right):
        return None
    bare = not right.is_measured and not left.signed
    if bare and is_named(text, number.start, right.end):
        return None
    brackets = _brackets(text, left, right)
    if brackets is None:
        return None
    if brackets:
        left = Before(left.start - 1, left.currency, negative=True, signed=True)
        right = right._replace(end=right.end + 1)
    return _reading(text, left, right)


_ACRONYM = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2,6}\Z")


def _behind_acronym(text: str, number: Numeral) -> Before | None:
    """Return nothing printed before a number that Japanese writes right behind an acronym: OECD38カ国."""
    if not _ACRONYM.search(text[max(0, number.start - 7) : number.start]):
        return None
    right = after(text, number)
    is_counted = right.is_measured and text[right.end - 1] > "\u2e7f"
    return Before(number.start, None, negative=False, signed=False) if is_counted else None


def _goes_on(text: str, right: After) -> bool:
    """Whether a number without unit is part of a longer word: 5G, 3D, 10-K, 1920x1080."""
    following = text[right.end : right.end + 1]
    if following.isascii() and (following.isalnum() or following == "_"):
        last = text[right.end - 1]
        return last.isascii() and last != "%"
    return following == "-" and not right.is_measured and text[right.end + 1 : right.end + 2].isupper()


def _brackets(text: str, left: Before, right: After) -> bool | None:
    """Return whether the number stands in brackets that mean minus, as in the cells of accounts.

    None says that it is no figure: a mark such as (1) in prose.
    """
    if text[left.start - 1 : left.start] != "(" or text[right.end : right.end + 1] != ")" or left.signed:
        return False
    outer_left = text[max(0, left.start - 4) : left.start - 1].rstrip(" \u00a0")[-1:]
    outer_right = text[right.end + 1 : right.end + 4].lstrip(" \u00a0")[:1]
    if outer_left in "|\t\n\r:" and outer_right in "|\t\n\r":
        return True
    return None if not right.is_measured and right.end - left.start <= 2 else False


def _reading(text: str, left: Before, right: After) -> Reading:
    number = right.number
    value = -number.value if left.negative else number.value
    loosened = bound(text, left.start, right.end)
    return Reading(value, number.step, number.scale, right.unit, right.currency, left.start, right.end, loosened)


def _in_english(text: str, skipped: _Skipped) -> Iterator[Reading]:
    for number in english(text):
        if skipped.touches(number.start, number.end):
            continue
        right = after(text, number)
        if not right.is_measured:
            unit = _counted_later(text, number.end)
            right = right._replace(unit=unit)
        is_idle = number.value == 1.0 and right.unit not in ("%", "pp") and not right.currency
        if right.unit == "points" or not right.is_measured or (is_idle and right.number.scale == 1.0):
            continue
        yield _reading(text, Before(number.start, None, negative=False, signed=False), right)


def _counted_later(text: str, end: int) -> str | None:
    """Return the thing counted in "three new factories", one word after the number."""
    if text[end : end + 1] != " ":
        return None
    space = text.find(" ", end + 1, end + 24)
    if space < 0 or not text[end + 1 : space].replace("-", "").isalpha() or not text[end + 1].islower():
        return None
    found = unit_at(text, space)
    return found[0].symbol if found is not None and found[0].dimension == "count" else None


def _in_kanji(text: str, skipped: _Skipped) -> Iterator[Reading]:
    for number in kanji_numbers(text):
        if not skipped.touches(number.start, number.end):
            yield _reading(text, Before(number.start, None, negative=False, signed=False), after(text, number))


_JOINT = re.compile(r" ?[-–—〜~] ?|-? to | or |から|ないし|、?または")
_BETWEEN = re.compile(r"(?<![A-Za-z])between \Z", re.IGNORECASE)
_LONGEST_JOINT = 5


def share(text: str, readings: Sequence[Reading]) -> None:
    """Give the two ends of each range the unit, currency and multiplier that only one of them has."""
    for first, second in pairwise(readings):
        gap = second.start - first.end
        if 0 < gap <= _LONGEST_JOINT and _is_joint(text, first, second):
            _level(first, second)


def _is_joint(text: str, first: Reading, second: Reading) -> bool:
    joint = text[first.end : second.start]
    if joint == " and ":
        return _BETWEEN.search(text[max(0, first.start - 9) : first.start]) is not None
    return _JOINT.fullmatch(joint) is not None


def _level(first: Reading, second: Reading) -> None:
    if first.unit is None and first.scale == 1.0 and first.value * second.scale <= second.value:
        first.value = shifted(first.value, round(log10(second.scale)))
        first.step *= second.scale
        first.scale = second.scale
    if first.unit is None and first.currency is None:
        first.unit, first.currency = second.unit, second.currency
    elif second.unit is None and second.currency is None and first.currency is not None:
        second.currency = first.currency
