"""Numbers that belong to a name (Boeing 737) or say where something stands in a text (Section 4.2)."""

from __future__ import annotations

import re

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
