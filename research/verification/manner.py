"""In which manner a figure is stated: as a fact, forecast, target or limit; as a level or a change; or not at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from research.quantities import Figure, Period
from research.verification.claim import Clause


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


class SentenceRole(Enum):
    """What a figure is in its sentence."""

    VALUE = auto()
    REPLACED = auto()
    """What it was before, or what it is said not to be."""
    UNCLEAR = auto()
    """An end of a range, a condition, or one of several figures that cannot be told apart."""


REACH = 10.0
"""Figures that are more than ten times apart are of different things, or one of them was misread."""

_FLOOR = re.compile(r"\b(?:floor|lower limit|minimum)\b|下限|最低限", re.IGNORECASE)
_CAP = re.compile(r"\b(?:cap(?:ped)?|ceiling|limits?|limited to|maximum|up to)\b|上限|限度|以内", re.IGNORECASE)
_TARGET = re.compile(
    r"\b(?:targets?|targeted|targeting|goals?|aim(?:s|ed|ing)?|objectives?)\b|目標|目指", re.IGNORECASE
)
_FORECAST = re.compile(
    r"\b(?:forecasts?|forecasted|expect(?:s|ed|ing|ation)?|project(?:s|ed|ions?)|predict(?:s|ed|ion)?|outlook|will"
    r"|shall|guidance|plan(?:s|ned)?|budget(?:ed)?|is to|are to)\b|見込|見通し|予想|予測|予定|計画|想定",
    re.IGNORECASE,
)
_SAID = {Standing.FLOOR: _FLOOR, Standing.CAP: _CAP, Standing.TARGET: _TARGET, Standing.FORECAST: _FORECAST}
_BOUNDS: dict[str, Standing] = {"at least": Standing.FLOOR, "at most": Standing.CAP}
_CONDITION = re.compile(
    r"\b(?:if|unless|would|could|might|assuming|assumed|scenario|suppose|hypothetical|for example|e\.g\.)\b"
    r"|場合|もし|仮に|[れけせえてべめ]ば(?=[、。]|$)|とすると|と仮定|シナリオ|たとえば|例えば",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"\brespectively\b|それぞれ|順に", re.IGNORECASE)

_REPLACED_AFTER = re.compile(
    r"\s*(?:では?なく|でない|ではない|から|より|を下回|を上回|を超え|に対し|, not\b|\s*instead\b)"
)
_REPLACED_BEFORE = re.compile(
    r"(?:\b(?:from|not|than|against|versus|vs\.?|instead of|rather than|compared (?:with|to)|above|below|beyond"
    r"|exceed(?:s|ed|ing)?)"
    r" (?:a |an |the |about |some |(?:\w+ )?(?:target|limit|forecast|plan) of )*|マイナスではなく)\Z",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s?(?:[-–—〜~]|to|or|ないし)\s?")
_LOOK = 40


def standing_of(said: str, heading: str, figure: Figure | None) -> Standing:
    """Return the standing of a figure or clause from what is said with it, else from its heading."""
    for words in (said, heading):
        for standing, pattern in _SAID.items():
            if pattern.search(words):
                return standing
    return _BOUNDS.get(figure.bound or "", Standing.FACT) if figure is not None else Standing.FACT


def is_conditional(text: str) -> bool:
    """Whether a sentence says what would be, or lists values whose order alone tells what they belong to."""
    return _CONDITION.search(text) is not None or _RESPECTIVELY.search(text) is not None


def role_of(text: str, figure: Figure, figures: Sequence[Figure], clause: Clause) -> SentenceRole:
    """Return what one of the `figures` of a sentence is in it."""
    if is_replaced(text, figure):
        return SentenceRole.REPLACED
    if not figure.value:
        return SentenceRole.VALUE
    if any(_is_range(text, figure, other) for other in figures):
        return SentenceRole.UNCLEAR
    beside = [
        other
        for other in figures
        if other is not figure
        and clause.start <= other.start < clause.end
        and other.measures_as(figure)
        and (other.unit is None) == (figure.unit is None)
        and other.period == figure.period
        and 1 / REACH <= abs(other.value / figure.value) <= REACH
        and not is_replaced(text, other)
    ]
    return SentenceRole.UNCLEAR if beside else SentenceRole.VALUE


def is_replaced(text: str, figure: Figure | Period) -> bool:
    """Whether a figure or date is what something was before, is compared with, or is said not to be."""
    if _REPLACED_AFTER.match(text, figure.end):
        return True
    return _REPLACED_BEFORE.search(text[max(0, figure.start - _LOOK) : figure.start]) is not None


def _is_range(text: str, figure: Figure, other: Figure) -> bool:
    first, second = (figure, other) if figure.start < other.start else (other, figure)
    return first is not second and _RANGE.fullmatch(text[first.end : second.start]) is not None


_UP = (
    r"more|higher|up|increase[sd]?|rise|rose|risen|growth|grew|gain(?:ed)?|climb(?:ed)?|jump(?:ed)?|expan(?:d|ded|sion)"
    r"|surge[ds]?|faster|longer|larger|raise[sd]?"
)
_DOWN = (
    r"less|lower(?:s|ed)?|fewer|down|decrease[sd]?|fall|fell|fallen|declin(?:e|ed)|drop(?:ped)?|shr[aiu]nk|reduc(?:es?|ed|tion)"
    r"|cut|contract(?:ed|ion)|slower|shorter|cheaper|smaller|plunged?"
)
_ABOUT = r"(?: (?:about|around|some|nearly|almost|roughly|approximately|only))?"
_AFTER_EN = re.compile(rf" (?:\w+ )?(?:({_UP})|(?:{_DOWN}))\b", re.IGNORECASE)
_BEFORE_EN = re.compile(
    rf"\b(?:({_UP})|(?:{_DOWN}))\b(?:(?: (?!to\b|at\b|reach)[\w-]+){{0,6}} (?:by|of))?{_ABOUT} \Z", re.IGNORECASE
)
_AFTER_JA = re.compile(
    r"(?:以上|程度|ほど|前後|近く|[ものをだけ ])*"
    r"(?:(増|上昇|伸び|拡大|多|高|成長|上が|プラス)|減|低下|下落|縮小|少な|安|低|落ち|削減|下が|短縮)"
)


def change_of(text: str, figure: Figure) -> int:
    """Return whether a figure says how much more (1) or less (-1) something is; 0 if it says how much it is."""
    before = text[max(0, figure.start - 2 * _LOOK) : figure.start]
    match = _AFTER_JA.match(text, figure.end) or _AFTER_EN.match(text, figure.end) or _BEFORE_EN.search(before)
    if match is None:
        return 0
    return 1 if match[1] else -1


UP, DOWN = "=increase", "=decrease"
DIRECTIONS = frozenset({UP, DOWN, "=more", "=less", "=above", "=below"})
_REACHED_BEFORE = re.compile(rf"\b(?:to|at|reach(?:es|ed|ing)?){_ABOUT} \Z", re.IGNORECASE)
_REACHED_AFTER = re.compile(r"(?:程度|前後|近く)?(?:に|へ|まで)")


def is_reached(text: str, figure: Figure) -> bool:
    """Whether a figure is what something came to: "rose to 5%", 5%に上昇."""
    before = text[max(0, figure.start - _LOOK) : figure.start]
    return _REACHED_AFTER.match(text, figure.end) is not None or _REACHED_BEFORE.search(before) is not None
