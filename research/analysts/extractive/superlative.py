"""Questions which of all countries has the most or least of something, and what sources say of such an order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from research.text.concepts import Concept
from research.text.names import compared_in
from research.text.words import tokens

_COUNTRIES = r"(?:countries|country|nations?|economies|economy)"
_MOST = (
    r"(?:largest|biggest|greatest|highest|lowest|smallest|fewest|least|fastest|slowest|richest|poorest|most"
    r"|longest|shortest|oldest|youngest)"
)
_ENGLISH = re.compile(
    rf"\bwhich (?:\w+ ){{0,3}}{_COUNTRIES}\b(?!['’]).*\b{_MOST}\b"
    rf"|\bwhat (?:is|are) the (?:\w+ )?{_MOST} (?:\w+ ){{0,2}}{_COUNTRIES}\b(?!['’])"
    rf"|\b(?:rank|list)\b.*(?:\b{_MOST}\b.*\b{_COUNTRIES}\b|\b{_COUNTRIES}\b.*\b{_MOST}\b)"
    rf"|\btop (?:\w+ )?{_COUNTRIES}\b",
    re.IGNORECASE,
)
_MOST_JA = (
    r"(?:最も|もっとも|一番|いちばん|最大|最小|最多|最少|最高|最低|トップ|上位|下位|ランキング|順位|ベスト|ワースト)"
)
_HIGH_JA = r"(?:多い|大きい|高い|広い|速い|早い|長い|少ない|小さい|低い|狭い|遅い|短い)"
_WHO_JA = r"(?<![一-鿿])(?:国々?|[かカヶ]国)(?=[はがをにトラ上の、。？?]|$)"
_JAPANESE = re.compile(
    rf"{_MOST_JA}[^。はがを]*(?<!の){_WHO_JA}|(?:どの国|どこの国|各国|国の(?:中|うち)|国で)[^。]*{_MOST_JA}"
    rf"|{_HIGH_JA}(?:順[^。]*国|{_WHO_JA})|(?:上位|下位)の?国|国(?:別|の)?(?:ランキング|順位|トップ|上位)"
)
_LEAST = re.compile(
    r"\b(?:lowest|smallest|fewest|least|slowest|poorest|shortest|youngest)\b"
    r"|少ない|小さい|低い|狭い|遅い|短い|最小|最少|最低|下位|ワースト",
    re.IGNORECASE,
)
_ASKING = re.compile(
    rf"\b(?:rank(?:ed|s|ing)?|{_MOST}|top|{_COUNTRIES}|in the world|world(?:['’]s|wide)?|globally)\b"
    rf"|\b(?:\d+|three|five|ten|twenty)\b|{_MOST_JA}\s*\d*国?|{_HIGH_JA}順?|世界(?:で|の|中で)|全世界",
    re.IGNORECASE,
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)"
_TELLING = re.compile(
    r"\b(?:largest|biggest|highest|lowest|smallest|fewest|most|least)\b.{0,60}?"
    r"\b(?:in the world|of any country|worldwide)\b"
    r"|\bworld['’]s (?:\w+[- ])?(?:largest|biggest|highest|lowest|smallest|most)\b"
    rf"|\b{_ORDINAL}[- ](?:largest|most|highest|lowest|smallest)\b"
    r"|\btop ten\b|\bten largest\b|世界(?:一|第[\d一二三四五六七八九十]+位|最大|最小|最多|最高|最低)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:]\s|[.。]\s*|\bnote \d+\b|, (?=[a-z]+ing\b)")
_SAYS = 0.9


@dataclass(frozen=True)
class Superlative:
    """What a question wants put in order."""

    is_least: bool
    """Whether it asks for the lowest."""


@lru_cache(maxsize=256)
def asked_of_all_countries(question: str) -> Superlative | None:
    """Return what order is asked for, if a question asks which countries come first and names none of them."""
    if compared_in(question) or not (_ENGLISH.search(question) or _JAPANESE.search(question)):
        return None
    return Superlative(_LEAST.search(question) is not None)


def without_order(question: str) -> str:
    """Return such a question without the words that ask for the order: what is left says what is put in order."""
    return _ASKING.sub(" ", question) if asked_of_all_countries(question) else question


def tells_an_order(quote: str) -> bool:
    """Whether a source says itself that something comes first, or second, in the world."""
    return _TELLING.search(quote) is not None


def tells_the_order_of(quote: str, wanted: Sequence[Concept]) -> bool:
    """Whether a source says in one breath that something comes first, and that it is what is `wanted`."""
    clauses = [set(tokens(clause)) for clause in _CLAUSE.split(quote) if tells_an_order(clause)]
    return any(one.match(said) >= _SAYS for said in clauses for one in wanted if not one.is_period)
