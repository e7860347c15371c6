"""Small changes that make a true sentence false."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"(?<![A-Za-z0-9.,#-])\d[\d,]*(?:\.\d+)?(?![\d]|(?:年|月|日|号|期|回)|-?[A-Za-z]*\()")
_YEAR = re.compile(r"(?<!\d)20[0-2]\d(?!\d|[,.]\d)")
_UNITS = (
    ("trillion", "billion"),
    ("billion", "million"),
    ("million", "billion"),
    ("basis points", "percentage points"),
    ("watt-hours", "kilowatt-hours"),
    ("兆", "億"),
    ("億", "兆"),
    ("万人", "人"),
    ("万トン", "億トン"),
    ("ポイント", "倍"),
    ("£", "$"),
    ("$", "€"),
    ("pence", "dollars"),
    ("cents", "dollars"),
    ("hours", "days"),
    ("minutes", "hours"),
    ("thousand", "million"),
    ("percent", "percentage points"),
    ("円", "ドル"),
)


def altered_number(sentence: str, page: str, number: int) -> str | None:
    """Change a digit of one figure (its first or second) so that it is another one; years are left."""
    found = [match for match in _NUMBER.finditer(sentence) if not _YEAR.fullmatch(match.group())]
    if not found:
        return None
    match = found[number % len(found)]
    positions = [index for index, character in enumerate(match.group()) if character.isdigit()]
    at = positions[min(len(positions) - 1, number // 7 % 2)]
    first = at == positions[0]
    for step in range(1, 10):
        digit = (int(match.group()[at]) + number // 14 + step) % 10
        changed = f"{match.group()[:at]}{digit}{match.group()[at + 1 :]}"
        if changed != match.group() and not (first and digit == 0) and changed not in page:
            return sentence[: match.start()] + changed + sentence[match.end() :]
    return None


def changed_unit(sentence: str, page: str, number: int) -> str | None:
    """Put another unit, currency or multiplier behind the same digits."""
    for old, new in _UNITS:
        pattern = re.compile(rf"(?<=[\d\s(]){re.escape(old)}" if old.isalpha() else re.escape(old))
        if any(character.isdigit() for character in sentence) and pattern.search(sentence):
            return pattern.sub(new, sentence)
    return None


def changed_period(sentence: str, page: str, number: int) -> str | None:
    """Change the years to ones that the page does not name."""
    years = set(_YEAR.findall(sentence))
    for shift in (1, -1, 2, -2, 3, -3, 5, -5, 7, -9):
        moved = {year: str(int(year) + shift) for year in years}
        if moved and not any(year in page or f"FY{year}" in page for year in moved.values()):
            return "".join(moved.get(part, part) for part in re.split(rf"({_YEAR.pattern})", sentence))
    return None


_DENIALS = (
    (re.compile(r"\b(was|were|is|are|has|had|have|can|will|should|could)\b(?! not)"), r"\1 not"),
    (re.compile(r"でした。$"), "ではありませんでした。"),
    (re.compile(r"(?<=[しきれ])ました。$"), "ませんでした。"),
    (re.compile(r"だった。$"), "ではなかった。"),
    (re.compile(r"であった。$"), "ではなかった。"),
    (re.compile(r"である。$"), "ではない。"),
    (re.compile(r"した。$"), "しなかった。"),
    (re.compile(r"された。$"), "されなかった。"),
    (re.compile(r"れる。$"), "れない。"),
    (re.compile(r"する。$"), "しない。"),
)
_DENIED = re.compile(r"\b(?:not|no|never|without|unchanged|only)\b|ない|なか|せん|ず", re.IGNORECASE)


def negated(sentence: str, page: str, number: int) -> str | None:
    """Deny the first verb that can be denied by a word; None if the sentence holds a negation already."""
    if _DENIED.search(sentence):
        return None
    for pattern, denial in _DENIALS:
        if pattern.search(sentence):
            return pattern.sub(denial, sentence, count=1)
    return None
