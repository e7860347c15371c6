"""The words of a text by which it is compared: stems in alphabets, pairs of neighbouring characters in Japanese.

Words that turn a statement into its opposite stand as the group of `opposites.txt` that they are in. Names are told by
capitals in alphabets, by endings and a list of places in Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from enum import Enum, auto
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, groupby, zip_longest
from operator import add
from typing import NamedTuple

from research.text import BETWEEN_CELLS, Name, folded, places, places_in, stem, without_accents


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
    a about above after again all also although am an and another any are as at be been before being both but by
    can could did didn do does doesn doing don done down during each either else ever every for from had has
    hasn have haven having he hence her here hers herself him himself his how however i if in into is isn it its
    itself just may me might more moreover most much must my namely neither never no nobody none nor not nothing
    now of off on once one ones only onto or other others otherwise our ours out over own per rather same shall
    she should shouldn since so some such than that the their theirs them themselves then there thereby
    therefore these they this those though through thus to too toward towards under until up upon us very via
    was wasn we were weren what when where whereas whether which while who whom whose why will with within
    without won would wouldn yet you your
    """
) - {"above", "after", "before", "more", "most", "same", "won"}
"""`more`, `above`, `before` and the like are left in: they have opposites."""

LIGHT = _words(
    """
    according accordingly additionally already almost approximate approximately around available basis become
    case certain clear clearly come compare compared current currently especially example fact figure findings
    follow followed following furthermore further generally given go include included including information
    instance itself latest like likely mainly make making mean nearly new newly note noted notably number
    overall particular particularly point present previous previously primarily put quite really recent recently
    relate related relative relatively report reported respectively roughly say said see seen set several show
    shows significant significantly similar similarly simply source specific specifically state stated still
    substantial substantially take taken tell today together total use used using various way well whole would
    year years
    """
)
"""English words that a writer adds or changes freely: they count half."""

LIGHT_JAPANESE = _words(
    """
    今回 今後 現在 最近 以下 以上 場合 状況 状態 内容 情報 結果 特徴 主 主要 特 他 一方 同時 同様 実際 基本 全般
    全体 年 年度 月 日 時点 当時 同年 同社 同国 同 各 等 的 性 者 際 度 化 上 中 下 前 後 間 約 計 点 面 形 側
    方 次 本 当
    """
)
"""The same for Japanese, as runs of kanji."""


class Opposites(NamedTuple):
    """The content of `opposites.txt`; a group is known by its first word with `=` in front, in both languages alike."""

    stems: dict[str, str]
    """Stem of an English word -> its group."""
    japanese: dict[str, str]
    of: dict[str, frozenset[str]]
    """Group -> those that say the opposite."""


@cache
def opposites() -> Opposites:
    """Return the groups of `opposites.txt`."""
    found = Opposites({}, {}, {})
    text = resources.files("research.verification").joinpath("opposites.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        sides = [side.split(", ") for side in line.split(" <> ")]
        names = [side[0] if side[0].startswith("=") else f"={side[0]}" for side in sides]
        for name, other, words in zip(names, names[::-1], sides, strict=True):
            found.of[name] = found.of.get(name, frozenset()) | ({other} - {name})
            for word in words:
                known, key = (found.stems, stem(word)) if word.isascii() else (found.japanese, word)
                if not word.startswith("="):
                    known.setdefault(key, name)
    return found


def oppose(ours: Set[str], theirs: Set[str]) -> bool:
    """Whether the opposite of one of our units, and not itself, is among theirs."""
    reverse = opposites().of
    return any(other in theirs and other not in ours for unit in ours - theirs for other in reverse.get(unit, ()))


@cache
def japanese_opposites() -> re.Pattern[str]:
    """Return a pattern for every Japanese word of the file, the longest first."""
    return re.compile(_alternatives(sorted(opposites().japanese)))


def _alternatives(words: list[str]) -> str:
    """Return a pattern for any of `words`, branching character by character: as fast as a dictionary."""
    branches = []
    for first, group in groupby((word for word in words if word), key=lambda word: word[0]):
        branches.append(re.escape(first) + _alternatives([word[1:] for word in group]))
    if not branches:
        return ""
    return f"(?:{'|'.join(branches)}){'?' if '' in words else ''}"


_LETTERS = frozenset("BCDEFGHJKLMNOPQRTUVWXYZ")
"""Single letters that tell things apart: hepatitis B, Series C. What is left of a genitive is none."""
_SHORT_NAMES = frozenset({"US", "UK", "EU", "IT", "AI", "WHO"})
"""Names that would be function words in small letters, or too short."""


@lru_cache(maxsize=65_536)
def unit_of(word: str) -> str:
    """Return what a word of an alphabet is compared by: its group, else its stem; nothing for a function word."""
    if word in _SHORT_NAMES:
        return word
    low = word.lower() if word.isascii() else without_accents(word.lower())
    if (len(low) < 2 and word not in _LETTERS) or low in ENGLISH:
        return ""
    root = stem(low)
    return opposites().stems.get(root, root)


_CJK = "々〆ヶ㐀-䶿一-鿿豈-﫿ァ-ヺーｦ-ﾟ가-힯"
_KANA = "ぁ-ゖ"
_WORD = re.compile(rf"[^\W\d_{_CJK}{_KANA}][^\W_{_CJK}{_KANA}]*")
_TOKEN = re.compile(rf"[^\W_{_CJK}{_KANA}]+(?:(?<=\d)[.,]\d+)*")
"""A word or number, or both in one (5G, Q3)."""
_RUN = re.compile(rf"[{_CJK}]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_WIDE = re.compile(rf"[{_CJK}{_KANA}]")
_SHORTENED = {
    "US": (
        *("United States of America", "United States", "U.S.A.", "U.S.", "USA", "Americans", "American"),
        *("アメリカ合衆国", "アメリカ", "米国"),
    ),
    "UK": ("United Kingdom", "U.K.", "Great Britain", "Britain", "British", "英国", "イギリス"),
    "EU": ("European Union", "E.U.", "欧州連合"),
}
"""Short forms of names that everyone shortens, and what they stand for."""
_INVISIBLE = re.compile(r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
NAME_WEIGHT = 2.0
"""A name or figure is worth two ordinary words: a paraphrase replaces words, but never names and figures."""
LIGHT_WEIGHT = 0.5
"""A word that a writer adds freely is worth half of one."""


_END = 40
"""Characters at the end of a clause in which its last word is looked for."""


class Kind(Enum):
    """What sort of word a term is."""

    WORD = auto()
    LIGHT = auto()
    NAME = auto()


class Term(NamedTuple):
    """A word of a sentence. `units` are what it is looked up by; they stand or fall one by one."""

    text: str
    units: tuple[str, ...]
    kind: Kind
    weight: float
    start: int
    """Offset in the sentence, made plain."""
    is_wide: bool = False
    """Whether it is Japanese and compared by characters."""


def without_surrogates(text: str) -> str:
    """Return `text` with halves of characters, which nothing can encode, replaced one for one."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """Return `text` in NFKC with plain quotation marks and without invisible characters."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    return _INVISIBLE.sub("", text) if _INVISIBLE.search(text) else text


def with_short_names(text: str) -> str:
    """Return `text` with one form for names that everyone shortens; offsets stay the same."""
    return _LONG_NAME.sub(_shortened, text)


def _shortened(match: re.Match[str]) -> str:
    return _SHORT_FORM[match.group()].ljust(len(match.group()))


def _whole(name: str) -> str:
    """Return a pattern for a name that is no part of a longer word.

    That nothing goes before it is looked at behind its first letter: what begins with a letter is found much faster.
    """
    if not name.isascii():
        return name
    end = r"\b" if name[-1].isalpha() else ""
    return rf"{name[0]}(?<!\w\w){re.escape(name[1:])}{end}"


_SHORT_FORM = {name: short for short, names in _SHORTENED.items() for name in names}
_LONG_NAME = re.compile("|".join(map(_whole, sorted(_SHORT_FORM, key=len, reverse=True))))


def units(clean: str) -> set[str]:
    """Return everything that a visible text with short names can be found by."""
    found = set(chain.from_iterable(map(_units_in, _TOKEN.findall(clean))))
    if not clean.isascii() and _WIDE.search(clean):
        for run in _RUN.findall(clean):
            found.update(_pairs(run))
        found.update(map(opposites().japanese.__getitem__, japanese_opposites().findall(clean)))
    return found


@lru_cache(maxsize=65_536)
def _units_in(token: str) -> tuple[str, ...]:
    words = filter(None, map(unit_of, _WORD.findall(token)))
    return (*words, *map(digits, _DIGITS.findall(token)))


def last_wide_unit(clean: str) -> str:
    """Return what the last Japanese word of a text can be found by, or an empty string."""
    runs = _RUN.findall(clean[-_END:])
    return _pairs(runs[-1])[-1] if runs else ""


@lru_cache(maxsize=65_536)
def digits(numeral: str) -> str:
    """Return what a printed number can be found by, whatever its separators and its power of ten."""
    return "#" + numeral.replace(",", "").replace(".", "").strip("0")


@lru_cache(maxsize=65_536)
def _pairs(run: str) -> tuple[str, ...]:
    return tuple(map(add, run, run[1:])) if len(run) > 1 else (run,)


def terms(clean: str, names: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]] = ()) -> list[Term]:
    """Return the words of a sentence, made plain, in order. `names` are offsets of names; what is `taken` is left out.

    A number that is not taken is no figure, so it is part of a name: week 48, Article 9, 7 May.
    """
    masked = blanked(clean, taken)
    found = [_wide(clean[start:end], Kind.NAME, start) for start, end in names if _RUN.search(clean, start, end)]
    is_name = {start for start, _ in names}
    for match in _WORD.finditer(masked):
        if unit := unit_of(match.group()):
            found.append(_latin(match.group(), unit, match.start(), named=match.start() in is_name))
    for match in _DIGITS.finditer(masked):
        found.append(Term(match.group(), (digits(match.group()),), Kind.NAME, NAME_WEIGHT, match.start()))
    masked = blanked(masked, [name for name in names if _RUN.search(clean, *name)])
    for match in japanese_opposites().finditer(masked):
        found.append(Term(match.group(), (opposites().japanese[match.group()],), Kind.WORD, 1.0, match.start()))
    masked = japanese_opposites().sub(blank, masked)
    found.extend(_wide(match.group(), Kind.WORD, match.start()) for match in _RUN.finditer(masked))
    return sorted(found, key=lambda term: term.start)


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with spaces in place of some spans; the rest stays where it is."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts += [text[at:start], " " * (end - max(at, start))]
        at = max(at, end)
    return "".join(parts) + text[at:]


def blank(match: re.Match[str]) -> str:
    """Return spaces in place of what an expression found, so that the rest of a text stays where it is."""
    return " " * len(match.group())


def _latin(word: str, unit: str, start: int, *, named: bool) -> Term:
    if named:
        return Term(word, (unit,), Kind.NAME, NAME_WEIGHT, start)
    light = word.lower() in LIGHT
    return Term(word, (unit,), Kind.LIGHT if light else Kind.WORD, LIGHT_WEIGHT if light else 1.0, start)


def _wide(run: str, kind: Kind, start: int) -> Term:
    """Make a term of Japanese characters: two of them weigh as much as one English word."""
    weight = max(1.0, len(run) / 2) if len(run) > 1 else LIGHT_WEIGHT
    if kind is Kind.NAME:
        weight = NAME_WEIGHT
    elif run in LIGHT_JAPANESE:
        kind, weight = Kind.LIGHT, LIGHT_WEIGHT / (3 - min(len(run), 2))
    return Term(run, _pairs(run), kind, weight, start, is_wide=True)


Offsets = tuple[int, int]

JOINS = re.compile(r"[ &.\-]|(?: (?:of|the|and|de|for|&) )|'s ")
"""What stands between the words of one name."""

_WORD_NAMES = re.compile(r"[^\W\d_ぁ-ヿ㐀-鿿ｦ-ﾟ々]+(?:\d+)?")
_OPENS = re.compile(r"(?:^|[.!?。！？:：]\s)[\s\"'“(\[*_#>-]*$")
_JAPANESE = re.compile("[一-鿿々ァ-ヺー]")
_KANJI_NAME = (
    r"[一-鿿々ァ-ヺー]{1,12}?(?:株式会社|ホールディングス|製作所|研究所|委員会|銀行|自動車|製薬|電機|工業|商事|証券|大学|協会"
    r"|機構|地区|(?<=[一-鿿ァ-ヺー]{2})(?<!会)[社省庁党県市町村州氏](?![一-鿿々]))"
    r"|[ァ-ヺー]{2,}(?:・[ァ-ヺー]{2,})+"
)
_TITLE_SHARE = 0.8
"""Share of capitalised words from which a text is a title, so that its capitals tell nothing."""


@lru_cache(maxsize=4_096)
def names_in(clean: str) -> tuple[Offsets, ...]:
    """Return the offsets of each name: word by word in alphabets, as a whole in Japanese."""
    return tuple(sorted({*_latin_names(clean), *_japanese_names(clean)}))


def leading_word(clean: str) -> Offsets | None:
    """Return the capitalised first word, which may be a name or not, unless it is a function word."""
    first = _WORD_NAMES.search(clean)
    if first is None or not first.group()[0].isupper() or first.group().lower() in ENGLISH | LIGHT:
        return None
    return None if first.span() in names_in(clean) else first.span()


def _latin_names(clean: str) -> Iterator[Offsets]:
    words = [match for match in _WORD_NAMES.finditer(clean) if match.group()[0].isascii() or match.group()[0].isalpha()]
    cased = [match for match in words if match.group().lower() != match.group().upper()]
    content = [match for match in cased if match.group().lower() not in ENGLISH]
    capitals = [match for match in content if match.group()[0].isupper()]
    is_title = len(content) >= 4 and len(capitals) >= _TITLE_SHARE * len(content)
    for match, following in zip_longest(cased, cased[1:]):
        word = match.group()
        if not word[0].isupper() or len(word) < 2 or is_title:
            continue
        if word.lower() in ENGLISH and not word.isupper():
            continue
        opens = _OPENS.search(clean, max(0, match.start() - 8), match.start()) is not None
        goes_on = following is not None and _goes_on(clean, match, following)
        if not opens or goes_on or _is_marked(word):
            yield match.span()


def _is_marked(word: str) -> bool:
    """Whether the word itself shows that it is a name: NATO, iPhone, H1N1."""
    return any(part.isupper() or part.isdigit() for part in word[1:])


def _goes_on(clean: str, first: re.Match[str], following: re.Match[str]) -> bool:
    """Whether a first word belongs to a name of several words, or to its own genitive."""
    between = clean[first.end() : following.start()]
    if between == "'" and following.group() == "s":
        return True
    word = following.group()
    ordinary = first.group().lower() in LIGHT or word.lower() in ENGLISH
    return between == " " and word[0].isupper() and not ordinary


def _japanese_names(clean: str) -> Iterator[Offsets]:
    if clean.isascii() or not _JAPANESE.search(clean):
        return
    taken = 0
    for match in _japanese_name().finditer(clean):
        if match.start() >= taken:
            taken = match.end()
            yield match.span()


@cache
def _japanese_name() -> re.Pattern[str]:
    forms = {name.ja for name in places().values() if not name.ja.isascii() and len(name.ja) > 1}
    ordered = sorted({*forms, *_REGIONS}, key=len, reverse=True)
    return re.compile("|".join([_KANJI_NAME, *map(_place_pattern, ordered)]))


def _place_pattern(form: str) -> str:
    """Return a pattern that does not find a katakana name within a longer word (タイ in タイミング)."""
    whole = re.fullmatch("[ァ-ヺー]+", form) is not None
    return f"(?<![ァ-ヺー]){form}(?![ァ-ヺー])" if whole else re.escape(form)


_REGIONS = (
    *("東京", "大阪", "京都", "北海道", "名古屋", "横浜", "福岡", "札幌", "神戸", "仙台", "広島"),
    *("欧州", "東南アジア", "アジア", "北米", "中南米", "中東", "アフリカ"),
)


_BEHIND_SUBJECT = ": "


def with_names_of(sentence: str, texts: Sequence[str]) -> str:
    """Return a row, or an item of a list, in which a country is called as `texts` call it: ベトナム is Vietnam."""
    between = BETWEEN_CELLS if BETWEEN_CELLS in sentence else _BEHIND_SUBJECT
    cells = sentence.split(between)
    found = [places().get(folded(cell)) for cell in cells] if len(cells) > 1 else []
    if not any(found):
        return sentence
    said = folded("\n".join(texts))
    named = [cell if one is None else _called(one, cell, said) for cell, one in zip(cells, found, strict=True)]
    return between.join(named)


def _called(place: Name, written: str, said: str) -> str:
    """Return the form of a place that stands in a folded text; as it is written if that does, or none."""
    if folded(written) in said:
        return written
    return next((form for form in (place.en, place.ja, *map(str.title, place.forms)) if folded(form) in said), written)


def without_page_names(sentence: str, quotes: Sequence[str], pages: Collection[str]) -> str:
    """Return a row without the cells that are the name of one of the cited `pages`; other sentences as they are.

    The cells stay where a quote names somebody whom the row does not: there the page's name stands in their place.
    """
    cells = sentence.split(BETWEEN_CELLS)
    known = {_plain(name) for name in pages}
    said = [cell for cell in cells if _plain(cell) not in known]
    if not said or len(said) == len(cells):
        return sentence
    row = folded(sentence)
    named = [{folded(quote[start:end])} for quote in quotes for start, end in names_in(quote)]
    named += [set(place.forms) for quote in quotes for place in places_in(quote)]
    return BETWEEN_CELLS.join(said) if all(any(form in row for form in forms) for forms in named) else sentence


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, folded(text)))
