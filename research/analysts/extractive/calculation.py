"""How a calculation is printed: what it is of, its result, and the figures that it can be worked out from again."""

from __future__ import annotations

from research.language import Bilingual, Language, Phrase

_COMPUTED = Phrase("- Computed: {what}: {said}")
_FROM_TO = Phrase("{first} to {last}", "a period")
_YEAR = Bilingual("{year}", "{year}年")


def computed_line(what: str, said: str, language: Language) -> str:
    """Return the line of a calculation: what is worked out, then its result, “ = ” and what it follows from."""
    return _COMPUTED.in_(language).format(what=what, said=said)


def from_to(first: str, last: str, language: Language) -> str:
    """Return from when to when something changed: years, or periods as their tables call them."""
    ends = [_YEAR.in_(language).format(year=end) if end.isdecimal() else end for end in (first, last)]
    return _FROM_TO.in_(language).format(first=ends[0], last=ends[1])


def signed(change: str) -> str:
    """Return a change with its sign, also where it is more."""
    return f"−{change[1:]}" if change[:1] in "-−" else f"+{change}"
