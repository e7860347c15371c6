"""Where names stand in a sentence: told by capitals in alphabets, by endings and a list of places in Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import zip_longest

from research.text.names import places
from research.text.words import folded
from research.verification.function_words import ENGLISH, LIGHT

Offsets = tuple[int, int]

JOINS = re.compile(r"[ &.\-]|(?: (?:of|the|and|de|for|&) )|'s ")
"""What stands between the words of one name."""

_WORD = re.compile(r"[^\W\d_ぁ-ヿ㐀-鿿ｦ-ﾟ々]+(?:\d+)?")
_OPENS = re.compile(r"(?:^|[.!?。！？:：]\s)[\s\"'“(\[*_#>-]*$")
_JAPANESE = re.compile("[一-鿿々ァ-ヺー]")
_KANJI_NAME = (
    r"[一-鿿々ァ-ヺー]{1,12}?(?:株式会社|ホールディングス|製作所|研究所|委員会|銀行|自動車|製薬|電機|工業|商事|証券|大学|協会"
    r"|機構|地区|(?<=[一-鿿ァ-ヺー]{2})(?<!会)[社省庁党県市町村州氏](?![一-鿿々]))"
    r"|[ァ-ヺー]{2,}(?:・[ァ-ヺー]{2,})+"
)
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Professor", "Sir", "Dame", "Lord", "Lady", "Chief"}) | {
    *("President", "Chairman", "Inc", "Ltd", "Corp", "Co")
}
"""Capitalised words that come and go before and behind names."""
_TITLE_SHARE = 0.8
"""Share of capitalised words from which a text is a title, so that its capitals tell nothing."""


@lru_cache(maxsize=4_096)
def names_in(clean: str) -> tuple[Offsets, ...]:
    """Return the offsets of each name: word by word in alphabets, as a whole in Japanese."""
    return tuple(sorted({*_latin_names(clean), *_japanese_names(clean)}))


def whole_names(clean: str) -> list[list[Offsets]]:
    """Return the offsets of the words of each name, those that make up one name together."""
    found: list[list[Offsets]] = []
    for start, end in names_in(clean):
        if found and JOINS.fullmatch(clean, found[-1][-1][1], start):
            found[-1].append((start, end))
        else:
            found.append([(start, end)])
    return found


def leading_word(clean: str) -> Offsets | None:
    """Return the capitalised first word, which may be a name or not, unless it is a function word."""
    first = _WORD.search(clean)
    if first is None or not first.group()[0].isupper() or first.group().lower() in ENGLISH | LIGHT:
        return None
    return None if first.span() in names_in(clean) else first.span()


def _latin_names(clean: str) -> Iterator[Offsets]:
    words = [match for match in _WORD.finditer(clean) if match.group()[0].isascii() or match.group()[0].isalpha()]
    cased = [match for match in words if match.group().lower() != match.group().upper()]
    content = [match for match in cased if match.group().lower() not in ENGLISH]
    capitals = [match for match in content if match.group()[0].isupper()]
    is_title = len(content) >= 4 and len(capitals) >= _TITLE_SHARE * len(content)
    for match, following in zip_longest(cased, cased[1:]):
        word = match.group()
        if not word[0].isupper() or len(word) < 2 or is_title or word in _TITLES:
            continue
        if word.lower() in ENGLISH and not word.isupper():
            continue
        opens = _OPENS.search(clean, max(0, match.start() - 8), match.start()) is not None
        goes_on = following is not None and _goes_on(clean, match, following)
        if not opens or goes_on or _is_marked(word) or _is_place(word):
            yield match.span()


def _is_marked(word: str) -> bool:
    """Whether the word itself shows that it is a name: NATO, iPhone, H1N1."""
    return any(part.isupper() or part.isdigit() for part in word[1:])


@cache
def _is_place(word: str) -> bool:
    return folded(word) in places()


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
