"""What says the opposite: a negation on one side only, words that oppose each other, names that changed places.

Each clause of the sentence is held against the clause of the page that shares most words with it, or holds the same
figure. A denial and a reversing word cancel each other (`did not rise` and `fell` agree); so do the two sides of a deal
(`A sold to B`, `B bought from A`). A direction must fit its own figures: not "rose from 259 to 246".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set
from itertools import combinations
from typing import NamedTuple

from research.quantities import Figure
from research.verification.claim import Claim, Clause, clause_at, clauses
from research.verification.words import Contrast, leading_word, meanings, names_in, unit_of, units

_SIDES = (("=sell", "=buy"), ("=export", "=import"))
"""What the giving side does, and what the receiving side does."""
_NAME = r"(?:the\s+)?([A-Z][\w-]*)"
_GIVEN_TO = re.compile(rf"\bto\s+{_NAME}|([一-鿿々ァ-ヺー]{{2,}})[にへ]")
_RECEIVED_FROM = re.compile(rf"\bfrom\s+{_NAME}|([一-鿿々ァ-ヺー]{{2,}})から")


def is_converse(one: str, one_units: Set[str], other: str, other_units: Set[str]) -> bool:
    """Return whether two texts (made plain, with what they can be found by) tell one deal from its two sides.

    Who is given to on one side must act on the other, or who is received from: `It sold the brand to Orla` and `Orla
    bought the brand` agree, `It bought the brand from Orla` says something else.
    """
    for giving, receiving in _SIDES:
        if giving in one_units - other_units and receiving in other_units - one_units:
            return _is_one_deal(one, other)
        if giving in other_units - one_units and receiving in one_units - other_units:
            return _is_one_deal(other, one)
    return False


def _is_one_deal(given: str, received: str) -> bool:
    receivers, givers = _names(_GIVEN_TO, given), _names(_RECEIVED_FROM, received)
    return any(name in received for name in receivers - givers) or any(name in given for name in givers - receivers)


def _names(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match[1] or match[2] for match in pattern.finditer(text)}


_TO_FROM_EN = re.compile(r"\s*(?:\w+\s+){0,5}from\s+(?:\w+\s+){0,3}\Z")
_FROM_TO_EN = re.compile(r"\s*(?:\w+\s+){0,5}to\s+(?:\w+\s+){0,3}\Z")
_FROM = re.compile(r"\bfrom\s+(?:\w+\s+){0,3}\Z")
_FROM_TO_JA = re.compile(r"[^、。]{0,12}から[^、。]{0,16}\Z")
_TO_JA = re.compile(r"[^、。]{0,4}[にへまと]")
_UP, _DOWN = "=increase", "=decrease"


def misfit(claim: Claim) -> str | None:
    """Return the figures of a claim whose order contradicts the direction that it says, or None."""
    for first, second in zip(claim.figures, claim.figures[1:], strict=False):
        pair = _from_to(claim.text, first, second)
        if pair is None or not first.measures_as(second) or pair[0].value == pair[1].value:
            continue
        clause = clause_at(claim.text, first.start)
        said = {unit for unit in (_UP, _DOWN) if unit in clause.units}
        fits = _UP if pair[1].value > pair[0].value else _DOWN
        if not clause.denied and len(said) == 1 and fits not in said:
            return f"{pair[0].text} → {pair[1].text}"
    return None


def _from_to(text: str, first: Figure, second: Figure) -> tuple[Figure, Figure] | None:
    """Return two neighbouring figures in the order in which one became the other, if the text says so."""
    between = text[first.end : second.start]
    if _FROM_TO_JA.fullmatch(between) and _TO_JA.match(text, second.end):
        return first, second
    if _FROM.search(text, 0, first.start) and _FROM_TO_EN.fullmatch(between):
        return first, second
    return (second, first) if _TO_FROM_EN.fullmatch(between) else None


_PREFIX_EN = re.compile(r"\b(?:un|in|im|ir|il|dis|non-?|de)([a-z]{5,})\b")
_PREFIX_JA = re.compile(r"[未非不無]([一-鿿]{2})")

_ENOUGH = 0.5
"""Share of a clause's words that another must share to speak of the same: at least every second one."""


_CLOSE = 2 / 3
"""Share from which two clauses are the same but for the negation."""


class OpposedPassage(NamedTuple):
    """A sentence of the page, made plain, and the words of what it stands under."""

    text: str
    under: frozenset[str]


def contradiction(sentence: str, passages: Sequence[OpposedPassage]) -> str | None:
    """Return the clause of `sentence` (made plain) that the passages deny or oppose, or None."""
    theirs = [(clause, passage.under) for passage in passages for clause in clauses(passage.text)]
    for clause in clauses(sentence):
        if _is_opposed(clause, theirs):
            return _shown(clause)
    return None


def contradiction_at(sentence: str, offset: int, passage: str, figure: str) -> str | None:
    """Return the clause of `sentence` at `offset`, where it has a figure, if that of `passage` with it disagrees."""
    place = passage.find(figure)
    if place < 0:
        return None
    ours, theirs = clause_at(sentence, offset), clause_at(passage, place)
    return _shown(ours) if _disagree(ours, theirs, close=True) else None


def _shown(clause: Clause) -> str:
    return clause.text.strip(" ,、;；。")


def _is_opposed(clause: Clause, theirs: Sequence[tuple[Clause, frozenset[str]]]) -> bool:
    """Whether the clauses nearest to ours disagree with it, and none that is as near agrees."""
    subject = {unit for unit in clause.units if unit not in meanings().opposites} or set(clause.units)
    ranked = [(_nearness(clause, subject, other, under), other) for other, under in theirs]
    nearest = max((nearness for nearness, _ in ranked), default=(0.0, 0, False))
    if nearest[0] < _ENOUGH or not nearest[1]:
        return False
    close = nearest[0] >= _CLOSE
    return all(_disagree(clause, other, close=close) for nearness, other in ranked if nearness == nearest)


def _nearness(clause: Clause, subject: set[str], other: Clause, under: frozenset[str]) -> tuple[float, int, bool]:
    """Return the share of our subject that another clause has, how many words both have, and whether the predicate."""
    share = len(subject & (other.units | under)) / len(subject)
    return share, len(clause.units & other.units), bool(clause.predicate) and clause.predicate in other.units


def _disagree(clause: Clause, other: Clause, *, close: bool) -> bool:
    """Whether one of two clauses excludes the other, or says it reversed or denied but not both.

    A negation on one side counts if the other states what it denies: `did not improve` and `was similar` are no
    contradiction. If it is ours, it counts also where the clauses are `close` in what else they say; if it is theirs,
    another word in the place of the denied one may say the same: `did not meet the deadline`, `missed the deadline`.
    """
    if is_converse(clause.text, clause.units, other.text, other.units):
        return False
    if _oppose(clause.units, other.units, Contrast.EXCLUDES):
        return True
    differs = clause.denied != other.denied
    if _oppose(clause.units, other.units, Contrast.REVERSES) or _is_prefixed(clause.text, other.text):
        return not differs
    denying, stating = (clause, other) if clause.denied else (other, clause)
    is_stated = not denying.denials or not denying.denials.isdisjoint(stating.units)
    return differs and (is_stated or (close and clause.denied))


def _oppose(ours: frozenset[str], theirs: frozenset[str], contrast: Contrast) -> bool:
    """Whether the opposite of one of our words, and not itself, is among theirs."""
    for unit in ours - theirs:
        for other, kind in meanings().opposites.get(unit, ()):
            if kind is contrast and other in theirs and other not in ours:
                return True
    return False


def _is_prefixed(ours: str, theirs: str) -> bool:
    """Whether one of two clauses has a word with a denying prefix and the other has it without."""
    ours, theirs = ours.lower(), theirs.lower()
    for one, other in ((ours, theirs), (theirs, ours)):
        for pattern in (_PREFIX_EN, _PREFIX_JA):
            for match in pattern.finditer(one):
                bare = re.compile(rf"(?<![a-z未非不無]){re.escape(match[1])}")
                if match.group() not in other and bare.search(other):
                    return True
    return False


_PASSIVE_EN = re.compile(r"\b(?:was|were|been|being|is|are|be)\s+\w+(?:ed|en|wn|ght|ld|de|id)\b|\bby\b")
_OF = re.compile(r"'s\b|\bof\b")
_PASSIVE_JA = re.compile(r"[られさ]れ(?:た|る|て|、|ま)|によ(?:って|り|る)")
_SUBJECT = re.compile(r"(?:は|が|も)(?![いあ])")
_OBJECT = re.compile(r"を|に(?!よ)|へ|より|から")
_WIDE = re.compile(r"[ぁ-ゖ]")
_NOUN = re.compile(r"[一-鿿々ァ-ヺー・A-Za-z0-9]{2,}")


class _Name(NamedTuple):
    unit: str
    start: int
    end: int


def swapped(sentence: str, passage: str) -> tuple[str, str] | None:
    """Return two names whose roles differ between the texts (made plain), or None.

    In English the same verb must stand between them in both; in Japanese their particles tell the roles. A passive on
    one side only turns the roles round rightly, and so do two sides of one deal.
    """
    if is_converse(sentence, units(sentence), passage, units(passage)):
        return None
    if _WIDE.search(sentence):
        return _swapped_japanese(sentence, passage)
    theirs = {name.unit: name for name in _once(_names_roles(passage))}
    for first, second in combinations(_once(_names_roles(sentence)), 2):
        if not {first.unit, second.unit} <= theirs.keys():
            continue
        their_first, their_second = theirs[first.unit], theirs[second.unit]
        if their_second.end >= their_first.start:
            continue
        ours_between = sentence[first.end : second.start]
        theirs_between = passage[their_second.end : their_first.start]
        if _genitive(ours_between) != _genitive(theirs_between):
            continue
        same_voice = bool(_PASSIVE_EN.search(ours_between)) == bool(_PASSIVE_EN.search(theirs_between))
        if same_voice and units(ours_between) & units(theirs_between):
            return sentence[first.start : first.end], sentence[second.start : second.end]
    return None


def _genitive(between: str) -> str:
    """Return how the names are joined: `Google's parent Alphabet` is `Alphabet, the parent of Google`."""
    match = _OF.search(between)
    return match.group() if match else ""


def _names_roles(clean: str) -> list[_Name]:
    first = leading_word(clean)
    spans = [*([first] if first else []), *names_in(clean)]
    return [_Name(unit_of(clean[start:end]) or clean[start:end], start, end) for start, end in spans]


def _once(names: Sequence[_Name]) -> list[_Name]:
    """Return the names that stand once: one that is repeated may have several roles."""
    counts = Counter(name.unit for name in names)
    return [name for name in names if counts[name.unit] == 1]


def _swapped_japanese(sentence: str, passage: str) -> tuple[str, str] | None:
    if bool(_PASSIVE_JA.search(sentence)) != bool(_PASSIVE_JA.search(passage)):
        return None
    ours, theirs = _particles(sentence), _particles(passage)
    for one, other in combinations([name for name in ours if name in theirs], 2):
        roles = ours[one], ours[other]
        if roles[0] != roles[1] and (theirs[other], theirs[one]) == roles:
            return one, other
    return None


def _particles(clean: str) -> dict[str, str]:
    """Return for each noun with a particle whether that makes it the subject or an object."""
    found: dict[str, str] = {}
    for match in _NOUN.finditer(clean):
        if _SUBJECT.match(clean, match.end()):
            found.setdefault(match.group(), "subject")
        elif _OBJECT.match(clean, match.end()):
            found.setdefault(match.group(), "object")
    return found
