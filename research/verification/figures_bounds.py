"""Words around a figure that loosen it: about, over, at least, 約, 以上, 未満."""

from __future__ import annotations

import re
from typing import Literal

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
    "over": r"超(?!え)|を?超え|を?上回|\+",
    "under": r"未満|を?下回",
}
_BOUNDS = tuple(_BEFORE)


def _groups(words: dict[Bound, str]) -> str:
    return "|".join(f"({words[bound]})" for bound in _BOUNDS)


_BOUND_BEFORE = re.compile(rf"(?:(?<![A-Za-z])|(?=[^A-Za-z]))(?:{_groups(_BEFORE)})(?: an?)? ?\Z", re.IGNORECASE)
_BOUND_AFTER = re.compile(f" ?(?:{_groups(_AFTER)})")
_LOOK_BACK = 18
_LAST_WORDS = (
    *("about", "around", "approximately", "approx", "approx.", "roughly", "some", "circa", "nearly", "almost", "to"),
    *("under", "over", "ca.", "c.", "than", "above", "exceed", "exceeds", "exceeded", "exceeding", "of", "below"),
    *("least", "most", " a", " an", "~", "≈", ">", "<", "≥", "≤", "約", "よそ", "概ね", "おおむね", "ほぼ", "とも"),
    *("最低", "最低でも", "最大", "最大で", "最高", "最高で"),
)
"""How the words before a figure end if they loosen it: a quick look that spares most figures the slow one."""


def bound(text: str, start: int, end: int) -> Bound | None:
    """Return how the words around the figure `text[start:end]` loosen it, or None if it is meant as printed."""
    following = text[end : end + 1]
    if following and (following in " -+" or following > "\u2e7f"):
        match = _BOUND_AFTER.match(text, end)
        if match is not None and match.lastindex:
            return _BOUNDS[match.lastindex - 1]
    words = text[max(0, start - _LOOK_BACK) : start]
    if words.rstrip(" ").lower().endswith(_LAST_WORDS):
        match = _BOUND_BEFORE.search(words)
        if match is not None and match.lastindex:
            return _BOUNDS[match.lastindex - 1]
    return None


def is_rounded(bound: Bound | None) -> bool:
    """Whether the figure is meant as a round one, not as a limit."""
    return bound in ("about", "over", "under")
