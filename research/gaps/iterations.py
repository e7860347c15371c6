"""The iteration manager: whether to search once more for what is missing, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.language import Bilingual, Language
from research.methods.stopping import StopReason

CONFIDENT = 0.6
"""Confidence from which a section is done when nothing is missing: most of it was found more than once."""
_NAMED = 5
"""Missing items that are named in words; the others are counted."""
_COMMA = Bilingual(", ", "、")
_COUNT = Bilingual("Iteration {iteration} of {limit}. ", "反復{iteration}/{limit}回。")
_MISSING = Bilingual("Still missing: {items}. ", "まだ不足している情報：{items}。")
_OTHERS = Bilingual(" and {count} more", "、ほか{count}件")
_COMPLETE = Bilingual(
    "Nothing is missing; confidence {confidence:.2f} of the {enough:.2f} needed. ",
    "不足している情報はありません。確信度{confidence:.2f}（目安{enough:.2f}）。",
)
_MORE = Bilingual("The search goes on for it.", "不足分の検索を続けます。")
_CONFIRM = Bilingual("The search goes on to confirm what was found.", "裏付けを得るため検索を続けます。")


@dataclass(frozen=True)
class Continuation:
    """Whether to go on, and what that rests on."""

    iteration: int
    """Iterations done."""
    limit: int
    missing: tuple[str, ...]
    confidence: float
    stops: StopReason | None
    """Why to stop; None to go on."""

    def in_words(self, language: Language) -> str:
        """Return the decision with its reason in `language`."""
        goes_on = _MORE if self.missing else _CONFIRM
        return (
            _COUNT.in_(language).format(iteration=self.iteration, limit=self.limit)
            + self._state(language)
            + (self.stops.label if self.stops is not None else goes_on).in_(language)
        )

    def _state(self, language: Language) -> str:
        if self.missing:
            return _MISSING.in_(language).format(items=self._named(language))
        return _COMPLETE.in_(language).format(confidence=self.confidence, enough=CONFIDENT)

    def _named(self, language: Language) -> str:
        others = len(self.missing) - _NAMED
        named = _COMMA.in_(language).join(self.missing[:_NAMED])
        return named + (_OTHERS.in_(language).format(count=others) if others > 0 else "")


def continuation(iteration: int, limit: int, missing: Sequence[str], confidence: float) -> Continuation:
    """Decide after `iteration` iterations of at most `limit`.

    It stops with `COVERED` if nothing is missing and `confidence` (0 to 1) is at least `CONFIDENT`, else with `LIMIT`
    if the iterations are over; otherwise it goes on.
    """
    stops = None
    if not missing and confidence >= CONFIDENT:
        stops = StopReason.COVERED
    elif iteration >= limit:
        stops = StopReason.LIMIT
    return Continuation(iteration, limit, tuple(missing), confidence, stops)
