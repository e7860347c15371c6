"""Amounts as they are printed: numbers, in digits, kanji and English words, and the units and currencies beside them.

Before, a text is folded: one way of writing for each character, so that figures are read by few rules, and nothing that
cannot be seen. Each character remains one character, so offsets need no table unless something invisible was left out.

In digits: `1,234.5`, `12,34,567`, `1 234`. A comma, or a blank that breaks no line, stands before groups of three
digits, a comma before Indian ones, and a point before decimals; a comma before one or two decimals if a unit follows
(`12,5 %`).

In kanji: `3兆4,500億`, `1億2千万`, `12万3,456`, `五百億`, `十二社`. Where an Arabic digit goes first, kanji are read as
multipliers wherever the number stands. Numbers of kanji alone are read only where no other kanji goes before them
(統一, 第三 and 数十 are no figures) and 万, 億, 兆 or a counter follows, because most kanji numerals are parts of
words; 一人, 一回 and the like are words too.

In English words: `two million`, `twenty-five percent`, `three new factories`. A word is read as a number only where a
multiplier or a unit follows, at most one word later; `one` counts nothing by itself ("one company said") and is read
only before a multiplier or a measure. `hundreds`, `a dozen`, `half`, `doubled` and fractions are not read.

`units.txt` lists units; CLDR adds the full names of currencies in both languages. What belongs to a number is read on
both its sides: before it a currency, behind it multiplier, unit or currency, and per what. Two units may measure the
same thing.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from babel import Locale

_ONE_FOR_MANY = str.maketrans("\u3000￥￡￠￦−‐‑﹣～∼―▲’μヶヵ零", " ¥£¢₩----〜〜—△'µかか〇")
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | _ONE_FOR_MANY
"""One way of writing for each character: full-width forms are ASCII, the many minus signs are one."""
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]")

_KANJI_YEAR = re.compile("[一二][〇一二三四五六七八九]{3}(?=年)")
_DIGITS = str.maketrans("〇一二三四五六七八九", "0123456789")


_JAPANESE = re.compile("[぀-ヿ㐀-鿿]")


@lru_cache(maxsize=1_024)
def has_japanese(text: str) -> bool:
    """Whether `text` has kana or kanji at all, so that Japanese rules can apply; asked several times of each text."""
    return not text.isascii() and _JAPANESE.search(text) is not None


class Folded(NamedTuple):
    """A text as the rules see it."""

    text: str
    offsets: Sequence[int] | None
    """For each character its offset in the original; None if nothing was left out."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where `text[start:end]`, which is not empty, stands in the original."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold `text`; the time is linear in its length."""
    if text.isascii():
        return Folded(text, None)
    offsets: Sequence[int] | None = None
    if _INVISIBLE.search(text):
        offsets = array("L", (offset for offset, character in enumerate(text) if not _INVISIBLE.match(character)))
        text = _INVISIBLE.sub("", text)
    return Folded(_KANJI_YEAR.sub(lambda year: year[0].translate(_DIGITS), text.translate(_PLAIN)), offsets)


class Numeral(NamedTuple):
    """A number without sign, and where it stands."""

    value: float
    step: float
    """The place value of the last digit printed: 0.1 in `12.5`, 1e8 in `3億`."""
    scale: float
    """The multiplier printed with its last digits."""
    start: int
    end: int

    def scaled(self, exponent: int, end: int) -> Numeral:
        """Return the numeral times ten to the `exponent`, as if that had been printed up to `end`."""
        by = 10.0**exponent
        return Numeral(shifted(self.value, exponent), self.step * by, self.scale * by, self.start, end)


def shifted(value: float, exponent: int) -> float:
    """Return `value` times ten to the `exponent`, rounded once as if it had been printed so."""
    if not exponent or not 1e-4 <= value < 1e15:
        return value * 10.0**exponent
    return float(f"{value!r}e{exponent}")


RUN = re.compile(r"[0-9]+(?:[.,'\u00a0\u2009\u202f][0-9]+)*")
"""A run of digits with anything between them that may join them."""

_PRINTED = re.compile(
    r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
    r"|[1-9][0-9]{0,2}(?:[\u00a0\u2009\u202f][0-9]{3})+|0|[1-9][0-9]*)(?:\.[0-9]+)?"
)
_COMMA_DECIMALS = re.compile(r"(?:0|[1-9][0-9]{0,3}),[0-9]{1,2}")
_LONGEST = 21
"""Digits of the longest number; what is longer is a code."""


def numerals(run: str, start: int, *, measured: bool = False) -> list[Numeral]:
    """Return the numbers of a run of digits (`RUN`) that starts at `start`; none for codes and versions.

    `measured` says that a unit follows, so that a comma before one or two digits stands before decimals.
    """
    plain = re.sub(r"[^0-9.]", "", run) if _PRINTED.fullmatch(run) else ""
    if measured and has_comma_decimals(run):
        plain = run.replace(",", ".")
    if plain:
        step = float(f"1e-{len(plain.partition('.')[2])}")
        return [Numeral(float(plain), step, 1.0, start, start + len(run))] if len(plain) <= _LONGEST else []
    parts = re.finditer(r"[0-9.]+", run) if "," in run else ()
    return [number for part in parts for number in numerals(part.group(), start + part.start())]


def has_comma_decimals(run: str) -> bool:
    """Whether `run` is a number only if a unit follows."""
    return _COMMA_DECIMALS.fullmatch(run) is not None


_SMALL_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ONES = {word: value for value, word in enumerate(_SMALL_WORDS.split(), start=1)}
_LARGE_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * ten for ten, word in enumerate(_LARGE_WORDS.split(), start=2)}
NUMBER_WORDS = _ONES | _TENS
_FIRST = "|".join(form for word in (*_TENS, *_ONES) for form in (word, word.capitalize()))
_WORDS = re.compile(
    # Longer words go first: "sixteen" before "six". What a word goes on from is looked at below, which is faster.
    rf"({'|'.join(sorted(_FIRST.split('|'), key=len, reverse=True))})"
    rf"(?:(?<=ty)[ -]({'|'.join(list(_ONES)[:9])}))?(?: (hundred)(?: and)?)?(?![A-Za-z'])"
)
_GOES_ON = re.compile(r"[A-Za-z0-9'\-]")


def english(text: str) -> Iterator[Numeral]:
    """Yield the number words of a folded text; whether they count something is for the caller to see."""
    for match in _WORDS.finditer(text):
        start = match.start()
        if start and _GOES_ON.match(text, start - 1):
            continue
        first, one, hundred = match.groups()
        value = _TENS.get(first.lower()) or _ONES[first.lower()]
        value += _ONES[one] if one else 0
        if hundred:
            yield Numeral(value * 100.0, 100.0, 100.0, start, match.end(3))
        else:
            yield Numeral(float(value), 1.0, 1.0, start, match.end())


_SMALL = {"十": 1, "百": 2, "千": 3}
_LARGE = {"万": 4, "億": 8, "兆": 12, "京": 16}
_ARABIC = r"(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?"
_PART = re.compile(f"(?:({_ARABIC})|([一二三四五六七八九〇]{{0,4}}))([十百千]?)([万億兆京]?)")

_KANJI_NUMBER = re.compile(
    r"(?:(?<![㐀-鿿々〇0-9])|(?<=[約計各全同残満延総]))[一二三四五六七八九十百千][〇一二三四五六七八九十百千万億兆]*"
)
_COUNTER = re.compile(
    r"割(?!合|引|高|安|り)|倍|社(?![長会員内外])|人(?![々物間生材事類])|名(?!前)|台(?!風)|件|店舗|[かカ](?:国|所|月|年)|年(?:間|連続)"
    r"|円|ドル|米ドル|ユーロ|%|パーセント|ポイント|トン|キロ|メートル|回(?![転復])|隻|棟|種類|拠点|工場|銘柄|箇所"
)
_WORD = re.compile(r"一[人回円種名](?!員)")


MULTIPLIERS = frozenset(_SMALL) | frozenset(_LARGE)


class _Part(NamedTuple):
    """A number with the multipliers behind it: `4,500億`, `2千`, `三百`, `二`."""

    value: float
    decimals: int
    small: int
    large: int
    is_kanji: bool
    end: int


def japanese(text: str, start: int) -> Numeral | None:
    """Return the number that starts at `start` of a folded text, or None if no kanji belongs to it."""
    total = section = 0.0
    large, room = 20, float("inf")
    step = scale = 1.0
    position, has_kanji = start, False
    while (part := _part(text, position)) is not None:
        if part.large >= large or part.value * 10.0**part.small >= room:
            break
        section += shifted(part.value, part.small)
        exponent = part.large + (0 if part.is_kanji else part.small)
        step, scale = 10.0 ** (exponent - part.decimals), 10.0**exponent
        room = 10.0**part.small
        if part.large:
            total += shifted(section, part.large)
            section, large, room = 0.0, part.large, 10.0**part.large
        has_kanji = has_kanji or part.is_kanji or part.small + part.large > 0
        position = part.end
        if not part.small and not part.large:
            break
    return Numeral(total + section, step, scale, start, position) if has_kanji else None


def _part(text: str, start: int) -> _Part | None:
    match = _PART.match(text, start)
    if match is None or not (match[1] or match[2] or match[3]):
        return None
    arabic, kanji, small, large = match.groups()
    digits = arabic.replace(",", "") if arabic else kanji.translate(_DIGITS) or "1"
    decimals = len(digits.partition(".")[2])
    return _Part(float(digits), decimals, _SMALL.get(small, 0), _LARGE.get(large, 0), not arabic, match.end())


def kanji_numbers(text: str) -> Iterator[Numeral]:
    """Yield the numbers in a folded text that are written with kanji alone."""
    for match in _KANJI_NUMBER.finditer(text):
        number = japanese(text, match.start())
        if number is None or number.end != match.end() or _WORD.match(text, match.start()):
            continue
        if text[match.start()] in _SMALL and text[match.start() - 1 : match.start()] in ("(", ":"):
            continue  # A unit that a label names: (百万円).
        if text[number.end - 1] in _LARGE or _COUNTER.match(text, number.end):
            yield number


# --- units and currencies --------------------------------------------------------------------------------------------

_LAST_LATIN = "\u2e7f"
"""What comes behind this character is written without blanks: kana, kanji, squared units."""
_MONEY = "money"


class Unit(NamedTuple):
    """A unit of measure, a thing counted, or a currency."""

    symbol: str
    """That of a currency is its code (ISO 4217), empty if the name is that of several."""
    dimension: str
    """Units of one dimension can be converted into each other; things counted all have the dimension `count`."""
    size: float
    """How many of the dimension's first unit one of it is."""


class Units(NamedTuple):
    """All units, as they are looked up."""

    by_symbol: Mapping[str, Unit]
    by_name: Mapping[str, Unit]
    first_words: frozenset[str]
    """The first words of Latin names with several words."""
    wide: re.Pattern[str]
    """Any of the Japanese names, the longest first."""


@cache
def units() -> Units:
    """Return the table of units."""
    by_symbol: dict[str, Unit] = {}
    by_name: dict[str, Unit] = {}
    for line in resources.files(__package__).joinpath("units.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        symbol, dimension, size, names = (part.strip() for part in line.split("|"))
        unit = by_symbol[symbol] = Unit(symbol.strip("?"), dimension, float(size))
        for name in [*names.split(","), *(_official_names(symbol) if dimension == _MONEY else ())]:
            by_name.update(dict.fromkeys(_forms(name.strip()), unit))
    first_words = frozenset(name.split(" ")[0] for name in by_name if " " in name)
    wide = sorted((name for name in by_name if max(name) > _LAST_LATIN), key=len, reverse=True)
    return Units(by_symbol, by_name, first_words, re.compile("|".join(map(re.escape, wide))))


def _official_names(code: str) -> list[str]:
    """Return what CLDR calls a currency: `japanese yen`, `日本円`."""
    english, japanese = (Locale(language).currencies.get(code, "") for language in ("en", "ja"))
    return [code, english.lower(), japanese.replace(" ", "")] if english else []


def _forms(name: str) -> list[str]:
    """Return a name and its plural; abbreviations have none."""
    return [name, name + "s"] if len(name) > 2 and name.isascii() and name.islower() else [name]


_UNIT_WORD = re.compile(r"[A-Za-zµ°º℃℉%‰×㌫]+(?:[.\-][A-Za-z]+)*(?:[²³]|[23](?![0-9.,]))?e?")
_PHRASE = re.compile(r"(?:[A-Za-z°º.]+|%)(?:[ -][A-Za-z0-9]+){1,3}")
_GAP = " \u00a0\u2009\u202f-"
_CASE_MATTERS = 3
"""Names up to this length are symbols: `MW` is not `mW`."""


def unit_at(text: str, start: int) -> tuple[Unit, int] | None:
    """Return the unit or currency at `start` of a folded text, after a blank or hyphen at most, and its end."""
    character = text[start : start + 1]
    if character in SIGNS:
        stands_before = text[start + 1 : start + 2].isdigit()
        return None if stands_before else (units().by_symbol[SIGNS[character]], start + 1)
    if character in _GAP:
        start += 1
    if wide := units().wide.match(text, start):
        return units().by_name[wide.group()], wide.end()
    word = _UNIT_WORD.match(text, start)
    return _latin_unit(text, word) if word else None


def _latin_unit(text: str, word: re.Match[str]) -> tuple[Unit, int] | None:
    table = units()
    name, end = word.group(), word.end()
    if {name, name.lower(), name.lower() + "."} & table.first_words and (longer := _several_words(text, word.start())):
        return longer
    unit = table.by_name.get(name)
    if unit is None and len(name) > _CASE_MATTERS:
        unit = table.by_name.get(name.lower())
    if unit is not None:
        return unit, end
    if name[0] in "%°":
        return table.by_name[name[0]], word.start() + 1
    shorter = name.split("-")[0]
    if shorter != name and shorter in table.by_name:
        return table.by_name[shorter], word.start() + len(shorter)
    return None


def _several_words(text: str, start: int) -> tuple[Unit, int] | None:
    phrase = _PHRASE.match(text, start, start + 48)
    words = re.split("[ -]", phrase.group()) if phrase else []
    while len(words) > 1:
        name = " ".join(words)
        unit = units().by_name.get(name) or units().by_name.get(name.lower())
        if unit is not None:
            return unit, start + len(name)
        words.pop()
    return None


def is_physical(symbol: str) -> bool:
    """Whether a unit (its symbol) measures a substance or distance: no things counted, times, shares or ratios."""
    return _dimension(symbol.partition("/")[0]) not in _NOT_PHYSICAL


_NOT_PHYSICAL = frozenset({"count", "clock", "calendar", "share", "points", "ratio", "rank"})


def compatible(one: str | None, other: str | None) -> bool:
    """Whether figures in these units (symbols, with `/` for a rate) can be the same quantity.

    An unknown unit goes with every unit; `units` and `cases` are general words for anything counted.
    """
    if one is None or other is None or one == other:
        return True
    (first, _, per), (second, _, other_per) = one.partition("/"), other.partition("/")
    if per and other_per and per != other_per and _dimension(per) != _dimension(other_per):
        return False
    if not first or not second or first == second:
        return True
    dimension = _dimension(first)
    if dimension != _dimension(second):
        return False
    return dimension != "count" or not {"units", "cases"}.isdisjoint((first, second))


def conversion(one: str | None, other: str | None) -> float:
    """Return what a value in `one` is multiplied by to be in `other`; 1 where either is unknown. Both compatible."""
    if one is None or other is None or one == other:
        return 1.0
    (first, _, per), (second, _, other_per) = one.partition("/"), other.partition("/")
    factor = _size(first) / _size(second) if first and second else 1.0
    return factor * _size(other_per) / _size(per) if per and other_per else factor


def _dimension(symbol: str) -> str:
    unit = units().by_symbol.get(symbol)
    return unit.dimension if unit else symbol


def _size(symbol: str) -> float:
    unit = units().by_symbol.get(symbol)
    return unit.size if unit else 1.0


# --- money -------------------------------------------------------------------------------------------------------

_CODES = ("USD", "EUR", "GBP", "JPY", "KRW", "INR", "RUB", "TRY", "VND", "THB", "PHP", "ILS", "NGN", "UAH")
SIGNS = dict(zip("$€£¥₩₹₽₺₫฿₱₪₦₴", _CODES, strict=True))
_BEFORE = re.compile(
    r"(?:(?<![A-Za-z])([A-Z][A-Za-z.]{0,3})?([$€£¥₩₹₽₺₫฿₱₪₦₴])|(?<![A-Za-z])([A-Z][A-Za-z]{1,2})\.?)[ \u00a0]?\Z"
)
_HUNDREDTHS = re.compile(
    r"(?P<GBP>[ \u00a0-]?(?:pence\b|penny\b|ペンス)|(?:(?<=\.\d)|(?<=\.\d\d))p\b)|[ \u00a0-]?(?:cents?\b|セント)"
)
"""Hundredth parts: pence are of one currency, cents of several."""


def currency_before(text: str, end: int) -> tuple[str, int] | None:
    """Return the currency (ISO 4217) printed right before `end` of a folded text, and where it starts."""
    offset = max(0, end - 8)
    match = _BEFORE.search(text[offset:end])
    if match is None:
        return None
    prefix, sign, code = match.groups()
    if sign and prefix is None:
        return SIGNS[sign], offset + match.start()
    currency = _coded(prefix + sign) or _coded(prefix) if sign else _coded(code)
    if currency:
        return currency, offset + match.start()
    return (SIGNS[sign], offset + match.start(2)) if sign else None


def _coded(word: str) -> str:
    """Return the currency of a code, or of what is written like one (Rs, RMB, US$); `Won` before a number is a word."""
    unit = units().by_name.get(word)
    return unit.symbol if unit and unit.dimension == _MONEY and not (word.istitle() and len(word) > 2) else ""


# --- all that belongs to a number on its right ----------------------------------------------------------------------

_WORD_SCALES = {"thousand": 3, "lakh": 5, "crore": 7} | {
    word: 3 * place
    for place, words in enumerate(("million mn mln", "billion bn bln", "trillion tn trn"), start=2)
    for word in words.split()
}
_LETTER_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9}
_MONEY_SCALES = {"k": 3, "K": 3, "m": 6, "M": 6, "mm": 6, "MM": 6, "b": 9, "B": 9, "t": 12, "T": 12}
"""Letters that are multipliers only where a currency goes before: `$3m` is money, `3m` a length."""

_SCALE = re.compile(r"[ \u00a0-]?([A-Za-z]{1,8})(?![A-Za-z])")
_PARTS_OF_TEN = re.compile(r"割(?:([1-9一二三四五六七八九])分(?!の))?(?!合|引|高|安|り)")
_KANJI_DIGITS = "〇一二三四五六七八九"
_PER = re.compile(
    r" ?/ ?| per (?!cent\b)| an? (?=(?:year|month|week|day|hour)\b(?! (?:earlier|ago|before|later)))|毎(?=[時分秒])"
)
_PER_NUMBER = re.compile(r"(10{2,6}|1(?:,000){1,3}|10{1,2}(?:,000){1,2})(?![0-9,])")
_PER_WORD = {"capita": "people", "head": "people", "annum": "years", "woman": "people", "household": "households"}
_PER_WORDS = re.compile(r"[A-Za-z]+")
_PLURALS = ("years", "months", "weeks", "days", "quarters", "households", "vehicles", "units", "shares")
_SINGULAR = {"people": "person"} | {plural: plural.removesuffix("s") for plural in _PLURALS}


class After(NamedTuple):
    """A number with all that belongs to it on its right."""

    number: Numeral
    unit: str | None
    currency: str | None
    end: int

    @property
    def is_measured(self) -> bool:
        """Whether anything says what the number measures."""
        return self.unit is not None or self.currency is not None or self.number.scale != 1.0


def after(text: str, number: Numeral, currency: str | None = None) -> After:
    """Read on behind `number` in a folded text; `currency` is what stood before it."""
    number = _scaled(text, number, has_currency=currency is not None)
    end = number.end
    if tenths := _PARTS_OF_TEN.match(text, end):
        return _in_tenths(number, tenths)
    unit: str | None = None
    if (part := _HUNDREDTHS.match(text, end)) is not None:
        number = number.scaled(-2, end)
        currency, end = currency or part.lastgroup, part.end()
    elif (found := unit_at(text, end)) is not None:
        end = found[1]
        if found[0].dimension == _MONEY:
            currency = currency or found[0].symbol or None
        else:
            unit = found[0].symbol
    return _with_rate(text, After(number, unit, currency, end))


def _scaled(text: str, number: Numeral, *, has_currency: bool) -> Numeral:
    match = _SCALE.match(text, number.end)
    if match is None:
        return number
    word, end = match[1], match.end()
    exponent = _WORD_SCALES.get(word.lower(), 0)
    if not exponent and has_currency:
        exponent = _MONEY_SCALES.get(word, 0)
    if not exponent and match.start(1) == number.end:
        exponent = _LETTER_SCALES.get(word, 0)
        if word == "m" and _counts(text, end):
            exponent = 6
    return number.scaled(exponent, end) if exponent else number


def _counts(text: str, start: int) -> bool:
    """Whether a unit or currency follows after a blank, so that `m` before it is no unit itself."""
    if text[start : start + 1] != " ":
        return False
    unit = unit_at(text, start)
    return unit is not None and (unit[0].dimension == _MONEY or unit[1] - start > 2)


def _in_tenths(number: Numeral, match: re.Match[str]) -> After:
    """Return `3割5分` as 35%."""
    whole = number.scaled(1, match.end())
    value, step, scale = whole.value, whole.step, whole.scale
    if match[1]:
        value += float(match[1]) if match[1].isdecimal() else _KANJI_DIGITS.index(match[1])
        step = scale = 1.0
    return After(Numeral(value, step, scale, number.start, match.end()), "%", None, match.end())


def _with_rate(text: str, found: After) -> After:
    """Add what a value is per (`bbl/day`, `people/km²`); shares stay as they are."""
    if found.unit in ("%", "pp", "bps", "x") or not (found.unit or found.currency):
        return found
    per = _PER.match(text, found.end)
    if per is None:
        return found
    if number := _PER_NUMBER.match(text, per.end()):
        symbol, end = number[1].replace(",", ""), number.end()
    elif (unit := unit_at(text, per.end())) and unit[0].dimension != _MONEY and text[per.end()] not in " -":
        symbol, end = _SINGULAR.get(unit[0].symbol, unit[0].symbol), unit[1]
    elif (word := _PER_WORDS.match(text, per.end())) and word.group() in _PER_WORD:
        symbol, end = _SINGULAR[_PER_WORD[word.group()]], word.end()
    else:
        return found
    return found._replace(unit=f"{found.unit or ''}/{symbol}", end=end)
